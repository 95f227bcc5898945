"""Drawings of up to 20,000 positions in layers, one for each level. The caption says what is not shown.

A move gets a bend in each level that it passes, so that every line leads from one level to the next. Moves of the same
kind with the same lower end share their bends. Sweeps up and down sort each level by the coordinates of its neighbours
in the levels above and below. Isotonic regression then sets the coordinates in the level: as near to the neighbours as
possible, in this order and without overlap.

References
----------
K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system structures, IEEE Transactions
on Systems, Man, and Cybernetics 11 (1981).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat
from typing import NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, runner
from graphgame.drawing import style
from graphgame.drawing.captions import meaning, size_words
from graphgame.drawing.picture import PICTURE_A_PART, GraphPicture
from graphgame.errors import LayoutError, LimitError, Message, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.rows import Rows
from graphgame.labs.backend.search import Breadth, Depth, sort
from graphgame.labs.layouts.page import Canvas, Frame, Legend, Letters, line_look, new_page, text_width
from graphgame.labs.layouts.shapes import Discs, Look, Paths
from graphgame.solution.solve import LoopySolution
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import printable


class Levels(NamedTuple):
    """The level of each vertex (-1 if it has none), and the name of what the level measures, such as "longest play"."""

    array: np.ndarray
    name: str


class _Rows(NamedTuple):
    """A directed graph for the searches of the lab ``backend``, which read only these attributes."""

    labels: Labels
    successor_rows: Rows
    predecessor_rows: Rows


def levels(picture: GraphPicture, *, opened: bool = False) -> Levels:
    """Return the level of each vertex.

    In a graph without cycles, the level is the length of the longest play. If this is unknown, it is the length of the
    longest path to a terminal position. In a graph with cycles, the level is the remoteness. If this is unknown, it is
    the length of the shortest path to a terminal position. The longest play and the remoteness are unknown if the game
    is not solved, or if they are too large to compute.

    ``opened`` changes the level in graphs with cycles: it is the length of the longest path after the back edges of a
    depth-first search are removed. Then few moves lead to a higher level.
    """
    longest = picture.longest_plays()
    if longest is not None:
        return Levels(longest, Message("longest play"))
    if isinstance(picture.solution, LoopySolution) and not opened:
        with suppress(LimitError):
            return Levels(picture.solution.remoteness.array, "remoteness")
    return _ways_down(picture.graph) or (_opened if opened else _ways_out)(picture.graph)


def _ways_down(graph: GameGraph) -> Levels | None:
    """Return the lengths of the longest paths to a terminal position; None if there is a cycle."""
    order, ends = sort(_Rows(as_labels(len(graph)), graph.predecessor_rows, graph.option_rows))
    if len(order) < len(graph):
        return None
    array = np.empty(len(graph), np.int64)
    array[order] = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    return Levels(array, Message("longest path to a terminal position"))


def _ways_out(graph: GameGraph) -> Levels:
    """Return the lengths of the shortest paths to a terminal position; -1 if there is no path."""
    stops = np.flatnonzero(graph.option_rows.lengths() == 0).tolist()
    search = Breadth(graph.predecessor_rows, as_labels(len(graph)), stops)
    array = np.full(len(graph), -1, np.int64)
    array[stops] = 0
    reached = np.array(search.nodes(search.to(None)), np.int64)
    array[reached] = search.depths()[len(stops) :]
    return Levels(array, Message("shortest path to a terminal position"))


def _opened(graph: GameGraph) -> Levels:
    """Return the lengths of the longest paths after the back edges of a depth-first search are removed."""
    search = Depth(_Rows(as_labels(len(graph)), graph.option_rows, graph.predecessor_rows), None, None)
    # A depth-first search finishes the target of an edge before its source, unless the edge is a back edge.
    finished = np.empty(len(graph), np.int64)
    finished[search.postorder()] = np.arange(len(graph))
    source, target = graph.option_rows.row_indices(), graph.option_rows.indices
    onwards = finished[target] < finished[source]
    down = _ways_down(GameGraph.from_arrays(source[onwards], target[onwards], len(graph)))
    assert down is not None
    return Levels(down.array, Message("longest path without the moves that lead back up"))


_SWEEPS = 12
_BEND_WEIGHT = 4.0
"""How strongly a bend stays near its neighbours when a level is laid out. The weight of a position is 1."""


class Chains(NamedTuple):
    """Moves as chains of lines between points. The points are the positions in their order, then the moves' bends.

    Attributes
    ----------
    level : ndarray of int, shape (points,)
        The level of each point.
    upper, lower : ndarray of int, shape (lines,)
        The upper and the lower end of each line, one level apart. The lines of a move are consecutive.
    first : ndarray of int, shape (moves,)
        The index of the first line of each move.
    """

    level: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    first: np.ndarray


def chains(level: np.ndarray, source: np.ndarray, target: np.ndarray, kind: np.ndarray) -> Chains:
    """Cut moves into lines, each from a level to the one below it, with bends in between.

    ``level`` has the level of each position; the other arrays have an entry for each move. ``kind`` is an index into
    ``style.KINDS``. No move may lead to a higher level, and a move within a level gets no line. Moves of the same kind
    to the same position share their bends, so that they merge.
    """
    # A move that drops by d levels becomes d lines; ``step`` numbers the lines of each move from its start. A stream is
    # all moves of the same kind to the same position.
    drop = level[source] - level[target]
    first = np.cumsum(drop) - drop
    move = np.repeat(np.arange(len(source)), drop)
    step = np.arange(len(move)) - first[move]
    stream = target * (int(kind.max(initial=0)) + 1) + kind
    levels = int(level.max(initial=0)) + 1
    passed = level[source][move] - step
    # All moves of a stream that pass a level share one bend there: a key for each pair of a stream and a level.
    bends, bend = np.unique((stream[move] * levels + passed)[step > 0], return_inverse=True)
    upper, lower = source[move], target[move]
    # Each line but the first of a move starts at a bend, and the line before it ends there.
    upper[step > 0] = len(level) + bend
    lower[np.flatnonzero(step > 0) - 1] = len(level) + bend
    return Chains(np.append(level, bends % levels), upper, lower, first)


def places(chains: Chains, widths: np.ndarray, room: float, positions: int) -> np.ndarray:
    """Return the coordinate of each point within its level, from 0 to ``room``.

    Parameters
    ----------
    chains : Chains
    widths : ndarray of float, shape (points,)
        The width that each point takes. The total for each level must not exceed ``room``.
    room : float
        The length of every level on the page.
    positions : int
        The number of points that are positions; all other points are bends.

    Notes
    -----
    The time is O(points log points + lines) for each of a dozen sweeps.
    """
    # Bends weigh more than positions, so that long lines stay straight and positions move aside.
    weights = np.where(np.arange(len(chains.level)) < positions, 1.0, _BEND_WEIGHT)
    upper, lower = np.unique(np.stack([chains.upper, chains.lower]), axis=1)
    above, below = _neighbours(lower, upper, len(weights)), _neighbours(upper, lower, len(weights))
    order = np.argsort(chains.level, kind="stable")
    by_level = np.split(order, np.flatnonzero(np.diff(chains.level[order])) + 1)
    x = np.zeros(len(chains.level))
    for numbers in by_level:
        x[numbers] = _spread(
            np.arange(len(numbers)) * (room / max(len(numbers), 1)), widths[numbers], weights[numbers], room
        )
    # A sweep can make the drawing worse, so keep the coordinates with the shortest lines.
    best, shortest = x, np.inf
    for sweep in range(_SWEEPS):
        # The first half of the sweeps sorts each level by one of its two neighbouring levels, the second half by both.
        sides = [(above, below), (below, above)][sweep % 2][: 1 + (sweep >= _SWEEPS // 2)]
        for numbers in by_level[::-1] if sweep % 2 == 0 else by_level:
            wanted = _mean(x, numbers, *sides)
            order = np.argsort(wanted, kind="stable")
            numbers = numbers[order]
            x[numbers] = _spread(wanted[order], widths[numbers], weights[numbers], room)
        length = float(np.abs(x[upper] - x[lower]).sum())
        if length < shortest:
            best, shortest = x.copy(), length
    return best


def _neighbours(begins: np.ndarray, ends: np.ndarray, points: int) -> Rows:
    """Return for each point all entries ``ends[i]`` for which ``begins[i]`` is this point."""
    order = np.argsort(begins, kind="stable")
    return Rows(np.searchsorted(begins[order], np.arange(points + 1)), ends[order])


def _mean(x: np.ndarray, numbers: np.ndarray, *neighbours: Rows) -> np.ndarray:
    """Return the mean coordinate of the neighbours of each point in ``numbers``.

    A point without neighbours keeps its own coordinate. ``x`` has the coordinates of all points, and ``neighbours``
    their neighbours: those above, those below, or both.
    """
    total, count = np.zeros((2, len(numbers)))
    for rows in neighbours:
        owner, ends = rows.gather(numbers)
        total += np.bincount(owner, x[ends], len(numbers))
        count += np.bincount(owner, minlength=len(numbers))
    mean: np.ndarray = np.where(count > 0, total / np.maximum(count, 1), x[numbers])
    return mean


def _spread(wanted: np.ndarray, widths: np.ndarray, weights: np.ndarray, room: float) -> np.ndarray:
    """Return the centres of intervals without overlap, in the order of ``wanted`` and as near to it as possible.

    The intervals have these ``widths`` and lie within 0..room, unless the sum of ``widths`` is larger than ``room``.
    The larger the weight of an interval, the nearer its centre is to the wanted one.
    """
    # Subtract from each coordinate the widths before it. Then "no overlap" means "never decreasing", and the nearest
    # coordinates are those of isotonic regression.
    offsets = np.cumsum(widths) - widths / 2
    fitted = np.array(wanted - offsets, np.float64)
    means, totals, sizes = np.empty((3, len(wanted)))
    runner(_isotonic, len(wanted))(fitted, np.array(weights, np.float64), means, totals, sizes)
    return np.clip(fitted, 0, max(room - float(widths.sum()), 0)) + offsets


@compiled
def _isotonic(values: Array, weights: Array, means: Array, totals: Array, sizes: Array) -> None:
    """Replace ``values`` by the nearest sequence that never decreases (weighted least squares).

    ``weights`` has the weight of each value. The last three arrays are working memory: the mean, the total weight and
    the size of each block.
    """
    # Pool adjacent violators. Invariant: each block's mean is the mean of its values, and the means never decrease.
    blocks = 0
    for i in range(len(values)):
        mean = values[i]
        total = weights[i]
        size = 1.0
        # Merge the new value with the blocks before it whose mean is larger. Each block is merged only once, so all
        # this takes O(n) time.
        while blocks > 0 and means[blocks - 1] > mean:
            blocks -= 1
            mean = (mean * total + means[blocks] * totals[blocks]) / (total + totals[blocks])
            total += totals[blocks]
            size += sizes[blocks]
        means[blocks] = mean
        totals[blocks] = total
        sizes[blocks] = size
        blocks += 1
    end = 0
    for block in range(blocks):
        start = end
        end = start + int(sizes[block])
        for i in range(start, end):
            values[i] = means[block]


GUTTER = 46
"""The width, in pixels, of the strip beside the levels that has their names."""

_MOST_PASSED = 75
"""The average number of moves that may pass a level: this limits how many moves are laid out."""

_INK = 0.22
"""Moves are drawn until their lines cover this share of the page's area."""

