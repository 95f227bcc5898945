"""Rules of one's own at the command line: what they return is checked before it is used."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from graphgame.cli import main

WRONG = {
    "picture": "def picture(self, heap): return 5",
    "kind": "def picture(self, heap): return rows([[Cell('nothing')]])",
    "board": "def board(self, heap): return 7",
    "text": "def format(self, heap): raise KeyError(heap)",
    "closed form": "def closed_form(self, heap): return 'x'",
    "canonical form": "def canonical(self, heap): return [heap]",
}


@pytest.mark.parametrize("command", ["play", "search", "draw -o game.html"])
@pytest.mark.parametrize("method", WRONG.values(), ids=WRONG)
def test_rules_that_return_the_wrong_thing_end_in_no_traceback(method, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rules.py").write_text(
        "from graphgame import Ruleset\nfrom graphgame.rules.pictures import Cell, rows\n\n\n"
        f"class Wrong(Ruleset):\n    start = 3\n\n    def options(self, heap): return range(heap)\n\n    {method}\n"
    )
    name, *options = command.split()
    done = CliRunner().invoke(main, [name, "rules.py:Wrong", *options], input="quit\n")
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert done.exit_code == 0 or "error: " in done.output
