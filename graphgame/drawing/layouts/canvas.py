"""A page of shapes: what every layout but Graphviz's draws on, whatever the format of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import singledispatch
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np

from graphgame.drawing.themes import Theme

_WIDTHS = {0.4: " ,.;:'|!()[]-/ijltfrI", 0.75: "ABCDEFGHKLNOPQRSTUVXYZ", 0.98: "mwMW→×●◎⊕"}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHERS, _WIDE = 0.64, 1.05
"""How wide letters are in their size, and a Chinese character; on the safe side for Helvetica and DejaVu."""


class Look(NamedTuple):
    """Colours and lines; None where there is none."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    dashed: bool = False


class Boxes(NamedTuple):
    """Rectangles of one look: left, top, width, height in each row of ``places``."""

    kind: str
    look: Look
    places: np.ndarray
    hints: Sequence[str] = ()
    rounded: float = 0


class Discs(NamedTuple):
    """Circles of one look: x and y in each row of ``centres``."""

    kind: str
    look: Look
    centres: np.ndarray
    radius: float
    hints: Sequence[str] = ()


class Paths(NamedTuple):
    """Lines of one look, or where that has a fill polygons; those curved are Bézier curves of 3k + 1 points."""

    kind: str
    look: Look
    points: Sequence[np.ndarray]
    curved: bool = False
    hints: Sequence[str] = ()


class PageText(NamedTuple):
    """A line of text; ``halo`` is the colour that sets it off from what lies below it."""

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
        """How wide the line of the halo is: a line that passes below a large number leaves its counters free."""
        return max(3.0, 0.3 * self.size)


class Image(NamedTuple):
    """Pixels, an array of shape (rows, columns, 3) of bytes, in a rectangle."""

    kind: str
    place: tuple[float, float, float, float]
    pixels: np.ndarray


class Group(NamedTuple):
    """Shapes that are one thing, such as a position with its name."""

    kind: str
    shapes: Sequence[PageShape]
    hint: str = ""


PageShape = Boxes | Discs | Paths | PageText | Image | Group


class Canvas:
    """Shapes in the order in which they are painted.

    Attributes
    ----------
    theme : Theme
    title, description : str
        The text for those who do not see it.
    width, height : int
    shapes : list of shapes
        Each has a ``kind``, which says what it shows: ``P``, ``move``, ``legend``.
    scale : float
        How many times as large names are as they are meant to be.
    """

    scale = 1.0

    def __init__(self, theme: Theme, title: str, description: str, width: int, height: int) -> None:
        self.theme = theme
        self.title = title
        self.description = description
        self.width = width
        self.height = height
        self.shapes: list[PageShape] = []

    def add(self, *shapes: PageShape) -> None:
        """Paint shapes above those that are there."""
        self.shapes += shapes

    @contextmanager
    def grouped(self, kind: str, hint: str = "") -> Iterator[None]:
        """Let what is painted meanwhile be one group."""
        outside, self.shapes = self.shapes, []
        yield
        outside.append(Group(kind, self.shapes, hint))
        self.shapes = outside

    def write(
        self,
        kind: str,
        text: str,
        x: float,
        y: float,
        size: float,
        anchor: str = "start",
        ink: str | None = None,
        *,
        bold: bool = False,
        halo: bool = False,
    ) -> None:
        """Write a line of text, its middle at height y."""
        paper = self.theme.paper if halo else None
        self.add(PageText(kind, text, x, y + 0.35 * size, size, ink or self.theme.ink, anchor, bold, paper))


def text_width(text: str, size: float) -> float:
    """Return about how wide a line of text is, rather too wide than too narrow.

    Examples
    --------
    >>> text_width("10", 10), text_width("位置", 10)
    (12.8, 21.0)
    """
    return size * sum(_WIDE if east_asian_width(c) in "WF" else _WIDTH_OF.get(c, _OTHERS) for c in text)


@singledispatch
def moved(shape: PageShape, factor: float, left: float, top: float) -> PageShape:
    """Return a shape so many times as large, and its origin at a point."""
    raise NotImplementedError(shape)


@moved.register
def _(shape: Boxes, factor: float, left: float, top: float) -> Boxes:
    places = np.asarray(shape.places, np.float64) * factor + (left, top, 0, 0)
    return shape._replace(places=places, look=_thicker(shape.look, factor), rounded=shape.rounded * factor)


@moved.register
def _(shape: Discs, factor: float, left: float, top: float) -> Discs:
    centres = np.asarray(shape.centres, np.float64) * factor + (left, top)
    return shape._replace(centres=centres, look=_thicker(shape.look, factor), radius=shape.radius * factor)


@moved.register
def _(shape: Paths, factor: float, left: float, top: float) -> Paths:
    points = [np.asarray(line, np.float64) * factor + (left, top) for line in shape.points]
    return shape._replace(points=points, look=_thicker(shape.look, factor))


@moved.register
def _(shape: PageText, factor: float, left: float, top: float) -> PageText:
    return shape._replace(x=left + factor * shape.x, y=top + factor * shape.y, size=factor * shape.size)


@moved.register
def _(shape: Image, factor: float, left: float, top: float) -> Image:
    x, y, width, height = (factor * side for side in shape.place)
    return shape._replace(place=(left + x, top + y, width, height))


@moved.register
def _(shape: Group, factor: float, left: float, top: float) -> Group:
    return shape._replace(shapes=[moved(part, factor, left, top) for part in shape.shapes])


def _thicker(look: Look, factor: float) -> Look:
    return look._replace(width=look.width * factor)


def arrowheads(starts: np.ndarray, ends: np.ndarray, size: float) -> np.ndarray:
    """Return triangles at the ends of lines, an array of shape (n, 3, 2)."""
    along = ends - starts
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None] * size
    across = 0.45 * along[:, ::-1] * (1, -1)
    return np.stack([ends, ends - along + across, ends - along - across], axis=1)


def rounded_box(box: list[float], radius: float) -> np.ndarray:
    """Return a box with round corners as a Bézier curve: from the middle of each side round a corner to the next."""
    left, top, width, height = box
    right, bottom, x, y = left + width, top + height, left + width / 2, top + height / 2
    radius, points = min(radius, width / 2, height / 2), [(x, top)]
    for (i, j), (cx, cy), end in zip(
        ((1, 0), (0, 1), (-1, 0), (0, -1)),
        ((right, top), (right, bottom), (left, bottom), (left, top)),
        ((right, y), (x, bottom), (left, y), (x, top)),
        strict=True,
    ):
        before, after = (cx - radius * i, cy - radius * j), (cx - radius * j, cy + radius * i)
        nearer = [(0.45 * a + 0.55 * cx, 0.45 * b + 0.55 * cy) for a, b in (before, after)]
        points += [points[-1], before, before, *nearer, after, after, end, end]
    return np.array(points)
