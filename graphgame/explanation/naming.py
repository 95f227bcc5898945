"""Which vertex a person means by a text."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from graphgame.arrays.labels import Labels, ListLabels, similar
from graphgame.errors import GraphGameError, UnknownPositionError, written
from graphgame.explanation.text import printable
from graphgame.results import Numbered
from graphgame.rules.component import Component
from graphgame.rules.faults import blamed

if TYPE_CHECKING:
    from graphgame.rules.position import Position

__all__ = ["find_vertex", "named_vertex"]

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def named_vertex(graph: Numbered, name: Hashable, source: Position | None = None) -> Hashable:
    """Return the vertex that is called so, or is shown so, or that the rules of the graph's source read it as.

    Raises
    ------
    UnknownPositionError
        There is none; names similar ones.

    Examples
    --------
    >>> from graphgame import GameGraph, parse_position
    >>> position = parse_position("wythoff(2,3)")
    >>> [named_vertex(GameGraph(position), name, position) for name in ("1,2", "2,1", (1, 2), "wythoff(2,1)")]
    ['1,2', '1,2', '1,2', '1,2']
    >>> named_vertex(GameGraph("nim(3)"), "2")
    2
    """
    number = find_vertex(graph, name, source)
    if number is None:
        raise UnknownPositionError(name, f"is not a vertex of the graph{similar(graph.labels, _text(name))}")
    return graph.labels[number]


def find_vertex(graph: Numbered, name: Hashable, source: Position | None = None) -> int | None:
    """Return the number of the vertex that :func:`named_vertex` names; None where there is none."""
    if name in graph.labels:
        return graph.labels.find(name)
    texts = chain([_text(name)], _readings(_text(name), source))
    return next((number for text in texts if (number := _number(graph.labels, text)) is not None), None)


def _text(name: Hashable) -> str:
    return ",".join(map(str, name)) if isinstance(name, tuple) else written(name)


def _number(labels: Labels, text: str) -> int | None:
    """Return the vertex number of the position of this text: a string, an integer, others, or the text as shown."""
    if text in labels:
        return labels.find(text)
    if _INTEGER.fullmatch(text) and int(text) in labels:
        return labels.find(int(text))
    if not isinstance(labels, ListLabels):
        return None
    for name in (str, partial(printable, length=0)):
        texts = map(name, labels)
        if (number := next((number for number, shown in enumerate(texts) if shown == text), None)) is not None:
            return number
    return None


def _readings(text: str, source: Position | None) -> Iterator[str]:
    """Yield what the vertex of a text in the notation, or of the rules' own, is called in the source's graph."""
    components = {} if source is None else {component.game: component for component in source.components}
    for component in components.values():
        rules = component.ruleset
        head = rules.term(component.name, component.position).partition("(")[0]
        inner = text.removeprefix(f"{head}(").removesuffix(")") if text.startswith(f"{head}(") else text
        with suppress(GraphGameError, ValueError), blamed(component.name, "the text of a position"):
            position = rules.canonical(rules.parse(inner))
            assert source is not None
            yield source.text(Component(component.name, rules, position))
