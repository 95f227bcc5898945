"""Instructions that xor 64 items with 64 that run backwards: compiled, for any processor, plain, and item by item."""

import numpy as np
import pytest

from graphgame.compiled.compiling import compiled, runner
from graphgame.labs.heaps import vectors
from graphgame.labs.heaps.vectors import append_listed, mirrored_xor


def _xor(items, first, last, found, place):
    mirrored_xor(items, first, last, found, place)


def _append(items, first, stop, step, whole, table, found):
    return append_listed(items, first, stop, step, whole, table, found)


def _append_anywhere(items, first, stop, step, whole, table, found):
    return append_listed(items, first, stop, step, whole, table, found)


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


@pytest.mark.parametrize("loop", [_append, _append_anywhere])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_items_of_a_table_are_appended(dtype, engine, loop, monkeypatch):
    if loop is _append_anywhere:
        monkeypatch.setattr(vectors, "picks_at_once", lambda: False)
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
