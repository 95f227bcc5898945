"""Convert graphs of SciPy, NumPy, pandas, polars, Arrow, rustworkx and igraph to arrays of edges.

A graph whose attributes such arrays cannot hold becomes a networkx graph instead. Also converts our graphs to graphs of
SciPy, rustworkx and igraph.
"""

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
from graphgame.graph.gamegraph import ArrayDiGraph
from graphgame.graph.labels import RangeLabels
from graphgame.io.dialects import usual_columns
from graphgame.io.interchange import first_repeated


class EdgeColumns(Mapping[int, dict[int, FrozenAttributes]]):
    """A mapping source -> target -> attributes, stored in arrays, for edges with attributes of the same names.

    Sources and targets are vertex numbers. The dictionary of a source is made when it is first looked up. Of parallel
    edges, the last one's attributes count.
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
            index = int(np.searchsorted(self._starts, start))
            if index == len(self._starts) or self._starts[index] != start:
                raise KeyError(start)
            row = slice(*self._bounds[index : index + 2])
            values = zip(*(column[row].tolist() for column in self.columns.values()), strict=True)
            attributes = (FrozenAttributes(zip(self.columns, edge, strict=True)) for edge in values)
            self._made[start] = dict(zip(self.target[row].tolist(), attributes, strict=True))
        return self._made[start]


class EdgeArrays(NamedTuple):
    """The edges of a graph as arrays.

    Attributes
    ----------
    source, target : ndarray
        The vertex numbers of the ends of each edge.
    positions : int or sequence of hashable
        The position of each vertex. A number n means that the positions are 0 to n - 1.
    columns : mapping of str to ndarray
        Name of an edge attribute -> its value for each edge.
    graph : mapping
        The attributes of the graph.
    """

    source: np.ndarray
    target: np.ndarray
    positions: int | Sequence[Hashable]
    columns: Mapping[str, np.ndarray] = MappingProxyType({})
    graph: Mapping[str, Any] = MappingProxyType({})

    def attributes(self) -> AttributeTables:
        """Return the attributes of the edges in the form that a GameGraph stores."""
        edges = EdgeColumns(self.source, self.target, self.columns) if self.columns else {}
        return AttributeTables({}, edges, frozenset(self.columns))


def foreign_edges(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    """Return the edges of ``data``, a graph, matrix or table of a class in ``_READERS``, as arrays.

    Return None if arrays cannot hold the graph, for example because of its attributes: then try
    :func:`with_attributes`. Raises UndirectedGraphError for an undirected graph, and NotAGameError or ValueError if
    ``data`` is faulty, for example a table in which an end of an edge is missing.
    """
    edges: EdgeArrays | None = _readers(data)[0](data)
    return edges


def with_attributes(data: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """Return a function that, called with ``data``, returns it as a networkx graph with all attributes.

    For a list that networkx itself should read, this function is ``nx.DiGraph``; see :func:`_of_list`.
    """
    return (_of_list(data) or nx.DiGraph) if isinstance(data, list) else _readers(data)[1]


def matrix_arrays(matrix: Any, *, weights: bool = False) -> EdgeArrays:  # noqa: ANN401
    """Return the edges of a square sparse matrix: a nonzero entry in row i and column j is an edge from i to j.

    By default edges have no weights. With ``weights``, unless all entries are 0 or 1, each entry is the weight of its
    edge. Then a zero that the matrix stores is an edge of weight 0, as in networkx.
    """
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    entries = matrix.tocoo()
    is_edge = entries.data != 0
    if weights and not bool((entries.data[is_edge] == 1).all()):
        return EdgeArrays(entries.row, entries.col, matrix.shape[0], {"weight": entries.data})
    selected = slice(None) if is_edge.all() else is_edge
    return EdgeArrays(entries.row[selected], entries.col[selected], matrix.shape[0])


def to_scipy(graph: ArrayDiGraph, dtype: Any, format: str, weight: str | None) -> Any:  # noqa: ANN401
    """Return the adjacency matrix as a SciPy sparse array, in one of SciPy's formats, such as "csr".

    An entry is the number of parallel edges. If ``weight`` names an edge attribute, and an edge has this attribute, the
    entry is its value instead; raise ValueError if it is not a number. If ``dtype`` is None, NumPy chooses the type.
    """
    with needs_extra(Message("a sparse matrix"), "scipy"):
        from scipy.sparse import csr_array
    pointers, indices = graph.successor_rows
    size = len(graph.labels)
    matrix = csr_array((np.ones(len(indices), np.int64), indices.copy(), pointers.copy()), shape=(size, size))
    matrix.sum_duplicates()
    if weight is not None and weight in graph.attributes.names:
        source, target, values = _values_of(graph.attributes, weight)
        # The entries are sorted by row, then column, so the number row * size + column increases from each to the next.
        numbers = np.repeat(np.arange(size), np.diff(matrix.indptr)) * size + matrix.indices
        matrix.data = matrix.data.astype(np.result_type(matrix.data, values))
        matrix.data[np.searchsorted(numbers, source.astype(np.int64) * size + target)] = values
    return matrix.asformat(format) if dtype is None else matrix.astype(dtype).asformat(format)


def _values_of(attributes: AttributeTables, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (sources, targets, values): the ends of each edge with the attribute ``name``, and the attribute's value.

    Raises ValueError if a value is not a number.
    """
    edges = attributes.edges
    if isinstance(edges, EdgeColumns) and edges.columns[name].dtype.kind in "biuf":
        return edges.source, edges.target, edges.columns[name]
    triples = [(start, end, own[name]) for start, row in edges.items() for end, own in row.items() if name in own]
    wrong = next((value for *_, value in triples if not isinstance(value, Number)), None)
    if wrong is not None:
        raise ValueError(Message("the attribute {name!r} of an edge is {wrong!r}: expected numbers", name, wrong))
    source, target, values = zip(*triples, strict=True) if triples else ((), (), ())
    return np.array(source, np.int64), np.array(target, np.int64), np.array(values)


