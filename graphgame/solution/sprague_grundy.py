"""The pass: compute values along the reverse edges, from the terminal positions back.

The pass starts from the vertices of out-degree 0. A solved vertex passes its value to its predecessors, each of which
counts its options without a value. A vertex whose count reaches 0 gets its value and joins the queue. A vertex that
never gets a value is on a cycle or leads to one. Compiled loops: :mod:`graphgame.graph.kernels`.

A decided position ends play in the whole sum at once. So two kinds of positions have no Grundy value:

- *sunny*: the player who just moved has won, whatever the other components are;
- *loony*: the mover wins the whole sum at once, by a move to a sunny position, or has won already.

A sum with a sunny part is sunny; any other sum with a loony part is loony. A move to a loony position loses every sum,
so the value of a position is the mex of the values of its other options; if all its options are loony, the value is 0,
as if it had none. So values are computed in the graph without the moves from and to sunny and loony vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from graphgame import errors
from graphgame.compiled.engine import Engine, use_compiled
from graphgame.graph import LOONY, SUNNY, kernels
from graphgame.graph.rows import MAX_VERTICES, Rows, cycle_among, marked
from graphgame.solution.plain_pass import plain_pass

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph


def mex(values: Iterable[int]) -> int:
    """Return the least non-negative integer that is not among the values.

    Raises
    ------
    ParameterError
        A value is not a non-negative integer.

    Examples
    --------
    >>> mex([0, 1, 2, 4]), mex([2, 3, 5]), mex([])
    (3, 0, 0)
    """
    seen = set(values)
    for value in seen:
        if not isinstance(value, (int, np.integer)) or value < 0:
            raise errors.ParameterError(
                "invalid value {value!r}: expected integers of 0 or more, as in mex([0, 1, 3])", value
            )
    least = 0
    while least in seen:
        least += 1
    return least


def grundy_values(graph: GameGraph, *, terminal: int = 0, engine: Engine = "auto") -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all vertices, and all vertices in an order with each option before its predecessors.

    Both are int32 arrays. The value of a position is the mex of its options' values, the value of a sum the xor of its
    parts' values; -2 is sunny, -3 loony. A position without options has the value ``terminal``: 0, in misère play 1.

    O(n + m) time. The compiled loop needs 16 bytes a vertex in addition to the result. If some vertices have 64
    options or more, it needs 8 more bytes for every vertex, and a bit for each edge from a vertex with so many options.

    Raises
    ------
    CycleError
        The graph has a cycle.
    """
    values, order = ending_values(graph, terminal=terminal, engine=engine)
    if len(order) < len(values):
        # Every unsolved vertex has an unsolved option: otherwise it would be solved.
        raise errors.CycleError(graph.labels.few(cycle_among(graph.option_rows, ~marked(order, len(values)))))
    return values, order


def ending_values(graph: GameGraph, *, terminal: int = 0, engine: Engine = "auto") -> tuple[np.ndarray, np.ndarray]:
    """Return what :func:`grundy_values` returns, but allow cycles: only vertices from which play must end are solved.

    The second array has only the solved vertices, each after its options. The values of other vertices mean nothing,
    except the codes of sunny and loony vertices. ``terminal`` is the value of a position without options.
    """
    run = compiled_grundy if use_compiled(_size(graph), engine) else plain_grundy
    values, order = run(graph.predecessor_rows, graph.out_degrees, graph.sums, terminal)
    if (decisive := decisive_values(graph)) is not None:
        reduced = without_decisive(graph, decisive)
        values, _ = run(reduced.predecessor_rows, reduced.out_degrees, reduced.sums, terminal)
        values = np.where(decisive, decisive, values)
    return values, order


def decisive_values(graph: GameGraph) -> np.ndarray | None:
    """Return the code of each sunny or loony vertex, and 0 for all others; None if no position is decided.

    O(n + m) time.

    Examples
    --------
    >>> from graphgame import GameGraph
    >>> graph = GameGraph.from_arrays([0, 1], [1, 2], "abc", decided=np.array([0, 0, -2]))
    >>> decisive_values(graph)
    array([ 0, -3, -2], dtype=int32)
    """
    if graph.decided is None:
        return None
    values = graph.decided.astype(np.int32)
    _spread_to_sums(graph, values, SUNNY)
    movers = graph.predecessor_rows.gather(np.flatnonzero(values == SUNNY))[1]
    values[movers[values[movers] == 0]] = LOONY
    _spread_to_sums(graph, values, LOONY)
    return values


