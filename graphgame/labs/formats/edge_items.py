"""A fast reader of edges or vertices that a program wrote all in the same form, in JSON, XML, DOT or Python tuples.

An item is an edge or a vertex. A regular expression finds the labels of the first item. The texts before, between and
after them are its pieces. A compiled loop then reads items as long as they have the same pieces; only labels, numbers
and quoted values may differ from item to item.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import unsigned
from graphgame.io.edges import encoded
from graphgame.io.scan_kernels import integer_at, is_digit, put_bytes

_LONGEST_EDGE = 1 << 12
_QUOTES, _BLANKS = ('"', "'"), " \t\r\n"
_ANY_TEXT, _ANY_INTEGER, _ANY_DIGITS = 1, 2, 3
_VALUES = (
    (rf"\1\2\3{chr(_ANY_TEXT)}\2\3", re.compile(r"""([=:]\s*)(?:(")[^"]*"|(')[^']*')""")),
    (f".{chr(_ANY_DIGITS)}", re.compile(r"\.[0-9]+")),
    (chr(_ANY_INTEGER), re.compile(r"-?[0-9]+")),
)
"""(replacement in a piece, pattern) of the values that may differ from item to item. In a piece, the byte 1 between
quotes stands for any text, the byte 2 for any integer, and the byte 3 for any digits after a point."""

_QUOTE, _AMPERSAND, _APOSTROPHE, _ZERO, _ANGLE, _BACKSLASH = 34, 38, 39, 48, 60, 92
_UNDERSCORE, _A, _Z, _BEYOND, _LOWER_CASE = 95, 97, 122, 128, 32
_SPACE, _MOST_DIGITS = 32, 18
# The keywords of DOT as numbers, one byte for each letter: "node" is 0x6E6F6465.
_NODE, _EDGE, _GRAPH, _STRICT = 0x6E6F6465, 0x65646765, 0x6772617068, 0x737472696374
_DIGRAPH, _SUBGRAPH = 0x64696772617068, 0x7375626772617068


