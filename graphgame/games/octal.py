"""Taking and breaking: octal games and longer codes, and those of them that have a name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from graphgame.errors import ParseError
from graphgame.games.breaking import Breaking, partitions
from graphgame.games.periodic import Periodic
from graphgame.rules.pictures import Cell, Picture, row
from graphgame.rules.ruleset import Ruleset, Sum

if TYPE_CHECKING:
    from graphgame.heaps import HeapGame

__all__ = ["Code", "DawsonChess", "DawsonKayles", "Guiles", "Kayles", "Octal", "Officers"]

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
_MOST_DIGITS = 1000
_LARGEST_BY_PARTS = {0: 1_000_000, 1: 1_000_000, 2: 10_000, 3: 1000, 4: 200}


class Code(Periodic, Breaking):
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

    def __init__(self, code: str) -> None:
        self.digits = _read_code(code, self.base)
        self.code = self.arguments = (
            f"{_DIGITS[self.digits[0]]}.{''.join(_DIGITS[digit] for digit in self.digits[1:]) or '0'}"
        )
        self.largest = _LARGEST_BY_PARTS[self._parts]

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules of a code."""
        return cls(text)

    def options(self, position: int) -> Iterator[int | Sum]:
        """Return what is left of the heap, as one heap or as the sum of several."""
        return chain.from_iterable(self._options_by_amount(position))

    def options_of_value(self, position: int, value: int) -> Iterator[int | Sum]:
        """Return the options of this value; what each amount leaves is tried in turn, for each may leave very many."""
        rounds = zip_longest(*self._options_by_amount(position))
        return self.of_value((option for options in rounds for option in options if option is not None), value)  # type: ignore[return-value]

    def _options_by_amount(self, position: int) -> Iterator[Iterator[int | Sum]]:
        """Yield what is left of the heap, for each amount that is taken."""
        for taken, digit in enumerate(self.digits[: position + 1]):
            yield self._left(position - taken, digit)

    def _left(self, rest: int, digit: int) -> Iterator[int | Sum]:
        if digit & 1 and not rest:
            yield 0
        if digit & 2 and rest:
            yield rest
        for parts in range(2, digit.bit_length()):
            if digit >> parts & 1:
                yield from map(Sum, partitions(rest, parts))

    def heap_game(self) -> HeapGame | None:
        """Return the game for its values, unless it leaves three heaps or more."""
        from graphgame import heaps

        return heaps.code(self.code) if self._parts <= 2 else None

    @property
    def _parts(self) -> int:
        """The most heaps that a move may leave."""
        return max(self.digits).bit_length() - 1


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


class _Pins(_Named):
    """An octal game played with a row of pins."""

    def picture(self, position: int) -> Picture | None:
        """Return the pins."""
        return row(position, "pin")


class Kayles(_Pins):
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


class DawsonKayles(_Pins):
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

    def picture(self, position: int) -> Picture | None:
        """Return the two lines of pawns."""
        line = row(position, "square")
        if line.rows[0][0].kind == "note":
            return line
        return Picture(tuple((Cell("square", pawn),) * position for pawn in ("♟", "", "♙")))

    def board(self, position: int) -> str:
        """Return the two lines of pawns."""
        files = min(position, 40)
        cut = f" ... ({position})" if position > files else ""
        return "\n".join(" ".join(row * files) + cut for row in ("p", ".", "P"))


class Officers(_Named):
    """Officers: take one from a heap and leave one heap or two, but not none.

    ``officers(7)`` is a heap of 7; it is the octal game 0.6.

    Notes
    -----
    A heap of n has the value of n + 1 in Couples are Forever. Whether the values are periodic is open: the first
    140 trillion show no period (Grossman).

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4. J. P. Grossman, Searching for periodicity in
    Officers, Games of No Chance 5 (2019). OEIS A046695.

    Examples
    --------
    >>> list(Officers().options(5))
    [4, Sum(1, 3), Sum(2, 2)]
    """

    code = "0.6"


class Guiles(_Named):
    """Guiles: take one or two from a heap: all of it, or two so that two heaps are left.

    ``guiles(12)`` is a heap of 12; it is the octal game 0.15: one may take a heap of 1 or 2, or two from a heap and
    split the rest.

    Notes
    -----
    From a heap of 1 on the values have the period 10: 1, 1, 0, 1, 1, 2, 2, 1, 2, 2.

    References
    ----------
    R. K. Guy, C. A. B. Smith (1956). E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4.

    Examples
    --------
    >>> list(Guiles().options(6)), Guiles().closed_form(10**18)
    ([Sum(1, 3), Sum(2, 2)], 2)
    """

    code = "0.15"


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
