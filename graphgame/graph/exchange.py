"""What a graph is in other libraries, and graphs of theirs as arrays of edges: a lab does both."""

from __future__ import annotations

from typing import Any

import networkx as nx

from graphgame.graph.views import Arrays
from graphgame.registry import offers, registered

_CLASSES = {"PyDiGraph", "PyGraph", "GraphBase", "DataFrame", "Table", "sparray", "spmatrix", "ndarray"}
"""The names of the classes of SciPy, NumPy, rustworkx, igraph and of tables: none of these libraries is imported."""

_WITH_ATTRIBUTES = "networkx graph of another library"


def foreign_edges(data: Any) -> Any:  # noqa: ANN401
    """Return the edges of a graph of another library; None where it is none, or carries more than edges and names."""
    return registered("edges of another library")(data) if _is_foreign(data) else None


def with_attributes(data: Any) -> Any:  # noqa: ANN401
    """Return a function that converts data to a networkx graph with the attributes of nodes and edges."""
    if _is_foreign(data) or _are_records(data):
        return registered(_WITH_ATTRIBUTES)(data)
    may_have_header = isinstance(data, list) and data and isinstance(data[0], list)
    return registered(_WITH_ATTRIBUTES)(data) if may_have_header and _WITH_ATTRIBUTES in offers("job") else nx.DiGraph


def _are_records(data: object) -> bool:
    return isinstance(data, list) and bool(data) and isinstance(data[0], dict)


def _is_foreign(data: object) -> bool:
    return any(kind.__name__ in _CLASSES for kind in type(data).__mro__)


class Exchange:
    """What a graph is in other libraries."""

    def to_scipy(self: Arrays, *, dtype: Any = None, format: str = "csr", weight: str | None = "weight") -> Any:  # noqa: ANN401
        """Return the adjacency matrix as a sparse array of SciPy, rows and columns in the order of ``list(G)``.

        Parameters
        ----------
        dtype : dtype, optional
            Of the entries; by default int64, or what the weights need.
        format : str
            A format of scipy.sparse.
        weight : str or None
            The edge attribute that is the entry of an edge; where there is none, or with ``weight=None``, it is 1, and
            for a part of a sum how often it stands in it.

        Raises
        ------
        MissingExtraError
            SciPy is not installed.
        ValueError
            The attribute of an edge is not a number.

        Examples
        --------
        >>> from graphgame import GameGraph
        >>> GameGraph([("a", "b"), ("a", "c"), ("b", "c")]).to_scipy().toarray()
        array([[0, 1, 1],
               [0, 0, 1],
               [0, 0, 0]])
        """
        return registered("graph in SciPy")(self, dtype=dtype, format=format, weight=weight)

    def to_rustworkx(self: Arrays) -> Any:  # noqa: ANN401
        """Return a ``rustworkx.PyDiGraph`` whose nodes carry the positions, in the order of ``list(G)``.

        Where nodes have attributes, each carries a dictionary of its own, in which ``__networkx_node__`` is the
        position, as rustworkx has it; ``kind`` is "sum" for a sum, to whose parts there are as many edges as they stand
        in it. An edge carries its attributes, a dictionary, or None where no edge has any; ``attrs`` are those of the
        graph, with its tokens.

        Raises
        ------
        MissingExtraError
            rustworkx is not installed.

        Examples
        --------
        >>> from graphgame import GameGraph
        >>> graph = GameGraph([("a", "b"), ("a", "c")]).to_rustworkx()
        >>> graph.nodes(), list(graph.edge_list())
        (['a', 'b', 'c'], [(0, 1), (0, 2)])
        """
        return registered("graph in rustworkx")(self)

    def to_igraph(self: Arrays) -> Any:  # noqa: ANN401
        """Return a directed ``igraph.Graph``, its vertices in the order of ``list(G)``.

        Their attribute ``name`` is the position, unless positions are 0..n-1 as igraph's own are; ``kind`` is "sum" for
        a sum, to whose parts there are as many edges as they stand in it. Other attributes are kept, and those of the
        graph, with its tokens, where their names are texts.

        Raises
        ------
        MissingExtraError
            igraph is not installed.

        Examples
        --------
        >>> from graphgame import GameGraph
        >>> graph = GameGraph([("a", "b"), ("a", "c")]).to_igraph()
        >>> graph.vs["name"], graph.get_edgelist()
        (['a', 'b', 'c'], [(0, 1), (0, 2)])
        """
        return registered("graph in igraph")(self)
