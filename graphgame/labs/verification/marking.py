"""Compute values, outcomes and remoteness from the terminal positions up, without the solver.

If a row of a file is wrong, :mod:`.verification` compares all rows with these true values, to list every error. This
module also finds the positions that end play at once, and those from which a move ends play at once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.errors import Message
from graphgame.graph import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.verification.justification import (
    Claims,
    position_text,
    sum_mask,
    why_length,
    why_unjustified,
    worked_out,
    wrong_lengths,
)
from graphgame.solution.results import Decisive


def true_claims(graph: GameGraph, order: np.ndarray, terminal: int) -> Claims:
    """Return the value, outcome and remoteness of every vertex of an acyclic graph.

    Parameters
    ----------
    graph : GameGraph
    order : ndarray
        The vertices, each after all its options; see :func:`graphgame.labs.backend.play_order.play_order`.
    terminal : {0, 1}
        The value of a terminal position: 0 under normal play, 1 under misère play.

    Examples
    --------
    >>> true_claims(GameGraph([("a", "b"), ("a", "c"), ("b", "c")]), np.array([2, 1, 0]), 0).grundy.tolist()
    [2, 1, 0]
    """
    truth = Claims.nothing(0, terminal)
    grundy, remoteness = worked_out(graph, truth, order)
    return truth._replace(grundy=grundy, outcome=np.where(grundy == 0, "P", "N"), remoteness=remoteness)


def wrong_vertices(claims: Claims, truth: Claims, order: np.ndarray, *, remoteness: bool) -> np.ndarray:
    """Return the numbers of the vertices whose claims differ from the true ones, in the given order.

    A vertex that has no claimed value or outcome is not wrong because of that. The remoteness is compared only if
    ``remoteness`` is true.
    """
    wrong = (claims.grundy != -1) & (claims.grundy != truth.grundy)
    wrong |= (claims.outcome != "") & (claims.outcome != truth.outcome)
    if remoteness:
        wrong |= claims.remoteness != truth.remoteness
    marked: np.ndarray = order[wrong[order]]
    return marked


def why_wrong(graph: GameGraph, claims: Claims, truth: Claims, vertices: np.ndarray) -> Iterator[tuple[int, str]]:
    """Yield (vertex, reason) for each of these wrong vertices. The reasons use the true values of the options."""
    for vertex in vertices.tolist():
        value = int(claims.grundy[vertex])
        if value < -1:
            yield vertex, Message("the value is infinite, but play from this position must end")
        elif value == -1:
            yield (
                vertex,
                Message(
                    "the outcome {outcome} is wrong: {reason}",
                    claims.outcome[vertex],
                    _why_outcome(graph, truth, vertex),
                ),
            )
        else:
            # Combine the claim about this vertex with the truth about all others, so that no wrong claim about another
            # vertex becomes the reason.
            only_this = truth._replace(
                grundy=truth.grundy.copy(), remoteness=truth.remoteness.copy(), outcome=claims.outcome
            )
            only_this.grundy[vertex], only_this.remoteness[vertex] = value, claims.remoteness[vertex]
            yield vertex, why_unjustified(graph, only_this, vertex)


def _why_outcome(graph: GameGraph, truth: Claims, vertex: int) -> str:
    row = graph.option_rows.row(vertex)
    if graph.sums is not None and graph.sums[vertex]:
        return Message("the xor of the parts' values is {total}", truth.grundy[vertex])
    if len(row) == 0:
        return Message("the position has no option, so it is {outcome}", truth.outcome[vertex])
    lost = row[truth.grundy[row] == 0]
    if len(lost):
        return Message("the option {option} is a P-position", position_text(graph, lost[0]))
    return Message("all options are N-positions")


_OF_CODE = {SUNNY: Decisive.SUNNY, LOONY: Decisive.LOONY}


def decisive_codes(graph: GameGraph) -> np.ndarray:
    """Return, for each vertex, -2 if it is sunny, -3 if it is loony, and 0 otherwise.

    The player who just moved to a sunny vertex has won at once. At a loony vertex the player to move wins at once, by
    a move to a sunny vertex, or because the other player has already lost. A sum is sunny if one of its parts is,
    otherwise loony if one of them is.

    Examples
    --------
    >>> decisive_codes(GameGraph.from_arrays([0, 1], [1, 2], 3, decided=np.array([0, 0, -2])))
    array([ 0, -3, -2], dtype=int8)
    """
    assert graph.decided is not None
    owner, option = graph.option_rows.owners(), graph.option_rows.indices
    codes = graph.decided
    # Apply the definition until no code changes. Codes change only from 0 to loony or sunny, or from loony to sunny (at
    # a sum), so this ends.
    while True:
        sunny, loony = (np.bincount(owner[codes[option] == code], minlength=len(graph)) > 0 for code in (SUNNY, LOONY))
        of_sum = np.where(sunny, SUNNY, np.where(loony, LOONY, 0))
        changed = np.where(sum_mask(graph), of_sum, np.where(sunny, LOONY, graph.decided)).astype(np.int8)
        if (changed == codes).all():
            return changed
        codes = changed


def decisive_faults(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> list[tuple[int, str]]:
    """Return (vertex, reason) for each vertex whose claim contradicts whether it is sunny, loony or neither.

    ``decisive`` holds the codes from :func:`decisive_codes`.
    """
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
    right, row = _OF_CODE.get(int(decisive[vertex])), graph.option_rows.row(vertex)
    if right is None:
        why = Message("no move from this position ends play at once")
    elif value in (None, right):
        outcome = claims.outcome[vertex]
        return Message("the outcome {outcome} is wrong: a {value} position is {right}", outcome, right, right.outcome)
    elif not len(row):
        why = Message("play is over at this position, so its value is {right}", right)
    else:
        end = row[np.argmax(decisive[row] == (SUNNY if SUNNY in decisive[row] else LOONY))]
        cause = _OF_CODE[int(decisive[end])]
        why = Message(
            "the value of the position is {right}, because the value of its option {option} is {cause}",
            right,
            position_text(graph, end),
            cause,
        )
    return Message("the value {value} is not justified: {reason}", value, why)


def going_on(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> tuple[GameGraph, Claims]:
    """Return the graph and the claims without the edges and the values of sunny and loony vertices.

    These vertices stay in the graph, but without edges, and with the value 0.
    """
    going = decisive == 0
    owner, option = graph.option_rows.owners(), graph.option_rows.indices
    kept = going[owner] & going[option]
    sums = None if graph.sums is None else graph.sums & going
    remaining = GameGraph.from_arrays(owner[kept], option[kept], graph.labels, sums=sums)
    grundy, outcome = np.where(going, claims.grundy, 0), np.where(going, claims.outcome, "")
    return remaining, claims._replace(grundy=grundy.astype(np.int32), outcome=outcome)


def length_fault(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> tuple[int, str] | None:
    """Return the first vertex whose remoteness is wrong, and why; None if all are right. All values must be right.

    A sunny vertex counts as a P-position, a loony one as an N-position.
    """
    grundy = np.where(decisive == SUNNY, 0, np.where(decisive == LOONY, 1, claims.grundy)).astype(np.int32)
    claims = claims._replace(grundy=grundy)
    wrong = np.flatnonzero(wrong_lengths(claims, worked_out(graph, claims).remoteness))
    return (int(wrong[0]), why_length(graph, claims, int(wrong[0]))) if len(wrong) else None
