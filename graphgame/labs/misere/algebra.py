"""The proof that outcomes are right: the transition algebra of a commutative monoid and of moves in it.

Let each position h stand for an element f(h) of a finite commutative monoid Q with a subset P, and a sum X of positions
for the product f(X). Then f tells the outcome of every sum, X being a P-position of misère play exactly if f(X) is in
P, if and only if for every sum X of positions that have options:

1. if f(X) is in P, no option X' has f(X') in P;
2. if f(X) is not in P, some option X' has f(X') in P;

and the empty sum, an N-position, is not in P. That is induction over the length of play. Infinitely many sums are
checked by finitely many pairs: for a sum X let W(X) be the set of elements q such that q f(X') is in P for some option
X' of X; so W tells in which company X has a winning move. Then W(X + Y) consists of the q with q f(Y) in W(X) or
q f(X) in W(Y), so the pair (f(X), W(X)) of a sum follows from those of its parts. Condition 1 holds for all sums if it
holds in W for single positions: no q in W(h) has q f(h) in P. Condition 2 says that f(X) is in P or 1 in W(X). It is
checked on all pairs that occur, found by multiplying with one position after the other. If a pair passes with every
company, so does each pair of the same element with a larger set; so only the least sets are kept. A set that holds all
that condition 1 allows stays so in all company, and needs no further look.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.compiled.engine import COMPILED_FROM
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.play_order import play_order
from graphgame.solution.results import refuse_misere_end

Word = tuple[int, ...]
"""A sum of positions: their numbers, in increasing order."""


@dataclass(frozen=True)
class Positions:
    """Positions in an order in which options come first: each with its different options.

    These are sums of earlier positions that have options themselves.
    """

    labels: list[Hashable]
    options: list[list[Word]]

    def __len__(self) -> int:
        return len(self.labels)


def positions_of(game: GameLike) -> Positions:
    """Return the positions of a graph in the order of their vertex numbers, as far as options allow it.

    Examples
    --------
    >>> heap = GameGraph({2: [1, 0], 1: [0]})
    >>> positions = positions_of(heap)
    >>> positions.labels, positions.options
    ([0, 1, 2], [[], [()], [(), (1,)]])
    """
    graph = GameGraph.of(game)
    refuse_misere_end("misere", graph.decided is not None)
    words: dict[int, Word] = {}
    labels: list[Hashable] = []
    options: list[list[Word]] = []
    for vertex in _options_first(graph):
        row = [words[option] for option in graph.option_rows.row(vertex).tolist()]
        if graph.sums is not None and graph.sums[vertex]:
            words[vertex] = tuple(sorted(part for word in row for part in word))
        else:
            words[vertex] = (len(labels),) if row else ()
            labels.append(graph.labels[vertex])
            options.append(sorted(set(row)))
    return Positions(labels, options)


def _options_first(graph: GameGraph) -> list[int]:
    """Return all vertices, options first; of those that could come next, sums and then the least number."""
    play_order(graph)  # refuses a cycle
    sums, predecessors = graph.sums, graph.predecessor_rows
    waiting_for = graph.option_rows.lengths().tolist()

    def key(vertex: int) -> tuple[bool, int]:
        return sums is None or not sums[vertex], vertex

    ready = [key(vertex) for vertex, count in enumerate(waiting_for) if count == 0]
    heapify(ready)
    found: list[int] = []
    while ready:
        vertex = heappop(ready)[1]
        found.append(vertex)
        for predecessor in predecessors.row(vertex).tolist():
            waiting_for[predecessor] -= 1
            if waiting_for[predecessor] == 0:
                heappush(ready, key(predecessor))
    return found


_FIRST_PAIRS = 1 << 10


class Learned(NamedTuple):
    """A monoid that tells outcomes, with no fewer elements than there must be, as it was learned.

    ``steps`` has the product of each element with each generator; ``lost`` marks the P-portion.
    """

    steps: Array
    lost: Array


class TransitionAlgebra:
    """Pairs of an element and a set of elements, closed under the product; positions are added one by one.

    ``table`` has the product of two elements, of which 0 is the identity; ``lost`` marks the P-portion. ``visited`` is
    called between loops, and may raise. Positions are added in their order, which makes one of sums too: the sum with
    more of the last position in which two differ comes later, so options come first. A sum that fails is the first.
    """

    def __init__(self, table: Array, lost: Array, visited: Callable[[], None] = lambda: None) -> None:
        self._table = np.ascontiguousarray(table, np.int32)
        self._lost = lost
        self._lost_with: Array = lost[table]
        self._visited = visited
        self._tops: list[int] = []
        self._ends = [1]
        self._pairs = np.zeros((_FIRST_PAIRS, 3), np.int32)  # element, the pair it extends, the next of the element
        self._wins = np.zeros((_FIRST_PAIRS, len(lost)), np.bool_)
        self._heads = np.full(len(lost), -1, np.int32)

    def wins(self, options: Iterable[int]) -> Array:
        """Return the set W of a position whose options stand for these elements, as an array of bool."""
        return self._lost_with[sorted(set(options))].max(axis=0)  # type: ignore[no-any-return]

    def candidates(self, wins: Array) -> list[int]:
        """Return the elements that a position with this set could stand for by itself, the likeliest first."""
        possible = ~(self._lost_with & wins).any(axis=1) & (self._lost | wins[0])
        missing = (~self._lost_with & ~wins).sum(axis=1)
        found = np.flatnonzero(possible)
        return found[np.argsort(missing[found], kind="stable")].tolist()  # type: ignore[no-any-return]

    def refuting(self, element: int, wins: Array) -> list[int]:
        """Return the elements in whose company a position in the P-portion has an option in it: condition 1."""
        return np.flatnonzero(wins & self._lost_with[element]).tolist()

    def add(self, position: int, element: int, wins: Array) -> Word | None:
        """Add a position that has options; return the first sum that fails condition 2, and then change nothing."""
        start, level = self._ends[-1], (0, self._ends[-1])
        self._tops.append(position)
        self._ends.append(start)
        while level[0] < level[1]:
            self._visited()
            found = self._extend(element, wins, *level)
            if found is not None:
                word = (*self._word(found), position)
                self._forget(start)
                return word
            level = level[1] if level[0] else start, self._ends[-1]
        return None

    def _extend(self, element: int, wins: Array, begin: int, end: int) -> int | None:
        """Add a position to a range of pairs; return the first for which it fails."""
        while True:
            pairs = _Pairs(self._table, self._lost, self._lost_with, self._pairs, self._wins, self._heads)
            failed, begin, self._ends[-1] = runner(_extend, COMPILED_FROM)(
                pairs, element, wins, begin, end, self._ends[-1]
            )
            if failed:
                return begin
            if begin == end:
                return None
            self._pairs = np.concatenate((self._pairs, np.zeros_like(self._pairs)))
            self._wins = np.concatenate((self._wins, np.zeros_like(self._wins)))

    def _forget(self, start: int) -> None:
        """Remove the position added last."""
        for pair in reversed(range(start, self._ends[-1])):
            element, _, following = self._pairs[pair].tolist()
            self._heads[element] = following
        del self._tops[-1], self._ends[-1]

    def _word(self, pair: int) -> Word:
        letters = []
        while pair:
            letters.append(self._tops[bisect_right(self._ends, pair) - 1])
            pair = int(self._pairs[pair, 1])
        return tuple(reversed(letters))


class _Pairs(NamedTuple):
    """The arrays of a :class:`TransitionAlgebra`."""

    table: Array
    lost: Array

    lost_with: Array
    """Whether the product of two elements is in the P-portion."""

    rows: Array
    """Element, the pair it extends, the next pair of the element."""

    wins: Array
    heads: Array


@compiled
def _extend(algebra: _Pairs, element: int, more: Array, begin: int, end: int, count: int) -> tuple[bool, int, int]:
    """Multiply pairs with a position's until one fails or the memory is full; keep products that may yet fail.

    Where the identity comes with a set, the same sum without its first parts would fail as well: it is not kept.
    """
    table, lost, lost_with, pairs, wins, heads = algebra
    while begin < end:
        if count == len(pairs):
            break
        other = pairs[begin, 0]
        product = table[other, element]
        kept = False
        for q in range(len(lost)):
            wins[count, q] = wins[begin, table[element, q]] | more[table[other, q]]
            kept |= not (wins[count, q] | lost_with[product, q])
        if not lost[product] and not wins[count, 0]:
            return True, begin, count
        kept &= product != 0
        known = heads[product]
        while kept and known >= 0:
            kept = False
            for q in range(len(lost)):
                if wins[known, q] and not wins[count, q]:
                    kept = True
                    break
            known = pairs[known, 2]
        if kept:
            pairs[count, 0] = product
            pairs[count, 1] = begin
            pairs[count, 2] = heads[product]
            heads[product] = count
            count += 1
        begin += 1
    return False, begin, count


def product_of(steps: Array, places: Iterable[int]) -> int:
    """Return the product of some generators."""
    element = 0
    for place in places:
        element = int(steps[element, place])
    return element


def words_of_elements(steps: Array, places: Sequence[int]) -> dict[int, Word]:
    """Return the elements that are products of some generators, each with its first word, shorter words first.

    ``steps`` has the product of each element with each generator; the places of the generators increase.
    """
    words: dict[int, Word] = {0: ()}
    queue = [0]
    for element in queue:
        word = words[element]
        for place in places:
            product = int(steps[element, place])
            if (not word or place >= word[-1]) and product not in words:
                words[product] = (*word, place)
                queue.append(product)
    return words


def multiplication_table(steps: Array) -> tuple[Array, list[Word]]:
    """Return the products of all elements, and each element's first word in the generators, shorter words first.

    ``steps`` has the product of each element with each generator, and every element is a product of generators.
    """
    words = words_of_elements(steps, range(steps.shape[1]))
    table = np.empty((len(steps), len(steps)), steps.dtype)
    table[0] = np.arange(len(steps))
    element_of = {word: element for element, word in words.items()}
    for element, word in words.items():
        if word:
            table[element] = steps[table[element_of[word[:-1]]], word[-1]]
    return table, [words[element] for element in range(len(steps))]
