"""Pictures of values: a scatter of a sequence, and its period as a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.errors import FormatError, plural
from graphgame.heaps.periods import PeriodCertificate
from graphgame.io.figures import new_figure
from graphgame.io.files import PathLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_period", "draw_values"]

_MOST_POINTS = 20_000
_MOST_COLUMNS = 48
_MOST_WRITTEN = 3000
_MOST_CELLS = 1 << 22
_MOST_BANDS = 200
_COMMON, _RARE, _SHADE = "#33658a", "#d1495b", "#d9e6f0"


def draw_values(
    title: str, values: Array, path: PathLike, *, rares: Array | None = None, period: PeriodCertificate | None = None
) -> None:
    """Draw the values of the heaps 0, 1, ...: a point each, or, of long sequences, how dense they lie.

    The rare heaps are marked, and the periods shaded in turn.
    """
    with new_figure(path, (11, 5)) as figure:
        axes = figure.subplots()
        if period is not None:
            _shade(axes, period, len(values))
        if len(values) > _MOST_POINTS:
            _draw_density(axes, values)
        else:
            axes.scatter(np.arange(len(values)), values, _size(len(values)), color=_COMMON, linewidths=0)
        if rares is not None and len(rares):
            name = f"rare values ({len(rares):,})"
            axes.scatter(rares, values[rares], max(8, 1.2 * _size(len(values))), color=_RARE, linewidths=0, label=name)
        axes.set(xlabel="heap", ylabel="Grundy value", xlim=(-0.5, len(values) - 0.5))
        axes.locator_params(axis="y", integer=True)
        axes.set_title(title, parse_math=False)
        if axes.get_legend_handles_labels()[0]:
            figure.legend(loc="outside lower center", ncols=3, frameon=False)


def draw_period(period: PeriodCertificate, path: PathLike) -> None:
    """Draw the values before a period and of one period as a table, a row for each period where that fits.

    The heaps that do not fit the period stand out. Long periods are drawn without numbers; very long ones are refused.
    """
    if (count := len(period.values)) > _MOST_CELLS:
        raise FormatError(f"a table of {count:,} values is too large for a picture: expected at most {_MOST_CELLS:,}")
    columns = _columns(period)
    rows = -(-count // columns)
    written = count <= _MOST_WRITTEN
    size = (0.42 * columns + 1.2, 0.32 * rows + 1.3) if written else (9, 9)
    with new_figure(path, (max(size[0], 6), size[1])) as figure:
        axes = figure.subplots()
        _draw_cells(axes, period, columns, rows)
        if written:
            _write_cells(axes, period, columns)
            axes.set_xticks(range(columns), [f"+{column}" for column in range(columns)], fontsize=7)
            axes.set_yticks(range(rows), [str(row * columns) for row in range(rows)], fontsize=8)
        else:
            axes.yaxis.set_major_formatter(lambda row, _: f"{int(row) * columns:,}")
        axes.tick_params(length=0)
        axes.set_ylabel("heap")
        added = f", {period.saltus} added each time," if period.saltus else ""
        title = f"{period.game}: period {period.period}{added} from heap {period.preperiod} on"
        exceptions = (
            f"\n{plural(len(period.exceptions), 'exception')} outlined" if period.exceptions and written else ""
        )
        axes.set_title(title + exceptions, parse_math=False, fontsize=10)


def _size(points: int) -> float:
    """Return the area of a point, in square points of print."""
    return float(np.clip(20_000 / max(points, 1), 2, 30))


def _shade(axes: Axes, period: PeriodCertificate, heaps: int) -> None:
    """Shade every other period, or all of them together where they are many."""
    start, width = period.preperiod, period.period
    if start >= heaps:
        return
    label = f"period {width:,} from heap {start:,}"
    if (heaps - start) / width > _MOST_BANDS:
        axes.axvspan(start - 0.5, heaps - 0.5, color=_SHADE, zorder=0, label=label)
        return
    for band in range(start, heaps, 2 * width):
        end = min(band + width, heaps)
        axes.axvspan(band - 0.5, end - 0.5, color=_SHADE, zorder=0, linewidth=0, label=label)
        label = "_"
    axes.axvline(start - 0.5, color=_COMMON, linewidth=0.8, linestyle="--")


def _draw_density(axes: Axes, values: Array) -> None:
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
        cmap="viridis_r",
        zorder=1,
        interpolation="nearest",
    )
    axes.figure.colorbar(image, ax=axes, label="heaps in a cell", pad=0.01)


def _columns(period: PeriodCertificate) -> int:
    """Return the length of a row: whole periods, or what gives a table of good shape."""
    if period.period <= _MOST_COLUMNS:
        return period.period * max(1, 12 // period.period)
    if (count := len(period.values)) <= _MOST_WRITTEN:
        return 40
    whole = max(1, round(math.sqrt(count) / period.period))
    return min(period.period * whole, count)


def _draw_cells(axes: Axes, period: PeriodCertificate, columns: int, rows: int) -> None:
    cells = np.full(rows * columns, np.nan)
    cells[: len(period.values)] = period.values
    axes.imshow(cells.reshape(rows, columns), cmap="YlGnBu", aspect="auto", interpolation="nearest", alpha=0.75)


def _write_cells(axes: Axes, period: PeriodCertificate, columns: int) -> None:
    """Write each value into its cell, and outline the exceptions."""
    from matplotlib.patches import Rectangle

    dark = 0.6 * max(period.values)
    for heap, value in enumerate(period.values):
        row, column = divmod(heap, columns)
        colour = "white" if value > dark else "black"
        axes.text(column, row, str(value), ha="center", va="center", fontsize=8, color=colour)
        if heap in period.exceptions:
            axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, color=_RARE, linewidth=1.4))
