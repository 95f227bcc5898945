"""What a solution answers with: named tuples, and values by position."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar, overload

import numpy as np

from graphgame.graph import GameGraph

__all__ = ["Counts", "Move", "Option", "Options", "ValueCount", "VertexValues"]

Value = TypeVar("Value")


class Move(NamedTuple):
    """A move in a sum: component number ``component`` (from 0, an index into the tokens) goes from start to end."""

    component: int
    start: Hashable
    end: Hashable


class Option(NamedTuple):
    """An option of a position, or a part of a sum, with its value and outcome."""

    position: Hashable
    grundy: int
    outcome: str


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How many positions have a value, and the first that does."""

    count: int
    example: Hashable


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a game; sum vertices and the edges to their parts are not counted.

    ``histogram`` maps each value, in increasing order, to a :class:`ValueCount`.
    """

    positions: int
    moves: int
    p_positions: int
    n_positions: int
    histogram: dict[int, ValueCount]


class VertexValues(Mapping[Hashable, Value], Generic[Value]):
    """Position -> value, over an array by vertex number (``array``, read-only)."""

    def __init__(self, graph: GameGraph, array: np.ndarray) -> None:
        self._graph = graph
        self.array = array.view()
        self.array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._graph.labels)

    def __contains__(self, position: object) -> bool:
        return position in self._graph.labels

    def __getitem__(self, position: Hashable) -> Value:
        return self.array[self._graph.number_of(position)].item()  # type: ignore[no-any-return]

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype=dtype, copy=True if copy else None)  # type: ignore[call-overload,no-any-return]

    def __repr__(self) -> str:
        shown = ", ".join(f"{position!r}: {value!r}" for position, value in zip(self, self.array[:10].tolist()))  # noqa: B905
        return f"{{{shown}{', ...' if len(self) > 10 else ''}}}"


class Options(Sequence[Option]):
    """The options of a position, or the parts of a sum, and the value that follows from theirs.

    Attributes
    ----------
    kind : {"position", "sum"}
    value : int
    derivation : str
        For example ``mex{0, 1, 3} = 2`` or ``3 xor 5 = 6``.
    """

    def __init__(self, options: list[Option], kind: str, value: int, play: str) -> None:
        self._options = options
        self.kind = kind
        self.value = value
        self._play = play

    def __len__(self) -> int:
        return len(self._options)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> list[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | list[Option]:
        return self._options[index]

    @property
    def derivation(self) -> str:  # noqa: D102
        values = [option.grundy for option in self._options]
        if self.kind == "sum" and self._play == "misere":
            return f"value {self.value}, from the explicit graph of the sum: misère values do not combine by xor"
        if self.kind == "sum":
            return f"{' xor '.join(map(str, values)) or 'empty sum'} = {self.value}"
        if not values and self.value:
            return f"no option: value {self.value} in misère play"
        return f"mex{{{', '.join(map(str, sorted(set(values))))}}} = {self.value}"

    def __repr__(self) -> str:
        return f"{self._options!r}: {self.derivation}"
