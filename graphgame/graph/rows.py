"""Compressed sparse rows (CSR): the options or the predecessors of every vertex in two arrays.

The functions that group or transpose edges run a compiled loop for large graphs and numpy for small ones, with the same
results. If the vertices of a graph do not fit in a processor's cache, its edges are grouped bucket by bucket in several
threads. A bucket is the edges whose targets have the same high bits. Its targets are few enough for the cache, where
counting and sorting its edges is fast. Edges are first sorted by bucket in batches; each thread then groups buckets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from graphgame.compiled.engine import in_threads, threads, use_compiled
from graphgame.errors import LimitError, ParameterError
from graphgame.graph import kernels

MAX_VERTICES = 2**31 - 2
"""The limit on the vertices of a graph in memory: their numbers are 32-bit integers."""

_LONG_ROW = 64  # in a row with this many entries or more, numpy finds an entry faster than Python does
_MOST_16_BIT = 1 << 16
_ENTRIES_SORTED = 1 << 16  # entries sorted at a time: their 64-bit keys fit in a cache. A longer row is sorted whole.


class Rows(NamedTuple):
    """A row of vertex numbers for each vertex: row v is ``indices[pointers[v]:pointers[v + 1]]``.

    Attributes
    ----------
    pointers : ndarray of int64, shape (n + 1,)
        The index where each row starts; the last one is the number of all entries.
    indices : ndarray of int32, shape (m,)
        The entries of all rows, one row after the other.
    """

    pointers: np.ndarray
    indices: np.ndarray

    def row(self, vertex: int) -> np.ndarray:
        """Return the row of a vertex, a view of ``indices``."""
        return self.indices[self.pointers.item(vertex) : self.pointers.item(vertex + 1)]

    def lengths(self) -> np.ndarray:
        """Return the length of each row, int64."""
        return np.diff(self.pointers)

    def length(self, vertex: int) -> int:
        """Return the length of the row of a vertex."""
        return self.pointers.item(vertex + 1) - self.pointers.item(vertex)  # type: ignore[no-any-return]

    def has(self, vertex: int, entry: int) -> bool:
        """Return whether the row of a vertex has this entry."""
        pointers, indices = self
        first, end = pointers.item(vertex), pointers.item(vertex + 1)
        row = indices[first:end]
        return entry in row.tolist() if end - first < _LONG_ROW else bool((row == entry).any())

    def row_indices(self) -> np.ndarray:
        """Return for each entry of ``indices`` the vertex in whose row it is, int32."""
        return np.repeat(np.arange(len(self.pointers) - 1, dtype=np.int32), self.lengths())

    def steps(self) -> np.ndarray:
        """Return the differences between successive entries within each row, in one array for all rows."""
        starts = self.pointers[1:-1]
        # Leave out the difference between the last entry of a row and the first of the next row.
        between = marked(starts[(starts > 0) & (starts < len(self.indices))] - 1, max(len(self.indices) - 1, 0))
        return np.diff(self.indices)[~between]  # type: ignore[no-any-return]

    def increase(self) -> bool:
        """Return whether every row is sorted; entries may be equal."""
        return bool((self.steps() >= 0).all())

    def gather(self, vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays ``(row, entries)``: the entries of the rows of these vertices, one row after the other.

        ``row[k]`` is the index in ``vertices`` of the vertex in whose row ``entries[k]`` is.
        """
        row, indices = joined_ranges(self.pointers[vertices], self.pointers[vertices + 1])
        return row, self.indices[indices]


def marked(numbers: np.ndarray | list[int], count: int) -> np.ndarray:
    """Return a boolean array of length ``count`` that is True at the indices ``numbers``."""
    marks = np.zeros(count, np.bool_)
    marks[numbers] = True
    return marks


def cycle_from(vertex: int, following: Callable[[int], int]) -> list[int]:
    """Go from ``vertex`` to ``following(vertex)`` and so on; return the vertices of the cycle at the end, in order.

    Examples
    --------
    >>> cycle_from(5, lambda vertex: vertex * vertex % 7)
    [4, 2]
    """
    index: dict[int, int] = {}
    while vertex not in index:
        index[vertex] = len(index)
        vertex = following(vertex)
    return [*index][index[vertex] :]


