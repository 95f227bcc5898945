"""Plots with matplotlib: the histograms of a game, and the colours and signs that all plots share."""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.drawing.style import THEMES, Theme
from graphgame.errors import FormatError, Message, MissingFontWarning, ParameterError, needs_extra, warn_caller
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.labs.layouts.shapes import scale_pixels
from graphgame.solution.results import Decisive, Loopy, ValueCount
from graphgame.text.languages import amount, render, translate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from graphgame.solution.statistics import Statistics


MARKERS = {"P": "o", "N": "s", "D": "H"}
"""matplotlib's marker for each outcome: a circle, a square, a hexagon."""

_STEPS = 64
"""The number of colours in the scale that matplotlib gets."""

_COUNTED = {"P": Message("P-position ({count})"), "N": Message("N-position ({count})"), "D": Message("draw ({count})")}
_OUTLINED_FROM = 8
"""Marks that are larger than this, in square points, have an outline."""


@contextmanager
def themed_figure(
    path: PathLike, size: tuple[float, float], theme: str, title: str, description: str = ""
) -> Iterator[tuple[Figure, Theme]]:
    """Open an empty figure in the colours of a theme; write it to a file when the context ends.

    In an SVG file, the title and the description are the text alternative, for people who cannot see the figure.

    Raises
    ------
    ParameterError
        The theme does not exist.
    FormatError
        The file's name does not end in .svg, .png or .pdf. A suffix of compression, such as .gz, may follow.
    MissingExtraError
        The extra ``plot`` is not installed.
    OSError
        The file cannot be written.
    """
    if theme not in THEMES:
        raise ParameterError("invalid theme {theme!r}: expected one of {themes}", theme, ", ".join(THEMES))
    with new_figure(path, size, THEMES[theme], words=(title, description)) as figure:
        yield figure, THEMES[theme]


def value_colors(theme: Theme) -> Colormap:
    """Return the colour scale for values of N-positions and draws. Infinite values have the colour of N-positions."""
    from matplotlib.colors import ListedColormap

    return ListedColormap(scale_pixels(np.linspace(0, 1, _STEPS), theme) / 255).with_extremes(bad=theme.fills[1])


def mark_look(mark: str, size: float, theme: Theme) -> dict[str, Any]:
    """Return the look of points for an outcome: a dict with the keys "marker", "color" and "outline".

    ``size`` is the area of a point, in square points.
    """
    # Small points have no outline. Small points of N-positions get the strongest colour of the scale, to be visible.
    outlined = size > _OUTLINED_FROM
    color: Any = theme.color_of(mark)
    if mark == "N" and not outlined:
        color = tuple((scale_pixels(np.ones(1), theme)[0] / 255).tolist())
    return {"marker": MARKERS[mark], "color": color, "outline": theme.outline if outlined else "none"}


def draw_points(axes: Axes, mark: str, across: np.ndarray, up: np.ndarray, size: float, theme: Theme) -> None:
    """Draw points at (across, up) for the positions of the outcome ``mark``. ``size`` is in square points."""
    look = mark_look(mark, size, theme)
    style: dict[str, Any] = {"marker": look["marker"], "edgecolors": look["outline"], "linewidths": 0.6}
    axes.scatter(across, up, s=size, c=[look["color"]], **style)


def counted_mark(mark: str, count: int) -> str:
    """Return a legend's text for an outcome with the number of its positions, such as "P-position (12)"."""
    return translate(_COUNTED[mark], count=f"{count:,}")


def legend_mark(mark: str, label: str, theme: Theme, size: float = 40) -> Line2D:
    """Return an entry of a legend: ``label`` with a sign that looks like the points for the outcome ``mark``.

    ``size`` is the area of these points, in square points. It does not change the size of the sign.
    """
    from matplotlib.lines import Line2D

    look = mark_look(mark, size, theme)
    style: dict[str, Any] = {"markerfacecolor": look["color"], "markeredgecolor": look["outline"], "markersize": 8}
    return Line2D([], [], linestyle="none", marker=look["marker"], label=label, **style)


