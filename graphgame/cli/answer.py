"""What ``graphgame solve`` reports: taken from a solved graph, or from theorems where the graph is too large."""

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
"""Winning moves that are listed where there is no graph."""


class Row(NamedTuple):
    """A component: its text or position, and what is known of it."""

    position: Any
    grundy: Value | None
    outcome: str | None
    remoteness: int | None


class Answer(NamedTuple):
    """Who wins and how; ``winner`` is None where nothing is asked about, ``counts`` where there is no graph.

    Where nothing is asked about the rows are the positions that no move leads to, ``sources``, or else all positions.
    Not ``complete`` are winning moves that are too many to list. Without a graph a table of values may have told, and
    a search may find the values that are not known.
    In a ``loopy`` game play need not end. Where sums with more positions than ``unplayed`` would have to be
    played out, nobody knows how long play lasts. Where nothing is asked about, ``positions`` are those of a small
    graph, each with its winning moves.
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
    searched: bool = False
    loopy: bool = False
    unplayed: int | None = None
    positions: Sequence[tuple[Row, list[Any]]] = ()


def answer_of_solution(solution: Solution, position: Position | None = None) -> Answer:
    """Return what a solved graph tells; ``position`` is what it was explored from.

    Theorems say who wins a sum that is too large to be played out.
    """
    asked = solution.tokens is not None
    numbers = _components(solution)
    best, length, unplayed = _course(solution) if asked else (None, None, None)
    winner: str | None = None
    moves: list[Move] = []
    drawing: list[Move] = []
    complete = True
    if position is not None and not position.is_answered_by(solution):
        labels: dict[Any, Any] = {str(label): label for label in solution.graph}
        found, complete = _moves(position)
        moves = [Move(place, labels.get(start, start), labels.get(end, end)) for place, start, end in found]
        winner = position.winner
    elif asked:
        winner, moves, drawing = solution.winner, solution.winning_moves(), solution.drawing_moves()
    return Answer(
        solution.misere,
        winner=winner,
        nim_sum=solution.nim_sum if asked and not solution.misere else None,
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
        positions=() if asked or len(solution.graph) > MOST_ROWS else _positions(solution),
        sources=asked or not len(numbers) or not len(solution.graph.predecessor_rows.row(int(numbers[0]))),
    )


def answer_of_position(position: Position) -> Answer:
    """Return what theorems tell, and the graph of the components that have none."""
    normal = not position.misere
    told = position.theorem.outcome
    position = position if told is None else position.small()
    by_table = position.table.answers
    values = _values(position, told) if normal else (position.grundy,) if by_table else ()
    known = normal and None not in values
    unknown = [part for part, value in zip(position.components, values, strict=False) if value is None]
    if known or not normal:
        moves, complete = _moves(position)
    else:
        moves, complete = _in_texts(position, position.theorem.first_moves(_MOST_MOVES)), False

    def rows(limit: int | None) -> list[Row]:
        pairs = zip_longest(position.components[:limit], values[:limit])
        return [Row(position.text(c), v, alone(c, v), None) for c, v in pairs]

    def alone(component: Component, value: Value | None) -> str | None:
        """Return a component's outcome; in normal play one of unknown value is what makes the sum won."""
        if value is not None:
            return outcome_of(value)
        return told if normal else type(position)([component], misere=True).theorem.outcome

    return Answer(
        position.misere,
        winner=position.winner,
        nim_sum=position.nim_sum if known else None,
        rows=rows,
        total=len(position.components),
        moves=moves,
        complete=complete,
        misere_class=_misere_class(position),
        by_table=by_table and None not in values,
        loopy=position.loopy,
        searched=normal
        and bool(unknown)
        and "compiled search" in offers("job")
        and all(map(registered("compiled search"), unknown)),
    )


def _moves(position: Position) -> tuple[list[Move], bool]:
    """Return winning moves between texts, and whether they are all."""
    moves, complete = position.first_winning_moves(_MOST_MOVES)
    return _in_texts(position, moves), complete


def _in_texts(position: Position, moves: Sequence[Move]) -> list[Move]:
    text: Any = position.text
    return [Move(place, text(start), text(end)) for place, start, end in moves]


def _values(position: Position, told: str | None) -> tuple[Value | None, ...]:
    """Return the components' values; where who wins is told, only those that are found soon."""
    try:
        return position.values
    except LimitError:
        if told is None:
            raise
        return position.theorem.values


def _misere_class(position: Position | None) -> MisereClass | None:
    heaps = position.theorem.heaps if position is not None and position.misere else None
    if heaps is None:
        return None
    from graphgame.rules.nim import misere_nim_class

    return misere_nim_class(heaps)


def _components(solution: Solution) -> np.ndarray:
    """Return the vertex numbers of the tokens, or of the positions that no move leads to, or else of all."""
    graph = solution.graph
    if solution.tokens is None:
        sources = np.flatnonzero(graph.predecessor_rows.lengths() == 0)
        return sources if len(sources) else np.arange(len(graph))
    return solution.components


def _positions(solution: Solution) -> list[tuple[Row, list[Any]]]:
    """Return all positions, without sums, and the moves that win from each."""
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
    """Return the best move, the length of the game, and the limit where the sum is too large to play out."""
    try:
        return solution.best_move(), solution.sum_remoteness(), None
    except LimitError:
        return None, None, solution.product_limit
