"""Tables of values as plots: heat maps, maps of the P-positions, and sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.errors import OptionError
from graphgame.figures import new_figure
from graphgame.io.files import PathLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphgame.valuetable import ValueTable

__all__ = ["plot_values"]

_MOST_WRITTEN = 21
_P, _N, _POINT = "#0072b2", "#f3e3c3", "#6b7280"


def plot_values(table: ValueTable, path: PathLike, *, outcomes: bool = False) -> None:
    """Plot a table of values.

    Two ranges make a heat map on which the P-positions are marked, and numbered where there is room; one range makes a
    point for each value.

    Parameters
    ----------
    table : ValueTable
    path : str or os.PathLike
        A .svg, .png or .pdf file.
    outcomes : bool
        Show P and N in place of the values.

    Raises
    ------
    OptionError
        The table has no values, as that of a sum under misère play, and the outcomes are not asked for.
    FormatError
        The name ends otherwise.
    MissingExtraError
        The extra ``plot`` is not installed.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import value_table
    >>> path = pathlib.Path(tempfile.mkdtemp(), "wythoff.svg")
    >>> plot_values(value_table("wythoff(0..8, 0..8)"), path)
    >>> path.read_text()[:5]
    '<?xml'
    """
    if table.values is None and not outcomes:
        raise OptionError("a sum has no value under misère play, only an outcome: plot it with outcomes=True")
    values = None if outcomes else np.array(table.values, np.float64)
    lost = np.array(table.outcomes) == "P"
    two = len(table.ranges) == 2
    with new_figure(path, (7.5, 6.6) if two else (10, 4)) as figure:
        axes = figure.subplots()
        if two:
            _draw_map(axes, table.ranges, values, lost)
        else:
            _draw_sequence(axes, table.ranges[0], values, lost)
        play = ", misère play" if table.play == "misere" else ""
        axes.set_title(f"{table.text}{play}", parse_math=False)
        figure.legend(loc="outside lower center", ncols=2, frameon=False)


def _draw_map(axes: Axes, ranges: tuple[range, ...], values: np.ndarray | None, lost: np.ndarray) -> None:
    """Draw a cell for each position, the first number upwards, the second to the right."""
    from matplotlib.colors import ListedColormap
    from matplotlib.ticker import MaxNLocator

    first, second = ranges
    extent = (second[0] - 0.5, second[-1] + 0.5, first[0] - 0.5, first[-1] + 0.5)
    look: dict[str, Any] = {"origin": "lower", "extent": extent, "interpolation": "nearest", "aspect": "equal"}
    side = 330 / max(lost.shape)
    if values is None:
        axes.imshow(np.zeros(lost.shape), cmap=ListedColormap([_N]), **look)
    else:
        image = axes.imshow(values, cmap="cividis", **look)
        axes.figure.colorbar(image, ax=axes, label="Grundy value", shrink=0.85, ticks=MaxNLocator(integer=True))
    rows, columns = np.nonzero(lost)
    axes.scatter(
        columns + second[0],
        rows + first[0],
        s=max(side if values is None else 0.75 * side, 1) ** 2,
        c=_P if values is None else "white",
        marker="s",
        edgecolors=_P,
        linewidths=min(1.5, side / 8),
        label=f"P-position ({len(rows):,} of {lost.size:,})",
    )
    if values is not None and max(lost.shape) <= _MOST_WRITTEN:
        _write_values(axes, ranges, values, lost, min(12, side / 2.2))
    axes.set(xlabel="second number", ylabel="first number")
    axes.locator_params(integer=True)


def _draw_sequence(axes: Axes, numbers: range, values: np.ndarray | None, lost: np.ndarray) -> None:
    """Draw a point for each position."""
    places, lost = np.array(numbers, np.float64), lost[:, 0]
    heights = np.where(lost, 0, 1) if values is None else values[:, 0]
    size = float(np.clip(20_000 / len(numbers), 2, 40))
    for name, shown, color, marker, large in (("N", ~lost, _POINT, "o", size), ("P", lost, _P, "s", 1.5 * size)):
        label = f"{name}-position ({shown.sum():,})"
        axes.scatter(places[shown], heights[shown], s=large, c=color, marker=marker, linewidths=0, label=label)
    if values is None:
        axes.set_yticks([0, 1], ["P", "N"])
        axes.set_ylim(-0.5, 1.5)
    else:
        axes.set_ylabel("Grundy value")
        axes.locator_params(integer=True)
    axes.set_xlabel("number")


def _write_values(axes: Axes, ranges: tuple[range, ...], values: np.ndarray, lost: np.ndarray, size: float) -> None:
    middle = (values.min() + values.max()) / 2
    for row, column in np.ndindex(values.shape):
        color = _P if lost[row, column] else "white" if values[row, column] < middle else "black"
        place = ranges[1][column], ranges[0][row]
        weight = "bold" if lost[row, column] else "normal"
        axes.text(
            *place, f"{values[row, column]:.0f}", color=color, weight=weight, fontsize=size, ha="center", va="center"
        )
