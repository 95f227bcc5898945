"""Boards of compounds: the boards of the components one below the other, and moves in several of them at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, product

from graphgame.labs.layouts.pictures import symmetry_map, ways_of
from graphgame.labs.theory.compounds.kinds import Operand, Places
from graphgame.rules.component import Component
from graphgame.rules.pictures import Cell, Picture, Way, beside
from graphgame.rules.ruleset import parts_of

_Origin = tuple[int, ...]
_Piece = tuple[Component, "_Origin | None"]

_GAP = 0.8
_BESIDE = 0.6
_BLANK = Cell("blank")


def compound_board(operands: Sequence[Operand], position: Places) -> Picture | None:
    """Return the boards of the components one below the other, or None if one of them has no board."""
    boards = [_operand_board(operand, place) for operand, place in zip(operands, position, strict=False)]
    return _joined(boards, down=True)


def compound_ways(operands: Sequence[Operand], position: Places, options: Iterable[Places]) -> Iterator[Way]:
    """Yield for each option the moves on the boards that lead to it: a combination of moves in the components."""
    boards = [_operand_board(operand, place) for operand, place in zip(operands, position, strict=False)]
    ways = [list(_operand_ways(operand, place)) for operand, place in zip(operands, position, strict=False)]
    drawn = [board for board in boards if board is not None]
    for option in options:
        moved = [i for i, place in enumerate(option) if place != position[i]]
        choices = [[way for way in ways[i] if way.option == option[i]] for i in moved]
        if len(drawn) < len(boards) or not all(choices):
            yield Way(option)
            continue
        for chosen in product(*choices):
            yield _together(option, drawn, dict(zip(moved, chosen, strict=True)))


def _together(option: Places, boards: Sequence[Picture], moved: dict[int, Way]) -> Way:
    """Return the combined move on all boards; ``moved`` maps components to their moves.

    The option of an ordinal sum may have fewer components: the boards of the later ones become blank.
    """
    starts = [0, *accumulate(len(board.cells) for board in boards)]
    after: list[Cell] = []
    touched: list[int] = []
    origin: list[int] = []
    known = True
    for number, (board, start) in enumerate(zip(boards, starts, strict=False)):
        way = moved.get(number)
        if way is None:
            left = number < len(option)
            after += board.cells if left else [_BLANK] * len(board.cells)
            origin += range(start, start + len(board.cells)) if left else ()
            continue
        known = known and way.after is not None and bool(way.origins)
        after += way.after or board.cells
        touched += [start + cell for cell in way.touched]
        origin += [start + cell if cell >= 0 else -1 for cell in (way.origins or ((),))[0]]
    return (
        Way(option, tuple(after), tuple(touched), (), (tuple(origin),)) if known else Way(option, None, tuple(touched))
    )


def _operand_board(operand: Operand, place: Hashable) -> Picture | None:
    parts = operand.parts(place)
    return None if parts is None else _joined([_board(part) for part in parts])


def _joined(boards: Sequence[Picture | None], *, down: bool = False) -> Picture | None:
    return beside(boards, gap=_GAP, down=down, most=len(boards)) if boards else Picture((), ())


def _board(part: Component) -> Picture | None:
    return part.ruleset.picture(part.position)


def _operand_ways(operand: Operand, place: Hashable) -> Iterator[Way]:
    """Yield the moves on the board of a component, each with the position of its graph that it leads to."""
    parts = operand.parts(place) or ()
    boards = [board for board in map(_board, parts) if board is not None]
    if len(boards) < len(parts):
        return
    places = {_key(operand.parts(option) or ()): option for option in operand.options(place)}
    starts = [0, *accumulate(len(board.cells) for board in boards)]
    pieces = [(part, tuple(range(*span))) for part, span in zip(parts, pairwise(starts), strict=True)]
    cells = tuple(cell for board in boards for cell in board.cells)
    for number, (part, board, start) in enumerate(zip(parts, boards, starts, strict=False)):
        end = start + len(board.cells)
        for way in ways_of(part.ruleset, part.position):
            left = [*pieces[:number], *pieces[number + 1 :], *_left(part, way, start)]
            kept = [piece for piece in left if any(True for _ in piece[0].ruleset.options(piece[0].position))]
            option = next((places[key] for key in map(_key_of, (left, kept)) if key in places), None)
            if option is not None:
                after = None if way.after is None else (*cells[:start], *way.after, *cells[end:])
                touched = tuple(start + cell for cell in _touched(board, way))
                yield Way(option, after, touched, (), _origins(operand.parts(option) or (), left))


def _left(part: Component, way: Way, start: int) -> list[_Piece]:
    """Return what a move leaves of a part: canonical positions, each with the cells of the old board that show it.

    The cells are None if they are not known.
    """
    found: list[_Piece] = []
    for number, position in enumerate(parts_of(way.option)):
        alike = part._replace(position=part.ruleset.canonical(position))
        cells = _lying(part, position, alike)
        known = cells is not None and bool(way.origins) and not way.names
        origin = way.origins[number] if known else ()
        found.append((alike, tuple(_at(origin, cell, start) for cell in cells or ()) if known else None))
    return found


def _lying(part: Component, position: Hashable, alike: Component) -> _Origin | None:
    """Return for each cell of the canonical position the matching cell of the position, or None if not known."""
    board = _board(alike)
    if alike.position == position:
        return None if board is None else tuple(range(len(board.cells)))
    cells, names = symmetry_map(part.ruleset, position)
    return None if names or (board is not None and len(cells) != len(board.cells)) else cells


def _at(origin: _Origin, cell: int, start: int) -> int:
    return start + origin[cell] if cell >= 0 and origin[cell] >= 0 else -1


def _origins(parts: Iterable[Component], pieces: Sequence[_Piece]) -> tuple[_Origin, ...]:
    """Return for each cell of a component's new board its cell in the old one; an empty tuple if not known."""
    lying: dict[Component, list[_Origin | None]] = {}
    for part, cells in pieces:
        lying.setdefault(part, []).append(cells)
    found = [lying[part].pop() for part in parts]
    return () if None in found else (tuple(cell for cells in found for cell in cells or ()),)


def _touched(board: Picture, way: Way) -> Iterator[int]:
    """Yield the cells that belong to a move; for a cut along a line, the cells on both sides of it."""
    if way.touched or not way.line:
        changed = (i for i, cell in enumerate(board.cells) if way.after is not None and way.after[i] != cell)
        yield from way.touched or changed
        return
    x1, y1, x2, y2 = way.line
    for number, (x, y, *_) in enumerate(board.places):
        if min(x1, x2) - _BESIDE <= x <= max(x1, x2) + _BESIDE and min(y1, y2) - _BESIDE <= y <= max(y1, y2) + _BESIDE:
            yield number


def _key(parts: Iterable[Component]) -> tuple[str, ...]:
    return tuple(sorted(map(str, parts)))


def _key_of(pieces: Iterable[_Piece]) -> tuple[str, ...]:
    return _key(part for part, _ in pieces)
