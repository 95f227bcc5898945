"""Pictures as images, laid out by Graphviz in a process of its own, which can be given up."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

from graphgame.errors import FormatError, LayoutError, MissingExtraError, plural, shorten
from graphgame.export.dot import dot_lines, refuse_layout
from graphgame.export.layouts import layout_of, write_drawing
from graphgame.export.options import picture_options
from graphgame.export.picture import GraphPicture
from graphgame.export.summary import alternative
from graphgame.graph import GameLike
from graphgame.io.files import PathLike, open_atomic, plain_suffix

__all__ = ["LAYOUT_LIMIT", "draw", "draw_as", "graphviz_command", "laid_out"]

LAYOUT_LIMIT = 8000
"""Vertices, edges, and ranks that edges skip: from here a layout takes more than some ten seconds."""

_DOT = (".dot", ".gv")
_IMAGES = (".svg", ".png", ".pdf")
_LARGEST_PNG = 16_000
_LARGEST_PAGE = 200


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
        A name that ends in ``.svg``, ``.png``, ``.pdf``, or in ``.dot`` or ``.gv`` for the text that Graphviz reads.
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
        There is no Graphviz; the picture is written as DOT beside the image's name. Or there is no matplotlib, which
        PNG and PDF of the other layouts need.
    UndirectedGraphError
        The graph is undirected.
    UnknownPositionError
        A position of the options is not a vertex.

    Notes
    -----
    Graphviz takes about 0.5 s for 1,000 vertices and edges, and grows with the square of their number and of the
    ranks that edges skip. The other layouts, pages of 1280 x 720, take O(n + m) time for n vertices and m edges, and
    O(n log n) for positions level by level. PNG and PDF use the system's fonts: Chinese names need one that has them.
    A PNG wider or higher than 16,000 pixels and a PDF above 200 inches are scaled down.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "game.dot")
    >>> draw("chomp(2x2)", path)
    >>> path.read_text().splitlines()[0]
    'digraph game {'
    """
    draw_as(drawn, path, **options)


def draw_as(drawn: GameLike, path: PathLike, **options: Any) -> str:  # noqa: ANN401
    """Draw a game as :func:`draw` does; return its layout."""
    suffix = plain_suffix(path)
    chosen = picture_options(options)
    if suffix not in _IMAGES and suffix not in _DOT and os.fspath(path) != "-":
        expected = ", ".join(_IMAGES + _DOT)
        raise FormatError(
            f"cannot tell the picture's format from the name {shorten(os.fspath(path))}: expected {expected}; "
            "the command line also writes .html, in Python write_page does"
        )
    if suffix not in _IMAGES:
        refuse_layout(chosen)
    picture = GraphPicture(drawn, chosen)
    layout = layout_of(picture) if suffix in _IMAGES else "dot"
    if suffix not in _IMAGES:
        _write_text(picture, path)
    elif layout == "dot":
        _draw_image(picture, path, suffix[1:])
    else:
        write_drawing(picture, layout, path)
    return layout


def _write_text(picture: GraphPicture, path: PathLike) -> None:
    with open_atomic(path) as stream:
        stream.writelines(dot_lines(picture))


def _draw_image(picture: GraphPicture, path: PathLike, kind: str) -> None:
    command = graphviz_command(kind)
    if command is None:
        text = Path(os.fspath(path) + ".dot")
        _write_text(picture, text)
        raise MissingExtraError(f"drawing {Path(path).name} (its text for Graphviz is written to {text})", "render")
    if not picture.options.force:
        _check_size(picture)
    image = _lay_out(picture, command, kind)
    with open_atomic(path, "wb") as stream:
        stream.write(_described(image, picture) if kind == "svg" else image)


def graphviz_command(kind: str) -> list[str] | None:
    """Return the command that turns DOT on its standard input into an image, or None."""
    if importlib.util.find_spec("pygraphviz") is not None:
        return [sys.executable, "-P", str(Path(__file__).with_name("layout_process.py")), kind]
    program = shutil.which("dot")
    return None if program is None else [program, f"-T{kind}"]


def _check_size(picture: GraphPicture) -> None:
    vertices, edges = picture.vertex_count(), picture.edge_count()
    lines = vertices + edges + 2 * len(picture.stubs)
    if lines <= LAYOUT_LIMIT and lines + picture.span() <= LAYOUT_LIMIT:
        return
    size = f"{plural(vertices, 'vertex')} and {plural(edges, 'edge')}"
    way_out = _way_out("force=True (--force) to try all the same")
    raise LayoutError(f"{size} are too many for Graphviz to lay out in reasonable time: {way_out}")


def _way_out(last: str) -> str:
    return (
        "leave out layout='dot' (--layout dot) for a picture of any size; draw a part with around=[position], steps=2 "
        "(--around POSITION --steps 2) or reachable_from=[position] (--reachable-from POSITION), or equal positions as "
        "one with merge=True (--merge); write a page, which shows a part that grows, to a name ending in .html "
        f"(write_page), or the text for Graphviz to one ending in .dot; or give {last}"
    )


def _lay_out(picture: GraphPicture, command: list[str], kind: str) -> bytes:
    options = picture.options
    text = "".join(dot_lines(picture, _page(kind, options.dpi), recorded=False))
    return laid_out(text, command, options.timeout, _way_out("a longer timeout"))


def laid_out(text: str, command: list[str], seconds: float | None, way_out: str) -> bytes:
    """Return the image that Graphviz makes of a text; a LayoutError tells a way out if it does not in some seconds."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise LayoutError(f"Graphviz has not finished the layout in {error.timeout:g} seconds: {way_out}") from None
    except OSError as error:
        raise LayoutError(f"Graphviz does not start: {error}") from None
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {done.returncode}"]
        raise LayoutError(f"Graphviz could not make the image: {shorten(reason[-1], 200)}")
    return done.stdout


def _described(image: bytes, picture: GraphPicture) -> bytes:
    """Return an SVG image with its text for those who do not see it."""
    title, description = map(escape, alternative(picture))
    words = f"\n<title>{title}</title>\n<desc>{description}</desc>".encode()
    return re.sub(rb"<svg(.*?>)", lambda tag: b'<svg role="img"' + tag[1] + words, image, count=1, flags=re.DOTALL)


def _page(kind: str, dpi: int) -> dict[str, str]:
    """Return the attributes that keep an image within what its format can hold."""
    if kind == "png":
        return {"dpi": str(dpi), "size": f'"{_LARGEST_PNG / dpi:g},{_LARGEST_PNG / dpi:g}"'}
    return {"size": f'"{_LARGEST_PAGE},{_LARGEST_PAGE}"'} if kind == "pdf" else {}
