"""Write pictures to image files, by Graphviz in a process of its own, or by the lab ``layouts``."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Unpack

from graphgame.drawing.dot import dot_lines, write_dot
from graphgame.drawing.options import PictureKeywords, PictureOptions
from graphgame.drawing.picture import KEEP_A_PART, PICTURE_A_PART, GraphPicture
from graphgame.errors import FormatError, LayoutError, Message, MissingExtraError, both, plural, shorten
from graphgame.graph.gamegraph import GameLike
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.registry import offers, registered

_DOT = (".dot", ".gv")
_IMAGES = (".svg", ".png", ".pdf", ".tex")

ANY_PICTURE = "picture of any size"
"""The name of a job of the lab ``layouts``. Without this lab, Graphviz draws small pictures."""

READABLE = 0.5
"""The smallest scale of names, in relation to their usual size, at which they can be read."""

LAYOUT_LIMIT = 8000
"""Graphviz takes about ten seconds if there are this many vertices, edges and ranks that edges skip, in total."""

_PROCESS = """
import contextlib, ctypes, signal, sys
with contextlib.suppress(AttributeError, TypeError):  # On Linux: end when the parent process ends.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
import pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog=sys.argv[2]))
"""
"""A program that runs pygraphviz in a process of its own, which can be killed: it reads DOT, and writes an image or,
as plain text, the positions of vertices."""


def draw(game: GameLike, path: PathLike, **options: Unpack[PictureKeywords]) -> None:
    """Draw a game to an image file. The picture can be read whatever the size of the game.

    Graphviz lays out up to some dozen positions. A larger game is drawn on a board if it is solved and its positions
    are pairs or triples of numbers that fill a tenth of the board's cells. Triples make a board for each value of one
    number, at most 24. Any other game is drawn in layers (some thousand positions) or as an overview. The option
    ``layout`` chooses a layout. A caption says what is not shown.

    With Graphviz, P-positions have a double outline, N-positions are boxes, draws are hexagons, and sums have a dashed
    outline. A vertex shows its position, outcome, value and tokens. Moves to a P-position are bold,
    winning moves of the tokens bolder. In a solved game without cycles, positions of the same birthday are in one rank.

    Parameters
    ----------
    game : GameLike
        A graph or list of edges is drawn without values, and may have cycles. Any other game, such as a solution, a
        position, a text or a file, is drawn with values and winning moves.
    path : str or os.PathLike
        A file whose suffix is ``.svg``, ``.png``, ``.pdf``, ``.tex`` for TikZ, or ``.dot`` or ``.gv`` for the text that
        Graphviz reads. ``-`` writes that text to standard output.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    FormatError
        The suffix is none of these.
    ParameterError
        An option is unknown or has an invalid value.
    LayoutError
        The picture does not suit the layout or the format of the file, or Graphviz failed or took too long.
    MissingExtraError
        The layout needs Graphviz, which is not installed: the text for it is written to a file beside the image. Or the
        image is PNG or PDF, and neither Graphviz nor matplotlib is installed.
    CycleError, UndirectedGraphError
        The game is drawn with values and has a cycle (then draw ``solve(game, loopy=True)``), or is undirected.
    UnknownPositionError
        A token, or a position in the options, is not a vertex.

    Notes
    -----
    Graphviz takes about 0.5 s for 1,000 vertices and edges; its time grows with the square of their number and of the
    ranks that edges skip. Its pictures are as large as they need to be, up to 4,000 pixels. The other layouts are pages
    of 1280 x 720 pixels and take O(n + m) time for n vertices and m edges; "layers" also sorts them. Sizes are those of
    an SVG: a PNG has ``dpi`` / 96 times as many pixels, up to 16,000. matplotlib paints PNG and PDF; if it is not
    installed, Graphviz does. Both use the fonts of the system: Chinese names need a font that has the characters.

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
    """Draw a game as :func:`draw` does; return the layout, and the scale of names: their size / the usual size."""
    suffix = plain_suffix(path)
    chosen = PictureOptions(**options)
    if suffix not in _IMAGES and suffix not in _DOT and os.fspath(path) != "-":
        expected = ", ".join(_IMAGES + _DOT)
        raise FormatError(
            "cannot tell the picture's format from the name {path!r}: expected {expected}; write_page writes pages",
            os.fspath(path),
            expected,
        )
    if suffix not in _IMAGES:
        write_dot(game, path, **options)
        return "dot", 1.0
    picture = GraphPicture(game, chosen)
    is_dot = chosen.layout == "dot" or (chosen.layout is None and (chosen.force or _is_quick(picture)))
    if suffix != ".tex" and is_dot and ANY_PICTURE not in offers("job"):
        return _write_by_graphviz(picture, path)
    written: tuple[str, float] = registered(ANY_PICTURE)(picture, path)
    return written


