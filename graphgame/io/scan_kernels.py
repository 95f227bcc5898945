"""Compiled loops over the bytes of text: numbers, labels in rows, and lines of edges.

Their plain twins and their meaning are in ``scanner``, ``delimited`` and ``edges``; ``delimited`` also reads what a
loop leaves. The text is UTF-8; rows end in a newline. Nothing here loads numpy; numbers are signed words of 64 bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones, prefetch, put_word, unsigned, word_at

_TAB, _NEWLINE, _SPACE, _HASH, _PERCENT, _MINUS, _ZERO, _NINE = 9, 10, 32, 35, 37, 45, 48, 57
_LONGEST_NUMBER = 20
_FAR, _NEAR = 24, 12  # how many edges ahead memory is fetched
_MOST_DIGITS = 18  # any number of 18 digits fits into 63 bits
_ALONE = -(2**63)  # stands for the second number of a line that has one; no word of 18 digits is read as this
_ZEROS, _TO_TOP_BIT, _TOP_BITS = 0x3030303030303030, 0x7676767676767676, -0x7F7F7F7F7F7F7F80
_PAIRS, _FOURS, _EIGHT = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0xFFFFFFFF
_RETURN, _QUOTE, _LESS, _BACKSLASH = 13, 34, 60, 92
_N, _LOWER_CASE = 110, 32

MISSING = ("NA", "N/A", "<NA>", "nan", "NaN", "None", "null", "NULL")
"""What R, pandas, Python and databases write for a cell that holds nothing."""
_N_A, _N_SLASH_A, _LESS_N_A, _NAN, _NAN_OF_PANDAS, _NONE, _NULL, _NULL_OF_SQL = (
    int.from_bytes(each.encode(), "little") for each in MISSING
)


class LineTexts(NamedTuple):
    """What lines of edges are made of."""

    first: int
    """The label of vertex 0, where there are neither names nor values."""

    values: Array
    """The labels that are numbers."""

    names: Array
    """The labels that are names, one after another, each with a zero behind it; 8 more bytes are there to read."""

    starts: Array
    """Vertex v is called ``names[starts[v]:starts[v + 1] - 1]``."""

    pieces: Array
    """What stands between numbers and labels, in the same form."""

    bounds: Array
    """Piece p is ``pieces[bounds[p]:bounds[p + 1] - 1]``."""


@inlined
def is_space(c: Any) -> bool:  # noqa: ANN401
    """Tell whether a byte is white space of ASCII."""
    return c == _SPACE or 9 <= c <= 13  # type: ignore[no-any-return]


@inlined
def is_digit(c: Any) -> bool:  # noqa: ANN401
    """Tell whether a byte is a digit of ASCII."""
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
        if c == _MINUS:
            i += 1
        first = i
        value = 0
        while is_digit(text[unsigned(i)]):
            value = value * 10 + (text[unsigned(i)] - _ZERO)
            i += 1
        after = text[unsigned(i)]
        if i == first or i - first > _MOST_DIGITS or not is_space(after):
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
            while is_digit(text[i]) and i - first < 19:
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
def next_number(text: Array, i: int, end: int) -> tuple[int, int]:
    """Return the number from a place on, and the place behind the white space after it: -1 if there is none."""
    while i < end and is_space(text[unsigned(i)]):
        i += 1
    digits, value = _first_digits(text, i)
    if digits == 8:
        while digits < _MOST_DIGITS and is_digit(text[unsigned(i + digits)]):
            value = value * 10 + (text[unsigned(i + digits)] - _ZERO)
            digits += 1
    if i < end and digits and is_space(text[unsigned(i + digits)]):
        return value, i + digits + 1
    return -1 if i < end else 0, i


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
def put_bytes(text: Array, i: int, data: Array, begin: int, end: int) -> int:
    """Copy ``data[begin:end]``; return the index behind it. Up to 8 more bytes are written, which others replace."""
    while begin < end:
        put_word(text, unsigned(i), word_at(data, unsigned(begin)))
        i += 8
        begin += 8
    return i - (begin - end)


@inlined
def _put_label(text: Array, i: int, vertex: int, line: LineTexts) -> int:
    """Write the label of a vertex: a name; without names a value; without values a number counted from the first."""
    if len(line.starts) > 1:
        end = line.starts[unsigned(vertex + 1)] - 1
        return put_bytes(text, i, line.names, line.starts[unsigned(vertex)], end)
    return _put_number(text, i, line.values[unsigned(vertex)] if len(line.values) else vertex + line.first)


@inlined
def _length_of_name(vertex: int, line: LineTexts) -> int:
    return line.starts[unsigned(vertex + 1)] - line.starts[unsigned(vertex)]  # type: ignore[no-any-return]


@compiled
def put_edges(source: Array, target: Array, kind: Array, number: int, line: LineTexts, text: Array) -> tuple[int, int]:
    """Write a line for each edge, as many as there is room for; return how many, and where the text ends.

    A line is piece 0 and the number of the edge, unless ``number`` is negative; then piece 1, the label of the source,
    piece 2, the label of the target, and piece 3 + kind. Without targets piece 2 is left out as well.
    """
    pieces, bounds = line.pieces, line.bounds
    room = len(text) - len(pieces) - _LONGEST_NUMBER
    need = 2 * _LONGEST_NUMBER
    named = len(line.starts) > 1
    end = 0
    for e in range(len(source)):
        if named:
            # Sources come in order, targets from anywhere: first the place of a name is fetched ahead, then the name.
            if e + _FAR < len(target):
                prefetch(line.starts, unsigned(target[unsigned(e + _FAR)]))
                prefetch(line.names, unsigned(line.starts[unsigned(target[unsigned(e + _NEAR)])]))
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
    """Tell whether a character of several bytes may be white space."""
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
    """Return where a field's label begins and ends, what stands behind the field (-1: unclear), and if it is quoted."""
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
    """Return the same as ``_field``, of a label that ends at white space."""
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
    """Tell whether a label is one of ``MISSING``."""
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
def put_label_text(text: Array, begin: int, end: int, quoted: bool, data: Array, place: int) -> int:
    """Copy a label, of two quotes one; return where it ends."""
    i = begin
    while i < end:
        data[unsigned(place)] = text[unsigned(i)]
        place += 1
        if quoted and text[unsigned(i)] == _QUOTE:
            i += 1
        i += 1
    return place


