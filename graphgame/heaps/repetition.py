"""Where the last of a sequence has stood before: in linear time and no memory, by the two-way method.

Read from its end, the sequence starts with the last items, and is searched for where they come again.

References
----------
M. Crochemore, D. Perrin, Two-way string-matching, Journal of the ACM 38 (1991).
"""

from __future__ import annotations

from graphgame.arrays.compiling import Array, compiled, inlined, runner

__all__ = ["repetition"]


def repetition(
    values: Array, least: int, *, after: int = 0, differences: bool = False, engine: str = "auto"
) -> tuple[int, int] | None:
    """Return from where on items repeat, and the least period above a number by which so many of the last ones do.

    O(n). With ``differences``, those between neighbours are the items.

    Examples
    --------
    >>> import numpy as np
    >>> repetition(np.array([5, 0, 1, 2, 0, 1, 2, 0, 1], np.uint8), 3, engine="plain")
    (1, 3)
    """
    size = len(values) - differences
    if least < 0 or after + 1 + least > size:
        return None
    period = runner(_least_shift, 4 * size, engine)(values, least, after, differences)
    if not period:
        return None
    matched = runner(_matched, size, engine)(values, least, period, differences)
    return size - period - matched, period


@inlined
def _item(values: Array, place: int, differences: bool) -> int:
    """Return the item so many places before the last one."""
    here = len(values) - 1 - place
    return int(values[here]) - int(values[here - 1]) if differences else int(values[here])


@inlined
def _greatest_end(values: Array, size: int, differences: bool, sign: int) -> tuple[int, int]:
    """Return where the greatest end of the first items starts, less 1, in an order or its reverse; and its period."""
    found, place, length, period = -1, 0, 1, 1
    while place + length < size:
        order = sign * (_item(values, place + length, differences) - _item(values, found + length, differences))
        if order < 0:
            place += length
            length = 1
            period = place - found
        elif order > 0:
            found = place
            place += 1
            length = period = 1
        elif length == period:
            place += period
            length = 1
        else:
            length += 1
    return found, period


@compiled
def _least_shift(values: Array, size: int, after: int, differences: bool) -> int:
    """Return the least shift above a number after which the first items, read from the end, come again; 0 if none."""
    total = len(values) - differences
    cut, period = _greatest_end(values, size, differences, 1)
    other_cut, other_period = _greatest_end(values, size, differences, -1)
    if other_cut > cut:
        cut, period = other_cut, other_period
    repeats, k = period + cut < size, 0
    while repeats and k <= cut:
        repeats = _item(values, k, differences) == _item(values, k + period, differences)
        k += 1
    if not repeats:
        period = max(cut, size - cut - 2) + 2
    shift, known = after + 1, -1  # the items up to the place ``known`` are known to agree
    while shift + size <= total:
        k = max(cut, known) + 1
        while k < size and _item(values, k, differences) == _item(values, k + shift, differences):
            k += 1
        if k < size:
            shift += k - cut
            known = -1
        else:
            k = cut
            while k > known and _item(values, k, differences) == _item(values, k + shift, differences):
                k -= 1
            if k <= known:
                return shift
            shift += period
            known = size - period - 1 if repeats else -1
    return 0


@compiled
def _matched(values: Array, known: int, shift: int, differences: bool) -> int:
    """Return how many of the last items equal those ``shift`` before them; the first ``known`` values match."""
    total = len(values) - differences - shift
    while known < total and _item(values, known, differences) == _item(values, known + shift, differences):
        known += 1
    return known
