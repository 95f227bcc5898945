"""Mark every wrong row of a values file, once the first one is known.

A row that fits its options may still be wrong if one of them is. So all values are worked out here, in an order of play
and by the definition. Nothing is shared with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.compiled.compiling import compiled, runner
from graphgame.errors import Message
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.verification.justification import Claims, position_text, why_unjustified


def true_claims(graph: GameGraph, order: np.ndarray, terminal: int) -> Claims:
    """Return the value, outcome and remoteness of every vertex of an acyclic graph.

    Parameters
    ----------
    graph : GameGraph
    order : ndarray
        The vertices in an order of play, see :func:`graphgame.graph.play_order.play_order`.
    terminal : {0, 1}
        The value of a position without options.

    Examples
    --------
    >>> true_claims(GameGraph([("a", "b"), ("a", "c"), ("b", "c")]), np.array([2, 1, 0]), 0).grundy.tolist()
    [2, 1, 0]
    """
    rows, size = graph.option_rows, len(graph)
    sums = np.zeros(size, np.bool_) if graph.sums is None else graph.sums
    found = Claims.nothing(size, terminal)
    seen = np.zeros(int(graph.out_degrees.max(initial=0)) + 1, np.int64)
    run = runner(_work_out, len(rows.indices) + size)
    run(order, rows.pointers, rows.indices, sums, seen, found.grundy, found.remoteness, terminal)
    return found._replace(outcome=np.where(found.grundy == 0, "P", "N"))


def wrong_vertices(claims: Claims, truth: Claims, order: np.ndarray, *, remoteness: bool) -> np.ndarray:
    """Return the vertices whose row is wrong, in an order of play."""
    wrong = (claims.grundy != -1) & (claims.grundy != truth.grundy)
    wrong |= (claims.outcome != "") & (claims.outcome != truth.outcome)
    if remoteness:
        wrong |= claims.remoteness != truth.remoteness
    marked: np.ndarray = order[wrong[order]]
    return marked


def why_wrong(graph: GameGraph, claims: Claims, truth: Claims, vertices: np.ndarray) -> Iterator[tuple[int, str]]:
    """Yield wrong vertices with the reason, given right values everywhere else."""
    for vertex in vertices.tolist():
        value = int(claims.grundy[vertex])
        if value < -1:
            yield vertex, Message("its value is infinite, but play must end there")
        elif value == -1:
            yield (
                vertex,
                Message("outcome {outcome}, but {why}", claims.outcome[vertex], _why_outcome(graph, truth, vertex)),
            )
        else:
            alone = truth._replace(
                grundy=truth.grundy.copy(), remoteness=truth.remoteness.copy(), outcome=claims.outcome
            )
            alone.grundy[vertex], alone.remoteness[vertex] = value, claims.remoteness[vertex]
            yield vertex, why_unjustified(graph, alone, vertex)


def _why_outcome(graph: GameGraph, truth: Claims, vertex: int) -> str:
    row = graph.option_rows.row(vertex)
    if graph.sums is not None and graph.sums[vertex]:
        return Message("the xor of its parts' values is {total}", truth.grundy[vertex])
    if len(row) == 0:
        return Message("it has no option, so it is {outcome}", truth.outcome[vertex])
    lost = row[truth.grundy[row] == 0]
    if len(lost):
        return Message("its option {option} is a P-position", position_text(graph, lost[0]))
    return Message("all its options are N-positions")


@compiled
def _work_out(
    order: np.ndarray,
    pointers: np.ndarray,
    options: np.ndarray,
    sums: np.ndarray,
    seen: np.ndarray,
    grundy: np.ndarray,
    remoteness: np.ndarray,
    terminal: int,
) -> int:
    """Fill in the value and the remoteness of every vertex; return how many there are."""
    for k in range(len(order)):
        v = order[k]
        start, end = pointers[v], pointers[v + 1]
        value, length = 0, 0
        if sums[v]:
            for e in range(start, end):
                value ^= grundy[options[e]]
        elif start == end:
            value = terminal
        else:
            for e in range(start, end):
                if grundy[options[e]] < len(seen):
                    seen[grundy[options[e]]] = k + 1
            while value < len(seen) and seen[value] == k + 1:
                value += 1
            # The winner takes the shortest way to a P-position, the loser the longest way of all.
            length = -1
            for e in range(start, end):
                other = remoteness[options[e]] + 1
                if value == 0:
                    length = max(length, other)
                elif grundy[options[e]] == 0 and (length < 0 or other < length):
                    length = other
        grundy[v] = value
        remoteness[v] = length
    return len(order)
