"""The search on bitboards, as compiled loops.

Questions
---------
A *question* is a position and a set of *wanted* nimbers: is the value of the position in this set, and if so, what is
it? The answer is the value, or that the value is not in the set. Either answer is a *fact*, and is written to the
table: a fact is the value of a position or, if that is not known, ``~mask``, where the bits of the mask are values that
the position does not have. To answer a question, the search asks about one option after the other. If an option has
only one part of unknown value, the search asks only for nimbers that can still be the position's value. (In games that
are marked as ``whole``, it asks for all nimbers: see :class:`MaskGame`.) A nimber is *hit* if an option has it or a
fact excludes it. With k options left, the value is one of the k + 1 smallest nimbers that are not hit yet. The search
need not ask for the largest of these: it is the value if all the smaller ones are hit. A set of nimbers is a mask of
the nimbers 0..62. On dense graphs, the search asks for one nimber at a time, the smallest first. The reason is that
the question whether a graph has the value 0 can be answered directly for larger graphs than the question for the value.

Looking up
----------
A position is a connected set of cells in its canonical form (:mod:`graphgame.labs.bitboards.exploration`). A part of an
option is first looked up by its mask in a small table of recent facts, before it is brought into canonical form. If the
part is a small graph, its value is then computed directly (:mod:`graphgame.labs.search.small_graphs`). Otherwise its
canonical form is looked up in the table of all facts.

Threads
-------
All threads work on the same first question, each with its own stack, and share the table. Each thread marks the
positions on its stack in its row of ``open_now``, and the other threads prefer options that no thread is working on.
When a thread answers a question that is on the stacks of other threads, ``signals`` make these return to the lowest
question on their stacks that has an answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones
from graphgame.labs.bitboards.exploration import (
    GRAPH_MOVES,
    GRAPHS_TO,
    LIBERTIES,
    SITES,
    TAKEN_ALONE,
    TIDY,
    WHOLE,
    Board,
    canonical_form,
    in_play,
    lowest_component,
)
from graphgame.labs.bitboards.wide_masks import empty_masks, lowest, mask_at, scattered, set_mask
from graphgame.labs.search.shared_table import (
    NOTHING,
    Table,
    fact_about,
    prefetch_fact,
    read_shared,
    recent_fact,
    write_fact,
    write_recent,
    write_shared,
)
from graphgame.labs.search.small_graphs import LARGEST_GRAPH, NOT_LOST, SPARSE_GRAPH, SmallTables, graph_fact

NIMBERS = 63
"""The number of nimbers that a set can contain: 0..62."""

OPTION = 4
START, STOP, KNOWN_SUM, ORDER = range(OPTION)
"""The fields of an option. Its parts without a known value have the indices START to STOP - 1 in ``Stack.parts``.
KNOWN_SUM is the nim-sum of the values of its other parts. ORDER is a sort key: easy options have a low ORDER."""

FIELDS = 9
WANTED, POSSIBLE, HIT, SPARE, EXACT, FIRST, END, CURRENT, TOP = range(FIELDS)
"""The fields of a question on the stack.

