"""Clobber and NoGo: stones of two colours on a board, either of which both players may use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import ClassVar

from graphgame.games.grid_text import next_to_each_other, symmetries
from graphgame.games.region_boards import RegionBoard
from graphgame.rules.masks import MaskGame
from graphgame.rules.ruleset import About

OTHER_COLOURS = str.maketrans("xo", "ox")


class Stones(RegionBoard):
    """Rules with stones ``x`` and ``o``, whose colours may be exchanged; a square has a cell for each."""

    most = 128

    def canonical(self, position: str) -> str:
        """Return the first of the board's turns and reflections, also with the colours exchanged."""
        return min(symmetries(position) + symmetries(position.translate(OTHER_COLOURS)))


def exchanged(squares: int) -> list[list[int]]:
    """Return the symmetry that exchanges the colours of so many squares."""
    return [[cell ^ 1 for cell in range(2 * squares)]]


class Clobber(Stones):
    """The rules of impartial Clobber.

    Examples
    --------
    >>> rules = Clobber()
    >>> list(rules.options("xoxo"))
    ['xxo', 'xo', '.', '.', 'xo', 'xoo']
    """

    about = About(
        "Impartial Clobber: move a stone of any colour onto a neighbouring one of the other, which is removed.",
        "``clobber(3x4)`` is a board full of stones whose colours alternate; ``clobber(xo./.xo)`` gives the rows, with "
        "``x`` and ``o`` for stones and ``.`` for an empty square. Stones fall apart into regions; a position is one "
        "region, in its smallest rectangle, and stones of one colour alone count for nothing.",
        theorem="Which colour is which does not matter: a position and the one with the colours exchanged are the "
        "same.",
        source="M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, Integers 5 "
        "(2005).",
    )

    cells: ClassVar = {".": "square", "x": "cross", "o": "coin"}
    marks = ".xo."

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game on one board; cell 2s + k is a stone of colour k on the square s."""
        squares = rows * columns
        return MaskGame(2 * squares, _moves(rows, columns), symmetries=exchanged(squares), grid=(rows, columns))

    def full(self, rows: int, columns: int) -> Iterator[str]:
        """Yield rows whose colours alternate."""
        return (("xo" * columns)[row % 2 : row % 2 + columns] for row in range(rows))


def _moves(rows: int, columns: int) -> Iterator[tuple[int, int, int]]:
    for (a, b), colour in product(next_to_each_other(rows, columns), (0, 1)):
        both = 1 << 2 * a + colour | 1 << 2 * b + 1 - colour
        yield both, both, 1 << 2 * b + colour


_BLOCKS = re.compile(r"(x|o)\1+")


class NoGo(Stones):
    """The rules of impartial NoGo.

    Examples
    --------
    >>> rules = NoGo()
    >>> list(rules.options("...."))
    ['x...', 'o...', '.x..', '.o..', '..x.', '..o.', '...x', '...o']
    >>> rules.canonical("xx.o..")
    '..o.x'
    """

    about = About(
        "Impartial NoGo: put a stone of any colour on a free square, so that each block has a free square beside it.",
        "A block is all stones of one colour that hang together; a free square beside it is a liberty. Nothing is ever "
        "captured: a move that would leave some block of either colour without a liberty is not allowed. ``nogo(2x4)`` "
        "is an empty board; ``nogo(x../.o.)`` gives the rows, with ``x`` and ``o`` for stones, ``.`` for a free square "
        "and ``#`` for one that is not part of the board. Free squares and the blocks beside them fall apart into "
        "regions; a position is one region, in its smallest rectangle, and a single free square counts for nothing.",
        theorem="What is not allowed stays so. Which colour is which does not matter, and in a row a block is as good "
        "as one stone. The values of rows of 1, 2, 3, ... squares begin 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 1; no period "
        "is known.",
        source="C.-W. Chou, O. Teytaud, S.-J. Yen, Revisiting Monte-Carlo tree search on a normal form game: NoGo, "
        "EvoApplications 2011. Impartial NoGo: the results of MCGS, University of Alberta (2025).",
    )

    cells: ClassVar = {".": "square", "x": "cross", "o": "coin", "#": "blank"}
    marks = "#xo."

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game on a board; cell 2s + k is there where a stone of colour k is on the square s, or may be."""
        squares = range(rows * columns)
        near = [3 << 2 * square for square in squares for _ in (0, 1)]
        for (a, b), colour in product(next_to_each_other(rows, columns), (0, 1)):
            near[2 * a + colour] |= 1 << 2 * b + colour
        moves = ((3 << 2 * square, 1 << 2 * square + colour) for square in squares for colour in (1, 0))
        symmetries = exchanged(rows * columns)
        return MaskGame(len(near), moves, symmetries=symmetries, grid=(rows, columns), near=near, liberties=True)

    def full(self, rows: int, columns: int) -> Iterator[str]:
        """Yield the rows of an empty board."""
        return ("." * columns for _ in range(rows))

    def canonical(self, position: str) -> str:
        """Return the first image of a board by symmetry; in a row each block is one stone."""
        if min(position.count("/") + 1, (position + "/").index("/")) > 1:
            return super().canonical(position)
        row = _BLOCKS.sub(r"\1", position.replace("/", ""))
        return min(each for way in (row, row[::-1]) for each in (way, way.translate(OTHER_COLOURS)))
