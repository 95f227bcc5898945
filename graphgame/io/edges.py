"""The edges of a graph in blocks of bounded size, and as lines of text, which all formats write alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple, cast

import numpy as np

from graphgame.compiled.engine import prefetched, use_compiled
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import ArrayLabels, Labels, RangeLabels, are_integers
from graphgame.io import scan_kernels

_EDGES_AT_A_TIME = 1 << 16
_TEXTS_AT_A_TIME = 1 << 12
_ROOM = 3 << 19
_SLACK = bytes(8)  # loops read and write words
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
    labels: Labels | Sequence[str] | EncodedTexts,
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
    labels: Labels | Sequence[str] | EncodedTexts,
    before: str,
    after: Callable[[str], str],
    between: str | None = None,
    numbered: str | None = None,
) -> Iterator[str]:
    """Yield a line for each vertex of a graph, many lines at a time.

    ``after(kind)`` is the end of the line of a vertex of this kind, one of :data:`VERTEX_KINDS`. With ``between`` the
    label is written twice; if ``labels`` has twice as many texts as there are vertices, the second is from their second
    half.
    """
    kinds = np.zeros(len(graph), np.int64) if graph.kinds is None else np.abs(graph.kinds.astype(np.int64))
    vertices = np.arange(len(graph), dtype=np.int32)
    again = vertices[:0] if between is None else vertices
    if isinstance(labels, EncodedTexts) and len(labels.starts) > len(graph) + 1:
        again = again + np.int32(len(graph))
    parts = (slice(first, first + _EDGES_AT_A_TIME) for first in range(0, len(graph), _EDGES_AT_A_TIME))
    blocks = (EdgeBlock(vertices[part], again[part], kinds[part]) for part in parts)
    line = EdgeLine(before, between or "", list(map(after, VERTEX_KINDS)), numbered)
    return edge_lines(blocks, labels, line, len(graph))


class EncodedTexts(NamedTuple):
    """Texts in UTF-8, each with a zero behind it: text i is ``data[starts[i]:starts[i + 1] - 1]``."""

    data: np.ndarray
    starts: np.ndarray

    def strings(self) -> list[str]:
        """Return the texts."""
        data = self.data.tobytes()
        return [data[begin : end - 1].decode("utf-8", "surrogatepass") for begin, end in pairwise(self.starts.tolist())]


def encoded(
    texts: Sequence[str], written: Callable[[str], str] = str, signs: bytes = bytes(range(256)), *words: str
) -> EncodedTexts:
    """Encode texts, each as a function says that it is written.

    A text that is not empty, has only these ``signs``, and is none of these ``words`` in any case, is written as it
    stands. So the function is not called where texts are plain, and these are encoded thousands at a time.
    """
    parts = []
    signs += b"\0"
    for start in range(0, len(texts), _TEXTS_AT_A_TIME):
        some = texts[start : start + _TEXTS_AT_A_TIME]
        part = _joined(some)
        has_others = part.translate(None, signs) or part.count(b"\0") > len(some) or not all(some)
        if has_others or _may_hold(part, words):
            part = _joined(map(written, some))
        parts.append(part)
    data = np.frombuffer(b"".join((*parts, _SLACK)), np.uint8)
    starts = np.append(0, np.flatnonzero(data[: -len(_SLACK)] == 0) + 1)
    if len(starts) != len(texts) + 1:  # there are zeros in the texts, too
        starts = np.cumsum([0, *(len(_joined([written(text)])) for text in texts)])
    return EncodedTexts(data, starts)


def _may_hold(part: bytes, words: Sequence[str]) -> bool:
    """Tell, by length and first letter, whether one of some texts, each with a zero behind it, may be such a word."""
    data = np.frombuffer(part, np.uint8)
    ends = np.flatnonzero(data == 0)
    starts = np.append(0, ends[:-1] + 1)
    short = starts[ends - starts <= max(map(len, words), default=-1)]
    return bool(np.isin(data[short] | ord(" "), [ord(word[0].lower()) for word in words]).any())


def _joined(texts: Iterable[str]) -> bytes:
    return "\0".join((*texts, "")).encode("utf-8", "surrogatepass")


def edge_lines(
    blocks: Iterable[EdgeBlock], labels: Labels | Sequence[str] | EncodedTexts, line: EdgeLine, size: int
) -> Iterator[str]:
    """Yield the lines of blocks of edges, a text for each block or less; ``size`` counts vertices and edges."""
    if not isinstance(labels, EncodedTexts) and not are_integers(labels):
        labels = encoded(list(map(str, labels)))
    make = _compiled_lines if use_compiled(size) else _plain_lines
    return chain.from_iterable(texts for _, texts in prefetched(make(labels, line), _numbered(blocks)))


def _numbered(blocks: Iterable[EdgeBlock]) -> Iterator[tuple[int, EdgeBlock]]:
    """Yield each block with the number of its first edge."""
    number = 0
    for block in blocks:
        yield number, block
        number += len(block.source)


_Lines = Callable[[tuple[int, EdgeBlock]], list[str]]


def _plain_lines(labels: Labels | EncodedTexts, line: EdgeLine) -> _Lines:
    """Return a function that writes a numbered block in plain Python."""
    before, between, after, numbered = line
    texts = labels.strings() if isinstance(labels, EncodedTexts) else labels

    def lines(numbered_block: tuple[int, EdgeBlock]) -> list[str]:
        number, (source, target, kind) = numbered_block
        kinds = kind.tolist() if len(kind) else [0] * len(source)
        if not len(target):
            return [f"{before}{texts[x]}{after[k]}" for x, k in zip(source.tolist(), kinds, strict=True)]
        ends = zip(source.tolist(), target.tolist(), kinds, strict=True)
        if numbered is None:
            return [f"{before}{texts[x]}{between}{texts[y]}{after[k]}" for x, y, k in ends]
        return [
            f"{numbered}{number + e}{before}{texts[x]}{between}{texts[y]}{after[k]}" for e, (x, y, k) in enumerate(ends)
        ]

    return lines


def _compiled_lines(labels: Labels | EncodedTexts, line: EdgeLine) -> _Lines:
    """Return a function that writes a numbered block in a compiled loop."""
    first, values, texts = 0, _NONE, labels if isinstance(labels, EncodedTexts) else encoded([])
    if isinstance(labels, RangeLabels) and len(labels):
        first = int(cast("int", labels[0]))
    elif isinstance(labels, ArrayLabels) and labels.at(0) > _LEAST:
        values = labels.column(np.arange(len(labels)))
    elif isinstance(labels, ArrayLabels):
        texts = encoded(list(map(str, labels)))
    pieces = encoded([line.numbered or "", line.before, line.between, *line.after])
    texts_of = scan_kernels.LineTexts(first, values, texts.data, texts.starts, *pieces)

    def lines(numbered_block: tuple[int, EdgeBlock]) -> list[str]:
        number, (source, target, kind) = numbered_block
        parts, room, done = [], _ROOM, 0
        while done < len(source):
            text = np.empty(room + len(_SLACK), np.uint8)
            shown = -1 if line.numbered is None else number + done
            count, end = scan_kernels.put_edges(source[done:], target[done:], kind[done:], shown, texts_of, text[:room])
            parts.append(text[:end].tobytes().decode("utf-8", "surrogatepass"))
            done += count
            room *= 1 if count else 2
        return parts

    return lines
