r"""Values files: what is known about every position of a solved graph, as CSV; JSON and Parquet are codecs of a lab.

CSV
---
The header ``position,grundy,outcome,remoteness`` and a row for each vertex, quoted as in RFC 4180. Under misère play
the column ``grundy`` is called ``misere``, so that the file says of which play it is. In a graph with cycles a value
may be infinite, such as ``inf(0,2)``, and the outcome ``D``, a draw. The remoteness is empty where it is not known, and
for a draw. If every position is an integer in canonical form they are integers, else all are strings; positions of any
other type are written as their ``str``.

Values files are written here; the lab ``formats`` reads them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TextIO, cast

import numpy as np

from graphgame.errors import FormatError, LimitError, Message, MissingLabError, either, plural
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import Labels
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.io.interchange import unique_texts
from graphgame.registry import offers
from graphgame.solution.results import Value, ValueCodes
from graphgame.solution.solve import Solution, solution_of

COLUMNS = ("position", "grundy", "outcome", "remoteness")
_MISERE = "misere"
_FORMATS = ("csv", "json", "parquet")


class ValueRow(NamedTuple):
    """What a values file says of a position, None where it does not say."""

    grundy: Value | None
    outcome: str | None
    remoteness: int | None


@dataclass(eq=False, repr=False)
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
    misere : bool or None
        None where the file does not say: in CSV with a column ``grundy``.
    """

    labels: Labels
    grundy: np.ndarray
    outcome: np.ndarray
    remoteness: np.ndarray
    misere: bool | None
    codes: ValueCodes = field(default_factory=ValueCodes)

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
    """How values are written in a format; a lab offers one as ``values`` under the name of the format.

    ``write(values, columns, stream)`` writes the first of the columns of values to a file that is open in ``mode``.
    """

    mode: str
    write: Callable[[Values, Sequence[str], Any], None]


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
        solution.misere,
        getattr(solution, "codes", ValueCodes()),
    )
    write_columns(values, path, chosen, COLUMNS)


def write_columns(values: Values, path: PathLike, format: str, columns: Sequence[str]) -> None:
    """Write the first of the columns of values, as ``format`` of :func:`values_format` says."""
    codec = _codec(format)
    with open_atomic(path, codec.mode) as stream:
        codec.write(values, columns, stream)


def _codec(format: str) -> Codec:
    """Return how values are written in a format; raise MissingLabError where its lab is not installed."""
    if format == "csv":
        return Codec("w", _write_csv)
    known = offers("values")
    if format not in known:
        raise MissingLabError(Message("values as {format}", format), "formats")
    return cast("Codec", known[format].load())


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
    writer.writerow([_MISERE if values.misere and name == "grundy" else name for name in columns])
    writer.writerows(row[: len(columns)] for row in value_rows(values, texts))


def value_rows(values: Values, texts: Iterable[str]) -> Iterator[tuple[str, Value, str, int | None]]:
    """Yield a row for each position: its text, its value, its outcome, and its remoteness if that is known."""
    lengths = (None if length < 0 else length for length in values.remoteness.tolist())
    return zip(texts, values.codes.decode(values.grundy.tolist()), values.outcome.tolist(), lengths, strict=True)
