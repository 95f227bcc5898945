"""The search on bitboards, as compiled loops.

Questions
---------
A question is a position and a set of nimbers: *is the value one of these, and which one?* The answer is the value, or
that it is none of them. Either answer is a fact, and is written to the table. To answer a question, the options are
asked one by one, and only for nimbers that can still be the position's value. With k options left, the value is one of
the k + 1 smallest nimbers that no option is known to have; the largest of these need not be asked for, because it
remains if all others occur. A set of nimbers is a mask of the nimbers 0..62. On dense graphs, a position is asked for
one small nimber after another, because its outcome can be computed directly for larger graphs than its value.

Looking up
----------
A position is a connected set of cells in its canonical form (:mod:`graphgame.labs.bitboards.exploration`). A part of an
option is first looked up as it lies, in a small table of recent facts. If it is a small graph, its value is computed
directly. Otherwise its canonical form is looked up in the table of all facts.

Small graphs
------------
In games on graphs the graph of a position decides its value, wherever it lies. Its vertices are sorted by degree, and
the rows of the adjacency matrix below the diagonal are its code. If the value is not in the table of codes, it is
computed from the definition, for one set of vertices after another.

Threads
-------
All threads ask the same question, each with its own stack, and share the table. Each thread writes what is on its stack
into its row of ``open_now``. The others prefer options that no thread is working on. When a thread answers a question
that others have on their stacks, ``signals`` tell them to go back to where the answer is of use.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, unsigned
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
    fact_lately,
    prefetch_fact,
    read_shared,
    write_fact,
    write_lately,
    write_shared,
)

DENSE_GRAPH, SPARSE_GRAPH, LARGEST_GRAPH = 12, 7, 32
"""The most vertices of a graph whose value is computed directly, in a game on a dense and on a sparse graph; and of a
graph whose outcome is computed directly."""

CODES = 1 << 15
"""Rows of the table of codes. A row is a code and the fact about that graph."""

NOT_LOST = ~1
"""The fact about a graph that its value is not 0."""

_CODED = 11
"""The most vertices of a graph with a code: one bit for each of the 55 pairs, and the number of vertices above."""

_CELLS, _LINKS, _SETS, _LEFT, _HIT, _FOUND, _DEGREES = 0, 32, 64, 96, 128, 160, 192
_STAMP, _VALUES = 255, 256
_SLOTS = 1 << 13
NOTES = _VALUES + _SLOTS
"""The length of ``SmallTables.notes``, the scratch memory for one graph. Its parts, by where they start:

_CELLS: the vertices in order. _LINKS: the neighbours of each. _SETS, _LEFT and _HIT: a stack of vertex sets, the
vertices of each set still to be tried, and the values of its options so far. _FOUND: the vertices as they come.
_DEGREES: for each degree, the vertices that have it. _STAMP: the number of the present graph. _VALUES: a hash table of
vertex sets and their values, each with the stamp of its graph."""

_MOST_SETS = 1 << 12
"""The most vertex sets of one graph that are evaluated before its search gives up: all sets of 12 vertices."""

_VALUE_BITS = 4
_VALUE = (1 << _VALUE_BITS) - 1
_MOST_STAMPS = 1 << 63 - _VALUE_BITS - LARGEST_GRAPH
_VERTICES, _EDGES, _ENDS = 1, 2, 4
"""Kinds of moves on a graph, as bits: take a vertex with its neighbours, two neighbours, or one of two neighbours."""


class SmallTables(NamedTuple):
    """Small tables of one thread that fit in its core's cache."""

    lately: Array  # recent facts about components as they lie
    codes: Array  # facts about graphs by their codes
    notes: Array  # scratch memory for the value of one graph


