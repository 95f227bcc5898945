"""The texts of Sprouts positions, as parts of compiled loops: what is dead goes, what is alike gets one text.

A position is numbers in a row: spots, an end after each boundary and another after each region. Which spot lies first
in the text must not depend on how the row was written. So each spot that is met twice gets a colour, a hash of all
walks that meet it, of which those of its neighbours are part the next time; where colours stay equal one of the spots
is given a colour of its own. What the colours put in order is the text: should two hashes be equal by chance, then
another text of the same position.
"""

from __future__ import annotations

from graphgame.compiled.compiling import Array, inlined

BOUNDARY_END, REGION_END = -1, -2
_FEW = 3
"""Lives of a region in which it does not matter how the spots are connected."""

CHILD, LIVES = 0, 1
"""The rows of the working memory that are given: the position, and the lives of the spots by their numbers."""

_SPOTS, _MET, _SEEN, _COLOUR, _SUM, _KEY, _HOME, _BEGIN, _FIRST, _LAND, _ORDER, _BETWEEN = range(2, 14)
_HASH, _LINE, _TURN, _RANK, _LETTERS, _SORTED, _OF_LAND = 14, 16, 18, 19, 20, 21, 22
SPARE = 23
"""The first row that is not used here."""

WORK_ROWS = SPARE + 12

_BITS = (1 << 31) - 1
_BASE = 0x2545F491


@inlined
def write_position(work: Array, length: int, spots: int, out: Array, at: int) -> int:
    """Write the lands of a position, each with ``!`` after it, from a place of the output on; return where they end."""
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
    """Write the regions that have a move, without dead spots; return how many there are.

    A spot that is met twice running is met once: both sides of it are the same side. In a region with few lives all
    spots are one boundary.
    """
    regions = boundaries = to = begin = start = lives = 0
    for place in range(length):
        spot = work[CHILD, place]
        if spot >= 0:
            if work[LIVES, spot] and (to == start or work[_SPOTS, to - 1] != spot):
                work[_SPOTS, to] = spot
                to += 1
                if work[_SEEN, spot] != regions:
                    work[_SEEN, spot] = regions
                    lives += work[LIVES, spot]
        elif spot == BOUNDARY_END:
            if to - start > 1 and work[_SPOTS, to - 1] == work[_SPOTS, start]:
                to -= 1
            if to > start:
                work[_BEGIN, boundaries] = start
                boundaries += 1
                start = to
        else:
            first = work[_FIRST, regions] if regions else 0
            if 1 < lives <= _FEW:
                boundaries = first + 1
                start, to = to, begin
                for other in range(begin, start):
                    spot = work[_SPOTS, other]
                    if work[_SEEN, spot] == regions:
                        work[_SEEN, spot] = -1
                        work[_SPOTS, to] = spot
                        to += 1
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
    """Give all regions that share spots, directly or not, the number of the first of them."""
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
                lower, higher = min(one, other), max(one, other)
                for each in range(region + 1):
                    if work[_LAND, each] == higher:
                        work[_LAND, each] = lower


@inlined
def _write_land(work: Array, land: int, regions: int, out: Array, at: int) -> int:
    here = letters = 0
    for region in range(land, regions):
        if work[_LAND, region] == land:
            work[_OF_LAND, here] = region
            here += 1
            first, last = work[_FIRST, region], work[_FIRST, region + 1]
            for place in range(work[_BEGIN, first], work[_BEGIN, last]):
                spot = work[_SPOTS, place]
                if work[_MET, spot] == 1:
                    work[_COLOUR, spot] = work[_KEY, spot] = 4 - work[LIVES, spot]
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
    named = 0
    for number in range(here):
        region = work[_ORDER, number]
        begin, end = _line(work, region)
        for place in range(begin, end):
            spot = work[_LINE, place]
            if spot < 0:
                out[at] = 46
            elif work[_MET, spot] == 1:
                out[at] = 51 - work[LIVES, spot]
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
    """Return the code of a letter in Latin-1: a to z, A to Z, and those with accents."""
    if number < 26:
        return 97 + number
    if number < 52:
        return 39 + number
    code = 140 + number
    code += code >= 0xD7
    code += code >= 0xF7
    return code


