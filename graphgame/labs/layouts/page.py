"""A page that layouts draw on: shapes, heading and legend, and the signs of positions and moves."""

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
from graphgame.drawing.shapes import Boxes, Discs, Group, Image, Look, PageShape, PageText, Paths
from graphgame.drawing.style import Theme, scale_pixels

_WIDTHS = {0.4: " ,.;:'|!()[]-/ijltfrI", 0.75: "ABCDEFGHKLNOPQRSTUVXYZ", 0.98: "mwMW→×●◎⊕"}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHERS, _WIDE = 0.64, 1.05
"""How wide letters are in their size, and a Chinese character; on the safe side for Helvetica and DejaVu."""


class Letters(NamedTuple):
    """How a line of text is written; a halo of the paper's colour sets it off from what lies below."""

    size: float
    anchor: str = "start"
    ink: str | None = None
    bold: bool = False
    halo: bool = False


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

    def write(self, kind: str, text: str, x: float, y: float, letters: Letters) -> None:
        """Write a line of text, its middle at height y."""
        size, anchor, ink, bold, halo = letters
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


def moved(shape: PageShape, factor: float, left: float, top: float) -> PageShape:
    """Return a shape so many times as large, and its origin at a point."""
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
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top


class LegendEntry(NamedTuple):
    """A line of a legend: what draws its sign in the middle of a place, how wide that is, and what it means."""

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
    """Return a page with a heading, a line for each fact of what is shown, and a legend; and the place that is left.

    ``aside`` puts the words beside what is drawn, not above and below; ``legend`` says where that stands, the first of
    its places unless given. A page is as large as the options say, or as what is drawn ``needs``.
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
    """Return how wide a legend is in one column, with the space beside it."""
    meanings = (_wide(entry) - entry.width for entry in entries)
    return max(meanings, default=0.0) + max((entry.width for entry in entries), default=0.0)


def _title_width(picture: GraphPicture) -> float:
    """Return how wide a page is on which the title need not be broken, where that is short."""
    lines = ((line, size) for text, size in zip(headings(picture), _SIZES, strict=True) for line in text.split("\n"))
    return max(min(len(line) * text_width("x", size) + 1, _LEAST) for line, size in lines)


def _heading(drawing: Canvas, picture: GraphPicture, shown: Sequence[str], width: float) -> float:
    """Write title, caption and facts; return where they end."""
    y = 14.0
    kinds = zip(("title", "caption"), headings(picture), _SIZES, strict=True)
    for kind, text, size in (*kinds, *(("fact", fact, _SMALL) for fact in shown)):
        for line in heading_lines(text, int(width / text_width("x", size))):
            drawing.write(kind, line, _MARGIN, y + 0.65 * size, Letters(size, bold=kind == "title"))
            y += 1.35 * size
    return y + 10


def _lines(entries: Sequence[LegendEntry], width: float) -> list[list[LegendEntry]]:
    """Set the legend in lines of a width."""
    lines: list[list[LegendEntry]] = [[]]
    for entry in entries:
        if lines[-1] and sum(map(_wide, [*lines[-1], entry])) - _APART > width:
            lines.append([])
        lines[-1].append(entry)
    return [line for line in lines if line]


def _legend(
    drawing: Canvas, lines: Sequence[Sequence[LegendEntry]], left: float, top: float, column: float = 0
) -> None:
    """Write lines of a legend; in a column, whose signs are so wide, meanings stand below each other."""
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
    """Return the legend of the outcomes that a picture shows."""
    if picture.solution is None:
        return []
    only = picture.options.only
    shown = [mark for mark in "PND" if only in (mark, None) and (mark != "D" or picture.shows_draws)]
    return [mark_entry(mark, picture.theme, meaning(mark), size) for mark in shown]


def mark_entry(mark: str, theme: Theme, meaning: str, size: float = 18) -> LegendEntry:
    """Return a line of the legend for positions of an outcome."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        draw_marks(drawing, mark, np.array([[x, y]]), size)
        drawing.write(
            "legend", mark, x, y, Letters(0.6 * size, "middle", style.ink_on(theme.color_of(mark)), bold=True)
        )

    return LegendEntry(draw, size, meaning)


def line_entry(look: Look, meaning: str) -> LegendEntry:
    """Return a line of the legend for moves."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        drawing.add(Paths("legend", look, [np.array([[x - 14, y], [x + 14, y]])]))

    return LegendEntry(draw, 28, meaning)


def token_entry(theme: Theme, *, filled: bool = False) -> LegendEntry:
    """Return the line of the legend for tokens, which are rings, or pieces where there is room."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        look = Look(theme.token) if filled else Look("#ffffff", theme.token, 2.5)
        drawing.add(Discs("legend", look, np.array([[x, y]]), 6 if filled else 7))

    return LegendEntry(draw, 16, meaning("token"))


def centre_entry(theme: Theme) -> LegendEntry:
    """Return the line of the legend for rings around what a part is drawn around."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        for radius in (8, 4):
            drawing.add(Discs("legend", Look("#ffffff", "#000000", 1.6), np.array([[x, y]]), radius))

    return LegendEntry(draw, 18, meaning("centre"))


def draw_tokens(drawing: Canvas, centres: np.ndarray, radius: float, fill: str | None = None) -> None:
    """Draw rings around tokens, on white, so that they are seen on any colour."""
    if len(centres):
        drawing.add(Discs("rim", Look(fill, "#ffffff", 5), centres, radius))
        drawing.add(Discs("token", Look(None, drawing.theme.token, 2.5), centres, radius))


def draw_centres(drawing: Canvas, centres: np.ndarray, radius: float) -> None:
    """Draw two rings, as in the sign ◎, around what a part is drawn around, on white."""
    if len(centres):
        drawing.add(Discs("rim", Look(None, "#ffffff", 8), centres, radius - 2))
        for inset in (0, 4):
            drawing.add(Discs("centre", Look(None, "#000000", 1.6), centres, max(radius - inset, 1)))


def words_entry(sign: str, meaning: str) -> LegendEntry:
    """Return the line of the legend for a sign that is a word."""
    wide = text_width(sign, _SMALL)

    def draw(drawing: Canvas, x: float, y: float) -> None:
        drawing.write("legend", sign, x - wide / 2, y, Letters(_SMALL))

    return LegendEntry(draw, wide, meaning)


def scale_entry(theme: Theme, low: str, meaning: str, wide: float = 200) -> LegendEntry:
    """Return a line of the legend for the colours of numbers, from what stands before it."""

    def draw(drawing: Canvas, x: float, y: float) -> None:
        place = (x - wide / 2, y - 7.0, wide, 14.0)
        drawing.add(Image("legend", place, scale_pixels(np.linspace(0, 1, 100), theme)[None]))
        drawing.add(Boxes("legend", Look(None, theme.outline, 0.6), np.array([place])))
        if low:
            drawing.write("legend", low, x - wide / 2 - 6, y, Letters(13, "end"))

    return LegendEntry(draw, wide + (2 * text_width(low, 13) + 12) * bool(low), meaning)


def line_look(theme: Theme, kind: int, width: float) -> Look:
    """Return how moves of a kind are drawn where a plain one is so wide."""
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
    """Draw positions of one outcome, with the signs of every picture: P round and ringed, N square, D a hexagon.

    ``wide`` makes room for words; without an outcome, ``-``, positions are round.
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
