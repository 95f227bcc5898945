"""Graphs of other libraries as arrays of edges, and back: SciPy, NumPy, tables, rustworkx, igraph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Number
from types import MappingProxyType
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from graphgame.errors import (
    Message,
    NotAGameError,
    ReadingWarning,
    UndirectedGraphError,
    needs_extra,
    shorten,
    warn_caller,
)
from graphgame.graph.attributes import AttributeTables, FrozenAttributes
from graphgame.graph.labels import RangeLabels
from graphgame.graph.views import Arrays
from graphgame.io.dialects import usual_columns
from graphgame.io.interchange import first_repeated


class EdgeColumns(Mapping[int, dict[int, FrozenAttributes]]):
    """Edges that all have the same attributes, in columns; a row of dictionaries is made when it is asked for.

    Of parallel edges the last one's attributes count.
    """

    def __init__(self, source: np.ndarray, target: np.ndarray, columns: Mapping[str, np.ndarray]) -> None:
        order = np.lexsort((target, source))
        source, target = source[order], target[order]
        last = np.append((np.diff(source) != 0) | (np.diff(target) != 0), True)[: len(order)]
        self.source, self.target = source[last], target[last]
        self.columns = {name: column[order[last]] for name, column in columns.items()}
        self._starts, firsts = np.unique(self.source, return_index=True)
        self._bounds = np.append(firsts, len(self.source))
        self._made: dict[int, dict[int, FrozenAttributes]] = {}

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[int]:
        return iter(self._starts.tolist())

    def __getitem__(self, start: int) -> dict[int, FrozenAttributes]:
        if start not in self._made:
            place = int(np.searchsorted(self._starts, start))
            if place == len(self._starts) or self._starts[place] != start:
                raise KeyError(start)
            row = slice(*self._bounds[place : place + 2])
            values = zip(*(column[row].tolist() for column in self.columns.values()), strict=True)
            attributes = (FrozenAttributes(zip(self.columns, edge, strict=True)) for edge in values)
            self._made[start] = dict(zip(self.target[row].tolist(), attributes, strict=True))
        return self._made[start]


class EdgeArrays(NamedTuple):
    """Edges by vertex numbers, the position of each number (a count n means 0..n-1), and the edges' attributes.

    ``columns`` has an array for each attribute, with one value for each edge; ``graph`` has the graph's attributes.
    """

    source: np.ndarray
    target: np.ndarray
    positions: int | Sequence[Hashable]
    columns: Mapping[str, np.ndarray] = MappingProxyType({})
    graph: Mapping[str, Any] = MappingProxyType({})

    def attributes(self) -> AttributeTables:
        """Return the tables of the graph's attributes."""
        if not self.columns:
            return AttributeTables()
        return AttributeTables({}, EdgeColumns(self.source, self.target, self.columns), frozenset(self.columns))


