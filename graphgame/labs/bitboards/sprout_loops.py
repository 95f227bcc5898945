"""The moves of Sprouts, as compiled loops: every curve that may be drawn, and the text of what it leaves."""

from __future__ import annotations

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.labs.bitboards.sprout_forms import BOUNDARY_END, CHILD, LIVES, REGION_END, SPARE, write_position

_PLACES, _BEGIN, _FIRST, _MET, _NAMED = range(SPARE, SPARE + 5)
"""The position that moves are made from: the spots in the order of the text, where boundaries begin, which of them
are the first of regions, how often a spot is met, and the spots of the letters."""

_GROUP, _INDEX, _SIZE, _COUNT, _ONE, _TWO = range(SPARE + 5, SPARE + 11)
"""Boundaries that are alike: the group of each and its number there, and of each group how many it has, how many of
them lie within a curve, and the first two."""

_FINE, _MOST_PARTED = 24, 16
"""Bits for the moves in a weight, and boundaries of which all ways to part them count."""


@compiled
def settle_loop(text: Array, work: Array, out: Array) -> int:
    """Write the text that stands for all of a position's texts; return its length."""
    regions, spots = _read(text, work)
    length = 0
    for region in range(regions):
        length = _copy_region(work, region, length)
    return write_position(work, length, spots, out, 0)


@compiled
def weight_loop(text: Array) -> int:
    """Return the weight of the first land of a text."""
    return _weight_of(text, 0)


@compiled
def options_loop(text: Array, work: Array, out: Array, notes: Array, each: bool) -> int:
    """Write what the curves leave, a line each; return the length, or -1 where there is no room.

    If each counts then the two places of the text where each curve ends are noted. Else of boundaries that are alike
    one stands for all, and the weight of each land is noted.
    """
    regions, spots = _read(text, work)
    at = noted = 0
    new = spots
    work[LIVES, new] = 1
    for region in range(regions):
        base = 0
        for other in range(regions):
            if other != region:
                base = _copy_region(work, other, base)
        first, last = work[_FIRST, region], work[_FIRST, region + 1]
        groups = _find_alike(work, first, last, each)
        for one in range(groups):
            for two in range(one, groups + 1):
                around = two == groups  # a curve from a boundary to itself
                if two == one and work[_SIZE, one] < 2:
                    continue
                left = work[_ONE, one]
                right = left if around else work[_TWO, one] if two == one else work[_ONE, two]
                for start in range(work[_BEGIN, left], work[_BEGIN, left + 1]):
                    for end in range(start if around else work[_BEGIN, right], work[_BEGIN, right + 1]):
                        begin, stop = work[_PLACES, start], work[_PLACES, end]
                        if begin == stop and (work[LIVES, begin] < 2 or (around and start != end)):
                            continue
                        for group in range(groups):
                            work[_COUNT, group] = 0
                        more = True
                        while more:
                            length = _append_within(work, base, region, left, start, end, new, around, one)
                            length = _append_rest(work, length, region, left, right, start, end, new, around, one)
                            if at + 2 * length + 4 > len(out):
                                return -1
                            work[LIVES, begin] -= 1
                            work[LIVES, stop] -= 1
                            line, at = at, write_position(work, length, spots + 1, out, at)
                            work[LIVES, begin] += 1
                            work[LIVES, stop] += 1
                            noted = _note(notes, noted, out, line, at, start, end, each)
                            out[at] = 10
                            at += 1
                            more = around and _next_counts(work, groups, one)
    return at


@inlined
def _weight_of(text: Array, at: int) -> int:
    """Return the lives of a land, which tell how long play lasts; among equals, about how many moves there are.

    The lives of spots that are met twice count half at each place. Of a region's moves some join two boundaries, others
    part the rest in two.
    """
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
    """Note where a curve ends, or what the lands of a line weigh; return how much is noted."""
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
    """Write the position of a text; return how many regions and spots it has."""
    places = boundaries = regions = spots = 0
    for code in range(256):
        work[_NAMED, code] = -1
    work[_BEGIN, 0] = work[_FIRST, 0] = 0
    for index in range(len(text)):
        code = text[index]
        if code == 46 or code == 47 or code == 33:
            boundaries += work[_BEGIN, boundaries] < places
            work[_BEGIN, boundaries] = places
            if code != 46 and work[_FIRST, regions] < boundaries:
                regions += 1
                work[_FIRST, regions] = boundaries
            continue
        spot = work[_NAMED, code] if code > 64 else -1
        if spot < 0:
            spot = spots
            spots += 1
            work[LIVES, spot] = 51 - code if code < 64 else 1
            work[_MET, spot] = 0
            work[_NAMED, code] = spot
        work[_MET, spot] += 1
        work[_PLACES, places] = spot
        places += 1
    return regions, spots


