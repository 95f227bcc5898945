"""Pictures of any size, on a page of shapes: as SVG, PNG, PDF and TikZ; of large games boards, layers and overviews."""

from graphgame.registry import register

register("job", "picture of any size", "labs.layouts.files:write_image")
register("job", "places by Graphviz", "labs.layouts.graph:graphviz_places")
