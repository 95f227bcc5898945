"""A drawing as TikZ, for documents in LaTeX: with their letters, and scaled by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

import numpy as np

from graphgame.drawing.layouts.canvas import Boxes, Canvas, Discs, Group, Image, Look, PageShape, PageText, Paths
from graphgame.drawing.themes import NAMES
from graphgame.errors import LayoutError
from graphgame.io.latex import latex_text
from graphgame.text.text import printable

_PIXEL = 0.6
"""Points of a pixel: words of 14 pixels have the size of a footnote."""

_LETTERS = 10
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def tikz_text(drawing: Canvas) -> Iterator[str]:
    """Yield the lines of a drawing as TikZ.

    Raises
    ------
    LayoutError
        It has pixels, as very large boards have.
    """
    colors: dict[str, None] = {}
    lines = [line for shape in drawing.shapes for line in _lines(shape, colors)]
    yield "% \\usepackage{tikz}\n"
    font = f"\\sffamily\\fontsize{{{_LETTERS}}}{{12}}\\selectfont"
    yield f"\\begin{{tikzpicture}}[x={_PIXEL}bp, y=-{_PIXEL}bp, font={font}]\n"
    for color in colors:
        yield f"\\definecolor{{{_name(color)}}}{{HTML}}{{{_name(color)[4:]}}}\n"
    yield from lines
    yield "\\end{tikzpicture}\n"


@singledispatch
def _lines(shape: PageShape, colors: dict[str, None]) -> Iterator[str]:
    raise NotImplementedError(shape)


@_lines.register(Boxes)
def _boxes(shape: Boxes, colors: dict[str, None]) -> Iterator[str]:
    places = np.asarray(shape.places, np.float64).reshape(-1, 4)
    corners = np.concatenate([places[:, :2], places[:, :2] + places[:, 2:]], axis=1)
    rounded = f", rounded corners={_PIXEL * shape.rounded:.2g}bp" if shape.rounded else ""
    for left, top, right, bottom in _rounded(corners):
        yield _path(f"({left:g},{top:g}) rectangle ({right:g},{bottom:g})", shape.look, colors, rounded)


@_lines.register(Discs)
def _discs(shape: Discs, colors: dict[str, None]) -> Iterator[str]:
    for x, y in _rounded(shape.centres):
        yield _path(f"({x:g},{y:g}) circle[radius={_PIXEL * shape.radius:.3g}bp]", shape.look, colors)


@_lines.register(Paths)
def _paths(shape: Paths, colors: dict[str, None]) -> Iterator[str]:
    for points in shape.points:
        first, *rest = (f"({x:g},{y:g})" for x, y in _rounded(points))
        if shape.curved:
            steps = (rest[start : start + 3] for start in range(0, len(rest), 3))
            path = first + "".join(f" .. controls {one} and {other} .. {end}" for one, other, end in steps)
        else:
            path = " -- ".join([first, *rest])
        yield _path(path + " -- cycle" * bool(shape.look.fill), shape.look, colors)


@_lines.register(PageText)
def _text_line(shape: PageText, colors: dict[str, None]) -> Iterator[str]:
    looks = [f"anchor={_ANCHORS[shape.anchor]}", f"scale={_PIXEL * shape.size / _LETTERS:.3g}", "inner sep=0pt"]
    looks.append(f"text={_color(shape.ink, colors)}")
    looks += [f"fill={_color(shape.halo, colors)}"] if shape.halo else []
    words = latex_text(printable(shape.text, 0)) if shape.text else ""
    bold = f"\\bfseries {words}" if shape.bold else words
    yield f"\\node[{', '.join(looks)}] at ({shape.x:.1f},{shape.y:.1f}) {{{bold}}};\n"


@_lines.register(Group)
def _group(shape: Group, colors: dict[str, None]) -> Iterator[str]:
    for part in shape.shapes:
        yield from _lines(part, colors)


@_lines.register(Image)
def _image(shape: Image, colors: dict[str, None]) -> Iterator[str]:
    raise LayoutError("a picture as large as this has pixels, which TikZ does not draw: give a name in .pdf or .png")


def _path(path: str, look: Look, colors: dict[str, None], more: str = "") -> str:
    looks = [f"fill={_color(look.fill, colors)}"] if look.fill else []
    if look.stroke:
        looks.append(f"draw={_color(look.stroke, colors)}, line width={_PIXEL * look.width:.2g}bp")
    if look.opacity < 1:
        looks.append(f"opacity={look.opacity:.2g}")
    if look.dashed:
        on, off = (_PIXEL * look.width * part for part in (4, 3))
        looks.append(f"dash pattern=on {on:.2g}bp off {off:.2g}bp")
    return f"\\path[{', '.join(looks)}{more}] {path};\n"


def _color(color: str, colors: dict[str, None]) -> str:
    colors[color] = None
    return _name(color)


def _name(color: str) -> str:
    return f"game{NAMES.get(color.lower(), color)[1:].upper()}"


def _rounded(numbers: Iterable[object]) -> list[list[float]]:
    return np.round(np.asarray(numbers, np.float64), 1).tolist()  # type: ignore[no-any-return]
