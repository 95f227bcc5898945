"""Tables of values by the numbers that positions consist of: what laws are found from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain, islice, product
from operator import mul, xor

import numpy as np

from graphgame.errors import LimitError, OptionError, ParseError
from graphgame.games.notation import parse_position
from graphgame.heaps.heapgame import HeapGame
from graphgame.heaps.periods import PeriodCertificate
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.component import Component
from graphgame.rules.declared import DeclaredMoves, number_names, side_by_side
from graphgame.rules.position import Position
from graphgame.rules.ruleset import Ruleset
from graphgame.theory.laws.law import extent_text
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.statements import after, set_of

__all__ = [
    "LAW_POSITIONS",
    "LawTable",
    "cells_of",
    "differing_move",
    "filled",
    "free_moves",
    "law_table",
    "names_in",
]

_SIZES = {1: 512, 2: 90, 3: 18, 4: 9}
"""Number of names -> how many numbers of each are looked at, if the graph is not too large."""

_FIRST_SIZES = {1: 4, 2: 4, 3: 4, 4: 3}
LAW_POSITIONS = 20_000
_PROVING_HEAPS = 20_000
_TRIED_MOVES = 100
_NAME = re.compile(r"(?<![A-Za-wyz_])[a-wyz](?![A-Za-wyz_])")
_BRACES = re.compile(r"\{[^{}]*\}")
Cells = dict[tuple[int, ...], tuple[Component, ...]]
Reached = Callable[[tuple[int, ...], list[tuple[int, ...]]], Iterable[tuple[int, ...]] | None]


@dataclass(frozen=True)
class LawTable:
    """The values of a game's positions by the numbers that they consist of.

    Attributes
    ----------
    text : str
        The position in the notation, with names in place of numbers.
    names : tuple of str
    values : ndarray of int64
        An axis for each name; -1 where the numbers are no position.
    moves : DeclaredMoves or None
        The moves as statements, where the rules declare them.
    certificate : PeriodCertificate or None
        Of a game of one heap whose period is proved.
    """

    text: str
    names: tuple[str, ...]
    values: np.ndarray
    moves: DeclaredMoves | None
    certificate: PeriodCertificate | None

    @property
    def extent(self) -> str:
        """How many positions there are, and how far they go."""
        return extent_text(int((self.values >= 0).sum()), self.values.shape)

    def position(self, *numbers: int, max_positions: int = MAX_POSITIONS) -> Position:
        """Return the position of some numbers."""
        return parse_position(filled(self.text, self.names, numbers), max_positions=max_positions)


def law_table(text: str, *, size: int | None = None, max_positions: int = LAW_POSITIONS) -> LawTable:
    """Return the values of the positions that a text with names stands for, from the explicit graph or a theorem.

    Examples
    --------
    >>> law_table("wythoff(a,b)", size=3).values.tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    text = _with_names(text)
    names = names_in(text)
    count, most = (_FIRST_SIZES[len(names)], _SIZES[len(names)]) if size is None else (size, size)
    found, cells = _table(text, names, count, max_positions)
    while count < most:
        count = min(2 * count, most)
        try:
            found, cells = _table(text, names, count, max_positions)
        except LimitError:
            break
    if found.moves is not None:
        _compare_moves(found, cells)
    return found


def _table(text: str, names: tuple[str, ...], count: int, max_positions: int) -> tuple[LawTable, Cells]:
    if (entries := count ** len(names)) > max_positions:
        raise LimitError(
            f"a table of {entries:,} entries is larger than the limit, max_positions={max_positions}", "max_positions"
        )
    cells = cells_of(text, names, product(range(count), repeat=len(names)))
    whole = Position(chain.from_iterable(cells.values()), max_positions)
    parts = iter(whole.values)
    values = np.full((count,) * len(names), -1, np.int64)
    for numbers, cell in cells.items():
        values[numbers] = reduce(xor, islice(parts, len(cell)), 0)
    components = next(reversed(cells.values()))
    return LawTable(text, names, values, free_moves(text, components), _certificate(components)), cells


