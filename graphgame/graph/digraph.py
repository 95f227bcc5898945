"""A networkx DiGraph over arrays that refuses change: its mappings and views are made as networkx asks for them."""

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
    """An ordinary graph that networkx made of a graph in arrays; a view of its nodes is copied from the arrays."""

    def __str__(self) -> str:
        return shown_as_digraph(self)

    def copy(self, as_view: bool = False) -> nx.DiGraph:
        """Return an ordinary copy, to change, or a view."""
        whole, chosen = getattr(self, "_graph", None), getattr(self, "_NODE_OK", None)
        all_edges = getattr(self, "_EDGE_OK", None) is nx.filters.no_filter
        if as_view or not (all_edges and isinstance(whole, ArrayDiGraph) and isinstance(chosen, nx.filters.show_nodes)):
            return super().copy(as_view)
        if not whole._is_plain():
            return super().copy()
        return induced(whole.labels, whole.successor_rows, chosen.nodes, **self.graph)


class ArrayDiGraph(Exchange, nx.DiGraph):  # type: ignore[misc, unused-ignore]
    """What networkx sees of a graph in arrays."""

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
        """Return a new graph; an ordinary one, to be filled, where no data is given.

        networkx makes its new graphs by ``G.__class__()`` and fills them.
        """
        return object.__new__(cls) if data or attr else FreshDiGraph()

    def _show(self) -> None:
        """Set the mappings that networkx reads."""
        self._node = Nodes(self)
        self._succ = Adjacency(self, "successor_rows")  # also sets _adj
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
        except TypeError:  # not hashable
            return False

    def __getitem__(self, n: Hashable) -> Neighbours:
        return self._succ[n]  # a view already: no need for one around it

    def successors(self, n: Hashable) -> Iterator[Hashable]:
        """Return an iterator over the successors of a node."""
        return _neighbours(self._succ, n) or super().successors(n)

    def predecessors(self, n: Hashable) -> Iterator[Hashable]:
        """Return an iterator over the predecessors of a node."""
        return _neighbours(self._pred, n) or super().predecessors(n)

    neighbors = successors

    def copy(self, as_view: bool = False) -> nx.DiGraph:
        """Return an ordinary copy, to change, or a view."""
        if as_view or not self._is_plain():
            return super().copy(as_view)
        return ResultDiGraph(self.labels, self.successor_rows, **self.graph)

    def reverse(self, copy: bool = True) -> nx.DiGraph:
        """Return the graph with its edges turned around: an ordinary one, or a view."""
        if not copy or not self._is_plain():
            return super().reverse(copy)
        return ResultDiGraph(self.labels, transpose(self.successor_rows), self.successor_rows, **deepcopy(self.graph))

    def _is_plain(self) -> bool:
        return self.kinds is None and not self.attributes.nodes and not self.attributes.edges

    @cached_property
    def kinds(self) -> np.ndarray | None:
        """1 for each sum, the code of each decided position, and 0 for the others; None where there are no kinds."""
        return kind_codes(self.sums, self.decided)

    @property
    def option_rows(self) -> Rows:
        """The option numbers of every vertex, each row increasing; made from the predecessors at first use."""
        if self._options is None:
            assert self._predecessors is not None
            self._options = transpose(self._predecessors)
        return self._options

    @property
    def successor_rows(self) -> Rows:
        """The same in the order of the edges of the networkx graph that this one was made from, if any was."""
        return self.option_rows if self._successors is None else self._successors

    @property
    def predecessor_rows(self) -> Rows:
        """The predecessor numbers of every vertex: the reverse edges; made from the options at first use."""
        if self._predecessors is None:
            self._predecessors = transpose(self.option_rows)
        return self._predecessors

    def number_of(self, position: Hashable) -> int:
        """Return the vertex number of a position.

        Raises
        ------
        UnknownPositionError
            It is not a vertex of the graph.
        """
        try:
            return self.labels.find(position)
        except KeyError:
            raise UnknownPositionError(
                position, Message("is not a vertex of the graph{hint}", of_type(self.labels, position))
            ) from None

    def has_edge(self, u: Hashable, v: Hashable) -> bool:
        """Tell whether there is an edge from u to v."""
        try:
            start, end = self.labels.find(u), self.labels.find(v)
        except KeyError:
            return False
        return (self._successors or self.option_rows).has(start, end)

    def number_of_edges(self, u: Hashable | None = None, v: Hashable | None = None) -> int:
        """Return the number of edges, or whether there is one from u to v (0 or 1)."""
        return self._edge_count if u is None else int(self.has_edge(u, v))

    def size(self, weight: str | None = None) -> float:
        """Return the number of edges, or the sum of an edge attribute."""
        return self._edge_count if weight is None else super().size(weight)

    add_node = add_nodes_from = remove_node = remove_nodes_from = refuse_change
    add_edge = add_edges_from = add_weighted_edges_from = remove_edge = remove_edges_from = refuse_change
    update = clear = clear_edges = refuse_change


def _neighbours(adjacency: Adjacency, position: Hashable) -> Iterator[Hashable] | None:
    """Return the neighbours of a position where those of all are listed."""
    try:
        return iter(adjacency.listed[position])  # type: ignore[index]
    except (KeyError, TypeError):  # networkx says what is wrong
        return None


def _restore(kind: type[ArrayDiGraph], parts: dict[str, Any], attributes: dict[str, Any]) -> ArrayDiGraph:
    graph = object.__new__(kind)
    for name, part in parts.items():
        setattr(graph, name, part)
    graph.graph = attributes
    graph._show()
    return graph
