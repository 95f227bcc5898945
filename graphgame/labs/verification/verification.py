"""Check that values are right, without solving: what a values file claims is its own proof.

The theorem
-----------
Rows claim "vertex v has value k" for some or all vertices of an acyclic graph. A row is *justified* when

- v is a position with options, and for every i < k some option of v has a row with value i, and every option u of v is
  known to differ from k: u has a row with another value, or u has an option with a row of value k, or u has no option
  and the value of such a position (0; under misère play 1) is another;
- v is a position without options, and k is the value of such a position;
- v is a sum, and the parts that stand in it an odd number of times have rows whose xor is k.

If every row is justified, every row is right. Proof: by induction over the longest play, the rows below v are right. A
vertex that has an option of value k does not have value k itself; so no option of v has value k, each smaller value is
there, and the mex is k. For a sum it is the theorem of Sprague and Grundy.

So rows for all vertices need one look at each edge. Fewer rows prove who wins the sum of the tokens: the second player
does if the tokens that do not cancel in pairs have rows whose xor is 0, the first player if there is a move to such a
sum. For one token that is the classic certificate: a set of P-positions from which every move can be answered by a move
back into the set.

A file that has outcomes and no values proves nothing by itself. It is compared with the values that
:mod:`graphgame.labs.verification.marking` works out, as are all rows once one of them is wrong, so that every error is
found.

Positions that end play at once come first: :mod:`graphgame.labs.verification.marking`.

Nothing here is shared with the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, Literal, Protocol

import numpy as np

from graphgame.errors import CycleError, Message, OptionError, UnknownPositionError
from graphgame.errors.of_networkx import advising_loopy
from graphgame.graph.decided import SUNNY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import Labels, are_integers
from graphgame.graph.play_order import play_order
from graphgame.io.values import Values
from graphgame.labs.verification.justification import Claims, unjustified, why_unjustified
from graphgame.labs.verification.loopy_justification import loopy_fault, refuse_sums_on_cycles
from graphgame.labs.verification.marking import (
    decisive_codes,
    decisive_faults,
    going_on,
    length_fault,
    true_claims,
    why_wrong,
    wrong_vertices,
)
from graphgame.solution.results import Decisive, Loopy, Play, Value, outcome_of, refuse_misere_end

_LARGEST = 2**31 - 1
_LISTED = 20
"""How many wrong positions are listed."""


@dataclass(frozen=True)
class Verification:
    """What :func:`verify` found.

    Attributes
    ----------
    passed : bool
        Also the truth value of the object.
    rows : int
        How many positions have a value.
    complete : bool
        Whether these are all positions; otherwise they are a certificate for the tokens alone.
    position : hashable or None
        The first wrong position in an order of play from the end: all that it leads to is right.
    reason : str or None
        What is wrong with it.
    faults : tuple of (position, reason)
        The first 20 wrong positions in that order, this one included.
    wrong : int
        How many positions are wrong. Of a graph with cycles only the first one is known.
    winner : {"first", "second", "draw"} or None
        Who wins the sum of the tokens, as the values prove.
    columns : tuple of str
        What was checked: ``grundy``, and ``outcome`` and ``remoteness`` where they are given.
    play : {"normal", "misere"}
        Under which play.
    """

    passed: bool
    rows: int
    complete: bool
    position: Hashable = None
    reason: str | None = None
    winner: str | None = None
    columns: tuple[str, ...] = ("grundy",)
    play: Play = "normal"
    faults: tuple[tuple[Hashable, str], ...] = ()
    wrong: int = 0

    def __bool__(self) -> bool:
        return self.passed


class Solved(Protocol):
    """What a :class:`Solution` has; the solver is not imported here."""

    @property
    def grundy(self) -> Mapping[Any, Any]:
        """Position -> value."""

    @property
    def play(self) -> Play:
        """The play that the values are of."""


@advising_loopy()
def verify(
    graph: GameLike,
    values: Mapping[Any, Any] | Solved,
    *,
    play: Play | None = None,
    tokens: Iterable[Hashable] | None = None,
    cycles: Literal["error", "loopy"] = "error",
) -> Verification:
    """Check values against a graph with one look at each edge, by code that shares nothing with the solver.

    Parameters
    ----------
    graph : GameLike
    values : mapping
        Position -> Grundy value (a :class:`graphgame.solution.results.Loopy` where it is infinite), or what
        :func:`graphgame.io.values.read_values` returns; then outcome and remoteness are checked too, where they are
        given. A :class:`Solution` stands for its values. Fewer than all positions are a certificate for the tokens:
        see :mod:`graphgame.labs.verification.verification`. A position that the graph does not have is looked up by
        its text.
    play : {"normal", "misere"}, optional
        Else what the values say, or normal.
    tokens : iterable of hashable, optional
        The components of the sum; the default is the graph's own.
    cycles : {"error", "loopy"}
        "loopy" checks the values of a graph with cycles: see :mod:`graphgame.labs.verification.loopy_justification`.

    Returns
    -------
    Verification
        True in a condition where everything is right; otherwise it names the wrong positions and why.

    Raises
    ------
    CycleError
        Play need not end, and ``cycles`` is "error".
    UnknownPositionError
        A position that has a value, or a token, is not a vertex of the graph.
    TypeError, TokenError
        As for :meth:`GameGraph.checked_tokens`.
    OptionError
        A value is not an integer in 0..2**31-1; the play is not the one that the values are of; or misère play
        where its values do not combine: a graph with sum vertices, or a certificate for several tokens; or a sum
        vertex lies on a cycle.

    Notes
    -----
    O(n + m) time, 20 bytes a vertex and blocks of a fixed size for the edges. The remoteness is checked where all
    positions have values and the graph has no sum vertices: how long a sum lasts does not follow from its parts.

    Examples
    --------
    >>> graph = GameGraph([("a", "b"), ("a", "c"), ("b", "c")])
    >>> bool(verify(graph, {"a": 2, "b": 1, "c": 0}))
    True
    >>> report = verify(graph, {"a": 0, "b": 1, "c": 0})
    >>> print(report.position, report.reason, sep=": ")
    a: value 0, but its option 'c' has that value too; the mex of its options' values {0, 1} is 2
    >>> verify(graph, {"c": 0}, tokens=["a"]).winner  # enough to know, for one token
    'first'
    """
    game = GameGraph.of(graph)
    chosen = _play(values, play)
    if not isinstance(values, Mapping):  # a solution
        values = values.grundy
    refuse_misere_end(chosen, game.decided is not None)
    _refuse_misere_sums(game, chosen)
    claims = _claims(game, values, int(chosen == "misere"))
    standing = game.checked_tokens(tokens)
    components = None if standing is None else list(map(game.number_of, standing))
    given = (claims.grundy != -1) | (claims.outcome != "")
    only_outcomes = given.any() and not (claims.grundy != -1).any()
    known = int(given.sum() if only_outcomes else (claims.grundy != -1).sum())
    complete = known == len(game)
    columns = ("outcome",) if only_outcomes else _columns(game, claims, complete)

    def failed(faults: Iterable[tuple[int, str]], count: int) -> Verification:
        shown = tuple((game.labels[vertex], why) for vertex, why in faults)
        return Verification(False, known, complete, *shown[0], None, columns, chosen, shown, count)

    wants_remoteness, whole, every_claim, decisive = "remoteness" in columns, game, claims, None
    if game.decided is not None:
        decisive = decisive_codes(game)
        if wrong_ends := decisive_faults(game, claims, decisive):
            return failed(wrong_ends[:_LISTED], len(wrong_ends))
        game, claims = going_on(game, claims, decisive)
    lengths_here = wants_remoteness and decisive is None
    try:
        order = play_order(game)
    except CycleError:
        if cycles == "error":
            raise
        if only_outcomes:
            raise OptionError("outcomes alone are checked where play must end: with cycles, give the values") from None
        refuse_sums_on_cycles(game, "check")
        fault, decide = loopy_fault(game, claims, remoteness=lengths_here), _loopy_winner
        if fault is not None:
            return failed([fault], 1)
    else:
        fault, decide = _first_fault(game, claims, order, remoteness=lengths_here), _winner
        if fault is not None or only_outcomes:
            truth = true_claims(game, order, claims.terminal)
            wrong = wrong_vertices(claims, truth, order, remoteness=lengths_here)
            if len(wrong):
                return failed(why_wrong(game, claims, truth, wrong[:_LISTED]), len(wrong))
            claims = truth if only_outcomes else claims
        # Without tokens every position needs a value: those without one are the errors, not what depends on them.
        if fault is not None and components is not None:
            return failed([fault], 1)
    if wants_remoteness and decisive is not None and (fault := length_fault(whole, every_claim, decisive)) is not None:
        return failed([fault], 1)
    if components is not None and decisive is not None and decisive[components].any():
        winner: str | None = "second" if SUNNY in decisive[components] else "first"
        return Verification(True, known, complete, winner=winner, columns=columns, play=chosen)
    winner = None if components is None else decide(game, claims, components, complete)
    if winner is None and not complete:
        candidates = components or range(len(game))
        missing = [vertex for vertex in candidates if claims.grundy[vertex] == -1 or not (given[vertex] or components)]
        tokens_too = (
            Message("there are no tokens for which fewer values would do")
            if components is None
            else (Message("the other values do not tell who wins the sum of the tokens"))
        )
        why = Message("it has no outcome") if only_outcomes else Message("it has no value")
        faults = [
            (missing[0], Message("{why}, and {also}", why, tokens_too)),
            *((vertex, why) for vertex in missing[1:_LISTED]),
        ]
        return failed(faults, len(missing))
    return Verification(True, known, complete, winner=winner, columns=columns, play=chosen)


def _first_fault(graph: GameGraph, claims: Claims, order: np.ndarray, *, remoteness: bool) -> tuple[int, str] | None:
    """Return the first vertex in an order of play that is wrong, and why."""
    infinite = order[claims.grundy[order] < -1]
    if len(infinite):
        return int(infinite[0]), Message("its value is infinite, but play must end there")
    wrong = unjustified(graph, claims, remoteness=remoteness)
    if not wrong.any():
        return None
    first = int(order[np.argmax(wrong[order])])
    return first, why_unjustified(graph, claims, first)


def _play(values: object, play: Play | None) -> Play:
    own = getattr(values, "play", None)
    if play not in (None, "normal", "misere"):
        raise OptionError("unknown play {play!r}: expected 'normal' or 'misere'", play)
    if play and own and play != own:
        raise OptionError("the values say that they are of {own} play, not of {play} play", own, play)
    return play or own or "normal"


def _refuse_misere_sums(graph: GameGraph, play: Play) -> None:
    if play == "misere" and graph.sums is not None:
        raise OptionError(
            "misère values do not combine by xor, so a graph with sum vertices cannot be checked edge by edge: "
            "check the product, the graph of whole positions"
        )


def _claims(graph: GameGraph, values: Mapping[Any, Any], terminal: int) -> Claims:
    given = _given(values, terminal)
    numbers = _numbers(graph.labels, values)
    claims = Claims.nothing(len(graph), terminal)._replace(codes=given.codes)
    for column, own in zip(claims[:3], given[:3], strict=True):
        column[numbers] = own
    seen = np.zeros(len(graph), np.bool_)
    seen[numbers] = True
    if int(seen.sum()) < len(numbers):
        repeated = int(np.argmax(np.bincount(numbers) > 1))
        raise OptionError("two values for the position {position!r}: each has one", graph.labels[repeated])
    return claims


def _given(values: Mapping[Any, Any], terminal: int) -> Claims:
    """Return the columns of the values in their own order."""
    if isinstance(values, Values):
        return Claims(values.grundy, values.outcome, values.remoteness, terminal, values.codes)
    given = Claims.nothing(len(values), terminal)
    given.grundy[:] = [given.codes.encode(_value(value, position)) for position, value in values.items()]
    return given


def _numbers(labels: Labels, values: Mapping[Any, Any]) -> np.ndarray:
    """Return the vertex of each position that has a value; integers in arrays are found all at once."""
    wanted = _integers(values.labels) if isinstance(values, Values) else None
    own = None if wanted is None else _integers(labels)
    if wanted is None or own is None:
        find = _finder(labels)
        return np.fromiter((find(position) for position in values), np.int64, len(values))
    order = None if are_integers(labels) else np.argsort(own)
    numbers = np.searchsorted(own, wanted, sorter=order)
    numbers[numbers == len(own)] = 0
    if order is not None:
        numbers = order[numbers]
    unknown = wanted != own[numbers] if len(own) else np.ones(len(wanted), np.bool_)
    if unknown.any():
        raise UnknownPositionError(
            int(wanted[np.argmax(unknown)]), Message("has a value but is not a vertex of the graph")
        )
    return numbers


def _integers(labels: Labels) -> np.ndarray | None:
    """Return the positions as an array where their table is one."""
    if isinstance(labels.column(np.empty(0, np.int64)), np.ndarray):
        return np.asarray(labels.column(np.arange(len(labels))))
    return None


def _finder(labels: Labels) -> Callable[[Hashable], int]:
    """Return the function that maps a position, or its text, to its vertex number."""
    by_text: dict[str, int] = {}

    def find(position: Hashable) -> int:
        try:
            return labels.find(position)
        except KeyError:
            if not by_text:
                by_text.update(_unique_texts(labels))
            if str(position) in by_text:
                return by_text[str(position)]
            raise UnknownPositionError(position, Message("has a value but is not a vertex of the graph")) from None

    return find


def _unique_texts(labels: Labels) -> dict[str, int]:
    texts = list(map(str, labels))
    times = Counter(texts)
    return {text: number for number, text in enumerate(texts) if times[text] == 1}


def _value(value: object, position: object) -> Value:
    if isinstance(value, Loopy | Decisive):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= value <= _LARGEST:
        return int(value)
    raise OptionError(
        "value {value!r} of position {position!r}: expected an integer in 0..{most}", value, position, _LARGEST
    )


def _columns(graph: GameGraph, claims: Claims, complete: bool) -> tuple[str, ...]:
    columns = ["grundy"]
    if (claims.outcome != "").any():
        columns.append("outcome")
    if complete and graph.sums is None and (claims.remoteness >= 0).any():
        columns.append("remoteness")
    return tuple(columns)


def _loopy_winner(graph: GameGraph, claims: Claims, tokens: list[int], complete: bool) -> str | None:
    """Return who wins the sum of the tokens where play need not end; None where the values do not tell."""
    if claims.terminal and len(tokens) != 1:
        return _misere_winner(graph, claims, tokens, complete)
    codes = [claims.terminal if graph.out_degrees[token] == 0 else int(claims.grundy[token]) for token in tokens]
    missing = [token for token, code in zip(tokens, codes, strict=True) if code == -1]
    total = reduce(xor, claims.codes.decode([code for code in codes if code != -1]), 0)
    if not missing:
        return {"P": "second", "N": "first", "D": "draw"}[outcome_of(total)]
    wins = isinstance(total, int) and len(missing) == 1 and total in claims.grundy[graph.option_rows.row(missing[0])]
    return "first" if wins else None


def _winner(graph: GameGraph, claims: Claims, tokens: list[int], complete: bool) -> str | None:
    """Return who wins the sum of the tokens, as right rows prove it; None where they do not."""
    if claims.terminal:
        return _misere_winner(graph, claims, tokens, complete)
    alone = [token for token, times in Counter(tokens).items() if times % 2]
    missing = {token for token in alone if claims.grundy[token] < 0}
    total = reduce(xor, (int(claims.grundy[token]) for token in alone if token not in missing), 0)
    if not missing and total == 0:
        return "second"
    can_move = len(missing) <= 2 and any(_wins_by(graph, claims, token, missing, total) for token in set(tokens))
    return "first" if can_move else None


def _wins_by(graph: GameGraph, claims: Claims, token: int, missing: set[int], total: int) -> bool:
    """Tell whether a move of this token leaves a sum of value 0: the rest has its value, or is its option."""
    own, row = int(claims.grundy[token]), graph.option_rows.row(token)
    left, wanted = (missing, total ^ own) if own >= 0 else (missing ^ {token}, total)
    if not left:
        return bool((claims.grundy[row] == wanted).any())
    return len(left) == 1 and wanted == 0 and next(iter(left)) in row


def _misere_winner(graph: GameGraph, claims: Claims, tokens: list[int], complete: bool) -> str | None:
    if len(tokens) > 1:
        if complete:
            return None
        raise OptionError(
            "misère values do not combine by xor, so fewer values than all tell nothing of several tokens: "
            "certify the product, the graph of whole positions"
        )
    if not tokens or graph.out_degrees[tokens[0]] == 0:
        return "first"
    if claims.grundy[tokens[0]] == 0:
        return "second"
    return "first" if (claims.grundy[graph.option_rows.row(tokens[0])] == 0).any() else None
