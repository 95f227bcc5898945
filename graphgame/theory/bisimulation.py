"""Vertices that play cannot tell apart, in graphs with and without cycles: the coarsest stable partition."""

from __future__ import annotations

import numpy as np

from graphgame.arrays.rows import Rows
from graphgame.graph import GameGraph
from graphgame.loopy.passes import forced_lengths
from graphgame.proof.play_order import ending_order

__all__ = ["stable_classes"]


def stable_classes(graph: GameGraph, kinds: np.ndarray) -> np.ndarray:
    """Return the coarsest partition in which the vertices of a class have one kind and the same classes as options.

    A class counts once among the options of a position, and as often as it comes among the parts of a sum. Classes are
    numbered from 0.

    Notes
    -----
    The vertices from which play must end are numbered one by one, options first, in O(n + m) time for n vertices and m
    moves. Among the others, classes are split until they are stable; only vertices with an option whose class was split
    are looked at again, and the largest part of a class keeps its number where it may. So a round costs what it looks
    at, at most O(n + m log m); few rounds are usual, n are possible.

    References
    ----------
    R. Paige, R. E. Tarjan, Three partition refinement algorithms, SIAM J. Comput. 16 (1987). A. Dovier, C. Piazza,
    A. Policriti, An efficient algorithm for computing bisimulation equivalence, Theoret. Comput. Sci. 311 (2004).

    Examples
    --------
    >>> graph = GameGraph([(0, 1), (1, 0), (2, 2), (3, 2), (3, 4)])
    >>> stable_classes(graph, np.zeros(5, int)).tolist()
    [1, 1, 1, 2, 0]
    """
    order = ending_order(graph)
    classes = _ending_classes(graph, kinds, order)
    if len(order) < len(graph):
        _Refinement(graph, kinds, classes).run()
    return classes


def _ending_classes(graph: GameGraph, kinds: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the classes of vertices from which play must end, given options first; -1 for the others."""
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    classes, kind_of = [-1] * len(graph), kinds.tolist()
    is_sum = [False] * len(graph) if graph.sums is None else graph.sums.tolist()
    for vertex in order.tolist():
        ends = map(classes.__getitem__, graph.option_rows.row(vertex).tolist())
        key = kind_of[vertex], tuple(sorted(ends if is_sum[vertex] else set(ends)))
        classes[vertex] = numbers.setdefault(key, len(numbers))
    return np.array(classes, np.int64)


class _Refinement:
    """The classes of the vertices from which play need not end, split until they are stable.

    At the start they differ in kind and in how fast either player can force an end, which equal positions share.
    """

    def __init__(self, graph: GameGraph, kinds: np.ndarray, classes: np.ndarray) -> None:
        self._graph = graph
        self._classes = classes
        self._rest = np.flatnonzero(classes < 0)
        found = int(classes.max(initial=-1)) + 1
        starts = np.stack([kinds, forced_lengths(graph), forced_lengths(graph, misere=True)], axis=1)[self._rest]
        classes[self._rest] = found + _same_rows(starts)
        self._sizes = np.bincount(classes, minlength=len(graph) + 1)
        self._count = int(classes.max()) + 1

    def run(self) -> None:
        """Split the classes."""
        touched = self._rest
        while len(touched):
            moved = self._split(touched)
            touched = np.unique(self._graph.predecessor_rows.gather(moved)[1])

    def _split(self, touched: np.ndarray) -> np.ndarray:
        """Split classes by the options of some vertices; return the vertices whose class has a new number.

        The members of a class that are not touched have the same options still, and those touched have others.
        """
        before = self._classes[touched]
        signature = self._signatures(touched)
        width = len(touched) + 1
        parts, part_of, counts = np.unique(before * width + signature, return_inverse=True, return_counts=True)
        number = self._numbers(parts // width, counts)
        self._classes[touched] = number[part_of]
        moved: np.ndarray = touched[self._classes[touched] != before]
        return moved

    def _numbers(self, before: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return the numbers of the parts of classes: a new one, but the largest part keeps that of a whole class."""
        by_class = np.lexsort((counts, before))
        first = np.flatnonzero(np.diff(before, prepend=-1))
        largest = by_class[np.append(first[1:], len(before)) - 1]
        whole = np.add.reduceat(counts, first) == self._sizes[before[first]]
        fresh = np.ones(len(before), np.bool_)
        fresh[largest[whole]] = False
        number = before.copy()
        number[fresh] = np.arange(self._count, self._count + int(fresh.sum()))
        self._count += int(fresh.sum())
        self._sizes[before[first]] -= np.add.reduceat(counts * fresh, first)
        self._sizes[number[fresh]] = counts[fresh]
        return number

    def _signatures(self, vertices: np.ndarray) -> np.ndarray:
        """Return a number for each vertex, the same for those with the same classes as options."""
        owner, ends = self._graph.option_rows.gather(vertices)
        moves = owner * self._count + self._classes[ends]
        moves.sort()
        owner = moves // self._count
        kept = np.diff(moves, prepend=-1) > 0
        if self._graph.sums is not None:
            kept |= self._graph.sums[vertices[owner]]
        owner, ends = owner[kept], (moves % self._count)[kept]
        return _numbered(Rows(np.append(0, np.cumsum(np.bincount(owner, minlength=len(vertices)))), ends))


def _numbered(rows: Rows) -> np.ndarray:
    """Return a number for each row, the same for equal rows, smaller than the number of rows."""
    numbers, lengths = np.empty(len(rows.pointers) - 1, np.int64), rows.lengths()
    by_length = np.argsort(lengths, kind="stable")
    found = 0
    for alike in np.split(by_length, np.flatnonzero(np.diff(lengths[by_length])) + 1):
        numbers[alike] = found + _same_rows(rows.gather(alike)[1].reshape(len(alike), -1))
        found += len(alike)
    return numbers


def _same_rows(table: np.ndarray) -> np.ndarray:
    """Return a number for each row of a table, the same for equal rows."""
    order = np.lexsort(table.T[::-1]) if table.shape[1] > 1 else np.argsort(table[:, 0], kind="stable")
    new = (np.diff(table[order], axis=0) != 0).any(axis=1)
    numbers = np.empty(len(table), np.int64)
    numbers[order] = np.append(0, np.cumsum(new))
    return numbers
