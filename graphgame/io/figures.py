"""Plots in files: a figure to draw in, written at the end."""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from graphgame.errors import FormatError, Message, needs_extra
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.io.fonts import set_fonts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_UNDATED: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


@contextmanager
def new_figure(
    path: PathLike,
    size: tuple[float, float],
    dpi: float = 150,
    *,
    look: Mapping[str, Any] | None = None,
    words: tuple[str, str] | None = None,
) -> Iterator[Figure]:
    """Give an empty figure of this size in inches, and write it at the end; the same figure is the same file.

    ``look`` holds settings of matplotlib; ``words`` are a title and a description, which SVG keeps. The name ends in
    .svg, .png or .pdf, else a FormatError is raised; a MissingExtraError without the extra ``plot``.
    """
    suffix = plain_suffix(path)
    if suffix not in _UNDATED or os.fspath(path) == "-":
        raise FormatError("cannot plot to {path!r}: expected a name in .svg, .png or .pdf", os.fspath(path))
    with needs_extra(Message("a plot"), "plot"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    settings: Any = {**(look or {}), "svg.hashsalt": "graphgame"}
    with mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        set_fonts(figure)
        image = BytesIO()
        with _quiet():
            figure.savefig(image, format=suffix[1:], dpi=dpi, metadata=_UNDATED[suffix])
    with open_atomic(path, "wb") as stream:
        stream.write(_described(image.getvalue(), words) if words and suffix == ".svg" else image.getvalue())


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what matplotlib says of fonts to itself."""
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
    """Return an SVG image with its text for those who do not see it."""
    title, description = map(escape, words)
    told = f"\n<title>{title}</title>\n<desc>{description}</desc>".encode()
    return re.sub(rb"<svg(.*?>)", lambda tag: b'<svg role="img"' + tag[1] + told, image, count=1, flags=re.DOTALL)
