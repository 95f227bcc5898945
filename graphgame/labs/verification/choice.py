"""The choice of the vertices whose values prove others: each demand is met by its last candidate, if by no other."""

from __future__ import annotations

import numpy as np

from graphgame.compiled.compiling import runner
from graphgame.labs.verification.kernels import Marks, Play, choose
from graphgame.solution.solve import LoopySolution, Solution

_LINKS = 1 << 12


def chosen_vertices(
    solution: Solution, order: np.ndarray, needed: np.ndarray, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mark those of the allowed vertices that prove the needed ones and themselves, and which have no substitute.

    In the order options come before the positions that move to them; where there are cycles it is that of a counter
    function, with the infinite values at its end. More may be ``needed`` afterwards than is chosen: parts of sums that
    are counted after them.
    """
    graph, vertices, loopy = solution.graph, len(order), isinstance(solution, LoopySolution)
    largest = int(solution.grundy.array.max(initial=0))
    # Nobody asks for an option of the value that stands for those that are not allowed.
    grundy = np.where(allowed, solution.grundy.array, np.int32(largest + 1))
    sums = np.zeros(vertices, np.bool_) if graph.sums is None else graph.sums
    rank = np.empty_like(order)
    rank[order] = np.arange(vertices, dtype=order.dtype)
    sole, chosen = np.zeros((2, vertices), np.bool_)
    head, met = np.full((2, vertices), -1, np.int32)
    last = np.tile(np.array([-1, 0, 0], np.int32), (largest + 1, 1))
    links = np.empty((0, 4), np.int32)
    play = Play(order, rank, *graph.option_rows, sums, grundy, loopy)
    marks = Marks(needed, sole, chosen, head, met, last)
    run = runner(choose, vertices + len(graph.option_rows.indices), solution.engine)
    at, used = vertices - 1, 0
    while at >= 0:
        more = len(links) + 2 * int(graph.out_degrees[order[at]]) + _LINKS
        links.resize((len(links) + more, 4), refcheck=False)
        at, used = run(play, marks, links, at, used)
    return chosen, sole
