"""Heaps as positions, and Nim, of whose sums all others are made."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from graphgame.errors import Message
from graphgame.rules.about import About
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.drawings import Drawing, drawn
from graphgame.rules.parsing import integers
from graphgame.rules.pictures import Picture, heap
from graphgame.rules.ruleset import Ruleset, sum_of


class Heap(Ruleset):
    """A game whose positions are heaps: a position is a size, several heaps are their sum.

    Attributes
    ----------
    largest : int or None
        Largest heap that a text may name where no theorem gives its value, for it has many options.
    """

    largest: int | None = None

    def parse(self, text: str) -> Hashable:
        """Return a size, or the sum of the sizes between commas."""
        sizes = integers(text, what=Message("a heap's size"))
        if self.largest is not None and any(self.closed_form(s) is None for s in sizes if s > self.largest):
            integers(
                text,
                what=Message("a heap's size, where no theorem gives its value (see graphgame heap),"),
                most=self.largest,
            )
        return sum_of(sizes)

    def picture(self, position: int) -> Picture | None:
        return heap(position)

    def drawing(self, position: int) -> Drawing | None:
        """Return the pieces of the heap; of an empty one nothing."""
        picture = self.picture(position)
        return drawn(picture) if position or picture is None else Drawing((), ())


class Nim(Heap):
    """The rules of Nim.

    Examples
    --------
    >>> Nim().closed_form(10**18)
    1000000000000000000
    """

    about = About(
        "Nim: take any positive number from one heap.",
        "``nim(3,4,5)`` are heaps of 3, 4 and 5. A position of several heaps is their sum.",
        theorem="The value of a heap is its size: a position is P exactly when the xor of the heaps is 0, and the "
        "winning moves take a heap a to a xor k, where k is the nim-sum and a has k's top bit.",
        source="C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).",
    )

    is_nim = True
    row_code = "0.[3]"

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return that a heap may become any smaller one."""
        return DeclaredMoves(("n",), ("n' < n",)) if size == 1 else None

    def options(self, position: int) -> range:
        return range(position)

    def closed_form(self, position: int) -> int:
        return position

    def least_size(self, position: int) -> tuple[int, int]:
        """Return how many smaller heaps there are, each an option of all above it."""
        return position + 1, position * (position + 1) // 2

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the one option of this value, if the heap is larger."""
        return [value] if value < position else []
