"""Solve graphs with cycles: compute Smith's values, and how long play lasts if a player can force a win.

The pass of :mod:`graphgame.solution.sprague_grundy` solves the positions from which play must end; this module solves
the remaining positions. A position G has the value m exactly if the sum of G and a heap of m is a P-position. So the
values m = 0, 1, 2, ... are assigned in this order, and a position gets the value m if

- its options have all of the values 0, ..., m - 1, but not m;
- each option without a value so far has an option that already has the value m: the move to it can be *undone*.

A position that gets no value is infinite. When a position gets the value m, its predecessors become *undoing*: they
have an option of value m. A position waits until each of its options without a value is undoing. The edges to a
position are read once for each different finite value among its options.

Unsolved sum vertices on no cycle are solved in layers: first the positions that reach no such vertex, then the sums of
these positions, then the positions that reach only these sums, and so on. Each layer is solved as a graph of its own.
There, an option that was solved before becomes a heap of n if its value is n. If its value is inf(K), it becomes a
vertex with a move to itself and a move to a heap of each size in K.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import compiled, runner
from graphgame.compiled.engine import Engine
from graphgame.graph import LOONY
from graphgame.graph.components import on_cycles, strong
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import marked
from graphgame.solution.results import Loopy, Value, ValueCodes

_EDGES_AT_A_TIME = 1 << 23


def loopy_values(graph: GameGraph, values: np.ndarray, order: np.ndarray, *, engine: Engine = "auto") -> np.ndarray:
    """Assign values to the positions that the ordinary pass leaves unsolved; none of these may be a sum vertex.

    Parameters
    ----------
    graph : GameGraph
    values : ndarray of int32
        The values of the vertices in ``order``. The other entries are set in place, to -1 for an infinite value.
    order : ndarray of int32
        The vertices that the ordinary pass has solved.
    engine : {"auto", "plain", "compiled"}

    Returns
    -------
    ndarray of int32
        The vertices of ``order``, then all others with a finite value, in the order in which they got it. Indices are
        Fraenkel's counter function: a move from index i to a larger value can be undone by a reply to an index below i.

    Notes
    -----
    O(n + m (k + 1)) time, where k is the mean, over all moves, of the number of different finite values among
    the options after the move.

    References
    ----------
    C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966); A. S. Fraenkel, Y. Yesha,
    The generalized Sprague-Grundy function and its invariance under certain mappings, JCTA 43 (1986).
    """
    rows = graph.predecessor_rows
    spread = runner(_spread, len(rows.indices) + len(values), engine)
    active = np.flatnonzero(~marked(order, len(values)))
    values[active] = -1
    counts = np.zeros((2, len(values)), np.int32)
    none = np.full((2, len(values)), -1, np.int32)
    work = Work(*rows, values, *none, *counts)
    for owner, option in option_blocks(graph, active):
        work.unvalued[:] += np.bincount(owner[values[option] < 0], minlength=len(values)).astype(np.int32)
    valued, count = np.empty(len(values), np.int32), len(order)
    valued[:count] = order
    # Sorted by value, so that the vertices of each value are a range.
    solved = order[np.argsort(values[order], kind="stable")]
    solved_values = values[solved]
    level = 0
    while len(active):
        start, end = np.searchsorted(solved_values, [level, level + 1])
        work.waits[active] = work.unvalued[active]
        queue = solved[start:end].copy()
        spread(work, queue, len(queue), level, 0)
        # No position is a candidate for this value yet, so this call of ``spread`` gives the value to no position: it
        # only updates ``undoing`` and ``waits``.
        ready = active[(work.waits[active] == 0) & (work.undoing[active] != level)]
        work.candidate[active] = level
        values[ready] = level
        valued[count : count + len(ready)] = ready
        count += spread(work, valued[count:], len(ready), level, 1)
        # A position without an option of this value can get no larger value.
        active = active[(work.undoing[active] == level) & (values[active] < 0)]
        level += 1
    return valued[:count]


class Work(NamedTuple):
    """The arrays of :func:`loopy_values`: the predecessors in CSR form, and five with an entry for each vertex."""

    pointers: np.ndarray
    indices: np.ndarray

    values: np.ndarray
    """The value of the vertex, -1 if it has none yet."""

    candidate: np.ndarray
    """The value that the vertex gets if no option has it and each move to an option without a value can be undone."""

    undoing: np.ndarray
    """The latest ``level`` that is the value of some option of the vertex; -1 at first."""

    waits: np.ndarray
    """The number of options without a value that are not undoing yet."""

    unvalued: np.ndarray
    """The number of options without a value."""


@compiled
def _spread(work: Work, queue: np.ndarray, queued: int, level: int, new: int) -> int:
    """Give the value ``level`` to vertices that can get it now; the arrays are those of :class:`Work`.

    The first ``queued`` vertices of the queue have the value. The predecessors of a vertex in the queue become undoing;
    then each of their predecessors waits for one option less. If it waits for none, has the candidate ``level`` and is
    not undoing, it gets the value and joins the queue. Return the number of vertices in the queue. ``new`` is 1 if the
    first vertices have just got the value, so that ``unvalued`` of their predecessors decreases; otherwise it is 0.
    """
    pointers, indices, values, candidate, undoing, waits, unvalued = work
    done = 0
    while done < queued:
        w = queue[done]
        done += 1
        for k in range(pointers[w], pointers[w + 1]):
            v = indices[k]
            unvalued[v] -= new
            if values[v] >= 0 or undoing[v] == level:
                continue
            undoing[v] = level
            for j in range(pointers[v], pointers[v + 1]):
                u = indices[j]
                waits[u] -= 1
                if waits[u] == 0 and candidate[u] == level and values[u] < 0 and undoing[u] != level:
                    values[u] = level
                    queue[queued] = u
                    queued += 1
    return queued


def infinite_values(graph: GameGraph, values: np.ndarray, codes: ValueCodes) -> None:
    """Replace the -1 of each vertex with an infinite value by the code of its value inf(K), in place."""
    infinite = np.flatnonzero(values == -1)
    coded = np.full(len(values), -1, np.int32)
    for owner, option in option_blocks(graph, infinite):
        finite = values[option] >= 0
        # Each pair (owner, value) is one number, so that numpy can sort the pairs.
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
    """Set ``coded[owners[i]]`` to the code of inf(K) for the set K = ``members[first[i]:first[i] + length[i]]``.

    The members of each set are in increasing order.
    """
    # Number the prefixes of the sets, for lengths 1, 2, ...: equal prefixes get equal numbers. A prefix is given by
    # its last member and the number of the prefix before it. In the end, only equal sets have equal numbers.
    number, used = np.zeros(len(owners), np.int64), 1
    for index in range(int(length.max(initial=0))):
        longer = np.flatnonzero(length > index)
        distinct, number[longer] = np.unique(number[longer] << 32 | members[first[longer] + index], return_inverse=True)
        number[longer] += used
        used += len(distinct)
    _, example, kind_of = np.unique(number, return_index=True, return_inverse=True)
    kinds = [Loopy(members[first[e] : first[e] + length[e]].tolist()) for e in example.tolist()]
    coded[owners] = np.array([codes.encode(kind) for kind in kinds], np.int32)[kind_of] if kinds else ()


def option_blocks(graph: GameGraph, vertices: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the moves from ``vertices`` as arrays (start, end), about 8 million at a time; a vertex is not split."""
    if not len(vertices):
        return
    block = np.cumsum(graph.out_degrees[vertices], dtype=np.int64) // _EDGES_AT_A_TIME
    for chunk in np.split(vertices, np.flatnonzero(np.diff(block)) + 1):
        index, option = graph.option_rows.gather(chunk)
        yield chunk[index], option


