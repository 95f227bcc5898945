"""Pictures of positions: cells with coordinates, and the moves that a player makes by touching cells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import cos, pi, sin
from numbers import Real
from typing import Literal, NamedTuple, get_args

from graphgame.errors import RulesetError

__all__ = [
    "Cell",
    "CellKind",
    "Picture",
    "SymmetryMap",
    "Way",
    "beside",
    "characters",
    "check_picture",
    "circle",
    "grid",
    "halves",
    "heap",
    "note",
    "row",
    "rows",
    "sheet",
]

CellKind = Literal[
    "arc",
    "blank",
    "coin",
    "colour",
    "cross",
    "cut",
    "edge",
    "ground",
    "heads",
    "note",
    "paper",
    "piece",
    "pin",
    "poison",
    "region",
    "square",
    "sweet",
    "tails",
    "taken",
    "token",
    "vertex",
]
"""What a cell shows.

Nothing (``blank``), words (``note``) or the line of a ``cut``; a ``piece`` or a ``pin`` on the table; a coin that shows
``heads`` or ``tails``; a ``square`` of a board, empty or with a ``coin``, a ``cross`` or a mark that it is ``taken``; a
square of ``paper``, of chocolate (``sweet``), or the poisoned one (``poison``). Pictures that are not grids also have a
``vertex``, empty or with a ``token``, an ``edge``, an ``arc`` (an edge with a direction), the ``ground``, a ``region``,
and a cell in a ``colour``.
"""

Place = tuple[float, ...]
"""Where a cell is: its centre ``(x, y)``, or the ends of a line or two corners of a region, ``(x1, y1, x2, y2)``.

x grows to the right, and y down. A line may have a fifth number, its bend: the middle lies 0.35 times this number to
the right of a straight line from (x1, y1) to (x2, y2), or to the left if it is negative.
"""

_PIECES_A_ROW = 5
MOST_PIECES = 40
MOST_CELLS_A_SIDE = 24
_LONGEST_SHEET_SIDE = 12
_MOST_PICTURES = 12


class Cell(NamedTuple):
    """A cell of a picture: its kind, and a text that, if not empty, is shown instead of the kind's usual mark."""

    kind: CellKind
    text: str = ""


_BLANK = Cell("blank")


class Picture(NamedTuple):
    """The picture of a position. A player touches its cells to move.

    Attributes
    ----------
    cells : tuple of Cell
    places : tuple of Place
        The coordinates of each cell (see ``Place``); the distance between neighbours in a grid is 1.

    Examples
    --------
    >>> heap(7).places[-1], [len(row) for row in heap(7).rows]
    ((1, 1), [5, 2])
    """

    cells: tuple[Cell, ...]
    places: tuple[Place, ...]

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...] | None:
        """The cells row by row from the top, with blank cells in the gaps; None if some place is not on a grid."""
        if any(len(place) > 2 or place[0] % 1 or place[1] % 1 for place in self.places):
            return None
        left, top = (min((place[axis] for place in self.places), default=0) for axis in (0, 1))
        lines: dict[int, dict[int, Cell]] = {}
        for cell, (x, y) in zip(self.cells, self.places, strict=True):
            lines.setdefault(int(y - top), {})[int(x - left)] = cell
        height = max(lines, default=-1) + 1
        return tuple(
            tuple(line.get(x, _BLANK) for x in range(max(line, default=-1) + 1))
            for line in (lines.get(y, {}) for y in range(height))
        )


class Way(NamedTuple):
    """One way to make a move on the picture of a position: which cells a player touches, and how they change.

    Attributes
    ----------
    option : hashable
        The option that the move leads to, as the rules list it.
    after : tuple of Cell or None
        The cells of this picture after the move, in their order; None if the option's own picture is drawn instead.
    touched : tuple of int
        The indices of the cells that a player touches to make the move; empty if these are the cells that change.
    line : Place
        The ends ``(x1, y1, x2, y2)`` of the line that a player touches to make a cut; ``()`` for other moves.
    origins : tuple of (tuple of int)
        A tuple for each part of the option. Its entry i is the index of the cell of this picture in the same place as
        cell i of the part's own picture; -1 if there is no such cell. Empty if this is not known.
    names : tuple of (Cell, Cell)
        Pairs (a, b) of different cells: a cell a of the option's own picture appears in this picture as b.
    """

    option: Hashable
    after: tuple[Cell, ...] | None = None
    touched: tuple[int, ...] = ()
    line: Place = ()
    origins: tuple[tuple[int, ...], ...] = ()
    names: tuple[tuple[Cell, Cell], ...] = ()


