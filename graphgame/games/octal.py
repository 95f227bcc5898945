"""Taking and breaking: octal games and longer codes, and those of them that have a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from operator import xor

from graphgame.errors import ParseError
from graphgame.games.breaking import Breaking
from graphgame.ruleset import Ruleset, Sum
from graphgame.sprague_grundy import mex

__all__ = ["Code", "DawsonChess", "DawsonKayles", "Kayles", "Octal"]

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
_MOST_DIGITS = 1000
_MOST_BY_PARTS = {0: 1_000_000, 1: 1_000_000, 2: 10_000, 3: 1000, 4: 200}


class Code(Breaking):
    """A taking-and-breaking game given by its code, of digits 0-9 and A-V.

    ``code{0.3F}(9)`` is a heap of 9 in the game 0.3F. The k-th digit after the point says what one may leave when
    one takes k from a heap: nothing if its bit 0 is set, one heap if bit 1 is, two heaps if bit 2, three if bit 3
    and four if bit 4; the digit before the point splits a heap and takes nothing.

    Parameters
    ----------
    code : str

    Raises
    ------
    ParseError
        The code is wrong; says the column.

    References
    ----------
    R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).

    Examples
    --------
    >>> list(Code("0.3F").options(5))
    [4, 3, Sum(1, 2), Sum(1, 1, 1)]
    """

    base = 32
    period: tuple[int, int] | None = None
    """Preperiod and period of the values where they are proved."""

    def __init__(self, code: str) -> None:
        self.digits = _read_code(code, self.base)
        self.arguments = f"{_DIGITS[self.digits[0]]}.{''.join(_DIGITS[digit] for digit in self.digits[1:]) or '0'}"
        if self.period is None:
            self.most = _MOST_BY_PARTS[max(self.digits).bit_length() - 1]

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules of a code."""
        return cls(text)

    def options(self, position: int) -> Iterator[int | Sum]:
        """Return what is left of the heap, as one heap or as the sum of several."""
        for taken, digit in enumerate(self.digits[: position + 1]):
            rest = position - taken
            if digit & 1 and not rest:
                yield 0
            if digit & 2 and rest:
                yield rest
            for parts in range(2, digit.bit_length()):
                if digit >> parts & 1:
                    yield from map(Sum, _partitions(rest, parts, 1))

    def closed_form(self, position: int) -> int | None:
        """Return the value where the period of the values is proved."""
        if self.period is None:
            return None
        preperiod, period = self.period
        return self._first_values[position if position < preperiod else preperiod + (position - preperiod) % period]

    @cached_property
    def _first_values(self) -> list[int]:
        """The values of the heaps up to the end of the first period."""
        values: list[int] = []
        for heap in range(sum(self.period or ())):
            values.append(mex(_nim_sum(values, option) for option in self.options(heap)))
        return values


class Octal(Code):
    """An octal game: a taking-and-breaking game that leaves at most two heaps.

    ``octal{0.77}(20)`` is a heap of 20 in the game 0.77. The k-th digit after the point is the sum of 1 if one may
    take a whole heap of k, 2 if one may take k and leave one heap, and 4 if one may take k and leave two; before the
    point stands 4 if one may split a heap and take nothing, else 0.

    Parameters
    ----------
    code : str

    Raises
    ------
    ParseError
        The code is wrong; says the column.

    Notes
    -----
    If the last digit that is not 0 is the k-th, and g(n + p) = g(n) for all n from n0 to 2 n0 + p + k - 1, then for
    all n from n0 (Guy and Smith). Whether every octal game is periodic is open.

    References
    ----------
    R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).

    Examples
    --------
    >>> list(Octal("0.77").options(3))
    [2, Sum(1, 1), 1]
    """

    base = 8


