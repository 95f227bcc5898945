"""Breadth-first search over the positions of a game on sets of cells, as a compiled loop.

A vertex is a set of cells, or a sum: then it has no cells of its own, but parts, numbers of vertices before it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import COMPILED_FROM, Progress, collecting_seldom
from graphgame.errors import LimitError, Message, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.bitboards.mask_forms import (
    LIBERTIES,
    PAIRS_UP,
    SITES,
    TAKEN_ALONE,
    TIDY,
    WHOLE,
    Board,
    board_arrays,
    canonical_form,
    canonical_loop,
    in_play,
    lowest_component,
)
from graphgame.labs.bitboards.masks import MaskGame, MaskLabels, MaskRuleset
from graphgame.labs.bitboards.wide import WIDEST, lowest, mask_at, masks_of, numbers_of, scattered, set_mask, words_for
from graphgame.rules.exploration import Exploration
from graphgame.rules.limits import Limits

_PLACE, _COUNT, _MOVES = range(3)
"""The numbers of the state."""

_FEW = 2048
"""Positions that are found one by one before a compiled loop is loaded."""

_FIRST_ROOM = 1 << 14
_AT_A_TIME = 1 << 14
_MOST_MOVES = 2048
_POSITIVE = (1 << 62) - 1


class VertexRows(NamedTuple):
    """The vertices that were found and their moves, in arrays with room for more."""

    masks: Array
    """The cells of each vertex."""

    ends: Array
    """The parts of a vertex are ``parts[ends[v]:ends[v + 1]]``."""

    parts: Array
    """The numbers of vertices that sums consist of."""

    slots: Array
    """Where each vertex is found again: one more than its number, or 0 where none is."""

    targets: Array
    """Where the moves lead, vertex by vertex."""

    stops: Array
    """The moves of a vertex are ``targets[stops[v]:stops[v + 1]]``."""

    some: Array
    """Room for the parts that a move leaves."""

    state: Array
    """The next vertex to explore, and how many vertices and moves there are."""


@compiled
def explore_loop(board: Board, rows: VertexRows, budget: int) -> None:
    """Write down the options of so many vertices, or of fewer where there is no room for more."""
    ends, targets, some = rows.ends, rows.targets, rows.some
    first, needs, takes, puts, rims = board.first, board.needs, board.takes, board.puts, board.rims
    place, count, moves = rows.state[_PLACE], rows.state[_COUNT], rows.state[_MOVES]
    whole, liberties = board.rules[WHOLE], board.rules[LIBERTIES]
    alone, lower = mask_at(board.sets, TAKEN_ALONE, board.sets), mask_at(board.sets, SITES, board.sets)
    may_be_stuck = liberties
    for move in range(len(puts)):
        may_be_stuck |= mask_at(puts, move, puts) != 0
    most = len(needs) * (len(some) + 1)
    while place < count and budget > 0:
        if 2 * (count + most) > len(rows.slots) or ends[count] + most > len(rows.parts) or moves + most > len(targets):
            break
        budget -= 1
        for part in range(ends[place], ends[place + 1]):
            targets[moves] = rows.parts[part]
            moves += 1
        position = mask_at(rows.masks, place, board.near)
        left = position
        while left != 0:
            cell = lowest(left)
            left &= left - 1
            for move in range(first[cell], first[cell + 1]):
                if mask_at(needs, move, needs) & ~position != 0:
                    continue
                rest = position & ~mask_at(takes, move, takes) | mask_at(puts, move, puts)
                rim = mask_at(rims, move, rims) & rest
                if board.rules[TIDY] and not whole:
                    rest = rim = in_play(rest, board)
                if liberties and not _has_liberties(rest, rim, lower, board):
                    continue
                found = 0
                while rest != 0:
                    form = rest if whole else lowest_component(rest, rim, board)
                    rest ^= form
                    rim &= rest
                    cells = form & form >> 1 & lower if liberties else form
                    counts = whole or cells & (cells - 1) != 0 or cells & alone != 0
                    if may_be_stuck and counts:
                        counts = _has_move(form, liberties, lower, board)
                    if counts:
                        number = _numbered(canonical_form(form, board), 0, rows, count, board.near)
                        count = max(count, number + 1)
                        found = _with_number(some, found, number)
                number = some[0]
                if found != 1:
                    number = _numbered(position ^ position, found, rows, count, board.near)
                    count = max(count, number + 1)
                targets[moves] = number
                moves += 1
        place += 1
        rows.stops[place] = moves
    rows.state[_PLACE], rows.state[_COUNT], rows.state[_MOVES] = place, count, moves


@inlined
def _has_liberties(rest: int, rim: int, lower: int, board: Board) -> bool:
    """Tell whether each component, of which there is a cell on the rim, has the cells that some move needs."""
    while rest != 0:
        part = lowest_component(rest, rim, board)
        if part & part >> 1 & lower == 0:
            return False
        rest ^= part
        rim &= rest
    return True


@inlined
def _has_move(mask: int, liberties: int, lower: int, board: Board) -> bool:
    first, needs, takes, puts, rims = board.first, board.needs, board.takes, board.puts, board.rims
    left = mask
    while left != 0:
        cell = lowest(left)
        left &= left - 1
        for move in range(first[cell], first[cell + 1]):
            if mask_at(needs, move, needs) & ~mask == 0:
                rest = mask & ~mask_at(takes, move, takes) | mask_at(puts, move, puts)
                rim = mask_at(rims, move, rims) & rest
                if liberties == 0 or _has_liberties(rest, rim, lower, board):
                    return True
    return False


@inlined
def _with_number(some: Array, found: int, number: int) -> int:
    """Insert a number into increasing ones; return how many they are."""
    place = found
    while place > 0 and some[place - 1] > number:
        some[place] = some[place - 1]
        place -= 1
    some[place] = number
    return found + 1


@inlined
def _numbered(form: int, size: int, rows: VertexRows, count: int, near: Array) -> int:
    """Return the number of a set of cells, or of the sum of so many parts; the count if it is new, and then add it."""
    ends, parts, slots, some = rows.ends, rows.parts, rows.slots, rows.some
    slot = _slot(form, some, 0, size, slots)
    while slots[slot] != 0:
        number = slots[slot] - 1
        if mask_at(rows.masks, number, near) == form and _has_parts(parts, ends[number], ends[number + 1], some, size):
            return int(number)
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = count + 1
    set_mask(rows.masks, count, form, near)
    end = ends[count]
    for place in range(size):
        parts[end + place] = some[place]
    ends[count + 1] = end + size
    return count


@inlined
def _has_parts(parts: Array, start: int, end: int, some: Array, size: int) -> bool:
    same = end - start == size
    for place in range(size):
        same = same and parts[start + place] == some[place]
    return same


@inlined
def _slot(form: int, some: Array, start: int, size: int, slots: Array) -> int:
    key = scattered(form)
    for place in range(start, start + size):
        key = scattered((key & _POSITIVE) + some[place])
    return key & (len(slots) - 1)


@compiled
def place_loop(rows: VertexRows, near: Array) -> None:
    """Write the vertices into slots that are free."""
    ends, parts, slots = rows.ends, rows.parts, rows.slots
    for number in range(rows.state[_COUNT]):
        slot = _slot(mask_at(rows.masks, number, near), parts, ends[number], ends[number + 1] - ends[number], slots)
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1


class MaskExploration:
    """A breadth-first search over the positions of one game on sets of cells."""

    def __init__(
        self, ruleset: MaskRuleset, starts: Sequence[Hashable], limits: Limits, progress: Progress | None
    ) -> None:
        self._ruleset = ruleset
        self._limits = limits
        self._progress = progress
        self._whole = max(starts, key=lambda start: ruleset.on_board(start)[0].cells)
        self._game = ruleset.on_board(self._whole)[0]
        self._starts = [ruleset.on_board(start, [self._game]) for start in starts]
        self._named_alike = all(map(self._has_name, starts, self._starts))

    @property
    def fits(self) -> bool:
        """Whether the loop takes the game and all starts, and the rules have no options or symmetries of their own."""
        kind, game = type(self._ruleset), self._game
        same = kind.options is MaskRuleset.options and kind.canonical is MaskRuleset.canonical
        own = not same and not kind.__module__.startswith("graphgame.")
        fits = 0 < game.cells <= WIDEST and 0 < len(game.moves) <= _MOST_MOVES
        if not fits or own or not self._named_alike:
            return False
        return all(self._undivided or [*game.components(mask)] == [mask] for _, mask in self._starts)

    @property
    def _undivided(self) -> bool:
        """Whether a position stays one though its cells fall apart, as in Chomp."""
        return self._game.whole and type(self._ruleset).options is not MaskRuleset.options

    def _has_name(self, start: Hashable, found: tuple[MaskGame, int]) -> bool:
        """Tell whether a start that lies on the board of the largest one is still called what it was."""
        image, canonical = self._ruleset.off_board(self._whole, found[1]), self._ruleset.canonical
        return found[0] is self._game and canonical(image) == canonical(start)

    def run(self) -> GameGraph | None:
        """Return the graph of all that can come up from the starts, its tokens; None where two have one name."""
        whole, words = self._whole, words_for(self._game.cells)
        self._limits.refuse_larger(self._ruleset, [self._ruleset.off_board(whole, mask) for _, mask in self._starts])
        board = self._board(words)
        forms = masks_of((mask for _, mask in self._starts), words)
        runner(canonical_loop, COMPILED_FROM)(forms, board)
        starts = numbers_of(forms, words)
        vertices = _Vertices(board, masks_of(dict.fromkeys(starts), words), self._game.cells)
        while vertices.explore():
            self._check_limits(vertices)
        self._check_limits(vertices)
        numbers = {form: number for number, form in enumerate(dict.fromkeys(starts))}
        tokens = list(map(self._name, starts))
        labels = self._labels(vertices, words, dict(zip(tokens, map(numbers.__getitem__, starts), strict=True)))
        if not self._named_apart:
            with collecting_seldom():
                if len(set(labels)) < len(labels):
                    return None
        rows, past = vertices.rows, vertices.count + 1
        stops, targets, sums = (
            rows.stops[:past].copy(),
            rows.targets[: vertices.moves].copy(),
            np.diff(rows.ends[:past]) > 0,
        )
        return GameGraph.from_rows(stops, targets, labels, sums=sums, tokens=tokens, overwrite=True)

    def _board(self, words: int) -> Board:
        """Return the game as the loop takes it, with the symmetries that make positions the same."""
        board = board_arrays(self._ruleset.told_apart(self._whole), words)
        board.rules[PAIRS_UP] = 0  # what symmetry tells to be lost is a vertex too
        board.rules[WHOLE] = self._undivided
        return board

    def _check_limits(self, vertices: _Vertices) -> None:
        count, moves = vertices.count, vertices.moves
        if self._progress is not None:
            self._progress(count, moves)
        if count > self._limits.positions or moves > self._limits.moves:
            positions, steps = plural(count, "position"), plural(moves, "move")
            explored = plural(vertices.explored, "position")
            raise self._limits.error(
                Message("{positions} and {steps} found from the first {explored}", positions, steps, explored), moves
            )

    def _labels(self, vertices: _Vertices, words: int, known: dict[Hashable, int]) -> MaskLabels:
        rows, count = vertices.rows, vertices.count
        masks, ends = rows.masks[:count].copy(), rows.ends[: count + 1].copy()
        return MaskLabels(masks, words, ends, rows.parts[: ends[-1]].copy(), self._name, known)

    def _name(self, mask: int) -> Hashable:
        return self._ruleset.canonical(self._ruleset.off_board(self._whole, mask))

    @property
    def _named_apart(self) -> bool:
        """Whether rules are known to give no two vertices one name."""
        game, package = self._game, type(self._ruleset).__module__.startswith("graphgame.")
        part = any(mask != game.everything for _, mask in self._starts)
        return package and not (game.liberties and part and not game.shortened)  # in a row NoGo shortens blocks


class _Vertices:
    """The vertices that were found, with their moves, in arrays that grow."""

    def __init__(self, board: Board, starts: np.ndarray, cells: int) -> None:
        self._board = board
        ends, stops, none = np.zeros(len(starts) + 1, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int32)
        some, state = np.zeros(cells, np.int64), np.array([0, len(starts), 0])
        self.rows = VertexRows(starts, ends, none, none, none, stops, some, state)
        room = len(board.needs) * (cells + 1)
        self._grow(max(_FIRST_ROOM, 1 << (4 * room).bit_length()))

    @property
    def explored(self) -> int:
        return int(self.rows.state[_PLACE])

    @property
    def count(self) -> int:
        return int(self.rows.state[_COUNT])

    @property
    def moves(self) -> int:
        return int(self.rows.state[_MOVES])

    def explore(self) -> bool:
        """Explore some more; tell whether there are any left."""
        before = self.explored
        runner(explore_loop, COMPILED_FROM)(self._board, self.rows, _AT_A_TIME)
        if self.explored < min(before + _AT_A_TIME, self.count):
            self._grow(2 * len(self.rows.masks))
        return self.explored < self.count

    def _grow(self, room: int) -> None:
        masks, ends, parts, _, targets, stops, *_ = self.rows
        self.rows = self.rows._replace(
            masks=_longer(masks, room),
            ends=_longer(ends, room + 1),
            parts=_longer(parts, 4 * room),
            slots=np.zeros(2 * room, np.int32),
            targets=_longer(targets, 16 * room),
            stops=_longer(stops, room + 1),
        )
        runner(place_loop, COMPILED_FROM)(self.rows, self._board.near)


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def explored_cells(
    ruleset: MaskRuleset, starts: list[Hashable], limits: Limits, progress: Progress | None
) -> GameGraph | None:
    """Return the graph of a game on sets of cells that has more than a few positions, else None."""
    try:
        exploration = MaskExploration(ruleset, starts, limits, progress)
    except (Exception, SystemExit):  # whatever is wrong with the rules or a start is told where that is explored
        return None
    if limits.positions <= _FEW or not exploration.fits:
        return None
    try:
        return Exploration(ruleset, limits._replace(positions=_FEW), None).run(starts)
    except LimitError:
        return exploration.run()
