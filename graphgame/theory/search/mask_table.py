"""What a search knows about sets of cells, as a table of bounded memory for compiled loops.

A row is a set of cells in words, its key, and then a fact: the value of the position, or ``~mask`` of values that it
does not have. A row without cells is free. Wherever masks are read, an array of masks alone tells how wide they are.

Threads share a table, and none waits for another. The rows of a block belong to one of the ``stripes``, a number that
is odd while somebody writes there and another afterwards: what was read meanwhile is read again, and what cannot be
written at once is tried again, a while: with few stripes and a single try so many facts were lost that two threads
looked at three quarters more positions than one.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined
from graphgame.arrays.instructions import ones, prefetch
from graphgame.arrays.shared import read_again, read_shared, swap_shared, write_shared
from graphgame.arrays.wide import mask_at, scattered, set_mask

LATELY, LATELY_DENSE = 1 << 15, 1 << 10
"""Rows of what was known lately of components whose canonical forms then need not be made: they stay near the core.
Fewer where small graphs have their values found by the definition: most others are met once."""

NEIGHBOURS = 16
"""Rows of a block, in any of which a position may lie; a table has a power of 2 of rows, a block at least."""

STRIPES = 1 << 18
"""Numbers that tell whether somebody writes, for each of so many blocks one."""

NOTHING = -1
"""The fact about a position of which nothing is known."""

_MOST, _TRIES = 1 << 30, 1 << 8


@inlined
def place_of(table: Array, key: int) -> int:
    """Return the row of a block from which on, and then from its first, a position is looked for."""
    return scattered(key) & (len(table) - 1)


@inlined
def _row(place: int, step: int) -> int:
    return place & -NEIGHBOURS | place + step & NEIGHBOURS - 1


@inlined
def prefetch_fact(table: Array, key: int) -> None:
    """Ask for what is known of a position, a while before it is read."""
    prefetch(table, place_of(table, key))


@inlined
def fact_about(table: Array, stripes: Array, masks: Array, key: int) -> int:
    """Return what is known of a position."""
    place, last = place_of(table, key), table.shape[1] - 1
    stripe = place // NEIGHBOURS & len(stripes) - 1
    for _ in range(_TRIES):
        version, fact = read_shared(stripes, stripe), NOTHING
        for step in range(NEIGHBOURS):
            row = _row(place, step)
            other = mask_at(table, row, masks)
            if other == key:
                fact = int(table[row, last])
            if other == key or other == 0:
                break
        if version & 1 == 0 and read_again(stripes, stripe) == version:
            return fact
    return NOTHING


@inlined
def write_fact(table: Array, stripes: Array, masks: Array, key: int, fact: int) -> int:
    """Write a fact down, over that of the smallest position near it if there is no room; return 1 if it took a row."""
    place, last = place_of(table, key), table.shape[1] - 1
    stripe = place // NEIGHBOURS & len(stripes) - 1
    for _ in range(_TRIES):
        version = read_shared(stripes, stripe)
        if version & 1 == 0 and swap_shared(stripes, stripe, version, version + 1):
            break
    else:
        return 0
    chosen, fewest, new = place, _MOST, 0
    for step in range(NEIGHBOURS):
        row = _row(place, step)
        other = mask_at(table, row, masks)
        if other == key or other == 0:
            chosen, new = row, 1 if other == 0 else 0
            break
        if ones(other) < fewest:
            chosen, fewest = row, ones(other)
    if mask_at(table, chosen, masks) == key:
        fact = _together(int(table[chosen, last]), fact)
    table[chosen, last] = NOTHING  # an interrupt must not leave a fact with another position
    set_mask(table, chosen, key, masks)
    table[chosen, last] = fact
    write_shared(stripes, stripe, version + 2)
    return new


@inlined
def _together(known: int, fact: int) -> int:
    """Return what two facts about a position tell: the value, or all that it is not."""
    return max(known, fact) if known >= 0 or fact >= 0 else known & fact


@inlined
def fact_lately(lately: Array, masks: Array, part: int) -> int:
    """Return what was known lately of cells that are not in canonical form."""
    row = scattered(part) & (len(lately) - 1)
    return int(lately[row, lately.shape[1] - 1]) if mask_at(lately, row, masks) == part else NOTHING


@inlined
def write_lately(lately: Array, masks: Array, part: int, fact: int) -> None:
    """Write down a fact about cells, over that of others."""
    row, last = scattered(part) & (len(lately) - 1), lately.shape[1] - 1
    lately[row, last] = NOTHING
    set_mask(lately, row, part, masks)
    lately[row, last] = fact


@compiled
def fact_loop(table: Array, stripes: Array, masks: Array) -> int:
    """Return what is known of the first of some positions."""
    return fact_about(table, stripes, masks, mask_at(masks, 0, masks))


@compiled
def fill_loop(table: Array, masks: Array, new: Array, stripes: Array) -> int:
    """Write all facts of a table into another; return how many they are."""
    kept, last = 0, table.shape[1] - 1
    for row in range(len(table)):
        key = mask_at(table, row, masks)
        if key != 0:
            kept += write_fact(new, stripes, masks, key, table[row, last])
    return kept
