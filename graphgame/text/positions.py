"""Explain why a position has its value and why the winner wins, by the first of these ways that applies.

1. A compound: by the theory of its kind.
2. In normal play, one component with a theorem: by the reason that its rules state, such as ``12 mod 4 = 0``.
3. Nim, a position with a large graph or, in normal play, a sum with such a reason for a part: by the parts' values.
4. Any other position: by its graph.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice
from operator import xor
from types import NoneType

from graphgame.errors import LimitError, Message, ParameterError, checks_parameters, joined
from graphgame.graph.gamegraph import GameLike
from graphgame.registry import offer_for
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.nim import Heap, misere_nim_class
from graphgame.rules.position import Position
from graphgame.rules.rule_errors import returned, rule_errors
from graphgame.rules.ruleset import Component, Ruleset, split_component
from graphgame.rules.sources import named_game
from graphgame.rules.strategies import first_moves, vertices
from graphgame.solution.results import Decisive, Move
from graphgame.solution.solve import Solution, solution_of
from graphgame.text.languages import render
from graphgame.text.named_vertices import named_vertex
from graphgame.text.sentences import indented, sentence
from graphgame.text.text import (
    MOST_ROWS,
    ShownText,
    capped,
    perhaps_more,
    printable,
    sum_columns,
    verdict_text,
    wrapped,
)
from graphgame.text.values import derivations, explain_solution

_MOST_ANSWERED = 3
"""The largest number of the loser's moves for which an answer is shown."""


def explain_by_theorem(position: Position) -> list[str]:
    r"""Return lines that explain, by the theorem of its game, who wins a position of one component in normal play.

    The list is empty for a sum, under misère play, without a move, or if the rules give no reason or no outcome.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(*explain_by_theorem(parse_position("bash{3}(13)")), sep="\n")
    first player wins: 13 mod 4 = 1
    <BLANKLINE>
    winning moves:
      13 -> 12, take 1: 12 mod 4 = 0
    <BLANKLINE>
    The theorem and its source: graphgame games bash
    """
    if len(position.components) != 1 or position.misere:
        return []
    (component,) = position.components
    reason, outcome = reason_of(component), position.theorem.outcome
    if reason is None or outcome is None or not can_move(component):
        return []
    verdict = verdict_text("first" if outcome == "N" else "second")
    lines = wrapped(_with_reason(verdict, reason))
    lines += ["", *(_winning(position) if outcome == "N" else _answers(position))]
    if component.name in CATALOGUE:
        lines += ["", sentence("theorem_of", name=component.name)]
    return lines


def reason_of(component: Component) -> str | None:
    """Return the reason that the rules of a component state for its outcome or value, such as "12 mod 4 = 0".

    If the component is a sum, join the reasons of its parts. None if play in a part is over, if a part has no reason,
    or if one of several parts has no closed form.
    """
    rules, parts = component.ruleset, [part.position for part in split_component(component)]
    if any(rules.decided(part) for part in parts):
        return None
    with rule_errors(component.name, Message("the reason for a result"), component.position):
        reasons = [returned(rules.reason(part), str, NoneType) for part in parts]
        stated = None not in reasons and (len(parts) == 1 or None not in map(rules.closed_form, parts))
    return joined(dict.fromkeys(map(str, reasons))) if stated and parts else None


def move_with_reason(position: Position, start: Component, end: Component) -> str:
    """Return one text: a move in ``position``, the number taken from a heap, and the rules' reason for ``end``."""
    move = " -> ".join(printable(position.text(part), 0) for part in (start, end))
    is_heap = isinstance(start.ruleset, Heap) and isinstance(start.position, int) and isinstance(end.position, int)
    if is_heap:
        move = sentence("taking", move=move, taken=start.position - end.position)  # type: ignore[operator]
    return _with_reason(move, reason_of(end))


def can_move(component: Component) -> bool:
    """Return whether a component has a move: False if play in it is over, True if it has too many moves to list."""
    if component.ruleset.decided(component.position):
        return False
    try:
        with rule_errors(component.name, Message("the options"), component.position):
            return next(iter(component.ruleset.options(component.position)), None) is not None
    except LimitError:
        return True


