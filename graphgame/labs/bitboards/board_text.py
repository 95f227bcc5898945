"""Boards of squares as text: how to read, turn and reflect them, and where the parts of an option lie on a board.

The text of a board is its rows from top to bottom, with slashes between them and one character for each square:
``..#/.#.``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from graphgame.errors import ParseError
from graphgame.rules.parsing import fields
from graphgame.rules.pictures import CellKind, Picture, Place, Way
from graphgame.rules.ruleset import Ruleset, parts_of


class Board(Ruleset):
    """Rules of a game whose method ``format`` writes positions as boards, in the form that this module describes."""

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return the text of a position with each row on a line of its own."""
        return self.format(position).replace("/", "\n")


def read_board(text: str, cells: dict[str, str]) -> list[str]:
    """Return the rows of a board; raise ParseError for an unknown character, an empty row or rows of unequal length.

    ``cells`` maps each allowed character to the character that replaces it in the result.

    Examples
    --------
    >>> read_board("x./.X", {".": ".", "x": "X", "X": "X"})
    ['X.', '.X']
    """
    margin = len(text) - len(text.lstrip()) + 1
    rows = list(fields(text.strip(), "/"))
    for row, start in rows:
        for index, character in enumerate(row, start):
            if character not in cells:
                raise ParseError(
                    "unknown cell {character!r}: expected one of {cells}",
                    character,
                    " ".join(cells),
                    column=margin + index,
                )
        if not row:
            raise ParseError("a row has no cells", column=margin + start)
        if len(row) != len(rows[0][0]):
            raise ParseError(
                "a row has {count} cells, but the first row has {first}: expected rows of one length",
                len(row),
                len(rows[0][0]),
                column=margin + start,
            )
    return ["".join(cells[character] for character in row) for row, _ in rows]


def symmetries(board: str) -> tuple[str, ...]:
    """Return the eight turns and reflections of a board, the board itself first.

    Examples
    --------
    >>> sorted(set(symmetries("X./..")))
    ['../.X', '../X.', '.X/..', 'X./..']
    """
    rows = board.split("/")
    columns = list(map("".join, zip(*rows, strict=True)))
    flipped, turned, swapped = "/".join(rows[::-1]), "/".join(columns), "/".join(columns[::-1])
    return board, board[::-1], flipped, flipped[::-1], turned, turned[::-1], swapped, swapped[::-1]


def smallest_rectangle(rows: Iterable[str], nothing: str) -> str:
    """Return the text of the smallest rectangle that contains all squares of a board except those marked ``nothing``.

    The squares not marked ``nothing`` must be connected, because a row without such a square is dropped, even between
    other rows. If there is no such square, the result is a single square, ``nothing``.

    Examples
    --------
    >>> smallest_rectangle(["#..#", "##.#", "####"], "#")
    '../#.'
    """
    rows = [row for row in rows if row.strip(nothing)]
    left = min((len(row) - len(row.lstrip(nothing)) for row in rows), default=0)
    right = max((len(row.rstrip(nothing)) for row in rows), default=0)
    return "/".join(row[left:right] for row in rows) or nothing


def next_to_each_other(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return all pairs of neighbouring squares of a board, followed by the same pairs reversed.

    Squares are neighbours if they share a side. They are numbered row by row from the top left, from 0.

    Examples
    --------
    >>> next_to_each_other(1, 3)
    [(0, 1), (1, 2), (1, 0), (2, 1)]
    """
    across = [(a, a + 1) for a in range(rows * columns) if (a + 1) % columns]
    pairs = sorted(across + [(a, a + columns) for a in range((rows - 1) * columns)])
    return [*pairs, *((b, a) for a, b in pairs)]


def board_way(rules: Ruleset, after: Picture, option: Hashable, gone: CellKind, touched: tuple[int, ...] = ()) -> Way:
    """Return the :class:`Way` that shows the move to an option on the picture of a board.

    ``rules`` draws the parts of the option; ``after`` is the picture of the board after the move. In all pictures the
    cells of the kind ``gone`` are not in play. ``touched`` has the indices of the cells that a player touches to make
    the move; it is empty if these are the cells that change. The function looks for each part in ``after``, shifted but
    not turned or reflected, and writes to ``Way.origins`` on which cells of the board the cells of the part lie. If it
    does not find a part, ``Way.origins`` is empty.
    """
    index_at = {place: index for index, place in enumerate(after.places)}
    free = set(range(len(after.cells)))
    origins: dict[int, tuple[int, ...]] = {}
    parts = enumerate(map(rules.picture, parts_of(option)))
    pictured = [(number, part) for number, part in parts if part is not None]
    # A small part may occur inside a large one, but not the other way round: look for the largest part first.
    for number, part in sorted(pictured, key=lambda numbered: -len(_in_play(numbered[1], gone))):
        origin = _occurrence(part, after, index_at, free, gone)
        if origin is None:
            return Way(option, after.cells, touched)
        free -= {origin[cell] for cell in _in_play(part, gone)}
        origins[number] = origin
    return Way(option, after.cells, touched, (), tuple(origin for _, origin in sorted(origins.items())))


def _in_play(board: Picture, gone: CellKind) -> list[int]:
    """Return the indices of the cells that are in play: all but those of the kind ``gone``."""
    return [index for index, cell in enumerate(board.cells) if cell.kind != gone]


def _occurrence(
    part: Picture, board: Picture, index_at: dict[Place, int], free: set[int], gone: CellKind
) -> tuple[int, ...] | None:
    """Return, for each cell of a part, the index of the board's cell on which it lies; None if the part fits nowhere.

    The index is -1 for a cell beyond the board. Cells of the kind ``gone`` are not in play. A cell of the part that is
    in play must lie on an equal cell of the board whose index is in ``free``. If the part has no cell in play, all
    indices are -1. ``index_at`` maps the coordinates of each cell of the board to its index.
    """
    live = _in_play(part, gone)
    if not live:
        return (-1,) * len(part.cells)
    x, y = part.places[live[0]][:2]
    for start in sorted(free):
        if board.cells[start] != part.cells[live[0]]:
            continue
        dx, dy = board.places[start][0] - x, board.places[start][1] - y
        origin = tuple(index_at.get((place[0] + dx, place[1] + dy), -1) for place in part.places)
        if all(origin[cell] in free and board.cells[origin[cell]] == part.cells[cell] for cell in live):
            return origin
    return None
