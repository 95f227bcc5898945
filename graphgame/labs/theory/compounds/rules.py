"""Compounds as rulesets, so that their explicit graphs can be explored."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from math import prod
from typing import Any

from graphgame.errors import LimitError, ParameterError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.theory.compounds.boards import compound_board, compound_ways
from graphgame.labs.theory.compounds.kinds import (
    KINDS,
    FiniteOutcome,
    Operand,
    Places,
    greatest_suspense,
    least_remoteness,
    ordinal_value,
)
from graphgame.rules.component import sum_text, with_texts
from graphgame.rules.notation import split_compound
from graphgame.rules.pictures import Picture, Way
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.tokens import GraphRuleset
from graphgame.solution.results import Play
from graphgame.solution.sums import product


class Compound(Ruleset):
    """Several games played at once, as a ruleset: a position is the tuple of the components' positions.

    Parameters
    ----------
    kind : str
        The sign or the name of one of :data:`KINDS`.
    operands : sequence of GameLike or Operand
        The components, in order. A graph stands for the sum of its tokens.

    Raises
    ------
    ParameterError
        The kind does not exist, or there is no component.
    TokenError
        A graph has no token.
    CycleError, LimitError
        Later, when the compound is played: play in a component need not end, or its graph is too large.

    Notes
    -----
    :meth:`outcome_form` and :meth:`misere_outcome_form` find the outcome from the graphs of the components alone, in
    time linear in their sizes. The explicit graph, from ``explore``, can be as large as the product of their sizes.

    References
    ----------
    C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966).
    J. H. Conway, On Numbers and Games (1976), chapter 14.
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 9.

    Examples
    --------
    >>> from graphgame import explore, parse_position, solve
    >>> rules = Compound("conjunctive", [parse_position(text).graph() for text in ("bash{2}(5)", "bash{3}(8)")])
    >>> rules.outcome_form(rules.start)
    'N'
    >>> solve(explore(rules)).outcome[5, 8]
    'N'
    """

    def __init__(self, kind: str, operands: Sequence[GameLike | Operand]) -> None:
        found = [k for k in KINDS.values() if kind in (k.sign, k.name, k.name.split()[0])]
        if not found:
            names = ", ".join(f"{k.sign} ({k.name})" for k in KINDS.values())
            raise ParameterError("unknown kind of compound {kind!r}: expected one of {names}", kind, names)
        if not operands:
            raise ParameterError("a compound has one component or more")
        self.kind = found[0]
        self.operands: list[Operand] = [o if isinstance(o, Operand) else Operand.of_graph(o) for o in operands]
        self.start: Places = tuple(operand.start for operand in self.operands)
        self.arguments = self.format(self.start)

    def options(self, position: Places) -> Iterable[Places]:
        """Return the positions after each move."""
        places = self.canonical(position)
        return self.kind.moves(places, [o.options(p) for o, p in zip(self.operands, places, strict=False)])

    def canonical(self, position: Places) -> Places:
        """Return the position with the labels of the components' graphs."""
        return tuple(o.token for o in self.operands) if position == self.start else position

    def least_size(self, position: Places) -> tuple[int, int]:
        """Return lower bounds of the numbers of positions and moves."""
        places = self.canonical(position)
        options = prod(len(o.options(p)) for o, p in zip(self.operands, places, strict=False))
        return (1, 0) if self.kind.measure == "value" else (options + 1, options)

    def closed_form(self, position: Places) -> int | None:
        """Return the value of an ordinal sum; None for other compounds."""
        return ordinal_value(self.operands, position) if self.kind.measure == "value" else None

    def outcome_form(self, position: Places) -> FiniteOutcome:
        """Return the outcome under normal play, "P" or "N"."""
        return self.kind.outcome(self.operands, position, "normal")

    def misere_outcome_form(self, position: Places) -> FiniteOutcome:
        """Return the outcome under misère play, "P" or "N"."""
        return self.kind.outcome(self.operands, position, "misere")

    def length(self, position: Places, play: Play = "normal") -> int:
        """Return the length of play in a conjunctive or continued conjunctive compound.

        In a conjunctive compound it is the remoteness: the winner hurries and the loser delays. In a continued one it
        is the suspense number: the winner delays and the loser hurries.

        Raises
        ------
        ParameterError
            The compound is of another kind.
        """
        if self.kind.measure == "remoteness":
            return least_remoteness(self.operands, position, play)
        if self.kind.measure == "suspense":
            return greatest_suspense(self.operands, position, play)
        raise ParameterError(
            "the length of play in the {name} compound does not follow from its components", self.kind.name
        )

    def picture(self, position: Places) -> Picture | None:
        """Return the boards of the components, one below the other."""
        return compound_board(self.operands, self.canonical(position))

    def ways(self, position: Places) -> Iterator[Way]:
        """Yield the moves on the boards of the components."""
        return compound_ways(self.operands, self.canonical(position), self.options(position))

    def parse(self, text: str) -> Places:
        """Read a position as :meth:`format` writes it."""
        parts = [part.strip() for part, _ in split_compound(text)[1]]
        return tuple(GraphRuleset(o.graph).parse(part) for o, part in zip(self.operands, parts, strict=False))

    def format(self, position: Places) -> str:
        """Return the texts of the components with the sign between them."""
        return f" {self.kind.sign} ".join(map(str, position))

    def term(self, name: str, position: Any) -> str:  # noqa: ANN401
        """Return the compound in parentheses."""
        return f"({self.format(position)})"


_MOVES_A_POSITION = 5
_ENDED = "*0"


def operand_of(position: Position) -> Operand:
    """Return a position, which may be a sum, as a component of a compound.

    The vertices of its graph are labelled by the notation of the positions. The graph is explored when it is needed.

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
        return position.under(play).theorem.outcome

    parts: dict[Hashable, tuple[Component, ...]] = {}
    return Operand(_text(position.components), lambda: _graph(limited, parts), told, parts.get)


def compound_of(sign: str, positions: Sequence[Position]) -> Compound:
    """Return the ruleset of a compound of positions; ``sign`` is one of the signs in :data:`KINDS`.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> compound_of("&", [parse_position("nim(1)"), parse_position("nim(2)")]).start
    ('nim(1)', 'nim(2)')
    """
    return Compound(sign, [operand_of(position) for position in positions])


def _graph(position: Position, known: dict[Hashable, tuple[Component, ...]]) -> GameGraph:
    """Return the explicit graph with one token and no sum vertices; store each vertex's components in ``known``."""

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
