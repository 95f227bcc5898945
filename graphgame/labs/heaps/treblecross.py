"""Treblecross: noughts and crosses in one row, where both players write crosses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Literal

from graphgame.errors import Message, ParseError
from graphgame.labs.heaps.games import octal
from graphgame.rules.nim import Heap
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Picture, grid
from graphgame.rules.ruleset import About, Sum, sum_of
from graphgame.solution.results import Decisive, Value

if TYPE_CHECKING:
    import numpy as np

_NEAR = re.compile(r"X\.?X")
_MOST_DRAWN = 60
_MANY = 10**20


class Treblecross(Heap):
    """The rules of Treblecross.

    Examples
    --------
    >>> list(Treblecross().options(3)), Treblecross().closed_form(".....X...."), Treblecross().closed_form("XX.")
    (['X..', '.X.', '..X'], 0, loony)
    """

    about = About(
        "Treblecross: write a cross on a free square of a row.",
        "``treblecross(9)`` is an empty row of 9 squares, ``treblecross(..X....)`` a row with a cross, and "
        "``treblecross(9,..X....)`` both side by side. Rows of one or two squares fill up without three in a row: "
        "where no free square is left in any row, whoever cannot move loses.",
        theorem="A row with two crosses next to each other, or one square apart, is loony: the mover makes three in a "
        "row. So nobody writes a cross within two squares of another who has another move, and a cross cuts its row "
        "into the parts more than two squares away. An empty row of n squares has the value of a heap of n + 2 in the "
        "octal game 0.007. Only in a row of 2 is nothing to be feared: its two moves follow each other, and its value "
        "is 0.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.",
        ending="Whoever makes three in a row wins at once.",
    )

    largest = 10_000
    cells: ClassVar = {".": "square", "X": "cross"}

    def options(self, position: int | str) -> Iterator[str]:
        """Return the row with one cross more, for each free square."""
        row = self.board(position)
        for square, mark in enumerate(row):
            if mark == ".":
                yield f"{row[:square]}X{row[square + 1 :]}"

    def decided(self, position: int | str) -> Literal["P", "N"] | None:
        """Return that whoever made three in a row has won."""
        return "P" if isinstance(position, str) and "XXX" in position else None

    def closed_form(self, position: int | str) -> Value:
        """Return the value by the parts where a cross is safe: heaps of the octal game 0.007."""
        row = self.board(position)
        if len(row) < 3:
            return row.count(".") % 2
        if _NEAR.search(row):
            return Decisive.LOONY
        runs = row.split("X")
        free = [len(run) - 2 * (place > 0) - 2 * (place < len(runs) - 1) for place, run in enumerate(runs)]
        values, total = _values(max(free).bit_length()), 0
        for size in free:
            total ^= int(values[max(size, 0)])
        return total

    def row_options(self, position: int) -> Iterator[int | Sum]:
        """Return, for an empty row, the parts that a safe cross leaves on both sides, as rows of their own."""
        if position == 2:
            yield 1
            return
        for square in range((position + 1) // 2):
            left, right = (1 if free == 2 else free for free in (square - 2, max(position - square - 3, 0)))
            yield Sum((left, right)) if square > 2 else right

    def canonical(self, position: int | str) -> int | str:
        """Return the row or its reflection."""
        return position if isinstance(position, int) else min(position, position[::-1])

    def least_size(self, position: int | str) -> tuple[int, int]:
        """Return half of the rows without three crosses that the longest free part may become."""
        row = self.board(position)
        free = len(row) if "X" not in row else max(map(len, row.split("X"))) - 4
        ways = [1, 2, 4]
        while len(ways) <= free and ways[-1] < _MANY:
            ways.append(sum(ways[-3:]))
        count = ways[min(max(free, 0), len(ways) - 1)] // 2 or 1
        return count, count - 1

    def parse(self, text: str) -> Hashable:
        """Return the rows between commas; each is its length, or dots and crosses."""
        return sum_of(_row(piece, start) for piece, start in fields(text))

    def format(self, position: int | str) -> str:
        """Return the length of an empty row, else the row."""
        return str(position)

    def board(self, position: int | str) -> str:
        """Return the row in dots and crosses."""
        return "." * position if isinstance(position, int) else position

    def picture(self, position: int | str) -> Picture | None:
        """Return the squares of a row that is not too long."""
        row = self.board(position)
        return grid(row, self.cells) if len(row) <= _MOST_DRAWN else None


@cache
def _values(digits: int) -> np.ndarray:
    """Return the values of empty rows of fewer than ``2 ** digits`` squares, from 3 on and as parts of longer ones."""
    values: np.ndarray = octal("0.007").grundy_values((1 << digits) + 1)[2:]
    return values


def _row(text: str, start: int) -> int | str:
    squares = text.strip().upper()
    if not set(squares) & set(".X"):
        return integer(text, start, what=Message("a row's length"), most=Treblecross.largest)
    start += len(text) - len(text.lstrip()) + 1
    for place, square in enumerate(squares):
        if square not in ".X":
            raise ParseError(
                "found {square!r}: expected a row of dots and crosses such as ..X....", square, column=start + place
            )
    if len(squares) > Treblecross.largest:
        raise ParseError(
            "a row of {count} squares: expected at most {largest}", len(squares), Treblecross.largest, column=start
        )
    return squares if "X" in squares else len(squares)
