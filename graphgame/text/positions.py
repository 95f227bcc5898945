"""Why a position has its value and why the winner wins, by the first of these that applies.

The theorem of a game states its reason beside its rules (``12 mod 4 = 0``); a compound follows from what the theory
takes from its components; a sum, and misère Nim, from the values of its components alone; anything else from its graph.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import xor
from types import NoneType

from graphgame.errors import LimitError, Message, ParameterError, joined
from graphgame.graph.gamegraph import GameLike
from graphgame.registry import offer_for
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.component import Component, split_component
from graphgame.rules.faults import returned, rule_errors
from graphgame.rules.nim import Heap, misere_nim_class
from graphgame.rules.position import Position
from graphgame.rules.ruleset import Ruleset
from graphgame.rules.sources import named_game
from graphgame.solution.results import Decisive, Move
from graphgame.solution.solve import Solution, solution_of
from graphgame.text.languages import render
from graphgame.text.naming import named_vertex
from graphgame.text.sentences import indented, sentence
from graphgame.text.text import (
    MOST_ROWS,
    ShownText,
    binary_columns,
    capped,
    perhaps_more,
    printable,
    verdict_text,
    wrapped,
)
from graphgame.text.values import derivations, explain_solution

_ANSWERED = 3


def explain_by_theorem(position: Position) -> list[str]:
    r"""Say why the winner of one component wins in normal play, by the theorem of its game; nothing if there is none.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(*explain_by_theorem(parse_position("bash{3}(13)")), sep="\n")
    first player wins: 13 mod 4 = 1
    <BLANKLINE>
    winning moves:
      13 -> 12, take 1: 12 mod 4 = 0
    <BLANKLINE>
    The theorem, and whose it is: graphgame games bash
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
    """Return the reason that the rules of a component state for its position, or for the values of its parts."""
    rules, parts = component.ruleset, [part.position for part in split_component(component)]
    if any(rules.decided(part) for part in parts):
        return None
    with rule_errors(component.name, Message("the reason"), component.position):
        reasons = [returned(rules.reason(part), str, NoneType) for part in parts]
        stated = None not in reasons and (len(parts) == 1 or None not in map(rules.closed_form, parts))
    return joined(dict.fromkeys(map(str, reasons))) if stated and parts else None


def move_with_reason(position: Position, start: Component, end: Component) -> str:
    """Return the text of a move: what it takes from a heap, and why what it leaves is won or lost."""
    shown = " -> ".join(printable(position.text(part), 0) for part in (start, end))
    heap = isinstance(start.ruleset, Heap) and isinstance(start.position, int) and isinstance(end.position, int)
    if heap:
        shown = sentence("taking", move=shown, taken=start.position - end.position)  # type: ignore[operator]
    return _with_reason(shown, reason_of(end))


def can_move(component: Component) -> bool:
    """Tell whether a component has a move."""
    if component.ruleset.decided(component.position):
        return False
    try:
        with rule_errors(component.name, Message("the options"), component.position):
            return next(iter(component.ruleset.options(component.position)), None) is not None
    except LimitError:
        return True


def _winning(position: Position) -> list[str]:
    (start,) = position.components
    lines: list[str] = []
    more = False
    try:
        ends = islice(_ends(position), MOST_ROWS + 1)
        lines.extend(indented(move_with_reason(position, start, start._replace(position=end))) for end in ends)
    except LimitError:
        more = True
    if more or len(lines) > MOST_ROWS:
        lines[MOST_ROWS:] = [perhaps_more()]
    return [sentence("winning_moves"), *lines]


def _ends(position: Position) -> Iterator[Hashable]:
    """Yield what the winning moves leave, without values where these take a graph."""
    (component,) = position.components
    rules, at = component.ruleset, component.position
    with rule_errors(component.name, Message("the winning options"), at):
        if rules.closed_form(at) is None and not _has_few_options(position):
            yield from rules.winning_options(at)
        else:
            yield from (move.end.position for move in position.iter_winning_moves())  # type: ignore[attr-defined]


def _has_few_options(position: Position) -> bool:
    """Tell whether the values are soon found from the graph, where the rules do not name winning moves."""
    (component,) = position.components
    if type(component.ruleset).winning_options is not Ruleset.winning_options:
        return False
    try:
        return position.small().nim_sum is not None
    except LimitError:
        return False


def _answers(position: Position) -> list[str]:
    """Say how some moves of the loser are answered."""
    (start,) = position.components
    lines: list[str] = []
    try:
        afters = (
            Position([start._replace(position=option)])
            for option in islice(start.ruleset.options(start.position), _ANSWERED)
        )
        lines.extend(indented(reply) for after in afters if (reply := _reply(after)))
    except LimitError:
        pass
    return [sentence("all_answered" if lines else "all_lose_by_theorem"), *lines]


def _reply(after: Position) -> str:
    """Return the answer to a move, that of one component; nothing where it is a move in a sum."""
    if len(after.components) != 1:
        return ""
    (start,) = after.components
    end = next(_ends(after), None)
    return "" if end is None else move_with_reason(after, start, start._replace(position=end))


_MOST_MOVES = 10_000


