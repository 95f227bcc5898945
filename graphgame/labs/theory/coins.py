"""Coin-turning games: a rule says which coins a move may turn together.

A game is played on a row of coins. Two games can be played on one sheet of coins. In their product (:class:`Tartan`) a
move turns the coins where some rows and some columns cross. In :class:`Acrostic` a move turns coins of one row by the
second game, or coins of one column by the first game.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import chain, combinations, islice, pairwise, product
from operator import xor
from typing import ClassVar, Literal, TypeVar, cast, get_args

from graphgame.errors import Message, ParameterError, ParseError
from graphgame.labs.shared_rules import ranges, xor_text
from graphgame.labs.theory import nimbers
from graphgame.rules.catalogue import CATALOGUE, ruleset
from graphgame.rules.declared import DeclaredTurns
from graphgame.rules.parsing import fields, integer, placed
from graphgame.rules.pictures import Cell, Picture
from graphgame.rules.ruleset import About, Ruleset
from graphgame.solution.sprague_grundy import mex

CoinShape = Literal["any", "spaced", "adjacent", "symmetric"]
Item = TypeVar("Item")

_MOST_COINS = 200
"""The maximum number of coins in a row."""

_MOST_SETS = 600_000
"""The maximum number of turning sets of a row. To find the values of its coins, every set is tried."""

_MOST_STATED = 3
"""Sets of more coins than this are declared as formulas only if they are runs: see :meth:`Coins.declared_turns`."""

_RULE = re.compile(
    r"\s*(?P<counts>any|[\d\s,.]+?)\s*(?P<shape>spaced|adjacent|symmetric)?\s*"
    r"(?P<first>first)?\s*(?:within(?P<span>.*))?"
)
_TIMES = re.compile(r"\sx\s")
_NAME = re.compile(r"[a-z][a-z-]*")
_TO_BITS = str.maketrans("ht", "10")
_TO_COINS = str.maketrans("10", "ht")


class Coins(Ruleset):
    """The rules of a coin-turning game on a row of coins.

    The rightmost coin of each move turns from heads to tails.

    Parameters
    ----------
    counts : collection of int, optional
        How many coins a move may turn; the default is any number.
    shape : {"any", "spaced", "adjacent", "symmetric"}
        How the coins of a move lie: anywhere, at equal distances, without a gap, or in a symmetrical pattern.
    span : int, optional
        All coins of a move lie among this many consecutive coins; the default is anywhere in the row.
    first : bool
        Whether each move must turn the first coin of the row.

    Examples
    --------
    >>> list(Coins([1, 2]).options("th"))
    ['t', 'h']
    >>> [Coins([1, 2, 3]).value(number) for number in range(1, 9)]
    [1, 2, 4, 7, 8, 11, 13, 14]
    """

    about = About(
        "A coin-turning game: turn some coins over, the rightmost of them from heads to tails.",
        "The turning set says how many coins and in what shape. ``coins{1..3}`` turns one to three coins anywhere, "
        "``coins{3 spaced}`` three at equal distances, ``coins{any adjacent}`` any number without a gap, ``coins{any "
        "symmetric}`` any number in a symmetrical pattern, ``coins{4 symmetric first}`` four in such a pattern, the "
        "first coin of the row among them, and ``coins{1..3 within 5}`` one to three among five neighbours. "
        "``coins{1,2}(thht)`` gives the coins from left to right; ``coins{1,2}(2,3)`` gives the places of the heads, "
        "counted from 1. Tails after the last head do not matter.",
        theorem="The value of a row is the xor of the values of its heads, each as if it were the only one. To get "
        "the value of a single head, take each set of coins that a move from it may turn, and the xor of the other "
        "coins' values: the value is the mex of these numbers. So values need no graph. Under misère play there is "
        "no such rule: a position is a whole row.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 14. H. W. Lenstra, Nim multiplication, "
        "Séminaire de Théorie des Nombres de Bordeaux (1978).",
    )

    cells: ClassVar = {"h": "heads", "t": "tails"}
    filling = Cell("tails")

    def __init__(
        self,
        counts: Collection[int] | None = None,
        shape: CoinShape = "any",
        span: int | None = None,
        first: bool = False,
    ) -> None:
        if counts is not None and (not counts or min(counts) < 1):
            raise ParameterError(
                "invalid counts {counts}: expected how many coins may be turned, each 1 or more", counts
            )
        if span is not None and span < 1:
            raise ParameterError("invalid span {span}: expected 1 or more", span)
        if shape not in get_args(CoinShape):
            raise ParameterError("unknown shape {shape!r}: expected {shapes}", shape, ", ".join(get_args(CoinShape)))
        self.counts = range(1, _MOST_COINS + 1) if counts is None else sorted(set(counts))
        self.shape = shape
        self.first = first
        self.span = span or _MOST_COINS
        listed = "any" if counts is None else ",".join(map(str, self.counts))
        listed += (f" {shape}" if shape != "any" else "") + " first" * first + (f" within {span}" if span else "")
        self.turning = self.arguments = listed
        self._values: list[int] = []
        self._sets = [0]

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for the text in braces, ``COUNTS [SHAPE] [first] [within SPAN]``.

        COUNTS is "any", or numbers and ranges such as ``1,4..6``. The rest is as in :class:`Coins`.
        """
        match = _RULE.fullmatch(text)
        if match is None:
            raise ParseError(
                "expected how many coins may be turned, such as 1..3, or 3 spaced for three at equal distances",
                column=1,
            )
        counts, span = None, None
        if match["counts"] != "any":
            at = match.start("counts")
            counts = ranges(match["counts"], at, what=Message("the number of coins"), least=1, most=_MOST_COINS)
        if match["span"] is not None:
            span = integer(
                match["span"], match.start("span"), what=Message("the number after 'within'"), least=1, most=_MOST_COINS
            )
        return cls(counts, match["shape"] or "any", span, bool(match["first"]))  # type: ignore[arg-type]

    def options(self, position: str) -> Iterator[str]:
        # Read the row as a number: bit i is coin i. The coins of a turn are distinct, so the sum of their bits is a
        # mask, and the turn is an xor with it. Binary text reversed is the row, from its first coin to its last head.
        heads = _bits(position)
        bits = [1 << index for index in range(len(position))]
        for index, coin in enumerate(position):
            if coin == "h":
                for others in self.turning_sets(index, bits):
                    yield f"{heads ^ bits[index] ^ sum(others):b}"[::-1].translate(_TO_COINS)

    def declared_turns(self) -> DeclaredTurns | None:
        """Return the turning sets as formulas about the numbers of the coins, for proofs of laws.

        The result is None except for two kinds of games. In the first kind ``counts`` has no number above 3, and the
        shape is not "symmetric". In the second kind a move turns any 1 to k neighbouring coins, and ``span`` is None.
        """
        most = self.counts[-1]
        if self.shape == "adjacent" and len(self.counts) == most and self.span == _MOST_COINS and not self.first:
            return DeclaredTurns((), "True" if most == _MOST_COINS else f"n - a < {most}")
        if self.shape == "symmetric" or most > _MOST_STATED:
            return None
        sets = []
        for count in self.counts:
            names = "ab"[: count - 1]
            order = [*names, "n"]
            parts = [f"{one} < {two}" for one, two in pairwise(order)]
            if self.shape == "adjacent":
                parts += [f"{two} = {one} + 1" for one, two in pairwise(order)]
            if self.shape == "spaced" and count == _MOST_STATED:
                parts.append("n - b = b - a")
            parts += [f"{order[0]} = 1"] if self.first else []
            parts += [f"n - a < {self.span}"] if names and self.span < _MOST_COINS else []
            sets.append((names, " and ".join(parts) or "True"))
        return DeclaredTurns(tuple(sets))

    def value(self, number: int) -> int:
        """Return the value of a row in which only coin ``number``, counted from 1, shows heads."""
        # The other coins of a turn lie before its last coin, so their values are in the list already.
        while len(self._values) < number:
            turns = self.turning_sets(len(self._values), self._values)
            self._values.append(mex(reduce(xor, others, 0) for others in turns))
        return self._values[number - 1]

    def closed_form(self, position: str) -> int:
        return reduce(xor, self._values_of_heads(position), 0)

    def reason(self, position: str) -> str:
        return Message("the xor of the heads' values decides: {xor}", xor_text(self._values_of_heads(position)))

    def _values_of_heads(self, position: str) -> Iterator[int]:
        return (self.value(number) for number, coin in enumerate(position, 1) if coin == "h")

    def least_size(self, position: str) -> tuple[int, int]:
        """Return lower bounds of the numbers of positions and moves of the graph from a row: 2**n and 2**n - 1.

        Let k be :attr:`fewest`. n is the number of heads after the first k - 1 coins, divided by k and rounded down.
        """
        # Divide these heads in their order into n groups of k. For each group, a move may turn its last head and the
        # k - 1 coins before it. No coin belongs to two of these moves, so they lead to 2**n positions. A move leads to
        # each of them except the start.
        rows = 2 ** (position[self.fewest - 1 :].count("h") // self.fewest)
        return rows, rows - 1

    @cached_property
    def fewest(self) -> int:
        """The least number k of coins in ``counts``; but 200 if some run of k neighbouring coins is not a turning set.

        200 is the length of the longest row. With it, :meth:`least_size` returns (1, 0).
        """
        fewest: int = self.counts[0]
        return _MOST_COINS if self.first or self.span < fewest else fewest

    def parse(self, text: str) -> str:
        """Return a row as text of ``h`` and ``t``.

        ``text`` is such a row, or the places of its heads, counted from 1, with commas between them. Tails after the
        last head are left out; a row without heads becomes ``t``.
        """
        expected = Message("expected coins, h or t, or the places of the heads, such as 2,3")
        row = _row(text) if text.strip()[:1].isdecimal() else _coins(text, 0, expected)
        row = row.rstrip("t") or "t"
        if (longest := self.longest(len(row))) < len(row):
            raise ParseError(
                "a row of {count} coins: expected at most {longest} with this turning set", len(row), longest, column=1
            )
        return row

    def turning_sets(self, last: int, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
        """For each turning set whose rightmost coin has the index ``last``, yield the items of all its other coins.

        Indices count from 0. ``items[i]`` is anything that belongs to coin i, such as its index or its value.
        """
        # ``left`` is the index of the leftmost coin of the set.
        for left in reversed(range(max(0, last - self.span + 1), 1 if self.first else last + 1)):
            room = last - left
            for count in self.counts if self.shape != "adjacent" else (room + 1,) if room + 1 in self.counts else ():
                if count > room + 1:
                    break  # counts are sorted, so no later count fits
                if count == 1:
                    yield from ((),) if room == 0 else ()
                elif self.shape == "any":
                    yield from ((items[left], *inner) for inner in combinations(items[left + 1 : last], count - 2))
                elif self.shape == "symmetric":
                    yield from _symmetric(items, left, last, count)
                elif room % (count - 1) == 0:
                    # Coins at equal distances. Adjacent coins come here, too: their distance is 1.
                    yield items[left : last : room // (count - 1)]

    def longest(self, wanted: int = _MOST_COINS) -> int:
        """Return the greatest length, at most ``min(wanted, 200)``, of a row with at most 600,000 turning sets."""
        wanted = min(wanted, _MOST_COINS)
        # _sets[n] is the number of turning sets of a row of n coins; counting stops once it is too large.
        while len(self._sets) <= wanted and self._sets[-1] <= _MOST_SETS:
            last = len(self._sets) - 1
            sets = islice(self.turning_sets(last, range(last)), _MOST_SETS + 1 - self._sets[-1])
            self._sets.append(self._sets[-1] + sum(1 for _ in sets))
        return min(wanted, bisect_right(self._sets, _MOST_SETS) - 1)


class Tartan(Ruleset):
    """The rules of the product of two coin-turning games, on a sheet of coins.

    A move turns the coins where some rows and some columns cross.

    Parameters
    ----------
    down : Coins
        The first game: the rows of a move are one of its turning sets.
    across : Coins
        The second game: the columns of a move are one of its turning sets.
    arguments : str
        The text of both games in the braces of the notation. The default follows from ``down`` and ``across``.

    Examples
    --------
    >>> corners = Tartan(Coins([2]), Coins([2]))
    >>> [corners.value(5, column) for column in range(1, 7)]
    [0, 4, 8, 12, 6, 2]
    """

    about = About(
        "The product of two coin-turning games, played on a sheet of coins.",
        "If the first game may turn the coins at places x1, x2, ... of a row, and the second game those at y1, y2, "
        "..., the product may turn all coins that are in rows x1, x2, ... and in columns y1, y2, ...; the coin in the "
        "last of these rows and columns goes from heads to tails. ``tartan{mock-turtles x ruler}(thh/hth)`` gives the "
        "sheet row by row from the top, ``tartan{mock-turtles x ruler}(1.2,1.3,2.1)`` the heads as row.column, counted "
        "from 1. A factor is the name of a coin-turning game, or what ``coins`` has in its braces: ``tartan{1..3 "
        "within 5 x any adjacent}(tth)``. Tails after the last head of a row, and rows without heads at the end, do "
        "not matter.",
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
        """Return the rules for the text in braces, ``GAME x GAME``.

        GAME is the name of a coin-turning game, such as ``ruler``, or the text in the braces of ``coins``, such as
        ``1..3``.
        """
        match = _TIMES.search(text)
        if match is None:
            raise ParseError("expected two coin-turning games, such as mock-turtles x ruler", column=1)
        (down, first), (across, second) = _factor(text[: match.start()], 0), _factor(text[match.end() :], match.end())
        return cls(down, across, f"{first} x {second}")

    def options(self, position: str) -> Iterator[str]:
        rows = [_bits(row) for row in position.split("/")]
        across = [list(self._masks(last)) for last in range(max(map(int.bit_length, rows)))]
        for x, row in enumerate(rows):
            for others in self.down.turning_sets(x, range(x)) if row else ():
                for mask in (mask for y in _heads(row) for mask in across[y]):
                    yield _turned(rows, {x, *others}, mask)

    def options_of_value(self, position: str, value: int) -> Iterator[str]:
        """Yield the options with this value, once for each turn that leads to the option.

        A turn changes the value by the nim product of the changes in both factors, so only matching turns are tried.
        """
        rows = [_bits(row) for row in position.split("/")]
        change = self.closed_form(position) ^ value
        across = [_by_change(self.across, last, self._masks(last)) for last in range(max(map(int.bit_length, rows)))]
        for x, row in enumerate(rows) if change else ():
            for down, sets in _by_change(self.down, x, self.down.turning_sets(x, range(x))).items() if row else ():
                # A turn of coins always changes the value. So the change ``down`` is not 0, and has an inverse.
                wanted = nimbers.product(change, nimbers.inverse(down))
                masks = [mask for y in _heads(row) for mask in across[y].get(wanted, ())]
                for others, mask in product(sets, masks):
                    yield _turned(rows, {x, *others}, mask)

    def board(self, position: str) -> str:
        """Return the sheet as text, with each row on its own line."""
        return self.format(position).replace("/", "\n")

    def value(self, row: int, column: int) -> int:
        """Return the value of a sheet whose only head is in this row and column, both counted from 1."""
        # This is the tartan theorem.
        return nimbers.product(self.down.value(row), self.across.value(column))

    def closed_form(self, position: str) -> int:
        """Return the value of a sheet: the xor of the values of its rows, which need one nim product each."""
        rows = ((x, self.across.closed_form(row)) for x, row in enumerate(position.split("/"), 1))
        return reduce(xor, (nimbers.product(self.down.value(x), row) for x, row in rows if row), 0)

    def reason(self, position: str) -> str:
        """Return a sentence with the xor of the heads' values, which are nim products."""
        values = xor_text(self._values_of_heads(position))
        return Message(
            "the value of each head is the nim product of the value of its row and that of its column: {values}", values
        )

    def _values_of_heads(self, position: str) -> Iterator[int]:
        for x, row in enumerate(position.split("/"), 1):
            yield from (self.value(x, y) for y, coin in enumerate(row, 1) if coin == "h")

    def least_size(self, position: str) -> tuple[int, int]:
        """Return lower bounds of the number of positions and of the number of moves; see :meth:`Coins.least_size`."""
        down, across = self.down.fewest, self.across.fewest
        heads = sum(row[across - 1 :].count("h") for row in position.split("/")[down - 1 :])
        sheets = 2 ** (heads // (down * across))
        return sheets, sheets - 1

    def parse(self, text: str) -> str:
        """Return a sheet as rows of ``h`` and ``t`` with ``/`` between them.

        ``text`` is such a sheet, or the list of its heads: row.column, both counted from 1, with commas between the
        heads. Tails at the end of a row, and rows without heads at the end of the sheet, are left out.
        """
        expected = Message(
            "expected rows of coins, h or t, with / between them, or the heads as row.column, such as 1.2,2.1"
        )
        if text.strip()[:1].isdecimal():
            rows = _places(text)
        else:
            rows = [_bits(_coins(piece, start, expected)) for piece, start in fields(text, "/")]
        while len(rows) > 1 and not rows[-1]:
            rows.pop()
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
        """Return a picture of the coins, with tails added so that all rows have the same length.

        Return None if the sheet has more than 24 rows or columns.
        """
        rows = position.split("/")
        sheet = "/".join(row.ljust(max(map(len, rows)), "t") for row in rows)
        return super().picture(sheet)

    def _masks(self, last: int) -> Iterator[int]:
        """Yield a mask for each turning set of the second game whose rightmost coin has the index ``last``.

        Bit i is the coin with the index i, counted from 0; bit ``last`` is always set.
        """
        for others in self.across.turning_sets(last, range(last)):
            yield sum(1 << other for other in (*others, last))


class Acrostic(Tartan):
    """The rules of two coin-turning games on one sheet of coins.

    A move turns coins of one row by the rules ``across``, or coins of one column by the rules ``down``. The parameters
    are those of :class:`Tartan`.

    Examples
    --------
    >>> streak = Acrostic(Coins(), Coins(None, "adjacent"))
    >>> [streak.value(2, column) for column in range(1, 9)]
    [2, 1, 2, 5, 2, 1, 2, 9]
    """

    about = About(
        "Two coin-turning games A and B on a sheet of coins: turn coins of a column as in A, or of a row as in B.",
        "In ``acrostic{A x B}`` a move turns coins of one column by the rules of A, or coins of one row by the rules "
        "of B. The last coin that it turns goes from heads to tails. A and B are names of coin-turning games, or "
        "texts such as ``any adjacent`` from ``coins{any adjacent}``. A position is the sheet of coins row by row, as "
        "in ``acrostic{twins x ruler}(thh/htt)``. Or it is row.column of each head, counted from 1: the same sheet is "
        "``acrostic{twins x ruler}(1.2,1.3,2.1)``.",
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
        """Yield the options with this value, once for each turn that leads to the option.

        A turn changes the value of the sheet by the xor of the values of all coins that it turns.
        """
        rows = [_bits(row) for row in position.split("/")]
        change = self.closed_form(position) ^ value
        for x, y in ((x, y) for x, row in enumerate(rows) for y in _heads(row)):
            # ``value`` also computes the values above and to the left of the head, which the next line reads.
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
        return reduce(xor, self._values_of_heads(position), 0)

    def reason(self, position: str) -> str:
        return Message("the xor of the heads' values decides: {xor}", xor_text(self._values_of_heads(position)))

    def value(self, row: int, column: int) -> int:
        """Return the value of a sheet whose only head is in this row and column, both counted from 1."""
        self._values.extend([] for _ in range(len(self._values), row))
        # Go from the top row down: the value of a coin needs those of the coins above it and to its left.
        for x, values in enumerate(self._values[:row]):
            for y in range(len(values), column):
                above = [other[y] for other in self._values[:x]]
                others = chain(self.across.turning_sets(y, values), self.down.turning_sets(x, above))
                values.append(mex(reduce(xor, turned, 0) for turned in others))
        return self._values[row - 1][column - 1]

    @cached_property
    def _values(self) -> list[list[int]]:
        return []


def _symmetric(items: Sequence[Item], left: int, right: int, count: int) -> Iterator[Sequence[Item]]:
    """Yield the symmetric sets of ``count`` items whose first index is ``left`` and last index is ``right``.

    The last item is left out of each set.
    """
    # An odd number of coins needs a coin in the centre, so left + right must be even. All other inner coins are pairs:
    # a coin left of the centre, and its mirror image with the index left + right - index.
    centre = [items[(left + right) // 2]] if count % 2 else []
    half = range(left + 1, (left + right + 1) // 2)
    for chosen in combinations(half, count // 2 - 1) if not centre or (left + right) % 2 == 0 else ():
        yield [items[left], *centre, *(items[index] for inner in chosen for index in (inner, left + right - inner))]


def _row(text: str) -> str:
    """Return a row of coins from the places of its heads, counted from 1: ``1,4,5`` becomes ``htthh``."""
    heads = []
    for piece, start in fields(text):
        number = integer(piece, start, what=Message("the place of a head"), least=1, most=_MOST_COINS)
        if number in heads:
            raise ParseError("the head at place {place} is listed twice", number, column=start + 1)
        heads.append(number)
    return "".join("h" if number in heads else "t" for number in range(1, max(heads) + 1))


def _factor(text: str, start: int) -> tuple[Coins, str]:
    """Return the rules of a factor of a product, and the text that stands for the factor in the product's braces.

    ``start`` is the index in the whole text at which ``text`` starts. Errors use it to name the column.
    """
    name = text.strip()
    at = start + len(text) - len(text.lstrip())
    if name == "any" or not _NAME.fullmatch(name):
        with placed(at):
            rules = Coins.from_text(name)
    elif name not in CATALOGUE or CATALOGUE[name].ruleset != "Coins" or CATALOGUE[name].fixed is None:
        raise ParseError(
            "{name} cannot be a factor: expected a coin-turning game such as ruler, or counts of coins such as 1..3",
            name,
            column=at + 1,
        )
    else:
        rules = ruleset(name)
    return cast("Coins", rules), rules.arguments or name


def _by_change(rules: Coins, last: int, sets: Iterable[Item]) -> dict[int, list[Item]]:
    """Group the turning sets whose rightmost coin has the index ``last`` by their change.

    The change of a set is the xor of the row's values before and after its coins are turned. ``sets`` has an item, such
    as a mask, for each of these sets, in the order of :meth:`Coins.turning_sets`. The result maps each change to the
    items of its sets.
    """
    values = [rules.value(number) for number in range(1, last + 2)]
    groups: dict[int, list[Item]] = {}
    for others, turned in zip(rules.turning_sets(last, values), sets, strict=True):
        groups.setdefault(reduce(xor, others, values[last]), []).append(turned)
    return groups


def _heads(row: int) -> list[int]:
    return [index for index in range(row.bit_length()) if row >> index & 1]


def _turned(rows: list[int], turned: set[int], mask: int) -> str:
    """Return the text of a sheet after the coins of ``mask`` are turned in each row whose index is in ``turned``."""
    return _text([row ^ mask if index in turned else row for index, row in enumerate(rows)])


def _bits(row: str) -> int:
    return int(row[::-1].translate(_TO_BITS), 2)


def _text(rows: list[int]) -> str:
    """Return a sheet as text. Bit 0 of a row is its first coin; a bit is 1 for heads.

    Tails at the end of a row, and rows without heads at the end of the sheet, are left out. Any other row without heads
    is ``t``, and so is a sheet without heads.
    """
    last = max((index for index, row in enumerate(rows) if row), default=0)
    return "/".join(f"{row:b}"[::-1].translate(_TO_COINS) for row in rows[: last + 1])


def _coins(text: str, start: int, expected: str) -> str:
    """Return a text of ``h`` and ``t`` in lower case; raise ParseError with the message ``expected`` for other texts.

    ``start`` is the index in the whole text at which ``text`` starts. The error uses it to name the column.
    """
    row = text.strip().lower()
    if not row or row.strip("ht"):
        wrong = len(text) - len(text.lstrip()) + len(row) - len(row.lstrip("ht"))
        raise ParseError(expected, column=start + wrong + 1)
    return row


def _places(text: str) -> list[int]:
    heads = set()
    for piece, start in fields(text):
        ends = [
            integer(end, start + shift, what=Message("the row or column of a head"), least=1, most=_MOST_COINS)
            for end, shift in fields(piece, ".")
        ]
        if len(ends) != 2:
            raise ParseError("expected a head as row.column, such as 1.2", column=start + 1)
        if tuple(ends) in heads:
            raise ParseError("the head at {row}.{column} is listed twice", ends[0], ends[1], column=start + 1)
        heads.add((ends[0], ends[1]))
    return [sum(1 << y - 1 for row, y in heads if row == x) for x in range(1, max(heads)[0] + 1)]
