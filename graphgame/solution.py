"""solve(): a graph of positions becomes a :class:`Solution`, all that is known about it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Literal

import networkx as nx

from graphgame.errors import CycleError, OptionError, TokenError, UnknownPositionError
from graphgame.graph import GameGraph
from graphgame.solved import Play, Solution
from graphgame.sums import PRODUCT_LIMIT

if TYPE_CHECKING:
    from graphgame.loopy.solution import LoopySolution

__all__ = ["Cycles", "LoopySolution", "Play", "Solution", "solve"]

Cycles = Literal["error", "loopy"]


def solve(
    graph: nx.DiGraph,
    *,
    play: Play = "normal",
    tokens: Iterable[Hashable] | None = None,
    engine: str = "auto",
    product_limit: int = PRODUCT_LIMIT,
    cycles: Cycles = "error",
) -> Solution:
    """Give every position of a game its value.

    Parameters
    ----------
    graph : GameGraph, nx.DiGraph or nx.MultiDiGraph
        Vertices are positions, edges are moves. Parallel edges count once between positions.
    play : {"normal", "misere"}
        Whether a player who cannot move loses or wins.
    tokens : iterable of hashable, optional
        The components of the sum asked about, one position each; two may stand on one position. The default
        is the graph's own: ``graph.graph["tokens"]``.
    engine : {"auto", "plain", "compiled"}
        "auto" runs compiled loops (extra ``fast``) on large graphs; the results are identical.
    product_limit : int
        Most positions of an explicit graph of sums, which only two questions need: misère play of sums, and how
        long a sum lasts.
    cycles : {"error", "loopy"}
        "loopy" gives a graph in which play need not end the values of Smith: see :class:`LoopySolution`.

    Returns
    -------
    Solution
        A :class:`LoopySolution` where there is a cycle.

    Raises
    ------
    CycleError
        Play need not end, and ``cycles`` is "error"; carries one cycle.
    UndirectedGraphError
        The graph is undirected.
    UnknownPositionError
        A token is not a vertex of the graph.
    TokenError
        A token stands on a sum vertex.
    LimitError
        Misère play of a graph with sum vertices whose explicit product is too large; or a sum in it has no end.
    OptionError
        ``cycles`` is neither of the two.

    Notes
    -----
    O(n + m) time and memory for n vertices and m edges. See :mod:`graphgame.sprague_grundy` for the pass.

    References
    ----------
    R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41 (1935); P. M. Grundy, Mathematics and
    games, Eureka 2 (1939).

    Examples
    --------
    >>> heap = nx.DiGraph((n, m) for n in range(6) for m in range(n))  # a heap of Nim, as a graph
    >>> solution = solve(heap, tokens=[3, 4, 5])
    >>> solution.nim_sum, solution.winner
    (2, 'first')
    >>> solution.winning_moves()
    [Move(component=0, start=3, end=1)]
    """
    if play not in ("normal", "misere"):
        raise ValueError(f"unknown play {play!r}: expected 'normal' or 'misere'")
    if cycles not in ("error", "loopy"):
        raise OptionError(f"unknown cycles {cycles!r}: expected 'error' or 'loopy'")
    if not isinstance(graph, nx.Graph):
        hint = "ask it, position.solve()" if hasattr(graph, "solve") else "make one with GameGraph(data)"
        raise TypeError(f"expected a networkx DiGraph, got {type(graph).__name__}: {hint}")
    game = graph if isinstance(graph, GameGraph) else GameGraph(graph)
    components = _checked_tokens(game, game.tokens if tokens is None else tokens)
    try:
        return Solution(game, play, components, engine, product_limit)
    except CycleError:
        if cycles == "error":
            raise
    from graphgame.loopy.solution import LoopySolution

    return LoopySolution(game, play, components, engine, product_limit)


def __getattr__(name: str) -> type[Solution]:
    """Import :class:`LoopySolution` when it is first asked for: most graphs have no cycle."""
    if name != "LoopySolution":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from graphgame.loopy.solution import LoopySolution

    return LoopySolution


def _checked_tokens(graph: GameGraph, tokens: Iterable[Hashable] | None) -> tuple[Hashable, ...] | None:
    if tokens is None:
        return None
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Iterable):
        raise TypeError(f"tokens is an iterable of positions, got {tokens!r}: write [{tokens!r}]")
    components = tuple(tokens)
    for token in components:
        if token not in graph.labels:
            raise UnknownPositionError(token, "has a token but is not a vertex of the graph")
        if graph.is_sum(token):
            raise TokenError(f"token {token!r} stands on a sum vertex: put a token on each of its parts instead")
    return components
