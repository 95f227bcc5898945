"""The periods with which a sequence repeats at its end, against the definition."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphgame.labs.heaps.periods import repetitions


def defined(items, least):
    for period in range(1, len(items) - least + 1):
        start = len(items) - period
        while start and items[start - 1] == items[start - 1 + period]:
            start -= 1
        if len(items) - period - start >= least:
            yield start, period


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.int64])
@settings(max_examples=100)
@given(
    st.lists(st.sampled_from([0, 1, 2, 255]), min_size=1, max_size=7),
    st.integers(1, 40),
    st.dictionaries(st.integers(0, 39), st.sampled_from([0, 1, 255]), max_size=3),
    st.integers(-1, 30),
    st.booleans(),
)
@example([1, 0, 255, 254], 4, {}, 1, True)  # in 8 bits the differences -1 and 255 would be the same
def test_as_defined(kind, cycle, length, changes, least, differences):
    values = [changes.get(i, cycle[i % len(cycle)]) for i in range(length)]
    items = [b - a for a, b in pairwise(values)] if differences else values
    expected = list(defined(items, least)) if least >= 0 else []
    assert list(repetitions(np.array(values, kind), least, differences=differences)) == expected
