"""Tables of values from moves that are statements, without a graph: what is found in them may reach far."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np

from graphgame.errors import LimitError, OptionError
from graphgame.labs.laws.expressions import Formula
from graphgame.labs.laws.numeration import numeration_of
from graphgame.labs.laws.statements import after, parsed, set_of
from graphgame.labs.tables.rays import BLANK, ORDINARY, OVER, Ray, ray_values
from graphgame.rules.declared import DeclaredMoves

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


_MOST_ENTRIES = 4_100_000
_MOST_PAIRS = 200_000_000


def declared_values(moves: DeclaredMoves, size: int, *, misere: bool = False, engine: str = "auto") -> np.ndarray:
    """Return the Grundy values of the positions whose numbers are all below a size; -1 where they are not known.

    Parameters
    ----------
    moves : DeclaredMoves
    size : int
    misere : bool
        Whether who cannot move wins: then the value of such a position is 1.
    engine : {"auto", "plain", "compiled"}

    Raises
    ------
    LimitError
        The table is too large for moves of this kind.
    OptionError
        A move does not lower the total.

    Notes
    -----
    Where only differences decide which moves there are, as rays (:func:`graphgame.labs.tables.rays.ray_values`). Else
    all pairs of positions are tried.

    Examples
    --------
    >>> declared_values(DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b")), 3).tolist()
    [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    """
    shape = (size,) * len(moves.names)
    entries = size ** len(shape)
    if entries > _MOST_ENTRIES:
        raise LimitError(
            "a table of {entries:,} entries is larger than the limit, {most:,}", entries, _MOST_ENTRIES, limit="size"
        )
    found = None if moves.followed else rays_of(moves, size)
    axes = np.indices(shape, np.int64).reshape(len(shape), -1)
    known = _holds(moves.positions, moves.names, axes)
    totals = np.array(moves.weights, np.int64) @ axes
    if not _stays_below(moves):
        known &= totals < size * min(moves.weights)
    if not known.any():
        grown = next(name for name, weight in zip(moves.names, moves.weights, strict=True) if not weight)
        raise LimitError(
            "moves that raise {grown} more than the others fall lead out of a table of any size", grown, limit="size"
        )
    if found is not None:
        kinds = np.where(known, ORDINARY, BLANK).astype(np.int8)
        kinds[known & ~_holds(found.guard, moves.names, axes)] = OVER
        values = ray_values(found.rays, shape, misere=misere, weights=moves.weights, kinds=kinds, engine=engine)
        return values.astype(np.int64)
    order = np.flatnonzero(known)
    values = np.full(entries, -1, np.int64)
    _by_pairs(moves, axes, order[np.argsort(totals[order], kind="stable")], values, misere)
    return values.reshape(shape)


def declared_ends(moves: DeclaredMoves, shape: tuple[int, ...], numbers: tuple[int, ...]) -> np.ndarray:
    """Return for each position of a table whether a move leads there from some numbers."""
    axes = np.indices(shape, np.int64).reshape(len(shape), -1)
    return _ends(moves.moves, moves.names, axes, int(np.ravel_multi_index(numbers, shape))).reshape(shape)


def _stays_below(moves: DeclaredMoves) -> bool:
    """Tell whether no move makes a number larger than all were: then a table has the ends of all its moves."""
    numeration, primes = numeration_of("base 2"), [after(name) for name in moves.names]
    grown = " or ".join("(" + " and ".join(f"{prime} > {name}" for name in moves.names) + ")" for prime in primes)
    texts = [f"({text}) and ({moves.positions}) and ({grown})" for text in (*moves.moves, *moves.followed)]
    try:
        return all(set_of(numeration, text, (*moves.names, *primes)).example() is None for text in texts)
    except (LimitError, OptionError):
        return False


def _holds(text: str, names: tuple[str, ...], numbers: np.ndarray) -> np.ndarray:
    """Return of which columns a statement holds."""
    formula = Formula(text, names)
    said = formula.of_arrays(*numbers)
    if said is None:
        said = np.array([bool(formula(*column)) for column in numbers.T.tolist()])
    return np.array(np.broadcast_to(said, numbers.shape[1:]), bool)


def _by_pairs(moves: DeclaredMoves, axes: np.ndarray, order: np.ndarray, values: np.ndarray, misere: bool) -> None:
    pairs = len(order) * axes.shape[1] * (len(moves.moves) + len(moves.followed))
    if pairs > _MOST_PAIRS:
        raise LimitError(
            "moves that are no lines of differences, and a table with {pairs:,} pairs of positions: "
            "expected at most {most:,}",
            pairs,
            _MOST_PAIRS,
            limit="size",
        )
    seen: dict[int, np.ndarray] = {}
    for place in order.tolist():
        found = np.unique(values[_ends(moves.moves, moves.names, axes, place) & (values >= 0)])
        for earlier in np.flatnonzero(_ends(moves.followed, moves.names, axes, place) & (values >= 0)).tolist():
            found = np.union1d(found, seen[earlier])
        if moves.followed:
            seen[place] = found
        gaps = np.flatnonzero(found != np.arange(len(found)))
        values[place] = 1 if misere and not len(found) else int(gaps[0]) if len(gaps) else len(found)


def _ends(texts: tuple[str, ...], names: tuple[str, ...], axes: np.ndarray, place: int) -> np.ndarray:
    """Return to which positions of a table statements lead from one of them."""
    given = np.broadcast_to(axes[:, place : place + 1], axes.shape)
    found = np.zeros(axes.shape[1], bool)
    for text in texts:
        found |= _holds(text, (*names, *map(after, names)), np.concatenate([given, axes]))
    return found
