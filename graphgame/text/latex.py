r"""Tables in LaTeX, with horizontal lines by the package booktabs.

All characters that have a meaning in LaTeX are escaped. A table of more than forty rows is a ``longtable``, which
continues on the next pages, unless the caller scales it to a page. Letters beyond Latin need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphgame.errors import safe_text
from graphgame.solution.results import Loopy, Value

_ROWS_OF_A_PAGE = 40
_CHINESE = re.compile("[\u2e80-\u9fff]")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",  # The LaTeX package babel gives " another meaning in some languages.
    "-": "-{}",  # Two hyphens next to each other would become a dash.
    ",": ",{}",
    **{"⊕": r"$\oplus$", "◎": r"$\odot$", "×": r"$\times$", "●": r"$\bullet$", "→": r"$\to$", "∞": r"$\infty$"},
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    **{sign: f"{{{sign}}}" for sign in "[]*"},  # At the start of a row, LaTeX would read these as an argument of \\.
}
_SIGN = re.compile("|".join([*map(re.escape, set(_SPECIAL) - set("-,")), "-(?=-)", ",(?=,)"]))


class Latex(str):
    """A text that is LaTeX already: it is not escaped again."""

    __slots__ = ()


def latex_text(value: object) -> Latex:
    r"""Return a value in LaTeX: Latex as it is, an infinite value as a formula, None as "", others as escaped text.

    Examples
    --------
    >>> print(latex_text("50% of {a_b}"), latex_text(Loopy({0, 2})))
    50\% of \{a\_b\} $\infty_{0,2}$
    """
    if isinstance(value, Latex):
        return value
    if value is None:
        return Latex("")
    if isinstance(value, Loopy):
        return Latex(f"$\\infty_{{{','.join(map(str, sorted(value.finite)))}}}$")
    text = safe_text(value)
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return Latex(_SIGN.sub(lambda sign: _SPECIAL[sign[0]], shown))


def bold(value: object) -> Latex:
    r"""Return a value in LaTeX, in bold type, as tables print P-positions.

    Examples
    --------
    >>> print(bold("a_1"))
    \textbf{a\_1}
    """
    return Latex(f"\\textbf{{{latex_text(value)}}}")


def latex_table(
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    columns: str,
    *,
    total: Sequence[object] | None = None,
    whole: bool = False,
) -> str:
    r"""Return a table in LaTeX, after a comment that names the packages it needs.

    Parameters
    ----------
    header : sequence
        The cells of the first row; empty for a table without a header.
    rows : iterable of sequence
        The cells of each row.
    columns : str
        The alignment of each column, as in LaTeX: ``l``, ``r``, ``c`` or ``p{width}``.
    total : sequence, optional
        The cells of a last row, below a line.
    whole : bool
        Never make a ``longtable``: the caller scales the table to fit a page.

    Examples
    --------
    >>> print(latex_table(["position", "value"], [["a_1", 2], ["b", 0]], "lr"), end="")
    % \usepackage{booktabs}
    \begin{tabular}{lr}
    \toprule
    position & value \\
    \midrule
    a\_1 & 2 \\
    b & 0 \\
    \bottomrule
    \end{tabular}
    """
    body = [_row(row) for row in rows]
    long = len(body) > _ROWS_OF_A_PAGE and not whole
    environment = "longtable" if long else "tabular"
    lines = "\n".join(
        [
            f"\\begin{{{environment}}}{{{columns}}}",
            "\\toprule",
            *([_row(header), "\\midrule"] if header else []),
            *(["\\endhead"] if header and long else []),
            *body,
            *(["\\midrule", _row(total)] if total is not None else []),
            "\\bottomrule",
            f"\\end{{{environment}}}",
            "",
        ]
    )
    return _with_packages(lines)


def latex_parts(parts: Iterable[str]) -> str:
    r"""Return paragraphs and tables one below the other, after one comment that names the packages they need.

    Examples
    --------
    >>> print(latex_parts(["first player wins", "% \\usepackage{booktabs}\n\\begin{tabular}{l}"]))
    % \usepackage{booktabs}
    first player wins
    <BLANKLINE>
    \medskip
    \begin{tabular}{l}
    """
    bodies = (part.partition("\n")[2] if part.startswith("% ") else part for part in parts)
    return _with_packages("\n\n\\medskip\n".join(body.rstrip("\n") for body in bodies) + "\n")


def _with_packages(text: str) -> str:
    """Return a text in LaTeX after a comment that names the packages it needs; without a comment if it needs none."""
    needed = {"ctex": _CHINESE.search(text), "booktabs": "\\begin{" in text, "longtable": "\\begin{longtable}" in text}
    packages = ",".join(name for name, is_needed in needed.items() if is_needed)
    return f"% \\usepackage{{{packages}}}\n{text}" if packages else text


def nim_sum_table(values: Sequence[tuple[object, Value]], total: Value) -> str:
    r"""Return a table of named values and their nim-sum ``total``, also in binary if all values are finite.

    Examples
    --------
    >>> print(nim_sum_table([("a", 3), ("b", 5)], 6), end="")
    % \usepackage{booktabs}
    \begin{tabular}{lrr}
    \toprule
    a & 3 & 011 \\
    b & 5 & 101 \\
    \midrule
     & 6 & 110 \\
    \bottomrule
    \end{tabular}
    """
    numbers = [value for value in (total, *(value for _, value in values)) if isinstance(value, int)]
    if len(numbers) <= len(values):
        return latex_table([], values, "lr", total=["", total])
    bits = max(numbers).bit_length() or 1
    rows = ((name, value, f"{value:0{bits}b}") for name, value in values)
    return latex_table([], rows, "lrr", total=["", total, f"{total:0{bits}b}"])


def _row(cells: Sequence[object]) -> str:
    return " & ".join(map(latex_text, cells)) + r" \\"
