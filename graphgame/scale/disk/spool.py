"""Edges on their way to disk: blocks, each sorted into buckets of targets.

A block is its sources, then its targets, as int32; bucket b holds the targets t with ``t >> bits == b``.
Of edges turned around, these are the sources.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.arrays import kernels
from graphgame.arrays.engine import Behind
from graphgame.scale.disk.workdir import Workdir, WorkFile

__all__ = ["BUCKET_BITS", "Buckets", "Spool"]

BUCKET_BITS = 18
"""A bucket is 2**18 targets: their counters stay in the processor's cache."""


class Spool:
    """Collects edges and writes them in blocks; a thread sorts and writes one while the next is collected."""

    def __init__(self, file: WorkFile, block: int, compiled: bool, turned: bool = False) -> None:
        self.file = file
        self._turned = turned
        self.counts: list[tuple[int, np.ndarray]] = []
        self._compiled = compiled
        self._source, self._target = np.empty(block, np.int32), np.empty(block, np.int32)
        self._spare = np.empty_like(self._source), np.empty_like(self._target)
        self._sorted = np.empty_like(self._source), np.empty_like(self._target)
        self._filled = 0
        self._writer = Behind()

    def add(self, source: np.ndarray, target: np.ndarray) -> None:
        """Append edges."""
        source, target = self._ends(source, target)
        while len(source):
            end = min(self._filled + len(source), len(self._source))
            taken = end - self._filled
            self._source[self._filled : end] = source[:taken]
            self._target[self._filled : end] = target[:taken]
            self._filled = end
            if end == len(self._source):
                self._flush()
            source, target = source[taken:], target[taken:]

    def finish(self) -> tuple[int, np.ndarray]:
        """Write the rest; return the first bucket, and the edges of each block (row) in each bucket (column), int64."""
        self._flush()
        self._writer.wait()
        if not self.counts:
            return 0, np.zeros((0, 0), np.int64)
        first = min(low for low, _ in self.counts)
        last = max(low + len(counts) for low, counts in self.counts)
        table = np.zeros((len(self.counts), last - first), np.int64)
        for row, (low, counts) in zip(table, self.counts, strict=True):
            row[low - first : low - first + len(counts)] = counts
        return first, table

    def edges(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the edges so far, a block at a time."""
        self._writer.wait()
        with self.file.path.open("rb") as stream:
            for _, counts in self.counts:
                size = int(counts.sum())
                ends = np.fromfile(stream, np.int32, 2 * size)
                yield self._ends(ends[:size], ends[size:])
        yield self._ends(self._source[: self._filled], self._target[: self._filled])

    def _ends(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return (target, source) if self._turned else (source, target)

    def _flush(self) -> None:
        if self._filled == 0:
            return
        block = self._source[: self._filled], self._target[: self._filled]
        self._writer.do(lambda: self._write(*block))
        # The writer is one block behind at most, so it is done with the spare one.
        (self._source, self._target), self._spare = self._spare, (self._source, self._target)
        self._filled = 0

    def _write(self, source: np.ndarray, target: np.ndarray) -> None:
        low = int(target.min()) >> BUCKET_BITS
        buckets = (int(target.max()) >> BUCKET_BITS) - low + 1
        for ends in self._partition(source, target, low, buckets):
            self.file.write(ends)

    def _partition(self, source: np.ndarray, target: np.ndarray, low: int, buckets: int) -> tuple[np.ndarray, ...]:
        if not self._compiled:
            bucket = (target >> BUCKET_BITS) - low
            self.counts.append((low, np.bincount(bucket, minlength=buckets)))
            order = np.argsort(bucket, kind="stable")
            return source[order], target[order]
        start = np.zeros(buckets + 2, np.int64)
        sources, targets = (ends[: len(source)] for ends in self._sorted)
        kernels.partition(source, target, BUCKET_BITS, low, start, sources, targets)
        self.counts.append((low, np.diff(start[:-1])))
        return sources, targets


class Buckets:
    """The edges of a spool, read a bucket at a time; the file ``counts`` has the table of :meth:`Spool.finish`."""

    def __init__(self, workdir: Workdir, name: str, first: int, blocks: int, bits: int) -> None:
        self.bits = bits
        self._path = workdir.path / name
        self._first = first
        counts = workdir.array("counts", np.int64)
        self._counts = counts.reshape(blocks, len(counts) // max(blocks, 1))
        sizes = self._counts.sum(axis=1)
        self._ends = np.cumsum(sizes)
        self._sizes = sizes
        self._starts = np.cumsum(self._counts, axis=1) - self._counts

    def size(self, bucket: int) -> int:
        """Return how many edges a bucket has."""
        return int(self._counts[:, bucket - self._first].sum()) if self._holds(bucket) else 0

    def read(self, bucket: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the sources and the targets of a bucket."""
        ends = np.empty((2, self.size(bucket)), np.int32)
        filled = 0
        with self._path.open("rb", buffering=0) as stream:
            for block in range(len(self._counts) if self._holds(bucket) else 0):
                column = bucket - self._first
                count, start = int(self._counts[block, column]), int(self._starts[block, column])
                begin = 2 * int(self._ends[block] - self._sizes[block])
                for half, row in enumerate(ends):
                    stream.seek(4 * (begin + half * int(self._sizes[block]) + start))
                    row[filled : filled + count] = np.fromfile(stream, np.int32, count)
                filled += count
        return ends[0], ends[1]

    def _holds(self, bucket: int) -> bool:
        return 0 <= bucket - self._first < self._counts.shape[1]
