"""The nimber search by proof numbers: work first on what seems to need the fewest positions.

A couple is a position beside a Nim heap; see :mod:`graphgame.labs.search.nimber_search`. Each couple that is not
decided has two numbers: the least number of positions that must still be decided to prove it won (an N-position), and
to prove it lost (a P-position). A couple is won if one move leads to a lost couple, so its first number is the minimum
of the second numbers of its moves. It is lost if all moves lead to won couples, so its second number is the sum of the
first numbers of its moves. The search goes down, depth first, to the position on which both numbers depend. It stays
below a couple as long as that couple remains the best choice (df-pn). In a sum, the values of all components but one
are needed, whatever they are: both numbers of a sum are the total of what these components need.

In the compiled loops a position is a row of numbers. Its options are sums, written one after another in one array: the
number of parts, then the numbers of the parts in increasing order. Positions are identified by their texts, which are
bytes that end in ``!``. A table has the two numbers of the couples that are not decided. A decided couple needs none,
because the fact about its position decides it. A question on the stack is a couple, or a sum with several unknown
values beside a heap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import COMPILED_FROM
from graphgame.errors import CycleError
from graphgame.labs.bitboards.exploration import longer
from graphgame.labs.bitboards.placement import TextRuleset
from graphgame.labs.bitboards.wide_masks import scattered
from graphgame.labs.search.nimber_search import UNKNOWN, Allowance, Facts, Solver, Summands, ValueTooLargeError
from graphgame.rules.ruleset import Ruleset

Lines = tuple[Array, Array]
"""Sums as text (a line for each, with the texts of its parts), and the weights of all parts in the same order."""

_PLAIN = 100
"""Positions that plain Python looks at before compiled loops are loaded."""

_STEPS = 1 << 20
"""Steps of the loop between checks of the limits."""


class CoupleSearch:
    """A proof-number search among positions that are identified by texts, which are bytes that end in ``!``.

    Parameters
    ----------
    options : callable
        Return the options of the position with a text, as :data:`Lines`. Lighter options are tried first.
    name_of : callable
        Return the position with a text, for messages.
    allowance : Allowance
        The budget of the search.

    Notes
    -----
    Facts have the form of :attr:`Solver.facts`. A fact is proved before it is written.
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
        """Return True if a sum, the only line of ``total``, is a P-position beside a heap of size ``nimber``."""
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
        """Return the number of the position with a text; a new position gets the given weight."""
        self._asked += 1
        start = self._take_in((np.frombuffer(text + b"\n", np.uint8), np.array([weight], np.int64)))
        return int(self._options[start + 1])

    def text(self, number: int) -> bytes:
        """Return the text of a position, given its number."""
        start, size = int(self._positions[number, TEXT]), 64
        while (end := (some := self._texts[start : start + size].tobytes()).find(b"!")) < 0:
            size *= 4
        return some[: end + 1]

    def fact(self, number: int) -> int:
        """Return the fact about a position, given its number."""
        return int(self._positions[number, FACT])

    def keep(self, number: int, fact: int) -> None:
        """Write the fact about a position; raise LimitError if there is no budget for another position."""
        if self._positions[number, FACT] == UNKNOWN:
            self._allowance.keep()
        self._positions[number, FACT] = fact

    def facts(self) -> dict[bytes, int]:
        """Return the facts about all positions of which something is known."""
        facts = self._positions[: self._state[POSITIONS], FACT]
        return {self.text(number): int(facts[number]) for number in np.flatnonzero(facts != UNKNOWN).tolist()}

    @property
    def depth(self) -> int:
        """The depth of the stack of questions."""
        return int(self._state[DEPTH])

    @property
    def _size(self) -> int:
        """The size of work to pass to ``runner``: it chooses plain Python at first, compiled loops later."""
        return COMPILED_FROM if self._asked > _PLAIN else 0

    def _open(self, number: int) -> None:
        """Write the options of a position into the arrays; raise LimitError at a limit."""
        self._allowance.look(self.depth, measured=True)
        total = self._options_of(self.text(number))
        if self._positions[number, FACT] == UNKNOWN:
            self._allowance.keep()
        self._take_in(total, number)
        self._allowance.visited += 1
        self._asked += 1

    def _take_in(self, total: Lines, number: int = -1) -> int:
        """Write sums into the arrays, and return the index of the first one in ``_options``.

        With a position's number, they become the options of that position.
        """
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
        """Make room on the stack, and double the table of couples if it is half full."""
        self._frames = _with_room(self._frames, int(self._state[DEPTH]) + 3)
        if 2 * self._state[NUMBERS] >= len(self._numbers):
            numbers = np.zeros((2 * len(self._numbers), 3), np.int64)
            runner(spread_loop, self._size)(self._numbers, numbers)
            self._numbers = numbers

    def _cycle(self) -> list[bytes]:
        """Return the texts of the positions on the cycle at the end of the stack."""
        path = [part for part in self._frames[: self._state[DEPTH] + 1, ASKED].tolist() if part >= 0]
        return [self.text(part) for part in dict.fromkeys(path[path.index(path[-1]) :])]


