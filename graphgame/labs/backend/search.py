"""Breadth-first and depth-first searches by vertex numbers, from which the functions of networkx are built.

They find vertices in the same order as networkx. Both are lazy: they search only as far as results are needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from graphgame.graph.components import Vertices, run_for
from graphgame.graph.labels import Labels
from graphgame.graph.rows import Rows
from graphgame.labs.backend import loops
from graphgame.labs.backend.play_order import topological

FEW_ENTRIES = 128
"""Entries that plain Python reads in less time than it takes to create the arrays of a compiled search."""

_FIRST_FOUND = 32
"""Vertices that a depth-first search finds before it yields the first."""


class Breadth:
    """A lazy breadth-first search from some vertices, along the given rows.

    The queue has the vertices in the order found, the starts first. Attribute ``level`` is the last complete level.
    """

    # The search begins with Python lists and a set. Once it has read FEW_ENTRIES entries, it moves to arrays and to the
    # compiled loop; ``_few`` is what is left of them.
    def __init__(self, rows: Rows, labels: Labels, starts: list[int]) -> None:
        self._rows, self._labels, self._few = rows, labels, FEW_ENTRIES
        self.vertices = len(labels)
        self._queue: Any = starts.copy()
        self._parents: Any = starts.copy()
        self._ends: Any = [len(starts)]
        self._seen: Any = set(starts)
        self.level = 0

    def _further(self, levels: int) -> int:
        """Search up to this many further levels; return how many were found."""
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
        """Search on Python lists, as ``loops.breadth_first`` does; return True if the search is complete.

        Stop when the budget of entries is used up, or when the search is in arrays already.
        """
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
        """Move the search from Python lists to arrays."""
        vertices, self._run = len(self._labels), run_for(loops.breadth_first, self._rows)
        found, parents, ends = self._queue, self._parents, self._ends
        self._queue, self._parents = np.empty(vertices, np.int32), np.empty(vertices, np.int32)
        self._seen, self._ends = np.zeros(vertices, np.bool_), np.empty(vertices + 2, np.int64)
        self._queue[: len(found)], self._parents[: len(found)], self._ends[: len(ends)] = found, parents, ends
        self._seen[found] = True

    def slices(self, limit: int | None = None) -> Iterator[slice]:
        """Yield the new parts of the queue: one level at first, then 2, 4, 8, ... levels at a time."""
        limit = len(self._labels) if limit is None else limit
        levels = 1
        while self.level < limit:
            before = self.level
            if not self._further(min(levels, limit - before)):
                return
            yield slice(int(self._ends[before]), int(self._ends[self.level]))
            levels *= 2

    def to(self, limit: int | None) -> slice:
        """Search all levels, or up to the limit; return the part of the queue after the starts."""
        self._further(len(self._labels) if limit is None else max(limit, 0))
        return slice(int(self._ends[0]), int(self._ends[self.level]))

    def nodes(self, part: slice) -> list[Hashable]:
        """Return the nodes of a part of the queue."""
        return self._named(self._queue[part])

    def edges(self, part: slice) -> Iterator[tuple[Hashable, Hashable]]:
        """Return the edges (parent, node) by which a part of the queue was found."""
        if isinstance(self._queue, list):
            return zip(self._named(self._parents[part]), self.nodes(part), strict=True)
        return self._labels.edges(*self.numbers(part))

    def _named(self, numbers: Any) -> list[Hashable]:  # noqa: ANN401
        labels = self._labels
        return labels.few(numbers) if isinstance(numbers, list) else labels.take(numbers)

    def numbers(self, part: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return the parents and the nodes of a part of the queue, as vertex numbers."""
        return np.asarray(self._parents[part], np.int32), np.asarray(self._queue[part], np.int32)

    def layers(self) -> Iterator[list[Hashable]]:
        """Yield the nodes of each level after the starts, as soon as it is found."""
        level = self.level
        for part in self.slices():
            nodes, ends = self.nodes(part), (np.asarray(self._ends[level : self.level + 1]) - part.start).tolist()
            yield from (nodes[first:last] for first, last in pairwise(ends) if first < last)
            level = self.level

    def layer(self, level: int) -> list[Hashable]:
        """Return the nodes of one level."""
        return self.nodes(slice(int(self._ends[level - 1]) if level else 0, int(self._ends[level])))

    def ends(self) -> list[int]:
        """Return the index in the queue at which each level ends."""
        return list(map(int, self._ends[: self.level + 1]))

    def depths(self) -> list[int]:
        """Return the level of each vertex of the queue."""
        ends = self.ends()
        return np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)).tolist()


