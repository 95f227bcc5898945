"""The nimber search by proof numbers: first what seems to need the fewest positions to be decided.

Of each couple two numbers are known: how many positions at least must be decided yet until it is won, and until it is
lost. Won it is by one move to a couple that is lost, so the first number is the least of the second numbers of its
moves; lost it is if all moves lead to won couples, so the second follows from all their first numbers. The search goes
depth first to the position that both numbers hang on, and stays below a couple while this is so. Of a sum the values
of all components but one are needed, in whatever way they come out: both its numbers are the sum of what they need.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count

import numpy as np

from graphgame.rules.ruleset import Ruleset
from graphgame.rules.texts import TextRuleset
from graphgame.theory.search.couples import CoupleSearch, Lines
from graphgame.theory.search.limits import Allowance, ValueTooLargeError
from graphgame.theory.search.proof_loops import LARGEST_NIMBER
from graphgame.theory.search.solver import UNKNOWN, Facts, Solver, Summands

__all__ = ["ProofNumberSolver"]

_OVER = "!"
"""The text of no component, which has no number."""


class ProofNumberSolver:
    """A nimber search among the positions of one ruleset, by proof numbers: see :class:`Solver`, whose place it takes.

    The texts of a :class:`TextRuleset` are taken as they are; positions of others are numbered.

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

    def __init__(self, name: str, ruleset: Ruleset, allowance: Allowance) -> None:
        self._ruleset = ruleset
        self._moves = Solver(name, ruleset, allowance)
        self._search = CoupleSearch(self._options, self._position, allowance)
        self._numbers: dict[Hashable, int] = {}
        self._places: dict[Hashable, int] = {}
        self._met: list[Hashable] = []

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        total = 0
        for part in self._moves.parts(positions):
            total ^= next(nimber for nimber in count() if self.has_value([part], nimber))
        return total

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Tell whether a sum of positions has a Grundy value: whether it is lost beside a heap of this size."""
        parts = self._moves.parts(positions)
        try:
            if nimber <= LARGEST_NIMBER:
                return self._search.is_lost(self._lines([parts]), nimber)
        except ValueTooLargeError:
            pass
        return self._moves.has_value(parts, nimber)

    @property
    def facts(self) -> Facts:
        """What is known of each position, as :attr:`Solver.facts` has it."""
        return self._moves.facts | {self._position(text): fact for text, fact in self._search.facts().items()}

    def fact(self, position: Hashable) -> int:
        """Return what is known of a canonical position."""
        return 0 if self._text(position) == _OVER else self._search.fact(self._number(position))

    def keep(self, position: Hashable, fact: int) -> None:
        """Write down a fact about a canonical position, unless it is of a value that there is no room for."""
        has_room = fact <= LARGEST_NIMBER and (~fact).bit_length() <= LARGEST_NIMBER
        if has_room and self._text(position) != _OVER:
            self._search.keep(self._number(position), fact)

    def _options(self, text: bytes) -> Lines:
        if isinstance(self._ruleset, TextRuleset):
            return self._ruleset.option_lines(np.frombuffer(bytearray(text), np.uint8))
        position = self._position(text)
        if (told := self._moves.told(position)) != UNKNOWN:
            self.keep(position, told)
        return self._lines(self._moves.options(position))

    def _lines(self, sums: Sequence[Summands]) -> Lines:
        """Return sums of canonical positions, a line each."""
        text = "".join("".join(map(self._text, parts)) + "\n" for parts in sums)
        weights = [self._moves.moves(part) for parts in sums for part in parts]
        return np.frombuffer(bytearray(text, "latin-1"), np.uint8), np.array(weights, np.int64)

    def _text(self, position: Hashable) -> str:
        """Return a text that tells a position: of those without texts its place among all that were met."""
        if isinstance(self._ruleset, TextRuleset):
            return str(position)
        place = self._places.setdefault(position, len(self._met))
        if place == len(self._met):
            self._met.append(position)
            if (told := self._moves.fact(position)) != UNKNOWN:
                self.keep(position, told)
        return f"{place}!"

    def _position(self, text: bytes) -> Hashable:
        return text.decode("latin-1") if isinstance(self._ruleset, TextRuleset) else self._met[int(text[:-1])]

    def _number(self, position: Hashable) -> int:
        number = self._numbers.get(position)
        if number is None:
            text = self._text(position).encode("latin-1")
            number = self._numbers[position] = self._search.number(text, self._moves.moves(position))
        return number
