"""Treblecross: noughts and crosses in one row, where both players write crosses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import cache
from typing import ClassVar, Literal

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.labs.heaps.games import octal
from graphgame.rules.nim import Heap
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Picture, grid
from graphgame.rules.ruleset import About, Sum, sum_of
from graphgame.solution.results import Decisive, Value

_NEAR = re.compile(r"X\.?X")
"""Two crosses that the next player can complete to three in a row, if the row has 3 squares or more."""

_MOST_DRAWN = 60
"""The maximum number of squares in a picture."""

_MOST_COUNTED = 10**20
"""Ways to put crosses into a row are counted only up to about this number."""


class Treblecross(Heap):
    """The rules of Treblecross. A position is a string of dots (free squares) and crosses, or an empty row's length.

    Examples
    --------
    >>> list(Treblecross().options(3)), Treblecross().closed_form(".....X...."), Treblecross().closed_form("XX.")
    (['X..', '.X.', '..X'], 0, loony)
    """

    about = About(
        "Treblecross: write a cross on a free square of a row.",
        "``treblecross(9)`` is an empty row of 9 squares, ``treblecross(..X....)`` a row with a cross, and "
        "``treblecross(9,..X....)`` the sum of the two rows. If all rows fill up without three crosses in a row, for "
        "example rows of one or two squares, whoever cannot move loses.",
        theorem="A row of three squares or more with two crosses next to each other, or one square apart, is loony: "
        "the next player makes three in a row. So a player with another move never writes a cross within two squares "
        "of another cross, and a cross cuts its row into the parts that are more than two squares away. An empty row "
        "of n squares has the value of a heap of n + 2 in the octal game 0.007. The only exception is a row of 2: "
        "nobody can make three in a row, both squares are filled one after the other, and the value is 0.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.",
        ending="Whoever makes three in a row wins at once.",
    )

    largest = 10_000
    cells: ClassVar = {".": "square", "X": "cross"}

    def options(self, position: int | str) -> Iterator[str]:
        """Yield the row with one more cross, for each free square."""
        row = self.board(position)
        for square, mark in enumerate(row):
            if mark == ".":
                yield f"{row[:square]}X{row[square + 1 :]}"

    def decided(self, position: int | str) -> Literal["P", "N"] | None:
        """Return "P" if the row has three crosses in a row, because the previous player has won; otherwise None."""
        return "P" if isinstance(position, str) and "XXX" in position else None

    def closed_form(self, position: int | str) -> Value:
        """Return the value: loony if two crosses have at most one square between them, else the nim-sum of safe parts.

        A safe part (see :func:`_values`) of n squares has the value of a heap of n + 2 in the octal game 0.007. But a
        row of one or two squares has the value 1 if exactly one square is free, otherwise 0.
        """
        row = self.board(position)
        if len(row) < 3:
            return row.count(".") % 2
        if _NEAR.search(row):
            return Decisive.LOONY
        runs = row.split("X")
        # The two squares on each side of a cross are not safe.
        free = [len(run) - 2 * (index > 0) - 2 * (index < len(runs) - 1) for index, run in enumerate(runs)]
        values, total = _values(max(free).bit_length()), 0
        for size in free:
            total ^= int(values[max(size, 0)])
        return total

    def row_options(self, position: int) -> Iterator[int | Sum]:
        """Yield the options of an empty row, with each safe part (see :func:`_values`) as an empty row of equal value.

        An option is the Sum of the safe parts to the left and to the right of the new cross; only the right part if the
        left one has no squares. Of two moves that are mirror images, only the left one is tried.
        """
        if position == 2:
            yield 1
            return
        for square in range((position + 1) // 2):
            # Write a safe part of two squares as 1, an empty row of one square: each is used up by one move. 2 would be
            # wrong, because an empty row of two squares takes two moves.
            left, right = (1 if free == 2 else free for free in (square - 2, max(position - square - 3, 0)))
            yield Sum((left, right)) if square > 2 else right

    def canonical(self, position: int | str) -> int | str:
        """Return the smaller string of the row and its mirror image; return an int (an empty row) as it is."""
        return position if isinstance(position, int) else min(position, position[::-1])

    def least_size(self, position: int | str) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a position.

        After three crosses in a row play has ended: the result is (1, 0). Otherwise take the longest run of free
        squares; if the row has crosses, leave out two squares at each end of the run. Count the ways to put crosses
        into this run, but not three in a row. At least half of these ways are different positions, because a row and
        its mirror image are one position. A move leads to each of these positions except the given one.
        """
        if self.decided(position):
            return 1, 0
        row = self.board(position)
        free = len(row) if "X" not in row else max(map(len, row.split("X"))) - 4
        ways = [1, 2, 4]
        while len(ways) <= free and ways[-1] < _MOST_COUNTED:
            ways.append(sum(ways[-3:]))
        count = ways[min(max(free, 0), len(ways) - 1)] // 2 or 1
        return count, count - 1

    def parse(self, text: str) -> Hashable:
        """Return the row that a text describes, or the Sum of several rows that are separated by commas.

        A row is written as dots and crosses; an empty row may also be written as its length.
        """
        return sum_of(_row(piece, start) for piece, start in fields(text))

    def format(self, position: int | str) -> str:
        """Return the row, or its length if it is empty."""
        return str(position)

    def board(self, position: int | str) -> str:
        """Return the row in dots and crosses."""
        return "." * position if isinstance(position, int) else position

    def picture(self, position: int | str) -> Picture | None:
        """Return a picture of the squares, or None if there are more than 60."""
        row = self.board(position)
        return grid(row, self.cells) if len(row) <= _MOST_DRAWN else None


@cache
def _values(digits: int) -> np.ndarray:
    """Return an array with the values of safe parts of 0 to ``2 ** digits - 1`` squares.

    A safe part consists of all squares between two crosses, or between a cross and an end of the row, that are more
    than two squares away from all crosses. An empty row of 3 squares or more has the value of a safe part of its size.
    """
    values: np.ndarray = octal("0.007").grundy_values((1 << digits) + 1)[2:]
    return values


def _row(text: str, start: int) -> int | str:
    squares = text.strip().upper()
    if not set(squares) & set(".X"):
        return integer(text, start, what=Message("a row's length"), most=Treblecross.largest)
    start += len(text) - len(text.lstrip()) + 1
    for index, square in enumerate(squares):
        if square not in ".X":
            raise ParseError(
                "found {square!r}: expected a row of dots and crosses such as ..X....", square, column=start + index
            )
    if len(squares) > Treblecross.largest:
        raise ParseError(
            "a row of {count} squares: expected at most {largest}", len(squares), Treblecross.largest, column=start
        )
    return squares if "X" in squares else len(squares)
