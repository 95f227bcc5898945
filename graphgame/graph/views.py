"""What networkx sees of the arrays of a graph: mappings and views of degrees, made as it asks for them."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping, ValuesView
from itertools import chain, pairwise, repeat
from typing import Any, Protocol, TypeVar

import numpy as np
from networkx.classes import reportviews

from graphgame.compiled.engine import rarely_collecting
from graphgame.graph.attributes import AttributeTables, FrozenAttributes
from graphgame.graph.components import Vertices
from graphgame.graph.labels import Labels
from graphgame.graph.rows import Rows

_Value = TypeVar("_Value")
_ROWS_AT_A_TIME = 1 << 9

_FEW = 16
"""Neighbours that are compared one by one, which takes less time than a search for their number."""

_NO_ATTRIBUTES = FrozenAttributes()

_IN_TURN = 64
"""How much more a position counts that is looked at after the one before it: neighbours of all are soon listed."""

_MOST_LISTED = 5_000_000
"""Positions and edges up to which neighbours are listed, in at most some hundred megabytes."""


class Arrays(Vertices, Protocol):
    """What views need of it besides; a row of a sum may name a part twice."""

    @property
    def kinds(self) -> np.ndarray | None:
        """The kinds of the vertices; see :func:`graphgame.graph.attributes.kind_codes`."""

    graph: dict[Any, Any]
    attributes: AttributeTables
    sums: np.ndarray | None
    out_degrees: np.ndarray


class _View(Mapping[Hashable, _Value]):
    """A mapping that networkx may copy as it copies a dictionary."""

    __slots__ = ()

    def data(self) -> Iterator[_Value]:
        """Return all values, in order, without a search for each."""
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
    """A mapping of all positions of a graph."""

    __slots__ = ("_graph",)

    def __init__(self, graph: Arrays) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return len(self._graph.labels)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._graph.labels)

    def __contains__(self, position: object) -> bool:
        return position in self._graph.labels


class Nodes(_OfPositions[FrozenAttributes]):
    """Position -> attributes."""

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
    """Position -> its options or its predecessors.

    A loop over a graph that is not too large soon looks at many positions: then the neighbours of all are listed once,
    which costs about 150 bytes a position and 8 bytes an edge, and the rest of the loop is about as fast as with
    dictionaries.
    """

    __slots__ = ("_direction", "_last", "_looked_at", "listed")

    def __init__(self, graph: Arrays, direction: str) -> None:
        super().__init__(graph)
        self._direction = direction
        self.listed: dict[Hashable, list[Hashable]] | None = None
        self._looked_at, self._last = 0, -1

    def __getitem__(self, position: Hashable) -> Neighbours:
        if self.listed is not None:
            return Neighbours(self._graph, self._direction, None, position, self.listed[position])
        number = self._graph.labels.find(position)
        self._look_at(number)
        return Neighbours(self._graph, self._direction, number, position)

    def _look_at(self, number: int) -> None:
        """List the neighbours of all positions where a loop seems to go on."""
        self._looked_at += _IN_TURN if number == self._last + 1 else 1
        self._last = number
        if self._looked_at << 3 > len(self) and self._is_small():
            with rarely_collecting():  # few of these lists are garbage
                self.listed = dict(zip(self, self._lists(), strict=True))

    def _is_small(self) -> bool:
        return len(self) + len(getattr(self._graph, self._direction).indices) <= _MOST_LISTED

    def _lists(self) -> Iterator[list[Hashable]]:
        """Yield the neighbours of each position; rows are read many at a time."""
        graph, rows = self._graph, getattr(self._graph, self._direction)
        names = np.fromiter(graph.labels, object, len(self))  # every list shares these objects
        for first in range(0, len(self), _ROWS_AT_A_TIME):
            ends = rows.pointers[first : first + _ROWS_AT_A_TIME + 1]
            found = names[rows.indices[ends[0] : ends[-1]]].tolist()
            some = (found[start:end] for start, end in pairwise((ends - ends[0]).tolist()))
            yield from some if graph.sums is None else (list(dict.fromkeys(row)) for row in some)

    def data(self) -> Iterator[Neighbours]:  # noqa: D102
        lists = self._lists() if self.listed is None else iter(self.listed.values())
        return map(Neighbours, repeat(self._graph), repeat(self._direction), range(len(self)), self, lists)


class Neighbours(_View[FrozenAttributes]):
    """Neighbour -> attributes of the edge, for one vertex and one direction."""

    __slots__ = ("_direction", "_found", "_listed", "_position", "graph")

    def __init__(
        self,
        graph: Arrays,
        direction: str,
        number: int | None,
        position: Hashable,
        listed: list[Hashable] | None = None,
    ) -> None:
        self.graph = graph
        self._direction = direction
        self._found = number
        self._position = position
        self._listed = listed

    @property
    def _number(self) -> int:
        return self.graph.labels.find(self._position) if self._found is None else self._found

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
        if listed is not None and graph.sums is None and not graph.attributes.edges and position in listed[:_FEW]:
            return _NO_ATTRIBUTES
        other = self.graph.labels.find(position)
        multiplicity = self._multiplicity(other)
        if multiplicity == 0:
            raise KeyError(position)
        return self.graph.attributes.of_edge(*self._edge(other), multiplicity)

    def data(self) -> Iterator[FrozenAttributes]:
        """Return the attributes of the edges, without a search where the arrays alone tell them."""
        of_edge = self.graph.attributes.of_edge
        if self.graph.sums is not None:
            return (of_edge(*self._edge(other), self._multiplicity(other)) for other in self._row.tolist())
        if not self.graph.attributes.edges:
            return repeat(of_edge(0, 0, 1), len(self))
        return (of_edge(*self._edge(other), 1) for other in self._row.tolist())

    def _edge(self, other: int) -> tuple[int, int]:
        return (self._number, other) if self._direction == "successor_rows" else (other, self._number)

    def _multiplicity(self, other: int) -> int:
        start, end = self._edge(other)
        rows = self.graph.successor_rows
        return int(rows.has(start, end)) if self.graph.sums is None else int(np.count_nonzero(rows.row(start) == end))


def _edges(labels: Labels, rows: Rows, order: int, *more: object) -> Iterator[tuple[Any, ...]]:
    """Yield the vertex of each row and each entry of it, or the other way about (order -1), and what is given besides.

    They are read from the arrays.
    """
    ends, indices = rows

    def block(first: int) -> Iterator[tuple[Any, ...]]:
        last = min(first + _ROWS_AT_A_TIME, len(ends) - 1)
        nodes = np.fromiter(labels[first:last], object, last - first)
        owners = np.repeat(nodes, np.diff(ends[first : last + 1])).tolist()
        both = owners, labels.take(indices[ends[first] : ends[last]])
        return zip(*both[::order], *map(repeat, more))  # noqa: B905

    return chain.from_iterable(map(block, range(0, len(ends) - 1, _ROWS_AT_A_TIME)))


class _EdgeData:
    """A view of edges with attributes that reads all from the arrays."""

    _viewer: Any
    _nbunch: Any
    _data: Any
    _default: Any

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        graph = self._viewer._graph
        if self._nbunch is not None or graph.sums is not None or graph.attributes.edges:
            return super().__iter__()  # type: ignore[misc, no-any-return]
        more = () if self._data is False else (FrozenAttributes() if self._data is True else self._default,)
        return self._viewer._all(*more)  # type: ignore[no-any-return]


class _Edges:
    """A view of edges that reads all from the arrays."""

    _graph: Any

    def __len__(self) -> int:
        return self._graph.number_of_edges()  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[tuple[Hashable, Hashable]]:
        return self._all() if self._graph.sums is None else super().__iter__()  # type: ignore[misc]

    def _all(self, *more: object) -> Iterator[tuple[Any, ...]]:
        raise NotImplementedError


class OutEdgeDataView(_EdgeData, reportviews.OutEdgeDataView):  # type: ignore[misc, unused-ignore]
    """The edges from each node, with attributes."""

    __slots__ = ()


class InEdgeDataView(_EdgeData, reportviews.InEdgeDataView):  # type: ignore[misc, unused-ignore]
    """The edges to each node, with attributes."""

    __slots__ = ()


class OutEdgeView(_Edges, reportviews.OutEdgeView):  # type: ignore[misc, unused-ignore]
    """The edges from each node."""

    __slots__ = ()
    dataview = OutEdgeDataView

    def _all(self, *more: object) -> Iterator[tuple[Any, ...]]:
        return _edges(self._graph.labels, self._graph.successor_rows, 1, *more)


class InEdgeView(_Edges, reportviews.InEdgeView):  # type: ignore[misc, unused-ignore]
    """The edges to each node."""

    __slots__ = ()
    dataview = InEdgeDataView

    def _all(self, *more: object) -> Iterator[tuple[Any, ...]]:
        return _edges(self._graph.labels, self._graph.predecessor_rows, -1, *more)


class _Counts:
    """A view of degrees that reads those of all nodes from the arrays."""

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
    """How many edges there are at each node."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths() + self._graph.out_degrees  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return self._graph.predecessor_rows.length(number) + self._graph.out_degrees.item(number)  # type: ignore[no-any-return]


class InDegreeView(_Counts, reportviews.InDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges lead to each node."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths()  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return self._graph.predecessor_rows.length(number)  # type: ignore[no-any-return]


class OutDegreeView(_Counts, reportviews.OutDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges lead from each node."""

    def _count(self) -> np.ndarray:
        return self._graph.out_degrees  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return self._graph.out_degrees.item(number)  # type: ignore[no-any-return]
