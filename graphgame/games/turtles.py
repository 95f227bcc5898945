"""The coin-turning games that have names of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from graphgame.games.coins import Coins, Item, Shape
from graphgame.rules.ruleset import Ruleset

__all__ = [
    "Grunt",
    "Mobius",
    "MockTurtles",
    "Mogul",
    "Moidores",
    "Ruler",
    "Triplets",
    "TurningTurtles",
    "Turnips",
    "Twins",
]


class _Named(Coins):
    """A coin-turning game whose turning set has a name."""

    turning: tuple[Collection[int] | None, Shape]

    def __init__(self) -> None:
        super().__init__(*self.turning)
        self.arguments = ""

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules; they have no arguments."""
        return super(Coins, cls).from_text(text)


class TurningTurtles(_Named):
    """Turning Turtles: turn one coin from heads to tails, and if you like any one left of it.

    ``turning-turtles(thht)`` gives the coins from left to right, ``turning-turtles(2,3)`` the heads.

    Notes
    -----
    A head at place n, counted from 1, has the value n: this is Nim.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [TurningTurtles().value(place) for place in range(1, 9)]
    [1, 2, 3, 4, 5, 6, 7, 8]
    """

    turning = ([1, 2], "any")


class MockTurtles(_Named):
    """Mock Turtles: turn up to three coins, the rightmost from heads to tails.

    ``mock-turtles(htththtth)`` gives the coins from left to right, ``mock-turtles(1,4,6,9)`` the heads.

    Notes
    -----
    A head at place n, counted from 1, has as its value the n-th odious number: those with an odd number of binary
    ones.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [MockTurtles().value(place) for place in range(1, 9)]
    [1, 2, 4, 7, 8, 11, 13, 14]
    """

    turning = ([1, 2, 3], "any")


class Ruler(_Named):
    """Ruler: turn any number of neighbouring coins, the rightmost from heads to tails.

    ``ruler(ththh)`` gives the coins from left to right, ``ruler(2,4,5)`` the heads.

    Notes
    -----
    A head at place n, counted from 1, has as its value the largest power of 2 that divides n.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Ruler().value(place) for place in range(1, 9)]
    [1, 2, 1, 4, 1, 2, 1, 8]
    """

    turning = (None, "adjacent")


class Twins(_Named):
    """Twins: turn exactly two coins, the right one from heads to tails.

    ``twins(thht)`` gives the coins from left to right, ``twins(2,3)`` the heads.

    Notes
    -----
    A head at place n, counted from 1, has the value n - 1.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Twins().value(place) for place in range(1, 9)]
    [0, 1, 2, 3, 4, 5, 6, 7]
    """

    turning = ([2], "any")


class Triplets(_Named):
    """Triplets: turn exactly three coins, the rightmost from heads to tails.

    ``triplets(thhth)`` gives the coins from left to right, ``triplets(2,3,5)`` the heads.

    Notes
    -----
    A head at place n, counted from 1, has the (n - 2)-th odious number as its value, and 0 where n is 1 or 2.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Triplets().value(place) for place in range(1, 9)]
    [0, 0, 1, 2, 4, 7, 8, 11]
    """

    turning = ([3], "any")


class Turnips(_Named):
    """Turnips, or Ternups: turn three coins at equal distances, the rightmost from heads to tails.

    ``turnips(thhthh)`` gives the coins from left to right, ``turnips(2,3,5,6)`` the heads.

    Notes
    -----
    Write the place, counted from 0, in ternary: the value is the k-th odious number where the k-th digit from the
    right is the first that is 2, and 0 without a digit 2.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Turnips().value(place) for place in range(1, 9)]
    [0, 0, 1, 0, 0, 1, 2, 2]
    """

    turning = ([3], "spaced")


class Grunt(_Named):
    """Grunt: turn four coins in a symmetrical pattern, the first of the row among them, the last from heads to tails.

    ``grunt(tthh)`` gives the coins from left to right, ``grunt(3,4)`` the heads.

    Notes
    -----
    A head at place n, counted from 1, has the value of a heap of n - 1 in Grundy's game: the coins between the first
    and the head are two unequal heaps.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Grunt().value(place) for place in range(1, 11)]
    [0, 0, 0, 1, 0, 2, 1, 0, 2, 1]
    """

    turning = ([4], "any")

    def turning_sets(self, place: int, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
        """Yield the items of the first coin and of a pair between it and the coin at a place, from 0."""
        for gap in range(1, (place + 1) // 2):
            yield items[0], items[gap], items[place - gap]


class Mobius(_Named):
    """Möbius: turn up to five coins, the rightmost from heads to tails.

    ``mobius(thhth)`` gives the coins from left to right, ``mobius(2,3,5)`` the heads.

    Notes
    -----
    On 18 coins the P-positions are a code with the symmetries of the projective line over the field of 17 elements.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Mobius().value(place) for place in range(1, 9)]
    [1, 2, 4, 8, 16, 31, 32, 64]
    """

    turning = (range(1, 6), "any")


class Mogul(_Named):
    """Mogul: turn up to seven coins, the rightmost from heads to tails.

    ``mogul(thhth)`` gives the coins from left to right, ``mogul(2,3,5)`` the heads.

    Notes
    -----
    On 24 coins the P-positions are the words of the extended binary Golay code.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Mogul().value(place) for place in range(1, 9)]
    [1, 2, 4, 8, 16, 32, 64, 127]
    """

    turning = (range(1, 8), "any")


class Moidores(_Named):
    """Moidores: turn up to nine coins, the rightmost from heads to tails.

    ``moidores(thhth)`` gives the coins from left to right, ``moidores(2,3,5)`` the heads.

    Notes
    -----
    The first nine values are powers of 2, and the tenth is their xor: it undoes the other nine.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> [Moidores().value(place) for place in range(1, 9)]
    [1, 2, 4, 8, 16, 32, 64, 128]
    """

    turning = (range(1, 10), "any")
