"""Compiled loops over the arrays of a graph. Each has a version in plain Python or numpy with the same results.

Where time matters, indices are cast to unsigned, so that an access needs no test for a negative index. ``sums`` is None
for a graph without sum vertices, which compiles to a loop without tests for sums. Loops fill arrays that the caller
passes, and return at most a number. This module does not import numpy.
"""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, prefetch, unsigned

_SUM = -(2**63)  # marks a sum in the sign bit of its count of options, so that the mark takes no extra memory access
_ALL_BITS = -1
_NO_LENGTH = -(2**31)  # below all negated lengths of play: a maximum of such lengths starts with it

# Memory is prefetched: far enough ahead to arrive in time, but not so far that the cache drops it again. A vertex needs
# its pointers, then its row, then the states of the vertices in the row. The states of a batch of rows are prefetched
# before any is used: a mispredicted end of a row in the main loop then does not delay the memory accesses.
_VERTICES_AHEAD = 8
_BATCH_ENTRIES = 256
_ENTRIES_AHEAD = 32


class Pass(NamedTuple):
    """The arrays of :func:`grundy_pass`: a graph, and the state of its solution."""

    pointers: Array
    """The predecessors of vertex v are ``indices[pointers[v]:pointers[v + 1]]``."""

    indices: Array
    """The predecessors of all vertices, vertex by vertex."""

    out_degree: Array
    """The number of options of each vertex."""

    sums: Array | None
    """Whether each vertex is a sum; None if there are no sums."""

    terminal: int
    """The value of a terminal position."""

    state: Array
    """Two words for each vertex, shape (n, 2). The first is the number of options without a value; once the vertex is
    solved, the vertex's value. The second has a bit for each value below 64 among the options. For a sum, the sign bit
    of the first word is set until the sum is solved, and the second word is the xor of its parts' values so far."""

    wide: Array
    """Bits of the values from 64 on among the options; d // 64 words, zero at first, for a vertex of out-degree d."""

    wide_start: Array
    """The index in ``wide`` of the first word of each vertex."""

    order: Array
    """The vertices in the order in which the values of all their options become known."""


@inlined
def _is_sum(sums: Array | None, vertex: int) -> bool:
    """Return whether a vertex is a sum; False if ``sums`` is None."""
    if sums is None:
        return False
    return sums[vertex]  # type: ignore[no-any-return]


@inlined
def _prefetched_batch(pointers: Array, indices: Array, state: Array, order: Array, index: int, end: int) -> int:
    """Prefetch ``state`` for the entries of the rows of a batch of vertices; return the index after the batch.

    The batch begins at ``order[index]`` and ends after about 256 entries, at ``order[end - 1]`` at the latest. Of a row
    with more entries, only the first 256 are prefetched.
    """
    entries = 0
    while index < end and entries < _BATCH_ENTRIES:
        if index + 2 * _VERTICES_AHEAD < end:
            prefetch(pointers, unsigned(order[unsigned(index + 2 * _VERTICES_AHEAD)]))
        if index + _VERTICES_AHEAD < end:
            v = unsigned(order[unsigned(index + _VERTICES_AHEAD)])
            prefetch(indices, pointers[v])
            prefetch(state, v)
        v = unsigned(order[unsigned(index)])
        row, stop = pointers[v], min(pointers[v + 1], pointers[v] + _BATCH_ENTRIES)
        for k in range(row, stop):
            prefetch(state, unsigned(indices[unsigned(k)]))
        entries += stop - row + 1
        index += 1
    return index


@compiled
def partition(
    source: Array, target: Array, bits: int, first: int, start: Array, sources: Array, targets: Array
) -> None:
    """Sort edges by bucket number, ``(target >> bits) - first``, into ``sources`` and ``targets``.

    ``start`` (zeros, 2 entries more than buckets) gets each bucket's start index, and the edge count in its last 2.
    """
    # Bucket b is counted in start[b + 2]. After the prefix sums, start[b + 1] is where b starts. Writing an edge of b
    # moves start[b + 1] on, so in the end it is where b ends, which is where b + 1 starts.
    for e in range(len(target)):
        start[(target[e] >> bits) - first + 2] += 1
    for b in range(len(start) - 2):
        start[b + 2] += start[b + 1]
    for e in range(len(target)):
        bucket = (target[e] >> bits) - first + 1
        index = start[bucket]
        sources[index] = source[e]
        targets[index] = target[e]
        start[bucket] += 1


