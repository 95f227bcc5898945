"""Two coin-turning games on a sheet of coins: their product (Tartan), and a choice of one of them (Acrostic)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from itertools import chain, product
from operator import xor
from typing import cast

from graphgame.errors import Message, ParseError
from graphgame.labs.theory.coins import TO_BITS, TO_COINS, Coins, Item
from graphgame.labs.theory.nimbers import nim_inverse, nim_product
from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.parsing import fields, integer, placed
from graphgame.rules.pictures import Picture
from graphgame.rules.ruleset import About, Ruleset, xor_text
from graphgame.solution.sprague_grundy import mex

_TIMES = re.compile(r"\sx\s")
_NAME = re.compile(r"[a-z][a-z-]*")


class Tartan(Ruleset):
    """The rules of products of two coin-turning games.

    Examples
    --------
    >>> corners = Tartan(Coins([2]), Coins([2]))
    >>> [corners.value(5, column) for column in range(1, 7)]
    [0, 4, 8, 12, 6, 2]
    """

    about = About(
        "The product of two coin-turning games, played on a sheet of coins.",
        "Where one game may turn the coins at places x1, x2, ... of a row and the other those at y1, y2, ..., the "
        "product may turn the coins in rows x1, x2, ... and columns y1, y2, ... together; the last of them, in the "
        "last row and column, goes from heads to tails. ``tartan{mock-turtles x ruler}(thh/hth)`` gives the sheet row "
        "by row from the top, ``tartan{mock-turtles x ruler}(1.2,1.3,2.1)`` the heads as row.column, counted from 1. A "
        "factor is the name of a coin-turning game, or what ``coins`` has in its braces: ``tartan{1..3 within 5 x any "
        "adjacent}(tth)``. Tails after the last head of a row, and rows without heads at the end, do not matter.",
        theorem="The tartan theorem: the value of a head is the nim product of its row's value in the first game and "
        "its column's value in the second; that of a sheet is the xor of its heads' values.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14. H. W. Lenstra, Nim multiplication, "
        "Séminaire de Théorie des Nombres de Bordeaux (1978).",
    )

    cells = Coins.cells
    filling = Coins.filling

    def __init__(self, down: Coins, across: Coins, arguments: str = "") -> None:
        self.down = down
        self.across = across
        self.arguments = arguments or f"{down.turning} x {across.turning}"

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for ``GAME x GAME``."""
        match = _TIMES.search(text)
        if match is None:
            raise ParseError("expected two coin-turning games, such as mock-turtles x ruler", column=1)
        (down, first), (across, second) = _factor(text[: match.start()], 0), _factor(text[match.end() :], match.end())
        return cls(down, across, f"{first} x {second}")

    def options(self, position: str) -> Iterator[str]:
        rows = [_bits(row) for row in position.split("/")]
        across = [list(self._masks(place)) for place in range(max(map(int.bit_length, rows)))]
        for x, row in enumerate(rows):
            for others in self.down.turning_sets(x, range(x)) if row else ():
                for mask in (mask for y in _heads(row) for mask in across[y]):
                    yield _turned(rows, {x, *others}, mask)

    def options_of_value(self, position: str, value: int) -> Iterator[str]:
        """Yield the options of this value.

        A turn changes the value by the nim product of the changes in both factors, so only matching turns are tried.
        """
        rows = [_bits(row) for row in position.split("/")]
        change = self.closed_form(position) ^ value
        across = [_by_change(self.across, place, self._masks(place)) for place in range(max(map(int.bit_length, rows)))]
        for x, row in enumerate(rows) if change else ():
            for down, sets in _by_change(self.down, x, self.down.turning_sets(x, range(x))).items() if row else ():
                wanted = nim_product(change, nim_inverse(down))
                masks = [mask for y in _heads(row) for mask in across[y].get(wanted, ())]
                for others, mask in product(sets, masks):
                    yield _turned(rows, {x, *others}, mask)

    def board(self, position: str) -> str:
        """Return the rows, one a line."""
        return self.format(position).replace("/", "\n")

    def value(self, row: int, column: int) -> int:
        """Return the value of a sheet with a single head, by the tartan theorem; rows and columns count from 1."""
        return nim_product(self.down.value(row), self.across.value(column))

    def closed_form(self, position: str) -> int:
        """Return the xor of the values of the rows; the value of a row is one nim product."""
        rows = ((x, self.across.closed_form(row)) for x, row in enumerate(position.split("/"), 1))
        return reduce(xor, (nim_product(self.down.value(x), row) for x, row in rows if row), 0)

    def reason(self, position: str) -> str:
        """Return the nim product of each head, and their xor, in words."""
        heads = ((x, y) for x, row in enumerate(position.split("/"), 1) for y, coin in enumerate(row, 1) if coin == "h")
        values = xor_text(nim_product(self.down.value(x), self.across.value(y)) for x, y in heads)
        return Message("heads, nim products of a row's and a column's value: {values}", values)

    def least_size(self, position: str) -> tuple[int, int]:
        """Return lower bounds of the numbers of positions and moves; see :meth:`Coins.least_size`."""
        down, across = self.down.fewest, self.across.fewest
        heads = sum(row[across - 1 :].count("h") for row in position.split("/")[down - 1 :])
        sheets = 2 ** (heads // (down * across))
        return sheets, sheets - 1

    def parse(self, text: str) -> str:
        """Read a sheet of rows of ``h`` and ``t``, or the heads as row.column between commas."""
        rows = _places(text) if text.strip()[:1].isdecimal() else _sheet(text)
        width = max(row.bit_length() for row in rows)
        if self.down.longest(len(rows)) < len(rows) or self.across.longest(width) < width:
            raise ParseError(
                "a sheet of {rows} rows and {columns} columns: expected at most {most_rows} and "
                "{most_columns} with these turning sets",
                len(rows),
                width,
                self.down.longest(),
                self.across.longest(),
                column=1,
            )
        return _text(rows)

    def picture(self, position: str) -> Picture | None:
        """Return a picture of the coins, with all rows filled up to the same length."""
        rows = position.split("/")
        sheet = "/".join(row.ljust(max(map(len, rows)), "t") for row in rows)
        return super().picture(sheet)

    def _masks(self, place: int) -> Iterator[int]:
        """Yield the turning sets of a row whose last coin is at ``place``, as bits."""
        for others in self.across.turning_sets(place, range(place)):
            yield sum(1 << other for other in (*others, place))


class Acrostic(Tartan):
    """The rules of two coin-turning games on one sheet.

    Examples
    --------
    >>> streak = Acrostic(Coins(), Coins(None, "adjacent"))
    >>> [streak.value(2, column) for column in range(1, 9)]
    [2, 1, 2, 5, 2, 1, 2, 9]
    """

    about = About(
        "Two coin-turning games on one sheet of coins: turn coins of one row, or of one column.",
        "A move turns coins of one row as the second game allows, or of one column as the first does; the last of them "
        "goes from heads to tails. ``acrostic{twins x ruler}(thh/hth)`` gives the sheet row by row from the top, "
        "``acrostic{twins x ruler}(1.2,1.3,2.1)`` the heads as row.column, counted from 1. A factor is the name of a "
        "coin-turning game, or what ``coins`` has in its braces.",
        theorem="The value of a sheet is the xor of its heads' values, each as if it were the only one; there is no "
        "general formula for these.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.",
    )

    def options(self, position: str) -> Iterator[str]:
        rows = [_bits(row) for row in position.split("/")]
        for x, y in ((x, y) for x, row in enumerate(rows) for y in _heads(row)):
            for mask in self._masks(y):
                yield _turned(rows, {x}, mask)
            for others in self.down.turning_sets(x, range(x)):
                yield _turned(rows, {x, *others}, 1 << y)

    def options_of_value(self, position: str, value: int) -> Iterator[str]:
        """Yield the options of this value: a turn changes it by the xor of the values of all coins that it turns."""
        rows = [_bits(row) for row in position.split("/")]
        change = self.closed_form(position) ^ value
        for x, y in ((x, y) for x, row in enumerate(rows) for y in _heads(row)):
            wanted = change ^ self.value(x + 1, y + 1)
            left, above = self._values[x][:y], [values[y] for values in self._values[:x]]
            for values, mask in zip(self.across.turning_sets(y, left), self._masks(y), strict=True):
                if reduce(xor, values, 0) == wanted:
                    yield _turned(rows, {x}, mask)
            sets = self.down.turning_sets(x, range(x))
            for values, others in zip(self.down.turning_sets(x, above), sets, strict=True):
                if reduce(xor, values, 0) == wanted:
                    yield _turned(rows, {x, *others}, 1 << y)

    def closed_form(self, position: str) -> int:
        heads = ((x, y) for x, row in enumerate(position.split("/"), 1) for y, coin in enumerate(row, 1) if coin == "h")
        return reduce(xor, (self.value(x, y) for x, y in heads), 0)

    def reason(self, position: str) -> str:
        heads = ((x, y) for x, row in enumerate(position.split("/"), 1) for y, coin in enumerate(row, 1) if coin == "h")
        return Message("heads of value {value}", xor_text(self.value(x, y) for x, y in heads))

    def board(self, position: str) -> str:
        """Return the rows, one a line."""
        return self.format(position).replace("/", "\n")

    def value(self, row: int, column: int) -> int:
        """Return the value of a sheet with a single head; rows and columns count from 1."""
        self._values.extend([] for _ in range(len(self._values), row))
        for x, values in enumerate(self._values[:row]):
            for y in range(len(values), column):
                above = [other[y] for other in self._values[:x]]
                others = chain(self.across.turning_sets(y, values), self.down.turning_sets(x, above))
                values.append(mex(reduce(xor, turned, 0) for turned in others))
        return self._values[row - 1][column - 1]

    @cached_property
    def _values(self) -> list[list[int]]:
        return []


def _factor(text: str, start: int) -> tuple[Coins, str]:
    """Return the rules of a factor, and their text; ``start`` is its column in the whole text, for errors."""
    name = text.strip()
    at = start + len(text) - len(text.lstrip())
    if name == "any" or not _NAME.fullmatch(name):
        with placed(at):
            rules = Coins.from_text(name)
    elif name not in CATALOGUE or CATALOGUE[name].ruleset != "Coins" or CATALOGUE[name].fixed is None:
        raise ParseError("{name} is no coin-turning game: expected one such as ruler, or 1..3", name, column=at + 1)
    else:
        rules = ruleset(name)
    return cast("Coins", rules), rules.arguments or name


def _by_change(rules: Coins, place: int, sets: Iterable[Item]) -> dict[int, list[Item]]:
    """Group the turning sets whose last coin is at ``place`` by the number with which they change a row's value."""
    values = [rules.value(other) for other in range(1, place + 2)]
    found: dict[int, list[Item]] = {}
    for others, turned in zip(rules.turning_sets(place, values), sets, strict=True):
        found.setdefault(reduce(xor, others, values[place]), []).append(turned)
    return found


def _heads(row: int) -> list[int]:
    return [place for place in range(row.bit_length()) if row >> place & 1]


def _turned(rows: list[int], turned: set[int], mask: int) -> str:
    """Return the text of the sheet after turning the coins of a mask in each of the rows ``turned``."""
    return _text([row ^ mask if place in turned else row for place, row in enumerate(rows)])


def _bits(row: str) -> int:
    return int(row[::-1].translate(TO_BITS), 2)


def _text(rows: list[int]) -> str:
    """Return rows of bits as text, without tails and rows that do not matter; bit 0 is the first coin."""
    last = max((place for place, row in enumerate(rows) if row), default=0)
    return "/".join(f"{row:b}"[::-1].translate(TO_COINS) for row in rows[: last + 1])


def _sheet(text: str) -> list[int]:
    rows = []
    for piece, start in fields(text, "/"):
        row = piece.strip().lower()
        if not row or row.strip("ht"):
            wrong = len(piece) - len(piece.lstrip()) + len(row) - len(row.lstrip("ht"))
            raise ParseError(
                "expected rows of coins, h or t, with / between them, or the heads such as 1.2,2.1",
                column=start + wrong + 1,
            )
        rows.append(_bits(row))
    return rows


def _places(text: str) -> list[int]:
    heads = set()
    for piece, start in fields(text):
        ends = [
            integer(end, start + shift, what=Message("the row or column of a head"), least=1, most=200)
            for end, shift in fields(piece, ".")
        ]
        if len(ends) != 2:
            raise ParseError("expected a head as row.column, such as 1.2", column=start + 1)
        if tuple(ends) in heads:
            raise ParseError("the head at {row}.{column} comes twice", ends[0], ends[1], column=start + 1)
        heads.add((ends[0], ends[1]))
    return [sum(1 << y - 1 for row, y in heads if row == x) for x in range(1, max(heads)[0] + 1)]
