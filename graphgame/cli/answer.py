"""The facts that ``graphgame solve`` reports, from a solved graph or, if the graph is too large, from theorems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphgame.errors import LimitError
from graphgame.registry import offers, registered
from graphgame.solution.results import Counts, Move, Value, outcome_of
from graphgame.solution.solve import Solution
from graphgame.text.text import MOST_ROWS

if TYPE_CHECKING:
    from graphgame.rules.nim import MisereClass
    from graphgame.rules.position import Component, Position

_MOST_MOVES = 10_000
"""The largest number of winning moves that are listed without a graph."""


class Row(NamedTuple):
    """A row of the report: a position or its text, and its value, outcome and remoteness; an unknown one is None."""

    position: Any
    grundy: Value | None
    outcome: str | None
    remoteness: int | None


class Answer(NamedTuple):
    """Who wins a sum, and by which moves; or, without tokens, facts about the positions of a graph.

    Attributes
    ----------
    misere : bool
    winner : {"first", "second", "draw"} or None
        None without tokens.
    nim_sum : Value or None
    rows : callable
        ``rows(n)`` returns the first n rows, ``rows(None)`` all. They are the components of the sum; without tokens the
        positions that no move leads to or, if there are none, all positions.
    total : int
        The number of rows.
    moves : list of Move
        The winning moves.
    best : Move or None
        The move that wins fastest or loses latest.
    length : int or None
        The number of moves until the end, if both players always make the best move.
    counts : Counts or None
        The counts of the graph; None if there is no graph.
    misere_class : MisereClass or None
        The class of a position of Nim under misère play.
    format : str or None
        The format of the graph file.
    drawing : sequence of Move
        If the sum is a draw: the moves that keep it a draw.
    sources : bool
        Without tokens: whether the rows are the positions that no move leads to.
    complete : bool
        Whether ``moves`` are all winning moves.
    by_table : bool
        Whether a table of values gave the answer, in place of a graph.
    searchable : bool
        Whether ``graphgame search`` can find the values that are missing.
    loopy : bool
        Whether play need not end.
    unplayed : int or None
        None, or the limit on the number of positions: the sum has more, so its length is not known.
    positions : sequence of tuple
        Without tokens, in a small graph: all positions, each with the options that its winning moves lead to.
    """

    misere: bool
    winner: str | None
    nim_sum: Value | None
    rows: Callable[[int | None], list[Row]]
    total: int
    moves: list[Move]
    best: Move | None = None
    length: int | None = None
    counts: Counts | None = None
    misere_class: MisereClass | None = None
    format: str | None = None
    drawing: Sequence[Move] = ()
    sources: bool = True
    complete: bool = True
    by_table: bool = False
    searchable: bool = False
    loopy: bool = False
    unplayed: int | None = None
    positions: Sequence[tuple[Row, list[Any]]] = ()


def answer_of_solution(solution: Solution, position: Position | None = None) -> Answer:
    """Return the answer from a solved graph; ``position`` is the position from which it was explored, if there is one.

    If the sum of its tokens has too many positions to be played out, theorems give the winner.
    """
    has_tokens = solution.tokens is not None
    numbers = _components(solution)
    best, length, unplayed = _course(solution) if has_tokens else (None, None, None)
    winner: str | None = None
    moves: list[Move] = []
    drawing: list[Move] = []
    complete = True
    if position is not None and not position.is_answered_by(solution):
        labels: dict[Any, Any] = {str(label): label for label in solution.graph}
        moves_of_texts, complete = _moves(position)
        moves = [Move(index, labels.get(start, start), labels.get(end, end)) for index, start, end in moves_of_texts]
        winner = position.winner
    elif has_tokens:
        winner, moves, drawing = solution.winner, solution.winning_moves(), solution.drawing_moves()
    return Answer(
        solution.misere,
        winner=winner,
        nim_sum=solution.nim_sum if has_tokens and not solution.misere else None,
        rows=lambda limit: _rows(solution, numbers[:limit]),
        total=len(numbers),
        moves=moves,
        complete=complete,
        best=best,
        length=length,
        counts=solution.counts(),
        misere_class=_misere_class(position),
        format=solution.graph.graph.get("format"),
        drawing=drawing,
        unplayed=unplayed,
        positions=() if has_tokens or len(solution.graph) > MOST_ROWS else _positions(solution),
        sources=has_tokens or not len(numbers) or not len(solution.graph.predecessor_rows.row(int(numbers[0]))),
    )


def answer_of_position(position: Position) -> Answer:
    """Return the answer for a sum from theorems, tables and the graphs of single components."""
    normal = not position.misere
    outcome = position.theorem.outcome
    position = position if outcome is None else position.small()
    by_table = position.table.answers
    values = _values(position, outcome) if normal else (position.grundy,) if by_table else ()
    has_all_values = normal and None not in values
    without_value = [part for part, value in zip(position.components, values, strict=False) if value is None]
    if has_all_values or not normal:
        moves, complete = _moves(position)
    else:
        moves, complete = _in_texts(position, position.theorem.first_moves(_MOST_MOVES)), False

    def rows(limit: int | None) -> list[Row]:
        pairs = zip_longest(position.components[:limit], values[:limit])
        return [Row(position.text(c), v, outcome_alone(c, v), None) for c, v in pairs]

    def outcome_alone(component: Component, value: Value | None) -> str | None:
        """Return the outcome of a component by itself."""
        if value is not None:
            return outcome_of(value)
        # Theorems give the outcome of a sum with a component of unknown value only if all others have nim-sum 0. So the
        # outcome of this component is that of the sum.
        return outcome if normal else type(position)([component], misere=True).theorem.outcome

    return Answer(
        position.misere,
        winner=position.winner,
        nim_sum=position.nim_sum if has_all_values else None,
        rows=rows,
        total=len(position.components),
        moves=moves,
        complete=complete,
        misere_class=_misere_class(position),
        by_table=by_table and None not in values,
        loopy=position.loopy,
        searchable=normal
        and bool(without_value)
        and "compiled search" in offers("job")
        and all(map(registered("compiled search"), without_value)),
    )


def _moves(position: Position) -> tuple[list[Move], bool]:
    """Return (moves, complete): winning moves with texts as start and end; ``complete`` is True if these are all."""
    moves, complete = position.first_winning_moves(_MOST_MOVES)
    return _in_texts(position, moves), complete


def _in_texts(position: Position, moves: Sequence[Move]) -> list[Move]:
    text: Any = position.text
    return [Move(index, text(start), text(end)) for index, start, end in moves]


def _values(position: Position, outcome: str | None) -> tuple[Value | None, ...]:
    """Return the values of the components.

    If a graph is too large but the outcome is known, return the values that theorems give, and None for all other
    components.
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


def _components(solution: Solution) -> np.ndarray:
    """Return the vertex numbers of the tokens; without tokens those of the sources or, if there are none, all."""
    graph = solution.graph
    if solution.tokens is None:
        sources = np.flatnonzero(graph.predecessor_rows.lengths() == 0)
        return sources if len(sources) else np.arange(len(graph))
    return solution.components


def _positions(solution: Solution) -> list[tuple[Row, list[Any]]]:
    """Return a pair for each position that is not a sum: its row, and the P-positions among its options."""
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


def _course(solution: Solution) -> tuple[Move | None, int | None, int | None]:
    """Return (best move, length of the game, None), or (None, None, limit) if the sum is too large."""
    try:
        return solution.best_move(), solution.sum_remoteness(), None
    except LimitError:
        return None, None, solution.product_limit
