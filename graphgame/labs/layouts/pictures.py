"""Pictures of positions, as shapes and in SVG; and what moves and symmetries do to them, so that one can play there."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from graphgame.drawing.boards import CELL_LINE, CELL_LOOKS, CELL_SIDE
from graphgame.labs.layouts.shapes import Boxes, Discs, Look, PageShape, PageText, Paths, shapes_svg
from graphgame.rules.pictures import Cell, CellKind, Picture, Place, SymmetryMap, Way, check_picture
from graphgame.rules.ruleset import Ruleset, Sum
from graphgame.text.text import printable

_BLANK = Cell("blank")
_LETTER = 8
_CROSS = np.array([[1, 1], [1, -1]])
_GROUND = Look(None, "#6b7f3a", 3)


def board_shapes(picture: Picture) -> tuple[float, float, list[PageShape]]:
    """Return how wide and how high a picture is, and its shapes, on a white ground."""
    check_picture(picture)
    ends = [(x, y) for place in picture.places for x, y in _ends(place)]
    (left, top), (right, bottom) = (pick(ends, axis=0) for pick in (np.min, np.max)) if ends else ((0, 0), (-1, -1))
    widths = np.full(int(right - left) + 1, CELL_SIDE)
    placed = sorted(zip(picture.cells, picture.places, strict=True), key=lambda each: len(each[1]) == 2)
    if picture.rows is not None:  # a column is as wide as the longest words in it
        for cell, (x, _) in placed:
            widths[int(x - left)] = max(widths[int(x - left)], _width(cell))
    beyond = right - left + 1 - len(widths)  # of what stands on no grid
    width, height = float(widths.sum() + CELL_SIDE * beyond) + 8, CELL_SIDE * (bottom - top + 1) + 8

    def spot(x: float, y: float) -> np.ndarray:
        column = int(x - left)
        across = widths[:column].sum() + (x - left - column) * CELL_SIDE + widths[min(column, len(widths) - 1)] / 2
        return np.array([4 + across, 4 + CELL_SIDE * (y - top + 0.5)])

    shapes: list[PageShape] = [Boxes("ground", Look("#ffffff"), np.array([[0, 0, width, height]]), rounded=4)]
    for cell, place in placed:  # lines first: what stands at their ends covers them
        if len(place) > 2:
            shapes += _line(cell.kind, spot(*place[:2]), spot(*place[2:4]), place[4] if place[4:] else 0)
        else:
            shapes += _shapes(cell, spot(*place), int(widths[int(place[0] - left)]))
    return width, height, shapes


def picture_svg(picture: Picture) -> str:
    """Return a picture as an SVG image, on white; words are escaped.

    Parameters
    ----------
    picture : Picture

    Raises
    ------
    RulesetError
        It is no picture, or a cell is of no kind.

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> picture_svg(ruleset("chomp").picture((2, 1)))[:51]
    '<svg xmlns="http://www.w3.org/2000/svg" width="44" '
    """
    width, height, shapes = board_shapes(picture)
    return shapes_svg(shapes, width, height)


def _ends(place: Place) -> list[tuple[float, float]]:
    """Return points between which the cells of a place are: it itself, the ends of a line, a loop's bend."""
    x, y, *end = place
    loop = [(x, y - 1)] if tuple(end[:2]) == (x, y) else []
    return [(x, y), (end[0], end[1]), *loop] if end else [(x, y)]


def _width(cell: Cell) -> int:
    """Return the pixels that the words of a cell take."""
    return _LETTER * len(printable(cell.text)) + 6 if len(cell.text) > 1 else CELL_SIDE


def _line(kind: CellKind, start: np.ndarray, end: np.ndarray, bend: float) -> Iterator[PageShape]:
    """Yield the shapes of a line, bent aside where several run between the same ends, or of a region's rectangle."""
    if kind == "region":
        yield Boxes(kind, Look("#f1f5fb", CELL_LINE), np.array([[*start, *(end - start)]]), rounded=8)
        return
    look = _GROUND if kind == "ground" else Look(None, CELL_LINE, 2)
    way = end - start
    far = float(np.hypot(*way))
    if not far:
        yield Discs(kind, look, start[None] - [[0, 0.45 * CELL_SIDE]], (0.45 + 0.2 * abs(bend)) * CELL_SIDE)
        return
    ahead = way / far
    aside = np.array([-ahead[1], ahead[0]])
    middle = (start + end) / 2 + 0.7 * CELL_SIDE * bend * aside
    # the cubic curve that is the quadratic one through start, middle and end
    points = np.array([start, start + (middle - start) * 2 / 3, end + (middle - end) * 2 / 3, end])
    yield Paths(kind, look, [points], curved=True) if bend else Paths(kind, look, [np.array([start, end])])
    if kind == "arc":
        tip = end - 8 * ahead
        yield Paths(kind, Look(CELL_LINE), [np.array([tip, tip - 5 * ahead + 3 * aside, tip - 5 * ahead - 3 * aside])])


def _shapes(cell: Cell, spot: np.ndarray, width: int) -> Iterator[PageShape]:
    """Yield the shapes of a cell."""
    look = CELL_LOOKS[cell.kind]
    middle = spot[None]
    x, y = spot.tolist()
    left, top = x - width / 2, y - CELL_SIDE / 2
    if look.rounded:
        yield Discs(cell.kind, Look(look.fill, CELL_LINE), middle, 8)
    elif look.fill is not None:
        yield Boxes(cell.kind, Look(look.fill, CELL_LINE), np.array([[left, top, width, CELL_SIDE]]))
    if cell.text:
        yield _words(printable(cell.text), x, y, look.ink)
    elif look.mark == "●":
        yield Discs("mark", Look(look.ink), middle, 5.5)
    elif look.mark == "▮":
        yield Boxes("mark", Look(look.ink), np.array([[x - 3, top + 2, 6, CELL_SIDE - 4]]), rounded=3)
    elif look.mark == "┊":
        line = np.array([[x, top], [x, top + CELL_SIDE]])
        yield Paths("mark", Look(None, look.ink, 2, dashed=True), [line])
    elif look.mark == "✕":
        yield Paths("mark", Look(None, look.ink, 2), [middle + np.array([[-5, -5], [5, 5]]) * way for way in _CROSS])
    elif look.mark:
        yield _words(look.mark, x, y, look.ink)


