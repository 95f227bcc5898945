"""The pass over a graph with cycles: Smith's values, one finite value after the other, and who can force an end.

The ordinary pass has solved the positions from which play must end; the others are left here. The position G has the
value m exactly when the sum of G and a heap of m is a P-position. So, for m = 0, 1, 2, ..., a position takes the value
m if

- its options have all of the values 0, ..., m - 1, but not m;
- every option whose value is not less than m has itself an option of value m, given before: the move can be undone.

A position that never takes a value is infinite. When a position takes the value m, its predecessors are *undoing*: they
have an option of value m. A position waits for its options that have no value yet to become undoing. Each edge is
looked at once for every value among the options of its end.

A sum vertex that lies on no cycle has the value of the sum of its parts, which lie below it. So the positions that
reach no such vertex are solved first, then the sums of these, then the positions that reach none but them, and so on.
To a position a solved option is no more than its value: n is a heap of n, inf(K) a position with a move to itself and
moves to heaps of the sizes in K. Each layer is solved as a graph of its own, with such options at its edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import compiled, runner
from graphgame.graph.components import on_cycles, strong
from graphgame.graph.decided import LOONY
from graphgame.graph.gamegraph import GameGraph
from graphgame.solution.results import Loopy, Value, ValueCodes

_EDGES_AT_A_TIME = 1 << 23


def loopy_values(graph: GameGraph, values: np.ndarray, order: np.ndarray, *, engine: str = "auto") -> np.ndarray:
    """Give the positions that the ordinary pass leaves unsolved their finite values, where they have one.

    No sum vertex is among them. Their entries of ``values`` are filled, with -1 where the value is infinite; ``order``
    has the others. Returned are the vertices of finite value in the order in which they took it. The place of a vertex
    is a counter function in the sense of Fraenkel: a move to a larger value can be undone by a move to an earlier
    vertex.

    Notes
    -----
    O(n + m (k + 1)) time, where k is the mean number of different finite values among the options of a position.

    References
    ----------
    C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966); A. S. Fraenkel, Y. Yesha,
    The generalized Sprague-Grundy function and its invariance under certain mappings, JCTA 43 (1986).
    """
    return _Levels(graph, values, order, engine).run()


class _Levels:
    """The unsolved positions while one finite value after the other is given."""

    def __init__(self, graph: GameGraph, values: np.ndarray, order: np.ndarray, engine: str) -> None:
        self._rows = graph.predecessor_rows
        self._spread = runner(_spread, len(self._rows.indices) + len(values), engine)
        unsolved = np.ones(len(values), np.bool_)
        unsolved[order] = False
        values[unsolved] = -1
        counts = np.zeros((2, len(values)), np.int32)
        none = np.full((2, len(values)), -1, np.int32)
        self._level = Level(*self._rows, values, *none, *counts)
        self._active = np.flatnonzero(unsolved)
        self._found = np.empty(len(values), np.int32)
        self._found[: len(order)] = order
        self._count = len(order)
        self._solved = order[np.argsort(values[order], kind="stable")]
        self._solved_values = values[self._solved]
        self._count_unsolved_options(graph)

    def run(self) -> np.ndarray:
        level = 0
        while len(self._active):
            start, end = np.searchsorted(self._solved_values, [level, level + 1])
            self._give(level, self._solved[start:end])
            active = self._active
            # Who has no option of this value can take none that is larger.
            self._active = active[(self._level.undoing[active] == level) & (self._level.values[active] < 0)]
            level += 1
        return self._found[: self._count]

    def _count_unsolved_options(self, graph: GameGraph) -> None:
        for owner, option in option_blocks(graph, self._active):
            inner = self._level.values[option] < 0
            self._level.unvalued[:] += np.bincount(owner[inner], minlength=len(self._level.values)).astype(np.int32)

    def _give(self, level: int, solved: np.ndarray) -> None:
        """Give the value ``level`` to all that take it."""
        active = self._active
        self._level.waits[active] = self._level.unvalued[active]
        self._run_queue(solved.copy(), len(solved), level, 0)
        # No value was given so far: until the solved have spread, an option of the same value might yet turn up.
        ready = active[(self._level.waits[active] == 0) & (self._level.undoing[active] != level)]
        self._level.candidate[active] = level
        self._level.values[ready] = level
        queue = self._found[self._count :]
        queue[: len(ready)] = ready
        self._count += self._run_queue(queue, len(ready), level, 1)

    def _run_queue(self, queue: np.ndarray, found: int, level: int, inner: int) -> int:
        return self._spread(self._level, queue, found, level, inner)


class Level(NamedTuple):
    """The predecessors of every vertex, and what is known of it while one value after the other is given."""

    pointers: np.ndarray
    indices: np.ndarray

    values: np.ndarray
    """-1 while there is none."""

    candidate: np.ndarray
    """The value that a vertex takes once all its options are undone, or -1."""

    undoing: np.ndarray
    """The last value of which an option was found."""

    waits: np.ndarray
    """Options without a value that no move undoes yet."""

    unvalued: np.ndarray
    """Options without a value."""


@compiled
def _spread(work: Level, queue: np.ndarray, found: int, level: int, inner: int) -> int:
    """Spread the value ``level`` from the first ``found`` vertices of the queue; returns how many are in it at the end.

    ``inner`` is 1 where the vertices of the queue count in ``unvalued``, the options without a value, else 0.
    """
    pointers, indices, values, candidate, undoing, waits, unvalued = work
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


def infinite_values(graph: GameGraph, values: np.ndarray, codes: ValueCodes) -> None:
    """Replace the -1 of every infinite value by its code, in place."""
    infinite = np.flatnonzero(values == -1)
    coded = np.full(len(values), -1, np.int32)
    for owner, option in option_blocks(graph, infinite):
        finite = values[option] >= 0
        # One number for each pair, which sorts as the pair does.
        pairs = np.unique(owner[finite].astype(np.int64) << 32 | values[option[finite]])
        owners, first, length = np.unique(pairs >> 32, return_index=True, return_counts=True)
        _code(codes, coded, owners, pairs & 0xFFFFFFFF, first, length)
    none = infinite[coded[infinite] == -1]
    if len(none):
        coded[none] = codes.encode(Loopy())
    values[infinite] = coded[infinite]


def _code(
    codes: ValueCodes, coded: np.ndarray, owners: np.ndarray, members: np.ndarray, first: np.ndarray, length: np.ndarray
) -> None:
    """Code sets: the owner i has the increasing ``members[first[i]:first[i] + length[i]]``.

    Equal sets get equal numbers, for all sets at once: the number of the members before, then the next member.
    """
    number, known = np.zeros(len(owners), np.int64), 1
    for place in range(int(length.max(initial=0))):
        longer = np.flatnonzero(length > place)
        distinct, number[longer] = np.unique(number[longer] << 32 | members[first[longer] + place], return_inverse=True)
        number[longer] += known
        known += len(distinct)
    _, example, same = np.unique(number, return_index=True, return_inverse=True)
    kinds = [Loopy(members[first[e] : first[e] + length[e]].tolist()) for e in example.tolist()]
    coded[owners] = np.array([codes.encode(kind) for kind in kinds], np.int32)[same] if kinds else ()


def option_blocks(graph: GameGraph, vertices: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (owner, option) of all moves from some vertices, a bounded number at a time."""
    if not len(vertices):
        return
    block = np.cumsum(graph.out_degrees[vertices], dtype=np.int64) // _EDGES_AT_A_TIME
    for chunk in np.split(vertices, np.flatnonzero(np.diff(block)) + 1):
        place, option = graph.option_rows.gather(chunk)
        yield chunk[place], option


