"""Pictures of games: Graphviz text, pydot graphs, images and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names

if TYPE_CHECKING:
    from graphgame.drawing.boards import picture_svg as picture_svg
    from graphgame.drawing.dot import to_pydot as to_pydot
    from graphgame.drawing.dot import write_dot as write_dot
    from graphgame.drawing.image import draw as draw
    from graphgame.drawing.options import PictureOptions as PictureOptions

__all__ = ["PictureOptions", "draw", "picture_svg", "to_pydot", "write_dot"]

_HOMES = {"boards": "picture_svg", "dot": "to_pydot write_dot", "image": "draw", "options": "PictureOptions"}

# A plot needs no board, and the names of options need neither.
__getattr__ = lazy_names(__name__, _HOMES)