def whole_way(option: Hashable, board: Picture | None, touched: int) -> Way:
    """Return the way to an option by a touch of the cell with the index ``touched``; ``board`` is the option's picture.

    The cells of ``board`` must be in the same places as before the move. If it is None, the way has only the option.
    """
    if board is None:
        return Way(option)
    return Way(option, board.cells, (touched,), (), (tuple(range(len(board.cells))),))


class SymmetryMap(NamedTuple):
    """Which cells correspond in the pictures of a canonical position and of a position equal to it by symmetry.

    Attributes
    ----------
    cells : tuple of int
        For each cell of the canonical position's picture, the index of the corresponding cell in the other picture.
        Empty if this is not known.
    names : tuple of (Cell, Cell)
        Pairs (a, b) of different cells: a cell a of the canonical position's picture appears in the other as b.
    """

    cells: tuple[int, ...]
    names: tuple[tuple[Cell, Cell], ...] = ()


def rows(lines: Iterable[Iterable[Cell]]) -> Picture:
    """Return a picture with the given rows of cells from top to bottom; rows may differ in length.

    Examples
    --------
    >>> rows([[Cell("square"), Cell("coin")]]).places
    ((0, 0), (1, 0))
    """
    placed = [(cell, (x, y)) for y, line in enumerate(lines) for x, cell in enumerate(line)]
    return Picture(tuple(cell for cell, _ in placed), tuple(place for _, place in placed))


def grid(text: str, kinds: Mapping[str, CellKind]) -> Picture | None:
    r"""Return a picture with a row for each line of a text and a cell of kind ``kinds[c]`` for each character ``c``.

    None if the text has over 24 lines, or a line of over 24 characters. A character not in ``kinds`` is a KeyError.

    Examples
    --------
    >>> grid("xo\no", {"x": "poison", "o": "sweet"}).rows[1]
    (Cell(kind='sweet', text=''),)
    """
    cells = {character: Cell(kind) for character, kind in kinds.items()}
    return _of_characters(text, cells.__getitem__)


def characters(text: str) -> Picture | None:
    r"""Return a picture with a row for each line of a text and a note for each character, blank for a space.

    None if the text has more than 24 lines, or a line of more than 24 characters.

    Examples
    --------
    >>> characters("x o").rows
    ((Cell(kind='note', text='x'), Cell(kind='blank', text=''), Cell(kind='note', text='o')),)
    """
    return _of_characters(text, lambda c: Cell("blank" if c.isspace() else "note", c.strip()))


def _of_characters(text: str, cell: Callable[[str], Cell]) -> Picture | None:
    lines = text.split("\n")
    return None if max(len(lines), *map(len, lines)) > MOST_CELLS_A_SIDE else rows(map(cell, line) for line in lines)


def note(text: object) -> Picture:
    """Return a picture with a single cell: a note that shows ``str(text)``."""
    return rows([[Cell("note", str(text))]])