_COSTS = {style.MOVE: 0.5, style.WIN: 2.0, style.TOKEN_WIN: 5.0}
"""Kind of move -> the factor by which its line counts for ``_INK``; 1 for other kinds. Plain moves are faint: 0.5."""

_MOST_CERTAIN = 40
"""This many winning moves of tokens are drawn even if lines already cover the share ``_INK`` of the page."""

_NAMED_UP_TO = 150
"""Maximum number of positions of a drawing that shows their names."""

_SIDES = (30, 26, 22, 19, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3)
"""The sizes of positions without names, in pixels; the largest that fits is used."""

_VALUES_FROM = 12
"""A position shows its value if its side has at least this many pixels."""

_APART = 1.35
"""On a level without bends, a position takes at most this many times its own width."""

_BEND = 6.0
"""The maximum room, in pixels, that a level leaves for each line that passes it."""

_STRETCH = 2.5
"""The largest factor by which a narrow drawing is stretched across the page."""


class LayeredGraph(NamedTuple):
    """The part of a graph that is drawn.

    ``numbers`` are its vertices, and ``level`` their levels, renumbered without gaps. ``names`` has the original
    number of each level. ``source``, ``target`` and ``kind`` are the moves; the first two are indices into ``numbers``.
    ``by`` is the name of what the level measures.
    """

    numbers: np.ndarray
    level: np.ndarray
    names: np.ndarray
    source: np.ndarray
    target: np.ndarray
    kind: np.ndarray
    by: str


