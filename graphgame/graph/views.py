"""Views for networkx of a graph in arrays: its nodes, adjacency, edges and degrees, computed when they are read."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping, ValuesView
from itertools import chain, pairwise, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from networkx.classes import reportviews

from graphgame.compiled.engine import rarely_collecting
from graphgame.graph.attributes import NO_ATTRIBUTES, FrozenAttributes

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import ArrayDiGraph

_Value = TypeVar("_Value")
_ROWS_AT_A_TIME = 1 << 9

_MOST_COMPARED = 16
"""A position is looked up among this many listed neighbours first: that is faster than finding its vertex number."""

_WEIGHT_IN_ORDER = 64
"""A lookup of the vertex after the last one counts as this many lookups: it is probably part of a loop."""

_MOST_LISTED = 5_000_000
"""The largest number of positions plus edges of a graph whose neighbours are listed: a few hundred megabytes."""


class _View(Mapping[Hashable, _Value]):
    """A read-only mapping with fast iteration; its method ``copy``, which networkx calls, returns a dictionary."""

    __slots__ = ()

    def data(self) -> Iterator[_Value]:
        """Return an iterator over all values in the order of the keys; faster than looking up each key."""
        raise NotImplementedError

    def items(self) -> ItemsView[Hashable, _Value]:
        return _Items(self)

    def values(self) -> ValuesView[_Value]:
        return _Values(self)

    def copy(self) -> dict[Hashable, _Value]:
        return dict(self.items())

    def __repr__(self) -> str:
        return repr(self.copy())


class _Items(ItemsView[Hashable, _Value]):
    _mapping: _View[_Value]

    def __iter__(self) -> Iterator[tuple[Hashable, _Value]]:
        return zip(self._mapping, self._mapping.data(), strict=True)


class _Values(ValuesView[_Value]):
    _mapping: _View[_Value]

    def __iter__(self) -> Iterator[_Value]:
        return self._mapping.data()


class _OfPositions(_View[_Value]):
    """A mapping whose keys are the positions of a graph."""

    __slots__ = ("_graph",)

    def __init__(self, graph: ArrayDiGraph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return len(self._graph.labels)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._graph.labels)

    def __contains__(self, position: object) -> bool:
        return position in self._graph.labels


class Nodes(_OfPositions[FrozenAttributes]):
    """The mapping position -> its attributes."""

    __slots__ = ()

    def __getitem__(self, position: Hashable) -> FrozenAttributes:
        number = self._graph.labels.find(position)
        kinds = self._graph.kinds
        return self._graph.attributes.of_node(number, 0 if kinds is None else int(kinds[number]))

    def data(self) -> Iterator[FrozenAttributes]:  # noqa: D102
        of_node, kinds, vertices = self._graph.attributes.of_node, self._graph.kinds, len(self)
        if kinds is None and not self._graph.attributes.nodes:
            return repeat(of_node(0, 0), vertices)
        return map(of_node, range(vertices), repeat(0) if kinds is None else kinds.tolist())


class Adjacency(_OfPositions["Neighbours"]):
    """The mapping position -> its neighbours: ``direction`` is "successor_rows" or "predecessor_rows".

    After many lookups, as in a loop over a graph, the neighbours of all positions are put into lists, unless the graph
    is too large. The lists take about 150 bytes a position and 8 an edge. A lookup is then about as fast as in a dict.
    """

    __slots__ = ("_direction", "_last", "_looked_at", "listed")

    def __init__(self, graph: ArrayDiGraph, direction: str) -> None:
        super().__init__(graph)
        self._direction = direction
        self.listed: dict[Hashable, list[Hashable]] | None = None
        self._looked_at, self._last = 0, -1

    def __getitem__(self, position: Hashable) -> Neighbours:
        if self.listed is not None:
            return Neighbours(self._graph, self._direction, None, position, self.listed[position])
        number = self._graph.labels.find(position)
        # Many lookups are probably a loop over the graph: then convert the neighbours of all positions to lists.
        self._looked_at += _WEIGHT_IN_ORDER if number == self._last + 1 else 1
        self._last = number
        is_loop = self._looked_at << 3 > len(self)
        if is_loop and len(self) + len(getattr(self._graph, self._direction).indices) <= _MOST_LISTED:
            with rarely_collecting():  # the new lists are no garbage: collecting would only cost time
                self.listed = dict(zip(self, self._lists(), strict=True))
        return Neighbours(self._graph, self._direction, number, position)

    def _lists(self) -> Iterator[list[Hashable]]:
        """Yield the list of neighbours of each position, without repetitions; rows are converted many at a time."""
        graph, rows = self._graph, getattr(self._graph, self._direction)
        labels = np.fromiter(graph.labels, object, len(self))  # one Python object for each label, which all lists share
        for first in range(0, len(self), _ROWS_AT_A_TIME):
            ends = rows.pointers[first : first + _ROWS_AT_A_TIME + 1]
            entries = labels[rows.indices[ends[0] : ends[-1]]].tolist()
            lists = (entries[start:end] for start, end in pairwise((ends - ends[0]).tolist()))
            yield from lists if graph.sums is None else (list(dict.fromkeys(row)) for row in lists)

    def data(self) -> Iterator[Neighbours]:  # noqa: D102
        lists = self._lists() if self.listed is None else iter(self.listed.values())
        return map(Neighbours, repeat(self._graph), repeat(self._direction), range(len(self)), self, lists)


class Neighbours(_View[FrozenAttributes]):
    """The mapping neighbour -> attributes of the edge, for one vertex and its options or its predecessors.

    ``number`` is the number of the vertex, or None to look it up when it is needed. ``listed`` is the list of its
    neighbours, or None to read them from the arrays.
    """

    __slots__ = ("_direction", "_known_number", "_listed", "_position", "graph")

    def __init__(
        self,
        graph: ArrayDiGraph,
        direction: str,
        number: int | None,
        position: Hashable,
        listed: list[Hashable] | None = None,
    ) -> None:
        self.graph = graph
        self._direction = direction
        self._known_number = number
        self._position = position
        self._listed = listed

    @property
    def _number(self) -> int:
        return self.graph.labels.find(self._position) if self._known_number is None else self._known_number

    @property
    def _row(self) -> np.ndarray:
        row: np.ndarray = getattr(self.graph, self._direction).row(self._number)
        return row if self.graph.sums is None else np.array(list(dict.fromkeys(row.tolist())), np.int32)

    def __len__(self) -> int:
        return len(self._row if self._listed is None else self._listed)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.graph.labels.take(self._row) if self._listed is None else self._listed)

    def __contains__(self, position: object) -> bool:
        try:
            return self._multiplicity(self.graph.labels.find(position)) > 0
        except KeyError:
            return False

    def __getitem__(self, position: Hashable) -> FrozenAttributes:
        graph, listed = self.graph, self._listed
        if (
            listed is not None
            and graph.sums is None
            and not graph.attributes.edges
            and position in listed[:_MOST_COMPARED]
        ):
            return NO_ATTRIBUTES
        neighbour = self.graph.labels.find(position)
        multiplicity = self._multiplicity(neighbour)
        if multiplicity == 0:
            raise KeyError(position)
        return self.graph.attributes.of_edge(*self._edge(neighbour), multiplicity)

    def data(self) -> Iterator[FrozenAttributes]:
        """Return an iterator over the attributes of the edges, in the order of the neighbours."""
        of_edge = self.graph.attributes.of_edge
        if self.graph.sums is not None:
            return (of_edge(*self._edge(each), self._multiplicity(each)) for each in self._row.tolist())
        if not self.graph.attributes.edges:
            return repeat(of_edge(0, 0, 1), len(self))
        return (of_edge(*self._edge(each), 1) for each in self._row.tolist())

    def _edge(self, neighbour: int) -> tuple[int, int]:
        return (self._number, neighbour) if self._direction == "successor_rows" else (neighbour, self._number)

    def _multiplicity(self, neighbour: int) -> int:
        start, end = self._edge(neighbour)
        rows = self.graph.successor_rows
        return int(rows.has(start, end)) if self.graph.sums is None else int(np.count_nonzero(rows.row(start) == end))


class _EdgeData:
    """Mixin for an edge view with data: a loop over all edges reads the arrays if no sums or edge attributes exist."""

    _viewer: Any
    _nbunch: Any
    _data: Any
    _default: Any

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        graph = self._viewer._graph
        if self._nbunch is not None or graph.sums is not None or graph.attributes.edges:
            return super().__iter__()  # type: ignore[misc, no-any-return]
        more = () if self._data is False else (NO_ATTRIBUTES if self._data is True else self._default,)
        return self._viewer._all(*more)  # type: ignore[no-any-return]


class _Edges:
    """Mixin for a networkx view of edges: a loop over all edges reads the arrays if there are no sums.

    ``_rows`` is the name of the graph's rows to read. ``_order`` is -1 for rows of predecessors, to swap edge ends.
    """

    _graph: Any
    _rows, _order = "successor_rows", 1

    def __len__(self) -> int:
        return self._graph.number_of_edges()  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[tuple[Hashable, Hashable]]:
        return self._all() if self._graph.sums is None else super().__iter__()  # type: ignore[misc]

    def _all(self, *more: object) -> Iterator[tuple[Any, ...]]:
        """Yield the tuple ``(source, target, *more)`` for each edge, its ends as positions."""
        labels, (ends, indices) = self._graph.labels, getattr(self._graph, self._rows)

        def block(first: int) -> Iterator[tuple[Any, ...]]:
            last = min(first + _ROWS_AT_A_TIME, len(ends) - 1)
            nodes = np.fromiter(labels[first:last], object, last - first)
            row_nodes = np.repeat(nodes, np.diff(ends[first : last + 1])).tolist()
            both = row_nodes, labels.take(indices[ends[first] : ends[last]])
            return zip(*both[:: self._order], *map(repeat, more))  # noqa: B905

        return chain.from_iterable(map(block, range(0, len(ends) - 1, _ROWS_AT_A_TIME)))


class OutEdgeDataView(_EdgeData, reportviews.OutEdgeDataView):  # type: ignore[misc, unused-ignore]
    """The view ``G.edges(...)``: the out-edges of some or all nodes, with attributes if ``data`` is not False."""


class InEdgeDataView(_EdgeData, reportviews.InEdgeDataView):  # type: ignore[misc, unused-ignore]
    """The view ``G.in_edges(...)``: the in-edges of some or all nodes, with attributes if ``data`` is not False."""


class OutEdgeView(_Edges, reportviews.OutEdgeView):  # type: ignore[misc, unused-ignore]
    """The view ``G.edges``: all edges, in the order of their source nodes."""

    dataview = OutEdgeDataView


class InEdgeView(_Edges, reportviews.InEdgeView):  # type: ignore[misc, unused-ignore]
    """The view ``G.in_edges``: all edges, in the order of their target nodes."""

    dataview = InEdgeDataView
    _rows, _order = "predecessor_rows", -1


class _Counts:
    """Mixin for networkx's degree views: reads unweighted degrees from the arrays if the graph has no sum vertices."""

    _graph: Any
    _weight: Any
    _nodes: Any
    _succ: Any

    def _count(self) -> np.ndarray:
        raise NotImplementedError

    def _count_at(self, number: int) -> int:
        raise NotImplementedError

    def __getitem__(self, position: Hashable) -> float:
        if self._weight is None and self._graph.sums is None:
            return self._count_at(self._graph.labels.find(position))
        return super().__getitem__(position)  # type: ignore[misc, no-any-return]

    def __iter__(self) -> Iterator[tuple[Hashable, float]]:
        if self._weight is not None or self._graph.sums is not None:
            return super().__iter__()  # type: ignore[misc, no-any-return]
        if self._nodes is self._succ:
            return zip(self._graph.labels, self._count().tolist(), strict=True)
        return ((position, self._count_at(self._graph.labels.find(position))) for position in self._nodes)


class DiDegreeView(_Counts, reportviews.DiDegreeView):  # type: ignore[misc, unused-ignore]
    """The view ``G.degree``: node -> the number of its in-edges plus the number of its out-edges."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths() + self._graph.out_degrees  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return self._graph.predecessor_rows.length(number) + self._graph.out_degrees.item(number)  # type: ignore[no-any-return]


class InDegreeView(_Counts, reportviews.InDegreeView):  # type: ignore[misc, unused-ignore]
    """The view ``G.in_degree``: node -> number of its in-edges."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths()  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return self._graph.predecessor_rows.length(number)  # type: ignore[no-any-return]


class OutDegreeView(_Counts, reportviews.OutDegreeView):  # type: ignore[misc, unused-ignore]
    """The view ``G.out_degree``: node -> number of its out-edges."""

    def _count(self) -> np.ndarray:
        return self._graph.out_degrees  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return self._graph.out_degrees.item(number)  # type: ignore[no-any-return]
