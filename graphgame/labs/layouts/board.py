"""Draw positions of two numbers as a board with a cell for each position or, if it is large, as a heat map.

Positions of three numbers make several boards, one for each value of one of the numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from graphgame.drawing import style
from graphgame.drawing.captions import meaning, size_words, value_name
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import LayoutError, Message
from graphgame.graph.labels import Labels
from graphgame.labs.layouts.page import Canvas, Frame, Legend, Letters, arrowheads, line_look, new_page, text_width
from graphgame.labs.layouts.shapes import Boxes, Image, Look, PageText, Paths, pixels, scale_pixels
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import printable

FARTHEST = 4000
"""Positions do not make a board if two of them differ in their first (second, third) number by this much or more."""

_NUMBER = re.compile(r" *[0-9]{1,9} *")
_CHARACTERS_OF_NUMBERS, _LONGEST_NUMBER = set("0123456789,"), 18
"""The allowed characters and the greatest length of a text that numpy parses. So all numbers fit into 64 bits."""


class PairLabels(Labels):
    """The labels "row,column" for all pairs of a row and a column, row by row. The texts are made when needed."""

    def __init__(self, rows: range, columns: range) -> None:
        self.ranges = rows, columns
        self._positions = range(len(rows) * len(columns))

    def pairs(self, numbers: np.ndarray) -> np.ndarray:
        """Return the row and the column in the label of each vertex number, as an array of shape (n, 2)."""
        rows, columns = self.ranges
        row, column = np.divmod(numbers, len(columns))
        return np.stack([row + rows.start, column + columns.start], axis=1)

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return [f"{row},{column}" for row, column in self.pairs(np.asarray(numbers)).tolist()]

    def at(self, number: int) -> Hashable:  # noqa: D102
        return self.take(np.array([number]))[0]

    def __iter__(self) -> Iterator[Hashable]:
        return map(self.at, self._positions)

    def find(self, position: object) -> int:  # noqa: D102
        rows, columns = self.ranges
        pair = _numbers(position)
        if pair is None or len(pair) != 2 or pair[0] not in rows or pair[1] not in columns:
            raise KeyError(position)
        return (pair[0] - rows.start) * len(columns) + pair[1] - columns.start


def coordinates(labels: Labels, numbers: np.ndarray) -> np.ndarray | None:
    """Return the coordinates of positions, given by vertex numbers, as an array of shape (n, 2) or (n, 3).

    If a position has fewer numbers than others, zeros are appended to it, as for bars of Chomp. None means that the
    positions do not make a board: there are none, some are not lists of at most three numbers below 10^9, all have only
    one number, two are in the same cell, or two differ by ``FARTHEST`` or more in one of their numbers.
    """
    if isinstance(labels, PairLabels):
        return labels.pairs(numbers) if max(map(len, labels.ranges)) <= FARTHEST else None
    # The first hundred labels are enough to rule out most graphs, without reading all of them.
    if any(row is None for row in map(_numbers, labels.take(numbers[:100]))):
        return None
    positions = labels.take(numbers)
    table = _parsed_at_once(positions)
    if table is None:
        rows = [row for row in map(_numbers, positions) if row is not None]
        if not rows or len(rows) < len(positions):
            return None
        table = np.array(list(zip_longest(*rows, fillvalue=0)), np.int64).T
    if table.shape[1] not in (2, 3) or not len(table) or int((table.max(axis=0) - table.min(axis=0)).max()) >= FARTHEST:
        return None
    # A key for each cell. Two positions with the same key would be in the same cell.
    keys = np.ravel_multi_index(tuple((table - table.min(axis=0)).T), [FARTHEST] * table.shape[1])
    return table if np.diff(np.sort(keys, kind="stable")).all() else None


def _parsed_at_once(positions: list[Hashable]) -> np.ndarray | None:
    """Return an array with the numbers in each text. One call of numpy is several times as fast as one call a text.

    Return None if a position is not a text, is longer than 18 characters, has characters other than digits and commas,
    has an empty number, or has more or fewer numbers than the first position.
    """
    texts = [position for position in positions if type(position) is str]
    commas = texts[0].count(",") if texts else 0
    if len(texts) < len(positions) or any(text.count(",") != commas for text in texts):
        return None
    joined = ",".join(texts)
    if not set(joined) <= _CHARACTERS_OF_NUMBERS or ",," in f",{joined}," or max(map(len, texts)) > _LONGEST_NUMBER:
        return None
    return np.fromstring(joined, np.int64, sep=",").reshape(len(texts), commas + 1)


def _numbers(position: Hashable) -> tuple[int, ...] | None:
    """Return the numbers of a position if it is a text, tuple or list of one to three numbers, from 0 and below 10^9.

    Otherwise return None.
    """
    parts = position.split(",") if isinstance(position, str) else position
    if not isinstance(parts, (list, tuple)) or not 1 <= len(parts) <= 3:
        return None
    if not all(type(part) is int or (isinstance(part, str) and _NUMBER.fullmatch(part)) for part in parts):
        return None
    numbers = tuple(map(int, parts))
    return numbers if all(0 <= number < 10**9 for number in numbers) else None


_MOST_SLICES = 24
"""Maximum number of boards in a picture: positions of three numbers need a board for each value of one number."""

_LEAST_FILLED = 0.1
"""By default positions are drawn as a board only if they fill at least this share of the board's cells."""

