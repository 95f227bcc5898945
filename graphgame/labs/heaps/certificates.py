"""The certificate of a period: the values it gives for heaps of any size, and the file it is kept in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.errors import Message, shorten
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.jsontext import whole_value
from graphgame.io.records import PERIOD, RecordFormat, fits, natural
from graphgame.labs.heaps import arrayfile

_BLOCK = 1 << 20
_MANY_VALUES = 1 << 20
_LONGEST_NAME = 100
_FACTS: dict[str, Any] = {"game": str, **dict.fromkeys(("preperiod", "period", "saltus", "last_heap"), natural)}
_FACTS |= {"theorem": str}
_SHAPE = _FACTS | {"values": [natural]}
_RECORD = RecordFormat(PERIOD.format, 1, _FACTS | arrayfile.SHAPE, Message("prove the period again, to another file"))


@dataclass(frozen=True)
class PeriodCertificate:
    """A proved period: g(n + period) = g(n) + saltus for every heap n from ``preperiod`` on.

    Attributes
    ----------
    game : str
        The game in the notation, as :func:`graphgame.labs.heaps.game` reads it.
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
    values : sequence of int
        Those of the heaps below ``preperiod + period``: a tuple, or where they are more than a million the memory of an
        array.

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
    values: Sequence[int]

    def value(self, heap: int) -> int:
        """Return the value of a heap of any size, at once.

        Raises
        ------
        ValueError
            The heap is negative.
        """
        if heap < 0:
            raise ValueError(Message("invalid heap {heap!r}: expected 0 or more", heap))
        if heap < self.preperiod:
            return self.values[heap]
        return self._continued(heap)

    def values_to(self, n: int) -> Array:
        """Return the values of the heaps 0..n.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.octal("0.77").period(1000).values_to(5)
        array([0, 1, 2, 3, 1, 4], dtype=uint8)
        """
        largest = self.maximum + self.saltus * max((n - self.preperiod) // self.period, 0)
        values = np.empty(n + 1, np.min_scalar_type(largest))
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
            return Message(
                "period {period} from {preperiod} on, proved: {heap} has the value of {first}, {value}",
                self.period,
                self.preperiod,
                heap,
                first,
                value,
            )
        added = f"{self.values[first]} + {periods} * {self.saltus} = {value}"
        return Message(
            "period {period}, {saltus} added each time, from {preperiod} on, proved: {added}",
            self.period,
            self.saltus,
            self.preperiod,
            added,
        )

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

    @property
    def maximum(self) -> int:
        """The largest value of the heaps below ``preperiod + period``."""
        return int(np.max(self.values))

    def exceptional_heaps(self) -> Iterator[Array]:
        """Yield the heaps that do not fit the period, in blocks, for they may be very many."""
        values = np.asarray(self.values)
        for start in range(0, self.preperiod, _BLOCK):
            heaps = np.arange(start, min(start + _BLOCK, self.preperiod))
            periods, places = np.divmod(heaps - self.preperiod, self.period)
            continued = values[self.preperiod + places] + periods * self.saltus
            yield heaps[values[heaps] != continued]

    @cached_property
    def exceptions(self) -> dict[int, int]:
        """The heaps that do not fit the period, with their values."""
        return {heap: self.values[heap] for block in self.exceptional_heaps() for heap in block.tolist()}

    def excess(self) -> str | None:
        """Say which smaller preperiod or period the values have as well; None where both are the least."""
        if self.preperiod and self.values[self.preperiod - 1] == self._continued(self.preperiod - 1):
            return Message("heap {preperiod} fits the period too", self.preperiod - 1)
        cycle = np.asarray(self.values[self.preperiod :])
        for prime in _primes(self.period):
            shorter, (added, rest) = self.period // prime, divmod(self.saltus, prime)
            later = cycle[shorter:] if not added else cycle[shorter:].astype(np.int64) - added
            if rest == 0 and np.array_equal(later, cycle[:-shorter]):
                return Message("{shorter} is a period too", shorter)
        return None

    def record(self) -> dict[str, object]:
        """Return the certificate as an object of JSON; values that are more than a million are left out."""
        names = ("game", "preperiod", "period", "saltus", "last_exception", "last_heap", "theorem", "values")
        record = {name: getattr(self, name) for name in names}
        return record if isinstance(self.values, tuple) else record | {"values": None}

    def save(self, path: PathLike) -> None:
        """Write the certificate as JSON, very many values as bytes after it: the whole file or, if that fails, none."""
        import json

        if not isinstance(self.values, tuple):
            facts = {name: getattr(self, name) for name in _FACTS}
            arrayfile.write(_RECORD, facts, np.asarray(self.values), path)
            return
        with open_atomic(path) as stream:
            stream.write(json.dumps(self.record()) + "\n")

    @classmethod
    def load(cls, path: PathLike) -> PeriodCertificate:
        """Read a certificate; :meth:`graphgame.labs.heaps.HeapGame.fault` checks it.

        Raises
        ------
        ParseError
            The file holds no certificate, or one that contradicts itself.
        OSError
            The file cannot be read.
        """
        with Source(path, max_bytes=arrayfile.MOST_BYTES) as source:
            if _RECORD.begins(source.peek(_LONGEST_NAME)):
                record, values, _ = arrayfile.read(_RECORD, source)
                if not record["period"] or len(values) != record["preperiod"] + record["period"]:
                    raise _RECORD.damaged(source.name)
                return cls(**{name: record[name] for name in _FACTS}, values=held_values(values))
        with Source(path) as source:
            found = whole_value(source)
            certificate = cls.of_record(found)
            if certificate is None:
                raise source.error("no certificate of a period: expected what PeriodCertificate.save writes")
            last, stated = shorten(certificate.last_exception), shorten(found.get("last_exception"))
            if stated != last:
                raise source.error(
                    Message("last_exception is {stated}: expected {last}, by the preperiod", stated, last)
                )
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


def held_values(values: Array) -> Sequence[int]:
    """Return values to keep: as a tuple, or their memory where they are very many."""
    if len(values) <= _MANY_VALUES:
        return tuple(values.tolist())
    kept = values.copy()  # no view of more
    kept.flags.writeable = False
    return kept.data


def _primes(number: int) -> Iterator[int]:
    """Yield the primes that divide a number."""
    factor = 2
    while number > 1:
        if factor * factor > number:
            factor = number
        if number % factor == 0:
            yield factor
            while number % factor == 0:
                number //= factor
        factor += 1


def _is_record(found: Any) -> bool:  # noqa: ANN401
    """Tell whether an object of JSON is a certificate, as far as its form goes."""
    return (
        isinstance(found, dict)
        and fits({name: found.get(name) for name in _SHAPE}, _SHAPE)
        and found["period"] >= 1
        and len(found["values"]) == found["preperiod"] + found["period"]
    )
