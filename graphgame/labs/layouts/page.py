"""The page that layouts draw on: shapes, heading and legend, and the signs for positions and moves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.captions import (
    default_caption,
    heading_lines,
    headings,
    legend_signs,
    meaning,
    positions_in_words,
    tells_winner,
)
from graphgame.drawing.picture import GraphPicture
from graphgame.drawing.style import Theme
from graphgame.labs.layouts.shapes import Boxes, Discs, Group, Image, Look, PageShape, PageText, Paths, scale_pixels
from graphgame.text.languages import translate
from graphgame.text.text import capped, component_move_text, printable

_MOST_MOVES = 5

_WIDTHS = {0.4: " ,.;:'|!()[]-/ijltfrI", 0.75: "ABCDEFGHKLNOPQRSTUVXYZ", 0.98: "mwMW→×●◎⊕"}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHERS, _WIDE = 0.64, 1.05
"""The width of a letter that is not in _WIDTHS, and of a Chinese character, in units of the font size. All widths are
a little more than those of Helvetica and DejaVu."""


class Letters(NamedTuple):
    """The style of a line of text. With ``halo``, an outline in the paper's colour separates it from the background."""

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
        The scale of names on the page: 1.0 is their usual size.
    """

    scale = 1.0

    def __init__(self, theme: Theme, title: str = "", description: str = "", width: int = 0, height: int = 0) -> None:
        self.theme = theme
        self.title = title
        self.description = description
        self.width = width
        self.height = height
        self.shapes: list[PageShape] = []

    def add(self, *shapes: PageShape) -> None:
        """Add shapes on top of the others."""
        self.shapes += shapes

    def place(self, shapes: Iterable[PageShape], left: float, top: float, factor: float = 1) -> None:
        """Add shapes that are first enlarged by a factor, and then moved by (left, top)."""
        self.add(*(_moved(shape, factor, left, top) for shape in shapes))

    @contextmanager
    def grouped(self, kind: str, hint: str = "") -> Iterator[None]:
        """Put all shapes added in the ``with`` block into one group of this ``kind``, with the tooltip ``hint``."""
        outside, self.shapes = self.shapes, []
        yield
        outside.append(Group(kind, self.shapes, hint))
        self.shapes = outside

    def write(self, kind: str, text: str, x: float, y: float, letters: Letters) -> None:
        """Add a line of text of this ``kind``, with its anchor at ``x`` and its vertical middle at ``y``."""
        size, anchor, ink, bold, halo = letters
        paper = self.theme.paper if halo else None
        self.add(PageText(kind, text, x, y + 0.35 * size, size, ink or self.theme.ink, anchor, bold, paper))

    def marks(
        self,
        mark: str,
        centres: np.ndarray,
        size: float,
        hints: Sequence[str] = (),
        *,
        wide: float | None = None,
        dashed: bool = False,
        look: Look | None = None,
    ) -> None:
        """Draw the positions with the outcome ``mark``.

        P is a circle, with a ring if it is large enough, N a square, and D a hexagon. The mark ``-``, for positions
        without an outcome, is a circle. ``size`` is the height of the signs, and their width unless ``wide`` makes them
        wider, with room for text; then circles become boxes with round corners. ``hints`` are the tooltips of the
        positions. ``dashed`` draws their outlines dashed. ``look`` replaces the colours and lines of the theme.
        """
        line = min(1.2, size / 8)
        look = look or Look(self.theme.color_of(mark), self.theme.outline, line, dashed=dashed)
        half, broad = size / 2, (wide or size) / 2
        rounded = half if wide is None else min(half, 8)
        if mark == "D":
            corners = [(-1, 0), (-0.75, -1), (0.75, -1), (1, 0), (0.75, 1), (-0.75, 1)]
            shape = np.array(corners) * (broad, half)
            self.add(Paths(mark, look, list(centres[:, None, :] + shape), hints=hints))
            return
        if mark != "N" and wide is None:
            ringed = mark == "P" and size >= _RING_FROM
            self.add(Discs(mark, look, centres, half - min(2.5 * line, 0.24 * half) if ringed else half, hints))
            if ringed:
                self.add(Discs("ring", look._replace(fill=None), centres, half))
            return
        self.add(_boxes(mark, look, centres, broad, half, 0 if mark == "N" else rounded, hints))
        if mark == "P":
            inner = look._replace(fill=None, stroke=style.ink_on(self.theme.color_of(mark)), width=0.8)
            self.add(_boxes("ring", inner, centres, broad - 2.5, half - 2.5, max(rounded - 2, 0)))

    def tokens(self, centres: np.ndarray, radius: float, fill: str | None = None) -> None:
        """Draw rings around tokens, with a white rim to be visible on any colour; ``fill`` is the colour inside."""
        if len(centres):
            self.add(Discs("rim", Look(fill, "#ffffff", 5), centres, radius))
            self.add(Discs("token", Look(None, self.theme.token, 2.5), centres, radius))

    def centres(self, centres: np.ndarray, radius: float) -> None:
        """Mark the positions in the option ``around`` by double rings with a white rim.

        ``centres`` are the middles of the rings, and ``radius`` is the radius of the outer rings.
        """
        if len(centres):
            self.add(Discs("rim", Look(None, "#ffffff", 8), centres, radius - 2))
            for inset in (0, 4):
                self.add(Discs("centre", Look(None, "#000000", 1.6), centres, max(radius - inset, 1)))


def text_width(text: str, size: float) -> float:
    """Return an estimate of the width of a line of text in pixels, which is usually a little too large.

    Examples
    --------
    >>> text_width("10", 10), text_width("位置", 10)
    (12.8, 21.0)
    """
    return size * sum(_WIDE if east_asian_width(c) in "WF" else _WIDTH_OF.get(c, _OTHERS) for c in text)


def _moved(shape: PageShape, factor: float, left: float, top: float) -> PageShape:
    """Return a shape enlarged by a factor, and then moved by (left, top)."""
    match shape:
        case Group():
            return shape._replace(shapes=[_moved(part, factor, left, top) for part in shape.shapes])
        case PageText():
            return shape._replace(x=left + factor * shape.x, y=top + factor * shape.y, size=factor * shape.size)
        case Image():
            x, y, width, height = (factor * side for side in shape.box)
            return shape._replace(box=(left + x, top + y, width, height))
    look = shape.look._replace(width=shape.look.width * factor)
    match shape:
        case Boxes():
            boxes = np.asarray(shape.boxes, np.float64) * factor + (left, top, 0, 0)
            return shape._replace(boxes=boxes, look=look, rounded=shape.rounded * factor)
        case Discs():
            centres = np.asarray(shape.centres, np.float64) * factor + (left, top)
            return shape._replace(centres=centres, look=look, radius=shape.radius * factor)
        case Paths():
            points = [np.asarray(line, np.float64) * factor + (left, top) for line in shape.points]
            return shape._replace(points=points, look=look)


def arrowheads(starts: np.ndarray, ends: np.ndarray, size: float) -> np.ndarray:
    """Return triangles at the ends of lines, as an array of shape (n, 3, 2). The first corner is the tip.

    ``size`` is the distance from the tip to the opposite side.
    """
    along = ends - starts
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None] * size
    across = 0.45 * along[:, ::-1] * (1, -1)
    return np.stack([ends, ends - along + across, ends - along - across], axis=1)


_MARGIN = 24

_SMALL_TEXT = 15
"""The size of the text of legends and facts, in pixels."""

_HEADING_SIZES = (24, 17)
"""The sizes of the title and of the caption, in pixels."""

_LINE_HEIGHT = 27
"""The height of a row of the legend, in pixels."""

_APART = 26
"""The space between entries of the legend, in pixels."""

_LEAST_WIDTH = 420
"""Minimum width in pixels, without margins, of a page that fits its drawing and has a legend below or a long title."""

_RING_FROM = 9
"""The size, in pixels, of the smallest P-position that has a ring."""

_ORIGIN = np.zeros((1, 2))


class Frame(NamedTuple):
    """The rectangle of a page that the heading and the legend leave for the drawing. All numbers are in pixels."""

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
    """An entry of a legend: the shapes of a sign (centred at the origin), and the sign's width and meaning."""

    sign: Sequence[PageShape]
    width: float
    meaning: str

    @property
    def wide(self) -> float:
        """The width in pixels, including the space to the next entry."""
        return self.width + 8 + text_width(self.meaning, _SMALL_TEXT) + _APART


