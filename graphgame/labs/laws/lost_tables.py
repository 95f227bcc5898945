"""Tables of P-positions alone, for moves as statements: far fewer than all values, where few positions are P."""

from __future__ import annotations

import numpy as np

from graphgame.labs.laws.expressions import worth_of_arrays
from graphgame.labs.laws.statements import after, parsed
from graphgame.rules.declared import DeclaredMoves

_MOST_A_ROW = 3
"""P-positions for each number on an axis: more take too long."""


def declared_lost(game: DeclaredMoves, size: int) -> np.ndarray | None:
    """Return which positions of numbers below a size are P under normal play; None where that would take long.

    By growing totals: what no P-position was reached from is one, and all that have a move to it are not.

    Examples
    --------
    >>> nim = DeclaredMoves(("a", "b"), ("a' < a and b' = b", "a' = a and b' < b"))
    >>> declared_lost(nim, 3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    axes = np.meshgrid(*[np.arange(size)] * len(game.names), indexing="ij", sparse=True)
    given = dict(zip(game.names, axes, strict=True))
    shape = (size,) * len(game.names)
    allowed = worth_of_arrays(parsed(game.positions), given)
    if allowed is None or game.followed or min(game.weights) < 0:
        return None
    open_ = np.array(np.broadcast_to(allowed, shape))
    lost = np.zeros(shape, bool)
    totals = sum(weight * axis for weight, axis in zip(game.weights, axes, strict=True))
    order = np.argsort(np.ravel(totals), kind="stable")
    moves = [parsed(move) for move in game.moves]
    names = [after(name) for name in game.names]
    for place in order[open_.ravel()[order]]:
        if not open_.flat[place]:
            continue
        if lost.sum() >= _MOST_A_ROW * size:
            return None
        end = np.unravel_index(place, shape)
        lost[end] = True
        moved = given | {name: np.asarray(number) for name, number in zip(names, end, strict=True)}
        for move in moves:
            before = worth_of_arrays(move, moved)
            if before is None:
                return None
            open_ &= ~before
    return lost
