"""Nim, and misère Nim, where whoever takes the last object loses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import reduce
from operator import xor
from typing import Literal, cast

from graphgame.errors import Message
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.parsing import integers
from graphgame.rules.pictures import Picture, heap
from graphgame.rules.ruleset import About, Ruleset, sum_of
from graphgame.solution.results import Move


class Heap(Ruleset):
    """The base class of games whose positions are heaps: a position is the size of a heap; several heaps are a sum.

    Attributes
    ----------
    largest : int or None
        The size of the largest heap that a text may name, as larger heaps have too many options; None for no limit.
        Heaps whose value ``closed_form`` gives may be larger.
    """

    largest: int | None = None

    def parse(self, text: str) -> Hashable:
        """Return the size of a heap; for several sizes between commas, the Sum of the heaps."""
        sizes = integers(text, what=Message("a heap's size"))
        if self.largest is not None and any(self.closed_form(s) is None for s in sizes if s > self.largest):
            integers(
                text,
                what=Message("the size of a heap whose value no formula gives (see graphgame heap)"),
                most=self.largest,
            )
        return sum_of(sizes)

    def picture(self, position: int) -> Picture | None:
        return heap(position)


class Nim(Heap):
    """The rules of Nim.

    Examples
    --------
    >>> Nim().closed_form(10**18)
    1000000000000000000
    """

    about = About(
        "Nim: take any positive number from one heap.",
        "``nim(3,4,5)`` has heaps of 3, 4 and 5. A position of several heaps is their sum.",
        theorem="The value of a heap is its size: a position is P exactly when the xor of the heaps is 0, and the "
        "winning moves reduce a heap a to a xor k, where k is the nim-sum and a has k's top bit.",
        source="C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).",
    )

    is_nim = True
    row_code = "0.[3]"

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the statement that a heap may become any smaller heap; None unless ``size`` is 1."""
        return DeclaredMoves(("n",), ("n' < n",)) if size == 1 else None

    def options(self, position: int) -> range:
        return range(position)

    def closed_form(self, position: int) -> int:
        return position

    def least_size(self, position: int) -> tuple[int, int]:
        """Return the exact numbers of positions and moves in the graph of a heap, which leads to all smaller heaps."""
        return position + 1, position * (position + 1) // 2

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the heap of size ``value`` if it is smaller than the heap; otherwise nothing."""
        return [value] if value < position else []


MisereClass = Literal["S0", "S1", "S2", "T0", "T2"]


def misere_nim_class(heaps: Iterable[int]) -> MisereClass:
    """Return the class of a position of misère Nim: "S0", "S1", "S2", "T0" or "T2".

    The letter is T if the nim-sum is 0, otherwise S. The digit is the number of heaps of size 2 or more; 2 stands for
    two or more such heaps. If there is exactly one such heap, the nim-sum is not 0, so T1 does not occur.

    References
    ----------
    C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).

    Examples
    --------
    >>> [misere_nim_class(heaps) for heaps in ([1], [1, 5], [3, 5, 1], [1, 1], [4, 4])]
    ['S0', 'S1', 'S2', 'T0', 'T2']
    """
    sizes = list(heaps)
    return cast("MisereClass", f"{'S' if reduce(xor, sizes, 0) else 'T'}{min(sum(heap > 1 for heap in sizes), 2)}")


def misere_nim_outcome(heaps: Iterable[int]) -> Literal["P", "N"]:
    """Return who wins misère Nim: the previous player ("P") in S0 and T2, the next ("N") in S1, S2 and T0.

    :func:`misere_nim_class` defines these classes.

    Examples
    --------
    >>> misere_nim_outcome([3, 5, 1]), misere_nim_outcome([1]), misere_nim_outcome([])
    ('N', 'P', 'N')
    """
    return "P" if misere_nim_class(heaps) in ("S0", "T2") else "N"


def misere_nim_winning_moves(heaps: Iterable[int]) -> list[Move]:
    """Return every winning move of misère Nim: the index of the heap, its size before the move, and its size after.

    The classes are those of :func:`misere_nim_class`. In S2 the winning moves are those of normal play, in S1 they
    leave an odd number of heaps of 1, and in T0 they take a heap of 1. The list is empty in S0 and T2, where the next
    player loses, and without objects, where the next player has won already.

    Examples
    --------
    >>> misere_nim_winning_moves([1, 1, 7])
    [Move(component=2, start=7, end=1)]
    >>> misere_nim_winning_moves([10**18, 5])
    [Move(component=0, start=1000000000000000000, end=5)]
    """
    sizes = list(heaps)
    kind, total = misere_nim_class(sizes), reduce(xor, sizes, 0)
    if kind == "S2":
        moves = ((index, size, size ^ total) for index, size in enumerate(sizes))
    elif kind == "S1":
        moves = ((index, size, 1 - sizes.count(1) % 2) for index, size in enumerate(sizes) if size > 1)
    else:
        moves = ((index, size, 0) for index, size in enumerate(sizes) if kind == "T0")
    return [Move(index, size, end) for index, size, end in moves if end < size]
