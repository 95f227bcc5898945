"""``graphgame play`` as a process: over a pipe, and in a real terminal."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.core.play.test_terminal import play
from tests.documents import answer_of, dialogues


class TestTheDocument:
    TEXT = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize(("command", "answer"), list(dialogues(TEXT)))
    def test_each_command_answers_what_stands_there(self, command, answer):
        assert answer_of(command) == answer

    def test_python(self):
        results = doctest.testfile(str(ROOT / "docs" / "play.md"), module_relative=False)
        assert (results.attempted > 5, results.failed) == (True, 0)

    def test_the_record(self, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text(self.TEXT.split("<!-- record -->\n```\n")[1].split("```")[0])
        assert play("--replay", str(path)).stdout.endswith("first player resigns: second player wins after 2 moves\n")

    def test_the_commands(self):
        listed = play("nim(1)", lines="help\n").stdout
        for command in re.findall(r"`(\w+)(?: FILE)?`", self.TEXT.split("| command |")[1].split("\n\n")[0]):
            assert f"  {command} " in listed
