"""The nimber search by proof numbers: work first on the couple whose proof seems to need the fewest positions.

A couple is a position beside a Nim heap; facts and couples are those of :mod:`graphgame.labs.search.nimber_search`.
Each couple that is not decided has two *proof numbers*. The first estimates how many positions must still be decided to
prove that the couple is won (an N-position). The second estimates the same for a proof that it is lost (a P-position).
A couple is won if one move leads to a lost couple, so its first number is the minimum of the second numbers of its
moves. It is lost if all moves lead to won couples, so its second number is the sum of the first numbers of its moves.
The search goes down, depth first, from a couple to its best move: the one with the least second number. It stays below
a couple as long as that couple remains the best move (df-pn). A sum with several components of unknown value has only
one proof number, because the values of all these components but one must be computed in any case. This number is a
total over these components. For each component take the least value n that it may have, and add the smaller proof
number of the couple (component, n).

In the compiled loops a position is a row of an array, and its number is the index of this row. Its options are sums,
written one after another in one array: the number of parts, then the numbers of the parts in increasing order.
Positions are identified by their texts, which are bytes that end in ``!``. A table has the proof numbers of the couples
that are not decided. A decided couple needs no numbers, because the fact about its position decides it. A question on
the stack is a couple, or a sum beside a heap.
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
from graphgame.labs.bitboards.wide_masks import lowest, scattered
from graphgame.labs.search.nimber_search import UNKNOWN, Budget, Facts, Solver, Summands, ValueTooLargeError
from graphgame.rules.ruleset import Ruleset

Lines = tuple[Array, Array]
"""Sums as text, and the weights of their parts in the same order.

