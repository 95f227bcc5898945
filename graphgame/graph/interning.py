"""Number texts in the order of their first occurrence, to turn the labels of an edge list into vertex numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import prefetch, unsigned, word_at
from graphgame.errors import LimitError
from graphgame.graph.rows import MAX_VERTICES

_LABELS_AT_FIRST = 1 << 12
_BYTES_A_LABEL = 150  # the memory that a label and its number take in a dictionary


class Texts:
    """A table of labels, which are any bytes. A label gets the next number when it is looked up for the first time.

    ``allow(memory, labels)`` is called while a group of labels is looked up, with two figures for the table with this
    group: an estimate of its bytes, and its maximum number of labels. An error from ``allow`` does not undo the lookup.
    """

    def __init__(self, allow: Callable[[int, int], object] | None = None) -> None:
        self._allow = allow
        self._number: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return the number of each label, int32; label i is ``data[offsets[i]:offsets[i + 1]]``.

        Raises
        ------
        LimitError
            There may be more different labels than 32-bit vertex numbers.
        """
        text = data.tobytes()
        return self._numbers([text[begin:end] for begin, end in pairwise(offsets.tolist())])

    def numbers_of(self, labels: Sequence[str]) -> np.ndarray:
        """Return the number of each label, int32; new labels are added to the table in UTF-8."""
        return self._numbers([label.encode(errors="surrogatepass") for label in labels])

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all labels by number, as bytes and offsets: see :func:`packed`; a later lookup may invalidate both."""
        return packed(list(self._number))

    def strings(self, first: int = 0) -> list[str]:
        """Return the labels from number ``first`` on as strings."""
        data, starts = self.finish()
        text, ends = data[starts[first] :].tobytes(), (starts[first:] - starts[first]).tolist()
        if text.isascii():
            letters = text.decode()
            return [letters[begin:end] for begin, end in pairwise(ends)]
        return [text[begin:end].decode(errors="surrogatepass") for begin, end in pairwise(ends)]

    def _numbers(self, labels: list[bytes]) -> np.ndarray:
        number = self._number
        numbers = np.fromiter((number.setdefault(label, len(number)) for label in labels), np.int32, len(labels))
        self._check(_BYTES_A_LABEL * len(number), len(number))
        return numbers

    def _check(self, memory: int, labels: int) -> None:
        if labels > MAX_VERTICES:
            raise LimitError(
                "the graph has more than {max_vertices} positions, the most that 32-bit vertex numbers allow",
                MAX_VERTICES,
            )
        if self._allow is not None:
            self._allow(memory, labels)


class _CompiledTexts(Texts):
    """A table of labels in arrays, filled by compiled loops; it takes about 30 bytes a label, besides its text."""

    def __init__(self, allow: Callable[[int, int], object] | None = None) -> None:
        super().__init__(allow)
        self._count = 0
        self._text = np.empty(_LABELS_AT_FIRST, np.uint8)
        self._starts = np.zeros(_LABELS_AT_FIRST + 1, np.int64)
        self._slots = np.zeros(4 * _LABELS_AT_FIRST, np.int64)

    def __len__(self) -> int:
        return self._count

    def numbers(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        numbers, codes = np.empty(len(offsets) - 1, np.int32), np.empty(len(offsets) - 1, np.int64)
        self._make_room(int(self._starts[self._count] + offsets[-1] - offsets[0]), self._count + len(numbers))
        hash_all(data, offsets, codes)
        self._count = intern(data, offsets, codes, self._text, self._starts, self._slots, self._count, numbers)
        return numbers

    def numbers_of(self, labels: Sequence[str]) -> np.ndarray:
        return self.numbers(*packed([label.encode(errors="surrogatepass") for label in labels]))

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        return self._text[: self._starts[self._count]], self._starts[: self._count + 1]

    def _make_room(self, text: int, labels: int) -> None:
        """Make room for ``labels`` labels of ``text`` bytes, old and new together; raise a LimitError for too many."""
        if text > len(self._text):
            self._text.resize(text * 3 // 2, refcheck=False)
        if labels >= len(self._starts):
            self._starts.resize(labels * 3 // 2, refcheck=False)
        # A hash table that is more than two thirds full has long runs of slots to search through.
        if 3 * labels > 2 * len(self._slots):
            self._slots = np.zeros(1 << (3 * labels // 2).bit_length(), np.int64)
            find_slots(self._text, self._starts, self._count, self._slots)
        self._check(text + 8 * labels + 8 * len(self._slots), labels)


def texts(compiled: bool, allow: Callable[[int, int], object] | None = None) -> Texts:
    """Return an empty table of labels, compiled or in plain Python; ``allow`` may limit it, see :class:`Texts`."""
    return _CompiledTexts(allow) if compiled else Texts(allow)


def packed(labels: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Return the joined bytes of labels (uint8) and their offsets: label i is ``data[offsets[i]:offsets[i + 1]]``."""
    starts = np.zeros(len(labels) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, labels), np.int64, len(labels)), out=starts[1:])
    return np.frombuffer(b"".join(labels), np.uint8), starts


