"""The kinds of rules of games on one heap: their moves, how their values are computed, and the theorem for periods.

A move takes an amount from a heap and may divide the rest into several heaps, which we call parts here.

Methods that compute values have a parameter ``run``, a :class:`~graphgame.labs.heaps.values.Run`: the engine, the
progress callback, and whether to try every move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import report
from graphgame.errors import LimitError, Message, RulesetError, plural
from graphgame.labs.heaps.loops import Moves, all_but_loop, equal_loop
from graphgame.labs.heaps.periods import Splits, Theorem
from graphgame.labs.heaps.storage import HeapValues
from graphgame.labs.heaps.values import (
    Run,
    block_end,
    dense_values,
    many_values,
    sieved_p_heaps,
    sparse_values,
    with_room,
)
from graphgame.rules.rule_errors import iterated, rule_errors
from graphgame.rules.ruleset import Sum
from graphgame.solution.sprague_grundy import mex

_LARGEST_HEAP = {1: 1_000_000, 2: 10_000, 3: 1000, 4: 200}
"""The most heaps that a move may leave -> the largest heap with few enough options to list them all."""

_MOST_GROWING = 10_000_000
"""Unless a formula gives the values, only values of heaps below this are computed for :class:`Growing` rules."""

_MOST_QUICK_AMOUNTS = 1000
""":class:`TakeAndBreak` rules with more amounts do not count as quick (see :class:`HeapRules`)."""

_LARGEST_OF_MANY_PARTS = 60
"""The largest heap with few enough options to list them all, if moves may leave five heaps or more."""


def largest_listed(parts: int | None) -> int:
    """Return the largest heap with few enough options to list.

    A move leaves at most ``parts`` heaps; None means any number of heaps.
    """
    return _LARGEST_HEAP.get(parts or 0, _LARGEST_OF_MANY_PARTS)


class HeapRules(ABC):
    """Rules of a game on one heap: its moves, and how to compute its values.

    Attributes
    ----------
    parts : int
        The most heaps that a move may leave, but at least 1. In :class:`ByFunction` always 1, in :class:`Equal` always
        2.
    any_amount : bool
        If true, any number may be taken except those in ``excluded``, and :meth:`breaks` yields the moves that split.
    excluded : tuple of int
        The numbers that may not be taken, if ``any_amount`` is true.
    reuses_values : bool
        If false, known values of small heaps save no work for larger heaps.
    splits : Splits or None
        The check of the moves that proves arithmetic periods.
    quick : bool
        True if :meth:`graphgame.heaps.HeapGame.closed_form` may compute the first heaps to prove a period.
    largest : int or None
        The largest heap with few enough options to list them all; None for any heap.
    """

    parts: int = 1
    any_amount: bool = False
    excluded: tuple[int, ...] = ()
    splits: Splits | None = None
    reuses_values: bool = True
    quick: bool = False

    @property
    def theorem(self) -> Theorem | None:
        """The theorem that proves periods from the values alone, or None."""
        return None

    def proof(self, saltus: int) -> Theorem | Splits | None:
        """Return the theorem, or the check of the moves, that proves periods with this saltus; None if neither does."""
        return self.splits if saltus and not (self.theorem and self.theorem.arithmetic) else self.theorem

    @property
    def largest(self) -> int | None:
        """The largest heap with few enough options to list them all; None for any heap."""
        return largest_listed(self.parts)

    @abstractmethod
    def options(self, heap: int) -> Left:
        """Yield the options of a heap, each a heap or a :class:`Sum` of heaps; 0 if nothing is left."""

    def by_amount(self, heap: int) -> Iterator[Left]:
        """Yield iterators that together cover all options: here only one, in some subclasses one for each amount."""
        yield self.options(heap)

    def breaks(self, heap: int) -> Iterator[Left]:
        """For each amount that may leave several heaps, yield an iterator over the sums that it leaves.

        In this class, yield nothing. Called only if ``any_amount``.
        """
        return iter(())

    def least_size(self, heap: int) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a heap."""
        # Suppose that any number may be taken, except e excluded ones. Of the sizes 0 to ``heap``, play reaches all but
        # at most e, and a heap of size k has at least k - e moves. Even if the e largest sizes are not reached, there
        # are at least 1 + 2 + ... + (heap - 2 e) moves.
        taken = max(heap - 2 * len(self.excluded), 0) if self.any_amount else 0
        return taken + 1, taken * taken // 2

    @abstractmethod
    def extend(self, known: HeapValues, stop: int, run: Run) -> HeapValues:
        """Return the values of the heaps below ``stop``; ``known`` has the values of the first heaps, perhaps none.

        If ``known`` is packed, it may be extended in place. ``run`` says how to compute (:class:`Run`). Raise a
        LimitError if the heaps are too large for these rules.
        """

    def p_heaps(self, stop: int, run: Run) -> Array:
        """Return an array of the heaps below ``stop`` with value 0; ``run`` is as for :meth:`extend`."""
        return np.flatnonzero(np.asarray(self.extend(np.zeros(0, np.uint8), stop, run)) == 0)