class Legend:
    """The legend of a picture: signs with their meanings, in the order in which they are added."""

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.entries: list[LegendEntry] = []

    def outcomes(self) -> None:
        """Add entries for P, N and, if draws are shown, D; with the option ``only``, just for the outcome it names.

        Add nothing if the graph is not solved.
        """
        only = self.picture.options.only
        for mark in "PND" if self.picture.solution is not None else "":
            if only in (mark, None) and (mark != "D" or self.picture.shows_draws):
                self.mark(mark)

    def mark(self, mark: str) -> None:
        """Add an entry for the positions of an outcome: "P", "N" or "D"."""
        sheet, size = Canvas(self.theme), 18
        sheet.marks(mark, _ORIGIN, size)
        ink = style.ink_on(self.theme.color_of(mark))
        sheet.write("legend", mark, 0, 0, Letters(0.6 * size, "middle", ink, bold=True))
        self.entries.append(LegendEntry(sheet.shapes, size, meaning(mark)))

    def line(self, look: Look, meaning: str) -> None:
        """Add an entry for the moves that are drawn in this style."""
        self.entries.append(LegendEntry([Paths("legend", look, [np.array([[-14, 0], [14, 0]])])], 28, meaning))

    def token(self, *, filled: bool = False) -> None:
        """Add an entry for tokens, drawn as rings, or as pieces if ``filled``."""
        look = Look(self.theme.token) if filled else Look("#ffffff", self.theme.token, 2.5)
        self.entries.append(LegendEntry([Discs("legend", look, _ORIGIN, 6 if filled else 7)], 16, meaning("token")))

    def centre(self) -> None:
        """Add an entry for the double ring around a centre (a position of the option ``around``)."""
        rings = [Discs("legend", Look("#ffffff", "#000000", 1.6), _ORIGIN, radius) for radius in (8, 4)]
        self.entries.append(LegendEntry(rings, 18, meaning("centre")))

    def words(self, sign: str, meaning: str) -> None:
        """Add an entry whose sign is text."""
        sheet, wide = Canvas(self.theme), text_width(sign, _SMALL_TEXT)
        sheet.write("legend", sign, -wide / 2, 0, Letters(_SMALL_TEXT))
        self.entries.append(LegendEntry(sheet.shapes, wide, meaning))

    def signs(self, *kinds: str) -> None:
        """Add an entry, whose sign is a text, for each of ``kinds``, which are keys of ``SIGNS``.

        Leave out the kinds that cannot occur in the picture.
        """
        for kind, sign, text in legend_signs(self.picture):
            if kind in kinds:
                self.words(sign, text)

    def scale(self, low: str, meaning: str, wide: float = 200) -> None:
        """Add an entry for the colour scale, drawn ``wide`` pixels wide, with the text ``low`` at its left."""
        sheet, box = Canvas(self.theme), (-wide / 2, -7.0, wide, 14.0)
        sheet.add(Image("legend", box, scale_pixels(np.linspace(0, 1, 100), self.theme)[None]))
        sheet.add(Boxes("legend", Look(None, self.theme.outline, 0.6), np.array([box])))
        if low:
            sheet.write("legend", low, -wide / 2 - 6, 0, Letters(13, "end"))
            wide += 2 * text_width(low, 13) + 12
        self.entries.append(LegendEntry(sheet.shapes, wide, meaning))

    @property
    def width(self) -> float:
        """The width in pixels of the legend as a column, including the space between it and the drawing."""
        return max((entry.wide - entry.width for entry in self.entries), default=0.0) + self.sign_width

    @property
    def sign_width(self) -> float:
        """The width in pixels of the widest sign."""
        return max((entry.width for entry in self.entries), default=0.0)

    def rows(self, width: float) -> list[list[LegendEntry]]:
        """Return the entries in rows of at most this width in pixels; a wider entry has a row of its own."""
        rows: list[list[LegendEntry]] = []
        for entry in self.entries:
            if not rows or sum(each.wide for each in [*rows[-1], entry]) - _APART > width:
                rows.append([])
            rows[-1].append(entry)
        return rows


