"""Loops over the rows of a graph: walks in the order of networkx's dictionaries, cycles, orders, closures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined

if TYPE_CHECKING:
    from graphgame.graph.rows import Rows

_FEW = 2
"""Edges of each vertex that are looked at first."""


@compiled
def breadth_first(
    pointers: Array, indices: Array, queue: Array, parents: Array, seen: Array, ends: Array, begin: int, levels: int
) -> int:
    """Search some levels further; returns how many there were.

    Level k is ``queue[ends[k - 1]:ends[k]]``; the last one found is level ``begin``. ``parents`` go with the queue.
    """
    level = begin
    while level < begin + levels:
        first = ends[level - 1] if level else 0
        last = ends[level]
        if first == last:
            break
        found = last
        for k in range(first, last):
            v = queue[k]
            for e in range(pointers[v], pointers[v + 1]):
                w = indices[e]
                if not seen[w]:
                    seen[w] = True
                    queue[found] = w
                    parents[found] = v
                    found += 1
        level += 1
        ends[level] = found
    return level - begin


@inlined
def _widen(
    pointers: Array, indices: Array, queue: Array, first: int, last: int, own: Array, other: Array
) -> tuple[int, int]:
    """Search one side a level further; returns where that ends, and a vertex that the other side has found, or -1."""
    found = last
    for k in range(first, last):
        v = queue[k]
        for e in range(pointers[v], pointers[v + 1]):
            w = indices[e]
            if own[w] == 0:
                own[w] = v + 1
                queue[found] = w
                found += 1
            if other[w] != 0:
                return found, int(np.int64(w))
    return found, -1


@compiled
def meet(
    rows: Rows,
    back: Rows,
    source: int,
    target: int,
    before: Array,
    after: Array,
    ahead: Array,
    behind: Array,
) -> int:
    """Search from two vertices, always from the smaller fringe, until both sides meet; returns where, or -1.

    ``before`` and ``after`` (zeros) get one more than the vertex from which each vertex was found.
    """
    before[source] = source + 1
    after[target] = target + 1
    ahead[0] = source
    behind[0] = target
    first, last, first_back, last_back = 0, 1, 0, 1
    while first < last and first_back < last_back:
        if last - first <= last_back - first_back:
            found, middle = _widen(rows.pointers, rows.indices, ahead, first, last, before, after)
            first, last = last, found
        else:
            found, middle = _widen(back.pointers, back.indices, behind, first_back, last_back, after, before)
            first_back, last_back = last_back, found
        if middle >= 0:
            return middle
    return -1


class DepthSearch(NamedTuple):
    """How far a search in depth went."""

    state: Array
    """The next root, the depth, and how many vertices were found and finished."""

    seen: Array
    """Whether each vertex was found."""

    stack: Array
    """The vertices from a root on."""

    at: Array
    """Where the row of each of them goes on, for the search comes back to it."""

    order: Array
    """The vertices as they were found."""

    parents: Array
    """The vertices from which these were found; a root is its own parent."""

    finished: Array
    """The vertices as they were left for good."""


@compiled
def depth_first(rows: Rows, past_roots: int, limit: int, until: int, search: DepthSearch) -> None:
    """Search from each root until ``until`` vertices are found, or all.

    A vertex found at depth ``limit`` is not left again, and so never finished, as networkx has it.
    """
    pointers, indices = rows
    state, seen, stack, at, order, parents, finished = search
    root, depth, found, done = state[0], state[1], state[2], state[3]
    while found < until and (depth > 0 or root < past_roots):
        if depth == 0:
            if not seen[root]:
                seen[root] = True
                order[found] = root
                parents[found] = root
                found += 1
                stack[0] = root
                at[0] = pointers[root]
                depth = 1
            root += 1
        else:
            v = stack[depth - 1]
            e = at[depth - 1]
            end = pointers[v + 1]
            top = depth
            down = False
            while e < end and not down and found < until:
                w = indices[e]
                e += 1
                if not seen[w]:
                    seen[w] = True
                    order[found] = w
                    parents[found] = v
                    found += 1
                    if depth < limit:
                        stack[depth] = w
                        at[depth] = pointers[w]
                        depth += 1
                        down = True
            at[top - 1] = e
            if not down and e == end:
                depth -= 1
                finished[done] = v
                done += 1
    state[0], state[1], state[2], state[3] = root, depth, found, done


@compiled
def longest_path(back_pointers: Array, back_indices: Array, order: Array, lengths: Array, before: Array) -> int:
    """Find the longest path to each vertex, in topological order; returns the first vertex with the longest of all."""
    best = np.int64(order[0])
    for k in range(len(order)):
        v = order[k]
        lengths[v] = 0
        before[v] = v
        for e in range(back_pointers[v], back_pointers[v + 1]):
            u = back_indices[e]
            # Its own length counts the edge already, so of equally long ways the first stays, as with networkx.
            if lengths[u] >= lengths[v]:
                lengths[v] = lengths[u] + 1
                before[v] = u
        if lengths[v] > lengths[best]:
            best = np.int64(v)
    return int(best)


@inlined
def _root(above: Array, vertex: int) -> int:
    while above[vertex] != vertex:
        above[vertex] = above[above[vertex]]
        vertex = above[vertex]
    return vertex


@inlined
def _join(above: Array, vertex: int, indices: Array, first: int, end: int) -> None:
    """Put a vertex and some of its neighbours below one root, the least of theirs."""
    for e in range(first, end):
        root, other = _root(above, vertex), _root(above, indices[e])
        if root < other:
            above[other] = root
        else:
            above[root] = other


@compiled
def weak_components(pointers: Array, indices: Array, back_pointers: Array, back_indices: Array, above: Array) -> None:
    """Put the first vertex of each weakly connected component ``above`` all of it, where each begins as its own."""
    vertices = len(above)
    for v in range(vertices):
        _join(above, v, indices, pointers[v], min(pointers[v] + _FEW, pointers[v + 1]))
    # Few edges unite most vertices, mostly; what has one root with most has no need to look at all its edges.
    most, votes = 0, 0
    for v in range(vertices):
        root = _root(above, v)
        if votes == 0:
            most = root
        votes += 1 if root == most else -1
    for v in range(vertices):
        if _root(above, v) != _root(above, most):
            _join(above, v, indices, pointers[v], pointers[v + 1])
            _join(above, v, back_indices, back_pointers[v], back_pointers[v + 1])
    for v in range(vertices):
        above[v] = above[above[v]]


WORDS = 8
"""Words of 64 bits in which a block of vertices is marked."""

_BITS = 6
_LOW = 63


@compiled
def walk_to_cycle(
    pointers: Array, indices: Array, begin: int, past_roots: int, depth_of: Array, place: Array, stack: Array
) -> tuple[int, int]:
    """Search in depth for the first edge back to the path; returns the path's length and where the edge leads on it.

    The path is left on the ``stack``; its length is 0 where there is no cycle. ``depth_of`` and ``place`` are zeros.
    """
    for root in range(begin, past_roots):
        depth = 0
        if depth_of[root] == 0:
            stack[0] = root
            depth_of[root] = 1
            depth = 1
        while depth > 0:
            v = stack[depth - 1]
            e = pointers[v] + place[v]
            if e == pointers[v + 1]:
                depth_of[v] = -1
                depth -= 1
            else:
                place[v] += 1
                w = indices[e]
                if depth_of[w] > 0:
                    return depth, int(depth_of[w] - 1)
                if depth_of[w] == 0:
                    stack[depth] = w
                    depth += 1
                    depth_of[w] = depth
    return 0, 0


@compiled
def raise_dominators(pointers: Array, indices: Array, order: Array, number: Array, above: Array) -> None:
    """Find the immediate dominators of the vertices of an order, whose last is the root, by predecessors.

    ``number`` is the place of each vertex in the order, left for good first; ``above`` begins as -1, but for the root.
    """
    changed = True
    while changed:
        changed = False
        for k in range(len(order) - 2, -1, -1):
            v = order[k]
            best = np.int64(-1)
            for e in range(pointers[v], pointers[v + 1]):
                u = np.int64(indices[e])
                if above[u] >= 0:
                    if best < 0:
                        best = u
                    while best != u:
                        while number[best] < number[u]:
                            best = np.int64(above[best])
                        while number[best] > number[u]:
                            u = np.int64(above[u])
            if above[v] != best:
                above[v] = best
                changed = True


@inlined
def _push(heap: Array, size: int, rank: int) -> None:
    k = size
    while k > 0 and heap[(k - 1) >> 1] > rank:
        heap[k] = heap[(k - 1) >> 1]
        k = (k - 1) >> 1
    heap[k] = rank


@inlined
def _pop(heap: Array, size: int) -> None:
    """Take the least of a heap away, which leaves ``size`` others."""
    rank = heap[size]
    k = 0
    child = 1
    while child < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= rank:
            break
        heap[k] = heap[child]
        k = child
        child = 2 * k + 1
    heap[k] = rank


@compiled
def pop_by_rank(
    pointers: Array, indices: Array, waits: Array, rank: Array, of_rank: Array, heap: Array, order: Array
) -> int:
    """Sort topologically, the least rank first; returns how many vertices there are before the first cycle.

    ``waits`` holds the in-degrees and is used up.
    """
    size = 0
    for v in range(len(waits)):
        if waits[v] == 0:
            _push(heap, size, rank[v])
            size += 1
    found = 0
    while size > 0:
        v = of_rank[heap[0]]
        size -= 1
        _pop(heap, size)
        order[found] = v
        found += 1
        for e in range(pointers[v], pointers[v + 1]):
            w = indices[e]
            waits[w] -= 1
            if waits[w] == 0:
                _push(heap, size, rank[w])
                size += 1
    return found


@compiled
def block_of_reduction(
    pointers: Array, indices: Array, order: Array, place: Array, begin: int, end: int, below: Array, remover: Array
) -> None:
    """Mark what each vertex reaches of those at ``begin`` to ``end`` of an order, and which edges to these are spare.

    ``remover`` gets, for an edge, the place in its row of the first option from which the edge's end is reached.
    """
    for k in range(end - 1, -1, -1):
        v = order[k]
        for word in range(WORDS):
            below[k, word] = 0
        for e in range(pointers[v], pointers[v + 1]):
            other = place[indices[e]]
            if other < end:
                for word in range(WORDS):
                    below[k, word] |= below[other, word]
        for e in range(pointers[v], pointers[v + 1]):
            at = place[indices[e]] - begin
            if 0 <= at < end - begin:
                word = at >> _BITS
                bit = np.uint64(1) << np.uint64(at & _LOW)
                if below[k, word] & bit:
                    for f in range(pointers[v], pointers[v + 1]):
                        other = place[indices[f]]
                        if remover[e] < 0 and other < end and below[other, word] & bit:
                            remover[e] = f - pointers[v]
        for e in range(pointers[v], pointers[v + 1]):
            at = place[indices[e]] - begin
            if 0 <= at < end - begin:
                below[k, at >> _BITS] |= np.uint64(1) << np.uint64(at & _LOW)


@compiled
def second_layers(
    pointers: Array,
    indices: Array,
    vertices: Array,
    begins: Array,
    ends: Array,
    closed: Array,
    seen: Array,
    last: int,
) -> int:
    """Append to ``closed`` the row of each of some vertices, then what is two steps from it; returns where that ends.

    ``begins`` and ``ends`` say where in ``closed`` stands what a vertex reaches: all that its options reach is there.
    ``seen`` holds, for each vertex, one more than the vertex for which it was last seen.
    """
    for k in range(len(vertices)):
        v = vertices[k]
        mark = v + 1
        seen[v] = mark
        begins[v] = last
        for e in range(pointers[v], pointers[v + 1]):
            seen[indices[e]] = mark
            closed[last] = indices[e]
            last += 1
        for e in range(pointers[v], pointers[v + 1]):
            w = indices[e]
            for f in range(begins[w], ends[w]):
                x = closed[f]
                if seen[x] != mark:
                    seen[x] = mark
                    closed[last] = x
                    last += 1
        ends[v] = last
    return last
