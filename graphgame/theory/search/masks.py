"""The search among the positions of a :class:`MaskRuleset`, by compiled loops and a table of bounded memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import reduce
from operator import xor
from time import monotonic
from typing import Any

import numpy as np

from graphgame.arrays.compiling import runner
from graphgame.arrays.engine import COMPILED_FROM
from graphgame.arrays.wide import WIDEST, empty_masks, masks_of, numbers_of, words_for
from graphgame.rules.cells import bits
from graphgame.rules.faults import blamed
from graphgame.rules.mask_forms import GRAPH_MOVES, GRAPHS_TO, board_arrays, canonical_loop
from graphgame.rules.masks import MaskGame, MaskRuleset
from graphgame.theory.search.limits import Allowance
from graphgame.theory.search.mask_graphs import CODES, DENSE_GRAPH, NOTES, SPARSE_GRAPH, graph_loop
from graphgame.theory.search.mask_loops import (
    ALL_NIMBERS,
    FIELDS,
    FOUND,
    STATE,
    TABLE_FULL,
    VALUE_TOO_LARGE,
    search_loop,
)
from graphgame.theory.search.mask_options import OPTION
from graphgame.theory.search.mask_table import LATELY, NEIGHBOURS, fact_loop, fill_loop
from graphgame.theory.search.solver import Facts, Solver

__all__ = ["MaskSolver", "fits_loops"]

_FIRST_SLOTS = 1 << 16
_WITHOUT_END = 1 << 62
_PLAIN = 32
"""Positions that are looked at before a compiled loop is loaded."""

_MOST_GROUPS, _MANY_NEAR = 8, 12
_SECONDS = 0.1
_MOST_MOVES = 2048


def fits_loops(game: MaskGame) -> bool:
    """Tell whether the compiled search takes a game."""
    return 0 < game.cells <= WIDEST and 0 < len(game.moves) <= _MOST_MOVES


class MaskSolver:
    """A search among the positions of one ruleset: see :class:`Solver`, whose place it takes.

    A position is asked for its value out of a set of nimbers, and answers with the value or that it is none of these;
    of its options only what that depends on is asked for (:mod:`graphgame.theory.search.mask_loops`).

    References
    ----------
    P. Beling, M. Rogalski, On pruning search trees of impartial games, Artificial Intelligence 283 (2020).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> solver = MaskSolver("cram", ruleset("cram"), Allowance(1000))
    >>> solver.value(["...../...../....."]), solver.has_value(["....", "..."], 3)
    (1, True)
    """

    def __init__(
        self, name: str, ruleset: MaskRuleset, allowance: Allowance, positions: Sequence[Hashable] = ()
    ) -> None:
        self._name = name
        self._ruleset = ruleset
        self._allowance = allowance
        self._searches: dict[MaskGame, _MaskSearch] = {}
        self._whole: dict[MaskGame, Hashable] = {}
        self._parts(sorted(positions, key=lambda position: -ruleset.on_board(position)[0].cells))

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        try:
            return reduce(xor, (search.value(mask) for search, mask in self._parts(positions)), 0)
        except _TooLargeError:
            return self._other().value(positions)

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Tell whether a sum of positions has a Grundy value: whether it is lost beside a heap of this size."""
        if nimber == 0 and len(positions) == 1 and (told := self._told(positions[0])) is not None:
            return told == "P"
        try:
            parts = sorted(self._parts(positions), key=lambda part: part[1].bit_count())
            if not parts:
                return nimber == 0
            *others, (last, mask) = parts
            nimber ^= reduce(xor, (search.value(other) for search, other in others), 0)
            return last.has_value(mask, nimber)
        except _TooLargeError:
            return self._other().has_value(positions, nimber)

    @property
    def facts(self) -> Facts:
        """What is known of each position, as :attr:`Solver.facts` has it."""
        found = {}
        for game, search in self._searches.items():
            for mask, fact in search.facts():
                found[self._ruleset.canonical(self._ruleset.off_board(self._whole[game], mask))] = fact
        return found

    def fact(self, position: Hashable) -> int:
        """Return what is known of a canonical position of one component."""
        parts = self._parts([position])
        return parts[0][0].fact(parts[0][1]) if parts else 0

    def keep(self, position: Hashable, fact: int) -> None:
        """Write down a fact about a position."""
        for search, mask in self._parts([position]):
            search.keep(mask, fact)

    def _parts(self, positions: Sequence[Hashable]) -> list[tuple[_MaskSearch, int]]:
        """Return the components of positions in canonical form, but pairs of equal ones and those that are lost."""
        found: dict[tuple[_MaskSearch, int], None] = {}
        for position in positions:
            with blamed(self._name, "the canonical form", position):
                position = self._ruleset.canonical(position)
            game, mask = self._ruleset.on_board(position, self._searches)
            if game not in self._searches:
                self._searches[game], self._whole[game] = _MaskSearch(game, self._allowance), position
            search = self._searches[game]
            for part in search.canonical(game.components(mask)):
                if (search, part) in found:
                    del found[search, part]
                else:
                    found[search, part] = None
        return list(found)

    def _told(self, position: Hashable) -> str | None:
        with blamed(self._name, "the outcome", position):
            return self._ruleset.outcome_form(position)

    def _other(self) -> Solver:
        """Return the search that knows no bound for values."""
        return Solver(self._name, self._ruleset, self._allowance)


