"""Write pictures to files: choose a readable layout, and write shapes as SVG, as TikZ, by matplotlib or by Graphviz."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.drawing.image import READABLE, check_graphviz, graphviz_command, laid_out
from graphgame.drawing.picture import GraphPicture
from graphgame.drawing.style import NAMES
from graphgame.errors import LayoutError, Message, MissingExtraError
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.labs.layouts.board import board, is_board
from graphgame.labs.layouts.graph import graph
from graphgame.labs.layouts.layers import layers, level_count
from graphgame.labs.layouts.overview import overview
from graphgame.labs.layouts.page import Canvas, text_width
from graphgame.labs.layouts.plots import new_figure
from graphgame.labs.layouts.shapes import (
    CIRCLE,
    Boxes,
    Discs,
    Group,
    Image,
    Look,
    PageShape,
    PageText,
    Paths,
    svg_lines,
)
from graphgame.text.latex import latex_text
from graphgame.text.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LAYOUTS: dict[str, Callable[[GraphPicture], Canvas]] = {
    "dot": graph,
    "board": board,
    "layers": layers,
    "overview": overview,
}


_MOST_PIXELS = 16_000
"""The maximum width, and the maximum height, of an image, in pixels."""

_MOST_IN_DOT, _MOST_MOVES_IN_DOT = 60, 200
"""The maximum numbers of positions and of moves for which the layout "dot" is chosen automatically."""

_MOST_IN_LAYERS, _MOST_LEVELS, _MOST_MOVES_IN_LAYERS = 6_000, 120, 10**6
"""The maximum numbers of positions, of levels and of moves for which the layout "layers" is chosen automatically."""


def write_image(picture: GraphPicture, path: PathLike) -> tuple[str, float]:
    """Draw a picture to a file; return the name of its layout, and the scale of names (1.0 is their usual size)."""
    layout = layout_of(picture)
    if layout == "dot":
        check_graphviz(picture, path)
    drawing = _LAYOUTS[layout](picture)
    # If the names in layout "dot" are too small to read, take another layout, unless the options ask for "dot".
    if drawing.scale < READABLE and picture.options.layout is None and not _needs_graphviz(picture):
        layout = _layout_of_any_size(picture)
        drawing = _LAYOUTS[layout](picture)
    write_drawing(drawing, path, picture.options.dpi)
    return layout, drawing.scale


def layout_of(picture: GraphPicture) -> str:
    """Return the layout that the options name.

    If they name none, return "dot" if vertices show boards or genera, or with the option ``force``. Otherwise return
    the first of "dot", "board" (for pairs or triples of numbers) and "layers" that can be read well, or "overview" if
    none of the three can.
    """
    options = picture.options
    if options.layout is not None:
        return options.layout
    if _needs_graphviz(picture):
        return "dot"
    positions = picture.vertex_count()
    if positions <= _MOST_IN_DOT and (positions < 3 or picture.edge_count() <= _MOST_MOVES_IN_DOT):
        return "dot"
    return _layout_of_any_size(picture)


def _needs_graphviz(picture: GraphPicture) -> bool:
    options = picture.options
    return bool(options.pictures) or options.genus is not None or options.force


def _layout_of_any_size(picture: GraphPicture) -> str:
    positions = picture.vertex_count()
    if is_board(picture):
        return "board"
    fits = positions <= _MOST_IN_LAYERS and picture.graph.number_of_edges() <= _MOST_MOVES_IN_LAYERS
    return "layers" if fits and level_count(picture) <= _MOST_LEVELS else "overview"


def write_drawing(drawing: Canvas, path: PathLike, dpi: float) -> None:
    """Write a drawing in the format given by the file's name.

    PNG and PDF need matplotlib or Graphviz: if neither is installed, raise a MissingExtraError. ``dpi`` is the number
    of pixels per inch in a PNG; it is lowered if the PNG would be wider or higher than 16,000 pixels.
    """
    suffix = plain_suffix(path)
    if write := {".svg": svg_text, ".tex": tikz_text}.get(suffix):
        with open_atomic(path) as stream:
            stream.writelines(write(drawing))
        return
    dpi = min(dpi, _MOST_PIXELS * INCH / max(drawing.width, drawing.height))
    try:
        write_figure(drawing, path, dpi)
    except MissingExtraError as error:
        command = graphviz_command(suffix[1:], "nop2")
        if command is None:
            name = Path(path)
            feature = Message(
                "drawing {file} without Graphviz ({other}.svg needs no other program)", name.name, name.stem
            )
            raise MissingExtraError(feature, "plot", error.fault) from None
        image = laid_out(xdot_text(drawing, dpi), command, None, "")
        with open_atomic(path, "wb") as stream:
            stream.write(image)


def svg_text(drawing: Canvas) -> Iterator[str]:
    """Yield the lines of a drawing as SVG."""
    words = drawing.title, drawing.description
    yield from svg_lines(drawing.shapes, drawing.width, drawing.height, words, drawing.theme.paper)
    yield "\n"


def _flat(shapes: Sequence[PageShape]) -> Iterator[PageShape]:
    """Yield the shapes; in place of each group, the shapes in it and in the groups that it contains."""
    for shape in shapes:
        yield from _flat(shape.shapes) if isinstance(shape, Group) else (shape,)


_CORNERS = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
"""The directions of the corners of a box from its middle, in the order in which ``CIRCLE`` passes them."""

_AROUND_BOX = np.array([(3 * turn + min(i, 3), (turn + i // 5) % 4) for turn in range(4) for i in range(6)] + [(12, 0)])
"""For each point on the outline of a rounded box: its index in ``CIRCLE``, and its corner's index in ``_CORNERS``."""


