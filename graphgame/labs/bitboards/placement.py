"""Placement games on bitboards: a move needs some cells to be set, clears some cells, and may set other cells.

A set of cells is written as a mask: an integer whose bit c stands for cell c. This module has masks and their images
under symmetries, the games (:class:`MaskGame`), and rules that are based on them (:class:`MaskRuleset`).

Two cells are connected if a move on one of them may affect a move on the other. A component is a maximal connected
subset of a set of cells, and the components of a position form a sum. The *rim* of a move consists of the neighbours of
the cells that it clears, and the cells that it sets. If a position is one component, each component after the move has
a cell of the rim, so the search for components starts there.

In a game with *liberties*, such as NoGo, square s has the cells 2s and 2s + 1, one for each colour. Both are set if the
square is free; if it has a stone, only the cell of the stone's colour is set. A liberty is a free square. A *block* is
a maximal connected set of stones of one colour. A move is legal only if each component after the move has a liberty.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import product
from operator import or_
from typing import Any, ClassVar

from graphgame.compiled.compiling import Array
from graphgame.errors import Message, ParameterError, ParseError, RulesetError
from graphgame.labs.bitboards.board_text import Board
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import Ruleset, sum_of

_MOST_SYMMETRIES = 256

Permutation = tuple[int, ...]
"""The mask of the image of each cell; 0 if the cell has no image."""


def bits(mask: int) -> Iterator[int]:
    """Yield the indices of the bits that are set in a mask, lowest first.

    Examples
    --------
    >>> list(bits(0b1011))
    [0, 1, 3]
    """
    # The lowest bit of a mask is mask & -mask.
    while mask:
        low = mask & -mask
        mask ^= low
        yield low.bit_length() - 1


def union(masks: Sequence[int], indices: int) -> int:
    """Return the union of some of the ``masks``: those whose indices are set as bits in ``indices``."""
    return reduce(or_, (masks[index] for index in bits(indices)), 0)


def reached(near: Sequence[int], start: int, within: int, wanted: int = -1) -> int:
    """Return the mask of the cells that can be reached from the cells in the mask ``start``, including these cells.

    A step leads from a cell to a neighbour in the mask ``within``. ``near`` has, for each cell, the mask of its
    neighbours. The search stops early, with the cells reached so far, when it has reached all cells of ``wanted``.
    """
    cells = frontier = start
    # In each round the lowest cell of the frontier is replaced by its new neighbours.
    while frontier and wanted & ~cells:
        low = frontier & -frontier
        new = near[low.bit_length() - 1] & within & ~cells
        cells |= new
        frontier ^= low | new
    return cells


def image_tables(images: Permutation) -> list[Permutation]:
    """Return a table for each byte of a mask, the lowest byte first. Entry b of a table is the image of the byte b.

    ``images`` has the mask of the image of each cell. :func:`image_of` uses the tables.
    """
    return [
        tuple(sum(images[start + bit] for bit in bits(byte) if start + bit < len(images)) for byte in range(256))
        for start in range(0, len(images), 8)
    ]


def image_of(mask: int, tables: list[Permutation]) -> int:
    """Return the image of a mask under a permutation, given the tables of the permutation from :func:`image_tables`.

    Examples
    --------
    >>> bin(image_of(0b011, image_tables((4, 2, 1))))
    '0b110'
    """
    image = 0
    for table in tables:
        image |= table[mask & 255]
        mask >>= 8
    return image


def turned(shape: str) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the sorted cells (row, column) of a shape in each of its eight turns and reflections.

    The shape is written as rows with slashes between them, with ``o`` for its cells. Results may be equal, if the shape
    is symmetric. Each has the least row 0 and the least column 0. Raises RulesetError if the shape has no cells.
    """
    cells = [
        (row, column) for row, line in enumerate(shape.split("/")) for column, mark in enumerate(line) if mark == "o"
    ]
    if not cells:
        raise RulesetError(
            "the shape {shape!r} has no cell: expected rows with an o for each cell, such as o./oo", shape
        )
    for swapped, down, right in product((False, True), (1, -1), (1, -1)):
        turned = [(down * b, right * a) if swapped else (down * a, right * b) for a, b in cells]
        top, left = min(row for row, _ in turned), min(column for _, column in turned)
        yield tuple(sorted((row - top, column - left) for row, column in turned))


