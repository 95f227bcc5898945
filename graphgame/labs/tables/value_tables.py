"""Compute tables of values for texts with ranges, such as ``take{1,3,4}(0..50)`` or ``wythoff(0..9,0..9)``.

Two ranges may be in the same component of a sum or in different components. A table of P-positions consists of bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain, islice, product
from math import prod
from operator import xor
from typing import NamedTuple, TypeVar

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message, NoPositionError, ParameterError, checks_parameters
from graphgame.errors.of_networkx import advising_loopy
from graphgame.labs.bitboards.placement import MaskRuleset
from graphgame.labs.search import Search, is_compiled, search_for
from graphgame.labs.tables.tables import RangedText, ValueTable, has_ranges, in_rows
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.notation import compounds_of, parse_position
from graphgame.rules.position import Component, Position
from graphgame.rules.rule_errors import returned_array, rule_errors
from graphgame.rules.ruleset import Ruleset, tells
from graphgame.solution.results import Decisive, Value, ValueCodes, outcome_of
from graphgame.solution.solve import solve


@dataclass(frozen=True)
class PPositions:
    """The P-positions of a table that may be too large for values.

    Attributes
    ----------
    text : str
        The position with its ranges.
    misere : bool
    ranges : tuple of range
        One or two ranges.
    bits : ndarray of uint8
        The bits of an array that contains the table: 1 for P-positions. A byte has eight bits, the first in its lowest
        bit.
    base : int
        The bit for the numbers i, j has the index ``base + i * strides[0] + j * strides[1]``; ``base`` may be negative.
    strides : tuple of int
        For each range, the difference of the indices of the bits for two consecutive numbers.
    """

    text: str
    misere: bool
    ranges: tuple[range, ...]
    bits: Array = field(repr=False)
    base: int = field(repr=False)
    strides: tuple[int, ...] = field(repr=False)

    def rows(self) -> Iterator[Array]:
        """Yield a boolean array for each number of the first range, with an entry for each number of the second.

        An entry is true for a P-position. With one range, each array has one entry.
        """
        second, stride = (*self.ranges, range(1))[1], (*self.strides, 1)[1]
        for number in self.ranges[0]:
            first = self.base + number * self.strides[0] + second[0] * stride
            end = first + (len(second) - 1) * stride + 1
            bits = np.unpackbits(self.bits[first >> 3 : (end + 7) >> 3], bitorder="little")
            yield bits[first & 7 :][: end - first : stride].astype(np.bool_)

    def pairs(self) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of each P-position, in the order of the table."""
        for number, row in zip(self.ranges[0], self.rows(), strict=True):
            for column in np.flatnonzero(row).tolist():
                yield (number, self.ranges[1][column]) if len(self.ranges) == 2 else (number,)

    @cached_property
    def count(self) -> int:
        """The number of P-positions."""
        return sum(int(np.count_nonzero(row)) for row in self.rows())

    def seen_from_afar(self, most: int) -> Array:
        """Return a boolean array for a picture: an entry for each block of the table, true if it has a P-position.

        The array has at most ``most`` rows and at most ``most`` columns.
        """
        return seen_from_afar(self.rows(), (*map(len, self.ranges), 1)[:2], most)


