"""Formulas as text, such as ``n % 4`` or ``floor(n*phi)``: parsed and worked out here, never run as Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import reduce
from math import gcd, isqrt
from operator import xor
from typing import Any, NamedTuple

import numpy as np

from graphgame.errors import Message, OptionError
from graphgame.labs.laws.statements import parsed

_LARGEST = 1 << 31
"""Numbers in between stay below its square, so that nothing overflows."""


def _zeckendorf(numbers: np.ndarray) -> np.ndarray:
    weights = [1, 2]
    while weights[-1] < np.max(numbers):
        weights.append(weights[-1] + weights[-2])
    rest, least = np.array(numbers), np.zeros_like(numbers)
    for weight in reversed(weights):
        least = np.where(rest >= weight, weight, least)
        rest = np.where(rest >= weight, rest - weight, rest)
    return least


_OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.BitXor: np.bitwise_xor,
    ast.BitAnd: np.bitwise_and,
    ast.BitOr: np.bitwise_or,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.And: np.logical_and,
    ast.Or: np.logical_or,
    ast.USub: np.negative,
    ast.Not: np.logical_not,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": lambda *parts: reduce(np.minimum, parts),
    "max": lambda *parts: reduce(np.maximum, parts),
    "xor": lambda *parts: reduce(np.bitwise_xor, parts),
    "gcd": lambda *parts: reduce(np.gcd, parts),
    "abs": np.abs,
    "zeckendorf": _zeckendorf,
    "popcount": np.bitwise_count,
    "bit_length": lambda part: np.frexp(part)[1],
    "v2": lambda part: np.frexp(part & -part)[1] - 1 if np.all(part) else _elsewhere(),
}


class _Elsewhere(Exception):  # noqa: N818
    """Something that is worked out number by number."""


def worth_of_arrays(tree: ast.expr, given: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return what a formula comes to for arrays of numbers; None where that must be worked out one by one.

    Parameters
    ----------
    tree : ast.expr
        As :func:`graphgame.labs.laws.statements.parsed` returns it.
    given : mapping of str to ndarray of int64
        Arrays that fit each other.
    """
    try:
        with np.errstate(all="raise"):
            found: np.ndarray = np.asarray(_worth(tree, given))
            return found
    except (_Elsewhere, ArithmeticError, IndexError, TypeError, ValueError):
        return None


def _worth(tree: ast.expr, given: Mapping[str, np.ndarray]) -> Any:  # noqa: ANN401
    match tree:
        case ast.Constant(int(value)) if abs(value) < _LARGEST:
            return np.asarray(value) if isinstance(value, bool) else np.int64(value)
        case ast.Name(name) if name in given:
            return given[name]
        case ast.BoolOp(operator, values):
            return reduce(_OPERATIONS[type(operator)], (_worth(each, given) for each in values))
        case ast.UnaryOp(operator, operand) if type(operator) in _OPERATIONS:
            return _OPERATIONS[type(operator)](_worth(operand, given))
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATIONS:
            return _joined(operator, _worth(left, given), _worth(right, given))
        case ast.Compare(left, operators, others):
            sides = [left, *others]
            pairs = zip(sides, operators, others, strict=False)
            return reduce(np.logical_and, (_compared(one, sign, two, given) for one, sign, two in pairs))
        case ast.IfExp(test, body, orelse):
            return _chosen(_worth(test, given), body, orelse, given)
        case ast.Subscript(ast.Tuple(items), index):
            place = _worth(index, given)
            cycle = np.array([_worth(item, {}) for item in items])
            return cycle[place] if np.min(place) >= 0 else _elsewhere()
        case ast.Call(ast.Name("floor"), [part], []):
            return _floor(*_surd(part, given))
        case ast.Call(ast.Name(name), parts, []) if name in _FUNCTIONS and parts:
            return np.asarray(_FUNCTIONS[name](*(_worth(each, given) for each in parts)), np.int64)
    return _elsewhere()


