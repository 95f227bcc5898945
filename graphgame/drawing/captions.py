"""Texts in a picture: cut to a readable length, and written so that Graphviz shows them as they are."""

from __future__ import annotations

import textwrap
from unicodedata import east_asian_width

from graphgame.text.text import printable

_MOST_LINES = 8
_TITLE_WIDTH = 72
_WORDS_WIDTH, _MOST_WORDS = 24, 80


def caption(text: str) -> str:
    r"""Return a position's text as it is shown in its vertex: at most 8 lines of at most 40 characters.

    Words that make a long line stand below each other, so that the vertex stays as wide as others.

    Examples
    --------
    >>> caption("XO.\n.X.")
    'XO.\n.X.'
    >>> caption("tab\there")
    'tab\\there'
    >>> caption("the narrow stairs to the tower")
    'the narrow stairs to the\ntower'
    """
    if "\n" not in text:
        lines = textwrap.wrap(
            printable(text, _MOST_WORDS), _WORDS_WIDTH, break_long_words=False, break_on_hyphens=False
        )
        return "\n".join(map(printable, lines)) if len(lines) > 1 and len(text) > _WORDS_WIDTH else printable(text)
    lines = text.replace("\r\n", "\n").split("\n")
    shown = [printable(line) if line else "" for line in lines[:_MOST_LINES]]
    return "\n".join(shown if len(lines) <= _MOST_LINES else [*shown[:-1], "..."])


def label_text(text: str) -> str:
    """Return a text for a label, where Graphviz replaces entities; :func:`graphgame.io.dot.quote` does the rest."""
    return text.replace("&", "&amp;")


def tooltip_text(text: str) -> str:
    """Return the whole of a text for a tooltip, in which Graphviz replaces backslash sequences twice."""
    lines = "\n".join(printable(line, 0) if line else "" for line in text.split("\n"))
    return lines.replace("&", "&amp;").replace("\\", "\\\\")


def markup(text: str) -> str:
    """Return a title or a caption for an HTML-like label."""
    return "<BR/>".join(map(escaped, heading_lines(text)))


def heading_lines(text: str, width: int = _TITLE_WIDTH) -> list[str]:
    """Return a title or a caption in lines of at most so many characters, 8 of them."""
    if not text:
        return []
    if any(east_asian_width(letter) in "WF" for letter in text):
        width = width * 4 // 7
    lines = [part for line in text.split("\n") for part in textwrap.wrap(printable(line, 0), max(width, 8)) or [""]]
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "..."]


def centred(*parts: str) -> str:
    """Return parts of an HTML-like label in a row that keep their size, however wide the label is."""
    shown = '<TD WIDTH="4"></TD>'.join(f"<TD>{part}</TD>" for part in parts if part)
    space = "<TD></TD>" * 9  # the many columns take what room is left
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
    return f"{table}<TR>{space}{shown}{space}</TR></TABLE>" if shown else ""


def escaped(line: str) -> str:
    """Return a text for an HTML-like label."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\\", "\\\\")):
        line = line.replace(character, entity)
    return line
