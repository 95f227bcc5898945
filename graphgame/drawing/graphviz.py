"""Where Graphviz puts vertices and edges: asked in a process of its own, which can be given up."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graphgame.drawing.picture import GraphPicture
from graphgame.drawing.selection import KEEP_A_PART, PICTURE_A_PART
from graphgame.errors import LayoutError, Message, both, plural, shorten

LAYOUT_LIMIT = 8000
"""Vertices, edges, and ranks that edges skip: from here a layout takes more than some ten seconds."""

_INCH = 72
_WIDE = 20
_FARTHEST = 5
_APART, _LEVELS = 0.4, 0.6

Size = tuple[float, float]
"""How wide and how high something is, in pixels."""


class GraphvizPlaces(NamedTuple):
    """Where things stand, in pixels.

    ``centres`` has the vertices by name, ``n0`` and so on; ``curves`` the edges by the names of their ends, Bézier
    curves of 3k + 1 points; ``labels`` the middles of those that have words.
    """

    size: Size
    centres: dict[str, np.ndarray]
    curves: dict[tuple[str, str], np.ndarray]
    labels: dict[tuple[str, str], np.ndarray]


def graphviz_command(kind: str = "plain", layout: str = "dot") -> list[str] | None:
    """Return the command that turns DOT on its standard input into places or an image of this kind, or None."""
    if importlib.util.find_spec("pygraphviz") is not None:
        return [sys.executable, "-P", str(Path(__file__).with_name("layout_process.py")), kind, layout]
    program = shutil.which("dot")
    if program is None:
        return None
    return [program, f"-T{kind}", *([] if layout == "dot" else [f"-K{layout}"])]


def graphviz_places(
    picture: GraphPicture,
    sizes: Mapping[str, Size],
    words: Mapping[tuple[str, str], Size],
    *,
    rightwards: bool,
    timeout: float | None,
    shape: float | None = None,
    round_ones: Set[str] = frozenset(),
) -> GraphvizPlaces:
    """Lay out the vertices of these sizes, with room for the words of edges.

    ``shape`` is how high the drawing is to be for its width, which spreads it; ``round_ones`` are ellipses, others
    boxes.

    Raises
    ------
    LayoutError
        Graphviz is missing, fails, or has not finished in time.
    """
    command = graphviz_command()
    if command is None:
        raise LayoutError("there is no Graphviz")
    text = "\n".join(_dot_lines(picture, sizes, words, rightwards, shape, round_ones))
    found = laid_out(text, command, timeout, _way_out(Message("a longer timeout")))
    return _tight(_read_plain(found.decode()), sizes)


def laid_out(text: str, command: list[str], seconds: float | None, way_out: str) -> bytes:
    """Return what Graphviz makes of a text; a LayoutError tells a way out if it does not in some seconds."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise LayoutError(
            "Graphviz has not finished the layout in {timeout} seconds: {way_out}", f"{error.timeout:g}", way_out
        ) from None
    except OSError as error:
        raise LayoutError("Graphviz does not start: {error}", error) from None
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {done.returncode}"]
        raise LayoutError("Graphviz could not make the image: {reason}", shorten(reason[-1], 200))
    return done.stdout


def check_size(picture: GraphPicture) -> None:
    """Raise a LayoutError where a layout would take long."""
    vertices, edges = picture.vertex_count(), picture.edge_count()
    lines = vertices + edges + 2 * len(picture.stubs)
    if lines <= LAYOUT_LIMIT and lines + picture.span() <= LAYOUT_LIMIT:
        return
    size = both([plural(vertices, "vertex"), plural(edges, "edge")])
    way_out = _way_out(Message("force=True (--force) to try all the same"))
    raise LayoutError("{size} are too many for Graphviz to lay out in reasonable time: {way_out}", size, way_out)


def _way_out(last: str) -> str:
    return Message(
        "leave out layout='dot' (--layout dot) for a picture of any size; draw a part with "
        "{picture_a_part} or {keep_a_part}, or equal positions as one with merge=True (--merge); "
        "write a page, which shows a part that grows, to a name ending in .html (write_page), or "
        "the text for Graphviz to one ending in .dot; or give {last}",
        PICTURE_A_PART,
        KEEP_A_PART,
        last,
    )


def _dot_lines(
    picture: GraphPicture,
    sizes: Mapping[str, Size],
    words: Mapping[tuple[str, str], Size],
    rightwards: bool,
    shape: float | None,
    round_ones: Set[str],
) -> Iterator[str]:
    far = _LEVELS + max(0, picture.widest_rank() - _WIDE) / _WIDE
    direction = "rankdir=LR;" if rightwards else ""
    ratio = "" if shape is None else f"ratio={shape:.4f};"
    yield f"digraph game {{{direction}{ratio}nodesep={_APART};ranksep={min(far, _FARTHEST):.2f};"
    yield 'edge[arrowhead=none];node[shape=box,label="",fixedsize=true];'
    for name, (wide, high) in sizes.items():
        outline = ",shape=ellipse" if name in round_ones else ""
        yield f"{name}[width={wide / _INCH:.3f},height={high / _INCH:.3f}{outline}];"
    for place, rank in enumerate(picture.ranks()):
        anchor = f"level{place};" * picture.is_scattered
        yield f"{{rank=same;{anchor}{''.join(f'n{number};' for number in rank.tolist())}}}"
        if anchor and place:
            yield f"level{place}->level{place - 1}[style=invis];"
    for number, ahead, back in picture.stubs:
        yield f"n{number}->n{number}_ahead;" * bool(ahead) + f"n{number}_back->n{number};" * bool(back)
    for block in picture.edges():
        for source, target in zip(block.source.tolist(), block.target.tolist(), strict=True):
            pair = f"n{source}", f"n{target}"
            yield f"n{source}->n{target}{_room(*words[pair]) if pair in words else ''};"
    yield "}"


def _room(wide: float, high: float) -> str:
    cell = f'<TD FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}"></TD>'
    return f'[label=<<TABLE BORDER="0" CELLSPACING="0"><TR>{cell}</TR></TABLE>>]'


def _read_plain(text: str) -> GraphvizPlaces:
    """Read Graphviz's plain output: inches, with y upwards."""
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


def _tight(found: GraphvizPlaces, sizes: Mapping[str, Size]) -> GraphvizPlaces:
    """Return places within a size that leaves no room beside them: Graphviz may leave much."""
    boxes = [(found.centres[name], np.array(size) / 2) for name, size in sizes.items()]
    points = [corner for centre, half in boxes for corner in (centre - half, centre + half)]
    points += [point for ends, curve in found.curves.items() if ends[0] in sizes for point in curve]
    if not points:
        return found
    least, most = np.min(points, axis=0), np.max(points, axis=0)
    wide, high = (most - least).tolist()
    return GraphvizPlaces(
        (wide, high),
        {name: centre - least for name, centre in found.centres.items()},
        {ends: curve - least for ends, curve in found.curves.items()},
        {ends: middle - least for ends, middle in found.labels.items()},
    )
