"""How a game is drawn: what of it, and how it looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import inf
from typing import Any, Literal, Protocol, TypedDict

from graphgame.drawing.style import NAMES, THEMES, Theme, is_color
from graphgame.errors import Message, ParameterError, refuse_unknown
from graphgame.rules.pictures import Picture

LAYOUTS = ("dot", "board", "layers", "overview")

LEGENDS = ("below", "right")

WIDTH, HEIGHT = 1280, 720
"""A slide: the sizes of words and lines are chosen so that they can be read where it is seen whole."""

_TIMEOUT = 60
_RATIO = re.compile(r"([0-9]{1,5}(?:\.[0-9]+)?) *[:/x] *([0-9]{1,5}(?:\.[0-9]+)?)")
_EXTREME = 5


class Genera(Protocol):
    """Genera of positions and of sums, as :class:`graphgame.labs.misere.GenusTable` has them."""

    def __getitem__(self, position: Hashable, /) -> object: ...

    def genus_of(self, *positions: Hashable) -> object:
        """Return the genus of a sum."""


@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """The options of a picture.

    Attributes
    ----------
    reachable_from : iterable of hashable
        Draw only what play can reach from these positions, themselves included.
    around : iterable of hashable
        Draw only what is within ``steps`` moves of one of these positions, forwards or backwards.
    steps : int
        How far ``around`` looks.
    only : {"P", "N", "D"}, optional
        Draw only vertices of this outcome.
    left_to_right : bool
        Let play go from left to right instead of from top to bottom.
    values, names : bool
        Show the values, and the positions' names.
    genus : GenusTable, optional
        Under misère play: show these genera in place of the values.
    theme : {"light", "dark", "print"}
        For a light or a dark background, or for print without colour.
    colors : two or three str, optional
        The colours of P and N, and of D (a draw, in a graph with cycles), in place of the theme's: ``#rrggbb``, or a
        name such as ``orange``.
    layout : {"dot", "board", "layers", "overview"}, optional
        How an image is laid out; None chooses what can be read. "dot" is by Graphviz, for some dozen positions;
        "board" has a cell for each position of two or three numbers, and is a heat map where it is large; "layers"
        draws thousands level by level, with the moves that tell most; "overview" counts positions and moves by levels.
    merge : bool
        Draw equal positions as one, as :func:`graphgame.theory.reduce` merges them, with their number.
    pictures : bool or callable
        Draw each vertex of a position's graph as its rules do; or what a vertex looks like, such as
        :meth:`Position.picture`, which returns None where it has no picture.
    title : str, optional
        The default says who wins; an empty text leaves it out.
    caption : str, optional
        Stands below the title. The default says who wins where there is a title of one's own.
    legend : bool or {"below", "right"}
        Explain the signs, where there is room or where it is said. DOT, which has one label, puts it above with the
        title; "below" puts both below, "right" the legend beside the title.
    ratio : str or float, optional
        How wide a picture is for its height, such as "16:9", "4:3" or 1.5; play then goes down or to the right, as is
        larger. Without it a picture by Graphviz is as large as it needs to be, others are 16:9.
    dpi : int
        Dots an inch of a PNG image.
    timeout : float, optional
        Seconds after which a layout is given up; 60 unless given, with ``force`` none.
    force : bool
        Lay out the picture however large it is.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Raises
    ------
    ParameterError
        A value that is not accepted; the message says what is.
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
    colors: tuple[str, ...] | None = None
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
        for name in ("left_to_right", "values", "names", "merge", "force", "run_rules"):
            _require(isinstance(getattr(self, name), bool), name, getattr(self, name), Message("True or False"))
        _require(_is_whole(self.steps) and self.steps >= 0, "steps", self.steps, Message("an integer of 0 or more"))
        _require(_is_whole(self.dpi) and 10 <= self.dpi <= 2400, "dpi", self.dpi, Message("an integer from 10 to 2400"))
        _require(self.only in ("P", "N", "D", None), "only", self.only, Message("'P', 'N', 'D' or None"))
        layouts = Message("one of {layouts}, or None", ", ".join(LAYOUTS))
        _require(self.layout in (*LAYOUTS, None), "layout", self.layout, layouts)
        legends = Message("True, False or one of {legends}", ", ".join(LEGENDS))
        _require(isinstance(self.legend, bool) or self.legend in LEGENDS, "legend", self.legend, legends)
        if self.ratio is not None:
            object.__setattr__(self, "ratio", page_ratio(self.ratio))
        for name in ("title", "caption"):
            given = getattr(self, name)
            _require(given is None or isinstance(given, str), name, given, Message("a text or None"))
        _require(self.theme in tuple(THEMES), "theme", self.theme, Message("one of {themes}", ", ".join(THEMES)))
        drawn = isinstance(self.pictures, bool) or callable(self.pictures)
        _require(drawn, "pictures", self.pictures, Message("True, False or a callable"))
        if self.timeout is None:
            object.__setattr__(self, "timeout", None if self.force else _TIMEOUT)
        else:
            numeric = isinstance(self.timeout, (int, float)) and not isinstance(self.timeout, bool)
            seconds = Message("a number of seconds above 0")
            _require(numeric and 0 < self.timeout < inf, "timeout", self.timeout, seconds)
        if self.colors is not None:
            object.__setattr__(self, "colors", _colors(self.colors))

    @property
    def palette(self) -> Theme:
        """The theme's colours, with the outcomes' own where they are given."""
        theme = THEMES[self.theme]
        first, second, *third = self.colors or theme.fills
        return theme._replace(fills=(first, second, third[0] if third else theme.fills[2]))

    @property
    def page(self) -> tuple[int, int]:
        """How many pixels a page is wide and high: a slide, unless a ratio is given."""
        wide, high = WIDTH, HEIGHT
        if isinstance(self.ratio, float):
            wide, high = (round(high * self.ratio), high) if self.ratio >= 1 else (high, round(high / self.ratio))
        return wide, high

    @property
    def legends(self) -> tuple[str, ...]:
        """Where a legend may stand: "below", "right", or nowhere."""
        if self.legend is True:
            return "below", "right"
        return (str(self.legend),) if self.legend else ()


