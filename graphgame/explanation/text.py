"""Plain text for people at a terminal: labels made harmless, tables, nim-sums in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from graphgame.errors import plural, written
from graphgame.explanation.sentences import sentence

if TYPE_CHECKING:
    from graphgame.results import Loopy, Move

__all__ = [
    "LONGEST_LABEL",
    "MOST_ROWS",
    "ShownText",
    "binary_columns",
    "capped",
    "component_move_text",
    "plural",
    "printable",
    "sum_columns",
    "table",
    "verdict_text",
]

LONGEST_LABEL = 40
"""Characters of a position's name that are shown."""

_LONGEST_IN_MOVE = 160

MOST_ROWS = 20
"""Lines of a list that are shown."""


class ShownText(str):
    r"""A text that is shown as it is at a prompt and in a notebook.

    Examples
    --------
    >>> ShownText("one line\nand another")
    one line
    and another
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def printable(value: object, length: int = LONGEST_LABEL) -> str:
    r"""Return the text of a value on one line, without anything that a terminal would obey.

    A text that is longer is cut in the middle; a length of 0 is no limit.

    Examples
    --------
    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    >>> printable("x" * 100, length=9)
    'xxx...xxx'
    """
    text = written(value)
    if length and len(text) > length:
        half = (length - 3) // 2
        text = f"{text[:half]}...{text[-half:]}"
    if not text:
        return '""'
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def verdict_text(winner: str) -> str:
    """Return who wins in words.

    Examples
    --------
    >>> verdict_text("first"), verdict_text("draw")
    ('first player wins', 'nobody can force a win')
    """
    return sentence(winner)


def component_move_text(move: Move) -> str:
    """Return a move in words; a component is counted from 1."""
    start, end = (printable(position, _LONGEST_IN_MOVE) for position in (move.start, move.end))
    return sentence("move", component=move.component + 1, start=start, end=end)


def capped(lines: Iterable[str], total: int, limit: int = MOST_ROWS) -> list[str]:
    """Return the first lines of so many, read no further than needed, and one that counts the rest.

    Examples
    --------
    >>> capped(["a", "b", "c"], 3, limit=2)
    ['a', 'b', '... and 1 more']
    """
    shown = list(islice(lines, limit))
    return shown if total <= limit else [*shown, sentence("more", count=f"{total - limit:,}")]


def table(header: Sequence[str], rows: Sequence[Sequence[object]], numeric: str) -> list[str]:
    """Lay out a header and rows in columns, aligned to the right or to the left as ``r`` and ``l`` say.

    Examples
    --------
    >>> table(["name", "value"], [["a", 10], ["b", 2]], "lr")
    ['name  value', 'a        10', 'b         2']
    """
    cells = [list(header), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(_pad, row, widths, numeric)).rstrip() for row in cells]


def binary_columns(values: Sequence[tuple[str, int]], total: int) -> list[str]:
    r"""Write an xor in binary columns, with a name for each value; beyond twenty the rest are counted.

    Examples
    --------
    >>> print(*binary_columns([("a", 3), ("b", 5)], 6), sep="\n")
    a  3  011
    b  5  101
          ---
       6  110
    """
    shown = values[:MOST_ROWS]
    largest = max([total, *(value for _, value in values)])
    bits, digits = largest.bit_length() or 1, len(str(largest))
    width = max((_width(name) for name, _ in shown), default=0)

    def line(name: str, value: int) -> str:
        return f"{_pad(name, width, 'l')}  {value:>{digits}}  {value:0{bits}b}"

    rows = capped((line(name, value) for name, value in shown), len(values))
    return [*rows, " " * (width + digits + 4) + "-" * bits, line("", total)]


def sum_columns(values: Sequence[tuple[str, int | Loopy]], total: int | Loopy) -> list[str]:
    r"""Write a sum of values: in binary columns where all are finite, else one a line.

    Examples
    --------
    >>> from graphgame.results import Loopy
    >>> print(*sum_columns([("a", Loopy({2})), ("b", 3)], Loopy({1})), sep="\n")
    a  inf(2)
    b  3
       ------
       inf(1)
    """
    if all(isinstance(value, int) for value in (total, *(value for _, value in values))):
        return binary_columns(values, total)  # type: ignore[arg-type]
    shown = values[:MOST_ROWS]
    width = max((_width(name) for name, _ in shown), default=0)
    rows = capped((f"{_pad(name, width, 'l')}  {value}" for name, value in shown), len(values))
    return [*rows, " " * (width + 2) + "-" * len(str(total)), f"{' ' * width}  {total}"]


def _pad(text: str, width: int, side: str) -> str:
    space = " " * (width - _width(text))
    return space + text if side == "r" else text + space


def _width(text: str) -> int:
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