def to_rustworkx(graph: ArrayDiGraph) -> Any:  # noqa: ANN401
    """Return a ``rustworkx.PyDiGraph``, in which the payload of a node is its position.

    If a node has attributes, all payloads are dictionaries of attributes, with the position as ``__networkx_node__``.
    """
    with needs_extra(Message("a rustworkx graph"), "rustworkx"):
        import rustworkx as rx
    result = rx.PyDiGraph(node_count_hint=len(graph.labels), attrs=dict(graph.graph) or None)
    payloads: list[Any] = list(graph.labels)
    if of_nodes := _node_attributes(graph):
        payloads = [{**own, _NAME: position} for own, position in zip(of_nodes, payloads, strict=True)]
    result.add_nodes_from(payloads)
    source, target = _ends(graph)
    if graph.attributes.edges:
        result.add_edges_from(list(zip(source, target, _edge_attributes(graph, source, target), strict=True)))
    else:
        result.add_edges_from_no_data(list(zip(source, target, strict=True)))
    return result


def to_igraph(graph: ArrayDiGraph) -> Any:  # noqa: ANN401
    """Return a directed ``igraph.Graph``, with the position of each vertex as its attribute ``name``.

    If the positions are 0, 1, ..., n - 1 in this order, there is no attribute ``name``.
    """
    with needs_extra(Message("an igraph graph"), "igraph"):
        import igraph
    size = len(graph.labels)
    source, target = _ends(graph)
    result = igraph.Graph(n=size, edges=zip(source, target, strict=True), directed=True)
    for name, value in graph.graph.items():
        if isinstance(name, str):
            result[name] = value
    _set(result.vs, _node_attributes(graph))
    if not (isinstance(graph.labels, RangeLabels) and (not size or graph.labels[0] == 0)):
        result.vs["name"] = list(graph.labels)
    if graph.attributes.edges:
        _set(result.es, list(_edge_attributes(graph, source, target)))
    return result