@inlined
def graph_fact(part: int, near: Array, links: Array, kinds: int, outcome: bool, small: SmallTables) -> int:
    """Return the value of the vertices of ``part`` as a graph; NOTHING if computing it takes too long.

    ``links`` is the adjacency matrix, and ``kinds`` the moves (bits of _VERTICES, _EDGES and _ENDS). If ``outcome`` is
    true, only the outcome is asked for: the result may be NOT_LOST in place of a value.
    """
    codes, notes = small.codes, small.notes
    code = 0
    size = _in_order(part, near, notes)
    for vertex in range(size):
        cell, row = notes[_CELLS + vertex], 0
        for other in range(vertex):
            row |= int(links[cell, notes[_CELLS + other]]) << other
        notes[_LINKS + vertex] = row
        if vertex < _CODED:
            code |= row << (vertex * (vertex - 1) >> 1)
    code |= size << (_CODED * (_CODED - 1) >> 1)
    place = scattered(code) & (CODES - 1)
    has_code = size <= _CODED
    if has_code and codes[place, 0] == code and (outcome or codes[place, 1] >= 0):
        return int(codes[place, 1])
    fact = _found(size, kinds, outcome, notes)
    if has_code:
        # If an interrupt comes between these lines, no code may be left with the fact about another graph.
        codes[place, 0] = 0
        codes[place, 1] = fact
        codes[place, 0] = code
    return fact


@inlined
def _in_order(part: int, near: Array, notes: Array) -> int:
    """Write the cells of a graph to ``notes``, those with most neighbours first; return the number of cells."""
    for degree in range(LARGEST_GRAPH + 1):
        notes[_DEGREES + degree] = 0
    size, left = 0, part
    while left != 0:
        cell = lowest(left)
        left &= left - 1
        degree = ones(mask_at(near, cell, near) & part)
        notes[_FOUND + size] = cell
        notes[unsigned(_DEGREES + degree)] |= 1 << size
        size += 1
    placed, degree = 0, size + 1
    # Sorted by degree, equal graphs get the same code more often. The code need not be canonical for that.
    while placed < size:
        degree -= 1
        same = notes[unsigned(_DEGREES + degree)]
        while same != 0:
            notes[unsigned(_CELLS + placed)] = notes[unsigned(_FOUND + lowest(same))]
            same &= same - 1
            placed += 1
    return size


@inlined
def _found(size: int, kinds: int, outcome: bool, notes: Array) -> int:
    """Return the fact about the graph in ``notes``, of which only the links to earlier vertices are written so far."""
    for vertex in range(size):
        row = notes[_LINKS + vertex]
        while row != 0:
            notes[_LINKS + lowest(row)] |= 1 << vertex
            row &= row - 1
    if kinds == _VERTICES:
        return _by_taking(size, outcome, notes)
    return _by_definition(size, kinds, notes)


@inlined
def _by_taking(size: int, outcome: bool, notes: Array) -> int:
    """Return the value, or just the outcome, of a graph in which a move takes a vertex with its neighbours."""
    for vertex in range(size):
        notes[_LINKS + vertex] |= 1 << vertex
    # A new stamp invalidates the values of all earlier graphs, without a loop that clears them.
    notes[_STAMP] += 1
    if notes[_STAMP] == _MOST_STAMPS:
        notes[_STAMP] = 1
        for slot in range(_VALUES, NOTES):
            notes[slot] = 0
    stamp = notes[_STAMP] << LARGEST_GRAPH
    # Depth first on a stack in the notes. ``hit`` has the values of the options so far. If only the outcome is asked
    # for, a set is decided as soon as one option has the value 0, and all other values are written as 1 or more.
    depth, vertices, hit, sets = 0, (1 << size) - 1, 0, 0
    left = vertices
    while True:
        while left != 0:
            rest = vertices & ~notes[unsigned(_LINKS + lowest(left))]
            left &= left - 1
            if rest == 0:
                hit |= 1
            # A set that one more move empties is an N-position: of no use where only the outcome is asked for.
            elif not outcome or rest & ~notes[unsigned(_LINKS + lowest(rest))] != 0:
                known = notes[_slot(rest)]
                if known >> _VALUE_BITS != stamp | rest:
                    notes[unsigned(_SETS + depth)] = vertices
                    notes[unsigned(_LEFT + depth)] = left
                    notes[unsigned(_HIT + depth)] = hit
                    depth, vertices, left, hit = depth + 1, rest, rest, 0
                    continue
                hit |= 1 << (known & _VALUE)
            if outcome and hit & 1:
                break
        value, sets = hit & 1 if outcome else lowest(~hit), sets + 1
        if sets > _MOST_SETS:
            return NOTHING
        notes[_slot(vertices)] = (stamp | vertices) << _VALUE_BITS | value
        if depth == 0:
            break
        depth -= 1
        vertices, left = notes[unsigned(_SETS + depth)], notes[unsigned(_LEFT + depth)]
        hit = notes[unsigned(_HIT + depth)] | 1 << value
        if outcome and hit & 1:
            left = 0
    return NOT_LOST if outcome and value != 0 else value


