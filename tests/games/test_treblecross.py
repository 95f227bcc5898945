"""Treblecross."""

from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from graphgame import ParseError
from graphgame.games.notation import parse_position
from graphgame.games.treblecross import Treblecross
from graphgame.heaps.codes import Octal
from graphgame.rules.ruleset import Sum
from tests.notations import check_example, check_round_trip, fault, graph_value, graph_values


@cache
def mover_wins(rows):
    """Play the game itself, in any rows: whether the player to move makes three in a row, or writes the last cross."""
    for number, row in enumerate(rows):
        for square, mark in enumerate(row):
            if mark == ".":
                after = row[:square] + "X" + row[square + 1 :]
                if "XXX" in after or not mover_wins(tuple(sorted((*rows[:number], after, *rows[number + 1 :])))):
                    return True
    return False


def found(rows):
    """Return whether the player to move wins, also where the text is refused because that is so at once."""
    try:
        return parse_position(f"treblecross({','.join(rows)})").grundy != 0
    except ParseError as error:
        assert error.message == "two crosses so near let the player to move win at once"  # noqa: PT017
        return True


ROWS = [row for length in range(1, 6) for row in map("".join, product(".X", repeat=length)) if "XXX" not in row]


def test_example():
    check_example("treblecross")


def test_a_row_of_n_is_a_heap_of_n_and_2_in_the_octal_game():
    rows, heaps = graph_values(Treblecross(), *range(60)), graph_values(Octal("0.007"), *range(62))
    assert [rows[n] for n in range(60) if n != 2] == [heaps[n + 2] for n in range(60) if n != 2]
    assert rows[2] == 0


@pytest.mark.parametrize(
    "row", ["." * n for n in range(3, 13)] + ["..X......", "X.......", "X...X...", ".X....X....", "..X"]
)
def test_the_game_as_played(row):
    assert found([row]) == mover_wins((row,))


@pytest.mark.parametrize("times", [1, 2])
def test_short_rows_and_sums_as_played(times):
    for rows in combinations_with_replacement(ROWS, times):
        assert found(rows) == mover_wins(tuple(sorted(rows))), rows


def test_three_short_rows_as_played():
    for rows in combinations_with_replacement([".", "..", "X.", "XX", "...", "X..", "....", ".X."], 3):
        assert found(rows) == mover_wins(tuple(sorted(rows))), rows


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("9", 9),
        ("....", 4),
        ("..X.....", 3),
        ("..X....", 1),
        (".....X....", Sum([3, 1])),
        ("..x", Sum([])),
        ("...., X....", Sum([4, 1])),
        ("5, X....", Sum([5, 1])),
        ("..", 2),
        ("X.", 1),
        ("xX", 0),
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
        ("treblecross(.., .XXX)", 18, "three crosses in a row: the game is over"),
        ("treblecross(....,a)", 18, "expected an integer, a row's length, but found 'a'"),
        ("treblecross(-3)", 13, "a row's length is -3: expected 0..10000"),
        (f"treblecross({'.' * 10001})", 13, "a row of 10001 squares: expected at most 10000"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
