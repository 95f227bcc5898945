"""GameGraph: the explicit graph of a game's positions, a read-only networkx DiGraph over compact arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from os import PathLike
from typing import Any, Protocol, Self, TypeAlias

import networkx as nx
import numpy as np

from graphgame.errors import Message, NotAGameError, ParameterError, TokenError, UnknownPositionError
from graphgame.graph import LOONY, SUNNY, Displayed, views
from graphgame.graph.attributes import AttributeTables, kind_codes, networkx_attributes, refuse_change
from graphgame.graph.conversion import as_networkx, foreign_edges, networkx_arrays
from graphgame.graph.labels import Labels, as_labels, of_type
from graphgame.graph.result_graphs import ResultDiGraph, induced, shown_as_digraph
from graphgame.graph.rows import (
    Rows,
    check_count,
    check_numbers,
    checked_pointers,
    checked_sums,
    group_edges,
    put_in_order,
    transpose,
)
from graphgame.registry import registered


class _Table(Protocol):  # a pandas.DataFrame, without importing pandas
    def itertuples(self, index: bool = ..., /) -> Iterable[Any]: ...


class _Matrix(Protocol):  # a sparse array of SciPy, without importing SciPy
    def tocoo(self) -> Any: ...  # noqa: ANN401


class _RustworkxGraph(Protocol):
    def edge_list(self) -> Any: ...  # noqa: ANN401


class _IgraphGraph(Protocol):
    def get_edgelist(self) -> Any: ...  # noqa: ANN401


# ``_Edges`` includes a matrix as a NumPy array, because an array is an Iterable.
_Edges: TypeAlias = "Iterable[tuple[Hashable, ...] | list[Any]] | Mapping[Any, Iterable[Any]]"
_Foreign: TypeAlias = "_Table | _Matrix | _RustworkxGraph | _IgraphGraph"
GameLike: TypeAlias = "nx.DiGraph | Displayed | str | PathLike[str] | _Edges | _Foreign"
"""The type of everything that functions accept as a game; :class:`GameGraph` lists it."""


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
    """The graph that ``G.__class__()`` returns to networkx for a GameGraph G: it can be changed, unlike G.

    A subgraph view of G is of this class, too: its ``copy`` takes the edges from G's arrays, which is faster.
    """

    def __str__(self) -> str:
        return shown_as_digraph(self)

    def copy(self, as_view: bool = False) -> nx.DiGraph:
        """Return an ordinary graph that can be changed; if ``as_view``, a read-only view."""
        whole, chosen = getattr(self, "_graph", None), getattr(self, "_NODE_OK", None)
        all_edges = getattr(self, "_EDGE_OK", None) is nx.filters.no_filter
        if as_view or not (all_edges and isinstance(whole, ArrayDiGraph) and isinstance(chosen, nx.filters.show_nodes)):
            return super().copy(as_view)
        if not whole._is_plain():
            return super().copy()
        return induced(whole.labels, whole.successor_rows, chosen.nodes, self.graph)


class ArrayDiGraph(nx.DiGraph):  # type: ignore[misc, unused-ignore]
    """A read-only nx.DiGraph over arrays: its mappings and views are computed from the arrays when they are used."""

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

    def __new__(cls, *data: object, **attr: object) -> Self:
        """Return a new graph. Without arguments it is an ordinary, empty graph that can be changed.

        networkx makes new graphs by ``G.__class__()`` and then adds their nodes and edges.
        """
        return object.__new__(cls) if data or attr else FreshDiGraph()

    def _show(self) -> None:
        """Set ``_node``, ``_succ`` and ``_pred``, the mappings that networkx reads."""
        self._node = views.Nodes(self)
        self._succ = views.Adjacency(self, "successor_rows")  # networkx's descriptor of _succ also sets _adj
        self._pred = views.Adjacency(self, "predecessor_rows")

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), {name: getattr(self, name) for name in _PARTS}, self.graph)

    def __repr__(self) -> str:
        return f"<{self}>"

    degree = cached_property(views.DiDegreeView)
    in_degree = cached_property(views.InDegreeView)
    out_degree = cached_property(views.OutDegreeView)
    edges = cached_property(views.OutEdgeView)
    out_edges = cached_property(views.OutEdgeView)
    in_edges = cached_property(views.InEdgeView)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.labels
        except ParameterError:  # a position occurs twice; this error is a TypeError, too
            raise
        except TypeError:  # an unhashable object is no node
            return False

    def __getitem__(self, n: Hashable) -> views.Neighbours:
        return self._succ[n]  # this mapping is read-only, so it needs no AtlasView of networkx around it

    def successors(self, n: Hashable) -> Iterator[Hashable]:
        """Return an iterator over the successors of a node."""
        return _neighbours(self._succ, n) or super().successors(n)

    def predecessors(self, n: Hashable) -> Iterator[Hashable]:
        """Return an iterator over the predecessors of a node."""
        return _neighbours(self._pred, n) or super().predecessors(n)

    neighbors = successors

    def copy(self, as_view: bool = False) -> nx.DiGraph:
        """Return an ordinary graph that can be changed; if ``as_view``, a read-only view."""
        if as_view or not self._is_plain():
            return super().copy(as_view)
        return ResultDiGraph(self.labels, self.successor_rows, graph=self.graph)

    def reverse(self, copy: bool = True) -> nx.DiGraph:
        """Return the graph with reversed edges: an ordinary graph that can be changed, or a view if not ``copy``."""
        if not copy or not self._is_plain():
            return super().reverse(copy)
        rows = transpose(self.successor_rows), self.successor_rows
        return ResultDiGraph(self.labels, *rows, graph=deepcopy(self.graph))

    def _is_plain(self) -> bool:
        return self.kinds is None and not self.attributes.nodes and not self.attributes.edges

    @cached_property
    def kinds(self) -> np.ndarray | None:
        """An int8 array: 1 for a sum, the code of a decided position, 0 for other positions; None if all would be 0."""
        return kind_codes(self.sums, self.decided)

    @property
    def option_rows(self) -> Rows:
        """The rows of option numbers, one for each vertex, each in increasing order; the first use may compute them."""
        if self._options is None:
            assert self._predecessors is not None
            self._options = transpose(self._predecessors)
        return self._options

    @property
    def successor_rows(self) -> Rows:
        """The rows of options in the edge order of the original networkx graph; without one, :attr:`option_rows`."""
        return self.option_rows if self._successors is None else self._successors

    @property
    def predecessor_rows(self) -> Rows:
        """The rows of predecessor numbers, one for each vertex; the first use may compute them."""
        if self._predecessors is None:
            self._predecessors = transpose(self.option_rows)
        return self._predecessors

    def number_of(self, position: Hashable) -> int:
        """Return the vertex number of a position.

        Raises
        ------
        UnknownPositionError
            The position is not a vertex of the graph.
        TypeError
            The position is not hashable.
        """
        try:
            return self.labels.find(position)
        except KeyError:
            raise UnknownPositionError(position, hint=of_type(self.labels, position)) from None

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
        """Return the number of edges; with ``weight``, the sum of this attribute, which is 1 for edges without it."""
        return self._edge_count if weight is None else super().size(weight)

    add_node = add_nodes_from = remove_node = remove_nodes_from = refuse_change
    add_edge = add_edges_from = add_weighted_edges_from = remove_edge = remove_edges_from = refuse_change
    update = clear = clear_edges = refuse_change

    def to_scipy(self, *, dtype: Any = None, format: str = "csr", weight: str | None = "weight") -> Any:  # noqa: ANN401
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
            The attribute ``weight`` of some edge is not a number, or SciPy cannot store it; or ``format`` is unknown.

        Examples
        --------
        >>> from graphgame import GameGraph
        >>> GameGraph([("a", "b"), ("a", "c"), ("b", "c")]).to_scipy().toarray()
        array([[0, 1, 1],
               [0, 0, 1],
               [0, 0, 0]])
        """
        return registered("graph in SciPy")(self, dtype=dtype, format=format, weight=weight)

    def to_rustworkx(self) -> Any:  # noqa: ANN401
        """Return a ``rustworkx.PyDiGraph`` whose node weights are the positions, in the order of ``list(G)``.

        If any node has attributes, each node weight is a dictionary of its attributes, with the position under
        ``__networkx_node__`` as in ``rustworkx.networkx_converter``. The attribute ``kind`` marks sums and decided
        positions, as in :class:`GameGraph`. A sum has as many edges to a part as it contains the part. An edge weight
        is a dictionary of its attributes, or None if no edge has any. ``attrs`` has the graph's attributes and tokens.

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

    def to_igraph(self) -> Any:  # noqa: ANN401
        """Return a directed ``igraph.Graph``, its vertices in the order of ``list(G)``.

        The vertex attribute ``name`` is the position, unless the positions are 0..n-1, which are igraph's own vertex
        numbers. The attribute ``kind`` marks sums and decided positions, as in :class:`GameGraph`. A sum has as many
        edges to a part as it contains the part. All other attributes of vertices, edges and the graph (with its tokens)
        are copied if their names are strings.

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


