"""Nim and its closest relatives: heaps from which one takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from graphgame.errors import ParseError
from graphgame.games.heap import Heap
from graphgame.rules.parsing import integer
from graphgame.rules.ruleset import Ruleset

__all__ = ["Bash", "Nim"]


class Nim(Heap):
    """Nim: take any positive number from one heap.

    ``nim(3,4,5)`` are heaps of 3, 4 and 5. A position of several heaps is their sum.

    Notes
    -----
    The value of a heap is its size: a position is P exactly when the xor of the heaps is 0, and the winning moves
    take a heap a to a xor k, where k is the nim-sum and a has k's top bit.

    References
    ----------
    C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).

    Examples
    --------
    >>> Nim().closed_form(10**18)
    1000000000000000000
    """

    is_nim = True

    def options(self, position: int) -> range:
        """Return all smaller heaps."""
        return range(position)

    def closed_form(self, position: int) -> int:
        """Return the heap's size (Bouton)."""
        return position

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the one option of this value, if the heap is larger."""
        return [value] if value < position else []


class Bash(Heap):
    """Bash's game: take 1 to k from a heap.

    ``bash{3}(10)`` is a heap of 10 from which one takes 1, 2 or 3.

    Parameters
    ----------
    most : int
        k, at least 1.

    Notes
    -----
    A heap of n has the value n mod (k + 1).

    References
    ----------
    C.-G. Bachet de Méziriac, Problèmes plaisants et délectables qui se font par les nombres (1612).

    Examples
    --------
    >>> Bash(3).closed_form(10)
    2
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ValueError(f"invalid most {most}: expected 1 or more")
        self.most = most
        self.arguments = str(most)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for k."""
        most = integer(text, what="the most one may take")
        if most < 1:
            raise ParseError(f"the most one may take is {most}: expected 1 or more", column=1)
        return cls(most)

    def options(self, position: int) -> range:
        """Return the heaps that are smaller by 1 to k."""
        return range(max(0, position - self.most), position)

    def closed_form(self, position: int) -> int:
        """Return n mod (k + 1)."""
        return position % (self.most + 1)

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the one option of this value, if there is one."""
        end = position - (position - value) % (self.most + 1)
        return [end] if value <= self.most and 0 <= end < position else []