def _write_by_graphviz(picture: GraphPicture, path: PathLike) -> tuple[str, float]:
    """Write the image that Graphviz makes of a picture; return ``("dot", 1.0)``, the result of :func:`draw_as`."""
    kind = plain_suffix(path)[1:]
    check_graphviz(picture, path)
    more = {"dpi": str(picture.options.dpi)} if kind == "png" else {}
    command = graphviz_command(kind)
    assert command is not None
    text = "".join(dot_lines(picture, more))
    image = laid_out(text, command, picture.options.timeout, way_out(Message("give a longer timeout")))
    with open_atomic(path, "wb") as stream:
        stream.write(image)
    return "dot", 1.0


def check_graphviz(picture: GraphPicture, path: PathLike) -> None:
    """Raise an error if Graphviz is not installed or, without ``force``, would take too long for a picture.

    If it is not installed, first write the picture as DOT to ``path`` with ``.dot`` added.
    """
    if graphviz_command() is None:
        text = Path(os.fspath(path) + ".dot")
        with open_atomic(text) as stream:
            stream.writelines(dot_lines(picture))
        raise MissingExtraError(
            Message("drawing {name} (its text for Graphviz was written to {file})", Path(path).name, text), "render"
        )
    if not picture.options.force and not _is_quick(picture):
        size = both([plural(picture.vertex_count(), "vertex"), plural(picture.edge_count(), "edge")])
        advice = way_out(Message("give force=True (--force) to try it nevertheless"))
        raise LayoutError("Graphviz would take too long to lay out {size}: {advice}", size, advice)


def graphviz_command(kind: str = "plain", layout: str = "dot") -> list[str] | None:
    """Return a command that runs Graphviz on DOT from its standard input; None if Graphviz is not installed.

    ``kind`` is the output: a format of images, or ``plain`` for the coordinates of vertices. ``layout`` is a program of
    Graphviz, such as ``dot``.
    """
    if importlib.util.find_spec("pygraphviz") is not None:
        return [sys.executable, "-P", "-c", _PROCESS, kind, layout]
    program = shutil.which("dot")
    if program is None:
        return None
    return [program, f"-T{kind}", *([] if layout == "dot" else [f"-K{layout}"])]


def laid_out(text: str, command: list[str], seconds: float | None, advice: str) -> bytes:
    """Return the output of Graphviz for a text; raise a LayoutError if it fails or takes more than ``seconds``.

    None means no limit. ``advice`` is the end of the message after a timeout.
    """
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise LayoutError(
            "Graphviz has not finished the layout in {timeout} seconds: {advice}", f"{error.timeout:g}", advice
        ) from None
    except OSError as error:
        raise LayoutError("Graphviz cannot be started: {error}", error) from None
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {done.returncode}"]
        raise LayoutError("Graphviz could not make the image: {reason}", shorten(reason[-1], 200))
    return done.stdout


def _is_quick(picture: GraphPicture) -> bool:
    """Tell whether a picture has at most ``LAYOUT_LIMIT`` vertices, edges and ranks that edges skip, in total."""
    lines = picture.vertex_count() + picture.edge_count() + 2 * len(picture.stubs)
    return lines <= LAYOUT_LIMIT and lines + picture.span() <= LAYOUT_LIMIT


def way_out(last: str) -> str:
    """Return advice on alternatives to a layout by Graphviz that takes too long; ``last`` is one more alternative."""
    return Message(
        "for a picture of any size, leave out layout='dot' (--layout dot), pictures, genus and force; draw a part with "
        "{picture_a_part} or {keep_a_part}; draw equal positions as one vertex with merge=True (--merge); write a "
        "page, which shows a part of the graph that grows as you explore it, with write_page (-o FILE.html); write "
        "only the text for Graphviz, to a file name that ends in .dot; or {alternative}",
        PICTURE_A_PART,
        KEEP_A_PART,
        last,
    )
