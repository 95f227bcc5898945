"""The search among the positions of a :class:`MaskRuleset`, which runs compiled loops in one or more threads.

Questions and facts are those of :mod:`graphgame.labs.search.board_loops`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
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
    FOUND,
    SIGNAL,
    TABLE_FULL,
    VALUE_TOO_LARGE,
    MoveLists,
    Threads,
    Worker,
    search_loop,
)
from graphgame.labs.search.nimber_search import Budget, Solver, ValueTooLargeError, without_pairs
from graphgame.labs.search.shared_table import RECENT, RECENT_DENSE, STRIPES, Table, fact_loop, fill_loop
from graphgame.labs.search.small_graphs import DENSE_GRAPH, SPARSE_GRAPH, graph_loop
from graphgame.rules.rule_errors import rule_errors

Boards = Iterable[tuple[Hashable, Iterable[tuple[int, int]]]]
"""For each board: a position on this board, and a pair (mask, fact) for each position on it that has a fact."""

_FIRST_SLOTS = 1 << 16
"""The number of rows of the table of facts at first."""
_NEVER = 1 << 62
_PLAIN_POSITIONS = 32
"""The most positions that plain Python searches for one question, if a mask is one word. If this does not answer the
question, the compiled search loop is loaded; if masks are wider, it is loaded at once."""

_MOST_PATTERNS, _ROWS_A_PATTERN, _MANY_NEIGHBOURS = 8, 4, 12
"""Moves are grouped by pattern if this makes at most _MOST_PATTERNS * _ROWS_A_PATTERN groups. The list of moves is cut
into _ROWS_A_PATTERN parts, and all moves of a group come from the same part. A graph counts as dense if each move takes
a vertex with its neighbours, and these are more than _MANY_NEIGHBOURS on average, the vertex itself included."""

_CALL_SECONDS = 0.1
"""The number of questions that a call of the loop expands grows until a call takes this long."""

_SINGLE_THREAD_POSITIONS = 1 << 18
"""The number of positions that one thread searches before more threads join it."""

_MARKS = 1 << 10
"""The size of each thread's hash table in ``Threads.open_now``, in which it marks the positions on its stack."""


