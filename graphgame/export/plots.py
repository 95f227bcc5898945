"""Tables of values as plots: heat maps, maps of the P-positions, and sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.export.themes import THEMES
from graphgame.io.figures import new_figure
from graphgame.io.files import PathLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphgame.games.value_tables import ValueTable

__all__ = ["plot_values"]

_MOST_WRITTEN = 21
_IN_LEGEND = 60
_P = THEMES["light"].fills[0]
_N, _D, _POINT = "#f3e3c3", "#b8bdc6", "#6b7280"


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
    FormatError, MissingExtraError, OSError
        The name ends otherwise, the extra ``plot`` is not installed, the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import value_table
    >>> path = pathlib.Path(tempfile.mkdtemp(), "wythoff.svg")
    >>> plot_values(value_table("wythoff(0..8, 0..8)"), path)
    >>> path.read_text()[:5]
    '<?xml'
    """
    values = None if outcomes else np.array(table.entries(), object)
    kinds = np.array(table.outcomes)
    two = len(table.ranges) == 2
    with new_figure(path, (7.5, 6.6) if two else (10, 4)) as figure:
        axes = figure.subplots()
        if two:
            _draw_map(axes, table.ranges, values, kinds)
        else:
            _draw_sequence(axes, table.ranges[0], values, kinds)
        play = ", misère play" if table.play == "misere" else ""
        axes.set_title(f"{table.text}{play}", parse_math=False)
        legend = figure.legend(loc="outside lower center", ncols=3, frameon=False)
        for handle in legend.legend_handles:
            handle.set_sizes([_IN_LEGEND])  # type: ignore[union-attr]


def _numbers(values: np.ndarray) -> np.ndarray:
    """Return the finite values, and no number where a value is infinite."""
    return np.vectorize(lambda value: value if isinstance(value, int) else np.nan, otypes=[np.float64])(values)  # type: ignore[no-any-return]


def _draw_map(axes: Axes, ranges: tuple[range, ...], values: np.ndarray | None, kinds: np.ndarray) -> None:
    """Draw a cell for each position, the first number upwards, the second to the right."""
    from matplotlib.colors import ListedColormap
    from matplotlib.ticker import MaxNLocator

    first, second = ranges
    extent = (second[0] - 0.5, second[-1] + 0.5, first[0] - 0.5, first[-1] + 0.5)
    look: dict[str, Any] = {"origin": "lower", "extent": extent, "interpolation": "nearest", "aspect": "equal"}
    side = 330 / max(kinds.shape)
    if values is None:
        axes.imshow(np.where(kinds == "D", 1, 0), cmap=ListedColormap([_N, _D]), vmin=0, vmax=1, **look)
    else:
        image = axes.imshow(_numbers(values), cmap="cividis", **look)
        axes.figure.colorbar(image, ax=axes, label="Grundy value", shrink=0.85, ticks=MaxNLocator(integer=True))
    rows, columns = np.nonzero(kinds == "P")
    axes.scatter(
        columns + second[0],
        rows + first[0],
        s=max(side if values is None else 0.75 * side, 1) ** 2,
        c=_P if values is None else "white",
        marker="s",
        edgecolors=_P,
        linewidths=min(1.5, side / 8),
        label=f"P-position ({len(rows):,} of {kinds.size:,})",
    )
    if values is None and (kinds == "D").any():
        axes.scatter([], [], c=_D, marker="s", label=f"draw ({(kinds == 'D').sum():,})")
    if values is not None and max(kinds.shape) <= _MOST_WRITTEN:
        _write_values(axes, ranges, values, kinds == "P", min(12, side / 2.2))
    axes.set(xlabel="second number", ylabel="first number")
    axes.locator_params(integer=True)


def _draw_sequence(axes: Axes, numbers: range, values: np.ndarray | None, kinds: np.ndarray) -> None:
    """Draw a point for each position; one of infinite value stands above the others, with its value."""
    places, kinds = np.array(numbers, np.float64), kinds[:, 0]
    present = [kind for kind in "PND" if kind != "D" or (kinds == kind).any()]
    heights = np.select([kinds == kind for kind in present], range(len(present)))
    if values is not None:
        heights = _numbers(values[:, 0])
        infinite = np.isnan(heights)
        axes.margins(y=0.15 if infinite.any() else None)
        heights[infinite] = np.nanmax(heights, initial=0) + 1
        written = places[infinite] if infinite.sum() <= _MOST_WRITTEN else ()
        for place, value in zip(written, values[infinite, 0], strict=False):
            axes.annotate(str(value), (place, heights[infinite][0]), (0, 6), textcoords="offset points", ha="center")
    size = float(np.clip(20_000 / len(numbers), 2, 40))
    looks = {"N": (_POINT, "o", size), "P": (_P, "s", 1.5 * size), "D": (_D, "D", size)}
    for kind in sorted(present, key="NPD".index):
        (color, marker, large), shown = looks[kind], kinds == kind
        label = f"{'draw' if kind == 'D' else f'{kind}-position'} ({shown.sum():,})"
        axes.scatter(places[shown], heights[shown], s=large, c=color, marker=marker, linewidths=0, label=label)
    if values is None:
        axes.set_yticks(range(len(present)), present)
        axes.set_ylim(-0.5, len(present) - 0.5)
    else:
        axes.set_ylabel("Grundy value")
        axes.locator_params(integer=True)
    axes.set_xlabel("number")


def _write_values(axes: Axes, ranges: tuple[range, ...], values: np.ndarray, lost: np.ndarray, size: float) -> None:
    numbers = _numbers(values)
    middle = (np.nanmin(numbers, initial=2**31) + np.nanmax(numbers, initial=0)) / 2
    for row, column in np.ndindex(values.shape):
        color = _P if lost[row, column] else "white" if numbers[row, column] < middle else "black"
        place = ranges[1][column], ranges[0][row]
        weight = "bold" if lost[row, column] else "normal"
        axes.text(*place, str(values[row, column]), color=color, weight=weight, fontsize=size, ha="center", va="center")
