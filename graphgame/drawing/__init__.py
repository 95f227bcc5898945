"""Pictures of games: Graphviz text, pydot graphs and images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names

if TYPE_CHECKING:
    from graphgame.drawing.dot import to_pydot as to_pydot
    from graphgame.drawing.dot import write_dot as write_dot
    from graphgame.drawing.image import draw as draw
    from graphgame.drawing.options import PictureOptions as PictureOptions

__all__ = ["PictureOptions", "draw", "picture_svg", "to_pydot", "write_dot"]

_HOMES = {
    "labs.layouts.pictures": "picture_svg",
    "dot": "to_pydot write_dot",
    "image": "draw",
    "options": "PictureOptions",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
