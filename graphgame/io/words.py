"""Edges between labels of any kind, collected from the rows of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from graphgame.arrays.interning import texts
from graphgame.arrays.labels import as_labels
from graphgame.graph import GameGraph
from graphgame.io.interchange import as_integers
from graphgame.io.labels_text import TokensOf
from graphgame.io.scanner import Columns

Result = TypeVar("Result", covariant=True)
_AT_A_TIME = 1 << 16


class TextStore(Protocol[Result]):
    """A store of edges between texts."""

    def number_texts(self, data: np.ndarray, offsets: np.ndarray, /) -> np.ndarray:
        """Return the numbers of labels; see :meth:`graphgame.arrays.interning.Texts.numbers`."""

    def number_words(self, labels: Sequence[str], /) -> np.ndarray:
        """Return the numbers of labels."""

    def append_numbers(self, source: np.ndarray, target: np.ndarray, /) -> None:
        """Add edges between labels that are numbered."""

    def finish_words(self, tokens: TokensOf, quoted: bool, /) -> Result:
        """Return what all of them make: integers where all labels look so and none was quoted."""


class Words(Generic[Result]):
    """Rows of labels on their way into a store; ``quoted`` says whether a label was in quotes."""

    def __init__(self, store: TextStore[Result]) -> None:
        self.quoted = False
        self._store = store
        self._labels: list[str] = []
        self._alone: list[int] = []

    def add(self, start: str, ends: Sequence[str]) -> None:
        """Add a vertex and its edges to others."""
        for end in ends:
            self._labels += (start, end)
        if not ends:
            self._alone.append(len(self._labels))
            self._labels.append(start)
        if len(self._labels) >= _AT_A_TIME:
            self._flush()

    def add_rows(self, data: np.ndarray, offsets: np.ndarray) -> None:
        """Add edges, the texts of a source and a target in turn; an empty target makes a vertex of the source."""
        self._flush()
        known = np.ones(len(offsets) - 1, np.bool_)
        known[1::2] = offsets[2::2] > offsets[1:-1:2]
        if known.all():
            numbers = self._store.number_texts(data, offsets)
            self._store.append_numbers(numbers[::2], numbers[1::2])
            return
        numbers = np.full(len(known), -1, np.int32)
        numbers[known] = self._store.number_texts(data, np.append(offsets[:-1][known], offsets[-1]))
        edges = known[1::2]
        self._store.append_numbers(numbers[::2][edges], numbers[1::2][edges])

    def add_integers(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges between integers."""
        for start in range(0, len(source), _AT_A_TIME):
            part = slice(start, start + _AT_A_TIME)
            self._labels += map(str, np.stack([source[part], target[part]], axis=1).ravel().tolist())
            self._flush()

    def finish(self, tokens: TokensOf) -> Result:
        """Return what the store makes of all rows."""
        self._flush()
        return self._store.finish_words(tokens, self.quoted)

    def _flush(self) -> None:
        if self._labels:
            numbers = np.delete(self._store.number_words(self._labels), self._alone)
            self._store.append_numbers(numbers[::2], numbers[1::2])
            self._labels, self._alone = [], []


class TextEdges:
    """Edges between texts in memory."""

    def __init__(self, rows: int = 1 << 12, *, compiled: bool = False) -> None:
        self._columns = Columns(rows)
        self._texts = texts(compiled)
        self.number_texts, self.number_words = self._texts.numbers, self._texts.numbers_of
        self.append_numbers = self._columns.append

    def numbered(self) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Return the edges by vertex number, and the labels."""
        return *self._columns.finish(), self._texts.strings()

    def finish_words(self, tokens: TokensOf, quoted: bool) -> GameGraph:
        """Return the graph: between integers in increasing order where all labels look so and none was quoted."""
        source, target, labels = self.numbered()
        positions = as_labels(labels)
        values = None if quoted or not labels else as_integers(labels)
        if values is not None:
            order = np.argsort(values)
            rank = np.empty(len(order), np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            source, target, positions = rank[source], rank[target], as_labels(values[order])
        tokens_of = tokens(positions, values is not None)
        return GameGraph.from_arrays(source, target, positions, tokens=tokens_of, overwrite=True)