def _surd(tree: ast.expr, given: Mapping[str, np.ndarray]) -> tuple[Any, Any, int, int]:
    """Return a, b, d and k of the number (a + b sqrt(k)) / d."""
    match tree:
        case ast.Name("phi"):
            return 1, 1, 2, 5
        case ast.Call(ast.Name("sqrt"), [ast.Constant(int(square))], []) if 0 <= square < _LARGEST:
            return 0, 1, 1, square
        case ast.BinOp(left, ast.Div(), ast.Constant(int(divisor))) if 0 < divisor < _LARGEST:
            a, b, d, k = _surd(left, given)
            return a, b, d * divisor, k
        case ast.BinOp(left, ast.Mult() | ast.Add() | ast.Sub() as operator, right):
            one, two = _surd(left, given), _surd(right, given)
            if isinstance(operator, ast.Mult) and one[3] and two[3]:
                _elsewhere()
            if not isinstance(operator, ast.Mult):
                sign = -1 if isinstance(operator, ast.Sub) else 1
                if one[3] and two[3]:
                    _elsewhere()
                a, b = (x * two[2] + sign * y * one[2] for x, y in zip(one[:2], two[:2], strict=True))
            else:
                a, b = one[0] * two[0], one[0] * two[1] + one[1] * two[0]
            return a, b, one[2] * two[2], one[3] or two[3]
    return _worth(tree, given), 0, 1, 0


def _floor(a: Any, b: Any, d: int, k: int) -> np.ndarray:  # noqa: ANN401
    square = np.asarray(b, np.int64) ** 2 * k
    if np.max(np.abs(b)) >= 1 << 20 or k >= 1 << 10 or np.max(np.abs(a)) >= _LARGEST:
        _elsewhere()
    root = np.sqrt(square.astype(np.float64)).astype(np.int64)  # exact, for the square is below 2**50
    root = np.where(np.less(b, 0), -root - (root * root != square), root)
    found: np.ndarray = np.floor_divide(a + root, d)
    return found


def _elsewhere() -> Any:  # noqa: ANN401
    raise _Elsewhere


def _chosen(test: Any, body: ast.expr, orelse: ast.expr, given: Mapping[str, np.ndarray]) -> Any:  # noqa: ANN401
    """Work out each part where it counts: elsewhere it may have no value."""
    test = np.broadcast_to(np.not_equal(test, 0), np.broadcast_shapes(*(each.shape for each in given.values())))
    found = np.zeros(test.shape, np.int64)
    for where, part in ((test, body), (~test, orelse)):
        some = {name: np.broadcast_to(each, test.shape)[where] for name, each in given.items()}
        found[where] = _worth(part, some) if where.any() else 0
    return found


def _joined(operator: ast.operator, left: Any, right: Any) -> Any:  # noqa: ANN401
    if max(np.max(np.abs(left)), np.max(np.abs(right))) >= _LARGEST:
        _elsewhere()
    return _OPERATIONS[type(operator)](np.asarray(left, np.int64), np.asarray(right, np.int64))


def _compared(left: ast.expr, sign: ast.cmpop, right: ast.expr, given: Mapping[str, np.ndarray]) -> Any:  # noqa: ANN401
    first = _worth(left, given)
    if isinstance(sign, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set) and right.elts:
        found = reduce(np.logical_or, (np.equal(first, _worth(each, given)) for each in right.elts))
        return found if isinstance(sign, ast.In) else ~found
    if type(sign) not in _OPERATIONS:
        _elsewhere()
    return _OPERATIONS[type(sign)](first, _worth(right, given))


class ValueMissingError(OptionError):
    """A formula has no value for some numbers, for something is divided by 0, or a list is shorter."""


_DEEPEST = 10_000
"""Values at smaller numbers that may wait for each other."""

_MOST_KEPT = 1 << 20
_MOST_BITS = 10_000
"""A larger number in between ends the work."""

