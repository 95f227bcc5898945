"""What a position looks like on the table: rows of cells, from which drawings are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal, NamedTuple, get_args

from graphgame.errors import RulesetError

__all__ = [
    "Cell",
    "CellKind",
    "Picture",
    "beside",
    "characters",
    "check_picture",
    "grid",
    "halves",
    "heap",
    "heaps",
    "note",
    "row",
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

_A_ROW = 5
_MOST_PIECES = 40
_LONGEST = 24
_MOST_SIDE = 12
_MOST_PARTS = 12


class Cell(NamedTuple):
    """A cell: what stands in it, and words in place of its usual mark."""

    kind: CellKind
    text: str = ""


class Picture(NamedTuple):
    """A position as it looks on the table: rows of cells from top to bottom, which may differ in length."""

    rows: tuple[tuple[Cell, ...], ...]

    @property
    def width(self) -> int:
        """The cells of the longest row."""
        return max(map(len, self.rows), default=0)


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
    return Picture(tuple(tuple([cells[character] for character in line]) for line in lines))


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
    return Picture(tuple(tuple(Cell("blank" if c.isspace() else "note", c.strip()) for c in line) for line in lines))


def note(text: object) -> Picture:
    """Return words alone."""
    return Picture(((Cell("note", str(text)),),))


def heap(size: int, kind: CellKind = "piece") -> Picture:
    """Return the pieces of a heap in rows of five; of a heap above 40 its size.

    Examples
    --------
    >>> [len(row) for row in heap(7).rows], heap(10**18).rows
    ([5, 2], ((Cell(kind='note', text='1000000000000000000'),),))
    """
    if not 0 < size <= _MOST_PIECES:
        return note(size)
    lengths = [_A_ROW] * (size // _A_ROW) + [size % _A_ROW] * (size % _A_ROW > 0)
    return Picture(tuple((Cell(kind),) * length for length in lengths))


def heaps(sizes: Iterable[int]) -> Picture | None:
    """Return several heaps side by side; None where there are more than twelve."""
    return beside([heap(size) for size in sizes])


def row(length: int, kind: CellKind) -> Picture:
    """Return cells in a row; of a row of none or of more than 24 its length."""
    return Picture(((Cell(kind),) * length,)) if 0 < length <= _LONGEST else note(length)


def sheet(width: int, height: int, kind: CellKind) -> Picture:
    """Return a sheet of squares; of one with a side above 12 its sides alone."""
    if max(width, height) > _MOST_SIDE:
        return Picture(((Cell(kind, f"{width}x{height}"),),))
    return Picture(((Cell(kind),) * width,) * height)


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
    lengths = (sum(part) - side for part in parts)
    return beside([sheet(length, side, kind) for length in lengths], gap=[Cell("cut")])


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
    return Picture((tuple(Cell("coin", str(n) if n > 1 else "") if n else Cell("square") for n in counts),))


def beside(pictures: Iterable[Picture | None], gap: Sequence[Cell] = (Cell("blank"),)) -> Picture | None:
    """Return pictures side by side, their lowest rows in line.

    Parameters
    ----------
    pictures : iterable of Picture or None
    gap : sequence of Cell
        What stands between two of them, in every row.

    Returns
    -------
    Picture or None
        None where one is missing, or there is none, or there are more than twelve.

    Examples
    --------
    >>> [[cell.kind for cell in row] for row in beside([heap(1), heap(2, "pin")]).rows]
    [['piece', 'blank', 'pin', 'pin']]
    """
    parts: list[Picture] = []
    for picture in pictures:
        if picture is None or len(parts) == _MOST_PARTS:
            return None
        parts.append(picture)
    if not parts:
        return None
    height = max(len(picture.rows) for picture in parts)
    return Picture(tuple(_joined(rows, gap) for rows in zip(*(_squared(part, height) for part in parts), strict=True)))


def _squared(picture: Picture, height: int) -> list[tuple[Cell, ...]]:
    """Return rows of one length, with empty ones above them up to a height."""
    blank = (Cell("blank"),)
    rows = [row + blank * (picture.width - len(row)) for row in picture.rows]
    return [blank * picture.width] * (height - len(rows)) + rows


def _joined(rows: Sequence[tuple[Cell, ...]], gap: Sequence[Cell]) -> tuple[Cell, ...]:
    cells = list(rows[0])
    for row in rows[1:]:
        cells += [*gap, *row]
    return tuple(cells)


def check_picture(picture: object) -> None:
    """Refuse what a ruleset returned in place of a picture.

    Raises
    ------
    RulesetError
        It is no picture, or a cell is of no kind.
    """
    if not isinstance(picture, Picture):
        raise RulesetError("a ruleset's picture is {picture!r}: expected a Picture", picture)
    kinds = get_args(CellKind)
    for cell in chain.from_iterable(picture.rows):
        if not (isinstance(cell, Cell) and cell.kind in kinds and isinstance(cell.text, str)):
            raise RulesetError(
                "a cell of a picture is {cell!r}: expected one of the kinds {kinds}", cell, ", ".join(kinds)
            )
