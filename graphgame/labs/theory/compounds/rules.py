"""Compounds as rulesets, whose graphs can be explored; pictures show the boards of the components below each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise, product
from math import hypot, prod
from typing import Any

from graphgame.errors import LimitError, Message, ParameterError, ParseError, checks_parameters
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.layouts.pictures import symmetry_map, ways_of
from graphgame.labs.theory.compounds.kinds import KINDS, FiniteOutcome, Operand, Vertices, length_of, ordinal_value
from graphgame.rules.component_graphs import GraphRuleset, with_texts
from graphgame.rules.notation import split_compound
from graphgame.rules.pictures import Cell, Picture, Way, beside
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset, parts_of, sum_text
from graphgame.solution.sums import product as product_graph


class Compound(Ruleset):
    """Several games played at once, as a ruleset: a position is the tuple of the components' positions.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`: its sign, its name, or the first word of its name.
    operands : sequence of GameLike or Operand
        The components, in order. A graph stands for the sum of its tokens.

    Raises
    ------
    ParameterError
        The kind does not exist, or there is no component.
    TokenError
        The attribute ``tokens`` of a graph is None.
    LimitError
        A graph has several tokens or a sum vertex, and its product, the graph of whole positions, is too large.

    Notes
    -----
    The methods raise further errors when they need the graphs of the components: CycleError if play in a component need
    not end, LimitError if its graph is too large, ParameterError if it has a decided position.

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
        kinds = [k for k in KINDS.values() if kind in (k.sign, k.name, k.name.split()[0])]
        if not kinds:
            names = ", ".join(f"{k.sign} ({k.name})" for k in KINDS.values())
            raise ParameterError("unknown kind of compound {kind!r}: expected one of {names}", kind, names)
        if not operands:
            raise ParameterError("a compound without components: expected at least one")
        self.kind = kinds[0]
        self.operands: list[Operand] = [o if isinstance(o, Operand) else Operand.of_graph(o) for o in operands]
        self.start: Vertices = tuple(operand.start for operand in self.operands)
        self.arguments = self.format(self.start)

    def options(self, position: Vertices) -> Iterable[Vertices]:
        """Return the options of a position."""
        vertices = self.canonical(position)
        return self.kind.moves(vertices, [o.options(v) for o, v in zip(self.operands, vertices, strict=False)])

    def canonical(self, position: Vertices) -> Vertices:
        """Return the tuple of the components' tokens if the position is ``start``; otherwise the position itself."""
        return tuple(o.token for o in self.operands) if position == self.start else position

    def least_size(self, position: Vertices) -> tuple[int, int]:
        """Return lower bounds of the numbers of positions and moves of the graph from a position."""
        vertices = self.canonical(position)
        options = prod(len(o.options(v)) for o, v in zip(self.operands, vertices, strict=False))
        return (1, 0) if self.kind.measure == "value" else (options + 1, options)

    def closed_form(self, position: Vertices) -> int | None:
        """Return the value of an ordinal sum; None for other compounds."""
        return ordinal_value(self.operands, position) if self.kind.measure == "value" else None

    def outcome_form(self, position: Vertices) -> FiniteOutcome:
        """Return the outcome under normal play, "P" or "N"."""
        return self.kind.outcome(self.operands, position, False)

    def misere_outcome_form(self, position: Vertices) -> FiniteOutcome:
        """Return the outcome under misère play, "P" or "N"."""
        return self.kind.outcome(self.operands, position, True)

    @checks_parameters
    def length(self, position: Vertices, misere: bool = False) -> int:
        """Return the length of play in a conjunctive or continued conjunctive compound.

        In a conjunctive compound it is the remoteness: the winner hurries and the loser delays. In a continued
        conjunctive compound it is the suspense number: the winner delays and the loser hurries.

        Raises
        ------
        ParameterError
            The compound is of another kind.
        """
        if self.kind.measure not in ("remoteness", "suspense"):
            raise ParameterError(
                "the length of play can be computed for a conjunctive or continued conjunctive compound, but not for "
                "this kind: {name}",
                self.kind.name,
            )
        return length_of(self.kind.measure, self.operands, position, misere)

    def picture(self, position: Vertices) -> Picture | None:
        """Return the boards of the components, one below the other, or None if one of them has no board."""
        return _joined(_operand_boards(self.operands, self.canonical(position)), down=True)

    def ways(self, position: Vertices) -> Iterator[Way]:
        """Yield the moves from a position, as changes of the components' boards: see :func:`compound_ways`."""
        return compound_ways(self.operands, self.canonical(position), self.options(position))

    def parse(self, text: str) -> Vertices:
        """Read the texts of the components with the sign between them, as :meth:`format` writes them."""
        sign, parts = split_compound(text)
        if sign != self.kind.sign or len(parts) != len(self.operands):
            expected = len(self.operands), self.kind.sign
            raise ParseError(Message("expected {count} components with {sign} between them", *expected))
        pairs = zip(self.operands, parts, strict=True)
        return tuple(GraphRuleset(operand.graph).parse(part.strip()) for operand, (part, _) in pairs)

    def format(self, position: Vertices) -> str:
        """Return the texts of the components with the sign between them."""
        return f" {self.kind.sign} ".join(map(str, position))

    def term(self, name: str, position: Any) -> str:  # noqa: ANN401
        """Return the notation of a position, in parentheses; ``name`` is not used."""
        return f"({self.format(position)})"


