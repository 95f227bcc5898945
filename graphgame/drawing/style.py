"""How a picture looks: colours of themes and scales of colours; shapes, lines and fonts as attributes of DOT."""

from __future__ import annotations

import re
from typing import NamedTuple

from graphgame.text.languages import amount, translate


class Theme(NamedTuple):
    """The colours of a picture, as ``#rrggbb``.

    ``paper``, ``ink`` and ``vertex`` are the background, the words on it, and vertices without an outcome; ``fills``
    those of the outcomes P, N and D, the first unlike the others in lightness too; the others those of outlines, moves,
    winning moves, and tokens on white.
    """

    paper: str
    ink: str
    vertex: str
    fills: tuple[str, str, str]
    outline: str
    move: str
    winning: str
    token: str

    def color_of(self, outcome: str | None) -> str:
        """Return the colour of positions of an outcome."""
        return dict(zip("PND", self.fills, strict=True)).get(outcome or "-", self.vertex)


THEMES = {
    "light": Theme(
        paper="#ffffff",
        ink="#1f2328",
        vertex="#ffffff",
        fills=("#0072b2", "#fbd38a", "#d9d9d9"),
        outline="#3b3f46",
        move="#899098",
        winning="#00875a",
        token="#c1121f",
    ),
    "dark": Theme(
        paper="#15181d",
        ink="#e6e8eb",
        vertex="#2a2f37",
        fills=("#56b4e9", "#6b4a12", "#3d434c"),
        outline="#c4c9d0",
        move="#9aa3b0",
        winning="#3ddc97",
        token="#c1121f",
    ),
    "print": Theme(
        paper="#ffffff",
        ink="#000000",
        vertex="#ffffff",
        fills=("#404040", "#ffffff", "#d9d9d9"),
        outline="#000000",
        move="#8e8e8e",
        winning="#000000",
        token="#000000",
    ),
}
"""Name -> colours."""


NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#bebebe",
    "red": "#ff0000",
    "orange": "#ffa500",
    "gold": "#ffd700",
    "yellow": "#ffff00",
    "green": "#00ff00",
    "cyan": "#00ffff",
    "blue": "#0000ff",
    "navy": "#000080",
    "purple": "#a020f0",
    "magenta": "#ff00ff",
    "pink": "#ffc0cb",
    "brown": "#a52a2a",
}
"""Name -> ``#rrggbb``, as Graphviz has them."""

_HEX = re.compile(r"#[0-9a-f]{6}", re.I)


def is_color(text: str) -> bool:
    """Tell whether a text is a colour: ``#rrggbb``, or a name of ``NAMES``.

    Examples
    --------
    >>> is_color("#0072b2"), is_color("Orange"), is_color("octarine")
    (True, True, False)
    """
    return text.lower() in NAMES or _HEX.fullmatch(text) is not None


def is_dark(color: str) -> bool:
    """Tell whether white text is easier to read on a colour than black text.

    Examples
    --------
    >>> is_dark("navy"), is_dark("#f0e442")
    (True, False)
    """
    value = NAMES.get(color.lower(), color)
    red, green, blue = (int(value[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 128


Attributes = dict[str, str]
"""Name -> value as it stands in DOT."""

FONT = '"Helvetica, Arial, sans-serif"'

MOST_PIECES = 5
"""How many tokens on a position are shown one by one."""

HIDDEN = {"style": "invis", "shape": "point", "width": "0", "kind": "legend"}
"""The look of an invisible vertex that only holds a rank."""

CENTRE, SUM = "◎", "⊕"
"""Signs before a name: of what a neighbourhood is drawn around, and of a sum."""

KINDS = ("move", "win", "token win", "part")
"""Kinds of edges: a move, a winning move, a token's winning move, a part of a sum."""

MOVE, WIN, TOKEN_WIN, PART = range(len(KINDS))
"""The numbers of these kinds, by which arrays refer to them."""


def node(theme: Theme) -> Attributes:
    """Return what every vertex has unless it says otherwise."""
    return {
        "fontname": FONT,
        "fontsize": "12",
        "style": "filled",
        "fillcolor": _quoted(theme.vertex),
        **ink(theme.vertex),
        "color": _quoted(theme.outline),
        "shape": "ellipse",
        "margin": '"0.08,0.05"',
        "height": "0.4",
        "width": "0.5",
    }


def edge(theme: Theme) -> Attributes:
    """Return what every edge has unless it says otherwise."""
    words = _quoted(theme.ink)
    return {"color": _quoted(theme.move), "fontcolor": words, "fontname": FONT, "fontsize": "11", "arrowsize": "0.6"}


def edge_kinds(theme: Theme) -> tuple[Attributes, ...]:
    """Return what an edge of each kind has of its own."""
    winning = _quoted(theme.winning)
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
        "label": _quoted(f"+{count:,}"),
        "tooltip": _quoted(translate("{moves} not shown", moves=amount(count, "move"))),
    }
    return {**words, "shape": "plaintext", "style": "solid", **size, "kind": "legend"}, {"style": "dotted"}


def times(count: int) -> str:
    """Return the sign that a vertex stands for several equal positions."""
    return f"×{count:,}"


def vertex_shape(outcome: str | None, *, is_sum: bool, is_board: bool) -> Attributes:
    """Return the shape that tells P, N and D apart without colour; a sum has a dashed outline.

    Words of some length, and boards, take less room in a rounded box than in an ellipse.
    """
    shape = {"N": "box", "D": "hexagon"}.get(outcome or "", "box" if is_sum or is_board else "ellipse")
    words = ["rounded"] * (shape == "box" and outcome != "N") + ["dashed"] * is_sum
    return {
        "shape": shape,
        **({"style": _quoted(",".join(["filled", *words]))} if words else {}),
        **({"peripheries": "2"} if outcome == "P" else {}),
    }


def fill(color: str, theme: Theme) -> Attributes:
    """Return a fill, and ink that can be read on it where that of the other vertices cannot."""
    return {"fillcolor": _quoted(color), **(ink(color) if is_dark(color) != is_dark(theme.vertex) else {})}


def ink(color: str) -> Attributes:
    """Return ink that can be read on a colour."""
    return {"fontcolor": _quoted(ink_on(color))}


def pieces(count: int) -> str:
    """Return the sign of tokens on a vertex, with their count."""
    return "●" * count if count <= MOST_PIECES else f"● ×{count}"


def ink_on(color: str) -> str:
    """Return the colour of words that can be read on a colour."""
    return "#ffffff" if is_dark(color) else "#000000"


def _quoted(text: str) -> str:
    """Return colours and words of our own, which have no quotes, as a string of DOT."""
    return f'"{text}"'
