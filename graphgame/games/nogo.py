"""NoGo: stones of two colours on a board, of which none is ever taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import ClassVar

from graphgame.games.grid_text import next_to_each_other
from graphgame.games.stones import OTHER_COLOURS, Stones, exchanged
from graphgame.rules.about import About
from graphgame.rules.masks import MaskGame

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
