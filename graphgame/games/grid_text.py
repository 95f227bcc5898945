"""What games on squared paper share: sides, boards in text, and their symmetries.

A board is its rows from top to bottom between slashes, one character a cell: ``..#/.#.``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from graphgame.errors import Message, ParseError
from graphgame.games.ways import sheet_ways
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import CellKind, Picture, Way, halves, sheet
from graphgame.rules.ruleset import Ruleset


class Board(Ruleset):
    """A game on a board, whose text is its rows between slashes."""

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return the rows, one a line."""
        return self.format(position).replace("/", "\n")


class Sheet(Ruleset):
    """A game on a sheet, whose position is its width and its height, each at most ``most``."""

    most: int
    kind: CellKind = "paper"
    number_signs = "x"

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the sheet lying: at least as wide as high."""
        width, height = position
        return (height, width) if height > width else position

    def parse(self, text: str) -> tuple[int, int]:
        """Return the sides of a sheet written ``WxH``."""
        return sides(text, most=self.most)

    def format(self, position: tuple[int, int]) -> str:
        return f"{position[0]}x{position[1]}"

    def picture(self, position: tuple[int, int]) -> Picture | None:
        return sheet(*position, self.kind)

    def sum_picture(self, parts: Sequence[tuple[int, int]]) -> Picture | None:
        """Return the sheet with its cut where two parts come from one."""
        return halves(parts, self.kind) or super().sum_picture(parts)

    def ways(self, position: tuple[int, int]) -> Iterator[Way]:
        """Return the lines along which one may cut."""
        return sheet_ways(position, self.picture(position), self.options(position))


def sides(text: str, *, least: int = 1, most: int) -> tuple[int, int]:
    """Read two sides written ``AxB``.

    Examples
    --------
    >>> sides("4x2", most=10)
    (4, 2)
    """
    first, cross, second = text.lower().partition("x")
    if not cross:
        raise ParseError("expected two sides, such as 4x2, but found {text!r}", text.strip(), column=1)
    length = integer(first, 0, what=Message("a side"), least=least, most=most)
    return length, integer(second, len(first) + 1, what=Message("a side"), least=least, most=most)


def read_board(text: str, cells: dict[str, str]) -> list[str]:
    """Read the rows of a board, which must be of one length; ``cells`` says what each character stands for.

    Examples
    --------
    >>> read_board("x./.X", {".": ".", "x": "X", "X": "X"})
    ['X.', '.X']
    """
    margin = len(text) - len(text.lstrip()) + 1
    rows = list(fields(text.strip(), "/"))
    for row, start in rows:
        for place, character in enumerate(row, start):
            if character not in cells:
                raise ParseError(
                    "unknown cell {character!r}: expected one of {cells}",
                    character,
                    " ".join(cells),
                    column=margin + place,
                )
        if not row:
            raise ParseError("a row without cells", column=margin + start)
        if len(row) != len(rows[0][0]):
            raise ParseError(
                "a row of {count} where the first has {first}: expected rows of one length",
                len(row),
                len(rows[0][0]),
                column=margin + start,
            )
    return ["".join(cells[character] for character in row) for row, _ in rows]


def symmetries(board: str) -> tuple[str, ...]:
    """Return the eight turns and reflections of a board.

    Examples
    --------
    >>> sorted(set(symmetries("X./..")))
    ['../.X', '../X.', '.X/..', 'X./..']
    """
    rows = board.split("/")
    columns = list(map("".join, zip(*rows, strict=True)))
    flipped, turned, swapped = "/".join(rows[::-1]), "/".join(columns), "/".join(columns[::-1])
    return board, board[::-1], flipped, flipped[::-1], turned, turned[::-1], swapped, swapped[::-1]


def next_to_each_other(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the pairs of neighbouring squares of a board, square by square from the top left, each both ways.

    Examples
    --------
    >>> next_to_each_other(1, 3)
    [(0, 1), (1, 2), (1, 0), (2, 1)]
    """
    across = [(a, a + 1) for a in range(rows * columns) if (a + 1) % columns]
    pairs = sorted(across + [(a, a + columns) for a in range((rows - 1) * columns)])
    return [*pairs, *((b, a) for a, b in pairs)]
