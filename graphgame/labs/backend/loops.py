"""Compiled loops over the rows of a graph: searches, cycles, orders and closures, in networkx's order.

``pointers`` and ``indices`` are the rows of successors: those of v are ``indices[pointers[v]:pointers[v + 1]]``. If the
names begin with ``back_``, or a docstring says so, they are the rows of predecessors. For a search backward the
caller passes the rows of predecessors as ``pointers`` and ``indices``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined

if TYPE_CHECKING:
    from graphgame.graph.rows import Rows

_FIRST_EDGES = 2
"""The number of each vertex's edges that the first round of ``weak_components`` follows."""


@compiled
def breadth_first(
    pointers: Array, indices: Array, queue: Array, parents: Array, seen: Array, ends: Array, begin: int, levels: int
) -> int:
    """Continue a breadth-first search for ``levels`` levels, or to its end; return the number of levels added.

    A search that comes to its end adds an empty level last, and the number includes it.

    The levels 0 to ``begin`` are in ``queue``, ``ends``, ``parents`` and ``seen``, and the search adds to these arrays.
    Level k is ``queue[ends[k - 1]:ends[k]]``, and level 0 is ``queue[:ends[0]]``. ``parents`` has, for each vertex in
    the queue, the vertex from which it was reached. ``seen`` is true for the vertices in the queue.
    """
    level = begin
    while level < begin + levels:
        first = ends[level - 1] if level else 0
        last = ends[level]
        if first == last:
            break
        size = last
        for k in range(first, last):
            v = queue[k]
            for e in range(pointers[v], pointers[v + 1]):
                w = indices[e]
                if not seen[w]:
                    seen[w] = True
                    queue[size] = w
                    parents[size] = v
                    size += 1
        level += 1
        ends[level] = size
    return level - begin


@inlined
def _widen(
    pointers: Array, indices: Array, queue: Array, first: int, last: int, own: Array, opposite: Array
) -> tuple[int, int]:
    """Search one level further on one side; return the new end of its queue, and a vertex where both sides meet, or -1.

    The last level so far is ``queue[first:last]``. ``own[w]`` is v + 1 if this side has reached w from v, and 0 if it
    has not reached w. ``opposite`` has the same for the other side. The search stops at the first vertex that both
    sides have reached.
    """
    size = last
    for k in range(first, last):
        v = queue[k]
        for e in range(pointers[v], pointers[v + 1]):
            w = indices[e]
            if own[w] == 0:
                own[w] = v + 1
                queue[size] = w
                size += 1
            if opposite[w] != 0:
                return size, int(np.int64(w))
    return size, -1


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
    """Search forward from the source and backward from the target; return a vertex where the searches meet, or -1.

    ``rows`` has the successors, ``back`` the predecessors. ``before`` and ``after`` must be zeros. If the forward
    search reaches w from v, ``before[w]`` becomes v + 1; ``before[source]`` becomes source + 1. ``after`` gets the same
    for the backward search and the target. ``ahead`` and ``behind`` are working memory for the two queues.
    """
    # Like networkx, continue on the side whose last level is smaller, and forward if both have the same size: the path
    # depends on it.
    before[source] = source + 1
    after[target] = target + 1
    ahead[0] = source
    behind[0] = target
    first, last, first_back, last_back = 0, 1, 0, 1
    while first < last and first_back < last_back:
        if last - first <= last_back - first_back:
            end, middle = _widen(rows.pointers, rows.indices, ahead, first, last, before, after)
            first, last = last, end
        else:
            end, middle = _widen(back.pointers, back.indices, behind, first_back, last_back, after, before)
            first_back, last_back = last_back, end
        if middle >= 0:
            return middle
    return -1


class DepthSearch(NamedTuple):
    """The state of a depth-first search, so that it can be continued."""

    state: Array
    """Four numbers: the next vertex to try as a root, and the lengths of ``stack``, ``order`` and ``finished``."""

    seen: Array
    """True for each vertex in ``order``."""

    stack: Array
    """The path from a root to the current vertex."""

    at: Array
    """For each vertex on the stack, the index (in the array ``indices`` of the rows) of the edge to follow next."""

    order: Array
    """The vertices in preorder: each is added when it is first reached."""

    parents: Array
    """For each vertex in ``order``, the vertex from which it was reached. A root is its own parent."""

    finished: Array
    """The vertices in postorder: each is added when all its edges have been followed."""


