"""All commands with user rules in which a move can end play at once."""

import pytest
from click.testing import CliRunner

from graphgame.cli import main

RULES = """
from graphgame import Ruleset, Sum
from graphgame.solution.results import Decisive


class Last(Ruleset):
    start = 5

    def options(self, heap):
        return range(max(heap - 3, 0), heap)

    def decided(self, heap):
        return "N" if heap == 0 else None

    def outcome_form(self, heap):
        return "P" if heap % 4 == 1 else "N"


class Closed(Last):
    def closed_form(self, heap):
        return (heap - 1) % 4


class Win(Last):
    def decided(self, heap):
        return "P" if heap == 0 else None

    def closed_form(self, heap):
        return heap % 4 if heap > 3 else Decisive.LOONY


class Part(Ruleset):
    def options(self, heap):
        return range(max(heap - 3, 0), heap)

    def outcome_form(self, heap):
        return "P" if heap % 8 == 4 else "N" if heap % 4 else None

    def reason(self, heap):
        return "by a theorem" if heap % 4 == 1 else None


class Misere(Ruleset):
    def options(self, heap):
        return [heap - 1, Sum([heap - 1, 1]), heap - 2] if heap > 1 else range(heap)

    def misere_outcome_form(self, heap):
        return "P" if heap % 9 == 1 else "N"
"""
NO_MISERE = "misère play has no meaning in this game: its rules say who wins as soon as a certain position is reached"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("solve last.py:Last --verdict", "lose"),
        ("search last.py:Last(30)", "first player wins"),
        ("explain last.py:Last(6)", "first player wins: 6 has the value 1, and a move to the value 0 wins"),
        ("values last.py:Last(0..6)", "loony [0] 1 2"),
        (
            "heap last.py:Last",
            "graphgame heap cannot use last.py:Last, because a move may end play at once; print the values with",
        ),
        ("misere last.py:Last", NO_MISERE),
        ("law last.py:Last(n) --misere", NO_MISERE),
        ("law whiteboard{3}(n) --misere", NO_MISERE),
        ("misere treblecross", NO_MISERE),
        ("misere quotient treblecross", NO_MISERE),
        ("values cutting(1..3x1..3) --misere", NO_MISERE),
        ("search cutting(4x2) --misere", NO_MISERE),
        ("solve cutting(1x1|3x1)+cutting(4x2)", "no winning move"),
        ("solve cutting(1x1|2x1)+cram(8x9)", "2 cram(........./............./.........) - N - no winning move"),
        ("explain cutting(1x1|3x1)+cutting(4x2)", "second player wins: 1x1|3x1 ends play"),
        ("explain cutting(3x1)+last.py:Last(0)", "first player wins: last.py:Last(0) ends play"),
        ("explain cutting(3x1)+last.py:Closed(0)+last.py:Closed(99999999)", "wins: last.py:Closed(0) ends play"),
        ("explain cutting(1x1|3x1)+last.py:Part(9999999)", "second player wins: cutting(1x1|3x1) ends play"),
        ("explain last.py:Part(80000001)", "by a theorem winning moves: ... and perhaps more"),
        ("explain last.py:Closed(80000001)", "the second player can make the nim-sum 0 again, or wins at once"),
        (
            "explain last.py:Closed(80000003)+nim(1)",
            "less than n. Then the nim-sum is 0: each answer lets the first player win at once or make it 0 again.",
        ),
        (
            "solve last.py:Win(2)+last.py:Part(80000001)",
            "winning moves component 1: last.py:Win(2) -> last.py:Win(0) ... and perhaps more",
        ),
        ("explain last.py:Closed(6)", "6 has the value 1, and a move to the value 0 wins"),
        ("explain last.py:Closed(1)+nim(1)", "each answer lets the first player win at once or make it 0 again"),
        ("solve last.py:Misere(80001) --misere --max-positions 9", "there is a winning move, but no theorem names one"),
        ("explain last.py:Misere(80004) --misere --max-positions 9", "80004 -> 80002 ... and perhaps more"),
    ],
)
def test_commands(tmp_path, monkeypatch, command, answer):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "last.py").write_text(RULES)
    assert answer in " ".join(CliRunner().invoke(main, command.split()).output.split())
