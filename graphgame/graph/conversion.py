"""Convert edge lists, dictionaries and networkx graphs into arrays of edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Set
from itertools import chain, count
from typing import Any

import networkx as nx
import numpy as np

from graphgame.errors import Message, NotAGameError, UndirectedGraphError, is_integer
from graphgame.graph.attributes import kinds_of
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.result_graphs import ResultDiGraph, of_edges
from graphgame.graph.rows import Rows
from graphgame.registry import offers, registered

_MOST_ENTRIES_A_NODE = 16
"""Integer nodes are looked up in an array over their range if it has at most this many entries a node (or edge end)."""

_COLUMNS = ({"source", "target"}, {"from", "to"}, {"src", "dst"})
"""A dictionary with both keys of a pair, neither of them an option, is refused: it is probably a table of edges."""

_CLASSES = {"PyDiGraph", "PyGraph", "GraphBase", "DataFrame", "Table", "sparray", "spmatrix", "ndarray"}
"""Names of classes of SciPy, NumPy, rustworkx, igraph, pandas and pyarrow. Only names, so that nothing is imported."""

_WITH_ATTRIBUTES = "networkx graph of another library"


def as_networkx(data: Any) -> Any:  # noqa: ANN401
    """Return a directed networkx graph of any data that networkx or the lab ``formats`` can convert.

    Raises
    ------
    NotAGameError
        The data cannot be converted.
    UndirectedGraphError
        The data is an undirected graph.
    """
    try:
        if isinstance(data, (Iterator, Set)):
            data = list(data)
        if isinstance(data, nx.Graph):
            graph = data
        else:
            _refuse_other_dictionaries(data)
            read = with_attributes(data)
            graph = (_of_containers(data) if read is nx.DiGraph else None) or read(data)
    except NotAGameError:
        raise
    except (nx.NetworkXError, TypeError) as error:
        raise NotAGameError(data, str(error), edges_advice(data)) from None
    if not graph.is_directed():
        raise UndirectedGraphError
    return graph


def foreign_edges(data: Any) -> Any:  # noqa: ANN401
    """Return the edges of another library's graph, as :class:`graphgame.labs.formats.exchange.EdgeArrays`.

    None if ``data`` is not such a graph, or has attributes that do not fit in the arrays: then use :func:`as_networkx`.
    """
    return registered("edges of another library")(data) if _is_foreign(data) else None


def with_attributes(data: Any) -> Any:  # noqa: ANN401
    """Return a function that turns ``data`` into a networkx graph: ``nx.DiGraph``, or a function of a lab."""
    first = data[0] if isinstance(data, list) and data else None
    # The first of several lists may be the header of a table. Without the lab, networkx reads all lists as edges.
    may_have_header = isinstance(first, list) and _WITH_ATTRIBUTES in offers("job")
    if _is_foreign(data) or isinstance(first, dict) or may_have_header:
        return registered(_WITH_ATTRIBUTES)(data)
    return nx.DiGraph


def _is_foreign(data: object) -> bool:
    return any(kind.__name__ in _CLASSES for kind in type(data).__mro__)


def _refuse_other_dictionaries(data: Any) -> None:  # noqa: ANN401
    """Raise a NotAGameError for a dictionary of columns, or if a value is a string with a letter that is no key."""
    if type(data) is not dict:
        return
    text = next((value for value in data.values() if isinstance(value, str) and not data.keys() >= set(value)), None)
    if text is not None:
        raise NotAGameError(data, advice=Message("give the options as a list, such as {options}", [text]))
    names = next((names for names in _COLUMNS if data.keys() >= names), None)
    lists = [options for options in data.values() if isinstance(options, (list, tuple, Set, dict))]
    if names is not None and not any(names & set(options) for options in lists):
        advice = Message("a dictionary of columns is a table: give GameGraph(pandas.DataFrame(data))")
        raise NotAGameError(data, advice=advice)


def _of_containers(data: Any) -> ResultDiGraph | None:  # noqa: ANN401
    """Return the graph of a list or tuple of pairs, or of a dictionary of lists, tuples or sets; otherwise None.

    Nodes and edges have the order that networkx gives them. None also if a node is None or not hashable.
    """
    # A node gets the next number when it is first looked up.
    number: defaultdict[Hashable, int] = defaultdict(count().__next__)
    try:
        if type(data) is dict and set(map(type, data.values())) <= {list, tuple, set, frozenset}:
            lengths = list(map(len, data.values()))
            source = np.repeat(_numbered(number, data, len(data)), lengths)
            target = _numbered(number, chain.from_iterable(data.values()), sum(lengths))
        elif type(data) in (list, tuple) and set(map(type, data)) <= {tuple, list} and set(map(len, data)) == {2}:
            if (integers := _integers(data)) is not None:
                nodes, ends = integers
                return of_edges(as_labels(nodes.tolist()), ends[::2].copy(), ends[1::2].copy())
            ends = _numbered(number, chain.from_iterable(data), 2 * len(data))
            source, target = ends[::2].copy(), ends[1::2].copy()
        else:
            return None
    except TypeError:  # a node is not hashable
        return None
    return None if None in number else of_edges(as_labels(list(number)), source, target)


def _integers(pairs: Collection[Iterable[Hashable]]) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the nodes in the order of first occurrence, and the ends of all pairs in turn, as indices into the nodes.

    None without pairs, if a node is not a Python ``int`` of 64 bits, or if the integers are too sparse for an array.
    """
    size = 2 * len(pairs)
    if set(map(type, chain.from_iterable(pairs))) != {int}:
        return None
    try:
        values = np.fromiter(chain.from_iterable(pairs), np.int64, size)
    except OverflowError:
        return None
    least = values.min()
    if float(values.max()) - float(least) >= _MOST_ENTRIES_A_NODE * size:
        return None
    values -= least
    first = np.full(int(values.max()) + 1, size)
    np.minimum.at(first, values, np.arange(size))
    nodes = np.flatnonzero(first < size)
    nodes = nodes[np.argsort(first[nodes])]
    number = first  # ``first`` is not needed any more: reuse its memory
    number[nodes] = np.arange(len(nodes))
    return nodes + least, number[values].astype(np.int32)


