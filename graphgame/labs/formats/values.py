"""Read values files in CSV, and check the columns and rows of values files in all formats.

:mod:`graphgame.io.values` describes the format. The column ``position`` and one of ``grundy`` and ``outcome`` are
enough. In CSV an empty cell means that the entry is unknown, except in the column ``position``. In CSV and Parquet the
column ``grundy`` may be called ``value``, as in the output of ``solve``, or ``misere`` for misère values. Columns with
other names are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal

import numpy as np

from graphgame.errors import Message, ParseError, checks_parameters, plural, shorten
from graphgame.graph.labels import as_labels
from graphgame.io.files import PathLike, ReadProgress, Source, plain_suffix
from graphgame.io.interchange import CSVRows, long_fields
from graphgame.io.values import COLUMNS, Values, values_format
from graphgame.labs.formats.positions import decode_positions
from graphgame.registry import offers
from graphgame.solution.results import Decisive, Loopy, ValueCodes

LARGEST_VALUE = 2**31 - 1
"""The largest finite value, and the largest remoteness, that a values file may have."""

_INFINITE = re.compile(r"inf\(\s*([0-9]{1,10}(?:\s*,\s*[0-9]{1,10})*)?\s*\)")
_OR_INFINITE = Message(", or a value such as inf(0,2), sunny or loony")
_NAMES_OF_GRUNDY = ("grundy", "value", "misere")


def value_columns(names: Sequence[str], error: Callable[..., ParseError]) -> tuple[list[str], bool | None]:
    """Return the standard name of each column of a table, and True if a column is called ``misere``, else None.

    A standard name is one of :data:`COLUMNS`. Any other name is only stripped and converted to small letters. True
    means that the values are for misère play, None that the names do not say for which play convention they are.

    Raises a ParseError, made by ``error`` from a message and its facts, if a required column is missing, or if two
    columns have the same meaning.

    Examples
    --------
    >>> value_columns(["Position", "value"], ParseError), value_columns(["position", "misere"], ParseError)
    ((['position', 'grundy'], None), (['position', 'grundy'], True))
    """
    lower = [name.strip().lower() for name in names]
    standard = ["grundy" if name in _NAMES_OF_GRUNDY else name for name in lower]
    for column in COLUMNS:
        own_names = [name for name, its_standard in zip(lower, standard, strict=True) if its_standard == column]
        if len(set(own_names)) > 1:
            first, second = own_names[:2]
            raise error(
                "the columns {first!r} and {second!r} have the same meaning: expected only one of them",
                first,
                second,
            )
        if len(own_names) > 1:
            raise error("{count} columns have the name {name!r}: expected only one", len(own_names), own_names[0])
    if "position" not in standard or not {"grundy", "outcome"} & set(standard):
        shown = ", ".join(map(shorten, names[:20])) or "none"
        raise error(
            "not a values file: expected the columns {columns}, or position and value, or position "
            "and outcome; found {found}",
            ", ".join(COLUMNS),
            shown,
        )
    return standard, True if "misere" in lower else None


def repeated_position(position: object) -> Message:
    """Return the message that two rows have the same position."""
    return Message("two rows have the position {position!r}: expected one row for each position", position)


def integer_expected(name: str, value: object, expected: str = "") -> Message:
    """Return the message that an entry of the column ``name`` is not an integer in 0..``LARGEST_VALUE``.

    ``expected`` is the end of the message, which says what else the column may have.
    """
    return Message(
        "{name} {value!r}: expected an integer in 0..{largest_value}{expected}", name, value, LARGEST_VALUE, expected
    )


def is_misere(text: object, error: Callable[[str], ParseError]) -> bool:
    """Return True for the text "misere" and False for "normal"; raise ``error(message)`` for anything else."""
    if text not in ("normal", "misere"):
        raise error(Message("play {play!r}: expected normal or misere", text))
    return text == "misere"


class Collector:
    """Checks the rows of a values file one by one, and collects them.

    ``error`` makes a ParseError from a message and its facts, at the row that is being added. ``numbers`` maps each
    position to the index of its row.
    """

    def __init__(self, error: Callable[..., ParseError]) -> None:
        self._error = error
        self.numbers: dict[Any, int] = {}
        self._codes = ValueCodes()
        self._grundy: list[int] = []
        self._outcome: list[str] = []
        self._remoteness: list[int] = []

    def add(self, position: Hashable, grundy: object, outcome: object, remoteness: object) -> None:
        """Add a row, whose value, outcome and remoteness may be None or an empty text if they are not known.

        Raises a ParseError if an entry is wrong, or if the position was added before.
        """
        if position in self.numbers:
            raise self._error(repeated_position(position))
        outcome = outcome.upper() if isinstance(outcome, str) else outcome
        if outcome not in ("P", "N", "D", "", None):
            raise self._error("outcome {outcome!r}: expected P, N or D", outcome)
        self.numbers[position] = len(self.numbers)
        code = -1
        if grundy not in (None, ""):
            value = parse_value(grundy) if isinstance(grundy, str) else None
            code = self._codes.encode(self._number(grundy, "grundy", _OR_INFINITE) if value is None else value)
        self._grundy.append(code)
        self._outcome.append(str(outcome or ""))
        self._remoteness.append(-1 if remoteness in (None, "") else self._number(remoteness, "remoteness"))

    def values(self, positions: np.ndarray | list[Hashable], misere: bool | None) -> Values:
        """Return the values of all rows; ``positions`` are their positions, in the order of the rows.

        ``misere`` is True or False if the values are for misère or for normal play, None if the file does not say.
        """
        return Values(
            as_labels(positions),
            np.array(self._grundy, np.int32),
            np.array(self._outcome, "<U1"),
            np.array(self._remoteness, np.int32),
            misere,
            self._codes,
        )

    def _number(self, value: object, name: str, expected: str = "") -> int:
        is_text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
        if is_text or (isinstance(value, int) and not isinstance(value, bool)):
            number = int(value)  # type: ignore[call-overload]
            if 0 <= number <= LARGEST_VALUE:
                return number  # type: ignore[no-any-return]
        raise self._error(integer_expected(name, value, expected))


@checks_parameters
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
        The format. The default is detected from the file's name, or from its first bytes.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)`` after each block. For a pipe the total is None.
    max_bytes : int, optional
        The largest number of bytes that the file may hold after decompression; see :func:`graphgame.read_game`.

    Returns
    -------
    Values

    Raises
    ------
    ParseError
        The file is not a values file. The message says where it is wrong, and what was expected.
    FormatError
        The format is unknown.
    MissingExtraError
        The file is in Parquet, and the extra ``parquet`` is not installed.
    LimitError
        The file holds more bytes than ``max_bytes``, or its data are much too large for its size.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import networkx as nx
    >>> from graphgame import solve, write_values
    >>> path = pathlib.Path(tempfile.mkdtemp(), "values.json")
    >>> write_values(solve(nx.DiGraph([(3, 1), (3, 2), (2, 1)])), path)
    >>> read_values(path)[3]
    ValueRow(grundy=2, outcome='N', remoteness=1)
    """
    with Source(path, progress=progress, max_bytes=max_bytes) as source:
        has_name = format or plain_suffix(path)[1:] in offers("values reader")
        name = values_format(path, format) if has_name else _detect(source)
        values: Values = offers("values reader")[name].load()(source)
        return values


