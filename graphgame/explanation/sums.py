"""Explanations of sums by their components' values alone, and of misère Nim: no graph is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import islice
from operator import xor

from graphgame.errors import LimitError, Message
from graphgame.explanation.latex import ShownText
from graphgame.explanation.lines import indented
from graphgame.explanation.sentences import sentence
from graphgame.explanation.text import MOST_ROWS, binary_columns, capped, perhaps_more, printable, verdict_text, wrapped
from graphgame.explanation.texts import render
from graphgame.explanation.theorems import can_move, reason_of
from graphgame.results import Decisive, Move
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.misere_nim import misere_nim_class
from graphgame.rules.position import Position

_MOST_MOVES = 10_000


def explain_sum(position: Position) -> ShownText:
    """Say why the winner of a sum wins, and give every winning move with its numbers.

    Misère play is explained for heaps of Nim; of other games it is their solution that is explained.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
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
    heaps = position.nim_heaps
    if position.play == "normal":
        return ShownText(_in_normal_play(position))
    if heaps is None and (position.outcome_by_theorem is not None or position.has_table):
        told = _moves(position.small()) if position.winner == "first" else [sentence("all_lose_by_theorem")]
        return ShownText([verdict_text(position.winner, "misere"), "", *told])
    if heaps is None:
        raise ValueError(Message("misère play is explained by its values for heaps of Nim only: explain the solution"))
    return ShownText(_misere_nim(position, heaps))


def _in_normal_play(position: Position) -> list[str]:
    if position.outcome_by_theorem is not None:
        position = position.small()
    try:
        total = position.nim_sum
    except LimitError:
        if position.outcome_by_theorem is None:
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
        return [*head, *_why_second_wins(position)]
    top = 1 << total.bit_length() - 1
    chosen = next(name for name, value in zip(names, position.values, strict=True) if value & top)
    rule = sentence("rule_of_values" if position.nim_heaps is None else "rule_of_nim", total=total)
    reason = sentence("top_of", total=total, binary=f"{total:b}", name=chosen, rule=rule)
    return [*head, *wrapped(reason), "", *_moves(position)]


def _reasons(position: Position) -> list[str]:
    """Return the reasons that the components' rules state for their values."""
    stated = ((part, reason_of(part)) for part in position.components[:MOST_ROWS])
    return [
        indented(sentence("because", verdict=printable(position.text(part)), reason=render(reason)))
        for part, reason in stated
        if reason is not None
    ]


def _without_values(position: Position) -> list[str]:
    place = position.values_by_theorem.index(None)
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
    lines: list[str] = []
    for place, start, end in position.moves_by_theorem(MOST_ROWS):
        shown = " -> ".join(printable(position.text(part)) for part in (start, end))  # type: ignore[arg-type]
        reason = reason_of(end)  # type: ignore[arg-type]
        lines.append(indented(_with_reason(sentence("named", component=place + 1, move=shown), reason)))
    return lines


def _why_second_wins(position: Position) -> list[str]:
    return wrapped(sentence("every_component" if position.nim_heaps is None else "every_heap"))


def _misere_nim(position: Position, heaps: Sequence[int]) -> list[str]:
    kind = misere_nim_class(heaps)
    first = position.outcome == "N"
    columns = [indented(line) for line in binary_columns([(str(heap), heap) for heap in heaps], reduce(xor, heaps, 0))]
    return [
        verdict_text("first" if first else "second", "misere"),
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
    heaps = position.nim_heaps
    misere = position.play == "misere"
    total = 0 if misere and heaps is None else reduce(xor, position.values if heaps is None else heaps, 0)
    for place, start, end in moves:
        if heaps is None:
            shown = [printable(position.text(part)) for part in (start, end)]  # type: ignore[arg-type]
            move = sentence("named", component=place + 1, move=" -> ".join(shown))
            if misere or isinstance(total, Decisive):
                yield indented(move)
                continue
            before, reason = position.values[place], reason_of(end)  # type: ignore[arg-type]
            changed = sentence("changed", move=move, before=before, after=before ^ total)
            yield indented(_with_reason(changed, reason))
        else:
            rest = end.position  # type: ignore[attr-defined]
            yield indented(_left(place, heaps[place], rest, total))


def _with_reason(said: str, reason: str | None) -> str:
    return sentence("because", verdict=said, reason=render(reason)) if reason else said


def _left(place: int, heap: int, end: int, total: int) -> str:
    """Return how a heap is left, with the xor where that is the reason."""
    rest = f"{heap} xor {total} = {end}" if heap ^ total == end else str(end)
    return sentence("left", component=place + 1, rest=rest, taken=heap - end)
