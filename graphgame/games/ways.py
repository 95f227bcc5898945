"""What moves do to the picture of a position, for families of games: heaps, rows, sheets and boards that fall apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, cast

from graphgame.rules.pictures import Cell, Picture, Place, Way, heap

_BLANK = Cell("blank")
_EMPTY = ("blank", "taken")


def whole_way(option: Hashable, board: Picture | None, touched: int) -> Way:
    """Return a way to an option that is one whole board, where this is drawn, by a move at one of its cells."""
    if board is None:
        return Way(option)
    return Way(option, board.cells, (touched,), (), (tuple(range(len(board.cells))),))


def board_way(
    board: Picture,
    option: Hashable,
    left: Picture | None,
    parts: Iterable[Picture | None],
    touched: tuple[int, ...] = (),
) -> Way:
    """Return a way to a sum of parts of a board, from the picture of the whole board after the move.

    The parts lie in it as they are, perhaps without what is around them; the largest are looked for first.
    """
    after = left or board
    at = {place: number for number, place in enumerate(after.places)}
    free = set(range(len(after.cells)))
    origins: dict[int, tuple[int, ...]] = {}
    lying = [(number, part) for number, part in enumerate(parts) if part is not None]
    # A small part may fit inside a large one, not the other way round: the largest first.
    for number, part in sorted(lying, key=lambda found: -len(_live(found[1]))):
        origin = _lies(part, after, at, free)
        if origin is None:
            return Way(option, after.cells, touched)
        free -= {origin[cell] for cell in _live(part)}
        origins[number] = origin
    return Way(option, after.cells, touched, (), tuple(origin for _, origin in sorted(origins.items())))


def _live(board: Picture) -> list[int]:
    return [number for number, cell in enumerate(board.cells) if cell.kind not in _EMPTY]


def _lies(part: Picture, board: Picture, at: dict[Place, int], free: set[int]) -> tuple[int, ...] | None:
    """Return the cells of a board, all of them free, in which the cells of a part lie."""
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


def heaps_way(option: Hashable, ordered: Sequence[int], sizes: Sequence[int], left: Sequence[int]) -> Way:
    """Return the way from heaps to smaller ones, which stand in another order in the option.

    Examples
    --------
    >>> heaps_way((1, 2), [1, 2], [2, 2], [2, 1]).origins
    ((2, 0, 1),)
    """
    cells: list[Cell] = []
    spans: dict[int, list[range]] = {}
    for size, rest in zip(sizes, left, strict=True):
        shown = heap(rest).cells  # of an empty heap a note
        spans.setdefault(rest, []).append(range(len(cells), len(cells) + len(shown)))
        cells += [*shown, *[_BLANK] * (size - len(shown))]
    origin = [number for size in ordered or [0] for number in spans[size].pop()]
    return Way(option, tuple(cells), origins=(tuple(origin),))


def row_ways(size: int, board: Picture, options: Iterable[Hashable]) -> Iterator[Way]:
    """Yield the ways of a heap whose pieces stand in a row: those taken are touched, or where it breaks.

    What remains stands where it stood: a first part, then the pieces that are taken, then the other parts.

    Examples
    --------
    >>> from graphgame.rules.pictures import row
    >>> [(way.option, way.origins) for way in row_ways(4, row(4, "pin"), [3, (1, 2)])]
    [(3, ((0, 1, 2),)), (3, ((1, 2, 3),)), ((1, 2), ((0,), (2, 3))), ((1, 2), ((3,), (0, 1)))]
    """
    for option in options if len(board.cells) == size else ():
        asked = option if isinstance(option, tuple) else (cast("int", option),)
        orders = [asked]
        if len(asked) == 1 and asked[0]:
            orders.append((0, *asked))
        elif len(asked) == 2 and asked[0] != asked[1]:
            orders.append(asked[::-1])
        taken = size - sum(asked)
        for parts in orders:
            first = parts[0]
            after = [*board.cells[:first], *[_BLANK] * taken, *board.cells[first + taken :]]
            starts = [0, *accumulate(parts[1:-1], initial=first + taken)]
            spans: dict[int, list[tuple[int, ...]]] = {}
            for part, start in zip(parts, starts, strict=False):
                # a part without pieces is a note, which lies nowhere
                spans.setdefault(part, []).append(tuple(range(start, start + part)) or (-1,))
            line: Place = ()
            if first and not taken:  # it breaks right of a piece
                x, y = board.places[first - 1]
                line = (x + 0.5, y - 0.5, x + 0.5, y + 0.5)
            yield Way(option, tuple(after), line=line, origins=tuple(spans[part].pop() for part in asked))


def sheet_ways(sides: tuple[int, int], board: Picture | None, options: Iterable[Hashable]) -> Iterator[Way]:
    """Yield the cuts of a sheet into two: the line of each is touched, and stays.

    Examples
    --------
    >>> from graphgame.rules.pictures import sheet
    >>> ways = sheet_ways((3, 1), sheet(3, 1, "paper"), [((1, 1), (2, 1))])
    >>> [(way.line, way.origins) for way in ways]
    [((0.5, -0.5, 0.5, 0.5), ((0,), (1, 2))), ((1.5, -0.5, 1.5, 0.5), ((2,), (0, 1)))]
    """
    width, height = sides
    if board is None or len(board.cells) != width * height:
        return
    for option in options:
        sheets = cast("tuple[Any, ...]", option)
        first, second = sheets if isinstance(sheets[0], tuple) else (sheets, None)
        across = first[1] == height and (second is None or (second[1] == height and first[0] + second[0] == width))
        whole = width if across else height
        one = first[0] if across else first[1]
        for cut in dict.fromkeys((one, whole - one)):
            near, far = _span(width, height, across, 0, cut), _span(width, height, across, cut, whole)
            line = (cut - 0.5, -0.5, cut - 0.5, height - 0.5) if across else (-0.5, cut - 0.5, width - 0.5, cut - 0.5)
            origins = () if second is None else (near, far) if cut == one else (far, near)
            yield Way(option, board.cells, line=line, origins=origins)


def _span(width: int, height: int, across: bool, start: int, end: int) -> tuple[int, ...]:
    """Return the cells of some columns, or of some rows, of a sheet."""
    columns, rows = (range(start, end), range(height)) if across else (range(width), range(start, end))
    return tuple(row * width + column for row in rows for column in columns)
