"""Compounds as rules, so that their explicit graphs can be explored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

from graphgame.errors import OptionError
from graphgame.graph.gamegraph import GameLike
from graphgame.labs.theory.compounds.boards import compound_board, compound_ways
from graphgame.labs.theory.compounds.kinds import KINDS, Places, greatest_suspense, least_remoteness, ordinal_value
from graphgame.labs.theory.compounds.operand import FiniteOutcome, Operand
from graphgame.rules.pictures import Picture, Way
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.signs import split_compound
from graphgame.rules.tokens import GraphRuleset
from graphgame.solution.results import Play


class Compound(Ruleset):
    """Several games played at once, as a ruleset: a position is the tuple of the components' positions.

    Parameters
    ----------
    kind : str
        The sign or the name of one of :data:`KINDS`.
    operands : sequence of GameLike or Operand
        The components, in their order. A graph stands for the sum of its tokens.

    Raises
    ------
    OptionError
        There is no such kind, or no component.
    TokenError
        A graph has no token.
    CycleError, LimitError
        When the compound is played: a component need not end, or is too large.

    Notes
    -----
    :meth:`outcome_form` and :meth:`misere_outcome_form` tell who wins from the components' graphs alone, in time linear
    in their sizes. The explicit graph, from ``explore``, has up to the product of their sizes.

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
            raise OptionError("unknown kind of compound {kind!r}: expected one of {names}", kind, names)
        if not operands:
            raise OptionError("a compound has one component or more")
        self.kind = found[0]
        self.operands: list[Operand] = [o if isinstance(o, Operand) else Operand.of_graph(o) for o in operands]
        self.start: Places = tuple(operand.start for operand in self.operands)
        self.arguments = self.format(self.start)

    def options(self, position: Places) -> Iterable[Places]:
        """Return the positions after each move."""
        places = self.canonical(position)
        return self.kind.moves(places, [o.options(p) for o, p in zip(self.operands, places, strict=False)])

    def canonical(self, position: Places) -> Places:
        """Return the position as the components' graphs call it."""
        return tuple(o.token for o in self.operands) if position == self.start else position

    def least_size(self, position: Places) -> tuple[int, int]:
        """Return the number of moves and one, where a move is made of one in each component."""
        places = self.canonical(position)
        options = prod(len(o.options(p)) for o, p in zip(self.operands, places, strict=False))
        return (1, 0) if self.kind.measure == "value" else (options + 1, options)

    def closed_form(self, position: Places) -> int | None:
        """Return the value of an ordinal sum."""
        return ordinal_value(self.operands, position) if self.kind.measure == "value" else None

    def outcome_form(self, position: Places) -> FiniteOutcome:
        """Return who wins under normal play."""
        return self.kind.outcome(self.operands, position, "normal")

    def misere_outcome_form(self, position: Places) -> FiniteOutcome:
        """Return who wins under misère play."""
        return self.kind.outcome(self.operands, position, "misere")

    def length(self, position: Places, play: Play = "normal") -> int:
        """Return how long the game lasts in a conjunctive compound, or in a continued one.

        In the first the winner hurries and the loser delays, so that it is the remoteness; in the other it is the
        suspense, where the winner delays and the loser hurries.

        Raises
        ------
        OptionError
            It is a compound of another kind.
        """
        if self.kind.measure == "remoteness":
            return least_remoteness(self.operands, position, play)
        if self.kind.measure == "suspense":
            return greatest_suspense(self.operands, position, play)
        raise OptionError(
            "the length of play in the {name} compound does not follow from its components", self.kind.name
        )

    def picture(self, position: Places) -> Picture | None:
        """Return the boards of the components, one below the other."""
        return compound_board(self.operands, self.canonical(position))

    def ways(self, position: Places) -> Iterator[Way]:
        """Return the ways to make each move: those in several components together."""
        return compound_ways(self.operands, self.canonical(position), self.options(position))

    def parse(self, text: str) -> Places:
        """Return the position of a text as :meth:`format` writes it."""
        parts = [part.strip() for part, _ in split_compound(text)[1]]
        return tuple(GraphRuleset(o.graph).parse(part) for o, part in zip(self.operands, parts, strict=False))

    def format(self, position: Places) -> str:
        """Return the components with the sign between them."""
        return f" {self.kind.sign} ".join(map(str, position))

    def term(self, name: str, position: Any) -> str:  # noqa: ANN401
        """Return the compound in parentheses."""
        return f"({self.format(position)})"
