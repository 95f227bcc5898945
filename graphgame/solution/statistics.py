"""Figures about a game: its size and shape, how its values are spread, and what solving it takes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.engine import MOST_THREADS
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.solution.results import ValueCount
from graphgame.solution.solve import LoopySolution, solution_of

__all__ = ["Level", "Memory", "Statistics", "graph_statistics"]


class Level(NamedTuple):
    """The vertices from which the longest play has the same length."""

    birthday: int
    vertices: int


class Memory(NamedTuple):
    """Bytes that arrays take; names of positions that are not integers come on top.

    Attributes
    ----------
    reading : int
        At the peak, from two columns of edges to the graph.
    graph : int
        What the graph keeps.
    solving : int
        At the peak of the pass, the graph included.
    """

    reading: int
    graph: int
    solving: int


@dataclass(frozen=True)
class Statistics:
    """What :func:`graph_statistics` counts.

    Attributes
    ----------
    misere : bool
    vertices, edges : int
    sums : int
        How many of the vertices are sums.
    sources, terminals, isolated : int
        Vertices that no edge leads to, that no edge leaves, and both.
    tokens : int or None
    p_positions, n_positions, d_positions : int
        Sums are not counted.
    kernel : int or None
        Size of the graph's only kernel: the P-positions. None under misère play and with sum vertices, where the
        P-positions are no kernel of the graph, and with cycles, where there may be another kernel or none.
    depth : int or None
        The length of the longest play; None where play need not end.
    endless : int
        Vertices from which play need not end; they have no birthday.
    widest_level : Level or None
        None in a graph without vertices.
    birthdays, out_degrees, values : dict of int to ValueCount
        How many vertices (of the values: positions) have each, in increasing order, and the first that does; infinite
        values, :class:`graphgame.solution.results.Loopy`, come last.
    memory : Memory
    """

    misere: bool
    vertices: int
    edges: int
    sums: int
    sources: int
    terminals: int
    isolated: int
    tokens: int | None
    p_positions: int
    n_positions: int
    d_positions: int
    kernel: int | None
    depth: int | None
    endless: int
    widest_level: Level | None
    birthdays: dict[int, ValueCount]
    out_degrees: dict[int, ValueCount]
    values: dict[Any, ValueCount]
    memory: Memory


def graph_statistics(game: GameLike) -> Statistics:
    """Count what there is to count about a game.

    Parameters
    ----------
    game : GameLike
        A graph is solved for normal play.

    Returns
    -------
    Statistics

    Raises
    ------
    CycleError, UndirectedGraphError
        The graph cannot be solved.
    LimitError
        The longest play of some sum has 2**63 moves or more.

    Notes
    -----
    O(n log n + m) time.

    References
    ----------
    J. von Neumann, O. Morgenstern, Theory of Games and Economic Behavior (1944): an acyclic graph has one kernel.

    Examples
    --------
    >>> figures = graph_statistics([("a", "b"), ("a", "c"), ("b", "c"), ("d", "c")])
    >>> figures.vertices, figures.depth, figures.widest_level, figures.kernel
    (4, 2, Level(birthday=1, vertices=2), 1)
    >>> figures.values[1]
    ValueCount(count=2, example='b')
    """
    solution = solution_of(game)
    graph, counts = solution.graph, solution.counts()
    sums = 0 if graph.sums is None else int(graph.sums.sum())
    no_way_in, no_way_out = graph.predecessor_rows.lengths() == 0, graph.out_degrees == 0
    birthdays = _histogram(graph, solution.birthday.array)
    endless = birthdays.pop(-1, ValueCount(0, None)).count
    acyclic = not isinstance(solution, LoopySolution)
    level = max(birthdays, key=lambda birthday: birthdays[birthday].count, default=None)
    return Statistics(
        misere=solution.misere,
        vertices=len(graph),
        edges=graph.number_of_edges(),
        sums=sums,
        sources=int(no_way_in.sum()),
        terminals=int(no_way_out.sum()),
        isolated=int((no_way_in & no_way_out).sum()),
        tokens=None if solution.tokens is None else len(solution.tokens),
        p_positions=counts.p_positions,
        n_positions=counts.n_positions,
        d_positions=counts.d_positions,
        kernel=counts.p_positions if acyclic and not solution.misere and not sums else None,
        depth=max(birthdays, default=0) if acyclic else None,
        endless=endless,
        widest_level=None if level is None else Level(level, birthdays[level].count),
        birthdays=birthdays,
        out_degrees=_histogram(graph, graph.out_degrees),
        values=counts.histogram,
        memory=_memory(graph),
    )


def _histogram(graph: GameGraph, array: np.ndarray) -> dict[int, ValueCount]:
    values, first, count = np.unique(array, return_index=True, return_counts=True)
    examples: list[Hashable] = graph.labels.take(first)
    return dict(zip(values.tolist(), map(ValueCount, count.tolist(), examples), strict=True))


def _memory(graph: GameGraph) -> Memory:
    """Return what reading and solving take at most, by what grouping edges and the compiled pass need."""
    vertices, entries = len(graph), len(graph.predecessor_rows.indices)
    kept = 4 * entries + 12 * vertices
    words = int((graph.out_degrees >> 6).sum(dtype=np.int64))
    wide = 8 * (words + vertices) if words else 0
    reading = 12 * entries + (12 + 8 * MOST_THREADS) * vertices
    return Memory(reading, graph=kept, solving=kept + 24 * vertices + wide)
