"""Misère quotients of the heaps of a game, and periods of their pretending functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message, checks_parameters
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.heaps.games import game as named
from graphgame.labs.heaps.periods import period_by
from graphgame.labs.misere.checking import find_fault, refuse_fault
from graphgame.labs.misere.quotient import MisereQuotient
from graphgame.labs.misere.solver import MAX_ORDER, MAX_OUTCOMES, misere_quotient
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.exploration import explore
from graphgame.solution.results import refuse_misere_end

if TYPE_CHECKING:
    from graphgame.labs.heaps import HeapGame, PeriodCertificate


@checks_parameters
def heap_graph(game: HeapGame | str, heaps: int, *, max_positions: int = MAX_POSITIONS) -> GameGraph:
    """Return the graph of the heaps 0 to ``heaps`` of a game, and of the sums of heaps that moves leave.

    ``game`` is a HeapGame, or its code or name for :func:`graphgame.heaps.game`.

    Raises
    ------
    ParameterError
        ``heaps`` is negative, or the game has moves that end play at once.
    ParseError, RulesetError
        The code or name is wrong: see :func:`graphgame.heaps.game`.
    LimitError
        The graph would have more than ``max_positions`` vertices, or too many moves.
    """
    rules = named(game)
    refuse_misere_end(True, rules.ends_at_once)
    if heaps >= max_positions:
        message = Message(
            "the graph of the heaps 0 to {heaps!r} has more positions than the limit, max_positions={max_positions}",
            heaps,
            max_positions,
        )
        raise LimitError(message, limit="max_positions")
    return explore(rules.ruleset, *range(heaps + 1), max_positions=max_positions)


@checks_parameters
def heap_quotient(
    game: HeapGame | str,
    heaps: int,
    *,
    max_positions: int = MAX_POSITIONS,
    max_order: int = MAX_ORDER,
    max_outcomes: int = MAX_OUTCOMES,
    timeout: float | None = None,
    resume: MisereQuotient | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[MisereQuotient], None] | None = None,
) -> MisereQuotient:
    """Return the misère quotient of the heaps 0 to ``heaps`` of a game, as far as the limits allow.

    The pretending function maps each heap to its element. If a period of this function can be proved, the quotient has
    it, and gives the outcomes of sums of heaps of any size.

    Parameters
    ----------
    game : HeapGame or str
        A game, or its code or name for :func:`graphgame.heaps.game`.
    heaps : int
        The largest heap.
    max_positions : int
        Maximum number of vertices of the graph of the heaps.
    max_order, max_outcomes, timeout, resume, progress, interrupted
        As for :func:`misere_quotient`.

    Raises
    ------
    ParameterError
        ``heaps`` is negative, the game has moves that end play at once, or the ``resume`` quotient has more heaps or
        is wrong for the heaps of this game.
    ParseError, RulesetError
        The code or name is wrong: see :func:`graphgame.heaps.game`.
    LimitError
        The graph of the heaps has more than ``max_positions`` vertices, or too many moves.

    Notes
    -----
    The theorem that proves periods of Grundy values also proves periods of the pretending function: if it has the
    period p for enough heaps, the options of a larger heap n + p have the same elements as those of heap n. So both
    heaps have the same pair in :mod:`graphgame.labs.misere.algebra`.

    Examples
    --------
    >>> from graphgame import heaps
    >>> quotient = heap_quotient(heaps.octal("0.123"), 80)
    >>> quotient.order, len(quotient.p_portion), quotient.period.preperiod, quotient.period.period
    (20, 5, 5, 5)
    >>> quotient.relations[:3], quotient.outcome(3, 10**12)
    ([('a^2', '1'), ('c^2', '1'), ('cd', 'bd')], 'N')
    """

    def with_period(quotient: MisereQuotient) -> MisereQuotient:
        quotient.period = _period(rules, quotient)
        return quotient

    rules = named(game)
    graph = heap_graph(rules, heaps, max_positions=max_positions)
    quotient = misere_quotient(
        graph,
        name=rules.name,
        max_order=max_order,
        max_outcomes=max_outcomes,
        timeout=timeout,
        resume=resume,
        progress=progress,
        interrupted=None if interrupted is None else lambda proved: interrupted(with_period(proved)),
    )
    return with_period(quotient)


@checks_parameters
def prove_period(quotient: MisereQuotient, game: HeapGame | str, *, max_positions: int = MAX_POSITIONS) -> None:
    """Check a quotient of heaps, for example from a file, and prove a period of its pretending function if possible.

    Parameters
    ----------
    quotient : MisereQuotient
        Its attribute ``period`` is set to the proved period, or to None if no period is proved.
    game : HeapGame or str
        As for :func:`heap_quotient`.
    max_positions : int
        Maximum number of vertices of the graph of the heaps.

    Raises
    ------
    ParameterError
        The quotient is wrong for the heaps of the game, or the game has moves that end play at once.
    ParseError, RulesetError
        The code or name is wrong: see :func:`graphgame.heaps.game`.
    LimitError
        The graph of the heaps has more than ``max_positions`` vertices, or too many moves.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import heaps
    >>> from graphgame.labs.misere import read_quotient, write_quotient
    >>> game, file = heaps.octal("0.123"), pathlib.Path(tempfile.mkdtemp(), "0.123.json")
    >>> write_quotient(heap_quotient(game, 20), file)
    >>> quotient = read_quotient(file)
    >>> prove_period(quotient, game)
    >>> quotient.period.preperiod, quotient.period.period, quotient.outcome(3, 10**12)
    (5, 5, 'N')
    """
    rules = named(game)
    graph = heap_graph(rules, max(len(quotient.labels) - 1, 0), max_positions=max_positions)
    refuse_fault(quotient, find_fault(quotient, graph))
    quotient.period = _period(rules, quotient)


def _period(game: HeapGame, quotient: MisereQuotient) -> PeriodCertificate | None:
    """Return the period of the pretending function if a theorem proves it, otherwise None."""
    theorem = game.rules.theorem
    if theorem is None or theorem.arithmetic:  # an arithmetic period adds a saltus to values, not to elements
        return None
    return period_by(theorem, game.name, np.array(quotient.images, np.int64))
