"""What tables of two numbers or more tell of a sum of positions, without a graph."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from graphgame.rules.component import Component
from graphgame.rules.faults import blamed
from graphgame.rules.ruleset import tells
from graphgame.rules.theorems import ByTheorem

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ByPairTable", "value_in"]

_TABLE_FROM, _TABLE_TO = 10_000, 20_000_000
"""Positions up to one from which, and to which, a table without a graph tells the value of a position."""


class ByPairTable(ByTheorem):
    """The part of a position that asks the tables of its components' rulesets, where positions are several numbers."""

    @property
    def has_table(self) -> bool:
        """Whether a table, made without the graph, tells the value of a component."""
        pairs = zip(self.components, self.values_by_theorem, strict=True)
        return self.play == "normal" and any(told is None and self._table(part) is not None for part, told in pairs)

    def _table(self, component: Component) -> np.ndarray | None:
        """Return the values of all positions up to a component, if they come without its graph, which is large."""
        place = self.components.index(component)
        if place not in self._tables:
            self._tables[place] = _table_of(component)
        return self._tables[place]

    @cached_property
    def _tables(self) -> dict[int, np.ndarray | None]:
        return {}


def value_in(table: np.ndarray, numbers: tuple[int, ...]) -> int:
    """Return an entry; a position may leave out empty heaps, behind or before the others.

    >>> import numpy as np
    >>> value_in(np.array([[0, 1, 2], [1, 2, 0]]), (2,)), value_in(np.array([[0, 1], [1, 2], [2, 0]]), (2,))
    (2, 2)
    """
    zeros = (0,) * (table.ndim - len(numbers))
    behind = *numbers, *zeros
    inside = all(number < size for number, size in zip(behind, table.shape, strict=True))
    return int(table[behind if inside else (*zeros, *numbers)])


def _table_of(component: Component) -> np.ndarray | None:
    if not tells(component.ruleset, "value_array"):
        return None
    with blamed(component.name, "the canonical form", component.position):
        numbers = component.ruleset.canonical(component.position)
    if not (isinstance(numbers, tuple) and len(numbers) > 1 and all(type(number) is int for number in numbers)):
        return None
    shape = [number + 1 for number in numbers]
    if not (min(shape) > 0 and _TABLE_FROM <= prod(shape) <= _TABLE_TO):
        return None
    with blamed(component.name, "the table of values", numbers):
        return component.ruleset.value_array(shape, False)