def _spread_to_sums(graph: GameGraph, values: np.ndarray, code: int) -> None:
    """Replace the 0 of each sum in ``values`` by ``code`` if a part has this code; also for sums of such sums."""
    new = np.flatnonzero(values == code) if graph.sums is not None else np.zeros(0, np.int64)
    while len(new):
        predecessors = np.unique(graph.predecessor_rows.gather(new)[1])
        new = predecessors[graph.sums[predecessors] & (values[predecessors] == 0)]  # type: ignore[index]
        values[new] = code


def without_decisive(graph: GameGraph, values: np.ndarray) -> GameGraph:
    """Return the graph without the moves from and to sunny and loony vertices, which are those with ``values`` not 0.

    Each vertex keeps its number, which is also its label. All other vertices have the same values in both graphs.
    """
    rows = graph.option_rows
    source = rows.row_indices()
    included = (values[source] == 0) & (values[rows.indices] == 0)
    sums = None if graph.sums is None else graph.sums & (values == 0)
    return type(graph).from_arrays(source[included], rows.indices[included], len(values), sums=sums, overwrite=True)


def remoteness(graph: GameGraph, values: np.ndarray, order: np.ndarray, *, engine: Engine = "auto") -> np.ndarray:
    """Return for each vertex how many moves play lasts when the winner hurries and the loser delays.

    ``values`` and ``order`` are those of :func:`grundy_values`. The graph must have no sum vertices: how long a sum
    lasts does not follow from its parts.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 9 (remoteness).
    """
    rows = graph.predecessor_rows
    if graph.decided is not None:
        # At a sunny vertex the mover has lost, as at a vertex of value 0. At a loony vertex the mover wins.
        values = np.where(values == SUNNY, 0, values)
    if use_compiled(_size(graph), engine):
        moves = np.empty_like(values)
        kernels.remoteness_pass(rows.pointers, rows.indices, order, values, moves)
        return moves
    return _plain_remoteness(rows, values, order)


def birthday(graph: GameGraph, order: np.ndarray, *, engine: Engine = "auto") -> np.ndarray:
    """Return the length of each vertex's longest play; for a sum the total of its parts, if no decided part ends play.

    ``order`` is that of :func:`grundy_values` or :func:`ending_values`. The entries of vertices that are not in
    ``order`` mean nothing. Raise a LimitError if a length is 2**63 or more.
    """
    rows, sums = graph.predecessor_rows, graph.sums
    if graph.decided is None and use_compiled(_size(graph), engine):
        longest = np.zeros(len(graph.labels), np.int64)
        fits = kernels.birthday_pass(rows.pointers, rows.indices, order, sums, longest)
    else:
        plain = _plain_birthday(rows, order, sums) if graph.decided is None else _birthday_until_decided(graph, order)
        fits = max(plain, default=0) < 2**63
        longest = np.array(plain if fits else [], np.int64)
    if not fits:
        raise errors.LimitError(
            "the longest play of some sum has 2**63 moves or more, but a birthday is stored as a 64-bit integer"
        )
    return longest


