"""Loops over the order of a directed graph: cycles, dominators, sorting by rank, reduction and closure."""

from __future__ import annotations

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined

__all__ = ["WORDS", "block_of_reduction", "pop_by_rank", "raise_dominators", "second_layers", "walk_to_cycle"]

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
