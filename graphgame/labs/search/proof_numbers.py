"""The nimber search by proof numbers: first what seems to need the fewest positions to be decided.

Of each couple two numbers are known: how many positions at least must be decided yet until it is won, and until it is
lost. Won it is by one move to a couple that is lost, so the first number is the least of the second numbers of its
moves; lost it is if all moves lead to won couples, so the second follows from all their first numbers. The search goes
depth first to the position that both numbers hang on, and stays below a couple while this is so. Of a sum the values
of all components but one are needed, in whatever way they come out: both its numbers are the sum of what they need.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import count

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import COMPILED_FROM
from graphgame.errors import CycleError
from graphgame.labs.search.proof_loops import (
    ASKED,
    CYCLE,
    DECIDED,
    DEPTH,
    EXPAND,
    FACT,
    FRAME,
    FULL,
    LARGEST_NIMBER,
    NEVER,
    NUMBERS,
    OPEN,
    OPTIONS,
    POSITIONS,
    RESULT,
    ROW,
    TALLIES,
    TEXT,
    TEXTS,
    TOO_LARGE,
    UNDECIDED,
    Met,
    hash_loop,
    proof_loop,
    spread_loop,
    take_in_loop,
)
from graphgame.labs.search.solver import UNKNOWN, Allowance, Facts, Solver, Summands, ValueTooLargeError
from graphgame.rules.ruleset import Ruleset, TextRuleset

Lines = tuple[Array, Array]
"""Sums, a line each with the texts of its parts, and the weights of all parts in order."""

_PLAIN = 100
"""Positions that are looked at before compiled loops are loaded."""

_STEPS = 1 << 20


class CoupleSearch:
    """A search among positions that are told apart by texts, bytes that end in ``!``.

    Parameters
    ----------
    options : callable
        Returns the options of a text. What weighs less is looked at first.
    name_of : callable
        Returns the position that a text stands for.
    allowance : Allowance
        What may be spent.

    Notes
    -----
    Facts are as those of :class:`Solver`, and proved when they are written.
    """

    def __init__(
        self, options: Callable[[bytes], Lines], name_of: Callable[[bytes], Hashable], allowance: Allowance
    ) -> None:
        self._options_of = options
        self._name_of = name_of
        self._allowance = allowance
        self._texts = np.zeros(1 << 14, np.uint8)
        self._positions = np.zeros((1 << 9, ROW), np.int64)
        self._slots = np.zeros(1 << 10, np.int64)
        self._options = np.zeros(1 << 13, np.int32)
        self._numbers = np.zeros((1 << 9, 3), np.int64)
        self._frames = np.zeros((1 << 6, FRAME), np.int64)
        self._state = np.zeros(TALLIES, np.int64)
        self._asked = 0

    def is_lost(self, total: Lines, nimber: int) -> bool:
        """Tell whether a sum, the only line, is lost beside a heap."""
        state = self._state
        self._frames[0] = -1, nimber, self._take_in(total), NEVER, NEVER, 0, 0, NEVER
        state[DEPTH] = 0
        while True:
            loop = runner(proof_loop, self._size)
            status = loop(self._positions, self._options, self._numbers, self._frames, state, _STEPS)
            if status == DECIDED:
                return bool(state[RESULT])
            if status == EXPAND:
                self._open(int(state[OPEN]))
            elif status == FULL:
                self._grow()
            elif status == TOO_LARGE:
                raise ValueTooLargeError
            elif status == CYCLE:
                raise CycleError([self._name_of(text) for text in self._cycle()])
            else:
                self._allowance.look(int(state[DEPTH]), measured=True)

    def number(self, text: bytes, weight: int = 0) -> int:
        """Return the number of a position."""
        self._asked += 1
        start = self._take_in((np.frombuffer(text + b"\n", np.uint8), np.array([weight], np.int64)))
        return int(self._options[start + 1])

    def text(self, number: int) -> bytes:
        """Return the text of a position."""
        start, size = int(self._positions[number, TEXT]), 64
        while (end := (some := self._texts[start : start + size].tobytes()).find(b"!")) < 0:
            size *= 4
        return some[: end + 1]

    def fact(self, number: int) -> int:
        """Return what is known of a position."""
        return int(self._positions[number, FACT])

    def keep(self, number: int, fact: int) -> None:
        """Write down a fact about a position."""
        if self._positions[number, FACT] == UNDECIDED:
            self._allowance.keep()
        self._positions[number, FACT] = fact

    def facts(self) -> dict[bytes, int]:
        """Return what is known of all positions."""
        facts = self._positions[: self._state[POSITIONS], FACT]
        return {self.text(number): int(facts[number]) for number in np.flatnonzero(facts != UNDECIDED).tolist()}

    @property
    def depth(self) -> int:
        """How many questions wait for each other."""
        return int(self._state[DEPTH])

    @property
    def _size(self) -> int:
        """The size of the work that loops are chosen for."""
        return COMPILED_FROM if self._asked > _PLAIN else 0

    def _open(self, number: int) -> None:
        """Write down the options of a position."""
        self._allowance.look(self.depth, measured=True)
        total = self._options_of(self.text(number))
        if self._positions[number, FACT] == UNDECIDED:
            self._allowance.keep()
        self._take_in(total, number)
        self._allowance.visited += 1
        self._asked += 1

    def _take_in(self, total: Lines, number: int = -1) -> int:
        """Write down sums, the options of a position or of none; return where they are."""
        lines, weights = total
        state, size = self._state, len(lines)
        self._texts = _with_room(self._texts, int(state[TEXTS]) + size)
        self._options = _with_room(self._options, int(state[OPTIONS]) + size + 2)
        self._positions = _with_room(self._positions, int(state[POSITIONS]) + size // 2 + 1)
        if len(self._slots) < 2 * len(self._positions):
            self._slots = np.zeros(1 << (2 * len(self._positions) - 1).bit_length(), np.int64)
            runner(hash_loop, self._size)(self._met)
        seen = np.empty(1 << size.bit_length(), np.int64)
        loop = runner(take_in_loop, self._size)
        return loop(lines, weights, self._met, seen, self._options, number)

    @property
    def _met(self) -> Met:
        return Met(self._texts, self._positions, self._slots, self._state)

    def _grow(self) -> None:
        self._frames = _with_room(self._frames, int(self._state[DEPTH]) + 3)
        if 2 * self._state[NUMBERS] >= len(self._numbers):
            numbers = np.zeros((2 * len(self._numbers), 3), np.int64)
            runner(spread_loop, self._size)(self._numbers, numbers)
            self._numbers = numbers

    def _cycle(self) -> list[bytes]:
        """Return the positions of the cycle that the stack ends in."""
        path = [part for part in self._frames[: self._state[DEPTH] + 1, ASKED].tolist() if part >= 0]
        return [self.text(part) for part in dict.fromkeys(path[path.index(path[-1]) :])]


def _with_room(array: Array, rows: int) -> Array:
    """Return an array with so many rows at least: itself, or a copy of twice the size or more."""
    if len(array) >= rows:
        return array
    larger = np.zeros((max(2 * len(array), rows), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


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
    >>> from graphgame.labs.search.solver import Allowance
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
