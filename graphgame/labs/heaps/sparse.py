"""Sparse spaces, and the loop that computes values in one.

A sparse space divides all values into rare and common ones so that few heaps have a rare value. A value v is rare if
v & mask has an even number of ones. The xor of two rare values is rare, and so is the xor of two common values. So a
split into two common heaps never has a common value, and only splits with a rare part need to be tried for common
values. The Walsh-Hadamard transform of the histogram shows for all masks at once how many heaps are rare. If all splits
take amounts of the same parity, a space may also exchange rare and common for all odd heaps, or for all even heaps:
then, too, a split into two common heaps never has a common value.

The loop takes blocks of 64 heaps; bit i of a word stands for the i-th heap of the block. It first treats these heaps
together: it marks the values of most splits that have a rare part and have both parts below the block. The candidate of
a heap is the least common value that none of these splits has. Then the loop completes each heap alone. It marks the
values of moves without a split and of the remaining splits with a rare part; if the candidate gets a mark, the next
common value without a mark becomes the candidate. The value of the heap is the candidate or a smaller rare value. So
the loop searches the other splits for the rare values below the candidate.

References
----------
A. Gangolli, T. Plambeck, A note on periodicity in some octal games, Int. J. Game Theory 18 (1989). J. P. Grossman,
Searching for periodicity in Officers, Games of No Chance 5 (2019).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, unsigned
from graphgame.labs.heaps.loops import (
    ALL,
    TABLE,
    Moves,
    first_unmarked,
    is_left,
    list_in_table,
    mark_one_heap,
    splits_end,
    trailing_zeros,
    unmarked_bits,
    xor_backwards,
)

if TYPE_CHECKING:
    from graphgame.labs.heaps.storage import HeapValues


VALUES_AT_A_TIME = 1 << 16
"""The number of values that numpy handles at a time."""


class SparseSpace(NamedTuple):
    """A sparse space: a value v is rare if v & ``mask`` has an even number of ones, otherwise common.

    If ``step`` is 1, this is reversed for the heaps n with n + ``shift`` odd. If ``step`` is 0, it holds for all heaps.
    """

    mask: int
    step: int
    shift: int

    def odd(self, size: int) -> Array:
        """Return an array with an entry for each value v below ``size``: 1 if v & mask has an odd bit count, else 0."""
        bits = np.arange(size, dtype=np.uint32) & np.uint32(self.mask)
        # Xor the upper half of the bits onto the lower half, again and again: the last bit becomes the parity of all.
        for shift in (16, 8, 4, 2, 1):
            bits ^= bits >> np.uint32(shift)
        return (bits & np.uint32(1)).astype(np.uint8)

    def rares(self, values: HeapValues) -> Array:
        """Return the heaps with a rare value, in increasing order."""
        odd = self.odd(int(values.max(initial=0)) + 1)
        blocks = [np.zeros(0, np.int32)]
        for start, block_values in in_blocks(values):
            block = odd[block_values]
            if self.step:
                block[start + self.shift + 1 & 1 :: 2] ^= 1
            blocks.append((np.flatnonzero(block == 0) + start).astype(np.int32))
        return np.concatenate(blocks)


def in_blocks(values: HeapValues) -> Iterator[tuple[int, Array]]:
    """Yield pairs: the first heap of a block, which is even, and an array with the values of the heaps of the block.

    A block has 2**16 heaps here, the last one perhaps fewer. This limits the memory for the copies that numpy makes.
    """
    return ((start, values[start : start + VALUES_AT_A_TIME]) for start in range(0, len(values), VALUES_AT_A_TIME))


def choose_space(values: HeapValues, splitting: Array) -> SparseSpace:
    """Return the space with the fewest rare heaps; ``splitting`` lists the amounts that may leave two heaps."""
    # The balance of a mask is the number of rare heaps minus the number of common heaps. With ``step`` 1, rare and
    # common are exchanged at every second heap, so these heaps count with the opposite sign. Leave out mask 0: it does
    # not separate the values.
    size = 2 << int(values.max(initial=0)).bit_length()
    shift = int(splitting[0]) & 1
    even, odd = (count_each(values, size, parity) for parity in (shift, 1 - shift))
    joined = np.all(splitting & 1 == shift)
    balances = [_transform(histogram)[1:] for histogram in (even + odd, *([even - odd] if joined else []))]
    step = int(np.argmin([balance.min() for balance in balances]))
    return SparseSpace(int(np.argmin(balances[step])) + 1, step, shift)


def count_each(values: HeapValues, size: int, parity: int | None = None) -> Array:
    """Return an array of length ``size``: entry v is the number of heaps with value v. All values are below ``size``.

    With ``parity`` 0 only even heaps count, with ``parity`` 1 only odd heaps.
    """
    counts = np.zeros(size, np.int64)
    for _, block in in_blocks(values):
        counts += np.bincount(block if parity is None else block[parity::2], minlength=size)
    return counts


def _transform(histogram: Array) -> Array:
    """Return for each mask: the number of heaps with an even bit count of v & mask, minus the number of other heaps.

    Here v is the value of a heap, and ``histogram[v]`` the number of heaps with value v. This is the Walsh-Hadamard
    transform; the length must be a power of two.
    """
    balance, half = histogram, 1
    while half < len(balance):
        pairs = balance.reshape(-1, 2, half)
        balance = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)
        half *= 2
    return balance


HEAPS_A_BLOCK = 64
"""The number of heaps in a block."""

MARKED_AT_ONCE = 4
"""The number of rare heaps for which all indices of marks are written before the first is read: this saves time."""

WINDOWS = 32
"""The maximum number of windows in a sweep. A window is 64 neighbouring splits; see :func:`_least`."""

MARKS_A_VALUE = 2
"""The first sweeps of :func:`_least` mark the values of at most this many splits for each value below the candidate.
Later sweeps look up values in a table."""

SEARCHED = 4
"""When at most this many values below the candidate have no mark, each is searched for among all splits."""

MARKS_ALONE = 8
"""Used in place of ``MARKS_A_VALUE`` if no sweep looks up values in a table: on processors that cannot look up many at
once, and for values of four bytes."""

_EVERY_SECOND = 0x5555_5555_5555_5555
"""A word with the bits 0, 2, 4, ... set."""


class RareHeaps(NamedTuple):
    """The splits of a game, a sparse space, and the rare heaps that are known so far.

    A value v is common at heap n if ``odd[v]`` (0 or 1) differs from the parity of ``space.step * (n + space.shift)``;
    otherwise it is rare.
    """

    splitting: Array
    """The amounts that may leave two heaps."""

    odd: Array
    """``odd[v]`` is 1 if the value v has an odd number of bits in the mask of the space, otherwise 0."""

    space: SparseSpace

    heaps: Array
    """The rare heaps so far, in increasing order and without heap 0, with room for more."""

    total: Array
    """The number of rare heaps so far, in an array of length 1."""


class Work(NamedTuple):
    """Work arrays for a block of heaps and for a single heap."""

    far: Array
    """[2 * i], [2 * i + 1]: for the i-th splitting amount, the first index of a range of rare heaps and the index after
    the last. If a heap of the block is split into one of these rare heaps and another heap, both are below the
    block."""

    marks: Array
    """[64 * value + heap of the block]: 1 (a mark) if a split of the heap is known to have the value."""

    indices: Array
    """Work memory for indices into ``marks``."""

    seen: Array
    """[value]: 1 (a mark) if some option of the current heap is known to have this value. Then 64 zeros, because
    the loops read several marks at once, and may read past the last value."""

    results: Array
    """Work memory for the values of splits, 64 at a time."""

    table: Array
    """1024 bits: bit i is set if the last ten bits of some value without a mark are i."""

    candidates: Array
    """[heap of the block]: the smallest of the common values that no split in :func:`_find_candidates` has."""

    @classmethod
    def of(cls, size: int, dtype: np.dtype[Any], splitting: Array) -> Work:
        """Return work arrays for values below ``size``; ``dtype`` is the type of the array that holds the values.

        ``splitting`` has the amounts that may leave two heaps.
        """
        return cls(
            far=np.zeros(2 * len(splitting), np.int64),
            marks=np.zeros(HEAPS_A_BLOCK * size, np.uint8),
            indices=np.zeros(HEAPS_A_BLOCK * MARKED_AT_ONCE, np.uint32),
            seen=np.zeros(max(size, 64) + 64, np.uint8),
            results=np.zeros(64 * (WINDOWS + 1), np.uint16 if size <= 1 << 16 else dtype),
            table=np.zeros(TABLE, np.uint64),
            candidates=np.zeros(HEAPS_A_BLOCK, np.int64),
        )


@compiled
def sparse_loop(values: Array, start: int, stop: int, moves: Moves, picks: bool, rare: RareHeaps, work: Work) -> int:
    """Fill ``values[start:stop]``; return ``stop``, or the first heap without a value if the arrays are too small.

    The loop adds new rare heaps to ``rare``. ``picks`` says whether to look up values in a table, which is fast only
    if :func:`picks_at_once` is true.
    """
    size, count = len(rare.odd), rare.total
    for first in range(start, stop, HEAPS_A_BLOCK):
        last = min(first + HEAPS_A_BLOCK, stop)
        if not _find_candidates(values, first, last, rare, work):
            return first
        for n in range(first, last):
            flip = rare.space.step & (n + rare.space.shift)
            candidate = _mark_common(values, n, moves, rare, flip, work, work.candidates[n - first])
            value = _least(values, n, moves, rare, picks, work, candidate)
            if value == size:
                return n
            values[n] = value
            if rare.odd[value] == flip and n > 0:
                rare.heaps[count[0]] = n
                count[0] += 1
    return stop


@inlined
def _mark_common(values: Array, n: int, moves: Moves, rare: RareHeaps, flip: int, work: Work, candidate: int) -> int:
    """Return the smallest of the common values that no option of heap n has; ``len(rare.odd)`` if there is none.

    ``candidate`` is the smallest of the common values that no split in :func:`_find_candidates` has. Mark in
    ``work.seen`` the values of the moves that do not split, and of all other splits with a rare part. If the candidate
    gets a mark, it is not the result; then mark the values of the splits in :func:`_find_candidates`, too. At the end,
    mark all common values below the result. A value v is common at heap n if ``rare.odd[v]`` differs from ``flip``.
    """
    splitting, seen, far, count = rare.splitting, work.seen, work.far, rare.total[0]
    for v in range(len(seen)):
        seen[v] = 0
    for i in range(len(moves.amounts)):
        mark_one_heap(values, n - moves.amounts[i], moves.leaves[i], 1, seen)
    for i in range(len(splitting)):
        _mark_rares(values, n - splitting[i], moves.unequal, rare, 0, far[2 * i], seen)
        _mark_rares(values, n - splitting[i], moves.unequal, rare, far[2 * i + 1], count, seen)
    if seen[candidate]:
        for amount in splitting:
            _mark_rares(values, n - amount, moves.unequal, rare, 0, count, seen)
        candidate += 1
        while candidate < len(rare.odd) and (seen[candidate] or rare.odd[candidate] == flip):
            candidate += 1
    # Each common value below the candidate is the value of some option: mark it. So the value of heap n is the
    # candidate, or a smaller rare value.
    for v in range(unsigned(candidate)):
        seen[v] |= rare.odd[v] ^ flip
    return candidate


@inlined
def _least(values: Array, n: int, moves: Moves, rare: RareHeaps, picks: bool, work: Work, candidate: int) -> int:
    """Return the value of heap n: the least value up to the candidate that has no mark and that no split has.

    The marks are in ``work.seen``. Sweeps add marks. Each sweep tries windows of 64 neighbouring splits. The windows
    lie far apart, because neighbouring splits have similar values. The first sweeps mark the values of all splits
    that they try; if the candidate is small, there are no such sweeps. Later sweeps, only if ``picks`` is true, look up
    each value in a table of the values without a mark, and mark it only if it is there. Finally, each value without a
    mark, the least first, is searched for among all splits. The first value that no split has is the result.
    """
    splitting, seen, results = rare.splitting, work.seen, work.results
    splits = 64 * min(candidate // 8 + 1, WINDOWS)
    strides = n // (2 * splits) + 1
    marks = (MARKS_A_VALUE if picks else MARKS_ALONE) * candidate // splits
    sweep = 0
    while sweep < strides * len(splitting) and (
        sweep < marks or (picks and _list_open(seen, candidate, work.table) > SEARCHED)
    ):
        # The sweeps take the amounts in turn. After a sweep for each amount, the windows start 64 heaps later.
        first = 64 * (sweep // len(splitting)) + 1
        rest, count = n - splitting[sweep % len(splitting)], 0
        end = splits_end(rest, moves.unequal)
        if sweep < marks:
            for begin in range(first, end - 63, max(64 * strides, 1)):  # max: LLVM must see that the step is not 0
                xor_backwards(values, unsigned(begin), unsigned(rest - begin), results, count)
                count += 64
        else:
            count = list_in_table(values, first, end, 64 * strides, rest, work.table, results)
        for i in range(count):
            seen[unsigned(results[i])] = 1
        sweep += 1
    value = first_unmarked(seen, 0)
    while value < candidate and is_left(values, n, moves, 1, value):
        value = first_unmarked(seen, value + 1)
    return min(value, candidate)


@inlined
def _list_open(seen: Array, bound: int, table: Array) -> int:
    """Return how many values v below ``bound`` have no mark (``seen[v]`` is 0), and note them in ``table``.

    Each such v sets bit v modulo 1024 of ``table``, which has 1024 bits. All other bits are cleared.
    """
    for i in range(TABLE):
        table[i] = 0
    count = 0
    for v in range(0, bound, 64):
        unmarked = unmarked_bits(seen, v) & (unsigned(ALL) >> unsigned(max(v + 64 - bound, 0)))
        table[v >> 6 & (TABLE - 1)] |= unmarked
        count += ones(unmarked)
    return count


@inlined
def _find_candidates(values: Array, first: int, last: int, rare: RareHeaps, work: Work) -> bool:
    """Set ``work.candidates`` for the heaps ``first`` to ``last - 1``; set ``work.far``, too.

    Try most splits into a rare heap and another heap, both below ``first``. All other splits with a rare heap are left
    to :func:`_mark_common`. The candidate of a heap is the smallest of the common values that no tried split of it has.
    Return False if a candidate is too large for the arrays.
    """
    _note_far(first, rare, work.far)
    _mark_block(values, first, last, rare, work)
    # Bit k of ``flips`` says which values v are common at heap first + k: those with ``rare.odd[v] == 1`` if the bit is
    # 0, those with ``rare.odd[v] == 0`` if it is 1. If the space has a step, every second bit is 1, otherwise none.
    flips = unsigned(0)
    if rare.space.step:
        flips = unsigned(_EVERY_SECOND) << unsigned((first + rare.space.shift + 1) & 1)
    # The heaps that have no candidate yet.
    left = unsigned(ALL) >> unsigned(HEAPS_A_BLOCK - (last - first))
    v = 0
    while left and v < len(rare.odd):
        unmarked = unmarked_bits(work.marks, HEAPS_A_BLOCK * v) & left
        unmarked &= (flips ^ unsigned(ALL)) if rare.odd[v] else flips
        left ^= unmarked
        while unmarked:
            work.candidates[int(trailing_zeros(unmarked))] = v
            unmarked &= unmarked - unsigned(1)
        v += 1
    return left == 0


@inlined
def _note_far(first: int, rare: RareHeaps, far: Array) -> None:
    """For the i-th splitting amount, write the start and the end of a range to ``far[2 * i]`` and ``far[2 * i + 1]``.

    The range has indices of rare heaps. Each of the 64 heaps from ``first`` on, less the amount, can be split into any
    rare heap of the range and a heap below ``first``. So these splits can be tried for all 64 heaps together.
    """
    for i in range(len(rare.splitting)):
        for side in range(2):
            # Side 0 is the start of the range: with this rare heap or a larger one, the second heap is below the block,
            # even if the move is from the last heap of the block. Side 1 is the index after the range: with a rare heap
            # before this index, the second heap is 1 or more, even if the move is from the first heap of the block.
            bound = first - rare.splitting[i] if side else HEAPS_A_BLOCK - rare.splitting[i]
            far[2 * i + side] = _rank(rare.heaps, rare.total[0], bound)
        far[2 * i + 1] = max(far[2 * i], far[2 * i + 1])


@inlined
def _rank(items: Array, count: int, bound: int) -> int:
    """Return how many of the first ``count`` items are below ``bound``; these items are in increasing order."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if items[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def _mark_rares(values: Array, rest: int, unequal: bool, rare: RareHeaps, begin: int, end: int, seen: Array) -> None:
    """Mark the values of the splits of a heap of size ``rest`` that have a part in ``rare.heaps[begin:end]``.

    If ``unequal``, the split into two equal heaps is left out. The marks are in ``seen``.
    """
    for j in range(begin, end):
        a = rare.heaps[j]
        if a >= rest:
            break
        if not (unequal and a + a == rest):
            seen[values[unsigned(a)] ^ values[unsigned(rest - a)]] = 1


