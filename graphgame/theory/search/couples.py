"""The search by proof numbers among positions that are told apart by texts, and its tables, which grow."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from graphgame.arrays.compiling import Array, runner
from graphgame.arrays.engine import COMPILED_FROM
from graphgame.errors import CycleError
from graphgame.theory.search.limits import Allowance, ValueTooLargeError
from graphgame.theory.search.proof_loops import (
    ASKED,
    CYCLE,
    DECIDED,
    EXPAND,
    FRAME,
    FULL,
    NEVER,
    TOO_LARGE,
    proof_loop,
    spread_loop,
)
from graphgame.theory.search.proof_table import (
    DEPTH,
    FACT,
    NUMBERS,
    OPEN,
    OPTIONS,
    POSITIONS,
    RESULT,
    ROW,
    TALLIES,
    TEXT,
    TEXTS,
    UNDECIDED,
    hash_loop,
    take_in_loop,
)

__all__ = ["CoupleSearch", "Lines"]

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
            runner(hash_loop, self._size)(self._texts, self._positions, self._slots, state)
        seen = np.empty(1 << size.bit_length(), np.int64)
        loop = runner(take_in_loop, self._size)
        return loop(lines, weights, self._texts, self._positions, self._slots, seen, self._options, state, number)

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