class MaskSearch:
    """The search on one board, and its table of facts. Positions are components, as masks in canonical form."""

    def __init__(self, game: MaskGame, budget: Budget) -> None:
        self._game = game
        self._budget = budget
        self._words = words_for(game.cells)
        self._board, self._lists = _arrays(game, self._words)
        most_options = game.cells * len(game.moves) + 1
        rims = (rim for moves in game.starts for *_, rim in moves)
        most_parts = max((min(rim.bit_count(), game.cells) for rim in rims), default=0)
        recent = RECENT_DENSE if self._board.rules[GRAPHS_TO] > SPARSE_GRAPH else RECENT
        self._sizes = self._words, 2 * game.cells + 2, most_options, most_options * most_parts, recent
        self._workers: list[Worker] = []
        self._add_workers(1)
        self._quick_calls = 0
        self._kept = self._visited = 0
        # The number of questions that a call of the search loop may expand.
        self._questions = _PLAIN_POSITIONS if self._words == 1 else 4 * _PLAIN_POSITIONS
        self._rows = self._empty_rows(_FIRST_SLOTS)

    def value(self, mask: int) -> int:
        """Return the value of a position.

        Raises ValueTooLargeError if a value that the search needs is above 62; LimitError at a limit.
        """
        # In games marked as whole, ask for all nimbers at once. In other games one nimber at a time is cheaper.
        if self._game.whole:
            return self._ask(mask, ALL_NIMBERS)
        for nimber in range(ALL_NIMBERS.bit_length()):
            if (answer := self._ask(mask, 1 << nimber)) >= 0:
                return answer
        raise ValueTooLargeError

    def has_value(self, mask: int, nimber: int) -> bool:
        """Return True if the value of a position is ``nimber``.

        Raises ValueTooLargeError if ``nimber``, or a value that the search needs, is above 62; LimitError at a limit.
        """
        if not ALL_NIMBERS >> nimber & 1:
            raise ValueTooLargeError
        return self._ask(mask, ALL_NIMBERS if self._game.whole else 1 << nimber) == nimber

    def canonical(self, parts: Iterable[int]) -> list[int]:
        """Return the canonical forms of components, without those that a symmetry proves to be P-positions."""
        masks = masks_of(parts, self._words)
        self._quick(canonical_loop)(masks, self._board)
        return [mask for mask in numbers_of(masks, self._words) if mask]

    def _quick(self, loop: Any) -> Any:  # noqa: ANN401
        """Return ``loop``: in plain Python for the first 32 calls of this method, and compiled for all later calls."""
        self._quick_calls += 1
        return runner(loop, COMPILED_FROM if self._quick_calls > _PLAIN_POSITIONS else 0)

    def facts(self) -> Iterator[tuple[int, int]]:
        """Yield (mask, fact) for each position in the table.

        The fact is the value or, if this is unknown, ``~excluded``: bit k of ``excluded`` is set if the value is not k.
        """
        used = self._rows[self._rows[:, :-1].any(axis=1)]
        return zip(numbers_of(used, self._words), used[:, -1].tolist(), strict=True)

    def fact(self, mask: int) -> int:
        """Return the fact about a position; -1 if there is none.

        In a game on a graph, the value of a small position is computed if the table does not have this value.
        """
        masks = masks_of([mask], self._words)
        fact = int(self._quick(fact_loop)(self._table, masks))
        kinds, graphs_to = (int(self._board.rules[rule]) for rule in (GRAPH_MOVES, GRAPHS_TO))
        if fact >= 0 or mask.bit_count() > graphs_to:
            return fact
        near, links = self._board.near, self._lists.links
        return int(self._quick(graph_loop)(masks, near, links, kinds, self._workers[0].small))

    def keep(self, facts: list[tuple[int, int]]) -> None:
        """Write facts, as pairs (mask, fact), to the table.

        Facts that exclude a value above 62, or all values up to 62, are left out. Raises LimitError if the limit on
        positions is reached.
        """
        unwritten = [(mask, fact) for mask, fact in facts if fact.bit_length() <= ALL_NIMBERS.bit_length()]
        while unwritten:
            if self._kept >= self._most_facts():
                self._grow()
            count = min(len(unwritten), self._most_facts() - self._kept)
            masks, new_facts = zip(*unwritten[:count], strict=True)
            rows = np.column_stack([masks_of(masks, self._words).reshape(count, -1), new_facts])
            fill: Any = self._quick(fill_loop) if count == 1 else runner(fill_loop, count * _PLAIN_POSITIONS)
            added = fill(rows, self._table)
            self._kept += added
            self._budget.spend(0, added)
            unwritten = unwritten[count:]

    def _ask(self, mask: int, wanted: int) -> int:
        """Return the value of a position, or -1, which says that the value is not in the set ``wanted``.

        Raises ValueTooLargeError if a value above 62 is needed, and LimitError if a limit is reached.
        """
        masks = masks_of([mask], self._words)
        for worker in self._workers:
            worker.ask(masks, wanted)
        # An interrupt of a plain Python loop may have left a version number of the table odd, as if a thread were still
        # writing. That would block rows of the table.
        self._stripes[:] = 0
        self._open_now[:] = self._signals[:] = 0
        while True:
            self._budget.check(self._workers[0].depth, every=1)
            # Several threads do some work twice, so a short search uses only one thread.
            if self._visited > _SINGLE_THREAD_POSITIONS and len(self._workers) < self._budget.jobs:
                for worker in self._add_workers(self._budget.jobs):
                    worker.ask(masks, wanted)
            started = monotonic()
            statuses = self._run_threads()
            if VALUE_TOO_LARGE in statuses:
                raise ValueTooLargeError
            if FOUND in statuses:
                return self._workers[statuses.index(FOUND)].answer
            if TABLE_FULL in statuses:
                self._grow()
            # Make the next calls longer, up to about 0.1 s: short calls have much overhead, but Ctrl-C and the time
            # limit take effect only between calls.
            elif self._questions <= _PLAIN_POSITIONS or monotonic() - started < _CALL_SECONDS:
                self._questions = 4 * self._questions

    def _run_threads(self) -> list[int]:
        """Run the search loop in all threads; return the status of each. When one loop returns, all loops return.

        If the table has room for fewer facts than there are threads, run the loop only in the first thread.
        """
        room = self._most_facts() - self._kept
        workers = self._workers if room >= len(self._workers) else self._workers[:1]
        loop: Any = runner(search_loop, COMPILED_FROM if self._questions > _PLAIN_POSITIONS else 0)
        game = self._board, self._lists, self._table
        self._signals[0] = 0
        limits = self._questions, room // len(workers)

        def run(own: int) -> int:
            worker = workers[own]
            threads = Threads(self._open_now, self._signals, own)
            return int(loop(*game, threads, worker.small, worker.stack, *limits))

        try:
            return in_threads(run, range(len(workers)))
        finally:
            # Also count after an interrupt (Ctrl-C), which is raised when the loops have returned.
            visited, kept = (sum(counts) for counts in zip(*(worker.spent() for worker in workers), strict=True))
            self._kept += kept
            self._visited += visited
            self._budget.spend(visited, kept)

    def _add_workers(self, count: int) -> list[Worker]:
        """Add workers until there are ``count``, and make new shared memory for all; return the new workers."""
        new = [Worker(*self._sizes) for _ in range(count - len(self._workers))]
        self._workers += new
        self._open_now = np.zeros((count, _MARKS if count > 1 else 1), np.int64)
        self._signals = np.zeros(SIGNAL * (count + 1), np.int64)
        self._stripes = np.zeros(STRIPES if count > 1 else 1, np.int64)
        return new

    def _most_facts(self) -> int:
        """Return how many facts the table may have before it must grow, or the limit on positions is reached."""
        return min(self._half_full(), self._kept + self._budget.left_to_keep)

    def _half_full(self) -> int:
        """Return the number of facts at which the table must grow: half the number of its rows.

        If the table and a table of twice its size do not fit in memory together, the table never grows: return 2^62.
        """
        return len(self._rows) // 2 if 3 * self._rows.nbytes <= self._budget.memory else _NEVER

    def _grow(self) -> None:
        """Double the table if an eighth more facts would make it at least half full, and if there is memory for that.

        Raises LimitError if the limit on positions is reached.
        """
        self._budget.may_keep()
        # Without memory for a larger table, _half_full() is huge: keep this table, which overwrites facts when full.
        if self._half_full() - self._kept > self._kept >> 3:
            return
        old = self._rows
        # In a table of twice the size many facts belong in another row: write all facts again.
        self._rows = self._empty_rows(2 * len(old))
        self._kept = runner(fill_loop, len(old) * _PLAIN_POSITIONS)(old, self._table)

    @property
    def _table(self) -> Table:
        return Table(self._rows, self._stripes, self._board.near)

    def _empty_rows(self, rows: int) -> np.ndarray:
        return np.zeros((rows, self._words + 1), np.int64)


