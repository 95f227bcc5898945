r"""Arrow: a table of edges in an Arrow IPC file, which is Feather version 2; :mod:`graphgame.io.columnar`.

Arrow streams are read as well, files are written.

Examples
--------
>>> import pathlib, tempfile
>>> import networkx as nx
>>> from graphgame.io import read_game, write_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "game.arrow")
>>> write_game(nx.DiGraph([("a", "b"), ("b", "c")]), path)
>>> sorted(read_game(path).edges)
[('a', 'b'), ('b', 'c')]
"""

from __future__ import annotations

from typing import BinaryIO

from graphgame.errors import Message
from graphgame.graph.gamegraph import GameGraph
from graphgame.io.columnar import TableReader, pyarrow, write_edges
from graphgame.io.files import Source

_MAGIC = b"ARROW1"


def read(source: Source) -> GameGraph:
    """Read the edge table of an Arrow file or stream."""
    ipc = pyarrow().ipc
    with source.understood(Message("an Arrow file")):
        is_file = source.peek(len(_MAGIC)) == _MAGIC
        file = source.seekable()
        open_ = ipc.open_file if is_file else ipc.open_stream
        reader = TableReader(source, open_(file).schema, None)
        file.seek(0)
        table = open_(file, options=ipc.IpcReadOptions(included_fields=reader.wanted))
        reader.add_all(map(table.get_batch, range(table.num_record_batches)) if is_file else table)
    return reader.graph()


def write(graph: GameGraph, stream: BinaryIO) -> None:
    """Write the edge table of a graph."""
    write_edges(graph, "arrow", lambda schema: pyarrow().ipc.new_file(stream, schema))
