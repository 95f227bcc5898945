"""Coin-turning games: a row of coins, and a rule that says which coins a move may turn together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations, islice, pairwise
from operator import xor
from typing import ClassVar, Literal, TypeVar, get_args

from graphgame.errors import Message, ParseError
from graphgame.rules.declared import DeclaredTurns
from graphgame.rules.parsing import fields, integer, ranges
from graphgame.rules.pictures import Cell
from graphgame.rules.ruleset import About, Ruleset, xor_text

CoinShape = Literal["any", "spaced", "adjacent", "symmetric"]
Item = TypeVar("Item")

_LONGEST = 200
"""Most coins in a row."""

_MOST_SETS = 600_000
"""Most turning sets that may be searched to find the values of a row."""

_MOST_STATED = 3
"""Turning sets of up to this many coins are declared as statements."""

_RULE = re.compile(
    r"\s*(?P<counts>any|[\d\s,.]+?)\s*(?P<shape>spaced|adjacent|symmetric)?\s*"
    r"(?P<first>first)?\s*(?:within(?P<span>.*))?"
)
TO_BITS = str.maketrans("ht", "10")
TO_COINS = str.maketrans("10", "ht")


class Coins(Ruleset):
    """The rules of coin-turning games.

    Examples
    --------
    >>> list(Coins([1, 2]).options("th"))
    ['t', 'h']
    >>> [Coins([1, 2, 3]).value(place) for place in range(1, 9)]
    [1, 2, 4, 7, 8, 11, 13, 14]
    """

    about = About(
        "A coin-turning game: turn some coins over, the rightmost of them from heads to tails.",
        "The turning set says how many coins and in what shape. ``coins{1..3}`` turns one to three coins anywhere, "
        "``coins{3 spaced}`` three at equal distances, ``coins{any adjacent}`` any number without a gap, ``coins{any "
        "symmetric}`` any number in a symmetrical pattern, ``coins{4 symmetric first}`` four such with the first coin "
        "of the row among them, and ``coins{1..3 within 5}`` one to three among five neighbours. ``coins{1,2}(thht)`` "
        "gives the coins from left to right; ``coins{1,2}(2,3)`` names the heads, counted from 1. Tails after the last "
        "head do not matter.",
        theorem="The value of a row is the xor of the values of its heads, each as if it were the only one; that of a "
        "single head is the mex, over all sets that may be turned with it, of the xor of the other coins' values. This "
        "finds values without the graph, whose positions are whole rows: under misère play a row is more than its "
        "heads.",
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
            raise ValueError(
                Message("invalid counts {counts}: expected how many coins may be turned, each 1 or more", counts)
            )
        if span is not None and span < 1:
            raise ValueError(Message("invalid span {span}: expected 1 or more", span))
        if shape not in get_args(CoinShape):
            raise ValueError(
                Message("unknown shape {shape!r}: expected {shapes}", shape, ", ".join(get_args(CoinShape)))
            )
        self.counts = range(1, _LONGEST + 1) if counts is None else sorted(set(counts))
        self.shape = shape
        self.first = first
        self.span = span or _LONGEST
        listed = "any" if counts is None else ",".join(map(str, self.counts))
        listed += (f" {shape}" if shape != "any" else "") + " first" * first + (f" within {span}" if span else "")
        self.turning = self.arguments = listed
        self._values: list[int] = []
        self._sets = [0]

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for ``COUNTS [SHAPE] [first] [within SPAN]``."""
        match = _RULE.fullmatch(text)
        if match is None:
            raise ParseError("expected how many coins may be turned, such as 1..3 or 3 spaced", column=1)
        counts, at, span = match["counts"], match.start("counts"), match["span"]
        numbers = (
            None if counts == "any" else ranges(counts, at, what=Message("the number of coins"), least=1, most=_LONGEST)
        )
        within = (
            None
            if span is None
            else integer(span, match.start("span"), what=Message("the span"), least=1, most=_LONGEST)
        )
        return cls(numbers, match["shape"] or "any", within, bool(match["first"]))  # type: ignore[arg-type]

    def options(self, position: str) -> Iterator[str]:
        heads = int(position[::-1].translate(TO_BITS), 2)
        bits = [1 << place for place in range(len(position))]
        for place, coin in enumerate(position):
            if coin == "h":
                rest = heads ^ bits[place]
                for others in self.turning_sets(place, bits):
                    yield f"{rest ^ sum(others):b}"[::-1].translate(TO_COINS)

    def declared_turns(self) -> DeclaredTurns | None:
        """Declare the turning sets: those of at most three coins, or runs of neighbours; None for all others."""
        most = self.counts[-1]
        if self.shape == "adjacent" and len(self.counts) == most and self.span == _LONGEST and not self.first:
            return DeclaredTurns((), "True" if most == _LONGEST else f"n - a < {most}")
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
            parts += [f"n - a < {self.span}"] if names and self.span < _LONGEST else []
            sets.append((names, " and ".join(parts) or "True"))
        return DeclaredTurns(tuple(sets))

    def value(self, place: int) -> int:
        """Return the value of a row with a single head; places count from 1."""
        while len(self._values) < place:
            found = {reduce(xor, others, 0) for others in self.turning_sets(len(self._values), self._values)}
            self._values.append(next(value for value in range(len(found) + 1) if value not in found))
        return self._values[place - 1]

    def closed_form(self, position: str) -> int:
        return reduce(xor, (self.value(place) for place, coin in enumerate(position, 1) if coin == "h"), 0)

    def reason(self, position: str) -> str:
        return Message(
            "heads of value {value}", xor_text(self.value(x) for x, coin in enumerate(position, 1) if coin == "h")
        )

    def least_size(self, position: str) -> tuple[int, int]:
        """Return lower bounds of the numbers of positions and moves.

        Take the heads in groups as large as the smallest turn. The last head of each group can be turned or left, so k
        groups give at least 2**k positions.
        """
        rows = 2 ** (position[self.fewest - 1 :].count("h") // self.fewest)
        return rows, rows - 1

    @cached_property
    def fewest(self) -> int:
        """The fewest coins in a turn if every coin with enough coins to its left can be the last; otherwise 200."""
        fewest: int = self.counts[0]
        return _LONGEST if self.first or self.span < fewest else fewest

    def parse(self, text: str) -> str:
        """Read a row of ``h`` and ``t``, or the places of the heads between commas."""
        row = text.strip().lower()
        if row[:1].isdecimal():
            row = _row(text)
        elif not row or row.strip("ht"):
            wrong = len(row) - len(row.lstrip("ht"))
            column = len(text) - len(text.lstrip()) + wrong + 1
            raise ParseError("expected coins, h or t, or the numbers of those that show heads", column=column)
        row = row.rstrip("t") or "t"
        if (longest := self.longest(len(row))) < len(row):
            raise ParseError(
                "a row of {count} coins: expected at most {longest} with this turning set", len(row), longest, column=1
            )
        return row

    def turning_sets(self, place: int, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
        """Yield for each turning set with its rightmost coin at ``place`` (from 0) the items of its other coins.

        ``items[i]`` is anything that belongs to coin i, such as its place or its value.
        """
        for left in reversed(range(max(0, place - self.span + 1), 1 if self.first else place + 1)):
            room = place - left
            for count in self.counts if self.shape != "adjacent" else (room + 1,) if room + 1 in self.counts else ():
                if count > room + 1:
                    break
                if count == 1:
                    yield from ((),) if room == 0 else ()
                elif self.shape == "any":
                    yield from ((items[left], *inner) for inner in combinations(items[left + 1 : place], count - 2))
                elif self.shape == "symmetric":
                    yield from _symmetric(items, left, place, count)
                elif room % (count - 1) == 0:
                    yield items[left : place : room // (count - 1)]

    def longest(self, wanted: int = _LONGEST) -> int:
        """Return how many coins a row may have, at most ``wanted``, so that there are few enough turning sets."""
        wanted = min(wanted, _LONGEST)
        while len(self._sets) <= wanted and self._sets[-1] <= _MOST_SETS:
            place, left = len(self._sets) - 1, _MOST_SETS + 1 - self._sets[-1]
            sets = islice(self.turning_sets(place, range(place)), left)
            self._sets.append(self._sets[-1] + sum(1 for _ in sets))
        return min(wanted, bisect_right(self._sets, _MOST_SETS) - 1)


def _symmetric(items: Sequence[Item], left: int, right: int, count: int) -> Iterator[Sequence[Item]]:
    """Yield symmetric sets of ``count`` items from ``left`` to ``right``, each without its last item."""
    centre = [items[(left + right) // 2]] if count % 2 else []
    half = range(left + 1, (left + right + 1) // 2)
    for chosen in combinations(half, count // 2 - 1) if not centre or (left + right) % 2 == 0 else ():
        yield [items[left], *centre, *(items[place] for inner in chosen for place in (inner, left + right - inner))]


def _row(text: str) -> str:
    """Return the row with heads at the places listed between commas."""
    heads = []
    for piece, start in fields(text):
        place = integer(piece, start, what=Message("the place of a head"), least=1, most=_LONGEST)
        if place in heads:
            raise ParseError("the head at place {place} comes twice", place, column=start + 1)
        heads.append(place)
    return "".join("h" if place in heads else "t" for place in range(1, max(heads) + 1))