@inlined
def _slot(vertices: int) -> int:
    """Return the slot for the value of a set of vertices. Sets may collide: the later one replaces the earlier."""
    return unsigned(_VALUES + ((vertices ^ vertices >> 9) & _SLOTS - 1))


@inlined
def _by_definition(size: int, kinds: int, notes: Array) -> int:
    """Return the value of the small graph in ``notes``, after the values of all its vertex sets."""
    # A move removes vertices, which makes the mask smaller: in increasing order, the options' values are known.
    notes[_VALUES] = 0
    for vertices in range(1, 1 << size):
        hit, left = 0, vertices
        while left != 0:
            vertex = lowest(left)
            left &= left - 1
            rest = vertices & ~(1 << vertex)
            linked = notes[_LINKS + vertex] & rest
            if kinds & _VERTICES:
                hit |= 1 << notes[_VALUES + (rest & ~linked)]
            if kinds & _ENDS and linked != 0:
                hit |= 1 << notes[_VALUES + rest]
            # Count each edge once: only with the neighbours that are still to come.
            linked &= left
            while kinds & _EDGES and linked != 0:
                hit |= 1 << notes[_VALUES + (rest & ~(linked & -linked))]
                linked &= linked - 1
        notes[_VALUES + vertices] = lowest(~hit)
    return int(notes[_VALUES + (1 << size) - 1])


@compiled
def graph_loop(masks: Array, near: Array, links: Array, kinds: int, small: SmallTables) -> int:
    """Return the value of the first of the masks, as a small graph; see ``graph_fact``."""
    return graph_fact(mask_at(masks, 0, masks), near, links, kinds, False, small)


NIMBERS = 63
"""The number of nimbers that a set can contain: 0..62."""

OPTION = 4
START, STOP, KNOWN_SUM, ORDER = range(OPTION)
"""The fields of an option: its parts without a known value are ``parts[START:STOP]``; the nim-sum of the other parts;
and a number that sorts the options, easy ones first."""

FIELDS = 9
WANTED, POSSIBLE, HIT, SPARE, EXACT, FIRST, END, CURRENT, TOP = range(FIELDS)
"""The fields of a question on the stack.

WANTED: the nimbers that it asks for. POSSIBLE: the nimbers that can still be the value. HIT: the nimbers that it cannot
be. SPARE: options that may still be of no use before the largest possible nimber drops out. EXACT: 1 while the value of
every option so far is known. FIRST, END, CURRENT: the options, and the next one. TOP: where their parts end."""

_BEHIND = 4
"""Options between the prefetch of their facts and the reading of them."""


class MoveLists(NamedTuple):
    """The moves of a board in groups. The moves of a group need the same pattern of cells, shifted."""

    groups: Array  # for each group, the lowest cells of its moves
    offsets: Array  # the pattern of group g: distances from the lowest cell, offsets[offsets[g]:offsets[g + 1]]
    moves: Array  # for each group and cell, the move whose lowest cell it is
    links: Array  # the adjacency matrix of the cells, 0 and 1


class Stack(NamedTuple):
    """The stack of questions of one thread, and the options of their positions."""

    state: Array  # the fields _DEPTH to _KEPT
    positions: Array  # the position of each question
    frames: Array  # the fields WANTED to TOP of each question
    options: Array  # the fields START to ORDER of each option
    parts: Array  # the parts of options without a known value, in canonical form
    raw: Array  # the same parts as they lie


