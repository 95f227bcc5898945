r"""Read and write tables: edges in Parquet and Arrow files, and values files in Parquet.

Edges
-----
A row is an edge. Two columns are read: ``source`` and ``target``, in any order, in small or capital letters; or columns
with other usual names, such as ``from`` and ``to``; or just two columns of other names. Both have integers in
0..2**63-1, of any width, or both have strings. A row without a target (null) only says that its source is a position.
Parallel edges count once. Positions that are integers are sorted; strings come in roughly the order in which they first
occur.

The schema's metadata may have the tokens: ``graphgame.tokens`` is a JSON array of positions.

Files are written with integers of 32 or 64 bits or, if a position is not such an integer, with the ``str`` of each
position. Tables of edges cannot have negative integers. In Parquet, a row group has about a million edges. Integers are
stored as differences, which is smaller and faster than Zstandard; strings are stored with a dictionary and Zstandard.
An Arrow file is an IPC file, the same as Feather version 2. Arrow streams can be read too.

The time for reading is O(size). An edge takes 8 bytes of memory, or 16 bytes if integers need more than 32 bits. A
string is stored once, however often it occurs.

Values
------
The columns are ``position`` (integers or strings), ``grundy`` (integers; all as strings if a value is not a number),
``outcome`` (strings) and ``remoteness`` (integers, null for a draw, or if it is unknown). The schema's metadata
``graphgame.play`` is ``normal`` or ``misere``. The reader sorts positions that are integers, unless values are
strings.

Examples
--------
>>> import pathlib, tempfile
>>> from graphgame.io import parse_game, read_game, write_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "game.parquet")
>>> write_game(parse_game("# tokens: 5\n5 2\n5 9\n7\n"), path)
>>> G = read_game(path)
>>> list(G), list(G.edges), G.tokens
([2, 5, 7, 9], [(5, 2), (5, 9)], (5,))
>>> write_game(G, path.with_suffix(".arrow"))
>>> list(read_game(path.with_suffix(".arrow")).edges)
[(5, 2), (5, 9)]
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, BinaryIO

import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.errors import FormatError, Message, ParseError, either, needs_extra, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.rows import check_count
from graphgame.io.dialects import asked_columns, refuse_repeated, unread, usual_columns
from graphgame.io.edge_stores import IntegerEdges, TextEdges
from graphgame.io.edges import edge_arrays, isolated
from graphgame.io.files import Source
from graphgame.io.interchange import first_repeated, unique_texts
from graphgame.io.values import COLUMNS, Values
from graphgame.labs.formats.positions import decode_tokens, integer_array, is_increasing
from graphgame.labs.formats.values import (
    LARGEST_VALUE,
    Collector,
    is_misere,
    repeated_position,
    value_columns,
)
from graphgame.solution.results import play_name

ROWS = 1 << 20
"""The maximum number of rows written or decoded at a time. If a position has more options, all are written at once."""

_MAX_ROWS_PER_BYTE = 8
"""A high estimate of the rows in a byte of a file. It limits the memory that is reserved before reading."""

_BYTES_OF_NUMBER = 4
_BYTES_OF_ROW = 8
_WORK_OF_ROW = 4
"""Looking up the strings of a row is as much work as this many vertices or edges, the unit of ``use_compiled``."""

_ENDS = ("source", "target")
_TOKENS = b"graphgame.tokens"
_MAX_POSITION = 2**63 - 1
_LONG_STRING = 64
"""If a string in a dictionary of a Parquet file has more bytes than this, strings are read as dictionary indices."""

_START_OF_ARROW_FILE = b"ARROW1"
_PLAY = b"graphgame.play"
_KINDS = {
    "position": ("integers", "strings"),
    "grundy": ("integers", "strings"),
    "outcome": ("strings", "nothing"),
    "remoteness": ("integers", "nothing"),
}
"""Column of a values file -> the kinds of data it may have, as :func:`kind_of` calls them."""

_OUTCOMES = ("", "P", "N", "D")


def pyarrow() -> ModuleType:
    """Import and return the package pyarrow; raise MissingExtraError if the extra ``parquet`` is not installed."""
    with needs_extra(Message("reading and writing Parquet and Arrow files"), "parquet"):
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    return pyarrow  # type: ignore[no-any-return]


def kind_of(column_type: Any) -> str | None:  # noqa: ANN401
    """Return "integers", "strings" (or bytes) or "nothing" (only nulls) for an Arrow type; None for other types."""
    types = pyarrow().types
    if types.is_dictionary(column_type):
        column_type = column_type.value_type
    if types.is_integer(column_type):
        return "integers"
    if types.is_null(column_type):
        return "nothing"
    are_texts = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary)
    return "strings" if any(is_text(column_type) for is_text in are_texts) else None


def bounded(batches: Iterable[Any], source: Source) -> Iterator[Any]:
    """Yield record batches; raise LimitError once the batches so far are much too large for the size of the file."""
    size = 0
    for batch in batches:
        size += sum(map(_decoded_size, batch.columns))
        source.refuse_expansion(size)
        yield batch


def _decoded_size(column: Any) -> int:  # noqa: ANN401
    """Return about how many bytes a column takes after decoding, when a string is repeated wherever it occurs."""
    pa = pyarrow()
    if kind_of(column.type) != "strings":
        return _BYTES_OF_NUMBER * len(column)
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    column.validate(full=True)
    return int(_lengths(column.dictionary)[column.indices.drop_null().to_numpy()].sum())


def _valid(column: Any) -> np.ndarray:  # noqa: ANN401
    """Return an array that tells for each entry of an Arrow array whether it is not null."""
    return column.is_valid().to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _lengths(texts: Any) -> np.ndarray:  # noqa: ANN401
    words = texts.cast(pyarrow().large_binary())
    return np.diff(np.frombuffer(words.buffers()[1] or bytes(8), np.int64, len(words) + 1, 8 * words.offset))


def checked(column: Any) -> Any:  # noqa: ANN401
    """Return a column of a file in a uniform type, after checking that its offsets and indices are inside its buffers.

    Strings of all types, also in dictionaries, become large strings; Arrow's type null becomes null integers. If an
    offset or index is outside, pyarrow raises its own error.
    """
    column.validate(full=True)
    pa = pyarrow()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_null(column.type):
        return pa.nulls(len(column), pa.int64())
    return column.cast(pa.large_string()) if kind_of(column.type) == "strings" else column


def integers_of(
    column: Any,  # noqa: ANN401
    name: str,
    least: int,
    error: Callable[[int, str], ParseError],
    most: int = _MAX_POSITION,
) -> np.ndarray:
    """Return a column of integers as an array, with 0 for null.

    If an integer is not in ``least``..``most``, raise ``error(index, message)``, where ``index`` is its row, from 0.
    The message calls the column ``name``.
    """
    # Do not load more than necessary: to_numpy would load pandas, and fill_null loads all of pyarrow.compute.
    values: np.ndarray = np.from_dlpack(column.fill_null(0) if column.null_count else column)
    is_unsigned = values.dtype == np.uint64
    is_bounded = is_unsigned or most < _MAX_POSITION
    if len(values) and (int(values.min()) < least or (is_bounded and int(values.max()) > most)):
        wrong = int(np.argmax((values < least) | (values > most)))
        low, high = "-2**63" if least < 0 else least, "2**63-1" if most == _MAX_POSITION else most
        raise error(
            wrong, Message("{name} {value}: expected an integer in {low}..{high}", name, int(values[wrong]), low, high)
        )
    return values.view(np.int64) if is_unsigned else values


def edge_columns(schema: Any, source: Source) -> tuple[int, int]:  # noqa: ANN401
    """Return the indices of the columns of sources and targets.

    These are the columns that ``source.columns`` asks for. If it asks for none, they are the columns with usual names,
    or the first and the second column of a table with just two columns of other names. Raises ParseError if such a
    column is missing or occurs twice, if a column has neither integers nor strings, or if one has integers and the
    other strings.
    """
    names = [name.lower() for name in schema.names]
    usual = usual_columns(names)
    if source.columns != (None, None):
        start, end, _ = asked_columns(names, schema.names, source)
        if max(start, end) >= len(names):
            shown = ", ".join(map(shorten, schema.names[:20]))
            raise source.error(Message("no column {name!r}: the table has {shown}", str(max(start, end) + 1), shown))
    elif usual is None:
        if len(names) != 2 or {*_ENDS} & set(names):
            shown = ", ".join(map(shorten, schema.names[:20])) or "none"
            raise source.error(
                Message(
                    "expected the columns 'source' and 'target', or exactly two columns with other names; found "
                    "{found}",
                    shown,
                )
            )
        start, end = 0, 1
    else:
        start, end = usual
        for name in (names[start], names[end]):
            refuse_repeated(names, name, source, None)
        source.notes += unread(len(names)) if (names[start], names[end]) != _ENDS else []
    ends = schema.field(start), schema.field(end)
    for column in ends:
        if kind_of(column.type) is None:
            hint = Message(" (in pandas: astype('Int64'))") if pyarrow().types.is_floating(column.type) else ""
            raise source.error(
                Message(
                    "column {name!r} holds {type}: expected integers or strings{hint}", column.name, column.type, hint
                )
            )
    first, second = (column.type for column in ends)
    if {kind_of(first), kind_of(second)} == {"integers", "strings"}:
        raise source.error(
            Message(
                "sources are {first} and targets {second}: expected integers in both, or strings in both", first, second
            )
        )
    return start, end


class TableReader:
    """Adds the edges of a table, batch by batch, to a store of edges.

    ``schema`` is the Arrow schema of the table. ``rows`` is its number of rows according to the file, None if the file
    does not say. ``store(texts, rows)`` returns an empty store with room for ``rows`` edges, whose ends are strings if
    ``texts`` is true, and otherwise integers. If ``store`` is None, the edges are added to a ``TextEdges`` or
    ``IntegerEdges`` of :mod:`graphgame.io.edge_stores`.

    The attribute ``wanted`` has the indices of the columns that batches must have, in increasing order; None means all
    columns of the schema.
    """

    def __init__(
        self,
        source: Source,
        schema: Any,  # noqa: ANN401
        rows: int | None,
        store: Callable[[bool, int], Any] | None = None,
    ) -> None:
        self._source = source
        self._columns = edge_columns(schema, source)
        self._tokens = (schema.metadata or {}).get(_TOKENS)
        self._total = rows
        self._rows = 0
        self.wanted = None if len(schema.names) == 2 else sorted(self._columns)
        expected_rows = ROWS if rows is None else max(0, min(rows, _MAX_ROWS_PER_BYTE * (source.size or ROWS)))
        self._are_texts = any(kind_of(schema.field(index).type) == "strings" for index in self._columns)
        self._edges: Any
        if store is not None:
            self._edges = store(self._are_texts, expected_rows)
        elif self._are_texts:
            self._edges = TextEdges(expected_rows, compiled=use_compiled(_WORK_OF_ROW * expected_rows))
        else:
            self._edges = IntegerEdges(None, expected_rows)

    def add_all(self, batches: Iterable[Any]) -> None:
        """Add batches that have the wanted columns. A thread decodes each batch while the one before is added."""
        from concurrent.futures import ThreadPoolExecutor

        remaining = bounded(batches, self._source)
        with ThreadPoolExecutor(1) as pool:
            decoded = pool.submit(next, remaining, None)
            while (batch := decoded.result()) is not None:
                decoded = pool.submit(next, remaining, None)
                self._add(batch)

    def _add(self, batch: Any) -> None:  # noqa: ANN401
        for start in range(0, batch.num_rows, ROWS):
            rows = batch.slice(start, ROWS)
            # A batch has its two columns in the order of the file, so the source may be the second.
            source_column = int(self._columns[0] > self._columns[1])
            source, target = checked(rows.column(source_column)), checked(rows.column(1 - source_column))
            if source.null_count:
                row = int(np.argmin(_valid(source)))
                raise self._error(row, "the source is null: expected a position (only a target may be)")
            (self._add_texts if self._are_texts else self._add_integers)(source, target)
            self._rows += rows.num_rows
            if self._total is not None:
                self._source.report(self._rows, max(self._total, self._rows))

    def _add_integers(self, source: Any, target: Any) -> None:  # noqa: ANN401
        starts, ends = integers_of(source, "source", 0, self._error), integers_of(target, "target", 0, self._error)
        if target.null_count:
            is_edge = _valid(target)
            self._edges.add_vertices(starts[~is_edge])
            starts, ends = starts[is_edge], ends[is_edge]
        self._edges.append(starts, ends)

    def _add_texts(self, source: Any, target: Any) -> None:  # noqa: ANN401
        # A row without a target only says that its source is a vertex, so the source must get a number.
        starts, ends = (self._vertices(column) for column in (source, target.drop_null()))
        if target.null_count:
            starts = starts[_valid(target)]
        self._edges.append_numbers(starts, ends)

    def _vertices(self, texts: Any) -> np.ndarray:  # noqa: ANN401
        # The cast changes only columns of nulls, to which ``checked`` gave the type of integers.
        _, offset_buffer, data = texts.cast(pyarrow().large_string()).buffers()
        offsets = np.frombuffer(offset_buffer, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        text = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
        return self._edges.number_texts(text, offsets)  # type: ignore[no-any-return]

    def graph(self) -> GameGraph:
        """Return the graph of all edges added so far.

        Raises LimitError if it has too many vertices, and ParseError if a token is not a position.
        """
        source, target, labels = self._edges.numbered()
        check_count(len(labels))
        return GameGraph.from_arrays(source, target, labels, tokens=self.tokens(labels), overwrite=True)

    def tokens(self, labels: Labels | list[Hashable]) -> list[Hashable] | None:
        """Return the tokens in the table's metadata, or None; raise ParseError if a token is not among ``labels``."""
        if self._tokens is None:
            return None
        return decode_tokens(self._tokens.decode(errors="replace"), labels, "json", self._source)

    def _error(self, index: int, message: str) -> ParseError:
        return self._source.error(Message("row {row}: {message}", self._rows + index + 1, message))


