"""Explanations of sums whose graph is too large."""

import pytest

from graphgame import explain
from graphgame.rules.notation import parse_position
from graphgame.text.positions import explain_sum


def test_other_components():
    assert explain_sum(parse_position("bash{3}(10000000000) + chomp(3x4)")).splitlines() == [
        "first player wins: the nim-sum is 9",
        "",
        "  bash{3}(10000000000)  0  0000",
        "  chomp(4,4,4)          9  1001",
        "                           ----",
        "                        9  1001",
        "",
        "  bash{3}(10000000000): 10000000000 mod 4 = 0",
        "  chomp(4,4,4): if biting off the far corner does not win, the winning reply to it also wins as a first move",
        "",
        "9 is 1001 in binary, and chomp(4,4,4) has a 1 in its top column. A component of value n has an option of",
        "value n xor 9 if that is less than n; then the nim-sum is 0, and the first player can make it 0 again",
        "after every answer.",
        "",
        "winning moves:",
        "  component 2: chomp(4,4,4) -> chomp(4,2,2), value 9 -> 0",
    ]


def test_lost_sums_have_no_moves():
    text = explain_sum(parse_position("nim(5) + bash{9}(5)"))
    assert text.startswith("second player wins: the nim-sum is 0\n")
    assert "winning moves" not in text


def test_misere_play_of_other_games_is_explained_by_the_graph():
    position = parse_position("take{1,2}(4)", misere=True)
    with pytest.raises(ValueError, match="only if all its components are heaps of Nim"):
        explain_sum(position)
    assert "under misère play" in explain(position)
