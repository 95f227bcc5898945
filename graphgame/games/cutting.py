"""The Cutting Game: a sheet of paper, cut along its grid lines."""

from __future__ import annotations

from collections.abc import Iterator

from graphgame.errors import ParseError
from graphgame.games.heap import integer
from graphgame.ruleset import Ruleset, Sum

__all__ = ["Cutting"]

_MOST = 2000


class Cutting(Ruleset):
    """The Cutting Game: cut any one sheet along a grid line into two; whoever first makes a 1x1 wins.

    ``cutting(4x2)`` is a sheet 4 wide and 2 high.

    Notes
    -----
    Nobody cuts off a strip 1 wide, for the other would cut a 1x1 from it; so a position's options are the cuts whose
    parts are all at least 2 wide, and 2x2, 2x3 and 3x2 are the terminal positions. A start with a side of 1 is
    another matter: of 1xn with n of 2 or more the mover cuts off a 1x1 and wins; 1x1 has no move.

    References
    ----------
    Cutting Game, problem 2311 of the Peking University online judge (POJ).

    Examples
    --------
    >>> list(Cutting().options((4, 2)))
    [Sum((2, 2), (2, 2))]
    """

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, int] | Sum]:
        """Return the two parts that each sensible cut leaves; a strip is cut to its 1x1 at once."""
        width, height = position
        if min(width, height) == 1:
            if max(width, height) > 1:
                yield 1, 1
            return
        for cut in range(2, width // 2 + 1):
            yield Sum([(cut, height), (width - cut, height)])
        for cut in range(2, height // 2 + 1):
            yield Sum([(width, cut), (width, height - cut)])

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the sheet lying: at least as wide as high."""
        width, height = position
        return (height, width) if height > width else position

    def parse(self, text: str) -> tuple[int, int]:
        """Return the sides of a sheet written ``WxH``."""
        sides = text.lower().split("x")
        if len(sides) != 2:
            raise ParseError("expected the sheet's sides, such as 4x2", column=1)
        width = integer(sides[0], what="a side", least=1, most=_MOST)
        try:
            return width, integer(sides[1], what="a side", least=1, most=_MOST)
        except ParseError as error:
            error.column = len(sides[0]) + 1 + (error.column or 1)
            raise

    def format(self, position: tuple[int, int]) -> str:
        """Return ``WxH``."""
        return f"{position[0]}x{position[1]}"
