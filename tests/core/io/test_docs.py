"""The page about formats: what it shows is what happens."""

import doctest

from graphgame.io import FORMATS
from tests import ROOT
from tests.test_docs import answer_of, dialogues

PAGE = ROOT / "docs" / "formats.md"


def test_every_command_answers_what_stands_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = list(dialogues(PAGE.read_text()))
    assert len(shown) == 3
    assert [answer_of(command) for command, _ in shown] == [answer for _, answer in shown]


def test_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_every_format_is_named():
    for name in FORMATS:
        assert f"`{name}`" in PAGE.read_text(), name
