"""Which vertices of a graph a picture shows, and equal positions drawn as one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphgame.drawing.options import PictureOptions
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows
from graphgame.labs.theory.reduction import Reduction, reduce
from graphgame.solution.solve import LoopySolution, Solution, solve

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


def merged(solution: Solution | None, graph: GameGraph, options: PictureOptions) -> Merged:
    """Merge equal positions; what was asked about is found again by what stands for it, and tokens keep their names."""
    reduction = _named(reduce(graph), [*options.around, *((graph if solution is None else solution).tokens or ())])
    image = reduction.image
    positions = slice(None) if graph.sums is None else ~graph.sums
    counts = np.bincount(image.array[positions], minlength=len(reduction.graph))
    around, reachable = (
        tuple(dict.fromkeys(map(image.__getitem__, places))) for places in (options.around, options.reachable_from)
    )
    options = replace(options, merge=False, around=around, reachable_from=reachable)
    if solution is None:
        return Merged(None, reduction.graph, options, counts)
    small = solve(
        reduction.graph,
        play=solution.play,
        tokens=None if solution.tokens is None else [image[token] for token in solution.tokens],
        engine=solution.engine,
        product_limit=solution.product_limit,
        cycles="loopy" if isinstance(solution, LoopySolution) else "error",
    )
    return Merged(small, small.graph, options, counts)


def _named(reduction: Reduction, places: Sequence[Hashable]) -> Reduction:
    """Return a reduction whose vertices are named as these positions; of several, as the first."""
    small, image = reduction.graph, reduction.image
    numbers = {small.number_of(image[place]): place for place in reversed(places)}
    names = small.labels.take(np.arange(len(small)))
    if all(names[number] == place for number, place in numbers.items()):
        return reduction
    for number, place in numbers.items():
        names[number] = place
    rows = small.option_rows
    tokens = None if small.tokens is None else [names[small.number_of(token)] for token in small.tokens]
    graph = GameGraph.from_arrays(rows.owners(), rows.indices, names, sums=small.sums, tokens=tokens)
    return Reduction(reduction.source, graph, image.array)
