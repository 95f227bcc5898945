"""The data of a page about boards: how positions look, and what each move does to the cells of a board.

Also the layout of small graphs by Graphviz. The page lays out larger graphs itself, part by part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, count, starmap
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np

from graphgame.drawing.image import graphviz_command
from graphgame.drawing.options import PictureOptions
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import LayoutError, Message
from graphgame.labs.layouts.pictures import symmetry_map, ways_of
from graphgame.registry import offers, registered
from graphgame.rules.nim import Heap
from graphgame.rules.pictures import Cell, Picture, SymmetryMap, Way, check_picture
from graphgame.rules.position import Component
from graphgame.rules.rule_errors import returned, rule_errors
from graphgame.rules.ruleset import Ruleset, Sum, parts_of, split_component
from graphgame.solution.solve import Solution
from graphgame.text.rules import rules_texts
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.rules.position import Position


BOX_HEIGHT = 46
"""The height of a vertex without a board, with a label of one line, in pixels."""

_PLACES = "places by Graphviz"
"""The registered job that lays out the graph of a game by Graphviz; see :mod:`graphgame.labs.layouts`."""

_MOST_VERTICES = 500
_MOST_WORK = 3000
"""A graph is laid out by Graphviz only if the number of its edges plus that of the levels they skip is at most this."""

_WIDEST_LAYOUT = 4000
"""A layout by Graphviz that is wider than this is not used; in pixels."""

_MOST_IN_CYCLES = 200
"""Graphviz lays out a graph with cycles only if it has at most this many edges."""

_SECONDS = 5

_LONGEST_LINE, _LONGEST_OF_TWO, _LINE_HEIGHT = 16, 24, 18
"""Maximum characters of a line: in a box with room for one line, and in a wider box with room for two. The last number
is the height of the second line, in pixels."""

_SUM_SIGN = 26
"""The width of the sign of a sum before a label, in pixels."""

_MOST_DRAWN_CELLS, _MOST_SHOWN = 3000, 100
"""Vertices show boards only if 100 boards of the largest size have at most 3000 cells in all. If the graph has fewer
than 100 vertices, count one board of this size for each vertex instead."""

_CELL, _LARGEST_BOARD, _AROUND = 12, (180, 84), 18
"""In pixels: the side of a cell, the maximum (width, height) of a board with its margins, and the sum of two opposite
margins."""


def box_size(labels: Sequence[str], *, with_sums: bool = False, with_boards: bool = False) -> tuple[int, int]:
    """Return the width and height of every vertex without its board, in pixels.

    There is room for the first 16 characters of each label's first line. If some label of one line is longer and has a
    space in its first 24 characters, there is room for two lines of 24 characters, unless vertices show boards
    (``with_boards``). If some vertices are sums (``with_sums``), there is room for the sign of a sum.

    Examples
    --------
    >>> box_size(["1", "2"]), box_size(["4x2", "2x2 + 2x2"]), box_size(["the stairs to the tower"])
    ((56, 46), (107, 46), (233, 64))
    """
    long = (len(label) > _LONGEST_LINE and " " in label[:_LONGEST_OF_TWO] and "\n" not in label for label in labels)
    roomy = not with_boards and any(long)
    most = _LONGEST_OF_TWO if roomy else _LONGEST_LINE
    lines = [line for label in labels for line in _lines(label, roomy)]
    longest = max((sum(14 if east_asian_width(c) in "WF" else 9 for c in line[:most]) for line in lines), default=0)
    width = max(56, longest + 26) + (_SUM_SIGN if with_sums else 0)
    return width, BOX_HEIGHT + (_LINE_HEIGHT if roomy else 0)


def _lines(label: str, roomy: bool) -> list[str]:
    """Return the lines that a vertex shows of a label: the first 16 characters of the label's first line.

    If boxes are ``roomy`` (they have room for two lines), a label of one line is returned whole: as two lines if it is
    longer than 24 characters and has a space among the first 24.
    """
    first = label.split("\n", 1)[0]
    if not roomy or len(label) <= _LONGEST_OF_TWO or first != label or " " not in label[:_LONGEST_OF_TWO]:
        return [first if roomy and first == label else first[:_LONGEST_LINE]]
    end = label.rindex(" ", 0, _LONGEST_OF_TWO + 1)
    return [label[:end], label[end + 1 :]]


def board_box(surfaces: dict[str, Any] | None, vertices: int) -> tuple[int, int]:
    """Return the width and height of boards inside vertices, in pixels.

    They are 0, 0 if there are no boards, or too many cells to draw.

    Parameters
    ----------
    surfaces : dict or None
        The result of :meth:`_Surfaces.data`.
    vertices : int
        The number of vertices.

    Examples
    --------
    >>> board_box({"shapes": [((0, 0), (1, 0), (2, 0))]}, 4)
    (54, 30)
    >>> board_box(None, 4)
    (0, 0)
    """
    shapes = [] if surfaces is None else [shape for shape in surfaces["shapes"] if shape]
    if not shapes or max(map(len, shapes)) * min(vertices, _MOST_SHOWN) > _MOST_DRAWN_CELLS:
        return 0, 0
    wide, high = (
        max(max(cell[axis] for cell in shape) - min(cell[axis] for cell in shape) + 1 for shape in shapes)
        for axis in (0, 1)
    )
    most_wide, most_high = _LARGEST_BOARD
    return min(most_wide, round(wide * _CELL) + _AROUND), min(most_high, round(high * _CELL) + _AROUND)


def graphviz_layout(solution: Solution, width: int, height: int = BOX_HEIGHT) -> dict[str, Any] | None:
    """Return the layout of a small graph by Graphviz, in pixels. Every vertex is a box of this width and height.

    Returns
    -------
    dict or None
        ``x`` and ``y``: the centre of each vertex. ``paths``: the SVG path of each edge, in the order of
        ``option_rows``.
        None if the graph is empty or too large, if Graphviz or the lab ``layouts`` is missing, or if Graphviz fails,
        takes too long or makes the graph too wide. Then the page itself lays out the graph.
    """
    picture = GraphPicture(solution, PictureOptions())
    vertices, edges = picture.vertex_count(), picture.edge_count()
    if (
        graphviz_command() is None
        or _PLACES not in offers("job")
        or not 0 < vertices <= _MOST_VERTICES
        or edges > (_MOST_IN_CYCLES if picture.longest_plays() is None else _MOST_WORK)
        or edges + picture.span() > _MOST_WORK
    ):
        return None
    names = [f"n{number}" for number in range(vertices)]
    sizes = dict.fromkeys(names, (float(width), float(height)))
    try:
        places = registered(_PLACES)(picture, sizes, {}, rightwards=False, timeout=_SECONDS)
    except LayoutError:
        return None
    centres = np.round([places.centres[name] for name in names]).astype(int)
    options = picture.graph.option_rows
    ends = ((names[source], names[target]) for source in range(vertices) for target in options.row(source).tolist())
    laid_out = {
        "x": centres[:, 0].tolist(),
        "y": centres[:, 1].tolist(),
        "paths": [_path(places.curves[e]) for e in ends],
    }
    return laid_out if max(laid_out["x"]) <= _WIDEST_LAYOUT else None


def _path(points: np.ndarray) -> str:
    first, *rest = (f"{x:.0f},{y:.0f}" for x, y in points.tolist())
    return f"M{first}C{' '.join(rest)}"


_MOST_WAYS, _MOST_CELLS = 80_000, 4_000_000
"""Maximum numbers of ways to move, and of cells in the boards after all these moves. With more, a page has no ways."""

_SIGNS = "".join(map(chr, [*range(48, 58), *range(65, 91), *range(97, 123)]))


def _visible(cell: Any) -> Cell:  # noqa: ANN401
    """Return a cell with escapes for the characters of its text that are not printable."""
    return Cell(cell.kind, cell.text and printable(cell.text, length=0))


class _Surfaces:
    """Collects the data of all boards in a game that was explored from a position.

    The label of a vertex is a position, a :class:`Component` if there are several games, or a :class:`Sum` of these.
    """

    def __init__(self, position: Position, labels: Sequence[Hashable]) -> None:
        self._components = position.components
        self._first = position.components[0]
        self._labels = labels
        # Each of these dictionaries gives a new key the next number, from 0 on.
        self._cells, self._shapes, self._maps, self._names = (
            defaultdict[Hashable, int](count().__next__) for _ in range(4)
        )
        self._number: dict[Hashable, int] = {}
        self._sums: dict[tuple[int, ...], int] = {}
        self._pictures: dict[Hashable, Picture | None] = {}
        self._maps_of: dict[Hashable, tuple[Hashable, SymmetryMap]] = {}

    def data(self) -> dict[str, Any] | None:
        """Return the data of all boards; None if the rules draw none.

        Returns
        -------
        dict
            The entries of each key refer to entries of other keys by index. The page can draw the board of a vertex on
            another board. After a move, this is the board before the move; at the start, it is the board of the
            position as it was written. A map and a renaming relate the two boards.

            - ``cells``: the different contents of cells (kind and text), with escapes for characters that are not
              printable.
            - ``shapes``: the different shapes of boards, each as the coordinates of its cells.
            - ``looks``: for each vertex [shape, cells], or 0 if it has no board. :meth:`_signs` makes the cells.
            - ``ways``: for each vertex, a list of the ways to move; None instead of all lists if there are too many.
              Each way is [vertex after the move, all cells of the board after the move, cells that a player clicks,
              ends x1, y1, x2, y2 of the line that a player clicks for a cut, parts]; items that do not apply are 0.
              ``parts`` has three numbers for each part of the option: its vertex, its map and its renaming. If the map
              of any part is not known, ``parts`` is 0.
            - ``starts``: for each token [vertex, look of the position as it was written, map, renaming]; without the
              tokens whose map is not known.
            - ``maps``: a map has, for each cell of the vertex's board, the index of the cell of the other board where
              it is drawn, or -1.
            - ``names``: a renaming is a list of pairs of contents, one after the other, which may be empty. Where the
              vertex's board has the first of a pair, the other board shows the second.
        """
        looks = [0 if type(label) is Sum else self._look(label) for label in self._labels]
        if not any(looks):
            return None
        self._number = {label: number for number, label in enumerate(self._labels) if type(label) is not Sum}
        for number, label in enumerate(self._labels):
            if type(label) is Sum:
                self._sums[self._sum_key(label)] = number
        ways, starts = self._all_ways(), list(self._starts())
        return {
            "cells": list(map(_visible, self._cells)),
            "shapes": list(self._shapes),
            "looks": looks,
            "ways": ways,
            "starts": starts,
            "maps": list(self._maps),
            "names": list(self._names),
        }

    def placed(self, label: Hashable) -> tuple[Ruleset, Any]:
        """Return the ruleset and the position of a vertex, given its label; the label must not be a :class:`Sum`."""
        component = label if isinstance(label, Component) else self._first._replace(position=label)
        return component.ruleset, component.position

    def _like(self, label: Hashable, position: Hashable) -> Hashable:
        """Return the label of ``position`` in the game of ``label``: a :class:`Component` if ``label`` is one."""
        return label._replace(position=position) if isinstance(label, Component) else position

    def _sum_key(self, parts: Iterable[Hashable]) -> tuple[int, ...]:
        return tuple(sorted(self._number[part] for part in parts))

    def _picture(self, label: Hashable) -> Picture | None:
        if label not in self._pictures:
            rules, position = self.placed(label)
            with rule_errors(type(rules).__name__, Message("the board of a position")):
                picture = rules.picture(position)
            if picture is not None:
                check_picture(picture)
            self._pictures[label] = picture
        return self._pictures[label]

    def _look(self, label: Hashable) -> Any:  # noqa: ANN401
        """Return an entry of ``looks`` of :meth:`data`: [shape, cells] of a position, or 0 if it has no board."""
        board = self._picture(label)
        return 0 if board is None else [self._shapes[board.places], self._signs(board.cells)]

    def _signs(self, cells: Iterable[Cell]) -> Any:  # noqa: ANN401
        """Return a list with the index of each cell: its index in the entry ``cells`` of :meth:`data`.

        If all indices are below 62, return a text instead, with a character of ``_SIGNS`` for each index.
        """
        numbers = [self._cells[cell] for cell in cells]
        as_text = max(numbers, default=0) < len(_SIGNS)
        return "".join(map(_SIGNS.__getitem__, numbers)) if as_text else numbers

    def _all_ways(self) -> list[Any] | None:
        """Return ``ways`` of :meth:`data`: for each vertex a list of the ways to move; None if there are too many."""
        ways: list[Any] = []
        total = cells = 0
        for label in self._labels:
            ways.append([])
            if type(label) is Sum or self._picture(label) is None:
                continue
            rules, position = self.placed(label)
            if rules.decides and rules.decided(position) is not None:
                continue
            for way in self._ways(label):
                ways[-1].append(way)
                total += 1
                cells += len(way[1]) if way[1] else 0
                if total > _MOST_WAYS or cells > _MOST_CELLS:
                    return None
        return ways

    def _starts(self) -> Iterator[Any]:
        """Yield the entries of ``starts`` of :meth:`data`.

        A token has no entry if no map is known from its vertex's board to the board of the position as it was written.
        """
        mixed = any(isinstance(label, Component) for label in self._labels)
        for part in chain.from_iterable(map(split_component, self._components)):
            label = part if mixed else part.position
            vertex, (cells, names) = self._symmetry(label)
            if vertex in self._number and cells:
                pairs = tuple(self._cells[cell] for pair in names for cell in pair)
                yield [self._number[vertex], self._look(label), self._maps[cells], self._names[pairs]]

    def _ways(self, label: Hashable) -> Iterator[Any]:
        """Yield the ways to move from a position, as lists of five items: see ``ways`` of :meth:`data`.

        A way is left out if the page has no vertex for the position after it.
        """
        rules, position = self.placed(label)
        with rule_errors(type(rules).__name__, Message("the ways to move on a board")):
            for way in ways_of(rules, position):
                parts = [self._symmetry(self._like(label, part)) for part in parts_of(way.option)]
                end = self._end([part[0] for part in parts])
                placed = list(zip(parts, way.origins, strict=True)) if way.origins else []
                if end is None:
                    # In sums, the page of a certificate leaves out pairs of equal parts: leave them out here, too.
                    ends = [part[0] for part in parts]
                    placed = [each for each in placed if ends.count(each[0][0]) % 2]
                    end = self._end([vertex for vertex in ends if ends.count(vertex) % 2])
                if end is None:
                    continue
                after = self._signs(way.after) if way.after is not None else 0
                numbers = [self._part(way, part, origin) for part, origin in placed]
                # If one part cannot be found on the board after the move, the page shows each part on its own board.
                known = all(map_number >= 0 for _, map_number, _ in numbers)
                yield [end, after, [*way.touched] or 0, [*way.line] or 0, ([*chain(*numbers)] if known else []) or 0]

    def _end(self, vertices: Sequence[Hashable]) -> int | None:
        """Return the number of the vertex for the sum of ``vertices``; None if the page has no such vertex."""
        if len(vertices) == 1:
            return self._number.get(vertices[0])
        have_numbers = all(vertex in self._number for vertex in vertices)
        return self._sums.get(self._sum_key(vertices)) if have_numbers else None

    def _symmetry(self, label: Hashable) -> tuple[Hashable, SymmetryMap]:
        """Return the label of the canonical position, and the map from its board to the board of ``label``.

        The map has no cells if it is not known, or if there is no board.
        """
        if label not in self._maps_of:
            rules, position = self.placed(label)
            vertex = self._like(label, rules.canonical(position))
            board = self._picture(label)
            if vertex == label or board is None:
                symmetry = SymmetryMap(tuple(range(len(board.cells))) if board is not None else ())
            else:
                symmetry = symmetry_map(rules, position)
            self._maps_of[label] = vertex, symmetry
        return self._maps_of[label]

    def _part(self, way: Way, part: tuple[Hashable, SymmetryMap], origin: tuple[int, ...]) -> list[int]:
        """Return the numbers of a part of ``way.option``: its vertex, map and renaming; the map is -1 if not known.

        ``part`` is the result of :meth:`_symmetry` for this part. ``origin`` has, for each cell of the part's board,
        the index of the cell in the same place on the board before the move, or -1.
        """
        vertex, (cells, names) = part
        has_map = bool(cells) or not origin
        map_number = self._maps[tuple(origin[cell] for cell in cells)] if has_map else -1
        pairs = tuple(self._cells[cell] for pair in (*names, *way.names) for cell in pair)
        return [self._number[vertex], map_number, self._names[pairs]]


_MOST_CHARACTERS = 2_000_000
"""The maximum total number of characters of all boards that a page shows as texts."""


def boards(position: Position | None, labels: Sequence[Hashable]) -> dict[str, Any]:
    """Return the data with which a page shows the vertices of a game: as heaps, as boards, or as text.

    The game was explored from ``position``.

    Parameters
    ----------
    position : Position or None
    labels : sequence of hashable
        The vertices, as positions.

    Returns
    -------
    dict
        - ``heaps``: a list with the total size of the heaps of each vertex, or -1 if not all its parts are heaps;
          None if all entries are -1.
        - ``surfaces``: the result of :meth:`_Surfaces.data`.
        - ``boards``: each vertex's board as text. None if ``surfaces`` is not None, if all texts are empty, or if
          together they are too long for a page.
        - ``rules``: for each game of the position, a dictionary with the texts of its rules in English and Chinese
          (:class:`~graphgame.text.rules.RulesText`).

        Without a position, or if it has no components, all four are None.
    """
    if position is None or not position.components:
        return {"heaps": None, "surfaces": None, "boards": None, "rules": None}
    surfaces = _Surfaces(position, labels)
    vertices = [list(map(surfaces.placed, parts_of(label))) for label in labels]
    heaps = [_heap_size(parts) for parts in vertices]
    drawn = surfaces.data()
    texts = ("\n\n".join(filter(None, starmap(_board, parts))) for parts in vertices if drawn is None)
    return {
        "heaps": heaps if max(heaps, default=-1) >= 0 else None,
        "surfaces": drawn,
        "boards": _of_bounded_length(texts),
        "rules": [rules._asdict() for rules in rules_texts(position)],
    }


def _of_bounded_length(texts: Iterable[str]) -> list[str] | None:
    """Return the texts as a list; None if all are empty, or if together they are too long for a page."""
    listed: list[str] = []
    size = 0
    for text in texts:
        size += len(text)
        if size > _MOST_CHARACTERS:
            return None
        listed.append(text)
    return listed if size else None


def _heap_size(parts: list[tuple[Ruleset, Any]]) -> int:
    """Return the total size of the parts if all are heaps, otherwise -1."""
    heaps = all(isinstance(rules, Heap) and isinstance(size, int) for rules, size in parts)
    return sum(position for _, position in parts) if heaps else -1


def _board(ruleset: Ruleset, position: Any) -> str:  # noqa: ANN401
    """Return the board of a position as text; empty if it is the same as the position's text in the notation."""
    with rule_errors(type(ruleset).__name__, Message("the board of a position")):
        drawn = returned(ruleset.board(position), str)
    return "" if drawn == ruleset.format(position) else drawn