def forced_lengths(graph: GameGraph, *, misere: bool = False, engine: Engine = "auto") -> np.ndarray:
    """Return for each vertex how many moves play lasts when the winner hurries and the loser delays.

    It is -1 if nobody can force a win. The graph must have no sum vertices. O(n + m) time: retrograde analysis,
    breadth first from the terminal positions.
    """
    rows, waits = graph.predecessor_rows, graph.out_degrees.copy()
    moves = np.where(waits == 0, 0, -1).astype(np.int32)
    queue = np.empty(len(waits), np.int32)
    ends = np.flatnonzero(waits == 0)
    queue[: len(ends)] = ends
    retrograde = runner(_retrograde, len(rows.indices) + len(waits), engine)
    is_p = np.full(len(waits), not misere)
    if graph.decided is not None:
        is_p &= graph.decided != LOONY
    retrograde(rows.pointers, rows.indices, queue, len(ends), is_p, waits, moves)
    return moves


@compiled
def _retrograde(
    pointers: np.ndarray,
    indices: np.ndarray,
    queue: np.ndarray,
    queued: int,
    is_p: np.ndarray,
    waits: np.ndarray,
    moves: np.ndarray,
) -> None:
    """Fill ``moves`` with the length of forced play from each vertex, -1 if nobody can force a win.

    ``pointers`` and ``indices`` are the predecessors in CSR form. Before the call ``moves`` is 0 for terminal positions
    and -1 for all other vertices, and the queue begins with the ``queued`` terminal positions; the rest of the queue is
    work memory. For each terminal position ``is_p`` says whether it is a P-position; the loop sets it for the other
    vertices that get a length. ``waits`` is the number of options of each vertex; the loop changes it.
    """
    done = 0
    while done < queued:
        v = queue[done]
        done += 1
        for k in range(pointers[v], pointers[v + 1]):
            p = indices[k]
            waits[p] -= 1
            if moves[p] < 0 and (is_p[v] or waits[p] == 0):
                moves[p] = moves[v] + 1
                is_p[p] = not is_p[v]
                queue[queued] = p
                queued += 1


