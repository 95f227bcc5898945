"""Compiled loops over positions of Sprouts.

They try every curve that may be drawn, and write the position that it leaves as text. Dead spots and regions are
dropped, and equal positions get the same text.

Terms
-----
A *region* is a part of the plane between curves. A *boundary* of a region is the sequence of spots on a walk along one
of its edges. A *land* is a set of regions connected by shared spots: a component of a sum. A spot that occurs at two
places of the boundaries is written as a letter; the others as their number of curves.

A position in memory is a row of numbers: the spots, with an end mark after each boundary and after each region.

The order of spots, boundaries and regions in the text must not depend on how the row was written. So each spot with
two places gets a colour: a hash of all walks through it. Each round hashes the colours of the neighbours again, so that
differences spread. If colours stay equal, one spot of a group gets a new colour of its own. The colours decide the
order of the text. If two hashes are equal by chance, the text is still correct, but the position may have two texts.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined

_BOUNDARY_END, _REGION_END = -1, -2


_FEW = 3
"""The most lives of a region for which it does not matter how its spots are connected."""


_CHILD, _LIVES = 0, 1
"""Rows of the working memory that are inputs: the position, and the lives of each spot by its number."""


# Other rows of the working memory.
# By index in the position after the move: _SPOTS, the spot.
# By spot: _MET, its number of places; _SEEN, the last region in which it occurred; _COLOUR; _SUM, what is added to its
# colour next; _KEY, its rank in comparisons; _HOME, its first region, later its letter; _BETWEEN, the sum of its two
# regions.
# By boundary: _BEGIN, its first index in _SPOTS; _TURN, where its walk starts. _RANK has the boundaries in order.
# By region: _FIRST, its first boundary; _LAND. _ORDER has the regions in order.
_SPOTS, _MET, _SEEN, _COLOUR, _SUM, _KEY, _HOME, _BEGIN, _FIRST, _LAND, _ORDER, _BETWEEN = range(2, 14)


# _HASH and _LINE take two rows, one for each direction. _LETTERS has the spots with two places, _OF_LAND the regions of
# the present land.
_HASH, _LINE, _TURN, _RANK, _LETTERS, _OF_LAND = 14, 16, 18, 19, 20, 21


_SPARE = 22
"""The first row that the code above the moves does not use."""


WORK_ROWS = _SPARE + 12


_BITS = (1 << 31) - 1


_BASE = 0x2545F491


@inlined
def _write_position(work: Array, length: int, spots: int, out: Array, at: int) -> int:
    """Write the lands of a position to ``out`` from index ``at`` on, each followed by ``!``; return the end index."""
    for spot in range(spots):
        work[_MET, spot] = 0
        work[_SEEN, spot] = -1
        work[_HOME, spot] = -1
    regions = _keep_living(work, length)
    _find_lands(work, regions)
    nothing = at
    for land in range(regions):
        if work[_LAND, land] == land:
            at = _write_land(work, land, regions, out, at)
    if at == nothing:
        out[at] = 33
        at += 1
    return at


@inlined
def _keep_living(work: Array, length: int) -> int:
    """Write the regions that have a move, without dead spots; return the number of regions.

    A spot that occurs twice in a row is written once, because both of its sides border the same region. In a region
    with few lives all spots become one boundary.
    """
    # The finished regions end at index ``begin`` of _SPOTS, the finished boundaries at ``start``; ``to`` is where the
    # next spot goes. A region that turns out to be dead is taken back by resetting ``to`` to ``begin``.
    regions = boundaries = to = begin = start = lives = 0
    for place in range(length):
        spot = work[_CHILD, place]
        if spot >= 0:
            if work[_LIVES, spot] and (to == start or work[_SPOTS, to - 1] != spot):
                work[_SPOTS, to] = spot
                to += 1
                if work[_SEEN, spot] != regions:
                    work[_SEEN, spot] = regions
                    lives += work[_LIVES, spot]
        elif spot == _BOUNDARY_END:
            # A boundary is a cycle: its last spot is next to its first.
            if to - start > 1 and work[_SPOTS, to - 1] == work[_SPOTS, start]:
                to -= 1
            if to > start:
                work[_BEGIN, boundaries] = start
                boundaries += 1
                start = to
        else:
            first = work[_FIRST, regions] if regions else 0
            # With three lives at most, the connections do not matter: write each spot once, in one boundary.
            if 1 < lives <= _FEW:
                boundaries = first + 1
                start, to = to, begin
                for other in range(begin, start):
                    spot = work[_SPOTS, other]
                    if work[_SEEN, spot] == regions:
                        work[_SEEN, spot] = -1
                        work[_SPOTS, to] = spot
                        to += 1
            # A curve takes two lives: a region with fewer has no move.
            if lives > 1:
                regions += 1
                work[_FIRST, 0] = 0
                work[_FIRST, regions] = boundaries
                for other in range(begin, to):
                    work[_MET, work[_SPOTS, other]] += 1
            else:
                for other in range(begin, to):
                    work[_SEEN, work[_SPOTS, other]] = -1
                boundaries, to = first, begin
            begin = start = to
            lives = 0
    work[_BEGIN, boundaries] = to
    return regions


@inlined
def _find_lands(work: Array, regions: int) -> None:
    """Set _LAND of each region to the lowest-numbered region that it is connected to by shared spots."""
    for region in range(regions):
        work[_LAND, region] = region
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        for place in range(work[_BEGIN, first], work[_BEGIN, last]):
            spot = work[_SPOTS, place]
            if work[_MET, spot] == 1:
                work[_BETWEEN, spot] = -1
                continue
            if work[_HOME, spot] < 0:
                work[_HOME, spot] = work[_BETWEEN, spot] = region
                continue
            work[_BETWEEN, spot] += region
            one, other = work[_LAND, work[_HOME, spot]], work[_LAND, region]
            if one != other:
                # There are few regions, so renaming all of them is cheaper than a union-find.
                lower, higher = min(one, other), max(one, other)
                for each in range(region + 1):
                    if work[_LAND, each] == higher:
                        work[_LAND, each] = lower


@inlined
def _write_land(work: Array, land: int, regions: int, out: Array, at: int) -> int:
    """Write one land to ``out`` from index ``at`` on; return the end index."""
    here = letters = 0
    for region in range(land, regions):
        if work[_LAND, region] == land:
            work[_OF_LAND, here] = region
            here += 1
            first, last = work[_FIRST, region], work[_FIRST, region + 1]
            for place in range(work[_BEGIN, first], work[_BEGIN, last]):
                spot = work[_SPOTS, place]
                # The keys decide the order of the text: 1 to 3 for a spot with one place (by its curves), more for a
                # letter, 0 for the end of a boundary.
                if work[_MET, spot] == 1:
                    work[_COLOUR, spot] = work[_KEY, spot] = 4 - work[_LIVES, spot]
                elif work[_HOME, spot] >= 0:
                    work[_HOME, spot] = -1
                    work[_COLOUR, spot] = 4
                    work[_LETTERS, letters] = spot
                    letters += 1
    _tell_apart(work, here, letters)
    for number in range(letters):
        spot = work[_LETTERS, number]
        work[_KEY, spot] = 4 + work[_COLOUR, spot]
        work[_HOME, spot] = -1
    for number in range(here):
        _arrange(work, work[_OF_LAND, number])
    _sort_regions(work, here)
    # The order is fixed now, so letters can be given out as the spots come: a, b, c, ... The codes written are those of
    # "." (46), "/" (47), "!" (33), and "0", "1", "2" (51 minus the lives).
    named = 0
    for number in range(here):
        region = work[_ORDER, number]
        begin, end = _line(work, region)
        for place in range(begin, end):
            spot = work[_LINE, place]
            if spot < 0:
                out[at] = 46
            elif work[_MET, spot] == 1:
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
    """Return the Latin-1 code of a letter: a to z, A to Z, then the letters with accents."""
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
def _tell_apart(work: Array, regions: int, letters: int) -> None:
    """Refine the colours until each spot with two places has a colour of its own."""
    colours = 1
    # Each round increases the number of colours, or gives one spot a new colour: two rounds for each letter are enough.
    for _ in range(2 * letters):
        if colours >= letters:
            break
        _look_around(work, regions, letters)
        found, twin = _colours(work, letters)
        if found <= colours:
            # Spots that still share a colour are treated as symmetric: it does not matter which one is singled out.
            for number in range(letters):
                spot = work[_LETTERS, number]
                if work[_COLOUR, spot] == twin:
                    work[_COLOUR, spot] = _mixed(twin + 1)
                    break
            found += 1
        colours = found


@inlined
def _look_around(work: Array, regions: int, letters: int) -> None:
    """Give each spot with two places a new colour: a hash of the walks from it, in both directions."""
    for number in range(letters):
        work[_SUM, work[_LETTERS, number]] = 0
    for number in range(regions):
        region = work[_OF_LAND, number]
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        # A sum over both directions and both places does not depend on which comes first.
        one, other = _walk(work, first, last, 0), _walk(work, first, last, 1)
        for place in range(work[_BEGIN, first], work[_BEGIN, last]):
            spot = work[_SPOTS, place]
            if work[_MET, spot] > 1:
                work[_SUM, spot] += _mixed(work[_HASH, place] + one) + _mixed(work[_HASH + 1, place] + other)
    for number in range(letters):
        spot = work[_LETTERS, number]
        work[_COLOUR, spot] = _mixed(work[_COLOUR, spot] + work[_SUM, spot])


@inlined
def _walk(work: Array, first: int, last: int, side: int) -> int:
    """Hash the walk around its boundary from each place of a region, in one direction; return a hash of the region.

    ``side`` is 0 for forward, 1 for backward. The hash of a spot also tells whether it lies between the same two
    regions as the spot before it.
    """
    region = 0
    for boundary in range(first, last):
        begin, end = work[_BEGIN, boundary], work[_BEGIN, boundary + 1]
        # A rolling hash: the walk from the next place costs one step, not a whole round.
        walk, power, total = 0, 1, 0
        before = work[_SPOTS, begin if side else end - 1]
        for step in range(end - begin):
            place = end - 1 - step if side else begin + step
            spot = work[_SPOTS, place]
            met = work[_COLOUR, spot] + (work[_BETWEEN, spot] == work[_BETWEEN, before]) & _BITS
            before = spot
            work[_HASH + side, place] = met
            walk = (walk * _BASE + met) & _BITS
            power = power * _BASE & _BITS if step else 1
        for step in range(end - begin):
            place = end - 1 - step if side else begin + step
            met = work[_HASH + side, place]
            work[_HASH + side, place] = walk
            total += _mixed(walk)
            walk = ((walk - met * power & _BITS) * _BASE + met) & _BITS
        region += _mixed(total)
    return _mixed(region)


@inlined
def _mixed(number: int) -> int:
    """Scramble a number of 31 bits, one to one: xor-shifts and multiplications by odd numbers."""
    number &= _BITS
    number = (number ^ number >> 15) * 0x2C1B3C6D & _BITS
    number = (number ^ number >> 12) * 0x297A2D39 & _BITS
    return number ^ number >> 15


@inlined
def _colours(work: Array, letters: int) -> tuple[int, int]:
    """Return the number of different colours, and the least colour that several spots share (-1 if none)."""
    # Compare each letter with those before it: there are few.
    found, twin = letters, -1
    for number in range(letters):
        colour, other = work[_COLOUR, work[_LETTERS, number]], 0
        while work[_COLOUR, work[_LETTERS, other]] != colour:
            other += 1
        if other < number:
            found -= 1
            twin = colour if twin < 0 else min(twin, colour)
    return found, twin


@inlined
def _arrange(work: Array, region: int) -> None:
    """Write a region in its standard order, or its reflection if that is smaller.

    Each boundary starts where its walk is least, and the boundaries are sorted.
    """
    for side in range(2):
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        # Find the start at which the walk is least, and insert the boundary into the sorted ones: there are few.
        for boundary in range(first, last):
            begin, size = work[_BEGIN, boundary], work[_BEGIN, boundary + 1] - work[_BEGIN, boundary]
            best = 0
            for turn in range(1, size):
                if _compare_walks(work, begin, size, turn, begin, size, best, side) < 0:
                    best = turn
            work[_TURN, boundary] = best
            to = boundary
            while to > first:
                other = work[_RANK, to - 1]
                start, length = work[_BEGIN, other], work[_BEGIN, other + 1] - work[_BEGIN, other]
                if _compare_walks(work, begin, size, best, start, length, work[_TURN, other], side) >= 0:
                    break
                work[_RANK, to] = other
                to -= 1
            work[_RANK, to] = boundary
        to, _ = _line(work, region)
        for number in range(first, last):
            boundary = work[_RANK, number]
            begin, size = work[_BEGIN, boundary], work[_BEGIN, boundary + 1] - work[_BEGIN, boundary]
            for step in range(size):
                work[_LINE + side, to] = work[_SPOTS, _step(begin, size, work[_TURN, boundary] + step, side)]
                to += 1
            work[_LINE + side, to] = -1
            to += 1
    begin, end = _line(work, region)
    for place in range(begin, end):
        one, other = _key(work, work[_LINE, place]), _key(work, work[_LINE + 1, place])
        if one < other:
            break
        if one > other:
            for each in range(begin, end):
                work[_LINE, each] = work[_LINE + 1, each]
            break


@inlined
def _line(work: Array, region: int) -> tuple[int, int]:
    """Return where the text of a region begins and ends in _LINE: its spots, and one entry between boundaries."""
    first, last = work[_FIRST, region], work[_FIRST, region + 1]
    return work[_BEGIN, first] + first, work[_BEGIN, last] + last - 1


@inlined
def _key(work: Array, spot: int) -> int:
    """Return the rank of a spot in comparisons; 0 for the end of a boundary."""
    return work[_KEY, spot] if spot >= 0 else 0


@inlined
def _step(begin: int, size: int, step: int, side: int) -> int:
    """Return the index in _SPOTS of a step along a boundary, which begins at ``begin`` and has ``size`` spots."""
    step -= size if step >= size else 0
    return begin + (size - 1 - step if side else step)


@inlined
def _compare_walks(
    work: Array, begin: int, size: int, turn: int, start: int, length: int, other_turn: int, side: int
) -> int:
    """Compare two walks around boundaries: negative if the first is smaller, 0 if they are equal."""
    for step in range(min(size, length)):
        one: int = work[_KEY, work[_SPOTS, _step(begin, size, turn + step, side)]]
        other: int = work[_KEY, work[_SPOTS, _step(start, length, other_turn + step, side)]]
        if one != other:
            return one - other
    return size - length


@inlined
def _sort_regions(work: Array, regions: int) -> None:
    """Write the regions of the present land into _ORDER, sorted by their texts."""
    for number in range(regions):
        region, to = work[_OF_LAND, number], number
        while to and _compare_lines(work, region, work[_ORDER, to - 1]) < 0:
            work[_ORDER, to] = work[_ORDER, to - 1]
            to -= 1
        work[_ORDER, to] = region


@inlined
def _compare_lines(work: Array, region: int, other: int) -> int:
    """Compare the texts of two regions: negative if the first is smaller, 0 if they are equal."""
    begin, end = _line(work, region)
    start, stop = _line(work, other)
    for step in range(min(end - begin, stop - start)):
        difference: int = _key(work, work[_LINE, begin + step]) - _key(work, work[_LINE, start + step])
        if difference:
            return difference
    return (end - begin) - (stop - start)


_OLD_SPOTS, _OLD_BEGIN, _OLD_FIRST, _OLD_MET, _NAMED = range(_SPARE, _SPARE + 5)
"""The position before the move: its spots in the order of the text, where each boundary begins, the first boundary of
each region, the number of places of each spot, and the spot of each letter."""


_GROUP, _INDEX, _SIZE, _COUNT, _ONE, _TWO = range(_SPARE + 5, _SPARE + 11)
"""Groups of boundaries that are alike. For each boundary: its group, and its index in the group. For each group: its
size, how many of its boundaries lie inside the present curve, and its first two boundaries."""


_FINE, _MOST_PARTED = 24, 16
"""In a weight: the bits for the number of moves, and the most boundaries for which every way to split them counts."""


class _Curve(NamedTuple):
    """A curve between two places on the boundaries of a region."""

    region: int
    left: int  # the boundary where it begins
    right: int  # the boundary where it ends
    start: int  # the index in _OLD_SPOTS where it begins
    end: int  # the index where it ends
    new: int  # the new spot on the curve
    around: bool  # True if both ends are on one boundary, so that the curve splits the region in two
    own: int  # the group of the boundary where it begins


@compiled
def settle_loop(text: Array, work: Array, out: Array) -> int:
    """Write the standard text of a position, the same for all its texts; return its length."""
    regions, spots = _read(text, work)
    length = 0
    for region in range(regions):
        length = _copy_region(work, region, length)
    return _write_position(work, length, spots, out, 0)


@compiled
def weight_loop(text: Array) -> int:
    """Return the weight of the first land of a text; see ``_weight_of``."""
    return _weight_of(text, 0)


@compiled
def options_loop(text: Array, work: Array, out: Array, notes: Array, each: bool) -> int:
    """Write the position that each curve leaves, one on a line; return the length, or -1 if ``out`` is too short.

    With ``each``, all curves are tried, and ``notes`` gets the two places of the text where each curve ends. Without,
    one boundary stands for all boundaries that are alike, and ``notes`` gets the weight of each land.
    """
    regions, spots = _read(text, work)
    at = noted = 0
    new = spots
    work[_LIVES, new] = 1
    for region in range(regions):
        # The other regions are not changed by the move: copy them once.
        base = 0
        for other in range(regions):
            if other != region:
                base = _copy_region(work, other, base)
        first, last = work[_OLD_FIRST, region], work[_OLD_FIRST, region + 1]
        groups = _find_alike(work, first, last, each)
        for one in range(groups):
            for two in range(one, groups + 1):
                around = two == groups  # a curve from a boundary to itself
                # A curve joins two boundaries of different groups, two of the same group, or a boundary to itself.
                if two == one and work[_SIZE, one] < 2:
                    continue
                left = work[_ONE, one]
                right = left if around else work[_TWO, one] if two == one else work[_ONE, two]
                for start in range(work[_OLD_BEGIN, left], work[_OLD_BEGIN, left + 1]):
                    for end in range(start if around else work[_OLD_BEGIN, right], work[_OLD_BEGIN, right + 1]):
                        begin, stop = work[_OLD_SPOTS, start], work[_OLD_SPOTS, end]
                        curve = _Curve(region, left, right, start, end, new, around, one)
                        # A curve from a spot to itself takes two of its lives.
                        if begin == stop and (work[_LIVES, begin] < 2 or (around and start != end)):
                            continue
                        for group in range(groups):
                            work[_COUNT, group] = 0
                        # A curve around splits the other boundaries between its inside and its outside: try every
                        # way, counted by how many boundaries of each group lie inside.
                        more = True
                        while more:
                            length = _append_within(work, base, curve)
                            length = _append_rest(work, length, curve)
                            # Each number becomes at most one byte of text, so this is more than a line needs.
                            if at + 2 * length + 4 > len(out):
                                return -1
                            work[_LIVES, begin] -= 1
                            work[_LIVES, stop] -= 1
                            line, at = at, _write_position(work, length, spots + 1, out, at)
                            work[_LIVES, begin] += 1
                            work[_LIVES, stop] += 1
                            noted = _note(notes, noted, out, line, at, start, end, each)
                            out[at] = 10
                            at += 1
                            more = around and _next_counts(work, groups, one)
    return at


@inlined
def _weight_of(text: Array, at: int) -> int:
    """Return the weight of the land at index ``at`` of a text: mainly its lives, then roughly its number of moves.

    The lives tell how long play lasts; they are in the high bits, from bit 24 on. A letter has one life, and counts
    half at each of its two places.
    """
    # A region of boundaries with s1, s2, ... places (``whole`` in all) has about (whole^2 - sum s^2) / 2 curves between
    # two boundaries. A boundary has about s^2 / 2 curves to itself, each with 2^(other boundaries) ways to split.
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
            moves += (whole * whole - squares + (squares << min(boundaries - 1, _MOST_PARTED))) // 2
            whole = squares = boundaries = 0
    return (halves // 2 << _FINE) + min(moves, (1 << _FINE) - 1)


@inlined
def _note(notes: Array, noted: int, out: Array, line: int, at: int, start: int, end: int, each: bool) -> int:
    """Note the two ends of a curve, or the weight of each land of a line; return the new number of notes."""
    if each:
        notes[noted], notes[noted + 1] = start, end
        return noted + 2
    while line < at:
        notes[noted] = _weight_of(out, line)
        noted += 1
        while out[line] != 33:
            line += 1
        line += 1
    return noted


@inlined
def _read(text: Array, work: Array) -> tuple[int, int]:
    """Read the position of a text into the _OLD rows; return its numbers of regions and of spots."""
    places = boundaries = regions = spots = 0
    for code in range(256):
        work[_NAMED, code] = -1
    work[_OLD_BEGIN, 0] = work[_OLD_FIRST, 0] = 0
    for index in range(len(text)):
        code = text[index]
        if code == 46 or code == 47 or code == 33:
            boundaries += work[_OLD_BEGIN, boundaries] < places
            work[_OLD_BEGIN, boundaries] = places
            if code != 46 and work[_OLD_FIRST, regions] < boundaries:
                regions += 1
                work[_OLD_FIRST, regions] = boundaries
            continue
        spot = work[_NAMED, code] if code > 64 else -1
        if spot < 0:
            spot = spots
            spots += 1
            work[_LIVES, spot] = 51 - code if code < 64 else 1
            work[_OLD_MET, spot] = 0
            work[_NAMED, code] = spot
        work[_OLD_MET, spot] += 1
        work[_OLD_SPOTS, places] = spot
        places += 1
    return regions, spots


@inlined
def _find_alike(work: Array, first: int, last: int, each: bool) -> int:
    """Group the boundaries of a region that are equal up to the names of their spots; return the number of groups.

    Only boundaries whose spots have no other place are grouped; with ``each``, every boundary is its own group.
    """
    groups = 0
    for boundary in range(first, last):
        found = groups
        for group in range(groups):
            if not each and _are_alike(work, work[_ONE, group], boundary):
                found = group
                break
        if found == groups:
            groups += 1
            work[_SIZE, found] = 0
            work[_ONE, found] = boundary
        elif work[_SIZE, found] == 1:
            work[_TWO, found] = boundary
        work[_GROUP, boundary] = found
        work[_INDEX, boundary] = work[_SIZE, found]
        work[_SIZE, found] += 1
    return groups


@inlined
def _are_alike(work: Array, one: int, other: int) -> bool:
    """Return True if two boundaries have the same lives in the same order, and no spot has another place."""
    begin, start = work[_OLD_BEGIN, one], work[_OLD_BEGIN, other]
    size = work[_OLD_BEGIN, one + 1] - begin
    if work[_OLD_BEGIN, other + 1] - start != size:
        return False
    for step in range(size):
        left, right = work[_OLD_SPOTS, begin + step], work[_OLD_SPOTS, start + step]
        if work[_OLD_MET, left] > 1 or work[_OLD_MET, right] > 1 or work[_LIVES, left] != work[_LIVES, right]:
            return False
    return True


@inlined
def _next_counts(work: Array, groups: int, own: int) -> bool:
    """Advance _COUNT to the next way to split the other boundaries; return False after the last one."""
    # Counts up like the digits of a number, one digit for each group. The curve's own boundary is not to be split.
    for group in range(groups):
        if work[_COUNT, group] < work[_SIZE, group] - (group == own):
            work[_COUNT, group] += 1
            return True
        work[_COUNT, group] = 0
    return False


@inlined
def _append_within(work: Array, to: int, curve: _Curve) -> int:
    """Append the region inside a curve from a boundary to itself; return the new length."""
    if not curve.around:
        return to
    to = _copy_places(work, curve.start, curve.end + 1, to)
    work[_CHILD, to] = curve.new
    work[_CHILD, to + 1] = _BOUNDARY_END
    to += 2
    for boundary in range(work[_OLD_FIRST, curve.region], work[_OLD_FIRST, curve.region + 1]):
        group = work[_GROUP, boundary]
        if boundary != curve.left and work[_INDEX, boundary] - (group == curve.own) < work[_COUNT, group]:
            to = _copy_boundary(work, boundary, to)
    work[_CHILD, to] = _REGION_END
    return to + 1


@inlined
def _append_rest(work: Array, to: int, curve: _Curve) -> int:
    """Append the region outside a curve, or the region in which a curve joins two boundaries; return the new length."""
    to = _append_from(work, to, curve.left, curve.end if curve.around else curve.start, curve.start, curve.new)
    if not curve.around:
        to = _append_from(work, to, curve.right, curve.end, curve.end, curve.new)
    work[_CHILD, to] = _BOUNDARY_END
    to += 1
    for boundary in range(work[_OLD_FIRST, curve.region], work[_OLD_FIRST, curve.region + 1]):
        group = work[_GROUP, boundary]
        outside = work[_INDEX, boundary] - (group == curve.own) >= work[_COUNT, group] or not curve.around
        if boundary != curve.left and boundary != curve.right and outside:
            to = _copy_boundary(work, boundary, to)
    work[_CHILD, to] = _REGION_END
    return to + 1


@inlined
def _append_from(work: Array, to: int, boundary: int, first: int, last: int, new: int) -> int:
    """Append a boundary from index ``first`` around to index ``last``, where the curve ends, then the new spot."""
    # The walk arrives at ``last`` and goes on along the curve. A spot without curves is not passed a second time.
    to = _copy_places(work, first, work[_OLD_BEGIN, boundary + 1], to)
    to = _copy_places(work, work[_OLD_BEGIN, boundary], last, to)
    if work[_LIVES, work[_OLD_SPOTS, last]] < 3:
        work[_CHILD, to] = work[_OLD_SPOTS, last]
        to += 1
    work[_CHILD, to] = new
    return to + 1


@inlined
def _copy_places(work: Array, first: int, stop: int, to: int) -> int:
    for place in range(first, stop):
        work[_CHILD, to] = work[_OLD_SPOTS, place]
        to += 1
    return to


@inlined
def _copy_boundary(work: Array, boundary: int, to: int) -> int:
    to = _copy_places(work, work[_OLD_BEGIN, boundary], work[_OLD_BEGIN, boundary + 1], to)
    work[_CHILD, to] = _BOUNDARY_END
    return to + 1


@inlined
def _copy_region(work: Array, region: int, to: int) -> int:
    for boundary in range(work[_OLD_FIRST, region], work[_OLD_FIRST, region + 1]):
        to = _copy_boundary(work, boundary, to)
    work[_CHILD, to] = _REGION_END
    return to + 1
