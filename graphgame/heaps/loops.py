"""The loops over heaps; each runs compiled by numba, or as plain Python on the same memory.

A game's moves are two arrays: ``amounts``, in increasing order, and ``leaves``, which says for each amount what one
may leave: bit k stands for k heaps. ``marks`` holds at v the number of the last heap (from 1) that has an option of
value v. Each loop fills ``values[start:stop]`` and returns the heap where it stopped: less than ``stop`` where
``marks`` is too short for the value of that heap. In ``sparse_loop`` each heap of a block has its row of marks, 0 or 1.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, unsigned

__all__ = ["HEAPS_A_BLOCK", "all_but_loop", "dense_loop", "many_loop", "sieve_loop", "sparse_loop"]

CHUNK = 128
"""Splits whose values are marked, and half of those so far, before the next look at what is left to find."""

FEW = 12
"""So many values left to find are looked for one by one; where they are more, marks are faster."""

HEAPS_A_BLOCK = 32
"""Heaps whose splits with a rare part are marked together, for the rare heaps' partners are then neighbours."""

WINDOW = 64
"""Splits compared with one value before the next look at whether it was found."""


@compiled
def dense_loop(values: Array, start: int, stop: int, amounts: Array, leaves: Array, unequal: bool, marks: Array) -> int:
    """Try every move that leaves at most two heaps."""
    for n in range(start, stop):
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            _mark_one_heap(values, rest, leaves[i], n + 1, marks)
            if leaves[i] & 4:
                for a in range(1, _splits_end(rest, unequal)):
                    marks[values[a] ^ values[rest - a]] = n + 1
        v = 0
        while v < len(marks) and marks[v] == n + 1:
            v += 1
        if v == len(marks):
            return n
        values[n] = v
    return stop


@compiled
def sieve_loop(won: Array, start: int, stop: int, amounts: Array) -> None:
    """Mark in ``won`` the heaps from which one takes an amount to leave a heap, 1 or more, that is not marked."""
    size = len(won)
    for n in range(start, stop):
        if not won[n]:
            for amount in amounts:
                if n + amount >= size:
                    break
                won[n + amount] = 1


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
) -> int:
    """Try the splits that have a rare part, and of the others only as many as the value depends on.

    A value v is common at heap n if ``odd[v]`` differs from the parity of ``step * (n + shift)``, else rare. Two
    common parts never leave a common value, so the least common value that no other option has bounds the mex.
    ``rares[:count[0]]`` are the rare heaps below ``start``, in increasing order, without heap 0. Where ``rares`` has
    no room, no value is common and all splits count.
    """
    size, width = len(odd), len(marks) // HEAPS_A_BLOCK
    for first in range(start, stop, HEAPS_A_BLOCK):
        last, known = min(first + HEAPS_A_BLOCK, stop), count[0]
        for i in range(len(marks)):
            marks[i] = 0
        for i in range(len(amounts)):
            if leaves[i] & 4:
                _mark_far(values, first, last, amounts[i], unequal, rares, rare_values, known, marks, width)
        for n in range(first, last):
            seen = marks[(n - first) * width : (n - first) * width + size]
            flip = step & (n + shift)
            for i in range(len(amounts)):
                _mark_one_heap(values, n - amounts[i], leaves[i], 1, seen)
                if leaves[i] & 4:
                    rest = n - amounts[i]
                    _mark_near(values, rest, rest - first, unequal, rares, rare_values, known, count[0], seen)
            value = _least_unseen(values, n, amounts, leaves, unequal, odd, flip, len(rares) > 0, seen)
            if value == size:
                return n
            values[n] = value
            if len(rares) and odd[value] == flip and n > 0:
                rares[count[0]] = n
                rare_values[count[0]] = value
                count[0] += 1
    return stop


