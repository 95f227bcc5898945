"""Who wins a position that comes up in a match, and the best move: from the game played out, or from values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import islice
from operator import xor
from typing import NamedTuple

from graphgame.compiled.engine import PRODUCT_LIMIT, Progress
from graphgame.errors import LimitError
from graphgame.graph.gamegraph import GameLike
from graphgame.play.moves import legal_moves, options_of
from graphgame.rules.position import Position, vertex_of
from graphgame.solution.results import Move, outcome_of
from graphgame.solution.solve import LoopySolution, solve
from graphgame.solution.sums import Product

_MOST_TRIED = 200


class Verdict(NamedTuple):
    """A position's outcome, and the length of the game when the winner hurries; None where it is not known."""

    outcome: str
    length: int | None


class Adviser(ABC):
    """What is known about the positions of a match; made by :func:`adviser`."""

    @abstractmethod
    def verdict(self, position: Position) -> Verdict:
        """Return who wins a position that comes up, and how fast."""

    @abstractmethod
    def best_move(self, position: Position) -> Move | None:
        """Return a move that wins, else one that draws, else one that loses late; None where there is no move."""


class _PlayedOut(Adviser):
    """Every sum that comes up is a vertex of an explicit graph, so the winner is as fast as can be."""

    def __init__(self, start: Position, loopy: bool, limit: int, progress: Progress | None) -> None:
        self._graph = graph = (start.small() if _is_told(start) else start).graph(progress)
        self._number_of: Callable[[Iterable[int]], int] = _only
        if len(start.components) != 1 or graph.sums is not None:
            tokens = [graph.number_of(token) for token in graph.tokens or ()]
            whole = Product(graph, [tokens], limit, progress)
            graph, self._number_of = whole.graph, whole.number_of
        solution = solve(graph, misere=start.misere, loopy=loopy)
        self._outcome, self._length = solution.outcome.array, solution.remoteness.array

    def verdict(self, position: Position) -> Verdict:
        vertices = (self._graph.number_of(vertex_of(self._graph, part)) for part in position.components)
        try:
            number = self._number_of(vertices)
        except KeyError:  # a player did not win at once who could have: such sums are not all written down
            return Verdict(position.outcome, None)
        length = int(self._length[number])
        return Verdict(str(self._outcome[number]), None if length < 0 else length)

    def best_move(self, position: Position) -> Move | None:
        return min(legal_moves(position), key=lambda move: _rank(self.verdict(position.after(move))), default=None)


class _ByValues(Adviser):
    """Values, or the theorem of misère Nim, say which moves win, however large the position."""

    def __init__(self, start: Position) -> None:
        if not start.misere and not _is_at_once(start):
            self._explored = start.open_graph.solution  # what comes up later shares it

    def verdict(self, position: Position) -> Verdict:
        return Verdict(position.outcome, None)

    def best_move(self, position: Position) -> Move | None:
        unknown = not position.misere and None in position.theorem.values and not position.table.answers
        by_theorem = position.theorem.first_moves(1) if unknown and position.theorem.outcome == "N" else []
        return next(iter(by_theorem or position.iter_winning_moves()), None) or last_of_first(position)


class _ByLoopyValues(Adviser):
    """Values say which moves win or draw where play need not end, however large the sum.

    A win is reached, for the sum of the values falls with each round, or else that of the counters does.
    """

    def __init__(self, solution: LoopySolution) -> None:
        self._solution = solution

    def verdict(self, position: Position) -> Verdict:
        return Verdict(outcome_of(reduce(xor, self._solution.grundy.take(self._numbers(position)), 0)), None)

    def best_move(self, position: Position) -> Move | None:
        return min(legal_moves(position), key=lambda move: self._rank(position.after(move)), default=None)

    def _rank(self, after: Position) -> tuple[int, int, int]:
        outcome = self.verdict(after).outcome
        if outcome != "P":
            return "PDN".index(outcome), 0, 0
        numbers = self._numbers(after)
        return 0, int(self._solution.grundy.array[numbers].sum()), int(self._solution.counter.array[numbers].sum())

    def _numbers(self, position: Position) -> list[int]:
        graph = self._solution.graph
        return [graph.number_of(vertex_of(graph, part)) for part in position.components]


def adviser(
    start: GameLike,
    *,
    loopy: bool = False,
    product_limit: int = PRODUCT_LIMIT,
    progress: Progress | None = None,
) -> Adviser:
    """Return what knows who wins each position that comes up from a start.

    Parameters
    ----------
    start : GameLike
        See :class:`Match`.
    loopy : bool
    product_limit : int
        Most positions of the explicit graph of the sum. Beyond it moves win by the sum of the values, or by the
        theorem of misère Nim: surely, but perhaps not as fast as can be.
    progress : callable, optional
        Called as ``progress(positions, moves)`` while the game is explored.

    Raises
    ------
    LimitError
        The game is too large for both.
    CycleError
        Play need not end, and ``loopy`` is not set.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> small, large = parse_position("nim(3,4,5)"), parse_position("nim(1000000000000,5)")
    >>> adviser(small).verdict(small), adviser(small).best_move(small)
    (Verdict(outcome='N', length=11), Move(component=0, start=nim(3), end=nim(1)))
    >>> adviser(large).verdict(large), adviser(large).best_move(large)
    (Verdict(outcome='N', length=None), Move(component=0, start=nim(1000000000000), end=nim(5)))
    """
    start = Position.of(start)
    try:
        return _PlayedOut(start, loopy, product_limit, progress)
    except LimitError as error:
        too_large_a_sum = not start.misere and error.limit == "product_limit"
        if not (too_large_a_sum or (not loopy and _is_told(start))):
            raise
    if loopy and isinstance(solution := solve(start.graph(), loopy=loopy), LoopySolution):
        return _ByLoopyValues(solution)
    return _ByValues(start)


def _is_told(start: Position) -> bool:
    """Tell whether theorems or tables know something, so that a large graph is not worth while."""
    known = any(value is not None for value in start.theorem.values)
    return start.theorem.heaps is not None or _is_at_once(start) or (known and not start.misere)


def _is_at_once(start: Position) -> bool:
    """Tell whether a table tells who wins, or of a single component a theorem, what its moves leave too."""
    if start.table.answers or start.theorem.outcome is None or len(start.components) != 1:
        return start.table.answers
    left = (start.after(move) for move in islice(legal_moves(start), _MOST_TRIED))
    return all(position.theorem.outcome is not None for position in left)


def _only(vertices: Iterable[int]) -> int:
    (vertex,) = vertices
    return vertex


def _rank(after: Verdict) -> tuple[int, int]:
    """Return the place of a move among others: fast wins, then draws, then late losses."""
    return "PDN".index(after.outcome), after.length or 0 if after.outcome == "P" else -(after.length or 0)


def last_of_first(position: Position) -> Move | None:
    """Return the last option of the first component that has one; of a heap, the largest.

    Where a move can end play, it is the first after which the other player cannot, if there is one.
    """
    if any(component.ruleset.decides for component in position.components):
        moves = list(islice(legal_moves(position), _MOST_TRIED))
        goes_on = (move for move in moves if isinstance(position.after(move).nim_sum, int))
        return next(goes_on, moves[0] if moves else None)
    for place, component in enumerate(position.components):
        options = options_of(component)
        ends = options[-1:] if isinstance(options, range) else options
        for end in ends:
            return Move(place, component, component._replace(position=end))
    return None
