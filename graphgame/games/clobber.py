"""Clobber: stones of two colours on a board, each of which may take its neighbours of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import ClassVar

from graphgame.games.grid_text import next_to_each_other
from graphgame.games.stones import Stones, exchanged
from graphgame.rules.about import About
from graphgame.rules.masks import MaskGame


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
