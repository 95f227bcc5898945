"""Sets of tuples of numbers that a finite automaton recognises.

The automaton reads the digits of all numbers at the same time, the most significant ones first. The sets include the
triples (a, b, a + b), and are closed under union, complement and projection. So automata can decide whether a statement
made of sums, comparisons, "and", "or", "not" and quantifiers is true for all numbers (Büchi 1960; for the digits of a
:class:`Numeration`, Frougny 1992).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import Any, TypeVar

import numpy as np

from graphgame.errors import LimitError, Message, ParameterError
from graphgame.labs.records import fits, natural

_TOO_LARGE = 1 << 63
"""Numbers of this size or more need Python's integers instead of 64 bits."""

_MOST_DIGITS = 16
_NUMBERS_OF_NAME = re.compile("[0-9]{1,2}(,-?[0-9]{1,2})?")

State = TypeVar("State", bound=Hashable)
Remainder = tuple[int, int]
"""A pair (u, w) that stands for the digits read so far, from the most significant digit on.

If r more digits follow, the digits read so far are worth u W(r) + b w W(r-1). The weights W and the number b are those
of the :class:`Numeration`.
"""


class Numeration:
    """A numeration system in which automata can add and compare numbers.

    The weights of the digits are W(n) = a W(n-1) + b W(n-2). There are three cases:

    * b = 0: ordinary digits to the base a.
    * 1 <= b <= a: the weights begin with 1 and a + 1, digits are 0..a, and after a digit a the next one is below b. For
      a = b = 1 these are Zeckendorf's sums of Fibonacci numbers.
    * 2 - a <= b < 0: the weights begin with 1 and a, and digits are 0..a-1. Let d = a + b - 1. After a digit a - 1, and
      any number of digits d that follow it, the next digit is at most d.

    The ratio of weights tends to the root above 1 of x**2 = a x + b; the other root is below 1 in absolute value. This
    is why automata can add (Frougny 1992).

    Attributes
    ----------
    name : str
        The argument for which :func:`numeration_of` returns this numeration.
    digits : int
        The number of different digits.
    follows : ndarray of int, shape (states, digits)
        An automaton for the valid words: the state after each digit, or -1 if the digit is not allowed. The first state
        is the start; a word may end in every state.

    Examples
    --------
    >>> Numeration(2, 0).words(np.array([6]), 4)[:, 0].tolist()
    [0, 1, 1, 0]
    >>> Numeration(1, 1).words(np.array([11]), 5)[:, 0].tolist()
    [1, 0, 1, 0, 0]
    >>> Numeration(4, -1).weights(5)
    [1, 4, 15, 56, 209]
    """

    def __init__(self, a: int, b: int) -> None:
        self.a, self.b = a, b
        factors = f"{a},{b}" if b != 1 else f"{a}" if a != 1 else ""
        self.name = Message("Fibonacci {factors}", factors) if factors else Message("Fibonacci")
        self.digits = a + (b > 0)
        if not b:
            self.name, self.follows = Message("base {base}", a), np.zeros((1, a), np.int32)
            return
        # State 0: any digit may follow, and the largest digit leads to state 1. State 1: a digit below ``lower`` may
        # follow, and leads to state 0. If b < 0, the digit ``lower`` may follow, too, and the state stays 1.
        lower = b if b > 0 else self.digits + b - 1
        rest = self.digits - lower
        after = [0] * lower + ([-1] * rest if b > 0 else [1] + [-1] * (rest - 1))
        self.follows = np.array([[0] * (self.digits - 1) + [1], after], np.int32)

    def weights(self, length: int) -> list[int]:
        """Return the weights of the last ``length`` digits of a word, the smallest weight first."""
        weights = [1, self.digits]
        while len(weights) < length:
            weights.append(self.a * weights[-1] + self.b * weights[-2])
        return weights[:length]

    def step(self, read: Remainder, digit: int) -> Remainder:
        """Return the :data:`Remainder` (u, w) after one more ``digit``; ``read`` is the pair before this digit.

        For a linear combination of numbers, ``digit`` is the same combination of their next digits.
        """
        # If b = 0, the second number w has no effect. It stays 0, so that there are finitely many states.
        return self.a * read[0] + self.b * read[1] + digit, read[0] if self.b else 0

    def sign(self, read: Remainder, most: int, constant: int) -> int:
        """Return the sign of a linear form, 1 or -1, if no further digits of its numbers can change it; otherwise 0.

        The form is c1 n1 + c2 n2 + ... + ``constant``, for numbers n1, n2, ... of which the first digits are known.
        ``read`` is the :data:`Remainder` (u, w) of c1 n1 + c2 n2 + ..., and ``most`` is abs(c1) + abs(c2) + ...

        r further digits change the form by less than ``most`` times W(r). So it is positive if
        (u - most) W(r) + b w W(r-1) is above abs(constant) for every r. If b > 0, it is enough to test r = 0 and r = 1:
        the recurrence keeps a sequence above such a bound. Otherwise divide by W(r): the result is a linear function of
        W(r-1) / W(r), which is between 0 and 1 / (a + b). It is enough to test this function at both ends.
        """
        # For the sign -1, negate the pair and test whether the result stays positive.
        for sign in (1, -1):
            u, w = sign * read[0] - most, sign * read[1]
            ends = (u + w, self.digits * u + self.b * w) if self.b > 0 else (u, u + self.b * w // (self.a + self.b))
            if min(ends) > abs(constant):
                return sign
        return 0

    def total(self, read: Remainder) -> int:
        """Return the number that a :data:`Remainder` (u, w) is worth when no more digits follow.

        It is u W(0) + b w W(-1): u + w if b > 0, because then b W(-1) is 1, otherwise u.
        """
        return sum(read) if self.b > 0 else read[0]

    def words(self, numbers: np.ndarray, length: int) -> np.ndarray:
        """Return the digits of each number, the most significant first; no number may have more than ``length`` digits.

        Returns
        -------
        ndarray of int8, shape (length, *numbers.shape)
        """
        # The weight of the digit before the last ``length`` digits is above all numbers of ``length`` digits.
        *weights, bound = self.weights(length + 1)
        rest = np.array(numbers, np.int64 if bound <= _TOO_LARGE else object)
        digits = np.empty((length, *rest.shape), np.int8)
        for index, weight in enumerate(reversed(weights)):
            digits[index], rest = rest // weight, rest % weight
        return digits

    def number(self, word: list[int]) -> int:
        """Return the number that a word of digits represents; its first digit is the most significant."""
        return sum(digit * weight for digit, weight in zip(reversed(word), self.weights(len(word)), strict=True))

    def length(self, number: int) -> int:
        """Return the number of digits of a number; 1 for the number 0."""
        length = 1
        while self.weights(length + 1)[-1] <= number:
            length += 1
        return length


def states_text(states: int, numeration: str) -> Message:
    """Return a phrase such as "5 states over base 2 digits"."""
    return Message("{states} states over {numeration} digits", states, numeration)


@cache
def numeration_of(name: str) -> Numeration:
    """Return a numeration by its name.

    Raises
    ------
    ParameterError
        No numeration has this name.

    Examples
    --------
    >>> numeration_of("base 3").digits, numeration_of("Fibonacci").weights(5), numeration_of("Fibonacci 2,2").weights(4)
    (3, [1, 2, 3, 5, 8], [1, 3, 8, 22])
    """
    kind, _, number = name.partition(" ")
    sizes = [int(each) for each in number.split(",")] if _NUMBERS_OF_NAME.fullmatch(number) else []
    if kind == "base" and len(sizes) == 1 and 2 <= sizes[0] <= _MOST_DIGITS:
        return Numeration(sizes[0], 0)
    if kind == "Fibonacci" and (sizes or not number):
        a, b = (*(sizes or [1]), 1)[:2]
        if 1 <= a < _MOST_DIGITS and (1 <= b <= a or 2 - a <= b < 0):
            return Numeration(a, b)
    raise ParameterError(
        "unknown numeration system {name!r}: expected one such as base 2, Fibonacci, or Fibonacci 4,-1 for the weights "
        "w(n) = 4*w(n - 1) - w(n - 2)",
        name,
    )


MOST_STATES = 100_000
"""Maximum number of states of an automaton before it is minimised."""

_MOST_READ = 50_000
"""Maximum number of states of an automaton in a file."""

_MOST_PAIRS = 50_000_000
"""Two automata are combined only if the product of their numbers of states is at most this."""

_MORE_DIGITS = 16
"""A missing number is searched for among numbers with up to this many digits more than the largest given number."""


@dataclass(frozen=True)
class Automaton:
    """A set of tuples of numbers, as the automaton that recognises it.

    Attributes
    ----------
    numeration : Numeration
    tracks : tuple of str
        The names of the numbers of a tuple, sorted.
    table : ndarray of int32, shape (states, symbols)
        The state after each symbol; the first state is the start. A symbol combines a digit of each track: the digit of
        the first track, plus ``digits`` times that of the second, and so on.
    accepting : ndarray of bool, shape (states,)
        Whether a tuple whose word ends in this state is in the set. Leading zeros make no difference.
    """

    numeration: Numeration
    tracks: tuple[str, ...]
    table: np.ndarray
    accepting: np.ndarray

    def __len__(self) -> int:
        return len(self.accepting)

    def __and__(self, other: Automaton) -> Automaton:
        if self.is_everything():
            return other
        return self if other.is_everything() else self._combined(other, np.logical_and)

    def __or__(self, other: Automaton) -> Automaton:
        if not self.accepting.any() and {*self.tracks} <= {*other.tracks}:
            return other
        return self._combined(other, np.logical_or)._of_valid_words()

    def is_everything(self) -> bool:
        """Return whether the set has no tracks and contains the empty tuple: ``&`` with it changes no other set."""
        return not self.tracks and bool(self.accepting[0])

    def minus(self, other: Automaton) -> Automaton:
        """Return the tuples of this set that are not in ``other``.

        If only one of the sets has a track, the other set counts as having every number on this track.
        """
        difference = self._combined(other, lambda one, two: one & ~two)
        # On a track that only the other set has, the difference may have words that are not valid numbers: remove them.
        return difference if {*other.tracks} <= {*self.tracks} else difference._of_valid_words()

    def differing(self, other: Automaton) -> dict[str, int] | None:
        """Return a tuple that only one set has, as a dict from tracks to numbers; None if the sets are equal."""
        return self._combined(other, np.not_equal)._of_valid_words().example()

    def renamed(self, names: Mapping[str, str]) -> Automaton:
        """Return the same set with its tracks renamed; tracks that are not in ``names`` keep their names."""
        tracks = [names.get(track, track) for track in self.tracks]
        order = tuple(sorted(tracks))
        columns = _columns(self.numeration.digits, order, tracks)
        return Automaton(self.numeration, order, self.table[:, columns], self.accepting)

    def contains(self, **numbers: np.ndarray | int) -> np.ndarray:
        """Return a boolean array: whether tuples are in the set. Each track gets a number or an array to broadcast."""
        if not self.tracks:
            return np.asarray(self.accepting[0])
        arrays = np.broadcast_arrays(*(np.asarray(numbers[track]) for track in self.tracks))
        length = self.numeration.length(max(int(each.max(initial=0)) for each in arrays))
        symbols = np.zeros((length, *arrays[0].shape), np.int64)
        for index, each in enumerate(arrays):
            symbols += self.numeration.words(each, length).astype(np.int64) * self.numeration.digits**index
        state = np.zeros(arrays[0].shape, np.int32)
        for symbol in symbols:
            state = self.table[state, symbol]
        inside: np.ndarray = self.accepting[state]
        return inside

    def record(self) -> dict[str, object]:
        """Return the automaton as a JSON object; ``accepting`` lists the accepting states."""
        return {
            "numeration": self.numeration.name,
            "tracks": self.tracks,
            "table": self.table.tolist(),
            "accepting": np.flatnonzero(self.accepting).tolist(),
        }

    def without(self, *tracks: str) -> Automaton:
        """Return the projection to the other tracks: every tuple loses its numbers on ``tracks``."""
        projection = self
        for track in tracks:
            projection = projection._projected(track)
        return projection

    def example(self) -> dict[str, int] | None:
        """Return a tuple with the fewest digits, as a dict from tracks to numbers; None if the set is empty."""
        # Breadth first: the first word that leads to a state is a shortest one.
        words: dict[int, list[int]] = {0: []}
        queue = [0]
        for state in queue:
            if self.accepting[state]:
                digits = self.numeration.digits
                return {
                    track: self.numeration.number([symbol // digits**index % digits for symbol in words[state]])
                    for index, track in enumerate(self.tracks)
                }
            for symbol, end in enumerate(self.table[state].tolist()):
                if end not in words:
                    words[end] = [*words[state], symbol]
                    queue.append(end)
        return None

    def completed(self, track: str, **numbers: int) -> int | None:
        """Return a number for ``track`` that completes ``numbers``, one for each other track, to a tuple of the set.

        The result is None if no number fits that has at most 16 digits more than the largest of ``numbers``.
        """
        known_tracks = [each for each in self.tracks if each != track]
        length = self.numeration.length(max(numbers.values())) + _MORE_DIGITS
        words = [self.numeration.words(np.asarray(numbers[each]), length) for each in known_tracks]
        digits = self.numeration.digits
        worth = [digits ** self.tracks.index(each) for each in known_tracks]
        step = digits ** self.tracks.index(track)
        alive, word_to = self.alive(), {0: [0]}
        for column in zip(*words, strict=True):
            read = sum(int(digit) * part for digit, part in zip(column, worth, strict=True))
            ends = [
                (int(self.table[state, read + digit * step]), [*word, digit])
                for state, word in word_to.items()
                for digit in range(digits)
            ]
            # Keep one word for each state, the first in ``ends``: a dictionary keeps the last of several equal keys.
            word_to = {state: word for state, word in reversed(ends) if alive[state]}
        return next((self.numeration.number(word) for state, word in word_to.items() if self.accepting[state]), None)

    def minimal(self) -> Automaton:
        """Return the automaton of the same set with the fewest states, numbered breadth first."""
        # Moore's algorithm. After k rounds two states are in the same class if no word of up to k symbols distinguishes
        # them. Classes only split, so when their number does not change, no word that is longer splits them either.
        classes = self.accepting.astype(np.int64)
        count = 0
        while True:
            rows = np.column_stack([classes, classes[self.table]])
            _, classes = np.unique(rows, axis=0, return_inverse=True)
            classes = classes.reshape(-1)
            if classes.max() + 1 == count:
                break
            count = int(classes.max()) + 1
        members = np.zeros(count, np.int64)
        members[classes] = np.arange(len(classes))
        rows, accepting = classes[self.table[members]].tolist(), self.accepting[members].tolist()
        start = int(classes[0])
        return explored(self.numeration, self.tracks, start, rows.__getitem__, accepting.__getitem__)

    def _combined(self, other: Automaton, operation: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Automaton:
        tracks = tuple(sorted({*self.tracks, *other.tracks}))
        digits = self.numeration.digits
        first = self.table[:, _columns(digits, tracks, self.tracks)].astype(np.int64)
        second = other.table[:, _columns(digits, tracks, other.tracks)].astype(np.int64)
        if len(first) * len(second) > _MOST_PAIRS:
            raise _too_large()
        # A pair of states is encoded as one number. Only reachable pairs get rows; each round adds those that one more
        # symbol reaches.
        number = np.full(len(first) * len(second), -1, np.int32)
        number[0] = 0
        pairs, frontier, rows, count = [np.zeros(1, np.int64)], np.zeros(1, np.int64), [], 1
        while len(frontier):
            ends = first[frontier // len(second)] * len(second) + second[frontier % len(second)]
            rows.append(ends)
            frontier = np.unique(ends)
            frontier = frontier[number[frontier] < 0]
            number[frontier] = np.arange(count, count + len(frontier))
            count += len(frontier)
            pairs.append(frontier)
            if count > MOST_STATES:
                raise _too_large()
        order = np.concatenate(pairs)
        accepting = operation(self.accepting[order // len(second)], other.accepting[order % len(second)])
        return Automaton(self.numeration, tracks, number[np.concatenate(rows)], accepting).minimal()

    def _of_valid_words(self) -> Automaton:
        """Return the set without tuples whose words are not valid in the numeration."""
        if len(self.numeration.follows) == 1:  # in an ordinary base every word is valid
            return self
        return self & valid(self.numeration, self.tracks)

    def _projected(self, track: str) -> Automaton:
        tracks = tuple(each for each in self.tracks if each != track)
        digits, index = self.numeration.digits, self.tracks.index(track)
        symbols = _columns(digits, tracks, self.tracks)
        groups = symbols[:, None] + np.arange(digits) * digits**index
        alive = self.alive()

        def after(states: np.ndarray, group: np.ndarray) -> np.ndarray:
            ends = np.unique(self.table[states][:, group])
            return np.extract(alive[ends], ends)

        # The removed number may have more digits than the remaining numbers. Then the remaining numbers begin with
        # zeros. So every state that can be reached while the remaining tracks read zeros is a start.
        start = np.zeros(1, np.int32)
        while len(grown := np.union1d(start, after(start, groups[0]))) > len(start):
            start = grown

        # The subset construction: a state is a set of states, as bytes. Dead states are dropped from the sets, so that
        # there are fewer sets.
        def ends(states: bytes) -> Iterator[bytes]:
            return (after(np.frombuffer(states, np.int32), group).tobytes() for group in groups)

        def accepts(states: bytes) -> bool:
            return bool(self.accepting[np.frombuffer(states, np.int32)].any())

        return explored(self.numeration, tracks, start.tobytes(), ends, accepts).minimal()

    def alive(self) -> np.ndarray:
        """Return for each state whether an accepting state can be reached from it."""
        alive = self.accepting
        while True:
            grown: np.ndarray = alive | alive[self.table].any(axis=1)
            if np.array_equal(grown, alive):
                return grown
            alive = grown


def linear(
    numeration: Numeration, coefficients: Mapping[str, int], constant: int, accepted: Collection[int]
) -> Automaton:
    """Return the tuples for which a linear form, a sum of multiples plus a constant, has an accepted sign.

    Parameters
    ----------
    numeration : Numeration
    coefficients : mapping of str to int
        The coefficient of each number.
    constant : int
    accepted : collection of int
        The accepted signs, out of -1, 0 and 1.

    Examples
    --------
    >>> from graphgame.labs.laws.automata import numeration_of
    >>> equal = linear(numeration_of("Fibonacci"), {"a": 1, "b": 1, "c": -1}, 0, {0})
    >>> bool(equal.contains(a=33, b=44, c=77)), bool(equal.contains(a=33, b=44, c=78))
    (True, False)
    """
    tracks = tuple(sorted(coefficients))
    most = sum(map(abs, coefficients.values()))
    sums = [
        sum(coefficients[track] * digit for track, digit in zip(tracks, reversed(symbol), strict=True))
        for symbol in product(range(numeration.digits), repeat=len(tracks))
    ]

    # A state is the Remainder of the digits read so far. When no further digits can change the sign of the form, the
    # state is this sign, an int. So there are finitely many states: all pairs far enough from 0 become a sign.
    def ends(state: Remainder | int) -> Iterator[Remainder | int]:
        for digit in sums:
            if isinstance(state, int):
                yield state
            else:
                read = numeration.step(state, digit)
                yield numeration.sign(read, most, constant) or read

    def accepts(state: Remainder | int) -> bool:
        return (state if isinstance(state, int) else int(np.sign(numeration.total(state) + constant))) in accepted

    start: Remainder | int = (0, 0)
    return explored(numeration, tracks, start, ends, accepts).minimal()._of_valid_words()


def explored(
    numeration: Numeration,
    tracks: tuple[str, ...],
    start: State,
    ends: Callable[[State], Iterable[State]],
    accepts: Callable[[State], bool],
    most: int = MOST_STATES,
) -> Automaton:
    """Build an automaton from all states that can be reached from ``start``; number them breadth first.

    It may have more states than necessary: :meth:`Automaton.minimal` is not called.

    Parameters
    ----------
    numeration : Numeration
    tracks : tuple of str
        The names of the numbers of a tuple, sorted.
    start : hashable
        The first state.
    ends : callable
        Called with a state; returns the next state for each symbol, in the order of symbols (see :class:`Automaton`).
    accepts : callable
        Called with a state; returns whether a tuple whose word ends there is in the set.
    most : int
        Maximum number of states; LimitError is raised if there are more.
    """
    numbers, states, table = {start: 0}, [start], []
    for state in states:
        row = []
        for end in ends(state):
            if (number := numbers.get(end)) is None:
                number = numbers[end] = len(states)
                states.append(end)
            row.append(number)
        table.append(row)
        if len(states) > most:
            raise _too_large()
    return Automaton(numeration, tracks, np.array(table, np.int32), np.array([*map(accepts, states)], np.bool_))


@cache
def valid(numeration: Numeration, tracks: tuple[str, ...]) -> Automaton:
    """Return the set of all tuples whose words are valid in the numeration."""
    single, digits = numeration.follows, numeration.digits
    dead = len(single)
    whole = np.vstack([np.where(single < 0, dead, single), np.full((1, digits), dead)]).astype(np.int32)
    tuples = Automaton(numeration, (), np.zeros((1, 1), np.int32), np.ones(1, bool))
    for track in tracks:
        tuples &= Automaton(numeration, (track,), whole, np.arange(dead + 1) < dead)
    return tuples


def _columns(digits: int, source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Return an array: for each symbol of the tracks ``source``, the symbol of ``target`` with the same digits.

    A track that is only in ``target`` gets the digit 0; a track that is only in ``source`` is ignored.
    """
    symbols = np.arange(digits ** len(source))
    digit_of = {track: symbols // digits**index % digits for index, track in enumerate(source)}
    parts = (digit_of[track] * digits**index for index, track in enumerate(target) if track in source)
    return sum(parts, np.zeros_like(symbols))


def _too_large() -> LimitError:
    return LimitError(
        "this may need an automaton with more than {most:,} states, the limit", MOST_STATES, limit="states"
    )


def xored(one: str, two: str, result: str) -> Automaton:
    """Return the triples in base 2 in which ``result`` is the nim-sum of ``one`` and ``two``."""
    return _by_digits((one, two, result), [[symbol.bit_count() % 2 for symbol in range(8)], [1] * 8], [True, False])


def parity(number: str, result: str) -> Automaton:
    """Return the pairs in base 2 in which ``result`` is 1 if ``number`` has an odd number of binary ones, else 0."""
    # States: 0, an even number of ones so far; 1, an odd number; 2, the 1 of the result was just read, so nothing may
    # follow; 3, dead. A result of 1 has its only 1 in the last place.
    return _by_digits((number, result), [[0, 1, 3, 2], [1, 0, 2, 3], [3] * 4, [3] * 4], [True, False, True, False])


def last_digit(numeration: Numeration, number: str, result: str) -> Automaton:
    """Return the pairs in which ``result`` is ``number`` with a 0 in place of each digit but the last nonzero one."""
    # States: 0, only zeros so far; 1, a nonzero digit was read, and another one must follow; 2, the last nonzero digit
    # was read, so only zeros may follow; 3, dead.
    table = [[3] * numeration.digits**2 for _ in range(4)]
    for digit in range(numeration.digits):
        same = digit * (1 + numeration.digits)
        table[0][digit] = table[1][digit] = 1 if digit else 0
        if digit:
            table[0][same] = table[1][same] = 2
    table[1][0], table[2][0] = 1, 2
    return _by_digits((number, result), table, [True, False, True, False], numeration)


def _by_digits(
    tracks: tuple[str, ...], table: list[list[int]], accepting: list[bool], numeration: Numeration | None = None
) -> Automaton:
    """Return an automaton from its table, minimised, and without words that are not valid in the numeration.

    A symbol of the table combines the digits in the order of ``tracks``, which need not be sorted. ``accepting`` has an
    entry for each state. The default numeration is base 2.
    """
    numeration = numeration or numeration_of("base 2")
    order = tuple(sorted(tracks))
    columns = _columns(numeration.digits, order, tracks)
    automaton = Automaton(numeration, order, np.array(table, np.int32)[:, columns], np.array(accepting)).minimal()
    return automaton._of_valid_words()


def recorded(record: Mapping[str, Any], tracks: tuple[str, ...]) -> Automaton:
    """Check a JSON object in the format of :meth:`Automaton.record`, and return its automaton.

    Raises
    ------
    ParameterError
        The object is no automaton over these tracks, or leading zeros make a difference for it.
    """
    table: Any = record.get("table")
    accepting: Any = record.get("accepting")
    try:
        numeration = numeration_of(str(record.get("numeration")))
        has_tracks = tuple(record.get("tracks", ())) == tracks
    except (TypeError, ValueError):
        has_tracks = False
    if not has_tracks:
        raise ParameterError(
            "an automaton of the file has other numbers than {names}, or an unknown numeration system",
            ", ".join(tracks),
        )
    symbols, count = numeration.digits ** len(tracks), len(table) if isinstance(table, list) else 0
    has_shape = 0 < count <= _MOST_READ and fits([table, accepting], [[[natural] * symbols], [natural]])
    if not has_shape or max(chain(accepting, *table)) >= count:
        raise ParameterError(
            "the table of an automaton is wrong: expected 1 to {most:,} states, a list of {symbols} next states for "
            "each of them, and a list of the accepting states",
            _MOST_READ,
            symbols,
        )
    ends = np.zeros(count, bool)
    ends[accepting] = True
    automaton = Automaton(numeration, tracks, np.array(table, np.int32), ends).minimal()
    # All operations rely on leading zeros making no difference: zeros on all tracks must lead back to the start.
    if automaton.table[0, 0]:
        raise ParameterError("an automaton of the file answers differently if a number has leading zeros")
    return automaton & valid(numeration, tracks)
