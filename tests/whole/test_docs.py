"""The documents: every command prints the output that they show, and all Python examples run."""

from __future__ import annotations

import doctest
import re
import runpy
import shutil
from pathlib import Path

import pytest

from graphgame.io import FORMATS
from tests import ROOT
from tests.documents import answer_of, dialogues
from tests.helpers import needs

FILE = re.compile(r"<!-- file: (?P<name>[\w.]+) -->\n```python\n(?P<text>.*?)```", re.DOTALL)
DOCS = ROOT / "docs"
RUN_HERE = [
    "formats.md",
    "games.md",
    "heaps.md",
    "laws.md",
    "loopy.md",
    "misere.md",
    "pictures.md",
    "play.md",
    "scale.md",
    "search.md",
    "theory.md",
    "tutorial.md",
    *(str(page.relative_to(DOCS)) for page in sorted(DOCS.glob("howto/*.md"))),
]
LIBRARIES = {
    "formats.md": ["pandas"],
    "howto/load.md": ["igraph", "rustworkx", "scipy"],
    "howto/notebook.md": ["pandas"],
    "howto/results.md": ["pandas"],
}
"""Libraries in a document's examples that the README's test command does not install."""

LONG = ("games.md", "laws.md", "search.md", "pictures.md")

PAGES = sorted([*DOCS.glob("*.md"), *DOCS.glob("howto/*.md"), *DOCS.glob("zh/**/*.md"), *ROOT.glob("*.md")])
CHINESE = runpy.run_path(str(DOCS / "make_chinese.py"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the samples."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    return tmp_path


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """Return the marks of the test that runs a document."""
    return [*map(needs, LIBRARIES.get(name, ())), *([pytest.mark.long] if name in LONG else [])]


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks_of(name)) for name in RUN_HERE])
def test_commands_and_code_run(name: str, folder: Path) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    for match in FILE.finditer(text):
        (folder / match["name"]).write_text(match["text"])
    for command, answer in dialogues(text):
        assert answer_of(command) == answer, command
    results = doctest.testfile(str(DOCS / name), module_relative=False)
    assert (results.failed, results.attempted) == (0, text.count(">>> "))


def test_every_format_is_in_the_page_about_them() -> None:
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in text] == []


def test_each_document_is_run() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.parent.rglob("test_*.py"))
    for page in DOCS.glob("*.md"):
        if re.search(r"```console|>>> ", page.read_text(encoding="utf-8")):
            assert f'"{page.name}"' in tests, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_targets(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, heading = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not heading or heading in headings(target), link


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_the_map_names_every_document() -> None:
    shown = {
        (index.parent / link).resolve()
        for index in (DOCS / "index.md", DOCS / "zh" / "index.md")
        for link in re.findall(r"\]\(([^)#]+)\)", index.read_text(encoding="utf-8"))
    }
    assert {page for page in (*DOCS.glob("*.ipynb"), *PAGES) if DOCS in page.parents} - {DOCS / "index.md"} <= shown


@pytest.mark.long
@pytest.mark.parametrize("name", CHINESE["TWINS"])
def test_chinese_pages_are_in_step(name: str) -> None:
    english, chinese = CHINESE["english_of"](name), CHINESE["chinese_of"](name)
    told = f"docs/{name} has changed: write the same into docs/zh/{name} where it is words; python docs/make_chinese.py"
    assert list(CHINESE["shape"](chinese)) == list(CHINESE["shape"](english)), told
    assert (DOCS / "zh" / name).read_text(encoding="utf-8") == CHINESE["page"](name), told
    words = re.sub(r"`[^`\n]+`", "", CHINESE["CODE"].sub("", chinese))
    left = re.sub(r"(\*+)[^*\n]*(?:[^*，。：？！）]\1|\1(?=\W))", "", words)
    assert re.findall(r".*\*.*", left) == [], "emphasis does not end between punctuation and a letter"


def test_each_chinese_page_has_a_twin() -> None:
    assert {str(page.relative_to(DOCS / "zh")) for page in DOCS.glob("zh/**/*.md")} == {*CHINESE["TWINS"]}
