"""Draw a small graph, laid out by Graphviz. A position can show its name, its value and its board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import chain
from typing import NamedTuple

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.captions import legend_signs
from graphgame.drawing.dot import Statement, edge_labels, ranks, spacing, words_at
from graphgame.drawing.image import graphviz_command, laid_out, way_out
from graphgame.drawing.picture import DrawnVertex, GraphPicture
from graphgame.errors import LayoutError, Message
from graphgame.labs.layouts.page import Canvas, Frame, Legend, Letters, arrowheads, line_look, new_page, text_width
from graphgame.labs.layouts.pictures import board_shapes
from graphgame.labs.layouts.shapes import CIRCLE, Boxes, Discs, Look, PageShape, Paths
from graphgame.text.languages import amount, translate

_INCH = 72
Size = tuple[float, float]
"""A width and a height, in pixels."""


class GraphvizPlaces(NamedTuple):
    """A layout by Graphviz, in pixels.

    ``centres`` maps the name of each vertex (``n0``, ``n1``, ...) to its centre. ``curves`` maps the pair of the names
    of an edge's ends to a Bézier curve of 3k + 1 points. ``labels`` maps such a pair, for edges with a label, to the
    centre of the label.
    """

    size: Size
    centres: dict[str, np.ndarray]
    curves: dict[tuple[str, str], np.ndarray]
    labels: dict[tuple[str, str], np.ndarray]


def graphviz_places(
    picture: GraphPicture,
    sizes: Mapping[str, Size],
    words: Mapping[tuple[str, str], Size],
    *,
    rightwards: bool,
    timeout: float | None,
    shape: float | None = None,
    ellipses: Set[str] = frozenset(),
) -> GraphvizPlaces:
    """Lay out a graph with Graphviz.

    ``sizes`` has the sizes of the vertices, by their names; ``words`` has the sizes of the labels of edges, by the
    names of both ends. With ``rightwards`` play goes to the right, otherwise down. ``shape`` is the wanted ratio of
    height to width: Graphviz spreads the vertices to reach it. The vertices in ``ellipses`` are ellipses, the others
    boxes. ``timeout`` is in seconds.

    Raises
    ------
    LayoutError
        Graphviz is missing, fails, or has not finished in time.
    """
    command = graphviz_command()
    if command is None:
        raise LayoutError("Graphviz, which makes this layout, is not installed")
    page = {} if shape is None else {"ratio": f"{shape:.4f}"}
    statements = chain(
        [
            Statement(("graph",), spacing(picture, 0.4, 0.6) | page | ({"rankdir": "LR"} if rightwards else {})),
            Statement(("node",), {"shape": "box", "label": '""', "fixedsize": "true"}),
            Statement(("edge",), {"arrowhead": "none"}),
        ],
        (_sized(name, *size, is_round=name in ellipses) for name, size in sizes.items()),
        ranks(picture, None),
        (Statement(stub.ends, {}) for stub in picture.stubs),
        (
            Statement(pair, _label_box(*words[pair]) if pair in words else {})
            for block in picture.edges()
            for source, target in zip(block.source.tolist(), block.target.tolist(), strict=True)
            for pair in [(f"n{source}", f"n{target}")]
        ),
    )
    text = f"digraph game {{\n{''.join(statement.line() for statement in statements)}}}\n"
    output = laid_out(text, command, timeout, way_out(Message("give a longer timeout")))
    return _without_margin(_read_plain(output.decode()), sizes)


def _sized(name: str, wide: float, high: float, *, is_round: bool) -> Statement:
    outline = {"shape": "ellipse"} if is_round else {}
    return Statement((name,), {"width": f"{wide / _INCH:.3f}", "height": f"{high / _INCH:.3f}", **outline})


def _label_box(wide: float, high: float) -> style.Attributes:
    cell = f'<TD FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}"></TD>'
    return {"label": f'<<TABLE BORDER="0" CELLSPACING="0"><TR>{cell}</TR></TABLE>>'}


def _read_plain(text: str) -> GraphvizPlaces:
    """Return the layout in Graphviz's "plain" output: in pixels, with y downwards, not in inches with y upwards."""
    rows = [line.split() for line in text.splitlines()]
    wide, high = float(rows[0][2]), float(rows[0][3])

    def points(numbers: list[str]) -> np.ndarray:
        pairs = np.array(numbers, np.float64).reshape(-1, 2)
        return np.stack([pairs[:, 0], high - pairs[:, 1]], axis=1) * _INCH

    centres = {row[1]: points(row[2:4])[0] for row in rows if row[0] == "node"}
    curves, labels = {}, {}
    for row in rows:
        if row[0] == "edge":
            end = 4 + 2 * int(row[3])
            curves[row[1], row[2]] = points(row[4:end])
            if len(row) > end + 2:
                labels[row[1], row[2]] = points(row[-4:-2])[0]
    return GraphvizPlaces((wide * _INCH, high * _INCH), centres, curves, labels)


