"""Instructions that compare 64 items at once: compiled, plain, and item by item."""

import numpy as np
import pytest

from graphgame.arrays.compiling import compiled, runner
from graphgame.arrays.vectors import equal_bits, mirrored_bits


def _equal(items, first, mask, others):
    return equal_bits(items, first, mask, others)


def _mirrored(items, first, last, mask):
    return mirrored_bits(items, first, last, mask)


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
