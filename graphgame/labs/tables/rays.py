"""Tables of values for games whose positions are a few numbers, and whose moves are linear families; without a graph.

A linear move family, a :class:`Ray`, consists of a first move and any number of further steps in fixed directions: for
example "take i from one heap", or "take the same number from both".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import Engine, Progress, report
from graphgame.errors import LimitError, ParameterError
from graphgame.labs.shared_rules import ALL_SEEN, VALUE_BITS, see_value

_MOST_WORDS = 1 << 26
"""The maximum number of 8-byte words in all sets of values of a table together: 512 MB."""

_ENTRIES_A_REPORT = 1 << 24
"""The number of entries that are computed between two reports of progress."""


class Ray:
    """A linear move family: subtract ``first`` once, then each vector of ``steps`` any number of times, also 0 times.

    After a move no number may be negative. Without steps the family is a single move.

    Examples
    --------
    >>> list(Ray((1, 1), (1, 1)).taken((2, 3)))
    [(1, 2), (0, 1)]
    >>> corner = Ray((1, 1), (1, 0), (0, 1))  # any numbers from both
    >>> sorted(corner.taken((2, 3)))
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """

    def __init__(self, first: Sequence[int], *steps: Sequence[int]) -> None:
        self.first = tuple(first)
        self.steps = tuple(sorted({tuple(step) for step in steps if any(step)}, reverse=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ray) and (self.first, self.steps) == (other.first, other.steps)

    def __hash__(self) -> int:
        return hash((self.first, self.steps))

    def __repr__(self) -> str:
        return f"Ray({', '.join(map(str, (self.first, *self.steps)))})"

    def taken(self, numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the tuple of numbers after each move of the family from ``numbers``, without repetitions."""
        waiting = [_less(numbers, self.first)]
        met = {*waiting}
        for left in waiting:  # the list grows during the loop
            if min(left) >= 0:
                yield left
            # Go on from negative numbers only if the step adds to each of them.
            for step in self.steps:
                if all(number >= 0 or less < 0 for number, less in zip(left, step, strict=True)):
                    further = _less(left, step)
                    if further not in met:
                        met.add(further)
                        waiting.append(further)


def _less(numbers: Sequence[int], taken: Sequence[int]) -> tuple[int, ...]:
    return tuple(number - less for number, less in zip(numbers, taken, strict=True))


def ray_values(
    rays: Sequence[Ray],
    shape: Sequence[int],
    *,
    misere: bool = False,
    weights: Sequence[int] = (),
    kinds: Array | None = None,
    engine: Engine = "auto",
) -> Array:
    """Return the Grundy values of all positions whose numbers are below ``shape``.

    Parameters
    ----------
    rays : sequence of Ray
        All moves of the game.
    shape : sequence of int
        For each number of a position, one more than the largest number in the table.
    misere : bool
        True: values under misère play, where a position without moves has value 1.
    weights : sequence of int, optional
        A weight for each number, by default 1. Every move must decrease the weighted total of the numbers. Weights are
        required if a move adds to a number; where such a move leads out of the table, it is ignored.
    kinds : ndarray of int8, optional
        The kind of each entry: ``BLANK`` (no position), ``ORDINARY``, or ``OVER`` (play is over, so the value is that
        of a position without moves). By default all are ordinary.
    engine : {"auto", "plain", "compiled"}

    Returns
    -------
    numpy.ndarray
        int32, of this shape; -1 for blank entries.

    Raises
    ------
    ParameterError
        A first move or a step does not have an entry for each number, or does not decrease the weighted total. Or a ray
        adds to a number, and there are no weights or the ray has several steps.
    LimitError
        The sets of values take too much memory.

    Notes
    -----
    All positions on a line in the direction of a ray's first step share one bit set. At each position on the line, the
    value that the ray's first move reaches is added to the set. If the ray has further steps, the sets of the positions
    one such step away are added, too. Then the set has the values that the ray's moves reach. The Grundy value is the
    least number in none of the sets. The time is O(entries * rays), plus the time to scan the words of the sets.

    Examples
    --------
    >>> queen = Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1)), Ray((1, 1), (1, 1))
    >>> ray_values(queen, (3, 4)).tolist()
    [[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5]]
    """
    moves = _Moves.of(rays, shape, weights)
    entries = prod(shape)
    order = np.zeros(0, np.int64)
    if moves.raises:
        order = np.argsort(np.ravel(np.tensordot(weights, np.indices(shape, np.int32), 1)), kind="stable")
    lines = moves.lines()
    words = moves.most_value(weights) // VALUE_BITS + 2
    if lines * words > _MOST_WORDS:
        raise LimitError(
            "a table of {entries:,} entries needs too much memory for a game with these moves: ask for a smaller table",
            entries,
            limit="size",
        )
    window = moves.window() if not moves.raises else 1 << (entries - 1).bit_length()
    values = np.full(entries, -1, np.int32)
    pieces = len(moves.step_of) - 1
    sets = ValueSets(
        np.zeros((pieces, window), np.int32),
        np.zeros(pieces, np.int32),
        np.zeros((lines, words), np.int64),
        np.zeros((2, lines), np.int32),
        *np.zeros((2, len(shape)), np.int64),
    )
    kinds = np.full(entries, ORDINARY, np.int8) if kinds is None else np.ravel(kinds)
    runner(fill_values, entries * len(moves.firsts), engine)(moves, sets, misere, order, kinds, values)
    return values.reshape(shape)


