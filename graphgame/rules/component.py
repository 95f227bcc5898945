"""Components of a sum: a position together with its ruleset, and the explicit graph of several components."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import Message, RulesetError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import ListLabels
from graphgame.rules.exploration import explore
from graphgame.rules.faults import rule_errors
from graphgame.rules.ruleset import Ruleset, Sum, parts_of
from graphgame.rules.tokens import GraphRuleset


class Component(NamedTuple):
    """One component of a sum: the name of the game, its ruleset, and a position of that ruleset.

    ``str(component)`` is its notation, such as ``take{1,3}(5)``. Components are equal if they have the same game,
    arguments and position.
    """

    name: str
    ruleset: Ruleset
    position: Hashable

    def __str__(self) -> str:
        with rule_errors(self.name, Message("the text"), self.position):
            return sum_text(part.ruleset.term(part.name, part.position) for part in split_component(self))

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.name, type(self.ruleset), self.ruleset.arguments, self.position

    @property
    def game(self) -> tuple[object, ...]:
        """A key that is equal for two components of the same game with the same arguments."""
        return self._key()[:-1]


def vertex_of(graph: GameGraph, component: Component) -> Hashable:
    """Return the vertex of a graph made by :meth:`Position.graph` that a component stands on.

    It is the canonical position, or a component with that position if the graph has positions of several games.
    """
    canonical = component.ruleset.canonical(component.position)
    mixed = isinstance(graph.tokens[0], Component) if graph.tokens else False
    return component._replace(position=canonical) if mixed else canonical


def split_component(component: Component) -> Iterator[Component]:
    """Yield a component for each part of a position that is a :class:`Sum`; otherwise the component itself."""
    return (component._replace(position=part) for part in parts_of(component.position))


def bare(label: Any) -> Hashable:  # noqa: ANN401
    """Return the position of a component, or a sum of the positions of its parts; any other label as it is."""
    if isinstance(label, Sum):
        return Sum(map(bare, label))
    return label.position if isinstance(label, Component) else label


def explored(
    components: Sequence[Component], max_positions: int, max_moves: int | None, progress: Progress | None
) -> GameGraph:
    """Return the explicit graph of the components' positions; its tokens are the components' vertices, in their order.

    The components of one game are explored together. The graphs of several games become one graph whose labels are
    components.
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
    return GameGraph.from_arrays(
        np.concatenate([row.owners() + first for row, first in rows]),
        np.concatenate([row.indices + first for row, first in rows]),
        labels,
        sums=np.concatenate([np.zeros(len(g), np.bool_) if g.sums is None else g.sums for g in graphs]),
        decided=np.concatenate([np.zeros(len(g), np.int8) if g.decided is None else g.decided for g in graphs]),
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


Text = Callable[[Any], str]


def with_texts(game: GameLike, text: Text) -> GameGraph:
    """Return a copy of a graph whose labels are texts instead of positions; it shares the arrays of the graph.

    ``text`` is a function that returns the text of a position, such as a ruleset's ``format``; it is not called for
    sums. Two positions must not have the same text. An integer position stays an integer if its text is that integer.

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


def sum_text(parts: Iterable[Hashable], text: Text = str) -> str:
    """Return the texts of the parts joined by `` + ``; ``()`` if there are none."""
    return " + ".join(map(text, parts)) or "()"


def _label(position: Hashable, text: Text) -> Hashable:
    if isinstance(position, Sum):
        return sum_text(position, text)
    shown = text(position)
    return position if type(position) is int and shown == str(position) else shown


def _check_distinct(graph: GameGraph, labels: list[Hashable]) -> None:
    if len(set(map(str, labels))) == len(labels):
        return
    seen: dict[str, Hashable] = {}
    for position, label in zip(graph.labels, labels, strict=True):
        other = seen.setdefault(str(label), position)
        if other is not position:
            raise RulesetError(
                "two positions have the text {label!r}: {other!r} and {position!r}; the ruleset's format "
                "must tell them apart",
                str(label),
                other,
                position,
            )
