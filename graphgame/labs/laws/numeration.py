"""Ways to write numbers in digits, the most significant first, in which sums and comparisons are known to automata."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cache

import numpy as np

from graphgame.errors import Message

_LARGEST_WEIGHT = 1 << 62
_MOST_DIGITS = 16
_SIZES = re.compile("[0-9]{1,2}(,-?[0-9]{1,2})?")

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
        return read[0]

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
                raise OverflowError(Message("a number has more than {length} digits", length))
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
        self.name = Message("base {base}", base)
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
        # With r places left the sum is at least (|u| - most) W(r) away from 0: no constant makes up for that.
        return 1 if read[0] > 0 else -1


class Quadratic(Numeration):
    """The numeration with the weights W(n) = a W(n-1) + b W(n-2): for a = b = 1 that of Zeckendorf.

    With b from 1 to a, the weights begin with 1 and a + 1, digits are 0..a, and after an a stands less than b. With b
    below 0, where a is at least 2 - b, they begin with 1 and a, digits are 0..a-1, and after an a-1 and any number of
    digits d = a+b-1 stands no more than d. So W(n) / W(n-1) tends to a root of x**2 = a x + b that is larger than 1,
    the other one being smaller: that is why sums are known to automata (Frougny 1992).

    What digits come to are u and w, which stand for u W(r) + b w W(r-1) where r digits are left.

    >>> Quadratic(1).words(np.array([11]), 5)[:, 0].tolist()
    [1, 0, 1, 0, 0]
    >>> Quadratic(4, -1).weights(5)
    [1, 4, 15, 56, 209]
    """

    def __init__(self, a: int, b: int = 1) -> None:
        self.a, self.b = a, b
        factors = f"{a},{b}" if b != 1 else f"{a}" if a != 1 else ""
        self.name = Message("Fibonacci {factors}", factors) if factors else Message("Fibonacci")
        self.digits = a + (b > 0)
        # Two states: after a word that is not as large as can be, any digit; after one that is, no more than ``lower``.
        lower = b if b > 0 else self.digits + b - 1
        rest = self.digits - lower
        after = [0] * lower + ([-1] * rest if b > 0 else [1] + [-1] * (rest - 1))
        self.follows = np.array([[0] * (self.digits - 1) + [1], after], np.int32)

    def weights(self, length: int) -> list[int]:
        """Return the weights from the recurrence."""
        found = [1, self.digits]
        while len(found) < length:
            found.append(self.a * found[-1] + self.b * found[-2])
        return found[:length]

    def step(self, read: Remainder, digit: int) -> Remainder:
        """Return the sum in units of the next two weights."""
        return self.a * read[0] + self.b * read[1] + digit, read[0]

    def sign(self, read: Remainder, most: int, constant: int) -> int:
        """Return the sign that u W(r) + b w W(r-1) keeps for every number r of places left.

        What follows is less than ``most`` times W(r), so u is lessened by that. With b above 0 two consecutive r
        decide, for the recurrence keeps what is positive positive. With b below 0, W(r-1) / W(r) lies between 0 and
        1 / (a + b), and what is linear in it is decided at both ends.
        """
        # Tried for a positive sum, and for the opposite of a negative one.
        for sign in (1, -1):
            u, w = sign * read[0] - most, sign * read[1]
            ends = (u + w, self.digits * u + self.b * w) if self.b > 0 else (u, u + self.b * w // (self.a + self.b))
            if min(ends) > abs(constant):
                return sign
        return 0

    def total(self, read: Remainder) -> int:
        """Return what all digits come to: W(-1) is 1 / b, or 0 with b below 0."""
        return sum(read) if self.b > 0 else read[0]


def states_text(states: int, numeration: str) -> Message:
    """Return how many states an automaton has, over the digits of which numeration."""
    return Message("{states} states over {numeration} digits", states, numeration)


@cache
def numeration_of(name: str) -> Numeration:
    """Return a numeration by its name.

    Raises
    ------
    ValueError
        No numeration has this name.

    Examples
    --------
    >>> numeration_of("base 3").digits, numeration_of("Fibonacci").weights(5), numeration_of("Fibonacci 2,2").weights(4)
    (3, [1, 2, 3, 5, 8], [1, 3, 8, 22])
    """
    kind, _, number = name.partition(" ")
    sizes = [int(each) for each in number.split(",")] if _SIZES.fullmatch(number) else []
    if kind == "base" and len(sizes) == 1 and 2 <= sizes[0] <= _MOST_DIGITS:
        return Base(sizes[0])
    if kind == "Fibonacci" and (sizes or not number):
        a, b = (*(sizes or [1]), 1)[:2]
        if 1 <= a < _MOST_DIGITS and (1 <= b <= a or 2 - a <= b < 0):
            return Quadratic(a, b)
    raise ValueError(
        Message(
            "unknown numeration {name!r}: expected base 2 to 16, or Fibonacci with the factors of a recurrence", name
        )
    )
