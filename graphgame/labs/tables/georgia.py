"""Chips on a strip that do not pass each other: Georgia and Bob, which is the Silver Dollar game without the dollar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from graphgame.errors import Message, NoPositionError
from graphgame.labs.tables.strips import Staircase
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, Picture, strip
from graphgame.rules.ruleset import About, Ruleset, xor_text

_WIDEST = 60


class Georgia(Ruleset):
    """The rules of Georgia and Bob.

    Examples
    --------
    >>> list(Georgia().options((1, 4)))
    [(1, 2), (1, 3)]
    >>> print(Georgia().board((1, 4)))
    o..o
    """

    about = About(
        "Georgia and Bob: move one chip any number of free squares to the left, not over another, one chip a square.",
        "``georgia(1,3,7)`` has chips on the squares 1, 3 and 7; square 1 is the last to the left, or another one that "
        "stands in braces: ``georgia{0}(0,2,6)``.",
        theorem="The gaps to the left of the chips, from the last chip on, are the steps of staircase Nim: the value "
        "is the xor of the gaps before the last chip, the last but two, and so on.",
        source="POJ 1704, Georgia and Bob. J. H. Conway, On Numbers and Games (1976), chapter 11, the Silver Dollar "
        "game.",
    )

    filling = Cell("square")
    _stairs = Staircase()

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.arguments = "" if first == 1 else str(first)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for the square that is the last to the left, 1 where none is given."""
        return cls(integer(text, what=Message("the square that is the last to the left"))) if text.strip() else cls()

    def options(self, position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        lowest = self.first
        for chip, square in enumerate(position):
            for end in range(lowest, square):
                yield (*position[:chip], end, *position[chip + 1 :])
            lowest = square + 1

    def closed_form(self, position: tuple[int, ...]) -> int:
        """Return the xor of every other gap, the last among them."""
        return self._stairs.closed_form(self._gaps(position))

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        """Return the xor of every other gap; -1 where two chips are on one square."""
        squares = np.sort(np.stack(np.broadcast_arrays(*numbers)), axis=0)
        gaps = np.diff(squares, axis=0, prepend=self.first - 1)[::-1] - 1
        apart = (gaps >= 0).all(axis=0)
        return np.where(apart, self._stairs.values_at(list(gaps)), -1)

    def reason(self, position: tuple[int, ...]) -> str:
        """Return the xor of every other gap."""
        return Message(
            "the gaps before the last chip, the last but two, ...: {gaps}", xor_text(self._gaps(position)[::2])
        )

    def options_of_value(self, position: tuple[int, ...], value: int) -> Iterable[tuple[int, ...]]:
        """Return the options of this value, at most one for each chip."""
        return map(self._squares, self._stairs.options_of_value(self._gaps(position), value))

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the squares of the chips, given in any order, in increasing order."""
        squares: set[int] = set()
        for piece, start in fields(text):
            square = integer(piece, start, what=Message("a chip's square"), least=self.first)
            if square in squares:
                place = start + len(piece) - len(piece.lstrip()) + 1
                raise NoPositionError("two chips on square {square}: expected one chip a square", square, column=place)
            squares.add(square)
        return tuple(sorted(squares))

    def board(self, position: tuple[int, ...]) -> str:
        if max(position) > _WIDEST:
            return self.format(position)
        return "".join("o" if square in position else "." for square in range(self.first, max(position) + 1))

    def picture(self, position: tuple[int, ...]) -> Picture | None:
        return strip(self.first, Counter(position))

    def _gaps(self, position: tuple[int, ...]) -> tuple[int, ...]:
        before = (self.first - 1, *position)
        return tuple(square - left - 1 for left, square in zip(before, position, strict=False))[::-1]

    def _squares(self, gaps: tuple[int, ...]) -> tuple[int, ...]:
        square, squares = self.first - 1, []
        for gap in reversed(gaps):
            square += gap + 1
            squares.append(square)
        return tuple(squares)
