r"""Tables in columns: the edges of a graph, and the values of its positions, in Parquet; edges in Arrow files, too.

Edges
-----
Two columns are read: ``source`` and ``target``, in any case and order, or other usual names of theirs such as ``from``
and ``to``, or the only two that there are. Both hold integers in 0..2**63-1, of any width, or both hold strings. A row
without a target (null) is a position of its own, with or without edges elsewhere. Parallel edges count once. Integers
come in increasing order and without gaps, strings in the order in which they are met.

The schema's metadata may name the tokens: ``graphgame.tokens`` is a JSON array of positions.

Files are written with integers of 32 or 64 bits, or strings; positions of another type are written as their ``str``.
Parquet has a row group for about a million edges: integers as differences, which take less than Zstandard makes of them
and less time; strings by dictionary, with Zstandard. An Arrow file is an IPC file, which is Feather version 2; Arrow
streams are read as well.

Reading takes time O(size). Integers take 8 bytes an edge (16 where they need more than 32 bits), strings 8 bytes an
edge and their distinct values.

Values
------
``position`` (integers or strings), ``grundy`` (integers; strings where one is infinite), ``outcome`` (strings) and
``remoteness`` (integers, null where it is not known). The schema's metadata ``graphgame.play`` is ``normal`` or
``misere``. Integer positions come in increasing order, whatever the order of the file.

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
from graphgame.errors import FormatError, LimitError, Message, ParseError, either, needs_extra, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.rows import MAX_VERTICES
from graphgame.io.dialects import asked_columns, refuse_repeated, unread, usual_columns
from graphgame.io.edge_stores import IntegerEdges, TextEdges
from graphgame.io.edges import edge_arrays, isolated
from graphgame.io.files import Source
from graphgame.io.interchange import unique_texts
from graphgame.io.values import COLUMNS, Codec, Values
from graphgame.labs.formats.positions import decode_tokens, integer_array, is_increasing
from graphgame.labs.formats.values import LARGEST_VALUE, Collector, is_misere, value_columns
from graphgame.solution.results import play_name

ROWS = 1 << 20
"""Rows written or decoded at a time."""

_ROWS_A_BYTE = 8
_BYTES_A_NUMBER = 4
_LOOKUPS_A_ROW = 4  # work for each row, in the unit of use_compiled: vertices plus edges
_NAMES = ("source", "target")
_TOKENS = b"graphgame.tokens"
_LARGEST = 2**63 - 1
_BYTES_A_ROW = 8
_LONG = 64
"""Bytes of a string which a batch of rows may repeat."""

_ARROW_FILE = b"ARROW1"
_PLAY = b"graphgame.play"
_KINDS = {
    "position": ("integers", "strings"),
    "grundy": ("integers", "strings"),
    "outcome": ("strings", "nothing"),
    "remoteness": ("integers", "nothing"),
}
"""Column of values -> what it may hold."""

_OUTCOMES = ("", "P", "N", "D")


def pyarrow() -> ModuleType:
    """Return the package pyarrow; raise MissingExtraError where the extra ``parquet`` is not installed."""
    with needs_extra(Message("reading and writing Parquet and Arrow files"), "parquet"):
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    return pyarrow  # type: ignore[no-any-return]


def kind_of(column_type: Any) -> str | None:  # noqa: ANN401
    """Return "integers", "strings" or "nothing" for a type of column, None for any other."""
    is_ = pyarrow().types
    if is_.is_dictionary(column_type):
        column_type = column_type.value_type
    if is_.is_integer(column_type):
        return "integers"
    if is_.is_null(column_type):
        return "nothing"
    texts = (is_.is_string, is_.is_large_string, is_.is_string_view, is_.is_binary, is_.is_large_binary)
    return "strings" if any(is_text(column_type) for is_text in texts) else None


def bounded(batches: Iterable[Any], source: Source) -> Iterator[Any]:
    """Yield batches as long as what they hold is no more than the file's size makes credible."""
    size = 0
    for batch in batches:
        size += sum(map(_held, batch.columns))
        source.refuse_expansion(size)
        yield batch


def _held(column: Any) -> int:  # noqa: ANN401
    """Return the bytes that a column becomes, a string as often as the column repeats it."""
    pa = pyarrow()
    if kind_of(column.type) != "strings":
        return _BYTES_A_NUMBER * len(column)
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    column.validate(full=True)
    return int(_lengths(column.dictionary)[column.indices.drop_null().to_numpy()].sum())


