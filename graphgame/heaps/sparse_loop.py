"""The loop that finds values in a sparse space, 64 heaps at a time: bit i of a word stands for the i-th of them.

The heaps of a block are first looked at together, with the splits whose parts both lie below the block: a candidate is
the least common value that none of them leaves. Then each heap takes its other moves, and what rare values its moves
leave below the candidate is searched for it alone.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, ones, trailing_zeros, unsigned
from graphgame.arrays.vectors import equal_bits
from graphgame.heaps.loops import first_unmarked, is_left, mark_one_heap, splits_end

__all__ = ["HEAPS_A_BLOCK", "sparse_loop"]

HEAPS_A_BLOCK = 64
"""Heaps looked at together."""

STRETCH = 128
"""Rare heaps whose splits are compared with the candidates before these are looked at."""

FIRST_MARKS = 4096
"""Rare heaps whose splits are marked before there are candidates."""

FEW = 3
"""So many candidates left to pass are found by marking all splits of their heaps."""

SEARCHED = 4
"""So many rare values left to find are looked for one by one; where they are more, marks are faster."""

CHUNK = 512
"""Splits whose values are marked, and half of those so far, before the next look at what is left to find."""

ALL = 0xFFFF_FFFF_FFFF_FFFF


@compiled
def sparse_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    odd: Array,
    step: int,
    shift: int,
    rares: Array,
    rare_values: Array,
    count: Array,
    marks: Array,
    candidates: Array,
    until: Array,
) -> int:
    """Find the values of the heaps from start on; return the first for whose value there is no mark, else stop.

    A value v is common at heap n if ``odd[v]`` differs from the parity of ``step * (n + shift)``, else rare. Two
    common parts never leave a common value. ``rares[:count[0]]`` are the rare heaps below ``start``, in increasing
    order, without heap 0. Where ``rares`` has no room, no value is common and all splits count.
    """
    size, width, sparse = len(odd), len(marks) // HEAPS_A_BLOCK, len(rares) > 0
    for first in range(start, stop, HEAPS_A_BLOCK):
        last = min(first + HEAPS_A_BLOCK, stop)
        known = count[0]
        _mark_first(values, first, last, amounts, leaves, rares, rare_values, known, marks, width)
        for i in range(HEAPS_A_BLOCK):
            candidates[i] = 0
        for i in range((last - first) * sparse):
            found = _next_common(marks, i * width, size, odd, step & (first + i + shift), -1)
            if found == size:
                return first
            candidates[i] = found
        if sparse and not _run_through(
            values, first, last, amounts, leaves, odd, step, shift, rares, rare_values, known, marks, candidates, until
        ):
            return first
        for n in range(first, last):
            seen = marks[(n - first) * width : (n - first) * width + size]
            flip = step & (n + shift)
            for v in range(unsigned(candidates[n - first])):
                seen[v] = odd[v] ^ flip
            value = _value(
                values,
                n,
                first,
                amounts,
                leaves,
                unequal,
                odd,
                flip,
                rares,
                rare_values,
                known,
                count[0],
                seen,
                candidates[n - first],
            )
            if value == size:
                return n
            values[n] = value
            if sparse and odd[value] == flip and n > 0:
                rares[count[0]] = n
                rare_values[count[0]] = value
                count[0] += 1
    return stop


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
def _mark_first(
    values: Array,
    first: int,
    last: int,
    amounts: Array,
    leaves: Array,
    rares: Array,
    rare_values: Array,
    known: int,
    marks: Array,
    width: int,
) -> None:
    """Mark for all heaps of a block the splits with one of the first rare heaps that lie beyond the block."""
    for i in range(len(marks)):
        marks[i] = 0
    for i in range(len(amounts)):
        if leaves[i] & 4:
            begin = _rank(rares, known, HEAPS_A_BLOCK - amounts[i])
            end = min(_rank(rares, known, first - amounts[i]), begin + FIRST_MARKS)
            for j in range(begin, end):
                value = unsigned(rare_values[j])
                row, other = unsigned(0), unsigned(first - amounts[i] - rares[j])
                for k in range(other, other + unsigned(last - first)):
                    marks[row + (value ^ values[k])] = 1
                    row += unsigned(width)


@inlined
def _next_common(marks: Array, row: int, size: int, odd: Array, flip: int, value: int) -> int:
    """Return the next common value that is not marked; the size where there is none."""
    value += 1
    while value < size and (marks[row + value] or odd[value] == flip):
        value += 1
    return value


@inlined
def _run_through(
    values: Array,
    first: int,
    last: int,
    amounts: Array,
    leaves: Array,
    odd: Array,
    step: int,
    shift: int,
    rares: Array,
    rare_values: Array,
    known: int,
    marks: Array,
    candidates: Array,
    until: Array,
) -> bool:
    """Compare the candidates with the splits, round and round, until each has passed all; a hit brings the next one.

    False where there is no next one.
    """
    size, width = len(odd), len(marks) // HEAPS_A_BLOCK
    total = 0
    for i in range(len(amounts)):
        if leaves[i] & 4:
            total += max(
                0, _rank(rares, known, first - amounts[i]) - max(0, _rank(rares, known, HEAPS_A_BLOCK - amounts[i]))
            )
    if total == 0:
        return True
    for i in range(HEAPS_A_BLOCK):
        until[i] = total
    pending = unsigned(ALL) >> unsigned(HEAPS_A_BLOCK - (last - first))
    passed, soonest = 0, total
    while ones(pending) > FEW:
        for i in range(len(amounts)):
            if leaves[i] & 4:
                begin = _rank(rares, known, HEAPS_A_BLOCK - amounts[i])
                end = _rank(rares, known, first - amounts[i])
                base = first - amounts[i]
                while begin < end and ones(pending) > FEW:
                    stretch = min(begin + STRETCH, end)
                    hits = unsigned(0)
                    for j in range(unsigned(begin), unsigned(stretch)):
                        hits |= equal_bits(values, unsigned(base - rares[j]), rare_values[j], candidates)
                    hits &= pending
                    passed += stretch - begin
                    begin = stretch
                    while hits:
                        k = int(trailing_zeros(hits))
                        hits &= hits - unsigned(1)
                        found = _next_common(
                            marks, k * width, size, odd, step & (first + k + shift), int(candidates[k])
                        )
                        if found == size:
                            return False
                        candidates[k] = found
                        until[k] = passed + total
                    if passed >= soonest:
                        soonest = passed + total
                        left = pending
                        while left:
                            bit = left ^ (left & (left - unsigned(1)))
                            k = int(trailing_zeros(left))
                            left ^= bit
                            if until[k] <= passed:
                                pending ^= bit
                            else:
                                soonest = min(soonest, until[k])
    while pending:
        k = int(trailing_zeros(pending))
        pending &= pending - unsigned(1)
        row = marks[k * width : k * width + size]
        for i in range(len(amounts)):
            if leaves[i] & 4:
                begin, end = _rank(rares, known, HEAPS_A_BLOCK - amounts[i]), _rank(rares, known, first - amounts[i])
                _mark_rares(values, first + k - amounts[i], False, rares, rare_values, begin, end, row)
        found = _next_common(marks, k * width, size, odd, step & (first + k + shift), int(candidates[k]) - 1)
        if found == size:
            return False
        candidates[k] = found
    return True


@inlined
def _value(
    values: Array,
    n: int,
    first: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    odd: Array,
    flip: int,
    rares: Array,
    rare_values: Array,
    known: int,
    count: int,
    seen: Array,
    candidate: int,
) -> int:
    """Return the value of a heap: all common values below its candidate are marked, and what rare ones are left."""
    for i in range(len(amounts)):
        rest = n - amounts[i]
        mark_one_heap(values, rest, leaves[i], 1, seen)
        if leaves[i] & 4:
            low = _rank(rares, count, HEAPS_A_BLOCK - amounts[i])
            high = max(low, _rank(rares, known, first - amounts[i]))
            _mark_rares(values, rest, unequal, rares, rare_values, 0, low, seen)
            _mark_rares(values, rest, unequal, rares, rare_values, high, count, seen)
    value, begin, many = first_unmarked(seen, 0), 1, True
    while value < len(seen):
        if odd[value] == flip:
            many = many and (len(rares) == 0 or _unmarked(seen, value, candidate) > SEARCHED)
            if many:
                end = begin + CHUNK + begin // 2
                _mark_splits(values, n, amounts, leaves, unequal, begin, end, seen)
                begin = end
            if not seen[value] and not is_left(values, n, amounts, leaves, unequal, begin, value):
                return value
        elif value == candidate:
            return value
        else:
            for i in range(len(amounts)):
                if leaves[i] & 4:
                    _mark_rares(values, n - amounts[i], unequal, rares, rare_values, 0, count, seen)
            candidate = _next_common(seen, 0, len(seen), odd, flip, value - 1)
            value -= 1
        value = first_unmarked(seen, value + 1)
    return value


@inlined
def _unmarked(seen: Array, value: int, bound: int) -> int:
    """Return how many values are not marked."""
    unmarked = 0
    for v in range(unsigned(value), unsigned(bound)):
        unmarked += not seen[v]
    return unmarked


@inlined
def _mark_splits(
    values: Array, n: int, amounts: Array, leaves: Array, unequal: bool, begin: int, end: int, seen: Array
) -> None:
    """Mark the splits whose smaller part is in begin..end-1."""
    for i in range(len(amounts)):
        if leaves[i] & 4:
            rest = n - amounts[i]
            whole = unsigned(max(rest, 0))
            stop = max(begin, min(end, splits_end(rest, unequal)))
            for a in range(unsigned(begin), unsigned(stop)):
                seen[values[a] ^ values[whole - a]] = 1


@inlined
def _mark_rares(
    values: Array, rest: int, unequal: bool, rares: Array, rare_values: Array, begin: int, end: int, seen: Array
) -> None:
    """Mark the splits of a heap with one of some rare heaps."""
    for j in range(begin, end):
        a = rares[j]
        if a >= rest:
            break
        if not (unequal and a + a == rest):
            seen[rare_values[j] ^ values[unsigned(rest - a)]] = 1
