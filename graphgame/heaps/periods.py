"""Periods of value sequences: found in linear time, and claimed only where a theorem carries them on for ever."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphgame.errors import shorten
from graphgame.heaps.loops import Array, runner, tail_matches
from graphgame.heaps.rules import Theorem

__all__ = ["PeriodCertificate", "find_period"]


@dataclass(frozen=True)
class PeriodCertificate:
    """A proved period: g(n + period) = g(n) + saltus for every heap n from ``preperiod`` on.

    Attributes
    ----------
    game : str
        The game in the notation, as :func:`graphgame.heaps.game` reads it.
    preperiod : int
        The least heap from which on the values repeat.
    period : int
        The least distance.
    saltus : int
        What is added with each period; 0 for a plain period.
    last_heap : int
        The heaps up to this one were needed for the proof.
    theorem : str
        Why the values go on.
    values : tuple of int
        Those of the heaps below ``preperiod + period``.

    Examples
    --------
    >>> from graphgame import heaps
    >>> kayles = heaps.octal("0.77").period(1000)
    >>> kayles.preperiod, kayles.period, kayles.last_exception
    (71, 12, 70)
    >>> kayles.value(10**18)
    1
    """

    game: str
    preperiod: int
    period: int
    saltus: int
    last_heap: int
    theorem: str
    values: tuple[int, ...]

    def value(self, heap: int) -> int:
        """Return the value of a heap of any size, at once.

        Raises
        ------
        ValueError
            The heap is negative.
        """
        if heap < 0:
            raise ValueError(f"invalid heap {shorten(heap)}: expected 0 or more")
        if heap < self.preperiod:
            return self.values[heap]
        return self._continued(heap)

    @property
    def last_exception(self) -> int | None:
        """The largest heap that does not fit the period."""
        return self.preperiod - 1 if self.preperiod else None

    @cached_property
    def exceptions(self) -> dict[int, int]:
        """The heaps that do not fit the period, with their values."""
        return {
            heap: value for heap, value in enumerate(self.values[: self.preperiod]) if value != self._continued(heap)
        }

    def _continued(self, heap: int) -> int:
        """Return the value that the period alone gives."""
        periods, place = divmod(heap - self.preperiod, self.period)
        return self.values[self.preperiod + place] + periods * self.saltus


def find_period(game: str, values: Array, theorem: Theorem, engine: str = "auto") -> PeriodCertificate | None:
    """Return the least period that the theorem proves from the values of heaps 0, 1, ...; None where it proves none.

    Parameters
    ----------
    game : str
    values : ndarray
    theorem : Theorem
    engine : {"auto", "plain", "compiled"}

    Notes
    -----
    O(n). For each distance p, the Z-function of the reversed sequence tells how far back the values repeat. If any p is
    a period of the whole sequence, the least one satisfies the theorem on the same heaps, so the answer is minimal.
    """
    if len(values) < 2:
        return None
    numbers = values.astype(np.int64)
    sequence = np.diff(numbers) if theorem.arithmetic else numbers
    lengths = np.zeros(len(sequence) + 1, np.int64)
    runner(tail_matches, 2 * len(sequence), engine)(sequence, lengths)
    distances = np.arange(1, len(sequence) + 1)
    starts = len(sequence) - distances - lengths[1:]
    needed = theorem.last_heap(starts, distances)
    proved = np.flatnonzero(needed < len(values))
    if not len(proved):
        return None
    first = proved[0]
    preperiod, period = int(starts[first]), int(distances[first])
    saltus = int(numbers[preperiod + period] - numbers[preperiod]) if theorem.arithmetic else 0
    known = tuple(numbers[: preperiod + period].tolist())
    return PeriodCertificate(game, preperiod, period, saltus, int(needed[first]), theorem.statement, known)
