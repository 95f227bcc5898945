"""Games with stones of two colours on a board, either of which both players may use."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import ClassVar

from graphgame.errors import ParseError
from graphgame.games.grid_text import Board, read_board, sides, symmetries
from graphgame.rules.drawings import Way, board_way
from graphgame.rules.mask_ruleset import MaskRuleset
from graphgame.rules.masks import MaskGame
from graphgame.rules.plays import parts_of
from graphgame.rules.ruleset import sum_of

__all__ = ["OTHER_COLOURS", "Stones", "exchanged"]

_MOST = 128
OTHER_COLOURS = str.maketrans("xo", "ox")


class Stones(Board, MaskRuleset):
    """Rules with stones ``x`` and ``o``, whose colours may be exchanged; a position is one region of the board.

    ``marks`` are the characters of a square with neither cell of its two, with the first, the second and both.
    """

    marks: ClassVar[str]

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game on one board; cells 2s and 2s + 1 are those of the square s."""
        raise NotImplementedError

    def full(self, rows: int, columns: int) -> Iterator[str]:
        """Yield the rows of the board that is written ``3x4``."""
        raise NotImplementedError

    def on_board(self, position: str, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return the game on one of some boards that a region fits on, else on its own, and its cells."""
        for game, board in product(games, symmetries(position)):
            rows, (height, width) = board.split("/"), game.grid or (0, 0)
            if len(rows) <= height and len(rows[0]) <= width:
                return game, self._mask("".join(row.ljust(width, self.marks[0]) for row in rows))
        return self._game(position), self._mask(position.replace("/", ""))

    def off_board(self, position: str, mask: int) -> str:
        """Return some cells of the board of a region, in their smallest rectangle."""
        return _region(mask, (position + "/").index("/"), self.marks)

    def canonical(self, position: str) -> str:
        """Return the first of the board's turns and reflections, also with the colours exchanged."""
        return min(symmetries(position) + symmetries(position.translate(OTHER_COLOURS)))

    def parse(self, text: str) -> Hashable:
        """Return the regions of a board: ``3x4``, or rows between slashes."""
        if text.strip()[:1].isdecimal():
            board = "/".join(self.full(*sides(text, most=_MOST)))
        else:
            board = "/".join(read_board(text, {mark: mark for mark in sorted(self.marks, reverse=True)}))
        squares = board.replace("/", "")
        if len(squares) > _MOST:
            raise ParseError(f"a board of {len(squares)} squares: expected at most {_MOST}", column=1)
        game, mask = self._game(board), self._mask(squares)
        if game.liberties and not game.has_liberties(mask):
            raise ParseError("a block of stones without a liberty: expected a free square beside each block", column=1)
        return sum_of((self.off_board(board, part) for part in game.components(mask)), self.marks[0])

    def format(self, position: str) -> str:
        return position

    def ways(self, position: str) -> Iterator[Way]:
        """Return the moves on the board, each with the squares that it changes."""
        board = self.drawing(position)
        if board is None:
            return
        game, mask = self.on_board(position)
        for (rest, _), option in zip(game.left(mask), self.options(position), strict=True):
            squares = "".join(self.marks[rest >> 2 * square & 3] for square in range(game.cells // 2))
            columns = (position + "/").index("/")
            rows = "/".join(squares[start : start + columns] for start in range(0, len(squares), columns))
            yield board_way(board, option, self.picture(rows), map(self.drawing, parts_of(option)))

    def _game(self, board: str) -> MaskGame:
        return _game(type(self), board.count("/") + 1, (board + "/").index("/"))

    def _mask(self, squares: str) -> int:
        return sum(self.marks.index(mark) << 2 * square for square, mark in enumerate(squares))


def exchanged(squares: int) -> list[list[int]]:
    """Return the symmetry that exchanges the colours of so many squares."""
    return [[cell ^ 1 for cell in range(2 * squares)]]


@lru_cache(maxsize=64)
def _game(rules: type[Stones], rows: int, columns: int) -> MaskGame:
    return rules.game_on(rows, columns)


@lru_cache(maxsize=1 << 16)
def _region(mask: int, columns: int, marks: str) -> str:
    """Return the text of some cells of a board, in their smallest rectangle."""
    nothing = marks[0]
    squares = [marks[mask >> 2 * square & 3] for square in range(-(-mask.bit_length() // 2))]
    lines = [
        "".join(squares[start : start + columns]).ljust(columns, nothing) for start in range(0, len(squares), columns)
    ]
    rows = [line for line in lines if line.strip(nothing)]
    left = min((len(row) - len(row.lstrip(nothing)) for row in rows), default=0)
    right = max((len(row.rstrip(nothing)) for row in rows), default=0)
    return "/".join(row[left:right] for row in rows) or nothing
