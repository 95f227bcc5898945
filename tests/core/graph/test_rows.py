"""Compressed sparse rows: what stands in them and whose it is."""

import numpy as np
import pytest

from graphgame.graph.rows import Rows, put_in_order

ROWS = [[3, 1], [], [0, 0, 2], [5], []]


def rows(lists):
    return Rows(np.cumsum([0, *map(len, lists)]), np.array([entry for row in lists for entry in row], np.int32))


@pytest.mark.parametrize("lists", [ROWS, [], [[]], [[], [7]]])
def test_row_indices(lists):
    assert rows(lists).row_indices().tolist() == [vertex for vertex, row in enumerate(lists) for _ in row]


@pytest.mark.parametrize("chosen", [[0, 1, 2, 3, 4], [4, 2, 0], [2, 2], [1], []])
def test_gather(chosen):
    places, entries = rows(ROWS).gather(np.array(chosen, np.int32))
    expected = [(place, entry) for place, vertex in enumerate(chosen) for entry in ROWS[vertex]]
    assert list(zip(places.tolist(), entries.tolist(), strict=True)) == expected


@pytest.mark.parametrize("lengths", [[100_000, 0, 3, 70_000, 70_000], [7] * 30_000, [65_536, 65_536]])
def test_rows_put_in_order_few_at_a_time(lengths):
    entries = np.random.default_rng(1).integers(0, 5000, sum(lengths)).astype(np.int32)
    lists = [row.tolist() for row in np.split(entries, np.cumsum(lengths)[:-1])]
    sums = np.arange(len(lengths)) % 5 == 3
    expected = [sorted(row if is_sum else set(row)) for row, is_sum in zip(lists, sums, strict=True)]
    found = put_in_order(rows(lists), sums)
    assert [found.row(vertex).tolist() for vertex in range(len(lists))] == expected
