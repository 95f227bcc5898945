"""What networkx sees of the arrays of a graph: mappings and views of degrees, made as it asks for them."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping
from itertools import repeat
from typing import Any, NoReturn, Protocol, TypeVar

import networkx as nx
import numpy as np
from networkx.classes.reportviews import DiDegreeView, InDegreeView, OutDegreeView

from graphgame.arrays.labels import Labels
from graphgame.arrays.rows import Rows

__all__ = ["Adjacency", "Degrees", "InDegrees", "Nodes", "OutDegrees", "refuse_change"]

_Value = TypeVar("_Value")


class Arrays(Protocol):
    """A graph by vertex numbers; a row of a sum may name a part twice."""

    @property
    def option_rows(self) -> Rows:
        """The successors of every vertex, in increasing order."""

    @property
    def predecessor_rows(self) -> Rows:
        """The predecessors of every vertex."""

    labels: Labels
    sums: np.ndarray | None
    out_degrees: np.ndarray


def refuse_change(*_: object, **__: object) -> NoReturn:
    """Refuse a change, and say how to get a graph that takes it."""
    raise nx.NetworkXError("Frozen graph can't be modified: change nx.DiGraph(G), then make a GameGraph of it")


class FrozenAttributes(dict[str, Any]):
    """The attributes of a node or an edge: a dictionary that refuses change, with ordinary copies."""

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = refuse_change

    def __deepcopy__(self, memo: object) -> dict[str, Any]:
        return dict(self)

    __copy__ = dict.copy

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (dict(self),)


POSITION = FrozenAttributes()
SUM_NODE = FrozenAttributes(kind="sum")


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
        return SUM_NODE if self._graph.sums is not None and self._graph.sums[number] else POSITION


class Adjacency(_OfPositions["Neighbours"]):
    """Position -> its options or its predecessors."""

    __slots__ = ("_direction",)

    def __init__(self, graph: Arrays, direction: str) -> None:
        super().__init__(graph)
        self._direction = direction

    def __getitem__(self, position: Hashable) -> Neighbours:
        return Neighbours(self._graph, self._direction, self._graph.labels.find(position))


class Neighbours(_View[FrozenAttributes]):
    """Neighbour -> attributes of the edge, for one vertex and one direction."""

    __slots__ = ("_forward", "_number", "_row", "graph")

    def __init__(self, graph: Arrays, direction: str, number: int) -> None:
        self.graph = graph
        self._forward = direction == "option_rows"
        self._number = number
        row = getattr(graph, direction).row(number)
        self._row = row if graph.sums is None else np.array(list(dict.fromkeys(row.tolist())), np.int32)

    def __len__(self) -> int:
        return len(self._row)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.graph.labels.take(self._row))

    def __contains__(self, position: object) -> bool:
        try:
            return self._multiplicity(position) > 0
        except KeyError:
            return False

    def __getitem__(self, position: Hashable) -> FrozenAttributes:
        multiplicity = self._multiplicity(position)
        if multiplicity == 0:
            raise KeyError(position)
        return POSITION if multiplicity == 1 else FrozenAttributes(multiplicity=multiplicity)

    def items(self) -> ItemsView[Hashable, FrozenAttributes]:
        return _Edges(self)

    def _multiplicity(self, position: object) -> int:
        other = self.graph.labels.find(position)
        start, end = (self._number, other) if self._forward else (other, self._number)
        options = self.graph.option_rows.row(start)
        return int(np.searchsorted(options, end, "right") - np.searchsorted(options, end, "left"))


class _Edges(ItemsView[Hashable, FrozenAttributes]):
    """The items of neighbours, without a search where no edge has an attribute."""

    _mapping: Neighbours

    def __iter__(self) -> Iterator[tuple[Hashable, FrozenAttributes]]:
        return zip(self._mapping, repeat(POSITION)) if self._mapping.graph.sums is None else super().__iter__()


class _Counts:
    """A view of degrees that reads those of all nodes from the arrays."""

    _graph: Any
    _weight: Any
    _nodes: Any
    _succ: Any

    def _count(self) -> np.ndarray:
        raise NotImplementedError

    def __iter__(self) -> Iterator[tuple[Hashable, float]]:
        if self._weight is None and self._nodes is self._succ and self._graph.sums is None:
            return zip(self._graph.labels, self._count().tolist(), strict=True)
        return super().__iter__()  # type: ignore[misc, no-any-return]


class Degrees(_Counts, DiDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges there are at each node."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths() + self._graph.out_degrees  # type: ignore[no-any-return]


class InDegrees(_Counts, InDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges lead to each node."""

    def _count(self) -> np.ndarray:
        return self._graph.predecessor_rows.lengths()  # type: ignore[no-any-return]


class OutDegrees(_Counts, OutDegreeView):  # type: ignore[misc, unused-ignore]
    """How many edges lead from each node."""

    def _count(self) -> np.ndarray:
        return self._graph.out_degrees  # type: ignore[no-any-return]
