"""Statistics of a game: the size and shape of its graph, the frequencies of values, and the memory of solving it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.engine import MOST_THREADS
from graphgame.graph import LOONY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.solution.results import ValueCount
from graphgame.solution.solve import LoopySolution, solution_of

__all__ = ["Level", "Memory", "Statistics", "graph_statistics"]


class Level(NamedTuple):
    """A birthday (the length of the longest play from a vertex), and how many vertices have it."""

    birthday: int
    vertices: int


class Memory(NamedTuple):
    """The memory of arrays in bytes. Labels, unless they are consecutive integers, need memory in addition.

    Attributes
    ----------
    reading : int
        The peak while the graph is made from two int32 columns of edges, with four threads.
    graph : int
        The arrays of the graph, with the edges in one direction.
    solving : int
        The peak of the compiled pass, including the graph, if no position is decided.
    """

    reading: int
    graph: int
    solving: int


@dataclass(frozen=True)
class Statistics:
    """The statistics that :func:`graph_statistics` returns.

    Attributes
    ----------
    misere : bool
        Whether outcomes and values are those of misère play.
    vertices, edges : int
    sums : int
        The number of sum vertices.
    sources, terminals, isolated : int
        The numbers of vertices without in-edges, without out-edges, and without either.
    tokens : int or None
        The number of tokens; None if the graph has no tokens.
    p_positions, n_positions, d_positions : int
        The numbers of positions with each outcome; sums are not counted.
    kernel : int or None
        The size of the graph's only kernel, the set of P-positions. None under misère play, with cycles, with sum
        vertices, or if a decided position is an N-position: the P-positions may then be no kernel, or one of several.
    depth : int or None
        The length of the longest play; None if the graph has a cycle, 0 for an empty graph.
    endless : int
        The number of vertices from which play need not end; they have no birthday.
    widest_level : Level or None
        The most frequent birthday, or the least of several, and how many vertices have it; None without birthdays.
    birthdays, out_degrees, values : dict of int to ValueCount
        For each birthday, out-degree or value, in increasing order: how many vertices have it, and the first of them.
        For values only positions count; infinite values (:class:`graphgame.solution.results.Loopy`) come after the
        finite ones, and decisive values last.
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
    """Return the statistics of a game.

    Parameters
    ----------
    game : GameLike
        A Solution is used as it is. A Position is solved for its own play convention, any other game for normal play.

    Returns
    -------
    Statistics

    Raises
    ------
    CycleError, UndirectedGraphError
        The graph has a cycle (give the solution of ``solve(graph, loopy=True)``), or is undirected.
    LimitError
        The graph of a position, or under misère play that of the sums, is too large; or a play can last 2**63 moves.

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
    is_source, is_terminal = graph.predecessor_rows.lengths() == 0, graph.out_degrees == 0
    birthdays = _histogram(graph, solution.birthday.array)
    endless = birthdays.pop(-1, ValueCount(0, None)).count
    acyclic = not isinstance(solution, LoopySolution)
    ends_in_n = graph.decided is not None and bool((graph.decided == LOONY).any())
    has_kernel = acyclic and not solution.misere and not sums and not ends_in_n
    level = max(birthdays, key=lambda birthday: birthdays[birthday].count, default=None)
    return Statistics(
        misere=solution.misere,
        vertices=len(graph),
        edges=graph.number_of_edges(),
        sums=sums,
        sources=int(is_source.sum()),
        terminals=int(is_terminal.sum()),
        isolated=int((is_source & is_terminal).sum()),
        tokens=None if solution.tokens is None else len(solution.tokens),
        p_positions=counts.p_positions,
        n_positions=counts.n_positions,
        d_positions=counts.d_positions,
        kernel=counts.p_positions if has_kernel else None,
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
    """Return the memory for a graph's arrays, for making the graph from its edges, and for the compiled pass."""
    vertices, entries = len(graph), len(graph.predecessor_rows.indices)
    arrays = 4 * entries + 12 * vertices
    words = int((graph.out_degrees >> 6).sum(dtype=np.int64))
    wide = 8 * (words + vertices) if words else 0
    reading = 12 * entries + (12 + 8 * MOST_THREADS) * vertices
    return Memory(reading, graph=arrays, solving=arrays + 24 * vertices + wide)
