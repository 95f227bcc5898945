"""Components of sums: rules with a position in them, and the explicit graph of several."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import Message, RulesetError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import ListLabels
from graphgame.rules.exploration import explore
from graphgame.rules.faults import blamed
from graphgame.rules.ruleset import Ruleset, Sum, parts_of
from graphgame.rules.tokens import GraphRuleset


class Component(NamedTuple):
    """One component of a sum: its rules, and its position in them.

    The text of a component is the notation: ``take{1,3}(5)``.
    """

    name: str
    ruleset: Ruleset
    position: Hashable

    def __str__(self) -> str:
        with blamed(self.name, Message("the text"), self.position):
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
        """What the components of one game have in common."""
        return self._key()[:-1]


def vertex_of(graph: GameGraph, component: Component) -> Hashable:
    """Return the vertex that stands for a component in an explicit graph of :meth:`Position.graph`."""
    canonical = component.ruleset.canonical(component.position)
    mixed = isinstance(graph.tokens[0], Component) if graph.tokens else False
    return component._replace(position=canonical) if mixed else canonical


def split_component(component: Component) -> Iterator[Component]:
    """Return the component, or each part of its position where that is a sum."""
    return (component._replace(position=part) for part in parts_of(component.position))


def bare(label: Any) -> Hashable:  # noqa: ANN401
    """Return a position without its component."""
    if isinstance(label, Sum):
        return Sum(map(bare, label))
    return label.position if isinstance(label, Component) else label


def explored(
    components: Sequence[Component], max_positions: int, max_moves: int | None, progress: Progress | None
) -> GameGraph:
    """Explore each ruleset once, and put the graphs side by side where there are several."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, component in enumerate(components):
        groups.setdefault(component.game, []).append(place)
    graphs = [
        _one_game([components[place] for place in places], max_positions, max_moves, progress)
        for places in groups.values()
    ]
    if not graphs:
        return GameGraph(tokens=())
    tokens = {
        place: token
        for places, graph in zip(groups.values(), graphs, strict=True)
        for place, token in zip(places, graph.tokens or (), strict=True)
    }
    if len(graphs) == 1:
        return GameGraph(graphs[0], tokens=[tokens[place] for place in range(len(components))])
    owners = [components[places[0]] for places in groups.values()]
    labels = [_placed(owner, label) for owner, graph in zip(owners, graphs, strict=True) for label in graph.labels]
    shift = np.cumsum([0, *(len(graph) for graph in graphs)])
    rows = [(graph.option_rows, first) for graph, first in zip(graphs, shift[:-1].tolist(), strict=True)]
    return GameGraph.from_arrays(
        np.concatenate([row.owners() + first for row, first in rows]),
        np.concatenate([row.indices + first for row, first in rows]),
        labels,
        sums=np.concatenate([np.zeros(len(g), np.bool_) if g.sums is None else g.sums for g in graphs]),
        decided=np.concatenate([np.zeros(len(g), np.int8) if g.decided is None else g.decided for g in graphs]),
        tokens=[components[place]._replace(position=tokens[place]) for place in range(len(components))],
    )


def _one_game(
    components: Sequence[Component], max_positions: int, max_moves: int | None, progress: Progress | None
) -> GameGraph:
    ruleset, starts = components[0].ruleset, [component.position for component in components]
    if isinstance(ruleset, GraphRuleset):
        return GameGraph(ruleset.graph, tokens=starts)
    return explore(ruleset, *starts, max_positions=max_positions, max_moves=max_moves, progress=progress)


def _placed(owner: Component, label: Hashable) -> Hashable:
    if isinstance(label, Sum):
        return Sum(_placed(owner, part) for part in label)
    return owner._replace(position=label)


Text = Callable[[Any], str]


def with_texts(game: GameLike, text: Text) -> GameGraph:
    """Return the same graph with each position's text in place of the position.

    ``text`` gives that of a position which is no sum, as a ruleset's ``format`` does, and a different one for each. An
    integer that is written as such stays an integer. The arrays are shared with the graph.

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
    """Return the text of several positions side by side; ``()`` is the sum of none."""
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
