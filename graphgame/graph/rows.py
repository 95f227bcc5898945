"""Compressed sparse rows: the options or the predecessors of every vertex in two arrays.

Each function has a compiled and a plain numpy form with identical results; the size of the work chooses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.errors import LimitError, ParameterError
from graphgame.graph import grouping, kernels

MAX_VERTICES = 2**31 - 2
"""Vertices are numbered by 32-bit integers."""

_MANY = 64
_SHORT = 1 << 16
_SORTED_AT_ONCE = 1 << 16


class Rows(NamedTuple):
    """Row v is ``indices[pointers[v]:pointers[v + 1]]``.

    Attributes
    ----------
    pointers : ndarray of int64, shape (n + 1,)
        Where each row starts; the last entry is the number of entries.
    indices : ndarray of int32, shape (m,)
        The rows, one after the other.
    """

    pointers: np.ndarray
    indices: np.ndarray

    def row(self, vertex: int) -> np.ndarray:
        """Return one row, a view."""
        return self.indices[self.pointers.item(vertex) : self.pointers.item(vertex + 1)]

    def lengths(self) -> np.ndarray:
        """Return the length of each row, int64."""
        return np.diff(self.pointers)

    def length(self, vertex: int) -> int:
        """Return the length of one row."""
        return self.pointers.item(vertex + 1) - self.pointers.item(vertex)  # type: ignore[no-any-return]

    def has(self, vertex: int, entry: int) -> bool:
        """Tell whether a row has an entry."""
        pointers, indices = self
        first, end = pointers.item(vertex), pointers.item(vertex + 1)
        row = indices[first:end]
        return entry in row.tolist() if end - first < _MANY else bool((row == entry).any())

    def owners(self) -> np.ndarray:
        """Return the vertex in whose row each entry stands, int32."""
        return np.repeat(np.arange(len(self.pointers) - 1, dtype=np.int32), self.lengths())

    def steps(self) -> np.ndarray:
        """Return by how much each entry that has one before it in its row is greater than that."""
        starts = self.pointers[1:-1]
        follows = np.ones(max(len(self.indices) - 1, 0), np.bool_)
        follows[starts[(starts > 0) & (starts < len(self.indices))] - 1] = False
        return np.diff(self.indices)[follows]

    def increase(self) -> bool:
        """Tell whether every row is sorted; equal neighbours are allowed."""
        return bool((self.steps() >= 0).all())

    def gather(self, vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the entries of some rows, one row after the other, behind the place of each one's row among them."""
        owner, places = spans(self.pointers[vertices], self.pointers[vertices + 1])
        return owner, self.indices[places]


