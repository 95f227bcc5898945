"""Why a position has its value and why the winner wins: by a theory of its rules, by values, or from its graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from graphgame.errors import OptionError
from graphgame.explanation.compounds import explain_compound
from graphgame.explanation.latex import ShownText
from graphgame.explanation.naming import named_vertex
from graphgame.explanation.sums import explain_sum
from graphgame.explanation.theorems import explain_by_theorem, reason_of
from graphgame.explanation.values import derivations, explain_solution
from graphgame.games.sources import named_game
from graphgame.graph import GameLike
from graphgame.rules.position import Position
from graphgame.solution import Solution, solution_of
from graphgame.theory.compounds import Compound

if TYPE_CHECKING:
    from graphgame.theory.misere import GenusTable, MisereQuotient

__all__ = ["ShownText", "explain", "explain_position"]


def explain(
    game: GameLike,
    position: Hashable | None = None,
    *,
    depth: int = 2,
    genus: GenusTable | None = None,
    quotient: MisereQuotient | None = None,
    run_rules: bool = False,
) -> ShownText:
    """Derive a value step by step, or say why the winner of the tokens' sum wins.

    Parameters
    ----------
    game : GameLike
        See :class:`GameGraph`; what is no solution is solved, unless theorems tell of a position without its graph.
    position : hashable, optional
        The position to explain, or its text, also as the rules read it. The default is the sum of the tokens, then
        each token's position; without tokens, the positions that no move leads to.
    depth : int
        How many moves below these the derivations go down.
    genus : GenusTable, optional
        Under misère play: say the genus of each position, and its canonical form where that is short.
    quotient : MisereQuotient, optional
        Under misère play: say the element of each position, and how the outcome follows; it is checked first.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Returns
    -------
    ShownText
        Lines of text, which a prompt shows as they are, and ``to_latex()`` as tables; at most forty positions are
        derived, each once. Labels are shown on one line, cut where long and with control characters escaped.

    Raises
    ------
    UnknownPositionError
        The position is not a vertex of the graph, or the quotient is not for all of the graph's positions.
    OptionError
        The depth is negative; a genus or a quotient is given for normal play, or a quotient that does not hold.
    LimitError
        A position's graph is needed and too large; or misère play of several tokens, and their product is.
    NotAGameError, ParseError, OSError
        As for :class:`GameGraph`.

    Notes
    -----
    Takes time in proportion to the options of the positions shown.

    Examples
    --------
    >>> explain("nim(3)", 2, depth=0)
    position 2 has value 2; its options:
      value 0: 0
      value 1: 1
      value 2: none, so mex{0, 1} = 2
      an N-position: the move to 0 leaves a P-position
    """
    if depth < 0:
        raise OptionError("invalid depth {depth}: expected 0 or more", depth)
    named = named_game(game, run_rules=run_rules)
    if isinstance(named, Position) and (position, genus, quotient) == (None, None, None):
        return explain_position(named, depth)
    solution, source = solution_of(named), named if isinstance(named, Position) else None
    if position is not None:
        position = named_vertex(solution.graph, position, source)
    return explain_solution(solution, position, depth=depth, genus=genus, quotient=quotient)


def explain_position(
    position: Position, depth: int = 2, solved: Callable[[], Solution | None] | None = None
) -> ShownText:
    """Say why the winner wins: by the theorem of the rules, by the rule of Nim, from the graph, or from the values.

    ``solved`` returns the solution of its graph; None where that is large and theorems tell of it.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> print(explain_position(parse_position("nim(2)")).splitlines()[0])
    first player wins: the nim-sum is 2
    """
    if len(position.components) == 1 and isinstance(rules := position.components[0].ruleset, Compound):
        at: Any = position.components[0].position
        return explain_compound(rules, at, position.play)
    solution = None if position.nim_heaps is not None else (solved or position.quick_solution)()
    if told := explain_by_theorem(position):
        return ShownText([*told, *([] if solution is None else ["", *derivations(solution, depth)])])
    if solution is None:
        return explain_sum(position)
    if position.play == "normal" and any(map(reason_of, position.components)):
        return ShownText([*explain_sum(position).lines, "", *derivations(solution, depth)])
    return explain_solution(solution, depth=depth)