def longest_text(texts: Any) -> int:  # noqa: ANN401
    """Return how many bytes the longest of these strings has."""
    texts.validate(full=True)
    return int(_lengths(texts).max(initial=0))


def _lengths(texts: Any) -> np.ndarray:  # noqa: ANN401
    words = texts.cast(pyarrow().large_binary())
    return np.diff(np.frombuffer(words.buffers()[1] or bytes(8), np.int64, len(words) + 1, 8 * words.offset))


def checked(column: Any) -> Any:  # noqa: ANN401
    """Return a column of a file once nothing in it leads outside; strings and dictionaries as plain long strings."""
    column.validate(full=True)
    pa = pyarrow()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_null(column.type):
        return pa.nulls(len(column), pa.int64())
    return column.cast(pa.large_string()) if kind_of(column.type) == "strings" else column


def integers_of(column: Any, name: str, least: int, error: Callable[[int, str], ParseError]) -> np.ndarray:  # noqa: ANN401
    """Return a column of integers as an array, 0 where it is null.

    All lie in ``least``..2**63-1; ``error(index, what is wrong)`` makes the error for a row in which one does not.
    """
    # to fill, or to_numpy, is to load all of pyarrow's functions and pandas
    values: np.ndarray = np.from_dlpack(column.fill_null(0) if column.null_count else column)
    is_wide = values.dtype == np.uint64
    if len(values) and (int(values.min()) < least or (is_wide and int(values.max()) > _LARGEST)):
        wrong = int(np.argmax((values < least) | (values > _LARGEST)))
        low = "-2**63" if least < 0 else least
        fault = Message("is {values}: expected an integer in {low}..2**63-1", values[wrong], low)
        raise error(wrong, Message("the {column} {what}", name, fault))
    return values.view(np.int64) if is_wide else values


def edge_columns(schema: Any, source: Source) -> tuple[int, int]:  # noqa: ANN401
    """Return the columns of sources and targets; raise a ParseError if they are missing, unclear or of another type."""
    names = [name.lower() for name in schema.names]
    pair = usual_columns(names)
    if source.columns != (None, None):
        *found, _ = asked_columns(names, schema.names, source.columns, source)
        if max(found) >= len(names):
            shown = ", ".join(map(shorten, schema.names[:20]))
            raise source.error(Message("no column {name!r}: the table has {shown}", str(max(found) + 1), shown))
    elif pair is None:
        if len(names) != 2 or {*_NAMES} & set(names):
            shown = ", ".join(map(shorten, schema.names[:20])) or "none"
            raise source.error(
                Message("expected the columns 'source' and 'target', or two columns; found {found}", shown)
            )
        found = [0, 1]
    else:
        found = [*pair]
        own = tuple(names[column] for column in pair)
        for name in own:
            refuse_repeated(names, name, source, None)
        source.notes += unread(len(names)) if own != _NAMES else []
    columns = found[0], found[1]
    _check_types(schema, columns, source)
    return columns


def _check_types(schema: Any, columns: tuple[int, int], source: Source) -> None:  # noqa: ANN401
    kinds = set()
    for index in columns:
        column = schema.field(index)
        kind = kind_of(column.type)
        if kind is None:
            hint = Message(" (in pandas: astype('Int64'))") if pyarrow().types.is_floating(column.type) else ""
            message = Message(
                "column {name!r} holds {type}: expected integers or strings{hint}", column.name, column.type, hint
            )
            raise source.error(message)
        kinds.add(kind)
    if {"integers", "strings"} <= kinds:
        first, second = (schema.field(index).type for index in columns)
        raise source.error(
            Message("sources are {first} and targets {second}: expected integers or strings in both", first, second)
        )


