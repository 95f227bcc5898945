"""Fibonacci Nim: how many one may take depends on how many were taken last."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Literal

from graphgame.rules.parsing import fields, integer, number_and_rest
from graphgame.rules.pictures import Picture, beside, heap, note
from graphgame.rules.ruleset import Ruleset, Sum

__all__ = ["Fibonacci", "fibonacci_outcome"]


class Fibonacci(Ruleset):
    """Fibonacci Nim: take at least 1 and at most twice what was taken last; the first may take all but one.

    ``fibonacci(13)`` is a heap of 13 before the first move, ``fibonacci(10:4)`` a heap of 10 from which one may
    take at most 4. Several heaps between commas are their sum, each with a last move of its own.

    Notes
    -----
    A position is the heap and the most that one may take. A heap before the first move is P exactly when it is a
    Fibonacci number; :func:`fibonacci_outcome` knows all positions.

    References
    ----------
    M. J. Whinihan, Fibonacci Nim, The Fibonacci Quarterly 1 (1963). A. J. Schwenk, Take-away games, The Fibonacci
    Quarterly 8 (1970).

    Examples
    --------
    >>> list(Fibonacci().options((5, 4)))
    [(4, 2), (3, 3), (2, 2), (1, 1)]
    """

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Return what is left, with the most that may be taken next."""
        heap, most = position
        for taken in range(1, min(most, heap) + 1):
            yield heap - taken, min(2 * taken, heap - taken)

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the heap, and the most that may be taken and is there."""
        return position[0], min(position)

    def outcome_form(self, position: tuple[int, int]) -> Literal["P", "N"]:
        """Return who wins, by Zeckendorf's sum."""
        return fibonacci_outcome(*position)

    def parse(self, text: str) -> Hashable:
        """Return a heap ``13`` before the first move or ``10:4`` in the game, or the sum of heaps between commas."""
        heaps = [_heap(piece, start) for piece, start in fields(text)]
        return heaps[0] if len(heaps) == 1 else Sum(heaps)

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return ``heap:most``, or several between commas."""
        if isinstance(position, Sum):
            return ",".join(map(self.format, position))
        return f"{position[0]}:{position[1]}"

    def picture(self, position: tuple[int, int]) -> Picture | None:
        """Return the heap, and the most that may be taken."""
        size, most = position
        return beside([heap(size), note(f"≤{most}")])


def fibonacci_outcome(heap: int, most: int | None = None) -> Literal["P", "N"]:
    """Return who wins Fibonacci Nim: the previous player ("P") or the next ("N"); for heaps of any size.

    Parameters
    ----------
    heap : int
    most : int, optional
        The most that one may take; by default all but one, as before the first move.

    Notes
    -----
    Write the heap as a sum of Fibonacci numbers of which no two are neighbours (Zeckendorf): the player to move wins
    exactly when the least of them may be taken. O(log heap).

    Examples
    --------
    >>> [heap for heap in range(1, 60) if fibonacci_outcome(heap) == "P"]
    [1, 2, 3, 5, 8, 13, 21, 34, 55]
    """
    allowed = heap - 1 if most is None else most
    return "N" if heap > 0 and _least_part(heap) <= allowed else "P"


def _least_part(heap: int) -> int:
    """Return the least Fibonacci number of a positive number's Zeckendorf sum."""
    while True:
        low, high = 1, 2
        while high <= heap:
            low, high = high, low + high
        if heap == low:
            return low
        heap -= low


def _heap(piece: str, start: int) -> tuple[int, int]:
    heap, rest, place = number_and_rest(piece, start, what="a heap's size")
    return heap, integer(rest, place, what="the most one may take", most=heap) if rest else max(heap - 1, 0)
