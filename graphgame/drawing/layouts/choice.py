"""Pictures of any size: which layout can be read, and the file that it is written to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from graphgame.drawing.graphviz import graphviz_command, laid_out
from graphgame.drawing.layouts.board import board, is_board
from graphgame.drawing.layouts.canvas import Canvas
from graphgame.drawing.layouts.figure import INCH, write_figure
from graphgame.drawing.layouts.graph import graph, xdot_text
from graphgame.drawing.layouts.layers import layers, level_count
from graphgame.drawing.layouts.overview import overview
from graphgame.drawing.layouts.svg import svg_text
from graphgame.drawing.layouts.tikz import tikz_text
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import Message, MissingExtraError
from graphgame.io.files import PathLike, open_atomic, plain_suffix

_LAYOUTS: dict[str, Callable[[GraphPicture], Canvas]] = {
    "dot": graph,
    "board": board,
    "layers": layers,
    "overview": overview,
}

READABLE = 0.5
"""How many times as large names are at least, to be read."""

_LARGEST = 16_000
"""Pixels of a PNG image, wide or high."""

_SMALL, _FEW_MOVES = 60, 200
_MOST_IN_LAYERS, _MOST_LEVELS, _MOST_MOVES = 6_000, 120, 10**6


def layout_of(picture: GraphPicture) -> str:
    """Return the layout that is asked for, else the first that can be read.

    What stands in vertices, boards and genera, asks for "dot"; and so does ``force``.
    """
    options = picture.options
    if options.layout is not None:
        return options.layout
    if _needs_graphviz(picture):
        return "dot"
    positions = picture.vertex_count()
    if positions <= _SMALL and (positions < 3 or picture.edge_count() <= _FEW_MOVES):
        return "dot"
    return _layout_of_any_size(picture)


def _needs_graphviz(picture: GraphPicture) -> bool:
    options = picture.options
    return bool(options.pictures) or options.genus is not None or options.force


def _layout_of_any_size(picture: GraphPicture) -> str:
    positions = picture.vertex_count()
    if is_board(picture):
        return "board"
    few = positions <= _MOST_IN_LAYERS and picture.graph.number_of_edges() <= _MOST_MOVES
    return "layers" if few and level_count(picture) <= _MOST_LEVELS else "overview"


def drawing_in(layout: str, picture: GraphPicture) -> tuple[str, Canvas]:
    """Return a drawing and its layout: another one than Graphviz's that nobody asks for, where names are too small."""
    drawing = _LAYOUTS[layout](picture)
    if drawing.scale < READABLE and picture.options.layout is None and not _needs_graphviz(picture):
        layout = _layout_of_any_size(picture)
        drawing = _LAYOUTS[layout](picture)
    return layout, drawing


def write_drawing(drawing: Canvas, path: PathLike, dpi: float) -> None:
    """Write a drawing in the format that the file's name says; PNG and PDF by matplotlib, or else by Graphviz."""
    suffix = plain_suffix(path)
    if write := {".svg": svg_text, ".tex": tikz_text}.get(suffix):
        with open_atomic(path) as stream:
            stream.writelines(write(drawing))
        return
    dpi = min(dpi, _LARGEST * INCH / max(drawing.width, drawing.height))
    try:
        write_figure(drawing, path, dpi)
    except MissingExtraError as error:
        command = graphviz_command(suffix[1:], "nop2")
        if command is None:
            name = Path(path)
            feature = Message("drawing {file} without Graphviz ({other}.svg needs neither)", name.name, name.stem)
            raise MissingExtraError(feature, "plot", error.fault) from None
        image = laid_out(xdot_text(drawing, dpi), command, None, "")
        with open_atomic(path, "wb") as stream:
            stream.write(image)
