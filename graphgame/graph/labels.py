"""Label tables: the position of each vertex number, and the vertex number of each position."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import eq
from typing import Any, TypeGuard, overload

import numpy as np

from graphgame.errors import Message, ParameterError, safe_text, shorten

_MOST_COMPARED = 5000  # maximum number of labels that are compared with a misspelt label
_LARGEST_INTEGER = 1 << 62
_SHORTEST_ARRAY = 64  # for fewer vertex numbers it does not pay to make an array of the labels
_LARGEST_CACHED_RANGE = 1 << 15
_EDGES_AT_A_TIME = 1 << 12
_MOST_DIGITS = 19


class Labels(Sequence[Hashable]):
    """A label table: the sequence of the positions of a graph in the order of their vertex numbers 0, 1, ..., n - 1."""

    _positions: Any

    @abstractmethod
    def find(self, position: object) -> int:
        """Return the number of a position; raise a KeyError for an unknown, a TypeError for an unhashable position."""

    @abstractmethod
    def take(self, numbers: np.ndarray) -> list[Hashable]:
        """Return the positions with these vertex numbers."""

    def few(self, numbers: list[int]) -> list[Hashable]:
        """Return the positions with these vertex numbers; faster than :meth:`take` for a short list."""
        return list(map(self.at, numbers))

    def find_all(self, positions: Collection[Hashable]) -> np.ndarray:
        """Return the vertex numbers (int32) of positions, which must all be in the table."""
        return np.fromiter(map(self.find, positions), np.int32, len(positions))

    def edges(self, left: np.ndarray, right: np.ndarray) -> Iterator[tuple[Hashable, Hashable]]:
        """Yield the pair of positions with the numbers ``left[i]`` and ``right[i]``, for each i."""

        def block(first: int) -> Iterator[tuple[Hashable, Hashable]]:
            part = slice(first, first + _EDGES_AT_A_TIME)
            return zip(self.take(left[part]), self.take(right[part]), strict=True)

        # In blocks, so that the lists of a block fit in a cache.
        return chain.from_iterable(map(block, range(0, len(left), _EDGES_AT_A_TIME)))

    def column(self, numbers: np.ndarray) -> Sequence[Hashable] | np.ndarray:
        """Return the positions with these vertex numbers: an int64 array if :func:`are_integers`, otherwise a list."""
        return self.take(numbers)

    @cached_property
    def _objects(self) -> np.ndarray:
        return np.fromiter(self._positions, object, len(self))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_objects", "_number")}

    def __len__(self) -> int:
        return len(self._positions)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._positions)

    def at(self, number: int) -> Hashable:
        """Return the position with this vertex number, which must be from 0 to n - 1."""
        position: Hashable = self._positions[number]
        return position

    @overload
    def __getitem__(self, number: int) -> Hashable: ...
    @overload
    def __getitem__(self, number: slice) -> list[Hashable]: ...
    def __getitem__(self, number: int | slice) -> Hashable | list[Hashable]:
        if isinstance(number, slice):
            return self.take(np.arange(*number.indices(len(self))))
        size = len(self)
        if not -size <= number < size:
            raise IndexError(number)
        return self.at(number % size)

    def __contains__(self, position: object) -> bool:
        try:
            self.find(position)
        except KeyError:
            return False
        return True

    def index(self, position: object, start: int = 0, stop: int | None = None) -> int:
        """Return the vertex number of a position; raise a ValueError if it has none in ``range(n)[start:stop]``."""
        try:
            number = self.find(position)
        except KeyError:
            raise ValueError(Message("{position!r} is not a position", position)) from None
        if number not in range(len(self))[start:stop]:
            raise ValueError(Message("{position!r} is not in this range of positions", position))
        return number


class RangeLabels(Labels):
    """A label table of consecutive integers, stored as a range."""

    def __init__(self, first: int, count: int) -> None:
        self._positions: range = range(first, first + count)

    def find(self, position: object) -> int:  # noqa: D102
        whole = position if type(position) is int else _as_integer(position)
        if whole is None or whole not in self._positions:
            raise KeyError(position)
        return whole - self._positions.start

    def find_all(self, positions: Collection[Hashable]) -> np.ndarray:  # noqa: D102
        return (np.fromiter(positions, np.int64, len(positions)) - self._positions.start).astype(np.int32)

    def column(self, numbers: np.ndarray) -> np.ndarray:  # noqa: D102
        return numbers.astype(np.int64) + self._positions.start

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        # Existing int objects are faster than new ones as long as all of them fit into a processor's cache: a loop over
        # the edges takes 20 % less time.
        use_objects = len(self) <= _LARGEST_CACHED_RANGE and len(numbers) >= _SHORTEST_ARRAY
        return (self._objects[numbers] if use_objects else self.column(numbers)).tolist()  # type: ignore[no-any-return]

    def few(self, numbers: list[int]) -> list[Hashable]:  # noqa: D102
        return list(map(self._positions.__getitem__, numbers))

    def __contains__(self, position: object) -> bool:
        return position in self._positions if type(position) is int else super().__contains__(position)


class ArrayLabels(Labels):
    """A label table of increasing 64-bit integers with gaps; it takes 8 bytes a position."""

    def __init__(self, values: np.ndarray) -> None:
        self._positions = values.astype(np.int64, copy=False)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._positions.tolist())

    def at(self, number: int) -> int:  # noqa: D102
        return int(self._positions[number])

    def find(self, position: object) -> int:  # noqa: D102
        whole = _as_integer(position)
        if whole is None or not -(2**63) <= whole < 2**63:
            raise KeyError(position)
        number = int(np.searchsorted(self._positions, whole))
        if number == len(self._positions) or self._positions[number] != whole:
            raise KeyError(position)
        return number

    def column(self, numbers: np.ndarray) -> np.ndarray:  # noqa: D102
        return self._positions[numbers]  # type: ignore[no-any-return]

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return self.column(numbers).tolist()  # type: ignore[no-any-return]


class ListLabels(Labels):
    """A label table of any hashable positions; the dictionary for :meth:`find` is made when it is first used."""

    _number: dict[Hashable, int] | None = None

    def __init__(self, positions: Sequence[Hashable], numbers: dict[Hashable, int] | None = None) -> None:
        self._positions = positions
        self._number = numbers

    def find(self, position: Any) -> int:  # noqa: ANN401, D102
        return self.numbers()[position]

    def find_all(self, positions: Collection[Hashable]) -> np.ndarray:  # noqa: D102
        return np.fromiter(map(self.numbers().__getitem__, positions), np.int32, len(positions))

    def numbers(self) -> dict[Hashable, int]:
        """Return the dictionary position -> vertex number; raise a ParameterError if a position occurs twice."""
        if self._number is None:
            numbers = {label: number for number, label in enumerate(self._positions)}
            if len(numbers) < len(self._positions):
                twice = next(label for number, label in enumerate(self._positions) if numbers[label] != number)
                raise ParameterError("position {position!r} occurs twice: all positions must be different", twice)
            self._number = numbers
        return self._number

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return self._objects[numbers].tolist() if len(numbers) >= _SHORTEST_ARRAY else self.few(numbers.tolist())

    def few(self, numbers: list[int]) -> list[Hashable]:  # noqa: D102
        return list(map(self._positions.__getitem__, numbers))


def are_integers(labels: Sequence[Hashable]) -> TypeGuard[RangeLabels | ArrayLabels]:
    """Return whether labels are a table of integers, a :class:`RangeLabels` or :class:`ArrayLabels`."""
    return isinstance(labels, (RangeLabels, ArrayLabels))


def as_labels(
    positions: int | Labels | np.ndarray | Sequence[Hashable], numbers: dict[Hashable, int] | None = None
) -> Labels:
    """Return a label table for these positions, a compact one for an array and for consecutive integers.

    An integer n means the positions 0, 1, ..., n - 1; an array must contain increasing integers. ``numbers`` is the
    dictionary position -> vertex number, if the caller has it.
    """
    if isinstance(positions, Labels):
        return positions
    if isinstance(positions, (int, np.integer)):
        return RangeLabels(0, int(positions))
    if isinstance(positions, range) and positions.step == 1:
        return RangeLabels(positions.start, len(positions))
    if isinstance(positions, np.ndarray):
        if len(positions) and (positions.dtype.kind not in "iu" or not (positions[1:] > positions[:-1]).all()):
            raise ParameterError("positions in an array must be increasing integers: give others as a list")
        first = int(positions[0]) if len(positions) else 0
        dense = len(positions) == 0 or int(positions[-1]) - first + 1 == len(positions)
        return RangeLabels(first, len(positions)) if dense else ArrayLabels(positions)
    start = positions[0] if len(positions) else None
    if type(start) is int and abs(start) < _LARGEST_INTEGER and set(map(type, positions)) == {int}:
        consecutive = range(start, start + len(positions))
        if all(map(eq, positions, consecutive)):
            return RangeLabels(start, len(consecutive))
    return ListLabels(positions, numbers)


def similar(labels: Labels, text: str) -> str:
    """Return a hint about an unknown label ``text``: similar labels, or which labels the graph has."""
    if not len(labels):
        return Message("the graph has no vertices")
    if isinstance(labels, RangeLabels):
        return Message("its positions are {first} to {last}", labels[0], labels[-1])
    from difflib import get_close_matches

    names = {str(label): label for label in labels[:_MOST_COMPARED]}
    if alike := get_close_matches(text, names, n=3):
        return Message("did you mean {names}?", ", ".join(shorten(names[name]) for name in alike))
    shown = ", ".join(map(shorten, labels[:3])) + (", ..." if len(labels) > 3 else "")
    return Message("its positions are {labels}", shown)


def of_type(labels: Labels, position: Hashable) -> str:
    """Return a hint for an error about an unknown position: the integer or string label with the same text.

    It suggests ``3`` for ``"3"``, ``"3"`` for ``3``, and ``"3,4"`` for ``(3, 4)``. Empty if there is no such label.
    """
    text = ",".join(map(str, position)) if isinstance(position, tuple) else safe_text(position)
    number = int(text) if text.removeprefix("-").isdecimal() and len(text) < _MOST_DIGITS else text
    meant = next((label for label in (number, text) if label != position and label in labels), None)
    return "" if meant is None else Message("did you mean {name!r}?", meant)


def _as_integer(position: object) -> int | None:
    """Return an integer, or a float such as 3.0, as an int; None for any other hashable position."""
    if isinstance(position, (int, np.integer)):
        return int(position)
    hash(position)  # raises a TypeError for an unhashable position, as a lookup in a dictionary does
    return int(position) if isinstance(position, float) and position.is_integer() else None
