"""Compiled loops over the bytes of text; their plain twins and their meaning are in ``scanner``.

The text ends in a newline. Nothing here loads numpy; numbers are signed words of 64 bits.
"""

from __future__ import annotations

from typing import Any

from graphgame.arrays.compiling import Array, compiled, inlined, ones, unsigned, word_at
from graphgame.arrays.kernels import CHUNK_EDGES

_TAB, _NEWLINE, _SPACE, _HASH, _PERCENT, _MINUS, _ZERO, _NINE = 9, 10, 32, 35, 37, 45, 48, 57
_MOST_DIGITS = 18  # any number of 18 digits fits into 63 bits
_ALONE = -(2**63)  # stands for the second number of a line that has one; no word of 18 digits is read as this
_ZEROS, _TO_TOP_BIT, _TOP_BITS = 0x3030303030303030, 0x7676767676767676, -0x7F7F7F7F7F7F7F80
_PAIRS, _FOURS, _EIGHT = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0xFFFFFFFF


@inlined
def _is_space(c: Any) -> bool:  # noqa: ANN401
    return c == _SPACE or 9 <= c <= 13  # type: ignore[no-any-return]


@inlined
def _is_digit(c: Any) -> bool:  # noqa: ANN401
    return _ZERO <= c <= _NINE  # type: ignore[no-any-return]


@inlined
def _first_digits(text: Array, i: int) -> tuple[int, int]:
    """Return how many digits stand at a place, at most 8, and their value, all from one word of memory."""
    # Past the end there is no memory to read: the last bytes are left to the slower loops.
    if i + 8 > len(text):
        return 0, 0
    # The first digit is the lowest byte. Digits become 0 to 9, any other byte 10 or more: it has its top bit at once or
    # with 0x76 added. A carry disturbs only what stands behind the first such byte.
    word = word_at(text, unsigned(i)) ^ _ZEROS
    others = (word | (word + _TO_TOP_BIT)) & _TOP_BITS
    digits = ones((others & -others) - 1) >> 3
    if digits == 0:  # there is no shift by all 64 bits
        return 0, 0
    # Pushed to the top, the digits lose what follows them and have zeros in front. Then neighbours join, all pairs at
    # once: bytes into numbers below 100, these into numbers below 10,000, these into the value.
    word <<= 64 - (digits << 3)
    word = (word * 10 + (word >> 8)) & _PAIRS
    word = (word * 100 + (word >> 16)) & _FOURS
    return digits, (word * 10000 + (word >> 32)) & _EIGHT


@compiled
def numbers(text: Array, values: Array) -> tuple[int, int, int]:
    """Fill in the numbers; return how many, the offset of the first word that is none, and the newlines before it."""
    count = 0
    lines = 0
    i = 0
    while i < len(text):
        digits, value = _first_digits(text, i)
        # One to seven digits: an eighth might have a ninth behind it.
        if 1 <= digits <= 7 and _is_space(text[unsigned(i + digits)]):
            values[unsigned(count)] = value
            count += 1
            lines += text[unsigned(i + digits)] == _NEWLINE
            i += digits + 1
            continue
        c = text[unsigned(i)]
        if _is_space(c):
            lines += c == _NEWLINE
            i += 1
            continue
        start = i
        if c == _MINUS:
            i += 1
        first = i
        value = 0
        while _is_digit(text[unsigned(i)]):
            value = value * 10 + (text[unsigned(i)] - _ZERO)
            i += 1
        after = text[unsigned(i)]
        if i == first or i - first > _MOST_DIGITS or not _is_space(after):
            # Only what is no number may begin a comment, so the test costs nothing where numbers stand.
            if c not in (_HASH, _PERCENT):
                return count, start, lines
            while text[unsigned(i)] != _NEWLINE:
                i += 1
            continue
        values[unsigned(count)] = -value if c == _MINUS else value
        count += 1
        lines += after == _NEWLINE
        i += 1
    return count, len(text), lines


@compiled
def pairs(text: Array, values: Array) -> tuple[int, int]:
    """Fill in the numbers of each line, two for a line; return how many, and where the first other line starts."""
    count = 0
    i = 0
    while i < len(text):
        # What nearly all lines are: two short numbers, one blank between them, and no zero in front.
        digits, x = _first_digits(text, i)
        second = i + digits + 1
        if 1 <= digits <= 7 and text[i + digits] in (_SPACE, _TAB) and (digits == 1 or text[i] != _ZERO):
            more, y = _first_digits(text, second)
            if 1 <= more <= 7 and text[second + more] == _NEWLINE and (more == 1 or text[second] != _ZERO):
                values[count], values[count + 1] = x, y
                count += 2
                i = second + more + 1
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
            while _is_digit(text[i]) and i - first < 19:
                value = value * 10 + (text[i] - _ZERO)
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


@inlined
def _fits(value: Any) -> bool:  # noqa: ANN401
    return -(2**31) <= value < 2**31  # type: ignore[no-any-return]


