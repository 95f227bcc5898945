"""What a move may leave of a heap: so many heaps, of which sizes the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from graphgame.rules.ruleset import Sum

Sizes = Literal["", "equal", "unequal", "not all equal"]
"""Which sizes two or more heaps may have; no two are the same if unequal."""

Left = Iterator[int | Sum]
"""What moves leave of a heap: one heap, or the sum of several."""


def left(rest: int, bits: int, kind: Sizes = "") -> Left:
    """Yield what a move may leave where so much is left: bit k allows k heaps, of the sizes that the kind says.

    Negative bits allow any number of heaps from some number on.

    Examples
    --------
    >>> list(left(5, 7)), list(left(6, -4, "equal"))
    ([5, Sum(1, 4), Sum(2, 3)], [Sum(3, 3), Sum(2, 2, 2), Sum(1, 1, 1, 1, 1, 1)])
    """
    if bits & 1 and not rest:
        yield 0
    if bits & 2 and rest > 0:
        yield rest
    for parts in range(2, (rest if bits < 0 else min(rest, bits.bit_length() - 1)) + 1):
        if bits >> parts & 1:
            yield from map(Sum, _sizes(rest, parts, kind))


def _sizes(total: int, parts: int, kind: Sizes) -> Iterator[tuple[int, ...]]:
    """Yield the sizes of two or more heaps that make a total, each in increasing order."""
    if kind == "equal":
        if total % parts == 0:
            yield (total // parts,) * parts
        return
    for sizes in _partitions(total, parts, 1, int(kind == "unequal")):
        if kind != "not all equal" or sizes[0] != sizes[-1]:
            yield sizes


def _partitions(total: int, parts: int, least: int, apart: int) -> Iterator[tuple[int, ...]]:
    """Yield the sums of two or more parts that make a total; each part is so far, or more, above the one before."""
    if parts == 2:
        for first in range(least, (total - apart) // 2 + 1):
            yield first, total - first
        return
    for first in range(least, total // parts + 1):
        for rest in _partitions(total - first, parts - 1, first + apart, apart):
            yield first, *rest
