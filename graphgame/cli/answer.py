"""What ``graphgame solve`` reports: taken from a solved graph, or from theorems where the graph is too large."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphgame.errors import LimitError
from graphgame.results import Counts, Move
from graphgame.solution import Play, Solution

if TYPE_CHECKING:
    from graphgame.games.misere_nim import MisereClass
    from graphgame.position import Component, Position

__all__ = ["Answer", "Row", "answer_of_position", "answer_of_solution"]


class Row(NamedTuple):
    """A component: its text or position, and what is known of it."""

    position: Any
    grundy: int | None
    outcome: str | None
    remoteness: int | None


@dataclass
class Answer:
    """Who wins and how; ``winner`` is None where nothing is asked about, ``counts`` where there is no graph."""

    play: Play
    winner: str | None
    nim_sum: int | None
    rows: Callable[[int | None], list[Row]]
    total: int
    moves: list[Move]
    best: Move | None = None
    length: int | None = None
    counts: Counts | None = None
    misere_class: MisereClass | None = None
    format: str | None = None


def answer_of_solution(solution: Solution, position: Position | None = None) -> Answer:
    """Return what a solved graph tells; ``position`` is what it was explored from."""
    asked = solution.tokens is not None
    numbers = _components(solution)
    best, length = _course(solution) if asked else (None, None)
    return Answer(
        solution.play,
        winner=solution.winner if asked else None,
        nim_sum=solution.nim_sum if asked and solution.play == "normal" else None,
        rows=lambda limit: _rows(solution, numbers[:limit]),
        total=len(numbers),
        moves=solution.winning_moves() if asked else [],
        best=best,
        length=length,
        counts=solution.counts(),
        misere_class=_misere_class(position, solution.play),
        format=solution.graph.graph.get("format"),
    )


def answer_of_position(position: Position, play: Play) -> Answer:
    """Return what theorems tell, and the graph of the components that have none."""
    normal = play == "normal"
    values = position.values if normal else [None] * len(position.components)

    def rows(limit: int | None) -> list[Row]:
        pairs = zip(position.components[:limit], values, strict=False)
        return [Row(position.text(c), v, None if v is None else "N" if v else "P", None) for c, v in pairs]

    def shown(component: Component) -> str:
        return position.text(component)

    return Answer(
        play,
        winner="second" if position.outcome(play) == "P" else "first",
        nim_sum=position.grundy() if normal else None,
        rows=rows,
        total=len(position.components),
        moves=[Move(c, shown(start), shown(end)) for c, start, end in position.winning_moves(play)],  # type: ignore[arg-type]
        misere_class=_misere_class(position, play),
    )


def _misere_class(position: Position | None, play: Play) -> MisereClass | None:
    heaps = position.nim_heaps if position is not None and play == "misere" else None
    if heaps is None:
        return None
    from graphgame.games.misere_nim import misere_nim_class

    return misere_nim_class(heaps)


def _components(solution: Solution) -> np.ndarray:
    """Return the vertex numbers of the tokens, or of the positions that no move leads to."""
    graph = solution.graph
    if solution.tokens is None:
        return np.flatnonzero(graph.predecessors_of.lengths() == 0)
    return np.array([graph.number_of(token) for token in solution.tokens], np.int64)


def _rows(solution: Solution, numbers: np.ndarray) -> list[Row]:
    try:
        remoteness: list[int | None] = solution.remoteness.array[numbers].tolist()
    except LimitError:
        remoteness = [None] * len(numbers)
    values, outcomes = solution.grundy.array[numbers].tolist(), solution.outcome.array[numbers].tolist()
    return list(map(Row, solution.graph.labels.take(numbers), values, outcomes, remoteness))


def _course(solution: Solution) -> tuple[Move | None, int | None]:
    """Return the best move and the length of the game; unknown where the sum is too large to play out."""
    try:
        return solution.best_move(), solution.sum_remoteness()
    except LimitError:
        return None, None