@inlined
def _mark_far(
    values: Array,
    first: int,
    last: int,
    amount: int,
    unequal: bool,
    rares: Array,
    rare_values: Array,
    known: int,
    marks: Array,
    width: int,
) -> None:
    """Mark, for all heaps of a block at once, the splits into a rare heap and another one, both below the block."""
    for j in range(known):
        shift = amount + rares[j]
        value = unsigned(rare_values[j])
        # Equal parts come at one heap of the block at most: where they are not allowed, taking its mark back is cheaper
        # than a test in the loop.
        begin = max(first, shift + 1)
        end = max(min(last, shift + first), begin)
        equal = (shift + rares[j] - first) * width if unequal and begin <= shift + rares[j] < last else 0
        kept = marks[equal]
        row, step, other = unsigned((begin - first) * width), unsigned(width), unsigned(begin - shift)
        for i in range(other, unsigned(end - shift)):
            marks[row + (value ^ values[i])] = 1
            row += step
        if unequal and begin <= shift + rares[j] < last:
            marks[equal] = kept


@inlined
def _mark_near(
    values: Array,
    rest: int,
    near: int,
    unequal: bool,
    rares: Array,
    rare_values: Array,
    known: int,
    count: int,
    seen: Array,
) -> None:
    """Mark the splits with a rare part that have a part within the block; a rare part up to ``near`` leaves one."""
    j = 0
    while j < count:
        if j < known and rares[j] > near:  # the other part lies below the block: _mark_far has been there
            j = known
            continue
        a = rares[j]
        if a < rest and not (unequal and a + a == rest):
            seen[rare_values[j] ^ values[rest - a]] = 1
        j += 1


@inlined
def _least_unseen(
    values: Array,
    n: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    odd: Array,
    flip: int,
    sparse: bool,
    seen: Array,
) -> int:
    """Return the mex, where the options of common value are marked and those of rare value perhaps not yet.

    ``sparse`` tells that there are common values; the least that is not marked bounds the mex.
    """
    value, begin, many = _first_unmarked(seen, 0), 1, True
    bound = value
    while sparse and bound < len(seen) and (seen[bound] or odd[bound] == flip):
        bound += 1
    while value < len(seen) and odd[value] == flip:
        if sparse and many:
            many = _unmarked(seen, value, bound) > FEW
        if many:
            end = begin + CHUNK + begin // 2
            _mark_splits(values, n, amounts, leaves, unequal, begin, end, seen)
            begin = end
        # Taken from among the values it has their type: the narrower, the more of them are compared in one instruction.
        values[n] = value
        if not seen[value] and not _is_left(values, n, amounts, leaves, unequal, begin, values[n]):
            return value
        value = _first_unmarked(seen, value + 1)
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
            stop = max(begin, min(end, _splits_end(rest, unequal)))
            for a in range(unsigned(begin), unsigned(stop)):
                seen[values[a] ^ values[whole - a]] = 1


@inlined
def _splits_end(rest: int, unequal: bool) -> int:
    """Return one more than the largest smaller part of a heap that is split."""
    return (rest + 1) // 2 if unequal else rest // 2 + 1


@inlined
def _first_unmarked(seen: Array, value: int) -> int:
    while value < len(seen) and seen[value]:
        value += 1
    return value


