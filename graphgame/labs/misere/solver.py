"""Find the misère quotient of the positions of a graph.

The solver takes the positions one by one, options first. Most positions fit the quotient so far. If one does not, the
solver tries candidates for a finer quotient, one after the other, until one is proved
(:mod:`graphgame.labs.misere.algebra`).

Sums are ordered. To compare two sums, take the last position that they contain different numbers of times: the sum with
more copies of it comes later. So the options of a sum come before it. The first sum of an element is the first sum in
this order that maps to the element. The outcome of an element is the outcome of its first sum.

If a candidate is wrong, the transition algebra finds X, the first sum with a wrong outcome. The next candidate is made
as follows:

1. Choose some positions of X to be free. Keep the monoid that the other generators generate. (A generator is a position
   whose element is no product of elements of earlier positions.)
2. Give each free position a cyclic monoid of its own: for some m the multiples 0, 1, ..., m of the position are
   distinct, and then they repeat. Take the direct product of all these monoids. If X is not the first sum of its
   element in this product, choose other free positions.
3. Compute the outcome of each element's first sum, in order.
4. Merge elements x and y if x q and y q have the same outcome for every element q.
5. Do this for several choices. The candidate with the fewest elements is the next one.

The idea is from A. N. Siegel's MisereSolver.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle
from math import lcm, prod
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import COMPILED_FROM, Progress
from graphgame.errors import Message, checks_parameters, plural
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.misere.algebra import (
    Positions,
    TransitionAlgebra,
    Word,
    multiplication_table,
    positions_of,
    product_of,
    words_of_elements,
)
from graphgame.labs.misere.checking import find_fault, refuse_fault
from graphgame.labs.misere.quotient import MisereQuotient

_MULTIPLIER = 0x9E3779B97F4A7C15 >> 2
"""For Fibonacci hashing: 2**64 over the golden ratio, shifted so that it fits in a signed 64-bit integer."""


class Extension:
    """The direct product of a monoid, the base, and a cyclic monoid for each free position.

    The number of an element is in mixed radix: the lowest digit is the element of the base, and each further digit is a
    multiple of a free position, in the order of ``cyclic``.

    Parameters
    ----------
    base : ndarray
        The multiplication table of the base, which the other positions generate.
    images : dict
        Maps each position that generates the base to its element of the base. The constructor adds the free positions
        to this dict.
    cyclic : dict
        Maps each free position to (index, period) of its cyclic monoid: the multiples 0 to index + period - 1 of the
        position are distinct, and multiple number index + period equals multiple number index.
    words : dict
        Maps each position to a sum with the same element, whose parts are free or generate the base.
    options : sequence
        The distinct options of each position, as sums.
    """

    def __init__(
        self,
        base: Array,
        images: dict[int, int],
        cyclic: dict[int, tuple[int, int]],
        words: dict[int, Word],
        options: Sequence[Sequence[Word]],
    ) -> None:
        self._base = base
        self._cycles = _product_of_cyclic(list(cyclic.values()))
        unit = len(base)
        for position, (index, period) in cyclic.items():
            images[position] = unit
            unit *= index + period
        self._images = {position: self._product(map(images.__getitem__, word)) for position, word in words.items()}
        self._ends = {
            position: sorted({self._product(map(self._images.__getitem__, end)) for end in options[position]})
            for position in words
        }

    def merged(self) -> tuple[Array, Array, dict[int, int]]:
        """Return the result of the last :meth:`reduce`: multiplication table, P-portion, position -> element."""
        size = len(self._base)
        cyclic, base = np.divmod(self._representatives, size)
        steps = [self._cycles[cyclic, each // size] * size + self._base[base, each % size] for each in self._generators]
        table = multiplication_table(self._classes[np.array(steps, np.int32).T])
        images = {position: int(self._classes[image]) for position, image in self._images.items()}
        return table, self._is_p[self._representatives], images

    def reduce(self, fewer: int) -> int:
        """Compute the outcomes and merge equivalent elements; return the number of elements after merging.

        If at least ``fewer`` elements remain, return 0 instead, and stop as soon as this is known.
        """
        self._mark()
        # Partition refinement, as for minimal automata. Start with two classes: the P-portion and all other elements.
        # Split each class by the class of the product with one generator, then with the next generator, and so on.
        # Stop when no generator splits a class.
        classes, count = self._is_p.astype(np.int32), int(self._is_p.any()) + 1
        slots = np.empty((1 << (2 * len(classes)).bit_length(), 2), np.int64)  # hash table: key, class
        finer = np.empty_like(classes)
        unchanged, steps = 0, cycle(self._generators)
        while unchanged < len(self._generators) and count < fewer:
            slots[:] = -1
            step, before = next(steps), count
            count = runner(_split, COMPILED_FROM)(self._monoid, step, classes, finer, slots, before, fewer)
            classes, finer = finer, classes
            unchanged = unchanged + 1 if count == before else 0
        self._classes = classes
        self._representatives = np.unique(classes, return_index=True)[1]
        return count if count < fewer else 0

    def _mark(self) -> None:
        """Set ``_is_p``, the outcomes of the elements' first sums, and ``_generators``, which generate the monoid."""
        size = len(self._base) * len(self._cycles)
        tops, self._is_p = np.full(size, -1, np.int32), np.zeros(size, np.bool_)
        tops[0], count = 0, 1
        self._generators: list[int] = []
        images = np.array(list(self._images.values()), np.int32)
        starts = np.cumsum([0, *map(len, self._ends.values())])
        ends = np.array([end for row in self._ends.values() for end in row], np.int32)
        self._monoid = _Monoid(self._base, self._cycles, images, starts, ends, tops, *np.zeros((2, size), np.int32))
        for position, image in enumerate(self._images.values()):
            if tops[image] < 0:
                self._generators.append(image)
                count = runner(_mark, COMPILED_FROM)(self._monoid, self._is_p, position, count)

    def _product(self, elements: Iterable[int]) -> int:
        size, cyclic, base = len(self._base), 0, 0
        for element in elements:
            cyclic, base = int(self._cycles[cyclic, element // size]), int(self._base[base, element % size])
        return cyclic * size + base


def _product_of_cyclic(sizes: list[tuple[int, int]]) -> Array:
    """Return the multiplication table of a direct product of cyclic monoids, given their indices and periods.

    An element is a number in mixed radix with a digit for each cyclic monoid. The first monoid has the lowest digit.
    """
    table, unit = np.zeros((1, 1), np.int32), 1
    for index, period in sizes:
        sums = np.add.outer(np.arange(index + period), np.arange(index + period))
        sums = np.where(sums < index, sums, index + (sums - index) % period).astype(np.int32)
        table = (sums[:, None, :, None] * unit + table[None, :, None, :]).reshape(2 * (unit * (index + period),))
        unit *= index + period
    return np.ascontiguousarray(table, np.int32)


@inlined
def _times(base: Array, cycles: Array, one: int, two: int) -> int:
    """Return the number of the product of two elements of an :class:`Extension`, given their numbers.

    ``base`` is the multiplication table of the base, ``cycles`` that of the direct product of the cyclic monoids. The
    element with base part b and cyclic part c has the number ``c * len(base) + b``.
    """
    size = len(base)
    return cycles[one // size, two // size] * size + base[one % size, two % size]  # type: ignore[no-any-return]


class _Monoid(NamedTuple):
    """An :class:`Extension` as arrays. ``base`` and ``cycles`` are the multiplication tables of the two factors."""

    base: Array
    cycles: Array

    images: Array
    """[k]: the element of the k-th position."""

    starts: Array
    ends: Array
    """``ends[starts[k]:starts[k + 1]]``: the elements of the options of the k-th position."""

    tops: Array
    """[element]: the last position of the element's first sum; -1 while the first sum is unknown."""

    sums: Array
    """The elements in the order of their first sums; only the first ``count`` entries are filled in."""

    before: Array
    """[element]: the element of its first sum without the last position. The shorter sum is a first sum, too."""


@compiled
def _mark(monoid: _Monoid, is_p: Array, position: int, count: int) -> int:
    """Find the first sums whose last position is ``position``, an index in ``monoid.images``.

    Append the element of each to ``monoid.sums``. For each that is a P-position, set the entry of ``is_p`` for its
    element. ``count`` is the number of entries of ``monoid.sums`` that are filled in; return the new count.
    """
    # Invariant: when the loop comes to a new sum, the outcomes of all earlier sums are known, and the options of the
    # new sum are among these.
    base, cycles, images, starts, ends, tops, sums, before = monoid
    i = 0
    while i < count:  # ``count`` grows: the loop also visits the sums that it stores
        shorter = sums[i]
        i += 1
        product = _times(base, cycles, shorter, images[position])
        if tops[product] >= 0:
            continue
        tops[product] = position
        before[product] = shorter
        sums[count] = product
        count += 1
        sum_is_p = True
        # Walk back through the positions of the sum, looking for an option of a position that makes the sum a
        # P-position. ``left`` is the element of the positions not yet passed, ``taken`` of those already passed. Equal
        # positions are neighbours: only the first of them is tried.
        left, taken, last = product, 0, -1
        while left and sum_is_p:
            top = tops[left]
            if top != last:
                others = _times(base, cycles, before[left], taken)
                for k in range(starts[top], starts[top + 1]):
                    if is_p[_times(base, cycles, others, ends[k])]:
                        sum_is_p = False
                        break
            taken = _times(base, cycles, taken, images[top])
            left = before[left]
            last = top
        is_p[product] = sum_is_p
    return count


@compiled
def _split(
    monoid: _Monoid, step: int, classes: Array, finer: Array, slots: Array, classes_before: int, fewer: int
) -> int:
    """Split ``classes``, the classes of elements, by the class of their product with ``step``.

    Write the new class of each element to ``finer``, and return the number of classes there. Two elements have the same
    new class exactly if they have the same class in ``classes``, and so do their products with ``step``. If ``finer``
    would have more than ``fewer`` classes, stop early: return ``fewer``, and leave ``finer`` incomplete. ``slots`` is
    an empty hash table, and ``classes_before`` is the number of classes in ``classes``.
    """
    base, cycles = monoid.base, monoid.cycles
    count = 0
    for element in range(len(classes)):
        key = classes[element] * classes_before + classes[_times(base, cycles, element, step)]
        # Open addressing in a table that is at most half full, with a power of two as its size.
        slot = (key * _MULTIPLIER >> 20) & (len(slots) - 1)
        while slots[slot, 0] >= 0 and slots[slot, 0] != key:
            slot = (slot + 1) & (len(slots) - 1)
        if slots[slot, 0] < 0:
            if count == fewer:
                break
            slots[slot, 0] = key
            slots[slot, 1] = count
            count += 1
        finer[element] = slots[slot, 1]
    return count


_LONGEST_PERIOD = 16
"""If only one position is free, its cyclic monoid is also tried with longer periods: the least common multiples of its
period and each of 4, 6, 8, ..., up to its index or this number, whichever is smaller. In most quotients all
periods are 2."""

_RATIO = 4
"""Extensions are tried only if they have at most this many times as many elements as the smallest extension."""


class FirstSums:
    """The elements of all sums of some positions, in the order of their first sums (see the module).

    ``table`` is the multiplication table. ``images`` maps each position to its element, in increasing order of the
    positions. The attribute ``elements`` lists the elements. The attribute ``generators`` lists the positions whose
    element is not a product of elements of earlier positions.
    """

    def __init__(self, table: Array, images: dict[int, int]) -> None:
        self.elements = [0]
        self.generators: list[int] = []
        self._images = images
        self._before = {0: (0, 0)}
        for position, image in images.items():
            if image in self._before:
                continue
            self.generators.append(position)
            products = table[:, image].tolist()
            for element in self.elements:
                if products[element] not in self._before:
                    self._before[products[element]] = element, position
                    self.elements.append(products[element])

    def word(self, element: int) -> Word:
        """Return the first sum of an element, its positions in decreasing order."""
        letters = []
        while element:
            element, letter = self._before[element]
            letters.append(letter)
        return tuple(letters)


_FreeChoice: TypeAlias = tuple[FirstSums, dict[int, tuple[int, int]]]
"""A choice of free positions, as a pair: the sums of the other generators, and a dict that maps each free position to
(index, period) of its cyclic monoid."""


@dataclass(eq=False, repr=False)
class Candidate:
    """A candidate for the quotient: a monoid with a P-portion, and the elements of all positions that have options.

    It is right for a sum if it gives the outcome: if the sum's element is in the P-portion exactly for a P-position.

    Parameters
    ----------
    table : ndarray of int
        The multiplication table.
    is_p : ndarray of bool
        The P-portion.
    images : dict
        Maps each position that has options to its element.
    options : sequence
        The distinct options of each position, as sums.
    grown : callable
        Called as ``grown(order, outcomes)`` with the numbers of elements and of outcomes in memory; it may raise an
        exception to stop the work.
    """

    table: Array
    is_p: Array
    images: dict[int, int]
    options: Sequence[Sequence[Word]]
    grown: Callable[[int, int], None]

    def __post_init__(self) -> None:
        self.first = FirstSums(self.table, self.images)

    def ends(self, position: int) -> list[int]:
        """Return the distinct elements of the options of a position, in increasing order."""
        return sorted({product_of(self.table, map(self.images.__getitem__, end)) for end in self.options[position]})

    def failure(self) -> Word | None:
        """Return the first sum for which the candidate gives the wrong outcome; None if it is right for all sums.

        The sum's positions are in decreasing order.
        """
        algebra = TransitionAlgebra(self.table, self.is_p, lambda: self.grown(len(self.is_p), 0))
        wins = {position: algebra.wins(self.ends(position)) for position in self.images}
        failing = self._sum_with_p_option(algebra, wins)
        for position, element in self.images.items():
            # If ``failing`` has only earlier positions, it comes before all sums with this position or a later one.
            if failing is not None and failing[0] < position:
                return failing
            failed = algebra.add(position, element, wins[position])
            if failed is not None:
                failed = tuple(sorted(failed, reverse=True))
                return failed if failing is None else min(failed, failing)
        return failing

    def _sum_with_p_option(self, algebra: TransitionAlgebra, wins: dict[int, Array]) -> Word | None:
        """Return the first sum in the P-portion that has an option in the P-portion; None if there is none.

        ``algebra`` has the candidate's table and P-portion. ``wins`` maps each position that has options to the result
        of :meth:`TransitionAlgebra.wins` for it.
        """
        rank = {element: index for index, element in enumerate(self.first.elements)}
        failing = []
        for position, element in self.images.items():
            refuting = algebra.refuting(element, wins[position])
            if refuting:
                company = self.first.word(min(refuting, key=rank.__getitem__))
                failing.append(tuple(sorted((position, *company), reverse=True)))
        return min(failing, default=None)

    def distinct(self, failing: Word) -> int:
        """Return a lower bound for the number of elements of the quotient.

        It is the size of a set of sums, no two of them equivalent: adding some third sum to both gives different
        outcomes. Only outcomes of sums before the failing one are used, because only these are proved right.
        """
        # The failing sum is the sum of failing[::2] and failing[1::2]. The first sum of an element in ``sums`` does not
        # come after failing[::2], and the first sum of an element in ``companies`` comes before failing[1::2]. So the
        # sum of two such first sums comes before the failing sum.
        words = [self.first.word(element) for element in self.first.elements]
        sums = self.first.elements[: bisect_right(words, failing[::2])]
        companies = self.first.elements[: bisect_left(words, failing[1::2])]
        rows = np.packbits(self.is_p[self.table[np.ix_(sums, companies)]], axis=1)
        return len(np.unique(rows, axis=0)) if companies else 1

    def with_position(self, position: int) -> Candidate:
        """Return a candidate with one more position.

        Extend the current one by a cyclic monoid of 4 elements for the position, then merge equivalent elements.
        """
        return self._least([(self._generated(()), {position: (2, 2)})])

    def refined(self, failing: Word) -> Candidate:
        """Return a candidate that gives the right outcomes of the sum ``failing`` and of all sums before it.

        ``failing`` is the result of :meth:`failure`.
        """
        # Try all choices of one and of two free positions; try three or more only if there is no such choice.
        ways: list[_FreeChoice] = []
        for count in range(1, len(failing) + 1):
            ways += self._ways(failing, count)
            if ways and count > 1:
                break
        return self._least(ways)

    def _ways(self, failing: Word, count: int) -> Iterator[_FreeChoice]:
        """Yield the ways to make ``count`` positions of the sum ``failing`` free.

        Leave out a way if ``failing`` is not the first sum of its element in the extension. If ``count`` is 1, also
        yield each way with longer periods: see ``_LONGEST_PERIOD``.
        """
        letters = sorted(set(failing))
        needed = set(letters).difference(self.first.generators)
        for free in filter(needed.issubset, combinations(letters, count)):
            rest = tuple(letter for letter in failing if letter not in free)
            first = self._generated(free)
            # In a direct product, a sum is the first sum of its element exactly if its part in each factor is the first
            # sum of that part's element. In a cyclic factor it is, because no smaller multiple is equal (see _cyclic).
            if first.word(product_of(self.table, map(self.images.__getitem__, rest))) == rest:
                cyclic = {position: self._cyclic(position, failing.count(position)) for position in free}
                yield first, cyclic
                for position, (index, period) in cyclic.items() if count == 1 else ():
                    for longer in sorted({lcm(period, each) for each in range(4, min(index, _LONGEST_PERIOD) + 1, 2)}):
                        yield first, {position: (index, longer)}

    def _generated(self, free: Iterable[int]) -> FirstSums:
        """Return the :class:`FirstSums` of all generators except the positions ``free``."""
        return FirstSums(self.table, {x: self.images[x] for x in self.first.generators if x not in free})

    def _cyclic(self, position: int, times: int) -> tuple[int, int]:
        """Return (index, period) of a cyclic monoid for a free position.

        The cyclic monoid keeps the multiples 0 to ``times`` of the position distinct. It makes two multiples equal only
        if they are equal in the current candidate.
        """
        powers = [0]
        while (power := int(self.table[powers[-1], self.images[position]])) not in powers:
            powers.append(power)
        # In the current candidate the multiples repeat from number powers.index(power) on. The cyclic monoid may begin
        # to repeat later, and its period may be a multiple of the current one. The period is made even, because most
        # quotients have the period 2.
        index = max(powers.index(power), times - 1)
        return index, lcm(len(powers) - powers.index(power), 2)

    def _least(self, ways: Sequence[_FreeChoice]) -> Candidate:
        """Make and reduce the extension of each choice of ``ways``; return the candidate with the fewest elements.

        Skip each extension with more than ``_RATIO`` times as many elements as the smallest extension.
        """
        sizes = [len(first.elements) * prod(map(sum, cyclic.values())) for first, cyclic in ways]
        # Reduce small extensions first. A reduction splits classes of elements, and stops as soon as it has as many
        # classes as the smallest result so far has elements.
        order = 0
        for size, (first, cyclic) in sorted(zip(sizes, ways, strict=True), key=itemgetter(0)):
            if not order or size <= _RATIO * min(sizes):
                self.grown(order, size)
                larger = self._extension(first, cyclic)
                if elements := larger.reduce(order or size + 1):
                    smallest, order = larger, elements
        self.grown(order, 0)
        return Candidate(*smallest.merged(), self.options, self.grown)

    def _extension(self, first: FirstSums, cyclic: dict[int, tuple[int, int]]) -> Extension:
        """Return the extension whose base is generated by ``first``, with a cyclic monoid for each free position."""
        # The base has the elements ``first.elements``. In the base, element first.elements[i] has the number i.
        number = np.zeros(len(self.table), np.int32)
        number[first.elements] = np.arange(len(first.elements))
        base = number[self.table[np.ix_(first.elements, first.elements)]]
        images = {position: int(number[self.images[position]]) for position in first.generators}
        words = {position: self.first.word(image) for position, image in self.images.items()}
        words |= {position: (position,) for position in cyclic}
        return Extension(base, images, cyclic, dict(sorted(words.items())), self.options)


_MOST_IN_TABLE = 12_000
"""The maximum number of elements of a candidate, whatever the caller allows: two multiplication tables take 1.2 GB."""


class StoppedError(Exception):
    """The search reached a limit, which the message names."""


class LargeCandidateError(StoppedError):
    """A candidate has more elements than :meth:`QuotientLimits.check_candidate` allows."""


class QuotientLimits:
    """The limits of a search: the elements, the outcomes in memory (each takes 50 to 100 bytes), and the seconds."""

    def __init__(self, order: int, outcomes: int, seconds: float | None) -> None:
        self._order = order
        self._outcomes = outcomes
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self, order: int, outcomes: int) -> None:
        """Raise :class:`StoppedError` if one of the two numbers exceeds its limit, or if the time is up.

        ``order`` is the number of elements of a quotient that covers the next position, too. ``outcomes`` is the number
        of outcomes in memory. Pass 0 for a number that should not be checked.
        """
        if order > self._order:
            raise StoppedError(
                Message("with one more position, the quotient has more than {elements}", plural(self._order, "element"))
            )
        if outcomes > self._outcomes:
            raise StoppedError(
                Message("the search stores more than {outcomes} of sums", plural(self._outcomes, "outcome"))
            )
        if self._end is not None and time.monotonic() > self._end:
            raise StoppedError(Message("the time limit of {seconds} s is over", f"{self._seconds:g}"))

    def check_candidate(self, order: int, outcomes: int) -> None:
        """Raise :class:`StoppedError` if a candidate exceeds the limits, or if the time is up.

        A candidate may have four times as many elements as the limit on the quotient, but at most 12,000. If it has
        more, the error is a :class:`LargeCandidateError`.
        """
        self.check(0, outcomes)
        most = min(4 * self._order, _MOST_IN_TABLE)
        if order > most:
            raise LargeCandidateError(
                Message("an intermediate quotient has more than {elements}", plural(most, "element"))
            )


class QuotientSolver:
    """The search for the quotient of positions, added one by one; ``images`` has the elements of those added so far.

    If ``earlier`` is not None, the search starts with this quotient of the first positions, without checking it.
    """

    def __init__(
        self, positions: Positions, limits: QuotientLimits, progress: Progress | None, earlier: MisereQuotient | None
    ) -> None:
        self.images = [] if earlier is None else list(earlier.images)
        self._positions = positions
        self._limits = limits
        self._progress = progress
        table = np.zeros((1, 1), np.int32) if earlier is None else earlier.table
        is_p = np.zeros(1, np.bool_) if earlier is None else earlier.is_p
        images = {position: image for position, image in enumerate(self.images) if positions.options[position]}
        self._quotient = Candidate(table, is_p, images, positions.options, self._grown)

    def run(self) -> None:
        """Find the elements of the remaining positions, and the quotient that they need.

        A limit ends the search by a :class:`StoppedError`. Then the quotient is proved for the positions in ``images``.
        """
        self._use(self._quotient, self.images)
        for position in range(len(self.images), len(self._positions)):
            if self._progress is not None:
                self._progress(position, len(self._quotient.is_p))
            self._limits.check(0, 0)
            self._add(position)

    def parts(self) -> tuple[list[Word], list[int], Array, Array]:
        """Return the attributes ``words``, ``generators``, ``steps`` and ``is_p`` of a :class:`MisereQuotient`.

        They describe the quotient of the positions added so far. Its elements are renumbered in the order of their
        shortest words: by length, and alphabetically among words of equal length.
        """
        generators = self._quotient.first.generators
        steps = self._quotient.table[:, [self._quotient.images[generator] for generator in generators]]
        words = words_of_elements(steps, range(len(generators)))
        elements = list(words)
        number = np.zeros(len(words), np.int32)
        number[elements] = np.arange(len(words))
        names = [tuple(generators[letter] for letter in words[image]) for image in self.images]
        return names, generators, number[steps[elements]], self._quotient.is_p[elements]

    def _grown(self, order: int, outcomes: int) -> None:
        self._limits.check_candidate(order, outcomes)
        if self._progress is not None and order:
            self._progress(len(self.images), order)

    def _use(self, quotient: Candidate, images: list[int]) -> None:
        """Make a proved candidate the current quotient; build its algebra, to which later positions can be added.

        ``images`` has the elements of all positions added so far.
        """
        algebra = TransitionAlgebra(quotient.table, quotient.is_p, lambda: self._limits.check(0, 0))
        for position, image in quotient.images.items():
            algebra.add(position, image, algebra.wins(quotient.ends(position)))
        # A limit or Ctrl-C may stop the loop above: then the old quotient and its images must still fit together.
        self._quotient, self._algebra, self.images = quotient, algebra, images

    def _add(self, position: int) -> None:
        """Add the next position; replace the quotient by a finer one if no element fits."""
        if not self._positions.options[position]:
            self.images.append(0)
            return
        wins = self._algebra.wins(self._quotient.ends(position))
        for element in self._algebra.candidates(wins):
            if self._algebra.add(position, element, wins) is None:
                self._quotient.images[position] = element
                self.images.append(element)
                return
        # Each refined candidate is right for more sums than the one before; the loop ends at a quotient or at a limit.
        # The new quotient has other elements than the old one, so the earlier positions get new images, too.
        candidate = self._quotient.with_position(position)
        while (failing := candidate.failure()) is not None:
            candidate = self._finer(candidate, failing)
        self._limits.check(len(candidate.is_p), 0)
        self._use(candidate, [candidate.images.get(each, 0) for each in range(position + 1)])

    def _finer(self, candidate: Candidate, failing: Word) -> Candidate:
        """Return ``candidate.refined(failing)``.

        If the refined candidate would have too many elements, raise StoppedError. The message has a lower bound for
        the number of elements of the quotient.
        """
        try:
            return candidate.refined(failing)
        except LargeCandidateError as reason:
            least = plural(max(len(self._quotient.is_p), candidate.distinct(failing)), "element")
            raise StoppedError(
                Message("{reason}; with one more position, the quotient has at least {least}", reason, least)
            ) from None


MAX_ORDER = 1000
"""The default limit on the elements of a quotient. A candidate with four times as many takes about 200 MB."""

MAX_OUTCOMES = 20_000_000
"""The default limit on the outcomes of sums in memory; this many take up to about 2 GB."""


@checks_parameters
def misere_quotient(
    game: GameLike,
    *,
    name: str = "positions",
    max_order: int = MAX_ORDER,
    max_outcomes: int = MAX_OUTCOMES,
    timeout: float | None = None,
    resume: MisereQuotient | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[MisereQuotient], None] | None = None,
) -> MisereQuotient:
    """Return the misère quotient of the positions of a graph, as far as the limits allow.

    Parameters
    ----------
    game : GameLike
        Sum vertices are allowed. For a ruleset: ``explore(ruleset, start)``.
    name : str
        The name of the game in the quotient.
    max_order : int
        Maximum number of elements; a candidate may have four times as many, but at most 12,000.
    max_outcomes : int
        Maximum number of outcomes of sums in memory while a candidate is made.
    timeout : float, optional
        Stop after this many seconds.
    resume : MisereQuotient, optional
        An earlier quotient of the same game, for fewer positions or from a stopped search. The search checks it first,
        and continues from it. Its labels must equal those of the graph. In a quotient from a file, labels are integers
        or texts.
    progress : callable, optional
        Called as ``progress(positions_done, order)`` before each position, with the number of elements of the quotient.
        It is also called while candidates are made and tested, with the number of elements of a candidate.
    interrupted : callable, optional
        Called with the quotient proved so far if Ctrl-C ends the search; then KeyboardInterrupt is raised again.

    Returns
    -------
    MisereQuotient
        Proved for the positions in its ``labels``: all positions, or those done before a limit ended the search.

    Raises
    ------
    CycleError
        Play need not end.
    ParameterError
        The ``resume`` quotient is of other positions, or is wrong. Or some positions are decided by the rules.

    Notes
    -----
    Positions are taken one by one, options first. Only a few elements are possible for a new position, because of its
    options. If :mod:`graphgame.labs.misere.algebra` proves that one of them is right, the quotient stays as it is.
    Otherwise candidates for a finer quotient are tried until one is proved: see :mod:`graphgame.labs.misere.solver`.

    References
    ----------
    T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, J. Combin. Theory Ser. A 115 (2008), and its
    supplement.

    Examples
    --------
    >>> from graphgame import explore
    >>> from graphgame.labs.bitboards.board_games import Notakto
    >>> quotient = misere_quotient(explore(Notakto()))
    >>> quotient.order, len(quotient.p_portion), quotient.outcome(Notakto.start, Notakto.start)
    (18, 4, 'P')
    """
    graph = GameGraph.of(game)
    positions = positions_of(graph)
    limits = QuotientLimits(max_order, max_outcomes, timeout)
    if resume is not None:
        refuse_fault(resume, find_fault(resume, graph))
    solver = QuotientSolver(positions, limits, progress, resume)

    def proved(stopped: str | None = None) -> MisereQuotient:
        words, generators, steps, is_p = solver.parts()
        labels = positions.labels[: len(words)]
        return MisereQuotient(name, labels, words, generators, steps, is_p, len(positions), stopped)

    try:
        solver.run()
    except StoppedError as reason:
        return proved(str(reason))
    except KeyboardInterrupt:
        if interrupted is not None:
            interrupted(proved("interrupted"))
        raise
    return proved()
