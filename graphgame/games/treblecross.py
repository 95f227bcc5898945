"""Treblecross: noughts and crosses in one row, where both players write crosses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from graphgame.errors import ParseError
from graphgame.games.breaking import Breaking
from graphgame.games.fields import fields
from graphgame.pictures import Picture, row
from graphgame.ruleset import Sum

__all__ = ["Treblecross"]

_TOO_NEAR = re.compile(r"X\.?X", re.IGNORECASE)


class Treblecross(Breaking):
    """Treblecross: write a cross on a free square of a row; whoever makes three in a row wins.

    ``treblecross(9)`` is an empty row of 9 squares, ``treblecross(..X....)`` a row with a cross.

    Notes
    -----
    Nobody writes a cross within two squares of another, for the other would win at once; so a position's options
    are the other squares, and a cross cuts its row into the parts more than two squares away. A row of n squares
    has the value of a heap of n + 2 in the octal game 0.007.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.

    Examples
    --------
    >>> list(Treblecross().options(7))
    [4, 3, 2, Sum(1, 1)]
    >>> Treblecross().parse(".....X....")
    Sum(3, 2)
    """

    def options(self, position: int) -> Iterator[int | Sum]:
        """Return the parts that are left on both sides of the cross, up to reflection."""
        for square in range((position + 1) // 2):
            right = max(position - square - 3, 0)
            yield Sum((square - 2, right)) if square > 2 else right

    def parse(self, text: str) -> Hashable:
        """Return the free part of a row of dots and crosses, or of rows between commas; or an empty row's length."""
        if not set(text) & set(".xX"):
            return super().parse(text)
        parts = [part for row, start in fields(text) for part in _free_parts(row, start)]
        return parts[0] if len(parts) == 1 else Sum(parts)

    def board(self, position: int) -> str:
        """Return the empty row."""
        return "." * position

    def picture(self, position: int) -> Picture:
        """Return the empty row."""
        return row(position, "square")


def _free_parts(row: str, start: int) -> list[int]:
    """Return the lengths of the parts of a row where a cross is safe."""
    squares = row.strip().upper()
    start += len(row) - len(row.lstrip()) + 1
    for place, square in enumerate(squares):
        if square not in ".X":
            raise ParseError(
                f"found {square!r}: expected a row of dots and crosses such as ..X....", column=start + place
            )
    if near := _TOO_NEAR.search(squares):
        raise ParseError("two crosses so near let the player to move win at once", column=start + near.start())
    if len(squares) > Treblecross.largest:
        raise ParseError(f"a row of {len(squares)} squares: expected at most {Treblecross.largest}", column=start)
    blocked = list(squares)
    for place, square in enumerate(squares):
        if square == "X":
            for near_by in range(max(place - 2, 0), min(place + 3, len(squares))):
                blocked[near_by] = "X"
    return [len(part) for part in "".join(blocked).split("X") if part]
