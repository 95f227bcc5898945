"""The document on compounds, reduction and nim arithmetic: its commands and its Python answer what stands there."""

import doctest

import pytest

from tests.test_docs import ROOT, answer_of, dialogues

DOCUMENT = ROOT / "docs" / "theory.md"


@pytest.mark.parametrize(("command", "answer"), list(dialogues(DOCUMENT.read_text(encoding="utf-8"))))
def test_each_command_answers_what_stands_there(command, answer, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert answer_of(command) == answer


def test_python():
    results = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0