def _without_margin(layout: GraphvizPlaces, sizes: Mapping[str, Size]) -> GraphvizPlaces:
    """Return the layout without the margin that Graphviz may leave around its vertices, stubs and curves.

    ``sizes`` has the size of each vertex and stub. Labels of edges do not count.
    """
    boxes = [(layout.centres[name], np.array(size) / 2) for name, size in sizes.items()]
    points = [corner for centre, half in boxes for corner in (centre - half, centre + half)]
    points += [point for ends, curve in layout.curves.items() if ends[0] in sizes for point in curve]
    if not points:
        return layout
    origin = np.min(points, axis=0)
    wide, high = (np.max(points, axis=0) - origin).tolist()
    return GraphvizPlaces(
        (wide, high),
        {name: centre - origin for name, centre in layout.centres.items()},
        {ends: curve - origin for ends, curve in layout.curves.items()},
        {ends: middle - origin for ends, middle in layout.labels.items()},
    )


_TEXT_SIZE, _LABEL_SIZE, _LINE_HEIGHT = 16.0, 13.0, 19.0
"""Pixels: the size of names and values, the size of labels, and the height of a line."""

_BADGE = 22.0
"""Pixels: the height of the white box with the tokens."""

_LEAST_WIDTH = 46.0
"""Pixels: the minimum width of a vertex."""

_RING = 5.0
"""The space between the two outlines of a P-position, in pixels."""

_LONGEST_SIDE, _USUAL_SIDE, _LEAST_SCALE = 4000, 1400, 0.6
"""A drawing whose longer side has more than 1400 pixels is shrunk to 1400 pixels, but to no less than 0.6 of its size.
If its longer side then still has more than 4000 pixels, it is shrunk to 4000 pixels."""

_MOST_ENLARGED = 2.5


def graph(picture: GraphPicture) -> Canvas:
    """Draw the positions and moves of a picture. The page has the aspect ratio in the options, or fits the drawing.

    Raises
    ------
    LayoutError
        Graphviz is missing, fails, or has not finished in time.
    """
    return _Graph(picture).drawing()


class _Arranged(NamedTuple):
    """A layout, the page to draw it on, its frame on the page, and the largest factor by which the layout may grow."""

    places: GraphvizPlaces
    page: Canvas
    frame: Frame
    most: float = _MOST_ENLARGED

    @property
    def factor(self) -> float:
        """The factor by which the size of the layout is multiplied on the page."""
        wide, high = self.places.size
        return min(self.frame.width / max(wide, 1), self.frame.height / max(high, 1), self.most)


