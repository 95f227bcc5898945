"""Coins on stairs and strips: staircase Nim, Nimble, and Georgia and Bob (Silver Dollar without the dollar)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from operator import add, xor
from typing import Any

import numpy as np

from graphgame.errors import Message, NoPositionError
from graphgame.labs.shared_rules import number_names, strip, xor_text
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.nim import Nim
from graphgame.rules.parsing import fields, integer, integers
from graphgame.rules.pictures import Cell, Picture, Way
from graphgame.rules.ruleset import About, Ruleset, Sum

_WIDEST_LINE = 60
"""The limit on coins in a line of text, on the last square of a strip in text, and on cells in a drawn column."""

_MOST_STACKED = 8
"""The maximum number of coins on one step of a drawn staircase."""


class Staircase(Ruleset):
    """The rules of Staircase Nim. A position is the numbers of coins on the steps, the first (lowest) step first.

    Examples
    --------
    >>> list(Staircase().options((1, 2)))
    [(0, 2), (2, 1), (3, 0)]
    >>> print(Staircase().board((2, 0, 3)))
    3: ooo
    2:
    1: oo
    """

    about = About(
        "Staircase Nim: move any positive number of coins from a step to the next lower one; coins from the first step "
        "leave the game.",
        "``staircase(2,0,3)`` has 2 coins on the first step and 3 on the third.",
        theorem="The value is the xor of the numbers on the odd steps: a move from an even step adds coins to an odd "
        "one, and the other player can move them on.",
        source="R. Sprague, Bemerkungen über eine spezielle Abelsche Gruppe, Mathematische Zeitschrift 51 (1947).",
    )

    def options(self, position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for step, coins in enumerate(position):
            for moved in range(1, coins + 1):
                yield _stepped(position, step, moved)

    def declared_moves(self, size: int) -> DeclaredMoves | None:
        """Return the moves on ``size`` steps as statements: coins go one step down, or from step 1 out of play."""
        names = number_names(size)
        moves = [f"{names[0]}' < {names[0]}"]
        moves += [f"{high}' < {high} and {low}' = {low} + {high} - {high}'" for low, high in pairwise(names)]
        unchanged = [
            "".join(f" and {name}' = {name}" for index, name in enumerate(names) if index not in (step - 1, step))
            for step in range(size)
        ]
        return DeclaredMoves(names, tuple(map(add, moves, unchanged)), weights=tuple(range(1, size + 1)))

    def closed_form(self, position: tuple[int, ...]) -> int:
        return reduce(xor, position[::2], 0)

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        return np.asarray(reduce(xor, numbers[::2]))

    def reason(self, position: tuple[int, ...]) -> str:
        return Message("the xor of the numbers of coins on the odd steps decides: {xor}", xor_text(position[::2]))

    def options_of_value(self, position: tuple[int, ...], value: int) -> Iterator[tuple[int, ...]]:
        """Yield the options whose value is ``value``; from each step at most one move leads to such an option."""
        change = self.closed_form(position) ^ value
        for step, coins in enumerate(position):
            # Index 0 is step 1, so even indices are the odd steps. The move must change the number of coins on one odd
            # step from ``coins_before`` to ``coins_before ^ change``: coins leave this step, or come down to it.
            coins_before = position[step - step % 2]
            moved = coins_before - (coins_before ^ change)
            moved = moved if step % 2 == 0 else -moved
            if 0 < moved <= coins:
                yield _stepped(position, step, moved)

    def parse(self, text: str) -> tuple[int, ...]:
        """Read the numbers of coins on the steps, the first (lowest) step first."""
        return tuple(integers(text, what=Message("the number of coins on a step")))

    def board(self, position: tuple[int, ...]) -> str:
        """Return the steps as text, one on a line, the first (lowest) step last, with an ``o`` for each coin.

        For a step with more than 60 coins the text has their number instead.
        """
        lines = [
            f"{number}: {'o' * coins if coins <= _WIDEST_LINE else coins}".rstrip()
            for number, coins in enumerate(position, 1)
        ]
        return "\n".join(reversed(lines))

    def picture(self, position: tuple[int, ...]) -> Picture | None:
        """Return a picture of the stairs, the first step at the left, with room for the coins that may come down.

        The result is None if a step has more than 8 coins, or the picture would have more than 60 rows of cells.
        """
        return self._stairs(position, _height(position))

    def _stairs(self, position: tuple[int, ...], height: int) -> Picture | None:
        if max(position, default=0) > _MOST_STACKED or height > _WIDEST_LINE:
            return None
        columns = [[Cell("taken")] * number + [Cell("piece")] * coins for number, coins in enumerate(position, 1)]
        cells = [
            column[level] if level < len(column) else Cell("blank") for column in columns for level in range(height)
        ]
        return Picture(tuple(cells), tuple((float(x), float(-y)) for x in range(len(columns)) for y in range(height)))

    def ways(self, position: tuple[int, ...]) -> Iterator[Way]:
        """Yield for each coin the move of this coin and all coins that lie on it: one step down, or out of play."""
        board = self.picture(position)
        height = _height(position)
        for step, coins in enumerate(position):
            for moved in range(1, coins + 1):
                option = _stepped(position, step, moved)
                left, own = self._stairs(option, height), self.picture(option)
                if board is None or left is None or own is None:
                    yield Way(option)
                    continue
                rise = len(own.cells) // len(position)
                origin = tuple(x * height + level for x in range(len(position)) for level in range(rise))
                top = step * height + step + 1 + coins
                yield Way(option, left.cells, tuple(range(top - moved, top)), (), (origin,))


def _height(position: tuple[int, ...]) -> int:
    """Return the number of rows of cells in the picture.

    Above each step there is room for its own coins and those of all higher steps, because these may come down to it.
    """
    return max((step + sum(position[step - 1 :]) for step in range(1, len(position) + 1)), default=0)


def _stepped(position: tuple[int, ...], step: int, moved: int) -> tuple[int, ...]:
    """Return the position after ``moved`` coins went one step down from index ``step``, or out of play from index 0."""
    coins = list(position)
    coins[step] -= moved
    if step:
        coins[step - 1] += moved
    return tuple(coins)


class Nimble(Nim):
    """The rules of Nimble. A position is the square of one coin; several coins are a sum of positions.

    Examples
    --------
    >>> print(Nimble().board(Nimble().parse("3,1,4,4")))
    .1.12
    """

    about = About(
        "Nimble: move one coin of a strip any number of squares to the left; a square may hold any number of coins.",
        "``nimble(3,1,4)`` has coins on the squares 3, 1 and 4; the leftmost square is 0.",
        theorem="A coin on square n is a Nim heap of n.",
        source="T. S. Ferguson, Game Theory, part I.",
    )

    is_nim = False
    filling = Cell("square")

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return the strip as text, with the number of coins on each square: ``.`` for none, ``+`` for ten or more.

        If a coin is beyond square 60, return the squares of the coins instead, such as ``70,3``.
        """
        coins = position if isinstance(position, Sum) else (position,)
        if max(coins) > _WIDEST_LINE:
            return self.format(position)
        counts = [coins.count(square) for square in range(max(coins) + 1)]
        return "".join("." if not count else "+" if count > 9 else str(count) for count in counts)

    def picture(self, position: int) -> Picture | None:
        return strip(0, {position: 1})

    def sum_picture(self, parts: Sequence[int]) -> Picture | None:
        return strip(0, Counter(parts))


