"""What a position looks like on the table: cells and their places, and what a move does to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
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
    "heaps",
    "labelled_heap",
    "note",
    "row",
    "rows",
    "sheet",
    "strip",
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
"""What stands in a cell.

Nothing (``blank``), words (``note``) or the line of a ``cut``; a ``piece`` or a ``pin`` on the table; a coin that shows
``heads`` or ``tails``; a ``square`` of a board, alone or with a ``coin``, with a ``cross`` or ``taken``; a square of
``paper``, of chocolate (``sweet``), or one that nobody wants (``poison``). On boards that are no grid also: a
``vertex``, alone or with a ``token``, an ``edge`` or an ``arc`` with its direction, the ``ground``, a ``region``; and
what has a ``colour``.
"""

Place = tuple[float, ...]
"""Where the middle of a cell is, x to the right and y down, or the two ends of a line, perhaps with its bend."""

_A_ROW = 5
_MOST_PIECES = 40
_LONGEST = 24
_MOST_SIDE = 12
_MOST_PARTS = 12


class Cell(NamedTuple):
    """A cell: what stands in it, and words in place of its usual mark."""

    kind: CellKind
    text: str = ""


_BLANK = Cell("blank")


class Picture(NamedTuple):
    """A position as it looks on the table, and as one plays on it.

    Attributes
    ----------
    cells : tuple of Cell
    places : tuple of Place
        Where each cell is; neighbours are one apart.

    Examples
    --------
    >>> heap(7).places[-1], [len(row) for row in heap(7).rows]
    ((1, 1), [5, 2])
    """

    cells: tuple[Cell, ...]
    places: tuple[Place, ...]

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...] | None:
        """The cells row by row from the top, with blank ones between them; None where they stand on no grid."""
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
    """One way to make a move on the picture of a position: what a player touches, and what becomes of the cells.

    Attributes
    ----------
    option : hashable
        Where the move leads, as the rules give it.
    after : tuple of Cell or None
        What each cell of the picture shows after the move; None where the board is drawn again.
    touched : tuple of int
        The cells that stand for the move; none where it is those that it changes.
    line : Place
        The line of a cut, which stands for the move and stays; ``()`` where there is none.
    origins : tuple of (tuple of int)
        For each part of the option, the cell of this picture in which each cell of the part's own picture lies, -1
        for none; empty where it is not known.
    names : tuple of (Cell, Cell)
        Cells of the option's own picture that show something else on this one.
    """

    option: Hashable
    after: tuple[Cell, ...] | None = None
    touched: tuple[int, ...] = ()
    line: Place = ()
    origins: tuple[tuple[int, ...], ...] = ()
    names: tuple[tuple[Cell, Cell], ...] = ()


def whole_way(option: Hashable, board: Picture | None, touched: int) -> Way:
    """Return a way to an option that is one whole board, where this is drawn, by a move at one of its cells."""
    if board is None:
        return Way(option)
    return Way(option, board.cells, (touched,), (), (tuple(range(len(board.cells))),))


class SymmetryMap(NamedTuple):
    """How a position lies in another one that is the same by symmetry.

    Attributes
    ----------
    cells : tuple of int
        The cell of the other picture in which each cell lies; empty where it is not known.
    names : tuple of (Cell, Cell)
        Cells that show something else on the other picture.
    """

    cells: tuple[int, ...]
    names: tuple[tuple[Cell, Cell], ...] = ()


def rows(lines: Iterable[Iterable[Cell]]) -> Picture:
    """Return a picture of rows of cells, from top to bottom, which may differ in length.

    Examples
    --------
    >>> rows([[Cell("square"), Cell("coin")]]).places
    ((0, 0), (1, 0))
    """
    placed = [(cell, (x, y)) for y, line in enumerate(lines) for x, cell in enumerate(line)]
    return Picture(tuple(cell for cell, _ in placed), tuple(place for _, place in placed))


def grid(text: str, kinds: Mapping[str, CellKind]) -> Picture | None:
    r"""Return a board whose rows are the lines of a text, with the kind of cell that each character stands for.

    None where a side is longer than 24.

    Examples
    --------
    >>> grid("xo\no", {"x": "poison", "o": "sweet"}).rows[1]
    (Cell(kind='sweet', text=''),)
    """
    lines = text.split("\n")
    if max(len(lines), *map(len, lines)) > _LONGEST:
        return None
    cells = {character: Cell(kind) for character, kind in kinds.items()}
    return rows(map(cells.__getitem__, line) for line in lines)


def characters(text: str) -> Picture | None:
    r"""Return a board in text as a picture, each character in a cell of its own; None where a side is longer than 24.

    Examples
    --------
    >>> characters("x o").rows
    ((Cell(kind='note', text='x'), Cell(kind='blank', text=''), Cell(kind='note', text='o')),)
    """
    lines = text.split("\n")
    if max(len(lines), *map(len, lines)) > _LONGEST:
        return None
    return rows((Cell("blank" if c.isspace() else "note", c.strip()) for c in line) for line in lines)


def note(text: object) -> Picture:
    """Return words alone."""
    return rows([[Cell("note", str(text))]])


def heap(size: int, kind: CellKind = "piece") -> Picture:
    """Return the pieces of a heap in rows of five; of an empty heap, and of one above 40, its size.

    Examples
    --------
    >>> [len(row) for row in heap(7).rows], heap(10**18).rows
    ([5, 2], ((Cell(kind='note', text='1000000000000000000'),),))
    """
    if not 0 < size <= _MOST_PIECES:
        return note(size)
    return Picture((Cell(kind),) * size, tuple((n % _A_ROW, n // _A_ROW) for n in range(size)))


def heaps(sizes: Iterable[int]) -> Picture | None:
    """Return several heaps side by side; None where there are more than twelve, or one is above 40."""
    listed = list(sizes) or [0]
    return None if max(listed) > _MOST_PIECES else beside(map(heap, listed))


def labelled_heap(label: str, size: int) -> Picture:
    """Return a heap, and words at the left of its first row, which stay there while the heap shrinks.

    Examples
    --------
    >>> labelled_heap("odd", 6).rows[1]
    (Cell(kind='blank', text=''), Cell(kind='blank', text=''), Cell(kind='piece', text=''))
    """
    pieces = heap(size)
    return Picture((Cell("note", label), *pieces.cells), ((0, 0), *((x + 2, y) for x, y in pieces.places)))


def row(length: int, kind: CellKind) -> Picture:
    """Return cells in a row; of a row of none or of more than 24 its length."""
    return rows([[Cell(kind)] * length]) if 0 < length <= _LONGEST else note(length)


def sheet(width: int, height: int, kind: CellKind) -> Picture:
    """Return a sheet of squares; of one with a side above 12 its sides alone."""
    if max(width, height) > _MOST_SIDE:
        return rows([[Cell(kind, f"{width}x{height}")]])
    return rows([[Cell(kind)] * width] * height)


def halves(parts: Sequence[tuple[int, int]], kind: CellKind) -> Picture | None:
    """Return two sheets as the one that was cut; None where there are more, or they have no side in common.

    Examples
    --------
    >>> [cell.kind for cell in halves([(1, 2), (2, 2)], "paper").rows[0]]
    ['paper', 'cut', 'paper', 'paper']
    """
    common = set(parts[0]).intersection(*parts[1:])
    if len(parts) != 2 or not common or max(map(max, parts)) > _MOST_SIDE:
        return None
    side = max(common)
    first, second = (sum(part) - side for part in parts)
    return rows([[*[Cell(kind)] * first, Cell("cut"), *[Cell(kind)] * second]] * side)


def strip(first: int, coins: Mapping[int, int]) -> Picture | None:
    """Return a strip of squares from the first to the last that holds coins; None where it is longer than 24.

    Parameters
    ----------
    first : int
        The number of the square at the left end.
    coins : mapping of int to int
        How many coins stand on a square.

    Examples
    --------
    >>> [cell.kind for cell in strip(0, {2: 1}).rows[0]]
    ['square', 'square', 'coin']
    """
    last = max(coins, default=first)
    if last - first >= _LONGEST:
        return None
    counts = [coins.get(square, 0) for square in range(first, last + 1)]
    return rows([[Cell("coin", str(n) if n > 1 else "") if n else Cell("square") for n in counts]])


def circle(count: int, step: float = 1.3) -> tuple[Place, ...]:
    """Return places in a circle, clockwise from the top, so far apart."""
    radius = max(step / 2 / sin(pi / count), 0.8) if count > 1 else 0.0
    angles = (2 * pi * number / count for number in range(count))
    return tuple((round(radius * sin(angle), 3), round(-radius * cos(angle), 3)) for angle in angles)


def beside(
    pictures: Iterable[Picture | None], *, gap: float = 1, down: bool = False, most: int = _MOST_PARTS
) -> Picture | None:
    """Return pictures side by side, their lowest cells in line, or one below the other.

    Parameters
    ----------
    pictures : iterable of Picture or None
    gap : float
        How much room there is between two of them.
    down : bool
        Whether they stand one below the other, just as far to the right as each of them says.
    most : int
        How many there may be.

    Returns
    -------
    Picture or None
        None where one is missing, or there is none, or there are too many.

    Examples
    --------
    >>> [[cell.kind for cell in row] for row in beside([heap(1), heap(2, "pin")]).rows]
    [['piece', 'blank', 'pin', 'pin']]
    """
    cells: list[Cell] = []
    places: list[Place] = []
    at: float = 0
    count = 0
    for count, picture in enumerate(pictures, 1):
        if picture is None or count > most:
            return None
        if picture.cells:
            (left, right), (top, bottom) = (_ends(picture, axis) for axis in (0, 1))
            shift = (0, at - top) if down else (at - left, -bottom)
            cells += picture.cells
            # the two ends of a line move, its bend does not
            places += [tuple(n + shift[i % 2] if i < 4 else n for i, n in enumerate(place)) for place in picture.places]
            at += (bottom - top if down else right - left) + 1 + gap
    return Picture(tuple(cells), tuple(places)) if count else None


def _ends(picture: Picture, axis: int) -> tuple[float, float]:
    """Return where cells begin and end along an axis."""
    ends = [place[i] for place in picture.places for i in (axis, axis + 2) if i < min(len(place), 4)]
    return min(ends), max(ends)


def check_picture(picture: object) -> None:
    """Refuse what a ruleset returned in place of a picture.

    Raises
    ------
    RulesetError
        It is no picture, or a cell is of no kind.
    """
    placed = isinstance(picture, Picture) and len(picture.cells) == len(picture.places)
    if not isinstance(picture, Picture) or not placed or not all(map(_is_place, picture.places)):
        raise RulesetError("a ruleset's picture is {picture!r}: expected a Picture", picture)
    kinds = get_args(CellKind)
    for cell in picture.cells:
        if not (isinstance(cell, Cell) and cell.kind in kinds and isinstance(cell.text, str)):
            raise RulesetError(
                "a cell of a picture is {cell!r}: expected one of the kinds {kinds}", cell, ", ".join(kinds)
            )


def _is_place(place: object) -> bool:
    numbers = place if isinstance(place, tuple) and len(place) in (2, 4, 5) else (None,)
    return all(isinstance(number, Real) for number in numbers)
