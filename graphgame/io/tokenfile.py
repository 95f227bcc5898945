r"""The token file: a directed graph and the vertices on which tokens stand.

::

    N M K
    x y            (M edges, from x to y)
    ...
    v1 v2 .. vK    (the vertices of the K tokens)

The vertices are 1..N. The numbers are split by any white space, so lines may be broken anywhere. Vertices without edges
are kept, parallel edges count once, and two tokens may stand on one vertex. A ``#`` or ``%`` at the start of a
line or after white space begins a comment that goes on to the end of the line.

A number has at most 18 digits. A graph holds at most 2**31 - 2 vertices, and at most 10 million and 10 more for each
byte of the file: a short file that claims more is refused rather than given the memory.

Examples
--------
>>> from graphgame.io import parse_game
>>> G = parse_game("4 3 2\n1 2\n2 3\n1 3\n1 4\n", "token")
>>> sorted(G.edges), sorted(G), G.tokens
([(1, 2), (1, 3), (2, 3)], [1, 2, 3, 4], (1, 4))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

import numpy as np

from graphgame.arrays.labels import as_labels
from graphgame.graph import GameGraph
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_arrays, edge_lines
from graphgame.io.numbering import numbered
from graphgame.io.source import Source
from graphgame.io.tokenscan import columns


def read(source: Source) -> GameGraph:
    """Read a token file.

    Time O(size). Memory 8 bytes an edge.
    """
    ends, vertices, tokens = columns(source)
    return GameGraph.from_arrays(*ends.finish(), range(1, vertices + 1), tokens=tokens, overwrite=True)


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write a token file."""
    graph = numbered(graph, 1)
    tokens = [graph.number_of(token) + 1 for token in graph.tokens or ()]
    write_edge_lines(edge_arrays(graph), (len(graph), graph.number_of_edges()), tokens, stream)


def write_edge_lines(
    blocks: Iterable[tuple[np.ndarray, np.ndarray]], size: tuple[int, int], tokens: Sequence[int], stream: TextIO
) -> None:
    """Write a game of so many vertices and edges, these in blocks: sources and targets, counted from 0."""
    stream.write(" ".join(map(str, (*size, len(tokens)))) + "\n")
    edges = (EdgeBlock(*ends) for ends in blocks)
    stream.writelines(edge_lines(edges, as_labels(range(1, size[0] + 1)), EdgeLine("", " ", ["\n"]), sum(size)))
    if tokens:
        stream.write(" ".join(map(str, tokens)) + "\n")
