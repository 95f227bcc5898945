"""Impartial Amazons."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.games import ruleset
from graphgame.rules.notation import parse_position
from tests.brute import least_missing
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value

AMAZONS = ruleset("amazons")
DIRECTIONS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def test_example():
    check_example("amazons")


def ways(square, free):
    """Yield the squares that a chess queen reaches."""
    for a, b in DIRECTIONS:
        x, y = square[0] + a, square[1] + b
        while (x, y) in free:
            yield x, y
            x, y = x + a, y + b


@cache
def as_played(free, queens):
    """Return the value of a whole board, by the rules alone."""
    values = []
    for queen in queens:
        for end in ways(queen, free):
            left = free - {end} | {queen}
            values += [as_played(left - {arrow}, queens - {queen} | {end}) for arrow in ways(end, left)]
    return least_missing(values)


def value_as_played(text):
    cells = [((x, y), cell) for x, row in enumerate(text.split("/")) for y, cell in enumerate(row)]
    return as_played(*(frozenset(square for square, cell in cells if cell == kind) for kind in ".Q"))


@pytest.mark.parametrize(
    "text", ["Q../...", "Q./../.Q", "Q.#/.#./#.Q", "Q...#", "QQ/..", "Q##/..#/#.Q", "..Q.#.Q", "QQQ"]
)
def test_boards(text):
    assert graph_value(f"amazons({text})") == value_as_played(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("...#Q", min_size=3, max_size=3), min_size=1, max_size=2))
def test_against_the_rules(rows):
    text = "/".join(rows)
    assert graph_value(f"amazons({text})") == value_as_played(text)
    check_round_trip(f"amazons({text})")


def test_a_lone_amazon_in_a_row_is_a_heap_of_nim():
    for before in range(5):
        for after in range(5):
            row = "." * before + "Q" + "." * after
            assert graph_value(f"amazons({row})") == parse_position(f"amazons({row})").grundy == before + after
    assert check_closed_form(AMAZONS, "..Q....") > 8
    assert AMAZONS.reason("Q..") is not None
    assert AMAZONS.reason("#") is None  # it has no amazon


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("Q.#/##./Q..", "amazons(Q.#/##./Q..)"),
        ("Q.##Q.", "amazons(Q.) + amazons(Q.)"),
        ("Q#../####/...q", "amazons(...Q)"),
        ("Q#/##", "amazons(#)"),
        ("..#Q", "amazons(#)"),
        ("#.#/Q#./###", "amazons(#.#/Q#.)"),
    ],
)
def test_regions(text, regions):
    assert str(parse_position(f"amazons({text})")) == regions


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("amazons(Q.x)", 11, "unknown cell 'x': expected one of . # Q q"),
        ("amazons(Q../..)", 13, "a row has 2 cells, but the first row has 3: expected rows of one length"),
        (f"amazons({'.' * 101})", 9, "a board of 101 squares: expected at most 100"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)
