"""Moves and turns that rules declare as statements, for the finder and the prover of laws."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graphgame.errors import Message

_NAME = re.compile("[a-z]")

__all__ = ["DeclaredMoves", "DeclaredTurns", "number_names", "side_by_side"]


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
    ValueError
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
            raise ValueError(Message("invalid weights {weights}: expected one for each name, 0 or more", self.weights))
        if len({*self.names}) < len(self.names) or not all(map(_NAME.fullmatch, self.names)):
            raise ValueError(Message("invalid names {names}: expected different letters", self.names))


@dataclass(frozen=True)
class DeclaredTurns:
    """Which coins of a row may be turned with its last head, at place n from 1.

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


def side_by_side(parts: Iterable[DeclaredMoves]) -> DeclaredMoves:
    """Return the moves of a sum: one in any part, the others left as they are.

    >>> heap = DeclaredMoves(("n",), ("n' < n",))
    >>> side_by_side([heap, heap]).moves
    ("a' < a and b' = b", "b' < b and a' = a")
    """
    given = list(parts)
    if len(given) == 1:
        return given[0]
    names = number_names(sum(len(part.names) for part in given))
    moves: list[str] = []
    positions: list[str] = []
    weights: list[int] = []
    followed: list[str] = []
    first = 0
    for part in given:
        own = names[first : first + len(part.names)]
        kept = "".join(f" and {name}' = {name}" for name in names if name not in own)
        moves += [f"{_bracketed(_renamed(move, part.names, own))}{kept}" for move in part.moves]
        followed += [f"{_bracketed(_renamed(move, part.names, own))}{kept}" for move in part.followed]
        positions.append(_renamed(part.positions, part.names, own))
        weights += part.weights
        first += len(own)
    where = " and ".join(f"({each})" for each in positions)
    return DeclaredMoves(names, tuple(moves), where, tuple(weights), tuple(followed))


def _renamed(statement: str, old: tuple[str, ...], new: tuple[str, ...]) -> str:
    names = dict(zip(old, new, strict=True))
    return re.sub(r"[A-Za-z]\w*", lambda match: names.get(match[0], match[0]), statement)


def _bracketed(statement: str) -> str:
    return f"({statement})" if " or " in statement else statement
