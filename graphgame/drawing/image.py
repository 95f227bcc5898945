"""Pictures as files: by Graphviz, which is asked in a process of its own, or as a lab draws them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Unpack

from graphgame.drawing.dot import dot_lines, write_dot
from graphgame.drawing.options import PictureKeywords, picture_options
from graphgame.drawing.picture import KEEP_A_PART, PICTURE_A_PART, GraphPicture
from graphgame.errors import FormatError, LayoutError, Message, MissingExtraError, both, plural, shorten
from graphgame.graph.gamegraph import GameLike
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.registry import offers, registered

_DOT = (".dot", ".gv")
_IMAGES = (".svg", ".png", ".pdf", ".tex")

ANY_PICTURE = "picture of any size"
"""The job of a lab that draws every picture itself; without it Graphviz draws small ones."""

READABLE = 0.5
"""How many times as large names are at least, to be read."""

LAYOUT_LIMIT = 8000
"""Vertices, edges, and ranks that edges skip: from here a layout takes more than some ten seconds."""

_PROCESS = """
import contextlib, ctypes, signal, sys
with contextlib.suppress(AttributeError, TypeError):  # on Linux: end with the process that started it
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
import pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog=sys.argv[2]))
"""
"""What pygraphviz does in a process of its own, which can be given up: DOT in, an image or places out."""


def draw(game: GameLike, path: PathLike, **options: Unpack[PictureKeywords]) -> None:
    """Draw a game so that it can be read whatever its size, in the format that the file's name says.

    Some dozen positions are laid out by Graphviz, positions that are two or three numbers stand on a board, thousands
    are drawn level by level, and of more there is an overview; ``layout`` chooses. A picture says what it leaves out.

    P-positions are doubly outlined and round, N-positions boxes, draws hexagons, sums outlined in dashes; each shows
    its position, its outcome and its value, and the tokens on it. Moves from an N-position to a P-position are bold,
    winning moves of the tokens boldest.
    Positions of the same birthday stand in one rank, where play must end.

    Parameters
    ----------
    game : GameLike
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
    ParameterError
        An option that is not accepted.
    LayoutError
        The picture is too large for the layout that is asked for, or Graphviz failed.
    MissingExtraError
        There is no Graphviz; the picture is written as DOT beside the image's name. Or there is neither Graphviz nor
        matplotlib: PNG and PDF need one of them.
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
    draw_as(game, path, **options)


def draw_as(game: GameLike, path: PathLike, **options: Unpack[PictureKeywords]) -> tuple[str, float]:
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
        write_dot(game, path, **options)
        return "dot", 1.0
    picture = GraphPicture(game, chosen)
    is_wanted = chosen.layout == "dot" or (chosen.layout is None and (chosen.force or _is_quick(picture)))
    by_graphviz = suffix != ".tex" and is_wanted
    if by_graphviz and ANY_PICTURE not in offers("job"):
        return _write_by_graphviz(picture, path)
    written: tuple[str, float] = registered(ANY_PICTURE)(picture, path)
    return written


def _write_by_graphviz(picture: GraphPicture, path: PathLike) -> tuple[str, float]:
    """Write the image that Graphviz makes of a picture's text."""
    kind = plain_suffix(path)[1:]
    check_graphviz(picture, path)
    more = {"dpi": str(picture.options.dpi)} if kind == "png" else {}
    command = graphviz_command(kind)
    assert command is not None
    text = "".join(dot_lines(picture, more))
    image = laid_out(text, command, picture.options.timeout, way_out(Message("a longer timeout")))
    with open_atomic(path, "wb") as stream:
        stream.write(image)
    return "dot", 1.0


def check_graphviz(picture: GraphPicture, path: PathLike) -> None:
    """Raise an error where there is no Graphviz, with the picture as DOT beside, or where it would take long."""
    if graphviz_command() is None:
        text = Path(os.fspath(path) + ".dot")
        with open_atomic(text) as stream:
            stream.writelines(dot_lines(picture))
        raise MissingExtraError(
            Message("drawing {name} (its text for Graphviz is written to {text})", Path(path).name, text), "render"
        )
    if not picture.options.force and not _is_quick(picture):
        size = both([plural(picture.vertex_count(), "vertex"), plural(picture.edge_count(), "edge")])
        advice = way_out(Message("force=True (--force) to try all the same"))
        raise LayoutError("{size} are too many for Graphviz to lay out in reasonable time: {way_out}", size, advice)


def graphviz_command(kind: str = "plain", layout: str = "dot") -> list[str] | None:
    """Return the command that turns DOT on its standard input into places or an image of this kind, or None."""
    if importlib.util.find_spec("pygraphviz") is not None:
        return [sys.executable, "-P", "-c", _PROCESS, kind, layout]
    program = shutil.which("dot")
    if program is None:
        return None
    return [program, f"-T{kind}", *([] if layout == "dot" else [f"-K{layout}"])]


def laid_out(text: str, command: list[str], seconds: float | None, advice: str) -> bytes:
    """Return what Graphviz makes of a text; a LayoutError with advice if it does not in some seconds."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise LayoutError(
            "Graphviz has not finished the layout in {timeout} seconds: {way_out}", f"{error.timeout:g}", advice
        ) from None
    except OSError as error:
        raise LayoutError("Graphviz does not start: {error}", error) from None
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {done.returncode}"]
        raise LayoutError("Graphviz could not make the image: {reason}", shorten(reason[-1], 200))
    return done.stdout


def _is_quick(picture: GraphPicture) -> bool:
    """Tell whether Graphviz lays out a picture in reasonable time."""
    lines = picture.vertex_count() + picture.edge_count() + 2 * len(picture.stubs)
    return lines <= LAYOUT_LIMIT and lines + picture.span() <= LAYOUT_LIMIT


def way_out(last: str) -> str:
    """Return what to do instead of waiting for a layout."""
    return Message(
        "leave out layout='dot' (--layout dot) for a picture of any size; draw a part with "
        "{picture_a_part} or {keep_a_part}, or equal positions as one with merge=True (--merge); "
        "write a page, which shows a part that grows, to a name ending in .html (write_page), or "
        "the text for Graphviz to one ending in .dot; or give {last}",
        PICTURE_A_PART,
        KEEP_A_PART,
        last,
    )
