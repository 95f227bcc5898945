"""Where a sequence has stood before, against the definition."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.labs.heaps.periods import repetition


def defined(items, least, after):
    for period in range(after + 1, len(items) - least + 1):
        start = len(items) - period
        while start and items[start - 1] == items[start - 1 + period]:
            start -= 1
        if len(items) - period - start >= least:
            return start, period
    return None


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@settings(max_examples=150)
@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=7),
    st.integers(1, 40),
    st.dictionaries(st.integers(0, 39), st.integers(0, 2), max_size=3),
    st.integers(0, 30),
    st.integers(0, 5),
    st.booleans(),
)
def test_as_defined(engine, cycle, length, changes, least, after, differences):
    values = [changes.get(i, cycle[i % len(cycle)]) for i in range(length)]
    items = [b - a for a, b in pairwise(values)] if differences else values
    found = repetition(np.array(values, np.uint8), least, after=after, differences=differences, engine=engine)
    assert found == defined(items, least, after)