class _Graph:
    """The drawing of a graph.

    ``boxes`` maps the name of each vertex to its drawing. ``sizes`` maps the name of each vertex, and of each stub (a
    label with a number of hidden moves), to its size. ``words`` maps the names of both ends of an edge to its label.
    """

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.boxes = {f"n{vertex.number}": _Box(vertex, picture) for vertex in picture.vertices()}
        self.sizes: dict[str, Size] = {name: box.size for name, box in self.boxes.items()}
        self.sizes |= {
            stub.name: (text_width(f"+{stub.hidden:,}", _LABEL_SIZE) + 6, _LABEL_SIZE + 6) for stub in picture.stubs
        }
        self.words = _edge_words(picture)

    def drawing(self) -> Canvas:
        """Return the complete page."""
        places, page, frame, _ = arranged = (
            self._on_page_to_fit() if self.picture.options.ratio is None else self._on_page_of_shape()
        )
        sheet = Canvas(self.theme)
        self._moves(sheet, places)
        for name, box in self.boxes.items():
            with sheet.grouped("position", box.vertex.text):
                box.draw(sheet, *places.centres[name].tolist())
        wide, high = places.size
        page.scale = factor = arranged.factor
        left = frame.left + (frame.width - wide * factor) / 2
        top = frame.top + (frame.height - high * factor) / 2
        page.place(sheet.shapes, left, top, factor)
        return page

    def _on_page_to_fit(self) -> _Arranged:
        """Lay out the graph, shrink it if it is large, and return it on a page that fits it."""
        options = self.picture.options
        places = self._places(options.left_to_right)
        longest = max(*places.size, 1)
        shrunk = min(1.0, _LONGEST_SIDE / longest, max(_USUAL_SIDE / longest, _LEAST_SCALE))
        needs = (places.size[0] * shrunk, places.size[1] * shrunk)
        legends = options.legends
        below = needs[0] >= needs[1] or len(legends) < 2
        place = None if not legends else legends[0] if below else legends[1]
        return _Arranged(places, *new_page(self.picture, (), self._legend(), place=place, needs=needs), shrunk)

    def _on_page_of_shape(self) -> _Arranged:
        """Return the graph as large as possible on a page with the aspect ratio in the options.

        Try each direction of play (down and to the right; with the option ``left_to_right`` only to the right) with
        each place of the legend in the options. Spread the vertices of the largest layout over its frame, unless this
        makes it more than 5 % smaller.
        """
        options = self.picture.options
        directions = (True,) if options.left_to_right else (False, True)
        attempts = [
            (_Arranged(places, *new_page(self.picture, (), self._legend(), place=place)), rightwards)
            for rightwards in directions
            for places in [self._places(rightwards)]
            for place in options.legends or ("",)
        ]
        best, rightwards = max(attempts, key=lambda attempt: attempt[0].factor)
        spread = best._replace(places=self._places(rightwards, best.frame.height / best.frame.width))
        return spread if spread.factor >= 0.95 * best.factor else best

    def _places(self, rightwards: bool, shape: float | None = None) -> GraphvizPlaces:
        return graphviz_places(
            self.picture,
            self.sizes,
            {pair: (text_width(words, _LABEL_SIZE) + 6, _LABEL_SIZE + 4) for pair, words in self.words.items()},
            rightwards=rightwards,
            timeout=self.picture.options.timeout,
            shape=shape,
            ellipses={name for name, box in self.boxes.items() if box.kind == "ellipse"},
        )

    def _legend(self) -> Legend:
        """Return the legend of the signs that can occur in the picture."""
        legend = Legend(self.picture)
        for kind, sign, meaning in legend_signs(self.picture):
            if kind in "PND":
                legend.mark(kind)
            elif kind == "token":
                legend.token(filled=True)
            elif kind in style.KINDS:
                legend.line(line_look(self.theme, style.KINDS.index(kind), 1.3), meaning)
            else:
                legend.words(sign, meaning)
        return legend

    def _moves(self, sheet: Canvas, places: GraphvizPlaces) -> None:
        """Draw the moves, with winning moves on top of plain ones, and each stub: a dashed line to a count of moves."""
        rows = [
            (int(kind), f"n{source}", f"n{target}")
            for block in self.picture.edges()
            for source, target, kind in zip(*(ends.tolist() for ends in block[:3]), strict=True)
        ]
        for kind, source, target in sorted(rows, key=lambda row: row[0]):
            names = (self.boxes[end].vertex.name.replace("\n", " ") for end in (source, target))
            with sheet.grouped(style.KINDS[kind], " → ".join(names)):
                curve = places.curves[source, target].copy()
                curve[0] = self._touching(source, curve[0], places)
                curve[-1] = self._touching(target, curve[-1], places)
                sheet.add(*self._arrow(curve, kind))
                if (words := self.words.get((source, target))) is not None:
                    x, y = places.labels[source, target].tolist()
                    sheet.write("label", words, x, y, Letters(_LABEL_SIZE, "middle", halo=True))
        for name, ends, count in self.picture.stubs:
            with sheet.grouped("stub", translate("{moves} not shown", moves=amount(count, "move"))):
                look = Look(None, self.theme.move, 1.3, dashed=True)
                sheet.add(Paths("stub", look, [places.curves[ends]], curved=True))
                x, y = places.centres[name].tolist()
                sheet.write("stub", f"+{count:,}", x, y, Letters(_LABEL_SIZE, "middle"))

    def _touching(self, name: str, point: np.ndarray, places: GraphvizPlaces) -> np.ndarray:
        """Return where a line that Graphviz ends at ``point`` should end: on the outline of the vertex ``name``."""
        if self.boxes[name].kind != "hexagon":
            return point
        # Graphviz ends the line at the box around the hexagon: move the end inwards, to the outline of the hexagon.
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
        yield Paths(style.KINDS[kind], look, [line], curved=True)
        yield Paths("head", Look(self.theme.paper if hollow else look.stroke, look.stroke, 1), [triangle])


