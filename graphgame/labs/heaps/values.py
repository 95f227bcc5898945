"""Compute values of taking-and-breaking games, by trying every move or in a sparse space.

A compiled loop stops when a value is too large for its arrays. The functions here then make the arrays larger and call
the loop again. A sparse space (:mod:`graphgame.labs.heaps.sparse`) is useful if only a few heaps have a rare value.
"""

from __future__ import annotations

from time import thread_time
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import Engine, Progress, report
from graphgame.errors import LimitError
from graphgame.labs.heaps.bitmaps import HEAPS_AT_ONCE, bitmap_loop, bitmaps_of, bitmaps_pay
from graphgame.labs.heaps.loops import (
    LEAST_SIZE,
    MARKED_FIRST,
    Moves,
    Totals,
    dense_loop,
    many_loop,
    picks_at_once,
    sieve_loop,
    split_loop,
)
from graphgame.labs.heaps.sparse import HEAPS_A_BLOCK, RareHeaps, Work, choose_space, sparse_loop
from graphgame.labs.heaps.storage import PACKED_SIZE, HeapValues, PackedValues

_LONGEST_BLOCK = 1 << 13
"""The maximum number of heaps that a loop computes in one call, except ``bitmap_loop`` and ``equal_loop``."""

_PAUSE = 0.1
"""A loop should return after about this many seconds, so that Python can handle Ctrl-C."""

_BLOCK_WORK = 1 << 28
"""The maximum number of steps in one call of a loop. If a single heap takes more, the call computes only this heap."""

_SPLITS_A_STEP = 16
"""To decide whether to compile a loop, this many splits are counted as one step."""

_FIRST_SPACE = 32
"""A sparse space is chosen again at this heap, and then whenever the number of heaps has doubled."""

_PAIRS_A_RARE = 16
"""At heap n, all splits are tried if there are over n / 16 pairs of a rare heap and a splitting amount."""

_MOST_REACHED = 1 << 30
"""The maximum number of bytes of the array ``reached`` of :func:`many_loop`; more is an error."""


class Run(NamedTuple):
    """Options for computing values: the engine, the progress callback, and whether to try every move."""

    engine: Engine = "auto"
    """"auto", "plain" or "compiled", as for :meth:`HeapGame.grundy_values`."""

    progress: Progress | None = None
    """Called as ``progress(heaps_done, heaps_total)`` now and then."""

    dense: bool = False
    """Whether to try every move, to check the faster methods."""


