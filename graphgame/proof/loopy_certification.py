"""Few values that prove who wins a sum in a graph with cycles, the draw included.

What makes values prove each other there is stated in :mod:`graphgame.proof.loopy_justification`. A position of the
finite value k needs, for each i < k, an option of value i, and for each other option either its own smaller value, or a
move from it back to k that is counted before: the reply that the winner steers by. A position of infinite value needs
all its options.

Which reply is counted before which is not settled by that: a reply that was chosen for one position may do for another
as well, by another counter. So what is chosen is tried once more, each value for which something else may stand in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from graphgame.loopy.solution import LoopySolution
from graphgame.proof.justification import Claims
from graphgame.proof.loopy_justification import counted
from graphgame.proof.verification import verify

__all__ = ["proving_vertices"]


def proving_vertices(solution: LoopySolution) -> np.ndarray:
    """Choose the vertices whose values prove who wins the sum of the tokens; none of them can be left out.

    There are tokens, under misère play at most one, and no sum vertices then. Those of finite value come as they are
    counted, so that a move to a larger value is taken back by a move to a vertex that stands before; then those of
    infinite value.
    """
    choice = _Choice(solution)
    choice.choose(_final_sum(solution, choice.tokens))
    choice.drop_superfluous()
    grundy, nothing = np.where(choice.chosen, solution.grundy.array, np.int32(-1)), np.zeros(0)
    claims = Claims(grundy, nothing, nothing, int(solution.play == "misere"), solution.codes)
    return np.append(counted(solution.graph, claims), np.flatnonzero(grundy < -1))


def _final_sum(solution: LoopySolution, tokens: list[int]) -> list[int]:
    """Return the sum whose values tell who wins: the tokens' own, or one that the first player moves to."""
    graph = solution.graph
    moves = []
    if solution.winner == "first":
        moves = [(move.component, graph.number_of(move.end)) for move in solution.winning_moves()]
    if not moves:
        return [token for token in tokens if graph.out_degrees[token]]
    place, option = min(moves, key=lambda move: int(solution.counter.array[move[1]]))
    return [*(token for token in tokens[:place] + tokens[place + 1 :] if graph.out_degrees[token]), option]


class _Choice:
    """The choice of vertices, each with what its value needs."""

    def __init__(self, solution: LoopySolution) -> None:
        self._solution = solution
        self.tokens = [solution.graph.number_of(token) for token in solution.tokens or ()]
        self._graph = solution.graph
        self._values = solution.grundy.array
        self._counter = solution.counter.array
        self.chosen = np.zeros(len(self._graph), np.bool_)

    def choose(self, needed: Iterable[int]) -> None:
        """Choose these vertices and what proves their values: where several would do, the one counted first."""
        stack = list(dict.fromkeys(needed))
        self.chosen[stack] = True
        while stack:
            vertex = stack.pop()
            for candidates in self._needs(vertex, int(self._counter[vertex])):
                if not self.chosen[candidates].any():
                    stack.append(int(candidates[np.argmin(self._counter[candidates])]))
                    self.chosen[stack[-1]] = True

    def drop_superfluous(self) -> None:
        """Drop one by one what the proof does without, as there may be other counters, and other moves that win."""
        while True:
            reached, sole = self._reached()
            self.chosen &= reached
            for vertex in np.flatnonzero(self.chosen & ~sole).tolist():
                self.chosen[vertex] = False
                if self._proves():
                    break
                self.chosen[vertex] = True
            else:
                return

    def _reached(self) -> tuple[np.ndarray, np.ndarray]:
        """Mark what the chosen tokens and their options may need, and of that what has no substitute."""
        reached, sole = np.zeros((2, len(self.chosen)), np.bool_)
        reached[[vertex for token in self.tokens for vertex in (token, *self._graph.option_rows.row(token))]] = True
        with_moves = [token for token in self.tokens if self._graph.out_degrees[token]]
        sole[with_moves] = self._solution.winner != "first" or not self.chosen[with_moves].all()
        reached &= self.chosen
        stack = np.flatnonzero(reached).tolist()
        while stack:
            for candidates in self._needs(stack.pop(), len(self.chosen)):
                there = candidates[self.chosen[candidates]]
                sole[there] |= len(there) == 1
                stack += there[~reached[there]].tolist()
                reached[there] = True
        return reached, sole

    def _needs(self, vertex: int, before: int) -> Iterator[np.ndarray]:
        """Yield vertices of which the value of a vertex needs one; those that take a move back are counted before."""
        row, value = self._graph.option_rows.row(vertex), int(self._values[vertex])
        if value < 0 or self._is_sum(vertex):
            yield from row[:, None]
            return
        theirs = self._values[row]
        for smaller in range(value if len(row) else 0):
            yield row[theirs == smaller]
        for option, its in zip(row.tolist(), theirs.tolist(), strict=True):
            if self._is_sum(option):
                yield np.array([option])
            elif self._graph.out_degrees[option]:
                replies = self._graph.option_rows.row(option)
                replies = replies[(self._values[replies] == value) & (self._counter[replies] < before)]
                yield np.append(replies, option) if 0 <= its < value else replies

    def _is_sum(self, vertex: int) -> bool:
        return self._graph.sums is not None and bool(self._graph.sums[vertex])

    def _proves(self) -> bool:
        """Tell whether what is chosen proves the winner."""
        solution = self._solution
        claims = {
            position: solution.grundy[position] for position in self._graph.labels.take(np.flatnonzero(self.chosen))
        }
        report = verify(self._graph, claims, play=solution.play, tokens=solution.tokens, cycles="loopy")
        return bool(report) and report.winner == solution.winner
