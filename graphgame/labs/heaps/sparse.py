"""Sparse spaces, and the loop that computes values in one.

A sparse space divides all values into rare and common ones so that few heaps have a rare value. A value v is rare if
v & mask has an even number of bits. The xor of two rare values is rare, and so is the xor of two common values. So a
split into two common heaps never has a common value, and only splits with a rare part need to be tried for common
values. The Walsh-Hadamard transform of the histogram shows for all masks at once how many heaps are rare. If all splits
take amounts of the same parity, the parity of the heap may be used as well, with the same effect.

The loop takes blocks of 64 heaps; bit i of a word stands for the i-th heap of the block. It first treats these heaps
together, with the splits whose parts are both below the block. The candidate of a heap is the least common value that
none of these splits has. To find it, some splits are marked, and then the first values without a mark are compared
with the other splits, a few values of each heap at a time. Then each heap is completed alone: its remaining moves are
marked. Rare values below the candidate that no option has are searched for in the same way.

References
----------
A. Gangolli, T. Plambeck, A note on periodicity in some octal games, Int. J. Game Theory 18 (1989). J. P. Grossman,
Searching for periodicity in Officers, Games of No Chance 5 (2019).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import instruction, ones, trailing_zeros, unsigned, view_of
from graphgame.labs.heaps.loops import (
    ALL,
    TABLE,
    Moves,
    first_unmarked,
    list_in_table,
    mark_one_heap,
    splits_end,
    unmarked_bits,
    xor_backwards,
)

if TYPE_CHECKING:
    from graphgame.labs.heaps.storage import HeapValues


_BLOCK = 1 << 16
"""The number of values that numpy handles at a time."""


class SparseSpace(NamedTuple):
    """A sparse space. A value v is rare at heap n if v & mask and step & (n + shift) together have an even bit count.

    ``step`` is 1 if the parity of the heap is used, otherwise 0.
    """

    mask: int
    step: int
    shift: int

    def odd(self, size: int) -> Array:
        """Return an array with an entry for each value v below ``size``: 1 if v & mask has an odd number of bits."""
        bits = np.arange(size, dtype=np.uint32) & np.uint32(self.mask)
        # Fold the halves onto each other by xor: the last bit becomes the parity of all bits.
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
    """Yield pairs of the first heap of a block, an even number, and the values of the block.

    The blocks are small, because numpy copies them.
    """
    return ((start, values[start : start + _BLOCK]) for start in range(0, len(values), _BLOCK))


def choose_space(values: HeapValues, splitting: Array) -> SparseSpace:
    """Return the space with the fewest rare heaps; ``splitting`` lists the amounts of moves that split a heap."""
    # The balance of a mask is the number of rare heaps minus the number of common heaps. If the parity of the heap is
    # used, rare and common are exchanged for the heaps of one parity, so these count negatively. For mask 0 all heaps
    # are rare, so it is left out.
    size = 2 << int(values.max(initial=0)).bit_length()
    shift = int(splitting[0]) & 1
    even, odd = (count_each(values, size, parity) for parity in (shift, 1 - shift))
    joined = np.all(splitting & 1 == shift)
    balances = [_transform(histogram)[1:] for histogram in (even + odd, *([even - odd] if joined else []))]
    step = int(np.argmin([balance.min() for balance in balances]))
    return SparseSpace(int(np.argmin(balances[step])) + 1, step, shift)


def count_each(values: HeapValues, size: int, parity: int | None = None) -> Array:
    """Return how many heaps have each value below ``size``; with ``parity`` 0 or 1, only even or odd heaps count."""
    counts = np.zeros(size, np.int64)
    for _, block in in_blocks(values):
        counts += np.bincount(block if parity is None else block[parity::2], minlength=size)
    return counts


def _transform(histogram: Array) -> Array:
    """Return for each mask the number of heaps where v & mask has an even bit count, minus the number of all others.

    ``histogram[v]`` is the number of heaps with value v. This is the Walsh-Hadamard transform; the length must be a
    power of two.
    """
    balance, half = histogram, 1
    while half < len(balance):
        pairs = balance.reshape(-1, 2, half)
        balance = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)
        half *= 2
    return balance


HEAPS_A_BLOCK = 64
"""The number of heaps in a block."""

AT_ONCE = 4
"""The number of values of each heap that are compared with a split at the same time."""

STRETCH = 128
"""The number of rare heaps in a stretch. All of a stretch is marked, or compared before values are replaced."""

FIRST_MARKS = 4096
"""The approximate number of splits with a rare heap that are marked for each heap at first."""

LISTED = 128
"""The maximum number of values without a mark that are listed for a heap."""

MARKED_AT_ONCE = 4
"""The number of rare heaps whose splits are marked at once: a delay between writing and reading an index saves time."""

WINDOWS = 32
"""The maximum number of windows of 64 splits, far from each other, that are marked or looked up in one sweep."""

MARKS_A_VALUE = 2
"""Before splits are looked up, this many are marked for each value below the candidate."""

MARKS_ALONE = 8
"""The same as ``MARKS_A_VALUE`` for a processor that cannot look up many splits at once, so none are looked up."""

_EVERY_SECOND = 0x5555_5555_5555_5555
"""A word with every second bit set."""


class RareHeaps(NamedTuple):
    """The splits of a game, a sparse space, and the rare heaps that are known so far.

    A value v is common at heap n if ``odd[v]`` (0 or 1) differs from the parity of ``step * (n + shift)``; otherwise it
    is rare.
    """

    splitting: Array
    """The amounts that may leave two heaps."""

    odd: Array
    """``odd[v]`` is 1 if the value v has an odd number of bits in the mask of the space, otherwise 0."""

    step: int
    shift: int
    """As for :class:`SparseSpace`."""

    heaps: Array
    """The rare heaps so far, in increasing order and without heap 0, with room for more."""

    values: Array
    """The values of these heaps."""

    total: Array
    """The number of rare heaps so far, in an array of length 1."""


class Work(NamedTuple):
    """Work arrays for a block of heaps and for a single heap."""

    far: Array
    """Two numbers for each splitting amount: the range of rare heaps with which both parts are below the block."""

    marks: Array
    """[64 * value + heap of the block]: whether some split of the heap has the value."""

    indices: Array
    """Indices into ``marks``."""

    seen: Array
    """The marks of one heap, and 64 zeros."""

    results: Array
    """Work memory for the values of splits, 64 at a time."""

    table: Array
    """Bits of the values without a mark."""

    wanted: Array
    """[q, heap of the block]: the q-th value of the heap that is being compared with splits."""

    until: Array
    """[q, heap of the block]: the number of stretches after which this value has been compared with all splits."""

    candidates: Array
    """[heap of the block]: the least common value that has been compared with all splits and that none has."""

    listed: Array
    """[heap of the block]: up to ``LISTED`` common values without a mark."""

    counts: Array
    """[heap of the block]: the number of values in its list."""

    taken: Array
    """[heap of the block]: the number of listed values that have been taken for comparison."""

    hits: Array
    """[q]: a word of bits, set for the heaps with a split that has their q-th value."""

    active: Array
    """[q]: a word of bits, set for the heaps whose q-th value is still being compared."""

    @classmethod
    def of(cls, size: int, dtype: np.dtype[Any], splitting: Array) -> Work:
        """Return work arrays for values below ``size`` of type ``dtype``."""
        return cls(
            far=np.zeros(2 * len(splitting), np.int64),
            marks=np.zeros(HEAPS_A_BLOCK * size, np.uint8),
            indices=np.zeros(HEAPS_A_BLOCK * MARKED_AT_ONCE, np.uint32),
            seen=np.zeros(max(size, 64) + 64, np.uint8),
            results=np.zeros(64 * (WINDOWS + 1), np.uint16 if size <= 1 << 16 else dtype),
            table=np.zeros(TABLE, np.uint64),
            wanted=np.zeros(AT_ONCE * HEAPS_A_BLOCK, dtype),
            until=np.zeros(AT_ONCE * HEAPS_A_BLOCK, np.int64),
            candidates=np.zeros(HEAPS_A_BLOCK, np.int64),
            listed=np.zeros(HEAPS_A_BLOCK * LISTED, np.int64),
            counts=np.zeros(HEAPS_A_BLOCK, np.int64),
            taken=np.zeros(HEAPS_A_BLOCK, np.int64),
            hits=np.zeros(AT_ONCE, np.uint64),
            active=np.zeros(AT_ONCE, np.uint64),
        )


@compiled
def sparse_loop(values: Array, start: int, stop: int, moves: Moves, picks: bool, rare: RareHeaps, work: Work) -> int:
    """Fill ``values[start:stop]``; return ``stop``, or the first heap without a value if a value is too large.

    New rare heaps are added to ``rare``. ``picks`` says whether the processor looks up many items in a table at once
    (:func:`picks_at_once`).
    """
    size, count = len(rare.odd), rare.total
    for first in range(start, stop, HEAPS_A_BLOCK):
        last = min(first + HEAPS_A_BLOCK, stop)
        for i in range(HEAPS_A_BLOCK):
            work.candidates[i] = size
        if not _find_candidates(values, first, last, rare, work):
            return first
        for n in range(first, last):
            flip = rare.step & (n + rare.shift)
            candidate = _mark_common(values, n, moves, rare, flip, work, work.candidates[n - first])
            value = _least(values, n, moves.unequal, rare, picks, work, candidate)
            if value == size:
                return n
            values[n] = value
            if rare.odd[value] == flip and n > 0:
                rare.heaps[count[0]] = n
                rare.values[count[0]] = value
                count[0] += 1
    return stop


@inlined
def _mark_common(values: Array, n: int, moves: Moves, rare: RareHeaps, flip: int, work: Work, candidate: int) -> int:
    """Mark in ``work.seen`` the options of heap n that were not tried for all heaps of the block together.

    Also mark all common values below the candidate, and return the candidate. If one of these options has the candidate
    as its value, mark the values of all splits with a rare part, and return the next common value without a mark
    instead. A value v is common at heap n if ``rare.odd[v]`` differs from ``flip``.
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
        candidate = _next_common(seen, rare.odd, flip, candidate)
    # The candidate is the least common value that no option has, so all common values below it are options' values.
    # Only rare values below it remain to be searched for.
    for v in range(unsigned(candidate)):
        seen[v] |= rare.odd[v] ^ flip
    return candidate


