"""Colours as ``#rrggbb``, or by a few names, and how light they are."""

from __future__ import annotations

import re

__all__ = ["NAMES", "is_color", "is_dark"]

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