@inlined
def write_options(
    board: Board, lists: MoveLists, table: Table, small: SmallTables, stack: Stack, depth: int, hit: int
) -> tuple[int, int, int]:
    """Write the options of the question at ``depth`` whose values are not known.

    Return ``hit`` with the values of the other options added, and the ends of the options and of their parts. Once
    ``hit`` contains all wanted nimbers, the question is answered, and the remaining options are left out.
    """
    # options[kept:sifted] are done with. options[sifted:option] wait for the facts about their parts, which were
    # prefetched: they are read a few options later, when the memory has arrived.
    rules, near, needs, takes, puts, rims = board.rules, board.near, board.needs, board.takes, board.puts, board.rims
    groups, offsets, moves, links = lists
    lately, options = small.lately, stack.options
    tidy, whole, liberties = rules[TIDY], rules[WHOLE], rules[LIBERTIES]
    alone, lower = mask_at(board.sets, TAKEN_ALONE, board.sets), mask_at(board.sets, SITES, board.sets)
    kinds, graphs_to = rules[GRAPH_MOVES], rules[GRAPHS_TO]
    dense = graphs_to > SPARSE_GRAPH
    position, wanted = mask_at(stack.positions, depth, near), stack.frames[depth, WANTED]
    option = sifted = kept = stack.frames[depth, FIRST]
    free = stack.frames[depth, TOP]
    for group in range(len(moves)):
        left = mask_at(groups, group, groups) & position
        for place in range(offsets[group], offsets[group + 1]):
            left &= position >> offsets[place]
        while left != 0:
            move = moves[group, lowest(left)]
            left &= left - 1
            if mask_at(needs, move, needs) & ~position != 0:
                continue
            rest = position & ~mask_at(takes, move, takes) | mask_at(puts, move, puts)
            rim = mask_at(rims, move, rims) & rest
            if tidy:
                rest = rim = in_play(rest, board)
            # Games that never fall apart, such as Chomp, meet the same cells again and again: look them up as they lie.
            known = fact_lately(lately, near, rest) if whole else NOTHING
            start, value = free, 0
            if known >= 0:
                value, rest = known, rest ^ rest
            while rest != 0:
                part = lowest_component(rest, rim, board)
                sites = part & part >> 1 & lower if liberties else part
                if sites == 0:
                    break
                rest ^= part
                rim &= rest
                # A single cell has the value 1 if a move can take it, otherwise 0.
                if sites & (sites - 1) == 0:
                    value ^= 1 if sites & alone != 0 else 0
                    continue
                # If only 0 is asked for, and all other parts together have the value 0, this part's outcome is enough.
                known = fact_lately(lately, near, part)
                outcome = kinds == 1 and wanted == 1 and value == 0 and free == start and rest == 0
                if known < 0 and not (outcome and known == NOT_LOST):
                    size, known = ones(part), NOTHING
                    if size <= graphs_to or (outcome and dense and size <= LARGEST_GRAPH):
                        known = graph_fact(part, near, links, kinds, outcome, small)
                    if known == NOTHING:
                        form = canonical_form(part, board)
                        if form != 0:
                            free = _with_part(stack, table, start, free, form, part)
                            continue
                        known = 0
                    write_lately(lately, near, part, known)
                value ^= known
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
            if option > sifted + _BEHIND:
                hit, kept = _sift(table, lately, stack, sifted, kept, hit)
                sifted += 1
                if wanted & ~hit == 0:
                    return hit, kept, free
    while sifted < option and wanted & ~hit:
        hit, kept = _sift(table, lately, stack, sifted, kept, hit)
        sifted += 1
    return hit, kept, free


@inlined
def _with_part(stack: Stack, table: Table, start: int, free: int, form: int, part: int) -> int:
    """Add the canonical form of a part to those of an option, where two equal ones cancel; return the new end."""
    parts, raw, near = stack.parts, stack.raw, table.like
    for place in range(start, free):
        if mask_at(parts, place, near) == form:
            free -= 1
            set_mask(parts, place, mask_at(parts, free, near), near)
            set_mask(raw, place, mask_at(raw, free, near), near)
            return free
    prefetch_fact(table, form)
    set_mask(parts, free, form, near)
    set_mask(raw, free, part, near)
    return free + 1


@inlined
def _sift(table: Table, lately: Array, stack: Stack, option: int, kept: int, hit: int) -> tuple[int, int]:
    """Look up the parts of an option. Return ``hit`` and the number of kept options.

    If all parts have known values, the option's value is added to ``hit``. Otherwise the option is kept, with its
    unknown parts, the largest first.
    """
    options, parts, near = stack.options, stack.parts, table.like
    start = free = options[option, START]
    value, difficulty, most = options[option, KNOWN_SUM], 0, 0
    for place in range(start, options[option, STOP]):
        part = mask_at(parts, place, near)
        known = fact_about(table, part)
        if known >= 0:
            value ^= known
            write_lately(lately, near, mask_at(stack.raw, place, near), known)
            continue
        size = ones(part)
        difficulty += size * size
        set_mask(parts, free, part, near)
        if size > most:
            most = size
            set_mask(parts, free, mask_at(parts, start, near), near)
            set_mask(parts, start, part, near)
        free += 1
    if free == start:
        return hit | (1 << value if value < NIMBERS else 0), kept
    options[kept, START] = start
    options[kept, STOP] = free
    options[kept, KNOWN_SUM] = value
    # Large parts are hard: options are sorted by the sum of the squares of their sizes, then by the order of the moves
    # (of which there are fewer than 2^12).
    options[kept, ORDER] = difficulty << 12 | options[option, ORDER]
    return hit, kept + 1


