"""Notakto: noughts and crosses without the noughts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar

from graphgame.errors import Message, ParseError
from graphgame.games.grid_text import Board, read_board, symmetries
from graphgame.rules.parsing import fields, integer, placed
from graphgame.rules.ruleset import About, Sum, sum_of

_MOST_BOARDS = 1000
_EMPTY = ".../.../..."
_DEAD = "XXX/.../..."
_LINES = [(a, a + 1, a + 2) for a in (0, 4, 8)] + [(a, a + 4, a + 8) for a in (0, 1, 2)] + [(0, 5, 10), (2, 5, 8)]
_CELLS = {".": ".", "-": ".", "X": "X", "x": "X"}


class Notakto(Board):
    """The rules of Notakto.

    Examples
    --------
    >>> rules = Notakto()
    >>> sorted({rules.canonical(option) for option in rules.options(rules.start)})
    ['.../.../..X', '.../.../.X.', '.../.X./...']
    """

    about = About(
        "Notakto: both players write X on boards of 3x3; a board with three X in a row is dead.",
        "By custom the game is misère: whoever kills the last board loses. ``notakto(3)`` are three empty boards; "
        "``notakto(.X./.../..X, .../.../...)`` are two boards given by their rows.",
        theorem="On k empty boards, misère, the first player wins exactly when k is odd. The misère quotient has 18 "
        "elements.",
        source="T. E. Plambeck, G. Whitehead, The secrets of Notakto: winning at X-only tic-tac-toe, arXiv:1301.1672 "
        "(2013).",
    )

    start = _EMPTY
    cells: ClassVar = {".": "square", "X": "cross"}

    def options(self, position: str) -> Iterator[str]:
        """Return the boards with one X more; none where the board is dead."""
        if _dead(position):
            return
        for place, cell in enumerate(position):
            if cell == ".":
                yield f"{position[:place]}X{position[place + 1 :]}"

    def canonical(self, position: str) -> str:
        """Return the first of the board's turns and reflections; one board stands for all dead ones."""
        return _DEAD if _dead(position) else min(symmetries(position))

    def parse(self, text: str) -> Hashable:
        """Return the boards between commas, or as many empty boards as a number says."""
        if text.strip()[:1].isdecimal():
            return Sum([_EMPTY] * integer(text, what=Message("the number of boards"), most=_MOST_BOARDS))
        return sum_of(_read(part, start) for part, start in fields(text))


def _read(text: str, start: int) -> str:
    with placed(start):
        rows = read_board(text, _CELLS)
    if len(rows) != 3 or len(rows[0]) != 3:
        raise ParseError("expected a board of 3 rows of 3 cells, such as .X./.../..X", column=start + 1)
    return "/".join(rows)


def _dead(board: str) -> bool:
    return any(board[a] == board[b] == board[c] == "X" for a, b, c in _LINES)