def explain_sum(position: Position) -> ShownText:
    """Say why the winner of a sum wins, and give every winning move with its numbers.

    Misère play is explained for heaps of Nim; of other games it is their solution that is explained.

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
    60 is 111100 in binary, and 39 has a 1 in its top column. A heap a can be left at a xor 60 where that is
    less than a; then the nim-sum is 0, and the first player can make it 0 again after every answer.
    <BLANKLINE>
    winning moves:
      component 3: leave 39 xor 60 = 27, so take 12
    """
    heaps = position.theorem.heaps
    if not position.misere:
        return ShownText(_in_normal_play(position))
    if heaps is None and (position.theorem.outcome is not None or position.table.answers):
        told = _moves(position.small()) if position.winner == "first" else [sentence("all_lose_by_theorem")]
        return ShownText([verdict_text(position.winner, misere=True), "", *told])
    if heaps is None:
        raise ParameterError("misère play is explained by its values for heaps of Nim only: explain the solution")
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
        name = next(name for name, value in zip(names, position.values, strict=True) if value is total)
        over, verdict = position.decided is not None, verdict_text(position.winner)
        head: list[str] = [sentence("over" if over else "at_once", verdict=verdict, name=name)]
        return head if over else [*head, "", *_moves(position)]
    columns = [indented(line) for line in binary_columns([*zip(names, position.values, strict=True)], total)]
    verdict = verdict_text("first" if total else "second")
    head = [sentence("nim_sum", verdict=verdict, total=total), "", *columns, ""]
    if reasons := _reasons(position):
        head += [*reasons, ""]
    if not any(map(can_move, position.components)):
        return [*head, sentence("no_move")]
    if not total:
        return [*head, *wrapped(sentence("every_component" if position.theorem.heaps is None else "every_heap"))]
    top = 1 << total.bit_length() - 1
    chosen = next(name for name, value in zip(names, position.values, strict=True) if value & top)
    rule = sentence("rule_of_values" if position.theorem.heaps is None else "rule_of_nim", total=total)
    reason = sentence("top_of", total=total, binary=f"{total:b}", name=chosen, rule=rule)
    return [*head, *wrapped(reason), "", *_moves(position)]


def _reasons(position: Position) -> list[str]:
    """Return the reasons that the components' rules state for their values."""
    stated = ((part, reason_of(part)) for part in position.components[:MOST_ROWS])
    return [
        indented(_with_reason(printable(position.text(part)), reason)) for part, reason in stated if reason is not None
    ]


def _without_values(position: Position) -> list[str]:
    place = position.theorem.values.index(None)
    component = position.components[place]
    name = printable(position.text(component))
    reason = sentence("by_theorem" if len(position.components) == 1 else "by_theorem_of_one", name=name)
    if component.name in CATALOGUE:
        reason = sentence("and_theorem", reason=reason, name=component.name)
    moves = _effects_by_theorem(position)
    named = ["", sentence("winning_moves"), *moves, perhaps_more()] if moves else []
    stated = _reasons(position)
    words = wrapped(reason)
    return [verdict_text("first"), "", *([*stated, ""] if stated else []), *words, *named]


def _effects_by_theorem(position: Position) -> list[str]:
    """Return the winning moves that the theorem of a component names, with the reason of what each leaves."""
    moves = position.theorem.first_moves(MOST_ROWS)
    return [indented(_with_reason(_named(position, move), reason_of(move.end))) for move in moves]  # type: ignore[arg-type]


def _named(position: Position, move: Move) -> str:
    """Return a move with the number of its component."""
    shown = [printable(position.text(part)) for part in (move.start, move.end)]  # type: ignore[arg-type]
    return sentence("named", component=move.component + 1, move=" -> ".join(shown))


def _misere_nim(position: Position, heaps: Sequence[int]) -> list[str]:
    kind = misere_nim_class(heaps)
    first = position.outcome == "N"
    columns = [indented(line) for line in binary_columns([(str(heap), heap) for heap in heaps], reduce(xor, heaps, 0))]
    return [
        verdict_text("first" if first else "second", misere=True),
        "",
        *columns,
        "",
        sentence("class", kind=kind, what=sentence(f"is_{kind}")),
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
    total = 0 if misere and heaps is None else reduce(xor, position.values if heaps is None else heaps, 0)
    for move in moves:
        place, _, end = move
        if heaps is not None:
            yield indented(_left(place, heaps[place], end.position, total))  # type: ignore[attr-defined]
        elif misere or isinstance(total, Decisive):
            yield indented(_named(position, move))
        else:
            before = position.values[place]
            changed = sentence("changed", move=_named(position, move), before=before, after=before ^ total)
            yield indented(_with_reason(changed, reason_of(end)))  # type: ignore[arg-type]


def _with_reason(said: str, reason: str | None) -> str:
    return sentence("because", verdict=said, reason=render(reason)) if reason else said


def _left(place: int, heap: int, end: int, total: int) -> str:
    """Return how a heap is left, with the xor where that is the reason."""
    rest = f"{heap} xor {total} = {end}" if heap ^ total == end else str(end)
    return sentence("left", component=place + 1, rest=rest, taken=heap - end)


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
    ParameterError
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
        raise ParameterError("invalid depth {depth}: expected 0 or more", depth)
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
    >>> from graphgame.rules.notation import parse_position
    >>> print(explain_position(parse_position("nim(2)")).splitlines()[0])
    first player wins: the nim-sum is 2
    """
    if len(position.components) == 1:
        (component,) = position.components
        if explained := offer_for("explanation", component.ruleset):
            words: ShownText = explained(component.ruleset, component.position, position.misere)
            return words
    solution = None if position.theorem.heaps is not None else (solved or position.quick_solution)()
    if told := explain_by_theorem(position):
        return ShownText([*told, *([] if solution is None else ["", *derivations(solution, depth)])])
    if solution is None:
        return explain_sum(position)
    if not position.misere and any(map(reason_of, position.components)):
        return ShownText([*explain_sum(position).lines, "", *derivations(solution, depth)])
    return explain_solution(solution, depth=depth)
