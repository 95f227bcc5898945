"""A table of bounded memory with facts about positions, which threads share without locks, for compiled loops.

A row has a key, which is the mask of a position, and a fact about this position. The fact is the value of the position,
or ``~mask`` where the bits of the mask are values that the position does not have. A row with an empty mask is free.

No thread waits for another. Each block of rows belongs to a stripe, which is a version number. This number is odd while
a thread writes to a block of the stripe, and 2 higher afterwards (a seqlock). A reader compares the versions before and
after it reads, and reads again if they differ. A writer that finds the version odd tries again for a while, and then
drops the fact. With few stripes and a single try, two threads dropped many facts, and visited three quarters more
positions than one thread.

Stripes are read and written by atomic instructions with acquire and release order, so that a thread that reads a
version sees all that another thread wrote before this version. In plain Python there is only one thread, and the
instructions are ordinary reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import instruction, ones, prefetch, view_of
from graphgame.labs.bitboards.wide_masks import Untyped, mask_at, scattered, set_mask

RECENT, RECENT_DENSE = 1 << 15, 1 << 10
"""The number of rows of the small table of recent facts, in general and on dense graphs. Its keys are the masks of
components that are not brought into canonical form. A hit saves the computation of this form, and the table fits in the
processor's cache. On dense graphs it is smaller, because there the values of small components are computed directly,
and most large components occur once."""

ROWS_A_BLOCK = 16
"""The number of rows of a block. A position may be in any row of its block. A table has 2^k rows for some k."""

STRIPES = 1 << 18
"""The number of stripes if there are several threads. Blocks whose numbers are equal modulo this share a stripe."""

NOTHING = -1
"""The fact that says nothing about a position: ``~0`` excludes no value."""

_MANY_CELLS, _MOST_TRIES = 1 << 30, 1 << 8
"""A number above the number of cells of any position, and the maximum number of tries to read or write a block while
other threads write to it."""


class Table(NamedTuple):
    """A table of facts, with the version numbers by which threads coordinate."""

    rows: Array  # in each row the mask of a position, then the fact about it
    stripes: Array  # the version number of each stripe; it is odd while a thread writes to one of its blocks
    like: Array  # an array of masks, whose type tells the width of masks


def _atomic(
    result: str, kinds: Sequence[Untyped], write: Callable[..., Untyped]
) -> tuple[object, Callable[..., object]]:
    """Return the numba signature and the code generator of an atomic instruction on ``array[index]``.

    ``result`` is the name of the numba type of its result. ``kinds`` has the numba types of its arguments: the array,
    the index, and any further numbers. ``write`` writes the instruction: it gets an LLVM builder, the address of the
    element, and the further numbers, in 64 bits each.
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
    """Return ``array[index]``. No later read of this thread happens before this read (acquire)."""
    return int(array[index])


def _acquire_again(builder: Untyped, address: Untyped) -> Untyped:
    builder.fence("acquire")
    return builder.load_atomic(address, "monotonic", 8)


@instruction(lambda _, *kinds: _atomic("int64", kinds, _acquire_again))
def read_again(array: Array, index: int) -> int:
    """Return ``array[index]``. A fence ensures that all earlier reads of this thread happen before this read."""
    return int(array[index])


def _release(builder: Untyped, address: Untyped, number: Untyped) -> None:
    builder.store_atomic(number, address, "release", 8)


@instruction(lambda _, *kinds: _atomic("void", kinds, _release))
def write_shared(array: Array, index: int, number: int) -> None:
    """Set ``array[index]`` to a number. No earlier write of this thread happens after this write (release)."""
    array[index] = number


def _swap(builder: Untyped, address: Untyped, old: Untyped, new: Untyped) -> Untyped:
    done = builder.extract_value(builder.cmpxchg(address, old, new, "acq_rel", "acquire"), 1)
    builder.fence("release")
    return done


@instruction(lambda _, *kinds: _atomic("boolean", kinds, _swap))
def swap_shared(array: Array, index: int, old: int, new: int) -> bool:
    """Set ``array[index]`` to ``new`` if it is ``old``; return True if it was (compare and swap).

    No later write of this thread happens before this write.
    """
    if array[index] != old:
        return False
    array[index] = new
    return True


@inlined
def _first_row(table: Table, key: int) -> int:
    """Return the row at which the look-up of a position begins; the look-up goes on cyclically in the row's block."""
    return scattered(key) & (len(table.rows) - 1)


@inlined
def _row_at(first: int, step: int) -> int:
    """Return the row that a look-up reaches ``step`` rows after the row ``first``, cyclically in the same block."""
    return first & -ROWS_A_BLOCK | first + step & ROWS_A_BLOCK - 1


