"""Moves of which only the difference of the numbers matters, as rays."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np

from graphgame.errors import OptionError
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.rays import Ray
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.statements import after, parsed

__all__ = ["MoveRays", "rays_of"]

_MOST = 400
_SHORTEST = 8
_STEEPEST = 5
_BLOCK = 1 << 18


class MoveRays(NamedTuple):
    """The rays that moves make, and where one may move at all."""

    rays: list[Ray]
    guard: str = "True"


def rays_of(moves: DeclaredMoves, size: int) -> MoveRays | None:
    """Return rays that are the moves between numbers below a size; None where not only differences decide, or too many.

    Raises
    ------
    OptionError
        A move does not lower the total.

    Examples
    --------
    >>> rays_of(DeclaredMoves(("n",), ("n - n' in {1, 3}",)), 30)
    MoveRays(rays=[Ray((1,)), Ray((3,))], guard='True')
    >>> rays_of(DeclaredMoves(("a", "b"), ("a' < a and a - a' = b - b'",)), 30).rays
    [Ray((1, 1), (1, 1))]
    >>> rays_of(DeclaredMoves(("a", "b"), ("a' < a and b' <= b",)), 30).rays
    [Ray((1, 0), (1, 0), (0, 1))]
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
    ways = [way for way in _ways(whole.ndim) if np.dot(way, weights) > 0]
    left, rays = whole.copy(), []
    known: set[tuple[tuple[int, ...], ...]] = set()
    while (place := int(left.argmax())) or left.flat[0]:
        first = tuple(int(each) for each in np.unravel_index(place, whole.shape))
        first, steps, region = _ray(whole, first, ways, known)
        known.add(steps)
        rays.append(Ray(np.subtract(first, size - 1).tolist(), *steps))
        left &= ~region
        if len(rays) > _MOST:
            return None
    return MoveRays(rays, *guards)


def _ways(dimensions: int) -> list[tuple[int, ...]]:
    """Return the steps that are tried: the short ones first."""
    ways = {*product((1, 0, -1), repeat=dimensions)}
    if dimensions == 2:
        ways |= {(a, b) for a, b in product(range(1, _STEEPEST + 1), repeat=2) if gcd(a, b) == 1}
    return sorted(ways, key=lambda way: (sum(map(abs, way)), [-part for part in way]))


def _ray(
    whole: np.ndarray, first: tuple[int, ...], ways: list[tuple[int, ...]], known: set[tuple[tuple[int, ...], ...]]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], np.ndarray]:
    """Return the first of the moves of a ray, its steps, and its moves among all: as many as may be of some, or all."""
    region = np.zeros_like(whole)
    region[first] = True
    middle = len(whole) // 2
    for steps in sorted(known, key=len, reverse=True):
        if len(steps) > 1 and min(first) >= middle and not ((wider := _closed(region, steps)) & ~whole).any():
            return first, steps, wider
    found: list[tuple[int, ...]] = []
    for way in ways:
        line = _line(whole.shape, first, way)
        if found:
            if min(way) < 0 or len(line[0]) < 2 or region[tuple(each[1] for each in line)] or not whole[line].all():
                continue
            wider = _closed(region, [way])
            if not (wider & ~whole).any():
                region, found = wider, [*found, way]
        elif len(line[0]) >= _SHORTEST and whole[line].all():
            back = _line(whole.shape, first, tuple(-part for part in way))
            earlier = int(np.append(whole[back], False).argmin()) - 1
            first, found = tuple(int(each[earlier]) for each in back), [way]
            region = np.zeros_like(whole)
            region[_line(whole.shape, first, way)] = True
            if min(way) < 0 or min(first) < middle:
                break
    return first, tuple(found), region


def _line(shape: tuple[int, ...], first: tuple[int, ...], way: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return the places from one on in a direction, within a table."""
    steps = min(
        (size - 1 - at) // step if step > 0 else at // -step
        for size, at, step in zip(shape, first, way, strict=True)
        if step
    )
    along = np.arange(steps + 1)
    return tuple(at + step * along for at, step in zip(first, way, strict=True))


def _closed(region: np.ndarray, steps: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Return a region and all that is reached from it by steps that do not go back."""
    found = region.copy()
    for step in steps:
        times = 1
        while all(times * part < size for part, size in zip(step, found.shape, strict=True)):
            far = tuple(slice(times * part, None) for part in step)
            near = tuple(slice(0, size - times * part) for part, size in zip(step, found.shape, strict=True))
            found[far] |= found[near]
            times *= 2
    return found


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
