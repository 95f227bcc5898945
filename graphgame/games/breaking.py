"""Heaps that a move may break in two: Lasker's Nim and Grundy's game."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from graphgame.games.heap import Heap, integers
from graphgame.ruleset import Sum

__all__ = ["Breaking", "Grundy", "Lasker"]


class Breaking(Heap):
    """A game whose moves may split a heap.

    Attributes
    ----------
    most : int
        Largest heap that a text may name, for a heap has many options.
    """

    most = 10_000

    def parse(self, text: str) -> Hashable:
        """Return a size, or the sum of the sizes between commas."""
        sizes = integers(text, what="a heap's size", most=self.most)
        return sizes[0] if len(sizes) == 1 else Sum(sizes)


class Lasker(Breaking):
    """Lasker's Nim: take any positive number from one heap, or split a heap in two and take none.

    ``lasker(2,2,3)`` are heaps of 2, 2 and 3.

    Notes
    -----
    The values are g(4k+1) = 4k+1, g(4k+2) = 4k+2, g(4k+3) = 4k+4 and g(4k+4) = 4k+3.

    References
    ----------
    E. Lasker, Brettspiele der Völker (1931). E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.

    Examples
    --------
    >>> [Lasker().closed_form(heap) for heap in range(9)]
    [0, 1, 2, 4, 3, 5, 6, 8, 7]
    """

    most = 1_000_000

    def options(self, position: int) -> Iterator[int | Sum]:
        """Return all smaller heaps, and all pairs that the heap splits into."""
        yield from range(position)
        for small in range(1, position // 2 + 1):
            yield Sum((small, position - small))

    def closed_form(self, position: int) -> int:
        """Return the heap's size, with 4k+3 and 4k+4 exchanged."""
        return position + (position % 4 == 3) - (position % 4 == 0 and position > 0)


class Grundy(Breaking):
    """Grundy's game: split a heap into two heaps of different sizes.

    ``grundy(8)`` is a heap of 8; heaps of 1 and 2 cannot be split.

    Notes
    -----
    Whether the sequence of values is periodic is open.

    References
    ----------
    P. M. Grundy, Mathematics and games, Eureka 2 (1939). OEIS A002188.

    Examples
    --------
    >>> list(Grundy().options(5))
    [Sum(1, 4), Sum(2, 3)]
    """

    def options(self, position: int) -> Iterator[Sum]:
        """Return the pairs of different sizes."""
        for small in range(1, (position + 1) // 2):
            yield Sum((small, position - small))
