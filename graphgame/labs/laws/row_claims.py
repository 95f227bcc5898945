"""What makes rows of a table of values repeat: statements about the moves, decided, and states that come round.

Values are worked out column by column. A row repeats from a column on where its state there is that of a later one, the
same but for the distance between the two, and the rows that it has moves to repeat by then, after that distance too.
The state is which values the row has not used yet, if each column has moves to all before it in the row; else it is the
last values of the row, as far back as moves go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.errors import Message, OptionError
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.law_claims import Decided
from graphgame.labs.laws.statements import after, binary_set
from graphgame.rules.declared import DeclaredMoves

_MOST = {"rows": 200, "width": 10_000, "same_from": 100}
_MOST_COLUMNS = 1_000_000
_MOST_PAIRS = 10_000_000
_MOST_STEPS = 10_000_000_000


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

    def _since(self, same_from: int) -> Automaton:
        return self._of(f"{self.column} >= {same_from}")

    def _of(self, text: str) -> Automaton:
        return binary_set(text, *self.tracks)


def row_fault(game: DeclaredMoves, claim: Mapping[str, Any]) -> str | None:
    """Return what is wrong with what a record says of rows, whose moves were decided; None if nothing is."""
    _refuse_other(game, claim)
    values = _values(game, claim)
    known: list[tuple[int, int]] = []
    for row, (preperiod, period, start, length) in enumerate(claim["rows"]):
        above = max((before for before, _ in known), default=0)
        reached = max(above, 0 if claim["whole"] else preperiod) + claim["width"]
        if start < max(preperiod, claim["same_from"], reached):
            return Message("row {row}: from column {start} on the rows above need not repeat", row, start)
        # The row's next values depend on the state and on the rows above: both must be the same again, so the distance
        # is a multiple of their periods.
        if any(length % each for each in (period, *(each for _, each in known))):
            return Message("row {row}: {length} is no multiple of the periods up to it", row, length)
        if _state(values[row], start, claim) != _state(values[row], start + length, claim):
            return Message(
                "row {row}: column {column} has another state than column {start}", row, start + length, start
            )
        less = values[row, : start + length].astype(np.int64) - claim["whole"] * np.arange(start + length)
        if _least(less, length) != (preperiod, period):
            return Message(
                "row {row}: it has another preperiod or period than {preperiod} and {period}", row, preperiod, period
            )
        known.append((preperiod, period))
    return None


def _refuse_other(game: DeclaredMoves, claim: Mapping[str, Any]) -> None:
    if len(game.names) != 2 or game.followed or game.starts:
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


def _values(game: DeclaredMoves, claim: Mapping[str, Any]) -> Array:
    """Return the values of the rows, up to the last column that matters."""
    first, count = claim["same_from"], len(claim["rows"])
    if count * count * (claim["width"] + first * first + 1) > _MOST_PAIRS:
        raise OptionError("rows with too many moves to check")
    moves = RowMoves(game, count)

    def leads(*numbers: Array | int) -> Array:
        return moves.move.contains(**dict(zip(moves.tracks, numbers, strict=True)))

    columns = max(row[2] + row[3] for row in claim["rows"])
    values = np.zeros((count, max(columns, first)), np.int32)
    for column, row in product(range(first), range(count)):
        ends = np.indices((row + 1, column + 1))
        seen = set(values[: row + 1, : column + 1][leads(row, column, *ends)].tolist())
        values[row, column] = min(set(range(len(seen) + 1)) - seen)
    far = first + claim["width"]
    above = np.zeros((0, 3), np.int64)
    for row in range(count):
        ends, back = np.indices((row + 1 - claim["whole"], claim["width"] + 1)).reshape(2, -1)
        good = leads(row, far, ends, far - back) if len(ends) else np.zeros(0, bool)
        ways = np.column_stack((np.full(len(ends), row), ends, back))[good]
        above = np.concatenate((above, ways))
    _fill(values, first, above, claim["whole"])
    return values


def _fill(values: Array, first: int, moves: Array, whole: bool) -> None:
    """Fill in the columns from one on; a move is a row, that to which it goes, and how many columns back."""
    count, columns = values.shape
    if (steps := (len(moves) + count) * columns) > _MOST_STEPS:
        raise OptionError("rows with too many moves to check")
    starts = np.searchsorted(moves[:, 0], np.arange(count + 1))
    used = np.zeros((count, columns + len(moves) + 2), np.bool_)
    for row in range(count) if whole else ():
        used[row, values[row, :first]] = True
    least, seen_at = np.zeros(count, np.int64), np.zeros(used.shape[1], np.int64)
    runner(_fill_columns, steps)(values, first, moves, starts, whole, used, least, seen_at)


@compiled
def _fill_columns(
    values: Array, first: int, moves: Array, starts: Array, whole: bool, used: Array, least: Array, seen_at: Array
) -> None:
    """Fill in columns from one on, each from its first row on."""
    rows, columns = values.shape
    time = 0
    for column in range(first, columns):
        for row in range(rows):
            time += 1
            for each in range(starts[row], starts[row + 1]):
                if moves[each, 2] <= column:
                    seen_at[values[moves[each, 1], column - moves[each, 2]]] = time
            value = least[row]
            while used[row, value] or seen_at[value] == time:
                value += 1
            values[row, column] = value
            if whole:
                used[row, value] = True
                while used[row, least[row]]:
                    least[row] += 1


def _state(values: Array, column: int, claim: Mapping[str, Any]) -> list[int]:
    if not claim["whole"]:
        return [int(value) for value in values[column - claim["width"] : column]]
    # A value is used once in a whole row: what matters is which are unused, counted from the column on.
    used = {int(value) for value in values[:column]}
    unused = set(range(max(used, default=-1) + 2)) - used  # and all larger ones than these
    return sorted(value - column for value in unused)


def _least(less: Array, length: int) -> tuple[int, int]:
    """Return preperiod and period of numbers whose last ones, so many, are repeated for ever."""
    cycle = less[len(less) - length :]
    period = next(each for each in range(1, length + 1) if not length % each and (np.roll(cycle, each) == cycle).all())
    differing = np.flatnonzero(less[: len(less) - period] != less[period:])
    return int(differing[-1]) + 1 if len(differing) else 0, period
