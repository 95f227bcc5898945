"""The search among sets of cells, as compiled loops: what a value is asked for, and how little of it must be known.

A question is a position and a set of nimbers: *is your value one of these, and which?* The answer is the value, or
that it is none of them; either is written into the table. Of the options one by one only those nimbers are asked for
that still could be the position's value, and the largest of those need not be: with k options left the value is one of
the k + 1 smallest nimbers that no option is known to have. Sets of nimbers are masks of the nimbers 0..62.

A position is a connected set of cells in its canonical form, from 1 to 2**63 - 1. A fact about one is its value, or
``~mask`` of values that it does not have.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, ones

__all__ = [
    "ALL_NIMBERS",
    "FIELDS",
    "FOUND",
    "NEIGHBOURS",
    "PAUSED",
    "TABLE_FULL",
    "VALUE_TOO_LARGE",
    "canonical_loop",
    "fact_loop",
    "fill_loop",
    "search_loop",
]

ALL_NIMBERS = (1 << 63) - 1
"""The set of all nimbers that can be asked for."""

FIELDS = 10
"""Numbers that a question on the stack takes."""

FOUND, PAUSED, TABLE_FULL, VALUE_TOO_LARGE = 0, 1, 2, 3
"""How a loop ends: with the answer; after so many questions; with a table that is half full; at a value above 62."""

NEIGHBOURS = 8
"""Slots next to each other in which a position may lie: a table has so many more than a power of 2."""

_NIMBERS = 63
_NONE = -1
_INDEX = (1 << 20) - 1
_ENTER, _NEXT, _BACK = 0, 1, 2
_SPREAD = 0x1E3779B97F4A7C15
_POSITIVE = (1 << 63) - 1

_POSITION, _WANTED, _POSSIBLE, _HIT, _SPARE, _EXACT, _FIRST, _END, _CURRENT, _TOP = range(FIELDS)


@inlined
def _place(key: int, size: int) -> int:
    mixed = key * _SPREAD & _POSITIVE
    mixed ^= mixed >> 29
    mixed = mixed * _SPREAD & _POSITIVE
    return (mixed >> 20) & (size - 1)


@inlined
def _fact(keys: Array, facts: Array, key: int) -> int:
    """Return what is known of a position; _NONE is nothing."""
    place = _place(key, len(keys) - NEIGHBOURS)
    for slot in range(place, place + NEIGHBOURS):
        if keys[slot] == key:
            return int(facts[slot])
        if keys[slot] == 0:
            break
    return _NONE


@inlined
def _keep(keys: Array, facts: Array, key: int, fact: int) -> int:
    """Write a fact down, over that of the smallest position near it if there is no room; return 1 if it took a slot."""
    place = _place(key, len(keys) - NEIGHBOURS)
    smallest, fewest = place, 64
    for slot in range(place, place + NEIGHBOURS):
        other = keys[slot]
        if other == key or other == 0:
            facts[slot] = fact
            keys[slot] = key
            return 0 if other else 1
        if ones(other) < fewest:
            smallest, fewest = slot, ones(other)
    keys[smallest] = 0  # an interrupt must not leave a fact with another position
    facts[smallest] = fact
    keys[smallest] = key
    return 0


@compiled
def fact_loop(keys: Array, facts: Array, key: int) -> int:
    """Return what is known of a position."""
    return _fact(keys, facts, key)


@compiled
def fill_loop(keys: Array, facts: Array, new_keys: Array, new_facts: Array) -> int:
    """Write all facts of a table into a larger one; return how many they are."""
    kept = 0
    for slot in range(len(keys)):
        if keys[slot]:
            kept += _keep(new_keys, new_facts, keys[slot], facts[slot])
    return kept


@inlined
def _image(mask: int, images: Array, symmetry: int) -> int:
    image, place = 0, 0
    while mask:
        image |= images[symmetry, place, mask & 255]
        mask >>= 8
        place += 1
    return image


@inlined
def _cornered(mask: int, row: int, column: int, stride: int) -> int:
    """Return a set of cells of a grid moved to its first row and its first column."""
    if stride:
        while mask & row == 0:
            mask >>= stride
        while mask & column == 0:
            mask >>= 1
    return mask


@inlined
def _canonical(mask: int, images: Array, domains: Array, rules: Array, first: Array, needs: Array, takes: Array) -> int:
    """Return the least image of a component; 0 where a symmetry tells that it is lost.

    An image is that of the symmetry on the whole board, moved to the corner of a grid.
    """
    row, column, stride = rules[0], rules[1], rules[2]
    corner = _cornered(mask, row, column, stride)
    least = corner
    for symmetry in range(len(domains)):
        if corner & ~domains[symmetry]:
            continue
        image = _image(corner, images, symmetry)
        moved = _cornered(image, row, column, stride)
        if moved < least:
            least = moved
        elif moved == corner and rules[6]:
            shift = ones((image & -image) - 1) - ones((moved & -moved) - 1)
            if _answers(corner, images, symmetry, shift, first, needs, takes):
                return 0
    return least


@inlined
def _answers(mask: int, images: Array, symmetry: int, shift: int, first: Array, needs: Array, takes: Array) -> bool:
    """Tell whether a symmetry of a position is its own inverse, and lets one answer each move with its image."""
    left = mask
    while left:
        cell = ones((left & -left) - 1)
        left &= left - 1
        for move in range(first[cell], first[cell + 1]):
            need = needs[move]
            if need & ~mask == 0:
                image = _image(need, images, symmetry) >> shift
                if image & takes[move] or _image(image, images, symmetry) >> shift != need:
                    return False
    return True


@inlined
def _in_play(mask: int, first: Array, needs: Array) -> int:
    """Return the cells that some move needs."""
    found, left = 0, mask
    while left:
        cell = ones((left & -left) - 1)
        left &= left - 1
        for move in range(first[cell], first[cell + 1]):
            if needs[move] & ~mask == 0:
                found |= needs[move]
    return found


@inlined
def _component(mask: int, rim: int, near: Array) -> int:
    """Return the component of the lowest cell of a rim, where each component has a cell of the rim."""
    component = frontier = rim & -rim
    while frontier:
        if rim & ~component == 0:
            return mask
        cell = ones((frontier & -frontier) - 1)
        new = near[cell] & mask & ~component
        component |= new
        frontier = frontier & (frontier - 1) | new
    return component


@compiled
def canonical_loop(
    masks: Array, images: Array, domains: Array, rules: Array, first: Array, needs: Array, takes: Array
) -> None:
    """Put in place of each component its canonical form, or 0 where a symmetry tells that it is lost."""
    for i in range(len(masks)):
        masks[i] = _canonical(masks[i], images, domains, rules, first, needs, takes)


@compiled
def search_loop(
    first: Array,
    needs: Array,
    takes: Array,
    puts: Array,
    ranks: Array,
    rims: Array,
    near: Array,
    images: Array,
    domains: Array,
    rules: Array,
    keys: Array,
    facts: Array,
    frames: Array,
    options: Array,
    order: Array,
    parts: Array,
    state: Array,
    budget: int,
    most: int,
) -> int:
    """Go on with the questions on the stack until the first has its answer, or something must be done before.

    The moves that have their lowest needed cell at ``c`` are ``first[c]..first[c + 1] - 1``. An option is its parts,
    which are not known yet, and the nim-sum of the others. The state is the depth of the stack, the phase, the last
    answer, how many positions were looked at for the first time, and how many facts are kept.
    """
    depth, phase, answer, visited, kept = state[0], state[1], state[2], state[3], state[4]
    status = FOUND
    while depth >= 0:
        position, wanted = frames[depth, _POSITION], frames[depth, _WANTED]
        if kept >= most:
            status = TABLE_FULL
            break
        if phase == _ENTER:
            if budget == 0:
                status = PAUSED
                break
            answer = _fact(keys, facts, position)
            if answer < 0 and wanted & answer:
                budget -= 1
                visited += answer == _NONE
                hit, option, free = _write_options(
                    first, needs, takes, puts, ranks, rims, near, images, domains, rules, keys, facts,
                    options, order, parts, position, wanted, ~answer, frames[depth, _FIRST], frames[depth, _TOP],
                )  # fmt: skip
                _begin(frames, depth, hit, option, free)
                phase = _NEXT
        elif phase == _BACK:
            _take_in(frames, options, order, depth, answer)
            phase = _NEXT
        if phase == _NEXT:
            possible, current = frames[depth, _POSSIBLE], frames[depth, _CURRENT]
            value = ones((possible & -possible) - 1)
            if possible & wanted and current == frames[depth, _END]:
                answer = value if frames[depth, _EXACT] or _upto(wanted) >> value & 1 else _NONE
            elif possible & wanted:
                option = frames[depth, _FIRST] + (order[current] & _INDEX)
                depth += 1
                frames[depth, _POSITION] = parts[options[option, 1] - 1]
                frames[depth, _WANTED] = _asked(frames, options, depth - 1, option, wanted, rules[5])
                frames[depth, _FIRST] = frames[depth - 1, _END]
                frames[depth, _TOP] = frames[depth - 1, _TOP]
                phase = _ENTER
                continue
            else:
                answer = _NONE
            fact = answer if answer >= 0 else ~(frames[depth, _HIT] | wanted)
            kept += _keep(keys, facts, position, fact)
        if answer < 0 and wanted == ALL_NIMBERS:
            status = VALUE_TOO_LARGE
            break
        answer = max(answer, _NONE)
        phase, depth = _BACK, depth - 1
    state[0], state[1], state[2], state[3], state[4] = depth, phase, answer, visited, kept
    return status


@inlined
def _write_options(
    first: Array,
    needs: Array,
    takes: Array,
    puts: Array,
    ranks: Array,
    rims: Array,
    near: Array,
    images: Array,
    domains: Array,
    rules: Array,
    keys: Array,
    facts: Array,
    options: Array,
    order: Array,
    parts: Array,
    position: int,
    wanted: int,
    hit: int,
    begin: int,
    free: int,
) -> tuple[int, int, int]:
    """Write the options that are not known from ``begin`` on, in the order in which to ask them.

    Returns the values that the position does not have for those that are known, and the ends of options and parts. As
    soon as these are all that are wanted, the other options are left out.
    """
    tidy, alone = rules[3], rules[4]
    option, left = begin, position
    while left:
        cell = ones((left & -left) - 1)
        left &= left - 1
        for move in range(first[cell], first[cell + 1]):
            if needs[move] & ~position:
                continue
            rest = position & ~takes[move] | puts[move]
            rim = rims[move] & rest
            if tidy:
                rest = rim = _in_play(rest, first, needs)
            value, difficulty, start = 0, 0, free
            while rest:
                part = _component(rest, rim, near)
                rest ^= part
                rim &= rest
                if part & (part - 1) == 0 and not part & alone:
                    continue
                part = _canonical(part, images, domains, rules, first, needs, takes)
                known = _fact(keys, facts, part) if part else 0
                if known >= 0:
                    value ^= known
                    continue
                size = ones(part)
                before = free
                free = _with_part(parts, start, free, part, size)
                difficulty += size * size if free > before else -size * size
            if free == start:
                if value < _NIMBERS:
                    hit |= 1 << value
                if wanted & ~hit == 0:
                    return hit, option, free
                continue
            options[option, 0] = start
            options[option, 1] = free
            options[option, 2] = value
            key = (difficulty << 12 | ranks[move]) << 20 | option - begin
            slot = option
            while slot > begin and order[slot - 1] > key:
                order[slot] = order[slot - 1]
                slot -= 1
            order[slot] = key
            option += 1
    return hit, option, free


@inlined
def _with_part(parts: Array, start: int, free: int, part: int, size: int) -> int:
    """Add a part to those of an option, the largest first; two equal ones cancel. Returns the end."""
    for place in range(start, free):
        if parts[place] == part:
            free -= 1
            parts[place] = parts[free]
            return free
    parts[free] = part
    if ones(parts[start]) < size:
        parts[free] = parts[start]
        parts[start] = part
    return free + 1


@inlined
def _begin(frames: Array, depth: int, hit: int, end: int, top: int) -> None:
    """Begin with the options: the value is one of so many smallest nimbers that are not hit."""
    possible = ALL_NIMBERS & ~hit
    spare = end - frames[depth, _FIRST] + 1 - ones(possible)
    while spare < 0:
        possible = _without_largest(possible)
        spare += 1
    frames[depth, _POSSIBLE] = possible
    frames[depth, _HIT] = hit
    frames[depth, _SPARE] = spare
    frames[depth, _EXACT] = 1
    frames[depth, _CURRENT] = frames[depth, _FIRST]
    frames[depth, _END] = end
    frames[depth, _TOP] = top


@inlined
def _asked(frames: Array, options: Array, depth: int, option: int, wanted: int, whole: int) -> int:
    """Return what to ask the last open part of an option for."""
    if whole or options[option, 1] - options[option, 0] > 1:
        return ALL_NIMBERS
    possible = frames[depth, _POSSIBLE]
    asked = possible & _upto(wanted)
    if frames[depth, _SPARE] == 0:
        asked &= _without_largest(possible)
    return _xored(asked, options[option, 2])


@inlined
def _take_in(frames: Array, options: Array, order: Array, depth: int, answer: int) -> None:
    """Take in what the last open part of the current option answers."""
    current, possible = frames[depth, _CURRENT], frames[depth, _POSSIBLE]
    option = frames[depth, _FIRST] + (order[current] & _INDEX)
    if options[option, 1] - options[option, 0] > 1:
        options[option, 1] -= 1
        options[option, 2] ^= answer
        return
    own = 0
    if answer < 0:
        frames[depth, _EXACT] = 0
    elif answer ^ options[option, 2] < _NIMBERS:
        own = 1 << (answer ^ options[option, 2])
    frames[depth, _HIT] |= own
    if own & possible:
        possible &= ~own
    elif frames[depth, _SPARE]:
        frames[depth, _SPARE] -= 1
    else:
        possible = _without_largest(possible)
    frames[depth, _POSSIBLE] = possible
    frames[depth, _CURRENT] = current + 1


@inlined
def _without_largest(nimbers: int) -> int:
    upto = _upto(nimbers)
    return nimbers & (upto >> 1)


@inlined
def _upto(nimbers: int) -> int:
    """Return the set of all nimbers up to the largest of some."""
    nimbers |= nimbers >> 1
    nimbers |= nimbers >> 2
    nimbers |= nimbers >> 4
    nimbers |= nimbers >> 8
    nimbers |= nimbers >> 16
    nimbers |= nimbers >> 32
    return nimbers


@inlined
def _xored(nimbers: int, value: int) -> int:
    """Return the nimbers that a nimber makes of some; all nimbers where one of them is above 62."""
    if value == 0:
        return nimbers
    found = 0
    while nimbers:
        each = ones((nimbers & -nimbers) - 1) ^ value
        nimbers &= nimbers - 1
        if each == _NIMBERS:
            return ALL_NIMBERS
        found |= 1 << each
    return found
