"""Two coin-turning games on a sheet of coins: their product, solved by nim multiplication, and one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, reduce
from itertools import chain
from operator import xor
from typing import cast

from graphgame.errors import ParseError
from graphgame.games.coins import Coins
from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.parsing import fields, integer, placed
from graphgame.rules.pictures import Picture, grid
from graphgame.rules.ruleset import Ruleset
from graphgame.sprague_grundy import mex
from graphgame.theory.nimbers import nim_product

__all__ = ["Acrostic", "Tartan"]

_TIMES = re.compile(r"\sx\s")
_NAME = re.compile(r"[a-z][a-z-]*")
_TO_BITS = str.maketrans("ht", "10")
_TO_COINS = str.maketrans("10", "ht")


class Tartan(Ruleset):
    """The product of two coin-turning games, played on a sheet of coins.

    Where one game may turn the coins at places x1, x2, ... of a row and the other those at y1, y2, ..., the product may
    turn the coins in rows x1, x2, ... and columns y1, y2, ... together; the last of them, in the last row and column,
    goes from heads to tails. ``tartan{mock-turtles x ruler}(thh/hth)`` gives the sheet row by row from the top,
    ``tartan{mock-turtles x ruler}(1.2,1.3,2.1)`` the heads as row.column, counted from 1. A factor is the name of a
    coin-turning game, or what ``coins`` has in its braces: ``tartan{1..3 within 5 x any adjacent}(tth)``. Tails after
    the last head of a row, and rows without heads at the end, do not matter.

    Parameters
    ----------
    down, across : Coins
        The game of the rows' numbers, and that of the columns'.
    arguments : str
        What stands between braces in the notation, where factors have names.

    Notes
    -----
    The tartan theorem: the value of a head is the nim product of its row's value in the first game and its column's
    value in the second; that of a sheet is the xor of its heads' values.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.
    H. W. Lenstra, Nim multiplication, Séminaire de Théorie des Nombres de Bordeaux (1978).

    Examples
    --------
    >>> corners = Tartan(Coins([2]), Coins([2]))
    >>> [corners.value(5, column) for column in range(1, 7)]
    [0, 4, 8, 12, 6, 2]
    """

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
        """Return the sheets after each turn."""
        rows = [_bits(row) for row in position.split("/")]
        width = max(map(len, position.split("/")))
        across = [[(1 << place) + sum(s) for s in self._masks(place)] for place in range(width)]
        for x, row in enumerate(rows):
            heads = [place for place in range(row.bit_length()) if row >> place & 1]
            for others in self.down.turning_sets(x, range(x)) if heads else ():
                for mask in (mask for y in heads for mask in across[y]):
                    turned = {x, *others}
                    yield _text([row ^ mask if place in turned else row for place, row in enumerate(rows)])

    def value(self, row: int, column: int) -> int:
        """Return the value of a single head by the tartan theorem; rows and columns count from 1."""
        return nim_product(self.down.value(row), self.across.value(column))

    def closed_form(self, position: str) -> int:
        """Return the xor of the heads' values."""
        heads = ((x, y) for x, row in enumerate(position.split("/"), 1) for y, coin in enumerate(row, 1) if coin == "h")
        return reduce(xor, (self.value(x, y) for x, y in heads), 0)

    def least_size(self, position: str) -> tuple[int, int]:
        """Return the number of sets of heads, where one may turn any coin alone."""
        sheets = 2 ** position.count("h") if self.down.turns_one and self.across.turns_one else 1
        return sheets, sheets - 1

    def parse(self, text: str) -> str:
        """Return the sheet of rows of ``h`` and ``t``, or with heads at the places between commas."""
        rows = _places(text) if text.strip()[:1].isdecimal() else _sheet(text)
        width = max(row.bit_length() for row in rows)
        if self.down.longest(len(rows)) < len(rows) or self.across.longest(width) < width:
            raise ParseError(
                f"a sheet of {len(rows)} rows and {width} columns: expected at most {self.down.longest()} and "
                f"{self.across.longest()} with these turning sets",
                column=1,
            )
        return _text(rows)

    def board(self, position: str) -> str:
        """Return the sheet, a line a row."""
        return position.replace("/", "\n")

    def picture(self, position: str) -> Picture | None:
        """Return the coins."""
        return grid(self.board(position), {"h": "heads", "t": "tails"})

    def _masks(self, place: int) -> Iterator[list[int]]:
        """Yield the bits of the other coins of each set of a row whose last coin is at a place."""
        for others in self.across.turning_sets(place, range(place)):
            yield [1 << other for other in others]


