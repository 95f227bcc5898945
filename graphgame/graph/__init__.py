"""The explicit graph of positions: its arrays, its labels, views for networkx, conversion from other libraries.

This module loads neither networkx nor numpy: the lab ``heaps`` and positions that need no graph import it.
"""

from __future__ import annotations

from typing import Any

from graphgame.registry import offers, registered

SUNNY, LOONY = -2, -3
"""Codes of two values. In ``decided``: play is over, and the player who just moved has won (SUNNY) or lost (LOONY)."""


class Displayed:
    """The base class of objects that a notebook shows as a picture or a table: graphs, positions and solutions."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return media type -> content for a notebook, only text without the lab ``web``. Arguments are ignored."""
        picture = offers("job").get("picture in a notebook")  # None if the lab ``web`` is not installed
        return {"text/plain": repr(self), **(picture.load()(self) if picture else {})}

    def page(self, *, title: str | None = None, height: int = 640) -> Any:  # noqa: ANN401
        """Return an interactive page of the game, to explore and to play, as the output of a notebook's cell.

        The attribute ``html`` of the result is the text of the page.

        Parameters
        ----------
        title : str, optional
            The title of the page; by default the notation of a position, and a general title for a graph or a solution.
        height : int
            The height of the page's frame in the notebook, in pixels.

        Raises
        ------
        LimitError, CycleError
            The graph is too large for a page (:func:`write_page` can show a part), or is unsolved and has a cycle.

        Examples
        --------
        >>> import graphgame
        >>> graphgame.parse_position("nim(3,4,5)").page().html[:15]
        '<!DOCTYPE html>'
        """
        return registered("page in a notebook")(self, title, height)
