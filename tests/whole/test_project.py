"""What is handed out: the public API is that on record, and the README's links work on a package index."""

import re
import runpy
import sys
import tomllib
from types import SimpleNamespace

import graphgame
from tests import ROOT
from tests.public_api import RECORD, lines

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_public_api_is_that_on_record():
    """A change of it is meant: ``python -m tests.public_api`` records it, and SUPPORT.md says what has to go before."""
    assert list(lines()) == RECORD.read_text(encoding="utf-8").splitlines()


def test_one_version():
    assert PROJECT["version"] == graphgame.__version__


def test_the_oldest_python_is_the_first_that_the_classifiers_name():
    named = [name.removeprefix("Programming Language :: Python :: ") for name in PROJECT["classifiers"]]
    minors = [name for name in named if re.fullmatch(r"3\.\d+", name)]
    assert PROJECT["requires-python"] == f">={minors[0]}"


def test_links_of_the_readme_work_on_a_package_index(monkeypatch):
    told = {}
    monkeypatch.setitem(sys.modules, "setuptools", SimpleNamespace(setup=told.update))
    runpy.run_path(str(ROOT / "setup.py"))
    links = re.findall(r"\]\(([^)#]+)", told["long_description"])
    blob, raw = (f"{PROJECT['urls']['Repository']}/{kind}/main/" for kind in ("blob", "raw"))
    own = [link.removeprefix(blob).removeprefix(raw) for link in links if link.startswith((blob, raw))]
    assert len(own) > 20
    assert all((ROOT / path).exists() for path in own)
    assert all(link.startswith("https://") for link in links)
    assert f"]({raw}docs/gallery/chomp.svg)" in told["long_description"]
