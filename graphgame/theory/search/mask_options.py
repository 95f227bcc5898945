"""The options of a set of cells in compiled loops: what is known of them, and the parts of those that are to be asked.

What is known of a part is looked for as it lies, among what was met lately; then a small graph has its value found, and
of any other part the canonical form is made, and looked up in the table of all facts.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, inlined
from graphgame.arrays.instructions import ones
from graphgame.arrays.wide import lowest, mask_at, set_mask
from graphgame.rules.mask_forms import (
    GRAPH_MOVES,
    GRAPHS_TO,
    LIBERTIES,
    SITES,
    TAKEN_ALONE,
    TIDY,
    WHOLE,
    canonical_form,
    in_play,
    lowest_component,
)
from graphgame.theory.search.mask_graphs import LARGEST_GRAPH, NOT_LOST, SPARSE_GRAPH, graph_fact
from graphgame.theory.search.mask_table import NOTHING, fact_about, fact_lately, prefetch_fact, write_lately

NIMBERS = 63
"""How many nimbers can be told apart."""

OPTION = 4
START, STOP, KNOWN_SUM, ORDER = range(OPTION)
"""The numbers of an option: its parts that are not known yet, the nim-sum of the others, and what is least first."""

_BEHIND = 4


@inlined
def write_options(
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
    stripes: Array,
    lately: Array,
    codes: Array,
    notes: Array,
    options: Array,
    parts: Array,
    raw: Array,
    position: int,
    wanted: int,
    hit: int,
    begin: int,
    free: int,
) -> tuple[int, int, int]:
    """Write the options that are not known from ``begin`` on, a few behind those whose facts are asked for.

    Returns the values that the position does not have for those that are known, and the ends of options and parts. As
    soon as these are all that are wanted, the other options are left out.
    """
    tidy, whole, liberties = rules[TIDY], rules[WHOLE], rules[LIBERTIES]
    alone, lower = mask_at(sets, TAKEN_ALONE, sets), mask_at(sets, SITES, sets)
    kinds, graphs_to = rules[GRAPH_MOVES], rules[GRAPHS_TO]
    dense = graphs_to > SPARSE_GRAPH
    option = sifted = kept = begin
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
                rest = rim = in_play(rest, first, needs)
            start, value = free, 0
            if whole and fact_lately(lately, near, rest) >= 0:
                value, rest = fact_lately(lately, near, rest), rest ^ rest
            while rest != 0:
                part = lowest_component(rest, rim, near, steps, sides)
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
                        known = graph_fact(part, near, links, kinds, outcome, codes, notes)
                    if known == NOTHING:
                        form = canonical_form(part, images, turns, domains, row_of, sets, rules, first, needs, takes)
                        if form != 0:
                            free = _with_part(parts, raw, near, table, start, free, form, part)
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
            options[option, ORDER] = ranks[move]
            option += 1
            if option > sifted + _BEHIND:
                hit, kept = _sift(table, stripes, lately, near, options, parts, raw, sifted, kept, hit)
                sifted += 1
                if wanted & ~hit == 0:
                    return hit, kept, free
    while sifted < option and wanted & ~hit:
        hit, kept = _sift(table, stripes, lately, near, options, parts, raw, sifted, kept, hit)
        sifted += 1
    return hit, kept, free


@inlined
def _with_part(parts: Array, raw: Array, near: Array, table: Array, start: int, free: int, form: int, part: int) -> int:
    """Add the canonical form of a part to those of an option; two equal ones cancel. Returns the end."""
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
def _sift(
    table: Array,
    stripes: Array,
    lately: Array,
    near: Array,
    options: Array,
    parts: Array,
    raw: Array,
    option: int,
    kept: int,
    hit: int,
) -> tuple[int, int]:
    """Keep an option if it is not known, with the parts that are not, the largest first, else add its value."""
    start = free = options[option, START]
    value, difficulty, most = options[option, KNOWN_SUM], 0, 0
    for place in range(start, options[option, STOP]):
        part = mask_at(parts, place, near)
        known = fact_about(table, stripes, near, part)
        if known >= 0:
            value ^= known
            write_lately(lately, near, mask_at(raw, place, near), known)
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
