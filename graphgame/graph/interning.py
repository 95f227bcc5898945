"""Texts into numbers, in the order in which they first come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import prefetch, unsigned, word_at
from graphgame.errors import LimitError
from graphgame.graph.rows import MAX_VERTICES

_ROOM = 1 << 12
_BYTES_A_LABEL = 150


class Texts:
    """Labels of any bytes, numbered in the order in which they first come, with the table that finds them in memory.

    ``allow(bytes, labels)`` is called before more memory is used for more labels, and may raise an error.
    """

    def __init__(self, allow: Callable[[int, int], object] | None = None) -> None:
        self._allow = allow
        self._number: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return the number of each label, int32; label i is ``data[offsets[i]:offsets[i + 1]]``.

        A LimitError tells that there are too many labels for 32 bits.
        """
        text = data.tobytes()
        return self._numbers([text[begin:end] for begin, end in pairwise(offsets.tolist())])

    def numbers_of(self, labels: Sequence[str]) -> np.ndarray:
        """Return the number of each label, int32."""
        return self._numbers([label.encode(errors="surrogatepass") for label in labels])

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the text of all labels, and where each starts."""
        return packed(list(self._number))

    def strings(self, first: int = 0) -> list[str]:
        """Return all labels from a number on."""
        data, starts = self.finish()
        text, ends = data[starts[first] :].tobytes(), (starts[first:] - starts[first]).tolist()
        if text.isascii():
            letters = text.decode()
            return [letters[begin:end] for begin, end in pairwise(ends)]
        return [text[begin:end].decode(errors="surrogatepass") for begin, end in pairwise(ends)]

    def _numbers(self, labels: list[bytes]) -> np.ndarray:
        number = self._number
        found = np.fromiter((number.setdefault(label, len(number)) for label in labels), np.int32, len(labels))
        self._check(_BYTES_A_LABEL * len(number), len(number))
        return found

    def _check(self, need: int, labels: int) -> None:
        if labels > MAX_VERTICES:
            raise LimitError("more than {max_vertices} positions: vertices are numbered by 32 bits", MAX_VERTICES)
        if self._allow is not None:
            self._allow(need, labels)


class _CompiledTexts(Texts):
    """The same with compiled loops: about 30 bytes a label beside its text."""

    def __init__(self, allow: Callable[[int, int], object] | None = None) -> None:
        super().__init__(allow)
        self._count = 0
        self._text = np.empty(_ROOM, np.uint8)
        self._starts = np.zeros(_ROOM + 1, np.int64)
        self._slots = np.zeros(4 * _ROOM, np.int64)

    def __len__(self) -> int:
        return self._count

    def numbers(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        found, codes = np.empty(len(offsets) - 1, np.int32), np.empty(len(offsets) - 1, np.int64)
        self._make_room(int(self._starts[self._count] + offsets[-1] - offsets[0]), self._count + len(found))
        hash_all(data, offsets, codes)
        self._count = intern(data, offsets, codes, self._text, self._starts, self._slots, self._count, found)
        return found

    def numbers_of(self, labels: Sequence[str]) -> np.ndarray:
        return self.numbers(*packed([label.encode(errors="surrogatepass") for label in labels]))

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        return self._text[: self._starts[self._count]], self._starts[: self._count + 1]

    def _make_room(self, text: int, labels: int) -> None:
        """Make room for this many labels and bytes of text in total."""
        if text > len(self._text):
            self._text.resize(text * 3 // 2, refcheck=False)
        if labels >= len(self._starts):
            self._starts.resize(labels * 3 // 2, refcheck=False)
        # Fuller than two thirds, a table has long runs to search through.
        if 3 * labels > 2 * len(self._slots):
            self._slots = np.zeros(1 << (3 * labels // 2).bit_length(), np.int64)
            find_slots(self._text, self._starts, self._count, self._slots)
        self._check(text + 8 * labels + 8 * len(self._slots), labels)


def texts(compiled: bool, allow: Callable[[int, int], object] | None = None) -> Texts:
    """Return an empty table of labels."""
    return _CompiledTexts(allow) if compiled else Texts(allow)


def packed(labels: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Return texts one after the other, and where each starts and the last one ends."""
    starts = np.zeros(len(labels) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, labels), np.int64, len(labels)), out=starts[1:])
    return np.frombuffer(b"".join(labels), np.uint8), starts


_PRIME, _HALF, _TAG = 0x1E3779B97F4A7C15, 0xFFFFFFFF, 0x7FFFFFFF
_FAR, _NEAR = 24, 12
"""How many labels ahead memory is fetched: first the slot, then the text it leads to."""


@inlined
def _mixed(code: int, word: int) -> int:
    code ^= word
    code ^= (code >> 32) & _HALF  # a product has its upper bits from all, and its lower ones from low bits alone
    return code * _PRIME


@inlined
def _hash(text: Array, begin: int, end: int) -> int:
    """Return a hash, a word that wraps around; its upper bits are the best mixed."""
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
    """Return how far a hash is shifted to become its slot; there are a power of two of slots."""
    bits = 0
    while 1 << bits < len(slots):
        bits += 1
    return 63 - bits


@compiled
def hash_all(data: Array, offsets: Array, codes: Array) -> None:
    """Fill in the hash of each label; label k is ``data[offsets[k]:offsets[k + 1]]``."""
    for k in range(len(codes)):
        codes[k] = _hash(data, offsets[k], offsets[k + 1])


@compiled
def intern(
    data: Array,
    offsets: Array,
    codes: Array,
    text: Array,
    starts: Array,
    slots: Array,
    count: int,
    numbers: Array,
) -> int:
    """Give labels numbers in the order in which they first come, and return how many have one now.

    Label k of ``data`` is ``data[offsets[k]:offsets[k + 1]]``, ``codes[k]`` its hash. Number i is
    ``text[starts[i]:starts[i + 1]]``. A slot holds 31 bits of a hash above a number and 1, or 0, and is found by open
    addressing. There is room for all labels to be new.
    """
    mask = len(slots) - 1
    shift = _shift_of(slots)
    for k in range(len(codes)):
        if k + _FAR < len(codes):
            prefetch(slots, unsigned((codes[unsigned(k + _FAR)] >> shift) & mask))
            known = slots[unsigned((codes[unsigned(k + _NEAR)] >> shift) & mask)] & _HALF
            if known:
                prefetch(starts, unsigned(known - 1))
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
                place = starts[unsigned(number)]
                for i in range(begin, end):
                    text[unsigned(place)] = data[unsigned(i)]
                    place += 1
                starts[unsigned(count)] = place
                break
            if entry & ~_HALF == tag:
                number = (entry & _HALF) - 1
                place = starts[unsigned(number)]
                if starts[unsigned(number + 1)] - place == end - begin:
                    i = begin
                    while i < end and text[unsigned(place + i - begin)] == data[unsigned(i)]:
                        i += 1
                    if i == end:
                        break
            slot = (slot + 1) & mask
        numbers[unsigned(k)] = number
    return count


@compiled
def find_slots(text: Array, starts: Array, count: int, slots: Array) -> None:
    """Fill an empty table of slots with the labels numbered so far."""
    mask = len(slots) - 1
    shift = _shift_of(slots)
    for number in range(count):
        code = _hash(text, starts[number], starts[number + 1])
        slot = (code >> shift) & mask
        while slots[unsigned(slot)]:
            slot = (slot + 1) & mask
        slots[unsigned(slot)] = (code & _TAG) << 32 | (number + 1)