class PictureKeywords(TypedDict, total=False):
    """The options of a picture as keywords, which :class:`PictureOptions` describes: for type checkers and editors."""

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


def page_ratio(given: object) -> float:
    """Return how wide a page is for its height.

    Examples
    --------
    >>> page_ratio("4:3"), page_ratio(2)
    (1.3333333333333333, 2.0)
    """
    ratio = None
    if isinstance(given, str):
        found = _RATIO.fullmatch(given)
        ratio = float(found[1]) / float(found[2]) if found and float(found[2]) else None
    elif isinstance(given, (int, float)) and not isinstance(given, bool):
        ratio = float(given)
    ratios = Message("W:H such as 16:9, or a number, from 1:{extreme} to {extreme}:1", _EXTREME)
    _require(ratio is not None and 1 / _EXTREME <= ratio <= _EXTREME, "ratio", given, ratios)
    assert ratio is not None
    return ratio


def picture_options(options: Mapping[str, Any]) -> PictureOptions:
    """Return options from keyword arguments; raise a ParameterError where there is no such option."""
    known = [field.name for field in fields(PictureOptions)]
    refuse_unknown(options, known)
    return PictureOptions(**options)


def _require(accepted: bool, name: str, value: object, expected: str) -> None:
    if not accepted:
        raise ParameterError("invalid {name}: {value!r}: expected {expected}", name, value, expected)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _positions(name: str, positions: object) -> tuple[Hashable, ...]:
    given = tuple(positions) if isinstance(positions, Iterable) and not isinstance(positions, (str, bytes)) else None
    _require(given is not None, name, positions, Message("a list of positions, such as [{positions!r}]", positions))
    return given or ()


def _colors(colors: object) -> tuple[str, ...]:
    given = tuple(colors) if isinstance(colors, Iterable) and not isinstance(colors, str) else ()
    _require(len(given) in (2, 3), "colors", colors, Message("two colours, of P and of N, or three, with that of D"))
    for color in given:
        accepted = isinstance(color, str) and is_color(color)
        _require(accepted, "colour", color, Message("#rrggbb, or one of {names}", ", ".join(NAMES)))
    return given
