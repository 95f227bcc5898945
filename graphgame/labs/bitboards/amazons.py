"""Impartial Amazons: queens that burn squares, and belong to both players."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import ClassVar

from graphgame.errors import Message, ParseError, plural
from graphgame.games.grid_text import Board, read_board, symmetries
from graphgame.games.ways import board_way
from graphgame.rules.limits import parts_of
from graphgame.rules.pictures import Way
from graphgame.rules.ruleset import About, sum_of

_MOST = 100
_FREE, _QUEENS = str.maketrans("./#Q", "1000"), str.maketrans("./#Q", "0001")


class Amazons(Board):
    """The rules of impartial Amazons.

    Examples
    --------
    >>> rules = Amazons()
    >>> sorted(map(str, set(rules.options("Q.."))))
    ['#', '.Q', 'Q.']
    """

    about = About(
        "Impartial Amazons: move an amazon as a chess queen, then let it burn a square that it could move to from "
        "there.",
        "Either player may move any amazon. ``amazons(Q.../..../...Q)`` gives the rows, with ``Q`` for an amazon, "
        "``.`` for a free square and ``#`` for a burnt one, which nobody passes. What is not burnt falls apart into "
        "regions; a position is one region, in its smallest rectangle, and a region where no amazon can move counts "
        "for nothing.",
        theorem="Each move burns a square, so a value is at most the number of free squares. In a row a lone amazon "
        "has just this value: it goes to one end, and leaves as many of the others as it likes. No other formula is "
        "known.",
        source="W. Zamkauskas, El Juego de las Amazonas, El Acertijo 4 (1992). A. N. Siegel, CGSuite, "
        "Amazons.ImpartialVariant.",
    )

    cells: ClassVar = {".": "square", "#": "taken", "Q": "coin"}

    def options(self, position: str) -> Iterator[Hashable]:
        _, _, stride = _bits(position)
        for free, queens, _ in _moves(position):
            yield sum_of(_regions(free, queens, stride), "#")

    def closed_form(self, position: str) -> int | None:
        """Return the number of free squares of a row or column with one amazon."""
        return None if position.find("/") > 1 or position.count("Q") > 1 else position.count(".")

    def reason(self, position: str) -> str | None:
        """Return the number of free squares of a row with one amazon."""
        value = self.closed_form(position)
        return None if value is None else Message("one amazon in a row with {squares}", plural(value, "free square"))

    def canonical(self, position: str) -> str:
        """Return the first of the board's turns and reflections, lying where it has two sides."""
        return min(symmetries(position), key=lambda board: (board.count("/"), board))

    def mobility(self, position: str) -> int:
        """Return the number of free squares."""
        return position.count(".")

    def parse(self, text: str) -> Hashable:
        """Return the regions of a board given by its rows."""
        rows = read_board(text, {".": ".", "#": "#", "Q": "Q", "q": "Q"})
        if len(rows) * len(rows[0]) > _MOST:
            raise ParseError(
                "a board of {count} squares: expected at most {most}", len(rows) * len(rows[0]), _MOST, column=1
            )
        return sum_of(_regions(*_bits("/".join(rows))), "#")

    def ways(self, position: str) -> Iterator[Way]:
        """Return the moves on the board: from where, to where, and what burns."""
        board, (_, _, stride) = self.picture(position), _bits(position)
        if board is None:
            return
        size, cells = len(position), [place for place, cell in enumerate(position) if cell != "/"]
        for free, queens, steps in _moves(position):
            option = sum_of(_regions(free, queens, stride), "#")
            marks = zip(position, f"{free:0{size}b}", f"{queens:0{size}b}", strict=True)
            rows = "".join(
                "/" if cell == "/" else "Q" if amazon == "1" else "#."[int(bit)] for cell, bit, amazon in marks
            )
            touched = tuple(cells.index(size - step.bit_length()) for step in steps)
            yield board_way(board, option, self.picture(rows), map(self.picture, parts_of(option)), touched)


def _bits(position: str) -> tuple[int, int, int]:
    """Return the free squares and the amazons as ones, an empty bit between the rows, and how far apart rows are."""
    stride = position.find("/") + 1 or len(position) + 1
    return int(position.translate(_FREE), 2), int(position.translate(_QUEENS), 2), stride


def _moves(position: str) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
    """Yield the free squares and the amazons after each move, with where it begins, where it ends and what it burns."""
    free, queens, stride = _bits(position)
    for queen in _each(queens):
        for end in _reached(queen, free, stride):
            left = free ^ queen ^ end
            for arrow in _reached(end, left, stride):
                yield left ^ arrow, queens ^ queen ^ end, (queen, end, arrow)


def _each(squares: int) -> Iterator[int]:
    while squares:
        yield squares & -squares
        squares &= squares - 1


def _reached(start: int, free: int, stride: int) -> Iterator[int]:
    """Yield the squares that a queen may move to."""
    for step in (1, stride - 1, stride, stride + 1):
        end = start << step
        while end & free:
            yield end
            end <<= step
        end = start >> step
        while end & free:
            yield end
            end >>= step


def _regions(free: int, queens: int, stride: int) -> Iterator[str]:
    """Yield the regions where an amazon can move, each in its smallest rectangle."""
    left = free | queens
    while left:
        region, grown = 0, left & -left
        while grown != region:
            region = grown
            grown |= grown << 1 | grown >> 1
            grown |= grown << stride | grown >> stride
            grown &= left
        left ^= region
        if region & free and region & queens:
            yield _text(region & free, region & queens, stride)


@lru_cache(maxsize=1 << 16)
def _text(free: int, queens: int, stride: int) -> str:
    rows: list[tuple[int, int]] = []
    mask = (1 << stride) - 1
    while free or queens:
        if (free | queens) & mask or rows:
            rows.append((free & mask, queens & mask))
        free >>= stride
        queens >>= stride
    columns = [column for column in range(stride) if any((row | amazons) >> column & 1 for row, amazons in rows)]
    within = range(columns[-1], columns[0] - 1, -1)
    return "/".join(
        "".join("Q" if amazons >> column & 1 else ".#"[not row >> column & 1] for column in within)
        for row, amazons in reversed(rows)
    )
