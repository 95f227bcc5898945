"""The loop that finds values where all splits count: what those of one total leave serves every move to that total.

Some splits of a total are marked by what they leave, 256 at a time. Then most values are marked, and the other splits
are looked up in a table of those that are not, so that few are left to mark: those of values below a bound, for a heap
seldom has a larger value, and where it may have, that one is searched for alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import unsigned, word_at
from graphgame.labs.heaps.loops import is_left, mark_one_heap, splits_end
from graphgame.labs.heaps.mirrored import append_listed, mirrored_xor
from graphgame.labs.heaps.vectors import equal_bits

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
