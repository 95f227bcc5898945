"""Take-away games with memory: the number that was taken last limits the number that may be taken next."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Literal, NamedTuple

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.labs.shared_rules import labelled_heap, number_and_rest
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import About, Ruleset, Sum, sum_of

_RELATION = re.compile(
    r"\s*(?P<left>[a-z])\s*(?P<sign><=?|>=?|!?=)\s*(?P<times>\d{0,4})\s*(?P<right>[a-z])\s*(?:\+\s*(?P<plus>\d{1,9})\s*)?"
)

_MOST_TIMES = 1000
"""Schwenk's theorem is used for relations with a factor up to this. A larger factor makes his sequence longer."""

_LARGEST_TABLE = 5_000
"""The maximum number of heap sizes in a table that is computed without the graph. A table for n sizes has about n**2
entries."""

_UP_TO, _FROM, _EXACTLY, _ALL_BUT = range(4)
_SIGNS = {
    "<": (lt, _UP_TO, -1),
    "<=": (le, _UP_TO, 0),
    ">": (gt, _FROM, 1),
    ">=": (ge, _FROM, 0),
    "=": (eq, _EXACTLY, 0),
    "!=": (ne, _ALL_BUT, 0),
}
"""Sign -> its comparison; the kind of allowed numbers, see :func:`_memory_values`; the number to add to the bound."""


class Relation(NamedTuple):
    """A relation between two numbers, ``left sign times * right + plus``; ``left`` and ``right`` are letters.

    Examples
    --------
    >>> rule = Relation.from_text("b <= 3a", "b", "a")
    >>> rule.holds(6, 2), rule.holds(7, 2), str(rule)
    (True, False, 'b <= 3a')
    """

    left: str
    sign: str
    times: int
    right: str
    plus: int = 0

    @classmethod
    def from_text(cls, text: str, left: str, right: str) -> Relation:
        """Read a relation such as ``b <= 3a + 1``, where ``left`` is "b" and ``right`` is "a".

        Raises ParseError if the text is not a relation, or has other letters.
        """
        match = _RELATION.fullmatch(text)
        times = 0 if match is None else int(match["times"] or 1)
        if match is None or not times or (match["left"], match["right"]) != (left, right):
            raise ParseError(
                "expected a relation such as {left} <= 3{right} or {left} != {right}", left, right, column=1
            )
        return cls(left, match["sign"], times, right, int(match["plus"] or 0))

    def __str__(self) -> str:
        return self._written(self.left, self.right, "")

    def _written(self, left: str, right: str, product: str) -> str:
        times, plus = f"{self.times}{product}" if self.times > 1 else "", f" + {self.plus}" if self.plus else ""
        return f"{left} {self.sign} {times}{right}{plus}"

    def statement(self, left: str, right: str) -> str:
        """Return the relation as a statement of declared moves, with the terms ``left`` and ``right`` for its letters.

        >>> Relation.from_text("b <= 3a", "b", "a").statement("y", "x")
        'y <= 3*x'
        """
        return self._written(left, right, "*")

    def holds(self, left: int, right: int) -> bool:
        """Return whether the relation holds with these numbers in place of its letters."""
        return bool(_SIGNS[self.sign][0](left, self.times * right + self.plus))