class ItemLabels(NamedTuple):
    """The labels of items, one item after another.

    An edge has two labels, its source and its target. A vertex has its name, or its name and its position.

    Label k is ``data[offsets[k]:offsets[k + 1]]``.
    """

    data: np.ndarray
    offsets: np.ndarray
    quoted: list[bool]
    """Whether labels are in quotes in the file: True or False for the first label of all items, then for the second."""

    def column(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return ``data`` and ``offsets`` of the first (``number`` 0) or second (1) labels of items with two labels."""
        lengths = np.diff(self.offsets)
        chosen = np.arange(len(lengths)) % 2 == number
        data = self.data[: self.offsets[-1]][np.repeat(chosen, lengths)]
        return data, np.append(0, np.cumsum(lengths[chosen]))


def items_alike(pattern: re.Pattern[str], block: bytes, words: bool = False) -> tuple[ItemLabels, int] | None:
    """Return the labels of the items at the start of a block, and the index where the last of these items ends.

    Reading stops at the first item that differs in form from the first item of the block. ``pattern`` matches an item
    and the separator after it. Its one or two groups are the labels: texts in quotes, integers, and with ``words`` also
    names of DOT without quotes. Return None if the block does not begin with an item of at most 4,096 bytes, or if a
    label is empty.
    """
    start = len(block) - len(block.lstrip(_BLANKS.encode()))
    text = block[start : start + _LONGEST_EDGE].decode(errors="replace")
    first = pattern.match(text)
    if first is None:
        return None
    pieces, piece_start, quoted = [], 0, []
    for begin, end in map(first.span, range(1, 1 + pattern.groups)):
        # In the patterns for JSON and Python the groups include the quotes; in those for XML they do not.
        has_quotes = text[begin] in _QUOTES and text[begin - 1 : begin] not in _QUOTES
        quoted.append(has_quotes or text[end] in _QUOTES)
        pieces.append(text[piece_start : begin + has_quotes])
        piece_start = end - has_quotes
    pieces.append(text[piece_start:].removesuffix(text[first.end() :].lstrip(_BLANKS)))
    for stand_in, value in _VALUES:
        pieces = [value.sub(stand_in, piece) for piece in pieces]
    padded = np.frombuffer(block + bytes(8), np.uint8)
    data, offsets = np.empty(len(padded), np.uint8), np.empty(len(block) // 4 + 2, np.int64)
    count, stop = split_alike(padded[start:], *encoded(pieces), words, data, offsets)
    offsets = offsets[: pattern.groups * count + 1]
    return (ItemLabels(data, offsets, quoted), start + stop) if (offsets[1:] > offsets[:-1]).all() else None


@inlined
def _past_text(text: Array, i: int, quote: int) -> int:
    """Return the first index from i on of the byte ``quote``, or of a backslash, ``&``, ``<`` or control character."""
    c = text[unsigned(i)]
    while c >= _SPACE and c != quote and c != _BACKSLASH and c != _AMPERSAND and c != _ANGLE:
        i += 1
        c = text[unsigned(i)]
    return i


@inlined
def _past_integer(text: Array, i: int) -> int:
    """Return the index after the integer at index i; -1 if there is none in canonical form with at most 18 digits."""
    _, first, end = integer_at(text, i)
    # 007 is no integer of JSON, -0 is not the canonical form of 0, and 19 digits may not fit into 64 bits.
    padded = text[unsigned(first)] == _ZERO and (end - first > 1 or first > i)
    return -1 if end == first or end - first > _MOST_DIGITS or padded else end


@inlined
def _is_letter(c: int) -> bool:
    return _A <= (c | _LOWER_CASE) <= _Z or c == _UNDERSCORE or c >= _BEYOND


@inlined
def _past_word(text: Array, i: int) -> int:
    """Return the index after the word at index i, which begins with a letter; -1 if it is a keyword of DOT."""
    start = i
    word = 0
    while _is_letter(text[unsigned(i)]) or is_digit(text[unsigned(i)]):
        word = word << 8 | (text[unsigned(i)] | _LOWER_CASE)
        i += 1
    is_keyword = i - start <= 8 and word in (_NODE, _EDGE, _GRAPH, _STRICT, _DIGRAPH, _SUBGRAPH)
    return -1 if is_keyword else i


@inlined
def _past_piece(text: Array, i: int, pieces: Array, begin: int, end: int) -> int:
    """Return the index after the piece ``pieces[begin:end]`` in the text, if it is at index i; otherwise -1.

    In a piece, the bytes 1, 2 and 3 stand for any text, any integer and any digits: see ``_VALUES``.
    """
    for k in range(begin, end):
        sign = pieces[unsigned(k)]
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
    """Read items of the same form from the start of ``text``, and copy their labels to ``data``.

    In an item, fixed pieces of text alternate with labels. An item with two labels is piece 0, a label, piece 1, a
    label, piece 2. Piece p is ``pieces[bounds[p]:bounds[p + 1] - 1]``. If the piece after a label begins with a quote,
    the label is a quoted text. Otherwise it is an integer or, if ``words``, a name of DOT.

    Label k becomes ``data[offsets[k]:offsets[k + 1]]``. ``text`` must end in 8 zeros. Return the number of items, and
    the index in ``text`` where the last one ends.
    """
    count = copied = stop = 0
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
                # If the rest of the item does not match, ``count`` does not include the item: its labels are ignored.
                copied = put_bytes(data, copied, text, begin, i)
                offsets[unsigned(labels * count + p)] = copied
                i = _past_piece(text, i, pieces, bounds[p], bounds[p + 1] - 1)
        if i < 0:
            break
        count += 1
        stop = i
    return count, stop


def items_of(item: re.Pattern[str], text: str) -> list[str] | None:
    r"""Return the groups of all matches of ``item`` in one list; None if the text is not a sequence of matches.

    An empty text gives an empty list.

    This is many times as fast as matching item by item.

    Examples
    --------
    >>> pair = re.compile(r"(\d)-(\d),")
    >>> items_of(pair, "1-2,3-4,"), items_of(pair, "1-2,x,3-4,")
    (['1', '2', '3', '4'], None)
    """
    # For each item ``parts`` has the text before it, then its groups. The last part is the text after all items.
    parts = item.split(text)
    step = item.groups + 1
    if any(parts[::step]):
        return None
    del parts[::step]
    return parts