_MOST_BARS = 200
_NAMES = {str(each): each for each in (Message("value"), Message("options"), Message("longest play"))}


def plot_statistics(figures: Statistics, path: PathLike, *, theme: str = "light", title: str | None = None) -> None:
    """Draw the histograms of birthdays, out-degrees, and values that are numbers.

    Parameters
    ----------
    figures : Statistics
    path : str or os.PathLike
        A .svg, .png or .pdf file.
    theme : {"light", "dark", "print"}
    title : str, optional
        The title. The default is the size of the game and the play convention; an empty text means no title.

    Raises
    ------
    ParameterError, FormatError, MissingExtraError, OSError
        See :func:`themed_figure`.
    """
    play = translate("normal play" if not figures.misere else "misère play")
    size = translate(", ").join([amount(figures.vertices, "vertex"), amount(figures.edges, "edge"), play])
    histograms = {"longest play": figures.birthdays, "options": figures.out_degrees, "value": figures.values}
    heading = size if title is None else title
    with themed_figure(path, (8, 2.8), theme, heading, size) as (figure, colors):
        for axes, (name, histogram) in zip(figure.subplots(1, len(histograms)), histograms.items(), strict=True):
            _draw_histogram(axes, name, histogram, colors, zero_is_p=name == "value" and not figures.misere)
        figure.suptitle(heading, parse_math=False)


def _draw_histogram(axes: Axes, name: str, histogram: dict[Any, ValueCount], theme: Theme, *, zero_is_p: bool) -> None:
    """Draw a histogram. ``name``, a key of ``_NAMES``, says which numbers it counts, and labels the x axis.

    With ``zero_is_p``, the bar with the value 0 has the colour of P-positions. Infinite and decisive values are left
    out.
    """
    finite = {key: entry.count for key, entry in histogram.items() if not isinstance(key, (Loopy, Decisive))}
    keys, counts = np.array(list(finite), np.float64), list(finite.values())
    low, high = (keys[0], keys[-1] + 1) if len(keys) else (0, 1)
    bars: Any = min(_MOST_BARS, int(high - low))
    heights, edges = np.histogram(keys, bars, (low, high), weights=counts)
    outlined = bars <= _MOST_BARS // 4
    rim: dict[str, Any] = {"edgecolor": theme.outline if outlined else "none", "linewidth": 0.6, "align": "edge"}
    colors = [theme.move if name != "value" else mark_look("N", 40 * outlined, theme)["color"]] * bars
    drawn = axes.bar(edges[:-1] - 0.5, heights, np.diff(edges), color=colors, **rim)
    if zero_is_p and low == 0:
        drawn[0].set_facecolor(theme.fills[0])
        drawn[0].set_label("P")
        axes.legend(handles=[legend_mark("P", "P", theme)], frameon=False)
    axes.set_xlabel(render(_NAMES[name]))
    axes.set_ylabel(translate("positions" if name == "value" else "vertices"))
    axes.locator_params(integer=True)


_DEFAULT_FONT = "DejaVu Sans"
_PREFERRED = ("Sans", "SC", "Hei")
"""Fonts whose names contain more of these texts are tried first."""

_UNDATED: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


def set_fonts(figure: Figure) -> None:
    """Set fonts for those texts of a figure that are not ASCII; warn if one of their characters is in no font."""
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if not text.get_text().isascii()]
    needed = {letter for text in texts for letter in text.get_text() if not letter.isspace()}
    families, missing = _families(needed)
    for text in texts:
        text.set_fontfamily(families)
    if missing:
        warn_of_missing(missing, "".join(text.get_text() for text in texts))


def warn_of_missing(missing: set[str], written: str) -> None:
    """Warn that no font has the characters ``missing``, which occur in the text ``written``."""
    shown, dots = "".join(sorted(missing, key=written.index)[:5]), "..." if len(missing) > 5 else ""
    fault = Message(
        "no font on this machine has {characters}, which are drawn as empty boxes: install a font that has them, such "
        "as the package fonts-noto-cjk for Chinese, or write an SVG with draw, which uses the viewer's fonts",
        shown + dots,
    )
    warn_caller(fault, MissingFontWarning)


