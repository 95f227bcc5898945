"""Fonts that have the characters of a plot."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from graphgame.errors import Message, MissingFontWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

_USUAL = "DejaVu Sans"
_PREFERRED = ("Sans", "SC", "Hei")


def set_fonts(figure: Figure) -> None:
    """Let every text have a font for each of its characters; warn where there is none on this machine."""
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if not text.get_text().isascii()]
    needed = {letter for text in texts for letter in text.get_text() if not letter.isspace()}
    families, missing = _families(needed)
    for text in texts:
        text.set_fontfamily(families)
    if missing:
        written = "".join(text.get_text() for text in texts)
        shown = "".join(sorted(missing, key=written.index)[:5])
        warnings.warn(
            Message(
                "no font of this machine has {shown}{len}, which are drawn as empty boxes: install one, "
                "such as the package fonts-noto-cjk for Chinese; SVG leaves the font to the viewer",
                shown,
                "..." if len(missing) > 5 else "",
            ),
            MissingFontWarning,
            stacklevel=2,
        )


def _families(needed: set[str]) -> tuple[list[str], set[str]]:
    """Return fonts that have characters, the usual one first, and the characters that none has."""
    from matplotlib.font_manager import findfont, get_font

    families, missing = [_USUAL], set(needed)
    missing -= set(map(chr, get_font(findfont(_USUAL)).get_charmap()))
    for name, path in _others():
        if not missing:
            break
        try:
            found = missing & set(map(chr, get_font(path).get_charmap()))
        except (OSError, RuntimeError):  # a broken file among the system's
            continue
        if found:
            families.append(name)
            missing -= found
    return families, missing


def _others() -> Iterator[tuple[str, str]]:
    """Yield names and files of fonts: those that matplotlib has listed, then those installed since."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    listed = {entry.fname: entry.name for entry in reversed(fontManager.ttflist) if entry.weight in (400, "normal")}
    listed |= {entry.fname: entry.name for entry in fontManager.ttflist if "SC" in entry.name and entry.weight == 400}
    order = sorted(listed.items(), key=lambda item: -sum(part in item[1] for part in _PREFERRED))
    yield from ((name, path) for path, name in order if "LastResort" not in path)
    known = {entry.fname for entry in fontManager.ttflist}
    for path in sorted(set(findSystemFonts()) - known):
        fontManager.addfont(path)
        yield fontManager.ttflist[-1].name, path
