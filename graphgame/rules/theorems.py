"""What theorems tell of a sum of positions, without a graph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from itertools import islice
from operator import xor
from types import NoneType
from typing import Literal

from graphgame.errors import LimitError, Message
from graphgame.results import Decisive, Move, Play, Value, outcome_of
from graphgame.rules.component import Component
from graphgame.rules.faults import blamed, returned
from graphgame.rules.nim import misere_nim_outcome
from graphgame.rules.ruleset import told_value

_MOST_TRIED = 200_000


class ByTheorem:
    """The part of a position that asks closed forms and theorems of its components' rulesets.

    Attributes
    ----------
    components : tuple of Component
    play : {"normal", "misere"}
    """

    components: tuple[Component, ...]
    play: Play

    @property
    def outcome_by_theorem(self) -> Literal["P", "N"] | None:
        """Who wins where theorems tell it without a graph, else None.

        They tell all values, or that one component is N and the nim-sum of all others 0; under misère play they tell
        of Nim.
        """
        if self.play == "misere":
            return self._misere_outcome_by_theorem
        values = self.values_by_theorem
        if None not in values:
            return "P" if outcome_of(reduce(xor, values, 0)) == "P" else "N"
        others = [told for told, value in zip(self._told_outcomes, values, strict=True) if value is None]
        known = reduce(xor, (value for value in values if value is not None), 0)
        if isinstance(known, Decisive):
            return known.outcome
        return "N" if others == ["N"] and not known else None

    @cached_property
    def _misere_outcome_by_theorem(self) -> Literal["P", "N"] | None:
        if self.nim_heaps is not None:
            return misere_nim_outcome(self.nim_heaps)
        if len(self.components) != 1:
            return None
        component = self.components[0]
        with blamed(component.name, Message("the misère outcome"), component.position):
            return component.ruleset.misere_outcome_form(component.position)

    @cached_property
    def values_by_theorem(self) -> tuple[Value | None, ...]:
        """The value of each component, None where no theorem tells it; that of a P-position that goes on is 0."""
        values = []
        for component, outcome in zip(self.components, self._told_outcomes, strict=True):
            rules, position = component.ruleset, component.position
            with blamed(component.name, Message("the closed form"), position, method=rules.closed_form):
                lost = outcome == "P" and not rules.decided(position)
                kinds = (int, NoneType, Decisive) if rules.decides else (int, NoneType)
                values.append(returned(0 if lost else told_value(rules, position), *kinds))
        return tuple(values)

    @cached_property
    def _told_outcomes(self) -> tuple[Literal["P", "N"] | None, ...]:
        outcomes = []
        for component in self.components:
            with blamed(component.name, Message("the outcome"), component.position):
                rules, position = component.ruleset, component.position
                outcomes.append(rules.decided(position) or rules.outcome_form(position))
        return tuple(outcomes)

    @property
    def nim_heaps(self) -> list[int] | None:
        """The sizes of the heaps where all components are heaps of Nim, else None; misère Nim has a closed form."""
        heaps = [part.position for part in self.components if part.ruleset.is_nim]
        return heaps if len(heaps) == len(self.components) else None  # type: ignore[return-value]

    @property
    def has_theorem(self) -> bool:
        """Whether theorems tell who wins or, under normal play, some values: then a large graph is not worth while."""
        known = any(value is not None for value in self.values_by_theorem)
        return self.outcome_by_theorem is not None or (known and self.play == "normal")

    def misere_moves_by_theorem(self) -> Iterator[Move]:
        """Yield the winning moves under misère play of a single component whose theorem tells who wins what is left."""
        if self.outcome_by_theorem == "P":
            return
        (start,) = self.components
        rules, found = start.ruleset, set()
        for likely in (rules.winning_options, rules.options):  # far from the end both plays have the same
            try:
                for tried, end in enumerate(likely(start.position)):
                    if tried == _MOST_TRIED:
                        raise LimitError(
                            "a position has too many options to look at each: more than {most}", _MOST_TRIED
                        )
                    if rules.misere_outcome_form(end) == "P" and (left := rules.canonical(end)) not in found:
                        found.add(left)
                        yield Move(0, start.position, left)
            except LimitError:
                if found or likely == rules.options:
                    raise

    def moves_by_theorem(self, most: int) -> list[Move]:
        """Return winning moves of the one component whose theorem tells who wins, but no value; the nim-sum is else 0.

        Examples
        --------
        >>> from graphgame.games.notation import parse_position
        >>> parse_position("wythoff(1000000000000,1000000000001)").moves_by_theorem(9)
        [Move(component=0, start=wythoff(1000000000000,1000000000001), end=wythoff(1,2))]
        """
        moves: list[Move] = []
        place = self.values_by_theorem.index(None)
        start = self.components[place]
        try:
            with blamed(start.name, Message("the winning options"), start.position):
                ends = islice(start.ruleset.winning_options(start.position), most)
                moves.extend(Move(place, start, start._replace(position=end)) for end in ends)
        except LimitError:
            pass
        return moves
