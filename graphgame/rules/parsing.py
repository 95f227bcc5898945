"""Read integers from a piece of a longer text; errors have the column in the longer text."""

from __future__ import annotations

from collections.abc import Iterator

from graphgame import errors
from graphgame.errors import Message, ParseError

ARGUMENTS = r"(?:\{(?P<arguments>[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+)\}\s*+)?"
"""A regular expression for optional arguments in braces after the name of a game; they may contain one inner level."""

_MOST_DIGITS = 4000


def fields(text: str, separator: str = ",") -> Iterator[tuple[str, int]]:
    """Yield each piece between separators with the index of its first character in the text.

    Examples
    --------
    >>> list(fields("13:4, 7"))
    [('13:4', 0), (' 7', 5)]
    """
    start = 0
    for piece in text.split(separator):
        yield piece, start
        start += len(piece) + len(separator)


class placed:  # noqa: N801
    """A context manager for code that reads a piece of a text: a ParseError gets its column in the whole text.

    ``start`` is the index of the piece. If the whole text is passed as ``text``, the error shows it, and an
    UnknownPositionError gets it and the column too. Errors in files are not changed. A @contextmanager would be slower.
    """

    def __init__(self, start: int, text: str | None = None) -> None:
        self._start, self._text = max(start, 0), text

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ParseError) and error.source is None:  # an error in a file has its column there
            error.column = self._start + (error.column or 1)
            if self._text is not None:
                error.line, error.text = error.line or 1, self._text
        elif error is not None and self._text is not None and isinstance(error, errors.UnknownPositionError):
            error.column, error.text = self._start + (error.column or 1), self._text


def integer(text: str, start: int = 0, *, what: str, least: int = 0, most: int | None = None) -> int:
    """Return the integer that a text writes, from ``least`` to ``most``.

    Parameters
    ----------
    text : str
        A piece of a longer text.
    start : int
        The index of the piece in the longer text.
    what : str
        What the integer is, for errors: ``a heap's size``.
    least, most : int
        The bounds, inclusive; no upper bound if ``most`` is None.

    Raises
    ------
    ParseError
        The text is no integer, has over 4,000 digits, or is out of bounds. The error has the column in the longer text.
    """
    digits, column = text.strip(), start + len(text) - len(text.lstrip()) + 1
    plain = digits.removeprefix("-")
    if "," in digits:
        raise ParseError("expected one integer, {quantity}", what, column=start + text.index(",") + 1)
    if not (plain.isascii() and plain.isdecimal()):
        raise ParseError("expected an integer, {quantity}, but found {digits!r}", what, digits, column=column)
    if len(plain) > _MOST_DIGITS:
        raise ParseError(
            "{quantity} has {count:,} digits: expected at most {most:,}", what, len(plain), _MOST_DIGITS, column=column
        )
    number = int(digits)
    if number < least or (most is not None and number > most):
        bounds = Message("{least} or more", least) if most is None else f"{least}..{most}"
        raise ParseError("{quantity} is {number!r}: expected {bounds}", what, number, bounds, column=column)
    return number


def integers(text: str, start: int = 0, *, what: str, least: int = 0, most: int | None = None) -> list[int]:
    """Return the integers between the commas of a text; parameters and errors are those of :func:`integer`.

    Examples
    --------
    >>> integers("3, 4,5", what="a heap's size")
    [3, 4, 5]
    """
    return [integer(piece, start + shift, what=what, least=least, most=most) for piece, shift in fields(text)]
