"""The loops over tables of games whose moves are rays."""

from __future__ import annotations

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.value_sets import ALL_SEEN, VALUE_BITS, see_value

BLANK, ORDINARY, OVER = range(3)
"""Kinds of entries of a table: no position, or not known; a position; one from which nobody may move."""


@inlined
def _before(at: Array, shape: Array, taken: Array, row: int) -> int:
    """Return the entry of numbers of which some are taken; -1 where it is not in the table."""
    place = 0
    for axis in range(len(shape)):
        number = at[axis] - taken[row, axis]
        if number < 0 or number >= shape[axis]:
            return -1
        place = place * shape[axis] + number
    return int(place)


@compiled
def fill_values(
    shape: Array,
    firsts: Array,
    first_of: Array,
    steps: Array,
    step_of: Array,
    raises: bool,
    misere: bool,
    order: Array,
    kinds: Array,
    values: Array,
    line_at: Array,
    lines: Array,
    seen: Array,
    extents: Array,
    at: Array,
    earlier: Array,
) -> None:
    """Fill the table in an order, by default that of reading.

    ``line_at`` has the sets of the last positions, ``lines`` gets those of the one that is looked at.
    """
    pieces = len(lines)
    dimensions = len(shape)
    mask = line_at.shape[1] - 1
    free = pieces
    for rank in range(len(values)):
        place = order[rank] if len(order) else rank
        rest = place
        for axis in range(dimensions - 1, -1, -1):
            at[axis] = rest % shape[axis]
            rest //= shape[axis]
        word = 0
        moved = False
        for piece in range(pieces):
            start, end = step_of[piece], step_of[piece + 1]
            line = piece
            new = False
            if start == end:
                for old in range(extents[1, line]):
                    seen[line, old] = 0
                extents[0, line] = extents[1, line] = 0
            else:
                back = _before(at, shape, steps, start)
                new = back < 0
                if new:
                    line = free
                    free += 1
                else:
                    line = line_at[piece, back & mask]
            for step in range(start + 1, end):
                back = _before(at, shape, steps, step)
                if back >= 0:
                    other = line_at[piece, back & mask]
                    for each in range(extents[0, line], extents[1, other]):
                        seen[line, each] |= seen[other, each]
                    extents[1, line] = max(extents[1, line], extents[1, other])
                    while seen[line, extents[0, line]] == ALL_SEEN:
                        extents[0, line] += 1
            for first in range(first_of[piece], first_of[piece + 1]):
                source = _before(at, shape, firsts, first)
                if source >= 0 and values[source] >= 0:
                    see_value(values[source], line, seen, extents)
            if new and raises:  # what lies before on the line is outside, but not all that is reached from there
                for axis in range(dimensions):
                    earlier[axis] = at[axis]
                for _ in range(2 * len(values)):
                    far = True
                    for axis in range(dimensions):
                        earlier[axis] -= steps[start, axis]
                        far = far and abs(earlier[axis]) < 3 * shape[axis]
                    if not far:
                        break
                    for first in range(first_of[piece], first_of[piece + 1]):
                        source = _before(earlier, shape, firsts, first)
                        if source >= 0 and values[source] >= 0:
                            see_value(values[source], line, seen, extents)
            line_at[piece, place & mask] = line
            lines[piece] = line
            word = max(word, extents[0, line])
            moved = moved or extents[1, line] > 0
        if kinds[place] == BLANK:
            continue
        if kinds[place] == OVER or not moved:
            values[place] = misere
            continue
        union = ALL_SEEN
        while union == ALL_SEEN:
            union = 0
            for piece in range(pieces):
                union |= seen[lines[piece], word]
            word += 1
        value = (word - 1) * VALUE_BITS
        while union & 1:
            union >>= 1
            value += 1
        values[place] = value


@compiled
def fill_lost(
    shape: Array,
    firsts: Array,
    first_of: Array,
    steps: Array,
    step_of: Array,
    misere: bool,
    lost: Array,
    reached: Array,
    at: Array,
    begin: int,
    stop: int,
) -> None:
    """Fill a part of the bits in reading order; ``reached`` tells of each ray's last positions whether one is lost."""
    mask = reached.shape[1] - 1
    for place in range(begin, stop):
        won = False
        moved = False
        for piece in range(len(step_of) - 1):
            some = False
            for step in range(step_of[piece], step_of[piece + 1]):
                back = _before(at, shape, steps, step)
                some = some or (back >= 0 and reached[piece, back & mask])
            for first in range(first_of[piece], first_of[piece + 1]):
                source = _before(at, shape, firsts, first)
                if source >= 0:
                    moved = True
                    some = some or lost[source >> 3] >> (source & 7) & 1 == 1
            reached[piece, place & mask] = some
            won = won or some
        if (not won) if moved else (not misere):
            lost[place >> 3] |= 1 << (place & 7)
        for axis in range(len(shape) - 1, -1, -1):
            at[axis] += 1
            if at[axis] < shape[axis]:
                break
            at[axis] = 0
