"""The choice of a certificate; its meaning is in ``certification``."""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined

__all__ = ["choose"]


@inlined
def _is_met(owner: int, value: int, pointers: Array, indices: Array, grundy: Array, chosen: Array) -> bool:
    """Tell whether an option of this value is chosen, or the owner itself; ``-1 - owner`` asks for options alone."""
    if owner >= 0 and chosen[owner]:
        return True
    vertex = owner if owner >= 0 else -1 - owner
    for entry in range(pointers[vertex], pointers[vertex + 1]):
        if grundy[indices[entry]] == value and chosen[indices[entry]]:
            return True
    return False


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
def _demand_smaller(
    vertex: int,
    options: Array,
    value: int,
    grundy: Array,
    rank: Array,
    needed: Array,
    head: Array,
    last: Array,
    links: Array,
    used: int,
) -> int:
    """Demand an option of each smaller value; ``last`` holds -1 for each value, and so it does afterwards."""
    for u in options:
        k = grundy[u]
        if k < value and (last[k, 0] < 0 or rank[u] < rank[last[k, 0]]):
            last[k, 0] = u
    # Counts all candidates of a value but one; a needed one adds more than there can be, for then the demand is met.
    for u in options:
        if grundy[u] < value:
            last[grundy[u], 1] += 1 + needed[u] * len(options)
    for k in range(value):
        u, candidates = last[k, 0], last[k, 1]
        last[k, 0] = last[k, 1] = -1
        if candidates == 0:
            needed[u] = True
        elif candidates < len(options):
            links[used, 0], links[used, 1], links[used, 2] = head[u], -1 - vertex, k
            head[u] = used
            used += 1
    return used


@compiled
def choose(
    order: Array,
    pointers: Array,
    indices: Array,
    sums: Array,
    grundy: Array,
    rank: Array,
    needed: Array,
    chosen: Array,
    head: Array,
    met: Array,
    last: Array,
    links: Array,
    at: int,
    used: int,
) -> tuple[int, int]:
    """Go on from a place in the order of play down to 0; return the place where the links ran out, or -1, and how many.

    A link is a demand: the one before it for the same vertex, its owner, and a value.
    """
    while at >= 0:
        v = order[at]
        options = indices[pointers[v] : pointers[v + 1]]
        if used + 2 * len(options) > len(links):  # at most one demand for an option's value and one for its reply
            break
        at -= 1
        # All that stand before it in play are decided: what still lacks an answer gets it here, at its last candidate.
        link = head[v]
        while not needed[v] and link >= 0:
            if not _is_met(links[link, 1], links[link, 2], pointers, indices, grundy, chosen):
                needed[v] = True
            link = links[link, 0]
        if not needed[v]:
            continue
        chosen[v] = True
        if sums[v]:
            _demand_parts(options, needed)
            continue
        value = grundy[v] if len(options) else 0
        used = _demand_smaller(v, options, value, grundy, rank, needed, head, last, links, used)
        # An option shows that it has another value by its own, or by a reply of this one; an end shows it by itself.
        for u in options:
            if needed[u] or met[u] == value or (pointers[u] == pointers[u + 1] and not sums[u]):
                continue
            met[u] = value
            reply = -1
            for entry in range(pointers[u], pointers[u + 1]):
                w = indices[entry]
                if not sums[u] and grundy[w] == value and (reply < 0 or rank[w] < rank[reply]):
                    reply = w
            if reply < 0:
                needed[u] = True
            else:
                links[used, 0], links[used, 1], links[used, 2] = head[reply], u, value
                head[reply] = used
                used += 1
    return at, used
