"""Where the vertices of a small graph stand, by Graphviz; larger ones the page lays out part by part."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from typing import Any
from unicodedata import east_asian_width

from graphgame.export.image import graphviz_command
from graphgame.export.options import PictureOptions
from graphgame.export.picture import GraphPicture
from graphgame.solution import Solution

__all__ = ["BOX_HEIGHT", "board_box", "box_width", "graphviz_layout"]

BOX_HEIGHT = 46
"""Pixels; 72 are an inch to Graphviz."""

_MOST_VERTICES = 500
_MOST_WORK = 3000
_WIDEST = 4000
_MOST_IN_CYCLES = 200
_SECONDS = 5
_LONGEST = 16
_SUM_SIGN = 26
_MOST_CELLS = 3000
_MOST_SHOWN = 100
_CELL = 12
_LARGEST_BOARD = (180, 84)
_AROUND = 18


def box_width(labels: Iterable[str], *, with_sums: bool = False) -> int:
    """Return the pixels that every vertex is wide, for the first lines of the labels, 16 characters at most.

    Examples
    --------
    >>> box_width(["1", "2"]), box_width(["4x2", "2x2 + 2x2"])
    (56, 107)
    """
    lines = (label.split("\n", 1)[0][:_LONGEST] for label in labels)
    longest = max((sum(14 if east_asian_width(c) in "WF" else 9 for c in line) for line in lines), default=0)
    return max(56, longest + 26) + (_SUM_SIGN if with_sums else 0)


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
    command = graphviz_command("plain")
    if (
        command is None
        or not 0 < vertices <= _MOST_VERTICES
        or edges > (_MOST_IN_CYCLES if picture.longest_plays() is None else _MOST_WORK)
        or edges + picture.span() > _MOST_WORK
    ):
        return None
    text = "\n".join(_dot_lines(picture, width, height)).encode()
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=_SECONDS, check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    laid_out = _read_plain(done.stdout.decode(), picture)
    return laid_out if max(laid_out["x"]) <= _WIDEST else None


def _dot_lines(picture: GraphPicture, width: int, height: int) -> Iterator[str]:
    yield "digraph game {nodesep=0.35;ranksep=0.7;edge[arrowhead=none];"
    yield f'node[shape=box,label="",fixedsize=true,width={width / 72:.3f},height={height / 72:.3f}];'
    yield from (f"n{number};" for number in range(picture.vertex_count()))
    for rank in picture.ranks():
        yield "{rank=same;" + "".join(f"n{number};" for number in rank.tolist()) + "}"
    for block in picture.edges():
        pairs = zip(block.source.tolist(), block.target.tolist(), strict=True)
        yield from (f"n{source}->n{target};" for source, target in pairs)
    yield "}"


def _read_plain(text: str, picture: GraphPicture) -> dict[str, Any]:
    """Read Graphviz's plain output: inches, with y upwards."""
    rows = [line.split() for line in text.splitlines()]
    height = float(rows[0][3])
    centres = {row[1]: _point(row[2], row[3], height) for row in rows if row[0] == "node"}
    paths = {(row[1], row[2]): _path(row[4 : 4 + 2 * int(row[3])], height) for row in rows if row[0] == "edge"}
    options = picture.graph.option_rows
    ends = (
        (f"n{source}", f"n{target}") for source in range(len(picture.graph)) for target in options.row(source).tolist()
    )
    points = [centres[f"n{number}"] for number in range(len(picture.graph))]
    return {"x": [x for x, _ in points], "y": [y for _, y in points], "paths": [paths[pair] for pair in ends]}


def _point(x: str, y: str, height: float) -> tuple[int, int]:
    return round(float(x) * 72), round((height - float(y)) * 72)


def _path(numbers: list[str], height: float) -> str:
    points = [_point(x, y, height) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    first, *rest = (f"{x},{y}" for x, y in points)
    return f"M{first}C{' '.join(rest)}"
