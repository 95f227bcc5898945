"""Matches, move by move; advisers, which know who wins and the best move; and the computer as a player."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import reduce
from itertools import islice
from operator import xor
from random import Random
from typing import Literal, NamedTuple

from graphgame.compiled.engine import PRODUCT_LIMIT, Progress
from graphgame.errors import LimitError, ParameterError, checks_parameters, plural
from graphgame.graph.gamegraph import GameLike
from graphgame.play.moves import MOST_LISTED, legal_moves, options_of
from graphgame.rules.position import Position, vertex_of
from graphgame.rules.ruleset import value_by_rules
from graphgame.solution.results import Move, outcome_of
from graphgame.solution.solve import LoopySolution, solve
from graphgame.solution.sums import Product

_MOST_MOVES_TRIED = 200


class Verdict(NamedTuple):
    """The outcome of a position, P, N or D, and its remoteness: None for a draw, or if it is not known."""

    outcome: str
    length: int | None


class Adviser(ABC):
    """Knows the outcome and the best move of each position of a match; :func:`adviser` makes one."""

    @abstractmethod
    def verdict(self, position: Position) -> Verdict:
        """Return the outcome of a position of the match and, if known, in how many moves the game ends."""

    @abstractmethod
    def best_move(self, position: Position) -> Move | None:
        """Return a winning move; if there is none, a move that draws; otherwise a losing move. None without moves."""


class _PlayedOut(Adviser):
    """Looks up the positions of the match in a solved graph, so that it knows the fastest win.

    With several components, or if a move can split one, the vertices are the sums that play reaches. After a missed
    immediate win a sum may be no vertex: its length is unknown. Raises LimitError if there are over ``limit`` sums.
    """

    def __init__(self, start: Position, loopy: bool, limit: int, progress: Progress | None) -> None:
        self._graph = graph = (start.small() if _needs_no_graph(start) else start).graph(progress)
        self._number_of: Callable[[Iterable[int]], int] = lambda vertices: next(iter(vertices))
        if len(start.components) != 1 or graph.sums is not None:
            tokens = [graph.number_of(token) for token in graph.tokens or ()]
            product = Product(graph, [tokens], limit, progress)
            graph, self._number_of = product.graph, product.number_of
        solution = solve(graph, misere=start.misere, loopy=loopy)
        self._outcome, self._length = solution.outcome.array, solution.remoteness.array

    def verdict(self, position: Position) -> Verdict:
        vertices = (self._graph.number_of(vertex_of(self._graph, part)) for part in position.components)
        try:
            number = self._number_of(vertices)
        except KeyError:  # The graph lacks sums that play reaches only if a player misses a move that wins at once.
            return Verdict(position.outcome, None)
        length = int(self._length[number])
        return Verdict(str(self._outcome[number]), None if length < 0 else length)

    def best_move(self, position: Position) -> Move | None:
        return min(legal_moves(position), key=lambda move: _rank(self.verdict(position.after(move))), default=None)


class _ByValues(Adviser):
    """Finds winning moves by theorems, tables and the values of components, but knows no remoteness."""

    def __init__(self, start: Position) -> None:
        closed_forms = [value_by_rules(part.ruleset, part.position) for part in start.components]
        if None in closed_forms and not start.misere and not _needs_no_search(start):
            self._explored = start.open_graph.solution  # This solves the graph now, for all positions of the match.

    def verdict(self, position: Position) -> Verdict:
        return Verdict(position.outcome, None)

    def best_move(self, position: Position) -> Move | None:
        unknown = not position.misere and None in position.theorem.values and not position.table.answers
        by_theorem = position.theorem.first_moves(1) if unknown and position.theorem.outcome == "N" else []
        return next(iter(by_theorem or position.iter_winning_moves()), None) or last_of_first(position)


class _ByLoopyValues(Adviser):
    """Finds moves that win or draw in a loopy sum of any size, by the values of its components.

    A won game ends: from one move of the winner to the next, the total of the components' values decreases, or it stays
    the same and the total of their ``counter`` in the solution decreases.
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


