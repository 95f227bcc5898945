"""Which code a game is that a function gives: its moves compared with those of a code, heap by heap.

What a function does for larger heaps nobody can tell: so the answer holds to the last heap that was compared, and
says so. Rules whose moves are declared, as codes and subtraction sets are, need no such comparison.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.labs.heaps.codes import LETTERS, Code
from graphgame.rules.faults import blamed

if TYPE_CHECKING:
    from graphgame.labs.heaps.heapgame import HeapGame

MOST_COMPARED = 200
"""The largest heap whose moves are compared, unless they are very many before."""

_MOST_OPTIONS = 100_000
_FEWEST_HEAPS = 24
_MARKS = ("", "!", "?")
_MOST_PARTS = 4

_Moves = set[tuple[int, ...]]
"""What the moves of a heap leave: heaps that are not empty, in increasing order."""


@dataclass(frozen=True)
class Recognised:
    """A code that has the moves of a game.

    Attributes
    ----------
    code : Code
    last_heap : int
        The moves of the heaps up to this one are the same; nothing is known of larger ones.
    """

    code: Code
    last_heap: int


def recognised(game: HeapGame) -> Recognised | None:
    """Return the code that has the moves of a game, for all heaps that are compared; None where none has.

    Examples
    --------
    >>> from graphgame import heaps
    >>> found = recognised(heaps.rule(lambda n: [n - k for k in (2, 5) if k <= n]))
    >>> found.code.code, found.last_heap
    ('0.03003', 200)
    >>> recognised(heaps.rule(lambda n: [n - k * k for k in range(1, n + 1) if k * k <= n])) is None
    True
    """
    rows = _rows(game)
    if rows is None or len(rows) <= _FEWEST_HEAPS:
        return None
    digits = _digits(rows)
    for mark in _MARKS if digits else ():
        text = _code_text([LETTERS[bits] + mark * (bits > 3) for bits in digits])
        code = None if text is None else _read(text)
        if code is not None and all(_moves(code.options(heap)) == row for heap, row in enumerate(rows)):
            return Recognised(code, len(rows) - 1)
    return None


def _rows(game: HeapGame) -> list[_Moves] | None:
    """Return the moves of the heaps 0, 1, ...; None where one leaves no heaps as a code does."""
    rows: list[_Moves] = []
    total = 0
    while len(rows) <= MOST_COMPARED and total < _MOST_OPTIONS:
        heap = len(rows)
        with blamed(Message("the rule"), f"heap {heap}", method=getattr(game.rules, "function", None)):
            moves = _moves(game.options(heap))
        if moves is None or any(sum(left) > heap or left == (heap,) or len(left) > _MOST_PARTS for left in moves):
            return None
        total += len(moves)
        rows.append(moves)
    return rows


def _moves(options: Iterable[Hashable]) -> _Moves | None:
    parts = [option if isinstance(option, tuple) else (option,) for option in options]
    if not all(isinstance(heap, (int, np.integer)) and heap >= 0 for left in parts for heap in left):
        return None
    return {tuple(sorted(filter(None, left))) for left in parts}


def _digits(rows: Sequence[_Moves]) -> list[int]:
    """Return for each amount, as far as all its moves are seen, how many heaps one may leave, as bits."""
    digits = [0] * (len(rows) - _MOST_PARTS)
    for heap, row in enumerate(rows):
        for left in row:
            if (amount := heap - sum(left)) < len(digits):
                digits[amount] |= 1 << len(left)
    return digits if any(digits) else []


def _code_text(digits: list[str]) -> str | None:
    """Return the code of some digits: those up to the last that is not 0, or with some that are repeated at the end."""
    before, after = digits[0], digits[1:]
    last = max((amount for amount, digit in enumerate(after, 1) if digit != "0"), default=0)
    if 2 * last <= len(after):
        return f"{before}.{''.join(after[:last]) or '0'}"
    for period in range(1, len(after) // 4):
        start = max((n + 1 for n in range(len(after) - period) if after[n] != after[n + period]), default=0)
        if 2 * (start + 2 * period) <= len(after):
            return f"{before}.{''.join(after[:start])}[{''.join(after[start : start + period])}]"
    return None


def _read(text: str) -> Code | None:
    try:
        return Code(text)
    except ParseError:  # such as a digit before the point that does not split
        return None