@inlined
def _least(values: Array, n: int, unequal: bool, rare: RareHeaps, picks: bool, work: Work, candidate: int) -> int:
    """Return the value of heap n: the least value up to the candidate that is not marked and that no split has.

    Marks are in ``work.seen``. A sweep tries windows of 64 neighbouring splits from all over the heap, because
    neighbouring splits have similar values. The first sweeps mark the values of all their splits. If ``picks``, the
    next sweeps only look up splits in a table of the values without a mark. When few values have no mark, they are
    compared with all remaining splits. If ``unequal``, the split into two equal heaps does not count.
    """
    splitting, seen, results, wanted, until = rare.splitting, work.seen, work.results, work.wanted, work.until
    size = len(rare.odd)
    splits = 64 * min(candidate // 8 + 1, WINDOWS)
    strides = n // (2 * splits) + 1
    sweeps = strides * len(splitting)
    marks = (MARKS_A_VALUE if picks else MARKS_ALONE) * candidate // splits
    swept, turn, first = 0, 0, 1
    while swept < sweeps and (swept < marks or (picks and _list_open(seen, candidate, work.table) > AT_ONCE)):
        rest, count = n - splitting[turn], 0
        end = splits_end(rest, unequal)
        if first + 64 > 64 * strides:
            _mark_end(values, rest, end, seen)
        if swept < marks:
            for begin in range(first, end - 63, max(64 * strides, 1)):  # max: LLVM must see that the step is not 0
                xor_backwards(values, unsigned(begin), unsigned(rest - begin), results, count)
                count += 64
        else:
            count = list_in_table(values, first, end, 64 * strides, rest, work.table, results)
        for i in range(count):
            seen[unsigned(results[i])] = 1
        swept += 1
        turn, first = _next_sweep(turn, first, splitting)
    # Compare four values at a time with the remaining ``total`` sweeps, over and over. A value has passed if no split
    # of ``total`` sweeps in a row has it, no matter with which sweep the comparison began. If a split has the value (a
    # hit), the next value without a mark replaces it. The values are tried[0] to tried[3]; wanted[q] is tried[q]
    # without its highest bits if it is too large for the array.
    value, passed, total, start = -1, 0, sweeps - swept, (turn, first)
    tried, hits = until[AT_ONCE:], work.hits
    for q in range(AT_ONCE):
        hits[q] = 1
    while True:
        for q in range(AT_ONCE):
            if hits[q]:
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
        _search_splits(values, first, splits_end(rest, unequal) - 63, 64 * strides, rest, wanted, hits)
        if first + 64 > 64 * strides:
            _mark_end(values, rest, splits_end(rest, unequal), seen)
            for q in range(AT_ONCE):
                hits[q] |= seen[wanted[q]]
        passed += 1
        turn, first = _next_sweep(turn, first, splitting)
        if first > 64 * strides:
            turn, first = start


@inlined
def _search_splits(values: Array, begin: int, end: int, step: int, whole: int, wanted: Array, hits: Array) -> None:
    """Set ``hits[q]`` to whether some split of ``whole`` has the value ``wanted[q]``, for q from 0 to 3.

    The smaller parts of these splits are windows of 64 numbers that start at ``range(begin, end, step)``.
    """
    w0, w1, w2, w3 = wanted[0], wanted[1], wanted[2], wanted[3]
    hit0 = hit1 = hit2 = hit3 = False
    for a in range(begin, end, max(step, 1)):  # max: LLVM must see that the step is not 0
        first, last = unsigned(a), unsigned(whole - a)
        for i in range(unsigned(64)):  # no early exit, so that LLVM vectorizes the loop
            left = values[first + i] ^ values[last - i]
            hit0 |= left == w0
            hit1 |= left == w1
            hit2 |= left == w2
            hit3 |= left == w3
    hits[0], hits[1], hits[2], hits[3] = hit0, hit1, hit2, hit3


@inlined
def _mark_end(values: Array, whole: int, end: int, seen: Array) -> None:
    """Mark in ``seen`` the values of the last splits of ``whole``: at most 63, too few to fill a window.

    Their smaller parts are the last numbers below ``end``.
    """
    for a in range(unsigned(64 * (max(end - 1, 0) // 64) + 1), unsigned(max(end, 1))):
        seen[values[a] ^ values[unsigned(whole) - a]] = 1


@inlined
def _list_open(seen: Array, bound: int, table: Array) -> int:
    """Fill ``table`` with the values below a bound that are not marked, by their last ten bits; return their number.

    ``seen[v]`` is 1 if the value v is marked.
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
def _next_sweep(turn: int, first: int, splitting: Array) -> tuple[int, int]:
    """Return the index in ``splitting`` of the next number to take, and the start of the first window of its sweep.

    The numbers take turns; after the last number, the windows of the next sweep start 64 numbers later.
    """
    return (turn + 1, first) if turn + 1 < len(splitting) else (0, first + 64)


@inlined
def _find_candidates(values: Array, first: int, last: int, rare: RareHeaps, work: Work) -> bool:
    """Set ``work.candidates``: for each heap the least common value that no split with both parts below the block has.

    Return False if some heap has no candidate among the values that the arrays have room for. Before the call, all
    candidates must be set to the number of these values. The block has the heaps from ``first`` to ``last - 1``.
    """
    candidates, splitting, far, seen, size = work.candidates, rare.splitting, work.far, work.seen, len(rare.odd)
    _note_far(first, rare, far)
    every = _mark_first(values, first, last, rare, work)
    _list_unmarked(first, last, rare, LISTED if every > 1 else 1, work)
    if every > 1:
        _run_through(values, first, rare, every, work)
    else:  # all splits are marked: the first listed value is the candidate
        for i in range(last - first):
            if work.counts[i]:
                candidates[i] = work.listed[i * LISTED]
    for i in range(last - first):
        if candidates[i] == size:  # none of the listed values passed: mark all splits of this heap
            for v in range(len(seen)):
                seen[v] = 0
            for s in range(len(splitting)):
                _mark_rares(values, first + i - splitting[s], False, rare, far[2 * s], far[2 * s + 1], seen)
            candidates[i] = _next_common(seen, rare.odd, rare.step & (first + i + rare.shift), -1)
        if candidates[i] == size:
            return False
    return True


@inlined
def _note_far(first: int, rare: RareHeaps, far: Array) -> None:
    """Set ``far[2 * i : 2 * i + 2]`` to a range of indices of rare heaps, for the i-th number taken before a split.

    If one of these rare heaps is a part of a split of any of the 64 heaps from ``first`` on, both parts are below
    ``first``: so it is tried for all 64 heaps together.
    """
    for i in range(len(rare.splitting)):
        for side in range(2):
            # From the lower end of the range on, the other part is below the block even for the last heap of the block.
            # Up to the upper end, the other part is not negative even for the first heap of the block.
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
    """Mark the values of the splits of ``rest`` with one of the rare heaps ``rare.heaps[begin:end]`` as a part.

    If ``unequal``, the split into two equal heaps is left out. The marks are in ``seen``.
    """
    for j in range(begin, end):
        a = rare.heaps[j]
        if a >= rest:
            break
        if not (unequal and a + a == rest):
            seen[rare.values[j] ^ values[unsigned(rest - a)]] = 1


@inlined
def _next_common(seen: Array, odd: Array, flip: int, value: int) -> int:
    """Return the next common value after ``value`` that is not marked, or the number of values if there is none.

    A value v is common if ``odd[v]`` differs from ``flip``. ``seen`` has the marks.
    """
    value += 1
    while value < len(odd) and (seen[value] or odd[value] == flip):
        value += 1
    return value


@inlined
def _mark_first(values: Array, first: int, last: int, rare: RareHeaps, work: Work) -> int:
    """Mark in ``work.marks`` the values of splits of a block's heaps with every k-th stretch of rare heaps; return k.

    A stretch is ``STRETCH`` consecutive rare heaps. k is chosen so that about ``FIRST_MARKS`` splits of each heap are
    marked; 1 means that all splits are marked.
    """
    splitting, far, marks, indices = rare.splitting, work.far, work.marks, work.indices
    for i in range(len(marks)):
        marks[i] = 0
    splits = 0
    for s in range(len(splitting)):
        splits += far[2 * s + 1] - far[2 * s]
    every = splits // FIRST_MARKS + 1
    for s in range(len(splitting)):
        begin, end = far[2 * s], far[2 * s + 1]
        if begin < end:
            for j in range(begin):
                distance = splitting[s] + rare.heaps[j]
                _mark_split(values, first - distance, min(last - first, distance), rare.values[j], marks)
        # max: LLVM must see that the step is not 0. A range with step 0 would raise, and the loops cannot raise.
        for stretch in range(begin, end, max(every * STRETCH, 1)):
            # First compute the indices of the marks for several rare heaps, 64 at a time by SIMD; then set the marks.
            for j in range(stretch, min(stretch + STRETCH, end), MARKED_AT_ONCE):
                group = min(MARKED_AT_ONCE, min(stretch + STRETCH, end) - j)
                for i in range(group):
                    other = first - splitting[s] - rare.heaps[j + i]
                    _write_indices(values, other, rare.values[j + i], indices, HEAPS_A_BLOCK * i)
                for i in range(HEAPS_A_BLOCK * group):
                    marks[unsigned(indices[i])] = 1
    return every


@inlined
def _write_indices(values: Array, other: int, value: int, indices: Array, start: int) -> None:
    """Write the indices of 64 marks, from ``indices[start]`` on, for k = 0 to 63.

    The k-th mark is for the split of heap k of the block into a heap of value ``value`` and heap ``other + k``.
    """
    first, mask = unsigned(other), unsigned(value)
    for k in range(unsigned(HEAPS_A_BLOCK)):
        indices[unsigned(start) + k] = (mask ^ values[first + k]) << unsigned(6) | k


@inlined
def _mark_split(values: Array, other: int, heaps: int, value: int, marks: Array) -> None:
    """Mark the value of a split of heap k of the block, for each k < ``heaps``.

    The parts are a heap of value ``value``, and heap ``other + k``.
    """
    start, mask = unsigned(other), unsigned(value)
    for k in range(unsigned(heaps)):
        marks[((mask ^ values[start + k]) << unsigned(6)) + k] = 1


@inlined
def _list_unmarked(first: int, last: int, rare: RareHeaps, most: int, work: Work) -> None:
    """List in ``work.listed``, for each heap of a block, the first ``most`` common values without a mark."""
    counts, listed, size = work.counts, work.listed, len(rare.odd)
    for k in range(HEAPS_A_BLOCK):
        counts[k] = 0
    # The heaps at which a value with an even number of bits is common: every second heap of the block, or none.
    flips = unsigned(0)
    if rare.step:
        flips = unsigned(_EVERY_SECOND) << unsigned((first + rare.shift + 1) & 1)
    # The heaps whose list is not full yet.
    open_heaps = unsigned(ALL) >> unsigned(HEAPS_A_BLOCK - (last - first))
    v = 0
    while open_heaps and v < size:
        unmarked = unmarked_bits(work.marks, HEAPS_A_BLOCK * v) & open_heaps
        unmarked &= (flips ^ unsigned(ALL)) if rare.odd[v] else flips
        while unmarked:
            k = int(trailing_zeros(unmarked))
            bit = unmarked ^ (unmarked & (unmarked - unsigned(1)))  # the lowest bit that is set
            unmarked ^= bit
            listed[k * LISTED + counts[k]] = v
            counts[k] += 1
            if counts[k] == most:
                open_heaps ^= bit
        v += 1


@inlined
def _run_through(values: Array, first: int, rare: RareHeaps, every: int, work: Work) -> None:
    """Compare listed values with the splits that are not marked, until all candidates are known.

    The stretches of rare heaps are tried again and again, in a cycle. Each ``every``-th stretch is left out, because
    its splits are marked already. If a split has the value, the next listed value of the heap replaces the value.
    The candidate of a heap is the least value that was compared with all splits and that no split has. If there is no
    such value, the candidate stays unset.
    """
    active = work.active
    total = 0
    for s in range(len(rare.splitting)):
        stretches = (work.far[2 * s + 1] - work.far[2 * s] + STRETCH - 1) // STRETCH
        total += stretches - (stretches + every - 1) // every
    for k in range(HEAPS_A_BLOCK):
        work.taken[k] = 0
    for q in range(AT_ONCE):
        work.hits[q] = active[q] = unsigned(ALL)
    _replace(total, work)
    passed, soonest = 0, total
    if total == 0:
        _settle(0, 0, work)
    left = active[0] | active[1] | active[2] | active[3]
    while left:
        for s in range(len(rare.splitting)):
            end, turn = work.far[2 * s + 1], 0
            for stretch in range(work.far[2 * s], end, STRETCH):
                if turn and left:
                    stop, base = min(stretch + STRETCH, end), first - rare.splitting[s]
                    matched_bits(values, rare.heaps, rare.values, (stretch, stop, base), work.wanted, work.hits)
                    passed += 1
                    _replace(passed + total, work)
                    if passed >= soonest:
                        soonest = _settle(passed, passed + total, work)
                    left = active[0] | active[1] | active[2] | active[3]
                turn = turn + 1 if turn + 1 < every else 0


@inlined
def _replace(end: int, work: Work) -> None:
    """Replace each value that a split has (a hit) by the next listed value of its heap, if below the candidate.

    The new value becomes a candidate if no split has it until ``end`` stretches have been tried. If there is no new
    value, the entry becomes inactive.
    """
    taken, active = work.taken, work.active
    for q in range(AT_ONCE):
        hits = work.hits[q] & active[q]
        while hits:
            k = int(trailing_zeros(hits))
            bit = hits ^ (hits & (hits - unsigned(1)))
            hits ^= bit
            index = k * LISTED + taken[k]
            if taken[k] < work.counts[k] and work.listed[index] < work.candidates[k]:
                work.wanted[q * HEAPS_A_BLOCK + k] = work.listed[index]
                work.until[q * HEAPS_A_BLOCK + k] = end
                taken[k] += 1
            else:
                active[q] ^= bit


@inlined
def _settle(passed: int, soonest: int, work: Work) -> int:
    """Turn values that were compared with all splits into candidates, and drop all values from a candidate on.

    ``passed`` is the number of stretches tried so far. Return the number of stretches after which the next value will
    have been compared with all splits; at most ``soonest``.
    """
    wanted, until, candidates, active = work.wanted, work.until, work.candidates, work.active
    for q in range(AT_ONCE):
        for k in range(HEAPS_A_BLOCK):
            index = q * HEAPS_A_BLOCK + k
            if (active[q] >> unsigned(k)) & unsigned(1) and until[index] <= passed:
                candidates[k] = min(candidates[k], int(wanted[index]))
    for q in range(AT_ONCE):
        for k in range(HEAPS_A_BLOCK):
            index = q * HEAPS_A_BLOCK + k
            if (active[q] >> unsigned(k)) & unsigned(1):
                if wanted[index] >= candidates[k]:
                    active[q] ^= unsigned(1) << unsigned(k)
                else:
                    soonest = min(soonest, until[index])
    return soonest


def _matched_bits(
    _: object,
    items: Any,  # noqa: ANN401
    parts: Any,  # noqa: ANN401
    masks: Any,  # noqa: ANN401
    span: Any,  # noqa: ANN401
    wanted: Any,  # noqa: ANN401
    results: Any,  # noqa: ANN401
) -> tuple[object, Callable[..., object]]:
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    width = items.dtype.bitwidth
    many, lanes = ir.VectorType(ir.IntType(width), 64), ir.VectorType(ir.IntType(32), 64)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        def data(k: int, array: Any) -> Any:  # noqa: ANN401
            return view_of(context, builder, array, arguments[k]).data

        def load(array: Any, index: Any) -> Any:  # noqa: ANN401
            pointer = builder.bitcast(builder.gep(array, [index]), many.as_pointer())
            return builder.load(pointer, align=width // 8)

        start, stop, offset = (
            context.cast(builder, builder.extract_value(arguments[3], k), span[k], types.intp) for k in range(3)
        )
        sets = [load(data(4, wanted), ir.Constant(start.type, 64 * i)) for i in range(AT_ONCE)]
        # The minimum, over all parts, of the xor of a wanted item and the value of the split with the part. It is 0
        # exactly if some split has the item as its value. A minimum stays in registers over the loop and needs no
        # branch.
        least = [cgutils.alloca_once_value(builder, ir.Constant(many, [-1] * 64)) for _ in sets]
        with cgutils.for_range(builder, builder.sub(stop, start)) as loop:
            j = builder.add(start, loop.index)
            part = builder.sext(builder.load(builder.gep(data(1, parts), [j])), start.type)
            mask = builder.load(builder.gep(data(2, masks), [j]))
            one = builder.insert_element(ir.Constant(many, ir.Undefined), mask, ir.IntType(32)(0))
            repeated = builder.shuffle_vector(one, one, ir.Constant(lanes, [0] * 64))
            left = builder.xor(load(data(0, items), builder.sub(offset, part)), repeated)
            for minimum, wanted_items in zip(least, sets, strict=True):
                before, more = builder.load(minimum), builder.xor(left, wanted_items)
                builder.store(builder.select(builder.icmp_unsigned("<", more, before), more, before), minimum)
        for i, minimum in enumerate(least):
            same = builder.icmp_unsigned("==", builder.load(minimum), ir.Constant(many, [0] * 64))
            builder.store(builder.bitcast(same, ir.IntType(64)), builder.gep(data(5, results), [ir.IntType(64)(i)]))
        return context.get_dummy_value()

    return types.void(items, parts, masks, span, wanted, results), generate


@instruction(_matched_bits)
def matched_bits(
    items: np.ndarray,
    parts: np.ndarray,
    masks: np.ndarray,
    span: tuple[int, int, int],
    wanted: np.ndarray,
    results: np.ndarray,
) -> None:
    """Set bit i of ``results[q]`` if ``items[base - parts[j] + i] ^ masks[j] == wanted[64 * q + i]`` for some j.

    ``span`` is (begin, end, base), and j runs from begin to end - 1; q is 0 to 3, and i is 0 to 63. Each q compares the
    same items with other wanted values. With a plain loop, whose data do not stay in registers, the heaps up to 300,000
    of the game 0.007 took 3.1 s instead of 1.3 s.
    """
    begin, end, base = span
    array, sets = np.asarray(items), np.asarray(wanted).reshape(AT_ONCE, 64)
    hits = np.zeros((AT_ONCE, 64), bool)
    for part, mask in zip(parts[begin:end], masks[begin:end], strict=True):
        hits |= array[base - part : base - part + 64] ^ mask == sets
    np.asarray(results)[:AT_ONCE] = np.packbits(hits, axis=1, bitorder="little").view(np.uint64)[:, 0]
