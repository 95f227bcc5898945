"""What a values file says, whatever its format: a row for each position, and the rows collected and checked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphgame.arrays.labels import Labels, as_labels
from graphgame.errors import Message, ParseError, plural, shorten
from graphgame.results import Play, Value, ValueCodes, parse_value

COLUMNS = ("position", "grundy", "outcome", "remoteness")
LARGEST_VALUE = 2**31 - 1
"""The largest value and the largest remoteness that is read."""
_VALUES = ("grundy", "value", "misere")


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