def _with_room(array: Array, rows: int) -> Array:
    """Return an array with at least this many rows: the array itself, or a copy of at least twice its size."""
    return array if len(array) >= rows else longer(array, max(2 * len(array), rows))


_OVER = "!"
"""The text of a position without components. It has the value 0, and gets no number."""


class ProofNumberSolver:
    """A nimber search by proof numbers among the positions of one ruleset, with the interface of :class:`Solver`.

    Positions of a :class:`TextRuleset` are texts already. Positions of other rules get a number as their text.

    References
    ----------
    T. Čížek, M. Balko, M. Schmid, Massively parallel proof-number search for impartial games and beyond (2025).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> from graphgame.labs.search.nimber_search import Allowance
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
        """Return True if a sum of positions has this Grundy value (it is lost beside a heap of this size)."""
        parts = self._moves.parts(positions)
        try:
            if nimber <= LARGEST_NIMBER:
                return self._search.is_lost(self._lines([parts]), nimber)
        except ValueTooLargeError:
            pass
        return self._moves.has_value(parts, nimber)

    @property
    def facts(self) -> Facts:
        """The facts about all positions, in the form of :attr:`Solver.facts`."""
        return self._moves.facts | {self._position(text): fact for text, fact in self._search.facts().items()}

    def fact(self, position: Hashable) -> int:
        """Return the fact about a canonical position."""
        return 0 if self._text(position) == _OVER else self._search.fact(self._number(position))

    def keep(self, position: Hashable, fact: int) -> None:
        """Write the fact about a canonical position, unless it is about values above 62."""
        has_room = fact <= LARGEST_NIMBER and (~fact).bit_length() <= LARGEST_NIMBER
        if has_room and self._text(position) != _OVER:
            self._search.keep(self._number(position), fact)

    def _options(self, text: bytes) -> Lines:
        """Return the options of the position with a text; write the fact that a theorem gives, if any."""
        if isinstance(self._ruleset, TextRuleset):
            return self._ruleset.option_lines(text)
        position = self._position(text)
        if (told := self._moves.told(position)) != UNKNOWN:
            self.keep(position, told)
        return self._lines(self._moves.options(position))

    def _lines(self, sums: Sequence[Summands]) -> Lines:
        """Return sums of canonical positions as :data:`Lines`."""
        text = "".join("".join(map(self._text, parts)) + "\n" for parts in sums)
        weights = [self._moves.moves(part) for parts in sums for part in parts]
        return np.frombuffer(bytearray(text, "latin-1"), np.uint8), np.array(weights, np.int64)

    def _text(self, position: Hashable) -> str:
        """Return the text that identifies a position. Under rules without texts it is the position's number."""
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


ROW, TALLIES = 5, 7
"""The number of fields of a position, and of the state of a search."""

FACT, WEIGHT, BEGIN, COUNT, TEXT = range(5)
"""The fields of a position: its fact, its weight, the index of its first option (-1 if they are not written yet), the
number of options, and the index of its text."""

POSITIONS, TEXTS, OPTIONS, NUMBERS, DEPTH, OPEN, RESULT = range(7)
"""The fields of the state: the used length of four arrays, the depth of the stack, the position whose options are
needed, and the last answer (1 for lost)."""

