"""When the values of one game are those of another, shifted: told from the moves, for all heaps.

With the values 0 of some small heaps at hand, a move that leaves such a heap beside others is as good as one that
takes that heap as well. A game with all such moves added has the same values. So two games agree, heap n of the one
with heap n + s of the other, if the moves of each are among those of the other so extended. The standard forms and
first cousins of Guy and Smith are cases of this.

References
----------
R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from graphgame.heaps.rules import TakeAndBreak

if TYPE_CHECKING:
    from graphgame.heaps.games import HeapGame

__all__ = ["same_moves"]

Leaves = dict[int, int]


def same_moves(a: HeapGame, b: HeapGame, shift: int = 0) -> bool:
    """Tell whether the moves show that g_a(n) = g_b(n + shift) for every heap n >= 0.

    Parameters
    ----------
    a, b : HeapGame
    shift : int
        0 or more.

    Notes
    -----
    Where it tells so, it is proved; the values may agree for other reasons as well. O(k**2 h) for k amounts and h
    heaps that a move leaves.

    Examples
    --------
    >>> from graphgame import heaps
    >>> same_moves(heaps.octal("0.137"), heaps.octal("0.07"), 1), same_moves(heaps.octal("0.26"), heaps.octal("0.27"))
    (True, True)
    >>> same_moves(heaps.octal("0.06"), heaps.octal("0.27"))
    False
    """
    moves_a, moves_b = _leaves(a), _leaves(b)
    if moves_a is None or moves_b is None or b.grundy_values(shift).any():
        return False
    shifted = _shifted(moves_b, shift) if shift else moves_b
    largest = max([*moves_a, *shifted], default=0)
    zeros = [heap for heap, value in enumerate(a.grundy_values(largest).tolist()) if heap and value == 0]
    return _within(moves_a, _extended(shifted, zeros, largest)) and _within(shifted, _extended(moves_a, zeros, largest))


def _leaves(game: HeapGame) -> Leaves | None:
    """Return the moves: amount -> bits, of which bit k allows to leave k heaps; None where they are of another kind."""
    rules = game.rules
    if not isinstance(rules, TakeAndBreak) or rules.unequal or rules.least:
        return None
    return rules.leaves


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


def _extended(leaves: Leaves, zeros: list[int], largest: int) -> Leaves:
    """Return the moves with those added that take a heap of value 0 which a move could leave."""
    moves = defaultdict(int, leaves)
    for amount in range(largest + 1):
        for zero in zeros:
            moves[amount + zero] |= moves[amount] >> 1
    return moves


def _within(some: Leaves, all_: Leaves) -> bool:
    return all(bits & ~all_[amount] == 0 for amount, bits in some.items())
