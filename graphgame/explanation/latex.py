r"""Explanations as LaTeX, told from their layout: paragraphs, lists of indented lines, sums in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from graphgame.io.latex import Latex, latex_parts, latex_table, latex_text

__all__ = ["explanation_latex"]

_RULE = re.compile(r" *-+")
_VALUE = re.compile(r"[0-9]+|inf\([0-9,]*\)")
_TERM = re.compile(r"(.{1,40}?)(?:: |：)(.+)")
_LIST = r"lp{0.7\linewidth}"
_WHOLE = r"\multicolumn{2}{p{0.9\linewidth}}{%s}"


def explanation_latex(text: str) -> str:
    r"""Return an explanation in LaTeX, for the package booktabs; names of positions are escaped.

    Examples
    --------
    >>> print(explanation_latex("position a has value 1; its options:\n  value 0: b_1"), end="")
    % \usepackage{booktabs}
    position a has value 1; its options:
    <BLANKLINE>
    \medskip
    \begin{tabular}{lp{0.7\linewidth}}
    \toprule
    value 0 & b\_1 \\
    \bottomrule
    \end{tabular}
    """
    return latex_parts(part for block in text.split("\n\n") for part in _block(block.splitlines()))


def _block(lines: list[str]) -> Iterator[str]:
    for indented, group in groupby(lines, lambda line: line.startswith("  ")):
        if indented:
            yield from _group([line.strip() for line in group])
        else:
            yield "\n".join(map(latex_text, group)) + "\n"


def _group(lines: list[str]) -> Iterator[str]:
    rule = next((place for place, line in enumerate(lines) if _RULE.fullmatch(line)), None)
    if rule is None or rule + 1 == len(lines):
        yield _list(lines)
        return
    total = lines[rule + 1].split()
    rows = [cells if _is_row(cells, total) else None for cells in (line.rsplit(None, len(total)) for line in lines)]
    first = next((place for place, row in enumerate(rows[:rule]) if row is not None), rule)
    if first:
        yield _list(lines[:first])
    columns = "l" + "r" * len(total)
    cells = (row or _across(line, columns) for row, line in zip(rows[first:rule], lines[first:rule], strict=True))
    yield latex_table([], cells, columns, total=["", *total])
    if lines[rule + 2 :]:
        yield from _group(lines[rule + 2 :])


def _is_row(cells: list[str], total: list[str]) -> bool:
    """Tell whether these are a name, its value and, where the last row has it, the same value in binary."""
    if len(cells) != len(total) + 1 or _VALUE.fullmatch(cells[1]) is None:
        return False
    return len(total) == 1 or len(cells[2]) == len(total[1])


def _across(line: str, columns: str) -> list[Latex]:
    return [Latex(f"\\multicolumn{{{len(columns)}}}{{l}}{{{latex_text(line)}}}")]


def _list(lines: list[str]) -> str:
    """Return lines as a table: what is before the first colon, and what it is about."""
    return latex_table([], map(_item, lines), _LIST)


def _item(line: str) -> list[Latex]:
    found = _TERM.fullmatch(line)
    return [Latex(_WHOLE % latex_text(line))] if found is None else [latex_text(part) for part in found.groups()]
