"""The values of small graphs in compiled loops, for games whose moves the graph of what is near tells.

Such a position is worth what its graph is: its vertices are numbered, those with most neighbours first, and the rows of
links below the diagonal are its code. A value that is not in the table of codes is found by the definition, set of
vertices by set; many sets of a large graph share a place to be remembered in.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, unsigned
from graphgame.labs.bitboards.wide import lowest, mask_at, scattered
from graphgame.labs.search.mask_table import NOTHING

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
_OPEN, _STAMP, _VALUES = 256, 1023, 1024
_SLOTS = 1 << 13
NOTES = _VALUES + _SLOTS
"""Numbers that finding a value is given to write on: the vertices, what each is linked with; sets of vertices to find
the values of, which vertices of them were not taken yet, the values of their options; the vertices as they come, which
have how many others near them; sets whose values are to be found; and values found, with a stamp of their graph."""

_MOST_SETS = 1 << 12
"""Sets of vertices of a graph that are looked at, at most; one of 12 vertices has no more."""

_VALUE_BITS = 4
_VALUE = (1 << _VALUE_BITS) - 1
_MOST_STAMPS = 1 << 63 - _VALUE_BITS - LARGEST_GRAPH
_VERTICES, _EDGES, _ENDS = 1, 2, 4


class SmallTables(NamedTuple):
    """What a thread knows beside the table of all facts: tables that stay near its core."""

    lately: Array
    """What was known lately of cells that are not in canonical form."""

    codes: Array
    """What is known of graphs by their codes."""

    notes: Array
    """Room to find the value of a graph."""


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
    notes[_STAMP] += 1
    if notes[_STAMP] == _MOST_STAMPS:
        notes[_STAMP] = 1
        for slot in range(_VALUES, NOTES):
            notes[slot] = 0
    if kinds == _VERTICES:
        return _by_taking(size, outcome, notes)
    return _value_by_definition(size, kinds, notes)


@inlined
def _by_taking(size: int, outcome: bool, notes: Array) -> int:
    """Return the value of a graph where moves take a vertex with its neighbours, or whether it is lost."""
    for vertex in range(size):
        notes[_LINKS + vertex] |= 1 << vertex
    stamp = notes[_STAMP] << LARGEST_GRAPH
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
def _value_by_definition(size: int, kinds: int, notes: Array) -> int:
    """Return the value of a graph of which ``notes`` has the links."""
    stamp = notes[_STAMP] << _VALUE_BITS
    notes[_VALUES] = stamp
    top = _OPEN
    notes[top] = (1 << size) - 1
    while top >= _OPEN:
        vertices = notes[top]
        if notes[_VALUES + vertices] >= stamp:
            top -= 1
            continue
        before, hit, left = top, 0, vertices
        while left != 0:
            vertex = lowest(left)
            left &= left - 1
            rest = vertices & ~(1 << vertex)
            linked = notes[_LINKS + vertex] & rest
            if kinds & _VERTICES:
                top, hit = _with_option(rest & ~linked, notes, stamp, top, hit)
            if kinds & _ENDS and linked != 0:
                top, hit = _with_option(rest, notes, stamp, top, hit)
            linked &= left
            while kinds & _EDGES and linked != 0:
                top, hit = _with_option(rest & ~(linked & -linked), notes, stamp, top, hit)
                linked &= linked - 1
        if top == before:
            notes[_VALUES + vertices] = stamp | lowest(~hit)
            top -= 1
    return int(notes[_VALUES + (1 << size) - 1] - stamp)


@inlined
def _with_option(vertices: int, notes: Array, stamp: int, top: int, hit: int) -> tuple[int, int]:
    """Add the value of an option to those that are hit, or the option to the sets whose values are to be found."""
    value = notes[_VALUES + vertices] - stamp
    if value >= 0:
        return top, hit | 1 << value
    notes[top + 1] = vertices
    return top + 1, hit


@compiled
def graph_loop(masks: Array, near: Array, links: Array, kinds: int, small: SmallTables) -> int:
    """Return the value of the first of some sets of a few vertices."""
    return graph_fact(mask_at(masks, 0, masks), near, links, kinds, False, small)
