"""Ways to write numbers in digits, the most significant first, in which sums and comparisons are known to automata."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache

import numpy as np

__all__ = ["Base", "Numeration", "Quadratic", "numeration_of"]

_LARGEST_WEIGHT = 1 << 62

Remainder = tuple[int, int]
"""What the digits read so far come to, in units of the places still to be read."""


class Numeration(ABC):
    """Digits 0, 1, ... with a weight for each place.

    Attributes
    ----------
    name : str
        What :func:`numeration_of` reads.
    digits : int
        How many digits there are.
    follows : ndarray of int, shape (states, digits)
        Which words are numbers: the state after each digit, or -1 where that digit may not follow. All states are good
        to end in, and the first one is where a word begins.
    """

    name: str
    digits: int
    follows: np.ndarray

    @abstractmethod
    def weights(self, length: int) -> list[int]:
        """Return the weights of so many places, the least first."""

    @abstractmethod
    def step(self, read: Remainder, digit: int) -> Remainder:
        """Return what the digits come to when one more is read, which may be a sum of several numbers' digits."""

    @abstractmethod
    def sign(self, read: Remainder, most: int, constant: int) -> int:
        """Return 1 or -1 where a sum keeps this sign whatever follows, else 0.

        ``most`` is the sum of the absolute coefficients, so that what follows is less than ``most`` units.
        """

    def total(self, read: Remainder) -> int:
        """Return what all digits come to when none is left."""
        return read[0] + read[1]

    def words(self, numbers: np.ndarray, length: int) -> np.ndarray:
        """Return the digits of numbers, the most significant first.

        Returns
        -------
        ndarray of int8, shape (length, *numbers.shape)

        Raises
        ------
        OverflowError
            A number has more digits.
        """
        weights = self.weights(length)
        rest = np.array(numbers, np.int64 if weights[-1] < _LARGEST_WEIGHT else object)
        found = np.empty((length, *rest.shape), np.int8)
        for place, weight in enumerate(reversed(weights)):
            found[place], rest = rest // weight, rest % weight
            if place == 0 and (found[0] >= self.digits).any():
                raise OverflowError(f"a number has more than {length} digits")
        return found

    def number(self, word: list[int]) -> int:
        """Return the number of a word."""
        return sum(digit * weight for digit, weight in zip(reversed(word), self.weights(len(word)), strict=True))

    def length(self, number: int) -> int:
        """Return how many digits a number has, at least one."""
        length = 1
        while self.weights(length + 1)[-1] <= number:
            length += 1
        return length


class Base(Numeration):
    """The ordinary digits to a base.

    >>> Base(2).words(np.array([6]), 4)[:, 0].tolist()
    [0, 1, 1, 0]
    """

    def __init__(self, base: int) -> None:
        self.name = f"base {base}"
        self.digits = base
        self.follows = np.zeros((1, base), np.int32)

    def weights(self, length: int) -> list[int]:
        """Return the powers of the base."""
        return [self.digits**place for place in range(length)]

    def step(self, read: Remainder, digit: int) -> Remainder:
        """Return the sum, one place further."""
        return self.digits * read[0] + digit, 0

    def sign(self, read: Remainder, most: int, constant: int) -> int:
        """Return the sign of the sum where it is too large to be made up for."""
        if abs(read[0]) < most + abs(constant) + 1:
            return 0
        return 1 if read[0] > 0 else -1


class Quadratic(Numeration):
    """The numeration with the weights W(n) = a W(n-1) + W(n-2), from 1 and a + 1: for a = 1 that of Zeckendorf.

    Digits are 0..a, and after an a stands 0.

    >>> Quadratic(1).words(np.array([11]), 5)[:, 0].tolist()
    [1, 0, 1, 0, 0]
    """

    def __init__(self, a: int) -> None:
        self.a = a
        self.name = "Fibonacci" if a == 1 else f"Fibonacci {a}"
        self.digits = a + 1
        self.follows = np.array([[0] * a + [1], [0] + [-1] * a], np.int32)

    def weights(self, length: int) -> list[int]:
        """Return the weights from the recurrence."""
        found = [1, self.a + 1]
        while len(found) < length:
            found.append(self.a * found[-1] + found[-2])
        return found[:length]

    def step(self, read: Remainder, digit: int) -> Remainder:
        """Return the sum in units of the next two weights."""
        return self.a * read[0] + read[1] + digit, read[0]

    def sign(self, read: Remainder, most: int, constant: int) -> int:
        """Return the sign that u W(r) + v W(r-1) keeps for every number r of places left.

        What follows is less than ``most`` times W(r), so u is lessened by that. Two consecutive r decide, for the
        recurrence keeps what is positive positive.
        """
        for sign in (1, -1):
            u, v = sign * read[0] - most, sign * read[1]
            if min(u + v, (self.a + 1) * u + v) > abs(constant):
                return sign
        return 0


@cache
def numeration_of(name: str) -> Numeration:
    """Return a numeration by its name.

    Raises
    ------
    ValueError
        No numeration has this name.

    Examples
    --------
    >>> numeration_of("base 3").digits, numeration_of("Fibonacci").weights(5)
    (3, [1, 2, 3, 5, 8])
    """
    kind, _, number = name.partition(" ")
    size = int(number) if number.isdecimal() and len(number) < 3 else None
    if kind == "base" and size is not None and 2 <= size <= 16:
        return Base(size)
    if kind == "Fibonacci" and (size or 1) <= 15 and (size is not None or not number):
        return Quadratic(size or 1)
    raise ValueError(f"unknown numeration {name!r}: expected base 2 to 16, Fibonacci, or Fibonacci 2 to 15")
