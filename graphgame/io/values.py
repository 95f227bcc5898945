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
The same columns: :mod:`graphgame.io.parquetvalues`.

For reading, position and one of grundy and outcome are enough, and an empty cell means that nothing is said. The column
grundy may be called value, as ``solve`` prints it. Columns with other names are ignored.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TextIO

import numpy as np

from graphgame.errors import FormatError, LimitError, Message, either, plural
from graphgame.graph import GameLike
from graphgame.io.files import PathLike, ReadProgress, Source, open_atomic, plain_suffix
from graphgame.io.interchange import compact, decode_positions, position_texts, unique_texts
from graphgame.io.jsontext import JSONText
from graphgame.io.kinds import VALUES
from graphgame.io.labels_text import CSVRows, long_fields
from graphgame.io.valuerows import COLUMNS, Collector, Values, value_columns
from graphgame.results import Play, Value
from graphgame.solution import Solution, solution_of

_MISERE = "misere"
_FORMATS = ("csv", "json", "parquet")


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
        from graphgame.io import parquetvalues

        with open_atomic(path, "wb") as stream:
            parquetvalues.write(values, columns, stream)
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
            from graphgame.io import parquetvalues

            return parquetvalues.read(source)
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