_END, _NEW_LINE = 33, 10


class Met(NamedTuple):
    """The positions met so far, and a hash table that finds them by their texts."""

    texts: Array  # all texts, one after another
    positions: Array  # the fields FACT to TEXT of each position
    slots: Array  # the hash table: one more than the position's number, or 0 in a free slot
    state: Array  # the fields POSITIONS to RESULT


@compiled
def take_in_loop(lines: Array, weights: Array, met: Met, seen: Array, options: Array, position: int) -> int:
    """Write sums, one on each line, into ``options``; return the index of the first.

    Parts are replaced by their numbers, and equal sums are written once. Unless ``position`` is negative, the sums
    become the options of that position. ``seen`` is scratch for a hash table.
    """
    # The array has room for one more sum than is kept: each is written at ``at``, which advances only past a new one.
    at = first = met.state[OPTIONS]
    found = count = part = start = 0
    for slot in range(len(seen)):
        seen[slot] = -1
    for place in range(len(lines)):
        code = lines[place]
        if code == _END:
            if place > start:
                number = _numbered(lines, start, weights[part], met)
                count = _put(options, at + 1, count, number)
            part += 1
            start = place + 1
        elif code == _NEW_LINE:
            start = place + 1
            options[at] = count
            if _is_new(options, seen, at):
                at += count + 1
                found += 1
            count = 0
    met.state[OPTIONS] = at
    if position >= 0:
        met.positions[position, COUNT] = found
        met.positions[position, BEGIN] = first
    return int(first)


@inlined
def _put(options: Array, begin: int, count: int, number: int) -> int:
    """Insert a part into a sorted sum of ``count`` parts at index ``begin``; return the new count."""
    place = begin + count
    while place > begin and options[place - 1] > number:
        place -= 1
    # Two equal parts cancel: their nim-sum is 0.
    if place > begin and options[place - 1] == number:
        for each in range(place, begin + count):
            options[each - 1] = options[each]
        return count - 1
    for each in range(begin + count, place, -1):
        options[each] = options[each - 1]
    options[place] = number
    return count + 1


@inlined
def _is_new(options: Array, seen: Array, at: int) -> bool:
    """Return True if the sum at index ``at`` was not seen before, and enter it into the hash table ``seen``."""
    key = 0
    for place in range(at, at + 1 + options[at]):
        key = scattered(key ^ options[place])
    slot = key & (len(seen) - 1)
    while seen[slot] >= 0:
        same = True
        for step in range(options[at] + 1):
            same = same and options[seen[slot] + step] == options[at + step]
            if not same:
                break
        if same:
            return False
        slot = (slot + 1) & (len(seen) - 1)
    seen[slot] = at
    return True


@inlined
def _hashed(texts: Array, start: int) -> tuple[int, int]:
    """Return a hash of the text that begins at an index, and the index of its end."""
    key, place = 0, start
    while texts[place] != _END:
        key = scattered(key + texts[place])
        place += 1
    return key, place


@inlined
def _numbered(lines: Array, start: int, weight: int, met: Met) -> int:
    """Return the number of the position whose text begins at index ``start`` of the lines; a new one is added."""
    texts, positions, slots, state = met
    key, end = _hashed(lines, start)
    slot = key & (len(slots) - 1)
    while slots[slot] > 0:
        number = slots[slot] - 1
        text, step = positions[number, TEXT], 0
        while texts[text + step] == lines[start + step] and lines[start + step] != _END:
            step += 1
        if texts[text + step] == lines[start + step]:
            return int(number)
        slot = (slot + 1) & (len(slots) - 1)
    number, text = state[POSITIONS], state[TEXTS]
    positions[number, FACT] = UNKNOWN
    positions[number, WEIGHT] = weight
    positions[number, BEGIN] = -1
    positions[number, TEXT] = text
    for step in range(end - start + 1):
        texts[text + step] = lines[start + step]
    state[TEXTS] = text + end - start + 1
    state[POSITIONS] = number + 1
    slots[slot] = number + 1
    return int(number)


