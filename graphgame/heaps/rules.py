"""The kinds of rules of one-heap games: how each finds its values, and which theorem proves a period."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphgame.arrays.compiling import compiled, runner
from graphgame.errors import LimitError, RulesetError, shorten
from graphgame.heaps.arithmetic import Splits
from graphgame.heaps.loops import Array, all_but_loop
from graphgame.heaps.values import Moves, Progress, block_end, dense_values, grown, many_values, sparse_values
from graphgame.rules.ruleset import blamed
from graphgame.sprague_grundy import mex

__all__ = ["AllBut", "Equal", "Growing", "HeapRules", "Own", "Progress", "TakeAndBreak", "Theorem"]

_MOST_GROWING = 10_000_000


@dataclass(frozen=True)
class Theorem:
    """When a repetition of values goes on for ever.

    Attributes
    ----------
    statement : str
    last_heap : callable or None
        ``last_heap(n0, p)``: the largest heap whose value the proof needs for the preperiod n0 and the period p; all
        are arrays.
    arithmetic : bool
        Values may repeat with a constant added.
    splits : Splits or None
        Proves that values repeat with a constant added where ``last_heap`` is for those that repeat as they are.
    """

    statement: str
    last_heap: Callable[[Array, Array], Array] | None = None
    arithmetic: bool = False
    splits: Splits | None = None


class HeapRules(ABC):
    """Rules of a one-heap game, as far as its values need them."""

    @property
    def theorem(self) -> Theorem | None:
        """The theorem that proves periods, if there is one."""
        return None

    @property
    def reuses_values(self) -> bool:
        """Whether the values of small heaps save work for larger ones."""
        return True

    @abstractmethod
    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""


@dataclass(frozen=True)
class TakeAndBreak(HeapRules):
    """Finitely many amounts, each with how many heaps one may leave.

    Attributes
    ----------
    leaves : dict of int to int
        Amount -> bits: bit k allows to leave k heaps.
    unequal : bool
        The heaps that are left must not all be equal.
    distinct : bool
        No two of the heaps that are left may be equal; ``unequal`` as well.
    least : int
        The least heap that has a move.
    """

    leaves: dict[int, int]
    unequal: bool = False
    distinct: bool = False
    least: int = 0

    @property
    def theorem(self) -> Theorem | None:
        """The theorem of Guy and Smith, for any number of parts; where there are three or more, also that of splits."""
        if self.unequal:
            return None
        parts, longest = self._parts, max(self.leaves, default=0)

        def last_heap(preperiod: Array, period: Array) -> Array:
            return parts * (np.maximum(preperiod, max(self.least, 1)) + period) + longest - 1

        return Theorem(
            f"no move takes more than {longest} or leaves more than {parts} heap{'s' * (parts > 1)}: values that "
            f"repeat up to heap {parts} (n0 + p) + {longest} - 1 repeat for ever (Guy and Smith)",
            last_heap,
            splits=Splits(self.leaves) if parts > 2 else None,
        )

    @property
    def reuses_values(self) -> bool:
        """Whether the values of small heaps save work for larger ones."""
        return self._parts <= 2

    @property
    def _parts(self) -> int:
        return max(max(self.leaves.values(), default=1).bit_length() - 1, 1)

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
        moves = Moves.of(self.leaves, self.unequal)
        if len(known) < self.least:
            known = np.zeros(min(self.least, stop), np.uint16)
        if self._parts > 2:
            return many_values(moves, self._parts, self.distinct, stop, engine, progress)
        find = dense_values if dense or not len(moves.splitting) else sparse_values
        return find(moves, known, stop, engine, progress)


@dataclass(frozen=True)
class Growing(HeapRules):
    """Rules that allow infinitely many amounts.

    Attributes
    ----------
    leaves_to : callable
        ``leaves_to(n)``: amount -> bits, for the amounts up to n.
    splits : Splits or None
        The same moves, where any amount may be taken.
    """

    leaves_to: Callable[[int], dict[int, int]]
    splits: Splits | None = None

    @property
    def theorem(self) -> Theorem | None:
        """The theorem of splits."""
        return Theorem(self.splits.statement, splits=self.splits) if self.splits else None

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
        if stop > _MOST_GROWING:
            raise LimitError(f"any amount may be taken, so the work grows as the square: heaps to {_MOST_GROWING - 1}")
        return dense_values(Moves.of(self.leaves_to(stop - 1)), known, stop, engine, progress)


@dataclass(frozen=True)
class AllBut(HeapRules):
    """Take any positive number that is not excluded."""

    excluded: tuple[int, ...]

    @property
    def theorem(self) -> Theorem:
        """Two windows of values that differ by a constant go on alike."""
        largest = max(self.excluded, default=0)

        def last_heap(preperiod: Array, period: Array) -> Array:
            return preperiod + 2 * largest + period

        return Theorem(
            f"no number above {largest} is forbidden to take: values that repeat, with a constant added, from heap n0 "
            f"to n0 + {2 * largest} + p do so for ever",
            last_heap,
            arithmetic=True,
        )

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
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
            if progress is not None:
                progress(start, stop)
        return values


@dataclass(frozen=True)
class Equal(HeapRules):
    """Split a heap into equal heaps.

    Attributes
    ----------
    least, most : int
        How many heaps; ``most`` may be None for any number.
    """

    least: int = 2
    most: int | None = None

    @property
    def reuses_values(self) -> bool:
        """Whether the values of small heaps save work for larger ones."""
        return False

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, of which all are found anew."""
        values, most = np.zeros(stop, np.uint32), stop if self.most is None else self.most
        runner(_equal_loop, stop * stop.bit_length(), engine)(values, self.least, most)
        if progress is not None:
            progress(stop, stop)
        return values


@dataclass(frozen=True)
class Own(HeapRules):
    """Rules that a Python function gives: heap -> options, each a heap or a tuple of heaps."""

    options: Callable[[int], Iterable[Any]]

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
        values: list[int] = known.tolist()
        for n in range(len(known), stop):
            with blamed("the rule", f"heap {n}"):
                options = list(self.options(n))
            values.append(mex(_value(values, option) for option in options))
            if progress is not None:
                progress(n + 1, stop)
        return np.array(values, np.uint32)


def _value(values: list[int], option: object) -> int:
    """Return the value of an option of the next heap."""
    total = 0
    for part in option if isinstance(option, tuple) else (option,):
        if not isinstance(part, (int, np.integer)) or not 0 <= part < len(values):
            raise RulesetError(
                f"the rule gives heap {len(values)} the option {shorten(option)}: expected only heaps smaller than it"
            )
        total ^= values[part]
    return total


@compiled
def _equal_loop(values: Array, least: int, most: int) -> int:
    """Find values (zeros) where a move splits a heap into equal heaps; before, bit v stands for an option of value v.

    An even number of equal heaps has the value 0, an odd number that of one.
    """
    for n in range(1, len(values)):
        value = 0
        while values[n] >> value & 1:
            value += 1
        values[n] = value
        for parts in range(least, min(most, (len(values) - 1) // n) + 1):
            values[n * parts] |= 1 << (value if parts & 1 else 0)
    return len(values)
