"""Boards to play on: the cells of a position, each in its place, and what every move does to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple, cast

from graphgame.rules.pictures import Cell, Picture

Place = tuple[float, ...]
"""Where the middle of a cell is, x to the right and y down, or the two ends of a line, perhaps with its bend."""

_BLANK = Cell("blank")
_A_ROW = 5
_MOST_PIECES = 40


class Drawing(NamedTuple):
    """A position as a board to play on: its cells and their places; cells of one board are one apart."""

    cells: tuple[Cell, ...]
    places: tuple[Place, ...]


class Way(NamedTuple):
    """One way to make a move on a board: what a player touches, and what becomes of the cells.

    Attributes
    ----------
    option : hashable
        Where the move leads, as the rules give it.
    after : tuple of Cell or None
        What each cell of the board shows after the move; None where the board is drawn anew.
    touched : tuple of int
        The cells that stand for the move; none where it is those that it changes.
    line : Place
        The line of a cut, which stands for the move and stays; ``()`` where there is none.
    origins : tuple of (tuple of int)
        For each part of the option, the cell of this board in which each cell of the part's own board lies, -1 for
        none; empty where it is not known.
    names : tuple of (Cell, Cell)
        Cells of the option's own board that show something else on this one.
    """

    option: Hashable
    after: tuple[Cell, ...] | None = None
    touched: tuple[int, ...] = ()
    line: Place = ()
    origins: tuple[tuple[int, ...], ...] = ()
    names: tuple[tuple[Cell, Cell], ...] = ()


class Likeness(NamedTuple):
    """How a position lies in another one that is the same by symmetry: cell by cell, and cells that change names."""

    cells: tuple[int, ...]
    names: tuple[tuple[Cell, Cell], ...] = ()


def drawn(picture: Picture | None) -> Drawing | None:
    """Return a picture as a board.

    Examples
    --------
    >>> from graphgame.rules.pictures import sheet
    >>> drawn(sheet(1, 2, "paper")).places
    ((0, 0), (0, 1))
    """
    if picture is None:
        return None
    placed = [(cell, (x, y)) for y, row in enumerate(picture.rows) for x, cell in enumerate(row)]
    return Drawing(tuple(cell for cell, _ in placed), tuple(place for _, place in placed))


def in_place(before: Drawing, after: Drawing) -> tuple[tuple[Cell, ...], tuple[int, ...]] | None:
    """Return a board's cells after a move, and where the cells of what is left lie in it; None where it does not fit.

    What is left lies where it was if all its places are among those before; else it was shifted by what has gone.

    Examples
    --------
    >>> from graphgame.rules.pictures import heap
    >>> in_place(drawn(heap(3)), drawn(heap(1)))
    ((Cell(kind='piece', text=''), Cell(kind='blank', text=''), Cell(kind='blank', text='')), (0,))
    """
    found = next(filter(None, (_origin(before, after, *shift) for shift in _shifts(before, after))), None)
    origin = found or _origin(before, after, 0, 0, alike=False)
    if origin is None:
        return None
    cells = [_BLANK] * len(before.cells)
    for number, cell in zip(origin, after.cells, strict=True):
        cells[number] = cell
    return tuple(cells), origin


def _shifts(before: Drawing, after: Drawing) -> Iterator[tuple[float, float]]:
    """Yield the shifts of a smaller board inside a larger one, none at all first; a board that keeps its size stays."""
    if before.places == after.places or any(len(place) > 2 for place in after.places):
        return
    (wide, high), (width, height) = _extent(before.places), _extent(after.places)
    for dy in range(int(high - height) + 1):
        for dx in range(int(wide - width) + 1):
            yield dx, dy


def _origin(before: Drawing, after: Drawing, dx: float, dy: float, *, alike: bool = True) -> tuple[int, ...] | None:
    """Return the cells in which the cells of a board lie that is shifted by so much; None where they differ."""
    at = {place: number for number, place in enumerate(before.places)}
    found = []
    for cell, place in zip(after.cells, after.places, strict=True):
        number = at.get((place[0] + dx, place[1] + dy) if dx or dy else place)
        if number is None or (alike and before.cells[number] != cell):
            return None
        found.append(number)
    return tuple(found)


def filled_ways(
    board: Drawing | None, options: Iterable[tuple[Hashable, Drawing | None]], filling: Cell
) -> Iterator[Way]:
    """Yield the ways of a board that shrinks as a move leaves it, but is still to be seen whole."""
    for option, left in options:
        if board is None or left is None:
            yield Way(option)
            continue
        at = {place: number for number, place in enumerate(board.places)}
        origin = tuple(at[place] for place in left.places)
        after = [filling] * len(board.cells)
        for number, cell in zip(origin, left.cells, strict=True):
            after[number] = cell
        yield Way(option, tuple(after), origins=(origin,))


def whole_way(option: Hashable, board: Drawing | None, touched: int) -> Way:
    """Return a way to an option that is one whole board, where this is drawn, by a move at one of its cells."""
    if board is None:
        return Way(option)
    return Way(option, board.cells, (touched,), (), (tuple(range(len(board.cells))),))


def board_way(
    board: Drawing,
    option: Hashable,
    left: Picture | None,
    parts: Iterable[Drawing | None],
    touched: tuple[int, ...] = (),
) -> Way:
    """Return a way to a sum of parts of a board, from the picture of the whole board after the move.

    The parts lie in it as they are, perhaps without what is around them; the largest are looked for first.
    """
    after = board if left is None else drawn(left) or board
    at = {place: number for number, place in enumerate(after.places)}
    free = set(range(len(after.cells)))
    origins: dict[int, tuple[int, ...]] = {}
    lying = [(number, part) for number, part in enumerate(parts) if part is not None]
    for number, part in sorted(lying, key=lambda found: -len(_live(found[1]))):
        origin = _lies(part, after, at, free)
        if origin is None:
            return Way(option, after.cells, touched)
        free -= {origin[cell] for cell in _live(part)}
        origins[number] = origin
    return Way(option, after.cells, touched, (), tuple(origin for _, origin in sorted(origins.items())))


_EMPTY = ("blank", "taken")


def _live(board: Drawing) -> list[int]:
    return [number for number, cell in enumerate(board.cells) if cell.kind not in _EMPTY]


def _lies(part: Drawing, board: Drawing, at: dict[Place, int], free: set[int]) -> tuple[int, ...] | None:
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


def _extent(places: Sequence[Place]) -> tuple[float, float]:
    return max((place[0] for place in places), default=0), max((place[1] for place in places), default=0)


def likeness(canonical: Drawing, board: Drawing) -> tuple[int, ...]:
    """Return the cell of a board in which each cell of its turn or reflection lies; ``()`` where it is none.

    Examples
    --------
    >>> from graphgame.rules.pictures import grid
    >>> kinds = {"x": "cross", ".": "square"}
    >>> likeness(drawn(grid("x..", kinds)), drawn(grid("..x", kinds)))
    (2, 1, 0)
    """
    if canonical.places == board.places and _named(canonical) == _named(board):
        return tuple(range(len(board.cells)))
    if len(canonical.cells) != len(board.cells) or any(len(place) > 2 for place in board.places):
        return ()
    at = {place: number for number, place in enumerate(board.places)}
    (wide, high), (width, height) = _extent(canonical.places), _extent(board.places)
    for swapped in (False, True):
        if (wide, high) != ((height, width) if swapped else (width, height)):
            continue
        for right, down in ((False, False), (True, True), (True, False), (False, True)):
            found = []
            for cell, (x, y) in zip(canonical.cells, canonical.places, strict=True):
                turned = (wide - x if right else x, high - y if down else y)
                number = at.get(turned[::-1] if swapped else turned, -1)
                if number < 0 or board.cells[number] != cell:
                    break
                found.append(number)
            else:
                return tuple(found)
    return ()


def _named(board: Drawing) -> list[Cell]:
    """Return the cells of a board, whatever its notes say."""
    return [Cell("note") if cell.kind == "note" else cell for cell in board.cells]


def heap_row(size: int, *, label: str = "", down: float = 0) -> Drawing:
    """Return the pieces of a heap in rows of five, which begins so many cells further down; of a large one its size."""
    if size > _MOST_PIECES:
        return Drawing((Cell("note", str(size)),), ((0, down),))
    names = [(Cell("note", label), (0, down))] if label else []
    first = 1.5 if label else 0
    pieces = [(Cell("piece"), (first + number % _A_ROW, down + number // _A_ROW)) for number in range(size)]
    placed = names + pieces
    return Drawing(tuple(cell for cell, _ in placed), tuple(place for _, place in placed))


def heaps_row(sizes: Sequence[int]) -> Drawing | None:
    """Return heaps one below the other; None where one is large.

    Examples
    --------
    >>> heaps_row([1, 2]).places
    ((0, 0.0), (0, 1.5), (1, 1.5))
    """
    if max(sizes, default=0) > _MOST_PIECES:
        return None
    down = 0.0
    cells: list[Cell] = []
    places: list[Place] = []
    for size in sizes:
        heap = heap_row(size, down=down)
        cells += heap.cells
        places += heap.places
        down += max(1, -(-size // _A_ROW)) + 0.5
    return Drawing(tuple(cells), tuple(places))


def heaps_way(option: Hashable, ordered: Iterable[int], sizes: Sequence[int], left: Sequence[int]) -> Way:
    """Return the way from heaps to smaller ones, which stand in another order in the option.

    Examples
    --------
    >>> heaps_way((1, 2), [1, 2], [2, 2], [2, 1]).origins
    ((2, 0, 1),)
    """
    cells: list[Cell] = []
    spans: dict[int, list[range]] = {}
    for size, rest in zip(sizes, left, strict=True):
        spans.setdefault(rest, []).append(range(len(cells), len(cells) + rest))
        cells += [Cell("piece")] * rest + [_BLANK] * (size - rest)
    origin = [number for size in ordered for number in spans[size].pop()]
    return Way(option, tuple(cells), origins=(tuple(origin),))


def circle(count: int, step: float = 1.3) -> tuple[Place, ...]:
    """Return places in a circle, clockwise from the top, so far apart."""
    radius = max(step / 2 / sin(pi / count), 0.8) if count > 1 else 0.0
    angles = (2 * pi * number / count for number in range(count))
    return tuple((round(radius * sin(angle), 3), round(-radius * cos(angle), 3)) for angle in angles)


def split_ways(
    size: int, options: Iterable[Hashable], *, both_ends: bool = True
) -> Iterator[tuple[Hashable, list[int], int]]:
    """Yield each option of a heap in a row with the sizes of its parts in order and how many pieces go after the first.

    What remains stands where it stood: a first part, the pieces that are taken, the other parts.

    Examples
    --------
    >>> list(split_ways(4, [3, (1, 2)]))
    [(3, [3], 1), (3, [0, 3], 1), ((1, 2), [1, 2], 1), ((1, 2), [2, 1], 1)]
    """
    for option in options:
        parts: list[int] = list(option if isinstance(option, tuple) else (cast("int", option),))
        taken = size - sum(parts)
        yield option, parts, taken
        if len(parts) == 2 and parts[0] != parts[1]:
            yield option, parts[::-1], taken
        elif len(parts) == 1 and both_ends and parts[0]:
            yield option, [0, *parts], taken


def row_ways(size: int, board: Drawing, options: Iterable[Hashable], *, both_ends: bool = True) -> Iterator[Way]:
    """Yield the ways of a heap whose pieces stand in a row: those taken are touched, or where it breaks."""
    if len(board.cells) != size:
        return
    for option, parts, taken in split_ways(size, options, both_ends=both_ends):
        first = parts[0]
        after = [*board.cells[:first], *[_BLANK] * taken, *board.cells[first + taken :]]
        starts, at = [0], first + taken
        for part in parts[1:]:
            starts.append(at)
            at += part
        spans: dict[int, list[tuple[int, ...]]] = {}
        for part, start in zip(parts, starts, strict=True):
            spans.setdefault(part, []).append(tuple(range(start, start + part)))
        asked = option if isinstance(option, tuple) else (cast("int", option),)
        origins = tuple(spans[part].pop() for part in asked)
        line = () if taken or first == 0 else _gap(board.places[first - 1])
        yield Way(option, tuple(after), line=line, origins=origins)


def _gap(place: Place) -> Place:
    """Return the line right of a cell."""
    x, y = place
    return (x + 0.5, y - 0.5, x + 0.5, y + 0.5)


def sheet_ways(sides: tuple[int, int], board: Drawing | None, options: Iterable[Hashable]) -> Iterator[Way]:
    """Yield the cuts of a sheet into two: the line of each is touched, and stays.

    Examples
    --------
    >>> from graphgame.rules.pictures import sheet
    >>> ways = sheet_ways((3, 1), drawn(sheet(3, 1, "paper")), [((1, 1), (2, 1))])
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