class _Memory(Ruleset):
    """Rules of games whose position is a heap and a second number that limits the next move; tables need no graph.

    The second number is the number taken last, or 0 before the first move, unless a subclass says otherwise. A subclass
    says in ``_bounds`` how Schwenk's theorem applies. The theorem writes the heap as a sum of numbers of Schwenk's
    sequence, and says that the player to move wins exactly if the least number of this sum may be taken.
    """

    number_signs = ":"
    numbers: str
    """The name of the sequence in the theorem, for :meth:`reason`."""

    second: str
    """The name of the second number, for error messages."""

    def table_shape(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the shape of a table with all positions that can follow: heaps 0 to n, second numbers 0 to n + 1.

        Here n is the heap of ``position``. A second number above n + 1 has the same effect as n + 1.
        """
        return position[0] + 1, position[0] + 2

    def outcome_form(self, position: tuple[int, int]) -> Literal["P", "N"] | None:
        """Return "P" or "N" by Schwenk's theorem, or None if it does not apply."""
        bounds = self._bounds(position)
        return None if bounds is None else take_away_outcome(position[0], *bounds)

    def reason(self, position: tuple[int, int]) -> str | None:
        """Return a sentence that explains the outcome; None if Schwenk's theorem does not apply.

        The sentence writes the heap as the sum of the theorem, and says whether the sum's least number may be taken.
        """
        bounds = self._bounds(position)
        return None if bounds is None else _sum_reason(position[0], *bounds, self.numbers)

    def winning_options(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the winning options by Schwenk's theorem; nothing if it does not apply.

        The theorem writes the heap as a sum. A winning move takes its least number, or the total of its least few.
        """
        heap, bounds = position[0], self._bounds(position)
        if bounds is None:
            return
        most, times, plus = bounds
        taken, parts = 0, _parts(heap, times, plus)
        # ``taken`` is the total of the least few numbers of the sum. ``parts`` has all others, which add up to the heap
        # after the move. The move wins if ``parts`` is empty, or if its least number may not be taken next.
        while parts and (taken := taken + parts.pop()) <= most:
            if not parts or parts[-1] > times * taken + plus:
                yield self._after(heap - taken, taken)

    def parse(self, text: str) -> Hashable:
        """Read ``13``, a heap before the first move, or ``10:4``, a heap and the second number of the position.

        Return several heaps, separated by commas, as a :class:`Sum`.
        """
        heaps = []
        for piece, start in fields(text):
            heap, rest, column = number_and_rest(piece, start, what=Message("a heap's size"))
            heaps.append(self._start(heap, integer(rest, column, what=self.second) if rest else None))
        return sum_of(heaps)

    def _bounds(self, position: tuple[int, int]) -> tuple[int, int, int] | None:
        """Return ``(most, times, plus)`` for :func:`take_away_outcome`, or None if Schwenk's theorem does not apply.

        At most ``most`` may be taken now. If this move takes x, the next one may take at most ``times * x + plus``.
        """
        raise NotImplementedError

    def _after(self, rest: int, taken: int) -> tuple[int, int]:
        """Return the position after a move that took ``taken`` and left ``rest``."""
        return rest, taken

    def _start(self, heap: int, second: int | None) -> tuple[int, int]:
        """Return the position for a heap and ``second``, the number after the colon in a text.

        ``second`` is None if the text has no colon. Then no move was made yet.
        """
        return heap, second or 0


class Fibonacci(_Memory):
    """The rules of Fibonacci Nim. A position is the heap and the largest number that may be taken.

    Examples
    --------
    >>> list(Fibonacci().options((5, 4)))
    [(4, 2), (3, 3), (2, 2), (1, 1)]
    """

    about = About(
        "Fibonacci Nim: take at least 1 and at most twice what was taken last; the first move may not take all.",
        "``fibonacci(13)`` is a heap of 13 before the first move, ``fibonacci(10:4)`` a heap of 10 from which one may "
        "take at most 4; a bound larger than the heap has no effect. Several heaps separated by commas are a sum, each "
        "with its own bound.",
        theorem="A position is the heap and the most that one may take. A heap before the first move is P exactly when "
        "it is a Fibonacci number; :func:`fibonacci_outcome` gives the outcomes of all positions.",
        source="M. J. Whinihan, Fibonacci Nim, The Fibonacci Quarterly 1 (1963). A. J. Schwenk, Take-away games, The "
        "Fibonacci Quarterly 8 (1970).",
    )

    numbers, second = Message("the Fibonacci numbers"), Message("the largest number that may be taken")

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        heap, most = position
        for taken in range(1, min(most, heap) + 1):
            yield self._after(heap - taken, taken)

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the heap and the largest number that may be taken, at most the heap."""
        return position[0], min(position)

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves as statements about a heap n from which at most m may be taken.

        With ``size`` 1, only n is given, and no move was made yet. The result is None for a size above 2.
        """
        taken = "n' < n and n - n' <= m"
        moves = (f"{taken} and m' = 2*(n - n') and m' <= n'", f"{taken} and m' = n' and n' < 2*(n - n')")
        first = "n = 0 and m = 0 or n > 0 and m = n - 1"
        starts = first if size == 1 else ""
        return DeclaredMoves(("n", "m"), moves, weights=(1, 0), starts=starts) if size <= 2 else None

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        return _memory_values(shape, _UP_TO, times=1, plus=0, next_times=2, end=int(misere))

    def _bounds(self, position: tuple[int, int]) -> tuple[int, int, int]:
        return position[1], 2, 0

    def _after(self, rest: int, taken: int) -> tuple[int, int]:
        return rest, min(2 * taken, rest)

    def _start(self, heap: int, second: int | None) -> tuple[int, int]:
        return heap, max(min(heap - 1 if second is None else second, heap), 0)

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return ``heap:most``, with commas between the heaps of a sum."""
        if isinstance(position, Sum):
            return ",".join(map(self.format, position))
        return f"{position[0]}:{position[1]}"

    def picture(self, position: tuple[int, int]) -> Picture | None:
        """Return a picture of the heap, never None. Its label ``≤m`` says that at most m may be taken."""
        size, most = position
        return labelled_heap(f"≤{most}", size)


class TakeAway(_Memory):
    """The rules of take-away games with memory. A position is the heap and the number taken last, or 0 at the start.

    Examples
    --------
    >>> rules = TakeAway(Relation("a", "<=", 3, "k"))
    >>> list(rules.options((10, 2)))
    [(9, 1), (8, 2), (7, 3), (6, 4), (5, 5), (4, 6)]
    """

    about = About(
        "Take-away with memory: a relation between a and k says whether a may be taken from a heap from which k were "
        "taken last.",
        "``take-away{a <= 3k}(10:2)`` is a heap of 10 from which 2 were taken last, so that one may take up to 6. "
        "``take-away{a <= 3k}(10)`` is a heap before the first move. The first move may take any number, but not the "
        "whole heap if the relation is an upper bound. ``a >= k`` is Mem, ``a <= 2k`` is Fibonacci Nim, and ``a != k`` "
        "forbids the number that the other player took last. Several heaps separated by commas are a sum, each with "
        "its own k.",
        theorem="If the relation is a <= f(k), where f grows and f(k) >= k, there is a sequence that starts with 1: "
        "after a number x comes x + y, where y is the least number of the sequence with f(y) >= x. Write a heap as a "
        "sum of such numbers, each time the largest that fits. The position is N exactly when the least number of this "
        "sum may be taken (Schwenk). :func:`take_away_outcome` uses it.",
        source="A. J. Schwenk, Take-away games, The Fibonacci Quarterly 8 (1970). A. N. Siegel, CGSuite, GenMem: Mem.",
    )

    numbers, second = Message("Schwenk's numbers"), Message("the number that was taken last")

    def __init__(self, rule: Relation) -> None:
        self.rule = rule
        self.arguments = str(rule)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for a relation such as ``a <= 3k`` of a number a to take and the number k taken last."""
        return cls(Relation.from_text(text, "a", "k"))

    def options(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        heap, last = position
        most = heap if last or self.rule.sign not in ("<", "<=") else heap - 1
        for taken in range(1, most + 1):
            if not last or self.rule.holds(taken, last):
                yield heap - taken, taken

    def canonical(self, position: tuple[int, int]) -> tuple[int, int]:
        """Return the heap and the number taken last. Replace a number above heap + 1 by heap + 1: it acts the same."""
        heap, last = position
        return heap, min(last, heap + 1)

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves as statements about a heap n from which k were taken last, or k = 0 before the first move.

        With ``size`` 1, n alone is given and k is 0. The result is None for a size above 2.
        """
        left = " and n' > 0" if self.rule.sign in ("<", "<=") else ""
        taken, following = "n' < n and k' = n - n'", self.rule.statement("k'", "k")
        moves = (f"k = 0 and {taken}{left}", f"k > 0 and {taken} and {following}")
        starts = "k = 0" if size == 1 else ""
        return DeclaredMoves(("n", "k"), moves, weights=(1, 0), starts=starts) if size <= 2 else None

    def value_array(self, shape: Sequence[int], misere: bool) -> np.ndarray | None:
        _, kind, more = _SIGNS[self.rule.sign]
        left_first = int(kind == _UP_TO)
        return _memory_values(shape, kind, self.rule.times, self.rule.plus + more, 1, int(misere), left_first)

    def _bounds(self, position: tuple[int, int]) -> tuple[int, int, int] | None:
        heap, last = position
        _, sign, times, _, plus = self.rule
        plus -= sign == "<"
        if sign not in ("<", "<=") or times + plus < 1 or times > _MOST_TIMES:
            return None
        return (times * last + plus if last else heap - 1), times, plus

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return ``heap:last``, or ``heap`` before the first move, with commas between the heaps of a sum."""
        if isinstance(position, Sum):
            return ",".join(map(self.format, position))
        heap, last = position
        return f"{heap}:{last}" if last else str(heap)

    def picture(self, position: tuple[int, int]) -> Picture | None:
        """Return a picture of the heap, never None, labelled ``←k`` if k were taken last, or ``←`` at the start."""
        size, last = position
        return labelled_heap(f"←{last or ''}", size)


def take_away_outcome(heap: int, most: int, times: int, plus: int = 0) -> Literal["P", "N"]:
    """Return the outcome of a take-away game, "P" or "N", by Schwenk's theorem.

    The player to move takes 1 to ``most`` from the heap. If a move takes x, the next takes 1 to ``times * x + plus``;
    ``times`` and ``times + plus`` must be 1 or more. Whoever cannot move loses. The time is O(times log heap).

    Examples
    --------
    >>> [heap for heap in range(1, 40) if take_away_outcome(heap, heap - 1, 3) == "P"]
    [1, 2, 3, 4, 6, 8, 11, 15, 21, 29]
    """
    return "N" if heap and _parts(heap, times, plus)[-1] <= most else "P"


def _parts(heap: int, times: int, plus: int) -> list[int]:
    """Return the numbers of Schwenk's sequence that add up to the heap, as in his theorem, in decreasing order.

    Each is the largest number of the sequence that fits into the rest of the heap. For ``times`` and ``plus`` see
    :func:`take_away_outcome`.
    """
    # The next number after x is x + y. Here y is the least number of the sequence with times * y + plus >= x: after a
    # move takes y, the next move may take x. If x < ``run``, y is 1, so the sequence starts with 1, 2, ..., ``run``.
    run = times + 1 + plus
    numbers, index = [run], 0
    while numbers[-1] < heap:
        least = (numbers[-1] - plus - 1) // times + 1
        while max(numbers[index], run) < least:
            index += 1
        numbers.append(numbers[-1] + (least if least <= run else numbers[index]))
    parts = []
    for number in reversed(numbers):
        if number <= heap:
            parts.append(number)
            heap -= number
    return [*parts, heap] if heap else parts


def _sum_reason(heap: int, most: int, times: int, plus: int, numbers: str) -> str:
    if not heap:
        return Message("nothing is left")
    *larger, least = _parts(heap, times, plus)
    parts = " + ".join(map(str, [*larger, least]))
    if larger and least <= most:
        return Message(
            "{heap} = {parts} in {numbers}, and the least number, {least}, may be taken", heap, parts, numbers, least
        )
    if larger:
        return Message(
            "{heap} = {parts} in {numbers}, but at most {most} may be taken, less than the least number, {least}",
            heap,
            parts,
            numbers,
            most,
            least,
        )
    if least <= most:
        return Message("{heap} is one of {numbers}, and the whole heap may be taken", heap, numbers)
    return Message(
        "{heap} is one of {numbers}, but at most {most} may be taken, not the whole heap", heap, numbers, most
    )


def fibonacci_outcome(heap: int, most: int | None = None) -> Literal["P", "N"]:
    """Return the outcome of Fibonacci Nim, "P" or "N", for a heap from which the next move takes at most ``most``.

    If ``most`` is None, the next move is the first one, which takes at most heap - 1. By Zeckendorf's theorem the heap
    is a sum of Fibonacci numbers, no two of them consecutive. The player to move wins exactly when the least of these
    numbers may be taken. The time is O(log heap).

    Examples
    --------
    >>> [heap for heap in range(1, 60) if fibonacci_outcome(heap) == "P"]
    [1, 2, 3, 5, 8, 13, 21, 34, 55]
    """
    return take_away_outcome(heap, heap - 1 if most is None else most, 2)


def _memory_values(
    shape: Sequence[int], kind: int, times: int, plus: int, next_times: int, end: int, left_first: int | None = None
) -> np.ndarray | None:
    """Return the table of values [heap, column] of a game with memory, where the column is the second number.

    The result is None if the table would have more than 5,000 heap sizes, or if ``shape`` does not have two axes.

    Parameters
    ----------
    shape : sequence of int
    kind : int
        Which numbers a move may take: with ``_UP_TO`` the bound or less, with ``_FROM`` the bound or more, with
        ``_EXACTLY`` only the bound, with ``_ALL_BUT`` any number except the bound.
    times, plus : int
        The bound of a column is ``times * column + plus``.
    next_times : int
        Taking x leads to column ``next_times * x``.
    end : int
        The value of a position without moves.
    left_first : int, optional
        If given, column 0 has no bound: a move may take any number that leaves at least ``left_first``.
    """
    if len(shape) != 2 or shape[0] > _LARGEST_TABLE:
        return None
    heaps, columns = shape
    values = np.full((heaps, heaps + 1), end, np.int32)
    for size in range(1, heaps):
        taken, bounds = np.arange(1, size + 1), times * np.arange(size + 2) + plus
        # Column left + 1 stands for all later ones, because no number above ``left`` can be taken.
        left = size - taken
        reached = values[left, np.minimum(next_times * taken, left + 1)]
        lower = _mexes(reached, end)
        if kind == _UP_TO:
            row = lower[np.clip(bounds, 0, size)]
        elif kind == _FROM:
            row = _mexes(reached[::-1], end)[np.clip(size + 1 - bounds, 0, size)]
        else:
            at_bound = reached[np.clip(bounds, 1, size) - 1]
            if kind == _EXACTLY:
                inside, outside = at_bound == 0, end
            else:
                # All numbers except the bound may be taken. So if only taking the bound reaches a value, no option has
                # this value.
                outside = lower[size]
                is_missed = np.bincount(reached)[at_bound] == 1
                inside = np.where(is_missed, np.minimum(at_bound, outside), outside) if size > 1 else end
            row = np.where((bounds >= 1) & (bounds <= size), inside, outside)
        values[size, : size + 2], values[size, size + 2 :] = row, row[-1]
        if left_first is not None:
            values[size, 0] = lower[max(size - left_first, 0)]
    # A heap h has the same values in column h + 1 and in all later columns. The largest heap is ``heaps - 1``, so all
    # columns after column ``heaps`` are copies of column ``heaps``.
    return values[:, np.minimum(np.arange(columns), heaps)]


def _mexes(reached: np.ndarray, end: int) -> np.ndarray:
    """Return an array in which entry n is the mex of the first n entries of ``reached``, but entry 0 is ``end``."""
    size = len(reached)
    first = np.full(size + 1, size + 1)
    # first[value] is the number of entries up to the first one with this value.
    first[reached[::-1]] = np.arange(size, 0, -1)
    mexes = np.bincount(np.maximum.accumulate(first), minlength=size + 1).cumsum()[: size + 1]
    mexes[0] = end
    return mexes
