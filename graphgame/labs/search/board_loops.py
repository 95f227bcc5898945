"""The search among bitboards, as compiled loops: what a value is asked for, and how little of it must be known.

A question is a position and a set of nimbers: *is your value one of these, and which?* The answer is the value, or
that it is none of them; either is written into the table. Of the options one by one only those nimbers are asked for
that still could be the position's value, and the largest of those need not be: with k options left the value is one of
the k + 1 smallest nimbers that no option is known to have. Sets of nimbers are masks of the nimbers 0..62. On dense
graphs a position is asked for the smaller nimbers first, one by one: whether it is lost is found for larger graphs.

A position is a connected set of cells in its canonical form (:mod:`graphgame.labs.bitboards.exploration`). What is
known of a part of an option is looked for as it lies, among what was met lately; then a small graph has its value
found, and of any other part the canonical form is made, and looked up in the table of all facts.

Where the graph of what is near tells the moves, a position is worth what its graph is: its vertices are numbered,
those with most neighbours first, and the rows of links below the diagonal are its code. A value that is not in the
table of codes is found by the definition, set of vertices by set; many sets of a large graph share a place to be
remembered in.

Threads ask the same question, each with a stack of its own, and share the table. Each writes into its row of
``open_now`` what is on its stack; the others take another option first, and where they come to the same they share its
options. What one has found takes the others back to where it is of use: ``signals`` tell them.
"""

from __future__ import annotations

from typing import NamedTuple

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
from graphgame.labs.bitboards.wide_masks import lowest, mask_at, scattered, set_mask
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
"""Vertices of the largest graphs whose values are found by the definition, where a vertex has many others near it and
where it has few, and of the largest of which it is found whether it is lost."""

CODES = 1 << 15
"""Rows of the table of codes: a code and what is known of the graph, as of a position in the other tables."""

NOT_LOST = ~1
"""The fact about a graph that its value is not 0."""

_CODED = 11
"""Vertices of the largest graph that has a code, of a bit for each pair."""

_CELLS, _LINKS, _SETS, _LEFT, _HIT, _FOUND, _DEGREES = 0, 32, 64, 96, 128, 160, 192
_STAMP, _VALUES = 255, 256
_SLOTS = 1 << 13
NOTES = _VALUES + _SLOTS
"""Numbers that finding a value is given to write on: the vertices, what each is linked with; sets of vertices to find
the values of, which vertices of them were not taken yet, the values of their options; the vertices as they come, which
have how many others near them; a stamp for each graph; and values found, with the stamp where graphs are larger."""

_MOST_SETS = 1 << 12
"""Sets of vertices of a graph that are looked at, at most; one of 12 vertices has no more."""

_VALUE_BITS = 4
_VALUE = (1 << _VALUE_BITS) - 1
_MOST_STAMPS = 1 << 63 - _VALUE_BITS - LARGEST_GRAPH
_VERTICES, _EDGES, _ENDS = 1, 2, 4


class SmallTables(NamedTuple):
    """What a thread knows beside the table of all facts: tables that stay near its core."""

    lately: Array  # what was known lately of cells that are not in canonical form
    codes: Array  # what is known of graphs by their codes
    notes: Array  # room to find the value of a graph


