"""``graphgame play`` as a process: over a pipe, and in a real terminal."""

from __future__ import annotations

import re
from pathlib import Path

from tests import ROOT
from tests.core.play.test_terminal import play


class TestTheDocument:
    TEXT = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")

    def test_the_record(self, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text(self.TEXT.split("<!-- record -->\n```\n")[1].split("```")[0])
        assert play("--replay", str(path)).stdout.endswith("first player resigns: second player wins after 2 moves\n")

    def test_the_commands(self):
        listed = play("nim(1)", lines="help\n").stdout
        for command in re.findall(r"`(\w+)(?: FILE)?`", self.TEXT.split("| command |")[1].split("\n\n")[0]):
            assert f"  {command} " in listed