_PRIME, _HALF, _TAG = 0x1E3779B97F4A7C15, 0xFFFFFFFF, 0x7FFFFFFF
_LABELS_AHEAD_SLOT, _LABELS_AHEAD_START = 24, 12
"""How many labels ahead memory is prefetched: first the slot, later the entry of ``starts`` for the slot's label."""


@inlined
def _mixed(code: int, word: int) -> int:
    """Return the hash ``code`` with one more word mixed in."""
    code ^= word
    # A low bit of a product depends only on low bits of the factors. So move the high bits down before multiplying.
    code ^= (code >> 32) & _HALF
    return code * _PRIME


@inlined
def _hash(text: Array, begin: int, end: int) -> int:
    """Return a 64-bit hash of ``text[begin:end]``; its high bits are mixed best, so they give the slot."""
    code = end - begin
    i = begin
    while i + 8 <= end:
        code = _mixed(code, word_at(text, unsigned(i)))
        i += 8
    last = 0
    while i < end:
        last = last << 8 | text[unsigned(i)]
        i += 1
    return _mixed(_mixed(code, last), 1)


@inlined
def _shift_of(slots: Any) -> int:  # noqa: ANN401
    """Return the shift for which ``hash >> shift & (len(slots) - 1)`` is a slot; ``len(slots)`` is a power of two."""
    bits = 0
    while 1 << bits < len(slots):
        bits += 1
    return 63 - bits


@compiled
def hash_all(data: Array, offsets: Array, codes: Array) -> None:
    """Set ``codes[k]`` to the hash of label k, ``data[offsets[k]:offsets[k + 1]]``."""
    for k in range(len(codes)):
        codes[k] = _hash(data, offsets[k], offsets[k + 1])


@compiled
def intern(
    data: Array, offsets: Array, codes: Array, text: Array, starts: Array, slots: Array, count: int, numbers: Array
) -> int:
    """Set ``numbers[k]`` to the number of label k, and add new labels to the table; return its new number of labels.

    Label k is ``data[offsets[k]:offsets[k + 1]]``, and ``codes[k]`` is its hash. The table has ``count`` labels before.
    The label with number i is ``text[starts[i]:starts[i + 1]]``, and ``slots`` is a hash table with open addressing:
    a slot is 0 if empty; otherwise its high half has 31 bits of a label's hash, and its low half the label's number
    plus 1. These three arrays of the table must be large enough for all labels to be new.
    """
    mask = len(slots) - 1
    shift = _shift_of(slots)
    for k in range(len(codes)):
        if k + _LABELS_AHEAD_SLOT < len(codes):
            prefetch(slots, unsigned((codes[unsigned(k + _LABELS_AHEAD_SLOT)] >> shift) & mask))
            # This slot was prefetched some labels ago. If it has a label, prefetch the label's entry in ``starts``.
            later = slots[unsigned((codes[unsigned(k + _LABELS_AHEAD_START)] >> shift) & mask)] & _HALF
            if later:
                prefetch(starts, unsigned(later - 1))
        begin, end = offsets[unsigned(k)], offsets[unsigned(k + 1)]
        code = codes[unsigned(k)]
        tag = (code & _TAG) << 32
        slot = (code >> shift) & mask
        while True:
            entry = slots[unsigned(slot)]
            if entry == 0:
                number = count
                count += 1
                slots[unsigned(slot)] = tag | count
                start = starts[unsigned(number)]
                for i in range(begin, end):
                    text[unsigned(start)] = data[unsigned(i)]
                    start += 1
                starts[unsigned(count)] = start
                break
            if entry & ~_HALF == tag:
                # The slot has the same bits of the hash, but its label may still differ: compare the texts.
                number = (entry & _HALF) - 1
                start = starts[unsigned(number)]
                if starts[unsigned(number + 1)] - start == end - begin:
                    i = begin
                    while i < end and text[unsigned(start + i - begin)] == data[unsigned(i)]:
                        i += 1
                    if i == end:
                        break
            slot = (slot + 1) & mask
        numbers[unsigned(k)] = number
    return count


@compiled
def find_slots(text: Array, starts: Array, count: int, slots: Array) -> None:
    """Enter the ``count`` labels of ``text`` and ``starts`` in the empty hash table ``slots`` of :func:`intern`."""
    mask = len(slots) - 1
    shift = _shift_of(slots)
    for number in range(count):
        code = _hash(text, starts[number], starts[number + 1])
        slot = (code >> shift) & mask
        while slots[unsigned(slot)]:
            slot = (slot + 1) & mask
        slots[unsigned(slot)] = (code & _TAG) << 32 | (number + 1)
