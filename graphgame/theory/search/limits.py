"""What a search may spend: positions and seconds."""

from __future__ import annotations

import sys
from time import monotonic

from graphgame.arrays.engine import Progress, cores
from graphgame.errors import LimitError, Message, plural

if sys.platform != "win32":
    import resource

__all__ = ["MAX_NODES", "MEMORY", "Allowance", "ValueTooLargeError"]

MAX_NODES = 2_000_000
"""Positions that a search may keep in its tables unless the caller says otherwise; they take up to about 1 GB."""

MEMORY = 2 << 30
"""Bytes that a search may take unless the caller says otherwise."""

_REPORT_EVERY = 64
_A_CACHED_OPTION = 1 << 10
_UNIT = 1 if sys.platform == "darwin" else 1 << 10


class Allowance:
    """What is left to spend for all searches that share it.

    Attributes
    ----------
    most, kept : int
        How many positions the tables may have, and have.
    visited : int
        Positions whose options were looked at.
    memory, jobs : int
        Bytes for tables of bounded memory, or that the process may grow by, and threads that share such tables.
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
            raise ValueError(Message("invalid max_nodes {max_nodes}: expected 1 or more", max_nodes))
        if memory < 1:
            raise ValueError(Message("invalid memory {memory}: expected 1 byte or more", memory))
        if jobs is not None and jobs < 1:
            raise ValueError(Message("invalid jobs {jobs}: expected 1 or more", jobs))
        if time is not None and not time > 0:
            raise ValueError(Message("invalid time {time}: expected more than 0 seconds", time))
        self.visited = self.kept = 0
        self.most = MAX_NODES if max_nodes is None else max_nodes
        self.memory = memory
        self.jobs = cores() if jobs is None else jobs
        self._bounded = max_nodes is not None
        self._time = time
        self._end = None if time is None else monotonic() + time
        self._progress = progress
        self._looks = 0
        self._size = _size_of_process()

    @property
    def most_cached(self) -> int:
        """How many options may be remembered, which could be asked for again."""
        return self.memory // _A_CACHED_OPTION

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
        return LimitError("no answer within a table of {positions}", plural(self.most, "position"), limit="max_nodes")

    def look(self, depth: int, every: int = _REPORT_EVERY, measured: bool = False) -> None:
        """Tell the time before some work; raise a LimitError where it is over. Every so often report.

        Then too much memory of the process is a LimitError as well, if it is to be measured.
        """
        if self._end is not None and monotonic() > self._end:
            raise LimitError(
                "no answer within {time} s, {positions} visited",
                f"{self._time:g}",
                plural(self.visited, "position"),
                limit="time",
            )
        if self._looks % every == 0:
            if measured and _size_of_process() - self._size > self.memory:
                size = f"{self.memory / 1e6:,.0f} MB" if self.memory >= 1e6 else plural(self.memory, "byte")
                visited = plural(self.visited, "position")
                raise LimitError("no answer within {size}, {visited} visited", size, visited, limit="memory")
            if self._progress is not None:
                self._progress(self.visited, depth)
        self._looks += 1


def _size_of_process() -> int:
    """Return the most bytes that this process had in memory; 0 on Windows, where the memory is not bounded so."""
    return 0 if sys.platform == "win32" else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


class ValueTooLargeError(Exception):
    """A position has a value that the loops have no room for."""
