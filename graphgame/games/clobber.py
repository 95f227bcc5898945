"""Clobber: stones of two colours on a board, each of which may take its neighbours of the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import ClassVar

from graphgame.errors import ParseError
from graphgame.games.grid_text import Board, read_board, sides, symmetries
from graphgame.rules.masks import MaskGame, MaskRuleset
from graphgame.rules.ruleset import sum_of

__all__ = ["Clobber"]

_MOST = 128
_NOTHING = "."
_OTHER_COLOURS = str.maketrans("xo", "ox")


class Clobber(Board, MaskRuleset):
    """Impartial Clobber: move a stone of any colour onto a neighbouring one of the other, which is removed.

    ``clobber(3x4)`` is a board full of stones whose colours alternate; ``clobber(xo./.xo)`` gives the rows, with ``x``
    and ``o`` for stones and ``.`` for an empty square. Stones fall apart into regions; a position is one region, in
    its smallest rectangle, and stones of one colour alone count for nothing.

    Notes
    -----
    Which colour is which does not matter: a position and the one with the colours exchanged are the same.

    References
    ----------
    M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, Integers 5 (2005).

    Examples
    --------
    >>> rules = Clobber()
    >>> list(rules.options("xoxo"))
    ['xxo', 'xo', '.', '.', 'xo', 'xoo']
    """

    cells: ClassVar = {".": "square", "x": "cross", "o": "coin"}

    def on_board(self, position: str, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return the game on one of some boards that a region fits on, else on its own, and the stones."""
        for game, board in product(games, symmetries(position)):
            height, width = game.sides if isinstance(game, _Stones) else (0, 0)
            rows = board.split("/")
            if len(rows) <= height and len(rows[0]) <= width:
                return game, _mask("".join(row.ljust(width, ".") for row in rows))
        return _stones(*_sides(position)), _mask(position.replace("/", ""))

    def off_board(self, position: str, mask: int) -> str:
        """Return some stones of the board of a region, in their smallest rectangle."""
        return _region(mask, _sides(position)[1]) if mask else _NOTHING

    def options(self, position: str) -> Iterator[Hashable]:
        """Return what each move leaves, region by region."""
        game, mask = self.on_board(position)
        for parts in game.after(mask):
            yield _regions(game, parts, _sides(position)[1])

    def canonical(self, position: str) -> str:
        """Return the first of the board's turns and reflections, also with the colours exchanged."""
        return min(symmetries(position) + symmetries(position.translate(_OTHER_COLOURS)))

    def parse(self, text: str) -> Hashable:
        """Return the regions of a board: ``3x4``, or rows of ``x``, ``o`` and ``.`` between slashes."""
        if text.strip()[:1].isdecimal():
            height, width = sides(text, most=_MOST)
            rows = [("xo" * width)[row % 2 : row % 2 + width] for row in range(height)]
        else:
            rows = read_board(text, {"x": "x", "o": "o", ".": "."})
        if len(rows) * len(rows[0]) > _MOST:
            raise ParseError(f"a board of {len(rows) * len(rows[0])} squares: expected at most {_MOST}", column=1)
        game = _stones(len(rows), len(rows[0]))
        return _regions(game, game.components(_mask("".join(rows))), len(rows[0]))

    def format(self, position: str) -> str:
        return position


class _Stones(MaskGame):
    """The game on one board; cell 2s + k is a stone of colour k on the square s."""

    def __init__(self, rows: int, columns: int) -> None:
        self.sides = rows, columns
        super().__init__(2 * rows * columns, _moves(rows, columns), symmetries=_turns(rows, columns))


@lru_cache(maxsize=64)
def _stones(rows: int, columns: int) -> _Stones:
    return _Stones(rows, columns)


def _moves(rows: int, columns: int) -> Iterator[tuple[int, int, int]]:
    squares = range(rows * columns)
    pairs = [(a, b) for a, b in product(squares, squares) if (b - a == 1 and b % columns) or b - a == columns]
    for (a, b), colour in product([*pairs, *(pair[::-1] for pair in pairs)], (0, 1)):
        both = 1 << 2 * a + colour | 1 << 2 * b + 1 - colour
        yield both, both, 1 << 2 * b + colour


def _turns(rows: int, columns: int) -> Iterator[list[int]]:
    """Yield what makes all symmetries: exchanged colours, two reflections and, of a square, one in its diagonal."""
    places = list(product(range(rows), range(columns), (0, 1)))
    yield [2 * (row * columns + column) + 1 - colour for row, column, colour in places]
    yield [2 * ((rows - 1 - row) * columns + column) + colour for row, column, colour in places]
    yield [2 * (row * columns + columns - 1 - column) + colour for row, column, colour in places]
    if rows == columns:
        yield [2 * (column * columns + row) + colour for row, column, colour in places]


def _regions(game: MaskGame, parts: Iterable[int], columns: int) -> Hashable:
    return sum_of((_region(part, columns) for part in parts if game.mobility(part)), _NOTHING)


def _sides(position: str) -> tuple[int, int]:
    return position.count("/") + 1, (position + "/").index("/")


def _mask(squares: str) -> int:
    return sum(1 << 2 * square + (stone == "o") for square, stone in enumerate(squares) if stone != ".")


@lru_cache(maxsize=1 << 16)
def _region(mask: int, columns: int) -> str:
    """Return the text of some stones of a board, in their smallest rectangle."""
    squares = [".xo"[mask >> 2 * square & 3] for square in range(-(-mask.bit_length() // 2))]
    lines = ["".join(squares[start : start + columns]).ljust(columns, ".") for start in range(0, len(squares), columns)]
    rows = [line for line in lines if line.strip(".")]
    left = min(len(row) - len(row.lstrip(".")) for row in rows)
    right = max(len(row.rstrip(".")) for row in rows)
    return "/".join(row[left:right] for row in rows)
