"""What one task solves: a small graph of which some options are values already, by the package's own pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from graphgame.errors import CycleError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["MASK_BITS", "MASK_EXPRESSION", "SOLVED", "solve_in_one_task", "solve_rows"]

MASK_BITS = 62
"""Values below this are bits of ``lo``; larger ones are in the array ``hi``. Bit 63 would overflow in ANSI mode."""

MASK_EXPRESSION = f"bit_or(case when g < {MASK_BITS} then shiftleft(1L, g) else 0L end)"

SOLVED = "v bigint, g int"


def solve_in_one_task(rows: DataFrame) -> DataFrame:
    """Solve a graph that one task can hold.

    Parameters
    ----------
    rows : DataFrame of (v bigint, t bigint, lo bigint, hi array<int>)
        A move from v to t where t is not null. The values that options of v have already are the bits of ``lo`` and
        the entries of ``hi``; over all rows of v they add up.

    Returns
    -------
    DataFrame of (v bigint, g int)
        Where there is a cycle, its vertices alone, with the values -1, -2, ... in the order of play.
    """
    return rows.repartition(1).mapInArrow(solve_rows, SOLVED)


def solve_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Solve the rows of one partition; see :func:`solve_in_one_task`."""
    import pyarrow as pa

    vertices, source, target = _gather(batches)
    if len(vertices):
        found, values = _solve(vertices, source, target)
        yield pa.record_batch([found, values.astype(np.int32)], names=["v", "g"])


def _gather(batches: Iterable[pa.RecordBatch]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all vertices in increasing order, and the edges by number.

    An option of value k is as good as a heap of k in Nim (Sprague, Grundy): numbers below 0 stand for such heaps,
    -1 - k for k.
    """
    none = np.empty(0, np.int64)
    names, moves, heaps = [none], [(none, none)], []
    for batch in batches:
        v, t, lo, hi = batch.columns
        start, known = v.to_numpy(), t.is_valid().to_numpy(zero_copy_only=False)
        names.append(_distinct(start))
        moves.append((start[known], t.drop_null().to_numpy()))
        heaps += [*_low(start, lo.to_numpy()), _high(start, hi)]
    vertices = _distinct(np.concatenate([*names, *(end for _, end in moves)]))
    numbered = [(np.searchsorted(vertices, s), np.searchsorted(vertices, t)) for s, t in moves]
    numbered += [(np.searchsorted(vertices, s), -1 - k) for s, k in heaps]
    source, target = (np.concatenate(ends) for ends in zip(*numbered, strict=True))
    return vertices, source, target


def _low(start: np.ndarray, words: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for value in range(int(words.max(initial=0)).bit_length()):
        held = start[words >> value & 1 == 1]
        yield held, np.full(len(held), value)


def _high(start: np.ndarray, lists: pa.ListArray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.diff(lists.offsets.to_numpy())
    return np.repeat(start, lengths), lists.flatten().to_numpy().astype(np.int64)


def _solve(vertices: np.ndarray, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from graphgame.graph import GameGraph
    from graphgame.sprague_grundy import grundy_values

    count, heaps = len(vertices), -int(target.min(initial=0))
    larger, smaller = np.tril_indices(heaps, -1)
    source = np.concatenate([source, count + larger])
    target = np.concatenate([np.where(target < 0, count - 1 - target, target), count + smaller])
    graph = GameGraph.from_arrays(source, target, count + heaps)
    try:
        return vertices, grundy_values(graph)[0][:count]
    except CycleError as error:
        cycle = np.array(error.cycle, np.int64)
        return vertices[cycle], -1 - np.arange(len(cycle))


def _distinct(values: np.ndarray) -> np.ndarray:
    """Return the distinct values in increasing order; by sorting, for the hash table of np.unique is slower."""
    ordered = np.sort(values)
    distinct: np.ndarray = ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]
    return distinct