def cells_of(text: str, names: tuple[str, ...], given: Iterable[tuple[int, ...]]) -> Cells:
    """Return the components of the positions of some numbers, without those that are no positions."""
    loaded: dict[tuple[str, str], Ruleset] = {}
    cells: Cells = {}
    refused: ParseError | None = None
    for numbers in given:
        try:
            cells[numbers] = parse_position(filled(text, names, numbers), loaded=loaded).components
        except ParseError as error:
            refused = error
    if not cells:
        raise refused or OptionError(f"{text}: no numbers")
    return cells


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that stand in place of numbers.

    >>> names_in("take{1,2}(a) + nim(b)")
    ('a', 'b')
    """
    names = tuple(dict.fromkeys(match[0] for match in _NAME.finditer(_blank(text))))
    if not 1 <= len(names) <= max(_SIZES):
        raise OptionError(f"{text}: {len(names)} names: expected 1 to {max(_SIZES)}, as in wythoff(a,b)")
    return names


def _with_names(text: str) -> str:
    """Return a text with names in place of numbers; of a game that is only named, its example with names."""
    if text.strip() not in CATALOGUE:
        return text
    example = CATALOGUE[text.strip()].example
    name, _, position = example.rpartition("(")
    numbers = re.findall(r"\d+", position)
    if not re.fullmatch(r"\d+(,\d+)*\)", position):
        raise OptionError(f"{text}: its positions are not numbers alone, as in {example}")
    return f"{name}({', '.join(number_names(len(numbers)))})"


def _blank(text: str) -> str:
    """Return a text with spaces for what stands outside parentheses, or in braces: the rest may hold names."""
    inside = _BRACES.sub(lambda match: " " * len(match[0]), text)
    kept = [" "] * len(inside)
    for match in re.finditer(r"\([^()]*\)", inside):
        kept[match.start() : match.end()] = match[0]
    return "".join(kept)


def filled(text: str, names: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    """Return a text with numbers in place of its names.

    >>> filled("take{1,2}(a) + nim(b)", ("a", "b"), (3, 4))
    'take{1,2}(3) + nim(4)'
    """
    given = dict(zip(names, map(str, numbers), strict=True))
    blank, parts, last = _blank(text), [], 0
    for match in _NAME.finditer(blank):
        parts += [text[last : match.start()], given[match[0]]]
        last = match.end()
    return "".join([*parts, text[last:]])


def free_moves(text: str, components: tuple[Component, ...]) -> DeclaredMoves | None:
    """Return the declared moves of a position, where each name stands for one number that is free."""
    groups = [re.findall(r"[a-wyz]", group) for group in re.findall(r"\(([^()]*)\)", _blank(text))]
    written = [name for group in groups for name in group]
    if len({*written}) < len(written) or re.search(r"\d", _blank(text)):
        return None  # the numbers are not free
    sizes = [len(group) for group in groups]
    if len(sizes) != len(components):
        sizes = [1] * len(written)
    if len(sizes) != len(components):
        return None
    parts = [component.ruleset.declared_moves(size) for component, size in zip(components, sizes, strict=True)]
    known = [part for part in parts if part is not None]
    return side_by_side(known) if len(known) == len(parts) else None


def _certificate(components: tuple[Component, ...]) -> PeriodCertificate | None:
    if len(components) != 1 or not isinstance(components[0].ruleset, HeapGame):
        return None
    return components[0].ruleset.period(_PROVING_HEAPS)


def _compare_moves(seen: LawTable, cells: Cells) -> None:
    """Refuse declared moves that are not the options, as far as that shows in small positions."""
    assert seen.moves is not None
    numeration, names = numeration_of("base 2"), seen.moves.names
    primes = tuple(after(name) for name in names)
    moves = [set_of(numeration, move, (*names, *primes)) for move in seen.moves.moves]
    positions = set_of(numeration, seen.moves.positions, names)

    def reached(start: tuple[int, ...], ends: list[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
        given = dict(zip(names, start, strict=True))
        if not positions.contains(**given):
            return None
        given |= dict(zip(primes, np.array(ends).T, strict=True))
        found = np.any([move.contains(**given) for move in moves], axis=0)
        return [ends[place] for place in np.flatnonzero(found).tolist()]

    differing = differing_move(seen.moves, cells, reached)[0]
    if differing is not None:
        raise OptionError(f"the declared moves of {seen.text} are not its options at {differing}")


def differing_move(moves: DeclaredMoves, cells: Cells, reached: Reached) -> tuple[tuple[int, ...] | None, int]:
    """Return the first position whose declared moves are not its options, and how many were compared.

    ``reached(start, ends)`` tells to which of some ends there are moves; None where the start is no position.
    """
    totals = {cell: sum(map(mul, cell, moves.weights)) for cell in cells}
    # All moves from a total end in smaller ones: so up to some total all ends are among these positions.
    highest = min(max(cell[axis] for cell in cells) for axis in range(len(moves.names)))
    most = min(highest, sorted(totals.values())[: _TRIED_MOVES + 1][-1] - 1)
    small = [cell for cell, total in totals.items() if total <= most]
    compared = 0
    for start in small:
        ends = reached(start, small)
        if ends is not None:
            compared += 1
            if {_whole(cells[end]) for end in ends} != set(_options(cells[start])):
                return start, compared
    return None, compared


def _options(components: tuple[Component, ...]) -> Iterator[tuple[object, ...]]:
    for place, component in enumerate(components):
        for option in component.ruleset.options(component.position):
            left = component._replace(position=option)
            yield _whole((*components[:place], left, *components[place + 1 :]))


def _whole(components: tuple[Component, ...]) -> tuple[object, ...]:
    return tuple(component.ruleset.canonical(component.position) for component in components)