def _winning(position: Position) -> list[str]:
    (start,) = position.components
    ends, complete = first_moves(_ends(position), MOST_ROWS + 1)
    shown = ends[:MOST_ROWS]
    lines = [indented(move_with_reason(position, start, start._replace(position=end))) for end in shown]
    return [sentence("winning_moves"), *lines, *([] if complete else [perhaps_more()])]


def _ends(position: Position) -> Iterator[Hashable]:
    """Yield the options that the winning moves lead to, for a position of one component.

    With a closed form, or if :func:`_has_small_graph`, they come from the values; otherwise from ``winning_options``.
    """
    (component,) = position.components
    rules, start = component.ruleset, component.position
    with rule_errors(component.name, Message("the winning options"), start):
        if rules.closed_form(start) is None and not _has_small_graph(position):
            yield from vertices(rules, rules.winning_options(start))
        else:
            yield from (move.end.position for move in position.iter_winning_moves())  # type: ignore[attr-defined]


def _has_small_graph(position: Position) -> bool:
    """Return whether the graph of ``small()`` gives the value; False if the rules override ``winning_options``."""
    (component,) = position.components
    if type(component.ruleset).winning_options is not Ruleset.winning_options:
        return False
    try:
        return position.small().nim_sum is not None
    except LimitError:
        return False


def _answers(position: Position) -> list[str]:
    """Return lines with the winner's answers to the loser's first three options, as far as answers can be found."""
    (start,) = position.components
    lines: list[str] = []
    with suppress(LimitError):  # the explanation is complete with fewer answers, or none
        options = islice(start.ruleset.options(start.position), _MOST_ANSWERED)
        replies = (_reply(Position([start._replace(position=option)])) for option in options)
        lines.extend(map(indented, filter(None, replies)))
    return [sentence("all_answered" if lines else "all_lose_by_theorem"), *lines]


def _reply(after: Position) -> str:
    """Return the text of a winning move from the position ``after``; "" if it is a sum or has no winning move."""
    if len(after.components) != 1 or after.decided:
        return ""
    (start,) = after.components
    end = next(_ends(after), None)
    return "" if end is None else move_with_reason(after, start, start._replace(position=end))


_MOST_MOVES = 10_000


def explain_sum(position: Position) -> ShownText:
    """Explain by the values of the components why the winner of a sum wins, and list the winning moves.

    Under misère play, only sums of Nim heaps are explained. For other sums, say who wins and list the winning moves if
    a theorem or a table gives the winner; otherwise raise a ParameterError. Raise a LimitError if a graph is too large.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(explain_sum(parse_position("nim(14,21,39)")))
    first player wins: the nim-sum is 60
    <BLANKLINE>
      14  14  001110
      21  21  010101
      39  39  100111
              ------
          60  111100
    <BLANKLINE>
    60 is 111100 in binary, and 39 has a 1 in its top column. A heap of n can be reduced to n xor 60 if that
    is less than n; then the nim-sum is 0, and the first player can make it 0 again after every answer.
    <BLANKLINE>
    winning moves:
      component 3: leave 39 xor 60 = 27, so take 12
    """
    heaps = position.theorem.heaps
    if not position.misere:
        return ShownText(_in_normal_play(position))
    if heaps is None and (position.theorem.outcome is not None or position.table.answers):
        moves = _moves(position.small()) if position.winner == "first" else [sentence("all_lose_by_theorem")]
        return ShownText([verdict_text(position.winner, misere=True), "", *moves])
    if heaps is None:
        raise ParameterError(
            "under misère play, a position is explained by its heaps only if all its components are heaps "
            "of Nim: solve its graph, and explain that solution"
        )
    return ShownText(_misere_nim(position, heaps))


