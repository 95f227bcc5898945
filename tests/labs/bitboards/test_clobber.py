"""Impartial Clobber."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Search
from graphgame.labs.bitboards.board_games import Clobber, NoGo
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import parts_of
from tests.brute import least_missing
from tests.notations import check_example, check_round_trip, fault, graph_value


def test_example():
    check_example("clobber")


@cache
def as_played(stones):
    """Return the value of a whole board, by the rules alone."""
    left = dict(stones)
    moves = [
        (start, (start[0] + a, start[1] + b), colour)
        for start, colour in stones
        for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))
    ]
    return least_missing(
        [
            as_played(frozenset((left | {end: colour}).items() - {(start, colour)}))
            for start, end, colour in moves
            if left.get(end, colour) != colour
        ]
    )


def value_as_played(text):
    cells = [((x, y), cell) for x, row in enumerate(text.split("/")) for y, cell in enumerate(row)]
    return as_played(frozenset((square, cell) for square, cell in cells if cell != "."))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("..xxoo", min_size=3, max_size=3), min_size=1, max_size=3))
def test_against_the_rules(rows):
    text = "/".join(rows)
    assert Search(f"clobber({text})").grundy == graph_value(f"clobber({text})") == value_as_played(text)
    check_round_trip(f"clobber({text})")


def test_rows():
    """Stones whose colours alternate: as in the search of the document, and by the rules."""
    assert [Search(f"clobber(1x{n})").grundy for n in range(1, 13)] == [
        value_as_played(("xo" * n)[:n]) for n in range(1, 13)
    ]
    assert [Search(f"clobber({size})").grundy for size in ("3x4", "2x7")] == [0, graph_value("clobber(2x7)")]


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("3x2", "clobber(xo/ox/xo)"),
        ("xo.ox", "clobber(xo) + clobber(ox)"),
        ("x./.o", "clobber(.)"),
        ("xo/../oo", "clobber(xo)"),
    ],
)
def test_regions(text, regions):
    assert str(parse_position(f"clobber({text})")) == regions


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("clobber(xo+)", 11, "unknown cell '+': expected one of x o ."),
        ("clobber(12x12)", 9, "a board of 144 squares: expected at most 128"),
    ],
)
def test_faults(text, column, message):
    assert fault(text) == (column, message)


@pytest.mark.parametrize("text", [".oxx/oooo/o.x.", "oxxo/x..o/o.ox", "xo"])
def test_parts_stay_on_the_board(text):
    """Also if a stone that cannot move any more, or another part, lies inside the rectangle of a part."""
    rules = Clobber()
    for way in rules.ways(text):
        boards = [rules.picture(part).cells for part in parts_of(way.option)]
        assert [len(origin) for origin in way.origins] == list(map(len, boards))
        stones = [(i, cell) for origin, cells in zip(way.origins, boards, strict=True)
                  for i, cell in zip(origin, cells, strict=True) if cell.kind != "square"]  # fmt: skip
        assert all(way.after[i] == cell for i, cell in stones)
        assert len({i for i, _ in stones}) == len(stones)


@pytest.mark.parametrize("text", ["xo", "ox.o/xo..", ".oox/x.oo", "o.x/oxo/xox/oxo", "nogo(x.o/.o.)", "nogo(xx.o..)"])
def test_the_map_from_the_canonical_board(text):
    rules = NoGo() if text.startswith("nogo") else Clobber()
    text = text.removeprefix("nogo(").removesuffix(")")
    canonical, board = (rules.picture(position).cells for position in (rules.canonical(text), text))
    found = rules.symmetry_map(text)
    if found is None:
        assert len(canonical) < len(board)
    else:
        names = dict(found.names)
        assert [names.get(cell, cell) for cell in canonical] == [board[index] for index in found.cells]
        assert sorted(found.cells) == list(range(len(board)))
