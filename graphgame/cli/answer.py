"""The facts that ``graphgame solve`` reports: from a solved graph or, without one, from theorems and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from graphgame.errors import LimitError, Message
from graphgame.registry import offers
from graphgame.solution.results import Counts, Decisive, Move, Value, outcome_of
from graphgame.solution.solve import Solution, sources
from graphgame.text.text import MOST_ROWS

if TYPE_CHECKING:
    from graphgame.rules.nim import MisereClass
    from graphgame.rules.position import Component, Position

_MOST_MOVES = 10_000
"""The maximum number of winning moves that are listed if no solved graph gives them."""

_BY_THEOREMS = Message("the answer comes from theorems: the game is too large to write down all its positions")
_BY_TABLE = Message("the values come from a table: the game is too large to write down all its positions")
_BY_PARTS = Message(
    "theorems and graphs of components give the values: the game is too large to write down all its positions"
)
_LOOPY = Message("play need not end, and the values come from a theorem; --loopy explores all positions instead")
_SEARCH = Message("graphgame search --value looks for the value")


class Row(NamedTuple):
    """A vertex or a component's text, with value, outcome and remoteness: None if unknown. A draw has no remoteness."""

    position: Any
    grundy: Value | None
    outcome: str | None
    remoteness: int | None


@dataclass
class Answer:
    """Who wins the sum of the tokens, and by which moves; without tokens, facts about the positions of a graph."""

    misere: bool
    rows: Callable[[int | None], list[Row]]
    """``rows(n)`` returns the first n rows, ``rows(None)`` all rows: a row for each component of the sum. Without
    tokens, a row for each position that no move leads to or, if there are none, for each position."""
    total: int
    """The number of rows."""
    winner: Literal["first", "second", "draw"] | None = None
    """None without tokens."""
    nim_sum: Value | None = None
    moves: Sequence[Move] = ()
    """The winning moves."""
    complete: bool = True
    """Whether ``moves`` are all winning moves."""
    drawing: Sequence[Move] = ()
    """If the sum is a draw: the moves that keep it a draw."""
    best: Move | None = None
    """The move that wins fastest; otherwise one that draws, or loses latest; None if unknown or if there is no move."""
    length: int | None = None
    """The number of moves until the end, if both players always make the best move; None if unknown or for a draw."""
    unplayed: int | None = None
    """If the sum has too many positions to be played out: the limit on their number. ``length`` is then None."""
    misere_class: MisereClass | None = None
    """The class of heaps of Nim under misère play (see :func:`misere_nim_class`); None for all other positions."""
    counts: Counts | None = None
    """The counts of the graph; None if there is no graph."""
    notes: Sequence[Message] = ()
    """Without a graph: where the answer comes from, and how to find missing values."""
    format: str | None = None
    """The format of the graph file; None if there is no file."""
    sources: bool = True
    """Without tokens: True if the rows are the positions that no move leads to, False if they are all positions."""
    positions: Sequence[tuple[Row, list[Any]]] = ()
    """Without tokens, in a small graph: (row, P-positions among the options) for each position that is not a sum."""


def answer_of_solution(solution: Solution, position: Position | None = None) -> Answer:
    """Return the answer from a solved graph; ``position`` is the position from which it was explored, if there is one.

    If the winner depends on a product graph that is too large, theorems or tables for ``position`` give the winner.
    """
    graph = solution.graph
    numbers = sources(graph) if solution.tokens is None else solution.components
    answer = Answer(
        solution.misere,
        rows=lambda limit: _rows(solution, numbers[:limit]),
        total=len(numbers),
        counts=solution.counts(),
        format=graph.graph.get("format"),
    )
    if solution.tokens is None:
        answer.sources = not len(numbers) or not len(graph.predecessor_rows.row(int(numbers[0])))
        answer.positions = () if len(graph) > MOST_ROWS else _positions(solution)
        return answer
    answer.nim_sum = None if solution.misere else solution.nim_sum
    answer.misere_class = _misere_class(position)
    if position is None or position.is_answered_by(solution):
        answer.winner, answer.moves = solution.winner, solution.winning_moves()
        answer.drawing = solution.drawing_moves()
    else:
        labels: dict[Any, Any] = {str(label): label for label in graph}
        moves, answer.complete = _moves(position)
        answer.moves = [Move(index, labels.get(start, start), labels.get(end, end)) for index, start, end in moves]
        answer.winner = position.winner
    try:
        answer.best, answer.length = solution.best_move(), solution.sum_remoteness()
    except LimitError:
        answer.unplayed = solution.product_limit
    return answer


