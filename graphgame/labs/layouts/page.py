"""The page that layouts draw on: shapes, heading and legend, and the signs for positions and moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.captions import alternative, heading_lines, headings, meaning
from graphgame.drawing.picture import GraphPicture
from graphgame.drawing.style import Theme
from graphgame.labs.layouts.shapes import Boxes, Discs, Group, Image, Look, PageShape, PageText, Paths, scale_pixels

_WIDTHS = {0.4: " ,.;:'|!()[]-/ijltfrI", 0.75: "ABCDEFGHKLNOPQRSTUVXYZ", 0.98: "mwMW→×●◎⊕"}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHERS, _WIDE = 0.64, 1.05
"""The width of other letters and of a Chinese character, as a share of the size: generous for Helvetica and DejaVu."""


class Letters(NamedTuple):
    """The style of a line of text. A halo in the paper's colour separates it from what lies below."""

    size: float
    anchor: str = "start"
    ink: str | None = None
    bold: bool = False
    halo: bool = False


class Canvas:
    """A drawing: shapes in the order in which they are painted.

    Attributes
    ----------
    theme : Theme
    title, description : str
        The text alternative, for people who cannot see the drawing.
    width, height : int
        The size in pixels.
    shapes : list of shapes
        Each has a ``kind`` that says what it shows, such as ``P``, ``move`` or ``legend``.
    scale : float
        The size of names on the page, relative to their usual size.
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
        """Add shapes on top of the others."""
        self.shapes += shapes

    @contextmanager
    def grouped(self, kind: str, hint: str = "") -> Iterator[None]:
        """While this context is open, add shapes to one group."""
        outside, self.shapes = self.shapes, []
        yield
        outside.append(Group(kind, self.shapes, hint))
        self.shapes = outside

    def write(self, kind: str, text: str, x: float, y: float, letters: Letters) -> None:
        """Add a line of text whose vertical middle is at y."""
        size, anchor, ink, bold, halo = letters
        paper = self.theme.paper if halo else None
        self.add(PageText(kind, text, x, y + 0.35 * size, size, ink or self.theme.ink, anchor, bold, paper))


def text_width(text: str, size: float) -> float:
    """Return an estimate of the width of a line of text in pixels, rather too large than too small.

    Examples
    --------
    >>> text_width("10", 10), text_width("位置", 10)
    (12.8, 21.0)
    """
    return size * sum(_WIDE if east_asian_width(c) in "WF" else _WIDTH_OF.get(c, _OTHERS) for c in text)


def moved(shape: PageShape, factor: float, left: float, top: float) -> PageShape:
    """Return a shape enlarged by a factor, and then moved by (left, top)."""
    match shape:
        case Group():
            return shape._replace(shapes=[moved(part, factor, left, top) for part in shape.shapes])
        case PageText():
            return shape._replace(x=left + factor * shape.x, y=top + factor * shape.y, size=factor * shape.size)
        case Image():
            x, y, width, height = (factor * side for side in shape.place)
            return shape._replace(place=(left + x, top + y, width, height))
    look = shape.look._replace(width=shape.look.width * factor)
    match shape:
        case Boxes():
            places = np.asarray(shape.places, np.float64) * factor + (left, top, 0, 0)
            return shape._replace(places=places, look=look, rounded=shape.rounded * factor)
        case Discs():
            centres = np.asarray(shape.centres, np.float64) * factor + (left, top)
            return shape._replace(centres=centres, look=look, radius=shape.radius * factor)
        case Paths():
            points = [np.asarray(line, np.float64) * factor + (left, top) for line in shape.points]
            return shape._replace(points=points, look=look)


def arrowheads(starts: np.ndarray, ends: np.ndarray, size: float) -> np.ndarray:
    """Return triangles at the ends of lines, as an array of shape (n, 3, 2). The first corner is the tip."""
    along = ends - starts
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None] * size
    across = 0.45 * along[:, ::-1] * (1, -1)
    return np.stack([ends, ends - along + across, ends - along - across], axis=1)


def rounded_box(box: list[float], radius: float) -> np.ndarray:
    """Return a box (left, top, width, height) with round corners, as a Bézier curve that starts in the top's middle."""
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


_MARGIN = 24
_SMALL = 15
_SIZES = (24, 17)
_LINE = 27
_APART = 26
_LEAST = 420
_RING_FROM = 9


class Frame(NamedTuple):
    """The part of a page that the heading and the legend leave."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height in pixels."""
        return self.bottom - self.top


class LegendEntry(NamedTuple):
    """An entry of a legend: a function that draws its sign around a point, the width of the sign, and its meaning."""

    draw: Callable[[Canvas, float, float], None]
    width: float
    meaning: str