def cycle_among(rows: Rows, chosen: np.ndarray) -> list[int]:
    """Return a cycle of vertices that ``chosen`` marks: at least one vertex, and one in the row of each of them."""

    def following(vertex: int) -> int:
        row = rows.row(vertex)
        return int(row[np.argmax(chosen[row])])

    return cycle_from(int(np.argmax(chosen)), following)


def joined_ranges(begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return arrays ``(range_index, numbers)``: the numbers of the ranges ``begins[i]`` to ``ends[i] - 1``, in order.

    ``range_index[k]`` is the index i of the range that contains ``numbers[k]``.
    """
    lengths = ends - begins
    range_index = np.repeat(np.arange(len(begins)), lengths)
    shift = begins - (np.cumsum(lengths) - lengths)
    return range_index, np.arange(len(range_index)) + np.repeat(shift, lengths)


def group_edges(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None = None, *, overwrite: bool = False
) -> tuple[Rows, np.ndarray]:
    """Group edges by target: return the rows of predecessors, and the number of options of each vertex (int32).

    An edge goes from ``source[e]`` to ``target[e]``; each row is in the order of the edges. Parallel edges count once
    in both results, except edges from the vertices that ``sums`` marks: a sum may contain a part twice. With
    ``overwrite`` the arrays of edges may be reordered, which avoids a copy of them.
    """
    if use_compiled(len(source) + vertices):
        pointers, indices, out_degree = group_in_buckets(source, target, vertices, sums, overwrite)
        return Rows(pointers, indices), out_degree
    return _plain_group(source, target, vertices, sums)


def put_in_order(rows: Rows, sums: np.ndarray | None = None) -> Rows:
    """Sort each row, and drop repeated entries except in rows of ``sums``; return the rows. ``indices`` changes."""
    pointers, indices = rows
    lengths, begin, end = rows.lengths(), 0, 0
    while begin < len(lengths):
        # Sort a block of rows at a time, by keys with the row in the high half and the entry in the low half.
        stop = max(begin + 1, int(np.searchsorted(pointers, pointers[begin] + _ENTRIES_SORTED)) - 1)
        keys = np.repeat(np.arange(begin, stop) << 32, lengths[begin:stop])
        keys |= indices[pointers[begin] : pointers[stop]]
        keys.sort()
        repeated = np.flatnonzero(keys[1:] == keys[:-1]) + 1
        if sums is not None:
            repeated = repeated[~sums[keys[repeated] >> 32]]
        if len(repeated):
            lengths[begin:stop] -= np.bincount((keys[repeated] >> 32) - begin, minlength=stop - begin)
            keys = np.delete(keys, repeated)
        indices[end : end + len(keys)] = keys & 0xFFFFFFFF
        begin, end = stop, end + len(keys)
    return Rows(np.concatenate([[0], np.cumsum(lengths)]), indices[:end])


def transpose(rows: Rows) -> Rows:
    """Return the rows of the reversed edges: predecessors for options, or options for predecessors.

    Each row of the result is in increasing order. The compiled loop takes O(n + m) time; its only memory is the result.
    """
    if use_compiled(len(rows.indices) + len(rows.pointers)):
        pointers, indices = np.zeros(len(rows.pointers) + 1, np.int64), np.empty_like(rows.indices)
        kernels.turn_rows(rows.pointers, rows.indices, pointers, indices)
        return Rows(pointers[:-1], indices)
    vertices = len(rows.pointers) - 1
    order = _order(rows.indices, vertices)
    return Rows(_pointers(rows.indices, vertices), rows.row_indices()[order])


def _plain_group(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None
) -> tuple[Rows, np.ndarray]:
    # Sort by target, then by source, so that parallel edges are next to each other. Keep the first, or all from a sum.
    order = _order(source, vertices)
    order = order[_order(target[order], vertices)]
    repeated = (np.diff(source[order]) == 0) & (np.diff(target[order]) == 0)
    counts = ~marked(order[1:][repeated], len(order))
    if sums is not None:
        counts |= sums[source]
    source, target = source[counts], target[counts]
    order = _order(target, vertices)
    out_degree = np.bincount(source, minlength=vertices).astype(np.int32)
    return Rows(_pointers(target, vertices), source[order].astype(np.int32)), out_degree


def _order(numbers: np.ndarray, vertices: int) -> np.ndarray:
    """Return the indices that sort numbers below ``vertices``; equal numbers stay in their order."""
    # For 16-bit integers numpy has a fast radix sort.
    return np.argsort(numbers.astype(np.uint16) if vertices <= _MOST_16_BIT else numbers, kind="stable")


def _pointers(row_indices: np.ndarray, vertices: int) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(np.bincount(row_indices, minlength=vertices))]).astype(np.int64)


def check_count(vertices: int) -> None:
    """Raise a LimitError if there are more than ``MAX_VERTICES`` vertices."""
    if vertices > MAX_VERTICES:
        raise LimitError(
            "the graph has {vertices} vertices, but 32-bit vertex numbers allow at most {max_vertices}",
            vertices,
            MAX_VERTICES,
        )


def checked_sums(sums: ArrayLike | None, vertices: int) -> np.ndarray | None:
    """Return ``sums`` as a boolean array; None if it marks none. Raise ParameterError if its shape is wrong."""
    mask = np.asarray([] if sums is None else sums, np.bool_)
    if sums is not None and mask.shape != (vertices,):
        raise ParameterError("sums has shape {shape}, expected ({vertices},)", mask.shape, vertices)
    return mask if mask.any() else None


def check_numbers(vertices: int, **arrays: np.ndarray) -> None:
    """Raise a ParameterError unless ``arrays`` have only vertex numbers."""
    for name, ends in arrays.items():
        if not np.issubdtype(ends.dtype, np.integer) and len(ends):
            raise ParameterError("{name} has dtype {dtype}, expected integers", name, ends.dtype)
        if len(ends) and (int(ends.min()) < 0 or int(ends.max()) >= vertices):
            raise ParameterError(
                "{name} has entries that are not vertex numbers: expected 0 to {last}", name, vertices - 1
            )


def checked_pointers(pointers: np.ndarray, vertices: int, entries: np.ndarray) -> np.ndarray:
    """Return pointers as int64; ParameterError unless they are ``vertices + 1``, sorted, from 0 to ``len(entries)``."""
    pointers = np.asarray(pointers).astype(np.int64, copy=False)
    if entries.ndim != 1 or pointers.shape != (vertices + 1,) or pointers[0] != 0 or pointers[-1] != len(entries):
        raise ParameterError(
            "expected a 1-D target, and {pointers} pointers, the first 0, the last {count}", vertices + 1, len(entries)
        )
    if (np.diff(pointers) < 0).any():
        raise ParameterError("pointers decrease: expected the index where the options of each vertex start")
    return pointers


BUCKET = 1 << 15
"""The least number of targets of a bucket, except the last; a graph with at most this many vertices needs no buckets.

The counts of this many targets take 256 KB, which fit in a core's second-level cache.
"""

_MOST_BUCKETS = 1 << 9  # sorting jumps between the ends of all buckets: the fastest cache has a line for each
_BATCH = 1 << 17  # edges sorted at a time: the batch and its sorted copy take 2 MB, the size of a second-level cache
_ENTRIES_MOVED = 1 << 20  # entries moved at a time: numpy first copies a slice that overlaps its target


class _Share(NamedTuple):
    """The rows that one thread made: those of the vertices in ``rows``, in ``indices[begin:end]``.

    ``out_degree`` says for each vertex of the graph how often it is among these entries.
    """

    rows: slice
    begin: int
    end: int
    out_degree: np.ndarray


def group_in_buckets(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None, overwrite: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group edges by target, as :func:`group_edges` describes; return (pointers, indices, out-degrees).

    Peak memory beyond the arguments: for each edge 4 bytes if ``overwrite`` lets the loops reorder ``source`` and
    ``target``, otherwise 12; for each vertex 12 bytes. For each thread, 8 more a vertex, and 8 an edge of a bucket.
    """
    if vertices <= BUCKET:
        start, entries = np.zeros(vertices + 2, np.int64), np.empty(len(source), np.int32)
        last_and_degree = np.zeros((vertices, 2), np.int32)
        count = kernels.group_rows(source, target, sums, start, entries, last_and_degree, 0)
        return start[:-1], entries[:count], last_and_degree[:, 1].copy()
    buckets = _Buckets(*((source, target) if overwrite else (source.copy(), target.copy())), vertices)
    pointers, indices = np.empty(vertices + 1, np.int64), np.empty(len(source), np.int32)

    def share(part: range) -> _Share:
        return _group_share(buckets, part, sums, pointers, indices)

    shares = in_threads(share, buckets.parts(threads()))
    end = _close_gaps(shares, pointers, indices)
    pointers[vertices] = end
    out_degree = shares[0].out_degree.copy()
    for other in shares[1:]:
        out_degree += other.out_degree
    return pointers, indices[:end], out_degree


class _Buckets:
    """Edges in batches, each batch sorted by bucket; the bucket of an edge is the high bits of its target."""

    def __init__(self, source: np.ndarray, target: np.ndarray, vertices: int) -> None:
        self.vertices = vertices
        self.bits = max(BUCKET.bit_length() - 1, (vertices - 1).bit_length() - (_MOST_BUCKETS.bit_length() - 1))
        self._count = (vertices - 1 >> self.bits) + 1
        self._source, self._target = source, target
        batches = range(0, len(source), _BATCH)
        starts = np.zeros((len(batches), self._count + 2), np.int64)
        shares = [batches[first :: threads()] for first in range(threads())]
        in_threads(lambda share: self._sort(share, starts), shares)
        self._starts = starts[:, :-1]
        self.begins = np.concatenate([[0], np.diff(self._starts).sum(axis=0).cumsum()])

    def parts(self, count: int) -> list[range]:
        """Return ``count`` ranges of buckets with about equally many edges."""
        cuts = np.searchsorted(self.begins, np.arange(1, count) * self.begins[-1] // count).tolist()
        return [range(*ends) for ends in zip([0, *cuts], [*cuts, self._count], strict=True)]

    def rows(self, bucket: int) -> range:
        """Return the range of vertex numbers that targets in a bucket can have."""
        return range(bucket << self.bits, min(bucket + 1 << self.bits, self.vertices))

    def edges(self, bucket: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the sources and the targets of a bucket's edges; targets count from the bucket's first vertex."""
        count = int(self.begins[bucket + 1] - self.begins[bucket])
        edges = np.empty(count, np.int32), np.empty(count, np.int32)
        kernels.gather(self._source, self._target, self._starts, bucket, bucket << self.bits, *edges)
        return edges

    def _sort(self, batches: range, starts: np.ndarray) -> None:
        room = np.empty((2, _BATCH), np.int32)
        for first in batches:
            source, target = self._source[first : first + _BATCH], self._target[first : first + _BATCH]
            sources, targets = room[:, : len(source)]
            start = starts[first // _BATCH]
            kernels.partition(source, target, self.bits, 0, start, sources, targets)
            source[:], target[:] = sources, targets
            start += first


def _group_share(
    buckets: _Buckets, part: range, sums: np.ndarray | None, pointers: np.ndarray, indices: np.ndarray
) -> _Share:
    last_and_degree = np.zeros((buckets.vertices, 2), np.int32)
    begin = end = int(buckets.begins[part.start])
    for bucket in part:
        rows = buckets.rows(bucket)
        start = np.zeros(len(rows) + 2, np.int64)
        edges = buckets.edges(bucket)
        room = indices[end : end + len(edges[0])]
        entries = kernels.group_rows(*edges, sums, start, room, last_and_degree, rows.start)
        # Merged parallel edges leave no gap here: the next bucket of this share follows. Gaps are only between shares.
        pointers[rows.start : rows.stop] = start[: len(rows)] + end
        end += entries
    share = slice(part.start << buckets.bits, min(part.stop << buckets.bits, buckets.vertices))
    return _Share(share, begin, end, last_and_degree[:, 1])


def _close_gaps(shares: list[_Share], pointers: np.ndarray, indices: np.ndarray) -> int:
    """Close the gaps in ``indices`` between the rows of two threads, adjust ``pointers``; return the entry count."""
    end = shares[0].end
    for share in shares[1:]:
        if gap := share.begin - end:
            pointers[share.rows] -= gap
            for first in range(share.begin, share.end, _ENTRIES_MOVED):
                moved = indices[first : min(first + _ENTRIES_MOVED, share.end)]
                indices[first - gap : first - gap + len(moved)] = moved
        end += share.end - share.begin
    return end
