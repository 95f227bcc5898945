"""The layout of texts for people: labels, tables and sums in columns, paragraphs, and explanations in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from textwrap import wrap
from typing import TYPE_CHECKING, Self
from unicodedata import combining, east_asian_width

from graphgame.errors import Message, safe_text
from graphgame.text.languages import current_language, translate
from graphgame.text.latex import Latex, latex_parts, latex_table, latex_text
from graphgame.text.sentences import LineKind, TextLine, indented, sentence

if TYPE_CHECKING:
    from graphgame.solution.results import Counts, Move, Value
    from graphgame.solution.statistics import Statistics


LONGEST_LABEL = 40
"""The maximum number of characters that are shown of a position's name; a longer name is cut in the middle."""

_LONGEST_IN_MOVE = 160

_UNBROKEN = r"[（“《【]*(?:[⺀-\uffef]|[^\s⺀-\uffef]+)[，。；：、？！）”》】…]*\s*"
"""A part of a Chinese text between two places where a line may be broken: a character, or a word in Latin letters, with
the brackets before it and the punctuation after it."""

_OUTCOMES = {"P": Message("P"), "N": Message("N"), "D": Message("D")}

MOST_ROWS = 20
"""The maximum number of lines that are shown of a list."""


def printable(value: object, length: int = LONGEST_LABEL) -> str:
    r"""Return the text of a value on one line, with control characters escaped.

    A text of more than ``length`` characters is cut in the middle; 0 means no limit. An empty text becomes ``""``.

    Examples
    --------
    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    >>> printable("x" * 100, length=9)
    'xxx...xxx'
    """
    text = safe_text(value)
    if length and len(text) > length:
        half = (length - 3) // 2
        text = f"{text[:half]}...{text[-half:]}"
    if not text:
        return '""'
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """Return a text with control characters escaped, except for line breaks."""
    return "\n".join(printable(line, 0) if line else "" for line in text.split("\n"))


def verdict_text(winner: str, misere: bool = False) -> str:
    """Return the sentence that says who wins; ``winner`` is "first", "second" or "draw": nobody can force a win.

    Examples
    --------
    >>> verdict_text("first"), verdict_text("draw", misere=True)
    ('first player wins', 'nobody can force a win under misère play')
    """
    verdict = sentence(winner)
    return verdict if not misere else sentence("under_misere", verdict=verdict)


def outcome_word(outcome: str | None) -> str | None:
    """Return an outcome (P, N or D) in the current language; return None for None."""
    return None if outcome is None else translate(_OUTCOMES[outcome])


def outcome_counts(counts: Counts | Statistics) -> str:
    """Return a text with the number of positions of each outcome.

    Examples
    --------
    >>> from graphgame import solve
    >>> outcome_counts(solve("nim(3)").counts())
    '1 P, 3 N'
    """
    numbers = {"p": counts.p_positions, "n": counts.n_positions, "d": counts.d_positions}
    shown = {name: f"{number:,}" for name, number in numbers.items()}
    return translate("{p} P, {n} N, {d} D" if counts.d_positions else "{p} P, {n} N", **shown)


def component_move_text(move: Move, *, alone: bool = False) -> str:
    """Return the text of a move: its start, its end and, unless ``alone``, the component's number, from 1 on."""
    start, end = (printable(position, _LONGEST_IN_MOVE) for position in (move.start, move.end))
    return sentence("move_of_one" if alone else "move", component=move.component + 1, start=start, end=end)


def capped(lines: Iterable[str], total: int, limit: int = MOST_ROWS) -> list[str]:
    """Return the first ``limit`` of ``total`` lines and, if there are more, a line with the number of the rest.

    No further lines are taken from the iterable.

    Examples
    --------
    >>> capped(["a", "b", "c"], 3, limit=2)
    ['a', 'b', '... and 1 more']
    """
    shown = list(islice(lines, limit))
    return shown if total <= limit else [*shown, sentence("more", count=f"{total - limit:,}")]


def perhaps_more() -> str:
    """Return the line "... and perhaps more", indented, for the end of a list that may be incomplete."""
    return indented(translate("... and perhaps more"))


def table(header: Sequence[str], rows: Sequence[Sequence[object]], numeric: str) -> list[str]:
    """Return the lines of a table with a header, in columns; cells below the header are written by :func:`printable`.

    ``numeric`` has a letter for each column: ``r`` aligns it to the right, ``l`` to the left.

    Examples
    --------
    >>> table(["name", "value"], [["a", 10], ["b", 2]], "lr")
    ['name  value', 'a        10', 'b         2']
    """
    cells = [list(header), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(columns_of, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(padded, row, widths, numeric)).rstrip() for row in cells]


