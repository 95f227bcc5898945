"""The nimber search by proof numbers, as compiled loops over numbered positions.

What a search by proof numbers knows of positions, in arrays that grow, as parts of compiled loops.

A position is a row of numbers; its options are sums of positions in one long row, each as how many parts it has and
then their numbers in order. Positions are told apart by their texts, bytes that end in ``!``.

Of a couple that is not decided yet a table has the numbers of :mod:`graphgame.labs.search.proof_numbers`; of one that
is, the fact about the position tells. A question on the stack is a couple, or a sum beside a heap of which several
values are not known.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.labs.bitboards.wide import scattered

ROW, TALLIES = 5, 7
"""Numbers of a position, and of the state of a search."""

FACT, WEIGHT, BEGIN, COUNT, TEXT = range(5)
"""What is known of a position, its weight, where its options begin, or -1, how many they are, where its text begins."""

POSITIONS, TEXTS, OPTIONS, NUMBERS, DEPTH, OPEN, RESULT = range(7)
"""The state: how much of each array is used, the depth of the stack, the position to open, and the last answer."""

UNDECIDED = -1
"""The fact about a position of which nothing is known."""

_END, _NEW_LINE = 33, 10


class Met(NamedTuple):
    """The positions that were met, by their texts."""

    texts: Array
    """The texts, one after another."""

    positions: Array
    """What is known of each position."""

    slots: Array
    """Where a position is found by its text: one more than its number, or 0 where none is."""

    state: Array
    """How much of each array is used."""


@compiled
def take_in_loop(lines: Array, weights: Array, met: Met, seen: Array, options: Array, position: int) -> int:
    """Write sums down, a line each, with numbers for their parts, and equal ones once; return where.

    They are the options of a position, unless its number is below 0.
    """
    at = first = met.state[OPTIONS]
    found = count = part = start = 0
    for slot in range(len(seen)):
        seen[slot] = -1
    for place in range(len(lines)):
        code = lines[place]
        if code == _END:
            if place > start:
                number = _numbered(lines, start, weights[part], met)
                count = _put(options, at + 1, count, number)
            part += 1
            start = place + 1
        elif code == _NEW_LINE:
            start = place + 1
            options[at] = count
            if _is_new(options, seen, at):
                at += count + 1
                found += 1
            count = 0
    met.state[OPTIONS] = at
    if position >= 0:
        met.positions[position, COUNT] = found
        met.positions[position, BEGIN] = first
    return int(first)


@inlined
def _put(options: Array, begin: int, count: int, number: int) -> int:
    """Put a part in its place among those of a sum, where two equal ones cancel; return how many there are."""
    place = begin + count
    while place > begin and options[place - 1] > number:
        place -= 1
    if place > begin and options[place - 1] == number:
        for each in range(place, begin + count):
            options[each - 1] = options[each]
        return count - 1
    for each in range(begin + count, place, -1):
        options[each] = options[each - 1]
    options[place] = number
    return count + 1


@inlined
def _is_new(options: Array, seen: Array, at: int) -> bool:
    """Tell whether a sum is none of those that were seen, and see it."""
    key = 0
    for place in range(at, at + 1 + options[at]):
        key = scattered(key ^ options[place])
    slot = key & (len(seen) - 1)
    while seen[slot] >= 0:
        same = True
        for step in range(options[at] + 1):
            same = same and options[seen[slot] + step] == options[at + step]
            if not same:
                break
        if same:
            return False
        slot = (slot + 1) & (len(seen) - 1)
    seen[slot] = at
    return True


@inlined
def _numbered(lines: Array, start: int, weight: int, met: Met) -> int:
    """Return the number of the position whose text begins at a place of the lines."""
    texts, positions, slots, state = met
    key, place = 0, start
    while lines[place] != _END:
        key = scattered(key + lines[place])
        place += 1
    slot = key & (len(slots) - 1)
    while slots[slot] > 0:
        number = slots[slot] - 1
        text, step = positions[number, TEXT], 0
        while texts[text + step] == lines[start + step] and lines[start + step] != _END:
            step += 1
        if texts[text + step] == lines[start + step]:
            return int(number)
        slot = (slot + 1) & (len(slots) - 1)
    number, text = state[POSITIONS], state[TEXTS]
    positions[number, FACT] = UNDECIDED
    positions[number, WEIGHT] = weight
    positions[number, BEGIN] = -1
    positions[number, TEXT] = text
    for step in range(place - start + 1):
        texts[text + step] = lines[start + step]
    state[TEXTS] = text + place - start + 1
    state[POSITIONS] = number + 1
    slots[slot] = number + 1
    return int(number)


@compiled
def hash_loop(met: Met) -> None:
    """Give all positions their places in an empty table."""
    texts, positions, slots, state = met
    for number in range(state[POSITIONS]):
        key, place = 0, positions[number, TEXT]
        while texts[place] != _END:
            key = scattered(key + texts[place])
            place += 1
        slot = key & (len(slots) - 1)
        while slots[slot] > 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1


FRAME = 8
"""Numbers of a question on the stack."""

ASKED, BESIDE, _SUM, _WON, _LOST, _WON_BESIDES, _LOST_BESIDES, _EITHER = range(8)
"""A question: a position, or -1 and where a sum is; the heap; how long to stay there. That is while its numbers are
below the first two limits, and the lesser of the two, each with what else its side needs, is below the last."""

DECIDED, EXPAND, FULL, TOO_LARGE, CYCLE, STEPS_OVER = range(6)
"""How a loop ends: with the answer; at a position whose options are not written; without room; at a value that has no
room; at a position that play comes back to; after so many steps."""

NEVER, LARGEST_NIMBER, NIMBER_BITS, LIVES_BITS = 1 << 60, 62, 6, 24
"""The number of positions that decide what is decided otherwise, the largest value, bits for it in a couple, and bits
for the moves in a weight, below what tells the length of play."""

_MOST_NEEDED = 1 << 40
"""The most that a couple which is not decided seems to need, so that sums of such numbers stay below never."""

_HEAP, _PART, _MOST_MOVES, _SHARE = 4 << LIVES_BITS, 1 << 20, 4000, 8
"""What a heap weighs for each of its size, and each part of a sum less. That a position is lost seems to need a share
of the moves that it has, of so many at most, and of the length of play."""


@compiled
def spread_loop(old: Array, new: Array) -> None:
    """Copy the numbers of couples into a larger table."""
    for row in range(len(old)):
        if old[row, 0] > 0:
            slot = _slot_of(new, old[row, 0])
            new[slot, 0], new[slot, 1], new[slot, 2] = old[row, 0], old[row, 1], old[row, 2]


@compiled
def proof_loop(positions: Array, options: Array, numbers: Array, frames: Array, state: Array, steps: int) -> int:
    """Go on with the questions on the stack until the first is decided, or something must be done before."""
    depth, status = state[DEPTH], DECIDED
    while depth >= 0:
        if steps == 0:
            status = STEPS_OVER
            break
        steps -= 1
        if state[NUMBERS] * 2 >= len(numbers) or depth + 2 >= len(frames):
            status = FULL
            break
        part, nimber = frames[depth, ASKED], frames[depth, BESIDE]
        if part < 0:
            unknown, part, value, _, needed = _look_at(positions, numbers, options, frames[depth, _SUM])
            if unknown == 0:
                state[RESULT] = 1 if nimber == value else 0
                depth -= 1
            elif unknown == 1:
                frames[depth, ASKED], frames[depth, BESIDE] = part, nimber ^ value
            elif _stays(frames, depth, needed, needed):
                depth = _ask_part(positions, numbers, frames, depth, part, needed)
            else:
                depth -= 1
            continue
        if nimber > LARGEST_NIMBER:
            status = TOO_LARGE
            break
        fact = positions[part, FACT]
        if fact >= 0 or ~fact >> nimber & 1:
            state[RESULT] = 1 if fact == nimber else 0
            depth -= 1
            continue
        if positions[part, BEGIN] < 0:
            state[OPEN] = part
            status = EXPAND
            break
        if _comes_back(frames, depth, part, nimber):
            status = CYCLE
            break
        depth = _look_below(positions, options, numbers, frames, state, depth, part, nimber)
    state[DEPTH] = depth
    return status


@inlined
def _look_below(
    positions: Array, options: Array, numbers: Array, frames: Array, state: Array, depth: int, part: int, nimber: int
) -> int:
    """Count the moves of a couple; go to the one that its numbers hang on, or back; return the depth."""
    at, left, hit = positions[part, BEGIN], 0, 0
    won = second = NEVER
    lost = own = order = chosen = 0
    for _ in range(positions[part, COUNT]):
        unknown, last, value, weight, needed = _look_at(positions, numbers, options, at)
        beside = nimber ^ value
        if unknown == 0 and value <= LARGEST_NIMBER:
            hit |= 1 << value
        elif unknown > 0:
            left += 1
            one = other = needed
            if unknown == 1 and beside <= LARGEST_NIMBER:
                one, other = _numbers(positions, numbers, last, beside)
            if one > 0:
                lost += one
                weight += beside * _HEAP
                if other < won or (other == won and (chosen == 0 or weight < order)):
                    won, second, order, own, chosen = other, won, weight, one, at + 1
                else:
                    second = min(second, other)
        at += options[at] + 1
    fact = positions[part, FACT] & ~hit
    if left == 0:
        value = _least(fact)
        fact = value if value <= LARGEST_NIMBER else fact
    positions[part, FACT] = fact
    if fact >= 0 or ~fact >> nimber & 1:
        return depth
    free = 0
    for heap in range(nimber):
        if ~fact >> heap & 1 == 0:
            free += 1
            one, other = _numbers(positions, numbers, part, heap)
            lost += one
            weight = positions[part, WEIGHT] - _PART + heap * _HEAP
            if other < won or (other == won and (chosen == 0 or weight < order)):
                won, second, order, own, chosen = other, won, weight, one, -1 - heap
            else:
                second = min(second, other)
    if won == 0 or free > left:  # the value is one of the left + 1 smallest that are free
        positions[part, FACT] = fact & ~(1 << nimber)
        return depth
    if chosen == 0:
        positions[part, FACT] = nimber
        return depth
    lost = min(lost, _MOST_NEEDED)
    if not _stays(frames, depth, won, lost):
        _keep(numbers, state, part << NIMBER_BITS | nimber, won, lost)
        return depth - 1
    below = depth + 1
    if chosen < 0:
        frames[below, ASKED], frames[below, BESIDE] = part, -1 - chosen
    else:
        frames[below, ASKED], frames[below, BESIDE], frames[below, _SUM] = -1, nimber, chosen - 1
    frames[below, _WON] = frames[depth, _LOST] - lost + own
    frames[below, _LOST] = min(frames[depth, _WON], second + 1)
    frames[below, _WON_BESIDES] = frames[depth, _LOST_BESIDES] + lost - own
    frames[below, _LOST_BESIDES] = frames[depth, _WON_BESIDES]
    frames[below, _EITHER] = frames[depth, _EITHER]
    return below


@inlined
def _look_at(positions: Array, numbers: Array, options: Array, at: int) -> tuple[int, int, int, int, int]:
    """Return of a sum how many parts are not known, the lightest, the others' value, their weight, and what they need.

    What they need is not counted where only one part is there.
    """
    unknown = value = weight = needed = least = 0
    lightest = -1
    for place in range(at + 1, at + 1 + options[at]):
        part: int = options[place]
        fact = positions[part, FACT]
        if fact >= 0:
            value ^= fact
            continue
        unknown += 1
        weight += positions[part, WEIGHT] - _PART
        if options[at] > 1:
            won, lost = _numbers(positions, numbers, part, _least(fact))
            needed += min(won, lost)
        if lightest < 0 or positions[part, WEIGHT] < least:
            lightest, least = part, positions[part, WEIGHT]
    return unknown, lightest, value, weight, needed


@inlined
def _numbers(positions: Array, numbers: Array, part: int, nimber: int) -> tuple[int, int]:
    """Return the numbers of a couple, as far as they are known: how many positions until it is won, and until lost."""
    fact = positions[part, FACT]
    if fact >= 0:
        return (NEVER, 0) if fact == nimber else (0, NEVER)
    if ~fact >> nimber & 1:
        return 0, NEVER
    slot = _slot_of(numbers, (part << NIMBER_BITS | nimber) + 1)
    if numbers[slot, 0] > 0:
        return int(numbers[slot, 1]), int(numbers[slot, 2])
    weight = positions[part, WEIGHT]
    moves = min(weight & (1 << LIVES_BITS) - 1, _MOST_MOVES)
    return 1, 1 + ((weight >> LIVES_BITS) + moves) // _SHARE


@inlined
def _keep(numbers: Array, state: Array, couple: int, won: int, lost: int) -> None:
    """Keep the numbers of a couple that is not decided."""
    slot = _slot_of(numbers, couple + 1)
    numbers[slot, 1], numbers[slot, 2] = won, lost
    if numbers[slot, 0] == 0:
        state[NUMBERS] += 1
        numbers[slot, 0] = couple + 1


@inlined
def _slot_of(numbers: Array, key: int) -> int:
    slot = scattered(key) & (len(numbers) - 1)
    while numbers[slot, 0] > 0 and numbers[slot, 0] != key:
        slot = (slot + 1) & (len(numbers) - 1)
    return slot


@inlined
def _least(fact: int) -> int:
    """Return the least value that a position may have."""
    nimber = 0
    while ~fact >> nimber & 1:
        nimber += 1
    return nimber


@inlined
def _ask_part(positions: Array, numbers: Array, frames: Array, depth: int, part: int, needed: int) -> int:
    """Go from a sum to a part whose value is not known; return the depth."""
    least = _least(positions[part, FACT])
    won, lost = _numbers(positions, numbers, part, least)
    besides = min(frames[depth, _WON_BESIDES], frames[depth, _LOST_BESIDES])
    spare = min(frames[depth, _WON], frames[depth, _LOST], frames[depth, _EITHER] - besides) - needed
    below = depth + 1
    frames[below, ASKED], frames[below, BESIDE] = part, least
    frames[below, _WON] = frames[below, _LOST] = NEVER
    frames[below, _WON_BESIDES] = frames[below, _LOST_BESIDES] = 0
    frames[below, _EITHER] = min(won, lost) + spare
    return below


@inlined
def _stays(frames: Array, depth: int, won: int, lost: int) -> bool:
    """Tell whether the limits hold for these numbers."""
    either = min(won + frames[depth, _WON_BESIDES], lost + frames[depth, _LOST_BESIDES])
    return bool(won < frames[depth, _WON] and lost < frames[depth, _LOST] and either < frames[depth, _EITHER])


@inlined
def _comes_back(frames: Array, depth: int, part: int, nimber: int) -> bool:
    """Tell whether a couple is looked at already, with this heap or a smaller one: play comes back to the position."""
    above = 0
    while above < depth and (frames[above, ASKED] != part or frames[above, BESIDE] > nimber):
        above += 1
    return above < depth
