"""Positions of the notation as components of a compound."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache

from graphgame.errors import LimitError
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.theory.compounds.operand import FiniteOutcome, Operand
from graphgame.labs.theory.compounds.rules import Compound
from graphgame.rules.labelling import sum_text, with_texts
from graphgame.rules.position import Component, Position
from graphgame.solution.results import Play
from graphgame.solution.sums import product

_MOVES_A_POSITION = 5
_ENDED = "*0"


def operand_of(position: Position) -> Operand:
    """Return a position, or the sum of several, as a component of a compound.

    Its graph has the notation of each position as its vertices; it is explored when it is needed.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> operand = operand_of(parse_position("nim(1,2)"))
    >>> operand.start, operand.options(operand.token)
    ('(nim(1) + nim(2))', ['nim(2)', '(nim(1) + nim(1))', 'nim(1)'])
    """
    limited = Position(position.components, position.max_positions, _MOVES_A_POSITION * position.max_positions)

    @cache
    def told(play: Play) -> FiniteOutcome | None:
        return position.under(play).outcome_by_theorem

    parts: dict[Hashable, tuple[Component, ...]] = {}
    return Operand(_text(position.components), lambda: _graph(limited, parts), told, parts.get)


def compound_of(sign: str, positions: Sequence[Position]) -> Compound:
    """Return the rules of a compound of positions.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> compound_of("&", [parse_position("nim(1)"), parse_position("nim(2)")]).start
    ('nim(1)', 'nim(2)')
    """
    return Compound(sign, [operand_of(position) for position in positions])


def _graph(position: Position, known: dict[Hashable, tuple[Component, ...]]) -> GameGraph:
    """Return the explicit graph without sums, with one token; note what each vertex is the sum of."""

    def named(components: tuple[Component, ...]) -> str:
        known[text := _text(components)] = components
        return text

    graph = position.graph()
    if len(position.components) == 1 and graph.sums is None:
        start = position.components[0]
        return with_texts(graph, lambda place: named((start._replace(position=place),)))

    def component(part: object) -> Component:
        return part if isinstance(part, Component) else position.components[0]._replace(position=part)

    try:
        whole = product(graph, limit=position.max_positions)
    except LimitError as error:
        raise LimitError(str(error), limit="max_positions") from error
    return with_texts(whole, lambda parts: named(tuple(map(component, parts))))


def _text(components: tuple[Component, ...]) -> str:
    text = sum_text(components) if components else _ENDED
    return f"({text})" if len(components) > 1 else text
