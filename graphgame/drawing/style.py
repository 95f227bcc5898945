"""The look of a picture: shapes, lines and fonts, as attributes of DOT."""

from __future__ import annotations

from graphgame.drawing.themes import Theme, is_dark
from graphgame.io.dot import quote
from graphgame.text.languages import amount, translate

Attributes = dict[str, str]
"""Name -> value as it stands in DOT."""

FONT = '"Helvetica, Arial, sans-serif"'

MOST_PIECES = 5
"""How many tokens on a position are shown one by one."""

HIDDEN = {"style": "invis", "shape": "point", "width": "0", "kind": "legend"}
"""How a vertex looks that is none of the graph, and holds a rank."""

CENTRE, SUM = "◎", "⊕"
"""Signs before a name: of what a neighbourhood is drawn around, and of a sum."""

MOVE, WIN, TOKEN_WIN, PART = range(4)
"""Kinds of edges: a move, a winning move, a token's winning move, a part of a sum."""


def node(theme: Theme) -> Attributes:
    """Return what every vertex has unless it says otherwise."""
    return {
        "fontname": FONT,
        "fontsize": "12",
        "style": "filled",
        "fillcolor": quote(theme.vertex),
        **ink(theme.vertex),
        "color": quote(theme.outline),
        "shape": "ellipse",
        "margin": '"0.08,0.05"',
        "height": "0.4",
        "width": "0.5",
    }


def edge(theme: Theme) -> Attributes:
    """Return what every edge has unless it says otherwise."""
    words = quote(theme.ink)
    return {"color": quote(theme.move), "fontcolor": words, "fontname": FONT, "fontsize": "11", "arrowsize": "0.6"}


def edge_kinds(theme: Theme) -> tuple[Attributes, ...]:
    """Return what an edge of each kind has of its own."""
    winning = quote(theme.winning)
    return (
        {},
        {"color": winning, "penwidth": "2.2", "arrowsize": "0.7"},
        {"color": winning, "penwidth": "4.5", "arrowsize": "0.65"},
        {"style": "dashed", "arrowhead": "empty"},
    )


def stub(count: int) -> tuple[Attributes, Attributes]:
    """Return how moves look that are cut off: their number, which is no vertex of the graph, and the line to it."""
    size = {"width": "0", "height": "0", "margin": '"0.03,0.02"', "fontsize": "10"}
    words = {
        "label": quote(f"+{count:,}"),
        "tooltip": quote(translate("{moves} not shown", moves=amount(count, "move"))),
    }
    return {**words, "shape": "plaintext", "style": "solid", **size, "kind": "legend"}, {"style": "dotted"}


def times(count: int) -> str:
    """Return the sign of so many equal positions."""
    return f"×{count:,}"


def vertex_shape(outcome: str | None, *, is_sum: bool, is_board: bool) -> Attributes:
    """Return the shape that tells P, N and D apart without colour; a sum has a dashed outline.

    Words of some length, and boards, take less room in a rounded box than in an ellipse.
    """
    shape = {"N": "box", "D": "hexagon"}.get(outcome or "", "box" if is_sum or is_board else "ellipse")
    words = ["rounded"] * (shape == "box" and outcome != "N") + ["dashed"] * is_sum
    return {
        "shape": shape,
        **({"style": quote(",".join(["filled", *words]))} if words else {}),
        **({"peripheries": "2"} if outcome == "P" else {}),
    }


def fill(color: str, theme: Theme) -> Attributes:
    """Return a fill, and ink that can be read on it where that of the other vertices cannot."""
    return {"fillcolor": quote(color), **(ink(color) if is_dark(color) != is_dark(theme.vertex) else {})}


def ink(color: str) -> Attributes:
    """Return ink that can be read on a colour."""
    return {"fontcolor": quote(ink_on(color))}


def pieces(count: int) -> str:
    """Return the sign of so many tokens."""
    return "●" * count if count <= MOST_PIECES else f"● ×{count}"


def ink_on(color: str) -> str:
    """Return the colour of words that can be read on a colour."""
    return "#ffffff" if is_dark(color) else "#000000"
