"""Compiled loops over the rows of a graph: searches, cycles, orders and closures, in the order that networkx visits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined

if TYPE_CHECKING:
    from graphgame.graph.rows import Rows

_FEW = 2
"""Edges of each vertex that the first round of ``weak_components`` looks at."""


@compiled
def breadth_first(
    pointers: Array, indices: Array, queue: Array, parents: Array, seen: Array, ends: Array, begin: int, levels: int
) -> int:
    """Search up to ``levels`` further levels, breadth first; return how many were found.

    Level k is ``queue[ends[k - 1]:ends[k]]``, and level ``begin`` is the last one found before. ``parents`` has, for
    each vertex of the queue, the vertex from which it was found.
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
    """Search one side one level further; return the new end of its queue, and a vertex where the sides meet, or -1."""
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
    """Search from the source and back from the target until both sides meet; return where, or -1.

    ``before`` and ``after`` must be zeros. They get, for each vertex found, one more than the vertex it was found from.
    """
    # Like networkx, widen the side with the smaller fringe: the path found depends on it.
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
    """The state of a depth-first search, so that it can be continued."""

    state: Array
    """The next root, the length of the stack, the number of vertices found, and the number finished."""

    seen: Array
    """True for each vertex found."""

    stack: Array
    """The path from a root to the present vertex."""

    at: Array
    """For each vertex of the stack, the index of its next edge."""

    order: Array
    """The vertices in preorder, as they were found."""

    parents: Array
    """For each vertex of ``order``, the vertex it was found from. A root is its own parent."""

    finished: Array
    """The vertices in postorder, as they were finished."""


@compiled
def depth_first(rows: Rows, past_roots: int, limit: int, until: int, search: DepthSearch) -> None:
    """Continue a depth-first search from each root below ``past_roots``, until ``until`` vertices are found, or all.

    A vertex at depth ``limit`` is found but not entered, and so it is never finished. networkx does the same.
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
            # Follow the edges of the present vertex to the first new one, which becomes the present vertex. Without
            # one, the vertex is finished. The loop may also stop in between, at ``until``.
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
    """Find the longest path to each vertex; return the first vertex, in topological order, with a longest path of all.

    ``lengths`` gets the lengths in edges, and ``before`` the previous vertex of each path (a first one is its own).
    """
    best = np.int64(order[0])
    for k in range(len(order)):
        v = order[k]
        lengths[v] = 0
        before[v] = v
        for e in range(back_pointers[v], back_pointers[v + 1]):
            u = back_indices[e]
            # lengths[v] counts the last edge already, so a path through u must be longer to replace it. Of several
            # longest paths the first stays, as in networkx.
            if lengths[u] >= lengths[v]:
                lengths[v] = lengths[u] + 1
                before[v] = u
        if lengths[v] > lengths[best]:
            best = np.int64(v)
    return int(best)


@inlined
def _root(above: Array, vertex: int) -> int:
    """Return the representative of a vertex in a union-find forest, and halve the path to it."""
    while above[vertex] != vertex:
        above[vertex] = above[above[vertex]]
        vertex = above[vertex]
    return vertex


@inlined
def _join(above: Array, vertex: int, indices: Array, first: int, end: int) -> None:
    """Unite a vertex with the neighbours ``indices[first:end]``. The least representative remains."""
    for e in range(first, end):
        root, other = _root(above, vertex), _root(above, indices[e])
        if root < other:
            above[other] = root
        else:
            above[root] = other


@compiled
def weak_components(pointers: Array, indices: Array, back_pointers: Array, back_indices: Array, above: Array) -> None:
    """Set ``above`` of each vertex to the first vertex of its weakly connected component. It starts as 0, 1, 2, ..."""
    # This is the Afforest algorithm (Sutton, Ben-Nun, Barak 2018): unite along a few edges of each vertex, then skip
    # the largest component, in which most edges lie. Edges are followed in both directions in the second round, so an
    # edge between a skipped vertex and another one is still used.
    vertices = len(above)
    for v in range(vertices):
        _join(above, v, indices, pointers[v], min(pointers[v] + _FEW, pointers[v + 1]))
    # Boyer-Moore majority vote: if more than half of the vertices have one representative, this finds it. Any other
    # choice is correct too, only slower.
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
"""The number of 64-bit words that mark a block of vertices."""

_BITS = 6
_LOW = 63


@compiled
def walk_to_cycle(
    pointers: Array, indices: Array, begin: int, past_roots: int, depth_of: Array, place: Array, stack: Array
) -> tuple[int, int]:
    """Search depth first for an edge back to the present path; return the path's length, and the index it leads to.

    The path is left in ``stack``, and the cycle is its end from that index on. The length is 0 if there is no cycle.
    ``depth_of`` and ``place`` must be zeros.
    """
    # depth_of[v] is the index of v on the path plus 1, 0 if it was not found yet, and -1 if it is finished.
    # place[v] counts the edges of v that were followed.
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
    """Compute immediate dominators, from the predecessors of each vertex and a postorder that ends in the root.

    ``number`` is the index of each vertex in the order. ``above`` gets the dominators; it starts as -1 except at the
    root, which is its own.
    """
    # The algorithm of Cooper, Harvey and Kennedy (2001). A vertex's dominator is where the paths up from its
    # predecessors meet. Numbers increase on the way to the root, so the vertex with the lower number moves up.
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
    """Add a rank to a binary heap of ``size`` ranks, the least first."""
    k = size
    while k > 0 and heap[(k - 1) >> 1] > rank:
        heap[k] = heap[(k - 1) >> 1]
        k = (k - 1) >> 1
    heap[k] = rank


@inlined
def _pop(heap: Array, size: int) -> None:
    """Remove the least rank from a heap; ``size`` ranks remain."""
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
    """Sort topologically, the least possible rank first; return the number of vertices that do not follow a cycle.

    ``waits`` has the in-degrees, and is overwritten.
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
    """Find the superfluous edges into the vertices ``order[begin:end]`` of a topological order.

    An edge is superfluous if another successor of its source reaches its target. ``remover`` gets, for such an edge,
    the index in its row of the first such successor. ``below`` is scratch: which vertices of the block each vertex
    reaches.
    """
    # From the end of the order on: the successors of a vertex are done before it. A vertex does not reach itself here,
    # so its own edges are added only after they were tested.
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
    """Append to ``closed``, for each of some vertices, all vertices that it reaches; return the new end.

    First come the successors, then the others. What vertex v reaches is ``closed[begins[v]:ends[v]]``; for all
    successors of the given vertices this must be there already. ``seen`` has, for each vertex, one more than the vertex
    for which it was last seen.
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