def _numbered(number: Mapping[Hashable, int], nodes: Iterable[Hashable], size: int) -> np.ndarray:
    return np.fromiter(map(number.__getitem__, nodes), np.int32, size)


def edges_advice(data: object) -> str:
    """Return advice on passing edges if ``data`` is an array of two columns or has triples (u, v, weight), or ""."""
    if isinstance(data, np.ndarray) and data.shape[1:] == (2,):
        return Message(
            "if this is an array of edges, write GameGraph(edges.tolist()); if its entries are vertex numbers "
            "from 0 on, write GameGraph.from_arrays(edges[:, 0], edges[:, 1])"
        )
    if isinstance(data, (list, tuple)) and any(
        isinstance(edge, (list, tuple)) and len(edge) == 3 and not isinstance(edge[2], Mapping) for edge in data
    ):
        return Message("write an edge with a weight as (u, v, dict(weight=5))")
    return ""


def networkx_arrays(graph: Any, labels: Labels) -> tuple[Rows, Rows, np.ndarray | None, np.ndarray | None, int]:  # noqa: ANN401
    """Return (successors, predecessors, sums, decided, number of edges) of a networkx graph with the nodes ``labels``.

    The first two are rows in the graph's order of edges. An edge of multiplicity k from a sum has k entries in a row,
    but counts once. ``sums`` or ``decided`` is None if it marks no vertex. Raise a ValueError for a wrong multiplicity.
    """
    sums, decided = kinds_of((kind for _, kind in graph.nodes(data="kind")), len(labels))
    successors, predecessors = (networkx_rows(rows, labels) for rows in (graph._succ, graph._pred))
    edges = len(successors.indices)
    if sums is None:
        return successors, predecessors, None, decided, edges

    def times(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        multiplicities = np.ones(len(starts), np.int64)
        for edge in np.flatnonzero(sums[starts]).tolist():
            multiplicities[edge] = _multiplicity_in(graph, labels[starts[edge]], labels[ends[edge]])
        return multiplicities

    successors = _repeated(successors, times(successors.row_indices(), successors.indices))
    predecessors = _repeated(predecessors, times(predecessors.indices, predecessors.row_indices()))
    return successors, predecessors, sums, decided, edges


def networkx_rows(adjacency: Mapping[Hashable, Mapping[Hashable, object]], labels: Labels) -> Rows:
    """Return the rows for ``G._succ`` or ``G._pred`` of a networkx graph, with the neighbours in the graph's order."""
    neighbours = list(adjacency.values())
    pointers = np.zeros(len(labels) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, neighbours), np.int64, len(labels)), out=pointers[1:])
    return Rows(
        pointers, _numbers(chain.from_iterable(neighbours), int(pointers[-1]), labels).astype(np.int32, copy=False)
    )


def _repeated(rows: Rows, times: np.ndarray) -> Rows:
    return Rows(np.concatenate([[0], np.cumsum(times)])[rows.pointers], np.repeat(rows.indices, times))


def _numbers(positions: Iterable[Hashable], count: int, labels: Labels) -> np.ndarray:
    """Return the vertex numbers of ``count`` positions; labels that are dense integers are looked up in an array."""
    if all(type(label) is int for label in labels):
        try:
            values = np.fromiter(labels, np.int64, len(labels))
        except OverflowError:
            values = np.zeros(0, np.int64)
        if len(values) and float(values.max()) - float(values.min()) < _MOST_ENTRIES_A_NODE * len(values):
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
    if not is_integer(multiplicity, 1):
        raise ValueError(
            Message(
                "invalid multiplicity: {multiplicity!r} of the edge {start!r} -> {end!r}: expected an "
                "integer of 1 or more",
                multiplicity,
                start,
                end,
            )
        )
    return int(multiplicity)
