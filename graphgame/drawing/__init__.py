"""Pictures of games: Graphviz text, pydot graphs, images and plots."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphgame.drawing.boards import picture_svg as picture_svg
    from graphgame.drawing.dot import to_pydot as to_pydot
    from graphgame.drawing.dot import write_dot as write_dot
    from graphgame.drawing.image import draw as draw
    from graphgame.drawing.options import PictureOptions as PictureOptions

_HOME = {
    "PictureOptions": "options",
    "draw": "image",
    "picture_svg": "boards",
    "to_pydot": "dot",
    "write_dot": "dot",
}

__all__ = ["PictureOptions", "draw", "picture_svg", "to_pydot", "write_dot"]


def __getattr__(name: str) -> object:
    """Import what draws when it is first used: a plot needs no board, and the names of options need neither."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
