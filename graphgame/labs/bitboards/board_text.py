"""What games on boards of squares share: boards as text, their symmetries, and moves that split a board.

The text of a board is its rows from top to bottom, with slashes between them and one character for each cell:
``..#/.#.``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from graphgame.errors import ParseError
from graphgame.rules.parsing import fields
from graphgame.rules.pictures import Picture, Place, Way
from graphgame.rules.ruleset import Ruleset, parts_of

_EMPTY = ("blank", "taken")


class Board(Ruleset):
    """Rules of a game on a board. The text of a position is its rows, with slashes between them."""

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return the position as text, one row on each line."""
        return self.format(position).replace("/", "\n")


def read_board(text: str, cells: dict[str, str]) -> list[str]:
    """Return the rows of a board; raise ParseError for an unknown character, or rows of different lengths.

    ``cells`` maps each allowed character to the character that replaces it.

    Examples
    --------
    >>> read_board("x./.X", {".": ".", "x": "X", "X": "X"})
    ['X.', '.X']
    """
    margin = len(text) - len(text.lstrip()) + 1
    rows = list(fields(text.strip(), "/"))
    for row, start in rows:
        for place, character in enumerate(row, start):
            if character not in cells:
                raise ParseError(
                    "unknown cell {character!r}: expected one of {cells}",
                    character,
                    " ".join(cells),
                    column=margin + place,
                )
        if not row:
            raise ParseError("a row without cells", column=margin + start)
        if len(row) != len(rows[0][0]):
            raise ParseError(
                "a row of {count} where the first has {first}: expected rows of one length",
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
    """Return the text of the smallest rectangle of a board that has every square but those marked ``nothing``.

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
    """Return all pairs of neighbouring squares, numbered row by row from the top left; then the same pairs reversed.

    Examples
    --------
    >>> next_to_each_other(1, 3)
    [(0, 1), (1, 2), (1, 0), (2, 1)]
    """
    across = [(a, a + 1) for a in range(rows * columns) if (a + 1) % columns]
    pairs = sorted(across + [(a, a + columns) for a in range((rows - 1) * columns)])
    return [*pairs, *((b, a) for a, b in pairs)]


def board_way(
    rules: Ruleset, board: Picture, option: Hashable, rows: Iterable[str], touched: tuple[int, ...] = ()
) -> Way:
    """Return a way to a sum of parts of a board, with the place of each part on the whole board.

    ``rows`` are those of the whole board after the move. A part is searched for on it, not turned, and without its
    empty cells.
    """
    after = rules.picture("/".join(rows)) or board
    at = {place: number for number, place in enumerate(after.places)}
    free = set(range(len(after.cells)))
    origins: dict[int, tuple[int, ...]] = {}
    parts = enumerate(map(rules.picture, parts_of(option)))
    lying = [(number, part) for number, part in parts if part is not None]
    # A small part may fit inside a large one, not the other way round: the largest first.
    for number, part in sorted(lying, key=lambda found: -len(_live(found[1]))):
        origin = _lies(part, after, at, free)
        if origin is None:
            return Way(option, after.cells, touched)
        free -= {origin[cell] for cell in _live(part)}
        origins[number] = origin
    return Way(option, after.cells, touched, (), tuple(origin for _, origin in sorted(origins.items())))


def _live(board: Picture) -> list[int]:
    """Return the indices of the cells that are not empty."""
    return [number for number, cell in enumerate(board.cells) if cell.kind not in _EMPTY]


def _lies(part: Picture, board: Picture, at: dict[Place, int], free: set[int]) -> tuple[int, ...] | None:
    """Return the cells of a board on which the cells of a part lie; None if it is not there.

    Cells of the part that are not empty must lie on ``free`` cells. -1 stands for a cell beyond the board.
    """
    live = _live(part)
    if not live:
        return (-1,) * len(part.cells)
    x, y = part.places[live[0]][:2]
    for start in sorted(free):
        if board.cells[start] != part.cells[live[0]]:
            continue
        dx, dy = board.places[start][0] - x, board.places[start][1] - y
        origin = tuple(at.get((place[0] + dx, place[1] + dy), -1) for place in part.places)
        if all(origin[cell] in free and board.cells[origin[cell]] == part.cells[cell] for cell in live):
            return origin
    return None