def _outlines(shape: Boxes | Discs | Paths) -> tuple[Sequence[np.ndarray], bool, bool]:
    """Return (points of each outline, whether all outlines are Bézier curves, whether all are closed)."""
    if isinstance(shape, Paths):
        return shape.points, shape.curved, bool(shape.look.fill)
    if isinstance(shape, Discs):
        return list(shape.centres[:, None] + shape.radius * CIRCLE), True, True
    boxes = np.asarray(shape.boxes, np.float64).reshape(-1, 1, 4)
    half = boxes[..., 2:] / 2
    middle = boxes[..., :2] + half
    if not shape.rounded:
        return list(middle + half * _CORNERS), False, True
    # Each corner is a quarter of the circle, moved from the middle towards the corner. The side to the next corner is a
    # Bézier curve whose control points are its ends, which is a straight line.
    radius = np.minimum(shape.rounded, half.min(axis=2, keepdims=True))
    on_circle, corner = _AROUND_BOX.T
    return list(middle + radius * CIRCLE[on_circle] + (half - radius) * _CORNERS[corner]), True, True


_PIXEL = 0.6
"""The size of a pixel in points, in TikZ: text of 14 pixels gets the size of a footnote."""

_FONT_SIZE = 10
"""The size, in points, of the font in TikZ. Texts of other sizes are scaled."""

_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def tikz_text(drawing: Canvas) -> Iterator[str]:
    """Yield the lines of a drawing as TikZ.

    Raises
    ------
    LayoutError
        The drawing has an image of pixels, as heat maps of large boards and overviews with values do.
    """
    colors: dict[str, None] = {}
    lines = [line for shape in _flat(drawing.shapes) for line in _tikz(shape, colors)]
    yield "% \\usepackage{tikz}\n"
    font = f"\\sffamily\\fontsize{{{_FONT_SIZE}}}{{12}}\\selectfont"
    yield f"\\begin{{tikzpicture}}[x={_PIXEL}bp, y=-{_PIXEL}bp, font={font}]\n"
    for color in colors:
        yield f"\\definecolor{{{_tikz_name(color)}}}{{HTML}}{{{_tikz_name(color)[4:]}}}\n"
    yield from lines
    yield "\\end{tikzpicture}\n"


