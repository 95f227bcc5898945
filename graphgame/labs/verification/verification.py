"""Check that values are right without solving the game: the rows of a values file prove each other.

The theorem
-----------
Each row claims "vertex v has value k", for some or all vertices of an acyclic graph. Write t for the value of a
terminal position: 0 under normal play, 1 under misère play. A row is *justified* in these cases:

- v is a position with options. For every i < k, some option of v has a row with value i. And no option u of v has the
  value k, because u has a row with another value, or u has an option with a row of value k, or u is terminal and t is
  not k.
- v is a terminal position, and k = t.
- v is a sum. The parts that occur in it an odd number of times have rows, and the xor of their values is k.

If every row is justified, every row is right. The proof is by induction on the length of the longest play from v. The
rows below v are right. A vertex with an option of value k does not have the value k itself. So no option of v has the
value k, every smaller value occurs among the options, and the mex is k. For a sum, use the Sprague-Grundy theorem.

So checking rows for all vertices takes one look at each edge. A few rows can be enough to prove who wins the sum of the
tokens. Pairs of equal tokens cancel. If all remaining tokens have rows and the xor of their values is 0, the second
player wins. If some move leads to such a sum, the first player wins. For one token this is the classic certificate: a
set of P-positions such that every move out of the set can be answered by a move back into it. Under misère play
a move to a terminal position needs no answer.

An outcome without a value proves nothing by itself. It is compared with the outcome that :func:`true_claims` computes,
from the terminal positions up. If a row is wrong, all rows are compared with the computed values, to find every error.

Sunny and loony positions are checked first: if any claim about them is wrong, nothing else is checked.

No code here is shared with the solver, except graphs and the definitions of values, outcomes and sums of values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any

import numpy as np

from graphgame.errors import (
    CycleError,
    Message,
    ParameterError,
    UnknownPositionError,
    checks_parameters,
    joined,
    wrong_value,
)
from graphgame.errors.of_networkx import advising_loopy
from graphgame.graph import LOONY, SUNNY, Displayed
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import Labels, are_integers
from graphgame.graph.rows import marked
from graphgame.io.values import Values
from graphgame.labs.backend.play_order import play_order
from graphgame.labs.verification.justification import (
    LARGEST_INT32,
    Claims,
    position_text,
    sum_mask,
    unjustified,
    why_unjustified,
    worked_out,
)
from graphgame.labs.verification.loopy_justification import loopy_fault, refuse_sums_on_cycles, wrong_length
from graphgame.solution.results import Decisive, Loopy, Value, outcome_of, refuse_misere_end

_MOST_LISTED = 20
"""The maximum number of wrong positions that are listed."""

_GOES_ON = Message("this position is not decided, and no move from it wins at once")


@dataclass(frozen=True)
class Verification:
    """The result of :func:`verify`.

    Attributes
    ----------
    passed : bool
        Whether everything is right. This is also the truth value of the object.
    rows : int
        The number of positions with a value or, if there are only outcomes, with an outcome.
    complete : bool
        True if ``rows`` counts all positions; otherwise the values are a certificate for the tokens alone.
    position : hashable or None
        The first position of ``faults``; None if there are no faults.
    reason : str or None
        What is wrong with that position.
    faults : tuple of (position, reason)
        The first 20 positions whose value is wrong, missing or not justified. If a claim about a sunny or loony
        position is wrong, or a position is wrongly claimed to be one, only such positions are listed, in the order of
        the graph. In a graph without cycles, other wrong values are listed after the wrong values of their options.
        Missing values are listed, in the order of the graph, only if no value is wrong. If there are tokens,
        only missing values of tokens are listed.
    wrong : int
        The number of all such positions, not only the first 20. It is 1 if the check stops at the first wrong value, as
        it does in a graph with cycles.
    winner : {"first", "second", "draw"} or None
        Who wins the sum of the tokens; None if there are no tokens, or if the values do not prove it.
    columns : tuple of str
        The columns that were checked: ``grundy``, perhaps with ``outcome`` or ``remoteness`` or both; or ``outcome``.
    misere : bool
        Whether the values are of misère play.
    """

    passed: bool
    rows: int
    complete: bool
    position: Hashable = None
    reason: str | None = None
    winner: str | None = None
    columns: tuple[str, ...] = ("grundy",)
    misere: bool = False
    faults: tuple[tuple[Hashable, str], ...] = ()
    wrong: int = 0

    def __bool__(self) -> bool:
        return self.passed


@checks_parameters
@advising_loopy()
def verify(
    game: GameLike,
    values: Mapping[Any, Any] | Displayed,
    *,
    misere: bool | None = None,
    tokens: Iterable[Hashable] | None = None,
    loopy: bool = False,
) -> Verification:
    """Check the values of positions by code independent of the solver.

    Parameters
    ----------
    game : GameLike
    values : mapping
        A map from positions to Grundy values. An infinite value is a ``Loopy`` of :mod:`graphgame.solution.results`,
        the value of a sunny or loony position a ``Decisive``. Or the result of :func:`graphgame.read_values`: its
        outcomes and remoteness are checked too. Or a :class:`Solution`: only its values are checked. Values for only
        some positions are a certificate for the tokens: see :mod:`graphgame.labs.verification.verification`. A key that
        is not a vertex stands for the only vertex whose text, by :class:`str`, is the same.
    misere : bool, optional
        Whether the values are of misère play. The default is the attribute ``misere`` of ``values``, if there is one,
        otherwise normal play.
    tokens : iterable of hashable, optional
        The components of the sum; the default is the graph's tokens.
    loopy : bool
        Check the values of a graph with cycles: see :mod:`graphgame.labs.verification.loopy_justification`.

    Returns
    -------
    Verification
        Its truth value is True if everything is right. Otherwise it lists the wrong positions with reasons.

    Raises
    ------
    CycleError
        The graph has a cycle, and ``loopy`` is False.
    UnknownPositionError
        A token, or a position with a value, is not a vertex of the graph.
    TypeError, TokenError
        See :meth:`GameGraph.checked_tokens`.
    ParameterError
        A value is neither an integer in 0..2**31-1 nor a ``Loopy`` or ``Decisive``. Or two values are for the same
        vertex. Or there are only outcomes, and the graph has a cycle. Or a position that is neither sunny nor loony has
        an outcome without a value, and the graph has a cycle. Or the values belong to the other play convention. Or,
        under misère play, the graph has decided positions or sum vertices, or the values are a certificate for several
        tokens. Or a sum vertex lies on a cycle.

    Notes
    -----
    If all positions have values and the graph has no cycle, the time is O(n + m) for n vertices and m edges. The memory
    is 36 bytes for each vertex, and blocks of a fixed size for the edges. The remoteness is checked if all positions
    have values and the graph has no sum vertices: the length of a sum does not follow from its parts.

    Examples
    --------
    >>> graph = GameGraph([("a", "b"), ("a", "c"), ("b", "c")])
    >>> bool(verify(graph, {"a": 2, "b": 1, "c": 0}))
    True
    >>> report = verify(graph, {"a": 0, "b": 1, "c": 0})
    >>> print(report.position, report.reason, sep=": ")
    a: the value 0 is not justified: the option 'c' has the same value; the mex of the options' values {0, 1} is 2
    >>> verify(graph, {"c": 0}, tokens=["a"]).winner  # enough to know, for one token
    'first'
    """
    graph = GameGraph.of(game)
    is_misere = _is_misere(values, misere)
    rows = values if isinstance(values, Mapping) else getattr(values, "grundy", None)
    if not isinstance(rows, Mapping):
        raise wrong_value("values", values, Message("a solution, or a mapping from positions to values"))
    refuse_misere_end(is_misere, graph.decided is not None)
    if is_misere and graph.sums is not None:
        raise ParameterError(
            "misère values do not combine by xor, so a graph with sum vertices cannot be checked edge by edge: check "
            "the graph of the whole sum (--product)"
        )
    claims = _claims(graph, rows, int(is_misere))
    labels = graph.checked_tokens(tokens)
    components = None if labels is None else list(map(graph.number_of, labels))
    has_claim = claims.grundy != -1
    if only_outcomes := not has_claim.any() and bool((claims.outcome != "").any()):
        has_claim = claims.outcome != ""
    count = int(has_claim.sum())
    complete = count == len(graph)
    columns = ("outcome",) if only_outcomes else _columns(graph, claims, complete)

    def failed(faults: Iterable[tuple[int, str]], wrong: int) -> Verification:
        listed = tuple((graph.labels[vertex], why) for vertex, why in faults)
        return Verification(False, count, complete, *listed[0], None, columns, is_misere, listed, wrong)

    wants_remoteness, whole, every_claim, decisive = "remoteness" in columns, graph, claims, None
    if graph.decided is not None:
        decisive = decisive_codes(graph)
        if wrong_ends := decisive_faults(graph, claims, decisive):
            return failed(wrong_ends[:_MOST_LISTED], len(wrong_ends))
        graph, claims = going_on(graph, claims, decisive)
    has_lone_outcome = only_outcomes or bool(((claims.outcome != "") & (claims.grundy == -1)).any())
    lengths_here = wants_remoteness and decisive is None
    try:
        order = play_order(graph)
    except CycleError:
        if not loopy:
            raise
        if has_lone_outcome:
            raise ParameterError(
                "the graph has a cycle, so outcomes alone cannot be checked: give the values"
            ) from None
        refuse_sums_on_cycles(graph)
        fault, decide = loopy_fault(graph, claims, remoteness=lengths_here), _loopy_winner
        if fault is not None:
            return failed([fault], 1)
    else:
        fault, decide = _first_fault(graph, claims, order, remoteness=lengths_here), _winner
        if fault is not None or has_lone_outcome:
            truth = true_claims(graph, order, claims.terminal)
            wrong = wrong_vertices(claims, truth, order, remoteness=lengths_here)
            if len(wrong):
                return failed(why_wrong(graph, claims, truth, wrong[:_MOST_LISTED]), len(wrong))
            claims = truth if only_outcomes else claims
        # All claimed values are right here. If a value is still unjustified, some options of its position have no
        # values. If there are tokens, report this fault. Without tokens every position needs a value, and the
        # positions without one are reported below.
        if fault is not None and components is not None:
            return failed([fault], 1)
    if wants_remoteness and decisive is not None and (fault := length_fault(whole, every_claim, decisive)) is not None:
        return failed([fault], 1)
    if components is not None and decisive is not None and decisive[components].any():
        winner: str | None = "second" if SUNNY in decisive[components] else "first"
        return Verification(True, count, complete, winner=winner, columns=columns, misere=is_misere)
    winner = None if components is None else decide(graph, claims, components, complete)
    if winner is None and not complete:
        candidates = sorted({*components}) if components else range(len(graph))
        missing = [v for v in candidates if claims.grundy[v] == -1 or not (has_claim[v] or components)]
        why = Message("the position has no outcome") if only_outcomes else Message("the position has no value")
        return failed(_faults_of_missing(missing, why, has_tokens=components is not None), len(missing))
    return Verification(True, count, complete, winner=winner, columns=columns, misere=is_misere)


def _faults_of_missing(missing: Sequence[int], why: str, *, has_tokens: bool) -> list[tuple[int, str]]:
    """Return pairs of a vertex and the reason ``why``, for the first 20 of the vertices in ``missing``.

    The first reason also says why values for only some positions are not enough; ``has_tokens`` says whether the graph
    has tokens.
    """
    fewer = (
        Message("the values of other positions do not prove who wins the sum of the tokens")
        if has_tokens
        else Message("if there are no tokens, all positions need values or outcomes")
    )
    first = joined([why, fewer])
    return [(missing[0], first), *((vertex, why) for vertex in missing[1:_MOST_LISTED])]


def _first_fault(graph: GameGraph, claims: Claims, order: np.ndarray, *, remoteness: bool) -> tuple[int, str] | None:
    """Return a vertex whose claims are not justified, and why; None if all claims are justified.

    ``order`` has all vertices, options first. The result is the first vertex in this order with an infinite or decisive
    value or, if no vertex has one, the first with an unjustified claim. ``remoteness`` says whether to check the
    claimed remoteness too.
    """
    infinite = order[claims.grundy[order] < -1]
    if len(infinite):
        return int(infinite[0]), _why_not_finite(claims, int(infinite[0]))
    wrong = unjustified(graph, claims, remoteness=remoteness)
    if not wrong.any():
        return None
    first = int(order[np.argmax(wrong[order])])
    return first, why_unjustified(graph, claims, first)


def _why_not_finite(claims: Claims, vertex: int) -> str:
    """Return why an infinite or decisive value of a vertex is wrong: play must end, and no move wins at once."""
    (value,) = claims.codes.decode([int(claims.grundy[vertex])])
    if isinstance(value, Decisive):
        return Message("the value {value} is not justified: {reason}", value, _GOES_ON)
    return Message("the value is infinite, but all play from this position ends")


def _is_misere(values: object, misere: bool | None) -> bool:
    own = getattr(values, "misere", None)
    if misere is None:
        return bool(own)
    if own not in (None, misere):
        raise ParameterError(
            "the values are marked as values of misère play, not of normal play"
            if own
            else "the values are marked as values of normal play, not of misère play"
        )
    return misere


def _claims(graph: GameGraph, values: Mapping[Any, Any], terminal: int) -> Claims:
    """Return the values as claims, indexed by vertex; ``terminal`` is the value of a terminal position.

    Raise ParameterError if two positions in ``values`` are the same vertex.
    """
    if isinstance(values, Values):
        by_row = Claims(values.grundy, values.outcome, values.remoteness, terminal, values.codes)
    else:
        by_row = Claims.nothing(len(values), terminal)
        by_row.grundy[:] = [by_row.codes.encode(_value(value, position)) for position, value in values.items()]
    numbers = _numbers(graph.labels, values)
    claims = Claims.nothing(len(graph), terminal)._replace(codes=by_row.codes)
    for column, of_rows in zip(claims[:3], by_row[:3], strict=True):
        column[numbers] = of_rows
    if int(marked(numbers, len(graph)).sum()) < len(numbers):
        repeated = int(np.argmax(np.bincount(numbers) > 1))
        raise ParameterError(
            "there are two entries for the position {position!r}: expected one for each position",
            graph.labels[repeated],
        )
    return claims


def _numbers(labels: Labels, values: Mapping[Any, Any]) -> np.ndarray:
    """Return the vertex number of each position that has a value, in the order of the mapping.

    Raise UnknownPositionError if one of these positions is not a vertex of the graph.
    """
    # If both labels and positions are stored as arrays of integers, one call of searchsorted finds all positions.
    wanted = _integers(values.labels) if isinstance(values, Values) else None
    own = None if wanted is None else _integers(labels)
    if wanted is None or own is None:
        find = _finder(labels)
        return np.fromiter((find(position) for position in values), np.int64, len(values))
    # Increasing labels need no sorting. searchsorted also returns an index for a number that is not a label; comparing
    # the labels at the end finds such numbers.
    order = None if are_integers(labels) else np.argsort(own)
    numbers = np.searchsorted(own, wanted, sorter=order)
    numbers[numbers == len(own)] = 0
    if order is not None:
        numbers = order[numbers]
    unknown = wanted != own[numbers] if len(own) else np.ones(len(wanted), np.bool_)
    if unknown.any():
        raise _not_a_vertex(int(wanted[np.argmax(unknown)]))
    return numbers


def _not_a_vertex(position: Hashable) -> UnknownPositionError:
    """Return the error for a position in the mapping of values that is not a vertex of the graph."""
    fault = Message("position {position!r} of the values is not a vertex of the graph", position)
    return UnknownPositionError(position, fault)


def _integers(labels: Labels) -> np.ndarray | None:
    """Return the labels as an array of integers if they are stored as such an array, otherwise None."""
    if isinstance(labels.column(np.empty(0, np.int64)), np.ndarray):
        return np.asarray(labels.column(np.arange(len(labels))))
    return None


def _finder(labels: Labels) -> Callable[[Hashable], int]:
    """Return the function that maps a position, or its text, to its vertex number.

    The function raises UnknownPositionError if there is no such vertex, or if several vertices have this text.
    """
    by_text: dict[str, int] = {}

    def find(position: Hashable) -> int:
        try:
            return labels.find(position)
        except KeyError:
            if not by_text:  # a text that several labels have stands for none of them
                times = Counter(map(str, labels))
                by_text.update((text, number) for number, text in enumerate(map(str, labels)) if times[text] == 1)
            if str(position) in by_text:
                return by_text[str(position)]
            raise _not_a_vertex(position) from None

    return find


def _value(value: object, position: object) -> Value:
    """Return ``value`` as an int in 0..2**31-1, a Loopy or a Decisive; otherwise raise an error about ``position``."""
    if isinstance(value, Loopy | Decisive):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= value <= LARGEST_INT32:
        return int(value)
    raise ParameterError(
        "value {value!r} of position {position!r}: expected an integer in 0..{most}", value, position, LARGEST_INT32
    )


def _columns(graph: GameGraph, claims: Claims, complete: bool) -> tuple[str, ...]:
    """Return the names of the columns to check: ``grundy``, and ``outcome`` if there are outcomes.

    Add ``remoteness`` if some remoteness is claimed, all vertices have values (``complete``), and no vertex is a sum.
    """
    columns = ["grundy"]
    if (claims.outcome != "").any():
        columns.append("outcome")
    if complete and graph.sums is None and (claims.remoteness >= 0).any():
        columns.append("remoteness")
    return tuple(columns)


def _loopy_winner(graph: GameGraph, claims: Claims, tokens: list[int], complete: bool) -> str | None:
    """Return who wins the sum of the tokens in a graph with cycles; None if the values do not prove it.

    ``complete`` says whether every position has a value. If it is false, misère play of several tokens raises a
    ParameterError.
    """
    if claims.terminal and len(tokens) != 1:
        return _misere_winner(graph, claims, tokens, complete)
    codes = [claims.terminal if graph.out_degrees[token] == 0 else int(claims.grundy[token]) for token in tokens]
    missing = [token for token, code in zip(tokens, codes, strict=True) if code == -1]
    total = reduce(xor, claims.codes.decode([code for code in codes if code != -1]), 0)
    if not missing:
        return {"P": "second", "N": "first", "D": "draw"}[outcome_of(total)]
    # If a single token has no value, and one of its options has the sum of the other tokens' values, moving there wins.
    wins = isinstance(total, int) and len(missing) == 1 and total in claims.grundy[graph.option_rows.row(missing[0])]
    return "first" if wins else None


def _winner(graph: GameGraph, claims: Claims, tokens: list[int], complete: bool) -> str | None:
    """Return who wins the sum of the tokens, "first" or "second"; None if the values do not prove it.

    The values must be right, but some may be missing: ``complete`` says whether every position has a value. If it is
    false, misère play of several tokens raises a ParameterError.
    """
    if claims.terminal:
        return _misere_winner(graph, claims, tokens, complete)
    alone = [token for token, times in Counter(tokens).items() if times % 2]
    missing = {token for token in alone if claims.grundy[token] < 0}
    total = reduce(xor, (int(claims.grundy[token]) for token in alone if token not in missing), 0)
    if not missing and total == 0:
        return "second"
    # A move can remove at most two tokens without a value from the sum: the token that moves, and a token that is equal
    # to the option and cancels with it.
    can_move = len(missing) <= 2 and any(_wins_by(graph, claims, token, missing, total) for token in set(tokens))
    return "first" if can_move else None


def _wins_by(graph: GameGraph, claims: Claims, token: int, missing: set[int], total: int) -> bool:
    """Return True if some move of ``token`` leads to a sum of tokens that is proved to have the value 0.

    ``missing`` has the tokens without a value. ``total`` is the xor of the values of all other tokens. Both leave out
    pairs of equal tokens.
    """
    own, row = int(claims.grundy[token]), graph.option_rows.row(token)
    # After the move, the tokens in ``unvalued`` have no value, and the nim-sum is 0 if the option has the value
    # ``wanted``. If the moving token has no value, and cancelled an equal token, this equal token is in ``unvalued``.
    unvalued, wanted = (missing, total ^ own) if own >= 0 else (missing ^ {token}, total)
    # The move wins in two cases. First: ``unvalued`` is empty, and an option has the wanted value. Second: one token is
    # in ``unvalued``, ``token`` can move to its position, so that the two cancel, and all further tokens have the
    # nim-sum 0.
    if not unvalued:
        return bool((claims.grundy[row] == wanted).any())
    return len(unvalued) == 1 and wanted == 0 and next(iter(unvalued)) in row


def _misere_winner(graph: GameGraph, claims: Claims, tokens: list[int], complete: bool) -> str | None:
    """Return who wins the sum of the tokens under misère play; None if the values do not prove it.

    The values never prove who wins with several tokens: the result is None if every position has a value
    (``complete``), otherwise a ParameterError is raised.
    """
    if len(tokens) > 1:
        if complete:
            return None
        raise ParameterError(
            "misère values do not combine by xor, so values for only some positions prove nothing about several "
            "tokens: certify the graph of the whole sum (--product)"
        )
    if not tokens or graph.out_degrees[tokens[0]] == 0:
        return "first"
    if claims.grundy[tokens[0]] == 0:
        return "second"
    return "first" if (claims.grundy[graph.option_rows.row(tokens[0])] == 0).any() else None


def true_claims(graph: GameGraph, order: np.ndarray, terminal: int) -> Claims:
    """Return the value, outcome and remoteness of every vertex of an acyclic graph.

    In a graph with sum vertices only the values and outcomes are right.

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

    A missing value or outcome is not a difference. The remoteness is compared only if ``remoteness`` is true; then a
    missing one is a difference.
    """
    wrong = (claims.grundy != -1) & (claims.grundy != truth.grundy)
    wrong |= (claims.outcome != "") & (claims.outcome != truth.outcome)
    if remoteness:
        wrong |= claims.remoteness != truth.remoteness
    marked: np.ndarray = order[wrong[order]]
    return marked


def why_wrong(graph: GameGraph, claims: Claims, truth: Claims, vertices: np.ndarray) -> Iterator[tuple[int, str]]:
    """Yield (vertex, reason) for ``vertices``, whose claims are wrong. The reasons use the options' true values."""
    for vertex in vertices.tolist():
        value = int(claims.grundy[vertex])
        if value < -1:
            yield vertex, _why_not_finite(claims, vertex)
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
            # Combine the claim about this vertex with the truth about all others: a wrong claim about another vertex
            # must not become the reason.
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
    p_options = row[truth.grundy[row] == 0]
    if len(p_options):
        return Message("the option {option} is a P-position", position_text(graph, p_options[0]))
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
    owner, option = graph.option_rows.row_indices(), graph.option_rows.indices
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
    """Return (vertex, reason) for each vertex whose claim is wrong about whether it is sunny, loony or neither.

    ``decisive`` has the codes that :func:`decisive_codes` returns.
    """
    codes = {code: claims.codes.encode(value) for code, value in _OF_CODE.items()}
    wanted, outcome = np.zeros(len(graph), np.int64), np.full(len(graph), "", "<U1")
    for code, kind in _OF_CODE.items():
        wanted[decisive == code], outcome[decisive == code] = codes[code], kind.outcome
    other = np.where(decisive != 0, claims.grundy != wanted, np.isin(claims.grundy, list(codes.values())))
    wrong = other & (claims.grundy != -1)
    wrong |= (decisive != 0) & (claims.outcome != "") & (claims.outcome != outcome)
    return [(vertex, _why_decisive(graph, claims, decisive, vertex)) for vertex in np.flatnonzero(wrong).tolist()]


