"""An order of play: which vertices come before which, in any acyclic graph.

Nothing here is shared with the solver, so that what relies on it can check the solver.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import CycleError
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows


def play_order(graph: GameGraph) -> np.ndarray:
    """Return the vertex numbers in an order in which options come before the positions that move to them.

    Where there is none, a CycleError carries one cycle.

    Examples
    --------
    >>> play_order(GameGraph([("a", "b"), ("b", "c")])).tolist()
    [2, 1, 0]
    """
    own = getattr(graph, "play_order", None)  # a graph on disk has no rows of predecessors
    order: np.ndarray = ending_order(graph) if own is None else own()
    if len(order) < len(graph):
        endless = np.ones(len(graph), np.bool_)
        endless[order] = False

        def following(vertex: int) -> int:
            row = graph.option_rows.row(vertex)
            return int(row[np.argmax(endless[row])])

        raise CycleError(graph.labels.few(cycle_from(int(np.argmax(endless)), following)))
    return order


def ending_order(graph: GameGraph) -> np.ndarray:
    """Return the vertex numbers from which play must end, options before the positions that move to them.

    Examples
    --------
    >>> ending_order(GameGraph([("a", "b"), ("b", "a"), ("a", "end")])).tolist()
    [2]
    """
    return freed_order(graph.predecessor_rows, graph.out_degrees.copy())


def freed_order(rows: Rows, waiting: np.ndarray) -> np.ndarray:
    """Return the vertices in an order in which each comes after all those in whose rows it stands, as far as that goes.

    ``waiting`` holds how many rows each vertex stands in, and is used up.

    Examples
    --------
    >>> freed_order(Rows(np.array([0, 0, 1]), np.array([0])), np.array([1, 0])).tolist()
    [1, 0]
    """
    order = np.empty(len(waiting), np.int32)
    sort = runner(topological, len(rows.indices) + len(waiting))
    found, _ = sort(rows.pointers, rows.indices, waiting, order, None)
    return order[:found]


def cycle_from(vertex: int, following: Callable[[int], int]) -> list[int]:
    """Follow a step from each vertex until one comes again; return the vertices of the cycle, in the order of play.

    Examples
    --------
    >>> cycle_from(5, lambda vertex: vertex * vertex % 7)
    [4, 2]
    """
    places: dict[int, int] = {}
    while vertex not in places:
        places[vertex] = len(places)
        vertex = following(vertex)
    return [*places][places[vertex] :]


@compiled
def topological(pointers: Array, indices: Array, waits: Array, order: Array, ends: Array | None) -> tuple[int, int]:
    """Sort by generations; returns how many vertices and how many generations there are before the first cycle.

    ``waits`` holds the in-degrees and is used up; generation k is ``order[ends[k - 1]:ends[k]]``, if asked for.
    """
    found = 0
    for v in range(len(waits)):
        if waits[v] == 0:
            order[found] = v
            found += 1
    first = 0
    generations = 0
    while first < found:
        last = found
        if ends is not None:
            ends[generations] = last
        generations += 1
        for k in range(first, last):
            v = order[k]
            for e in range(pointers[v], pointers[v + 1]):
                w = indices[e]
                waits[w] -= 1
                if waits[w] == 0:
                    order[found] = w
                    found += 1
        first = last
    return found, generations
