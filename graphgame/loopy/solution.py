"""LoopySolution: what is known about a solved graph in which play need not end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from graphgame import sprague_grundy
from graphgame.loopy.layers import layered_values, sum_layers
from graphgame.loopy.passes import forced_lengths, infinite_values, loopy_values
from graphgame.results import ValueCodes, VertexValues
from graphgame.solution import Solution
from graphgame.sprague_grundy import decisive_values, without_decisive


class LoopySolution(Solution):
    """A solved game with cycles; made by :func:`graphgame.solve` with ``cycles="loopy"``.

    A value is an int or a :class:`graphgame.Loopy`, an outcome "P", "N" or "D" (a draw: nobody can force an end).
    In the arrays an infinite value is -2 or less, the same for equal values; remoteness and birthday are -1, as a
    mapping None, where play need not end.

    Attributes
    ----------
    codes : ValueCodes
        What the values of -2 and less mean.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphgame import solve
    >>> solution = solve(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "end")]), cycles="loopy")
    >>> solution.grundy, solution.outcome["a"], solution.remoteness["a"]
    ({'a': 0, 'b': 1, 'end': 0}, 'P', 2)
    >>> solve(nx.DiGraph([(1, 2), (2, 1), (1, 3), (3, 4), (4, 3)]), cycles="loopy").grundy[1]
    inf()
    """

    _counter: np.ndarray

    def _solve(self) -> None:
        graph, terminal = self.graph, int(self.play == "misere")
        self._values, self._order = sprague_grundy.ending_values(graph, terminal=terminal, engine=self.engine)
        self._ends = _marked(self._order, len(graph))
        order, decisive = self._order, decisive_values(graph)
        if decisive is not None:
            graph = without_decisive(graph, decisive)
            self._values, order = sprague_grundy.ending_values(graph, engine=self.engine)
        self.codes = ValueCodes.of_graph(self.graph.decided)
        unsolved = np.flatnonzero(~_marked(order, len(graph)))
        open_sums = graph.sums is not None and bool(graph.sums[unsolved].any())
        layers = sum_layers(graph, unsolved) if open_sums and not terminal else None
        self._plays_out = graph.sums is not None and (bool(terminal) or (open_sums and layers is None))
        if self._plays_out:
            parts = self._parts
            assert isinstance(parts, LoopySolution)
            self.codes, self._values = parts.codes, self._from_product(parts._values)
            self._counter = self._from_product(parts._counter)
            return
        if layers is None:
            counted = loopy_values(graph, self._values, order, engine=self.engine)
            infinite_values(graph, self._values, self.codes)
        else:
            counted = layered_values(graph, self._values, order, layers, self.codes, engine=self.engine)
        self._counter = np.full(len(graph), -1, np.int32)
        self._counter[counted] = np.arange(len(counted))
        if decisive is not None:
            self._values = np.where(decisive, decisive, self._values)
            self._counter[decisive < 0] = -1

    @property
    def _expands(self) -> bool:
        return self._plays_out

    @cached_property
    def remoteness(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Position -> length of the game when the winner hurries and the loser delays; None for a draw."""
        if self.graph.sums is not None:
            return VertexValues(self.graph, self._from_product(self._parts.remoteness.array), _known)
        moves = forced_lengths(self.graph, misere=self.play == "misere", engine=self.engine)
        return VertexValues(self.graph, moves, _known)

    @cached_property
    def birthday(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Position -> length of the longest play; None where play need not end."""
        longest = sprague_grundy.birthday(self.graph, self._order, engine=self.engine)
        return VertexValues(self.graph, np.where(self._ends, longest, -1), _known)

    @cached_property
    def counter(self) -> VertexValues[int | None]:
        """Position -> its place in the order in which finite values were given; None where the value is infinite.

        A move from a value to a larger one can be undone, by a move back to the value with a smaller counter: so play
        that undoes such moves comes to an end.
        """
        return VertexValues(self.graph, self._counter, _known)

    def sum_remoteness(self) -> int | None:  # type: ignore[override]
        """Return the length of the tokens' game when the winner hurries and the loser delays; None for a draw."""
        return _known([super().sum_remoteness()])[0]


def _marked(vertices: np.ndarray, count: int) -> np.ndarray:
    marks = np.zeros(count, np.bool_)
    marks[vertices] = True
    return marks


def _known(lengths: Sequence[int]) -> list[int | None]:
    return [None if length < 0 else length for length in lengths]