def _in_normal_play(position: Position) -> list[str]:
    if position.theorem.outcome is not None:
        position = position.small()
    try:
        total = position.nim_sum
    except LimitError:
        if position.theorem.outcome is None:
            raise
        return _without_values(position)
    names = [printable(position.text(component)) for component in position.components]
    if isinstance(total, Decisive):
        values = position.theorem.values if total in position.theorem.values else position.values
        chosen = [part for part, value in zip(position.components, values, strict=True) if value is total]
        is_over, verdict = position.decided is not None, verdict_text(position.winner)
        name = printable(position.text(next((part for part in chosen if not can_move(part)), chosen[0])))
        head: list[str] = [sentence("over" if is_over else "at_once", verdict=verdict, name=name)]
        return head if is_over else [*head, "", *_moves(position)]
    columns = [indented(line) for line in sum_columns([*zip(names, position.values, strict=True)], total)]
    verdict = verdict_text("first" if total else "second")
    head = [sentence("nim_sum", verdict=verdict, total=total), "", *columns, ""]
    if reasons := _reasons(position):
        head += [*reasons, ""]
    if not any(map(can_move, position.components)):
        return [*head, sentence("no_move")]
    if not total:
        kind = "or_end" if position.decides else "component" if position.theorem.heaps is None else "heap"
        return [*head, *wrapped(sentence(f"every_{kind}"))]
    top = 1 << total.bit_length() - 1
    chosen = next(name for name, value in zip(names, position.values, strict=True) if value & top)
    rule = sentence("rule_of_values" if position.theorem.heaps is None else "rule_of_nim", total=total)
    kind = "top_of_or_end" if position.decides else "top_of"
    reason = sentence(kind, total=total, binary=f"{total:b}", name=chosen, rule=rule)
    answers = [sentence("first_or_end")] if position.decides else []
    return [*head, *wrapped(reason), *answers, "", *_moves(position)]


def _reasons(position: Position) -> list[str]:
    """Return a line for each of the first MOST_ROWS components if its rules state a reason for its value."""
    reasons = ((part, reason_of(part)) for part in position.components[:MOST_ROWS])
    return [
        indented(_with_reason(printable(position.text(part)), reason)) for part, reason in reasons if reason is not None
    ]


def _without_values(position: Position) -> list[str]:
    """Return lines on why the first player wins a position in which the value of one component is not known."""
    component = position.components[position.theorem.values.index(None)]
    name = printable(position.text(component))
    reason = sentence("by_theorem" if len(position.components) == 1 else "by_theorem_of_one", name=name)
    if component.name in CATALOGUE:
        reason = sentence("and_theorem", reason=reason, name=component.name)
    listed = ((_numbered(position, move), reason_of(move.end)) for move in position.theorem.first_moves(MOST_ROWS))  # type: ignore[arg-type]
    moves = [indented(_with_reason(move, reason)) for move, reason in listed]
    winning = ["", sentence("winning_moves"), *moves, perhaps_more()] if moves else []
    reasons = _reasons(position)
    return [verdict_text("first"), "", *([*reasons, ""] if reasons else []), *wrapped(reason), *winning]


def _numbered(position: Position, move: Move) -> str:
    """Return the text of a move with the number of its component, from 1 on."""
    ends = [printable(position.text(part)) for part in (move.start, move.end)]  # type: ignore[arg-type]
    return sentence("named", component=move.component + 1, move=" -> ".join(ends))


def _misere_nim(position: Position, heaps: Sequence[int]) -> list[str]:
    kind = misere_nim_class(heaps)
    first = position.outcome == "N"
    columns = [indented(line) for line in sum_columns([(str(heap), heap) for heap in heaps], reduce(xor, heaps, 0))]
    return [
        verdict_text("first" if first else "second", misere=True),
        "",
        *columns,
        "",
        sentence("class", name=kind, meaning=sentence(f"is_{kind}")),
        sentence(f"why_{kind}" if any(heaps) else "no_heap"),
        *(["", *_moves(position)] if first and any(heaps) else []),
    ]


def _moves(position: Position) -> list[str]:
    moves, complete = position.first_winning_moves(_MOST_MOVES)
    lines = _effects(position, moves)
    shown = capped(lines, len(moves), MOST_ROWS) if complete else [*islice(lines, MOST_ROWS), perhaps_more()]
    return [sentence("winning_moves"), *shown]