class Georgia(Ruleset):
    """The rules of Georgia and Bob. A position is the squares of the chips in increasing order.

    Examples
    --------
    >>> list(Georgia().options((1, 4)))
    [(1, 2), (1, 3)]
    >>> print(Georgia().board((1, 4)))
    o..o
    """

    about = About(
        "Georgia and Bob: move one chip any number of squares to the left. It may not reach or jump over another chip.",
        "``georgia(1,3,7)`` has chips on the squares 1, 3 and 7. The leftmost square is 1, or the number in braces: "
        "``georgia{0}(0,2,6)``.",
        theorem="The gaps to the left of the chips, from the last chip backwards, are the steps of staircase Nim: "
        "the value is the xor of every second gap, starting with the gap before the last chip.",
        source="POJ 1704, Georgia and Bob. J. H. Conway, On Numbers and Games (1976), chapter 11, the Silver Dollar "
        "game.",
    )

    filling = Cell("square")
    _stairs = Staircase()

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.arguments = "" if first == 1 else str(first)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for the text in braces, the number of the leftmost square; an empty text means 1."""
        return cls(integer(text, what=Message("the number of the leftmost square"))) if text.strip() else cls()

    def options(self, position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        lowest = self.first
        for chip, square in enumerate(position):
            for end in range(lowest, square):
                yield (*position[:chip], end, *position[chip + 1 :])
            lowest = square + 1

    def closed_form(self, position: tuple[int, ...]) -> int:
        """Return the xor of the gaps before the last chip, the last but two, the last but four, and so on.

        The gap before a chip is the number of free squares between it and the chip to its left. For the leftmost chip
        it is the number of free squares to the left end of the strip.
        """
        return self._stairs.closed_form(self._gaps(position))

    def values_at(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        """Return an array of values by :meth:`closed_form`; ``numbers`` has an array of squares for each chip.

        The chips may be in any order. An entry is -1 if two chips are on one square, or a chip is left of the leftmost
        square.
        """
        squares = np.sort(np.stack(np.broadcast_arrays(*numbers)), axis=0)
        gaps = np.diff(squares, axis=0, prepend=self.first - 1)[::-1] - 1
        apart = (gaps >= 0).all(axis=0)
        return np.where(apart, self._stairs.values_at(list(gaps)), -1)

    def reason(self, position: tuple[int, ...]) -> str:
        """Return a sentence with the xor that :meth:`closed_form` computes."""
        return Message(
            "the xor of the gaps before every second chip, from the last chip backwards, decides: {xor}",
            xor_text(self._gaps(position)[::2]),
        )

    def options_of_value(self, position: tuple[int, ...], value: int) -> Iterable[tuple[int, ...]]:
        """Return the options whose value is ``value``; at most one move of each chip leads to such an option."""
        return map(self._squares, self._stairs.options_of_value(self._gaps(position), value))

    def parse(self, text: str) -> tuple[int, ...]:
        """Read the squares of the chips, written in any order; return them in increasing order.

        Raises NoPositionError if two chips are on one square.
        """
        squares: set[int] = set()
        for piece, start in fields(text):
            square = integer(piece, start, what=Message("a chip's square"), least=self.first)
            if square in squares:
                column = start + len(piece) - len(piece.lstrip()) + 1
                raise NoPositionError(
                    "two chips stand on square {square}: expected at most one chip on each square",
                    square,
                    column=column,
                )
            squares.add(square)
        return tuple(sorted(squares))

    def board(self, position: tuple[int, ...]) -> str:
        if max(position) > _WIDEST_LINE:
            return self.format(position)
        return "".join("o" if square in position else "." for square in range(self.first, max(position) + 1))

    def picture(self, position: tuple[int, ...]) -> Picture | None:
        return strip(self.first, Counter(position))

    def _gaps(self, position: tuple[int, ...]) -> tuple[int, ...]:
        before = (self.first - 1, *position)
        return tuple(square - left - 1 for left, square in zip(before, position, strict=False))[::-1]

    def _squares(self, gaps: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(accumulate((gap + 1 for gap in reversed(gaps)), initial=self.first - 1))[1:]