def foreign_edges(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    """Return the edges of a graph of another library; None where it is none, or carries more than edges and names."""
    read = _of_kind(data, _READERS)
    return None if read is None else read(data)


def with_attributes(data: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """Return what makes a networkx graph of data, with the attributes of nodes and edges."""
    return (_of_list(data) if isinstance(data, list) else _of_kind(data, _KEEPERS)) or nx.DiGraph


def matrix_arrays(matrix: Any) -> EdgeArrays:  # noqa: ANN401
    """Return the entries that are not 0 of a square sparse matrix."""
    entries = _entries(matrix)
    is_edge = entries.data != 0
    chosen = slice(None) if is_edge.all() else is_edge
    return EdgeArrays(entries.row[chosen], entries.col[chosen], matrix.shape[0])


def _entries(matrix: Any) -> Any:  # noqa: ANN401
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return matrix.tocoo()


def to_scipy(graph: Arrays, dtype: Any, format: str, weight: str | None) -> Any:  # noqa: ANN401
    """Return the adjacency matrix as a sparse array of SciPy."""
    with needs_extra(Message("a sparse matrix"), "scipy"):
        from scipy.sparse import csr_array
    pointers, indices = graph.successor_rows
    size = len(graph.labels)
    matrix = csr_array((np.ones(len(indices), np.int64), indices.copy(), pointers.copy()), shape=(size, size))
    matrix.sum_duplicates()
    if weight is not None and weight in graph.attributes.names:
        source, target, values = _values_of(graph.attributes, weight)
        edges = np.repeat(np.arange(size), np.diff(matrix.indptr)) * size + matrix.indices
        matrix.data = matrix.data.astype(np.result_type(matrix.data, values))
        matrix.data[np.searchsorted(edges, source.astype(np.int64) * size + target)] = values
    return matrix.asformat(format) if dtype is None else matrix.astype(dtype).asformat(format)


def _values_of(attributes: AttributeTables, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return both ends of the edges that have an attribute, by vertex numbers, and its values.

    Raises
    ------
    ValueError
        One is not a number.
    """
    edges = attributes.edges
    if isinstance(edges, EdgeColumns) and edges.columns[name].dtype.kind in "biuf":
        return edges.source, edges.target, edges.columns[name]
    found = [(start, end, own[name]) for start, row in edges.items() for end, own in row.items() if name in own]
    wrong = next((value for *_, value in found if not isinstance(value, Number)), None)
    if wrong is not None:
        raise ValueError(Message("the attribute {name!r} of an edge is {wrong!r}: expected numbers", name, wrong))
    source, target, values = zip(*found, strict=True) if found else ((), (), ())
    return np.array(source, np.int64), np.array(target, np.int64), np.array(values)


def to_rustworkx(of: Arrays) -> Any:  # noqa: ANN401
    """Return a ``rustworkx.PyDiGraph``."""
    with needs_extra(Message("a rustworkx graph"), "rustworkx"):
        import rustworkx as rx
    graph = rx.PyDiGraph(node_count_hint=len(of.labels), attrs=dict(of.graph) or None)
    own = _of_nodes(of)
    named = ({**each, _NAME: position} for each, position in zip(own, of.labels, strict=True)) if own else of.labels
    graph.add_nodes_from(list(named))
    source, target = _ends(of)
    if of.attributes.edges:
        graph.add_edges_from(list(zip(source, target, _carried(of, source, target), strict=True)))
    else:
        graph.add_edges_from_no_data(list(zip(source, target, strict=True)))
    return graph


def to_igraph(of: Arrays) -> Any:  # noqa: ANN401
    """Return a directed ``igraph.Graph``."""
    with needs_extra(Message("an igraph graph"), "igraph"):
        import igraph
    size, tables = len(of.labels), of.attributes
    source, target = _ends(of)
    graph = igraph.Graph(n=size, edges=zip(source, target, strict=True), directed=True)
    for name, value in of.graph.items():
        if isinstance(name, str):
            graph[name] = value
    if not (isinstance(of.labels, RangeLabels) and (not size or of.labels[0] == 0)):
        graph.vs["name"] = list(of.labels)
    _set(graph.vs, _of_nodes(of))
    if tables.edges:
        _set(graph.es, list(_carried(of, source, target)))
    return graph


def _of_kind(data: object, table: dict[str, Callable[[Any], Any]]) -> Callable[[Any], Any] | None:
    return next((table[kind.__name__] for kind in type(data).__mro__ if kind.__name__ in table), None)


def _ends(graph: Arrays) -> tuple[list[int], list[int]]:
    rows = graph.successor_rows
    return rows.owners().tolist(), rows.indices.tolist()


def _of_nodes(graph: Arrays) -> list[FrozenAttributes]:
    """Return the attributes of every node, an empty list where none has any."""
    kinds = graph.kinds
    if kinds is None and not graph.attributes.nodes:
        return []
    codes = [0] * len(graph.labels) if kinds is None else kinds.tolist()
    return [graph.attributes.of_node(v, kind) for v, kind in enumerate(codes)]


def _carried(graph: Arrays, source: list[int], target: list[int]) -> Iterable[dict[str, Any]]:
    return (dict(graph.attributes.of_edge(start, end, 1)) for start, end in zip(source, target, strict=True))


def _set(sequence: Any, attributes: Sequence[Mapping[str, Any]]) -> None:  # noqa: ANN401
    """Set the attributes of igraph's vertices or edges; None where one has none."""
    for name in dict.fromkeys(chain.from_iterable(attributes)):
        sequence[name] = [own.get(name) for own in attributes]


def _rustworkx_nodes(data: Any) -> dict[Hashable, dict[str, Any]]:  # noqa: ANN401
    """Return the attributes of each node by what it is called: what it carries if that tells all apart, else its index.

    Dictionaries are attributes, with the name among them where rustworkx made them of a networkx graph.
    """
    carried = data.nodes()
    own = [each if isinstance(each, dict) else {} if each is None else {"label": each} for each in carried]
    names = [each.get(_NAME) if isinstance(each, dict) else each for each in carried]
    if not all(isinstance(name, Hashable) for name in names) or len({None, *names}) <= len(names):
        return dict(zip(data.node_indices(), own, strict=True))
    told = ({name: value for name, value in each.items() if name != _NAME} for each in own)
    return {
        name: dict(kept) if isinstance(was, dict) else {} for name, was, kept in zip(names, carried, told, strict=True)
    }


def _of_rustworkx(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    nodes = _rustworkx_nodes(data)
    if any(payload is not None for payload in data.edges()) or any(nodes.values()):
        return None
    indices = np.asarray(data.node_indices(), np.int64)
    ends = np.asarray(data.edge_list(), np.int64).reshape(-1, 2)
    number = np.zeros(int(indices.max(initial=-1)) + 1, np.int32)
    number[indices] = np.arange(len(indices), dtype=np.int32)
    source, target = number[ends].T
    return EdgeArrays(source, target, list(nodes), graph=_rustworkx_attributes(data))


def _rustworkx_attributes(data: Any) -> dict[str, Any]:  # noqa: ANN401
    own = data.attrs
    return {} if own is None else dict(own) if isinstance(own, Mapping) else {"label": own}


def _keep_rustworkx(data: Any) -> nx.MultiDiGraph:  # noqa: ANN401
    texts = [each for each in data.nodes() if isinstance(each, str)]
    if len(set(texts)) < len(texts):
        twice = first_repeated(texts)
        told = Message("nodes of the rustworkx graph are called by their indices: two carry {name!r}", twice)
        warn_caller(told, ReadingWarning)
    nodes = _rustworkx_nodes(data)
    names = dict(zip(data.node_indices(), nodes, strict=True))
    graph = nx.MultiDiGraph()
    graph.graph.update(_rustworkx_attributes(data))
    graph.add_nodes_from(nodes.items())
    edges = data.weighted_edge_list()
    graph.add_edges_from((names[start], names[end], _of_payload(payload)) for start, end, payload in edges)
    return graph


def _of_payload(payload: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the attributes of an edge of rustworkx: a dictionary's, a number as weight, anything else as label."""
    if payload is None or isinstance(payload, dict):
        return payload or {}
    return {"weight" if isinstance(payload, Number) else "label": payload}


def _igraph_names(data: Any) -> Sequence[Hashable]:  # noqa: ANN401
    if not data.is_directed():
        raise UndirectedGraphError
    called = [data.vs[name] for name in _IGRAPH_NAMES if name in data.vs.attributes()]
    names: Sequence[Hashable] = called[0] if called else range(data.vcount())
    if len(set(names)) < data.vcount():
        raise ValueError(Message("two vertices of the igraph graph have the same name"))
    return names


def _of_igraph(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    names = _igraph_names(data)
    if data.es.attributes() or not set(data.vs.attributes()) <= {*_IGRAPH_NAMES}:
        return None
    count = 2 * data.ecount()
    ends = np.fromiter(chain.from_iterable(data.get_edgelist()), np.int32, count).reshape(-1, 2)
    source, target = ends.T
    return EdgeArrays(source, target, names, graph={name: data[name] for name in data.attributes()})


def _keep_igraph(data: Any) -> nx.MultiDiGraph:  # noqa: ANN401
    names = _igraph_names(data)
    graph = nx.MultiDiGraph()
    graph.graph.update({name: data[name] for name in data.attributes()})
    graph.add_nodes_from((names[vertex.index], _told(vertex)) for vertex in data.vs)
    graph.add_edges_from((names[edge.source], names[edge.target], _told(edge)) for edge in data.es)
    return graph


def _told(element: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        name: value for name, value in element.attributes().items() if value is not None and name not in _IGRAPH_NAMES
    }


def _of_matrix(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    """Return the entries of a square matrix of numbers; those of zeros and ones without weights, as moves have none."""
    if len(data.shape) != 2 or data.shape[0] != data.shape[1] or data.dtype.kind not in "biuf":
        return None
    entries = _entries(data)
    if bool((entries.data[entries.data != 0] == 1).all()):
        return matrix_arrays(data)
    return EdgeArrays(entries.row, entries.col, data.shape[0], {"weight": entries.data})


def _of_array(data: np.ndarray) -> EdgeArrays | None:
    if data.ndim != 2 or data.shape[0] != data.shape[1] or data.dtype.kind not in "biuf":
        return None
    if _may_be_edges(data):
        told = Message(
            "the array of shape {shape} is read as an adjacency matrix; an array of edges is "
            "GameGraph(edges[:, :2].tolist())",
            data.shape,
        )
        warn_caller(told, ReadingWarning)
    source, target = np.nonzero(data)
    weights = data[source, target]
    return EdgeArrays(source, target, len(data), {} if bool((weights == 1).all()) else {"weight": weights})


def _may_be_edges(matrix: np.ndarray) -> bool:
    """Tell whether the rows of a square matrix may be meant as edges: two vertex numbers, perhaps with a weight."""
    if matrix.dtype.kind not in "iu" or matrix.shape not in ((2, 2), (3, 3)):
        return False
    # A matrix without cycles is never suspected. Let its first rows begin with a, b and c, d, where a != b and c != d.
    # Either a or d is a loop, or both are 0; then b and c are not, and the matrix has the moves 0 -> 1 and 1 -> 0.
    ends = matrix[:, :2]
    are_distinct = len(np.unique(ends, axis=0)) == len(matrix)
    return bool((ends[:, 0] != ends[:, 1]).all() and (ends > 1).any()) and are_distinct


def _in_pandas(data: Any) -> Any:  # noqa: ANN401
    """Return a table of pandas, polars or Arrow as one of pandas."""
    if not hasattr(data, "to_pandas"):
        return data
    with needs_extra(Message("a table of polars or Arrow"), "pandas"):
        return data.to_pandas()


def _of_pandas(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    data = _in_pandas(data)
    if not set(_ENDS) <= set(data.columns):
        names = list(data.columns)
        found = usual_columns([str(name).lower() for name in names])
        if found is None or names == list(data.index):
            return None
        data = data.rename(columns=dict(zip((names[column] for column in found), _ENDS, strict=True)))
    from pandas import concat, factorize

    if not data.columns.is_unique:
        twice = data.columns[data.columns.duplicated()][0]
        raise NotAGameError(data, advice=Message("two columns are named {twice!r}: rename or drop one of them", twice))
    _refuse_missing(data)
    numbers, names = factorize(concat([data[name] for name in _ENDS], ignore_index=True))
    _refuse_two_types(data, names.tolist())
    source, target = numbers.reshape(2, -1)
    columns = {name: _column(data[name]) for name in data.columns if name not in _ENDS}
    return EdgeArrays(source, target, names.tolist(), columns)


def _column(values: Any) -> np.ndarray:  # noqa: ANN401
    """Return a column of pandas as an array whose entries become Python's numbers, or the column's own objects."""
    numbers = isinstance(values.dtype, np.dtype) and values.dtype.kind in "biuf"
    return np.asarray(values.to_numpy() if numbers else values.to_numpy(dtype=object))


def _refuse_missing(data: Any) -> None:  # noqa: ANN401
    for name in _ENDS:
        missing = data[name].isna().to_numpy()
        if missing.any():
            row = shorten(data.index[missing.argmax()])
            raise NotAGameError(
                data,
                advice=Message(
                    "row {row} has no {name}: leave such rows out, table.dropna(subset={ends})", row, name, _ENDS
                ),
            )


def _refuse_two_types(data: Any, names: Sequence[Hashable]) -> None:  # noqa: ANN401
    """Refuse a table in which an integer stands as a text, too, for they would be two positions."""
    if {int, str} <= set(map(type, names)):
        texts = {name for name in names if isinstance(name, str)}
        twice = next((name for name in names if not isinstance(name, str) and str(name) in texts), None)
        if twice is not None:
            advice = Message(
                "{twice!r} stands in it as a number and as a text: make both columns one type, table.astype(str)", twice
            )
            raise NotAGameError(data, advice=advice)


def _keep_pandas(data: Any) -> nx.DiGraph:  # noqa: ANN401
    """Return the graph of an adjacency matrix in a table."""
    data = _in_pandas(data)
    try:
        return nx.DiGraph(data)
    except nx.NetworkXError:
        raise NotAGameError(data, advice=_names_needed(data.columns)) from None


def _names_needed(names: Iterable[object]) -> Message:
    has = ", ".join(map(shorten, [*names][:10]))
    return Message(
        "a table of moves needs the columns 'source' and 'target'; this one has {has}", has or Message("none")
    )


def _of_list(data: list[Any]) -> Callable[[Any], nx.DiGraph] | None:
    """Return what makes the graph of records, or of the rows of a file of CSV below their header; else None."""
    first = data[0]
    found = (
        usual_columns([str(name).lower() for name in first]) if all(isinstance(name, str) for name in first) else None
    )
    if isinstance(first, Mapping):
        if found is None:
            raise NotAGameError(data, advice=_names_needed(first))
        start, end = ([*first][column] for column in found)
        return lambda records: nx.DiGraph([_edge_of_record(record, start, end, data) for record in records])
    if found is None or len(data) < 2 or any(len(row) != len(first) for row in data):
        return None
    start, end = found
    if {first[start], first[end]} & {cell for row in data[1:] for cell in (row[start], row[end])}:
        return None
    told = Message("the first row, {row}, as the names of columns", shorten(first))
    warn_caller(told, ReadingWarning)
    return lambda rows: nx.DiGraph([(row[start], row[end]) for row in rows[1:]])


def _edge_of_record(record: Mapping[str, Any], start: str, end: str, data: object) -> tuple[Any, Any, dict[str, Any]]:
    try:
        return record[start], record[end], {name: record[name] for name in record if name not in (start, end)}
    except KeyError as missing:
        raise NotAGameError(data, advice=Message("a record has no {name!r}", missing.args[0])) from None


def _refuse_undirected(_: object) -> None:
    raise UndirectedGraphError


_ENDS = ["source", "target"]
"""The columns of a table of edges."""

_NAME = "__networkx_node__"
"""Where rustworkx keeps the name of a node that carries attributes."""

_IGRAPH_NAMES = "name", "_nx_name"
"""Where igraph keeps the names of vertices: its own, and those of a networkx graph."""

_READERS: dict[str, Callable[[Any], Any]] = {
    "PyDiGraph": _of_rustworkx,
    "PyGraph": _refuse_undirected,
    "GraphBase": _of_igraph,
    "DataFrame": _of_pandas,
    "Table": _of_pandas,
    "sparray": _of_matrix,
    "spmatrix": _of_matrix,
    "ndarray": _of_array,
}
"""How the graphs of other libraries are read, by the names of their classes, for none is imported here."""

_KEEPERS: dict[str, Callable[[Any], Any]] = {
    "PyDiGraph": _keep_rustworkx,
    "GraphBase": _keep_igraph,
    "DataFrame": _keep_pandas,
    "Table": _keep_pandas,
}
"""The same for those that carry attributes."""
