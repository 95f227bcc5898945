"""Who wins each position, worked out from the ends of play without the solver."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.compiled.compiling import compiled, runner
from graphgame.errors import Message
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.verification.justification import (
    Claims,
    blocks,
    position_text,
    why_length,
    why_unjustified,
    wrong_lengths,
)
from graphgame.solution.results import Decisive


def true_claims(graph: GameGraph, order: np.ndarray, terminal: int) -> Claims:
    """Return the value, outcome and remoteness of every vertex of an acyclic graph.

    Parameters
    ----------
    graph : GameGraph
    order : ndarray
        The vertices in an order of play, see :func:`graphgame.graph.play_order.play_order`.
    terminal : {0, 1}
        The value of a position without options.

    Examples
    --------
    >>> true_claims(GameGraph([("a", "b"), ("a", "c"), ("b", "c")]), np.array([2, 1, 0]), 0).grundy.tolist()
    [2, 1, 0]
    """
    rows, size = graph.option_rows, len(graph)
    sums = np.zeros(size, np.bool_) if graph.sums is None else graph.sums
    found = Claims.nothing(size, terminal)
    seen = np.zeros(int(graph.out_degrees.max(initial=0)) + 1, np.int64)
    run = runner(_work_out, len(rows.indices) + size)
    run(order, rows.pointers, rows.indices, sums, seen, found.grundy, found.remoteness, terminal)
    return found._replace(outcome=np.where(found.grundy == 0, "P", "N"))


def wrong_vertices(claims: Claims, truth: Claims, order: np.ndarray, *, remoteness: bool) -> np.ndarray:
    """Return the vertices whose row is wrong, in an order of play."""
    wrong = (claims.grundy != -1) & (claims.grundy != truth.grundy)
    wrong |= (claims.outcome != "") & (claims.outcome != truth.outcome)
    if remoteness:
        wrong |= claims.remoteness != truth.remoteness
    marked: np.ndarray = order[wrong[order]]
    return marked


def why_wrong(graph: GameGraph, claims: Claims, truth: Claims, vertices: np.ndarray) -> Iterator[tuple[int, str]]:
    """Yield wrong vertices with the reason, given right values everywhere else."""
    for vertex in vertices.tolist():
        value = int(claims.grundy[vertex])
        if value < -1:
            yield vertex, Message("its value is infinite, but play must end there")
        elif value == -1:
            yield (
                vertex,
                Message("outcome {outcome}, but {why}", claims.outcome[vertex], _why_outcome(graph, truth, vertex)),
            )
        else:
            alone = truth._replace(
                grundy=truth.grundy.copy(), remoteness=truth.remoteness.copy(), outcome=claims.outcome
            )
            alone.grundy[vertex], alone.remoteness[vertex] = value, claims.remoteness[vertex]
            yield vertex, why_unjustified(graph, alone, vertex)


def _why_outcome(graph: GameGraph, truth: Claims, vertex: int) -> str:
    row = graph.option_rows.row(vertex)
    if graph.sums is not None and graph.sums[vertex]:
        return Message("the xor of its parts' values is {total}", truth.grundy[vertex])
    if len(row) == 0:
        return Message("it has no option, so it is {outcome}", truth.outcome[vertex])
    lost = row[truth.grundy[row] == 0]
    if len(lost):
        return Message("its option {option} is a P-position", position_text(graph, lost[0]))
    return Message("all its options are N-positions")


@compiled
def _work_out(
    order: np.ndarray,
    pointers: np.ndarray,
    options: np.ndarray,
    sums: np.ndarray,
    seen: np.ndarray,
    grundy: np.ndarray,
    remoteness: np.ndarray,
    terminal: int,
) -> int:
    """Fill in the value and the remoteness of every vertex; return how many there are."""
    for k in range(len(order)):
        v = order[k]
        start, end = pointers[v], pointers[v + 1]
        value, length = 0, 0
        if sums[v]:
            for e in range(start, end):
                value ^= grundy[options[e]]
        elif start == end:
            value = terminal
        else:
            for e in range(start, end):
                if grundy[options[e]] < len(seen):
                    seen[grundy[options[e]]] = k + 1
            while value < len(seen) and seen[value] == k + 1:
                value += 1
            # The winner takes the shortest way to a P-position, the loser the longest way of all.
            length = -1
            for e in range(start, end):
                other = remoteness[options[e]] + 1
                if value == 0:
                    length = max(length, other)
                elif grundy[options[e]] == 0 and (length < 0 or other < length):
                    length = other
        grundy[v] = value
        remoteness[v] = length
    return len(order)


_OF_CODE = {SUNNY: Decisive.SUNNY, LOONY: Decisive.LOONY}


def decisive_codes(graph: GameGraph) -> np.ndarray:
    """Return -2 for each sunny vertex, -3 for each loony one, and 0 for the others: the definition, until it holds.

    Examples
    --------
    >>> decisive_codes(GameGraph.from_arrays([0, 1], [1, 2], 3, decided=np.array([0, 0, -2])))
    array([ 0, -3, -2], dtype=int8)
    """
    assert graph.decided is not None
    owner, option = graph.option_rows.owners(), graph.option_rows.indices
    is_sum = np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums
    codes = graph.decided
    while True:
        sunny, loony = (np.bincount(owner[codes[option] == code], minlength=len(graph)) > 0 for code in (SUNNY, LOONY))
        of_sum = np.where(sunny, SUNNY, np.where(loony, LOONY, 0))
        found = np.where(is_sum, of_sum, np.where(sunny, LOONY, graph.decided)).astype(np.int8)
        if (found == codes).all():
            return found
        codes = found


def decisive_faults(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> list[tuple[int, str]]:
    """Return the vertices whose row says wrongly whether they are sunny or loony, and why."""
    codes = {code: claims.codes.encode(value) for code, value in _OF_CODE.items()}
    wanted, outcome = np.zeros(len(graph), np.int64), np.full(len(graph), "", "<U1")
    for code, kind in _OF_CODE.items():
        wanted[decisive == code], outcome[decisive == code] = codes[code], kind.outcome
    other = np.where(decisive != 0, claims.grundy != wanted, np.isin(claims.grundy, list(codes.values())))
    wrong = other & (claims.grundy != -1)
    wrong |= (decisive != 0) & (claims.outcome != "") & (claims.outcome != outcome)
    return [(vertex, _why(graph, claims, decisive, vertex)) for vertex in np.flatnonzero(wrong).tolist()]


def _why(graph: GameGraph, claims: Claims, decisive: np.ndarray, vertex: int) -> Message:
    code = int(claims.grundy[vertex])
    value = None if code == -1 else claims.codes.decode([code])[0]
    if not decisive[vertex]:
        return Message("value {value}, but no move ends play there", value=value)
    right = _OF_CODE[int(decisive[vertex])]
    if value in (None, right):
        found = str(claims.outcome[vertex])
        return Message(
            "outcome {outcome}, but a {value} position is {right}", outcome=found, value=right, right=right.outcome
        )
    row = graph.option_rows.row(vertex)
    if not len(row):
        return Message("value {value}, but play is over there: it is {right}", value=value, right=right)
    ends = row[decisive[row] == (SUNNY if SUNNY in decisive[row] else LOONY)]
    cause = _OF_CODE[int(decisive[ends[0]])]
    return Message(
        "value {value}, but it is {right}, for {name} is {cause}",
        value=value,
        right=right,
        name=position_text(graph, int(ends[0])),
        cause=cause,
    )


def going_on(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> tuple[GameGraph, Claims]:
    """Return the graph and the claims without what is sunny or loony: such vertices are left as ends of value 0."""
    owner, option = graph.option_rows.owners(), graph.option_rows.indices
    kept = (decisive[owner] == 0) & (decisive[option] == 0)
    sums = None if graph.sums is None else graph.sums & (decisive == 0)
    rest = GameGraph.from_arrays(owner[kept], option[kept], graph.labels, sums=sums)
    known = decisive == 0
    grundy, outcome = np.where(known, claims.grundy, 0), np.where(known, claims.outcome, "")
    return rest, claims._replace(grundy=grundy.astype(np.int32), outcome=outcome)


def length_fault(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> tuple[int, str] | None:
    """Return the first position whose remoteness is wrong, given that all values are right, and why."""
    grundy = np.where(decisive == SUNNY, 0, np.where(decisive == LOONY, 1, claims.grundy)).astype(np.int32)
    claims = claims._replace(grundy=grundy)
    for block in blocks(graph.option_rows, np.arange(len(graph))):
        wrong = np.flatnonzero(wrong_lengths(claims, block))
        if len(wrong):
            vertex = int(block.vertices[wrong[0]])
            return vertex, why_length(graph, claims, vertex)
    return None
