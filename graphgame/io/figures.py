"""Plots in files: a figure to draw in, written at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphgame.errors import FormatError, MissingExtraError, shorten
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.io.fonts import set_fonts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["new_figure"]

_UNDATED: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


@contextmanager
def new_figure(path: PathLike, size: tuple[float, float], dpi: int = 150) -> Iterator[Figure]:
    """Give an empty figure of this size in inches, and write it at the end; the same figure is the same file.

    The name ends in .svg, .png or .pdf, else a FormatError is raised; a MissingExtraError without the extra ``plot``.
    """
    suffix = plain_suffix(path)
    if suffix not in _UNDATED or os.fspath(path) == "-":
        raise FormatError(f"cannot plot to {shorten(os.fspath(path))}: expected a name in .svg, .png or .pdf")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("a plot", "plot") from None
    figure = Figure(figsize=size, layout="constrained")
    yield figure
    set_fonts(figure)
    with open_atomic(path, "wb") as stream, mpl.rc_context({"svg.hashsalt": "graphgame"}):
        figure.savefig(stream, format=suffix[1:], dpi=dpi, metadata=_UNDATED[suffix])
