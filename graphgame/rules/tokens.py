"""Tokens on a graph: the rules are given by an explicit graph, and a move slides a token along an edge."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Literal

import numpy as np

from graphgame.errors import Message, UnknownPositionError
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import similar
from graphgame.rules.ruleset import About, Ruleset, Sum
from graphgame.solution.sums import parts_below


class GraphRuleset(Ruleset):
    """The rules of tokens on a directed acyclic graph.

    Examples
    --------
    >>> rules = GraphRuleset(GameGraph([("a", "b"), ("a", "c")]))
    >>> list(rules.options("a"))
    ['b', 'c']
    """

    about = About("Tokens on a directed acyclic graph; ``chips.txt@4`` is a token on position 4 of a graph file.")

    def __init__(self, game: GameLike) -> None:
        self.graph = GameGraph.of(game)

    def options(self, position: Hashable) -> Iterator[Hashable]:
        """Yield the vertices that the token may slide to; for a sum vertex, the :class:`Sum` of its parts."""
        for option in self.graph.option_rows.row(self.graph.number_of(position)).tolist():
            yield self._expanded(option)

    def decided(self, position: Hashable) -> Literal["P", "N"] | None:
        """Return "P" or "N" if the graph marks the position as decided; otherwise None."""
        if self.graph.decided is None:
            return None
        kinds: dict[int, Literal["P", "N"]] = {SUNNY: "P", LOONY: "N"}
        return kinds.get(int(self.graph.decided[self.graph.number_of(position)]))

    @property
    def decides(self) -> bool:
        """Whether the graph marks any position as decided."""
        return self.graph.decided is not None

    def parse(self, text: str) -> Hashable:
        """Return the vertex with this text: a string, or an integer if the graph has no such string.

        Raises
        ------
        UnknownPositionError
            The graph has neither.
        """
        name = text.strip()
        for position in (name, int(name)) if name.lstrip("-").isdecimal() and len(name) < 20 else (name,):
            if position in self.graph.labels:
                return position
        raise UnknownPositionError(
            name, Message("is not a vertex of the graph{hint}", similar(self.graph.labels, name))
        )

    def format(self, position: Hashable) -> str:
        """Return ``str(position)``."""
        return str(position)

    def term(self, name: str, position: Hashable) -> str:
        """Return ``file@position``."""
        return f"{name}@{position}"

    def _expanded(self, vertex: int) -> Hashable:
        """Return the label of a vertex; for a sum vertex the Sum of its parts, with parts that are sums expanded."""
        graph = self.graph
        if graph.sums is None or not graph.sums[vertex]:
            return graph.labels[vertex]
        return Sum(graph.labels.take(np.array(sorted(parts_below(graph, vertex)), np.int64)))
