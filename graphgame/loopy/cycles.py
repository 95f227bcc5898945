"""Cycles that pass a sum vertex."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np

from graphgame.graph import GameGraph

__all__ = ["cycles_through_sums"]


def cycles_through_sums(graph: GameGraph) -> Iterator[list[int]]:
    """Yield the strongly connected components, increasing vertex numbers, in which a cycle passes a sum vertex."""
    if graph.sums is None:
        return
    source = np.repeat(np.arange(len(graph)), graph.options.lengths())
    numbered = GameGraph.from_arrays(source, graph.options.indices, len(graph))
    for component in map(sorted, nx.strongly_connected_components(numbered)):
        first = component[0]
        if graph.sums[component].any() and (len(component) > 1 or numbered.has_edge(first, first)):
            yield component
