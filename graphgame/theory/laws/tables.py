"""Tables of values from moves that are statements, without a graph: what is found in them may reach far."""

from __future__ import annotations

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined, runner
from graphgame.errors import LimitError, OptionError
from graphgame.rules.declared import DeclaredMoves
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.lines import MoveLines, lines_of
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.statements import after, set_of

__all__ = ["declared_ends", "declared_values"]

_MOST_ENTRIES = 4_100_000
_MOST_PAIRS = 200_000_000
_BITS = 32
_MOST_WORDS = 1 << 26


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
    Where only differences decide which moves there are, the values seen along each line of moves are kept as sets of
    bits: O(1) for a position and a line, but for the search of the least value. Else all pairs of positions are tried.

    Examples
    --------
    >>> declared_values(DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b")), 3).tolist()
    [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    """
    shape = (size,) * len(moves.names)
    entries = size ** len(shape)
    if entries > _MOST_ENTRIES:
        raise LimitError(f"a table of {entries:,} entries is larger than the limit, {_MOST_ENTRIES:,}", "size")
    axes = np.indices(shape, np.int64).reshape(len(shape), -1)
    totals = np.array(moves.weights, np.int64) @ axes
    known = _holds(moves.positions, moves.names, axes)
    if not _stays_below(moves):
        known &= totals < size * min(moves.weights)
    order = np.flatnonzero(known)
    order = order[np.argsort(totals[order], kind="stable")]
    values = np.full(entries, -1, np.int64)
    found = None if moves.followed else lines_of(moves, size)
    if found is None:
        _by_pairs(moves, axes, order, values, misere)
    elif len(order):
        over = ~_holds(found.guard, moves.names, axes[:, order])
        _by_lines(found, size, axes, order, totals[order], over, values, misere, engine)
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
            f"moves that are no lines of differences, and a table with {pairs:,} pairs of positions: "
            f"expected at most {_MOST_PAIRS:,}",
            "size",
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


def _by_lines(
    found: MoveLines,
    size: int,
    axes: np.ndarray,
    order: np.ndarray,
    totals: np.ndarray,
    over: np.ndarray,
    values: np.ndarray,
    misere: bool,
    engine: str,
) -> None:
    ways = sorted({line.direction for line in found.lines})
    reach = max((abs(part) for line in found.lines for part in line.point), default=0)
    factors = np.zeros((len(ways), len(axes)), np.int64)
    bases, keys = np.zeros(len(ways), np.int64), 1
    for number, way in enumerate(ways):
        pivot, radix = next(place for place, part in enumerate(way) if abs(part) == 1), 1
        for place in range(len(axes)):
            if place != pivot:
                # The line through x is told by x - x[pivot] / way[pivot] * way, without the pivot.
                slope = -way[place] * way[pivot]
                factors[number, place] += radix
                factors[number, pivot] += slope * radix
                bases[number] += radix * (reach + (size + reach if slope < 0 else reach))
                radix *= 2 * (size + 2 * reach) + 1
        keys = max(keys, radix)
    lines = np.array([ways.index(line.direction) for line in found.lines], np.int64)
    shifts = np.array([factors[ways.index(line.direction)] @ line.point for line in found.lines], np.int64)
    most = len(found.lines) * size + len(found.others) + 2
    words = most // _BITS + 1
    if len(ways) * keys * words > _MOST_WORDS:
        raise LimitError(f"a table of size {size} takes too many sets of values for these moves", "size")
    radices = np.array([size ** (len(axes) - 1 - place) for place in range(len(axes))], np.int64)
    others = np.array(found.others, np.int64).reshape(-1, len(axes))
    runner(_lines_loop, len(order) * (len(lines) + len(others) + 1), engine)(
        np.ascontiguousarray(axes.T),
        order,
        totals,
        over,
        values,
        factors,
        bases,
        lines,
        shifts,
        others,
        others @ radices,
        size,
        misere,
        np.zeros((len(ways), keys, words), np.uint32),
        np.zeros(words, np.uint32),
    )


@inlined
def _key(axes: Array, place: int, factors: Array, bases: Array, way: int) -> int:
    """Return the number of the line in a direction on which a position lies."""
    key = bases[way]
    for axis in range(axes.shape[1]):
        key += factors[way, axis] * axes[place, axis]
    return int(key)


@compiled
def _lines_loop(
    axes: Array,
    order: Array,
    totals: Array,
    over: Array,
    values: Array,
    factors: Array,
    bases: Array,
    lines: Array,
    shifts: Array,
    others: Array,
    offsets: Array,
    size: int,
    misere: bool,
    seen: Array,
    extra: Array,
) -> int:
    """Fill in the values in the order of totals; what has the same total cannot be reached, and is marked after it."""
    dimensions = axes.shape[1]
    marked = 0
    for rank in range(len(order)):
        place = order[rank]
        if totals[rank] > totals[marked]:
            for earlier in range(marked, rank):
                _mark(axes, order[earlier], values, factors, bases, seen)
            marked = rank
        if over[rank]:
            values[place] = 1 if misere else 0
            continue
        last = 0
        for other in range(len(others)):
            inside = True
            for axis in range(dimensions):
                end = axes[place, axis] - others[other, axis]
                if end < 0 or end >= size:
                    inside = False
            if inside and values[place - offsets[other]] >= 0:
                value = values[place - offsets[other]]
                extra[value >> 5] |= 1 << (value & 31)
                last = max(last, (value >> 5) + 1)
        word = 0
        full = 0xFFFFFFFF
        while True:
            found = extra[word]
            for line in range(len(lines)):
                found |= seen[lines[line], _key(axes, place, factors, bases, lines[line]) - shifts[line], word]
            if found != full:
                break
            word += 1
        bit = 0
        while (found >> bit) & 1:
            bit += 1
        if misere and word + bit == 0:
            bit = 1
            for each in range(len(extra)):
                found = extra[each]
                for line in range(len(lines)):
                    found |= seen[lines[line], _key(axes, place, factors, bases, lines[line]) - shifts[line], each]
                if found:
                    bit = 0
        values[place] = word * 32 + bit
        for old in range(last):
            extra[old] = 0
    return 0


@inlined
def _mark(axes: Array, place: int, values: Array, factors: Array, bases: Array, seen: Array) -> None:
    value = values[place]
    for way in range(len(bases)):
        seen[way, _key(axes, place, factors, bases, way), value >> 5] |= 1 << (value & 31)