@checks_parameters
def adviser(
    start: GameLike, *, loopy: bool = False, product_limit: int = PRODUCT_LIMIT, progress: Progress | None = None
) -> Adviser:
    """Return an adviser for the positions of a match from a start.

    Parameters
    ----------
    start : GameLike
        See :class:`Match`.
    loopy : bool
        Whether to allow cycles, so that play need not end.
    product_limit : int
        The limit on the positions of the graph of a sum. For a larger sum the adviser uses the values of the
        components, theorems or tables: its moves win, but perhaps not as fast as possible.
    progress : callable, optional
        Called as ``progress(positions, moves)`` while the game is explored.

    Raises
    ------
    LimitError
        The game is too large for its graph, and no values, theorems or tables can be used instead.
    CycleError
        Play need not end, and ``loopy`` is False.

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
        if not (too_large_a_sum or (not loopy and _needs_no_graph(start))):
            raise
    if loopy and isinstance(solution := solve(start.graph(), loopy=loopy), LoopySolution):
        return _ByLoopyValues(solution)
    return _ByValues(start)


def _needs_no_graph(start: Position) -> bool:
    """Return True for Nim, if :func:`_needs_no_search`, or if theorems give the normal-play value of some component."""
    any_value = any(value is not None for value in start.theorem.values)
    return start.theorem.heaps is not None or _needs_no_search(start) or (any_value and not start.misere)


def _needs_no_search(start: Position) -> bool:
    """Return True if :attr:`Table.answers`, or if there is only one component and theorems are enough for it.

    Theorems are enough if they give the outcome of ``start`` and of the position after each of its first 200 moves.
    """
    if start.table.answers or start.theorem.outcome is None or len(start.components) != 1:
        return start.table.answers
    afters = (start.after(move) for move in islice(legal_moves(start), _MOST_MOVES_TRIED))
    return all(after.theorem.outcome is not None for after in afters)


def _rank(after: Verdict) -> tuple[int, int]:
    """Return a key to sort moves by the verdict after them: fast wins, slow wins, draws, late losses, early losses."""
    return "PDN".index(after.outcome), after.length or 0 if after.outcome == "P" else -(after.length or 0)


def last_of_first(position: Position) -> Move | None:
    """Return a move for a player who loses; None without moves.

    In a game with decided positions, it is the first of the position's first 200 moves after which the opponent cannot
    win at once; without such a move, the first move. In other games, it is the first move of the first component that
    has one or, if that component's options are a ``range``, its last move, such as taking 1 from a heap.
    """
    if position.decides:
        moves = list(islice(legal_moves(position), _MOST_MOVES_TRIED))
        continuing = (move for move in moves if isinstance(position.after(move).nim_sum, int))
        return next(continuing, moves[0] if moves else None)
    for index, component in enumerate(position.components):
        options = options_of(component)
        ends = options[-1:] if isinstance(options, range) else options
        for end in ends:
            return Move(index, component, component._replace(position=end))
    return None


Side = Literal["first", "second"]

SIDES: tuple[Side, Side] = ("first", "second")

_MOST_MOVES = 100_000
_REPETITIONS = 3


class Match:
    """A match: the positions and moves so far, and who has won.

    When a position comes up for the third time, the match is a draw; this can happen only if play need not end.

    Parameters
    ----------
    start : GameLike
        A position or the text of one, or the tokens on a graph: see :class:`GameGraph`.

    Attributes
    ----------
    positions : list of Position
        The start, and the position after each move.
    moves : list of Move
        The moves; ``start`` and ``end`` of a move are components.
    resigned : {"first", "second"} or None
        The player who has resigned.

    Examples
    --------
    >>> match = Match("nim(1,2)")
    >>> match.move(match.position.winning_moves()[0])
    >>> match.position, match.mover, match.winner
    (nim(1) + nim(1), 'second', None)
    """

    def __init__(self, start: GameLike) -> None:
        self.start = Position.of(start)
        self.positions = [self.start]
        self.moves: list[Move] = []
        self.resigned: Side | None = None
        self._times = Counter([self.start])

    def __repr__(self) -> str:
        turn = self.result if self.winner else f"{self.mover} to move"
        return f"<Match: {self.position}, {turn} after {plural(len(self.moves), 'move')}>"

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def mover(self) -> Side:
        """The player to move."""
        return SIDES[len(self.moves) % 2]

    @property
    def repeats(self) -> bool:
        """Whether the current position has come up three times or more."""
        return self._times[self.position] >= _REPETITIONS

    @property
    def is_stuck(self) -> bool:
        """Whether the current position has no move."""
        return next(legal_moves(self.position), None) is None

    @property
    def winner(self) -> Literal["first", "second", "draw"] | None:
        """The winner, or "draw"; None while the match continues."""
        if self.resigned is not None:
            return _other(self.resigned)
        if (decided := self.position.decided) is not None:
            return _other(self.mover) if decided == "P" else self.mover
        if self.is_stuck:
            return self.mover if self.start.misere else _other(self.mover)
        return "draw" if self.repeats else None

    @property
    def result(self) -> str:
        """``first wins``, ``second wins``, ``first resigns``, ``second resigns``, ``draw``, or ``unfinished``."""
        if self.resigned is not None:
            return f"{self.resigned} resigns"
        winner = self.winner
        return "unfinished" if winner is None else winner if winner == "draw" else f"{winner} wins"

    def move(self, move: Move) -> None:
        """Make a move. The caller must make sure that it is one of :func:`legal_moves`.

        Raises
        ------
        ParameterError
            The match is over.
        LimitError
            The match has had 100,000 moves.
        """
        if self.winner is not None:
            raise ParameterError("the game is over: {result}", self.result)
        if len(self.moves) == _MOST_MOVES:
            raise LimitError("the game is stopped after {most:,} moves", _MOST_MOVES)
        self.positions.append(self.position.after(move))
        self.moves.append(move)
        self._times[self.position] += 1

    def undo(self) -> None:
        """Take back the resignation if a player has resigned, otherwise the last move.

        Raises
        ------
        ParameterError
            There is no move to take back.
        """
        if self.resigned is not None:
            self.resigned = None
        elif self.moves:
            self._times[self.position] -= 1
            del self.moves[-1], self.positions[-1]
        else:
            raise ParameterError("there is no move to take back")

    def resign(self) -> None:
        """Let the player to move resign.

        Raises
        ------
        ParameterError
            The match is over.
        """
        if self.winner is not None:
            raise ParameterError("the game is over: {result}", self.result)
        self.resigned = self.mover


def _other(side: Side) -> Side:
    return SIDES[1 - SIDES.index(side)]


class Computer:
    """A player that makes the best move or, with some probability, a random move.

    Parameters
    ----------
    adviser : Adviser
    error : float
        The probability of a random move, from 0 to 1; with 0 each move is the adviser's best move.
    seed : int, optional
        A seed for the random choices: with the same seed they are the same.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> position = parse_position("nim(3,4,5)")
    >>> Computer(adviser(position)).choose(position)
    Move(component=0, start=nim(3), end=nim(1))
    """

    def __init__(self, adviser: Adviser, error: float = 0.0, seed: int | None = None) -> None:
        if not 0 <= error <= 1:
            raise ParameterError("invalid error={error}: expected the probability of a random move, from 0 to 1", error)
        self.adviser = adviser
        self.error = error
        self._random = Random(seed)

    def choose(self, position: Position) -> Move | None:
        """Return the move that the computer makes; None if there is no move."""
        if self.error and self._random.random() < self.error:
            return self._random_move(position)
        return self.adviser.best_move(position)

    def _random_move(self, position: Position) -> Move | None:
        components = list(enumerate(() if position.decided else position.components))
        self._random.shuffle(components)
        for index, component in components:
            options = options_of(component)
            if isinstance(options, range) and options:  # A range may be too long for len() and choice().
                end: Hashable = options[self._random.randrange((options[-1] - options[0]) // options.step + 1)]
            elif listed := list(islice(options, MOST_LISTED)):
                end = self._random.choice(listed)
            else:
                continue
            return Move(index, component, component._replace(position=end))
        return None
