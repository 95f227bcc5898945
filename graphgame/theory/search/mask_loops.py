"""The search among sets of cells, as compiled loops: what a value is asked for, and how little of it must be known.

A question is a position and a set of nimbers: *is your value one of these, and which?* The answer is the value, or
that it is none of them; either is written into the table. Of the options one by one only those nimbers are asked for
that still could be the position's value, and the largest of those need not be: with k options left the value is one of
the k + 1 smallest nimbers that no option is known to have. Sets of nimbers are masks of the nimbers 0..62.

A position is a connected set of cells in its canonical form; how boards are given is told in
:mod:`graphgame.rules.mask_forms`.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined
from graphgame.arrays.wide import lowest, mask_at, set_mask
from graphgame.rules.mask_forms import WHOLE
from graphgame.theory.search.mask_options import KNOWN_SUM, NIMBERS, OPTION, ORDER, START, STOP, write_options
from graphgame.theory.search.mask_table import NOTHING, fact_about, write_fact

__all__ = [
    "ALL_NIMBERS",
    "FIELDS",
    "FOUND",
    "PAUSED",
    "STATE",
    "TABLE_FULL",
    "VALUE_TOO_LARGE",
    "search_loop",
]

FIELDS, STATE = 9, 5
"""Numbers that a question on the stack takes, and the state of a search."""

ALL_NIMBERS = (1 << 63) - 1
"""The set of all nimbers that can be asked for."""

FOUND, PAUSED, TABLE_FULL, VALUE_TOO_LARGE = 0, 1, 2, 3
"""How a loop ends: with the answer; after so many questions; with a table that is half full; at a value above 62."""

_ENTER, _NEXT, _BACK = 0, 1, 2

_WANTED, _POSSIBLE, _HIT, _SPARE, _EXACT, _FIRST, _END, _CURRENT, _TOP = range(9)
"""The numbers of a question on the stack, besides its position: the options from the first to the end, the next of
them, and where their parts end."""

_DEPTH, _PHASE, _ANSWER, _VISITED, _KEPT = range(5)
"""The state: the depth of the stack, the phase, the last answer, how many positions were looked at for the first time,
and how many facts are kept."""


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
    turns: Array,
    domains: Array,
    row_of: Array,
    sets: Array,
    rules: Array,
    steps: Array,
    sides: Array,
    groups: Array,
    offsets: Array,
    moves: Array,
    links: Array,
    table: Array,
    lately: Array,
    codes: Array,
    notes: Array,
    positions: Array,
    frames: Array,
    options: Array,
    parts: Array,
    raw: Array,
    state: Array,
    budget: int,
    most: int,
) -> int:
    """Go on with the questions on the stack until the first has its answer, or something must be done before."""
    depth, phase, answer = state[_DEPTH], state[_PHASE], state[_ANSWER]
    visited, kept = state[_VISITED], state[_KEPT]
    status = FOUND
    while depth >= 0:
        position, wanted = mask_at(positions, depth, near), frames[depth, _WANTED]
        if kept >= most:
            status = TABLE_FULL
            break
        if phase == _ENTER:
            if budget == 0:
                status = PAUSED
                break
            answer = fact_about(table, near, position)
            if answer < 0 and wanted & answer:
                budget -= 1
                visited += answer == NOTHING
                begin, top = frames[depth, _FIRST], frames[depth, _TOP]
                hit, end, top = write_options(
                    first, needs, takes, puts, ranks, rims, near, images, turns, domains, row_of, sets, rules,
                    steps, sides, groups, offsets, moves, links, table, lately, codes, notes, options, parts, raw,
                    position, wanted, ~answer, begin, top,
                )  # fmt: skip
                _begin(frames, depth, hit, end, top)
                phase = _NEXT
        elif phase == _BACK:
            _take_in(frames, options, depth, answer)
            phase = _NEXT
        if phase == _NEXT:
            possible, current = frames[depth, _POSSIBLE], frames[depth, _CURRENT]
            value = lowest(possible)
            if possible & wanted and current == frames[depth, _END]:
                answer = value if frames[depth, _EXACT] or _upto(wanted) >> value & 1 else NOTHING
            elif possible & wanted:
                _choose(options, current, frames[depth, _END])
                depth += 1
                set_mask(positions, depth, mask_at(parts, options[current, STOP] - 1, near), near)
                frames[depth, _WANTED] = _asked(frames, options, depth - 1, wanted, rules[WHOLE])
                frames[depth, _FIRST] = frames[depth - 1, _END]
                frames[depth, _TOP] = frames[depth - 1, _TOP]
                phase = _ENTER
                continue
            else:
                answer = NOTHING
            fact = answer if answer >= 0 else ~(frames[depth, _HIT] | wanted)
            kept += write_fact(table, near, position, fact)
        if answer < 0 and wanted == ALL_NIMBERS:
            status = VALUE_TOO_LARGE
            break
        answer = max(answer, NOTHING)
        phase, depth = _BACK, depth - 1
    state[_DEPTH], state[_PHASE], state[_ANSWER] = depth, phase, answer
    state[_VISITED], state[_KEPT] = visited, kept
    return status


@inlined
def _choose(options: Array, current: int, end: int) -> None:
    """Put the option that is to be asked next in its place."""
    least = current
    for option in range(current + 1, end):
        if options[option, ORDER] < options[least, ORDER]:
            least = option
    for field in range(OPTION):
        options[current, field], options[least, field] = options[least, field], options[current, field]


@inlined
def _begin(frames: Array, depth: int, hit: int, end: int, top: int) -> None:
    """Begin with the options: the value is one of so many smallest nimbers that are not hit."""
    free, possible = ALL_NIMBERS & ~hit, 0
    spare = end - frames[depth, _FIRST] + 1
    while spare > 0 and free != 0:
        possible |= free & -free
        free &= free - 1
        spare -= 1
    frames[depth, _POSSIBLE] = possible
    frames[depth, _HIT] = hit
    frames[depth, _SPARE] = spare
    frames[depth, _EXACT] = 1
    frames[depth, _CURRENT] = frames[depth, _FIRST]
    frames[depth, _END] = end
    frames[depth, _TOP] = top


@inlined
def _asked(frames: Array, options: Array, depth: int, wanted: int, whole: int) -> int:
    """Return what to ask the last open part of the current option for."""
    option = frames[depth, _CURRENT]
    if whole or options[option, STOP] - options[option, START] > 1:
        return ALL_NIMBERS
    possible = frames[depth, _POSSIBLE]
    asked = possible & _upto(wanted)
    if frames[depth, _SPARE] == 0:
        asked &= _without_largest(possible)
    return _xored(asked, options[option, KNOWN_SUM])


@inlined
def _take_in(frames: Array, options: Array, depth: int, answer: int) -> None:
    """Take in what the last open part of the current option answers."""
    option, possible = frames[depth, _CURRENT], frames[depth, _POSSIBLE]
    if options[option, STOP] - options[option, START] > 1:
        options[option, STOP] -= 1
        options[option, KNOWN_SUM] ^= answer
        return
    own = 0
    if answer < 0:
        frames[depth, _EXACT] = 0
    elif answer ^ options[option, KNOWN_SUM] < NIMBERS:
        own = 1 << (answer ^ options[option, KNOWN_SUM])
    frames[depth, _HIT] |= own
    if own & possible:
        possible &= ~own
    elif frames[depth, _SPARE]:
        frames[depth, _SPARE] -= 1
    else:
        possible = _without_largest(possible)
    frames[depth, _POSSIBLE] = possible
    frames[depth, _CURRENT] = option + 1


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
        each = lowest(nimbers) ^ value
        nimbers &= nimbers - 1
        if each == NIMBERS:
            return ALL_NIMBERS
        found |= 1 << each
    return found
