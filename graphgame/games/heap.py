"""What heap games share: positions that are sizes, several heaps as a sum."""

from __future__ import annotations

from collections.abc import Hashable

from graphgame.rules.parsing import integers
from graphgame.rules.pictures import Picture, heap
from graphgame.rules.ruleset import Ruleset, Sum

__all__ = ["Heap"]


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
        sizes = integers(text, what="a heap's size")
        if self.largest is not None and any(self.closed_form(s) is None for s in sizes if s > self.largest):
            integers(text, what="a heap's size, where no theorem gives its value,", most=self.largest)
        return sizes[0] if len(sizes) == 1 else Sum(sizes)

    def picture(self, position: int) -> Picture | None:
        """Return the pieces of the heap."""
        return heap(position)
