"""Formulas as text, such as ``n % 4`` or ``floor(n*phi)``: parsed and evaluated here, never run as Python."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from math import gcd, isqrt
from typing import Any, NamedTuple

import numpy as np

from graphgame.errors import Message, ParameterError, plural, system_message

_PRIME = re.compile(r"\b([A-Za-z]\w*)'")
_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")
_MOD = re.compile(r"\bmod\b")
_MOST_CHARACTERS = 5_000
_MOST_NESTED = 120


def after(name: str) -> str:
    """Return the name of a number after a move, such as ``a_`` for a; statements write it with a prime."""
    return f"{name}_"


def as_written(text: str) -> str:
    """Return a text of Python as people write statements: with primes, and with ``=`` for ``==``.

    >>> as_written("a_ == a - 1")
    "a' = a - 1"
    """
    return re.sub(r"\b([A-Za-z]\w*)_(?!\w)", r"\1'", text).replace("==", "=")


def one_more(text: str, name: str) -> str:
    """Return a statement with ``name + 1`` in place of the number ``name``, before a move and after it.

    >>> one_more("a' < a and b' = b", "a")
    "(a' + 1) < (a + 1) and b' = b"
    """
    return re.sub(rf"\b({name}_\b|{name}\b'?)", r"(\1 + 1)", text)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a statement with other names of its numbers, before a move and after it (written with a prime).

    >>> renamed("a' < a and b' = b", {"a": "n"})
    "n' < n and b' = b"
    """
    return re.sub(r"[A-Za-z]\w*", lambda match: names.get(match[0], match[0]), text)


def parsed(text: str) -> ast.expr:
    """Return the syntax tree of a statement or a formula.

    ``=`` means ``==``, ``mod`` means ``%``, and a name with a prime, such as ``a'``, becomes the name ``a_``.

    Raises
    ------
    ParameterError
        The text is not an expression, is too long or too deeply nested, or joins a number by ``and`` or ``or``.
    """
    if len(text) > _MOST_CHARACTERS:
        raise ParameterError(
            "the formula or statement has {count} characters: expected at most {most}", len(text), _MOST_CHARACTERS
        )
    plain = _MOD.sub("%", _EQUALS.sub("==", _PRIME.sub(r"\1_", text)))
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ParameterError(
            "{text!r} is not a formula or statement: {error}", text, system_message(str(getattr(error, "msg", error)))
        ) from None
    level: list[ast.AST] = [tree]
    for _ in range(_MOST_NESTED):
        level = [part for each in level for part in ast.iter_child_nodes(each)]
    if level:
        raise ParameterError("the formula or statement is nested more than {most} levels deep", _MOST_NESTED)
    for part in (each for node in ast.walk(tree) if isinstance(node, ast.BoolOp) for each in node.values):
        if isinstance(part, ast.Constant) and type(part.value) is int:
            raise ParameterError(
                '{text!r}: the number {number} next to "and" or "or" is not a condition: write, for example, '
                "n in {0, 2} or n = 0 or n = 2",
                text,
                part.value,
            )
    return tree


def numbers_text(names: Iterable[str], numbers: Iterable[int]) -> str:
    """Return a text with each name and its number; a number after a move has a prime.

    >>> numbers_text(("a", "a_"), (3, 4))
    "a = 3, a' = 4"
    """
    return as_written(", ".join(f"{name} = {number}" for name, number in zip(names, numbers, strict=True)))


class ValueMissingError(ParameterError):
    """A :class:`Formula` has no value for some numbers.

    It divides by 0, takes ``v2(0)`` or ``g`` of a negative number, or has an index out of range, as in ``(3, 1)[n]``.
    """


_MOST_WAITING = 10_000
"""Maximum number of values of a recurrence that wait for values at smaller numbers."""

_MOST_CACHED = 1 << 20
"""If the cache of a recurrence has more values than this, it is cleared before the next call."""

_MOST_BITS = 10_000
"""Maximum number of bits of a constant or of an intermediate result."""

