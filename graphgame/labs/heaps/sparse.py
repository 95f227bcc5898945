"""Sparse spaces, and the loop that finds values in one.

A sparse space divides all values into rare and common ones such that few heaps have a rare value. The values v for
which v & mask has an even number of bits are closed under xor, and the xor of two other values is one of them. So two
common heaps never make a common value. The Walsh-Hadamard transform of the histogram shows for all masks at once how
many heaps are rare. Where all splits take amounts of one parity, the parity of the heap may join in, with the same
effect.

The loop takes 64 heaps at a time: bit i of a word stands for the i-th of them. It first looks at them together, with
the splits whose parts both lie below the block. A candidate is the least common value that none of these splits leaves.
Some splits are marked; the first values without a mark are compared with the others, a few values of each heap at once.
Then each heap takes its other moves. Rare values that its moves may leave below the candidate are searched for in each
heap alone, in the same way.

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
from graphgame.compiled.instructions import ones, trailing_zeros, unsigned
from graphgame.labs.heaps.loops import first_unmarked, mark_one_heap, splits_end
from graphgame.labs.heaps.vectors import (
    AT_ONCE,
    append_listed,
    equal_bits,
    matched_bits,
    mirrored_matches,
    mirrored_xor,
    value_places,
)

if TYPE_CHECKING:
    from graphgame.labs.heaps.storage import HeapValues


_BLOCK = 1 << 16


class SparseSpace(NamedTuple):
    """Which values are rare: v at heap n where the bits of v & mask and of step & (n + shift) are even in number."""

    mask: int
    step: int
    shift: int

    def odd(self, size: int) -> Array:
        """Return for each value below a size whether v & mask has an odd number of bits."""
        bits = np.arange(size, dtype=np.uint32) & np.uint32(self.mask)
        for shift in (16, 8, 4, 2, 1):
            bits ^= bits >> np.uint32(shift)
        return (bits & np.uint32(1)).astype(np.uint8)

    def rares(self, values: HeapValues) -> Array:
        """Return the heaps of rare value."""
        odd = self.odd(int(values.max(initial=0)) + 1)
        found = [np.zeros(0, np.int32)]
        for start, values_there in in_blocks(values):
            block = odd[values_there]
            if self.step:
                block[start + self.shift + 1 & 1 :: 2] ^= 1
            found.append((np.flatnonzero(block == 0) + start).astype(np.int32))
        return np.concatenate(found)


def in_blocks(values: HeapValues) -> Iterator[tuple[int, Array]]:
    """Yield the values in blocks, of which each begins with an even heap, for numpy copies what it counts."""
    return ((start, values[start : start + _BLOCK]) for start in range(0, len(values), _BLOCK))


def choose_space(values: HeapValues, splitting: Array) -> SparseSpace:
    """Return the space with the fewest rare heaps; ``splitting`` are the amounts of the moves that split a heap."""
    size = 2 << int(values.max(initial=0)).bit_length()
    shift = int(splitting[0]) & 1
    even, odd = (count_each(values, size, parity) for parity in (shift, 1 - shift))
    joined = np.all(splitting & 1 == shift)
    balances = [_transform(histogram)[1:] for histogram in (even + odd, *([even - odd] if joined else []))]
    step = int(np.argmin([balance.min() for balance in balances]))
    return SparseSpace(int(np.argmin(balances[step])) + 1, step, shift)


def count_each(values: HeapValues, size: int, parity: int | None = None) -> Array:
    """Count each value below a size, of all heaps or of those of a parity."""
    counts = np.zeros(size, np.int64)
    for _, block in in_blocks(values):
        counts += np.bincount(block if parity is None else block[parity::2], minlength=size)
    return counts


def _transform(histogram: Array) -> Array:
    """Return for each mask the heaps with an even number of bits less those with an odd number."""
    balance, half = histogram, 1
    while half < len(balance):
        pairs = balance.reshape(-1, 2, half)
        balance = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)
        half *= 2
    return balance


HEAPS_A_BLOCK = 64
"""Heaps looked at together."""

STRETCH = 128
"""Rare heaps whose splits are marked, or compared with values before it is looked which are left."""

FIRST_MARKS = 4096
"""Splits with a rare heap that are marked for each heap, or somewhat more."""

LISTED = 128
"""Values without a mark that are listed for a heap, at most."""

MARKED_AT_ONCE = 4
"""Rare heaps whose splits are marked at once: what is just written is not read at once."""

ALL = 0xFFFF_FFFF_FFFF_FFFF
EVERY_OTHER = 0x5555_5555_5555_5555


@inlined
def _rank(items: Array, count: int, bound: int) -> int:
    """Return how many of the first items, which increase, are below a bound."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if items[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def _note_far(first: int, splitting: Array, rares: Array, known: int, far: Array) -> None:
    """Note for each amount which rare heaps may be parts of all heaps of a block such that the other is below it."""
    for i in range(len(splitting)):
        for side in range(2):
            bound = first - splitting[i] if side else HEAPS_A_BLOCK - splitting[i]
            far[2 * i + side] = _rank(rares, known, bound)
        far[2 * i + 1] = max(far[2 * i], far[2 * i + 1])