class Grid(NamedTuple):
    """The sizes on the page, in pixels.

    ``rightwards`` is True if play goes to the right, and False if it goes down. ``long`` is the size of a position in
    the direction of play, and ``broad`` its size across it. ``words`` is what is written in positions: "names",
    "values" or "". ``rows`` has the number of rows that each level fills. ``along`` has the coordinate, in the
    direction of play, at which each level starts; the highest level comes first.
    """

    broad: float
    long: float
    rightwards: bool
    words: str
    rows: np.ndarray
    along: np.ndarray


def layered(picture: GraphPicture) -> LayeredGraph:
    """Return the part of the graph that a picture shows, with levels."""
    numbers = np.flatnonzero(picture.shown)
    array, by = levels(picture, opened=True)
    names, level = np.unique(array[numbers], return_inverse=True)
    blocks = list(picture.edges())
    source, target, kind = (
        np.concatenate([block[i] for block in blocks]) if blocks else np.zeros(0, np.int64) for i in range(3)
    )
    index_of = np.zeros(len(picture.graph), np.int64)
    index_of[numbers] = np.arange(len(numbers))
    return LayeredGraph(numbers, level, names, index_of[source], index_of[target], kind, by)


def _candidates(graph: LayeredGraph) -> np.ndarray:
    """Return the indices of the moves to lay out, in increasing order.

    All winning moves of tokens are laid out. Other moves are added until the sum of the :func:`_costs` reaches a limit:
    first the shortest winning move of each position, then the remaining moves. Both times, short moves come first. The
    length of a move is the difference between the levels of its ends.
    """
    span = np.abs(graph.level[graph.source] - graph.level[graph.target])
    rank = _ranks(graph.kind, graph.source, span)
    order = np.lexsort((rank, span, rank > 1))
    limit = _MOST_PASSED * len(graph.names)
    # Each move adds at least 0.5 to the cost, so the limit lets at most 2 * limit moves (besides rank 0) through.
    order = order[(np.arange(len(order)) <= 2 * limit) | (rank[order] == 0)]
    costs = _costs(4 * graph.target[order] + graph.kind[order], span[order])
    return np.sort(order[(np.cumsum(costs) <= limit) | (rank[order] == 0)])


