"""Plots of tables of values: heat maps, P-positions and sequences."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.drawing.style import Theme, ink_on
from graphgame.io.files import PathLike
from graphgame.labs.layouts.plots import MARKERS, counted_mark, draw_points, legend_mark, themed_figure, value_colors
from graphgame.labs.layouts.shapes import scale_pixels
from graphgame.labs.tables.tables import ValueTable
from graphgame.labs.tables.value_tables import PPositions, seen_from_afar
from graphgame.text.languages import translate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_WRITTEN = 21
"""In a map, values are written into the cells if it has at most this many rows and at most this many columns. In a plot
of one range, values that are not integers are labelled if there are at most this many of them."""

_RING_FROM = 9
"""The least side, in points, of a cell in which a marker is drawn."""

_MOST_DOTS = 700
"""The maximum number of rows, and of columns, of dots in a map. In a larger table a dot stands for a block."""


def plot_values(
    table: ValueTable | PPositions,
    path: PathLike,
    *,
    outcomes: bool = False,
    theme: str = "light",
    title: str | None = None,
) -> None:
    """Plot a table of values.

    With two ranges the plot is a heat map that highlights P-positions; up to 21 rows and columns it also has the values
    as numbers. With one range it has a point for each value. Markers and colours are those of pictures of graphs.

    Parameters
    ----------
    table : ValueTable or PPositions
        If two ranges give more than 700 rows or columns, P-positions and draws are marked in blocks: a block is marked
        if it has one.
    path : str or os.PathLike
        A .svg, .png or .pdf file.
    outcomes : bool
        Show the outcomes P, N and D in place of the values.
    theme : {"light", "dark", "print"}
        For a light or a dark background, or for print without colour.
    title : str, optional
        By default the text of the table, and "misère play" if that is its convention. An empty string means no title.

    Raises
    ------
    ParameterError
        The theme does not exist. Or ``outcomes`` is False and the ValueTable has no values, for example because it is
        of sums under misère play.
    FormatError
        The file name has another ending.
    MissingExtraError
        The extra ``plot`` is not installed.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import value_table
    >>> path = pathlib.Path(tempfile.mkdtemp(), "wythoff.svg")
    >>> plot_values(value_table("wythoff(0..8, 0..8)"), path, theme="print")
    >>> path.read_text()[:5]
    '<?xml'
    """
    if isinstance(table, PPositions):
        most = _MOST_DOTS if len(table.ranges) == 2 else len(table.ranges[0])
        values, kinds = None, np.where(table.seen_from_afar(most), "P", "N")
        counts = {"P": table.count, "N": prod(map(len, table.ranges)) - table.count}
    else:
        values, kinds = None if outcomes else np.array(table.entries(), object), np.array(table.outcomes)
        counts = {mark: int((kinds == mark).sum()) for mark in "PND"}
    labels = {mark: counted_mark(mark, count) for mark, count in counts.items() if mark != "D" or count}
    play = f"{translate(', ')}{translate('misère play')}" if table.misere else ""
    named = f"{table.text}{play}" if title is None else title
    two = len(table.ranges) == 2
    description = f"{table.text}{play}: {', '.join(labels.values())}"
    with themed_figure(path, (7.5, 6.6) if two else (7.5, 3.6), theme, named, description) as (figure, colors):
        axes = figure.subplots()
        if two:
            _draw_map(axes, table.ranges, values, kinds, colors)
        else:
            _draw_sequence(axes, table.ranges[0], values, kinds, colors)
        axes.set_title(named, parse_math=False, pad=10)
        size = 40 if two else _point_size(len(table.ranges[0]))
        handles = [legend_mark(mark, label, colors, size) for mark, label in labels.items()]
        figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)


def _numbers(values: np.ndarray) -> np.ndarray:
    """Return an array of values as floats, with NaN for None and for values that are not integers."""
    return np.vectorize(lambda value: value if isinstance(value, int) else np.nan, otypes=[np.float64])(values)  # type: ignore[no-any-return]


def _draw_map(
    axes: Axes, ranges: tuple[range, ...], values: np.ndarray | None, kinds: np.ndarray, theme: Theme
) -> None:
    """Draw a cell for each entry: a row for each number of the first range, a column for each number of the second.

    ``kinds`` has the outcome of each entry: P, N or D, or None if it is not a position. Without ``values``, ``kinds``
    may be a smaller array with an entry for each block of the table: P if the block has a P-position, otherwise N.
    """
    from matplotlib.colors import ListedColormap
    from matplotlib.ticker import MaxNLocator

    first, second = ranges
    extent = (second[0] - 0.5, second[-1] + 0.5, first[-1] + 0.5, first[0] - 0.5)
    look: dict[str, Any] = {"extent": extent, "interpolation": "nearest", "aspect": "equal"}
    side = 330 / max(kinds.shape)
    if values is None:
        axes.imshow(np.zeros(kinds.shape), cmap=ListedColormap([theme.fills[1]]), **look)
    else:
        numbers = np.where(kinds == "P", np.nan, _numbers(values))
        low, high = np.nanmin(numbers, initial=2**31), np.nanmax(numbers, initial=0)
        image = axes.imshow(numbers, cmap=value_colors(theme), vmin=low, vmax=max(high, low + 1), **look)
        if high >= low:
            ticks = MaxNLocator(integer=True)
            axes.figure.colorbar(image, ax=axes, label=translate("Grundy value"), shrink=0.85, ticks=ticks)
    for mark, color in (("P", theme.fills[0]), ("D", theme.fills[2]), (None, theme.paper)):
        rows, columns = np.nonzero(kinds == mark)
        if not len(rows):
            continue
        marked = seen_from_afar(kinds == mark, kinds.shape, _MOST_DOTS) if mark else kinds == mark
        cells = np.where(marked, 0.0, np.nan)
        axes.imshow(cells, cmap=ListedColormap([color]).with_extremes(bad=(0, 0, 0, 0)), **look)
        if side >= _RING_FROM and mark is not None:
            ring: dict[str, Any] = {"marker": MARKERS[mark], "c": "none", "edgecolors": ink_on(color), "linewidths": 1}
            axes.scatter(columns + second[0], rows + first[0], s=(0.75 * side) ** 2, **ring)
    if values is not None and max(kinds.shape) <= _MOST_WRITTEN:
        _write_values(axes, ranges, values, kinds == "P", min(12, side / 2.2), theme)
    # A step of 1, 2, 5, 10, 20, ... that gives each axis at most eleven ticks.
    steps = (digit * 10**power for power in range(19) for digit in (1, 2, 5))
    step = next(each for each in steps if 11 * each >= max(map(len, ranges)))
    across, down = ([n for n in numbers if n % step == 0] or numbers[:1] for numbers in (second, first))
    axes.set(xlabel=translate("second number"), ylabel=translate("first number"), xticks=across, yticks=down)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")


def _draw_sequence(axes: Axes, numbers: range, values: np.ndarray | None, kinds: np.ndarray, theme: Theme) -> None:
    """Draw a point for each position, at the height of its value; without ``values``, at the height of its outcome.

    Values that are not integers are drawn above all others, and labelled if there are at most 21 of them. ``kinds`` has
    the outcome of each number, P, N or D, or None if it has none.
    """
    x, kinds = np.array(numbers, np.float64), kinds[:, 0]
    present = [kind for kind in "PND" if kind != "D" or (kinds == kind).any()]
    heights = np.select([kinds == kind for kind in present], range(len(present)))
    if values is not None:
        heights = _numbers(values[:, 0])
        infinite = np.isnan(heights) & kinds.astype(bool)
        axes.margins(y=0.15 if infinite.any() else None)
        heights[infinite] = np.nanmax(heights, initial=0) + 1
        labelled = x[infinite] if infinite.sum() <= _MOST_WRITTEN else ()
        for at, value in zip(labelled, values[infinite, 0], strict=False):
            axes.annotate(str(value), (at, heights[infinite][0]), (0, 6), textcoords="offset points", ha="center")
    size = _point_size(len(numbers))
    for kind in sorted(present, key="NPD".index):
        shown = kinds == kind
        draw_points(axes, kind, x[shown], heights[shown], size * (1.5 if kind == "P" else 1), theme)
    if values is None:
        axes.set_yticks(range(len(present)), present)
        axes.set_ylim(-0.5, len(present) - 0.5)
    else:
        axes.set_ylabel(translate("Grundy value"))
        axes.locator_params(integer=True)
    axes.set_xlabel(translate("number"))


def _point_size(points: int) -> float:
    return float(np.clip(20_000 / max(points, 1), 2, 40))


def _write_values(
    axes: Axes, ranges: tuple[range, ...], values: np.ndarray, is_p: np.ndarray, font_size: float, theme: Theme
) -> None:
    """Write each value into its cell, in bold at P-positions, where ``is_p`` is true."""
    numbers = np.where(is_p, np.nan, _numbers(values))
    low, high = np.nanmin(numbers, initial=2**31), np.nanmax(numbers, initial=0)
    cells = scale_pixels(np.nan_to_num((numbers - low) / max(high - low, 1)).clip(0, 1), theme)
    for row, column in np.ndindex(values.shape):
        color = ink_on(theme.fills[0] if is_p[row, column] else f"#{cells[row, column].tobytes().hex()}")
        x, y = ranges[1][column], ranges[0][row]
        weight = "bold" if is_p[row, column] else "normal"
        text = "" if values[row, column] is None else str(values[row, column])
        axes.text(x, y, text, color=color, weight=weight, fontsize=font_size, ha="center", va="center")
