"""The Cutting Game: a sheet of paper, cut along its grid lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Any

import numpy as np

from graphgame.arrays.compiling import Array, compiled, runner
from graphgame.errors import shorten
from graphgame.games.grid_text import Sheet
from graphgame.rules.coded_ruleset import CodedRuleset
from graphgame.rules.ruleset import Sum

__all__ = ["Cutting"]

_MOST = 2000


class Cutting(Sheet, CodedRuleset):
    """The Cutting Game: cut any one sheet along a grid line into two; whoever first makes a 1x1 wins.

    ``cutting(4x2)`` is a sheet 4 wide and 2 high.

    Notes
    -----
    Nobody cuts off a strip 1 wide, for the other would cut a 1x1 from it; so a position's options are the cuts whose
    parts are all at least 2 wide, and 2x2, 2x3 and 3x2 are the terminal positions. A start with a side of 1 is
    another matter: of 1xn with n of 2 or more the mover cuts off a 1x1 and wins; 1x1 has no move.

    References
    ----------
    Cutting Game, problem 2311 of the Peking University online judge (POJ).

    Examples
    --------
    >>> list(Cutting().options((4, 2)))
    [Sum((2, 2), (2, 2))]
    """

    size = _MOST * (_MOST + 1) // 2
    most = _MOST

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, int] | Sum]:  # type: ignore[override]
        """Return the two parts that each sensible cut leaves; a strip is cut to its 1x1 at once."""
        width, height = position
        if min(width, height) == 1:
            if max(width, height) > 1:
                yield 1, 1
            return
        for cut in range(2, width // 2 + 1):
            yield Sum([(cut, height), (width - cut, height)])
        for cut in range(2, height // 2 + 1):
            yield Sum([(width, cut), (width, height - cut)])

    def encode(self, position: Any) -> int:  # noqa: ANN401
        """Return the place in the order 1x1, 2x1, 2x2, 3x1, ..."""
        pair = isinstance(position, tuple) and len(position) == 2
        if not pair or not all(isinstance(side, int) and 1 <= side <= _MOST for side in position):
            raise ValueError(f"invalid position {shorten(position)}: expected two sides in 1..{_MOST}")
        width, height = self.canonical(position)
        return width * (width - 1) // 2 + height - 1

    def decode(self, code: int) -> tuple[int, int]:
        """Return the lying sheet at a place."""
        width = (isqrt(8 * code + 1) + 1) // 2
        return width, code - width * (width - 1) // 2 + 1

    def option_codes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the cuts across the width, those across the height, then the 1x1 that a strip is cut to."""
        width, height = _sides(codes)
        strips = np.flatnonzero((height == 1) & (width > 1))
        across, along = _cuts(width, height), _cuts(height, width)
        to_one = np.tile(np.array([[0, -1]]), (len(strips), 1))
        return np.concatenate([across[0], along[0], strips]), np.concatenate([across[1], along[1], to_one])

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        """Return the values by the sides; -1 where one is 0."""
        if misere or len(shape) != 2 or max(shape) > _MOST + 1:
            return None
        shorter, longer = sorted(shape)
        values = np.full((longer, longer), -1, np.int32)
        seen = np.zeros(2 << longer.bit_length(), np.int32)
        runner(_fill_sheets, shorter * longer * longer)(values, seen, shorter)
        return values[: shape[0], : shape[1]]

    def ranks(self, codes: np.ndarray) -> np.ndarray:
        """Return the areas: each part of a cut has less."""
        width, height = _sides(codes)
        areas: np.ndarray = width * height
        return areas


@compiled
def _fill_sheets(values: Array, seen: Array, shorter: int) -> None:
    """Fill in the values of the sheets of which one side is below the shorter bound, and those of the sheets turned."""
    stamp = 0
    for wide in range(1, len(values)):
        for high in range(1, min(wide + 1, shorter)):
            stamp += 1
            for cut in range(2, wide // 2 + 1 if high > 1 else 0):
                seen[values[high, cut] ^ values[high, wide - cut]] = stamp
            for cut in range(2, high // 2 + 1):
                seen[values[wide, cut] ^ values[wide, high - cut]] = stamp
            value = int(high == 1 and wide > 1)
            while high > 1 and seen[value] == stamp:
                value += 1
            values[wide, high] = values[high, wide] = value


def _sides(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the widths and the heights of the lying sheets at some places."""
    # Exact in floating point, for 8 times the largest code is far below 2**53.
    width = ((np.sqrt(8 * codes + 1) + 1) / 2).astype(np.int64)
    return width, codes - width * (width - 1) // 2 + 1


def _cuts(side: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes of both parts for the cuts of one side at 2, 3, ..., its half, with the row of each."""
    counts = np.where(other > 1, np.maximum(side // 2 - 1, 0), 0)
    rows = np.repeat(np.arange(len(side)), counts)
    cut = np.arange(2, len(rows) + 2) - np.repeat(np.cumsum(counts) - counts, counts)
    parts = np.stack([cut, side[rows] - cut], axis=1)
    width, height = np.maximum(parts, other[rows, None]), np.minimum(parts, other[rows, None])
    return rows, width * (width - 1) // 2 + height - 1