The text is an array of bytes with a line for each sum: the texts of its parts. The weight of a part is its ``mobility``
by the rules, an estimate of its number of moves. The mobility of Sprouts also has, above its LIVES_BITS low bits, an
estimate of how long play lasts."""

_PLAIN_POSITIONS = 100
"""The number of positions that plain Python expands before compiled loops are loaded."""

_STEPS_A_CALL = 1 << 20
"""The maximum number of steps that a call of the loop makes. The limits are checked between calls."""


class CoupleSearch:
    """A proof-number search among positions that are identified by texts, which are bytes that end in ``!``.

    Parameters
    ----------
    options : callable
        Takes the text of a position. Returns :data:`Lines`: the text of each option, and for each part of an option a
        weight, which estimates its number of moves. Among options of equal proof numbers, light ones are tried first.
    name_of : callable
        Takes the text of a position, and returns the position, for messages.
    budget : Budget
        The limits of the search.

    Notes
    -----
    A fact about a position is its value, or ``~mask`` of values that it does not have. A fact is proved before it is
    written.
    """

    def __init__(self, options: Callable[[bytes], Lines], name_of: Callable[[bytes], Hashable], budget: Budget) -> None:
        self._options_of = options
        self._name_of = name_of
        self._budget = budget
        self._texts = np.zeros(1 << 14, np.uint8)
        self._positions = np.zeros((1 << 9, ROW), np.int64)
        self._slots = np.zeros(1 << 10, np.int64)
        self._options = np.zeros(1 << 13, np.int32)
        self._numbers = np.zeros((1 << 9, 3), np.int64)
        self._frames = np.zeros((1 << 6, FRAME), np.int64)
        self._state = np.zeros(STATE, np.int64)
        self._expanded = 0

    def is_lost(self, total: Lines, nimber: int) -> bool:
        """Return True if a sum, the only line of ``total``, is a P-position beside a heap of size ``nimber``.

        Raises ValueTooLargeError if the heap of a couple is above 62, CycleError if the search returns to a position on
        its stack, and LimitError if a limit is reached.
        """
        state = self._state
        self._frames[0] = -1, nimber, self._write_sums(total), NEVER, NEVER, 0, 0, NEVER
        state[DEPTH] = 0
        while True:
            loop = runner(proof_loop, self._work)
            status = loop(self._positions, self._options, self._numbers, self._frames, state, _STEPS_A_CALL)
            if status == DECIDED:
                return bool(state[RESULT])
            if status == EXPAND:
                self._expand(int(state[TO_EXPAND]))
            elif status == FULL:
                self._grow()
            elif status == TOO_LARGE:
                raise ValueTooLargeError
            elif status == CYCLE:
                raise CycleError([self._name_of(text) for text in self._cycle()])
            else:
                self._budget.check(int(state[DEPTH]), measured=True)

    def number(self, text: bytes, weight: int = 0) -> int:
        """Return the number of the position with a text; if the position is new, add it with this weight."""
        self._expanded += 1
        start = self._write_sums((np.frombuffer(text + b"\n", np.uint8), np.array([weight], np.int64)))
        return int(self._options[start + 1])

    def text(self, number: int) -> bytes:
        """Return the text of the position with this number."""
        start, size = int(self._positions[number, TEXT]), 64
        while (end := (beginning := self._texts[start : start + size].tobytes()).find(b"!")) < 0:
            size *= 4
        return beginning[: end + 1]

    def fact(self, number: int) -> int:
        """Return the fact about the position with this number: its value, ``~mask``, or UNKNOWN if none was written."""
        return int(self._positions[number, FACT])

    def keep(self, number: int, fact: int) -> None:
        """Write a fact about the position with this number.

        Raises LimitError if the position has no fact yet and the tables are full.
        """
        if self._positions[number, FACT] == UNKNOWN:
            self._budget.keep()
        self._positions[number, FACT] = fact

    def facts(self) -> dict[bytes, int]:
        """Return all facts: text of a position -> its value, or ``~mask`` of values that it does not have."""
        facts = self._positions[: self._state[POSITIONS], FACT]
        return {self.text(number): int(facts[number]) for number in np.flatnonzero(facts != UNKNOWN).tolist()}

    @property
    def depth(self) -> int:
        """The index of the top question on the stack."""
        return int(self._state[DEPTH])

    @property
    def _work(self) -> int:
        """The ``size`` for ``runner``: 0 (plain Python) for the first 100 positions, then COMPILED_FROM (compiled)."""
        return COMPILED_FROM if self._expanded > _PLAIN_POSITIONS else 0

    def _expand(self, number: int) -> None:
        """Write the options of the position with this number into the arrays; raise LimitError at a limit."""
        self._budget.check(self.depth, measured=True)
        options = self._options_of(self.text(number))
        if self._positions[number, FACT] == UNKNOWN:
            self._budget.keep()
        self._write_sums(options, number)
        self._budget.visited += 1
        self._expanded += 1

    def _write_sums(self, sums: Lines, number: int = -1) -> int:
        """Write sums into the arrays, and return the index of the first sum in ``_options``.

        Unless ``number`` is negative, the sums become the options of the position with this number.
        """
        lines, weights = sums
        state, size = self._state, len(lines)
        self._texts = _with_room(self._texts, int(state[TEXTS]) + size)
        self._options = _with_room(self._options, int(state[OPTIONS]) + size + 2)
        self._positions = _with_room(self._positions, int(state[POSITIONS]) + size // 2 + 1)
        if len(self._slots) < 2 * len(self._positions):
            self._slots = np.zeros(1 << (2 * len(self._positions) - 1).bit_length(), np.int64)
            runner(hash_loop, self._work)(self._store)
        seen = np.empty(1 << size.bit_length(), np.int64)
        loop = runner(write_sums_loop, self._work)
        return loop(lines, weights, self._store, seen, self._options, number)

    @property
    def _store(self) -> Store:
        return Store(self._texts, self._positions, self._slots, self._state)

    def _grow(self) -> None:
        """Make room on the stack, and double the table of couples if it is half full."""
        self._frames = _with_room(self._frames, int(self._state[DEPTH]) + 3)
        if 2 * self._state[NUMBERS] >= len(self._numbers):
            numbers = np.zeros((2 * len(self._numbers), 3), np.int64)
            runner(copy_couples_loop, self._work)(self._numbers, numbers)
            self._numbers = numbers

    def _cycle(self) -> list[bytes]:
        """Return the texts of the positions of a cycle, each once.

        The stack has an earlier question about the position of the top question. The cycle begins there.
        """
        path = [number for number in self._frames[: self._state[DEPTH] + 1, ASKED].tolist() if number >= 0]
        return [self.text(number) for number in dict.fromkeys(path[path.index(path[-1]) :])]


def _with_room(array: Array, rows: int) -> Array:
    """Return the array itself if it has at least ``rows`` rows, otherwise a longer copy.

    The copy has at least ``rows`` rows, and at least twice as many as the array.
    """
    return array if len(array) >= rows else longer(array, max(2 * len(array), rows))


_OVER = "!"
"""The text of a position of a TextRuleset where play is over. Its value is 0, and it gets no number."""


class ProofNumberSolver:
    """A nimber search by proof numbers among the positions of one ruleset, with the main methods of :class:`Solver`.

    Positions of a :class:`TextRuleset` are texts already. Under other rules the text of a position is its index in the
    list of all positions that the search has seen.

    References
    ----------
    T. Čížek, M. Balko, M. Schmid, Massively parallel proof-number search for impartial games and beyond (2025).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> from graphgame.labs.search.nimber_search import Budget
    >>> solver = ProofNumberSolver("sprouts", ruleset("sprouts"), Budget(1000))
    >>> solver.value(["0.0.0!", "0.0!"]), solver.has_value(["0.0.0!"], 0)
    (1, False)
    """

    def __init__(self, name: str, ruleset: Ruleset, budget: Budget) -> None:
        self._ruleset = ruleset
        self._moves = Solver(name, ruleset, budget)
        self._search = CoupleSearch(self._options, self._position, budget)
        self._numbers: dict[Hashable, int] = {}
        # For rules other than a TextRuleset: the positions that the search has seen, and their indices in this list.
        self._indices: dict[Hashable, int] = {}
        self._seen: list[Hashable] = []

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions; the errors are those of :meth:`has_value`."""
        total = 0
        for part in self._moves.parts(positions):
            total ^= next(nimber for nimber in count() if self.has_value([part], nimber))
        return total

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Return True if the Grundy value of a sum of positions is ``nimber``.

        Raises LimitError if a limit is reached, and CycleError if the search finds that play can return to a position.
        """
        parts = self._moves.parts(positions)
        try:
            if nimber <= LARGEST_NIMBER:
                return self._search.is_lost(self._lines([parts]), nimber)
        except ValueTooLargeError:
            pass
        return self._moves.has_value(parts, nimber)

    @property
    def facts(self) -> Facts:
        """All facts: canonical position -> its value, or ``~mask`` of the values that are excluded."""
        return self._moves.facts | {self._position(text): fact for text, fact in self._search.facts().items()}

    def fact(self, position: Hashable) -> int:
        """Return the fact about a canonical position: its value, or ``~mask`` of the excluded values (-1 if none)."""
        return 0 if self._text(position) == _OVER else self._search.fact(self._number(position))

    def keep(self, position: Hashable, fact: int) -> None:
        """Write a fact about a canonical position, unless it is a value above 62, or excludes a value above 61.

        A fact about ``!``, the text of a finished game, is not written either.
        """
        fits = fact <= LARGEST_NIMBER and (~fact).bit_length() <= LARGEST_NIMBER
        if fits and self._text(position) != _OVER:
            self._search.keep(self._number(position), fact)

    def _options(self, text: bytes) -> Lines:
        """Return the options of the position with a text.

        If a theorem gives the outcome of this position, also write it as a fact, except under a :class:`TextRuleset`.
        """
        if isinstance(self._ruleset, TextRuleset):
            return self._ruleset.option_lines(text)
        position = self._position(text)
        if (fact := self._moves.outcome_fact(position)) != UNKNOWN:
            self.keep(position, fact)
        return self._lines(self._moves.options(position))

    def _lines(self, sums: Sequence[Summands]) -> Lines:
        """Return sums of canonical positions as :data:`Lines`; a part's weight is the rules' estimate of its moves."""
        text = "".join("".join(map(self._text, parts)) + "\n" for parts in sums)
        weights = [self._moves.moves(part) for parts in sums for part in parts]
        return np.frombuffer(bytearray(text, "latin-1"), np.uint8), np.array(weights, np.int64)

    def _text(self, position: Hashable) -> str:
        """Return the text of a position: under a TextRuleset the position itself, otherwise its index and ``!``.

        The index is the position's index in the list ``_seen``. A position that is not in the list is appended to it.
        If the solver ``_moves`` has a fact about this position, the search gets the fact, too.
        """
        if isinstance(self._ruleset, TextRuleset):
            return str(position)
        index = self._indices.setdefault(position, len(self._seen))
        if index == len(self._seen):
            self._seen.append(position)
            if (fact := self._moves.fact(position)) != UNKNOWN:
                self.keep(position, fact)
        return f"{index}!"

    def _position(self, text: bytes) -> Hashable:
        return text.decode("latin-1") if isinstance(self._ruleset, TextRuleset) else self._seen[int(text[:-1])]

    def _number(self, position: Hashable) -> int:
        number = self._numbers.get(position)
        if number is None:
            text = self._text(position).encode("latin-1")
            number = self._numbers[position] = self._search.number(text, self._moves.moves(position))
        return number


ROW, STATE = 5, 7
"""The number of fields of a position, and of the state of a search."""

FACT, WEIGHT, BEGIN, COUNT, TEXT = range(5)
"""The fields of a position: its fact, its weight, the index of its first option in ``options`` (-1 if its options are
not written yet), the number of its options, and the index of its text in ``Store.texts``."""

POSITIONS, TEXTS, OPTIONS, NUMBERS, DEPTH, TO_EXPAND, RESULT = range(7)
"""The fields of the state: the used lengths of four arrays, the index of the top question on the stack, the position
whose options the caller must write, and the last answer (1 if the couple is lost, otherwise 0)."""

_END, _NEW_LINE = 33, 10


class Store(NamedTuple):
    """The positions that the search has seen, and a hash table that maps their texts to their numbers."""

    texts: Array  # all texts, one after another
    positions: Array  # a row for each position, with its five fields: FACT, WEIGHT, ..., TEXT
    slots: Array  # the hash table: one more than the position's number, or 0 in a free slot
    state: Array  # the seven fields of the state: POSITIONS, TEXTS, ..., RESULT


@compiled
def write_sums_loop(lines: Array, weights: Array, store: Store, seen: Array, options: Array, position: int) -> int:
    """Write sums, given as :data:`Lines`, into ``options``; return the index of the first sum.

    A part is written as its number; a new part is added to the store. Equal sums are written once. Unless ``position``
    is negative, the sums become the options of that position. ``seen`` is scratch memory for a hash table.
    """
    # Each sum is written at index ``at``, which advances only if the sum is new: there must be room for one more sum.
    at = first = store.state[OPTIONS]
    sums = count = part = start = 0
    for slot in range(len(seen)):
        seen[slot] = -1
    for index in range(len(lines)):
        code = lines[index]
        if code == _END:
            if index > start:
                number = _numbered(lines, start, weights[part], store)
                count = _insert_part(options, at + 1, count, number)
            part += 1
            start = index + 1
        elif code == _NEW_LINE:
            start = index + 1
            options[at] = count
            if _is_new(options, seen, at):
                at += count + 1
                sums += 1
            count = 0
    store.state[OPTIONS] = at
    if position >= 0:
        store.positions[position, COUNT] = sums
        store.positions[position, BEGIN] = first
    return int(first)


@inlined
def _insert_part(options: Array, begin: int, count: int, number: int) -> int:
    """Insert the number of a part into the sorted ``options[begin:begin + count]``; return the new count.

    If the part is there already, it is removed instead.
    """
    index = begin + count
    while index > begin and options[index - 1] > number:
        index -= 1
    # Two equal parts cancel: their nim-sum is 0.
    if index > begin and options[index - 1] == number:
        for later in range(index, begin + count):
            options[later - 1] = options[later]
        return count - 1
    for later in range(begin + count, index, -1):
        options[later] = options[later - 1]
    options[index] = number
    return count + 1


@inlined
def _is_new(options: Array, seen: Array, at: int) -> bool:
    """Return True if the sum at index ``at`` is not in the hash table ``seen`` yet; then enter it."""
    key = 0
    for index in range(at, at + 1 + options[at]):
        key = scattered(key ^ options[index])
    slot = key & (len(seen) - 1)
    while seen[slot] >= 0:
        equal = True
        for step in range(options[at] + 1):
            equal = equal and options[seen[slot] + step] == options[at + step]
            if not equal:
                break
        if equal:
            return False
        slot = (slot + 1) & (len(seen) - 1)
    seen[slot] = at
    return True


@inlined
def _hashed(texts: Array, start: int) -> tuple[int, int]:
    """Return a hash of the text that begins at index ``start``, and the index of the ``!`` that ends it."""
    key, index = 0, start
    while texts[index] != _END:
        key = scattered(key + texts[index])
        index += 1
    return key, index


@inlined
def _numbered(lines: Array, start: int, weight: int, store: Store) -> int:
    """Return the number of the position whose text begins at index ``start`` of the lines.

    If the position is new, add it to the store. ``weight`` is its field WEIGHT, as explained for :data:`Lines`.
    """
    texts, positions, slots, state = store
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
def hash_loop(store: Store) -> None:
    """Enter all positions into the hash table, which must be empty."""
    texts, positions, slots, state = store
    for number in range(state[POSITIONS]):
        key, _ = _hashed(texts, positions[number, TEXT])
        slot = key & (len(slots) - 1)
        while slots[slot] > 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1


FRAME = 8
"""The number of fields of a question on the stack."""

ASKED, BESIDE, _SUM, _WON, _LOST, _WON_BESIDES, _LOST_BESIDES, _EITHER = range(8)
"""The fields of a question. ASKED is the position, or -1 for a sum; then _SUM is the index of the sum in ``options``.
BESIDE is the size of the heap. The other fields bound the proof numbers (won, lost) with which the search stays at the
question: won must be below _WON, lost below _LOST, and the smaller of won + _WON_BESIDES and lost + _LOST_BESIDES below
_EITHER. The last bound belongs to a sum lower on the stack, whose search evaluates one of its parts. The questions from
that part up to this one have other moves, too: these add _WON_BESIDES and _LOST_BESIDES to the part's proof numbers."""

