"""Tokens on a graph: the rules are an explicit graph, and a move slides a token along an edge."""

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
        """Return where the token may slide; the parts of a sum where that is a sum vertex."""
        for option in self.graph.option_rows.row(self.graph.number_of(position)).tolist():
            yield self._expanded(option)

    def decided(self, position: Hashable) -> Literal["P", "N"] | None:
        """Return what the graph says of the position."""
        if self.graph.decided is None:
            return None
        kinds: dict[int, Literal["P", "N"]] = {SUNNY: "P", LOONY: "N"}
        return kinds.get(int(self.graph.decided[self.graph.number_of(position)]))

    @property
    def decides(self) -> bool:
        """Whether a position of the graph is decided."""
        return self.graph.decided is not None

    def parse(self, text: str) -> Hashable:
        """Return the position that is written so in the file."""
        name = text.strip()
        for position in (name, int(name)) if name.lstrip("-").isdecimal() and len(name) < 20 else (name,):
            if position in self.graph.labels:
                return position
        raise UnknownPositionError(
            name, Message("is not a vertex of the graph{hint}", similar(self.graph.labels, name))
        )

    def format(self, position: Hashable) -> str:
        """Return the position's text."""
        return str(position)

    def term(self, name: str, position: Hashable) -> str:
        """Return ``file@position``."""
        return f"{name}@{position}"

    def _expanded(self, vertex: int) -> Hashable:
        """Return a position, or the sum of the positions that a sum vertex comes down to."""
        graph = self.graph
        if graph.sums is None or not graph.sums[vertex]:
            return graph.labels[vertex]
        return Sum(graph.labels.take(np.array(sorted(parts_below(graph, vertex)), np.int64)))
