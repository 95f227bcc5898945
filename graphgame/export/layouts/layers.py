"""A layered drawing of some thousand positions: level by level, winning moves on top, what is left out in writing."""

from __future__ import annotations

import numpy as np

from graphgame.errors import LayoutError, Message, plural
from graphgame.explanation.text import amount, printable
from graphgame.explanation.texts import render, translate
from graphgame.export import style
from graphgame.export.layouts.canvas import Canvas, Discs, Look, Paths, text_width
from graphgame.export.layouts.furniture import (
    LegendEntry,
    draw_marks,
    draw_tokens,
    line_entry,
    line_look,
    mark_color,
    new_page,
    outcome_entries,
    token_entry,
    words_entry,
)
from graphgame.export.layouts.layering import Arrangement, LayeredGraph, grid_for, layered
from graphgame.export.layouts.levels import drawn_levels
from graphgame.export.legend import SIGNS, meaning
from graphgame.export.picture import GraphPicture
from graphgame.export.selection import PICTURE_A_PART
from graphgame.export.summary import size_words

__all__ = ["layers", "level_count"]

_MOST_POSITIONS = 20_000
_FAINT_FROM = 300
_LONGEST = 24
_TIMES_FROM, _SIGNS_UP_TO = 22, 150


def level_count(picture: GraphPicture) -> int:
    """Return how many levels a picture has."""
    found = drawn_levels(picture).array
    return len(np.unique(found if picture.chosen is None else found[picture.chosen]))


def layers(picture: GraphPicture) -> Canvas:
    """Draw a game level by level; raise a LayoutError where there are too many positions or levels for a page.

    O(n log n) time for n positions: of the moves, no more are drawn than there is room for.
    """
    if picture.vertex_count() > _MOST_POSITIONS:
        raise LayoutError(
            "{positions} are too many to draw level by level: layout='overview' (--layout overview) "
            "counts them, {picture_a_part} draws a part",
            plural(picture.vertex_count(), "position"),
            PICTURE_A_PART,
        )
    graph = layered(picture)
    entries = _entries(picture, graph)
    moves = graph.kind != style.PART
    _, frame = new_page(picture, [_fact(picture, graph, int(moves.sum()) - 1)], entries)  # the longer words
    found = Arrangement(graph, grid_for(picture, graph, frame), frame)
    drawn = int(moves[[move for move, _ in found.curves]].sum())
    drawing, _ = new_page(picture, [_fact(picture, graph, drawn)], entries)
    sheet = _Sheet(drawing, picture, found)
    sheet.moves()
    sheet.levels()
    sheet.positions()
    sheet.tokens()
    return drawing


_DRAWN = (
    Message("drawn are {drawn} of {moves}, short ones first"),
    Message("drawn are {drawn} of {moves}, winning and short ones first"),
)


def _fact(picture: GraphPicture, graph: LayeredGraph, drawn: int) -> str:
    positions = size_words(picture, graph.numbers)
    levels = amount(len(graph.names), "level")
    size = translate("{positions} in {levels} by {name}", positions=positions, levels=levels, name=render(graph.by))
    count = int(np.count_nonzero(graph.kind != style.PART))
    moves = amount(count, "move")
    if picture.centres:
        size += f"{translate('; ')}{translate('moves out of this part are not shown')}"
    if drawn == count:
        return f"{size}{translate('; ')}{translate('all {moves} drawn', moves=moves)}"
    return f"{size}{translate('; ')}{translate(_DRAWN[picture.outcome is not None], drawn=f'{drawn:,}', moves=moves)}"


