"""The positions of a graph that was explored by sets of cells, each named when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property

import numpy as np

from graphgame.arrays.labels import ListLabels
from graphgame.arrays.wide import numbers_of
from graphgame.rules.ruleset import Sum


class MaskLabels(ListLabels):
    """Sets of cells, and sums of such before them; ``known`` has the numbers of those that are asked for most."""

    def __init__(
        self,
        masks: np.ndarray,
        words: int,
        ends: np.ndarray,
        parts: np.ndarray,
        name: Callable[[int], Hashable],
        known: dict[Hashable, int],
    ) -> None:
        self._masks, self._words, self._ends, self._parts = masks, words, ends, parts
        self._name = name
        self._known = known
        self._number = None

    @cached_property
    def _positions(self) -> list[Hashable]:
        ends, name = self._ends.tolist(), self._name
        found: list[Hashable] = []
        for number, mask in enumerate(numbers_of(self._masks, self._words)):
            start, end = ends[number], ends[number + 1]
            found.append(Sum(found[part] for part in self._parts[start:end].tolist()) if start < end else name(mask))
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return ListLabels, (self._positions,)

    def __len__(self) -> int:
        return len(self._masks)

    def at(self, number: int) -> Hashable:  # noqa: D102
        number %= len(self)
        if "_positions" in vars(self):
            return self._positions[number]
        start, end = self._ends[number : number + 2].tolist()
        if start < end:
            return Sum(map(self.at, self._parts[start:end].tolist()))
        return self._name(numbers_of(self._masks[number : number + 1], self._words)[0])

    def few(self, numbers: list[int]) -> list[Hashable]:  # noqa: D102
        return list(map(self.at, numbers))

    def find(self, position: Hashable) -> int:  # noqa: D102
        number = self._known.get(position)
        return super().find(position) if number is None else number
