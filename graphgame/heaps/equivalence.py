"""When the values of one game are those of another, shifted: told from the moves, for all heaps.

A move that leaves small heaps of nim-sum 0 beside others is as good as one that takes those heaps as well. A game with
all such moves added has the same values. A move that takes a whole heap is one of that heap alone. So two games agree,
heap n of the one with heap n + s of the other, if they do up to the largest amount of their moves, and to the least
heap that has a move, and if the moves of each that leave a heap are among those of the other so extended: by
induction, the options of a larger heap have the same values. The standard forms and first cousins of Guy and Smith are
cases of this.

References
----------
R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from graphgame.heaps.rules import TakeAndBreak

if TYPE_CHECKING:
    from graphgame.heaps.heapgame import HeapGame

Leaves = dict[int, int]


def same_moves(a: HeapGame, b: HeapGame, shift: int = 0) -> bool:
    """Tell whether the moves show that g_a(n) = g_b(n + shift) for every heap n >= 0.

    Where it tells so, it is proved; the values may agree for other reasons as well. Besides the values up to the
    largest amount k, O(k**2 h v) where moves leave up to h heaps, of v values.

    Examples
    --------
    >>> from graphgame import heaps
    >>> same_moves(heaps.octal("0.137"), heaps.octal("0.07"), 1), same_moves(heaps.octal("0.26"), heaps.octal("0.27"))
    (True, True)
    >>> same_moves(heaps.octal("0.56"), heaps.octal("0.561")), same_moves(heaps.octal("0.06"), heaps.octal("0.27"))
    (True, False)
    """
    first, second = a.rules, b.rules
    if shift == 0 and first == second:
        return True
    if not isinstance(first, TakeAndBreak) or not isinstance(second, TakeAndBreak):
        return False
    if first.kind or second.kind or b.grundy_values(shift, method="dense").any():
        return False
    moves, shifted = first.leaves, _shifted(second.leaves, shift) if shift else second.leaves
    parts = _most_parts(moves)
    if parts != _most_parts(shifted):
        return False
    largest = max([*moves, *shifted, first.least, second.least])
    values = a.grundy_values(largest, method="dense")
    if not np.array_equal(values, b.grundy_values(largest + shift, method="dense")[shift:]):
        return False
    vanishing = _vanishing(values.tolist(), parts - 1)
    return _within(moves, _extended(shifted, vanishing)) and _within(shifted, _extended(moves, vanishing))


def _most_parts(leaves: Leaves) -> int:
    return max(leaves.values(), default=1).bit_length() - 1


def _shifted(leaves: Leaves, shift: int) -> Leaves:
    """Return the moves of heap n in a game whose heap n + shift has the given ones, where the heaps to shift are zeros.

    Of the heaps that a move leaves, some are below ``shift`` and vanish; each other one is a heap, perhaps of 0.
    """
    moves: defaultdict[int, int] = defaultdict(int)
    for amount, bits in leaves.items():
        for parts in range(bits.bit_length()):
            if bits >> parts & 1:
                for small in range(parts + 1):
                    rest = parts - small
                    for gone in range(small, small * (shift - 1) + 1):
                        taken = amount + gone + (rest - 1) * shift
                        moves[taken] |= (2 << rest) - 1
    return {amount: bits for amount, bits in moves.items() if amount >= 0 and (amount or bits & ~3)}


def _vanishing(values: list[int], most: int) -> list[tuple[int, int]]:
    """Return the numbers, up to ``most``, and sizes in all of heaps whose nim-sum is 0."""
    found, sums = [], {(0, 0)}
    for parts in range(1, most + 1):
        sums = {(x + y, v ^ values[y]) for x, v in sums for y in range(1, len(values) - x)}
        found += [(parts, whole) for whole, value in sums if value == 0]
    return found


def _extended(leaves: Leaves, vanishing: list[tuple[int, int]]) -> Leaves:
    """Return the moves with those added that take heaps of nim-sum 0 which a move could leave."""
    moves = defaultdict(int, leaves)
    for amount, bits in leaves.items():
        for parts, whole in vanishing:
            moves[amount + whole] |= bits >> parts
    return moves


def _within(some: Leaves, all_: Leaves) -> bool:
    """Tell whether the moves that leave a heap are among others."""
    return all(bits & ~1 & ~all_[amount] == 0 for amount, bits in some.items())
