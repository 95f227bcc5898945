"""Tables of values: a position whose text holds ranges, such as ``take{1,3,4}(0..50)`` or ``wythoff(0..9, 0..9)``."""

from __future__ import annotations

import re
from functools import reduce
from itertools import chain, islice, product
from math import prod
from operator import xor

from graphgame.arrays.engine import Progress
from graphgame.errors import LimitError, ParseError, UnknownPositionError, lists_options
from graphgame.games.notation import Loaded, parse_position
from graphgame.games.tables import ValueTable, in_rows
from graphgame.results import Loopy, Play, checked_play, outcome_of
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.position import Component, Position
from graphgame.solution import Cycles, solve

__all__ = ["has_ranges", "value_table"]

TableCell = tuple[Component, ...]
_Table = list[list[int | Loopy]]

_RANGE_OR_BRACES = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|(?P<first>[0-9]+)\.\.(?P<last>[0-9]+)")
_PAIR = re.compile(r"\s*[\w.:/-]+\s*(?:\{.*\})?\s*\(\s*0\s*,\s*0\s*\)\s*")
_MOST_DIGITS = 18
_ENTRIES_A_POSITION = 10
"""Entries of a table that take as much as one position of a graph."""


def has_ranges(text: str) -> bool:
    """Tell whether a text has a range outside braces, such as ``0..50``.

    Examples
    --------
    >>> has_ranges("take{1..3}(0..50)"), has_ranges("take{1..3}(50)")
    (True, False)
    """
    return any(match["first"] is not None for match in _RANGE_OR_BRACES.finditer(text))


@lists_options
def value_table(
    text: str,
    *,
    play: Play = "normal",
    cycles: Cycles = "error",
    max_positions: int = MAX_POSITIONS,
    progress: Progress | None = None,
) -> ValueTable:
    """Return the values of all positions that a text with ranges names.

    Parameters
    ----------
    text : str
        A position in the notation, with one range or two, such as ``0..50``, outside braces.
    play : {"normal", "misere"}
    cycles : {"error", "loopy"}
        Whether play must end; with "loopy" all positions are explored.
    max_positions : int
        Most entries of the table, and most positions of the explicit graph.
    progress : callable, optional
        Called as ``progress(positions, moves)`` now and then while the graph is explored.

    Raises
    ------
    ParseError
        There is no range, or more than two, or the text is not in the notation.
    LimitError
        The table or the graph is too large.
    CycleError
        Play need not end, and ``cycles`` is "error".

    Notes
    -----
    By closed forms where there are; of two heaps whose moves go along straight lines by a compiled loop over the table;
    all other positions are explored together, once.

    Examples
    --------
    >>> value_table("kayles(0..8)").values
    [[0], [1], [2], [3], [1], [4], [3], [2], [1]]
    >>> value_table("wythoff(0..2, 0..2)").outcomes
    [['P', 'N', 'N'], ['N', 'N', 'P'], ['N', 'P', 'N']]
    >>> value_table("wind-up{5:1,3}(0..4)", cycles="loopy").values
    [[0], [inf(0)], [inf(0)], [inf(0)], [0]]
    """
    play = checked_play(play)
    places, ranges = _ranges(text)
    loaded: Loaded = {}
    entries = prod(len(numbers) for numbers in ranges)
    if len(ranges) == 2 and entries <= _ENTRIES_A_POSITION * max_positions and cycles == "error":
        rows = _pair_values(text, places, ranges, play, _ENTRIES_A_POSITION * max_positions, loaded)
        if rows is None and play == "normal":
            rows = _xor_values(text, places, ranges, max_positions, loaded, progress)
        if rows is not None:
            return ValueTable(text, play, ranges, rows, [["N" if value else "P" for value in row] for row in rows])
    if entries > max_positions:
        raise LimitError(
            f"a table of {entries} entries is larger than the limit, max_positions={max_positions}", "max_positions"
        )
    cells = [_entry(text, places, numbers, loaded) for numbers in product(*ranges)]
    whole = Position(chain.from_iterable(cells), max_positions, progress=progress)
    values = _values(cells, whole, cycles) if play == "normal" else _misere_values(cells, whole, cycles)
    outcomes: list[str] = []
    if values is None:
        sums = (Position(cell, max_positions, progress=progress) for cell in cells)
        outcomes += (_misere_outcome(position, cycles) for position in sums)
    else:
        outcomes += map(outcome_of, values)
    width = len(ranges[1]) if len(ranges) == 2 else 1
    return ValueTable(text, play, ranges, None if values is None else in_rows(values, width), in_rows(outcomes, width))


def _pair_values(
    text: str, places: list[range], ranges: tuple[range, ...], play: Play, most: int, loaded: Loaded
) -> _Table | None:
    """Return the values of a table whose two numbers are a whole position of a game that knows them without a graph."""
    rows, columns = (numbers.stop for numbers in ranges)
    around = text[: places[0].start], text[places[0].stop : places[1].start], text[places[1].stop :]
    if rows * columns > most or not _PAIR.fullmatch("0".join(around)):
        return None
    first, last = (_entry(text, places, tuple(numbers[k] for numbers in ranges), loaded) for k in (0, -1))
    values = first[0].ruleset.pair_values(rows, columns, play == "misere") if len(first) == len(last) == 1 else None
    if values is None or (values := values[ranges[0].start :, ranges[1].start :]).min() < 0:
        return None
    return values.tolist()  # type: ignore[no-any-return]


