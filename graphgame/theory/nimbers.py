"""Nim arithmetic: the field of Grundy values, with xor as its addition.

The numbers below 2^(2^k) are a field for every k. Its product follows from two rules of Conway: a power 2^(2^k) times
any smaller number is their ordinary product, and its square is 3/2 of it. So a number splits into halves,
a = a1 F + a0 with F = 2^(2^k), and products of halves make up the product (three of them, as Karatsuba found).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from graphgame.errors import LimitError, Message

__all__ = ["MAX_BITS", "nim_inverse", "nim_power", "nim_product", "nim_products", "nim_square_root"]

MAX_BITS = 1 << 12
"""Bits of the largest numbers that are multiplied, which takes some hundredths of a second."""

_TABLE_BITS = 8
"""Bits of a half where the logarithms stand in a table."""

_ORDER = (1 << 2 * _TABLE_BITS) - 1
_GENERATOR = 258
"""The least number of which all numbers below 2^16 but 0 are nim powers."""

_BLOCK_BITS = 4
"""Bits of a half where the products of arrays stand in a table."""

_DIGIT = 4
"""Bits of an exponent that are taken at once."""


def nim_product(a: int, b: int) -> int:
    """Return the nim product of two numbers.

    Parameters
    ----------
    a, b : int
        0 or more, of at most :data:`MAX_BITS` bits.

    Raises
    ------
    ValueError
        A number is negative.
    LimitError
        A number is too large.

    Notes
    -----
    O(n^1.59) operations on machine words for n bits.

    References
    ----------
    J. H. Conway, On Numbers and Games (1976), chapter 6.

    Examples
    --------
    >>> nim_product(4, 4), nim_product(19, 23)
    (6, 86)
    >>> nim_product(2**64, 2**64) == 2**64 * 3 // 2
    True
    """
    return _product(a, b, max(_half_bits(a), _half_bits(b)))


def nim_inverse(a: int) -> int:
    """Return the number whose nim product with a is 1.

    Raises
    ------
    ZeroDivisionError
        a is 0.
    ValueError
        a is negative.
    LimitError
        a is too large.

    Examples
    --------
    >>> [nim_inverse(a) for a in range(1, 9)]
    [1, 3, 2, 15, 12, 9, 11, 10]
    """
    bits = _half_bits(a)
    if a == 0:
        raise ZeroDivisionError(Message("0 has no nim inverse"))
    return _inverse(a, bits)


def nim_square_root(a: int) -> int:
    """Return the one number whose nim square is a.

    Raises
    ------
    ValueError
        a is negative.
    LimitError
        a is too large.

    Examples
    --------
    >>> nim_square_root(6), nim_square_root(2)
    (4, 3)
    """
    return _square_root(a, _half_bits(a))


def nim_power(a: int, exponent: int) -> int:
    """Return a nim power of a; the exponent is an ordinary integer.

    Parameters
    ----------
    a : int
    exponent : int
        Of any size: it counts modulo the order of the field. A negative one asks for a power of the inverse.

    Raises
    ------
    ZeroDivisionError
        a is 0 and the exponent negative.
    ValueError
        a is negative.
    LimitError
        a is too large.

    Notes
    -----
    The power with the exponent 2^n + 1 is the norm, a number of half as many bits: a larger exponent is split by it.
    So n bits take about n/8 products.

    Examples
    --------
    >>> nim_power(2, 3), nim_power(4, -1), nim_power(7, 10**30)
    (1, 15, 2)
    """
    bits = _half_bits(a)
    if a == 0:
        if exponent < 0:
            raise ZeroDivisionError(Message("0 has no nim inverse"))
        return int(exponent == 0)
    return _power(a, exponent % ((1 << 2 * bits) - 1), bits)


def nim_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the nim products of arrays, entry by entry.

    Parameters
    ----------
    a, b : array_like of int
        Entries in 0..2**64-1; shapes that broadcast.

    Returns
    -------
    ndarray of uint64

    Raises
    ------
    ValueError
        An array is not of integers, or an entry is negative.

    Examples
    --------
    >>> numbers = np.arange(4)
    >>> nim_products(numbers[:, None], numbers).tolist()
    [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]
    """
    first, second = np.broadcast_arrays(_words(a), _words(b))
    largest = max(int(first.max(initial=0)), int(second.max(initial=0)))
    return _array_product(first, second, _half_bits(largest, _BLOCK_BITS))


def _half_bits(a: int, least: int = _TABLE_BITS) -> int:
    """Return half the bits of the least field of the recursion that holds a number: 8, 16, 32, ..."""
    if not isinstance(a, int):
        raise TypeError(
            Message("expected an int, got {value!r}: nim_products(a, b) multiplies arrays, int(a) is a number", a)
        )
    if a < 0:
        raise ValueError(Message("invalid number {number}: expected 0 or more", a))
    if a.bit_length() > MAX_BITS:
        raise LimitError(
            "a number of {bit_length} bits is too large: nim arithmetic takes at most {max_bits}",
            a.bit_length(),
            MAX_BITS,
        )
    return max(least, 1 << (a.bit_length() - 1).bit_length() - 1) if a > 1 else least


def _split(a: int, bits: int) -> tuple[int, int]:
    return a >> bits, a & ((1 << bits) - 1)


