"""Pictures of positions: as a table in the label of a vertex, and as an SVG image of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

import numpy as np

from graphgame.drawing.captions import escaped
from graphgame.drawing.layouts.canvas import Boxes, Discs, Look, PageShape, PageText, Paths
from graphgame.drawing.layouts.svg import shapes_svg
from graphgame.errors import OptionError
from graphgame.graph.gamegraph import GameLike
from graphgame.rules.pictures import Cell, CellKind, Picture, Place, check_picture
from graphgame.rules.position import Position
from graphgame.text.text import printable

_SIDE = 18
_LETTER = 8
_INK = "#2b2f36"
_LINE = "#7a808a"
_CROSS = np.array([[1, 1], [1, -1]])
_GROUND = Look(None, "#6b7f3a", 3)


class _CellLook(NamedTuple):
    """How a cell looks: its fill, None where it has no outline; its mark, which has a shape of its own in SVG."""

    fill: str | None = None
    mark: str = ""
    ink: str = _INK
    rounded: bool = False


_LOOKS: dict[CellKind, _CellLook] = {
    "arc": _CellLook(mark="→"),
    "blank": _CellLook(),
    "coin": _CellLook("#ffffff", "●"),
    "colour": _CellLook("#ffffff"),
    "cross": _CellLook("#ffffff", "✕"),
    "cut": _CellLook(mark="┊", ink="#c1121f"),
    "edge": _CellLook(mark="─"),
    "ground": _CellLook(mark="▁"),
    "heads": _CellLook("#f6d365", "H", rounded=True),
    "note": _CellLook(),
    "paper": _CellLook("#fbf4e0"),
    "piece": _CellLook(mark="●"),
    "pin": _CellLook(mark="▮"),
    "poison": _CellLook("#2a2320", "✕", ink="#ffffff"),
    "region": _CellLook(),
    "square": _CellLook("#ffffff"),
    "sweet": _CellLook("#b98352"),
    "tails": _CellLook("#c3c8cf", "T", rounded=True),
    "taken": _CellLook("#5b6270"),
    "token": _CellLook("#ffffff", "●", rounded=True),
    "vertex": _CellLook("#ffffff", rounded=True),
}


def pictures_of(game: GameLike) -> Callable[[Hashable], Picture | None]:
    """Return what draws the vertices of a position's graph, which are texts, or of its product.

    Raises
    ------
    OptionError
        It is no position, or its rules draw no pictures.
    """
    if not isinstance(game, Position):
        raise OptionError(
            "pictures=True draws a Position or its text as the rules do: graphs and solutions have names only"
        )
    vertices = dict(zip(map(str, game.graph(texts=True).labels), game.graph().labels, strict=True))
    if all(game.picture(vertex) is None for vertex in vertices.values()):
        raise OptionError("pictures: the rules of this game draw none")

    def picture(text: Hashable) -> Picture | None:
        if (whole := str(text)) in vertices:
            return game.picture(vertices[whole])
        parts = whole.split(" + ")
        return game.sum_picture([vertices[part] for part in parts]) if vertices.keys() >= set(parts) else None

    return picture


def board_markup(picture: Picture) -> str:
    """Return a picture as a table of an HTML-like label, on white; nothing where it has no cells, or is no grid.

    Every row is filled up to the longest: Graphviz would spread the cells of short ones.
    """
    check_picture(picture)
    if not (lines := picture.rows):
        return ""
    blank, width = _cell(Cell("blank")), max(map(len, lines))
    rows = ("".join(map(_cell, row)) + blank * (width - len(row)) for row in lines)
    table = "".join(f"<TR>{row}</TR>" for row in rows)
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" BGCOLOR="#ffffff" '
        f'COLOR="{_LINE}"><TR><TD CELLPADDING="3"><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
        f"{table}</TABLE></TD></TR></TABLE>"
    )


def board_shapes(picture: Picture, ground: str = "#ffffff") -> tuple[float, float, list[PageShape]]:
    """Return how wide and how high a picture is, and its shapes, on a ground."""
    check_picture(picture)
    ends = [(x, y) for place in picture.places for x, y in _ends(place)]
    (left, top), (right, bottom) = (pick(ends, axis=0) for pick in (np.min, np.max)) if ends else ((0, 0), (-1, -1))
    widths = np.full(int(right - left) + 1, _SIDE)
    placed = sorted(zip(picture.cells, picture.places, strict=True), key=lambda each: len(each[1]) == 2)
    if picture.rows is not None:  # a column is as wide as the longest words in it
        for cell, (x, _) in placed:
            widths[int(x - left)] = max(widths[int(x - left)], _width(cell))
    beyond = right - left + 1 - len(widths)  # of what stands on no grid
    width, height = float(widths.sum() + _SIDE * beyond) + 8, _SIDE * (bottom - top + 1) + 8

    def spot(x: float, y: float) -> np.ndarray:
        column = int(x - left)
        across = widths[:column].sum() + (x - left - column) * _SIDE + widths[min(column, len(widths) - 1)] / 2
        return np.array([4 + across, 4 + _SIDE * (y - top + 0.5)])

    shapes: list[PageShape] = [Boxes("ground", Look(ground), np.array([[0, 0, width, height]]), rounded=4)]
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


def _cell(cell: Cell) -> str:
    look, words = _LOOKS[cell.kind], printable(cell.text) if cell.text else ""
    shown = escaped(words or look.mark)
    size = "11" if words or look.rounded else "14"
    fixed = ' FIXEDSIZE="TRUE"' if len(words) < 3 else ""
    fill = "" if look.fill is None else f' BORDER="1" COLOR="{_LINE}" BGCOLOR="{look.fill}"'
    style = ' STYLE="ROUNDED"' if look.rounded else ""
    inner = f'<FONT POINT-SIZE="{size}" COLOR="{look.ink}">{shown}</FONT>' if shown else ""
    return f'<TD{fixed} WIDTH="{_SIDE}" HEIGHT="{_SIDE}"{fill}{style}>{inner}</TD>'


def _ends(place: Place) -> list[tuple[float, float]]:
    """Return points between which the cells of a place are: it itself, the ends of a line, a loop's bend."""
    x, y, *end = place
    loop = [(x, y - 1)] if tuple(end[:2]) == (x, y) else []
    return [(x, y), (end[0], end[1]), *loop] if end else [(x, y)]


