"""The errors that derive from exceptions of networkx: an ``except`` clause for a networkx exception catches them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager

import networkx as nx

from graphgame.errors import GraphGameError, Message, excerpt, joined, play_text, shorten

_HOME = "graphgame.errors"  # the module from which users import these errors

LOOPY_ADVICE = Message("loopy=True solves games with cycles too")
MERGING_ADVICE = Message("to merge equal positions of a graph with cycles, use reduce(graph)")
_TAKEN = Message(
    "give a graph (an nx.DiGraph, its edges, a matrix or table of them, a rustworkx or igraph graph), a Position or "
    "its text such as 'nim(3,4,5)', a file's path, a Solution, or explore(rules, start) for your own rules"
)


class CycleError(GraphGameError, nx.NetworkXUnfeasible):
    """A graph has a cycle, so play need not end.

    Parameters
    ----------
    cycle : sequence of hashable
        The positions of one cycle in the order of play; the last has a move to the first.
    advice : str, optional
        What to do about it, for the end of the message.
    """

    __module__ = _HOME

    def __init__(self, cycle: Sequence[Hashable], advice: str | None = None) -> None:
        Exception.__init__(self, cycle, advice)
        self.cycle = list(cycle)
        self.advice = advice

    def __str__(self) -> str:
        if len(self.cycle) == 1:
            fault = Message("position {position!r} has a move to itself, so play need not end", self.cycle[0])
        else:
            play = play_text([*self.cycle, self.cycle[0]])
            fault = Message("the graph has a cycle, so play need not end: {play}", play)
        return joined([fault, self.advice]) if self.advice else fault


@contextmanager
def advising_loopy() -> Iterator[None]:
    """Decorate a function with a parameter ``loopy``: add the advice "loopy=True" to a CycleError without advice."""
    try:
        yield
    except CycleError as error:
        error.advice = error.advice or LOOPY_ADVICE
        raise


class NotAGameError(GraphGameError, nx.NetworkXError, TypeError):
    """An argument is not a game; the message says what is wrong with it, and what to give instead."""

    __module__ = _HOME

    def __init__(self, argument: object, why: str = "", advice: str = "") -> None:
        Exception.__init__(self, argument, why, advice)
        self.argument = argument
        self.why = why
        self.advice = advice

    def __str__(self) -> str:
        shown = " ".join(shorten(self.argument).split())
        kind, advice = type(self.argument).__name__, self.advice or _TAKEN
        if self.why:
            why = self.why.rstrip(".")
            return Message("expected a game, got {kind} {value} ({reason}): {advice}", kind, shown, why, advice)
        return Message("expected a game, got {kind} {value}: {advice}", kind, shown, advice)


class UndirectedGraphError(GraphGameError, nx.NetworkXNotImplemented):
    """A graph is undirected, but moves need a direction."""

    __module__ = _HOME

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or Message(
                "the graph is undirected: moves need a direction, so give a DiGraph (not G.to_directed(), which has "
                "cycles)"
            )
        )


class UnknownPositionError(GraphGameError, nx.NodeNotFound, KeyError):
    """A position is not a vertex of the graph.

    Parameters
    ----------
    position : object
    fault : str, optional
        The message; by default it says that the position is not a vertex of the graph.
    hint : str, optional
        A sentence for the end of the default message; it names a similar position, for example.

    Attributes
    ----------
    text : str or None
        The line of text that names the position, if it was read from a text.
    column : int or None
        The column of the position in that line, counted from 1.
    """

    __module__ = _HOME

    def __init__(self, position: object, fault: str = "", hint: str = "") -> None:
        Exception.__init__(self, position)
        self.position = position
        self.fault = fault or Message("position {position!r} is not a vertex of the graph", position)
        if hint:
            self.fault = Message("position {position!r} is not a vertex of the graph: {hint}", position, hint)
        self.text: str | None = None
        self.column: int | None = None

    def __str__(self) -> str:
        shown = "" if self.text is None or self.column is None else excerpt(self.text, self.column)
        return Message("{fault}{excerpt}", self.fault, shown)
