"""GameGraph: the explicit graph of positions, a read-only networkx DiGraph over compact arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, Self, TypeAlias

import networkx as nx
import numpy as np

from graphgame.errors import Message, NotAGameError, ParameterError, TokenError, UnknownPositionError
from graphgame.graph.attributes import networkx_attributes
from graphgame.graph.conversion import as_networkx, networkx_arrays
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.digraph import ArrayDiGraph
from graphgame.graph.exchange import foreign_edges
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.result_graphs import ResultDiGraph
from graphgame.graph.rows import Rows, check_count, check_numbers, checked_pointers, group_edges, put_in_order
from graphgame.registry import offers, registered


class Displayed:
    """What a notebook shows as a picture or a table."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return how a notebook shows it: media type -> content."""
        picture = offers("job").get("picture in a notebook")  # the work of a lab, which may be missing
        return {"text/plain": repr(self), **(picture.load()(self) if picture else {})}

    def page(self, *, title: str | None = None, height: int = 640) -> Any:  # noqa: ANN401
        """Return the page of the game, to explore, to play and to learn from, as the output of a notebook's cell.

        Its attribute ``html`` is the page itself.

        Parameters
        ----------
        title : str, optional
        height : int
            Pixels of the frame in which it stands.

        Raises
        ------
        LimitError
            It is too large for a page; :func:`write_page` says what to do.

        Examples
        --------
        >>> import graphgame
        >>> graphgame.parse_position("nim(3,4,5)").page().html[:15]
        '<!DOCTYPE html>'
        """
        return registered("page in a notebook")(self, title, height)


class _Table(Protocol):  # of pandas
    def itertuples(self, index: bool = ..., /) -> Iterable[Any]: ...


class _Matrix(Protocol):  # of SciPy
    def tocoo(self) -> Any: ...  # noqa: ANN401


class _RustworkxGraph(Protocol):
    def edge_list(self) -> Any: ...  # noqa: ANN401


class _IgraphGraph(Protocol):
    def get_edgelist(self) -> Any: ...  # noqa: ANN401


_Edges: TypeAlias = "Iterable[tuple[Hashable, ...]] | Mapping[Any, Iterable[Any]]"  # a NumPy matrix is iterable
_Foreign: TypeAlias = "_Table | _Matrix | _RustworkxGraph | _IgraphGraph"
GameLike: TypeAlias = "nx.DiGraph | Displayed | str | PathLike[str] | _Edges | _Foreign"
"""What every function takes as a game; :class:`GameGraph` lists it."""


