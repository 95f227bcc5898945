"""Chocolate bars, broken along their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import ClassVar

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.games.grid_text import Sheet, sides
from graphgame.rules.parsing import integer
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import About, Ruleset, Sum, xor_text

_MOST = 10**6
_MOST_DRAWN = 40

Bar = tuple[int, int]
Bitter = tuple[int, int, int, int]


class Chocolate(Sheet):
    """The rules of the chocolate bar.

    Examples
    --------
    >>> list(Chocolate().options((3, 1)))
    [Sum((1, 1), (2, 1))]
    >>> Chocolate().closed_form((4, 5))
    1
    """

    about = About(
        "The chocolate bar: break any one piece along a line into two.",
        "``chocolate(4x5)`` is a bar 4 wide and 5 high.",
        theorem="Each break makes one piece more, so a bar of m times n squares takes mn - 1 breaks however it is "
        "played: its value is (mn - 1) mod 2.",
        source="P. Winkler, Mathematical Puzzles: A Connoisseur's Collection (2004).",
        ending="Whoever has nothing to break loses.",
    )

    most = _MOST
    kind = "sweet"

    def options(self, position: Bar) -> Iterator[Sum]:
        width, height = position
        for cut in range(1, width // 2 + 1):
            yield Sum([(cut, height), (width - cut, height)])
        for cut in range(1, height // 2 + 1):
            yield Sum([(width, cut), (width, height - cut)])

    def closed_form(self, position: Bar) -> int:
        return (position[0] * position[1] - 1) % 2

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        width, height = numbers
        return np.asarray((width * height - 1) % 2)

    def reason(self, position: Bar) -> str:
        """Return how many breaks there are."""
        squares = position[0] * position[1]
        return Message(
            "{squares} squares take {squares2} breaks, an {closed_form} number",
            squares,
            squares - 1,
            Message("odd") if self.closed_form(position) else Message("even"),
        )

    def least_size(self, position: Bar) -> tuple[int, int]:
        """Return half of the bars within the bar, and their breaks across the longer side."""
        high, wide = sorted(position)
        return (high * wide + 1) // 2, high * (wide * wide // 4) // 2


class BitterChocolate(Ruleset):
    """The rules of the bitter square.

    Examples
    --------
    >>> bar = BitterChocolate().parse("4x5@2,3")
    >>> bar, BitterChocolate().closed_form(bar)
    ((1, 2, 2, 2), 3)
    """

    about = About(
        "The bitter square: break the bar along a line and eat the part without the bitter square.",
        "Whoever is left with the bitter square alone loses. ``bitter-chocolate(4x5)`` is a bar 4 wide and 5 high "
        "whose square at the top left is bitter; in ``bitter-chocolate(4x5@2,3)`` it is in column 2 and row 3. A "
        "position is the number of columns left and right of the bitter square and of rows above and below it.",
        theorem="This is Nim in disguise, with four heaps: the value is the xor of the four numbers.",
        source="A. C. Robin, A poisoned chocolate problem, The Mathematical Gazette 73 (1989).",
    )

    cells: ClassVar = {"o": "sweet", "x": "poison"}
    number_signs = "x@,"

    def options(self, position: Bitter) -> Iterator[tuple[int, ...]]:
        """Return what is left when columns or rows on one side of the bitter square are eaten."""
        for side, count in enumerate(position):
            for left in range(count):
                yield (*position[:side], left, *position[side + 1 :])

    def closed_form(self, position: Bitter) -> int:
        left, right, above, below = position
        return left ^ right ^ above ^ below

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        width, height, column, row = (*numbers, *np.ones(2, np.int64))[:4]
        return np.asarray((column - 1) ^ (width - column) ^ (row - 1) ^ (height - row))

    def reason(self, position: Bitter) -> str:
        return Message("beside the bitter square, {position}", xor_text(position))

    def least_size(self, position: Bitter) -> tuple[int, int]:
        """Return an eighth of the bars within the bar, for so many may be the same by symmetry."""
        bars = -(-prod(count + 1 for count in position) // 8)
        return bars, bars - 1

    def canonical(self, position: Bitter) -> tuple[int, ...]:
        """Return the bar or one of its turns and reflections."""
        columns, rows = sorted(position[:2]), sorted(position[2:])
        return (*min(columns, rows), *max(columns, rows))

    def parse(self, text: str) -> Bitter:
        """Return the bar written ``WxH`` or ``WxH@COLUMN,ROW``."""
        bar, at, place = text.partition("@")
        width, height = sides(bar, most=_MOST)
        if not at:
            return 0, width - 1, 0, height - 1
        first, comma, second = place.partition(",")
        if not comma:
            raise ParseError("expected the bitter square's column and row, such as 2,3", column=len(bar) + 2)
        column = integer(first, len(bar) + 1, what=Message("the bitter square's column"), least=1, most=width)
        row = integer(second, len(bar) + len(first) + 2, what=Message("the bitter square's row"), least=1, most=height)
        return column - 1, width - column, row - 1, height - row

    def format(self, position: Bitter) -> str:
        left, right, above, below = position
        return f"{left + right + 1}x{above + below + 1}@{left + 1},{above + 1}"

    def board(self, position: Bitter) -> str:
        """Return the bar; ``x`` is the bitter square."""
        left, right, above, below = position
        plain = "o" * (left + right + 1)
        return "\n".join([*[plain] * above, "o" * left + "x" + "o" * right, *[plain] * below])

    def picture(self, position: Bitter) -> Picture | None:
        return None if sum(position) > _MOST_DRAWN else super().picture(position)
