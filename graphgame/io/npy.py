r"""NumPy's ``.npy``: an array of integers of shape (m, 2), a position and one of its options in each row.

The integers lie in 0..2**63-1, in any width and byte order; one that no row holds is no position. Parallel edges count
once.
Positions without edges, tokens and sums have no place in such an array: ``.npz`` holds them.

Examples
--------
>>> import pathlib, tempfile
>>> import numpy as np
>>> from graphgame.io import read_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "edges.npy")
>>> np.save(path, np.array([[5, 2], [5, 9]]))
>>> sorted(read_game(path).edges)
[(5, 2), (5, 9)]
"""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from graphgame.errors import FormatError, Message
from graphgame.graph import GameGraph
from graphgame.io.edge_stores import IntegerEdges
from graphgame.io.edges import edge_arrays, isolated
from graphgame.io.files import Source
from graphgame.io.interchange import integer_array
from graphgame.io.npyarray import ArrayReader, write_array


def read(source: Source) -> GameGraph:
    """Read an array of edges: 8 bytes an edge, 16 where they need more than 32 bits."""
    array = ArrayReader(source, source)
    if len(array.shape) != 2 or array.shape[1] != 2:
        raise source.error(
            Message("an array of shape {shape}: expected (m, 2), a source and a target in each row", array.shape)
        )
    edges = IntegerEdges(None, array.room() // 2)
    if array.fortran_order:
        starts = np.concatenate([np.empty(0, np.int64), *array.integers(array.shape[0])])
        done = 0
        for ends in array.integers(array.shape[0]):
            edges.append(starts[done : done + len(ends)], ends)
            done += len(ends)
    else:
        for values in array.integers():
            edges.add(values)
    if source.read(1):
        raise array.error(Message("has the shape {shape}, but the file goes on after it", array.shape))
    return GameGraph.from_arrays(*edges.numbered(), overwrite=True)


def write(graph: GameGraph, stream: BinaryIO) -> None:
    """Write an array of edges."""
    positions = integer_array(graph.labels)
    if positions is None or positions.min(initial=0) < 0:
        raise FormatError("the npy format holds positions that are integers in 0..2**63-1: relabel, or write npz")
    if graph.tokens or isolated(graph):
        what = "tokens" if graph.tokens else Message("positions without edges")
        raise FormatError("the npy format has no place for {what}: write npz", what)
    rows = (positions[np.column_stack(ends)] for ends in edge_arrays(graph))
    write_array(stream, rows, (graph.number_of_edges(), 2), "<i8")