DECIDED, EXPAND, FULL, TOO_LARGE, CYCLE, STEPS_OVER = range(6)
"""Reasons for which the loop returns: the first question is decided; the loop needs the options of a position; the
stack or the table of couples is full; the heap of a couple is above 62; play returns to a position; ``steps`` steps are
done."""

NEVER, LARGEST_NIMBER, NIMBER_BITS, LIVES_BITS = 1 << 60, 62, 6, 24
"""The proof number of a statement that is disproved; the largest value; the number of bits for the size of the heap in
the key of a couple; and the number of low bits of a weight that are the number of moves. The higher bits of a weight
estimate the length of play."""

_LARGEST_NUMBER = 1 << 40
"""The maximum proof number of a couple that is not decided, so that sums of proof numbers stay below NEVER."""

_HEAP_WEIGHT, _PART_WEIGHT = 4 << LIVES_BITS, 1 << 20
"""Of several best moves, the search takes the one with the least total. The total is the sum of the weights of the
unknown parts, minus _PART_WEIGHT for each of them, plus _HEAP_WEIGHT times the size of the heap."""

_MOST_GUESSED_MOVES, _MOVES_A_POSITION = 4000, 8
"""The second proof number of a couple that is not searched yet is a guess: 1 + (length of play + number of moves) // 8.
Here the number of moves counts as at most 4000."""


