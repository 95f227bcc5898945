"""Compiled loops for placement games: breadth-first search over the positions, and canonical forms of components.

The canonical form of a component is its least image by symmetry. In general the least image is the least mask. On a
grid with one cell in each square, and no symmetries but those of the grid, the least image has the fewest rows (its
height); among several, the least sum of the row numbers of its cells, then of the column numbers, then the least mask.
The height and the sums of an image follow from those of the component itself, so most images need not be computed.

A vertex of the graph is either a set of cells or a sum. A sum has no cells but parts, which are earlier vertices.
Components and rims are those of :mod:`graphgame.labs.bitboards.placement`.

In a game with liberties, such as NoGo, a square has two cells, one for each colour: a *lower* cell 2s, and 2s + 1. Both
are set if the square is free; if it has a stone, only the cell of the stone's colour is set. A *liberty* is a free
square. A *block* is a maximal connected set of stones of one colour. After a move, each component must have a liberty.
A component without one is a block with no free square beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, runner
from graphgame.compiled.engine import COMPILED_FROM, Progress, rarely_collecting
from graphgame.compiled.instructions import ones
from graphgame.errors import LimitError
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
from graphgame.rules.exploration import Exploration, Limits
from graphgame.rules.ruleset import Sum

_ROW, TAKEN_ALONE, SITES, _DIGITS = range(4)
"""Indices into ``Board.sets``."""

_STRIDE, _LAYERS, _FOLD, _ROW_DIGITS, _COLUMN_DIGITS, _BYTES, TIDY, WHOLE, PAIRS_UP, LIBERTIES, _SHORTENED = range(11)
GRAPH_MOVES, GRAPHS_TO = 11, 12
"""Indices into ``Board.rules``.