def _xor_values(
    text: str, places: list[range], ranges: tuple[range, ...], most: int, loaded: Loaded, progress: Progress | None
) -> _Table | None:
    """Return the values of a table where each number has components of its own, whose values are combined by xor."""
    first, second = ranges
    by_row = [_entry(text, places, (number, second[0]), loaded) for number in first]
    by_column = [_entry(text, places, (first[0], number), loaded) for number in second]
    last = _entry(text, places, (first[-1], second[-1]), loaded)
    if len({len(cell) for cell in (last, *by_row, *by_column)}) > 1:
        return None
    of_column = [k for k in range(len(last)) if any(cell[k] != by_column[0][k] for cell in by_column)]
    joined = list(by_row[-1])
    for k in of_column:
        joined[k] = by_column[-1][k]
    if joined != list(last) or any(cell[k] != by_row[0][k] for cell in by_row for k in of_column):
        return None
    parts = [*by_row, *([cell[k] for k in of_column] for cell in by_column)]
    values = iter(Position(chain.from_iterable(parts), most, progress=progress).values)
    grundy = [reduce(xor, islice(values, len(part)), 0) for part in parts]
    rows, columns = grundy[: len(first)], grundy[len(first) :]
    return [[row ^ columns[0] ^ column for column in columns] for row in rows]


def _ranges(text: str) -> tuple[list[range], tuple[range, ...]]:
    """Return where the ranges of a text stand, and what they are."""
    matches = [match for match in _RANGE_OR_BRACES.finditer(text) if match["first"] is not None]
    if not matches:
        inside = text.find("..") + 1
        wanted = (
            "expected a range outside braces, as in bash{3}(0..20)" if inside else "expected a range, as in nim(0..20)"
        )
        raise ParseError(wanted, line=1, column=inside or len(text.rstrip()) or 1, text=text)
    if len(matches) > 2:
        raise ParseError("expected at most two ranges", line=1, column=matches[2].start() + 1, text=text)
    return [range(*match.span()) for match in matches], tuple(map(_range, matches))


def _range(match: re.Match[str]) -> range:
    first, last = match["first"], match["last"]
    if max(len(first), len(last)) > _MOST_DIGITS:
        fault = f"a range to a number of more than {_MOST_DIGITS} digits: expected smaller ones"
    elif int(first) > int(last):
        fault = "a range that goes down: expected least..most"
    else:
        return range(int(first), int(last) + 1)
    raise ParseError(fault, line=1, column=match.start() + 1, text=match.string)


def _entry(text: str, places: list[range], numbers: tuple[int, ...], loaded: Loaded) -> TableCell:
    """Return the position of a text with numbers in place of its ranges."""
    entry = _numbered(text, places, numbers)
    try:
        return parse_position(entry, loaded=loaded).components
    except (ParseError, UnknownPositionError) as error:
        if error.text == entry and error.column is not None:
            error.text, error.column = text, _origin(error.column, places, numbers)
        raise


def _numbered(text: str, places: list[range], numbers: tuple[int, ...]) -> str:
    entry, start = "", 0
    for place, number in zip(places, numbers, strict=True):
        entry += f"{text[start : place.start]}{number}"
        start = place.stop
    return entry + text[start:]


def _origin(column: int, places: list[range], numbers: tuple[int, ...]) -> int:
    """Return the column in the text with ranges of a column in the text with numbers in their place."""
    for place, number in zip(places, map(str, numbers), strict=True):
        if column <= place.start + len(number):
            return min(column, place.start + 1)
        column += place.stop - place.start - len(number)
    return column


def _values(cells: list[TableCell], whole: Position, cycles: Cycles) -> list[int | Loopy]:
    values = iter(whole.values if cycles == "error" else _solved_values(whole, "normal", cycles))
    return [reduce(xor, islice(values, len(cell)), 0) for cell in cells]


def _misere_values(cells: list[TableCell], whole: Position, cycles: Cycles) -> list[int | Loopy] | None:
    """Return the misère values, if no entry is a sum."""
    return None if any(len(cell) != 1 for cell in cells) else _solved_values(whole, "misere", cycles)


def _solved_values(whole: Position, play: Play, cycles: Cycles) -> list[int | Loopy]:
    graph = whole.graph()
    solution = solve(graph, play=play, tokens=(), product_limit=whole.max_positions, cycles=cycles)
    return [solution.grundy[token] for token in graph.tokens or ()]


def _misere_outcome(position: Position, cycles: Cycles) -> str:
    if cycles == "error":
        return position.under("misere").outcome
    return {"second": "P", "first": "N", "draw": "D"}[solve(position.graph(), play="misere", cycles=cycles).winner]
