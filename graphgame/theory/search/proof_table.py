"""What a search by proof numbers knows of positions, in arrays that grow, as parts of compiled loops.

A position is a row of numbers; its options are sums of positions in one long row, each as how many parts it has and
then their numbers in order. Positions are told apart by their texts, bytes that end in ``!``.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined
from graphgame.arrays.wide import scattered

__all__ = [
    "BEGIN",
    "COUNT",
    "DEPTH",
    "FACT",
    "NUMBERS",
    "OPEN",
    "OPTIONS",
    "POSITIONS",
    "RESULT",
    "ROW",
    "TALLIES",
    "TEXT",
    "TEXTS",
    "UNDECIDED",
    "WEIGHT",
    "hash_loop",
    "take_in_loop",
]

ROW, TALLIES = 5, 7
"""Numbers of a position, and of the state of a search."""

FACT, WEIGHT, BEGIN, COUNT, TEXT = range(5)
"""What is known of a position, its weight, where its options begin, or -1, how many they are, where its text begins."""

POSITIONS, TEXTS, OPTIONS, NUMBERS, DEPTH, OPEN, RESULT = range(7)
"""The state: how much of each array is used, the depth of the stack, the position to open, and the last answer."""

UNDECIDED = -1
"""The fact about a position of which nothing is known."""

_END, _NEW_LINE = 33, 10


@compiled
def take_in_loop(
    lines: Array, weights: Array, texts: Array, positions: Array, slots: Array, seen: Array, options: Array,
    state: Array, position: int,
) -> int:  # fmt: skip
    """Write sums down, a line each, with numbers for their parts, and equal ones once; return where.

    They are the options of a position, unless its number is below 0.
    """
    at = first = state[OPTIONS]
    found = count = part = start = 0
    for slot in range(len(seen)):
        seen[slot] = -1
    for place in range(len(lines)):
        code = lines[place]
        if code == _END:
            if place > start:
                number = _numbered(lines, start, weights[part], texts, positions, slots, state)
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
    state[OPTIONS] = at
    if position >= 0:
        positions[position, COUNT] = found
        positions[position, BEGIN] = first
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
def _numbered(lines: Array, start: int, weight: int, texts: Array, positions: Array, slots: Array, state: Array) -> int:
    """Return the number of the position whose text begins at a place of the lines."""
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
def hash_loop(texts: Array, positions: Array, slots: Array, state: Array) -> None:
    """Give all positions their places in an empty table."""
    for number in range(state[POSITIONS]):
        key, place = 0, positions[number, TEXT]
        while texts[place] != _END:
            key = scattered(key + texts[place])
            place += 1
        slot = key & (len(slots) - 1)
        while slots[slot] > 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1