def forced_lengths(graph: GameGraph, *, misere: bool = False, engine: str = "auto") -> np.ndarray:
    """Return how many moves play lasts when the winner hurries and the loser delays; -1 where nobody can force an end.

    There are no sum vertices. O(n + m) time: retrograde analysis, breadth first from the end.
    """
    rows, waits = graph.predecessor_rows, graph.out_degrees.copy()
    moves = np.where(waits == 0, 0, -1).astype(np.int32)
    queue = np.empty(len(waits), np.int32)
    ends = np.flatnonzero(waits == 0)
    queue[: len(ends)] = ends
    retrograde = runner(_retrograde, len(rows.indices) + len(waits), engine)
    lost = np.full(len(waits), not misere)
    if graph.decided is not None:
        lost &= graph.decided != LOONY
    retrograde(rows.pointers, rows.indices, queue, len(ends), lost, waits, moves)
    return moves


@compiled
def _retrograde(
    pointers: np.ndarray,
    indices: np.ndarray,
    queue: np.ndarray,
    found: int,
    lost: np.ndarray,
    waits: np.ndarray,
    moves: np.ndarray,
) -> None:
    """Count the moves to a forced end from the terminal positions, the first ``found`` in the queue.

    ``lost`` says of these whether they are lost, and then of each vertex that gets its length.
    """
    done = 0
    while done < found:
        v = queue[done]
        done += 1
        for k in range(pointers[v], pointers[v + 1]):
            p = indices[k]
            waits[p] -= 1
            if moves[p] < 0 and (lost[v] or waits[p] == 0):
                moves[p] = moves[v] + 1
                lost[p] = not lost[v]
                queue[found] = p
                found += 1


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
