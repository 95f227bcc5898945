"""Where the vertices of a small graph stand, by Graphviz; larger ones the page lays out part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unicodedata import east_asian_width

import numpy as np

from graphgame.errors import LayoutError
from graphgame.export.graphviz import graphviz_command, graphviz_places
from graphgame.export.options import PictureOptions
from graphgame.export.picture import GraphPicture
from graphgame.solution import Solution

BOX_HEIGHT = 46
"""Pixels; 72 are an inch to Graphviz."""

_MOST_VERTICES = 500
_MOST_WORK = 3000
_WIDEST = 4000
_MOST_IN_CYCLES = 200
_SECONDS = 5
_LONGEST, _LINE, _LINE_HEIGHT = 16, 24, 18
_SUM_SIGN = 26
_MOST_CELLS = 3000
_MOST_SHOWN = 100
_CELL = 12
_LARGEST_BOARD = (180, 84)
_AROUND = 18


def box_size(labels: Sequence[str], *, with_sums: bool = False, with_boards: bool = False) -> tuple[int, int]:
    """Return the pixels that every vertex is wide and high, without boards, for the first 16 characters of the labels.

    Where one is longer and has several words there is room for two lines of 24, unless boards show the positions.

    Examples
    --------
    >>> box_size(["1", "2"]), box_size(["4x2", "2x2 + 2x2"]), box_size(["the stairs to the tower"])
    ((56, 46), (107, 46), (233, 64))
    """
    long = (len(label) > _LONGEST and " " in label[:_LINE] and "\n" not in label for label in labels)
    roomy = not with_boards and any(long)
    most = _LINE if roomy else _LONGEST
    lines = [line for label in labels for line in _lines(label, roomy)]
    longest = max((sum(14 if east_asian_width(c) in "WF" else 9 for c in line[:most]) for line in lines), default=0)
    width = max(56, longest + 26) + (_SUM_SIGN if with_sums else 0)
    return width, BOX_HEIGHT + (_LINE_HEIGHT if roomy else 0)


def _lines(label: str, roomy: bool) -> list[str]:
    """Return the lines in which a label may be shown."""
    first = label.split("\n", 1)[0]
    if not roomy or len(label) <= _LINE or first != label or " " not in label[:_LINE]:
        return [first if roomy and first == label else first[:_LONGEST]]
    end = label.rindex(" ", 0, _LINE + 1)
    return [label[:end], label[end + 1 :]]


def board_box(surfaces: dict[str, Any] | None, vertices: int) -> tuple[int, int]:
    """Return the pixels that boards take inside vertices, wide and high; none where that is more than can be drawn.

    Parameters
    ----------
    surfaces : dict or None
        What :func:`surfaces` tells of the boards.
    vertices : int

    Examples
    --------
    >>> board_box({"shapes": [((0, 0), (1, 0), (2, 0))]}, 4)
    (54, 30)
    >>> board_box(None, 4)
    (0, 0)
    """
    shapes = [] if surfaces is None else [shape for shape in surfaces["shapes"] if shape]
    if not shapes or max(map(len, shapes)) * min(vertices, _MOST_SHOWN) > _MOST_CELLS:
        return 0, 0
    wide, high = (
        max(max(cell[axis] for cell in shape) - min(cell[axis] for cell in shape) + 1 for shape in shapes)
        for axis in (0, 1)
    )
    most_wide, most_high = _LARGEST_BOARD
    return min(most_wide, round(wide * _CELL) + _AROUND), min(most_high, round(high * _CELL) + _AROUND)


def graphviz_layout(solution: Solution, width: int, height: int = BOX_HEIGHT) -> dict[str, Any] | None:
    """Return centres of vertices and paths of edges, in pixels.

    None where there is no Graphviz, or it takes long, or makes the graph too wide to read: the page then lays it out.

    Returns
    -------
    dict or None
        ``x`` and ``y`` by vertex number, and ``paths`` of SVG by place in the rows of options.
    """
    picture = GraphPicture(solution, PictureOptions())
    vertices, edges = picture.vertex_count(), picture.edge_count()
    if (
        graphviz_command() is None
        or not 0 < vertices <= _MOST_VERTICES
        or edges > (_MOST_IN_CYCLES if picture.longest_plays() is None else _MOST_WORK)
        or edges + picture.span() > _MOST_WORK
    ):
        return None
    names = [f"n{number}" for number in range(vertices)]
    sizes = dict.fromkeys(names, (float(width), float(height)))
    try:
        found = graphviz_places(picture, sizes, {}, rightwards=False, timeout=_SECONDS)
    except LayoutError:
        return None
    centres = np.round([found.centres[name] for name in names]).astype(int)
    options = picture.graph.option_rows
    ends = ((names[source], names[target]) for source in range(vertices) for target in options.row(source).tolist())
    laid_out = {
        "x": centres[:, 0].tolist(),
        "y": centres[:, 1].tolist(),
        "paths": [_path(found.curves[e]) for e in ends],
    }
    return laid_out if max(laid_out["x"]) <= _WIDEST else None


def _path(points: np.ndarray) -> str:
    first, *rest = (f"{x:.0f},{y:.0f}" for x, y in points.tolist())
    return f"M{first}C{' '.join(rest)}"
