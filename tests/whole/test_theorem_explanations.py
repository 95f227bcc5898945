"""Reasons by theorem: the numbers of the position, and those of each winning move."""

from __future__ import annotations

import pytest

from graphgame import explain
from graphgame.games import CATALOGUE
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import About
from graphgame.text.rules import rules_texts
from tests.core.text.test_theorems import ends, said


@pytest.mark.parametrize(
    ("text", "first", "move"),
    [
        ("bash{3}(13)", "first player wins: 13 mod 4 = 1", "  13 -> 12, take 1: 12 mod 4 = 0"),
        ("bash{3}(12)", "second player wins: 12 mod 4 = 0", "  9 -> 8, take 1: 8 mod 4 = 0"),
        ("take{odd}(7)", "first player wins: 7 mod 2 = 1", "  7 -> 6, take 1: 6 mod 2 = 0"),
        ("take{1..3}(9)", "first player wins: 9 mod 4 = 1", "  9 -> 8, take 1: 8 mod 4 = 0"),
        ("whiteboard{3}(30)", "first player wins: (30 - 1 - 0) mod 4 = 1", "  30 -> 30:1: (30 - 1 - 1) mod 4 = 0"),
        (
            "wythoff(3,6)",
            "first player wins: 6 - 3 = 3; the P-position with this difference is (4, 7), because floor(3 phi) = 4",
            "  3,6 -> 3,5: 5 - 3 = 2; the P-position with this difference is (3, 5), because floor(2 phi) = 3",
        ),
        (
            "fibonacci(12)",
            "first player wins: 12 = 8 + 3 + 1 in the Fibonacci numbers, and the least number, 1, may be taken",
            "  12:11 -> 11:2: 11 = 8 + 3 in the Fibonacci numbers, but at most 2 may be taken, less than the "
            "least number, 3",
        ),
        (
            "fibonacci(13)",
            "second player wins: 13 is one of the Fibonacci numbers, but at most 12 may be taken, not the whole heap",
            "  11:4 -> 8:6: 8 is one of the Fibonacci numbers, but at most 6 may be taken, not the whole heap",
        ),
        (
            "staircase(2,0,3)",
            "first player wins: the xor of the numbers of coins on the odd steps decides: 2 xor 3 = 1",
            "  2,0,3 -> 2,1,2: the xor of the numbers of coins on the odd steps decides: 2 xor 2 = 0",
        ),
        (
            "moore{2}(3,4,5)",
            "first player wins: numbers of ones in the binary columns: 2, 1, 2; 3 does not divide all of them",
            "  3,4,5 -> 3,3,3: numbers of ones in the binary columns: 3, 3; 3 divides all of them",
        ),
        ("euclid(25,7)", "first player wins: 25 > 7 phi = 11.3...", "  25,7 -> 7,11: 11 < 7 phi = 11.3..."),
        (
            "kayles(100)",
            "first player wins: period 12 from heap 71 on, proved: heap 100 has the value of heap 76, 1",
            "  100 -> 49 + 49",
        ),
        (
            "lasker(1000)",
            "first player wins: period 4, 4 added each time, from heap 1 on, proved: 3 + 249 * 4 = 999",
            "  1000 -> 500 + 500: period 4, 4 added each time, from heap 1 on, proved: 3 + 124 * 4 = 499",
        ),
        (
            "turning-turtles(thht)",
            "first player wins: the xor of the heads' values decides: 2 xor 3 = 1",
            "  thh -> t: the xor of the heads' values decides: 0",
        ),
        (
            "chomp(3,2)",
            "second player wins: rows or columns of 3 and 2 squares: P exactly if these numbers differ by 1",
            "",
        ),
    ],
)
def test_reason_and_move_of_a_theorem(text, first, move):
    lines = said(text)
    assert lines[0] == first
    assert move in lines


def test_reasons_without_a_graph():
    lines = said("wythoff(1000000000000,1000000000001)")
    assert (
        "  1000000000000,1000000000001 -> 1,2: 2 - 1 = 1; the P-position with this difference is (1, 2), because "
        in ("\n".join(lines))
    )
    assert "the least number, 3, may be taken" in " ".join(said("fibonacci(1000000000000)"))
    lines = said("moore{2}(1000000000,1000000000,1000000001)")
    assert lines[4].startswith(
        "  1000000000,1000000000,1000000001 -> 1000000000,1000000000,1000000000: numbers of ones in "
    )
    assert lines[5] == "  ... and perhaps more"


@pytest.mark.parametrize("text", ["nim(0,0)", "nim(0)", "bash{3}(0)", "bash{3}(0) + nim(0)", "wythoff(0,0)"])
def test_no_sentence_about_moves_if_there_are_none(text):
    told = explain(text, depth=0)
    assert "No component has a move: the first player cannot move, and loses." in told
    assert "Every move" not in told


def test_in_a_sum_each_component_has_its_reason():
    lines = explain("bash{3}(13) + nim(3)", depth=0).splitlines()
    assert "  bash{3}(13): 13 mod 4 = 1" in lines
    assert "  component 1: bash{3}(13) -> bash{3}(11), value 1 -> 3: 11 mod 4 = 3" in lines


@pytest.mark.parametrize(
    "text", ["wythoff(8,11)", "fibonacci(20:9)", "take-away{a <= 3k}(20:3)", "take-away{a < 2k}(20:9)"]
)
def test_winning_options_are_those_of_the_theorem(text):
    rules = parse_position(text).components[0].ruleset
    for first in range(24):
        for second in range(24):
            found = {rules.canonical(end) for end in rules.winning_options((first, second))}
            assert found == {rules.canonical(end) for end in ends(rules, (first, second))}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("wythoff(1000000000000,1000000000001) + nim(3,3)", "wythoff(1,2)"),
        ("fibonacci(1000000000000)", "fibonacci(999999999997:6)"),
        ("moore{2}(1000000000,1000000000,1000000001)", "moore{2}(1000000000,1000000000,1000000000)"),
    ],
)
def test_winning_move_without_a_known_value(text, end):
    moves = parse_position(text).theorem.first_moves(5)
    assert str(moves[0].end) == end


def test_sum_of_unknown_value_has_a_reason_and_a_move():
    told = explain("wythoff(1000000000000000000,5) + nim(4,4)").splitlines()
    assert any(line.startswith("  wythoff(1000000000000000000,5): 1000000000000000000 - 5 = ") for line in told)
    end = "wythoff(3,5): 5 - 3 = 2; the P-position with this difference is (3, 5), because floor(2 phi) = 3"
    assert told[-2:] == [f"  component 1: wythoff(1000000000000000000,5) -> {end}", "  ... and perhaps more"]


def test_ending_is_not_parsed_from_the_rules_text(monkeypatch):
    """The rules text is shown unchanged, and the ending is a separate text."""
    rule, ending = "Odd: take a number; a player who takes 2 wins.", "Whoever makes a 0 wins."
    own = CATALOGUE["euclid"]._replace(fixed="", own=About(rule, ending=ending))
    monkeypatch.setitem(CATALOGUE, "euclid", own)
    (told,) = rules_texts(parse_position("euclid(25,7)", misere=False))
    assert told == ((rule, ending), (rule, "得到 0 者胜。"))
