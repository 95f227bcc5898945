"""Explanations by the theorem of a game, which states its reason beside its rules: ``12 mod 4 = 0``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice
from types import NoneType

from graphgame.errors import LimitError, Message, joined
from graphgame.explanation.lines import indented
from graphgame.explanation.sentences import sentence
from graphgame.explanation.text import MOST_ROWS, perhaps_more, printable, verdict_text, wrapped
from graphgame.explanation.texts import render
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.component import Component, split_component
from graphgame.rules.faults import blamed, returned
from graphgame.rules.nim import Heap
from graphgame.rules.position import Position
from graphgame.rules.ruleset import Ruleset

_ANSWERED = 3


def explain_by_theorem(position: Position) -> list[str]:
    r"""Say why the winner of one component wins in normal play, by the theorem of its game; nothing if there is none.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> print(*explain_by_theorem(parse_position("bash{3}(13)")), sep="\n")
    first player wins: 13 mod 4 = 1
    <BLANKLINE>
    winning moves:
      13 -> 12, take 1: 12 mod 4 = 0
    <BLANKLINE>
    The theorem, and whose it is: graphgame games bash
    """
    if len(position.components) != 1 or position.play != "normal":
        return []
    (component,) = position.components
    reason, outcome = reason_of(component), position.outcome_by_theorem
    if reason is None or outcome is None or not can_move(component):
        return []
    verdict = verdict_text("first" if outcome == "N" else "second")
    lines = wrapped(sentence("because", verdict=verdict, reason=render(reason)))
    lines += ["", *(_winning(position) if outcome == "N" else _answers(position))]
    if component.name in CATALOGUE:
        lines += ["", sentence("theorem_of", name=component.name)]
    return lines


def reason_of(component: Component) -> str | None:
    """Return the reason that the rules of a component state for its position, or for the values of its parts."""
    rules, parts = component.ruleset, [part.position for part in split_component(component)]
    if any(rules.decided(part) for part in parts):
        return None
    with blamed(component.name, Message("the reason"), component.position):
        reasons = [returned(rules.reason(part), str, NoneType) for part in parts]
        stated = None not in reasons and (len(parts) == 1 or None not in map(rules.closed_form, parts))
    return joined(dict.fromkeys(map(str, reasons))) if stated and parts else None


def move_with_reason(position: Position, start: Component, end: Component) -> str:
    """Return a move, how much it takes from a heap, and the reason of what it leaves."""
    shown = " -> ".join(printable(position.text(part), 0) for part in (start, end))
    heap = isinstance(start.ruleset, Heap) and isinstance(start.position, int) and isinstance(end.position, int)
    if heap:
        shown = sentence("taking", move=shown, taken=start.position - end.position)  # type: ignore[operator]
    reason = reason_of(end)
    return sentence("because", verdict=shown, reason=render(reason)) if reason else shown


def can_move(component: Component) -> bool:
    """Tell whether a component has a move."""
    if component.ruleset.decided(component.position):
        return False
    try:
        with blamed(component.name, Message("the options"), component.position):
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
    with blamed(component.name, Message("the winning options"), at):
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
