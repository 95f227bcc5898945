"""Compiled loops over arrays, and nothing else; each has a plain twin that is its oracle in the tests.

Vertex numbers, and places in the innermost loops, are read as unsigned, which spares each access the test for an index
from the end; ``sums`` is None for a graph without sum vertices, which compiles to a loop without that branch. Loops
fill arrays that they are given and return numbers only. Numbers are signed words of 64 bits, Python's own: nothing here
loads numpy.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, prefetch, unsigned

_SUM = -(2**63)  # no count of options gets that far, so a sum's mark costs no memory access of its own
_ALL = -1
_NEVER = -(2**31)  # less than any negated length: the first one that is found replaces it

# Memory is asked for ahead of its use: far enough to be there in time, near enough not to be dropped again before. A
# vertex needs its pointers, then its row, then the states of that. The states are asked for in batches, all before any
# is used: where the processor guesses wrong at how long a row is, what it asked for already is on its way.
_VERTICES_AHEAD = 8
_BATCH_ENTRIES = 256
_ENTRIES_AHEAD = 32


class Pass(NamedTuple):
    """A graph, and how far it is solved from the terminal positions back."""

    pointers: Array
    """Where the row of each vertex begins."""

    indices: Array
    """The predecessors, vertex by vertex."""

    out_degree: Array
    """How many options each vertex has."""

    sums: Array | None
    """Whether a vertex is a sum."""

    terminal: int
    """The value of a terminal position."""

    state: Array
    """A vertex's count and its word of seen values (n, 2, zeros), neighbours. Once it is solved, its value stands where
    the count was. The count's top bit marks a sum vertex, whose word holds the xor so far."""

    wide: Array
    """Words (zeros) of seen values from 64 on, d // 64 for a vertex of out-degree d."""

    wide_start: Array
    """Where the words of each vertex start."""

    order: Array
    """The vertices in the order in which they are found."""


@inlined
def _is_sum(sums: Array | None, vertex: int) -> bool:
    if sums is None:
        return False
    return sums[vertex]  # type: ignore[no-any-return]


@inlined
def _batch_asked_for(pointers: Array, indices: Array, state: Array, order: Array, at: int, end: int) -> int:
    """Ask for all that the next vertices of ``order[at:end]`` will need; return where this batch of them ends."""
    entries = 0
    while at < end and entries < _BATCH_ENTRIES:
        if at + 2 * _VERTICES_AHEAD < end:
            prefetch(pointers, unsigned(order[unsigned(at + 2 * _VERTICES_AHEAD)]))
        if at + _VERTICES_AHEAD < end:
            v = unsigned(order[unsigned(at + _VERTICES_AHEAD)])
            prefetch(indices, pointers[v])
            prefetch(state, v)
        v = unsigned(order[unsigned(at)])
        row, stop = pointers[v], min(pointers[v + 1], pointers[v] + _BATCH_ENTRIES)
        for k in range(row, stop):
            prefetch(state, unsigned(indices[unsigned(k)]))
        entries += stop - row + 1
        at += 1
    return at


@compiled
def partition(
    source: Array, target: Array, bits: int, first: int, start: Array, sources: Array, targets: Array
) -> None:
    """Sort edges by ``target >> bits``, counted from ``first``; ``start`` (buckets + 2, zeros) becomes the starts."""
    # Counted two places up: when all is in place, each start has moved to its end, which is the next one's start.
    for e in range(len(target)):
        start[(target[e] >> bits) - first + 2] += 1
    for b in range(len(start) - 2):
        start[b + 2] += start[b + 1]
    for e in range(len(target)):
        bucket = (target[e] >> bits) - first + 1
        place = start[bucket]
        sources[place] = source[e]
        targets[place] = target[e]
        start[bucket] += 1


@compiled
def gather(
    source: Array, target: Array, starts: Array, bucket: int, first: int, sources: Array, targets: Array
) -> None:
    """Collect one bucket's edges from the batches that ``starts`` (batches, buckets + 1) describes.

    Targets are counted from ``first``.
    """
    count = 0
    for batch in range(len(starts)):
        for e in range(starts[batch, bucket], starts[batch, bucket + 1]):
            sources[count] = source[e]
            targets[count] = target[e] - first
            count += 1


