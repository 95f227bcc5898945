"""Positions into vertex numbers of 32 bits, a batch at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from graphgame.arrays.kernels import mark
from graphgame.arrays.rows import MAX_VERTICES
from graphgame.errors import LimitError
from graphgame.scale.disk import kernels
from graphgame.scale.disk.sizes import size_text

__all__ = ["IntegerRange", "Texts", "texts"]

_ROOM = 1 << 12
_BYTES_A_LABEL = 150


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


class Texts:
    """Labels of any bytes, numbered in the order in which they first come, with the table that finds them in memory."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._number: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return the number of each label, int32; label i is ``data[offsets[i]:offsets[i + 1]]``.

        A LimitError tells that there are too many labels for the memory, or for 32 bits.
        """
        text, places, number = data.tobytes(), offsets.tolist(), self._number
        labels = (text[begin:end] for begin, end in pairwise(places))
        found = np.fromiter((number.setdefault(label, len(number)) for label in labels), np.int32, len(places) - 1)
        self._check(_BYTES_A_LABEL * len(number), len(number))
        return found

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the text of all labels, and where each starts."""
        lengths = np.fromiter(map(len, self._number), np.int64, len(self._number))
        return np.frombuffer(b"".join(self._number), np.uint8), np.concatenate([[0], np.cumsum(lengths)])

    def _check(self, need: int, labels: int) -> None:
        if labels > MAX_VERTICES:
            raise LimitError(f"more than {MAX_VERTICES} positions: vertices are numbered by 32 bits")
        if need > self._most:
            raise LimitError(
                f"the labels of {labels:,} positions need {size_text(need)} of memory: "
                f"{size_text(self._most)} of the memory limit are for them",
                "memory",
            )


class _CompiledTexts(Texts):
    """The same with compiled loops: about 20 bytes a label beside its text."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(most_bytes)
        self._count = 0
        self._text = np.empty(_ROOM, np.uint8)
        self._starts = np.zeros(_ROOM + 1, np.int64)
        self._slots = np.zeros(4 * _ROOM, np.int32)

    def __len__(self) -> int:
        return self._count

    def numbers(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        found = np.empty(len(offsets) - 1, np.int32)
        self._make_room(int(self._starts[self._count] + offsets[-1] - offsets[0]), self._count + len(found))
        self._count = kernels.intern(data, offsets, self._text, self._starts, self._slots, self._count, found)
        return found

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        return self._text[: self._starts[self._count]], self._starts[: self._count + 1]

    def _make_room(self, text: int, labels: int) -> None:
        """Make room for so many labels and bytes of text in all."""
        if text > len(self._text):
            self._text.resize(text * 3 // 2, refcheck=False)
        if labels >= len(self._starts):
            self._starts.resize(labels * 3 // 2, refcheck=False)
        # Fuller than two thirds, a table has long runs to search through.
        if 3 * labels > 2 * len(self._slots):
            self._slots = np.zeros(1 << (3 * labels // 2).bit_length(), np.int32)
            kernels.find_slots(self._text, self._starts, self._count, self._slots)
        self._check(text + 8 * labels + 4 * len(self._slots), labels)


def texts(most_bytes: int, compiled: bool) -> Texts:
    """Return an empty table of labels."""
    return _CompiledTexts(most_bytes) if compiled else Texts(most_bytes)