@inlined
def mark_rares(
    values: Array, rest: int, unequal: bool, rares: Array, rare_values: Array, begin: int, end: int, seen: Array
) -> None:
    """Mark the splits of a heap with one of some rare heaps."""
    for j in range(begin, end):
        a = rares[j]
        if a >= rest:
            break
        if not (unequal and a + a == rest):
            seen[rare_values[j] ^ values[unsigned(rest - a)]] = 1


@inlined
def next_common(seen: Array, odd: Array, flip: int, value: int) -> int:
    """Return the next common value that is not marked; the size where there is none."""
    value += 1
    while value < len(odd) and (seen[value] or odd[value] == flip):
        value += 1
    return value


@inlined
def find_candidates(
    values: Array,
    first: int,
    last: int,
    splitting: Array,
    odd: Array,
    step: int,
    shift: int,
    rares: Array,
    rare_values: Array,
    known: int,
    far: Array,
    marks: Array,
    places: Array,
    seen: Array,
    wanted: Array,
    until: Array,
    candidates: Array,
    listed: Array,
    counts: Array,
    taken: Array,
    words: Array,
) -> bool:
    """Find for each heap of a block the least common value that no split with both parts below the block leaves.

    False where one of them has none below the size, to which ``candidates`` are set.
    """
    _note_far(first, splitting, rares, known, far)
    every = _mark_first(values, first, last, splitting, rares, rare_values, far, marks, places)
    _list_unmarked(marks, first, last, odd, step, shift, LISTED if every > 1 else 1, listed, counts)
    if every > 1:
        _run_through(
            values,
            first,
            splitting,
            rares,
            rare_values,
            far,
            every,
            wanted,
            until,
            candidates,
            listed,
            counts,
            taken,
            words,
        )
    else:  # all splits are marked
        for i in range(last - first):
            if counts[i]:
                candidates[i] = listed[i * LISTED]
    for i in range(last - first):
        if candidates[i] == len(odd):  # so many listed values do not suffice
            for v in range(len(seen)):
                seen[v] = 0
            for s in range(len(splitting)):
                begin, end = far[2 * s], far[2 * s + 1]
                mark_rares(values, first + i - splitting[s], False, rares, rare_values, begin, end, seen)
            candidates[i] = next_common(seen, odd, step & (first + i + shift), -1)
        if candidates[i] == len(odd):
            return False
    return True


@inlined
def _mark_first(
    values: Array,
    first: int,
    last: int,
    splitting: Array,
    rares: Array,
    rare_values: Array,
    far: Array,
    marks: Array,
    places: Array,
) -> int:
    """Mark the splits of all heaps with one stretch of rare heaps in so many, 64 marks a value; return how many."""
    for i in range(len(marks)):
        marks[i] = 0
    total = 0
    for s in range(len(splitting)):
        begin, end = far[2 * s], far[2 * s + 1]
        total += end - begin
    every = total // FIRST_MARKS + 1
    for s in range(len(splitting)):
        begin, end = far[2 * s], far[2 * s + 1]
        if begin < end:
            for j in range(begin):
                less = splitting[s] + rares[j]
                _mark_split(values, first - less, min(last - first, less), rare_values[j], marks)
        for stretch in range(begin, end, every * STRETCH):
            for j in range(stretch, min(stretch + STRETCH, end), MARKED_AT_ONCE):
                these = min(MARKED_AT_ONCE, end - j)
                for i in range(these):
                    other = unsigned(first - splitting[s] - rares[j + i])
                    value_places(values, other, rare_values[j + i], places, HEAPS_A_BLOCK * i)
                for i in range(HEAPS_A_BLOCK * these):
                    marks[unsigned(places[i])] = 1
    return every


@inlined
def _mark_split(values: Array, other: int, heaps: int, value: int, marks: Array) -> None:
    """Mark of some heaps in a row the splits with a part of one value; of the first, ``other`` is the other part."""
    start, mask = unsigned(other), unsigned(value)
    for k in range(unsigned(heaps)):
        marks[((mask ^ values[start + k]) << unsigned(6)) + k] = 1


