"""What tables of two numbers tell of a sum of positions, without a graph."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from graphgame.rules.component import Component
from graphgame.rules.faults import blamed
from graphgame.rules.ruleset import tells
from graphgame.rules.theorems import ByTheorem

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ByPairTable"]

_TABLE_FROM, _TABLE_TO = 10_000, 20_000_000
"""Pairs up to two numbers from which, and to which, a table without a graph tells the value of a position."""


class ByPairTable(ByTheorem):
    """The part of a position that asks the tables of its components' rulesets, where positions are two numbers."""

    @property
    def has_table(self) -> bool:
        """Whether a table of two numbers, made without the graph, tells the value of a component."""
        pairs = zip(self.components, self.values_by_theorem, strict=True)
        return self.play == "normal" and any(told is None and self._table(part) is not None for part, told in pairs)

    def _table(self, component: Component) -> np.ndarray | None:
        """Return the values of all pairs up to that of a component, if they come without its graph, which is large."""
        place = self.components.index(component)
        if place not in self._tables:
            self._tables[place] = _table_of(component)
        return self._tables[place]

    @cached_property
    def _tables(self) -> dict[int, np.ndarray | None]:
        return {}


def _table_of(component: Component) -> np.ndarray | None:
    if not tells(component.ruleset, "pair_values"):
        return None
    with blamed(component.name, "the canonical form", component.position):
        pair = component.ruleset.canonical(component.position)
    if not (isinstance(pair, tuple) and len(pair) == 2 and all(type(number) is int for number in pair)):
        return None
    rows, columns = pair[0] + 1, pair[1] + 1
    if not (min(pair) >= 0 and _TABLE_FROM <= rows * columns <= _TABLE_TO):
        return None
    with blamed(component.name, "the table of values", pair):
        return component.ruleset.pair_values(rows, columns, False)
