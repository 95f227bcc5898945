"""Compiled loops that split text into labels: rows, for ``delimited``, and statements of DOT, for ``dot``.

Those modules read what a loop leaves, and everything where loops are not compiled. The text is UTF-8; rows end in a
newline. Nothing here loads numpy.
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, unsigned

_NEWLINE, _RETURN, _SPACE, _QUOTE, _HASH, _PERCENT, _BACKSLASH = 10, 13, 32, 34, 35, 37, 92
_COMMA, _MINUS, _POINT, _ZERO, _NINE, _SEMICOLON, _EQUALS, _ARROWHEAD = 44, 45, 46, 48, 57, 59, 61, 62
_LIST, _LIST_END, _UNDERSCORE, _A, _Z, _GROUP_END, _BEYOND = 91, 93, 95, 97, 122, 125, 128
_LOWER_CASE = 32
# Words as numbers, a byte for each letter; multiplicity by its first eight.
_NODE, _EDGE, _GRAPH, _STRICT = 0x6E6F6465, 0x65646765, 0x6772617068, 0x737472696374
_DIGRAPH, _SUBGRAPH = 0x64696772617068, 0x7375626772617068
_KIND, _POSITION, _MULTIPLICITY = 0x6B696E64, 0x706F736974696F6E, 0x6D756C7469706C69


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


@inlined
def _is_letter(c: int) -> bool:
    return _A <= (c | _LOWER_CASE) <= _Z or c == _UNDERSCORE


@inlined
def _is_digit(c: int) -> bool:
    return _ZERO <= c <= _NINE


@inlined
def _past_space(text: Array, i: int) -> int:
    while text[unsigned(i)] == _SPACE or 9 <= text[unsigned(i)] <= _RETURN:
        i += 1
    return i


@inlined
def _dot_name(text: Array, i: int) -> tuple[int, int, int]:
    """Return where a name in DOT begins and ends, without quotes, and what stands behind it (-1: not a simple name)."""
    begin = i
    if text[unsigned(i)] == _QUOTE:
        i += 1
        while text[unsigned(i)] != _QUOTE and text[unsigned(i)] != _BACKSLASH and text[unsigned(i)] != 0:
            i += 1
        return begin + 1, i, i + 1 if text[unsigned(i)] == _QUOTE else -1
    if _is_letter(text[unsigned(i)]) or text[unsigned(i)] >= _BEYOND:
        word = 0
        while _is_letter(text[unsigned(i)]) or _is_digit(text[unsigned(i)]) or text[unsigned(i)] >= _BEYOND:
            word = word << 8 | (text[unsigned(i)] | _LOWER_CASE)
            i += 1
        if i - begin <= 8 and word in (_NODE, _EDGE, _GRAPH, _STRICT, _DIGRAPH, _SUBGRAPH):
            return begin, i, -1
        return begin, i, i
    if text[unsigned(i)] == _MINUS:
        i += 1
    first = i
    while _is_digit(text[unsigned(i)]):
        i += 1
    points = 0
    if text[unsigned(i)] == _POINT:
        points = 1
        i += 1
        while _is_digit(text[unsigned(i)]):
            i += 1
    return begin, i, i if i - first > points else -1


@inlined
def _dot_position(text: Array, i: int) -> tuple[int, int, int]:
    """Return where the attribute ``position`` of a list begins and ends, and what stands behind the list.

    A list without it gives 0, 0; one that is not simple gives -1 for what stands behind it.
    """
    begin = end = 0
    i = _past_space(text, i)
    while text[unsigned(i)] != _LIST_END:
        first = i
        word = 0
        if not _is_letter(text[unsigned(i)]):
            return 0, 0, -1
        while _is_letter(text[unsigned(i)]) or _is_digit(text[unsigned(i)]):
            if i - first < 8:
                word = word << 8 | text[unsigned(i)]
            i += 1
        if (word == _KIND and i - first == 4) or word == _MULTIPLICITY:
            return 0, 0, -1
        is_position = word == _POSITION and i - first == 8
        i = _past_space(text, i)
        if text[unsigned(i)] != _EQUALS:
            return 0, 0, -1
        at, to, i = _dot_name(text, _past_space(text, i + 1))
        if i < 0 or (is_position and at == to):
            return 0, 0, -1
        if is_position:
            begin, end = at, to
        i = _past_space(text, i)
        if text[unsigned(i)] == _COMMA or text[unsigned(i)] == _SEMICOLON:
            i = _past_space(text, i + 1)
    return begin, end, i + 1


@compiled
def split_statements(text: Array, data: Array, offsets: Array, positions: Array, bounds: Array) -> tuple[int, int]:
    """Copy the names of plain statements of DOT, a vertex or an edge each, and the attribute ``position`` of vertices.

    Statement k becomes ``data[offsets[2 * k]:offsets[2 * k + 1]]``, the same of the head of an edge, which is empty for
    a vertex, and ``positions[bounds[k]:bounds[k + 1]]``, empty where there is no such attribute. Returns how many there
    are, and where the first statement starts that is left to other readers. The text ends in a zero, as none of its
    statements does.
    """
    count = place = spot = stop = 0
    offsets[0] = bounds[0] = 0
    while True:
        begin, end, i = _dot_name(text, _past_space(text, stop))
        if i < 0 or begin == end:
            break
        head = head_end = at = to = 0
        is_edge = False
        i = _past_space(text, i)
        if text[unsigned(i)] == _MINUS and text[unsigned(i + 1)] == _ARROWHEAD:
            is_edge = True
            head, head_end, i = _dot_name(text, _past_space(text, i + 2))
            if i < 0 or head == head_end:
                break
            i = _past_space(text, i)
        if text[unsigned(i)] == _LIST:
            at, to, i = _dot_position(text, i + 1)
            if i < 0:
                break
            i = _past_space(text, i)
        c = text[unsigned(i)]
        if c == _SEMICOLON:
            i += 1
        elif c != _GROUP_END:
            # without a semicolon, white space before another name
            before = text[unsigned(i - 1)]
            starts_name = _is_letter(c) or _is_digit(c) or c == _QUOTE or c >= _BEYOND
            if not (starts_name and (before == _SPACE or 9 <= before <= _RETURN)):
                break
        place = _put(text, begin, end, False, data, place)
        offsets[unsigned(2 * count + 1)] = place
        place = _put(text, head, head_end, False, data, place)
        offsets[unsigned(2 * count + 2)] = place
        if not is_edge:
            spot = _put(text, at, to, False, positions, spot)
        count += 1
        bounds[unsigned(count)] = spot
        stop = i
    return count, stop