def closed(symmetries: Iterable[Sequence[int]], cells: int) -> list[tuple[int, ...]]:
    """Return the group that some permutations of 0, ..., ``cells`` - 1 generate, without the identity.

    Raises ParameterError if one of them is not a permutation, or if the group has more than 256 elements, the identity
    included.
    """
    identity, generators = tuple(range(cells)), list[tuple[int, ...]]()
    group = {identity: None}
    for each in map(tuple, symmetries):
        if sorted(each) != [*identity]:
            raise ParameterError("invalid symmetries: expected permutations of 0..{cells}", cells - 1)
        if each in group:
            continue
        # The permutation is new, so it extends the group of the earlier ones: multiply each element by every generator
        # until no new element appears.
        generators.append(each)
        queue = [*group]
        for element in queue:
            products = (tuple(generator[cell] for cell in element) for generator in generators)
            new = [product for product in products if product not in group]
            group.update(dict.fromkeys(new))
            queue += new
            if len(group) > _MOST_SYMMETRIES:
                raise ParameterError("invalid symmetries: they generate more than {most} symmetries", _MOST_SYMMETRIES)
    return [each for each in group if each != identity]


def grid_symmetries(rows: int, columns: int, layers: int = 1) -> Iterator[Permutation]:
    """Yield the seven turns and reflections of a board, each as a tuple with the mask of the image of each cell.

    The identity is left out. A symmetry that swaps rows and columns maps only the cells in the largest square area at
    the top left; for all other cells the mask is 0. Each square of the board has ``layers`` cells with successive
    numbers.
    """
    side = min(rows, columns)
    for swapped, down, right in product((False, True), (False, True), (False, True)):
        if swapped or down or right:
            images = []
            for row, column, layer in product(range(rows), range(columns), range(layers)):
                a, b = (column, row) if swapped else (row, column)
                a, b = rows - 1 - a if down else a, columns - 1 - b if right else b
                inside = not swapped or max(row, column) < side
                images.append(1 << (a * columns + b) * layers + layer if inside else 0)
            yield tuple(images)


def domain_of(images: Permutation) -> int:
    """Return the mask of the cells that have an image. ``images`` has the mask of each cell's image, 0 for none."""
    return sum(1 << cell for cell, image in enumerate(images) if image)


def from_the_middle(squares: Iterable[int], rows: int, columns: int) -> tuple[bool, int]:
    """Return a sort key for a move that needs these squares; moves that cut a board in its middle have the least keys.

    The key is a pair. If the move extends further along the longer side of the board than along the shorter side, the
    first entry is True, and the second is twice the distance of the move's centre from the middle of the shorter side.
    Otherwise the first entry is False, and the second is twice the distance from the middle of the longer side.
    """
    heights, widths = zip(*(divmod(square, columns) for square in squares), strict=True)
    (long, sides), (short, _) = (
        ((widths, columns), (heights, rows)) if columns >= rows else ((heights, rows), (widths, columns))
    )
    along = max(long) - min(long) > max(short) - min(short)
    centred, side = (short, min(rows, columns)) if along else (long, sides)
    return along, abs(max(centred) + min(centred) - side + 1)


def _is_new_link(near: list[int], needed: int, put: int) -> bool:
    """Link the lowest needed cell of a move to those neighbours of the cells ``put`` that no needed cell is linked to.

    ``needed`` and ``put`` are the masks of the cells that the move needs and sets. ``near`` has the neighbours of each
    cell, and is changed in place. Return True if a link was added.
    """
    lacking = union(near, put) & ~union(near, needed) & ~needed
    lowest = needed & -needed
    near[lowest.bit_length() - 1] |= lacking
    for cell in bits(lacking):
        near[cell] |= lowest
    return lacking != 0


