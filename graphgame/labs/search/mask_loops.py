"""The search among sets of cells, as compiled loops: what a value is asked for, and how little of it must be known.

A question is a position and a set of nimbers: *is your value one of these, and which?* The answer is the value, or
that it is none of them; either is written into the table. Of the options one by one only those nimbers are asked for
that still could be the position's value, and the largest of those need not be: with k options left the value is one of
the k + 1 smallest nimbers that no option is known to have. Sets of nimbers are masks of the nimbers 0..62. On dense
graphs a position is asked for the smaller nimbers first, one by one: whether it is lost is found for larger graphs.

Threads ask the same question, each with a stack of its own, and share the table. Each writes into its row of
``open_now`` what is on its stack; the others take another option first, and where they come to the same they share its
options. What one has found takes the others back to where it is of use: ``signals`` tell them.

A position is a connected set of cells in its canonical form; how boards are given is told in
:mod:`graphgame.labs.bitboards.mask_forms`.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.labs.bitboards.mask_forms import GRAPHS_TO, WHOLE, Board
from graphgame.labs.bitboards.wide import lowest, mask_at, scattered, set_mask
from graphgame.labs.search.mask_graphs import SPARSE_GRAPH, SmallTables
from graphgame.labs.search.mask_options import (
    CURRENT,
    END,
    EXACT,
    FIRST,
    HIT,
    KNOWN_SUM,
    NIMBERS,
    OPTION,
    ORDER,
    POSSIBLE,
    SPARE,
    START,
    STOP,
    TOP,
    WANTED,
    MoveLists,
    Stack,
    write_options,
)
from graphgame.labs.search.mask_table import NOTHING, Table, fact_about, write_fact
from graphgame.labs.search.shared import read_shared, write_shared

STATE = 5
"""Numbers that the state of a search takes."""

ALL_NIMBERS = (1 << 63) - 1
"""The set of all nimbers that can be asked for."""

SIGNAL = 8
"""Numbers from one signal to the next, so that each has a line of memory of its own: that all are to come back, and one
for each thread that something on its stack has its answer."""

FOUND, PAUSED, TABLE_FULL, VALUE_TOO_LARGE = 0, 1, 2, 3
"""How a loop ends: with the answer; after so many questions; with a table that is half full; at a value above 62."""

_ENTER, _NEXT, _BACK = 0, 1, 2

_DEPTH, _PHASE, _ANSWER, _VISITED, _KEPT = range(5)
"""The state: the depth of the stack, the phase, the last answer, how many positions were looked at for the first time,
and how many facts are kept."""


class Threads(NamedTuple):
    """What threads tell each other."""

    open_now: Array
    """What each thread has on its stack."""

    signals: Array
    """The signals to all, and to each."""

    own: int
    """The number of the thread itself."""


@compiled
def search_loop(
    board: Board,
    lists: MoveLists,
    table: Table,
    threads: Threads,
    small: SmallTables,
    stack: Stack,
    budget: int,
    most: int,
) -> int:
    """Go on with the questions on the stack until the first has its answer, or something must be done before."""
    open_now, signals, own = threads
    state, positions, frames, options, parts, _ = stack
    near, rules = board.near, board.rules
    depth, phase, answer = state[_DEPTH], state[_PHASE], state[_ANSWER]
    visited, kept = state[_VISITED], state[_KEPT]
    status, several, by_one = FOUND, len(open_now) > 1, rules[GRAPHS_TO] > SPARSE_GRAPH
    while depth >= 0:
        if several:
            if read_shared(signals, 0) != 0:
                status = PAUSED
                break
            if read_shared(signals, SIGNAL * (own + 1)) != 0:
                write_shared(signals, SIGNAL * (own + 1), 0)
                answered = _answered(table, stack, depth)
                if answered <= depth:
                    _leave(threads, positions, near, answered, depth)
                    depth, phase = answered, _ENTER
                    frames[depth, TOP] = frames[depth - 1, TOP] if depth > 0 else 0
        position, wanted = mask_at(positions, depth, near), frames[depth, WANTED]
        if kept >= most:
            status = TABLE_FULL
            break
        if phase == _ENTER:
            if budget == 0:
                status = PAUSED
                break
            answer = fact_about(table, position)
            if answer < 0 and wanted & answer:
                least = _least_open(~answer | frames[depth, HIT])
                if by_one and least != wanted and 0 < least <= _upto(wanted):
                    _ask_again(stack, near, depth, least)
                    depth += 1
                    continue
                budget -= 1
                visited += answer == NOTHING
                hit = ~answer | frames[depth, HIT]
                hit, end, top = write_options(board, lists, table, small, stack, depth, hit)
                _begin(frames, depth, hit, end, top)
                if several:
                    _open(threads, position)
                phase = _NEXT
        elif phase == _BACK and frames[depth, CURRENT] < 0:
            if answer < 0:
                frames[depth, HIT] |= frames[depth + 1, WANTED]
                phase = _ENTER
                continue
        elif phase == _BACK:
            _take_in(frames, options, depth, answer)
            phase = _NEXT
        if phase == _NEXT:
            possible, current = frames[depth, POSSIBLE], frames[depth, CURRENT]
            value = lowest(possible)
            if possible & wanted and current == frames[depth, END]:
                answer = value if frames[depth, EXACT] or _upto(wanted) >> value & 1 else NOTHING
            elif possible & wanted:
                _choose(stack, current, frames[depth, END], near, threads)
                depth += 1
                set_mask(positions, depth, mask_at(parts, options[current, STOP] - 1, near), near)
                frames[depth, WANTED] = _asked(frames, options, depth - 1, wanted, rules[WHOLE])
                frames[depth, FIRST] = frames[depth - 1, END]
                frames[depth, TOP] = frames[depth - 1, TOP]
                frames[depth, HIT] = 0
                phase = _ENTER
                continue
            else:
                answer = NOTHING
            fact = answer if answer >= 0 else ~(frames[depth, HIT] | wanted)
            kept += write_fact(table, position, fact)
            if several:
                _close(threads, position)
        if answer < 0 and wanted == ALL_NIMBERS:
            status = VALUE_TOO_LARGE
            break
        answer = max(answer, NOTHING)
        phase, depth = _BACK, depth - 1
    if several:
        write_shared(signals, 0, 1)
    state[_DEPTH], state[_PHASE], state[_ANSWER] = depth, phase, answer
    state[_VISITED], state[_KEPT] = visited, kept
    return status


@inlined
def _choose(stack: Stack, current: int, end: int, near: Array, threads: Threads) -> None:
    """Put the option that is to be asked next in its place: not one that another thread is at, if there is one more."""
    options, least = stack.options, current
    for option in range(current + 1, end):
        if options[option, ORDER] < options[least, ORDER]:
            least = option
    if len(threads.open_now) > 1 and end - current > 1 and _elsewhere(stack, least, near, threads):
        free = -1
        for option in range(current, end):
            if (free < 0 or options[option, ORDER] < options[free, ORDER]) and not _elsewhere(
                stack, option, near, threads
            ):
                free = option
        least = free if free >= 0 else least
    for field in range(OPTION):
        options[current, field], options[least, field] = options[least, field], options[current, field]


@inlined
def _elsewhere(stack: Stack, option: int, near: Array, threads: Threads) -> bool:
    """Tell whether another thread is at the part of an option that is to be asked."""
    open_now = threads.open_now
    mark = scattered(mask_at(stack.parts, stack.options[option, STOP] - 1, near))
    place = mark & (open_now.shape[1] - 1)
    found = False
    for other in range(len(open_now)):
        found |= other != threads.own and open_now[other, place] == mark
    return found


@inlined
def _open(threads: Threads, position: int) -> None:
    """Let the other threads see what this one is at."""
    mark = scattered(position)
    threads.open_now[threads.own, mark & (threads.open_now.shape[1] - 1)] = mark


@inlined
def _close(threads: Threads, position: int) -> None:
    """Note that a position has its answer, and tell the other threads that are at it."""
    open_now, signals, own = threads
    mark = scattered(position)
    place = mark & (open_now.shape[1] - 1)
    open_now[own, place] = 0
    for other in range(len(open_now)):
        if open_now[other, place] == mark:
            write_shared(signals, SIGNAL * (other + 1), 1)


@inlined
def _answered(table: Table, stack: Stack, depth: int) -> int:
    """Return the first question on the stack that another thread has found the answer of, or what is beyond."""
    for place in range(depth + 1):
        answer = fact_about(table, mask_at(stack.positions, place, table.like))
        if answer >= 0 or stack.frames[place, WANTED] & answer == 0:
            return place
    return depth + 1


@inlined
def _leave(threads: Threads, positions: Array, near: Array, first: int, depth: int) -> None:
    """Clear this thread's marks from ``first`` on."""
    for place in range(first, depth + 1):
        mark = scattered(mask_at(positions, place, near))
        threads.open_now[threads.own, mark & (threads.open_now.shape[1] - 1)] = 0