def _tikz(shape: PageShape, colors: dict[str, None]) -> Iterator[str]:
    """Yield the lines of a shape in TikZ, and add its colours to ``colors``; raise a LayoutError for an image."""
    match shape:
        case Boxes():
            boxes = np.asarray(shape.boxes, np.float64).reshape(-1, 4)
            corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
            rounded = f", rounded corners={_PIXEL * shape.rounded:.2g}bp" if shape.rounded else ""
            for left, top, right, bottom in _tenths(corners):
                yield _tikz_path(f"({left:g},{top:g}) rectangle ({right:g},{bottom:g})", shape.look, colors, rounded)
        case Discs():
            for x, y in _tenths(shape.centres):
                yield _tikz_path(f"({x:g},{y:g}) circle[radius={_PIXEL * shape.radius:.3g}bp]", shape.look, colors)
        case Paths():
            for points in shape.points:
                first, *rest = (f"({x:g},{y:g})" for x, y in _tenths(points))
                if shape.curved:
                    steps = (rest[start : start + 3] for start in range(0, len(rest), 3))
                    path = first + "".join(f" .. controls {a} and {b} .. {end}" for a, b, end in steps)
                else:
                    path = " -- ".join([first, *rest])
                yield _tikz_path(path + " -- cycle" * bool(shape.look.fill), shape.look, colors)
        case PageText():
            looks = [
                f"anchor={_ANCHORS[shape.anchor]}",
                f"scale={_PIXEL * shape.size / _FONT_SIZE:.3g}",
                "inner sep=0pt",
            ]
            looks.append(f"text={_tikz_color(shape.ink, colors)}")
            looks += [f"fill={_tikz_color(shape.halo, colors)}"] if shape.halo else []
            words = latex_text(printable(shape.text, 0)) if shape.text else ""
            bold = f"\\bfseries {words}" if shape.bold else words
            yield f"\\node[{', '.join(looks)}] at ({shape.x:.1f},{shape.y:.1f}) {{{bold}}};\n"
        case Image():
            raise LayoutError(
                "this picture has parts made of pixels, which TikZ cannot draw: "
                "give a file name that ends in .pdf or .png"
            )


def _tikz_path(path: str, look: Look, colors: dict[str, None], more: str = "") -> str:
    looks = [f"fill={_tikz_color(look.fill, colors)}"] if look.fill else []
    if look.stroke:
        looks.append(f"draw={_tikz_color(look.stroke, colors)}, line width={_PIXEL * look.width:.2g}bp")
    if look.opacity < 1:
        looks.append(f"opacity={look.opacity:.2g}")
    if look.dashed:
        on, off = (_PIXEL * look.width * part for part in (4, 3))
        looks.append(f"dash pattern=on {on:.2g}bp off {off:.2g}bp")
    return f"\\path[{', '.join(looks)}{more}] {path};\n"


def _tikz_color(color: str, colors: dict[str, None]) -> str:
    colors[color] = None
    return _tikz_name(color)


def _tikz_name(color: str) -> str:
    return f"game{NAMES.get(color.lower(), color)[1:].upper()}"


def _tenths(numbers: Iterable[object]) -> list[list[float]]:
    return np.round(np.asarray(numbers, np.float64), 1).tolist()  # type: ignore[no-any-return]


INCH = 96
"""The number of pixels in an inch."""

_POINT = 72 / INCH
"""The size of a pixel in points."""


def write_figure(drawing: Canvas, path: PathLike, dpi: float) -> None:
    """Write a drawing as an image with matplotlib, in the format given by the file's name.

    Raises
    ------
    MissingExtraError
        The extra ``plot`` is not installed.
    OSError
        The file cannot be written.
    """
    size = drawing.width / INCH, drawing.height / INCH
    with new_figure(path, size, drawing.theme, dpi=dpi) as figure:
        # The axes have a fixed place on the page. A layout engine would warn that it has nothing to lay out.
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, drawing.width)
        axes.set_ylim(drawing.height, 0)
        for order, shape in enumerate(_flat(drawing.shapes)):
            _paint(shape, axes, order)


