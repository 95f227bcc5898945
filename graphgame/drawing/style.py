"""The style of pictures: themes; shapes, lines and fonts as attributes of DOT; the looks of the cells of boards."""

from __future__ import annotations

import re
from typing import NamedTuple

from graphgame.rules.pictures import CellKind
from graphgame.text.languages import amount, translate


class Theme(NamedTuple):
    """The colours of a picture, as ``#rrggbb``; those of the option ``colors`` may be names.

    ``paper`` is the background, ``ink`` is for words on it, and ``vertex`` for vertices without an outcome. ``fills``
    has three colours, for P-positions, N-positions and draws; in ``THEMES`` the one for P-positions is much darker or
    lighter than the other two. The other colours are for outlines, moves, winning moves, and tokens.
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
        """Return the fill colour of vertices with an outcome, "P", "N" or "D"; for None, of vertices without one."""
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
"""Name of a theme -> its colours."""


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
"""Name of a colour -> ``#rrggbb``, as in Graphviz."""

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
"""Name of an attribute -> its value as written in DOT, in quotes if necessary."""

FONT = '"Helvetica, Arial, sans-serif"'

MOST_PIECES = 5
"""The largest number of tokens on a position that are shown one by one."""

HIDDEN = {"style": "invis", "shape": "point", "width": "0", "kind": "legend"}
"""The look of an invisible vertex, which only keeps a rank in its place."""

CENTRE, SUM = "◎", "⊕"
"""The signs before the names of positions in the option ``around``, and of sums."""

KINDS = ("move", "win", "token win", "part")
"""The kinds of edges: a move, a move to a P-position, a winning move of the tokens, the edge from a sum to a part."""

MOVE, WIN, TOKEN_WIN, PART = range(len(KINDS))
"""The indices of the kinds of edges in ``KINDS``, for arrays of kinds."""


def node(theme: Theme) -> Attributes:
    """Return the default attributes of vertices."""
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
    """Return the default attributes of edges."""
    words = _quoted(theme.ink)
    return {"color": _quoted(theme.move), "fontcolor": words, "fontname": FONT, "fontsize": "11", "arrowsize": "0.6"}


def edge_kinds(theme: Theme) -> tuple[Attributes, ...]:
    """Return the additional attributes of edges of each kind, in the order of ``KINDS``."""
    winning = _quoted(theme.winning)
    return (
        {},
        {"color": winning, "penwidth": "2.2", "arrowsize": "0.7"},
        {"color": winning, "penwidth": "4.5", "arrowsize": "0.65"},
        {"style": "dashed", "arrowhead": "empty"},
    )


def stub(count: int) -> tuple[Attributes, Attributes]:
    """Return the attributes of a label "+3", which stands for 3 moves that are not shown, and of the line to it."""
    size = {"width": "0", "height": "0", "margin": '"0.03,0.02"', "fontsize": "10"}
    words = {
        "label": _quoted(f"+{count:,}"),
        "tooltip": _quoted(translate("{moves} not shown", moves=amount(count, "move"))),
    }
    return {**words, "shape": "plaintext", "style": "solid", **size, "kind": "legend"}, {"style": "dotted"}


def times(count: int) -> str:
    """Return the text "×3", which marks a vertex that stands for 3 equal positions."""
    return f"×{count:,}"


def vertex_shape(outcome: str | None, *, is_sum: bool, is_board: bool) -> Attributes:
    """Return the attributes for the shape of a vertex, by which P, N and D differ also without colour.

    Every N-position is a box and every draw a hexagon. Any other vertex is an ellipse or, if it is a sum or is drawn as
    its board (``is_board``), a rounded box. A P-position has a double outline, a sum a dashed one.
    """
    shape = {"N": "box", "D": "hexagon"}.get(outcome or "", "box" if is_sum or is_board else "ellipse")
    words = ["rounded"] * (shape == "box" and outcome != "N") + ["dashed"] * is_sum
    return {
        "shape": shape,
        **({"style": _quoted(",".join(["filled", *words]))} if words else {}),
        **({"peripheries": "2"} if outcome == "P" else {}),
    }


def fill(color: str, theme: Theme) -> Attributes:
    """Return the attributes for a fill colour, and for text that is readable on it if the default text is not."""
    return {"fillcolor": _quoted(color), **(ink(color) if is_dark(color) != is_dark(theme.vertex) else {})}


def ink(color: str) -> Attributes:
    """Return the attribute for text that is readable on a colour."""
    return {"fontcolor": _quoted(ink_on(color))}


def pieces(count: int) -> str:
    """Return a dot for each token on a vertex; for more than 5 tokens one dot and their number, "● ×6"."""
    return "●" * count if count <= MOST_PIECES else f"● ×{count}"


def ink_on(color: str) -> str:
    """Return "#ffffff" or "#000000", whichever is easier to read on a colour."""
    return "#ffffff" if is_dark(color) else "#000000"


def _quoted(text: str) -> str:
    """Return a text in quotes, as a string of DOT; the text must not contain quotes or backslashes."""
    return f'"{text}"'


CELL_SIDE, CELL_LINE = 18, "#7a808a"
"""The side of a cell, in points of Graphviz and in pixels of SVG, and the colour of its outline."""

_INK = "#2b2f36"


class _CellStyle(NamedTuple):
    """How a cell is drawn.

    ``sign`` is its character at a terminal. In an image ``fill`` is its colour, None for a cell without colour
    and outline; ``mark`` is the character in it, which SVG draws as a shape; ``ink`` is the colour of the mark.
    """

    sign: str
    fill: str | None = None
    mark: str = ""
    ink: str = _INK
    rounded: bool = False


CELL_STYLES: dict[CellKind, _CellStyle] = {
    "arc": _CellStyle("-", mark="→"),
    "blank": _CellStyle(" "),
    "coin": _CellStyle("o", "#ffffff", "●"),
    "colour": _CellStyle("o", "#ffffff"),
    "cross": _CellStyle("X", "#ffffff", "✕"),
    "cut": _CellStyle("|", mark="┊", ink="#c1121f"),
    "edge": _CellStyle("-", mark="─"),
    "ground": _CellStyle("_", mark="▁"),
    "heads": _CellStyle("H", "#f6d365", "H", rounded=True),
    "note": _CellStyle(" "),
    "paper": _CellStyle("#", "#fbf4e0"),
    "piece": _CellStyle("o", mark="●"),
    "pin": _CellStyle("|", mark="▮"),
    "poison": _CellStyle("x", "#2a2320", "✕", ink="#ffffff"),
    "region": _CellStyle(" "),
    "square": _CellStyle(".", "#ffffff"),
    "sweet": _CellStyle("o", "#b98352"),
    "tails": _CellStyle("T", "#c3c8cf", "T", rounded=True),
    "taken": _CellStyle("#", "#5b6270"),
    "token": _CellStyle("T", "#ffffff", "●", rounded=True),
    "vertex": _CellStyle("o", "#ffffff", rounded=True),
}
"""Kind of a cell -> its look at a terminal, in an image and in a label of Graphviz."""
