"""Shapes: the parts of an image, and how they are written as SVG."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import zip_longest
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from graphgame.drawing.style import NAMES, THEMES, Theme
from graphgame.text.text import printable_lines


class Look(NamedTuple):
    """The style of a shape: the colours of its interior and its lines (None if it has none), and how they are drawn."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    dashed: bool = False


class Boxes(NamedTuple):
    """Rectangles of the same look. Each row of ``boxes`` has left, top, width and height; ``hints`` are tooltips.

    ``rounded`` is the radius of the corners. ``kind``, as in other shapes, says what the shape shows.
    """

    kind: str
    look: Look
    boxes: np.ndarray
    hints: Sequence[str] = ()
    rounded: float = 0


class Discs(NamedTuple):
    """Circles of the same look and radius. Each row of ``centres`` has x and y."""

    kind: str
    look: Look
    centres: np.ndarray
    radius: float
    hints: Sequence[str] = ()


class Paths(NamedTuple):
    """Lines of the same look, each an array of points (x, y); polygons if the look has a fill.

    If ``curved``, the lines are Bézier curves, of 3k + 1 points for k pieces.
    """

    kind: str
    look: Look
    points: Sequence[np.ndarray]
    curved: bool = False
    hints: Sequence[str] = ()


class PageText(NamedTuple):
    """A line of text, with its anchor at ``x`` and its baseline at ``y``; ``halo`` is the colour of a rim around it."""

    kind: str
    text: str
    x: float
    y: float
    size: float
    ink: str
    anchor: str = "start"
    bold: bool = False
    halo: str | None = None

    @property
    def rim(self) -> float:
        """The width of the line around the letters that makes the halo."""
        return max(3.0, 0.3 * self.size)


class Image(NamedTuple):
    """An image, as an array of bytes of shape (rows, columns, 3); ``box`` has its left, top, width and height."""

    kind: str
    box: tuple[float, float, float, float]
    pixels: np.ndarray


class Group(NamedTuple):
    """Shapes that belong together, such as a position with its name, and their tooltip."""

    kind: str
    shapes: Sequence[PageShape]
    hint: str = ""


PageShape = Boxes | Discs | Paths | PageText | Image | Group

_SCALES = {
    "light": "#fff6e2 #f8dcaf #efc389 #e6a867 #dd8d48 #d3712e #c95118",
    "dark": "#2c2722 #473621 #614623 #7b5826 #956a29 #b17c2d #cc8f32",
    "print": "#ffffff #ededed #dbdbdb #c9c9c9 #b8b8b8 #a7a7a7 #969696",
}
"""The colour scale of values in each theme. The lightness (CIELAB) of neighbouring colours differs by about 8, in
``print`` by about 6. The colour of P-positions is easy to tell from all of them."""

_NEAR = 4 / 3 * (sqrt(2) - 1)
_QUARTERS = np.array([1, *(p * 1j**turn for turn in range(4) for p in (1 + _NEAR * 1j, _NEAR + 1j, 1j))])
CIRCLE = np.stack([_QUARTERS.real, _QUARTERS.imag], axis=1)
"""The unit circle as a Bézier curve of 13 points, from (1, 0) through (0, 1). Each of its four pieces meets the true
circle at its ends and in its middle."""


def svg_lines(
    shapes: Iterable[PageShape], width: float, height: float, words: tuple[str, str] | None = None, paper: str = ""
) -> Iterator[str]:
    """Yield the source text of an SVG image of this size in pixels, piece by piece.

    ``words`` are a title and a description, for people who cannot see the image. With them, the image also has a
    background of the colour ``paper``.
    """
    role = ' role="img"' if words else ""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg"{role} {size} font-family="Helvetica, Arial, sans-serif">'
    if words:
        title, description = map(_words, words)
        yield f"\n<title>{title}</title>\n<desc>{description}</desc>\n"
        yield f'<rect width="{width:g}" height="{height:g}" fill="{paper}"/>\n'
    for shape in shapes:
        yield from _lines(shape)
    yield "</svg>"


def _lines(shape: PageShape) -> Iterator[str]:
    """Yield the SVG source text of a shape, piece by piece."""
    match shape:
        case Boxes():
            rounded = f' rx="{shape.rounded:g}"' if shape.rounded else ""
            marks = (
                f'rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"{rounded}'
                for x, y, w, h in _rounded(shape.boxes)
            )
            yield from _group(shape.kind, shape.look, marks, shape.hints)
        case Discs():
            marks = (f'circle cx="{x:g}" cy="{y:g}" r="{shape.radius:g}"' for x, y in _rounded(shape.centres))
            yield from _group(shape.kind, shape.look, marks, shape.hints)
        case Paths():
            letter, end = "C" if shape.curved else "L", "Z" if shape.look.fill else ""
            lines = ([f"{x:g},{y:g}" for x, y in _rounded(points)] for points in shape.points)
            marks = (f'path d="M{first}{letter}{" ".join(rest)}{end}"' for first, *rest in lines)
            yield from _group(shape.kind, shape.look, marks, shape.hints)
        case PageText():
            bold = ' font-weight="bold"' if shape.bold else ""
            halo = f' stroke="{shape.halo}" stroke-width="{shape.rim:g}" paint-order="stroke"' if shape.halo else ""
            yield (
                f'<text class="{shape.kind}" x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:g}" '
                f'text-anchor="{shape.anchor}" fill="{shape.ink}"{bold}{halo}>{_words(shape.text)}</text>\n'
            )
        case Image():
            x, y, width, height = shape.box
            data = base64.b64encode(png_bytes(shape.pixels)).decode()
            yield (
                f'<image class="{shape.kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>\n'
            )
        case Group():
            yield f'<g class="{shape.kind}">\n'
            if shape.hint:
                yield f"<title>{_words(shape.hint)}</title>\n"
            for part in shape.shapes:
                yield from _lines(part)
            yield "</g>\n"


def png_bytes(pixels: np.ndarray) -> bytes:
    """Return pixels, an array of shape (rows, columns, 3) of bytes, as a PNG image."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)  # the first byte of each line is its filter: 0 means none
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
        yield f"<{mark}><title>{_words(hint)}</title></{mark.split(' ', 1)[0]}>\n" if hint else f"<{mark}/>\n"
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


def _rounded(numbers: np.ndarray) -> list[list[float]]:
    return np.round(np.asarray(numbers, np.float64), 2).tolist()  # type: ignore[no-any-return]


def _words(text: str) -> str:
    """Return text escaped for SVG. Characters that cannot be printed become escapes; line breaks remain."""
    return escape(printable_lines(text))


def scale_pixels(shares: ArrayLike, theme: Theme) -> np.ndarray:
    """Return the colours of numbers from 0 to 1 in a theme's scale. A last axis is added: red, green, blue.

    Examples
    --------
    >>> scale_pixels([0, 1], THEMES["print"]).tolist()
    [[255, 255, 255], [150, 150, 150]]
    """
    name = next((name for name, known in THEMES.items() if known.paper == theme.paper and known.ink == theme.ink))
    steps = np.stack([pixels(color) for color in _SCALES[name].split()])
    positions = np.asarray(shares, np.float64) * (len(steps) - 1)
    channels = [np.interp(positions, np.arange(len(steps)), steps[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def pixels(color: str) -> np.ndarray:
    """Return a colour, ``#rrggbb`` or a name of ``NAMES``, as an array of three bytes."""
    value = NAMES.get(color.lower(), color)
    return np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)], np.uint8)