def new_page(
    picture: GraphPicture,
    facts: Sequence[str],
    legend: Legend,
    *,
    aside: bool = False,
    place: str | None = None,
    needs: tuple[float, float] | None = None,
) -> tuple[Canvas, Frame]:
    """Return a page with a heading, lines of facts and a legend, and the frame that remains for the drawing.

    ``place`` is where the legend stands: "right" or "below" the drawing. The default is the first place that the
    options allow; if they allow none, there is no legend. ``needs`` is the width and height of the drawing: the page is
    made large enough for it. Without ``needs``, the page has the size in the options. With ``aside``, the heading and
    the facts are at the left of the drawing instead of above it; so is a legend with the place "below".
    """
    title, description = _alternative(picture)
    place = place or next(iter(picture.options.legends), "")
    column = legend.width if place == "right" else 0.0
    size = picture.options.page
    if needs is not None:
        words = _LEAST_WIDTH if legend.entries and place == "below" else 0
        size = math.ceil(max(needs[0] + column, words, _title_width(picture)) + 2 * _MARGIN), 0
    drawing = Canvas(picture.theme, title, ". ".join(filter(None, [description, *facts])), *size)
    width = (drawing.width - drawing.height if aside else drawing.width) - 2 * _MARGIN
    top = _heading(drawing, picture, facts, width)
    rows = legend.rows(width) if place == "below" else []
    if needs is not None:
        below = 10 + _LINE_HEIGHT * len(rows) + _MARGIN / 2
        drawing.height = math.ceil(top + max(needs[1], _LINE_HEIGHT * len(legend.entries) * (column > 0)) + below)
    foot = drawing.height - _MARGIN / 2 - _LINE_HEIGHT * len(rows)
    _draw_rows(drawing, rows, _MARGIN, foot)
    right = drawing.width - _MARGIN - column
    if column:
        _draw_rows(drawing, [[e] for e in legend.entries], right + _APART, 36 if aside else top, legend.sign_width)
    if aside:
        return drawing, Frame(_MARGIN + width, 12, right, drawing.height - 8)
    return drawing, Frame(_MARGIN, top, right, foot - 10)


