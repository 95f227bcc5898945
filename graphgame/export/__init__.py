"""Pictures of games: Graphviz text, pydot graphs, images, and the page."""

from __future__ import annotations

from graphgame.export.dot import to_pydot, write_dot
from graphgame.export.image import draw
from graphgame.export.options import PictureOptions
from graphgame.export.page import write_page

__all__ = ["PictureOptions", "draw", "to_pydot", "write_dot", "write_page"]
