"""Cram: dominoes on a board."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import ClassVar, Literal

from graphgame.errors import ParseError
from graphgame.games.grid_text import Board, read_board, sides, symmetries
from graphgame.rules.drawings import Way, board_way
from graphgame.rules.mask_ruleset import MaskRuleset
from graphgame.rules.masks import MaskGame
from graphgame.rules.plays import parts_of
from graphgame.rules.ruleset import sum_of

__all__ = ["Cram"]

_MOST = 256
_TO_BITS = str.maketrans(".#", "10")
_TO_CELLS = str.maketrans("10", ".#")
_NOTHING = "#"


class Cram(Board, MaskRuleset):
    """Cram: put a domino, lying or standing, on two free neighbouring cells of the board.

    ``cram(4x5)`` is an empty board of 4 rows of 5 cells; ``cram(..#/.#.)`` gives the rows, with ``.`` for a free
    cell and ``#`` for one that is taken. What is free falls apart into regions; a position is one region, in its
    smallest rectangle, and a single free cell counts for nothing.

    Notes
    -----
    A region that a half turn maps to itself is P if no free cell is its own image or next to it, as on boards with two
    even sides: answer each domino with its image. If a domino fits on the centre it is N: begin there. 2xn has the
    value n mod 2; one row of n is Dawson's Kayles, 0.07.

    References
    ----------
    M. Gardner, Cram, crosscram and quadraphage, Scientific American 230 (February 1974).
    J. Lemoine, S. Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012).

    Examples
    --------
    >>> rules = Cram()
    >>> [rules.canonical(option) for option in rules.options("../..")]
    ['..', '..', '..', '..']
    >>> list(rules.options("......"))
    ['....', '...', Sum('..', '..'), '...', '....']
    """

    cells: ClassVar = {".": "square", "#": "taken"}
    row_code = "0.07"

    def on_board(self, position: str, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return the game of dominoes on one of some boards that it fits on, else its own, and the free cells."""
        for game, board in product(games, symmetries(position)):
            rows = board.split("/")
            height, width = game.grid or (0, 0)
            if len(rows) <= height and len(rows[0]) <= width:
                return game, _mask("".join(row.ljust(width, "#") for row in rows))
        rows = position.split("/")
        return _dominoes(len(rows), len(rows[0])), _mask("".join(rows))

    def off_board(self, position: str, mask: int) -> str:
        """Return a region of the board of another one, in its smallest rectangle."""
        return _region(mask, (position + "/").index("/")) if mask else _NOTHING

    def canonical(self, position: str) -> str:
        """Return the first of the board's turns and reflections."""
        return min(symmetries(position))

    def outcome_form(self, position: str) -> Literal["P", "N"] | None:
        """Return who wins a region that a half turn maps to itself, unless its centre is a free cell."""
        if position != position[::-1]:
            return None
        height, width = position.count("/") + 1, (position + "/").index("/")
        central = position[(height - 1) // 2 * (width + 1) + (width - 1) // 2]
        if central == "#" or height % 2 == width % 2 == 0:
            return "P"
        return None if height % 2 == width % 2 else "N"

    def reason(self, position: str) -> str | None:
        """Say how a half turn decides."""
        outcome = self.outcome_form(position)
        if outcome is None:
            return None
        paired = "a half turn answers each domino with its image"
        return paired if outcome == "P" else f"a domino on the centre, and then {paired}"

    def parse(self, text: str) -> Hashable:
        """Return the regions of a board: ``4x5``, or rows of ``.`` and ``#`` between slashes."""
        if text.strip()[:1].isdecimal():
            height, width = sides(text, most=_MOST)
            rows = ["." * width] * height
        else:
            rows = read_board(text, {".": ".", "#": "#"})
        if len(rows) * len(rows[0]) > _MOST:
            raise ParseError(f"a board of {len(rows) * len(rows[0])} cells: expected at most {_MOST}", column=1)
        columns = len(rows[0])
        regions = _dominoes(len(rows), columns).components(_mask("".join(rows)))
        return sum_of((_region(mask, columns) for mask in regions), _NOTHING)

    def format(self, position: str) -> str:
        return position

    def ways(self, position: str) -> Iterator[Way]:
        """Return the dominoes on the board, each with the two cells that it covers."""
        board = self.drawing(position)
        if board is None:
            return
        game, mask = self.on_board(position)
        columns = (position + "/").index("/")
        for (rest, _), parts in zip(game.left(mask), game.after(mask), strict=True):
            option = sum_of((_region(part, columns) for part in parts), _NOTHING)
            rows = "/".join(_rows(rest, columns, position.count("/") + 1))
            yield board_way(board, option, self.picture(rows), map(self.drawing, parts_of(option)))


@lru_cache(maxsize=64)
def _dominoes(rows: int, columns: int) -> MaskGame:
    return MaskGame.placing(rows, columns, ["oo"])


def _mask(cells: str) -> int:
    """Return the free cells; the first is the lowest bit."""
    return int(cells[::-1].translate(_TO_BITS), 2)


def _rows(mask: int, columns: int, rows: int) -> list[str]:
    cells = f"{mask:0{rows * columns}b}"[::-1].translate(_TO_CELLS)
    return [cells[start : start + columns] for start in range(0, rows * columns, columns)]


@lru_cache(maxsize=1 << 16)
def _region(mask: int, columns: int) -> str:
    """Return the text of a region of a board, in its smallest rectangle."""
    rows = [row for row in _rows(mask, columns, -(-mask.bit_length() // columns)) if "." in row]
    left, right = min(row.index(".") for row in rows), max(row.rindex(".") for row in rows)
    return "/".join(row[left : right + 1] for row in rows)
