"""Values of taking-and-breaking games: every move tried, or in a sparse space."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import Progress, report
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
from graphgame.labs.heaps.sparse import HEAPS_A_BLOCK, RareHeaps, SparseSpace, Work, choose_space, sparse_loop
from graphgame.labs.heaps.storage import PACKED_SIZE, HeapValues, PackedValues

_LONGEST_BLOCK = 1 << 13
_PAUSE = 0.1
"""Seconds after which a loop stops for a moment, so that an interrupt is heard."""

_BLOCK_WORK = 1 << 28
_AT_ONCE = 16  # splits compared in one step
_FIRST_SPACE = 32
_PAIRS_A_RARE = 16
_MOST_REACHED = 1 << 30
_TIMED, _TIMED_FROM = 1 << 10, 1 << 14
"""Heaps for which each of two loops is timed, and the least of them: below, that is not worth its while."""


def block_end(start: int, stop: int, work: int) -> int:
    """Return where to stop a loop for a moment, so that an interrupt is heard; ``work`` is that of one heap."""
    return min(start + max(1, min(_LONGEST_BLOCK, _BLOCK_WORK // max(work, 1))), stop)


def grown(known: Array, stop: int) -> Array:
    """Return an array with room for the heaps below a number that starts with what is known."""
    values = np.zeros(stop, known.dtype)
    values[: len(known)] = known
    return values


def dense_values(moves: Moves, known: Array, stop: int, engine: str, progress: Progress | None) -> Array:
    """Return the values of the heaps below a number by trying every move that leaves at most two heaps."""
    n = len(known)
    most_options = len(moves.amounts) + len(moves.splitting) * stop // 2
    loop = runner(dense_loop, stop * most_options // 2, engine)
    marks = np.zeros(4 << int(known.max(initial=0)).bit_length(), np.int32)
    values = _wide_enough(grown(known, stop), n, len(marks))
    while n < stop:
        end = block_end(n, stop, most_options)
        n = loop(values, n, end, moves, marks)
        if n < end:  # a value for which there was no mark: that heap is done again with twice as many
            marks = np.zeros(2 * len(marks), np.int32)
            values = _wide_enough(values, n, len(marks))
        report(progress, n, stop)
    return values


def sieved_p_heaps(moves: Moves, stop: int, engine: str, progress: Progress | None) -> Array:
    """Return the heaps of value 0 below a number, where no move splits: O(amounts) for each of them."""
    won, n = np.zeros(stop, np.uint8), 1
    whole, amounts = (moves.amounts[(moves.leaves & bit > 0) & (moves.amounts < stop)] for bit in (1, 2))
    # The sieve starts at heap 1, for only some amounts may leave heap 0: the heaps that may be taken whole are won.
    won[whole] = 1
    loop = runner(sieve_loop, stop * len(amounts).bit_length(), engine)
    while n < stop:
        end = block_end(n, stop, len(amounts))
        loop(won, n, end, amounts)
        n = end
        report(progress, n, stop)
    return np.flatnonzero(won == 0)


def sparse_values(moves: Moves, known: HeapValues, stop: int, engine: str, progress: Progress | None) -> HeapValues:
    """Return the values of the heaps below a number, in sparse spaces; packed as soon as they may be."""
    values, again = known, True
    while len(values) < stop:
        if isinstance(values, PackedValues):
            _packed_on(moves, values, stop, engine, progress)
            again = len(values) == stop
            values = values if again else np.asarray(values)
        else:
            values = _whole_on(moves, values, stop, engine, progress, again)
    return values


def _packed_on(moves: Moves, values: PackedValues, stop: int, engine: str, progress: Progress | None) -> None:
    """Find the next values as long as they are common and below the size: in their place, with all that are known."""
    n, odd = len(values), SparseSpace(values.mask, 0, 0).odd(PACKED_SIZE)
    rares = SparseSpace(values.mask, 0, 0).rares(values.first)
    bitmaps = bitmaps_of(moves.splitting, rares[rares > 0], values, odd)
    loop = runner(bitmap_loop, HEAPS_AT_ONCE * PACKED_SIZE, engine)
    values.resize(stop)
    end = n
    try:
        while n == end < stop:
            end = min(n + HEAPS_AT_ONCE, stop)
            n = loop(values.codes, n, end, moves, bitmaps)
            report(progress, n, stop)
    finally:
        values.resize(n)


def _whole_on(
    moves: Moves, known: Array, stop: int, engine: str, progress: Progress | None, may_pack: bool
) -> HeapValues:
    """Return the values of the heaps below a number, or fewer and packed, in a space that is chosen again at times."""
    values, n = grown(known, stop), len(known)
    splitting = moves.splitting
    loop = runner(sparse_loop, stop * (len(moves.amounts) + len(splitting) * stop // _AT_ONCE), engine)
    size = chosen_until = until = 0
    at_once = HEAPS_A_BLOCK
    clocks: list[_Clock] = []  # of the loop for splits, then of the one for sparse spaces
    count = np.zeros(1, np.int64)
    while n < stop:
        if n >= chosen_until:
            until = until if clocks else max(2 * n, _FIRST_SPACE)
            chosen_until = until
            space = choose_space(values[:n], splitting)
            rares = space.rares(values[:n])
            rares = rares[rares > 0]  # a split leaves no heap of 0
            contested = _PAIRS_A_RARE * len(splitting) * len(rares) > n
            if contested and len(clocks) != 1 and not (clocks and _is_slower(*clocks)):
                # Both loops find the same values, and no count tells which is faster: each is timed on a block.
                timed = not clocks and n >= _TIMED_FROM
                clocks = [_Clock()] if timed else []
                end = min(n + _TIMED if timed else until, stop)
                values, n = _splits_on(moves, values, n, end, stop, engine, progress, clocks)
                chosen_until, may_pack = n, True
                continue
            if len(clocks) == 1:
                clocks.append(_Clock())
                chosen_until, at_once = min(n + _TIMED, until), HEAPS_A_BLOCK
            else:
                clocks = []
            count[0], size = len(rares), max(size, 1 << int(values[:n].max(initial=0)).bit_length())
            values, odd = _wide_enough(values, n, size), space.odd(size)
            rare_values, work = values[rares], Work.of(size, values.dtype, splitting)
            bitmaps = None
            if not contested and space.step == 0 and bitmaps_pay(n, min(chosen_until, stop), rares, splitting, size):
                if may_pack and size == PACKED_SIZE:
                    return PackedValues.of(values[:n], space.mask, int(rares[-1]) + 1)
                bitmaps = bitmaps_of(splitting, rares, values[:n], odd)
            may_pack = True
        if bitmaps is not None:
            end = min(n + HEAPS_AT_ONCE, chosen_until, stop)
            n = runner(bitmap_loop, HEAPS_AT_ONCE * size, engine)(values, n, end, moves, bitmaps)
            report(progress, n, stop)
            if n == end:
                continue
            bitmaps = None  # till there are twice as many heaps: a rare one came, or a value for which there is no mark
            rares = np.union1d(rares, [n - 1] if odd[values[n - 1]] == 0 else []).astype(np.int32)
            count[0], rare_values = len(rares), values[rares]
        start, began, end = n, thread_time(), min(n + at_once, chosen_until, stop)
        if len(rares) < count[0] + end - n:
            more = np.zeros(int(count[0]) + _LONGEST_BLOCK, np.int32)
            rares = np.concatenate([rares[: count[0]], more])
            rare_values = values[rares]
        picks = values.itemsize <= 2 and (loop is not sparse_loop or picks_at_once())
        rare = RareHeaps(splitting, odd, space.step, space.shift, rares, rare_values, count)
        n = loop(values, n, end, moves, picks, rare, work)
        if n < end:  # the loop stopped at a value for which there was no mark
            size *= 2
            values, odd = _wide_enough(values, n, size), space.odd(size)
            rare_values, work = values[rares], Work.of(size, values.dtype, splitting)
        for clock in clocks[1:]:
            clock.add(n - start, thread_time() - began)
        at_once = min(2 * at_once, _LONGEST_BLOCK) if thread_time() - began < _PAUSE else max(n - start, 2) // 2
        report(progress, n, stop)
    return values


class _Clock:
    """The time that a loop takes for a heap, but for its first block, when it may have to be compiled."""

    def __init__(self) -> None:
        self._blocks, self._heaps, self._seconds = 0, 0, 0.0

    def add(self, heaps: int, seconds: float) -> None:
        """Count a block."""
        if self._blocks:
            self._heaps, self._seconds = self._heaps + heaps, self._seconds + seconds
        self._blocks += 1

    @property
    def cost(self) -> float:
        """Seconds for a heap."""
        return self._seconds / max(self._heaps, 1)


def _is_slower(splits: _Clock, sparse: _Clock) -> bool:
    """Tell whether the loop for all splits is the slower one."""
    return splits.cost > sparse.cost


def _splits_on(
    moves: Moves,
    values: Array,
    n: int,
    end: int,
    stop: int,
    engine: str,
    progress: Progress | None,
    clocks: Sequence[_Clock],
) -> tuple[Array, int]:
    """Find the values of the heaps from n to an end, where all splits count; return them, and the end."""
    loop = runner(split_loop, end * (len(moves.amounts) + len(moves.splitting) * end // _AT_ONCE), engine)
    largest, at_once = int(values[:n].max(initial=0)), HEAPS_A_BLOCK
    size, usual = max(LEAST_SIZE, 1 << largest.bit_length()), np.array([(largest + 1) << 10], np.int64)
    values = _wide_enough(values, n, size)
    totals = Totals.of(size, values.dtype, moves.splitting)
    while n < end:
        start, began, goal = n, thread_time(), min(n + at_once, end)
        marks = MARKED_FIRST if values.itemsize <= 2 and (loop is not split_loop or picks_at_once()) else stop
        n = loop(values, n, goal, moves, marks, usual, totals)
        if n < goal:  # the loop stopped at a value for which there was no mark
            size *= 2
            values = _wide_enough(values, n, size)
            totals = Totals.of(size, values.dtype, moves.splitting)
        for clock in clocks:
            clock.add(n - start, thread_time() - began)
        at_once = min(2 * at_once, _LONGEST_BLOCK) if thread_time() - began < _PAUSE else max(at_once // 2, 1)
        report(progress, n, stop)
    return values, n


def many_values(moves: Moves, parts: int, distinct: bool, stop: int, engine: str, progress: Progress | None) -> Array:
    """Return the values of the heaps below a number for moves that leave up to so many heaps, three or more.

    Where the room for values does not suffice, all starts anew with twice as much.
    """
    n, size = 0, 8
    while n < stop:
        size *= 2
        if (parts - 1) * stop * size > _MOST_REACHED:
            raise LimitError(
                "moves that leave up to {parts} heaps need more than {most} GB of memory for heaps to "
                "{stop}: ask for smaller heaps",
                parts,
                _MOST_REACHED >> 30,
                stop - 1,
            )
        loop = runner(many_loop, stop * stop * size // 4, engine)
        values, marks = np.zeros(stop, np.uint32), np.zeros(size, np.int32)
        reached = np.zeros((parts - 1) * stop * size, np.uint8)
        n = end = 0
        while n == end < stop:
            end = block_end(n, stop, n * size)
            n = loop(values, n, end, moves, distinct, reached, marks)
            report(progress, n, stop)
    return values


def _wide_enough(values: Array, known: int, size: int) -> Array:
    """Return the values, of which the first are known, in a type that holds all below a size."""
    if size <= 1 << 8 * values.itemsize:
        return values
    wider = np.zeros(len(values), np.min_scalar_type(size - 1))  # memory that is not written to is not taken
    wider[:known] = values[:known]
    return wider
