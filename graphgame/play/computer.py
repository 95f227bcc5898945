"""The computer as a player."""

from __future__ import annotations

from itertools import islice
from random import Random

from graphgame.errors import OptionError
from graphgame.play.advice import Adviser
from graphgame.play.moves import MOST_LISTED, options_of
from graphgame.results import Move
from graphgame.rules.position import Component, Position


class Computer:
    """A player that makes the best move, or with a stated chance any move.

    Parameters
    ----------
    adviser : Adviser
    error : float
        The chance of a move at random, 0 to 1; 0 is perfect play.
    seed : int, optional
        The same seed makes the same choices.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> from graphgame.play import adviser
    >>> position = parse_position("nim(3,4,5)")
    >>> Computer(adviser(position)).choose(position)
    Move(component=0, start=nim(3), end=nim(1))
    """

    def __init__(self, adviser: Adviser, error: float = 0.0, seed: int | None = None) -> None:
        if not 0 <= error <= 1:
            raise OptionError("invalid chance to err {error}: expected 0 to 1", error)
        self.adviser = adviser
        self.error = error
        self._random = Random(seed)

    def choose(self, position: Position) -> Move | None:
        """Return the move that it makes; None where there is none."""
        if self.error and self._random.random() < self.error:
            return self._any(position)
        return self.adviser.best_move(position)

    def _any(self, position: Position) -> Move | None:
        components = list(enumerate(position.components))
        self._random.shuffle(components)
        moves = (self._any_in(place, component) for place, component in components)
        return next((move for move in moves if move is not None), None)

    def _any_in(self, place: int, component: Component) -> Move | None:
        options = options_of(component)
        if not isinstance(options, range):
            options = list(islice(options, MOST_LISTED))
        if not options:
            return None
        end = self._random.choice(options) if isinstance(options, list) else self._any_of_range(options)
        return Move(place, component, component._replace(position=end))

    def _any_of_range(self, options: range) -> int:
        """Return any member of a range that may be longer than ``len`` can say."""
        return options[self._random.randrange((options[-1] - options[0]) // options.step + 1)]
