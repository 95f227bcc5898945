"""Declared moves: relations such as ``b <= 3a``, and whether declared moves are the options of the rules.

The second is tried on small positions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from operator import mul

import numpy as np

from graphgame.errors import LimitError, OptionError
from graphgame.labs.laws.law_claims import lowering_weights
from graphgame.labs.laws.statements import after, binary_set, parsed
from graphgame.rules.component import Component
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.ruleset import Ruleset, Sum

_TRIED_MOVES = 100
_TRIED_COINS = 6
_HIDDEN = 12
_MOST_NAMES = 4
Cells = dict[tuple[int, ...], tuple[Component, ...]]


def moves_of_text(text: str) -> DeclaredMoves:
    """Return the moves that a text says: statements between semicolons, perhaps with ``where`` and the positions.

    Raises
    ------
    OptionError
        A statement is none, or no total is found that all moves lower.

    Examples
    --------
    >>> moves_of_text("a' < a and b' = b; b' < b and a' = a where b <= a").positions
    'b <= a'
    """
    said, _, where = text.partition(" where ")
    moves = tuple(part.strip() for part in said.split(";") if part.strip())
    names = tuple(sorted({*re.findall(r"(?<![A-Za-z_])[a-wyz](?![A-Za-z_])", text)}))
    if not 1 <= len(names) <= _MOST_NAMES:
        raise OptionError(
            "{text}: {count} names: expected 1 to {most} letters, as in a' < a and b' = b",
            text,
            len(names),
            _MOST_NAMES,
        )
    for part in (*moves, where.strip() or "True"):
        parsed(part)
    found = lowering_weights(DeclaredMoves(names, moves, where.strip() or "True"))
    if found is None:
        free = ((move, name) for move in moves for name in names if f"{name}'" not in move)
        for move, name in free:
            kept = f"{name}' = {name}"
            raise OptionError(
                "{text}: {move} says nothing of {name}', so that {name} may grow for ever: {kept} keeps it",
                text,
                move,
                name,
                kept,
            )
        raise OptionError("{text}: found no total of the numbers that each move lowers: play need not end", text)
    return found


def whole_cells(moves: DeclaredMoves, cells: Cells) -> Cells:
    """Return the positions of all numbers that moves are about; where a text has fewer, a position is their tuple."""
    if not moves.starts:
        return cells
    first = next(iter(cells.values()))[0]
    tuples = product(range(_HIDDEN), repeat=len(moves.names))
    return {numbers: (first._replace(position=first.ruleset.canonical(numbers)),) for numbers in tuples}


def differing_by_statements(moves: DeclaredMoves, cells: Cells) -> tuple[tuple[int, ...] | None, int]:
    """Return the first position whose declared moves are not its options, and how many were compared."""
    names, primes = moves.names, tuple(map(after, moves.names))
    sets = [[binary_set(text, *names, *primes) for text in texts] for texts in (moves.moves, moves.followed)]
    positions = binary_set(moves.positions, *names)
    totals = {cell: total for cell in cells if (total := sum(map(mul, cell, moves.weights))) >= 0}
    # All moves from a total end in smaller ones: so up to some total all ends are among these positions.
    highest = min(max(cell[axis] for cell in cells) for axis in range(len(moves.names)))
    most = min(highest, sorted(totals.values())[: _TRIED_MOVES + 1][-1] - 1)
    small = [cell for cell, total in totals.items() if total <= most]
    compared = 0
    found: dict[tuple[int, ...], set[object]] = {}
    ends = dict(zip(names, np.array(small, np.int64).reshape(-1, len(names)).T, strict=True))
    good = positions.contains(**ends)
    for start in sorted(small, key=totals.__getitem__):
        given = dict(zip(names, start, strict=True))
        if not positions.contains(**given):
            continue
        compared += 1
        both = given | {after(name): numbers for name, numbers in ends.items()}
        direct, followed = (
            [small[place] for place in np.flatnonzero(good & np.any([each.contains(**both) for each in some], axis=0))]
            if some
            else []
            for some in sets
        )
        found[start] = {whole_of(cells[end]) for end in direct}.union(*(found[end] for end in followed))
        if found[start] != set(map(whole_of, ends_of(cells[start]))):
            return start, compared
    return None, compared


def ends_of(components: tuple[Component, ...]) -> Iterator[tuple[Component, ...]]:
    """Yield what each move leaves, but those that lose at once."""
    for place, component in enumerate(components):
        for option in component.ruleset.options(component.position):
            if component.ruleset.decides and component.ruleset.decided(option) == "N":
                continue
            yield (*components[:place], component._replace(position=option), *components[place + 1 :])


def whole_of(components: tuple[Component, ...]) -> tuple[object, ...]:
    """Return a position, the same for all that the rules take for one."""
    return tuple((component.game, component.ruleset.canonical(component.position)) for component in components)


def misere_values(cells: Cells, most: int) -> dict[tuple[int, ...], int]:
    """Return the Grundy values under misère play: 1 where there is no move.

    Raises
    ------
    LimitError
        There are more positions than the most, or a move splits one.
    """
    known: dict[object, int] = {}
    for components in cells.values():
        waiting = [components]
        while waiting:
            key = whole_of(waiting[-1])
            ends = [] if key in known else list(ends_of(waiting[-1]))
            if any(type(part.position) is Sum for end in ends for part in end):
                raise LimitError(
                    "moves that split a position: under misère play parts have no values to add", limit="size"
                )
            options = {whole_of(end): end for end in ends}
            unknown = [option for found, option in options.items() if found not in known]
            waiting += unknown
            if len(known) + len(waiting) > most:
                raise LimitError(
                    "misère play to a size of {first}: more than {most:,} positions; a smaller size needs fewer",
                    max(map(max, cells)) + 1,
                    most,
                    limit="max_positions",
                )
            if not unknown:
                seen = {known[found] for found in options}
                least = next(value for value in range(len(seen) + 1) if value not in seen)
                known.setdefault(key, least if options else 1)
                waiting.pop()
    return {numbers: known[whole_of(components)] for numbers, components in cells.items()}


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