@inlined
def _is_left(values: Array, n: int, amounts: Array, leaves: Array, unequal: bool, begin: int, value: int) -> bool:
    """Tell whether a split whose smaller part is ``begin`` or more leaves a value."""
    for a in range(begin, n // 2 + 1, WINDOW):
        for i in range(len(amounts)):
            if leaves[i] & 4:
                rest = n - amounts[i]
                end = _splits_end(rest, unequal)
                if a + WINDOW <= end:  # so that a count known to the compiler makes it fast
                    if _is_among(values, unsigned(a), unsigned(rest - a), unsigned(WINDOW), value):
                        return True
                elif a < end and _is_among(values, unsigned(a), unsigned(rest - a), unsigned(end - a), value):
                    return True
    return False


@inlined
def _is_among(values: Array, first: int, last: int, count: int, value: int) -> bool:
    """Tell whether an item from the first on and its partner from the last back have a nim-sum; many at once."""
    found = False  # not returned at once: a loop without a way out compares many items in one instruction
    for i in range(count):
        if values[first + i] ^ values[last - i] == value:
            found = True
    return found


@compiled
def many_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    distinct: bool,
    reached: Array,
    marks: Array,
) -> int:
    """Try every move, for games that leave three heaps or more.

    ``reached[((k - 2) * heaps + n) * size + v]`` tells whether n splits into k heaps of value v together, no two of
    them equal if ``distinct``.
    """
    size, heaps = len(marks), len(values)
    most = len(reached) // (size * heaps) + 1
    for n in range(start, stop):
        # Where no two parts may be equal, _add_part marks the splits once the value of the largest is known.
        for parts in range(2, 0 if distinct else most + 1):
            row = ((parts - 2) * heaps + n) * size
            _mark_parts(values, n, parts, n // parts, reached, size, 1, reached[row : row + size])
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            _mark_one_heap(values, rest, leaves[i], n + 1, marks)
            for parts in range(2, most + 1):
                if leaves[i] >> parts & 1 and unequal and not distinct:
                    _mark_parts(values, rest, parts, (rest - 1) // parts, reached, size, n + 1, marks)
                elif leaves[i] >> parts & 1:
                    row = ((parts - 2) * heaps + rest) * size
                    for v in range(size):
                        if reached[row + v]:
                            marks[v] = n + 1
        value = 0
        while value < size and marks[value] == n + 1:
            value += 1
        if value == size:
            return n
        values[n] = value
        if distinct:
            _add_part(values, n, most, reached, size)
    return stop


@inlined
def _add_part(values: Array, part: int, most: int, reached: Array, size: int) -> None:
    """Mark the splits into up to ``most`` heaps of which the largest is ``part``, those of more heaps first."""
    heaps = len(values)
    for parts in range(most, 2, -1):  # downwards, so that no split that has the part already gets it again
        for rest in range(1, min((parts - 1) * part, heaps - part)):
            row, whole = ((parts - 3) * heaps + rest) * size, ((parts - 2) * heaps + part + rest) * size
            for v in range(size):
                if reached[row + v]:
                    reached[whole + (v ^ values[part])] = 1
    for other in range(1, min(part, heaps - part)):
        reached[(part + other) * size + (values[other] ^ values[part])] = 1


@inlined
def _mark_one_heap(values: Array, rest: int, leave: int, mark: int, marks: Array) -> None:
    """Mark the moves that leave at most one heap."""
    if leave & 1 and rest == 0:
        marks[0] = mark
    if leave & 2 and rest > 0:
        marks[values[rest]] = mark


@inlined
def _mark_parts(
    values: Array, whole: int, parts: int, most: int, reached: Array, size: int, mark: int, marks: Array
) -> None:
    """Mark the splits of a heap into two or more with a part of 1 to ``most``."""
    for a in range(1, most + 1):
        if parts == 2:
            marks[values[a] ^ values[whole - a]] = mark
        else:
            row = ((parts - 3) * len(values) + whole - a) * size
            for v in range(size):
                if reached[row + v]:
                    marks[v ^ values[a]] = mark


@compiled
def all_but_loop(values: Array, start: int, stop: int, excluded: Array, counts: Array, seen: Array, used: int) -> int:
    """Find values when one may take any number but those excluded.

    A value below ``used``, the least that no heap has yet, is no option's if only excluded moves lead to it:
    ``counts`` says how many heaps have a value; ``seen`` (zeros) counts those that excluded moves lead to.
    """
    for n in range(start, stop):
        value = used
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            v = values[n - excluded[i]]
            seen[v] += 1
            if seen[v] == counts[v] and v < value:
                value = v
        # Taken back one by one, for few heaps are excluded and there are many values.
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            seen[values[n - excluded[i]]] = 0
        values[n] = value
        counts[value] += 1
        if value == used:
            used += 1
    return stop
