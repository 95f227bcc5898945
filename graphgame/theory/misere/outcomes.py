"""Outcomes of sums under misère play, by depth-first search with a table that holds each sum whole.

A sum is written as how often each position stands in it, a byte each, seven to a word of 64 bits: so a move is an
addition, and no count reaches into the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined, runner
from graphgame.arrays.engine import COMPILED_FROM
from graphgame.theory.misere.positions import Word

__all__ = ["Outcomes", "StoppedError", "code_of", "letters_of", "reduced", "unit"]

_PLACES = 7
_MOST = 127
_GUARD = 0x80808080808080
_FIRST_SIZE = 1 << 12
_STEPS = 1 << 21

_UNKNOWN, _WON, _LOST = 0, 1, 2
_DONE, _TABLE_FULL, _STACK_FULL, _PAUSED, _TOO_MANY = range(5)


class StoppedError(Exception):
    """A limit is reached; the message says which."""


def unit(place: int) -> int:
    """Return the sum of one position alone."""
    return 1 << 64 * (place // _PLACES) + 8 * (place % _PLACES)


def reduced(code: int) -> int:
    """Return the sum with at most one of the first position: it is a heap of one, and two of them cancel."""
    return code - (code & 0xFF) + (code & 1)


def code_of(word: Word) -> int:
    """Return a sum as one integer."""
    times = Counter(word)
    if any(count > _MOST for count in times.values()):
        raise _too_many()
    return reduced(sum(count * unit(place) for place, count in times.items()))


def letters_of(code: int) -> Iterator[int]:
    """Yield the positions of a sum, each as often as it stands in it."""
    times = (byte for k, byte in enumerate(code.to_bytes((code.bit_length() + 7) // 8, "little")) if k % 8 < _PLACES)
    return chain.from_iterable([place] * count for place, count in enumerate(times))


class Outcomes:
    """Tells which sums of positions are P-positions, and keeps what it finds.

    Each position has options that are sums of earlier ones; the first has the empty sum alone. ``grown`` is called with
    the number of outcomes known whenever there are more, and may raise.
    """

    def __init__(self, options: Sequence[Sequence[Word]], grown: Callable[[int], None]) -> None:
        self._grown = grown
        self._width = -(-len(options) // _PLACES)
        codes = [[code_of(word) for word in words] for words in options]
        self._moves = [[code - unit(place) for code in row] for place, row in enumerate(codes)]
        places = range(len(codes) - 1, -1, -1)  # moves in the last positions first: of them fewer sums are looked at
        self._at = np.array([place for place in places for _ in codes[place]], np.int64)
        self._after = np.cumsum([len(codes[place]) for place in places])[::-1].copy()
        self._ends = self._words([code for place in places for code in codes[place]])
        self._keys = np.zeros((_FIRST_SIZE, self._width), np.int64)
        self._found = np.zeros(_FIRST_SIZE, np.uint8)
        self._count = 0
        self._insert(np.zeros((1, self._width), np.int64), np.array([_WON], np.uint8))

    def __len__(self) -> int:
        return self._count

    def take_over(self, earlier: Outcomes, places: int) -> None:
        """Take over what is known of sums of the first positions, which are the same in both."""
        others = ~self._words([sum(0xFF * unit(place) for place in range(places))])[0]
        shared = min(self._width, earlier._width)
        known = (earlier._found != _UNKNOWN) & ~(earlier._keys[:, shared:] != 0).any(axis=1)
        for k in range(shared):
            known &= earlier._keys[:, k] & others[k] == 0
        keys = np.zeros((np.count_nonzero(known), self._width), np.int64)
        keys[:, :shared] = earlier._keys[known, :shared]
        self._insert(keys, earlier._found[known])

    def is_lost(self, code: int) -> bool:
        """Tell whether a sum is a P-position."""
        return bool(self.lost([code])[0])

    def lost(self, codes: Sequence[int]) -> bytes:
        """Return for each of some sums whether it is a P-position."""
        sums = self._words(codes)
        lost = np.zeros(len(sums), np.uint8)
        stack, places = np.zeros((64, self._width), np.int64), np.zeros(64, np.int64)
        state = np.zeros(2, np.int64)  # sums done, and how deep the search of the next is
        search = runner(_search, COMPILED_FROM)
        while True:
            status, self._count = search(
                self._keys,
                self._found,
                self._count,
                self._at,
                self._after,
                self._ends,
                sums,
                lost,
                stack,
                places,
                state,
                _STEPS,
            )
            self._grown(self._count)
            if status == _DONE:
                return lost.tobytes()
            if status == _TOO_MANY:
                raise _too_many()
            if status == _TABLE_FULL:
                self._resize(2 * len(self._found))
            elif status == _STACK_FULL:
                stack, places = np.concatenate((stack, stack)), np.concatenate((places, places))

    def moves(self, code: int) -> Iterator[int]:
        """Yield the options of a sum."""
        for place in dict.fromkeys(letters_of(code)):
            for move in self._moves[place]:
                yield reduced(code + move)

    def _words(self, codes: Sequence[int]) -> Array:
        memory = b"".join(code.to_bytes(8 * self._width, "little") for code in codes)
        return np.frombuffer(memory, np.int64).reshape(len(codes), self._width)

    def _insert(self, keys: Array, found: Array) -> None:
        """Put sums into the table, of which it has none but the empty one."""
        self._resize(max(len(self._found), 1 << (2 * len(keys)).bit_length()))
        runner(_insert, COMPILED_FROM)(self._keys, self._found, keys, found)
        self._count = int(np.count_nonzero(self._found))

    def _resize(self, size: int) -> None:
        keys, found = self._keys, self._found
        self._keys, self._found = np.zeros((size, self._width), np.int64), np.zeros(size, np.uint8)
        runner(_insert, COMPILED_FROM)(self._keys, self._found, keys, found)


def _too_many() -> StoppedError:
    return StoppedError(f"a sum with more than {_MOST} of one position")


@inlined
def _slot(keys: Array, found: Array, rows: Array, row: int) -> int:
    """Return where a sum stands in the table, or the empty place where it would."""
    number = 0
    for k in range(keys.shape[1]):
        number = ((number ^ (rows[row, k] & 0xFFFFFFF)) * 0x2545F491) & 0x7FFFFFFF
        number ^= number >> 15
        number = ((number ^ (rows[row, k] >> 28)) * 0x2C1B3C6D) & 0x7FFFFFFF
        number ^= number >> 13
    slot = number & (len(found) - 1)
    while found[slot] != _UNKNOWN:
        same = True
        for k in range(keys.shape[1]):
            if keys[slot, k] != rows[row, k]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & (len(found) - 1)
    return slot


@compiled
def _insert(keys: Array, found: Array, more_keys: Array, more_found: Array) -> None:
    for row in range(len(more_found)):
        if more_found[row] != _UNKNOWN:
            slot = _slot(keys, found, more_keys, row)
            found[slot] = more_found[row]
            for k in range(keys.shape[1]):
                keys[slot, k] = more_keys[row, k]


@compiled
def _search(
    keys: Array,
    found: Array,
    count: int,
    at: Array,
    after: Array,
    ends: Array,
    sums: Array,
    lost: Array,
    stack: Array,
    places: Array,
    state: Array,
    steps: int,
) -> tuple[int, int]:
    """Fill ``lost`` for all sums; where it returns early, it goes on from the stack at the next call.

    A level of the stack has a sum and the number of the move that is looked at. A move is made ``at`` a position, and
    puts the sum in ``ends`` in its place; ``after`` has the first of the moves that come after those of each position.
    """
    width = keys.shape[1]
    while state[0] < len(sums):
        if state[1] == 0:
            for k in range(width):
                stack[0, k] = sums[state[0], k]
                if stack[0, k] & _GUARD:
                    return _TOO_MANY, count
            slot = _slot(keys, found, stack, 0)
            if found[slot] != _UNKNOWN:
                lost[state[0]] = found[slot] == _LOST
                state[0] += 1
                continue
            places[0] = 0
            state[1] = 1
        while state[1] > 0:
            top = state[1] - 1
            if top + 2 > len(places):
                return _STACK_FULL, count
            if 3 * count > 2 * len(found):
                return _TABLE_FULL, count
            steps -= 1
            if steps < 0:
                return _PAUSED, count
            outcome = _LOST
            move = places[top]
            while move < len(at):
                place = at[move]
                word, shift = place // _PLACES, 8 * (place % _PLACES)
                if (stack[top, word] >> shift) & 0xFF == 0:
                    move = after[place]
                    continue
                for k in range(width):
                    stack[top + 1, k] = stack[top, k] + ends[move, k]
                stack[top + 1, word] -= 1 << shift
                stack[top + 1, 0] += (stack[top + 1, 0] & 1) - (stack[top + 1, 0] & 0xFF)
                for k in range(width):
                    if stack[top + 1, k] & _GUARD:
                        return _TOO_MANY, count
                below = found[_slot(keys, found, stack, top + 1)]
                if below == _UNKNOWN:
                    outcome = _UNKNOWN
                    break
                if below == _LOST:
                    outcome = _WON
                    break
                move += 1
            if outcome == _UNKNOWN:  # the option comes first; then this sum is looked at anew, from that option on
                places[top] = move
                places[top + 1] = 0
                state[1] += 1
                continue
            slot = _slot(keys, found, stack, top)
            found[slot] = outcome
            for k in range(width):
                keys[slot, k] = stack[top, k]
            count += 1
            state[1] -= 1
            if state[1] == 0:
                lost[state[0]] = outcome == _LOST
                state[0] += 1
    return _DONE, count
