"""Moore's Nim: take from several heaps in one move."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from math import factorial, prod
from typing import Any, Literal

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message
from graphgame.labs.shared_rules import Bounded, heaps, number_names
from graphgame.labs.tables.rays import Ray, ray_p_bits, ray_values
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.parsing import integers
from graphgame.rules.pictures import Cell, Picture, Way, heap
from graphgame.rules.ruleset import About, Ruleset


class HeapsInOne(Ruleset):
    """A game whose position is a tuple of heaps in one component. A subclass gives the moves in ``_left``.

    Its method ``rays_below`` returns the moves as linear families, so that tables need no graph, or () if they are not
    linear families.
    """

    def rays_below(self, shape: Sequence[int]) -> Sequence[Ray]:
        """Return the linear move families with all moves from positions whose numbers are below ``shape``.

        The result is empty if the moves of positions of ``len(shape)`` numbers are not such families.
        """
        raise NotImplementedError

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        rays = self.rays_below(shape)
        return ray_values(rays, shape, misere=misere) if rays else None

    def lost_bits(self, shape: Sequence[int], misere: bool, progress: Progress | None) -> np.ndarray | None:
        rays = self.rays_below(shape)
        return ray_p_bits(rays, shape, misere=misere, progress=progress) if rays else None

    def options(self, position: Any) -> Iterable[Hashable]:  # noqa: ANN401
        return map(self.canonical, self._left(position))

    def picture(self, position: tuple[int, ...]) -> Picture | None:
        return heaps(position)

    def ways(self, position: tuple[int, ...]) -> Iterator[Way]:
        for left in self._left(position):
            option: Any = self.canonical(left)
            yield heaps_way(option, option, position, left) if self.picture(position) else Way(option)

    def _left(self, position: Any) -> Iterator[tuple[int, ...]]:  # noqa: ANN401
        """Yield the sizes of all heaps after each move, in the order of ``position``; an empty heap has size 0."""
        raise NotImplementedError


class Moore(HeapsInOne, Bounded):
    """The rules of Moore's Nim_k. A position is the sizes of the nonempty heaps in increasing order.

    Examples
    --------
    >>> list(Moore(2).options((1, 2)))
    [(2,), (1,), (1, 1), (), (1,)]
    """

    about = About(
        "Moore's Nim_k: take any positive numbers from at least one and at most k heaps.",
        "``moore{2}(3,4,5)`` has heaps of 3, 4 and 5; a move changes one or two of them.",
        theorem="A position is P exactly when, in each binary column, k + 1 divides the number of heaps with a one "
        "there; :func:`moore_outcome` uses it. For the values no such formula is known in general.",
        source="E. H. Moore, A generalization of the game called Nim, Annals of Mathematics 11 (1910).",
    )

    bound = Message("the largest number of heaps in a move")

    def _left(self, position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for changed in range(1, min(self.most, len(position)) + 1):
            for indices in combinations(range(len(position)), changed):
                for sizes in _smaller([position[index] for index in indices]):
                    smaller = dict(zip(indices, sizes, strict=True))
                    yield tuple(smaller.get(index, heap) for index, heap in enumerate(position))

    def canonical(self, position: Iterable[int]) -> tuple[int, ...]:
        """Return the nonempty heaps in increasing order."""
        return tuple(sorted(filter(None, position)))

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves on ``size`` heaps as statements, one for each choice of ``most`` heaps.

        A statement says that at least one chosen heap decreases, no chosen heap grows, and all other heaps stay. If
        ``size`` is less than ``most``, there is one statement, about all heaps.
        """
        names = number_names(size)
        choices = combinations(names, min(self.most, size))
        return DeclaredMoves(names, tuple(_lowered(names, chosen) for chosen in choices))

    def rays_below(self, shape: Sequence[int]) -> list[Ray]:
        """Return the moves on ``len(shape)`` heaps as linear families.

        For each choice of ``most`` heaps, or of all if there are fewer, there is a family for each chosen heap: its
        first move takes 1 from this heap, and each further step takes 1 from any chosen heap.
        """
        units = [tuple(int(axis == heap) for axis in range(len(shape))) for heap in range(len(shape))]
        choices = combinations(units, min(self.most, len(shape)))
        return [Ray(first, *chosen) for chosen in choices for first in chosen]

    def least_size(self, position: tuple[int, ...]) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a position."""
        return smaller_heaps(position)

    def outcome_form(self, position: tuple[int, ...]) -> Literal["P", "N"]:
        """Return "P" or "N" by Moore's theorem about the binary digits."""
        return moore_outcome(position, self.most)

    def misere_outcome_form(self, position: tuple[int, ...]) -> Literal["P", "N"]:
        """Return "P" or "N" under misère play, which differs from normal play only if no heap is larger than 1."""
        if max(position, default=0) > 1:
            return moore_outcome(position, self.most)
        return "P" if sum(position) % (self.most + 1) == 1 else "N"

    def reason(self, position: tuple[int, ...]) -> str:
        """Return a sentence with the number of ones in each binary column, the highest column first.

        It also says whether k + 1 divides all these numbers, where k is the largest number of heaps in a move. Without
        heaps it only says that all heaps are empty.
        """
        counts = digit_counts(position)[::-1]
        if not counts:
            return Message("all heaps are empty")
        return Message(
            "numbers of ones in the binary columns: {numbers}; {divisor} does not divide all of them"
            if any(count % (self.most + 1) for count in counts)
            else "numbers of ones in the binary columns: {numbers}; {divisor} divides all of them",
            ", ".join(map(str, counts)),
            self.most + 1,
        )

    def winning_options(self, position: tuple[int, ...]) -> Iterator[Hashable]:
        """Yield the winning options.

        If there are too many options to try, yield one winning option, if there is any, and raise LimitError.
        """
        try:
            yield from list(super().winning_options(position))
        except LimitError:
            if self.outcome_form(position) == "N":
                yield self.canonical(balanced(position, self.most))
            raise

    def parse(self, text: str) -> tuple[int, ...]:
        return self.canonical(integers(text, what=Message("a heap's size")))

    def format(self, position: tuple[int, ...]) -> str:
        return ",".join(map(str, position)) or "0"


