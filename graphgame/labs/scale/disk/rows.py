"""The predecessors of every vertex on disk, grouped a bucket at a time: what the pass reads."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue

import numpy as np

from graphgame.compiled.engine import Behind, Progress, ahead, threads
from graphgame.errors import LimitError
from graphgame.graph import kernels
from graphgame.graph.rows import Rows
from graphgame.labs.scale.disk.collecting import Settings
from graphgame.labs.scale.disk.workdir import Buckets, Workdir, size_text

_ENTRIES = 1 << 22
_BYTES_AN_EDGE = 16
_BYTES_A_DEGREE = 8


def group_spool(workdir: Workdir, settings: Settings, progress: Progress) -> None:
    """Turn the spool into rows: the files ``pointers``, ``indices``, ``degrees`` and ``roots``.

    A bucket that is finished is not done again when work goes on after an interruption. A LimitError tells that so many
    edges lead into one bucket that they do not fit in memory.
    """
    scan = workdir.stage("scan")
    assert scan is not None
    work = _Grouping(workdir, settings, scan["vertices"], scan["least"], scan["spool"])
    if workdir.stage("group") is None:
        workdir.record("group", {"buckets": 0})
    buckets = range(workdir.stage("group")["buckets"], work.buckets)  # type: ignore[index]
    with Behind() as writer:
        grouped = ahead(work.group, buckets) if work.cores > 1 else ((bucket, work.group(bucket)) for bucket in buckets)
        for bucket, rows in grouped:
            writer.do(partial(work.write, bucket, *rows))
            progress(bucket + 1, work.buckets)
    work.finish()


def mapped_rows(workdir: Workdir) -> Rows:
    """Return the rows over mapped files."""
    return Rows(workdir.array("pointers", np.int64), workdir.array("indices", np.int32))


def release(rows: Rows) -> None:
    """Let the system take back the memory of mapped rows; they are read again from the file, or its cache."""
    advice = getattr(mmap, "MADV_DONTNEED", None)
    for array in rows:
        if advice is not None and isinstance(array.base, mmap.mmap):
            array.base.madvise(advice)


def option_batches(rows: Rows, vertices: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the moves out of the marked vertices as sources and targets, by one look at all rows of predecessors."""
    for start in range(0, len(rows.indices), _ENTRIES):
        source = rows.indices[start : start + _ENTRIES]
        places = np.flatnonzero(vertices[source])
        if len(places):
            yield source[places], np.searchsorted(rows.pointers, places + start, "right") - 1


def unsolved_cycle(rows: Rows, solved: np.ndarray) -> np.ndarray:
    """Return the vertices of a cycle in the order of play, given those that were solved.

    An unsolved vertex has an unsolved option: going on to it again and again ends in a cycle.
    """
    unsolved = np.ones(len(rows.pointers) - 1, np.bool_)
    unsolved[solved] = False
    option = np.full(len(unsolved), -1, np.int32)
    for source, target in option_batches(rows, unsolved):
        stuck = unsolved[target]
        option[source[stuck]] = target[stuck]
    place: dict[int, int] = {}
    vertex = int(np.argmax(unsolved))
    while vertex not in place:
        place[vertex] = len(place)
        vertex = int(option[vertex])
    return np.array(list(place)[place[vertex] :])


