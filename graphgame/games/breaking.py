"""Heaps that a move may break: Lasker's Nim, Grundy's game, Couples are Forever, and splits of other kinds."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from graphgame.errors import OptionError, ParseError, shorten
from graphgame.games.heap import Heap
from graphgame.rules.ruleset import Ruleset, Sum

__all__ = ["Breaking", "Couples", "Grundy", "Lasker", "Split", "partitions"]

_KINDS = ("", "equal", "unequal", "not all equal")
_MOST_HEAPS = 4
_SPLIT = re.compile(
    r"\s*(?:(?P<least>\d{1,9})(?:\s*\.\.\s*(?P<most>\d{1,9}))?)?\s*(?P<kind>|equal|unequal|not\s+all\s+equal)\s*",
    re.ASCII,
)


class Breaking(Heap):
    """A game whose moves may split a heap."""

    largest = 10_000


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

    def options(self, position: int) -> Iterator[int | Sum]:
        """Return all smaller heaps, and all pairs that the heap splits into."""
        yield from range(position)
        yield from _pairs(position)

    def closed_form(self, position: int) -> int:
        """Return the heap's size, with 4k+3 and 4k+4 exchanged."""
        return position + (position % 4 == 3) - (position % 4 == 0 and position > 0)

    def options_of_value(self, position: int, value: int) -> Iterator[Hashable]:
        """Return the one heap of this value, if it is smaller, and the pairs of this value."""
        heap = self.closed_form(value)  # the exchange undoes itself
        if heap < position:
            yield heap
        yield from self.of_value(_pairs(position), value)


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


class Couples(Breaking):
    """Couples are Forever: split a heap in two, but never a heap of 2.

    ``couples(9)`` is a heap of 9.

    Notes
    -----
    A heap of n + 1 has the value of n in Officers, the octal game 0.6: whether the values are periodic is open.

    References
    ----------
    I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski, Periods in taking and splitting games, American Mathematical
    Monthly 106 (1999). OEIS A046695.

    Examples
    --------
    >>> list(Couples().options(5)), list(Couples().options(2))
    ([Sum(1, 4), Sum(2, 3)], [])
    """

    def options(self, position: int) -> Iterator[Sum]:
        """Return the pairs."""
        return _pairs(position) if position != 2 else iter(())


class Split(Breaking):
    """Split a heap into two or more, of which sizes the rules say.

    ``split{2..3}(9)`` splits a heap into 2 or 3; ``split{unequal}(9)`` into two of different sizes, as Grundy's game
    does; ``split{2..3 unequal}(9)`` into 2 or 3, no two of one size, ``split{2..3 not all equal}(9)`` into 2 or 3 that
    are not all of one size; ``split{equal}(9)`` into any number of equal heaps, ``split{2..3 equal}(9)`` into 2 or 3.

    Parameters
    ----------
    least, most : int
        How many heaps a move leaves, 2..4; or ``most`` None: any number, which only equal heaps may be.
    kind : {"", "equal", "unequal", "not all equal"}

    Raises
    ------
    OptionError
        There are no such rules.

    Notes
    -----
    Split into any number of equal heaps: the value is the number of odd prime factors of the heap, each as often as it
    divides it, and 1 more if the heap is even. For an even number of equal heaps has the value 0, an odd number
    that of one.

    References
    ----------
    P. M. Grundy, Mathematics and games, Eureka 2 (1939).

    Examples
    --------
    >>> list(Split(2, 3, "not all equal").options(6))
    [Sum(1, 5), Sum(2, 4), Sum(1, 1, 4), Sum(1, 2, 3)]
    >>> list(Split(3, 3, "unequal").options(8))
    [Sum(1, 2, 5), Sum(1, 3, 4)]
    >>> list(Split(2, None, "equal").options(6))
    [Sum(3, 3), Sum(2, 2, 2), Sum(1, 1, 1, 1, 1, 1)]
    """

    def __init__(self, least: int = 2, most: int | None = 2, kind: str = "") -> None:
        if kind not in _KINDS:
            raise OptionError(f"unknown kind {shorten(kind)}: expected one of {', '.join(map(repr, _KINDS))}")
        if not 2 <= least <= (least if most is None else most) or (
            kind != "equal" and (most or _MOST_HEAPS + 1) > _MOST_HEAPS
        ):
            wanted = "2 or more" if kind == "equal" else f"2 to {_MOST_HEAPS}"
            raise OptionError(f"a move cannot leave {least}..{most} heaps: expected {wanted}, the smaller number first")
        if most == 2 and kind == "not all equal":
            kind = "unequal"
        self.least, self.most, self.kind = least, most, kind
        number = "" if most is None else f"{least}" if least == most else f"{least}..{most}"
        self.arguments = "unequal" if (most, kind) == (2, "unequal") else f"{number} {kind}".strip()
        self.largest = 10_000 if most in (None, 2) or kind == "equal" else {3: 1000, 4: 200}[most]

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for ``2..3``, ``unequal``, ``3 unequal``, ``2..3 not all equal``, ``equal``, ``3 equal``."""
        found = _SPLIT.fullmatch(text)
        if found is None or not text.strip():
            raise ParseError(
                "expected how a heap is split, such as 2..3, unequal, equal or 2..3 not all equal", column=1
            )
        kind = " ".join(found["kind"].split())
        least = int(found["least"] or 2)
        most = int(found["most"]) if found["most"] else None if found["least"] is None and kind == "equal" else least
        try:
            return cls(least, most, kind)
        except OptionError as error:
            raise ParseError(str(error), column=1) from None

    def options(self, position: int) -> Iterator[Sum]:
        """Return the sums of smaller heaps, of fewer heaps first."""
        for parts in range(self.least, min(position if self.most is None else self.most, position) + 1):
            if self.kind == "equal":
                if position % parts == 0:
                    yield Sum([position // parts] * parts)
            else:
                for sizes in partitions(position, parts, apart=int(self.kind == "unequal")):
                    if not self.kind or sizes[0] != sizes[-1]:
                        yield Sum(sizes)


def partitions(total: int, parts: int, least: int = 1, apart: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield the sums of two or more parts that make a total; each part is so far, or more, above the one before."""
    if parts == 2:
        for first in range(least, (total - apart) // 2 + 1):
            yield first, total - first
        return
    for first in range(least, total // parts + 1):
        for rest in partitions(total - first, parts - 1, first + apart, apart):
            yield first, *rest


def _pairs(heap: int) -> Iterator[Sum]:
    """Yield the pairs of heaps that a heap splits into."""
    return map(Sum, partitions(heap, 2))
