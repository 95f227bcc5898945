"""The edges of a graph in blocks of bounded size, as writers need them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.graph import GameGraph

__all__ = ["counted_edges", "edge_arrays"]

_EDGES_AT_A_TIME = 1 << 16


def edge_arrays(graph: GameGraph, edges: int = _EDGES_AT_A_TIME) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the edges by source, then target, in blocks of about as many edges, with repeats out of sum vertices."""
    pointers, indices = graph.option_rows
    start = 0
    while start < len(graph):
        end = int(np.searchsorted(pointers, pointers[start] + edges, "right")) - 1
        end = max(start + 1, min(end, len(graph)))
        degrees = np.diff(pointers[start : end + 1])
        yield np.repeat(np.arange(start, end, dtype=np.int32), degrees), indices[pointers[start] : pointers[end]]
        start = end


def counted_edges(graph: GameGraph) -> Iterator[tuple[int, int, int]]:
    """Yield each edge once, by source, then target, and how often it is there; it takes little memory."""
    for source, target in edge_arrays(graph):
        if len(target):
            changes = (target[1:] != target[:-1]) | (source[1:] != source[:-1])
            first = np.concatenate([[0], np.flatnonzero(changes) + 1])
            multiplicity = np.diff(np.append(first, len(target)))
            yield from zip(source[first].tolist(), target[first].tolist(), multiplicity.tolist(), strict=True)
