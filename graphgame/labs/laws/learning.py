"""Automata that are guessed from a table, or made from a formula or by a theorem on Wythoff's games. No proofs here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import lgamma, log, log2

import numpy as np

from graphgame.errors import LimitError, ParameterError
from graphgame.labs.laws.automata import Automaton, Numeration, explored, numeration_of, valid
from graphgame.labs.laws.claims import VALUE, formula_set, width_of_pairs
from graphgame.labs.laws.formulas import Formula

_MOST_STATES = 400
_MOST_ENDINGS = 40_000
"""Maximum number of tuples of endings by which states are distinguished."""

_SHORTER = 4
"""An automaton is shorter than a table if a list of the entries takes at least this many times as many bits."""

_MOST_VALUE = 16
"""If no value is larger than this, :func:`_agrees` tries all values up to 1 above the largest at each entry: the
automaton must accept the right one, and no other."""


def learned(numeration: Numeration, names: tuple[str, ...], members: np.ndarray) -> Automaton | None:
    """Return an automaton that is made from a part of a table and agrees with the whole table, or None.

    Parameters
    ----------
    numeration : Numeration
    names : tuple of str
        The names of the axes of the table.
    members : ndarray of bool or int
        The table: whether each tuple is in the set; or the value of each tuple, for the set of tuples with their value.

    Notes
    -----
    Two words lead to the same state if the table has the same entries for both words, continued by any ending up to
    some length. This length is increased until the automaton agrees with the whole table. If there are values above 16,
    it is not checked that the automaton gives no tuple a second value. The automaton is a guess and proves nothing.
    """
    size, tracks = min(members.shape), names if members.dtype == bool else (*names, VALUE)
    length = numeration.length(size - 1)
    if numeration.weights(length + 1)[-1] > size:
        length -= 1
    for ending in range(1, length):
        if numeration.weights(ending + 1)[ending] ** members.ndim > _MOST_ENDINGS:
            break
        automaton = _automaton(numeration, tracks, _Table(members, numeration, ending))
        if automaton is not None and _agrees(automaton, tracks, members):
            return automaton
    return None


def is_shorter(automaton: Automaton, table: np.ndarray, known: np.ndarray) -> bool:
    """Return whether an automaton takes at most a quarter of the bits that the known entries of a table take.

    The entries take log2(t) bits, where t is the number of tables with the same count of each entry. The boolean array
    ``known`` marks the known entries.
    """
    alive = automaton.alive()
    states = max(int(alive.sum()), 2)
    bits = int((alive[automaton.table] & alive[:, None]).sum()) * log2(states)
    # The number of tables with the same count of each entry is a multinomial coefficient. Its logarithm to base 2 is
    # the number of bits that select this table among them.
    counts = np.unique(table[known], return_counts=True)[1].tolist()
    listed = (lgamma(sum(counts) + 1) - sum(lgamma(count + 1) for count in counts)) / log(2)
    return _SHORTER * bits <= listed


class _Table:
    """A table that is read by digits: for a prefix of each number, it gives the entries for all endings at once.

    An ending is a word of at most ``ending`` digits after a prefix.
    """

    def __init__(self, members: np.ndarray, numeration: Numeration, ending: int) -> None:
        self.valued, self.numeration = members.dtype != bool, numeration
        # The entry of a number n is at the index n + 1. The index 0 of each axis is for endings that may not follow: no
        # tuple with such an ending is in the set.
        self.entries = np.pad(members, (1, 0), constant_values=-1 if self.valued else False)
        # counts[length][state]: how many endings of this length may follow a word that leads to this state. Sort all
        # endings of this length by the numbers that they represent: the endings that may follow are the first ones.
        self.counts = [np.ones(len(numeration.follows), np.int64)]
        for _ in range(ending):
            self.counts.append(np.append(self.counts[-1], 0)[numeration.follows].sum(axis=1))

    def behaviour(self, prefixes: tuple[tuple[int, ...], ...]) -> bytes:
        """Return, as bytes, the entries of all tuples whose numbers begin with these prefixes, one for each track.

        Each number is its prefix and an ending; all endings in a tuple have the same length. For a set, an entry says
        whether the tuple is in it. For values, the last prefix belongs to the tuple's value. If this value does not
        consist of the prefix and an ending of the length of the others, the entry is 0. Otherwise the entry is 1 plus
        the number of smaller values that do. The result is b"" if a prefix is no valid word, or if all entries are 0.

        Raises
        ------
        IndexError
            One of the tuples is beyond the table.
        """
        blocks = []
        for length, counts in reversed([*enumerate(self.counts)]):
            endings, indices = np.arange(counts[0]), []
            for prefix in prefixes:
                state = 0
                for digit in prefix:
                    state = int(self.numeration.follows[state, digit])
                    if state < 0:
                        return b""
                first, allowed = self.numeration.number([*prefix, *[0] * length]), endings < counts[state]
                indices.append(np.where(allowed, endings + first + 1, 0))
            block = self.entries[np.ix_(*indices[: self.entries.ndim])]
            if self.valued:
                # The words of ``prefixes[-1]`` and an ending represent consecutive numbers, from ``first`` on. Replace
                # an entry that is one of these numbers by its distance from ``first`` plus 1, all other entries by 0.
                block = np.where((block >= first) & (block < first + allowed.sum()), block - first + 1, 0)
            blocks.append(block)
        return b"".join(map(np.ndarray.tobytes, blocks)) if any(map(np.any, blocks)) else b""

    def has(self, prefixes: tuple[tuple[int, ...], ...]) -> bool:
        """Return whether the tuple of the numbers that the words ``prefixes`` represent is in the set."""
        numbers = tuple(self.numeration.number(list(prefix)) + 1 for prefix in prefixes)
        entry = self.entries[numbers[: self.entries.ndim]]
        return bool(entry + 1 == numbers[-1]) if self.valued else bool(entry)


def _automaton(numeration: Numeration, tracks: tuple[str, ...], table: _Table) -> Automaton | None:
    """Return an automaton in which prefixes lead to the same state if the table has the same entries after them.

    The entries after a prefix are those that :meth:`_Table.behaviour` returns. ``tracks`` has the names of the table's
    axes; for values, also ``VALUE`` at the end. The result is None if there are more than 400 states, or if a prefix
    with some digits after it is a number beyond the table.
    """
    start: tuple[tuple[int, ...], ...] = tuple(() for _ in tracks)
    shortest: dict[bytes, tuple[tuple[int, ...], ...]] = {}
    symbols = [tuple(reversed(each)) for each in product(range(numeration.digits), repeat=len(tracks))]

    def state_of(prefixes: tuple[tuple[int, ...], ...]) -> bytes:
        # Leading zeros make no difference, so they lead back to the start.
        prefixes = prefixes if any(map(any, prefixes)) else start
        behaviour = table.behaviour(prefixes)
        shortest.setdefault(behaviour, prefixes)
        return behaviour

    def ends(state: bytes) -> Iterator[bytes]:
        for symbol in symbols:
            yield state_of(tuple((*prefix, digit) for prefix, digit in zip(shortest[state], symbol, strict=True)))

    def accepts(state: bytes) -> bool:
        return state != b"" and table.has(shortest[state])

    try:
        automaton = explored(numeration, tracks, state_of(start), ends, accepts, most=_MOST_STATES)
    except (IndexError, LimitError):
        return None
    return automaton & valid(numeration, tracks)


def _agrees(automaton: Automaton, tracks: tuple[str, ...], members: np.ndarray) -> bool:
    axes: list[np.ndarray] = list(np.indices(members.shape))

    def holds(*values: np.ndarray) -> np.ndarray:
        return automaton.contains(**dict(zip(tracks, [*axes, *values], strict=True)))

    if members.dtype == bool:
        return np.array_equal(holds(), members)
    if members.max() > _MOST_VALUE:  # too many values to try each; a proof will show that no tuple has a second value
        return bool(holds(members).all())
    values = range(int(members.max()) + 2)
    return all(np.array_equal(holds(np.asarray(value)), members == value) for value in values)


WIDTHS = range(1, 8)
"""The widths, that is the numbers r, for which the search tries the pairs of r-Wythoff."""


def wythoff_pairs(width: int, names: tuple[str, str]) -> Automaton:
    """Return the pairs (floor(k alpha), floor(k alpha) + k width) for k = 0, 1, ..., in both orders.

    Here alpha = (2 - width + sqrt(width**2 + 4)) / 2. In the numeration with W(n) = width W(n-1) + W(n-2), the smaller
    number of a pair ends with an even number of zeros. The larger number has the same digits and one more 0 at the end
    (Fraenkel 1982).

    >>> pairs = wythoff_pairs(1, ("a", "b"))
    >>> [(a, b) for a in range(8) for b in range(a, 14) if pairs.contains(a=a, b=b)]
    [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)]
    """
    numeration = numeration_of(f"Fibonacci {width}" if width > 1 else "Fibonacci")
    digits = numeration.digits

    # The larger number has the digits of the smaller one and a 0 at the end. So a state is a pair (digit, parity). The
    # digit is the last one read of the larger number, and must be the next one of the smaller number. The parity is
    # that of the number of zeros at the end of the smaller number so far; it is None before the first nonzero digit of
    # this number. The dead state is None.
    def ends(state: tuple[int, int | None] | None) -> Iterator[tuple[int, int | None] | None]:
        for larger, smaller in product(range(digits), repeat=2):
            if state is None or smaller != state[0]:
                yield None
            elif not smaller and state[1] is None:
                yield larger, None
            else:
                yield larger, 0 if smaller or state[1] is None else 1 - state[1]

    start: tuple[int, int | None] | None = (0, None)
    pairs = explored(numeration, ("x", "y"), start, ends, lambda state: state in ((0, None), (0, 0)))
    pairs &= valid(numeration, ("x", "y"))
    first, second = names
    return pairs.renamed({"x": first, "y": second}) | pairs.renamed({"x": second, "y": first})


def set_of_formula(formula: Formula, of_p: bool) -> Automaton | None:
    """Return the set of P-positions (``of_p``), or of positions with their values, that a formula describes.

    The result is None if the formula cannot be turned into an automaton.
    """
    if of_p and (width := width_of_pairs(formula.text, formula.names)) in WIDTHS:
        first, second = formula.names
        return wythoff_pairs(width, (first, second))
    try:
        return formula_set(formula.text, formula.names, of_p)
    except (ParameterError, LimitError):
        return None
