"""Hints, and the reason why a position of a match is won."""

from __future__ import annotations

from itertools import islice

from graphgame.errors import LimitError, Message
from graphgame.explanation.positions import explain, explain_position
from graphgame.explanation.texts import translate
from graphgame.play.advice import Adviser
from graphgame.play.moves import distinct_moves, legal_moves, move_text
from graphgame.results import Move
from graphgame.rules.position import Position
from graphgame.rules.ruleset import MAX_TRIED
from graphgame.solution import Cycles, solve

_HINTS = {
    ("N", True): Message("{move} wins, in at most 1 move"),
    ("N", False): Message("{move} wins, in at most {count} moves"),
    ("P", True): Message("every move loses against perfect play; {move} holds out longest, at most 1 move"),
    ("P", False): Message("every move loses against perfect play; {move} holds out longest, at most {count} moves"),
}


def hint(adviser: Adviser, position: Position) -> str:
    """Return the best move of a position in words.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> from graphgame.play import adviser
    >>> for text in ("nim(3,5)", "nim(2,2)"):
    ...     position = parse_position(text)
    ...     print(hint(adviser(position), position))
    5 -> 3 wins, in at most 7 moves
    every move loses against perfect play; 2 -> 1 holds out longest, at most 4 moves

    Moves that lose at once are named by their numbers in the list:

    >>> position = parse_position("cutting(4x2)")
    >>> print(hint(adviser(position), position))
    4x2 -> 2x2 + 2x2 wins, in at most 3 moves
    these moves lose at once: 1, 3
    """
    move = adviser.best_move(position)
    if move is None:
        return translate("there is no move")
    lines = [_advice(adviser, position, move)]
    numbered = enumerate(distinct_moves(position), 1)
    if losing := [str(number) for number, made in numbered if _loses_at_once(position, made)]:
        lines.append(translate("these moves lose at once: {numbers}", numbers=translate(", ").join(losing)))
    return "\n".join(lines)


def _loses_at_once(position: Position, move: Move) -> bool:
    """Tell whether a move ends play and loses, or leaves one that ends play and wins."""
    if not any(component.ruleset.decides for component in position.components):
        return False
    after = position.after(move)
    answers = islice(legal_moves(after), MAX_TRIED)
    return after.decided == "N" or any(after.after(answer).decided == "P" for answer in answers)


def _advice(adviser: Adviser, position: Position, move: Move) -> str:
    outcome, length = adviser.verdict(position)
    text = move_text(position, move)
    if outcome == "D":
        return translate("nobody can force a win; {move} keeps the draw", move=text)
    if length is None:
        return translate("{move} wins" if outcome == "N" else "every move loses against perfect play", move=text)
    return translate(_HINTS[outcome, length == 1], move=text, count=f"{length:,}")


def why(position: Position, cycles: Cycles = "error") -> str:
    """Say who wins a position and why: the mex of its options' values, or the nim-sum of its components'.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> print(why(parse_position("kayles(2)")))
    position 2 has value 2; its options:
      value 0: 0
      value 1: 1
      value 2: none, so mex{0, 1} = 2
      an N-position: the move to 0 leaves a P-position
    """
    if position.nim_heaps is not None:
        return explain_position(position)
    try:
        graph = position.bounded().graph(texts=True)
    except LimitError:
        return explain_position(position)
    (alone, *others) = graph.tokens or (None, None)
    return explain(solve(graph, play=position.play, cycles=cycles), None if others else alone, depth=0)
