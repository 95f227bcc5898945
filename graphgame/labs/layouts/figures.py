"""Figures of matplotlib: a context that gives an empty figure, and writes it to a file at the end."""

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

from graphgame.errors import FormatError, Message, MissingFontWarning, needs_extra
from graphgame.io.files import PathLike, open_atomic, plain_suffix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

_USUAL = "DejaVu Sans"
_PREFERRED = ("Sans", "SC", "Hei")
_UNDATED: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


def set_fonts(figure: Figure) -> None:
    """Give every text fonts that have all of its characters; warn if this machine has none."""
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if not text.get_text().isascii()]
    needed = {letter for text in texts for letter in text.get_text() if not letter.isspace()}
    families, missing = _families(needed)
    for text in texts:
        text.set_fontfamily(families)
    if missing:
        warn_of_missing(missing, "".join(text.get_text() for text in texts))


def warn_of_missing(missing: set[str], written: str) -> None:
    """Warn that no font has the characters ``missing`` of the text ``written``."""
    shown = "".join(sorted(missing, key=written.index)[:5])
    warnings.warn(
        Message(
            "no font of this machine has {shown}{len}, which are drawn as empty boxes: install one, "
            "such as the package fonts-noto-cjk for Chinese; SVG leaves the font to the viewer",
            shown,
            "..." if len(missing) > 5 else "",
        ),
        MissingFontWarning,
        stacklevel=3,
    )


def _families(needed: set[str]) -> tuple[list[str], set[str]]:
    """Return fonts that together have the needed characters, the default font first; and the characters in no font."""
    from matplotlib.font_manager import findfont, get_font

    families, missing = [_USUAL], set(needed)
    missing -= set(map(chr, get_font(findfont(_USUAL)).get_charmap()))
    for name, path in _others():
        if not missing:
            break
        try:
            found = missing & set(map(chr, get_font(path).get_charmap()))
        except (OSError, RuntimeError):
            # Skip broken font files.
            continue
        if found:
            families.append(name)
            missing -= found
    return families, missing


def _others() -> Iterator[tuple[str, str]]:
    """Yield the names and files of fonts: those that matplotlib has listed, then those installed since then."""
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
    dpi: float = 150,
    *,
    look: Mapping[str, Any] | None = None,
    words: tuple[str, str] | None = None,
) -> Iterator[Figure]:
    """Open an empty figure of a size in inches, and write it to a file at the end. Equal figures give equal files.

    ``look`` has settings of matplotlib. ``words`` are a title and a description, which are written only to SVG. Raises
    FormatError if the name does not end in .svg, .png or .pdf, and MissingExtraError without the extra ``plot``.
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
    """Suppress matplotlib's messages about fonts."""
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
    told = f"\n<title>{title}</title>\n<desc>{description}</desc>".encode()
    return re.sub(rb"<svg(.*?>)", lambda tag: b'<svg role="img"' + tag[1] + told, image, count=1, flags=re.DOTALL)