class TableReader:
    """Collects the edges of a table, batch by batch, in a store of edges.

    ``rows`` is how many the file says it holds. ``store(texts, rows)`` gives the store: one of texts, such as
    :class:`graphgame.io.edge_stores.TextEdges`, or of integers, such as ``IntegerEdges``. ``wanted`` says which columns
    the batches should have, in this order; None both of a table of two.
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
        room = ROWS if rows is None else max(0, min(rows, _ROWS_A_BYTE * (source.size or ROWS)))
        self._are_texts = any(kind_of(schema.field(index).type) == "strings" for index in self._columns)
        self._edges = (store or _in_memory)(self._are_texts, room)

    def add_all(self, batches: Iterable[Any]) -> None:
        """Add batches of the two columns; a thread decodes each while the one before is added."""
        from concurrent.futures import ThreadPoolExecutor

        coming = bounded(batches, self._source)
        with ThreadPoolExecutor(1) as pool:
            decoded = pool.submit(next, coming, None)
            while (batch := decoded.result()) is not None:
                decoded = pool.submit(next, coming, None)
                self._add(batch)

    def _add(self, batch: Any) -> None:  # noqa: ANN401
        for start in range(0, batch.num_rows, ROWS):
            part = batch.slice(start, ROWS)
            first = int(self._columns[0] > self._columns[1])
            source, target = checked(part.column(first)), checked(part.column(1 - first))
            if source.null_count:
                row = int(np.argmin(source.is_valid().to_numpy(zero_copy_only=False)))
                raise self._error(row, "the source is null: expected a position (only a target may be)")
            (self._add_texts if self._are_texts else self._add_integers)(source, target)
            self._rows += part.num_rows
            if self._total is not None:
                self._source.report(self._rows, max(self._total, self._rows))

    def _add_integers(self, source: Any, target: Any) -> None:  # noqa: ANN401
        starts, ends = integers_of(source, "source", 0, self._error), integers_of(target, "target", 0, self._error)
        if target.null_count:
            known = target.is_valid().to_numpy(zero_copy_only=False)
            self._edges.add_vertices(starts[~known])
            starts, ends = starts[known], ends[known]
        self._edges.append(starts, ends)

    def _add_texts(self, source: Any, target: Any) -> None:  # noqa: ANN401
        starts, ends = (self._numbers(column) for column in (source, target.drop_null()))
        if target.null_count:
            starts = starts[target.is_valid().to_numpy(zero_copy_only=False)]
        self._edges.append_numbers(starts, ends)

    def _numbers(self, column: Any) -> np.ndarray:  # noqa: ANN401
        pa = pyarrow()
        _, offsets, data = column.cast(pa.large_string()).buffers()
        places = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
        text = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
        return self._edges.number_texts(text, places)  # type: ignore[no-any-return]

    def graph(self) -> GameGraph:
        """Return the graph; raise a ParseError where a token is no position of it."""
        source, target, labels = self._edges.numbered()
        if len(labels) > MAX_VERTICES:
            raise LimitError(
                "{vertices} vertices: a graph in memory holds at most {max_vertices}", len(labels), MAX_VERTICES
            )
        return GameGraph.from_arrays(source, target, labels, tokens=self.tokens(labels), overwrite=True)

    def tokens(self, labels: Labels | list[Hashable]) -> list[Hashable] | None:
        """Return the tokens that the metadata name; raise a ParseError where one is not among the positions."""
        if self._tokens is None:
            return None
        return decode_tokens(self._tokens.decode(errors="replace"), labels, "json", self._source)

    def _error(self, index: int, message: str) -> ParseError:
        return self._source.error(Message("row {row}: {message}", self._rows + index + 1, message))


def _in_memory(texts: bool, rows: int) -> Any:  # noqa: ANN401
    if texts:
        return TextEdges(rows, compiled=use_compiled(_LOOKUPS_A_ROW * rows))
    return IntegerEdges(None, rows)


def position_column(labels: Labels) -> Any:  # noqa: ANN401
    """Return all positions as a column: integers of 32 bits if they fit, else of 64, or strings."""
    integers = integer_array(labels)
    pa = pyarrow()
    if integers is None:
        return pa.array(unique_texts(labels), pa.large_string())
    fits = len(integers) == 0 or -(2**31) <= integers.min() <= integers.max() < 2**31
    return pa.array(integers.astype(np.int32) if fits else integers)


def write(graph: GameGraph, stream: BinaryIO, kind: str = "parquet") -> None:
    """Write the edge table of a graph in batches: the positions without edges, then the edges by source."""
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
    """Write the Parquet table of a game on the positions 1 to n; its edges come in blocks, by numbers from 0 on."""
    pa = pyarrow()
    fields = [pa.field(name, pa.int32(), nullable) for name, nullable in zip(_NAMES, (False, True), strict=True)]
    schema = pa.schema(fields, {_TOKENS: json.dumps(list(tokens)).encode()})
    alone = np.ones(vertices, np.bool_)
    with _writer(schema, stream) as writer:
        for ends in blocks:
            for end in ends:
                alone[end] = False
            writer.write_batch(pa.record_batch([pa.array(end + np.int32(1)) for end in ends], schema=schema))
        for start in range(0, vertices, ROWS):
            places = np.flatnonzero(alone[start : start + ROWS]).astype(np.int32) + np.int32(start + 1)
            if len(places):
                batch = pa.record_batch([pa.array(places), pa.nulls(len(places), pa.int32())], schema=schema)
                writer.write_batch(batch)


def _edge_schema(graph: GameGraph, positions: Any, has_nulls: bool, format: str) -> Any:  # noqa: ANN401
    pa = pyarrow()
    if kind_of(positions.type) == "integers" and len(positions) and (least := positions.to_numpy().min()) < 0:
        raise FormatError(
            "position {least} is negative, which {format} tables of edges do not hold: relabel, or write csv",
            least,
            format,
        )
    metadata = {}
    if graph.tokens is not None:
        tokens = [positions[graph.number_of(token)].as_py() for token in graph.tokens]
        metadata[_TOKENS] = json.dumps(tokens).encode()
    may_be_null = zip(_NAMES, (False, has_nulls), strict=True)
    return pa.schema([pa.field(name, positions.type, nullable) for name, nullable in may_be_null], metadata)


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


def _row_batches(file: Any, columns: list[str] | None) -> Iterable[Any]:  # noqa: ANN401
    """Return batches of at most ``ROWS`` rows with the named columns of a Parquet file; None stands for all columns."""
    # pyarrow before 20 raises an error on a file without row groups, as a table without rows is written.
    batches: Iterable[Any] = file.iter_batches(ROWS, columns=columns) if file.metadata.num_row_groups else ()
    return batches


def _longest(file: Any, texts: list[str]) -> int:  # noqa: ANN401
    """Return the length of the longest string in the dictionaries of a file: only those can repeat a string."""
    longest = 0
    for group in range(file.metadata.num_row_groups if texts else 0):
        for batch in file.iter_batches(1, row_groups=[group], columns=texts):
            longest = max(longest, *(longest_text(column.dictionary) for column in batch.columns))
            break  # the first row has read all of the dictionary
    return longest


def read(source: Source, kind: str = "parquet") -> GameGraph:
    """Read the edge table of a Parquet file, or of an Arrow file or stream."""
    if kind == "parquet":
        return scan(source).graph()
    ipc = pyarrow().ipc
    with source.understood(Message("an Arrow file")):
        is_file = source.peek(len(_ARROW_FILE)) == _ARROW_FILE
        file = source.seekable()
        open_ = ipc.open_file if is_file else ipc.open_stream
        reader = TableReader(source, open_(file).schema, None)
        file.seek(0)
        table = open_(file, options=ipc.IpcReadOptions(included_fields=reader.wanted))
        reader.add_all(map(table.get_batch, range(table.num_record_batches)) if is_file else table)
    return reader.graph()


def scan(source: Source, store: Callable[[bool, int], Any] | None = None) -> TableReader:
    """Read the edge table of a Parquet file into a store of columns: see :class:`TableReader`."""
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


def _write_values(values: Values, names: Sequence[str], stream: BinaryIO) -> None:
    """Write the first of the columns of values."""
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
        names = _names(file.schema_arrow, source)
        found = (file.schema_arrow.metadata or {}).get(_PLAY)
        misere = None if found is None else is_misere(found.decode(errors="replace"), source.error)
        is_plain = "grundy" not in names or kind_of(file.schema_arrow.field(names["grundy"]).type) == "integers"
        batches = _batches(file, names, source)
        return _from_columns(batches, source, misere) if is_plain else _from_rows(batches, source, misere)


def _names(schema: Any, source: Source) -> dict[str, str]:  # noqa: ANN401
    """Return the file's own names of the columns that it has."""
    try:
        found, _ = value_columns(schema.names)
    except ValueError as error:
        raise source.error(str(error)) from None
    names = {column: schema.names[found.index(column)] for column in COLUMNS if column in found}
    for column, name in names.items():
        kind = schema.field(name).type
        if kind_of(kind) not in _KINDS[column]:
            raise source.error(
                Message("column {name!r} holds {kind}: expected {kinds}", name, kind, either(_KINDS[column][:2]))
            )
    return names