@compiled
def copy_couples_loop(old: Array, new: Array) -> None:
    """Copy all couples from a table of couples into a larger one, which must be empty."""
    for row in range(len(old)):
        if old[row, 0] > 0:
            slot = _slot_of(new, old[row, 0])
            new[slot, 0], new[slot, 1], new[slot, 2] = old[row, 0], old[row, 1], old[row, 2]


@compiled
def proof_loop(positions: Array, options: Array, numbers: Array, frames: Array, state: Array, steps: int) -> int:
    """Answer the question at the bottom of the stack ``frames``, with the answer in ``state``; return DECIDED.

    Return EXPAND, FULL, TOO_LARGE or CYCLE earlier if the caller must act, and STEPS_OVER after ``steps`` steps. The
    arrays contain the whole state of the search, so the next call goes on from there.
    """
    depth, status = state[DEPTH], DECIDED
    while depth >= 0:
        if steps == 0:
            status = STEPS_OVER
            break
        steps -= 1
        # At most half of the rows of the table may be taken, and a step may push a question onto the stack.
        if state[NUMBERS] * 2 >= len(numbers) or depth + 2 >= len(frames):
            status = FULL
            break
        part, nimber = frames[depth, ASKED], frames[depth, BESIDE]
        if part < 0:
            # The question is about a sum. If all values of its parts are known, answer it. If one is unknown, ask about
            # a couple: this part and a heap. If more are unknown, evaluate one of these parts first.
            unknown, part, value, _, needed = _examine(positions, numbers, options, frames[depth, _SUM])
            if unknown == 0:
                state[RESULT] = 1 if nimber == value else 0
                depth -= 1
            elif unknown == 1:
                frames[depth, ASKED], frames[depth, BESIDE] = part, nimber ^ value
            elif _is_within_limits(frames, depth, needed, needed):
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
            state[TO_EXPAND] = part
            status = EXPAND
            break
        # An earlier question on the stack may be about the same position only if its heap is larger. Otherwise play has
        # returned to the position.
        earlier = 0
        while earlier < depth and (frames[earlier, ASKED] != part or frames[earlier, BESIDE] > nimber):
            earlier += 1
        if earlier < depth:
            status = CYCLE
            break
        depth = _step(positions, options, numbers, frames, state, depth, part, nimber)
    state[DEPTH] = depth
    return status


