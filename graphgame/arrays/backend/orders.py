"""Sorting, cycles, dominators, reduction and closure of a graph, by vertex numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from graphgame.arrays.backend import order_loops as loops
from graphgame.arrays.backend.search import Depth, Vertices, run_for, sort
from graphgame.arrays.compiling import runner
from graphgame.arrays.labels import Labels
from graphgame.arrays.rows import Rows

__all__ = ["Closure", "closure", "dominators", "first_cycle", "reduced_rows", "sort_by_rank"]

_FOUND_AT_ONCE = 1 << 22


def first_cycle(graph: Vertices, source: int | None) -> list[int]:
    """Return the vertices of the cycle that networkx finds first, an empty list where there is none."""
    rows, vertices = graph.successor_rows, len(graph.labels)
    begin, end = (0, vertices) if source is None else (source, source + 1)
    depth_of, stack, place = np.zeros(vertices, np.int32), np.empty(vertices, np.int32), np.zeros(vertices, np.int32)
    run = run_for(loops.walk_to_cycle, rows)
    length, first = run(rows.pointers, rows.indices, begin, end, depth_of, place, stack)
    return list(stack[first:length].tolist())


def dominators(graph: Vertices, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices that are reached from the start and the vertex that each must be reached by, in one order.

    The order is that in which networkx finds them; the start itself is left out.
    """
    rows, vertices = graph.predecessor_rows, len(graph.labels)
    order = Depth(graph, start, None).left()
    number, above = np.empty(vertices, np.int32), np.full(vertices, -1, np.int32)
    number[order] = np.arange(len(order))
    above[start] = start
    run_for(loops.raise_dominators, rows)(rows.pointers, rows.indices, order, number, above)
    order = order[-2::-1]
    return order, above[order]


def sort_by_rank(graph: Vertices, of_rank: np.ndarray) -> np.ndarray:
    """Return the vertices in topological order, those of low rank first; those behind a cycle are left out."""
    rows, vertices = graph.successor_rows, len(graph.labels)
    rank, heap, order = np.empty((3, vertices), np.int32)
    rank[of_rank] = np.arange(vertices)
    waits = graph.predecessor_rows.lengths()
    run = run_for(loops.pop_by_rank, rows)
    return order[: run(rows.pointers, rows.indices, waits, rank, of_rank, heap, order)]


def reduced_rows(graph: Vertices, order: np.ndarray) -> list[list[Hashable]]:
    """Return the successors of each vertex that are reached in no other way, in the order of the sets of networkx."""
    rows, vertices = graph.successor_rows, len(graph.labels)
    place, remover = np.empty(vertices, np.int32), np.full(len(rows.indices), -1, np.int32)
    place[order] = np.arange(vertices)
    below = np.empty((vertices, loops.WORDS), np.uint64)
    run = runner(loops.block_of_reduction, vertices * vertices)
    for begin in range(0, vertices, 64 * loops.WORDS):
        end = min(begin + 64 * loops.WORDS, vertices)
        run(rows.pointers, rows.indices, order, place, begin, end, below, remover)
    ends, nodes, removers = rows.pointers.tolist(), graph.labels.take(rows.indices), remover.tolist()
    spare = np.zeros(vertices, np.bool_)
    spare[rows.owners()[remover >= 0]] = True
    found = []
    for vertex, is_spare in enumerate(spare.tolist()):
        part = slice(ends[vertex], ends[vertex + 1])
        left = set(nodes[part])
        if is_spare:
            by: dict[int, set[Hashable]] = {}
            for node, remover_of in zip(nodes[part], removers[part], strict=True):
                by.setdefault(remover_of, set()).add(node)
            by.pop(-1, None)
            for _, reached in sorted(by.items()):
                left -= reached
        found.append(list(left))
    return found


class Closure(NamedTuple):
    """What vertex v reaches: its row is ``indices[begins[v]:first[v]]``, the rest ``indices[first[v]:ends[v]]``."""

    begins: np.ndarray
    first: np.ndarray
    ends: np.ndarray
    indices: np.ndarray


def closure(graph: Vertices) -> Closure:
    """Return what each vertex reaches, where there is no cycle; in more than one step, as sets of networkx order it."""
    rows, labels, vertices = graph.successor_rows, graph.labels, len(graph.labels)
    run = runner(loops.second_layers, vertices * vertices)
    begins, ends = np.zeros((2, vertices), np.int64)
    seen, closed, last = np.zeros(vertices, np.int32), np.empty(len(rows.indices), np.int32), 0
    lengths = rows.lengths()
    for some in _from_the_end(graph, max(_FOUND_AT_ONCE // max(vertices, 1), 1)):
        if len(closed) < last + len(some) * vertices:
            closed = np.concatenate([closed, np.empty(max(len(closed), len(some) * vertices), np.int32)])
        last = run(rows.pointers, rows.indices, some, begins, ends, closed, seen, last)
        for first, end in zip((begins[some] + lengths[some]).tolist(), ends[some].tolist(), strict=True):
            closed[first:end] = labels.find_all(set(labels.take(closed[first:end])))
    return Closure(begins, begins + lengths, ends, closed)


def _from_the_end(graph: Vertices, at_once: int) -> Iterator[np.ndarray]:
    """Yield the vertices after their options, some that do not depend on each other at a time."""
    order, ends = sort(_Turned(graph.labels, graph.predecessor_rows, graph.successor_rows))
    for first, end in pairwise([0, *ends.tolist()]):
        for start in range(first, end, at_once):
            yield order[start : min(start + at_once, end)]


class _Turned(NamedTuple):
    labels: Labels
    successor_rows: Rows
    predecessor_rows: Rows