@compiled
def gather(
    source: Array, target: Array, starts: Array, bucket: int, first: int, sources: Array, targets: Array
) -> None:
    """Collect the edges of a bucket from all batches into ``sources`` and ``targets``.

    ``first`` is subtracted from targets. Bucket b of batch i is edges ``starts[i, b]`` to ``starts[i, b + 1] - 1``.
    """
    count = 0
    for batch in range(len(starts)):
        for e in range(starts[batch, bucket], starts[batch, bucket + 1]):
            sources[count] = source[e]
            targets[count] = target[e] - first
            count += 1


@compiled
def group_rows(
    source: Array, target: Array, sums: Array | None, start: Array, indices: Array, last_and_degree: Array, first: int
) -> int:
    """Sort the sources of edges by target with a counting sort, then remove parallel edges, except edges from sums.

    The target t stands for the vertex ``first + t``. ``start`` (zeros, 2 entries more than there are rows) becomes the
    pointers and one unused entry, ``indices`` the entries; return their number. ``last_and_degree`` has two numbers for
    each vertex of the graph, zeros before the first call: column 0 is working space, column 1 adds up out-degrees.
    """
    edges = len(source)
    vertices = len(start) - 2
    # Row r is counted in start[r + 2]. The prefix sums make start[r + 1] the index where row r starts.
    for e in range(edges):
        start[unsigned(target[e] + 2)] += 1
    for v in range(vertices):
        start[v + 2] += start[v + 1]
    for e in range(edges):
        row = unsigned(target[e] + 1)
        indices[unsigned(start[row])] = source[e]
        start[row] += 1

    # Column 0 of ``last_and_degree`` has for each source the last target that occurred with it, counted from 1; 0 for
    # none. If it is the target of the current row, the edge is parallel.
    entries = 0
    begin = 0
    for v in range(vertices):
        end = start[v + 1]
        start[v] = entries
        for k in range(begin, end):
            # The sources of a row are anywhere in memory: without a prefetch, each access is a cache miss.
            if k + _ENTRIES_AHEAD < edges:
                prefetch(last_and_degree, unsigned(indices[k + _ENTRIES_AHEAD]))
            s = unsigned(indices[k])
            if last_and_degree[s, 0] != first + v + 1 or _is_sum(sums, s):
                last_and_degree[s, 0] = first + v + 1
                last_and_degree[s, 1] += 1
                indices[entries] = s
                entries += 1
        begin = end
    start[vertices] = entries
    return entries


@compiled
def turn_rows(pointers: Array, indices: Array, start: Array, turned: Array) -> None:
    """Reverse all edges: ``turned`` becomes the entries of the new rows, each row in increasing order.

    ``start`` (n + 2 zeros) becomes the n + 1 pointers of the new rows and one unused entry.
    """
    vertices = len(pointers) - 1
    for k in range(len(indices)):
        start[unsigned(indices[k] + 2)] += 1
    for v in range(vertices):
        start[v + 2] += start[v + 1]
    # The loop is in the order of v, so the entries of each new row are increasing without a sort.
    for v in range(vertices):
        for k in range(pointers[v], pointers[v + 1]):
            row = unsigned(indices[k] + 1)
            turned[start[row]] = v
            start[row] += 1


@compiled
def grundy_start(out_degree: Array, sums: Array | None, state: Array, order: Array) -> int:
    """List the vertices without options in ``order``, return how many; set ``state[v, 0]`` to the count of v's options.

    For a sum, ``state[v, 0]`` also gets its sign bit set.
    """
    ready = 0
    for v in range(len(out_degree)):
        state[v, 0] = out_degree[v]
        if _is_sum(sums, v):
            state[v, 0] |= _SUM
        if out_degree[v] == 0:
            order[ready] = v
            ready += 1
    return ready


@compiled
def wide_words(out_degree: Array, wide_start: Array) -> int:
    """Return the length of ``Pass.wide``; fill ``wide_start``, unless empty, with the index of each vertex's words.

    A mex is at most the out-degree d. The word in ``state`` has the values up to 63, so d // 64 more words are enough.
    """
    words = 0
    for v in range(len(out_degree)):
        if len(wide_start):
            wide_start[v] = words
        words += out_degree[v] >> 6
    return words


