"""Components of a sum: a position together with its ruleset."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphgame.errors import Message
from graphgame.rules.faults import rule_errors
from graphgame.rules.ruleset import Ruleset, Sum, parts_of

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph


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
    """Return the vertex for a component in a graph made by :meth:`Position.graph`.

    It is the component's canonical position, or a component with that position in a graph of several games.
    """
    canonical = component.ruleset.canonical(component.position)
    mixed = isinstance(graph.tokens[0], Component) if graph.tokens else False
    return component._replace(position=canonical) if mixed else canonical


def split_component(component: Component) -> Iterator[Component]:
    """Yield a component for each part of a position that is a :class:`Sum`; otherwise the component itself."""
    return (component._replace(position=part) for part in parts_of(component.position))


def bare(label: Any) -> Hashable:  # noqa: ANN401
    """Return a vertex without games: a component becomes its position, and a sum the sum of its bare parts."""
    if isinstance(label, Sum):
        return Sum(map(bare, label))
    return label.position if isinstance(label, Component) else label


Text = Callable[[Any], str]


def sum_text(parts: Iterable[Hashable], text: Text = str) -> str:
    """Return the parts joined by `` + ``, each written by the function ``text``; ``()`` if there are no parts."""
    return " + ".join(map(text, parts)) or "()"