@inlined
def prefetch_fact(table: Table, key: int) -> None:
    """Prefetch the row of the table at which the look-up of a key begins."""
    prefetch(table.rows, _first_row(table, key))


@inlined
def fact_about(table: Table, key: int) -> int:
    """Return the fact about a position from the table.

    The result is NOTHING if the table has none, or if other threads keep writing to the stripe of the block.
    """
    rows, stripes, masks = table
    first, last = _first_row(table, key), rows.shape[1] - 1
    stripe = first // ROWS_A_BLOCK & len(stripes) - 1
    # A reader takes no lock. The fact is valid if the version was even before the read and is the same afterwards.
    for _ in range(_MOST_TRIES):
        version, fact = read_shared(stripes, stripe), NOTHING
        for step in range(ROWS_A_BLOCK):
            row = _row_at(first, step)
            row_key = mask_at(rows, row, masks)
            if row_key == key:
                fact = int(rows[row, last])
            if row_key == key or row_key == 0:
                break
        if version & 1 == 0 and read_again(stripes, stripe) == version:
            return fact
    return NOTHING


@inlined
def write_fact(table: Table, key: int, fact: int) -> int:
    """Write a fact about a position; return 1 if the fact took a free row, otherwise 0.

    The fact is joined with an earlier fact about the same position. If the position is new and its block is full, the
    fact overwrites another fact in the block: the one about the position with the fewest cells. If other threads keep
    writing to the stripe of the block, the fact is dropped.
    """
    rows, stripes, masks = table
    first, last = _first_row(table, key), rows.shape[1] - 1
    stripe = first // ROWS_A_BLOCK & len(stripes) - 1
    for _ in range(_MOST_TRIES):
        version = read_shared(stripes, stripe)
        if version & 1 == 0 and swap_shared(stripes, stripe, version, version + 1):
            break
    else:
        return 0
    # A fact may be lost, because a search can prove it again. That costs least for the position with the fewest cells.
    chosen, fewest, new = first, _MANY_CELLS, 0
    for step in range(ROWS_A_BLOCK):
        row = _row_at(first, step)
        row_key = mask_at(rows, row, masks)
        if row_key == key or row_key == 0:
            chosen, new = row, 1 if row_key == 0 else 0
            break
        if ones(row_key) < fewest:
            chosen, fewest = row, ones(row_key)
    if mask_at(rows, chosen, masks) == key:
        # A value is 0 or more, and any ~mask is below 0. ~a & ~b == ~(a | b) excludes the values that either excludes.
        known = int(rows[chosen, last])
        fact = max(known, fact) if known >= 0 or fact >= 0 else known & fact
    # An interrupt between the next lines must not leave a position with the fact about another position.
    rows[chosen, last] = NOTHING
    set_mask(rows, chosen, key, masks)
    rows[chosen, last] = fact
    write_shared(stripes, stripe, version + 2)
    return new


@inlined
def recent_fact(recent: Array, masks: Array, part: int) -> int:
    """Return the fact about a component from the table of recent facts; NOTHING if the table has none.

    ``part`` is the mask of the component where it lies on the board, not its canonical form. ``masks`` may be any array
    of masks: only its type is used, which tells how wide a mask is.
    """
    row = scattered(part) & (len(recent) - 1)
    return int(recent[row, recent.shape[1] - 1]) if mask_at(recent, row, masks) == part else NOTHING


@inlined
def write_recent(recent: Array, masks: Array, part: int, fact: int) -> None:
    """Write a fact about a component to its row in the table of recent facts, and overwrite the fact that is there.

    ``part`` is the mask of the component where it lies on the board. ``masks`` may be any array of masks: only its type
    is used, which tells how wide a mask is.
    """
    row, last = scattered(part) & (len(recent) - 1), recent.shape[1] - 1
    recent[row, last] = NOTHING
    set_mask(recent, row, part, masks)
    recent[row, last] = fact


@compiled
def fact_loop(table: Table, masks: Array) -> int:
    """Return the fact about the position whose mask is the first entry of ``masks``; NOTHING if there is none."""
    return fact_about(table, mask_at(masks, 0, masks))


@compiled
def fill_loop(rows: Array, table: Table) -> int:
    """Write the facts in the ``rows`` of another table to ``table``; return the number of free rows that they took."""
    taken, last = 0, rows.shape[1] - 1
    for row in range(len(rows)):
        key = mask_at(rows, row, table.like)
        if key != 0:
            taken += write_fact(table, key, rows[row, last])
    return taken