def smaller_heaps(heaps: Sequence[int]) -> tuple[int, int]:
    """Return lower bounds for the numbers of positions and moves of the graph from these heaps.

    The bounds hold if a move can decrease any one heap to any smaller size, even if the graph has only one vertex for
    all positions that differ only in the order of their heaps.

    >>> smaller_heaps((2, 3)), smaller_heaps(())
    ((6, 9), (1, 0))
    """
    orders, largest = factorial(len(heaps)), max(heaps, default=0)
    tuples = prod(heap + 1 for heap in heaps)
    # Count only the moves in one heap of size ``largest`` at the start: ``largest / 2`` on average over all tuples.
    return -(-tuples // orders), tuples * largest // 2 // orders


def _smaller(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all tuples whose entries are below those of ``sizes``; no list is made, so sizes may be huge."""
    if not sizes:
        yield ()
        return
    for first in range(sizes[0]):
        for rest in _smaller(sizes[1:]):
            yield first, *rest


def moore_outcome(heaps: Iterable[int], most: int) -> Literal["P", "N"]:
    """Return the outcome of Moore's Nim, "P" or "N", where a move decreases at most ``most`` heaps.

    Examples
    --------
    >>> moore_outcome([10**18, 10**18, 10**18], 2), moore_outcome([3, 4, 5], 2)
    ('P', 'N')
    """
    return "N" if any(count % (most + 1) for count in digit_counts(list(heaps))) else "P"


def balanced(heaps: Collection[int], most: int) -> list[int]:
    """Return a P-position of Moore's Nim to which a move from these heaps leads, in the same order of heaps.

    A move decreases at most ``most`` heaps. If ``heaps`` is itself a P-position, the result is equal to ``heaps``.

    Notes
    -----
    In each binary column of a P-position, ``most + 1`` divides the number of ones. The loop goes from the highest
    column to the lowest. A heap that was decreased in a higher column is free: its lower digits can be chosen. If the
    free heaps can supply the ones that a column lacks, they do. Otherwise the surplus ones of the column are removed,
    and their heaps become free. At most ``most`` heaps become free.

    Examples
    --------
    >>> balanced([3, 4, 5], 2)
    [3, 3, 3]
    """
    left = list(heaps)
    free: list[int] = []
    for digit in reversed(range(max(map(int.bit_length, left), default=0))):
        ones = [index for index, heap in enumerate(left) if heap >> digit & 1 and index not in free]
        surplus = len(ones) % (most + 1)
        lacking = (most + 1 - surplus) % (most + 1)
        # If lacking > len(free), then surplus + len(free) <= most: so few heaps that a move may decrease all of them.
        if lacking > len(free):
            free += ones[:surplus]
            lacking = 0
        for number, index in enumerate(free):
            left[index] = left[index] & ~(1 << digit) | (number < lacking) << digit
    return left


def digit_counts(heaps: Collection[int]) -> list[int]:
    """Return the number of heaps that have a one in each binary column, the lowest column first."""
    digits = max(map(int.bit_length, heaps), default=0)
    return [sum(heap >> digit & 1 for heap in heaps) for digit in range(digits)]


def _lowered(names: tuple[str, ...], chosen: tuple[str, ...]) -> str:
    """Return the statement that no chosen number grows, at least one chosen number decreases, and all others stay."""
    parts = [f"{name}' <= {name}" if name in chosen else f"{name}' = {name}" for name in names]
    return " and ".join([*parts, f"{' + '.join(f'{name}{chr(39)}' for name in chosen)} < {' + '.join(chosen)}"])


def heaps_way(option: Hashable, ordered: Sequence[int], sizes: Sequence[int], left: Sequence[int]) -> Way:
    """Return a move as a :class:`Way` on the picture of heaps, where the removed cells become blank.

    Parameters
    ----------
    option : hashable
        The position after the move.
    ordered : sequence of int
        The heaps after the move, in the order of the picture of ``option``.
    sizes, left : sequence of int
        The heaps before and after the move, both in the order of the picture before the move.

    Examples
    --------
    In ``origins``, heap 1 of the option is the old cell 2, and heap 2 the old cells 0 and 1:

    >>> heaps_way((1, 2), [1, 2], [2, 2], [2, 1]).origins
    ((2, 0, 1),)
    """
    cells: list[Cell] = []
    spans: dict[int, list[range]] = {}
    for size, rest in zip(sizes, left, strict=True):
        shown = heap(rest).cells  # an empty heap is shown as one cell, a note
        spans.setdefault(rest, []).append(range(len(cells), len(cells) + len(shown)))
        cells += [*shown, *[Cell("blank")] * (size - len(shown))]
    origin = [number for size in ordered or [0] for number in spans[size].pop()]
    return Way(option, tuple(cells), origins=(tuple(origin),))