def heap(size: int, kind: CellKind = "piece") -> Picture:
    """Return a picture of a heap: its pieces in rows of five or, if its size is 0 or above 40, a note of the size.

    Examples
    --------
    >>> [len(row) for row in heap(7).rows], heap(10**18).rows
    ([5, 2], ((Cell(kind='note', text='1000000000000000000'),),))
    """
    if not 0 < size <= MOST_PIECES:
        return note(size)
    return Picture((Cell(kind),) * size, tuple((n % _PIECES_A_ROW, n // _PIECES_A_ROW) for n in range(size)))


def row(length: int, kind: CellKind) -> Picture:
    """Return a picture of ``length`` equal cells in a row; a note of the length if it is 0 or above 24."""
    return rows([[Cell(kind)] * length]) if 0 < length <= MOST_CELLS_A_SIDE else note(length)


def sheet(width: int, height: int, kind: CellKind) -> Picture:
    """Return a picture of a rectangle of equal cells; if a side is above 12, a single cell that shows the sides."""
    if max(width, height) > _LONGEST_SHEET_SIDE:
        return rows([[Cell(kind, f"{width}x{height}")]])
    return rows([[Cell(kind)] * width] * height)


def halves(parts: Sequence[tuple[int, int]], kind: CellKind) -> Picture | None:
    """Return a picture of two sheets side by side, with a column of ``cut`` cells between them.

    ``parts`` has the width and height of each sheet; sheets are turned so that their longest common side is the height.
    None if there are not two sheets, if they have no side in common, or if one has a side above 12.

    Examples
    --------
    >>> [cell.kind for cell in halves([(1, 2), (2, 2)], "paper").rows[0]]
    ['paper', 'cut', 'paper', 'paper']
    """
    common = set(parts[0]) & set(parts[1]) if len(parts) == 2 else None
    if not common or max(map(max, parts)) > _LONGEST_SHEET_SIDE:
        return None
    side = max(common)
    first, second = (sum(part) - side for part in parts)
    return rows([[*[Cell(kind)] * first, Cell("cut"), *[Cell(kind)] * second]] * side)


def circle(count: int, step: float = 1.3) -> tuple[Place, ...]:
    """Return the places of ``count`` cells in a circle, clockwise from the top, neighbours at least ``step`` apart."""
    radius = max(step / 2 / sin(pi / count), 0.8) if count > 1 else 0.0
    angles = (2 * pi * number / count for number in range(count))
    return tuple((round(radius * sin(angle), 3), round(-radius * cos(angle), 3)) for angle in angles)


def beside(
    pictures: Iterable[Picture | None], *, gap: float = 1, down: bool = False, most: int = _MOST_PICTURES
) -> Picture | None:
    """Join several pictures to one: side by side, with their lowest cells aligned, or one below the other.

    Parameters
    ----------
    pictures : iterable of Picture or None
    gap : float
        The empty space between two pictures; a cell is 1 wide.
    down : bool
        Whether each picture is placed below the one before it. Then no picture is moved to the left or right.
    most : int
        The limit on the number of pictures.

    Returns
    -------
    Picture or None
        None if a picture is None, if there are no pictures, or if there are more than ``most``.

    Examples
    --------
    >>> [[cell.kind for cell in row] for row in beside([heap(1), heap(2, "pin")]).rows]
    [['piece', 'blank', 'pin', 'pin']]
    """
    cells: list[Cell] = []
    places: list[Place] = []
    start: float = 0
    count = 0
    for count, picture in enumerate(pictures, 1):
        if picture is None or count > most:
            return None
        if picture.cells:
            (left, right), (top, bottom) = (_extent(picture, axis) for axis in (0, 1))
            shift = (0, start - top) if down else (start - left, -bottom)
            cells += picture.cells
            # The first four numbers of a place are coordinates; a fifth one is the bend of a line.
            places += [tuple(n + shift[i % 2] if i < 4 else n for i, n in enumerate(place)) for place in picture.places]
            start += (bottom - top if down else right - left) + 1 + gap
    return Picture(tuple(cells), tuple(places)) if count else None


def _extent(picture: Picture, axis: int) -> tuple[float, float]:
    """Return the smallest and the largest coordinate of the cells along an axis: 0 for x, 1 for y."""
    ends = [place[i] for place in picture.places for i in (axis, axis + 2) if i < min(len(place), 4)]
    return min(ends), max(ends)


def check_picture(picture: object) -> None:
    """Check the picture that a ruleset returned.

    Raises
    ------
    RulesetError
        It is no :class:`Picture`, it does not have one place for each cell, or a cell or a place is not valid.
    """
    placed = isinstance(picture, Picture) and len(picture.cells) == len(picture.places)
    if not isinstance(picture, Picture) or not placed or not all(map(_is_place, picture.places)):
        raise RulesetError(
            "a ruleset's picture is {picture!r}: expected a Picture with a Place, 2, 4 or 5 numbers, for each cell",
            picture,
        )
    kinds = get_args(CellKind)
    for cell in picture.cells:
        if not (isinstance(cell, Cell) and cell.kind in kinds and isinstance(cell.text, str)):
            raise RulesetError(
                "a cell of a picture is {cell!r}: expected a Cell of one of the kinds {kinds}", cell, ", ".join(kinds)
            )


def _is_place(place: object) -> bool:
    numbers = place if isinstance(place, tuple) and len(place) in (2, 4, 5) else (None,)
    return all(isinstance(number, Real) and number * 0 == 0 for number in numbers)  # finite
