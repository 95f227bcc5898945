"""Candidates for a misère quotient: each is right up to the first sum that fails, and gives way to a finer one.

Sums are ordered by how often the last position in which they differ stands in them; options come first. A candidate's
outcomes are those of the first sum of each element. Where the transition algebra finds the first sum X that fails, the
candidate is right for all before X and wrong for X. So some positions of X are set free: what the others generate stays
as it is, and of each free position multiples are told apart up to some number, from where on they repeat. In this
larger monoid X is the first sum of its element; outcomes are computed anew, from one first sum to the next, and
elements that no company tells apart are made one. The idea is that of Siegel's MisereSolver.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import lcm, prod
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.theory.misere.algebra import TransitionAlgebra, product_of
from graphgame.theory.misere.extensions import Extension, products_among
from graphgame.theory.misere.positions import Word

__all__ = ["Candidate"]

_LONGEST = 16
"""Periods of multiples that are tried where they are told apart up to as many; in most quotients all periods are 2."""

_RATIO = 4
"""How many times the smallest monoid another may have elements that is tried too."""


class FirstSums:
    """The elements that some positions generate, in the order of their first sums.

    ``table`` has products, and ``images`` the positions' elements by their places.
    """

    def __init__(self, table: Array, images: dict[int, int]) -> None:
        self.elements = [0]
        self.generators: list[int] = []
        self._images = images
        self._before = {0: (0, 0)}
        for position, image in images.items():
            level = self.elements
            if image in self._before:
                continue
            self.generators.append(position)
            while level:
                products = zip(level, table[level, image].tolist(), strict=True)
                level = []
                for element, product in products:
                    if product not in self._before:
                        self._before[product] = element, position
                        level.append(product)
                self.elements = self.elements + level

    def word(self, element: int) -> Word:
        """Return the first sum of an element, the last position first."""
        letters = []
        while element:
            element, letter = self._before[element]
            letters.append(letter)
        return tuple(letters)


_Way: TypeAlias = tuple[FirstSums, dict[int, tuple[int, int]]]


class Candidate:
    """A monoid with a P-portion, and the elements of positions that have options: perhaps the quotient.

    ``options`` has the different options of each position; ``grown`` is called with how many outcomes are kept at once,
    and may raise.
    """

    def __init__(
        self,
        table: Array,
        lost: Array,
        images: dict[int, int],
        options: Sequence[Sequence[Word]],
        grown: Callable[[int, int], None],
    ) -> None:
        self.table = table
        self.lost = lost
        self.images = images
        self.first = FirstSums(table, images)
        self._options = options
        self._grown = grown

    def ends(self, position: int) -> list[int]:
        """Return the elements of a position's options."""
        return sorted({product_of(self.table, map(self.images.__getitem__, end)) for end in self._options[position]})

    def failure(self) -> Word | None:
        """Return the first sum that has a wrong outcome, the last position first; None where all are right."""
        algebra = TransitionAlgebra(self.table, self.lost, lambda: self._grown(len(self.lost), 0))
        wins = {position: algebra.wins(self.ends(position)) for position in self.images}
        failing = self._sum_with_lost_option(algebra, wins)
        for position, element in self.images.items():
            if failing is not None and failing[0] < position:
                return failing
            found = algebra.add(position, element, wins[position])
            if found is not None:
                found = tuple(sorted(found, reverse=True))
                return found if failing is None else min(found, failing)
        return failing

    def _sum_with_lost_option(self, algebra: TransitionAlgebra, wins: dict[int, Array]) -> Word | None:
        """Return the first sum that should be a P-position and has an option that should be one too."""
        rank = {element: place for place, element in enumerate(self.first.elements)}
        failing = []
        for position, element in self.images.items():
            found = algebra.refuting(element, wins[position])
            if found:
                company = self.first.word(min(found, key=rank.__getitem__))
                failing.append(tuple(sorted((position, *company), reverse=True)))
        return min(failing, default=None)

    def distinct(self, failing: Word) -> int:
        """Return a number of elements that the quotient has at least, as sums before the one that fails first show.

        Two parts of the failing sum bound the sums that are compared and the company they are in.
        """
        words = [self.first.word(element) for element in self.first.elements]
        sums = self.first.elements[: bisect_right(words, failing[::2])]
        companies = self.first.elements[: bisect_left(words, failing[1::2])]
        rows = np.packbits(self.lost[self.table[np.ix_(sums, companies)]], axis=1)
        return len(np.unique(rows, axis=0)) if companies else 1

    def with_position(self, position: int) -> Candidate:
        """Return a candidate for one more position, by itself no product of others."""
        return self._least([(self._generated(()), {position: (2, 2)})])

    def refined(self, failing: Word) -> Candidate:
        """Return a candidate that is right for the sum that fails first, and for all before it."""
        ways: list[_Way] = []
        for count in range(1, len(failing) + 1):
            ways += self._ways(failing, count)
            if ways and count > 1:
                break
        return self._least(ways)

    def _ways(self, failing: Word, count: int) -> Iterator[_Way]:
        """Yield how so many positions can be free so that a sum is the first of its element."""
        letters = sorted(set(failing))
        needed = set(letters).difference(self.first.generators)
        for free in filter(needed.issubset, combinations(letters, count)):
            rest = tuple(letter for letter in failing if letter not in free)
            first = self._generated(free)
            if first.word(product_of(self.table, map(self.images.__getitem__, rest))) == rest:
                cyclic = {position: self._cyclic(position, failing.count(position)) for position in free}
                yield first, cyclic
                for position, (index, period) in cyclic.items() if count == 1 else ():
                    for longer in sorted({lcm(period, each) for each in range(4, min(index, _LONGEST) + 1, 2)}):
                        yield first, {position: (index, longer)}

    def _generated(self, free: Iterable[int]) -> FirstSums:
        """Return what the generators that are not free generate."""
        return FirstSums(self.table, {x: self.images[x] for x in self.first.generators if x not in free})

    def _cyclic(self, position: int, times: int) -> tuple[int, int]:
        """Return an index and a period that tell multiples apart, up to so many, and map to those of the element."""
        powers = [0]
        while (power := int(self.table[powers[-1], self.images[position]])) not in powers:
            powers.append(power)
        index = max(powers.index(power), times - 1)
        return index, lcm(len(powers) - powers.index(power), 2)

    def _least(self, ways: Sequence[_Way]) -> Candidate:
        """Return the candidate with the fewest elements; much larger monoids than the smallest are not looked at."""
        sizes = [len(first.elements) * prod(map(sum, cyclic.values())) for first, cyclic in ways]
        order = 0
        for size, (first, cyclic) in sorted(zip(sizes, ways, strict=True), key=itemgetter(0)):
            if not order or size <= _RATIO * min(sizes):
                self._grown(order, size)
                larger = self._extension(first, cyclic)
                if larger.reduce(order or size + 1):
                    found, order = larger, len(larger)
        self._grown(order, 0)
        return Candidate(found.table(), found.lost(), found.reduced_images(), self._options, self._grown)

    def _extension(self, first: FirstSums, cyclic: dict[int, tuple[int, int]]) -> Extension:
        """Return the product of what some generators generate with a cyclic monoid for each free position."""
        images = {position: first.elements.index(self.images[position]) for position in first.generators}
        words = {position: self.first.word(image) for position, image in self.images.items()}
        words |= {position: (position,) for position in cyclic}
        base = products_among(self.table, first.elements)
        return Extension(base, images, cyclic, dict(sorted(words.items())), self._options)
