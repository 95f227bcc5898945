"""Pictures of any size on a page of shapes: SVG, PNG, PDF, TikZ; large games as boards, layers and overviews; plots."""

from graphgame.registry import register

register("job", "picture of any size", "labs.layouts.files:write_image")
register("job", "plot of statistics", "labs.layouts.plots:plot_statistics")
register("job", "places by Graphviz", "labs.layouts.graph:graphviz_places")
