"""Breadth-first and depth-first searches by vertex numbers. ``functions`` uses them to do what networkx does.

The searches reach vertices in the same order as networkx. They are lazy: they search only as far as results are needed.
:func:`run_for` decides whether a loop over the rows of a graph runs compiled or in plain Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from graphgame.compiled.compiling import Loop, runner
from graphgame.graph import components
from graphgame.graph.components import Vertices
from graphgame.graph.labels import Labels
from graphgame.graph.rows import Rows
from graphgame.labs.backend import loops
from graphgame.labs.backend.play_order import topological

FEW_ENTRIES = 128
"""A search that reads at most about this many edges is faster in Python's lists than in arrays and a compiled loop."""

_FIRST_SLICE = 32
"""A depth-first search reaches this many vertices, or all if there are fewer, before it yields the first vertex."""


def run_for(loop: Loop, rows: Rows) -> Loop:
    """Return the loop to run over the rows: compiled or in plain Python, whichever is likely faster.

    Loading the compiled loop takes time. This pays if the rows are large. It also pays if the rows of earlier calls
    for this loop were large in total, because then more calls are likely to follow.
    """
    before, size = _size_before[loop], len(rows.indices) + len(rows.pointers)
    _size_before[loop] += size
    return runner(loop, max(size, _WEIGHT_OF_BEFORE * before))


_WEIGHT_OF_BEFORE = 4
"""The factor by which :func:`run_for` multiplies the total size of the rows of all earlier calls of a loop."""


_size_before: Counter[Callable[..., object]] = Counter()
"""Loop -> the total number of vertices and edges in the rows of all calls so far."""


