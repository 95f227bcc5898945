"""Pictures of games: Graphviz text, pydot graphs, images, plots, and the page."""

from __future__ import annotations

from graphgame.export.boards import picture_svg
from graphgame.export.dot import to_pydot, write_dot
from graphgame.export.image import draw
from graphgame.export.options import PictureOptions
from graphgame.export.page import write_page
from graphgame.export.plots import plot_values

__all__ = ["PictureOptions", "draw", "picture_svg", "plot_values", "to_pydot", "write_dot", "write_page"]
