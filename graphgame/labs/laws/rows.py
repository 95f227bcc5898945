"""Find rows of the table of a two-heap game that repeat, perhaps with a constant added as in Wythoff's game; prove it.

The values of a row are computed column by column. For two kinds of games, a state decides how a row goes on:

* Moves within a row lead to all earlier columns, and moves to rows above go back a few fixed numbers of columns. Then
  the state is the set of values that the row has used so far.
* All moves go back a few fixed numbers of columns. Then the state is the last values of the row, as many columns as the
  longest move goes back.

Let the state occur again after a distance that is a multiple of the periods of the rows above, and let moves lead only
to columns where these rows already repeat. Then the row repeats from there on (Dress, Flammenkamp and Pink 1999;
Landman 2002). In the first case, all values in the row and the state grow by this distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from operator import le
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import LimitError, Message, ParameterError
from graphgame.labs.heaps.periods import observe_period
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.claims import Decided, empty, held
from graphgame.labs.laws.formulas import after, one_more
from graphgame.labs.laws.statements import binary_set
from graphgame.labs.records import fits, natural
from graphgame.rules.declared import DeclaredMoves
from graphgame.solution.sprague_grundy import mex

_MOST_ROWS = 48
_FEWEST_ROWS = 3
_FIRST_COLUMNS = (0, 1, 2, 4, 8, 16)
"""Rows of a table are proved periodic only if all columns from some column on have the same moves. For this
column, these numbers are tried in this order."""

_SHAPE = {"whole": bool, "same_from": natural, "width": natural, "rows": [[natural] * 4]}
_CLAIM_LIMITS = (200, 10_000, 100)
"""The largest number of rows, the largest ``width`` and the largest ``same_from`` in a claim that is checked."""

_MOST_COLUMNS = 1_000_000
_MOST_PAIRS = 10_000_000
"""Maximum number of pairs of positions between which moves are looked up, to check a claim."""

_MOST_STEPS = 10_000_000_000
"""About the maximum number of moves that are followed to compute the values of all rows: more are refused."""


class PeriodicRow(NamedTuple):
    """The proved repetition of a row.

    Attributes
    ----------
    preperiod, period : int
        The least preperiod and period of the values or, if values grow, of the values minus their columns.
    start, length : int
        The state of the row is the same at the columns ``start`` and ``start + length``.
    """

    preperiod: int
    period: int
    start: int
    length: int


@dataclass(frozen=True)
class PeriodicRows:
    """The first rows of a table of values, which repeat.

    Attributes
    ----------
    whole : bool
        Whether moves within a row lead to all earlier columns, from column ``same_from`` on. Then values grow by the
        period in each period; otherwise they stay the same.
    same_from : int
        All columns from this one on have the same moves.
    width : int
        From column ``same_from`` on, no move goes back by more columns than this; if ``whole``, moves within a row do
        not count.
    rows : tuple of PeriodicRow
        The proved repetitions, from the first row on.
    values : ndarray of int32
        The table. Only the proved rows and the row after them are computed; all entries of further rows are 0.
    observed : tuple of int or None
        The preperiod and period that were observed, without proof, in the row after the proved ones; None if there is
        no such row, or no period was observed in it.
    steps : tuple of Decided
        The statements that were decided about the moves.
    """

    whole: bool
    same_from: int
    width: int
    rows: tuple[PeriodicRow, ...]
    values: Array = field(repr=False, compare=False)
    observed: tuple[int, int] | None = None
    steps: tuple[Decided, ...] = field(default=(), repr=False, compare=False)

    def value(self, row: int, column: int) -> int:
        """Return the value at a column of a proved row.

        Raises
        ------
        ParameterError
            The row is not one of the proved rows.
        """
        if row >= len(self.rows):
            raise ParameterError(
                "row {row} is not covered: the law is about the rows 0 to {last_row}", row, len(self.rows) - 1
            )
        known = self.rows[row]
        times = max(0, column - known.preperiod) // known.period
        return int(self.values[row, column - times * known.period]) + (times * known.period if self.whole else 0)

    def fill(self, moves: RowMoves, row: int) -> None:
        """Compute the values of a row, in place; the rows above must have their values.

        Raise a ParameterError if computing all rows would take too long with as many moves as this row has.
        """
        for column in range(self.same_from):
            self.values[row, column] = mex(self.values[: row + 1, : column + 1][moves.ends(row, column)].tolist())
        # All columns from same_from on have the same moves, relative to the column. So list the moves of one such
        # column as distances, and use them for all.
        far = self.same_from + self.width
        ends = moves.ends(row, far)
        if self.whole:
            ends[row] = False
        rows, columns = ends.nonzero()
        # Values in the first columns may be larger than the number of columns.
        used = np.zeros(int(self.values[: row + 1].max()) + self.values.shape[1] + len(rows) + 1, np.bool_)
        work = self.values.shape[1] * (len(rows) + 1)
        # Later rows usually have more moves, and the last row has about twice as many as the mean. So if this row is
        # the last, the work of all rows is about ``work / 2`` times the number of rows.
        if work * len(self.values) > 2 * _MOST_STEPS:
            raise ParameterError("the rows of the proof have too many moves to check all of them")
        # marks[v] is the last column with a move to a position of value v, so it needs no clearing between columns.
        marks = np.full(len(used), -1, np.int32)
        runner(_fill_row, work)(self.values, row, self.same_from, rows, far - columns, self.whole, used, marks)

    def first_chance(self, above: Sequence[PeriodicRow], preperiod: int) -> int:
        """Return the first column whose state can prove that a row with the preperiod ``preperiod`` repeats.

        From this column on, the row repeats, and all columns have the same moves. Moves to the rows ``above`` lead into
        the repeating columns of those rows. If not ``whole``, moves within the row lead into its repeating columns.
        """
        reached = [0, *(each.preperiod for each in above), *([] if self.whole else [preperiod])]
        return max(preperiod, self.same_from, self.width + max(reached))

    def fault(self, row: int, above: Sequence[PeriodicRow], known: PeriodicRow) -> str | None:
        """Return why the claim ``known`` that a row repeats is not proved; None if it is. ``above``: the rows above."""
        preperiod, period, start, length = known
        if start < self.first_chance(above, preperiod):
            return Message(
                "row {row}: the state at column {column} proves nothing: the moves there may still change, or lead to "
                "columns at which this row or a row above does not repeat yet",
                row,
                start,
            )
        # The next values depend on the state and on the rows above. The rows above are the same again only if the
        # distance is a multiple of their periods.
        if any(length % each for each in (period, *(each.period for each in above))):
            return Message(
                "row {row}: by the law the state recurs after {length} columns, but this is not a multiple of the "
                "periods of this row and the rows above",
                row,
                length,
            )
        values, end = self.values[row], start + length
        if not np.array_equal(self._state(values, start), self._state(values, end)):
            return Message(
                "row {row}: the state at column {column} differs from the state at column {start}", row, end, start
            )
        if least_period(values[:end] - np.int64(self.whole) * np.arange(end), length) != (preperiod, period):
            return Message(
                "row {row}: its preperiod is not {preperiod}, or its period is not {period}", row, preperiod, period
            )
        return None

    def _state(self, values: Array, column: int) -> Array:
        """Return the state at ``column`` of the row with these values.

        If not ``whole``, the state is the last ``width`` values before ``column``. If ``whole``, take the mex m of all
        values before ``column``, then the values above m in increasing order. The state is all these numbers minus
        ``column``.
        """
        if not self.whole:
            return values[column - self.width : column]
        # If moves lead to all earlier columns, each value occurs only once in the row. All values below ``least`` have
        # occurred; larger values that have occurred matter only by their distance from the column.
        used = np.unique(values[:column])
        least = np.flatnonzero(np.append(used, -1) != np.arange(len(used) + 1))[0]
        return np.append(least, used[least:]) - column

    def record(self) -> dict[str, Any]:
        """Return the rows as a JSON object."""
        shape = {"whole": self.whole, "same_from": self.same_from, "width": self.width}
        return {**shape, "columns": self.values.shape[1], "observed": self.observed, "rows": [*map(list, self.rows)]}


def rows_proof(rows: PeriodicRows, column: str) -> str:
    """Return a phrase that says why rows repeat; ``column`` is the name of the column number, such as "b"."""
    last = max(row.start + row.length for row in rows.rows)
    return Message(
        "the unused values of each row recur, by the values up to {column} = {last}"
        if rows.whole
        else "the last values of each row recur, by the values up to {column} = {last}",
        column,
        last,
    )


def row_lines(rows: PeriodicRows, names: tuple[str, ...]) -> list[str]:
    """Return lines that say how each row repeats. Neighbouring rows with the same preperiod and period share a line.

    If the proof failed at a row, one more line says what was observed in this row.

    >>> row = PeriodicRow(0, 3, 0, 3)
    >>> row_lines(PeriodicRows(True, 0, 2, (row, row), np.zeros((4, 100), np.int32), (20, 6)), ("a", "b"))
    ['a = 0..1: p = 3', 'a = 2: p = 6, b >= 20, observed up to b = 99 but not proved']
    """
    a, b = names
    lines, first = [], 0
    for row, known in enumerate(rows.rows):
        if row + 1 == len(rows.rows) or known[:2] != rows.rows[row + 1][:2]:
            lines.append(f"{a} = {first}{f'..{row}' if row > first else ''}: {_repeats(*known[:2], b)}")
            first = row + 1
    last = f"{b} = {rows.values.shape[1] - 1}"
    if rows.observed is not None:
        lines.append(
            Message(
                "{name} = {row}: {period}, observed up to {last_column} but not proved",
                a,
                first,
                _repeats(*rows.observed, b),
                last,
            )
        )
    elif first < len(rows.values):
        lines.append(Message("{name} = {row}: no period is observed up to {last_column}", a, first, last))
    return lines


def _repeats(preperiod: int, period: int, column: str) -> str:
    return f"p = {period}" + (f", {column} >= {preperiod}" if preperiod else "")


def periodic_rows(moves: DeclaredMoves, size: int) -> PeriodicRows | None:
    """Return the rows before the first row whose period is not proved; None if these are fewer than three.

    The attribute ``rows`` of the result says how each of them repeats: see :class:`PeriodicRow`.

    Parameters
    ----------
    moves : DeclaredMoves
        The moves of a game on two numbers: a row and a column.
    size : int
        The number of rows to try; at most 48 are tried. A hundred times ``size`` columns are computed.

    Examples
    --------
    >>> heaps = "a' < a and b' = b", "a' = a and b' < b", "a' < a and a - a' = b - b'"
    >>> repeating = periodic_rows(DeclaredMoves(("a", "b"), heaps), 40)
    >>> repeating.rows[3], repeating.value(3, 10**12)
    (PeriodicRow(preperiod=8, period=6, start=39, length=6), 999999999998)
    """
    try:
        sets = RowMoves(moves, min(size, _MOST_ROWS))
        table = _shape(sets, 100 * size)
        return None if table is None else _proved_rows(sets, table)
    except (LimitError, ParameterError):
        return None


def _proved_rows(moves: RowMoves, table: PeriodicRows) -> PeriodicRows | None:
    """Return ``table`` with its first rows whose observed period is proved; None if fewer than 3 rows are proved."""
    observed: tuple[int, int] | None = None
    rows: list[PeriodicRow] = []
    for row, values in enumerate(table.values):
        table.fill(moves, row)
        seen = observe_period("", values)
        if seen is None:
            break
        observed = seen.preperiod, seen.period
        # ``length`` is a multiple of all periods: the rows above are the same at two columns at this distance. So it is
        # enough to compare the states of this row at two such columns.
        length = lcm(seen.period, *(each.period for each in rows))
        known = PeriodicRow(*observed, table.first_chance(rows, seen.preperiod), length)
        added = seen.period if table.whole else 0
        if seen.saltus != added or known.start + length >= len(values) or table.fault(row, rows, known) is not None:
            break
        rows.append(known)
        observed = None
    return None if len(rows) < _FEWEST_ROWS else replace(table, rows=tuple(rows), observed=observed)


def _shape(moves: RowMoves, columns: int) -> PeriodicRows | None:
    """Return a table whose ``whole``, ``same_from`` and ``width`` are proved; None if none can be proved.

    It has no proved rows yet, and its values are all 0: as many rows as ``moves``, and ``columns`` columns.
    """
    for same_from in _FIRST_COLUMNS:
        # Guess the shape from the moves of one position: if one leads to the first half of its row, probably all moves
        # to earlier columns of the row are possible. The statements of ``decided`` prove or refute the guess.
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
    """Yield the statements about moves that a claim about rows needs; after these, check each row of the claim.

    Raises
    ------
    ParameterError
        The JSON object is no valid claim about rows, a row does not repeat as claimed, the check is too long, or there
        can be no such claim about the game: it does not have two numbers, or moves depend on more than the position.
    LimitError
        A statement needs an automaton with too many states.
    """
    is_claim = fits({name: claim.get(name) for name in _SHAPE}, _SHAPE)
    rows = [PeriodicRow(*row) for row in claim["rows"]] if is_claim else []
    short = (min(row.period, row.length) > 0 and max(*row[:2], row.start + row.length) <= _MOST_COLUMNS for row in rows)
    if not rows or not all(short) or not all(map(le, (len(rows), claim["width"], claim["same_from"]), _CLAIM_LIMITS)):
        raise ParameterError("the proof by rows has missing or wrong members in the file, or is too long to check")
    first, width = claim["same_from"], claim["width"]
    moves = RowMoves(game, len(rows))
    yield from moves.decided(first, width, claim["whole"])
    if len(rows) ** 2 * (width + first**2 + 1) > _MOST_PAIRS:
        raise ParameterError("the rows of the proof have too many moves to check all of them")
    columns = max(row.start + row.length for row in rows)
    values = np.zeros((len(rows), max(columns, first)), np.int32)
    table = PeriodicRows(claim["whole"], first, width, (), values)
    for row, known in enumerate(rows):
        table.fill(moves, row)
        if (fault := table.fault(row, rows[:row], known)) is not None:
            raise ParameterError(fault)


class RowMoves:
    """The moves of a game of two numbers, a row and a column, from positions in its first rows.

    Parameters
    ----------
    game : DeclaredMoves
    rows : int
        The number of rows.

    Raises
    ------
    ParameterError
        The game does not have two numbers, or its moves depend on other positions or on earlier moves.
    """

    def __init__(self, game: DeclaredMoves, rows: int) -> None:
        if len(game.names) != 2 or game.followed or game.starts:
            raise ParameterError(
                "a law of rows needs a game of two numbers in which no position has all options of another position, "
                "and moves do not depend on earlier moves"
            )
        self.row, self.column = _, column = game.names
        self.count = rows
        self.tracks = (*game.names, *map(after, game.names))
        self.some = self._of(f"{self.row} < {rows}")
        self.others = self.some & self._of(f"not ({game.positions})")
        move = later = self._of("False")
        for text in game.moves:
            move, later = move | self._of(text), later | self._of(one_more(text, column))
        self.move = self.some & move
        self.differing = self.some & (move.minus(later) | later.minus(move))

    def decided(self, same_from: int, width: int, whole: bool) -> Iterator[Decided]:
        """Yield the statements about moves that the proof of rows needs, each with a counterexample or None.

        They say: Every pair in these rows is a position. No move leads to a later row or column. From column
        ``same_from`` on, all columns have the same moves, and these go back at most ``width`` columns. But if
        ``whole``, moves in the same row lead to all earlier columns, and only the other moves go back at most ``width``
        columns.
        """
        a, b = self.row, self.column
        late = self._of(f"{b} >= {same_from}")
        same = Message("from column {same_from} on, the next column always has the same moves", same_from)
        yield empty(same, self.differing & late)
        yield empty(Message("every pair in these rows is a position"), self.others)
        ending = self.move & self._of(f"{a}' > {a} or {b}' > {b} or {a}' = {a} and {b}' = {b}")
        yield empty(Message("every move goes to an earlier row or column, and to no later one"), ending)
        far = late & self.move & self._of(f"{b} - {b}' > {width}")
        near = Message("from column {same_from} on, no move goes back by more than {width} columns", same_from, width)
        if whole:
            within = self.some & self._of(f"{a}' = {a} and {b}' < {b}")
            whole_row = Message("from column {same_from} on, moves lead to all earlier columns of the row", same_from)
            yield empty(whole_row, (late & within).minus(self.move))
            far = far.minus(within)
            near = Message(
                "from column {same_from} on, no other move goes back by more than {width} columns", same_from, width
            )
        yield empty(near, far)

    def ends(self, row: int, column: int) -> Array:
        """Return a boolean array of shape (row + 1, column + 1): the pairs to which a move leads from (row, column)."""
        pairs = np.indices((row + 1, column + 1))
        return self.move.contains(**dict(zip(self.tracks, (row, column, *pairs), strict=True)))

    def _of(self, text: str) -> Automaton:
        return binary_set(text, *self.tracks)


@compiled
def _fill_row(
    values: Array, row: int, first: int, rows: Array, back: Array, whole: bool, used: Array, marks: Array
) -> None:
    """Fill ``values[row]`` from column ``first`` on.

    For each i, a move leads to row ``rows[i]`` and ``back[i]`` columns to the left. If ``whole``, moves also lead to
    all earlier columns of the row. ``used`` and ``marks`` are work memory with an entry for each value, at the start
    all False and all -1. If ``whole``, ``used`` says which values earlier columns of the row have. ``marks`` has, for
    each value, the latest filled column of the row from which a move leads to this value.
    """
    if whole:
        for column in range(first):
            used[values[row, column]] = True
    least = 0
    for column in range(first, values.shape[1]):
        for move in range(len(rows)):
            end = column - back[move]
            if end >= 0:
                marks[values[rows[move], end]] = column
        # If ``whole``, used values stay used. So ``least`` never needs to decrease, and all searches for it together
        # take time proportional to the number of columns.
        while used[least]:
            least += 1
        value = least
        while used[value] or marks[value] == column:
            value += 1
        used[value] = whole
        values[row, column] = value


def least_period(numbers: Array, length: int) -> tuple[int, int]:
    """Return the least preperiod and period of a sequence that continues by repeating its last ``length`` numbers.

    >>> least_period(np.array([1, 1, 0, 1, 0, 1, 0]), 4)
    (1, 2)
    """
    cycle = numbers[len(numbers) - length :]
    period = next(each for each in range(1, length + 1) if not length % each and (np.roll(cycle, each) == cycle).all())
    differing = np.flatnonzero(numbers[: len(numbers) - period] != numbers[period:])
    return int(differing[-1]) + 1 if len(differing) else 0, period