def _families(needed: set[str]) -> tuple[list[str], set[str]]:
    """Return fonts that together have the needed characters, the default font first; and the characters in no font."""
    from matplotlib.font_manager import findfont, get_font

    families, missing = [_DEFAULT_FONT], set(needed)
    missing -= set(map(chr, get_font(findfont(_DEFAULT_FONT)).get_charmap()))
    for name, path in _other_fonts():
        if not missing:
            break
        try:
            covered = missing & set(map(chr, get_font(path).get_charmap()))
        except (OSError, RuntimeError):  # the font file is damaged
            continue
        if covered:
            families.append(name)
            missing -= covered
    return families, missing


def _other_fonts() -> Iterator[tuple[str, str]]:
    """Yield (name, file) of fonts: first those of normal weight in matplotlib's list, then fonts that the list lacks.

    The fonts that the list lacks are fonts of the system. Each is added to the list before it is yielded.
    """
    from matplotlib.font_manager import findSystemFonts, fontManager

    listed = {entry.fname: entry.name for entry in reversed(fontManager.ttflist) if entry.weight in (400, "normal")}
    listed |= {entry.fname: entry.name for entry in fontManager.ttflist if "SC" in entry.name and entry.weight == 400}
    order = sorted(listed.items(), key=lambda item: -sum(part in item[1] for part in _PREFERRED))
    yield from ((name, path) for path, name in order if "LastResort" not in path)
    known = {entry.fname for entry in fontManager.ttflist}
    for path in sorted(set(findSystemFonts()) - known):
        fontManager.addfont(path)
        yield fontManager.ttflist[-1].name, path


@contextmanager
def new_figure(
    path: PathLike,
    size: tuple[float, float],
    theme: Theme,
    *,
    dpi: float = 150,
    words: tuple[str, str] = ("", ""),
) -> Iterator[Figure]:
    """Open an empty figure in the colours of a theme, and write it to a file when the context ends.

    ``size`` is in inches. The same figure always gives the same file. ``words`` are a title and a description, which
    only SVG files contain. The context raises FormatError if the name does not end in .svg, .png or .pdf (a suffix of
    compression, such as .gz, may follow), and MissingExtraError without the extra ``plot``.
    """
    suffix = plain_suffix(path)
    if suffix not in _UNDATED or os.fspath(path) == "-":
        raise FormatError(
            "cannot plot to {path!r}: expected a file name that ends in .svg, .png or .pdf", os.fspath(path)
        )
    with needs_extra(Message("a plot"), "plot"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    ink = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.titlecolor")
    settings: Any = {
        **dict.fromkeys(ink, theme.ink),
        **dict.fromkeys(("axes.facecolor", "figure.facecolor"), theme.paper),
        "axes.edgecolor": theme.outline,
        "svg.hashsalt": "graphgame",
    }
    with mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        set_fonts(figure)
        image = BytesIO()
        with _quiet():
            figure.savefig(image, format=suffix[1:], dpi=dpi, metadata=_UNDATED[suffix])
    with open_atomic(path, "wb") as stream:
        stream.write(_described(image.getvalue(), words) if suffix == ".svg" else image.getvalue())


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress matplotlib's log messages below errors, and its warnings about missing glyphs."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph", UserWarning)
            yield
    finally:
        logger.setLevel(level)


def _described(image: bytes, words: tuple[str, str]) -> bytes:
    """Return an SVG image with a title and a description, for people who cannot see it."""
    title, description = map(escape, words)
    texts = f"\n<title>{title}</title>\n<desc>{description}</desc>".encode()
    return re.sub(rb"<svg(.*?>)", lambda tag: b'<svg role="img"' + tag[1] + texts, image, count=1, flags=re.DOTALL)
