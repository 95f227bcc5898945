"""Compiled loops over positions of Sprouts.

The loops try the curves that may be drawn, and write the position after each as its *standard text*, which is nearly
always the same for equal positions. Where only the options matter, curves that lead to equal options are left out.

Terms
-----
A *region* is a part of the plane between curves. A *boundary* is a connected piece of the border of a region: the
cyclic sequence of the spots that one meets on a walk along it. A *land* is a set of regions connected by shared spots:
a component of a sum. The *lives* of a spot are the curves that may still end at it: three at first. A spot without
lives is *dead*, and so is a region without a move. Dead spots and regions are left out of the text. A curve from a
boundary to itself divides its region in two. One part has the spots of this boundary from the start of the curve to its
end: the *inside* of the curve. The other part is its *outside*.

In the text a spot that occurs twice in the boundaries is a *letter*. A spot that occurs once is written as its number
of curves: 0, 1 or 2. A position in memory is a row of numbers: those of the spots, with an end mark after each boundary
and after each region. ``work`` is the working memory of the loops: an array whose rows have the names below. Its rows
_LETTERS and _OF_LAND have the letters and the regions of the current land, the one that is being written.

The order of spots, boundaries and regions in the text must not depend on their order in the row. So each letter gets a
colour: a hash of all walks through it. Each round hashes the colours of the neighbours again, so that differences
spread. If several letters keep the same colour, one of them gets a new colour of its own. The colours decide the order
of the text. If the colours do not distinguish letters that play different roles, the text is still correct, but the
position may have two texts.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined

_BOUNDARY_END, _REGION_END = -1, -2

_MOST_LIVES_UNORDERED = 3
"""If a region has at most this many lives, it does not matter how its spots are connected."""

# Rows of the working memory that _write_position reads: the position as a sequence of spots and end marks, and the
# number of lives of each spot.
_CHILD, _LIVES = 0, 1

# Rows that _write_position fills. The docstring of the module explains lands, letters and colours.
# _SPOTS has the spots of all boundaries of the position, one boundary after another, without end marks.
# For each spot: _COUNT_OF, how often it occurs; _LAST_REGION, the last region in which it occurred; _COLOUR, the colour
# of a letter, or the sort key of a spot that occurs once; _SUM, the sum of the hashes of the walks from a letter; _KEY,
# its sort key; _HOME, the first region in which a letter occurs, and later the letter's number in the text; _BETWEEN,
# the sum of the numbers of its two regions, -1 if it occurs once.
# For each boundary: _BEGIN, its first index in _SPOTS.
# For each region: _FIRST, its first boundary; _LAND, the lowest region number in its land.
# _ORDER has the regions of the current land in their order in the text.
_SPOTS, _COUNT_OF, _LAST_REGION, _COLOUR, _SUM, _KEY, _HOME, _BEGIN, _FIRST, _LAND, _ORDER, _BETWEEN = range(2, 14)

# More rows that _write_position fills.
# Two rows each, for walks forward and backward along a boundary: _HASH, the hash of the walk from each index of _SPOTS;
# _LINE, for each region its spots in the order of the text (see _order_region), with -1 after each boundary.
# For each boundary: _TURN, the step at which its least walk starts (see _index_of_step). _RANK has the boundaries of
# each region, sorted by their least walks. Both are for the direction that was tried last.
# _LETTERS has the letters of the current land, and _OF_LAND its regions.
_HASH, _LINE, _TURN, _RANK, _LETTERS, _OF_LAND = 14, 16, 18, 19, 20, 21

_SPARE = 22
"""The first row of the working memory that _write_position does not use."""

WORK_ROWS = _SPARE + 12

_MASK_31 = (1 << 31) - 1
_HASH_BASE = 0x2545F491


@inlined
def _write_position(work: Array, length: int, spots: int, out: Array, at: int) -> int:
    """Write the lands of the position in _CHILD to ``out`` from index ``at`` on; return the index after the last byte.

    Each land ends with ``!``; a position without lands is a single ``!``. ``length`` is the number of entries of _CHILD
    that describe the position, and ``spots`` the number of spots.
    """
    for spot in range(spots):
        work[_COUNT_OF, spot] = 0
        work[_LAST_REGION, spot] = -1
        work[_HOME, spot] = -1
    regions = _keep_regions_with_moves(work, length)
    _find_lands(work, regions)
    start = at
    for land in range(regions):
        if work[_LAND, land] == land:
            at = _write_land(work, land, regions, out, at)
    if at == start:
        out[at] = 33
        at += 1
    return at


@inlined
def _keep_regions_with_moves(work: Array, length: int) -> int:
    """Copy the regions that have a move from _CHILD to _SPOTS, without dead spots; return the number of regions.

    ``length`` is the number of entries of _CHILD that describe the position. A spot that occurs twice in succession on
    a boundary is copied once, because both of its sides border the same region. In a region with at most three lives
    all spots become one boundary, on which each spot occurs once.
    """
    # Indices into _SPOTS: the present region begins at ``begin``, the present boundary at ``start``, and the next spot
    # is written at ``to``. To remove a dead region, ``to`` is set back to ``begin``.
    regions = boundaries = to = begin = start = lives = 0
    for index in range(length):
        spot = work[_CHILD, index]
        if spot >= 0:
            if work[_LIVES, spot] and (to == start or work[_SPOTS, to - 1] != spot):
                work[_SPOTS, to] = spot
                to += 1
                if work[_LAST_REGION, spot] != regions:
                    work[_LAST_REGION, spot] = regions
                    lives += work[_LIVES, spot]
        elif spot == _BOUNDARY_END:
            # A boundary is a cycle: its first spot comes after its last. If they are the same spot, drop the last.
            if to - start > 1 and work[_SPOTS, to - 1] == work[_SPOTS, start]:
                to -= 1
            if to > start:
                work[_BEGIN, boundaries] = start
                boundaries += 1
                start = to
        else:
            first = work[_FIRST, regions] if regions else 0
            # With at most three lives, the connections do not matter: write each spot once, all in one boundary.
            if 1 < lives <= _MOST_LIVES_UNORDERED:
                boundaries = first + 1
                start, to = to, begin
                for number in range(begin, start):
                    spot = work[_SPOTS, number]
                    if work[_LAST_REGION, spot] == regions:
                        work[_LAST_REGION, spot] = -1
                        work[_SPOTS, to] = spot
                        to += 1
            # A curve takes two lives: a region with fewer has no move.
            if lives > 1:
                regions += 1
                work[_FIRST, 0] = 0
                work[_FIRST, regions] = boundaries
                for number in range(begin, to):
                    work[_COUNT_OF, work[_SPOTS, number]] += 1
            else:
                for number in range(begin, to):
                    work[_LAST_REGION, work[_SPOTS, number]] = -1
                boundaries, to = first, begin
            begin = start = to
            lives = 0
    work[_BEGIN, boundaries] = to
    return regions


@inlined
def _find_lands(work: Array, regions: int) -> None:
    """Set _LAND of each region to the lowest number of a region in its land.

    Also set _BETWEEN of each spot to the sum of the numbers of its two regions, or to -1 if it occurs once. Set _HOME
    of each spot that occurs twice to the first of its two regions.
    """
    for region in range(regions):
        work[_LAND, region] = region
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        for index in range(work[_BEGIN, first], work[_BEGIN, last]):
            spot = work[_SPOTS, index]
            if work[_COUNT_OF, spot] == 1:
                work[_BETWEEN, spot] = -1
                continue
            if work[_HOME, spot] < 0:
                work[_HOME, spot] = work[_BETWEEN, spot] = region
                continue
            work[_BETWEEN, spot] += region
            first_land, second_land = work[_LAND, work[_HOME, spot]], work[_LAND, region]
            if first_land != second_land:
                # There are few regions, so changing all of them is cheaper than a union-find.
                lower, higher = min(first_land, second_land), max(first_land, second_land)
                for earlier in range(region + 1):
                    if work[_LAND, earlier] == higher:
                        work[_LAND, earlier] = lower


@inlined
def _write_land(work: Array, land: int, regions: int, out: Array, at: int) -> int:
    """Write one land to ``out`` from index ``at`` on; return the index after its last byte.

    A land is a component: regions that share spots. ``land`` is the number of its first region, and ``regions`` the
    number of regions of all lands.
    """
    count = letters = 0
    for region in range(land, regions):
        if work[_LAND, region] == land:
            work[_OF_LAND, count] = region
            count += 1
            first, last = work[_FIRST, region], work[_FIRST, region + 1]
            for index in range(work[_BEGIN, first], work[_BEGIN, last]):
                spot = work[_SPOTS, index]
                # The keys decide the order of the text: 0 for the end of a boundary, 1 to 3 for a spot that occurs once
                # (one more than its number of curves), and more for a letter.
                if work[_COUNT_OF, spot] == 1:
                    work[_COLOUR, spot] = work[_KEY, spot] = 4 - work[_LIVES, spot]
                elif work[_HOME, spot] >= 0:
                    work[_HOME, spot] = -1
                    work[_COLOUR, spot] = 4
                    work[_LETTERS, letters] = spot
                    letters += 1
    _refine_colours(work, count, letters)
    for number in range(letters):
        spot = work[_LETTERS, number]
        work[_KEY, spot] = 4 + work[_COLOUR, spot]
        work[_HOME, spot] = -1
    for number in range(count):
        _order_region(work, work[_OF_LAND, number])
    _sort_regions(work, count)
    # The order of the spots is now fixed. Spots that occur more than once get the letters a, b, c, ... in this order. A
    # spot that occurs once is written as the number of its curves, "0", "1" or "2": the code is 51 minus its lives. The
    # codes of the other characters are 46 for ".", 47 for "/", and 33 for "!".
    named = 0
    for number in range(count):
        region = work[_ORDER, number]
        begin, end = _text_range(work, region)
        for index in range(begin, end):
            spot = work[_LINE, index]
            if spot < 0:
                out[at] = 46
            elif work[_COUNT_OF, spot] == 1:
                out[at] = 51 - work[_LIVES, spot]
            else:
                if work[_HOME, spot] < 0:
                    work[_HOME, spot] = named
                    named += 1
                out[at] = _letter(work[_HOME, spot])
            at += 1
        out[at] = 47
        at += 1
    out[at - 1] = 33
    return at


@inlined
def _letter(number: int) -> int:
    """Return the Latin-1 code of a letter, given its number from 0: a to z, A to Z, then letters from À on."""
    if number < 26:
        return 97 + number
    if number < 52:
        return 39 + number
    # From 0xC0 on all codes are letters, except the signs for times (0xD7) and divided by (0xF7).
    code = 140 + number
    code += code >= 0xD7
    code += code >= 0xF7
    return code


@inlined
def _refine_colours(work: Array, regions: int, letters: int) -> None:
    """Change the colours of the letters of the current land, in row _COLOUR, until all these colours differ.

    If the walks do not distinguish some letters, any one of them gets a new colour. ``regions`` and ``letters`` are the
    numbers of regions and of letters of the current land.
    """
    colours = 1
    # Each round increases the number of colours, or gives one letter a new colour: 2 * letters rounds are enough.
    for _ in range(2 * letters):
        if colours >= letters:
            break
        _recolour(work, regions, letters)
        refined, shared = _count_colours(work, letters)
        if refined <= colours:
            # Letters that still share a colour are treated as symmetric, so any of them may get the new colour.
            for number in range(letters):
                spot = work[_LETTERS, number]
                if work[_COLOUR, spot] == shared:
                    work[_COLOUR, spot] = _mixed(shared + 1)
                    break
            refined += 1
        colours = refined


@inlined
def _recolour(work: Array, regions: int, letters: int) -> None:
    """Give each letter of the current land a new colour in _COLOUR: a hash of its old colour, its walks and regions.

    A letter has two walks for each of its two occurrences: once around the boundary from there, forward and backward.
    ``regions`` and ``letters`` are the numbers of regions and of letters of the current land.
    """
    for number in range(letters):
        work[_SUM, work[_LETTERS, number]] = 0
    for number in range(regions):
        region = work[_OF_LAND, number]
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        # For each letter, add the hashes of the walks from all its occurrences, in both directions. The sum does not
        # depend on which occurrence or direction comes first.
        forward, backward = _hash_walks(work, first, last, 0), _hash_walks(work, first, last, 1)
        for index in range(work[_BEGIN, first], work[_BEGIN, last]):
            spot = work[_SPOTS, index]
            if work[_COUNT_OF, spot] > 1:
                work[_SUM, spot] += _mixed(work[_HASH, index] + forward) + _mixed(work[_HASH + 1, index] + backward)
    for number in range(letters):
        spot = work[_LETTERS, number]
        work[_COLOUR, spot] = _mixed(work[_COLOUR, spot] + work[_SUM, spot])


@inlined
def _hash_walks(work: Array, first: int, last: int, side: int) -> int:
    """Write a hash of the walk from each spot of a region to row _HASH + ``side``; return a hash of the region.

    The region has the boundaries from ``first`` to before ``last``. A walk goes once around its boundary: forward if
    ``side`` is 0, backward if it is 1. Its hash depends on the colour of each spot, and on whether _BETWEEN of the spot
    equals that of the spot before it.
    """
    region = 0
    for boundary in range(first, last):
        begin, end = work[_BEGIN, boundary], work[_BEGIN, boundary + 1]
        # A rolling hash: the hash of the walk from the next spot follows from the hash of this walk in one step.
        walk, power, total = 0, 1, 0
        before = work[_SPOTS, begin if side else end - 1]
        for step in range(end - begin):
            index = end - 1 - step if side else begin + step
            spot = work[_SPOTS, index]
            spot_hash = work[_COLOUR, spot] + (work[_BETWEEN, spot] == work[_BETWEEN, before]) & _MASK_31
            before = spot
            work[_HASH + side, index] = spot_hash
            walk = (walk * _HASH_BASE + spot_hash) & _MASK_31
            power = power * _HASH_BASE & _MASK_31 if step else 1
        for step in range(end - begin):
            index = end - 1 - step if side else begin + step
            spot_hash = work[_HASH + side, index]
            work[_HASH + side, index] = walk
            total += _mixed(walk)
            walk = ((walk - spot_hash * power & _MASK_31) * _HASH_BASE + spot_hash) & _MASK_31
        region += _mixed(total)
    return _mixed(region)


@inlined
def _mixed(number: int) -> int:
    """Return the image of the low 31 bits of a number under a permutation that mixes the bits."""
    # Xor-shifts and multiplications by odd numbers can be undone, so no two numbers of 31 bits have the same image.
    number &= _MASK_31
    number = (number ^ number >> 15) * 0x2C1B3C6D & _MASK_31
    number = (number ^ number >> 12) * 0x297A2D39 & _MASK_31
    return number ^ number >> 15


@inlined
def _count_colours(work: Array, letters: int) -> tuple[int, int]:
    """Return how many colours the letters of the current land have, and the least colour that several of them share.

    The second result is -1 if all colours differ. ``letters`` is the number of letters of the land.
    """
    # There are few letters, so compare each letter with those before it.
    count, shared = letters, -1
    for number in range(letters):
        colour, first = work[_COLOUR, work[_LETTERS, number]], 0
        while work[_COLOUR, work[_LETTERS, first]] != colour:
            first += 1
        if first < number:
            count -= 1
            shared = colour if shared < 0 else min(shared, colour)
    return count, shared


@inlined
def _order_region(work: Array, region: int) -> None:
    """Write a region to _LINE in its standard order, or the reflection of the region if that is smaller.

    In standard order each boundary starts where its walk is least, and the boundaries are sorted by these walks.
    """
    for side in range(2):
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        # Find the step at which the least walk starts. There are few boundaries, so sort them by insertion.
        for boundary in range(first, last):
            begin, size = work[_BEGIN, boundary], work[_BEGIN, boundary + 1] - work[_BEGIN, boundary]
            best = 0
            for turn in range(1, size):
                if _compare_walks(work, begin, size, turn, begin, size, best, side) < 0:
                    best = turn
            work[_TURN, boundary] = best
            to = boundary
            while to > first:
                earlier = work[_RANK, to - 1]
                start, length = work[_BEGIN, earlier], work[_BEGIN, earlier + 1] - work[_BEGIN, earlier]
                if _compare_walks(work, begin, size, best, start, length, work[_TURN, earlier], side) >= 0:
                    break
                work[_RANK, to] = earlier
                to -= 1
            work[_RANK, to] = boundary
        to, _ = _text_range(work, region)
        for number in range(first, last):
            boundary = work[_RANK, number]
            begin, size = work[_BEGIN, boundary], work[_BEGIN, boundary + 1] - work[_BEGIN, boundary]
            for step in range(size):
                work[_LINE + side, to] = work[_SPOTS, _index_of_step(begin, size, work[_TURN, boundary] + step, side)]
                to += 1
            work[_LINE + side, to] = -1
            to += 1
    begin, end = _text_range(work, region)
    for index in range(begin, end):
        key, reflected_key = _key(work, work[_LINE, index]), _key(work, work[_LINE + 1, index])
        if key < reflected_key:
            break
        if key > reflected_key:
            for number in range(begin, end):
                work[_LINE, number] = work[_LINE + 1, number]
            break


@inlined
def _text_range(work: Array, region: int) -> tuple[int, int]:
    """Return the index in _LINE at which a region starts, and the index after its last spot.

    _LINE has the spots of the region, and an entry -1 between two boundaries.
    """
    first, last = work[_FIRST, region], work[_FIRST, region + 1]
    return work[_BEGIN, first] + first, work[_BEGIN, last] + last - 1


@inlined
def _key(work: Array, spot: int) -> int:
    """Return the sort key of an entry of _LINE; regions are compared by the sort keys of their entries.

    The entry is a spot, with the sort key ``work[_KEY, spot]``, or -1, the end of a boundary, with the sort key 0.
    """
    return work[_KEY, spot] if spot >= 0 else 0


@inlined
def _index_of_step(begin: int, size: int, step: int, side: int) -> int:
    """Return the index in _SPOTS of the spot that a walk around a boundary visits at ``step``.

    The boundary has ``size`` spots from index ``begin`` on. If ``side`` is 0, the walk goes forward from the first
    spot; if 1, backward from the last spot. After ``size`` steps it starts again. ``step`` must be below 2 * ``size``.
    """
    step -= size if step >= size else 0
    return begin + (size - 1 - step if side else step)


@inlined
def _compare_walks(
    work: Array, begin: int, size: int, turn: int, second_begin: int, second_size: int, second_turn: int, side: int
) -> int:
    """Compare two walks around boundaries: by the first spots that differ in row _KEY, otherwise by length.

    Return a negative number if the first walk is smaller, 0 if they are equal, a positive number if it is larger. The
    first boundary begins at index ``begin`` of _SPOTS and has ``size`` spots. Its walk starts at step ``turn``: see
    :func:`_index_of_step`. Both walks go forward if ``side`` is 0, backward if it is 1.
    """
    for step in range(min(size, second_size)):
        key: int = work[_KEY, work[_SPOTS, _index_of_step(begin, size, turn + step, side)]]
        second_index = _index_of_step(second_begin, second_size, second_turn + step, side)
        second_key: int = work[_KEY, work[_SPOTS, second_index]]
        if key != second_key:
            return key - second_key
    return size - second_size


@inlined
def _sort_regions(work: Array, regions: int) -> None:
    """Write the regions of the current land into _ORDER, sorted by :func:`_compare_regions`.

    ``regions`` is the number of these regions.
    """
    for number in range(regions):
        region, to = work[_OF_LAND, number], number
        while to and _compare_regions(work, region, work[_ORDER, to - 1]) < 0:
            work[_ORDER, to] = work[_ORDER, to - 1]
            to -= 1
        work[_ORDER, to] = region


@inlined
def _compare_regions(work: Array, region: int, second: int) -> int:
    """Compare the regions with the numbers ``region`` and ``second``, by the entries that they have in _LINE.

    The first entries with different sort keys (see :func:`_key`) decide; if there are none, the lengths. Return a
    negative number if the first region is smaller, 0 if they are equal, a positive number if it is larger.
    """
    begin, end = _text_range(work, region)
    start, stop = _text_range(work, second)
    for step in range(min(end - begin, stop - start)):
        difference: int = _key(work, work[_LINE, begin + step]) - _key(work, work[_LINE, start + step])
        if difference:
            return difference
    return (end - begin) - (stop - start)


_OLD_SPOTS, _OLD_BEGIN, _OLD_FIRST, _OLD_COUNT_OF, _SPOT_OF = range(_SPARE, _SPARE + 5)
"""Rows with the position before the move: its spots in the order of the text, the index of the first spot of each
boundary, the first boundary of each region, how often each spot occurs, and the spot of each letter, by its code."""

_GROUP, _INDEX, _SIZE, _INSIDE, _EXAMPLE, _SECOND_EXAMPLE = range(_SPARE + 5, _SPARE + 11)
"""Rows with groups of boundaries that are alike. For each boundary: its group, and its index in the group. For each
group: its size, how many of its boundaries lie inside the current curve, and its first two boundaries."""

_BITS_OF_MOVES, _MOST_SPLIT = 24, 16
"""The number of low bits of a weight that hold the number of moves. In this number, a curve from a boundary to itself
counts 2^n times, where n is the number of other boundaries of the region, or 16 if there are more."""


class _Curve(NamedTuple):
    """A curve inside a region, from a spot on the region's boundaries to another spot or to the same one."""

    region: int
    left: int  # the boundary on which the curve begins
    right: int  # the boundary on which the curve ends
    start: int  # the index in _OLD_SPOTS at which the curve begins
    end: int  # the index in _OLD_SPOTS at which the curve ends
    new: int  # the new spot on the curve
    around: bool  # True if both ends are on one boundary, so that the curve splits the region in two
    own: int  # the group of the boundary on which the curve begins


