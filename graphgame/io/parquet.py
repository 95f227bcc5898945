r"""Parquet: a table of edges; its columns and its metadata are those of :mod:`graphgame.io.columnar`.

Files are written with a row group for about a million edges: integers as differences, which take less than Zstandard
makes of them and less time; strings by dictionary, with Zstandard.

Examples
--------
>>> import pathlib, tempfile
>>> from graphgame.io import parse_game, read_game, write_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "game.parquet")
>>> write_game(parse_game("# tokens: 5\n5 2\n5 9\n7\n"), path)
>>> G = read_game(path)
>>> list(G), list(G.edges), G.tokens
([2, 5, 7, 9], [(5, 2), (5, 9)], (5,))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

import numpy as np

from graphgame.graph.gamegraph import GameGraph
from graphgame.io.columnar import ROWS, TableReader, kind_of, longest_text, pyarrow, write_edge_blocks, write_edges
from graphgame.io.files import Source

_BYTES_A_ROW = 8
_LONG = 64
"""Bytes of a string which a batch of rows may repeat."""


def open_file(source: Source) -> Any:  # noqa: ANN401
    """Return a Parquet file; long strings in it are numbers into a dictionary, so that repeated ones take no memory.

    A LimitError tells that it becomes more than its size makes credible. A page that says the same again and again
    takes next to nothing, compressed or not: so rows count as well.
    """
    parquet = pyarrow().parquet
    file = source.seekable()
    metadata = parquet.read_metadata(file)
    groups = (metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    source.refuse_expansion(max(sum(groups), _BYTES_A_ROW * metadata.num_rows))
    texts = [field.name for field in metadata.schema.to_arrow_schema() if kind_of(field.type) == "strings"]
    options = {"metadata": metadata, "buffer_size": ROWS, "pre_buffer": False}
    found = parquet.ParquetFile(file, read_dictionary=texts, **options)
    # to number strings by a dictionary takes most of the time, so short ones are read as they are
    return found if _longest(found, texts) > _LONG else parquet.ParquetFile(file, **options)


def _longest(file: Any, texts: list[str]) -> int:  # noqa: ANN401
    """Return the length of the longest string in the dictionaries of a file: only those can repeat a string."""
    longest = 0
    for group in range(file.metadata.num_row_groups if texts else 0):
        for batch in file.iter_batches(1, row_groups=[group], columns=texts):
            longest = max(longest, *(longest_text(column.dictionary) for column in batch.columns))
            break  # the first row has read all of the dictionary
    return longest


def read(source: Source) -> GameGraph:
    """Read the edge table of a Parquet file."""
    return scan(source).graph()


def scan(source: Source, store: Callable[[bool, int], Any] | None = None) -> TableReader:
    """Read the edge table into a store of columns: see :class:`TableReader`."""
    with source.understood("Parquet"):
        file = open_file(source)
        schema = file.metadata.schema.to_arrow_schema()
        reader = TableReader(source, schema, file.metadata.num_rows, store)
        names = reader.wanted and [schema.names[index] for index in reader.wanted]
        reader.add_all(file.iter_batches(ROWS, columns=names))
    return reader


def write(graph: GameGraph, stream: BinaryIO) -> None:
    """Write the edge table of a graph."""
    write_edges(graph, "parquet", lambda schema: _writer(schema, stream))


def write_blocks(
    blocks: Iterable[tuple[np.ndarray, np.ndarray]], vertices: int, tokens: Sequence[int], stream: BinaryIO
) -> None:
    """Write the edge table of a game block by block: see :func:`graphgame.io.columnar.write_edge_blocks`."""
    write_edge_blocks(blocks, vertices, tokens, lambda schema: _writer(schema, stream))


def _writer(schema: Any, stream: BinaryIO) -> Any:  # noqa: ANN401
    parquet = pyarrow().parquet
    if kind_of(schema.field(0).type) == "strings":
        return parquet.ParquetWriter(stream, schema, compression="zstd")
    encoding = {"use_dictionary": False, "column_encoding": "DELTA_BINARY_PACKED"}
    return parquet.ParquetWriter(stream, schema, compression="none", **encoding)
