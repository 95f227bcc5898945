"""A table of bounded memory with facts about positions, which threads share without locks, for compiled loops.

A row has the key, which is the mask of a position in words, and a fact. The fact is the value of the position, or
``~mask`` where the bits of the mask are values that the position does not have. A row without cells is free.

No thread waits for another. Each block of rows belongs to one of the ``stripes``, a version number that is odd while a
thread writes to the block, and has changed afterwards (a seqlock). A reader that sees a change reads again. A writer
that finds the block taken tries again for a while, and then drops the fact. With few stripes and a single try, so many
facts were lost that two threads looked at three quarters more positions than one thread.

Stripes are read and written by atomic instructions with acquire and release order, so that a thread sees everything
that another wrote before. In plain Python there is only one thread, and they are ordinary reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined, instruction, view_of
from graphgame.compiled.instructions import ones, prefetch
from graphgame.labs.bitboards.wide_masks import Untyped, mask_at, scattered, set_mask

LATELY, LATELY_DENSE = 1 << 15, 1 << 10
"""Rows of the small table of facts met recently, keyed by components as they lie. A hit saves the canonical form, and
the table fits in the processor's cache. On dense graphs it is smaller: there, small components are evaluated directly,
and most of the others occur once."""

NEIGHBOURS = 16
"""Rows of a block. A position may be in any row of its block. The number of rows of a table is a power of 2."""

STRIPES = 1 << 18
"""The number of stripes. Blocks whose numbers are equal modulo this share a stripe."""

NOTHING = -1
"""The fact about a position of which nothing is known: ``~0``, no value is excluded."""

_MOST, _TRIES = 1 << 30, 1 << 8
"""More cells than any position has, and the most tries to read or write a block that others write."""


class Table(NamedTuple):
    """A table of facts, with the stripes that keep threads apart."""

    rows: Array  # in each row a position's mask, then the fact about it
    stripes: Array  # the version numbers
    like: Array  # an array of masks, whose type tells the width of masks


def _atomic(
    result: str, kinds: Sequence[Untyped], write: Callable[..., Untyped]
) -> tuple[object, Callable[..., object]]:
    """Return the type and the code generator of an instruction on ``array[index]``.

    ``write`` gets the address of the element and the further arguments, as numbers of 64 bits.
    """
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
    """Read a number. No later read of this thread happens before it (acquire)."""
    return int(array[index])


def _acquire_again(builder: Untyped, address: Untyped) -> Untyped:
    builder.fence("acquire")
    return builder.load_atomic(address, "monotonic", 8)


@instruction(lambda _, *kinds: _atomic("int64", kinds, _acquire_again))
def read_again(array: Array, index: int) -> int:
    """Read a number. No earlier read of this thread happens after it (a fence comes first)."""
    return int(array[index])


def _release(builder: Untyped, address: Untyped, number: Untyped) -> None:
    builder.store_atomic(number, address, "release", 8)


@instruction(lambda _, *kinds: _atomic("void", kinds, _release))
def write_shared(array: Array, index: int, number: int) -> None:
    """Write a number. No earlier write of this thread happens after it (release)."""
    array[index] = number


def _swap(builder: Untyped, address: Untyped, old: Untyped, new: Untyped) -> Untyped:
    done = builder.extract_value(builder.cmpxchg(address, old, new, "acq_rel", "acquire"), 1)
    builder.fence("release")
    return done


@instruction(lambda _, *kinds: _atomic("boolean", kinds, _swap))
def swap_shared(array: Array, index: int, old: int, new: int) -> bool:
    """Replace ``old`` by ``new`` if the number is still ``old``; return whether it was (compare and swap).

    No later write of this thread happens before it.
    """
    if array[index] != old:
        return False
    array[index] = new
    return True


@inlined
def _place_of(table: Table, key: int) -> int:
    """Return the row at which the search for a position begins. From the end of its block it goes on at the start."""
    return scattered(key) & (len(table.rows) - 1)


@inlined
def _row(place: int, step: int) -> int:
    """Return the row of a step of the search: the block of ``place``, with its last bits counted up cyclically."""
    return place & -NEIGHBOURS | place + step & NEIGHBOURS - 1


@inlined
def prefetch_fact(table: Table, key: int) -> None:
    """Prefetch the row of a position, some time before it is read."""
    prefetch(table.rows, _place_of(table, key))


@inlined
def fact_about(table: Table, key: int) -> int:
    """Return the fact about a position; NOTHING if it is not in the table."""
    rows, stripes, masks = table
    place, last = _place_of(table, key), rows.shape[1] - 1
    stripe = place // NEIGHBOURS & len(stripes) - 1
    # A reader takes no lock. What it read is valid if the version was even, and is the same afterwards.
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
    """Write a fact; return 1 if it took a free row, otherwise 0.

    If the block is full, the fact replaces that of the smallest position in the block.
    """
    rows, stripes, masks = table
    place, last = _place_of(table, key), rows.shape[1] - 1
    stripe = place // NEIGHBOURS & len(stripes) - 1
    for _ in range(_TRIES):
        version = read_shared(stripes, stripe)
        if version & 1 == 0 and swap_shared(stripes, stripe, version, version + 1):
            break
    else:
        return 0
    # A fact may be dropped, because a search can find it again. That costs least for the position with fewest cells.
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
    # If an interrupt comes between the next lines, no position may be left with the fact about another one.
    rows[chosen, last] = NOTHING
    set_mask(rows, chosen, key, masks)
    rows[chosen, last] = fact
    write_shared(stripes, stripe, version + 2)
    return new


@inlined
def _together(known: int, fact: int) -> int:
    """Combine two facts about a position: the value if either tells it, otherwise all excluded values."""
    # A value is 0 or more, and any ~mask is below 0. ~a & ~b == ~(a | b) excludes what either excludes.
    return max(known, fact) if known >= 0 or fact >= 0 else known & fact


@inlined
def fact_lately(lately: Array, masks: Array, part: int) -> int:
    """Return the fact about a component as it lies, from the small table; NOTHING if it is not there."""
    row = scattered(part) & (len(lately) - 1)
    return int(lately[row, lately.shape[1] - 1]) if mask_at(lately, row, masks) == part else NOTHING


@inlined
def write_lately(lately: Array, masks: Array, part: int, fact: int) -> None:
    """Write a fact about a component as it lies to the small table, replacing what is in its row."""
    row, last = scattered(part) & (len(lately) - 1), lately.shape[1] - 1
    lately[row, last] = NOTHING
    set_mask(lately, row, part, masks)
    lately[row, last] = fact


@compiled
def fact_loop(table: Table, masks: Array) -> int:
    """Return the fact about the first of the masks."""
    return fact_about(table, mask_at(masks, 0, masks))


@compiled
def fill_loop(rows: Array, table: Table) -> int:
    """Write the facts of some rows into a table; return how many free rows they took."""
    kept, last = 0, rows.shape[1] - 1
    for row in range(len(rows)):
        key = mask_at(rows, row, table.like)
        if key != 0:
            kept += write_fact(table, key, rows[row, last])
    return kept
