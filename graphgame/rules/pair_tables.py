"""What tables of values tell of a sum of positions whose rules fill them without a graph."""

from __future__ import annotations

from functools import cached_property
from math import prod
from operator import gt
from typing import TYPE_CHECKING, Any

from graphgame.errors import Message
from graphgame.results import Decisive, Value, ValueCodes
from graphgame.rules.component import Component
from graphgame.rules.faults import blamed
from graphgame.rules.ruleset import tells
from graphgame.rules.theorems import ByTheorem

if TYPE_CHECKING:
    import numpy as np

_TABLE_FROM, _TABLE_TO = 10_000, 20_000_000
"""Positions up to one from which, and to which, a table without a graph tells the value of a position."""

_CODES = ValueCodes(Decisive)


class ByPairTable(ByTheorem):
    """The part of a position that asks the tables of its components' rulesets, where positions are numbers."""

    @property
    def has_table(self) -> bool:
        """Whether a table, made without the graph, tells a component's value, or under misère play the whole's."""
        return any(self._table(part) is not None for part in self._without_theorem)

    @cached_property
    def _without_theorem(self) -> list[Component]:
        if self.play == "misere":
            return list(self.components) if len(self.components) == 1 else []
        pairs = zip(self.components, self.values_by_theorem, strict=True)
        return [part for part, told in pairs if told is None]

    def table_value(self, component: Component) -> Value | None:
        """Return the value of a component under the position's play by a table, if there is one."""
        table = self._table(component)
        return None if table is None else value_in(table, component.ruleset.canonical(component.position))

    def _table(self, component: Component) -> np.ndarray | None:
        """Return the values of all positions up to a component, if they come without its graph, which is large.

        Components of one game share a table, and so do the positions that come after this one.
        """
        shape = _shape(component)
        key = component.game, len(shape)
        table = self._tables.get(key)
        if not shape or (key in self._tables and table is None):
            return None
        if table is None or any(map(gt, shape, table.shape)):
            alike = (_shape(part) for part in self.components if part.game == component.game)
            joint = tuple(map(max, zip(*(each for each in alike if len(each) == len(shape)), strict=True)))
            table = self._tables[key] = self._made(component, joint if prod(joint) <= _TABLE_TO else shape)
        return table

    def _made(self, component: Component, shape: tuple[int, ...]) -> np.ndarray | None:
        positions = shape[0] ** 2 if len(shape) == 1 else prod(shape)  # a heap may become two
        if positions < _TABLE_FROM or prod(shape) > _TABLE_TO:
            return None
        with blamed(component.name, Message("the table of values"), component.position):
            return component.ruleset.value_array(shape, self.play == "misere")

    @cached_property
    def _tables(self) -> dict[tuple[object, ...], np.ndarray | None]:
        return {}


def value_in(table: np.ndarray, numbers: Any) -> Value:  # noqa: ANN401
    """Return the value that an entry means; a position may leave out empty heaps, behind or before the others.

    >>> import numpy as np
    >>> value_in(np.array([[0, 1, 2], [1, 2, 0]]), (2,)), value_in(np.array([[0, 1], [1, 2], [2, 0]]), (2,))
    (2, 2)
    """
    if table.ndim == 1:
        return int(table[numbers])
    zeros = (0,) * (table.ndim - len(numbers))
    behind = *numbers, *zeros
    inside = all(number < size for number, size in zip(behind, table.shape, strict=True))
    entry = int(table[behind if inside else (*zeros, *numbers)])
    return _CODES.decode([entry])[0] if entry < 0 else entry


def _shape(component: Component) -> tuple[int, ...]:
    if not tells(component.ruleset, "value_array"):
        return ()
    with blamed(component.name, Message("the canonical form"), component.position):
        shape = component.ruleset.table_shape(component.ruleset.canonical(component.position))
    return shape if shape and min(shape) > 0 else ()
