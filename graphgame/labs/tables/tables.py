"""A table of values by one range of numbers or two: its entries, and the forms in which it is shown.

Its text is that of a position with ranges, such as ``take{1,3,4}(0..50)``, ``wythoff(0..9, 0..9)`` or
``bash{1..6}(0..30)``. Where a game takes one number between its braces, a range there stands for several rules; in
``take{1..3}`` it is a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from graphgame.errors import Message, NoPositionError, OptionError, ParseError, UnknownPositionError, needs_extra
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.notation import Loaded, parse_position
from graphgame.rules.position import Component
from graphgame.solution.results import Play, Value
from graphgame.text.latex import bold, latex_table, latex_text

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


_RANGE_OR_BRACES = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|(?P<first>[0-9]+)\.\.(?P<last>[0-9]+)")
_RULES = re.compile(r"(?P<name>[A-Za-z][\w-]*)\s*\{\s*(?P<range>(?P<first>[0-9]+)\.\.(?P<last>[0-9]+))\s*\}")
_MOST_DIGITS = 18


def has_ranges(text: str) -> bool:
    """Tell whether a text has a range in place of a number, such as ``0..50``.

    Examples
    --------
    >>> has_ranges("take{1..3}(0..50)"), has_ranges("take{1..3}(50)"), has_ranges("bash{1..3}(50)")
    (True, False, True)
    """
    return any(True for _ in _ranges(text))


def _ranges(text: str) -> Iterator[tuple[range, range]]:
    """Yield the ranges that stand in place of numbers, each with its place in the text."""
    of_rules = {match.end() - 1: match for match in _RULES.finditer(text) if _is_number(match)}
    for match in _RANGE_OR_BRACES.finditer(text):
        found = match if match["first"] is not None else of_rules.get(match.end() - 1)
        if found is not None:
            first, last = found.span("first")[0], found.span("last")[1]
            yield _range(found), range(first, last)


def _is_number(match: re.Match[str]) -> bool:
    """Tell whether a game takes a number between its braces, and no range."""
    entry, taken = CATALOGUE.get(match["name"]), []
    for text in (match["range"], match["last"]) if entry is not None else ():
        try:
            entry.with_arguments(text)  # type: ignore[union-attr]
            taken.append(text)
        except (ParseError, ValueError):
            continue
    return taken == [match["last"]]


class RangedText:
    """A text with one range or two in place of numbers, and the positions that it names.

    Attributes
    ----------
    ranges : tuple of range
    around : tuple of str
        What stands before, between and after the ranges.
    run_rules : bool
        Whether positions may be of rules in a Python file, which is then run: see :func:`parse_position`.

    Raises
    ------
    ParseError
        There is no range, or more than two, or one that is empty or goes too far.

    Examples
    --------
    >>> table = RangedText("bash{3}(0..50) + nim(5)")
    >>> table.ranges, table.filled((7,)), table.position((7,))
    ((range(0, 51),), 'bash{3}(7) + nim(5)', (bash{3}(7), nim(5)))
    """

    def __init__(self, text: str, *, run_rules: bool = False) -> None:
        found = [*_ranges(text)]
        if not found:
            inside = text.find("..") + 1
            outside = Message("expected a range outside braces, as in bash{3}(0..20)")
            wanted = outside if inside else Message("expected a range, as in nim(0..20)")
            raise ParseError(wanted, line=1, column=inside or len(text.rstrip()) or 1, text=text)
        if len(found) > 2:
            raise ParseError("expected at most two ranges", line=1, column=found[2][1].start + 1, text=text)
        self.text = text
        self.run_rules = run_rules
        self.ranges = tuple(numbers for numbers, _ in found)
        self._places = [place for _, place in found]
        ends = [0, *(place.stop for place in self._places)]
        starts = [*(place.start for place in self._places), len(text)]
        self.around = tuple(text[end:start] for end, start in zip(ends, starts, strict=True))
        self._loaded: Loaded = {}

    def filled(self, numbers: tuple[int, ...]) -> str:
        """Return the text with numbers in place of its ranges."""
        before, *others = self.around
        return before + "".join(f"{number}{other}" for number, other in zip(numbers, others, strict=True))

    def position(self, numbers: tuple[int, ...]) -> tuple[Component, ...]:
        """Return the components of the position that some numbers name.

        Raises
        ------
        NoPositionError
            They name none.
        ParseError, UnknownPositionError
            The text is not in the notation; says the column in the text with ranges.
        """
        filled = self.filled(numbers)
        try:
            return parse_position(filled, loaded=self._loaded, run_rules=self.run_rules).components
        except (ParseError, UnknownPositionError) as error:
            if error.text == filled and error.column is not None:
                error.text, error.column = self.text, self._origin(error.column, numbers)
            if isinstance(error, ParseError) and (meant := self._with_second_range(numbers)):
                message = Message("{error}; did you mean {names}?", error.message, meant)
                raise ParseError(message, line=error.line, column=error.column, text=error.text) from error
            raise

    def _with_second_range(self, numbers: tuple[int, ...]) -> str:
        """Return the text with its one range twice, where that names positions: those of two heaps."""
        if len(self.ranges) > 1:
            return ""
        before, after = self.around
        (place,) = self._places
        written = self.text[place.start : place.stop]
        try:
            parse_position(f"{before}{numbers[0]}, {numbers[0]}{after}", loaded=self._loaded, run_rules=self.run_rules)
        except (ParseError, UnknownPositionError, NoPositionError):
            return ""
        return f'"{before}{written}, {written}{after}"'

    def positions(self, entries: list[tuple[int, ...]]) -> list[tuple[Component, ...] | None]:
        """Return the components of several positions, None where numbers name none; refuse a text that names none."""
        found: list[tuple[Component, ...] | None] = []
        refused: NoPositionError | None = None
        for numbers in entries:
            try:
                found.append(self.position(numbers))
            except NoPositionError as error:
                refused = refused or error
                found.append(None)
        if refused is not None and not any(part is not None for part in found):
            raise refused
        return found

    def _origin(self, column: int, numbers: tuple[int, ...]) -> int:
        """Return the column in the text with ranges of a column in the text with numbers in their place."""
        for place, number in zip(self._places, map(str, numbers), strict=True):
            if column <= place.start + len(number):
                return min(column, place.start + 1)
            column += len(place) - len(number)
        return column


def _range(match: re.Match[str]) -> range:
    first, last = match["first"], match["last"]
    if max(len(first), len(last)) > _MOST_DIGITS:
        fault = Message("a range to a number of more than {most} digits: expected smaller ones", _MOST_DIGITS)
    elif int(first) > int(last):
        fault = Message("a range that goes down: expected least..most")
    else:
        return range(int(first), int(last) + 1)
    raise ParseError(fault, line=1, column=match.start("first") + 1, text=match.string)


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
        >>> from graphgame.labs.tables.value_tables import value_table
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
        >>> from graphgame.labs.tables.value_tables import value_table
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
