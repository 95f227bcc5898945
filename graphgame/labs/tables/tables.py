"""A table of values for one or two ranges of numbers: its text, its entries, and its output formats.

The text is a position with ranges in place of numbers: ``take{1,3,4}(0..50)``, ``wythoff(0..9, 0..9)`` or
``bash{1..6}(0..30)``. If a game has one number in braces, as ``bash{3}``, a range in the braces stands for several
games. In ``take{1..3}`` the braces hold a set, so ``1..3`` is part of the rules, not a range of the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from graphgame.errors import Message, NoPositionError, ParameterError, ParseError, UnknownPositionError, needs_extra
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.notation import Loaded, parse_position
from graphgame.rules.position import Component
from graphgame.solution.results import Value
from graphgame.text.latex import bold, latex_table, latex_text

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


_RANGE_OR_BRACES = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|(?P<first>[0-9]+)\.\.(?P<last>[0-9]+)")
_RULES = re.compile(r"(?P<name>[A-Za-z][\w-]*)\s*\{\s*(?P<range>(?P<first>[0-9]+)\.\.(?P<last>[0-9]+))\s*\}")
_MOST_DIGITS = 18


def has_ranges(text: str) -> bool:
    """Return whether a text has a range such as ``0..50`` in place of a number.

    Raises ParseError if the first range goes down, or has a number of more than 18 digits.

    Examples
    --------
    >>> has_ranges("take{1..3}(0..50)"), has_ranges("take{1..3}(50)"), has_ranges("bash{1..3}(50)")
    (True, False, True)
    """
    return any(True for _ in _ranges(text))


def _ranges(text: str) -> Iterator[tuple[range, range]]:
    """Yield each range that stands in place of a number, with the range of indices of its characters in the text."""
    in_braces = {match.end() - 1: match for match in _RULES.finditer(text) if _is_number(match)}
    for match in _RANGE_OR_BRACES.finditer(text):
        ranged = match if match["first"] is not None else in_braces.get(match.end() - 1)
        if ranged is not None:
            yield _range(ranged), range(ranged.start("first"), ranged.end("last"))


def _is_number(match: re.Match[str]) -> bool:
    """Return whether a match of _RULES, ``name{a..b}``, is a game that accepts a number in braces but no range.

    If so, the range stands for several games.
    """
    entry, accepted = CATALOGUE.get(match["name"]), []
    for text in (match["range"], match["last"]) if entry is not None else ():
        try:
            entry.with_arguments(text)  # type: ignore[union-attr]
            accepted.append(text)
        except (ParseError, ValueError):
            continue
    return accepted == [match["last"]]


class RangedText:
    """A text with one or two ranges in place of numbers, and the positions that it names.

    Attributes
    ----------
    ranges : tuple of range
    around : tuple of str
        The text before, between and after the ranges.
    run_rules : bool
        Whether a Python file with rules may be run, if the text names one: see :func:`parse_position`.

    Raises
    ------
    ParseError
        There is no range, or more than two. Or a range goes down, or has a number of more than 18 digits.

    Examples
    --------
    >>> table = RangedText("bash{3}(0..50) + nim(5)")
    >>> table.ranges, table.filled((7,)), table.position((7,))
    ((range(0, 51),), 'bash{3}(7) + nim(5)', (bash{3}(7), nim(5)))
    """

    def __init__(self, text: str, *, run_rules: bool = False) -> None:
        ranges = [*_ranges(text)]
        if not ranges:
            inside = text.find("..") + 1
            in_rules = Message(
                "a range in these braces belongs to the rules: expected a range in the position, as in "
                "take{1..3}(0..20)"
            )
            is_in_braces = "{" in text[:inside].rpartition("}")[2]
            fault = in_rules if is_in_braces else Message("expected a range, as in nim(0..20)")
            raise ParseError(fault, line=1, column=inside or len(text.rstrip()) or 1, text=text)
        if len(ranges) > 2:
            raise ParseError(
                "a table has at most two ranges: expected a number here",
                line=1,
                column=ranges[2][1].start + 1,
                text=text,
            )
        self.text = text
        self.run_rules = run_rules
        self.ranges = tuple(numbers for numbers, _ in ranges)
        self._columns = [columns for _, columns in ranges]
        ends = [0, *(columns.stop for columns in self._columns)]
        starts = [*(columns.start for columns in self._columns), len(text)]
        self.around = tuple(text[end:start] for end, start in zip(ends, starts, strict=True))
        self._loaded: Loaded = {}

    def filled(self, numbers: tuple[int, ...]) -> str:
        """Return the text with these numbers in place of the ranges."""
        before, *others = self.around
        return before + "".join(f"{number}{other}" for number, other in zip(numbers, others, strict=True))

    def position(self, numbers: tuple[int, ...]) -> tuple[Component, ...]:
        """Return the components of the position with these numbers in place of the ranges.

        Raises
        ------
        NoPositionError
            The game has no position with these numbers.
        ParseError
            The syntax is wrong. The error names the column in the text with ranges.
        UnknownPositionError
            A graph file has no such position. The error names the column in the text with ranges.
        """
        filled = self.filled(numbers)
        try:
            return parse_position(filled, loaded=self._loaded, run_rules=self.run_rules).components
        except (ParseError, UnknownPositionError) as error:
            if error.text == filled and error.column is not None:
                error.text, error.column = self.text, self._origin(error.column, numbers)
            if isinstance(error, ParseError) and (suggestion := self._with_second_range(numbers)):
                message = Message("{error}; write two ranges: {source}", error.message, suggestion)
                raise ParseError(message, line=error.line, column=error.column, text=error.text) from error
            raise

    def _with_second_range(self, numbers: tuple[int, ...]) -> str:
        """Return the text with its only range written twice, in quotes, as a suggestion for an error message.

        Return "" if the text has two ranges, or if it names no position when ``numbers[0]`` is written twice instead.
        """
        if len(self.ranges) > 1:
            return ""
        before, after = self.around
        (columns,) = self._columns
        written = self.text[columns.start : columns.stop]
        try:
            parse_position(f"{before}{numbers[0]}, {numbers[0]}{after}", loaded=self._loaded, run_rules=self.run_rules)
        except (ParseError, UnknownPositionError, NoPositionError):
            return ""
        return f'"{before}{written}, {written}{after}"'

    def positions(self, entries: list[tuple[int, ...]]) -> list[tuple[Component, ...] | None]:
        """Return the components of each entry's position, or None for an entry whose numbers are no position.

        Raises
        ------
        NoPositionError
            No entry is a position.
        """
        cells: list[tuple[Component, ...] | None] = []
        refused: NoPositionError | None = None
        for numbers in entries:
            try:
                cells.append(self.position(numbers))
            except NoPositionError as error:
                refused = refused or error
                cells.append(None)
        if refused is not None and not any(cell is not None for cell in cells):
            raise refused
        return cells

    def _origin(self, column: int, numbers: tuple[int, ...]) -> int:
        """Return the column in the text with ranges for a column in the filled text.

        For a column in a number it is the start of the range.
        """
        for columns, number in zip(self._columns, map(str, numbers), strict=True):
            if column <= columns.start + len(number):
                return min(column, columns.start + 1)
            column += len(columns) - len(number)
        return column


def _range(match: re.Match[str]) -> range:
    first, last = match["first"], match["last"]
    if max(len(first), len(last)) > _MOST_DIGITS:
        fault = Message("a number of the range has more than {most} digits: expected smaller numbers", _MOST_DIGITS)
    elif int(first) > int(last):
        fault = Message("the range goes down: expected the smaller number first, as in 3..8")
    else:
        return range(int(first), int(last) + 1)
    raise ParseError(fault, line=1, column=match.start("first") + 1, text=match.string)


_Entry = TypeVar("_Entry")

_A_LINE = 10
"""The number of entries in a row when a table with one range is shown."""

_MOST_SHOWN = 10_000
"""A Python prompt or a notebook shows the entries of a table if there are at most this many."""


@dataclass(frozen=True, repr=False)
class ValueTable:
    """Values and outcomes for one or two ranges. A Python prompt and a notebook show it as a table.

    Attributes
    ----------
    text : str
        The position with its ranges.
    misere : bool
    ranges : tuple of range
        One or two ranges; the first one numbers the rows.
    values : list of list of int, Loopy or Decisive, or None
        A list for each number of the first range, with a value for each number of the second; with one range each list
        has one value. A value is None if its numbers are no position, or if a search was interrupted before. The
        attribute is None if only outcomes are known, for example of sums under misère play.
    outcomes : list of list of {"P", "N", "D"}
        Arranged like the values. An outcome is None if its numbers are no position, or if a search was interrupted
        before.
    """

    text: str
    misere: bool
    ranges: tuple[range, ...]
    values: list[list[Value | None]] | None
    outcomes: list[list[str | None]]

    def __getitem__(self, numbers: int | tuple[int, int]) -> Value:
        """Return the value of the position with this number, or with these two numbers.

        Raises
        ------
        UnknownPositionError
            The numbers are outside the ranges, or are no position. Or a search was interrupted before this entry.
        ParameterError
            The table has outcomes but no values.

        Examples
        --------
        >>> from graphgame.labs.tables.value_tables import value_table
        >>> value_table("wythoff(1..5, 2..8)")[3, 4], value_table("kayles(3..8)")[5]
        (2, 4)
        """
        indices = numbers if isinstance(numbers, tuple) else (numbers,)
        if len(indices) != len(self.ranges) or not all(map(range.__contains__, self.ranges, indices)):
            bounds = ", ".join(f"{numbers.start}..{numbers.stop - 1}" for numbers in self.ranges)
            fault = Message("position {position!r} is not in the table: expected numbers of {bounds}", numbers, bounds)
            raise UnknownPositionError(numbers, fault)
        row, column = *map(range.index, self.ranges, indices), *([0] * (2 - len(indices)))
        entry = self.entries()[row][column]
        if entry is None:
            fault = Message("{table} has no position {position!r}, or its value was not computed", self.text, numbers)
            raise UnknownPositionError(numbers, fault)
        return entry  # type: ignore[return-value]

    __iter__ = None  # otherwise Python would iterate by calling __getitem__ with 0, 1, 2, ...

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:  # noqa: ANN401
        """Return an array of the values, or of the outcomes if there are no values: 2-D for two ranges, 1-D for one."""
        import numpy as np

        rows = np.array(self.entries(self.values is None), dtype)
        return rows if self.ranges[1:] else rows[:, 0]

    def entries(self, outcomes: bool = False) -> Sequence[Sequence[Value | str | None]]:
        """Return the attribute ``values``, or the attribute ``outcomes`` if ``outcomes`` is true.

        Raises
        ------
        ParameterError
            The table has no values, and ``outcomes`` is false.
        """
        if not outcomes and self.values is None:
            raise ParameterError(
                "this table has outcomes but no values: ask for outcomes=True, as in table.entries(outcomes=True)"
            )
        return self.outcomes if outcomes or self.values is None else self.values

    def laid_out(self, cells: Sequence[Sequence[Any]]) -> tuple[list[str], list[str], list[list[Any]]]:
        """Arrange cells, given like ``values``, in a table: return column headers, row headers and rows of cells.

        For one range with more than ten numbers, each row begins at a multiple of ten and has ten cells. The last row
        may be shorter, and cells before the first number are empty. For one range with up to ten numbers there is one
        row, with an empty header.

        Examples
        --------
        >>> from graphgame.labs.tables.value_tables import value_table
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
        missing = first.start % _A_LINE
        row = [""] * missing + row
        starts = range(first.start - missing, first.stop, _A_LINE)
        return list(map(str, range(_A_LINE))), list(map(str, starts)), in_rows(row, _A_LINE)

    def shown(self, *, outcomes: bool = False) -> str:
        """Return the table as text, with P-positions in brackets; ``outcomes`` replaces the values by the outcomes.

        Raises
        ------
        ParameterError
            The table has no values, and ``outcomes`` is false.

        Examples
        --------
        >>> from graphgame.labs.tables.value_tables import value_table
        >>> print(value_table("nim(0..2, 0..2)").shown())
            0   1   2
        0  [0]  1   2
        1   1  [0]  3
        2   2   3  [0]
        """
        header, names, rows = self.laid_out(self.entries(outcomes))
        marked = self._marks("[{}]".format, " {} ".format, outcomes)
        width = 1 + max(*map(len, marked.values()), *(len(name) + 1 for name in header))
        side, aligned = max(map(len, names)), {entry: text.rjust(width) for entry, text in marked.items()}
        lines = [" " * side + " " + "".join(f"{name} ".rjust(width) for name in header)]
        for name, row in zip(names, rows, strict=True):
            lines.append(f"{name:>{side}} " + "".join(map(aligned.__getitem__, row)))
        return "\n".join(map(str.rstrip, lines))

    def _marks(
        self, of_p: Callable[[object], str], of_others: Callable[[object], str], outcomes: bool
    ) -> dict[Any, str]:
        """Return a dict from each value in the table, or from each outcome if ``outcomes`` is true, to its text.

        ``of_p`` makes the texts for P-positions, ``of_others`` all other texts. Both get "" in place of None. The dict
        also maps "", the empty cell of :meth:`laid_out`, to "".
        """
        outcome_of = zip(chain.from_iterable(self.entries(outcomes)), chain.from_iterable(self.outcomes), strict=True)
        return {"": ""} | {
            entry: (of_p if outcome == "P" else of_others)("" if entry is None else entry)
            for entry, outcome in dict(outcome_of).items()
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
        marked = self._marks("<td><b>{}</b></td>".format, "<td>{}</td>".format, self.values is None)
        head = "".join(f"<th>{name}</th>" for name in ("", *header))
        body = (
            f"<tr><th>{name}</th>{''.join(map(marked.__getitem__, row))}</tr>"
            for name, row in zip(names, rows, strict=True)
        )
        return f"<table><tr>{head}</tr>{''.join(body)}</table>"

    def to_pandas(self, *, outcomes: bool = False) -> pd.DataFrame:
        """Return a DataFrame. For two ranges it is the table; for one range each number has a row: value and outcome.

        Parameters
        ----------
        outcomes : bool
            For two ranges, use the outcomes P, N and D instead of the values. For one range, leave out the values.

        Raises
        ------
        ParameterError
            The table has no values, and ``outcomes`` is false.
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> from graphgame.labs.tables.value_tables import value_table
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
        column = "misere" if self.misere else "grundy"
        values = {} if outcomes else {column: [entry for (entry,) in entries]}
        return pd.DataFrame(
            {**values, "outcome": [entry for (entry,) in self.outcomes]}, index=pd.Index(first, name="n")
        )

    def to_latex(self, *, outcomes: bool = False) -> str:
        r"""Return the table in LaTeX, for the package booktabs, with P-positions in bold.

        Parameters
        ----------
        outcomes : bool
            Use P, N and D instead of the values.

        Raises
        ------
        ParameterError
            The table has no values, and ``outcomes`` is false.

        Examples
        --------
        >>> from graphgame.labs.tables.value_tables import value_table
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
        marked = self._marks(bold, latex_text, outcomes)
        header, names, rows = self.laid_out([[marked[entry] for entry in row] for row in self.entries(outcomes)])
        if not any(names):
            return latex_table(header, rows, "r" * len(header))
        lines = ([name, *row] for name, row in zip(names, rows, strict=True))
        return latex_table(["", *header], lines, r"r@{\quad}" + "r" * len(header), whole=len(self.ranges) == 2)


def in_rows(entries: list[_Entry], width: int) -> list[list[_Entry]]:
    """Split a list into rows of ``width`` entries; the last row may be shorter."""
    return [entries[start : start + width] for start in range(0, len(entries), width)]
