"""What common values heaps may have: 64 heaps of a block together, bit i of a word stands for the i-th of them.

Only splits whose parts both lie below the block are looked at. Some are marked; the first values without a mark are
compared with the others, a few values of each heap at once.
"""

from __future__ import annotations

from graphgame.compiled.compiling import Array, inlined
from graphgame.compiled.instructions import trailing_zeros, unsigned
from graphgame.labs.heaps.vectors import AT_ONCE, equal_bits, matched_bits, value_places

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
