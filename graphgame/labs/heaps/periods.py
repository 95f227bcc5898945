"""Periods of value sequences: found in linear time, and claimed only where a theorem carries them on for ever.

Where the last of a sequence has stood before: in linear time and no memory, by the two-way method.

Read from its end, the sequence starts with the last items, and is searched for where they come again.

References
----------
M. Crochemore, D. Perrin, Two-way string-matching, Journal of the ACM 38 (1991).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import use_compiled
from graphgame.errors import Message
from graphgame.labs.heaps.certificates import PeriodCertificate, held_values
from graphgame.labs.heaps.rules import Theorem


def repetition(
    values: Array, least: int, *, after: int = 0, differences: bool = False, engine: str = "auto"
) -> tuple[int, int] | None:
    """Return from where on items repeat, and the least period above a number by which so many of the last ones do.

    O(n). With ``differences``, those between neighbours are the items.

    Examples
    --------
    >>> import numpy as np
    >>> repetition(np.array([5, 0, 1, 2, 0, 1, 2, 0, 1], np.uint8), 3, engine="plain")
    (1, 3)
    """
    size = len(values) - differences
    if least < 0 or after + 1 + least > size:
        return None
    period = runner(_least_shift, 4 * size, engine)(values, least, after, differences)
    if not period:
        return None
    matched = runner(_matched, size, engine)(values, least, period, differences)
    return size - period - matched, period


@inlined
def _item(values: Array, place: int, differences: bool) -> int:
    """Return the item so many places before the last one."""
    here = len(values) - 1 - place
    return int(values[here]) - int(values[here - 1]) if differences else int(values[here])


@inlined
def _greatest_end(values: Array, size: int, differences: bool, sign: int) -> tuple[int, int]:
    """Return where the greatest end of the first items starts, less 1, in an order or its reverse; and its period."""
    found, place, length, period = -1, 0, 1, 1
    while place + length < size:
        order = sign * (_item(values, place + length, differences) - _item(values, found + length, differences))
        if order < 0:
            place += length
            length = 1
            period = place - found
        elif order > 0:
            found = place
            place += 1
            length = period = 1
        elif length == period:
            place += period
            length = 1
        else:
            length += 1
    return found, period


@compiled
def _least_shift(values: Array, size: int, after: int, differences: bool) -> int:
    """Return the least shift above a number after which the first items, read from the end, come again; 0 if none."""
    total = len(values) - differences
    cut, period = _greatest_end(values, size, differences, 1)
    other_cut, other_period = _greatest_end(values, size, differences, -1)
    if other_cut > cut:
        cut, period = other_cut, other_period
    repeats, k = period + cut < size, 0
    while repeats and k <= cut:
        repeats = _item(values, k, differences) == _item(values, k + period, differences)
        k += 1
    if not repeats:
        period = max(cut, size - cut - 2) + 2
    shift, known = after + 1, -1  # the items up to the place ``known`` are known to agree
    while shift + size <= total:
        k = max(cut, known) + 1
        while k < size and _item(values, k, differences) == _item(values, k + shift, differences):
            k += 1
        if k < size:
            shift += k - cut
            known = -1
        else:
            k = cut
            while k > known and _item(values, k, differences) == _item(values, k + shift, differences):
                k -= 1
            if k <= known:
                return shift
            shift += period
            known = size - period - 1 if repeats else -1
    return 0


@compiled
def _matched(values: Array, known: int, shift: int, differences: bool) -> int:
    """Return how many of the last items equal those ``shift`` before them; the first ``known`` values match."""
    total = len(values) - differences - shift
    while known < total and _item(values, known, differences) == _item(values, known + shift, differences):
        known += 1
    return known


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