@inlined
def _step(
    positions: Array, options: Array, numbers: Array, frames: Array, state: Array, depth: int, part: int, nimber: int
) -> int:
    """Make one step of the search at the couple on top of the stack; return the new depth of the stack.

    The couple is the position ``part`` beside a heap of size ``nimber``. The step computes the couple's proof numbers
    from its moves. If the moves decide the couple, write a fact about ``part``. If a proof number reaches a limit,
    store both numbers and pop the couple. Otherwise push the best move.
    """
    # There are two kinds of moves: to an option beside the same heap, and to the same position beside a smaller heap.
    at, undecided, hit = positions[part, BEGIN], 0, 0
    # won and second: the smallest and the second smallest of the moves' second proof numbers (equal if two moves share
    # the smallest). lost: the sum of the moves' first proof numbers. chosen: the best move so far: index + 1 of an
    # option, -1 - heap for a smaller heap, or 0 for no move. own: its first proof number. order: its weight.
    won = second = NEVER
    lost = own = order = chosen = 0
    for _ in range(positions[part, COUNT]):
        unknown, last, value, weight, needed = _examine(positions, numbers, options, at)
        beside = nimber ^ value
        if unknown == 0 and value <= LARGEST_NIMBER:
            hit |= 1 << value
        elif unknown > 0:
            undecided += 1
            move_won = move_lost = needed
            if unknown == 1 and beside <= LARGEST_NIMBER:
                move_won, move_lost = _numbers(positions, numbers, last, beside)
            if move_won > 0:
                lost += move_won
                weight += beside * _HEAP_WEIGHT
                if move_lost < won or (move_lost == won and (chosen == 0 or weight < order)):
                    won, second, order, own, chosen = move_lost, won, weight, move_won, at + 1
                else:
                    second = min(second, move_lost)
        at += options[at] + 1
    fact = positions[part, FACT] & ~hit
    # If all options have known values, the value of the position is their mex: the least value that is not excluded,
    # the index of the lowest set bit of a negative fact.
    if undecided == 0:
        value = lowest(fact)
        fact = value if value <= LARGEST_NIMBER else fact
    positions[part, FACT] = fact
    if fact >= 0 or ~fact >> nimber & 1:
        return depth
    free = 0
    for heap in range(nimber):
        if ~fact >> heap & 1 == 0:
            free += 1
            move_won, move_lost = _numbers(positions, numbers, part, heap)
            lost += move_won
            weight = positions[part, WEIGHT] - _PART_WEIGHT + heap * _HEAP_WEIGHT
            if move_lost < won or (move_lost == won and (chosen == 0 or weight < order)):
                won, second, order, own, chosen = move_lost, won, weight, move_won, -1 - heap
            else:
                second = min(second, move_lost)
    # The couple is won if a move leads to a lost couple, or if the heap is too large to be the value: with u undecided
    # options, the value is one of the u + 1 smallest nimbers that are not excluded.
    if won == 0 or free > undecided:
        positions[part, FACT] = fact & ~(1 << nimber)
        return depth
    # All moves lead to won couples: the couple is lost, so the value is the size of the heap.
    if chosen == 0:
        positions[part, FACT] = nimber
        return depth
    lost = min(lost, _LARGEST_NUMBER)
    if not _is_within_limits(frames, depth, won, lost):
        key = (part << NIMBER_BITS | nimber) + 1
        slot = _slot_of(numbers, key)
        numbers[slot, 1], numbers[slot, 2] = won, lost
        if numbers[slot, 0] == 0:
            state[NUMBERS] += 1
            numbers[slot, 0] = key
        return depth - 1
    below = depth + 1
    if chosen < 0:
        frames[below, ASKED], frames[below, BESIDE] = part, -1 - chosen
    else:
        frames[below, ASKED], frames[below, BESIDE], frames[below, _SUM] = -1, nimber, chosen - 1
    # The search stays at the move as long as this couple is within its limits and no other move is better. The second
    # number of the move is the first number of this couple, and the first number of the move is a term of the second
    # number of this couple. So the two limits change places.
    frames[below, _WON] = frames[depth, _LOST] - lost + own
    frames[below, _LOST] = min(frames[depth, _WON], second + 1)
    frames[below, _WON_BESIDES] = frames[depth, _LOST_BESIDES] + lost - own
    frames[below, _LOST_BESIDES] = frames[depth, _WON_BESIDES]
    frames[below, _EITHER] = frames[depth, _EITHER]
    return below