@compiled
def group_rows(
    source: Array,
    target: Array,
    sums: Array | None,
    start: Array,
    indices: Array,
    last_and_degree: Array,
    first: int,
) -> int:
    """Sort edges by target by counting, then drop parallel edges out of positions, in place.

    ``start`` (n + 2, zeros) becomes the pointers, ``indices`` the rows; the second column of ``last_and_degree``
    (n, 2, zeros) becomes the out-degrees. Returns the number of entries kept. ``first`` is the vertex of the first row
    where only some of the targets are grouped; their numbers count from it.
    """
    edges = len(source)
    vertices = len(start) - 2
    for e in range(edges):  # two places up, as in partition
        start[unsigned(target[e] + 2)] += 1
    for v in range(vertices):
        start[v + 2] += start[v + 1]
    for e in range(edges):
        row = unsigned(target[e] + 1)
        indices[unsigned(start[row])] = source[e]
        start[row] += 1

    # Of each source the last row is kept: if it is this row, the edge is parallel. Rows count from 1; 0 is none yet.
    kept = 0
    begin = 0
    for v in range(vertices):
        end = start[v + 1]
        start[v] = kept
        for k in range(begin, end):
            # The rows come one after another, but their sources lie anywhere: each is a miss if it is not asked for.
            if k + _ENTRIES_AHEAD < edges:
                prefetch(last_and_degree, unsigned(indices[k + _ENTRIES_AHEAD]))
            s = unsigned(indices[k])
            if last_and_degree[s, 0] != first + v + 1 or _is_sum(sums, s):
                last_and_degree[s, 0] = first + v + 1
                last_and_degree[s, 1] += 1
                indices[kept] = s
                kept += 1
        begin = end
    start[vertices] = kept
    return kept


@compiled
def turn_rows(pointers: Array, indices: Array, start: Array, turned: Array) -> None:
    """Turn rows around; ``start`` (n + 2, zeros) becomes the pointers, ``turned`` the rows, in increasing order."""
    vertices = len(pointers) - 1
    for k in range(len(indices)):
        start[unsigned(indices[k] + 2)] += 1
    for v in range(vertices):
        start[v + 2] += start[v + 1]
    # Taken in the order of v, each row comes out increasing without being sorted.
    for v in range(vertices):
        for k in range(pointers[v], pointers[v + 1]):
            row = unsigned(indices[k] + 1)
            turned[start[row]] = v
            start[row] += 1


@compiled
def grundy_start(out_degree: Array, sums: Array | None, state: Array, order: Array) -> int:
    """Prepare ``state`` for :func:`grundy_pass`; ``order`` begins with the terminal positions: returns how many."""
    found = 0
    for v in range(len(out_degree)):
        state[v, 0] = out_degree[v]
        if _is_sum(sums, v):
            state[v, 0] |= _SUM
        if out_degree[v] == 0:
            order[found] = v
            found += 1
    return found


@compiled
def wide_words(out_degree: Array, wide_start: Array) -> int:
    """Return how many words :func:`grundy_pass` needs for values from 64 on; say where each vertex' words start.

    A mex is at most the out-degree d: with the word in ``state``, for values to 63, d // 64 more hold all of them.
    Into an array of no items nothing is written.
    """
    words = 0
    for v in range(len(out_degree)):
        if len(wide_start):
            wide_start[v] = words
        words += out_degree[v] >> 6
    return words


