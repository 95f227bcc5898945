"""Levels of positions: how long play lasts at most, or where it need not end, how soon it is over."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np

from graphgame.arrays.backend.search import Breadth, Depth, sort
from graphgame.arrays.labels import Labels, as_labels
from graphgame.arrays.rows import Rows
from graphgame.errors import LimitError, Message
from graphgame.export.picture import GraphPicture
from graphgame.graph import GameGraph
from graphgame.loopy.solution import LoopySolution

__all__ = ["Levels", "drawn_levels", "levels"]


class Levels(NamedTuple):
    """The level of each vertex, -1 where there is none, and what a level is."""

    array: np.ndarray
    name: str


class _Rows(NamedTuple):
    """A graph by vertex numbers, each of which is its own label."""

    labels: Labels
    successor_rows: Rows
    predecessor_rows: Rows


def levels(picture: GraphPicture) -> Levels:
    """Return the longest plays; in a graph with cycles the remoteness, or without values the way to an end."""
    longest = picture.longest_plays()
    if longest is not None:
        return Levels(longest, Message("longest play"))
    if isinstance(picture.solution, LoopySolution):
        with suppress(LimitError):
            return Levels(picture.solution.remoteness.array, "remoteness")
    return _ways_down(picture.graph) or _ways_out(picture.graph)


def drawn_levels(picture: GraphPicture) -> Levels:
    """Return levels in which few moves lead up: the longest plays, where there are cycles without turning back."""
    longest = picture.longest_plays()
    if longest is not None:
        return Levels(longest, Message("longest play"))
    return _ways_down(picture.graph) or _opened(picture.graph)


def _ways_down(graph: GameGraph) -> Levels | None:
    """Return the longest ways to an end; None where there is a cycle."""
    order, ends = sort(_Rows(as_labels(len(graph)), graph.predecessor_rows, graph.option_rows))
    if len(order) < len(graph):
        return None
    array = np.empty(len(graph), np.int64)
    array[order] = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    return Levels(array, Message("longest way down"))


def _ways_out(graph: GameGraph) -> Levels:
    """Return the shortest ways to an end, -1 where there is none."""
    stops = np.flatnonzero(graph.option_rows.lengths() == 0).tolist()
    search = Breadth(graph.predecessor_rows, as_labels(len(graph)), stops)
    array = np.full(len(graph), -1, np.int64)
    array[stops] = 0
    reached = np.array(search.nodes(search.to(None)), np.int64)
    array[reached] = search.depths()[len(stops) :]
    return Levels(array, Message("shortest way to an end"))


def _opened(graph: GameGraph) -> Levels:
    """Return the longest ways in a graph with cycles without the moves back to where a search came from."""
    search = Depth(_Rows(as_labels(len(graph)), graph.option_rows, graph.predecessor_rows), None, None)
    place = np.empty(len(graph), np.int64)
    place[np.array(search.finished(), np.int64)] = np.arange(len(graph))
    source, target = graph.option_rows.owners(), graph.option_rows.indices
    onwards = place[target] < place[source]
    found = _ways_down(GameGraph.from_arrays(source[onwards], target[onwards], len(graph)))
    assert found is not None
    return Levels(found.array, Message("longest way without turning back"))
