"""Sets of cells in compiled loops: the components of one, and the canonical form of a component.

The canonical form is the least image. On a grid most images need not be made: of two the one that is less high comes
first, then that whose cells are nearer to the first row, then to the first column, which a few counts tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import ones
from graphgame.labs.bitboards.masks import MaskGame, bits, image_tables
from graphgame.labs.bitboards.wide import highest, low_byte, lowest, mask_at, masks_of, set_mask

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

    first: Array
    """The moves that have their lowest needed cell at ``c`` are ``first[c]..first[c + 1] - 1``."""

    needs: Array
    """The cells that each move needs."""

    takes: Array
    """The cells that each move takes."""

    puts: Array
    """The cells that each move puts there."""

    ranks: Array
    """The place of each move in the order of all."""

    rims: Array
    """The cells of which each component that a move leaves has one."""

    near: Array
    """What each cell has to do with."""

    images: Array
    """The image of each byte of a mask, symmetry by symmetry."""

    turns: Array
    """What these symmetries are on a grid."""

    domains: Array
    """The cells that have an image by each of them."""

    row_of: Array
    """The row of each cell."""

    sets: Array
    """The first row of a grid, the cells that one may take alone, those that a move needs with the next one, and then
    those whose row has a 1 as its lowest digit in binary, as its next, and so on, and likewise their columns."""

    rules: Array
    """Numbers, from ``_STRIDE`` to ``GRAPHS_TO``."""

    steps: Array
    """How far a cell is from those near it, where these are few."""

    sides: Array
    """The cells that have one so far on, step by step."""


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
        domains=masks_of(map(game.domain, game.symmetries), words),
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
