"""Longest and shortest paths, by vertex numbers."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import chain, pairwise

import numpy as np

from graphgame.arrays.backend import loops, search
from graphgame.arrays.backend.search import Breadth, Vertices, run_for
from graphgame.arrays.engine import collecting_seldom
from graphgame.arrays.rows import Rows

__all__ = ["longest", "path_between", "shortest_paths"]

_MANY = 128
"""Paths of one length from which they are made all at once."""


def longest(graph: Vertices, order: np.ndarray) -> np.ndarray:
    """Return the vertices of the longest path that networkx finds first, from a topological order."""
    rows, vertices = graph.predecessor_rows, len(graph.labels)
    lengths, before = np.empty((2, vertices), np.int32)
    last = run_for(loops.longest_path, rows)(rows.pointers, rows.indices, order, lengths, before)
    return np.array(_chain(before, last, 0)[::-1], np.int32)


def shortest_paths(breadth: Breadth, limit: int | None, ahead: bool) -> dict[Hashable, list[Hashable]]:
    """Return by its end the path to each vertex that a search finds; not ``ahead``, from it to where the search began.

    The paths of one length are the rows of an array of nodes: those that are shorter by one, and one node more.
    """
    parents, found = breadth.numbers(slice(0, breadth.to(limit).stop))
    place = np.empty(breadth.vertices, np.int32)
    place[found] = np.arange(len(found))
    above, nodes = place[parents], breadth.nodes(slice(0, len(found)))
    column = np.fromiter(nodes, object, len(nodes))
    paths = [nodes[:1]]
    begin = 0
    with collecting_seldom():
        for length, (first, end) in enumerate(pairwise(breadth.ends()), 1):
            if end - first < _MANY:
                ways = (
                    (paths[up], [node]) for up, node in zip(above[first:end].tolist(), nodes[first:end], strict=True)
                )
                paths += [way + last if ahead else last + way for way, last in ways]
            else:
                count = first - begin
                shorter = np.fromiter(chain.from_iterable(paths[begin:first]), object, count * length)
                ways = shorter.reshape(count, length)[above[first:end] - begin]
                paths += np.column_stack([ways, column[first:end]] if ahead else [column[first:end], ways]).tolist()
            begin = first
        return dict(zip(nodes, paths, strict=True))


def path_between(graph: Vertices, source: int, target: int) -> list[int] | None:
    """Return the vertices of the shortest path that networkx finds first, or None."""
    if source == target:
        return [source]
    ahead, back = graph.successor_rows, graph.predecessor_rows
    found = _path_near(ahead, back, source, target)
    return _path_far(ahead, back, source, target) if found is None else found or None


def _path_near(ahead: Rows, back: Rows, source: int, target: int) -> list[int] | None:
    """Search as ``loops.meet`` does, without its arrays; an empty path where there is none, None where that is far."""
    before, after = {source: source}, {target: target}
    fringe, fringe_back, looked_at = [source], [target], 0
    while fringe and fringe_back and looked_at < search.FEW_ENTRIES:
        forward = len(fringe) <= len(fringe_back)
        rows, own, other = (ahead, before, after) if forward else (back, after, before)
        found = []
        for v in fringe if forward else fringe_back:
            row = rows.row(v)[: search.FEW_ENTRIES].tolist()
            looked_at += len(row)
            if looked_at >= search.FEW_ENTRIES:
                return None
            for w in row:
                if w not in own:
                    own[w] = v
                    found.append(w)
                if w in other:
                    return [*_chain(before, w, 0)[::-1], *_chain(after, w, 0)[1:]]
        fringe, fringe_back = (found, fringe_back) if forward else (fringe, found)
    return None if fringe and fringe_back else []


def _path_far(ahead: Rows, back: Rows, source: int, target: int) -> list[int] | None:
    before, after = np.zeros((2, len(ahead.pointers) - 1), np.int32)
    queues = np.empty_like(before), np.empty_like(before)
    middle = run_for(loops.meet, ahead)(*ahead, *back, source, target, before, after, *queues)
    return [*_chain(before, middle, 1)[::-1], *_chain(after, middle, 1)[1:]] if middle >= 0 else None


def _chain(before: np.ndarray | dict[int, int], last: int, added: int) -> list[int]:
    """Follow a table of predecessors, to each of which a number was added, until one is its own."""
    chain = [last]
    while (vertex := int(before[chain[-1]]) - added) != chain[-1]:
        chain.append(vertex)
    return chain
