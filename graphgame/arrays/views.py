"""What networkx sees of the arrays of a graph: mappings and views of degrees, made as it asks for them."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping, ValuesView
from itertools import chain, repeat
from typing import Any, Protocol, TypeVar

import numpy as np
from networkx.classes import reportviews

from graphgame.arrays.attributes import AttributeTables, FrozenAttributes
from graphgame.arrays.labels import Labels
from graphgame.arrays.rows import Rows

__all__ = ["Adjacency", "DiDegreeView", "InDegreeView", "Nodes", "OutDegreeView", "OutEdgeView"]

_Value = TypeVar("_Value")
_ROWS_AT_A_TIME = 1 << 12


class Arrays(Protocol):
    """A graph by vertex numbers; a row of a sum may name a part twice."""

    @property
    def successor_rows(self) -> Rows:
        """The successors of every vertex, in the order of their edges."""

    @property
    def predecessor_rows(self) -> Rows:
        """The predecessors of every vertex."""

    labels: Labels
    attributes: AttributeTables
    sums: np.ndarray | None
    out_degrees: np.ndarray


class _View(Mapping[Hashable, _Value]):
    """A mapping that networkx may copy as it copies a dictionary."""

    __slots__ = ()

    def copy(self) -> dict[Hashable, _Value]:
        return dict(self)

    def __repr__(self) -> str:
        return repr(dict(self))


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
        sums = self._graph.sums
        return self._graph.attributes.of_node(number, sums is not None and bool(sums[number]))


class Adjacency(_OfPositions["Neighbours"]):
    """Position -> its options or its predecessors."""

    __slots__ = ("_direction",)

    def __init__(self, graph: Arrays, direction: str) -> None:
        super().__init__(graph)
        self._direction = direction

    def __getitem__(self, position: Hashable) -> Neighbours:
        return Neighbours(self._graph, self._direction, self._graph.labels.find(position))

    def items(self) -> ItemsView[Hashable, Neighbours]:  # noqa: D102
        return _Rows(self)

    def rows(self) -> Iterator[tuple[Hashable, Neighbours]]:
        """Yield the positions and their neighbours, without a search for each."""
        graph, direction = self._graph, self._direction
        return ((position, Neighbours(graph, direction, number)) for number, position in enumerate(graph.labels))


class _Rows(ItemsView[Hashable, "Neighbours"]):
    _mapping: Adjacency

    def __iter__(self) -> Iterator[tuple[Hashable, Neighbours]]:
        return self._mapping.rows()


class Neighbours(_View[FrozenAttributes]):
    """Neighbour -> attributes of the edge, for one vertex and one direction."""

    __slots__ = ("_forward", "_number", "_row", "graph")

    def __init__(self, graph: Arrays, direction: str, number: int) -> None:
        self.graph = graph
        self._forward = direction == "successor_rows"
        self._number = number
        row = getattr(graph, direction).row(number)
        self._row = row if graph.sums is None else np.array(list(dict.fromkeys(row.tolist())), np.int32)

    def __len__(self) -> int:
        return len(self._row)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.graph.labels.take(self._row))

    def __contains__(self, position: object) -> bool:
        try:
            return self._multiplicity(self.graph.labels.find(position)) > 0
        except KeyError:
            return False

    def __getitem__(self, position: Hashable) -> FrozenAttributes:
        other = self.graph.labels.find(position)
        multiplicity = self._multiplicity(other)
        if multiplicity == 0:
            raise KeyError(position)
        return self.graph.attributes.of_edge(*self._edge(other), multiplicity)

    def items(self) -> ItemsView[Hashable, FrozenAttributes]:
        return _Edges(self)

    def values(self) -> ValuesView[FrozenAttributes]:
        return _Data(self)

    def data(self) -> Iterator[FrozenAttributes]:
        """Return the attributes of the edges, without a search where the arrays alone tell them."""
        of_edge = self.graph.attributes.of_edge
        if self.graph.sums is not None:
            return (of_edge(*self._edge(other), self._multiplicity(other)) for other in self._row.tolist())
        if not self.graph.attributes.edges:
            return repeat(of_edge(0, 0, 1), len(self._row))
        return (of_edge(*self._edge(other), 1) for other in self._row.tolist())

    def _edge(self, other: int) -> tuple[int, int]:
        return (self._number, other) if self._forward else (other, self._number)

    def _multiplicity(self, other: int) -> int:
        start, end = self._edge(other)
        return int(np.count_nonzero(self.graph.successor_rows.row(start) == end))


class _Edges(ItemsView[Hashable, FrozenAttributes]):
    _mapping: Neighbours

    def __iter__(self) -> Iterator[tuple[Hashable, FrozenAttributes]]:
        return zip(self._mapping, self._mapping.data(), strict=True)


class _Data(ValuesView[FrozenAttributes]):
    _mapping: Neighbours

    def __iter__(self) -> Iterator[FrozenAttributes]:
        return self._mapping.data()


def _edges(graph: Any, *more: object) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Yield the ends of all edges of a graph, from the arrays, each followed by what is given besides."""
    (ends, indices), take = graph.successor_rows, graph.labels.take

    def block(first: int) -> Iterator[tuple[Any, ...]]:
        last = min(first + _ROWS_AT_A_TIME, len(ends) - 1)
        owners = np.repeat(np.arange(first, last), np.diff(ends[first : last + 1]))
        return zip(take(owners), take(indices[ends[first] : ends[last]]), *map(repeat, more))  # noqa: B905

    return chain.from_iterable(map(block, range(0, len(ends) - 1, _ROWS_AT_A_TIME)))


class OutEdgeDataView(reportviews.OutEdgeDataView):  # type: ignore[misc, unused-ignore]
    """The edges from each node, with attributes."""

    __slots__ = ()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        graph = self._viewer._graph
        if self._nbunch is not None or graph.sums is not None or graph.attributes.edges:
            return super().__iter__()  # type: ignore[no-any-return]
        if self._data is False:
            return _edges(graph)
        return _edges(graph, FrozenAttributes() if self._data is True else self._default)


class OutEdgeView(reportviews.OutEdgeView):  # type: ignore[misc, unused-ignore]
    """The edges from each node."""

    __slots__ = ()
    dataview = OutEdgeDataView

    def __len__(self) -> int:
        return self._graph.number_of_edges()  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[tuple[Hashable, Hashable]]:
        return _edges(self._graph) if self._graph.sums is None else super().__iter__()


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
        return int(self._graph.predecessor_rows.length(number) + self._graph.out_degrees[number])


class InDegreeView(_Counts, reportviews.InDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges lead to each node."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths()  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return int(self._graph.predecessor_rows.length(number))


class OutDegreeView(_Counts, reportviews.OutDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges lead from each node."""

    def _count(self) -> np.ndarray:
        return self._graph.out_degrees  # type: ignore[no-any-return]

    def _count_at(self, number: int) -> int:
        return int(self._graph.out_degrees[number])
