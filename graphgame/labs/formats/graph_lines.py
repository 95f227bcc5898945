"""Make the lines of graph files: for vertices with their kinds, and for edges with their multiplicities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels
from graphgame.io.edges import EDGES_AT_A_TIME, EdgeBlock, EdgeLine, EncodedTexts, edge_arrays, edge_lines

_Texts: TypeAlias = "Labels | Sequence[str] | EncodedTexts"
_After: TypeAlias = Callable[[Any], str]


def counted_edges(graph: GameGraph) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the different edges in blocks (sources, targets, counts), in the order of sources, then targets.

    The count of an edge is how often it occurs. It is 1, except from a sum to a part that the sum has several times.
    """
    for source, target in edge_arrays(graph):
        if len(target):
            changes = (target[1:] != target[:-1]) | (source[1:] != source[:-1])
            first = np.concatenate([[0], np.flatnonzero(changes) + 1])
            yield source[first], target[first], np.diff(np.append(first, len(target)))


def graph_edge_lines(
    graph: GameGraph, labels: _Texts, before: str, between: str, after: _After, numbered: str | None = None
) -> Iterator[str]:
    """Yield the lines of the edges of a graph, as texts of one or more lines; an edge that repeats has only one line.

    The line of an edge that occurs k times is ``before``, the label of its source, ``between``, the label of its target
    and ``after(k)``. If ``numbered`` is not None, this text and the number of the line, from 0, come first. ``labels``
    has the label of each vertex, by number; integers are written in decimal.
    """
    counts = np.array([1])
    blocks = (EdgeBlock(*ends) for ends in edge_arrays(graph))
    if graph.sums is not None:
        counts = np.unique(np.concatenate([counts, *(np.unique(times) for *_, times in counted_edges(graph))]))
        blocks = (
            EdgeBlock(source, target, np.searchsorted(counts, times)) for source, target, times in counted_edges(graph)
        )
    line = EdgeLine(before, between, list(map(after, counts.tolist())), numbered)
    return edge_lines(blocks, labels, line, len(graph) + graph.number_of_edges())


def vertex_lines(
    graph: GameGraph,
    labels: _Texts,
    before: str,
    after: _After,
    between: str | None = None,
    numbered: str | None = None,
) -> Iterator[str]:
    """Yield the lines of the vertices of a graph, as texts of one or more lines.

    The line of vertex v is ``before``, ``labels[v]`` and ``after(kind)``; the kind is one of :data:`VERTEX_KINDS`.

    With ``between``, the line has two labels: ``before``, ``labels[v]``, ``between``, the second label and
    ``after(kind)``. The second label is ``labels[v]`` again. But if ``labels`` has 2n encoded texts for n vertices, it
    is ``labels[n + v]``. With ``numbered``, which needs ``between``, the line begins with this text and the number v.
    """
    kinds = np.zeros(len(graph), np.int64) if graph.kinds is None else np.abs(graph.kinds.astype(np.int64))
    vertices = np.arange(len(graph), dtype=np.int32)
    second = vertices[:0] if between is None else vertices
    if isinstance(labels, EncodedTexts) and len(labels.starts) > len(graph) + 1:
        second = second + np.int32(len(graph))
    parts = (slice(first, first + EDGES_AT_A_TIME) for first in range(0, len(graph), EDGES_AT_A_TIME))
    blocks = (EdgeBlock(vertices[part], second[part], kinds[part]) for part in parts)
    line = EdgeLine(before, between or "", list(map(after, VERTEX_KINDS)), numbered)
    return edge_lines(blocks, labels, line, len(graph))
