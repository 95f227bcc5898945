"""The edges of a graph in blocks of bounded size, and as lines of text, which all formats write alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, cast

import numpy as np

from graphgame.compiled.engine import ahead, use_compiled
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import ArrayLabels, Labels, RangeLabels
from graphgame.io import scan_kernels

_EDGES_AT_A_TIME = 1 << 16
_LONGEST_NUMBER = 20
_LEAST = -(2**63)
_NONE = np.empty(0, np.int64)


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


def counted_edges(graph: GameGraph) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the edges by source, then target, in blocks: each edge once, and how often it is there."""
    for source, target in edge_arrays(graph):
        if len(target):
            changes = (target[1:] != target[:-1]) | (source[1:] != source[:-1])
            first = np.concatenate([[0], np.flatnonzero(changes) + 1])
            yield source[first], target[first], np.diff(np.append(first, len(target)))


def isolated(graph: GameGraph) -> list[int]:
    """Return the numbers of the vertices without edges."""
    alone: list[int] = np.flatnonzero((graph.out_degrees == 0) & (graph.predecessor_rows.lengths() == 0)).tolist()
    return alone


class EdgeLine(NamedTuple):
    """How a format writes an edge: the texts before, between and after the labels of its ends.

    ``after`` has a text for each kind of edge. If ``numbered`` is given, a line begins with it and with the number of
    the edge, counted from 0.
    """

    before: str
    between: str
    after: Sequence[str]
    numbered: str | None = None


class EdgeBlock(NamedTuple):
    """Some edges: sources and targets by vertex number, and their kinds, an empty array where all are of kind 0.

    Without targets it stands for vertices, whose lines have one label.
    """

    source: np.ndarray
    target: np.ndarray
    kind: np.ndarray = _NONE


def graph_edge_lines(
    graph: GameGraph,
    labels: Labels | Sequence[str],
    before: str,
    between: str,
    after: Callable[[int], str],
    numbered: str | None = None,
) -> Iterator[str]:
    """Yield the lines of a graph's edges, many lines at a time.

    ``after(k)`` ends the line of an edge that is there k times; :class:`EdgeLine` explains the other texts. ``labels``
    are the texts of the vertices, or a table of integers, which are written in decimal.
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
    labels: Labels | Sequence[str],
    before: str,
    after: Callable[[str], str],
    between: str | None = None,
) -> Iterator[str]:
    """Yield a line for each vertex of a graph, many lines at a time.

    ``after`` ends the line of a vertex of a kind, one of :data:`VERTEX_KINDS`. With ``between`` the label is written
    twice.
    """
    kinds = np.zeros(len(graph), np.int64) if graph.kinds is None else np.abs(graph.kinds.astype(np.int64))
    vertices = np.arange(len(graph), dtype=np.int32)
    blocks = (
        EdgeBlock(vertices[part], vertices[part] if between is not None else vertices[:0], kinds[part])
        for part in (slice(first, first + _EDGES_AT_A_TIME) for first in range(0, len(graph), _EDGES_AT_A_TIME))
    )
    return edge_lines(blocks, labels, EdgeLine(before, between or "", list(map(after, VERTEX_KINDS))), len(graph))


def edge_lines(blocks: Iterable[EdgeBlock], labels: Labels | Sequence[str], line: EdgeLine, size: int) -> Iterator[str]:
    """Yield the lines of blocks of edges, a text for each block; ``size`` counts the graph's vertices and edges."""
    make = _compiled_lines if use_compiled(size) else _plain_lines
    return (text for _, text in ahead(make(labels, line), _numbered(blocks)))


def _numbered(blocks: Iterable[EdgeBlock]) -> Iterator[tuple[int, EdgeBlock]]:
    """Yield each block with the number of its first edge."""
    number = 0
    for block in blocks:
        yield number, block
        number += len(block.source)


def _plain_lines(labels: Labels | Sequence[str], line: EdgeLine) -> Callable[[tuple[int, EdgeBlock]], str]:
    """Return a function that writes a numbered block in plain Python."""
    before, between, after, numbered = line

    def lines(numbered_block: tuple[int, EdgeBlock]) -> str:
        number, (source, target, kind) = numbered_block
        kinds = kind.tolist() if len(kind) else [0] * len(source)
        if not len(target):
            return "".join(f"{before}{labels[x]}{after[k]}" for x, k in zip(source.tolist(), kinds, strict=True))
        ends = zip(source.tolist(), target.tolist(), kinds, strict=True)
        if numbered is None:
            return "".join(f"{before}{labels[x]}{between}{labels[y]}{after[k]}" for x, y, k in ends)
        return "".join(
            f"{numbered}{number + e}{before}{labels[x]}{between}{labels[y]}{after[k]}"
            for e, (x, y, k) in enumerate(ends)
        )

    return lines


def _compiled_lines(labels: Labels | Sequence[str], line: EdgeLine) -> Callable[[tuple[int, EdgeBlock]], str]:
    """Return a function that writes a numbered block in a compiled loop."""
    first, values, texts = 0, _NONE, labels
    if isinstance(labels, RangeLabels) and len(labels):
        first, texts = int(cast("int", labels[0])), []
    elif isinstance(labels, ArrayLabels) and labels.at(0) > _LEAST:
        values, texts = labels.column(np.arange(len(labels))), []
    names, starts = _packed(map(str, texts))
    pieces, bounds = _packed([line.numbered or "", line.before, line.between, *line.after])
    lengths = np.diff(starts)
    texts_of = scan_kernels.LineTexts(first, values, names, starts, pieces, bounds)
    most = len(pieces) + 3 * _LONGEST_NUMBER  # bytes of a line beside its names

    def lines(numbered_block: tuple[int, EdgeBlock]) -> str:
        number, (source, target, kind) = numbered_block
        of_names = int(lengths[source].sum() + lengths[target].sum()) if len(lengths) else 0
        text = np.empty(most * len(source) + of_names, np.uint8)
        shown = -1 if line.numbered is None else number
        end = scan_kernels.put_edges(source, target, kind, shown, texts_of, text)
        return text[:end].tobytes().decode("utf-8", "surrogatepass")

    return lines


def _packed(texts: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return texts as UTF-8, one after the other, and where each starts and the last one ends."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    bounds = np.fromiter(accumulate(map(len, encoded), initial=0), np.int64, len(encoded) + 1)
    return np.frombuffer(b"".join(encoded), np.uint8), bounds