def new_page(
    picture: GraphPicture,
    shown: Sequence[str],
    entries: Sequence[LegendEntry],
    *,
    aside: bool = False,
    legend: str | None = None,
    needs: tuple[float, float] | None = None,
) -> tuple[Canvas, Frame]:
    """Return a page with a heading, the lines ``shown`` and a legend; and the frame that is left for the drawing.

    With ``aside`` the text is beside the drawing, instead of above and below. ``legend`` is the place of the legend;
    the default is the first place in the options. The page has the size in the options, or what a drawing of the size
    ``needs`` takes.
    """
    title, description = alternative(picture)
    place = legend or next(iter(picture.options.legends), "")
    column = legend_width(entries) if place == "right" else 0.0
    size = picture.options.page
    if needs is not None:
        words = _LEAST if entries and place == "below" else 0
        size = math.ceil(max(needs[0] + column, words, _title_width(picture)) + 2 * _MARGIN), 0
    drawing = Canvas(picture.theme, title, ". ".join(filter(None, [description, *shown])), *size)
    width = (drawing.width - drawing.height if aside else drawing.width) - 2 * _MARGIN
    top = _heading(drawing, picture, shown, width)
    lines = _lines(entries, width) if place == "below" else []
    if needs is not None:
        below = 10 + _LINE * len(lines) + _MARGIN / 2
        drawing.height = math.ceil(top + max(needs[1], _LINE * len(entries) * (column > 0)) + below)
    foot = drawing.height - _MARGIN / 2 - _LINE * len(lines)
    _legend(drawing, lines, _MARGIN, foot)
    right = drawing.width - _MARGIN - column
    if column:
        signs = max(entry.width for entry in entries)
        _legend(drawing, [[entry] for entry in entries], right + _APART, 36 if aside else top, signs)
    if aside:
        return drawing, Frame(_MARGIN + width, 12, right, drawing.height - 8)
    return drawing, Frame(_MARGIN, top, right, foot - 10)


def legend_width(entries: Sequence[LegendEntry]) -> float:
    """Return the width of a legend in one column, including the space beside it."""
    meanings = (_wide(entry) - entry.width for entry in entries)
    return max(meanings, default=0.0) + max((entry.width for entry in entries), default=0.0)


def _title_width(picture: GraphPicture) -> float:
    """Return the width of a page on which a short title need not be broken."""
    lines = ((line, size) for text, size in zip(headings(picture), _SIZES, strict=True) for line in text.split("\n"))
    return max(min(len(line) * text_width("x", size) + 1, _LEAST) for line, size in lines)


def _heading(drawing: Canvas, picture: GraphPicture, shown: Sequence[str], width: float) -> float:
    """Write the title, the caption and the lines ``shown``; return the y at which they end."""
    y = 14.0
    kinds = zip(("title", "caption"), headings(picture), _SIZES, strict=True)
    for kind, text, size in (*kinds, *(("fact", fact, _SMALL) for fact in shown)):
        for line in heading_lines(text, int(width / text_width("x", size))):
            drawing.write(kind, line, _MARGIN, y + 0.65 * size, Letters(size, bold=kind == "title"))
            y += 1.35 * size
    return y + 10


def _lines(entries: Sequence[LegendEntry], width: float) -> list[list[LegendEntry]]:
    """Break the entries of a legend into lines of at most this width."""
    lines: list[list[LegendEntry]] = [[]]
    for entry in entries:
        if lines[-1] and sum(map(_wide, [*lines[-1], entry])) - _APART > width:
            lines.append([])
        lines[-1].append(entry)
    return [line for line in lines if line]


def _legend(
    drawing: Canvas, lines: Sequence[Sequence[LegendEntry]], left: float, top: float, column: float = 0
) -> None:
    """Draw lines of a legend. In a column, all signs are given the width ``column``, so that the meanings align."""
    for number, line in enumerate(lines):
        x, y = left, top + _LINE * (number + 0.5)
        for entry in line:
            wide = max(entry.width, column)
            entry.draw(drawing, x + wide / 2, y)
            drawing.write("legend", entry.meaning, x + wide + 8, y, Letters(_SMALL))
            x += _wide(entry)


def _wide(entry: LegendEntry) -> float:
    return entry.width + 8 + text_width(entry.meaning, _SMALL) + _APART


def outcome_entries(picture: GraphPicture, size: float = 18) -> list[LegendEntry]:
    """Return the entries of the legend for the outcomes that a picture shows."""
    if picture.solution is None:
        return []
    only = picture.options.only
    shown = [mark for mark in "PND" if only in (mark, None) and (mark != "D" or picture.shows_draws)]
    return [mark_entry(mark, picture.theme, meaning(mark), size) for mark in shown]


def mark_entry(mark: str, theme: Theme, meaning: str, size: float = 18) -> LegendEntry:
    """Return the entry of the legend for positions of an outcome."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        draw_marks(drawing, mark, np.array([[x, y]]), size)
        drawing.write(
            "legend", mark, x, y, Letters(0.6 * size, "middle", style.ink_on(theme.color_of(mark)), bold=True)
        )

    return LegendEntry(draw, size, meaning)


def line_entry(look: Look, meaning: str) -> LegendEntry:
    """Return an entry of the legend for moves that are drawn in this style."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        drawing.add(Paths("legend", look, [np.array([[x - 14, y], [x + 14, y]])]))

    return LegendEntry(draw, 28, meaning)