_WRITTEN_FROM = 13
"""In pixels: a board whose cells have a smaller side, by an estimate, is drawn as a heat map without values."""

_MOST_ARROWS = 500

_SEEN_FROM = 3
"""In pixels: a mark of a P-position with a smaller side is hard to see, so its neighbours are marked too."""

_LEAST_ASIDE, _LEGEND = 380, 240
"""Pixels: how much wider than high a page must be for text beside the board, and the width of a legend."""

_LARGEST_CELL = 76
"""The side of the largest cell, in pixels."""

_MOST_PIXELS = 1000
"""Largest width and height of a heat map, in pixels."""


class _Slice(NamedTuple):
    """One of the boards of a drawing.

    ``cells`` has the row and the column of each of its positions, and ``indices`` the index of each among all positions
    that are shown. ``axis`` is the index of the coordinate that is neither row nor column, or 2 if positions have two
    numbers. ``name`` is the text above the board.
    """

    indices: np.ndarray
    cells: np.ndarray
    axis: int
    name: str = ""


class _Panel(NamedTuple):
    """Where a board is drawn: its left and top edge, and the size of a cell."""

    left: float
    top: float
    cell: float


def is_board(picture: GraphPicture) -> bool:
    """Return True if a solved game's positions are two or three numbers, and fill at least a tenth of their boards.

    Return False if the game is not solved, if equal positions are merged, or if there would be more than 24 boards.
    """
    if picture.solution is None or picture.counts is not None:
        return False
    table = coordinates(picture.graph.labels, np.flatnonzero(picture.positions))
    if table is None:
        return False
    sides, boards = (np.ptp(table, axis=0) + 1).tolist(), 1
    if len(sides) == 3:
        counts = [len(np.unique(column)) for column in table.T]
        boards = min(counts)
        sides[counts.index(boards)] = boards
    return len(table) >= _LEAST_FILLED * math.prod(sides) and boards <= _MOST_SLICES


def board(picture: GraphPicture) -> Canvas:
    """Draw positions as cells of a board, with the moves of the tokens.

    With the option ``around``, the moves from the positions in it are drawn instead. If there are more than 500 moves,
    only the winning ones are drawn, and none if these are more than 500. Positions of three numbers make several
    boards: one for each value of one of the numbers.

    Raises
    ------
    LayoutError
        The positions do not make a board (see :func:`coordinates`), or there are more than 24 boards.

    Notes
    -----
    The time is O(n log n + m).
    """
    numbers = np.flatnonzero(picture.positions)
    table = coordinates(picture.graph.labels, numbers)
    if table is None:
        raise LayoutError(
            "layout='board' draws only positions of two or three nonnegative numbers, such as 3,5, if each number "
            "varies by less than {farthest:,}: for other positions use layout='layers' or layout='overview' (--layout)",
            FARTHEST,
        )
    slices = list(_slices(table))
    if len(slices) > _MOST_SLICES:
        raise LayoutError(
            "{count} boards are too many for one picture: layout='overview' (--layout overview) counts the positions "
            "instead",
            len(slices),
        )
    return _Board(picture, numbers, slices).drawing


