"""A table of values by one range of numbers or two: its entries, and the forms in which it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from graphgame.errors import Message, OptionError, UnknownPositionError, needs_extra
from graphgame.io.latex import bold, latex_table, latex_text
from graphgame.results import Play, Value

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_Entry = TypeVar("_Entry")

_A_LINE = 10
_MOST_SHOWN = 10_000


@dataclass(frozen=True, repr=False)
class ValueTable:
    """Values and outcomes by one range or two; a prompt and a notebook show the table.

    Attributes
    ----------
    text : str
        The position with its ranges.
    play : {"normal", "misere"}
    ranges : tuple of range
        One or two; the first is that of the rows.
    values : list of list of int, Loopy or Decisive, or None
        A row for each number of the first range; with one range each row has one value, None where the numbers are no
        position. Unknown for sums under misère play, whose values do not combine.
    outcomes : list of list of {"P", "N", "D"}
        None where the numbers are no position.
    """

    text: str
    play: Play
    ranges: tuple[range, ...]
    values: list[list[Value | None]] | None
    outcomes: list[list[str | None]]

    def __getitem__(self, numbers: int | tuple[int, int]) -> Value:
        """Return the value of the position that has this number, or these two.

        Raises
        ------
        UnknownPositionError
            The numbers are not of the ranges, or no position.
        OptionError
            There are only outcomes.

        Examples
        --------
        >>> from graphgame.games.value_tables import value_table
        >>> value_table("wythoff(1..5, 2..8)")[3, 4], value_table("kayles(3..8)")[5]
        (2, 4)
        """
        given = numbers if isinstance(numbers, tuple) else (numbers,)
        if len(given) != len(self.ranges) or not all(map(range.__contains__, self.ranges, given)):
            wanted = ", ".join(f"{numbers.start}..{numbers.stop - 1}" for numbers in self.ranges)
            raise UnknownPositionError(numbers, Message("is not in the table: expected numbers of {bounds}", wanted))
        row, column = *map(range.index, self.ranges, given), *([0] * (2 - len(given)))
        entry = self.entries()[row][column]
        if entry is None:
            raise UnknownPositionError(numbers, Message("is no position of {text}", self.text))
        return entry  # type: ignore[return-value]

    __iter__ = None  # else Python would count up from 0

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:  # noqa: ANN401
        """Return the values by rows, or of one range in one; outcomes where there are no values."""
        import numpy as np

        rows = np.array(self.entries(self.values is None), dtype)
        return rows if self.ranges[1:] else rows[:, 0]

    def entries(self, outcomes: bool = False) -> Sequence[Sequence[Value | str | None]]:
        """Return the values by rows, or the outcomes.

        Raises
        ------
        OptionError
            There are only outcomes.
        """
        if not outcomes and self.values is None:
            raise OptionError(
                "a sum has no value under misère play, only an outcome: ask for outcomes=True, as in "
                "table.entries(outcomes=True)"
            )
        return self.outcomes if outcomes or self.values is None else self.values

    def laid_out(self, cells: Sequence[Sequence[Any]]) -> tuple[list[str], list[str], list[list[Any]]]:
        """Return names of columns, names of rows and rows for cells: of one range in tens, if it has more.

        Examples
        --------
        >>> from graphgame.games.value_tables import value_table
        >>> value_table("nim(8..18)").laid_out([[letter] for letter in "abcdefghijk"])[1:]
        (['0', '10'], [['', '', '', '', '', '', '', '', 'a', 'b'], ['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']])
        >>> value_table("nim(8..10)").laid_out([["a"], ["b"], ["c"]])
        (['8', '9', '10'], [''], [['a', 'b', 'c']])
        """
        first, *second = self.ranges
        if second:
            return list(map(str, second[0])), list(map(str, first)), list(map(list, cells))
        row = [cell for (cell,) in cells]
        if len(row) <= _A_LINE:
            return list(map(str, first)), [""], [row]
        lacking = first.start % _A_LINE
        row = [""] * lacking + row
        starts = range(first.start - lacking, first.stop, _A_LINE)
        return list(map(str, range(_A_LINE))), list(map(str, starts)), in_rows(row, _A_LINE)

    def shown(self, *, outcomes: bool = False) -> str:
        """Return the table in lines of text, P-positions in brackets.

        Raises
        ------
        OptionError
            The table has no values.

        Examples
        --------
        >>> from graphgame.games.value_tables import value_table
        >>> print(value_table("nim(0..2, 0..2)").shown())
            0   1   2
        0  [0]  1   2
        1   1  [0]  3
        2   2   3  [0]
        """
        header, names, rows = self.laid_out(self.entries(outcomes))
        marked = self._marks("[{}]", " {} ", outcomes)
        width = 1 + max(*map(len, marked.values()), *(len(name) + 1 for name in header))
        side, aligned = max(map(len, names)), {entry: text.rjust(width) for entry, text in marked.items()}
        lines = [" " * side + " " + "".join(f"{name} ".rjust(width) for name in header)]
        for name, row in zip(names, rows, strict=True):
            lines.append(f"{name:>{side}} " + "".join(map(aligned.__getitem__, row)))
        return "\n".join(map(str.rstrip, lines))

    def _marks(self, lost: str, other: str, outcomes: bool) -> dict[Any, str]:
        """Return how each entry is written, that of P-positions in a way of its own; and nothing as nothing."""
        told = dict(zip(chain.from_iterable(self.entries(outcomes)), chain.from_iterable(self.outcomes), strict=True))
        return {"": ""} | {
            entry: (lost if outcome == "P" else other).format("" if entry is None else entry)
            for entry, outcome in told.items()
        }

    @property
    def _is_short(self) -> bool:
        return prod(map(len, self.ranges)) <= _MOST_SHOWN

    def __repr__(self) -> str:
        return self.shown(outcomes=self.values is None) if self._is_short else f"<ValueTable of {self.text}>"

    def _repr_html_(self) -> str | None:
        if not self._is_short:
            return None
        header, names, rows = self.laid_out(self.entries(self.values is None))
        marked = self._marks("<td><b>{}</b></td>", "<td>{}</td>", self.values is None)
        head = "".join(f"<th>{name}</th>" for name in ("", *header))
        body = (
            f"<tr><th>{name}</th>{''.join(map(marked.__getitem__, row))}</tr>"
            for name, row in zip(names, rows, strict=True)
        )
        return f"<table><tr>{head}</tr>{''.join(body)}</table>"

    def to_pandas(self, *, outcomes: bool = False) -> pd.DataFrame:
        """Return a DataFrame: of two ranges the table, of one a row for each number with its value and its outcome.

        Parameters
        ----------
        outcomes : bool
            P, N and D in place of the values.

        Raises
        ------
        OptionError
            The table has no values.
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> from graphgame.games.value_tables import value_table
        >>> value_table("wythoff(0..3, 0..3)").to_pandas().loc[1, 3]
        np.int64(4)
        >>> value_table("kayles(0..3)").to_pandas().columns.tolist()
        ['grundy', 'outcome']
        """
        with needs_extra(Message("a DataFrame"), "pandas"):
            import pandas as pd
        first, *second = self.ranges
        entries = self.entries(outcomes)
        if second:
            index, columns = pd.Index(first, name="first"), pd.Index(second[0], name="second")
            return pd.DataFrame(entries, index=index, columns=columns)
        lost = [entry for (entry,) in self.outcomes]
        column = "misere" if self.play == "misere" else "grundy"
        values = {} if outcomes else {column: [entry for (entry,) in entries]}
        return pd.DataFrame({**values, "outcome": lost}, index=pd.Index(first, name="n"))

    def to_latex(self, *, outcomes: bool = False) -> str:
        r"""Return a table in LaTeX, for the package booktabs; P-positions are bold.

        Parameters
        ----------
        outcomes : bool
            P, N and D in place of the values.

        Raises
        ------
        OptionError
            The table has no values.

        Examples
        --------
        >>> from graphgame.games.value_tables import value_table
        >>> print(value_table("nim(0..1, 0..2)").to_latex(), end="")
        % \usepackage{booktabs}
        \begin{tabular}{r@{\quad}rrr}
        \toprule
         & 0 & 1 & 2 \\
        \midrule
        0 & \textbf{0} & 1 & 2 \\
        1 & 1 & \textbf{0} & 3 \\
        \bottomrule
        \end{tabular}
        """
        cells = [
            [bold(entry) if lost == "P" else latex_text("" if entry is None else entry) for entry, lost in pairs]
            for pairs in map(zip, self.entries(outcomes), self.outcomes)
        ]
        header, names, rows = self.laid_out(cells)
        if not any(names):
            return latex_table(header, rows, "r" * len(header))
        lines = ([name, *row] for name, row in zip(names, rows, strict=True))
        return latex_table(["", *header], lines, r"r@{\quad}" + "r" * len(header), whole=len(self.ranges) == 2)


def in_rows(entries: list[_Entry], width: int) -> list[list[_Entry]]:
    """Return entries in rows of a width."""
    return [entries[start : start + width] for start in range(0, len(entries), width)]
