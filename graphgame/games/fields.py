"""The reading of texts made of fields: pieces between separators, and numbers whose errors point into the whole."""

from __future__ import annotations

from collections.abc import Iterator

from graphgame.errors import ParseError
from graphgame.games.heap import integer

__all__ = ["field", "fields", "heap_and_rest"]


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


def field(piece: str, start: int, *, what: str, least: int = 0, most: int | None = None) -> int:
    """Read one integer that starts at a place of a longer text; the bounds are inclusive.

    Raises
    ------
    ParseError
        Says the column in the longer text, from 1.
    """
    try:
        return integer(piece, what=what, least=least, most=most)
    except ParseError as error:
        error.column = start + (error.column or 1)
        raise


def heap_and_rest(
    piece: str, start: int, *, what: str, least: int = 0, most: int | None = None
) -> tuple[int, str, int]:
    """Read the number before a colon; return it with the text after the colon and where that starts.

    The text after it is empty where there is no colon.

    Raises
    ------
    ParseError
        Says the column in the longer text, from 1.

    Examples
    --------
    >>> heap_and_rest("13:4", 0, what="a heap's size")
    (13, '4', 3)
    """
    number, colon, rest = piece.partition(":")
    place = start + len(number) + 1
    if colon and not rest.strip():
        raise ParseError("expected a number after the colon", column=place + 1)
    return field(number, start, what=what, least=least, most=most), rest, place
