"""What a picture shows, in words: its caption, and its text for those who do not see it."""

from __future__ import annotations

import numpy as np

from graphgame.errors import LimitError
from graphgame.explanation.text import amount, capped, component_move_text, outcome_word, printable, verdict_text
from graphgame.explanation.texts import translate
from graphgame.export.picture import GraphPicture
from graphgame.loopy.solution import LoopySolution
from graphgame.solution import Solution

__all__ = ["alternative", "extent", "size_words"]

_MOST_NAMED = 3
_MOST_MOVES = 5


def extent(picture: GraphPicture) -> str:
    """Return the caption: who wins, where the tokens are shown; of a part, how much it is."""
    solution, graph = picture.solution, picture.graph
    if picture.chosen is None and picture.counts is None and solution is None:
        return translate(", ").join([amount(len(graph), "vertex"), amount(graph.number_of_edges(), "edge")])
    parts = [translate("misère play")] if solution is not None and solution.play == "misere" else []
    if solution is not None and _tells_winner(picture):
        return translate(", ").join(parts + _winner(solution))
    return translate(", ").join([*parts, _neighbourhood(picture) if picture.centres else _positions(picture)])


def alternative(picture: GraphPicture) -> tuple[str, str]:
    """Return a title and a description: how many positions there are, who wins, and by which moves."""
    caption = extent(picture)
    title = " ".join(printable(line, 0) for line in (picture.options.title or caption).splitlines())
    facts = [caption, *([_positions(picture), *_winning_moves(picture)] if _tells_winner(picture) else [])]
    return title, ". ".join(fact for fact in facts if fact != title)


def _tells_winner(picture: GraphPicture) -> bool:
    return picture.solution is not None and picture.shows_all_tokens and not picture.centres


def _neighbourhood(picture: GraphPicture) -> str:
    around = tuple(picture.options.around)
    names = ", ".join(capped(map(printable, around), len(around), _MOST_NAMED))
    return translate(
        "around {names}, at most 1 move away: {positions}"
        if picture.options.steps == 1
        else "around {names}, at most {count} moves away: {positions}",
        names=names,
        count=f"{picture.options.steps:,}",
        positions=_positions(picture),
    )


def _positions(picture: GraphPicture) -> str:
    """Return how many positions are shown, and of which outcomes."""
    every, shown = _masks(picture)
    total = amount(int(every.sum()), "position")
    parts = [total]
    if picture.chosen is not None:
        parts = [translate("{count} of {positions}", count=f"{int(shown.sum()):,}", positions=total)]
    parts[0] += _stands_for(picture)
    if picture.outcome is not None:
        outcomes = "PND" if isinstance(picture.solution, LoopySolution) else "PN"
        parts += [f"{int((picture.outcome[shown] == outcome).sum()):,} {outcome_word(outcome)}" for outcome in outcomes]
    return translate(", ").join(parts)


def size_words(picture: GraphPicture, numbers: np.ndarray) -> str:
    """Return how many positions and how many sums are among some vertices, in words."""
    sums = 0 if picture.graph.sums is None else int(np.count_nonzero(picture.graph.sums[numbers]))
    positions = amount(len(numbers) - sums, "position") + _stands_for(picture)
    return translate(", ").join([positions, amount(sums, "sum")]) if sums else positions


def _stands_for(picture: GraphPicture) -> str:
    """Return for how many equal positions those shown stand, in words; nothing where equal ones are not merged."""
    if picture.counts is None:
        return ""
    counts = picture.counts[_masks(picture)[1]]
    if not (counts > 1).any():
        return translate(" (no two are equal)")
    return translate(" that stand for {count}", count=f"{int(counts.sum()):,}")


def _masks(picture: GraphPicture) -> tuple[np.ndarray, np.ndarray]:
    """Return which vertices are positions, and which of these are shown."""
    every = np.ones(len(picture.graph), np.bool_) if picture.graph.sums is None else ~picture.graph.sums
    return every, every if picture.chosen is None else every & picture.chosen


def _winner(solution: Solution) -> list[str]:
    count = len(solution.tokens or ())
    try:
        winner = verdict_text(solution.winner)
    except LimitError:
        return [amount(count, "token")]
    if count <= 1 or solution.play == "misere":
        return [winner]
    return [winner, translate("nim-sum {total}", total=solution.nim_sum)]


def _winning_moves(picture: GraphPicture) -> list[str]:
    moves = [component_move_text(move) for move in picture.winning_moves[:_MOST_MOVES]]
    if len(picture.tokens or ()) == 1:
        moves = [f"{printable(move.start)} -> {printable(move.end)}" for move in picture.winning_moves[:_MOST_MOVES]]
    if not moves:
        return []
    return [
        translate("Winning moves: {moves}", moves="; ".join(capped(moves, len(picture.winning_moves), _MOST_MOVES)))
    ]