@compiled
def settle_loop(text: Array, work: Array, out: Array) -> int:
    """Write the standard text of the position that ``text`` describes to ``out``; return its length."""
    regions, spots = _read_text(text, work)
    length = 0
    for region in range(regions):
        length = _copy_region(work, region, length)
    return _write_position(work, length, spots, out, 0)


@compiled
def options_loop(text: Array, work: Array, out: Array, notes: Array, every_curve: bool) -> int:
    """Write a line to ``out`` for each curve: the standard text of the position after it, and a newline.

    Return the length of all lines, or -1 if ``out`` may be too short. If ``every_curve`` is true, all curves are tried,
    and ``notes`` gets the two ends of each curve, as indices into the sequence of all spots in ``text``. Otherwise
    ``notes`` gets the weight of each land in the lines, and not all curves are tried: of boundaries that are alike,
    only the first is joined to other boundaries or to itself, and only the first two are joined to each other.
    """
    regions, spots = _read_text(text, work)
    at = noted = 0
    new = spots
    work[_LIVES, new] = 1
    for region in range(regions):
        # A curve in this region does not change the other regions: copy these once.
        base = 0
        for unchanged in range(regions):
            if unchanged != region:
                base = _copy_region(work, unchanged, base)
        first, last = work[_OLD_FIRST, region], work[_OLD_FIRST, region + 1]
        groups = _group_boundaries(work, first, last, every_curve)
        for own in range(groups):
            for second in range(own, groups + 1):
                around = second == groups  # the number ``groups`` stands for a curve from a boundary to itself
                # A curve joins two boundaries of different groups, two of the same group, or a boundary to itself. The
                # second case needs a group of at least two boundaries.
                if second == own and work[_SIZE, own] < 2:
                    continue
                left = work[_EXAMPLE, own]
                right = left if around else work[_SECOND_EXAMPLE, own] if second == own else work[_EXAMPLE, second]
                for start in range(work[_OLD_BEGIN, left], work[_OLD_BEGIN, left + 1]):
                    for end in range(start if around else work[_OLD_BEGIN, right], work[_OLD_BEGIN, right + 1]):
                        begin, stop = work[_OLD_SPOTS, start], work[_OLD_SPOTS, end]
                        curve = _Curve(region, left, right, start, end, new, around, own)
                        # A curve from a spot to itself takes two of its lives.
                        if begin == stop and (work[_LIVES, begin] < 2 or (around and start != end)):
                            continue
                        for group in range(groups):
                            work[_INSIDE, group] = 0
                        # A curve from a boundary to itself has some of the other boundaries inside, and the others
                        # outside. Try every split: _INSIDE says how many boundaries of each group lie inside.
                        more = True
                        while more:
                            length = _append_inside(work, base, curve)
                            length = _append_outside(work, length, curve)
                            # Each entry of _CHILD becomes at most one byte, so this is more than a line needs.
                            if at + 2 * length + 4 > len(out):
                                return -1
                            work[_LIVES, begin] -= 1
                            work[_LIVES, stop] -= 1
                            line, at = at, _write_position(work, length, spots + 1, out, at)
                            work[_LIVES, begin] += 1
                            work[_LIVES, stop] += 1
                            noted = _add_notes(notes, noted, out, line, at, start, end, every_curve)
                            out[at] = 10
                            at += 1
                            more = around and _next_split(work, groups, own)
    return at