_MOVES_A_POSITION = 5
"""The limit on the moves of a component's graph is this many times the limit on its positions."""

_ENDED = "*0"
"""The text of a component whose parts have all ended."""


def operand_of(position: Position) -> Operand:
    """Return a component for a compound. The component starts at ``position``, which may be a sum.

    The labels of its graph are positions in the notation. The graph is explored when it is first needed.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> operand = operand_of(parse_position("nim(1,2)"))
    >>> operand.start, operand.options(operand.token)
    ('(nim(1) + nim(2))', ['nim(2)', '(nim(1) + nim(1))', 'nim(1)'])
    """
    limited = Position(position.components, position.max_positions, _MOVES_A_POSITION * position.max_positions)

    @cache
    def outcome_by_theorem(misere: bool) -> FiniteOutcome | None:
        return position.under(misere).theorem.outcome

    # ``_graph`` fills this dict when it explores the graph. Until then ``parts.get`` returns None.
    parts: dict[Hashable, tuple[Component, ...]] = {}
    return Operand(_text(position.components), lambda: _graph(limited, parts), outcome_by_theorem, parts.get)


def compound_of(sign: str, positions: Sequence[Position]) -> Compound:
    """Return the ruleset of a compound of positions; ``sign`` is one of the signs in :data:`KINDS`.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> compound_of("&", [parse_position("nim(1)"), parse_position("nim(2)")]).start
    ('nim(1)', 'nim(2)')
    """
    return Compound(sign, [operand_of(position) for position in positions])


def _graph(position: Position, parts: dict[Hashable, tuple[Component, ...]]) -> GameGraph:
    """Return the graph whose only token is a position, which may be a sum.

    Each vertex stands for a whole position: there are no sum vertices. Write to ``parts``, for the label of each
    vertex, the components of its position.
    """

    def named(components: tuple[Component, ...]) -> str:
        parts[text := _text(components)] = components
        return text

    graph = position.graph()
    if len(position.components) == 1 and graph.sums is None:
        start = position.components[0]
        return with_texts(graph, lambda label: named((start._replace(position=label),)))

    def component(part: object) -> Component:
        return part if isinstance(part, Component) else position.components[0]._replace(position=part)

    try:
        whole = product_graph(graph, limit=position.max_positions)
    except LimitError as error:
        raise LimitError(str(error), limit="max_positions") from error
    return with_texts(whole, lambda label: named(tuple(map(component, label))))


def _text(components: tuple[Component, ...]) -> str:
    text = sum_text(components) if components else _ENDED
    return f"({text})" if len(components) > 1 else text


_OldCells = tuple[int, ...]
"""For each cell of a board, the index of the cell of an earlier board that it comes from; -1 if there is none."""

