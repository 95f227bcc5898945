"""Searches over a graph, by vertex numbers: what the functions of networkx are made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from graphgame.graph.components import Vertices, run_for
from graphgame.graph.labels import Labels
from graphgame.graph.play_order import topological
from graphgame.graph.rows import Rows
from graphgame.labs.backend import loops

FEW_ENTRIES = 128
"""Entries of rows that plain Python reads faster than the arrays of a compiled search are made."""

_FIRST_FOUND = 32
"""Vertices that a search in depth finds before it hands over the first."""


class Breadth:
    """A search level by level; it goes only as far as one asks, the first steps without the arrays of a large one."""

    def __init__(self, rows: Rows, labels: Labels, starts: list[int]) -> None:
        self._rows, self._labels, self._few = rows, labels, FEW_ENTRIES
        self.vertices = len(labels)
        self._queue: Any = starts.copy()
        self._parents: Any = starts.copy()
        self._ends: Any = [len(starts)]
        self._seen: Any = set(starts)
        self.level = 0

    def _further(self, levels: int) -> int:
        before = self.level
        ended = self._near(levels)
        if not ended and self.level < before + levels:
            rows, done = self._rows, self.level
            more = before + levels - done
            self.level += self._run(
                rows.pointers, rows.indices, self._queue, self._parents, self._seen, self._ends, done, more
            )
        return self.level - before

    def _near(self, levels: int) -> bool:
        """Search as ``loops.breadth_first`` does while there is little to read; tell whether that was all."""
        rows, until = self._rows, self.level + levels
        while isinstance(self._queue, list) and self.level < until:
            level = self._queue[self._ends[-2] if self.level else 0 :]
            self._few -= sum(map(rows.length, level)) if len(level) <= self._few else len(level)
            if not level:
                return True
            if self._few < 0:
                self._spread()
                return False
            for v in level:
                new = [w for w in dict.fromkeys(rows.row(v).tolist()) if w not in self._seen]
                self._seen.update(new)
                self._queue += new
                self._parents += [v] * len(new)
            self._ends.append(len(self._queue))
            self.level += 1
        return False

    def _spread(self) -> None:
        """Go on in arrays."""
        vertices, self._run = len(self._labels), run_for(loops.breadth_first, self._rows)
        found, parents, ends = self._queue, self._parents, self._ends
        self._queue, self._parents = np.empty(vertices, np.int32), np.empty(vertices, np.int32)
        self._seen, self._ends = np.zeros(vertices, np.bool_), np.empty(vertices + 2, np.int64)
        self._queue[: len(found)], self._parents[: len(found)], self._ends[: len(ends)] = found, parents, ends
        self._seen[found] = True

    def slices(self, limit: int | None = None) -> Iterator[slice]:
        """Yield which part of the queue is new, a level or, the longer it takes, many of them at a time."""
        limit = len(self._labels) if limit is None else limit
        levels = 1
        while self.level < limit:
            before = self.level
            if not self._further(min(levels, limit - before)):
                return
            yield slice(int(self._ends[before]), int(self._ends[self.level]))
            levels *= 2

    def to(self, limit: int | None) -> slice:
        """Search as many levels as there are or are allowed; return which part of the queue was reached."""
        self._further(len(self._labels) if limit is None else max(limit, 0))
        return slice(int(self._ends[0]), int(self._ends[self.level]))

    def nodes(self, part: slice) -> list[Hashable]:
        """Return the nodes of a part of the queue."""
        return self._named(self._queue[part])

    def edges(self, part: slice) -> Iterator[tuple[Hashable, Hashable]]:
        """Return the edges by which a part of the queue was found."""
        if isinstance(self._queue, list):
            return zip(*self.ends_of(part), strict=True)
        return self._labels.edges(*self.numbers(part))

    def ends_of(self, part: slice) -> tuple[list[Hashable], list[Hashable]]:
        """Return both ends of the edges by which a part of the queue was found."""
        return self._named(self._parents[part]), self._named(self._queue[part])

    def _named(self, numbers: Any) -> list[Hashable]:  # noqa: ANN401
        labels = self._labels
        return labels.few(numbers) if isinstance(numbers, list) else labels.take(numbers)

    def numbers(self, part: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return the same by vertex numbers."""
        return np.asarray(self._parents[part], np.int32), np.asarray(self._queue[part], np.int32)

    def layers(self) -> Iterator[list[Hashable]]:
        """Yield the levels after the first, as they are found."""
        level = self.level
        for part in self.slices():
            nodes, ends = self.nodes(part), (np.asarray(self._ends[level : self.level + 1]) - part.start).tolist()
            yield from (nodes[first:last] for first, last in pairwise(ends) if first < last)
            level = self.level

    def layer(self, level: int) -> list[Hashable]:
        """Return the nodes of one level."""
        return self.nodes(slice(int(self._ends[level - 1]) if level else 0, int(self._ends[level])))

    def ends(self) -> list[int]:
        """Return where each level of the queue ends."""
        return list(map(int, self._ends[: self.level + 1]))

    def depths(self) -> list[int]:
        """Return the level of every vertex of the queue."""
        ends = self.ends()
        return np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)).tolist()


