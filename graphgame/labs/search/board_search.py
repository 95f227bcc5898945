"""The search among the positions of a :class:`MaskRuleset`: it drives the compiled loops, in one or more threads."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import reduce
from operator import xor
from time import monotonic
from typing import Any

import numpy as np

from graphgame.compiled.compiling import runner
from graphgame.compiled.engine import COMPILED_FROM, in_threads
from graphgame.errors import Message
from graphgame.labs.bitboards.exploration import GRAPH_MOVES, GRAPHS_TO, Board, board_arrays, canonical_loop, fits_loops
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset, bits
from graphgame.labs.bitboards.wide_masks import masks_of, numbers_of, words_for
from graphgame.labs.search.board_loops import (
    ALL_NIMBERS,
    DENSE_GRAPH,
    FOUND,
    SIGNAL,
    SPARSE_GRAPH,
    TABLE_FULL,
    VALUE_TOO_LARGE,
    MoveLists,
    Threads,
    Worker,
    graph_loop,
    search_loop,
)
from graphgame.labs.search.nimber_search import Allowance, Solver, ValueTooLargeError, odd_ones
from graphgame.labs.search.shared_table import LATELY, LATELY_DENSE, STRIPES, Table, fact_loop, fill_loop
from graphgame.rules.faults import rule_errors

Boards = Iterable[tuple[Hashable, Iterable[tuple[int, int]]]]
"""For each board: a position whose board it is, and pairs (mask of cells, fact)."""

_FIRST_SLOTS = 1 << 16
_WITHOUT_END = 1 << 62
_PLAIN = 32
"""Positions that plain Python looks at before a compiled loop is loaded."""

_MOST_GROUPS, _TURNS, _MANY_NEAR = 8, 4, 12
"""The most patterns of moves for grouping by pattern; the rows into which each group is cut; and the average number of
neighbours (with the cell itself) above which a graph counts as dense."""

_SECONDS = 0.1
"""Calls of the loop should take this long: the budget grows until they do."""

_ALONE = 1 << 18
"""Positions that one thread looks at before others join it."""

_OPEN = 1 << 10
"""Slots of the hash table in which a thread marks the positions on its stack."""


class MaskSearch:
    """The search on one board, and its table of facts."""

    def __init__(self, game: MaskGame, allowance: Allowance) -> None:
        self._game = game
        self._allowance = allowance
        self._words = words_for(game.cells)
        self._board, self._lists = _arrays(game, self._words)
        room = game.cells * len(game.moves) + 1
        rims = (rim for moves in game.starts for *_, rim in moves)
        most_parts = max((min(rim.bit_count(), game.cells) for rim in rims), default=0)
        lately = LATELY_DENSE if self._board.rules[GRAPHS_TO] > SPARSE_GRAPH else LATELY
        self._room_for = self._words, 2 * game.cells + 2, room, room * most_parts, lately
        self._crew: list[Worker] = []
        self._hire(1)
        self._calls = 0
        self._kept = self._visited = 0
        self._budget = _PLAIN if self._words == 1 else 4 * _PLAIN
        self._rows = self._empty_rows(_FIRST_SLOTS)

    def value(self, mask: int) -> int:
        """Return the value of a position; raise ValueTooLargeError if it is above 62."""
        # Where play never falls apart, one question gives the value. Otherwise it is cheaper to ask nimber by nimber.
        if self._game.whole:
            return self._ask(mask, ALL_NIMBERS)
        for nimber in range(ALL_NIMBERS.bit_length()):
            if (answer := self._ask(mask, 1 << nimber)) >= 0:
                return answer
        raise ValueTooLargeError

    def has_value(self, mask: int, nimber: int) -> bool:
        """Return True if a position has this value; raise ValueTooLargeError if nimbers are too large for the loops."""
        if not ALL_NIMBERS >> nimber & 1:
            raise ValueTooLargeError
        return self._ask(mask, ALL_NIMBERS if self._game.whole else 1 << nimber) == nimber

    def canonical(self, parts: Iterable[int]) -> list[int]:
        """Return the canonical forms of components, without those that a symmetry proves to be P-positions."""
        masks = masks_of(parts, self._words)
        self._quick(canonical_loop)(masks, self._board)
        return [mask for mask in numbers_of(masks, self._words) if mask]

    def _quick(self, loop: Any) -> Any:  # noqa: ANN401
        """Return a loop for little work: in plain Python at first, compiled after some calls."""
        self._calls += 1
        return runner(loop, COMPILED_FROM if self._calls > _PLAIN else 0)

    def facts(self) -> Iterator[tuple[int, int]]:
        """Yield all facts in the table as (mask, fact)."""
        used = self._rows[self._rows[:, :-1].any(axis=1)]
        return zip(numbers_of(used, self._words), used[:, -1].tolist(), strict=True)

    def fact(self, mask: int) -> int:
        """Return the fact about a position; for a small graph, its value."""
        masks = masks_of([mask], self._words)
        fact = int(self._quick(fact_loop)(self._table, masks))
        kinds, graphs_to = (int(self._board.rules[rule]) for rule in (GRAPH_MOVES, GRAPHS_TO))
        if fact >= 0 or mask.bit_count() > graphs_to:
            return fact
        near, links = self._board.near, self._lists.links
        return int(self._quick(graph_loop)(masks, near, links, kinds, self._crew[0].small))

    def keep(self, facts: list[tuple[int, int]]) -> None:
        """Write facts about positions (mask, fact) to the table, except facts about values above 62."""
        known = [(mask, fact) for mask, fact in facts if fact.bit_length() <= ALL_NIMBERS.bit_length()]
        while known:
            if self._kept >= self._room():
                self._grow()
            some = min(len(known), self._room() - self._kept)
            masks, told = zip(*known[:some], strict=True)
            rows = np.column_stack([masks_of(masks, self._words).reshape(some, -1), told])
            fill: Any = self._quick(fill_loop) if some == 1 else runner(fill_loop, some * _PLAIN)
            new = fill(rows, self._table)
            self._kept += new
            self._allowance.spend(0, new)
            known = known[some:]

    def _ask(self, mask: int, wanted: int) -> int:
        """Return the value of a position, or -1 if it is not in the set ``wanted``."""
        masks = masks_of([mask], self._words)
        for worker in self._crew:
            worker.ask(masks, wanted)
        # An interrupt of a plain Python loop may have left a stripe odd, which would block its rows.
        self._stripes[:] = 0
        self._open[:] = self._signals[:] = 0
        while True:
            self._allowance.look(self._crew[0].depth, every=1)
            # Threads repeat some of each other's work, so short searches use only one.
            if self._visited > _ALONE and len(self._crew) < self._allowance.jobs:
                for worker in self._hire(self._allowance.jobs):
                    worker.ask(masks, wanted)
            started = monotonic()
            ended = self._go_on()
            if VALUE_TOO_LARGE in ended:
                raise ValueTooLargeError
            if FOUND in ended:
                return self._crew[ended.index(FOUND)].answer
            if TABLE_FULL in ended:
                self._grow()
            # Long calls make the overhead negligible; short ones let Ctrl-C and the time limit act. Aim at 0.1 s.
            elif self._budget <= _PLAIN or monotonic() - started < _SECONDS:
                self._budget = 4 * self._budget

    def _go_on(self) -> list[int]:
        """Run the loop in all threads until one of them ends; return how each ended."""
        left = self._room() - self._kept
        crew = self._crew if left >= len(self._crew) else self._crew[:1]
        loop: Any = runner(search_loop, COMPILED_FROM if self._budget > _PLAIN else 0)
        game = self._board, self._lists, self._table
        self._signals[0] = 0
        limits = self._budget, left // len(crew)

        def go_on(own: int) -> int:
            worker = crew[own]
            threads = Threads(self._open, self._signals, own)
            return int(loop(*game, threads, worker.small, worker.stack, *limits))

        try:
            return in_threads(go_on, range(len(crew)))
        finally:
            # Count also after an interrupt, which is raised when the loops have returned.
            visited, kept = (sum(counts) for counts in zip(*(worker.spent() for worker in crew), strict=True))
            self._kept += kept
            self._visited += visited
            self._allowance.spend(visited, kept)

    def _hire(self, most: int) -> list[Worker]:
        """Increase the number of workers to ``most``, with shared memory for all; return the new workers."""
        new = [Worker(*self._room_for) for _ in range(most - len(self._crew))]
        self._crew += new
        self._open = np.zeros((most, _OPEN if most > 1 else 1), np.int64)
        self._signals = np.zeros(SIGNAL * (most + 1), np.int64)
        self._stripes = np.zeros(STRIPES if most > 1 else 1, np.int64)
        return new

    def _room(self) -> int:
        """Return the number of facts at which the table must grow, or the limit on positions is reached."""
        return min(self._most_rows(), self._kept + self._allowance.left_to_keep)

    def _most_rows(self) -> int:
        """Return the number of facts at which the table must grow: half of its rows.

        There is no such number once the old table and one of twice its size no longer fit in memory together.
        """
        return len(self._rows) // 2 if 3 * self._rows.nbytes <= self._allowance.memory else _WITHOUT_END

    def _grow(self) -> None:
        """Double the table, unless it has room for an eighth more facts, or there is no memory for a larger one.

        Raises LimitError if the limit on positions is reached.
        """
        self._allowance.may_keep()
        # Without memory for a larger table, the search goes on with this one, which replaces facts when it is full.
        if self._most_rows() - self._kept > self._kept >> 3:
            return
        old = self._rows
        # Every row has a new place in a table of twice the size: enter all of them again.
        self._rows = self._empty_rows(2 * len(old))
        self._kept = runner(fill_loop, len(old) * _PLAIN)(old, self._table)

    @property
    def _table(self) -> Table:
        return Table(self._rows, self._stripes, self._board.near)

    def _empty_rows(self, rows: int) -> np.ndarray:
        return np.zeros((rows, self._words + 1), np.int64)


def _arrays(game: MaskGame, words: int) -> tuple[Board, MoveLists]:
    """Return a game as arrays for the search loop."""
    kinds = _graph_moves(game)
    dense = kinds == 1 and sum(near.bit_count() for near in game.near) > _MANY_NEAR * game.cells
    graphs = kinds, DENSE_GRAPH if dense else SPARSE_GRAPH if kinds else 0
    linked = [[near >> cell & 1 for cell in range(game.cells)] for near in game.near]
    links = np.array(linked if kinds else [[0]], np.uint8)
    board = board_arrays(game, words, graphs)
    return board, MoveLists(*_groups(game, board, words), links)


def _graph_moves(game: MaskGame) -> int:
    """Return the kinds of moves if the game is played on the graph of its connections; otherwise 0.

    The kinds are bits: 1 if moves take a vertex with its neighbours, 2 if they take two neighbours, 4 if they take one
    of two neighbours. They must be all moves of the game.
    """
    moves = {*game.moves}
    pairs = [(1 << a | 1 << b, 1 << a) for a, near in enumerate(game.near) for b in bits(near & ~(1 << a))]
    kinds = (
        {(1 << a, near | 1 << a, 0) for a, near in enumerate(game.near)},
        {(pair, pair, 0) for pair, _ in pairs},
        {(pair, end, 0) for pair, end in pairs},
    )
    found = [kind for kind in kinds if kind and kind <= moves]
    known = moves == set().union(*found) and not game.liberties
    return sum(1 << place for place, kind in enumerate(kinds) if kind in found) if known else 0


def _groups(game: MaskGame, board: Board, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group moves that need the same pattern of cells; return the first three fields of :class:`MoveLists`.

    If there are too many patterns, moves are grouped as if each needed only its lowest cell. Each group is cut into a
    few rows by the order of the moves: the first moves often lead to known positions, and should be tried first.
    """
    first, ranks = board.first.tolist(), board.ranks.tolist()
    for shapes in (True, False):
        found: dict[tuple[int, int, int], dict[int, int]] = {}
        for cell, moves in enumerate(game.starts):
            for place, (need, *_) in enumerate(moves):
                shape = need >> cell if shapes else 1
                same = sum((other >> cell if shapes else 1) == shape for other, *_ in moves[:place])
                move = first[cell] + place
                found.setdefault((ranks[move] * _TURNS // len(ranks), shape, same), {})[cell] = move
        # Each group costs a step for every position: many groups of a few moves do not pay.
        if len(found) <= _MOST_GROUPS * _TURNS:
            break
    rows = np.zeros((len(found), game.cells), np.int64)
    for row, (_, by_cell) in enumerate(ordered := sorted(found.items())):
        rows[row, list(by_cell)] = list(by_cell.values())
    further = [[*bits(shape)][1:] for (_, shape, _), _ in ordered]
    ends = np.cumsum([len(found) + 1, *map(len, further)]).tolist()
    offsets = np.array([*ends, *(place for places in further for place in places)], np.int64)
    return masks_of((sum(1 << cell for cell in by_cell) for _, by_cell in ordered), words), offsets, rows


class MaskSolver:
    """A compiled search among the positions of one ruleset, with the interface of :class:`Solver`.

    It asks whether the value of a position is in a set of nimbers, and asks its options only for what this depends on:
    see :mod:`graphgame.labs.search.board_loops`. ``positions`` are positions to come, so that the search can begin with
    the largest board, on which the others fit.

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
        self._searches: dict[MaskGame, MaskSearch] = {}
        self._whole: dict[MaskGame, Hashable] = {}
        self._parts(sorted(positions, key=lambda position: -ruleset.on_board(position)[0].cells))

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        try:
            return reduce(xor, (search.value(mask) for search, mask in self._parts(positions)), 0)
        except ValueTooLargeError:
            return self._other().value(positions)

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Return True if a sum of positions has this Grundy value."""
        if nimber == 0 and len(positions) == 1:
            with rule_errors(self._name, Message("the outcome"), positions[0]):
                told = self._ruleset.outcome_form(positions[0])
            if told is not None:
                return told == "P"
        try:
            # All components but one need their exact values. The largest only has to be compared with the rest.
            parts = sorted(self._parts(positions), key=lambda part: part[1].bit_count())
            if not parts:
                return nimber == 0
            *others, (last, mask) = parts
            nimber ^= reduce(xor, (search.value(other) for search, other in others), 0)
            return last.has_value(mask, nimber)
        except ValueTooLargeError:
            return self._other().has_value(positions, nimber)

    @property
    def boards(self) -> Boards:
        """All facts, board by board."""
        return ((self._whole[game], search.facts()) for game, search in self._searches.items())

    def keep_cells(self, board: Hashable, cells: list[tuple[int, int]]) -> bool:
        """Write facts (mask, fact) about the board of a position; return False if no search is on that board.

        If the board has room for all boards so far, a search on it is started.
        """
        game = self._ruleset.on_board(board)[0]
        boards = self._whole.values()
        has_room = fits_loops(game) and all(self._ruleset.on_board(whole, [game])[0] is game for whole in boards)
        if game not in self._searches and has_room:
            self._searches = {game: MaskSearch(game, self._allowance), **self._searches}
            self._whole[game] = board
        if game in self._searches:
            self._searches[game].keep(cells)
        return game in self._searches

    def fact(self, position: Hashable) -> int:
        """Return the fact about a canonical position.

        The position may consist of several components here. Then the fact is its value, or -1 if one is not known.
        """
        facts = [search.fact(mask) for search, mask in self._parts([position])]
        return facts[0] if len(facts) == 1 else reduce(xor, facts, 0) if min(facts, default=0) >= 0 else -1

    def keep(self, position: Hashable, fact: int) -> None:
        """Write a fact about a position of one component. Others are skipped: the fact tells nothing of a component."""
        parts = self._parts([position])
        if len(parts) == 1:
            parts[0][0].keep([(parts[0][1], fact)])

    def _parts(self, positions: Sequence[Hashable]) -> tuple[tuple[MaskSearch, int], ...]:
        """Return the components of positions in canonical form, each with the search on its board.

        Pairs of equal components cancel, and those that a symmetry proves to be P-positions are dropped.
        """
        found: list[tuple[MaskSearch, int]] = []
        for position in positions:
            with rule_errors(self._name, Message("the canonical form"), position):
                position = self._ruleset.canonical(position)
            game, mask = self._ruleset.on_board(position, self._searches)
            if game not in self._searches:
                self._searches[game], self._whole[game] = MaskSearch(game, self._allowance), position
            search = self._searches[game]
            found += ((search, part) for part in search.canonical(game.components(mask)))
        return odd_ones(found)

    def _other(self) -> Solver:
        """Return a search without a bound on values, for positions whose values exceed 62."""
        return Solver(self._name, self._ruleset, self._allowance)