WANTED: the nimbers that it asks for. POSSIBLE: the nimbers that can still be the value. HIT: the nimbers known to be
hit. SPARE: the number of options that may hit no possible nimber before the largest possible nimber becomes impossible.
EXACT: 1 if the value of every option so far is known. FIRST: the index of the first option. END: the index after the
last option. CURRENT: the index of the next option to ask about; -1 while the question above asks for one nimber of the
same position. TOP: the index after the parts of the options."""

_PREFETCH_DISTANCE = 4
"""The facts about the parts of an option are prefetched, and read after this many further options."""


class MoveLists(NamedTuple):
    """The moves of a board, grouped by the pattern of the cells that they need.

    The pattern of a move is a list of distances: from its lowest needed cell to each of its other needed cells. If a
    board has too many patterns, moves are grouped as if each needed only its lowest cell. Then the other needed cells
    must be tested for each move.
    """

    groups: Array  # for each group, the mask of the lowest needed cells of its moves
    # First an index for each group, where its distances begin in this same array, and the length of the array. Then the
    # distances of all groups. The pattern of group g is the lowest cell, and the cells at the distances
    # offsets[offsets[g]:offsets[g + 1]] from it.
    offsets: Array
    moves: Array  # [group, cell]: the group's move whose lowest needed cell is this cell, if the group has such a move
    links: Array  # the adjacency matrix of the cells, with entries 0 and 1; [[0]] if the game is not one on a graph


class Stack(NamedTuple):
    """The stack of questions of one thread, and the options of their positions."""

    state: Array  # the five fields of the state: _DEPTH, _PHASE, ..., _KEPT
    positions: Array  # the position of each question
    frames: Array  # a row for each question, with its nine fields: WANTED, POSSIBLE, ..., TOP
    options: Array  # a row for each option, with its four fields: START, STOP, KNOWN_SUM, ORDER
    parts: Array  # those parts of the options whose values are not known, in canonical form
    raw: Array  # at the same indices, the parts before canonical form; valid until _sift reorders ``parts``


@inlined
def write_options(
    board: Board, lists: MoveLists, table: Table, small: SmallTables, stack: Stack, depth: int, hit: int
) -> tuple[int, int, int]:
    """Write the options of unknown value of the question at ``depth`` to the stack.

    Add the known values of the other options to the set of nimbers ``hit``. Return the new ``hit``, the index after the
    last option, and the index after the last part. Stop when ``hit`` contains all wanted nimbers: the question is
    answered. If only 0 is wanted, options that do not have the value 0 may be left out.
    """
    # Options with an index below ``kept`` are finished. The options from ``sifted`` to ``option`` - 1 wait while the
    # processor prefetches the facts about their parts. _sift reads these facts a few options later.
    rules, near, needs, takes, puts, rims = board.rules, board.near, board.needs, board.takes, board.puts, board.rims
    groups, offsets, moves, links = lists
    recent, options = small.recent, stack.options
    tidy, whole, liberties = rules[TIDY], rules[WHOLE], rules[LIBERTIES]
    alone, lower = mask_at(board.sets, TAKEN_ALONE, board.sets), mask_at(board.sets, SITES, board.sets)
    kinds, graphs_to = rules[GRAPH_MOVES], rules[GRAPHS_TO]
    dense = graphs_to > SPARSE_GRAPH
    position, wanted = mask_at(stack.positions, depth, near), stack.frames[depth, WANTED]
    option = sifted = kept = stack.frames[depth, FIRST]
    free = stack.frames[depth, TOP]
    for group in range(len(moves)):
        possible = mask_at(groups, group, groups) & position
        for index in range(offsets[group], offsets[group + 1]):
            possible &= position >> offsets[index]
        while possible != 0:
            move = moves[group, lowest(possible)]
            possible &= possible - 1
            if mask_at(needs, move, needs) & ~position != 0:
                continue
            rest = position & ~mask_at(takes, move, takes) | mask_at(puts, move, puts)
            rim = mask_at(rims, move, rims) & rest
            if tidy:
                rest = rim = in_play(rest, board)
            # Games marked as whole, such as Chomp, reach the same set of cells again and again: look it up.
            fact = recent_fact(recent, near, rest) if whole else NOTHING
            start, value = free, 0
            if fact >= 0:
                value, rest = fact, rest ^ rest
            while rest != 0:
                part = lowest_component(rest, rim, board)
                sites = part & part >> 1 & lower if liberties else part
                if sites == 0:
                    break
                rest ^= part
                rim &= rest
                # A single cell has the value 1 if some move needs only this cell, otherwise 0.
                if sites & (sites - 1) == 0:
                    value ^= 1 if sites & alone != 0 else 0
                    continue
                # The outcome of this part is enough if the question is only about the nimber 0, this is the last part,
                # and the other parts have the nim-sum 0.
                fact = recent_fact(recent, near, part)
                outcome = kinds == 1 and wanted == 1 and value == 0 and free == start and rest == 0
                if fact < 0 and not (outcome and fact == NOT_LOST):
                    size, fact = ones(part), NOTHING
                    if size <= graphs_to or (outcome and dense and size <= LARGEST_GRAPH):
                        fact = graph_fact(part, near, links, kinds, outcome, small)
                    if fact == NOTHING:
                        form = canonical_form(part, board)
                        if form != 0:
                            free = _add_part(stack, table, start, free, form, part)
                            continue
                        # A symmetry proves that the part is a P-position.
                        fact = 0
                    write_recent(recent, near, part, fact)
                value ^= fact
            # rest != 0: some part has no liberty, so the move is not allowed. value < 0: the last part is NOT_LOST, so
            # the value of the option is not 0. Only 0 is wanted, so the option does not matter.
            if rest != 0 or (free == start and value < 0):
                free = start
                continue
            if free == start:
                hit |= 1 << value if value < NIMBERS else 0
                if wanted & ~hit == 0:
                    return hit, kept, free
                continue
            options[option, START] = start
            options[option, STOP] = free
            options[option, KNOWN_SUM] = value
            options[option, ORDER] = board.ranks[move]
            option += 1
            if option > sifted + _PREFETCH_DISTANCE:
                hit, kept = _sift(table, recent, stack, sifted, kept, hit)
                sifted += 1
                if wanted & ~hit == 0:
                    return hit, kept, free
    while sifted < option and wanted & ~hit:
        hit, kept = _sift(table, recent, stack, sifted, kept, hit)
        sifted += 1
    return hit, kept, free


@inlined
def _add_part(stack: Stack, table: Table, start: int, free: int, form: int, part: int) -> int:
    """Add a part to the parts ``start`` to ``free - 1`` of an option; return the index after the last part.

    ``part`` is the mask of the new part, and ``form`` the mask of its canonical form. If the option has a part of the
    same form, the two cancel: that part is removed, and the new part is not added.
    """
    parts, raw, near = stack.parts, stack.raw, table.like
    for index in range(start, free):
        if mask_at(parts, index, near) == form:
            free -= 1
            set_mask(parts, index, mask_at(parts, free, near), near)
            set_mask(raw, index, mask_at(raw, free, near), near)
            return free
    prefetch_fact(table, form)
    set_mask(parts, free, form, near)
    set_mask(raw, free, part, near)
    return free + 1


@inlined
def _sift(table: Table, recent: Array, stack: Stack, option: int, kept: int, hit: int) -> tuple[int, int]:
    """Look up the parts of an option in the table of all facts; return the new ``hit`` and the new ``kept``.

    If the values of all parts are known, add the value of the option to the set ``hit``. Otherwise remove the parts of
    known value, put the part with the most cells first, move the option to index ``kept``, and add 1 to ``kept``.
    """
    options, parts, near = stack.options, stack.parts, table.like
    start = free = options[option, START]
    value, difficulty, largest = options[option, KNOWN_SUM], 0, 0
    for index in range(start, options[option, STOP]):
        part = mask_at(parts, index, near)
        fact = fact_about(table, part)
        if fact >= 0:
            value ^= fact
            write_recent(recent, near, mask_at(stack.raw, index, near), fact)
            continue
        size = ones(part)
        difficulty += size * size
        set_mask(parts, free, part, near)
        if size > largest:
            largest = size
            set_mask(parts, free, mask_at(parts, start, near), near)
            set_mask(parts, start, part, near)
        free += 1
    if free == start:
        return hit | (1 << value if value < NIMBERS else 0), kept
    options[kept, START] = start
    options[kept, STOP] = free
    options[kept, KNOWN_SUM] = value
    # Large parts are hard: options are sorted by the sum of the squares of the sizes of their unknown parts, then by
    # the index of their move (there are fewer than 2^12 moves).
    options[kept, ORDER] = difficulty << 12 | options[option, ORDER]
    return hit, kept + 1


STATE = 5
"""The number of fields of ``Stack.state``."""

ALL_NIMBERS = (1 << 63) - 1
"""The set of all nimbers that a question can ask for: 0..62, as a mask."""

SIGNAL = 8
"""The distance between signals in words of 8 bytes, so that each has its own cache line. The first signal tells all
threads to return. Each further signal tells one thread that a question on its stack has an answer."""

FOUND, PAUSED, TABLE_FULL, VALUE_TOO_LARGE = 0, 1, 2, 3
"""Reasons for which the loop returns: the first question is answered; the loop has expanded as many questions as it
may, or another thread has returned; it has written as many facts as it may; a value is above 62."""

_ENTER, _NEXT, _BACK = 0, 1, 2
"""Phases: enter a question, ask about its next option, return to it with the answer to the question that it asked."""

_DEPTH, _PHASE, _ANSWER, _VISITED, _KEPT = range(5)
"""The fields of ``Stack.state``: the index of the top question, the phase, the last answer (the value, or -1 if
the value is none of the wanted nimbers), the number of positions visited for the first time, and of new facts in the
table."""


class Threads(NamedTuple):
    """The memory by which threads coordinate their work."""

    open_now: Array  # for each thread, a hash table of the positions on its stack
    signals: Array  # at index 0 the signal to all threads, at index SIGNAL * (k + 1) the signal to thread k
    own: int  # the number of this thread


class Worker:
    """The memory of one thread: its stack and its small tables.

    ``words`` is the number of words in a mask. The stack has room for ``depth`` questions, ``options`` options and
    ``parts`` parts. ``recent`` is the number of rows of the table of recent facts.
    """

    def __init__(self, words: int, depth: int, options: int, parts: int, recent: int) -> None:
        self.stack = Stack(
            np.zeros(STATE, np.int64),
            empty_masks(depth, words),
            np.zeros((depth, FIELDS), np.int64),
            np.zeros((options, OPTION), np.int64),
            empty_masks(parts, words),
            empty_masks(parts, words),
        )
        self.small = SmallTables.of(recent, words)

    @property
    def depth(self) -> int:
        """The index of the top question on the stack."""
        return int(self.stack.state[_DEPTH])

    def ask(self, masks: np.ndarray, wanted: int) -> None:
        """Empty the stack, and put a first question on it: whether the value of a position is in the set ``wanted``.

        ``masks`` is an array with the mask of the position as its only entry.
        """
        self.stack.positions[:1] = masks
        self.stack.frames[0] = wanted, *[0] * (FIELDS - 1)
        self.stack.state[:] = 0

    @property
    def answer(self) -> int:
        """The answer to the first question, after the loop has returned FOUND: the value, or -1.

        The answer -1 says that the value is none of the wanted nimbers.
        """
        return int(self.stack.state[_ANSWER])

    def spent(self) -> tuple[int, int]:
        """Return the numbers of newly visited positions and of new facts since the last call of this method."""
        visited, kept = self.stack.state[_VISITED:].tolist()
        self.stack.state[_VISITED:] = 0
        return visited, kept


@compiled
def search_loop(
    board: Board,
    lists: MoveLists,
    table: Table,
    threads: Threads,
    small: SmallTables,
    stack: Stack,
    most_questions: int,
    most_facts: int,
) -> int:
    """Work on the questions on the stack until the first is answered, or the caller must act.

    Return FOUND, PAUSED, TABLE_FULL or VALUE_TOO_LARGE. The next call continues from the stack. ``most_questions``
    bounds the questions that this call expands, and ``most_facts`` the facts that it adds to the table.
    """
    open_now, signals, own = threads
    state, positions, frames, options, parts, _ = stack
    near, rules = board.near, board.rules
    depth, phase, answer = state[_DEPTH], state[_PHASE], state[_ANSWER]
    visited, kept = state[_VISITED], state[_KEPT]
    status, several, by_nimber = FOUND, len(open_now) > 1, rules[GRAPHS_TO] > SPARSE_GRAPH
    while depth >= 0:
        if several:
            if read_shared(signals, 0) != 0:
                status = PAUSED
                break
            if read_shared(signals, SIGNAL * (own + 1)) != 0:
                write_shared(signals, SIGNAL * (own + 1), 0)
                # Another thread may have answered questions on this stack. Take the answered question nearest to the
                # bottom, drop all questions above it, and enter it again.
                answered = _lowest_answered(table, stack, depth)
                if answered <= depth:
                    _clear_marks(threads, positions, answered, depth)
                    depth, phase = answered, _ENTER
                    frames[depth, TOP] = frames[depth - 1, TOP] if depth > 0 else 0
        position, wanted = mask_at(positions, depth, near), frames[depth, WANTED]
        if kept >= most_facts:
            status = TABLE_FULL
            break
        if phase == _ENTER:
            if most_questions == 0:
                status = PAUSED
                break
            answer = fact_about(table, position)
            if answer < 0 and wanted & answer:
                # On dense graphs first ask a further question: is the value the smallest nimber that is still possible?
                # This nimber is the lowest zero bit of ``hit``, the set of the excluded nimbers.
                hit = ~answer | frames[depth, HIT]
                least = ~hit & hit + 1
                if by_nimber and least != wanted and 0 < least <= _up_to_largest(wanted):
                    _ask_for_nimber(stack, depth, least)
                    depth += 1
                    continue
                most_questions -= 1
                visited += answer == NOTHING
                hit, end, top = write_options(board, lists, table, small, stack, depth, hit)
                _begin_options(frames, depth, hit, end, top)
                if several:
                    _mark(threads, position)
                phase = _NEXT
        # CURRENT < 0: the question above on the stack asked whether the value of this same position is one certain
        # nimber. If it is not, exclude the nimber, and enter the question at ``depth`` again.
        elif phase == _BACK and frames[depth, CURRENT] < 0:
            if answer < 0:
                frames[depth, HIT] |= frames[depth + 1, WANTED]
                phase = _ENTER
                continue
        elif phase == _BACK:
            _use_answer(frames, options, depth, answer)
            phase = _NEXT
        if phase == _NEXT:
            possible, current = frames[depth, POSSIBLE], frames[depth, CURRENT]
            value = lowest(possible)
            if possible & wanted and current == frames[depth, END]:
                answer = value if frames[depth, EXACT] or _up_to_largest(wanted) >> value & 1 else NOTHING
            elif possible & wanted:
                _choose_option(stack, current, frames[depth, END], threads)
                depth += 1
                set_mask(positions, depth, mask_at(parts, options[current, STOP] - 1, near), near)
                frames[depth, WANTED] = _nimbers_to_ask(frames, options, depth - 1, wanted, rules[WHOLE])
                frames[depth, FIRST] = frames[depth - 1, END]
                frames[depth, TOP] = frames[depth - 1, TOP]
                frames[depth, HIT] = 0
                phase = _ENTER
                continue
            else:
                answer = NOTHING
            # Without a value the fact is ~mask. The mask has the hit and the wanted nimbers: the value is none of them.
            fact = answer if answer >= 0 else ~(frames[depth, HIT] | wanted)
            kept += write_fact(table, position, fact)
            if several:
                _unmark(threads, position)
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
def _choose_option(stack: Stack, current: int, end: int, threads: Threads) -> None:
    """Swap the easiest of the options ``current`` to ``end - 1`` to index ``current``, to ask about it next.

    The easiest option has the lowest ORDER. Options that other threads work on are skipped, unless they work on all.
    """
    options, easiest = stack.options, current
    # Easy options first: they may answer the question, so that the search never asks about hard options.
    for option in range(current + 1, end):
        if options[option, ORDER] < options[easiest, ORDER]:
            easiest = option
    if len(threads.open_now) > 1 and end - current > 1 and _is_open_elsewhere(stack, easiest, threads):
        free = -1
        for option in range(current, end):
            easier = free < 0 or options[option, ORDER] < options[free, ORDER]
            if easier and not _is_open_elsewhere(stack, option, threads):
                free = option
        easiest = free if free >= 0 else easiest
    for field in range(OPTION):
        options[current, field], options[easiest, field] = options[easiest, field], options[current, field]


@inlined
def _is_open_elsewhere(stack: Stack, option: int, threads: Threads) -> bool:
    """Return True if another thread is working on the part of the option that this thread would ask about next."""
    open_now = threads.open_now
    mark = scattered(mask_at(stack.parts, stack.options[option, STOP] - 1, stack.parts))
    slot = mark & (open_now.shape[1] - 1)
    is_open = False
    for thread in range(len(open_now)):
        is_open |= thread != threads.own and open_now[thread, slot] == mark
    return is_open


@inlined
def _mark(threads: Threads, position: int) -> None:
    """Mark in ``open_now`` that the thread ``threads.own`` is working on the position with the mask ``position``."""
    mark = scattered(position)
    threads.open_now[threads.own, mark & (threads.open_now.shape[1] - 1)] = mark


@inlined
def _unmark(threads: Threads, position: int) -> None:
    """Clear this thread's mark on an answered position, and signal the other threads that work on the position.

    ``position`` is the mask of the position. The signal makes a thread look for answers to the questions on its stack.
    """
    open_now, signals, own = threads
    mark = scattered(position)
    slot = mark & (open_now.shape[1] - 1)
    open_now[own, slot] = 0
    for thread in range(len(open_now)):
        if open_now[thread, slot] == mark:
            write_shared(signals, SIGNAL * (thread + 1), 1)


@inlined
def _lowest_answered(table: Table, stack: Stack, depth: int) -> int:
    """Return the index of the lowest question on the stack that the table answers; ``depth + 1`` if there is none."""
    for question in range(depth + 1):
        answer = fact_about(table, mask_at(stack.positions, question, table.like))
        if answer >= 0 or stack.frames[question, WANTED] & answer == 0:
            return question
    return depth + 1


@inlined
def _clear_marks(threads: Threads, positions: Array, first: int, depth: int) -> None:
    """Delete the marks of this thread in ``open_now`` for the questions ``first`` to ``depth``, both included."""
    for question in range(first, depth + 1):
        mark = scattered(mask_at(positions, question, positions))
        threads.open_now[threads.own, mark & (threads.open_now.shape[1] - 1)] = 0


@inlined
def _ask_for_nimber(stack: Stack, depth: int, nimber: int) -> None:
    """Push a question about the position of the question at ``depth``: whether it has a particular value.

    ``nimber`` is this value as a mask with one bit.
    """
    positions, frames = stack.positions, stack.frames
    set_mask(positions, depth + 1, mask_at(positions, depth, positions), positions)
    frames[depth, CURRENT] = -1
    frames[depth + 1, WANTED] = nimber
    frames[depth + 1, HIT] = frames[depth, HIT]
    frames[depth + 1, FIRST] = frames[depth, FIRST]
    frames[depth + 1, TOP] = frames[depth, TOP]


@inlined
def _begin_options(frames: Array, depth: int, hit: int, end: int, top: int) -> None:
    """Set the fields of the question at ``depth``, before the search asks about its first option.

    ``hit``, ``end`` and ``top`` are the results of :func:`write_options`.
    """
    # With k options left, at most k further nimbers can be hit. So the mex is one of the k + 1 smallest nimbers that
    # are not hit.
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
def _nimbers_to_ask(frames: Array, options: Array, depth: int, wanted: int, whole: int) -> int:
    """Return the set of nimbers to ask for in the next question: about the last unknown part of the current option.

    The option belongs to the question at ``depth``, which asks for the nimbers ``wanted``. If the option has several
    unknown parts, or ``whole`` is 1, ask for all nimbers. Otherwise ask for each value of the part with which the
    option would hit a nimber that the question at ``depth`` still has to test.
    """
    # If the option has several unknown parts, the value of this part is needed, whatever it is: ask for all nimbers.
    option = frames[depth, CURRENT]
    if whole or options[option, STOP] - options[option, START] > 1:
        return ALL_NIMBERS
    possible = frames[depth, POSSIBLE]
    nimbers = possible & _up_to_largest(wanted)
    # The largest possible nimber need not be tested: it is the value if all smaller ones are hit.
    if frames[depth, SPARE] == 0:
        nimbers &= _without_largest(possible)
    return _xored(nimbers, options[option, KNOWN_SUM])


@inlined
def _use_answer(frames: Array, options: Array, depth: int, answer: int) -> None:
    """Update the question at ``depth`` when the last unknown part of its current option has an answer.

    ``answer`` is the value of this part, or -1 if the value is not in the set that was asked for. If the option has
    other unknown parts, it stays the current option. Otherwise the next option becomes the current one.
    """
    option, possible = frames[depth, CURRENT], frames[depth, POSSIBLE]
    # If other parts are unknown, the answer is a value: add it to the known nim-sum, and stay at this option.
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
    # The option is done. If it hits no possible nimber, the remaining options can hit one nimber fewer than before. So
    # the largest possible nimber becomes impossible, unless there is an option to spare (SPARE).
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
    """Return a set of nimbers without its largest nimber."""
    return nimbers & (_up_to_largest(nimbers) >> 1)


@inlined
def _up_to_largest(nimbers: int) -> int:
    """Return the set of all nimbers from 0 to the largest nimber in a set, inclusive; an empty set for an empty set."""
    # Copy the highest bit into all lower bits: each line doubles the number of copies.
    nimbers |= nimbers >> 1
    nimbers |= nimbers >> 2
    nimbers |= nimbers >> 4
    nimbers |= nimbers >> 8
    nimbers |= nimbers >> 16
    nimbers |= nimbers >> 32
    return nimbers


@inlined
def _xored(nimbers: int, value: int) -> int:
    """Return the set of n xor ``value`` for all n in a set; if one of the results is above 62, all nimbers."""
    if value == 0:
        return nimbers
    shifted = 0
    while nimbers:
        nimber = lowest(nimbers) ^ value
        nimbers &= nimbers - 1
        if nimber == NIMBERS:
            return ALL_NIMBERS
        shifted |= 1 << nimber
    return shifted
