"""Walks over the rows of a graph, in the order in which networkx walks over its dictionaries."""

from __future__ import annotations

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined

__all__ = [
    "breadth_first",
    "depth_first",
    "longest_path",
    "meet",
    "strong_components",
    "topological",
    "weak_components",
]

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
    pointers: Array,
    indices: Array,
    back_pointers: Array,
    back_indices: Array,
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
            found, middle = _widen(pointers, indices, ahead, first, last, before, after)
            first, last = last, found
        else:
            found, middle = _widen(back_pointers, back_indices, behind, first_back, last_back, after, before)
            first_back, last_back = last_back, found
        if middle >= 0:
            return middle
    return -1


@compiled
def depth_first(
    pointers: Array,
    indices: Array,
    past_roots: int,
    limit: int,
    until: int,
    state: Array,
    seen: Array,
    stack: Array,
    at: Array,
    order: Array,
    parents: Array,
    finished: Array,
) -> None:
    """Search from each root until ``until`` vertices are found, or all; ``state`` says how far it went.

    ``state`` holds the next root, the depth, and how many vertices were found and finished. A root is its own parent.
    ``at`` goes with the stack: where the row of each vertex goes on, for the search comes back to it. A vertex found at
    depth ``limit`` is not left again, and so never finished, as networkx has it.
    """
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
def topological(pointers: Array, indices: Array, waits: Array, order: Array, ends: Array | None) -> tuple[int, int]:
    """Sort by generations; returns how many vertices and how many generations there are before the first cycle.

    ``waits`` holds the in-degrees and is used up; generation k is ``order[ends[k - 1]:ends[k]]``, if asked for.
    """
    found = 0
    for v in range(len(waits)):
        if waits[v] == 0:
            order[found] = v
            found += 1
    first = 0
    generations = 0
    while first < found:
        last = found
        if ends is not None:
            ends[generations] = last
        generations += 1
        for k in range(first, last):
            v = order[k]
            for e in range(pointers[v], pointers[v + 1]):
                w = indices[e]
                waits[w] -= 1
                if waits[w] == 0:
                    order[found] = w
                    found += 1
        first = last
    return found, generations


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


@compiled
def strong_components(
    pointers: Array,
    indices: Array,
    number: Array,
    low: Array,
    place: Array,
    stack: Array,
    waiting: Array,
    component: Array,
) -> int:
    """Tarjan's search; returns how many components there are, ``component`` (zeros) numbers them from 1 as found."""
    counted = 0
    found = 0
    held = 0
    for root in range(len(number)):
        depth = 0
        if number[root] == 0:
            stack[0] = root
            depth = 1
        while depth > 0:
            v = stack[depth - 1]
            if number[v] == 0:
                counted += 1
                number[v] = counted
                low[v] = counted
            e = pointers[v] + place[v]
            end = pointers[v + 1]
            down = False
            while e < end and not down:
                w = indices[e]
                if number[w] == 0:
                    stack[depth] = w
                    depth += 1
                    down = True
                else:
                    if component[w] == 0:
                        low[v] = min(low[v], low[w] if number[w] > number[v] else number[w])
                    e += 1
            place[v] = e - pointers[v]
            if not down:
                depth -= 1
                if low[v] == number[v]:
                    found += 1
                    component[v] = found
                    while held > 0 and number[waiting[held - 1]] > number[v]:
                        held -= 1
                        component[waiting[held]] = found
                else:
                    # A root never waits (Nuutila): where there are no cycles, this stack stays empty.
                    waiting[held] = v
                    held += 1
    return found


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
