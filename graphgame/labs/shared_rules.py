"""What the rules of several labs share: reading and writing numbers, an integer argument, pictures, sets of values.

This module is not a lab.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import xor

from graphgame.compiled.compiling import Array, inlined
from graphgame.errors import Message, ParameterError, ParseError
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import MOST_CELLS_A_SIDE, MOST_PIECES, Cell, Picture, beside, heap, rows
from graphgame.rules.ruleset import Ruleset

WINNING_WAYS = "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways"


GUY_SMITH = "R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956)."


def ranges(text: str, start: int = 0, *, what: str, least: int = 0, most: int) -> list[int]:
    """Return the integers that a text lists: integers and inclusive ranges ``a..b``, separated by commas.

    The result has the order of the text, with repetitions. All integers must be from ``least`` to ``most``. For error
    messages, ``start`` is the index of the text in a longer text, and ``what`` says what the integers are. Raises
    ParseError like :func:`integer`, and for a range such as ``3..1``.

    Examples
    --------
    >>> ranges("1..3,7", what="what one may take", most=10)
    [1, 2, 3, 7]
    """
    numbers: list[int] = []
    for piece, piece_shift in fields(text):
        begin = start + piece_shift
        ends = [integer(end, begin + shift, what=what, least=least, most=most) for end, shift in fields(piece, "..")]
        if len(ends) > 2:
            raise ParseError("expected a number or a range such as 1..5", column=begin + 1)
        if ends[0] > ends[-1]:
            raise ParseError(
                "the range {piece!r} is empty: expected the smaller number first", piece.strip(), column=begin + 1
            )
        numbers += range(ends[0], ends[-1] + 1)
    return numbers


def number_and_rest(piece: str, start: int, *, what: str, least: int = 0) -> tuple[int, str, int]:
    """Return the integer before a colon, the text after the colon, and the index where this text starts.

    Without a colon the returned text is empty. ``start`` is the index of the piece in a longer text, and the returned
    index is one in the longer text, too. ``what`` and ``least`` are as in :func:`integer`. Raises ParseError like
    :func:`integer`, and if nothing follows the colon.

    Examples
    --------
    >>> number_and_rest("13:4", 0, what="a heap's size")
    (13, '4', 3)
    """
    number, colon, rest = piece.partition(":")
    rest_start = start + len(number) + 1
    if colon and not rest.strip():
        raise ParseError("expected a number after the colon", column=rest_start + 1)
    return integer(number, start, what=what, least=least), rest, rest_start


def number_names(count: int) -> tuple[str, ...]:
    """Return ``count`` different letters, but at most 8: ``n`` for one, otherwise ``a``, ``b``, ...

    >>> number_names(1), number_names(3)
    (('n',), ('a', 'b', 'c'))
    """
    return ("n",) if count == 1 else tuple("abcdefgh"[:count])


_MOST_SHOWN = 12


def xor_text(values: Iterable[int]) -> str:
    """Return the text of an xor with its result; for more than 12 values, their count and the result.

    Examples
    --------
    >>> xor_text([2, 3]), xor_text([4]), xor_text([])
    ('2 xor 3 = 1', '4', '0')
    """
    listed = list(values)
    total = reduce(xor, listed, 0)
    if len(listed) > _MOST_SHOWN:
        return Message("the xor of {count} numbers is {total}", len(listed), total)
    return f"{' xor '.join(map(str, listed))} = {total}" if len(listed) > 1 else str(total)


class Bounded(Ruleset):
    """Rules with one argument in braces: ``most``, an integer of 1 or more. ``bound`` is its name in a ParseError."""

    bound: str

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ParameterError("the argument 'most' is {most}: expected 1 or more", most)
        self.most = most
        self.arguments = str(most)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules whose ``most`` is the integer in the text."""
        return cls(integer(text, what=cls.bound, least=1))


def heaps(sizes: Iterable[int]) -> Picture | None:
    """Return a picture of heaps side by side; None if there are more than 12 heaps, or a heap has over 40 pieces."""
    listed = list(sizes) or [0]
    return None if max(listed) > MOST_PIECES else beside(map(heap, listed))


def labelled_heap(label: str, size: int) -> Picture:
    """Return a picture of a heap with a label to the left of its first row.

    Examples
    --------
    >>> labelled_heap("odd", 6).rows[1]
    (Cell(kind='blank', text=''), Cell(kind='blank', text=''), Cell(kind='piece', text=''))
    """
    pieces = heap(size)
    return Picture((Cell("note", label), *pieces.cells), ((0, 0), *((x + 2, y) for x, y in pieces.places)))


def strip(first: int, coins: Mapping[int, int]) -> Picture | None:
    """Return a picture of a strip of squares, from square ``first`` to the last square with a coin.

    None if that is more than 24 squares.

    Parameters
    ----------
    first : int
        The number of the square at the left end.
    coins : mapping of int to int
        Number of a square -> how many coins are on it.

    Examples
    --------
    >>> [cell.kind for cell in strip(0, {2: 1}).rows[0]]
    ['square', 'square', 'coin']
    """
    last = max(coins, default=first)
    if last - first >= MOST_CELLS_A_SIDE:
        return None
    counts = [coins.get(square, 0) for square in range(first, last + 1)]
    return rows([[Cell("coin", str(n) if n > 1 else "") if n else Cell("square") for n in counts]])


VALUE_BITS = 62
"""The number of values, one bit each, in a word of a set of values. The mex is searched word by word."""

ALL_SEEN = (1 << VALUE_BITS) - 1
"""A full word: all its values are in the set."""


@inlined
def see_value(value: int, line: int, seen: Array, extents: Array) -> None:
    """Add a value to the set in row ``line`` of ``seen``, which has a bit for each value.

    All words of the row before index ``extents[0, line]`` are full, and all from index ``extents[1, line]`` on are 0.
    Both indices are updated.
    """
    word = value // VALUE_BITS
    seen[line, word] |= 1 << (value % VALUE_BITS)
    extents[1, line] = max(extents[1, line], word + 1)
    while seen[line, extents[0, line]] == ALL_SEEN:
        extents[0, line] += 1
