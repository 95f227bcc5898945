"""Sets of tuples of numbers that a finite automaton recognises, and automata that are guessed from a table.

Sets of tuples of numbers that a finite automaton recognises, reading all their digits at once, the first ones first.

Unions, complements, sums and quantifiers of such sets are such sets again: so statements about numbers that are made of
them are decided (Büchi 1960; in the numerations of :mod:`graphgame.theory.laws.numeration`, Frougny 1992).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import lgamma, log, log2

import numpy as np

from graphgame.errors import LimitError
from graphgame.theory.laws.numeration import Numeration

MOST_STATES = 100_000
"""States that an automaton may have before it is minimised."""

_MOST_PAIRS = 50_000_000
_MORE_DIGITS = 16
"""Digits that a number which is sought may have before the others begin."""


@dataclass(frozen=True)
class Automaton:
    """A set of tuples of numbers.

    Attributes
    ----------
    numeration : Numeration
    tracks : tuple of str
        The names of the numbers, sorted.
    table : ndarray of int32, shape (states, symbols)
        The state after each symbol; the first state is where a word begins. A symbol has a digit of each track, those
        of the first track worth 1, of the second ``digits``, and so on.
    accepting : ndarray of bool, shape (states,)
        Whether a word that ends there is in the set. Leading zeros make no difference.
    """

    numeration: Numeration
    tracks: tuple[str, ...]
    table: np.ndarray
    accepting: np.ndarray

    def __len__(self) -> int:
        return len(self.accepting)

    def __and__(self, other: Automaton) -> Automaton:
        return self._combined(other, np.logical_and)

    def __or__(self, other: Automaton) -> Automaton:
        return self._combined(other, np.logical_or)._with_numbers_alone()

    def __invert__(self) -> Automaton:
        opposite = Automaton(self.numeration, self.tracks, self.table, ~self.accepting)
        return opposite._with_numbers_alone()

    def minus(self, other: Automaton) -> Automaton:
        """Return the tuples of this set that are not in another."""
        return self & ~other

    def renamed(self, names: Mapping[str, str]) -> Automaton:
        """Return the same set with other names for its tracks."""
        tracks = [names.get(track, track) for track in self.tracks]
        order = tuple(sorted(tracks))
        columns = _columns(self.numeration.digits, order, tracks)
        return Automaton(self.numeration, order, self.table[:, columns], self.accepting)

    def contains(self, **numbers: np.ndarray | int) -> np.ndarray:
        """Tell of numbers, or arrays of them, whether their tuples are in the set."""
        given = np.broadcast_arrays(*(np.asarray(numbers[track]) for track in self.tracks))
        length = self.numeration.length(max(int(each.max(initial=0)) for each in given))
        symbols = np.zeros((length, *given[0].shape), np.int64)
        for place, each in enumerate(given):
            symbols += self.numeration.words(each, length).astype(np.int64) * self.numeration.digits**place
        state = np.zeros(given[0].shape, np.int32)
        for symbol in symbols:
            state = self.table[state, symbol]
        found: np.ndarray = self.accepting[state]
        return found

    def record(self) -> dict[str, object]:
        """Return the automaton as an object of JSON."""
        return {
            "numeration": self.numeration.name,
            "tracks": self.tracks,
            "table": self.table.tolist(),
            "accepting": np.flatnonzero(self.accepting).tolist(),
        }

    def without(self, *tracks: str) -> Automaton:
        """Return the tuples of the other numbers for which there are such numbers: "there is an x so that ..."."""
        found = self
        for track in tracks:
            found = found._projected(track)
        return found

    def example(self) -> dict[str, int] | None:
        """Return a tuple of the set with the fewest digits, by name; None if the set is empty."""
        came: dict[int, tuple[int, int]] = {}
        frontier, seen = [0], {0}
        found = 0 if self.accepting[0] else None
        while frontier and found is None:
            after = []
            for state in frontier:
                for symbol, end in enumerate(self.table[state].tolist()):
                    if end not in seen:
                        seen.add(end)
                        came[end] = (state, symbol)
                        after.append(end)
            found = next((state for state in after if self.accepting[state]), None)
            frontier = after
        return None if found is None else self._tuple_of(came, found)

    def completed(self, track: str, **numbers: int) -> int | None:
        """Return a number on one track that makes the others a tuple of the set; None if there is none."""
        given = [each for each in self.tracks if each != track]
        length = self.numeration.length(max(numbers.values())) + _MORE_DIGITS
        words = [self.numeration.words(np.asarray(numbers[each]), length) for each in given]
        digits = self.numeration.digits
        worth = [digits ** self.tracks.index(each) for each in given]
        step = digits ** self.tracks.index(track)
        alive, found = self.alive(), {0: [0]}
        for column in zip(*words, strict=True):
            read = sum(int(digit) * part for digit, part in zip(column, worth, strict=True))
            ends = [
                (int(self.table[state, read + digit * step]), [*word, digit])
                for state, word in found.items()
                for digit in range(digits)
            ]
            found = {state: word for state, word in reversed(ends) if alive[state]}
        return next((self.numeration.number(word) for state, word in found.items() if self.accepting[state]), None)

    def minimal(self) -> Automaton:
        """Return the automaton of the same set with the fewest states, numbered in the order of reading."""
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
        table = classes[self.table[members]]
        return _reached(self, table, self.accepting[members], int(classes[0]))

    def _combined(self, other: Automaton, operation: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Automaton:
        tracks = tuple(sorted({*self.tracks, *other.tracks}))
        digits = self.numeration.digits
        first = self.table[:, _columns(digits, tracks, self.tracks)].astype(np.int64)
        second = other.table[:, _columns(digits, tracks, other.tracks)].astype(np.int64)
        if len(first) * len(second) > _MOST_PAIRS:
            raise _too_large()
        number = np.full(len(first) * len(second), -1, np.int32)
        number[0] = 0
        pairs, frontier, rows, found = [np.zeros(1, np.int64)], np.zeros(1, np.int64), [], 1
        while len(frontier):
            ends = first[frontier // len(second)] * len(second) + second[frontier % len(second)]
            rows.append(ends)
            frontier = np.unique(ends)
            frontier = frontier[number[frontier] < 0]
            number[frontier] = np.arange(found, found + len(frontier))
            found += len(frontier)
            pairs.append(frontier)
            if found > MOST_STATES:
                raise _too_large()
        order = np.concatenate(pairs)
        accepting = operation(self.accepting[order // len(second)], other.accepting[order % len(second)])
        return Automaton(self.numeration, tracks, number[np.concatenate(rows)], accepting).minimal()

    def _with_numbers_alone(self) -> Automaton:
        """Leave out the words that are no numbers."""
        if len(self.numeration.follows) == 1:
            return self.minimal()
        return self & valid(self.numeration, self.tracks)

    def _projected(self, track: str) -> Automaton:
        tracks = tuple(each for each in self.tracks if each != track)
        digits, place = self.numeration.digits, self.tracks.index(track)
        kept = _columns(digits, tracks, self.tracks, fill=0)
        groups = kept[:, None] + np.arange(digits) * digits**place
        alive = self.alive()

        def after(states: np.ndarray, symbol: int) -> np.ndarray:
            ends = np.unique(self.table[states][:, groups[symbol]])
            return np.extract(alive[ends], ends)

        start = np.zeros(1, np.int64)
        while len(grown := np.union1d(start, after(start, 0))) > len(start):
            start = grown
        subsets, numbers = [start], {start.tobytes(): 0}
        table: list[list[int]] = []
        while len(table) < len(subsets):
            row = []
            for symbol in range(len(groups)):
                ends = after(subsets[len(table)], symbol)
                key = ends.tobytes()
                if key not in numbers:
                    numbers[key] = len(subsets)
                    subsets.append(ends)
                row.append(numbers[key])
            table.append(row)
            if len(subsets) > MOST_STATES:
                raise _too_large()
        accepting = np.array([self.accepting[subset].any() for subset in subsets])
        return Automaton(self.numeration, tracks, np.array(table, np.int32), accepting).minimal()

    def alive(self) -> np.ndarray:
        """Tell of each state whether an accepting one can be reached."""
        alive = self.accepting
        while True:
            grown: np.ndarray = alive | alive[self.table].any(axis=1)
            if np.array_equal(grown, alive):
                return grown
            alive = grown

    def _tuple_of(self, came: Mapping[int, tuple[int, int]], state: int) -> dict[str, int]:
        symbols = []
        while state in came:
            state, symbol = came[state]
            symbols.append(symbol)
        digits = self.numeration.digits
        return {
            track: self.numeration.number([symbol // digits**place % digits for symbol in reversed(symbols)])
            for place, track in enumerate(self.tracks)
        }


def linear(
    numeration: Numeration, coefficients: Mapping[str, int], constant: int, accepted: Callable[[int], bool]
) -> Automaton:
    """Return the tuples for which a linear form has an accepted sign.

    Parameters
    ----------
    numeration : Numeration
    coefficients : mapping of str to int
        That of each number.
    constant : int
    accepted : callable
        Tells of -1, 0 and 1 whether a form of this sign belongs to the set.

    Examples
    --------
    >>> from graphgame.theory.laws.numeration import numeration_of
    >>> equal = linear(numeration_of("Fibonacci"), {"a": 1, "b": 1, "c": -1}, 0, lambda sign: sign == 0)
    >>> bool(equal.contains(a=33, b=44, c=77)), bool(equal.contains(a=33, b=44, c=78))
    (True, False)
    """
    tracks = tuple(sorted(coefficients))
    most = sum(map(abs, coefficients.values()))
    sums = [
        sum(coefficients[track] * digit for track, digit in zip(tracks, reversed(symbol), strict=True))
        for symbol in product(range(numeration.digits), repeat=len(tracks))
    ]
    start: object = (0, 0)
    numbers: dict[object, int] = {start: 0}
    table: list[list[int]] = []
    signs: list[int] = []
    queue = [start]
    for state in queue:
        if isinstance(state, int):
            table.append([numbers[state]] * len(sums))
            signs.append(state)
            continue
        assert isinstance(state, tuple)
        row = []
        for digit in sums:
            read = numeration.step(state, digit)
            end: object = numeration.sign(read, most, constant) or read
            if end not in numbers:
                numbers[end] = len(numbers)
                queue.append(end)
            row.append(numbers[end])
        table.append(row)
        signs.append(int(np.sign(numeration.total(state) + constant)))
        if len(queue) > MOST_STATES:
            raise _too_large()
    accepting = np.array([accepted(sign) for sign in signs])
    return Automaton(numeration, tracks, np.array(table, np.int32), accepting)._with_numbers_alone()


@cache
def valid(numeration: Numeration, tracks: tuple[str, ...]) -> Automaton:
    """Return all tuples of numbers."""
    single, digits = numeration.follows, numeration.digits
    dead = len(single)
    whole = np.vstack([np.where(single < 0, dead, single), np.full((1, digits), dead)]).astype(np.int32)
    found = Automaton(numeration, (), np.zeros((1, 1), np.int32), np.ones(1, bool))
    for track in tracks:
        found &= Automaton(numeration, (track,), whole, np.arange(dead + 1) < dead)
    return found


def _columns(digits: int, symbols: Sequence[str], tracks: Sequence[str], fill: int | None = None) -> np.ndarray:
    """Return for each symbol over some tracks the number of the symbol over others; a missing track has digit 0."""
    count = digits ** len(symbols)
    found = np.zeros(count, np.int64)
    for place, track in enumerate(tracks):
        if track in symbols:
            found += np.arange(count) // digits ** symbols.index(track) % digits * digits**place
        else:
            assert fill == 0
    return found


def _reached(like: Automaton, table: np.ndarray, accepting: np.ndarray, start: int) -> Automaton:
    """Return the automaton of the states that are reached, in the order of reading."""
    number = np.full(len(table), -1, np.int32)
    number[start] = 0
    order = [start]
    for state in order:
        for end in table[state].tolist():
            if number[end] < 0:
                number[end] = len(order)
                order.append(end)
    return Automaton(like.numeration, like.tracks, number[table[order]], accepting[order])


def _too_large() -> LimitError:
    return LimitError("an automaton has more than {most:,} states", MOST_STATES, limit="states")


_MOST_STATES = 400
_MOST_ENDINGS = 40_000
_SHORTER = 4
_MOST_VALUE = 16


def learned(numeration: Numeration, tracks: tuple[str, ...], members: np.ndarray) -> Automaton | None:
    """Return an automaton that agrees with a table, or None where none is found that predicts anything.

    Parameters
    ----------
    numeration : Numeration
    tracks : tuple of str, sorted
        The names of the table's axes, and one more that stands for its entries, if ``members`` holds numbers.
    members : ndarray of bool or int
        Whether each tuple is in the set; or of numbers, the value of each tuple: then the set has the tuples with their
        values, on a last track.

    Notes
    -----
    A state is found by its beginning, of few digits, and told from others by all endings of as many digits as the table
    has room for; at least as many digits are left to test as to find. The whole table is then compared. Nothing is
    proved by this.
    """
    valued = members.dtype != bool
    size = min(members.shape)
    length = numeration.length(size - 1)
    if numeration.weights(length + 1)[-1] > size:
        length -= 1
    for ending in range(1, length):
        if numeration.weights(ending + 1)[ending] ** members.ndim > _MOST_ENDINGS:
            break
        found = _automaton(numeration, tracks, _Table(members, numeration, ending))
        if found is not None and _agrees(found, members, valued):
            return found
    return None


def is_shorter(automaton: Automaton, table: np.ndarray, known: np.ndarray) -> bool:
    """Tell whether an automaton takes far fewer bits than a list of the entries that it tells: else it may be one."""
    alive = automaton.alive()
    states = max(int(alive.sum()), 2)
    bits = int((alive[automaton.table] & alive[:, None]).sum()) * log2(states)
    counts = np.unique(table[known], return_counts=True)[1].tolist()
    listed = (lgamma(sum(counts) + 1) - sum(lgamma(count + 1) for count in counts)) / log(2)
    return _SHORTER * bits <= listed


class _Words:
    """The words of so many digits, as endings of others."""

    def __init__(self, numeration: Numeration, ending: int) -> None:
        self.numeration, self.ending = numeration, ending
        self.suffixes = np.arange(numeration.weights(ending + 1)[ending])
        self.allowed = [self._may_follow(state) for state in range(len(numeration.follows))]

    def begin(self, prefix: tuple[int, ...]) -> np.ndarray | None:
        """Return the numbers that begin with a prefix, by their ending; -1 where the ending may not follow."""
        state = 0
        for digit in prefix:
            state = int(self.numeration.follows[state, digit])
            if state < 0:
                return None
        start = self.numeration.number([*prefix, *[0] * self.ending])
        numbers = start + self.suffixes
        return np.where(self.allowed[state], numbers, -1) if state else numbers

    def _may_follow(self, state: int) -> np.ndarray:
        """Tell of each ending whether it may stand after a word that ends in a state."""
        follows = self.numeration.follows
        states = np.full(self.suffixes.shape, state)
        for digits in self.numeration.words(self.suffixes, self.ending) if self.ending else ():
            states = np.where(states < 0, states, follows[states, digits])
        return states >= 0


class _Table:
    """What a table says of the words with given beginnings, and endings of at most so many digits."""

    def __init__(self, members: np.ndarray, numeration: Numeration, ending: int) -> None:
        self.members = members
        self.axes = members.ndim
        self.valued = members.dtype != bool
        self.words = [_Words(numeration, length) for length in range(ending, -1, -1)]

    def behaviour(self, prefixes: tuple[tuple[int, ...], ...]) -> bytes | None:
        """Return what the table says for each ending, None where it ends before; b"" if none makes a member."""
        found = []
        for words in self.words:
            parts = [words.begin(prefix) for prefix in prefixes]
            if any(part is None for part in parts):
                return b""
            axes = [part for part in parts[: self.axes] if part is not None]
            if any(axis.max() >= size for axis, size in zip(axes, self.members.shape, strict=True)):
                return None
            found.append(self._block(axes, parts[-1]))
        return b"".join(map(np.ndarray.tobytes, found)) if any(map(np.any, found)) else b""

    def _block(self, axes: list[np.ndarray], values: np.ndarray | None) -> np.ndarray:
        block = self.members[np.ix_(*axes)]
        good = np.ones(block.shape, bool)
        for axis, numbers in enumerate(axes):
            good &= (numbers >= 0).reshape([-1 if place == axis else 1 for place in range(self.axes)])
        if not self.valued or values is None:
            good &= block != 0
            return good
        place = block - values[0]
        good &= (place >= 0) & (place < len(values))
        good &= values[np.where(good, place, 0)] >= 0
        found: np.ndarray = np.where(good, place + 1, 0).astype(np.int32)
        return found


def _automaton(numeration: Numeration, tracks: tuple[str, ...], table: _Table) -> Automaton | None:
    start: tuple[tuple[int, ...], ...] = tuple(() for _ in tracks)
    first = table.behaviour(start)
    numbers: dict[bytes, int] = {first or b"": 0}
    shortest = [start]
    rows: list[list[int]] = []
    symbols = [tuple(reversed(each)) for each in product(range(numeration.digits), repeat=len(tracks))]
    for prefixes in shortest:
        row = []
        for symbol in symbols:
            longer = tuple((*prefix, digit) for prefix, digit in zip(prefixes, symbol, strict=True))
            if not any(map(any, longer)):
                longer = start
            behaviour = table.behaviour(longer)
            if behaviour is None:
                return None
            if behaviour not in numbers:
                if len(numbers) == _MOST_STATES:
                    return None
                numbers[behaviour] = len(shortest)
                shortest.append(longer)
            row.append(numbers[behaviour])
        rows.append(row)
    accepting = np.array([_is_member(numeration, table, prefixes) for prefixes in shortest])
    accepting[numbers.get(b"", 0)] &= b"" not in numbers
    found = Automaton(numeration, tracks, np.array(rows, np.int32), accepting)
    return found & valid(numeration, tracks)


def _is_member(numeration: Numeration, table: _Table, prefixes: tuple[tuple[int, ...], ...]) -> bool:
    numbers = tuple(numeration.number(list(prefix)) for prefix in prefixes)
    entry = table.members[numbers[: table.axes]]
    return bool(entry == numbers[-1]) if table.valued else bool(entry)


def _agrees(found: Automaton, members: np.ndarray, valued: bool) -> bool:
    axes: list[np.ndarray] = list(np.indices(members.shape))
    if not valued:
        return bool((found.contains(**dict(zip(found.tracks, axes, strict=True))) == members).all())
    if members.max() > _MOST_VALUE:  # that no number has another value is left to a proof
        return bool(found.contains(**dict(zip(found.tracks, [*axes, members], strict=True))).all())
    return all(
        (found.contains(**dict(zip(found.tracks, [*axes, np.asarray(value)], strict=True))) == (members == value)).all()
        for value in range(int(members.max()) + 2)
    )
