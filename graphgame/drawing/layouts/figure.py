"""A drawing as PNG or PDF, painted by matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.drawing.layouts.canvas import (
    Boxes,
    Canvas,
    Discs,
    Group,
    Image,
    Look,
    PageShape,
    PageText,
    Paths,
    rounded_box,
)
from graphgame.io.figures import new_figure
from graphgame.io.files import PathLike
from graphgame.text.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCH = 96
_POINT = 72 / INCH


def write_figure(drawing: Canvas, path: PathLike, dpi: float) -> None:
    """Write a drawing as the image that the file's name says.

    Raises
    ------
    MissingExtraError, OSError
        The extra ``plot`` is not installed, the file cannot be written.
    """
    with new_figure(path, (drawing.width / INCH, drawing.height / INCH), dpi) as figure:
        figure.set_layout_engine("none")
        figure.set_facecolor(drawing.theme.paper)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, drawing.width)
        axes.set_ylim(drawing.height, 0)
        for order, shape in enumerate(_flat(drawing.shapes)):
            _paint(shape, axes, order)


def _flat(shapes: Sequence[PageShape]) -> Iterator[PageShape]:
    for shape in shapes:
        yield from _flat(shape.shapes) if isinstance(shape, Group) else (shape,)


@singledispatch
def _paint(shape: PageShape, axes: Axes, order: int) -> None:
    raise NotImplementedError(shape)


@_paint.register(Boxes)
def _boxes(shape: Boxes, axes: Axes, order: int) -> None:
    x, y, width, height = np.asarray(shape.places, np.float64).reshape(-1, 4).T
    corners = np.stack([x, y, x + width, y, x + width, y + height, x, y + height], axis=1).reshape(-1, 4, 2)
    if shape.rounded:
        curves = [rounded_box(box, shape.rounded) for box in np.asarray(shape.places, np.float64).tolist()]
        _paint(Paths(shape.kind, shape.look, curves, curved=True), axes, order)
        return
    _polygons(list(corners), shape.look, axes, order)


@_paint.register(Discs)
def _discs(shape: Discs, axes: Axes, order: int) -> None:
    from matplotlib.collections import EllipseCollection

    wide = np.full(len(shape.centres), 2 * shape.radius)
    look = _look(shape.look)
    discs = EllipseCollection(
        wide, wide, np.zeros(len(wide)), units="xy", offsets=shape.centres, offset_transform=axes.transData, **look
    )
    discs.set_zorder(order)
    axes.add_collection(discs, autolim=False)


@_paint.register(Paths)
def _paths(shape: Paths, axes: Axes, order: int) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    if shape.look.fill and not shape.curved:
        _polygons(list(shape.points), shape.look, axes, order)
        return
    step = Path.CURVE4 if shape.curved else Path.LINETO
    paths = [Path(points, [Path.MOVETO, *[step] * (len(points) - 1)]) for points in shape.points]
    axes.add_collection(PathCollection(paths, zorder=order, **_look(shape.look)), autolim=False)


@_paint.register(PageText)
def _text_line(shape: PageText, axes: Axes, order: int) -> None:
    place = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
    text = axes.text(
        shape.x,
        shape.y,
        printable(shape.text, 0) if shape.text else "",
        size=_POINT * shape.size,
        color=shape.ink,
        ha=place,
        va="baseline",
        weight="bold" if shape.bold else "normal",
        zorder=order,
        parse_math=False,
    )
    if shape.halo:
        from matplotlib.patheffects import withStroke

        text.set_path_effects([withStroke(linewidth=shape.rim * _POINT, foreground=shape.halo)])


@_paint.register(Image)
def _image(shape: Image, axes: Axes, order: int) -> None:
    x, y, width, height = shape.place
    limits = axes.axis()
    axes.imshow(
        shape.pixels, extent=(x, x + width, y + height, y), interpolation="nearest", aspect="auto", zorder=order
    )
    axes.axis(limits)  # imshow has set them to the image's


def _polygons(corners: list[np.ndarray], look: Look, axes: Axes, order: int) -> None:
    from matplotlib.collections import PolyCollection

    axes.add_collection(PolyCollection(corners, zorder=order, **_look(look)), autolim=False)


def _look(look: Look) -> dict[str, Any]:
    return {
        "facecolors": look.fill or "none",
        "edgecolors": look.stroke or "none",
        "linewidths": _POINT * look.width if look.stroke else 0,
        "alpha": look.opacity,
        "linestyles": [(0, (4, 3))] if look.dashed else "solid",
    }
