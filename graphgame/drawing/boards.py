"""The looks of the cells of boards, and pictures of positions in the vertices of a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from graphgame.errors import ParameterError
from graphgame.graph.gamegraph import GameLike
from graphgame.rules.pictures import CellKind, Picture
from graphgame.rules.position import Position

CELL_SIDE = 18
_INK = "#2b2f36"
CELL_LINE = "#7a808a"


class _CellLook(NamedTuple):
    """The look of a cell.

    ``sign`` is its character at a terminal. In an image ``fill`` is its colour, None for a cell without outline;
    ``mark`` is the character in it, which SVG draws as a shape; ``ink`` is the colour of the mark.
    """

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
"""Kind of a cell -> its look at a terminal, in an image and in a label of Graphviz."""


def pictures_of(game: GameLike) -> Callable[[Hashable], Picture | None]:
    """Return a function from the text of a vertex to its picture, for the graph of a position or its product.

    It returns None for a vertex without a picture.

    Raises
    ------
    ParameterError
        The game is not a position, or its rules draw no pictures.
    """
    if not isinstance(game, Position):
        raise ParameterError(
            "pictures=True draws a Position or its text as the rules do: graphs and solutions have names only"
        )
    vertices = dict(zip(map(str, game.graph(texts=True).labels), game.graph().labels, strict=True))
    if all(game.picture(vertex) is None for vertex in vertices.values()):
        raise ParameterError("pictures: the rules of this game draw none")

    def picture(text: Hashable) -> Picture | None:
        if (whole := str(text)) in vertices:
            return game.picture(vertices[whole])
        parts = whole.split(" + ")
        return game.sum_picture([vertices[part] for part in parts]) if vertices.keys() >= set(parts) else None

    return picture
