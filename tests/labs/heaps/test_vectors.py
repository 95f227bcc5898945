"""Instructions that compare 64 items at once: compiled, plain, and item by item."""

import numpy as np
import pytest

from graphgame.compiled.compiling import compiled, runner
from graphgame.labs.heaps.vectors import (
    AT_ONCE,
    equal_bits,
    gathered_bits,
    matched_bits,
    mirrored_bits,
    mirrored_matches,
    value_places,
)


def _equal(items, first, mask, others):
    return equal_bits(items, first, mask, others)


def _mirrored(items, first, last, mask):
    return mirrored_bits(items, first, last, mask)


def _matched(items, places, masks, begin, end, base, wanted, found):
    matched_bits(items, places, masks, begin, end, base, wanted, found)


def _mirrored_any(items, begin, end, step, whole, wanted, found):
    mirrored_matches(items, begin, end, step, whole, wanted, found)


def _places(items, first, mask, found, place):
    value_places(items, first, mask, found, place)


def _gathered(bits, places, begin, end, base, found):
    gathered_bits(bits, places, begin, end, base, found)


def bits(pairs, mask):
    return sum((int(a) ^ mask == int(b)) << i for i, (a, b) in enumerate(pairs))


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_bits_of_equal_items(dtype, engine):
    equal, mirrored = (runner(compiled(loop), 0, engine) for loop in (_equal, _mirrored))
    random = np.random.default_rng(64)
    largest = int(np.iinfo(dtype).max)
    for few in (1, 2, 5):
        some = random.integers(0, largest, few, dtype=dtype, endpoint=True)
        items, others = random.choice(some, 200), random.choice(some, 64)
        for mask in (0, 1, int(some[0] ^ some[-1]), largest):
            for first in (0, 1, 70, 136):
                pairs = zip(items[first : first + 64], others, strict=True)
                assert int(equal(items, first, mask, others)) == bits(pairs, mask)
                for last in (63, 100, 199):
                    pairs = [(items[first + i], items[last - i]) for i in range(64)]
                    assert int(mirrored(items, first, last, mask)) == bits(pairs, mask)


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


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_four_sets_at_once(dtype, engine):
    matched, mirrored = (runner(compiled(loop), 0, engine) for loop in (_matched, _mirrored_any))
    random = np.random.default_rng(4)
    some = random.integers(0, int(np.iinfo(dtype).max), 40, dtype=dtype, endpoint=True)
    items, masks, places = random.choice(some, 400), random.choice(some, 9), random.integers(0, 90, 9).astype(np.int32)
    wanted, found = random.choice(some, 64 * AT_ONCE) ^ some[0], np.zeros(AT_ONCE, np.uint64)
    masks[::2] = some[0]
    for begin, end in ((0, 9), (2, 3), (4, 4), (1, 6)):
        matched(items, places, masks, begin, end, 100, wanted, found)
        seen = [{int(items[100 - places[j] + i] ^ masks[j]) for j in range(begin, end)} for i in range(64)] * AT_ONCE
        told = [int(found[i // 64]) >> i % 64 & 1 for i in range(64 * AT_ONCE)]
        assert told == [int(wanted[i]) in seen[i] for i in range(64 * AT_ONCE)]
    for begin, end, step, whole in ((1, 137, 64, 300), (5, 100, 90, 204), (7, 7, 64, 200), (3, 4, 8, 399)):
        parts = [a + i for a in range(begin, end, step) for i in range(64)]
        values = {int(items[a] ^ items[whole - a]) for a in parts}
        for shift in range(9):
            mirrored(items, begin, end, step, whole, wanted[shift:], found)
            assert [bool(word) for word in found] == [int(value) in values for value in wanted[shift : shift + AT_ONCE]]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_places_of_values(dtype, engine):
    random = np.random.default_rng(6)
    items, found = (
        random.integers(0, min(int(np.iinfo(dtype).max), 1 << 25), 150, dtype=dtype),
        np.zeros(200, np.uint32),
    )
    for first, mask, place in ((0, 0, 0), (7, 3, 64), (86, 200, 136)):
        runner(compiled(_places), 0, engine)(items, first, mask, found, place)
        assert found[place : place + 64].tolist() == [64 * (int(items[first + i]) ^ mask) + i for i in range(64)]
