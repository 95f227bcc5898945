"""Sets of tuples of numbers, each read digit by digit by a finite automaton: what checks the proofs of laws.

It shares nothing with :mod:`graphgame.theory.laws`, which finds them, and is plain Python, made to be read. Numbers are
written to a base, or as sums of the weights W(n) = a W(n-1) + b W(n-2): for a = b = 1 Zeckendorf's sums of Fibonacci
numbers. The most significant digit comes first, and zeros before it make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from graphgame.errors import LimitError, OptionError

_MOST_STATES = 50_000

Symbol = tuple[int, ...]
State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class DigitSystem:
    """How numbers are written: to a base, or by the recurrence of a and b; ``base`` or ``a`` is 0.

    W(0) is 1. With b above 0, W(1) is a + 1, and after a digit a comes one below b. With b below 0, W(1) is a, and
    after a digit a-1 and any number of digits a+b-1 comes none above a+b-1. Then a word of r digits is less than W(r).

    >>> DigitSystem(a=1).number([1, 0, 1, 0, 0]), DigitSystem(a=4, b=-1).word(14)
    (11, [0, 3, 2])
    """

    base: int = 0
    a: int = 0
    b: int = 1

    @property
    def count(self) -> int:
        """How many digits there are."""
        return self.base or self.a + (self.b > 0)

    def read(self, state: tuple[int, int], digit: int) -> tuple[int, int]:
        """Return u and v of the value u W(r) + b v W(r-1) after one more digit, where r are left to be read."""
        u, v = state
        return (self.base * u + digit, 0) if self.base else (self.a * u + self.b * v + digit, u)

    def value(self, state: tuple[int, int]) -> int:
        """Return the value where no digit is left: b W(-1) is W(1) - a."""
        u, v = state
        return u if self.base else u + (self.count - self.a) * v

    def lies_above(self, state: tuple[int, int], bound: int) -> bool:
        """Tell whether u W(r) + b v W(r-1) surely is above a bound, 0 or more, for all r.

        With b above 0 it obeys the recurrence, and is above for all r where it is for r = 0 and r = 1. With b below 0,
        W(r-1) / W(r) grows from 0 and stays below 1 / (a + b): it is linear in that, and W(r) is at least 1.
        """
        u, v = state
        if self.base:
            return u > bound
        if self.b > 0:
            return min(u + v, (self.a + 1) * u + self.b * v) > bound
        return u > bound and (u - bound) * (self.a + self.b) + self.b * v > 0

    def full_after(self, full: bool, digit: int) -> bool | None:
        """Return whether the digits so far are as large as can be, None if larger, where those before were or not."""
        if self.base:
            return False
        limit = self.b - 1 if self.b > 0 else self.a + self.b - 1
        if full and digit > limit:
            return None
        return digit == self.count - 1 or (full and self.b < 0 and digit == limit)

    def number(self, word: Collection[int]) -> int:
        """Return the number of a word."""
        state = (0, 0)
        for digit in word:
            state = self.read(state, digit)
        return self.value(state)

    def word(self, number: int) -> list[int]:
        """Return the digits of a number."""
        weights = [1]
        while weights[-1] <= number:
            weights.append(self.number([1] + [0] * len(weights)))
        digits = []
        for weight in reversed(weights):
            digit, number = divmod(number, weight)
            digits.append(digit)
        return digits


@dataclass(frozen=True)
class DigitSet:
    """A set of tuples of numbers.

    Attributes
    ----------
    digits : DigitSystem
    tracks : tuple of str
        The names of the numbers, sorted.
    table : list of dict
        For each state the state after each symbol, which has a digit of each track; the first state is the start.
    accepting : frozenset of int
        The states in which a tuple of the set ends.

    Examples
    --------
    >>> larger = linear_set(DigitSystem(base=2), {"a": 1, "b": -2}, -1, {1})  # a > 2 b + 1
    >>> larger.has(a=8, b=3), larger.has(a=7, b=3), larger.example()
    (True, False, {'a': 2, 'b': 0})
    """

    digits: DigitSystem
    tracks: tuple[str, ...]
    table: list[dict[Symbol, int]]
    accepting: frozenset[int]

    def __and__(self, other: DigitSet) -> DigitSet:
        return _joined(self, other, lambda one, two: one and two)

    def __or__(self, other: DigitSet) -> DigitSet:
        tracks = tuple(sorted({*self.tracks, *other.tracks}))
        return _joined(self, other, lambda one, two: one or two) & every_tuple(self.digits, tracks)

    def minus(self, other: DigitSet) -> DigitSet:
        """Return the tuples of this set that are not in the other."""
        return _joined(self, other, lambda one, two: one and not two)

    def without(self, tracks: Collection[str]) -> DigitSet:
        """Return the tuples that some numbers in the place of these complete to a tuple of the set."""
        found = self
        for track in tracks:
            found = found._without(track)
        return found

    def named(self, names: Mapping[str, str]) -> DigitSet:
        """Return the set with other names for its numbers."""
        given = [names.get(track, track) for track in self.tracks]
        order = sorted(range(len(given)), key=given.__getitem__)
        table = [{tuple(symbol[place] for place in order): end for symbol, end in row.items()} for row in self.table]
        return DigitSet(self.digits, tuple(sorted(given)), table, self.accepting)

    def has(self, **numbers: int) -> bool:
        """Tell whether a tuple is in the set."""
        words = [self.digits.word(numbers[track]) for track in self.tracks]
        longest = max(map(len, words), default=0)
        state = 0
        for symbol in zip(*([0] * (longest - len(word)) + word for word in words), strict=True):
            state = self.table[state][symbol]
        return state in self.accepting

    def example(self) -> dict[str, int] | None:
        """Return a tuple of the set with the fewest digits; None if there is none."""
        words: dict[int, tuple[Symbol, ...]] = {0: ()}
        queue = [0]
        for state in queue:
            word = words[state]
            if state in self.accepting:
                return {
                    track: self.digits.number([symbol[place] for symbol in word])
                    for place, track in enumerate(self.tracks)
                }
            for symbol, end in self.table[state].items():
                if end not in words:
                    words[end] = (*word, symbol)
                    queue.append(end)
        return None

    def _without(self, track: str) -> DigitSet:
        place = self.tracks.index(track)
        tracks = self.tracks[:place] + self.tracks[place + 1 :]

        def after(states: frozenset[int], symbol: Symbol) -> frozenset[int]:
            longer = [(*symbol[:place], digit, *symbol[place:]) for digit in range(self.digits.count)]
            return frozenset(self.table[state][each] for state in states for each in longer)

        start, zeros = frozenset([0]), (0,) * len(tracks)
        while not (grown := after(start, zeros)) <= start:
            start |= grown
        return set_from(self.digits, tracks, start, after, lambda states: not self.accepting.isdisjoint(states))


def every_tuple(digits: DigitSystem, tracks: tuple[str, ...]) -> DigitSet:
    """Return all tuples of numbers: words whose digits are nowhere larger than the numeration allows."""

    def after(full: tuple[bool, ...] | None, symbol: Symbol) -> tuple[bool, ...] | None:
        if full is None:
            return None
        found = [digits.full_after(was, digit) for was, digit in zip(full, symbol, strict=True)]
        kept = tuple(each for each in found if each is not None)
        return kept if len(kept) == len(found) else None

    start: tuple[bool, ...] | None = (False,) * len(tracks)
    return set_from(digits, tracks, start, after, lambda full: full is not None)


def linear_set(digits: DigitSystem, factors: Mapping[str, int], constant: int, signs: Collection[int]) -> DigitSet:
    """Return the tuples for which the sum of their multiples and a constant has one of some signs: -1, 0, 1."""
    tracks = tuple(sorted(factors))
    most = sum(map(abs, factors.values()))

    def after(state: tuple[int, int] | int, symbol: Symbol) -> tuple[int, int] | int:
        if isinstance(state, int):
            return state
        u, v = digits.read(state, sum(factors[track] * digit for track, digit in zip(tracks, symbol, strict=True)))
        # What is left to read is less than W(r) in each number.
        for sign in (1, -1):
            if digits.lies_above((sign * u - most, sign * v), abs(constant)):
                return sign
        return u, v

    def accepts(state: tuple[int, int] | int) -> bool:
        total = state if isinstance(state, int) else digits.value(state) + constant
        return (total > 0) - (total < 0) in signs

    start: tuple[int, int] | int = (0, 0)
    return set_from(digits, tracks, start, after, accepts) & every_tuple(digits, tracks)


def xor_set(one: str, two: str, result: str) -> DigitSet:
    """Return the numbers to base 2 of which the third is the nim-sum of the others."""
    tracks = tuple(sorted((one, two, result)))
    return set_from(
        DigitSystem(base=2), tracks, True, lambda even, symbol: even and sum(symbol) % 2 == 0, lambda even: even is True
    )


def parity_set(number: str, result: str) -> DigitSet:
    """Return the numbers with 1 where they have oddly many binary ones, else with 0."""

    def after(state: tuple[int, int] | None, one: int, said: int) -> tuple[int, int] | None:
        return None if state is None or state[1] else (state[0] ^ one, said)

    return _of_two(number, result, (0, 0), after, lambda state: state is not None and state[0] == state[1])


def _of_two(
    number: str,
    result: str,
    start: tuple[int, int],
    after: Callable[[Any, int, int], Any],
    accepts: Callable[[Any], bool],
) -> DigitSet:
    tracks = tuple(sorted((number, result)))
    place = tracks.index(number)
    return set_from(
        DigitSystem(base=2),
        tracks,
        start,
        lambda state, symbol: after(state, symbol[place], symbol[1 - place]),
        accepts,
    )


def last_digit_set(digits: DigitSystem, whole: str, part: str) -> DigitSet:
    """Return the numbers of which the second has the last digit of the first that is not 0, and no other digit."""
    tracks = tuple(sorted((whole, part)))

    def after(state: str, symbol: Symbol) -> str:
        read, kept = symbol if tracks == (whole, part) else symbol[::-1]
        if kept:
            return "ended" if kept == read and state in ("empty", "begun") else "wrong"
        return {"empty": "begun", "ended": "wrong"}.get(state, state) if read else state

    ends = set_from(digits, tracks, "empty", after, lambda state: state in ("empty", "ended"))
    return ends & every_tuple(digits, tracks)


def table_set(record: Mapping[str, Any], tracks: tuple[str, ...]) -> DigitSet:
    """Return the set of an automaton that a file has.

    Its table has the state after each symbol, where symbols are numbered by their digits, those of the first track
    counting 1, of the second as many as there are digits, and so on.

    Raises
    ------
    OptionError
        The record is no automaton over these tracks, or one for which zeros before a number make a difference.
    """
    digits = _system(str(record.get("numeration")))
    table: Any = record.get("table")
    accepting: Any = record.get("accepting")
    if digits is None or tuple(record.get("tracks", ())) != tracks:
        raise OptionError("no automaton over {tracks} in a known numeration", ", ".join(tracks))
    symbols = digits.count ** len(tracks)
    if not _is_table(table, symbols) or not _are_states(accepting, len(table)):
        raise OptionError("no table of an automaton: expected for each state {symbols} states", symbols)

    def after(state: int, symbol: Symbol) -> int:
        end: int = table[state][sum(digit * digits.count**place for place, digit in enumerate(symbol))]
        return end

    found = set_from(digits, tracks, 0, after, set(accepting).__contains__)
    if found.table[0][(0,) * len(tracks)]:
        raise OptionError("an automaton for which zeros before a number make a difference")
    return found & every_tuple(digits, tracks)


def _system(name: str) -> DigitSystem | None:
    """Return how numbers are written by a name such as base 3, Fibonacci, Fibonacci 2 or Fibonacci 4,-1."""
    read = re.fullmatch(r"base ([0-9]{1,2})|Fibonacci(?: ([0-9]{1,2})(?:,(-?[0-9]{1,2}))?)?", name)
    if read is None:
        return None
    if read[1]:
        return DigitSystem(base=int(read[1])) if 2 <= int(read[1]) <= 16 else None
    a, b = int(read[2] or 1), int(read[3] or 1)
    return DigitSystem(a=a, b=b) if 1 <= a <= 15 and (0 < b <= a or 2 - a <= b < 0) else None


def _is_table(table: Any, symbols: int) -> bool:  # noqa: ANN401
    rows = isinstance(table, list) and 0 < len(table) <= _MOST_STATES
    return rows and all(_are_states(row, len(table)) and len(row) == symbols for row in table)


def _are_states(numbers: Any, count: int) -> bool:  # noqa: ANN401
    return isinstance(numbers, list) and all(type(number) is int and 0 <= number < count for number in numbers)


def _joined(one: DigitSet, two: DigitSet, operation: Callable[[bool, bool], bool]) -> DigitSet:
    tracks = tuple(sorted({*one.tracks, *two.tracks}))
    first, second = ([tracks.index(track) for track in each.tracks] for each in (one, two))

    def after(pair: tuple[int, int], symbol: Symbol) -> tuple[int, int]:
        left = one.table[pair[0]][tuple(symbol[place] for place in first)]
        return left, two.table[pair[1]][tuple(symbol[place] for place in second)]

    def accepts(pair: tuple[int, int]) -> bool:
        return operation(pair[0] in one.accepting, pair[1] in two.accepting)

    return set_from(one.digits, tracks, (0, 0), after, accepts)


def set_from(
    digits: DigitSystem,
    tracks: tuple[str, ...],
    start: State,
    after: Callable[[State, Symbol], State],
    accepts: Callable[[State], bool],
) -> DigitSet:
    """Return the set of an automaton that is given by its start and its steps, with the fewest states."""
    symbols = list(product(range(digits.count), repeat=len(tracks)))
    numbers: dict[State, int] = {start: 0}
    states, rows = [start], []
    for state in states:
        row = []
        for symbol in symbols:
            end = after(state, symbol)
            if end not in numbers:
                numbers[end] = len(states)
                states.append(end)
            row.append(numbers[end])
        rows.append(row)
        if len(states) > _MOST_STATES:
            raise LimitError("an automaton has more than {most:,} states", _MOST_STATES, limit="states")
    good = [accepts(state) for state in states]
    kinds = _kinds(rows, good)
    table = [[kinds[end] for end in rows[kinds.index(kind)]] for kind in range(max(kinds) + 1)]
    accepting = frozenset(kind for kind, is_good in zip(kinds, good, strict=True) if is_good)
    return DigitSet(digits, tracks, [dict(zip(symbols, row, strict=True)) for row in table], accepting)


def _kinds(rows: list[list[int]], good: list[bool]) -> list[int]:
    """Return a number for each state, the same for those from which the same words are accepted; 0 for the first."""
    kinds, count = list(map(int, good)), 0
    while len(set(kinds)) > count:
        count = len(set(kinds))
        looks = [(kinds[state], *[kinds[end] for end in row]) for state, row in enumerate(rows)]
        numbers: dict[tuple[int, ...], int] = {}
        kinds = [numbers.setdefault(look, len(numbers)) for look in looks]
    return kinds