_ALLOWED = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Call, ast.Subscript, ast.Constant, ast.Name),
    *(ast.Tuple, ast.List, ast.Set, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)
_REFUSED = (ast.MatMult, ast.LShift, ast.RShift, ast.Is, ast.IsNot)

_XOR = re.compile(r"(\b(?!(?:and|or|not|in|if|else)\b)\w+\s+|[)\]]\s*)xor\b")
"""The word between two operands; without one before it, it is the function ``xor(a, b)``."""

_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def _v2(number: int) -> int:
    if number == 0:
        raise ZeroDivisionError(Message("v2(0), which every power of 2 divides"))
    return (number & -number).bit_length() - 1


def zeckendorf(number: int) -> int:
    """Return the least number of Zeckendorf's sum: of different Fibonacci numbers, no two of them consecutive.

    >>> zeckendorf(8 + 3 + 1), zeckendorf(21)
    (1, 21)
    """
    weights = [1, 2]
    while weights[-1] < number:
        weights.append(weights[-1] + weights[-2])
    least = 0
    for weight in reversed(weights):
        if weight <= number:
            number, least = number - weight, weight
    return least


CALLABLE = {
    "min": min,
    "max": max,
    "abs": abs,
    "gcd": gcd,
    "xor": lambda *numbers: reduce(xor, numbers, 0),
    "popcount": int.bit_count,
    "bit_length": int.bit_length,
    "v2": _v2,
    "zeckendorf": zeckendorf,
}
"""What a formula may call besides ``floor``; ``v2(n)`` is how often 2 divides n, ``zeckendorf(n)`` the least number of
Zeckendorf's sum."""


