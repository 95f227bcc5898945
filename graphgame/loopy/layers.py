"""Sums that lead into cycles, by Smith's rule and without their explicit product: layer by layer.

A sum vertex that lies on no cycle has the value of the sum of its parts, which lie below it. So the positions that
reach no such vertex are solved first, then the sums of these, then the positions that reach none but them, and so on.
To a position a solved option is no more than its value: n is a heap of n, inf(K) a position with a move to itself and
moves to heaps of the sizes in K. Each layer is solved as a graph of its own, with such options at its edge.
"""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import NamedTuple

import numpy as np

from graphgame.arrays.backend.search import on_cycles, strong
from graphgame.graph import GameGraph
from graphgame.loopy.passes import infinite_values, loopy_values, option_blocks
from graphgame.results import Loopy, Value, ValueCodes


class Layer(NamedTuple):
    """Sum vertices whose parts lie in the layers below, and the positions that reach these sums and none above."""

    sums: list[int]
    positions: list[int]


def sum_layers(graph: GameGraph, unsolved: np.ndarray) -> list[Layer] | None:
    """Return the layers of the unsolved vertices, lowest first; None where a sum vertex lies on a cycle.

    The unsolved vertices are those that the ordinary pass leaves, increasing. O(k + m) time for m moves among k.
    """
    assert graph.sums is not None
    sums, inner = graph.sums[unsolved], _inner(graph, unsolved)
    _, component = strong(inner)
    if (sums & on_cycles(inner, component)).any():
        return None
    level = np.zeros(len(unsolved), np.int64)
    layers = [Layer([], [])]
    ends_first = np.argsort(component, kind="stable")
    for members in np.split(ends_first, np.flatnonzero(np.diff(component[ends_first])) + 1):
        is_sum = bool(sums[members[0]])  # which is then a component of its own
        level[members] = highest = level[inner.option_rows.gather(members)[1]].max(initial=0) + is_sum
        if highest == len(layers):
            layers.append(Layer([], []))
        (layers[highest].sums if is_sum else layers[highest].positions).extend(unsolved[members].tolist())
    return layers


def layered_values(
    graph: GameGraph,
    values: np.ndarray,
    order: np.ndarray,
    layers: list[Layer],
    codes: ValueCodes,
    *,
    engine: str = "auto",
) -> np.ndarray:
    """Give the unsolved vertices their values, finite or infinite; ``order`` has the others.

    The entries of ``values`` are filled, with the codes of infinite values. Returned are the positions of finite value
    in the order of a counter function.
    """
    counted = [order]
    for layer in layers:
        values[layer.positions] = -1
    for layer in layers:
        for vertex in layer.sums:
            parts = codes.decode(values[graph.option_rows.row(vertex)].tolist())
            values[vertex] = codes.encode(reduce(xor, parts, 0))
        if layer.positions:
            counted.append(_solve(graph, values, codes, np.array(layer.positions, np.int32), engine))
    return np.concatenate(counted)


def _inner(graph: GameGraph, unsolved: np.ndarray) -> GameGraph:
    """Return the graph of some vertices, by their places."""
    place = np.full(len(graph), -1)
    place[unsolved] = np.arange(len(unsolved))
    ends = [(place[owner], place[option]) for owner, option in option_blocks(graph, unsolved)]
    source, target = np.concatenate(ends, axis=1) if ends else np.zeros((2, 0), np.int64)
    return GameGraph.from_arrays(source[target >= 0], target[target >= 0], len(unsolved))


def _solve(graph: GameGraph, values: np.ndarray, codes: ValueCodes, positions: np.ndarray, engine: str) -> np.ndarray:
    """Solve the positions of a layer, whose other options have values; return those of finite value as counted."""
    owner, option = (np.concatenate(ends) for ends in zip(*option_blocks(graph, positions), strict=True))
    vertices = np.union1d(positions, option)
    known = values[vertices]
    at_edge = np.flatnonzero(known < -1)
    source, target, heaps = _heaps_for(dict(zip(at_edge.tolist(), codes.decode(known[at_edge].tolist()), strict=True)))
    small = GameGraph.from_arrays(
        np.concatenate([np.searchsorted(vertices, owner), source]),
        np.concatenate([np.searchsorted(vertices, option), np.where(target < 0, source, len(vertices) + target)]),
        len(vertices) + len(heaps),
    )
    known = np.concatenate([known.clip(-1), heaps]).astype(np.int32)
    order = np.flatnonzero(known >= 0).astype(np.int32)
    found = loopy_values(small, known, order, engine=engine)[len(order) :]
    kinds = ValueCodes()
    infinite_values(small, known, kinds)
    own = known[np.searchsorted(vertices, positions)]
    values[positions] = list(map(codes.encode, kinds.decode(own.tolist())))
    counted: np.ndarray = vertices[found]
    return counted


def _heaps_for(infinite: dict[int, Value]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the moves (source, target) that make values infinite, and the heaps to which they lead.

    A target is the place of a heap, or -1 for a move to the source itself.
    """
    held = {vertex: value.finite for vertex, value in infinite.items() if isinstance(value, Loopy)}
    heaps = sorted(set().union(*held.values()))
    place = {size: number for number, size in enumerate(heaps)}
    moves = [(vertex, -1) for vertex in held]
    moves += [(vertex, place[size]) for vertex, sizes in held.items() for size in sizes]
    source, target = np.array(moves, np.int64).reshape(-1, 2).T
    return source, target, np.array(heaps, np.int64)
