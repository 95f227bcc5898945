"""The nimber search by proof numbers: first what seems to need the fewest positions to be decided.

Of each couple two numbers are known: how many positions at least must be decided yet until it is won, and until it is
lost. Won it is by one move to a couple that is lost, so the first number is the least of the second numbers of its
moves; lost it is if all moves lead to won couples, so the second is the sum of their first numbers. The search goes
depth first to the position that both numbers hang on, and stays below a couple while this is so. Of a sum the values
of all components but one are needed, in whatever way they come out: both its numbers are the sum of what they need.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from typing import NamedTuple

from graphgame.theory.search.solver import Solver, Summands

__all__ = ["ProofNumberSolver"]

_NEVER = 1 << 60
"""The number of positions that decide what is decided otherwise."""

_PATIENCE = 10_000
"""Positions that are looked at depth first before: an answer that they have is there sooner."""

_WON, _LOST = (0, _NEVER), (_NEVER, 0)

_Numbers = tuple[int, int]


class _TooLongError(Exception):
    """The search depth first takes long."""


class _Limits(NamedTuple):
    """How long a search stays below a couple: while its numbers are below the first two.

    The lesser of the two, each with what else its side needs, must be below the last as well.
    """

    won: int = _NEVER
    lost: int = _NEVER
    won_besides: int = 0
    lost_besides: int = 0
    either: int = _NEVER

    def hold(self, won: int, lost: int) -> bool:
        either = min(won + self.won_besides, lost + self.lost_besides)
        return 0 < won < self.won and 0 < lost < self.lost and either < self.either


class _Question:
    """A sum beside a heap that is being looked at: of one component with its moves that are not decided."""

    def __init__(self, parts: Summands, nimber: int, limits: _Limits) -> None:
        self.parts = parts
        self.nimber = nimber
        self.limits = limits
        self.numbers: _Numbers = (1, 1)
        self.moves: list[tuple[Summands, int]] = []
        self.won: list[int] = []
        self.lost: list[int] = []
        self.chosen = 0
        self.entered = False
        self.before: int | None = None


class ProofNumberSolver(Solver):
    """A nimber search among the positions of one ruleset, by proof numbers if it takes long: see :class:`Solver`.

    References
    ----------
    T. Čížek, M. Balko, M. Schmid, Massively parallel proof-number search for impartial games and beyond (2025).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> from graphgame.theory.search.limits import Allowance
    >>> solver = ProofNumberSolver("sprouts", ruleset("sprouts"), Allowance(1000))
    >>> solver.value(["0.0.0!", "0.0!"]), solver.has_value(["0.0.0!"], 0)
    (1, False)
    """

    _numbers: dict[tuple[Summands, int], _Numbers]
    _patience = _PATIENCE

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        total = 0
        for part in self.parts(positions):
            total ^= next(nimber for nimber in count() if self.has_value([part], nimber))
        return total

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Tell whether a sum of positions has a Grundy value: whether it is lost beside a heap of this size."""
        if self._patience > 0:
            try:
                return super().has_value(positions, nimber)
            except _TooLongError:
                pass  # what was proved so far serves both
        self._patience = -1
        self._numbers = self.__dict__.get("_numbers", {})
        self._path = {}
        stack = [self._opened(_Question(self.parts(positions), nimber, _Limits()))]
        while True:
            question = stack[-1]
            if question.limits.hold(*question.numbers):
                stack.append(self._opened(self._chosen(question)))
                continue
            self._close(stack.pop())
            if not stack:
                return question.numbers == _LOST
            self._update(stack[-1])

    def _expanded(self, position: Hashable) -> list[Summands]:
        self._patience -= position not in self.facts
        if self._patience == 0:
            raise _TooLongError
        return super()._expanded(position)

    def _opened(self, question: _Question) -> _Question:
        question.parts, question.nimber = self._open_parts(question.parts, question.nimber)
        if len(question.parts) == 1:
            self._open_couple(question, question.parts[0])
        else:
            self._count_sum(question)
        return question

    def _open_couple(self, question: _Question, position: Hashable) -> None:
        nimber, options = question.nimber, self._expanded(position)
        unknown = self._look(position, options)
        if nimber > len(options) and self.facts[position] < 0:
            self.facts[position] &= ~(1 << nimber)
        decided = self._decided(position, nimber)
        if decided is not None:
            question.numbers = decided
            return
        question.before, question.entered = self._enter(position, nimber), True
        for move in [*((parts, nimber) for parts in unknown), *(((position,), heap) for heap in range(nimber))]:
            numbers = self._numbers_of(*move)
            if numbers != _WON:
                question.moves.append(move)
                question.won.append(numbers[0])
                question.lost.append(numbers[1])
        self._count_moves(question)

    def _update(self, question: _Question) -> None:
        """Count again after the move that was chosen was looked at."""
        if not question.moves:
            self._opened(question)
            return
        chosen = question.chosen
        question.won[chosen], question.lost[chosen] = numbers = self._numbers_of(*question.moves[chosen])
        if numbers == _WON:
            del question.moves[chosen], question.won[chosen], question.lost[chosen]
        self._count_moves(question)

    def _count_moves(self, question: _Question) -> None:
        position, nimber = question.parts[0], question.nimber
        question.numbers = min(question.lost, default=_NEVER), min(sum(question.won), _NEVER)
        if question.numbers[0] == 0:
            question.numbers = _WON
            if self.facts[position] < 0:
                self.facts[position] &= ~(1 << nimber)
        elif not question.moves:
            self.facts[position] = nimber

    def _count_sum(self, question: _Question) -> None:
        if not question.parts:
            question.numbers = _WON if question.nimber else _LOST
            return
        needed = sum(min(self._numbers_of((part,), self._least(part))) for part in question.parts)
        question.numbers = needed, needed

    def _chosen(self, question: _Question) -> _Question:
        """Return the move that both numbers hang on, or the smallest component, with the limits that follow."""
        (won, lost), limits = question.numbers, question.limits
        if not question.moves:
            part = min(question.parts, key=self.moves)
            nimber = self._least(part)
            spare = min(limits.won, limits.lost, limits.either - min(limits.won_besides, limits.lost_besides)) - won
            return _Question((part,), nimber, _Limits(either=min(self._numbers_of((part,), nimber)) + spare))
        question.chosen = chosen = question.lost.index(won)
        own = question.won[chosen]
        second = min((*question.lost[:chosen], *question.lost[chosen + 1 :]), default=_NEVER)
        follow = _Limits(
            limits.lost - lost + own,
            min(limits.won, second + 1),
            limits.lost_besides + lost - own,
            limits.won_besides,
            limits.either,
        )
        return _Question(*question.moves[chosen], follow)

    def _close(self, question: _Question) -> None:
        """Keep the numbers of a question that is not decided."""
        if question.entered:
            self._leave(question.parts[0], question.before)
        if question.numbers not in (_WON, _LOST):
            self._numbers[question.parts, question.nimber] = question.numbers

    def _numbers_of(self, parts: Summands, nimber: int) -> _Numbers:
        """Return the numbers of a sum beside a heap, as far as they are known."""
        parts, nimber = self._open_parts(parts, nimber)
        if not parts:
            return _WON if nimber else _LOST
        decided = self._decided(parts[0], nimber) if len(parts) == 1 else None
        return decided or self._numbers.get((parts, nimber)) or (len(parts), len(parts))

    def _open_parts(self, parts: Summands, nimber: int) -> tuple[Summands, int]:
        """Return the components whose values are not known, and the heap beside which they are with the others."""
        known = self.facts.get
        left = []
        for part in parts:
            if (fact := known(part, -1)) < 0:
                left.append(part)
            else:
                nimber ^= fact
        return (parts if len(left) == len(parts) else tuple(left)), nimber

    def _decided(self, position: Hashable, nimber: int) -> _Numbers | None:
        fact = self.fact(position)
        if fact >= 0:
            return _LOST if fact == nimber else _WON
        return _WON if ~fact >> nimber & 1 else None

    def _least(self, position: Hashable) -> int:
        """Return the least value that a position may have."""
        fact = self.fact(position)
        return (fact & -fact).bit_length() - 1
