"""Components of sums: rules with a position in them, and the explicit graph of several."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import Message
from graphgame.graph.gamegraph import GameGraph
from graphgame.rules.exploration import explore
from graphgame.rules.faults import blamed
from graphgame.rules.labelling import sum_text
from graphgame.rules.ruleset import Ruleset, Sum
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
    """Yield the component, or each part of its position where that is a sum."""
    if isinstance(component.position, Sum):
        for part in component.position:
            yield component._replace(position=part)
    else:
        yield component


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