@inlined
def _least_open(excluded: int) -> int:
    """Return the set of the least nimber that is not excluded."""
    return ~excluded & excluded + 1


@inlined
def _ask_again(stack: Stack, near: Array, depth: int, nimber: int) -> None:
    """Ask for one nimber the position that is asked for others."""
    positions, frames = stack.positions, stack.frames
    set_mask(positions, depth + 1, mask_at(positions, depth, near), near)
    frames[depth, CURRENT] = -1
    frames[depth + 1, WANTED] = nimber
    frames[depth + 1, HIT] = frames[depth, HIT]
    frames[depth + 1, FIRST] = frames[depth, FIRST]
    frames[depth + 1, TOP] = frames[depth, TOP]


@inlined
def _begin(frames: Array, depth: int, hit: int, end: int, top: int) -> None:
    """Begin with the options: the value is one of so many smallest nimbers that are not hit."""
    free, possible = ALL_NIMBERS & ~hit, 0
    spare = end - frames[depth, FIRST] + 1
    while spare > 0 and free != 0:
        possible |= free & -free
        free &= free - 1
        spare -= 1
    frames[depth, POSSIBLE] = possible
    frames[depth, HIT] = hit
    frames[depth, SPARE] = spare
    frames[depth, EXACT] = 1
    frames[depth, CURRENT] = frames[depth, FIRST]
    frames[depth, END] = end
    frames[depth, TOP] = top


