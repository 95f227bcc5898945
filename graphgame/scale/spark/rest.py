"""What one task solves: a small graph of which some options are values already, by the package's own pass.

It is given rows of two integers, for a column more of each row is what costs. A target below -2**62 is no position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from graphgame.errors import CycleError
from graphgame.graph import GameGraph
from graphgame.sprague_grundy import grundy_values

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["IS_SUM", "IS_THERE", "SOLVED", "VALUE", "solve_in_one_task", "solve_rows"]

IS_THERE = 1 - 2**63
"""The target of a row that says no more than that its source is a position."""

IS_SUM = IS_THERE + 1
"""The target of a row that says that its source is a sum."""

VALUE = IS_THERE + 2
"""The target of a row that leads to an option of value k is ``VALUE + k``."""

SOLVED = "v bigint, g int"

_FIRST_POSITION = -(2**62)
_SPREAD = 8


def solve_in_one_task(rows: DataFrame) -> DataFrame:
    """Solve a graph that one task can hold, given rows (v bigint, t bigint), as (v bigint, g int).

    They are moves from v to t, where t is a position, a value or a mark; those of a sum lead to its parts. Where there
    is a cycle its vertices alone are given, with the values -1, -2, ... in the order of play.
    """
    return rows.repartition(1).mapInArrow(solve_rows, SOLVED)


def solve_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Solve the rows of one partition; see :func:`solve_in_one_task`."""
    import pyarrow as pa

    source, target = _columns(batches)
    if len(source):
        found, values = _solve(source, target)
        yield pa.record_batch([found, values.astype(np.int32)], names=["v", "g"])


def _columns(batches: Iterable[pa.RecordBatch]) -> list[np.ndarray]:
    import pyarrow as pa

    held = [batch for batch in batches if len(batch)]
    if not held:
        return [np.empty(0, np.int64)] * 2
    return [column.to_numpy() for column in pa.Table.from_batches(held).columns]


def _solve(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    names, start, end = _numbered(source, target)
    count, heaps = len(names), int(target[target < _FIRST_POSITION].max(initial=VALUE - 1) - VALUE + 1)
    larger, smaller = np.tril_indices(heaps, -1)
    sums = np.zeros(count + heaps, np.bool_)
    sums[start[target == IS_SUM]] = True
    moves = target >= VALUE
    start = np.concatenate([start[moves], count + larger], dtype=np.int32)
    end = np.concatenate([end[moves], count + smaller], dtype=np.int32)
    graph = GameGraph.from_arrays(start, end, count + heaps, sums=sums, overwrite=True)
    try:
        return names, grundy_values(graph)[0][:count]
    except CycleError as error:
        cycle = np.array(error.cycle, np.int64)
        return names[cycle], -1 - np.arange(len(cycle))


def _numbered(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all positions, and the rows by their numbers.

    An option of value k is as good as a heap of k in Nim (Sprague, Grundy): the numbers after the last position stand
    for such heaps.
    """
    leads = target >= _FIRST_POSITION
    everywhere = bool(leads.all())
    names, (start, there) = _distinct([source, target if everywhere else target[leads]])
    if everywhere:
        return names, start, there
    end = np.empty(len(target), np.int32)
    end[leads] = there
    end[~leads] = len(names) + np.maximum(target[~leads], VALUE) - VALUE
    return names, start, end


def _distinct(ends: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return what is in some arrays, each once, and where in it each entry is."""
    import pyarrow as pa

    low = min(int(end.min()) for end in ends if len(end))
    high = max(int(end.max()) for end in ends if len(end))
    if high - low < _SPREAD * sum(map(len, ends)):
        occurs = np.zeros(high - low + 1, np.bool_)
        for end in ends:
            occurs[end - low] = True
        number = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        return np.flatnonzero(occurs) + low, [number[end - low] for end in ends]
    found = pa.concat_arrays([pa.array(end) for end in ends]).dictionary_encode()
    return found.dictionary.to_numpy(), np.split(found.indices.to_numpy(), [len(ends[0])])
