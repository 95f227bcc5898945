r"""The adjacency list: on each line a position and then its options, split at white space.

A line with one label is a position without options, unless another line gives it some. A position may begin several
lines; all its lines together name its options. Repeated options count once. :mod:`graphgame.io.interchange` defines
labels, comments and tokens.

Examples
--------
>>> from graphgame.io import parse_game
>>> sorted(parse_game("3 2 1 0\n2 1\n1 0\n", "adjlist").edges)
[(1, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

import numpy as np

from graphgame.errors import Message
from graphgame.graph.gamegraph import GameGraph
from graphgame.io.dialects import NO_POSITIONS, refuse_multiline
from graphgame.io.edge_stores import TextEdges, Words
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_lines
from graphgame.io.files import Source
from graphgame.io.interchange import COMMENT, TokenLines, position_words, split_line, token_line

_ROWS_AT_A_TIME = 1 << 14
_TUPLE = re.compile(r"\s*\([^\s\"]+, [^\s\"()]+\)(?:\s|$)")


def read(source: Source) -> GameGraph:
    """Return the graph of an adjacency list."""
    source.refuse_empty(Message("an adjacency list, in which each line has a position and then its options"))
    tokens = TokenLines(source)
    words = Words(TextEdges())
    for number, line in enumerate(source.lines(), 1):
        if line.startswith(COMMENT):
            tokens.add(line, number)
        elif _TUPLE.match(line):
            raise source.error(
                "the tuple at the start of this line is one label, but an adjacency list splits it at the "
                "space: write the graph with networkx.write_edgelist",
                line=number,
            )
        elif labels := split_line(line, source, number):
            if len(labels) == 2 and labels[1].startswith("{") and labels[1].endswith("}") and '"' not in line:
                refuse_multiline(source)
            words.add(labels[0], labels[1:])
            words.quoted |= '"' in line
    return words.finish(tokens.positions)


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write a comment with the tokens, if any, then a line for each position; for an empty graph, only a comment."""
    words, word_of = position_words(graph)
    stream.write(token_line(graph, word_of) or ("" if len(graph) else NO_POSITIONS))
    line = EdgeLine("", "", (" ", "\n"))
    stream.writelines(edge_lines(_blocks(graph), words, line, len(graph) + graph.number_of_edges()))


def _blocks(graph: GameGraph) -> Iterator[EdgeBlock]:
    """Yield the vertices of all lines, a position and then its options; kind 1 marks the last vertex of a line."""
    pointers, indices = graph.option_rows
    for first in range(0, len(graph), _ROWS_AT_A_TIME):
        bounds = pointers[first : first + _ROWS_AT_A_TIME + 1]
        starts = bounds - bounds[0] + np.arange(len(bounds))
        is_start = np.zeros(starts[-1], np.bool_)
        is_start[starts[:-1]] = True
        vertices = np.empty(len(is_start), np.int32)
        vertices[is_start] = np.arange(first, first + len(bounds) - 1)
        vertices[~is_start] = indices[bounds[0] : bounds[-1]]
        yield EdgeBlock(vertices, vertices[:0], np.append(is_start[1:], True).astype(np.int64))