def _batches(file: Any, names: dict[str, str], source: Source) -> Iterator[tuple[int, dict[str, Any]]]:  # noqa: ANN401
    """Yield the columns block by block, each with the number of its first row."""
    rows = 0
    for batch in bounded(_row_batches(file, list(names.values())), source):
        columns = {column: checked(batch.column(name)) for column, name in names.items()}
        for column in columns.keys() & {"position", "grundy"}:
            if columns[column].null_count:
                index = int(np.argmin(columns[column].is_valid().to_numpy(zero_copy_only=False)))
                raise source.error(
                    Message("row {rows}: the {column} is null: expected one in each row", rows + index + 1, column)
                )
        yield rows + 1, columns
        rows += batch.num_rows
        source.report(rows, max(rows, file.metadata.num_rows))


def _from_columns(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, misere: bool | None) -> Values:
    """Return the values without a look at single rows."""
    parts: dict[str, list[np.ndarray]] = {column: [] for column in COLUMNS}
    names: list[Hashable] = []
    for first, columns in batches:

        def error(index: int, message: str, first: int = first) -> ParseError:
            return source.error(Message("row {row}: {message}", first + index, message))

        count = len(columns["position"])
        if kind_of(columns["position"].type) == "strings":
            names += columns["position"].to_pylist()
        else:
            parts["position"].append(_numbers(columns, "position", -(2**63), error).astype(np.int64))
        grundy = _numbers(columns, "grundy", 0, error) if "grundy" in columns else np.full(count, -1)
        parts["grundy"].append(grundy.astype(np.int32))
        parts["outcome"].append(_outcomes(columns["outcome"], error) if "outcome" in columns else np.full(count, ""))
        parts["remoteness"].append(_remoteness(columns, count, error))
    empty = {"position": "i8", "grundy": "i4", "outcome": "U1", "remoteness": "i4"}
    whole = {column: np.concatenate([np.empty(0, empty[column]), *found]) for column, found in parts.items()}
    if names:
        if len(set(names)) < len(names):
            raise source.error("two rows have the same position: each has one")
        return Values(as_labels(names), whole["grundy"], whole["outcome"], whole["remoteness"], misere)
    return _sorted(whole, source, misere)


