"""Graphs whose positions are texts: what people read in tables, pictures and files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from graphgame.errors import RulesetError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import ListLabels
from graphgame.rules.ruleset import Sum

Text = Callable[[Any], str]


def with_texts(graph: GameLike, text: Text) -> GameGraph:
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
    shown = GameGraph(graph)
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
