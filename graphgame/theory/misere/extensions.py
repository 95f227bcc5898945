"""A larger monoid for a candidate: the product of a part of it with cyclic monoids, its outcomes, and its reduction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle

import numpy as np

from graphgame.arrays.compiling import Array, compiled, inlined, runner
from graphgame.arrays.engine import COMPILED_FROM
from graphgame.theory.misere.algebra import multiplication_table
from graphgame.theory.misere.positions import Word

__all__ = ["Extension", "products_among"]

_MULTIPLIER = 0x9E3779B97F4A7C15 >> 2


class Extension:
    """The product of what kept positions generate with a cyclic monoid for each free one.

    An element is a number, that of the cyclic part times the size of the other part plus that of the other part.
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

    def __len__(self) -> int:
        """Count the elements that company tells apart."""
        return len(self._representatives)

    def table(self) -> Array:
        """Return the products of these."""
        size = len(self._base)
        cyclic, base = np.divmod(self._representatives, size)
        steps = [self._cycles[cyclic, each // size] * size + self._base[base, each % size] for each in self._generators]
        return multiplication_table(self._classes[np.array(steps, np.int32).T])[0]

    def lost(self) -> Array:
        """Return which of these are in the P-portion."""
        return self._lost[self._representatives]

    def reduced_images(self) -> dict[int, int]:
        """Return the elements of positions."""
        return {position: int(self._classes[image]) for position, image in self._images.items()}

    def reduce(self, fewer: int) -> bool:
        """Find outcomes, and elements that company tells apart; tell whether these are fewer than so many."""
        self._mark()
        classes, count = self._lost.astype(np.int32), int(self._lost.any()) + 1
        keys = np.empty(1 << (2 * len(classes)).bit_length(), np.int64)
        values, finer = np.empty(len(keys), np.int32), np.empty_like(classes)
        unchanged, steps = 0, cycle(self._generators)
        while unchanged < len(self._generators) and count < fewer:
            keys[:] = -1
            step, before = next(steps), count
            count = runner(_split, COMPILED_FROM)(
                self._base, self._cycles, step, classes, finer, keys, values, before, fewer
            )
            classes, finer = finer, classes
            unchanged = unchanged + 1 if count == before else 0
        self._classes = classes
        self._representatives = np.unique(classes, return_index=True)[1]
        return count < fewer

    def _mark(self) -> None:
        """Find the outcome of each element's first sum, and the positions that generate all."""
        size = len(self._base) * len(self._cycles)
        sums, before = np.zeros(size, np.int32), np.zeros(size, np.int32)
        tops, self._lost = np.full(size, -1, np.int32), np.zeros(size, np.bool_)
        tops[0], count = 0, 1
        self._generators: list[int] = []
        images = np.array(list(self._images.values()), np.int32)
        starts = np.cumsum([0, *map(len, self._ends.values())])
        ends = np.array([end for row in self._ends.values() for end in row], np.int32)
        for place, image in enumerate(self._images.values()):
            if tops[image] >= 0:
                continue
            self._generators.append(image)
            begin = 0
            while begin < count:
                end = count
                count = runner(_mark, COMPILED_FROM)(
                    self._base, self._cycles, images, starts, ends, place, sums, before, tops, self._lost, begin, end
                )
                begin = end

    def _product(self, elements: Iterable[int]) -> int:
        size, cyclic, base = len(self._base), 0, 0
        for element in elements:
            cyclic, base = int(self._cycles[cyclic, element // size]), int(self._base[base, element % size])
        return cyclic * size + base


def products_among(table: Array, elements: list[int]) -> Array:
    """Return the products of some elements, closed under them, by their places."""
    number = np.zeros(len(table), np.int32)
    number[elements] = np.arange(len(elements))
    return number[table[np.ix_(elements, elements)]]


def _product_of_cyclic(sizes: list[tuple[int, int]]) -> Array:
    """Return the products in a direct product of cyclic monoids of these indices and periods, the first the lowest."""
    table, unit = np.zeros((1, 1), np.int32), 1
    for index, period in sizes:
        sums = np.add.outer(np.arange(index + period), np.arange(index + period))
        sums = np.where(sums < index, sums, index + (sums - index) % period).astype(np.int32)
        table = (sums[:, None, :, None] * unit + table[None, :, None, :]).reshape(2 * (unit * (index + period),))
        unit *= index + period
    return np.ascontiguousarray(table, np.int32)


@inlined
def _times(base: Array, cycles: Array, one: int, two: int) -> int:
    """Return the product of two elements."""
    size = len(base)
    return cycles[one // size, two // size] * size + base[one % size, two % size]  # type: ignore[no-any-return]


@compiled
def _mark(
    base: Array,
    cycles: Array,
    images: Array,
    starts: Array,
    ends: Array,
    place: int,
    sums: Array,
    before: Array,
    tops: Array,
    lost: Array,
    begin: int,
    end: int,
) -> int:
    """Add a position to a range of first sums; of those that are first sums too find the outcome."""
    count = end
    size = len(base)
    for i in range(begin, end):
        found = _times(base, cycles, sums[i], images[place])
        if tops[found] >= 0:
            continue
        tops[found] = place
        before[found] = sums[i]
        sums[count] = found
        count += 1
        is_lost = True
        left, taken, last = found, 0, -1  # the sum without some of its last positions, and these
        while left and is_lost:
            top = tops[left]
            if top != last:
                others = _times(base, cycles, before[left], taken)
                cycle, rest = others // size, others % size
                for k in range(starts[top], starts[top + 1]):
                    if lost[cycles[cycle, ends[k] // size] * size + base[rest, ends[k] % size]]:
                        is_lost = False
                        break
            taken = _times(base, cycles, taken, images[top])
            left = before[left]
            last = top
        lost[found] = is_lost
    return count


@compiled
def _split(
    base: Array,
    cycles: Array,
    step: int,
    classes: Array,
    finer: Array,
    keys: Array,
    values: Array,
    classes_before: int,
    fewer: int,
) -> int:
    """Split classes of elements by the classes one step further; return how many there are, if fewer than told."""
    count = 0
    for element in range(len(classes)):
        key = classes[element] * classes_before + classes[_times(base, cycles, element, step)]
        slot = (key * _MULTIPLIER >> 20) & (len(keys) - 1)
        while keys[slot] >= 0 and keys[slot] != key:
            slot = (slot + 1) & (len(keys) - 1)
        if keys[slot] < 0:
            if count == fewer:
                break
            keys[slot] = key
            values[slot] = count
            count += 1
        finer[element] = values[slot]
    return count
