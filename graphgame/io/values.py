r"""Values files: what is known about every position of a solved graph, as CSV; JSON and Parquet are codecs of a lab.

CSV
---
The header ``position,grundy,outcome,remoteness`` and a row for each vertex, quoted as in RFC 4180. Under misère play
the column ``grundy`` is called ``misere``, so that the file says of which play it is. In a graph with cycles a value
may be infinite, such as ``inf(0,2)``, and the outcome ``D``, a draw. The remoteness is empty where it is not known, and
for a draw. If every position is an integer in canonical form they are integers, else all are strings; positions of any
other type are written as their ``str``.

For reading, position and one of grundy and outcome are enough, and an empty cell means that nothing is said. The column
grundy may be called value, as ``solve`` prints it. Columns with other names are ignored.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TextIO, cast

import numpy as np

from graphgame.errors import FormatError, LimitError, Message, MissingLabError, ParseError, either, plural, shorten
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import Labels, as_labels
from graphgame.io.files import PathLike, ReadProgress, Source, open_atomic, plain_suffix
from graphgame.io.interchange import CSVRows, decode_positions, long_fields, unique_texts
from graphgame.registry import offers
from graphgame.solution.results import Play, Value, ValueCodes, parse_value
from graphgame.solution.solve import Solution, solution_of

COLUMNS = ("position", "grundy", "outcome", "remoteness")
LARGEST_VALUE = 2**31 - 1
"""The largest value and the largest remoteness that is read."""
_VALUES = ("grundy", "value", "misere")
_MISERE = "misere"
_FORMATS = ("csv", "json", "parquet")


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


def play_of(text: object, error: Callable[[str], ParseError]) -> Play:
    """Return the play convention that a file names; ``error`` makes the error for another text."""
    if text not in ("normal", "misere"):
        raise error(Message("play {play!r}: expected normal or misere", text))
    return text


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


class Codec(NamedTuple):
    """How values are kept in files of a format; a lab offers one as ``values`` under the name of the format.

    ``write(values, columns, stream)`` writes the first of the columns of values to a file that is open in ``mode``.
    """

    mode: str
    read: Callable[[Source], Values]
    write: Callable[[Values, Sequence[str], Any], None]


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


def write_values(game: GameLike, path: PathLike, format: Literal["csv", "json", "parquet"] | None = None) -> None:
    """Write the value, the outcome and the remoteness of every vertex of a solved graph.

    Parameters
    ----------
    game : GameLike
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
    chosen, solution = values_format(path, format), solution_of(game)
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
    codec = _codec(format)
    with open_atomic(path, codec.mode) as stream:
        codec.write(values, columns, stream)


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
        return _codec(chosen).read(source)


def _codec(format: str) -> Codec:
    """Return how values are read and written in a format; raise MissingLabError where its lab is not installed."""
    if format == "csv":
        return Codec("w", _read_csv, _write_csv)
    known = offers("values")
    if format not in known:
        raise MissingLabError(Message("values as {format}", format), "formats")
    return cast("Codec", known[format].load())


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
    writer.writerows(row[: len(columns)] for row in value_rows(values, texts))


def value_rows(values: Values, texts: Iterable[str]) -> Iterator[tuple[str, Value, str, int | None]]:
    """Yield a row for each position: its text, its value, its outcome, and its remoteness if that is known."""
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
    return collector.values(decode_positions(list(collector.numbers), source), play)


def _columns(header: list[str], rows: CSVRows) -> tuple[list[int], Play | None]:
    """Return where each of the columns stands, -1 for one that is missing; and of which play they are, if they say."""
    try:
        names, play = value_columns(header)
    except ValueError as error:
        raise rows.error(str(error)) from None
    return [names.index(column) if column in names else -1 for column in COLUMNS], play
