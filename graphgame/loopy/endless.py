"""Sums that come back to themselves with one more component each time: their explicit product has no end."""

from __future__ import annotations

import numpy as np

from graphgame.errors import LimitError, shorten
from graphgame.graph import GameGraph
from graphgame.loopy.cycles import cycles_through_sums
from graphgame.sprague_grundy import ending_values

__all__ = ["refuse_endless_sums"]


def refuse_endless_sums(graph: GameGraph) -> None:
    """Refuse a graph whose explicit product has no end, for a sum comes back to itself with more components.

    Parameters
    ----------
    graph : GameGraph

    Raises
    ------
    LimitError
        Play leads from a part of a sum vertex to that sum again, and another part still has moves; or sums are parts
        of each other.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> labels, sums = ["start", "start + tail", "tail", "end"], np.array([False, True, False, False])
    >>> refuse_endless_sums(GameGraph.from_arrays([0, 1, 1, 2], [1, 0, 2, 3], labels, sums=sums))
    Traceback (most recent call last):
    ...
    graphgame.errors.LimitError: the sum 'start + tail' comes back to itself with one more component each time: ...
    """
    if graph.sums is None:
        return
    _, order = ending_values(graph)
    if len(order) == len(graph):
        return
    live_parts = _live_parts(graph, order)
    for component in cycles_through_sums(graph):
        sums = [vertex for vertex in component if graph.sums[vertex]]
        grows = [vertex for vertex in sums if live_parts[vertex] > 1]
        if grows:
            raise _endless(graph, grows[0], "comes back to itself with one more component each time")
        if sums == component:
            raise _endless(graph, sums[0], "is a part of itself")


def _live_parts(graph: GameGraph, order: np.ndarray) -> np.ndarray:
    """Return, for each sum vertex, how many of its parts have a move."""
    sums = graph.sums
    assert sums is not None
    live = graph.out_degrees > 0
    for vertex in order[sums[order]].tolist():
        live[vertex] = live[graph.options.row(vertex)].any()
    owner = np.repeat(np.arange(len(graph)), graph.options.lengths())
    return np.bincount(owner[live[graph.options.indices]], minlength=len(graph))


def _endless(graph: GameGraph, vertex: int, how: str) -> LimitError:
    return LimitError(
        f"the sum {shorten(graph.labels[vertex])} {how}: its positions have no end; give rules in which no part of a "
        "sum leads back to the sum, or which bound the components and write them all in one position"
    )
