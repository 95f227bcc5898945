r"""The edge list: two labels on a line, the position and one of its options, split at white space.

A line with one label is a position, with or without edges elsewhere; empty lines mean nothing. The first line may be
the header ``source target``, in any case. What a label is, comments and tokens: see :mod:`graphgame.io.labels_text`.
Parallel edges count once. Integers come in increasing order and without gaps: a number that no line holds is no
position.

Examples
--------
>>> from graphgame.io import parse_game
>>> G = parse_game("# tokens: a\na b\na c\nb c\n\"an odd one\"\n", "edgelist")
>>> list(G), G.tokens
(['a', 'b', 'c', 'an odd one'], ('a',))
>>> list(parse_game("5 2\n5 9\n", "edgelist"))
[2, 5, 9]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TextIO

from graphgame.arrays.engine import ahead
from graphgame.graph import GameGraph
from graphgame.io.edges import graph_edge_lines, isolated
from graphgame.io.files import Source
from graphgame.io.integers import Edges, IntegerEdges, Result, Words
from graphgame.io.labels_text import (
    COMMENT,
    TokenLines,
    position_words,
    split_line,
    token_line,
    wrong_word,
)
from graphgame.io.scanner import Scanner

__all__ = ["read", "scan", "write"]

_HEADER = re.compile(rb"(?>[#%][^\n]*\n|[^\S\n]*+\n)*+[ \t]*source[ \t]+target[ \t\r]*\n", re.I)


def read(source: Source) -> GameGraph:
    """Read an edge list.

    Time O(size), and O(m log m) where integers are far apart. Lists of integers are read by a compiled loop and take 8
    bytes an edge.
    """
    return scan(source, IntegerEdges(source.size))


def scan(source: Source, edges: Edges[Result]) -> Result:
    """Read an edge list into a store of edges, and return what the store makes of it."""
    source.refuse_empty("lines of two labels, a position and one of its options")
    tokens = TokenLines(source)
    scanner = Scanner(source)
    blocks = _numbered_blocks(source, tokens)
    scanned = ahead(lambda numbered: scanner.pairs(numbered[1]), blocks)
    for (line, block), (values, stop) in scanned:
        edges.add(values)
        if stop < len(block):
            rest = (line + block.count(b"\n", 0, stop), block[stop:])
            others = (numbered for numbered, _ in scanned)
            return _read_labels(source, edges.words(source), chain([rest], others), tokens)
    return edges.graph(tokens.positions)


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write an edge list; positions without edges have a line of their own."""
    words = position_words(graph)
    stream.write(token_line(graph, words.__getitem__) or ("" if len(words) else "# no positions\n"))
    stream.writelines(f"{words[vertex]}\n" for vertex in isolated(graph))
    stream.writelines(graph_edge_lines(graph, words, "", " ", lambda _: "\n"))


def _numbered_blocks(source: Source, tokens: TokenLines) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of lines behind the header with the number of their first line; note the tokens."""
    for line, block in source.numbered_blocks():
        tokens.add_from(block, line)
        header = _HEADER.match(block) if line == 1 else None
        start = header.end() if header else 0
        yield line + block.count(b"\n", 0, start), block[start:]


def _read_labels(
    source: Source, graph: Words[Result], blocks: Iterator[tuple[int, bytes]], tokens: TokenLines
) -> Result:
    """Read on where labels are not all integers, from the integers before."""
    for first, block in blocks:
        for number, line in enumerate(source.decode(block, first).split("\n")[:-1], first):
            labels = [] if line.startswith(COMMENT) else split_line(line, source, number)
            if len(labels) > 2:
                message = f"expected one or two labels on a line, found {len(labels)}"
                raise wrong_word(message, 2, line, source, number)
            if labels:
                graph.add(labels[0], labels[1:])
                graph.quoted |= '"' in line
    return graph.finish(tokens.positions)
