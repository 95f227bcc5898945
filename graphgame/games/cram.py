"""Cram: dominoes on a board."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import ClassVar, Literal

from graphgame.errors import ParseError
from graphgame.games.grid_text import Board, read_board, sides, symmetries
from graphgame.rules.drawings import Way, board_way
from graphgame.rules.plays import parts_of
from graphgame.rules.ruleset import sum_of

__all__ = ["Cram"]

_MOST = 256
_TO_BITS = str.maketrans("./#", "100")
_TO_CELLS = str.maketrans("10", ".#")
_NOTHING = "#"


class Cram(Board):
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

    def options(self, position: str) -> Iterator[Hashable]:
        free, stride = _bits(position)
        for step in (1, stride):
            pairs = free & (free >> step)
            while pairs:
                cell = pairs & -pairs
                pairs ^= cell
                yield sum_of(_regions(free ^ cell ^ (cell << step), stride), _NOTHING)

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

    def mobility(self, position: str) -> int:
        """Return the number of places for a domino."""
        free, stride = _bits(position)
        return (free & free >> 1).bit_count() + (free & free >> stride).bit_count()

    def parse(self, text: str) -> Hashable:
        """Return the regions of a board: ``4x5``, or rows of ``.`` and ``#`` between slashes."""
        if text.strip()[:1].isdecimal():
            height, width = sides(text, most=_MOST)
            rows = ["." * width] * height
        else:
            rows = read_board(text, {".": ".", "#": "#"})
        if len(rows) * len(rows[0]) > _MOST:
            raise ParseError(f"a board of {len(rows) * len(rows[0])} cells: expected at most {_MOST}", column=1)
        return sum_of(_regions(int("/".join(rows).translate(_TO_BITS), 2), len(rows[0]) + 1), _NOTHING)

    def ways(self, position: str) -> Iterator[Way]:
        """Return the dominoes on the board, each with the two cells that it covers."""
        board = self.drawing(position)
        free, stride = _bits(position)
        if board is None:
            return
        for step in (1, stride):
            pairs = free & (free >> step)
            while pairs:
                cell = pairs & -pairs
                pairs ^= cell
                left = free ^ cell ^ (cell << step)
                option = sum_of(_regions(left, stride), _NOTHING)
                rows = _whole(left, position)
                yield board_way(board, option, self.picture(rows), map(self.drawing, parts_of(option)))


def _bits(position: str) -> tuple[int, int]:
    """Return the free cells as ones, with an empty bit between the rows, and how far apart the rows are."""
    stride = position.find("/") + 1 or len(position) + 1
    return int(position.translate(_TO_BITS), 2), stride


def _whole(free: int, position: str) -> str:
    """Return the text of a board with the sides of another one."""
    bits = f"{free:0{len(position)}b}".translate(_TO_CELLS)
    return "".join("/" if cell == "/" else bit for cell, bit in zip(position, bits, strict=True))


def _regions(free: int, stride: int) -> Iterator[str]:
    """Yield the regions of two cells or more; a bit is a cell, and an empty bit parts the rows."""
    while free:
        region, grown = 0, free & -free
        while grown != region:
            region = grown
            grown |= grown << 1 | grown >> 1 | grown << stride | grown >> stride
            grown &= free
        free ^= region
        if region & (region - 1):
            yield _text(region, stride)


@lru_cache(maxsize=1 << 16)
def _text(region: int, stride: int) -> str:
    rows: list[int] = []
    columns, mask = 0, (1 << stride) - 1
    while region:
        row = region & mask
        if row or rows:
            rows.append(row)
            columns |= row
        region >>= stride
    shift = (columns & -columns).bit_length() - 1
    width = columns.bit_length() - shift
    return "/".join([f"{row >> shift:0{width}b}" for row in reversed(rows)]).translate(_TO_CELLS)
