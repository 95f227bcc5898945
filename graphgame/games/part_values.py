"""Values of the parts of a table: of each component by itself, and of rows and columns that are components apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from itertools import chain, islice
from operator import xor
from typing import cast

from graphgame.arrays.engine import Progress
from graphgame.errors import LimitError, NoPositionError
from graphgame.games.ranges import RangedText
from graphgame.heaps.heapgame import HeapGame
from graphgame.rules.position import Component, Position

__all__ = ["part_values", "xor_parts"]


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
    values = iter(part_values([*chain.from_iterable(parts)], most, progress))
    grundy = [reduce(xor, islice(values, len(part)), 0) for part in parts]
    rows, columns = grundy[: len(first)], grundy[len(first) :]
    return [row ^ columns[0] for row in rows], columns


def part_values(parts: Sequence[Component], most: int, progress: Progress | None) -> list[int]:
    """Return the values of components: those of one-heap games up to the largest heap, the others by their graph."""
    unknown: dict[tuple[object, ...], list[Component]] = {}
    for part, told in zip(parts, Position(parts).values_by_theorem, strict=True):
        if told is None and isinstance(part.ruleset, HeapGame):
            unknown.setdefault(part.game, []).append(part)
    known: dict[Component, int] = {}
    for heaps in unknown.values():
        rules, sizes = heaps[0].ruleset, [cast("int", part.position) for part in heaps]
        with suppress(LimitError):
            known.update(zip(heaps, cast("HeapGame", rules).grundy_values(max(sizes))[sizes].tolist(), strict=True))
    others = [part for part in parts if part not in known]
    known.update(zip(others, Position(others, most, progress=progress).values, strict=True))
    return [known[part] for part in parts]
