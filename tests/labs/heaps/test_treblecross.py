"""Treblecross: texts of rows, and the values of their parts; the play itself is in ``test_rules_as_stated``."""

from itertools import combinations_with_replacement, product

import pytest

from graphgame import parse_position
from graphgame.labs.heaps.codes import Octal
from graphgame.labs.heaps.treblecross import Treblecross
from graphgame.play.dialogue import outcome_text
from graphgame.play.match import Match
from graphgame.rules.ruleset import Sum
from graphgame.solution.results import Decisive
from tests import brute
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value, graph_values

ROWS = [row for length in range(1, 6) for row in map("".join, product(".X", repeat=length)) if "XXX" not in row]


def test_example():
    check_example("treblecross")


def test_a_row_of_n_is_a_heap_of_n_and_2_in_the_octal_game():
    heaps = graph_values(Octal("0.007"), *range(62))
    rows = [Treblecross().closed_form(n) for n in range(60)]
    assert [rows[n] for n in range(60) if n != 2] == [heaps[n + 2] for n in range(60) if n != 2]
    assert rows[2] == 0


def test_the_values_of_parts_are_those_of_the_game_itself():
    assert check_closed_form(Treblecross(), *range(11)) > 500
    for row in ("..X......", "X...X...", ".X....X....", "X.......", ".....X....."):
        check_closed_form(Treblecross(), row)


@pytest.mark.parametrize("position", [3, 4, 5, 9, 14])
def test_the_parts_that_a_safe_cross_leaves(position):
    """Each option of a row is loony, or has the value of the parts that ``row_options`` names."""
    rules = Treblecross()
    values = {rules.closed_form(option) for option in rules.options(position)} - {Decisive.LOONY}
    sums = (option if type(option) is Sum else (option,) for option in rules.row_options(position))
    assert values == {brute_xor(map(rules.closed_form, parts)) for parts in sums}


def brute_xor(values):
    total = 0
    for value in values:
        total ^= value
    return total


def test_a_row_with_three_crosses_is_a_single_position_of_any_length():
    assert Treblecross().least_size(f"XXX{'.' * 60}") == (1, 0)


def test_short_rows_as_played():
    known = {}
    for rows in combinations_with_replacement([".", "..", "X.", "XX", "...", "X..", "....", ".X."], 3):
        wins, _ = brute.stated_result(tuple(("treblecross", row) for row in rows), known)
        assert (parse_position(f"treblecross({','.join(rows)})").outcome == "N") == wins, rows


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("9", 9),
        ("....", 4),
        ("..X.....", "..X....."),
        ("..x", "..X"),
        ("...., X....", Sum([4, "X...."])),
        ("5, X....", Sum([5, "X...."])),
        ("xX", "XX"),
        (".XXX", ".XXX"),
        ("0", 0),
    ],
)
def test_rows(text, position):
    assert Treblecross().parse(text) == position


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("treblecross(..X.....)", 1),
        ("treblecross(..X....)", 1),
        ("treblecross(.....X....)", 0),
        ("treblecross(..X)", 0),
        ("treblecross(X.)", 1),
        ("treblecross(XX)", 0),
        ("treblecross(.X.X)", Decisive.LOONY),
        ("treblecross(..XX..)", Decisive.LOONY),
        ("treblecross(..X.X.,9)", Decisive.LOONY),
        ("treblecross(.., .XXX)", Decisive.SUNNY),
    ],
)
def test_values(text, value):
    assert parse_position(text).grundy == graph_value(text) == value


@pytest.mark.parametrize(
    "text", ["treblecross(9)", "treblecross(.....X....)", "treblecross(5,6)", "treblecross(XXX.,..)"]
)
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("treblecross(..XO.)", 16, "found 'O': expected a row of dots and crosses such as ..X...."),
        ("treblecross(....,a)", 18, "expected an integer, a row's length, but found 'a'"),
        ("treblecross(-3)", 13, "a row's length is -3: expected 0..10000"),
        (f"treblecross({'.' * 10001})", 13, "a row of 10001 squares: expected at most 10000"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_a_match_whose_start_ends_play():
    assert outcome_text(Match("treblecross(XXX..)")) == "play is over: second player wins after 0 moves"