class _Grouping:
    """The work on one spool."""

    def __init__(
        self, workdir: Workdir, settings: Settings, vertices: int, least: int, edges: tuple[str, int, int, int]
    ) -> None:
        self._workdir, self._settings = workdir, settings
        self._vertices, self._least = vertices, least
        self._edges = Buckets(workdir, *edges)
        ranks = workdir.array("ranks", np.int32) if workdir.has("ranks") else None
        self._ranks = None if ranks is None else np.array(ranks)
        span = vertices if ranks is None else len(ranks)
        self._first = least >> self._edges.bits
        self.buckets = ((least + span - 1) >> self._edges.bits) - self._first + 1 if span else 0
        self.cores = threads() if self._need(threads()) <= settings.memory else 1
        self._states: SimpleQueue[np.ndarray] = SimpleQueue()
        for _ in range(self.cores):
            self._states.put(np.zeros((vertices, 2), np.int32))
        if workdir.has("indices"):
            with self._state() as state:
                self._count(workdir.array("indices", np.int32), state)
        self._files = [workdir.file(name) for name in ("pointers", "indices", "roots")]

    def group(self, number: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Return the first vertex of a bucket, the pointers and the rows."""
        bucket = self._first + number
        begin, end = (self._vertex(place << self._edges.bits) for place in (bucket, bucket + 1))
        self._check_memory(self._edges.size(bucket))
        source, target = map(self._numbers, self._edges.read(bucket))
        pointers, indices = self._grouped(source, target - np.int32(begin), begin, end - begin)
        return begin, pointers, indices

    def write(self, number: int, begin: int, pointers: np.ndarray, indices: np.ndarray) -> None:
        """Write the rows of a bucket and record that."""
        kept = self._files[1].size // 4
        self._files[0].write(pointers[:-1] + kept)
        self._files[1].write(indices)
        # A vertex with an empty row has no predecessor: no move leads to it.
        self._files[2].write((np.flatnonzero(np.diff(pointers) == 0) + begin).astype(np.int32))
        self._workdir.record("group", {"buckets": number + 1}, *self._files)

    def finish(self) -> None:
        """Write the rest of what the pass needs, and record that all is grouped."""
        self._files[0].write(np.array([self._files[1].size // 4], np.int64))
        degrees = self._workdir.file("degrees", fresh=True)
        states = [self._states.get() for _ in range(self.cores)]
        for state in states[1:]:
            states[0][:, 1] += state[:, 1]
        degrees.write(states[0][:, 1])
        self._workdir.record("rows", {"edges": self._files[1].size // 4}, degrees, *self._files)
        for file in (degrees, *self._files):
            file.close()

    def _need(self, cores: int) -> int:
        """Return the bytes at most where so many buckets are grouped at a time, one waits and one is written."""
        largest = max(map(self._edges.size, range(self._first, self._first + self.buckets)), default=0)
        return (cores + 2) * _BYTES_AN_EDGE * largest + cores * _BYTES_A_DEGREE * self._vertices

    def _vertex(self, place: int) -> int:
        """Return the first vertex whose number in the spool is this or higher."""
        above = place - self._least
        if self._ranks is None:
            return min(max(above, 0), self._vertices)
        return int(self._ranks[min(above, len(self._ranks)) - 1]) + 1 if above > 0 else 0

    def _numbers(self, places: np.ndarray) -> np.ndarray:
        """Return the vertices of numbers in the spool, which are overwritten."""
        if self._least:
            places -= np.int32(self._least)
        return places if self._ranks is None else self._ranks[places]

    def _grouped(self, source: np.ndarray, target: np.ndarray, first: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
        if self._settings.compiled:
            pointers, indices = np.zeros(rows + 2, np.int64), np.empty(len(source), np.int32)
            with self._state() as state:
                kept = kernels.group_rows(source, target, None, pointers, indices, state, first)
            return pointers[:-1], indices[:kept]
        edges = np.unique(target.astype(np.int64) * self._vertices + source)
        indices = (edges % max(self._vertices, 1)).astype(np.int32)
        with self._state() as state:
            self._count(indices, state)
        return np.searchsorted(edges, np.arange(rows + 1) * self._vertices), indices

    @contextmanager
    def _state(self) -> Iterator[np.ndarray]:
        """Lend a thread the last target and the degree of every vertex; the degrees are those of its buckets."""
        state = self._states.get()
        try:
            yield state
        finally:
            self._states.put(state)

    def _count(self, indices: np.ndarray, state: np.ndarray) -> None:
        for start in range(0, len(indices), _ENTRIES):
            part = indices[start : start + _ENTRIES]
            # A histogram costs a look at every vertex, which few entries are not worth.
            if len(part) * 4 < self._vertices:
                np.add.at(state[:, 1], part, 1)
            else:
                state[:, 1] += np.bincount(part, minlength=self._vertices).astype(np.int32)

    def _check_memory(self, edges: int) -> None:
        need = _BYTES_AN_EDGE * edges + _BYTES_A_DEGREE * self._vertices
        if need > self._settings.memory:
            raise LimitError(
                "{edges:,} edges lead into {count:,} neighbouring positions: grouping them needs {need} of memory",
                edges,
                1 << self._edges.bits,
                size_text(need),
                limit="memory",
            )
