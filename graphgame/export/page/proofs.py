"""What a page knows of a certificate: what comes up where the winner plays by the positions that it lists."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from graphgame.errors import RulesetError
from graphgame.export.page.data import check_page_size, shown_data
from graphgame.games.notation import parse_position
from graphgame.graph import GameGraph
from graphgame.proof.position_certificates import ListedValues, PositionCertificate, game_text
from graphgame.rules.labelling import with_texts
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Sum
from graphgame.solution import solve

__all__ = ["proof_data"]


def proof_data(certificate: PositionCertificate, position: Position | None = None) -> dict[str, Any]:
    """Return what a page knows of a certificate about a position, by default the one that it names.

    Positions that are not listed have no value, and as options only what the winner answers with.

    Raises
    ------
    RulesetError
        The certificate proves nothing, or a move may end play at once, so that a page could not leave out equal pairs.
    LimitError
        It is too large for a page.
    """
    position = parse_position(certificate.position) if position is None else position
    if (fault := certificate.fault(position)) is not None:
        raise RulesetError("the certificate proves nothing: {fault}", fault)
    if any(component.ruleset.decides for component in position.components):
        raise RulesetError(
            "a page of a certificate leaves out pairs of equal positions, but here a move may end play at once: "
            "draw the position itself, or let graphgame play go by the certificate"
        )
    graph, values = _strategy(ListedValues(certificate, position), position)
    check_page_size(graph)
    texts = with_texts(graph, lambda vertex: position.text(_component(position, vertex)))
    shown = shown_data(solve(texts), texts, np.arange(len(graph)), list(graph.labels), position)
    return {
        **shown,
        "plays": {"normal": {"values": values, "remoteness": None}, "misere": {"values": None, "remoteness": None}},
        "product": None,
        "proof": certificate.outcome,
    }


def _strategy(listed: ListedValues, position: Position) -> tuple[GameGraph, list[int | None]]:
    """Return the graph of what comes up, and its values as far as they are known."""
    starts, found = listed.shown(position)
    games = {game_text(part): part for part in position.components}
    number = {key: place for place, key in enumerate(found)}
    labels: list[Hashable] = [games[name]._replace(position=part) if len(games) > 1 else part for name, part in found]
    values = [value for value, _ in found.values()]
    sums: dict[frozenset[int], int] = {}
    edges: list[tuple[int, int]] = []
    for place, ((name, _), (_, options)) in enumerate(found.items()):
        for parts in options:
            ends = frozenset(number[name, part] for part in parts)
            if len(ends) == 1:
                edges.append((place, min(ends)))
                continue
            if ends not in sums:
                sums[ends] = len(labels)
                labels.append(Sum([labels[end] for end in sorted(ends)]))
                known = [values[end] for end in ends]
                values.append(None if None in known else _nim_sum(known))
            edges.append((place, sums[ends]))
    edges += [(place, end) for ends, place in sums.items() for end in ends]
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    graph = GameGraph.from_arrays(
        source,
        target,
        labels,
        sums=np.arange(len(labels)) >= len(found),
        tokens=[labels[number[key]] for key in starts],
    )
    return graph, values


def _nim_sum(values: list[Any]) -> int:
    total = 0
    for value in values:
        total ^= value
    return total


def _component(position: Position, vertex: Hashable) -> Component:
    return vertex if isinstance(vertex, Component) else position.components[0]._replace(position=vertex)
