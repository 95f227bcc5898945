"""Few values that prove who wins a sum in a graph with cycles, the draw included.

What makes values prove each other there is stated in :mod:`graphgame.proof.loopy_justification`. A position of the
finite value k needs, for each i < k, an option of value i, and for each other option either its own smaller value, or a
move from it back to k that is counted before: the reply that the winner steers by. A position of infinite value needs
all its options.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from graphgame.loopy.solution import LoopySolution

__all__ = ["proving_vertices"]


def proving_vertices(solution: LoopySolution) -> np.ndarray:
    """Choose the vertices whose values prove who wins the sum of the tokens.

    Parameters
    ----------
    solution : LoopySolution
        With tokens; under misère play at most one, and no sum vertices.

    Returns
    -------
    ndarray of int, shape (k,)
        Those of finite value as they are counted, so that a move to a larger value is taken back by a move to a vertex
        that stands before; then those of infinite value.
    """
    numbers = [solution.graph.number_of(token) for token in solution.tokens or ()]
    chosen = _Choice(solution).choose(_final_sum(solution, numbers))
    counter = solution.counter.array[chosen]
    infinite = solution.grundy.array[chosen] < 0
    return chosen[np.lexsort((counter, infinite))]


def _final_sum(solution: LoopySolution, tokens: list[int]) -> list[int]:
    """Return the sum whose values tell who wins: the tokens' own, or one that the first player moves to."""
    graph = solution.graph
    if solution.winner != "first" or not tokens or (len(tokens) == 1 and not graph.out_degrees[tokens[0]]):
        return [token for token in tokens if graph.out_degrees[token]]
    moves = [(move.component, graph.number_of(move.end)) for move in solution.winning_moves()]
    place, option = min(moves, key=lambda move: int(solution.counter.array[move[1]]))
    return [*tokens[:place], option, *tokens[place + 1 :]]


class _Choice:
    """The choice of vertices, each with what its value needs."""

    def __init__(self, solution: LoopySolution) -> None:
        self._graph = solution.graph
        self._values = solution.grundy.array
        self._counter = solution.counter.array
        self._chosen = np.zeros(len(self._graph), np.bool_)
        self._stack: list[int] = []

    def choose(self, needed: Iterable[int]) -> np.ndarray:
        """Return the numbers of these vertices and of all that prove their values, increasing."""
        self._need(needed)
        while self._stack:
            vertex = self._stack.pop()
            row, value = self._graph.options.row(vertex), int(self._values[vertex])
            if value < 0 or self._is_sum(vertex):
                self._need(row.tolist())
            elif len(row):
                self._need_smaller(row, value)
                for option in row.tolist():
                    self._need_reply(vertex, option, value)
        return np.flatnonzero(self._chosen)

    def _need(self, vertices: Iterable[int]) -> None:
        for vertex in vertices:
            if not self._chosen[vertex]:
                self._chosen[vertex] = True
                self._stack.append(vertex)

    def _need_smaller(self, row: np.ndarray, value: int) -> None:
        """Need an option of each smaller value."""
        theirs = self._values[row]
        for smaller in range(value):
            self._need_one(row[theirs == smaller])

    def _need_reply(self, vertex: int, option: int, value: int) -> None:
        """Need what shows that an option has another value: a move from it to this one, or its own value."""
        theirs = int(self._values[option])
        if self._chosen[option] and 0 <= theirs < value:
            return
        if self._is_sum(option):
            self._need([option])
        elif self._graph.out_degrees[option]:
            row = self._graph.options.row(option)
            replies = row[(self._values[row] == value) & (self._counter[row] < self._counter[vertex])]
            self._need_one(replies if len(replies) else np.array([option]))

    def _need_one(self, candidates: np.ndarray) -> None:
        """Need one vertex, of those that are not chosen yet the one counted first."""
        if not self._chosen[candidates].any():
            self._need([int(candidates[np.argmin(self._counter[candidates])])])

    def _is_sum(self, vertex: int) -> bool:
        return self._graph.sums is not None and bool(self._graph.sums[vertex])
