"""Positions as what they are on the table: sizes of heaps, and boards in text."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.games.heap import Heap
from graphgame.ruleset import Ruleset, Sum, blamed

if TYPE_CHECKING:
    from graphgame.position import Position

__all__ = ["boards"]

_MOST_CHARACTERS = 2_000_000

Placed = tuple[Ruleset, Any]
"""A position with its rules."""


def boards(position: Position | None, kept: np.ndarray) -> dict[str, list[Any] | None]:
    """Return how the vertices look that were explored from a position.

    Parameters
    ----------
    position : Position or None
    kept : ndarray of int, shape (k,)
        The vertex numbers asked about.

    Returns
    -------
    dict
        ``heaps``: the size of the heap that each vertex is, -1 where it is none; ``boards``: its board in text, empty
        where the ruleset draws none. None in place of a list that would say nothing, or too much.
    """
    if position is None or not position.components:
        return {"heaps": None, "boards": None}
    ruleset = position.components[0].ruleset
    vertices = [list(_parts(ruleset, vertex)) for vertex in position.graph().labels.take(kept)]
    heaps = [_heap_size(parts) for parts in vertices]
    drawn = ["\n\n".join(filter(None, (_board(*part) for part in parts))) for parts in vertices]
    return {
        "heaps": heaps if max(heaps, default=-1) >= 0 else None,
        "boards": drawn if 0 < sum(map(len, drawn)) <= _MOST_CHARACTERS else None,
    }


def _parts(ruleset: Ruleset, vertex: Hashable) -> Iterator[Placed]:
    """Yield the positions that a vertex stands for: one, or those of a sum."""
    from graphgame.position import Component

    if isinstance(vertex, Sum):
        for part in vertex:
            yield from _parts(ruleset, part)
    elif isinstance(vertex, Component):
        yield vertex.ruleset, vertex.position
    else:
        yield ruleset, vertex


def _heap_size(parts: list[Placed]) -> int:
    """Return the size of all heaps together, -1 where a part is no heap."""
    heaps = all(isinstance(ruleset, Heap) and isinstance(position, int) for ruleset, position in parts)
    return sum(position for _, position in parts) if heaps else -1


def _board(ruleset: Ruleset, position: Any) -> str:  # noqa: ANN401
    """Return the board of a position, or nothing where it is no more than the position's text."""
    with blamed(type(ruleset).__name__, "the board of a position"):
        drawn = ruleset.board(position)
    return "" if drawn == ruleset.format(position) else drawn
