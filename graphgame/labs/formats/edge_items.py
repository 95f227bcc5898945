"""Edges that a program wrote alike, in JSON or XML, read by a compiled loop.

The first edge, which a regular expression finds, shows the texts around its two labels. The loop reads all edges that
follow as long as these texts are the same; numbers and other values between them may differ.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.engine import use_compiled
from graphgame.compiled.instructions import unsigned
from graphgame.io.edges import EncodedTexts, encoded

_BYTES_AN_EDGE = 20
_LONGEST_EDGE = 1 << 12
_VALUE = re.compile(r'([=:]\s*")[^"]*"')
_INTEGER = re.compile(r"-?[0-9]+")
_ANY_TEXT, _ANY_INTEGER = 1, 2  # bytes that stand in a piece for other values
_QUOTE, _AMPERSAND, _PLUS, _MINUS, _POINT, _ZERO, _NINE, _ANGLE, _E, _BACKSLASH = (
    34,
    38,
    43,
    45,
    46,
    48,
    57,
    60,
    101,
    92,
)
_SPACE, _LOWER_CASE, _MOST_DIGITS = 32, 32, 18


class LabelPairs(NamedTuple):
    """The labels of edges, a source and a target in turn: label k is ``data[offsets[k]:offsets[k + 1]]``."""

    data: np.ndarray
    offsets: np.ndarray
    are_texts: bool
    """Whether the labels stood in quotes; else they are integers."""


class EdgeItems:
    """Splits blocks of edges; ``pattern`` matches one and what separates it from the next, its groups are labels."""

    def __init__(self, pattern: re.Pattern[str], size: int) -> None:
        self._pattern = pattern
        self._compiled = use_compiled(size // _BYTES_AN_EDGE)
        self._pieces: EncodedTexts | None = None
        self._are_texts = False

    def split(self, block: bytes) -> tuple[LabelPairs, int] | None:
        """Return the labels of the edges that begin a block, and where they end; None where they are not alike."""
        if not (self._compiled and self._learn(block)):
            return None
        assert self._pieces is not None
        text = np.frombuffer(block + b"\0", np.uint8)
        data, offsets = np.empty(len(text), np.uint8), np.empty(len(text) // 4 + 2, np.int64)
        count, stop = split_alike(text, *self._pieces, data, offsets)
        return LabelPairs(data, offsets[: 2 * count + 1], self._are_texts), stop

    def _learn(self, block: bytes) -> bool:
        """Take the texts around labels from the first edge; tell whether there is one that is simple."""
        text = block[:_LONGEST_EDGE].decode(errors="replace")
        first = self._pattern.match(text)
        if first is None:
            return False
        pieces, at = [], 0
        for group in (1, 2):
            begin, end = first.span(group)
            self._are_texts = text[end - 1 : end] == '"' or text[end : end + 1] == '"'
            inner = int(text[begin] == '"')  # JSON's labels have their quotes
            pieces.append(text[at : begin + inner])
            at = end - inner
        blanks = re.compile(r"\s*").match(text, first.end())
        assert blanks is not None
        pieces.append(text[at : blanks.end()])
        shown = (_VALUE.sub(rf"\g<1>{chr(_ANY_TEXT)}\"", piece) for piece in pieces)
        self._pieces = encoded([_INTEGER.sub(chr(_ANY_INTEGER), piece) for piece in shown])
        return True


@inlined
def _past_text(text: Array, i: int) -> int:
    """Return where a text ends that stands in quotes and has no escapes of JSON or XML in it."""
    c = text[unsigned(i)]
    while c >= _SPACE and c != _QUOTE and c != _BACKSLASH and c != _AMPERSAND and c != _ANGLE:
        i += 1
        c = text[unsigned(i)]
    return i


@inlined
def _is_digit(c: int) -> bool:
    return _ZERO <= c <= _NINE


@inlined
def _past_integer(text: Array, i: int) -> int:
    """Return where an integer in its usual form ends, -1 where there is none."""
    start = i
    if text[unsigned(i)] == _MINUS:
        i += 1
    first = i
    while _is_digit(text[unsigned(i)]):
        i += 1
    # 007 is no integer of JSON, and a word of 19 digits may not fit into 64 bits.
    padded = text[unsigned(first)] == _ZERO and (i - first > 1 or first > start)
    return -1 if i == first or i - first > _MOST_DIGITS or padded else i


@inlined
def _past_piece(text: Array, i: int, pieces: Array, begin: int, end: int) -> int:
    """Return where a piece ends that should stand at an index, -1 where another text does."""
    for k in range(begin, end):
        sign = pieces[unsigned(k)]
        # Values that are no labels differ from edge to edge: an edge's own number, its weight.
        if sign == _ANY_TEXT:
            i = _past_text(text, i)
        elif sign == _ANY_INTEGER:
            i = _past_integer(text, i)
            if i < 0:
                return -1
        elif text[unsigned(i)] == sign:
            i += 1
        else:
            return -1
    return i


@compiled
def split_alike(text: Array, pieces: Array, bounds: Array, data: Array, offsets: Array) -> tuple[int, int]:
    """Copy the labels of edges; return how many edges there are, and where the first other text starts.

    An edge is piece 0, a label, piece 1, a label, piece 2; piece p is ``pieces[bounds[p]:bounds[p + 1] - 1]``. A piece
    that begins with a quote ends a label that is a text; other labels are integers. The text ends in a zero.
    """
    count = place = stop = 0
    offsets[0] = 0
    while 2 * count + 2 < len(offsets):
        i = _past_piece(text, stop, pieces, bounds[0], bounds[1] - 1)
        for p in range(1, 3):
            if i < 0:
                break
            begin = i
            quoted = pieces[unsigned(bounds[p])] == _QUOTE
            i = _past_text(text, i) if quoted else _past_integer(text, i)
            # What an edge that fails has copied is overwritten by the next: its offsets do not count.
            for k in range(begin, i):
                data[unsigned(place)] = text[unsigned(k)]
                place += 1
            offsets[unsigned(2 * count + p)] = place
            if i >= 0:
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
