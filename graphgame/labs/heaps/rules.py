"""The kinds of rules of one-heap games: what a move may leave, how values are found, which theorem proves a period."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import Progress, report
from graphgame.errors import LimitError, Message, RulesetError, plural
from graphgame.labs.heaps.loops import Moves, all_but_loop, equal_loop
from graphgame.labs.heaps.periods import Splits, Theorem
from graphgame.labs.heaps.storage import HeapValues
from graphgame.labs.heaps.values import (
    block_end,
    dense_values,
    grown,
    many_values,
    sieved_p_heaps,
    sparse_values,
)
from graphgame.rules.faults import blamed, iterated
from graphgame.rules.ruleset import Sum
from graphgame.solution.sprague_grundy import mex

__all__ = [
    "LARGEST_HEAP",
    "AllBut",
    "ByFunction",
    "Equal",
    "Growing",
    "HeapRules",
    "Progress",
    "TakeAndBreak",
    "Theorem",
]

LARGEST_HEAP = {1: 1_000_000, 2: 10_000, 3: 1000, 4: 200}
"""The most heaps that moves may leave -> the largest heap that has few enough options."""

_Known = TypeVar("_Known", bound=HeapValues)
_MOST_GROWING = 10_000_000
_MANY_AMOUNTS = 1000
_MANY_PARTS = 60


class HeapRules(ABC):
    """Rules of a one-heap game: its moves, and how its values are found.

    Attributes
    ----------
    parts : int
        The most heaps that a move may leave.
    any_amount : bool
        One may take any number but the ``excluded``; all moves that leave two heaps or more are :meth:`breaks`.
    reuses_values : bool
        Whether the values of small heaps save work for larger ones.
    quick : bool
        Whether some thousand values are found in no time.
    largest : int or None
        The largest heap that has few enough options to list.
    """

    parts: int = 1
    any_amount: bool = False
    excluded: tuple[int, ...] = ()
    reuses_values: bool = True
    quick: bool = False

    @property
    def theorem(self) -> Theorem | None:
        """The theorem that proves periods, if there is one."""
        return None

    def proof(self, saltus: int) -> Theorem | Splits | None:
        """Return what proves periods with such a saltus, if anything does."""
        theorem = self.theorem
        if theorem is None or (saltus and not theorem.arithmetic):
            return theorem and theorem.splits
        return theorem if theorem.last_heap is not None else None

    @property
    def largest(self) -> int | None:
        """The largest heap that has few enough options to list."""
        return LARGEST_HEAP.get(self.parts, _MANY_PARTS)

    @abstractmethod
    def options(self, heap: int) -> Left:
        """Yield what moves leave of a heap."""

    def by_amount(self, heap: int) -> Iterator[Left]:
        """Yield the options, those of each amount apart where they may be very many."""
        yield self.options(heap)

    def breaks(self, heap: int) -> Iterator[Left]:
        """Yield what moves leave that break a heap, where any amount may be taken as well."""
        return iter(())

    def least_size(self, heap: int) -> tuple[int, int]:
        """Return numbers of positions and of moves that the graph from a heap has at least."""
        taken = max(heap - 2 * len(self.excluded), 0) if self.any_amount else 0
        return taken + 1, taken * taken // 2

    @abstractmethod
    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""

    def extend_packed(self, known: HeapValues, stop: int, *, engine: str, progress: Progress | None) -> HeapValues:
        """Return them in a byte each where they may be packed; what is packed already is extended in its place."""
        return self.extend(np.asarray(known), stop, engine=engine, dense=False, progress=progress)

    def p_heaps(self, stop: int, *, engine: str, progress: Progress | None) -> Array:
        """Return the heaps of value 0 below a number."""
        known = np.zeros(0, np.uint8)
        return np.flatnonzero(self.extend(known, stop, engine=engine, dense=False, progress=progress) == 0)


class _Listed(HeapRules):
    """Amounts that a list allows, each with how many heaps one may leave."""

    kind: Sizes
    moves: Callable[[int], Iterable[tuple[int, int]]]

    def options(self, heap: int) -> Left:
        """Yield what moves leave of a heap, the least amount first."""
        for amount, bits in self.moves(heap):
            if bits > 3:
                yield from left(heap - amount, bits, self.kind)
            elif bits & (2 if amount < heap else amount == heap):
                yield heap - amount

    def by_amount(self, heap: int) -> Iterator[Left]:
        """Yield the options, those of each amount apart where they may be two heaps."""
        if self.parts == 1:
            return super().by_amount(heap)
        return (left(heap - amount, bits, self.kind) for amount, bits in self.moves(heap))


@dataclass(frozen=True)
class TakeAndBreak(_Listed):
    """Finitely many amounts, each with how many heaps one may leave: bit k allows k heaps.

    The amounts increase; ``least`` is the least heap that has a move.
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
        return self.parts <= 2 and len(self.leaves) <= _MANY_AMOUNTS

    def moves(self, heap: int) -> Iterable[tuple[int, int]]:
        """Return the amounts with their bits."""
        return self.leaves.items() if heap >= self.least else ()

    def least_size(self, heap: int) -> tuple[int, int]:
        """Return numbers from the heaps that the least amount leads to one by one, and from the pairs they split into.

        A heap that leaves x for a pair has at least x / 2 - 1 of them.
        """
        alone = min((amount for amount, bits in self.leaves.items() if amount and bits & 2), default=0)
        apart = min((amount for amount, bits in self.leaves.items() if bits & 4), default=heap)
        heaps = (max(heap - max(self.least, 1), 0) // alone if alone else 0) + 1
        pairs = max(0, heaps * (heap - apart - 2) - alone * heaps * (heaps - 1) // 2) // 2
        return heaps + pairs, heaps + pairs - 1

    @property
    def theorem(self) -> Theorem | None:
        """The theorem of Guy and Smith, for any number of parts; where there are three or more, also that of splits."""
        if self.kind:
            return None
        parts, longest = self.parts, max(self.leaves, default=0)

        def last_heap(preperiod: int, period: int) -> int:
            return parts * (max(preperiod, self.least, 1) + period) + longest - 1

        return Theorem(
            Message(
                "no move takes more than {longest} or leaves more than {heaps}: values that repeat up to "
                "heap {parts} (n0 + p) + {longest} - 1 repeat for ever (Guy and Smith)",
                longest,
                plural(parts, "heap"),
                parts,
            ),
            last_heap,
            splits=Splits(self.leaves) if parts > 2 else None,
        )

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        if dense and self.parts <= 2:
            return dense_values(self._moves(), self._with_least(known, stop), stop, engine, progress)
        return np.asarray(self.extend_packed(known, stop, engine=engine, progress=progress))

    def extend_packed(self, known: HeapValues, stop: int, *, engine: str, progress: Progress | None) -> HeapValues:
        moves = self._moves()
        known = self._with_least(known, stop)
        if self.parts > 2:
            return many_values(moves, self.parts, self.kind == "unequal", stop, engine, progress)
        if not len(moves.splitting):
            return dense_values(moves, np.asarray(known), stop, engine, progress)
        return sparse_values(moves, known, stop, engine, progress)

    def _moves(self) -> Moves:
        return Moves.of(self.leaves, bool(self.kind))

    def _with_least(self, known: _Known, stop: int) -> _Known | Array:
        """Return what is known, at least of the heaps that have no move."""
        return known if len(known) >= self.least else np.zeros(min(self.least, stop), np.uint8)

    def p_heaps(self, stop: int, *, engine: str, progress: Progress | None) -> Array:
        """Return the heaps of value 0 below a number; without the values where no move splits."""
        if self.parts > 1:
            return super().p_heaps(stop, engine=engine, progress=progress)
        return sieved_p_heaps(Moves.of(self.leaves), stop, engine, progress)


@dataclass(frozen=True)
class Growing(_Listed):
    """Rules that allow infinitely many amounts, each with how many heaps one may leave: two at most.

    ``moves`` gives for a heap the amounts in increasing order, each with bits: bit k allows to leave k heaps. The
    splits are the moves that leave two heaps, where any amount may be taken as well.
    """

    moves: Callable[[int], Iterable[tuple[int, int]]]
    parts: int = 1
    kind: Sizes = ""
    splits: Splits | None = None

    @property
    def theorem(self) -> Theorem | None:
        """The theorem of splits."""
        return Theorem(self.splits.statement, splits=self.splits) if self.splits else None

    @property
    def any_amount(self) -> bool:  # type: ignore[override]
        return self.splits is not None

    quick = any_amount

    def breaks(self, heap: int) -> Iterator[Left]:
        """Yield what the splits leave of a heap."""
        for amount, bits in self.splits.leaves.items() if self.splits else ():
            yield left(heap - amount, bits & ~3)

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        if stop > _MOST_GROWING:
            raise LimitError(
                "any amount may be taken, so the work grows as the square: heaps to {most}", _MOST_GROWING - 1
            )
        return dense_values(Moves.of(dict(self.moves(stop - 1)), bool(self.kind)), known, stop, engine, progress)


@dataclass(frozen=True)
class AllBut(HeapRules):
    """Take any positive number that is not excluded."""

    excluded: tuple[int, ...] = ()
    any_amount = quick = True

    @property
    def theorem(self) -> Theorem:
        """Two windows of values that differ by a constant go on alike."""
        largest = max(self.excluded, default=0)

        def last_heap(preperiod: int, period: int) -> int:
            return preperiod + 2 * largest + period

        return Theorem(
            Message(
                "no number above {largest} is forbidden to take: values that repeat, with a constant "
                "added, from heap n0 to n0 + {largest2} + p do so for ever",
                largest,
                2 * largest,
            ),
            last_heap,
            arithmetic=True,
        )

    def options(self, heap: int) -> Left:
        excluded = frozenset(self.excluded)
        return (heap - amount for amount in range(1, heap + 1) if amount not in excluded)

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        if dense:
            allowed = dict.fromkeys(range(1, stop), 3)
            for amount in self.excluded:
                allowed.pop(amount, None)
            return dense_values(Moves.of(allowed), known, stop, engine, progress)
        values, start = grown(known.astype(np.uint32), stop), len(known)
        excluded = np.array(self.excluded, np.int64)
        counts = np.bincount(known, minlength=stop + 1)
        seen = np.zeros(stop + 1, np.int32)
        loop = runner(all_but_loop, stop * (len(excluded) + 1), engine)
        while start < stop:
            end = block_end(start, stop, len(excluded))
            start = loop(values, start, end, excluded, counts, seen, int(np.argmin(counts > 0)))
            report(progress, start, stop)
        return values


@dataclass(frozen=True)
class Equal(HeapRules):
    """Split a heap into least..most equal heaps, or any number of them from the least on."""

    least: int = 2
    most: int | None = None
    parts = 2  # that is: few splits
    reuses_values = False

    def options(self, heap: int) -> Left:
        most = heap if self.most is None else min(self.most, heap)
        return left(heap, (2 << most) - (1 << self.least), "equal")

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, of which all are found anew."""
        values, most = np.zeros(stop, np.uint32), stop if self.most is None else self.most
        runner(equal_loop, stop * stop.bit_length(), engine)(values, self.least, most)
        report(progress, stop, stop)
        return values


@dataclass(frozen=True)
class ByFunction(HeapRules):
    """Rules that a Python function gives: heap -> options, each a heap or a tuple of heaps."""

    function: Callable[[int], Iterable[Any]]
    largest: int | None = None

    def options(self, heap: int) -> Left:
        options: Iterator[Any] = iterated(self.function(heap), heap)
        return (Sum(option) if isinstance(option, tuple) else option for option in options)

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        if self.largest is not None and stop > self.largest + 1:
            raise LimitError("the options of larger heaps are too many to try each: heaps to {largest}", self.largest)
        values: list[int] = known.tolist()
        for n in range(len(known), stop):
            with blamed(Message("the rule"), f"heap {n}", method=self.function):
                options = list(iterated(self.function(n), n))
            values.append(mex(_value(values, option) for option in options))
            report(progress, n + 1, stop)
        return np.array(values, np.uint32)


def _value(values: list[int], option: object) -> int:
    """Return the value of an option of the next heap."""
    total = 0
    for part in option if isinstance(option, tuple) else (option,):
        if not isinstance(part, (int, np.integer)) or not 0 <= part < len(values):
            raise RulesetError(
                "the rule gives heap {count} the option {option!r}: expected only heaps smaller than it",
                len(values),
                option,
            )
        total ^= values[part]
    return total


Sizes = Literal["", "equal", "unequal", "not all equal"]
"""Which sizes two or more heaps may have; no two are the same if unequal."""

Left = Iterator[int | Sum]
"""What moves leave of a heap: one heap, or the sum of several."""


def left(rest: int, bits: int, kind: Sizes = "") -> Left:
    """Yield what a move may leave where so much is left: bit k allows k heaps, of the sizes that the kind says.

    Negative bits allow any number of heaps from some number on.

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
    """Yield the sizes of two or more heaps that make a total, each in increasing order."""
    if kind == "equal":
        if total % parts == 0:
            yield (total // parts,) * parts
        return
    for sizes in _partitions(total, parts, 1, int(kind == "unequal")):
        if kind != "not all equal" or sizes[0] != sizes[-1]:
            yield sizes


def _partitions(total: int, parts: int, least: int, apart: int) -> Iterator[tuple[int, ...]]:
    """Yield the sums of two or more parts that make a total; each part is so far, or more, above the one before."""
    if parts == 2:
        for first in range(least, (total - apart) // 2 + 1):
            yield first, total - first
        return
    for first in range(least, total // parts + 1):
        for rest in _partitions(total - first, parts - 1, first + apart, apart):
            yield first, *rest
