"""The values of small graphs, computed in compiled loops of the search on bitboards.

In games on graphs the graph of a position decides its value, wherever the position lies on the board. The *code* of a
graph with at most 11 vertices is an integer: the rows of its adjacency matrix below the diagonal, after its vertices
are sorted by degree, and the number of vertices. If a table of codes does not have the value, it is computed from the
definition: from the values of sets of vertices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, unsigned
from graphgame.labs.bitboards.wide_masks import lowest, mask_at, scattered
from graphgame.labs.search.shared_table import NOTHING

DENSE_GRAPH, SPARSE_GRAPH, LARGEST_GRAPH = 12, 7, 32
"""The maximum number of vertices of a graph whose value is computed directly: on a dense board, and on a sparse board.
The third number is the maximum on a dense board if only the outcome is needed."""

_CODES = 1 << 15
"""The number of rows of the table of codes. A row has a code and the fact about the graph with this code."""

NOT_LOST = ~1
"""The fact about a graph that its value is not 0."""

_CODED = 11
"""The maximum number of vertices of a graph with a code. The low 55 bits of the code are for the pairs of vertices, and
the higher bits for the number of vertices."""

_CELLS, _LINKS, _SETS, _UNTRIED, _HIT, _UNSORTED, _DEGREES = 0, 32, 64, 96, 128, 160, 192
_STAMP, _VALUES = 255, 256
_SLOTS = 1 << 13
_NOTES = _VALUES + _SLOTS
"""The length of ``SmallTables.notes``, the scratch memory for one graph. Its fields start at these indices:

_CELLS: the cell of each vertex; vertices are numbered by decreasing degree. _LINKS: the mask of each vertex's
neighbours; in :func:`_fact_if_vertices` also of the vertex itself. _SETS, _UNTRIED and _HIT: a stack of vertex sets;
for each set, the vertices that have not been tried, and the values of its options so far. _UNSORTED: the cells in
increasing order. _DEGREES: for each degree, the cells with this degree, as a mask of their indices in _UNSORTED.
_STAMP: the number of the present graph. _VALUES: a hash table of vertex sets and their values, each with the stamp of
its graph; it has _SLOTS entries. If moves are not only those of _VERTICES, _VALUES has the value of each vertex set, at
its mask, and there are no stamps."""

_MOST_SETS = 1 << 12
"""The maximum number of vertex sets that :func:`_fact_if_vertices` evaluates: the number of subsets of 12 vertices. If
more are needed, it gives up."""

_VALUE_BITS = 4
_VALUE_MASK = (1 << _VALUE_BITS) - 1
_MOST_STAMPS = 1 << 63 - _VALUE_BITS - LARGEST_GRAPH
_VERTICES, _EDGES, _ENDS = 1, 2, 4
"""Kinds of moves on a graph, as bits: take a vertex and its neighbours, both ends of an edge, or one end of an edge."""


class SmallTables(NamedTuple):
    """Arrays of one thread: recent facts about components, facts about small graphs, and scratch memory for one graph.

    They are small enough for the cache of a core.
    """

    recent: Array  # recent facts, by the masks of components before they are brought into canonical form
    codes: Array  # each row has the code of a small graph (see the module's docstring) and a fact about the graph
    notes: Array  # scratch memory for the value of one graph

    @classmethod
    def of(cls, recent: int, words: int) -> SmallTables:
        """Return empty tables for masks of ``words`` words; the table ``recent`` has ``recent`` rows."""
        return cls(np.zeros((recent, words + 1), np.int64), np.zeros((_CODES, 2), np.int64), np.zeros(_NOTES, np.int64))


@inlined
def graph_fact(part: int, near: Array, links: Array, kinds: int, outcome: bool, small: SmallTables) -> int:
    """Return the value of the graph whose vertices are the cells of ``part``; NOTHING if computing it takes too long.

    ``near`` has the mask of each cell's neighbours, and ``links`` is the adjacency matrix of all cells. Each bit of
    ``kinds`` allows a kind of move: to take a vertex and its neighbours (_VERTICES), both ends of an edge (_EDGES), or
    one end of an edge (_ENDS). If ``outcome`` is true, the result for a value other than 0 may be NOT_LOST.
    """
    codes, notes = small.codes, small.notes
    code = 0
    size = _sort_by_degree(part, near, notes)
    for vertex in range(size):
        cell, row = notes[_CELLS + vertex], 0
        for earlier in range(vertex):
            row |= int(links[cell, notes[_CELLS + earlier]]) << earlier
        notes[_LINKS + vertex] = row
        if vertex < _CODED:
            code |= row << (vertex * (vertex - 1) >> 1)
    code |= size << (_CODED * (_CODED - 1) >> 1)
    slot = scattered(code) & (_CODES - 1)
    has_code = size <= _CODED
    if has_code and codes[slot, 0] == code and (outcome or codes[slot, 1] >= 0):
        return int(codes[slot, 1])
    # So far each vertex has the links to earlier vertices: add the links to later vertices.
    for vertex in range(size):
        row = notes[_LINKS + vertex]
        while row != 0:
            notes[_LINKS + lowest(row)] |= 1 << vertex
            row &= row - 1
    fact = _fact_if_vertices(size, outcome, notes) if kinds == _VERTICES else _value_by_definition(size, kinds, notes)
    if has_code:
        # Clear the code first: an interrupt between these lines must not leave a code with the fact of another graph.
        codes[slot, 0] = 0
        codes[slot, 1] = fact
        codes[slot, 0] = code
    return fact


@inlined
def _sort_by_degree(part: int, near: Array, notes: Array) -> int:
    """Write the cells of ``part`` to ``notes[_CELLS:]``; return their number.

    The cells with the most neighbours in ``part`` come first. ``near`` has the mask of each cell's neighbours.
    """
    for degree in range(LARGEST_GRAPH + 1):
        notes[_DEGREES + degree] = 0
    size, remaining = 0, part
    while remaining != 0:
        cell = lowest(remaining)
        remaining &= remaining - 1
        degree = ones(mask_at(near, cell, near) & part)
        notes[_UNSORTED + size] = cell
        notes[unsigned(_DEGREES + degree)] |= 1 << size
        size += 1
    vertex, degree = 0, size + 1
    # With vertices sorted by degree, isomorphic graphs get the same code more often. A code need not be canonical.
    while vertex < size:
        degree -= 1
        with_degree = notes[unsigned(_DEGREES + degree)]
        while with_degree != 0:
            notes[unsigned(_CELLS + vertex)] = notes[unsigned(_UNSORTED + lowest(with_degree))]
            with_degree &= with_degree - 1
            vertex += 1
    return size


@inlined
def _fact_if_vertices(size: int, outcome: bool, notes: Array) -> int:
    """Return the value of the graph in ``notes``, of ``size`` vertices, if a move takes a vertex and its neighbours.

    If ``outcome`` is true, return NOT_LOST in place of any value except 0. Return NOTHING if more than _MOST_SETS sets
    of vertices must be evaluated.
    """
    for vertex in range(size):
        notes[_LINKS + vertex] |= 1 << vertex
    # Each value is stored with the stamp of its graph. So a new stamp makes the values of all earlier graphs invalid,
    # without a loop that clears them.
    notes[_STAMP] += 1
    if notes[_STAMP] == _MOST_STAMPS:
        notes[_STAMP] = 1
        for slot in range(_VALUES, _NOTES):
            notes[slot] = 0
    stamp = notes[_STAMP] << LARGEST_GRAPH
    # Depth first, on a stack in ``notes``. ``hit`` has the values of the options so far. If only the outcome is needed,
    # a set is an N-position as soon as one option has the value 0, and the value of every N-position is written as 1.
    depth, vertices, hit, sets = 0, (1 << size) - 1, 0, 0
    untried = vertices
    while True:
        while untried != 0:
            rest = vertices & ~notes[unsigned(_LINKS + lowest(untried))]
            untried &= untried - 1
            if rest == 0:
                hit |= 1
            # If taking the lowest vertex of ``rest`` takes all of ``rest``, then ``rest`` is an N-position. Skip it if
            # only the outcome is needed, because then only options that are P-positions matter.
            elif not outcome or rest & ~notes[unsigned(_LINKS + lowest(rest))] != 0:
                entry = notes[_slot(rest)]
                if entry >> _VALUE_BITS != stamp | rest:
                    notes[unsigned(_SETS + depth)] = vertices
                    notes[unsigned(_UNTRIED + depth)] = untried
                    notes[unsigned(_HIT + depth)] = hit
                    depth, vertices, untried, hit = depth + 1, rest, rest, 0
                    continue
                hit |= 1 << (entry & _VALUE_MASK)
            if outcome and hit & 1:
                break
        value, sets = hit & 1 if outcome else lowest(~hit), sets + 1
        if sets > _MOST_SETS:
            return NOTHING
        notes[_slot(vertices)] = (stamp | vertices) << _VALUE_BITS | value
        if depth == 0:
            break
        depth -= 1
        vertices, untried = notes[unsigned(_SETS + depth)], notes[unsigned(_UNTRIED + depth)]
        hit = notes[unsigned(_HIT + depth)] | 1 << value
        if outcome and hit & 1:
            untried = 0
    return NOT_LOST if outcome and value != 0 else value


@inlined
def _slot(vertices: int) -> int:
    """Return the index in ``notes`` of the value of a set of vertices.

    If two sets have the same index, the later value replaces the earlier one.
    """
    return unsigned(_VALUES + ((vertices ^ vertices >> 9) & _SLOTS - 1))


@inlined
def _value_by_definition(size: int, kinds: int, notes: Array) -> int:
    """Return the value of the graph in ``notes``, from the values of all sets of its vertices.

    Each bit of ``kinds`` allows a kind of move: to take a vertex and its neighbours (_VERTICES), both ends of an edge
    (_EDGES), or one end of an edge (_ENDS).
    """
    # A move removes vertices, which makes the mask smaller. So take the masks in increasing order: then the values of
    # all options are known.
    notes[_VALUES] = 0
    for vertices in range(1, 1 << size):
        hit, untried = 0, vertices
        while untried != 0:
            vertex = lowest(untried)
            untried &= untried - 1
            rest = vertices & ~(1 << vertex)
            linked = notes[_LINKS + vertex] & rest
            if kinds & _VERTICES:
                hit |= 1 << notes[_VALUES + (rest & ~linked)]
            if kinds & _ENDS and linked != 0:
                hit |= 1 << notes[_VALUES + rest]
            # Keep only neighbours above ``vertex``, so that each edge is tried once.
            linked &= untried
            while kinds & _EDGES and linked != 0:
                hit |= 1 << notes[_VALUES + (rest & ~(linked & -linked))]
                linked &= linked - 1
        notes[_VALUES + vertices] = lowest(~hit)
    return int(notes[_VALUES + (1 << size) - 1])


@compiled
def graph_loop(masks: Array, near: Array, links: Array, kinds: int, small: SmallTables) -> int:
    """Return the value of the graph whose vertices are the cells of the first mask; NOTHING if this takes too long.

    ``near``, ``links``, ``kinds`` and ``small`` are as in :func:`graph_fact`.
    """
    return graph_fact(mask_at(masks, 0, masks), near, links, kinds, False, small)