def position_column(labels: Labels) -> Any:  # noqa: ANN401
    """Return all positions as an Arrow array of integers of 32 or 64 bits.

    If a position is not such an integer, return an array with the ``str`` of each position.
    """
    integers = integer_array(labels)
    pa = pyarrow()
    if integers is None:
        return pa.array(unique_texts(labels), pa.large_string())
    fits = len(integers) == 0 or -(2**31) <= integers.min() <= integers.max() < 2**31
    return pa.array(integers.astype(np.int32) if fits else integers)


def write(graph: GameGraph, stream: BinaryIO, kind: str = "parquet") -> None:
    """Write the edge table of a graph as Parquet, or as an Arrow file if ``kind`` is "arrow".

    Positions without edges come first, with null as target. Then come the edges, in the order of their sources. Raises
    FormatError if the positions are integers, and one is negative.
    """
    pa = pyarrow()
    positions, alone = position_column(graph.labels), isolated(graph)
    schema = _edge_schema(graph, positions, bool(alone), kind)
    with _writer(schema, stream, kind) as writer:
        if alone:
            ends = [positions.take(pa.array(alone, pa.int64())), pa.nulls(len(alone), positions.type)]
            writer.write_batch(pa.record_batch(ends, schema=schema))
        for edges in edge_arrays(graph, ROWS):
            ends = [positions.take(pa.array(end)) for end in edges]
            writer.write_batch(pa.record_batch(ends, schema=schema))