def _readers(data: object) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    return next(_READERS[cls.__name__] for cls in type(data).__mro__ if cls.__name__ in _READERS)


def _ends(graph: ArrayDiGraph) -> tuple[list[int], list[int]]:
    rows = graph.successor_rows
    return rows.row_indices().tolist(), rows.indices.tolist()


def _node_attributes(graph: ArrayDiGraph) -> list[FrozenAttributes]:
    """Return the attributes of every node; an empty list if no node has any."""
    kinds = graph.kinds
    if kinds is None and not graph.attributes.nodes:
        return []
    codes = [0] * len(graph.labels) if kinds is None else kinds.tolist()
    return [graph.attributes.of_node(v, kind) for v, kind in enumerate(codes)]


def _edge_attributes(graph: ArrayDiGraph, source: list[int], target: list[int]) -> Iterable[dict[str, Any]]:
    return (dict(graph.attributes.of_edge(start, end, 1)) for start, end in zip(source, target, strict=True))


def _set(sequence: Any, attributes: Sequence[Mapping[str, Any]]) -> None:  # noqa: ANN401
    """Set the attributes of all vertices, or of all edges, of an igraph graph.

    ``attributes[i]`` has those of vertex or edge i. An attribute that only other vertices or edges have is set to None.
    Attributes whose names are not strings are left out, because igraph cannot store them.
    """
    for name in filter(lambda name: isinstance(name, str), dict.fromkeys(chain.from_iterable(attributes))):
        sequence[name] = [own.get(name) for own in attributes]


def _rustworkx_nodes(data: Any) -> dict[Hashable, dict[str, Any]]:  # noqa: ANN401
    """Return the attributes of each node of a rustworkx graph, by the position of the node.

    A payload that is a dictionary has the attributes of its node. Its entry ``__networkx_node__``, which rustworkx adds
    when it converts a networkx graph, is the name of the node. Any other payload is itself the name, except None.

    If all nodes have different hashable names, the names are the positions. Otherwise the node indices are the
    positions, and a payload that is neither a dictionary nor None becomes the attribute ``label``.
    """
    payloads = data.nodes()
    names = [payload.get(_NAME) if isinstance(payload, dict) else payload for payload in payloads]
    if not _are_different(names):
        own = [each if isinstance(each, dict) else {} if each is None else {"label": each} for each in payloads]
        return dict(zip(data.node_indices(), own, strict=True))
    return {
        name: {key: value for key, value in payload.items() if key != _NAME} if isinstance(payload, dict) else {}
        for name, payload in zip(names, payloads, strict=True)
    }


def _are_different(names: Sequence[Any]) -> bool:
    """Tell whether the names are hashable, all different, and not None."""
    try:
        return len({None, *names}) > len(names)
    except TypeError:
        return False


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


def _rustworkx_to_networkx(data: Any) -> nx.MultiDiGraph:  # noqa: ANN401
    texts = [payload for payload in data.nodes() if isinstance(payload, str)]
    if len(set(texts)) < len(texts):
        twice = first_repeated(texts)
        note = Message(
            "the positions are the indices of the rustworkx nodes, because two nodes have the payload {name!r}", twice
        )
        warn_caller(note, ReadingWarning)
    nodes = _rustworkx_nodes(data)
    names = dict(zip(data.node_indices(), nodes, strict=True))
    graph = nx.MultiDiGraph()
    graph.graph.update(_rustworkx_attributes(data))
    graph.add_nodes_from(nodes.items())
    edges = data.weighted_edge_list()
    graph.add_edges_from((names[start], names[end], _attributes_of(payload)) for start, end, payload in edges)
    return graph


