"""The loop that finds values in a sparse space, 64 heaps at a time: bit i of a word stands for the i-th of them.

The heaps of a block are first looked at together, with the splits whose parts both lie below the block: a candidate is
the least common value that none of them leaves. Some splits are marked; the first values without a mark are compared
with the others, a few values of each heap at once. Then each heap takes its other moves, and what rare values its moves
leave below the candidate is searched for it alone, in the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, unsigned
from graphgame.labs.heaps.candidates import (
    ALL,
    HEAPS_A_BLOCK,
    LISTED,
    MARKED_AT_ONCE,
    find_candidates,
    mark_rares,
    next_common,
)
from graphgame.labs.heaps.loops import first_unmarked, mark_one_heap, splits_end
from graphgame.labs.heaps.mirrored import append_listed, mirrored_xor
from graphgame.labs.heaps.vectors import AT_ONCE, equal_bits, mirrored_matches

WINDOWS = 32
"""Places, far from each other, of 64 splits each that are marked or looked up in one sweep, at most."""

MARKS_A_VALUE = 2
"""Splits that are marked for each value below the candidate, before others are looked up."""

MARKS_ALONE = 8
"""The same where the processor does not look up many at once: then the values without a mark are searched for."""

_TABLE = 16
"""Words of the table."""


def room(size: int, dtype: Any, splitting: Array) -> tuple[Array, ...]:  # noqa: ANN401
    """Return what the loop notes for values below a size that are of a type: its last arguments."""
    marks, seen = np.zeros(HEAPS_A_BLOCK * (size + 1), np.uint8), np.zeros(max(size, 64) + 64, np.uint8)
    far, places = np.zeros(2 * len(splitting), np.int64), np.zeros(HEAPS_A_BLOCK * MARKED_AT_ONCE, np.uint32)
    found, table = np.zeros(64 * (WINDOWS + 1), np.uint16 if size <= 1 << 16 else dtype), np.zeros(_TABLE, np.uint64)
    wanted, until = np.zeros(AT_ONCE * HEAPS_A_BLOCK, dtype), np.zeros(AT_ONCE * HEAPS_A_BLOCK, np.int64)
    candidates, listed = np.zeros(HEAPS_A_BLOCK, np.int64), np.zeros(HEAPS_A_BLOCK * LISTED, np.int64)
    counts, taken = np.zeros(HEAPS_A_BLOCK, np.int64), np.zeros(HEAPS_A_BLOCK, np.int64)
    return (
        far,
        marks,
        places,
        seen,
        found,
        table,
        wanted,
        until,
        candidates,
        listed,
        counts,
        taken,
        np.zeros(2 * AT_ONCE, np.uint64),
    )


@compiled
def sparse_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    splitting: Array,
    picks: bool,
    odd: Array,
    step: int,
    shift: int,
    rares: Array,
    rare_values: Array,
    count: Array,
    far: Array,
    marks: Array,
    places: Array,
    seen: Array,
    found: Array,
    table: Array,
    wanted: Array,
    until: Array,
    candidates: Array,
    listed: Array,
    counts: Array,
    taken: Array,
    words: Array,
) -> int:
    """Find the values of the heaps from start on; return the first for whose value there is no mark, else stop.

    A value v is common at heap n if ``odd[v]`` differs from the parity of ``step * (n + shift)``, else rare. Two
    common parts never leave a common value. ``rares[:count[0]]`` are the rare heaps below ``start``, in increasing
    order, without heap 0. ``picks`` tells whether many items are looked up in a table at once.
    """
    size = len(odd)
    for first in range(start, stop, HEAPS_A_BLOCK):
        last = min(first + HEAPS_A_BLOCK, stop)
        for i in range(HEAPS_A_BLOCK):
            candidates[i] = size
        if not find_candidates(
            values,
            first,
            last,
            splitting,
            odd,
            step,
            shift,
            rares,
            rare_values,
            count[0],
            far,
            marks,
            places,
            seen,
            wanted,
            until,
            candidates,
            listed,
            counts,
            taken,
            words,
        ):
            return first
        for n in range(first, last):
            flip, candidate = step & (n + shift), candidates[n - first]
            candidate = _mark_common(
                values,
                n,
                amounts,
                leaves,
                unequal,
                splitting,
                odd,
                flip,
                rares,
                rare_values,
                far,
                count[0],
                seen,
                candidate,
            )
            value = _least(values, n, unequal, splitting, picks, seen, found, table, wanted, until, words, candidate)
            if value == size:
                return n
            values[n] = value
            if odd[value] == flip and n > 0:
                rares[count[0]] = n
                rare_values[count[0]] = value
                count[0] += 1
    return stop


@inlined
def _mark_common(
    values: Array,
    n: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    splitting: Array,
    odd: Array,
    flip: int,
    rares: Array,
    rare_values: Array,
    far: Array,
    count: int,
    seen: Array,
    candidate: int,
) -> int:
    """Mark the moves of a heap that were not looked at, and the common values below its candidate; return that one.

    Where one of these moves leaves the candidate, all are marked to find the next one.
    """
    for v in range(len(seen)):
        seen[v] = 0
    for i in range(len(amounts)):
        mark_one_heap(values, n - amounts[i], leaves[i], 1, seen)
    for i in range(len(splitting)):
        mark_rares(values, n - splitting[i], unequal, rares, rare_values, 0, far[2 * i], seen)
        mark_rares(values, n - splitting[i], unequal, rares, rare_values, far[2 * i + 1], count, seen)
    if seen[candidate]:
        for amount in splitting:
            mark_rares(values, n - amount, unequal, rares, rare_values, 0, count, seen)
        candidate = next_common(seen, odd, flip, candidate)
    for v in range(unsigned(candidate)):
        seen[v] |= odd[v] ^ flip
    return candidate


@inlined
def _least(
    values: Array,
    n: int,
    unequal: bool,
    splitting: Array,
    picks: bool,
    seen: Array,
    found: Array,
    table: Array,
    wanted: Array,
    until: Array,
    words: Array,
    candidate: int,
) -> int:
    """Return the least value that is neither marked nor left by a split; the candidate where it is below all of these.

    A sweep takes splits from all over the heap: those of neighbours are too much alike. First all is marked that a
    sweep leaves, then what is in a table of the values without a mark, at last a few values are searched for.
    """
    size = len(seen) - HEAPS_A_BLOCK
    splits = 64 * min(candidate // 8 + 1, WINDOWS)
    strides = n // (2 * splits) + 1
    sweeps = strides * len(splitting)
    marks = (MARKS_A_VALUE if picks else MARKS_ALONE) * candidate // splits
    swept, turn, first = 0, 0, 1
    while swept < sweeps and (swept < marks or (picks and _list_open(seen, candidate, table) > AT_ONCE)):
        rest, count = n - splitting[turn], 0
        end = splits_end(rest, unequal)
        if first + 64 > 64 * strides:
            _mark_rest(values, rest, end, seen)
        if swept < marks:
            for begin in range(first, end - 63, 64 * strides):
                mirrored_xor(values, unsigned(begin), unsigned(rest - begin), found, count)
                count += 64
        else:
            count = append_listed(values, first, end, 64 * strides, rest, table, found)
        for i in range(count):
            seen[unsigned(found[i])] = 1
        swept += 1
        turn, first = _next_sweep(turn, first, splitting)
    value, passed, total, start = -1, 0, sweeps - swept, (turn, first)
    tried = until[AT_ONCE:]
    for q in range(AT_ONCE):
        words[q] = 1
    while True:
        for q in range(AT_ONCE):
            if words[q]:
                if value < candidate:
                    value = first_unmarked(seen, value + 1)
                tried[q] = value
                wanted[q] = value & (size - 1)
                until[q] = passed + total
            if until[q] <= passed:
                candidate = min(candidate, tried[q])
        if min(min(tried[0], tried[1]), min(tried[2], tried[3])) >= candidate:
            return candidate
        rest = n - splitting[turn]
        mirrored_matches(values, first, splits_end(rest, unequal) - 63, 64 * strides, rest, wanted, words)
        if first + 64 > 64 * strides:
            _mark_rest(values, rest, splits_end(rest, unequal), seen)
            for q in range(AT_ONCE):
                words[q] |= seen[wanted[q]]
        passed += 1
        turn, first = _next_sweep(turn, first, splitting)
        if first > 64 * strides:
            turn, first = start


@inlined
def _mark_rest(values: Array, whole: int, end: int, seen: Array) -> None:
    """Mark the splits of a heap beyond the last window of 64."""
    for a in range(unsigned(64 * (max(end - 1, 0) // 64) + 1), unsigned(max(end, 1))):
        seen[values[a] ^ values[unsigned(whole) - a]] = 1


@inlined
def _list_open(seen: Array, bound: int, table: Array) -> int:
    """Make a table of the values below a bound that are not marked, of each its last ten bits; return how many."""
    for i in range(_TABLE):
        table[i] = 0
    zeros, left = seen[len(seen) - 64 :], 0
    for v in range(0, bound, 64):
        unmarked = equal_bits(seen, v, 0, zeros) & (unsigned(ALL) >> unsigned(max(v + 64 - bound, 0)))
        table[v >> 6 & (_TABLE - 1)] |= unmarked
        left += ones(unmarked)
    return left


@inlined
def _next_sweep(turn: int, first: int, splitting: Array) -> tuple[int, int]:
    """Return the next amount in turn, and where the first window begins."""
    return (turn + 1, first) if turn + 1 < len(splitting) else (0, first + 64)
