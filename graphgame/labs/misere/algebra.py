"""The transition algebra: it proves that a commutative monoid gives the right outcome of every sum of positions.

The claim. Let f map each position h to an element f(h) of a finite commutative monoid Q, and let P be a subset of Q.
A sum X of positions maps to the product f(X) of the elements of its parts. The claim is that X is a P-position of
misère play exactly if f(X) is in P. By induction over the length of play this holds for all sums under three
assumptions. The identity 1, the element of the empty sum, is not in P. Each position h without options has f(h) = 1.
And for every sum X of one or more positions that have options:

1. if f(X) is in P, no option X' of X has f(X') in P;
2. if f(X) is not in P, some option X' of X has f(X') in P.

From infinitely many sums to finitely many pairs. Let W(X) be the set of elements q such that q f(X') is in P for some
option X' of X. In other words: if Z is a sum with f(Z) = q, some move in X wins the sum X + Z. Then q is in W(X + Y)
exactly if q f(Y) is in W(X) or q f(X) is in W(Y). Call (f(X), W(X)) the pair of X. The pair of X + Y depends only on
the pairs of X and Y, and there are only finitely many pairs, because Q is finite.

Condition 1 holds for all sums if for each position h, no q in W(h) has q f(h) in P. Condition 2 says that f(X) is in P
or that 1 is in W(X). The algebra checks condition 2 for all pairs that occur: it multiplies the pairs with the pair of
one position after the other.

Three shortcuts keep the number of stored pairs small:

- If all products of a pair satisfy condition 2, so do those of a pair with the same element and a larger set. So a pair
  is not stored if a stored pair has the same element and a subset of its set.
- A pair is closed if W(X) contains every q with q f(X) not in P, that is all q that condition 1 allows. All products of
  a closed pair are closed and satisfy condition 2. So closed pairs are not stored.
- Of the pairs with f(X) = 1 only that of the empty sum is stored. For if X + Y fails condition 2, so does Y, because
  f(Y) = f(X + Y), and W(Y) is a subset of W(X + Y).
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
from graphgame.labs.backend.play_order import play_order
from graphgame.solution.results import refuse_misere_end

Word = tuple[int, ...]
"""A sum of positions: their indices, with repetitions, in increasing order unless a docstring says otherwise."""


@dataclass(frozen=True)
class Positions:
    """Positions in an order in which options come first.

    ``labels[i]`` is the label of position i, and ``options[i]`` lists its distinct options. Each option is a sum of
    earlier positions, given as a tuple of their indices. The tuple leaves out parts without options, because they add
    nothing to a sum; so ``()`` is an option in which play is over.
    """

    labels: list[Hashable]
    options: list[list[Word]]

    def __len__(self) -> int:
        return len(self.labels)


def positions_of(game: GameLike) -> Positions:
    """Return the positions of a graph and their options, as :class:`Positions` explains.

    Each position comes after its options. Of the positions that may be next, the one with the lowest vertex number goes
    first. Sum vertices are not listed. Raise CycleError if play need not end, and ParameterError if some positions are
    decided by the rules.

    Examples
    --------
    >>> heap = GameGraph({2: [1, 0], 1: [0]})
    >>> positions = positions_of(heap)
    >>> positions.labels, positions.options
    ([0, 1, 2], [[], [()], [(), (1,)]])
    """
    graph = GameGraph.of(game)
    refuse_misere_end(True, graph.decided is not None)
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
    """Return all vertices, each after its options.

    Of the vertices that may be next, a sum comes before a position, and a lower number before a higher one.
    """
    play_order(graph)  # raises CycleError if play need not end
    sums, predecessors = graph.sums, graph.predecessor_rows
    waiting_for = graph.option_rows.lengths().tolist()

    def key(vertex: int) -> tuple[bool, int]:
        return sums is None or not sums[vertex], vertex

    ready = [key(vertex) for vertex, count in enumerate(waiting_for) if count == 0]
    heapify(ready)
    ordered: list[int] = []
    while ready:
        vertex = heappop(ready)[1]
        ordered.append(vertex)
        for predecessor in predecessors.row(vertex).tolist():
            waiting_for[predecessor] -= 1
            if waiting_for[predecessor] == 0:
                heappush(ready, key(predecessor))
    return ordered


_FIRST_PAIRS = 1 << 10
"""The number of pairs for which memory is allocated at first. The memory is doubled when it is full."""


class TransitionAlgebra:
    """The pairs (f(X), W(X)) of the sums of the positions added so far, as the docstring of the module defines them.

    Parameters
    ----------
    table : ndarray of int
        ``table[x, y]`` is the product of two elements; 0 is the identity.
    is_p : ndarray of bool
        Which elements are in the P-portion P.
    visited : callable, optional
        Called without arguments before each run of the compiled loop; it may raise an exception to stop the work.

    Notes
    -----
    Sums have an order. To compare two sums, take the last position that they contain different numbers of times: the
    sum with more copies of it comes later. So the options of a sum come before it. :meth:`add` returns the first sum in
    this order that fails condition 2.
    """

    def __init__(self, table: Array, is_p: Array, visited: Callable[[], None] = lambda: None) -> None:
        self._table = np.ascontiguousarray(table, np.int32)
        self._is_p = is_p
        self._is_p_with: Array = is_p[table]
        self._visited = visited
        self._tops: list[int] = []
        self._ends = [1]
        # Pair 0 is the pair of the empty sum. The pairs _ends[i] to _ends[i + 1] - 1 are those of the sums whose last
        # position is _tops[i]. The class _Pairs describes the three arrays; its ``rows`` are _pairs.
        self._pairs = np.zeros((_FIRST_PAIRS, 3), np.int32)
        self._wins = np.zeros((_FIRST_PAIRS, len(is_p)), np.bool_)
        self._heads = np.full(len(is_p), -1, np.int32)

    def wins(self, options: Iterable[int]) -> Array:
        """Return the set W of a position, as a boolean for each element.

        ``options`` has the elements of the position's options, and must not be empty.
        """
        return self._is_p_with[sorted(set(options))].max(axis=0)  # type: ignore[no-any-return]

    def candidates(self, wins: Array) -> list[int]:
        """Return the elements that a position with the set W = ``wins`` could have, the likeliest first.

        With these elements, both conditions hold for the position alone. An element x is likelier if there are fewer
        elements q that are not in W although q x is not in P.
        """
        possible = ~(self._is_p_with & wins).any(axis=1) & (self._is_p | wins[0])
        missing = (~self._is_p_with & ~wins).sum(axis=1)
        elements = np.flatnonzero(possible)
        return elements[np.argsort(missing[elements], kind="stable")].tolist()  # type: ignore[no-any-return]

    def refuting(self, element: int, wins: Array) -> list[int]:
        """Return the elements q in ``wins``, the set W(h), that violate condition 1: q times ``element`` is in P."""
        return np.flatnonzero(wins & self._is_p_with[element]).tolist()

    def add(self, position: int, element: int, wins: Array) -> Word | None:
        """Add a position that has options, with its element and its set W, and return None.

        If a sum then fails condition 2, return the first such sum, and leave the algebra as it was. Positions must be
        added in increasing order.
        """
        # The first round multiplies all earlier pairs by the position; each further round multiplies the pairs that the
        # round before stored. So round k is for sums with k copies of the position. A round that stores no pair is the
        # last one.
        start, begin = self._ends[-1], 0
        self._tops.append(position)
        self._ends.append(start)
        while begin < self._ends[-1]:
            self._visited()
            if self._ends[-1] == len(self._pairs):
                self._pairs = np.concatenate((self._pairs, np.zeros_like(self._pairs)))
                self._wins = np.concatenate((self._wins, np.zeros_like(self._wins)))
            pairs = _Pairs(self._table, self._is_p, self._is_p_with, self._pairs, self._wins, self._heads)
            run = runner(_extend, COMPILED_FROM)
            failed, begin, self._ends[-1] = run(pairs, element, wins, begin, self._ends[-1])
            if failed:
                word = (*self._word(begin), position)
                # Remove the position and its pairs, the newest pair first: it is at the head of its linked list.
                for pair in reversed(range(start, self._ends[-1])):
                    self._heads[self._pairs[pair, 0]] = self._pairs[pair, 2]
                del self._tops[-1], self._ends[-1]
                return word
        return None

    def _word(self, pair: int) -> Word:
        """Return the sum X of the pair (f(X), W(X)) with this index."""
        letters = []
        while pair:
            letters.append(self._tops[bisect_right(self._ends, pair) - 1])
            pair = int(self._pairs[pair, 1])
        return tuple(reversed(letters))


class _Pairs(NamedTuple):
    """The arrays of a :class:`TransitionAlgebra`."""

    table: Array
    is_p: Array

    is_p_with: Array
    """[x, y]: whether the product of the elements x and y is in the P-portion."""

    rows: Array
    """[pair]: three numbers: its element; the pair of the shorter sum, to which one position was added; the next pair
    with the same element, or -1."""

    wins: Array
    """[pair, q]: whether the element q is in the set W(X) of the pair (f(X), W(X))."""

    heads: Array
    """[element]: the newest pair of the element, which starts the linked list of its pairs; -1 if there is none."""


@compiled
def _extend(algebra: _Pairs, element: int, own_wins: Array, begin: int, count: int) -> tuple[bool, int, int]:
    """Multiply the stored pairs ``begin``, ..., ``count`` - 1 by (``element``, ``own_wins``), the pair of a position.

    ``count`` is the number of stored pairs. Store each product, unless a shortcut of the module makes this unnecessary.
    Stop at the first product that fails condition 2, or when the arrays are full.

    Return three values: whether a product failed; the index of the pair whose product failed, or else of the first pair
    that was not multiplied; and the new number of stored pairs.
    """
    table, is_p, is_p_with, pairs, wins, heads = algebra
    end = count
    while begin < end:
        if count == len(pairs):
            break
        other = pairs[begin, 0]
        product = table[other, element]
        # Write the set W of the product to the first free row. If the product is not stored, the next overwrites it.
        # A product is open (not closed) if some q is not in W, although condition 1 allows it.
        is_open = False
        for q in range(len(is_p)):
            wins[count, q] = wins[begin, table[element, q]] | own_wins[table[other, q]]
            is_open |= not (wins[count, q] | is_p_with[product, q])
        if not is_p[product] and not wins[count, 0]:
            return True, begin, count
        # Do not store a sum X that maps to the identity: if X + Y fails condition 2, so does Y.
        is_open &= product != 0
        # Skip the product if a stored pair with the same element has a subset of the product's set.
        is_new, stored = is_open, heads[product]
        while is_new and stored >= 0:
            is_new = False
            for q in range(len(is_p)):
                if wins[stored, q] and not wins[count, q]:
                    is_new = True
                    break
            stored = pairs[stored, 2]
        if is_new:
            pairs[count, 0] = product
            pairs[count, 1] = begin
            pairs[count, 2] = heads[product]
            heads[product] = count
            count += 1
        begin += 1
    return False, begin, count


def product_of(steps: Array, generators: Iterable[int]) -> int:
    """Return the product of generators, given by number; ``steps[x, k]`` is element x times generator k."""
    element = 0
    for generator in generators:
        element = int(steps[element, generator])
    return element


def words_of_elements(steps: Array, generators: Sequence[int]) -> dict[int, Word]:
    """Return a dict that maps each product of the given generators to a word: generators with this product.

    A word is a tuple of numbers of generators. It is as short as possible; of the shortest words it is the first in
    alphabetical order. ``steps[x, k]`` is the product of element x and generator k. ``generators`` are numbers in
    increasing order.
    """
    words: dict[int, Word] = {0: ()}
    queue = [0]
    for element in queue:
        word = words[element]
        for generator in generators:
            product = int(steps[element, generator])
            # The monoid commutes, so words whose letters never decrease are enough.
            if (not word or generator >= word[-1]) and product not in words:
                words[product] = (*word, generator)
                queue.append(product)
    return words


def multiplication_table(steps: Array) -> Array:
    """Return the table of products of any two elements.

    ``steps[x, k]`` is the product of element x and generator k. Every element must be a product of generators.
    """
    words = words_of_elements(steps, range(steps.shape[1]))
    table = np.empty((len(steps), len(steps)), steps.dtype)
    table[0] = np.arange(len(steps))
    # The word of x without its last letter is the word of an earlier element y. So for every z, the product x z is y z
    # times the last letter.
    element_of = {word: element for element, word in words.items()}
    for element, word in words.items():
        if word:
            table[element] = steps[table[element_of[word[:-1]]], word[-1]]
    return table
