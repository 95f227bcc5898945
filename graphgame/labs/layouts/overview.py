"""An overview of a large game: its levels from top to bottom, counts for each, and the moves between them as bands."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.drawing import style
from graphgame.drawing.captions import size_words, value_name
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import LimitError
from graphgame.graph import LOONY, SUNNY
from graphgame.labs.layouts.layers import Levels, levels
from graphgame.labs.layouts.page import Canvas, Legend, Letters, line_look, new_page, text_width
from graphgame.labs.layouts.shapes import Boxes, Discs, Image, Look, Paths, scale_pixels
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import outcome_word, printable

MOST_IN_LINE = 10_000
"""The maximum number of positions of a best line."""


def best_line(picture: GraphPicture, vertex: int) -> list[int]:
    """Return the vertices of best play from ``vertex`` on, in order: the winner hurries and the loser delays.

    The winner chooses among options that are P-positions, the loser among all options. The line ends at a terminal
    position, at a draw, after 10,000 positions, or if one of the options to choose from is a sum. The line has only
    ``vertex`` if ``vertex`` is a sum, if the game is not solved, or if the graph of the sums is too large to compute
    the remoteness.
    """
    line = [vertex]
    if picture.solution is None or picture.outcome is None:
        return line
    try:
        length = picture.solution.remoteness.array
    except LimitError:
        return line
    while len(line) < MOST_IN_LINE:
        options = picture.graph.option_rows.row(line[-1])
        wins = picture.outcome[line[-1]] == "N"
        if wins:
            options = options[picture.outcome[options] == "P"]
        sums = picture.graph.sums
        splits = sums is not None and (sums[line[-1]] or sums[options].any())
        if not len(options) or picture.outcome[line[-1]] == "D" or splits:
            break
        lengths = length[options]
        line.append(int(options[lengths.argmin() if wins else lengths.argmax()]))
    return line


_MOST_ROWS = 18

_MOST_BINS = 24
"""The maximum number of cells for finite values in the strip of a row."""

_MOST_TOKENS = 6
"""The maximum number of tokens that are named in one row."""

_WIDEST_BAND, _WIDEST_ARC, _THINNEST = 60, 12, 0.4
"""In pixels: the widths of the widest band between neighbouring rows, of the widest arc, and of the thinnest line."""

_LEAST_WIDE = 1080
"""The overview is drawn at least this many pixels wide, and then shrunk to the page."""


class _Rows(NamedTuple):
    """The rows of the overview, the lowest first.

    ``number`` has the index of each vertex's row, or -1 if the vertex is not shown. ``names`` has the names of all
    rows, and ``step`` is the number of levels per row.
    """

    number: np.ndarray
    names: list[str]
    step: int


def overview(picture: GraphPicture) -> Canvas:
    """Draw the levels of a game, with their numbers of positions and moves.

    Notes
    -----
    The time is O(n + m).
    """
    rows = _rows(picture, of_picture := levels(picture))
    moves = _moves(picture, rows)
    page, frame = new_page(picture, _facts(picture, of_picture, rows, moves), _legend(picture, moves))
    factor = min(1.0, frame.width / _LEAST_WIDE)
    sheet = Canvas(picture.theme, width=math.ceil(frame.width / factor), height=math.ceil(frame.height / factor))
    columns = _Columns(sheet, picture, rows)
    columns.names(render(of_picture.name))
    columns.bands(moves)
    columns.positions()
    columns.totals(moves)
    columns.values()
    columns.line()
    page.place(sheet.shapes, frame.left, frame.top, factor)
    return page


def _rows(picture: GraphPicture, of_picture: Levels) -> _Rows:
    """Combine the levels ``of_picture`` into at most 18 rows.

    These rows have the same number of levels, except that the highest may have fewer. If vertices without a level are
    shown, one more row above is for them, which counts as one of the 18.
    """
    shown = of_picture.array[picture.shown]
    # Positions without a level, from which play need not end, have a row of their own above all others.
    endless = bool((shown < 0).any())
    top = int(shown.max(initial=-1))
    step = max(1, -(-(top + 1) // (_MOST_ROWS - endless)))
    count = top // step + 1
    starts = range(0, count * step, step)
    ends = (min(start + step - 1, top) for start in starts)
    names = [f"{start:,}" if start >= end else f"{start:,}–{end:,}" for start, end in zip(starts, ends, strict=True)]
    number = np.where(of_picture.array < 0, count, of_picture.array // step).astype(np.int32)
    number[~picture.shown] = -1
    return _Rows(number, names + [translate("endless play")] * endless, step)


def _moves(picture: GraphPicture, rows: _Rows) -> np.ndarray:
    """Return the numbers of moves between rows, as an array of shape (rows, rows, 2).

    Entry ``[s, t, 1]`` counts the winning moves from row s to row t, entry ``[s, t, 0]`` the other moves.
    """
    graph = picture.graph
    is_p = np.zeros(len(graph), np.bool_) if picture.outcome is None else picture.outcome == "P"
    # Edges from a sum lead to its parts and are not moves: leave them out as sources.
    number = rows.number if graph.sums is None else np.where(graph.sums, -1, rows.number)
    counts = np.zeros((len(rows.names), len(rows.names), 2), np.int64)
    pointers, indices = graph.predecessor_rows
    runner(_count, len(indices))(pointers, indices, rows.number, number, is_p, counts)
    return counts


@compiled
def _count(pointers: Array, indices: Array, to_rows: Array, from_rows: Array, is_p: Array, counts: Array) -> None:
    """Count each move in ``counts[row from, row to, 1 if the move wins, otherwise 0]``; rows are those of the overview.

    ``pointers`` and ``indices`` are the CSR adjacency of the predecessors, and ``is_p`` marks the P-positions.
    ``to_rows`` has the row of each vertex as the end of a move, ``from_rows`` as the start of a move. Moves from or to
    row -1 are left out.
    """
    # A loop over predecessors looks up the row of the target once for all moves to it.
    for target in range(len(to_rows)):
        lower = to_rows[target]
        if lower >= 0:
            for e in range(pointers[target], pointers[target + 1]):
                source = indices[e]
                upper = from_rows[source]
                if upper >= 0:
                    wins = 1 if is_p[target] and not is_p[source] else 0
                    counts[upper, lower, wins] += 1


def _facts(picture: GraphPicture, of_picture: Levels, rows: _Rows, moves: np.ndarray) -> list[str]:
    shown = rows.number >= 0
    sums = picture.graph.sums is not None and bool(np.any(shown & picture.graph.sums))
    last = int(of_picture.array.max(where=shown, initial=-1))
    # The row for endless play is not a level.
    has_level = shown & (of_picture.array >= 0)
    count = len(np.unique(rows.number[has_level])) if rows.step == 1 else last + 1
    inside = int(np.trace(moves.sum(axis=2)))
    positions, every = size_words(picture, np.flatnonzero(shown)), amount(int(moves.sum()), "move")
    facts = [
        translate("overview of {positions} and {moves}", positions=positions, moves=every),
        translate("{levels}; level: {measure}", levels=amount(count, "level"), measure=render(of_picture.name)),
        translate("{count} levels per row", count=f"{rows.step:,}") if rows.step > 1 else "",
        translate("{moves} between positions of one row are not drawn", moves=amount(inside, "move")) if inside else "",
        translate("edges from a sum to its parts are not moves") if sums else "",
    ]
    return [translate("; ").join(filter(None, facts))]


def _legend(picture: GraphPicture, moves: np.ndarray) -> Legend:
    legend, theme = Legend(picture), picture.theme
    legend.outcomes()
    legend.line(Look(None, theme.move, 8, 0.6), translate("line width: number of moves"))
    if picture.solution is not None:
        legend.line(Look(None, theme.winning, 5), translate("coloured part of a line: moves to a P-position"))
    if np.triu(moves.sum(axis=2), 1).any():
        legend.line(Look(None, theme.move, 3, dashed=True), translate("moves back up"))
    if picture.solution is not None and picture.options.values:
        legend.scale("", translate("how often each value occurs in the row"), 60)
    if picture.tokens:
        legend.token()
    return legend


class _Columns:
    """The columns of the overview: names of levels, bands of moves, bars of positions, counts, values, named positions.

    ``_x`` is where the next column starts. ``y`` has the middle of each row.
    """

    def __init__(self, drawing: Canvas, picture: GraphPicture, rows: _Rows) -> None:
        share = min(drawing.width / 1232, 1)
        self._arcs, self._bar_width, self._values_width = 130 * share, 250 * share, 180 * share
        self.drawing = drawing
        self.picture = picture
        self.theme = picture.theme
        self.rows = rows
        pitch = min((drawing.height - 34) / max(len(rows.names), 1), 110)
        self.y = 34 + pitch * (np.arange(len(rows.names))[::-1] + 0.5)  # row 0 is at the bottom of the page
        self.head = 12
        pitch = pitch if len(rows.names) > 1 else 40
        self._x = 0.0
        self.bar = min(28.0, 0.42 * pitch)
        self.size = min(14.0, 0.6 * pitch)

    def names(self, header: str) -> None:
        """Write the name of each row."""
        self._column("level", header, self.rows.names, "start")

    def positions(self) -> None:
        """Draw a bar for each row, whose length shows its number of positions, and write the counts of each outcome."""
        marks = self._marks()
        counts = np.stack([np.bincount(self.rows.number[shown], minlength=len(self.y)) for shown in marks.values()])
        lengths = counts * (self._bar_width / max(int(counts.sum(axis=0).max(initial=0)), 1))
        ends = np.cumsum(lengths, axis=0)
        bars = self._x + 8
        self._x = bars + self._bar_width + 16
        for index, mark in enumerate(marks):
            shown = counts[index] > 0
            left, top = bars + (ends - lengths)[index], self.y - self.bar / 2
            sizes = np.maximum(lengths[index], 0.8), np.full(len(top), self.bar)
            look = Look(self.theme.color_of(mark), self.theme.outline, 0.8)
            self.drawing.add(Boxes(mark, look, np.stack([left, top, *sizes], axis=1)[shown]))
            kind, header = (mark, outcome_word(mark) or mark) if mark != "-" else ("positions", translate("positions"))
            self._column(kind, header, [f"{count:,}" for count in counts[index].tolist()], "end")

    def totals(self, moves: np.ndarray) -> None:
        """Write a column with the number of moves from the positions of each row; ``moves`` is from :func:`_moves`."""
        counts = [f"{count:,}" for count in moves.sum(axis=(1, 2)).tolist()]
        self._column("moves", translate("moves"), counts, "end")

    def _column(self, kind: str, header: str, texts: list[str], anchor: str) -> None:
        """Write a column of texts, one for each row, below a header.

        ``kind`` is the kind of the texts for :meth:`Canvas.write`. ``anchor`` aligns them: "start" left, "end" right.
        """
        wide = max([text_width(header, 14), *(text_width(text, self.size) for text in texts)])
        x = self._x + wide * (anchor == "end")
        self.drawing.write("header", header, x, self.head, Letters(13, anchor, bold=True))
        for y, text in zip(self.y, texts, strict=True):
            self.drawing.write(kind, text, x, y, Letters(self.size, anchor))
        self._x += wide + (14 if anchor == "end" else 20)

    def bands(self, moves: np.ndarray) -> None:
        """Draw the moves from row to row: a straight band to the row below, arcs to all other rows.

        ``moves`` is the result of :func:`_moves`.
        """
        total = moves.sum(axis=2)
        pairs = [(s, t) for s, t in zip(*np.nonzero(total), strict=True) if s != t]
        self._x += self._arcs * any(s - t != 1 for s, t in pairs)
        near = max((int(total[s, t]) for s, t in zip(*np.nonzero(total), strict=True) if s - t in (0, 1)), default=0)
        far = max((int(total[s, t]) for s, t in pairs if s - t != 1), default=0)
        # One scale for all bands, so that widths can be compared: the widest arc and the widest straight band must fit.
        scale = min(_WIDEST_ARC / far if far else np.inf, _WIDEST_BAND / near if near else np.inf)
        for s, t in sorted(pairs, key=lambda pair: -int(total[pair])):
            for kind, color, count in (
                ("move", self.theme.move, total[s, t]),
                ("win", self.theme.winning, moves[s, t, 1]),
            ):
                width = scale * int(count)
                if kind == "win" and width < _THINNEST:
                    continue
                if s - t == 1:
                    x, top, bottom = self._x + 8, self.y[s] + self.bar / 2, self.y[t] - self.bar / 2
                    self.drawing.add(Boxes(kind, Look(color), np.array([[x, top, max(width, 1), bottom - top]])))
                else:
                    look = Look(None, color, max(width, _THINNEST), 0.6, s < t)
                    self.drawing.add(Paths(kind, look, [self._arc(s, t)], curved=True))

    def _arc(self, s: int, t: int) -> np.ndarray:
        """Return a curve from row s to row t. The more rows it passes, the farther it bulges to the left."""
        share = (abs(s - t) - 1) / max(len(self.y) - 2, 1)
        spine, far = self._x, self._x - 30 - (self._arcs - 30) * share
        out, into = self.y[s] + 0.25 * self.bar, self.y[t] - 0.25 * self.bar
        return np.array([[spine, out], [far, out], [far, into], [spine, into]])

    def values(self) -> None:
        """Draw the distribution of values in each row: a strip with a cell for each value, or for a range of values.

        The colour of a cell shows how often its values occur in the row. The last cell is for infinite values, if any.
        Sunny and loony values have no cell.
        """
        solution = self.picture.solution
        if solution is None or not self.picture.options.values:
            return
        values, number = solution.grundy.array, self.rows.number
        if self.picture.graph.decided is not None:
            number = np.where((values == SUNNY) | (values == LOONY), -1, number)
        largest = int(values[number >= 0].max(initial=0))
        # Each cell stands for ``width`` consecutive values, so that finite values have at most _MOST_BINS cells.
        width = -(-(largest + 1) // _MOST_BINS)
        bins = largest // width + 1
        cell = np.where(values < 0, bins, np.minimum(values // width, bins))
        bins += self.picture.shows_infinite_values
        keys = np.where(number < 0, -1, number.astype(np.int64) * bins + cell)
        counts = np.bincount(keys[keys >= 0], minlength=len(self.y) * bins).reshape(-1, bins)
        shares = counts / np.maximum(counts.max(axis=1, keepdims=True), 1)
        name = value_name(self.picture)
        left, right = self._x + 16, self._x + 16 + self._values_width
        self._x = right + 24
        wide = self._values_width * (largest // width + 1) / bins
        self.drawing.write("header", name, left, self.head - 9, Letters(13, bold=True))
        self.drawing.write("header", "0", left, self.head + 8, Letters(11))
        self.drawing.write("header", f"{largest:,}", left + wide, self.head + 8, Letters(11, "end"))
        if self.picture.shows_infinite_values:
            self.drawing.write("header", "∞", right, self.head + 8, Letters(11, "end"))
        look = Look(None, self.theme.outline, 0.8)
        for y, row in zip(self.y, shares, strict=True):
            box = (left, float(y - self.bar / 2), self._values_width, self.bar)
            self.drawing.add(Image("values", box, scale_pixels(np.sqrt(row), self.theme)[None]))
            self.drawing.add(Boxes("values", look, np.array([box])))

    def line(self) -> None:
        """Name the vertices of :meth:`_starts`, up to six in each row of the overview.

        If there is only one, draw the best line from it, and name one position in each row that the line meets.
        """
        starts = self._starts()
        path = best_line(self.picture, starts[0]) if len(starts) == 1 else starts
        path = [vertex for vertex in path if self.rows.number[vertex] >= 0]
        if not path:
            return
        header = translate("best line" if len(path) < MOST_IN_LINE else "best line (first part)")
        if len(starts) > 1 or self.picture.solution is None:
            header = translate("tokens")
        self.drawing.write("header", header, self._x, self.head, Letters(13, bold=True))
        number = self.rows.number[path]
        x = self._x + 8
        # Show all tokens. Of a best line, show both ends, and each position after a move to another row.
        indices = [i for i in range(len(path)) if len(starts) > 1 or i in (0, len(path) - 1)]
        indices += [i for i in range(1, len(path)) if number[i] != number[i - 1]]
        shown = sorted(set(indices))
        if len(starts) == 1 and len(shown) > 1:
            points = np.array([[x, self.y[number[i]]] for i in shown])
            self.drawing.add(Paths("line", line_look(self.theme, style.TOKEN_WIN, 0.8), [points]))
        rows: dict[int, list[int]] = {}
        for i in shown:
            rows.setdefault(int(number[i]), []).append(path[i])
        for row, vertices in rows.items():
            self._named(row, vertices, int(np.count_nonzero(number == row)), x, set(starts))

    def _named(self, row: int, vertices: list[int], count: int, x: float, starts: set[int]) -> None:
        """Draw the first of ``vertices`` at ``x``, on the middle line of the row, and write names to the right of it.

        ``starts`` are the vertices of :meth:`_starts`. If there are several, ``vertices`` are the tokens in this row:
        write the names of up to six. Otherwise ``vertices`` are positions of the best line in this row: write only the
        name of the first. ``count`` is the number of all tokens, or of all positions of the best line, in this row:
        write how many of them are not named.
        """
        y, size = float(self.y[row]), min(15.0, 1.1 * self.size)
        outcome = self.picture.outcome
        mark, centre = "-" if outcome is None else str(outcome[vertices[0]]), np.array([[x, y]])
        self.drawing.marks(mark, centre, size)
        if vertices[0] in starts and self.picture.tokens:
            self.drawing.add(Discs("token", Look(None, self.theme.token, 2.5), centre, 0.5 * size + 3))
        names = [printable(self.picture.graph.labels[vertex], 24) for vertex in vertices]
        words = ", ".join(names[:_MOST_TOKENS]) if len(starts) > 1 else names[0]
        more = count - (min(len(names), _MOST_TOKENS) if len(starts) > 1 else 1)
        room = int((self.drawing.width - x - 46) / text_width("x", self.size))
        how_many = f"  {translate('+{count} more in this row', count=f'{more:,}')}" if more else ""
        self.drawing.write("name", printable(words, room) + how_many, x + 16, y, Letters(self.size, halo=True))

    def _starts(self) -> list[int]:
        """Return the vertices with tokens that the picture shows.

        If there are none, return the first vertex of the highest row, or [] if the game is not solved or the picture
        shows no vertex.
        """
        picture = self.picture
        number = picture.graph.number_of
        shown = [v for v in map(number, picture.tokens or ()) if self.rows.number[v] >= 0]
        if shown or picture.solution is None or not (self.rows.number >= 0).any():
            return sorted(set(shown))
        return [int(self.rows.number.argmax())]

    def _marks(self) -> dict[str, np.ndarray]:
        """Map each outcome to a mask of its vertices that are shown, without sums.

        If the game is not solved, the only key is "-", for all vertices that are shown, without sums.
        """
        shown = self.rows.number >= 0
        if self.picture.graph.sums is not None:
            shown &= ~self.picture.graph.sums
        outcome = self.picture.outcome
        if outcome is None:
            return {"-": shown}
        marks = [mark for mark in "PND" if mark != "D" or self.picture.shows_draws]
        return {mark: shown & (outcome == mark) for mark in marks}
