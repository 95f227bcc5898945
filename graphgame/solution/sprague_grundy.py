"""The pass: values over the reverse edges, from the terminal positions back.

Start from the vertices of out-degree 0. A solved vertex hands its value to its predecessors and lowers their counts;
a vertex whose count reaches 0 has seen all its options, takes its value and joins the queue. Vertices never reached
lie on a cycle or can lead into one. Each pass has a compiled twin in :mod:`graphgame.graph.kernels`.

A decided position ends play in the whole sum at once. So two kinds of positions have no Grundy value:

- *sunny*: the player who just moved has won, whatever lies beside it;
- *loony*: the mover wins the whole sum at once, by a move to a sunny position, or has won already.

A sum with a sunny part is sunny, any other with a loony part is loony. A move to a loony position loses every sum, so
the value of a position is the mex of the values of its other options; a player who has only such moves is as lost as
one who has none. So the pass leaves out these vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from graphgame import errors
from graphgame.compiled.engine import use_compiled
from graphgame.graph import kernels
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.rows import MAX_VERTICES, Rows
from graphgame.solution.plain import plain_pass

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph


def mex(values: Iterable[int]) -> int:
    """Return the least non-negative integer that is not among the values.

    Raises
    ------
    ParameterError
        A value is no integer from 0 on.

    Examples
    --------
    >>> mex([0, 1, 2, 4]), mex([2, 3, 5]), mex([])
    (3, 0, 0)
    """
    seen = set(values)
    for value in seen:
        if not isinstance(value, (int, np.integer)) or value < 0:
            raise errors.ParameterError(
                "invalid value {value!r}: expected integers from 0 on, as in mex([0, 1, 3])", value
            )
    least = 0
    while least in seen:
        least += 1
    return least


def grundy_values(graph: GameGraph, *, terminal: int = 0, engine: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """Solve every vertex of a graph; where play need not end, a CycleError carries one cycle.

    ``terminal`` is the value of a position without options: 0 in normal play; 1 gives the values of misère play.
    Returned are the values, the mex of the options' for a position and the xor of the parts' for a sum, and the
    vertices in the order in which they were solved: options before those who move to them.

    O(n + m) time. Compiled, 20 bytes a vertex beyond the result and one bit an edge for vertices of
    out-degree 64 and more.

    References
    ----------
    R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41 (1935); P. M. Grundy, Mathematics and
    games, Eureka 2 (1939).
    """
    values, order = ending_values(graph, terminal=terminal, engine=engine)
    if len(order) < len(values):
        raise errors.CycleError(_find_cycle(graph, order))
    return values, order


def row_values(
    predecessors: Rows,
    out_degree: np.ndarray,
    compiled: bool,
    step: int = MAX_VERTICES,
    progress: Callable[[int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve the positions of rows of predecessors, which may be mapped files; as :func:`ending_values`.

    The plain form takes the rows into memory. ``progress`` is told after each step how many vertices are solved.

    Compiled: 28 bytes a vertex, the result included, and for each vertex of out-degree 64 and more one bit an edge; if
    there is one such, 8 bytes a vertex more. The rows are read in the order in which vertices are solved.
    """
    if compiled:
        return _compiled_grundy(predecessors, out_degree, None, 0, step, progress)
    return _plain_grundy(predecessors, out_degree, None, 0)


