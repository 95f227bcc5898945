"""Pictures of games of any size, as SVG, PNG, PDF or TikZ: graphs, boards, layers and overviews. Also plots."""

from graphgame.registry import register

register("job", "picture of any size", "labs.layouts.files:write_image")
register("job", "plot of statistics", "labs.layouts.plots:plot_statistics")
register("job", "places by Graphviz", "labs.layouts.graph:graphviz_places")