STATE = 5
"""The number of fields of the state."""

ALL_NIMBERS = (1 << 63) - 1
"""The set of all nimbers that can be asked for."""

SIGNAL = 8
"""The distance between signals: 64 bytes, so that each has its own cache line. The first tells all threads to return;
the next ones tell each thread that a question on its stack has an answer."""

FOUND, PAUSED, TABLE_FULL, VALUE_TOO_LARGE = 0, 1, 2, 3
"""How the loop ends: with the answer, after ``budget`` questions or a signal, with a full table, or at a value > 62."""

_ENTER, _NEXT, _BACK = 0, 1, 2
"""Phases: enter a question, ask its next option, or return to a question with the answer of the one above it."""

_DEPTH, _PHASE, _ANSWER, _VISITED, _KEPT = range(5)
"""The fields of the state: the depth of the stack, the phase, the last answer, the number of positions that were looked
at for the first time, and the number of new facts in the table."""


class Threads(NamedTuple):
    """The memory by which threads tell each other what they are doing."""

    open_now: Array  # for each thread, a hash table of the positions on its stack
    signals: Array  # the signal to all threads, and the signal to each
    own: int  # the number of this thread


class Worker:
    """The memory of one thread: its stack and its small tables.

    ``words`` is the width of masks. ``depth``, ``options`` and ``parts`` bound the stack, and ``lately`` is the size of
    the table of recent facts.
    """

    def __init__(self, words: int, depth: int, options: int, parts: int, lately: int) -> None:
        self.stack = Stack(
            np.zeros(STATE, np.int64),
            empty_masks(depth, words),
            np.zeros((depth, FIELDS), np.int64),
            np.zeros((options, OPTION), np.int64),
            empty_masks(parts, words),
            empty_masks(parts, words),
        )
        self.small = SmallTables(
            np.zeros((lately, words + 1), np.int64),
            np.zeros((CODES, 2), np.int64),
            np.zeros(NOTES, np.int64),
        )

    @property
    def depth(self) -> int:
        """The depth of the stack."""
        return int(self.stack.state[_DEPTH])

    def ask(self, masks: np.ndarray, wanted: int) -> None:
        """Put the first question on the stack: whether the value of the only mask is in the set ``wanted``."""
        self.stack.positions[:1] = masks
        self.stack.frames[0] = wanted, *[0] * (FIELDS - 1)
        self.stack.state[:] = 0

    @property
    def answer(self) -> int:
        """The answer to the first question, once the loop has ended with FOUND."""
        return int(self.stack.state[_ANSWER])

    def spent(self) -> tuple[int, int]:
        """Return the numbers of visited positions and of new facts since the last call."""
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
    budget: int,
    most: int,
) -> int:
    """Work on the questions on the stack until the first is answered, or the caller must act; return how it ended.

    The caller may call again, and the search goes on from the stack. ``budget`` bounds the questions of this call, and
    ``most`` the new facts.
    """
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
                # Drop everything above the lowest question that has an answer, and enter that one again.
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
                # On dense graphs ask for the smallest possible nimber first, as a question of its own.
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
        # The answer to such a question about the same position (CURRENT < 0): if it failed, that nimber is excluded.
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
            # A question without an exact answer proves something too: none of the wanted nimbers is the value.
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
    """Swap the option to ask next to index ``current``: the easiest, if possible one that no other thread works on."""
    options, least = stack.options, current
    # Easy options first: they may answer the question, so that the hard ones are never asked.
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
    """Return True if another thread is working on the part of an option that would be asked next."""
    open_now = threads.open_now
    mark = scattered(mask_at(stack.parts, stack.options[option, STOP] - 1, near))
    place = mark & (open_now.shape[1] - 1)
    found = False
    for other in range(len(open_now)):
        found |= other != threads.own and open_now[other, place] == mark
    return found