@compiled
def spread(values: Array, count: int, source: Array, target: Array) -> bool:
    """Append entries to two columns of 32 bits that hold ``count``; return False where one does not fit."""
    row, start = count >> 1, count & 1  # an odd count: the first value is the target of a row that was begun
    if start and len(values):
        if not _fits(values[0]):
            return False
        target[row] = values[0]
        row += 1
    for k in range(start, len(values) - 1, 2):
        x, y = values[k], values[k + 1]
        if not (_fits(x) and _fits(y)):
            return False
        source[row], target[row] = x, y
        row += 1
    if len(values) > start and (len(values) - start) & 1:
        if not _fits(values[-1]):
            return False
        source[row] = values[-1]
    return True


@inlined
def _next_number(text: Array, i: int, end: int) -> tuple[int, int]:
    """Return the number from a place on, and the place behind the white space after it: -1 if there is none."""
    while i < end and _is_space(text[unsigned(i)]):
        i += 1
    digits, value = _first_digits(text, i)
    if digits == 8:
        while digits < _MOST_DIGITS and _is_digit(text[unsigned(i + digits)]):
            value = value * 10 + (text[unsigned(i + digits)] - _ZERO)
            digits += 1
    if i < end and digits and _is_space(text[unsigned(i + digits)]):
        return value, i + digits + 1
    return -1 if i < end else 0, i


@compiled
def edges_into_chunks(
    text: Array, begin: int, end: int, vertices: int, most: int, bits: int, pool: Array, before: Array, ends: Array
) -> tuple[int, int]:
    """Sort the edges of ``text[begin:end]``, at most so many, by ``target >> bits``; 8 more bytes are there to read.

    Returns how many there were, or -1 where anything but the numbers of vertices stands, and where the next one starts.
    Vertices count from 1 in the text, from 0 in the chunks of ``CHUNK_EDGES`` of which ``pool`` consists: each edge is
    its target's low bits and its source. ``ends`` tells where each bucket has got to, and last how many chunks are
    taken; ``before`` where the chunk before each one ended, 0 if there was none.
    """
    count = 0
    low = (1 << bits) - 1
    while count < most:
        source, i = _next_number(text, begin, end)
        target, i = _next_number(text, i, end)
        if source > vertices or target > vertices or source < 0 or target < 0:
            return -1, begin
        if source == 0 or target == 0:
            return (count, begin) if i >= end else (-1, begin)
        begin = i
        target -= 1
        bucket = unsigned(target >> bits)
        place = ends[bucket]
        if place % CHUNK_EDGES == 0:
            chunk = ends[len(ends) - 1]
            ends[len(ends) - 1] = chunk + 1
            before[chunk] = place
            place = chunk * CHUNK_EDGES
        pool[unsigned(place)] = (target & low) << 32 | (source - 1)
        ends[bucket] = place + 1
        count += 1
    return count, begin


@inlined
def _put_number(text: Array, i: int, number: int) -> int:
    """Write a number, more than -2**63, from index i on; return the index behind it."""
    if number < 0:
        text[unsigned(i)] = _MINUS
        number, i = -number, i + 1
    end, limit = i + 1, 10
    while end < i + _MOST_DIGITS + 1 and number >= limit:
        limit *= 10
        end += 1
    for k in range(end - 1, i - 1, -1):
        text[unsigned(k)] = _ZERO + number % 10
        number //= 10
    return end


@inlined
def _put_bytes(text: Array, i: int, data: Array, begin: int, end: int) -> int:
    for k in range(begin, end):
        text[unsigned(i + k - begin)] = data[unsigned(k)]
    return i + end - begin


@inlined
def _put_label(text: Array, i: int, vertex: int, first: int, values: Array, names: Array, starts: Array) -> int:
    """Write the label of a vertex: a name; without names a value; without values a number counted from the first."""
    if len(starts) > 1:
        return _put_bytes(text, i, names, starts[unsigned(vertex)], starts[unsigned(vertex + 1)])
    return _put_number(text, i, values[unsigned(vertex)] if len(values) else vertex + first)


@compiled
def put_edges(
    source: Array,
    target: Array,
    kind: Array,
    number: int,
    first: int,
    values: Array,
    names: Array,
    starts: Array,
    pieces: Array,
    bounds: Array,
    text: Array,
) -> int:
    """Write a line for each edge; return where the text ends.

    A line is piece 0 and the number of the edge, unless ``number`` is negative; then piece 1, the label of the source,
    piece 2, the label of the target, and piece 3 + kind. Without targets piece 2 is left out as well. Piece p is
    ``pieces[bounds[p]:bounds[p + 1]]``.
    """
    end = 0
    for e in range(len(source)):
        if number >= 0:
            end = _put_bytes(text, end, pieces, bounds[0], bounds[1])
            end = _put_number(text, end, number + e)
        end = _put_bytes(text, end, pieces, bounds[1], bounds[2])
        end = _put_label(text, end, source[e], first, values, names, starts)
        if len(target):
            end = _put_bytes(text, end, pieces, bounds[2], bounds[3])
            end = _put_label(text, end, target[e], first, values, names, starts)
        last = 3 + kind[e] if len(kind) else 3
        end = _put_bytes(text, end, pieces, bounds[unsigned(last)], bounds[unsigned(last + 1)])
    return end
