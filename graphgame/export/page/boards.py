"""Positions as what they are on the table: sizes of heaps, pictures, and boards in text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graphgame.errors import Message
from graphgame.explanation.rules import rules_told
from graphgame.export.page.surfaces import surfaces
from graphgame.rules.faults import blamed, returned
from graphgame.rules.nim import Heap
from graphgame.rules.position import Component
from graphgame.rules.ruleset import Ruleset, Sum

if TYPE_CHECKING:
    from graphgame.rules.position import Position

__all__ = ["boards"]

_MOST_CHARACTERS = 2_000_000

Placed = tuple[Ruleset, Any]
"""A position with its rules."""


def boards(position: Position | None, labels: Sequence[Hashable]) -> dict[str, Any]:
    """Return how the vertices look that were explored from a position.

    Parameters
    ----------
    position : Position or None
    labels : sequence of hashable
        The vertices asked about, as positions.

    Returns
    -------
    dict
        ``heaps``: the size of the heap that each vertex is, -1 where it is none; ``surfaces``: the boards that are
        played on; ``boards``: where there is none, the board in text, empty where the ruleset draws none; ``rules``:
        what the rules say. None in place of a list that would say nothing, or too much.
    """
    if position is None or not position.components:
        return {"heaps": None, "surfaces": None, "boards": None, "rules": None}
    ruleset = position.components[0].ruleset
    vertices = [list(_parts(ruleset, vertex)) for vertex in labels]
    heaps = [_heap_size(parts) for parts in vertices]
    played_on = surfaces(position, labels)
    text = ("\n\n".join(filter(None, (_board(*part) for part in parts))) for parts in vertices)
    return {
        "heaps": heaps if max(heaps, default=-1) >= 0 else None,
        "surfaces": played_on,
        "boards": _together(text) if played_on is None else None,
        "rules": [told._asdict() for told in rules_told(position)],
    }


def _together(texts: Iterable[str]) -> list[str] | None:
    """Return a list of texts; None where they are empty, or too long for a page."""
    kept: list[str] = []
    size = 0
    for text in texts:
        kept.append(text)
        size += len(text)
        if size > _MOST_CHARACTERS:
            return None
    return kept if size else None


def _parts(ruleset: Ruleset, vertex: Hashable) -> Iterator[Placed]:
    """Yield the positions that a vertex stands for: one, or those of a sum."""
    if isinstance(vertex, Sum):
        for part in vertex:
            yield from _parts(ruleset, part)
    elif isinstance(vertex, Component):
        yield vertex.ruleset, vertex.position
    else:
        yield ruleset, vertex


def _heap_size(parts: list[Placed]) -> int:
    """Return the size of all heaps together, -1 where a part is no heap."""
    heaps = all(isinstance(rules, Heap) and isinstance(size, int) for rules, size in parts)
    return sum(position for _, position in parts) if heaps else -1


def _board(ruleset: Ruleset, position: Any) -> str:  # noqa: ANN401
    """Return the board of a position, or nothing where it is no more than the position's text."""
    with blamed(type(ruleset).__name__, Message("the board of a position")):
        drawn = returned(ruleset.board(position), str)
    return "" if drawn == ruleset.format(position) else drawn
