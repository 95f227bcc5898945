"""Periods of value sequences: found in linear time, and claimed only where a theorem carries them on for ever.

:class:`Theorem` and :class:`Splits` say which heaps a proof needs, :class:`PeriodCertificate` is a proved period, and
:class:`ObservedPeriod` is one that some heaps show. An arithmetic period, g(n + p) = g(n) + s for all n >= n0, of games
that leave three heaps, or take any number and split, is proved by a finite check. The check takes a multiple P of p
with S, the same multiple of s, and m, a power of two that divides S. ``docs/heaps.md`` states what is checked and
proves that it suffices.

Where the last of a sequence has stood before is found in linear time and no memory, by the two-way method: read from
its end, the sequence starts with the last items, and is searched for where they come again.

References
----------
M. Crochemore, D. Perrin, Two-way string-matching, Journal of the ACM 38 (1991).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import Progress, use_compiled
from graphgame.errors import Message, shorten
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import PERIOD, RecordFormat, fits, natural, whole_value
from graphgame.labs.heaps.storage import ARRAY_FIELDS, MOST_BYTES, check_heap, read_arrays, resumed_values, write_arrays

if TYPE_CHECKING:
    from graphgame.labs.heaps.heapgame import HeapGame

_FIRST_HEAPS = 256
_REPEATED = 256
"""Heaps past the last at which a period may begin to repeat, the values of which tell that none does."""

_SHOWN_SHARE = 8
"""One part in so many of the values, repeated, shows which period to prove next."""

_BLOCK = 1 << 20
_MANY_VALUES = 1 << 20
_LONGEST_NAME = 100
_FACTS: dict[str, Any] = {"game": str, **dict.fromkeys(("preperiod", "period", "saltus", "last_heap"), natural)}
_FACTS |= {"theorem": str}
_SHAPE = _FACTS | {"values": [natural]}
_RECORD = RecordFormat(PERIOD.format, 1, _FACTS | ARRAY_FIELDS, Message("prove the period again, to another file"))

_DOUBLINGS = 4
_LARGEST_MODULUS = 64
_MOST_STATES = 1 << 22
_IMPOSSIBLE = -(2**62)


class _Claim(NamedTuple):
    """g(n + period) = g(n) + saltus for n >= start; modulus is a power of two that divides the saltus."""

    start: int
    period: int
    saltus: int
    modulus: int


@dataclass(frozen=True)
class Splits:
    """The moves of a game that may have an arithmetic period: amounts with bits, where bit k allows to leave k heaps.

    Where it is said so, one may take any positive number as well.
    """

    leaves: dict[int, int]
    any_amount: bool = False

    statement: ClassVar[str] = Message(
        "by size and lowest bits no option of a larger heap has the value claimed for it, and "
        "options of one period of heaps up to the last have all smaller values, in ways that go "
        "on with the period (docs/heaps.md)"
    )

    def last_heap(self, values: Array, preperiod: int, period: int, saltus: int) -> int | None:
        """Return the largest heap that a proof needs of those whose values are given, or None where it fails.

        The values of the heaps 0, 1, ... have the period from the preperiod on.
        """
        start = max(preperiod, 1)
        for doubling in range(_DOUBLINGS):
            whole, added = period << doubling, saltus << doubling
            claim = _Claim(start, whole, added, min(added & -added, _LARGEST_MODULUS))
            if whole % 2 == 0 and self._never_reaches(values, claim):
                last = self._window(values.astype(np.int64), claim)
                if last is not None:
                    return last
        return None

    @property
    def _parts(self) -> int:
        return max((bits.bit_length() - 1 for bits in self.leaves.values()), default=1)

    def _never_reaches(self, values: Array, claim: _Claim) -> bool:
        """Tell whether no option of a heap can have the value claimed for the heap, by size and lowest bits."""
        stop = claim.start + claim.period
        if stop > len(values) or stop * claim.period * claim.modulus > _MOST_STATES:
            return False
        # An option has its heap's value only if the lowest bits agree and the other bits of its parts, whose xor is at
        # most their sum, add up to as much. So it suffices to bound the sums, by size modulo the period.
        excess = _excess(values[:stop], claim)
        lowest = values[:stop].astype(np.int64) % claim.modulus
        slope = claim.saltus // claim.modulus
        for parts, best in enumerate(_best_sums(excess, lowest, claim, self._parts), 1):
            for amount, bits in self.leaves.items():
                if bits >> parts & 1 and _reached(best, excess, lowest, claim, amount, slope):
                    return False
        single = next(_best_sums(excess, lowest, claim, 1))
        amounts = range(1, claim.period + 1) if self.any_amount else ()
        return not any(_reached(single, excess, lowest, claim, amount, slope) for amount in amounts)

    def _window(self, values: Array, claim: _Claim) -> int | None:
        """Return the end of the first period of heaps whose smaller values all have options that go on."""
        first = claim.start + max((bits.bit_length() * claim.start + k for k, bits in self.leaves.items()), default=0)
        rests = self._rests(values, claim.modulus)
        for begin in range(first, len(values) - claim.period + 1, claim.period):
            heaps = range(begin, begin + claim.period)
            if values[begin : begin + claim.period].min() > values[: claim.start].max() and all(
                self._covers(values, heap, claim, rests) for heap in heaps
            ):
                return begin + claim.period - 1
        return None

    def _rests(self, values: Array, modulus: int) -> list[Array]:
        """Return ``rests[k][x, w]``: whether x splits into k heaps whose values add up to w, below a modulus."""
        size = len(values)
        rests = [np.zeros((size, modulus), bool) for _ in range(self._parts)]
        rests[0][0, 0] = True
        small = np.flatnonzero(values < modulus)
        for parts in range(1, self._parts):
            for heap in small[small > 0] if parts != 2 else ():
                turned = np.arange(modulus) ^ values[heap]
                rests[parts][heap:] |= rests[parts - 1][: size - heap, turned]
            for whole in range(2, size) if parts == 2 else ():
                sums = values[1 : whole // 2 + 1] ^ values[whole - 1 : whole - whole // 2 - 1 : -1]
                rests[2][whole, sums[sums < modulus]] = True
        return rests

    def _covers(self, values: Array, heap: int, claim: _Claim, rests: list[Array]) -> bool:
        """Tell whether each smaller value has an option that goes on: shifted by a period, or kept for ever."""
        size = int(values[heap])
        kept = self._kept(heap)
        ever, far = _present(values[kept], size), _present(values[kept[kept >= claim.start]], size)
        shifted = far.copy()
        for amount, bits in self.leaves.items():
            for parts in range(1, bits.bit_length()):
                if bits >> parts & 1:
                    last = heap - amount
                    rest, nimber = np.nonzero(rests[parts - 1][: last - claim.start + 1])
                    shifted |= _present(values[last - rest] ^ nimber, size)
        missing = np.flatnonzero(~shifted)
        least = max(claim.saltus, int(missing[-1]) + 1 if len(missing) else 0)
        run = 0
        for bound in range(max(least - claim.saltus, 0) + 1, size + 1):
            run = run + 1 if far[bound - 1] else 0
            if run >= claim.saltus:
                return bool(ever[:bound].all())
        return False

    def _kept(self, heap: int) -> Array:
        """Return the heaps that one may leave beside two equal heaps (0 is none), or where any number may be taken."""
        if self.any_amount:
            return np.arange(heap)
        beside = [np.arange(heap - amount - 2, 0, -2) for amount, bits in self.leaves.items() if bits & 8]
        alone = [0 for amount, bits in self.leaves.items() if bits & 4 and heap - amount in range(2, heap + 1, 2)]
        return np.concatenate([*beside, np.array(alone, np.int64)])


def _excess(values: Array, claim: _Claim) -> Array:
    """Return by how much a heap's value, without its lowest bits, is above its share; it repeats with the period."""
    slope = claim.saltus // claim.modulus
    return claim.period * (values.astype(np.int64) // claim.modulus) - slope * np.arange(len(values))


def _best_sums(excess: Array, lowest: Array, claim: _Claim, parts: int) -> Iterator[Array]:
    """Yield for 1, 2, ... parts the largest total excess by size modulo the period and nim-sum of the lowest bits.

    Only sums with a part from the start of the period on count.
    """
    shape = (2, claim.period, claim.modulus)
    best = np.full(shape, _IMPOSSIBLE)
    best[0, 0, 0] = 0
    for _ in range(parts):
        longer = np.full(shape, _IMPOSSIBLE)
        for heap in range(1, len(excess)):
            turned = np.roll(best, heap, axis=1)[:, :, np.arange(claim.modulus) ^ lowest[heap]] + excess[heap]
            # A later heap has the excess of its residue, so one of each stands for all of them.
            if heap >= claim.start:
                longer[1] = np.maximum(longer[1], turned.max(axis=0))
            else:
                longer = np.maximum(longer, turned)
        best = np.maximum(longer, _IMPOSSIBLE)
        yield best[1]


def _reached(best: Array, excess: Array, lowest: Array, claim: _Claim, amount: int, slope: int) -> bool:
    """Tell whether an option that takes an amount may have the value of its heap."""
    heaps = np.arange(claim.start, claim.start + claim.period)
    found = best[(heaps - amount) % claim.period, lowest[heaps]]
    return bool(np.any(found >= excess[heaps] + slope * amount))


def _present(values: Array, size: int) -> Array:
    present = np.zeros(size, bool)
    present[values[values < size]] = True
    return present


@dataclass(frozen=True)
class Theorem:
    """When a repetition of values goes on for ever; arithmetic ones may have a constant added.

    ``last_heap(n0, p)`` is the largest heap whose value the proof needs for the preperiod n0 and the period p. Where it
    is for values that repeat as they are, ``splits`` proves those with a constant added.
    """

    statement: str
    last_heap: Callable[[int, int], int] | None = None
    arithmetic: bool = False
    splits: Splits | None = None


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
            write_arrays(_RECORD, facts, np.asarray(self.values), path)
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
        with Source(path, max_bytes=MOST_BYTES) as source:
            if _RECORD.begins(source.peek(_LONGEST_NAME)):
                record, values, _ = read_arrays(_RECORD, source)
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
    # The two-way method: one of the greatest ends in the two orders starts at a critical place, at which the local
    # period is that of the whole.
    cut, period = _greatest_end(values, size, differences, 1)
    other_cut, other_period = _greatest_end(values, size, differences, -1)
    if other_cut > cut:
        cut, period = other_cut, other_period
    repeats, k = period + cut < size, 0
    while repeats and k <= cut:
        repeats = _item(values, k, differences) == _item(values, k + period, differences)
        k += 1
    if not repeats:
        period = max(cut, size - cut - 2) + 2  # a shift that is safe where the items do not repeat themselves
    shift, known = after + 1, -1  # the items up to the place ``known`` are known to agree
    while shift + size <= total:
        k = max(cut, known) + 1
        while k < size and _item(values, k, differences) == _item(values, k + shift, differences):
            k += 1
        # Right of the cut first, and only then left of it: a difference at k rules out all shifts up to k - cut.
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
    # Values that repeat as they are need the fewest heaps; a proof by the moves is tried where none do.
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
        # Twice as many heaps, but past the last that matters only as far as shows whether anything repeats.
        more = min(2 * last + 1, end + max(_REPEATED, 4 * (last - end)))
        last = min(limit, _wanted(values, theorem, engine) or more)


def resumed_period(
    game: HeapGame,
    limit: int,
    path: PathLike,
    *,
    engine: str = "auto",
    progress: Progress | None = None,
    interval: float = 5.0,
) -> PeriodCertificate | ObservedPeriod | None:
    """Return what :meth:`HeapGame.any_period` returns, with the values kept in a file as they are found.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import heaps
    >>> path = pathlib.Path(tempfile.mkdtemp(), "kayles.values")
    >>> resumed_period(heaps.octal("0.77"), 1000, path).period, path.exists()
    (12, True)
    """
    check_heap(limit)

    def values_to(n: int) -> Array:
        return np.asarray(resumed_values(game, n, path, engine=engine, progress=progress, interval=interval))

    return growing_period(game.name, game.rules.theorem, limit, values_to, engine)


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
    # The theorem needs the values from n0 to a multiple of n0 + p: so n0 + p is at most this end, and all values from
    # there on must repeat.
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
