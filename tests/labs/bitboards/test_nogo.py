"""Impartial NoGo."""

from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphgame import MaskGame, Search
from graphgame.games import ruleset
from graphgame.rules.notation import parse_position
from tests.brute import least_missing
from tests.notations import check_example, check_round_trip, fault, graph_value

ROWS = [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 1, 0, 3, 1, 0, 2, 2, 3, 1, 3, 3, 1, 0]
"""Of 1, 2, ..., 24 squares, as MCGS found them in 2025."""


def test_example():
    check_example("nogo")


def allowed(squares):
    """Tell by the rules alone whether each block has a liberty."""
    left = dict(squares)
    while left:
        (a, b), colour = left.popitem()
        if colour not in "xo":
            continue
        block, around = [(a, b)], set()
        for x, y in block:
            for place in ((x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)):
                around.add(dict(squares).get(place))
                if left.get(place) == colour:
                    del left[place]
                    block.append(place)
        if "." not in around:
            return False
    return True


@cache
def as_played(squares):
    """Return the value of a whole board, by the rules alone."""
    moves = (
        (squares - {(place, mark)}) | {(place, colour)} for place, mark in squares if mark == "." for colour in "xo"
    )
    return least_missing([as_played(left) for left in moves if allowed(left)])


def squares_of(text):
    rows = enumerate(text.split("/"))
    return frozenset(((x, y), mark) for x, row in rows for y, mark in enumerate(row) if mark != "#")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("...xo#", min_size=3, max_size=3), min_size=1, max_size=3))
def test_against_the_rules(rows):
    text = "/".join(rows)
    assume(allowed(squares_of(text)))
    assert Search(f"nogo({text})").grundy == graph_value(f"nogo({text})") == as_played(squares_of(text))
    check_round_trip(f"nogo({text})")


@settings(max_examples=60, deadline=None)
@given(st.text("..xo#", min_size=1, max_size=9))
def test_rows_against_the_rules(row):
    assume(allowed(squares_of(row)))
    column = "/".join(row)
    assert Search(f"nogo({row})").grundy == graph_value(f"nogo({column})") == as_played(squares_of(row))


def test_published_values():
    assert [Search(f"nogo(1x{n})").grundy for n in range(1, 19)] == ROWS[:18]
    boards = ["2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x3", "3x4", "3x5"]
    assert [Search(f"nogo({sides})").grundy for sides in boards] == [1, 1, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("2x3", "nogo(.../...)"),
        ("..xo..", "nogo(..x) + nogo(o..)"),
        ("x./.o", "nogo(x./.o)"),
        (".#.", "nogo(#)"),
        (".x/x#", "nogo(#)"),
    ],
)
def test_regions(text, regions):
    assert str(parse_position(f"nogo({text})")) == regions


def test_canonical_form_of_a_row():
    assert ruleset("nogo").canonical("x/x/./o/./.") == ruleset("nogo").canonical("..x.oo")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("nogo(xo+)", 8, "unknown cell '+': expected one of x o . #"),
        ("nogo(12x12)", 6, "a board of 144 squares: expected at most 128"),
        ("nogo(xo./oxo)", 6, "a block of stones without a liberty: expected a free square beside each block"),
    ],
)
def test_faults(text, column, message):
    assert fault(text) == (column, message)


def test_a_game_with_liberties_has_sites():
    with pytest.raises(ValueError, match="two cells 2s and 2s"):
        MaskGame(4, [(6, 2)], liberties=True)
    with pytest.raises(ValueError, match="clear one of them"):
        MaskGame(2, [(3, 3)], liberties=True)
