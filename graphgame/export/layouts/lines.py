"""Lines of play that pictures show."""

from __future__ import annotations

import numpy as np

from graphgame.errors import LimitError
from graphgame.export.picture import GraphPicture

__all__ = ["MOST_IN_LINE", "best_line"]

MOST_IN_LINE = 10_000
"""Where a line is broken off."""


def best_line(picture: GraphPicture, vertex: int) -> list[int]:
    """Return the positions of best play from a vertex: the winner hurries, the loser delays; it ends where nobody wins.

    Sums are left out: play in them goes on in several parts.
    """
    line = [vertex]
    if picture.solution is None or picture.outcome is None:
        return line
    try:
        length = picture.solution.remoteness.array
    except LimitError:
        return line
    while len(line) < MOST_IN_LINE:
        options = picture.graph.option_rows.row(line[-1])
        wins = picture.outcome[line[-1]] == "N"
        if wins:
            options = options[picture.outcome[options] == "P"]
        if not len(options) or picture.outcome[line[-1]] == "D" or _sums_among(picture, options):
            break
        lengths = length[options]
        line.append(int(options[lengths.argmin() if wins else lengths.argmax()]))
    return line


def _sums_among(picture: GraphPicture, options: np.ndarray) -> bool:
    return picture.graph.sums is not None and bool(picture.graph.sums[options].any())
