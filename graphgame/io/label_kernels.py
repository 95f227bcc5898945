"""A compiled loop that splits rows of text into labels; its plain twin is ``delimited``, which reads what it leaves.

The text is UTF-8 and ends in a newline. Nothing here loads numpy.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, unsigned

_NEWLINE, _RETURN, _SPACE, _QUOTE, _HASH, _PERCENT, _BACKSLASH = 10, 13, 32, 34, 35, 37, 92


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
def _word(text: Array, i: int) -> tuple[int, int, int, bool]:
    """Return the same of a word that white space ends."""
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
def _put(text: Array, begin: int, end: int, quoted: bool, data: Array, place: int) -> int:
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
) -> tuple[int, int, bool]:
    """Copy the labels of two columns, a source and a target in turn, an empty one where a row has no target.

    Label k becomes ``data[offsets[k]:offsets[k + 1]]``. Returns how many there are, where the first row starts that is
    left to other readers, and whether a label stood in quotes. A space as the separator is any white space, and what
    follows the columns 0 and 1 of ``width`` may then be anything.
    """
    count = 0
    place = 0
    any_quoted = False
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
                at, to, i, is_quoted = _word(text, i)
            else:
                at, to, i, is_quoted = _field(text, i, separator)
            if i < 0 or column >= width:
                return count, row, any_quoted
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
        if end > begin:
            place = _put(text, begin, end, quoted and not is_spaced, data, place)
            offsets[unsigned(count + 1)] = place
            place = _put(text, start, stop, double and not is_spaced, data, place)
            offsets[unsigned(count + 2)] = place
            count += 2
            any_quoted |= quoted or double
        elif filled:
            return count, row, any_quoted
        i += 1
    return count, len(text), any_quoted
