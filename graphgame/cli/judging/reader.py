"""The numbers of a judge's input, case by case; every wrong one is pointed at."""

from __future__ import annotations

from collections.abc import Iterator

from graphgame.errors import Message, ParseError, plural
from graphgame.io.files import Source
from graphgame.io.scanner import Numbers

LARGEST = 10**18 - 1
"""The largest number that an input may hold."""

MOST = 10**7
"""The most numbers that one case may hold."""

_ALL = 2**62


class CaseReader:
    r"""Reads cases of numbers, split at any white space, a block of the input at a time.

    Examples
    --------
    >>> reader = CaseReader(Source(b"2\n3 4\n"))
    >>> reader.numbers(reader.number("how many"), "a heap"), reader.ended()
    ([3, 4], True)
    """

    def __init__(self, source: Source) -> None:
        self._numbers = Numbers(source)
        self._values: list[int] = []
        self._at = 0

    def ended(self) -> bool:
        """Tell whether nothing follows."""
        return self._at == len(self._values) and not self._advance(Message("a number"))

    def number(self, what: str, least: int = 0, most: int = LARGEST) -> int:
        """Return the next number; see :meth:`numbers`."""
        return self.numbers(1, what, least, most)[0]

    def numbers(self, count: int, what: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the next numbers, each from ``least`` to ``most``; ``what`` says in errors what one is."""
        found: list[int] = []
        while len(found) < count:
            if self._at == len(self._values) and not self._advance(what):
                raise self._numbers.error_at_end(Message("the input ends too early: expected {what}", what))
            part = self._values[self._at : self._at + count - len(found)]
            if min(part) < least or max(part) > most:
                raise self._out_of_bounds(part, what, least, most)
            self._at += len(part)
            found += part
        return found

    def cases(self) -> Iterator[int]:
        """Read the number of cases, and yield the number of each, from 1; nothing may follow the last."""
        count = self.number(Message("the number of cases"))
        yield from range(1, count + 1)
        self.finish(Message("the header promises {cases}", plural(count, "case")))

    def counted_cases(self, what: str, least: int = 0, most: int = LARGEST) -> Iterator[list[int]]:
        """Read the number of cases, and yield each, which is a size and as many numbers."""
        for _ in self.cases():
            yield self.counted(what, least, most)

    def counted(self, what: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the numbers of a case that begins with its size."""
        return self.numbers(self.number(Message("the size of a case"), most=MOST), what, least, most)

    def finish(self, reason: str) -> None:
        """Raise a ParseError if anything follows."""
        if not self.ended():
            self._at += 1
            raise self.error(Message("expected the end of the input: {reason}", reason))

    def error(self, message: str, back: int = 1) -> ParseError:
        """Return an error at the number read ``back`` numbers ago, or the last one where that is too long ago."""
        place = self._at - (back if back <= self._at else 1)
        return self._numbers.error(message, len(self._values) - place)

    def _out_of_bounds(self, part: list[int], what: str, least: int, most: int) -> ParseError:
        index = next(index for index, value in enumerate(part) if not least <= value <= most)
        self._at += index + 1
        bounds = f"{least} or more" if most == LARGEST else f"{least}..{most}"
        return self.error(Message("{what} is {number!r}: expected {bounds}", what, part[index], bounds))

    def _advance(self, what: str) -> bool:
        """Go on to the next numbers; return False at the end."""
        self._numbers.expected = what
        self._values = self._numbers.take(_ALL).tolist()
        self._at = 0
        return bool(self._values)
