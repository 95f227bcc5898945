"""What a search may spend: positions and seconds."""

from __future__ import annotations

from time import monotonic

from graphgame.arrays.engine import Progress
from graphgame.errors import LimitError, plural

__all__ = ["MAX_NODES", "Allowance"]

MAX_NODES = 2_000_000
"""Positions that a search may keep in its tables unless the caller says otherwise; they take up to about 1 GB."""

_REPORT_EVERY = 64


class Allowance:
    """What is left to spend for all searches that share it.

    Attributes
    ----------
    most, kept : int
        How many positions the tables may have, and have.
    visited : int
        Positions whose options were looked at.
    """

    def __init__(self, max_nodes: int, time: float | None = None, progress: Progress | None = None) -> None:
        if max_nodes < 1:
            raise ValueError(f"invalid max_nodes {max_nodes}: expected 1 or more")
        if time is not None and not time > 0:
            raise ValueError(f"invalid time {time}: expected more than 0 seconds")
        self.visited = self.kept = 0
        self.most = max_nodes
        self._time = time
        self._end = None if time is None else monotonic() + time
        self._progress = progress
        self._looks = 0

    def keep(self) -> None:
        """Count one more position in a table; raise a LimitError where there are too many."""
        if self.kept >= self.most:
            raise LimitError(f"no answer within a table of {plural(self.most, 'position')}", limit="max_nodes")
        self.kept += 1

    def look(self, depth: int) -> None:
        """Tell the time before the options of a position are looked at; raise a LimitError where it is over."""
        if self._end is not None and monotonic() > self._end:
            raise LimitError(
                f"no answer within {self._time:g} s, {plural(self.visited, 'position')} visited", limit="time"
            )
        if self._progress is not None and self._looks % _REPORT_EVERY == 0:
            self._progress(self.visited, depth)
        self._looks += 1