@inlined
def _open(threads: Threads, position: int) -> None:
    """Tell the other threads that this one is working on a position."""
    mark = scattered(position)
    threads.open_now[threads.own, mark & (threads.open_now.shape[1] - 1)] = mark


@inlined
def _close(threads: Threads, position: int) -> None:
    """Mark a position as answered, and signal the other threads that are working on it."""
    open_now, signals, own = threads
    mark = scattered(position)
    place = mark & (open_now.shape[1] - 1)
    open_now[own, place] = 0
    for other in range(len(open_now)):
        if open_now[other, place] == mark:
            write_shared(signals, SIGNAL * (other + 1), 1)


@inlined
def _answered(table: Table, stack: Stack, depth: int) -> int:
    """Return the depth of the first question on the stack that the table answers; ``depth + 1`` if there is none."""
    for place in range(depth + 1):
        answer = fact_about(table, mask_at(stack.positions, place, table.like))
        if answer >= 0 or stack.frames[place, WANTED] & answer == 0:
            return place
    return depth + 1


@inlined
def _leave(threads: Threads, positions: Array, near: Array, first: int, depth: int) -> None:
    """Clear this thread's marks of the questions from ``first`` to ``depth``."""
    for place in range(first, depth + 1):
        mark = scattered(mask_at(positions, place, near))
        threads.open_now[threads.own, mark & (threads.open_now.shape[1] - 1)] = 0


@inlined
def _least_open(excluded: int) -> int:
    """Return the least nimber that is not excluded, as a set: the lowest zero bit."""
    return ~excluded & excluded + 1


@inlined
def _ask_again(stack: Stack, near: Array, depth: int, nimber: int) -> None:
    """Push a question about the same position, for one nimber only."""
    positions, frames = stack.positions, stack.frames
    set_mask(positions, depth + 1, mask_at(positions, depth, near), near)
    frames[depth, CURRENT] = -1
    frames[depth + 1, WANTED] = nimber
    frames[depth + 1, HIT] = frames[depth, HIT]
    frames[depth + 1, FIRST] = frames[depth, FIRST]
    frames[depth + 1, TOP] = frames[depth, TOP]


@inlined
def _begin(frames: Array, depth: int, hit: int, end: int, top: int) -> None:
    """Start asking the options of a question: set which nimbers are possible, and the first option."""
    # With k options left, the mex can pass at most k of the free nimbers: it is one of the k + 1 smallest.
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
    """Return the nimbers to ask for in the question about the current option's last unknown part."""
    # All parts of a sum but one are asked for their exact values.
    option = frames[depth, CURRENT]
    if whole or options[option, STOP] - options[option, START] > 1:
        return ALL_NIMBERS
    possible = frames[depth, POSSIBLE]
    asked = possible & _upto(wanted)
    # The largest possible nimber need not be asked for: it is the value if all the others are hit.
    if frames[depth, SPARE] == 0:
        asked &= _without_largest(possible)
    return _xored(asked, options[option, KNOWN_SUM])


@inlined
def _take_in(frames: Array, options: Array, depth: int, answer: int) -> None:
    """Use the answer about the current option's last unknown part."""
    option, possible = frames[depth, CURRENT], frames[depth, POSSIBLE]
    # If more parts are unknown, the answer is an exact value: add it to the known nim-sum, and stay at this option.
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
    # One option is done. Either it hits a possible nimber, or one fewer of them can be passed: the largest drops out,
    # unless there was an option to spare.
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
    """Return a set of nimbers without the largest."""
    upto = _upto(nimbers)
    return nimbers & (upto >> 1)


@inlined
def _upto(nimbers: int) -> int:
    """Return the set of all nimbers up to the largest in a set."""
    # Copy the highest bit into all lower bits, doubling the length each time.
    nimbers |= nimbers >> 1
    nimbers |= nimbers >> 2
    nimbers |= nimbers >> 4
    nimbers |= nimbers >> 8
    nimbers |= nimbers >> 16
    nimbers |= nimbers >> 32
    return nimbers


@inlined
def _xored(nimbers: int, value: int) -> int:
    """Return the set of the nimbers xor ``value``; the set of all nimbers if one of these is above 62."""
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
