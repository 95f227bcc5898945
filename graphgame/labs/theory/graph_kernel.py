"""The kernel of a graph without cycles: its P-positions."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from graphgame.errors import ParameterError
from graphgame.graph import LOONY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.solution.solve import solution_of


def kernel(game: GameLike) -> set[Hashable]:
    """Return the kernel of a graph without cycles: the set of its P-positions under normal play.

    A kernel is a set of positions with two properties: no move leads from a position of the set to a position of the
    set, and from every position outside the set some move leads into it. A graph without cycles has exactly one kernel.

    Parameters
    ----------
    game : GameLike

    Raises
    ------
    CycleError
        The graph has a cycle. Then there may be several kernels, or none.
    ParameterError
        The graph has sum vertices, whose moves are not in the graph. Or the rules decide that a position without moves
        is an N-position.

    Notes
    -----
    The time is O(n + m) for n positions and m moves.

    References
    ----------
    J. von Neumann, O. Morgenstern, Theory of Games and Economic Behavior (1944).

    Examples
    --------
    >>> import networkx as nx
    >>> sorted(kernel(nx.DiGraph([("a", "b"), ("b", "c"), ("a", "d")])))
    ['c', 'd']
    """
    solution = solution_of(GameGraph.of(game))  # normal play, even if ``game`` is a solution of misère play
    if solution.graph.sums is not None:
        raise ParameterError(
            "a kernel is a set of positions, but the graph has sum vertices: pass "
            "graphgame.solution.sums.product(graph)"
        )
    if solution.graph.decided is not None and (solution.graph.decided == LOONY).any():
        raise ParameterError(
            "the P-positions are not a kernel: the graph declares a position without moves an N-position"
        )
    return set(solution.graph.labels.take(np.flatnonzero(solution.outcome.array == "P")))
