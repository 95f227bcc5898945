"""Breadth-first search over the positions of a placement game, as a compiled loop, and canonical forms of bitboards.

The canonical form of a component is its least image. On a grid most images need not be made: of two the one that is
less high comes first, then that whose cells are nearer to the first row, then to the first column, which a few counts
tell.

A vertex of the graph is a set of cells, or a sum: a sum has no cells, but parts, the numbers of vertices before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import COMPILED_FROM, Progress, rarely_collecting
from graphgame.compiled.instructions import ones
from graphgame.errors import LimitError, Message, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import ListLabels
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset, bits, domain_of, image_tables
from graphgame.labs.bitboards.wide_masks import (
    WIDEST,
    highest,
    low_byte,
    lowest,
    mask_at,
    masks_of,
    numbers_of,
    scattered,
    set_mask,
    words_for,
)
from graphgame.rules.exploration import Exploration
from graphgame.rules.limits import Limits
from graphgame.rules.ruleset import Sum

_ROW, TAKEN_ALONE, SITES, _DIGITS = range(4)
"""The sets of cells of a board."""

_STRIDE, _LAYERS, _FOLD, _ROW_DIGITS, _COLUMN_DIGITS, _BYTES, TIDY, WHOLE, PAIRS_UP, LIBERTIES, _SHORTENED = range(11)
GRAPH_MOVES, GRAPHS_TO = 11, 12
"""The numbers of a board: how far the rows of a grid are apart, and its columns, and half of the rows; digits of rows
and columns, 0 where these do not tell images apart; bytes of a mask; 1 or 0 for what :class:`MaskGame` says, and for
whether a move hinders only those that need what it takes; which of the moves of a graph there are, and how large the
graphs are whose values are not searched for."""

SWAPPED, UPSIDE_DOWN, WRONG_WAY_ROUND = 4, 2, 1
"""What a symmetry of a grid does: rows for columns, then the last row first, then the last column."""

_MOST_STEPS = 4


class Board(NamedTuple):
    """A game on sets of cells, as loops take it."""

    first: Array  # the moves that have their lowest needed cell at ``c`` are ``first[c]..first[c + 1] - 1``
    needs: Array  # the cells that each move needs
    takes: Array  # the cells that each move takes
    puts: Array  # the cells that each move puts there
    ranks: Array  # the place of each move in the order of all
    rims: Array  # the cells of which each component that a move leaves has one
    near: Array  # what each cell has to do with
    images: Array  # the image of each byte of a mask, symmetry by symmetry
    turns: Array  # what these symmetries are on a grid
    domains: Array  # the cells that have an image by each of them
    row_of: Array  # the row of each cell
    # the first row of a grid, the cells that one may take alone, those that a move needs with the next one, and
    # then those whose row has a 1 as its lowest digit in binary, as its next, and so on, and likewise their
    # columns
    sets: Array
    rules: Array  # numbers, from ``_STRIDE`` to ``GRAPHS_TO``
    steps: Array  # how far a cell is from those near it, where these are few
    sides: Array  # the cells that have one so far on, step by step


@inlined
def _image(mask: int, symmetry: int, board: Board) -> int:
    image = mask ^ mask
    row = symmetry * board.rules[_BYTES] << 8
    while mask != 0:
        image |= mask_at(board.images, row + low_byte(mask), board.images)
        mask >>= 8
        row += 256
    return image


@inlined
def _columns(mask: int, board: Board) -> int:
    """Return which columns of a grid have a cell."""
    # Rows fold onto the first one in halves: log2(rows) shifts in place of one for each.
    step = board.rules[_FOLD]
    while step >= board.rules[_STRIDE]:
        mask |= mask >> step
        step >>= 1
    return mask & mask_at(board.sets, _ROW, board.sets)


@inlined
def _cornered(mask: int, board: Board) -> int:
    """Return a set of cells of a grid moved to its first row and its first column."""
    rules = board.rules
    if rules[_STRIDE]:
        column = lowest(_columns(mask, board))
        mask >>= board.row_of[lowest(mask)] * rules[_STRIDE] + column - column % rules[_LAYERS]
    return mask


@inlined
def _shortened(mask: int, sets: Array) -> int:
    """Return a row of sites with one stone in place of each block."""
    lower = mask_at(sets, SITES, sets)
    free = mask & mask >> 1 & lower
    stones = mask & ~(free | free << 1)
    # A stone whose neighbour has its colour, two bits on, is one too many.
    doubled = stones & stones >> 2
    while doubled != 0:
        site = lowest(doubled) & -2
        below = mask ^ mask >> site << site
        mask = mask >> site + 2 << site | below
        doubled = doubled >> site + 2 << site
    return mask


@inlined
def _weight(mask: int, sets: Array, digit: int, digits: int) -> int:
    """Return the sum over the cells of a set of some digits of their rows or columns."""
    total = 0
    for place in range(digits):
        total += ones(mask & mask_at(sets, digit + place, sets)) << place
    return total


@inlined
def _order(turn: int, height: int, width: int, rows: int, columns: int, cells: int) -> int:
    """Return what is least for the image that comes first, from the sums of the rows and columns of some cells."""
    if turn & SWAPPED:
        height, width, rows, columns = width, height, columns, rows
    if turn & UPSIDE_DOWN:
        rows = (height - 1) * cells - rows
    if turn & WRONG_WAY_ROUND:
        columns = (width - 1) * cells - columns
    return (height << 20 | rows) << 20 | columns


@inlined
def canonical_form(mask: int, board: Board) -> int:
    """Return the canonical form of a component; 0 where a symmetry tells that it is lost.

    An image is that of the symmetry on the whole board, moved to the corner of a grid.
    """
    rules, sets, turns, domains = board.rules, board.sets, board.turns, board.domains
    if rules[_SHORTENED]:
        mask = _shortened(mask, sets)
    corner = _cornered(mask, board)
    height = width = rows = columns = cells = best = 0
    digits = rules[_ROW_DIGITS] + rules[_COLUMN_DIGITS]
    if digits:
        height, width = board.row_of[highest(corner)] + 1, highest(_columns(corner, board)) + 1
        rows = _weight(corner, sets, _DIGITS, rules[_ROW_DIGITS])
        columns = _weight(corner, sets, _DIGITS + rules[_ROW_DIGITS], rules[_COLUMN_DIGITS])
        cells = ones(corner)
        # The sums of rows and columns of an image follow from those of the set: only the best need be made.
        best, chosen = _order(0, height, width, rows, columns, cells), -1
        for symmetry in range(len(turns)):
            order = _order(turns[symmetry], height, width, rows, columns, cells)
            if order < best and corner & ~mask_at(domains, symmetry, domains) == 0:
                best, chosen = order, symmetry
        if chosen >= 0:
            corner = _cornered(_image(corner, chosen, board), board)
            height, rows, columns = best >> 40, best >> 20 & 0xFFFFF, best & 0xFFFFF
            width = highest(_columns(corner, board)) + 1
    least = corner
    for symmetry in range(len(turns)):
        if digits and _order(turns[symmetry], height, width, rows, columns, cells) != best:
            continue
        if corner & ~mask_at(domains, symmetry, domains) != 0:
            continue
        image = _image(corner, symmetry, board)
        moved = _cornered(image, board)
        if moved < least:
            least = moved
        # A symmetry that maps the set to itself may let the second player answer each move with its image.
        elif moved == corner and rules[PAIRS_UP]:
            shift = lowest(image) - lowest(moved)
            if _answers(corner, symmetry, shift, board):
                return corner ^ corner
    return least


@inlined
def _answers(mask: int, symmetry: int, shift: int, board: Board) -> bool:
    """Tell whether a symmetry of a position is its own inverse, and lets one answer each move with its image."""
    needs, takes, left = board.needs, board.takes, mask
    while left != 0:
        cell = lowest(left)
        left &= left - 1
        for move in range(board.first[cell], board.first[cell + 1]):
            need = mask_at(needs, move, needs)
            if need & ~mask == 0:
                image = _image(need, symmetry, board) >> shift
                if image & mask_at(takes, move, takes) != 0 or _image(image, symmetry, board) >> shift != need:
                    return False
    return True


@inlined
def in_play(mask: int, board: Board) -> int:
    """Return the cells that some move needs."""
    found, left = mask ^ mask, mask
    while left != 0:
        cell = lowest(left)
        left &= left - 1
        for move in range(board.first[cell], board.first[cell + 1]):
            need = mask_at(board.needs, move, board.needs)
            if need & ~mask == 0:
                found |= need
    return found


@inlined
def lowest_component(mask: int, rim: int, board: Board) -> int:
    """Return the component of the lowest cell of a rim, where each component has a cell of the rim."""
    component = frontier = rim & -rim
    if len(board.steps):
        return _component_by_steps(mask, rim, component, board)
    while frontier != 0:
        if rim & ~component == 0:
            return mask
        new = mask_at(board.near, lowest(frontier), board.near) & mask & ~component
        component |= new
        frontier = frontier & (frontier - 1) | new
    return component


@inlined
def _component_by_steps(mask: int, rim: int, component: int, board: Board) -> int:
    steps, sides, before = board.steps, board.sides, component ^ component
    # All cells grow at once by shifts; cheaper than cell by cell where few steps lead to neighbours.
    while component != before:
        if rim & ~component == 0:
            return mask
        before = component
        for step in range(len(steps)):
            side = mask_at(sides, step, sides)
            component |= ((component & side) << steps[step] | component >> steps[step] & side) & mask
    return component


@compiled
def canonical_loop(masks: Array, board: Board) -> None:
    """Put in place of each component its canonical form, or 0 where a symmetry tells that it is lost."""
    for i in range(len(masks)):
        set_mask(masks, i, canonical_form(mask_at(masks, i, masks), board), masks)


def board_arrays(game: MaskGame, words: int, graphs: tuple[int, int] = (0, 0)) -> Board:
    """Return a game as the loops take it: its moves cell by cell, what is near, its symmetries, its rules."""
    moves = [move for moves in game.starts for move in moves]
    ranks = {move: rank for rank, move in enumerate(game.moves)}
    needs, takes, puts, rims = (masks_of((move[part] for move in moves), words) for part in range(4))
    images = (mask for symmetry in game.symmetries for table in image_tables(symmetry) for mask in table)
    (rows, columns), layers = game.grid or (0, 1), game.layers
    places = [divmod(cell // layers, columns) for cell in range(game.cells)]
    digits = [(side - 1).bit_length() if game.turns else 0 for side in (rows, columns)]
    told_by_digits = (
        sum((place[axis] >> digit & 1) << cell for cell, place in enumerate(places))
        for axis, digit in ((axis, digit) for axis in (0, 1) for digit in range(digits[axis]))
    )
    stride = columns * layers
    fold = stride << (rows - 1).bit_length() - 1 if rows > 1 else 0
    size = -(-game.cells // 8)
    steps = _steps(game)
    return Board(
        first=np.cumsum([0, *map(len, game.starts)]),
        needs=needs,
        takes=takes,
        puts=puts,
        ranks=np.array([ranks[move[:3]] for move in moves], np.int64),
        rims=rims,
        near=masks_of(game.near, words),
        images=masks_of(images, words),
        turns=np.array(game.turns or [0] * len(game.symmetries), np.int64),
        domains=masks_of(map(domain_of, game.symmetries), words),
        row_of=np.array([row for row, _ in places], np.int64),
        sets=masks_of([(1 << stride) - 1, game.alone, game.sites, *told_by_digits], words),
        rules=np.array(
            [
                *(stride if rows else 0, layers, fold, *digits, size, game.tidied, game.whole),
                *(not puts.any() and not game.liberties, game.liberties, game.shortened, *graphs),
            ],
            np.int64,
        ),
        steps=np.array(list(steps), np.int64),
        sides=masks_of(steps.values(), words),
    )


def _steps(game: MaskGame) -> dict[int, int]:
    """Return how far cells are from those near them, with those that have one so far on; nothing where that is much."""
    found: dict[int, int] = {}
    for cell, near in enumerate(game.near):
        for other in bits(near & ~(1 << cell)):
            found[other - cell] = found.get(other - cell, 0) | 1 << cell
    both_ways = all(found.get(-step, 0) == cells << step for step, cells in found.items() if step > 0)
    steps = {step: cells for step, cells in found.items() if step > 0}
    return steps if both_ways and 2 * len(steps) == len(found) <= 2 * _MOST_STEPS else {}


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

    masks: Array  # the cells of each vertex
    ends: Array  # the parts of a vertex are ``parts[ends[v]:ends[v + 1]]``
    parts: Array  # the numbers of vertices that sums consist of
    slots: Array  # where each vertex is found again: one more than its number, or 0 where none is
    targets: Array  # where the moves lead, vertex by vertex
    stops: Array  # the moves of a vertex are ``targets[stops[v]:stops[v + 1]]``
    some: Array  # room for the parts that a move leaves
    state: Array  # the next vertex to explore, and how many vertices and moves there are


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
    # A position adds no more vertices than this: it is not begun unless there is room for all of them.
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
                # One part stands for itself; none or several are a sum, whose parts are in order.
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
    # Open addressing: at most half of the slots are taken, so a free one ends each search.
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


class MaskLabels(ListLabels):
    """Sets of cells, and sums of such before them; ``known`` has the numbers of those that are asked for most."""

    def __init__(
        self,
        masks: np.ndarray,
        words: int,
        ends: np.ndarray,
        parts: np.ndarray,
        name: Callable[[int], Hashable],
        known: dict[Hashable, int],
    ) -> None:
        self._masks, self._words, self._ends, self._parts = masks, words, ends, parts
        self._name = name
        self._known = known
        self._number = None

    @cached_property
    def _positions(self) -> list[Hashable]:
        ends, name = self._ends.tolist(), self._name
        found: list[Hashable] = []
        for number, mask in enumerate(numbers_of(self._masks, self._words)):
            start, end = ends[number], ends[number + 1]
            found.append(Sum(found[part] for part in self._parts[start:end].tolist()) if start < end else name(mask))
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return ListLabels, (self._positions,)

    def __len__(self) -> int:
        return len(self._masks)

    def at(self, number: int) -> Hashable:
        number %= len(self)
        if "_positions" in vars(self):
            return self._positions[number]
        start, end = self._ends[number : number + 2].tolist()
        if start < end:
            return Sum(map(self.at, self._parts[start:end].tolist()))
        return self._name(numbers_of(self._masks[number : number + 1], self._words)[0])

    def few(self, numbers: list[int]) -> list[Hashable]:
        return list(map(self.at, numbers))

    def find(self, position: Hashable) -> int:
        number = self._known.get(position)
        return super().find(position) if number is None else number


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
        words = words_for(self._game.cells)
        masks = [mask for _, mask in self._starts]
        self._limits.refuse_larger(self._ruleset, [self._ruleset.off_board(self._whole, mask) for mask in masks])
        board = board_arrays(self._ruleset.told_apart(self._whole), words)
        board.rules[PAIRS_UP] = 0  # what symmetry tells to be lost is a vertex too
        board.rules[WHOLE] = self._undivided
        forms = masks_of(masks, words)
        runner(canonical_loop, COMPILED_FROM)(forms, board)
        starts = numbers_of(forms, words)
        numbers = {form: number for number, form in enumerate(dict.fromkeys(starts))}
        rows = self._explored(board, masks_of(numbers, words))
        _, count, moves = rows.state.tolist()
        tokens = list(map(self._name, starts))
        known = {token: numbers[form] for token, form in zip(tokens, starts, strict=True)}
        ends = rows.ends[: count + 1].copy()
        parts = rows.parts[: ends[-1]].copy()
        labels = MaskLabels(rows.masks[:count].copy(), words, ends, parts, self._name, known)
        if not self._named_apart:
            with rarely_collecting():
                if len(set(labels)) < len(labels):
                    return None
        stops, targets = rows.stops[: count + 1].copy(), rows.targets[:moves].copy()
        return GameGraph.from_rows(stops, targets, labels, sums=np.diff(ends) > 0, tokens=tokens, overwrite=True)

    def _explored(self, board: Board, starts: np.ndarray) -> VertexRows:
        """Return all vertices, and their moves."""
        ends, stops, none = np.zeros(len(starts) + 1, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int32)
        some, state = np.zeros(self._game.cells, np.int64), np.array([0, len(starts), 0])
        # One vertex may add a vertex for each move, and one for each of its parts.
        most = len(board.needs) * (self._game.cells + 1)
        rows = _with_room(
            VertexRows(starts, ends, none, none, none, stops, some, state),
            max(_FIRST_ROOM, 1 << (4 * most).bit_length()),
            board.near,
        )
        explored, count = 0, len(starts)
        while explored < count:
            before = explored
            runner(explore_loop, COMPILED_FROM)(board, rows, _AT_A_TIME)
            explored, count, moves = rows.state.tolist()
            self._check_limits(explored, count, moves)
            if explored < min(before + _AT_A_TIME, count):
                rows = _with_room(rows, 2 * len(rows.masks), board.near)
        return rows

    def _check_limits(self, explored: int, count: int, moves: int) -> None:
        if self._progress is not None:
            self._progress(count, moves)
        if count > self._limits.positions or moves > self._limits.moves:
            found = Message(
                "{positions} and {steps} found from the first {explored}",
                plural(count, "position"),
                plural(moves, "move"),
                plural(explored, "position"),
            )
            raise self._limits.error(found, moves)

    def _name(self, mask: int) -> Hashable:
        return self._ruleset.canonical(self._ruleset.off_board(self._whole, mask))

    @property
    def _named_apart(self) -> bool:
        """Whether rules are known to give no two vertices one name."""
        game, package = self._game, type(self._ruleset).__module__.startswith("graphgame.")
        part = any(mask != game.everything for _, mask in self._starts)
        return package and not (game.liberties and part and not game.shortened)  # in a row NoGo shortens blocks


def _with_room(rows: VertexRows, room: int, near: Array) -> VertexRows:
    """Return the same vertices with room for more."""

    def longer(array: np.ndarray, length: int) -> np.ndarray:
        found = np.zeros((length, *array.shape[1:]), array.dtype)
        found[: len(array)] = array
        return found

    # Parts and moves have several times the room of vertices; half of the slots at most are taken, so that few collide.
    rows = rows._replace(
        masks=longer(rows.masks, room),
        ends=longer(rows.ends, room + 1),
        parts=longer(rows.parts, 4 * room),
        slots=np.zeros(2 * room, np.int32),
        targets=longer(rows.targets, 16 * room),
        stops=longer(rows.stops, room + 1),
    )
    runner(place_loop, COMPILED_FROM)(rows, near)
    return rows


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
