"""Plots: values as heat maps, P-positions, histograms of a game, and sequences of values with their periods."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.drawing.style import ink_on
from graphgame.drawing.themes import THEMES, Theme, pixels, scale_pixels
from graphgame.errors import FormatError, Message, OptionError
from graphgame.io.figures import new_figure
from graphgame.io.files import PathLike
from graphgame.labs.heaps.certificates import PeriodCertificate
from graphgame.labs.tables.tables import ValueTable
from graphgame.labs.tables.value_tables import LostTable
from graphgame.solution.results import Loopy, ValueCount
from graphgame.text.languages import amount, translate
from graphgame.text.sentences import word_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from graphgame.solution.statistics import Statistics

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


_MOST_WRITTEN = 21
_RING_FROM = 9
_MOST_BARS = 200
_MOST_DOTS = 700


def plot_values(
    table: ValueTable | LostTable,
    path: PathLike,
    *,
    outcomes: bool = False,
    theme: str = "light",
    title: str | None = None,
) -> None:
    """Plot a table of values.

    Two ranges make a heat map on which the P-positions stand out, and numbered where there is room; one range makes a
    point for each value. Signs and colours are those of pictures.

    Parameters
    ----------
    table : ValueTable or LostTable
        Of the latter each dot stands for some entries, of which one at least is a P-position.
    path : str or os.PathLike
        A .svg, .png or .pdf file.
    outcomes : bool
        Show P and N in place of the values.
    theme : {"light", "dark", "print"}
        For a light or a dark background, or for print without colour.
    title : str, optional
        The default is what the table is of; an empty text leaves it out.

    Raises
    ------
    OptionError
        The table has no values, as that of a sum under misère play, and the outcomes are not asked for; or there is no
        such theme.
    FormatError, MissingExtraError, OSError
        The name ends otherwise, the extra ``plot`` is not installed, the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import value_table
    >>> path = pathlib.Path(tempfile.mkdtemp(), "wythoff.svg")
    >>> plot_values(value_table("wythoff(0..8, 0..8)"), path, theme="print")
    >>> path.read_text()[:5]
    '<?xml'
    """
    if isinstance(table, LostTable):
        values, kinds = None, np.where(table.seen_from_afar(_MOST_DOTS), "P", "N")
        counts = {"P": table.count, "N": prod(map(len, table.ranges)) - table.count}
    else:
        values, kinds = None if outcomes else np.array(table.entries(), object), np.array(table.outcomes)
        counts = {mark: int((kinds == mark).sum()) for mark in "PND"}
    labels = {mark: counted_mark(mark, count) for mark, count in counts.items() if mark != "D" or count}
    play = f"{translate(', ')}{translate('misère play')}" if table.play == "misere" else ""
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


def plot_statistics(figures: Statistics, path: PathLike, *, theme: str = "light", title: str | None = None) -> None:
    """Draw the histograms of birthdays, out-degrees and finite values.

    Parameters
    ----------
    figures : Statistics
    path : str or os.PathLike
        A .svg, .png or .pdf file.
    theme : {"light", "dark", "print"}
    title : str, optional
        The default tells the size; an empty text leaves it out.

    Raises
    ------
    OptionError
        There is no such theme.
    FormatError, MissingExtraError, OSError
        The name ends otherwise, the extra ``plot`` is not installed, the file cannot be written.
    """
    play = translate("normal play" if figures.play == "normal" else "misère play")
    size = translate(", ").join([amount(figures.vertices, "vertex"), amount(figures.edges, "edge"), play])
    histograms = {"longest play": figures.birthdays, "options": figures.out_degrees, "value": figures.values}
    named = size if title is None else title
    with themed_figure(path, (8, 2.8), theme, named, size) as (figure, colors):
        for axes, (name, histogram) in zip(figure.subplots(1, len(histograms)), histograms.items(), strict=True):
            _draw_histogram(axes, name, histogram, colors, lost=name == "value" and figures.play == "normal")
        figure.suptitle(named, parse_math=False)


def _draw_histogram(axes: Axes, name: str, histogram: dict[Any, ValueCount], theme: Theme, *, lost: bool) -> None:
    """Draw a histogram; of values the bar of 0, which P-positions have, is told apart."""
    finite = {key: entry.count for key, entry in histogram.items() if not isinstance(key, Loopy)}
    keys, counts = np.array(list(finite), np.float64), list(finite.values())
    low, high = (keys[0], keys[-1] + 1) if len(keys) else (0, 1)
    bars: Any = min(_MOST_BARS, int(high - low))
    heights, edges = np.histogram(keys, bars, (low, high), weights=counts)
    few = bars <= _MOST_BARS // 4
    rim: dict[str, Any] = {"edgecolor": theme.outline if few else "none", "linewidth": 0.6, "align": "edge"}
    colors = [theme.move if name != "value" else mark_look("N", 40 * few, theme)["color"]] * bars
    found = axes.bar(edges[:-1] - 0.5, heights, np.diff(edges), color=colors, **rim)
    if lost and low == 0:
        found[0].set_facecolor(theme.fills[0])
        found[0].set_label("P")
        axes.legend(handles=[legend_mark("P", "P", theme)], frameon=False)
    axes.set_xlabel(word_for(name))
    axes.set_ylabel(translate("positions" if name == "value" else "vertices"))
    axes.locator_params(integer=True)


def _numbers(values: np.ndarray) -> np.ndarray:
    """Return the finite values, and no number where a value is infinite."""
    return np.vectorize(lambda value: value if isinstance(value, int) else np.nan, otypes=[np.float64])(values)  # type: ignore[no-any-return]


def _draw_map(
    axes: Axes, ranges: tuple[range, ...], values: np.ndarray | None, kinds: np.ndarray, theme: Theme
) -> None:
    """Draw a cell for each position, as a printed table has it: the first number downwards, the second to the right."""
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
        cells = np.where(_seen_from_afar(kinds == mark) if mark else kinds == mark, 0.0, np.nan)
        axes.imshow(cells, cmap=ListedColormap([color]).with_extremes(bad=(0, 0, 0, 0)), **look)
        if side >= _RING_FROM and mark is not None:
            ring: dict[str, Any] = {"marker": MARKERS[mark], "c": "none", "edgecolors": ink_on(color), "linewidths": 1}
            axes.scatter(columns + second[0], rows + first[0], s=(0.75 * side) ** 2, **ring)
    if values is not None and max(kinds.shape) <= _MOST_WRITTEN:
        _write_values(axes, ranges, values, kinds == "P", min(12, side / 2.2), theme)
    step = _tick_step(max(map(len, ranges)))
    across, down = ([n for n in numbers if n % step == 0] or numbers[:1] for numbers in (second, first))
    axes.set(xlabel=translate("second number"), ylabel=translate("first number"), xticks=across, yticks=down)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")


def _seen_from_afar(marked: np.ndarray) -> np.ndarray:
    """Return whether something is marked in each of at most so many rows and columns as a picture has dots."""
    for axis, size in enumerate(marked.shape):
        marked = np.logical_or.reduceat(marked, np.arange(0, size, -(-size // _MOST_DOTS)), axis)
    return marked


def _tick_step(numbers: int) -> int:
    """Return the least of 1, 2, 5, 10, 20, ... that leaves at most eleven of so many numbers."""
    steps = (digit * 10**power for power in range(19) for digit in (1, 2, 5))
    return int(next(step for step in steps if 11 * step >= numbers))


def _draw_sequence(axes: Axes, numbers: range, values: np.ndarray | None, kinds: np.ndarray, theme: Theme) -> None:
    """Draw a point for each position; one of infinite value stands above the others, with its value."""
    places, kinds = np.array(numbers, np.float64), kinds[:, 0]
    present = [kind for kind in "PND" if kind != "D" or (kinds == kind).any()]
    heights = np.select([kinds == kind for kind in present], range(len(present)))
    if values is not None:
        heights = _numbers(values[:, 0])
        infinite = np.isnan(heights) & kinds.astype(bool)
        axes.margins(y=0.15 if infinite.any() else None)
        heights[infinite] = np.nanmax(heights, initial=0) + 1
        written = places[infinite] if infinite.sum() <= _MOST_WRITTEN else ()
        for place, value in zip(written, values[infinite, 0], strict=False):
            axes.annotate(str(value), (place, heights[infinite][0]), (0, 6), textcoords="offset points", ha="center")
    size = _point_size(len(numbers))
    for kind in sorted(present, key="NPD".index):
        shown = kinds == kind
        draw_points(axes, kind, places[shown], heights[shown], size * (1.5 if kind == "P" else 1), theme)
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
    axes: Axes, ranges: tuple[range, ...], values: np.ndarray, lost: np.ndarray, size: float, theme: Theme
) -> None:
    """Write each value into its cell."""
    numbers = np.where(lost, np.nan, _numbers(values))
    low, high = np.nanmin(numbers, initial=2**31), np.nanmax(numbers, initial=0)
    cells = scale_pixels(np.nan_to_num((numbers - low) / max(high - low, 1)).clip(0, 1), theme)
    for row, column in np.ndindex(values.shape):
        color = ink_on(theme.fills[0] if lost[row, column] else f"#{cells[row, column].tobytes().hex()}")
        place = ranges[1][column], ranges[0][row]
        weight = "bold" if lost[row, column] else "normal"
        text = "" if values[row, column] is None else str(values[row, column])
        axes.text(*place, text, color=color, weight=weight, fontsize=size, ha="center", va="center")


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
