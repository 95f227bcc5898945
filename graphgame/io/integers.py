"""Edges between integers that need not be consecutive: collected in arrays, numbered without gaps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.graph import GameGraph
from graphgame.io.scanner import ALONE, Columns
from graphgame.io.source import BLOCK
from graphgame.io.words import TokenLines
from graphgame.labels import Labels, as_labels

__all__ = ["IntegerEdges"]

_BYTES_AN_EDGE = 4
_SLICE = 1 << 20
_SMALL_TABLE = 1 << 16


class IntegerEdges:
    """Edges between integers, and integers without edges.

    Parameters
    ----------
    size : int or None
        Bytes of the text they come from, where known.
    """

    def __init__(self, size: int | None) -> None:
        self._columns = Columns(BLOCK if size is None else size // _BYTES_AN_EDGE + 1)
        self._alone: list[np.ndarray] = []

    def add(self, values: np.ndarray) -> None:
        """Add edges, a source and a target in turn; ``ALONE`` as a target makes a vertex of the source."""
        alone = values[1::2] == ALONE
        if alone.any():
            rows = values.reshape(-1, 2)
            self._alone.append(rows[alone, 0])
            values = rows[~alone].ravel()
        self._columns.extend(values)

    def labels(self) -> Iterator[list[str]]:
        """Yield the lines that were added, as labels."""
        source, target = self._columns.finish()
        for start, end in zip(source, target, strict=True):
            yield [str(start), str(end)]
        for vertices in self._alone:
            for vertex in vertices.tolist():
                yield [str(vertex)]

    def graph(self, tokens: TokenLines) -> GameGraph:
        """Return the graph on the integers that occur, in increasing order."""
        source, target = self._columns.finish()
        labels = _number([source, target], self._alone)
        chosen = tokens.positions(labels, integers=True)
        return GameGraph.from_arrays(source, target, labels, tokens=chosen)


def _number(columns: list[np.ndarray], others: list[np.ndarray]) -> Labels:
    """Replace the integers of the columns by their ranks among all, in place; return the integers."""
    parts = [part for part in (*columns, *others) if len(part)]
    if not parts:
        return as_labels(0)
    least = min(int(part.min()) for part in parts)
    span = max(int(part.max()) for part in parts) - least + 1
    if span > sum(map(len, parts)) + _SMALL_TABLE:
        return _number_by_search(columns, np.unique(np.concatenate(parts)))
    return _number_by_table(columns, parts, least, span)


def _number_by_search(columns: list[np.ndarray], values: np.ndarray) -> Labels:
    for part in _slices(columns):
        part[:] = np.searchsorted(values, part)
    return as_labels(values)


def _number_by_table(columns: list[np.ndarray], parts: list[np.ndarray], least: int, span: int) -> Labels:
    occurs = np.zeros(span, np.bool_)
    for part in _slices(parts):
        occurs[_above(least, part)] = True
    if occurs.all():
        for part in _slices(columns):
            part[:] = _above(least, part)
        return as_labels(range(least, least + span))
    rank = np.cumsum(occurs, dtype=np.int32) - 1
    for part in _slices(columns):
        part[:] = rank[_above(least, part)]
    return as_labels(np.flatnonzero(occurs) + least)


def _above(least: int, part: np.ndarray) -> np.ndarray:
    above: np.ndarray = np.subtract(part, least, dtype=np.int64)
    return above


def _slices(columns: list[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield views of the columns that are small enough to compute with."""
    for column in columns:
        for start in range(0, len(column), _SLICE):
            yield column[start : start + _SLICE]
