"""Periods of value sequences: found in linear time, and claimed only where a theorem carries them on for ever."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from graphgame.arrays.compiling import Array
from graphgame.arrays.engine import use_compiled
from graphgame.errors import Message
from graphgame.heaps.certificates import PeriodCertificate, held_values
from graphgame.heaps.repetition import repetition
from graphgame.heaps.rules import Theorem

__all__ = ["ObservedPeriod", "find_period", "growing_period", "observe_period"]

_FIRST_HEAPS = 256
_REPEATED = 256
"""Heaps past the last at which a period may begin to repeat, the values of which tell that none does."""

_SHOWN_SHARE = 8
"""One part in so many of the values, repeated, shows which period to prove next."""


@dataclass(frozen=True)
class ObservedPeriod:
    """A period that the values up to some heap have; nothing is proved.

    Attributes
    ----------
    game : str
    preperiod, period, saltus : int
        g(n + period) = g(n) + saltus for every n from ``preperiod`` to ``last_heap - period``.
    last_heap : int
        The largest heap looked at.

    Examples
    --------
    >>> from graphgame import heaps
    >>> print(heaps.subtraction("even").observed_period(100))
    take{even}: period 2, 1 added each time, from heap 0 on: seen 50 times, observed to heap 100, not proved
    """

    game: str
    preperiod: int
    period: int
    saltus: int
    last_heap: int

    def __str__(self) -> str:
        added = Message(", {saltus} added each time,", self.saltus) if self.saltus else ""
        times = (self.last_heap + 1 - self.preperiod) // self.period
        found = Message("period {period}{added} from heap {preperiod} on", self.period, added, self.preperiod)
        return Message(
            "{game}: {found}: seen {times} times, observed to heap {last_heap}, not proved",
            self.game,
            found,
            times,
            self.last_heap,
        )

    def record(self) -> dict[str, object]:
        """Return the observation as an object of JSON."""
        return vars(self)


def find_period(game: str, values: Array, theorem: Theorem, engine: str = "auto") -> PeriodCertificate | None:
    """Return the least period that the theorem proves from the values of heaps 0, 1, ...; None where it proves none.

    O(n); a proof by the moves takes longer. If any p is a period of the whole sequence, the least one satisfies the
    theorem on the same heaps, so the answer is minimal.
    """
    found = None if theorem.last_heap is None else _by_window(game, values, theorem, engine)
    return _by_splits(game, values, theorem, engine) if found is None and theorem.splits else found


def growing_period(
    game: str,
    theorem: Theorem | None,
    limit: int,
    values_to: Callable[[int], Array],
    engine: str = "auto",
    *,
    observed: bool = True,
) -> PeriodCertificate | ObservedPeriod | None:
    """Return the period that the theorem proves from the first heaps, else, if asked, one that all up to a limit show.

    ``values_to(n)`` gives the values of the heaps 0..n; n about doubles with each call, or is what the proof of a
    period needs that the values show.
    """
    last = limit if theorem is None else min(limit, _FIRST_HEAPS - 1)
    end = limit if observed or theorem is None or theorem.splits else _last_end(theorem, limit + 1)
    while True:
        values = values_to(last)
        found = None if theorem is None else find_period(game, values, theorem, engine)
        if found is not None:
            return found
        if last == limit:
            return observe_period(game, values, engine) if observed else None
        if last >= end and _repeated(values, end, theorem, engine) is None:
            return None
        more = min(2 * last + 1, end + max(_REPEATED, 4 * (last - end)))
        last = min(limit, _wanted(values, theorem, engine) or more)


def observe_period(game: str, values: Array, engine: str = "auto") -> ObservedPeriod | None:
    """Return the least period that the values of heaps 0, 1, ... show three times, and half of the heaps.

    O(n) for each period that the last third has and that does not reach back so far: few, unless a long end is
    constant.
    The loop is compiled where all these searches together are large.
    """
    known, period, work = len(values), 0, 0
    least = max((known - 1 - known // 2) * 2 // 3, 1)
    while found := repetition(values, least, after=period, differences=True, engine=engine):
        work += 4 * known
        if engine == "auto" and use_compiled(work):
            engine = "compiled"
        start, period = found
        if start + 3 * period < known and 2 * start <= known:
            return ObservedPeriod(game, start, period, int(values[start + period]) - int(values[start]), known - 1)
    return None


def _by_window(game: str, values: Array, theorem: Theorem, engine: str) -> PeriodCertificate | None:
    """Prove a period from so many values that repeat."""
    assert theorem.last_heap is not None
    end = _last_end(theorem, len(values))
    found = None if end == 0 else _repeated(values, end, theorem, engine)
    if found is None or (needed := theorem.last_heap(*found)) >= len(values):
        return None
    start, period = found
    saltus = int(values[start + period]) - int(values[start])
    return PeriodCertificate(
        game, start, period, saltus, needed, theorem.statement, held_values(values[: start + period])
    )


def _last_end(theorem: Theorem, known: int) -> int:
    """Return the last heap at which n0 + p may lie if so many values prove a period."""
    last_heap = theorem.last_heap
    assert last_heap is not None
    return bisect_left(range(1, known), known, key=lambda end: last_heap(end - 1, 1))


def _repeated(values: Array, end: int, theorem: Theorem | None, engine: str) -> tuple[int, int] | None:
    """Return from where on values repeat, and the least period by which those from heap ``end`` on do."""
    arithmetic = theorem is not None and theorem.arithmetic
    return repetition(values, len(values) - end - arithmetic, differences=arithmetic, engine=engine)


def _wanted(values: Array, theorem: Theorem | None, engine: str) -> int | None:
    """Return the last heap that the proof needs of the period that the last values show, if that is not far off."""
    if theorem is None or theorem.last_heap is None or theorem.arithmetic:
        return None
    found = repetition(values, len(values) // _SHOWN_SHARE, engine=engine)
    wanted = 0 if found is None else theorem.last_heap(*found)
    return wanted if len(values) <= wanted < 2 * len(values) else None


def _by_splits(game: str, values: Array, theorem: Theorem, engine: str) -> PeriodCertificate | None:
    """Prove the arithmetic period that the values show, by its moves."""
    seen = observe_period(game, values, engine)
    if seen is None or seen.saltus <= 0 or theorem.splits is None:
        return None
    last_heap = theorem.splits.last_heap(values, seen.preperiod, seen.period, seen.saltus)
    if last_heap is None:
        return None
    known = held_values(values[: seen.preperiod + seen.period])
    return PeriodCertificate(game, seen.preperiod, seen.period, seen.saltus, last_heap, theorem.splits.statement, known)