_Piece = tuple[Component, "_OldCells | None"]
"""A part of a component after a move, and where its cells come from on the old board; None if this is not known."""

_GAP = 0.8
"""The space between boards, in cells."""

_BESIDE = 0.6
"""A cell lies beside a cut if its centre is at most this far from the line of the cut, in cells."""

_BLANK = Cell("blank")


def compound_ways(operands: Sequence[Operand], position: Vertices, options: Iterable[Vertices]) -> Iterator[Way]:
    """Yield the moves to each option on the boards of the components.

    These are all combinations of moves on single boards that lead to the option. If some component has no board, or no
    such combination exists, yield one move to the option without a picture.
    """
    boards = _operand_boards(operands, position)
    ways = [list(_operand_ways(operand, vertex)) for operand, vertex in zip(operands, position, strict=False)]
    drawn = [board for board in boards if board is not None]
    for option in options:
        moved = [i for i, vertex in enumerate(option) if vertex != position[i]]
        choices = [[way for way in ways[i] if way.option == option[i]] for i in moved]
        if len(drawn) < len(boards) or not all(choices):
            yield Way(option)
            continue
        for chosen in product(*choices):
            yield _combined(option, drawn, dict(zip(moved, chosen, strict=True)))


def _combined(option: Vertices, boards: Sequence[Picture], moved: dict[int, Way]) -> Way:
    """Return one move on the boards of all components, made from the moves of single components.

    ``moved`` maps the index of each component that moves to its move. The option of an ordinal sum may have fewer
    components: the boards of the removed components become blank.
    """
    starts = [0, *accumulate(len(board.cells) for board in boards)]
    after: list[Cell] = []
    touched: list[int] = []
    origin: list[int] = []
    can_be_drawn = True
    for index, (board, start) in enumerate(zip(boards, starts, strict=False)):
        way = moved.get(index)
        if way is None:
            remains = index < len(option)
            after += board.cells if remains else [_BLANK] * len(board.cells)
            origin += range(start, start + len(board.cells)) if remains else ()
            continue
        can_be_drawn = can_be_drawn and way.after is not None and bool(way.origins)
        after += way.after or board.cells
        touched += [start + cell for cell in way.touched]
        origin += [start + cell if cell >= 0 else -1 for cell in (way.origins or ((),))[0]]
    if not can_be_drawn:
        return Way(option, None, tuple(touched))
    return Way(option, tuple(after), tuple(touched), (), (tuple(origin),))


def _operand_boards(operands: Sequence[Operand], position: Vertices) -> list[Picture | None]:
    """Return the board of each component, with its parts side by side; None for a component without a board."""
    parts = [operand.parts(vertex) for operand, vertex in zip(operands, position, strict=False)]
    return [None if some is None else _joined([part.ruleset.picture(part.position) for part in some]) for some in parts]


def _joined(boards: Sequence[Picture | None], *, down: bool = False) -> Picture | None:
    return beside(boards, gap=_GAP, down=down, most=len(boards)) if boards else Picture((), ())


def _operand_ways(operand: Operand, vertex: Hashable) -> Iterator[Way]:
    """Yield a :class:`Way` for each move of a component, with a vertex of its graph as ``option``.

    The way is on the component's board: for a sum, the boards of all parts. If the move cannot be drawn there, the
    attribute ``after`` is None. Yield nothing if a part has no board, or if the component's graph does not come from
    rules.
    """
    parts = operand.parts(vertex) or ()
    boards = [board for part in parts if (board := part.ruleset.picture(part.position)) is not None]
    if len(boards) < len(parts):
        return
    options = {_key(operand.parts(option) or ()): option for option in operand.options(vertex)}
    starts = [0, *accumulate(len(board.cells) for board in boards)]
    pieces = [(part, tuple(range(*span))) for part, span in zip(parts, pairwise(starts), strict=True)]
    cells = tuple(cell for board in boards for cell in board.cells)
    for index, (part, board, start) in enumerate(zip(parts, boards, starts, strict=False)):
        end = start + len(board.cells)
        for way in ways_of(part.ruleset, part.position):
            remaining = [*pieces[:index], *pieces[index + 1 :], *_pieces_after(part, way, start)]
            # The graph of a sum leaves out parts that have ended, the graph of a single position keeps them. Try both.
            movable = [piece for piece in remaining if any(True for _ in piece[0].ruleset.options(piece[0].position))]
            keys = (_key(part for part, _ in some) for some in (remaining, movable))
            option = next((options[key] for key in keys if key in options), None)
            if option is not None:
                after = None if way.after is None else (*cells[:start], *way.after, *cells[end:])
                touched = tuple(start + cell for cell in _touched(board, way))
                yield Way(option, after, touched, (), _origins(operand.parts(option) or (), remaining))


