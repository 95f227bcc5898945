"""Checks of graphs in which positions end play at once: which vertices are sunny or loony, and the graph of the others.

A decided position is sunny or loony as the graph says. By definition a position with a sunny option is loony; a sum
with a sunny part is sunny, another one with a loony part is loony. Moves to and from these vertices are left out of the
graph whose rows :mod:`graphgame.labs.verification.verification` checks: there the theorem of Sprague and Grundy holds.

Nothing here is shared with the solver.
"""

from __future__ import annotations

import numpy as np

from graphgame.errors import Message
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.verification.justification import Claims, blocks, position_text, why_length, wrong_lengths
from graphgame.solution.results import Decisive

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
