"""Explanations of sums by their components' values alone, and of misère Nim: no graph is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import wrap

from graphgame.errors import LimitError
from graphgame.explanation.text import MOST_ROWS, binary_columns, capped, printable
from graphgame.results import Move, Play
from graphgame.rules.misere_nim import MISERE_CLASSES, MisereClass, misere_nim_class
from graphgame.rules.position import Position

__all__ = ["explain_sum"]

_WIDTH = 105
_MOST_MOVES = 10_000

_WHY: dict[MisereClass, str] = {
    "S0": "Each move takes a 1, so the players take turns to the end, and the first player takes the last.",
    "S1": "The first player takes from the one large heap and leaves an odd number of 1s: a position of class S0.",
    "S2": "The first player makes the nim-sum 0, as in normal play: that leaves class T2.",
    "T0": "Each move takes a 1, so the players take turns to the end, and the second player takes the last.",
    "T2": "Every move makes the nim-sum nonzero and leaves a heap of 2 or more: class S1 or S2, which the other wins.",
}


def explain_sum(position: Position, play: Play = "normal") -> str:
    """Say why the winner of a sum wins, and give every winning move with its numbers.

    Parameters
    ----------
    position : Position
    play : {"normal", "misere"}
        Misère play is explained for heaps of Nim.

    Raises
    ------
    LimitError
        A component's value needs an explicit graph that is too large.
    ValueError
        Misère play of other games: explain their solution.

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
    if play == "normal":
        return "\n".join(_in_normal_play(position))
    if heaps is None:
        raise ValueError("misère play is explained by its values for heaps of Nim only: explain the solution")
    return "\n".join(_misere_nim(position, heaps))


def _in_normal_play(position: Position) -> list[str]:
    if position.outcome_by_theorem() is not None:
        position = position.small()
    try:
        total = position.grundy()
    except LimitError:
        if position.outcome_by_theorem() is None:
            raise
        return _without_values(position)
    names = [printable(position.text(component)) for component in position.components]
    columns = [f"  {line}" for line in binary_columns([*zip(names, position.values, strict=True)], total)]
    winner = "first" if total else "second"
    head = [f"{winner} player wins: the nim-sum is {total}", "", *columns, ""]
    if not total:
        return [*head, *_why_second_wins(position)]
    top = 1 << total.bit_length() - 1
    chosen = next(name for name, value in zip(names, position.values, strict=True) if value & top)
    reason = (
        f"{total} is {total:b} in binary, and {chosen} has a 1 in its top column. {_rule(position, total)}; "
        "then the nim-sum is 0, and the first player can make it 0 again after every answer."
    )
    return [*head, *wrap(reason, _WIDTH, break_long_words=False), "", *_moves(position, "normal")]


def _without_values(position: Position) -> list[str]:
    place = position.values_by_theorem.index(None)
    component = position.components[place]
    others = "" if len(position.components) == 1 else ", and the nim-sum of all other components is 0"
    reason = (
        f"{printable(position.text(component))} is an N-position by the theorem of its game{others}. Its value takes "
        f"the explicit graph. The theorem: graphgame games {component.name}"
    )
    return ["first player wins", "", *wrap(reason, _WIDTH, break_long_words=False)]


def _rule(position: Position, total: int) -> str:
    if position.nim_heaps is not None:
        return f"A heap a can be left at a xor {total} where that is less than a"
    return f"A component of value a has an option of value a xor {total} where that is less than a"


def _why_second_wins(position: Position) -> list[str]:
    what = "the size of one heap" if position.nim_heaps is not None else "the value of one component"
    reason = (
        f"Every move changes {what}, so the nim-sum is no longer 0 and the second player can make it 0 again: "
        "the second player always has an answer, so the last move."
    )
    return wrap(reason, _WIDTH)


def _misere_nim(position: Position, heaps: Sequence[int]) -> list[str]:
    kind = misere_nim_class(heaps)
    first = position.outcome("misere") == "N"
    total = 0
    for heap in heaps:
        total ^= heap
    columns = [f"  {line}" for line in binary_columns([(str(heap), heap) for heap in heaps], total)]
    why = _WHY[kind] if any(heaps) else "No heap is left: the player who cannot move wins."
    return [
        f"{'first' if first else 'second'} player wins under misère play",
        "",
        *columns,
        "",
        f"class {kind}: {MISERE_CLASSES[kind]}.",
        why,
        *(["", *_moves(position, "misere")] if first and any(heaps) else []),
    ]


def _moves(position: Position, play: Play) -> list[str]:
    moves, complete = position.first_winning_moves(_MOST_MOVES, play)
    lines = _effects(position, moves)
    shown = capped(lines, len(moves), MOST_ROWS) if complete else [*islice(lines, MOST_ROWS), "  ... and perhaps more"]
    return ["winning moves:", *shown]


def _effects(position: Position, moves: Iterable[Move]) -> Iterable[str]:
    heaps = position.nim_heaps
    for place, start, end in moves:
        if heaps is None:
            before = position.values[place]
            shown = [printable(position.text(part)) for part in (start, end)]  # type: ignore[arg-type]
            yield f"  component {place + 1}: {' -> '.join(shown)}, value {before} -> {before ^ position.grundy()}"
        else:
            yield f"  component {place + 1}: {_left(heaps[place], end.position, position.grundy())}"  # type: ignore[attr-defined]


def _left(heap: int, end: int, total: int) -> str:
    """Return how a heap is left, with the xor where that is the reason."""
    reason = f"{heap} xor {total} = {end}" if heap ^ total == end else str(end)
    return f"leave {reason}, so take {heap - end}"