def _title_width(picture: GraphPicture) -> float:
    """Return an estimate of the width of the longest line of the title and the caption in pixels, but at most 420."""
    lines = (
        (line, size) for text, size in zip(headings(picture), _HEADING_SIZES, strict=True) for line in text.split("\n")
    )
    return max(min(len(line) * text_width("x", size) + 1, _LEAST_WIDTH) for line, size in lines)


def _heading(drawing: Canvas, picture: GraphPicture, facts: Sequence[str], width: float) -> float:
    """Write the title, the caption and the facts; return the y at which the picture may begin.

    Break each of these texts into lines of about ``width`` pixels.
    """
    y = 14.0
    kinds = zip(("title", "caption"), headings(picture), _HEADING_SIZES, strict=True)
    for kind, text, size in (*kinds, *(("fact", fact, _SMALL_TEXT) for fact in facts)):
        for line in heading_lines(text, int(width / text_width("x", size))):
            drawing.write(kind, line, _MARGIN, y + 0.65 * size, Letters(size, bold=kind == "title"))
            y += 1.35 * size
    return y + 10


def _draw_rows(drawing: Canvas, rows: list[list[LegendEntry]], left: float, top: float, column: float = 0) -> None:
    """Draw rows of a legend, starting at (left, top). Signs take at least ``column`` pixels, so that meanings align."""
    for number, row in enumerate(rows):
        x, y = left, top + _LINE_HEIGHT * (number + 0.5)
        for entry in row:
            wide = max(entry.width, column)
            drawing.place(entry.sign, x + wide / 2, y)
            drawing.write("legend", entry.meaning, x + wide + 8, y, Letters(_SMALL_TEXT))
            x += entry.wide


def line_look(theme: Theme, kind: int, width: float) -> Look:
    """Return the style of lines for moves of a kind, given as an index into ``style.KINDS``.

    ``width`` is the width of lines for plain moves; lines of winning moves are wider.
    """
    if kind in (style.WIN, style.TOKEN_WIN):
        return Look(None, theme.winning, width * (2 if kind == style.WIN else 5))
    return Look(None, theme.move, width, dashed=kind == style.PART)


def _boxes(
    kind: str, look: Look, centres: np.ndarray, broad: float, half: float, rounded: float, hints: Sequence[str] = ()
) -> Boxes:
    sizes = np.broadcast_to([2 * broad, 2 * half], centres.shape)
    return Boxes(kind, look, np.hstack([centres - (broad, half), sizes]), hints, rounded)


def _alternative(picture: GraphPicture) -> tuple[str, str]:
    """Return the title of a picture, and a description in words for people who cannot see it.

    The description has the default caption, unless it is the title. If :func:`tells_winner` is true, it also has the
    number of all positions, the number of positions with each outcome, and the winning moves of the tokens.
    """
    caption = default_caption(picture)
    title = " ".join(printable(line, 0) for line in (picture.options.title or caption).splitlines())
    facts = [caption, *([positions_in_words(picture), *_winning_moves(picture)] if tells_winner(picture) else [])]
    return title, ". ".join(fact for fact in facts if fact != title)


def _winning_moves(picture: GraphPicture) -> list[str]:
    moves, alone = picture.winning_moves, len(picture.tokens or ()) == 1
    shown = "; ".join(capped((component_move_text(move, alone=alone) for move in moves), len(moves), _MOST_MOVES))
    return [translate("Winning moves: {moves}", moves=shown)] if moves else []
