"""README.md with links and pictures that work on a package index, where there are no files beside it."""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
REPOSITORY = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
LINK = r"(!?)(\[[^]]*\]\()(?![a-z]+:|#)"


def absolute(link: re.Match[str]) -> str:
    """Return the beginning of a link or picture with the address of the repository in place of this folder."""
    return f"{link[1]}{link[2]}{REPOSITORY}/{'raw' if link[1] else 'blob'}/main/"


readme = re.sub(LINK, absolute, (HERE / "README.md").read_text(encoding="utf-8"))
setup(long_description=readme, long_description_content_type="text/markdown")