def _sorted(columns: dict[str, np.ndarray], source: Source, misere: bool | None) -> Values:
    """Return the values by increasing position."""
    positions = columns["position"]
    if not is_increasing(positions):
        order = np.argsort(positions, kind="stable")
        columns = {name: column[order] for name, column in columns.items()}
        positions = columns["position"]
        if (same := positions[1:] == positions[:-1]).any():
            raise source.error(
                Message("two rows have the position {position}: each has one", positions[np.argmax(same)])
            )
    return Values(as_labels(positions), columns["grundy"], columns["outcome"], columns["remoteness"], misere)


def _numbers(columns: dict[str, Any], column: str, least: int, error: Callable[[int, str], ParseError]) -> np.ndarray:
    values = integers_of(columns[column], column, least, error)
    if column != "position" and values.max(initial=0) > LARGEST_VALUE:
        index = int(np.argmax(values > LARGEST_VALUE))
        raise error(
            index,
            Message(
                "the {column} is {values}: expected an integer in 0..{largest_value}",
                column,
                values[index],
                LARGEST_VALUE,
            ),
        )
    return values


def _remoteness(columns: dict[str, Any], count: int, error: Callable[[int, str], ParseError]) -> np.ndarray:
    if "remoteness" not in columns:
        return np.full(count, -1, np.int32)
    known = columns["remoteness"].is_valid().to_numpy(zero_copy_only=False)
    return np.where(known, _numbers(columns, "remoteness", 0, error), -1).astype(np.int32)


def _outcomes(column: Any, error: Callable[[int, str], ParseError]) -> np.ndarray:  # noqa: ANN401
    import pyarrow.compute

    texts = column.cast(pyarrow.large_string()).fill_null("")
    numbers = pyarrow.compute.index_in(texts, value_set=pyarrow.array(_OUTCOMES, pyarrow.large_string()))
    if numbers.null_count:
        index = int(np.argmin(numbers.is_valid().to_numpy(zero_copy_only=False)))
        raise error(index, Message("outcome {outcome!r}: expected P, N or D", texts[index].as_py()))
    found: np.ndarray = np.array(_OUTCOMES)[numbers.to_numpy()]
    return found


def _from_rows(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, misere: bool | None) -> Values:
    """Return the values row by row, for values that are not all integers."""
    row = 0
    collector = Collector(lambda message: source.error(Message("row {row}: {message}", row, message)))
    for first, columns in batches:
        lists = [columns[name].to_pylist() if name in columns else None for name in COLUMNS]
        for row in range(first, first + len(columns["position"])):
            collector.add(*(None if cells is None else cells[row - first] for cells in lists))
    return collector.values(list(collector.numbers), misere)


CODEC = Codec("wb", _write_values)
"""Values files in Parquet."""
