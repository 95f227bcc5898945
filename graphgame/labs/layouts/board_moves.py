"""What moves and symmetries do to the pictures of positions, so that one can play on them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from graphgame.rules.pictures import Cell, Picture, Place, SymmetryMap, Way
from graphgame.rules.ruleset import Ruleset, Sum

_BLANK = Cell("blank")


def ways_of(rules: Ruleset, position: Hashable) -> Iterable[Way]:
    """Return the ways to make each move on the picture of a position.

    Examples
    --------
    >>> from graphgame.rules.nim import Nim
    >>> [way.after[0].kind for way in ways_of(Nim(), 2)]
    ['note', 'piece']
    """
    own = rules.ways(position)
    return _compared(rules, position) if own is None else own


def symmetry_map(rules: Ruleset, position: Hashable) -> SymmetryMap:
    """Return how the picture of the canonical position lies in that of a position."""
    if (own := rules.symmetry_map(position)) is not None:
        return own
    canonical, board = rules.picture(rules.canonical(position)), rules.picture(position)
    return SymmetryMap(() if canonical is None or board is None else turned(canonical, board))


def _compared(rules: Ruleset, position: Hashable) -> Iterator[Way]:
    """Yield the ways that the pictures before and after each move tell."""
    board = rules.picture(position)
    for option in rules.options(position):
        left = None if board is None or type(option) is Sum else rules.picture(option)
        found = None if board is None or left is None else in_place(board, left, rules.filling)
        yield Way(option) if found is None else Way(option, found[0], origins=(found[1],))


def in_place(
    before: Picture, after: Picture, filling: Cell | None = None
) -> tuple[tuple[Cell, ...], tuple[int, ...]] | None:
    """Return a board's cells after a move, and where the remaining cells lie in it; None if they do not fit.

    The remaining cells keep their places if those are all places of the old board. Otherwise the move shifted them.
    With a filling, which stands where nothing is left, nothing is shifted.

    Examples
    --------
    >>> from graphgame.rules.pictures import heap
    >>> in_place(heap(3), heap(1))
    ((Cell(kind='piece', text=''), Cell(kind='blank', text=''), Cell(kind='blank', text='')), (0,))
    """
    shifts = _shifts(before, after) if filling is None else ()
    found = next(filter(None, (_origin(before, after, *shift) for shift in shifts)), None)
    # Without a place where all cells are as before, it stays where it is and its cells change, as a coin that turns.
    origin = found or _origin(before, after, 0, 0, alike=False)
    if origin is None:
        return None
    cells = [filling or _BLANK] * len(before.cells)
    for number, cell in zip(origin, after.cells, strict=True):
        cells[number] = cell
    return tuple(cells), origin


def _shifts(before: Picture, after: Picture) -> Iterator[tuple[float, float]]:
    """Yield the shifts of a smaller board inside a larger one, none at all first; a board that keeps its size stays."""
    if before.places == after.places or any(len(place) > 2 for place in after.places):
        return
    (wide, high), (width, height) = _extent(before.places), _extent(after.places)
    for dy in range(int(high - height) + 1):
        for dx in range(int(wide - width) + 1):
            yield dx, dy


def _origin(before: Picture, after: Picture, dx: float, dy: float, *, alike: bool = True) -> tuple[int, ...] | None:
    """Return the cells in which the cells of a board lie that is shifted by so much; None where they differ."""
    at = {place: number for number, place in enumerate(before.places)}
    found = []
    for cell, place in zip(after.cells, after.places, strict=True):
        number = at.get((place[0] + dx, place[1] + dy) if dx or dy else place)
        if number is None or (alike and before.cells[number] != cell):
            return None
        found.append(number)
    return tuple(found)


def _extent(places: Sequence[Place]) -> tuple[float, float]:
    return max((place[0] for place in places), default=0), max((place[1] for place in places), default=0)


def turned(canonical: Picture, board: Picture) -> tuple[int, ...]:
    """Return the cell of a board in which each cell of its turn or reflection lies; ``()`` where it is none.

    Examples
    --------
    >>> from graphgame.rules.pictures import grid
    >>> kinds = {"x": "cross", ".": "square"}
    >>> turned(grid("x..", kinds), grid("..x", kinds))
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
        # The four reflections, and with the axes swapped the other four symmetries of a rectangle.
        for right, down in ((False, False), (True, True), (True, False), (False, True)):
            found = []
            for cell, (x, y) in zip(canonical.cells, canonical.places, strict=True):
                place = (wide - x if right else x, high - y if down else y)
                number = at.get(place[::-1] if swapped else place, -1)
                if number < 0 or board.cells[number] != cell:
                    break
                found.append(number)
            else:
                return tuple(found)
    return ()


def _named(board: Picture) -> list[Cell]:
    """Return the cells of a board, whatever its notes say."""
    return [Cell("note") if cell.kind == "note" else cell for cell in board.cells]
