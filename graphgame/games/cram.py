"""Cram: dominoes on a board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import ClassVar, Literal

from graphgame.errors import Message
from graphgame.games.region_boards import RegionBoard
from graphgame.rules.about import About
from graphgame.rules.masks import MaskGame


class Cram(RegionBoard):
    """The rules of Cram.

    Examples
    --------
    >>> rules = Cram()
    >>> [rules.canonical(option) for option in rules.options("../..")]
    ['..', '..', '..', '..']
    >>> list(rules.options("......"))
    ['....', '...', Sum('..', '..'), '...', '....']
    """

    about = About(
        "Cram: put a domino, lying or standing, on two free neighbouring cells of the board.",
        "``cram(4x5)`` is an empty board of 4 rows of 5 cells; ``cram(..#/.#.)`` gives the rows, with ``.`` for a free "
        "cell and ``#`` for one that is taken. What is free falls apart into regions; a position is one region, in its "
        "smallest rectangle, and a single free cell counts for nothing.",
        theorem="A region that a half turn maps to itself is P if no free cell is its own image or next to it, as on "
        "boards with two even sides: answer each domino with its image. If a domino fits on the centre it is N: begin "
        "there. 2xn has the value n mod 2; one row of n is Dawson's Kayles, 0.07.",
        source="M. Gardner, Cram, crosscram and quadraphage, Scientific American 230 (February 1974). J. Lemoine, S. "
        "Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012).",
    )

    cells: ClassVar = {".": "square", "#": "taken"}
    row_code = "0.07"

    marks, most = "#.", 256

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game of dominoes on one board; its cells are those that are free."""
        return MaskGame.placing(rows, columns, ["oo"])

    def full(self, rows: int, columns: int) -> Iterator[str]:
        """Yield rows of free cells."""
        return repeat("." * columns, rows)

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
        paired = Message("a half turn answers each domino with its image")
        return paired if outcome == "P" else Message("a domino on the centre, and then {paired}", paired)