def _paint(shape: PageShape, axes: Axes, order: int) -> None:
    """Add a shape to matplotlib's axes, on top of the shapes with a lower ``order``."""
    match shape:
        case Boxes() | Discs() | Paths():
            from matplotlib.collections import PathCollection
            from matplotlib.path import Path

            lines, curved, closed = _outlines(shape)
            step = Path.CURVE4 if curved else Path.LINETO
            paths = []
            for points in lines:
                codes = [Path.MOVETO, *[step] * (len(points) - 1)]
                paths.append(Path([*points, points[0]], [*codes, Path.CLOSEPOLY]) if closed else Path(points, codes))
            axes.add_collection(PathCollection(paths, zorder=order, **_artist_look(shape.look)), autolim=False)
        case PageText():
            side = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
            text = axes.text(
                shape.x,
                shape.y,
                printable(shape.text, 0) if shape.text else "",
                size=_POINT * shape.size,
                color=shape.ink,
                ha=side,
                va="baseline",
                weight="bold" if shape.bold else "normal",
                zorder=order,
                parse_math=False,
            )
            if shape.halo:
                from matplotlib.patheffects import withStroke

                text.set_path_effects([withStroke(linewidth=shape.rim * _POINT, foreground=shape.halo)])
        case Image():
            left, top, across, down = shape.box
            limits = axes.axis()
            axes.imshow(
                shape.pixels,
                extent=(left, left + across, top + down, top),
                interpolation="nearest",
                aspect="auto",
                zorder=order,
            )
            # imshow has changed the limits to those of the image: restore them.
            axes.axis(limits)


def _artist_look(look: Look) -> dict[str, Any]:
    return {
        "facecolors": look.fill or "none",
        "edgecolors": look.stroke or "none",
        "linewidths": _POINT * look.width if look.stroke else 0,
        "alpha": look.opacity,
        "linestyles": [(0, (4, 3))] if look.dashed else "solid",
    }


_LONGEST_STRING = 16_000
"""The maximum number of bytes of a string in DOT. Graphviz reads at most 16,384, but strings can be joined with +."""

_RAISED = 0.05
"""How far Graphviz draws text above its baseline, as a share of the font size (before release 3 a little more)."""

_AROUND = tuple((np.cos(angle), np.sin(angle)) for angle in np.arange(8) * np.pi / 4)
"""Eight directions, in which copies of a text make up its halo."""


def xdot_text(drawing: Canvas, dpi: float) -> str:
    """Return a drawing as DOT for the layout ``nop2``. The graph's background has all shapes, as operations of xdot.

    If Graphviz draws the result as PNG, it has ``dpi`` pixels per inch.
    """
    wide, high = drawing.width * _POINT, drawing.height * _POINT
    page = np.array([[0, 0, drawing.width, drawing.height]])
    shapes = [Boxes("paper", Look(drawing.theme.paper), page), *_flat(drawing.shapes)]
    operations = " ".join(line for shape in shapes for line in _xdot(shape, drawing.height))
    # Cut the operations into strings. The maximum length is in bytes, and a character takes up to four bytes. A
    # backslash and the character that it escapes stay in the same string.
    limit = _LONGEST_STRING if operations.isascii() else _LONGEST_STRING // 4
    parts = re.findall(rf"(?s)(?:[^\\]|\\.){{1,{limit}}}", operations.replace('"', '\\"'))
    painted = '"+"'.join(parts)
    corners = (f'{name}[pos="{x:g},{y:g}!"];' for name, x, y in (("a", 0, 0), ("b", wide, high)))
    return (
        f'graph page{{graph[pad=0,margin=0,dpi={dpi:g},viewport="{wide:g},{high:g},1,{wide / 2:g},{high / 2:g}",'
        f'_background="{painted}"];node[shape=none,label="",width=0,height=0];{"".join(corners)}}}'
    )


