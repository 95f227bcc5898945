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

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.theory.misere.positions import Word

__all__ = ["Learned", "TransitionAlgebra", "WrongSum", "multiplication_table", "product_of", "words_of_elements"]


class Learned(NamedTuple):
    """A monoid that tells outcomes, with no fewer elements than there must be, as it was learned.

    ``steps`` has the product of each element with each generator; ``lost`` marks the P-portion.
    """

    steps: Array
    lost: Array


class WrongSum(NamedTuple):
    """A sum about which a monoid is wrong: the word and any sum that stands for the element in its company."""

    word: Word
    company: int


class _Pair(NamedTuple):
    element: int
    wins: Array
    word: Word


class TransitionAlgebra:
    """Pairs of an element and a set of elements, closed under the product; positions are added one by one.

    ``table`` has the product of two elements, of which 0 is the identity; ``lost`` marks the P-portion. ``visited`` is
    called for every pair found, and may raise.
    """

    def __init__(self, table: Array, lost: Array, visited: Callable[[], None] = lambda: None) -> None:
        self._table = table
        self._lost = lost
        self._lost_with = lost[table]
        self._visited = visited
        self._generators: list[_Pair] = []
        self._least: dict[int, list[_Pair]] = {}

    def wins(self, options: Iterable[int]) -> Array:
        """Return the set W of a position whose options stand for these elements, as an array of bool."""
        return self._lost_with[sorted(set(options))].max(axis=0)  # type: ignore[no-any-return]

    def candidates(self, wins: Array) -> list[int]:
        """Return the elements that a position with this set could stand for by itself, the likeliest first."""
        possible = ~(self._lost_with & wins).any(axis=1) & (self._lost | wins[0])
        missing = (~self._lost_with & ~wins).sum(axis=1)
        found = np.flatnonzero(possible)
        return found[np.argsort(missing[found], kind="stable")].tolist()  # type: ignore[no-any-return]

    def add(self, element: int, wins: Array, word: Word) -> WrongSum | None:
        """Add a position that has options; return a sum for which outcomes would be wrong, and then change nothing."""
        wrong = np.flatnonzero(wins & self._lost_with[element])
        if len(wrong):
            return WrongSum(word, int(wrong[0]))
        generator = _Pair(element, wins, word)
        before = dict(self._least)
        generators = [*self._generators, generator]
        queue = [generator, *(self._product(p, generator) for pairs in self._least.values() for p in pairs)]
        if self._is_settled(generator):
            return None
        for pair in queue:
            if self._is_settled(pair):
                continue
            if not self._lost[pair.element] and not pair.wins[0]:
                self._least = before
                return WrongSum(pair.word, 0)
            self._visited()
            self._keep(pair)
            queue += [self._product(pair, other) for other in generators]
        self._generators = generators
        return None

    def _is_settled(self, pair: _Pair) -> bool:
        if (pair.wins | self._lost_with[pair.element]).all():
            return True
        return any(not (known.wins & ~pair.wins).any() for known in self._least.get(pair.element, ()))

    def _keep(self, pair: _Pair) -> None:
        others = [known for known in self._least.get(pair.element, ()) if (pair.wins & ~known.wins).any()]
        self._least[pair.element] = [*others, pair]

    def _product(self, first: _Pair, second: _Pair) -> _Pair:
        wins = first.wins[self._table[second.element]] | second.wins[self._table[first.element]]
        element = int(self._table[first.element, second.element])
        return _Pair(element, wins, tuple(sorted(first.word + second.word)))


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
