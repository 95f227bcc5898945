"""The loops over heaps; each runs compiled by numba, or as plain Python on the same memory.

Each loop fills ``values[start:stop]`` and returns the heap where it stopped: less than ``stop`` where there is no mark
for the value of that heap. ``marks`` holds at v the number of the last heap (from 1) that has an option of value v.

Where all splits count, what the splits of one total leave serves every move to that total. Some splits of a total are
marked by what they leave, 256 at a time. Then most values are marked, and the other splits are looked up in a table of
those that are not, so that few are left to mark: those of values below a bound, for a heap seldom has a larger value,
and where it may have, that one is searched for alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import unsigned, word_at
from graphgame.labs.heaps.vectors import append_listed, equal_bits, mirrored_bits, mirrored_xor

WINDOW = 256
"""Splits of one amount that are compared with a value before those of the next amount."""


@compiled
def dense_loop(values: Array, start: int, stop: int, amounts: Array, leaves: Array, unequal: bool, marks: Array) -> int:
    """Try every move that leaves at most two heaps."""
    for n in range(start, stop):
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            mark_one_heap(values, rest, leaves[i], n + 1, marks)
            if leaves[i] & 4:
                for a in range(1, splits_end(rest, unequal)):
                    marks[values[a] ^ values[rest - a]] = n + 1
        v = 0
        while v < len(marks) and marks[v] == n + 1:
            v += 1
        if v == len(marks):
            return n
        values[n] = v
    return stop


@compiled
def sieve_loop(won: Array, start: int, stop: int, amounts: Array) -> None:
    """Mark in ``won`` the heaps from which one takes an amount to leave a heap, 1 or more, that is not marked."""
    size = len(won)
    for n in range(start, stop):
        if not won[n]:
            for amount in amounts:
                if n + amount >= size:
                    break
                won[n + amount] = 1


@inlined
def splits_end(rest: int, unequal: bool) -> int:
    """Return one more than the largest smaller part of a heap that is split."""
    return (rest + 1) // 2 if unequal else rest // 2 + 1


@inlined
def first_unmarked(seen: Array, value: int) -> int:
    """Return the least value from one on that is not marked."""
    while value < len(seen) and seen[value]:
        value += 1
    return value


@inlined
def is_left(values: Array, n: int, amounts: Array, leaves: Array, unequal: bool, begin: int, value: int) -> bool:
    """Tell whether a split whose smaller part is ``begin`` or more leaves a value."""
    for a in range(begin, n // 2 + 1, WINDOW):
        for i in range(len(amounts)):
            if leaves[i] & 4:
                rest = n - amounts[i]
                end = min(splits_end(rest, unequal), a + WINDOW)
                first = a
                while first + 64 <= end:
                    if mirrored_bits(values, unsigned(first), unsigned(rest - first), value):
                        return True
                    first += 64
                for part in range(first, end):
                    if values[unsigned(part)] ^ values[unsigned(rest - part)] == value:
                        return True
    return False


@compiled
def many_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    distinct: bool,
    reached: Array,
    marks: Array,
) -> int:
    """Try every move, for games that leave three heaps or more.

    ``reached[((k - 2) * heaps + n) * size + v]`` tells whether n splits into k heaps of value v together, no two of
    them equal if ``distinct``.
    """
    size, heaps = len(marks), len(values)
    most = len(reached) // (size * heaps) + 1
    for n in range(start, stop):
        # Where no two parts may be equal, _add_part marks the splits once the value of the largest is known.
        for parts in range(2, 0 if distinct else most):
            row = ((parts - 2) * heaps + n) * size
            _mark_parts(values, n, parts, n // parts, reached, size, 1, reached[row : row + size])
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            mark_one_heap(values, rest, leaves[i], n + 1, marks)
            for parts in range(2, most + distinct):
                if leaves[i] >> parts & 1 and unequal and not distinct:
                    _mark_parts(values, rest, parts, (rest - 1) // parts, reached, size, n + 1, marks)
                elif leaves[i] >> parts & 1:
                    row = ((parts - 2) * heaps + rest) * size
                    for v in range(size):
                        if reached[row + v]:
                            marks[v] = n + 1
        value = 0
        while value < size and (
            marks[value] == n + 1
            or (not distinct and _most_leave(values, n, amounts, leaves, unequal, most, reached, size, value))
        ):
            value += 1
        if value == size:
            return n
        values[n] = value
        if distinct:
            _add_part(values, n, most, reached, size)
    return stop


@inlined
def _most_leave(
    values: Array,
    n: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    most: int,
    reached: Array,
    size: int,
    value: int,
) -> bool:
    """Tell whether a move that leaves as many heaps as any, three or more, leaves a value."""
    for i in range(len(amounts)):
        rest = n - amounts[i]
        if leaves[i] >> most & 1:
            for a in range(1, (rest - unequal) // most + 1):
                if reached[((most - 3) * len(values) + rest - a) * size + (value ^ values[a])]:
                    return True
    return False


@inlined
def _add_part(values: Array, part: int, most: int, reached: Array, size: int) -> None:
    """Mark the splits into up to ``most`` heaps of which the largest is ``part``, those of more heaps first."""
    heaps = len(values)
    for parts in range(most, 2, -1):  # downwards, so that no split that has the part already gets it again
        for rest in range(1, min((parts - 1) * part, heaps - part)):
            row, whole = ((parts - 3) * heaps + rest) * size, ((parts - 2) * heaps + part + rest) * size
            for v in range(size):
                if reached[row + v]:
                    reached[whole + (v ^ values[part])] = 1
    for other in range(1, min(part, heaps - part)):
        reached[(part + other) * size + (values[other] ^ values[part])] = 1


@inlined
def mark_one_heap(values: Array, rest: int, leave: int, mark: int, marks: Array) -> None:
    """Mark the moves that leave at most one heap."""
    if leave & 1 and rest == 0:
        marks[0] = mark
    if leave & 2 and rest > 0:
        marks[values[rest]] = mark


@inlined
def _mark_parts(
    values: Array, whole: int, parts: int, most: int, reached: Array, size: int, mark: int, marks: Array
) -> None:
    """Mark the splits of a heap into two or more with a part of 1 to ``most``."""
    for a in range(1, most + 1):
        if parts == 2:
            marks[values[a] ^ values[whole - a]] = mark
        else:
            row = ((parts - 3) * len(values) + whole - a) * size
            for v in range(size):
                if reached[row + v]:
                    marks[v ^ values[a]] = mark


@compiled
def all_but_loop(values: Array, start: int, stop: int, excluded: Array, counts: Array, seen: Array, used: int) -> int:
    """Find values when one may take any number but those excluded.

    A value below ``used``, the least that no heap has yet, is no option's if only excluded moves lead to it:
    ``counts`` says how many heaps have a value; ``seen`` (zeros) counts those that excluded moves lead to.
    """
    for n in range(start, stop):
        value = used
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            v = values[n - excluded[i]]
            seen[v] += 1
            if seen[v] == counts[v] and v < value:
                value = v
        # Taken back one by one, for few heaps are excluded and there are many values.
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            seen[values[n - excluded[i]]] = 0
        values[n] = value
        counts[value] += 1
        if value == used:
            used += 1
    return stop


LEAST_SIZE = 64
"""The loop takes values below a power of two from this one on."""

MARKED_FIRST = 1024
"""Splits that are marked before others are looked up."""

STEP = 256
"""Splits that are marked at once."""

LOOKED_UP = 2048
"""Splits that are looked up in the same table, at most; or as many as are known."""

MOST_TOTALS = 64
"""Totals whose marks are kept, at most."""

TABLE = 16
"""Words of the table."""

ALL_MARKED = 0x0101_0101_0101_0101


def split_room(size: int, dtype: Any, splitting: Array) -> tuple[Array, ...]:  # noqa: ANN401
    """Return what the loop notes for values below a size that are of a type: its last arguments."""
    kept = min(1 << int(splitting[-1] - splitting[0]).bit_length(), MOST_TOTALS)
    rows, totals, bounds = np.zeros(kept * size, np.uint8), np.full(kept, -1, np.int64), np.zeros(kept, np.int64)
    found = np.zeros(LOOKED_UP + STEP, np.uint16 if dtype.itemsize <= 2 else dtype)
    return rows, totals, bounds, np.zeros(size + 64, np.uint8), found, np.zeros(TABLE, np.uint64)


@compiled
def split_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    first_marks: int,
    usual: Array,
    rows: Array,
    totals: Array,
    bounds: Array,
    seen: Array,
    found: Array,
    table: Array,
) -> int:
    """Find the values of the heaps from start on; return the first for whose value there is no mark, else stop.

    Of each total so many splits are marked before others are looked up: ``first_marks``, all where that is ``stop``.
    ``usual[0]`` is, times 1024, a bound that few values exceed; it follows them.
    """
    size = len(seen) - 64
    for n in range(start, stop):
        for v in range(size):
            seen[v] = 0
        bound = size
        for i in range(len(amounts)):
            rest = n - amounts[i]
            mark_one_heap(values, rest, leaves[i], 1, seen)
            if leaves[i] & 4 and rest > 1:
                slot = rest & (len(totals) - 1)
                row = rows[slot * size : slot * size + size]
                if totals[slot] != rest:
                    totals[slot] = rest
                    bounds[slot] = _mark_splits(
                        values, rest, splits_end(rest, unequal), first_marks, usual[0], row, seen[size:], found, table
                    )
                for v in range(size):
                    seen[v] |= row[v]
                bound = min(bound, bounds[slot])
        value = _unmarked(seen, 0, size)
        while bound <= value < size and is_left(values, n, amounts, leaves, unequal, 1, value):
            value = _unmarked(seen, value + 1, size)
        if value == size:
            return n
        values[n] = value
        usual[0] += (usual[0] >> 5) + 1024 if value >= bound else -(usual[0] >> 10)
    return stop


@inlined
def _mark_splits(
    values: Array,
    total: int,
    end: int,
    first_marks: int,
    usual: int,
    row: Array,
    zeros: Array,
    found: Array,
    table: Array,
) -> int:
    """Mark in a row what the splits of a total leave, from a bound on not all; return the bound."""
    size = len(row)
    for v in range(size):
        row[v] = 0
    part, first = 1, min(end, first_marks)
    while part + STEP <= first:
        for i in range(0, STEP, 64):
            mirrored_xor(values, unsigned(part + i), unsigned(total - part - i), found, i)
        _mark(row, found, STEP)
        part += STEP
    bound = size if first == end else min((usual >> 10 | 63) + 1, size)
    while part + 64 <= end and first < end:
        last = min(end, part + max(64, min(part, LOOKED_UP)))
        for word in range(TABLE):
            table[word] = 0
        for v in range(0, bound, 64):
            table[v >> 6 & (TABLE - 1)] |= equal_bits(row, v, 0, zeros)
        _mark(row, found, append_listed(values, part, last, 64, total, table, found))
        part += last - part & -64
    for a in range(part, end):
        row[values[unsigned(a)] ^ values[unsigned(total - a)]] = 1
    return bound


@inlined
def _mark(row: Array, found: Array, count: int) -> None:
    for i in range(count):
        row[unsigned(found[i])] = 1


@inlined
def _unmarked(seen: Array, value: int, size: int) -> int:
    """Return the least value from one on that is not marked, or the size; zeros follow the marks."""
    while word_at(seen, value) == ALL_MARKED:
        value += 8
    while seen[value]:
        value += 1
    return min(value, size)
