"""The misère quotient of a graph's positions, or of the heaps of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphgame.arrays.engine import Progress
from graphgame.errors import LimitError, Message, OptionError
from graphgame.graph import GameGraph, GameLike
from graphgame.heaps.periods import find_period
from graphgame.results import refuse_misere_end
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.exploration import explore
from graphgame.theory.misere.algebra import positions_of
from graphgame.theory.misere.checking import find_fault
from graphgame.theory.misere.quotient import MisereQuotient
from graphgame.theory.misere.solver import QuotientLimits, QuotientSolver, StoppedError

if TYPE_CHECKING:
    from graphgame.heaps import HeapGame, PeriodCertificate

MAX_ORDER = 1000
"""Elements that a quotient may have unless the caller says otherwise; four times as many take about 200 MB."""

MAX_OUTCOMES = 20_000_000
"""Outcomes of sums that a search may keep at once unless the caller says otherwise; they take up to about 2 GB."""


def misere_quotient(
    graph: GameLike,
    *,
    name: str = "positions",
    max_order: int = MAX_ORDER,
    max_outcomes: int = MAX_OUTCOMES,
    seconds: float | None = None,
    resume: MisereQuotient | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[MisereQuotient], None] | None = None,
) -> MisereQuotient:
    """Return the misère quotient of the positions of a graph, as far as limits allow.

    Parameters
    ----------
    graph : GameLike
        Sum vertices are allowed. For a ruleset: ``explore(ruleset, start)``.
    name : str
        What the quotient calls the game.
    max_order : int
        Most elements; a candidate may have four times as many.
    max_outcomes : int
        Most outcomes of sums kept in memory at once.
    seconds : float, optional
        When to stop.
    resume : MisereQuotient, optional
        An earlier result, to go on from; it is checked first.
    progress : callable, optional
        Called as ``progress(positions_done, order)`` now and then.
    interrupted : callable, optional
        Called with what is proved so far where Ctrl-C ends the search, before the KeyboardInterrupt goes on.

    Returns
    -------
    MisereQuotient
        Proved for the positions in its ``labels``: all, or where a limit ended the search those before it.

    Raises
    ------
    CycleError
        Play need not end.
    OptionError
        The result to go on from is of other positions, or is wrong.

    Notes
    -----
    Positions are taken one by one, options first. An element that a new position may stand for follows from its
    options, and :mod:`graphgame.theory.misere.algebra` proves it. Where none passes, candidates for a finer quotient
    are tried, each right for more sums than the one before, until the same proof succeeds: see
    :mod:`graphgame.theory.misere.solver`.

    References
    ----------
    T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, J. Combin. Theory Ser. A 115 (2008), and its
    supplement.

    Examples
    --------
    >>> from graphgame.games.notakto import Notakto
    >>> quotient = misere_quotient(explore(Notakto()))
    >>> quotient.order, len(quotient.p_portion), quotient.outcome(Notakto.start, Notakto.start)
    (18, 4, 'P')
    """
    graph = GameGraph.of(graph)
    positions = positions_of(graph)
    solver = QuotientSolver(positions, QuotientLimits(max_order, max_outcomes, seconds), progress)
    if resume is not None:
        _refuse_fault(resume, graph)
        solver.resume(resume.images, resume.table, resume.lost)

    def found(stopped: str | None = None) -> MisereQuotient:
        words, generators, (steps, lost) = solver.found()
        labels = positions.labels[: len(words)]
        return MisereQuotient(name, labels, words, generators, steps, lost, len(positions), stopped)

    try:
        solver.run()
    except StoppedError as reason:
        return found(str(reason))
    except KeyboardInterrupt:
        if interrupted is not None:
            interrupted(found("interrupted"))
        raise
    return found()


def heap_graph(game: HeapGame, heaps: int, *, max_positions: int = MAX_POSITIONS) -> GameGraph:
    """Return the graph of the heaps 0..n of a game; most vertices are the sums that moves leave.

    Raises
    ------
    OptionError
        The number is negative.
    LimitError
        There are too many heaps, or they have too many moves.
    """
    refuse_misere_end("misere", game.ends_at_once)
    if heaps < 0:
        raise OptionError("invalid heap {heap!r}: expected 0 or more", heaps)
    if heaps >= max_positions:
        message = Message(
            "the heaps 0 to {heaps!r} are more positions than the limit, max_positions={max_positions}",
            heaps,
            max_positions,
        )
        raise LimitError(message, limit="max_positions")
    return explore(game.ruleset, *range(heaps + 1), max_positions=max_positions)


def heap_quotient(
    game: HeapGame,
    heaps: int,
    *,
    max_positions: int = MAX_POSITIONS,
    max_order: int = MAX_ORDER,
    max_outcomes: int = MAX_OUTCOMES,
    seconds: float | None = None,
    resume: MisereQuotient | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[MisereQuotient], None] | None = None,
) -> MisereQuotient:
    """Return the misère quotient of the heaps 0..n of a game, and the period of the pretending function.

    Parameters
    ----------
    game : HeapGame
    heaps : int
        The largest heap.
    max_positions : int
        Most vertices of the graph of the heaps.
    max_order, max_outcomes, seconds, resume, progress, interrupted
        As for :func:`misere_quotient`.

    Raises
    ------
    OptionError
        The number of heaps is negative, or the result to go on from is of another game, or is wrong.
    LimitError
        There are too many heaps, or they have too many moves.

    Notes
    -----
    A period of the pretending function is proved by the theorem that proves those of Grundy values: the options of a
    large heap are sums that the period maps to those of a smaller one, so the two have the same pair in the algebra.

    Examples
    --------
    >>> from graphgame import heaps
    >>> quotient = heap_quotient(heaps.octal("0.123"), 80)
    >>> quotient.order, len(quotient.p_portion), quotient.period.preperiod, quotient.period.period
    (20, 5, 5, 5)
    >>> quotient.relations[:3], quotient.outcome(3, 10**12)
    ([('a^2', '1'), ('c^2', '1'), ('cd', 'bd')], 'N')
    """

    def with_period(found: MisereQuotient) -> MisereQuotient:
        found.period = _period(game, found)
        return found

    graph = heap_graph(game, heaps, max_positions=max_positions)
    quotient = misere_quotient(
        graph,
        name=game.name,
        max_order=max_order,
        max_outcomes=max_outcomes,
        seconds=seconds,
        resume=resume,
        progress=progress,
        interrupted=None if interrupted is None else lambda found: interrupted(with_period(found)),
    )
    return with_period(quotient)


def prove_period(quotient: MisereQuotient, game: HeapGame, *, max_positions: int = MAX_POSITIONS) -> None:
    """Prove a quotient from a file for its heaps, and the period of its pretending function where there is one.

    Parameters
    ----------
    quotient : MisereQuotient
        Gets its ``period``.
    game : HeapGame
    max_positions : int
        Most vertices of the graph of the heaps.

    Raises
    ------
    OptionError
        The quotient does not hold for the heaps of the game.
    LimitError
        There are too many heaps, or they have too many moves.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import heaps
    >>> from graphgame.theory.misere import read_quotient, write_quotient
    >>> game, file = heaps.octal("0.123"), pathlib.Path(tempfile.mkdtemp(), "0.123.json")
    >>> write_quotient(heap_quotient(game, 20), file)
    >>> quotient = read_quotient(file)
    >>> prove_period(quotient, game)
    >>> quotient.period.preperiod, quotient.period.period, quotient.outcome(3, 10**12)
    (5, 5, 'N')
    """
    _refuse_fault(quotient, heap_graph(game, len(quotient.labels) - 1, max_positions=max_positions))
    quotient.period = _period(game, quotient)


def _period(game: HeapGame, quotient: MisereQuotient) -> PeriodCertificate | None:
    theorem = game.rules.theorem
    if theorem is None or theorem.last_heap is None or theorem.arithmetic:
        return None
    repeating = replace(theorem, splits=None)  # elements are no values, to which a constant could be added
    return find_period(game.name, np.array(quotient.images, np.int64), repeating)


def _refuse_fault(quotient: MisereQuotient, graph: GameGraph) -> None:
    fault = find_fault(quotient, graph)
    if fault is not None:
        raise OptionError(
            "the saved quotient of {game!r} does not hold for these positions: {fault}", quotient.game, fault
        )