@inlined
def _mark_block(values: Array, first: int, last: int, rare: RareHeaps, work: Work) -> None:
    """Mark in ``work.marks`` the values of most splits with a rare heap, for the heaps ``first`` to ``last - 1``.

    In these splits both parts are below ``first``. Other splits with a rare heap are left to :func:`_mark_common`.
    """
    splitting, far, marks, indices = rare.splitting, work.far, work.marks, work.indices
    for i in range(len(marks)):
        marks[i] = 0
    for s in range(len(splitting)):
        begin, end = far[2 * s], far[2 * s + 1]
        for j in range(begin if begin < end else 0):
            distance = splitting[s] + rare.heaps[j]
            start, mask = unsigned(first - distance), unsigned(values[rare.heaps[j]])
            for k in range(unsigned(min(last - first, distance))):
                marks[((mask ^ values[start + k]) << unsigned(6)) + k] = 1
        # First compute the indices of the marks for several rare heaps, 64 at a time by SIMD; then set the marks.
        for j in range(begin, end, MARKED_AT_ONCE):
            group = min(MARKED_AT_ONCE, end - j)
            for i in range(group):
                other = first - splitting[s] - rare.heaps[j + i]
                _write_indices(values, other, values[rare.heaps[j + i]], indices, HEAPS_A_BLOCK * i)
            for i in range(HEAPS_A_BLOCK * group):
                marks[unsigned(indices[i])] = 1


@inlined
def _write_indices(values: Array, other: int, value: int, indices: Array, start: int) -> None:
    """Set ``indices[start + k]``, for k = 0..63, to the index in ``work.marks`` of the mark for a split.

    The k-th heap of the block is split into a heap of value ``value`` and heap ``other + k``. If this split has the
    value v, the index is ``64 * v + k``.
    """
    first, mask = unsigned(other), unsigned(value)
    for k in range(unsigned(HEAPS_A_BLOCK)):
        indices[unsigned(start) + k] = (mask ^ values[first + k]) << unsigned(6) | k
