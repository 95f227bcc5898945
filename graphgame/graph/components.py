"""Strong components: which positions lie on cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Protocol

import numpy as np

from graphgame.compiled.compiling import Array, Loop, compiled, runner
from graphgame.graph.labels import Labels
from graphgame.graph.rows import Rows


class Vertices(Protocol):
    """A graph by vertex numbers; a row may name an option twice."""

    @property
    def labels(self) -> Labels:
        """The nodes."""

    @property
    def successor_rows(self) -> Rows:
        """The successors of every vertex."""

    @property
    def predecessor_rows(self) -> Rows:
        """The predecessors of every vertex."""


def strong(graph: Vertices) -> tuple[int, np.ndarray]:
    """Return how many strongly connected components there are, and the number of each vertex's, from 1.

    A component leads to none of a higher number.
    """
    rows, vertices = graph.successor_rows, len(graph.labels)
    number, component = np.zeros((2, vertices), np.int32)
    low, stack, waiting = np.empty((3, vertices), np.int32)
    place = np.zeros(vertices, np.int64)
    run = run_for(strong_components, rows)
    return run(rows.pointers, rows.indices, number, low, place, stack, waiting, component), component


def on_cycles(graph: Vertices, component: np.ndarray) -> np.ndarray:
    """Mark the vertices that lie on a cycle, given the numbers of their strongly connected components."""
    marked: np.ndarray = np.bincount(component)[component] > 1
    owners = graph.successor_rows.owners()
    marked[owners[owners == graph.successor_rows.indices]] = True
    return marked


def run_for(loop: Loop, rows: Rows) -> Loop:
    """Return a loop, compiled where the rows are long, or where it took as long before as it takes to load it."""
    before, size = _done[loop], len(rows.indices) + len(rows.pointers)
    _done[loop] += size
    return runner(loop, max(size, _PAYS * before))


_PAYS = 4
"""How many times as much a loop must read for compiling it to pay at once as it must have read in all before."""


_done: Counter[Callable[..., object]] = Counter()
"""The vertices and edges that each loop has been given."""


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
