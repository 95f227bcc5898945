"""Problems on boards: the Cutting Game, tokens on stairs and on a strip."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.cli.judging.reader import CaseReader
from graphgame.cli.judging.registry import answered
from graphgame.errors import Message
from graphgame.games.strips import Georgia, Staircase
from graphgame.io.files import Source

_LARGEST_SIDE = 200


@answered(
    "poj-2311",
    "luogu-p10501",
    title=Message("Cutting Game: cut a sheet along its lines; who first cuts off a 1x1 wins"),
    input=Message("pairs W H to the end of the file, each 1..200"),
    output=Message("WIN if the first player wins, else LOSE"),
)
def _cutting(source: Source) -> Iterator[str]:
    reader, sheets = CaseReader(source), Sheets(_LARGEST_SIDE)
    while not reader.ended():
        height, width = sorted(reader.numbers(2, Message("a side of a sheet"), 1, _LARGEST_SIDE))
        # 1x1 has no move, and of 1xn the mover cuts off a 1x1
        wins = sheets.value(width, height) if height > 1 else width > 1
        yield "WIN" if wins else "LOSE"


@answered(
    "cses-1099",
    title=Message("Stair Game: move balls from a stair to the next below"),
    input=Message("t; for each case n and the balls on stairs 1..n"),
    output=Message("first or second, whoever wins"),
)
def _stairs(source: Source) -> Iterator[str]:
    rules = Staircase()
    for balls in CaseReader(source).counted_cases(Message("a number of balls")):
        yield "first" if rules.closed_form(tuple(balls[1:])) else "second"


@answered(
    "poj-1704",
    title=Message("Georgia and Bob: chessmen on a strip go left, none over another"),
    input=Message("T; for each case n and n squares, 1 or more, in any order"),
    output=Message("Georgia will win, or Bob will win"),
)
def _georgia(source: Source) -> Iterator[str]:
    rules, reader = Georgia(), CaseReader(source)
    for squares in reader.counted_cases(Message("a square"), 1):
        _refuse_repeated(squares, reader)
        yield "Georgia will win" if rules.closed_form(tuple(sorted(squares))) else "Bob will win"


def _refuse_repeated(squares: list[int], reader: CaseReader) -> None:
    seen: set[int] = set()
    for place, square in enumerate(squares):
        if square in seen:
            raise reader.error(
                Message("two chessmen on square {square}: expected one a square", square), len(squares) - place
            )
        seen.add(square)


class Sheets:
    """The values of the Cutting Game's sheets, worked out as larger ones are asked for: O(n ** 3) for sides up to n.

    Examples
    --------
    >>> Sheets(200).value(4, 2)
    1
    """

    def __init__(self, largest: int) -> None:
        self._values = np.zeros((largest + 1, largest + 1), np.int64)
        self._done = 1

    def value(self, width: int, height: int) -> int:
        """Return the value of a sheet whose sides are at least 2."""
        while self._done < max(width, height):
            self._done += 1
            for other in range(2, self._done + 1):
                self._solve(self._done, other)
        return int(self._values[width, height])

    def _solve(self, width: int, height: int) -> None:
        columns, row = self._values[:, height], self._values[width]
        value = _mex(np.concatenate([_cuts(columns, width), _cuts(row, height)]))
        self._values[width, height] = self._values[height, width] = value


def _cuts(line: np.ndarray, side: int) -> np.ndarray:
    """Return the values after each cut of a side, given those of the sheets with a shorter one."""
    cuts: np.ndarray = line[2 : side // 2 + 1] ^ line[side - 2 : (side - 1) // 2 : -1]
    return cuts


def _mex(values: np.ndarray) -> int:
    missing = np.bincount(values, minlength=1) == 0
    return int(missing.argmax()) if missing.any() else len(missing)