def _attributes_of(payload: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the payload of an edge as a dictionary of attributes.

    A dictionary is returned as it is, and None as an empty one. A number becomes the attribute ``weight``, any other
    object the attribute ``label``.
    """
    if payload is None or isinstance(payload, dict):
        return payload or {}
    return {"weight" if isinstance(payload, Number) else "label": payload}


def _igraph_names(data: Any) -> Sequence[Hashable]:  # noqa: ANN401
    if not data.is_directed():
        raise UndirectedGraphError
    names: Sequence[Hashable] = next(
        (data.vs[name] for name in _IGRAPH_NAMES if name in data.vs.attributes()), range(data.vcount())
    )
    if len(set(names)) < data.vcount():
        raise ValueError(Message("two vertices of the igraph graph have the same name: expected different names"))
    return names


def _of_igraph(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    names = _igraph_names(data)
    if data.es.attributes() or not set(data.vs.attributes()) <= {*_IGRAPH_NAMES}:
        return None
    count = 2 * data.ecount()
    ends = np.fromiter(chain.from_iterable(data.get_edgelist()), np.int32, count).reshape(-1, 2)
    source, target = ends.T
    return EdgeArrays(source, target, names, graph={name: data[name] for name in data.attributes()})


def _igraph_to_networkx(data: Any) -> nx.MultiDiGraph:  # noqa: ANN401
    names = _igraph_names(data)
    graph = nx.MultiDiGraph()
    graph.graph.update({name: data[name] for name in data.attributes()})
    graph.add_nodes_from((names[vertex.index], _igraph_attributes(vertex)) for vertex in data.vs)
    graph.add_edges_from((names[edge.source], names[edge.target], _igraph_attributes(edge)) for edge in data.es)
    return graph


def _igraph_attributes(element: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        name: value for name, value in element.attributes().items() if value is not None and name not in _IGRAPH_NAMES
    }


def _of_sparse_matrix(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    """Return the edges of a sparse adjacency matrix; None unless it is square, of numbers or booleans."""
    return matrix_arrays(data, weights=True) if _is_adjacency(data) else None


def _of_array(data: np.ndarray) -> EdgeArrays | None:
    if not _is_adjacency(data):
        return None
    if _may_be_edges(data):
        note = Message(
            "the array of shape {shape} is read as an adjacency matrix; if its rows are edges, write "
            "GameGraph(edges[:, :2].tolist())",
            data.shape,
        )
        warn_caller(note, ReadingWarning)
    source, target = np.nonzero(data)
    weights = data[source, target]
    return EdgeArrays(source, target, len(data), {} if bool((weights == 1).all()) else {"weight": weights})


def _is_adjacency(matrix: Any) -> bool:  # noqa: ANN401
    return len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1] and matrix.dtype.kind in "biuf"


def _may_be_edges(matrix: np.ndarray) -> bool:
    """Tell whether a matrix is 2 x 2 or 3 x 3 and looks like a list of edges.

    A row of such a list has two vertex numbers and, in a 3 x 3 matrix, a weight.
    """
    if matrix.dtype.kind not in "iu" or matrix.shape not in ((2, 2), (3, 3)):
        return False
    # The test asks that the first two entries of each row differ. No adjacency matrix of a graph without cycles passes:
    # let its first two rows begin with (a, b) and (c, d). If a or d is not 0, vertex 0 or 1 has a loop. If a and d are
    # 0, then b and c are not 0, so 0 -> 1 -> 0 is a cycle.
    ends = matrix[:, :2]
    are_distinct = len(np.unique(ends, axis=0)) == len(matrix)
    return bool((ends[:, 0] != ends[:, 1]).all() and (ends > 1).any()) and are_distinct


def _in_pandas(data: Any) -> Any:  # noqa: ANN401
    """Return a table of polars or Arrow as a pandas DataFrame, and a DataFrame unchanged."""
    if not hasattr(data, "to_pandas"):
        return data
    with needs_extra(Message("a table of polars or Arrow"), "pandas"):
        return data.to_pandas()


def _of_table(data: Any) -> EdgeArrays | None:  # noqa: ANN401
    """Return the edges of a table with a row for each edge.

    The columns of sources and targets are called ``source`` and ``target``, or have other usual names. Return None if
    there are no such columns. For other names than ``source`` and ``target``, also return None if the row labels are
    the names of all columns, as in an adjacency matrix. Raises NotAGameError if two columns have the same name, if an
    end of an edge is missing, or if a position occurs as an integer and as a text.
    """
    data, ends = _in_pandas(data), _ENDS
    if not set(_ENDS) <= set(data.columns):
        names = list(data.columns)
        usual = _usual_columns(names)
        if usual is None or names == list(data.index):
            return None
        ends = [names[column] for column in usual]
    from pandas import concat, factorize

    if not data.columns.is_unique:
        twice = data.columns[data.columns.duplicated()][0]
        raise NotAGameError(data, advice=Message("two columns are named {twice!r}: rename or drop one of them", twice))
    _refuse_missing(data, ends)
    numbers, names = factorize(concat([data[name] for name in ends], ignore_index=True))
    _refuse_two_types(data, names.tolist())
    source, target = numbers.reshape(2, -1)
    columns = {name: _column(data[name]) for name in data.columns if name not in ends}
    return EdgeArrays(source, target, names.tolist(), columns)


def _column(values: Any) -> np.ndarray:  # noqa: ANN401
    """Return a pandas column as an array: of its own type if that is a NumPy bool, int or float, else of objects."""
    is_numeric = isinstance(values.dtype, np.dtype) and values.dtype.kind in "biuf"
    return np.asarray(values.to_numpy() if is_numeric else values.to_numpy(dtype=object))


def _usual_columns(names: Iterable[object]) -> tuple[int, int] | None:
    return usual_columns([str(name).lower() for name in names])


def _refuse_missing(data: Any, ends: list[Any]) -> None:  # noqa: ANN401
    for name in ends:
        missing = data[name].isna().to_numpy()
        if missing.any():
            row = shorten(data.index[missing.argmax()])
            raise NotAGameError(
                data,
                advice=Message(
                    "row {row} has no {name}: leave out such rows, in pandas with table.dropna(subset={ends})",
                    row,
                    name,
                    ends,
                ),
            )


def _refuse_two_types(data: Any, positions: Sequence[Hashable]) -> None:  # noqa: ANN401
    """Raise NotAGameError if ``positions`` has an integer and also its text, such as 1 and "1".

    ``positions`` has the different positions of the table ``data``.
    """
    if {int, str} <= set(map(type, positions)):
        texts = {position for position in positions if isinstance(position, str)}
        twice = next((each for each in positions if not isinstance(each, str) and str(each) in texts), None)
        if twice is not None:
            advice = Message(
                "{twice!r} is a number in one cell of the table and a text in another: give both columns one type, "
                "in pandas with table.astype(str)",
                twice,
            )
            raise NotAGameError(data, advice=advice)


def _matrix_to_networkx(data: Any) -> nx.DiGraph:  # noqa: ANN401
    """Return the graph of an adjacency matrix in a table. Its rows must have the same labels as its columns.

    The labels of the rows are the index of the table, or its first column. A cell that is 0 or empty means that there
    is no edge. Raises NotAGameError if the labels differ, or if a cell is not a number.
    """
    data = _in_pandas(data)
    matrix = data
    # pandas.read_csv reads row labels as numbers, but column labels as text. Without index_col=0, the row labels are
    # the first column.
    texts = [*map(str, data.columns)]
    if 1 < len(texts) == len(data) + 1 and [*map(str, data.iloc[:, 0])] == texts[1:]:
        matrix = data.set_index(data.columns[0])
    if [*map(str, matrix.index)] == [*map(str, matrix.columns)]:
        matrix = matrix.set_axis(matrix.index, axis=1)
    is_numeric = all(dtype.kind in "biuf" for dtype in matrix.dtypes)
    try:
        return nx.DiGraph(matrix.fillna(0) if is_numeric else matrix)
    except nx.NetworkXError:
        raise NotAGameError(data, advice=_names_in_row(data) or _names_needed(data.columns)) from None


def _names_in_row(data: Any) -> Message | None:  # noqa: ANN401
    """Return advice if one of the first nine rows of a table has usual names of columns; otherwise None.

    For example, the table was read from a file that has a title above these names.
    """
    for index in range(min(len(data), _MAX_ROWS_OF_TITLE)):
        row = [cell for cell in data.iloc[index] if isinstance(cell, str)]
        if _usual_columns(row) is not None:
            # ``header`` counts the lines of the file from 0. If the columns have names, line 0 has these, and row 0 is
            # line 1. Otherwise row 0 is line 0.
            header = index + any(isinstance(name, str) for name in data.columns)
            return Message(
                "row {index} has the names of the columns, {names}: read the file again with header={header}",
                index,
                ", ".join(map(shorten, row[:10])),
                header,
            )
    return None


def _names_needed(names: Iterable[object]) -> Message:
    has = ", ".join(map(shorten, [*names][:10]))
    return Message(
        "a table of moves needs columns such as 'source' and 'target'; this one has {has}", has or Message("none")
    )


def _of_list(data: list[Any]) -> Callable[[Any], nx.DiGraph] | None:
    """Return a function that converts the list ``data`` to a networkx graph; None if networkx itself should read it.

    The result is a function for a list of dictionaries, one for each edge, and for a list of rows of equal length whose
    first row has usual names of columns. Raises NotAGameError if the first dictionary has no usual names for both ends
    of its edge; the function raises it if a later dictionary lacks an end. For rows, gives a ReadingWarning that the
    first row is read as the names of the columns.
    """
    first = data[0]
    ends = _usual_columns(first) if all(isinstance(name, str) for name in first) else None
    if isinstance(first, Mapping):
        if ends is None:
            raise NotAGameError(data, advice=_names_needed(first))
        start, end = ([*first][column] for column in ends)
        return lambda records: nx.DiGraph([_edge_of_record(record, start, end, data) for record in records])
    if ends is None or len(data) < 2 or any(len(row) != len(first) for row in data):
        return None
    start, end = ends
    # Names such as "start" and "end" may also be positions: then they occur in other rows.
    if {first[start], first[end]} & {cell for row in data[1:] for cell in (row[start], row[end])}:
        return None
    note = Message("the first row, {row}, is read as the names of the columns", shorten(first))
    warn_caller(note, ReadingWarning)
    return lambda rows: nx.DiGraph([(row[start], row[end]) for row in rows[1:]])


def _edge_of_record(record: Mapping[str, Any], start: str, end: str, data: object) -> tuple[Any, Any, dict[str, Any]]:
    try:
        return record[start], record[end], {name: record[name] for name in record if name not in (start, end)}
    except KeyError as missing:
        raise NotAGameError(data, advice=Message("a row of the table has no {name!r}", missing.args[0])) from None


def _refuse_undirected(_: object) -> None:
    raise UndirectedGraphError


_ENDS = ["source", "target"]
"""Our own names for the columns of a table of edges."""

_MAX_ROWS_OF_TITLE = 9

_NAME = "__networkx_node__"
"""rustworkx.networkx_converter puts the name of a node under this key of its payload."""

_IGRAPH_NAMES = "name", "_nx_name"
"""The attributes that may hold the names of vertices: igraph's own, and the one that Graph.from_networkx sets."""

_READERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "PyDiGraph": (_of_rustworkx, _rustworkx_to_networkx),
    "PyGraph": (_refuse_undirected, nx.DiGraph),
    "GraphBase": (_of_igraph, _igraph_to_networkx),
    "DataFrame": (_of_table, _matrix_to_networkx),
    "Table": (_of_table, _matrix_to_networkx),
    "sparray": (_of_sparse_matrix, nx.DiGraph),
    "spmatrix": (_of_sparse_matrix, nx.DiGraph),
    "ndarray": (_of_array, nx.DiGraph),
}
"""Class name -> (a function that returns an object of the class as EdgeArrays, or None; a function that returns it as a
networkx graph with all attributes).

With classes instead of their names, this module would have to import all these libraries.
"""
