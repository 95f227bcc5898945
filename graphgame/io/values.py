r"""Write values files: the value, outcome and remoteness of every position of a solved graph, as CSV.

The lab ``formats`` writes them as JSON and Parquet, and reads all three.

CSV
---
The header ``position,grundy,outcome,remoteness`` and a row for each position, quoted as in RFC 4180. Under misère play
the column ``grundy`` is called ``misere``, so that the file shows the play convention. In a graph with cycles a value
may be infinite, such as ``inf(0,2)``, and the outcome may be ``D``, a draw. With decided positions a value may be
``sunny`` or ``loony``. The remoteness is empty for a draw, and if it is not known. Positions are written as their
``str``. A reader takes all as integers if all are integers in canonical form, otherwise all as strings.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TextIO

import numpy as np

from graphgame.errors import FormatError, LimitError, Message, MissingLabError, either, plural
from graphgame.graph.gamegraph import GameLike
from graphgame.graph.labels import Labels
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.io.interchange import unique_texts
from graphgame.registry import offers
from graphgame.solution.results import Value, ValueCodes
from graphgame.solution.solve import solution_of

COLUMNS = ("position", "grundy", "outcome", "remoteness")
_MISERE = "misere"
_FORMATS = ("csv", "json", "parquet")


class ValueRow(NamedTuple):
    """The value, outcome and remoteness of a position in a values file; each is None if the file lacks it."""

    grundy: Value | None
    outcome: str | None
    remoteness: int | None


@dataclass(eq=False, repr=False)
class Values(Mapping[Hashable, ValueRow]):
    """The contents of a values file: a mapping from position to :class:`ValueRow`, in the order of ``labels``.

    Attributes
    ----------
    labels : Labels
        The positions, in the file's order; some readers sort integers. Each array has an entry for each position.
    grundy : ndarray of int32
        The values. -1 means that the file has no value here; lower numbers are codes of values that are not numbers.
    codes : ValueCodes
        The values that these codes stand for: infinite, ``sunny`` or ``loony``.
    outcome : ndarray of str
        ``P``, ``N``, ``D``, or empty if the file has no outcome for the position.
    remoteness : ndarray of int32
        -1 if the file has no remoteness for the position, such as for a draw.
    misere : bool or None
        Whether the values are for misère play; None if the file does not say, as CSV without a column ``misere``.
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


def write_values(game: GameLike, path: PathLike, format: Literal["csv", "json", "parquet"] | None = None) -> None:
    """Write the value, the outcome and the remoteness of every vertex of a solved graph.

    Parameters
    ----------
    game : GameLike
        A Solution is used as it is. A Position is solved for its own play convention, any other game for normal play.
    path : str or os.PathLike
        ``-`` is standard output; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    format : {"csv", "json", "parquet"}, optional
        By default the suffix of the path decides; standard output is CSV.

    Raises
    ------
    FormatError, MissingLabError, MissingExtraError
        The format is unknown, not installed, or cannot express the positions, such as two with the same text in CSV.
    CycleError
        The game is not a solution, and has a cycle.
    OSError
        The file cannot be written.

    Notes
    -----
    Takes about a second for 10**6 positions. The file appears when it is complete. The remoteness of all vertices is
    left out if the graph has sum vertices, and the product graph of their parts would be too large.

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
    try:
        lengths = solution.remoteness.array.astype(np.int32, copy=False)
    except LimitError:  # The product graph of the parts of sums would be too large.
        lengths = np.full(len(solution.graph), -1, np.int32)
    values = Values(
        solution.graph.labels,
        solution.grundy.array,
        solution.outcome.array,
        lengths,
        solution.misere,
        getattr(solution, "codes", ValueCodes()),
    )
    write_columns(values, path, chosen, COLUMNS)


def write_columns(values: Values, path: PathLike, format: str, columns: Sequence[str]) -> None:
    """Write columns of values to a file in the format csv, json or parquet.

    ``columns`` are the first 1 to 4 of ``COLUMNS``. Labs write json and parquet: ``offers("values")`` has their
    functions ``write(values, columns, stream)``. Raise a MissingLabError if no installed lab offers the format.
    """
    write: Callable[[Values, Sequence[str], Any], None] = _write_csv
    if format != "csv":
        if format not in offers("values"):
            raise MissingLabError(Message("a values file in the format {format}", format), "formats")
        write = offers("values")[format].load()
    with open_atomic(path, "wb" if format == "parquet" else "w") as stream:
        write(values, columns, stream)


def values_format(path: PathLike, format: str | None = None) -> str:
    """Return csv, json or parquet: ``format``, or the path's suffix (csv for ``-``); raise a FormatError for others."""
    chosen = format or ("csv" if path == "-" else plain_suffix(path)[1:])
    if chosen not in _FORMATS:
        if format:
            raise FormatError(
                "a values file cannot have the format {format!r}: expected {formats}", format, either(_FORMATS)
            )
        raise FormatError(
            "the name {name!r} does not tell the format of a values file: expected a name that ends in {suffixes}",
            str(path),
            either(f".{name}" for name in _FORMATS),
        )
    return chosen


def _write_csv(values: Values, columns: Sequence[str], stream: TextIO) -> None:
    texts = unique_texts(values.labels)
    if any("\0" in text for text in texts):
        raise FormatError("the name of a position has a NUL character, which CSV cannot express: write JSON")
    # The csv module of some versions of Python does not quote a carriage return.
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL
    writer = csv.writer(stream, lineterminator="\n", quoting=quoting)
    writer.writerow([_MISERE if values.misere and name == "grundy" else name for name in columns])
    writer.writerows(row[: len(columns)] for row in value_rows(values, texts))


def value_rows(values: Values, texts: Iterable[str]) -> Iterator[tuple[str, Value, str, int | None]]:
    """Return an iterator over (text, value, outcome, remoteness) of each position.

    ``texts`` are the texts of ``values.labels``. Every position must have a value. The remoteness may be None.
    """
    lengths = (None if length < 0 else length for length in values.remoteness.tolist())
    return zip(texts, values.codes.decode(values.grundy.tolist()), values.outcome.tolist(), lengths, strict=True)
