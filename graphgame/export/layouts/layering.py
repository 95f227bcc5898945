"""Where the positions and moves of a layered drawing stand, and which moves it has room for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np

from graphgame.errors import LayoutError, plural
from graphgame.explanation.text import printable
from graphgame.export import style
from graphgame.export.layouts.canvas import text_width
from graphgame.export.layouts.furniture import Frame
from graphgame.export.layouts.levels import drawn_levels
from graphgame.export.layouts.ordering import Chains, chains, places
from graphgame.export.picture import GraphPicture
from graphgame.export.selection import PICTURE_A_PART

__all__ = ["GUTTER", "Arrangement", "Grid", "LayeredGraph", "grid_for", "layered"]

GUTTER = 46
"""Room beside the levels for what they are called."""

_STREAMS = 90_000
_INK = 0.22
_COSTS = {style.MOVE: 0.5, style.WIN: 2.0, style.TOKEN_WIN: 5.0}
_MOST_CERTAIN = 40
_NAMED_UP_TO = 150
_SIDES = (30, 26, 22, 19, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3)
_VALUES_FROM = 12
_APART = 1.35
_BEND = 6.0
_STRETCH = 2.5


class LayeredGraph(NamedTuple):
    """What is drawn: vertex numbers, their levels without gaps, moves by place among them, and what levels are."""

    numbers: np.ndarray
    level: np.ndarray
    names: np.ndarray
    source: np.ndarray
    target: np.ndarray
    kind: np.ndarray
    by: str


class Grid(NamedTuple):
    """How much room positions take: across a level, along play, whether play goes to the right, what is written."""

    broad: float
    long: float
    rightwards: bool
    words: str
    rows: np.ndarray
    along: np.ndarray


def layered(picture: GraphPicture) -> LayeredGraph:
    """Return what is drawn of a picture."""
    shown = picture.chosen
    numbers = np.arange(len(picture.graph)) if shown is None else np.flatnonzero(shown)
    found = drawn_levels(picture)
    own = found.array[numbers]
    names, level = np.unique(np.where(own < 0, own.max(initial=-1) + 1, own), return_inverse=True)
    names = np.where(np.isin(names, own), names, -1)
    blocks = list(picture.edges())
    source, target, kind = (
        np.concatenate([block[i] for block in blocks]) if blocks else np.zeros(0, np.int64) for i in range(3)
    )
    place = np.zeros(len(picture.graph), np.int64)
    place[numbers] = np.arange(len(numbers))
    return LayeredGraph(numbers, level, names, place[source], place[target], kind, found.name)


def _candidates(graph: LayeredGraph) -> np.ndarray:
    """Choose moves that may be drawn: those of the tokens, one winning move of each position, then the shortest."""
    span = np.abs(graph.level[graph.source] - graph.level[graph.target])
    wins = graph.kind == style.WIN
    rank = np.where(graph.kind == style.TOKEN_WIN, 0, 3 - wins)
    shortest = np.lexsort((span, graph.source, ~wins))
    first = shortest[np.flatnonzero(np.diff(graph.source[shortest], prepend=-1))]
    rank[first[wins[first]]] = 1
    order = np.lexsort((rank, span, rank > 1))
    most = _STREAMS * len(graph.names) / 1200
    order = order[: int(2 * most) + 1]  # each costs at least a half
    costs = _costs(4 * graph.target[order] + graph.kind[order], span[order])
    return np.sort(order[(np.cumsum(costs) <= most) | (rank[order] == 0)])


def _costs(streams: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return how much ink each move takes beyond those before it in its stream, in levels passed."""
    reached, costs = dict[int, int](), np.empty(len(streams))
    for place, (stream, span) in enumerate(zip(streams.tolist(), spans.tolist(), strict=True)):
        before = reached.get(stream, 0)
        costs[place] = max(span - before, 0) + 0.5
        reached[stream] = max(before, span)
    return costs