@compiled
def split_labels(
    text: Array, separator: int, first: int, second: int, width: int, data: Array, offsets: Array
) -> tuple[int, int, bool, bool]:
    """Copy the labels of two columns, a source and a target in turn, an empty one where a row has no target.

    Label k becomes ``data[offsets[k]:offsets[k + 1]]``. Returns how many there are, where the first row starts that is
    left to other readers, whether a label stood in quotes, and whether one of ``MISSING`` stood for no target. A space
    as the separator is any white space, and what follows the columns 0 and 1 of ``width`` may then be anything.
    """
    count = 0
    place = 0
    any_quoted = any_missing = False
    is_spaced = separator == _SPACE
    has_rest = is_spaced and first == 0 and second == 1 and width > 2
    offsets[0] = 0
    i = 0
    while i < len(text):
        row = i
        begin = end = start = stop = 0
        quoted = double = False
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
                at, to, i, is_quoted = _label_word(text, i)
            else:
                at, to, i, is_quoted = _field(text, i, separator)
            if i < 0 or column >= width:
                return count, row, any_quoted, any_missing
            filled |= to > at
            if column == first:
                begin, end, quoted = at, to, is_quoted
            elif column == second:
                start, stop, double = at, to, is_quoted
            column += 1
            if not is_spaced:
                if text[unsigned(i)] == _NEWLINE:
                    break
                i += 1
        if not quoted and _is_missing(text, begin, end):
            return count, row, any_quoted, any_missing
        if not double and _is_missing(text, start, stop):
            stop = start
            any_missing = True
        if end > begin:
            place = put_label_text(text, begin, end, quoted and not is_spaced, data, place)
            offsets[unsigned(count + 1)] = place
            place = put_label_text(text, start, stop, double and not is_spaced, data, place)
            offsets[unsigned(count + 2)] = place
            count += 2
            any_quoted |= quoted or double
        elif filled:
            return count, row, any_quoted, any_missing
        i += 1
    return count, len(text), any_quoted, any_missing
