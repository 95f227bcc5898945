"""Matches, move by move, and the computer as a player."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Literal

from graphgame.errors import LimitError, ParameterError, plural
from graphgame.graph.gamegraph import GameLike
from graphgame.play.advice import Adviser
from graphgame.play.moves import MOST_LISTED, legal_moves, options_of
from graphgame.rules.position import Component, Position
from graphgame.solution.results import Move

Side = Literal["first", "second"]

SIDES: tuple[Side, Side] = ("first", "second")

_MOST_MOVES = 100_000
_REPETITIONS = 3


class Match:
    """A match: the positions and moves so far, and who has won.

    A position that comes up for the third time ends the match as a draw; this happens only if play need not end.

    Parameters
    ----------
    start : GameLike
        A position or the text of one, or the tokens on a graph: see :class:`GameGraph`.

    Attributes
    ----------
    positions : list of Position
        The start, and the position after each move.
    moves : list of Move
        The moves; their start and end are components.
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
        """Whether the current position has come up three times."""
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
        """Make a move, which must be one of :func:`legal_moves`.

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
        """Take back the last move, or the resignation.

        Raises
        ------
        ParameterError
            No move was made.
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
        The probability of a random move, from 0 to 1; 0 is perfect play.
    seed : int, optional
        A seed for the random choices: with the same seed they are the same.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> from graphgame.play import adviser
    >>> position = parse_position("nim(3,4,5)")
    >>> Computer(adviser(position)).choose(position)
    Move(component=0, start=nim(3), end=nim(1))
    """

    def __init__(self, adviser: Adviser, error: float = 0.0, seed: int | None = None) -> None:
        if not 0 <= error <= 1:
            raise ParameterError("invalid chance to err {error}: expected 0 to 1", error)
        self.adviser = adviser
        self.error = error
        self._random = Random(seed)

    def choose(self, position: Position) -> Move | None:
        """Return the move that the computer makes; None if there is no move."""
        if self.error and self._random.random() < self.error:
            return self._random_move(position)
        return self.adviser.best_move(position)

    def _random_move(self, position: Position) -> Move | None:
        components = list(enumerate(position.components))
        self._random.shuffle(components)
        moves = (self._random_move_in(index, component) for index, component in components)
        return next((move for move in moves if move is not None), None)

    def _random_move_in(self, index: int, component: Component) -> Move | None:
        options = options_of(component)
        if not isinstance(options, range):
            options = list(islice(options, MOST_LISTED))
        if not options:
            return None
        if isinstance(options, list):
            end = self._random.choice(options)
        else:  # a range may be too long for len() and choice()
            end = options[self._random.randrange((options[-1] - options[0]) // options.step + 1)]
        return Move(index, component, component._replace(position=end))
