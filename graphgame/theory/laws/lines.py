"""Moves of which only the difference of the numbers matters, as lines of differences and a few more."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from graphgame.errors import OptionError
from graphgame.rules.declared import DeclaredMoves
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.statements import after, parsed

__all__ = ["DifferenceLine", "MoveLines", "lines_of"]

_MOST = 400
_SHORTEST = 8
_BLOCK = 1 << 18


class DifferenceLine(NamedTuple):
    """The differences ``point + t direction`` for all integers t for which they lower the total."""

    direction: tuple[int, ...]
    point: tuple[int, ...]


class MoveLines(NamedTuple):
    """The differences that moves make: lines, and others one by one; and where one may move at all."""

    lines: list[DifferenceLine]
    others: list[tuple[int, ...]]
    guard: str = "True"


def lines_of(moves: DeclaredMoves, size: int) -> MoveLines | None:
    """Return the differences of numbers below a size that moves make; None where more than these decide, or too many.

    Raises
    ------
    OptionError
        A move does not lower the total.

    Examples
    --------
    >>> lines_of(DeclaredMoves(("n",), ("n - n' in {1, 3}",)), 30)
    MoveLines(lines=[], others=[(1,), (3,)], guard='True')
    >>> lines_of(DeclaredMoves(("a", "b"), ("a' < a and a - a' = b - b'",)), 30).lines
    [DifferenceLine(direction=(1, 1), point=(1, 1))]
    """
    parts = [_split(parsed(text), moves.names) for text in moves.moves]
    guards = {guard for guard, _ in parts}
    if len(guards) > 1 or not all(_is_of_differences(rest, moves.names) for _, rest in parts):
        return None
    whole = _differences([ast.unparse(rest) for _, rest in parts], moves.names, size)
    if whole is None:
        return None
    weights = np.array(moves.weights)
    lowers = sum(
        (np.arange(1 - size, size) * weight).reshape([-1 if place == axis else 1 for place in range(whole.ndim)])
        for axis, weight in enumerate(weights)
    )
    if (whole & (np.asarray(lowers) <= 0)).any():
        raise OptionError("a move that does not lower the total of the numbers: play need not end")
    directions = [way for way in product((1, 0, -1), repeat=whole.ndim) if np.dot(way, weights) > 0]
    left, found = whole.copy(), MoveLines([], [], *guards)
    while (place := int(left.argmax())) or left.flat[0]:
        point = np.array(np.unravel_index(place, whole.shape))
        for way in directions:
            line = _points(point, way, size)
            counts = np.asarray(lowers)[line] > 0
            if counts.sum() >= _SHORTEST and (whole[line] | ~counts).all():
                found.lines.append(DifferenceLine(way, tuple((point - size + 1).tolist())))
                left[line] = False
                break
        else:
            found.others.append(tuple((point - size + 1).tolist()))
            left[tuple(point)] = False
        if len(found.lines) + len(found.others) > _MOST:
            return None
    return found


def _points(point: np.ndarray, way: tuple[int, ...], size: int) -> tuple[np.ndarray, ...]:
    """Return the places of a line within the table of differences."""
    last = 2 * size - 2
    ahead = min(int(last - at if step > 0 else at) for at, step in zip(point, way, strict=True) if step)
    back = min(int(at if step > 0 else last - at) for at, step in zip(point, way, strict=True) if step)
    along = np.arange(-back, ahead + 1)
    return tuple(at + step * along for at, step in zip(point, way, strict=True))


def _split(tree: ast.expr, names: tuple[str, ...]) -> tuple[str, ast.expr]:
    """Return the parts of a statement about the numbers before a move alone, as text, and the others."""
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    before = [all(each.id in names for each in ast.walk(part) if isinstance(each, ast.Name)) for part in parts]
    guard = " and ".join(f"({ast.unparse(part)})" for part, alone in zip(parts, before, strict=True) if alone)
    rest = [part for part, alone in zip(parts, before, strict=True) if not alone]
    return guard or "True", ast.BoolOp(ast.And(), rest) if len(rest) > 1 else rest[0] if rest else ast.Constant(True)


def _differences(texts: list[str], given: tuple[str, ...], size: int) -> np.ndarray | None:
    """Return for all differences between numbers below a size whether they are moves; None where arrays do not do."""
    names = (*given, *map(after, given))
    formulas = [Formula(text, names) for text in texts]
    shape = (2 * size - 1,) * len(given)
    found = np.zeros(shape, bool)
    flat = found.reshape(-1)
    for start in range(0, flat.size, _BLOCK):
        places = np.unravel_index(np.arange(start, min(start + _BLOCK, flat.size)), shape)
        numbers = [place.astype(np.int64) + 1 for place in places]  # a difference and the size, which is left
        for formula in formulas:
            said = formula.of_arrays(*numbers, *(np.full_like(numbers[0], size) for _ in shape))
            if said is None:
                return None
            flat[start : start + _BLOCK] |= said
    return found


def _is_of_differences(tree: ast.expr, names: tuple[str, ...]) -> bool:
    match tree:
        case ast.Constant(bool()):
            return True
        case ast.BoolOp(_, parts):
            return all(_is_of_differences(part, names) for part in parts)
        case ast.UnaryOp(ast.Not(), part):
            return _is_of_differences(part, names)
        case ast.Compare(left, _, others):
            sides = [left, *others]
            pairs = zip(sides, others, strict=False)
            return all(_cancels(_apart(one, each), names) for one, two in pairs for each in _items(two))
    return False


def _items(tree: ast.expr) -> list[ast.expr]:
    return tree.elts if isinstance(tree, ast.Tuple | ast.List | ast.Set) else [tree]


def _apart(one: ast.expr, two: ast.expr) -> Mapping[str, int] | None:
    return _factors(ast.BinOp(one, ast.Sub(), two))


def _cancels(factors: Mapping[str, int] | None, names: tuple[str, ...]) -> bool:
    return factors is not None and all(factors.get(name, 0) == -factors.get(after(name), 0) for name in names)


def _factors(tree: ast.expr) -> Mapping[str, int] | None:
    """Return the factor of each name in a sum; None if it is none. What is worked out of differences has none."""
    match tree:
        case ast.Constant(int()):
            return {}
        case ast.Name(name):
            return {name: 1}
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            one, two = _factors(left), _factors(right)
            sign = 1 if isinstance(operator, ast.Add) else -1
            if one is None or two is None:
                return None
            return {name: one.get(name, 0) + sign * two.get(name, 0) for name in {*one, *two}}
        case ast.BinOp(ast.Constant(int(times)), ast.Mult(), term) | ast.BinOp(
            term, ast.Mult(), ast.Constant(int(times))
        ):
            inner = _factors(term)
            return None if inner is None else {name: times * factor for name, factor in inner.items()}
        case ast.UnaryOp(ast.USub(), term):
            inner = _factors(term)
            return None if inner is None else {name: -factor for name, factor in inner.items()}
        case ast.BinOp(term, ast.Mod() | ast.FloorDiv(), ast.Constant(int())) | ast.Call(ast.Name("abs"), [term], []):
            inner = _factors(term)
            names = {name.removesuffix("_") for name in inner or ()}
            return {} if _cancels(inner, tuple(names)) else None
    return None
