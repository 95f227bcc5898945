"""Find periods of value sequences in linear time, and prove that they continue forever.

:class:`Theorem` and :class:`Splits` say which heaps a proof needs. :class:`PeriodCertificate` is a proved period;
:class:`ObservedPeriod` is a period of the values up to some heap, without proof.

A period p is plain if g(n + p) = g(n) for all n >= n0, and arithmetic, with saltus s > 0, if g(n + p) = g(n) + s. A
theorem proves plain periods, and the arithmetic periods of games in which all but finitely many numbers may be taken
and no move splits. A finite check of the moves may prove arithmetic periods of two other kinds of games:

* Finitely many numbers may be taken, and some move may leave three heaps or more.
* Any number may be taken. After finitely many of these numbers (0 in Lasker's Nim), but no others, the rest may be left
  as two heaps, never more.

``docs/heaps.md`` states the check and proves that it is enough.

To find a period, read the sequence backwards, and search for the next occurrence of its first items. The method
``find`` of bytes does this in linear time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.errors import Message, ParameterError, checks_parameters, is_integer, shorten, wrong_value
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.other_formats import PERIOD
from graphgame.labs.heaps.storage import ARRAY_FIELDS, MOST_BYTES, check_heap, read_arrays, write_arrays
from graphgame.labs.records import RecordFormat, fits, natural, whole_value

if TYPE_CHECKING:
    from graphgame.labs.heaps.rules import HeapRules

_FIRST_HEAPS = 256
"""The number of heaps that are computed before the first attempt to prove a period."""

_PAST_START = 256
"""Let ``end`` be the largest preperiod + period that can be proved by the heaps up to the limit. The first step that
goes past ``end`` computes at most this many heaps from ``end`` on."""

_SHOWN_SHARE = 8
"""If the last 1/8 of the values repeats with a plain period, the next step computes only what its proof needs."""

_HEAPS_AT_A_TIME = 1 << 20
"""The number of heaps that are searched for exceptions to a period at a time."""

_MOST_IN_TUPLE = 1 << 20
"""The maximum number of values that a certificate holds in a tuple and writes as JSON."""

_LONGEST_NAME = 100
"""The number of bytes that are read at the start of a file to recognise its format."""

_FACTS: dict[str, Any] = {"game": str, **dict.fromkeys(("preperiod", "period", "saltus", "last_heap"), natural)}
_FACTS |= {"theorem": str}
_SHAPE = _FACTS | {"values": [natural]}
_RECORD = RecordFormat(PERIOD.format, 1, _FACTS | ARRAY_FIELDS, Message("prove the period again, to another file"))

_DOUBLINGS = 4
"""The proof of an arithmetic period p tries the even numbers among p, 2p, 4p and 8p."""

_LARGEST_MODULUS = 64
"""The largest power of two by which the proof of an arithmetic period divides values."""

_MOST_STATES = 1 << 22
"""The maximum of (preperiod + P) * P * modulus in the proof, where P is the period times 1, 2, 4 or 8."""

_IMPOSSIBLE = -(2**62)
"""The excess of sums that do not exist: far below all other values, but far enough from overflow for additions."""


class _Claim(NamedTuple):
    """The claim g(n + period) = g(n) + saltus for n >= start; the modulus is a power of two that divides the saltus.

    The proof divides each value by the modulus: the quotient is the value's high part, the remainder its low part.
    """

    start: int
    period: int
    saltus: int
    modulus: int


@dataclass(frozen=True)
class Splits:
    """The moves of a game that may have an arithmetic period, and the proof of such a period.

    ``leaves`` maps amounts to bits: bit k is 1 if the rest may be left as k heaps. If ``any_amount`` is true, any
    positive number may be taken as well.

    The proof of a claim g(n + period) = g(n) + saltus has two parts. First, no option of a heap has the value that the
    claim gives to the heap. Second, the options of a heap have all smaller values. The second part is checked for the
    heaps of one period, in a way that also proves it for the heaps one, two, ... periods later.
    """

    leaves: dict[int, int]
    any_amount: bool = False

    statement: ClassVar[str] = Message(
        "sizes and lowest bits show that no option of a larger heap has the value that the period gives to the heap; "
        "the options of each heap in the last period have all smaller values, which continues with the period "
        "(docs/heaps.md)"
    )

    def last_heap(self, values: Array, preperiod: int, period: int, saltus: int) -> int | None:
        """Return the largest heap that the proof of a period needs, or None if the proof fails.

        ``values`` are those of the heaps 0, 1, ...; they must have this period and saltus from the preperiod on.
        """
        start = max(preperiod, 1)
        for doubling in range(_DOUBLINGS):
            multiple, added = period << doubling, saltus << doubling
            claim = _Claim(start, multiple, added, min(added & -added, _LARGEST_MODULUS))
            if multiple % 2 == 0 and self._never_reaches(values, claim):
                last = self._last_covered(values.astype(np.int64), claim)
                if last is not None:
                    return last
        return None

    @property
    def _parts(self) -> int:
        return max((bits.bit_length() - 1 for bits in self.leaves.values()), default=1)

    def _never_reaches(self, values: Array, claim: _Claim) -> bool:
        """Return True if the values prove that no option of a heap has the value claimed for the heap.

        False means only that this proof fails. The proof leaves out the options whose heaps are all below
        ``claim.start``: :meth:`_last_covered` deals with them. ``values`` are those of the heaps 0, 1, ...
        """
        stop = claim.start + claim.period
        if stop > len(values) or stop * claim.period * claim.modulus > _MOST_STATES:
            return False
        # Suppose that an option has the value of its heap. Then the xor of the low parts of the option's heaps is the
        # low part of the heap, and the xor of their high parts is the high part of the heap. A sum is at least the xor.
        # So it is enough to show that the sum of the high parts is below the high part of the heap: for each heap
        # modulo the period, and each amount.
        high, low = np.divmod(values[:stop].astype(np.int64), claim.modulus)
        slope = claim.saltus // claim.modulus
        # How far the high part of each heap is above a line with the average slope; this repeats with the period.
        excess = claim.period * high - slope * np.arange(stop)
        for parts, best in enumerate(_best_sums(excess, low, claim, self._parts), 1):
            for amount, bits in self.leaves.items():
                if bits >> parts & 1 and _may_reach(best, excess, low, claim, amount, slope):
                    return False
        single = next(_best_sums(excess, low, claim, 1))
        amounts = range(1, claim.period + 1) if self.any_amount else ()
        return not any(_may_reach(single, excess, low, claim, amount, slope) for amount in amounts)

    def _last_covered(self, values: Array, claim: _Claim) -> int | None:
        """Return the largest heap that the second part of the proof needs, or None if this part fails.

        The proof needs ``claim.period`` consecutive heaps; the last of them is the result. Each of them must have a
        larger value than all heaps below ``claim.start``, and :meth:`_covers` must be true for it.
        """
        # A move from a heap of ``first`` or more leaves at least one heap of ``claim.start`` or more. The exception is
        # a move that may take any number: it may leave a single heap below ``claim.start``.
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
        """Return an array for splits into k heaps, for each k below the most heaps that a move leaves.

        The entry [x, w] is True if a total of x can be split into k heaps with nim-sum w. All w are below ``modulus``.
        For k of 3 or more, an entry may be False although there is such a split. Then the proof may fail, but it never
        proves a wrong claim.
        """
        size = len(values)
        rests = [np.zeros((size, modulus), bool) for _ in range(self._parts)]
        rests[0][0, 0] = True
        small = np.flatnonzero(values < modulus)
        for parts in range(1, self._parts):
            for heap in small[small > 0] if parts != 2 else ():
                permuted = np.arange(modulus) ^ values[heap]
                rests[parts][heap:] |= rests[parts - 1][: size - heap, permuted]
            for total in range(2, size) if parts == 2 else ():
                sums = values[1 : total // 2 + 1] ^ values[total - 1 : total - total // 2 - 1 : -1]
                rests[2][total, sums[sums < modulus]] = True
        return rests

    def _covers(self, values: Array, heap: int, claim: _Claim, rests: list[Array]) -> bool:
        """Return True if the options of this heap, and of each heap whole periods later, have all smaller values.

        False means only that this proof fails. The proof needs a bound: all values below the bound are constant, and
        all others are shifted. A value v is constant if the heap k periods later also has an option of value v,
        for every k. It is shifted if that heap has an option of value v + k * saltus: the option of value v, with one
        of its heaps k periods larger. ``rests`` comes from :meth:`_rests`.
        """
        size = int(values[heap])
        single = self._single_heaps(heap)
        constant, both = _present(values[single], size), _present(values[single[single >= claim.start]], size)
        shifted = both.copy()
        for amount, bits in self.leaves.items():
            for parts in range(1, bits.bit_length()):
                if bits >> parts & 1:
                    last = heap - amount
                    rest, nimber = np.nonzero(rests[parts - 1][: last - claim.start + 1])
                    shifted |= _present(values[last - rest] ^ nimber, size)
        # Find a bound such that all values below the bound are constant, and all others are shifted. Then k periods
        # later the options have all values below the bound, and all from bound + k * saltus on. To fill the gap between
        # them, the last ``saltus`` values below the bound must be in ``both``: each is the value of a single heap h, of
        # ``claim.start`` or more. k periods later a move can leave h, or a heap that is 1 to k periods larger than h.
        missing = np.flatnonzero(~shifted)
        least = max(claim.saltus, int(missing[-1]) + 1 if len(missing) else 0)
        run = 0
        for bound in range(max(least - claim.saltus, 0) + 1, size + 1):
            run = run + 1 if both[bound - 1] else 0
            if run >= claim.saltus:
                return bool(constant[:bound].all())
        return False

    def _single_heaps(self, heap: int) -> Array:
        """Return an array of smaller heaps whose values are also values of options of ``heap``.

        If any amount may be taken, the array has all smaller heaps. Otherwise it has each heap that a move can leave
        together with two equal heaps: the option has the value of this heap. If a move can leave two equal heaps and no
        other heap, the array also has heap 0.
        """
        if self.any_amount:
            return np.arange(heap)
        beside = [np.arange(heap - amount - 2, 0, -2) for amount, bits in self.leaves.items() if bits & 8]
        none = [0 for amount, bits in self.leaves.items() if bits & 4 and heap - amount in range(2, heap + 1, 2)]
        return np.concatenate([*beside, np.array(none, np.int64)])


def _best_sums(excess: Array, low: Array, claim: _Claim, parts: int) -> Iterator[Array]:
    """Yield an array for sums of one heap, then one for sums of two heaps, and so on to ``parts`` heaps.

    The entry [x, w] is for the sums whose total size is x modulo the period, whose low parts have the nim-sum w, and
    in which at least one heap is ``claim.start`` or more. The entry is the largest total excess of these sums; about
    ``_IMPOSSIBLE`` if there are none.

    ``low[n]`` is the low part of the value of heap n (see :class:`_Claim`). ``excess[n]`` is the period times the high
    part, minus n times the growth of the high part over one period. So heaps whole periods apart have the same excess
    and low part, from ``claim.start`` on: the arrays end at heap ``claim.start + claim.period - 1``.
    """
    # best[1] is for sums with a heap of claim.start or more, best[0] for sums without such a heap.
    shape = (2, claim.period, claim.modulus)
    best = np.full(shape, _IMPOSSIBLE)
    best[0, 0, 0] = 0
    for _ in range(parts):
        longer = np.full(shape, _IMPOSSIBLE)
        for heap in range(1, len(excess)):
            added = np.roll(best, heap, axis=1)[:, :, np.arange(claim.modulus) ^ low[heap]] + excess[heap]
            # A heap of ``claim.start`` or more stands for all heaps whole periods later: they have the same excess.
            if heap >= claim.start:
                longer[1] = np.maximum(longer[1], added.max(axis=0))
            else:
                longer = np.maximum(longer, added)
        best = np.maximum(longer, _IMPOSSIBLE)
        yield best[1]


def _may_reach(best: Array, excess: Array, low: Array, claim: _Claim, amount: int, slope: int) -> bool:
    """Return False if it is proved: no move that takes ``amount`` from a heap leads to the value claimed for this heap.

    Only moves that leave a heap of ``claim.start`` or more count. ``excess``, ``low`` and ``best`` are as in
    :func:`_best_sums`: ``best`` is the array for the number of heaps that the move leaves. ``slope`` is the growth of
    the high part of a value over one period.
    """
    heaps = np.arange(claim.start, claim.start + claim.period)
    largest = best[(heaps - amount) % claim.period, low[heaps]]
    return bool(np.any(largest >= excess[heaps] + slope * amount))


def _present(values: Array, size: int) -> Array:
    """Return a boolean array: for each number below ``size``, whether it is among the values."""
    present = np.zeros(size, bool)
    present[values[values < size]] = True
    return present


@dataclass(frozen=True)
class Theorem:
    """A theorem: if the values repeat up to some heap, they repeat forever.

    For a period p with the preperiod n0, this heap is ``parts * (max(n0, least) + p) + more``. If ``arithmetic`` is
    true, the theorem also proves periods with a saltus above 0.
    """

    statement: str
    parts: int
    more: int
    least: int = 0
    arithmetic: bool = False

    def last_heap(self, preperiod: int, period: int) -> int:
        """Return the largest heap whose value the proof needs."""
        return self.parts * (max(preperiod, self.least) + period) + self.more


@dataclass(frozen=True)
class PeriodCertificate:
    """A proved period: g(n + period) = g(n) + saltus for every heap n from ``preperiod`` on.

    Attributes
    ----------
    game : str
        The game in the notation, as :func:`graphgame.heaps.game` reads it.
    preperiod : int
        The least heap from which the values repeat.
    period : int
        The least distance at which they repeat.
    saltus : int
        The number added with each period; 0 for a plain period.
    last_heap : int
        The largest heap that the proof needs.
    theorem : str
        The theorem that proves the period, as a sentence.
    values : sequence of int
        The values of the heaps below ``preperiod + period``: a tuple, or a memoryview for more than 2**20 values.

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
        """Return the value of a heap of any size, in constant time.

        Raises
        ------
        ParameterError
            The heap is not an integer of 0 or more.
        """
        if type(heap) is not int or heap < 0:  # quicker than checks_parameters: games call this for each heap
            if not is_integer(heap):
                raise wrong_value("heap", heap, Message("an integer of {least} or more", 0))
            heap = int(heap)
        if heap < self.preperiod:
            return self.values[heap]
        return self._continued(heap)

    @checks_parameters
    def values_to(self, n: int) -> Array:
        """Return the values of the heaps 0..n.

        Raises
        ------
        ParameterError
            ``n`` is negative or above 2**31 - 2.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.octal("0.77").period(1000).values_to(5)
        array([0, 1, 2, 3, 1, 4], dtype=uint8)
        """
        check_heap(n)
        largest = self.maximum + self.saltus * max((n - self.preperiod) // self.period, 0)
        values = np.empty(n + 1, np.min_scalar_type(largest))
        known = min(len(self.values), n + 1)
        values[:known] = self.values[:known]
        while known <= n:
            # Copy all whole periods known so far at once, and add their saltus: the part after the preperiod doubles.
            periods = (known - self.preperiod) // self.period
            shift = periods * self.period
            more = min(shift, n + 1 - known)
            values[known : known + more] = values[known - shift : known - shift + more] + values.dtype.type(
                periods * self.saltus
            )
            known += more
        return values

    @checks_parameters
    def reason(self, heap: int) -> str | None:
        """Return a sentence that derives the value of a heap from a smaller heap; None below ``preperiod + period``.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.octal("0.77").period(1000).reason(100)
        'period 12 from heap 71 on, proved: heap 100 has the value of heap 76, 1'
        """
        periods, offset = divmod(heap - self.preperiod, self.period)
        if periods <= 0:
            return None
        first, value = self.preperiod + offset, self.value(heap)
        if not self.saltus:
            return Message(
                "period {period} from heap {preperiod} on, proved: heap {heap} has the value of heap {first}, {value}",
                self.period,
                self.preperiod,
                heap,
                first,
                value,
            )
        added = f"{self.values[first]} + {periods} * {self.saltus} = {value}"
        return Message(
            "period {period}, {saltus} added each time, from heap {preperiod} on, proved: {added}",
            self.period,
            self.saltus,
            self.preperiod,
            added,
        )

    @checks_parameters
    def heaps_of(self, value: int) -> Iterator[int]:
        """Yield all heaps that have a value, not always in increasing order.

        Raises
        ------
        ParameterError
            The saltus is 0, so a value can have infinitely many heaps, or ``value`` is not an integer of 0 or more.

        Examples
        --------
        >>> from graphgame import heaps
        >>> list(heaps.game("take{not 2}").period(100).heaps_of(4))
        [8, 10]
        """
        if not self.saltus:
            raise ParameterError(
                "the saltus is 0, so infinitely many heaps may have the same value: "
                "expected a period with a positive saltus"
            )
        for heap, first in enumerate(self.values):
            if heap < self.preperiod:
                periods, rest = 0, value - first
            else:
                periods, rest = divmod(value - first, self.saltus)
            if not rest and periods >= 0:
                yield heap + periods * self.period

    @property
    def last_exception(self) -> int | None:
        """``preperiod - 1``, the largest exception if no smaller preperiod is possible; None if the preperiod is 0."""
        return self.preperiod - 1 if self.preperiod else None

    @property
    def maximum(self) -> int:
        """The largest value of the heaps below ``preperiod + period``."""
        return int(np.max(self.values))

    def exceptional_heaps(self) -> Iterator[Array]:
        """Yield arrays of the heaps of the :attr:`exceptions`, in increasing order.

        Each array covers 2**20 heaps below the preperiod, the last array perhaps fewer, to save memory.
        """
        values = np.asarray(self.values)
        for start in range(0, self.preperiod, _HEAPS_AT_A_TIME):
            heaps = np.arange(start, min(start + _HEAPS_AT_A_TIME, self.preperiod))
            periods, offsets = np.divmod(heaps - self.preperiod, self.period)
            continued = values[self.preperiod + offsets] + periods * self.saltus
            yield heaps[values[heaps] != continued]

    @cached_property
    def exceptions(self) -> dict[int, int]:
        """Heap -> value, for all heaps that would have another value if the period began at heap 0."""
        return {heap: self.values[heap] for block in self.exceptional_heaps() for heap in block.tolist()}

    def excess(self) -> str | None:
        """Return a sentence that names a smaller preperiod or period of the values; None if both are minimal."""
        if self.preperiod and self.values[self.preperiod - 1] == self._continued(self.preperiod - 1):
            return Message("the preperiod can be smaller: heap {preperiod} fits the period too", self.preperiod - 1)
        cycle = np.asarray(self.values[self.preperiod :])
        for prime in _primes(self.period):
            shorter, (added, rest) = self.period // prime, divmod(self.saltus, prime)
            later = cycle[shorter:] if not added else cycle[shorter:].astype(np.int64) - added
            if rest == 0 and np.array_equal(later, cycle[:-shorter]):
                return Message("the period can be smaller: {shorter} is a period too", shorter)
        return None

    def record(self) -> dict[str, object]:
        """Return the certificate as a dictionary for JSON; if there are more than 2**20 values, ``values`` is None."""
        names = ("game", "preperiod", "period", "saltus", "last_exception", "last_heap", "theorem", "values")
        record = {name: getattr(self, name) for name in names}
        return record if isinstance(self.values, tuple) else record | {"values": None}

    def save(self, path: PathLike) -> None:
        """Write the certificate to a file as JSON; more than 2**20 values follow the JSON text as bytes.

        If writing fails, no incomplete file is left, and an existing file stays as it was.
        """
        import json

        if not isinstance(self.values, tuple):
            facts = {name: getattr(self, name) for name in _FACTS}
            write_arrays(_RECORD, facts, np.asarray(self.values), path)
            return
        with open_atomic(path) as stream:
            stream.write(json.dumps(self.record()) + "\n")

    @classmethod
    def load(cls, path: PathLike) -> PeriodCertificate:
        """Read a certificate, without checking it; :meth:`graphgame.heaps.HeapGame.fault` does that.

        Raises
        ------
        ParseError
            The file holds no certificate, or its numbers contradict each other.
        OSError
            The file cannot be read.
        """
        with Source(path) as source:
            if not _RECORD.begins(source.peek(_LONGEST_NAME)):
                return cls._of_json(source)
            if source.path is None:  # standard input cannot be read twice
                return cls._of_bytes(source)
        with Source(path, max_bytes=MOST_BYTES) as source:
            return cls._of_bytes(source)

    @classmethod
    def _of_bytes(cls, source: Source) -> PeriodCertificate:
        record, values, _ = read_arrays(_RECORD, source)
        if not record["period"] or len(values) != record["preperiod"] + record["period"]:
            raise _RECORD.damaged(source.name)
        return cls(**{name: record[name] for name in _FACTS}, values=held_values(values))

    @classmethod
    def _of_json(cls, source: Source) -> PeriodCertificate:
        record = whole_value(source)
        certificate = cls.of_record(record)
        if certificate is None:
            raise source.error("no certificate of a period: expected what PeriodCertificate.save writes")
        last, stated = shorten(certificate.last_exception), shorten(record.get("last_exception"))
        if stated != last:
            raise source.error(Message("last_exception is {stated}: expected {last} for this preperiod", stated, last))
        return certificate

    @classmethod
    def of_record(cls, record: Any) -> PeriodCertificate | None:  # noqa: ANN401
        """Return the certificate that a JSON value describes; None if fields are missing or contradict each other."""
        if not (
            isinstance(record, dict)
            and fits({name: record.get(name) for name in _SHAPE}, _SHAPE)
            and record["period"] >= 1
            and len(record["values"]) == record["preperiod"] + record["period"]
        ):
            return None
        return cls(**{name: record[name] for name in _SHAPE} | {"values": tuple(record["values"])})

    def _continued(self, heap: int) -> int:
        """Return the value that the period gives to a heap; a heap below the preperiod may have another value."""
        periods, offset = divmod(heap - self.preperiod, self.period)
        return self.values[self.preperiod + offset] + periods * self.saltus


def period_phrase(period: PeriodCertificate | ObservedPeriod) -> str:
    """Return a phrase with the period, the saltus if it is not 0, and the heap from which the values repeat."""
    if not period.saltus:
        return Message("period {period} from heap {heap} on", period.period, period.preperiod)
    return Message(
        "period {period}, {saltus} added each time, from heap {heap} on",
        period.period,
        period.saltus,
        period.preperiod,
    )


def held_values(values: Array) -> Sequence[int]:
    """Return the values as a certificate stores them: a tuple, or a read-only memoryview for more than 2**20 values."""
    if len(values) <= _MOST_IN_TUPLE:
        return tuple(values.tolist())
    copy = values.copy()  # a view would keep a larger array alive
    copy.flags.writeable = False
    return copy.data


def _primes(number: int) -> Iterator[int]:
    """Yield the prime divisors of a number, each once."""
    factor = 2
    while number > 1:
        if factor * factor > number:
            factor = number
        if number % factor == 0:
            yield factor
            while number % factor == 0:
                number //= factor
        factor += 1


def repetitions(values: Array, least: int, *, differences: bool = False) -> Iterator[tuple[int, int]]:
    """Yield a pair (start, period) for each period such that the last ``least`` items equal the items a period earlier.

    The periods are in increasing order. ``start`` is the least index such that ``items[i + period] == items[i]`` for
    all i from ``start`` on. The items are the values, or with ``differences`` the differences between neighbours. The
    time is O(n) for each period.

    Examples
    --------
    >>> import numpy as np
    >>> list(repetitions(np.array([5, 0, 1, 2, 0, 1, 2, 0, 1], np.uint8), 3))
    [(1, 3)]
    """
    # A signed type, because differences may be negative.
    items = np.diff(values.astype(np.promote_types(values.dtype, np.int8))) if differences else values
    if not 0 <= least <= len(items):
        return
    width, backwards = items.itemsize, items[::-1].tobytes()
    last = memoryview(backwards)[: least * width]
    at = 0
    while (at := backwards.find(last, at + 1)) >= 0:
        period, inside = divmod(at, width)
        if not inside:  # the occurrence starts with an item, not inside the bytes of an item
            differs = (items[period:] != items[: len(items) - period])[::-1]
            repeated = int(differs.argmax()) if differs.any() else len(differs)
            yield len(differs) - repeated, period


@dataclass(frozen=True)
class ObservedPeriod:
    """A period that the values up to some heap have, without proof that it continues.

    Attributes
    ----------
    game : str
        The name of the game.
    preperiod, period, saltus : int
        g(n + period) = g(n) + saltus for every n from ``preperiod`` to ``last_heap - period``.
    last_heap : int
        The largest heap whose value was computed.

    Examples
    --------
    >>> from graphgame import heaps
    >>> print(heaps.subtraction("even").observed_period(100))
    take{even}: period 2, 1 added each time, from heap 0 on: seen 50 times up to heap 100, not proved
    """

    game: str
    preperiod: int
    period: int
    saltus: int
    last_heap: int

    def __str__(self) -> str:
        return Message(
            "{game}: {found}: seen {times} times up to heap {last_heap}, not proved",
            game=self.game,
            found=period_phrase(self),
            times=(self.last_heap + 1 - self.preperiod) // self.period,
            last_heap=self.last_heap,
        )

    def record(self) -> dict[str, object]:
        """Return the observed period as a dictionary for JSON."""
        return vars(self)


def find_period(game: str, values: Array, rules: HeapRules) -> PeriodCertificate | None:
    """Return the least period that ``rules.theorem`` proves from the values of the heaps 0, 1, ...

    If there is no theorem, or it proves no period, return the observed period if a check of the moves proves it,
    otherwise None. The time is O(n); a check of the moves takes longer. A period that the theorem proves is the least
    period of the whole sequence, because the same heaps would also prove a smaller one.
    """
    # The theorem needs the fewest heaps. If it proves nothing, try the check of the moves, for arithmetic periods.
    period = None if rules.theorem is None else period_by(rules.theorem, game, values)
    return _by_splits(rules.splits, game, values) if period is None and rules.splits else period


def growing_period(
    game: str,
    rules: HeapRules,
    limit: int,
    values_to: Callable[[int], Array],
    *,
    observed: bool = True,
) -> PeriodCertificate | ObservedPeriod | None:
    """Compute more and more values until they prove a period, at most up to heap ``limit``; return the period.

    If the heaps up to ``limit`` prove no period and ``observed`` is true, return the period that their values show, or
    None if they show none. If ``observed`` is false, return None. If ``rules.splits`` is None too, stop before
    ``limit`` when it is clear that ``rules.theorem`` can prove no period from the heaps up to ``limit``.

    ``values_to(n)`` must return the values of the heaps 0..n; n increases from call to call. ``game`` is the name of
    the game in the result. Raise a ParameterError if ``limit`` is negative or too large.
    """
    check_heap(limit)
    theorem = rules.theorem
    last = min(limit, _FIRST_HEAPS - 1) if theorem or rules.splits else limit
    end = limit if observed or theorem is None or rules.splits else _last_end(theorem, limit + 1)
    while True:
        values = values_to(last)
        if period := find_period(game, values, rules):
            return period
        if last == limit:
            return observe_period(game, values) if observed else None
        if theorem and last >= end and _repeated(values, end, theorem) is None:
            return None
        # Compute twice as many heaps. But ``end`` is the largest preperiod + period that can be proved. Past ``end``,
        # compute only a few more each time: if the values from ``end`` on do not repeat, no period can be proved.
        more = min(2 * last + 1, end + max(_PAST_START, 4 * (last - end)))
        # If the last values repeat with a period, do not compute more values than the proof of this period needs.
        if theorem and not theorem.arithmetic:
            shown = next(repetitions(values, len(values) // _SHOWN_SHARE), None)
            if shown and len(values) <= (needed := theorem.last_heap(*shown)) < 2 * len(values):
                more = needed
        last = min(limit, more)


def observe_period(game: str, values: Array) -> ObservedPeriod | None:
    """Return the least period that occurs more than three times and covers the last half of the heaps, or None.

    The time is O(n) for each candidate: each period of the last third of the values. There are few candidates, unless a
    short period covers the last third, but not the last half.
    """
    count = len(values)
    least = max((count - 1 - count // 2) * 2 // 3, 1)
    for start, period in repetitions(values, least, differences=True):
        if start + 3 * period < count and 2 * start <= count:
            return ObservedPeriod(game, start, period, int(values[start + period]) - int(values[start]), count - 1)
    return None


def period_by(theorem: Theorem, game: str, values: Array) -> PeriodCertificate | None:
    """Return the period that the theorem proves from the values of the heaps 0, 1, ..., or None if it proves none."""
    # To prove the period p with the preperiod n0, the theorem needs values up to a multiple of n0 + p plus a constant.
    # ``end`` is the largest n0 + p for which there are enough values. With such a period, all values from ``end`` on
    # repeat.
    end = _last_end(theorem, len(values))
    repeated = None if end == 0 else _repeated(values, end, theorem)
    if repeated is None or (needed := theorem.last_heap(*repeated)) >= len(values):
        return None
    start, period = repeated
    saltus = int(values[start + period]) - int(values[start])
    return PeriodCertificate(
        game, start, period, saltus, needed, theorem.statement, held_values(values[: start + period])
    )


def _last_end(theorem: Theorem, count: int) -> int:
    """Return the largest sum of preperiod and period for which ``count`` values can prove the period, 0 if none."""
    return bisect_left(range(1, count), count, key=lambda end: theorem.last_heap(end - 1, 1))


def _repeated(values: Array, end: int, theorem: Theorem) -> tuple[int, int] | None:
    """Return (preperiod, period) for the least period such that each value from heap ``end`` on repeats, or None.

    A value repeats if it equals the value one period earlier; so preperiod + period is at most ``end``. If
    ``theorem.arithmetic`` is true, the value may also be larger or smaller by a constant.
    """
    least = len(values) - end - theorem.arithmetic
    return next(repetitions(values, least, differences=theorem.arithmetic), None)


def _by_splits(splits: Splits, game: str, values: Array) -> PeriodCertificate | None:
    """Return the observed arithmetic period as a certificate if the check ``splits`` proves it, otherwise None.

    ``values`` are those of the heaps 0, 1, ...; ``game`` is the name of the game in the certificate.
    """
    seen = observe_period(game, values)
    if seen is None or seen.saltus <= 0:
        return None
    last_heap = splits.last_heap(values, seen.preperiod, seen.period, seen.saltus)
    if last_heap is None:
        return None
    held = held_values(values[: seen.preperiod + seen.period])
    return PeriodCertificate(game, seen.preperiod, seen.period, seen.saltus, last_heap, splits.statement, held)
