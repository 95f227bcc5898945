"""Arithmetic periods of games that leave three heaps, or take any number and split: the proof is a finite check.

The claim is g(n + p) = g(n) + s for all n >= n0. The check takes a multiple P of p with S, the same multiple of s, and
m, a power of two that divides S. ``docs/heaps.md`` states what is checked and proves that it suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.errors import Message

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
