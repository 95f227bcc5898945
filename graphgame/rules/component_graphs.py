"""Explicit graphs and rules: the explored graphs of components, and tokens that slide along the edges of a graph.

A position imports this module only when it needs a graph: networkx and numpy load slowly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import RulesetError, UnknownPositionError
from graphgame.graph import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import ListLabels, similar
from graphgame.graph.rows import marked
from graphgame.rules.exploration import explore
from graphgame.rules.ruleset import About, Component, Ruleset, Sum, Text, bare, sum_text, vertex_of
from graphgame.rules.strategies import closed_forms_suffice
from graphgame.solution.results import Value
from graphgame.solution.solve import Solution, solution_of
from graphgame.solution.sums import parts_below

if TYPE_CHECKING:
    from graphgame.rules.position import Position


def explored(
    components: Sequence[Component], max_positions: int, max_moves: int | None, progress: Progress | None
) -> GameGraph:
    """Return the graph of all positions that the components can reach, with a token for each component, in order.

    Each game is explored once, from all its components, within the limits. If a component is a token on a graph, that
    graph is included whole. The graphs of several games become one, whose labels are components or Sums of these.
    """
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, component in enumerate(components):
        groups.setdefault(component.game, []).append(index)
    graphs = [
        _one_game([components[index] for index in group], max_positions, max_moves, progress)
        for group in groups.values()
    ]
    if not graphs:
        return GameGraph(tokens=())
    tokens = {
        index: token
        for group, graph in zip(groups.values(), graphs, strict=True)
        for index, token in zip(group, graph.tokens or (), strict=True)
    }
    if len(graphs) == 1:
        return GameGraph(graphs[0], tokens=[tokens[index] for index in range(len(components))])
    games = [components[group[0]] for group in groups.values()]
    labels = [_in_game(game, label) for game, graph in zip(games, graphs, strict=True) for label in graph.labels]
    first_vertex = np.cumsum([0, *(len(graph) for graph in graphs)])
    rows = [(graph.option_rows, first) for graph, first in zip(graphs, first_vertex[:-1].tolist(), strict=True)]
    empty = [vertex for vertex, label in enumerate(labels) if label == Sum()]  # these become one vertex
    kept = ~marked(empty[1:], len(labels))
    number = np.cumsum(kept) - 1
    number[empty] = number[empty[:1]]
    return GameGraph.from_arrays(
        number[np.concatenate([row.row_indices() + first for row, first in rows])],
        number[np.concatenate([row.indices + first for row, first in rows])],
        list(compress(labels, kept)),
        sums=np.concatenate([np.zeros(len(g), np.bool_) if g.sums is None else g.sums for g in graphs])[kept],
        decided=np.concatenate([np.zeros(len(g), np.int8) if g.decided is None else g.decided for g in graphs])[kept],
        tokens=[component._replace(position=tokens[index]) for index, component in enumerate(components)],
    )


def _one_game(
    components: Sequence[Component], max_positions: int, max_moves: int | None, progress: Progress | None
) -> GameGraph:
    ruleset, starts = components[0].ruleset, [component.position for component in components]
    if isinstance(ruleset, GraphRuleset):
        return GameGraph(ruleset.graph, tokens=starts)
    return explore(ruleset, *starts, max_positions=max_positions, max_moves=max_moves, progress=progress)


def _in_game(component: Component, label: Hashable) -> Hashable:
    if isinstance(label, Sum):
        return Sum(_in_game(component, part) for part in label)
    return component._replace(position=label)


def with_texts(game: GameLike, text: Text) -> GameGraph:
    """Return a copy of a graph with texts instead of positions as labels; the copy shares the arrays of the graph.

    ``text`` is a function that returns the text of a position, such as a ruleset's ``format``; for a sum it is called
    for each part. Positions with the same text raise a RulesetError. An integer whose text is its digits stays as is.

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> from graphgame import explore
    >>> chocolate = ruleset("chocolate")
    >>> list(with_texts(explore(chocolate, (3, 1)), chocolate.format))
    ['3x1', '1x1', '2x1', '1x1 + 2x1', '1x1 + 1x1']
    """
    shown = GameGraph(game)
    labels = [_label(position, text) for position in shown.labels]
    if not all(type(label) is int for label in labels):
        _check_distinct(shown, labels)
        shown.labels = ListLabels(labels)
    if shown.tokens is not None:
        shown.graph["tokens"] = tuple(_label(token, text) for token in shown.tokens)
    return shown


def _label(position: Hashable, text: Text) -> Hashable:
    if isinstance(position, Sum):
        return sum_text(position, text)
    shown = text(position)
    return position if type(position) is int and shown == str(position) else shown


def _check_distinct(graph: GameGraph, labels: list[Hashable]) -> None:
    seen: dict[str, Hashable] = {}
    for position, label in zip(graph.labels, labels, strict=True):
        other = seen.setdefault(str(label), position)
        if other is not position:
            raise RulesetError(
                "the positions {other!r} and {position!r} have the same text, {text!r}: the ruleset's method "
                "format must give different positions different texts",
                other,
                position,
                str(label),
            )


class OpenGraph:
    """The solved explicit graph, under normal play, of the components that need it.

    These are the components for which :func:`closed_forms_suffice` is False. ``before`` is a solution of the position
    before the last move, or None. If its graph has all these components, it is used again.
    """

    def __init__(self, position: Position, before: Solution | None = None) -> None:
        self.position = position
        self._before = before

    @property
    def computed_solution(self) -> Solution | None:
        """The solution if it is computed, otherwise ``before``; None without either."""
        return self.__dict__.get("solution", self._before)

    def has_values(self, component: Component) -> bool:
        """Return True: the graph has the values of each component that needs it, and of its options."""
        return True

    def value(self, component: Component) -> Value:
        """Return the value of a component."""
        return self.solution.grundy[self._vertex(component)]

    def options_of_value(self, component: Component, value: Value) -> Iterable[Hashable]:
        """Return the options of a component that have this value, as canonical positions."""
        options = self.solution.options(self._vertex(component))
        return [bare(option.position) for option in options if option.grundy == value]

    @cached_property
    def solution(self) -> Solution:
        """The solution ``before`` if its graph has all components that need a graph; otherwise a new solution."""
        position, before = self.position, self._before
        unknown = [part for part in position.components if not closed_forms_suffice(part.ruleset, part.position)]
        if before is not None and all(vertex_of(before.graph, part) in before.graph.labels for part in unknown):
            return before
        return solution_of(explored(unknown, position.max_positions, position.max_moves, position.progress))

    def _vertex(self, component: Component) -> Hashable:
        return vertex_of(self.solution.graph, component)


class GraphRuleset(Ruleset):
    """The rules of tokens on a directed graph.

    Examples
    --------
    >>> rules = GraphRuleset(GameGraph([("a", "b"), ("a", "c")]))
    >>> list(rules.options("a"))
    ['b', 'c']
    """

    about = About("Slide a token along an edge of a graph; ``chips.txt@4`` is a token on position 4 of a graph file.")

    def __init__(self, game: GameLike) -> None:
        self.graph = GameGraph.of(game)

    def options(self, position: Hashable) -> Iterator[Hashable]:
        """Yield the options of a vertex; an option that is a sum vertex is yielded as the :class:`Sum` of its parts."""
        return map(self._expanded, self.graph.option_rows.row(self.graph.number_of(position)).tolist())

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
            The graph has no such string or integer.
        """
        name = text.strip()
        for position in (name, int(name)) if name.removeprefix("-").isdecimal() and len(name) < 20 else (name,):
            if position in self.graph.labels:
                return position
        raise UnknownPositionError(name, hint=similar(self.graph.labels, name))

    def format(self, position: Hashable) -> str:
        """Return ``str(position)``."""
        return str(position)

    def term(self, name: str, position: Hashable) -> str:
        """Return ``name@position``; ``name`` is the path of the graph file, or the name of the graph."""
        return f"{name}@{position}"

    def _expanded(self, vertex: int) -> Hashable:
        """Return the label of a vertex; for a sum vertex the Sum of its parts, where nested sums are flattened."""
        graph = self.graph
        if graph.sums is None or not graph.sums[vertex]:
            return graph.labels[vertex]
        return Sum(graph.labels.take(np.array(sorted(parts_below(graph, vertex)), np.int64)))