def write_blocks(
    blocks: Iterable[tuple[np.ndarray, np.ndarray]], vertices: int, tokens: Sequence[int], stream: BinaryIO
) -> None:
    """Write the Parquet table of a game on the positions 1 to ``vertices``.

    A block has an array of sources and an array of targets, with p - 1 for position p. ``tokens`` has the positions p.
    """
    pa = pyarrow()
    fields = [pa.field(name, pa.int32(), nullable) for name, nullable in zip(_ENDS, (False, True), strict=True)]
    schema = pa.schema(fields, {_TOKENS: json.dumps(list(tokens)).encode()})
    alone = np.ones(vertices, np.bool_)
    with _writer(schema, stream) as writer:
        for ends in blocks:
            for end in ends:
                alone[end] = False
            writer.write_batch(pa.record_batch([pa.array(end + np.int32(1)) for end in ends], schema=schema))
        for start in range(0, vertices, ROWS):
            positions = np.flatnonzero(alone[start : start + ROWS]).astype(np.int32) + np.int32(start + 1)
            if len(positions):
                batch = pa.record_batch([pa.array(positions), pa.nulls(len(positions), pa.int32())], schema=schema)
                writer.write_batch(batch)


def _edge_schema(graph: GameGraph, positions: Any, has_nulls: bool, format: str) -> Any:  # noqa: ANN401
    pa = pyarrow()
    if kind_of(positions.type) == "integers" and len(positions) and (least := positions.to_numpy().min()) < 0:
        raise FormatError(
            "position {least} is negative, and {format} edge tables cannot store negative integers: relabel the "
            "positions, or write csv",
            least,
            format,
        )
    metadata = {}
    if graph.tokens is not None:
        tokens = [positions[graph.number_of(token)].as_py() for token in graph.tokens]
        metadata[_TOKENS] = json.dumps(tokens).encode()
    may_be_null = zip(_ENDS, (False, has_nulls), strict=True)
    return pa.schema([pa.field(name, positions.type, nullable) for name, nullable in may_be_null], metadata)