def _words(text: str, x: float, y: float, ink: str) -> PageText:
    return PageText("mark", text, x, y + 4.5, 13, ink, "middle")


def ways_of(rules: Ruleset, position: Hashable) -> Iterable[Way]:
    """Return the ways to make each move on the picture of a position.

    Examples
    --------
    >>> from graphgame.rules.nim import Nim
    >>> [way.after[0].kind for way in ways_of(Nim(), 2)]
    ['note', 'piece']
    """
    own = rules.ways(position)
    return _compared(rules, position) if own is None else own


def symmetry_map(rules: Ruleset, position: Hashable) -> SymmetryMap:
    """Return how the picture of the canonical position lies in that of a position."""
    if (own := rules.symmetry_map(position)) is not None:
        return own
    canonical, board = rules.picture(rules.canonical(position)), rules.picture(position)
    return SymmetryMap(() if canonical is None or board is None else turned(canonical, board))


def _compared(rules: Ruleset, position: Hashable) -> Iterator[Way]:
    """Yield the ways that the pictures before and after each move tell."""
    board = rules.picture(position)
    for option in rules.options(position):
        left = None if board is None or type(option) is Sum else rules.picture(option)
        found = None if board is None or left is None else in_place(board, left, rules.filling)
        yield Way(option) if found is None else Way(option, found[0], origins=(found[1],))


def in_place(
    before: Picture, after: Picture, filling: Cell | None = None
) -> tuple[tuple[Cell, ...], tuple[int, ...]] | None:
    """Return a board's cells after a move, and where the remaining cells lie in it; None if they do not fit.

    The remaining cells keep their places if those are all places of the old board. Otherwise the move shifted them.
    With a filling, which stands where nothing is left, nothing is shifted.

    Examples
    --------
    >>> from graphgame.rules.pictures import heap
    >>> in_place(heap(3), heap(1))
    ((Cell(kind='piece', text=''), Cell(kind='blank', text=''), Cell(kind='blank', text='')), (0,))
    """
    shifts = _shifts(before, after) if filling is None else ()
    found = next(filter(None, (_origin(before, after, *shift) for shift in shifts)), None)
    # Without a place where all cells are as before, it stays where it is and its cells change, as a coin that turns.
    origin = found or _origin(before, after, 0, 0, alike=False)
    if origin is None:
        return None
    cells = [filling or _BLANK] * len(before.cells)
    for number, cell in zip(origin, after.cells, strict=True):
        cells[number] = cell
    return tuple(cells), origin


def _shifts(before: Picture, after: Picture) -> Iterator[tuple[float, float]]:
    """Yield the shifts of a smaller board inside a larger one, none at all first; a board that keeps its size stays."""
    if before.places == after.places or any(len(place) > 2 for place in after.places):
        return
    (wide, high), (width, height) = _extent(before.places), _extent(after.places)
    for dy in range(int(high - height) + 1):
        for dx in range(int(wide - width) + 1):
            yield dx, dy


def _origin(before: Picture, after: Picture, dx: float, dy: float, *, alike: bool = True) -> tuple[int, ...] | None:
    """Return the cells in which the cells of a board lie that is shifted by so much; None where they differ."""
    at = {place: number for number, place in enumerate(before.places)}
    found = []
    for cell, place in zip(after.cells, after.places, strict=True):
        number = at.get((place[0] + dx, place[1] + dy) if dx or dy else place)
        if number is None or (alike and before.cells[number] != cell):
            return None
        found.append(number)
    return tuple(found)


def _extent(places: Sequence[Place]) -> tuple[float, float]:
    return max((place[0] for place in places), default=0), max((place[1] for place in places), default=0)


def turned(canonical: Picture, board: Picture) -> tuple[int, ...]:
    """Return the cell of a board in which each cell of its turn or reflection lies; ``()`` where it is none.

    Examples
    --------
    >>> from graphgame.rules.pictures import grid
    >>> kinds = {"x": "cross", ".": "square"}
    >>> turned(grid("x..", kinds), grid("..x", kinds))
    (2, 1, 0)
    """
    if canonical.places == board.places and _named(canonical) == _named(board):
        return tuple(range(len(board.cells)))
    if len(canonical.cells) != len(board.cells) or any(len(place) > 2 for place in board.places):
        return ()
    at = {place: number for number, place in enumerate(board.places)}
    (wide, high), (width, height) = _extent(canonical.places), _extent(board.places)
    for swapped in (False, True):
        if (wide, high) != ((height, width) if swapped else (width, height)):
            continue
        # The four reflections, and with the axes swapped the other four symmetries of a rectangle.
        for right, down in ((False, False), (True, True), (True, False), (False, True)):
            found = []
            for cell, (x, y) in zip(canonical.cells, canonical.places, strict=True):
                place = (wide - x if right else x, high - y if down else y)
                number = at.get(place[::-1] if swapped else place, -1)
                if number < 0 or board.cells[number] != cell:
                    break
                found.append(number)
            else:
                return tuple(found)
    return ()


def _named(board: Picture) -> list[Cell]:
    """Return the cells of a board, whatever its notes say."""
    return [Cell("note") if cell.kind == "note" else cell for cell in board.cells]
