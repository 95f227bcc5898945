"""Pictures as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from graphgame.drawing.dot import dot_lines, refuse_layout
from graphgame.drawing.graphviz import check_size, graphviz_command
from graphgame.drawing.layouts.choice import drawing_in, layout_of, write_drawing
from graphgame.drawing.options import picture_options
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import FormatError, Message, MissingExtraError
from graphgame.graph.gamegraph import GameLike
from graphgame.io.files import PathLike, open_atomic, plain_suffix

_DOT = (".dot", ".gv")
_IMAGES = (".svg", ".png", ".pdf", ".tex")


def draw(drawn: GameLike, path: PathLike, **options: Any) -> None:  # noqa: ANN401
    """Draw a game so that it can be read whatever its size, in the format that the file's name says.

    Some dozen positions are laid out by Graphviz, positions that are two or three numbers stand on a board, thousands
    are drawn level by level, and of more there is an overview; ``layout`` chooses. A picture says what it leaves out.

    P-positions are doubly outlined and round, N-positions boxes, draws hexagons, sums outlined in dashes; each shows
    its position, its outcome and its value, and the tokens on it. Moves from an N-position to a P-position are bold,
    winning moves of the tokens boldest.
    Positions of the same birthday stand in one rank, where play must end.

    Parameters
    ----------
    drawn : GameLike
        A graph is drawn as it stands, and may have cycles; a solution, a position, a text or a file with values and
        winning moves.
    path : str or os.PathLike
        A name that ends in ``.svg``, ``.png``, ``.pdf``, in ``.tex`` for TikZ, or in ``.dot`` or ``.gv`` for the text
        that Graphviz reads.
        ``-`` is DOT on standard output.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    FormatError
        The name says no such format.
    OptionError
        An option that is not accepted.
    LayoutError
        The picture is too large for the layout that is asked for, or Graphviz failed.
    MissingExtraError
        There is no Graphviz; the picture is written as DOT beside the image's name. Or there is neither Graphviz nor
        matplotlib, one of which PNG and PDF need.
    UndirectedGraphError
        The graph is undirected.
    UnknownPositionError
        A position of the options is not a vertex.

    Notes
    -----
    Graphviz takes about 0.5 s for 1,000 vertices and edges, and grows with the square of their number and of the
    ranks that edges skip, and its pictures are as large as they need to be, to 4,000 pixels. The other layouts, pages
    of 1280 x 720, take O(n + m) time for n vertices and m edges, and O(n log n) for positions level by level. PNG and
    PDF are painted by matplotlib where it is installed, or else by Graphviz. They use the system's fonts: Chinese names
    need one that has them. A PNG wider or higher than 16,000 pixels is scaled down.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "game.dot")
    >>> draw("chomp(2x2)", path)
    >>> path.read_text().splitlines()[0]
    'digraph game {'
    """
    draw_as(drawn, path, **options)


def draw_as(drawn: GameLike, path: PathLike, **options: Any) -> tuple[str, float]:  # noqa: ANN401
    """Draw a game as :func:`draw` does; return its layout, and how many times as large as usual its names are."""
    suffix = plain_suffix(path)
    chosen = picture_options(options)
    if suffix not in _IMAGES and suffix not in _DOT and os.fspath(path) != "-":
        expected = ", ".join(_IMAGES + _DOT)
        raise FormatError(
            "cannot tell the picture's format from the name {path!r}: expected {expected}; the "
            "command line also writes .html, in Python write_page does",
            os.fspath(path),
            expected,
        )
    if suffix not in _IMAGES:
        refuse_layout(chosen)
    picture = GraphPicture(drawn, chosen)
    layout = layout_of(picture) if suffix in _IMAGES else "dot"
    if suffix not in _IMAGES:
        _write_text(picture, path)
        return layout, 1.0
    if layout == "dot":
        _check_graphviz(picture, path)
    layout, drawing = drawing_in(layout, picture)
    write_drawing(drawing, path, chosen.dpi)
    return layout, drawing.scale


def _write_text(picture: GraphPicture, path: PathLike) -> None:
    with open_atomic(path) as stream:
        stream.writelines(dot_lines(picture))


def _check_graphviz(picture: GraphPicture, path: PathLike) -> None:
    """Raise an error where there is no Graphviz, with the picture as DOT beside, or where it would take long."""
    if graphviz_command() is None:
        text = Path(os.fspath(path) + ".dot")
        _write_text(picture, text)
        raise MissingExtraError(
            Message("drawing {name} (its text for Graphviz is written to {text})", Path(path).name, text), "render"
        )
    if not picture.options.force:
        check_size(picture)
