"""Find the vertex of a graph that a person means by a text."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from graphgame.errors import GraphGameError, Message, UnknownPositionError, safe_text
from graphgame.graph.labels import Labels, ListLabels, similar
from graphgame.rules.rule_errors import rule_errors
from graphgame.rules.ruleset import Component
from graphgame.solution.results import Numbered
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.rules.position import Position

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def named_vertex(graph: Numbered, name: Hashable, source: Position | None = None) -> Hashable:
    """Return the vertex that a name means.

    It is the vertex equal to the name, otherwise the first whose text, plain or with escapes, is the text of the name
    (1,2 for a tuple), otherwise the position that the rules of ``source``, whose graph this is, read from that text.

    Raises
    ------
    UnknownPositionError
        There is no such vertex; the message names similar vertices.

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
        raise UnknownPositionError(name, hint=similar(graph.labels, _text(name)))
    return graph.labels[number]


def find_vertex(graph: Numbered, name: Hashable, source: Position | None = None) -> int | None:
    """Return the number of the vertex that :func:`named_vertex` returns for these arguments; None if there is none."""
    if name in graph.labels:
        return graph.labels.find(name)
    texts = chain([_text(name)], map(source.text, _readings(_text(name), source)) if source else ())
    return next((number for text in texts if (number := _number(graph.labels, text)) is not None), None)


def named_component(label: Hashable, source: Position) -> Component | None:
    """Return the component whose text in the source's graph is ``label``; None if the label is a sum.

    Examples
    --------
    >>> from graphgame import parse_position
    >>> named_component("1,2", parse_position("wythoff(2,3)"))
    wythoff(1,2)
    """
    return next((part for part in _readings(str(label), source) if source.text(part) == str(label)), None)


def _text(name: Hashable) -> str:
    return ",".join(map(str, name)) if isinstance(name, tuple) else safe_text(name)


def _number(labels: Labels, text: str) -> int | None:
    """Return the number of the vertex equal to a text, equal to its ``int``, or shown as the text; otherwise None."""
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


def _readings(text: str, source: Position) -> Iterator[Component]:
    """For each game of the source whose rules can read the text, yield the component that the text means.

    The text is in the notation, such as wythoff(1,2), or in the form of the rules alone, such as 1,2.
    """
    for component in {component.game: component for component in source.components}.values():
        rules = component.ruleset
        head = rules.term(component.name, component.position).partition("(")[0]
        inner = text.removeprefix(f"{head}(").removesuffix(")") if text.startswith(f"{head}(") else text
        with suppress(GraphGameError, ValueError), rule_errors(component.name, Message("the text of a position")):
            yield Component(component.name, rules, rules.canonical(rules.parse(inner)))
