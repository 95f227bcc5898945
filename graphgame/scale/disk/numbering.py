"""Integers that are vertex numbers themselves."""

from __future__ import annotations

import numpy as np

from graphgame.arrays.kernels import mark


class IntegerRange:
    """Integers that lie close together stand for themselves.

    The table of those that occur takes a byte for each integer between the least and the largest, ``most_bytes`` at
    most. ``expected`` is about how many integers will come.
    """

    def __init__(self, most_bytes: int, compiled: bool, expected: int = 0) -> None:
        self._most = most_bytes
        self._compiled = compiled
        self._first = 0
        self._occurs = np.zeros(0, np.bool_)
        self._bounds: tuple[int, int] | None = None
        self._seen, self._expected = 0, expected

    def numbers(self, values: np.ndarray) -> np.ndarray | None:
        """Return the integers as int32; None where they lie too far apart to be kept so."""
        if len(values) == 0:
            return values.astype(np.int32)
        low, high = int(values.min()), int(values.max())
        if self._bounds is not None:
            low, high = min(low, self._bounds[0]), max(high, self._bounds[1])
        self._seen += len(values)
        # The table is worth its bytes as long as the span is not much longer than what was seen, or will be.
        worth = 4 * max(self._seen, self._expected) + (1 << 26)
        if not -(2**31) <= low <= high < 2**31 - 1 or high - low >= min(self._most, worth):
            return None
        self._bounds = low, high
        self._make_room(low, high)
        self._mark(values)
        return values.astype(np.int32, copy=False)

    def finish(self) -> tuple[int, np.ndarray]:
        """Return the least integer, and for each from it on whether it occurs."""
        if self._bounds is None:
            return 0, np.zeros(0, np.bool_)
        low, high = self._bounds
        return low, self._occurs[low - self._first : high - self._first + 1]

    def _mark(self, values: np.ndarray) -> None:
        if self._compiled:
            mark(values, self._first, self._occurs)
        else:
            self._occurs[values - self._first] = True

    def _make_room(self, low: int, high: int) -> None:
        end = self._first + len(self._occurs)
        if len(self._occurs) and self._first <= low and high < end:
            return
        spare = (high - low) // 4
        first = low - (spare if len(self._occurs) and low < self._first else 0)
        grown = np.zeros(high + spare - first + 1, np.bool_)
        if len(self._occurs):
            first = min(first, self._first)
            grown = np.zeros(max(high + spare, end) - first + 1, np.bool_)
            grown[self._first - first : end - first] = self._occurs
        self._first, self._occurs = first, grown
