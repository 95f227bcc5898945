r"""Values files: what is known about every position of a solved graph, as CSV, JSON or Parquet.

CSV
---
The header ``position,grundy,outcome,remoteness`` and a row for each vertex, quoted as in RFC 4180. Under misère play
the column ``grundy`` is called ``misere``, so that the file says of which play it is. In a graph with cycles a value
may be infinite, such as ``inf(0,2)``, and the outcome ``D``, a draw. The remoteness is empty where it is not known, and
for a draw. If every position is an integer in canonical form they are integers, else all are strings; positions of any
other type are written as their ``str``.

JSON
----
An object with ``"format": "graphgame values"``, ``"play"`` (``normal`` or ``misere``) and ``"values"``, an array of
objects with ``position``, ``grundy`` (a string where it is infinite), ``outcome`` and ``remoteness`` (``null`` where it
is empty in CSV). Positions are what they are in :mod:`graphgame.io.nodelink`.

Parquet
-------
``position`` (integers or strings), ``grundy`` (integers; strings where one is infinite), ``outcome`` (strings) and
``remoteness`` (integers, null where it is not known). The schema's metadata ``graphgame.play`` is ``normal`` or
``misere``. Integer positions come in increasing order, whatever the order of the file.

For reading, position and one of grundy and outcome are enough, and an empty cell means that nothing is said. The column
grundy may be called value, as ``solve`` prints it. Columns with other names are ignored.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Literal, NamedTuple, TextIO

import numpy as np

from graphgame.errors import FormatError, LimitError, Message, ParseError, either, plural, shorten
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import Labels, as_labels
from graphgame.io.columnar import ROWS, bounded, checked, integers_of, kind_of, position_column, pyarrow
from graphgame.io.files import PathLike, ReadProgress, Source, open_atomic, plain_suffix
from graphgame.io.interchange import CSVRows, compact, decode_positions, long_fields, position_texts, unique_texts
from graphgame.io.jsontext import JSONText
from graphgame.io.parquet import open_file
from graphgame.io.records import VALUES
from graphgame.solution.results import Play, Value, ValueCodes, parse_value
from graphgame.solution.solve import Solution, solution_of

COLUMNS = ("position", "grundy", "outcome", "remoteness")
LARGEST_VALUE = 2**31 - 1
"""The largest value and the largest remoteness that is read."""
_VALUES = ("grundy", "value", "misere")
_MISERE = "misere"
_FORMATS = ("csv", "json", "parquet")
_KINDS = {
    "position": ("integers", "strings"),
    "grundy": ("integers", "strings"),
    "outcome": ("strings", "nothing"),
    "remoteness": ("integers", "nothing"),
}
_OUTCOMES = ("", "P", "N", "D")
_PLAY = b"graphgame.play"


def value_columns(names: Sequence[str]) -> tuple[list[str], Play | None]:
    """Return the names of a table's columns as in :data:`COLUMNS`, and of which play the values are, if they say.

    Raises
    ------
    ValueError
        These are not the columns of a values file; says why.

    Examples
    --------
    >>> value_columns(["Position", "value"]), value_columns(["position", "misere"])
    ((['position', 'grundy'], None), (['position', 'grundy'], 'misere'))
    """
    lower = [name.strip().lower() for name in names]
    found = ["grundy" if name in _VALUES else name for name in lower]
    for column in COLUMNS:
        same = [name for name, meant in zip(lower, found, strict=True) if meant == column]
        if len(set(same)) > 1:
            raise ValueError(
                Message("a column {first!r} and a column {second!r}: expected one of them", same[0], same[1])
            )
        if len(same) > 1:
            raise ValueError(Message("{count} columns are named {name!r}: expected one", len(same), same[0]))
    if "position" not in found or not {"grundy", "outcome"} & set(found):
        shown = ", ".join(map(shorten, names[:20])) or "none"
        raise ValueError(
            Message(
                "not a values file: expected the columns {columns}, or position and value, or position "
                "and outcome; found {found}",
                ", ".join(COLUMNS),
                shown,
            )
        )
    return found, "misere" if "misere" in lower else None


class ValueRow(NamedTuple):
    """What a values file says of a position, None where it does not say."""

    grundy: Value | None
    outcome: str | None
    remoteness: int | None


class Values(Mapping[Hashable, ValueRow]):
    """Position -> :class:`ValueRow`, in the order of the file.

    Attributes
    ----------
    labels : Labels
        The positions.
    grundy : ndarray of int32
        -1 where the file does not say, below where the value is infinite.
    codes : ValueCodes
        What the negative ones mean.
    outcome : ndarray of str
        ``P``, ``N``, ``D``, or empty where the file does not say.
    remoteness : ndarray of int32
        -1 where the file does not say.
    play : {"normal", "misere"} or None
        None where the file does not say: in CSV with a column ``grundy``.
    """

    def __init__(
        self,
        labels: Labels,
        grundy: np.ndarray,
        outcome: np.ndarray,
        remoteness: np.ndarray,
        play: Play | None,
        codes: ValueCodes | None = None,
    ) -> None:
        self.labels = labels
        self.codes = codes or ValueCodes()
        self.grundy = grundy
        self.outcome = outcome
        self.remoteness = remoteness
        self.play = play

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.labels)

    def __getitem__(self, position: Hashable) -> ValueRow:
        number = self.labels.find(position)
        length = int(self.remoteness[number])
        code = int(self.grundy[number])
        value = None if code == -1 else self.codes.decode([code])[0]
        return ValueRow(value, str(self.outcome[number]) or None, None if length < 0 else length)

    def __repr__(self) -> str:
        return f"<Values of {plural(len(self), 'position')}>"


class Collector:
    """Collects rows and checks them; ``error`` makes the error for the row at hand."""

    def __init__(self, error: Callable[[str], ParseError]) -> None:
        self._error = error
        self.numbers: dict[Any, int] = {}
        self._codes = ValueCodes()
        self._grundy: list[int] = []
        self._outcome: list[str] = []
        self._remoteness: list[int] = []

    def add(self, position: Hashable, grundy: object, outcome: object, remoteness: object) -> None:  # noqa: D102
        if position in self.numbers:
            raise self._error(Message("a second row for the position {position!r}: each has one", position))
        outcome = outcome.upper() if isinstance(outcome, str) else outcome
        if outcome not in ("P", "N", "D", "", None):
            raise self._error(Message("outcome {outcome!r}: expected P, N or D", outcome))
        self.numbers[position] = len(self.numbers)
        other = parse_value(grundy) if isinstance(grundy, str) else None
        expected = Message(", or infinite, such as inf(0,2)")
        if grundy in (None, ""):
            code = -1
        else:
            code = self._codes.encode(self._number(grundy, "grundy", expected) if other is None else other)
        self._grundy.append(code)
        self._outcome.append(str(outcome or ""))
        known = remoteness is not None and remoteness != ""
        self._remoteness.append(self._number(remoteness, "remoteness") if known else -1)

    def values(self, positions: np.ndarray | list[Hashable], play: Play | None) -> Values:  # noqa: D102
        return Values(
            as_labels(positions),
            np.array(self._grundy, np.int32),
            np.array(self._outcome, "<U1"),
            np.array(self._remoteness, np.int32),
            play,
            self._codes,
        )

    def _number(self, value: object, name: str, expected: str = "") -> int:
        is_text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
        if is_text or (isinstance(value, int) and not isinstance(value, bool)):
            number = int(value)  # type: ignore[call-overload]
            if 0 <= number <= LARGEST_VALUE:
                return number  # type: ignore[no-any-return]
        raise self._error(
            Message(
                "{name} {value!r}: expected an integer in 0..{largest_value}{expected}",
                name,
                value,
                LARGEST_VALUE,
                expected,
            )
        )


def write_values(solution: GameLike, path: PathLike, format: Literal["csv", "json", "parquet"] | None = None) -> None:
    """Write the value, the outcome and the remoteness of every vertex of a solved graph.

    Parameters
    ----------
    solution : GameLike
        A graph is solved for normal play.
    path : str or os.PathLike
        ``-`` is standard output; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    format : {"csv", "json", "parquet"}, optional
        Else the file's name tells; standard output is CSV.

    Raises
    ------
    FormatError
        The format is unknown, or two positions have the same text.
    OSError
        The file cannot be written.

    Notes
    -----
    About a second for 10**6 positions; the file appears when it is complete. The remoteness is left out where it is not
    known: in a graph with sum vertices whose explicit product is too large.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphgame import solve
    >>> write_values(solve(nx.DiGraph([("a", "b")])), "-")
    position,grundy,outcome,remoteness
    a,1,N,1
    b,0,P,0
    """
    chosen, solution = values_format(path, format), solution_of(solution)
    values = Values(
        solution.graph.labels,
        solution.grundy.array,
        solution.outcome.array,
        _lengths(solution),
        solution.play,
        getattr(solution, "codes", None),
    )
    write_columns(values, path, chosen, COLUMNS)


def write_columns(values: Values, path: PathLike, format: str, columns: Sequence[str]) -> None:
    """Write the first of the columns of values, as ``format`` of :func:`values_format` says."""
    if format == "parquet":
        with open_atomic(path, "wb") as stream:
            _write_parquet(values, columns, stream)
        return
    with open_atomic(path) as stream:
        (_write_csv if format == "csv" else _write_json)(values, columns, stream)


def read_values(
    path: PathLike,
    format: Literal["csv", "json", "parquet"] | None = None,
    *,
    progress: ReadProgress | None = None,
    max_bytes: int | None = None,
) -> Values:
    """Read a values file.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard input.
    format : {"csv", "json", "parquet"}, optional
        Else the file's name tells, or its first bytes.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)``; the total is None for a stream.
    max_bytes : int, optional
        Most bytes that the file may hold, see :func:`graphgame.read_game`.

    Returns
    -------
    Values

    Raises
    ------
    ParseError
        The file is not a values file: says where, and what was expected.
    FormatError
        The format is unknown.
    LimitError
        The file holds more bytes than it may.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import networkx as nx
    >>> from graphgame import solve
    >>> path = pathlib.Path(tempfile.mkdtemp(), "values.json")
    >>> write_values(solve(nx.DiGraph([(3, 1), (3, 2), (2, 1)])), path)
    >>> read_values(path)[3]
    ValueRow(grundy=2, outcome='N', remoteness=1)
    """
    with Source(path, progress=progress, max_bytes=max_bytes) as source:
        named = format or plain_suffix(path)[1:] in _FORMATS
        chosen = values_format(path, format) if named else _detect(source)
        if chosen == "parquet":
            return _read_parquet(source)
        return _read_json(source) if chosen == "json" else _read_csv(source)


def _detect(source: Source) -> str:
    head = source.peek(64)
    if head.startswith(b"PAR1"):
        return "parquet"
    return "json" if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "csv"


def values_format(path: PathLike, format: str | None = None) -> str:
    """Return "csv", "json" or "parquet", as the name or the format says; raise FormatError where it is none."""
    found = format or ("csv" if path == "-" else plain_suffix(path)[1:])
    if found not in _FORMATS:
        if format:
            raise FormatError("format {format!r} of a values file: expected {formats}", format, either(_FORMATS))
        raise FormatError("name {name!r} of a values file: expected {formats}", str(path), either(_FORMATS))
    return found


def _lengths(solution: Solution) -> np.ndarray:
    """Return the remoteness of every vertex, -1 for each where it cannot be had."""
    try:
        return solution.remoteness.array.astype(np.int32, copy=False)
    except LimitError:
        return np.full(len(solution.graph), -1, np.int32)


def _write_csv(values: Values, columns: Sequence[str], stream: TextIO) -> None:
    texts = unique_texts(values.labels)
    if any("\0" in text for text in texts):
        raise FormatError("a position holds a NUL character, which CSV cannot express: write JSON")
    # the csv module of some Pythons leaves a carriage return unquoted
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL
    writer = csv.writer(stream, lineterminator="\n", quoting=quoting)
    writer.writerow([_MISERE if values.play == "misere" and name == "grundy" else name for name in columns])
    writer.writerows(row[: len(columns)] for row in _rows(values, texts))


def _write_json(values: Values, columns: Sequence[str], stream: TextIO) -> None:
    kind, texts = position_texts(values.labels)
    ids = (json.dumps(text, ensure_ascii=False) for text in texts) if kind == "str" else texts
    row = "{{" + ", ".join(f'"{column}": {{}}' for column in columns) + "}}"
    stream.write(f'{{"format": "{VALUES.format}", "play": "{values.play}", "values": [')
    separator = "\n"
    for position, grundy, outcome, length in _rows(values, ids):
        known = "null" if length is None else length
        value = f'"{grundy}"' if not isinstance(grundy, int) else grundy
        stream.write(separator + row.format(position, value, f'"{outcome}"', known))
        separator = ",\n"
    stream.write("\n]}\n")


def _rows(values: Values, texts: Iterable[str]) -> Iterator[tuple[str, Value, str, int | None]]:
    lengths = (None if length < 0 else length for length in values.remoteness.tolist())
    return zip(texts, values.codes.decode(values.grundy.tolist()), values.outcome.tolist(), lengths, strict=True)


def _read_csv(source: Source) -> Values:
    rows = CSVRows(source, enumerate(source.lines(), 1))
    collector = Collector(rows.error)
    with long_fields():
        of_rows = iter(rows)
        columns, play = _columns(next(of_rows, []), rows)
        for row in of_rows:
            if len(row) <= max(columns):
                raise rows.error(
                    Message(
                        "{fields}: expected {first} or more, as in the header",
                        plural(len(row), "field"),
                        max(columns) + 1,
                    )
                )
            collector.add(*(None if column < 0 else row[column] for column in columns))
    return collector.values(decode_positions(collector.numbers, None, source), play)


def _columns(header: list[str], rows: CSVRows) -> tuple[list[int], Play | None]:
    """Return where each of the columns stands, -1 for one that is missing; and of which play they are, if they say."""
    try:
        names, play = value_columns(header)
    except ValueError as error:
        raise rows.error(str(error)) from None
    return [names.index(column) if column in names else -1 for column in COLUMNS], play


def _read_json(source: Source) -> Values:
    text = JSONText(source)
    collector = Collector(text.error)
    play: Play | None = None
    found = False
    for name in text.members():
        if name == "values":
            found = True
            for row in text.elements():
                _add_json_row(collector, row, text)
            continue
        value = text.value()
        if name == "format" and value != VALUES.format:
            raise text.error(Message("format {value!r}: expected {format!r}", value, VALUES.format))
        if name == "play":
            if value not in ("normal", "misere"):
                raise text.error(Message("play {play!r}: expected normal or misere", value))
            play = value
    if not found:
        raise source.error("not a values file: expected an object with the array 'values'")
    return collector.values(compact(list(collector.numbers)), play)


def _add_json_row(collector: Collector, row: Any, text: JSONText) -> None:  # noqa: ANN401
    if not isinstance(row, dict) or "position" not in row:
        raise text.error(Message("row {row!r}: expected an object with position, grundy, outcome and remoteness", row))
    collector.add(text.position(row["position"]), *(row.get(column) for column in COLUMNS[1:]))


def _write_parquet(values: Values, names: Sequence[str], stream: BinaryIO) -> None:
    """Write the first of the columns of values."""
    pa = pyarrow()
    grundy: Any = values.grundy
    if (grundy < 0).any():
        grundy = np.array(list(map(str, values.codes.decode(grundy.tolist()))))
    columns = (position_column(values.labels), grundy, values.outcome, values.remoteness)[: len(names)]
    schema = pa.schema(
        [(name, pa.array(column[:1]).type) for name, column in zip(names, columns, strict=True)],
        {_PLAY: str(values.play).encode()},
    )
    with pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for start in range(0, len(values), ROWS):
            parts = [column[start : start + ROWS] for column in columns]
            parts[3:] = [pa.array(lengths, mask=lengths < 0) for lengths in parts[3:]]
            writer.write_batch(pa.record_batch([pa.array(part) for part in parts], schema=schema))


def _read_parquet(source: Source) -> Values:
    """Read a values file in Parquet."""
    with source.understood("Parquet"):
        file = open_file(source)
        names = _names(file.schema_arrow, source)
        play = _play(file.schema_arrow.metadata or {}, source)
        is_plain = "grundy" not in names or kind_of(file.schema_arrow.field(names["grundy"]).type) == "integers"
        batches = _batches(file, names, source)
        return _from_columns(batches, source, play) if is_plain else _from_rows(batches, source, play)


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


def _play(metadata: dict[bytes, bytes], source: Source) -> Play | None:
    play = metadata.get(_PLAY)
    if play not in (None, b"normal", b"misere"):
        raise source.error(Message("play {play!r}: expected normal or misere", play.decode(errors="replace")))
    return None if play is None else "misere" if play == b"misere" else "normal"


def _batches(file: Any, names: dict[str, str], source: Source) -> Iterator[tuple[int, dict[str, Any]]]:  # noqa: ANN401
    """Yield the columns block by block, each with the number of its first row."""
    rows = 0
    for batch in bounded(file.iter_batches(ROWS, columns=list(names.values())), source):
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


def _from_columns(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, play: Play | None) -> Values:
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
        return Values(as_labels(names), whole["grundy"], whole["outcome"], whole["remoteness"], play)
    return _sorted(whole, source, play)


def _sorted(columns: dict[str, np.ndarray], source: Source, play: Play | None) -> Values:
    """Return the values by increasing position."""
    positions = columns["position"]
    if not (positions[1:] > positions[:-1]).all():
        order = np.argsort(positions, kind="stable")
        columns = {name: column[order] for name, column in columns.items()}
        positions = columns["position"]
        if (same := positions[1:] == positions[:-1]).any():
            raise source.error(
                Message("two rows have the position {position}: each has one", positions[np.argmax(same)])
            )
    return Values(as_labels(positions), columns["grundy"], columns["outcome"], columns["remoteness"], play)


def _numbers(columns: dict[str, Any], column: str, least: int, error: Callable[[int, str], ParseError]) -> np.ndarray:
    values = integers_of(
        columns[column], least, lambda index, what: error(index, Message("the {column} {what}", column, what))
    )
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


def _from_rows(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, play: Play | None) -> Values:
    """Return the values row by row, for values that are not all integers."""
    row = 0
    collector = Collector(lambda message: source.error(Message("row {row}: {message}", row, message)))
    for first, columns in batches:
        lists = [columns[name].to_pylist() if name in columns else None for name in COLUMNS]
        for row in range(first, first + len(columns["position"])):
            collector.add(*(None if cells is None else cells[row - first] for cells in lists))
    return collector.values(list(collector.numbers), play)
