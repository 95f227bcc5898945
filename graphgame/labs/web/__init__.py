"""The page (a solved game as one HTML file), the local site that serves pages, and pictures in notebooks."""

from graphgame.registry import register

register("command", "serve", "labs.web.cli:command", "Open a local site to explore and play any game.")
register("job", "page", "labs.web.page:write_page")
register("job", "page of a certificate", "labs.web.cli:draw_proof")
register("job", "picture in a notebook", "labs.web.notebook:bundle")
register("job", "page in a notebook", "labs.web.page:embedded")
