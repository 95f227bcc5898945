"""Numbers that several threads read and write."""

import numpy as np
import pytest

from graphgame.compiled.compiling import compiled, runner
from graphgame.compiled.engine import in_threads
from graphgame.labs.search.shared_table import read_again, read_shared, swap_shared, write_shared


@compiled
def _count(numbers, times):
    """Add one to the first number ``times`` times; return how often another thread changed it in between."""
    missed = 0
    while times > 0:
        before = read_shared(numbers, 0)
        if swap_shared(numbers, 0, before, before + 1):
            times -= 1
        else:
            missed += 1
    return missed


@compiled
def _pairs(numbers, times, writes):
    """Write pairs of equal numbers, or read them; return how many were unequal though nobody wrote meanwhile."""
    wrong = 0
    for number in range(times):
        version = read_shared(numbers, 0)
        if writes:
            if version & 1 == 0 and swap_shared(numbers, 0, version, version + 1):
                numbers[1] = number
                numbers[2] = number
                write_shared(numbers, 0, version + 2)
        else:
            first, second = numbers[1], numbers[2]
            if first != second and version & 1 == 0 and read_again(numbers, 0) == version:
                wrong += 1
    return wrong


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_one_thread(engine):
    numbers = np.array([5, 7], np.int64)
    assert runner(_count, 0, engine)(numbers, 10) == 0
    assert numbers.tolist() == [15, 7]
    assert runner(_pairs, 0, engine)(zeros := np.zeros(3, np.int64), 4, True) == 0
    assert zeros.tolist() == [8, 3, 3]


def test_none_is_lost():
    numbers = np.zeros(1, np.int64)
    in_threads(lambda times: _count(numbers, times), [200_000] * 3)
    assert numbers[0] == 600_000


def test_what_is_read_belongs_together():
    numbers = np.zeros(3, np.int64)
    assert in_threads(lambda writes: _pairs(numbers, 1_000_000, writes), [True, False, True, False])[1::2] == [0, 0]
