"""What heap games share: positions that are sizes, several heaps as a sum, and the reading of numbers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from graphgame.errors import ParseError, shorten
from graphgame.pictures import Picture, heap
from graphgame.ruleset import Ruleset, Sum

__all__ = ["Heap", "integer", "integers"]

_MOST_DIGITS = 4000


class Heap(Ruleset):
    """A game whose positions are heaps: a position is a size, several heaps are their sum.

    Attributes
    ----------
    largest : int or None
        Largest heap that a text may name where no theorem gives its value, for it has many options.
    """

    largest: int | None = None

    def parse(self, text: str) -> Hashable:
        """Return a size, or the sum of the sizes between commas."""
        sizes = integers(text, what="a heap's size")
        if self.largest is not None and any(self.closed_form(s) is None for s in sizes if s > self.largest):
            integers(text, what="a heap's size, where no theorem gives its value,", most=self.largest)
        return sizes[0] if len(sizes) == 1 else Sum(sizes)

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return the size, or the sizes between commas."""
        return ",".join(map(str, position)) if isinstance(position, Sum) else str(position)

    def picture(self, position: int) -> Picture | None:
        """Return the pieces of the heap."""
        return heap(position)


def integers(text: str, *, what: str, least: int = 0, most: int | None = None) -> list[int]:
    """Read integers between commas.

    Parameters
    ----------
    text : str
    what : str
        What each is, for the errors.
    least, most : int, optional
        Bounds, inclusive.

    Raises
    ------
    ParseError
        Says the column, from 1.

    Examples
    --------
    >>> integers("3, 4,5", what="a heap's size")
    [3, 4, 5]
    """
    numbers, column = [], 1
    for part in text.split(","):
        start = column + len(part) - len(part.lstrip())
        numbers.append(_integer(part.strip(), start, what, least, most))
        column += len(part) + 1
    return numbers


def integer(text: str, *, what: str, least: int = 0, most: int | None = None) -> int:
    """Read one integer; the errors are those of :func:`integers`."""
    if "," in text:
        raise ParseError(f"expected one integer, {what}", column=text.index(",") + 1)
    return integers(text, what=what, least=least, most=most)[0]


def _integer(digits: str, column: int, what: str, least: int, most: int | None) -> int:
    plain = digits.removeprefix("-")
    if not (plain.isascii() and plain.isdecimal() and len(plain) <= _MOST_DIGITS):
        raise ParseError(f"expected an integer, {what}, but found {shorten(digits)}", column=column)
    number = int(digits)
    if number < least or (most is not None and number > most):
        bounds = f"{least} or more" if most is None else f"{least}..{most}"
        raise ParseError(f"{what} is {shorten(number)}: expected {bounds}", column=column)
    return number