@compiled
def grundy_pass(work: Pass, solved: int, found: int, until: int) -> int:
    """Solve from the terminal positions back; returns how many vertices were found.

    The first ``found`` vertices of the order have seen all their options, the first ``solved`` of them have passed
    their values on; stops when none is left or ``until`` have.
    """
    pointers, indices, out_degree, sums, terminal, state, wide, wide_start, order = work
    batch = solved
    while solved < found and solved < until:
        if solved == batch:
            batch = _batch_asked_for(pointers, indices, state, order, solved, found)
        v = unsigned(order[unsigned(solved)])
        solved += 1
        word = state[v, 1]
        if state[v, 0] < 0:
            value = word
        elif terminal and out_degree[v] == 0:
            value = terminal
        else:
            value = 0
            if word == _ALL:  # the values to 63 are all seen: what is missing is in the further words, or 64
                k = 0
                while k < out_degree[v] >> 6 and wide[wide_start[v] + k] == _ALL:
                    k += 1
                value = 64 * (k + 1)
                word = wide[wide_start[v] + k] if k < out_degree[v] >> 6 else 0
            value += ones(word & ~(word + 1))  # the ones below the lowest zero
        state[v, 0] = value

        # Two loops, for hardly any value is 64 or more: the usual one need not look at ``wide`` and out-degrees.
        if value < 64:
            bit = 1 << value
            for k in range(pointers[v], pointers[v + 1]):
                p = unsigned(indices[unsigned(k)])
                count = state[p, 0] - 1
                state[p, 0] = count
                if sums is None:
                    state[p, 1] |= bit
                elif count < 0:
                    state[p, 1] ^= value
                    count ^= _SUM  # so that the test for 0 below is that of a position
                else:
                    state[p, 1] |= bit
                order[unsigned(found)] = p  # there is room: p itself is not among those found yet
                found += count == 0
        else:
            for k in range(pointers[v], pointers[v + 1]):
                p = unsigned(indices[unsigned(k)])
                count = state[p, 0] - 1
                state[p, 0] = count
                if count < 0:
                    state[p, 1] ^= value
                    count ^= _SUM
                elif value <= out_degree[p]:  # no mex exceeds it, so larger values do not matter
                    # the first 64 values have their word in ``state``
                    wide[wide_start[p] + (value >> 6) - 1] |= 1 << (value & 63)
                if count == 0:
                    order[found] = p
                    found += 1
    return found


@compiled
def remoteness_pass(pointers: Array, indices: Array, order: Array, values: Array, remoteness: Array) -> None:
    """Count moves to the end; meanwhile N-positions hold the negative of theirs, so that both kinds take a maximum."""
    for v in range(len(values)):
        remoteness[v] = 0 if values[v] == 0 else _NEVER
    batch = 0
    for k in range(len(order)):
        if k == batch:
            batch = _batch_asked_for(pointers, indices, remoteness, order, k, len(order))
        v = unsigned(order[unsigned(k)])
        moves = remoteness[v]
        lost = moves >= 0
        # An N-position that no lost option has reached is an end of misère play.
        moves = 0 if moves == _NEVER else abs(moves)
        for j in range(pointers[v], pointers[v + 1]):
            p = unsigned(indices[unsigned(j)])
            now = remoteness[p]
            if now >= 0:
                remoteness[p] = max(now, moves + 1)
            elif lost:
                remoteness[p] = max(now, -(moves + 1))
    for v in range(len(values)):
        remoteness[v] = 0 if remoteness[v] == _NEVER else abs(remoteness[v])


@compiled
def birthday_pass(pointers: Array, indices: Array, order: Array, sums: Array | None, birthday: Array) -> bool:
    """Find the longest play: a position adds a move to its latest option, a sum adds up its parts.

    ``birthday`` (zeros) is filled; returns whether 64 bits hold all of it.
    """
    batch = 0
    for k in range(len(order)):
        if k == batch:
            batch = _batch_asked_for(pointers, indices, birthday, order, k, len(order))
        v = unsigned(order[unsigned(k)])
        for j in range(pointers[v], pointers[v + 1]):
            p = unsigned(indices[unsigned(j)])
            if _is_sum(sums, p):
                birthday[p] += birthday[v]
                if birthday[p] < 0:  # two numbers below 2**63 overflow by at most one bit, the sign
                    return False
            else:
                birthday[p] = max(birthday[p], birthday[v] + 1)
    return True


@compiled
def mark(part: Array, least: int, occurs: Array) -> None:
    """Mark which integers from ``least`` on occur."""
    for value in part:
        occurs[value - least] = True


@compiled
def rank(part: Array, least: int, ranks: Array) -> None:
    """Replace integers from ``least`` on by their ranks, in place."""
    for i in range(len(part)):
        part[i] = ranks[part[i] - least]
