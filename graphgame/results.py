"""What a solution answers with: named tuples, and values by position."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, overload

import numpy as np

from graphgame.arrays.labels import Labels
from graphgame.loopy import Loopy

__all__ = ["Counts", "Move", "Numbered", "Option", "Options", "ValueCount", "VertexValues"]

Value = TypeVar("Value")


class Move(NamedTuple):
    """A move in a sum: component number ``component`` (from 0, an index into the tokens) goes from start to end."""

    component: int
    start: Hashable
    end: Hashable


class Option(NamedTuple):
    """An option of a position, or a part of a sum, with its value (an int or a Loopy) and outcome."""

    position: Hashable
    grundy: Any
    outcome: str


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How many positions have a value, and the first that does."""

    count: int
    example: Hashable


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a game; sum vertices and the edges to their parts are not counted.

    ``histogram`` maps each value, in increasing order and finite ones first, to a :class:`ValueCount`.
    """

    positions: int
    moves: int
    p_positions: int
    n_positions: int
    histogram: dict[Any, ValueCount]
    d_positions: int = 0


class Numbered(Protocol):
    """What knows the positions by number: a graph, or a solution of one on disk."""

    @property
    def labels(self) -> Labels:
        """The positions in the order of their numbers."""

    def number_of(self, position: Hashable, /) -> int:
        """Return the number of a position; raise UnknownPositionError where it is none."""


class VertexValues(Mapping[Hashable, Value], Generic[Value]):
    """Position -> value, over an array by vertex number (``array``, read-only).

    Where the array cannot hold the values it holds negative codes, which ``decode`` turns into values.
    """

    def __init__(
        self, graph: Numbered, array: np.ndarray, decode: Callable[[Sequence[int]], list[Any]] | None = None
    ) -> None:
        self._graph = graph
        self._decode = decode
        self.array = array.view()
        self.array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._graph.labels)

    def __contains__(self, position: object) -> bool:
        return position in self._graph.labels

    def __getitem__(self, position: Hashable) -> Value:
        return self.take([self._graph.number_of(position)])[0]

    def take(self, numbers: np.ndarray | slice | list[int]) -> list[Value]:
        """Return the values of some vertex numbers."""
        items = self.array[numbers].tolist()
        return items if self._decode is None else self._decode(items)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype=dtype, copy=True if copy else None)  # type: ignore[call-overload,no-any-return]

    def __repr__(self) -> str:
        shown = ", ".join(f"{position!r}: {value!r}" for position, value in zip(self, self.take(slice(10))))  # noqa: B905
        return f"{{{shown}{', ...' if len(self) > 10 else ''}}}"


class Options(Sequence[Option]):
    """The options of a position, or the parts of a sum, and the value that follows from theirs.

    Attributes
    ----------
    kind : {"position", "sum"}
    value : int or Loopy
    derivation : str
        For example ``mex{0, 1, 3} = 2`` or ``3 xor 5 = 6``.
    """

    def __init__(self, options: list[Option], kind: str, value: int | Loopy, play: str) -> None:
        self._options = options
        self.kind = kind
        self.value: Any = value
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
        finite = f"{{{', '.join(map(str, sorted({value for value in values if not isinstance(value, Loopy)})))}}}"
        if isinstance(self.value, Loopy):
            return f"no finite value; the options' finite values are {finite}: {self.value}"
        return f"mex{finite} = {self.value}"

    def __repr__(self) -> str:
        return f"{self._options!r}: {self.derivation}"