_ALLOWED = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Call, ast.Subscript, ast.Constant, ast.Name),
    *(ast.Tuple, ast.List, ast.Set, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)
_REFUSED = (ast.MatMult, ast.LShift, ast.RShift, ast.Is, ast.IsNot)

_XOR = re.compile(r"(\b(?!(?:and|or|not|in|if|else)\b)\w+\s+|[)\]]\s*)xor\b")
"""Matches the operator ``xor`` with the end of its left operand; without that, ``xor(a, b)`` is a function."""


def _power(left: Any, right: Any) -> int:  # noqa: ANN401
    left, right = operator.index(left), operator.index(right)
    if right < 0:
        raise OverflowError(f"{left}**{right}")
    if right * (left.bit_length() - 1) > _MOST_BITS:
        raise OverflowError(Message("a number has more than 3,000 digits"))
    return int(left**right)


_OPERATIONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Pow: _power,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
"""The operators, for numbers and, except ``**``, for arrays. There is no ``/``, which is not exact."""


def _v2(number: int) -> int:
    if number == 0:
        raise ZeroDivisionError(Message("v2(0) does not exist, because every power of 2 divides 0"))
    return (number & -number).bit_length() - 1


def zeckendorf(number: Any) -> Any:  # noqa: ANN401
    """Return the least term of a number's Zeckendorf sum: the Fibonacci numbers, no two consecutive, that add up to it.

    The result for 0 is 0. The number may be an array.

    >>> zeckendorf(8 + 3 + 1), zeckendorf(21), zeckendorf(np.array([0, 12, 21]))
    (1, 21, array([ 0,  1, 21]))
    """
    weights, rest, least = [1, 2], number, 0 * number
    while weights[-1] < np.max(number):
        weights.append(weights[-1] + weights[-2])
    # The greedy choice gives Zeckendorf's sum; ``fits`` is 0 or 1, so that a line works for arrays too.
    for weight in reversed(weights):
        fits = rest >= weight
        rest, least = rest - fits * weight, least + fits * (weight - least)
    return least


CALLABLE: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "gcd": gcd,
    "xor": lambda *numbers: reduce(operator.xor, numbers, 0),
    "popcount": int.bit_count,
    "bit_length": int.bit_length,
    "v2": _v2,
    "zeckendorf": zeckendorf,
}
"""The functions of formulas, besides ``floor`` and ``sqrt``. ``v2(n)`` is how often 2 divides n; ``zeckendorf(n)`` is
the least term of n's Zeckendorf sum."""

_OF_ARRAYS: dict[str, Callable[..., Any]] = CALLABLE | {
    "min": lambda *parts: reduce(np.minimum, parts),
    "max": lambda *parts: reduce(np.maximum, parts),
    "gcd": lambda *parts: reduce(np.gcd, parts),
    "popcount": np.bitwise_count,
    "bit_length": lambda part: np.frexp(part)[1],
    "v2": lambda part: np.frexp(part & -part)[1] - 1 if np.all(part) else _v2(0),
}
"""The functions of :data:`CALLABLE`, for arguments of which at least one is an array."""


