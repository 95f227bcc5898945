"""Tables of values from moves that are statements, without a graph: what is found in them may reach far."""

from __future__ import annotations

import numpy as np

from graphgame.errors import LimitError, OptionError
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.ray_loops import BLANK, ORDINARY, OVER
from graphgame.rules.rays import ray_values
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.lines import rays_of
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.statements import after, set_of

__all__ = ["declared_ends", "declared_values"]

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
    Where only differences decide which moves there are, as rays (:func:`graphgame.rules.rays.ray_values`). Else all
    pairs of positions are tried.

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