def sum_columns(values: Sequence[tuple[str, Value]], total: Value) -> list[str]:
    r"""Return the lines of a nim-sum of named values, with the total below; in binary as well if all are finite.

    Only the first twenty values are shown; then a line says how many more there are.

    Examples
    --------
    >>> print(*sum_columns([("a", 3), ("b", 5)], 6), sep="\n")
    a  3  011
    b  5  101
          ---
       6  110
    >>> from graphgame.solution.results import Loopy
    >>> print(*sum_columns([("a", Loopy({2})), ("b", 3)], Loopy({1})), sep="\n")
    a  inf(2)
    b  3
       ------
       inf(1)
    """
    shown = values[:MOST_ROWS]
    width = max((columns_of(name) for name, _ in shown), default=0)
    numbers = [value for value in (total, *(value for _, value in values)) if isinstance(value, int)]
    is_finite = len(numbers) > len(values)
    bits = (max(numbers).bit_length() or 1) if is_finite else 0
    digits = len(str(max(numbers))) if is_finite else 0

    def line(name: str, value: Value, kind: LineKind = "row") -> TextLine:
        cells = [name, str(value), *([f"{value:0{bits}b}"] if is_finite else [])]
        return TextLine("  ".join([padded(name, width, "l"), cells[1].rjust(digits), *cells[2:]]), kind, cells)

    last = line("", total, "total")
    rule = TextLine(("-" * len(last.cells[-1])).rjust(len(last)), "rule")
    return [*capped((line(*each) for each in shown), len(values)), rule, last]


def wrapped(text: str, width: int = 105) -> list[str]:
    """Wrap a paragraph to lines of at most ``width`` characters (in Chinese: columns) or one longer word.

    Examples
    --------
    >>> wrapped("the nim-sum is 2", 11)
    ['the nim-sum', 'is 2']
    """
    if current_language() == "en":
        return wrap(text, width, break_long_words=False, break_on_hyphens=False)
    lines, room = [""], width
    for part in re.findall(_UNBROKEN, text):
        if columns_of(part.rstrip()) > room and lines[-1]:
            lines.append("")
            room = width
        lines[-1] += part if lines[-1] else part.lstrip()
        room -= columns_of(part)
    return [line.rstrip() for line in lines]


def padded(text: str, width: int, side: str) -> str:
    """Return a text filled with spaces to a width in columns of a terminal; a wider text stays as it is.

    The spaces come after the text if ``side`` is ``l``, before the text if it is ``r``.
    """
    space = " " * (width - columns_of(text))
    return space + text if side == "r" else text + space


def columns_of(text: str) -> int:
    """Return the number of columns of a text at a terminal: two for a Chinese character, none for a combining mark."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


_LONGEST_TERM = 40
_LIST = r"lp{0.7\linewidth}"
_WHOLE = r"\multicolumn{2}{p{0.9\linewidth}}{%s}"


class ShownText(str):
    r"""A text that a Python prompt and a notebook show in lines, not as a string in quotes.

    Examples
    --------
    >>> ShownText(["one line", "and another"])
    one line
    and another
    """

    lines: tuple[str, ...]

    def __new__(cls, lines: Iterable[str]) -> Self:
        """Join lines into one text; if ``lines`` is a string, it is the only line."""
        lines = (lines,) if isinstance(lines, str) else tuple(lines)
        text = str.__new__(cls, "\n".join(lines))
        text.lines = lines
        return text

    def __repr__(self) -> str:
        return str(self)

    def to_latex(self) -> str:
        r"""Return the text in LaTeX, for the package booktabs, with sums and lists as tables; names are escaped.

        Examples
        --------
        >>> from graphgame import explain
        >>> print(ShownText(explain("nim(1)", 1, depth=0).lines[:2]).to_latex(), end="")
        % \usepackage{booktabs}
        position 1 has value 1; its options:
        <BLANKLINE>
        \medskip
        \begin{tabular}{lp{0.7\linewidth}}
        \toprule
        value 0 & 0 \\
        \bottomrule
        \end{tabular}
        """
        return latex_parts(_parts(self.lines))


def _parts(lines: Sequence[str]) -> Iterator[str]:
    for in_table, group in groupby(lines, lambda line: isinstance(line, TextLine) and line.kind != "paragraph"):
        if in_table:
            yield from _group([line for line in group if isinstance(line, TextLine)])
        else:
            for is_text, paragraph in groupby(group, bool):
                if is_text:
                    yield "\n".join(map(latex_text, "\n".join(paragraph).split("\n"))) + "\n"


def _group(lines: list[TextLine]) -> Iterator[str]:
    rule = next((index for index, line in enumerate(lines) if line.kind == "rule"), None)
    if rule is None:
        yield _list(lines)
        return
    first = next((index for index, line in enumerate(lines[:rule]) if line.kind == "row"), rule)
    if first:
        yield _list(lines[:first])
    total = lines[rule + 1].cells
    columns = "l" + "r" * (len(total) - 1)
    across = f"\\multicolumn{{{len(columns)}}}{{l}}{{%s}}"
    cells = (
        line.cells if line.kind == "row" else [Latex(across % latex_text(line.strip()))] for line in lines[first:rule]
    )
    yield latex_table([], cells, columns, total=total)
    if lines[rule + 2 :]:
        yield from _group(lines[rule + 2 :])


def _list(lines: list[TextLine]) -> str:
    """Return lines as a LaTeX table: a column for each of the two cells; a line without cells goes across both."""
    return latex_table([], map(_item, lines), _LIST)


def _item(line: TextLine) -> list[Latex]:
    if not line.cells or len(line.cells[0]) > _LONGEST_TERM:
        return [Latex(_WHOLE % latex_text(line.strip()))]
    return [latex_text(cell) for cell in line.cells]
