"""Edges and vertices that a program wrote alike, in JSON, XML, DOT or tuples of Python, read by a compiled loop.

The first edge, which a regular expression finds, shows the texts around its two labels. The loop reads all edges that
follow as long as these texts are the same; numbers and other values between them may differ.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import unsigned
from graphgame.io.edges import encoded
from graphgame.io.scan_kernels import is_digit, put_bytes

_LONGEST_EDGE = 1 << 12
_QUOTES, _BLANKS = ('"', "'"), " \t\r\n"
_ANY_TEXT, _ANY_INTEGER, _ANY_DIGITS = 1, 2, 3
_VALUES = (
    (rf"\1\2\3{chr(_ANY_TEXT)}\2\3", re.compile(r"""([=:]\s*)(?:(")[^"]*"|(')[^']*')""")),
    (f".{chr(_ANY_DIGITS)}", re.compile(r"\.[0-9]+")),
    (chr(_ANY_INTEGER), re.compile(r"-?[0-9]+")),
)
"""The bytes that stand in a piece for any text in quotes, any digits behind a point, and any integer."""

_QUOTE, _AMPERSAND, _APOSTROPHE, _MINUS, _ZERO, _ANGLE, _BACKSLASH = 34, 38, 39, 45, 48, 60, 92
_UNDERSCORE, _A, _Z, _BEYOND, _LOWER_CASE = 95, 97, 122, 128, 32
_SPACE, _MOST_DIGITS = 32, 18
# Words as numbers, a byte for each letter.
_NODE, _EDGE, _GRAPH, _STRICT = 0x6E6F6465, 0x65646765, 0x6772617068, 0x737472696374
_DIGRAPH, _SUBGRAPH = 0x64696772617068, 0x7375626772617068