def _effects(position: Position, moves: Iterable[Move]) -> Iterable[str]:
    heaps = position.theorem.heaps
    misere = position.misere
    total = reduce(xor, heaps, 0) if heaps is not None else 0 if misere else position.nim_sum
    for move in moves:
        index, _, end = move
        if heaps is not None:
            heap, left = heaps[index], end.position  # type: ignore[attr-defined]
            rest = f"{heap} xor {total} = {left}" if heap ^ total == left else str(left)
            yield indented(sentence("left", component=index + 1, rest=rest, taken=heap - left))
        elif misere or isinstance(total, Decisive):
            yield indented(_numbered(position, move))
        else:
            before = position.values[index]
            changed = sentence("changed", move=_numbered(position, move), before=before, after=before ^ total)
            yield indented(_with_reason(changed, reason_of(end)))  # type: ignore[arg-type]


def _with_reason(line: str, reason: str | None) -> str:
    return sentence("because", verdict=line, reason=render(reason)) if reason else line


@checks_parameters
def explain(
    game: GameLike,
    position: Hashable | None = None,
    *,
    depth: int = 2,
    genus: object | None = None,
    quotient: object | None = None,
    run_rules: bool = False,
) -> ShownText:
    """Derive a value step by step, or say why the winner of the tokens' sum wins.

    Parameters
    ----------
    game : GameLike
        See :class:`GameGraph`. A game is solved first, unless it is a position that theorems explain without its graph.
    position : hashable, optional
        The position to explain, or its text, also as the rules of the game write it. By default, explain the sum of the
        tokens and the position of each token; without tokens, the positions that no move leads to (if none, all).
    depth : int
        Also derive the values of the positions that at most this many moves reach from the explained positions.
    genus : GenusTable, optional
        Under misère play: also give the genus of each position, and its canonical form if that is short.
    quotient : MisereQuotient, optional
        Under misère play: also give the element of each position, and how the outcome follows from the element. The
        quotient is checked first.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Returns
    -------
    ShownText
        Text in lines; its method ``to_latex()`` makes tables. The values of at most forty positions are derived, each
        once. A label is shown on one line, shortened if it is long, with control characters escaped.

    Raises
    ------
    UnknownPositionError
        The position is not a vertex of the graph, or the quotient is not for all of the graph's positions.
    ParameterError
        The depth is negative; a genus or a quotient is given for normal play or cycles; or the quotient is wrong.
    LimitError
        The graph of a position is needed and too large; or, under misère play, the product of several tokens is.
    CycleError, NotAGameError, ParseError, RulesetError, OSError
        As for :func:`solve`.

    Notes
    -----
    The time is proportional to the number of options of the positions shown, besides solving the game.

    Examples
    --------
    >>> explain("nim(3)", 2, depth=0)
    position 2 has value 2; its options:
      value 0: 0
      value 1: 1
      value 2: none, so mex{0, 1} = 2
      an N-position: the move to 0 leaves a P-position
    """
    loaded = named_game(game, run_rules=run_rules)
    if isinstance(loaded, Position) and (position, genus, quotient) == (None, None, None):
        return explain_position(loaded, depth)
    solution, source = solution_of(loaded), loaded if isinstance(loaded, Position) else None
    if position is not None:
        position = named_vertex(solution.graph, position, source)
    return explain_solution(solution, position, depth=depth, genus=genus, quotient=quotient)


def explain_position(
    position: Position, depth: int = 2, solved: Callable[[], Solution | None] | None = None
) -> ShownText:
    """Explain why the winner of a position wins, in the first way of this module's list that applies.

    ``depth`` is that of :func:`explain`. ``solved()`` returns the solution of the position's graph, or None to explain
    the position without its graph; the default is :meth:`Position.quick_solution`.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(explain_position(parse_position("nim(2)")).splitlines()[0])
    first player wins: the nim-sum is 2
    """
    if len(position.components) == 1:
        (component,) = position.components
        if explain_compound := offer_for("explanation", component.ruleset):
            explanation: ShownText = explain_compound(component.ruleset, component.position, position.misere)
            return explanation
    solution = None if position.theorem.heaps is not None else (solved or position.quick_solution)()
    if by_theorem := explain_by_theorem(position):
        return ShownText([*by_theorem, *([] if solution is None else ["", *derivations(solution, depth)])])
    if solution is None:
        return explain_sum(position)
    if not position.misere and any(map(reason_of, position.components)):
        return ShownText([*explain_sum(position).lines, "", *derivations(solution, depth)])
    return explain_solution(solution, depth=depth)
