"""Texts of positions with ranges, such as ``take{1,3,4}(0..50)``, ``wythoff(0..9, 0..9)`` or ``bash{1..6}(0..30)``.

Where a game takes one number between its braces, a range there stands for several rules; in ``take{1..3}`` it is a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphgame.errors import Message, NoPositionError, ParseError, UnknownPositionError
from graphgame.games.notation import Loaded, parse_position
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.position import Component

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
