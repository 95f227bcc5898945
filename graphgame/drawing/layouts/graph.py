"""A graph of some dozen positions, each with its name, its value and its board, where Graphviz puts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from math import sqrt
from typing import NamedTuple

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.boards import board_shapes
from graphgame.drawing.dot import edge_words
from graphgame.drawing.graphviz import GraphvizPlaces, Size, graphviz_places
from graphgame.drawing.headings import SIGNS, legend_signs
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
    arrowheads,
    moved,
    rounded_box,
    text_width,
)
from graphgame.drawing.layouts.furniture import (
    Frame,
    LegendEntry,
    draw_marks,
    line_entry,
    line_look,
    mark_color,
    mark_entry,
    new_page,
    token_entry,
    words_entry,
)
from graphgame.drawing.picture import DrawnVertex, GraphPicture
from graphgame.text.languages import amount, translate
from graphgame.text.text import printable

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


_SIZE, _SMALL, _LINE = 16.0, 13.0, 19.0
_BADGE = 22.0
_LEAST = 46.0
_RING = 5.0
_LARGEST, _USUAL, _LEAST_SHRUNK = 4000, 1400, 0.6
_MOST_ENLARGED = 2.5
_KINDS = {style.MOVE: "move", style.WIN: "win", style.TOKEN_WIN: "token win", style.PART: "part"}


def graph(picture: GraphPicture) -> Canvas:
    """Draw every position and every move, as large as it needs to be, or to fill a page of a given shape.

    Raises
    ------
    LayoutError
        Graphviz is missing, fails, or has not finished in time.
    """
    return _Graph(picture).drawing()


class _Arranged(NamedTuple):
    """Places, and the page that they are drawn on with its frame; how many times as large things may be on it."""

    places: GraphvizPlaces
    page: Canvas
    frame: Frame
    most: float = _MOST_ENLARGED

    @property
    def factor(self) -> float:
        """How many times as large things are on the page."""
        wide, high = self.places.size
        return min(self.frame.width / max(wide, 1), self.frame.height / max(high, 1), self.most)


class _Graph:
    """Vertices with their sizes, and what is drawn of them."""

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.boxes = {f"n{vertex.number}": _Box(vertex, picture) for vertex in picture.vertices()}
        self.sizes: dict[str, Size] = {name: box.size for name, box in self.boxes.items()}
        self.stubs = {
            f"n{number}_{way}": f"+{count:,}"
            for number, *counts in picture.stubs
            for count, way in zip(counts, ("ahead", "back"), strict=True)
            if count
        }
        self.sizes |= {name: (text_width(words, _SMALL) + 6, _SMALL + 6) for name, words in self.stubs.items()}
        self.words = edge_words(picture)

    def drawing(self) -> Canvas:
        """Return the whole page."""
        found = self._as_it_is() if self.picture.options.ratio is None else self._filling()
        sheet = Canvas(self.theme, "", "", 0, 0)
        self._moves(sheet, found.places)
        self._positions(sheet, found.places)
        wide, high = found.places.size
        left = found.frame.left + (found.frame.width - wide * found.factor) / 2
        top = found.frame.top + (found.frame.height - high * found.factor) / 2
        found.page.scale = found.factor
        found.page.add(*(moved(shape, found.factor, left, top) for shape in sheet.shapes))
        return found.page

    def _as_it_is(self) -> _Arranged:
        """Lay out the graph, and let the page be as large as that."""
        options = self.picture.options
        places = self._places(options.left_to_right)
        longest = max(*places.size, 1)
        shrunk = min(1.0, _LARGEST / longest, max(_USUAL / longest, _LEAST_SHRUNK))
        needs = (places.size[0] * shrunk, places.size[1] * shrunk)
        legends = options.legends
        below = needs[0] >= needs[1] or len(legends) < 2
        legend = None if not legends else legends[0] if below else legends[1]
        return _Arranged(places, *new_page(self.picture, (), self._entries(), legend=legend, needs=needs), shrunk)

    def _filling(self) -> _Arranged:
        """Lay out the graph so that it is as large as can be on a page."""
        options = self.picture.options
        ways = (True,) if options.left_to_right else (False, True)
        found = [
            (_Arranged(places, *new_page(self.picture, (), self._entries(), legend=legend)), rightwards)
            for rightwards in ways
            for places in [self._places(rightwards)]
            for legend in options.legends or ("",)
        ]
        best, rightwards = max(found, key=lambda pair: pair[0].factor)
        spread = best._replace(places=self._places(rightwards, best.frame.height / best.frame.width))
        return spread if spread.factor >= 0.95 * best.factor else best

    def _places(self, rightwards: bool, shape: float | None = None) -> GraphvizPlaces:
        return graphviz_places(
            self.picture,
            self.sizes,
            {pair: (text_width(words, _SMALL) + 6, _SMALL + 4) for pair, words in self.words.items()},
            rightwards=rightwards,
            timeout=self.picture.options.timeout,
            shape=shape,
            round_ones={name for name, box in self.boxes.items() if box.kind == "ellipse"},
        )

    def _entries(self) -> list[LegendEntry]:
        """Return a line of the legend for each kind of sign in the picture."""
        return [self._entry(kind, meaning) for kind, meaning in legend_signs(self.picture)]

    def _entry(self, kind: str, meaning: str) -> LegendEntry:
        if kind in "PND":
            return mark_entry(kind, self.theme, meaning)
        if kind == "token":
            return token_entry(self.theme, filled=True)
        if kind in ("token win", "win"):
            return line_entry(line_look(self.theme, style.WIN if kind == "win" else style.TOKEN_WIN, 1.3), meaning)
        if kind == "part":
            return line_entry(line_look(self.theme, style.PART, 1.3), meaning)
        return words_entry(SIGNS[kind], meaning)

    def _moves(self, sheet: Canvas, places: GraphvizPlaces) -> None:
        """Draw the moves, winning ones on top, and lines to what is cut off."""
        rows = [
            (int(kind), f"n{source}", f"n{target}")
            for block in self.picture.edges()
            for source, target, kind in zip(*(ends.tolist() for ends in block[:3]), strict=True)
        ]
        for kind, source, target in sorted(rows, key=lambda row: row[0]):
            names = (self.boxes[end].vertex.name.replace("\n", " ") for end in (source, target))
            with sheet.grouped(_KINDS[kind], " → ".join(names)):
                curve = places.curves[source, target].copy()
                curve[0] = self._touching(source, curve[0], places)
                curve[-1] = self._touching(target, curve[-1], places)
                sheet.add(*self._arrow(curve, kind))
                if (words := self.words.get((source, target))) is not None:
                    x, y = places.labels[source, target].tolist()
                    sheet.write("label", words, x, y, _SMALL, "middle", halo=True)
        for name, words in self.stubs.items():
            ends = (name.split("_")[0], name) if name.endswith("ahead") else (name, name.split("_")[0])
            count = int(words[1:].replace(",", ""))
            with sheet.grouped("stub", translate("{moves} not shown", moves=amount(count, "move"))):
                look = Look(None, self.theme.move, 1.3, dashed=True)
                sheet.add(Paths("stub", look, [places.curves[ends]], curved=True))
                x, y = places.centres[name].tolist()
                sheet.write("stub", words, x, y, _SMALL, "middle")

    def _touching(self, name: str, point: np.ndarray, places: GraphvizPlaces) -> np.ndarray:
        """Return where a line meets a vertex: Graphviz takes a hexagon for the box around it."""
        if self.boxes[name].kind != "hexagon":
            return point
        away = point - places.centres[name]
        wide, high = self.sizes[name]
        beyond = abs(away[0]) / (wide / 2) + 0.25 * abs(away[1]) / (high / 2)
        met: np.ndarray = places.centres[name] + away / max(float(beyond), 1)
        return met

    def _arrow(self, curve: np.ndarray, kind: int) -> Iterator[PageShape]:
        look = line_look(self.theme, kind, 1.3 if kind != style.TOKEN_WIN else 1.2)
        head = 8.0 + 1.6 * look.width
        towards = curve[-1:] - curve[-2:-1]
        if not np.hypot(*towards.T).all():
            towards = curve[-1:] - curve[-4:-3]
        (triangle,) = arrowheads(curve[-1:] - towards, curve[-1:], head)
        line = curve.copy()
        line[-1] = (triangle[1] + triangle[2]) / 2
        hollow = kind == style.PART
        yield Paths(_KINDS[kind], look, [line], curved=True)
        yield Paths("head", Look(self.theme.paper if hollow else look.stroke, look.stroke, 1), [triangle])

    def _positions(self, sheet: Canvas, places: GraphvizPlaces) -> None:
        for name, box in self.boxes.items():
            x, y = places.centres[name].tolist()
            with sheet.grouped("position", box.vertex.text):
                box.draw(sheet, x, y)


class _Box:
    """A vertex as it is drawn: its lines of words, its board, its tokens."""

    def __init__(self, vertex: DrawnVertex, picture: GraphPicture) -> None:
        self.vertex = vertex
        self.theme = picture.theme
        self.names = vertex.name.split("\n") if vertex.name else []
        self.board = None if vertex.board is None or not vertex.board.cells else board_shapes(vertex.board)
        self.tokens = vertex.tokens if vertex.tokens <= style.MOST_PIECES else 1
        self.count = f"×{vertex.tokens}" if vertex.tokens > style.MOST_PIECES else ""
        self.kind = style.vertex_shape(vertex.outcome, is_sum=vertex.is_sum, is_board=self.board is not None)["shape"]
        self.inner = self._inner()
        wide, high = self.inner
        if self.kind == "ellipse":
            wide, high = max((1.42 if self.tokens else 1.3) * wide, _LEAST), max(1.3 * high, _LEAST)
        else:
            wide, high = max(wide + (30 if self.kind == "hexagon" else 18), _LEAST), max(high + 12, 38)
        ring = 2 * _RING * (vertex.outcome == "P")
        self.size: Size = (wide + ring, high + ring)

    def _marks_width(self) -> float:
        tokens = 6 + self.tokens * 16 + text_width(self.count, _SMALL) if self.tokens else 0
        return text_width(self.vertex.marks, _SIZE) + 4 * bool(self.vertex.marks and tokens) + tokens

    def _inner(self) -> Size:
        wide = max([*(text_width(line, _SIZE) for line in self.names), self._marks_width()])
        high = _LINE * len(self.names) + self._last()
        if self.board is not None:
            wide, high = max(wide, self.board[0]), high + self.board[1] + 4
        return wide, high

    def _last(self) -> float:
        """Return how high the line of value and tokens is."""
        return _BADGE if self.tokens else _LINE if self.vertex.marks else 0

    def draw(self, sheet: Canvas, x: float, y: float) -> None:
        """Draw the vertex, and what is in it from top to bottom."""
        self._outline(sheet, x, y)
        ink = style.ink_on(mark_color(self.vertex.outcome or "-", self.theme))
        at = y - self.inner[1] / 2
        for line in self.names:
            sheet.write("name", line, x, at + _LINE / 2, _SIZE, "middle", ink)
            at += _LINE
        if self.board is not None:
            wide, high, shapes = self.board
            sheet.add(*(moved(shape, 1, x - wide / 2, at + 2) for shape in shapes))
            at += high + 4
        at += self._last() / 2
        left = x - self._marks_width() / 2
        if not self.tokens:
            if self.vertex.marks:
                sheet.write("value", self.vertex.marks, x, at, _SIZE, "middle", ink, bold=self.board is not None)
            return
        if self.vertex.marks:
            wide = text_width(self.vertex.marks, _SIZE)
            sheet.write("value", self.vertex.marks, left + wide / 2, at, _SIZE, "middle", ink, bold=True)
            left += wide + 4
        self._tokens(sheet, left, at)

    def _tokens(self, sheet: Canvas, left: float, y: float) -> None:
        """Draw the tokens as pieces on white."""
        wide = 6 + 16 * self.tokens + text_width(self.count, _SMALL)
        white = np.array([[left, y - _BADGE / 2 + 1, wide, _BADGE - 2]])
        sheet.add(Boxes("badge", Look("#ffffff", self.theme.outline), white, rounded=7))
        centres = np.array([[left + 11 + 16 * place, y] for place in range(self.tokens)])
        sheet.add(Discs("token", Look(self.theme.token), centres, 6))
        if self.count:
            sheet.write("badge", self.count, left + 22, y, _SMALL, "start", self.theme.token)

    def _outline(self, sheet: Canvas, x: float, y: float) -> None:
        vertex, (wide, high) = self.vertex, self.size
        mark, centre = vertex.outcome or "-", np.array([[x, y]])
        thick = 4.0 if vertex.tokens or vertex.is_centre else 1.3
        look = Look(mark_color(mark, self.theme), self.theme.outline, thick, dashed=vertex.is_sum)
        if self.kind == "ellipse":
            around = [_RING, 0.0] if mark == "P" else [0.0]
            for inset in sorted(around):
                fill = look.fill if inset == max(around) else self.theme.paper
                shape = _ellipse(x, y, wide / 2 - inset, high / 2 - inset)
                sheet.add(Paths(mark, look._replace(fill=fill), [shape], curved=True))
            return
        inset = _RING if mark == "P" else 0.0
        corners = 0.0 if mark == "N" else 10.0
        if mark == "P":
            box = np.array([[x - wide / 2, y - high / 2, wide, high]])
            sheet.add(Boxes("ring", look._replace(fill=self.theme.paper), box, rounded=corners + _RING))
        if mark == "D":
            draw_marks(sheet, mark, centre, high, self.theme, wide=wide, look=look)
            return
        box = np.array([[x - wide / 2 + inset, y - high / 2 + inset, wide - 2 * inset, high - 2 * inset]])
        sheet.add(Boxes(mark, look, box, rounded=corners))


def _ellipse(x: float, y: float, across: float, down: float) -> np.ndarray:
    """Return an ellipse as a Bézier curve."""
    k = 4 / 3 * (sqrt(2) - 1)
    quarter: Sequence[tuple[float, float]] = [(1, k), (k, 1), (0, 1)]
    points = [(1.0, 0.0)]
    for turn in range(4):
        points += [_turned(point, turn) for point in quarter]
    return np.array([[x, y]]) + np.array(points) * (across, down)


def _turned(point: tuple[float, float], quarters: int) -> tuple[float, float]:
    for _ in range(quarters):
        point = -point[1], point[0]
    return point
