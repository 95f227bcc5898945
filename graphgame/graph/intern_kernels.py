"""Compiled loops that number texts; their plain twin is in ``interning``. Numbers are signed words of 64 bits."""

from __future__ import annotations

from typing import Any

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import prefetch, unsigned, word_at

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
