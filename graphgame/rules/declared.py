"""Moves and turns that rules declare as statements, for the finder and the prover of laws."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphgame.errors import ParameterError

_NAME = re.compile("[a-z]")

__all__ = ["DeclaredMoves", "DeclaredTurns", "number_names"]


@dataclass(frozen=True)
class DeclaredMoves:
    """Moves of a game whose positions are tuples of numbers, as statements about the numbers before and after.

    Attributes
    ----------
    names : tuple of str
        Of the numbers.
    moves : tuple of str
        Each a statement such as ``"a' < a and b' = b"``; a move is one that any of them allows between positions.
    positions : str
        A statement that says which tuples are positions.
    weights : tuple of int
        What each number counts in a total that every move lowers; by default 1. Where one counts less than 0, the
        statement about positions must keep the total at 0 or more.
    followed : tuple of str
        Statements that lead to positions whose options are options too: so moves that take k times what one takes
        are said one by one.
    starts : str
        Where a text has fewer numbers than there are names: which positions it names. The text has the first names.

    Raises
    ------
    ParameterError
        Names are not different letters, or weights are not one for each, 0 or more.

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
            raise ParameterError("invalid weights {weights}: expected one for each name, 0 or more", self.weights)
        if len({*self.names}) < len(self.names) or not all(map(_NAME.fullmatch, self.names)):
            raise ParameterError("invalid names {names}: expected different letters", self.names)


@dataclass(frozen=True)
class DeclaredTurns:
    """Which coins may be turned together with the head at place n, from 1: the last coin that the move turns.

    Attributes
    ----------
    sets : tuple of pairs of str
        The names of the other coins' places, letters, and a statement about these and n.
    runs : str
        A statement about a and n, where all coins from place a, at most n, to n may be turned; empty where none may.

    Examples
    --------
    >>> turning_turtles = DeclaredTurns((("", "True"), ("a", "a < n")))
    """

    sets: tuple[tuple[str, str], ...]
    runs: str = ""


def number_names(count: int) -> tuple[str, ...]:
    """Return names for so many numbers: n, or a, b, c, ...

    >>> number_names(1), number_names(3)
    (('n',), ('a', 'b', 'c'))
    """
    return ("n",) if count == 1 else tuple("abcdefgh"[:count])
