"""README.md for a package index, where there are no files beside it: its links and pictures lead to the repository.

They are left as they are while ``pyproject.toml`` names no ``Repository`` under ``[project.urls]``.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = PROJECT.get("urls", {}).get("Repository")
LINK = r"(!?)(\[[^]]*\]\()(?![a-z]+:|#)"


def absolute(link: re.Match[str]) -> str:
    """Return the beginning of a link or picture with the address of the repository in place of this folder."""
    return f"{link[1]}{link[2]}{REPOSITORY}/{'raw' if link[1] else 'blob'}/main/"


readme = (HERE / "README.md").read_text(encoding="utf-8")
if REPOSITORY:
    readme = re.sub(LINK, absolute, readme)
setup(long_description=readme, long_description_content_type="text/markdown")
