"""Values for the problems: of games that have no formula, from the definition and as fast as it allows."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from operator import xor

import numpy as np

__all__ = ["Sheets", "grundy_values", "lost_heaps", "nim_sum", "subtraction_values"]


def nim_sum(values: Iterable[int]) -> int:
    """Return the xor of values.

    Examples
    --------
    >>> nim_sum([14, 21, 39])
    60
    """
    return reduce(xor, values, 0)


def lost_heaps(amounts: Collection[int], largest: int) -> list[int]:
    """Return the heaps 0..largest of value 0 in a subtraction game.

    Parameters
    ----------
    amounts : collection of int
        What one may take.
    largest : int
        The largest heap.

    Notes
    -----
    Time O(lost heaps * amounts).

    Examples
    --------
    >>> lost_heaps([1, 3, 4], 10)
    [0, 2, 7, 9]
    """
    return _sieve(np.zeros(largest + 1, np.bool_), amounts)


def subtraction_values(amounts: Collection[int], largest: int) -> list[int]:
    """Return the Grundy values of the heaps 0..largest in a subtraction game; the parameters are as in lost_heaps.

    Notes
    -----
    A heap has the value v exactly when it has no smaller value and no move to a heap of value v: so each value's heaps
    are sieved out of those that are left. Time O(largest * amounts).

    Examples
    --------
    >>> subtraction_values([1, 3, 4], 10)
    [0, 1, 0, 1, 2, 3, 2, 0, 1, 0, 1]
    """
    values = np.full(largest + 1, -1)
    value = 0
    while (known := values >= 0).sum() <= largest:
        values[_sieve(known, amounts)] = value
        value += 1
    return values.tolist()


def grundy_values(largest: int) -> list[int]:
    """Return the values of the heaps 0..largest in Grundy's game.

    Notes
    -----
    Time O(largest ** 2).

    Examples
    --------
    >>> grundy_values(10)
    [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0]
    """
    values = np.zeros(largest + 1, np.int64)
    for heap in range(3, largest + 1):
        values[heap] = _mex(values[1 : (heap + 1) // 2] ^ values[heap - 1 : heap // 2 : -1])
    return values.tolist()


class Sheets:
    """The values of the Cutting Game's sheets, worked out as larger ones are asked for.

    Parameters
    ----------
    largest : int
        The largest side.

    Notes
    -----
    All sheets up to a side of n take O(n ** 3) time.

    Examples
    --------
    >>> Sheets(200).value(4, 2)
    1
    """

    def __init__(self, largest: int) -> None:
        self._values = np.zeros((largest + 1, largest + 1), np.int64)
        self._done = 1

    def value(self, width: int, height: int) -> int:
        """Return the value of a sheet whose sides are at least 2."""
        while self._done < max(width, height):
            self._done += 1
            for other in range(2, self._done + 1):
                self._solve(self._done, other)
        return int(self._values[width, height])

    def _solve(self, width: int, height: int) -> None:
        columns, row = self._values[:, height], self._values[width]
        value = _mex(np.concatenate([_cuts(columns, width), _cuts(row, height)]))
        self._values[width, height] = self._values[height, width] = value


def _cuts(line: np.ndarray, side: int) -> np.ndarray:
    """Return the values after each cut of a side, given those of the sheets with a shorter one."""
    cuts: np.ndarray = line[2 : side // 2 + 1] ^ line[side - 2 : (side - 1) // 2 : -1]
    return cuts


def _mex(values: np.ndarray) -> int:
    missing = np.bincount(values, minlength=1) == 0
    return int(missing.argmax()) if missing.any() else len(missing)


def _sieve(excluded: np.ndarray, amounts: Collection[int]) -> list[int]:
    """Return the heaps, of those not excluded, from which no move leads to another heap returned."""
    size = len(excluded)
    steps = np.array(sorted({amount for amount in amounts if amount < size}), np.int64)
    blocked = bytearray(excluded.tobytes()) + bytes(int(steps.max(initial=0)))
    marks = np.frombuffer(blocked, np.uint8)
    found = []
    heap = blocked.find(0, 0, size)
    while heap >= 0:
        found.append(heap)
        marks[steps + heap] = 1
        heap = blocked.find(0, heap + 1, size)
    return found