@compiled
def hash_loop(met: Met) -> None:
    """Enter all positions into an empty hash table."""
    texts, positions, slots, state = met
    for number in range(state[POSITIONS]):
        key, _ = _hashed(texts, positions[number, TEXT])
        slot = key & (len(slots) - 1)
        while slots[slot] > 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1


FRAME = 8
"""The number of fields of a question on the stack."""

ASKED, BESIDE, _SUM, _WON, _LOST, _WON_BESIDES, _LOST_BESIDES, _EITHER = range(8)
"""The fields of a question. ASKED: the position, or -1 for a sum; then _SUM is the sum's index in ``options``. BESIDE:
the heap. The others say how long the search stays at the question: while its two numbers are below _WON and _LOST, and
the smaller of won + _WON_BESIDES and lost + _LOST_BESIDES is below _EITHER. The BESIDES are what the questions below it
on the stack need in addition."""

DECIDED, EXPAND, FULL, TOO_LARGE, CYCLE, STEPS_OVER = range(6)
"""How the loop ends: with the answer; at a position whose options are needed; at full arrays; at a value above 62; at a
position that play returns to; or after ``steps`` steps."""

NEVER, LARGEST_NIMBER, NIMBER_BITS, LIVES_BITS = 1 << 60, 62, 6, 24
"""The proof number of what is disproved; the largest value; the bits for a heap in a couple's key; and the low bits of
a weight that hold the number of moves (the length of play is above them)."""

_MOST_NEEDED = 1 << 40
"""A bound on the numbers of undecided couples, so that sums of them stay below NEVER."""

_HEAP, _PART, _MOST_MOVES, _SHARE = 4 << LIVES_BITS, 1 << 20, 4000, 8
"""Weights that sort equally good moves: added for each unit of a heap, and subtracted for each part of a sum. And the
first guess of what a proof of a loss needs: (length of play + moves, at most 4000) divided by 8."""


@compiled
def spread_loop(old: Array, new: Array) -> None:
    """Copy all couples into a larger table."""
    for row in range(len(old)):
        if old[row, 0] > 0:
            slot = _slot_of(new, old[row, 0])
            new[slot, 0], new[slot, 1], new[slot, 2] = old[row, 0], old[row, 1], old[row, 2]


@compiled
def proof_loop(positions: Array, options: Array, numbers: Array, frames: Array, state: Array, steps: int) -> int:
    """Work on the questions on the stack until the first is decided, or the caller must act; return how it ended.

    The state keeps everything, so that the caller can act and call again.
    """
    depth, status = state[DEPTH], DECIDED
    while depth >= 0:
        if steps == 0:
            status = STEPS_OVER
            break
        steps -= 1
        # At most half of the table may be taken, and a question may push one more onto the stack.
        if state[NUMBERS] * 2 >= len(numbers) or depth + 2 >= len(frames):
            status = FULL
            break
        part, nimber = frames[depth, ASKED], frames[depth, BESIDE]
        if part < 0:
            # A sum. With one unknown part it becomes a couple; with more, one of the parts needs its value first.
            unknown, part, value, _, needed = _look_at(positions, numbers, options, frames[depth, _SUM])
            if unknown == 0:
                state[RESULT] = 1 if nimber == value else 0
                depth -= 1
            elif unknown == 1:
                frames[depth, ASKED], frames[depth, BESIDE] = part, nimber ^ value
            elif _stays(frames, depth, needed, needed):
                depth = _ask_part(positions, numbers, frames, depth, part, needed)
            else:
                depth -= 1
            continue
        if nimber > LARGEST_NIMBER:
            status = TOO_LARGE
            break
        # A fact is proved before it is written, so it decides the couple.
        fact = positions[part, FACT]
        if fact >= 0 or ~fact >> nimber & 1:
            state[RESULT] = 1 if fact == nimber else 0
            depth -= 1
            continue
        if positions[part, BEGIN] < 0:
            state[OPEN] = part
            status = EXPAND
            break
        # Below a couple, the search meets its position again only with smaller heaps, unless play returns to it.
        if _comes_back(frames, depth, part, nimber):
            status = CYCLE
            break
        depth = _look_below(positions, options, numbers, frames, state, depth, part, nimber)
    state[DEPTH] = depth
    return status