class _ValueNeeded(Exception):  # noqa: N818
    """Raised where a recurrence needs its value at ``number``, which has not been computed yet."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Surd(NamedTuple):
    """The number (a + b sqrt(k)) / d, with d above 0; a and b may be arrays."""

    a: Any
    b: Any
    d: int
    k: int

    def floor(self) -> Any:  # noqa: ANN401
        """Return the largest integer not above the number; raise OverflowError if numbers in an array are too large."""
        root: Any
        square = self.b * self.b * self.k
        if not isinstance(square, np.ndarray):
            root = isqrt(square)
        elif np.max(np.abs(self.b)) < 1 << 20 and self.k < 1 << 10:
            root = np.sqrt(square.astype(np.float64)).astype(np.int64)  # exact, because the square is below 2**50
        else:
            raise OverflowError
        # For b < 0 the floor of -sqrt(square) is -root, or -root - 1 if the root is not exact.
        root -= (self.b < 0) * (2 * root + (root * root != square))
        return (self.a + root) // self.d

    def plus(self, other: _Surd, sign: int = 1) -> _Surd:
        a, b = (each * other.d + sign * its * self.d for each, its in ((self.a, other.a), (self.b, other.b)))
        return _Surd(a, b, self.d * other.d, self.k)

    def times(self, other: _Surd) -> _Surd:
        a = self.a * other.a + self.k * self.b * other.b
        return _Surd(a, self.a * other.b + self.b * other.a, self.d * other.d, self.k)


def _as_integers(number: Any) -> Any:  # noqa: ANN401
    """Return a number or a truth value as an int, or an array of them as an array of integers."""
    return number.astype(np.int64) if isinstance(number, np.ndarray) else int(number)


def _refuse_large(*numbers: Any) -> None:  # noqa: ANN401
    """Raise OverflowError if there is an array, and a number or an entry is too large for numpy's unchecked products.

    Too large is an absolute value of 2**31 or more. Without an array, Python's integers cannot overflow.
    """
    if any(isinstance(each, np.ndarray) for each in numbers) and max(np.max(np.abs(each)) for each in numbers) >> 31:
        raise OverflowError


def _all_or_any(parts: Iterable[Any], every: bool) -> Any:  # noqa: ANN401
    """Return whether all parts are true if ``every``, otherwise whether any is true; for arrays, entry by entry.

    Like Python, stop at the first part that decides and is not an array.
    """
    result: Any = every
    for part in parts:
        if isinstance(part, np.ndarray):
            result = np.logical_and(result, part) if every else np.logical_or(result, part)
        elif bool(part) != every:
            return not every
    return result


def _compared(sign: ast.cmpop, left: Any, right: Any) -> Any:  # noqa: ANN401
    """Return the result of a comparison; ``in`` and ``not in`` look for ``left`` among the items of ``right``."""
    among, tuples = isinstance(sign, ast.In), isinstance(left, tuple) or isinstance(right, tuple)
    if isinstance(right, np.ndarray) and (tuples or type(sign) not in _OPERATIONS):
        raise TypeError
    if among or isinstance(sign, ast.NotIn):
        return _all_or_any((_compared(ast.Eq() if among else ast.NotEq(), left, each) for each in right), not among)
    # A number cannot be compared with a tuple. numpy would compare the array with the items of the tuple instead.
    if isinstance(left, np.ndarray) and tuples:
        raise TypeError
    return _OPERATIONS[type(sign)](left, right)


_NO_VALUE = (ArithmeticError, IndexError, TypeError, ValueError)
"""The exceptions that the evaluation of a formula raises if it has no value."""


class Formula:
    """A formula for a value or a truth value, in names for numbers.

    Parameters
    ----------
    text : str
        Integers, the names, ``+ - * // % ** ^ & | ~`` as in Python (``^`` is xor, ``a xor b`` too; ``mod`` is ``%``),
        comparisons, ``in {1, 2}``, ``and``, ``or``, ``not``, ``x if c else y``, ``(3, 1, 2)[n % 3]``, the functions
        of :data:`CALLABLE`, and ``floor`` of terms with ``phi`` or ``sqrt(k)``, which is exact; only such a term may be
        divided by ``/``, and only by a positive integer. A formula with one name may be a recurrence: g(...) is its own
        value at a smaller number.
    names : tuple of str
        A number after a move has a name such as ``a_``; the text has ``a'``.

    Raises
    ------
    ParameterError
        The text contains any other name, function or operator, is no expression, is too long or is nested too deeply.

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
        self._computed: dict[int, Any] = {}
        self._check(self._tree)

    def __call__(self, *numbers: int) -> Any:  # noqa: ANN401
        """Return the value of the formula, a number or a truth value.

        Raises
        ------
        ValueMissingError
            The formula divides by 0, takes ``v2(0)`` or g of a negative number, or has an index that is out of range.
        ParameterError
            A number is too large, a term is not an integer, or a recurrence needs too many values or g of a number that
            is not smaller.
        """
        if not self.recurrent:
            return self._at(numbers)
        if len(self._computed) > _MOST_CACHED:
            self._computed.clear()
        # A stack of the numbers whose values are needed: recurrences can be deeper than Python's recursion limit. If a
        # number needs a missing value, compute that value first, then try the number again. All values are cached.
        waiting = [*numbers]
        while waiting:
            try:
                self._computed[waiting[-1]] = self._at((waiting[-1],))
                waiting.pop()
            except _ValueNeeded as needed:
                waiting.append(needed.number)
                if len(waiting) > _MOST_WAITING:
                    raise ParameterError(
                        "{formula} needs the values g(...) of too many smaller numbers", self.text
                    ) from None
        return self._computed[numbers[0]]

    def _at(self, numbers: tuple[int, ...]) -> Any:  # noqa: ANN401
        by_name = dict(zip(self.names, numbers, strict=True))
        try:
            return self._as_number(self._value(self._tree, by_name))
        except _NO_VALUE as error:
            kind = ValueMissingError if isinstance(error, (ZeroDivisionError, IndexError)) else ParameterError
            at = numbers_text(by_name, by_name.values())
            raise kind(Message("{formula} has no value at {position}: {error}", self.text, at, error)) from None

    def of_arrays(self, *numbers: np.ndarray) -> np.ndarray | None:
        """Return the values of the formula for arrays of numbers.

        The result is None if the formula has no value for an entry, if a number is too large for numpy's integers, or
        if the formula cannot be evaluated for arrays, such as a recurrence. The result may be an array without axes,
        for example if the formula contains no name.

        >>> Formula("n % 4", ("n",)).of_arrays(np.arange(6))
        array([0, 1, 2, 3, 0, 1])
        """
        try:
            with np.errstate(all="raise"):
                values: np.ndarray = np.asarray(self._value(self._tree, dict(zip(self.names, numbers, strict=True))))
                return values
        except (ParameterError, *_NO_VALUE):
            return None

    def _check(self, tree: ast.AST) -> None:
        """Raise ParameterError if the formula contains an unknown name, or a part that is never allowed."""
        names = {*self.names, *CALLABLE, "floor", "sqrt", "phi"} | ({"g"} if self.recurrent else set())
        for each in ast.walk(tree):
            allowed = isinstance(each, _ALLOWED) and not isinstance(each, _REFUSED)
            if isinstance(each, ast.Constant):
                allowed = isinstance(each.value, int) and each.value.bit_length() <= _MOST_BITS
            elif isinstance(each, ast.Call):
                is_number = isinstance(each.func, ast.Name) and each.func.id in (*self.names, "phi")
                allowed = isinstance(each.func, ast.Name) and not is_number and not each.keywords
            elif isinstance(each, ast.Name):
                allowed = each.id in names
            if not allowed:
                shown = as_written(ast.unparse(each)) if isinstance(each, ast.expr) else type(each).__name__
                raise ParameterError(
                    "a formula cannot contain {term!r}: it may use the names {names}, the functions floor, {functions} "
                    "and, inside floor, phi and sqrt",
                    shown,
                    as_written(", ".join(self.names)),
                    ", ".join(sorted(CALLABLE)),
                )

    # The same code evaluates a formula for numbers and for arrays. A step that is not possible for arrays, such as a
    # power or a negative index, raises an exception, and :meth:`of_arrays` returns None.
    def _value(self, tree: ast.expr, numbers: Mapping[str, Any]) -> Any:  # noqa: ANN401
        match tree:
            case ast.Constant(value):
                return value
            case ast.Name("phi"):
                return _Surd(1, 1, 2, 5)
            case ast.Name(name) if name in numbers:
                return numbers[name]
            case ast.BoolOp(joint, values):
                return _all_or_any((self._value(each, numbers) for each in values), isinstance(joint, ast.And))
            case ast.UnaryOp(sign, operand):
                return self._unary(sign, self._value(operand, numbers))
            case ast.BinOp(left, joint, right):
                return self._binary(joint, self._value(left, numbers), self._value(right, numbers))
            case ast.Compare(left, signs, others):
                sides = [self._value(each, numbers) for each in (left, *others)]
                for irrational in (side for side in sides if isinstance(side, _Surd)):
                    self._as_number(irrational)  # raises an error: irrational numbers cannot be compared
                return _all_or_any(map(_compared, signs, sides, sides[1:]), True)
            case ast.IfExp(test, body, orelse):
                tested = self._value(test, numbers)
                if isinstance(tested, np.ndarray):
                    return self._conditional(tested != 0, body, orelse, numbers)
                return self._value(body if tested else orelse, numbers)
            case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
                return tuple(self._value(each, numbers) for each in parts)
            case ast.Subscript(value, index):
                items, indices = self._value(value, numbers), _as_integers(self._as_number(self._value(index, numbers)))
                if isinstance(indices, np.ndarray):
                    if indices.min() < 0:
                        raise IndexError
                    return np.array([operator.index(item) for item in items])[indices]
                return items[indices]
            case ast.Call(ast.Name("g"), [part]) if self.recurrent:
                return self._smaller_value(self._as_number(self._value(part, numbers)), numbers[self.names[0]])
            case ast.Call(ast.Name(name), parts):
                return self._function_value(name, [self._value(each, numbers) for each in parts])
        raise ParameterError("a formula cannot contain {term!r}", as_written(ast.unparse(tree)))

    def _conditional(self, test: Any, body: ast.expr, orelse: ast.expr, numbers: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Return the values of ``body if test else orelse``, entry by entry; ``test`` is a boolean array.

        ``numbers`` maps names to arrays. Each branch is evaluated only for the entries that choose it: elsewhere it may
        have no value, as n // k for k = 0.
        """
        test = np.broadcast_to(test, np.broadcast_shapes(*(each.shape for each in numbers.values())))
        result = np.zeros(test.shape, np.int64)
        for where, part in ((test, body), (~test, orelse)):
            some = {name: np.broadcast_to(each, test.shape)[where] for name, each in numbers.items()}
            result[where] = _as_integers(self._value(part, some)) if where.any() else 0
        return result

    def _smaller_value(self, number: int, here: int) -> Any:  # noqa: ANN401
        if number >= here:
            raise ValueError(Message("a formula for g may contain g only at smaller numbers, not g({number})", number))
        if number < 0:
            raise IndexError(f"g({number})")
        if number not in self._computed:
            raise _ValueNeeded(number)
        return self._computed[number]

    def _function_value(self, name: str, numbers: list[Any]) -> Any:  # noqa: ANN401
        if name == "sqrt" and len(numbers) == 1:
            return _Surd(0, 1, 1, self._as_number(numbers[0]))
        if name == "floor" and len(numbers) == 1:
            return numbers[0].floor() if isinstance(numbers[0], _Surd) else numbers[0]
        of_arrays = any(isinstance(number, np.ndarray) for number in numbers)
        try:
            value = (_OF_ARRAYS if of_arrays else CALLABLE)[name](*map(self._as_number, numbers))
        except (TypeError, KeyError):
            count = plural(len(numbers), "number")
            raise ParameterError("the function {name} cannot be called with {numbers}", name, count) from None
        return np.asarray(value, np.int64) if of_arrays else value

    def _unary(self, sign: ast.unaryop, number: Any) -> Any:  # noqa: ANN401
        if isinstance(sign, ast.Not):
            return np.logical_not(number) if isinstance(number, np.ndarray) else not number
        if isinstance(sign, ast.Invert):
            return ~_as_integers(number)
        return self._binary(ast.Mult(), -1, number) if isinstance(sign, ast.USub) else number

    def _binary(self, joint: ast.operator, left: Any, right: Any) -> Any:  # noqa: ANN401
        if isinstance(left, _Surd) or isinstance(right, _Surd):
            return self._irrational(joint, left, right)
        # True and False count as 1 and 0, as in Python.
        left, right = _as_integers(left), _as_integers(right)
        _refuse_large(left, right)
        if type(joint) not in _OPERATIONS:
            raise ParameterError("the division / is not exact: write //, which rounds down")
        result = _OPERATIONS[type(joint)](left, right)
        if isinstance(result, int) and result.bit_length() > _MOST_BITS:
            raise OverflowError(Message("a number has more than 3,000 digits"))
        return result

    @staticmethod
    def _irrational(joint: ast.operator, left: Any, right: Any) -> Any:  # noqa: ANN401
        root = (left if isinstance(left, _Surd) else right).k
        first, second = (
            each if isinstance(each, _Surd) else _Surd(_as_integers(each), 0, 1, root) for each in (left, right)
        )
        if first.k != second.k:
            raise ParameterError(
                "a term contains two different irrational numbers: expected at most one in each floor(...)"
            )
        _refuse_large(*first, *second)
        match joint:
            case ast.Add():
                return first.plus(second)
            case ast.Sub():
                return first.plus(second, -1)
            case ast.Mult():
                return first.times(second)
            case ast.Div() | ast.FloorDiv() if not second.b and second.a > 0:
                quotient = _Surd(first.a * second.d, first.b * second.d, first.d * second.a, root)
                return quotient if isinstance(joint, ast.Div) else quotient.floor()
            case ast.Pow() if (second.a, second.b, second.d) == (2, 0, 1):
                return first.times(first)
        raise ParameterError(
            "an irrational number, such as phi, may stand only in sums, products, squares and quotients by a positive "
            "integer"
        )

    def _as_number(self, worth: Any) -> Any:  # noqa: ANN401
        if isinstance(worth, _Surd):
            raise ParameterError("{formula}: a term contains phi or sqrt: write floor(...) around it", self.text)
        if isinstance(worth, tuple):
            raise ParameterError("{formula}: a list of numbers stands where one number is expected", self.text)
        return worth


_SIGNS: dict[type[ast.AST], str] = {
    ast.Mod: r"\bmod",
    ast.BitXor: r"\oplus",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
    ast.Lt: "<",
    ast.LtE: r"\le",
    ast.Gt: ">",
    ast.GtE: r"\ge",
    ast.In: r"\in",
    ast.NotIn: r"\notin",
    ast.And: r"\text{ and }",
    ast.Or: r"\text{ or }",
    ast.BitAnd: r"\mathbin{\&}",
    ast.BitOr: r"\mathbin{|}",
}
_BRACKETS = {"abs": "|{}|", "floor": r"\left\lfloor {} \right\rfloor", "sqrt": r"\sqrt{{{}}}", "g": "g({})"}
_CONDITION, _SIDE, _TERM, _FACTOR, _POWER, _ATOM = range(1, 7)
"""How strongly a part of a formula must bind to stand without parentheses in a condition, a comparison, a sum, ..."""
_STRENGTHS: dict[type[ast.AST], int] = {
    **dict.fromkeys((ast.Compare, ast.Not), _CONDITION),
    **dict.fromkeys((ast.Mod, ast.BitXor, ast.BitAnd, ast.BitOr, ast.USub), _SIDE),
    **dict.fromkeys((ast.Add, ast.Sub), _TERM),
    **dict.fromkeys((ast.Mult, ast.Div), _FACTOR),
    **dict.fromkeys((ast.IfExp, ast.BoolOp), 0),
    ast.Pow: _POWER,
}


def formula_latex(text: str) -> str:
    r"""Return a formula as LaTeX for math mode.

    Examples
    --------
    >>> print(formula_latex("0 if n = 0 else 4*(n // 4) + (0, 2)[n % 2]"))
    \begin{cases} 0 & n = 0 \\ 4 \lfloor n / 4 \rfloor + (0, 2)_{n \bmod 2} & \text{else} \end{cases}
    """
    return _latex(parsed(text))


def _latex(tree: ast.AST) -> str:
    match tree:
        case ast.Name("phi"):
            return r"\varphi"
        case ast.Name(name):
            return name.replace("_", "'")
        case ast.Constant(value):
            return rf"\text{{{value}}}" if isinstance(value, bool) else str(value)
        case ast.BoolOp(operator, values):
            return f" {_SIGNS[type(operator)]} ".join(_bound(value, _CONDITION) for value in values)
        case ast.UnaryOp(ast.Not(), operand):
            return rf"\text{{not }} {_bound(operand, _ATOM)}"
        case ast.UnaryOp(ast.USub(), operand):
            return f"-{_bound(operand, _ATOM)}"
        case ast.Compare(left, operators, others):
            signs = (_SIGNS.get(type(operator), "?") for operator in operators)
            return _side(left) + "".join(f" {sign} {_side(other)}" for sign, other in zip(signs, others, strict=True))
        case ast.BinOp(left, ast.FloorDiv(), right):
            return rf"\lfloor {_bound(left, _ATOM)} / {_bound(right, _ATOM)} \rfloor"
        case ast.BinOp(left, ast.Div(), right):
            return rf"\frac{{{_latex(left)}}}{{{_latex(right)}}}"
        case ast.BinOp(left, ast.Pow(), right):
            return f"{_bound(left, _ATOM)}^{{{_latex(right)}}}"
        case ast.BinOp(left, ast.Mult(), right):
            factor = _bound(right, _FACTOR)
            sign = r" \cdot " if factor[0].isdigit() else " "
            return f"{_bound(left, _FACTOR)}{sign}{factor}"
        case ast.BinOp(left, ast.Add(), right):
            return f"{_bound(left, _TERM)} + {_bound(right, _TERM)}"
        case ast.BinOp(left, ast.Sub(), right):
            # a - (b + c) needs its parentheses, a + (b - c) does not.
            return f"{_bound(left, _TERM)} - {_bound(right, _FACTOR)}"
        case ast.BinOp(ast.BinOp(op=ast.BitXor()) as left, ast.BitXor(), right):
            return rf"{_latex(left)} \oplus {_bound(right, _ATOM)}"
        case ast.BinOp(left, operator, right):
            return f"{_bound(left, _ATOM)} {_SIGNS.get(type(operator), '?')} {_bound(right, _ATOM)}"
        case ast.IfExp(test, body, orelse):
            rows = [rf"{_latex(body)} & {_latex(test)}"]
            # "x if c else y if d else z" becomes one list of three cases.
            while isinstance(orelse, ast.IfExp):
                rows.append(rf"{_latex(orelse.body)} & {_latex(orelse.test)}")
                orelse = orelse.orelse
            rows.append(rf"{_latex(orelse)} & \text{{else}}")
            return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
        case ast.Tuple(items):
            return f"({', '.join(map(_latex, items))})"
        case ast.Subscript(value, index):
            return f"{_latex(value)}_{{{_latex(index)}}}"
        case ast.Call(ast.Name(name), [part]) if name in _BRACKETS:
            return _BRACKETS[name].format(_latex(part))
        case ast.Call(ast.Name(name), parts):
            function = rf"\{name}" if name in ("min", "max", "gcd") else rf"\operatorname{{{name.replace('_', ' ')}}}"
            return f"{function}({', '.join(map(_latex, parts))})"
    return rf"\text{{{ast.unparse(tree)}}}"


def _bound(tree: ast.expr, least: int) -> str:
    """Return a part of a formula as LaTeX, in parentheses if it binds less strongly than ``least``."""
    kind = type(tree.op) if isinstance(tree, ast.BinOp | ast.UnaryOp) else type(tree)
    latex = _latex(tree)
    return latex if _STRENGTHS.get(kind, _ATOM) >= least else f"({latex})"


def _side(tree: ast.expr) -> str:
    """Return one side of a comparison as LaTeX; a list after ``in`` becomes a set."""
    if isinstance(tree, ast.Tuple | ast.List | ast.Set):
        return rf"\{{{', '.join(map(_latex, tree.elts))}\}}"
    return _bound(tree, _SIDE)
