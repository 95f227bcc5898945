"""Periods of value sequences: found in linear time, and claimed only where a theorem carries them on for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphgame.arrays.compiling import Array, compiled, runner
from graphgame.errors import shorten
from graphgame.heaps.rules import Theorem
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.jsontext import whole_value
from graphgame.io.records import fits, natural

__all__ = ["ObservedPeriod", "PeriodCertificate", "find_period", "growing_period", "observe_period"]

_BLOCK = 1 << 20
_FIRST_HEAPS = 256
_SHAPE: dict[str, Any] = {"game": str, **dict.fromkeys(("preperiod", "period", "saltus", "last_heap"), natural)}
_SHAPE |= {"theorem": str, "values": [natural]}


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

    def values_to(self, n: int) -> Array:
        """Return the values of the heaps 0..n.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.octal("0.77").period(1000).values_to(5)
        array([0, 1, 2, 3, 1, 4], dtype=uint16)
        """
        largest = max(self.values) + self.saltus * max((n - self.preperiod) // self.period, 0)
        values = np.empty(n + 1, np.promote_types(np.uint16, np.min_scalar_type(largest)))
        known = min(len(self.values), n + 1)
        values[:known] = self.values[:known]
        while known <= n:
            periods = (known - self.preperiod) // self.period
            shift = periods * self.period
            more = min(shift, n + 1 - known)
            values[known : known + more] = values[known - shift : known - shift + more] + values.dtype.type(
                periods * self.saltus
            )
            known += more
        return values

    def reason(self, heap: int) -> str | None:
        """Say which smaller heap gives the value of a heap; None for those that were computed.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.octal("0.77").period(1000).reason(100)
        'period 12 from 71 on, proved: 100 has the value of 76, 1'
        """
        periods, place = divmod(heap - self.preperiod, self.period)
        if periods <= 0:
            return None
        first, value = self.preperiod + place, self.value(heap)
        if not self.saltus:
            return f"period {self.period} from {self.preperiod} on, proved: {heap} has the value of {first}, {value}"
        added = f"{self.values[first]} + {periods} * {self.saltus} = {value}"
        return f"period {self.period}, {self.saltus} added each time, from {self.preperiod} on, proved: {added}"

    def heaps_of(self, value: int) -> Iterator[int]:
        """Yield the heaps of a value, which are finitely many where a saltus is added with each period.

        Examples
        --------
        >>> from graphgame import heaps
        >>> list(heaps.game("take{not 2}").period(100).heaps_of(4))
        [8, 10]
        """
        for heap, first in enumerate(self.values):
            if heap < self.preperiod:
                periods, rest = 0, value - first
            else:
                periods, rest = divmod(value - first, self.saltus)
            if not rest and periods >= 0:
                yield heap + periods * self.period

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

    def excess(self) -> str | None:
        """Say which smaller preperiod or period the values have as well; None where both are the least."""
        if self.preperiod and self.values[self.preperiod - 1] == self._continued(self.preperiod - 1):
            return f"heap {self.preperiod - 1} fits the period too"
        changes = np.diff(self.values[self.preperiod :], append=self.values[self.preperiod] + self.saltus)
        for parts in range(self.period, 1, -1):
            shorter, rest = divmod(self.period, parts)
            if rest == 0 and np.array_equal(changes[shorter:], changes[:-shorter]):
                return f"{shorter} is a period too"
        return None

    def record(self) -> dict[str, object]:
        """Return the certificate as an object of JSON."""
        names = ("game", "preperiod", "period", "saltus", "last_exception", "last_heap", "theorem", "values")
        return {name: getattr(self, name) for name in names}

    def save(self, path: PathLike) -> None:
        """Write the certificate as JSON: the whole file or, if that fails, none."""
        import json

        with open_atomic(path) as stream:
            stream.write(json.dumps(self.record()) + "\n")

    @classmethod
    def load(cls, path: PathLike) -> PeriodCertificate:
        """Read a certificate; :meth:`graphgame.heaps.HeapGame.fault` checks it.

        Raises
        ------
        ParseError
            The file holds no certificate, or one that contradicts itself.
        OSError
            The file cannot be read.
        """
        with Source(path) as source:
            found = whole_value(source)
            certificate = cls.of_record(found)
            if certificate is None:
                raise source.error("no certificate of a period: expected what PeriodCertificate.save writes")
            last, stated = shorten(certificate.last_exception), shorten(found.get("last_exception"))
            if stated != last:
                raise source.error(f"last_exception is {stated}: expected {last}, by the preperiod")
            return certificate

    @classmethod
    def of_record(cls, found: Any) -> PeriodCertificate | None:  # noqa: ANN401
        """Return the certificate of an object of JSON; None if it is none."""
        if not _is_record(found):
            return None
        return cls(**{name: found[name] for name in _SHAPE} | {"values": tuple(found["values"])})

    def _continued(self, heap: int) -> int:
        """Return the value that the period alone gives."""
        periods, place = divmod(heap - self.preperiod, self.period)
        return self.values[self.preperiod + place] + periods * self.saltus


def _is_record(found: Any) -> bool:  # noqa: ANN401
    """Tell whether an object of JSON is a certificate, as far as its form goes."""
    return (
        isinstance(found, dict)
        and fits({name: found.get(name) for name in _SHAPE}, _SHAPE)
        and found["period"] >= 1
        and len(found["values"]) == found["preperiod"] + found["period"]
    )


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
        added = f", {self.saltus} added each time," if self.saltus else ""
        times = (self.last_heap + 1 - self.preperiod) // self.period
        found = f"period {self.period}{added} from heap {self.preperiod} on"
        return f"{self.game}: {found}: seen {times} times, observed to heap {self.last_heap}, not proved"

    def record(self) -> dict[str, object]:
        """Return the observation as an object of JSON."""
        return vars(self)


def find_period(game: str, values: Array, theorem: Theorem, engine: str = "auto") -> PeriodCertificate | None:
    """Return the least period that the theorem proves from the values of heaps 0, 1, ...; None where it proves none.

    O(n); a proof by the moves takes longer. For each distance p, the Z-function of the reversed sequence tells how far
    back the values repeat. If any p is a period of the whole sequence, the least one satisfies the theorem on the same
    heaps, so the answer is minimal.
    """
    found = None if theorem.last_heap is None else _by_window(game, values, theorem, engine)
    return _by_splits(game, values, theorem, engine) if found is None and theorem.splits else found


def growing_period(
    game: str, theorem: Theorem | None, limit: int, values_to: Callable[[int], Array], engine: str = "auto"
) -> PeriodCertificate | ObservedPeriod | None:
    """Return the period that the theorem proves from the first heaps, else one that all heaps up to a limit show.

    ``values_to(n)`` gives the values of the heaps 0..n; n about doubles with each call.
    """
    last = limit if theorem is None else min(limit, _FIRST_HEAPS - 1)
    while True:
        values = values_to(last)
        found = None if theorem is None else find_period(game, values, theorem, engine)
        if found is not None:
            return found
        if last == limit:
            return observe_period(game, values, engine)
        last = min(limit, 2 * last + 1)


def observe_period(game: str, values: Array, engine: str = "auto") -> ObservedPeriod | None:
    """Return the least period that the values of heaps 0, 1, ... show three times, and half of the heaps; O(n)."""
    for starts, distances in _repetitions(_changes(values), engine):
        shown = np.flatnonzero((starts + 3 * distances < len(values)) & (2 * starts <= len(values)))
        if len(shown):
            start, period = int(starts[shown[0]]), int(distances[shown[0]])
            saltus = int(values[start + period]) - int(values[start])
            return ObservedPeriod(game, start, period, saltus, len(values) - 1)
    return None


def _changes(values: Array) -> Array:
    return np.diff(values.astype(np.int32))


def _repetitions(sequence: Array, engine: str) -> Iterator[tuple[Array, Array]]:
    """Yield for the distances 1, 2, ..., in blocks, from where on the items equal those so much later."""
    if not len(sequence):
        return
    lengths = np.zeros(len(sequence) + 1, np.int32)
    runner(_tail_matches, 2 * len(sequence), engine)(sequence, lengths)
    for first in range(1, len(sequence) + 1, _BLOCK):
        distances = np.arange(first, min(first + _BLOCK, len(sequence) + 1))
        yield len(sequence) - distances - lengths[distances], distances


@compiled
def _tail_matches(sequence: Array, lengths: Array) -> int:
    """Fill ``lengths[p]`` with how many of the last items equal the items p places before them; for all p > 0.

    This is the Z-function of the sequence read from its end; returns the number of items.
    """
    size = len(sequence)
    last = size - 1
    left = 0
    right = 0
    # Each comparison that succeeds moves ``right``, so all of them together are linear.
    for p in range(1, size):
        length = min(lengths[p - left], right - p) if p < right else 0
        while p + length < size and sequence[last - length] == sequence[last - p - length]:
            length += 1
        if p + length > right:
            left = p
            right = p + length
        lengths[p] = length
    return size


def _by_window(game: str, values: Array, theorem: Theorem, engine: str) -> PeriodCertificate | None:
    """Prove a period from so many values that repeat."""
    sequence = _changes(values) if theorem.arithmetic else values
    for starts, distances in _repetitions(sequence, engine) if len(values) > 1 else ():
        needed = theorem.last_heap(starts, distances)  # type: ignore[misc]
        proved = np.flatnonzero(needed < len(values))
        if len(proved):
            best = proved[0]
            start, period = int(starts[best]), int(distances[best])
            saltus = int(values[start + period]) - int(values[start])
            known = tuple(values[: start + period].tolist())
            return PeriodCertificate(game, start, period, saltus, int(needed[best]), theorem.statement, known)
    return None


def _by_splits(game: str, values: Array, theorem: Theorem, engine: str) -> PeriodCertificate | None:
    """Prove the arithmetic period that the values show, by its moves."""
    seen = observe_period(game, values, engine)
    if seen is None or seen.saltus <= 0 or theorem.splits is None:
        return None
    last_heap = theorem.splits.last_heap(values, seen.preperiod, seen.period, seen.saltus)
    if last_heap is None:
        return None
    known = tuple(values[: seen.preperiod + seen.period].tolist())
    return PeriodCertificate(game, seen.preperiod, seen.period, seen.saltus, last_heap, theorem.splits.statement, known)
