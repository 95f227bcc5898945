"""The reading of texts made of pieces: numbers, ranges and lists, whose errors point into the whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphgame.errors import Message, ParseError

ARGUMENTS = r"(?:\{(?P<arguments>[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+)\}\s*+)?"
"""A pattern of what stands between braces after the name of a game, perhaps with braces within."""

_MOST_DIGITS = 4000


def fields(text: str, separator: str = ",") -> Iterator[tuple[str, int]]:
    """Yield the pieces between separators, each with the place where it starts, from 0.

    Examples
    --------
    >>> list(fields("13:4, 7"))
    [('13:4', 0), (' 7', 5)]
    """
    start = 0
    for piece in text.split(separator):
        yield piece, start
        start += len(piece) + len(separator)


@contextmanager
def placed(start: int) -> Iterator[None]:
    """Move the column of a ParseError by the place, from 0, where a piece starts in a longer text."""
    try:
        yield
    except ParseError as error:
        error.column = start + (error.column or 1)
        raise


def integer(text: str, start: int = 0, *, what: str, least: int = 0, most: int | None = None) -> int:
    """Read one integer within bounds, inclusive; errors say what it is and its column, from 1, in a longer text.

    ``start`` is its place in that text, from 0.
    """
    digits, column = text.strip(), start + len(text) - len(text.lstrip()) + 1
    plain = digits.removeprefix("-")
    if "," in digits:
        raise ParseError("expected one integer, {what}", what, column=start + text.index(",") + 1)
    if not (plain.isascii() and plain.isdecimal()):
        raise ParseError("expected an integer, {what}, but found {digits!r}", what, digits, column=column)
    if len(plain) > _MOST_DIGITS:
        raise ParseError(
            "{what} has {count:,} digits: expected at most {most:,}", what, len(plain), _MOST_DIGITS, column=column
        )
    number = int(digits)
    if number < least or (most is not None and number > most):
        bounds = Message("{least} or more", least) if most is None else f"{least}..{most}"
        raise ParseError("{what} is {number!r}: expected {bounds}", what, number, bounds, column=column)
    return number


def integers(text: str, start: int = 0, *, what: str, least: int = 0, most: int | None = None) -> list[int]:
    """Read integers between commas; the parameters and errors are those of :func:`integer`.

    Examples
    --------
    >>> integers("3, 4,5", what="a heap's size")
    [3, 4, 5]
    """
    return [integer(piece, start + place, what=what, least=least, most=most) for piece, place in fields(text)]


def ranges(text: str, start: int = 0, *, what: str, least: int = 0, most: int) -> list[int]:
    """Read integers and ranges ``a..b`` between commas; the parameters and errors are those of :func:`integer`.

    Examples
    --------
    >>> ranges("1..3,7", what="what one may take", most=10)
    [1, 2, 3, 7]
    """
    numbers: list[int] = []
    for piece, place in fields(text):
        at = start + place
        ends = [integer(end, at + shift, what=what, least=least, most=most) for end, shift in fields(piece, "..")]
        if len(ends) > 2:
            raise ParseError("expected a number or a range such as 1..5", column=at + 1)
        if ends[0] > ends[-1]:
            raise ParseError(
                "the range {piece!r} is empty: expected the smaller number first", piece.strip(), column=at + 1
            )
        numbers += range(ends[0], ends[-1] + 1)
    return numbers


def number_and_rest(
    piece: str, start: int, *, what: str, least: int = 0, most: int | None = None
) -> tuple[int, str, int]:
    """Read the number before a colon; return it with the text after the colon and where that starts.

    The text after it is empty where there is no colon.

    Examples
    --------
    >>> number_and_rest("13:4", 0, what="a heap's size")
    (13, '4', 3)
    """
    number, colon, rest = piece.partition(":")
    place = start + len(number) + 1
    if colon and not rest.strip():
        raise ParseError("expected a number after the colon", column=place + 1)
    return integer(number, start, what=what, least=least, most=most), rest, place