class Depth:
    """A lazy depth-first search, from one vertex or from all vertices in turn. ``limit`` bounds the depth."""

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
        """Yield the new parts of the order: 32 vertices at first, then 64 times as far each time."""
        before, until = 0, _FIRST_FOUND
        while (found := self._further(until)) == until:
            yield slice(before, found)
            before, until = found, 64 * until
        yield slice(before, found)

    def whole(self) -> slice:
        """Search to the end; return all of the order as a slice."""
        return slice(0, self._further(len(self._found.seen) + 1))

    def _further(self, until: int) -> int:
        """Search until this many vertices are found, or all; return how many are found."""
        self._run(self._rows, self._roots, self._limit, until, self._found)
        return int(self._found.state[2])

    def nodes(self, part: slice) -> list[Hashable]:
        """Return the nodes of a part of the order, as they were found."""
        return self._labels.take(self._found.order[part])

    def edges(self, part: slice) -> Iterator[tuple[Hashable, Hashable]]:
        """Return the edges (parent, node) by which a part of the order was found."""
        return self._labels.edges(*self.numbers(part))

    def ends_of(self, part: slice) -> tuple[list[Hashable], list[Hashable]]:
        """Return the parents and the nodes of a part of the order, as two lists, without the roots."""
        parents, found = self.numbers(part)
        return self._labels.take(parents), self._labels.take(found)

    def numbers(self, part: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return the parents and the nodes of a part of the order, as vertex numbers, without the roots."""
        order, parents = self._found.order[part], self._found.parents[part]
        moved = order != parents
        return parents[moved], order[moved]

    def left(self) -> np.ndarray:
        """Return the vertices in postorder."""
        self.whole()
        return self._found.finished[: int(self._found.state[3])]

    def finished(self) -> list[Hashable]:
        """Return the nodes in postorder."""
        return self._labels.take(self.left())


def sort(graph: Vertices) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices in topological order, and the index at which each generation ends.

    Vertices that follow a cycle are left out.
    """
    rows, vertices = graph.successor_rows, len(graph.labels)
    order, ends = np.empty(vertices, np.int32), np.empty(vertices, np.int64)
    waits = graph.predecessor_rows.lengths()
    found, generations = run_for(topological, rows)(rows.pointers, rows.indices, waits, order, ends)
    return order[:found], ends[:generations]


def weak(graph: Vertices) -> tuple[int, np.ndarray]:
    """Return the number of weakly connected components, and for each vertex the number of its component, from 1."""
    rows, vertices = graph.successor_rows, np.arange(len(graph.labels), dtype=np.int32)
    above, run = vertices.copy(), run_for(loops.weak_components, rows)
    if run is loops.weak_components:
        run(*rows, *graph.predecessor_rows, above)
    else:
        _unite(rows, above)
    # Each component is represented by its first vertex, so components are numbered in the order of these.
    first = above == vertices
    return int(first.sum()), np.cumsum(first)[above]


def _unite(rows: Rows, above: np.ndarray) -> None:
    """Compute in numpy what ``loops.weak_components`` does, with all edges at once in each round."""
    # Each round lowers the representatives at both ends of the edges, then follows chains of them to their ends.
    source, target = rows.owners(), rows.indices
    while (above[source] != above[target]).any():
        starts, ends = above[source], above[target]
        np.minimum.at(above, starts, ends)
        np.minimum.at(above, ends, starts)
        while (above != (further := above[above])).any():
            above[:] = further
