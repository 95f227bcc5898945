"""What a search may spend: positions and seconds."""

from __future__ import annotations

from time import monotonic

from graphgame.arrays.engine import Progress, cores
from graphgame.errors import LimitError, plural

__all__ = ["MAX_NODES", "MEMORY", "Allowance"]

MAX_NODES = 2_000_000
"""Positions that a search may keep in its tables unless the caller says otherwise; they take up to about 1 GB."""

MEMORY = 2 << 30
"""Bytes that the tables of a game on sets of cells may take unless the caller says otherwise."""

_REPORT_EVERY = 64


class Allowance:
    """What is left to spend for all searches that share it.

    Attributes
    ----------
    most, kept : int
        How many positions the tables may have, and have.
    visited : int
        Positions whose options were looked at.
    memory, jobs : int
        Bytes for tables of bounded memory, and threads that share them.
    """

    def __init__(
        self,
        max_nodes: int | None = None,
        time: float | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
        jobs: int | None = None,
    ) -> None:
        if max_nodes is not None and max_nodes < 1:
            raise ValueError(f"invalid max_nodes {max_nodes}: expected 1 or more")
        if memory < 1:
            raise ValueError(f"invalid memory {memory}: expected 1 byte or more")
        if jobs is not None and jobs < 1:
            raise ValueError(f"invalid jobs {jobs}: expected 1 or more")
        if time is not None and not time > 0:
            raise ValueError(f"invalid time {time}: expected more than 0 seconds")
        self.visited = self.kept = 0
        self.most = MAX_NODES if max_nodes is None else max_nodes
        self.memory = memory
        self.jobs = cores() if jobs is None else jobs
        self._bounded = max_nodes is not None
        self._time = time
        self._end = None if time is None else monotonic() + time
        self._progress = progress
        self._looks = 0

    def keep(self) -> None:
        """Count one more position in a table; raise a LimitError where there are too many."""
        if self.kept >= self.most:
            raise self._full()
        self.kept += 1

    @property
    def left_to_keep(self) -> int:
        """How many positions more a table of bounded memory may have; very many unless the caller set a limit."""
        return max(self.most - self.kept, 0) if self._bounded else 1 << 62

    def may_keep(self) -> None:
        """Raise a LimitError where a table of bounded memory has as many positions as the caller allows."""
        if not self.left_to_keep:
            raise self._full()

    def spend(self, visited: int, kept: int) -> None:
        """Count positions that were looked at, and that are new in a table."""
        self.visited += visited
        self.kept += kept

    def _full(self) -> LimitError:
        return LimitError(f"no answer within a table of {plural(self.most, 'position')}", limit="max_nodes")

    def look(self, depth: int, every: int = _REPORT_EVERY) -> None:
        """Tell the time before some work; raise a LimitError where it is over. Every so often report."""
        if self._end is not None and monotonic() > self._end:
            raise LimitError(
                f"no answer within {self._time:g} s, {plural(self.visited, 'position')} visited", limit="time"
            )
        if self._progress is not None and self._looks % every == 0:
            self._progress(self.visited, depth)
        self._looks += 1