class GameGraph(Displayed, ArrayDiGraph):
    """The explicit graph of an impartial game: vertices are positions, edges are moves.

    It is a read-only ``nx.DiGraph``: every networkx function that takes a DiGraph takes it, and
    ``nx.DiGraph(G)`` gives an ordinary copy to change. The adjacency is kept in compact arrays, about
    8 bytes an edge once both directions are used, so 10**8 edges fit in memory; 12 where the options of the networkx
    graph that it was made from stand in another order than the nodes, for networkx finds the neighbours in that order.
    Made otherwise, from arrays or a file, the successors stand in the order of the nodes.

    There are two kinds of vertex. A *position* (the rule) has the mex of its options' values. A *sum* has the
    xor of its parts' values; its out-edges lead to its parts, and a part that stands in it twice has the edge
    attribute ``multiplicity`` 2. Sum vertices have the node attribute ``kind="sum"``.

    A position without options may be *decided*: it ends play in the whole sum at once. With ``kind="decided-P"`` the
    player who just moved has won, with ``kind="decided-N"`` that player has lost. Other attributes of nodes and edges
    are kept for networkx, in a table aside; the values of positions do not depend on them.

    Parameters
    ----------
    game : GameLike, optional
        A game; every function of the package that takes one takes all of these:

        - a graph: an ``nx.DiGraph``, or what that takes (edges, mappings, NumPy and SciPy matrices); a rustworkx or
          igraph graph, whose nodes are called by what they carry or their names where these tell them apart, else by
          their indices; a pandas table of edges with the columns ``source`` and ``target``. Parallel edges between
          positions count once.
        - a :class:`Position`, or a sum of several: the graph of their games' positions, called by their texts (integers
          that are written as such stay integers), with a token for each component;
        - the text of one, such as ``"nim(3,4,5)"``, which is data: see :func:`parse_position`, also for rules in a
          Python file, which are run only on request;
        - a file's path: see :func:`read_game`. A text that names a file is that file, be it notation as well;
        - a :class:`Solution`: the graph that was solved.

        Without data an ordinary, empty ``nx.DiGraph`` is made: networkx makes the graphs that it fills by
        ``G.__class__()``. An empty GameGraph is ``GameGraph([])``.
    tokens : iterable of hashable, optional
        The positions asked about; kept in ``G.graph["tokens"]``, a tuple (which ``nx.write_graphml`` refuses as it
        does any tuple: write GraphML with :func:`graphgame.write_game`).
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.
    **attr
        Graph attributes.

    Attributes
    ----------
    labels : Labels
        The positions in the order of their vertex numbers 0..n-1, which all arrays are indexed by; ``labels.find`` is
        the way back.
    option_rows, predecessor_rows : Rows
        The options (or a sum's parts) of each vertex, and the vertices that have it as an option: ``pointers`` and
        ``indices``, int32.
    out_degrees : ndarray of int32, shape (n,)
        How many options each vertex has; a part that stands in a sum twice counts twice.
    sums : ndarray of bool, shape (n,), or None
        Which vertices are sums; None where none is.
    decided : ndarray of int8, shape (n,), or None
        -2 where the player who just moved has won, -3 where that player has lost, 0 where play goes on; None where no
        position is decided.
    tokens : tuple of hashable or None
        The positions asked about.

    Raises
    ------
    NotAGameError
        The data is none of these.
    UndirectedGraphError
        The graph is undirected.
    ParseError, LimitError, OSError
        A text or a file cannot be read, or a position has too large a graph.
    RulesetError
        A text names rules in a Python file, and ``run_rules`` is false.

    Notes
    -----
    O(n + m) time for n vertices and m edges.

    Where graphgame is networkx's only backend, its import sets ``nx.config.fallback_to_nx``: without that networkx
    refuses functions of a GameGraph beside another graph, and nothing but calls with a GameGraph depends on it.

    See Also
    --------
    GameGraph.from_arrays : from numpy arrays of edges.
    GameGraph.from_rows : from the options of each vertex, one vertex after the other.
    GameGraph.of : from any networkx graph, where it is none already.

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
            self._share(graph)
        else:
            self._read(graph)
        self._finish({**graph.graph, **attr}, tokens)

    @classmethod
    def of(cls, game: GameLike, *, run_rules: bool = False) -> GameGraph:
        """Return a game itself if it is a GameGraph, else the GameGraph that it is turned into.

        Raises
        ------
        NotAGameError, UndirectedGraphError, ParseError, RulesetError, LimitError, OSError
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
            Edge e goes from vertex number ``source[e]`` to ``target[e]``, both in 0..n-1.
        positions : int, range, ndarray or sequence of hashable, length n, optional
            The position that each number stands for. A count n means 0..n-1, as far as the edges go by default, a range
            costs no memory, an array holds increasing integers.
        sums : ndarray of bool, shape (n,), optional
            The sum vertices.
        decided : ndarray of int, shape (n,), optional
            The decided positions, as :attr:`decided`; they have no options.
        tokens : iterable of hashable, optional
        overwrite : bool
            The arrays of edges may be reordered, which spares a copy of them.
        **attr
            Graph attributes.

        Raises
        ------
        ParameterError
            The arrays differ in length, an entry is out of range, or a decided position has options.
        LimitError
            More than 2**31 - 2 vertices.

        Notes
        -----
        Time O(n + m). At the peak 20 bytes an edge with the two int32 arrays given, 12 if they may be overwritten.

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
                "source and target differ in shape: {source} and {target}, expected (m,) both",
                source.shape,
                target.shape,
            )
        check_numbers(sums, len(labels), source=source, target=target)
        self = object.__new__(cls)
        source, target = source.astype(np.int32, copy=False), target.astype(np.int32, copy=False)
        check_count(len(labels))
        self.labels = labels
        self.sums = sums if sums is not None and sums.any() else None
        self._predecessors, self.out_degrees = group_edges(source, target, len(labels), self.sums, overwrite=overwrite)
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
            Where the options of each vertex start among all; the last entry is their number.
        target : ndarray of int, shape (m,)
            Vertex numbers in 0..n-1.
        positions, sums, decided, tokens, overwrite, **attr
            As for :meth:`from_arrays`.

        Raises
        ------
        ParameterError
            The pointers do not rise from 0 to the number of entries, an entry is out of range, or a decided position
            has options.
        LimitError
            More than 2**31 - 2 vertices.

        Notes
        -----
        Takes little more than the arrays given; the predecessors are made when something needs them.

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
        check_numbers(sums, len(labels), target=target)
        sums = sums if sums is not None and sums.any() else None
        options = put_in_order(Rows(pointers, target.astype(np.int32, copy=not overwrite)), sums)
        self = cls._of_options(options, labels, sums)
        self._decide(decided)
        self._finish(attr, tokens)
        return self

    @classmethod
    def _of_options(cls, options: Rows, labels: Labels, sums: np.ndarray | None = None) -> Self:
        """Return a graph whose rows of options are in order."""
        self: Self = object.__new__(cls)
        self.labels, self.sums, self._options = labels, sums, options
        self.out_degrees = options.lengths().astype(np.int32)
        self._count_edges()
        return self

    def _decide(self, decided: np.ndarray | None) -> None:
        """Set the decided positions, which have no options and are no sums."""
        if decided is None or not decided.any():
            return
        if len(decided) != len(self.labels) or not np.isin(decided, (0, SUNNY, LOONY)).all():
            raise ParameterError(
                "invalid decided: expected {labels} entries, each 0, {sunny} or {loony}",
                len(self.labels),
                SUNNY,
                LOONY,
            )
        wrong = (decided != 0) & ((self.out_degrees > 0) | (False if self.sums is None else self.sums))
        if wrong.any():
            position = self.labels[int(np.argmax(wrong))]
            raise ParameterError(
                "position {position!r} is decided, but has options or parts: play ends there", position
            )
        self.decided = decided.astype(np.int8)

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
            found = networkx_arrays(graph, self.labels)
            successors, self._predecessors, self.sums, decided, self._edge_count = found
            self.attributes = networkx_attributes(graph, self.labels, self.sums)
        if successors.increase():
            self._options = successors
        else:
            self._successors = successors
        self.out_degrees = successors.lengths().astype(np.int32)
        self._decide(decided)

    def _finish(self, attributes: dict[str, Any], tokens: Iterable[Hashable] | None) -> None:
        self.graph = attributes
        if tokens is not None:
            self.graph["tokens"] = tuple(tokens)
        self._show()

    @property
    def tokens(self) -> tuple[Hashable, ...] | None:
        """The positions asked about, or None: ``G.graph["tokens"]``."""
        tokens = self.graph.get("tokens")
        return None if tokens is None else tuple(tokens)

    def checked_tokens(self, tokens: Iterable[Hashable] | None = None) -> tuple[Hashable, ...] | None:
        """Return the components of a sum, by default the graph's own tokens; None where there are none.

        Raises
        ------
        TypeError
            The tokens are one text, or no iterable.
        UnknownPositionError
            A token is not a vertex of the graph.
        TokenError
            A token stands on a sum vertex.
        """
        tokens = self.tokens if tokens is None else tokens
        if tokens is None:
            return None
        if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Iterable):
            raise TypeError(Message("tokens is an iterable of positions, got {tokens!r}: write [{tokens!r}]", tokens))
        components = tuple(tokens)
        for token in components:
            if token not in self.labels:
                raise UnknownPositionError(token, Message("has a token but is not a vertex of the graph"))
            if self.is_sum(token):
                raise TokenError(
                    "token {token!r} stands on a sum vertex: put a token on each of its parts instead", token
                )
        return components

    def is_sum(self, position: Hashable) -> bool:
        """Tell whether a vertex is a sum (the xor of its parts) rather than a position (a mex)."""
        number = self.number_of(position)
        return self.sums is not None and bool(self.sums[number])


def is_graph(game: object) -> bool:
    """Tell whether a game is given as a graph, rather than as a position, a text, a path or a solution."""
    return isinstance(game, nx.Graph) or not isinstance(game, (Displayed, str, PathLike))


def _as_graph(data: Any, run_rules: bool) -> Any:  # noqa: ANN401
    """Convert any form of a game that is accepted to a directed networkx graph."""
    if is_graph(data):
        edges = foreign_edges(data)
        if edges is None:
            return as_networkx(data)
        graph = GameGraph.from_arrays(edges.source, edges.target, edges.positions)
        graph.attributes = edges.attributes()
        graph.graph.update(edges.graph)
        return graph
    return registered("graph of a game")(data, run_rules=run_rules)