class _Box:
    """The drawing of a vertex: its name, its board, its value and its tokens.

    ``size`` is the size of the vertex, ``last_line`` that of the line with its value and tokens.
    """

    def __init__(self, vertex: DrawnVertex, picture: GraphPicture) -> None:
        self.vertex = vertex
        self.theme = picture.theme
        self.names = vertex.name.split("\n") if vertex.name else []
        self.board = None if vertex.board is None or not vertex.board.cells else board_shapes(vertex.board)
        self.tokens = vertex.tokens if vertex.tokens <= style.MOST_PIECES else 1
        self.count = f"×{vertex.tokens}" if vertex.tokens > style.MOST_PIECES else ""
        self.kind = style.vertex_shape(vertex.outcome, is_sum=vertex.is_sum, is_board=self.board is not None)["shape"]
        tokens = 6 + self.tokens * 16 + text_width(self.count, _LABEL_SIZE) if self.tokens else 0
        marks = text_width(vertex.marks, _TEXT_SIZE) + 4 * bool(vertex.marks and tokens) + tokens
        self.last_line: Size = (marks, _BADGE if self.tokens else _LINE_HEIGHT if vertex.marks else 0)
        wide = max([*(text_width(line, _TEXT_SIZE) for line in self.names), marks])
        high = _LINE_HEIGHT * len(self.names) + self.last_line[1]
        if self.board is not None:
            wide, high = max(wide, self.board[0]), high + self.board[1] + 4
        self.inner_height = high
        if self.kind == "ellipse":
            wide, high = max((1.42 if self.tokens else 1.3) * wide, _LEAST_WIDTH), max(1.3 * high, _LEAST_WIDTH)
        else:
            wide, high = max(wide + (30 if self.kind == "hexagon" else 18), _LEAST_WIDTH), max(high + 12, 38)
        ring = 2 * _RING * (vertex.outcome == "P")
        self.size: Size = (wide + ring, high + ring)

    def draw(self, sheet: Canvas, x: float, y: float) -> None:
        """Draw the vertex centred at (x, y): its outline and, from top to bottom, name, board, value with tokens."""
        self._outline(sheet, x, y)
        ink = style.ink_on(self.theme.color_of(self.vertex.outcome))
        top = y - self.inner_height / 2
        for line in self.names:
            sheet.write("name", line, x, top + _LINE_HEIGHT / 2, Letters(_TEXT_SIZE, "middle", ink))
            top += _LINE_HEIGHT
        if self.board is not None:
            wide, high, shapes = self.board
            sheet.place(shapes, x - wide / 2, top + 2)
            top += high + 4
        middle = top + self.last_line[1] / 2
        left = x - self.last_line[0] / 2
        if self.vertex.marks:
            wide, bold = text_width(self.vertex.marks, _TEXT_SIZE), bool(self.tokens) or self.board is not None
            sheet.write(
                "value", self.vertex.marks, left + wide / 2, middle, Letters(_TEXT_SIZE, "middle", ink, bold=bold)
            )
            left += wide + 4
        if self.tokens:
            self._tokens(sheet, left, middle)

    def _tokens(self, sheet: Canvas, left: float, y: float) -> None:
        """Draw the tokens on a white box, which starts at ``left`` and has its middle at ``y``.

        Up to 5 tokens are drawn as pieces. Of more tokens, one piece is drawn, and their number is written.
        """
        wide = 6 + 16 * self.tokens + text_width(self.count, _LABEL_SIZE)
        white = np.array([[left, y - _BADGE / 2 + 1, wide, _BADGE - 2]])
        sheet.add(Boxes("badge", Look("#ffffff", self.theme.outline), white, rounded=7))
        centres = np.array([[left + 11 + 16 * index, y] for index in range(self.tokens)])
        sheet.add(Discs("token", Look(self.theme.token), centres, 6))
        if self.count:
            sheet.write("badge", self.count, left + 22, y, Letters(_LABEL_SIZE, "start", self.theme.token))

    def _outline(self, sheet: Canvas, x: float, y: float) -> None:
        vertex, (wide, high) = self.vertex, self.size
        mark, centre = vertex.outcome or "-", np.array([[x, y]])
        thick = 4.0 if vertex.tokens or vertex.is_centre else 1.3
        look = Look(self.theme.color_of(mark), self.theme.outline, thick, dashed=vertex.is_sum)
        if mark == "D":
            sheet.marks(mark, centre, high, wide=wide, look=look)
            return
        insets = [0.0, _RING] if mark == "P" else [0.0]
        for inset in insets:
            is_inner = inset == insets[-1]
            own = look if is_inner else look._replace(fill=self.theme.paper)
            half = np.array([wide / 2 - inset, high / 2 - inset])
            if self.kind == "ellipse":
                sheet.add(Paths(mark, own, [centre + half * CIRCLE], curved=True))
            else:
                corners = (0.0 if mark == "N" else 10.0) + insets[-1] - inset
                box = np.hstack([centre - half, 2 * half[None]])
                sheet.add(Boxes(mark if is_inner else "ring", own, box, rounded=corners))


def _edge_words(picture: GraphPicture) -> dict[tuple[str, str], str]:
    """Return the texts at edges: (name of the source, name of the target) -> text.

    The text of an edge is its attribute ``label``. If the edge leads from a sum to a part that occurs more than once in
    the sum, the text also says how often. Edges without a text are left out.
    """
    labels, words_of = edge_labels(picture.graph), dict[tuple[str, str], str]()
    for block in picture.edges():
        if labels or block.multiplicity.max(initial=1) > 1:
            for source, target, _, multiplicity in zip(*(array.tolist() for array in block), strict=True):
                if words := words_at(labels.get((source, target)), multiplicity):
                    words_of[f"n{source}", f"n{target}"] = words
    return words_of