def compiled_grundy(
    predecessors: Rows,
    out_degree: np.ndarray,
    sums: np.ndarray | None,
    terminal: int,
    step: int = MAX_VERTICES,
    progress: Callable[[int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return what :func:`ending_values` returns for a graph without decided positions, by compiled loops.

    ``sums`` is true for each sum vertex; it is None if there are none. The rows may be memory-mapped files.
    ``progress`` is called with the number of solved vertices, after every ``step`` of them and at the end.
    The memory is 24 bytes a vertex, including the result; for large out-degrees see :func:`grundy_values`.
    """
    vertices = len(out_degree)
    wide_start = np.empty(0, np.int64)
    wide = np.zeros(kernels.wide_words(out_degree, wide_start), np.int64)
    if len(wide):
        wide_start = np.empty(vertices, np.int64)
        kernels.wide_words(out_degree, wide_start)
    state, order = np.zeros((vertices, 2), np.int64), np.empty(vertices, np.int32)
    work = kernels.Pass(*predecessors, out_degree, sums, terminal, state, wide, wide_start, order)
    ready, solved = kernels.grundy_start(out_degree, sums, state, order), 0
    while solved < ready:
        until = solved + step
        ready = kernels.grundy_pass(work, solved, ready, until)
        solved = min(ready, until)
        if progress is not None:
            progress(solved)
    values = state[:, 0].astype(np.int32)
    if solved < vertices:
        # For an unsolved vertex, ``values`` has a count of options in place of a value: replace it by 0. Delete
        # ``state``, which is large, before memory for the mask is allocated.
        del work, state
        unsolved = np.ones(vertices, np.bool_)
        unsolved[order[:solved]] = False
        values[unsolved] = 0
    return values, order[:solved]


def plain_grundy(
    predecessors: Rows, out_degree: np.ndarray, sums: np.ndarray | None, terminal: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return what :func:`compiled_grundy` returns for these arguments, in plain Python: the rows become lists."""
    indices = predecessors.indices.tolist()
    rows = [indices[begin:end] for begin, end in pairwise(predecessors.pointers.tolist())]
    is_sum = bytes(len(rows)) if sums is None else sums.tobytes()
    values, order = plain_pass(rows, out_degree.tolist(), is_sum, terminal)
    return np.array(values, np.int32), np.array(order, np.int32)


def _plain_remoteness(predecessors: Rows, values: np.ndarray, order: np.ndarray) -> np.ndarray:
    pointers, indices = predecessors.pointers.tolist(), predecessors.indices.tolist()
    is_p = (values == 0).tolist()
    moves = [0] * len(is_p)
    for v in order.tolist():
        for p in indices[pointers[v] : pointers[v + 1]]:
            if is_p[p]:
                moves[p] = max(moves[p], moves[v] + 1)
            elif is_p[v]:
                # 0 means that p has no length yet, as a win takes at least one move.
                moves[p] = min(moves[p] or moves[v] + 1, moves[v] + 1)
    return np.array(moves, np.int32)


def _plain_birthday(predecessors: Rows, order: np.ndarray, sums: np.ndarray | None) -> list[int]:
    pointers, indices = predecessors.pointers.tolist(), predecessors.indices.tolist()
    longest = [0] * (len(pointers) - 1)
    is_sum = [False] * len(longest) if sums is None else sums.tolist()
    for v in order.tolist():
        for p in indices[pointers[v] : pointers[v + 1]]:
            longest[p] = longest[p] + longest[v] if is_sum[p] else max(longest[p], longest[v] + 1)
    return longest


def _birthday_until_decided(graph: GameGraph, order: np.ndarray) -> list[int]:
    """Return :func:`birthday` of a graph with decided positions, where a sum ends as soon as one part is decided.

    In ``order``, options come before the vertices that lead to them.
    """
    assert graph.decided is not None
    pointers, indices = graph.option_rows.pointers.tolist(), graph.option_rows.indices.tolist()
    decided = graph.decided.tolist()
    is_sum = [False] * len(decided) if graph.sums is None else graph.sums.tolist()
    # For each vertex the longest play that does not reach a decided position, and the longest that does; -1 if there
    # is none. In a sum at most one part is played to a decided position, and the others are not.
    undecided_play, decided_play = [0] * len(decided), [-1] * len(decided)
    for v in order.tolist():
        options = indices[pointers[v] : pointers[v + 1]]
        if decided[v]:
            undecided_play[v], decided_play[v] = -1, 0
        elif is_sum[v]:
            parts = [undecided_play[part] for part in options]
            if min(parts, default=0) < 0:  # a part is decided, so play is over
                undecided_play[v], decided_play[v] = -1, 0
            else:
                undecided_play[v] = sum(parts)
                gains = [decided_play[part] - undecided_play[part] for part in options if decided_play[part] >= 0]
                decided_play[v] = undecided_play[v] + max(gains) if gains else -1
        else:
            lengths = [undecided_play[option] for option in options if undecided_play[option] >= 0]
            undecided_play[v] = 1 + max(lengths, default=-1)
            lengths = [decided_play[option] for option in options if decided_play[option] >= 0]
            decided_play[v] = 1 + max(lengths, default=-2)
    return [*map(max, undecided_play, decided_play)]


def _size(graph: GameGraph) -> int:
    return len(graph.predecessor_rows.indices) + len(graph.labels)
