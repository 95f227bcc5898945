"""Colours of pictures: for light and dark screens, and for print without colour."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["THEMES", "Theme"]


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