@compiled
def grundy_pass(work: Pass, solved: int, ready: int, until: int) -> int:
    """Compute values, from the terminal positions back; return the new number of ready vertices.

    A vertex is ready if all its options have values. It is solved if it has passed its own value to its predecessors.
    ``order`` begins with the ``ready`` ready vertices; the first ``solved`` of them are solved. The loop stops when all
    ready vertices are solved, or the first ``until`` of them.
    """
    pointers, indices, out_degree, sums, terminal, state, wide, wide_start, order = work
    batch = solved
    while solved < ready and solved < until:
        if solved == batch:
            batch = _prefetched_batch(pointers, indices, state, order, solved, ready)
        v = unsigned(order[unsigned(solved)])
        solved += 1
        word = state[v, 1]
        if state[v, 0] < 0:
            value = word
        elif terminal and out_degree[v] == 0:
            value = terminal
        else:
            value = 0
            if word == _ALL_BITS:  # all values up to 63 occur: look for the mex in ``wide``
                k = 0
                while k < out_degree[v] >> 6 and wide[wide_start[v] + k] == _ALL_BITS:
                    k += 1
                value = 64 * (k + 1)
                word = wide[wide_start[v] + k] if k < out_degree[v] >> 6 else 0
            value += ones(word & ~(word + 1))  # the number of 1-bits below the lowest 0-bit
        state[v, 0] = value

        # Two loops: very few values are 64 or more, and the usual loop need not read ``wide`` and ``out_degree``.
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
                    count ^= _SUM  # clears the mark of a sum, so that the test for 0 below works for it too
                else:
                    state[p, 1] |= bit
                # Write p without a branch: if it is not ready, the entry is overwritten later. There is room, as p
                # itself is not in ``order`` yet.
                order[unsigned(ready)] = p
                ready += count == 0
        else:
            for k in range(pointers[v], pointers[v + 1]):
                p = unsigned(indices[unsigned(k)])
                count = state[p, 0] - 1
                state[p, 0] = count
                if count < 0:
                    state[p, 1] ^= value
                    count ^= _SUM
                elif value <= out_degree[p]:
                    # Larger values do not matter, as a mex is at most the out-degree. The word of the values below 64
                    # is in ``state``, so the first word in ``wide`` is that of the values from 64 on.
                    wide[wide_start[p] + (value >> 6) - 1] |= 1 << (value & 63)
                if count == 0:
                    order[ready] = p
                    ready += 1
    return ready


@compiled
def remoteness_pass(pointers: Array, indices: Array, order: Array, values: Array, remoteness: Array) -> None:
    """Set ``remoteness[v]`` to the length of play from vertex v when the winner hurries and the loser delays.

    The rows are those of predecessors. ``order`` has each vertex after its options; ``values[v]`` is 0 exactly if v is
    a P-position, under normal or misère play.
    """
    # During the loop an N-position holds the negative of its length. So max finds both the shortest length of an
    # N-position and the longest of a P-position.
    for v in range(len(values)):
        remoteness[v] = 0 if values[v] == 0 else _NO_LENGTH
    batch = 0
    for k in range(len(order)):
        if k == batch:
            batch = _prefetched_batch(pointers, indices, remoteness, order, k, len(order))
        v = unsigned(order[unsigned(k)])
        moves = remoteness[v]
        is_p = moves >= 0
        # An N-position without a P-position among its options is terminal: under misère play, or decided by the rules.
        moves = 0 if moves == _NO_LENGTH else abs(moves)
        for j in range(pointers[v], pointers[v + 1]):
            p = unsigned(indices[unsigned(j)])
            now = remoteness[p]
            if now >= 0:
                remoteness[p] = max(now, moves + 1)
            elif is_p:
                remoteness[p] = max(now, -(moves + 1))
    for v in range(len(values)):
        remoteness[v] = 0 if remoteness[v] == _NO_LENGTH else abs(remoteness[v])


@compiled
def birthday_pass(pointers: Array, indices: Array, order: Array, sums: Array | None, birthday: Array) -> bool:
    """Fill ``birthday`` (zeros) with the length of the longest play from each vertex.

    For a position it is 1 more than the greatest birthday of the options (0 without options), for a sum the total over
    the parts. Return False if a birthday is 2**63 or more. The rows are of predecessors; ``order`` has options first.
    """
    batch = 0
    for k in range(len(order)):
        if k == batch:
            batch = _prefetched_batch(pointers, indices, birthday, order, k, len(order))
        v = unsigned(order[unsigned(k)])
        for j in range(pointers[v], pointers[v + 1]):
            p = unsigned(indices[unsigned(j)])
            length = birthday[v] + (birthday[p] if _is_sum(sums, p) else 1)
            if length < 0:  # an overflow: the sum of two numbers below 2**63 reaches at most the sign bit
                return False
            birthday[p] = max(birthday[p], length)
    return True


@compiled
def mark(part: Array, least: int, occurs: Array) -> None:
    """Set ``occurs[value - least]`` to True for each value in ``part``; no value is below ``least``."""
    for value in part:
        occurs[value - least] = True


@compiled
def rank(part: Array, least: int, ranks: Array) -> None:
    """Replace each value in ``part`` by ``ranks[value - least]``, in place."""
    for i in range(len(part)):
        part[i] = ranks[part[i] - least]
