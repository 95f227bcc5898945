"""Group edges by target for graphs whose vertices do not fit in a processor's cache, bucket by bucket on every core.

A bucket is the edges whose targets have the same high bits. Its targets are few enough for the cache, where counting
and sorting its edges is fast. The edges are first sorted by bucket in batches, in place; then each core groups its
share of the buckets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.engine import in_threads, threads
from graphgame.graph import kernels

BUCKET = 1 << 15
"""The least number of targets of a bucket; a graph with at most this many vertices needs no buckets.

The counts of this many targets take 256 KB, which fit in a core's second-level cache.
"""

_MOST_BUCKETS = 1 << 9  # sorting writes into all buckets in turn: at most one for each line of the fastest cache
_BATCH = 1 << 17  # edges sorted at a time: the batch and its sorted copy take 2 MB, the size of a second-level cache
_ENTRIES_MOVED = 1 << 20  # entries moved at a time: numpy copies a slice that it assigns to an overlapping slice


class _Share(NamedTuple):
    """The rows that one core made: those of the vertices in ``rows``, in ``indices[begin:end]``.

    ``out_degree`` is the number of these entries for each vertex of the graph.
    """

    rows: slice
    begin: int
    end: int
    out_degree: np.ndarray


def group_in_buckets(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None, overwrite: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group edges by target, as :func:`graphgame.graph.rows.group_edges` does: return pointers, indices, out-degrees.

    Peak memory beyond the arguments is 4 bytes an edge with ``overwrite``, otherwise 12, and 8 bytes a vertex plus 8
    for each thread.
    """
    if vertices <= BUCKET:
        return _group_at_once(source, target, vertices, sums)
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
    """Edges in batches, each batch sorted by bucket, the high bits of the target."""

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
        """Return the range of vertex numbers that are targets of a bucket."""
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


def _group_at_once(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    pointers, indices = np.zeros(vertices + 2, np.int64), np.empty(len(source), np.int32)
    last_and_degree = np.zeros((vertices, 2), np.int32)
    entries = kernels.group_rows(source, target, sums, pointers, indices, last_and_degree, 0)
    return pointers[:-1], indices[:entries], last_and_degree[:, 1].copy()


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
        # Merged parallel edges leave no gap here: the next bucket of this share begins right after. Gaps remain only
        # between shares.
        pointers[rows.start : rows.stop] = start[: len(rows)] + end
        end += entries
    share = slice(part.start << buckets.bits, min(part.stop << buckets.bits, buckets.vertices))
    return _Share(share, begin, end, last_and_degree[:, 1])


def _close_gaps(shares: list[_Share], pointers: np.ndarray, indices: np.ndarray) -> int:
    """Move the entries of each share to the end of the share before it, in place; return the number of all entries."""
    end = shares[0].end
    for share in shares[1:]:
        if gap := share.begin - end:
            pointers[share.rows] -= gap
            for first in range(share.begin, share.end, _ENTRIES_MOVED):
                moved = indices[first : min(first + _ENTRIES_MOVED, share.end)]
                indices[first - gap : first - gap + len(moved)] = moved
        end += share.end - share.begin
    return end
