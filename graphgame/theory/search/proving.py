"""The making of a proof from a finished search: which positions the winner needs, with their values.

Of a listed position each option has to be listed with another value, or to have an option that is listed with this one.
What the search knows tells which; where several will do, what is listed already is taken, or what seems to need least.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from itertools import count
from math import sqrt
from typing import TypeAlias

from graphgame.theory.search.limits import Allowance
from graphgame.theory.search.masks import MaskSolver
from graphgame.theory.search.proof_numbers import ProofNumberSolver
from graphgame.theory.search.solver import Solver, Summands

__all__ = ["AnySolver", "Prover"]

AnySolver: TypeAlias = "Solver | MaskSolver | ProofNumberSolver"

_OF_A_VALUE = 4
"""Moves that each smaller value counts for, as some option must have it."""


class Prover:
    """What a proof lists of one game, of which a solver knows the values."""

    def __init__(self, solver: AnySolver, moves: Solver, allowance: Allowance) -> None:
        self.values: dict[Hashable, int] = {}
        self._solver = solver
        self._moves = moves
        self._allowance = allowance
        self._open: list[tuple[int, int, Hashable]] = []
        self._places = count()

    def list_sum(self, parts: Summands) -> None:
        """List the parts of a sum, each with its value."""
        for part in parts:
            if part not in self.values:
                self.values[part] = self._solver.value([part])
                heappush(self._open, (-self._moves.moves(part), next(self._places), part))

    def justify(self) -> None:
        """List what those that are listed need, the largest first."""
        while self._open:
            *_, position = heappop(self._open)
            self._allowance.look(len(self._open))
            self._justify(position, self.values[position])

    def option_of_value(self, parts: Summands, value: int) -> Summands | None:
        """Return an option of a sum that has a value: the one that costs least to list among those that are known."""
        found = [(self._cost(option), place, option) for place, option in enumerate(self._known(parts, value))]
        if found:
            return min(found)[2]
        return next((option for option in self._options(parts) if self._solver.has_value(option, value)), None)

    def _justify(self, position: Hashable, value: int) -> None:
        options = self._moves.options(position)
        for parts in reversed(options):  # small components first would be of use to few others
            if self._listed(parts) is None and not self._is_answered(parts, value):
                self._list_answer(parts, value)
        for smaller in sorted(set(range(value)) - {self._listed(parts) for parts in options}):
            option = self.option_of_value((position,), smaller)
            assert option is not None
            self.list_sum(option)

    def _list_answer(self, parts: Summands, value: int) -> None:
        """List what shows that an option has another value: itself or an answer, whichever costs less."""
        answer = self.option_of_value(parts, value)
        exact = self._total(parts)
        if answer is None or (exact is not None and self._cost(parts) < self._cost(answer)):
            answer = parts
        self.list_sum(answer)

    def _is_answered(self, parts: Summands, value: int) -> bool:
        return any(self._listed(option) == value for option in self._options(parts))

    def _known(self, parts: Summands, value: int) -> Iterator[Summands]:
        return (option for option in self._options(parts) if self._total(option) == value)

    def _options(self, parts: Summands) -> Iterator[Summands]:
        for place, part in enumerate(parts):
            rest = parts[:place] + parts[place + 1 :]
            for option in self._moves.options(part):
                yield tuple({*option} ^ {*rest}) if rest else option

    def _cost(self, parts: Summands) -> float:
        """Guess what listing a sum needs: of many moves, most lead to what is listed."""
        return sum(sqrt(max(self._needs(part), 1)) for part in parts if part not in self.values)

    def _needs(self, part: Hashable) -> int:
        return 1 + self._moves.moves(part) + _OF_A_VALUE * max(self._solver.fact(part), 0)

    def _listed(self, parts: Summands) -> int | None:
        total = 0
        for part in parts:
            if (value := self.values.get(part)) is None:
                return None
            total ^= value
        return total

    def _total(self, parts: Summands) -> int | None:
        total = 0
        for part in parts:
            if (value := self._solver.fact(part)) < 0:
                return None
            total ^= value
        return total
