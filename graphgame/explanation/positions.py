"""Why the winner of a position wins: by a theory of its rules, by its components' values, or from its graph."""

from __future__ import annotations

from typing import Any

from graphgame.explanation.compounds import explain_compound
from graphgame.explanation.sums import explain_sum
from graphgame.explanation.values import explain
from graphgame.results import Play
from graphgame.rules.position import Position
from graphgame.solution import solve
from graphgame.theory.compounds import Compound

__all__ = ["explain_by_theory", "explain_position"]


def explain_position(position: Position, play: Play = "normal") -> str:
    """Say why the winner wins: from the components' values, or from the graph under misère play.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> print(explain_position(parse_position("nim(2)")).splitlines()[0])
    first player wins: the nim-sum is 2
    """
    if (told := explain_by_theory(position, play)) is not None:
        return told
    if play == "normal" or position.nim_heaps is not None:
        return explain_sum(position, play)
    return explain(solve(position.graph(texts=True), play=play))


def explain_by_theory(position: Position, play: Play = "normal") -> str | None:
    """Say why the winner wins in the words of the one component's rules; None where they have none."""
    if len(position.components) != 1:
        return None
    ruleset = position.components[0].ruleset
    at: Any = position.components[0].position
    if isinstance(ruleset, Compound):
        return explain_compound(ruleset, at, play)
    return ruleset.explanation(at, play)