def answer_of_position(position: Position) -> Answer:
    """Return the answer for a sum from theorems, from tables of values, and from the graphs of its components."""
    normal = not position.misere
    outcome = position.theorem.outcome
    position = position if outcome is None else position.small()
    by_table = position.table.answers
    values = _values(position, outcome) if normal else (position.grundy,) if by_table else ()
    has_all_values = normal and None not in values
    without_value = [part for part, value in zip(position.components, values, strict=False) if value is None]
    if has_all_values or not normal or any(isinstance(value, Decisive) for value in values):
        moves, complete = _moves(position)
    else:
        moves, complete = _in_texts(position, position.theorem.first_moves(_MOST_MOVES)), False

    def rows(limit: int | None) -> list[Row]:
        pairs = zip_longest(position.components[:limit], values[:limit])
        return [Row(position.text(c), v, outcome_alone(c, v), None) for c, v in pairs]

    def outcome_alone(component: Component, value: Value | None) -> str | None:
        """Return the outcome of a component by itself, from ``value`` or a theorem; None if it is unknown."""
        if value is not None:
            return outcome_of(value)
        return type(position)([component], misere=position.misere).theorem.outcome

    origin = _BY_TABLE if by_table and None not in values else _BY_PARTS if outcome is None else _BY_THEOREMS
    answer = Answer(
        position.misere,
        rows,
        total=len(position.components),
        winner=position.winner,
        nim_sum=position.nim_sum if has_all_values else None,
        moves=moves,
        complete=complete,
        misere_class=_misere_class(position),
        notes=[_LOOPY] if position.loopy else [origin],
    )
    search = offers("job").get("compiled search")
    if normal and without_value and not position.loopy and search and all(map(search.load(), without_value)):
        answer.notes = [*answer.notes, _SEARCH]
    return answer


def _moves(position: Position) -> tuple[list[Move], bool]:
    """Return at most 10,000 winning moves, with positions as texts, and whether these are certainly all."""
    moves, complete = position.first_winning_moves(_MOST_MOVES)
    return _in_texts(position, moves), complete


def _in_texts(position: Position, moves: Sequence[Move]) -> list[Move]:
    text: Any = position.text
    return [Move(index, text(start), text(end)) for index, start, end in moves]


def _values(position: Position, outcome: str | None) -> tuple[Value | None, ...]:
    """Return the value of each component.

    If a graph is too large, return the values that theorems give, and None for each component without a theorem. But
    raise a LimitError if ``outcome`` is None.
    """
    try:
        return position.values
    except LimitError:
        if outcome is None:
            raise
        return position.theorem.values


def _misere_class(position: Position | None) -> MisereClass | None:
    heaps = position.theorem.heaps if position is not None and position.misere else None
    if heaps is None:
        return None
    from graphgame.rules.nim import misere_nim_class

    return misere_nim_class(heaps)


def _positions(solution: Solution) -> list[tuple[Row, list[Any]]]:
    """Return (:class:`Row`, labels of the options that are P-positions) for each vertex that is not a sum vertex."""
    graph = solution.graph
    rows = [row for row in _rows(solution, np.arange(len(graph))) if not graph.is_sum(row.position)]
    return [(row, [end for end, _, outcome in solution.options(row.position) if outcome == "P"]) for row in rows]


def _rows(solution: Solution, numbers: np.ndarray) -> list[Row]:
    try:
        remoteness: list[int | None] = [*solution.remoteness.take(numbers)]
    except LimitError:
        remoteness = [None] * len(numbers)
    values, outcomes = solution.grundy.take(numbers), solution.outcome.take(numbers)
    return list(map(Row, solution.graph.labels.take(numbers), values, outcomes, remoteness))