def _product(a: int, b: int, bits: int) -> int:
    """Multiply in the field of twice as many bits as a half has."""
    if a < 2 or b < 2:
        return a * b
    if bits == _TABLE_BITS:
        logarithm, power = _tables()
        return power[logarithm[a] + logarithm[b]]  # the powers stand there twice, which spares a remainder
    (a1, a0), (b1, b0) = _split(a, bits), _split(b, bits)
    half = bits >> 1
    low, high = _product(a0, b0, half), _product(a1, b1, half)
    crossed = _product(a1 ^ a0, b1 ^ b0, half)
    return (crossed ^ low) << bits | low ^ _by_top(high, half)


def _by_top(a: int, bits: int) -> int:
    """Multiply by the top bit of the field of twice so many bits: it is the half of the next power F."""
    if bits == _TABLE_BITS:
        return _product(a, 1 << 2 * bits - 1, bits)
    a1, a0 = _split(a, bits)
    half = bits >> 1
    return _by_top(a1 ^ a0, half) << bits | _by_top(_by_top(a1, half), half)


def _square(a: int, bits: int) -> int:
    if bits == _TABLE_BITS:
        return _product(a, a, bits)
    a1, a0 = _split(a, bits)
    half = bits >> 1
    high = _square(a1, half)
    return high << bits | _square(a0, half) ^ _by_top(high, half)


def _square_root(a: int, bits: int) -> int:
    if bits == _TABLE_BITS:
        return _power(a, (_ORDER + 1) // 2, bits)
    a1, a0 = _split(a, bits)
    half = bits >> 1
    return _square_root(a1, half) << bits | _square_root(a0 ^ _by_top(a1, half), half)


def _inverse(a: int, bits: int) -> int:
    """Invert by the norm: a times its conjugate lies in the field of half the bits."""
    if bits == _TABLE_BITS:
        return _power(a, _ORDER - 1, bits)
    a1, a0 = _split(a, bits)
    half = bits >> 1
    scale = _inverse(_norm(a, bits), half)
    return _product(a1, scale, half) << bits | _product(a0 ^ a1, scale, half)


def _norm(a: int, bits: int) -> int:
    """Return the product of a number and its conjugate, which is its power with the exponent 2^bits."""
    a1, a0 = _split(a, bits)
    half = bits >> 1
    return _product(a0, a0 ^ a1, half) ^ _by_top(_square(a1, half), half)


def _power(a: int, exponent: int, bits: int) -> int:
    if a < 2:
        return a if exponent else 1
    if bits == _TABLE_BITS:
        logarithm, power = _tables()
        return power[logarithm[a] * exponent % _ORDER]
    quotient, rest = divmod(exponent, (1 << bits) + 1)
    of_norm = _power(_norm(a, bits), quotient, bits >> 1) if quotient else 1
    return _product(of_norm, _digit_by_digit(a, rest, bits), bits)


def _digit_by_digit(a: int, exponent: int, bits: int) -> int:
    powers = [1, a]
    while len(powers) < 1 << _DIGIT:
        powers.append(_product(powers[-1], a, bits))
    result = 1
    for digit in f"{exponent:x}":
        for _ in range(_DIGIT):
            result = _square(result, bits)
        result = _product(result, powers[int(digit, 16)], bits)
    return result


@cache
def _tables() -> tuple[list[int], list[int]]:
    """Return the logarithm of each number below 2^16, that of 0 left out, and the powers for two logarithms' sum."""
    powers, next_power = np.ones(1, np.uint64), np.array([_GENERATOR], np.uint64)
    while len(powers) <= _ORDER:
        powers = np.append(powers, nim_products(powers, next_power))
        next_power = nim_products(next_power, next_power)
    powers = powers[:_ORDER]
    logarithm = np.zeros(_ORDER + 1, np.int64)
    logarithm[powers] = np.arange(_ORDER)
    return logarithm.tolist(), np.tile(powers, 2).tolist()


@cache
def _array_table() -> np.ndarray:
    numbers = np.arange(256, dtype=np.uint64)
    rows, columns = np.broadcast_arrays(numbers[:, None], numbers)
    return _array_of_halves(rows, columns, _BLOCK_BITS)


def _words(a: np.ndarray) -> np.ndarray:
    numbers = np.asarray(a)
    if numbers.size and not np.issubdtype(numbers.dtype, np.integer):
        raise ValueError(Message("invalid dtype {dtype}: expected integers in 0..2**64-1", numbers.dtype))
    if numbers.size and int(numbers.min()) < 0:
        raise ValueError(Message("invalid number {number}: expected 0 or more", int(numbers.min())))
    return numbers.astype(np.uint64)


def _array_product(a: np.ndarray, b: np.ndarray, bits: int) -> np.ndarray:
    if bits == _BLOCK_BITS:
        return np.asarray(_array_table()[a, b])
    return _array_of_halves(a, b, bits) if bits else a & b


def _array_of_halves(a: np.ndarray, b: np.ndarray, bits: int) -> np.ndarray:
    shift, mask, half = np.uint64(bits), np.uint64((1 << bits) - 1), bits >> 1
    a1, a0, b1, b0 = a >> shift, a & mask, b >> shift, b & mask
    low, high = _array_product(a0, b0, half), _array_product(a1, b1, half)
    crossed = _array_product(a1 ^ a0, b1 ^ b0, half)
    top = np.full_like(high, 1 << bits - 1)
    result: np.ndarray = (crossed ^ low) << shift | low ^ _array_product(high, top, half)
    return result
