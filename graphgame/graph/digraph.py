"""A read-only networkx DiGraph over arrays, whose mappings and views are computed from the arrays when used."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import deepcopy
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from graphgame.errors import Message, UnknownPositionError
from graphgame.graph.attributes import AttributeTables, kind_codes, refuse_change
from graphgame.graph.exchange import Exchange
from graphgame.graph.labels import Labels, of_type
from graphgame.graph.result_graphs import ResultDiGraph, induced, shown_as_digraph
from graphgame.graph.rows import Rows, transpose
from graphgame.graph.views import (
    Adjacency,
    DiDegreeView,
    InDegreeView,
    InEdgeView,
    Neighbours,
    Nodes,
    OutDegreeView,
    OutEdgeView,
)

_PARTS = (
    "labels",
    "sums",
    "decided",
    "out_degrees",
    "attributes",
    "_predecessors",
    "_options",
    "_successors",
    "_edge_count",
)

_BACKENDS = nx.utils.backends.backends
if set(_BACKENDS) == {"graphgame"}:
    nx.config.fallback_to_nx = True


class FreshDiGraph(nx.DiGraph):  # type: ignore[misc, unused-ignore]
    """The ordinary graph that networkx gets from ``G.__class__()`` when it makes a new graph from an ArrayDiGraph.

    For a subgraph view of an ArrayDiGraph, ``copy`` takes the edges from the arrays, which is faster.
    """

    def __str__(self) -> str:
        return shown_as_digraph(self)

    def copy(self, as_view: bool = False) -> nx.DiGraph:
        """Return an ordinary graph that can be changed, or a read-only view."""
        whole, chosen = getattr(self, "_graph", None), getattr(self, "_NODE_OK", None)
        all_edges = getattr(self, "_EDGE_OK", None) is nx.filters.no_filter
        if as_view or not (all_edges and isinstance(whole, ArrayDiGraph) and isinstance(chosen, nx.filters.show_nodes)):
            return super().copy(as_view)
        if not whole._is_plain():
            return super().copy()
        return induced(whole.labels, whole.successor_rows, chosen.nodes, **self.graph)


class ArrayDiGraph(Exchange, nx.DiGraph):  # type: ignore[misc, unused-ignore]
    """A graph in arrays with the methods of a read-only nx.DiGraph; the base class of :class:`GameGraph`."""

    labels: Labels
    sums: np.ndarray | None
    decided: np.ndarray | None = None
    out_degrees: np.ndarray
    _predecessors: Rows | None = None
    _edge_count: int
    frozen = True
    attributes = AttributeTables()
    _options: Rows | None = None
    _successors: Rows | None = None
    __networkx_backend__ = "graphgame" if "graphgame" in _BACKENDS else "networkx"
    __networkx_cache__ = None

    def __new__(cls, *data: object, **attr: object) -> Any:  # noqa: ANN401
        """Return a new graph. Without arguments it is an ordinary, empty graph that can be changed.

        networkx makes new graphs by ``G.__class__()`` and then adds their nodes and edges.
        """
        return object.__new__(cls) if data or attr else FreshDiGraph()

    def _show(self) -> None:
        """Set ``_node``, ``_succ`` and ``_pred``, the mappings that networkx reads."""
        self._node = Nodes(self)
        self._succ = Adjacency(self, "successor_rows")  # networkx's descriptor of _succ also sets _adj
        self._pred = Adjacency(self, "predecessor_rows")

    def _share(self, other: ArrayDiGraph) -> None:
        for name in _PARTS:
            setattr(self, name, getattr(other, name))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), {name: getattr(self, name) for name in _PARTS}, self.graph)

    def __repr__(self) -> str:
        return f"<{self}>"

    degree = cached_property(DiDegreeView)
    in_degree = cached_property(InDegreeView)
    out_degree = cached_property(OutDegreeView)
    edges = cached_property(OutEdgeView)
    out_edges = cached_property(OutEdgeView)
    in_edges = cached_property(InEdgeView)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.labels
        except TypeError:  # an unhashable object is no node
            return False

    def __getitem__(self, n: Hashable) -> Neighbours:
        return self._succ[n]  # this mapping is read-only, so it needs no AtlasView of networkx around it

    def successors(self, n: Hashable) -> Iterator[Hashable]:
        """Return an iterator over the successors of a node."""
        return _neighbours(self._succ, n) or super().successors(n)

    def predecessors(self, n: Hashable) -> Iterator[Hashable]:
        """Return an iterator over the predecessors of a node."""
        return _neighbours(self._pred, n) or super().predecessors(n)

    neighbors = successors

    def copy(self, as_view: bool = False) -> nx.DiGraph:
        """Return an ordinary graph that can be changed, or a read-only view."""
        if as_view or not self._is_plain():
            return super().copy(as_view)
        return ResultDiGraph(self.labels, self.successor_rows, **self.graph)

    def reverse(self, copy: bool = True) -> nx.DiGraph:
        """Return the graph with all edges reversed: an ordinary graph that can be changed, or a read-only view."""
        if not copy or not self._is_plain():
            return super().reverse(copy)
        return ResultDiGraph(self.labels, transpose(self.successor_rows), self.successor_rows, **deepcopy(self.graph))

    def _is_plain(self) -> bool:
        return self.kinds is None and not self.attributes.nodes and not self.attributes.edges

    @cached_property
    def kinds(self) -> np.ndarray | None:
        """An int8 array with 1 for a sum, the code of a decided position, otherwise 0; None if there are neither."""
        return kind_codes(self.sums, self.decided)

    @property
    def option_rows(self) -> Rows:
        """The rows of option numbers, one for each vertex, each in increasing order; computed when first used."""
        if self._options is None:
            assert self._predecessors is not None
            self._options = transpose(self._predecessors)
        return self._options

    @property
    def successor_rows(self) -> Rows:
        """The rows of option numbers in the order of the edges of the networkx graph that this one was made from.

        Without such a graph they are :attr:`option_rows`.
        """
        return self.option_rows if self._successors is None else self._successors

    @property
    def predecessor_rows(self) -> Rows:
        """The rows of predecessor numbers, one for each vertex; computed from the options when first used."""
        if self._predecessors is None:
            self._predecessors = transpose(self.option_rows)
        return self._predecessors

    def number_of(self, position: Hashable) -> int:
        """Return the vertex number of a position.

        Raises
        ------
        UnknownPositionError
            The position is not a vertex of the graph.
        """
        try:
            return self.labels.find(position)
        except KeyError:
            raise UnknownPositionError(
                position, Message("is not a vertex of the graph{hint}", of_type(self.labels, position))
            ) from None

    def has_edge(self, u: Hashable, v: Hashable) -> bool:
        """Return whether there is an edge from u to v."""
        try:
            start, end = self.labels.find(u), self.labels.find(v)
        except KeyError:
            return False
        return (self._successors or self.option_rows).has(start, end)

    def number_of_edges(self, u: Hashable | None = None, v: Hashable | None = None) -> int:
        """Return the number of edges; with u and v, 1 if there is an edge from u to v, otherwise 0."""
        return self._edge_count if u is None else int(self.has_edge(u, v))

    def size(self, weight: str | None = None) -> float:
        """Return the number of edges; with ``weight``, the sum of this attribute over the edges."""
        return self._edge_count if weight is None else super().size(weight)

    add_node = add_nodes_from = remove_node = remove_nodes_from = refuse_change
    add_edge = add_edges_from = add_weighted_edges_from = remove_edge = remove_edges_from = refuse_change
    update = clear = clear_edges = refuse_change


def _neighbours(adjacency: Adjacency, position: Hashable) -> Iterator[Hashable] | None:
    """Return the neighbours of a position from the lists of ``adjacency``; None if it has no list for the position."""
    try:
        return iter(adjacency.listed[position])  # type: ignore[index]
    except (KeyError, TypeError):  # no list yet, or no such node: the caller's networkx method handles both
        return None


def _restore(kind: type[ArrayDiGraph], parts: dict[str, Any], attributes: dict[str, Any]) -> ArrayDiGraph:
    graph = object.__new__(kind)
    for name, part in parts.items():
        setattr(graph, name, part)
    graph.graph = attributes
    graph._show()
    return graph