_STRIDE is the number of cells in a row of the grid (0 without a grid). _LAYERS is the number of cells in a square, and
_FOLD the first shift of :func:`_columns`. _ROW_DIGITS and _COLUMN_DIGITS are the numbers of binary digits of row and
column numbers; they are 0 if images are compared only as masks. _BYTES is the number of bytes of a mask. TIDY, WHOLE,
LIBERTIES and _SHORTENED are 1 or 0, for the attributes ``tidied``, ``whole``, ``liberties`` and ``shortened`` of
:class:`MaskGame`. PAIRS_UP is 1 if a symmetry may prove a P-position: in games without liberties whose moves set no
cells, a move prevents only the moves that need a cell which it clears. (:class:`MaskExploration` changes WHOLE and
PAIRS_UP.) GRAPH_MOVES and GRAPHS_TO are for searches only (:mod:`graphgame.labs.search.small_graphs`): the kinds of
moves on a graph, as bits (1: take a vertex with its neighbours, 2: take the ends of an edge, 4: take a vertex that has
a neighbour), and the number of vertices up to which the value of a graph is computed from the definition."""

SWAPPED, UPSIDE_DOWN, WRONG_WAY_ROUND = 4, 2, 1
"""The bits of a turn or reflection. They apply in this order: swap rows with columns, reverse the order of the rows,
reverse the order of the columns."""

_MOST_STEPS = 4
"""If there are at most this many distances d > 0 between connected cells c and c + d, components grow by shifts of
masks. With more distances, growing cell by cell is faster."""


class Board(NamedTuple):
    """A :class:`MaskGame` as arrays, for compiled loops. Sets of cells are masks."""

    first: Array  # the moves whose lowest needed cell is c are first[c]..first[c + 1] - 1
    needs: Array  # for each move, the cells that it needs
    takes: Array  # for each move, the cells that it clears, that is, removes from the mask
    puts: Array  # for each move, the cells that it sets
    ranks: Array  # for each move, its index in MaskGame.moves: a search tries equally hard options in this order
    rims: Array  # for each move, its rim: the cells that it sets, and the cells near those that it clears
    near: Array  # for each cell, the cells that it is directly connected to, perhaps also itself
    images: Array  # for each symmetry, and each byte of a mask, the images of the 256 values of this byte
    turns: Array  # for each symmetry, its turn or reflection as bits, see SWAPPED; 0 if MaskGame.turns is []
    domains: Array  # for each symmetry, the cells that have an image
    row_of: Array  # for each cell, its row; without a grid, its own number
    # At _ROW the first row; at TAKEN_ALONE MaskGame.alone; at SITES MaskGame.sites. From _DIGITS on, for each binary
    # digit of a row number, lowest first: the cells in whose row number this digit is 1. Then the same for columns.
    sets: Array
    rules: Array  # a number at each of the indices _STRIDE to GRAPHS_TO, which are explained above
    steps: Array  # each d > 0 for which a cell c is connected to the cell c + d; in some games empty: see _steps
    sides: Array  # for each step, the cells c that are directly connected to the cell c + step


@inlined
def _image(mask: int, symmetry: int, images: Array, rules: Array) -> int:
    """Return the image of a mask under the symmetry with the index ``symmetry``.

    ``images`` and ``rules`` are the fields of a :class:`Board`.
    """
    # mask ^ mask is a 0 as wide as the mask: a plain 0 would be a number of 64 bits.
    image = mask ^ mask
    row = symmetry * rules[_BYTES] << 8
    while mask != 0:
        image |= mask_at(images, row + low_byte(mask), images)
        mask >>= 8
        row += 256
    return image


@inlined
def _columns(mask: int, rules: Array, sets: Array) -> int:
    """Return the mask after each of its cells is moved up, in its column, to the first row of the grid.

    ``rules`` and ``sets`` are the fields of a :class:`Board`.
    """
    # Fold the second half of the rows onto the first half, until one row is left: log2(rows) shifts.
    step = rules[_FOLD]
    while step >= rules[_STRIDE]:
        mask |= mask >> step
        step >>= 1
    return mask & mask_at(sets, _ROW, sets)


@inlined
def _cornered(mask: int, rules: Array, sets: Array, row_of: Array) -> int:
    """Return a mask shifted on the grid as far up and left as possible; unchanged if there is no grid.

    ``rules``, ``sets`` and ``row_of`` are the fields of a :class:`Board`.
    """
    if rules[_STRIDE]:
        column = lowest(_columns(mask, rules, sets))
        mask >>= row_of[lowest(mask)] * rules[_STRIDE] + column - column % rules[_LAYERS]
    return mask


@inlined
def _shortened(mask: int, sets: Array) -> int:
    """Return the mask of a position after each block, a run of stones of one colour, is replaced by one stone.

    The board must have one row or one column. The squares behind a removed stone move forward to close the gap. The
    docstring of the module explains stones. ``sets`` is the field of a :class:`Board`.
    """
    lower = mask_at(sets, SITES, sets)
    free = mask & mask >> 1 & lower
    stones = mask & ~(free | free << 1)
    # A square has two bits. ``doubled`` has each stone that is followed by a stone of the same colour. Delete its
    # square, and shift all higher squares down by one.
    doubled = stones & stones >> 2
    while doubled != 0:
        # ``site`` is the lower bit of the stone's square; ``below`` is the part of the mask below this bit.
        site = lowest(doubled) & -2
        below = mask ^ mask >> site << site
        mask = mask >> site + 2 << site | below
        doubled = doubled >> site + 2 << site
    return mask


@inlined
def _weight(mask: int, sets: Array, digit: int, digits: int) -> int:
    """Return the sum of the row numbers of the cells of a mask, or of their column numbers.

    ``sets`` is the field of a :class:`Board`. ``digits`` is the number of binary digits of row numbers, or of column
    numbers, and ``digit`` the first index in ``sets`` for these digits. ``sets[digit + k]`` is the mask of all cells
    whose number has bit k set: each cell that is also in ``mask`` adds 2^k to the sum.
    """
    total = 0
    for power in range(digits):
        total += ones(mask & mask_at(sets, digit + power, sets)) << power
    return total


@inlined
def _order(turn: int, height: int, width: int, rows: int, columns: int, cells: int) -> int:
    """Return the sort key of an image of a set of cells: its height, then the sums of its row and column numbers.

    ``turn`` is the symmetry, as bits of SWAPPED, UPSIDE_DOWN and WRONG_WAY_ROUND. The other arguments describe the set
    itself, shifted to the corner: its height and width, its sums of row and column numbers, and its number of cells.
    """
    # Each field has 20 bits: 256 cells in up to 256 rows have sums below 2^16.
    if turn & SWAPPED:
        height, width, rows, columns = width, height, columns, rows
    if turn & UPSIDE_DOWN:
        rows = (height - 1) * cells - rows
    if turn & WRONG_WAY_ROUND:
        columns = (width - 1) * cells - columns
    return (height << 20 | rows) << 20 | columns


@inlined
def canonical_form(mask: int, board: Board) -> int:
    """Return the canonical form of a component: its least image under the symmetries of the board.

    Each image is shifted to the corner. The docstring of the module says which image is the least. If
    ``board.rules[_SHORTENED]`` is 1, each block of stones is first replaced by one stone. If ``board.rules[PAIRS_UP]``
    is 1, the result is 0 for a component that a symmetry proves to be a P-position: the symmetry maps the component to
    itself, and the second player can answer each move by its image.
    """
    rules, sets, turns, domains = board.rules, board.sets, board.turns, board.domains
    images, row_of = board.images, board.row_of
    if rules[_SHORTENED]:
        mask = _shortened(mask, sets)
    corner = _cornered(mask, rules, sets, row_of)
    height = width = rows = columns = cells = best = 0
    digits = rules[_ROW_DIGITS] + rules[_COLUMN_DIGITS]
    if digits:
        height, width = row_of[highest(corner)] + 1, highest(_columns(corner, rules, sets)) + 1
        rows = _weight(corner, sets, _DIGITS, rules[_ROW_DIGITS])
        columns = _weight(corner, sets, _DIGITS + rules[_ROW_DIGITS], rules[_COLUMN_DIGITS])
        cells = ones(corner)
        # Find the least sort key of all images, without computing an image. Replace the component by an image with this
        # key. Then the loop below computes only the images with this key.
        best, chosen = _order(0, height, width, rows, columns, cells), -1
        for symmetry in range(len(turns)):
            order = _order(turns[symmetry], height, width, rows, columns, cells)
            if order < best and corner & ~mask_at(domains, symmetry, domains) == 0:
                best, chosen = order, symmetry
        if chosen >= 0:
            corner = _cornered(_image(corner, chosen, images, rules), rules, sets, row_of)
            height, rows, columns = best >> 40, best >> 20 & 0xFFFFF, best & 0xFFFFF
            width = highest(_columns(corner, rules, sets)) + 1
    least = corner
    for symmetry in range(len(turns)):
        if digits and _order(turns[symmetry], height, width, rows, columns, cells) != best:
            continue
        if corner & ~mask_at(domains, symmetry, domains) != 0:
            continue
        image = _image(corner, symmetry, images, rules)
        cornered_image = _cornered(image, rules, sets, row_of)
        if cornered_image < least:
            least = cornered_image
        # The symmetry maps the component to itself. If the second player can answer each move with its image, the
        # component is a P-position.
        elif cornered_image == corner and rules[PAIRS_UP]:
            shift = lowest(image) - lowest(cornered_image)
            if _answers(corner, symmetry, shift, board):
                return corner ^ corner
    return least


@inlined
def _answers(mask: int, symmetry: int, shift: int, board: Board) -> bool:
    """Return True if the second player can answer each move in the position ``mask`` by its image under a symmetry.

    ``symmetry`` is the index of the symmetry in ``board.turns``. The symmetry must map ``mask`` to ``mask << shift``;
    the images of the moves are shifted back.
    """
    # Two conditions for each possible move: its image needs no cell that the move clears, and the image of its image is
    # the move itself.
    needs, takes, images, rules, remaining = board.needs, board.takes, board.images, board.rules, mask
    while remaining != 0:
        cell = lowest(remaining)
        remaining &= remaining - 1
        for move in range(board.first[cell], board.first[cell + 1]):
            need = mask_at(needs, move, needs)
            if need & ~mask == 0:
                image = _image(need, symmetry, images, rules) >> shift
                if image & mask_at(takes, move, takes) != 0 or _image(image, symmetry, images, rules) >> shift != need:
                    return False
    return True


@inlined
def in_play(mask: int, board: Board) -> int:
    """Return the cells of a position that some possible move needs."""
    needed, remaining = mask ^ mask, mask
    while remaining != 0:
        cell = lowest(remaining)
        remaining &= remaining - 1
        for move in range(board.first[cell], board.first[cell + 1]):
            need = mask_at(board.needs, move, board.needs)
            if need & ~mask == 0:
                needed |= need
    return needed


@inlined
def lowest_component(mask: int, rim: int, board: Board) -> int:
    """Return the component of ``mask`` with the lowest cell of ``rim``, a subset that must meet each component."""
    # If the component contains all of the rim, there is no other component, so the answer is the mask: stop early.
    component = frontier = rim & -rim
    if len(board.steps):
        steps, sides, before = board.steps, board.sides, mask ^ mask
        # Add the neighbours of all cells at once, forward and backward along each step. With few steps this is cheaper
        # than adding the neighbours of one cell at a time.
        while component != before:
            if rim & ~component == 0:
                return mask
            before = component
            for step in range(len(steps)):
                side = mask_at(sides, step, sides)
                component |= ((component & side) << steps[step] | component >> steps[step] & side) & mask
        return component
    while frontier != 0:
        if rim & ~component == 0:
            return mask
        new = mask_at(board.near, lowest(frontier), board.near) & mask & ~component
        component |= new
        frontier = frontier & (frontier - 1) | new
    return component


@compiled
def canonical_loop(masks: Array, board: Board) -> None:
    """Replace each mask in ``masks``, a component, by the result of :func:`canonical_form`."""
    for row in range(len(masks)):
        set_mask(masks, row, canonical_form(mask_at(masks, row, masks), board), masks)


_MOST_MOVES = 2048


def fits_loops(game: MaskGame) -> bool:
    """Return True if compiled loops can handle a game: it has 1 to 256 cells and 1 to 2048 moves."""
    return 0 < game.cells <= WIDEST and 0 < len(game.moves) <= _MOST_MOVES


def board_arrays(game: MaskGame, words: int, graphs: tuple[int, int] = (0, 0)) -> Board:
    """Return a game as arrays for the loops.

    ``words`` is the number of words in a mask: 1, 2 or 4. ``graphs`` has the entries GRAPH_MOVES and GRAPHS_TO of
    ``Board.rules``, which only searches of games on graphs use.
    """
    moves = [move for moves in game.starts for move in moves]
    ranks = {move: rank for rank, move in enumerate(game.moves)}
    # Not zip(*moves), because a board without moves needs four empty arrays.
    needs, takes, puts, rims = (masks_of((move[part] for move in moves), words) for part in range(4))
    images = (mask for symmetry in game.symmetries for table in image_tables(symmetry) for mask in table)
    (rows, columns), layers = game.grid or (0, 1), game.layers
    squares = [divmod(cell // layers, columns) for cell in range(game.cells)]
    digits = [(side - 1).bit_length() if game.turns else 0 for side in (rows, columns)]
    cells_by_digit = (
        sum((square[axis] >> digit & 1) << cell for cell, square in enumerate(squares))
        for axis in (0, 1)
        for digit in range(digits[axis])
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
        row_of=np.array([row for row, _ in squares], np.int64),
        sets=masks_of([(1 << stride) - 1, game.alone, game.sites, *cells_by_digit], words),
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
    """Map each positive distance d between connected cells to the mask of the cells c that are connected to c + d.

    The result is empty if there are more than _MOST_STEPS distances, or if a connection does not go both ways.
    """
    cells_by_step: dict[int, int] = {}
    for cell, near in enumerate(game.near):
        for neighbour in bits(near & ~(1 << cell)):
            step = neighbour - cell
            cells_by_step[step] = cells_by_step.get(step, 0) | 1 << cell
    steps = {step: cells for step, cells in cells_by_step.items() if step > 0}
    both_ways = all(cells_by_step.get(-step) == cells << step for step, cells in steps.items())
    return steps if both_ways and 2 * len(steps) == len(cells_by_step) <= 2 * _MOST_STEPS else {}


_NEXT, _COUNT, _MOVES = range(3)
"""Indices into ``VertexRows.state``: the next vertex to explore, the number of vertices, and the number of moves."""

_PLAIN_POSITIONS = 2048
"""The number of positions above which the compiled loop explores a game, if it can. Otherwise plain Python does."""

_FIRST_ROOM = 1 << 14
"""The arrays of :class:`VertexRows` have room for at least this many vertices at first."""

_VERTICES_A_CALL = 1 << 14
"""The maximum number of vertices that the loop explores in one call. After each call the progress is reported."""

_POSITIVE = (1 << 62) - 1
"""A mask that shortens a hash to 62 bits, so that the hash plus a vertex number stays below 2^63."""


class VertexRows(NamedTuple):
    """The vertices seen so far, and the edges from the explored ones, in arrays that have room for more."""

    masks: Array  # for each vertex, the mask of its position; 0 for a sum
    ends: Array  # the parts of vertex v are parts[ends[v]:ends[v + 1]]: none unless it is a sum
    parts: Array  # the vertex numbers of the parts of all sums, one sum after another
    slots: Array  # a hash table of the vertices: one more than the vertex's number, or 0 in a free slot
    targets: Array  # the vertices that the edges lead to: options of a position, or parts of a sum
    stops: Array  # the edges of vertex v lead to targets[stops[v]:stops[v + 1]]
    new_parts: Array  # scratch: the vertex numbers of the parts that a move leaves
    state: Array  # the numbers with the indices _NEXT, _COUNT and _MOVES


@compiled
def explore_loop(board: Board, rows: VertexRows, most_vertices: int) -> None:
    """Explore up to ``most_vertices`` more vertices: add their moves, and the vertices that these lead to, to ``rows``.

    Stop early if all vertices are explored, or if the arrays may lack room for the moves of the next vertex.
    """
    ends, targets, new_parts = rows.ends, rows.targets, rows.new_parts
    first, needs, takes, puts, rims = board.first, board.needs, board.takes, board.puts, board.rims
    vertex, count, moves = rows.state[_NEXT], rows.state[_COUNT], rows.state[_MOVES]
    whole, liberties = board.rules[WHOLE], board.rules[LIBERTIES]
    alone, lower = mask_at(board.sets, TAKEN_ALONE, board.sets), mask_at(board.sets, SITES, board.sets)
    may_be_stuck = liberties
    for move in range(len(puts)):
        may_be_stuck |= mask_at(puts, move, puts) != 0
    # A position adds at most this many vertices: for each move, the components that it leaves, and their sum. The loop
    # explores a position only if there is room for all of them, so it need not check the arrays in between.
    most = len(needs) * (len(new_parts) + 1)
    while vertex < count and most_vertices > 0:
        if 2 * (count + most) > len(rows.slots) or ends[count] + most > len(rows.parts) or moves + most > len(targets):
            break
        most_vertices -= 1
        # The edges of a sum lead to its parts.
        for part in range(ends[vertex], ends[vertex + 1]):
            targets[moves] = rows.parts[part]
            moves += 1
        position = mask_at(rows.masks, vertex, rows.masks)
        remaining = position
        while remaining != 0:
            cell = lowest(remaining)
            remaining &= remaining - 1
            for move in range(first[cell], first[cell + 1]):
                if mask_at(needs, move, needs) & ~position != 0:
                    continue
                rest = position & ~mask_at(takes, move, takes) | mask_at(puts, move, puts)
                rim = mask_at(rims, move, rims) & rest
                if board.rules[TIDY] and not whole:
                    rest = rim = in_play(rest, board)
                if liberties and not _has_liberties(rest, rim, lower, board):
                    continue
                size = 0
                while rest != 0:
                    part = rest if whole else lowest_component(rest, rim, board)
                    rest ^= part
                    rim &= rest
                    # Drop parts without a move. A part of one cell has a move only if some move needs just this cell.
                    # In a game with liberties this holds for a part with one free square. Larger parts have a move,
                    # unless ``may_be_stuck``: then test the moves of each part.
                    cells = part & part >> 1 & lower if liberties else part
                    counts = whole or cells & (cells - 1) != 0 or cells & alone != 0
                    if may_be_stuck and counts:
                        counts = _has_move(part, liberties, lower, board)
                    if counts:
                        number = _numbered(canonical_form(part, board), 0, rows, count)
                        count = max(count, number + 1)
                        size = _insert_sorted(new_parts, size, number)
                number = new_parts[0]
                # A single part is a vertex itself. If there is no part, the option is the vertex without cells. Several
                # parts form a sum. Its parts are sorted, so that equal sums are one vertex.
                if size != 1:
                    number = _numbered(position ^ position, size, rows, count)
                    count = max(count, number + 1)
                targets[moves] = number
                moves += 1
        vertex += 1
        rows.stops[vertex] = moves
    rows.state[_NEXT], rows.state[_COUNT], rows.state[_MOVES] = vertex, count, moves


@inlined
def _has_liberties(rest: int, rim: int, lower: int, board: Board) -> bool:
    """Return True if each component of the mask ``rest`` has a liberty: both cells of some square.

    ``lower`` has the lower cell of each square, and ``rim`` is a subset of ``rest`` that meets each component.
    """
    while rest != 0:
        part = lowest_component(rest, rim, board)
        if part & part >> 1 & lower == 0:
            return False
        rest ^= part
        rim &= rest
    return True


@inlined
def _has_move(mask: int, liberties: int, lower: int, board: Board) -> bool:
    """Return True if there is a legal move in the component ``mask``.

    ``liberties`` is 1 in a game with liberties, otherwise 0. If it is 1, a move is legal only if each component after
    it has a liberty, and ``lower`` is the mask of the lower cells of all squares; if it is 0, ``lower`` is not used.
    """
    first, needs, takes, puts, rims = board.first, board.needs, board.takes, board.puts, board.rims
    remaining = mask
    while remaining != 0:
        cell = lowest(remaining)
        remaining &= remaining - 1
        for move in range(first[cell], first[cell + 1]):
            if mask_at(needs, move, needs) & ~mask == 0:
                rest = mask & ~mask_at(takes, move, takes) | mask_at(puts, move, puts)
                rim = mask_at(rims, move, rims) & rest
                if liberties == 0 or _has_liberties(rest, rim, lower, board):
                    return True
    return False


@inlined
def _insert_sorted(numbers: Array, size: int, number: int) -> int:
    """Insert a number into the first ``size`` entries, which stay sorted; return size + 1. Equal entries may result."""
    index = size
    while index > 0 and numbers[index - 1] > number:
        numbers[index] = numbers[index - 1]
        index -= 1
    numbers[index] = number
    return size + 1


@inlined
def _numbered(form: int, size: int, rows: VertexRows, count: int) -> int:
    """Return the vertex number of the set of cells ``form``, or of the sum of the parts ``rows.new_parts[:size]``.

    For a sum ``form`` is 0, and for a set of cells ``size`` is 0. If the vertex is new, it is added with the number
    ``count``, the number of vertices so far.
    """
    masks, ends, parts, slots, new_parts = rows.masks, rows.ends, rows.parts, rows.slots, rows.new_parts
    # Open addressing with linear probing. At most half of the slots are taken, so a search always meets a free slot.
    slot = _slot(form, new_parts, 0, size, slots)
    while slots[slot] != 0:
        number = slots[slot] - 1
        start, end = ends[number], ends[number + 1]
        equal = mask_at(masks, number, masks) == form and end - start == size
        for index in range(size):
            equal = equal and parts[start + index] == new_parts[index]
        if equal:
            return int(number)
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = count + 1
    set_mask(masks, count, form, masks)
    end = ends[count]
    for index in range(size):
        parts[end + index] = new_parts[index]
    ends[count + 1] = end + size
    return count


@inlined
def _slot(form: int, parts: Array, start: int, size: int, slots: Array) -> int:
    """Return the index in the hash table ``slots`` at which the search for a vertex begins.

    ``form`` is the mask of the vertex's cells, and ``parts[start:start + size]`` has the numbers of its parts.
    """
    key = scattered(form)
    for index in range(start, start + size):
        key = scattered((key & _POSITIVE) + parts[index])
    return key & (len(slots) - 1)


@compiled
def fill_slots_loop(rows: VertexRows) -> None:
    """Enter all vertices into the hash table ``rows.slots``, whose slots must be free."""
    masks, ends, parts, slots = rows.masks, rows.ends, rows.parts, rows.slots
    for number in range(rows.state[_COUNT]):
        slot = _slot(mask_at(masks, number, masks), parts, ends[number], ends[number + 1] - ends[number], slots)
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1


class MaskLabels(ListLabels):
    """The labels of a graph whose vertices are sets of cells, and sums of earlier vertices.

    Row v of ``masks``, of ``words`` words, is the mask of the cells of vertex v. If v is a sum, the mask is 0, and the
    parts of the sum are the vertices ``parts[ends[v]:ends[v + 1]]``; otherwise this slice is empty. ``name`` returns
    the position that a mask describes. ``starts`` maps the positions from which the search started to their vertex
    numbers, so that :meth:`find` finds such a position without making all labels.
    """

    def __init__(
        self,
        masks: np.ndarray,
        words: int,
        ends: np.ndarray,
        parts: np.ndarray,
        name: Callable[[int], Hashable],
        starts: dict[Hashable, int],
    ) -> None:
        self._masks, self._words, self._ends, self._parts = masks, words, ends, parts
        self._name = name
        self._starts = starts
        self._number = None

    @cached_property
    def _positions(self) -> list[Hashable]:
        ends, name = self._ends.tolist(), self._name
        labels: list[Hashable] = []
        for number, mask in enumerate(numbers_of(self._masks, self._words)):
            start, end = ends[number], ends[number + 1]
            labels.append(Sum(labels[part] for part in self._parts[start:end].tolist()) if start < end else name(mask))
        return labels

    def __reduce__(self) -> tuple[object, ...]:
        return ListLabels, (self._positions,)

    def __len__(self) -> int:
        return len(self._masks)

    def at(self, number: int) -> Hashable:
        if "_positions" in vars(self):
            return self._positions[number]
        start, end = self._ends[number : number + 2].tolist()
        if start < end:
            return Sum(map(self.at, self._parts[start:end].tolist()))
        return self._name(numbers_of(self._masks[number : number + 1], self._words)[0])

    def few(self, numbers: list[int]) -> list[Hashable]:
        return list(map(self.at, numbers))

    def find(self, position: Hashable) -> int:
        number = self._starts.get(position)
        return super().find(position) if number is None else number


class MaskExploration:
    """A breadth-first search over the positions of one placement game.

    The search begins at the positions ``starts``. If their boards have different sizes, all of them are placed on the
    largest board.
    """

    def __init__(
        self, ruleset: MaskRuleset, starts: Sequence[Hashable], limits: Limits, progress: Progress | None
    ) -> None:
        self._ruleset = ruleset
        self._limits = limits
        self._progress = progress
        self._largest = max(starts, key=lambda start: ruleset.on_board(start)[0].cells)
        self._game = ruleset.on_board(self._largest)[0]
        self._starts = [ruleset.on_board(start, [self._game]) for start in starts]
        # True if each start, placed on the largest board, has the same canonical form as on its own board.
        self._keeps_forms = all(
            game is self._game and self._name(mask) == ruleset.canonical(start)
            for start, (game, mask) in zip(starts, self._starts, strict=True)
        )

    @property
    def fits(self) -> bool:
        """Whether the compiled loop can explore this game from all starts.

        The answer is yes under three conditions. :func:`fits_loops` says yes. Each start is one component with a move
        (in an undivided game: any set of cells), and has the same canonical form on its own board as on the largest
        one. The class of the rules is in this package, or has the ``options`` and ``canonical`` of
        :class:`MaskRuleset`.
        """
        kind, game = type(self._ruleset), self._game
        overridden = kind.options is not MaskRuleset.options or kind.canonical is not MaskRuleset.canonical
        foreign = overridden and not kind.__module__.startswith("graphgame.")
        if not fits_loops(game) or foreign or not self._keeps_forms:
            return False
        return all(self._undivided or [*game.components(mask)] == [mask] for _, mask in self._starts)

    @property
    def _undivided(self) -> bool:
        """Whether a position is one vertex even if its cells are not connected, as in Chomp."""
        return self._game.whole and type(self._ruleset).options is not MaskRuleset.options

    def run(self) -> GameGraph | None:
        """Return the graph of all positions that the starts lead to, with the starts as tokens.

        The result is None if two vertices have the same label. Raises LimitError if the graph is too large.
        """
        words = words_for(self._game.cells)
        masks = [mask for _, mask in self._starts]
        self._limits.refuse_larger(self._ruleset, [self._ruleset.off_board(self._largest, mask) for mask in masks])
        board = board_arrays(self._ruleset.canonical_game(self._largest), words)
        # A search drops positions that a symmetry proves to be P-positions; a graph needs them as vertices.
        board.rules[PAIRS_UP] = 0
        board.rules[WHOLE] = self._undivided
        forms = masks_of(masks, words)
        runner(canonical_loop, COMPILED_FROM)(forms, board)
        starts = numbers_of(forms, words)
        numbers = {form: number for number, form in enumerate(dict.fromkeys(starts))}
        rows = self._explored(board, masks_of(numbers, words))
        _, count, moves = rows.state.tolist()
        tokens = list(map(self._name, starts))
        number_of = {token: numbers[form] for token, form in zip(tokens, starts, strict=True)}
        ends = rows.ends[: count + 1].copy()
        parts = rows.parts[: ends[-1]].copy()
        labels = MaskLabels(rows.masks[:count].copy(), words, ends, parts, self._name, number_of)
        # Two vertices can have the same label in two cases: under rules of a user, and for positions in a single row
        # in NoGo on a board of several rows and columns. There the label has one stone for each block, but the mask has
        # all stones of the block. Such positions occur only if squares are missing from the start.
        own, game = type(self._ruleset).__module__.startswith("graphgame."), self._game
        missing = any(mask != game.everything for mask in masks)
        if not own or (game.liberties and missing and not game.shortened):
            with rarely_collecting():
                if len(set(labels)) < len(labels):
                    return None
        stops, targets = rows.stops[: count + 1].copy(), rows.targets[:moves].copy()
        return GameGraph.from_rows(stops, targets, labels, sums=np.diff(ends) > 0, tokens=tokens, overwrite=True)

    def _explored(self, board: Board, starts: np.ndarray) -> VertexRows:
        """Return all vertices that the starts lead to, and their moves. ``starts`` has distinct canonical masks."""
        ends, stops, empty = np.zeros(len(starts) + 1, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int32)
        new_parts, state = np.zeros(self._game.cells, np.int64), np.array([0, len(starts), 0])
        # A vertex may add, for each of its moves, the option and all components of the option.
        most = len(board.needs) * (self._game.cells + 1)
        rows = _with_room(
            VertexRows(starts, ends, empty, empty, empty, stops, new_parts, state),
            max(_FIRST_ROOM, 1 << (4 * most).bit_length(), 1 << (2 * len(starts)).bit_length()),
        )
        explored, count = 0, len(starts)
        while explored < count:
            before = explored
            runner(explore_loop, COMPILED_FROM)(board, rows, _VERTICES_A_CALL)
            explored, count, moves = rows.state.tolist()
            self._check_limits(explored, count, moves)
            # If the loop stopped early, there may be no room for the moves of the next vertex: double the room.
            if explored < min(before + _VERTICES_A_CALL, count):
                rows = _with_room(rows, 2 * len(rows.masks))
        return rows

    def _check_limits(self, explored: int, count: int, moves: int) -> None:
        if self._progress is not None:
            self._progress(count, moves)
        if count > self._limits.positions or moves > self._limits.moves:
            raise self._limits.exceeded(count, moves, explored)

    def _name(self, mask: int) -> Hashable:
        return self._ruleset.canonical(self._ruleset.off_board(self._largest, mask))


def longer(array: np.ndarray, length: int) -> np.ndarray:
    """Return a copy of an array, extended with zeros to ``length`` rows."""
    copied = np.zeros((length, *array.shape[1:]), array.dtype)
    copied[: len(array)] = array
    return copied


def _with_room(rows: VertexRows, room: int) -> VertexRows:
    """Return a copy of ``rows`` with room for ``room`` vertices and their edges.

    The copy has a new, larger hash table with all vertices of ``rows``.
    """
    # Expect up to 16 edges and 4 parts for each vertex. At most half of the slots are taken, to keep probes short.
    rows = rows._replace(
        masks=longer(rows.masks, room),
        ends=longer(rows.ends, room + 1),
        parts=longer(rows.parts, 4 * room),
        slots=np.zeros(2 * room, np.int32),
        targets=longer(rows.targets, 16 * room),
        stops=longer(rows.stops, room + 1),
    )
    runner(fill_slots_loop, COMPILED_FROM)(rows)
    return rows


def explored_cells(
    ruleset: MaskRuleset, starts: list[Hashable], limits: Limits, progress: Progress | None
) -> GameGraph | None:
    """Return the graph of all positions of a placement game that the starts lead to, with the starts as tokens.

    First explore up to 2048 positions in plain Python. If the game has more, start again with the compiled loop. Raises
    LimitError if the graph exceeds the limits.

    The result is None if the caller must explore the game in plain Python. This is so if the rules raise an error for a
    start, if the limit is at most 2048 positions, if the loop cannot handle the game, or if two vertices of the loop's
    graph have the same label.
    """
    try:
        exploration = MaskExploration(ruleset, starts, limits, progress)
    except (Exception, SystemExit):
        # The caller's exploration in plain Python will meet the same error, and report it properly.
        return None
    if limits.positions <= _PLAIN_POSITIONS or not exploration.fits:
        return None
    try:
        return Exploration(ruleset, limits._replace(positions=_PLAIN_POSITIONS), None).run(starts)
    except LimitError:
        return exploration.run()
