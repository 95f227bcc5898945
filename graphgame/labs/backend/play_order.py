"""Orders of the vertices in which each vertex comes after all its options, and cycles that prevent such an order.

The solver does not use this module. So checkers that use it are independent of the solver.
"""

from __future__ import annotations

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import CycleError
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows, cycle_among, marked


def play_order(graph: GameGraph) -> np.ndarray:
    """Return the vertex numbers in an order in which each vertex comes after all its options.

    If there is a cycle, raise CycleError with the positions of one.

    Examples
    --------
    >>> play_order(GameGraph([("a", "b"), ("b", "c")])).tolist()
    [2, 1, 0]
    """
    # A graph on disk has its own method, which needs no rows of predecessors.
    own_method = getattr(graph, "play_order", None)
    order: np.ndarray = ending_order(graph) if own_method is None else own_method()
    if len(order) < len(graph):
        # A vertex that is not in the order has an option that is not in it either. Such options lead to a cycle.
        raise CycleError(graph.labels.few(cycle_among(graph.option_rows, ~marked(order, len(graph)))))
    return order


def ending_order(graph: GameGraph) -> np.ndarray:
    """Return the numbers of the vertices from which play must end, each after all its options.

    Examples
    --------
    >>> ending_order(GameGraph([("a", "b"), ("b", "a"), ("a", "end")])).tolist()
    [2]
    """
    return freed_order(graph.predecessor_rows, graph.out_degrees.copy())


def freed_order(rows: Rows, waiting: np.ndarray) -> np.ndarray:
    """Return the vertices in topological order: each vertex comes before the vertices in its row.

    Vertices that are on a cycle, or can be reached from one, are left out. ``waiting`` has, for each vertex, how often
    it occurs in all rows. It is overwritten.

    Examples
    --------
    >>> freed_order(Rows(np.array([0, 0, 1]), np.array([0])), np.array([1, 0])).tolist()
    [1, 0]
    """
    order = np.empty(len(waiting), np.int32)
    sort = runner(topological, len(rows.indices) + len(waiting))
    count, _ = sort(rows.pointers, rows.indices, waiting, order, None)
    return order[:count]


@compiled
def topological(pointers: Array, indices: Array, waits: Array, order: Array, ends: Array | None) -> tuple[int, int]:
    """Write the vertices to ``order``, generation by generation; return the numbers of vertices and of generations.

    The first generation has the vertices without predecessors. Each next one has the vertices whose predecessors are
    all in earlier generations. Vertices on a cycle, or reachable from one, are left out. ``waits`` has the in-degrees,
    and is overwritten. Unless ``ends`` is None, it gets the ends of the generations: generation 0 is
    ``order[:ends[0]]``, and generation k is ``order[ends[k - 1]:ends[k]]``.
    """
    # waits[v] is the number of predecessors of v that the loop has not processed yet.
    count = 0
    for v in range(len(waits)):
        if waits[v] == 0:
            order[count] = v
            count += 1
    first = 0
    generations = 0
    while first < count:
        last = count
        if ends is not None:
            ends[generations] = last
        generations += 1
        for k in range(first, last):
            v = order[k]
            for e in range(pointers[v], pointers[v + 1]):
                w = indices[e]
                waits[w] -= 1
                if waits[w] == 0:
                    order[count] = w
                    count += 1
        first = last
    return count, generations
