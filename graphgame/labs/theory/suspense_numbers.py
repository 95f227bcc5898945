"""Suspense: how long a game lasts when the winner takes their time and the loser hurries."""

from __future__ import annotations

import numpy as np

from graphgame.compiled.compiling import compiled, runner
from graphgame.errors import ParameterError
from graphgame.graph.gamegraph import GameLike
from graphgame.labs.backend.play_order import play_order
from graphgame.solution.results import VertexValues
from graphgame.solution.solve import solution_of


def suspense(game: GameLike) -> VertexValues[int]:
    """Return the suspense number of every position.

    It is the number of moves if the winner delays and the loser hurries; for remoteness the winner hurries and the
    loser delays. A position without moves has suspense number 0. If some options are P-positions, the suspense number
    is one more than the greatest suspense number of these options. Otherwise it is one more than the least suspense
    number of all options.

    Parameters
    ----------
    game : GameLike
        A solution under normal or misère play; a graph is solved for normal play.

    Returns
    -------
    mapping of position to int
        Its attribute ``array`` has the suspense numbers by vertex number, as int32.

    Raises
    ------
    CycleError
        The graph has a cycle.
    ParameterError
        The graph has sum vertices.

    Notes
    -----
    The time is O(n + m) for n positions and m moves.

    References
    ----------
    J. H. Conway, On Numbers and Games (1976), chapter 14.

    Examples
    --------
    >>> from graphgame import GameGraph, solve
    >>> heap = GameGraph({n: range(n) for n in range(1, 5)})
    >>> suspense(solve(heap))[4], suspense(solve(heap, misere=True))[4]
    (1, 2)
    """
    solution = solution_of(game)
    graph = solution.graph
    if graph.sums is not None:
        raise ParameterError(
            "only positions have suspense numbers, but the graph has sum vertices: pass "
            "graphgame.solution.sums.product(graph)"
        )
    rows, is_p = graph.predecessor_rows, solution.outcome.array == "P"
    order = play_order(graph)
    moves = np.zeros(len(graph), np.int32)
    runner(_pass, len(rows.indices) + len(graph), solution.engine)(rows.pointers, rows.indices, order, is_p, moves)
    return VertexValues(graph, moves)


@compiled
def _pass(
    pointers: np.ndarray, predecessors: np.ndarray, order: np.ndarray, is_p: np.ndarray, moves: np.ndarray
) -> None:
    """Fill in ``moves``, the suspense numbers, which start as zeros.

    ``pointers`` and ``predecessors`` are the predecessors of all vertices in CSR form. ``order`` has each vertex after
    its options; ``is_p`` marks the P-positions.
    """
    # When the loop reaches a vertex, the vertex's number is final, and updates the numbers of the predecessors. The
    # number of an N-position with moves is 1 more than the greatest number of its options that are P-positions. The
    # number of a P-position with moves is 1 more than the least number of its options.
    for vertex in order:
        after = moves[vertex] + 1
        for entry in range(pointers[vertex], pointers[vertex + 1]):
            before = predecessors[entry]
            if not is_p[before]:
                if is_p[vertex] and after > moves[before]:
                    moves[before] = after
            elif moves[before] == 0 or after < moves[before]:
                moves[before] = after
