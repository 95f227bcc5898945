"""Edges between labels, collected as a file is read: between texts, and between integers, numbered without gaps."""

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
_AT_A_TIME = 1 << 16
_BYTES_AN_EDGE = 4  # two digits, a space and a newline: no text has more edges
_BYTES_A_TEXT_EDGE = 12
_NONE = np.empty(0, np.int64)
_SLICE = 1 << 20
_SMALL_TABLE = 1 << 16  # a table over the whole span is faster than a search, and so small that its gaps do not matter


class TextStore(Protocol[Result]):
    """A store of edges between texts."""

    def number_texts(self, data: np.ndarray, offsets: np.ndarray, /) -> np.ndarray:
        """Return the numbers of labels; see :meth:`graphgame.graph.interning.Texts.numbers`."""

    def number_words(self, labels: Sequence[str], /) -> np.ndarray:
        """Return the numbers of labels."""

    def append_numbers(self, source: np.ndarray, target: np.ndarray, /) -> None:
        """Add edges between labels that are numbered."""

    def finish_words(self, tokens: TokensOf, quoted: bool, /) -> Result:
        """Return what all of them make: integers where all labels look so and none was quoted."""


@dataclass
class RowFacts:
    """What the rows of a list are like: how many, moves, cells such as NA, labels of the first row in others."""

    count: int = 0
    any_moves: bool = False
    any_labels: bool = False
    any_missing: bool = False
    first_recurs: bool = False

    def note_pairs(self, values: np.ndarray) -> None:
        """Note integers, a source and a target, or ``ALONE``, in turn."""
        self.count += len(values) // 2
        self.any_moves = self.any_moves or bool((values[1::2] != ALONE).any())

    def note_labels(self, numbers: np.ndarray, moves: int) -> None:
        """Note labels by their numbers, in the order in which they first come, and how many moves they make."""
        others = numbers if self.any_labels else numbers[2:]
        self.any_labels = True
        self.count += len(numbers) - moves
        self.any_moves |= moves > 0
        self.first_recurs = self.first_recurs or bool((others < 2).any())


class Words(Generic[Result]):
    """Rows of labels on their way into a store.

    Attributes
    ----------
    quoted : bool
        Whether a label was in quotes.
    facts : RowFacts
    """

    def __init__(self, store: TextStore[Result]) -> None:
        self.quoted = False
        self.facts = RowFacts()
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
        edges = known[1::2]
        numbers = self._store.number_texts(data, np.append(offsets[:-1][known], offsets[-1]))
        if len(numbers):
            self.facts.note_labels(numbers, int(np.count_nonzero(edges)))
        if len(numbers) < len(known):
            some = np.full(len(known), -1, np.int32)
            some[known] = numbers
            numbers = some
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
            numbers = self._store.number_words(self._labels)
            self.facts.note_labels(numbers, (len(numbers) - len(self._alone)) // 2)
            numbers = np.delete(numbers, self._alone)
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
        values = np.unique(np.concatenate(parts))
        for some in chain.from_iterable(map(_slices, columns)):
            some[:] = np.searchsorted(values, some)
        return as_labels(values)
    return _number_by_table(columns, parts, least, span)


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