class ItemLabels(NamedTuple):
    """The labels of vertices, or the two of each edge in turn: label k is ``data[offsets[k]:offsets[k + 1]]``."""

    data: np.ndarray
    offsets: np.ndarray
    quoted: list[bool]
    """Whether the first label of each, and the second, stood in quotes; else they are integers or words."""

    def column(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first or the second of each two labels alone: their bytes, and the offsets of each."""
        lengths = np.diff(self.offsets)
        chosen = np.arange(len(lengths)) % 2 == number
        data = self.data[: self.offsets[-1]][np.repeat(chosen, lengths)]
        return data, np.append(0, np.cumsum(lengths[chosen]))


def items_alike(pattern: re.Pattern[str], block: bytes, words: bool = False) -> tuple[ItemLabels, int] | None:
    """Return the labels of the edges or vertices that begin a block and are written alike, and where they end.

    ``pattern`` matches one and what separates it from the next; its one or two groups are labels: texts in quotes,
    integers, and with ``words`` names of DOT. None tells that the block begins with anything else, or that a label is
    empty.
    """
    start = len(block) - len(block.lstrip(_BLANKS.encode()))
    text = block[start : start + _LONGEST_EDGE].decode(errors="replace")
    first = pattern.match(text)
    if first is None:
        return None
    pieces, at, quoted = [], 0, []
    for begin, end in map(first.span, range(1, 1 + pattern.groups)):
        # labels of JSON and Python have their quotes in the group, those of XML outside
        has_quotes = text[begin] in _QUOTES and text[begin - 1 : begin] not in _QUOTES
        quoted.append(has_quotes or text[end] in _QUOTES)
        pieces.append(text[at : begin + has_quotes])
        at = end - has_quotes
    pieces.append(text[at:].removesuffix(text[first.end() :].lstrip(_BLANKS)))
    for any_of, value in _VALUES:
        pieces = [value.sub(any_of, piece) for piece in pieces]
    form = encoded(pieces)
    whole = np.frombuffer(block + bytes(8), np.uint8)
    data, offsets = np.empty(len(whole), np.uint8), np.empty(len(block) // 4 + 2, np.int64)
    count, stop = split_alike(whole[start:], *form, words, data, offsets)
    offsets = offsets[: pattern.groups * count + 1]
    return (ItemLabels(data, offsets, quoted), start + stop) if (offsets[1:] > offsets[:-1]).all() else None


@inlined
def _past_text(text: Array, i: int, quote: int) -> int:
    """Return where a text ends that such quotes close and that has no escapes of Python, JSON or XML in it."""
    c = text[unsigned(i)]
    while c >= _SPACE and c != quote and c != _BACKSLASH and c != _AMPERSAND and c != _ANGLE:
        i += 1
        c = text[unsigned(i)]
    return i


@inlined
def _past_integer(text: Array, i: int) -> int:
    """Return where an integer in its usual form ends, -1 where there is none."""
    start = i
    if text[unsigned(i)] == _MINUS:
        i += 1
    first = i
    while is_digit(text[unsigned(i)]):
        i += 1
    # 007 is no integer of JSON, and a word of 19 digits may not fit into 64 bits.
    padded = text[unsigned(first)] == _ZERO and (i - first > 1 or first > start)
    return -1 if i == first or i - first > _MOST_DIGITS or padded else i


@inlined
def _is_letter(c: int) -> bool:
    return _A <= (c | _LOWER_CASE) <= _Z or c == _UNDERSCORE or c >= _BEYOND


@inlined
def _past_word(text: Array, i: int) -> int:
    """Return where a name ends that begins with a letter, -1 for a keyword of DOT."""
    start = i
    word = 0
    while _is_letter(text[unsigned(i)]) or is_digit(text[unsigned(i)]):
        word = word << 8 | (text[unsigned(i)] | _LOWER_CASE)
        i += 1
    is_keyword = i - start <= 8 and word in (_NODE, _EDGE, _GRAPH, _STRICT, _DIGRAPH, _SUBGRAPH)
    return -1 if is_keyword else i


@inlined
def _past_piece(text: Array, i: int, pieces: Array, begin: int, end: int) -> int:
    """Return where a piece ends that should stand at an index, -1 where another text does."""
    for k in range(begin, end):
        sign = pieces[unsigned(k)]
        # Values that are no labels differ from edge to edge: an edge's own number, its weight.
        if sign > _ANY_DIGITS:
            if text[unsigned(i)] != sign:
                return -1
            i += 1
        elif sign == _ANY_TEXT:
            i = _past_text(text, i, pieces[unsigned(k + 1)])
        elif sign == _ANY_INTEGER:
            i = _past_integer(text, i)
            if i < 0:
                return -1
        else:
            if not is_digit(text[unsigned(i)]):
                return -1
            while is_digit(text[unsigned(i)]):
                i += 1
    return i


@compiled
def split_alike(text: Array, pieces: Array, bounds: Array, words: bool, data: Array, offsets: Array) -> tuple[int, int]:
    """Copy the labels of items; return how many items there are, and where the first other text starts.

    An edge is piece 0, a label, piece 1, a label, piece 2; piece p is ``pieces[bounds[p]:bounds[p + 1] - 1]``. A piece
    that begins with a quote ends a label that is a text; other labels are integers or, if allowed, words. The text ends
    in 8 zeros.
    """
    count = place = stop = 0
    labels = len(bounds) - 2
    offsets[0] = 0
    while labels * (count + 1) < len(offsets):
        i = _past_piece(text, stop, pieces, bounds[0], bounds[1] - 1)
        for p in range(1, labels + 1):
            if i < 0:
                break
            begin = i
            sign = pieces[unsigned(bounds[p])]
            if sign in (_QUOTE, _APOSTROPHE):
                i = _past_text(text, i, sign)
            elif words and _is_letter(text[unsigned(i)]):
                i = _past_word(text, i)
            else:
                i = _past_integer(text, i)
            if i >= 0:
                # What an edge that fails has copied is overwritten by the next: its offsets do not count.
                place = put_bytes(data, place, text, begin, i)
                offsets[unsigned(labels * count + p)] = place
                i = _past_piece(text, i, pieces, bounds[p], bounds[p + 1] - 1)
        if i < 0:
            break
        count += 1
        stop = i
    return count, stop


def items_of(item: re.Pattern[str], text: str) -> list[str] | None:
    r"""Return the groups of all items of a text, one after the other; None where the text is not made of items alone.

    This reads a long run of simple items many times as fast as item by item.

    Examples
    --------
    >>> pair = re.compile(r"(\d)-(\d),")
    >>> items_of(pair, "1-2,3-4,"), items_of(pair, "1-2,x,3-4,")
    (['1', '2', '3', '4'], None)
    """
    parts = item.split(text)  # what stands between two items, then the groups of the next
    step = item.groups + 1
    if any(parts[::step]):
        return None
    del parts[::step]
    return parts