class _TooLargeError(Exception):
    """A position has a value that the loops have no room for."""


class _MaskSearch:
    """The search on one board, and the table of what it found."""

    def __init__(self, game: MaskGame, allowance: Allowance) -> None:
        self._game = game
        self._allowance = allowance
        self._words = words_for(game.cells)
        self._board = _arrays(game, self._words)
        self._near = self._board[6]
        room = game.cells * len(game.moves) + 1
        rims = (rim for moves in game.starts for *_, rim in moves)
        most_parts = max((min(rim.bit_count(), game.cells) for rim in rims), default=0)
        self._stack = (
            empty_masks(game.cells + 2, self._words),
            np.zeros((game.cells + 2, FIELDS), np.int64),
            np.zeros((room, OPTION), np.int64),
            empty_masks(room * most_parts, self._words),
            empty_masks(room * most_parts, self._words),
        )
        self._small = (
            np.zeros((LATELY, self._words + 1), np.int64),
            np.zeros((CODES, 2), np.int64),
            np.zeros(NOTES, np.int64),
        )
        self._calls = 0
        self._state = np.zeros(STATE, np.int64)
        self._budget = _PLAIN if self._words == 1 else 4 * _PLAIN
        self._table = self._empty_table(_FIRST_SLOTS)

    def value(self, mask: int) -> int:
        """Return the value of a position."""
        if self._game.whole:
            return self._ask(mask, ALL_NIMBERS)
        for nimber in range(ALL_NIMBERS.bit_length()):
            if (answer := self._ask(mask, 1 << nimber)) >= 0:
                return answer
        raise _TooLargeError

    def has_value(self, mask: int, nimber: int) -> bool:
        """Tell whether a position has a value."""
        if not ALL_NIMBERS >> nimber & 1:
            raise _TooLargeError
        return self._ask(mask, ALL_NIMBERS if self._game.whole else 1 << nimber) == nimber

    def canonical(self, parts: Iterable[int]) -> list[int]:
        """Return the canonical forms of components, but those that symmetry tells to be lost."""
        masks = masks_of(parts, self._words)
        first, needs, takes, *_ = self._board
        self._quick(canonical_loop)(masks, *self._board[7:13], first, needs, takes)
        return [mask for mask in numbers_of(masks, self._words) if mask]

    def _quick(self, loop: Any) -> Any:  # noqa: ANN401
        """Return a loop for little work, compiled once it was run often."""
        self._calls += 1
        return runner(loop, COMPILED_FROM if self._calls > _PLAIN else 0)

    def facts(self) -> Iterator[tuple[int, int]]:
        """Yield what is known."""
        used = self._table[self._table[:, :-1].any(axis=1)]
        return zip(numbers_of(used, self._words), used[:, -1].tolist(), strict=True)

    def fact(self, mask: int) -> int:
        """Return what is known of a position."""
        masks = masks_of([mask], self._words)
        fact = int(self._quick(fact_loop)(self._table, masks))
        kinds, graphs_to = (int(self._board[12][rule]) for rule in (GRAPH_MOVES, GRAPHS_TO))
        if fact >= 0 or mask.bit_count() > graphs_to:
            return fact
        _, codes, notes = self._small
        return int(self._quick(graph_loop)(masks, self._board[-1], kinds, codes, notes))

    def keep(self, mask: int, fact: int) -> None:
        """Write down a fact, unless it is of a value that there is no room for."""
        if fact.bit_length() > ALL_NIMBERS.bit_length():
            return
        if self._state[4] >= self._room():
            self._grow()
        row = np.append(masks_of([mask], self._words).reshape(-1), fact).reshape(1, -1)
        new = self._quick(fill_loop)(row, self._near, self._table)
        self._state[4] += new
        self._allowance.spend(0, new)

    def _ask(self, mask: int, wanted: int) -> int:
        """Return the value of a position, or -1 if it is none of those that are wanted."""
        positions, frames, *_ = self._stack
        positions[:1] = masks_of([mask], self._words)
        frames[0] = wanted, *[0] * (FIELDS - 1)
        self._state[:3] = 0
        budget = self._budget
        while True:
            self._allowance.look(int(self._state[0]), every=1)
            visited, kept = self._state[3:].tolist()
            loop: Any = runner(search_loop, COMPILED_FROM if budget > _PLAIN else 0)
            started = monotonic()
            try:
                status = loop(*self._board, self._table, *self._small, *self._stack, self._state, budget, self._room())
            finally:  # an interrupt is told once the loop comes back
                self._allowance.spend(int(self._state[3]) - visited, int(self._state[4]) - kept)
            if status == FOUND:
                return int(self._state[2])
            if status == VALUE_TOO_LARGE:
                raise _TooLargeError
            if status == TABLE_FULL:
                self._grow()
            elif monotonic() - started < _SECONDS:
                self._budget = budget = 4 * budget

    def _room(self) -> int:
        """Return how many facts there may be before the table has to grow, or the limit of all is met."""
        rows, kept = len(self._table) - NEIGHBOURS, int(self._state[4])
        grows = 3 * self._table.nbytes <= self._allowance.memory
        return min(rows // 2 if grows else _WITHOUT_END, kept + self._allowance.left_to_keep)

    def _grow(self) -> None:
        """Make the table twice as large."""
        self._allowance.may_keep()
        old = self._table
        self._table = self._empty_table(2 * (len(old) - NEIGHBOURS))
        loop = runner(fill_loop, COMPILED_FROM if self._budget > _PLAIN else 0)
        self._state[4] = loop(old, self._near, self._table)

    def _empty_table(self, rows: int) -> np.ndarray:
        return np.zeros((rows + NEIGHBOURS, self._words + 1), np.int64)


def _arrays(game: MaskGame, words: int) -> tuple[np.ndarray, ...]:
    """Return a game as the loops of a search take it."""
    kinds = game.moves_of_graph
    dense = kinds == 1 and sum(near.bit_count() for near in game.near) > _MANY_NEAR * game.cells
    graphs = kinds, DENSE_GRAPH if dense else SPARSE_GRAPH if kinds else 0
    linked = [[near >> cell & 1 for cell in range(game.cells)] for near in game.near]
    return (
        *board_arrays(game, words, graphs),
        *_groups(game, words),
        np.array(linked if kinds else [[0]], np.uint8),
    )


def _groups(game: MaskGame, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the lowest cells of moves that need cells in the same places, these places, and the moves by their cells.

    Where there are too many such groups, moves are grouped by their lowest cells alone.
    """
    first = np.cumsum([0, *map(len, game.starts)]).tolist()
    for shapes in (True, False):
        found: dict[tuple[int, int], dict[int, int]] = {}
        for cell, moves in enumerate(game.starts):
            for place, (need, *_) in enumerate(moves):
                shape = need >> cell if shapes else 1
                same = sum((other >> cell if shapes else 1) == shape for other, *_ in moves[:place])
                found.setdefault((shape, same), {})[cell] = first[cell] + place
        if len(found) <= _MOST_GROUPS:
            break
    rows = np.zeros((len(found), game.cells), np.int64)
    for row, by_cell in enumerate(found.values()):
        rows[row, list(by_cell)] = list(by_cell.values())
    further = [[*bits(shape)][1:] for shape, _ in found]
    ends = np.cumsum([len(found) + 1, *map(len, further)]).tolist()
    offsets = np.array([*ends, *(place for places in further for place in places)], np.int64)
    return masks_of((sum(1 << cell for cell in by_cell) for by_cell in found.values()), words), offsets, rows
