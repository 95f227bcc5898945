"""How the values of one-heap games are found, for each kind of rules, and which theorem proves a period."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphgame.errors import LimitError, RulesetError, shorten
from graphgame.heaps.loops import Array, all_but_loop, dense_loop, many_loop, runner, sparse_loop
from graphgame.heaps.sparse import choose_space
from graphgame.ruleset import blamed
from graphgame.sprague_grundy import mex

__all__ = ["AllBut", "Growing", "HeapRules", "Own", "Progress", "TakeAndBreak", "Theorem"]

Progress = Callable[[int, int], None]

_BLOCK = 1 << 13
_FIRST_BLOCK = 32
_MOST_REACHED = 1 << 30


@dataclass(frozen=True)
class Theorem:
    """When a repetition of values goes on for ever.

    Attributes
    ----------
    statement : str
    last_heap : callable
        ``last_heap(n0, p)``: the values repeat for ever if they do from heap n0 to this heap, with the distance p.
        Both are arrays.
    arithmetic : bool
        Values may repeat with a constant added.
    """

    statement: str
    last_heap: Callable[[Array, Array], Array]
    arithmetic: bool = False


class HeapRules(ABC):
    """Rules of a one-heap game, as far as its values need them."""

    theorem: Theorem | None = None

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
        Two heaps that are left must differ.
    """

    leaves: dict[int, int]
    unequal: bool = False

    @property
    def parts(self) -> int:
        """The most heaps that a move leaves."""
        return max(max(self.leaves.values(), default=1).bit_length() - 1, 1)

    @property
    def theorem(self) -> Theorem | None:  # type: ignore[override]
        """The theorem of Guy and Smith, for any number of parts."""
        if self.unequal:
            return None
        parts, longest = self.parts, max(self.leaves, default=0)

        def last_heap(preperiod: Array, period: Array) -> Array:
            return parts * (np.maximum(preperiod, 1) + period) + longest - 1

        return Theorem(
            f"moves take at most {longest} and leave at most {parts} heap{'s' * (parts > 1)}, so that values with "
            f"g(n + p) = g(n) from n0 to {parts} (n0 + p) + {longest} - 1 repeat for ever (Guy and Smith)",
            last_heap,
        )

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
        amounts = np.array(sorted(self.leaves), np.int64)
        leaves = np.array([self.leaves[amount] for amount in amounts.tolist()], np.int64)
        if self.parts > 2:
            return _many(amounts, leaves, self.parts, stop, engine)
        splitting = amounts[leaves & 4 > 0]
        if dense or not len(splitting):
            work = stop * (len(amounts) + len(splitting) * stop // 2)
            return _dense(known, stop, amounts, leaves, self.unequal, runner(dense_loop, work, engine), progress)
        loop = runner(sparse_loop, stop * (len(amounts) + stop // 16), engine)
        return _sparse(known, stop, amounts, leaves, self.unequal, loop, progress)


@dataclass(frozen=True)
class Growing(HeapRules):
    """Rules that name infinitely many amounts.

    Attributes
    ----------
    leaves_to : callable
        ``leaves_to(n)``: amount -> bits, for the amounts up to n.
    """

    leaves_to: Callable[[int], dict[int, int]]

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
        rules = TakeAndBreak(self.leaves_to(stop - 1))
        amounts = np.array(sorted(rules.leaves), np.int64)
        leaves = np.array([rules.leaves[amount] for amount in amounts.tolist()], np.int64)
        loop = runner(dense_loop, stop * stop // 2, engine)
        return _dense(known, stop, amounts, leaves, False, loop, progress)


@dataclass(frozen=True)
class AllBut(HeapRules):
    """Take any positive number that is not excluded."""

    excluded: tuple[int, ...]

    @property
    def theorem(self) -> Theorem:  # type: ignore[override]
        """The values go on by what the last heaps tell."""
        largest = max(self.excluded, default=0)

        def last_heap(preperiod: Array, period: Array) -> Array:
            return preperiod + 2 * largest + period

        return Theorem(
            f"one may take any number but some up to {largest}, so that values with g(n + p) = g(n) + s for n from n0 "
            f"to n0 + {2 * largest} do so for ever",
            last_heap,
            arithmetic=True,
        )

    def extend(self, known: Array, stop: int, *, engine: str, dense: bool, progress: Progress | None) -> Array:
        """Return the values of the heaps below a number, where the first ones are known."""
        values = _grown(known, stop, np.uint32)
        excluded = np.array([0, *self.excluded], np.int64)[1:]
        counts = np.bincount(values[: len(known)], minlength=stop + 1)
        seen = np.zeros(stop + 1, np.int32)
        loop = runner(all_but_loop, stop * (len(excluded) + 1), engine)
        for start in range(len(known), stop, _BLOCK):
            end = min(start + _BLOCK, stop)
            loop(values, start, end, excluded, counts, seen, int(np.argmin(counts > 0)))
            if progress is not None:
                progress(end, stop)
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
            values.append(mex(self._value(values, option, n) for option in options))
            if progress is not None and n % 256 == 0:
                progress(n, stop)
        return np.array(values, np.uint32)

    @staticmethod
    def _value(values: list[int], option: object, heap: int) -> int:
        total = 0
        for part in option if isinstance(option, tuple) else (option,):
            if not isinstance(part, (int, np.integer)) or not 0 <= part < heap:
                raise RulesetError(
                    f"the rule gives the option {shorten(option)} for heap {heap}: expected heaps of 0..{heap - 1}"
                )
            total ^= values[part]
        return total


def _grown(known: Array, stop: int, kind: type[np.unsignedinteger[Any]]) -> Array:
    """Return an array with room below a number that starts with what is known."""
    values = np.zeros(stop, max(np.dtype(kind), known.dtype, key=lambda dtype: dtype.itemsize))
    values[: len(known)] = known
    return values


def _room(values: Array, size: int) -> Array:
    """Return the values in a type that holds all below a size."""
    return values if size <= 1 << 8 * values.itemsize else values.astype(np.uint32)


def _dense(
    known: Array,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    loop: Callable[..., int],
    progress: Progress | None,
) -> Array:
    values = _grown(known, stop, np.uint16)
    n, size = len(known), 4 << int(known.max(initial=0)).bit_length()
    marks = np.zeros(size, np.int32)
    while n < stop:
        end = min(n + _BLOCK, stop)
        n = loop(values, n, end, amounts, leaves, unequal, marks)
        if n < end:
            size *= 2
            values, marks = _room(values, size), np.zeros(size, np.int32)
        if progress is not None:
            progress(n, stop)
    return values


def _sparse(
    known: Array,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    loop: Callable[..., int],
    progress: Progress | None,
) -> Array:
    values = _grown(known, stop, np.uint16)
    splitting = amounts[leaves & 4 > 0]
    n, size, rechoose = len(known), 0, 0
    count = np.zeros(1, np.int64)
    while n < stop:
        if n >= rechoose:
            space = choose_space(values[:n], splitting)
            rares = space.rares(values[:n]).astype(np.int32)
            count[0], rechoose, size = len(rares), max(2 * n, _FIRST_BLOCK), max(size, 4 << space.mask.bit_length())
            marks, odd = np.zeros(size, np.int32), space.odd(size)
            values = _room(values, size)
        end = min(n + _BLOCK, rechoose, stop)
        rares = np.concatenate([rares[: count[0]], np.zeros(end - n, np.int32)])
        rare_values = values[rares]
        n = loop(
            values, n, end, amounts, leaves, unequal, odd, space.step, space.shift, rares, rare_values, count, marks
        )
        if n < end:
            size *= 2
            values, marks, odd = _room(values, size), np.zeros(size, np.int32), space.odd(size)
        if progress is not None:
            progress(n, stop)
    return values


def _many(amounts: Array, leaves: Array, parts: int, stop: int, engine: str) -> Array:
    """Start anew with more room for the values until it is enough: there is no other state worth keeping."""
    size = 16
    while True:
        if (parts - 1) * stop * size > _MOST_REACHED:
            raise LimitError(
                f"heaps to {stop - 1} that leave up to {parts} heaps need more than {_MOST_REACHED >> 30} GB: "
                f"ask for smaller heaps"
            )
        values = np.zeros(stop, np.uint32)
        reached = np.zeros((parts - 1, stop, size), np.uint8)
        loop = runner(many_loop, stop * stop * size // 4, engine)
        if loop(values, 0, stop, amounts, leaves, reached, np.zeros(size, np.int32)) == stop:
            return values
        size *= 2
