"""Edges between integers that need not be consecutive: collected in arrays, numbered without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from graphgame.arrays import kernels
from graphgame.arrays.engine import in_threads, use_compiled
from graphgame.arrays.labels import Labels, as_labels
from graphgame.graph import GameGraph
from graphgame.io.labels_text import TokensOf
from graphgame.io.scanner import ALONE, Columns
from graphgame.io.source import Source
from graphgame.io.text import BLOCK
from graphgame.io.words import Result, TextEdges, Words

_BYTES_AN_EDGE = 4  # two digits, a space and a newline: no text has more edges
_BYTES_A_TEXT_EDGE = 12
_NONE = np.empty(0, np.int64)
_SLICE = 1 << 20
_SMALL_TABLE = 1 << 16  # a table over the whole span is faster than a search, and so small that its gaps do not matter


class Edges(Protocol[Result]):
    """A store of edges between integers, which readers of lists fill."""

    def add(self, values: np.ndarray, /) -> None:
        """Add edges, a source and a target in turn; ``ALONE`` as a target makes a vertex of the source."""

    def words(self, source: Source, /, *, compiled: bool) -> Words[Result]:
        """Go on with labels of any kind."""

    def graph(self, tokens: TokensOf, /) -> Result:
        """Return what all of them make."""


class IntegerEdges:
    """Edges between integers, and integers without edges; room is made by the bytes of their text, or by the rows."""

    def __init__(self, size: int | None, rows: int = BLOCK) -> None:
        self._columns = Columns(rows if size is None else size // _BYTES_AN_EDGE + 1)
        self._alone: list[np.ndarray] = []

    def add(self, values: np.ndarray) -> None:
        """Add edges, a source and a target in turn; ``ALONE`` as a target makes a vertex of the source."""
        alone = values[1::2] == ALONE
        if alone.any():
            rows = values.reshape(-1, 2)
            self._alone.append(rows[alone, 0])
            values = rows[~alone].ravel()
        self._columns.extend(values)

    def append(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges, given as two arrays."""
        self._columns.append(source, target)

    def add_vertices(self, vertices: np.ndarray) -> None:
        """Add integers that may be without edges."""
        self._alone.append(vertices)

    def words(self, source: Source, *, compiled: bool) -> Words[GameGraph]:
        """Return the edges between the texts of the integers, to go on from where labels are not all integers."""
        words = Words(TextEdges(max(1, (source.size or 0) // _BYTES_A_TEXT_EDGE), compiled=compiled))
        words.add_integers(*self._columns.finish())
        for vertices in self._alone:
            for vertex in vertices.tolist():
                words.add(str(vertex), [])
        return words

    def graph(self, tokens: TokensOf) -> GameGraph:
        """Return the graph on the integers that occur, in increasing order."""
        source, target, labels = self.numbered()
        return GameGraph.from_arrays(source, target, labels, tokens=tokens(labels, True), overwrite=True)

    def numbered(self) -> tuple[np.ndarray, np.ndarray, Labels]:
        """Return the edges by vertex number, and the integers in increasing order; to be called once, at the end."""
        source, target = self._columns.finish()
        return source, target, _number([source, target], self._alone)


def _number(columns: list[np.ndarray], others: list[np.ndarray]) -> Labels:
    """Replace the integers of the columns by their ranks among all, in place; return the integers."""
    parts = [part for part in (*columns, np.concatenate([_NONE, *others])) if len(part)]
    if not parts:
        return as_labels(0)
    least = min(int(part.min()) for part in parts)
    span = max(int(part.max()) for part in parts) - least + 1
    if span > sum(map(len, parts)) + _SMALL_TABLE:
        return _number_by_search(columns, np.unique(np.concatenate(parts)))
    return _number_by_table(columns, parts, least, span)


def _number_by_search(columns: list[np.ndarray], values: np.ndarray) -> Labels:
    for column in columns:
        for some in _slices(column):
            some[:] = np.searchsorted(values, some)
    return as_labels(values)


def _number_by_table(columns: list[np.ndarray], parts: list[np.ndarray], least: int, span: int) -> Labels:
    mark, rank = _mark, _rank
    if use_compiled(sum(map(len, parts))):
        mark, rank = kernels.mark, kernels.rank
    occurs = np.zeros(span, np.bool_)
    in_threads(lambda part: mark(part, least, occurs), parts)
    if occurs.all():  # without gaps the rank is the distance from the least, and no table is needed
        in_threads(lambda column: np.subtract(column, np.int64(least), out=column, casting="unsafe"), columns)
        return as_labels(range(least, least + span))
    ranks = np.cumsum(occurs, dtype=np.int32) - 1
    in_threads(lambda column: rank(column, least, ranks), columns)
    return as_labels(np.flatnonzero(occurs) + least)


def _mark(part: np.ndarray, least: int, occurs: np.ndarray) -> None:
    for some in _slices(part):
        occurs[some.astype(np.int64) - least] = True


def _rank(part: np.ndarray, least: int, ranks: np.ndarray) -> None:
    for some in _slices(part):
        some[:] = ranks[some.astype(np.int64) - least]


def _slices(column: np.ndarray) -> Iterator[np.ndarray]:
    """Yield views of a column that are small enough to compute with."""
    for start in range(0, len(column), _SLICE):
        yield column[start : start + _SLICE]