def _entries(picture: GraphPicture, graph: LayeredGraph) -> list[LegendEntry]:
    theme = picture.theme
    entries = outcome_entries(picture)
    for kind, words in (
        (style.MOVE, meaning("move")),
        (style.WIN, meaning("win")),
        (style.TOKEN_WIN, meaning("token win")),
        (style.PART, meaning("part")),
    ):
        if (graph.kind == kind).any():
            entries.append(line_entry(line_look(theme, kind, 0.8), words))
    if (graph.level[graph.source] < graph.level[graph.target]).any():
        entries.append(line_entry(Look(None, theme.ink, 0.8, dashed=True), meaning("back")))
    if picture.shows_merged and len(graph.numbers) <= _SIGNS_UP_TO:
        entries.append(words_entry(SIGNS["merged"], meaning("merged")))
    return [*entries, token_entry(theme)] if picture.shows_tokens else entries


class _Sheet:
    """The part of the page on which positions and moves stand."""

    def __init__(self, drawing: Canvas, picture: GraphPicture, found: Arrangement) -> None:
        self.drawing = drawing
        self.picture = picture
        self.theme = picture.theme
        self.found = found
        self.graph, self.grid, self.frame = found.graph, found.grid, found.frame
        self.points, self.side = found.points, found.side

    def moves(self) -> None:
        """Draw the moves: plain ones first, those that win on top."""
        graph, curves = self.graph, self.found.curves
        opacity = 0.55 if len(curves) > _FAINT_FROM else 0.9
        names = {style.PART: "part", style.MOVE: "move", style.WIN: "win", style.TOKEN_WIN: "token win"}
        back = graph.level[graph.source] < graph.level[graph.target]
        for kind, name in names.items():
            for up in (False, True):
                shown = [curve for move, curve in curves if graph.kind[move] == kind and back[move] == up]
                look = line_look(self.theme, kind, self.found.line)
                look = look._replace(opacity=opacity if kind == style.MOVE else 1, dashed=look.dashed or up)
                if shown:
                    self.drawing.add(Paths("back" if up else name, look, shown, curved=True))

    def levels(self) -> None:
        """Write what each level is, as many as there is room for."""
        grid, last = self.grid, -np.inf
        middles = grid.along + (grid.rows[::-1] * (grid.long + 3) - 3) / 2
        for name, middle in zip(self.graph.names[::-1].tolist(), middles.tolist(), strict=True):
            words = translate("no end") if name < 0 else f"{name:,}"
            if middle - last < (text_width(words, 11) + 6 if grid.rightwards else 14):
                continue
            last = middle
            if grid.rightwards:
                self.drawing.write("level", words, self.frame.left + middle, self.frame.bottom - 8, 11, "middle")
            else:
                self.drawing.write("level", words, self.frame.left, self.frame.top + middle, 11)

    def positions(self) -> None:
        """Draw the positions, with what there is room for."""
        graph, picture, grid = self.graph, self.picture, self.grid
        outcome = np.full(len(graph.numbers), "-") if picture.outcome is None else picture.outcome[graph.numbers]
        sums = (
            np.zeros(len(graph.numbers), np.bool_) if picture.graph.sums is None else picture.graph.sums[graph.numbers]
        )
        texts = zip(graph.numbers.tolist(), picture.graph.labels.take(graph.numbers), strict=True)
        labels = [f"{printable(label, _LONGEST)} {picture.times(v)}".rstrip() for v, label in texts]
        values = [""] * len(labels)
        if picture.solution is not None:
            values = [str(value) for value in picture.solution.grundy.take(graph.numbers)]
        named = grid.words == "names"
        wide, high = (grid.long, grid.broad) if grid.rightwards else (grid.broad, grid.long)
        for mark in "-PND":
            for dashed in (False, True):
                shown = np.flatnonzero((outcome == mark) & (sums == dashed))
                if len(shown):
                    hints = [f"{labels[v]}: {mark} {values[v]}".removesuffix(": - ") for v in shown.tolist()]
                    draw_marks(
                        self.drawing,
                        mark,
                        self.points[shown],
                        high,
                        self.theme,
                        hints,
                        wide=wide if named else None,
                        dashed=dashed,
                    )
        if not grid.words:
            return
        ink = {mark: style.ink_on(mark_color(mark, self.theme)) for mark in "-PND"}
        rows = zip(graph.numbers.tolist(), self.points.tolist(), labels, outcome.tolist(), values, strict=True)
        for v, (x, y), label, mark, value in rows:
            if named:
                line = 0 if mark == "-" else 6
                self.drawing.write("name", label, x, y - line, 11, "middle", ink[mark])
                if line:
                    words = f"{mark} {value}" if picture.options.values else mark
                    self.drawing.write("value", words, x, y + 7, 10, "middle", ink[mark], bold=True)
            elif text_width(value, 0.6 * high) <= high:
                self.drawing.write("value", value, x, y, 0.6 * high, "middle", ink[mark])
                if (times := picture.times(v)) and high >= _TIMES_FROM:
                    self.drawing.write("times", times, x + 0.55 * high, y - 0.4 * high, 0.4 * high, "start", halo=True)

    def tokens(self) -> None:
        """Ring the tokens, and what is drawn around; name them, where not all positions are."""
        picture, place = self.picture, {int(v): i for i, v in enumerate(self.graph.numbers)}
        tokens = [v for v in map(picture.graph.number_of, picture.tokens or ()) if v in place]
        radius = 0.75 * self.side + 2
        if tokens and self.grid.words != "names":
            radius = min(radius, *(self._room(place[v]) for v in tokens))
            centres = self.points[[place[v] for v in tokens]]
            draw_tokens(self.drawing, centres, radius)
        for v in dict.fromkeys([*tokens, *(v for v in picture.centres if v in place)]):
            x, y = self.points[place[v]].tolist()
            self._mark(v, x, y, radius)

    def _mark(self, vertex: int, x: float, y: float, radius: float) -> None:
        """Name a token or a centre, beside it."""
        sign = f"{style.CENTRE} " * (vertex in self.picture.centres)
        if self.grid.words == "names":
            wide = (self.grid.long if self.grid.rightwards else self.grid.broad) / 2
            if vertex not in self.picture.centres:
                self.drawing.add(Discs("token", Look("#ffffff", self.theme.token, 2.5), np.array([[x - wide, y]]), 6))
            else:
                self.drawing.write("name", sign, x - wide, y, 15, "end", halo=True)
            return
        name = sign + printable(self.picture.graph.labels[vertex], 24)
        wide, frame = text_width(name, 13) + 4, self.frame
        places = [(x + radius + 4, y, "start"), (x - radius - 4, y, "end")]
        middle = float(np.clip(x, frame.left + wide / 2, frame.right - wide / 2))
        places += [(middle, y + away, "middle") for away in (-radius - 10, radius + 10)]
        lefts = [at - wide * {"start": 0, "end": 1, "middle": 0.5}[anchor] for at, _, anchor in places]
        covered = [
            np.inf
            if left < frame.left - 1 or left + wide > frame.right + 1 or at < frame.top
            else self._covered(left, at, wide, vertex)
            for left, (_, at, _) in zip(lefts, places, strict=True)
        ]
        at, height, anchor = places[int(np.argmin(covered))]
        self.drawing.write("name", name, at, height, 13, anchor, bold=True, halo=True)

    def _covered(self, left: float, middle: float, wide: float, vertex: int) -> int:
        """Return how many other positions a name would lie on."""
        x, y = self.points.T
        margin = self.side / 2 + 1
        inside = (x > left - margin) & (x < left + wide + margin) & (np.abs(y - middle) < 8 + margin)
        return int(np.count_nonzero(inside & (self.graph.numbers != vertex)))

    def _room(self, place: int) -> float:
        """Return how far a ring around a position may reach, so that it leaves its neighbours free."""
        apart = np.hypot(*(self.points - self.points[place]).T)
        apart[place] = np.inf
        return max(float(apart.min(initial=np.inf)) - 0.55 * self.side - 1, 0.55 * self.side + 1)