class _Named(Octal):
    """An octal game with a name, which needs no code in the notation."""

    code: str
    most = 1_000_000

    def __init__(self) -> None:
        super().__init__(self.code)
        self.arguments = ""

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules; there are no arguments."""
        if text.strip():
            raise ParseError(f"unexpected arguments: {cls.__name__} has none", column=1)
        return cls()

    def board(self, position: int) -> str:
        """Return the row."""
        return " ".join("|" * min(position, 40)) + (f" ... ({position})" if position > 40 else "")


class Kayles(_Named):
    """Kayles: knock down one pin, or two next to each other, of a row.

    ``kayles(7)`` is a row of 7 pins; it is the octal game 0.77.

    Notes
    -----
    From a row of 71 pins on the values have the period 12.

    References
    ----------
    H. E. Dudeney, The Canterbury Puzzles (1908). R. K. Guy, C. A. B. Smith (1956). OEIS A002186.

    Examples
    --------
    >>> Kayles().closed_form(100_000)
    1
    >>> print(Kayles().board(5))
    | | | | |
    """

    code = "0.77"
    period = 71, 12


class DawsonKayles(_Named):
    """Dawson's Kayles: knock down two pins next to each other of a row.

    ``dawson-kayles(7)`` is a row of 7 pins; it is the octal game 0.07.

    Notes
    -----
    From a row of 53 pins on the values have the period 34. A row of n + 1 pins is Dawson's chess on n files.

    References
    ----------
    R. K. Guy, C. A. B. Smith (1956). OEIS A002187.

    Examples
    --------
    >>> list(DawsonKayles().options(5))
    [3, Sum(1, 2)]
    """

    code = "0.07"
    period = 53, 34


class DawsonChess(_Named):
    """Dawson's chess: two lines of pawns face each other on three rows and must capture; the last mover wins.

    ``dawson-chess(7)`` has 7 files; it is the octal game 0.137: a pawn that moves removes its file and those beside it.

    Notes
    -----
    From 52 files on the values have the period 34.

    References
    ----------
    T. R. Dawson, Caissa's Wild Roses (1935). R. K. Guy, C. A. B. Smith (1956). OEIS A002187.

    Examples
    --------
    >>> list(DawsonChess().options(5))
    [3, 2, Sum(1, 1)]
    """

    code = "0.137"
    period = 52, 34

    def board(self, position: int) -> str:
        """Return the two lines of pawns."""
        files = min(position, 40)
        cut = f" ... ({position})" if position > files else ""
        return "\n".join(" ".join(row * files) + cut for row in ("p", ".", "P"))


def _nim_sum(values: list[int], option: int | Sum) -> int:
    parts: Iterable[int] = option if isinstance(option, Sum) else (option,)  # type: ignore[assignment]
    return reduce(xor, (values[part] for part in parts), 0)


def _partitions(total: int, parts: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of parts in increasing order, each at least the least."""
    if parts == 2:
        for first in range(least, total // 2 + 1):
            yield first, total - first
        return
    for first in range(least, total // parts + 1):
        for rest in _partitions(total - first, parts - 1, first):
            yield first, *rest


def _read_code(text: str, base: int) -> list[int]:
    """Return the digits of a code, the one before the point first, without zeros at the end."""
    code = text.strip().upper()
    start = len(text) - len(text.lstrip()) + 1
    point = code.find(".")
    if point not in (0, 1) or point == len(code) - 1:
        raise ParseError("expected a code with a point after at most one digit, such as 0.77", column=start)
    if len(code) - 1 > _MOST_DIGITS:
        raise ParseError(f"the code has {len(code) - 1} digits: expected at most {_MOST_DIGITS}", column=start)
    for place, character in enumerate(code):
        if place != point and character not in _DIGITS[:base]:
            wanted = "0..7; code{...} takes digits up to V" if base == 8 else "0..9 or A..V"
            raise ParseError(f"{character!r} is not a digit of this code: expected {wanted}", column=start + place)
    digits = [_DIGITS.index(character) for character in code[:point] or "0"]
    digits += [_DIGITS.index(character) for character in code[point + 1 :].rstrip("0")]
    if digits[0] & 3:
        raise ParseError(
            "the digit before the point takes nothing, so it must split the heap: expected a multiple of 4",
            column=start,
        )
    if not any(digits):
        raise ParseError("the code has no move: expected a digit that is not 0", column=start + point + 1)
    return digits