def token_entry(theme: Theme, *, filled: bool = False) -> LegendEntry:
    """Return the entry of the legend for tokens, drawn as rings, or as pieces if ``filled``."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        look = Look(theme.token) if filled else Look("#ffffff", theme.token, 2.5)
        drawing.add(Discs("legend", look, np.array([[x, y]]), 6 if filled else 7))

    return LegendEntry(draw, 16, meaning("token"))


def centre_entry(theme: Theme) -> LegendEntry:
    """Return the entry of the legend for the double ring around a centre (a position around which a part is drawn)."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        for radius in (8, 4):
            drawing.add(Discs("legend", Look("#ffffff", "#000000", 1.6), np.array([[x, y]]), radius))

    return LegendEntry(draw, 18, meaning("centre"))


def draw_tokens(drawing: Canvas, centres: np.ndarray, radius: float, fill: str | None = None) -> None:
    """Draw rings around tokens, with a white rim, so that they are visible on any colour."""
    if len(centres):
        drawing.add(Discs("rim", Look(fill, "#ffffff", 5), centres, radius))
        drawing.add(Discs("token", Look(None, drawing.theme.token, 2.5), centres, radius))


def draw_centres(drawing: Canvas, centres: np.ndarray, radius: float) -> None:
    """Draw double rings, like the sign ◎, around centres, with a white rim."""
    if len(centres):
        drawing.add(Discs("rim", Look(None, "#ffffff", 8), centres, radius - 2))
        for inset in (0, 4):
            drawing.add(Discs("centre", Look(None, "#000000", 1.6), centres, max(radius - inset, 1)))


def words_entry(sign: str, meaning: str) -> LegendEntry:
    """Return the entry of the legend for a sign that is text."""
    wide = text_width(sign, _SMALL)

    def draw(drawing: Canvas, x: float, y: float) -> None:
        drawing.write("legend", sign, x - wide / 2, y, Letters(_SMALL))

    return LegendEntry(draw, wide, meaning)


def scale_entry(theme: Theme, low: str, meaning: str, wide: float = 200) -> LegendEntry:
    """Return the entry of the legend for a colour scale of numbers. ``low`` is the text before the scale."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        place = (x - wide / 2, y - 7.0, wide, 14.0)
        drawing.add(Image("legend", place, scale_pixels(np.linspace(0, 1, 100), theme)[None]))
        drawing.add(Boxes("legend", Look(None, theme.outline, 0.6), np.array([place])))
        if low:
            drawing.write("legend", low, x - wide / 2 - 6, y, Letters(13, "end"))

    return LegendEntry(draw, wide + (2 * text_width(low, 13) + 12) * bool(low), meaning)


def line_look(theme: Theme, kind: int, width: float) -> Look:
    """Return the style of lines for moves of a kind; ``width`` is the width for a plain move."""
    if kind in (style.WIN, style.TOKEN_WIN):
        return Look(None, theme.winning, width * (2 if kind == style.WIN else 5))
    return Look(None, theme.move, width, dashed=kind == style.PART)


def draw_marks(
    drawing: Canvas,
    mark: str,
    centres: np.ndarray,
    size: float,
    hints: Sequence[str] = (),
    *,
    wide: float | None = None,
    dashed: bool = False,
    look: Look | None = None,
) -> None:
    """Draw positions of one outcome with its sign: P a circle with a ring, N a square, D a hexagon.

    Positions without an outcome, ``-``, are circles. With ``wide`` the signs have that width, to make room for text.
    """
    line, theme = min(1.2, size / 8), drawing.theme
    look = look or Look(theme.color_of(mark), theme.outline, line, dashed=dashed)
    half, broad = size / 2, (wide or size) / 2
    rounded = half if wide is None else min(half, 8)
    if mark == "D":
        corners = [(-1, 0), (-0.75, -1), (0.75, -1), (1, 0), (0.75, 1), (-0.75, 1)]
        shape = np.array(corners) * (broad, half)
        drawing.add(Paths(mark, look, list(centres[:, None, :] + shape), hints=hints))
        return
    if mark != "N" and wide is None:
        ringed = mark == "P" and size >= _RING_FROM
        drawing.add(Discs(mark, look, centres, half - min(2.5 * line, 0.24 * half) if ringed else half, hints))
        if ringed:
            drawing.add(Discs("ring", look._replace(fill=None), centres, half))
        return
    drawing.add(_boxes(mark, look, centres, broad, half, 0 if mark == "N" else rounded, hints))
    if mark == "P":
        inner = look._replace(fill=None, stroke=style.ink_on(theme.color_of(mark)), width=0.8)
        drawing.add(_boxes("ring", inner, centres, broad - 2.5, half - 2.5, max(rounded - 2, 0)))


def _boxes(
    kind: str, look: Look, centres: np.ndarray, broad: float, half: float, rounded: float, hints: Sequence[str] = ()
) -> Boxes:
    sizes = np.broadcast_to([2 * broad, 2 * half], centres.shape)
    return Boxes(kind, look, np.hstack([centres - (broad, half), sizes]), hints, rounded)