def _pieces_after(part: Component, way: Way, start: int) -> list[_Piece]:
    """Return the pieces into which the move ``way`` turns a part: canonical positions, and where their cells come from.

    ``start`` is the index of the part's first cell on the board of its component before the move.
    """
    pieces: list[_Piece] = []
    for index, position in enumerate(parts_of(way.option)):
        canonical = part._replace(position=part.ruleset.canonical(position))
        cells = _cells_of_canonical(part, position, canonical)
        if cells is None or not way.origins or way.names:
            pieces.append((canonical, None))
        else:
            # An entry for each cell of the canonical position: the index of the same cell on the board of ``part``, as
            # it was before the move; -1 if there is no such cell.
            on_part = [way.origins[index][cell] if cell >= 0 else -1 for cell in cells]
            pieces.append((canonical, tuple(start + cell if cell >= 0 else -1 for cell in on_part)))
    return pieces


def _cells_of_canonical(part: Component, position: Hashable, canonical: Component) -> _OldCells | None:
    """Return a tuple with an entry for each cell on the board of the canonical position of ``position``.

    The entry is the index of the same cell, by symmetry, on the board of ``position``; -1 if there is none. Return None
    if the symmetry is not known, or changes how cells look. ``canonical`` is ``part`` with the canonical position
    instead of its own position.
    """
    board = canonical.ruleset.picture(canonical.position)
    if canonical.position == position:
        return None if board is None else tuple(range(len(board.cells)))
    cells, names = symmetry_map(part.ruleset, position)
    return None if names or (board is not None and len(cells) != len(board.cells)) else cells


def _origins(parts: Iterable[Component], pieces: Sequence[_Piece]) -> tuple[_OldCells, ...]:
    """Return the attribute ``origins`` of a move, see :class:`Way`, from the pieces after the move.

    ``parts`` are the parts in the order of the new board. ``pieces`` has the same parts in any order, each with the
    cells of the old board from which its cells come. The result is a tuple of one tuple, which has these old cells for
    all cells of the new board. It is empty if some piece has None instead of old cells.
    """
    # Equal parts look the same, so it does not matter which of them is matched with which piece.
    cells_of: dict[Component, list[_OldCells | None]] = {}
    for part, cells in pieces:
        cells_of.setdefault(part, []).append(cells)
    old_cells = [cells_of[part].pop() for part in parts]
    return () if None in old_cells else (tuple(cell for cells in old_cells for cell in cells or ()),)


def _touched(board: Picture, way: Way) -> Iterator[int]:
    """Yield the indices of the cells to click for a move.

    They are the cells in ``way.touched``. If it is empty, they are the cells on both sides of the line of a cut, or, if
    the move has no line, the cells that change.
    """
    if way.touched or not way.line:
        changed = (i for i, cell in enumerate(board.cells) if way.after is not None and way.after[i] != cell)
        yield from way.touched or changed
        return
    x1, y1, x2, y2 = way.line
    for number, (x, y, *_) in enumerate(board.places):
        # The line of a cut is horizontal or vertical, so it is a rectangle without width or height.
        across = max(min(x1, x2) - x, x - max(x1, x2), 0)
        down = max(min(y1, y2) - y, y - max(y1, y2), 0)
        if hypot(across, down) <= _BESIDE:
            yield number


def _key(parts: Iterable[Component]) -> tuple[str, ...]:
    return tuple(sorted(map(str, parts)))
