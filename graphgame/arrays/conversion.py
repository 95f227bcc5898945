"""Ordinary networkx graphs into arrays of edges."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple, NoReturn

import networkx as nx
import numpy as np

from graphgame.arrays.labels import Labels
from graphgame.arrays.rows import Rows
from graphgame.errors import NotAGameError, UndirectedGraphError

__all__ = ["NetworkxArrays", "as_networkx", "networkx_arrays", "networkx_rows"]

_SPARSE = 16


def as_networkx(data: Any) -> Any:  # noqa: ANN401
    """Return a directed networkx graph of the data; what has no entry in ``_MAKERS`` is read as networkx reads it."""
    make = next((_MAKERS[kind.__name__] for kind in type(data).__mro__ if kind.__name__ in _MAKERS), nx.DiGraph)
    try:
        graph = data if isinstance(data, nx.Graph) else make(data)
    except (nx.NetworkXError, TypeError) as error:
        raise NotAGameError(data, str(error)) from None
    if not graph.is_directed():
        raise UndirectedGraphError
    return graph


def _of_rustworkx(data: Any) -> nx.MultiDiGraph:  # noqa: ANN401
    """Return a rustworkx graph, each node called by what it carries if that tells them all apart, else by its index."""
    indices, carried = data.node_indices(), data.nodes()
    if not all(isinstance(node, Hashable) for node in carried) or len(set(carried)) < len(carried):
        carried = list(indices)
    return _renamed(dict(zip(indices, carried, strict=True)), data.edge_list())


def _of_igraph(data: Any) -> nx.MultiDiGraph:  # noqa: ANN401
    """Return an igraph graph, its vertices called by their names if they have any, else by their indices."""
    if not data.is_directed():
        raise UndirectedGraphError
    names = data.vs["name"] if "name" in data.vs.attributes() else range(data.vcount())
    if len(set(names)) < data.vcount():
        raise ValueError("two vertices of the igraph graph have the same name")
    return _renamed(dict(enumerate(names)), data.get_edgelist())


def _renamed(names: dict[int, Hashable], edges: Iterable[tuple[int, int]]) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(names.values())
    graph.add_edges_from((names[start], names[end]) for start, end in edges)
    return graph


def _of_pandas(data: Any) -> nx.DiGraph:  # noqa: ANN401
    """Return a table of edges, with the columns source, target and attributes, or else an adjacency matrix."""
    if {"source", "target"} <= set(data.columns):
        more = True if len(data.columns) > 2 else None
        return nx.from_pandas_edgelist(data, edge_attr=more, create_using=nx.DiGraph)
    return nx.DiGraph(data)


def _undirected(_: object) -> NoReturn:
    raise UndirectedGraphError


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "PyDiGraph": _of_rustworkx,
    "PyGraph": _undirected,
    "GraphBase": _of_igraph,
    "DataFrame": _of_pandas,
}
"""How the graphs of other libraries are read, by the names of their classes, for none is imported here."""


class NetworkxArrays(NamedTuple):
    """A networkx graph by vertex numbers: rows in its own order, a part of a sum as often as it stands in it."""

    successors: Rows
    predecessors: Rows
    sums: np.ndarray | None
    edges: int


def networkx_arrays(graph: Any, labels: Labels) -> NetworkxArrays:  # noqa: ANN401
    """Return the rows and the sum vertices of an ordinary networkx graph, and how many edges it has."""
    sums = np.fromiter((kind == "sum" for _, kind in graph.nodes(data="kind")), np.bool_, len(labels))
    successors, predecessors = (networkx_rows(rows, labels) for rows in (graph._succ, graph._pred))
    edges = len(successors.indices)
    if not sums.any():
        return NetworkxArrays(successors, predecessors, None, edges)

    def times(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        found = np.ones(len(starts), np.int64)
        for edge in np.flatnonzero(sums[starts]).tolist():
            found[edge] = _multiplicity_in(graph, labels[starts[edge]], labels[ends[edge]])
        return found

    ahead = _repeated(successors, times(successors.owners(), successors.indices))
    back = _repeated(predecessors, times(predecessors.indices, predecessors.owners()))
    return NetworkxArrays(ahead, back, sums, edges)


def networkx_rows(adjacency: Mapping[Hashable, Mapping[Hashable, object]], labels: Labels) -> Rows:
    """Return the rows of networkx's successors or predecessors, each in its own order."""
    neighbours = list(adjacency.values())
    pointers = np.zeros(len(labels) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, neighbours), np.int64, len(labels)), out=pointers[1:])
    return Rows(
        pointers, _numbers(chain.from_iterable(neighbours), int(pointers[-1]), labels).astype(np.int32, copy=False)
    )


def _repeated(rows: Rows, times: np.ndarray) -> Rows:
    return Rows(np.concatenate([[0], np.cumsum(times)])[rows.pointers], np.repeat(rows.indices, times))


def _numbers(positions: Iterable[Hashable], count: int, labels: Labels) -> np.ndarray:
    """Return the vertex numbers of positions; integers close together are looked up in an array."""
    if all(type(label) is int for label in labels):
        try:
            values = np.fromiter(labels, np.int64, len(labels))
        except OverflowError:
            values = np.zeros(0, np.int64)
        if len(values) and float(values.max()) - float(values.min()) < _SPARSE * len(values):
            number = np.empty(values.max() - values.min() + 1, np.int32)
            number[values - values.min()] = np.arange(len(values), dtype=np.int32)
            ends: np.ndarray = number[np.fromiter(positions, np.int64, count) - values.min()]
            return ends
    table = {label: number for number, label in enumerate(labels)}
    return np.fromiter(map(table.__getitem__, positions), np.int32, count)


def _multiplicity_in(graph: Any, start: Hashable, end: Hashable) -> int:  # noqa: ANN401
    if graph.is_multigraph():
        return len(graph[start][end])
    multiplicity = graph[start][end].get("multiplicity", 1)
    if not isinstance(multiplicity, int) or multiplicity < 1:
        raise ValueError(
            f"invalid multiplicity: {multiplicity!r} of the edge {start!r} -> {end!r}: expected an integer of 1 or more"
        )
    return multiplicity
