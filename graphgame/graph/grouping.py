"""Edges into rows where the vertices are too many for a cache: bucket by bucket, on every core.

A bucket holds the edges to neighbouring targets, so that counting and sorting them stays within a cache. The edges are
first sorted by bucket in batches, in place; then each core groups its share of the buckets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.engine import in_threads, threads
from graphgame.graph import kernels

BUCKET = 1 << 15
"""The fewest targets of a bucket; a graph of so many vertices needs no buckets.

Their counts are 256 KB, which a core's own cache holds: there the random access of counting and sorting is cheap.
"""

_MOST_BUCKETS = 1 << 9  # places written to in turn: no more than the fastest cache has lines
_BATCH = 1 << 17  # edges sorted at a time: with the room for them 2 MB, again a core's own cache
_MOVED = 1 << 20  # entries moved at a time: numpy takes a copy of what it moves onto itself


class _Share(NamedTuple):
    """Entries ``begin`` to ``end``, the rows of the vertices in ``rows``, and how often they name each vertex."""

    rows: slice
    begin: int
    end: int
    out_degree: np.ndarray


def group_in_buckets(
    source: np.ndarray, target: np.ndarray, vertices: int, sums: np.ndarray | None, overwrite: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pointers, indices and out-degrees as :func:`graphgame.graph.rows.group_edges` does.

    At the peak, beyond the edges given: 4 bytes an edge, or 12 where they may not be overwritten; 8 bytes a vertex, and
    8 more for each thread.
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
    """Edges, each batch of them sorted by the high bits of the target."""

    def __init__(self, source: np.ndarray, target: np.ndarray, vertices: int) -> None:
        self.vertices = vertices
        self.bits = max(BUCKET.bit_length() - 1, (vertices - 1).bit_length() - (_MOST_BUCKETS.bit_length() - 1))
        self._count = (vertices - 1 >> self.bits) + 1
        self._source, self._target = source, target
        batches = range(0, len(source), _BATCH)
        starts = np.zeros((len(batches), self._count + 2), np.int64)
        in_threads(lambda some: self._sort(some, starts), [batches[first :: threads()] for first in range(threads())])
        self._starts = starts[:, :-1]
        self.begins = np.concatenate([[0], np.diff(self._starts).sum(axis=0).cumsum()])

    def parts(self, count: int) -> list[range]:
        """Return the buckets in runs of about as many edges each."""
        cuts = np.searchsorted(self.begins, np.arange(1, count) * self.begins[-1] // count).tolist()
        return [range(*ends) for ends in zip([0, *cuts], [*cuts, self._count], strict=True)]

    def rows(self, bucket: int) -> range:
        """Return the targets of a bucket."""
        return range(bucket << self.bits, min(bucket + 1 << self.bits, self.vertices))

    def edges(self, bucket: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the sources of a bucket's edges, and their targets counted from the bucket's first."""
        edges = int(self.begins[bucket + 1] - self.begins[bucket])
        found = np.empty(edges, np.int32), np.empty(edges, np.int32)
        kernels.gather(self._source, self._target, self._starts, bucket, bucket << self.bits, *found)
        return found

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
    kept = kernels.group_rows(source, target, sums, pointers, indices, last_and_degree, 0)
    return pointers[:-1], indices[:kept], last_and_degree[:, 1].copy()


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
        kept = kernels.group_rows(*edges, sums, start, room, last_and_degree, rows.start)
        # The next bucket follows without a gap for dropped edges: only whole shares are moved in the end.
        pointers[rows.start : rows.stop] = start[: len(rows)] + end
        end += kept
    share = slice(part.start << buckets.bits, min(part.stop << buckets.bits, buckets.vertices))
    return _Share(share, begin, end, last_and_degree[:, 1])


def _close_gaps(shares: list[_Share], pointers: np.ndarray, indices: np.ndarray) -> int:
    """Move the entries of each share to the end of the one before; return where the last ends."""
    end = shares[0].end
    for share in shares[1:]:
        if gap := share.begin - end:
            pointers[share.rows] -= gap
            for first in range(share.begin, share.end, _MOVED):
                moved = indices[first : min(first + _MOVED, share.end)]
                indices[first - gap : first - gap + len(moved)] = moved
        end += share.end - share.begin
    return end