class _Listed(HeapRules):
    """Rules whose ``moves`` lists the amounts for a heap, each with bits: bit k is 1 if k heaps may be left.

    ``kind`` restricts the sizes of two or more heaps that a move leaves.
    """

    kind: Sizes
    moves: Callable[[int], Iterable[tuple[int, int]]]

    def options(self, heap: int) -> Left:
        """Yield the options of a heap, the least amount first."""
        for amount, bits in self.moves(heap):
            if bits > 3:
                yield from left(heap - amount, bits, self.kind)
            # Bit 1 allows leaving one heap. Bit 0 allows taking the whole heap: True is 1. If the amount is larger than
            # the heap, there is no move: False is 0.
            elif bits & (2 if amount < heap else amount == heap):
                yield heap - amount

    def by_amount(self, heap: int) -> Iterator[Left]:
        """For each amount, yield an iterator over the options that it leads to.

        If no move splits, yield a single iterator over all options.
        """
        if self.parts == 1:
            return super().by_amount(heap)
        return (left(heap - amount, bits, self.kind) for amount, bits in self.moves(heap))


@dataclass(frozen=True)
class TakeAndBreak(_Listed):
    """Rules with finitely many amounts.

    ``leaves`` maps each amount, in increasing order, to bits: bit k is 1 if the rest may be left as k heaps. Heaps
    below ``least`` have no moves.
    """

    leaves: dict[int, int]
    kind: Sizes = ""
    least: int = 0

    @property
    def parts(self) -> int:  # type: ignore[override]
        return max(max(self.leaves.values(), default=1).bit_length() - 1, 1)

    @property
    def reuses_values(self) -> bool:  # type: ignore[override]
        return self.parts <= 2

    @property
    def quick(self) -> bool:  # type: ignore[override]
        return self.parts <= 2 and len(self.leaves) <= _MOST_QUICK_AMOUNTS

    def moves(self, heap: int) -> Iterable[tuple[int, int]]:
        """Return pairs (amount, bits) for a heap: bit k is set if the rest may be left as k heaps.

        There are pairs for amounts above the heap, too; none if the heap is below ``least``.
        """
        return self.leaves.items() if heap >= self.least else ()

    def least_size(self, heap: int) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a heap.

        The bounds count the heaps that play reaches if each move takes the least amount that may leave one heap. They
        also count the pairs of heaps that a move from one of these heaps may leave, if it takes the least amount that
        may leave two heaps. A total of x can be split into at least x / 2 - 1 pairs.
        """
        alone = min((amount for amount, bits in self.leaves.items() if amount and bits & 2), default=0)
        apart = min((amount for amount, bits in self.leaves.items() if bits & 4), default=heap)
        heaps = (max(heap - max(self.least, 1), 0) // alone if alone else 0) + 1
        # The sum of (heap - alone * i - apart) / 2 - 1 for i below ``heaps``. Negative terms only lower the bound.
        pairs = max(0, heaps * (heap - apart - 2) - alone * heaps * (heaps - 1) // 2) // 2
        return heaps + pairs, heaps + pairs - 1

    @property
    def theorem(self) -> Theorem | None:
        """The theorem of Guy and Smith, extended to any number of parts; None if ``kind`` restricts the sizes."""
        if self.kind:
            return None
        parts, longest = self.parts, max(self.leaves, default=0)
        statement = Message(
            "no move takes more than {longest} or leaves more than {heaps}: values that repeat up to "
            "heap {parts} (n0 + p) + {longest} - 1 repeat forever (Guy and Smith)",
            longest,
            plural(parts, "heap"),
            parts,
        )
        return Theorem(statement, parts, longest - 1, max(self.least, 1))

    @property
    def splits(self) -> Splits | None:  # type: ignore[override]
        """The check of the moves that proves arithmetic periods; None if moves leave at most two heaps.

        It is also None if ``kind`` restricts the sizes.
        """
        return Splits(self.leaves) if self.parts > 2 and not self.kind else None

    def extend(self, known: HeapValues, stop: int, run: Run) -> HeapValues:
        moves = Moves.of(self.leaves, bool(self.kind))
        if len(known) < self.least:
            known = np.zeros(min(self.least, stop), np.uint8)
        if self.parts > 2:
            return many_values(moves, self.parts, self.kind == "unequal", stop, run)
        if run.dense or not len(moves.splitting):
            return dense_values(moves, np.asarray(known), stop, run)
        return sparse_values(moves, known, stop, run)

    def p_heaps(self, stop: int, run: Run) -> Array:
        """Return an array of the heaps below ``stop`` with value 0; ``run`` is as for :meth:`extend`.

        If no move splits, the heaps are found without computing values.
        """
        if self.parts > 1:
            return super().p_heaps(stop, run)
        return sieved_p_heaps(Moves.of(self.leaves), stop, run)


@dataclass(frozen=True)
class Growing(_Listed):
    """Rules with infinitely many amounts whose moves leave at most two heaps.

    ``moves(heap)`` returns all amounts for a heap in increasing order, each with bits: bit k is 1 if k heaps may be
    left. If ``splits`` is not None, any amount may be taken, and ``splits`` has the moves that leave two heaps, for
    the proof of an arithmetic period. If ``formula`` is not None, it maps an array of heaps to an array of values.
    """

    moves: Callable[[int], Iterable[tuple[int, int]]]
    parts: int = 1
    kind: Sizes = ""
    splits: Splits | None = None
    formula: Callable[[Array], Array] | None = None

    @property
    def any_amount(self) -> bool:  # type: ignore[override]
        return self.splits is not None

    quick = any_amount

    def breaks(self, heap: int) -> Iterator[Left]:
        """Yield, for each amount that may leave two heaps, an iterator over the pairs of heaps that it leaves."""
        for amount, bits in self.splits.leaves.items() if self.splits else ():
            yield left(heap - amount, bits & ~3)

    def extend(self, known: HeapValues, stop: int, run: Run) -> Array:
        if self.formula is not None and not run.dense:
            report(run.progress, stop, stop)
            return self.formula(np.arange(stop, dtype=np.min_scalar_type(stop - 1)))
        if stop > _MOST_GROWING:
            raise LimitError(
                "infinitely many numbers may be taken, so large heaps take too long: expected heaps of at most {most}",
                _MOST_GROWING - 1,
            )
        # The amounts of the largest heap include those of all smaller heaps.
        moves = Moves.of(dict(self.moves(stop - 1)), bool(self.kind))
        return dense_values(moves, np.asarray(known), stop, run)


@dataclass(frozen=True)
class AllBut(HeapRules):
    """Rules that allow taking any positive number except those in ``excluded``, which are in increasing order."""

    excluded: tuple[int, ...] = ()
    any_amount = quick = True

    @property
    def theorem(self) -> Theorem:
        """The theorem: if g(n + p) = g(n) + s for 2 m + 1 consecutive heaps n, then also for all larger n.

        Here m is the largest excluded number, 0 if there is none.
        """
        largest = max(self.excluded, default=0)
        statement = Message(
            "no number above {largest} is forbidden to take: values that repeat, with a constant "
            "added, from heap n0 to n0 + {largest2} + p do so forever",
            largest,
            2 * largest,
        )
        return Theorem(statement, 1, 2 * largest, arithmetic=True)

    def options(self, heap: int) -> Left:
        excluded = frozenset(self.excluded)
        return (heap - amount for amount in range(1, heap + 1) if amount not in excluded)

    def extend(self, known: HeapValues, stop: int, run: Run) -> Array:
        known = np.asarray(known)
        if run.dense:
            allowed = set(range(1, stop)).difference(self.excluded)
            return dense_values(Moves.of(dict.fromkeys(allowed, 3)), known, stop, run)
        start, excluded = len(known), np.array(self.excluded, np.int64)
        values = with_room(known, start, stop, 1 << 32)
        counts = np.bincount(known, minlength=stop + 1)
        seen = np.zeros(stop + 1, np.int32)
        loop = runner(all_but_loop, stop * (len(excluded) + 1), run.engine)
        while start < stop:
            end = block_end(start, stop, len(excluded))
            start = loop(values, start, end, excluded, counts, seen, int(np.argmin(counts > 0)))
            report(run.progress, start, stop)
        return values


@dataclass(frozen=True)
class Equal(HeapRules):
    """Rules that split a heap into ``least`` to ``most`` equal heaps; if ``most`` is None, there is no upper bound."""

    least: int = 2
    most: int | None = None
    parts = 2  # for ``largest``: a heap has few equal splits, so the limit for two parts can be used
    reuses_values = False

    def options(self, heap: int) -> Left:
        most = heap if self.most is None else min(self.most, heap)
        # The bits ``least`` to ``most`` are 1. For a heap below ``least``, only bits above ``heap`` are 1: they have no
        # effect, because a heap cannot be split into more heaps than its size.
        return left(heap, (2 << most) - (1 << self.least), "equal")

    def extend(self, known: HeapValues, stop: int, run: Run) -> Array:
        """Return the values of the heaps below ``stop``; ``known`` is not used. See :meth:`HeapRules.extend`."""
        values, most = np.zeros(stop, np.uint32), stop if self.most is None else self.most
        # The work: a heap has an option for each divisor from ``least`` to ``most``, on average at most log(stop).
        runner(equal_loop, stop * stop.bit_length(), run.engine)(values, self.least, most)
        report(run.progress, stop, stop)
        return values


@dataclass(frozen=True)
class ByFunction(HeapRules):
    """Rules given by a Python function that maps a heap to its options, each a heap or a tuple of heaps.

    :meth:`extend` raises a LimitError for heaps above ``largest``; None means no limit.
    """

    function: Callable[[int], Iterable[Any]]
    largest: int | None = None

    def options(self, heap: int) -> Left:
        options: Iterator[Any] = iterated(self.function(heap), heap)
        return (Sum(option) if isinstance(option, tuple) else option for option in options)

    def extend(self, known: HeapValues, stop: int, run: Run) -> Array:
        if self.largest is not None and stop > self.largest + 1:
            raise LimitError("larger heaps have too many options: expected heaps of at most {largest}", self.largest)
        values: list[int] = np.asarray(known).tolist()
        for n in range(len(known), stop):
            with rule_errors(Message("the rule"), f"heap {n}", method=self.function):
                options = list(iterated(self.function(n), n))
            values.append(mex(_value(values, option) for option in options))
            report(run.progress, n + 1, stop)
        return np.array(values, np.uint32)


def _value(values: list[int], option: object) -> int:
    """Return the value of an option of heap ``len(values)``; ``values`` has the values of all smaller heaps.

    The value of a tuple is the nim-sum of its heaps' values.

    Raises
    ------
    RulesetError
        The option is not a smaller heap or a tuple of smaller heaps.
    """
    total = 0
    for part in option if isinstance(option, tuple) else (option,):
        if not isinstance(part, (int, np.integer)) or not 0 <= part < len(values):
            raise RulesetError(
                "the rule gives heap {count} the option {option!r}: expected only heaps smaller than {count}",
                len(values),
                option,
            )
        total ^= values[part]
    return total


Sizes = Literal["", "equal", "unequal", "not all equal"]
"""A restriction on the sizes of two or more heaps that a move leaves; "unequal" means that no two are equal."""

Left = Iterator[int | Sum]
"""An iterator over options of a heap: each is one heap, or the sum of several heaps."""


def left(rest: int, bits: int, kind: Sizes = "") -> Left:
    """Yield the ways to leave ``rest`` as heaps: bit k of ``bits`` allows k heaps, with sizes restricted by ``kind``.

    Negative ``bits``, which have infinitely many leading ones, allow all numbers of heaps from some number on.

    Examples
    --------
    >>> list(left(5, 7)), list(left(6, -4, "equal"))
    ([5, Sum(1, 4), Sum(2, 3)], [Sum(3, 3), Sum(2, 2, 2), Sum(1, 1, 1, 1, 1, 1)])
    """
    if bits & 1 and not rest:
        yield 0
    if bits & 2 and rest > 0:
        yield rest
    for parts in range(2, (rest if bits < 0 else min(rest, bits.bit_length() - 1)) + 1):
        if bits >> parts & 1:
            yield from map(Sum, _sizes(rest, parts, kind))


def _sizes(total: int, parts: int, kind: Sizes) -> Iterator[tuple[int, ...]]:
    """Yield each way to split ``total`` into ``parts`` nonempty heaps: a tuple of their sizes, smallest first.

    ``parts`` is two or more. ``kind`` restricts the sizes: see :data:`Sizes`.
    """
    if kind == "equal":
        if total % parts == 0:
            yield (total // parts,) * parts
        return
    for sizes in _partitions(total, parts, 1, int(kind == "unequal")):
        if kind != "not all equal" or sizes[0] != sizes[-1]:
            yield sizes


def _partitions(total: int, parts: int, least: int, apart: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of a total into ``parts`` parts (two or more), each as a tuple, smallest part first.

    The first part is at least ``least``, and each later part is at least the part before it plus ``apart``.
    """
    if parts == 2:
        for first in range(least, (total - apart) // 2 + 1):
            yield first, total - first
        return
    for first in range(least, total // parts + 1):
        for rest in _partitions(total - first, parts - 1, first + apart, apart):
            yield first, *rest
