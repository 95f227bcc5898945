"""Pictures of games: Graphviz text, pydot graphs and images."""

from __future__ import annotations

from graphgame.export.dot import to_pydot, write_dot
from graphgame.export.image import draw
from graphgame.export.options import PictureOptions

__all__ = ["PictureOptions", "draw", "to_pydot", "write_dot"]