def _arrays(game: MaskGame, words: int) -> tuple[Board, MoveLists]:
    """Return the board and the moves of a game as arrays for the search loop."""
    kinds = _graph_moves(game)
    dense = kinds == 1 and sum(near.bit_count() for near in game.near) > _MANY_NEIGHBOURS * game.cells
    graphs = kinds, DENSE_GRAPH if dense else SPARSE_GRAPH if kinds else 0
    adjacency = [[near >> cell & 1 for cell in range(game.cells)] for near in game.near]
    links = np.array(adjacency if kinds else [[0]], np.uint8)
    board = board_arrays(game, words, graphs)
    return board, MoveLists(*_groups(game, board, words), links)


def _graph_moves(game: MaskGame) -> int:
    """Return the kinds of moves of a game on the graph in which cells are vertices, and ``game.near`` their neighbours.

    The kinds are bits. 1: take a vertex with its neighbours. 2: take two adjacent vertices. 4: take one vertex that has
    a neighbour. The result is 0 if the game has any other move, or only some of the moves of a kind, or if
    ``game.liberties`` is true.
    """
    moves = {*game.moves}
    pairs = [(1 << a | 1 << b, 1 << a) for a, near in enumerate(game.near) for b in bits(near & ~(1 << a))]
    kinds = (
        {(1 << a, near | 1 << a, 0) for a, near in enumerate(game.near)},
        {(pair, pair, 0) for pair, _ in pairs},
        {(pair, end, 0) for pair, end in pairs},
    )
    present = [bool(kind) and kind <= moves for kind in kinds]
    are_all = moves == set().union(*(kind for kind, is_present in zip(kinds, present, strict=True) if is_present))
    return sum(is_present << bit for bit, is_present in enumerate(present)) if are_all and not game.liberties else 0


