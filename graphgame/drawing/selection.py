"""Which vertices of a graph a picture shows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from graphgame.drawing.options import PictureOptions
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows
from graphgame.solution.solve import Solution

PICTURE_A_PART = "around=[position], steps=2 (--around POSITION --steps 2)"
KEEP_A_PART = "reachable_from=[position] (--reachable-from POSITION)"
"""How messages tell to have less."""


def select(graph: GameGraph, outcome: np.ndarray | None, options: PictureOptions) -> np.ndarray | None:
    """Return a mask of the vertices that every option lets through, or None for all vertices.

    ``outcome`` is needed for ``only``. O(n + m) time, n bytes for each option in use.
    """
    masks = []
    if options.reachable_from:
        masks.append(_spread(graph.option_rows, _numbers(graph, options.reachable_from)))
    if options.around:
        start = _numbers(graph, options.around)
        ahead = _spread(graph.option_rows, start, options.steps)
        masks.append(ahead | _spread(graph.predecessor_rows, start, options.steps))
    if options.only and outcome is not None:
        masks.append(outcome == options.only)
    return np.logical_and.reduce(masks) if masks else None


def _numbers(graph: GameGraph, positions: Iterable[Hashable]) -> list[int]:
    return [graph.number_of(position) for position in positions]


def _spread(rows: Rows, start: list[int], steps: int | None = None) -> np.ndarray:
    """Mark what the rows reach in at most so many steps."""
    reached = np.zeros(len(rows.pointers) - 1, np.bool_)
    reached[start] = True
    front = list(dict.fromkeys(start))
    while front and steps != 0:
        following: list[int] = []
        for vertex in front:
            row = rows.row(vertex)
            new = row[~reached[row]]
            reached[new] = True
            following += new.tolist()
        front = following
        steps = None if steps is None else steps - 1
    return reached


class Merged(NamedTuple):
    """What is drawn in place of a solution and its graph, the options, and how many positions a vertex stands for."""

    solution: Solution | None
    graph: GameGraph
    options: PictureOptions
    counts: np.ndarray
