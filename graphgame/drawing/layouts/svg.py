"""A drawing as SVG."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape
from itertools import zip_longest

import numpy as np

from graphgame.drawing.layouts.canvas import Boxes, Canvas, Discs, Group, Image, Look, PageShape, PageText, Paths
from graphgame.text.text import printable

_FONT = "Helvetica, Arial, sans-serif"


def svg_text(drawing: Canvas) -> Iterator[str]:
    """Yield the lines of a drawing as SVG."""
    width, height = drawing.width, drawing.height
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{_FONT}">\n'
        f"<title>{_text(drawing.title)}</title>\n<desc>{_text(drawing.description)}</desc>\n"
        f'<rect width="{width}" height="{height}" fill="{drawing.theme.paper}"/>\n'
    )
    for shape in drawing.shapes:
        yield from _lines(shape)
    yield "</svg>\n"


def shapes_svg(shapes: Iterable[PageShape], width: float, height: float) -> str:
    """Return shapes as an SVG image of this size, without paper and without words about it."""
    lines = "".join(line for shape in shapes for line in _lines(shape))
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}">{lines}</svg>'


@singledispatch
def _lines(shape: PageShape) -> Iterator[str]:
    raise NotImplementedError(shape)


@_lines.register(Boxes)
def _boxes(shape: Boxes) -> Iterator[str]:
    rounded = f' rx="{shape.rounded:g}"' if shape.rounded else ""
    marks = (f'rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"{rounded}' for x, y, w, h in _rounded(shape.places))
    return _group(shape.kind, shape.look, marks, shape.hints)


@_lines.register(Discs)
def _discs(shape: Discs) -> Iterator[str]:
    marks = (f'circle cx="{x:g}" cy="{y:g}" r="{shape.radius:g}"' for x, y in _rounded(shape.centres))
    return _group(shape.kind, shape.look, marks, shape.hints)


@_lines.register(Paths)
def _paths(shape: Paths) -> Iterator[str]:
    letter, end = "C" if shape.curved else "L", "Z" if shape.look.fill else ""
    marks = (f'path d="{_path(points, letter)}{end}"' for points in shape.points)
    return _group(shape.kind, shape.look, marks, shape.hints)


@_lines.register(PageText)
def _text_line(shape: PageText) -> Iterator[str]:
    bold = ' font-weight="bold"' if shape.bold else ""
    halo = f' stroke="{shape.halo}" stroke-width="{shape.rim:g}" paint-order="stroke"' if shape.halo else ""
    yield (
        f'<text class="{shape.kind}" x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:g}" '
        f'text-anchor="{shape.anchor}" fill="{shape.ink}"{bold}{halo}>{_text(shape.text)}</text>\n'
    )


@_lines.register(Image)
def _image(shape: Image) -> Iterator[str]:
    x, y, width, height = shape.place
    data = base64.b64encode(png_bytes(shape.pixels)).decode()
    yield (
        f'<image class="{shape.kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>\n'
    )


@_lines.register(Group)
def _group_lines(shape: Group) -> Iterator[str]:
    yield f'<g class="{shape.kind}">\n'
    if shape.hint:
        yield f"<title>{_text(shape.hint)}</title>\n"
    for part in shape.shapes:
        yield from _lines(part)
    yield "</g>\n"


def png_bytes(pixels: np.ndarray) -> bytes:
    """Return pixels, an array of shape (rows, columns, 3) of bytes, as a PNG image."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)  # each begins with its filter, none
    lines[:, 1:] = pixels.reshape(rows, -1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines.tobytes(), 6)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _group(kind: str, look: Look, marks: Iterable[str], hints: Iterable[str]) -> Iterator[str]:
    yield f'<g class="{kind}"{_look(look)}>\n'
    for mark, hint in zip_longest(marks, hints):
        yield f"<{mark}><title>{_text(hint)}</title></{mark.split(' ', 1)[0]}>\n" if hint else f"<{mark}/>\n"
    yield "</g>\n"


def _look(look: Look) -> str:
    parts = [f' fill="{look.fill or "none"}"']
    if look.stroke:
        parts.append(f' stroke="{look.stroke}" stroke-width="{look.width:g}"')
    if look.opacity < 1:
        parts.append(f' opacity="{look.opacity:g}"')
    if look.dashed:
        parts.append(f' stroke-dasharray="{4 * look.width:g} {3 * look.width:g}"')
    return "".join(parts)


def _path(points: np.ndarray, letter: str) -> str:
    first, *rest = (f"{x:g},{y:g}" for x, y in _rounded(points))
    return f"M{first}{letter}{' '.join(rest)}"


def _rounded(numbers: np.ndarray) -> list[list[float]]:
    return np.round(np.asarray(numbers, np.float64), 2).tolist()  # type: ignore[no-any-return]


def _text(text: str) -> str:
    return "\n".join(escape(printable(line, 0)) if line else "" for line in text.split("\n"))
