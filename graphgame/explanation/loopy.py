"""Explanations in a graph with cycles: moves that are undone, values that stay infinite, sums that absorb."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import reduce
from operator import xor

from graphgame.explanation.sentences import indented, sentence
from graphgame.explanation.text import MOST_ROWS, capped, component_move_text, printable, sum_columns, verdict_text
from graphgame.results import Loopy, Move, Options, outcome_of
from graphgame.solution import LoopySolution, Solution
from graphgame.sprague_grundy import mex
from graphgame.sums import parts_below

_MOST_REPLIES = 8


def undoing(solution: Solution, position: Hashable, options: Options) -> list[str]:
    """Say how the moves to larger values are undone, or which one is not; nothing where play must end.

    Nor where values do not combine: under misère play of a graph with sum vertices.
    """
    if not isinstance(solution, LoopySolution) or solution.birthday[position] is not None:
        return []
    if solution.play == "misere" and solution.graph.sums is not None:
        return []
    least = mex(option.grundy for option in options if isinstance(option.grundy, int))
    larger = [
        option.position
        for option in options
        if isinstance(option.grundy, Loopy) or (isinstance(option.grundy, int) and option.grundy > least)
    ]
    if isinstance(options.value, Loopy):
        return [_not_undone(solution, larger, least)]
    lines = (line for option in larger for line in _undone(solution, option, least))
    return capped(lines, len(larger), _MOST_REPLIES)


def _not_undone(solution: LoopySolution, larger: list[Hashable], least: int) -> str:
    graph = solution.graph
    going_on = (option for option in larger if graph.out_degrees[graph.number_of(option)])
    option = next(option for option in going_on if _reply(solution, option, least) is None)
    return sentence("not_undone", name=printable(option), value=least)


def _undone(solution: LoopySolution, option: Hashable, value: int) -> Iterator[str]:
    reply = _reply(solution, option, value)
    if reply is None:
        yield sentence("ends_game", name=printable(option))
    else:
        yield sentence("undone", name=printable(option), reply=reply, value=value)


def _reply(solution: LoopySolution, position: Hashable, value: int) -> str | None:
    """Name the move from a position, or in a part of a sum, to this value that has the smallest counter."""
    vertex, labels = solution.graph.number_of(position), solution.graph.labels
    replies = list(_replies(solution, vertex, value))
    if not replies:
        return None
    part, option = min(replies, key=lambda reply: int(solution.counter.array[reply[1]]))
    end = printable(labels[option])
    return sentence("reply_to", name=end) if part == vertex else f"{printable(labels[part])} -> {end}"


def _replies(solution: LoopySolution, vertex: int, value: int) -> Iterator[tuple[int, int]]:
    """Yield the moves (component, option) after which a vertex has this value."""
    components = list(parts_below(solution.graph, vertex))
    values = solution.grundy.take(components)
    for place, component in enumerate(components):
        rest = reduce(xor, values[:place] + values[place + 1 :], 0)
        row = solution.graph.option_rows.row(component)
        after = zip(row.tolist(), solution.grundy.take(row), strict=True)
        yield from ((component, option) for option, theirs in after if theirs ^ rest == value)


def loopy_sum(solution: Solution) -> list[str]:
    """Say who wins the sum of the tokens of a graph with cycles, and how."""
    tokens, total = solution.tokens or (), solution.nim_sum
    values = [solution.grundy[token] for token in tokens]
    columns = [indented(line) for line in sum_columns([*zip(map(printable, tokens), values, strict=True)], total)]
    head = [sentence("sum_of_values", verdict=verdict_text(solution.winner), total=total), "", *columns, ""]
    return [*head, *_why(values, total), *_moves(solution)]


def _why(values: Sequence[int | Loopy], total: int | Loopy) -> list[str]:
    infinite = sum(isinstance(value, Loopy) for value in values)
    if infinite > 1:
        return [sentence("two_infinite")]
    if infinite:
        holds = sentence("holds" if outcome_of(total) == "N" else "holds_not")
        return [sentence("smith", total=total, holds=holds)]
    return [sentence("finite_first" if total else "finite_second")]


def _moves(solution: Solution) -> list[str]:
    for key, moves in (("winning_moves", solution.winning_moves()), ("drawing_moves", solution.drawing_moves())):
        if moves:
            return [
                "",
                sentence(key),
                *capped((_effect(solution, move) for move in moves), len(moves), MOST_ROWS),
            ]
    return []


def _effect(solution: Solution, move: Move) -> str:
    before, after = solution.grundy[move.start], solution.grundy[move.end]
    return indented(sentence("becomes", move=component_move_text(move), before=before, after=after))
