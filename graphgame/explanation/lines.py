"""Lines of an explanation that know their parts, from which the terminal has its text and LaTeX its tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, Self

from graphgame.errors import Message
from graphgame.errors.messages import filled
from graphgame.explanation.texts import render, template_of

_COLON = re.compile(": |：")
_FIRST_SLOT = re.compile(r"\{([a-z_]+)\}")

LineKind = Literal["paragraph", "item", "row", "rule", "total"]


class TextLine(str):
    """A line of an explanation.

    Parameters
    ----------
    text : str
    kind : {"paragraph", "item", "row", "rule", "total"}
        What the line is: text; an entry of a list; of a sum a component, the line below them, or the total.
    cells : sequence of str
        A term and what is said of it, or the columns of a row. None for a line that is not divided.
    """

    kind: LineKind
    cells: tuple[str, ...]

    def __new__(cls, text: str, kind: LineKind = "paragraph", cells: Sequence[str] = ()) -> Self:
        """Return the text with its parts."""
        line = str.__new__(cls, text)
        line.kind, line.cells = kind, tuple(cells)
        return line

    def __str__(self) -> str:
        """Return the line itself: as a fact of a message it keeps its parts."""
        return self

    def __add__(self, other: str) -> TextLine:
        """Add to what is said last."""
        cells = (*self.cells[:-1], "".join((self.cells[-1], other))) if self.cells else ()
        return TextLine(str.__add__(self, other), self.kind, cells)


def line_of(message: Message) -> TextLine:
    """Return a message in the current language as a line, divided at the first colon of its template.

    Examples
    --------
    >>> line_of(Message("{name}: {value}", name="a: b", value=1)).cells
    ('a: b', '1')
    """
    text, template = render(message), template_of(message)
    first = _FIRST_SLOT.match(template)
    said = message.facts.get(first[1]) if first else None
    if isinstance(said, TextLine) and said.cells:
        return TextLine(text, cells=(said.cells[0], text[len(said) - len(said.cells[1]) :]))
    colon = _COLON.search(template)
    if colon is None:
        return TextLine(text)
    term = filled(template[: colon.start()], {name: render(fact) for name, fact in message.facts.items()})
    return TextLine(text, cells=(term, text[len(term) + len(colon[0]) :]))


def indented(line: str) -> TextLine:
    """Return a line as an entry of a list, or of a sum."""
    kind, cells = (line.kind, line.cells) if isinstance(line, TextLine) else ("paragraph", ())
    return TextLine("".join(("  ", line)), "item" if kind == "paragraph" else kind, cells)
