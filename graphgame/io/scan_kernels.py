"""Compiled loops over the bytes of text; their plain twins and their meaning are in ``scanner``.

The text ends in a newline.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined, trailing_zeros, word_at

__all__ = ["numbers", "pairs", "spread"]

_TAB, _NEWLINE, _SPACE, _HASH, _PERCENT, _MINUS, _ZERO = 9, 10, 32, 35, 37, 45, 48
_ONE, _TEN, _MOST_DIGITS = np.uint64(1), np.uint64(10), np.uint64(18)  # any number of 18 digits fits into 63 bits
_ALONE = -(2**63)  # stands for the second number of a line that has one; no word of 18 digits is read as this
_ZEROS, _TO_TOP_BIT, _TOP_BITS = (np.uint64(byte * 0x0101010101010101) for byte in (0x30, 0x76, 0x80))
_PAIRS, _FOURS, _EIGHT = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)
_HUNDRED, _MYRIAD = np.uint64(100), np.uint64(10000)
_SEVEN, _EIGHT_BYTES = np.uint64(7), np.uint64(8)
_BITS, _BITS_OF_TWO, _BITS_OF_FOUR, _ALL_BITS, _BITS_IN_BYTES = (np.uint64(bits) for bits in (8, 16, 32, 64, 3))


@inlined
def _is_space(c: Any) -> bool:  # noqa: ANN401
    return c == _SPACE or np.uint8(c - _TAB) < 5  # type: ignore[return-value]  # 9 to 13: what is less wraps around


@inlined
def _first_digits(text: Array, i: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return how many digits stand at a place, at most 8, and their value, all from one word of memory."""
    # Past the end there is no memory to read: the last bytes are left to the slower loops.
    if i + _EIGHT_BYTES > np.uint64(len(text)):
        return np.uint64(0), np.uint64(0)
    # The first digit is the lowest byte. Digits become 0 to 9, any other byte 10 or more: it has its top bit at once or
    # with 0x76 added. A carry disturbs only what stands behind the first such byte.
    word = word_at(text, i) ^ _ZEROS
    digits = trailing_zeros((word | (word + _TO_TOP_BIT)) & _TOP_BITS) >> _BITS_IN_BYTES
    if digits == 0:  # there is no shift by all 64 bits
        return digits, digits
    # Pushed to the top, the digits lose what follows them and have zeros in front. Then neighbours join, all pairs at
    # once: bytes into numbers below 100, these into numbers below 10,000, these into the value.
    word <<= _ALL_BITS - (digits << _BITS_IN_BYTES)
    word = (word * _TEN + (word >> _BITS)) & _PAIRS
    word = (word * _HUNDRED + (word >> _BITS_OF_TWO)) & _FOURS
    return digits, (word * _MYRIAD + (word >> _BITS_OF_FOUR)) & _EIGHT


@compiled
def numbers(text: Array, values: Array) -> tuple[int, int, int]:
    """Fill in the numbers; return how many, the offset of the first word that is none, and the newlines before it."""
    count = 0
    lines = 0
    i = np.uint64(0)
    while i < np.uint64(len(text)):
        digits, value = _first_digits(text, i)
        # One to seven digits: 0 - 1 wraps around, and an eighth might have a ninth behind it.
        if digits - _ONE < _SEVEN and _is_space(text[i + digits]):
            values[count] = np.int64(value)
            count += 1
            lines += text[i + digits] == _NEWLINE
            i += digits + _ONE
            continue
        c = text[i]
        if _is_space(c):
            lines += c == _NEWLINE
            i += _ONE
            continue
        start = i
        if c == _MINUS:
            i += _ONE
        first = i
        value = np.uint64(0)
        digit = np.uint8(text[i] - _ZERO)
        while digit < 10:
            value = value * _TEN + np.uint64(digit)
            i += _ONE
            digit = np.uint8(text[i] - _ZERO)
        after = text[i]
        if i == first or i - first > _MOST_DIGITS or not _is_space(after):
            # Only what is no number may begin a comment, so the test costs nothing where numbers stand.
            if c not in (_HASH, _PERCENT):
                return count, np.int64(start), lines  # type: ignore[return-value]
            while text[i] != _NEWLINE:
                i += _ONE
            continue
        values[count] = -np.int64(value) if c == _MINUS else np.int64(value)
        count += 1
        lines += after == _NEWLINE
        i += _ONE
    return count, len(text), lines


@compiled
def pairs(text: Array, values: Array) -> tuple[int, int]:
    """Fill in the numbers of each line, two for a line; return how many, and where the first other line starts."""
    count = 0
    i = 0
    while i < len(text):
        # What nearly all lines are: two short numbers, one blank between them, and no zero in front.
        at = np.uint64(i)
        digits, x = _first_digits(text, at)
        second = at + digits + _ONE
        if digits - _ONE < _SEVEN and text[at + digits] in (_SPACE, _TAB) and (digits == 1 or text[at] != _ZERO):
            more, y = _first_digits(text, second)
            if more - _ONE < _SEVEN and text[second + more] == _NEWLINE and (more == 1 or text[second] != _ZERO):
                values[count], values[count + 1] = np.int64(x), np.int64(y)
                count += 2
                i = np.int64(second + more + _ONE)  # type: ignore[assignment]
                continue
        line = i
        found = 0
        if text[i] in (_HASH, _PERCENT):
            while text[i] != _NEWLINE:
                i += 1
        while text[i] != _NEWLINE:
            c = text[i]
            if c == _SPACE or 9 <= c <= 13:
                i += 1
                continue
            if c == _MINUS:
                i += 1
            first = i
            value = 0
            # The 19th digit may overflow the value; its length is then what refuses the word.
            while np.uint8(text[i] - _ZERO) < 10 and i - first < 19:
                value = value * 10 + int(text[i] - _ZERO)
                i += 1
            length = i - first
            # 007 is a name like others: read as 7 it could not be told from 7.
            padded = text[first] == _ZERO and (length > 1 or c == _MINUS)
            if length == 0 or length > 18 or padded or found == 2 or not (text[i] == _SPACE or 9 <= text[i] <= 13):
                return count - found, line
            values[count] = -value if c == _MINUS else value
            count += 1
            found += 1
        if found == 1:
            values[count] = _ALONE
            count += 1
        i += 1
    return count, len(text)


@compiled
def spread(values: Array, count: int, source: Array, target: Array) -> bool:
    """Append entries to two columns of 32 bits that hold ``count``; return False where one does not fit."""
    row, start = count >> 1, count & 1  # an odd count: the first value is the target of a row that was begun
    if start and len(values):
        if values[0] != np.int32(values[0]):  # cut to 32 bits, what does not fit is another number
            return False
        target[row] = values[0]
        row += 1
    for k in range(start, len(values) - 1, 2):
        x, y = values[k], values[k + 1]
        if x != np.int32(x) or y != np.int32(y):
            return False
        source[row], target[row] = x, y
        row += 1
    if len(values) > start and (len(values) - start) & 1:
        if values[-1] != np.int32(values[-1]):
            return False
        source[row] = values[-1]
    return True