def spans(begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return all numbers from each begin to its end, one span after the other, behind the place of each one's span."""
    lengths = ends - begins
    owner = np.repeat(np.arange(len(begins)), lengths)
    skipped = begins - (np.cumsum(lengths) - lengths)
    return owner, np.arange(len(owner)) + np.repeat(skipped, lengths)


def group_edges(
    source: np.ndarray,
    target: np.ndarray,
    vertices: int,
    sums: np.ndarray | None = None,
    *,
    overwrite: bool = False,
) -> tuple[Rows, np.ndarray]:
    """Group edges by target: return the predecessors of every vertex, and its number of options.

    An edge goes from ``source[e]`` to ``target[e]``. Parallel edges are merged, except from the vertices that ``sums``
    marks, for a part may stand in a sum twice. ``overwrite`` saves a copy by reordering the arrays of edges.
    """
    if use_compiled(len(source) + vertices):
        pointers, indices, out_degree = grouping.group_in_buckets(source, target, vertices, sums, overwrite)
        return Rows(pointers, indices), out_degree
    return _plain_group(source, target, vertices, sums)


def put_in_order(rows: Rows, sums: np.ndarray | None = None) -> Rows:
    """Put each row in increasing order, in place, with each entry once but in the rows that ``sums`` marks.

    Entries are sorted few at a time, which a cache holds, together with the numbers of their rows.
    """
    pointers, indices = rows
    lengths, begin, end = rows.lengths(), 0, 0
    while begin < len(lengths):
        stop = max(begin + 1, int(np.searchsorted(pointers, pointers[begin] + _SORTED_AT_ONCE)) - 1)
        keys = np.repeat(np.arange(begin, stop) << 32, lengths[begin:stop])
        keys |= indices[pointers[begin] : pointers[stop]]
        keys.sort()
        again = np.flatnonzero(keys[1:] == keys[:-1]) + 1
        if sums is not None:
            again = again[~sums[keys[again] >> 32]]
        if len(again):
            lengths[begin:stop] -= np.bincount((keys[again] >> 32) - begin, minlength=stop - begin)
            keys = np.delete(keys, again)
        indices[end : end + len(keys)] = keys & 0xFFFFFFFF
        begin, end = stop, end + len(keys)
    return Rows(np.concatenate([[0], np.cumsum(lengths)]), indices[:end])


def transpose(rows: Rows) -> Rows:
    """Turn predecessors into options or back; every row of the result is in increasing order.

    Takes O(n + m) time and 4 bytes an entry beyond the result's own pointers.
    """
    if use_compiled(len(rows.indices) + len(rows.pointers)):
        pointers, indices = np.zeros(len(rows.pointers) + 1, np.int64), np.empty_like(rows.indices)
        kernels.turn_rows(rows.pointers, rows.indices, pointers, indices)
        return Rows(pointers[:-1], indices)
    vertices = len(rows.pointers) - 1
    order = _order(rows.indices, vertices)
    return Rows(_pointers(rows.indices, vertices), rows.owners()[order])


def _plain_group(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None
) -> tuple[Rows, np.ndarray]:
    order = _order(source, vertices)
    order = order[_order(target[order], vertices)]
    again = (np.diff(source[order]) == 0) & (np.diff(target[order]) == 0)
    first = np.ones(len(order), np.bool_)
    first[order[1:][again]] = False
    if sums is not None:
        first |= sums[source]
    source, target = source[first], target[first]
    order = _order(target, vertices)
    out_degree = np.bincount(source, minlength=vertices).astype(np.int32)
    return Rows(_pointers(target, vertices), source[order].astype(np.int32)), out_degree


def _order(numbers: np.ndarray, vertices: int) -> np.ndarray:
    """Return the stable order of vertex numbers; numpy sorts those of 16 bits in one pass."""
    return np.argsort(numbers.astype(np.uint16) if vertices <= _SHORT else numbers, kind="stable")


def _pointers(owners: np.ndarray, vertices: int) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=vertices))]).astype(np.int64)


def check_count(vertices: int) -> None:
    """Raise a LimitError for more vertices than there are numbers."""
    if vertices > MAX_VERTICES:
        raise LimitError("{vertices} vertices: a graph in memory holds at most {max_vertices}", vertices, MAX_VERTICES)


def check_numbers(sums: np.ndarray | None, vertices: int, **arrays: np.ndarray) -> None:
    """Raise a ValueError for sums that are not told of each vertex, or arrays that hold other than vertex numbers."""
    if sums is not None and sums.shape != (vertices,):
        raise ParameterError("sums has shape {shape}, expected ({vertices},)", sums.shape, vertices)
    for name, ends in arrays.items():
        if not np.issubdtype(ends.dtype, np.integer) and len(ends):
            raise ParameterError("{name} has dtype {dtype}, expected integers", name, ends.dtype)
        if len(ends) and (int(ends.min()) < 0 or int(ends.max()) >= vertices):
            raise ParameterError("{name} has entries outside 0..{vertices}", name, vertices - 1)


def checked_pointers(pointers: np.ndarray, vertices: int, entries: np.ndarray) -> np.ndarray:
    """Return the start of each vertex's row as int64; raise a ParameterError if these cannot be starts of rows."""
    pointers = np.asarray(pointers).astype(np.int64, copy=False)
    if entries.ndim != 1 or pointers.shape != (vertices + 1,) or pointers[0] != 0 or pointers[-1] != len(entries):
        raise ParameterError("expected {vertices} pointers, from 0 to {count}", vertices + 1, len(entries))
    if (np.diff(pointers) < 0).any():
        raise ParameterError("pointers go down: each is where the options of a vertex start")
    return pointers