_TOKEN_MOVES = (Message("only moves of the tokens are drawn"), Message("only winning moves of the tokens are drawn"))
_CENTRE_MOVES = (Message("only moves from ◎ are drawn"), Message("only winning moves from ◎ are drawn"))
_AXES = (
    Message("rows: second number, columns: third number"),
    Message("rows: first number, columns: third number"),
    Message("rows: first number, columns: second number"),
)
_NUMBERS = (Message("first number {value}"), Message("second number {value}"), Message("third number {value}"))


def _slices(table: np.ndarray) -> Iterator[_Slice]:
    """Yield the boards for a table of coordinates.

    Positions of two numbers make one board. Positions of three numbers make a board for each value of one coordinate:
    the one with the fewest different values.
    """
    if table.shape[1] == 2:
        yield _Slice(np.arange(len(table)), table, 2)
        return
    axis = int(np.argmin([len(np.unique(column)) for column in table.T]))
    for value in np.unique(table[:, axis]).tolist():
        indices = np.flatnonzero(table[:, axis] == value)
        yield _Slice(indices, np.delete(table[indices], axis, axis=1), axis, translate(_NUMBERS[axis], value=value))


class _Board:
    """The drawing of one board or several boards.

    ``numbers`` are the vertex numbers of the positions shown; indices of positions refer to this array.
    """

    def __init__(self, picture: GraphPicture, numbers: np.ndarray, slices: Sequence[_Slice]) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.numbers = numbers
        self.slices = slices
        low, high = (pick([pick(part.cells, axis=0) for part in slices], axis=0) for pick in (np.min, np.max))
        self.origin: list[int] = low.tolist()
        self.size: list[int] = (high - low + 1).tolist()
        self.outcome = picture.marks(numbers)
        self.centres = np.full((len(numbers), 2), np.nan)
        tokens = sorted(set(map(picture.graph.number_of, picture.tokens or ())))
        self.tokens, self.middles = (np.flatnonzero(np.isin(numbers, list(of))) for of in (tokens, picture.centres))
        self.starts = self.middles if picture.centres else self.tokens
        self.moves = self._chosen_moves()
        wide, high = picture.options.page
        right = wide - 24 - _LEGEND * (picture.options.legend == "right")
        below = self._panels(Frame(24, 110, right, high - 50))[0].cell
        beside = 0.0
        if wide - high >= _LEAST_ASIDE:
            beside = self._panels(Frame(wide - high - 24, 12, right, high - 8))[0].cell
        self.aside = beside >= below
        self.rough = max(beside, below) < _WRITTEN_FROM
        self.drawing, self.frame = new_page(picture, [self._fact()], self._legend(), aside=self.aside)
        panels = self._panels(self.frame)
        self.cell = panels[0].cell
        for part, panel in zip(slices, panels, strict=True):
            self._draw(part, panel)
        self._moves()
        self._write()

    def _fact(self) -> str:
        rows, columns = self.size
        texts = _CENTRE_MOVES if self.picture.centres else _TOKEN_MOVES
        moves = texts[False not in self.moves] if len(self.starts) and self.moves else Message("moves are not drawn")
        kind = translate("a heat map" if self.rough else "a board")
        positions = self._positions()
        fact = translate(
            "{boards} of {size}: {positions}; {axes}; {moves}" if positions else "{boards} of {size}; {axes}; {moves}",
            boards=amount(len(self.slices), "board") if len(self.slices) > 1 else kind,
            size=f"{rows:,} x {columns:,}",
            positions=positions,
            axes=render(_AXES[self.slices[0].axis]),
            moves=render(moves),
        )
        return (
            f"{fact}; {translate('each pair is drawn once, with the smaller number first')}"
            if self._is_half()
            else fact
        )

    def _positions(self) -> str:
        """Return a text with the number of positions shown.

        Return "" with the option ``around``, or if the caption of the picture has this number.
        """
        in_caption = self.picture.solution is not None and not self.picture.shows_all_tokens
        if in_caption or self.picture.centres:
            return ""
        return size_words(self.picture, self.numbers)

    def _is_half(self) -> bool:
        """Return True if the board is only half filled: no position's row number exceeds its column number.

        Return False if there are several boards or at most two rows, or if the axes begin at different numbers.
        """
        (part, *others), low = self.slices, self.origin
        falling = part.cells[:, 0] > part.cells[:, 1]
        return not (others or falling.any()) and low[0] == low[1] and self.size[0] > 2

    def _legend(self) -> Legend:
        legend = Legend(self.picture)
        legend.outcomes()
        only = self.picture.options.only
        if self.rough and self.picture.solution is not None and only in (None, "N"):
            low, high = self._range()
            words = translate("{values} of N-positions", values=value_name(self.picture))
            legend.scale(f"{low:,}", f"{high:,}   {words}")
            # The colour scale takes the place of the entry for N-positions.
            entry = 1 if only is None else 0
            legend.entries[entry : entry + 1] = [legend.entries.pop()]
        if not self.rough:
            legend.signs("infinite", "sunny", "loony")
        around = bool(self.picture.centres)
        if around:
            legend.centre()
        if len(self.tokens):
            legend.token()
        if len(self.moves.get(False, ())):
            name = meaning("move") if around else translate("move of the token")
            legend.line(line_look(self.theme, style.MOVE, 1), name)
        if len(self.moves.get(True, ())):
            name = meaning("win") if around else translate("winning move")
            legend.line(line_look(self.theme, style.TOKEN_WIN, 0.7), name)
        return legend

    def _range(self) -> tuple[int, int]:
        """Return the smallest and the largest finite value of all positions shown except P-positions; 0, 0 if none."""
        values = self._values()[self.outcome != "P"]
        values = values[values >= 0]
        return int(values.min(initial=values.max(initial=0))), int(values.max(initial=0))

    def _values(self) -> np.ndarray:
        assert self.picture.solution is not None
        return self.picture.solution.grundy.array[self.numbers]  # type: ignore[no-any-return]

    def _panels(self, frame: Frame) -> list[_Panel]:
        """Return a panel for each board. Choose the number of boards in a row that makes the cells largest."""
        rows, columns = self.size
        count, edge = len(self.slices), 34
        above = 30 + 18 * (count > 1)

        def cell(across: int) -> float:
            down = -(-count // across)
            wide = (frame.width / across - edge - 12) / columns
            return min(wide, (frame.height / down - above) / rows, _LARGEST_CELL)

        across = max(range(1, count + 1), key=cell)
        side = max(cell(across), 0.05)
        wide, high = columns * side + edge + 12, rows * side + above
        left = frame.left + max(frame.width - wide * min(across, count), 0) / 2
        return [
            _Panel(left + index % across * wide + edge, frame.top + index // across * high + above - 6, side)
            for index in range(count)
        ]

    def _draw(self, part: _Slice, panel: _Panel) -> None:
        cells = part.cells - self.origin
        corners = (panel.left, panel.top) + panel.cell * cells[:, ::-1]
        self.centres[part.indices] = corners + panel.cell / 2
        if part.name:
            self.drawing.write("slice", part.name, panel.left, panel.top - 34, Letters(14, bold=True))
        self._axes(panel)
        if self.rough:
            self._heat(part, panel, cells)
        else:
            self._cells(part, panel, corners)

    def _axes(self, panel: _Panel) -> None:
        """Write row and column numbers beside a board: as many as there is room for, and always the last of each."""
        size = float(np.clip(0.5 * panel.cell, 9, 14))
        ends = [first + count - 1 for first, count in zip(self.origin, self.size, strict=True)]
        room = max(size * 1.3, text_width(f"{max(ends):,}", size) + 6)
        for axis, last in enumerate(ends):
            step = next(s for s in (d * 10**e for e in range(9) for d in (1, 2, 5)) if s * panel.cell >= room)
            shown = [n for n in range(self.origin[axis], last + 1) if n % step == 0 and (last - n) * panel.cell >= room]
            for number in [*shown, last]:
                along = (number - self.origin[axis] + 0.5) * panel.cell
                x, y, anchor = (-6.0, along, "end") if axis == 0 else (along, -10.0, "middle")
                self.drawing.write("axis", f"{number:,}", panel.left + x, panel.top + y, Letters(size, anchor))

    def _cells(self, part: _Slice, panel: _Panel, corners: np.ndarray) -> None:
        side, outcome = panel.cell, self.outcome[part.indices]
        line = min(1.0, side / 14)
        labels = self.picture.graph.labels.take(self.numbers[part.indices])
        written = self.picture.value_texts(self.numbers[part.indices])
        for mark in "-PND":
            shown = np.flatnonzero(outcome == mark)
            if not len(shown):
                continue
            color = self.theme.color_of(mark)
            boxes = np.hstack([corners[shown], np.full((len(shown), 2), side)])
            hints = [f"{printable(labels[v])}: {mark} {written[v]}" for v in shown.tolist()] if mark != "-" else ()
            self.drawing.add(Boxes(mark, Look(color, self.theme.outline, line), boxes, hints))
            inset = 0.12 * side
            if mark == "P":
                inner = boxes + np.array([inset, inset, -2 * inset, -2 * inset])
                self.drawing.add(Boxes("ring", Look(None, style.ink_on(color), line), inner, (), 0.3 * side))
            if mark == "D":  # a line across a corner of each cell, so that draws can be recognized without colour
                x, y, *_ = boxes.T
                lines = np.stack([x, y + 0.3 * side, x + 0.3 * side, y], axis=1).reshape(-1, 2, 2)
                self.drawing.add(Paths("ring", Look(None, self.theme.outline, 0.8), list(lines)))

    def _write(self) -> None:
        """Write the values on top of the moves, unless the board is a heat map or the options hide values.

        If there are tokens, or positions in the option ``around``, outline each value in the colour of its cell.
        """
        if self.rough or self.picture.solution is None or not self.picture.options.values:
            return
        written = self.picture.value_texts(self.numbers)
        longest = max((len(text) for text in written if not text.startswith("inf")), default=1)
        size = round(min(0.62 * self.cell, 0.88 * self.cell / (0.6 * longest), 26), 1)
        for (x, y), text, mark in zip(self.centres.tolist(), written, self.outcome.tolist(), strict=True):
            color = self.theme.color_of(mark)
            shown = "∞" if text.startswith("inf") and text_width(text, size) > self.cell else text
            halo = color if len(self.starts) or len(self.tokens) else None
            words = PageText("value", shown, x, y + 0.35 * size, size, style.ink_on(color), "middle", mark == "P", halo)
            self.drawing.add(words)

    def _heat(self, part: _Slice, panel: _Panel, cells: np.ndarray) -> None:
        """Draw a board as a heat map: one pixel for each square block of cells.

        The first of these rules that applies gives the colour of a pixel:

        * P-positions, if at least half of the positions in its block are P-positions. If P-positions are rare on the
          board, one of them is enough, and small pixels also give this colour to their neighbours.
        * Draws, if more than half of the positions in its block are draws.
        * The mean value of the positions in its block except P-positions. Draws and infinite, sunny and loony values
          count as the lowest value.

        Without a solution, all positions have one colour. ``cells`` has the row and the column of each position on the
        board, from 0.
        """
        block = max(1, -(-max(self.size) // _MOST_PIXELS))
        high, wide = (-(-side // block) for side in self.size)
        pixel = cells // block @ (wide, 1)
        is_p = self.outcome[part.indices] == "P"
        total = np.bincount(pixel, minlength=high * wide)
        others = np.bincount(pixel[~is_p], minlength=high * wide)
        image = np.broadcast_to(pixels(self.theme.paper), (high * wide, 3)).copy()
        if self.picture.solution is None:
            image[total > 0] = pixels(self.theme.outline)
        else:
            low, top = self._range()
            shares = (np.clip(self._values()[part.indices], low, top) - low) / max(top - low, 1)
            means = np.bincount(pixel[~is_p], shares[~is_p], high * wide) / np.maximum(others, 1)
            image[others > 0] = scale_pixels(means[others > 0], self.theme)
            drawn = self.outcome[part.indices] == "D"
            image[np.bincount(pixel[drawn], minlength=high * wide) > total / 2] = pixels(self.theme.fills[2])
            # P-positions are rare in most games: then a pixel gets their colour if its block has one P-position. If
            # P-positions are common, half of the positions in the block must be P-positions.
            common = is_p.mean() > 1 / max(block, 4)
            marked = (total - others) >= np.maximum(total / 2 if common else 1, 1)
            if not common and panel.cell * block < _SEEN_FROM:
                # Mark the neighbours too: a single pixel would be too small to see.
                padded = np.pad(marked.reshape(high, wide), 1)
                marked = sliding_window_view(padded, (3, 3)).any(axis=(2, 3)).ravel()
            image[marked] = pixels(self.theme.fills[0])
        box = (panel.left, panel.top, wide * block * panel.cell, high * block * panel.cell)
        self.drawing.add(Image("heat", box, image.reshape(high, wide, 3)))
        self.drawing.add(Boxes("heat", Look(None, self.theme.outline, 0.8), np.array([box])))

    def _chosen_moves(self) -> dict[bool, np.ndarray]:
        """Return the moves to draw: winning moves with the key True, other moves with the key False.

        Each key has an array of shape (n, 2): for each move, the indices of its start and its end. Moves start at the
        tokens or, with the option ``around``, at the positions in it. If there are more than 500 moves, the key False
        is missing; if there are more than 500 winning moves, the key True is missing, too.
        """
        index_of = np.full(len(self.picture.graph), -1, np.int64)
        index_of[self.numbers] = np.arange(len(self.numbers))
        owner, option = self.picture.graph.option_rows.gather(self.numbers[self.starts])
        moves = np.stack([self.starts[owner], index_of[option]], axis=1)
        kinds = self.picture.kinds(self.numbers[moves[:, 0]], option)
        won = (kinds == style.TOKEN_WIN) | ((kinds == style.WIN) & bool(self.picture.centres))
        shown = moves[:, 1] >= 0
        by_win = {False: moves[shown & ~won], True: moves[shown & won]}
        while sum(map(len, by_win.values())) > _MOST_ARROWS:
            by_win.pop(min(by_win))
        return by_win

    def _moves(self) -> None:
        """Draw the moves of ``_chosen_moves``, winning moves last. Draw rings around the tokens and the centres.

        The centres are the positions in ``picture.options.around``.
        """
        for won, moves in self.moves.items():
            if len(moves):
                self._arrows(self.centres[moves], won)
        radius = max(0.42 * self.cell, 4)
        self.drawing.tokens(self.centres[self.tokens], radius, "#ffffff" if self.rough else None)
        self.drawing.centres(self.centres[self.middles], radius)

    def _arrows(self, ends: np.ndarray, won: bool) -> None:
        """Draw arrows from cell to cell, with gaps at both ends that leave the text in the cells free.

        ``ends`` has shape (n, 2, 2): for each arrow, the centres of its first and its last cell, in pixels. ``won`` is
        True for winning moves.
        """
        look = line_look(self.theme, style.TOKEN_WIN if won else style.MOVE, 0.7 if won else 1.2)
        along = ends[:, 1] - ends[:, 0]
        along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
        ends = ends + np.stack([0.42 * self.cell * along, -0.3 * self.cell * along], axis=1)
        heads = arrowheads(ends[:, 0], ends[:, 1], float(np.clip(0.3 * self.cell, 5, 12)) * (1.2 if won else 1))
        ends[:, 1] = (heads[:, 1] + heads[:, 2]) / 2
        kind = "token win" if won else "move"
        if won:
            # A green arrow on blue cells is hard to see, so put a rim of the paper's colour around it.
            rim = Look(None, self.theme.paper, look.width + 4)
            self.drawing.add(
                Paths("rim", rim, list(ends)), Paths("rim", Look(self.theme.paper, rim.stroke, 4), list(heads))
            )
        self.drawing.add(Paths(kind, look, list(ends)), Paths(kind, Look(look.stroke), list(heads)))
