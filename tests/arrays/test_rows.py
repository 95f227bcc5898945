"""Compressed sparse rows: what stands in them and whose it is."""

import numpy as np
import pytest

from graphgame.arrays.rows import Rows

ROWS = [[3, 1], [], [0, 0, 2], [5], []]


def rows(lists):
    return Rows(np.cumsum([0, *map(len, lists)]), np.array([entry for row in lists for entry in row], np.int32))


@pytest.mark.parametrize("lists", [ROWS, [], [[]], [[], [7]]])
def test_owners(lists):
    assert rows(lists).owners().tolist() == [vertex for vertex, row in enumerate(lists) for _ in row]


@pytest.mark.parametrize("chosen", [[0, 1, 2, 3, 4], [4, 2, 0], [2, 2], [1], []])
def test_gather(chosen):
    places, entries = rows(ROWS).gather(np.array(chosen, np.int32))
    expected = [(place, entry) for place, vertex in enumerate(chosen) for entry in ROWS[vertex]]
    assert list(zip(places.tolist(), entries.tolist(), strict=True)) == expected