def _xdot(shape: PageShape, page_height: float) -> Iterator[str]:
    """Yield the operations of xdot that draw a shape. xdot measures y upwards from the lower edge of the page."""
    match shape:
        case Boxes() | Discs() | Paths():
            lines, curved, closed = _outlines(shape)
            # In xdot, b is a filled curve, B an unfilled curve, P a filled polygon, p an unfilled polygon, L a line.
            letter = ("bBB" if curved else "PpL")[0 if shape.look.fill else 1 if closed else 2]
            yield _xdot_look(shape.look)
            for line in map(_without_cusp, lines) if letter == "B" else lines:
                yield f"{letter} {len(line)} {' '.join(_xdot_points(line, page_height))}"
        case Image():
            yield from _xdot_pixels(shape, page_height)
        case PageText():
            # In xdot a backslash escapes the next character, so write a similar sign instead.
            text = printable(shape.text, 0).replace("\\", "\u2216") if shape.text else ""
            side = {"start": -1, "middle": 0, "end": 1}[shape.anchor]
            words = f"{side} {text_width(text, shape.size) * _POINT:.2f} {len(text.encode())} -{text}"
            yield f"F {shape.size * _POINT:.2f} 9 -Helvetica t {int(shape.bold)}"
            baseline = shape.y + _RAISED * shape.size
            if shape.halo:
                yield _xdot_color("c", shape.halo)
                rim = [(shape.x + shape.rim / 2 * x, baseline + shape.rim / 2 * y) for x, y in _AROUND]
                yield from (f"T {point} {words}" for point in _xdot_points(rim, page_height))
            yield _xdot_color("c", shape.ink)
            yield from (f"T {point} {words}" for point in _xdot_points((shape.x, baseline), page_height))


def _without_cusp(curve: np.ndarray) -> np.ndarray:
    """Return ``curve`` or, if it turns back just before its end, a copy with its last control point at the end.

    At such a turn, old releases of Graphviz draw a gap.
    """
    if np.dot(curve[-1] - curve[-2], curve[-2] - curve[-3]) >= 0:
        return curve
    return np.concatenate([curve[:-2], curve[-1:], curve[-1:]])


def _xdot_pixels(shape: Image, page_height: float) -> Iterator[str]:
    """Yield the operations of xdot that draw an image: a filled box for each run of pixels of one colour in a row.

    The boxes overlap a little to leave no gaps. xdot measures y upwards from the lower edge of the page.
    """
    left, top, wide, high = shape.box
    rows, columns, _ = shape.pixels.shape
    across, down = wide / columns * _POINT, high / rows * _POINT
    left, top = left * _POINT, (page_height - top) * _POINT
    yield _xdot_look(Look(""))
    for row, pixels in enumerate(shape.pixels):
        # Put -1, which is no colour, before the first pixel of a row, so that a run starts there.
        starts = np.flatnonzero(np.any(np.diff(pixels.astype(int), axis=0, prepend=-1), axis=1))
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), columns], strict=True):
            red, green, blue = pixels[start].tolist()
            right, bottom = min(end + 0.5, columns), min(row + 1.5, rows)
            west, east, north, south = start * across, right * across, row * down, bottom * down
            corners = ((west, north), (east, north), (east, south), (west, south))
            box = " ".join(f"{left + x:.1f} {top - y:.1f}" for x, y in corners)
            yield f"{_xdot_color('C', f'#{red:02x}{green:02x}{blue:02x}')} P 4 {box}"


def _xdot_points(points: object, page_height: float) -> list[str]:
    """Convert pixels to texts "x y" in units of 1/72 inch, where y is the height above the lower edge of the page."""
    in_points = np.asarray(points, np.float64).reshape(-1, 2) * (_POINT, -_POINT) + (0, page_height * _POINT)
    return [f"{x:.2f} {y:.2f}" for x, y in in_points.tolist()]


def _xdot_look(look: Look) -> str:
    alpha = f"{round(255 * look.opacity):02x}"
    fill = _xdot_color("C", f"{look.fill}{alpha}") if look.fill else ""
    if not look.stroke:
        return f"{_xdot_color('c', '#00000000')} {fill}"
    line = _xdot_color("c", f"{look.stroke}{alpha}")
    kind = "dashed" if look.dashed else "solid"
    width = f"setlinewidth({look.width * _POINT:.2f})"
    return f"{line} {fill} S {len(kind)} -{kind} S {len(width)} -{width}"


def _xdot_color(operation: str, color: str) -> str:
    return f"{operation} {len(color)} -{color}"
