"""The errors that are networkx's as well: who catches its errors catches these."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import networkx as nx

from graphgame.errors import GraphGameError, excerpt, play_text, shorten

__all__ = ["CycleError", "NotAGameError", "UndirectedGraphError", "UnknownPositionError"]

_HOME = "graphgame.errors"  # by which they are known

_LOOPY_ADVICE = "solve(graph, cycles='loopy'), or --loopy, gives such games their values"
_TAKEN = (
    "give a graph (an nx.DiGraph, its edges, a matrix or table of them, a rustworkx or igraph graph), a Position or "
    "its text such as 'nim(3,4,5)', a file's path, a Solution, or of your own rules explore(rules, start)"
)


class CycleError(GraphGameError, nx.NetworkXUnfeasible):
    """A graph in which play need not end.

    Parameters
    ----------
    cycle : sequence of hashable
        The positions of one cycle in the order of play; the last has a move to the first.
    advice : str, optional
        What to do, where it is not to ask for values of graphs with cycles.
    """

    __module__ = _HOME

    def __init__(self, cycle: Sequence[Hashable], advice: str | None = None) -> None:
        super().__init__(cycle, advice)
        self.cycle = list(cycle)
        self.advice = advice

    def __str__(self) -> str:
        if len(self.cycle) == 1:
            found = f"position {shorten(self.cycle[0])} has a move to itself, so play need not end"
        else:
            found = f"the graph has a cycle, so play need not end: {play_text(self.cycle)} -> {shorten(self.cycle[0])}"
        return f"{found}; {self.advice or _LOOPY_ADVICE}"


class NotAGameError(GraphGameError, nx.NetworkXError, TypeError):
    """What was given as a game is none; the message says what is missing, or lists what is taken."""

    __module__ = _HOME

    def __init__(self, given: object, why: str = "", advice: str = "") -> None:
        super().__init__(given, why, advice)
        self.given = given
        self.why = why
        self.advice = advice

    def __str__(self) -> str:
        told = self.why and not self.why.startswith("Input is not a correct")  # networkx's guess of the kind
        reason = f" ({self.why.rstrip('.')})" if told else ""
        shown = " ".join(shorten(self.given).split())
        return f"expected a game, got {type(self.given).__name__} {shown}{reason}: {self.advice or _TAKEN}"


class UndirectedGraphError(GraphGameError, nx.NetworkXNotImplemented):
    """An undirected graph where moves need a direction."""

    __module__ = _HOME

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message or "the graph is undirected: moves need a direction, so give a DiGraph (G.to_directed() has cycles)"
        )


class UnknownPositionError(GraphGameError, nx.NodeNotFound, KeyError):
    """A position that is not a vertex of the graph.

    Attributes
    ----------
    text : str or None
        The line that names it, where it was read from one.
    column : int or None
        Where in the text, counted from 1.
    """

    __module__ = _HOME

    def __init__(self, position: object, detail: str = "is not a vertex of the graph") -> None:
        super().__init__(position)
        self.position = position
        self.detail = detail
        self.text: str | None = None
        self.column: int | None = None

    def __str__(self) -> str:
        place = "" if self.text is None or self.column is None else excerpt(self.text, self.column)
        return f"position {shorten(self.position)} {self.detail}{place}"
