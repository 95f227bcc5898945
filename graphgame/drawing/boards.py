"""Pictures of positions, as SVG images and in the vertices of a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

import numpy as np

from graphgame.drawing.shapes import Boxes, Discs, Look, PageShape, PageText, Paths, shapes_svg
from graphgame.errors import OptionError
from graphgame.graph.gamegraph import GameLike
from graphgame.rules.pictures import Cell, CellKind, Picture, Place, check_picture
from graphgame.rules.position import Position
from graphgame.text.text import printable

CELL_SIDE = 18
_LETTER = 8
_INK = "#2b2f36"
CELL_LINE = "#7a808a"
_CROSS = np.array([[1, 1], [1, -1]])
_GROUND = Look(None, "#6b7f3a", 3)


class _CellLook(NamedTuple):
    """How a cell looks: in letters; its fill, None where it has no outline; its mark, which has a shape in SVG."""

    sign: str
    fill: str | None = None
    mark: str = ""
    ink: str = _INK
    rounded: bool = False


CELL_LOOKS: dict[CellKind, _CellLook] = {
    "arc": _CellLook("-", mark="→"),
    "blank": _CellLook(" "),
    "coin": _CellLook("o", "#ffffff", "●"),
    "colour": _CellLook("o", "#ffffff"),
    "cross": _CellLook("X", "#ffffff", "✕"),
    "cut": _CellLook("|", mark="┊", ink="#c1121f"),
    "edge": _CellLook("-", mark="─"),
    "ground": _CellLook("_", mark="▁"),
    "heads": _CellLook("H", "#f6d365", "H", rounded=True),
    "note": _CellLook(" "),
    "paper": _CellLook("#", "#fbf4e0"),
    "piece": _CellLook("o", mark="●"),
    "pin": _CellLook("|", mark="▮"),
    "poison": _CellLook("x", "#2a2320", "✕", ink="#ffffff"),
    "region": _CellLook(" "),
    "square": _CellLook(".", "#ffffff"),
    "sweet": _CellLook("o", "#b98352"),
    "tails": _CellLook("T", "#c3c8cf", "T", rounded=True),
    "taken": _CellLook("#", "#5b6270"),
    "token": _CellLook("T", "#ffffff", "●", rounded=True),
    "vertex": _CellLook("o", "#ffffff", rounded=True),
}
"""Kind of a cell -> how it looks at a terminal, in an image and in a label of Graphviz."""


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


def board_shapes(picture: Picture, ground: str = "#ffffff") -> tuple[float, float, list[PageShape]]:
    """Return how wide and how high a picture is, and its shapes, on a ground."""
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
