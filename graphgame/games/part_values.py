"""Values of the parts of a table whose rows and columns are components apart."""

from __future__ import annotations

from functools import reduce
from itertools import chain, islice
from operator import xor

from graphgame.arrays.engine import Progress
from graphgame.errors import NoPositionError
from graphgame.games.ranges import RangedText
from graphgame.rules.position import Position


def xor_parts(table: RangedText, most: int, progress: Progress | None) -> tuple[list[int], list[int]] | None:
    """Return numbers by rows and by columns whose xor are the values, where each range has components of its own."""
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
    return [row ^ columns[0] for row in rows], columns