def _detect(source: Source) -> str:
    head = source.peek(64)
    if head.startswith(b"PAR1"):
        return "parquet"
    return "json" if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "csv"


def read_csv(source: Source) -> Values:
    """Read a values file in CSV; ignore empty lines."""
    rows = CSVRows(source, enumerate(source.lines(), 1))
    collector = Collector(rows.error)
    with long_fields():
        of_rows = filter(None, rows)
        names, misere = value_columns(next(of_rows, []), rows.error)
        columns = [names.index(column) if column in names else -1 for column in COLUMNS]
        for row in of_rows:
            if len(row) <= max(columns):
                raise rows.error(
                    "{fields}: expected {first} or more, as in the header", plural(len(row), "field"), max(columns) + 1
                )
            collector.add(*(None if column < 0 else row[column] for column in columns))
    return collector.values(decode_positions(list(collector.numbers), source), misere)


def parse_value(text: str) -> Loopy | Decisive | None:
    """Return the value that ``inf(0,2)``, ``sunny``, ``loony`` or the like names; None for a number or another text.

    Examples
    --------
    >>> parse_value("inf(0,2)"), parse_value("loony"), parse_value("2"), parse_value("inf(-1)")
    (inf(0,2), loony, None, None)
    """
    if text in ("sunny", "loony"):
        return Decisive(text)
    match = _INFINITE.fullmatch(text)
    if match is None:
        return None
    finite = [int(number) for number in (match[1] or "").split(",") if number]
    return Loopy(finite) if max(finite, default=0) <= LARGEST_VALUE else None
