"""Colour at a terminal, and lines that fit it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from itertools import zip_longest

from graphgame.explanation.text import columns_of, wrapped
from graphgame.explanation.texts import current_language

Painter = Callable[[str, str], str]
"""Gives a text the colour of what it stands for: a kind of cell, ``number``, ``name``, ``won``, ``lost``."""

_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
_CODES = {
    "coin": "1",
    "cross": "1",
    "heads": "1;33",
    "lost": "1;31",
    "name": "1",
    "number": "36",
    "piece": "1;34",
    "pin": "1",
    "poison": "1;31",
    "square": "2",
    "sweet": "33",
    "tails": "2",
    "taken": "2",
    "won": "1;32",
}
_GAP = 4


def plain(role: str, text: str) -> str:
    """Return the text as it is."""
    return text


def coloured(role: str, text: str) -> str:
    r"""Return the text in its colour.

    Examples
    --------
    >>> coloured("number", "1"), coloured("note", "1")
    ('\x1b[36m1\x1b[0m', '1')
    """
    return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if role in _CODES and text.strip() else text


def seen_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return columns_of(_SEQUENCE.sub("", text))


def fitted(line: str, width: int | None) -> str:
    """Return a line in lines of at most so many characters, none broken inside a word; as it is without a width.

    Examples
    --------
    >>> print(fitted("  hint   the best move, and how long", 24))
      hint   the best move,
             and how long
    """
    if width is None or seen_width(line) <= width:
        return line
    head = re.match(r"\s*(?:\S+\s{2,})?", line)
    indent = " " * min(head.end() if head else 0, width // 2)
    if current_language() != "en":
        lines = wrapped(line[len(indent) :], width - len(indent))
        return f"\n{indent}".join([line[: len(indent)] + lines[0], *lines[1:]])
    return "\n".join(
        textwrap.wrap(
            line,
            width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
            replace_whitespace=False,
        )
    )


def beside_each_other(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Return lines with others at their right.

    Examples
    --------
    >>> beside_each_other(["oo", "o"], ["1) -> 1"])
    ['oo    1) -> 1', 'o']
    """
    width = max(map(seen_width, left), default=0) + _GAP
    pairs = zip_longest(left, right, fillvalue="")
    return [f"{one}{' ' * (width - seen_width(one))}{other}".rstrip() for one, other in pairs]