def seen_from_afar(rows: Iterable[Array], shape: tuple[int, ...], most: int) -> Array:
    """Divide a boolean table into blocks; return an array with an entry for each block, true if it has a true entry.

    The array has at most ``most`` rows and at most ``most`` columns. ``rows`` are the rows of the table, and ``shape``
    is its shape.
    """
    height, width = (-(-size // most) for size in shape)
    marked = np.zeros((-(-shape[0] // height), -(-shape[1] // width)), np.bool_)
    for index, row in enumerate(rows):
        marked[index // height] |= np.logical_or.reduceat(row, np.arange(0, shape[1], width))
    return marked


def xor_parts(table: RangedText, most: int, progress: Progress | None) -> tuple[list[Value], list[Value]] | None:
    """Return lists r and c such that the entry in row i and column j of the table has the value r[i] xor c[j].

    Return None unless the table has two ranges, and no component depends on both. The last entry, and all entries of
    the first row and the first column, must also be positions with equally many components. Raise LimitError if more
    than ``most`` positions would have to be explored.
    """
    if len(table.ranges) != 2:
        return None
    first, second = table.ranges
    try:
        by_row = [table.position((number, second[0])) for number in first]
        by_column = [table.position((first[0], number)) for number in second]
        last = table.position((first[-1], second[-1]))
    except NoPositionError:
        return None
    if len({len(cell) for cell in (last, *by_row, *by_column)}) > 1:
        return None
    # The components that change along the first row must not change along the first column. In the last entry,
    # these components must be as in the last entry of the first row, and all other components as in the last entry of
    # the first column.
    of_column = [k for k in range(len(last)) if any(cell[k] != by_column[0][k] for cell in by_column)]
    joined = list(by_row[-1])
    for k in of_column:
        joined[k] = by_column[-1][k]
    if joined != list(last) or any(cell[k] != by_row[0][k] for cell in by_row for k in of_column):
        return None
    parts = [[part for k, part in enumerate(cell) if k not in of_column] for cell in by_row]
    parts += ([cell[k] for k in of_column] for cell in by_column)
    values = iter(Position(chain.from_iterable(parts), most, progress=progress).values)
    results: list[Value] = [reduce(xor, islice(values, len(part)), 0) for part in parts]
    return results[: len(first)], results[len(first) :]


TableCell = tuple[Component, ...]
_Table = list[list["Value | None"]]
_Entry = TypeVar("_Entry")

_NUMBERS = re.compile(r"\s*[\w.:/-]+\s*(?:\{.*\})?\s*\(((?:\s*(?:\d{1,18}|\?)\s*[,:@xX)])+)\s*")
"""One game with numbers in parentheses; a question mark stands for a range."""

_SIGNS = re.compile(r"[,:@xX]")
"""The signs that may stand between two numbers of a position."""

_ENTRIES_A_POSITION = 10
"""This many entries of a table take as much memory as one position of a graph."""

_MOST_BY_THEOREM = 10_000
"""Theorems fill a table of outcomes, entry by entry, only if it has at most this many entries."""

_BITS_A_POSITION = 1000
"""This many entries of one bit each count as much as one position of a graph."""

_ENTRIES_A_CALL = 1 << 20
"""The number of entries that a formula computes in one call."""


@checks_parameters
@advising_loopy()
def value_table(
    text: str,
    *,
    misere: bool = False,
    loopy: bool = False,
    max_positions: int = MAX_POSITIONS,
    progress: Progress | None = None,
    searching: Progress | None = None,
    interrupted: Callable[[ValueTable, int, int], None] | None = None,
    run_rules: bool = False,
) -> ValueTable:
    """Return the values of all positions that a text with ranges names.

    Parameters
    ----------
    text : str
        A position in the notation, with one or two ranges such as ``0..50`` in place of numbers.
    misere : bool
    loopy : bool
        Whether the game's graph may have cycles. If true, the table is always computed from a graph.
    max_positions : int
        The maximum number of entries of the table, and of positions of the explicit graph. With the methods 1 and 2
        of the Notes, the table may have ten times as many entries. For one component with linear move families,
        all entries from 0 up to the table's largest numbers count. For other components these entries do not count,
        but a loop of method 1 is used only if they are within the tenfold limit.
    progress : callable, optional
        Called as ``progress(positions, moves)`` now and then while the graph is explored.
    searching : callable, optional
        Called as ``searching(visited, depth)`` now and then while a search goes on.
    interrupted : callable, optional
        Called as ``interrupted(table, done, asked)`` if Ctrl-C or a limit ends a search when the first ``done`` > 0 of
        ``asked`` positions are solved. All other entries of the table are None. Then the exception is raised again.
    run_rules : bool
        Whether a Python file with rules may be run, if the text names one: see :func:`parse_position`.

    Raises
    ------
    ParseError
        There is no range, or more than two, or the text is not in the notation.
    LimitError
        The table or the graph is too large, and theorems do not give the outcomes instead.
    CycleError
        Play need not end, and ``loopy`` is not set.
    NoPositionError
        No entry of the table is a position.
    ParameterError
        ``misere`` is set, and misère play has no meaning in this game.

    Notes
    -----
    The first of these methods that applies is used:

    1. for a component with two or more numbers, a formula or a loop of the rules for the whole table, for example for
       linear move families (:class:`graphgame.labs.tables.rays.Ray`) and for Chomp with two rows;
    2. for ranges in two components under normal play, the values of each component alone;
    3. for placement games on a bitboard under normal play, a search (:class:`Search`) of one position after another;
    4. closed forms, a loop for one heap, or one graph of all positions; for sums under misère play, each sum alone.

    Entries whose numbers are no position are None, for example if a row of a Chomp bar is longer than the row above.

    Examples
    --------
    >>> value_table("kayles(0..8)").values
    [[0], [1], [2], [3], [1], [4], [3], [2], [1]]
    >>> value_table("wythoff(0..2, 0..2)").outcomes
    [['P', 'N', 'N'], ['N', 'N', 'P'], ['N', 'P', 'N']]
    >>> value_table("bash{1..3}(0..5)").values
    [[0, 1, 0, 1, 0, 1], [0, 1, 2, 0, 1, 2], [0, 1, 2, 3, 0, 1]]
    >>> value_table("wind-up{5:1,3}(0..4)", loopy=True).values
    [[0], [inf(0)], [inf(0)], [inf(0)], [0]]
    """
    table = RangedText(text, run_rules=run_rules)
    # Methods without a graph come first: an entry takes less memory than a position, so they may fill larger tables.
    if not loopy and _entries(table) <= _ENTRIES_A_POSITION * max_positions:
        rows = _direct_values(table, misere, max_positions, progress)
        if rows is not None:
            return _with_outcomes(table, misere, rows)
    entries = _entries(table)
    if entries > max_positions:
        if not loopy and (outcomes := _outcomes_by_theorem(table, misere, max_positions)) is not None:
            return ValueTable(text, misere, table.ranges, None, outcomes)
        raise LimitError(
            "a table that needs {entries} entries is larger than the limit, max_positions={max_positions}; "
            "for some games --outcomes, or p_positions(...), finds the P-positions without the values",
            entries,
            max_positions,
            limit="max_positions",
        )
    cells = table.positions([*product(*table.ranges)])
    present = [cell for cell in cells if cell is not None]
    if not misere and not loopy and (search := _search(present, searching)) is not None:
        searched: list[Value] = []
        try:
            searched.extend(Search(Position(cell), shared=search).grundy for cell in present)
        except (KeyboardInterrupt, LimitError):
            if interrupted is not None and searched:
                partial = _with_outcomes(table, misere, _rows(table, cells, searched))
                interrupted(partial, len(searched), len(present))
            raise
        return _with_outcomes(table, misere, _rows(table, cells, searched))
    whole = Position(chain.from_iterable(present), max_positions, progress=progress)
    try:
        values = _values(present, whole, loopy) if not misere else _misere_values(present, whole, loopy)
    except LimitError:
        outcomes = None if loopy else _outcomes_by_theorem(table, misere, max_positions)
        if outcomes is None:
            raise
        return ValueTable(text, misere, table.ranges, None, outcomes)
    if values is not None:
        return _with_outcomes(table, misere, _rows(table, cells, values))
    sums = (Position(cell, max_positions, progress=progress) for cell in present)
    outcomes = _rows(table, cells, (_misere_outcome(position, loopy) for position in sums))
    return ValueTable(text, misere, table.ranges, None, outcomes)


def is_large(text: str, max_positions: int = MAX_POSITIONS, *, misere: bool = False, run_rules: bool = False) -> bool:
    """Return True if a table needs more than ``10 * max_positions`` entries, and theorems do not give all outcomes.

    For linear move families a table needs all entries from 0 up to its largest numbers. Theorems are applied only if
    the table itself has at most 10,000 entries, and at most ``max_positions``.

    >>> is_large("wythoff(0..2000, 0..2000)"), is_large("wythoff(0..20000, 0..20000)")
    (False, True)
    """
    table, most = RangedText(text, run_rules=run_rules), _ENTRIES_A_POSITION * max_positions
    return _entries(table) > most and _outcomes_by_theorem(table, misere, max_positions) is None


def _entries(table: RangedText) -> int:
    """Return the number of entries to compute.

    They are the entries of the table or, if the rules have ``lost_bits``, of its :func:`_whole_array`.
    """
    whole = _whole_array(table)
    return prod(map(len, table.ranges)) if whole is None or not tells(whole.rules, "lost_bits") else prod(whole.shape)


@checks_parameters
def p_positions(
    text: str,
    *,
    misere: bool = False,
    max_positions: int = MAX_POSITIONS,
    progress: Progress | None = None,
    run_rules: bool = False,
) -> PPositions:
    """Return the P-positions among the positions that a text with ranges names, as a table of bits.

    Parameters
    ----------
    text : str
        A position with one or two ranges in place of numbers, or a sum with a range in each of two components.
    misere : bool
    max_positions : int
        The table may have a thousand times as many entries. For linear move families, all entries from 0 up to the
        table's largest numbers count. For a sum, this is also the maximum number of positions that are explored.
    progress : callable, optional
        Called as ``progress(done, entries)`` now and then, only for linear move families.
    run_rules : bool
        Whether a Python file with rules may be run, if the text names one: see :func:`parse_position`.

    Raises
    ------
    ParseError
        There is no range, or more than two, or the text is not in the notation.
    ParameterError
        No method applies to the text. One method is for one component of two or more numbers: its rules must have
        linear move families (:class:`Ray`) or, under normal play, ``values_at``. The other, only under normal play, is
        for a range in each of two components: all entries must be positions.
    LimitError
        The table needs more than a thousand times ``max_positions`` entries, or too many positions must be explored.

    Examples
    --------
    >>> table = p_positions("wythoff(0..2000, 0..2000)")
    >>> table.count, list(table.pairs())[-1]
    (1529, (2000, 1236))
    """
    table = RangedText(text, run_rules=run_rules)
    whole = _whole_array(table)
    if (entries := _entries(table)) > _BITS_A_POSITION * max_positions:
        raise LimitError(
            "a table that needs {entries} bits is larger than the limit, a thousand times "
            "max_positions={max_positions}",
            entries,
            max_positions,
            limit="max_positions",
        )
    bits = None if whole is None else whole.lost_bits(misere, progress)
    if whole is None or bits is None:
        rows = _rows_of_p_bits(table, whole, max_positions) if not misere else None
        if rows is None:
            if misere:
                raise ParameterError(
                    "{source}: under misère play, P-positions can be found without values only for one component with "
                    "linear move families",
                    text,
                )
            raise ParameterError(
                "{source}: P-positions can be found without values only for one component whose rules have linear "
                "move families or the method values_at, or for two components with a range in each, if all "
                "entries are positions",
                text,
            )
        strides = [8 * rows.shape[1], 1]
        base = -sum(stride * numbers[0] for stride, numbers in zip(strides, table.ranges, strict=False))
        return PPositions(text, misere, table.ranges, rows.ravel(), base, tuple(strides[: len(table.ranges)]))
    # The bits are in row-major order of the whole array, which contains the table.
    strides = [prod(whole.shape[axis + 1 :]) for axis in range(len(whole.shape))]
    pairs = [*zip(whole.chosen, strides, strict=True)]
    base = sum(number * stride for number, stride in pairs if isinstance(number, int))
    return PPositions(text, misere, table.ranges, bits, base, tuple(s for each, s in pairs if isinstance(each, slice)))


def _rows_of_p_bits(table: RangedText, whole: _WholeArray | None, most: int) -> Array | None:
    """Return the P-positions of a table under normal play: a row of bytes for each row, a bit for each entry, 1 for P.

    ``whole`` is the result of :func:`_whole_array`. If its rules have ``values_at``, this formula gives the values.
    Otherwise :func:`xor_parts` gives them from at most ``most`` explored positions; return None if it returns None.
    """
    if whole is not None and tells(whole.rules, "values_at"):
        return np.concatenate([np.packbits(block == 0, axis=1, bitorder="little") for block in whole.blocks()])
    parts = xor_parts(table, most, None)
    if parts is None:
        return None
    # A sum is P if a component is sunny, or if both Grundy values are equal, so that their xor is 0.
    sunny = np.array([column is Decisive.SUNNY for column in parts[1]])
    columns = np.array([column if isinstance(column, int) else -1 for column in parts[1]])
    equal = (columns == row if isinstance(row, int) else row is Decisive.SUNNY for row in parts[0])
    return np.array([np.packbits(sunny | each, bitorder="little") for each in equal])


def _with_outcomes(table: RangedText, misere: bool, rows: _Table) -> ValueTable:
    outcome = {value: None if value is None else outcome_of(value) for value in set(chain.from_iterable(rows))}
    outcomes: list[list[str | None]] = [list(map(outcome.__getitem__, row)) for row in rows]
    return ValueTable(table.text, misere, table.ranges, rows, outcomes)


def _rows(table: RangedText, cells: list[TableCell | None], entries: Iterable[_Entry]) -> list[list[_Entry | None]]:
    """Return ``entries``, one for each cell that is a position, in rows of the table, with None for all other cells.

    If there are fewer entries than positions, the last positions have None.
    """
    rest = iter(entries)
    filled = [None if cell is None else next(rest, None) for cell in cells]
    return in_rows(filled, len(table.ranges[1]) if len(table.ranges) == 2 else 1)


def _search(cells: list[TableCell], progress: Progress | None) -> Search | None:
    """Return one compiled search for the positions of all cells, or None if it cannot solve all of them.

    Parts without moves, such as a single cell of Cram, need no search. If there are only such parts, return None.
    """
    parts = [part for cell in cells for part in cell]
    others = [part for part in parts if not is_compiled(part)]
    if len(others) == len(parts) or not all(map(_is_over, others)):
        return None
    return search_for(map(Position, cells), progress=progress)


def _is_over(part: Component) -> bool:
    rules = part.ruleset
    return isinstance(rules, MaskRuleset) and not rules.on_board(part.position)[0].moves


def _direct_values(table: RangedText, misere: bool, most: int, progress: Progress | None) -> _Table | None:
    """Return the values of a table without a graph of all its positions, or None if this is impossible.

    In a sum, the component with the ranges is computed as a table, and each value is xored with the value of all other
    components. If two components have a range each, :func:`xor_parts` computes the values. Raise LimitError if this,
    or the value of the other components, needs more than ``most`` explored positions.
    """
    rows = _array_values(table, misere, _ENTRIES_A_POSITION * most)
    if rows is not None or misere:
        return rows
    if (parts := xor_parts(table, most, progress)) is not None:
        return [[row ^ column for column in parts[1]] for row in parts[0]]
    terms = [term for term, _ in compounds_of(table.text)]
    ranged = [term for term in terms if has_ranges(term)]
    others = "+".join(term for term in terms if term not in ranged)
    if len(ranged) != 1 or not others:
        return None
    rows = _array_values(RangedText(ranged[0], run_rules=table.run_rules), misere, _ENTRIES_A_POSITION * most)
    if rows is None:
        return None
    rest = parse_position(others, max_positions=most, run_rules=table.run_rules).grundy
    return [[None if value is None else value ^ rest for value in row] for row in rows]


def _array_values(table: RangedText, misere: bool, most: int) -> _Table | None:
    """Return the values of a table by the rules' method ``values_at``, otherwise by ``value_array``.

    ``values_at`` is used if the rules have it, but only under normal play. Return None if there is no
    :func:`_whole_array`, or if ``value_array`` returns None or its array would have more than ``most`` entries.
    """
    whole = _whole_array(table)
    if whole is None:
        return None
    if not misere and tells(whole.rules, "values_at"):
        return [row for block in whole.blocks() for row in _listed(block)]
    values = whole.values(misere) if prod(whole.shape) <= most else None
    return None if values is None else _listed(values[whole.chosen].reshape(len(table.ranges[0]), -1))


def _listed(values: Array) -> _Table:
    """Return the rows of a 2-D array of values as lists; -1 becomes None, and smaller codes become Decisive values."""
    if values.min() >= 0:
        listed: _Table = values.tolist()
        return listed
    decode = ValueCodes(Decisive).decode
    return [[None if code == -1 else decode([code])[0] for code in row] for row in values.tolist()]


class _WholeArray(NamedTuple):
    """The array that contains a table: on each axis the numbers start at 0, and end at the largest of the table."""

    rules: Ruleset
    numbers: Sequence[int | range]
    """The numbers of a position, with ranges in place of one or two of them."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array: for each axis, one more than its largest number."""
        return tuple(each + 1 if isinstance(each, int) else each.stop for each in self.numbers)

    @property
    def chosen(self) -> tuple[int | slice, ...]:
        """The index that selects the entries of the table from this array."""
        return tuple(each if isinstance(each, int) else slice(each.start, None) for each in self.numbers)

    def blocks(self) -> Iterator[Array]:
        """Yield the values of the table by the rules' formula ``values_at``, in arrays of one or more rows each."""
        rows, *others = [each for each in self.numbers if isinstance(each, range)]
        columns = others[0] if others else range(1)
        step = max(1, _ENTRIES_A_CALL // len(columns))
        for start in range(0, len(rows), step):
            block = rows[start : start + step]
            axes = iter([np.array(block, np.int64)[:, None], np.array(columns, np.int64)[None, :]])
            numbers = [np.array(each) if isinstance(each, int) else next(axes) for each in self.numbers]
            with self._errors():
                shape = len(block), len(columns)
                values = returned_array(np.broadcast_to(self.rules.values_at(numbers), shape), shape)
            yield values

    def values(self, misere: bool) -> Array | None:
        """Return the array of values, by the rules' method ``value_array``; None if the method returns None."""
        with self._errors():
            return returned_array(self.rules.value_array(self.shape, misere), self.shape)

    def lost_bits(self, misere: bool, progress: Progress | None) -> Array | None:
        """Return the bits of the array, 1 for P-positions, by the rules' ``lost_bits``; None if that returns None."""
        with self._errors():
            return returned_array(self.rules.lost_bits(self.shape, misere, progress), [-(-prod(self.shape) // 8)])

    def _errors(self) -> rule_errors:
        return rule_errors(type(self.rules).__name__, Message("the table of values"))


def _whole_array(table: RangedText) -> _WholeArray | None:
    """Return the array that contains a table, or None if the table is not part of such an array.

    The text must be one component with two or more numbers in parentheses, and the ranges must stand for such numbers.
    """
    match = _NUMBERS.fullmatch("?".join(table.around))
    ends = [{numbers[-1], numbers[0]} for numbers in table.ranges]
    try:
        corners = table.positions([*product(*ends)])
    except NoPositionError:
        return None
    rules = {cell[0].ruleset for cell in corners if cell is not None and len(cell) == 1}
    if match is None or len(rules) != 1 or match[1].count("?") < len(table.ranges):
        return None
    (ruleset,), ranges = rules, iter(table.ranges)
    signs, numbers = "".join(_SIGNS.findall(match[1].lower())), _SIGNS.split(match[1].rstrip(" )"))
    wanted = ruleset.number_signs + ruleset.number_signs[-1] * len(signs)
    if not signs or not wanted.startswith(signs):
        return None
    return _WholeArray(ruleset, [next(ranges) if each.strip() == "?" else int(each) for each in numbers])


def _values(cells: list[TableCell], whole: Position, loopy: bool) -> list[Value]:
    """Return the values of the cells. ``whole`` is the sum of the components of all cells, in their order.

    If ``loopy`` is true, the values are computed from a graph, which may have cycles.
    """
    values = iter(whole.values if not loopy else _solved_values(whole, misere=False, loopy=loopy))
    return [reduce(xor, islice(values, len(cell)), 0) for cell in cells]


def _outcomes_by_theorem(table: RangedText, misere: bool, most: int) -> list[list[str | None]] | None:
    """Return the outcomes of a table by theorems, in rows, with None for each entry that is no position.

    Return None in place of the rows if theorems do not give all outcomes, or if the table has more than ``most``
    entries, or more than 10,000.
    """
    if prod(map(len, table.ranges)) > min(_MOST_BY_THEOREM, most):
        return None
    cells = table.positions([*product(*table.ranges)])
    outcomes: list[str | None] = [Position(cell, misere=misere).theorem.outcome for cell in cells if cell is not None]
    return None if None in outcomes else _rows(table, cells, filter(None, outcomes))


def _misere_values(cells: list[TableCell], whole: Position, loopy: bool) -> list[Value] | None:
    """Return the misère value of each cell, or None if a cell has several components.

    ``whole`` is the sum of the components of all cells, in their order. If ``loopy`` is true, the values are computed
    from a graph, which may have cycles.
    """
    if any(len(cell) != 1 for cell in cells):
        return None
    alone = whole.under(misere=True)
    values = [alone.table.value(part) for (part,) in cells] if not loopy else []
    return _solved_values(whole, misere=True, loopy=loopy) if None in values or not values else values  # type: ignore[return-value]


def _solved_values(whole: Position, misere: bool, loopy: bool) -> list[Value]:
    graph = whole.graph()
    solution = solve(graph, misere=misere, tokens=(), product_limit=whole.max_positions, loopy=loopy)
    return [solution.grundy[token] for token in graph.tokens or ()]


def _misere_outcome(position: Position, loopy: bool) -> str:
    if not loopy:
        return position.under(misere=True).outcome
    return {"second": "P", "first": "N", "draw": "D"}[solve(position.graph(), misere=True, loopy=loopy).winner]