def _groups(game: MaskGame, board: Board, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group the moves by pattern; return ``groups``, ``offsets`` and ``moves`` of :class:`MoveLists`.

    First the list ``MaskGame.moves`` is cut into quarters, and a group has moves of one quarter only. The groups of the
    first quarter come first, because its moves often lead to positions with known values. If there are too many groups,
    they are made as if each move needed only its lowest cell. ``words`` is the number of words in a mask.
    """
    first, ranks = board.first.tolist(), board.ranks.tolist()
    for by_pattern in (True, False):
        # A group is a dict {lowest cell of the move: number of the move}. Its moves have the same key of three numbers:
        # which quarter, 0 to 3, of the list MaskGame.moves contains the move; the pattern; how many earlier moves have
        # the same pattern and lowest cell.
        groups: dict[tuple[int, int, int], dict[int, int]] = {}
        for cell, moves in enumerate(game.starts):
            patterns = [need >> cell if by_pattern else 1 for need, *_ in moves]
            for index, pattern in enumerate(patterns):
                move = first[cell] + index
                key = ranks[move] * _ROWS_A_PATTERN // len(ranks), pattern, patterns[:index].count(pattern)
                groups.setdefault(key, {})[cell] = move
        # Each group costs a step for every position, so many groups of a few moves do not pay.
        if len(groups) <= _MOST_PATTERNS * _ROWS_A_PATTERN:
            break
    moves_by_cell = np.zeros((len(groups), game.cells), np.int64)
    for row, (_, by_cell) in enumerate(ordered := sorted(groups.items())):
        moves_by_cell[row, list(by_cell)] = list(by_cell.values())
    # The offsets are the distances of the other cells of a pattern from its lowest cell.
    distances = [[*bits(pattern)][1:] for (_, pattern, _), _ in ordered]
    ends = np.cumsum([len(groups) + 1, *map(len, distances)]).tolist()
    offsets = np.array([*ends, *chain.from_iterable(distances)], np.int64)
    return masks_of((sum(1 << cell for cell in by_cell) for _, by_cell in ordered), words), offsets, moves_by_cell


class MaskSolver:
    """A compiled search among the positions of one ruleset, with the main methods of :class:`Solver`.

    It asks whether the value of a position is in a set of nimbers: see :mod:`graphgame.labs.search.board_loops`.
    ``positions`` are positions to search later. They only prepare the solver: it takes the largest of their boards
    first, and searches positions on smaller boards on this board too, if they fit on it.

    References
    ----------
    P. Beling, M. Rogalski, On pruning search trees of impartial games, Artificial Intelligence 283 (2020).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> solver = MaskSolver("cram", ruleset("cram"), Budget(1000))
    >>> solver.value(["...../...../....."]), solver.has_value(["....", "..."], 3)
    (1, True)
    """

    def __init__(self, name: str, ruleset: MaskRuleset, budget: Budget, positions: Sequence[Hashable] = ()) -> None:
        self._name = name
        self._ruleset = ruleset
        self._budget = budget
        self._searches: dict[MaskGame, MaskSearch] = {}
        self._position_on: dict[MaskGame, Hashable] = {}
        self._parts(sorted(positions, key=lambda position: -ruleset.on_board(position)[0].cells))

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        try:
            return reduce(xor, (search.value(mask) for search, mask in self._parts(positions)), 0)
        except ValueTooLargeError:
            return self._unbounded().value(positions)

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Return True if the Grundy value of a sum of positions is ``nimber``."""
        if nimber == 0 and len(positions) == 1:
            with rule_errors(self._name, Message("the outcome"), positions[0]):
                outcome = self._ruleset.outcome_form(positions[0])
            if outcome is not None:
                return outcome == "P"
        try:
            # Compute the values of all components except the largest. They determine the value that the largest must
            # have: ask only whether it has this value.
            parts = sorted(self._parts(positions), key=lambda part: part[1].bit_count())
            if not parts:
                return nimber == 0
            *smaller, (last_search, last_mask) = parts
            nimber ^= reduce(xor, (search.value(mask) for search, mask in smaller), 0)
            return last_search.has_value(last_mask, nimber)
        except ValueTooLargeError:
            return self._unbounded().has_value(positions, nimber)

    @property
    def boards(self) -> Boards:
        """All facts, grouped by board, as in :data:`Boards`."""
        return ((self._position_on[game], search.facts()) for game, search in self._searches.items())

    def keep_masks(self, board: Hashable, facts: list[tuple[int, int]]) -> bool:
        """Write facts about positions on one board; return True.

        ``board`` is a position on this board. Each fact is a pair (mask of the position, fact as in :meth:`fact`). If
        the board has no search yet, start one, under two conditions: the loops can search the board, and the positions
        of all earlier searches fit on it. Otherwise write nothing, and return False.
        """
        game = self._ruleset.on_board(board)[0]
        earlier = self._position_on.values()
        fits_all = fits_loops(game) and all(self._ruleset.on_board(each, [game])[0] is game for each in earlier)
        if game not in self._searches and fits_all:
            self._searches = {game: MaskSearch(game, self._budget), **self._searches}
            self._position_on[game] = board
        if game in self._searches:
            self._searches[game].keep(facts)
        return game in self._searches

    def fact(self, position: Hashable) -> int:
        """Return the fact about a canonical position of one component: its value or, if that is not known, ``~mask``.

        The bits of ``mask`` are the excluded values: the fact is -1 if no value is excluded. For a position of several
        components, return its value, or -1 if the value of some component is not known.
        """
        facts = [search.fact(mask) for search, mask in self._parts([position])]
        return facts[0] if len(facts) == 1 else reduce(xor, facts, 0) if min(facts, default=0) >= 0 else -1

    def keep(self, position: Hashable, fact: int) -> None:
        """Write a fact about a position of one component. Ignore other positions, and those that a symmetry decides."""
        parts = self._parts([position])
        if len(parts) == 1:
            parts[0][0].keep([(parts[0][1], fact)])

    def _parts(self, positions: Sequence[Hashable]) -> tuple[tuple[MaskSearch, int], ...]:
        """Return the components of positions as pairs (the search on its board, the mask of its canonical form).

        Pairs of equal components cancel, and components that a symmetry proves to be P-positions are dropped. If a
        board has no search yet, a search on it is started.
        """
        parts: list[tuple[MaskSearch, int]] = []
        for position in positions:
            with rule_errors(self._name, Message("the canonical position"), position):
                position = self._ruleset.canonical(position)
            game, mask = self._ruleset.on_board(position, self._searches)
            if game not in self._searches:
                self._searches[game], self._position_on[game] = MaskSearch(game, self._budget), position
            search = self._searches[game]
            parts += ((search, part) for part in search.canonical(game.components(mask)))
        return without_pairs(parts)

    def _unbounded(self) -> Solver:
        """Return a new search in plain Python, for positions in which values exceed 62."""
        return Solver(self._name, self._ruleset, self._budget)
