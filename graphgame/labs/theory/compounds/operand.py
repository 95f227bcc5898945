"""A component of a compound: what the theory asks of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, cached_property
from typing import Literal

from graphgame.errors import LimitError, OptionError, TokenError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.theory.suspense import suspense
from graphgame.rules.component import Component
from graphgame.solution.results import Play, VertexValues
from graphgame.solution.solve import Solution, solution_of
from graphgame.solution.sums import product

FiniteOutcome = Literal["P", "N"]


class Operand:
    """A component of a compound: a game that is played out on a graph of its own.

    The graph is loaded when it is first needed; its one token is the start. ``told`` returns the outcome of the start
    under a play where that needs no graph, else None; ``parts`` returns what a position of the graph is the sum of,
    None where it is no position of rules.
    """

    def __init__(
        self,
        start: Hashable,
        load: Callable[[], GameGraph],
        told: Callable[[Play], FiniteOutcome | None] = lambda play: None,
        parts: Callable[[Hashable], tuple[Component, ...] | None] = lambda place: None,
    ) -> None:
        self.start = start
        self._load = load
        self._told = told
        self.parts = parts
        self.solution = cache(self._solution)
        self.suspense = cache(self._suspense)

    @classmethod
    def of_graph(cls, graph: GameLike) -> Operand:
        """Return the sum of a graph's tokens as a component."""
        graph = GameGraph.of(graph)
        if graph.tokens is None:
            raise TokenError("there are no tokens: each graph of a compound needs its start as a token")
        whole = graph if graph.sums is None and len(graph.tokens) == 1 else product(graph)
        return cls((whole.tokens or ())[0], lambda: whole)

    @cached_property
    def graph(self) -> GameGraph:
        """The explicit graph; where it is too large to write down, it is tried once."""
        if isinstance(self._loaded, LimitError):
            raise self._loaded
        if self._loaded.decided is not None:
            raise OptionError("a compound plays its components to their ends, and in one a move ends play at once")
        return self._loaded

    @cached_property
    def _loaded(self) -> GameGraph | LimitError:
        try:
            return self._load()
        except LimitError as error:
            return error

    @property
    def token(self) -> Hashable:
        """The start as the graph calls it."""
        return (self.graph.tokens or ())[0]

    def options(self, place: Hashable) -> list[Hashable]:
        """Return the options of a position."""
        return self.graph.labels.take(self.graph.option_rows.row(self.graph.number_of(place)))

    def outcome(self, place: Hashable, play: Play) -> FiniteOutcome:
        """Return who wins a position."""
        told = self._told(play) if place == self.start else None
        return told or self.solution(play).outcome[self._named(place)]  # type: ignore[return-value]

    def grundy(self, place: Hashable) -> int:
        """Return the value of a position under normal play."""
        return self.solution("normal").grundy[self._named(place)]

    def option_values(self, place: Hashable) -> set[int]:
        """Return the values of the options of a position under normal play."""
        return {option.grundy for option in self.solution("normal").options(self._named(place))}

    def length(self, measure: str, place: Hashable, play: Play) -> int:
        """Return the remoteness or the suspense of a position."""
        lengths = self.suspense(play) if measure == "suspense" else self.solution(play).remoteness
        return lengths[self._named(place)]

    def has_move(self, place: Hashable) -> bool:
        """Tell whether a position has an option."""
        return self.outcome(place, "normal") == "N" or bool(self.options(self._named(place)))

    def _named(self, place: Hashable) -> Hashable:
        return self.token if place == self.start else place

    def _solution(self, play: Play) -> Solution:
        return solution_of(self.graph, play=play)

    def _suspense(self, play: Play) -> VertexValues[int]:
        return suspense(self.solution(play))
