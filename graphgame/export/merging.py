"""Equal positions drawn as one."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphgame.export.options import PictureOptions
from graphgame.graph import GameGraph
from graphgame.loopy.solution import LoopySolution
from graphgame.solution import Solution, solve
from graphgame.theory.reduction import reduce

__all__ = ["Merged", "merged"]


class Merged(NamedTuple):
    """What is drawn in place of a solution and its graph, the options, and how many positions a vertex stands for."""

    solution: Solution | None
    graph: GameGraph
    options: PictureOptions
    counts: np.ndarray


def merged(solution: Solution | None, graph: GameGraph, options: PictureOptions) -> Merged:
    """Merge equal positions; what was asked about is found again by what stands for it."""
    reduction = reduce(graph)
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
