"""Games with stones of two colours on a board, either of which both players may use."""

from __future__ import annotations

from graphgame.games.grid_text import symmetries
from graphgame.games.region_boards import RegionBoard

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