class Breadth:
    """A lazy breadth-first search from the vertices ``starts``, along ``rows`` (of successors, or of predecessors).

    The starts are level 0, and level k + 1 has the vertices that are first reached from level k. The *queue* has
    all vertices in the order in which they were reached. A part of the queue is given as a slice. The attribute
    ``level`` is the number of the last complete level.
    """

    # The search begins with Python lists and a set. ``_budget`` is the number of edges that it may still read in lists,
    # at first FEW_ENTRIES. If the vertices of the last level, or the edges that lead from them, are more than this, the
    # search moves to arrays and ``loops.breadth_first`` before it reads these edges.
    def __init__(self, rows: Rows, labels: Labels, starts: list[int]) -> None:
        self._rows, self._labels, self._budget = rows, labels, FEW_ENTRIES
        self._queue: Any = starts.copy()
        self._parents: Any = starts.copy()
        self._ends: Any = [len(starts)]
        self._seen: Any = set(starts)
        self.level = 0

    def _further(self, levels: int) -> int:
        """Search ``levels`` further levels, or to the end; return the number of levels that were added.

        A search that comes to its end adds an empty level last, and the number includes it.
        """
        before = self.level
        is_complete = self._further_in_lists(levels)
        if not is_complete and self.level < before + levels:
            rows, level = self._rows, self.level
            remaining = before + levels - level
            self.level += self._run(
                rows.pointers, rows.indices, self._queue, self._parents, self._seen, self._ends, level, remaining
            )
        return self.level - before

    def _further_in_lists(self, levels: int) -> bool:
        """Search up to ``levels`` further levels in Python lists; do nothing if the search is in arrays already.

        Return True if the search came to its end before it added all these levels, otherwise False. If the last level
        has more vertices than ``_budget``, or more edges lead from them, move the search to arrays and stop.
        """
        rows, until = self._rows, self.level + levels
        while isinstance(self._queue, list) and self.level < until:
            level = self._queue[self._ends[-2] if self.level else 0 :]
            self._budget -= sum(map(rows.length, level)) if len(level) <= self._budget else len(level)
            if not level:
                return True
            if self._budget < 0:
                self._move_to_arrays()
                return False
            for v in level:
                new = [w for w in dict.fromkeys(rows.row(v).tolist()) if w not in self._seen]
                self._seen.update(new)
                self._queue += new
                self._parents += [v] * len(new)
            self._ends.append(len(self._queue))
            self.level += 1
        return False

    def _move_to_arrays(self) -> None:
        """Copy the search from Python lists to arrays, in which ``loops.breadth_first`` continues it."""
        vertices, self._run = len(self._labels), run_for(loops.breadth_first, self._rows)
        queue, parents, ends = self._queue, self._parents, self._ends
        self._queue, self._parents = np.empty(vertices, np.int32), np.empty(vertices, np.int32)
        self._seen, self._ends = np.zeros(vertices, np.bool_), np.empty(vertices + 2, np.int64)
        self._queue[: len(queue)], self._parents[: len(queue)], self._ends[: len(ends)] = queue, parents, ends
        self._seen[queue] = True

    def slices(self, limit: int | None = None) -> Iterator[slice]:
        """Continue the search up to the level ``limit`` (None: to its end); yield each new part of the queue.

        The first part has one level, and the next ones have 2, 4, 8, ... levels. The last part may have fewer, and may
        be empty. Level 0, the starts, is in none of them.
        """
        limit = len(self._labels) if limit is None else limit
        levels = 1
        while self.level < limit:
            before = self.level
            if not self._further(min(levels, limit - before)):
                return
            yield slice(int(self._ends[before]), int(self._ends[self.level]))
            levels *= 2

    def to(self, limit: int | None) -> slice:
        """Search ``limit`` more levels, or to the end if it is None; return the queue without the starts, as a slice.

        A negative limit counts as 0.
        """
        self._further(len(self._labels) if limit is None else max(limit, 0))
        return slice(int(self._ends[0]), int(self._ends[self.level]))

    def nodes(self, part: slice) -> list[Hashable]:
        """Return the nodes of a part of the queue."""
        return self._named(self._queue[part])

    def edges(self, part: slice) -> Iterator[tuple[Hashable, Hashable]]:
        """Return the edge (parent, node) by which each vertex in a part of the queue was reached.

        The part must not contain starts: no edge led to them.
        """
        if isinstance(self._queue, list):
            return zip(self._named(self._parents[part]), self.nodes(part), strict=True)
        return self._labels.edges(*self.numbers(part))

    def _named(self, numbers: Any) -> list[Hashable]:  # noqa: ANN401
        labels = self._labels
        return labels.few(numbers) if isinstance(numbers, list) else labels.take(numbers)

    def numbers(self, part: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays of vertex numbers: the parents of the vertices in a part of the queue, and the vertices.

        A start is its own parent.
        """
        return np.asarray(self._parents[part], np.int32), np.asarray(self._queue[part], np.int32)

    def layers(self) -> Iterator[list[Hashable]]:
        """Continue the search to its end; yield, for each new level that is not empty, a list of its nodes.

        Levels that were complete before this call, such as level 0, are not new.
        """
        level = self.level
        for part in self.slices():
            nodes, ends = self.nodes(part), (np.asarray(self._ends[level : self.level + 1]) - part.start).tolist()
            yield from (nodes[first:last] for first, last in pairwise(ends) if first < last)
            level = self.level

    def layer(self, level: int) -> list[Hashable]:
        """Return the nodes of the level with this number, which the search must have completed."""
        return self.nodes(slice(int(self._ends[level - 1]) if level else 0, int(self._ends[level])))

    def depths(self) -> list[int]:
        """Return the level of each vertex in the queue."""
        ends = self._ends[: self.level + 1]
        return np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)).tolist()


class Depth:
    """A lazy depth-first search along successors: from ``start`` or, if this is None, from each vertex in turn.

    A vertex that an earlier root reaches does not become a root. No vertex is reached at a depth of more than ``limit``
    below its root; a limit below 1 means 1, and None means no limit. The *order* has all vertices in the order in which
    they were reached. A part of the order is given as a slice.
    """

    def __init__(self, graph: Vertices, start: int | None, limit: int | None) -> None:
        vertices = len(graph.labels)
        self._rows, self._labels = graph.successor_rows, graph.labels
        self._run = run_for(loops.depth_first, self._rows)
        self._roots = vertices if start is None else start + 1
        self._limit = vertices if limit is None else limit
        state, seen = np.array([start or 0, 0, 0, 0], np.int64), np.zeros(vertices, np.bool_)
        stack, *orders = np.empty((4, vertices), np.int32)
        self._search = loops.DepthSearch(state, seen, stack, np.empty(vertices, np.int64), *orders)

    def slices(self) -> Iterator[slice]:
        """Continue the search to its end; yield each new part of the order.

        The parts end after 32, 2048, 131,072, ... vertices, each number 64 times the one before, and the last part at
        the end of the search. The last part may be empty.
        """
        before, until = 0, _FIRST_SLICE
        while (count := self._further(until)) == until:
            yield slice(before, count)
            before, until = count, 64 * until
        yield slice(before, count)

    def whole(self) -> slice:
        """Continue the search to its end; return the slice of the whole order."""
        return slice(0, self._further(len(self._search.seen) + 1))

    def _further(self, until: int) -> int:
        """Search until the order has ``until`` vertices, or to the end; return the number of vertices in the order."""
        self._run(self._rows, self._roots, self._limit, until, self._search)
        return int(self._search.state[2])

    def nodes(self, part: slice) -> list[Hashable]:
        """Return the nodes of a part of the order."""
        return self._labels.take(self._search.order[part])

    def edges(self, part: slice) -> Iterator[tuple[Hashable, Hashable]]:
        """Return the edge (parent, node) by which each vertex in a part of the order was reached; roots have none."""
        return self._labels.edges(*self.numbers(part))

    def numbers(self, part: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays of vertex numbers: the parents of the vertices in a part of the order, and these vertices.

        Roots have no parent, so both arrays leave them out.
        """
        order, parents = self._search.order[part], self._search.parents[part]
        has_parent = order != parents
        return parents[has_parent], order[has_parent]

    def postorder(self) -> np.ndarray:
        """Continue the search to its end; return the vertices in postorder: each after its descendants in the search.

        Vertices at the depth ``limit`` are left out.
        """
        self.whole()
        return self._search.finished[: int(self._search.state[3])]


def sort(graph: Vertices) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices in topological order, and the index in this array at which each generation ends.

    The first generation has the vertices without predecessors. Each next one has the vertices whose predecessors are
    all in earlier generations. Vertices on a cycle, and those that can be reached from one, are left out.
    """
    rows, vertices = graph.successor_rows, len(graph.labels)
    order, ends = np.empty(vertices, np.int32), np.empty(vertices, np.int64)
    waits = graph.predecessor_rows.lengths()
    count, generations = run_for(topological, rows)(rows.pointers, rows.indices, waits, order, ends)
    return order[:count], ends[:generations]


def strong(graph: Vertices) -> tuple[int, np.ndarray]:
    """Return the number of strongly connected components, and for each vertex the number of its component, from 1."""
    return components.strong(graph, run_for(components.strong_components, graph.successor_rows))


def weak(graph: Vertices) -> tuple[int, np.ndarray]:
    """Return the number of weakly connected components, and for each vertex the number of its component, from 1."""
    rows, vertices = graph.successor_rows, np.arange(len(graph.labels), dtype=np.int32)
    # above[v] becomes the least vertex in the component of v. If the loop would run as plain Python, numpy is faster.
    above, run = vertices.copy(), run_for(loops.weak_components, rows)
    if run is loops.weak_components:
        run(*rows, *graph.predecessor_rows, above)
    else:
        _unite(rows, above)
    # Components are numbered in the order of their least vertices.
    is_first = above == vertices
    return int(is_first.sum()), np.cumsum(is_first)[above]


def _unite(rows: Rows, above: np.ndarray) -> None:
    """Set ``above[v]``, at first v, to the least vertex in the weakly connected component of v, with numpy.

    Each round works on all edges at once.
    """
    # At the start of a round above[v] is a root: above[root] == root. For each edge, whose ends have the roots r and s,
    # the round lowers above[r] and above[s] to the smaller of r and s. Then it replaces above[v] by above[above[v]]
    # until nothing changes.
    source, target = rows.row_indices(), rows.indices
    while (above[source] != above[target]).any():
        starts, ends = above[source], above[target]
        np.minimum.at(above, starts, ends)
        np.minimum.at(above, ends, starts)
        while (above != (further := above[above])).any():
            above[:] = further
