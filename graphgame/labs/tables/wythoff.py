"""Games on two heaps in one component: Wythoff's game, its generalizations, and Euclid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, product
from math import isqrt
from typing import Any, Literal

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.labs.coded import CodedRuleset
from graphgame.labs.tables.moore import HeapsInOne, smaller_heaps
from graphgame.labs.tables.rays import Ray
from graphgame.labs.tables.take_away import Relation
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.parsing import integer, integers
from graphgame.rules.ruleset import About, Ruleset

_ONE_HEAP = ("a' < a and b' = b", "a' = a and b' < b")
_LARGEST_HEAP = 46_340
"""The largest heap of positions that have codes: the largest n for which n (n + 1) fits in an int32."""

_LARGEST_TABLE = 5_000
"""The maximum number of rows, and of columns, of a table of Euclid that is computed in memory."""

_LINES = Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1))


class Pair(HeapsInOne):
    """A game whose position is two heaps, in canonical form the smaller heap first.

    If the moves are linear families (:class:`Ray`), a subclass lists all families in ``rays``. Then tables need no
    graph.

    Examples
    --------
    >>> from graphgame import explore, solve
    >>> from graphgame.labs.tables.rays import Ray
    >>> class Knight(Pair):
    ...     rays = Ray((1, 2)), Ray((2, 1))
    >>> solve(explore(Knight(), (4, 6))).grundy[4, 6], int(Knight().value_array((5, 7), misere=False)[4, 6])
    (1, 1)
    """

    rays: Sequence[Ray] = ()

    def rays_below(self, shape: Sequence[int]) -> Sequence[Ray]:
        return self.rays if len(shape) == 2 else ()

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return (smaller heap, larger heap)."""
        return min(position), max(position)

    def parse(self, text: str) -> tuple[int, int]:
        """Return the two heaps of a text such as ``3,5``, in the order of the text."""
        sizes = integers(text, what=Message("a heap's size"))
        if len(sizes) != 2:
            raise ParseError("expected two heaps, such as 3,5, but found {count}", len(sizes), column=1)
        return sizes[0], sizes[1]

    def _left(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        return chain.from_iterable(ray.taken(position) for ray in self.rays)  # type: ignore[misc]


class _GoldenPairs(Pair):
    """A game with the P-positions of r-Wythoff, where r is ``width``. If ``width`` is 0, they are unknown."""

    width = 1

    def outcome_form(self, position: tuple[int, int]) -> Literal["P", "N"] | None:
        """Return "P" or "N" by the theorem of Wythoff and Fraenkel, or None if ``width`` is 0."""
        return wythoff_outcome(*position, self.width) if self.width else None

    def reason(self, position: tuple[int, int]) -> str | None:
        """Return a sentence that names the P-position whose heaps have the same difference, or says that there is none.

        The result is None if ``width`` is 0.
        """
        small, large = sorted(position)
        return _golden(small, large, self.width) if self.width else None

    def least_size(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a position."""
        return smaller_heaps(position)


class Wythoff(CodedRuleset, _GoldenPairs):
    """The rules of Wythoff's game. A position is two heaps, in canonical form the smaller heap first.

    Examples
    --------
    >>> list(Wythoff().options((1, 2)))
    [(0, 2), (1, 1), (0, 1), (0, 1)]
    """

    about = About(
        "Wythoff's game: take any positive number from one of two heaps, or the same number from both.",
        "``wythoff(3,5)`` has heaps of 3 and 5. ``wythoff{3}(3,5)`` is Fraenkel's 3-Wythoff: from both heaps one may "
        "take numbers that differ by less than 3. More generally braces hold a relation: ``wythoff{b <= 3a}(3,5)`` "
        "lets you take a from one heap and b, at least a, from the other if b <= 3a; ``wythoff{b != a}(3,5)`` two "
        "numbers that differ.",
        theorem="The P-positions are (floor(i phi), floor(i phi) + i) with the golden ratio phi; those of r-Wythoff "
        "(floor(i alpha), floor(i alpha) + i r) with alpha = (2 - r + sqrt(r r + 4)) / 2. :func:`wythoff_outcome` uses "
        "these formulas. No formula for the values is known. Under misère play the P-positions of Wythoff's game "
        "differ only near the origin; if r is 2 or more, the heaps of a P-position differ by i r + 1 (Fraenkel 1984).",
        source="W. A. Wythoff, A modification of the game of Nim, Nieuw Archief voor Wiskunde 7 (1907). OEIS A004481. "
        "A. S. Fraenkel, How to beat your Wythoff games' opponent on three fronts, American Mathematical Monthly 89 "
        "(1982); Wythoff games, continued fractions, cedar trees and Fibonacci searches, Theoretical Computer Science "
        "29 (1984).",
    )

    size = (_LARGEST_HEAP + 1) * (_LARGEST_HEAP + 2) // 2
    rays = *_LINES, Ray((1, 1), (1, 1))

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for the text in braces: empty (Wythoff's game), a number r (r-Wythoff), or a relation.

        A relation such as ``b <= 3a`` allows a move to take a number a from one heap, and b >= a from the other.
        """
        if not text.strip():
            return cls()
        if text.strip().isdecimal():
            width = integer(text, what=Message("the number r of r-Wythoff"), least=1)
            return cls() if width == 1 else WideWythoff(Relation("b", "<", 1, "a", width), str(width))
        return WideWythoff(Relation.from_text(text, "b", "a"))

    def options(self, position: tuple[int, int]) -> Iterable[Hashable]:  # type: ignore[override]
        """Return the options, also of heaps above 46,340, whose positions have no codes."""
        return Pair.options(self, position)

    def encode(self, position: Any) -> int:  # noqa: ANN401
        """Return the index of a position in the list (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), ...

        Raises ValueError if the position is not a tuple of two integers of 0 or more.
        """
        pair = isinstance(position, tuple) and len(position) == 2
        if not pair or not all(isinstance(heap, int) and heap >= 0 for heap in position):
            raise ValueError(Message("invalid position {position!r}: expected two heaps", position))
        small, large = self.canonical(position)
        return large * (large + 1) // 2 + small

    def decode(self, code: int) -> Hashable:
        """Return the position with this index; see :meth:`encode`."""
        large = (isqrt(8 * code + 1) - 1) // 2
        return code - large * (large + 1) // 2, large

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return statements of the moves: decrease one heap, or both by the same number. None if ``size`` is not 2."""
        return DeclaredMoves(("a", "b"), (*_ONE_HEAP, "a' < a and a - a' = b - b'")) if size == 2 else None

    def misere_outcome_form(self, position: tuple[int, int]) -> Literal["P", "N"]:
        """Return "P" or "N" under misère play.

        The P-positions are those of normal play, except that (0, 1) and (2, 2) replace (0, 0) and (1, 2).
        """
        return _misere_outcome(*self.canonical(position))

    def winning_options(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the P-positions of normal play that a move reaches, without trying all moves."""
        return _golden_options(*self.canonical(position))

    def ranks(self, codes: np.ndarray) -> np.ndarray:
        """Return the total of the two heaps for each code; every move decreases this total."""
        totals: np.ndarray = np.add(*_pairs(codes))
        return totals

    def option_codes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays with an entry for each option: the index in ``codes`` of the position, the option's code.

        Moves in the smaller heaps of all positions come first, then moves in the larger heaps, then moves in both.
        """
        small, large = _pairs(codes)
        moves = (small, (1, 0)), (large, (0, 1)), (small, (1, 1))
        rows, options = zip(*(_taken(small, large, most, share) for most, share in moves), strict=True)
        return np.concatenate(rows), np.concatenate(options)


def _pairs(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Decode positions: return an int32 array of their smaller heaps, and one of their larger heaps."""
    # Floating point gives the exact result: 8 times the largest code is far below 2**53.
    large = ((np.sqrt(8 * codes + 1) - 1) / 2).astype(np.int32)
    return (codes - large.astype(np.int64) * (large + 1) // 2).astype(np.int32), large


def _taken(
    small: np.ndarray, large: np.ndarray, most: np.ndarray, share: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays with an entry for each move of one kind: the index of its position, and the option's code.

    The moves of position k take i = 1, ..., most[k]: ``share[0] * i`` from the smaller heap and ``share[1] * i`` from
    the larger heap. ``share`` is (1, 0), (0, 1) or (1, 1).
    """
    # ``taken`` counts from 1 for each position: the running index minus the number of moves of earlier positions.
    rows = np.repeat(np.arange(len(most), dtype=np.int32), most)
    taken = np.arange(1, len(rows) + 1, dtype=np.int32) - np.repeat(np.cumsum(most, dtype=np.int32) - most, most)
    first, second = small[rows] - share[0] * taken, large[rows] - share[1] * taken
    high = np.maximum(first, second)
    return rows, high * (high + 1) // 2 + np.minimum(first, second)


class WideWythoff(_GoldenPairs):
    """Wythoff's game with a relation between the numbers that a player may take from both heaps in one move."""

    def __init__(self, both: Relation, arguments: str = "") -> None:
        self.both = both
        self.arguments = arguments or str(both)
        self.width = both.plus + (both.sign == "<=") if both.sign in ("<", "<=") and both.times == 1 else 0

    def _left(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the pair of heaps after each move: first moves in the first heap, then in the second, then in both."""
        rays = self.rays_below([heap + 1 for heap in position])
        # A :class:`Ray` with several steps reaches an option in many ways: it is faster to try all pairs of numbers.
        if all(len(ray.steps) == 1 for ray in rays):
            yield from chain.from_iterable(ray.taken(position) for ray in rays)
            return
        a, b = position
        yield from chain.from_iterable(ray.taken(position) for ray in _LINES)
        for from_a, from_b in product(range(1, a + 1), range(1, b + 1)):
            if self.both.holds(max(from_a, from_b), min(from_a, from_b)):
                yield a - from_a, b - from_b

    def rays_below(self, shape: Sequence[int]) -> Sequence[Ray]:
        return [*_LINES, *_rays(self.both, max(shape))] if len(shape) == 2 else ()

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return statements of the moves: decrease one heap, or both as the relation allows.

        ``size`` is the number of heaps. The result is None if it is not 2.
        """
        first, second = "(a - a')", "(b - b')"
        both = (
            f"a' < a and b' < b and {more} >= {less} and {self.both.statement(more, less)}"
            for more, less in ((first, second), (second, first))
        )
        return DeclaredMoves(("a", "b"), (*_ONE_HEAP, *both)) if size == 2 else None

    def misere_outcome_form(self, position: tuple[int, int]) -> Literal["P", "N"] | None:
        """Return "P" or "N" for r-Wythoff under misère play; None for other relations.

        If r is 2 or more, there is one P-position for each i >= 0. Its heaps differ by i r + 1.
        """
        (small, large), width = self.canonical(position), self.width
        if width < 2:
            return _misere_outcome(small, large) if width else None
        times, rest = divmod(large - small - 1, width)
        count = times * width + 1
        root = isqrt(count * count * (width * width + 4))
        return "P" if not rest and times >= 0 and small == (root - (count - 2) * (width - 2)) // (2 * width) else "N"


def _rays(both: Relation, most: int) -> list[Ray]:
    """Return linear families with all moves in both heaps that satisfy a relation, for heaps below ``most``.

    The relation holds between the larger number taken and the smaller one, so each family also occurs with the heaps
    exchanged.
    """
    # If a move takes 1 from one heap, it takes from the other heap exactly ``lowest`` for the relation =, at least
    # ``lowest`` for > and >=, and at most ``highest`` for < and <=. For != it takes at least ``lowest`` or at most
    # ``highest``.
    slope, at_one = both.times, both.times + both.plus
    lowest = at_one + (both.sign in (">", "!="))
    highest = at_one - (both.sign in ("<", "!="))
    rays = []
    if both.sign in ("<", "<=", "!="):
        slopes = [(1, each) for each in range(1, slope + 1)] if highest < most else [(1, 1), (0, 1)]
        rays = [Ray((1, more), *slopes) for more in (range(1, highest + 1) if highest < most else [1])]
    if both.sign in (">", ">=", "!=", "="):
        rays.append(Ray((1, lowest), (1, slope), (0, both.sign != "=")))
    mirrored = (Ray(ray.first[::-1], *(step[::-1] for step in ray.steps)) for ray in rays)
    return [*rays, *(ray for ray in mirrored if ray not in rays)]


def wythoff_outcome(first: int, second: int, width: int = 1) -> Literal["P", "N"]:
    """Return the outcome of r-Wythoff, "P" or "N", where r is ``width``. Exact for heaps of any size, in any order.

    There is a P-position for each i >= 0. Its heaps are floor(i alpha), see :func:`golden_part`, and i r more.

    Examples
    --------
    >>> wythoff_outcome(3, 5), wythoff_outcome(10**18, 10**18 + 1), wythoff_outcome(4, 10, 2)
    ('P', 'N', 'P')
    """
    times, rest = divmod(abs(first - second), width)
    return "P" if not rest and min(first, second) == golden_part(times, width) else "N"


def _misere_outcome(small: int, large: int) -> Literal["P", "N"]:
    """Return the outcome of Wythoff's game under misère play, "P" or "N"."""
    if small < 3:
        return "P" if (small, large) in ((0, 1), (2, 2)) else "N"
    return wythoff_outcome(small, large)


def golden_part(times: int, width: int = 1) -> int:
    """Return floor(i alpha) with alpha = (2 - r + sqrt(r r + 4)) / 2, where i is ``times`` and r is ``width``.

    For r = 1, alpha is the golden ratio.

    Examples
    --------
    >>> [golden_part(times) for times in range(6)]
    [0, 1, 3, 4, 6, 8]
    """
    return (times * (2 - width) + isqrt(times * times * (width * width + 4))) // 2


def _golden(small: int, large: int, width: int) -> str:
    times, rest = divmod(large - small, width)
    if rest:
        return Message(
            "the difference {large} - {small} = {difference} is not a multiple of {width}",
            large,
            small,
            large - small,
            width,
        )
    ratio = "phi" if width == 1 else "alpha"
    part = golden_part(times, width)
    pair = f"({part}, {part + large - small})"
    difference = f"{large} - {small} = {large - small}" + (f" = {times} * {width}" if width > 1 else "")
    return Message(
        "{difference}; the P-position with this difference is {pair}, because floor({times} {ratio}) = {part}",
        difference,
        pair,
        times,
        ratio,
        part,
    )


def _golden_options(small: int, large: int) -> Iterator[tuple[int, int]]:
    """Yield the golden pairs (the P-positions of Wythoff's game) that a move from these heaps reaches, sorted.

    Such a pair has the same difference as the heaps, or contains one of the heaps.
    """
    part = golden_part(large - small)
    pairs = {(part, part + large - small)} if part < small else set()
    for unchanged, decreased in ((small, large), (large, small)):
        pair = _pair_of(unchanged)
        if sum(pair) - unchanged < decreased:
            pairs.add(pair)
    yield from sorted(pairs)


def _pair_of(number: int) -> tuple[int, int]:
    """Return the only golden pair (a P-position of Wythoff's game) that contains a number.

    Examples
    --------
    >>> [_pair_of(number) for number in (0, 3, 5, 6)]
    [(0, 0), (3, 5), (3, 5), (6, 10)]
    """
    root = isqrt(5 * number * number)
    # Pair i is floor(i phi) and floor(i phi ** 2). So i is about number / phi if the number is the smaller heap, and
    # about number / phi ** 2 if it is the larger heap. Rounding is off by at most one: the neighbours are tried, too.
    as_small, as_large = (root - number) // 2, (3 * number - root) // 2
    for times in (as_small, as_small + 1):
        if golden_part(times) == number:
            return number, number + times
    times = next(times for times in (as_large - 1, as_large, as_large + 1) if golden_part(times) + times == number)
    return number - times, number


class Euclid(Pair):
    """The rules of Euclid: a move subtracts a positive multiple of the smaller number from the larger one.

    No number may become negative. The game is over when a number is 0.

    Examples
    --------
    >>> list(Euclid().options((7, 25)))
    [(7, 18), (7, 11), (4, 7)]
    >>> Euclid().closed_form((7, 25))
    3
    """

    about = About(
        "Euclid: subtract a positive multiple of the smaller number from the larger one.",
        "``euclid(25,7)`` stands for the numbers 25 and 7. No number may become negative.",
        theorem="Let a be the smaller number, and r the remainder of the larger number divided by a. The values of "
        "(a, r + a), (a, r + 2a), ... are 0, 1, 2, ... in this order, without the value of (r, a). So Euclid's "
        "algorithm gives the value in O(log n) steps. A position without a 0 is N exactly when its numbers are "
        "equal, or one is more than phi times the other, where phi is the golden ratio.",
        source="A. J. Cole, A. J. T. Davie, A game based on the Euclidean algorithm and a winning strategy for it, The "
        "Mathematical Gazette 53 (1969).",
        ending="Whoever makes a 0 wins.",
    )

    # The moves are not linear families, so :meth:`HeapsInOne.lost_bits` does not apply.
    lost_bits = Ruleset.lost_bits  # type: ignore[assignment]

    def _left(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        small = min(position)
        if small:
            for rest in range(max(position) - small, -1, -small):
                yield (small, rest) if position[0] == small else (rest, small)

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return statements of the moves on two numbers; None if ``size`` is not 2.

        A move subtracts the smaller number once, and may then subtract it again, as long as no number gets negative.
        """
        once = ("0 < b and b <= a and a' = a - b and b' = b", "0 < a and a <= b and a' = a and b' = b - a")
        again = ("0 < b and 2*b <= a and a' = a - b and b' = b", "0 < a and 2*a <= b and a' = a and b' = b - a")
        return DeclaredMoves(("a", "b"), once, followed=again) if size == 2 else None

    def closed_form(self, position: tuple[int, int]) -> int:
        small, large = self.canonical(position)
        quotients = []
        while small:
            quotients.append(large // small)
            small, large = large % small, small
        # Start from the last division. Among the pairs with the same remainder and divisor, those with the quotients
        # 1, 2, ... have the values 0, 1, 2, ... in this order; they skip the value of the pair (remainder, divisor).
        value = 0
        for quotient in reversed(quotients):
            value = quotient - (quotient <= value)
        return value

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        if misere or len(shape) != 2 or max(shape) > _LARGEST_TABLE:
            return None
        size = max(shape)
        values = np.zeros((size, size), np.int32)
        for small in range(1, size):
            # The formula of closed_form for a whole row: the values of (rest, small) are known, as rest < small.
            quotients, rests = np.divmod(np.arange(small, size), small)
            values[small, small:] = values[small:, small] = quotients - (quotients <= values[rests, small])
        return values[: shape[0], : shape[1]]

    def reason(self, position: tuple[int, int]) -> str:
        """Return a comparison of the larger number with phi times the smaller number, such as ``25 > 7 phi = 11.3...``.

        If a number is 0, or both are equal, return a sentence that says this.
        """
        small, large = self.canonical(position)
        if small in (0, large):
            return Message("a number is 0") if not small else Message("the numbers are equal")
        # This is floor(10 phi small), because phi = (1 + sqrt(5)) / 2. Integers make it exact for large numbers.
        tenths = (10 * small + isqrt(500 * small * small)) // 2
        sign = ">" if 10 * large > tenths else "<"
        return f"{large} {sign} {small} phi = {tenths // 10}.{tenths % 10}..."

    def options_of_value(self, position: tuple[int, int], value: int) -> Iterable[Hashable]:
        """Return a list of the option with this value, or an empty list. No two options have the same value."""
        small, large = self.canonical(position)
        if not small:
            return []
        rest = large % small
        last = self.closed_form((rest, small))
        multiple = 0 if value == last else value + (value < last)
        return [self.canonical((small, rest + multiple * small))] if multiple < large // small else []
