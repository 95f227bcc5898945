"""Euclid, the game of Euclid's algorithm."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import isqrt

import numpy as np

from graphgame.errors import Message
from graphgame.labs.tables.wythoff import Pair
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.ruleset import About

_LARGEST_TABLE = 5_000
"""The maximum number of rows, and of columns, of a table that is computed in memory."""


class Euclid(Pair):
    """The rules of Euclid.

    Examples
    --------
    >>> list(Euclid().options((7, 25)))
    [(7, 18), (7, 11), (4, 7)]
    >>> Euclid().closed_form((7, 25))
    3
    """

    about = About(
        "Euclid: subtract a positive multiple of the smaller number from the larger one.",
        "``euclid(25,7)`` are the numbers 25 and 7. No number may become negative.",
        theorem="Let a be the smaller number, and r the remainder of the larger number divided by a. The values of "
        "(a, r + a), (a, r + 2a), ... are 0, 1, 2, ... without the value of (r, a). So Euclid's algorithm gives the "
        "value in O(log n) steps. A position is N exactly when the numbers are equal or one is more than phi times the "
        "other, where phi is the golden ratio.",
        source="A. J. Cole, A. J. T. Davie, A game based on the Euclidean algorithm and a winning strategy for it, The "
        "Mathematical Gazette 53 (1969).",
        ending="Whoever makes a 0 wins.",
    )

    def _left(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        small = min(position)
        if small:
            for rest in range(max(position) - small, -1, -small):
                yield (small, rest) if position[0] == small else (rest, small)

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves on two numbers as statements; None if ``size`` is not 2.

        A move subtracts the smaller number once, and then the same number again, as often as it fits.
        """
        once = ("0 < b and b <= a and a' = a - b and b' = b", "0 < a and a <= b and a' = a and b' = b - a")
        again = ("0 < b and 2*b <= a and a' = a - b and b' = b", "0 < a and 2*a <= b and a' = a and b' = b - a")
        return DeclaredMoves(("a", "b"), once, followed=again) if size == 2 else None

    def closed_form(self, position: tuple[int, int]) -> int:
        small, large = self.canonical(position)
        quotients = []
        while small:
            quotients.append(large // small)
            small, large = large % small, small
        # Start from the last division. By the theorem, the values for the quotients 1, 2, ... count up from 0 and skip
        # the value of the pair of the divisor and the remainder.
        value = 0
        for quotient in reversed(quotients):
            value = quotient - (quotient <= value)
        return value

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        if misere or len(shape) != 2 or max(shape) > _LARGEST_TABLE:
            return None
        size = max(shape)
        values = np.zeros((size, size), np.int32)
        for small in range(1, size):
            # The same formula for a whole row: the values of all pairs with a smaller number are known.
            quotients, rests = np.divmod(np.arange(small, size), small)
            values[small, small:] = values[small:, small] = quotients - (quotients <= values[rests, small])
        return values[: shape[0], : shape[1]]

    def reason(self, position: tuple[int, int]) -> str:
        """Return a comparison of the larger number with phi times the smaller one.

        If a number is 0, or both are equal, return a sentence that says this.
        """
        small, large = self.canonical(position)
        if small in (0, large):
            return Message("one number is 0") if not small else Message("the numbers are equal")
        # floor(10 phi small), because phi = (1 + sqrt(5)) / 2; integers keep it exact for large numbers.
        tenths = (10 * small + isqrt(500 * small * small)) // 2
        sign = ">" if 10 * large > tenths else "<"
        return f"{large} {sign} {small} phi = {tenths // 10}.{tenths % 10}..."

    def options_of_value(self, position: tuple[int, int], value: int) -> Iterable[Hashable]:
        """Return the option with this value in a list, or an empty list: no two options have the same value."""
        small, large = self.canonical(position)
        if not small:
            return []
        rest = large % small
        last = self.closed_form((rest, small))
        multiple = 0 if value == last else value + (value < last)
        return [self.canonical((small, rest + multiple * small))] if multiple < large // small else []
