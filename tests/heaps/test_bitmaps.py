"""Values by bitmaps: those that every move gives, also where a rare heap comes, or a value without a mark."""

import numpy as np
import pytest

from graphgame import heaps
from graphgame.arrays.compiling import runner
from graphgame.heaps import bitmaps, values
from graphgame.heaps.sparse import SparseSpace, choose_space
from graphgame.heaps.values import Moves, sparse_values


@pytest.fixture
def small(monkeypatch):
    """Bounds so small that some thousand heaps come to all branches."""
    for name, bound in {"_LEAST_RARE": 1, "_TRIED": 600, "HELPERS": 30}.items():
        monkeypatch.setattr(bitmaps, name, bound)


def goes_on(text, first, stop, engine):
    """Return the values that the loop finds from a heap on, with new bitmaps after each heap of rare value."""
    game = heaps.game(text)
    moves = Moves.of(game.rules.leaves, bool(game.rules.kind))
    expected = game.grundy_values(stop - 1, method="dense", engine="compiled")
    known = np.where(np.arange(stop) < first, expected, 0)
    space = SparseSpace(choose_space(expected[:first], moves.splitting).mask, 0, 0)
    odd = space.odd(2 << int(expected.max()).bit_length())
    while first < stop:
        rares = space.rares(known[:first])
        found = bitmaps.Bitmaps(moves.splitting, rares[rares > 0], known[:first], odd)
        first = runner(bitmaps.bitmap_loop, 0, engine)(known, first, stop, *moves, *found.arguments)
    return known, expected


@pytest.mark.parametrize(
    ("text", "first", "engine"),
    [
        ("0.77", 3000, "compiled"),
        ("0.6", 3000, "compiled"),
        ("0.644", 3000, "compiled"),
        ("4.7", 3000, "compiled"),
        ("0.16", 3000, "plain"),
    ],
)
def test_equals_every_move_tried(text, first, engine, small):
    found, expected = goes_on(text, first, first + 600, engine)
    assert np.array_equal(found, expected)


def test_stops_where_a_value_has_no_mark():
    """The first heap of value 64 in 0.56 is 22,778."""
    game, first = heaps.octal("0.56"), 22_778
    moves, known = Moves.of(game.rules.leaves), game.grundy_values(first - 1)
    space = choose_space(known, moves.splitting)
    rares = space.rares(known)
    for size, stopped in ((64, first), (128, first + 1)):
        found = bitmaps.Bitmaps(moves.splitting, rares[rares > 0], known, space.odd(size))
        longer = np.append(known, np.uint8(0))
        assert bitmaps.bitmap_loop(longer, first, first + 1, *moves, *found.arguments) == stopped
        assert longer[first] == (stopped - first) * 64


@pytest.mark.parametrize(("text", "stop"), [("0.77", 6000), ("0.6", 20_700), ("grundy", 34_000)])
def test_takes_over_and_gives_back(text, stop, monkeypatch):
    made = []

    class Early(bitmaps.Bitmaps):
        def __init__(self, *arguments):
            made.append(arguments)
            super().__init__(*arguments)

        @staticmethod
        def pay(start, stop, rares, splitting, size):
            return start > (30_000 if text == "grundy" else 1500)

    monkeypatch.setattr(values, "Bitmaps", Early)
    monkeypatch.setattr(values, "HEAPS_AT_ONCE", 700)
    game = heaps.game(text)
    moves = Moves.of(game.rules.leaves, bool(game.rules.kind))
    found = sparse_values(moves, np.zeros(0, np.uint8), stop, "compiled", None)
    assert made
    assert np.array_equal(found, game.grundy_values(stop - 1, method="dense", engine="compiled"))