def _ranks(kind: np.ndarray, source: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Return the rank of each move: 0 for "token win", 1 for the shortest "win" from each source.

    Every other "win" has rank 2, and moves of other kinds have rank 3. ``kind`` has the kind of each move, as an index
    into ``style.KINDS``. ``length`` has the length of each move, in any unit.
    """
    wins = kind == style.WIN
    rank: np.ndarray = np.where(kind == style.TOKEN_WIN, 0, 3 - wins)
    shortest = np.lexsort((length, source, ~wins))
    first = shortest[np.flatnonzero(np.diff(source[shortest], prepend=-1))]
    rank[first[wins[first]]] = 1
    return rank


def _costs(streams: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return the cost of each move: 0.5, plus its length beyond the longest earlier move of its stream.

    A stream is all moves of the same kind to the same position: they share their bends. The first move of a stream
    costs 0.5 plus its length; a move that is not longer than an earlier one costs 0.5. ``streams`` has the number of
    each move's stream. ``spans`` has the length of each move: the difference between the levels of its ends.
    """
    longest, costs = dict[int, int](), np.empty(len(streams))
    for index, (stream, span) in enumerate(zip(streams.tolist(), spans.tolist(), strict=True)):
        before = longest.get(stream, 0)
        costs[index] = max(span - before, 0) + 0.5
        longest[stream] = max(before, span)
    return costs


def grid_for(picture: GraphPicture, graph: LayeredGraph, frame: Frame) -> Grid:
    """Return the sizes with the largest positions that fit on the page, with play downwards or to the right.

    Raise LayoutError if not even the smallest positions fit.
    """
    counts = np.bincount(graph.level)
    directions = (True,) if picture.options.left_to_right else (False, True)
    for wide, high, words in _sizes(picture, graph):
        for rightwards in directions:
            broad, long = (high, wide) if rightwards else (wide, high)
            across, along = (frame.height, frame.width) if rightwards else (frame.width, frame.height)
            cell = broad + max(3.0, 0.35 * broad if wide == high else 10)
            # A level that is wider than the page is broken into several rows.
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
        "overview) counts them; {picture_a_part} draws a part",
        plural(len(graph.names), "level"),
        plural(len(graph.numbers), "position"),
        PICTURE_A_PART,
    )


