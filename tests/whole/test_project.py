"""The distribution: the public API is the recorded one, and the README's links work on a package index."""

import re
import runpy
import shutil
import sys
import tomllib
from types import SimpleNamespace

import graphgame
from tests import ROOT
from tests.public_api import RECORD, lines

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_public_api_is_the_recorded_one():
    """A change of it is meant: ``python -m tests.public_api`` records it, and SUPPORT.md says what has to go before."""
    assert list(lines()) == RECORD.read_text(encoding="utf-8").splitlines()


def test_one_version():
    assert PROJECT["version"] == graphgame.__version__


def test_the_oldest_python_is_the_first_that_the_classifiers_name():
    named = [name.removeprefix("Programming Language :: Python :: ") for name in PROJECT["classifiers"]]
    minors = [name for name in named if re.fullmatch(r"3\.\d+", name)]
    assert PROJECT["requires-python"] == f">={minors[0]}"


def long_description(folder, monkeypatch):
    """Return the README in the form that setup.py publishes, for the project in a folder."""
    told = {}
    monkeypatch.setitem(sys.modules, "setuptools", SimpleNamespace(setup=told.update))
    runpy.run_path(str(folder / "setup.py"))
    return told["long_description"]


def test_links_of_the_readme_lead_to_the_repository_once_it_is_named(tmp_path, monkeypatch):
    for name in ("README.md", "setup.py"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nRepository = "https://example.org/graphgame"\n')
    text = long_description(tmp_path, monkeypatch)
    blob, raw = (f"https://example.org/graphgame/{kind}/main/" for kind in ("blob", "raw"))
    links = re.findall(r"\]\(([^)#]+)", text)
    own = [link.removeprefix(blob).removeprefix(raw) for link in links if link.startswith((blob, raw))]
    assert len(own) > 20
    assert all((ROOT / path).exists() for path in own)
    assert all(link.startswith("https://") for link in links)
    assert f"]({raw}docs/gallery/chomp.svg)" in text


def test_without_a_repository_the_readme_stays_as_it_is(monkeypatch):
    assert "urls" not in PROJECT
    assert long_description(ROOT, monkeypatch) == (ROOT / "README.md").read_text(encoding="utf-8")
