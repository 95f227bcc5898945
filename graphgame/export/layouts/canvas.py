"""A page of shapes: what every layout but Graphviz's draws on, whatever the format of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np

from graphgame.export.themes import Theme

__all__ = [
    "HEIGHT",
    "WIDTH",
    "Boxes",
    "Canvas",
    "Discs",
    "Image",
    "Look",
    "PageText",
    "Paths",
    "arrowheads",
    "text_width",
]

WIDTH, HEIGHT = 1280, 720
"""A slide: the sizes of words and lines are chosen so that they can be read where it is seen whole."""

_NARROW, _WIDE = 0.6, 1.05
"""How wide a letter is, and a Chinese character, in its size; on the safe side for Helvetica and DejaVu."""


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


class Image(NamedTuple):
    """Pixels, an array of shape (rows, columns, 3) of bytes, in a rectangle."""

    kind: str
    place: tuple[float, float, float, float]
    pixels: np.ndarray


PageShape = Boxes | Discs | Paths | PageText | Image


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
    """

    def __init__(self, theme: Theme, title: str, description: str, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.theme = theme
        self.title = title
        self.description = description
        self.width = width
        self.height = height
        self.shapes: list[PageShape] = []

    def add(self, *shapes: PageShape) -> None:
        """Paint shapes above those that are there."""
        self.shapes += shapes

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
    >>> text_width("mex", 10), text_width("位置", 10)
    (18.0, 21.0)
    """
    return size * sum(_WIDE if east_asian_width(letter) in "WF" else _NARROW for letter in text)


def arrowheads(starts: np.ndarray, ends: np.ndarray, size: float) -> np.ndarray:
    """Return triangles at the ends of lines, an array of shape (n, 3, 2)."""
    along = ends - starts
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None] * size
    across = 0.45 * along[:, ::-1] * (1, -1)
    return np.stack([ends, ends - along + across, ends - along - across], axis=1)
