"""Games on two numbers whose moves go along straight lines, as Wythoff's do: tables of pairs without their graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined, runner
from graphgame.errors import OptionError

__all__ = ["Ray", "lost_pairs", "pair_values"]

_BITS = 62
_FULL = (1 << _BITS) - 1


class Ray(NamedTuple):
    """Moves that take (``first`` + t ``step``) from two numbers, for t = 0, 1, 2, ... as long as none gets negative.

    With a step of (0, 0) it is the first of these moves alone.
    """

    first: tuple[int, int]
    step: tuple[int, int]

    def taken(self, first: int, second: int) -> Iterator[tuple[int, int]]:
        """Yield what the moves make of two numbers.

        >>> list(Ray((1, 1), (1, 1)).taken(2, 3))
        [(1, 2), (0, 1)]
        """
        first, second = first - self.first[0], second - self.first[1]
        while first >= 0 and second >= 0:
            yield first, second
            if self.step == (0, 0):
                return
            first, second = first - self.step[0], second - self.step[1]


def pair_values(rays: Sequence[Ray], rows: int, columns: int, *, misere: bool = False) -> Array:
    """Return the Grundy values of all pairs (a, b) of numbers with a < rows and b < columns.

    Parameters
    ----------
    rays : sequence of Ray
        All moves.
    rows, columns : int
    misere : bool
        Whether a pair without moves has value 1: values under misère play.

    Returns
    -------
    numpy.ndarray
        int32, shape (rows, columns).

    Raises
    ------
    OptionError
        A ray has a move that takes nothing, or adds to a number.

    Notes
    -----
    For each line in which a ray runs the values seen on it are kept as a set of bits; a value is the least that none of
    the lines through the pair has. Time O(rows columns rays) besides looking for the first gap, word by word.

    Examples
    --------
    >>> queen = Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1)), Ray((1, 1), (1, 1))
    >>> pair_values(queen, 3, 4).tolist()
    [[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5]]
    """
    moves, lines, first_line = _lines(rays, rows, columns)
    most = sum(min(_most(rows, ray, 0), _most(columns, ray, 1)) for ray in rays)
    words = most // _BITS + 2
    values = np.zeros((rows, columns), np.int32)
    seen, full = np.zeros((lines + 1, words), np.int64), np.zeros(lines + 1, np.int32)
    size = rows * columns * len(moves)
    runner(_fill_values, size)(moves, first_line, values, seen, full, np.zeros(len(moves), np.int64), int(misere))
    return values


def lost_pairs(rays: Sequence[Ray], rows: int, columns: int, *, misere: bool = False) -> Array:
    """Return which pairs (a, b) of numbers with a < rows and b < columns are P-positions.

    Parameters
    ----------
    rays, rows, columns, misere
        As for :func:`pair_values`.

    Returns
    -------
    numpy.ndarray
        bool, shape (rows, columns).

    Raises
    ------
    OptionError
        A ray has a move that takes nothing, or adds to a number.

    Examples
    --------
    >>> queen = Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1)), Ray((1, 1), (1, 1))
    >>> np.argwhere(lost_pairs(queen, 8, 8)).tolist()
    [[0, 0], [1, 2], [2, 1], [3, 5], [4, 7], [5, 3], [7, 4]]
    """
    moves, lines, first_line = _lines(rays, rows, columns)
    lost = np.zeros((rows, columns), np.bool_)
    runner(_fill_lost, rows * columns * len(moves))(moves, first_line, lost, np.zeros(lines + 1, np.bool_), misere)
    return lost


def _lines(rays: Sequence[Ray], rows: int, columns: int) -> tuple[Array, int, Array]:
    """Return the rays as rows of four numbers, how many lines they run in, and the number of each one's first line."""
    moves = np.array([(*ray.first, *ray.step) for ray in rays], np.int64).reshape(len(rays), 4)
    taken = moves.reshape(-1, 2, 2).sum(axis=2)
    if (moves < 0).any() or (taken[:, 0] == 0).any():
        raise OptionError("invalid rays: each takes 0 or more from both numbers, and something from one")
    single = (taken[:, 1] == 0).astype(np.int64)
    numbers = np.cumsum([0, *(moves[:, 2] * columns + moves[:, 3] * rows + single).tolist()])
    return moves, int(numbers[-1]), numbers[:-1]


def _most(size: int, ray: Ray, place: int) -> int:
    """Return how many moves of a ray one number allows at most, that is below a size."""
    if not any(ray.step):
        return 1
    return 1 + size // ray.step[place] if ray.step[place] else 1 << 30


@inlined
def _line(moves: Array, first_line: Array, ray: int, a: int, b: int, rows: int, columns: int) -> int:
    """Return the number of the line of a ray through a pair: where it enters the table tells it from others."""
    first: int = first_line[ray]
    dx, dy = moves[ray, 2], moves[ray, 3]
    if dx == 0 and dy == 0:
        return first
    if dx == 0:
        steps = b // dy
    elif dy == 0:
        steps = a // dx
    else:
        steps = min(a // dx, b // dy)
    left: int = a - steps * dx
    other: int = b - steps * dy
    if left < dx:
        return first + left * columns + other
    return first + int(dx) * columns + other * rows + left


@compiled
def _fill_values(
    moves: Array, first_line: Array, values: Array, seen: Array, full: Array, lines: Array, end: int
) -> None:
    """Fill the table in reading order.

    ``full`` has how many words of each line's set have no gap; ``lines`` gets the lines of the pair that is looked at.
    """
    rows, columns = values.shape
    words = seen.shape[1]
    for a in range(rows):
        for b in range(columns):
            count = 0
            start = 0
            for ray in range(len(moves)):
                source, other = a - moves[ray, 0], b - moves[ray, 1]
                if source < 0 or other < 0:
                    continue
                line = _line(moves, first_line, ray, source, other, rows, columns)
                if moves[ray, 2] == 0 and moves[ray, 3] == 0:
                    for word in range(words):
                        seen[line, word] = 0
                    full[line] = 0
                value = values[source, other]
                seen[line, value // _BITS] |= 1 << (value % _BITS)
                while seen[line, full[line]] == _FULL:
                    full[line] += 1
                start = max(start, full[line])
                lines[count] = line
                count += 1
            if count == 0:
                values[a, b] = end
                continue
            word = start
            union = _FULL
            while union == _FULL:
                union = 0
                for k in range(count):
                    union |= seen[lines[k], word]
                word += 1
            value = (word - 1) * _BITS
            while union & 1:
                union >>= 1
                value += 1
            values[a, b] = value


@compiled
def _fill_lost(moves: Array, first_line: Array, lost: Array, has_lost: Array, misere: bool) -> None:
    """Fill the table in reading order; ``has_lost`` tells on which lines a P-position was seen."""
    rows, columns = lost.shape
    for a in range(rows):
        for b in range(columns):
            won = False
            moved = False
            for ray in range(len(moves)):
                source, other = a - moves[ray, 0], b - moves[ray, 1]
                if source < 0 or other < 0:
                    continue
                moved = True
                if moves[ray, 2] == 0 and moves[ray, 3] == 0:
                    won = won or lost[source, other]
                    continue
                line = _line(moves, first_line, ray, source, other, rows, columns)
                if lost[source, other]:
                    has_lost[line] = True
                won = won or has_lost[line]
            lost[a, b] = not won if moved else not misere
