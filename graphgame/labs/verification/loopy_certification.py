"""Few values that prove who wins a sum in a graph with cycles, the draw included.

What makes values prove each other there is stated in :mod:`graphgame.labs.verification.loopy_justification`. A position
of the finite value k needs, for each i < k, an option of value i, and for each other option either its own smaller
value, or a move from it back to k that is counted before: the reply that the winner steers by. A position of infinite
value needs all its options.

Which reply is counted before which is not settled by that: a reply that was chosen for one position may do for another
as well, by another counter. So what is chosen is tried once more, each value for which something else may stand in.
"""

from __future__ import annotations

import numpy as np

from graphgame.labs.verification.choice import chosen_vertices
from graphgame.labs.verification.justification import Claims
from graphgame.labs.verification.loopy_justification import counted
from graphgame.labs.verification.verification import verify
from graphgame.solution.solve import LoopySolution


def proving_vertices(solution: LoopySolution) -> np.ndarray:
    """Choose the vertices whose values prove who wins the sum of the tokens; none of them can be left out.

    There are tokens, under misère play at most one, and no sum vertices then. Those of finite value come as they are
    counted, so that a move to a larger value is taken back by a move to a vertex that stands before; then those of
    infinite value.
    """
    choice = _Choice(solution)
    choice.choose(_final_sum(solution, choice.tokens))
    choice.drop_superfluous()
    claims = choice.claims()
    return np.append(counted(solution.graph, claims), np.flatnonzero(claims.grundy < -1))


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
    """The choice of vertices: at first by the counter of all, and then by what those that are chosen leave room for."""

    def __init__(self, solution: LoopySolution) -> None:
        graph = solution.graph
        self._solution = solution
        self.tokens = [graph.number_of(token) for token in solution.tokens or ()]
        self._graph = graph
        self._whole = (solution.grundy.array < 0) | (False if graph.sums is None else graph.sums)
        self.chosen = np.ones(len(graph), np.bool_)

    def choose(self, wanted: list[int]) -> np.ndarray:
        """Choose, of what is chosen, these vertices and what proves their values; mark what has no substitute."""
        counts = counted(self._graph, self.claims())
        others = np.ones(len(self.chosen), np.bool_)
        others[counts] = False
        order = np.append(counts, np.flatnonzero(others).astype(counts.dtype))
        needed, chosen, sole, all_sole = np.zeros((4, len(order)), np.bool_)
        needed[wanted] = True
        self._need_options(needed, all_sole)
        while (needed & ~chosen).any():
            chosen, sole = chosen_vertices(self._solution, order, needed, self.chosen)
            self._need_options(needed, all_sole)
        self.chosen = chosen
        return sole | all_sole

    def _need_options(self, needed: np.ndarray, sole: np.ndarray) -> None:
        """Need all options of what is needed and infinite, and all parts of sums; nothing may stand in for them."""
        stack = np.flatnonzero(needed & self._whole).tolist()
        while stack:
            row = self._graph.option_rows.row(stack.pop())
            new = row[~needed[row]]
            needed[row] = sole[row] = True
            stack += new[self._whole[new]].tolist()

    def drop_superfluous(self) -> None:
        """Drop one by one what the proof does without, as there may be other counters, and other moves that win."""
        while True:
            with_moves = [token for token in self.tokens if self._graph.out_degrees[token]]
            tied = self._solution.winner != "first" or not self.chosen[with_moves].all()
            ends = {vertex for token in self.tokens for vertex in (token, *self._graph.option_rows.row(token).tolist())}
            sole = self.choose([vertex for vertex in ends if self.chosen[vertex]])
            sole[with_moves] |= tied
            for vertex in np.flatnonzero(self.chosen & ~sole).tolist():
                self.chosen[vertex] = False
                if self._proves():
                    break
                self.chosen[vertex] = True
            else:
                return

    def claims(self) -> Claims:
        """Return the values of what is chosen, as claims."""
        solution, nothing = self._solution, np.zeros(0)
        grundy = np.where(self.chosen, solution.grundy.array, np.int32(-1))
        return Claims(grundy, nothing, nothing, int(solution.play == "misere"), solution.codes)

    def _proves(self) -> bool:
        """Tell whether what is chosen proves the winner."""
        solution = self._solution
        claims = {
            position: solution.grundy[position] for position in self._graph.labels.take(np.flatnonzero(self.chosen))
        }
        report = verify(self._graph, claims, play=solution.play, tokens=solution.tokens, cycles="loopy")
        return bool(report) and report.winner == solution.winner