class _Wanted(Exception):  # noqa: N818
    """The value at a smaller number, which is worked out first."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Surd(NamedTuple):
    """The number (a + b sqrt(k)) / d, with d above 0."""

    a: int
    b: int
    d: int
    k: int

    def floor(self) -> int:
        square = self.b * self.b * self.k
        root = isqrt(square)
        if self.b < 0:
            root = -root - (root * root != square)
        return (self.a + root) // self.d

    def plus(self, other: _Surd, sign: int = 1) -> _Surd:
        a, b = (each * other.d + sign * its * self.d for each, its in ((self.a, other.a), (self.b, other.b)))
        return _Surd(a, b, self.d * other.d, self.k)

    def times(self, other: _Surd) -> _Surd:
        a = self.a * other.a + self.k * self.b * other.b
        return _Surd(a, self.a * other.b + self.b * other.a, self.d * other.d, self.k)


class Formula:
    """A formula in some names.

    Parameters
    ----------
    text : str
        Integers, the names, ``+ - * // % ** ^ & |`` as in Python (``^`` is xor, ``a xor b`` too; ``mod`` is ``%``),
        comparisons, ``in {1, 2}``, ``and``, ``or``, ``not``, ``x if c else y``, ``(3, 1, 2)[n % 3]``, the functions
        of :data:`CALLABLE`, and ``floor`` of products and sums with ``phi`` and ``sqrt(k)``, which is exact. Of one
        number n it may be a recurrence, where g(...) is the value at a number smaller than n.
    names : tuple of str

    Raises
    ------
    OptionError
        Something in the text is none of these.

    Examples
    --------
    >>> Formula("floor(n*phi) + (n % 3 == 0)", ("n",))(10**20)
    161803398874989484820
    >>> Formula("n // 2 if n % 2 = 0 else g(n // 2)", ("n",))(11)
    1
    >>> Formula("a = b + 1 or a in {7, 9}", ("a", "b"))(4, 3)
    True
    """

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self.text = text = _XOR.sub(r"\1^", text)
        self.names = names
        self._tree = parsed(text)
        calls = (each.func for each in ast.walk(self._tree) if isinstance(each, ast.Call))
        self.recurrent = names == (*names[:1],) != ("g",) and any(ast.unparse(call) == "g" for call in calls)
        self._known: dict[int, Any] = {}
        self._check(self._tree)

    def __call__(self, *numbers: int) -> Any:  # noqa: ANN401
        """Return the number, or whether it is so.

        Raises
        ------
        ValueMissingError
            There is no such number, for something is divided by 0, or a list is shorter.
        OptionError
            It is too large.
        """
        return self._recurred(*numbers) if self.recurrent else self._at(numbers)

    def _recurred(self, number: int) -> Any:  # noqa: ANN401
        """Return the value at a number, after those at smaller numbers that it takes."""
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        waiting = [number]
        while waiting:
            try:
                self._known[waiting[-1]] = self._at((waiting[-1],))
                waiting.pop()
            except _Wanted as wanted:
                waiting.append(wanted.number)
                if len(waiting) > _DEEPEST:
                    raise OptionError("{text} takes too many values at smaller numbers", self.text) from None
        return self._known[number]

    def _at(self, numbers: tuple[int, ...]) -> Any:  # noqa: ANN401
        given = dict(zip(self.names, numbers, strict=True))
        try:
            return self._plain(self._worth(self._tree, given))
        except (ArithmeticError, IndexError, TypeError, ValueError) as error:
            at = ", ".join(f"{name} = {number}" for name, number in given.items())
            kind = ValueMissingError if isinstance(error, (ZeroDivisionError, IndexError)) else OptionError
            raise kind(Message("{text} has no value at {at}: {error}", self.text, at, error)) from None

    def of_arrays(self, *numbers: np.ndarray) -> np.ndarray | None:
        """Return the numbers, or whether it is so, for arrays of them; None where it takes them one by one.

        >>> Formula("n % 4", ("n",)).of_arrays(np.arange(6))
        array([0, 1, 2, 3, 0, 1])
        """
        return worth_of_arrays(self._tree, dict(zip(self.names, numbers, strict=True)))

    def _check(self, tree: ast.AST) -> None:
        for each in ast.walk(tree):
            good = isinstance(each, _ALLOWED) and not isinstance(each, _REFUSED)
            if isinstance(each, ast.Constant):
                good = isinstance(each.value, int) and each.value.bit_length() <= _MOST_BITS
            elif isinstance(each, ast.Call):
                good = isinstance(each.func, ast.Name) and not each.keywords
            elif isinstance(each, ast.Name):
                good = each.id in {*self.names, *CALLABLE, "floor", "sqrt", "phi", *(["g"] if self.recurrent else [])}
            if not good:
                shown = ast.unparse(each) if isinstance(each, ast.expr) else type(each).__name__
                raise OptionError(
                    "not understood in a formula: {term!r}; the names are {names}, the functions floor, {functions}",
                    shown,
                    ", ".join(self.names),
                    ", ".join(sorted(CALLABLE)),
                )

    def _worth(self, tree: ast.expr, given: Mapping[str, int]) -> Any:  # noqa: ANN401
        match tree:
            case ast.Constant(value):
                return value
            case ast.Name("phi"):
                return _Surd(1, 1, 2, 5)
            case ast.Name(name) if name in given:
                return given[name]
            case ast.BoolOp(operator, values):
                every = isinstance(operator, ast.And)
                return (
                    all(self._worth(each, given) for each in values)
                    if every
                    else any(self._worth(each, given) for each in values)
                )
            case ast.UnaryOp(operator, operand):
                return self._signed(operator, self._worth(operand, given))
            case ast.BinOp(left, operator, right):
                return self._joined(operator, self._worth(left, given), self._worth(right, given))
            case ast.Compare(left, operators, others):
                sides = [self._worth(each, given) for each in (left, *others)]
                pairs = zip(sides, operators, sides[1:], strict=False)
                return all(_COMPARED[type(operator)](a, b) for a, operator, b in pairs)
            case ast.IfExp(test, body, orelse):
                return self._worth(body if self._worth(test, given) else orelse, given)
            case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
                return tuple(self._worth(each, given) for each in parts)
            case ast.Subscript(value, index):
                return self._worth(value, given)[self._plain(self._worth(index, given))]
            case ast.Call(ast.Name("g"), [part]) if self.recurrent:
                return self._earlier(self._plain(self._worth(part, given)), given[self.names[0]])
            case ast.Call(ast.Name(name), parts):
                return self._called(name, [self._worth(each, given) for each in parts])
        raise OptionError("not understood in a formula: {tree!r}", ast.unparse(tree))

    def _earlier(self, number: int, here: int) -> Any:  # noqa: ANN401
        if number >= here:
            raise ValueError(Message("g({number}) is no value at a smaller number", number))
        if number < 0:
            raise IndexError(f"g({number})")
        if number not in self._known:
            raise _Wanted(number)
        return self._known[number]

    def _called(self, name: str, numbers: list[Any]) -> Any:  # noqa: ANN401
        if name == "sqrt":
            (number,) = map(self._plain, numbers)
            return _Surd(0, 1, 1, number)
        if name == "floor":
            (number,) = numbers
            return number.floor() if isinstance(number, _Surd) else number
        try:
            return CALLABLE[name](*map(self._plain, numbers))  # type: ignore[operator]
        except (TypeError, KeyError):
            raise OptionError("{name} does not take {count} numbers", name, len(numbers)) from None

    @staticmethod
    def _signed(operator: ast.unaryop, number: Any) -> Any:  # noqa: ANN401
        if isinstance(operator, ast.Not):
            return not number
        if isinstance(operator, ast.Invert):
            return ~number
        if isinstance(number, _Surd):
            return number._replace(a=-number.a, b=-number.b) if isinstance(operator, ast.USub) else number
        return -number if isinstance(operator, ast.USub) else number

    def _joined(self, operator: ast.operator, left: Any, right: Any) -> Any:  # noqa: ANN401
        if isinstance(left, _Surd) or isinstance(right, _Surd):
            return self._irrational(operator, left, right)
        left, right = int(left), int(right)
        match operator:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                found = left * right
            case ast.FloorDiv():
                return left // right
            case ast.Mod():
                return left % right
            case ast.BitXor():
                return left ^ right
            case ast.BitAnd():
                return left & right
            case ast.BitOr():
                return left | right
            case ast.Pow():
                if right < 0 or right * left.bit_length() > _MOST_BITS:
                    raise OverflowError(f"{left}**{right}")
                found = left**right
            case _:
                raise OptionError("/ is not exact: write //")
        if found.bit_length() > _MOST_BITS:
            raise OverflowError(Message("a number of more than 3,000 digits"))
        return found

    @staticmethod
    def _irrational(operator: ast.operator, left: Any, right: Any) -> _Surd:  # noqa: ANN401
        root = (left if isinstance(left, _Surd) else right).k
        first, second = (each if isinstance(each, _Surd) else _Surd(int(each), 0, 1, root) for each in (left, right))
        if first.k != second.k:
            raise OptionError("two different irrational numbers in one floor")
        match operator:
            case ast.Add():
                return first.plus(second)
            case ast.Sub():
                return first.plus(second, -1)
            case ast.Mult():
                return first.times(second)
            case ast.Div() | ast.FloorDiv() if not second.b and second.a > 0:
                return _Surd(first.a * second.d, first.b * second.d, first.d * second.a, root)
            case ast.Pow() if (second.a, second.b, second.d) == (2, 0, 1):
                return first.times(first)
        raise OptionError("an irrational number stands in sums and products alone")

    def _plain(self, worth: Any) -> Any:  # noqa: ANN401
        if isinstance(worth, _Surd):
            raise OptionError("{text}: an irrational number: write floor(...)", self.text)
        if isinstance(worth, tuple):
            raise OptionError("{text}: several numbers, where one is meant", self.text)
        return worth
