"""The lines of a graph's vertices and edges, with the kinds of vertices and the multiplicities of parts of sums."""

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
    """Yield blocks (sources, targets, counts) of the edges, in order of source, then target, without repeats.

    The count is 1, except for a part that occurs several times in a sum.
    """
    for source, target in edge_arrays(graph):
        if len(target):
            changes = (target[1:] != target[:-1]) | (source[1:] != source[:-1])
            first = np.concatenate([[0], np.flatnonzero(changes) + 1])
            yield source[first], target[first], np.diff(np.append(first, len(target)))


def graph_edge_lines(
    graph: GameGraph, labels: _Texts, before: str, between: str, after: _After, numbered: str | None = None
) -> Iterator[str]:
    """Yield texts that hold many lines each, one line for each edge of a graph.

    ``after(k)`` is the text at the end of the line of an edge that occurs k times; :class:`EdgeLine` explains the other
    texts. ``labels`` are the texts of the vertices by number, or a table of integers, which are written in decimal.
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
    """Yield texts that hold many lines each, one line for each vertex of a graph.

    ``after(kind)`` is the text at the end of the line of a vertex of this kind, one of :data:`VERTEX_KINDS`;
    :class:`EdgeLine` explains ``before``, ``between`` and ``numbered``. With ``between`` the line of vertex v has two
    labels: ``labels[v]`` twice or, if there are 2n labels for n vertices, ``labels[v]`` and ``labels[n + v]``.
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
