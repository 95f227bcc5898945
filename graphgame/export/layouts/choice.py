"""Pictures of any size: which layout can be read, and the file that it is written to."""

from __future__ import annotations

from collections.abc import Callable

from graphgame.export.layouts.board import board, is_board
from graphgame.export.layouts.canvas import Canvas
from graphgame.export.layouts.figure import write_figure
from graphgame.export.layouts.graph import graph
from graphgame.export.layouts.layers import layers, level_count
from graphgame.export.layouts.overview import overview
from graphgame.export.layouts.svg import svg_text
from graphgame.export.layouts.tikz import tikz_text
from graphgame.export.picture import GraphPicture
from graphgame.io.files import PathLike, open_atomic, plain_suffix

__all__ = ["layout_of", "write_drawing"]

_LAYOUTS: dict[str, Callable[[GraphPicture], Canvas]] = {
    "dot": graph,
    "board": board,
    "layers": layers,
    "overview": overview,
}

_SMALL, _FEW_MOVES = 60, 200
_MOST_IN_LAYERS, _MOST_LEVELS, _MOST_MOVES = 6_000, 120, 10**6


def layout_of(picture: GraphPicture) -> str:
    """Return the layout that is asked for, else the first that can be read.

    What stands in vertices, boards and genera, asks for "dot"; and so does ``force``.
    """
    options = picture.options
    if options.layout is not None:
        return options.layout
    if options.pictures or options.genus is not None or options.force:
        return "dot"
    positions = picture.vertex_count()
    if positions <= _SMALL and (positions < 3 or picture.edge_count() <= _FEW_MOVES):
        return "dot"
    if is_board(picture):
        return "board"
    few = positions <= _MOST_IN_LAYERS and picture.graph.number_of_edges() <= _MOST_MOVES
    return "layers" if few and level_count(picture) <= _MOST_LEVELS else "overview"


def write_drawing(picture: GraphPicture, layout: str, path: PathLike) -> None:
    """Write a picture in one of the layouts of this room, in the format that the file's name says."""
    drawing = _LAYOUTS[layout](picture)
    write = {".svg": svg_text, ".tex": tikz_text}.get(plain_suffix(path))
    if write is None:
        write_figure(drawing, path, picture.options.dpi)
        return
    with open_atomic(path) as stream:
        stream.writelines(write(drawing))
