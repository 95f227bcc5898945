r"""The adjacency list: on each line a position and then its options, split at white space.

A line with one label is a position without options, unless another line gives it some. A position may begin several
lines. What a label is, comments and tokens: see :mod:`graphgame.io.labels_text`. Parallel edges count once.

Examples
--------
>>> from graphgame.io import parse_game
>>> sorted(parse_game("3 2 1 0\n2 1\n1 0\n", "adjlist").edges)
[(1, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
"""

from __future__ import annotations

from typing import TextIO

from graphgame.graph import GameGraph
from graphgame.io.files import Source
from graphgame.io.labels_text import COMMENT, TokenLines, WordGraph, position_words, split_line, token_line

__all__ = ["read", "write"]


def read(source: Source) -> GameGraph:
    """Read an adjacency list."""
    source.refuse_empty("lines of a position and its options")
    tokens = TokenLines(source)
    graph = WordGraph(source)
    for number, line in enumerate(source.lines(), 1):
        if line.startswith(COMMENT):
            tokens.add(line, number)
        elif labels := split_line(line, source, number):
            graph.add(labels[0], labels[1:])
            graph.quoted |= '"' in line
    return graph.finish(tokens.positions)


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write an adjacency list, a line for every position."""
    words = position_words(graph)
    stream.write(token_line(graph, words) or ("" if words else "# no positions\n"))
    for vertex, name in enumerate(words):
        options = map(words.__getitem__, graph.option_rows.row(vertex).tolist())
        stream.write(" ".join([name, *options]) + "\n")
