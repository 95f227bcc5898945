"""Treblecross: noughts and crosses in one row, where both players write crosses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from graphgame.errors import ParseError
from graphgame.rules.drawings import Way
from graphgame.rules.nim import Heap
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, Picture, row
from graphgame.rules.ruleset import Sum, sum_of

__all__ = ["Treblecross"]

_NEAR = re.compile(r"X\.?X")


class Treblecross(Heap):
    """Treblecross: write a cross on a free square of a row; whoever makes three in a row wins.

    ``treblecross(9)`` is an empty row of 9 squares, ``treblecross(..X....)`` a row with a cross, and
    ``treblecross(9,..X....)`` both side by side. Where all squares are full without three in a row, as in rows of one
    or two squares, whoever cannot move loses.

    Notes
    -----
    Nobody writes a cross within two squares of another, for the other would win at once; so a position's options
    are the other squares, and a cross cuts its row into the parts more than two squares away. A row of n squares
    has the value of a heap of n + 2 in the octal game 0.007. Only in a row of 2 is nothing to be feared: its
    two moves follow each other, and its value is 0. A part of 2, which has one safe move, is a row of 1.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.

    Examples
    --------
    >>> list(Treblecross().options(7))
    [4, 3, 1, Sum(1, 1)]
    >>> Treblecross().parse(".....X....")
    Sum(3, 1)
    """

    largest = 10_000

    def options(self, position: int) -> Iterator[int | Sum]:
        """Return the parts that are left on both sides of the cross, up to reflection."""
        if position == 2:
            yield 1
            return
        for square in range((position + 1) // 2):
            right = _part(max(position - square - 3, 0))
            yield Sum((_part(square - 2), right)) if square > 2 else right

    def parse(self, text: str) -> Hashable:
        """Return the free parts of the rows between commas; each is its length, or dots and crosses."""
        return sum_of(part for row, start in fields(text) for part in _parts(row, start))

    def board(self, position: int) -> str:
        return "." * position

    def picture(self, position: int) -> Picture:
        return row(position, "square")

    def ways(self, position: int) -> Iterator[Way]:
        """Return the squares for a cross; those within two of it are safe no more."""
        board = self.drawing(position)
        if board is None or len(board.cells) != position:
            return
        for square in range(position if position != 2 else 0):
            parts = [(0, max(square - 2, 0)), (square + 3, max(position - square - 3, 0))]
            sizes = [_part(size) for _, size in parts]
            spans = [tuple(range(start, start + size)) for (start, _), size in zip(parts, sizes, strict=True)]
            free = [cell for start, size in parts for cell in range(start, start + size)]
            after = [Cell("square") if cell in free else Cell("taken") for cell in range(position)]
            after[square] = Cell("cross")
            found = [(size, span) for size, span in zip(sizes, spans, strict=True) if size] or [(0, ())]
            if square > position // 2:
                found.reverse()
            option: Hashable = Sum([size for size, _ in found]) if len(found) > 1 else found[0][0]
            yield Way(option, tuple(after), (square,), (), tuple(span for _, span in found))
        if position == 2:
            for square in range(2):
                after = [Cell("square"), Cell("square")]
                after[square] = Cell("cross")
                yield Way(1, tuple(after), (square,), (), ((1 - square,),))


def _parts(text: str, start: int) -> list[int]:
    """Return the lengths of the parts of a row where a cross is safe."""
    squares = text.strip().upper()
    if not set(squares) & set(".X"):
        return [integer(text, start, what="a row's length", most=Treblecross.largest)]
    start += len(text) - len(text.lstrip()) + 1
    for place, square in enumerate(squares):
        if square not in ".X":
            raise ParseError(
                f"found {square!r}: expected a row of dots and crosses such as ..X....", column=start + place
            )
    if len(squares) > Treblecross.largest:
        raise ParseError(f"a row of {len(squares)} squares: expected at most {Treblecross.largest}", column=start)
    if len(squares) < 3:
        return [squares.count(".")]
    if "XXX" in squares:
        raise ParseError("three crosses in a row: the game is over", column=start + squares.index("XXX"))
    if near := _NEAR.search(squares):
        raise ParseError("two crosses so near let the player to move win at once", column=start + near.start())
    runs = squares.split("X")
    inside = [len(run) - 2 * (place > 0) - 2 * (place < len(runs) - 1) for place, run in enumerate(runs)]
    return [_part(free) for free in inside if free > 0]


def _part(free: int) -> int:
    """Return the row that is the same game as a part of a longer row with so many safe squares in a line."""
    return 1 if free == 2 else free