@inlined
def _examine(positions: Array, numbers: Array, options: Array, at: int) -> tuple[int, int, int, int, int]:
    """Return ``(unknown, lightest, value, weight, needed)`` for the sum at index ``at`` of ``options``.

    ``unknown`` is the number of parts whose value is not known. ``lightest`` is the one of least weight, or -1 if there
    is none. ``value`` is the nim-sum of the known values. ``weight`` is the sum of the unknown parts' weights, each
    minus _PART_WEIGHT. ``needed`` estimates how many positions must be decided to compute the unknown values. It is
    computed only for a sum of two or more parts, otherwise it is 0.
    """
    unknown = value = weight = needed = least = 0
    lightest = -1
    for index in range(at + 1, at + 1 + options[at]):
        part: int = options[index]
        fact = positions[part, FACT]
        if fact >= 0:
            value ^= fact
            continue
        unknown += 1
        weight += positions[part, WEIGHT] - _PART_WEIGHT
        if options[at] > 1:
            won, lost = _numbers(positions, numbers, part, lowest(fact))
            needed += min(won, lost)
        if lightest < 0 or positions[part, WEIGHT] < least:
            lightest, least = part, positions[part, WEIGHT]
    return unknown, lightest, value, weight, needed


@inlined
def _numbers(positions: Array, numbers: Array, part: int, nimber: int) -> tuple[int, int]:
    """Return the two proof numbers of a couple: to prove that it is an N-position, and that it is a P-position.

    The couple is the position ``part`` beside a heap of size ``nimber``. If the fact in ``positions`` decides it, one
    number is 0, and the other is NEVER. Otherwise they come from the table of couples, ``numbers``, or are a guess.
    """
    fact = positions[part, FACT]
    if fact >= 0:
        return (NEVER, 0) if fact == nimber else (0, NEVER)
    if ~fact >> nimber & 1:
        return 0, NEVER
    slot = _slot_of(numbers, (part << NIMBER_BITS | nimber) + 1)
    if numbers[slot, 0] > 0:
        return int(numbers[slot, 1]), int(numbers[slot, 2])
    weight = positions[part, WEIGHT]
    # A first guess: if there are many moves, and play is long, much must be decided to prove the couple lost.
    moves = min(weight & (1 << LIVES_BITS) - 1, _MOST_GUESSED_MOVES)
    return 1, 1 + ((weight >> LIVES_BITS) + moves) // _MOVES_A_POSITION