@compiled
def depth_first(rows: Rows, past_roots: int, limit: int, until: int, search: DepthSearch) -> None:
    """Continue a depth-first search until it has reached ``until`` vertices in total, or to its end.

    The roots are the vertices from ``search.state[0]`` to ``past_roots`` - 1 that no earlier root reaches. A root has
    depth 0. The loop does not follow the edges of a vertex at depth ``limit``, and does not add this vertex to
    ``finished``. As in networkx, a limit below 1 means 1.
    """
    pointers, indices = rows
    state, seen, stack, at, order, parents, finished = search
    root, depth, reached, done = state[0], state[1], state[2], state[3]
    while reached < until and (depth > 0 or root < past_roots):
        if depth == 0:
            if not seen[root]:
                seen[root] = True
                order[reached] = root
                parents[reached] = root
                reached += 1
                stack[0] = root
                at[0] = pointers[root]
                depth = 1
            root += 1
        else:
            # Follow the edges of the current vertex v to the first new vertex, which becomes the current vertex. If
            # there is no new vertex, v is finished. The loop also stops at ``until`` vertices, and continues from at[].
            v = stack[depth - 1]
            e = at[depth - 1]
            end = pointers[v + 1]
            top = depth
            down = False
            while e < end and not down and reached < until:
                w = indices[e]
                e += 1
                if not seen[w]:
                    seen[w] = True
                    order[reached] = w
                    parents[reached] = v
                    reached += 1
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
    state[0], state[1], state[2], state[3] = root, depth, reached, done


@compiled
def longest_path(back_pointers: Array, back_indices: Array, order: Array, lengths: Array, before: Array) -> int:
    """Find a longest path to each vertex of an acyclic graph; return the vertex at which the longest of all paths ends.

    Of several such vertices it returns the first in ``order``, a topological order of all vertices. ``lengths`` gets
    the number of edges of the path to each vertex. ``before`` gets the previous vertex on this path, or the vertex
    itself if the path has no edge.
    """
    best = np.int64(order[0])
    for k in range(len(order)):
        v = order[k]
        lengths[v] = 0
        before[v] = v
        for e in range(back_pointers[v], back_pointers[v + 1]):
            u = back_indices[e]
            # lengths[u] does not count the edge from u to v, so >= means that the path to v through u is longer than
            # the longest path so far. Of equally long paths the first one stays, as in networkx.
            if lengths[u] >= lengths[v]:
                lengths[v] = lengths[u] + 1
                before[v] = u
        if lengths[v] > lengths[best]:
            best = np.int64(v)
    return int(best)


@inlined
def _root(above: Array, vertex: int) -> int:
    """Return the root of a vertex's tree, and halve the path to it. ``above`` has the parent of each vertex."""
    while above[vertex] != vertex:
        above[vertex] = above[above[vertex]]
        vertex = above[vertex]
    return vertex


@inlined
def _join(above: Array, vertex: int, indices: Array, first: int, end: int) -> None:
    """Join the tree of a vertex with the trees of ``indices[first:end]``. The root of the result is the least root."""
    for e in range(first, end):
        root, root_of_neighbour = _root(above, vertex), _root(above, indices[e])
        if root < root_of_neighbour:
            above[root_of_neighbour] = root
        else:
            above[root] = root_of_neighbour


@compiled
def weak_components(pointers: Array, indices: Array, back_pointers: Array, back_indices: Array, above: Array) -> None:
    """Set ``above[v]``, which must be v at first, to the least vertex in the weakly connected component of v."""
    # This is the Afforest algorithm (Sutton, Ben-Nun, Barak 2018): join trees along the first edges of each vertex,
    # then skip the vertices of the largest tree, which have most of the edges. The second round follows, in both
    # directions, the edges of the vertices that are still outside this tree. Other edges have both ends in the tree.
    vertices = len(above)
    for v in range(vertices):
        _join(above, v, indices, pointers[v], min(pointers[v] + _FIRST_EDGES, pointers[v + 1]))
    # Boyer-Moore majority vote: if a tree has more than half of the vertices, this finds its root. The next loop skips
    # the tree of ``majority``; the result is right for any tree, but the loop is slower with a small one.
    majority, votes = 0, 0
    for v in range(vertices):
        root = _root(above, v)
        if votes == 0:
            majority = root
        votes += 1 if root == majority else -1
    for v in range(vertices):
        if _root(above, v) != _root(above, majority):
            _join(above, v, indices, pointers[v], pointers[v + 1])
            _join(above, v, back_indices, back_pointers[v], back_pointers[v + 1])
    # A parent has a smaller number than its children. So when the loop comes to v, above[above[v]] is the root already.
    for v in range(vertices):
        above[v] = above[above[v]]


WORDS = 8
"""In ``block_of_reduction`` a block has up to 64 * WORDS vertices: a row of this number of words has a bit for each."""

_BITS_OF_INDEX = 6
_MASK_OF_INDEX = 63
"""Bit i of a row of 64-bit words is bit ``i & 63`` of word ``i >> 6``."""


