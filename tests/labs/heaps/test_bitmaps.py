"""Values by bitmaps: those that every move gives, also where a rare heap comes, or a value without a mark."""

import numpy as np
import pytest

from graphgame.compiled.compiling import runner
from graphgame.labs import heaps
from graphgame.labs.heaps import bitmaps, values
from graphgame.labs.heaps.loops import Moves
from graphgame.labs.heaps.sparse import SparseSpace, choose_space
from graphgame.labs.heaps.storage import PackedValues
from graphgame.labs.heaps.values import sparse_values


@pytest.fixture
def small(monkeypatch):
    """Bounds so small that some thousand heaps come to all branches."""
    for name, bound in {"_LEAST_RARE": 1, "_TRIED": 600, "HELPERS": 30}.items():
        monkeypatch.setattr(bitmaps, name, bound)


def goes_on(text, first, stop, engine):
    """Return the values that the loop finds from a heap on, up to the first rare value, and those by every move."""
    game = heaps.game(text)
    moves = Moves.of(game.rules.leaves, bool(game.rules.kind))
    expected = game.grundy_values(stop - 1, method="dense", engine="compiled")
    space = SparseSpace(choose_space(expected[:first], moves.splitting).mask, 0, 0)
    packed = PackedValues.of(expected[:first], space.mask, int(space.rares(expected[:first])[-1]) + 1)
    found = bitmaps.bitmaps_of(moves.splitting, packed)
    packed.resize(stop)
    end = runner(bitmaps.bitmap_loop, 0, engine)(packed.codes, first, stop, moves, found)
    assert end == stop or space.odd(512)[expected[end]] == 0
    return packed[:end], expected[:end]


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


def test_stops_where_a_value_has_no_mark(monkeypatch):
    """The first heap of value 64 in 0.56 is 22,778."""
    monkeypatch.setattr(bitmaps, "PACKED_SIZE", 64)
    game, first = heaps.octal("0.56"), 22_778
    moves, values = Moves.of(game.rules.leaves), game.grundy_values(first)
    space = choose_space(values, moves.splitting)
    packed = PackedValues.of(values[: first - 9], space.mask, int(space.rares(values[:first])[-1]) + 1)
    found = bitmaps.bitmaps_of(moves.splitting, packed)
    packed.resize(first + 1)
    assert bitmaps.bitmap_loop(packed.codes, first - 9, first + 1, moves, found) == first
    assert np.array_equal(packed[:first], values[:first])
    assert values[first] == 64


@pytest.mark.parametrize(("text", "stop"), [("0.77", 6000), ("0.644", 6000), ("4.6", 6000), ("0.6", 67_000)])
def test_takes_over(text, stop, small, monkeypatch):
    made = []

    def made_early(*arguments):
        made.append(arguments)
        return bitmaps.bitmaps_of(*arguments)

    monkeypatch.setattr(values, "bitmaps_of", made_early)
    for module in (bitmaps, values):
        monkeypatch.setattr(module, "HEAPS_AT_ONCE", 700)
    game = heaps.game(text)
    moves = Moves.of(game.rules.leaves, bool(game.rules.kind))
    found = sparse_values(moves, np.zeros(0, np.uint8), stop, values.Run("compiled"))
    assert made
    assert np.array_equal(found, game.grundy_values(stop - 1, method="dense", engine="compiled"))
    assert isinstance(found, PackedValues if found.max() > 255 else np.ndarray)


MASK = 494


def go_on_packed(seed, heaps_known, stop, engine, monkeypatch, step=1, size=512):
    """Return what follows on values, of which few are rare, that are no game's; and the times that they were packed."""
    for name, bound in {"_LEAST_RARE": 1, "_TRIED": 100, "HELPERS": 30, "HEAPS_AT_ONCE": 700}.items():
        monkeypatch.setattr(bitmaps, name, bound)
    monkeypatch.setattr(values, "HEAPS_AT_ONCE", 700)
    packed = []
    pack = PackedValues.of
    monkeypatch.setattr(PackedValues, "of", lambda *arguments: packed.append(len(arguments[0])) or pack(*arguments))
    random = np.random.default_rng(seed)
    odd = SparseSpace(MASK, 0, 0).odd(size)
    known = random.choice(np.flatnonzero(odd[::step]) * step, heaps_known).astype(np.min_scalar_type(size - 1))
    known[:300:40] = random.choice(np.flatnonzero(odd[::step] == 0) * step, len(known[:300:40]))
    moves = Moves.of({1: 6, 4: 4})
    found = sparse_values(moves, known, stop, values.Run(engine))
    return found, values.dense_values(moves, known, stop, values.Run("compiled")), packed


@pytest.mark.parametrize("seed", range(6))
def test_packed_values(seed, monkeypatch):
    found, expected, packed = go_on_packed(seed, 4000, 6000, "compiled", monkeypatch)
    assert np.array_equal(found, expected)
    assert packed[0] == 4000


def test_rare_values_end_the_packing(monkeypatch):
    """No two even values leave 1, which is rare: all are whole again, till there are twice as many."""
    found, expected, packed = go_on_packed(1, 1600, 3000, "compiled", monkeypatch, step=2)
    assert np.array_equal(found, expected)
    assert packed == [1600]
    assert isinstance(found, np.ndarray)
    assert not SparseSpace(MASK, 0, 0).odd(512)[expected[1600:]].all()


def test_small_values_take_a_byte_after_packing(monkeypatch):
    """A rare value ends the packing of values below 256; unpacked, they take no more memory than before."""
    found, expected, packed = go_on_packed(1, 1600, 3000, "compiled", monkeypatch, step=2, size=256)
    assert np.array_equal(found, expected)
    assert packed == [1600]
    assert found.max() < 256
    assert found.dtype == np.uint8


def test_packed_in_plain_python(monkeypatch):
    found, expected, _ = go_on_packed(0, 4000, 4020, "plain", monkeypatch)
    assert np.array_equal(found, expected)