def _width(cell: Cell) -> int:
    """Return the pixels that the words of a cell take."""
    return _LETTER * len(printable(cell.text)) + 6 if len(cell.text) > 1 else _SIDE


def _line(kind: CellKind, start: np.ndarray, end: np.ndarray, bend: float) -> Iterator[PageShape]:
    """Yield the shapes of a line, bent aside where several run between the same ends, or of a region's rectangle."""
    if kind == "region":
        yield Boxes(kind, Look("#f1f5fb", _LINE), np.array([[*start, *(end - start)]]), rounded=8)
        return
    look = _GROUND if kind == "ground" else Look(None, _LINE, 2)
    way = end - start
    far = float(np.hypot(*way))
    if not far:
        yield Discs(kind, look, start[None] - [[0, 0.45 * _SIDE]], (0.45 + 0.2 * abs(bend)) * _SIDE)
        return
    ahead = way / far
    aside = np.array([-ahead[1], ahead[0]])
    middle = (start + end) / 2 + 0.7 * _SIDE * bend * aside
    # the cubic curve that is the quadratic one through start, middle and end
    points = np.array([start, start + (middle - start) * 2 / 3, end + (middle - end) * 2 / 3, end])
    yield Paths(kind, look, [points], curved=True) if bend else Paths(kind, look, [np.array([start, end])])
    if kind == "arc":
        tip = end - 8 * ahead
        yield Paths(kind, Look(_LINE), [np.array([tip, tip - 5 * ahead + 3 * aside, tip - 5 * ahead - 3 * aside])])


def _shapes(cell: Cell, spot: np.ndarray, width: int) -> Iterator[PageShape]:
    """Yield the shapes of a cell."""
    look = _LOOKS[cell.kind]
    middle = spot[None]
    x, y = spot.tolist()
    left, top = x - width / 2, y - _SIDE / 2
    if look.rounded:
        yield Discs(cell.kind, Look(look.fill, _LINE), middle, 8)
    elif look.fill is not None:
        yield Boxes(cell.kind, Look(look.fill, _LINE), np.array([[left, top, width, _SIDE]]))
    if cell.text:
        yield _words(printable(cell.text), x, y, look.ink)
    elif look.mark == "●":
        yield Discs("mark", Look(look.ink), middle, 5.5)
    elif look.mark == "▮":
        yield Boxes("mark", Look(look.ink), np.array([[x - 3, top + 2, 6, _SIDE - 4]]), rounded=3)
    elif look.mark == "┊":
        line = np.array([[x, top], [x, top + _SIDE]])
        yield Paths("mark", Look(None, look.ink, 2, dashed=True), [line])
    elif look.mark == "✕":
        yield Paths("mark", Look(None, look.ink, 2), [middle + np.array([[-5, -5], [5, 5]]) * way for way in _CROSS])
    elif look.mark:
        yield _words(look.mark, x, y, look.ink)


def _words(text: str, x: float, y: float, ink: str) -> PageText:
    return PageText("mark", text, x, y + 4.5, 13, ink, "middle")