@inlined
def _find_alike(work: Array, first: int, last: int, each: bool) -> int:
    """Group the boundaries of a region that differ in nothing but the names of spots that are met nowhere else."""
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
    begin, start = work[_BEGIN, one], work[_BEGIN, other]
    size = work[_BEGIN, one + 1] - begin
    if work[_BEGIN, other + 1] - start != size:
        return False
    for step in range(size):
        left, right = work[_PLACES, begin + step], work[_PLACES, start + step]
        if work[_MET, left] > 1 or work[_MET, right] > 1 or work[LIVES, left] != work[LIVES, right]:
            return False
    return True


@inlined
def _next_counts(work: Array, groups: int, own: int) -> bool:
    """Go on to the next way to part the other boundaries in two; tell whether there is one."""
    for group in range(groups):
        if work[_COUNT, group] < work[_SIZE, group] - (group == own):
            work[_COUNT, group] += 1
            return True
        work[_COUNT, group] = 0
    return False


@inlined
def _append_within(
    work: Array, to: int, region: int, left: int, start: int, end: int, new: int, around: bool, own: int
) -> int:
    """Write the region within a curve from a boundary to itself."""
    if not around:
        return to
    to = _copy_places(work, start, end + 1, to)
    work[CHILD, to] = new
    work[CHILD, to + 1] = BOUNDARY_END
    to += 2
    for boundary in range(work[_FIRST, region], work[_FIRST, region + 1]):
        group = work[_GROUP, boundary]
        if boundary != left and work[_INDEX, boundary] - (group == own) < work[_COUNT, group]:
            to = _copy_boundary(work, boundary, to)
    work[CHILD, to] = REGION_END
    return to + 1


@inlined
def _append_rest(
    work: Array, to: int, region: int, left: int, right: int, start: int, end: int, new: int, around: bool, own: int
) -> int:
    """Write the region outside of a curve, or that of the boundary that a curve makes of two."""
    to = _append_from(work, to, left, end if around else start, start, new)
    if not around:
        to = _append_from(work, to, right, end, end, new)
    work[CHILD, to] = BOUNDARY_END
    to += 1
    for boundary in range(work[_FIRST, region], work[_FIRST, region + 1]):
        group = work[_GROUP, boundary]
        outside = work[_INDEX, boundary] - (group == own) >= work[_COUNT, group] or not around
        if boundary != left and boundary != right and outside:
            to = _copy_boundary(work, boundary, to)
    work[CHILD, to] = REGION_END
    return to + 1


@inlined
def _append_from(work: Array, to: int, boundary: int, first: int, last: int, new: int) -> int:
    """Write a boundary from one place around to another, which the curve meets, and the new spot."""
    to = _copy_places(work, first, work[_BEGIN, boundary + 1], to)
    to = _copy_places(work, work[_BEGIN, boundary], last, to)
    if work[LIVES, work[_PLACES, last]] < 3:
        work[CHILD, to] = work[_PLACES, last]
        to += 1
    work[CHILD, to] = new
    return to + 1


@inlined
def _copy_places(work: Array, first: int, stop: int, to: int) -> int:
    for place in range(first, stop):
        work[CHILD, to] = work[_PLACES, place]
        to += 1
    return to


@inlined
def _copy_boundary(work: Array, boundary: int, to: int) -> int:
    to = _copy_places(work, work[_BEGIN, boundary], work[_BEGIN, boundary + 1], to)
    work[CHILD, to] = BOUNDARY_END
    return to + 1


@inlined
def _copy_region(work: Array, region: int, to: int) -> int:
    for boundary in range(work[_FIRST, region], work[_FIRST, region + 1]):
        to = _copy_boundary(work, boundary, to)
    work[CHILD, to] = REGION_END
    return to + 1
