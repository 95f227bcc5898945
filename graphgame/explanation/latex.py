r"""Explanations as they are shown, and as LaTeX: paragraphs, and lists and sums as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Self

from graphgame.explanation.lines import TextLine
from graphgame.io.latex import Latex, latex_parts, latex_table, latex_text

_LONGEST_TERM = 40
_LIST = r"lp{0.7\linewidth}"
_WHOLE = r"\multicolumn{2}{p{0.9\linewidth}}{%s}"


class ShownText(str):
    r"""A text that is shown as it is at a prompt and in a notebook.

    Examples
    --------
    >>> ShownText(["one line", "and another"])
    one line
    and another
    """

    lines: tuple[str, ...]

    def __new__(cls, lines: Iterable[str]) -> Self:
        """Return lines as one text."""
        kept = (lines,) if isinstance(lines, str) else tuple(lines)
        text = str.__new__(cls, "\n".join(kept))
        text.lines = kept
        return text

    def __repr__(self) -> str:
        return str(self)

    def to_latex(self) -> str:
        """Return the text in LaTeX, for the package booktabs: its sums and lists as tables."""
        return explanation_latex(self.lines)


def explanation_latex(lines: Sequence[str]) -> str:
    r"""Return an explanation in LaTeX, for the package booktabs; names of positions are escaped.

    Examples
    --------
    >>> from graphgame import explain
    >>> print(explanation_latex(explain("nim(1)", 1, depth=0).lines[:2]), end="")
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
    return latex_parts(_parts(lines))


def _parts(lines: Sequence[str]) -> Iterator[str]:
    for in_table, group in groupby(lines, lambda line: isinstance(line, TextLine) and line.kind != "paragraph"):
        if in_table:
            yield from _group([line for line in group if isinstance(line, TextLine)])
        else:
            for is_text, paragraph in groupby(group, bool):
                if is_text:
                    yield "\n".join(map(latex_text, "\n".join(paragraph).split("\n"))) + "\n"


def _group(lines: list[TextLine]) -> Iterator[str]:
    rule = next((place for place, line in enumerate(lines) if line.kind == "rule"), None)
    if rule is None:
        yield _list(lines)
        return
    first = next((place for place, line in enumerate(lines[:rule]) if line.kind == "row"), rule)
    if first:
        yield _list(lines[:first])
    total = lines[rule + 1].cells
    columns = "l" + "r" * (len(total) - 1)
    cells = (line.cells if line.kind == "row" else _across(line, columns) for line in lines[first:rule])
    yield latex_table([], cells, columns, total=total)
    if lines[rule + 2 :]:
        yield from _group(lines[rule + 2 :])


def _across(line: str, columns: str) -> list[Latex]:
    return [Latex(f"\\multicolumn{{{len(columns)}}}{{l}}{{{latex_text(line.strip())}}}")]


def _list(lines: list[TextLine]) -> str:
    """Return lines as a table: terms, and what is said of them."""
    return latex_table([], map(_item, lines), _LIST)


def _item(line: TextLine) -> list[Latex]:
    if not line.cells or len(line.cells[0]) > _LONGEST_TERM:
        return [Latex(_WHOLE % latex_text(line.strip()))]
    return [latex_text(cell) for cell in line.cells]
