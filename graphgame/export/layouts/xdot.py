"""A drawing as PNG or PDF, painted by Graphviz: as the background of a graph that has nothing else to draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import singledispatch

import numpy as np

from graphgame.explanation.text import printable
from graphgame.export.layouts.canvas import (
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
    text_width,
)

__all__ = ["xdot_text"]

_POINT = 0.75
"""Points in a pixel."""

_LONGEST = 16_000
"""Bytes in a string of DOT: Graphviz reads none of more than 16,384, but joins them with +."""

_RAISED = 0.05
"""How far Graphviz paints words above their line, in their size; releases before 3 raise them a bit more."""

_AROUND = tuple((np.cos(angle), np.sin(angle)) for angle in np.arange(8) * np.pi / 4)


def xdot_text(drawing: Canvas, dpi: float) -> str:
    """Return a drawing as DOT for the layout ``nop2``: its shapes become operations of xdot, painted in order."""
    wide, high = drawing.width * _POINT, drawing.height * _POINT
    page = np.array([[0, 0, drawing.width, drawing.height]])
    shapes = [Boxes("paper", Look(drawing.theme.paper), page), *drawing.shapes]
    operations = " ".join(line for shape in shapes for line in _lines(shape, drawing.height))
    most = _LONGEST if operations.isascii() else _LONGEST // 4
    parts = re.findall(rf"(?s)(?:[^\\]|\\.){{1,{most}}}", operations.replace('"', '\\"'))
    painted = '"+"'.join(parts)
    corners = (f'{name}[pos="{x:g},{y:g}!"];' for name, x, y in (("a", 0, 0), ("b", wide, high)))
    return (
        f'graph page{{graph[pad=0,margin=0,dpi={dpi:g},viewport="{wide:g},{high:g},1,{wide / 2:g},{high / 2:g}",'
        f'_background="{painted}"];node[shape=none,label="",width=0,height=0];{"".join(corners)}}}'
    )


@singledispatch
def _lines(shape: PageShape, height: float) -> Iterator[str]:
    raise NotImplementedError(shape)


@_lines.register(Group)
def _group(shape: Group, height: float) -> Iterator[str]:
    for part in shape.shapes:
        yield from _lines(part, height)


@_lines.register(Boxes)
def _boxes(shape: Boxes, height: float) -> Iterator[str]:
    boxes = np.asarray(shape.places, np.float64).reshape(-1, 4).tolist()
    if shape.rounded:
        curves = [rounded_box(box, shape.rounded) for box in boxes]
        return _lines(Paths(shape.kind, shape.look, curves, curved=True), height)
    corners = [np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]) for x, y, w, h in boxes]
    return _marks("P" if shape.look.fill else "p", shape.look, corners, height)


@_lines.register(Paths)
def _paths(shape: Paths, height: float) -> Iterator[str]:
    letter = ("b" if shape.look.fill else "B") if shape.curved else ("P" if shape.look.fill else "L")
    return _marks(letter, shape.look, map(_without_cusp, shape.points) if letter == "B" else shape.points, height)


def _without_cusp(curve: np.ndarray) -> np.ndarray:
    """Return a curve that does not turn back at its end, as a shortened one may: old releases paint a gap there."""
    if np.dot(curve[-1] - curve[-2], curve[-2] - curve[-3]) >= 0:
        return curve
    return np.concatenate([curve[:-2], curve[-1:], curve[-1:]])


@_lines.register(Discs)
def _discs(shape: Discs, height: float) -> Iterator[str]:
    yield _look(shape.look)
    radius = shape.radius * _POINT
    for point in _points(shape.centres, height):
        yield f"{'E' if shape.look.fill else 'e'} {point} {radius:.2f} {radius:.2f}"


@_lines.register(Image)
def _image(shape: Image, height: float) -> Iterator[str]:
    """Paint pixels as boxes, one for each run of a colour in a row; each reaches a bit under the next ones."""
    left, top, wide, high = shape.place
    rows, columns, _ = shape.pixels.shape
    across, down = wide / columns * _POINT, high / rows * _POINT
    left, top = left * _POINT, (height - top) * _POINT
    yield _look(Look(""))
    for row, pixels in enumerate(shape.pixels):
        starts = np.flatnonzero(np.any(np.diff(pixels.astype(int), axis=0, prepend=-1), axis=1))
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), columns], strict=True):
            red, green, blue = pixels[start].tolist()
            right, bottom = min(end + 0.5, columns), min(row + 1.5, rows)
            west, east, north, south = start * across, right * across, row * down, bottom * down
            corners = ((west, north), (east, north), (east, south), (west, south))
            box = " ".join(f"{left + x:.1f} {top - y:.1f}" for x, y in corners)
            yield f"{_color('C', f'#{red:02x}{green:02x}{blue:02x}')} P 4 {box}"


@_lines.register(PageText)
def _text(shape: PageText, height: float) -> Iterator[str]:
    text = (
        printable(shape.text, 0).replace("\\", "\u2216") if shape.text else ""
    )  # a backslash would escape what follows
    side = {"start": -1, "middle": 0, "end": 1}[shape.anchor]
    words = f"{side} {text_width(text, shape.size) * _POINT:.2f} {len(text.encode())} -{text}"
    yield f"F {shape.size * _POINT:.2f} 9 -Helvetica t {int(shape.bold)}"
    baseline = shape.y + _RAISED * shape.size
    if shape.halo:
        yield _color("c", shape.halo)
        rim = [(shape.x + shape.rim / 2 * x, baseline + shape.rim / 2 * y) for x, y in _AROUND]
        yield from (f"T {point} {words}" for point in _points(rim, height))
    yield _color("c", shape.ink)
    yield from (f"T {point} {words}" for point in _points((shape.x, baseline), height))


def _marks(letter: str, look: Look, lines: Iterable[np.ndarray], height: float) -> Iterator[str]:
    yield _look(look)
    for line in lines:
        yield f"{letter} {len(line)} {' '.join(_points(line, height))}"


def _points(points: object, height: float) -> list[str]:
    """Return points of a page in points of print, upwards from its lower edge."""
    places = np.asarray(points, np.float64).reshape(-1, 2) * (_POINT, -_POINT) + (0, height * _POINT)
    return [f"{x:.2f} {y:.2f}" for x, y in places.tolist()]


def _look(look: Look) -> str:
    fineness = round(255 * look.opacity)
    fill = _color("C", f"{look.fill}{fineness:02x}") if look.fill else ""
    if not look.stroke:
        return f"{_color('c', '#00000000')} {fill}"
    line = _color("c", f"{look.stroke}{fineness:02x}")
    kind = "dashed" if look.dashed else "solid"
    width = f"setlinewidth({look.width * _POINT:.2f})"
    return f"{line} {fill} S {len(kind)} -{kind} S {len(width)} -{width}"


def _color(operation: str, color: str) -> str:
    return f"{operation} {len(color)} -{color}"
