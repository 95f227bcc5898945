"""Merge equal positions for a picture; tokens and positions named in options keep their names."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphgame.drawing.options import PictureOptions
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.theory.reduction import Reduction, reduce
from graphgame.solution.solve import LoopySolution, Solution, solve


def merged(solution: Solution | None, graph: GameGraph, options: PictureOptions) -> Merged:
    """Merge equal positions of a graph and solve the smaller graph, if the large one was solved.

    Positions named in the options are replaced by the vertices that stand for them. Tokens keep their names.
    """
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
    """Rename vertices of a reduction so that these positions keep their names; of merged ones, the first."""
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


class Merged(NamedTuple):
    """What is drawn in place of a solution and its graph, the options, and how many positions a vertex stands for."""

    solution: Solution | None
    graph: GameGraph
    options: PictureOptions
    counts: np.ndarray
