"""Nim arithmetic: the field of Grundy values, in which addition is xor; and expressions as text.

The numbers below 2^(2^k) are a field for every k. Two rules of Conway define the nim product: a power F = 2^(2^k)
times any smaller number is their ordinary product, and F times F is 3/2 F. So a number below F^2 splits into halves
below F, a = a1 F + a0, and a product can be computed from three products of halves, as in Karatsuba's method:

    (a1 F + a0)(b1 F + b0) = (a1 b1 + a1 b0 + a0 b1) F + a0 b0 + a1 b1 (F/2)

where + is xor, because F F = F + F/2. The coefficient of F is (a1 + a0)(b1 + b0) + a0 b0.

The grammar of expressions is:

::

    sum     = product { ("+" | "^" | "xor") product }   three signs for the same operation
    product = power { ("*" | "/") power }
    power   = atom [ "**" [ "-" ] integer ]             the exponent is one ordinary integer: no a**b**c
    atom    = [ "*" ] integer | "(" sum ")" | "sqrt" "(" sum ")" | "mex" ( "{" list "}" | "(" list ")" )
    list    = [ sum { "," sum } ]

Before a number, where no operator is possible, ``*`` marks a nimber: ``*3 + *5`` is ``3 + 5``.

Operators are written as in Python: ``**`` binds closest, then ``*`` and ``/``, then ``+`` and ``^``.
``^`` is xor and never a power, as in :mod:`graphgame.labs.laws.formulas`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike

from graphgame.errors import LimitError, Message, ParameterError, ParseError, checks_parameters
from graphgame.registry import dir_of

__all__ = ["evaluate", "inverse", "latex", "power", "product", "square_root"]
__dir__ = dir_of(__name__)

MAX_BITS = 1 << 12
"""The maximum number of bits of a number. A product of numbers of this size takes some hundredths of a second."""

_TABLE_BITS = 4
"""Nim products of numbers of at most 8 bits, twice this constant, are looked up in a table."""

_DIGIT_BITS = 4
"""The number of bits of a digit of an exponent: its digits are hexadecimal."""


@overload
def product(a: int, b: int) -> int: ...
@overload
def product(a: ArrayLike, b: ArrayLike) -> np.ndarray: ...
def product(a: ArrayLike, b: ArrayLike) -> int | np.ndarray:
    """Return the nim product of two numbers, or of arrays entry by entry.

    Parameters
    ----------
    a, b : int or array_like of int
        Two integers of 0 or more, with at most :data:`MAX_BITS` (4096) bits. Or arrays with shapes that broadcast and
        entries in 0..2**64-1.

    Returns
    -------
    int or ndarray of uint64

    Raises
    ------
    ParameterError
        A number is negative, or an array has an entry that is not an integer below 2**64.
    LimitError
        A number has more than 4096 bits.

    Notes
    -----
    A product of numbers of n bits takes O(n^1.59) operations on machine words.

    References
    ----------
    J. H. Conway, On Numbers and Games (1976), chapter 6.

    Examples
    --------
    >>> product(4, 4), product(19, 23)
    (6, 86)
    >>> product(2**64, 2**64) == 2**64 * 3 // 2
    True
    >>> numbers = np.arange(4)
    >>> product(numbers[:, None], numbers).tolist()
    [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]
    """
    if isinstance(a, int) and isinstance(b, int):
        return int(_product(a, b, max(_half_bits(a), _half_bits(b))))
    first, second = _words(a), _words(b)
    return np.asarray(_product(first, second, max(_half_bits(first), _half_bits(second))))


@overload
def inverse(a: int) -> int: ...
@overload
def inverse(a: ArrayLike) -> np.ndarray: ...
def inverse(a: ArrayLike) -> int | np.ndarray:
    """Return the number whose nim product with ``a`` is 1; for an array, the inverse of each entry.

    Raises
    ------
    ZeroDivisionError
        ``a`` is 0, or an entry of ``a`` is 0.
    ParameterError
        A number is negative, or an array has an entry that is not an integer below 2**64.
    LimitError
        A number has more than 4096 bits.

    Examples
    --------
    >>> inverse(7), inverse(range(1, 9)).tolist()
    (11, [1, 3, 2, 15, 12, 9, 11, 10])
    """
    numbers = _numbers(a)
    bits = _half_bits(numbers)
    if not np.all(numbers):
        raise ZeroDivisionError(_NO_INVERSE)
    inverted: int | np.ndarray = _inverse(numbers, bits)
    return inverted


@overload
def square_root(a: int) -> int: ...
@overload
def square_root(a: ArrayLike) -> np.ndarray: ...
def square_root(a: ArrayLike) -> int | np.ndarray:
    """Return the only number whose nim square is ``a``; for an array, the square root of each entry.

    Raises
    ------
    ParameterError
        A number is negative, or an array has an entry that is not an integer below 2**64.
    LimitError
        A number has more than 4096 bits.

    Examples
    --------
    >>> square_root(6), square_root([2, 6]).tolist()
    (4, [3, 4])
    """
    numbers = _numbers(a)
    root: int | np.ndarray = _square_root(numbers, _half_bits(numbers))
    return root


@overload
def power(a: int, exponent: int) -> int: ...
@overload
def power(a: ArrayLike, exponent: ArrayLike) -> np.ndarray: ...
def power(a: ArrayLike, exponent: ArrayLike) -> int | np.ndarray:
    """Return the nim product of ``exponent`` factors ``a``; for arrays, the power of each entry.

    Parameters
    ----------
    a : int or array_like of int
        As in :func:`product`.
    exponent : int or array_like of int
        Any ordinary integer; integers of at most 64 bits if ``a`` or ``exponent`` is an array. A negative exponent
        means a power of the inverse; with the exponent 0 the power is 1.

    Raises
    ------
    ZeroDivisionError
        A number of ``a`` is 0, and its exponent is negative.
    ParameterError
        A number of ``a`` is negative, or an array has an entry that is not an integer of at most 64 bits.
    LimitError
        A number of ``a`` has more than 4096 bits.

    Notes
    -----
    The power of a number of 2n bits with the exponent 2^n + 1 is its norm, a number of n bits. So a large exponent is
    divided by 2^n + 1, and the power is a power of the norm, times the power for the remainder. Arrays take at most
    64 products and 64 squares.

    Examples
    --------
    >>> power(2, 3), power(4, -1), power(7, 10**30)
    (1, 15, 2)
    >>> power([2, 4, 7], [3, -1, 2]).tolist()
    [1, 15, 4]
    """
    if not (isinstance(a, int) and isinstance(exponent, int)):
        return _array_power(_words(a), exponent)
    bits = _half_bits(a)
    if a == 0:
        if exponent < 0:
            raise ZeroDivisionError(_NO_INVERSE)
        return int(exponent == 0)
    return int(inverse(a)) if exponent == -1 else _power(a, exponent % ((1 << 2 * bits) - 1), bits)


_NO_INVERSE = Message("0 has no nim inverse")


Numbers: TypeAlias = Any
"""An int, or an array of uint64. The functions below compute with both."""


def _half_bits(a: Numbers) -> int:
    """Return half the number of bits of the smallest field that contains all of ``a``, but at least 4.

    Raises ParameterError for a negative number, and LimitError for a number of more than 4096 bits.
    """
    largest = a if isinstance(a, int) else int(a.max(initial=0))
    if largest < 0:
        raise ParameterError("invalid number {number}: expected 0 or more", largest)
    if largest.bit_length() > MAX_BITS:
        raise LimitError(
            "a number of {bit_length} bits is too large: nim arithmetic takes at most {max_bits}",
            largest.bit_length(),
            MAX_BITS,
        )
    # Fields have 2^(2^k) numbers, so the number of bits is rounded up to a power of 2.
    return max(_TABLE_BITS, 1 << (largest.bit_length() - 1).bit_length() - 1) if largest > 1 else _TABLE_BITS


def _split(a: Numbers, bits: int) -> tuple[Numbers, Numbers]:
    """Return (a1, a0) with a = a1 F + a0, where F = 2^bits."""
    return a >> bits, a & ((1 << bits) - 1)


def _product(a: Numbers, b: Numbers, bits: int) -> Numbers:
    """Return the nim product of numbers of at most ``2 * bits`` bits, where ``bits`` is at least _TABLE_BITS."""
    if bits != _TABLE_BITS:
        return _of_halves(a, b, bits, _product)
    # This does what _entry does: a call of _entry would make large products a tenth slower.
    index, (of_numbers, of_arrays) = a << 2 * _TABLE_BITS | b, _tables()[_PRODUCTS]
    return of_numbers[index] if isinstance(index, int) else of_arrays[index]


def _of_halves(a: Numbers, b: Numbers, bits: int, product: Callable[[Numbers, Numbers, int], Numbers]) -> Numbers:
    """Return the nim product of numbers of at most ``2 * bits`` bits; ``product`` is called for products of halves."""
    mask, half = (1 << bits) - 1, bits >> 1
    a1, a0, b1, b0 = a >> bits, a & mask, b >> bits, b & mask
    # The formula in the module's docstring: three products of halves, and one by F/2.
    low, high = product(a0, b0, half), product(a1, b1, half)
    crossed = product(a1 ^ a0, b1 ^ b0, half)
    return (crossed ^ low) << bits | low ^ _by_top(high, half)


def _by_top(a: Numbers, bits: int) -> Numbers:
    """Return the nim product of ``a`` and F/2, where F is 2^(2 * bits), or 2 if ``bits`` is 0. ``a`` is below F."""
    if bits in (0, _TABLE_BITS):
        return _product(a, 1 << 2 * bits - 1, bits) if bits else a
    # Let G = 2^bits, and write a as a1 G + a0. In nimbers, F/2 = G (G/2) and G G = G + G/2. So the product of a and F/2
    # is (a1 + a0) (G/2) G + a1 (G/2) (G/2).
    a1, a0 = _split(a, bits)
    half = bits >> 1
    return _by_top(a1 ^ a0, half) << bits | _by_top(_by_top(a1, half), half)


def _square(a: Numbers, bits: int) -> Numbers:
    """Return the nim square of a number of at most ``2 * bits`` bits."""
    if bits == _TABLE_BITS:
        return _product(a, a, bits)
    # In a field of characteristic 2 the mixed products cancel: (a1 F + a0)^2 = a1^2 F^2 + a0^2.
    a1, a0 = _split(a, bits)
    half = bits >> 1
    high = _square(a1, half)
    return high << bits | _square(a0, half) ^ _by_top(high, half)


def _square_root(a: Numbers, bits: int) -> Numbers:
    """Return the nim square root of a number of at most ``2 * bits`` bits: the steps of :func:`_square`, reversed."""
    if bits == _TABLE_BITS:
        return _entry(_ROOTS, a)
    a1, a0 = _split(a, bits)
    half = bits >> 1
    return _square_root(a1, half) << bits | _square_root(a0 ^ _by_top(a1, half), half)


def _inverse(a: Numbers, bits: int) -> Numbers:
    """Return the nim inverse of a number of at most ``2 * bits`` bits."""
    # The conjugate of a1 F + a0 is a1 F + (a0 + a1). A number times its conjugate is its norm, which has only half as
    # many bits. So the inverse is the conjugate divided by the norm.
    if bits == _TABLE_BITS:
        return _entry(_INVERSES, a)
    a1, a0 = _split(a, bits)
    half = bits >> 1
    scale = _inverse(_norm(a, bits), half)
    return _product(a1, scale, half) << bits | _product(a0 ^ a1, scale, half)


def _norm(a: Numbers, bits: int) -> Numbers:
    """Return the norm of a number: the nim product of the number and its conjugate.

    The number has at most ``2 * bits`` bits, the norm at most ``bits`` bits. The conjugate is the nim power of the
    number with the exponent 2^bits.
    """
    a1, a0 = _split(a, bits)
    half = bits >> 1
    return _product(a0, a0 ^ a1, half) ^ _by_top(_square(a1, half), half)


def _power(a: int, exponent: int, bits: int) -> int:
    """Return a nim power of a number of at most ``2 * bits`` bits; the exponent is 0 or more."""
    if a < 2:
        return a if exponent else 1
    if bits == _TABLE_BITS:
        return int(_digit_by_digit(a, exponent, bits))
    # The power 2^bits + 1 is the norm: a^(q (2^bits + 1) + r) = norm(a)^q a^r.
    quotient, remainder = divmod(exponent, (1 << bits) + 1)
    of_norm = _power(_norm(a, bits), quotient, bits >> 1) if quotient else 1
    return int(_product(of_norm, _digit_by_digit(a, remainder, bits), bits))


def _digit_by_digit(a: Numbers, exponent: int, bits: int) -> Numbers:
    """Return a nim power by repeated squaring, with one product for each hexadecimal digit of the exponent."""
    powers: list[Numbers] = [1, a]
    while len(powers) < 1 << _DIGIT_BITS:
        powers.append(_product(powers[-1], a, bits))
    result: Numbers = 1
    # For each digit d, result becomes result^16 a^d.
    for digit in f"{exponent:x}":
        for _ in range(_DIGIT_BITS):
            result = _square(result, bits)
        result = _product(result, powers[int(digit, 16)], bits)
    return result


def _entry(table: int, index: Numbers) -> Numbers:
    of_numbers, of_arrays = _tables()[table]
    return of_numbers[index] if isinstance(index, int) else of_arrays[index]


_PRODUCTS, _INVERSES, _ROOTS = range(3)


@cache
def _tables() -> tuple[tuple[bytes, np.ndarray], ...]:
    """Return three tables for the numbers below 256: of products, of inverses and of square roots.

    The product of a and b is at index 256 * a + b. The entry for the inverse of 0 is 0. Each table is a pair with
    the same contents: bytes, to look up a single number, and an array, to look up an array of numbers.
    """
    numbers = np.arange(256, dtype=np.uint64)
    products = _from_bits(numbers[:, None], numbers, _TABLE_BITS)
    inverses = np.argmax(products == 1, axis=1).astype(np.uint64)
    # Squaring is a permutation of the numbers, and argsort inverts a permutation.
    roots = np.argsort(np.diagonal(products)).astype(np.uint64)
    return tuple((table.astype(np.uint8).tobytes(), table) for table in (products.ravel(), inverses, roots))


def _from_bits(a: Numbers, b: Numbers, bits: int) -> Numbers:
    """Return the nim product of numbers of at most ``2 * bits`` bits.

    If ``bits >= _TABLE_BITS``, :func:`_product` returns the same from a table, which is made with this function.
    """
    # With bits == 0 the numbers are 0 and 1; their product is their bitwise "and".
    return _of_halves(a, b, bits, _from_bits) if bits else a & b


def _words(a: ArrayLike) -> np.ndarray:
    """Return an array of integers as uint64; raise ParameterError for other types and for negative numbers."""
    numbers = np.asarray(a)
    if numbers.size and not np.issubdtype(numbers.dtype, np.integer):
        raise ParameterError("invalid dtype {dtype}: expected integers in 0..2**64-1", numbers.dtype)
    if numbers.size and int(numbers.min()) < 0:
        raise ParameterError("invalid number {number}: expected 0 or more", int(numbers.min()))
    return numbers.astype(np.uint64)


def _numbers(a: Any) -> Numbers:  # noqa: ANN401
    return a if isinstance(a, int) else _words(a)


def _array_power(bases: np.ndarray, exponent: ArrayLike) -> np.ndarray:
    """Return the nim power of each entry of ``bases``, by repeated squaring; the two arrays broadcast."""
    exponents = np.asarray(exponent)
    if exponents.size and not np.issubdtype(exponents.dtype, np.integer):
        raise ParameterError(
            "invalid dtype {dtype} of the exponents of a nim power: expected integers that fit in 64 bits",
            exponents.dtype,
        )
    bases, exponents = np.broadcast_arrays(bases, exponents)
    negative, zero = exponents < 0, bases == 0
    if (negative & zero).any():
        raise ZeroDivisionError(_NO_INVERSE)
    bits = _half_bits(bases)
    order = np.uint64((1 << 2 * bits) - 1)
    # The nonzero numbers are a group of this order: exponents are taken modulo ``order``, and -e becomes order - e.
    reduced = np.abs(exponents).astype(np.uint64) % order
    reduced = np.where(negative, (order - reduced) % order, reduced)
    results = np.where(zero & (exponents != 0), 0, 1).astype(np.uint64)
    while reduced.any():
        results = np.where(reduced & 1, _product(results, bases, bits), results)
        bases = _square(bases, bits)
        reduced = reduced >> np.uint64(1)
    return results


_TOKEN = re.compile(r"\s*(?:(?P<integer>[0-9]+)|(?P<word>(?:sqrt|mex|xor)\b)|(?P<sign>\*\*|[-+*/^(){},])|$)")
_XOR = ("+", "^", "xor")
_LATEX = {
    **dict.fromkeys(_XOR, r" \oplus "),
    "*": r" \otimes ",
    "sqrt": r"\operatorname{sqrt}",
    "mex": r"\operatorname{mex}",
    "{": r"\{",
    "}": r"\}",
    ",": ", ",
}
_NUMBER = Message("expected a number")
_MOST_DIGITS = 2000
"""The maximum number of digits of a number in an expression."""

_MOST_NESTED = 100
"""The maximum depth of nested brackets in an expression."""


@checks_parameters
def evaluate(text: str) -> int:
    """Return the value of an expression in nim arithmetic.

    Parameters
    ----------
    text : str
        Non-negative integers with ``+``, ``*``, ``/``, ``**``, ``sqrt()``, ``mex{}`` and parentheses. ``+``, ``^`` and
        ``xor`` all mean xor. ``**`` is the nim power. Its exponent is one ordinary integer of any sign: write
        a power of a power as ``(a**b)**c``. ``**`` binds closest, then ``*`` and ``/``, then the signs of xor. ``*3``
        is the nimber 3, the same as ``3``.

    Raises
    ------
    ParseError
        The syntax is wrong, or the expression divides by 0. The error names the column.
    ParameterError
        ``text`` is not a string.
    LimitError
        A number has more than 2000 digits. Or a number of more than 4096 bits is multiplied, divided, raised to a power
        or under a root. Or brackets are nested more than 100 deep.

    Examples
    --------
    >>> evaluate("4*4 + 19*23"), evaluate("sqrt(2)**2"), evaluate("1/(2 + 5)")
    (80, 2, 11)
    >>> evaluate("14 ^ 21"), evaluate("mex{0, 1, 2*3, 4}"), evaluate("*3 + *5")
    (27, 2, 6)
    """
    return _Expression(text).value()


@checks_parameters
def latex(text: str) -> str:
    r"""Return an expression in LaTeX, for use in a formula. The syntax is not checked.

    Examples
    --------
    >>> print(latex("2*3 ^ sqrt(6)**-1"))
    2 \otimes 3 \oplus \operatorname{sqrt}(6)^{-1}
    """
    # First write a power as ^<exponent>, and ^ as xor. Each remaining * is either a product, or the sign of a nimber as
    # in *3. It is the sign where no operator can stand: at the start, after one of ( { , + * / and after the r of xor.
    powers = re.sub(r"\s*\*\*\s*(-?)\s*([0-9]+)", r"^<\1\2>", " ".join(text.split()).replace("^", "xor"))
    powers = re.sub(r"(?:^|(?<=[+*/(,{r]))\s*\*\s*(?=[0-9])", r"\\ast ", powers)
    signs = re.sub(r"\s*(xor|sqrt|mex|[-+*,{}])\s*", lambda match: _LATEX.get(match[1], match[1]), powers)
    return re.sub(r"\^<(.*?)>", r"^{\1}", signs)


class _Expression:
    """A recursive-descent parser that computes the value of an expression while reading it.

    ``_token`` is the current token, which starts at index ``_start`` of the text and ends before ``_end``.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = self._depth = 0
        self._read()

    def value(self) -> int:
        total = self._sum()
        if self._token:
            raise self._error("expected +, *, /, ^, **, xor or the end of the expression")
        return total

    def _read(self) -> None:
        """Read the next token into ``_token``, which is empty at the end of the text."""
        match = _TOKEN.match(self._text, self._end)
        if match is None:
            rest = self._text[self._end :]
            self._start = self._end + len(rest) - len(rest.lstrip())
            raise self._error("expected a number, +, *, /, ^, **, xor, sqrt, mex, a comma or a bracket")
        self._token: str = match[match.lastgroup] if match.lastgroup else ""
        self._start = match.start(match.lastgroup or 0)
        self._end = match.end()

    def _take(self, *tokens: str) -> str:
        """If the current token is one of ``tokens``, return it and read the next token; otherwise return ""."""
        token = self._token
        if not token or token not in tokens:
            return ""
        self._read()
        return token

    def _sum(self) -> int:
        total = self._product()
        while self._take(*_XOR):
            total ^= self._product()
        return total

    def _product(self) -> int:
        total = self._power()
        while sign := self._take("*", "/"):
            start = self._start
            factor = self._power()
            if sign == "/" and factor == 0:
                raise self._error("division by 0", start)
            total = product(total, inverse(factor) if sign == "/" else factor)
        return total

    def _power(self) -> int:
        base = self._atom()
        if not self._take("**"):
            return base
        start = self._start
        sign = -1 if self._take("-") else 1
        exponent = sign * self._integer(Message("expected an integer as the exponent"))
        if self._token == "**":
            raise self._error("an exponent is one integer: a power of a power is written (a**b)**c")
        if base == 0 and exponent < 0:
            raise self._error("division by 0: a negative power of 0", start)
        return power(base, exponent)

    def _atom(self) -> int:
        if self._take("*"):
            return self._integer()
        if self._take("sqrt"):
            return square_root(self._bracket("()")[0])
        if self._take("mex"):
            values = set(self._bracket("{}" if self._token == "{" else "()", several=True))
            return next(number for number in range(len(values) + 1) if number not in values)
        return self._bracket("()")[0] if self._token == "(" else self._integer()

    def _bracket(self, signs: str, several: bool = False) -> list[int]:
        """Read a sum in brackets, or sums separated by commas if ``several`` is true; return the list of their values.

        ``signs`` are the opening and the closing bracket: "()" or "{}".
        """
        if self._depth == _MOST_NESTED:
            raise LimitError("parentheses are nested too deeply: expected at most {most} levels", _MOST_NESTED)
        opening, closing = signs[0], signs[1]
        if not self._take(opening):
            raise self._error(Message("expected { or (") if several else Message("expected {opening}", opening))
        if several and self._take(closing):
            return []
        self._depth += 1
        values = [self._sum()]
        while several and self._take(","):
            values.append(self._sum())
        self._depth -= 1
        if not self._take(closing):
            raise self._error(Message("expected , or {closing}" if several else "expected {closing}", closing))
        return values

    def _integer(self, expected: str = _NUMBER) -> int:
        token = self._token
        if not token.isdecimal():
            raise self._error(expected)
        if len(token) > _MOST_DIGITS:
            raise LimitError("a number of {count} digits is too large: at most {most}", len(token), _MOST_DIGITS)
        self._read()
        return int(token)

    def _error(self, message: str, start: int | None = None) -> ParseError:
        column = (self._start if start is None else start) + 1
        return ParseError(message, line=1, column=column, text=self._text)