@inlined
def _slot_of(numbers: Array, key: int) -> int:
    """Return the row of a key in the table of couples, or the free row where the key belongs.

    The key of a couple is (position << NIMBER_BITS | heap) + 1.
    """
    # Rows are never removed, so the search ends at the first free row.
    slot = scattered(key) & (len(numbers) - 1)
    while numbers[slot, 0] > 0 and numbers[slot, 0] != key:
        slot = (slot + 1) & (len(numbers) - 1)
    return slot


@inlined
def _ask_part(positions: Array, numbers: Array, frames: Array, depth: int, part: int, needed: int) -> int:
    """Push a question about ``part``, an unknown part of the sum at ``depth``; return the new depth.

    The question is the couple of ``part`` and the least value that it may have. ``needed`` is the proof number of the
    sum. The new limits make the search leave the question as soon as this number would reach a limit of the sum.
    """
    # Either answer helps, so the smaller of the two proof numbers of the part counts. It is a term of the proof number
    # of the sum, which may grow by ``spare`` before it reaches a limit. So this term may grow by ``spare``, too.
    least = lowest(positions[part, FACT])
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
def _is_within_limits(frames: Array, depth: int, won: int, lost: int) -> bool:
    """Return True if the search may stay at the question at ``depth`` with the proof numbers ``won`` and ``lost``.

    The limits are the fields _WON, _LOST and _EITHER of the question.
    """
    either = min(won + frames[depth, _WON_BESIDES], lost + frames[depth, _LOST_BESIDES])
    return bool(won < frames[depth, _WON] and lost < frames[depth, _LOST] and either < frames[depth, _EITHER])
