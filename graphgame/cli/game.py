"""The game that a command is about: SOURCE, and the options that say how to look at it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

import click

from graphgame import errors
from graphgame.arrays.engine import COMPILED_FROM, PRODUCT_LIMIT, QUICK_PRODUCT, has_numba
from graphgame.cli import common
from graphgame.cli.advice import advice
from graphgame.cli.errors import Failure
from graphgame.cli.progress import Exploring, shown
from graphgame.errors import LimitError, Message, TokenError, install_command, joined
from graphgame.explanation.text import printable
from graphgame.rules import MAX_POSITIONS

if TYPE_CHECKING:
    from graphgame.graph import GameGraph
    from graphgame.results import Play
    from graphgame.rules.position import Position
    from graphgame.solution import Cycles, Solution

_OF_WHOLE_GRAPHS = ("solve", "explain", "draw", "play", "values", "stats", "certificate")
"""Commands about who wins that look at the whole graph."""


@dataclass
class Game:
    """A source, with the options of the command line."""

    source: str
    format_: str | None = None
    tokens: tuple[str, ...] = ()
    misere: bool = False
    loopy: bool = False
    engine: str = "auto"
    max_positions: int = MAX_POSITIONS
    product: bool = False
    product_limit: int | None = None

    @property
    def play(self) -> Play:
        """``normal`` or ``misere``."""
        return "misere" if self.misere else "normal"

    @property
    def cycles(self) -> Cycles:
        """``error`` or ``loopy``."""
        return "loopy" if self.loopy else "error"

    @cached_property
    def position(self) -> Position | None:
        """The position that the source names in the notation; None where it is a file."""
        position = common.position_of(self.source, self.format_, self.max_positions)
        return None if position is None else position.under(self.play)

    @cached_property
    def graph(self) -> GameGraph:
        """The explicit graph; positions of rules are texts."""
        return self._loaded(texts=True)

    def solution(self, most: int = PRODUCT_LIMIT, *, texts: bool = True) -> Solution:
        """Solve the explicit graph; without ``--tokens`` the source's own are asked about.

        Parameters
        ----------
        most : int
            Most positions of a sum that is played out, where ``--product-limit`` says nothing.
        texts : bool
            Whether positions of rules are texts: in a large graph they take long.
        """
        return self._solved(self.graph if texts else self._loaded(texts=False), most)

    @property
    def asked(self) -> Position | None:
        """The position that is asked about; None where only the explicit graph can answer."""
        return None if self.loopy else self._named

    @cached_property
    def _named(self) -> Position | None:
        """The source's position, or the sum of those that ``--tokens`` names; None where a graph has them."""
        if self.position is None or not self.tokens:
            return self.position
        from graphgame.explanation.naming import named_component

        parts = [named_component(text, self.position) for text in self.graph.tokens or ()]
        return None if None in parts else self.position.sum_of(part for part in parts if part is not None)

    def quick_solution(self, most: int = PRODUCT_LIMIT, *, texts: bool = True) -> Solution | None:
        """Solve the explicit graph as :meth:`solution` does, unless it is large and theorems or tables answer."""
        position = self.asked
        if position is None or not position.needs_no_graph:
            return self.solution(most, texts=texts)
        if self.tokens:
            return self.solution(min(most, QUICK_PRODUCT), texts=texts)
        with shown(Exploring) as exploring:

            def solved(graph: GameGraph) -> Solution:
                if exploring is not None:
                    exploring.clear()
                return self._solved(graph, min(most, QUICK_PRODUCT))

            return position.quick_solution(solved, exploring, texts=texts)

    @property
    def whole_position(self) -> Position | None:
        """The position that the source names, unless it is a file, has ranges, or only some of it is asked about."""
        with suppress(errors.GraphGameError):
            return None if self.source is None or self.tokens else self.position
        return None

    @property
    def outcome_by_theorem(self) -> str | None:
        """``P`` or ``N`` where theorems tell who wins without a graph."""
        return None if self.asked is None else self.asked.outcome_by_theorem

    def as_position(self) -> Position:
        """Return what the source names; on a graph, the sum of the tokens.

        Raises
        ------
        TokenError
            A graph has no tokens.
        """
        if self._named is not None:
            return self._named
        from graphgame.games.sources import as_position

        if not self.graph.tokens:
            first = printable(next(iter(self.graph), "a"))
            raise TokenError(
                "{source} has no tokens to play with: name a position, as in {source}@{first}", self.source, first
            )
        return as_position(self.graph, self.source).under(self.play)

    def _loaded(self, *, texts: bool) -> GameGraph:
        """Return the graph with the tokens that are asked about, multiplied out where that is asked."""
        graph = common.load(self.source, self.format_, self.max_positions, texts=texts)
        if self.tokens:
            from graphgame.graph import GameGraph

            graph = GameGraph(graph, tokens=common.find_tokens(graph, self.tokens, self.position))
        if not self.product:
            return graph
        from graphgame.rules.labelling import sum_text, with_texts
        from graphgame.sums import product

        return with_texts(product(graph, limit=self.product_limit or PRODUCT_LIMIT), sum_text)

    def _solved(self, graph: GameGraph, most: int) -> Solution:
        from graphgame.solution import solve

        size = len(graph) + graph.number_of_edges()
        if self.engine == "auto" and size >= COMPILED_FROM and not has_numba():
            common.tell(
                Message("this game is large: it is solved faster with compiled loops, {it}", install_command("fast"))
            )
        limit = self.product_limit or most
        try:
            return solve(graph, play=self.play, engine=self.engine, product_limit=limit, cycles=self.cycles)
        except (errors.CycleError, TokenError, errors.UnknownPositionError) as error:
            raise Failure(
                "{source}: {error}", Message("standard input") if self.source == "-" else self.source, error
            ) from error


def _running() -> str | None:
    context = click.get_current_context(silent=True)
    return None if context is None else context.info_name


def takes_game(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command the options of :class:`Game` as one argument ``game``.

    Where a game is too large, say what to do instead, and name the option that raises the limit.
    """

    @wraps(command)
    def advised(*, game: Game, **others: Any) -> None:  # noqa: ANN401
        try:
            command(game=game, **others)
        except LimitError as error:
            position = None if error.play or _running() not in _OF_WHOLE_GRAPHS else game.whole_position
            if position is None:
                raise
            raise LimitError(joined([error.message, *advice(position)]), limit=error.limit) from error

    return common.takes(Game, "game")(common.limits_named()(advised))
