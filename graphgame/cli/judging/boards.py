"""Problems on boards: the Cutting Game, tokens on stairs and on a strip."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphgame.cli.judging.reader import CaseReader
from graphgame.games.strips import Georgia, Staircase
from graphgame.io.files import Source

__all__ = ["Sheets", "cutting", "georgia", "stairs"]

_LARGEST_SIDE = 200


def cutting(source: Source) -> Iterator[str]:
    """Answer the Cutting Game: the sides of a sheet, case after case to the end.

    Notes
    -----
    Sheets with a side of 1 are decided at once: of 1xn the mover cuts off a 1x1 and wins, 1x1 has no move.

    Examples
    --------
    >>> list(cutting(Source(b"2 2  3 2  4 2")))
    ['LOSE', 'LOSE', 'WIN']
    """
    reader, sheets = CaseReader(source), Sheets(_LARGEST_SIDE)
    while not reader.ended():
        height, width = sorted(reader.numbers(2, "a side of a sheet", 1, _LARGEST_SIDE))
        wins = sheets.value(width, height) if height > 1 else width > 1
        yield "WIN" if wins else "LOSE"


def stairs(source: Source) -> Iterator[str]:
    """Answer the Stair Game: one moves balls from a stair to the next below; on stair 1 they stay.

    Examples
    --------
    >>> list(stairs(Source(b"3  3  0 2 1  4  1 1 1 1  2  5 3")))
    ['first', 'second', 'first']
    """
    rules = Staircase()
    for balls in CaseReader(source).counted_cases("a number of balls"):
        yield "first" if rules.closed_form(tuple(balls[1:])) else "second"


def georgia(source: Source) -> Iterator[str]:
    """Answer Georgia and Bob: chessmen on a strip of squares go left, none over another.

    Examples
    --------
    >>> list(georgia(Source(b"2  3  1 2 3  8  1 5 6 7 9 12 14 17")))
    ['Bob will win', 'Georgia will win']
    """
    rules, reader = Georgia(), CaseReader(source)
    for squares in reader.counted_cases("a square", 1):
        _refuse_repeated(squares, reader)
        yield "Georgia will win" if rules.closed_form(tuple(sorted(squares))) else "Bob will win"


def _refuse_repeated(squares: list[int], reader: CaseReader) -> None:
    seen: set[int] = set()
    for place, square in enumerate(squares):
        if square in seen:
            raise reader.error(f"two chessmen on square {square}: expected one a square", len(squares) - place)
        seen.add(square)


class Sheets:
    """The values of the Cutting Game's sheets, worked out as larger ones are asked for.

    Parameters
    ----------
    largest : int
        The largest side.

    Notes
    -----
    All sheets up to a side of n take O(n ** 3) time.

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