@inlined
def _list_unmarked(
    marks: Array, first: int, last: int, odd: Array, step: int, shift: int, most: int, listed: Array, counts: Array
) -> None:
    """List for each heap of a block the first common values that are not marked."""
    size = len(odd)
    none = marks[HEAPS_A_BLOCK * size :]
    for k in range(HEAPS_A_BLOCK):
        counts[k] = 0
    flips = unsigned(0)
    if step:
        flips = unsigned(EVERY_OTHER) << unsigned((first + shift + 1) & 1)
    few = unsigned(ALL) >> unsigned(HEAPS_A_BLOCK - (last - first))
    v = 0
    while few and v < size:
        found = equal_bits(marks, HEAPS_A_BLOCK * v, 0, none) & few
        found &= (flips ^ unsigned(ALL)) if odd[v] else flips
        while found:
            k = int(trailing_zeros(found))
            bit = found ^ (found & (found - unsigned(1)))
            found ^= bit
            listed[k * LISTED + counts[k]] = v
            counts[k] += 1
            if counts[k] == most:
                few ^= bit
        v += 1


@inlined
def _run_through(
    values: Array,
    first: int,
    splitting: Array,
    rares: Array,
    rare_values: Array,
    far: Array,
    every: int,
    wanted: Array,
    until: Array,
    candidates: Array,
    listed: Array,
    counts: Array,
    taken: Array,
    words: Array,
) -> None:
    """Compare listed values with the splits that are not marked, round and round; a hit brings the next value.

    The candidate of a heap is the least that has passed all; the size where so many values do not suffice.
    """
    found, active = words[:AT_ONCE], words[AT_ONCE:]
    total = 0
    for s in range(len(splitting)):
        begin, end = far[2 * s], far[2 * s + 1]
        stretches = (end - begin + STRETCH - 1) // STRETCH
        total += stretches - (stretches + every - 1) // every
    for k in range(HEAPS_A_BLOCK):
        taken[k] = 0
    for q in range(AT_ONCE):
        found[q] = active[q] = unsigned(ALL)
    _replace(total, wanted, until, candidates, listed, counts, taken, words)
    passed, soonest = 0, total
    if total == 0:
        _settle(0, 0, wanted, until, candidates, words)
    left = active[0] | active[1] | active[2] | active[3]
    while left:
        for s in range(len(splitting)):
            begin, end = far[2 * s], far[2 * s + 1]
            turn = 0
            for stretch in range(begin, end, STRETCH):
                if turn and left:
                    matched_bits(
                        values,
                        rares,
                        rare_values,
                        stretch,
                        min(stretch + STRETCH, end),
                        first - splitting[s],
                        wanted,
                        found,
                    )
                    passed += 1
                    _replace(passed + total, wanted, until, candidates, listed, counts, taken, words)
                    if passed >= soonest:
                        soonest = _settle(passed, passed + total, wanted, until, candidates, words)
                    left = active[0] | active[1] | active[2] | active[3]
                turn = turn + 1 if turn + 1 < every else 0


@inlined
def _replace(
    end: int,
    wanted: Array,
    until: Array,
    candidates: Array,
    listed: Array,
    counts: Array,
    taken: Array,
    words: Array,
) -> None:
    """Bring the next listed value, if it is below the candidate, for each that was found."""
    for q in range(AT_ONCE):
        hits = words[q] & words[AT_ONCE + q]
        while hits:
            k = int(trailing_zeros(hits))
            bit = hits ^ (hits & (hits - unsigned(1)))
            hits ^= bit
            place = k * LISTED + taken[k]
            if taken[k] < counts[k] and listed[place] < candidates[k]:
                wanted[q * HEAPS_A_BLOCK + k] = listed[place]
                until[q * HEAPS_A_BLOCK + k] = end
                taken[k] += 1
            else:
                words[AT_ONCE + q] ^= bit


@inlined
def _settle(passed: int, soonest: int, wanted: Array, until: Array, candidates: Array, words: Array) -> int:
    """Make values that passed all splits candidates and drop what is above; return when the next may have passed."""
    for q in range(AT_ONCE):
        for k in range(HEAPS_A_BLOCK):
            place = q * HEAPS_A_BLOCK + k
            if (words[AT_ONCE + q] >> unsigned(k)) & unsigned(1) and until[place] <= passed:
                candidates[k] = min(candidates[k], int(wanted[place]))
    for q in range(AT_ONCE):
        for k in range(HEAPS_A_BLOCK):
            place = q * HEAPS_A_BLOCK + k
            if (words[AT_ONCE + q] >> unsigned(k)) & unsigned(1):
                if wanted[place] >= candidates[k]:
                    words[AT_ONCE + q] ^= unsigned(1) << unsigned(k)
                else:
                    soonest = min(soonest, until[place])
    return soonest


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
