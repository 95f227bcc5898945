"""The positions of a graph as generators: each with its options, which are sums of earlier ones."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from graphgame.graph import GameGraph, GameLike
from graphgame.proof.play_order import play_order
from graphgame.results import refuse_misere_end

__all__ = ["Positions", "Word", "positions_of"]

Word = tuple[int, ...]
"""A sum of positions: their numbers, in increasing order."""


@dataclass(frozen=True)
class Positions:
    """Positions in an order in which options come first: each with its different options.

    These are sums of earlier positions that have options themselves.
    """

    labels: list[Hashable]
    options: list[list[Word]]

    def __len__(self) -> int:
        return len(self.labels)


def positions_of(graph: GameLike) -> Positions:
    """Return the positions of a graph in the order of their vertex numbers, as far as options allow it.

    Examples
    --------
    >>> heap = GameGraph({2: [1, 0], 1: [0]})
    >>> positions = positions_of(heap)
    >>> positions.labels, positions.options
    ([0, 1, 2], [[], [()], [(), (1,)]])
    """
    graph = GameGraph.of(graph)
    refuse_misere_end("misere", graph.decided is not None)
    words: dict[int, Word] = {}
    labels: list[Hashable] = []
    options: list[list[Word]] = []
    for vertex in _options_first(graph):
        row = [words[option] for option in graph.option_rows.row(vertex).tolist()]
        if graph.sums is not None and graph.sums[vertex]:
            words[vertex] = tuple(sorted(part for word in row for part in word))
        else:
            words[vertex] = (len(labels),) if row else ()
            labels.append(graph.labels[vertex])
            options.append(sorted(set(row)))
    return Positions(labels, options)


def _options_first(graph: GameGraph) -> list[int]:
    """Return all vertices, options first; of those that could come next, sums and then the least number."""
    play_order(graph)  # refuses a cycle
    sums, predecessors = graph.sums, graph.predecessor_rows
    waiting_for = graph.option_rows.lengths().tolist()

    def key(vertex: int) -> tuple[bool, int]:
        return sums is None or not sums[vertex], vertex

    ready = [key(vertex) for vertex, count in enumerate(waiting_for) if count == 0]
    heapify(ready)
    found: list[int] = []
    while ready:
        vertex = heappop(ready)[1]
        found.append(vertex)
        for predecessor in predecessors.row(vertex).tolist():
            waiting_for[predecessor] -= 1
            if waiting_for[predecessor] == 0:
                heappush(ready, key(predecessor))
    return found
