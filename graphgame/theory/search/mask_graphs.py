"""The values of small graphs in compiled loops, for games whose moves the graph of what is near tells.

Such a position is worth what its graph is: its vertices are numbered as they come, and the rows of links below the
diagonal are its code. A value that is not in the table of codes is found by the definition, set of vertices by set.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined
from graphgame.arrays.wide import lowest, mask_at, scattered

__all__ = ["CODES", "DENSE_GRAPH", "LARGEST_GRAPH", "NOTES", "NOT_LOST", "SPARSE_GRAPH", "graph_fact", "graph_loop"]

DENSE_GRAPH, SPARSE_GRAPH, LARGEST_GRAPH = 12, 7, 16
"""Vertices of the largest graphs whose values are found by the definition, where a vertex has many others near it and
where it has few, and of the largest of which it is found whether it is lost."""

CODES = 1 << 15
"""Rows of the table of codes: a code and what is known of the graph, as of a position in the other tables."""

NOT_LOST = ~1
"""The fact about a graph that its value is not 0."""

_CODED = 11
"""Vertices of the largest graph that has a code, of a bit for each pair."""

_CELLS, _LINKS, _SETS, _LEFT, _STAMP, _VALUES = 0, 16, 32, 960, 1023, 1024
NOTES = _VALUES + (1 << LARGEST_GRAPH)
"""Numbers that finding a value is given to write on: the vertices, what each is linked with, sets of vertices to find
the values of, which vertices of them were not taken yet, and the values found, each beside a stamp of its graph."""

_VALUE_BITS = 6
_VERTICES, _EDGES, _ENDS = 1, 2, 4


@inlined
def graph_fact(part: int, links: Array, kinds: int, outcome: bool, codes: Array, notes: Array) -> int:
    """Return the value of a few vertices, the graph of ``links``; NOT_LOST perhaps, where the outcome is enough."""
    size, left, code = 0, part, 0
    while left != 0:
        cell = lowest(left)
        left &= left - 1
        row = 0
        for other in range(size):
            row |= int(links[cell, notes[_CELLS + other]]) << other
        notes[_CELLS + size] = cell
        notes[_LINKS + size] = row
        if size < _CODED:
            code |= row << (size * (size - 1) >> 1)
        size += 1
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
def _found(size: int, kinds: int, outcome: bool, notes: Array) -> int:
    """Return a fact about a graph of which ``notes`` has the lower links."""
    for vertex in range(size):
        row = notes[_LINKS + vertex]
        while row != 0:
            notes[_LINKS + lowest(row)] |= 1 << vertex
            row &= row - 1
    notes[_STAMP] += 1
    if outcome and kinds == _VERTICES:
        return _outcome_by_definition(size, notes)
    return _value_by_definition(size, kinds, notes)


@inlined
def _outcome_by_definition(size: int, notes: Array) -> int:
    """Return 0 if a graph is lost where moves take a vertex with its neighbours, else NOT_LOST."""
    stamp = notes[_STAMP] << _VALUE_BITS
    notes[_VALUES] = stamp
    depth, entire = 0, (1 << size) - 1
    notes[_SETS] = notes[_LEFT] = entire
    while notes[_VALUES + entire] < stamp:
        vertices, left, result = notes[_SETS + depth], notes[_LEFT + depth], stamp
        while left != 0:
            vertex = lowest(left)
            rest = vertices & ~(notes[_LINKS + vertex] | 1 << vertex)
            known = notes[_VALUES + rest]
            if known < stamp:
                depth += 1
                notes[_SETS + depth] = notes[_LEFT + depth] = rest
                result = -1
                break
            if known == stamp:
                result = stamp + 1
                break
            left &= left - 1
        if result >= 0:
            notes[_VALUES + vertices] = result
            depth -= 1
        else:
            notes[_LEFT + depth - 1] = left
    return 0 if notes[_VALUES + entire] == stamp else NOT_LOST


@inlined
def _value_by_definition(size: int, kinds: int, notes: Array) -> int:
    """Return the value of a graph of which ``notes`` has the links."""
    stamp = notes[_STAMP] << _VALUE_BITS
    notes[_VALUES] = stamp
    top = _SETS
    notes[top] = (1 << size) - 1
    while top >= _SETS:
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
def graph_loop(masks: Array, links: Array, kinds: int, codes: Array, notes: Array) -> int:
    """Return the value of the first of some sets of a few vertices."""
    return graph_fact(mask_at(masks, 0, masks), links, kinds, False, codes, notes)
