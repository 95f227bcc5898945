"""What plots share with pictures: themes, the signs of outcomes, and the scale of values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.errors import Message, OptionError
from graphgame.explanation.texts import translate
from graphgame.export.layouts.scales import scale_pixels
from graphgame.export.themes import THEMES, Theme
from graphgame.io.figures import new_figure
from graphgame.io.files import PathLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = ["MARKERS", "counted_mark", "draw_points", "legend_mark", "mark_look", "themed_figure", "value_colors"]

MARKERS = {"P": "o", "N": "s", "D": "H"}
"""Outcome -> sign: round, square, a hexagon."""

_STEPS = 64
_COUNTED = {"P": Message("P-position ({count})"), "N": Message("N-position ({count})"), "D": Message("draw ({count})")}
_OUTLINED_FROM = 8


@contextmanager
def themed_figure(
    path: PathLike, size: tuple[float, float], theme: str, title: str, description: str = ""
) -> Iterator[tuple[Figure, Theme]]:
    """Give an empty figure in the colours of a theme, and write it at the end, with a text for who does not see it.

    Raises
    ------
    OptionError
        There is no such theme.
    FormatError, MissingExtraError, OSError
        The name ends otherwise, the extra ``plot`` is not installed, the file cannot be written.
    """
    if theme not in THEMES:
        raise OptionError("invalid theme: {theme!r}: expected one of {themes}", theme, ", ".join(THEMES))
    colors = THEMES[theme]
    ink = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.titlecolor")
    look = {
        **dict.fromkeys(ink, colors.ink),
        **dict.fromkeys(("axes.facecolor", "figure.facecolor"), colors.paper),
        "axes.edgecolor": colors.outline,
    }
    with new_figure(path, size, look=look, words=(title, description)) as figure:
        yield figure, colors


def value_colors(theme: Theme) -> Colormap:
    """Return the scale of values other than those of P-positions; infinite ones have the colour of N."""
    from matplotlib.colors import ListedColormap

    return ListedColormap(scale_pixels(np.linspace(0, 1, _STEPS), theme) / 255).with_extremes(bad=theme.fills[1])


def mark_look(mark: str, size: float, theme: Theme) -> dict[str, Any]:
    """Return how points of an outcome look: small ones of N, without an outline, in the strongest of its colours."""
    outlined = size > _OUTLINED_FROM
    color: Any = dict(zip("PND", theme.fills, strict=True))[mark]
    if mark == "N" and not outlined:
        color = tuple((scale_pixels(np.ones(1), theme)[0] / 255).tolist())
    return {"marker": MARKERS[mark], "color": color, "outline": theme.outline if outlined else "none"}


def draw_points(axes: Axes, mark: str, across: np.ndarray, up: np.ndarray, size: float, theme: Theme) -> None:
    """Draw points of an outcome, of a size in square points of print."""
    look = mark_look(mark, size, theme)
    style: dict[str, Any] = {"marker": look["marker"], "edgecolors": look["outline"], "linewidths": 0.6}
    axes.scatter(across, up, s=size, c=[look["color"]], **style)


def counted_mark(mark: str, count: int) -> str:
    """Return the words of a legend for so many positions of an outcome."""
    return translate(_COUNTED[mark], count=f"{count:,}")


def legend_mark(mark: str, label: str, theme: Theme, size: float = 40) -> Line2D:
    """Return a line of a legend: the sign of an outcome as it is drawn in a size, and what it means."""
    from matplotlib.lines import Line2D

    look = mark_look(mark, size, theme)
    style: dict[str, Any] = {"markerfacecolor": look["color"], "markeredgecolor": look["outline"], "markersize": 8}
    return Line2D([], [], linestyle="none", marker=look["marker"], label=label, **style)