def _neighbours(adjacency: views.Adjacency, position: Hashable) -> Iterator[Hashable] | None:
    """Return the neighbours of a position if ``adjacency`` already has lists for all positions; otherwise None."""
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


class GameGraph(Displayed, ArrayDiGraph):
    """The explicit graph of an impartial game: vertices are positions, edges are moves.

    It is a read-only ``nx.DiGraph``: it can be passed to every networkx function that takes a DiGraph, and
    ``nx.DiGraph(G)`` is an ordinary copy that can be changed. The edges are in compact arrays, which take about 8 bytes
    an edge once both directions are used, so 10**8 edges fit in memory. The order of a networkx graph's edges is
    preserved; if it is not that of the nodes, it takes 4 more bytes an edge. In a graph made from arrays or a file, the
    successors of each node are in the order of the nodes.

    There are two kinds of vertex. A *position* (the usual kind) has the mex of its options' values. A *sum* has the
    xor of its parts' values. Its out-edges lead to its parts; if it contains a part k > 1 times, the edge has the
    attribute ``multiplicity`` k. Sum vertices have the node attribute ``kind="sum"``.

    A position without options may be *decided*: it ends play in the whole sum at once. With ``kind="decided-P"`` the
    player who just moved has won, with ``kind="decided-N"`` that player has lost. Other attributes of nodes and edges
    are preserved for networkx; the values of positions do not depend on them.

    Parameters
    ----------
    game : GameLike, optional
        A game. Every function of the package that takes a game accepts any of these:

        - a graph: an ``nx.DiGraph`` or data that ``nx.DiGraph`` accepts (edges, mappings, NumPy and SciPy matrices); a
          rustworkx or igraph graph; or a table of edges (pandas, polars, Arrow) with columns such as ``source``,
          ``target``. The labels are the weights in rustworkx (``__networkx_node__`` of a dictionary) if hashable, all
          different and not None, the names in igraph, otherwise the indices. Parallel edges of positions count once.
        - a :class:`Position`: the graph of all positions that its components can reach, with a token for each
          component. The labels are the texts of the positions (an integer position stays an integer).
        - the text of a position, such as ``"nim(3,4,5)"``: see :func:`parse_position`. Rules in a Python file are run
          only if ``run_rules`` is true.
        - the path of a file: see :func:`read_game`. If a text in the notation is also the name of an existing file, the
          file is read.
        - a :class:`Solution`: the graph that was solved.

        ``GameGraph()`` without arguments is an ordinary, empty ``nx.DiGraph``, because networkx calls ``G.__class__()``
        to make graphs that it fills. An empty GameGraph is ``GameGraph([])``.
    tokens : iterable of hashable, optional
        The positions that questions are about, the components of a sum; stored as the tuple ``G.graph["tokens"]``.
        (``nx.write_graphml`` cannot write a tuple: write GraphML with :func:`graphgame.write_game`.)
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.
    **attr
        Graph attributes.

    Attributes
    ----------
    labels : Labels
        The positions in the order of their vertex numbers 0..n-1, the indices of all arrays. ``labels.find(position)``
        is the number of a position.
    option_rows, predecessor_rows : Rows
        For each vertex its options (a sum's parts), and the vertices that have it as an option or part; as two arrays,
        ``pointers`` (int64) and ``indices`` (int32).
    out_degrees : ndarray of int32, shape (n,)
        The number of options of each vertex; a part that a sum contains twice counts twice.
    sums : ndarray of bool, shape (n,), or None
        True for each sum vertex; None if there is none.
    decided : ndarray of int8, shape (n,), or None
        -2 for a position where the player who just moved has won, -3 where that player has lost, otherwise 0; None if
        no position is decided.
    tokens : tuple of hashable or None
        The positions that questions are about.

    Raises
    ------
    NotAGameError, UndirectedGraphError
        ``game`` is none of the above, or is an undirected graph.
    ParameterError, ValueError
        A decided position has options, a ``multiplicity`` is not an integer of 1 or more, igraph vertices have the same
        name, or ``misere`` or ``loopy`` is given, which are parameters of :func:`solve`.
    TypeError
        ``tokens`` is a string, or not iterable.
    ParseError, LimitError, OSError
        A text or a file cannot be read, or the graph of a position is too large.
    RulesetError
        A text names rules in a Python file, and ``run_rules`` is false; or the rules of a position fail.

    Notes
    -----
    O(n + m) time for n vertices and m edges.

    If graphgame is the only backend of networkx, the first use of the class sets ``nx.config.fallback_to_nx``, without
    which networkx refuses calls with a GameGraph and another graph. The setting affects only calls with our graphs.

    See Also
    --------
    GameGraph.from_arrays : Make a graph from numpy arrays of edges.
    GameGraph.from_rows : Make a graph from the options of each vertex, one vertex after the other.
    GameGraph.of : Convert any game, unless it is a GameGraph already.

    Examples
    --------
    >>> G = GameGraph({"a": ["b", "c"], "b": ["c"]}, tokens=["a"])
    >>> sorted(G.successors("a"))
    ['b', 'c']
    >>> nx.dag_longest_path_length(G)
    2
    >>> GameGraph("nim(2,1)").tokens
    (2, 1)
    >>> G.add_edge("c", "a")
    Traceback (most recent call last):
        ...
    networkx.exception.NetworkXError: Frozen graph can't be modified: make a DiGraph (nx.DiGraph(G)), then GameGraph(it)
    """

    def __init__(
        self,
        game: GameLike | object = None,
        *,
        tokens: Iterable[Hashable] | None = None,
        run_rules: bool = False,
        **attr: object,
    ) -> None:
        graph = _as_graph(game, run_rules)
        if isinstance(graph, GameGraph):
            for name in _PARTS:
                setattr(self, name, getattr(graph, name))
        else:
            self._read(graph)
        self._finish(attr, tokens, graph.graph)

    @classmethod
    def of(cls, game: GameLike, *, run_rules: bool = False) -> GameGraph:
        """Return a GameGraph as it is, and convert any other game to a GameGraph.

        Raises
        ------
        NotAGameError, UndirectedGraphError, ParameterError, ValueError, ParseError, RulesetError, LimitError, OSError
            As for :class:`GameGraph`.

        Examples
        --------
        >>> G = GameGraph.of(nx.DiGraph([("a", "b")]))
        >>> GameGraph.of(G) is G
        True
        """
        if game is None:
            raise NotAGameError(game)
        graph = _as_graph(game, run_rules)
        return graph if isinstance(graph, GameGraph) else cls(graph)

    @classmethod
    def from_arrays(
        cls,
        source: np.ndarray,
        target: np.ndarray,
        positions: int | Labels | np.ndarray | Sequence[Hashable] | None = None,
        *,
        sums: np.ndarray | None = None,
        decided: np.ndarray | None = None,
        tokens: Iterable[Hashable] | None = None,
        overwrite: bool = False,
        **attr: object,
    ) -> GameGraph:
        """Make a graph from arrays of edges.

        Parameters
        ----------
        source, target : ndarray of int, shape (m,)
            Edge e goes from vertex number ``source[e]`` to ``target[e]``, both in 0..n-1. Parallel edges count once,
            but parallel edges from a sum vertex are equal parts of the sum.
        positions : int, range, ndarray or sequence of hashable, length n, optional
            The position of each vertex number, all different. An integer n means 0..n-1; by default n is the largest
            number in an edge plus 1. An array must contain increasing integers. A range takes no memory.
        sums : ndarray of bool, shape (n,), optional
            True for each sum vertex.
        decided : ndarray of int, shape (n,), optional
            The codes of decided positions, as in the attribute :attr:`decided`; such positions have no options.
        tokens : iterable of hashable, optional
            The positions that questions are about.
        overwrite : bool
            Whether this call may reorder the arrays of edges, which avoids a copy of them.
        **attr
            Graph attributes.

        Raises
        ------
        ParameterError
            An array has a wrong shape or wrong entries, or a decided position has options or is a sum. If a list has
            equal positions, the error comes when a position is looked up.
        LimitError
            More than 2**31 - 2 vertices.

        Notes
        -----
        O(n + m) time. Peak memory is about 20 bytes an edge, with two int32 arrays of edges; 12 with ``overwrite``.

        Examples
        --------
        >>> G = GameGraph.from_arrays(np.array([0, 0, 1]), np.array([1, 2, 2]), range(1, 4))
        >>> sorted(G.edges)
        [(1, 2), (1, 3), (2, 3)]
        >>> list(GameGraph.from_arrays([2, 2, 1], [0, 1, 0]))
        [0, 1, 2]
        """
        source, target = np.asarray(source), np.asarray(target)
        if positions is None:
            largest = (int(ends.max()) for ends in (source, target) if ends.size and ends.dtype.kind in "iu")
            positions = 1 + min(max(largest, default=-1), 1 << 32)
        labels = as_labels(positions)
        if source.shape != target.shape or source.ndim != 1:
            raise ParameterError(
                "source and target have the shapes {source} and {target}: expected (m,) for both",
                source.shape,
                target.shape,
            )
        sums = checked_sums(sums, len(labels))
        check_numbers(len(labels), source=source, target=target)
        self = object.__new__(cls)
        source, target = source.astype(np.int32, copy=False), target.astype(np.int32, copy=False)
        check_count(len(labels))
        self.labels = labels
        self.sums = sums
        self._predecessors, self.out_degrees = group_edges(source, target, len(labels), sums, overwrite=overwrite)
        self._count_edges()
        self._decide(decided)
        self._finish(attr, tokens)
        return self

    @classmethod
    def from_rows(
        cls,
        pointers: np.ndarray,
        target: np.ndarray,
        positions: int | Labels | np.ndarray | Sequence[Hashable],
        *,
        sums: np.ndarray | None = None,
        decided: np.ndarray | None = None,
        tokens: Iterable[Hashable] | None = None,
        overwrite: bool = False,
        **attr: object,
    ) -> GameGraph:
        """Make a graph from the options of each vertex, one vertex after the other.

        Parameters
        ----------
        pointers : ndarray of int, shape (n + 1,)
            The options of vertex v are ``target[pointers[v]:pointers[v + 1]]``.
        target : ndarray of int, shape (m,)
            Vertex numbers in 0..n-1.
        positions, sums, decided, tokens, overwrite, **attr
            As for :meth:`from_arrays`.

        Raises
        ------
        ParameterError
            The pointers decrease or do not lead from 0 to m; another array has a wrong shape or wrong entries; or a
            decided position has options or is a sum.
        LimitError
            More than 2**31 - 2 vertices.

        Notes
        -----
        Takes little memory besides an int32 copy of ``target``, which ``overwrite`` avoids if that is int32 already.
        Predecessors are computed when needed.

        Examples
        --------
        >>> G = GameGraph.from_rows(np.array([0, 2, 3, 3]), np.array([1, 2, 2]), "abc")
        >>> sorted(G.edges)
        [('a', 'b'), ('a', 'c'), ('b', 'c')]
        """
        labels = as_labels(positions)
        check_count(len(labels))
        target = np.asarray(target)
        pointers = checked_pointers(pointers, len(labels), target)
        sums = checked_sums(sums, len(labels))
        check_numbers(len(labels), target=target)
        options = put_in_order(Rows(pointers, target.astype(np.int32, copy=not overwrite)), sums)
        self = cls._of_options(options, labels, sums, tokens, **attr)
        self._decide(decided)
        return self

    @classmethod
    def _of_options(
        cls, rows: Rows, labels: Labels, sums: np.ndarray | None, tokens: Iterable[Hashable] | None, /, **attr: object
    ) -> Self:
        """Return a graph over sorted ``rows`` of options, not copied or checked. Only rows of sums repeat entries."""
        self: Self = object.__new__(cls)
        self.labels, self.sums, self._options = labels, sums, rows
        self.out_degrees = rows.lengths().astype(np.int32)
        self._count_edges()
        self._finish(attr, tokens)
        return self

    def _decide(self, decided: np.ndarray | None) -> None:
        """Set :attr:`decided`; raise a ParameterError if it is invalid, or a decided vertex has options or is a sum."""
        if decided is None:
            return
        decided = np.asarray(decided)
        if decided.shape != (len(self.labels),) or (decided.any() and not np.isin(decided, (0, SUNNY, LOONY)).all()):
            raise ParameterError(
                "invalid argument 'decided': expected {count} entries, each 0 (not decided), {sunny} (the player who "
                "just moved has won) or {loony} (that player has lost)",
                len(self.labels),
                SUNNY,
                LOONY,
            )
        wrong = (decided != 0) & ((self.out_degrees > 0) | (False if self.sums is None else self.sums))
        if wrong.any():
            position = self.labels[int(np.argmax(wrong))]
            raise ParameterError(
                "position {position!r} is decided, but has options or is a sum: play ends at a decided position",
                position,
            )
        self.decided = decided.astype(np.int8) if decided.any() else None

    def _count_edges(self) -> None:
        self._edge_count = int(self.out_degrees.sum(dtype=np.int64))
        if self.sums is not None:
            self._edge_count -= int((self.option_rows.steps() == 0).sum())

    def _read(self, graph: nx.DiGraph) -> None:
        check_count(len(graph))
        if type(graph) is ResultDiGraph:
            arrays, self.sums, decided = graph.arrays, None, None
            self.labels, self.attributes = arrays.labels, arrays.attributes
            successors, self._predecessors = arrays.successor_rows, arrays.predecessor_rows
            self._edge_count = len(successors.indices)
        else:
            self.labels = as_labels(list(graph))
            read = networkx_arrays(graph, self.labels)
            successors, self._predecessors, self.sums, decided, self._edge_count = read
            self.attributes = networkx_attributes(graph, self.labels, self.sums)
        if successors.increase():
            self._options = successors
        else:
            self._successors = successors
        self.out_degrees = successors.lengths().astype(np.int32)
        self._decide(decided)

    def _finish(
        self, attr: dict[str, Any], tokens: Iterable[Hashable] | None, own: dict[Any, Any] | None = None
    ) -> None:
        if wrong := attr.keys() & {"misere", "loopy"}:
            raise ParameterError("{name}= is a parameter of solve(), not of a graph", min(wrong))
        self.graph = {**(own or {}), **attr}
        if tokens is not None:
            self.graph["tokens"] = _as_tokens(tokens)
        self._show()

    @property
    def tokens(self) -> tuple[Hashable, ...] | None:
        """The positions that questions are about, the tuple ``G.graph["tokens"]``; None if there is no such entry."""
        tokens = self.graph.get("tokens")
        return None if tokens is None else tuple(tokens)

    def checked_tokens(self, tokens: Iterable[Hashable] | None = None) -> tuple[Hashable, ...] | None:
        """Return ``tokens``, by default the graph's own, as a tuple of valid positions; None if both are None.

        Raises
        ------
        TypeError
            ``tokens`` is a string or not iterable, or a token is not hashable.
        UnknownPositionError
            A token is not a vertex of the graph.
        TokenError
            A token stands on a sum vertex.
        """
        tokens = self.tokens if tokens is None else tokens
        if tokens is None:
            return None
        components = _as_tokens(tokens)
        for token in components:
            if token not in self.labels:
                raise UnknownPositionError(
                    token, Message("position {position!r} has a token but is not a vertex of the graph", token)
                )
            if self.is_sum(token):
                raise TokenError(
                    "token {token!r} stands on a sum vertex: put a token on each of its parts instead", token
                )
        return components

    def is_sum(self, position: Hashable) -> bool:
        """Return True for a sum vertex, False for a position; raise an UnknownPositionError if it is no vertex."""
        number = self.number_of(position)
        return self.sums is not None and bool(self.sums[number])


def _as_tokens(tokens: object) -> tuple[Hashable, ...]:
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Iterable):
        raise TypeError(Message("tokens is an iterable of positions, got {tokens!r}: write [{tokens!r}]", tokens))
    return tuple(tokens)


def is_graph(game: object) -> bool:
    """Return False for a position, a text, a path or a :class:`Solution`; True for a graph and anything else."""
    return isinstance(game, nx.Graph) or not isinstance(game, (Displayed, str, PathLike))


def _as_graph(data: Any, run_rules: bool) -> Any:  # noqa: ANN401
    """Return a directed networkx graph, often a GameGraph, for anything that :class:`GameGraph` accepts as a game."""
    if is_graph(data):
        edges = foreign_edges(data)
        if edges is None:
            return as_networkx(data)
        graph = GameGraph.from_arrays(edges.source, edges.target, edges.positions)
        graph.attributes = edges.attributes()
        graph.graph.update(edges.graph)
        return graph
    return registered("graph of a game")(data, run_rules=run_rules)
