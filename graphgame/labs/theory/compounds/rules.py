"""Compounds as rulesets: their explicit graphs can be explored, and their boards drawn one below the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any

from graphgame.errors import LimitError, ParameterError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.layouts.pictures import symmetry_map, ways_of
from graphgame.labs.theory.compounds.kinds import KINDS, FiniteOutcome, Operand, Places, length_of, ordinal_value
from graphgame.rules.component import sum_text, with_texts
from graphgame.rules.notation import split_compound
from graphgame.rules.pictures import Cell, Picture, Way, beside
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset, parts_of
from graphgame.rules.tokens import GraphRuleset
from graphgame.solution.sums import product as product_graph


class Compound(Ruleset):
    """Several games played at once, as a ruleset: a position is the tuple of the components' positions.

    Parameters
    ----------
    kind : str
        The sign or the name of one of :data:`KINDS`.
    operands : sequence of GameLike or Operand
        The components, in order. A graph stands for the sum of its tokens.

    Raises
    ------
    ParameterError
        The kind does not exist, or there is no component.
    TokenError
        A graph has no token.
    CycleError, LimitError
        Later, when the compound is played: play in a component need not end, or its graph is too large.

    Notes
    -----
    :meth:`outcome_form` and :meth:`misere_outcome_form` find the outcome from the graphs of the components alone, in
    time linear in their sizes. The explicit graph, from ``explore``, can be as large as the product of their sizes.

    References
    ----------
    C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966).
    J. H. Conway, On Numbers and Games (1976), chapter 14.
    E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 9.

    Examples
    --------
    >>> from graphgame import explore, parse_position, solve
    >>> rules = Compound("conjunctive", [parse_position(text).graph() for text in ("bash{2}(5)", "bash{3}(8)")])
    >>> rules.outcome_form(rules.start)
    'N'
    >>> solve(explore(rules)).outcome[5, 8]
    'N'
    """

    def __init__(self, kind: str, operands: Sequence[GameLike | Operand]) -> None:
        found = [k for k in KINDS.values() if kind in (k.sign, k.name, k.name.split()[0])]
        if not found:
            names = ", ".join(f"{k.sign} ({k.name})" for k in KINDS.values())
            raise ParameterError("unknown kind of compound {kind!r}: expected one of {names}", kind, names)
        if not operands:
            raise ParameterError("a compound has one component or more")
        self.kind = found[0]
        self.operands: list[Operand] = [o if isinstance(o, Operand) else Operand.of_graph(o) for o in operands]
        self.start: Places = tuple(operand.start for operand in self.operands)
        self.arguments = self.format(self.start)

    def options(self, position: Places) -> Iterable[Places]:
        """Return the positions after each move."""
        places = self.canonical(position)
        return self.kind.moves(places, [o.options(p) for o, p in zip(self.operands, places, strict=False)])

    def canonical(self, position: Places) -> Places:
        """Return the position with the labels of the components' graphs."""
        return tuple(o.token for o in self.operands) if position == self.start else position

    def least_size(self, position: Places) -> tuple[int, int]:
        """Return lower bounds of the numbers of positions and moves."""
        places = self.canonical(position)
        options = prod(len(o.options(p)) for o, p in zip(self.operands, places, strict=False))
        return (1, 0) if self.kind.measure == "value" else (options + 1, options)

    def closed_form(self, position: Places) -> int | None:
        """Return the value of an ordinal sum; None for other compounds."""
        return ordinal_value(self.operands, position) if self.kind.measure == "value" else None

    def outcome_form(self, position: Places) -> FiniteOutcome:
        """Return the outcome under normal play, "P" or "N"."""
        return self.kind.outcome(self.operands, position, False)

    def misere_outcome_form(self, position: Places) -> FiniteOutcome:
        """Return the outcome under misère play, "P" or "N"."""
        return self.kind.outcome(self.operands, position, True)

    def length(self, position: Places, misere: bool = False) -> int:
        """Return the length of play in a conjunctive or continued conjunctive compound.

        In a conjunctive compound it is the remoteness: the winner hurries and the loser delays. In a continued one it
        is the suspense number: the winner delays and the loser hurries.

        Raises
        ------
        ParameterError
            The compound is of another kind.
        """
        if self.kind.measure not in ("remoteness", "suspense"):
            raise ParameterError(
                "the length of play in the {name} compound does not follow from its components", self.kind.name
            )
        return length_of(self.kind.measure, self.operands, position, misere)

    def picture(self, position: Places) -> Picture | None:
        """Return the boards of the components, one below the other."""
        return compound_board(self.operands, self.canonical(position))

    def ways(self, position: Places) -> Iterator[Way]:
        """Yield the moves on the boards of the components."""
        return compound_ways(self.operands, self.canonical(position), self.options(position))

    def parse(self, text: str) -> Places:
        """Read a position as :meth:`format` writes it."""
        parts = [part.strip() for part, _ in split_compound(text)[1]]
        return tuple(GraphRuleset(o.graph).parse(part) for o, part in zip(self.operands, parts, strict=False))

    def format(self, position: Places) -> str:
        """Return the texts of the components with the sign between them."""
        return f" {self.kind.sign} ".join(map(str, position))

    def term(self, name: str, position: Any) -> str:  # noqa: ANN401
        """Return the compound in parentheses."""
        return f"({self.format(position)})"


_MOVES_A_POSITION = 5
_ENDED = "*0"


def operand_of(position: Position) -> Operand:
    """Return a position, which may be a sum, as a component of a compound.

    The vertices of its graph are labelled by the notation of the positions. The graph is explored when it is needed.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> operand = operand_of(parse_position("nim(1,2)"))
    >>> operand.start, operand.options(operand.token)
    ('(nim(1) + nim(2))', ['nim(2)', '(nim(1) + nim(1))', 'nim(1)'])
    """
    limited = Position(position.components, position.max_positions, _MOVES_A_POSITION * position.max_positions)

    @cache
    def told(misere: bool) -> FiniteOutcome | None:
        return position.under(misere).theorem.outcome

    parts: dict[Hashable, tuple[Component, ...]] = {}
    return Operand(_text(position.components), lambda: _graph(limited, parts), told, parts.get)


def compound_of(sign: str, positions: Sequence[Position]) -> Compound:
    """Return the ruleset of a compound of positions; ``sign`` is one of the signs in :data:`KINDS`.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> compound_of("&", [parse_position("nim(1)"), parse_position("nim(2)")]).start
    ('nim(1)', 'nim(2)')
    """
    return Compound(sign, [operand_of(position) for position in positions])


def _graph(position: Position, known: dict[Hashable, tuple[Component, ...]]) -> GameGraph:
    """Return the explicit graph with one token and no sum vertices; store each vertex's components in ``known``."""

    def named(components: tuple[Component, ...]) -> str:
        known[text := _text(components)] = components
        return text

    graph = position.graph()
    if len(position.components) == 1 and graph.sums is None:
        start = position.components[0]
        return with_texts(graph, lambda place: named((start._replace(position=place),)))

    def component(part: object) -> Component:
        return part if isinstance(part, Component) else position.components[0]._replace(position=part)

    try:
        whole = product_graph(graph, limit=position.max_positions)
    except LimitError as error:
        raise LimitError(str(error), limit="max_positions") from error
    return with_texts(whole, lambda parts: named(tuple(map(component, parts))))


def _text(components: tuple[Component, ...]) -> str:
    text = sum_text(components) if components else _ENDED
    return f"({text})" if len(components) > 1 else text


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
            keys = (_key(part for part, _ in some) for some in (left, kept))
            option = next((places[key] for key in keys if key in places), None)
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