@inlined
def _look_below(
    positions: Array, options: Array, numbers: Array, frames: Array, state: Array, depth: int, part: int, nimber: int
) -> int:
    """Compute the numbers of a couple from its moves; push the best move, or pop the couple; return the new depth."""
    # Two kinds of moves: to an option beside the same heap, and to a smaller heap beside the same position.
    at, left, hit = positions[part, BEGIN], 0, 0
    # won and second: the least and second least of the moves' numbers for being lost. lost: the sum of their numbers
    # for being won. chosen: the best move (an option's index + 1, or -1 - heap), and own: its share of ``lost``.
    won = second = NEVER
    lost = own = order = chosen = 0
    for _ in range(positions[part, COUNT]):
        unknown, last, value, weight, needed = _look_at(positions, numbers, options, at)
        beside = nimber ^ value
        if unknown == 0 and value <= LARGEST_NIMBER:
            hit |= 1 << value
        elif unknown > 0:
            left += 1
            one = other = needed
            if unknown == 1 and beside <= LARGEST_NIMBER:
                one, other = _numbers(positions, numbers, last, beside)
            if one > 0:
                lost += one
                weight += beside * _HEAP
                if other < won or (other == won and (chosen == 0 or weight < order)):
                    won, second, order, own, chosen = other, won, weight, one, at + 1
                else:
                    second = min(second, other)
        at += options[at] + 1
    fact = positions[part, FACT] & ~hit
    # If all options have known values, the value is their mex.
    if left == 0:
        value = _least(fact)
        fact = value if value <= LARGEST_NIMBER else fact
    positions[part, FACT] = fact
    if fact >= 0 or ~fact >> nimber & 1:
        return depth
    free = 0
    for heap in range(nimber):
        if ~fact >> heap & 1 == 0:
            free += 1
            one, other = _numbers(positions, numbers, part, heap)
            lost += one
            weight = positions[part, WEIGHT] - _PART + heap * _HEAP
            if other < won or (other == won and (chosen == 0 or weight < order)):
                won, second, order, own, chosen = other, won, weight, one, -1 - heap
            else:
                second = min(second, other)
    # Won: a move leads to a lost couple. Or the heap is too large for the value, which is one of the left + 1 smallest
    # free nimbers.
    if won == 0 or free > left:
        positions[part, FACT] = fact & ~(1 << nimber)
        return depth
    # No move is open and none is lost: the couple is lost, so the value is the size of the heap.
    if chosen == 0:
        positions[part, FACT] = nimber
        return depth
    lost = min(lost, _MOST_NEEDED)
    if not _stays(frames, depth, won, lost):
        _keep(numbers, state, part << NIMBER_BITS | nimber, won, lost)
        return depth - 1
    below = depth + 1
    if chosen < 0:
        frames[below, ASKED], frames[below, BESIDE] = part, -1 - chosen
    else:
        frames[below, ASKED], frames[below, BESIDE], frames[below, _SUM] = -1, nimber, chosen - 1
    # The search stays below as long as the limits here hold and no other move is better. The first number of the move
    # is part of this couple's second number, and its second number is this couple's first: so the limits change sides.
    frames[below, _WON] = frames[depth, _LOST] - lost + own
    frames[below, _LOST] = min(frames[depth, _WON], second + 1)
    frames[below, _WON_BESIDES] = frames[depth, _LOST_BESIDES] + lost - own
    frames[below, _LOST_BESIDES] = frames[depth, _WON_BESIDES]
    frames[below, _EITHER] = frames[depth, _EITHER]
    return below


