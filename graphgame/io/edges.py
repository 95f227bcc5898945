"""Write the edges of a graph, block by block, as lines of text; most text formats use this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple, cast

import numpy as np

from graphgame.compiled.engine import prefetched, use_compiled
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import ArrayLabels, Labels, RangeLabels, are_integers
from graphgame.io import scan_kernels

EDGES_AT_A_TIME = 1 << 16
_TEXTS_AT_A_TIME = 1 << 12
_BYTES_OF_LINES = 3 << 19
_SLACK = bytes(8)  # Compiled loops read and write words of 8 bytes, so up to 7 bytes past the end.
_LEAST = -(2**63)
_NONE = np.empty(0, np.int64)


def edge_arrays(graph: GameGraph, edges: int = EDGES_AT_A_TIME) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all edges in blocks (sources, targets) of vertex numbers, in the order of sources, then targets.

    A block has at most ``edges`` edges, or all edges of one vertex. A part that occurs k times in a sum gives k edges.
    """
    pointers, indices = graph.option_rows
    start = 0
    while start < len(graph):
        end = int(np.searchsorted(pointers, pointers[start] + edges, "right")) - 1
        end = max(start + 1, min(end, len(graph)))
        degrees = np.diff(pointers[start : end + 1])
        yield np.repeat(np.arange(start, end, dtype=np.int32), degrees), indices[pointers[start] : pointers[end]]
        start = end


def isolated(graph: GameGraph) -> list[int]:
    """Return the numbers of the vertices that have neither options nor predecessors."""
    alone: list[int] = np.flatnonzero((graph.out_degrees == 0) & (graph.predecessor_rows.lengths() == 0)).tolist()
    return alone


class EdgeLine(NamedTuple):
    """The texts that a format writes before, between and after the two labels of an edge.

    ``after`` has a text for each kind of line; the format defines the kinds. If ``numbered`` is not None, each
    line begins with this text and its own number, from 0 on. Then all lines must have two labels.
    """

    before: str
    between: str
    after: Sequence[str]
    numbered: str | None = None


class EdgeBlock(NamedTuple):
    """Lines to write: an edge from vertex ``source[e]`` to vertex ``target[e]``, then ``EdgeLine.after[kind[e]]``.

    If ``kind`` is empty, all are of kind 0. If ``target`` is empty, each line has only one label, that of the vertex
    ``source[e]``, and no ``EdgeLine.between``.
    """

    source: np.ndarray
    target: np.ndarray
    kind: np.ndarray = _NONE


class EncodedTexts(NamedTuple):
    """Texts in UTF-8, each followed by a zero byte: text i is ``data[starts[i]:starts[i + 1] - 1]``."""

    data: np.ndarray
    starts: np.ndarray

    def strings(self) -> list[str]:
        """Return the texts as Python strings."""
        data = self.data.tobytes()
        return [data[begin : end - 1].decode("utf-8", "surrogatepass") for begin, end in pairwise(self.starts.tolist())]


def encoded(
    texts: Sequence[str], written: Callable[[str], str] = str, signs: bytes = bytes(range(256)), *words: str
) -> EncodedTexts:
    """Return ``written(text)`` for each text, in UTF-8.

    ``written`` must return plain texts unchanged: it is not called for most of them. A text is plain if it is not
    empty, has only bytes of ``signs``, and is none of ``words`` in upper or lower case.
    """
    parts = []
    signs += b"\0"
    for start in range(0, len(texts), _TEXTS_AT_A_TIME):
        chunk = texts[start : start + _TEXTS_AT_A_TIME]
        part = _joined(chunk)
        has_special = part.translate(None, signs) or part.count(b"\0") > len(chunk) or not all(chunk)
        if has_special or _may_hold(part, words):
            part = _joined(map(written, chunk))
        parts.append(part)
    data = np.frombuffer(b"".join((*parts, _SLACK)), np.uint8)
    starts = np.append(0, np.flatnonzero(data[: -len(_SLACK)] == 0) + 1)
    if len(starts) != len(texts) + 1:  # Some texts contain zero bytes, so not every zero byte ends a text.
        starts = np.cumsum([0, *(len(_joined([written(text)])) for text in texts)])
    return EncodedTexts(data, starts)


def _may_hold(part: bytes, words: Sequence[str]) -> bool:
    """Return True if a text in ``part`` may be one of the words, in upper or lower case; False if none can be.

    Each text in ``part`` ends in a zero byte. It may be a word if it begins like a word and is not too long for one.
    """
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
    """Yield the lines of blocks of edges, as texts of one or more lines.

    ``labels`` has the label of each vertex, by number. ``size``, the number of vertices and edges, decides whether a
    compiled loop makes the texts.
    """
    if not isinstance(labels, EncodedTexts) and not are_integers(labels):
        labels = encoded(list(map(str, labels)))
    make = _compiled_lines if use_compiled(size) else _plain_lines
    return chain.from_iterable(texts for _, texts in prefetched(make(labels, line), _numbered(blocks)))


def _numbered(blocks: Iterable[EdgeBlock]) -> Iterator[tuple[int, EdgeBlock]]:
    """Yield (number of the first edge, block) for each block; edges are counted from 0 over all blocks."""
    number = 0
    for block in blocks:
        yield number, block
        number += len(block.source)


_Lines = Callable[[tuple[int, EdgeBlock]], list[str]]
"""A function of (number of a block's first edge, block) that returns texts, each of one or more lines of the block."""


def _plain_lines(labels: Labels | EncodedTexts, line: EdgeLine) -> _Lines:
    """Return a function that writes the lines of a numbered block, one in each text, in plain Python."""
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
    """Return a function that writes a numbered block by a compiled loop; each text that it returns has many lines."""
    first, values, texts = 0, _NONE, labels if isinstance(labels, EncodedTexts) else encoded([])
    if isinstance(labels, RangeLabels | ArrayLabels) and len(labels) and labels[0] == _LEAST:
        texts = encoded(list(map(str, labels)))  # The loop cannot write this number.
    elif isinstance(labels, RangeLabels) and len(labels):
        first = int(cast("int", labels[0]))
    elif isinstance(labels, ArrayLabels):
        values = labels.column(np.arange(len(labels)))
    pieces = encoded([line.numbered or "", line.before, line.between, *line.after])
    texts_of = scan_kernels.LineTexts(first, values, texts.data, texts.starts, *pieces)

    def lines(numbered_block: tuple[int, EdgeBlock]) -> list[str]:
        number, (source, target, kind) = numbered_block
        parts, room, done = [], _BYTES_OF_LINES, 0
        while done < len(source):
            text = np.empty(room + len(_SLACK), np.uint8)
            shown = -1 if line.numbered is None else number + done
            count, end = scan_kernels.put_edges(source[done:], target[done:], kind[done:], shown, texts_of, text[:room])
            parts.append(text[:end].tobytes().decode("utf-8", "surrogatepass"))
            done += count
            room *= 1 if count else 2  # If count is 0, not even one line fitted.
        return parts

    return lines
