"""Tables of values: a position whose text holds ranges, such as ``take{1,3,4}(0..50)`` or ``wythoff(0..9, 0..9)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, islice, product
from math import prod
from operator import xor
from typing import TYPE_CHECKING, TypeVar

from graphgame.arrays.engine import Progress
from graphgame.errors import LimitError, MissingExtraError, OptionError, ParseError, UnknownPositionError, lists_options
from graphgame.games.notation import Loaded, parse_position
from graphgame.io.latex import bold, latex_table, latex_text
from graphgame.results import Loopy, Play, checked_play, outcome_of
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.position import Component, Position
from graphgame.solution import Cycles, solve

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ValueTable", "has_ranges", "value_table"]

TableCell = tuple[Component, ...]
_Table = list[list[int | Loopy]]
_Entry = TypeVar("_Entry")

_RANGE_OR_BRACES = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|(?P<first>[0-9]+)\.\.(?P<last>[0-9]+)")
_PAIR = re.compile(r"\s*[\w.:/-]+\s*(?:\{.*\})?\s*\(\s*0\s*,\s*0\s*\)\s*")
_MOST_DIGITS = 18
_ENTRIES_A_POSITION = 10
"""Entries of a table that take as much as one position of a graph."""

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
    values : list of list of int or Loopy, or None
        A row for each number of the first range; with one range each row has one value. Unknown for sums under misère
        play, whose values do not combine.
    outcomes : list of list of {"P", "N", "D"}
    """

    text: str
    play: Play
    ranges: tuple[range, ...]
    values: list[list[int | Loopy]] | None
    outcomes: list[list[str]]

    def __getitem__(self, numbers: int | tuple[int, int]) -> int | Loopy:
        """Return the value of the position that has this number, or these two.

        Raises
        ------
        UnknownPositionError
            The numbers are not of the ranges.
        OptionError
            There are only outcomes.

        Examples
        --------
        >>> value_table("wythoff(1..5, 2..8)")[3, 4], value_table("kayles(3..8)")[5]
        (2, 4)
        """
        given = numbers if isinstance(numbers, tuple) else (numbers,)
        if len(given) != len(self.ranges) or not all(map(range.__contains__, self.ranges, given)):
            wanted = ", ".join(f"{numbers.start}..{numbers.stop - 1}" for numbers in self.ranges)
            raise UnknownPositionError(numbers, f"is not in the table: expected numbers of {wanted}")
        row, column = *map(range.index, self.ranges, given), *([0] * (2 - len(given)))
        return self.entries()[row][column]  # type: ignore[return-value]

    __iter__ = None  # else Python would count up from 0

    def entries(self, outcomes: bool = False) -> Sequence[Sequence[int | Loopy | str]]:
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

    def laid_out(self, cells: Sequence[Sequence[str]]) -> tuple[list[str], list[str], list[list[str]]]:
        """Return names of columns, names of rows and rows for cells: of one range in tens, if it has more.

        Examples
        --------
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
        return list(map(str, range(_A_LINE))), list(map(str, starts)), _rows(row, _A_LINE)

    def shown(self, *, outcomes: bool = False) -> str:
        """Return the table in lines of text, P-positions in brackets.

        Raises
        ------
        OptionError
            The table has no values.

        Examples
        --------
        >>> print(value_table("nim(0..2, 0..2)").shown())
            0   1   2
        0  [0]  1   2
        1   1  [0]  3
        2   2   3  [0]
        """
        header, names, rows = self.laid_out(self._marked("[{}]", " {} ", outcomes))
        width = 1 + max(*(len(cell) for row in rows for cell in row), *(len(name) + 1 for name in header))
        side = max(map(len, names))
        lines = [" " * side + " " + "".join(f"{name} ".rjust(width) for name in header)]
        for name, row in zip(names, rows, strict=True):
            lines.append(f"{name:>{side}} " + "".join(cell.rjust(width) for cell in row))
        return "\n".join(map(str.rstrip, lines))

    def _marked(self, lost: str, other: str, outcomes: bool) -> list[list[str]]:
        """Return the entries as they are written, P-positions in a way of their own."""
        return [
            [(lost if outcome == "P" else other).format(entry) for entry, outcome in zip(*pair, strict=True)]
            for pair in zip(self.entries(outcomes), self.outcomes, strict=True)
        ]

    @property
    def _is_short(self) -> bool:
        return prod(map(len, self.ranges)) <= _MOST_SHOWN

    def __repr__(self) -> str:
        return self.shown(outcomes=self.values is None) if self._is_short else f"<ValueTable of {self.text}>"

    def _repr_html_(self) -> str | None:
        if not self._is_short:
            return None
        header, names, rows = self.laid_out(self._marked("<td><b>{}</b></td>", "<td>{}</td>", self.values is None))
        head = "".join(f"<th>{name}</th>" for name in ("", *header))
        body = (f"<tr><th>{name}</th>{''.join(row)}</tr>" for name, row in zip(names, rows, strict=True))
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
        >>> value_table("wythoff(0..3, 0..3)").to_pandas().loc[1, 3]
        np.int64(4)
        >>> value_table("kayles(0..3)").to_pandas().columns.tolist()
        ['grundy', 'outcome']
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("a DataFrame", "pandas") from None
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
            [bold(entry) if lost == "P" else latex_text(entry) for entry, lost in pairs]
            for pairs in map(zip, self.entries(outcomes), self.outcomes)
        ]
        header, names, rows = self.laid_out(cells)
        if not any(names):
            return latex_table(header, rows, "r" * len(header))
        lines = ([name, *row] for name, row in zip(names, rows, strict=True))
        return latex_table(["", *header], lines, r"r@{\quad}" + "r" * len(header), whole=len(self.ranges) == 2)


def has_ranges(text: str) -> bool:
    """Tell whether a text has a range outside braces, such as ``0..50``.

    Examples
    --------
    >>> has_ranges("take{1..3}(0..50)"), has_ranges("take{1..3}(50)")
    (True, False)
    """
    return any(match["first"] is not None for match in _RANGE_OR_BRACES.finditer(text))


@lists_options
def value_table(
    text: str,
    *,
    play: Play = "normal",
    cycles: Cycles = "error",
    max_positions: int = MAX_POSITIONS,
    progress: Progress | None = None,
) -> ValueTable:
    """Return the values of all positions that a text with ranges names.

    Parameters
    ----------
    text : str
        A position in the notation, with one range or two, such as ``0..50``, outside braces.
    play : {"normal", "misere"}
    cycles : {"error", "loopy"}
        Whether play must end; with "loopy" all positions are explored.
    max_positions : int
        Most entries of the table, and most positions of the explicit graph.
    progress : callable, optional
        Called as ``progress(positions, moves)`` now and then while the graph is explored.

    Raises
    ------
    ParseError
        There is no range, or more than two, or the text is not in the notation.
    LimitError
        The table or the graph is too large.
    CycleError
        Play need not end, and ``cycles`` is "error".

    Notes
    -----
    By closed forms where there are; of two heaps whose moves go along straight lines by a compiled loop over the table;
    all other positions are explored together, once.

    Examples
    --------
    >>> value_table("kayles(0..8)").values
    [[0], [1], [2], [3], [1], [4], [3], [2], [1]]
    >>> value_table("wythoff(0..2, 0..2)").outcomes
    [['P', 'N', 'N'], ['N', 'N', 'P'], ['N', 'P', 'N']]
    >>> value_table("wind-up{5:1,3}(0..4)", cycles="loopy").values
    [[0], [inf(0)], [inf(0)], [inf(0)], [0]]
    """
    play = checked_play(play)
    places, ranges = _ranges(text)
    loaded: Loaded = {}
    entries = prod(len(numbers) for numbers in ranges)
    if len(ranges) == 2 and entries <= _ENTRIES_A_POSITION * max_positions and cycles == "error":
        rows = _pair_values(text, places, ranges, play, _ENTRIES_A_POSITION * max_positions, loaded)
        if rows is None and play == "normal":
            rows = _xor_values(text, places, ranges, max_positions, loaded, progress)
        if rows is not None:
            return ValueTable(text, play, ranges, rows, [["N" if value else "P" for value in row] for row in rows])
    if entries > max_positions:
        raise LimitError(
            f"a table of {entries} entries is larger than the limit, max_positions={max_positions}", "max_positions"
        )
    cells = [_entry(text, places, numbers, loaded) for numbers in product(*ranges)]
    whole = Position(chain.from_iterable(cells), max_positions, progress=progress)
    values = _values(cells, whole, cycles) if play == "normal" else _misere_values(cells, whole, cycles)
    outcomes: list[str] = []
    if values is None:
        sums = (Position(cell, max_positions, progress=progress) for cell in cells)
        outcomes += (_misere_outcome(position, cycles) for position in sums)
    else:
        outcomes += map(outcome_of, values)
    width = len(ranges[1]) if len(ranges) == 2 else 1
    return ValueTable(text, play, ranges, None if values is None else _rows(values, width), _rows(outcomes, width))


def _pair_values(
    text: str, places: list[range], ranges: tuple[range, ...], play: Play, most: int, loaded: Loaded
) -> _Table | None:
    """Return the values of a table whose two numbers are a whole position of a game that knows them without a graph."""
    rows, columns = (numbers.stop for numbers in ranges)
    around = text[: places[0].start], text[places[0].stop : places[1].start], text[places[1].stop :]
    if rows * columns > most or not _PAIR.fullmatch("0".join(around)):
        return None
    first, last = (_entry(text, places, tuple(numbers[k] for numbers in ranges), loaded) for k in (0, -1))
    values = first[0].ruleset.pair_values(rows, columns, play == "misere") if len(first) == len(last) == 1 else None
    return None if values is None else values[ranges[0].start :, ranges[1].start :].tolist()


def _xor_values(
    text: str, places: list[range], ranges: tuple[range, ...], most: int, loaded: Loaded, progress: Progress | None
) -> _Table | None:
    """Return the values of a table where each number has components of its own, whose values are combined by xor."""
    first, second = ranges
    by_row = [_entry(text, places, (number, second[0]), loaded) for number in first]
    by_column = [_entry(text, places, (first[0], number), loaded) for number in second]
    last = _entry(text, places, (first[-1], second[-1]), loaded)
    if len({len(cell) for cell in (last, *by_row, *by_column)}) > 1:
        return None
    of_column = [k for k in range(len(last)) if any(cell[k] != by_column[0][k] for cell in by_column)]
    joined = list(by_row[-1])
    for k in of_column:
        joined[k] = by_column[-1][k]
    if joined != list(last) or any(cell[k] != by_row[0][k] for cell in by_row for k in of_column):
        return None
    parts = [*by_row, *([cell[k] for k in of_column] for cell in by_column)]
    values = iter(Position(chain.from_iterable(parts), most, progress=progress).values)
    grundy = [reduce(xor, islice(values, len(part)), 0) for part in parts]
    rows, columns = grundy[: len(first)], grundy[len(first) :]
    return [[row ^ columns[0] ^ column for column in columns] for row in rows]


def _ranges(text: str) -> tuple[list[range], tuple[range, ...]]:
    """Return where the ranges of a text stand, and what they are."""
    matches = [match for match in _RANGE_OR_BRACES.finditer(text) if match["first"] is not None]
    if not matches:
        inside = text.find("..") + 1
        wanted = (
            "expected a range outside braces, as in bash{3}(0..20)" if inside else "expected a range, as in nim(0..20)"
        )
        raise ParseError(wanted, line=1, column=inside or len(text.rstrip()) or 1, text=text)
    if len(matches) > 2:
        raise ParseError("expected at most two ranges", line=1, column=matches[2].start() + 1, text=text)
    return [range(*match.span()) for match in matches], tuple(map(_range, matches))


def _range(match: re.Match[str]) -> range:
    first, last = match["first"], match["last"]
    if max(len(first), len(last)) > _MOST_DIGITS:
        fault = f"a range to a number of more than {_MOST_DIGITS} digits: expected smaller ones"
    elif int(first) > int(last):
        fault = "a range that goes down: expected least..most"
    else:
        return range(int(first), int(last) + 1)
    raise ParseError(fault, line=1, column=match.start() + 1, text=match.string)


def _entry(text: str, places: list[range], numbers: tuple[int, ...], loaded: Loaded) -> TableCell:
    """Return the position of a text with numbers in place of its ranges."""
    entry = _numbered(text, places, numbers)
    try:
        return parse_position(entry, loaded=loaded).components
    except (ParseError, UnknownPositionError) as error:
        if error.text == entry and error.column is not None:
            error.text, error.column = text, _origin(error.column, places, numbers)
        raise


def _numbered(text: str, places: list[range], numbers: tuple[int, ...]) -> str:
    entry, start = "", 0
    for place, number in zip(places, numbers, strict=True):
        entry += f"{text[start : place.start]}{number}"
        start = place.stop
    return entry + text[start:]


def _origin(column: int, places: list[range], numbers: tuple[int, ...]) -> int:
    """Return the column in the text with ranges of a column in the text with numbers in their place."""
    for place, number in zip(places, map(str, numbers), strict=True):
        if column <= place.start + len(number):
            return min(column, place.start + 1)
        column += place.stop - place.start - len(number)
    return column


def _values(cells: list[TableCell], whole: Position, cycles: Cycles) -> list[int | Loopy]:
    values = iter(whole.values if cycles == "error" else _solved_values(whole, "normal", cycles))
    return [reduce(xor, islice(values, len(cell)), 0) for cell in cells]


def _misere_values(cells: list[TableCell], whole: Position, cycles: Cycles) -> list[int | Loopy] | None:
    """Return the misère values, if no entry is a sum."""
    return None if any(len(cell) != 1 for cell in cells) else _solved_values(whole, "misere", cycles)


def _solved_values(whole: Position, play: Play, cycles: Cycles) -> list[int | Loopy]:
    graph = whole.graph()
    solution = solve(graph, play=play, tokens=(), product_limit=whole.max_positions, cycles=cycles)
    return [solution.grundy[token] for token in graph.tokens or ()]


def _misere_outcome(position: Position, cycles: Cycles) -> str:
    if cycles == "error":
        return position.under("misere").outcome
    return {"second": "P", "first": "N", "draw": "D"}[solve(position.graph(), play="misere", cycles=cycles).winner]


def _rows(entries: list[_Entry], width: int) -> list[list[_Entry]]:
    return [entries[start : start + width] for start in range(0, len(entries), width)]
