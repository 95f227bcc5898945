"""Conversion to and from the graphs of other libraries; the lab ``formats`` does the work."""

from __future__ import annotations

from typing import Any

import networkx as nx

from graphgame.graph.views import Arrays
from graphgame.registry import offers, registered

_CLASSES = {"PyDiGraph", "PyGraph", "GraphBase", "DataFrame", "Table", "sparray", "spmatrix", "ndarray"}
"""Names of classes of SciPy, NumPy, rustworkx, igraph, pandas and pyarrow. Only names, so that nothing is imported."""

_WITH_ATTRIBUTES = "networkx graph of another library"


def foreign_edges(data: Any) -> Any:  # noqa: ANN401
    """Return the arrays of edges of another library's graph.

    None if ``data`` is no such graph, or if it has attributes, so that it must be converted by :func:`with_attributes`.
    """
    return registered("edges of another library")(data) if _is_foreign(data) else None


def with_attributes(data: Any) -> Any:  # noqa: ANN401
    """Return a function that converts ``data`` to a networkx graph with its attributes of nodes and edges."""
    first = data[0] if isinstance(data, list) and data else None
    # The first of several lists may be the header of a table. Without the lab, networkx reads all lists as edges.
    may_have_header = isinstance(first, list) and _WITH_ATTRIBUTES in offers("job")
    if _is_foreign(data) or isinstance(first, dict) or may_have_header:
        return registered(_WITH_ATTRIBUTES)(data)
    return nx.DiGraph


def _is_foreign(data: object) -> bool:
    return any(kind.__name__ in _CLASSES for kind in type(data).__mro__)


class Exchange:
    """The methods of a graph that convert it to other libraries."""

    def to_scipy(self: Arrays, *, dtype: Any = None, format: str = "csr", weight: str | None = "weight") -> Any:  # noqa: ANN401
        """Return the adjacency matrix as a sparse array of SciPy, rows and columns in the order of ``list(G)``.

        Parameters
        ----------
        dtype : dtype, optional
            The type of the entries; by default int64, or the type of the weights.
        format : str
            The name of a format of scipy.sparse.
        weight : str or None
            The edge attribute to use as the entry. For an edge without it, and for all edges if ``weight`` is None, the
            entry is 1, or the number of times that a sum contains the part.

        Raises
        ------
        MissingExtraError
            SciPy is not installed.
        ValueError
            The attribute ``weight`` of some edge is not a number.

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
        """Return a ``rustworkx.PyDiGraph`` whose node weights are the positions, in the order of ``list(G)``.

        If any node has attributes, each node weight is a dictionary of its attributes, with the position under
        ``__networkx_node__`` as in ``rustworkx.networkx_converter``. The attribute ``kind`` of a sum is "sum"; a sum
        has as many edges to a part as it contains the part. An edge weight is the dictionary of its attributes, or None
        if no edge has any. ``attrs`` are the attributes of the graph, with its tokens.

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

        The vertex attribute ``name`` is the position, unless the positions are 0..n-1, which are igraph's own vertex
        numbers. The attribute ``kind`` of a sum is "sum"; a sum has as many edges to a part as it contains the part.
        All other attributes of vertices and edges are copied, and those of the graph whose names are strings, with its
        tokens.

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