class MaskGame:
    """A placement game on a bitboard: its cells, moves and symmetries.

    Parameters
    ----------
    cells : int
        The number of cells.
    moves : iterable of tuple of int
        The moves, each as two or three masks: the cells that must be set, the cells that the move clears, and the
        cells that it sets. The cells that must be set are the cells that the move needs. A move must clear at least
        one of the cells that it needs, and more of them than the cells that it sets. It must not set a cell that it
        needs but does not clear. A compiled search first tries the moves whose options seem easiest to solve. Without a
        grid, it tries equally easy ones in this order.
    symmetries : iterable of sequence of int
        Permutations of the cells that map moves to moves, each given as the image of every cell. Their products are
        symmetries, too. There may be at most 256 altogether, the identity included.
    grid : tuple of int, optional
        The rows and columns of a board whose cells are numbered row by row from the top left. Each shift, turn or
        reflection of a move must be a move, too, if it stays on the board. Then turns, reflections and shifts on the
        board are symmetries, and among moves to options that seem equally easy to solve, a search first tries those in
        the middle. A square may have several cells, with successive numbers.
    near : sequence of int, optional
        For each cell, the mask of the cells that it is connected to. By default the cells that a move needs are
        connected to each other, and to the cells that the move changes. Also, if a cell is connected to a cell that a
        move sets, but to no cell that this move needs, it is connected to the lowest cell that the move needs.
    liberties : bool
        True if a move is not allowed when it leaves a component without a liberty, as in NoGo. A liberty is a free
        square: two cells 2s and 2s + 1 that are set, and that some move needs. Every move must need exactly one such
        pair, clear one of its cells but not both, and set none.
    whole : bool
        True if a search should compute the value of every position that it meets, instead of testing one value after
        another. This suits games that never fall apart, where a search cannot skip much.

    Raises
    ------
    ParameterError
        A move breaks a rule above or has a cell that does not exist, a symmetry is not a permutation of the cells, the
        ``symmetries`` generate more than 256, or the squares of the grid do not divide the cells evenly. Whether a
        symmetry, a shift or a turn maps moves to moves is not checked.

    Examples
    --------
    >>> kayles = MaskGame(5, [(pins, pins) for pins in (1, 2, 4, 8, 16, 3, 6, 12, 24)])
    >>> [list(map(bin, parts)) for parts in kayles.after(0b00111)]
    [['0b110'], ['0b100'], ['0b1', '0b100'], ['0b1'], ['0b11']]
    """

    def __init__(
        self,
        cells: int,
        moves: Iterable[tuple[int, ...]],
        *,
        symmetries: Iterable[Sequence[int]] = (),
        grid: tuple[int, int] | None = None,
        near: Sequence[int] | None = None,
        liberties: bool = False,
        whole: bool = False,
    ) -> None:
        self.cells = cells
        self.everything = (1 << cells) - 1
        self.grid = grid
        self.layers = 1
        self.liberties = liberties
        self.whole = whole
        self.moves = [self._checked(*move) for move in moves]
        self.turns: list[int] = []
        self.symmetries = [tuple(1 << cell for cell in each) for each in closed(symmetries, cells)]
        if grid is not None:
            self.layers = layers = max(1, cells // max(1, grid[0] * grid[1]))
            if grid[0] * grid[1] * layers != cells:
                raise ParameterError(
                    "invalid grid {grid}: expected rows and columns whose product divides {cells}, the number of cells",
                    grid,
                    cells,
                )
            self.moves.sort(key=lambda move: from_the_middle((cell // layers for cell in bits(move[0])), *grid))
            # The compiled loop uses sums of row and column numbers to see which turns and reflections can give the
            # canonical form. This does not work with other symmetries, or with several cells in a square.
            self.turns = [] if self.symmetries or layers > 1 else list(range(1, 8))
            turned = list(grid_symmetries(*grid, layers))
            turned += [
                tuple(image and turn[image.bit_length() - 1] for image in each)
                for each in self.symmetries
                for turn in turned
            ]
            self.symmetries += turned if self.turns else dict.fromkeys(turned)
        if near is not None:
            self.near = list(near)
        # The mask of the cells 2s and 2s + 1 is 3 times its lowest bit, and its length in bits is even.
        if liberties and any(
            put or need != 3 * (need & -need) or need.bit_length() % 2 or not need & ~clear
            for need, clear, put in self.moves
        ):
            raise ParameterError(
                "invalid move: with liberties=True a move must need the two cells 2s and 2s + 1 of one square s, clear "
                "one of them, and set none"
            )

    @classmethod
    def placing(cls, rows: int, columns: int, shapes: Iterable[str]) -> MaskGame:
        """Return the game in which a move covers free cells of a board with one of the given shapes.

        Each shape may be placed any number of times, turned or reflected. It is written as rows with slashes between
        them, with ``o`` for a cell that it covers. A cell of the game is set while it is free. Raises RulesetError if a
        shape covers no cell.

        Examples
        --------
        >>> len(MaskGame.placing(2, 3, ["oo"]).moves)
        7
        """
        placements: dict[int, None] = {}
        for shape in shapes:
            for covered in dict.fromkeys(turned(shape)):
                height, width = max(row for row, _ in covered) + 1, max(column for _, column in covered) + 1
                for top, left in product(range(rows - height + 1), range(columns - width + 1)):
                    placements[sum(1 << (top + row) * columns + left + column for row, column in covered)] = None
        return cls(rows * columns, [(mask, mask) for mask in placements], grid=(rows, columns))

    def _checked(self, needed: int, taken: int, put: int = 0) -> tuple[int, int, int]:
        if not needed & taken or put & needed & ~taken or put.bit_count() >= (needed & taken).bit_count():
            raise ParameterError(
                "invalid move: a move must clear at least one of the cells that it needs, set fewer cells than it "
                "clears of these, and not set a cell that it needs but does not clear"
            )
        if not 0 <= needed | taken | put <= self.everything:
            raise ParameterError("invalid move: expected cells in 0..{cells}", self.cells - 1)
        return needed, taken, put

    @cached_property
    def near(self) -> list[int]:
        """For each cell, the mask of the cells directly connected to it: the parameter ``near``, if it was passed.

        :class:`MaskGame` describes the default. A cell that some move needs is then also connected to itself.
        """
        near = [0] * self.cells
        for needed, taken, put in self.moves:
            for cell in bits(needed):
                near[cell] |= needed | taken | put
            for cell in bits((taken | put) & ~needed):
                near[cell] |= needed
        # If a move sets a cell, link the neighbours of this cell to the cells that the move needs. A new link can make
        # another link necessary, so start again after each. Add no other links: they would join independent components.
        while any(_is_new_link(near, needed, put) for needed, _, put in self.moves if put):
            pass
        return near

    @cached_property
    def starts(self) -> list[list[tuple[int, int, int, int]]]:
        """For each cell, the moves whose lowest needed cell it is, as masks (needs, clears, sets, rim).

        The rim has the neighbours of the cells that the move clears, and the cells that it sets. Each component that
        the move splits off or enlarges has a cell of the rim.
        """
        moves_at: list[list[tuple[int, int, int, int]]] = [[] for _ in range(self.cells)]
        for needed, taken, put in self.moves:
            rim = union(self.near, taken) | put
            moves_at[(needed & -needed).bit_length() - 1].append((needed, taken, put, rim))
        return moves_at

    @cached_property
    def alone(self) -> int:
        """The mask of the cells c for which some move needs only c."""
        return reduce(or_, (needed for needed, _, _ in self.moves if not needed & (needed - 1)), 0)

    @cached_property
    def tidied(self) -> bool:
        """Whether a search drops, after each move, the cells that no possible move needs.

        The answer is no if :attr:`may_be_stuck`, because then such cells may matter later. It is also no if each move
        needs at most two cells, and each pair of connected cells a, b has a move that needs exactly {a, b}, {a} or {b}.
        In all other games it is yes.
        """
        if self.may_be_stuck:
            return False
        needs = {needed for needed, _, _ in self.moves}
        pairs = {1 << a | 1 << b for a, near in enumerate(self.near) for b in bits(near & ~(1 << a))}
        return any(need.bit_count() > 2 for need in needs) or any(
            pair not in needs and not pair & self.alone for pair in pairs
        )

    def left(self, mask: int) -> Iterator[tuple[int, int]]:
        """Yield, for each legal move from the position ``mask``, the cells set after it and its rim, as two masks.

        Moves that clear the same cells and set the same cells count as one. The rim has the neighbours of the cleared
        cells, even those that are not set after the move, and the cells that the move sets. In a game with liberties
        ``mask`` must be one component.
        """
        seen: set[tuple[int, int]] = set()
        for cell in bits(mask):
            for needed, taken, put, rim in self.starts[cell]:
                if not needed & ~mask and (taken, put) not in seen:
                    seen.add((taken, put))
                    rest = mask & ~taken | put
                    if not self.liberties or self.has_liberties(rest, rim & rest):
                        yield rest, rim

    def has_liberties(self, mask: int, rim: int | None = None) -> bool:
        """Return True if each component of a set of cells has a liberty: both cells 2s and 2s + 1 of some square.

        ``rim`` may be any subset of these cells that has a cell of each component; by default it is all of them.
        """
        parts = self._all_components(mask, mask if rim is None else rim)
        return all(part & part >> 1 & self.sites for part in parts)

    @cached_property
    def sites(self) -> int:
        """The cells c, as a mask, such that a move needs c and c + 1. With liberties, c is cell 2s of a square s."""
        return reduce(or_, (needed & needed >> 1 for needed, _, _ in self.moves), 0)

    def after(self, mask: int) -> Iterator[tuple[int, ...]]:
        """Yield, for each legal move, the masks of the components that it leaves, without components that have no move.

        ``mask`` is the position, and must be one component.
        """
        for rest, rim in self.left(mask):
            yield tuple(self.components(rest) if self.tidied else self._components(rest, rim & rest or rest))

    def components(self, mask: int) -> Iterator[int]:
        """Yield the masks of those components of a set of cells in which a move is possible.

        Unless :attr:`may_be_stuck`, first drop the cells that no possible move needs.
        """
        if not self.may_be_stuck:
            needs = (need for cell in bits(mask) for need, _, _, _ in self.starts[cell] if not need & ~mask)
            mask = reduce(or_, needs, 0)
        return self._components(mask, mask)

    def _components(self, rest: int, rim: int) -> Iterator[int]:
        """Yield the components of ``rest`` in which a move is possible.

        ``rim`` must be a subset of ``rest`` that has a cell of each component.
        """
        # A component of one cell (with liberties: with one free square) has a move only if some move needs just this
        # cell. Larger components have a move, unless ``may_be_stuck`` is true: then try the moves of each component.
        for part in self._all_components(rest, rim):
            sites = part & part >> 1 & self.sites if self.liberties else part
            if (sites & (sites - 1) or sites & self.alone) and (not self.may_be_stuck or any(self.left(part))):
                yield part

    def _all_components(self, rest: int, rim: int) -> Iterator[int]:
        """Yield the components of the mask ``rest``, also those without a move.

        ``rim`` must be a subset of ``rest`` that has a cell of each component.
        """
        while rest:
            part = reached(self.near, rim & -rim, rest, rim)
            # If a component contains all of the rim, there is no other component.
            if not rim & ~part:
                part = rest
            rest ^= part
            rim = rim & rest or rest
            yield part

    @cached_property
    def may_be_stuck(self) -> bool:
        """Whether a component of several cells may have no legal move.

        The answer is yes if some move sets cells, or if the game has liberties. In a game with liberties a move is not
        legal if it leaves a component without a liberty.
        """
        return self.liberties or any(put for _, _, put in self.moves)

    def mobility(self, mask: int) -> int:
        """Return the number of legal moves from the position ``mask``.

        Moves that clear the same cells and set the same cells count as one.
        """
        return sum(1 for _ in self.left(mask))

    def canonical(self, mask: int) -> int:
        """Return the least mask among the images of a component under all symmetries.

        On a grid each image is shifted to the corner. If :attr:`shortened`, each block of stones is first replaced by
        one stone.
        """
        corner = self._cornered(self._shortened(mask) if self.shortened else mask)
        images = [image_of(corner, tables) for tables, domain in self._tables if not corner & ~domain]
        return min([corner, *map(self._cornered, images)])

    @cached_property
    def _tables(self) -> list[tuple[list[Permutation], int]]:
        return [(image_tables(images), domain_of(images)) for images in self.symmetries]

    @cached_property
    def shortened(self) -> bool:
        """Whether a block of stones of one colour can be replaced by a single stone.

        The answer is yes in a game with liberties on a grid of one row or column whose cells are connected as in NoGo.
        """
        if not self.liberties or self.grid is None or min(self.grid) > 1:
            return False
        row = [(1 << cell + 2 | 1 << cell >> 2) & self.everything | 3 << cell - cell % 2 for cell in range(self.cells)]
        return self.near == row

    def _shortened(self, mask: int) -> int:
        """Return the mask of a position after each block, a run of stones of one colour, is replaced by one stone.

        The board must have one row or one column. A stone is a square s of whose cells 2s and 2s + 1 only one is set:
        the cell of its colour. The squares behind a removed stone move forward to close the gap.
        """
        # A free square has both its cells set. Of two neighbouring stones of one colour (cells c and c + 2), cut out
        # the lower square. The loop goes from the highest square down, so that lower squares keep their numbers.
        free = mask & mask >> 1 & self.sites
        stones = mask & ~(3 * free)
        for site in reversed([cell // 2 for cell in bits(stones & stones >> 2)]):
            mask = mask & (1 << 2 * site) - 1 | mask >> 2 * site + 2 << 2 * site
        return mask

    def _cornered(self, mask: int) -> int:
        """Return a mask shifted on the grid as far up and left as possible; unchanged if there is no grid."""
        if self.grid is None or not mask:
            return mask
        row, column, stride = self.corner
        while not mask & row:
            mask >>= stride
        while not mask & column:
            mask >>= self.layers
        return mask

    @cached_property
    def corner(self) -> tuple[int, int, int]:
        """The masks of the first row and of the first column of the grid, and the number of cells in a row.

        Without a grid all three are 0.
        """
        rows, columns = self.grid or (0, 0)
        stride = columns * self.layers
        return (1 << stride) - 1, sum((1 << self.layers) - 1 << row * stride for row in range(rows)), stride


_NO_CELLS = "none"


class MaskRuleset(Board):
    """Rules of a placement game on a bitboard, described by a :class:`MaskGame`, for which searches are compiled.

    A position is the mask of the set cells of one component, and :meth:`canonical` returns the least of its images. On
    a grid the text of a position is its rows, such as ``..#/.#.``, with ``.`` for a set cell. Without a grid the text
    lists the numbers of the set cells, such as ``0,2,5``, or is ``none``. A subclass whose squares have several cells
    must define its own :meth:`parse` and :meth:`format`.

    Attributes
    ----------
    game : MaskGame

    Examples
    --------
    >>> class Trominoes(MaskRuleset):
    ...     game = MaskGame.placing(4, 4, ["ooo", "oo/o."])
    >>> from graphgame import explore, solve
    >>> rules = Trominoes()
    >>> solve(explore(rules, rules.start)).grundy[rules.start]
    2
    """

    game: MaskGame
    cells: ClassVar = {".": "square", "#": "taken"}

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The position with all cells set, as a sum of components; None if the class has no ``game``."""
        return self.parse("") if hasattr(self, "game") else None

    def on_board(self, position: Any, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:  # noqa: ANN401
        """Return a :class:`MaskGame` in which a position occurs, and the mask of the position in this game.

        A subclass with a game for each board should return one of ``games`` on whose board the position fits or, if it
        fits on none of them, the game of the position's own board.
        """
        return self.game, position

    def off_board(self, position: Any, mask: int, /) -> Hashable:  # noqa: ANN401
        """Return the position that has this mask in the game of ``position``. The mask is one component, or 0."""
        return mask

    def canonical_game(self, position: Any, /) -> MaskGame:  # noqa: ANN401
        """Return the game of a position, with exactly the symmetries that :meth:`canonical` uses.

        So two positions have the same canonical mask in this game exactly when :meth:`canonical` returns the same
        position for them.
        """
        return self.on_board(position)[0]

    def options(self, position: Any, /) -> Iterator[Hashable]:  # noqa: ANN401
        """Yield each move's option: the sum of the components that still have a move, or the position without cells."""
        game, mask = self.on_board(position)
        for parts in game.after(mask):
            yield sum_of((self.off_board(position, part) for part in parts), self.off_board(position, 0))

    def canonical(self, position: Any, /) -> Hashable:  # noqa: ANN401
        """Return the canonical position: its mask is the result of :meth:`MaskGame.canonical`."""
        game, mask = self.on_board(position)
        return self.off_board(position, game.canonical(mask))

    def mobility(self, position: Any, /) -> int:  # noqa: ANN401
        """Return the number of moves; moves that clear the same cells and set the same cells count as one."""
        game, mask = self.on_board(position)
        return game.mobility(mask)

    def parse(self, text: str, /) -> Hashable:
        """Return the position in which the cells that a text names are set, as a sum of components.

        If the text is empty, all cells are set. Components without a move are left out; if none has a move, the result
        is 0. Raises RulesetError if the class has no ``game``, and ParseError if the text is malformed or names a cell
        that does not exist.
        """
        if not hasattr(self, "game"):
            raise RulesetError(
                "the class {kind} has no attribute game: define one, such as game = MaskGame(cells, moves)",
                type(self).__name__,
            )
        cells = self._cells_of(text) if text.strip() else range(self.game.cells)
        return sum_of(self.game.components(sum(1 << cell for cell in set(cells))), 0)

    def _cells_of(self, text: str) -> Iterator[int]:
        """Yield the numbers of the cells that a text names; raise ParseError for malformed text or an unknown cell."""
        if self.game.grid is None:
            for piece, start in fields(text) if text.strip() != _NO_CELLS else ():
                yield integer(piece, start, what=Message("a cell's number"), least=0, most=self.game.cells - 1)
            return
        rows, columns = self.game.grid
        lines = text.strip().split("/")
        if len(lines) != rows or any(len(line) != columns or line.strip(".#") for line in lines):
            raise ParseError(
                "expected {rows} rows of {columns} cells, each . or #, with / between the rows", rows, columns, column=1
            )
        yield from (cell for cell, mark in enumerate("".join(lines)) if mark == ".")

    def format(self, position: Any, /) -> str:  # noqa: ANN401
        """Return the rows of the grid as text; without a grid, the numbers of the set cells, or ``none``."""
        if self.game.grid is None:
            return ",".join(map(str, bits(position))) if position else _NO_CELLS
        rows, columns = self.game.grid
        marks = "".join("." if position >> cell & 1 else "#" for cell in range(rows * columns))
        return "/".join(marks[row * columns : (row + 1) * columns] for row in range(rows))

    def picture(self, position: Any, /) -> Picture | None:  # noqa: ANN401
        """Return the board as a picture; None without a grid, or if the board has more than 24 rows or columns."""
        return None if hasattr(self, "game") and self.game.grid is None else super().picture(position)


class TextRuleset(Ruleset):
    """Rules whose positions are texts in Latin-1 that end in ``!``. A search works on these texts directly.

    Positions that are equal by symmetry must have the same text. The text ``!`` is the position where play is over.
    """

    @abstractmethod
    def option_lines(self, text: bytes, /) -> tuple[Array, Array]:
        """Return the options of the position whose text is ``text``, and the mobility of their components.

        The first array has the bytes of a line for each option: the texts of its components, without separators, and a
        newline. An option where play is over is the line ``!``, as one component. Lines may be equal. The second array
        has the result of :meth:`mobility` for each component of each line, in the same order, and perhaps more entries,
        which have no meaning. The next call may overwrite both arrays.
        """