def _sizes(picture: GraphPicture, graph: LayeredGraph) -> Iterator[tuple[float, float, str]]:
    """Yield possible sizes of positions, the largest first: width, height, and "names", "values" or "".

    The text says what is written in the positions.
    """
    options = picture.options
    if options.names and len(graph.numbers) <= _NAMED_UP_TO:
        names = map(printable, picture.graph.labels.take(graph.numbers), repeat(_LONGEST_NAME))
        times = map(picture.times, graph.numbers.tolist())
        wide = max((text_width(name + count, 11) for name, count in zip(names, times, strict=True)), default=0) + 18
        yield max(wide, 36), 30 if picture.outcome is not None else 20, "names"
    yield from ((side, side, "values" if side >= _VALUES_FROM and options.values else "") for side in _SIDES)


class Arrangement:
    """Where positions and moves are drawn on the page.

    Attributes
    ----------
    points : ndarray of float, shape (positions, 2)
        The centre of each position.
    curves : list of (int, ndarray)
        The moves that are drawn, as indices into the moves of the graph, each with its Bézier curve. A curve runs
        from the higher position to the lower one. It may stop at a bend, where it joins another curve to the lower
        position.
    """

    def __init__(self, picture: GraphPicture, graph: LayeredGraph, frame: Frame) -> None:
        self.picture = picture
        self.graph = graph
        self.grid = grid = grid_for(picture, graph, frame)
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

    def draw(self, drawing: Canvas) -> None:
        """Draw moves, names of levels, positions, and tokens."""
        self._moves(drawing)
        self._levels(drawing)
        self._positions(drawing)
        self._tokens(drawing)

    def _placed(self, lines: Chains) -> np.ndarray:
        """Return the coordinates (x, y) of all points: the positions, and the bends of moves."""
        graph, grid, positions = self.graph, self.grid, len(self.graph.level)
        room = (self.frame.height - 24 if grid.rightwards else self.frame.width - GUTTER) - 4
        counts, bends = (np.bincount(part, minlength=len(graph.names)) for part in np.split(lines.level, [positions]))
        cell = (grid.broad + 3) / np.maximum(grid.rows, 1)
        # On a level without bends, the positions get extra space. On other levels they get none, to leave room for the
        # bends.
        free = np.maximum(room - counts * cell, 0)
        cell = np.minimum(cell + free / np.maximum(counts, 1) * (bends == 0), cell * _APART)
        bend = np.minimum((room - counts * cell).clip(0) / np.maximum(bends, 1), _BEND)
        widths = np.concatenate([cell[graph.level], bend[lines.level[positions:]]])
        across = places(lines, widths, room, positions)
        # Centre the drawing and, if it is narrow, stretch it, as long as positions stay inside the room.
        low, high = (float(across.min()), float(across.max())) if len(across) else (0.0, 0.0)
        factor = min((room - grid.broad) / max(high - low, 1e-9), _STRETCH)
        across = room / 2 + (across - (low + high) / 2) * max(factor, 1)
        along = grid.along[len(graph.names) - 1 - lines.level] + grid.long / 2
        along[:positions] += self._rows(across[:positions]) * (grid.long + 3)
        along[positions:] += (grid.rows[lines.level[positions:]] - 1) * (grid.long + 3) / 2
        frame = self.frame
        if grid.rightwards:
            return np.stack([frame.left + along, frame.top + across], axis=1)
        return np.stack([frame.left + GUTTER + across, frame.top + along], axis=1)

    def _rows(self, across: np.ndarray) -> np.ndarray:
        """Return the row of each position within its level, given the positions' coordinates along their levels.

        In the order of these coordinates, positions go to rows 0, 1, ..., and after the last row to row 0 again.
        """
        level = self.graph.level
        order = np.lexsort((across, level))
        index_in_level = np.empty(len(level), np.int64)
        index_in_level[order] = np.arange(len(level)) - np.searchsorted(level[order], level[order])
        rows: np.ndarray = index_in_level % self.grid.rows[level]
        return rows

    def _drawn(self, moves: np.ndarray, points: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Yield (index of a move in the moves of the graph, its curve), the most important moves first.

        Leave out a move if, with its line, the lines would cover more than the share ``_INK`` of the page. But
        always yield the first 40 winning moves of tokens. ``moves`` are the moves that have chains, as indices into the
        moves of the graph; ``points`` has the coordinates of all points.
        """
        lines, drawn_bends = self._chains, set[int]()
        first, upper, lower = lines.first.tolist(), *(side.tolist() for side in self._ends)
        last = [*first[1:], len(lines.upper)]
        ink, certain = _INK * self.frame.width * self.frame.height / self.line, _MOST_CERTAIN
        for move in self._ranked(moves):
            start, end = first[move], last[move]
            if start == end:
                curve = self._arc(points[upper[move]], points[lower[move]])
            else:
                through = [upper[move], *lines.lower[start:end].tolist()]
                # Draw the curve only up to the first bend on a drawn curve: from there on, both curves are the same.
                joined = next((i for i, point in enumerate(through) if point in drawn_bends), len(through) - 1)
                curve = self._curve(points[through[: joined + 1]])
            kind = int(self.graph.kind[moves[move]])
            cost = _COSTS.get(kind, 1.0) * float(np.hypot(*np.diff(curve, axis=0).T).sum())
            needed = kind == style.TOKEN_WIN and certain > 0
            if cost <= ink or needed:
                ink -= cost
                certain -= needed
                drawn_bends.update(through[1:-1] if start < end else ())
                yield int(moves[move]), curve

    def _ranked(self, moves: np.ndarray) -> list[int]:
        """Return indices into ``moves`` in drawing order: by rank (:func:`_ranks`; 3 counts as 2), then by length.

        Shorter moves come first. The length of a move is the distance on the page between the positions at its ends.
        """
        graph, (upper, lower) = self.graph, self._ends
        length = np.hypot(*(self.points[upper] - self.points[lower]).T)
        rank = _ranks(graph.kind[moves], graph.source[moves], length)
        order: list[int] = np.lexsort((length, rank.clip(max=2))).tolist()
        return order

    def _curve(self, points: np.ndarray) -> np.ndarray:
        """Return a smooth Bézier curve through points.

        Leave out a point between two lines that both run straight in the direction of play (down or to the right).
        """
        cross = points[:, 1 if self.grid.rightwards else 0]
        straight = np.zeros(len(points), np.bool_)
        straight[1:-1] = (np.abs(np.diff(cross[:-1])) < 0.3) & (np.abs(np.diff(cross[1:])) < 0.3)
        points = points[~straight]
        axis = 0 if self.grid.rightwards else 1
        before, after = points[:-1].copy(), points[1:].copy()
        before[:, axis] = after[:, axis] = (points[:-1, axis] + points[1:, axis]) / 2
        return np.vstack([points[:1], np.stack([before, after, points[1:]], axis=1).reshape(-1, 2)])

    def _arc(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return a Bézier curve between two positions of the same level, or from a position to itself."""
        bulge = np.array([0.0, -1.0]) if not self.grid.rightwards else np.array([-1.0, 0.0])
        far = bulge * (0.7 * self.side + 0.08 * float(np.hypot(*(end - start))))
        aside = bulge[::-1] * self.side * 0.8 * bool((start == end).all())
        return np.stack([start, start + far - aside, end + far + aside, end])

    def _moves(self, drawing: Canvas) -> None:
        """Draw the moves: parts of sums first, then plain moves, winning moves, and winning moves of tokens on top."""
        graph, curves = self.graph, self.curves
        opacity = 0.55 if len(curves) > _FAINT_FROM else 0.9
        back = graph.level[graph.source] < graph.level[graph.target]
        for kind in (style.PART, style.MOVE, style.WIN, style.TOKEN_WIN):
            for up in (False, True):
                shown = [curve for move, curve in curves if graph.kind[move] == kind and back[move] == up]
                look = line_look(self.picture.theme, kind, self.line)
                look = look._replace(opacity=opacity if kind == style.MOVE else 1, dashed=look.dashed or up)
                if shown:
                    drawing.add(Paths("back" if up else style.KINDS[kind], look, shown, curved=True))

    def _levels(self, drawing: Canvas) -> None:
        """Write the names of as many levels as there is room for."""
        grid, last = self.grid, -np.inf
        middles = grid.along + (grid.rows[::-1] * (grid.long + 3) - 3) / 2
        for name, middle in zip(self.graph.names[::-1].tolist(), middles.tolist(), strict=True):
            words = f"{name:,}"
            if middle - last < (text_width(words, 11) + 6 if grid.rightwards else 14):
                continue
            last = middle
            x, y, anchor = self.frame.left, self.frame.top + middle, "start"
            if grid.rightwards:
                x, y, anchor = self.frame.left + middle, self.frame.bottom - 8, "middle"
            drawing.write("level", words, x, y, Letters(11, anchor))

    def _positions(self, drawing: Canvas) -> None:
        """Draw the positions, with their names or values if there is room."""
        graph, picture, grid = self.graph, self.picture, self.grid
        outcome, sums = picture.marks(graph.numbers), ~picture.positions[graph.numbers]
        texts = zip(graph.numbers.tolist(), picture.graph.labels.take(graph.numbers), strict=True)
        labels = [f"{printable(label, _LONGEST_NAME)} {picture.times(v)}".rstrip() for v, label in texts]
        values = picture.value_texts(graph.numbers)
        named = grid.words == "names"
        wide, high = (grid.long, grid.broad) if grid.rightwards else (grid.broad, grid.long)
        room = wide if named else None
        for mark in "-PND":
            for dashed in (False, True):
                shown = np.flatnonzero((outcome == mark) & (sums == dashed))
                if len(shown):
                    hints = [f"{labels[v]}: {mark} {values[v]}".removesuffix(": - ") for v in shown.tolist()]
                    drawing.marks(mark, self.points[shown], high, hints, wide=room, dashed=dashed)
        if not grid.words:
            return
        ink = {mark: style.ink_on(self.picture.theme.color_of(mark)) for mark in "-PND"}
        rows = zip(graph.numbers.tolist(), self.points.tolist(), labels, outcome.tolist(), values, strict=True)
        for v, (x, y), label, mark, value in rows:
            if named:
                line = 0 if mark == "-" else 6
                drawing.write("name", label, x, y - line, Letters(11, "middle", ink[mark]))
                if line:
                    words = f"{mark} {value}" if picture.options.values else mark
                    drawing.write("value", words, x, y + 7, Letters(10, "middle", ink[mark], bold=True))
            elif text_width(value, 0.6 * high) <= high:
                drawing.write("value", value, x, y, Letters(0.6 * high, "middle", ink[mark]))
                if (times := picture.times(v)) and high >= _TIMES_FROM:
                    drawing.write(
                        "times", times, x + 0.55 * high, y - 0.4 * high, Letters(0.4 * high, "start", halo=True)
                    )

    def _tokens(self, drawing: Canvas) -> None:
        """Mark the tokens, and the centres, which are the positions in ``picture.options.around``.

        If all positions already contain their names, draw a small sign at the left edge of each token and centre.
        Otherwise draw a ring around each token, and write the names of tokens and centres next to them.
        """
        picture, index_of = self.picture, {int(v): i for i, v in enumerate(self.graph.numbers)}
        tokens = [v for v in map(picture.graph.number_of, picture.tokens or ()) if v in index_of]
        radius = 0.75 * self.side + 2
        if tokens and self.grid.words != "names":
            radius = min(radius, *(self._room(index_of[v]) for v in tokens))
            centres = self.points[[index_of[v] for v in tokens]]
            drawing.tokens(centres, radius)
        for v in dict.fromkeys([*tokens, *(v for v in picture.centres if v in index_of)]):
            x, y = self.points[index_of[v]].tolist()
            self._mark(drawing, v, x, y, radius)

    def _mark(self, drawing: Canvas, vertex: int, x: float, y: float, radius: float) -> None:
        """Write the name of a token or a centre beside, above or below it, where the fewest positions are covered.

        ``x`` and ``y`` are the middle of the position, and ``radius`` is the radius of a ring that the name must not
        touch. If all positions already contain their names, draw only a small sign at the left edge of this position:
        a disc for a token, ``style.CENTRE`` for a centre.
        """
        sign = f"{style.CENTRE} " * (vertex in self.picture.centres)
        if self.grid.words == "names":
            wide = (self.grid.long if self.grid.rightwards else self.grid.broad) / 2
            if vertex not in self.picture.centres:
                drawing.add(
                    Discs("token", Look("#ffffff", self.picture.theme.token, 2.5), np.array([[x - wide, y]]), 6)
                )
            else:
                drawing.write("name", sign, x - wide, y, Letters(15, "end", halo=True))
            return
        name = sign + printable(self.picture.graph.labels[vertex], _LONGEST_NAME)
        wide, frame = text_width(name, 13) + 4, self.frame
        spots = [(x + radius + 4, y, "start"), (x - radius - 4, y, "end")]
        middle = float(np.clip(x, frame.left + wide / 2, frame.right - wide / 2))
        spots += [(middle, y + away, "middle") for away in (-radius - 10, radius + 10)]
        lefts = [across - wide * {"start": 0, "end": 1, "middle": 0.5}[anchor] for across, _, anchor in spots]
        covered = [
            np.inf
            if left < frame.left - 1 or left + wide > frame.right + 1 or down < frame.top
            else self._covered(left, down, wide, vertex)
            for left, (_, down, _) in zip(lefts, spots, strict=True)
        ]
        across, down, anchor = spots[int(np.argmin(covered))]
        drawing.write("name", name, across, down, Letters(13, anchor, bold=True, halo=True))

    def _covered(self, left: float, middle: float, wide: float, vertex: int) -> int:
        """Return the number of positions other than ``vertex`` that a name would cover.

        The name starts at x = ``left``, is ``wide`` pixels wide, and has its middle at y = ``middle``.
        """
        x, y = self.points.T
        margin = self.side / 2 + 1
        inside = (x > left - margin) & (x < left + wide + margin) & (np.abs(y - middle) < 8 + margin)
        return int(np.count_nonzero(inside & (self.graph.numbers != vertex)))

    def _room(self, index: int) -> float:
        """Return the largest radius of a ring around a position, given by index, that does not touch its neighbours.

        If a neighbour is too close, return a radius that is just larger than the position.
        """
        apart = np.hypot(*(self.points - self.points[index]).T)
        apart[index] = np.inf
        return max(float(apart.min(initial=np.inf)) - 0.55 * self.side - 1, 0.55 * self.side + 1)


_MOST_POSITIONS = 20_000

_FAINT_FROM = 300
"""If more moves than this are drawn, plain moves are fainter."""

_LONGEST_NAME = 24
"""Maximum number of characters of a position's name."""

_TIMES_FROM = 22
"""The side, in pixels, of the smallest position that shows how many merged positions it stands for."""

_SIGNS_UP_TO = 150
"""Maximum number of positions of a drawing whose legend explains the signs written in and beside positions."""


def level_count(picture: GraphPicture) -> int:
    """Return the number of levels that a picture shows."""
    return len(np.unique(levels(picture, opened=True).array[picture.shown]))


def layers(picture: GraphPicture) -> Canvas:
    """Draw a game level by level; raise LayoutError if there are too many positions or levels for a page.

    The time is O((n + m) log (n + m)) for n positions and m moves. Only the moves that there is room for are laid out.
    """
    if picture.vertex_count() > _MOST_POSITIONS:
        raise LayoutError(
            "{positions} are too many to draw level by level: layout='overview' (--layout overview) "
            "counts them; {picture_a_part} draws a part",
            plural(picture.vertex_count(), "position"),
            PICTURE_A_PART,
        )
    graph = layered(picture)
    legend = _legend(picture, graph)
    moves = graph.kind != style.PART
    # Only the layout tells how many moves are drawn. So reserve room for the longer caption, which says that some moves
    # are left out.
    _, frame = new_page(picture, [_fact(picture, graph, int(moves.sum()) - 1)], legend)
    arrangement = Arrangement(picture, graph, frame)
    drawn = int(moves[[move for move, _ in arrangement.curves]].sum())
    drawing, _ = new_page(picture, [_fact(picture, graph, drawn)], legend)
    arrangement.draw(drawing)
    return drawing


_DRAWN = (
    Message("{drawn} of {moves} are drawn, the shortest first"),
    Message("{drawn} of {moves} are drawn, winning and short moves first"),
)


def _fact(picture: GraphPicture, graph: LayeredGraph, drawn: int) -> str:
    positions = size_words(picture, graph.numbers)
    levels = amount(len(graph.names), "level")
    size = translate(
        "{positions} in {levels}; level: {measure}", positions=positions, levels=levels, measure=render(graph.by)
    )
    count = int(np.count_nonzero(graph.kind != style.PART))
    moves = amount(count, "move")
    if picture.centres:
        size += f"{translate('; ')}{translate('moves out of this part are not shown')}"
    if drawn == count:
        every = translate("{moves} is drawn" if count == 1 else "all {moves} are drawn", moves=moves)
        return f"{size}{translate('; ')}{every}"
    return f"{size}{translate('; ')}{translate(_DRAWN[picture.outcome is not None], drawn=f'{drawn:,}', moves=moves)}"


def _legend(picture: GraphPicture, graph: LayeredGraph) -> Legend:
    legend = Legend(picture)
    legend.outcomes()
    for kind, name in enumerate(style.KINDS):
        if (graph.kind == kind).any():
            legend.line(line_look(picture.theme, kind, 0.8), meaning(name))
    if (graph.level[graph.source] < graph.level[graph.target]).any():
        legend.line(Look(None, picture.theme.ink, 0.8, dashed=True), meaning("back"))
    if len(graph.numbers) <= _SIGNS_UP_TO:
        legend.signs("centre", "infinite", "sunny", "loony", "merged")
    if picture.shows_tokens:
        legend.token()
    return legend
