"""Sparse spaces: a split of all values into rare and common ones such that few heaps have a rare value.

The values v for which v & mask has an even number of bits are closed under xor, and so are two values outside put
together; so two common heaps never make a common value. Which mask leaves the fewest rare heaps is seen at once for
all masks in the Walsh-Hadamard transform of the histogram. Where all splits take amounts of one parity, the parity of
the heap may join in, with the same effect.

References
----------
A. Gangolli, T. Plambeck, A note on periodicity in some octal games, Int. J. Game Theory 18 (1989). J. P. Grossman,
Searching for periodicity in Officers, Games of No Chance 5 (2019).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array

if TYPE_CHECKING:
    from graphgame.labs.heaps.packed import HeapValues

_BLOCK = 1 << 16


class SparseSpace(NamedTuple):
    """Which values are rare: v at heap n where the bits of v & mask and of step & (n + shift) are even in number."""

    mask: int
    step: int
    shift: int

    def odd(self, size: int) -> Array:
        """Return for each value below a size whether v & mask has an odd number of bits."""
        bits = np.arange(size, dtype=np.uint32) & np.uint32(self.mask)
        for shift in (16, 8, 4, 2, 1):
            bits ^= bits >> np.uint32(shift)
        return (bits & np.uint32(1)).astype(np.uint8)

    def rares(self, values: HeapValues) -> Array:
        """Return the heaps of rare value."""
        odd = self.odd(int(values.max(initial=0)) + 1)
        found = [np.zeros(0, np.int32)]
        for start, values_there in in_blocks(values):
            block = odd[values_there]
            if self.step:
                block[start + self.shift + 1 & 1 :: 2] ^= 1
            found.append((np.flatnonzero(block == 0) + start).astype(np.int32))
        return np.concatenate(found)


def in_blocks(values: HeapValues) -> Iterator[tuple[int, Array]]:
    """Yield the values in blocks, of which each begins with an even heap, for numpy copies what it counts."""
    return ((start, values[start : start + _BLOCK]) for start in range(0, len(values), _BLOCK))


def choose_space(values: HeapValues, splitting: Array) -> SparseSpace:
    """Return the space with the fewest rare heaps; ``splitting`` are the amounts of the moves that split a heap."""
    size = 2 << int(values.max(initial=0)).bit_length()
    shift = int(splitting[0]) & 1
    even, odd = (count_each(values, size, parity) for parity in (shift, 1 - shift))
    joined = np.all(splitting & 1 == shift)
    balances = [_transform(histogram)[1:] for histogram in (even + odd, *([even - odd] if joined else []))]
    step = int(np.argmin([balance.min() for balance in balances]))
    return SparseSpace(int(np.argmin(balances[step])) + 1, step, shift)


def count_each(values: HeapValues, size: int, parity: int | None = None) -> Array:
    """Count each value below a size, of all heaps or of those of a parity."""
    counts = np.zeros(size, np.int64)
    for _, block in in_blocks(values):
        counts += np.bincount(block if parity is None else block[parity::2], minlength=size)
    return counts


def _transform(histogram: Array) -> Array:
    """Return for each mask the heaps with an even number of bits less those with an odd number."""
    balance, half = histogram, 1
    while half < len(balance):
        pairs = balance.reshape(-1, 2, half)
        balance = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)
        half *= 2
    return balance
