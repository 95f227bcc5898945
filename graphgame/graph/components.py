"""Strongly connected components, and the vertices that lie on cycles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.graph.labels import Labels
from graphgame.graph.rows import Rows


class Vertices(Protocol):
    """A graph in arrays by vertex number. A row may contain a vertex twice."""

    @property
    def labels(self) -> Labels:
        """The nodes, in the order of their vertex numbers."""

    @property
    def successor_rows(self) -> Rows:
        """The rows of successors, one for each vertex."""

    @property
    def predecessor_rows(self) -> Rows:
        """The rows of predecessors, one for each vertex."""


def strong(graph: Vertices, run: Callable[..., int] | None = None) -> tuple[int, np.ndarray]:
    """Return the number of strongly connected components, and an array with the component of each vertex.

    Components are numbered from 1, and no edge leads from a component to one of a higher number. ``run`` is the
    loop to call; by default it is :func:`strong_components`, compiled if the graph is large.
    """
    rows, vertices = graph.successor_rows, len(graph.labels)
    number, component = np.zeros((2, vertices), np.int32)
    low, stack, waiting = np.empty((3, vertices), np.int32)
    edges_done = np.zeros(vertices, np.int64)
    loop = run or runner(strong_components, len(rows.indices) + len(rows.pointers))
    return loop(rows.pointers, rows.indices, number, low, edges_done, stack, waiting, component), component


def on_cycles(graph: Vertices, component: np.ndarray) -> np.ndarray:
    """Return a boolean array of the vertices that lie on a cycle; ``component`` is the array of :func:`strong`."""
    marked: np.ndarray = np.bincount(component)[component] > 1
    row_indices = graph.successor_rows.row_indices()
    marked[row_indices[row_indices == graph.successor_rows.indices]] = True
    return marked


@compiled
def strong_components(
    pointers: Array,
    indices: Array,
    number: Array,
    low: Array,
    edges_done: Array,
    stack: Array,
    waiting: Array,
    component: Array,
) -> int:
    """Find the strongly connected components by Tarjan's depth-first search; return their number.

    ``pointers`` and ``indices`` are the rows of successors. ``component`` (zeros) becomes the component of each vertex,
    from 1 in the order of completion. The other arrays are working space, with an entry for each vertex: ``number``
    (zeros) is the preorder number, from 1; ``low`` Tarjan's lowlink; ``edges_done`` (zeros) the number of its edges
    already followed; ``stack`` the current path; ``waiting`` the finished vertices of incomplete components.
    """
    numbered = 0
    components = 0
    held = 0
    for root in range(len(number)):
        depth = 0
        if number[root] == 0:
            stack[0] = root
            depth = 1
        while depth > 0:
            v = stack[depth - 1]
            if number[v] == 0:
                numbered += 1
                number[v] = numbered
                low[v] = numbered
            e = pointers[v] + edges_done[v]
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
            edges_done[v] = e - pointers[v]
            if not down:
                depth -= 1
                if low[v] == number[v]:
                    components += 1
                    component[v] = components
                    while held > 0 and number[waiting[held - 1]] > number[v]:
                        held -= 1
                        component[waiting[held]] = components
                else:
                    # The root of a component does not wait on this stack (Nuutila): it is empty without cycles.
                    waiting[held] = v
                    held += 1
    return components