@inlined
def weight_of(text: Array | bytes, at: int) -> int:
    """Return the weight of the land at index ``at`` of a text: its lives * 2^24 + roughly its number of moves.

    The number of lives, which estimates how long play lasts, is the sum over all spots. A letter has one life: half a
    life for each of its two occurrences.
    """
    # If the boundaries of a region have s1, s2, ... spots (``whole`` in all), about (whole^2 - sum s^2) / 2 curves join
    # two boundaries. About s^2 / 2 curves join a boundary of s spots to itself, and each of these can split the n other
    # boundaries in 2^n ways.
    halves = moves = whole = squares = size = boundaries = 0
    code = 0
    while code != 33:
        code = text[at]
        at += 1
        if code > 47:
            size += 1
            halves += 6 if code == 48 else 4 if code == 49 else 2 if code == 50 else 1
            continue
        whole += size
        squares += size * size
        size = 0
        boundaries += 1
        if code != 46:
            moves += (whole * whole - squares + (squares << min(boundaries - 1, _MOST_SPLIT))) // 2
            whole = squares = boundaries = 0
    return (halves // 2 << _BITS_OF_MOVES) + min(moves, (1 << _BITS_OF_MOVES) - 1)


@inlined
def _add_notes(notes: Array, noted: int, out: Array, line: int, at: int, start: int, end: int, ends: bool) -> int:
    """Append numbers about a curve to ``notes``, which has ``noted`` numbers; return the new count of numbers.

    If ``ends`` is true, append ``start`` and ``end``, the ends of the curve. Otherwise append the weight of each land
    of the position after the curve, whose text is ``out[line:at]``.
    """
    if ends:
        notes[noted], notes[noted + 1] = start, end
        return noted + 2
    while line < at:
        notes[noted] = weight_of(out, line)
        noted += 1
        while out[line] != 33:
            line += 1
        line += 1
    return noted


@inlined
def _read_text(text: Array, work: Array) -> tuple[int, int]:
    """Decode the text of a position into the rows _OLD_... and _LIVES; return its numbers of regions and of spots."""
    occurrences = boundaries = regions = spots = 0
    for code in range(256):
        work[_SPOT_OF, code] = -1
    work[_OLD_BEGIN, 0] = work[_OLD_FIRST, 0] = 0
    for index in range(len(text)):
        code = text[index]
        if code == 46 or code == 47 or code == 33:
            boundaries += work[_OLD_BEGIN, boundaries] < occurrences
            work[_OLD_BEGIN, boundaries] = occurrences
            if code != 46 and work[_OLD_FIRST, regions] < boundaries:
                regions += 1
                work[_OLD_FIRST, regions] = boundaries
            continue
        spot = work[_SPOT_OF, code] if code > 64 else -1
        if spot < 0:
            spot = spots
            spots += 1
            work[_LIVES, spot] = 51 - code if code < 64 else 1
            work[_OLD_COUNT_OF, spot] = 0
            work[_SPOT_OF, code] = spot
        work[_OLD_COUNT_OF, spot] += 1
        work[_OLD_SPOTS, occurrences] = spot
        occurrences += 1
    return regions, spots


@inlined
def _group_boundaries(work: Array, first: int, last: int, separate: bool) -> int:
    """Divide the boundaries of a region into groups, alike by :func:`_are_alike`; return the number of groups.

    The boundaries are those from ``first`` to before ``last``. If ``separate`` is true, each boundary is a group. The
    groups are written to the rows _GROUP, _INDEX, _SIZE, _EXAMPLE and _SECOND_EXAMPLE.
    """
    groups = 0
    for boundary in range(first, last):
        own = groups
        for group in range(groups):
            if not separate and _are_alike(work, work[_EXAMPLE, group], boundary):
                own = group
                break
        if own == groups:
            groups += 1
            work[_SIZE, own] = 0
            work[_EXAMPLE, own] = boundary
        elif work[_SIZE, own] == 1:
            work[_SECOND_EXAMPLE, own] = boundary
        work[_GROUP, boundary] = own
        work[_INDEX, boundary] = work[_SIZE, own]
        work[_SIZE, own] += 1
    return groups


@inlined
def _are_alike(work: Array, boundary: int, second: int) -> bool:
    """Return True if the texts of two boundaries are equal and have no letters."""
    begin, start = work[_OLD_BEGIN, boundary], work[_OLD_BEGIN, second]
    size = work[_OLD_BEGIN, boundary + 1] - begin
    if work[_OLD_BEGIN, second + 1] - start != size:
        return False
    for step in range(size):
        left, right = work[_OLD_SPOTS, begin + step], work[_OLD_SPOTS, start + step]
        if work[_OLD_COUNT_OF, left] > 1 or work[_OLD_COUNT_OF, right] > 1 or work[_LIVES, left] != work[_LIVES, right]:
            return False
    return True


@inlined
def _next_split(work: Array, groups: int, own: int) -> bool:
    """Change _INSIDE to the next choice of the boundaries inside a curve; return False after the last choice.

    The curve leads from a boundary to itself, and any of the other boundaries of the region may lie inside. They are in
    groups of alike boundaries: see :func:`_group_boundaries`. Entry g of _INSIDE says how many boundaries of group g
    lie inside: at first 0. ``groups`` is the number of groups. ``own`` is the group of the curve's boundary; this one
    boundary of the group lies on neither side.
    """
    # Count up like the digits of a number, one digit for each group.
    for group in range(groups):
        if work[_INSIDE, group] < work[_SIZE, group] - (group == own):
            work[_INSIDE, group] += 1
            return True
        work[_INSIDE, group] = 0
    return False


@inlined
def _append_inside(work: Array, to: int, curve: _Curve) -> int:
    """Append the region inside a curve to _CHILD at index ``to``; return the new length of _CHILD.

    The first boundary of this region has the spots from the start of the curve to its end, then the new spot. The
    others are boundaries of the old region: from each group as many as _INSIDE says. If the curve joins two boundaries,
    it has no inside: append nothing.
    """
    if not curve.around:
        return to
    to = _copy_spots(work, curve.start, curve.end + 1, to)
    work[_CHILD, to] = curve.new
    work[_CHILD, to + 1] = _BOUNDARY_END
    to += 2
    for boundary in range(work[_OLD_FIRST, curve.region], work[_OLD_FIRST, curve.region + 1]):
        group = work[_GROUP, boundary]
        if boundary != curve.left and work[_INDEX, boundary] - (group == curve.own) < work[_INSIDE, group]:
            to = _copy_boundary(work, boundary, to)
    work[_CHILD, to] = _REGION_END
    return to + 1


@inlined
def _append_outside(work: Array, to: int, curve: _Curve) -> int:
    """Append the region outside a curve to _CHILD at index ``to``; return the new length of _CHILD.

    This region has a boundary from the end of the curve to its start, and the boundaries that _INSIDE does not count.
    If the curve joins two boundaries, append the whole region as it is after the move.
    """
    to = _append_walk(work, to, curve.left, curve.end if curve.around else curve.start, curve.start, curve.new)
    if not curve.around:
        to = _append_walk(work, to, curve.right, curve.end, curve.end, curve.new)
    work[_CHILD, to] = _BOUNDARY_END
    to += 1
    for boundary in range(work[_OLD_FIRST, curve.region], work[_OLD_FIRST, curve.region + 1]):
        group = work[_GROUP, boundary]
        outside = work[_INDEX, boundary] - (group == curve.own) >= work[_INSIDE, group] or not curve.around
        if boundary != curve.left and boundary != curve.right and outside:
            to = _copy_boundary(work, boundary, to)
    work[_CHILD, to] = _REGION_END
    return to + 1


@inlined
def _append_walk(work: Array, to: int, boundary: int, first: int, last: int, new: int) -> int:
    """Append the spots of a walk, then the spot ``new``, to _CHILD at index ``to``; return the new length of _CHILD.

    The walk goes from index ``first`` of _OLD_SPOTS to the last spot of ``boundary``, and then from the first spot of
    the boundary to index ``last``. Both ends are appended, even if they are the same spot. But a spot without curves,
    which is alone on its boundary, is appended only once.
    """
    to = _copy_spots(work, first, work[_OLD_BEGIN, boundary + 1], to)
    to = _copy_spots(work, work[_OLD_BEGIN, boundary], last, to)
    # Copy the spot at ``last``. But a spot without curves (three lives) is alone on its boundary, and already copied.
    if work[_LIVES, work[_OLD_SPOTS, last]] < 3:
        work[_CHILD, to] = work[_OLD_SPOTS, last]
        to += 1
    work[_CHILD, to] = new
    return to + 1


@inlined
def _copy_spots(work: Array, first: int, stop: int, to: int) -> int:
    """Append ``_OLD_SPOTS[first:stop]`` to _CHILD, at index ``to``; return the new length of _CHILD."""
    for index in range(first, stop):
        work[_CHILD, to] = work[_OLD_SPOTS, index]
        to += 1
    return to


@inlined
def _copy_boundary(work: Array, boundary: int, to: int) -> int:
    """Append a boundary of the position before the move to _CHILD, at index ``to``; return the new length of _CHILD."""
    to = _copy_spots(work, work[_OLD_BEGIN, boundary], work[_OLD_BEGIN, boundary + 1], to)
    work[_CHILD, to] = _BOUNDARY_END
    return to + 1


@inlined
def _copy_region(work: Array, region: int, to: int) -> int:
    """Append to _CHILD, at index ``to``, a region of the position before the move; return the new length of _CHILD."""
    for boundary in range(work[_OLD_FIRST, region], work[_OLD_FIRST, region + 1]):
        to = _copy_boundary(work, boundary, to)
    work[_CHILD, to] = _REGION_END
    return to + 1
