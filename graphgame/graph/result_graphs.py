"""Graphs that functions return. They are stored in arrays until networkx or the user reads their dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import networkx as nx
import numpy as np

from graphgame.graph.attributes import AttributeTables
from graphgame.graph.labels import Labels, ListLabels
from graphgame.graph.rows import Rows, group_edges, transpose

_NONE: Mapping[Any, Any] = MappingProxyType({})


@dataclass(eq=False)
class ResultArrays:
    """The arrays of a :class:`ResultDiGraph`; a running traversal uses them even after it became an nx.DiGraph."""

    labels: Labels
    successor_rows: Rows
    given_predecessors: Rows | None
    make_attributes: Callable[[], AttributeTables]
    graph: dict[str, Any]

    @cached_property
    def predecessor_rows(self) -> Rows:
        """The rows of predecessors, one for each vertex."""
        return transpose(self.successor_rows) if self.given_predecessors is None else self.given_predecessors

    @cached_property
    def attributes(self) -> AttributeTables:
        """The attributes of nodes; the table of edges in it is empty."""
        return self.make_attributes()


def _filled(name: str) -> property:
    def get(graph: ResultDiGraph) -> object:
        graph._fill()
        return getattr(graph, name)

    return property(get)


class ResultDiGraph(nx.DiGraph):  # type: ignore[misc, unused-ignore]
    """A graph in arrays that becomes an ordinary nx.DiGraph when its dictionaries are first read.

    Parameters
    ----------
    labels : Labels
    successor_rows : Rows
    predecessor_rows : Rows, optional
        By default they are computed, with the predecessors of each vertex in the order of their numbers.
    attributes : callable, optional
        A function that returns tables with attributes of nodes only. It is called when they are first used.
    graph : mapping
        Attributes of the graph; they are copied.
    """

    __networkx_backend__ = "graphgame" if "graphgame" in nx.utils.backends.backends else "networkx"
    sums = None

    def __init__(
        self,
        labels: Labels,
        successor_rows: Rows,
        predecessor_rows: Rows | None = None,
        attributes: Callable[[], AttributeTables] = AttributeTables,
        graph: Mapping[Any, Any] = _NONE,
    ) -> None:
        self.graph = dict(graph)
        self.arrays = ResultArrays(labels, successor_rows, predecessor_rows, attributes, self.graph)
        self.__networkx_cache__: dict[Any, Any] = {}

    def __new__(cls, *arrays: object, **others: object) -> Any:  # noqa: ANN401
        """Return a new graph. Without arguments it is an ordinary, empty graph, which networkx fills."""
        return object.__new__(cls) if arrays or others else nx.DiGraph()

    def __str__(self) -> str:
        return shown_as_digraph(self)

    def __reduce__(self) -> tuple[object, ...]:
        arrays = self.arrays
        attributes = partial(AttributeTables, arrays.attributes.nodes)
        parts = arrays.labels, arrays.successor_rows, arrays.predecessor_rows, attributes
        return ResultDiGraph, parts, {"graph": self.graph}

    @property
    def labels(self) -> Labels:
        """The nodes, in the order of their vertex numbers."""
        return self.arrays.labels

    @property
    def attributes(self) -> AttributeTables:
        """The attributes of nodes; the table of edges in it is empty."""
        return self.arrays.attributes

    _node, _adj, _succ, _pred = map(_filled, ("_node", "_adj", "_succ", "_pred"))

    def _fill(self) -> None:
        arrays = self.arrays
        labels, of_node = arrays.labels, arrays.attributes.nodes.get
        nodes = {node: dict(of_node(number, {})) for number, node in enumerate(labels)}
        rows = _rows(labels, arrays.successor_rows, lambda row: {node: {} for node in row})
        successors = dict(zip(nodes, rows, strict=True))
        starts = zip(nodes, _rows(labels, arrays.predecessor_rows, list), strict=True)
        predecessors = {node: {start: successors[start][node] for start in row} for node, row in starts}
        del self.arrays
        self.__class__ = nx.DiGraph
        self._node, self._adj, self._pred = nodes, successors, predecessors

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.labels)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.labels
        except TypeError:  # an unhashable object is no node
            return False

    number_of_nodes = order = __len__

    def number_of_edges(self, u: Hashable | None = None, v: Hashable | None = None) -> int:
        """Return the number of edges; with u and v, 1 if there is an edge from u to v, otherwise 0."""
        return len(self.arrays.successor_rows.indices) if u is None else int(self.has_edge(u, v))

    def size(self, weight: str | None = None) -> float:
        """Return the number of edges; with ``weight``, the sum of this attribute, which is 1 for edges without it."""
        return self.number_of_edges() if weight is None else super().size(weight)


def shown_as_digraph(graph: nx.DiGraph) -> str:
    """Return ``str(graph)`` as networkx writes it for an ordinary nx.DiGraph."""
    return str(nx.DiGraph.__str__(graph)).replace(type(graph).__name__, "DiGraph", 1)


def of_edges(
    labels: Labels,
    source: np.ndarray,
    target: np.ndarray,
    attributes: Callable[[], AttributeTables] = AttributeTables,
    graph: Mapping[Any, Any] = _NONE,
) -> ResultDiGraph:
    """Return the graph with the nodes ``labels`` and edges from ``source[e]`` to ``target[e]``, added in this order.

    ``source`` and ``target`` are vertex numbers; an edge that occurs several times counts once. ``attributes`` and
    ``graph`` are those of :class:`ResultDiGraph`.
    """
    successors, _ = group_edges(target, source, len(labels))
    predecessors, _ = group_edges(source, target, len(labels))
    return ResultDiGraph(labels, successors, predecessors, attributes, graph)


def induced(labels: Labels, successors: Rows, chosen: set[Hashable], graph: Mapping[Any, Any]) -> ResultDiGraph:
    """Return the subgraph on ``chosen``, nodes in the order of networkx's view; ``graph`` is its graph attributes."""
    if 2 * len(chosen) < len(labels):
        nodes = list(chosen)
        numbers = labels.find_all(nodes)
    else:
        numbers = np.flatnonzero(np.fromiter(map(chosen.__contains__, labels), np.bool_, len(labels)))
        nodes = labels.take(numbers)
    new_number = np.full(len(labels), -1, np.int32)
    new_number[numbers] = np.arange(len(numbers))
    owner, target = successors.gather(numbers)
    inside = new_number[target] >= 0
    lengths = np.bincount(owner[inside], minlength=len(numbers))
    rows = Rows(np.concatenate([[0], np.cumsum(lengths)]), new_number[target[inside]])
    return ResultDiGraph(ListLabels(nodes), rows, graph=graph)


def _rows(labels: Labels, rows: Rows, make: Callable[[list[Hashable]], Any]) -> Iterator[Any]:
    ends, nodes = rows.pointers.tolist(), labels.take(rows.indices)
    return (make(nodes[first:last]) for first, last in pairwise(ends))
