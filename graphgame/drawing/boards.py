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
from graphgame.rules.pictures import Cell, CellKind, Picture, check_picture
from graphgame.rules.position import Position
from graphgame.text.text import printable

_SIDE = 18
_LETTER = 8
_INK = "#2b2f36"
_LINE = "#7a808a"
_CROSS = np.array([[1, 1], [1, -1]])


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
    """Return a picture as a table of an HTML-like label, on white; nothing of a picture without cells.

    Every row is filled up to the longest: Graphviz would spread the cells of short ones.
    """
    check_picture(picture)
    if not picture.width:
        return ""
    blank = _cell(Cell("blank"))
    rows = ("".join(map(_cell, row)) + blank * (picture.width - len(row)) for row in picture.rows)
    table = "".join(f"<TR>{row}</TR>" for row in rows)
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" BGCOLOR="#ffffff" '
        f'COLOR="{_LINE}"><TR><TD CELLPADDING="3"><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
        f"{table}</TABLE></TD></TR></TABLE>"
    )


def board_shapes(picture: Picture, ground: str = "#ffffff") -> tuple[float, float, list[PageShape]]:
    """Return how wide and how high a picture is, and its shapes, on a ground."""
    check_picture(picture)
    widths = [_width([row[column] for row in picture.rows if column < len(row)]) for column in range(picture.width)]
    width, height = sum(widths) + 8, _SIDE * len(picture.rows) + 8
    lefts = [4 + sum(widths[:column]) for column in range(len(widths))]
    shapes: list[PageShape] = [Boxes("ground", Look(ground), np.array([[0, 0, width, height]]), rounded=4)]
    for line, row in enumerate(picture.rows):
        for cell, left, wide in zip(row, lefts, widths, strict=False):
            shapes += _shapes(cell, left, 4 + _SIDE * line, wide)
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


def _width(column: list[Cell]) -> int:
    """Return the pixels that a column is wide: what its longest words take."""
    return max([_SIDE, *(_LETTER * len(printable(cell.text)) + 6 for cell in column if len(cell.text) > 1)])


def _shapes(cell: Cell, left: int, top: int, width: int) -> Iterator[PageShape]:
    """Yield the shapes of a cell."""
    look = _LOOKS[cell.kind]
    x, y = left + width / 2, top + _SIDE / 2
    middle = np.array([[x, y]])
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
