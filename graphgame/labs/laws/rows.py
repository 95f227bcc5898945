"""Rows of two-heap games that repeat with a constant added, as Wythoff's do, proved by a state that comes round.

Where a row has the moves to all its earlier columns and, in each row above it, to columns at a few fixed distances, its
next value depends on which values it has used so far, and on those above. When these repeat, moved on by one distance,
the row repeats from there on (Dress, Flammenkamp and Pink 1999; Landman 2002). Where moves within a row have a few
fixed distances too, the row's last values take the place of those used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import LimitError, Message, OptionError
from graphgame.labs.heaps.periods import observe_period
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.law_claims import Decided
from graphgame.labs.laws.row_claims import RowMoves
from graphgame.labs.laws.statements import after
from graphgame.rules.declared import DeclaredMoves

_MOST_ROWS = 48
_FEWEST = 3
_FIRST_COLUMNS = (0, 1, 2, 4, 8, 16)
"""From one of these on all columns must have the same moves."""


class PeriodicRow(NamedTuple):
    """What is proved of a row.

    Attributes
    ----------
    preperiod, period : int
        The least ones.
    start, length : int
        In this column, and so many columns later, the state of the row is the same.
    """

    preperiod: int
    period: int
    start: int
    length: int


@dataclass(frozen=True)
class PeriodicRows:
    """The first rows of a table of values: they repeat, with their period added or nothing.

    Attributes
    ----------
    whole : bool
        Whether a row has the moves to all its earlier columns; then the period is added.
    same_from : int
        From this column on all columns have the same moves.
    width : int
        How many columns a move goes back at most, but for the moves within a row if ``whole``.
    rows : tuple of PeriodicRow
        From the first row on.
    values : ndarray of int32
        Of these rows, and of the next one.
    observed : tuple of int or None
        Preperiod and period that the next row shows, whose state does not come round in these columns.
    steps : tuple of Decided
        What was decided about the moves.
    """

    whole: bool
    same_from: int
    width: int
    rows: tuple[PeriodicRow, ...]
    values: Array = field(repr=False, compare=False)
    observed: tuple[int, int] | None = None
    steps: tuple[Decided, ...] = field(default=(), repr=False, compare=False)

    def value(self, row: int, column: int) -> int:
        """Return a value of a proved row.

        Raises
        ------
        OptionError
            The row is none of them.
        """
        if row >= len(self.rows):
            raise OptionError("row {row}: the law is about the rows 0 to {count}", row, len(self.rows) - 1)
        known = self.rows[row]
        times = max(0, column - known.preperiod) // known.period
        return int(self.values[row, column - times * known.period]) + (times * known.period if self.whole else 0)

    def record(self) -> dict[str, Any]:
        """Return the rows as an object of JSON."""
        shape = {"whole": self.whole, "same_from": self.same_from, "width": self.width}
        return {**shape, "columns": self.values.shape[1], "observed": self.observed, "rows": [*map(list, self.rows)]}


def rows_proof(rows: PeriodicRows, column: str) -> str:
    """Return in words why rows repeat."""
    state = Message("the unused values") if rows.whole else Message("the last values")
    last = max(row.start + row.length for row in rows.rows)
    return Message("{state} of each row come round, by the values to {column} = {last}", state, column, last)


def row_lines(rows: PeriodicRows, names: tuple[str, ...]) -> list[str]:
    """Return for each row, or rows that are alike, how it repeats; and what is seen of the first that is not proved.

    >>> row = PeriodicRow(0, 3, 0, 3)
    >>> row_lines(PeriodicRows(True, 0, 2, (row, row), np.zeros((4, 100), np.int32), (20, 6)), ("a", "b"))
    ['a = 0..1: p = 3', 'a = 2: p = 6, b >= 20 holds to b = 99']
    """
    a, b = names
    lines, first = [], 0
    for row, known in enumerate(rows.rows):
        if row + 1 == len(rows.rows) or known[:2] != rows.rows[row + 1][:2]:
            lines.append(f"{a} = {first}{f'..{row}' if row > first else ''}: {_repeats(*known[:2], b)}")
            first = row + 1
    last = f"{b} = {rows.values.shape[1] - 1}"
    if rows.observed is not None:
        lines.append(Message("{a} = {first}: {observed} holds to {last}", a, first, _repeats(*rows.observed, b), last))
    elif first < len(rows.values):
        lines.append(Message("{a} = {first}: no period seen to {last}", a, first, last))
    return lines


def _repeats(preperiod: int, period: int, column: str) -> str:
    return f"p = {period}" + (f", {column} >= {preperiod}" if preperiod else "")


def periodic_rows(moves: DeclaredMoves, size: int) -> PeriodicRows | None:
    """Return the first rows that are proved to repeat; None if those are not even three.

    Parameters
    ----------
    moves : DeclaredMoves
        Of two numbers: a row and a column.
    size : int
        Most rows; so many hundred columns are looked at.

    Examples
    --------
    >>> heaps = "a' < a and b' = b", "a' = a and b' < b", "a' < a and a - a' = b - b'"
    >>> found = periodic_rows(DeclaredMoves(("a", "b"), heaps), 40)
    >>> found.rows[3], found.value(3, 10**12)
    (PeriodicRow(preperiod=8, period=6, start=39, length=6), 999999999998)
    """
    if len(moves.names) != 2 or moves.followed or moves.starts:
        return None
    try:
        shape = _Shape.of(moves, min(size, _MOST_ROWS))
    except (LimitError, OptionError):
        return None
    return None if shape is None else _found(shape, 100 * size)


def _found(shape: _Shape, columns: int) -> PeriodicRows | None:
    values, observed = np.zeros((shape.rows, columns), np.int32), None
    rows: list[PeriodicRow] = []
    for row in range(shape.rows):
        _fill(shape, values, row)
        seen = observe_period("", values[row])
        if seen is None:
            break
        observed = seen.preperiod, seen.period
        proved = _proved(shape, values[row], rows, seen.preperiod, seen.period)
        if seen.saltus != (seen.period if shape.whole else 0) or proved is None:
            break
        rows.append(proved)
        observed = None
    if len(rows) < _FEWEST:
        return None
    return PeriodicRows(shape.whole, shape.same_from, shape.width, tuple(rows), values, observed, shape.steps)


def _proved(shape: _Shape, values: Array, above: list[PeriodicRow], preperiod: int, period: int) -> PeriodicRow | None:
    """Return a row whose state comes round at its first chance; None if that is beyond the columns, or it does not."""
    reached = [0, *(row.preperiod for row in above), *([] if shape.whole else [preperiod])]
    start = max(preperiod, shape.same_from, shape.width + max(reached))
    # After a multiple of all periods above, the row meets the same rows above: then its own state decides.
    length = lcm(period, *(row.period for row in above))
    end = start + length
    if end >= len(values):
        return None
    one, two = (_state(shape, values, column) for column in (start, end))
    return PeriodicRow(preperiod, period, start, length) if np.array_equal(one, two) else None


def _state(shape: _Shape, values: Array, column: int) -> Array:
    """Return what decides the row from a column on: the values it has used, from the first gap on, or its last ones."""
    if not shape.whole:
        return values[column - shape.width : column]
    # All values below the first gap are used; those above it matter by their distance from the column alone.
    used = np.unique(values[:column])
    least = np.flatnonzero(np.append(used, -1) != np.arange(len(used) + 1))[0]
    return np.append(least, used[least:]) - column


@dataclass(frozen=True)
class _Shape:
    """The moves of a game that has rows: what is decided about them, and at what distances they are."""

    moves: DeclaredMoves
    rows: int
    whole: bool
    same_from: int
    width: int
    steps: tuple[Decided, ...]

    @classmethod
    def of(cls, moves: DeclaredMoves, rows: int) -> _Shape | None:
        sets = RowMoves(moves, rows)
        if sets.differ(_FIRST_COLUMNS[-1]):
            return None
        for same_from in _FIRST_COLUMNS:
            last = rows - 1, same_from + 8 * rows
            ends = _ends(moves, last, last[1])
            width = int(last[1] - ends[:-1].nonzero()[1].min(initial=last[1]))
            whole = bool(ends[-1, : last[1] // 2].any())
            if not whole:
                width = max(width, int(last[1] - ends[-1].nonzero()[0].min(initial=last[1])))
            steps: list[Decided] = []
            for step in sets.decided(same_from, width, whole):
                if step.example is not None:
                    break
                steps.append(step)
            else:
                return cls(moves, rows, whole, same_from, width, tuple(steps))
        return None

    def distances(self, row: int) -> tuple[Array, Array]:
        """Return to which rows moves from a row go, and how many columns back, but for a whole row."""
        column = self.same_from + self.width
        ends = _ends(self.moves, (row, column), column)
        if self.whole:
            ends[row] = False
        rows, columns = ends.nonzero()
        return rows.astype(np.int64), column - columns.astype(np.int64)


def _ends(moves: DeclaredMoves, start: tuple[int, int], columns: int) -> Array:
    """Return whether there are moves from a pair to each one in its row and those above, up to a column."""
    row, column = start
    ends = np.indices((row + 1, columns + 1)).reshape(2, -1)
    given = [np.full(ends.shape[1], number) for number in (row, column)]
    found = np.zeros(ends.shape[1], bool)
    for text in moves.moves:
        formula = Formula(text, (*moves.names, *map(after, moves.names)))
        said = formula.of_arrays(*given, *ends)
        if said is None:
            said = np.array([bool(formula(row, column, *end)) for end in ends.T.tolist()])
        found |= said
    return found.reshape(row + 1, columns + 1)


def _fill(shape: _Shape, values: Array, row: int) -> None:
    """Fill in a row below filled ones."""
    for column in range(shape.same_from):
        seen = {int(values[end]) for end in zip(*_ends(shape.moves, (row, column), column).nonzero(), strict=True)}
        values[row, column] = next(value for value in range(len(seen) + 1) if value not in seen)
    # From same_from on all columns have the same moves: so each row above is at the same distances everywhere.
    rows, back = shape.distances(row)
    used = np.zeros(values.shape[1] + len(rows) + 1, np.bool_)
    marks = np.full(len(used), -1, np.int32)
    work = values.shape[1] * (len(rows) + 1)
    runner(_fill_row, work)(values, row, shape.same_from, rows, back, shape.whole, used, marks)


@compiled
def _fill_row(
    values: Array, row: int, first: int, rows: Array, back: Array, whole: bool, used: Array, marks: Array
) -> int:
    """Fill in a row from a column on; ``marks`` has the last column from which a value was reached."""
    if whole:
        for column in range(first):
            used[values[row, column]] = True
    least = 0
    for column in range(first, values.shape[1]):
        for move in range(len(rows)):
            end = column - back[move]
            if end >= 0:
                marks[values[rows[move], end]] = column
        while used[least]:
            least += 1
        value = least
        while used[value] or marks[value] == column:
            value += 1
        used[value] = whole
        values[row, column] = value
    return 0
