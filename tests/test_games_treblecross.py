"""Treblecross."""

from functools import cache

import pytest

from graphgame.games.octal import Octal
from graphgame.games.treblecross import Treblecross
from graphgame.notation import parse_position
from graphgame.ruleset import Sum
from tests.notations import check_example, check_round_trip, fault, graph_value, graph_values


@cache
def mover_makes_three(row):
    """Play the game itself: whether the player to move makes three in a row first."""
    for square, mark in enumerate(row):
        if mark == ".":
            after = row[:square] + "X" + row[square + 1 :]
            if "XXX" in after or not mover_makes_three(after):
                return True
    return False


def test_example():
    check_example("treblecross")


def test_a_row_of_n_is_a_heap_of_n_and_2_in_the_octal_game():
    rows, heaps = graph_values(Treblecross(), *range(60)), graph_values(Octal("0.007"), *range(62))
    assert [rows[n] for n in range(60)] == [heaps[n + 2] for n in range(60)]


@pytest.mark.parametrize(
    "row", ["." * n for n in range(3, 13)] + ["..X......", "X.......", "X...X...", ".X....X....", "..X"]
)
def test_the_game_as_played(row):
    assert (parse_position(f"treblecross({row})").grundy() != 0) == mover_makes_three(row)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("9", 9),
        ("....", 4),
        ("..X....", 2),
        (".....X....", Sum([3, 2])),
        ("..x", Sum([])),
        ("...., X....", Sum([4, 2])),
    ],
)
def test_rows(text, position):
    assert Treblecross().parse(text) == position


def test_a_full_row_has_no_move():
    assert graph_value("treblecross(X..)") == 0


@pytest.mark.parametrize("text", ["treblecross(9)", "treblecross(.....X....)", "treblecross(5,6)"])
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("treblecross(..XX..)", 15, "two crosses so near let the player to move win at once"),
        ("treblecross(..X.X.)", 15, "two crosses so near let the player to move win at once"),
        ("treblecross(..XO.)", 16, "found 'O': expected a row of dots and crosses such as ..X...."),
        ("treblecross(....,3)", 18, "found '3': expected a row of dots and crosses such as ..X...."),
        ("treblecross(-3)", 13, "a heap's size is -3: expected 0 or more"),
        (f"treblecross({'.' * 10001})", 13, "a row of 10001 squares: expected at most 10000"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
