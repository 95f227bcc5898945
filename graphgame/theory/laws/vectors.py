"""Formulas and statements worked out for whole arrays of numbers at once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

__all__ = ["worth_of_arrays"]

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
        As :func:`graphgame.theory.laws.statements.parsed` returns it.
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
