"""The look of a picture: shapes, lines, fonts and the legend, as attributes of DOT."""

from __future__ import annotations

from graphgame.export.colors import is_dark
from graphgame.io.dot import quote

__all__ = [
    "EDGE",
    "EDGE_KINDS",
    "FONT",
    "MOVE",
    "NODE",
    "PART",
    "TOKEN_WIN",
    "WIN",
    "WINNING",
    "Attributes",
    "fill",
    "vertex_shape",
]

Attributes = dict[str, str]
"""Name -> value as it stands in DOT."""

FONT = '"Helvetica, Arial, sans-serif"'
WINNING = '"#00694b"'

NODE: Attributes = {
    "fontname": FONT,
    "fontsize": "12",
    "style": "filled",
    "fillcolor": '"#ffffff"',
    "color": '"#404040"',
    "shape": "ellipse",
    "margin": '"0.08,0.05"',
    "height": "0.4",
    "width": "0.5",
}
"""What every vertex has unless it says otherwise."""

EDGE: Attributes = {"color": '"#808080"', "fontname": FONT, "fontsize": "11", "arrowsize": "0.7"}
"""What every edge has unless it says otherwise."""

MOVE, WIN, TOKEN_WIN, PART = range(4)

EDGE_KINDS: tuple[Attributes, ...] = (
    {},
    {"color": WINNING, "penwidth": "2.2"},
    {"color": WINNING, "penwidth": "4.5", "arrowsize": "0.65"},
    {"style": "dashed", "arrowhead": "empty"},
)
"""What an edge of each kind has of its own: a move, a winning move, a token's winning move, a part of a sum."""


def vertex_shape(outcome: str | None, is_sum: bool) -> Attributes:
    """Return the shape that tells P, N and sums apart without colour."""
    shape = "diamond" if is_sum else "box" if outcome == "N" else "ellipse"
    return {"shape": shape, **({"peripheries": "2"} if outcome == "P" else {})}


def fill(color: str) -> Attributes:
    """Return a fill, and ink that can be read on it."""
    return {"fillcolor": quote(color), **({"fontcolor": '"#ffffff"'} if is_dark(color) else {})}