def block_end(start: int, stop: int, work: int) -> int:
    """Return the heap before which a call of a loop should stop, so that Ctrl-C is handled soon; at most ``stop``.

    ``start`` is the first heap of the call, and ``work`` the number of steps for one heap.
    """
    return min(start + max(1, min(_LONGEST_BLOCK, _BLOCK_WORK // max(work, 1))), stop)


def with_room(values: Array, n: int, stop: int, size: int) -> Array:
    """Return an array of length ``stop``, of a type for values below ``size``, that begins with the first n ``values``.

    ``values`` are unsigned integers. The other entries are 0. Return ``values`` itself if it has this length and a type
    that is large enough.
    """
    kind = np.promote_types(values.dtype, np.min_scalar_type(size - 1))
    if (len(values), values.dtype) == (stop, kind):
        return values
    room = np.zeros(stop, kind)  # the operating system allocates memory for zeros only when they are written to
    room[:n] = values[:n]
    return room


def dense_values(moves: Moves, known: Array, stop: int, run: Run) -> Array:
    """Return the values of the heaps below ``stop`` by trying every move; moves may leave at most two heaps.

    ``known`` has the values of the first heaps, ``run`` the engine and the progress callback.
    """
    n = len(known)
    most_options = len(moves.amounts) + len(moves.splitting) * stop // 2
    loop = runner(dense_loop, stop * most_options // 2, run.engine)
    marks = np.zeros(4 << int(known.max(initial=0)).bit_length(), np.int32)
    values = with_room(known, n, stop, len(marks))
    while n < stop:
        end = block_end(n, stop, most_options)
        n = loop(values, n, end, moves, marks)
        if n < end:  # the value of heap n is too large for the marks: compute it again with twice as many marks
            marks = np.zeros(2 * len(marks), np.int32)
            values = with_room(values, n, stop, len(marks))
        report(run.progress, n, stop)
    return values


def sieved_p_heaps(moves: Moves, stop: int, run: Run) -> Array:
    """Return the heaps below ``stop`` with value 0, for games without splits.

    The time is O(``stop``), plus O(number of amounts) for each heap in the result.
    """
    won, n = np.zeros(stop, np.uint8), 1
    whole, amounts = (moves.amounts[(moves.leaves & bit > 0) & (moves.amounts < stop)] for bit in (1, 2))
    # The sieve marks heap n + amount as won if heap n is a P-position. This is wrong for n = 0 if the rules forbid
    # taking a heap of this size whole. So mark the heaps that may be taken whole here; the sieve starts at heap 1.
    won[whole] = 1
    loop = runner(sieve_loop, stop * len(amounts).bit_length(), run.engine)
    while n < stop:
        end = block_end(n, stop, len(amounts))
        loop(won, n, end, amounts)
        n = end
        report(run.progress, n, stop)
    return np.flatnonzero(won == 0)


def sparse_values(moves: Moves, known: HeapValues, stop: int, run: Run) -> HeapValues:
    """Return the values of the heaps below ``stop``, computed in sparse spaces; packed if that saves memory.

    ``known`` has the values of the first heaps; if they are packed, they may be extended in place. ``run`` has the
    engine and the progress callback.
    """
    values, may_pack = known, True
    while len(values) < stop:
        if isinstance(values, PackedValues):
            _extend_packed(moves, values, stop, run)
            if len(values) < stop:
                # Unpacked values have two bytes each; one is enough for values below 256.
                values = np.asarray(values).astype(np.min_scalar_type(values.max()), copy=False)
                may_pack = False
        else:
            values = _extend_unpacked(moves, values, stop, run, may_pack)
    if isinstance(values, PackedValues) and values is not known and values.max() <= 0xFF:
        return values.into_bytes()
    return values


def _extend_packed(moves: Moves, values: PackedValues, stop: int, run: Run) -> None:
    """Extend packed values in place, to ``stop`` values; stop before a heap whose value is rare or not below 512."""
    n, bitmaps = len(values), bitmaps_of(moves.splitting, values)
    loop = runner(bitmap_loop, HEAPS_AT_ONCE * PACKED_SIZE, run.engine)
    values.resize(stop)
    end = n
    try:
        while n == end < stop:
            end = min(n + HEAPS_AT_ONCE, stop)
            n = loop(values.codes, n, end, moves, bitmaps)
            report(run.progress, n, stop)
    finally:
        values.resize(n)


def _extend_unpacked(moves: Moves, known: Array, stop: int, run: Run, may_pack: bool) -> HeapValues:
    """Return the values of the heaps below ``stop``, or packed values of fewer heaps for :func:`_extend_packed`.

    ``known`` has the values of the first heaps. The function chooses a sparse space at the start, and again each time
    the number of heaps has doubled. Right after a choice it may return packed values, if these save time (see
    :func:`bitmaps_pay`). If ``may_pack`` is False, it may do so after its second choice at the earliest.
    """
    n, splitting = len(known), moves.splitting
    values = with_room(known, n, stop, 1)
    loop = runner(sparse_loop, stop * (len(moves.amounts) + len(splitting) * stop // _SPLITS_A_STEP), run.engine)
    size = until = 0
    length = HEAPS_A_BLOCK
    while n < stop:
        if n >= until:
            until = min(max(2 * n, _FIRST_SPACE), stop)
            space = choose_space(values[:n], splitting)
            rares = space.rares(values[:n])
            rares = rares[rares > 0]  # heap 0 is no part of a split
            if _PAIRS_A_RARE * len(splitting) * len(rares) > n:
                values, n, may_pack = _extend_by_splits(moves, values, n, stop, until, run), until, True
                continue
            size = max(size, 1 << int(values[:n].max(initial=0)).bit_length())
            values, odd = with_room(values, n, stop, size), space.odd(size)
            work = Work.of(size, values.dtype, splitting)
            if may_pack and space.step == 0 and size <= PACKED_SIZE and bitmaps_pay(n, until, rares, splitting):
                return PackedValues.of(values[:n], space.mask, int(rares[-1]) + 1)
            may_pack = True
        start, began, end = n, thread_time(), min(n + length, until)
        picks = values.itemsize <= 2 and (loop is not sparse_loop or picks_at_once())
        room, count = np.append(rares, np.zeros(end - n, np.int32)), np.array([len(rares)], np.int64)
        n = loop(values, n, end, moves, picks, RareHeaps(splitting, odd, space, room, count), work)
        rares = room[: count[0]]
        if n < end:  # the arrays are too small for the values from heap n on
            size *= 2
            values, odd = with_room(values, n, stop, size), space.odd(size)
            work = Work.of(size, values.dtype, splitting)
        length = _next_length(length, n - start, thread_time() - began)
        report(run.progress, n, stop)
    return values


def _next_length(length: int, heaps: int, seconds: float) -> int:
    """Return how many heaps the next call of a loop should compute, so that it takes about ``_PAUSE`` seconds at most.

    The previous call was to compute ``length`` heaps. It computed ``heaps`` heaps in ``seconds`` seconds.
    """
    return min(2 * length, _LONGEST_BLOCK) if seconds < _PAUSE else max(heaps, 2) // 2


def _extend_by_splits(moves: Moves, known: Array, n: int, stop: int, end: int, run: Run) -> Array:
    """Return an array of length ``stop`` with the values of the heaps 0 to ``end - 1``, found by trying all splits.

    ``known`` begins with the values of the first n heaps. The result is ``known`` itself if its length is ``stop`` and
    its type large enough, otherwise a new array. Its entries from ``end`` on are not computed yet.
    """
    loop = runner(split_loop, end * (len(moves.amounts) + len(moves.splitting) * end // _SPLITS_A_STEP), run.engine)
    first, length, largest = n, HEAPS_A_BLOCK, int(known[:n].max(initial=0))
    size, usual = max(LEAST_SIZE, 1 << largest.bit_length()), np.array([(largest + 1) << 10], np.int64)
    # A copy with two bytes for each value, or more, so that the loop need not be compiled for single bytes as well.
    wide = with_room(known[:n], n, end, max(size, 1 << 16))
    totals = Totals.of(size, wide.dtype, moves.splitting)
    while n < end:
        start, began, goal = n, thread_time(), min(n + length, end)
        marks = MARKED_FIRST if wide.itemsize == 2 and (loop is not split_loop or picks_at_once()) else end
        n = loop(wide, n, goal, moves, marks, usual, totals)
        if n < goal:  # the value of heap n is too large for the arrays
            size *= 2
            wide = with_room(wide, n, end, size)
            totals = Totals.of(size, wide.dtype, moves.splitting)
        length = _next_length(length, n - start, thread_time() - began)
        report(run.progress, n, stop)
    values = with_room(known, first, stop, size)
    values[first:end] = wide[first:]
    return values


def many_values(moves: Moves, parts: int, distinct: bool, stop: int, run: Run) -> Array:
    """Return the values of the heaps below ``stop`` for moves that leave up to ``parts`` heaps (``parts`` >= 3).

    If ``distinct`` is true, no two heaps that a move leaves may be equal. ``run`` has the engine and the progress
    callback. If a value is too large for the arrays, the computation starts again with arrays of twice the size. Raise
    a LimitError if they need more than 1 GB.
    """
    n, size = 0, 8
    while n < stop:
        size *= 2
        if (parts - 1) * stop * size > _MOST_REACHED:
            raise LimitError(
                "moves that leave up to {parts} heaps need more than {most} GB of memory for heaps up to {stop}: "
                "ask for smaller heaps",
                parts,
                _MOST_REACHED >> 30,
                stop - 1,
            )
        loop = runner(many_loop, stop * stop * size // 4, run.engine)
        values, marks = np.zeros(stop, np.uint32), np.zeros(size, np.int32)
        reached = np.zeros((parts - 1) * stop * size, np.uint8)
        n = end = 0
        while n == end < stop:
            end = block_end(n, stop, n * size)
            n = loop(values, n, end, moves, distinct, reached, marks)
            report(run.progress, n, stop)
    return values
