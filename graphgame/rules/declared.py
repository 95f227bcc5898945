"""Moves that a ruleset declares as statements in text; the lab ``laws`` uses them to find and prove laws."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphgame.errors import ParameterError

_NAME = re.compile("[a-z]")

__all__ = ["DeclaredMoves", "DeclaredTurns"]


@dataclass(frozen=True)
class DeclaredMoves:
    """The moves of a game whose positions are tuples of integers, as statements about the integers before and after.

    Attributes
    ----------
    names : tuple of str
        One small letter, a to z, for each integer of a position.
    moves : tuple of str
        Statements such as ``"a' < a and b' = b"``, where ``a'`` is the integer ``a`` after the move. A move is legal if
        one of them holds.
    positions : str
        A statement that holds for the tuples that are positions.
    weights : tuple of int
        The weight of each integer, 0 or more, in a weighted sum that every move decreases; by default 1. A weight
        may also be -1 if the statement ``positions`` implies that the sum is 0 or more.
    followed : tuple of str
        Steps to other positions, in the form of ``moves``. They are no moves, but a position also has the options of
        each position after a step. If "take m once" is both a move and a step, a move may take any multiple of m.
    starts : str
        A statement that holds for the positions that the notation can name; empty if that is every position. This is
        for games whose notation omits the last integers, because these are about earlier moves.

    Raises
    ------
    ParameterError
        The names are not different small letters, there is not one weight for each name, or a weight is negative (with
        a statement ``positions``: less than -1).

    Examples
    --------
    >>> wythoff = DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b", "a' < a and a - a' = b - b'"))
    >>> wythoff.weights
    (1, 1)
    """

    names: tuple[str, ...]
    moves: tuple[str, ...]
    positions: str = "True"
    weights: tuple[int, ...] = ()
    followed: tuple[str, ...] = ()
    starts: str = ""

    def __post_init__(self) -> None:
        if not self.weights:
            object.__setattr__(self, "weights", (1,) * len(self.names))
        least = 0 if self.positions == "True" else -1
        if len(self.weights) != len(self.names) or min(self.weights, default=0) < least:
            raise ParameterError(
                "invalid weights {weights}: expected one for each name, each {least} or more", self.weights, least
            )
        if len({*self.names}) < len(self.names) or not all(map(_NAME.fullmatch, self.names)):
            raise ParameterError("invalid names {names}: expected different letters from a to z", self.names)


@dataclass(frozen=True)
class DeclaredTurns:
    """The moves of a coin-turning game: which coins a move may turn together with its last coin.

    Coins lie in places 1, 2, 3, ... A move turns the coin in place n from heads to tails, and perhaps some below n.

    Attributes
    ----------
    sets : tuple of pairs of str
        One pair for each kind of move: a letter for the place of each other coin that the move turns, and a statement
        about these letters and n. A move is legal if the statement holds.
    runs : str
        A statement about a <= n: where it holds, a move may turn all coins from place a to n. Empty: no such moves.

    Examples
    --------
    >>> turning_turtles = DeclaredTurns((("", "True"), ("a", "a < n")))
    """

    sets: tuple[tuple[str, str], ...]
    runs: str = ""