class Acrostic(Tartan):
    """Two coin-turning games on one sheet of coins: turn coins of one row, or of one column.

    A move turns coins of one row as the second game allows, or of one column as the first does; the last of them goes
    from heads to tails. ``acrostic{twins x ruler}(thh/hth)`` gives the sheet row by row from the top,
    ``acrostic{twins x ruler}(1.2,1.3,2.1)`` the heads as row.column, counted from 1. A factor is the name of a
    coin-turning game, or what ``coins`` has in its braces.

    Notes
    -----
    The value of a sheet is the xor of its heads' values, each as if it were the only one; there is no general formula
    for these.

    References
    ----------
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14.

    Examples
    --------
    >>> streak = Acrostic(Coins(), Coins(None, "adjacent"))
    >>> [streak.value(2, column) for column in range(1, 9)]
    [2, 1, 2, 5, 2, 1, 2, 9]
    """

    def options(self, position: str) -> Iterator[str]:
        """Return the sheets after each turn."""
        rows = [_bits(row) for row in position.split("/")]
        for x, y in ((x, y) for x, row in enumerate(rows) for y in range(row.bit_length()) if row >> y & 1):
            for others in self.across.turning_sets(y, range(y)):
                yield _text([*rows[:x], rows[x] ^ sum(1 << place for place in (*others, y)), *rows[x + 1 :]])
            for others in self.down.turning_sets(x, range(x)):
                turned = {x, *others}
                yield _text([row ^ 1 << y if place in turned else row for place, row in enumerate(rows)])

    def value(self, row: int, column: int) -> int:
        """Return the value of a single head; rows and columns count from 1."""
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
    """Return the rules of a factor that stands at a place of a longer text, and their text."""
    name = text.strip()
    at = start + len(text) - len(text.lstrip())
    if name == "any" or not _NAME.fullmatch(name):
        with placed(at):
            rules = Coins.from_text(name)
    elif name not in CATALOGUE or CATALOGUE[name].ruleset != "Coins" or CATALOGUE[name].fixed is None:
        raise ParseError(f"{name} is no coin-turning game: expected one such as ruler, or 1..3", column=at + 1)
    else:
        rules = ruleset(name)
    return cast("Coins", rules), rules.arguments or name


def _bits(row: str) -> int:
    return int(row[::-1].translate(_TO_BITS), 2)


def _text(rows: list[int]) -> str:
    """Return the rows as coins, without what does not matter; the bit of 1 is the first coin."""
    last = max((place for place, row in enumerate(rows) if row), default=0)
    return "/".join(f"{row:b}"[::-1].translate(_TO_COINS) for row in rows[: last + 1])


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
            integer(end, start + shift, what="the row or column of a head", least=1, most=200)
            for end, shift in fields(piece, ".")
        ]
        if len(ends) != 2:
            raise ParseError("expected a head as row.column, such as 1.2", column=start + 1)
        if tuple(ends) in heads:
            raise ParseError(f"the head at {ends[0]}.{ends[1]} comes twice", column=start + 1)
        heads.add((ends[0], ends[1]))
    return [sum(1 << y - 1 for row, y in heads if row == x) for x in range(1, max(heads)[0] + 1)]
