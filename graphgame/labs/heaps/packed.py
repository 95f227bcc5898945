"""Values in a byte each where they are below 512 and nearly all are common: the parity of some bits gives one of them.

In a sparse space the bits of v & mask are odd in number for each common value v. So one bit of the mask follows from
the others, and need not be kept.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.labs.heaps.sparse import SparseSpace

PACKED_SIZE = 512
"""The values that are packed are below this."""

_BLOCK = 1 << 16


class PackedValues:
    """The values of the heaps 0, 1, ...: the first ones whole, then all common and in a byte each.

    Parameters
    ----------
    first : ndarray
        The values up to the last rare one, or more.
    codes : ndarray of uint8
        What is kept of each heap's value, also of the first ones.
    mask : int
        The sparse space's.

    Examples
    --------
    >>> from graphgame import heaps
    >>> values = heaps.octal("0.77").grundy_values(100)
    >>> packed = PackedValues.of(values, 0b1111, 71)
    >>> len(packed), packed[95:], bool((packed[:] == values).all())
    (101, array([7, 4, 1, 2, 8, 1], dtype=uint16), True)
    """

    dtype = np.dtype(np.uint16)

    def __init__(self, first: Array, codes: Array, mask: int) -> None:
        self.first, self.codes, self.mask = first, codes, mask
        values = np.arange(PACKED_SIZE, dtype=np.uint16)
        common = values[SparseSpace(mask, 0, 0).odd(PACKED_SIZE) == 1]
        self.common: Array = np.zeros(PACKED_SIZE // 2, np.uint16)
        self.common[byte_codes(common, mask)] = common

    @classmethod
    def of(cls, values: Array, mask: int, whole: int) -> PackedValues:
        """Pack values of which those from a heap on are common."""
        codes = np.empty(len(values), np.uint8)
        for start in range(0, len(values), _BLOCK):
            codes[start : start + _BLOCK] = byte_codes(values[start : start + _BLOCK], mask)
        return cls(values[:whole].astype(np.uint16), codes, mask)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, part: slice) -> Array:
        """Return the values of heaps in a row."""
        begin, end, _ = part.indices(len(self))
        values: Array = np.empty(max(end - begin, 0), self.dtype)
        for start in range(begin, end, _BLOCK):  # for numpy copies numbers that choose
            stop = min(start + _BLOCK, end)
            values[start - begin : stop - begin] = self.common[self.codes[start:stop]]
        whole = self.first[begin:end]
        values[: len(whole)] = whole
        return values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: ANN401
        return self[:].astype(dtype or self.dtype, copy=False)

    def max(self, initial: int = 0) -> int:
        """Return the largest value."""
        return max((int(self[i : i + _BLOCK].max()) for i in range(0, len(self), _BLOCK)), default=initial)

    def resize(self, heaps: int) -> None:
        """Make room for the values of so many heaps, or forget those of larger ones; nothing is copied."""
        self.codes.resize(heaps, refcheck=False)
        self.first = self.first[:heaps]


HeapValues: TypeAlias = "Array | PackedValues"
"""The values of the heaps 0, 1, ..., as numpy's array or packed."""


def byte_codes(values: Array, mask: int) -> Array:
    """Return values below 512 without the lowest bit that is in the mask."""
    low = (mask & -mask) - 1
    return (values & low | values >> 1 & (0xFF ^ low)).astype(np.uint8)
