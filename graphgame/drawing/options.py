"""The options of pictures, and the check of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, Protocol, TypedDict

from graphgame.drawing.style import NAMES, THEMES, Theme, is_color
from graphgame.errors import Message, checks_parameters, wrong_value
from graphgame.rules.pictures import Picture

LAYOUTS = ("dot", "board", "layers", "overview")
LEGENDS = ("below", "right")
WIDTH, HEIGHT = 1280, 720
"""The size of a page in pixels. It has the shape of a slide, and text is readable when the whole page is visible."""
_TIMEOUT = 60
_RATIO = re.compile(r"([0-9]{1,5}(?:\.[0-9]+)?)(?: *[:/x] *([0-9]{1,5}(?:\.[0-9]+)?))?")
_LARGEST_RATIO = 5


class Genera(Protocol):
    """A table with the genus of each position of a graph: see :class:`graphgame.misere.GenusTable`."""

    def __getitem__(self, position: Hashable, /) -> object: ...

    def genus_of(self, *positions: Hashable) -> object:
        """Return the genus of the sum of some positions."""


@checks_parameters
@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """The options of a picture.

    Attributes
    ----------
    reachable_from : iterable of hashable
        Draw only these positions and those that play can reach from them.
    around : iterable of hashable
        Draw only positions within ``steps`` moves of one of these positions, forwards or backwards.
    steps : int
        The distance for ``around``, in moves.
    only : {"P", "N", "D"}, optional
        Draw only vertices with this outcome.
    left_to_right : bool
        Draw moves to the right; boards and overviews ignore this. By default they go down or, in some images, right.
    values, names : bool
        Whether to show the values, and the names of positions.
    genus : GenusTable, optional
        Under misère play: show these genera in place of the values.
    theme : {"light", "dark", "print"}
        Colours for a light or a dark background, or for print without colour.
    colors : two or three str, optional
        The colours of P- and N-positions, and perhaps of draws, in place of those of the theme: ``#rrggbb``, or a name
        such as ``orange``.
    layout : {"dot", "board", "layers", "overview"}, optional
        The layout of an image; None chooses one that can be read. "dot" is by Graphviz, for a few dozen positions;
        only it shows ``genus`` and ``pictures``. "board" has a cell for each position of two or three numbers; a large
        board is a heat map. "layers" draws thousands of positions level by level, with the most important moves.
        "overview" shows the counts of positions and moves in each level.
    merge : bool
        Draw positions that are the same game (see :func:`graphgame.theory.reduce`) as one vertex, marked "×3" for 3.
    pictures : bool or callable
        True draws each vertex of a position's graph as its rules do. A function returns the picture of a vertex, or
        None for a vertex without one; for :meth:`Position.graph`, :meth:`Position.picture` is such a function.
    title : str, optional
        By default who wins, if the game is solved, has tokens, all of them are shown, and ``around`` is empty;
        otherwise how many positions. "" means no title.
    caption : str, optional
        A text below the title. By default it is the default title if ``title`` is given and not empty, otherwise empty.
    legend : bool or {"below", "right"}
        Whether to explain the signs, if there is room; or the side for the legend. In DOT, which has one label, the
        legend is above the graph with the title; "below" puts both below it, "right" the legend beside the title.
    ratio : str or float, optional
        Width / height of the picture, such as "16:9", "4:3" or 1.5, from 1:5 to 5:1. By default a picture by Graphviz
        is as large as it needs to be, and any other picture is 16:9.
    dpi : int
        The dots per inch of a PNG image, from 10 to 2400.
    timeout : float, optional
        Give up a layout by Graphviz after this many seconds. The default is 60, or no limit with ``force``.
    force : bool
        Let Graphviz lay out the picture however large it is, unless ``layout`` names another layout.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Raises
    ------
    ParameterError
        A value is invalid; the message says what is expected.
    """

    reachable_from: Iterable[Hashable] = ()
    around: Iterable[Hashable] = ()
    steps: int = 2
    only: Literal["P", "N", "D"] | None = None
    left_to_right: bool = False
    values: bool = True
    names: bool = True
    genus: Genera | None = None
    theme: Literal["light", "dark", "print"] = "light"
    colors: Sequence[str] | None = None
    layout: Literal["dot", "board", "layers", "overview"] | None = None
    merge: bool = False
    pictures: Callable[[Any], Picture | None] | bool = False
    title: str | None = None
    caption: str | None = None
    legend: bool | Literal["below", "right"] = True
    ratio: str | float | None = None
    dpi: int = 144
    timeout: float | None = None
    force: bool = False
    run_rules: bool = False

    def __post_init__(self) -> None:
        for name in ("reachable_from", "around"):
            object.__setattr__(self, name, _positions(name, getattr(self, name)))
        _require(self.only in ("P", "N", "D", None), "only", self.only, Message("'P', 'N', 'D' or None"))
        layouts = Message("one of {layouts}, or None", ", ".join(LAYOUTS))
        _require(self.layout in (*LAYOUTS, None), "layout", self.layout, layouts)
        legends = Message("True, False or one of {legends}", ", ".join(LEGENDS))
        _require(isinstance(self.legend, bool) or self.legend in LEGENDS, "legend", self.legend, legends)
        if self.ratio is not None:
            object.__setattr__(self, "ratio", page_ratio(self.ratio))
        _require(self.theme in tuple(THEMES), "theme", self.theme, Message("one of {themes}", ", ".join(THEMES)))
        drawn = isinstance(self.pictures, bool) or callable(self.pictures)
        _require(drawn, "pictures", self.pictures, Message("True, False or a callable"))
        if self.timeout is None:
            object.__setattr__(self, "timeout", None if self.force else _TIMEOUT)
        if self.colors is not None:
            object.__setattr__(self, "colors", _colors(self.colors))

    @property
    def palette(self) -> Theme:
        """The colours of the theme, with those of ``colors`` for the outcomes."""
        theme = THEMES[self.theme]
        first, second, *third = self.colors or theme.fills
        return theme._replace(fills=(first, second, third[0] if third else theme.fills[2]))

    @property
    def page(self) -> tuple[int, int]:
        """The width and height of a page in pixels: 1280 x 720, or with ``ratio`` 720 for the shorter side."""
        wide, high = WIDTH, HEIGHT
        if isinstance(self.ratio, float):
            wide, high = (round(high * self.ratio), high) if self.ratio >= 1 else (high, round(high / self.ratio))
        return wide, high

    @property
    def legends(self) -> tuple[str, ...]:
        """The sides, "below" or "right", on which a layout may put the legend; empty without a legend."""
        if self.legend is True:
            return "below", "right"
        return (str(self.legend),) if self.legend else ()


class PictureKeywords(TypedDict, total=False):
    """The keyword options of pictures, for type checkers and editors; :class:`PictureOptions` describes them."""

    reachable_from: Iterable[Hashable]
    around: Iterable[Hashable]
    steps: int
    only: Literal["P", "N", "D"] | None
    left_to_right: bool
    values: bool
    names: bool
    genus: Genera | None
    theme: Literal["light", "dark", "print"]
    colors: Sequence[str] | None
    layout: Literal["dot", "board", "layers", "overview"] | None
    merge: bool
    pictures: Callable[[Any], Picture | None] | bool
    title: str | None
    caption: str | None
    legend: bool | Literal["below", "right"]
    ratio: str | float | None
    dpi: int
    timeout: float | None
    force: bool
    run_rules: bool


def page_ratio(value: object) -> float:
    """Return width / height of a page from "4:3" or a number; raise a ParameterError unless it is 1/5 to 5.

    Examples
    --------
    >>> page_ratio("4:3"), page_ratio(2)
    (1.3333333333333333, 2.0)
    """
    ratio = 0.0
    if isinstance(value, str) and (sides := _RATIO.fullmatch(value)):
        width, height = float(sides[1]), float(sides[2] or 1)
        ratio = width / height if height else 0.0
    elif isinstance(value, Real) and not isinstance(value, bool):
        ratio = float(value)
    ratios = Message("W:H such as 16:9, or a number, from 1:{extreme} to {extreme}:1", _LARGEST_RATIO)
    _require(1 / _LARGEST_RATIO <= ratio <= _LARGEST_RATIO, "ratio", value, ratios)
    return ratio


def _require(accepted: bool, name: str, value: object, expected: str) -> None:
    if not accepted:
        raise wrong_value(name, value, expected)


def _positions(name: str, positions: object) -> tuple[Hashable, ...]:
    listed = tuple(positions) if isinstance(positions, Iterable) and not isinstance(positions, (str, bytes)) else None
    _require(listed is not None, name, positions, Message("a list of positions, such as [{positions!r}]", positions))
    return listed or ()


def _colors(colors: object) -> tuple[str, ...]:
    listed = tuple(colors) if isinstance(colors, Iterable) and not isinstance(colors, str) else ()
    _require(
        len(listed) in (2, 3),
        "colors",
        colors,
        Message("two colours, for P- and N-positions, or three, the third for draws"),
    )
    for color in listed:
        is_valid = isinstance(color, str) and is_color(color)
        _require(is_valid, "colour", color, Message("#rrggbb, or one of {names}", ", ".join(NAMES)))
    return listed