def ending_values(graph: GameGraph, *, terminal: int = 0, engine: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """Solve the vertices from which play must end; as :func:`grundy_values`, with ``order`` for these alone.

    Where positions are decided, the values of sunny and loony vertices are their codes.
    """
    run = _compiled_grundy if use_compiled(_size(graph), engine) else _plain_grundy
    values, order = run(graph.predecessor_rows, graph.out_degrees, graph.sums, terminal)
    if (decisive := decisive_values(graph)) is not None:
        rest = without_decisive(graph, decisive)
        values, _ = run(rest.predecessor_rows, rest.out_degrees, rest.sums, terminal)
        values = np.where(decisive, decisive, values)
    return values, order


def decisive_values(graph: GameGraph) -> np.ndarray | None:
    """Return the code of each sunny and loony vertex, 0 for the others; None where no position is decided.

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
    """Give a code to the sums that have a part of this code, unless they have one."""
    found = np.flatnonzero(values == code) if graph.sums is not None else np.zeros(0, np.int64)
    while len(found):
        owners = np.unique(graph.predecessor_rows.gather(found)[1])
        found = owners[graph.sums[owners] & (values[owners] == 0)]  # type: ignore[index]
        values[found] = code


def without_decisive(graph: GameGraph, values: np.ndarray) -> GameGraph:
    """Return the graph without the moves from and to sunny and loony vertices: the other values are those of it."""
    rows = graph.option_rows
    source = rows.owners()
    kept = (values[source] == 0) & (values[rows.indices] == 0)
    sums = None if graph.sums is None else graph.sums & (values == 0)
    return type(graph).from_arrays(source[kept], rows.indices[kept], len(values), sums=sums, overwrite=True)


def remoteness(graph: GameGraph, values: np.ndarray, order: np.ndarray, *, engine: str = "auto") -> np.ndarray:
    """Return how many moves play lasts when the winner hurries and the loser delays.

    There are no sum vertices, for how long a sum lasts does not follow from its parts.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 9 (remoteness).
    """
    rows = graph.predecessor_rows
    if graph.decided is not None:
        values = np.where(values == SUNNY, 0, values)  # lost for the mover, as 0 is; a loony vertex is won
    if use_compiled(_size(graph), engine):
        moves = np.empty_like(values)
        kernels.remoteness_pass(rows.pointers, rows.indices, order, values, moves)
        return moves
    return _plain_remoteness(rows, values, order)


def birthday(graph: GameGraph, order: np.ndarray, *, engine: str = "auto") -> np.ndarray:
    """Return the length of the longest play from every vertex; a sum lasts as long as its parts together."""
    rows, sums = graph.predecessor_rows, graph.sums
    if graph.decided is not None:
        fits, longest = True, _birthday_until_decided(graph, order)
    elif use_compiled(_size(graph), engine):
        longest = np.zeros(len(graph.labels), np.int64)
        fits = kernels.birthday_pass(rows.pointers, rows.indices, order, sums, longest)
    else:
        longest, fits = _plain_birthday(rows, order, sums)
    if not fits:
        raise errors.LimitError(
            "the longest play of some sum has 2**63 moves or more: birthdays are kept as 64-bit integers"
        )
    return longest


def _compiled_grundy(
    predecessors: Rows,
    out_degree: np.ndarray,
    sums: np.ndarray | None,
    terminal: int,
    step: int = MAX_VERTICES,
    progress: Callable[[int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve in steps of so many vertices; ``progress`` is told after each how many are solved."""
    vertices = len(out_degree)
    wide_start = np.empty(0, np.int64)
    wide = np.zeros(kernels.wide_words(out_degree, wide_start), np.int64)
    if len(wide):
        wide_start = np.empty(vertices, np.int64)
        kernels.wide_words(out_degree, wide_start)
    state, order = np.zeros((vertices, 2), np.int64), np.empty(vertices, np.int32)
    work = kernels.Pass(*predecessors, out_degree, sums, terminal, state, wide, wide_start, order)
    found, solved = kernels.grundy_start(out_degree, sums, state, order), 0
    while solved < found:
        until = solved + step
        found = kernels.grundy_pass(work, solved, found, until)
        solved = min(found, until)
        if progress is not None:
            progress(solved)
    if solved == vertices:
        return state[:, 0].astype(np.int32), order
    ending, values = order[:solved], np.zeros(vertices, np.int32)
    values[ending] = state[ending, 0]  # the others still have their counts there
    return values, ending


def _plain_grundy(
    predecessors: Rows, out_degree: np.ndarray, sums: np.ndarray | None, terminal: int
) -> tuple[np.ndarray, np.ndarray]:
    indices = predecessors.indices.tolist()
    rows = [indices[begin:end] for begin, end in pairwise(predecessors.pointers.tolist())]
    is_sum = bytes(len(rows)) if sums is None else sums.tobytes()
    values, order = plain_pass(rows, out_degree.tolist(), is_sum, terminal)
    return np.array(values, np.int32), np.array(order, np.int32)


def _plain_remoteness(predecessors: Rows, values: np.ndarray, order: np.ndarray) -> np.ndarray:
    pointers, indices = predecessors.pointers.tolist(), predecessors.indices.tolist()
    lost = (values == 0).tolist()
    moves = [0] * len(lost)
    for v in order.tolist():
        for p in indices[pointers[v] : pointers[v + 1]]:
            if lost[p]:
                moves[p] = max(moves[p], moves[v] + 1)
            elif lost[v]:
                moves[p] = min(moves[p] or moves[v] + 1, moves[v] + 1)  # 0 is no length yet: a win takes a move
    return np.array(moves, np.int32)


def _plain_birthday(predecessors: Rows, order: np.ndarray, sums: np.ndarray | None) -> tuple[np.ndarray, bool]:
    pointers, indices = predecessors.pointers.tolist(), predecessors.indices.tolist()
    longest = [0] * (len(pointers) - 1)
    is_sum = [False] * len(longest) if sums is None else sums.tolist()
    for v in order.tolist():
        for p in indices[pointers[v] : pointers[v + 1]]:
            longest[p] = longest[p] + longest[v] if is_sum[p] else max(longest[p], longest[v] + 1)
    fits = max(longest, default=0) < 2**63
    return np.array(longest if fits else [], np.int64), fits


def _birthday_until_decided(graph: GameGraph, order: np.ndarray) -> np.ndarray:
    """Return the same where positions are decided: a sum lasts until one part of it is.

    Of each vertex two lengths are known: of the longest play without a decided end, and of one with such an end (-1:
    there is none). In a sum all parts but one are played without.
    """
    assert graph.decided is not None
    pointers, indices = graph.option_rows.pointers.tolist(), graph.option_rows.indices.tolist()
    decided = graph.decided.tolist()
    is_sum = [False] * len(decided) if graph.sums is None else graph.sums.tolist()
    going_on, ended = [0] * len(decided), [-1] * len(decided)
    for v in order.tolist():
        options = indices[pointers[v] : pointers[v + 1]]
        if decided[v]:
            going_on[v], ended[v] = -1, 0
        elif is_sum[v]:
            parts = [going_on[part] for part in options]
            open_ = [length for length in parts if length >= 0]
            total = sum(open_)
            going_on[v] = total if len(open_) == len(parts) else -1
            if len(open_) == len(parts):
                gains = [ended[part] - going_on[part] for part in options if ended[part] >= 0]
                ended[v] = total + max(gains) if gains else -1
            else:
                ended[v] = 0  # a part is decided already
        else:
            going_on[v] = max((going_on[option] + 1 for option in options if going_on[option] >= 0), default=0)
            ended[v] = max((ended[option] + 1 for option in options if ended[option] >= 0), default=-1)
    return np.maximum(going_on, ended)


def _find_cycle(graph: GameGraph, solved: np.ndarray) -> list[object]:
    """Walk from an unsolved vertex to unsolved options until one comes twice."""
    unsolved = np.ones(len(graph.labels), np.bool_)
    unsolved[solved] = False
    vertex = int(np.argmax(unsolved))
    path: list[int] = []
    place: dict[int, int] = {}
    while vertex not in place:  # an unsolved vertex has an unsolved option, or it would have been solved
        place[vertex] = len(path)
        path.append(vertex)
        options = graph.option_rows.row(vertex)
        vertex = int(options[np.argmax(unsolved[options])])
    return list(graph.labels.take(np.array(path[place[vertex] :])))


def _size(graph: GameGraph) -> int:
    return len(graph.predecessor_rows.indices) + len(graph.labels)
