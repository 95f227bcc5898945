"""The page about graphs with cycles: its commands and its Python."""

import doctest

from tests import ROOT
from tests.documents import answer_of, dialogues

DOCUMENT = ROOT / "docs" / "loopy.md"


def test_each_command_of_the_document_answers_what_stands_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    for command, answer in dialogues(DOCUMENT.read_text(encoding="utf-8")):
        assert answer_of(command) == answer, command


def test_the_python_of_the_document():
    results = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
