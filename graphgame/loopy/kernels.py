"""Compiled loops over graphs with cycles; each has a plain twin in :mod:`graphgame.loopy.passes`."""

from __future__ import annotations

from graphgame.arrays.compiling import compiled
from graphgame.arrays.kernels import Array

__all__ = ["retrograde", "spread"]


@compiled
def spread(
    pointers: Array,
    indices: Array,
    queue: Array,
    found: int,
    level: int,
    inner: int,
    values: Array,
    candidate: Array,
    undoing: Array,
    waits: Array,
    unvalued: Array,
) -> int:
    """Spread the value ``level`` from the first ``found`` vertices of the queue; returns how many are in it at the end.

    ``inner`` is 1 where the vertices of the queue count in ``unvalued``, the options without a value, else 0.
    """
    done = 0
    while done < found:
        w = queue[done]
        done += 1
        for k in range(pointers[w], pointers[w + 1]):
            v = indices[k]
            unvalued[v] -= inner
            if values[v] >= 0 or undoing[v] == level:
                continue
            undoing[v] = level
            for j in range(pointers[v], pointers[v + 1]):
                u = indices[j]
                waits[u] -= 1
                if waits[u] == 0 and candidate[u] == level and values[u] < 0 and undoing[u] != level:
                    values[u] = level
                    queue[found] = u
                    found += 1
    return found


@compiled
def retrograde(
    pointers: Array, indices: Array, queue: Array, found: int, misere: int, waits: Array, moves: Array
) -> None:
    """Count the moves to a forced end from the terminal positions, the first ``found`` in the queue."""
    done = 0
    while done < found:
        v = queue[done]
        done += 1
        lost = moves[v] % 2 == misere
        for k in range(pointers[v], pointers[v + 1]):
            p = indices[k]
            waits[p] -= 1
            if moves[p] < 0 and (lost or waits[p] == 0):
                moves[p] = moves[v] + 1
                queue[found] = p
                found += 1