class Layer(NamedTuple):
    """Sum vertices whose parts are solved or in lower layers, and the positions that reach these but no higher sums."""

    sums: list[int]
    positions: list[int]


def sum_layers(graph: GameGraph, unsolved: np.ndarray) -> list[Layer] | None:
    """Return layers of the unsolved vertices, in the order to solve them; None if an unsolved sum is on a cycle.

    A sum is in a higher layer than its unsolved parts. A position is in the layer of the highest unsolved sum that it
    reaches, or in the lowest layer. ``unsolved`` are the vertices without a value, in increasing order.
    """
    assert graph.sums is not None
    # The graph of the moves between the unsolved vertices; its vertex i is ``unsolved[i]``.
    sums, new_number = graph.sums[unsolved], np.full(len(graph), -1)
    new_number[unsolved] = np.arange(len(unsolved))
    ends = [(new_number[owner], new_number[option]) for owner, option in option_blocks(graph, unsolved)]
    source, target = np.concatenate(ends, axis=1)
    inner = GameGraph.from_arrays(source[target >= 0], target[target >= 0], len(unsolved))
    _, component = strong(inner)
    if (sums & on_cycles(inner, component)).any():
        return None
    level = np.zeros(len(unsolved), np.int64)
    layers = [Layer([], [])]
    ends_first = np.argsort(component, kind="stable")
    for members in np.split(ends_first, np.flatnonzero(np.diff(component[ends_first])) + 1):
        is_sum = bool(sums[members[0]])  # a sum is on no cycle, so its component has no other member
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
    engine: Engine = "auto",
) -> np.ndarray:
    """Assign values as :func:`loopy_values` does, but to the layers that :func:`sum_layers` returns, one by one.

    An infinite value gets its code in ``codes`` instead of -1. The sums in the layers are not in the result.
    """
    orders = [order]
    for layer in layers:
        values[layer.positions] = -1
    for layer in layers:
        for vertex in layer.sums:
            parts = codes.decode(values[graph.option_rows.row(vertex)].tolist())
            values[vertex] = codes.encode(reduce(xor, parts, 0))
        if layer.positions:
            orders.append(_solve(graph, values, codes, np.array(layer.positions, np.int32), engine))
    return np.concatenate(orders)


def _solve(
    graph: GameGraph, values: np.ndarray, codes: ValueCodes, positions: np.ndarray, engine: Engine
) -> np.ndarray:
    """Assign values to the positions of a layer; all their options outside the layer have values.

    Return the positions that get a finite value, in the order in which they get it.
    """
    owner, option = (np.concatenate(ends) for ends in zip(*option_blocks(graph, positions), strict=True))
    vertices = np.union1d(positions, option)
    small_values = values[vertices]
    infinite = np.flatnonzero(small_values < -1)
    decoded = codes.decode(small_values[infinite].tolist())
    source, target, heaps = _heaps_for(dict(zip(infinite.tolist(), decoded, strict=True)))
    small = GameGraph.from_arrays(
        np.concatenate([np.searchsorted(vertices, owner), source]),
        np.concatenate([np.searchsorted(vertices, option), np.where(target < 0, source, len(vertices) + target)]),
        len(vertices) + len(heaps),
    )
    small_values = np.concatenate([small_values.clip(-1), heaps]).astype(np.int32)
    order = np.flatnonzero(small_values >= 0).astype(np.int32)
    new = loopy_values(small, small_values, order, engine=engine)[len(order) :]
    kinds = ValueCodes()
    infinite_values(small, small_values, kinds)
    own = small_values[np.searchsorted(vertices, positions)]
    values[positions] = list(map(codes.encode, kinds.decode(own.tolist())))
    finite: np.ndarray = vertices[new]
    return finite


def _heaps_for(infinite: dict[int, Value]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return moves and heaps that give each vertex in ``infinite`` its value inf(K): arrays (source, target, heaps).

    A vertex has a move to itself and a move to a heap of each size in K. Move i leads from ``source[i]`` to a heap of
    the size ``heaps[target[i]]`` or, if ``target[i]`` is -1, back to ``source[i]``.
    """
    sizes_of = {vertex: value.finite for vertex, value in infinite.items() if isinstance(value, Loopy)}
    heaps = sorted(set().union(*sizes_of.values()))
    index = {size: number for number, size in enumerate(heaps)}
    moves = [(vertex, -1) for vertex in sizes_of]
    moves += [(vertex, index[size]) for vertex, sizes in sizes_of.items() for size in sizes]
    source, target = np.array(moves, np.int64).reshape(-1, 2).T
    return source, target, np.array(heaps, np.int64)
