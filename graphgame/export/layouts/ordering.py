"""Where positions stand in their levels: few crossings, short and straight moves; the method of Sugiyama.

A move that passes levels gets a bend in each, so that every line leads from one level to the next; moves to one
position share their bends. In sweeps down and
up each level is sorted by where its neighbours stand, and set apart by isotonic regression: of all arrangements in that
order with room for everything it is the one nearest to the neighbours.

References
----------
K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system structures, IEEE Transactions
on Systems, Man, and Cybernetics 11 (1981).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.arrays.compiling import Array, compiled, runner

__all__ = ["Chains", "chains", "places"]

_SWEEPS = 12
_STRAIGHT = 4.0


class Chains(NamedTuple):
    """Points level by level: positions first, as they were numbered, then the bends of the moves.

    Attributes
    ----------
    level : ndarray of int, shape (points,)
    upper, lower : ndarray of int, shape (lines,)
        Lines from a point to one in the level below, move by move.
    first : ndarray of int, shape (moves,)
        Where the lines of each move begin.
    """

    level: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    first: np.ndarray


def chains(level: np.ndarray, source: np.ndarray, target: np.ndarray, kind: np.ndarray) -> Chains:
    """Cut moves into lines from level to level; each leads from a higher level to a lower one.

    Moves of one kind to one position share their bends, so that they flow together.
    """
    drop = level[source] - level[target]
    first = np.cumsum(drop) - drop
    move = np.repeat(np.arange(len(source)), drop)
    step = np.arange(len(move)) - first[move]
    stream = target * (int(kind.max(initial=0)) + 1) + kind
    levels = int(level.max(initial=0)) + 1
    passed = level[source][move] - step
    bends, bend = np.unique((stream[move] * levels + passed)[step > 0], return_inverse=True)
    upper, lower = source[move], target[move]
    upper[step > 0] = len(level) + bend
    lower[np.flatnonzero(step > 0) - 1] = len(level) + bend
    return Chains(np.append(level, bends % levels), upper, lower, first)


def places(found: Chains, widths: np.ndarray, room: float, positions: int) -> np.ndarray:
    """Return where in 0..room each point stands in its level.

    Parameters
    ----------
    found : Chains
    widths : ndarray of float, shape (points,)
        The room that each point takes; those of a level fit into ``room``.
    room : float
    positions : int
        How many points are positions and not bends.

    Notes
    -----
    O(points log points) time for each of a dozen sweeps.
    """
    weights = np.where(np.arange(len(found.level)) < positions, 1.0, _STRAIGHT)
    upper, lower = np.unique(np.stack([found.upper, found.lower]), axis=1)
    above, below = _Neighbours(lower, upper, weights), _Neighbours(upper, lower, weights)
    order = np.argsort(found.level, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(found.level[order])) + 1)
    x = np.zeros(len(found.level))
    for numbers in members:
        x[numbers] = _spread(
            np.arange(len(numbers)) * (room / max(len(numbers), 1)), widths[numbers], weights[numbers], room
        )
    best, least = x, np.inf
    for sweep in range(_SWEEPS):
        near, far = (above, below) if sweep % 2 == 0 else (below, above)
        both = sweep >= _SWEEPS // 2
        for numbers in members[::-1] if sweep % 2 == 0 else members:
            wanted = near.mean(x, numbers, far if both else None)
            sort = np.argsort(wanted, kind="stable")
            numbers = numbers[sort]
            x[numbers] = _spread(wanted[sort], widths[numbers], weights[numbers], room)
        length = float(np.abs(x[upper] - x[lower]).sum())
        if length < least:
            best, least = x.copy(), length
    return best


class _Neighbours:
    """The points that each point is joined to in one direction."""

    def __init__(self, owners: np.ndarray, others: np.ndarray, weights: np.ndarray) -> None:
        order = np.argsort(owners, kind="stable")
        self.others = others[order]
        self.pointers = np.searchsorted(owners[order], np.arange(len(weights) + 1))

    def mean(self, x: np.ndarray, numbers: np.ndarray, also: _Neighbours | None) -> np.ndarray:
        """Return the mean place of the neighbours of some points; a point without any stays where it is."""
        total, count = self._sums(x, numbers)
        if also is not None:
            more, times = also._sums(x, numbers)
            total, count = total + more, count + times
        mean: np.ndarray = np.where(count > 0, total / np.maximum(count, 1), x[numbers])
        return mean

    def _sums(self, x: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first, lengths = self.pointers[numbers], self.pointers[numbers + 1] - self.pointers[numbers]
        owner = np.repeat(np.arange(len(numbers)), lengths)
        entries = np.arange(len(owner)) + np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
        return np.bincount(owner, x[self.others[entries]], len(numbers)), lengths


def _spread(wanted: np.ndarray, widths: np.ndarray, weights: np.ndarray, room: float) -> np.ndarray:
    """Return places as near as can be to those that are wanted, in this order, with room for each, within the room."""
    offsets = np.cumsum(widths) - widths / 2
    fitted = np.array(wanted - offsets, np.float64)
    means, totals, sizes = np.empty((3, len(wanted)))
    runner(_isotonic, len(wanted))(fitted, np.array(weights, np.float64), means, totals, sizes)
    return np.clip(fitted, 0, max(room - float(widths.sum()), 0)) + offsets


@compiled
def _isotonic(values: Array, weights: Array, means: Array, totals: Array, sizes: Array) -> None:
    """Replace numbers by the nearest that never decrease: neighbours out of order share their mean."""
    blocks = 0
    for i in range(len(values)):
        mean = values[i]
        total = weights[i]
        size = 1.0
        while blocks > 0 and means[blocks - 1] > mean:
            blocks -= 1
            mean = (mean * total + means[blocks] * totals[blocks]) / (total + totals[blocks])
            total += totals[blocks]
            size += sizes[blocks]
        means[blocks] = mean
        totals[blocks] = total
        sizes[blocks] = size
        blocks += 1
    end = 0
    for block in range(blocks):
        start = end
        end = start + int(sizes[block])
        for i in range(start, end):
            values[i] = means[block]
