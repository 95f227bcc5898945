"""A compiled loop over plain statements of DOT; what it leaves, and its plain twin, is in ``dot_graphs``."""

from __future__ import annotations

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import unsigned
from graphgame.io.scan_kernels import is_digit, is_space, put_label_text

_MINUS, _QUOTE, _COMMA, _POINT, _SEMICOLON, _EQUALS, _ARROWHEAD, _BACKSLASH = 45, 34, 44, 46, 59, 61, 62, 92
_LIST, _LIST_END, _UNDERSCORE, _A, _Z, _GROUP_END, _BEYOND = 91, 93, 95, 97, 122, 125, 128
_LOWER_CASE = 32
# Words as numbers, a byte for each letter; multiplicity by its first eight.
_NODE, _EDGE, _GRAPH, _STRICT = 0x6E6F6465, 0x65646765, 0x6772617068, 0x737472696374
_DIGRAPH, _SUBGRAPH = 0x64696772617068, 0x7375626772617068
_KIND, _POSITION, _MULTIPLICITY = 0x6B696E64, 0x706F736974696F6E, 0x6D756C7469706C69


@inlined
def _is_letter(c: int) -> bool:
    return _A <= (c | _LOWER_CASE) <= _Z or c == _UNDERSCORE


@inlined
def _past_space(text: Array, i: int) -> int:
    while is_space(text[unsigned(i)]):
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
        while _is_letter(text[unsigned(i)]) or is_digit(text[unsigned(i)]) or text[unsigned(i)] >= _BEYOND:
            word = word << 8 | (text[unsigned(i)] | _LOWER_CASE)
            i += 1
        if i - begin <= 8 and word in (_NODE, _EDGE, _GRAPH, _STRICT, _DIGRAPH, _SUBGRAPH):
            return begin, i, -1
        return begin, i, i
    if text[unsigned(i)] == _MINUS:
        i += 1
    first = i
    while is_digit(text[unsigned(i)]):
        i += 1
    points = 0
    if text[unsigned(i)] == _POINT:
        points = 1
        i += 1
        while is_digit(text[unsigned(i)]):
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
        while _is_letter(text[unsigned(i)]) or is_digit(text[unsigned(i)]):
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
            starts_name = _is_letter(c) or is_digit(c) or c == _QUOTE or c >= _BEYOND
            if not (starts_name and is_space(before)):
                break
        place = put_label_text(text, begin, end, False, data, place)
        offsets[unsigned(2 * count + 1)] = place
        place = put_label_text(text, head, head_end, False, data, place)
        offsets[unsigned(2 * count + 2)] = place
        if not is_edge:
            spot = put_label_text(text, at, to, False, positions, spot)
        count += 1
        bounds[unsigned(count)] = spot
        stop = i
    return count, stop
