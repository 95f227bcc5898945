"""The options of a set of cells in compiled loops: what is known of them, and the parts of those that are to be asked.

What is known of a part is looked for as it lies, among what was met lately; then a small graph has its value found, and
of any other part the canonical form is made, and looked up in the table of all facts.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, inlined
from graphgame.compiled.instructions import ones
from graphgame.labs.bitboards.mask_forms import (
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
from graphgame.labs.bitboards.wide import lowest, mask_at, set_mask
from graphgame.labs.search.mask_graphs import LARGEST_GRAPH, NOT_LOST, SPARSE_GRAPH, SmallTables, graph_fact
from graphgame.labs.search.mask_table import NOTHING, Table, fact_about, fact_lately, prefetch_fact, write_lately

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

    groups: Array
    """The lowest cells of the moves of each group."""

    offsets: Array
    """The places of the other cells are ``offsets[offsets[g]:offsets[g + 1]]``."""

    moves: Array
    """The move of each group that has its lowest cell at a column."""

    links: Array
    """Which cells are near each other, as 0 and 1."""


class Stack(NamedTuple):
    """The questions that a thread is at, and the options of their positions."""

    state: Array
    """How far the search is."""

    positions: Array
    """What each question is about."""

    frames: Array
    """The numbers of each question."""

    options: Array
    """The numbers of each option."""

    parts: Array
    """The parts of options that are not known, in canonical form."""

    raw: Array
    """These parts as they lie."""


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
            if whole and fact_lately(lately, near, rest) >= 0:
                value, rest = fact_lately(lately, near, rest), rest ^ rest
            while rest != 0:
                part = lowest_component(rest, rim, board)
                sites = part & part >> 1 & lower if liberties else part
                if sites == 0:
                    break
                rest ^= part
                rim &= rest
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
    options[kept, ORDER] = difficulty << 12 | options[option, ORDER]
    return hit, kept + 1