def ray_p_bits(
    rays: Sequence[Ray], shape: Sequence[int], *, misere: bool = False, progress: Progress | None = None
) -> Array:
    """Return an array of bits with a bit for each position whose numbers are below ``shape``: 1 for P-positions.

    Parameters
    ----------
    rays, shape, misere
        As for :func:`ray_values`; no move may add to a number.
    progress : callable, optional
        Called as ``progress(done, entries)`` now and then.

    Returns
    -------
    numpy.ndarray
        uint8: the entries in row-major order, eight to a byte, the first in the lowest bit.

    Raises
    ------
    ParameterError
        A ray has a move that takes nothing or adds to a number, or vectors of another length than ``shape``.

    Examples
    --------
    >>> queen = Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1)), Ray((1, 1), (1, 1))
    >>> bits = ray_p_bits(queen, (8, 8))
    >>> np.argwhere(np.unpackbits(bits, bitorder="little").reshape(8, 8)).tolist()
    [[0, 0], [1, 2], [2, 1], [3, 5], [4, 7], [5, 3], [7, 4]]
    """
    moves = _Moves.of(rays, shape, ())
    entries = prod(shape)
    p_bits = np.zeros(-(-entries // 8), np.uint8)
    reached = np.zeros((len(moves.step_of) - 1, moves.window()), np.bool_)
    at = np.zeros(len(shape), np.int64)
    fill = runner(fill_p_bits, entries * len(moves.firsts))
    for start in range(0, entries, _ENTRIES_A_REPORT):
        report(progress, start, entries)
        fill(moves, misere, p_bits, reached, at, start, min(start + _ENTRIES_A_REPORT, entries))
    return p_bits


class _Moves(NamedTuple):
    """Rays as arrays, for a table of the shape ``sizes``. Rays with the same steps form one piece.

    Piece p has the first moves ``firsts[first_of[p]:first_of[p + 1]]`` and the steps
    ``steps[step_of[p]:step_of[p + 1]]``. A move subtracts these vectors from the numbers. ``raises`` is true if one of
    them has a negative entry, which adds to a number.
    """

    sizes: Array
    firsts: Array
    first_of: Array
    steps: Array
    step_of: Array
    raises: bool

    @classmethod
    def of(cls, rays: Sequence[Ray], shape: Sequence[int], weights: Sequence[int]) -> _Moves:
        pieces: dict[tuple[tuple[int, ...], ...], set[tuple[int, ...]]] = {}
        for ray in rays:
            pieces.setdefault(ray.steps, set()).add(ray.first)
        totals = weights or (1,) * len(shape)
        vectors = [vector for ray in rays for vector in (ray.first, *ray.steps)]
        raising = [ray for ray in rays if any(min(vector) < 0 for vector in (ray.first, *ray.steps))]
        if not all(len(vector) == len(shape) and np.dot(totals, vector) > 0 for vector in vectors) or (
            raising and (not weights or any(len(ray.steps) > 1 for ray in raising))
        ):
            raise ParameterError(
                "invalid linear move families: each first move and step needs an entry for each number, and must "
                "lower the weighted total of the numbers; a family with a move that adds to a number needs weights, "
                "and at most one step"
            )

        def ordered(steps: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
            # Each line along the first step has one set: the values reached so far. For every further step, an entry
            # goes one such step back, and reads the set of the line there. No later entry of that line may have been
            # filled in by then. So the first step must be the one that goes furthest in the order of filling.
            return sorted(steps, key=lambda step: (bool(raising) and np.dot(totals, step), step), reverse=True)

        return cls(
            np.array(shape, np.int64),
            *_joined(map(sorted, pieces.values()), len(shape)),
            *_joined(map(ordered, pieces), len(shape)),
            bool(raising),
        )

    def lines(self) -> int:
        """Return an upper bound of the number of sets of values that :func:`fill_values` needs.

        Each piece needs one set, and a piece with steps needs one more for each of its lines; :class:`ValueSets` says
        what a line is.
        """
        sets, entries = len(self.step_of) - 1, prod(self.sizes.tolist())
        for start, end in zip(self.step_of[:-1], self.step_of[1:], strict=True):
            if start < end:
                # A line begins at each entry from which one step back leads out of the table.
                sets += entries - prod(np.maximum(self.sizes - np.abs(self.steps[start]), 0).tolist())
        return sets

    def window(self) -> int:
        """Return a power of 2 above the length of every step, as a difference of flat indices of the table."""
        strides = np.append(np.cumprod(self.sizes[:0:-1])[::-1], 1)
        inside = self.steps[(self.steps < self.sizes).all(axis=1)]
        return 1 << int((inside @ strides).max(initial=1)).bit_length()

    def most_value(self, weights: Sequence[int]) -> int:
        """Return an upper bound of all values in the table, at least 1.

        A value is at most the number of options, and at most the length of play, which the weighted total limits. For
        this limit, negative weights count as positive ones.
        """
        options = 0
        for piece, (start, end) in enumerate(zip(self.step_of[:-1], self.step_of[1:], strict=True)):
            reach = [
                1 + min(int(size // abs(part)) for size, part in zip(self.sizes, step, strict=True) if part)
                for step in self.steps[start:end]
            ]
            options += int(self.first_of[piece + 1] - self.first_of[piece]) * prod(reach)
        return max(1, min(options, int((self.sizes - 1) @ np.abs(weights or [1] * len(self.sizes)))))


def _joined(parts: Iterator[list[tuple[int, ...]]], width: int) -> tuple[Array, Array]:
    """Return the vectors of all parts as rows of one array with ``width`` columns, and the row where each part begins.

    The second array also has an entry for the end.
    """
    listed = list(parts)
    vectors = np.array([vector for part in listed for vector in part], np.int64).reshape(-1, width)
    return vectors, np.cumsum([0, *map(len, listed)])


BLANK, ORDINARY, OVER = range(3)
"""Kinds of table entries: no position or an unknown value, an ordinary position, a position at which play is over."""


@inlined
def _before(at: Array, shape: Array, taken: Array, row: int) -> int:
    """Return the index of the entry at ``at - taken[row]``, or -1 if it is outside the table."""
    index = 0
    for axis in range(len(shape)):
        number = at[axis] - taken[row, axis]
        if number < 0 or number >= shape[axis]:
            return -1
        index = index * shape[axis] + number
    return int(index)


class ValueSets(NamedTuple):
    """A set of values for each line, and work arrays of :func:`fill_values`.

    A piece is all move families with the same steps. Entries are on one line of a piece if they differ by a multiple of
    its first step. The set of a line has the values that moves of the piece reach from the line's entries so far.
    """

    line_at: Array
    """[piece, entry & mask]: the index in ``seen`` of the set of the entry's line. This is a ring buffer for the latest
    entries; ``mask`` is its length minus 1."""

    lines: Array
    """[piece]: the index in ``seen`` of the set for the current entry. This is the set of its line; a piece without
    steps has a set for this entry alone."""

    seen: Array
    """[set, word]: the bits of a set, :data:`VALUE_BITS` in a word."""

    extents: Array
    """[0, set]: how many words at the start of the set are full. [1, set]: how many words are in use."""

    at: Array
    """The numbers of the current entry."""

    earlier: Array
    """The numbers of an earlier point on the line of the current entry, which may be outside the table."""


@compiled
def fill_values(moves: _Moves, sets: ValueSets, misere: bool, order: Array, kinds: Array, values: Array) -> None:
    """Compute ``values`` in the order of the indices in ``order``; if ``order`` is empty, row by row.

    An entry without moves, or of the kind OVER, gets the value 0, or 1 if ``misere``. An entry of the kind BLANK is not
    changed. At the start all ``values`` must be -1, and ``sets``, the work memory, must be 0.
    """
    shape, firsts, first_of, steps, step_of, raises = moves
    line_at, lines, seen, extents, at, earlier = sets
    pieces = len(lines)
    dimensions = len(shape)
    mask = line_at.shape[1] - 1
    free = pieces
    for rank in range(len(values)):
        entry = order[rank] if len(order) else rank
        rest = entry
        for axis in range(dimensions - 1, -1, -1):
            at[axis] = rest % shape[axis]
            rest //= shape[axis]
        word = 0
        moved = False
        for piece in range(pieces):
            start, end = step_of[piece], step_of[piece + 1]
            line = piece
            new = False
            if start == end:
                # A piece without steps has one set, which belongs to the current entry: clear the previous entry's.
                for used in range(extents[1, line]):
                    seen[line, used] = 0
                extents[0, line] = extents[1, line] = 0
            else:
                back = _before(at, shape, steps, start)
                new = back < 0
                if new:
                    line = free
                    free += 1
                else:
                    line = line_at[piece, back & mask]
            for step in range(start + 1, end):
                back = _before(at, shape, steps, step)
                if back >= 0:
                    other = line_at[piece, back & mask]
                    # The words before extents[0, line] are full: nothing can be added to them.
                    for mixed in range(extents[0, line], extents[1, other]):
                        seen[line, mixed] |= seen[other, mixed]
                    extents[1, line] = max(extents[1, line], extents[1, other])
                    while seen[line, extents[0, line]] == ALL_SEEN:
                        extents[0, line] += 1
            for first in range(first_of[piece], first_of[piece + 1]):
                source = _before(at, shape, firsts, first)
                if source >= 0 and values[source] >= 0:
                    see_value(values[source], line, seen, extents)
            # The points before the first entry of a line are outside the table. But if a move adds to a number, a first
            # move from such a point may lead back into the table: the set of the line needs the value there, too.
            if new and raises:
                for axis in range(dimensions):
                    earlier[axis] = at[axis]
                for _ in range(2 * len(values)):
                    far = True
                    for axis in range(dimensions):
                        earlier[axis] -= steps[start, axis]
                        far = far and abs(earlier[axis]) < 3 * shape[axis]
                    if not far:
                        break
                    for first in range(first_of[piece], first_of[piece + 1]):
                        source = _before(earlier, shape, firsts, first)
                        if source >= 0 and values[source] >= 0:
                            see_value(values[source], line, seen, extents)
            line_at[piece, entry & mask] = line
            lines[piece] = line
            word = max(word, extents[0, line])
            moved = moved or extents[1, line] > 0
        if kinds[entry] == BLANK:
            continue
        if kinds[entry] == OVER or not moved:
            values[entry] = misere
            continue
        # The mex is in the first word that is not full in the union of the sets. Skip the words before ``word``: one of
        # the sets is full in all of them.
        union = ALL_SEEN
        while union == ALL_SEEN:
            union = 0
            for piece in range(pieces):
                union |= seen[lines[piece], word]
            word += 1
        value = (word - 1) * VALUE_BITS
        while union & 1:
            union >>= 1
            value += 1
        values[entry] = value


@compiled
def fill_p_bits(moves: _Moves, misere: bool, p_bits: Array, reached: Array, at: Array, begin: int, stop: int) -> None:
    """Set the bits of the P-positions in ``p_bits``, for the entries from ``begin`` to ``stop - 1`` in row-major order.

    The next call goes on at ``stop`` with the same arrays. ``at`` has the numbers of entry ``begin``, and at the end
    those of entry ``stop``. ``reached`` has a row for each piece, with the latest entries: entry e is in column
    ``e % reached.shape[1]``, and is true if a move of the piece from it leads to a P-position.
    """
    shape, firsts, first_of, steps, step_of, _ = moves
    mask = reached.shape[1] - 1
    for entry in range(begin, stop):
        won = False
        moved = False
        for piece in range(len(step_of) - 1):
            some = False
            for step in range(step_of[piece], step_of[piece + 1]):
                back = _before(at, shape, steps, step)
                some = some or (back >= 0 and reached[piece, back & mask])
            for first in range(first_of[piece], first_of[piece + 1]):
                source = _before(at, shape, firsts, first)
                if source >= 0:
                    moved = True
                    some = some or p_bits[source >> 3] >> (source & 7) & 1 == 1
            reached[piece, entry & mask] = some
            won = won or some
        # A position without moves is a P-position under normal play, and an N-position under misère play.
        if (not won) if moved else (not misere):
            p_bits[entry >> 3] |= 1 << (entry & 7)
        # Count up ``at`` like an odometer, the last number first.
        for axis in range(len(shape) - 1, -1, -1):
            at[axis] += 1
            if at[axis] < shape[axis]:
                break
            at[axis] = 0
