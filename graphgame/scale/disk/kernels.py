"""Compiled loops over edges and labels on their way to disk; their plain twins are beside their callers."""

from __future__ import annotations

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined

__all__ = ["find_slots", "intern"]

_BASIS, _PRIME, _HALF = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3), np.uint64(32)


@inlined
def _hash(text: Array, begin: int, end: int) -> np.uint64:
    """Fowler, Noll and Vo's hash, with its upper half folded in."""
    code = _BASIS
    for i in range(begin, end):
        code = (code ^ np.uint64(text[i])) * _PRIME
    return code ^ (code >> _HALF)  # the slot is the low bits, which a product makes of low bits alone


@compiled
def intern(data: Array, offsets: Array, text: Array, starts: Array, slots: Array, count: int, numbers: Array) -> int:
    """Give labels numbers in the order in which they first come, and return how many have one now.

    Label k of ``data`` is ``data[offsets[k]:offsets[k + 1]]``. Number i is ``text[starts[i]:starts[i + 1]]``; a slot
    holds a number and 1, or 0, and is found by open addressing. There is room for all labels to be new.
    """
    mask = np.uint64(len(slots) - 1)  # their number is a power of two: a mask does for the remainder
    for k in range(len(offsets) - 1):
        begin, end = offsets[k], offsets[k + 1]
        slot = _hash(data, begin, end) & mask
        while True:
            number = int(slots[slot]) - 1
            if number < 0:
                number = count
                count += 1
                slots[slot] = count
                place = starts[number]
                for i in range(begin, end):
                    text[place] = data[i]
                    place += 1
                starts[count] = place
                break
            place = starts[number]
            if starts[number + 1] - place == end - begin:  # no hash is kept: most others differ in length or first byte
                i = begin
                while i < end and text[place + i - begin] == data[i]:
                    i += 1
                if i == end:
                    break
            slot = (slot + np.uint64(1)) & mask
        numbers[k] = number
    return count


@compiled
def find_slots(text: Array, starts: Array, count: int, slots: Array) -> None:
    """Fill an empty table of slots with the labels numbered so far."""
    mask = np.uint64(len(slots) - 1)
    for number in range(count):
        slot = _hash(text, starts[number], starts[number + 1]) & mask
        while slots[slot]:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number + 1
