"""Games on boards: Cram, Clobber, NoGo and Amazons, whose board falls apart into regions; and Notakto.

A region is a connected set of squares that are still in play. Its text is the smallest rectangle that contains it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import count, product, repeat
from typing import ClassVar, Literal

from graphgame.errors import Message, ParseError, plural
from graphgame.games.cutting import sides
from graphgame.labs.bitboards.board_text import (
    Board,
    board_way,
    next_to_each_other,
    read_board,
    smallest_rectangle,
    symmetries,
)
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset, bits
from graphgame.rules.parsing import fields, integer, placed
from graphgame.rules.pictures import Cell, SymmetryMap, Way
from graphgame.rules.ruleset import About, Sum, sum_of


class RegionBoard(MaskRuleset):
    """Rules of a placement game on a board that falls apart into regions. A position is one region.

    ``marks`` has a character for each state of a square. If a square has one cell, the states are: clear, set. If it
    has two cells, they are: both clear, only the first set, only the second set, both set. ``most`` is the largest
    number of squares of a board that :meth:`parse` reads, in play or not.
    """

    marks: ClassVar[str]
    most: ClassVar[int]

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the placement game on a board of this size. The cells of a square have successive numbers."""
        raise NotImplementedError

    def full(self, rows: int, columns: int) -> Iterator[str]:
        """Yield the rows, as text, of a board with all cells set: the board that a size such as ``3x4`` stands for."""
        return repeat(self.marks[-1] * columns, rows)

    def on_board(self, position: str, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return a game on whose board a region fits, and the mask of the region's cells on this board.

        The game is the first of ``games`` on whose board the region fits, perhaps turned or reflected. If the region
        fits on none of these boards, the game is the one on the region's own rectangle.
        """
        for game, board in product(games, symmetries(position)):
            rows, (height, width) = board.split("/"), game.grid or (0, 0)
            if len(rows) <= height and len(rows[0]) <= width:
                # The region goes to the top left corner, and its rows are filled up with squares that are out of play.
                # The rows below it need no filling: the first square is the lowest bit.
                return game, self._mask("".join(row.ljust(width, self.marks[0]) for row in rows))
        return self._game(position), self._mask(position.replace("/", ""))

    def off_board(self, position: str, mask: int) -> str:
        """Return the text of the region with the cells in ``mask``: the smallest rectangle around them.

        Bit c of the mask is cell c of a board that has the height and width of the text ``position``.
        """
        return _region(mask, _width(position), self.marks)

    def canonical(self, position: str) -> str:
        """Return the alphabetically first text among the region's turns and reflections."""
        return min(symmetries(position))

    def parse(self, text: str) -> Hashable:
        """Return the sum of those regions of a board in which a move is possible; ``marks[0]`` if there is none.

        The text is the size of a full board, such as ``3x4``, or rows with slashes between them. Raises ParseError for
        any other text, for more than ``most`` squares and, in NoGo, for a block without a free square beside it.
        """
        if text.strip()[:1].isdecimal():
            board = "/".join(self.full(*sides(text, most=self.most)))
        else:
            board = "/".join(read_board(text, {mark: mark for mark in sorted(self.marks, reverse=True)}))
        squares = board.replace("/", "")
        if len(squares) > self.most:
            raise ParseError("a board of {count} squares: expected at most {most}", len(squares), self.most, column=1)
        game, mask = self._game(board), self._mask(squares)
        if game.liberties and not game.has_liberties(mask):
            raise ParseError("a block of stones without a liberty: expected a free square beside each block", column=1)
        return sum_of((self.off_board(board, part) for part in game.components(mask)), self.marks[0])

    def format(self, position: str) -> str:
        return position

    def ways(self, position: str) -> Iterator[Way]:
        """Yield a :class:`Way` to make each move; ``Way.after`` shows the whole board after the move.

        Yield nothing if the board has no picture, because it is too large to draw.
        """
        game, mask = self.on_board(position)
        for (rest, _), option in zip(game.left(mask), self.options(position), strict=True):
            after = self.picture("/".join(_rows(rest, game.cells, _width(position), self.marks)))
            if after is not None:
                yield board_way(self, after, option, self.cells[self.marks[0]])

    def _game(self, board: str) -> MaskGame:
        return _game(type(self), _height(board), _width(board))

    def _mask(self, squares: str) -> int:
        """Return the mask of a board's set cells. The text of the board is ``squares``, without slashes.

        Each cell of a square has a bit; the first square has the lowest bits.
        """
        return int(squares.translate(_bits_of(self.marks))[::-1], 2)


def _height(board: str) -> int:
    return board.count("/") + 1


def _width(board: str) -> int:
    return (board + "/").index("/")


@lru_cache(maxsize=64)
def _game(rules: type[RegionBoard], rows: int, columns: int) -> MaskGame:
    return rules.game_on(rows, columns)


@lru_cache
def _bits_of(marks: str) -> dict[int, str]:
    """Map the code point of each mark to the state of its square: a digit for each cell, 1 if the cell is set.

    ``marks`` has the marks of the states 0 and 1 or, with two cells, of 00, 10, 01 and 11. If a mark occurs twice, its
    first occurrence counts.
    """
    return {ord(mark): _bits(number, marks) for number, mark in reversed([*enumerate(marks)])}


@lru_cache
def _marks_of(marks: str) -> dict[str, str]:
    """Map each state of a square, a text with a digit for each cell (1: set), to its mark.

    ``marks`` has the marks of the states 0 and 1 or, with two cells, of 00, 10, 01 and 11.
    """
    return {_bits(number, marks): mark for number, mark in enumerate(marks)}


def _bits(number: int, marks: str) -> str:
    return f"{number:0{len(marks) // 2}b}"[::-1]


def _rows(mask: int, cells: int, columns: int, marks: str) -> list[str]:
    """Return the rows, as text, of a board with ``columns`` squares in each row.

    ``mask`` has the set cells of the board, and ``cells`` is the number of all its cells. ``marks`` has a character for
    each state of a square, as in :class:`RegionBoard`.
    """
    squares = f"{mask:0{cells}b}"[::-1]
    if len(marks) == 2:
        squares = squares.translate(str.maketrans("01", marks))
    else:
        mark_of = _marks_of(marks)
        squares = "".join([mark_of[squares[start : start + 2]] for start in range(0, cells, 2)])
    return [squares[start : start + columns] for start in range(0, len(squares), columns)]


@lru_cache(maxsize=1 << 16)
def _region(mask: int, columns: int, marks: str) -> str:
    """Return the text of a region in its smallest rectangle.

    ``mask`` has the set cells of the region on a board with ``columns`` squares in each row. ``marks`` has a character
    for each state of a square, as in :class:`RegionBoard`. For the mask 0 the text is ``marks[0]``.
    """
    # Only the rows up to the last set cell are written: round the number of cells up to whole rows.
    row = columns * (len(marks) // 2)
    rows = _rows(mask, -(-mask.bit_length() // row) * row, columns, marks) if mask else []
    return smallest_rectangle(rows, marks[0])


class Cram(RegionBoard):
    """The rules of Cram: a move puts a domino on two free neighbouring squares.

    Examples
    --------
    >>> rules = Cram()
    >>> [rules.canonical(option) for option in rules.options("../..")]
    ['..', '..', '..', '..']
    >>> list(rules.options("......"))
    ['....', '...', Sum('..', '..'), '...', '....']
    """

    about = About(
        "Cram: put a domino, lying or standing, on two free neighbouring cells of the board.",
        "``cram(4x5)`` is an empty board of 4 rows of 5 cells; ``cram(..#/.#.)`` gives the rows, with ``.`` for a free "
        "cell and ``#`` for one that is taken. Connected free cells form a region. A position is one region, cut to "
        "its smallest rectangle. A single free cell is left out, because it has no move.",
        theorem="Let a half turn map a region to itself. If it maps no free cell to itself or to a neighbour, as on "
        "boards with two even sides, the region is P: answer each domino with its image. If a domino fits exactly on "
        "the centre, the region is N: begin there. 2xn has the value n mod 2; one row of n is Dawson's Kayles, 0.07.",
        source="M. Gardner, Cram, crosscram and quadraphage, Scientific American 230 (February 1974). J. Lemoine, S. "
        "Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012).",
    )

    cells: ClassVar = {".": "square", "#": "taken"}
    row_code = "0.07"

    marks, most = "#.", 256

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game of placing dominoes on a board. A cell is set if it is free."""
        return MaskGame.placing(rows, columns, ["oo"])

    def outcome_form(self, position: str) -> Literal["P", "N"] | None:
        """Return the outcome of a region that a half turn maps to itself; None for all other regions.

        The result is also None if the centre is a free cell, because then the half turn decides nothing.
        """
        if position != position[::-1]:
            return None
        height, width = _height(position), _width(position)
        # Can a domino overlap its image? With two even sides it cannot, because no cell is next to its image.
        # With one odd side, only the domino on the two central cells does: it is its own image, and ``central`` is the
        # first of its cells. With two odd sides, every domino on the central cell does.
        central = position[(height - 1) // 2 * (width + 1) + (width - 1) // 2]
        if central == "#" or height % 2 == width % 2 == 0:
            return "P"
        return None if height % 2 == width % 2 else "N"

    def reason(self, position: str) -> str | None:
        """Return a message that explains the outcome from :meth:`outcome_form`; None if that is None."""
        outcome = self.outcome_form(position)
        if outcome is None:
            return None
        if outcome == "P":
            return Message("each domino is answered by its image under a half turn")
        return Message("put a domino on the centre: each later domino is answered by its image under a half turn")


OTHER_COLOURS = str.maketrans("xo", "ox")


class Stones(RegionBoard):
    """Rules with stones of two colours, ``x`` and ``o``. Exchanging the colours is a symmetry of the game.

    Each square has two cells, one for each colour.
    """

    most = 128

    def canonical(self, position: str) -> str:
        """Return the alphabetically first text among the turns and reflections, with and without exchanged colours."""
        return min(symmetries(position) + symmetries(position.translate(OTHER_COLOURS)))

    def symmetry_map(self, position: str) -> SymmetryMap | None:
        """Return the map from the squares of the canonical position to those of this position.

        If the colours are exchanged, ``SymmetryMap.names`` pairs each stone with the stone of the other colour. Return
        None if no symmetry maps the position to the canonical one: in NoGo the canonical one may have fewer squares.
        """
        images = symmetries(position) + symmetries(position.translate(OTHER_COLOURS))
        canonical = self.canonical(position)
        if canonical not in images:
            return None
        number = images.index(canonical)
        # Turn a board with a different sign on each square: each sign then tells which square it comes from.
        signs = map(chr, count(ord("0")))
        board = "".join(mark if mark == "/" else next(signs) for mark in position)
        cells = (ord(sign) - ord("0") for sign in symmetries(board)[number % 8] if sign != "/")
        stones = Cell(self.cells["x"]), Cell(self.cells["o"])
        return SymmetryMap(tuple(cells), (stones, stones[::-1]) if number >= 8 else ())


def exchanged(squares: int) -> list[list[int]]:
    """Return a list whose only entry is a symmetry, the exchange of the colours: a list with the image of each cell.

    ``squares`` is the number of squares of the board. Each square has two cells.
    """
    return [[cell ^ 1 for cell in range(2 * squares)]]


class Clobber(Stones):
    """The rules of impartial Clobber: a stone moves onto a neighbouring stone of the other colour, and removes it.

    Examples
    --------
    >>> rules = Clobber()
    >>> list(rules.options("xoxo"))
    ['xxo', 'xo', '.', '.', 'xo', 'xoo']
    """

    about = About(
        "Impartial Clobber: move a stone onto a neighbouring stone of the other colour, which is removed.",
        "``clobber(3x4)`` is a board full of stones whose colours alternate; ``clobber(xo./.xo)`` gives the rows, with "
        "``x`` and ``o`` for stones and ``.`` for an empty square. Connected stones form a region. A position is one "
        "region, cut to its smallest rectangle. A region with stones of only one colour is left out: it has no move.",
        theorem="The two colours play the same role: a position with exchanged colours has the same value.",
        source="M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, Integers 5 "
        "(2005).",
    )

    cells: ClassVar = {".": "square", "x": "cross", "o": "coin"}
    marks = ".xo."

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game on a board. Cell 2s + k is set if square s has a stone of colour k."""
        squares, moves = rows * columns, []
        for (a, b), colour in product(next_to_each_other(rows, columns), (0, 1)):
            # A stone of this colour on square a moves onto a stone of the other colour on square b.
            both = 1 << 2 * a + colour | 1 << 2 * b + 1 - colour
            moves.append((both, both, 1 << 2 * b + colour))
        return MaskGame(2 * squares, moves, symmetries=exchanged(squares), grid=(rows, columns))

    def full(self, rows: int, columns: int) -> Iterator[str]:
        """Yield the rows of a board full of stones, coloured like a chessboard. The first stone is ``x``."""
        return (("xo" * columns)[row % 2 : row % 2 + columns] for row in range(rows))


_SEVERAL_STONES = re.compile(r"(x|o)\1+")


class NoGo(Stones):
    """The rules of impartial NoGo: a move puts a stone of either colour on a free square.

    After the move each block, the connected stones of one colour, must have a free square beside it.

    Examples
    --------
    >>> rules = NoGo()
    >>> list(rules.options("...."))
    ['x...', 'o...', '.x..', '.o..', '..x.', '..o.', '...x', '...o']
    >>> rules.canonical("xx.o..")
    '..o.x'
    """

    about = About(
        "Impartial NoGo: put a stone of any colour on a free square, so that each block has a free square beside it.",
        "A block is all connected stones of one colour; a free square beside it is a liberty. Nothing is ever "
        "captured: a move that would leave some block of either colour without a liberty is not allowed. ``nogo(2x4)`` "
        "is an empty board; ``nogo(x../.o.)`` gives the rows, with ``x`` and ``o`` for stones, ``.`` for a free square "
        "and ``#`` for one that is not part of the board. Connected free squares and the blocks beside them form a "
        "region. A position is one region, cut to its smallest rectangle. A region without a move, such as a single "
        "free square, is left out.",
        theorem="A move that is not allowed never becomes allowed. The two colours play the same role, and in a row a "
        "block can be replaced by one stone. The values of rows of 1, 2, 3, ... squares begin 0, 1, 0, 1, 2, 0, 1, 0, "
        "1, 2, 3, 1; no period is known.",
        source="C.-W. Chou, O. Teytaud, S.-J. Yen, Revisiting Monte-Carlo tree search on a normal form game: NoGo, "
        "EvoApplications 2011. Impartial NoGo: the results of MCGS, University of Alberta (2025).",
    )

    cells: ClassVar = {".": "square", "x": "cross", "o": "coin", "#": "blank"}
    marks = "#xo."

    @classmethod
    def game_on(cls, rows: int, columns: int) -> MaskGame:
        """Return the game on a board. Cell 2s + k is set if square s is free or has a stone of colour k.

        So both cells of a free square are set, and a move clears one of them.
        """
        squares = range(rows * columns)
        near = [3 << 2 * square for square in squares for _ in (0, 1)]
        for (a, b), colour in product(next_to_each_other(rows, columns), (0, 1)):
            near[2 * a + colour] |= 1 << 2 * b + colour
        # A move clears the cell of one colour: it puts a stone of the other colour. So (1, 0) lists x before o.
        moves = ((3 << 2 * square, 1 << 2 * square + colour) for square in squares for colour in (1, 0))
        symmetries = exchanged(rows * columns)
        return MaskGame(len(near), moves, symmetries=symmetries, grid=(rows, columns), near=near, liberties=True)

    def canonical(self, position: str) -> str:
        """Return the alphabetically first text among the symmetric images of a region.

        The images are turns and reflections, with and without exchanged colours. If the region is a single row or
        column, each block of stones of one colour is first replaced by one stone, which does not change the value,
        and the text is a row.
        """
        if min(_height(position), _width(position)) > 1:
            return super().canonical(position)
        row = _SEVERAL_STONES.sub(r"\1", position.replace("/", ""))
        return min(image for turned in (row, row[::-1]) for image in (turned, turned.translate(OTHER_COLOURS)))


_MOST_SQUARES = 100
_FREE_BITS, _AMAZON_BITS = str.maketrans("./#Q", "1000"), str.maketrans("./#Q", "0001")
_MARKS = str.maketrans("012", "#.Q")


class Amazons(Board):
    """The rules of impartial Amazons: an amazon moves like a chess queen, then burns a square.

    From its new square, the amazon must be able to move to the square that it burns.

    Examples
    --------
    >>> rules = Amazons()
    >>> sorted(map(str, set(rules.options("Q.."))))
    ['#', '.Q', 'Q.']
    """

    about = About(
        "Impartial Amazons: move an amazon as a chess queen, then let it burn a square that it could move to from "
        "there.",
        "Either player may move any amazon. ``amazons(Q.../..../...Q)`` gives the rows, with ``Q`` for an amazon, "
        "``.`` for a free square and ``#`` for a burnt one, which no amazon can cross. Connected squares that are not "
        "burnt form a region. A position is one region, cut to its smallest rectangle. A region where no amazon can "
        "move is left out.",
        theorem="Each move burns a square, so a value is at most the number of free squares. In a row a lone amazon "
        "has exactly this value: it can move to one end, and leave any smaller number of free squares. No other "
        "formula is known.",
        source="W. Zamkauskas, El Juego de las Amazonas, El Acertijo 4 (1992). A. N. Siegel, CGSuite, "
        "Amazons.ImpartialVariant.",
    )

    cells: ClassVar = {".": "square", "#": "taken", "Q": "coin"}

    def options(self, position: str) -> Iterator[Hashable]:
        _, _, stride = _squares_of(position)
        for free, amazons, _ in _amazon_moves(position):
            yield sum_of(_regions(free, amazons, stride), "#")

    def closed_form(self, position: str) -> int | None:
        """Return the value of a row or column with one amazon: its number of free squares.

        Return 0 for ``#``, and None for all other regions.
        """
        # The index of the first slash is -1 for a row (there is none), and 1 for a column.
        return None if position.find("/") > 1 or position.count("Q") > 1 else position.count(".")

    def reason(self, position: str) -> str | None:
        """Return a message that explains the value from :meth:`closed_form`; None if that is 0 or None."""
        value = self.closed_form(position)
        if not value:
            return None
        squares = plural(value, "free square")
        return Message(
            "the board is a row or column with one amazon and {squares}, and this number is the value", squares
        )

    def canonical(self, position: str) -> str:
        """Return the turn or reflection with the fewest rows; among several, the alphabetically first text."""
        return min(symmetries(position), key=lambda board: (board.count("/"), board))

    def mobility(self, position: str) -> int:
        """Return the number of free squares, as an estimate of how long play lasts."""
        return position.count(".")

    def parse(self, text: str) -> Hashable:
        """Return the sum of those regions of a board in which an amazon can move. The text has slashes between rows.

        If there is no such region, return ``#``. Raises ParseError if the board has more than 100 squares, or if the
        text is not a board.
        """
        rows = read_board(text, {".": ".", "#": "#", "Q": "Q", "q": "Q"})
        squares = len(rows) * len(rows[0])
        if squares > _MOST_SQUARES:
            raise ParseError("a board of {count} squares: expected at most {most}", squares, _MOST_SQUARES, column=1)
        return sum_of(_regions(*_squares_of("/".join(rows))), "#")

    def ways(self, position: str) -> Iterator[Way]:
        """Yield a :class:`Way` to make each move. The player touches the start, the end, and the square to burn.

        Yield nothing if the board has no picture, because it is too large to draw.
        """
        _, _, stride = _squares_of(position)
        squares = [index for index, mark in enumerate(position) if mark != "/"]
        for free, amazons, steps in _amazon_moves(position):
            after = self.picture("/".join(_rows_of_amazons(free, amazons, stride, _height(position))))
            if after is not None:
                option = sum_of(_regions(free, amazons, stride), "#")
                # Bit 0 is the last character of the text. A slash has a bit, but no cell in the picture.
                touched = tuple(squares.index(len(position) - step.bit_length()) for step in steps)
                yield board_way(self, after, option, self.cells["#"], touched)


def _squares_of(position: str) -> tuple[int, int, int]:
    """Return the masks of the free squares and of the amazons, and the stride: one more than the number of columns.

    The last square is the lowest bit. A bit that is never set lies between two rows, so that a shift by one never leads
    from one row into the next.
    """
    stride = _width(position) + 1
    return int(position.translate(_FREE_BITS), 2), int(position.translate(_AMAZON_BITS), 2), stride


def _amazon_moves(position: str) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
    """Yield each move as the masks of the free squares and of the amazons after it, and a tuple of three squares.

    The three squares, each a mask with one bit, are the start of the amazon, its end, and the square that it burns.
    """
    free, amazons, stride = _squares_of(position)
    for number in bits(amazons):
        start = 1 << number
        for end in _queen_moves(start, free, stride):
            # The square that the amazon has left is free: the amazon may burn it, or a square behind it.
            free_after = free ^ start ^ end
            for burnt in _queen_moves(end, free_after, stride):
                yield free_after ^ burnt, amazons ^ start ^ end, (start, end, burnt)


def _queen_moves(start: int, free: int, stride: int) -> Iterator[int]:
    """Yield each square to which a queen can move from ``start`` over free squares. Squares are masks with one bit.

    ``stride`` is the number of columns plus 1, as in :func:`_squares_of`.
    """
    # The steps lead along the row, one diagonal, the column and the other diagonal, each in both directions.
    for step in (1, stride - 1, stride, stride + 1):
        end = start << step
        while end & free:
            yield end
            end <<= step
        end = start >> step
        while end & free:
            yield end
            end >>= step


def _regions(free: int, amazons: int, stride: int) -> Iterator[str]:
    """Yield the text of each region where an amazon can move.

    ``free`` and ``amazons`` are the masks of the board, and ``stride`` is its number of columns plus 1.
    """
    unassigned = free | amazons
    while unassigned:
        # Grow a region of free squares and amazons from its lowest square: sideways, then up, down and diagonally.
        region, grown = 0, unassigned & -unassigned
        while grown != region:
            region = grown
            grown |= grown << 1 | grown >> 1
            grown |= grown << stride | grown >> stride
            grown &= unassigned
        unassigned ^= region
        if region & free and region & amazons:
            yield _region_of_amazons(region & free, region & amazons, stride)


@lru_cache(maxsize=1 << 16)
def _region_of_amazons(free: int, amazons: int, stride: int) -> str:
    """Return the text of a region in its smallest rectangle.

    The masks of its free squares and of its amazons have no square in common. ``stride`` is the number of columns of
    the board plus 1.
    """
    height = -(-(free | amazons).bit_length() // stride)
    return smallest_rectangle(_rows_of_amazons(free, amazons, stride, height), "#")


def _rows_of_amazons(free: int, amazons: int, stride: int, height: int) -> list[str]:
    """Return the ``height`` rows of a board as text.

    The masks of its free squares and of its amazons have no square in common. ``stride`` is the number of columns
    plus 1.
    """
    # Write a hexadecimal digit for each square: 0 if burnt, 1 if free, 2 for an amazon. Each row begins with one more
    # digit, for the bit that is never set.
    digits = f"{int(f'{free:b}', 16) + 2 * int(f'{amazons:b}', 16):0{height * stride}x}".translate(_MARKS)
    return [digits[start + 1 : start + stride] for start in range(0, len(digits), stride)]


_MOST_BOARDS = 1000
_EMPTY = ".../.../..."
_DEAD = "XXX/.../..."
# The eight lines whose three X make a board dead, as indices in its text: a row and its slash take 4 characters.
_LINES = [(a, a + 1, a + 2) for a in (0, 4, 8)] + [(a, a + 4, a + 8) for a in (0, 1, 2)] + [(0, 5, 10), (2, 5, 8)]
_CELLS = {".": ".", "-": ".", "X": "X", "x": "X"}


class Notakto(Board):
    """The rules of Notakto: a move writes an X on a free square of a 3x3 board.

    A position is one board. A board is dead, and has no moves, if a row, column or diagonal has three X.

    Examples
    --------
    >>> rules = Notakto()
    >>> sorted({rules.canonical(option) for option in rules.options(rules.start)})
    ['.../.../..X', '.../.../.X.', '.../.X./...']
    """

    about = About(
        "Notakto: both players write X on boards of 3x3; a board with three X in a row is dead.",
        "By custom the game is misère (``--misere``): whoever kills the last board loses. ``notakto(3)`` has three "
        "empty boards; ``notakto(.X./.../..X, .../.../...)`` has two boards given by their rows.",
        theorem="On one or more empty boards, misère, the first player wins exactly when their number is odd. The "
        "misère quotient has 18 elements.",
        source="T. E. Plambeck, G. Whitehead, The secrets of Notakto: winning at X-only tic-tac-toe, arXiv:1301.1672 "
        "(2013).",
    )

    start = _EMPTY
    cells: ClassVar = {".": "square", "X": "cross"}

    def options(self, position: str) -> Iterator[str]:
        """Yield the boards with one more X; none if a row, column or diagonal of the board has three X."""
        if _is_dead(position):
            return
        for index, cell in enumerate(position):
            if cell == ".":
                yield f"{position[:index]}X{position[index + 1 :]}"

    def canonical(self, position: str) -> str:
        """Return the alphabetically first text among the turns and reflections; one fixed board for all dead boards."""
        return _DEAD if _is_dead(position) else min(symmetries(position))

    def parse(self, text: str) -> Hashable:
        """Return a sum of boards. The text is a number, for this many empty boards, or boards with commas between them.

        A list of one board gives this board, not a sum. Raises ParseError if a board is not 3 rows of 3 squares.
        """
        if text.strip()[:1].isdecimal():
            return Sum([_EMPTY] * integer(text, what=Message("the number of boards"), most=_MOST_BOARDS))
        boards = []
        for part, start in fields(text):
            with placed(start):
                rows = read_board(part, _CELLS)
            if len(rows) != 3 or len(rows[0]) != 3:
                raise ParseError("expected a board of 3 rows of 3 cells, such as .X./.../..X", column=start + 1)
            boards.append("/".join(rows))
        return sum_of(boards)


def _is_dead(board: str) -> bool:
    """Return True if a row, column or diagonal of a board has three X."""
    return any(board[a] == board[b] == board[c] == "X" for a, b, c in _LINES)
