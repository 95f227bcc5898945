"""Pictures of positions as shapes and as SVG, and how moves and symmetries change their cells, for play on the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from math import ceil

import numpy as np

from graphgame.drawing.style import CELL_LINE, CELL_SIDE, CELL_STYLES
from graphgame.labs.layouts.shapes import Boxes, Discs, Look, PageShape, PageText, Paths, svg_lines
from graphgame.rules.pictures import Cell, CellKind, Picture, Place, SymmetryMap, Way, check_picture
from graphgame.rules.ruleset import Ruleset, Sum
from graphgame.text.text import printable

_BLANK = Cell("blank")

_LETTER = 8
"""The width of a letter in pixels."""

_CROSS = np.array([[1, 1], [1, -1]])
"""Factors of x and y that turn a line through the origin into the two lines of a cross."""

_GROUND = Look(None, "#6b7f3a", 3)


def board_shapes(picture: Picture) -> tuple[float, float, list[PageShape]]:
    """Return the width and the height of a picture in pixels, and its shapes, on a white background."""
    check_picture(picture)
    ends = [(x, y) for place in picture.places for x, y in _ends(place)]
    (left, top), (right, bottom) = (pick(ends, axis=0) for pick in (np.min, np.max)) if ends else ((0, 0), (-1, -1))
    widths = np.full(int(right - left) + 1, CELL_SIDE)
    placed = sorted(zip(picture.cells, picture.places, strict=True), key=lambda each: len(each[1]) == 2)
    if picture.rows is not None:  # on a grid, a column has room for its longest text
        for cell, (x, _) in placed:
            widths[int(x - left)] = max(widths[int(x - left)], _width(cell))
    beyond = right - left + 1 - len(widths)  # off a grid, the width need not be a whole number of cells
    width, height = float(widths.sum() + CELL_SIDE * beyond) + 8, CELL_SIDE * (bottom - top + 1) + 8

    def centre(x: float, y: float) -> np.ndarray:
        column = int(x - left)
        across = widths[:column].sum() + (x - left - column) * CELL_SIDE + widths[min(column, len(widths) - 1)] / 2
        return np.array([4 + across, 4 + CELL_SIDE * (y - top + 0.5)])

    shapes: list[PageShape] = [Boxes("ground", Look("#ffffff"), np.array([[0, 0, width, height]]), rounded=4)]
    for cell, place in placed:  # lines come first, so that the cells at their ends cover them
        if cell.kind == "blank":
            continue
        if len(place) > 2:
            shapes += _line(cell.kind, centre(*place[:2]), centre(*place[2:4]), place[4] if place[4:] else 0)
        else:
            shapes += _shapes(cell, centre(*place), int(widths[int(place[0] - left)]))
    return width, height, shapes


def picture_svg(picture: Picture) -> str:
    """Return a picture as an SVG image, on a white background. The texts in its cells are escaped.

    Parameters
    ----------
    picture : Picture

    Raises
    ------
    RulesetError
        The object is no Picture, it does not have one place for each cell, or a cell or a place is not valid.

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> picture_svg(ruleset("chomp").picture((2, 1)))[:51]
    '<svg xmlns="http://www.w3.org/2000/svg" width="44" '
    """
    width, height, shapes = board_shapes(picture)
    return "".join(svg_lines(shapes, width, height))


def _ends(place: Place) -> list[tuple[float, float]]:
    """Return the grid points of a place: the point, or both ends of a line; for a loop, also a point above it."""
    x, y, *end = place
    loop = [(x, y - ceil(2 * _radius(sum(end[2:])) - 0.5))] if tuple(end[:2]) == (x, y) else []
    return [(x, y), (end[0], end[1]), *loop] if end else [(x, y)]


def _radius(bend: float) -> float:
    """Return the radius, in sides of a cell, of the circle that shows a line from a point to itself.

    ``bend`` is the fifth number of the line's ``Place``, or 0; the larger its absolute value, the larger the circle.
    """
    return 0.45 + 0.2 * abs(bend)


def _width(cell: Cell) -> int:
    """Return the width of a cell in pixels: larger than usual if its text is longer than one character."""
    return _LETTER * len(printable(cell.text)) + 6 if len(cell.text) > 1 else CELL_SIDE


def _line(kind: CellKind, start: np.ndarray, end: np.ndarray, bend: float) -> Iterator[PageShape]:
    """Yield the shapes of a line from ``start`` to ``end`` (in pixels), or of a region: the rectangle between them.

    ``bend`` is the fifth number of the line's ``Place``, or 0. A line from a point to itself is a circle that
    touches the point from above; its radius is :func:`_radius`.
    """
    if kind == "region":
        yield Boxes(kind, Look("#f1f5fb", CELL_LINE), np.array([[*start, *(end - start)]]), rounded=8)
        return
    look = _GROUND if kind == "ground" else Look(None, CELL_LINE, 2)
    way = end - start
    far = float(np.hypot(*way))
    if not far:
        radius = _radius(bend) * CELL_SIDE
        yield Discs(kind, look, start[None] - [[0, radius]], radius)
        return
    ahead = way / far
    aside = np.array([-ahead[1], ahead[0]])
    middle = (start + end) / 2 + 0.7 * CELL_SIDE * bend * aside
    # These control points make the cubic Bézier curve equal to the quadratic one of start, middle and end.
    points = np.array([start, start + (middle - start) * 2 / 3, end + (middle - end) * 2 / 3, end])
    yield Paths(kind, look, [points], curved=True) if bend else Paths(kind, look, [np.array([start, end])])
    if kind == "arc":
        tip = end - 8 * ahead
        yield Paths(kind, Look(CELL_LINE), [np.array([tip, tip - 5 * ahead + 3 * aside, tip - 5 * ahead - 3 * aside])])


def _shapes(cell: Cell, centre: np.ndarray, width: int) -> Iterator[PageShape]:
    """Yield the shapes of a cell with this centre and width in pixels."""
    look = CELL_STYLES[cell.kind]
    middle = centre[None]
    x, y = centre.tolist()
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
        yield Paths("mark", Look(None, look.ink, 2), [middle + np.array([[-5, -5], [5, 5]]) * turn for turn in _CROSS])
    elif look.mark:
        yield _words(look.mark, x, y, look.ink)


def _words(text: str, x: float, y: float, ink: str) -> PageText:
    return PageText("mark", text, x, y + 4.5, 13, ink, "middle")


def ways_of(rules: Ruleset, position: Hashable) -> Iterable[Way]:
    """Return, for each move, the way to make it on a position's picture: from the rules, or by comparing pictures.

    Examples
    --------
    >>> from graphgame.rules.nim import Nim
    >>> [way.after[0].kind for way in ways_of(Nim(), 2)]
    ['note', 'piece']
    """
    own = rules.ways(position)
    return _compared(rules, position) if own is None else own


def symmetry_map(rules: Ruleset, position: Hashable) -> SymmetryMap:
    """Return the map from the cells of the canonical position's picture to those of the position's picture.

    The map is empty if the rules define none and :func:`turned` finds none.
    """
    if (own := rules.symmetry_map(position)) is not None:
        return own
    canonical, board = rules.picture(rules.canonical(position)), rules.picture(position)
    return SymmetryMap(() if canonical is None or board is None else turned(canonical, board))


def _compared(rules: Ruleset, position: Hashable) -> Iterator[Way]:
    """Yield a way to make each move of a position, found by comparing the pictures before and after the move.

    Only ``option`` is set in a way if the option is a sum, if the position or the option has no picture, or if
    :func:`in_place` returns None.
    """
    board = rules.picture(position)
    for option in rules.options(position):
        after = None if board is None or type(option) is Sum else rules.picture(option)
        change = None if board is None or after is None else in_place(board, after, rules.filling)
        yield Way(option) if change is None else Way(option, change[0], origins=(change[1],))


def in_place(
    before: Picture, after: Picture, filling: Cell | None = None
) -> tuple[tuple[Cell, ...], tuple[int, ...]] | None:
    """Show the board ``after`` a move on the cells of the board ``before`` it; return None if this is impossible.

    Return the cells of the old board as they look after the move, and for each cell of the new board the index of the
    old board's cell that shows it.

    Without ``filling``, try to put the new board where the old board already looks like it, at the first such shift
    from :func:`_shifts`. With ``filling``, or if there is no such shift, put each cell of the new board at its own
    coordinates. This is impossible if the old board has no cell at the coordinates of one of them. All other cells of
    the old board show ``filling``, or a blank if ``filling`` is None.

    Examples
    --------
    >>> from graphgame.rules.pictures import heap
    >>> in_place(heap(3), heap(1))
    ((Cell(kind='piece', text=''), Cell(kind='blank', text=''), Cell(kind='blank', text='')), (0,))
    """
    shifts = _shifts(before, after) if filling is None else ()
    unchanged = next(filter(None, (_mapped(before, after, partial(_shifted, *shift)) for shift in shifts)), None)
    origin = unchanged or _mapped(before, after, lambda place: place, same_cells=False)
    if origin is None:
        return None
    cells = [filling or _BLANK] * len(before.cells)
    for number, cell in zip(origin, after.cells, strict=True):
        cells[number] = cell
    return tuple(cells), origin


def _shifts(before: Picture, after: Picture) -> Iterator[tuple[float, float]]:
    """Yield the shifts (dx, dy) by whole numbers that keep ``after`` inside the rectangle around ``before``.

    The smallest coordinates of both boards must be 0. The first shift is (0, 0). Yield nothing if the cells of both
    boards have the same coordinates, or if ``after`` has lines.
    """
    if before.places == after.places or any(len(place) > 2 for place in after.places):
        return
    (wide, high), (width, height) = _extent(before.places), _extent(after.places)
    for dy in range(int(high - height) + 1):
        for dx in range(int(wide - width) + 1):
            yield dx, dy


def _shifted(dx: float, dy: float, place: Place) -> Place:
    return place[0] + dx, place[1] + dy


def _mapped(
    before: Picture, after: Picture, moved: Callable[[Place], Place], *, same_cells: bool = True
) -> tuple[int, ...] | None:
    """Apply ``moved`` to the place of each cell of ``after``; return the indices of the cells of ``before`` there.

    Return None if ``before`` has no cell at one of these places or, with ``same_cells``, if a cell of ``before`` shows
    something other than the cell of ``after``.
    """
    at = {place: number for number, place in enumerate(before.places)}
    numbers = []
    for cell, place in zip(after.cells, after.places, strict=True):
        number = at.get(moved(place))
        if number is None or (same_cells and before.cells[number] != cell):
            return None
        numbers.append(number)
    return tuple(numbers)


def _extent(places: Sequence[Place]) -> tuple[float, float]:
    return max((place[0] for place in places), default=0), max((place[1] for place in places), default=0)


def turned(canonical: Picture, board: Picture) -> tuple[int, ...]:
    """Return, for each cell of a canonical board, the index of the board's cell onto which a symmetry moves it.

    If the boards look the same, apart from the texts of notes, the symmetry moves no cell. Otherwise try the turns and
    reflections, but only on boards without lines. Return ``()`` if no symmetry is found. A symmetry can be missed if
    the smallest coordinates of a board are not 0.

    Examples
    --------
    >>> from graphgame.rules.pictures import grid
    >>> kinds = {"x": "cross", ".": "square"}
    >>> turned(grid("x..", kinds), grid("..x", kinds))
    (2, 1, 0)
    """
    if canonical.places == board.places and _without_notes(canonical) == _without_notes(board):
        return tuple(range(len(board.cells)))
    if len(canonical.cells) != len(board.cells) or any(len(place) > 2 for place in board.places):
        return ()
    (wide, high), (width, height) = _extent(canonical.places), _extent(board.places)

    def turn(swapped: bool, right: bool, down: bool, place: Place) -> Place:
        spot = (wide - place[0] if right else place[0], high - place[1] if down else place[1])
        return spot[::-1] if swapped else spot

    # Try every reflection of the axes. Without and with the axes swapped, these are all eight turns and reflections.
    turns = (
        partial(turn, swapped, right, down)
        for swapped in (False, True)
        if (wide, high) == ((height, width) if swapped else (width, height))
        for right, down in ((False, False), (True, True), (True, False), (False, True))
    )
    return next(filter(None, (_mapped(board, canonical, each) for each in turns)), ())


def _without_notes(board: Picture) -> list[Cell]:
    """Return the cells of a board, but remove the texts of the cells of the kind ``note``."""
    return [Cell("note") if cell.kind == "note" else cell for cell in board.cells]
