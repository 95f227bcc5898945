"""What a search knows about sets of cells, as a table of bounded memory for compiled loops.

A row is a set of cells in words, its key, and then a fact: the value of the position, or ``~mask`` of values that it
does not have. A row without cells is free. Wherever masks are read, an array of masks alone tells how wide they are.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, ones, prefetch
from graphgame.arrays.wide import mask_at, scattered, set_mask

__all__ = [
    "LATELY",
    "NEIGHBOURS",
    "NOTHING",
    "fact_about",
    "fact_lately",
    "fact_loop",
    "fill_loop",
    "place_of",
    "prefetch_fact",
    "write_fact",
    "write_lately",
]

LATELY = 1 << 15
"""Rows of what was known lately of components whose canonical forms then need not be made: they stay near the core."""

NEIGHBOURS = 16
"""Rows next to each other in which a position may lie: a table has so many more than a power of 2."""

NOTHING = -1
"""The fact about a position of which nothing is known."""

_MOST = 1 << 30


@inlined
def place_of(table: Array, key: int) -> int:
    """Return the first row in which a position may lie."""
    return scattered(key) & (len(table) - NEIGHBOURS - 1)


@inlined
def prefetch_fact(table: Array, key: int) -> None:
    """Ask for what is known of a position, a while before it is read."""
    prefetch(table, place_of(table, key))


@inlined
def fact_about(table: Array, masks: Array, key: int) -> int:
    """Return what is known of a position."""
    place, last = place_of(table, key), table.shape[1] - 1
    for row in range(place, place + NEIGHBOURS):
        other = mask_at(table, row, masks)
        if other == key:
            return int(table[row, last])
        if other == 0:
            break
    return NOTHING


@inlined
def write_fact(table: Array, masks: Array, key: int, fact: int) -> int:
    """Write a fact down, over that of the smallest position near it if there is no room; return 1 if it took a row."""
    place, last = place_of(table, key), table.shape[1] - 1
    smallest, fewest = place, _MOST
    for row in range(place, place + NEIGHBOURS):
        other = mask_at(table, row, masks)
        if other == key or other == 0:
            table[row, last] = fact
            set_mask(table, row, key, masks)
            return 0 if other == key else 1
        if ones(other) < fewest:
            smallest, fewest = row, ones(other)
    table[smallest, last] = NOTHING  # an interrupt must not leave a fact with another position
    set_mask(table, smallest, key, masks)
    table[smallest, last] = fact
    return 0


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
def fact_loop(table: Array, masks: Array) -> int:
    """Return what is known of the first of some positions."""
    return fact_about(table, masks, mask_at(masks, 0, masks))


@compiled
def fill_loop(table: Array, masks: Array, new: Array) -> int:
    """Write all facts of a table into another; return how many they are."""
    kept, last = 0, table.shape[1] - 1
    for row in range(len(table)):
        key = mask_at(table, row, masks)
        if key != 0:
            kept += write_fact(new, masks, key, table[row, last])
    return kept
