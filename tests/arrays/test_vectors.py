"""Instructions that compare 64 items at once: compiled, plain, and item by item."""

import numpy as np
import pytest

from graphgame.arrays.compiling import compiled, runner
from graphgame.arrays.vectors import equal_bits, gathered_bits, mirrored_bits


def _equal(items, first, mask, others):
    return equal_bits(items, first, mask, others)


def _mirrored(items, first, last, mask):
    return mirrored_bits(items, first, last, mask)


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
