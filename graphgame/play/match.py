"""Match: a game while it is played."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from graphgame.errors import LimitError, OptionError, plural
from graphgame.graph import GameLike
from graphgame.play.moves import legal_moves
from graphgame.results import Move
from graphgame.rules.position import Position

Side = Literal["first", "second"]

SIDES: tuple[Side, Side] = ("first", "second")

_MOST_MOVES = 100_000
_REPETITIONS = 3


class Match:
    """A game while it is played: the positions so far, and who has won.

    A position that comes up for the third time ends it as a draw, which only happens where play need not end.

    Parameters
    ----------
    start : GameLike
        A position or the text of one, or the tokens on a graph: see :class:`GameGraph`.

    Attributes
    ----------
    positions : list of Position
        The start, then what each move left.
    moves : list of Move
        Start and end are components.
    resigned : {"first", "second"} or None

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
        """The sum as it stands."""
        return self.positions[-1]

    @property
    def mover(self) -> Side:
        """Who is to move."""
        return SIDES[len(self.moves) % 2]

    @property
    def repeats(self) -> bool:
        """Whether the position has come up three times."""
        return self._times[self.position] >= _REPETITIONS

    @property
    def is_stuck(self) -> bool:
        """Whether there is no move."""
        return next(legal_moves(self.position), None) is None

    @property
    def winner(self) -> Literal["first", "second", "draw"] | None:
        """Who has won; None while the game goes on."""
        if self.resigned is not None:
            return _other(self.resigned)
        if (decided := self.position.decided) is not None:
            return _other(self.mover) if decided == "P" else self.mover
        if self.is_stuck:
            return self.mover if self.start.play == "misere" else _other(self.mover)
        return "draw" if self.repeats else None

    @property
    def result(self) -> str:
        """``first wins``, ``second resigns``, ``draw`` and so on; ``unfinished`` while the game goes on."""
        if self.resigned is not None:
            return f"{self.resigned} resigns"
        winner = self.winner
        return "unfinished" if winner is None else winner if winner == "draw" else f"{winner} wins"

    def move(self, move: Move) -> None:
        """Make a move of :func:`legal_moves`.

        Raises
        ------
        OptionError
            The game is over.
        LimitError
            It has had 100,000 moves.
        """
        if self.winner is not None:
            raise OptionError("the game is over: {result}", self.result)
        if len(self.moves) == _MOST_MOVES:
            raise LimitError("the game is stopped after {most:,} moves", _MOST_MOVES)
        self.positions.append(self.position.after(move))
        self.moves.append(move)
        self._times[self.position] += 1

    def undo(self) -> None:
        """Take back the last move, or the resignation.

        Raises
        ------
        OptionError
            There is none.
        """
        if self.resigned is not None:
            self.resigned = None
        elif self.moves:
            self._times[self.position] -= 1
            del self.moves[-1], self.positions[-1]
        else:
            raise OptionError("there is no move to take back")

    def resign(self) -> None:
        """Let the player to move give up.

        Raises
        ------
        OptionError
            The game is over.
        """
        if self.winner is not None:
            raise OptionError("the game is over: {result}", self.result)
        self.resigned = self.mover


def _other(side: Side) -> Side:
    return SIDES[1 - SIDES.index(side)]