@inlined
def _look_at(positions: Array, numbers: Array, options: Array, at: int) -> tuple[int, int, int, int, int]:
    """Look at the sum at index ``at`` of the options.

    Return the number of parts without a known value, the lightest of them, the nim-sum of the other parts, and the
    total weight and total need of the unknown parts. The need is 0 for a sum of one part.
    """
    unknown = value = weight = needed = least = 0
    lightest = -1
    for place in range(at + 1, at + 1 + options[at]):
        part: int = options[place]
        fact = positions[part, FACT]
        if fact >= 0:
            value ^= fact
            continue
        unknown += 1
        weight += positions[part, WEIGHT] - _PART
        if options[at] > 1:
            won, lost = _numbers(positions, numbers, part, _least(fact))
            needed += min(won, lost)
        if lightest < 0 or positions[part, WEIGHT] < least:
            lightest, least = part, positions[part, WEIGHT]
    return unknown, lightest, value, weight, needed


@inlined
def _numbers(positions: Array, numbers: Array, part: int, nimber: int) -> tuple[int, int]:
    """Return the two numbers of a couple: what it needs to be proved won, and to be proved lost."""
    fact = positions[part, FACT]
    if fact >= 0:
        return (NEVER, 0) if fact == nimber else (0, NEVER)
    if ~fact >> nimber & 1:
        return 0, NEVER
    slot = _slot_of(numbers, (part << NIMBER_BITS | nimber) + 1)
    if numbers[slot, 0] > 0:
        return int(numbers[slot, 1]), int(numbers[slot, 2])
    weight = positions[part, WEIGHT]
    # A first guess: many moves and a long play make a position hard to prove lost.
    moves = min(weight & (1 << LIVES_BITS) - 1, _MOST_MOVES)
    return 1, 1 + ((weight >> LIVES_BITS) + moves) // _SHARE


@inlined
def _keep(numbers: Array, state: Array, couple: int, won: int, lost: int) -> None:
    """Write the two numbers of a couple to the table."""
    slot = _slot_of(numbers, couple + 1)
    numbers[slot, 1], numbers[slot, 2] = won, lost
    if numbers[slot, 0] == 0:
        state[NUMBERS] += 1
        numbers[slot, 0] = couple + 1


@inlined
def _slot_of(numbers: Array, key: int) -> int:
    """Return the row of a key in the table, or the free row where it belongs."""
    # Rows are never removed, so the first free row ends the search.
    slot = scattered(key) & (len(numbers) - 1)
    while numbers[slot, 0] > 0 and numbers[slot, 0] != key:
        slot = (slot + 1) & (len(numbers) - 1)
    return slot


@inlined
def _least(fact: int) -> int:
    """Return the least value that a fact does not exclude: the lowest bit that is set in it."""
    nimber = 0
    while ~fact >> nimber & 1:
        nimber += 1
    return nimber


@inlined
def _ask_part(positions: Array, numbers: Array, frames: Array, depth: int, part: int, needed: int) -> int:
    """Push the question whether a part of a sum has its least possible value; return the new depth."""
    # Either answer helps, so the smaller of the two numbers counts. It may grow by what is left of the sum's own
    # limits.
    least = _least(positions[part, FACT])
    won, lost = _numbers(positions, numbers, part, least)
    besides = min(frames[depth, _WON_BESIDES], frames[depth, _LOST_BESIDES])
    spare = min(frames[depth, _WON], frames[depth, _LOST], frames[depth, _EITHER] - besides) - needed
    below = depth + 1
    frames[below, ASKED], frames[below, BESIDE] = part, least
    frames[below, _WON] = frames[below, _LOST] = NEVER
    frames[below, _WON_BESIDES] = frames[below, _LOST_BESIDES] = 0
    frames[below, _EITHER] = min(won, lost) + spare
    return below


@inlined
def _stays(frames: Array, depth: int, won: int, lost: int) -> bool:
    """Return True if a question with these two numbers is still within its limits."""
    either = min(won + frames[depth, _WON_BESIDES], lost + frames[depth, _LOST_BESIDES])
    return bool(won < frames[depth, _WON] and lost < frames[depth, _LOST] and either < frames[depth, _EITHER])


@inlined
def _comes_back(frames: Array, depth: int, part: int, nimber: int) -> bool:
    """Return True if play returns to a position: if it is on the stack already, with this heap or a smaller one."""
    above = 0
    while above < depth and (frames[above, ASKED] != part or frames[above, BESIDE] > nimber):
        above += 1
    return above < depth
