"""The page: a solved game as one HTML file; and the local site that serves it."""

from graphgame.registry import register

register("command", "serve", "labs.web.cli.serve:command", "Open a local site to explore and play any game.")