@inlined
def graph_fact(part: int, near: Array, links: Array, kinds: int, outcome: bool, small: SmallTables) -> int:
    """Return the value of a few vertices, the graph of ``links``; NOT_LOST perhaps, where the outcome is enough.

    NOTHING where it takes too long.
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
    if size > _CODED:
        return _found(size, kinds, outcome, notes)
    code |= size << (_CODED * (_CODED - 1) >> 1)
    place = scattered(code) & (CODES - 1)
    if codes[place, 0] != code or (codes[place, 1] < 0 and not outcome):
        fact = _found(size, kinds, outcome, notes)
        codes[place, 0] = 0  # an interrupt must not leave a fact with another code
        codes[place, 1] = fact
        codes[place, 0] = code
    return int(codes[place, 1])


@inlined
def _in_order(part: int, near: Array, notes: Array) -> int:
    """Write down the cells of a graph, those with many others near them first; return how many they are."""
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
    # Vertices in order of degree give equal graphs the same code more often.
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
    """Return a fact about a graph of which ``notes`` has the lower links."""
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
    """Return the value of a graph where moves take a vertex with its neighbours, or whether it is lost."""
    for vertex in range(size):
        notes[_LINKS + vertex] |= 1 << vertex
    # A new stamp makes all values of the graph before void, without a loop that clears them.
    notes[_STAMP] += 1
    if notes[_STAMP] == _MOST_STAMPS:
        notes[_STAMP] = 1
        for slot in range(_VALUES, NOTES):
            notes[slot] = 0
    stamp = notes[_STAMP] << LARGEST_GRAPH
    # Depth first on a stack in the notes. For the outcome alone a position is won as soon as one option is lost.
    depth, vertices, hit, sets = 0, (1 << size) - 1, 0, 0
    left = vertices
    while True:
        while left != 0:
            rest = vertices & ~notes[unsigned(_LINKS + lowest(left))]
            left &= left - 1
            if rest == 0:
                hit |= 1
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
    """Return where the value of a set of vertices is written down."""
    return unsigned(_VALUES + ((vertices ^ vertices >> 9) & _SLOTS - 1))


@inlined
def _by_definition(size: int, kinds: int, notes: Array) -> int:
    """Return the value of a small graph of which ``notes`` has the links, and those of all parts of it on the way."""
    # A move leaves a set of vertices whose number is less: in this order the values of all options are there.
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
            linked &= left  # each edge once
            while kinds & _EDGES and linked != 0:
                hit |= 1 << notes[_VALUES + (rest & ~(linked & -linked))]
                linked &= linked - 1
        notes[_VALUES + vertices] = lowest(~hit)
    return int(notes[_VALUES + (1 << size) - 1])


@compiled
def graph_loop(masks: Array, near: Array, links: Array, kinds: int, small: SmallTables) -> int:
    """Return the value of the first of some sets of a few vertices."""
    return graph_fact(mask_at(masks, 0, masks), near, links, kinds, False, small)


NIMBERS = 63
"""How many nimbers can be told apart."""

OPTION = 4
START, STOP, KNOWN_SUM, ORDER = range(OPTION)
"""The numbers of an option: its parts that are not known yet, the nim-sum of the others, and what is least first."""

FIELDS = 9
WANTED, POSSIBLE, HIT, SPARE, EXACT, FIRST, END, CURRENT, TOP = range(FIELDS)
"""The numbers of a question on the stack, besides its position: the options from the first to the end, the next of
them, and where their parts end."""

_BEHIND = 4


class MoveLists(NamedTuple):
    """The moves of a board in groups, each of moves that need cells in the same places."""

    groups: Array  # the lowest cells of the moves of each group
    offsets: Array  # the places of the other cells are ``offsets[offsets[g]:offsets[g + 1]]``
    moves: Array  # the move of each group that has its lowest cell at a column
    links: Array  # which cells are near each other, as 0 and 1


class Stack(NamedTuple):
    """The questions that a thread is at, and the options of their positions."""

    state: Array  # how far the search is
    positions: Array  # what each question is about
    frames: Array  # the numbers of each question
    options: Array  # the numbers of each option
    parts: Array  # the parts of options that are not known, in canonical form
    raw: Array  # these parts as they lie


@inlined
def write_options(
    board: Board, lists: MoveLists, table: Table, small: SmallTables, stack: Stack, depth: int, hit: int
) -> tuple[int, int, int]:
    """Write the options of the last question that are not known, a few behind those whose facts are asked for.

    Returns the values that the position does not have for those that are known, and the ends of options and parts. As
    soon as these are all that are wanted, the other options are left out.
    """
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
            start, value = free, 0
            # Undivided play, as in Chomp, meets the same cells again and again: they need no canonical form.
            if whole and fact_lately(lately, near, rest) >= 0:
                value, rest = fact_lately(lately, near, rest), rest ^ rest
            while rest != 0:
                part = lowest_component(rest, rim, board)
                sites = part & part >> 1 & lower if liberties else part
                if sites == 0:
                    break
                rest ^= part
                rim &= rest
                # One cell alone is worth 1 if it may be taken, else 0.
                if sites & (sites - 1) == 0:
                    value ^= 1 if sites & alone != 0 else 0
                    continue
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
            # Facts are read a few options after their rows were asked for, when the memory has come.
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
    """Add the canonical form of a part to those of an option; two equal ones cancel. Returns the end."""
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
    """Keep an option if it is not known, with the parts that are not, the largest first, else add its value."""
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
    # Large parts are hard: the squares of their sizes come before the place of the move in the order of all.
    options[kept, ORDER] = difficulty << 12 | options[option, ORDER]
    return hit, kept + 1


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

    open_now: Array  # what each thread has on its stack
    signals: Array  # the signals to all, and to each
    own: int  # the number of the thread itself


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
                # On dense graphs smaller nimbers come first: whether a position is lost is found for larger graphs.
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
            # A question that fails still proves something: none of the nimbers that were asked for is the value.
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
    # Options that are likely to be easy come first; the rest may then be left out.
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
    # With k options left the value is at most the (k + 1)-th nimber that is free: the mex passes no more of them.
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
    # The largest possible value follows from the others: it is the value if all of these are hit.
    if frames[depth, SPARE] == 0:
        asked &= _without_largest(possible)
    return _xored(asked, options[option, KNOWN_SUM])


@inlined
def _take_in(frames: Array, options: Array, depth: int, answer: int) -> None:
    """Take in what the last open part of the current option answers."""
    option, possible = frames[depth, CURRENT], frames[depth, POSSIBLE]
    # All parts of a sum but the last are asked for their values, which xor into what is known of it.
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
