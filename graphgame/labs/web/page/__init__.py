"""The page: a solved game as one HTML file that works offline, to view, explore and play the game."""

from __future__ import annotations

from graphgame.labs.web.page.document import embedded, page_html, write_page

__all__ = ["embedded", "page_html", "write_page"]
