"""Compiled loops over the bytes of text: numbers, labels in rows, and lines of edges.

``scanner``, ``delimited`` and ``edges`` call these loops. For small texts, and from the first row that a loop cannot
read, these modules do the same in plain Python. The text is UTF-8, and every row ends in a newline, so a loop that
looks for a newline needs no other bound. Numbers are signed words of 64 bits. This module does not load numpy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, prefetch, put_word, unsigned, word_at

_TAB, _NEWLINE, _SPACE, _HASH, _PERCENT, _MINUS, _ZERO, _NINE = 9, 10, 32, 35, 37, 45, 48, 57
_LONGEST_NUMBER = 20
_EDGES_AHEAD_START, _EDGES_AHEAD_NAME = 24, 12  # prefetch for the edges this far ahead of the current one
_MOST_DIGITS = 18  # any number of 18 digits fits into 63 bits
ALONE = -(2**63)
"""Stands for the second number of a line that has only one. No number of 18 digits is equal to it."""

_ZEROS, _TO_TOP_BIT, _TOP_BITS = 0x3030303030303030, 0x7676767676767676, -0x7F7F7F7F7F7F7F80
_PAIRS, _FOURS, _EIGHT = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0xFFFFFFFF
_RETURN, _QUOTE, _LESS, _BACKSLASH = 13, 34, 60, 92
_N, _LOWER_CASE = 110, 32
MISSING = ("NA", "N/A", "<NA>", "nan", "NaN", "None", "null", "NULL")
"""The texts that R, pandas, Python and databases write for an empty cell."""
_N_A, _N_SLASH_A, _LESS_N_A, _NAN, _NAN_OF_PANDAS, _NONE, _NULL, _NULL_OF_SQL = (
    int.from_bytes(each.encode(), "little") for each in MISSING
)


class LineTexts(NamedTuple):
    """The labels of vertices, and the pieces of text around them, for writing lines of edges.

    The label of vertex v is its name if ``starts`` has more than one entry; otherwise ``values[v]`` if ``values`` is
    not empty; otherwise ``first + v``.
    """

    first: int

    values: Array
    """The label of each vertex, an integer; empty if the labels are names or consecutive integers."""

    names: Array
    """Names in UTF-8, each followed by a zero byte. 8 more bytes must follow, because loops read words of 8 bytes."""

    starts: Array
    """The name of vertex v is ``names[starts[v]:starts[v + 1] - 1]``."""

    pieces: Array
    """The texts before, between and after numbers and labels of a line, in the same form as ``names``."""

    bounds: Array
    """Piece p is ``pieces[bounds[p]:bounds[p + 1] - 1]``."""


@inlined
def is_space(c: Any) -> bool:  # noqa: ANN401
    """Tell whether a byte is ASCII white space."""
    return c == _SPACE or 9 <= c <= 13  # type: ignore[no-any-return]


@inlined
def is_digit(c: Any) -> bool:  # noqa: ANN401
    """Tell whether a byte is an ASCII digit."""
    return _ZERO <= c <= _NINE  # type: ignore[no-any-return]


@inlined
def first_digits(text: Array, i: int) -> tuple[int, int]:
    """Return how many digits begin at index i, at most 8, and their value, from one read of 8 bytes.

    If fewer than 8 bytes are left in the text, return 0, 0.
    """
    if i + 8 > len(text):
        return 0, 0
    # The first digit is the lowest byte. After the xor, digits are 0 to 9, and all other bytes are 10 or more: adding
    # 0x76 sets their top bit, if it is not set already. A carry changes only bytes after the first non-digit.
    word = word_at(text, unsigned(i)) ^ _ZEROS
    others = (word | (word + _TO_TOP_BIT)) & _TOP_BITS
    digits = ones((others & -others) - 1) >> 3
    if digits == 0:  # A shift by all 64 bits, as below, would not be defined.
        return 0, 0
    # The shift drops the bytes after the digits and puts zeros before them. Then neighbours are combined, all pairs at
    # once: two digits to a number below 100, two of these to a number below 10,000, and two of these to the value.
    word <<= 64 - (digits << 3)
    word = (word * 10 + (word >> 8)) & _PAIRS
    word = (word * 100 + (word >> 16)) & _FOURS
    return digits, (word * 10000 + (word >> 32)) & _EIGHT


@inlined
def integer_at(text: Array, i: int) -> tuple[int, int, int]:
    """Return the integer at index i (a minus sign is allowed), the index of its first digit, and the index after it.

    Without digits the integer is 0, and the indices are equal. With 19 or more digits it may be wrong: it may not fit.
    """
    first = i + (text[unsigned(i)] == _MINUS)
    end = first
    value = 0
    while is_digit(text[unsigned(end)]):
        value = value * 10 + (text[unsigned(end)] - _ZERO)
        end += 1
    return -value if first > i else value, first, end


@compiled
def numbers(text: Array, values: Array) -> tuple[int, int, int]:
    """Fill ``values`` with the integers before the first word that is not an integer of at most 18 digits.

    Return the count of integers, the index of that word (or the end), and the count of newlines before this index.
    Comments are skipped.
    """
    count = 0
    lines = 0
    i = 0
    while i < len(text):
        digits, value = first_digits(text, i)
        # ``first_digits`` reads at most eight digits. After eight, more may follow, so use it only for up to seven.
        if 1 <= digits <= 7 and is_space(text[unsigned(i + digits)]):
            values[unsigned(count)] = value
            count += 1
            lines += text[unsigned(i + digits)] == _NEWLINE
            i += digits + 1
            continue
        c = text[unsigned(i)]
        if is_space(c):
            lines += c == _NEWLINE
            i += 1
            continue
        start = i
        value, first, i = integer_at(text, start)
        after = text[unsigned(i)]
        if i == first or i - first > _MOST_DIGITS or not is_space(after):
            # A comment is looked for only where no number is found, so that numbers cost nothing extra.
            if c not in (_HASH, _PERCENT):
                return count, start, lines
            while text[unsigned(i)] != _NEWLINE:
                i += 1
            continue
        values[unsigned(count)] = value
        count += 1
        lines += after == _NEWLINE
        i += 1
    return count, len(text), lines


@compiled
def pairs(text: Array, values: Array) -> tuple[int, int]:
    """Fill ``values`` with two numbers for each line, up to the first line of another form.

    A line has two integers of at most 18 digits in canonical form, or one: then its second number is ``ALONE``. Blank
    lines and lines that begin with ``#`` or ``%`` are skipped. Return the count of values, and where the loop stopped.
    """
    count = 0
    i = 0
    while i < len(text):
        # Nearly all lines are two numbers of at most 7 digits, without leading zeros, and one blank between them.
        digits, x = first_digits(text, i)
        second = i + digits + 1
        if 1 <= digits <= 7 and text[i + digits] in (_SPACE, _TAB) and (digits == 1 or text[i] != _ZERO):
            more, y = first_digits(text, second)
            if 1 <= more <= 7 and text[second + more] == _NEWLINE and (more == 1 or text[second] != _ZERO):
                values[count], values[count + 1] = x, y
                count += 2
                i = second + more + 1
                continue
        line = i
        on_line = 0
        if text[i] in (_HASH, _PERCENT):
            while text[i] != _NEWLINE:
                i += 1
        while text[i] != _NEWLINE:
            c = text[i]
            if is_space(c):
                i += 1
                continue
            value, first, i = integer_at(text, i)
            length = i - first
            # 007 and -0 are not canonical: they are labels different from 7 and 0.
            padded = text[first] == _ZERO and (length > 1 or c == _MINUS)
            if length == 0 or length > _MOST_DIGITS or padded or on_line == 2 or not is_space(text[i]):
                return count - on_line, line
            values[count] = value
            count += 1
            on_line += 1
        if on_line == 1:
            values[count] = ALONE
            count += 1
        i += 1
    return count, len(text)


@inlined
def _put_number(text: Array, i: int, number: int) -> int:
    """Write a number, which is not -2**63, in decimal at index i of the text; return the index after it."""
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
def put_bytes(text: Array, i: int, data: Array, begin: int, end: int) -> int:
    """Copy ``data[begin:end]`` to index i of the text; return the index after the copy.

    Words of 8 bytes are copied: up to 7 bytes after ``end`` are read, and as many after the copy are overwritten.
    """
    while begin < end:
        put_word(text, unsigned(i), word_at(data, unsigned(begin)))
        i += 8
        begin += 8
    return i - (begin - end)


@inlined
def _put_label(text: Array, i: int, vertex: int, line: LineTexts) -> int:
    """Write the label of a vertex, the name or integer in ``line``, at index i; return the index after it."""
    if len(line.starts) > 1:
        end = line.starts[unsigned(vertex + 1)] - 1
        return put_bytes(text, i, line.names, line.starts[unsigned(vertex)], end)
    return _put_number(text, i, line.values[unsigned(vertex)] if len(line.values) else vertex + line.first)


@inlined
def _length_of_name(vertex: int, line: LineTexts) -> int:
    return line.starts[unsigned(vertex + 1)] - line.starts[unsigned(vertex)]  # type: ignore[no-any-return]


@compiled
def put_edges(source: Array, target: Array, kind: Array, number: int, line: LineTexts, text: Array) -> tuple[int, int]:
    """Write lines of edges into ``text``, as many as fit; return the number of lines, and the index after them.

    Piece k is text k of ``line.pieces``. A line has piece 0, the number of the edge (``number`` for the first edge),
    piece 1, the label of the source, piece 2, the label of the target, and piece 3 + the kind of the edge. If
    ``number`` is negative, lines begin with piece 1. If ``target`` is empty, piece 2 and the label of the target are
    left out. If ``kind`` is empty, all kinds are 0.
    """
    pieces, bounds = line.pieces, line.bounds
    room = len(text) - len(pieces) - _LONGEST_NUMBER
    need = 2 * _LONGEST_NUMBER
    named = len(line.starts) > 1
    end = 0
    for e in range(len(source)):
        if named:
            # Sources are in order, but targets are anywhere in memory: fetch the start of a name 24 edges ahead, and
            # the name itself 12 edges ahead, when its start has arrived.
            if e + _EDGES_AHEAD_START < len(target):
                prefetch(line.starts, unsigned(target[unsigned(e + _EDGES_AHEAD_START)]))
                prefetch(line.names, unsigned(line.starts[unsigned(target[unsigned(e + _EDGES_AHEAD_NAME)])]))
            need = _length_of_name(source[unsigned(e)], line)
            if len(target):
                need += _length_of_name(target[unsigned(e)], line)
        if end + need > room:
            return e, end
        if number >= 0:
            end = put_bytes(text, end, pieces, bounds[0], bounds[1] - 1)
            end = _put_number(text, end, number + e)
        end = put_bytes(text, end, pieces, bounds[1], bounds[2] - 1)
        end = _put_label(text, end, source[unsigned(e)], line)
        if len(target):
            end = put_bytes(text, end, pieces, bounds[2], bounds[3] - 1)
            end = _put_label(text, end, target[unsigned(e)], line)
        last = 3 + kind[unsigned(e)] if len(kind) else 3
        end = put_bytes(text, end, pieces, bounds[unsigned(last)], bounds[unsigned(last + 1)] - 1)
    return len(source), end


@inlined
def _is_blank(c: int) -> bool:
    return c == _SPACE or 9 <= c <= 13 or 28 <= c <= 31


@inlined
def _is_wide_blank(text: Array, i: int) -> bool:
    """Return True if a white space character beyond ASCII may begin at index i; False if certainly none does."""
    c = text[unsigned(i)]
    if c < 0xC2 or c > 0xE3:
        return False
    d = text[unsigned(i + 1)]
    return (  # type: ignore[no-any-return]
        (c == 0xC2 and (d == 0x85 or d == 0xA0))
        or (c == 0xE1 and d == 0x9A)
        or (c == 0xE2 and (d == 0x80 or d == 0x81))
        or (c == 0xE3 and d == 0x80)
    )


@inlined
def _ends_in_wide_blank(text: Array, begin: int, end: int) -> bool:
    if end <= begin or text[unsigned(end - 1)] < 0x80:
        return False
    if end - begin >= 2 and text[unsigned(end - 2)] == 0xC2 and _is_wide_blank(text, end - 2):
        return True
    return end - begin >= 3 and text[unsigned(end - 3)] >= 0xE0 and _is_wide_blank(text, end - 3)


@inlined
def _field(text: Array, i: int, separator: int) -> tuple[int, int, int, bool]:
    """Return (begin and end of the label in the CSV field at index i, end of the field, is the label quoted).

    The end of the field is the index of the separator or newline after it. This index is -1 if only the reader
    in Python can read the field; then ignore the other results.
    """
    begin = i
    quoted = text[unsigned(i)] == _QUOTE
    if quoted:
        begin = i = i + 1
        while i < len(text) and text[unsigned(i)] != _RETURN:
            if text[unsigned(i)] == _QUOTE:
                if text[unsigned(i + 1)] != _QUOTE:
                    break
                i += 1
            i += 1
        if i >= len(text) or text[unsigned(i)] != _QUOTE:
            return 0, 0, -1, True
        end = i
        i += 1
    else:
        while text[unsigned(i)] != separator and text[unsigned(i)] != _NEWLINE and text[unsigned(i)] != _RETURN:
            i += 1
        end = i
    if text[unsigned(i)] == _RETURN:
        i += 1
        if text[unsigned(i)] != _NEWLINE:
            return 0, 0, -1, quoted
    if text[unsigned(i)] != separator and text[unsigned(i)] != _NEWLINE:
        return 0, 0, -1, quoted
    while begin < end and _is_blank(text[unsigned(begin)]):
        begin += 1
    while begin < end and _is_blank(text[unsigned(end - 1)]):
        end -= 1
    if begin < end and (_is_wide_blank(text, begin) or _ends_in_wide_blank(text, begin, end)):
        return 0, 0, -1, quoted
    return begin, end, i, quoted


@inlined
def _label_word(text: Array, i: int) -> tuple[int, int, int, bool]:
    """Return what :func:`_field` returns, for the label at index i of a row with white space between columns."""
    begin = i
    quoted = text[unsigned(i)] == _QUOTE
    if quoted:
        begin = i = i + 1
        while text[unsigned(i)] >= _SPACE and text[unsigned(i)] != _QUOTE and text[unsigned(i)] != _BACKSLASH:
            i += 1
        end = i
        if text[unsigned(i)] != _QUOTE or end == begin or not _is_blank(text[unsigned(i + 1)]):
            return 0, 0, -1, True
        return begin, end, i + 1, True
    while not _is_blank(text[unsigned(i)]):
        if _is_wide_blank(text, i):
            return 0, 0, -1, False
        i += 1
    return begin, i, i, False


@inlined
def _is_missing(text: Array, begin: int, end: int) -> bool:
    """Return True if ``text[begin:end]`` is a text for an empty cell, such as ``NA``: one of ``MISSING``."""
    if end - begin < 2 or end - begin > 4:
        return False
    first = text[unsigned(begin)]
    if first != _LESS and first | _LOWER_CASE != _N:
        return False
    word = 0
    for i in range(end - 1, begin - 1, -1):
        word = word << 8 | text[unsigned(i)]
    return word in (_N_A, _N_SLASH_A, _LESS_N_A, _NAN, _NAN_OF_PANDAS, _NONE, _NULL, _NULL_OF_SQL)


@inlined
def _put_label_text(text: Array, begin: int, end: int, quoted: bool, data: Array, copied: int) -> int:
    """Copy ``text[begin:end]`` to index ``copied`` of ``data``; return the index after the copy.

    If ``quoted``, copy each doubled quote as one quote.
    """
    i = begin
    while i < end:
        data[unsigned(copied)] = text[unsigned(i)]
        copied += 1
        if quoted and text[unsigned(i)] == _QUOTE:
            i += 1
        i += 1
    return copied


@compiled
def split_labels(
    text: Array, separator: int, first: int, second: int, width: int, data: Array, offsets: Array
) -> tuple[int, int, bool, bool]:
    """Copy the labels in the columns ``first`` and ``second`` of each row, up to a row that needs the reader in Python.

    A row with labels gives two: its source and its target. The target is empty if the row has none, or has one of
    ``MISSING`` without quotes. Label k is ``data[offsets[k]:offsets[k + 1]]``. Return the count of labels, the index
    where the loop stopped (at a row or the end), whether a label was quoted, and whether a target was in ``MISSING``.

    A row may have at most ``width`` columns. If the separator is a space, columns are split at any white space; then,
    if ``first`` is 0, ``second`` is 1 and ``width`` is above 2, the rest of a row may be anything.
    """
    count = 0
    copied = 0
    any_quoted = any_missing = False
    is_spaced = separator == _SPACE
    has_rest = is_spaced and first == 0 and second == 1 and width > 2
    offsets[0] = 0
    i = 0
    while i < len(text):
        row = i
        begin = end = target_begin = target_end = 0
        quoted = is_target_quoted = False
        column = 0
        filled = False
        if is_spaced and (text[unsigned(i)] == _HASH or text[unsigned(i)] == _PERCENT):
            while text[unsigned(i)] != _NEWLINE:
                i += 1
        while True:
            if is_spaced:
                while text[unsigned(i)] != _NEWLINE and _is_blank(text[unsigned(i)]):
                    i += 1
                if text[unsigned(i)] == _NEWLINE:
                    break
                if has_rest and column == 2:
                    while text[unsigned(i)] != _NEWLINE:
                        i += 1
                    break
                label_begin, label_end, i, is_quoted = _label_word(text, i)
            else:
                label_begin, label_end, i, is_quoted = _field(text, i, separator)
            if i < 0 or column >= width:
                return count, row, any_quoted, any_missing
            filled |= label_end > label_begin
            if column == first:
                begin, end, quoted = label_begin, label_end, is_quoted
            elif column == second:
                target_begin, target_end, is_target_quoted = label_begin, label_end, is_quoted
            column += 1
            if not is_spaced:
                if text[unsigned(i)] == _NEWLINE:
                    break
                i += 1
        if not quoted and _is_missing(text, begin, end):
            return count, row, any_quoted, any_missing
        if not is_target_quoted and _is_missing(text, target_begin, target_end):
            target_end = target_begin
            any_missing = True
        if end > begin:
            copied = _put_label_text(text, begin, end, quoted and not is_spaced, data, copied)
            offsets[unsigned(count + 1)] = copied
            copied = _put_label_text(text, target_begin, target_end, is_target_quoted and not is_spaced, data, copied)
            offsets[unsigned(count + 2)] = copied
            count += 2
            any_quoted |= quoted or is_target_quoted
        elif filled:
            return count, row, any_quoted, any_missing
        i += 1
    return count, len(text), any_quoted, any_missing