@inlined
def _tell_apart(work: Array, regions: int, letters: int) -> None:
    """Give all spots that are met twice colours of their own."""
    colours = 1
    for _ in range(2 * letters):
        if colours >= letters:
            break
        _look_around(work, regions, letters)
        found, twin = _colours(work, letters)
        if found <= colours:
            for number in range(letters):
                spot = work[_LETTERS, number]
                if work[_COLOUR, spot] == twin:
                    work[_COLOUR, spot] = _mixed(twin + 1)
                    break
            found += 1
        colours = found


@inlined
def _look_around(work: Array, regions: int, letters: int) -> None:
    """Give each spot that is met twice the colour that tells what one meets from it, in both directions."""
    for number in range(letters):
        work[_SUM, work[_LETTERS, number]] = 0
    for number in range(regions):
        region = work[_OF_LAND, number]
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
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
    """Hash the walks along the boundaries of a region in one direction, from each place; return what tells them all.

    Of two spots in a row it counts whether they lie between the same two regions.
    """
    region = 0
    for boundary in range(first, last):
        begin, end = work[_BEGIN, boundary], work[_BEGIN, boundary + 1]
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
    number &= _BITS
    number = (number ^ number >> 15) * 0x2C1B3C6D & _BITS
    number = (number ^ number >> 12) * 0x297A2D39 & _BITS
    return number ^ number >> 15


@inlined
def _colours(work: Array, letters: int) -> tuple[int, int]:
    """Return how many colours there are, and the least one that several spots have."""
    for number in range(letters):
        colour, to = work[_COLOUR, work[_LETTERS, number]], number
        while to and work[_SORTED, to - 1] > colour:
            work[_SORTED, to] = work[_SORTED, to - 1]
            to -= 1
        work[_SORTED, to] = colour
    found, twin = letters, -1
    for number in range(letters - 1, 0, -1):
        if work[_SORTED, number] == work[_SORTED, number - 1]:
            found -= 1
            twin = work[_SORTED, number]
    return found, twin


@inlined
def _arrange(work: Array, region: int) -> None:
    """Write a region as the lesser of it and its reflection, each boundary from where it is least, in order."""
    for side in range(2):
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
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
    """Return where the line of a region begins and ends: its spots, with a place between boundaries."""
    first, last = work[_FIRST, region], work[_FIRST, region + 1]
    return work[_BEGIN, first] + first, work[_BEGIN, last] + last - 1


@inlined
def _key(work: Array, spot: int) -> int:
    return work[_KEY, spot] if spot >= 0 else 0


@inlined
def _step(begin: int, size: int, step: int, side: int) -> int:
    """Return the place of a step along a boundary."""
    step -= size if step >= size else 0
    return begin + (size - 1 - step if side else step)


@inlined
def _compare_walks(
    work: Array, begin: int, size: int, turn: int, start: int, length: int, other_turn: int, side: int
) -> int:
    for step in range(min(size, length)):
        one: int = work[_KEY, work[_SPOTS, _step(begin, size, turn + step, side)]]
        other: int = work[_KEY, work[_SPOTS, _step(start, length, other_turn + step, side)]]
        if one != other:
            return one - other
    return size - length


@inlined
def _sort_regions(work: Array, regions: int) -> None:
    for number in range(regions):
        region, to = work[_OF_LAND, number], number
        while to and _compare_lines(work, region, work[_ORDER, to - 1]) < 0:
            work[_ORDER, to] = work[_ORDER, to - 1]
            to -= 1
        work[_ORDER, to] = region


@inlined
def _compare_lines(work: Array, region: int, other: int) -> int:
    begin, end = _line(work, region)
    start, stop = _line(work, other)
    for step in range(min(end - begin, stop - start)):
        difference: int = _key(work, work[_LINE, begin + step]) - _key(work, work[_LINE, start + step])
        if difference:
            return difference
    return (end - begin) - (stop - start)
