"""What a search knows about sets of cells: a table of bounded memory that threads share, for compiled loops.

A row is a set of cells in words, its key, and then a fact: the value of the position, or ``~mask`` of values that it
does not have. A row without cells is free.

No thread waits for another. The rows of a block belong to one of the ``stripes``, a number that is odd while somebody
writes there and another afterwards: what was read meanwhile is read again, and what cannot be written at once is tried
again, a while: with few stripes and a single try so many facts were lost that two threads looked at three quarters
more positions than one. The numbers of stripes are read and written so that a loop sees all of what another wrote
before; uncompiled they are ordinary reading and writing, for one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined, instruction, view_of
from graphgame.compiled.instructions import ones, prefetch
from graphgame.labs.bitboards.wide_masks import Untyped, mask_at, scattered, set_mask

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


class Table(NamedTuple):
    """What is known of positions, and what keeps threads apart that write it."""

    rows: Array  # a position, and what is known of it
    stripes: Array  # a number for the blocks of rows that belong to it
    like: Array  # an array of masks alone, which tells how wide they are


def _atomic(
    result: str, kinds: Sequence[Untyped], write: Callable[..., Untyped]
) -> tuple[object, Callable[..., object]]:
    """Return the type and the instructions that a function writes for the address of ``array[index]`` and numbers."""
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    several: Any = types.StarArgTuple

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        array, *numbers = cgutils.unpack_tuple(builder, arguments[0])
        index, *numbers = (
            context.cast(builder, number, kind, types.int64) for number, kind in zip(numbers, kinds[1:], strict=True)
        )
        address = builder.gep(view_of(context, builder, kinds[0], array).data, [index])
        return write(builder, builder.bitcast(address, ir.IntType(64).as_pointer()), *numbers)

    return getattr(types, result)(several(kinds)), generate


def _acquire(builder: Untyped, address: Untyped) -> Untyped:
    return builder.load_atomic(address, "acquire", 8)


@instruction(lambda _, *kinds: _atomic("int64", kinds, _acquire))
def read_shared(array: Array, index: int) -> int:
    """Read a number, before all that is read after it."""
    return int(array[index])


def _acquire_again(builder: Untyped, address: Untyped) -> Untyped:
    builder.fence("acquire")
    return builder.load_atomic(address, "monotonic", 8)


@instruction(lambda _, *kinds: _atomic("int64", kinds, _acquire_again))
def read_again(array: Array, index: int) -> int:
    """Read a number, after all that was read before it."""
    return int(array[index])


def _release(builder: Untyped, address: Untyped, number: Untyped) -> None:
    builder.store_atomic(number, address, "release", 8)


@instruction(lambda _, *kinds: _atomic("void", kinds, _release))
def write_shared(array: Array, index: int, number: int) -> None:
    """Write a number, after all that was written before it."""
    array[index] = number


def _swap(builder: Untyped, address: Untyped, old: Untyped, new: Untyped) -> Untyped:
    done = builder.extract_value(builder.cmpxchg(address, old, new, "acq_rel", "acquire"), 1)
    builder.fence("release")
    return done


@instruction(lambda _, *kinds: _atomic("boolean", kinds, _swap))
def swap_shared(array: Array, index: int, old: int, new: int) -> bool:
    """Put a number in place of another if it is still that, before all that is written after; tell whether it was."""
    if array[index] != old:
        return False
    array[index] = new
    return True


@inlined
def _place_of(table: Table, key: int) -> int:
    """Return the row of a block from which on, and then from its first, a position is looked for."""
    return scattered(key) & (len(table.rows) - 1)


@inlined
def _row(place: int, step: int) -> int:
    return place & -NEIGHBOURS | place + step & NEIGHBOURS - 1


@inlined
def prefetch_fact(table: Table, key: int) -> None:
    """Ask for what is known of a position, a while before it is read."""
    prefetch(table.rows, _place_of(table, key))


@inlined
def fact_about(table: Table, key: int) -> int:
    """Return what is known of a position."""
    rows, stripes, masks = table
    place, last = _place_of(table, key), rows.shape[1] - 1
    stripe = place // NEIGHBOURS & len(stripes) - 1
    # A reader writes nothing: it reads again if a writer was there meanwhile.
    for _ in range(_TRIES):
        version, fact = read_shared(stripes, stripe), NOTHING
        for step in range(NEIGHBOURS):
            row = _row(place, step)
            other = mask_at(rows, row, masks)
            if other == key:
                fact = int(rows[row, last])
            if other == key or other == 0:
                break
        if version & 1 == 0 and read_again(stripes, stripe) == version:
            return fact
    return NOTHING


@inlined
def write_fact(table: Table, key: int, fact: int) -> int:
    """Write a fact down, over that of the smallest position near it if there is no room; return 1 if it took a row."""
    rows, stripes, masks = table
    place, last = _place_of(table, key), rows.shape[1] - 1
    stripe = place // NEIGHBOURS & len(stripes) - 1
    for _ in range(_TRIES):
        version = read_shared(stripes, stripe)
        if version & 1 == 0 and swap_shared(stripes, stripe, version, version + 1):
            break
    else:
        return 0
    # Facts may be replaced: whatever is forgotten can be found again. The smallest position costs least to find.
    chosen, fewest, new = place, _MOST, 0
    for step in range(NEIGHBOURS):
        row = _row(place, step)
        other = mask_at(rows, row, masks)
        if other == key or other == 0:
            chosen, new = row, 1 if other == 0 else 0
            break
        if ones(other) < fewest:
            chosen, fewest = row, ones(other)
    if mask_at(rows, chosen, masks) == key:
        fact = _together(int(rows[chosen, last]), fact)
    rows[chosen, last] = NOTHING  # an interrupt must not leave a fact with another position
    set_mask(rows, chosen, key, masks)
    rows[chosen, last] = fact
    write_shared(stripes, stripe, version + 2)
    return new


@inlined
def _together(known: int, fact: int) -> int:
    """Return what two facts about a position tell: the value, or all that it is not."""
    # Masks stand as ~mask, so that what either fact excludes is the & of both.
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
def fact_loop(table: Table, masks: Array) -> int:
    """Return what is known of the first of some positions."""
    return fact_about(table, mask_at(masks, 0, masks))


@compiled
def fill_loop(rows: Array, table: Table) -> int:
    """Write all facts of some rows into a table; return how many they are."""
    kept, last = 0, rows.shape[1] - 1
    for row in range(len(rows)):
        key = mask_at(rows, row, table.like)
        if key != 0:
            kept += write_fact(table, key, rows[row, last])
    return kept