def open_file(source: Source) -> Any:  # noqa: ANN401
    """Open a Parquet file, and return it as a ``pyarrow.parquet.ParquetFile``.

    Raises LimitError if its data are much too large for the size of the file. Long strings are read as indices into
    dictionaries, so that a string that repeats is in memory only once.
    """
    parquet = pyarrow().parquet
    file = source.seekable()
    metadata = parquet.read_metadata(file)
    groups = (metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    # Even without compression, equal rows take almost no space in the file. So limit the number of rows too.
    source.refuse_expansion(max(sum(groups), _BYTES_OF_ROW * metadata.num_rows))
    text_columns = [field.name for field in metadata.schema.to_arrow_schema() if kind_of(field.type) == "strings"]
    options = {"metadata": metadata, "buffer_size": ROWS, "pre_buffer": False}
    with_dictionaries = parquet.ParquetFile(file, read_dictionary=text_columns, **options)
    if _longest_in_dictionaries(with_dictionaries, text_columns) > _LONG_STRING:
        return with_dictionaries
    # pyarrow takes long to make dictionaries, so short strings are read without them.
    return parquet.ParquetFile(file, **options)


def _row_batches(file: Any, columns: list[str] | None) -> Iterable[Any]:  # noqa: ANN401
    """Return batches of at most ``ROWS`` rows with the named columns of a Parquet file; None stands for all columns."""
    # The file of a table without rows may have no row groups. For such a file pyarrow before 20 would raise an error.
    batches: Iterable[Any] = file.iter_batches(ROWS, columns=columns) if file.metadata.num_row_groups else ()
    return batches


def _longest_in_dictionaries(file: Any, text_columns: list[str]) -> int:  # noqa: ANN401
    """Return the length in bytes of the longest string in the dictionaries of ``file``, a ``ParquetFile``.

    ``text_columns`` names its columns of strings. ``file`` reads them as indices into dictionaries.
    """
    longest = 0
    for group in range(file.metadata.num_row_groups if text_columns else 0):
        # To read the first row, pyarrow reads all of the dictionary.
        batch = next(iter(file.iter_batches(1, row_groups=[group], columns=text_columns)), None)
        for column in () if batch is None else batch.columns:
            column.dictionary.validate(full=True)
            longest = max(longest, int(_lengths(column.dictionary).max(initial=0)))
    return longest


def read(source: Source, kind: str = "parquet") -> GameGraph:
    """Return the graph of an edge table in a Parquet file or, if ``kind`` is "arrow", in an Arrow file or stream."""
    if kind == "parquet":
        return scan(source).graph()
    ipc = pyarrow().ipc
    with source.understood(Message("an Arrow file")):
        is_file = source.peek(len(_START_OF_ARROW_FILE)) == _START_OF_ARROW_FILE
        file = source.seekable()
        open_ = ipc.open_file if is_file else ipc.open_stream
        reader = TableReader(source, open_(file).schema, None)
        file.seek(0)
        table = open_(file, options=ipc.IpcReadOptions(included_fields=reader.wanted))
        reader.add_all(map(table.get_batch, range(table.num_record_batches)) if is_file else table)
    return reader.graph()


def scan(source: Source, store: Callable[[bool, int], Any] | None = None) -> TableReader:
    """Return a :class:`TableReader` that has read all edges of a Parquet file; ``store`` is as for this class."""
    with source.understood("Parquet"):
        file = open_file(source)
        schema = file.metadata.schema.to_arrow_schema()
        reader = TableReader(source, schema, file.metadata.num_rows, store)
        names = None if reader.wanted is None else [schema.names[index] for index in reader.wanted]
        reader.add_all(_row_batches(file, names))
    return reader


def _writer(schema: Any, stream: BinaryIO, kind: str = "parquet") -> Any:  # noqa: ANN401
    if kind == "arrow":
        return pyarrow().ipc.new_file(stream, schema)
    parquet = pyarrow().parquet
    if kind_of(schema.field(0).type) == "strings":
        return parquet.ParquetWriter(stream, schema, compression="zstd")
    encoding = {"use_dictionary": False, "column_encoding": "DELTA_BINARY_PACKED"}
    return parquet.ParquetWriter(stream, schema, compression="none", **encoding)


def write_parquet_values(values: Values, names: Sequence[str], stream: BinaryIO) -> None:
    """Write values as Parquet. ``names`` has the columns to write: the first 1, 2, 3 or 4 of :data:`COLUMNS`."""
    pa = pyarrow()
    grundy: Any = values.grundy
    if (grundy < 0).any():
        grundy = np.array(list(map(str, values.codes.decode(grundy.tolist()))))
    columns = (position_column(values.labels), grundy, values.outcome, values.remoteness)[: len(names)]
    schema = pa.schema(
        [(name, pa.array(column[:1]).type) for name, column in zip(names, columns, strict=True)],
        {} if values.misere is None else {_PLAY: play_name(values.misere).encode()},
    )
    with pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for start in range(0, len(values), ROWS):
            parts = [column[start : start + ROWS] for column in columns]
            parts[3:] = [pa.array(lengths, mask=lengths < 0) for lengths in parts[3:]]
            writer.write_batch(pa.record_batch([pa.array(part) for part in parts], schema=schema))


def read_parquet_values(source: Source) -> Values:
    """Read a values file in Parquet."""
    with source.understood("Parquet"):
        file = open_file(source)
        names, misere = _names(file.schema_arrow, source)
        play = (file.schema_arrow.metadata or {}).get(_PLAY)
        misere = misere if play is None else is_misere(play.decode(errors="replace"), source.error)
        is_plain = "grundy" not in names or kind_of(file.schema_arrow.field(names["grundy"]).type) == "integers"
        batches = _batches(file, names, source)
        return _from_columns(batches, source, misere) if is_plain else _from_rows(batches, source, misere)


def _names(schema: Any, source: Source) -> tuple[dict[str, str], bool | None]:  # noqa: ANN401
    """Return a dictionary of the names of columns, and True if one of them is ``misere``, else None.

    The dictionary maps names in :data:`COLUMNS` to the file's own names; columns that the file does not have are left
    out. Raises ParseError if a column has a wrong type, if a required column is missing, or if two columns have the
    same meaning.
    """
    standard, misere = value_columns(schema.names, lambda *message: source.error(Message(*message)))
    names = {column: schema.names[standard.index(column)] for column in COLUMNS if column in standard}
    for column, name in names.items():
        kind = schema.field(name).type
        if kind_of(kind) not in _KINDS[column]:
            raise source.error(
                Message("column {name!r} holds {kind}: expected {kinds}", name, kind, either(_KINDS[column]))
            )
    return names, misere


def _batches(file: Any, names: dict[str, str], source: Source) -> Iterator[tuple[int, dict[str, Any]]]:  # noqa: ANN401
    """Yield, for each block of rows, the number of its first row (from 1) and a dictionary of its columns.

    ``names`` maps names in :data:`COLUMNS` to the file's own names. The dictionary has a column for each name in
    :data:`COLUMNS`. A column that the file does not have is all null. Raises ParseError if the file has a column of
    positions or of Grundy values with a null in it.
    """
    rows = 0
    for batch in bounded(_row_batches(file, list(names.values())), source):
        columns = {column: checked(batch.column(name)) for column, name in names.items()}
        for column in columns.keys() & {"position", "grundy"}:
            if columns[column].null_count:
                row = rows + int(np.argmin(_valid(columns[column]))) + 1
                raise source.error(Message("row {rows}: the {column} is null: expected one in each row", row, column))
        nulls = pyarrow().nulls(batch.num_rows, pyarrow().int64())
        yield rows + 1, {column: columns.get(column, nulls) for column in COLUMNS}
        rows += batch.num_rows
        source.report(rows, max(rows, file.metadata.num_rows))


def _from_columns(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, misere: bool | None) -> Values:
    """Return the values in ``batches``, pairs (number of the first row, columns) from :func:`_batches`.

    The column of Grundy values has integers or only nulls. ``misere`` is stored in the result, see :class:`Values`.
    """
    parts: dict[str, list[np.ndarray]] = {column: [] for column in COLUMNS}
    names: list[Hashable] = []
    for first, columns in batches:

        def error(index: int, message: str, first: int = first) -> ParseError:
            return source.error(Message("row {row}: {message}", first + index, message))

        if kind_of(columns["position"].type) == "strings":
            names += columns["position"].to_pylist()
        else:
            parts["position"].append(integers_of(columns["position"], "position", -(2**63), error).astype(np.int64))
        parts["grundy"].append(_numbers(columns["grundy"], "grundy", error))
        parts["outcome"].append(_outcomes(columns["outcome"], error))
        parts["remoteness"].append(_numbers(columns["remoteness"], "remoteness", error))
    empty = {"position": "i8", "grundy": "i4", "outcome": "U1", "remoteness": "i4"}
    all_rows = {column: np.concatenate([np.empty(0, empty[column]), *blocks]) for column, blocks in parts.items()}
    if names:
        if len(set(names)) < len(names):
            raise source.error(repeated_position(first_repeated(names)))
        return Values(as_labels(names), all_rows["grundy"], all_rows["outcome"], all_rows["remoteness"], misere)
    return _sorted(all_rows, source, misere)


def _sorted(columns: dict[str, np.ndarray], source: Source, misere: bool | None) -> Values:
    """Return the values, sorted by position; raise ParseError if a position is repeated.

    ``columns`` has an array for each name in :data:`COLUMNS`; the positions are integers. ``misere`` is stored in the
    result, see :class:`Values`.
    """
    positions = columns["position"]
    if not is_increasing(positions):
        order = np.argsort(positions, kind="stable")
        columns = {name: column[order] for name, column in columns.items()}
        positions = columns["position"]
        if (same := positions[1:] == positions[:-1]).any():
            raise source.error(repeated_position(int(positions[np.argmax(same)])))
    return Values(as_labels(positions), columns["grundy"], columns["outcome"], columns["remoteness"], misere)


def _numbers(column: Any, name: str, error: Callable[[int, str], ParseError]) -> np.ndarray:  # noqa: ANN401
    """Return a column of Grundy values or remotenesses as an int32 array, with -1 for null.

    If a number is not in 0..``LARGEST_VALUE``, raise ``error(index, message)``, as :func:`integers_of` does. The
    message calls the column ``name``.
    """
    values = integers_of(column, name, 0, error, LARGEST_VALUE)
    return np.where(_valid(column), values, -1).astype(np.int32)


def _outcomes(column: Any, error: Callable[[int, str], ParseError]) -> np.ndarray:  # noqa: ANN401
    import pyarrow.compute

    texts = column.cast(pyarrow.large_string()).fill_null("")
    upper = pyarrow.compute.utf8_upper(texts)
    numbers = pyarrow.compute.index_in(upper, value_set=pyarrow.array(_OUTCOMES, pyarrow.large_string()))
    if numbers.null_count:
        index = int(np.argmin(_valid(numbers)))
        raise error(index, Message("outcome {outcome!r}: expected P, N or D", texts[index].as_py()))
    outcomes: np.ndarray = np.array(_OUTCOMES)[numbers.to_numpy()]
    return outcomes


def _from_rows(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, misere: bool | None) -> Values:
    """Return the values in ``batches``, pairs (number of the first row, columns) from :func:`_batches`.

    The column of Grundy values has strings. ``misere`` is stored in the result, see :class:`Values`.
    """
    row = 0
    collector = Collector(lambda *message: source.error(Message("row {row}: {message}", row, Message(*message))))
    for first, columns in batches:
        rows = zip(*(columns[name].to_pylist() for name in COLUMNS), strict=True)
        for row, cells in enumerate(rows, first):  # noqa: B007  an error names the row
            collector.add(*cells)
    return collector.values(list(collector.numbers), misere)
