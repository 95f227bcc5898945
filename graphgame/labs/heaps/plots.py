"""Plots of sequences of values with their periods."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.drawing.plots import counted_mark, draw_points, legend_mark, themed_figure, value_colors
from graphgame.drawing.style import ink_on
from graphgame.drawing.themes import Theme, pixels, scale_pixels
from graphgame.errors import FormatError
from graphgame.io.files import PathLike
from graphgame.labs.heaps.certificates import PeriodCertificate
from graphgame.text.languages import amount, translate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_POINTS = 20_000


_MOST_COLUMNS = 48


_MOST_HEAPS_WRITTEN = 3000


_MOST_CELLS = 1 << 22


_MOST_BANDS = 200


_RED_IN_THE_DARK = "#ff6b6b"


def plot_heaps(
    name: str,
    values: Array,
    path: PathLike,
    *,
    rares: Array | None = None,
    period: PeriodCertificate | None = None,
    theme: str = "light",
    title: str | None = None,
) -> None:
    """Draw the values of the heaps 0, 1, ...: a point each, or, of long sequences, how dense they lie.

    P-positions are round, as in pictures; rare values are triangles, and the periods shaded in turn.
    """
    from matplotlib.lines import Line2D

    named = name if title is None else title
    words = f"{name}: {translate('heaps 0 to {last}', last=f'{len(values) - 1:,}')}"
    with themed_figure(path, (7.5, 4), theme, named, words) as (figure, colors):
        axes = figure.subplots()
        if period is not None:
            _shade(axes, period, len(values), colors)
        handles: list[Any] = []
        if len(values) > _MOST_POINTS:
            _draw_density(axes, values, colors)
        else:
            common = np.ones(len(values), np.bool_)
            if rares is not None:
                common[rares] = values[rares] == 0
            for mark in "NP":
                shown = (values == 0) == (mark == "P")
                size = _size(len(values)) * (1.5 if mark == "P" else 1)
                heaps = np.flatnonzero(shown & common)
                draw_points(axes, mark, heaps, values[heaps], size, colors)
                handles.append(legend_mark(mark, counted_mark(mark, int(np.count_nonzero(shown))), colors, size))
        if rares is not None and len(rares):
            label = translate("rare values ({count})", count=f"{len(rares):,}")
            look: dict[str, Any] = {"color": colors.token if theme != "dark" else _RED_IN_THE_DARK, "marker": "^"}
            axes.scatter(rares, values[rares], max(14, 1.6 * _size(len(values))), linewidths=0, **look)
            handles.append(Line2D([], [], linestyle="none", markersize=8, label=label, **look))
        edge = max(0.5, len(values) / 80) if len(values) <= _MOST_POINTS else 0.5
        axes.set(xlabel=translate("heap"), ylabel=translate("Grundy value"), xlim=(-edge, len(values) - 1 + edge))
        axes.locator_params(axis="y", integer=True)
        axes.set_title(named, parse_math=False)
        handles += axes.get_legend_handles_labels()[0][: len(axes.patches) > 0]
        if handles:
            figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)


def plot_period(period: PeriodCertificate, path: PathLike, *, theme: str = "light", title: str | None = None) -> None:
    """Draw the values before a period and of one period as a table, a row for each period where that fits.

    The heaps that do not fit the period stand out. Long periods are drawn without numbers; very long ones are refused.
    """
    if (count := len(period.values)) > _MOST_CELLS:
        raise FormatError(
            "a table of {count:,} values is too large for a picture: expected at most {most:,}", count, _MOST_CELLS
        )
    columns = _columns(period)
    rows = -(-count // columns)
    written = count <= _MOST_HEAPS_WRITTEN
    size = (0.42 * columns + 1.2, 0.32 * rows + 1.3) if written else (9, 9)
    facts = {"length": period.period, "start": period.preperiod, "saltus": period.saltus}
    if period.saltus:
        told = translate("period {length}, {saltus} added each time, from heap {start} on", **facts)
    else:
        told = translate("period {length} from heap {start} on", **facts)
    told = f"{period.game}: {told}"
    named = told if title is None else title
    if title is None and period.exceptions and written:
        named += "\n" + translate("{exceptions} outlined", exceptions=amount(len(period.exceptions), "exception"))
    with themed_figure(path, (max(size[0], 6), size[1]), theme, named, told) as (figure, colors):
        axes = figure.subplots()
        cells = _draw_cells(axes, period, columns, rows, colors)
        if written:
            _write_cells(axes, period, cells, colors)
            axes.set_xticks(range(columns), [f"+{column}" for column in range(columns)], fontsize=7)
            axes.set_yticks(range(rows), [str(row * columns) for row in range(rows)], fontsize=8)
        else:
            axes.yaxis.set_major_formatter(lambda row, _: f"{int(row) * columns:,}")
        axes.tick_params(length=0)
        axes.set_ylabel(translate("heap"))
        axes.set_title(named, parse_math=False, fontsize=10)


def _size(points: int) -> float:
    """Return the area of a point, in square points of print."""
    return float(np.clip(20_000 / max(points, 1), 2, 30))


def _shade(axes: Axes, period: PeriodCertificate, heaps: int, theme: Theme) -> None:
    """Shade every other period, or all of them together where they are many."""
    start, width = period.preperiod, period.period
    if start >= heaps:
        return
    label = translate("period {length} from heap {start}", length=f"{width:,}", start=f"{start:,}")
    if (heaps - start) / width > _MOST_BANDS:
        axes.axvspan(start - 0.5, heaps - 0.5, color=theme.fills[2], alpha=0.5, zorder=0, label=label)
        return
    for band in range(start, heaps, 2 * width):
        end = min(band + width, heaps)
        axes.axvspan(band - 0.5, end - 0.5, color=theme.fills[2], alpha=0.5, zorder=0, linewidth=0, label=label)
        label = "_"
    axes.axvline(start - 0.5, color=theme.outline, linewidth=0.8, linestyle="--")


def _draw_density(axes: Axes, values: Array, theme: Theme) -> None:
    from matplotlib.colors import LogNorm

    highest = int(values.max()) + 1
    counts = np.zeros((min(highest, 300), 600))
    for block in np.array_split(np.arange(len(values)), -(-len(values) // (1 << 20))):
        column = block * counts.shape[1] // len(values)
        row = values[block].astype(np.int64) * counts.shape[0] // highest
        np.add.at(counts, (row, column), 1)
    shown = np.ma.masked_equal(counts, 0)
    extent = (-0.5, len(values) - 0.5, -0.5, highest - 0.5)
    image = axes.imshow(
        shown,
        origin="lower",
        aspect="auto",
        extent=extent,
        norm=LogNorm(),
        cmap=value_colors(theme),
        zorder=1,
        interpolation="nearest",
    )
    axes.figure.colorbar(image, ax=axes, label=translate("heaps in a cell"), pad=0.01)


def _columns(period: PeriodCertificate) -> int:
    """Return the length of a row: whole periods, or what gives a table of good shape."""
    if period.period <= _MOST_COLUMNS:
        return period.period * max(1, 12 // period.period)
    if (count := len(period.values)) <= _MOST_HEAPS_WRITTEN:
        return 40
    whole = max(1, round(sqrt(count) / period.period))
    return min(period.period * whole, count)


def _draw_cells(axes: Axes, period: PeriodCertificate, columns: int, rows: int, theme: Theme) -> np.ndarray:
    """Draw the cells, those of P-positions in their colour; return the colours."""
    values = np.zeros(rows * columns, np.int64)
    values[: len(period.values)] = period.values
    cells = scale_pixels(values / max(int(values.max()), 1), theme)
    cells[values == 0] = pixels(theme.fills[0])
    cells[len(period.values) :] = pixels(theme.paper)
    cells = cells.reshape(rows, columns, 3)
    axes.imshow(cells, aspect="auto", interpolation="nearest")
    return cells


def _write_cells(axes: Axes, period: PeriodCertificate, cells: np.ndarray, theme: Theme) -> None:
    """Write each value into its cell, and outline the exceptions."""
    from matplotlib.patches import Rectangle

    for heap, value in enumerate(period.values):
        row, column = divmod(heap, cells.shape[1])
        ink, weight = ink_on(f"#{cells[row, column].tobytes().hex()}"), "bold" if value == 0 else "normal"
        axes.text(column, row, str(value), ha="center", va="center", fontsize=8, color=ink, weight=weight)
        if heap in period.exceptions:
            outline: dict[str, Any] = {"fill": False, "color": theme.ink, "linewidth": 1.6}
            axes.add_patch(Rectangle((column - 0.44, row - 0.44), 0.88, 0.88, **outline))