@compiled
def walk_to_cycle(
    pointers: Array, indices: Array, begin: int, past_roots: int, depth_of: Array, followed: Array, stack: Array
) -> tuple[int, int]:
    """Search depth first, from each vertex in ``begin``..``past_roots`` - 1, for an edge that closes a cycle.

    Return (length, index): ``stack[index:length]`` gets the vertices of the cycle in their order on it. If the search
    reaches no cycle, both numbers are 0. ``depth_of`` and ``followed`` must be zeros.
    """
    # The stack has the current path. depth_of[v] is the index of v on it plus 1, 0 if v was not reached yet, and -1 if
    # v is finished. followed[v] counts the edges of v that were followed.
    for root in range(begin, past_roots):
        depth = 0
        if depth_of[root] == 0:
            stack[0] = root
            depth_of[root] = 1
            depth = 1
        while depth > 0:
            v = stack[depth - 1]
            e = pointers[v] + followed[v]
            if e == pointers[v + 1]:
                depth_of[v] = -1
                depth -= 1
            else:
                followed[v] += 1
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
    """Set ``above[v]`` to the immediate dominator of v, for each vertex v in ``order`` except the root.

    ``order`` is a postorder, so it ends with the root. ``pointers`` and ``indices`` are the rows of predecessors.
    ``number`` has the index of each vertex in ``order``. At the start ``above[root]`` must be the root, and all other
    entries -1.
    """
    # The algorithm of Cooper, Harvey and Kennedy (2001). A vertex's dominator is where the paths of dominators up from
    # its predecessors meet. Numbers increase on the way to the root, so the vertex with the lower number moves up.
    # Repeat until nothing changes.
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
    """Add a rank to a binary heap that has ``size`` ranks before the call; the least rank is ``heap[0]``."""
    k = size
    while k > 0 and heap[(k - 1) >> 1] > rank:
        heap[k] = heap[(k - 1) >> 1]
        k = (k - 1) >> 1
    heap[k] = rank


@inlined
def _pop(heap: Array, size: int) -> None:
    """Remove the least rank, ``heap[0]``, from a binary heap that has ``size`` ranks after the call."""
    # The last rank takes the place of the least one: move it down from the top until no child is less.
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
    """Sort topologically; among the vertices that may come next, take the one with the least rank.

    Write the vertices to ``order``, and return their number. Vertices on a cycle, or reachable from one, are left out.
    ``rank`` has the rank of each vertex, ``of_rank`` the vertex of each rank, and ``heap`` is working memory. ``waits``
    has the in-degrees, and is overwritten.
    """
    size = 0
    for v in range(len(waits)):
        if waits[v] == 0:
            _push(heap, size, rank[v])
            size += 1
    count = 0
    while size > 0:
        v = of_rank[heap[0]]
        size -= 1
        _pop(heap, size)
        order[count] = v
        count += 1
        for e in range(pointers[v], pointers[v + 1]):
            w = indices[e]
            waits[w] -= 1
            if waits[w] == 0:
                _push(heap, size, rank[w])
                size += 1
    return count


@compiled
def block_of_reduction(
    pointers: Array, indices: Array, order: Array, index: Array, begin: int, end: int, reachable: Array, remover: Array
) -> None:
    """Find the superfluous edges into the block ``order[begin:end]``; ``order`` has all vertices in topological order.

    The edge from v to w is superfluous if another successor of v reaches w. ``remover`` has an entry for each edge. For
    a superfluous edge the loop sets it to an index in the row of v: that of the first successor that reaches w. The
    caller fills ``remover`` with -1 before the first block. ``index`` has the index of each vertex in ``order``.
    ``reachable`` is working memory, with a row of ``WORDS`` words for each vertex.
    """
    # Bit i of reachable[k] says that the vertex order[k] reaches the vertex order[begin + i]. Go backwards through the
    # order, so that the rows of all successors of v are complete. Three steps compute the row of v. The first step
    # takes the union of the rows of the successors. The second marks an edge of v as superfluous if the bit of its
    # target is set now. The third sets the bits of the successors themselves.
    for k in range(end - 1, -1, -1):
        v = order[k]
        for word in range(WORDS):
            reachable[k, word] = 0
        for e in range(pointers[v], pointers[v + 1]):
            successor = index[indices[e]]
            if successor < end:
                for word in range(WORDS):
                    reachable[k, word] |= reachable[successor, word]
        for e in range(pointers[v], pointers[v + 1]):
            i = index[indices[e]] - begin
            if 0 <= i < end - begin:
                word = i >> _BITS_OF_INDEX
                bit = np.uint64(1) << np.uint64(i & _MASK_OF_INDEX)
                if reachable[k, word] & bit:
                    for f in range(pointers[v], pointers[v + 1]):
                        successor = index[indices[f]]
                        if remover[e] < 0 and successor < end and reachable[successor, word] & bit:
                            remover[e] = f - pointers[v]
        for e in range(pointers[v], pointers[v + 1]):
            i = index[indices[e]] - begin
            if 0 <= i < end - begin:
                reachable[k, i >> _BITS_OF_INDEX] |= np.uint64(1) << np.uint64(i & _MASK_OF_INDEX)


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
    """Write to ``closed``, from index ``last`` on, what each of ``vertices`` reaches; return the next free index.

    For each v in ``vertices`` the loop sets ``begins[v]`` and ``ends[v]``: the vertices that v reaches are
    ``closed[begins[v]:ends[v]]``, its successors first. Earlier calls must have treated all successors of v. ``seen``
    is working memory, which must be zeros at the first call.
    """
    for k in range(len(vertices)):
        v = vertices[k]
        mark = v + 1  # seen[w] == mark means: w was already appended for v
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
