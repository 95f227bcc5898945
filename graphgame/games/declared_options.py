"""Whether the moves, or turns of coins, that rules declare are their options: tried on small positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from operator import mul

from graphgame.rules.component import Component
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.ruleset import Ruleset

__all__ = ["Cells", "Tuples", "differing_move", "differing_turn", "whole_cells", "with_place"]

_TRIED_MOVES = 100
_TRIED_COINS = 6
_HIDDEN = 12
Cells = dict[tuple[int, ...], tuple[Component, ...]]
Tuples = list[tuple[int, ...]]
Reached = Callable[[tuple[int, ...], Tuples], tuple[Tuples, Tuples] | None]


def whole_cells(moves: DeclaredMoves, cells: Cells) -> Cells:
    """Return the positions of all numbers that moves are about; where a text has fewer, a position is their tuple."""
    if not moves.starts:
        return cells
    first = next(iter(cells.values()))[0]
    tuples = product(range(_HIDDEN), repeat=len(moves.names))
    return {numbers: (first._replace(position=first.ruleset.canonical(numbers)),) for numbers in tuples}


def differing_move(moves: DeclaredMoves, cells: Cells, reached: Reached) -> tuple[tuple[int, ...] | None, int]:
    """Return the first position whose declared moves are not its options, and how many were compared.

    ``reached(start, ends)`` tells to which of some ends there are moves, and which are followed; None where the start
    is no position.
    """
    totals = {cell: total for cell in cells if (total := sum(map(mul, cell, moves.weights))) >= 0}
    # All moves from a total end in smaller ones: so up to some total all ends are among these positions.
    highest = min(max(cell[axis] for cell in cells) for axis in range(len(moves.names)))
    most = min(highest, sorted(totals.values())[: _TRIED_MOVES + 1][-1] - 1)
    small = [cell for cell, total in totals.items() if total <= most]
    compared = 0
    found: dict[tuple[int, ...], set[object]] = {}
    for start in sorted(small, key=totals.__getitem__):
        ends = reached(start, small)
        if ends is not None:
            compared += 1
            direct, followed = ends
            found[start] = {_whole(cells[end]) for end in direct}.union(*(found[end] for end in followed))
            if found[start] != set(_options(cells[start])):
                return start, compared
    return None, compared


def _options(components: tuple[Component, ...]) -> Iterator[tuple[object, ...]]:
    for place, component in enumerate(components):
        for option in component.ruleset.options(component.position):
            left = component._replace(position=option)
            yield _whole((*components[:place], left, *components[place + 1 :]))


def _whole(components: tuple[Component, ...]) -> tuple[object, ...]:
    return tuple(component.ruleset.canonical(component.position) for component in components)


def differing_turn(
    rules: Ruleset, turns: DeclaredTurns, allowed: Callable[[tuple[str, str], dict[str, int]], bool]
) -> str | None:
    """Return the first of some small rows of coins whose declared turns are not its options; None if there is none."""
    ways: list[list[frozenset[int]]] = []
    for last in range(1, _TRIED_COINS + 1):
        first = range(1, last + 1) if turns.runs else ()
        found = [frozenset(range(a, last)) for a in first if allowed(("a", turns.runs), {"a": a, "n": last})]
        for names, text in turns.sets:
            tuples = (dict(zip(names, each, strict=True)) for each in product(range(1, last), repeat=len(names)))
            found += [frozenset(each.values()) for each in tuples if allowed((names, text), {**each, "n": last})]
        ways.append(found)
    places = range(1, _TRIED_COINS + 1)
    for heads in map(frozenset, chain.from_iterable(combinations(places, count) for count in places)):
        told = {_row_text(heads ^ others ^ {last}) for last in heads for others in ways[last - 1]}
        if told != set(rules.options(_row_text(heads))):
            return _row_text(heads)
    return None


def _row_text(heads: frozenset[int]) -> str:
    return "".join("h" if place in heads else "t" for place in range(1, max(heads, default=1) + 1))


def with_place(text: str, name: str) -> str:
    """Return a formula about a coin's place with the name n for it.

    >>> with_place("a & -a", "a")
    'n & -n'
    """
    return re.sub(rf"\b{name}\b", "n", text)
