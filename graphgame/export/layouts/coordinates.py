"""Positions that are two or three numbers."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

import numpy as np

from graphgame.arrays.labels import Labels

__all__ = ["FARTHEST", "PairLabels", "coordinates"]

FARTHEST = 4000
"""From here on numbers are too far apart for a board."""

_NUMBER = re.compile(r" *[0-9]{1,9} *")
_SIGNS, _LONGEST = set("0123456789,"), 18


class PairLabels(Labels):
    """All pairs of numbers of two ranges, by rows, as texts that take no memory."""

    def __init__(self, rows: range, columns: range) -> None:
        self.ranges = rows, columns
        self._positions = range(len(rows) * len(columns))

    def pairs(self, numbers: np.ndarray) -> np.ndarray:
        """Return the pairs that have these numbers, an array of shape (n, 2)."""
        rows, columns = self.ranges
        row, column = np.divmod(numbers, len(columns))
        return np.stack([row + rows.start, column + columns.start], axis=1)

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return [f"{row},{column}" for row, column in self.pairs(np.asarray(numbers)).tolist()]

    def at(self, number: int) -> Hashable:  # noqa: D102
        return self.take(np.array([number]))[0]

    def __iter__(self) -> Iterator[Hashable]:
        return map(self.at, self._positions)

    def find(self, position: object) -> int:  # noqa: D102
        rows, columns = self.ranges
        found = _numbers(position)
        if found is None or len(found) != 2 or found[0] not in rows or found[1] not in columns:
            raise KeyError(position)
        return (found[0] - rows.start) * len(columns) + found[1] - columns.start


def coordinates(labels: Labels, numbers: np.ndarray) -> np.ndarray | None:
    """Return the numbers that positions are, an array of shape (n, 2) or (n, 3); None where they are something else.

    Bars of Chomp leave out rows without squares: where numbers are missing at the end, they are 0.
    """
    if isinstance(labels, PairLabels):
        return labels.pairs(numbers) if max(map(len, labels.ranges)) < FARTHEST else None
    if any(row is None for row in map(_numbers, labels.take(numbers[:100]))):
        return None
    positions = labels.take(numbers)
    table = _even(positions)
    if table is None:
        rows = [row for row in map(_numbers, positions) if row is not None]
        width = max(map(len, rows), default=0)
        if len(rows) < len(positions):
            return None
        table = np.array([(*row, *[0] * (width - len(row))) for row in rows], np.int64).reshape(-1, width)
    if table.shape[1] not in (2, 3) or not len(table) or int((table.max(axis=0) - table.min(axis=0)).max()) >= FARTHEST:
        return None
    keys = np.ravel_multi_index(tuple((table - table.min(axis=0)).T), [FARTHEST] * table.shape[1])
    return table if np.diff(np.sort(keys, kind="stable")).all() else None


def _even(positions: list[Hashable]) -> np.ndarray | None:
    """Return the numbers of texts that all hold as many, in one go; None where they do not."""
    texts = [position for position in positions if type(position) is str]
    commas = texts[0].count(",") if texts else 0
    if len(texts) < len(positions) or any(text.count(",") != commas for text in texts):
        return None
    joined = ",".join(texts)
    if not set(joined) <= _SIGNS or ",," in f",{joined}," or max(map(len, texts)) > _LONGEST:
        return None
    return np.fromstring(joined, np.int64, sep=",").reshape(len(texts), commas + 1)


def _numbers(position: Hashable) -> tuple[int, ...] | None:
    """Return the numbers that a position is."""
    parts = position.split(",") if isinstance(position, str) else position
    if not isinstance(parts, (list, tuple)) or not 1 <= len(parts) <= 3:
        return None
    if not all(type(part) is int or (isinstance(part, str) and _NUMBER.fullmatch(part)) for part in parts):
        return None
    found = tuple(map(int, parts))
    return found if all(0 <= number < 10**9 for number in found) else None