@inlined
def _asked(frames: Array, options: Array, depth: int, wanted: int, whole: int) -> int:
    """Return what to ask the last open part of the current option for."""
    option = frames[depth, CURRENT]
    if whole or options[option, STOP] - options[option, START] > 1:
        return ALL_NIMBERS
    possible = frames[depth, POSSIBLE]
    asked = possible & _upto(wanted)
    if frames[depth, SPARE] == 0:
        asked &= _without_largest(possible)
    return _xored(asked, options[option, KNOWN_SUM])


@inlined
def _take_in(frames: Array, options: Array, depth: int, answer: int) -> None:
    """Take in what the last open part of the current option answers."""
    option, possible = frames[depth, CURRENT], frames[depth, POSSIBLE]
    if options[option, STOP] - options[option, START] > 1:
        options[option, STOP] -= 1
        options[option, KNOWN_SUM] ^= answer
        return
    own = 0
    if answer < 0:
        frames[depth, EXACT] = 0
    elif answer ^ options[option, KNOWN_SUM] < NIMBERS:
        own = 1 << (answer ^ options[option, KNOWN_SUM])
    frames[depth, HIT] |= own
    if own & possible:
        possible &= ~own
    elif frames[depth, SPARE]:
        frames[depth, SPARE] -= 1
    else:
        possible = _without_largest(possible)
    frames[depth, POSSIBLE] = possible
    frames[depth, CURRENT] = option + 1


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
