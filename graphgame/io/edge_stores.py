"""Stores that collect the edges of a list while it is read, and make the graph.

Reading begins with a store of integers (:class:`Edges`). From the first row on that the loop for integers cannot read,
it continues with :class:`Words`, which fills a store of texts (:class:`TextStore`). The stores here are in memory; the
lab ``scale`` has stores on disk. At the end, a store calls ``tokens(positions, are_integers)`` to get the tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, Protocol, TypeVar

import numpy as np

from graphgame.compiled.engine import in_threads, use_compiled
from graphgame.graph import kernels
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.interning import texts
from graphgame.graph.labels import Labels, as_labels
from graphgame.io.interchange import TokensOf, as_integers
from graphgame.io.scanner import ALONE, Columns
from graphgame.io.source import BLOCK, Source

Result = TypeVar("Result", covariant=True)
_LABELS_A_FLUSH = 1 << 16
_LEAST_BYTES_AN_EDGE = 4  # two digits, a space and a newline, which the last line may lack
_BYTES_A_TEXT_EDGE = 12
_NONE = np.empty(0, np.int64)
_SLICE = 1 << 20
# To rank integers, use a table with an entry for each integer from the least to the largest. Sorting is faster only if
# this table would have over _SMALL_TABLE more entries than there are integers.
_SMALL_TABLE = 1 << 16


class TextStore(Protocol[Result]):
    """A store of edges between texts. A text gets a number, from 0 on, when it first appears."""

    def number_texts(self, data: np.ndarray, offsets: np.ndarray, /) -> np.ndarray:
        """Return the number of each text; text k is ``data[offsets[k]:offsets[k + 1]]`` in UTF-8."""

    def number_words(self, labels: Sequence[str], /) -> np.ndarray:
        """Return the number of each text in ``labels``."""

    def append_numbers(self, source: np.ndarray, target: np.ndarray, /) -> None:
        """Add edges, given by the numbers of the texts at their ends."""

    def finish_words(self, tokens: TokensOf, quoted: bool, /) -> Result:
        """Finish the store; return its result: for a store in memory, the graph.

        Positions are integers if all texts are integer labels and none was ``quoted``. ``tokens`` returns the tokens.
        """


@dataclass
class RowFacts:
    """Facts about the rows of a list, for notes on lists that may have been misread.

    ``count`` is the number of rows. ``any_missing`` tells whether a target was a missing value such as NA, and
    ``first_recurs`` whether a text of the first row occurs again.
    """

    count: int = 0
    any_moves: bool = False
    any_missing: bool = False
    first_recurs: bool = False
    _texts_of_first: int = 0

    def note_pairs(self, values: np.ndarray) -> None:
        """Note facts about rows of two integers each; a row is a move if its second integer is not ``ALONE``."""
        self._texts_of_first = self._texts_of_first or len(set(values[:2].tolist()))
        self.count += len(values) // 2
        self.any_moves = self.any_moves or bool((values[1::2] != ALONE).any())

    def note_labels(self, numbers: np.ndarray, moves: int) -> None:
        """Note facts about rows whose texts have these ``numbers``: ``moves`` rows of two texts, the others of one."""
        later = numbers if self.count else numbers[2:]
        self._texts_of_first = self._texts_of_first or len(set(numbers[:2].tolist()))
        self.count += len(numbers) - moves
        self.any_moves |= moves > 0
        self.first_recurs = self.first_recurs or bool((later < self._texts_of_first).any())


class Words(Generic[Result]):
    """Collects rows of labels, and passes them to a store of texts, many at a time.

    The reader sets ``quoted`` at a label in quotes, so that no label becomes an integer. In CSV quotes mean nothing.
    """

    def __init__(self, store: TextStore[Result]) -> None:
        self.quoted = False
        self.facts = RowFacts()
        self._store = store
        self._labels: list[str] = []
        self._alone: list[int] = []

    def add(self, start: str, ends: Sequence[str]) -> None:
        """Add an edge from ``start`` to each label in ``ends``; without ``ends``, only the vertex ``start``."""
        for end in ends:
            self._labels += (start, end)
        if not ends:
            self._alone.append(len(self._labels))
            self._labels.append(start)
        if len(self._labels) >= _LABELS_A_FLUSH:
            self._flush()

    def add_rows(self, data: np.ndarray, offsets: np.ndarray) -> None:
        """Add rows, given by their labels ``data[offsets[k]:offsets[k + 1]]``: sources and targets alternate.

        If a target is empty, only its source is added, as a vertex.
        """
        self._flush()
        is_filled = np.ones(len(offsets) - 1, np.bool_)
        is_filled[1::2] = offsets[2::2] > offsets[1:-1:2]
        is_edge = is_filled[1::2]
        filled = self._store.number_texts(data, np.append(offsets[:-1][is_filled], offsets[-1]))
        if len(filled):
            self.facts.note_labels(filled, int(np.count_nonzero(is_edge)))
        numbers = np.full(len(is_filled), -1, np.int32)
        numbers[is_filled] = filled
        self._store.append_numbers(numbers[::2][is_edge], numbers[1::2][is_edge])

    def add_integers(self, source: np.ndarray, target: np.ndarray) -> None:
        """Turn the integers into texts, and add the edges between these texts."""
        for start in range(0, len(source), _LABELS_A_FLUSH):
            part = slice(start, start + _LABELS_A_FLUSH)
            self._labels += map(str, np.stack([source[part], target[part]], axis=1).ravel().tolist())
            self._flush()

    def finish(self, tokens: TokensOf) -> Result:
        """Return the result of the store's :meth:`TextStore.finish_words`: for a store in memory, the graph."""
        self._flush()
        return self._store.finish_words(tokens, self.quoted)

    def _flush(self) -> None:
        if self._labels:
            numbers = self._store.number_words(self._labels)
            self.facts.note_labels(numbers, (len(numbers) - len(self._alone)) // 2)
            numbers = np.delete(numbers, self._alone)
            self._store.append_numbers(numbers[::2], numbers[1::2])
            self._labels, self._alone = [], []


class TextEdges:
    """A :class:`TextStore` in memory with room for ``rows`` edges at first. If ``compiled``, its loops are compiled."""

    def __init__(self, rows: int = 1 << 12, *, compiled: bool = False) -> None:
        self._columns = Columns(rows)
        self._texts = texts(compiled)
        self.number_texts, self.number_words = self._texts.numbers, self._texts.numbers_of
        self.append_numbers = self._columns.append

    def numbered(self) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Return (sources, targets, texts); sources and targets are indices into ``texts``."""
        return *self._columns.finish(), self._texts.strings()

    def finish_words(self, tokens: TokensOf, quoted: bool) -> GameGraph:
        """Return the graph, as :meth:`TextStore.finish_words` says. If positions are integers, they are sorted."""
        source, target, labels = self.numbered()
        positions = as_labels(labels)
        values = None if quoted or not labels else as_integers(labels)
        if values is not None:
            order = np.argsort(values)
            rank = np.empty(len(order), np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            source, target, positions = rank[source], rank[target], as_labels(values[order])
        stand_on = tokens(positions, values is not None)
        return GameGraph.from_arrays(source, target, positions, tokens=stand_on, overwrite=True)


class Edges(Protocol[Result]):
    """A store of edges between integers, with which the reader of a list begins."""

    def add(self, values: np.ndarray, /) -> None:
        """Add edges, whose sources and targets alternate. If a target is ``ALONE``, only add its source as a vertex."""

    def words(self, source: Source, /, *, compiled: bool) -> Words[Result]:
        """Move all edges to new :class:`Words`. The size of ``source`` tells how much room they need."""

    def graph(self, tokens: TokensOf, /) -> Result:
        """Finish the store; return its result: for a store in memory, the graph. ``tokens`` returns its tokens."""


class IntegerEdges:
    """A store of edges between integers in memory: the :class:`Edges` of :func:`graphgame.io.delimited.read`.

    At first it has room for all edges of a text of ``size`` bytes, or for ``rows`` edges if ``size`` is None.
    """

    def __init__(self, size: int | None, rows: int = BLOCK) -> None:
        self._columns = Columns(rows if size is None else size // _LEAST_BYTES_AN_EDGE + 1)
        self._alone: list[np.ndarray] = []

    def add(self, values: np.ndarray) -> None:
        """Add edges, whose sources and targets alternate. If a target is ``ALONE``, only add its source as a vertex."""
        alone = values[1::2] == ALONE
        if alone.any():
            rows = values.reshape(-1, 2)
            self._alone.append(rows[alone, 0])
            values = rows[~alone].ravel()
        self._columns.extend(values)

    def append(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges, given by their sources and their targets."""
        self._columns.append(source, target)

    def add_vertices(self, vertices: np.ndarray) -> None:
        """Add vertices, with or without edges."""
        self._alone.append(vertices)

    def words(self, source: Source, *, compiled: bool) -> Words[GameGraph]:
        """Move all edges to new :class:`Words`. The size of ``source`` tells how much room they need."""
        words = Words(TextEdges(max(1, (source.size or 0) // _BYTES_A_TEXT_EDGE), compiled=compiled))
        words.add_integers(*self._columns.finish())
        for vertices in self._alone:
            for vertex in vertices.tolist():
                words.add(str(vertex), [])
        return words

    def graph(self, tokens: TokensOf) -> GameGraph:
        """Return the graph. Its positions are the integers, sorted. Calling ``tokens`` with them gives its tokens."""
        source, target, labels = self.numbered()
        return GameGraph.from_arrays(source, target, labels, tokens=tokens(labels, True), overwrite=True)

    def numbered(self) -> tuple[np.ndarray, np.ndarray, Labels]:
        """Return (sources, targets, positions): vertex numbers, and the integers that they number, in increasing order.

        Call this once, at the end: it overwrites the integers with vertex numbers.
        """
        source, target = self._columns.finish()
        return source, target, _number([source, target], self._alone)


def _number(columns: list[np.ndarray], alone: list[np.ndarray]) -> Labels:
    """Return all distinct integers in ``columns`` and ``alone``, sorted; in ``columns``, replace each by its index."""
    parts = [part for part in (*columns, np.concatenate([_NONE, *alone])) if len(part)]
    if not parts:
        return as_labels(0)
    least = min(int(part.min()) for part in parts)
    span = max(int(part.max()) for part in parts) - least + 1
    if span > sum(map(len, parts)) + _SMALL_TABLE:
        values = np.unique(np.concatenate(parts))
        for view in chain.from_iterable(map(_slices, columns)):
            view[:] = np.searchsorted(values, view)
        return as_labels(values)
    return _number_by_table(columns, parts, least, span)


def _number_by_table(columns: list[np.ndarray], parts: list[np.ndarray], least: int, span: int) -> Labels:
    mark, rank = _mark, _rank
    if use_compiled(sum(map(len, parts))):
        mark, rank = kernels.mark, kernels.rank
    occurs = np.zeros(span, np.bool_)
    in_threads(lambda part: mark(part, least, occurs), parts)
    if occurs.all():  # Without gaps the rank of x is x - least, and no table of ranks is needed.
        in_threads(lambda column: np.subtract(column, np.int64(least), out=column, casting="unsafe"), columns)
        return as_labels(range(least, least + span))
    ranks = np.cumsum(occurs, dtype=np.int32) - 1
    in_threads(lambda column: rank(column, least, ranks), columns)
    return as_labels(np.flatnonzero(occurs) + least)


def _mark(part: np.ndarray, least: int, occurs: np.ndarray) -> None:
    for view in _slices(part):
        occurs[view.astype(np.int64) - least] = True


def _rank(part: np.ndarray, least: int, ranks: np.ndarray) -> None:
    for view in _slices(part):
        view[:] = ranks[view.astype(np.int64) - least]


def _slices(column: np.ndarray) -> Iterator[np.ndarray]:
    """Yield views of successive parts of a column, so that the temporary arrays of a computation stay small."""
    for start in range(0, len(column), _SLICE):
        yield column[start : start + _SLICE]