def _why_decisive(graph: GameGraph, claims: Claims, decisive: np.ndarray, vertex: int) -> Message:
    code = int(claims.grundy[vertex])
    value = None if code == -1 else claims.codes.decode([code])[0]
    right, row = _OF_CODE.get(int(decisive[vertex])), graph.option_rows.row(vertex)
    if right is None:
        why = _GOES_ON
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
    """Return the graph without the edges from and to sunny and loony vertices, and the claims about this graph.

    These vertices stay in the graph; the claims give them the value 0 and no outcome.
    """
    going = decisive == 0
    owner, option = graph.option_rows.row_indices(), graph.option_rows.indices
    included = going[owner] & going[option]
    sums = None if graph.sums is None else graph.sums & going
    remaining = GameGraph.from_arrays(owner[included], option[included], graph.labels, sums=sums)
    grundy, outcome = np.where(going, claims.grundy, 0), np.where(going, claims.outcome, "")
    return remaining, claims._replace(grundy=grundy.astype(np.int32), outcome=outcome)


def length_fault(graph: GameGraph, claims: Claims, decisive: np.ndarray) -> tuple[int, str] | None:
    """Return a vertex whose remoteness is wrong, and why; None if all are right. All values must be right.

    A sunny vertex counts as a P-position, a loony one as an N-position.
    """
    grundy = np.where(decisive == SUNNY, 0, np.where(decisive == LOONY, 1, claims.grundy)).astype(np.int32)
    return wrong_length(graph, claims._replace(grundy=grundy))
