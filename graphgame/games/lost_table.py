"""The P-positions of a table by one range of numbers or two, a bit each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.results import Play


@dataclass(frozen=True)
class LostTable:
    """The P-positions of a table, which may be far too large for its values.

    Attributes
    ----------
    text : str
        The position with its ranges.
    play : {"normal", "misere"}
    ranges : tuple of range
        One or two.
    bits : ndarray of uint8
        Whether a position is P, eight to a byte, the first in the lowest bit.
    base : int
        Which bit is that of the numbers 0.
    strides : tuple of int
        How many bits further that of the next number is, for each range.
    """

    text: str
    play: Play
    ranges: tuple[range, ...]
    bits: Array = field(repr=False)
    base: int = field(repr=False)
    strides: tuple[int, ...] = field(repr=False)

    def rows(self) -> Iterator[Array]:
        """Yield for each number of the first range which of the second make a P-position; with one range, one entry."""
        second, stride = (self.ranges[1], self.strides[1]) if len(self.ranges) == 2 else (range(1), 1)
        for number in self.ranges[0]:
            first = self.base + number * self.strides[0] + second[0] * stride
            end = first + (len(second) - 1) * stride + 1
            bits = np.unpackbits(self.bits[first >> 3 : (end + 7) >> 3], bitorder="little")
            yield bits[first & 7 :][: end - first : stride].astype(np.bool_)

    def pairs(self) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of each P-position, in the order of the table."""
        for number, row in zip(self.ranges[0], self.rows(), strict=True):
            for column in np.flatnonzero(row).tolist():
                yield (number, self.ranges[1][column]) if len(self.ranges) == 2 else (number,)

    @cached_property
    def count(self) -> int:
        """The number of P-positions."""
        return sum(int(np.count_nonzero(row)) for row in self.rows())

    def seen_from_afar(self, most: int) -> Array:
        """Return an array of at most so many rows and columns that tells where there are P-positions."""
        height, width = (-(-len(each) // most) for each in (*self.ranges, range(1))[:2])
        columns = len(self.ranges[1]) if len(self.ranges) == 2 else 1
        found = np.zeros((-(-len(self.ranges[0]) // height), -(-columns // width)), np.bool_)
        for place, row in enumerate(self.rows()):
            found[place // height] |= np.logical_or.reduceat(row, np.arange(0, columns, width))
        return found
