"""Rows of two-heap games that repeat, perhaps with a constant added, as Wythoff's do: found, and proved.

Values are worked out column by column. Where a row has the moves to all its earlier columns and, in each row above it,
to columns at a few fixed distances, its next value depends on which values it has used so far, and on those above. When
these repeat, moved on by one distance, the row repeats from there on (Dress, Flammenkamp and Pink 1999; Landman 2002).
Where moves within a row have a few fixed distances too, the row's last values, as far back as moves go, take the place
of those used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import LimitError, Message, OptionError
from graphgame.labs.heaps.periods import observe_period
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.claims import Decided, held
from graphgame.labs.laws.formulas import after
from graphgame.labs.laws.statements import binary_set
from graphgame.rules.declared import DeclaredMoves

_MOST_ROWS = 48
_FEWEST = 3
_FIRST_COLUMNS = (0, 1, 2, 4, 8, 16)
"""From one of these on all columns must have the same moves."""

_MOST = {"rows": 200, "width": 10_000, "same_from": 100}
_MOST_COLUMNS = 1_000_000
_MOST_PAIRS = 10_000_000
_MOST_STEPS = 10_000_000_000
"""What a claim may ask of a check."""


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

    def fill(self, moves: RowMoves, row: int) -> None:
        """Fill in a row below filled ones."""
        for column in range(self.same_from):
            seen = set(self.values[: row + 1, : column + 1][moves.ends(row, column)].tolist())
            self.values[row, column] = min(set(range(len(seen) + 1)) - seen)
        # From same_from on all columns have the same moves: so each row above is at the same distances everywhere.
        far = self.same_from + self.width
        ends = moves.ends(row, far)
        if self.whole:
            ends[row] = False
        rows, columns = ends.nonzero()
        used = np.zeros(self.values.shape[1] + len(rows) + 1, np.bool_)
        work = self.values.shape[1] * (len(rows) + 1)
        if work * len(self.values) > 2 * _MOST_STEPS:  # rows below have more moves: it is about twice the mean
            raise OptionError("rows with too many moves to check")
        # A mark is the last column from which a value was reached: so nothing has to be cleared between columns.
        marks = np.full(len(used), -1, np.int32)
        runner(_fill_row, work)(self.values, row, self.same_from, rows, far - columns, self.whole, used, marks)

    def first_chance(self, above: Sequence[PeriodicRow], preperiod: int) -> int:
        """Return the first column from which a row repeats if its state comes round: rows that it reaches repeat."""
        reached = [0, *(each.preperiod for each in above), *([] if self.whole else [preperiod])]
        return max(preperiod, self.same_from, self.width + max(reached))

    def fault(self, row: int, above: Sequence[PeriodicRow], known: PeriodicRow) -> str | None:
        """Return why a filled row need not repeat as is said, given how those above do; None if it does."""
        preperiod, period, start, length = known
        if start < self.first_chance(above, preperiod):
            return Message("row {row}: from column {start} on the rows above need not repeat", row, start)
        # The row's next values depend on the state and on the rows above: both must be the same again, so the distance
        # is a multiple of their periods.
        if any(length % each for each in (period, *(each.period for each in above))):
            return Message("row {row}: {length} is no multiple of the periods up to it", row, length)
        values, end = self.values[row], start + length
        if not np.array_equal(self._state(values, start), self._state(values, end)):
            return Message("row {row}: column {column} has another state than column {start}", row, end, start)
        if _least(values[:end] - np.int64(self.whole) * np.arange(end), length) != (preperiod, period):
            return Message(
                "row {row}: it has another preperiod or period than {preperiod} and {period}", row, preperiod, period
            )
        return None

    def _state(self, values: Array, column: int) -> Array:
        """Return what decides a row from a column on: the values used from the first gap on, or the last ones."""
        if not self.whole:
            return values[column - self.width : column]
        # A value is used once in a whole row. All those below the first gap are used; those above it matter by their
        # distance from the column alone.
        used = np.unique(values[:column])
        least = np.flatnonzero(np.append(used, -1) != np.arange(len(used) + 1))[0]
        return np.append(least, used[least:]) - column

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
    if not _has_rows(moves):
        return None
    try:
        sets = RowMoves(moves, min(size, _MOST_ROWS))
        table = _shape(sets, 100 * size)
        return None if table is None else _found(sets, table)
    except (LimitError, OptionError):
        return None


def _found(moves: RowMoves, table: PeriodicRows) -> PeriodicRows | None:
    """Return the first rows that repeat: of each a period is observed, and then proved."""
    observed: tuple[int, int] | None = None
    rows: list[PeriodicRow] = []
    for row, values in enumerate(table.values):
        table.fill(moves, row)
        seen = observe_period("", values)
        if seen is None:
            break
        observed = seen.preperiod, seen.period
        # After a multiple of all periods above, the row meets the same rows above: then its own state decides.
        length = lcm(seen.period, *(each.period for each in rows))
        known = PeriodicRow(*observed, table.first_chance(rows, seen.preperiod), length)
        added = seen.period if table.whole else 0
        if seen.saltus != added or known.start + length >= len(values) or table.fault(row, rows, known) is not None:
            break
        rows.append(known)
        observed = None
    return None if len(rows) < _FEWEST else replace(table, rows=tuple(rows), observed=observed)


def _shape(moves: RowMoves, columns: int) -> PeriodicRows | None:
    """Return the rows, still to be filled in, at the least distances at which the moves are decided to be."""
    if moves.differ(_FIRST_COLUMNS[-1]):
        return None
    for same_from in _FIRST_COLUMNS:
        column = same_from + 8 * moves.count
        ends = moves.ends(moves.count - 1, column)
        whole = bool(ends[-1, : column // 2].any())
        width = int(column - (ends[:-1] if whole else ends).nonzero()[1].min(initial=column))
        steps = held(moves.decided(same_from, width, whole))
        if steps is not None:
            values = np.zeros((moves.count, columns), np.int32)
            return PeriodicRows(whole, same_from, width, (), values, None, steps)
    return None


def decide_rows(game: DeclaredMoves, claim: Mapping[str, Any]) -> Iterator[Decided]:
    """Yield what makes the moves of a game those of one with rows, decided for all numbers.

    Raises
    ------
    OptionError
        The record is none of rows.
    """
    _refuse_other(game, claim)
    return RowMoves(game, len(claim["rows"])).decided(claim["same_from"], claim["width"], claim["whole"])


class RowMoves:
    """The moves of a game of two numbers, a row and a column, from its first rows.

    Parameters
    ----------
    game : DeclaredMoves
    rows : int
    """

    def __init__(self, game: DeclaredMoves, rows: int) -> None:
        self.row, self.column = _, column = game.names
        self.count = rows
        self.tracks = (*game.names, *map(after, game.names))
        self.some = self._of(f"{self.row} < {rows}")
        self.others = self.some & self._of(f"not ({game.positions})")
        move = self._of("False")
        for text in game.moves:
            move |= self._of(text)
        # The same moves one column later: those whose columns are one less are moves.
        spare = [letter for letter in "uvwxyz" if letter not in game.names][:2]
        shift = " and ".join(f"{new} = {old} + 1" for new, old in zip(spare, (column, after(column)), strict=True))
        columns = dict(zip((column, after(column)), spare, strict=True))
        later = (move.renamed(columns) & binary_set(shift, column, after(column), *spare)).without(*spare)
        self.move = self.some & move
        self.differing = self.some & (move.minus(later) | later.minus(move))

    def differ(self, same_from: int) -> bool:
        """Tell whether the moves one column later are others, from a column on."""
        return (self.differing & self._since(same_from)).example() is not None

    def decided(self, same_from: int, width: int, whole: bool) -> Iterator[Decided]:
        """Yield what is decided: of moves that are the same from a column on, and go back no further than a width."""
        a, b = self.row, self.column
        late = self._since(same_from)
        told = Message("moves are the same one column later, from column {same_from} on", same_from)
        yield Decided(told, (self.differing & late).example())
        yield Decided(Message("every pair is a position"), self.others.example())
        ending = self.move & self._of(f"{a}' > {a} or {b}' > {b} or {a}' = {a} and {b}' = {b}")
        yield Decided(Message("a move goes to a row above, or to a column before"), ending.example())
        far = late & self.move & self._of(f"{b} - {b}' > {width}")
        if whole:
            within = self.some & self._of(f"{a}' = {a} and {b}' < {b}")
            yield Decided(
                Message("a row has the moves to all columns before"), (late & within).minus(self.move).example()
            )
            far = far.minus(within)
        yield Decided(Message("no other move goes back by more than {width}", width), far.example())

    def ends(self, row: int, column: int) -> Array:
        """Return whether there are moves from a pair to each one in its row and those above, up to its column."""
        pairs = np.indices((row + 1, column + 1))
        return self.move.contains(**dict(zip(self.tracks, (row, column, *pairs), strict=True)))

    def _since(self, same_from: int) -> Automaton:
        return self._of(f"{self.column} >= {same_from}")

    def _of(self, text: str) -> Automaton:
        return binary_set(text, *self.tracks)


def row_fault(game: DeclaredMoves, claim: Mapping[str, Any]) -> str | None:
    """Return what is wrong with what a record says of rows, whose moves were decided; None if nothing is."""
    _refuse_other(game, claim)
    first, width, rows = claim["same_from"], claim["width"], [PeriodicRow(*row) for row in claim["rows"]]
    if len(rows) ** 2 * (width + first**2 + 1) > _MOST_PAIRS:
        raise OptionError("rows with too many moves to check")
    columns = max(row.start + row.length for row in rows)
    moves, values = RowMoves(game, len(rows)), np.zeros((len(rows), max(columns, first)), np.int32)
    table = PeriodicRows(claim["whole"], first, width, (), values)
    for row, known in enumerate(rows):
        table.fill(moves, row)
        if (fault := table.fault(row, rows[:row], known)) is not None:
            return fault
    return None


def _has_rows(game: DeclaredMoves) -> bool:
    return len(game.names) == 2 and not game.followed and not game.starts


def _refuse_other(game: DeclaredMoves, claim: Mapping[str, Any]) -> None:
    if not _has_rows(game):
        raise OptionError("rows are those of two numbers whose moves are declared one by one")
    rows = claim.get("rows")
    sizes = {"rows": len(rows) if isinstance(rows, list) else 0, **{name: claim.get(name) for name in list(_MOST)[1:]}}
    whole = isinstance(claim.get("whole"), bool) and all(_is_size(sizes[name], _MOST[name]) for name in _MOST)
    if not whole or not rows or not all(map(_is_row, rows)):
        raise OptionError("rows that lack a part, or are too long to check")


def _is_size(number: object, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most


def _is_row(row: object) -> bool:
    if not isinstance(row, list) or len(row) != 4 or not all(_is_size(each, _MOST_COLUMNS) for each in row):
        return False
    return bool(row[1] and row[3]) and bool(row[2] + row[3] <= _MOST_COLUMNS)


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
        # ``least`` only grows, for values of a whole row stay used: the first gap is found in constant time on average.
        while used[least]:
            least += 1
        value = least
        while used[value] or marks[value] == column:
            value += 1
        used[value] = whole
        values[row, column] = value
    return 0


def _least(less: Array, length: int) -> tuple[int, int]:
    """Return preperiod and period of numbers whose last ones, so many, are repeated for ever."""
    cycle = less[len(less) - length :]
    period = next(each for each in range(1, length + 1) if not length % each and (np.roll(cycle, each) == cycle).all())
    differing = np.flatnonzero(less[: len(less) - period] != less[period:])
    return int(differing[-1]) + 1 if len(differing) else 0, period