class Depth:
    """A search in depth, from one vertex or from all in turn; it goes only as far as one asks."""

    def __init__(self, graph: Vertices, start: int | None, limit: int | None) -> None:
        vertices = len(graph.labels)
        self._rows, self._labels = graph.successor_rows, graph.labels
        self._run = run_for(loops.depth_first, self._rows)
        self._roots = vertices if start is None else start + 1
        self._limit = vertices if limit is None else limit
        state, seen = np.array([start or 0, 0, 0, 0], np.int64), np.zeros(vertices, np.bool_)
        stack, *found = np.empty((4, vertices), np.int32)
        self._found = loops.DepthSearch(state, seen, stack, np.empty(vertices, np.int64), *found)

    def slices(self) -> Iterator[slice]:
        """Yield which part of the order is new, more at a time the longer it takes."""
        before, until = 0, _FIRST_FOUND
        while (found := self._further(until)) == until:
            yield slice(before, found)
            before, until = found, 64 * until
        yield slice(before, found)

    def whole(self) -> slice:
        """Search to the end; return which part of the order was found, all of it."""
        return slice(0, self._further(len(self._found.seen) + 1))

    def _further(self, until: int) -> int:
        self._run(self._rows, self._roots, self._limit, until, self._found)
        return int(self._found.state[2])

    def nodes(self, part: slice) -> list[Hashable]:
        """Return the nodes of a part, in the order in which they were found."""
        return self._labels.take(self._found.order[part])

    def edges(self, part: slice) -> Iterator[tuple[Hashable, Hashable]]:
        """Return the edges by which a part was found."""
        return self._labels.edges(*self.numbers(part))

    def ends_of(self, part: slice) -> tuple[list[Hashable], list[Hashable]]:
        """Return both ends of the edges by which a part was found."""
        parents, found = self.numbers(part)
        return self._labels.take(parents), self._labels.take(found)

    def numbers(self, part: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return the same by vertex numbers."""
        order, parents = self._found.order[part], self._found.parents[part]
        moved = order != parents
        return parents[moved], order[moved]

    def left(self) -> np.ndarray:
        """Return the vertices in the order in which they were left for good."""
        self.whole()
        return self._found.finished[: int(self._found.state[3])]

    def finished(self) -> list[Hashable]:
        """Return the nodes in the order in which they were left for good."""
        return self._labels.take(self.left())


def sort(graph: Vertices) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices in topological order, those behind a cycle left out, and where each generation ends."""
    rows, vertices = graph.successor_rows, len(graph.labels)
    order, ends = np.empty(vertices, np.int32), np.empty(vertices, np.int64)
    waits = graph.predecessor_rows.lengths()
    found, generations = run_for(topological, rows)(rows.pointers, rows.indices, waits, order, ends)
    return order[:found], ends[:generations]


def weak(graph: Vertices) -> tuple[int, np.ndarray]:
    """Return how many weakly connected components there are, and the number of each vertex's, from 1."""
    rows, vertices = graph.successor_rows, np.arange(len(graph.labels), dtype=np.int32)
    above, run = vertices.copy(), run_for(loops.weak_components, rows)
    if run is loops.weak_components:
        run(*rows, *graph.predecessor_rows, above)
    else:
        _unite(rows, above)
    first = above == vertices
    return int(first.sum()), np.cumsum(first)[above]


def _unite(rows: Rows, above: np.ndarray) -> None:
    """Do as ``loops.weak_components`` does, all edges at once, until each joins vertices of one component."""
    source, target = rows.owners(), rows.indices
    while (above[source] != above[target]).any():
        starts, ends = above[source], above[target]
        np.minimum.at(above, starts, ends)
        np.minimum.at(above, ends, starts)
        while (above != (further := above[above])).any():
            above[:] = further
