"""The choice of a certificate; its meaning is in ``certification``."""

from __future__ import annotations

from typing import NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined


class Play(NamedTuple):
    """A solved game, in an order in which options come before the positions that move to them."""

    order: Array
    """The vertices in this order; in a loopy graph it is that of a counter function."""

    rank: Array
    """The place of each vertex in the order."""

    pointers: Array
    """Where the options of each vertex begin."""

    indices: Array
    """The options, vertex by vertex."""

    sums: Array
    """Whether a vertex is a sum."""

    grundy: Array
    """The value of each vertex."""

    loopy: bool
    """Whether the graph may have cycles."""


class Marks(NamedTuple):
    """What is found for each vertex, and room to find it in."""

    needed: Array
    """Whether its value must be proved."""

    sole: Array
    """Whether it has no substitute."""

    chosen: Array
    """Whether it proves others."""

    head: Array
    """Its last link, or -1."""

    met: Array
    """The last value that it was shown not to have."""

    last: Array
    """For each value -1, 0, 0: the first option of it in the order, how many there are, and how many are needed."""


@inlined
def _is_met(owner: int, value: int, before: int, play: Play, chosen: Array) -> bool:
    """Tell whether an option of this value and lower rank is chosen, or the owner; ``-1 - owner`` asks for options."""
    if owner >= 0 and chosen[owner]:
        return True
    vertex = owner if owner >= 0 else -1 - owner
    for entry in range(play.pointers[vertex], play.pointers[vertex + 1]):
        w = play.indices[entry]
        if play.grundy[w] == value and play.rank[w] < before and chosen[w]:
            return True
    return False


@inlined
def _link(links: Array, used: int, head: Array, candidate: int, owner: int, value: int, before: int) -> int:
    """Write down a demand at its last candidate; return how many there are."""
    links[used, 0], links[used, 1], links[used, 2], links[used, 3] = head[candidate], owner, value, before
    head[candidate] = used
    return used + 1


@inlined
def _demand_parts(parts: Array, needed: Array) -> None:
    """Need each part that stands in a sum an odd number of times; equal parts lie side by side."""
    first = 0
    for i in range(len(parts)):
        if i + 1 == len(parts) or parts[i + 1] != parts[i]:
            if (i + 1 - first) & 1:
                needed[parts[i]] = True
            first = i + 1


@inlined
def _demand_smaller(vertex: int, options: Array, value: int, play: Play, marks: Marks, links: Array, used: int) -> int:
    """Demand an option of each smaller value."""
    grundy, rank, needed, last = play.grundy, play.rank, marks.needed, marks.last
    for u in options:
        k = grundy[u]
        if 0 <= k < value:
            if last[k, 0] < 0 or rank[u] < rank[last[k, 0]]:
                last[k, 0] = u
            last[k, 1] += 1
            last[k, 2] += needed[u]
    for k in range(value):
        u, candidates, met = last[k, 0], last[k, 1], last[k, 2]
        last[k, 0], last[k, 1], last[k, 2] = -1, 0, 0
        if candidates == 1:
            needed[u] = marks.sole[u] = True
        elif not met:
            used = _link(links, used, marks.head, u, -1 - vertex, k, rank[vertex])
    return used


@compiled
def choose(play: Play, marks: Marks, links: Array, at: int, used: int) -> tuple[int, int]:
    """Go on from a place in the order of play down to 0; return the place where the links ran out, or -1, and how many.

    A link is a demand: the one before it for the same vertex, its owner, a value, and the rank to stay below. In a
    loopy graph a larger value is no proof that a move can be undone, and the options of sums and of infinite values are
    needed already.
    """
    order, rank, pointers, indices, sums, grundy, loopy = play
    needed, sole, chosen, head, met, _ = marks
    while at >= 0:
        v = order[at]
        options = indices[pointers[v] : pointers[v + 1]]
        if used + 2 * len(options) > len(links):  # at most one demand for an option's value and one for its reply
            break
        at -= 1
        # All that stand before it in play are decided: what still lacks an answer gets it here, at its last candidate.
        link = head[v]
        while not needed[v] and link >= 0:
            owner, value, before = links[link, 1], links[link, 2], links[link, 3]
            if not _is_met(owner, value, before, play, chosen):
                needed[v] = True
            link = links[link, 0]
        if not needed[v]:
            continue
        chosen[v] = True
        if sums[v] or grundy[v] < 0:
            if not loopy:
                _demand_parts(options, needed)
            continue
        value = grundy[v] if len(options) else 0
        used = _demand_smaller(v, options, value, play, marks, links, used)
        # An option shows that it has another value by its own, or by a reply of this one; an end shows it by itself.
        for u in options:
            if pointers[u] == pointers[u + 1] and not sums[u]:
                continue
            if not loopy and (needed[u] or met[u] == value):
                continue
            met[u] = value
            shows = not loopy or sums[u] or 0 <= grundy[u] < value
            candidate, candidates = u if shows else -1, int(shows)
            for entry in range(pointers[u], pointers[u + 1]):
                w = indices[entry]
                if not sums[u] and grundy[w] == value:
                    candidates += 1
                    if rank[w] < rank[v] and (candidate < 0 or rank[w] < rank[candidate]):
                        candidate = w
            if candidates == 1:
                needed[candidate] = sole[candidate] = True
            elif not (shows and needed[u]):
                used = _link(links, used, head, candidate, u if shows else -1 - u, value, rank[v])
    return at, used
