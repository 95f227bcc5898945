"""Group the edges on disk into rows of predecessors, one bucket at a time. The pass reads these rows."""

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
"""Entries of the rows that are read at a time."""

_BYTES_AN_EDGE = 16
"""Memory to group one edge: source and target as int32, before and after sorting."""

_BYTES_A_DEGREE = 8
"""Memory of one thread for each vertex: two int32, see ``_Grouping._state``."""


def group_spool(workdir: Workdir, settings: Settings, progress: Progress) -> None:
    """Turn the spool into rows: the work files ``pointers``, ``indices``, ``degrees`` and ``roots``.

    After an interruption, finished buckets are not repeated. Raises LimitError if the edges into one bucket do not fit
    in memory.
    """
    scan = workdir.stage("scan")
    assert scan is not None
    work = _Grouping(workdir, settings, scan["vertices"], scan["least"], scan["spool"])
    if workdir.stage("group") is None:
        workdir.record("group", {"buckets": 0})
    buckets = range(workdir.stage("group")["buckets"], work.buckets)  # type: ignore[index]
    # Threads group the next buckets while one is written: the files must be written in order.
    with Behind() as writer:
        grouped = ahead(work.group, buckets) if work.cores > 1 else ((bucket, work.group(bucket)) for bucket in buckets)
        for bucket, rows in grouped:
            writer.do(partial(work.write, bucket, *rows))
            progress(bucket + 1, work.buckets)
    work.finish()


def mapped_rows(workdir: Workdir) -> Rows:
    """Return the rows as arrays over memory-mapped files."""
    return Rows(workdir.array("pointers", np.int64), workdir.array("indices", np.int32))


def release(rows: Rows) -> None:
    """Tell the operating system to free the memory of mapped rows. They are read again when they are needed."""
    advice = getattr(mmap, "MADV_DONTNEED", None)
    for array in rows:
        if advice is not None and isinstance(array.base, mmap.mmap):
            array.base.madvise(advice)


def option_batches(rows: Rows, vertices: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all moves out of the marked vertices, as arrays of sources and targets.

    ``rows`` are rows of predecessors, so all of them are read once.
    """
    for start in range(0, len(rows.indices), _ENTRIES):
        source = rows.indices[start : start + _ENTRIES]
        places = np.flatnonzero(vertices[source])
        if len(places):
            yield source[places], np.searchsorted(rows.pointers, places + start, "right") - 1


def unsolved_cycle(rows: Rows, solved: np.ndarray) -> np.ndarray:
    """Return the vertices of one cycle in the order of play, given the vertices that were solved.

    Every unsolved vertex has an unsolved option, so following such options leads into a cycle.
    """
    unsolved = np.ones(len(rows.pointers) - 1, np.bool_)
    unsolved[solved] = False
    option = np.full(len(unsolved), -1, np.int32)
    for source, target in option_batches(rows, unsolved):
        stuck = unsolved[target]
        option[source[stuck]] = target[stuck]
    step: dict[int, int] = {}
    vertex = int(np.argmax(unsolved))
    while vertex not in step:
        step[vertex] = len(step)
        vertex = int(option[vertex])
    return np.array(list(step)[step[vertex] :])


class _Grouping:
    """The grouping of one spool's edges.

    ``vertices`` is the number of vertices. ``least`` is the smallest number in the spool, and ``edges`` are further
    arguments of :class:`Buckets`.
    """

    # The spool has edges between numbers in a range from ``least`` on. If some of these numbers do not occur, the file
    # ``ranks`` maps them to vertices.
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
        # Every thread needs memory for a bucket and for the degrees. If that is too much, use a single thread.
        self.cores = threads() if self._need(threads()) <= settings.memory else 1
        self._states: SimpleQueue[np.ndarray] = SimpleQueue()
        for _ in range(self.cores):
            self._states.put(np.zeros((vertices, 2), np.int32))
        if workdir.has("indices"):
            with self._state() as state:
                self._count(workdir.array("indices", np.int32), state)
        self._files = [workdir.file(name) for name in ("pointers", "indices", "roots")]

    def group(self, number: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Return the first vertex of a bucket, the pointers of its rows, and the rows."""
        bucket = self._first + number
        begin, end = (self._vertex(place << self._edges.bits) for place in (bucket, bucket + 1))
        self._check_memory(self._edges.size(bucket))
        source, target = map(self._numbers, self._edges.read(bucket))
        pointers, indices = self._grouped(source, target - np.int32(begin), begin, end - begin)
        return begin, pointers, indices

    def write(self, number: int, begin: int, pointers: np.ndarray, indices: np.ndarray) -> None:
        """Append the rows of a bucket to the work files, and record that it is finished."""
        kept = self._files[1].size // 4
        self._files[0].write(pointers[:-1] + kept)
        self._files[1].write(indices)
        # A vertex with an empty row has no predecessor: no move leads to it.
        self._files[2].write((np.flatnonzero(np.diff(pointers) == 0) + begin).astype(np.int32))
        self._workdir.record("group", {"buckets": number + 1}, *self._files)

    def finish(self) -> None:
        """Write the last pointer and the degrees, and record that all edges are grouped."""
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
        """Return the most bytes needed if ``cores`` buckets are grouped at a time, one waits, and one is written."""
        largest = max(map(self._edges.size, range(self._first, self._first + self.buckets)), default=0)
        return (cores + 2) * _BYTES_AN_EDGE * largest + cores * _BYTES_A_DEGREE * self._vertices

    def _vertex(self, place: int) -> int:
        """Return the first vertex whose number in the spool is ``place`` or higher."""
        above = place - self._least
        if self._ranks is None:
            return min(max(above, 0), self._vertices)
        return int(self._ranks[min(above, len(self._ranks)) - 1]) + 1 if above > 0 else 0

    def _numbers(self, places: np.ndarray) -> np.ndarray:
        """Return the vertices that numbers in the spool stand for. The array of numbers may be overwritten."""
        if self._least:
            places -= np.int32(self._least)
        return places if self._ranks is None else self._ranks[places]

    def _grouped(self, source: np.ndarray, target: np.ndarray, first: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the pointers and the rows of a bucket. Parallel edges are dropped, and out-degrees are counted."""
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
        """Lend working memory to a thread: for each vertex, the last target seen, and its out-degree so far.

        The degrees count only the buckets that used this memory; ``finish`` adds them up.
        """
        state = self._states.get()
        try:
            yield state
        finally:
            self._states.put(state)

    def _count(self, indices: np.ndarray, state: np.ndarray) -> None:
        """Add to the out-degree of each source in the rows."""
        for start in range(0, len(indices), _ENTRIES):
            part = indices[start : start + _ENTRIES]
            # A histogram costs time for every vertex; with few entries, adding one by one is faster.
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