def grid_for(picture: GraphPicture, graph: LayeredGraph, frame: Frame) -> Grid:
    """Return the largest positions that fit, downwards or rightwards."""
    counts = np.bincount(graph.level)
    ways = (True,) if picture.options.left_to_right else (False, True)
    for wide, high, words in _sizes(picture, graph):
        for rightwards in ways:
            broad, long = (high, wide) if rightwards else (wide, high)
            across, along = (frame.height, frame.width) if rightwards else (frame.width, frame.height)
            cell = broad + max(3.0, 0.35 * broad if wide == high else 10)
            rows = -(-counts // int((across - GUTTER) / cell))
            thick = (rows - 1) * (long + 3) + long
            gap = max(0.8 * min(wide, high), 3.0)
            free = along - 24 * rightwards - float(thick.sum())
            if free >= gap * (len(counts) - 1):
                gap = min(free / max(len(counts) - 1, 1), 120)
                ends = np.cumsum(thick[::-1] + gap)
                return Grid(broad, long, rightwards, words, rows, ends - gap - thick[::-1])
    raise LayoutError(
        "{levels} with {positions} are too many for a page: layout='overview' (--layout "
        "overview) counts them, {picture_a_part} draws a part",
        plural(len(graph.names), "level"),
        plural(len(graph.numbers), "position"),
        PICTURE_A_PART,
    )


def _sizes(picture: GraphPicture, graph: LayeredGraph) -> Iterator[tuple[float, float, str]]:
    """Yield widths and heights of positions, the largest first, and what they have room for."""
    options = picture.options
    if options.names and len(graph.numbers) <= _NAMED_UP_TO:
        names = map(printable, picture.graph.labels.take(graph.numbers), repeat(24))
        times = map(picture.times, graph.numbers.tolist())
        wide = max((text_width(name + count, 11) for name, count in zip(names, times, strict=True)), default=0) + 18
        yield max(wide, 36), 30 if picture.outcome is not None else 20, "names"
    yield from ((side, side, "values" if side >= _VALUES_FROM and options.values else "") for side in _SIDES)


def _stretched(across: np.ndarray, half: float, room: float) -> np.ndarray:
    """Let a narrow drawing take more of the room, in the middle of it."""
    low, high = (float(across.min()), float(across.max())) if len(across) else (0.0, 0.0)
    factor = min((room - 2 * half) / max(high - low, 1e-9), _STRETCH)
    return room / 2 + (across - (low + high) / 2) * max(factor, 1)


class Arrangement:
    """Positions as points on the page, and moves as curves.

    Attributes
    ----------
    points : ndarray of float, shape (positions, 2)
    curves : list of (int, ndarray)
        The number of a move, and its curve: from its start to its end, or to where it joins another that has the
        same end.
    """

    def __init__(self, graph: LayeredGraph, grid: Grid, frame: Frame) -> None:
        self.graph = graph
        self.grid = grid
        self.frame = frame
        self.side = min(grid.broad, grid.long)
        self.line = min(max(self.side / 20, 0.45), 1.2)
        moves = _candidates(graph)
        source, target = graph.source[moves], graph.target[moves]
        back = graph.level[source] < graph.level[target]
        self._ends = np.where(back, target, source), np.where(back, source, target)
        self._chains = chains(graph.level, *self._ends, graph.kind[moves])
        points = self._placed(self._chains)
        self.points = points[: len(graph.level)]
        self.curves = list(self._drawn(moves, points))

    def _placed(self, found: Chains) -> np.ndarray:
        """Return where positions stand and moves bend."""
        graph, grid, positions = self.graph, self.grid, len(self.graph.level)
        room = (self.frame.height - 24 if grid.rightwards else self.frame.width - GUTTER) - 4
        counts, bends = (np.bincount(part, minlength=len(graph.names)) for part in np.split(found.level, [positions]))
        cell = (grid.broad + 3) / np.maximum(grid.rows, 1)
        free = np.maximum(room - counts * cell, 0)
        cell = np.minimum(cell + free / np.maximum(counts, 1) * (bends == 0), cell * _APART)
        bend = np.minimum((room - counts * cell).clip(0) / np.maximum(bends, 1), _BEND)
        widths = np.concatenate([cell[graph.level], bend[found.level[positions:]]])
        across = _stretched(places(found, widths, room, positions), grid.broad / 2, room)
        along = grid.along[len(graph.names) - 1 - found.level] + grid.long / 2
        along[:positions] += self._rows(across[:positions]) * (grid.long + 3)
        along[positions:] += (grid.rows[found.level[positions:]] - 1) * (grid.long + 3) / 2
        return self._on_page(across, along)

    def _rows(self, across: np.ndarray) -> np.ndarray:
        """Return in which row of its level each position stands: neighbours in turn, so that all have room."""
        level = self.graph.level
        order = np.lexsort((across, level))
        place = np.empty(len(level), np.int64)
        place[order] = np.arange(len(level)) - np.searchsorted(level[order], level[order])
        rows: np.ndarray = place % self.grid.rows[level]
        return rows

    def _on_page(self, across: np.ndarray, along: np.ndarray) -> np.ndarray:
        frame = self.frame
        if self.grid.rightwards:
            return np.stack([frame.left + along, frame.top + across], axis=1)
        return np.stack([frame.left + GUTTER + across, frame.top + along], axis=1)

    def _drawn(self, moves: np.ndarray, points: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Yield moves and their curves as long as there is ink: those that tell most first."""
        lines, seen = self._chains, set[int]()
        first, upper, lower = lines.first.tolist(), *(side.tolist() for side in self._ends)
        last = [*first[1:], len(lines.upper)]
        ink, certain = _INK * self.frame.width * self.frame.height / self.line, _MOST_CERTAIN
        for move in self._ranked(moves):
            start, end = first[move], last[move]
            if start == end:
                curve = self._arc(points[upper[move]], points[lower[move]])
            else:
                through = [upper[move], *lines.lower[start:end].tolist()]
                joined = next((place for place, point in enumerate(through) if point in seen), len(through) - 1)
                curve = self._curve(points[through[: joined + 1]])
            kind = int(self.graph.kind[moves[move]])
            cost = _COSTS.get(kind, 1.0) * float(np.hypot(*np.diff(curve, axis=0).T).sum())
            needed = kind == style.TOKEN_WIN and certain > 0
            if cost <= ink or needed:
                ink -= cost
                certain -= needed
                seen.update(through[1:-1] if start < end else ())
                yield int(moves[move]), curve

    def _ranked(self, moves: np.ndarray) -> list[int]:
        """Return the places of moves in the order in which they are drawn."""
        graph, (upper, lower) = self.graph, self._ends
        length = np.hypot(*(self.points[upper] - self.points[lower]).T)
        kind, source = graph.kind[moves], graph.source[moves]
        wins = kind == style.WIN
        nearest = np.lexsort((length, source, ~wins))
        first = nearest[np.flatnonzero(np.diff(source[nearest], prepend=-1))]
        rank = np.full(len(moves), 2)
        rank[first[wins[first]]] = 1
        rank[kind == style.TOKEN_WIN] = 0
        order: list[int] = np.lexsort((length, rank)).tolist()
        return order

    def _curve(self, points: np.ndarray) -> np.ndarray:
        """Return a smooth curve through points; those on a straight line along play are passed over."""
        cross = points[:, 1 if self.grid.rightwards else 0]
        straight = np.zeros(len(points), np.bool_)
        straight[1:-1] = (np.abs(np.diff(cross[:-1])) < 0.3) & (np.abs(np.diff(cross[1:])) < 0.3)
        points = points[~straight]
        axis = 0 if self.grid.rightwards else 1
        before, after = points[:-1].copy(), points[1:].copy()
        before[:, axis] = after[:, axis] = (points[:-1, axis] + points[1:, axis]) / 2
        return np.vstack([points[:1], np.stack([before, after, points[1:]], axis=1).reshape(-1, 2)])

    def _arc(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return a curve between two positions of a level, or from one to itself."""
        bulge = np.array([0.0, -1.0]) if not self.grid.rightwards else np.array([-1.0, 0.0])
        far = bulge * (0.7 * self.side + 0.08 * float(np.hypot(*(end - start))))
        aside = bulge[::-1] * self.side * 0.8 * bool((start == end).all())
        return np.stack([start, start + far - aside, end + far + aside, end])
