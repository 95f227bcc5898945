"""Parts of loops that take 64 items at once: compiled, for any processor, plain, and item by item."""

import numpy as np
import pytest

from graphgame.compiled.compiling import compiled, runner
from graphgame.labs.heaps import loops
from graphgame.labs.heaps.bitmaps import gathered_bits
from graphgame.labs.heaps.loops import _some_pair_leaves, list_in_table, unmarked_bits, xor_backwards


def _xor(items, first, last, found, place):
    xor_backwards(items, first, last, found, place)


def _listed(items, begin, end, step, whole, table, found):
    return list_in_table(items, begin, end, step, whole, table, found)


def _listed_anywhere(items, begin, end, step, whole, table, found):
    return list_in_table(items, begin, end, step, whole, table, found)


def _unmarked(marks, first):
    return unmarked_bits(marks, first)


def _some_split(items, wanted, part, whole):
    return _some_pair_leaves(items, part, whole - part, wanted)


def _gathered(bits, places, begin, end, base, found):
    gathered_bits(bits, places, begin, end, base, found)


PLACES = [(0, 63), (3, 199), (136, 100), (70, 133)]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize(("dtype", "wide"), [(np.uint8, np.uint16), (np.uint16, np.uint16), (np.uint32, np.uint32)])
def test_xor_backwards(dtype, wide, engine):
    items = np.random.default_rng(1).integers(0, np.iinfo(dtype).max, 200, dtype=dtype, endpoint=True)
    for first, last in PLACES:
        found = np.full(100, 7, wide)
        runner(compiled(_xor), 0, engine)(items, first, last, found, 20)
        pairs = [int(items[first + i] ^ items[last - i]) for i in range(64)]
        assert found.tolist() == [7] * 20 + pairs + [7] * 16


@pytest.mark.parametrize("loop", [_listed, _listed_anywhere])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_splits_in_a_table_are_listed(dtype, engine, loop, monkeypatch):
    if loop is _listed_anywhere:
        monkeypatch.setattr(loops, "picks_at_once", lambda: False)
    random = np.random.default_rng(2)
    items = random.integers(0, np.iinfo(dtype).max, 200, dtype=dtype, endpoint=True)
    for share in (0, 0.05, 0.5, 1):
        listed = random.random(1024) < share
        table = np.packbits(listed, bitorder="little").view(np.uint64)
        for first, stop, step, times in (
            (1, 64, 64, 0),
            (1, 65, 64, 1),
            (3, 140, 64, 2),
            (1, 199, 64, 3),
            (2, 190, 100, 2),
        ):
            found = np.full(300, 7, np.uint16)
            count = runner(compiled(loop), 0, engine)(items, first, stop, step, 199, table, found)
            left = [
                int(items[a] ^ items[199 - a])
                for at in range(times)
                for a in range(first + step * at, first + step * at + 64)
            ]
            assert found[:count].tolist() == [value for value in left if listed[value % 1024]]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_bits_of_marks(engine):
    marks = np.random.default_rng(64).integers(0, 2, 200, np.uint8)
    for first in (0, 1, 70, 136):
        word = sum(1 << i for i in range(64) if not marks[first + i])
        assert int(runner(compiled(_unmarked), 0, engine)(marks, first)) == word


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_one_of_64_splits(dtype, engine):
    random = np.random.default_rng(5)
    items = random.integers(0, int(np.iinfo(dtype).max), 200, dtype=dtype, endpoint=True)
    loop = runner(compiled(_some_split), 0, engine)
    for part, whole in ((0, 63), (1, 200), (70, 203)):
        left = {int(items[part + i] ^ items[whole - part - i]) for i in range(64)}
        for value in (*range(0, 100), *sorted(left)[:20]):
            assert loop(items, value, part, whole) == (value in left)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_union_of_bytes(engine):
    random = np.random.default_rng(8)
    memory = random.integers(0, 256, 800, np.uint8) & random.integers(0, 256, 800, np.uint8)
    places = random.integers(-20, 700, 20).astype(np.int32)
    for begin, end in ((3, 3), (3, 4), (0, 20)):
        found = np.ones(8, np.uint64)
        runner(compiled(_gathered), 0, engine)(memory, places, begin, end, 20, found)
        rows = [memory[place + 20 :][:64] for place in places[begin:end]]
        assert found.tobytes() == np.bitwise_or.reduce([np.zeros(64, np.uint8), *rows]).tobytes()
