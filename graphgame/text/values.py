"""Explain by a solved graph why a position has its value, and why a player wins a sum.

In a graph with cycles the reasons also include: moves to larger values that a reply undoes, values that are infinite
because a move cannot be undone, and infinite values in a sum. A parameter ``values`` has the value of each token.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from graphgame.errors import ParameterError
from graphgame.registry import registered
from graphgame.solution.results import Decisive, Loopy, Move, Options, Value, outcome_of, sums_of_others, value_key
from graphgame.solution.solve import LoopySolution, Solution, sources
from graphgame.solution.sprague_grundy import mex
from graphgame.solution.sums import parts_below
from graphgame.text.sentences import indented, sentence
from graphgame.text.text import ShownText, capped, component_move_text, printable, sum_columns, verdict_text

_MOST_REPLIES = 8

Words: TypeAlias = Callable[..., Iterable[str]]
"""A function of one or more positions that returns lines about their sum, such as its genus."""


def undoing(solution: Solution, position: Hashable, options: Options) -> list[str]:
    """Return lines on the moves from a position to options of larger values.

    They name replies that undo these moves or, if the value of the position is infinite, a move without such a reply.
    The list is empty if play from the position must end, and under misère play if the graph has sum vertices.
    """
    if not isinstance(solution, LoopySolution) or solution.birthday[position] is not None:
        return []
    if solution.misere and solution.graph.sums is not None:
        return []
    least = mex(option.grundy for option in options if isinstance(option.grundy, int))
    larger = [
        option.position
        for option in options
        if isinstance(option.grundy, Loopy) or (isinstance(option.grundy, int) and option.grundy > least)
    ]
    replies = ((option, _loopy_reply(solution, option, least)) for option in larger)
    if isinstance(options.value, Loopy):
        graph = solution.graph
        option = next(o for o, reply in replies if reply is None and graph.out_degrees[graph.number_of(o)])
        return [sentence("not_undone", name=printable(option), value=least)]
    lines = (
        sentence("ends_game" if reply is None else "undone", name=printable(option), reply=reply, value=least)
        for option, reply in replies
    )
    return capped(lines, len(larger), _MOST_REPLIES)


def _loopy_reply(solution: LoopySolution, position: Hashable, value: int) -> str | None:
    """Return the text of a move that changes the value of a position to ``value``; None if there is no such move.

    At a sum vertex, the move is made in one part. Of several moves, choose the end with the least ``solution.counter``.
    """
    vertex, labels = solution.graph.number_of(position), solution.graph.labels
    components = list(parts_below(solution.graph, vertex))
    rests = sums_of_others(solution.grundy.take(components))
    replies: list[tuple[int, int]] = []
    for component, rest in zip(components, rests, strict=True):
        row = solution.graph.option_rows.row(component)
        after = zip(row.tolist(), solution.grundy.take(row), strict=True)
        replies += [(component, option) for option, own in after if own ^ rest == value]
    if not replies:
        return None
    part, option = min(replies, key=lambda reply: int(solution.counter.array[reply[1]]))
    end = printable(labels[option])
    return sentence("reply_to", name=end) if part == vertex else f"{printable(labels[part])} -> {end}"


def loopy_sum(solution: Solution) -> list[str]:
    """Return lines on who wins the sum of a loopy graph's tokens, why and how; the nim-sum must not be Decisive."""
    tokens, total = solution.tokens or (), solution.nim_sum
    values = [solution.grundy[token] for token in tokens]
    columns = [indented(line) for line in sum_columns([*zip(map(printable, tokens), values, strict=True)], total)]
    head = [sentence("sum_of_values", verdict=verdict_text(solution.winner), total=total), "", *columns, ""]
    loony = [sentence("loony_answers")] if not total and solution.graph.decided is not None else []
    return [*head, *_why(values, total), *loony, *_moves(solution)]


def _why(values: Sequence[int | Loopy], total: int | Loopy) -> list[str]:
    infinite = sum(isinstance(value, Loopy) for value in values)
    if infinite > 1:
        return [sentence("two_infinite")]
    if infinite:
        return [sentence("smith_first" if outcome_of(total) == "N" else "smith_draw", total=total)]
    return [sentence("finite_first" if total else "finite_second")]


def _moves(solution: Solution) -> list[str]:
    def effect(move: Move) -> str:
        before, after = solution.grundy[move.start], solution.grundy[move.end]
        return sentence("becomes", move=component_move_text(move), before=before, after=after)

    moves = _listed("winning_moves", solution.winning_moves(), effect)
    moves = moves or _listed("drawing_moves", solution.drawing_moves(), effect)
    return ["", *moves] if moves else []


def _listed(key: str, moves: Sequence[Move], shown: Callable[[Move], str] = component_move_text) -> list[str]:
    """Return the sentence ``key`` as a heading, and lines for moves, limited by :func:`capped`; [] without moves."""
    return [sentence(key), *capped(map(indented, map(shown, moves)), len(moves))] if moves else []


_MOST_DERIVATIONS = 40
_MOST_VALUES = 12
_MOST_NAMES = 8


def explain_solution(
    solution: Solution,
    position: Hashable | None = None,
    *,
    depth: int = 2,
    genus: object | None = None,
    quotient: object | None = None,
) -> ShownText:
    """Explain a solved game; the other parameters, and their defaults, are those of :func:`explain`."""
    words = _misere_words(solution, genus, quotient)
    if position is not None:
        return ShownText(derivations(solution, depth, [position], words))
    if solution.tokens is None:
        # Pass one more start than will be derived, so that the last line says that there are more.
        starts = solution.graph.labels.take(sources(solution.graph)[: _MOST_DERIVATIONS + 1])
        return ShownText(derivations(solution, depth, starts, words))
    why = _sum_in_normal_play
    if solution.misere:
        why = _sum_in_misere_play
    elif isinstance(solution, LoopySolution) and not isinstance(solution.nim_sum, Decisive):
        why = loopy_sum
    of_sum = [] if words is None or len(solution.tokens) < 2 else ["", *words(*solution.tokens)]
    derived = list(derivations(solution, depth, words=words))
    return ShownText([*why(solution), *of_sum, *(["", *derived] if derived else [])])


def _misere_words(solution: Solution, genus: object | None, quotient: object | None) -> Words | None:
    if genus is None and quotient is None:
        return None
    if not solution.misere or isinstance(solution, LoopySolution):
        raise ParameterError(
            "genus and quotient are only for misère play of a game without cycles: solve(graph, misere=True)"
        )
    words: Words = registered("words of misère play")(solution.graph, genus, quotient).lines
    return words


def derivations(
    solution: Solution, depth: int, starts: Iterable[Hashable] | None = None, words: Words | None = None
) -> Iterator[str]:
    """Yield lines that derive the values of at most 40 positions, breadth first from ``starts`` (default: the tokens).

    They are at most ``depth`` edges from a start. If there are more, the last line says so. For each position,
    the function ``words`` adds lines; it is called with the position or, for a sum vertex, with the parts.
    """
    queue = [(start, 0) for start in dict.fromkeys(solution.tokens or () if starts is None else starts)]
    queued = {start for start, _ in queue}
    for index, (position, level) in enumerate(queue):
        if index == _MOST_DERIVATIONS:
            yield from ("", sentence("derived", count=_MOST_DERIVATIONS))
            return
        options = solution.options(position)
        parts = [part.position for part in options] if options.kind == "sum" else [position]
        more = [] if words is None else words(*parts)
        head, *lines = [*_derivation(solution, position, options), *more]
        yield from [*([""] if index else []), head, *map(indented, lines)]
        if level < depth and len(queue) <= _MOST_DERIVATIONS:
            new = [option.position for option in options if option.position not in queued]
            queued.update(new)
            queue += [(option, level + 1) for option in dict.fromkeys(new)]


def _derivation(solution: Solution, position: Hashable, options: Options) -> list[str]:
    """Return the lines that derive the value of one position."""
    name, misere = printable(position), solution.misere
    if (decided := solution.graph.decided) is not None and decided[solution.graph.number_of(position)]:
        return [sentence(f"decided_{options.value.outcome}", name=name)]
    if options.value is Decisive.LOONY and options.kind == "position":
        end = next(option.position for option in options if option.grundy is Decisive.SUNNY)
        return [sentence("loony", name=name, end=printable(end))]
    if options.kind == "sum":
        return [sentence("sum", name=name, value=options.value), *_parts(options, misere)]
    if not options:
        reasons = ("end_misere", "end_won") if misere else ("end", "end_lost")
        return [sentence("position", name=name, value=options.value), *map(sentence, reasons)]
    head = sentence("with_options", name=name, value=options.value)
    return [head, *_by_value(options), *undoing(solution, position, options), _outcome(options)]


def _by_value(options: Options) -> list[str]:
    """Return lines in increasing order of values: one for each value among the options, and one for their mex."""
    names: dict[Value, list[str]] = {}
    for option in sorted(options, key=lambda option: value_key(option.grundy)):
        names.setdefault(option.grundy, []).append(printable(option.position))
    lines = [
        sentence(
            "left_out" if isinstance(value, Decisive) else "same_value",
            value=value,
            names="; ".join(capped(of_value, len(of_value), _MOST_NAMES)),
        )
        for value, of_value in names.items()
    ]
    finite = [value for value in names if isinstance(value, int)]
    least = mex(finite)
    gap = sentence("gap" if least == options.value else "gap_only", value=least, seen=f"{{{_shortened(finite)}}}")
    below, above = lines[:least], lines[least:]
    return [*capped(below, len(below)), gap, *capped(above, len(above))]


def _shortened(numbers: list[int]) -> str:
    shown = [str(number) for number in numbers]
    return ", ".join(shown if len(shown) <= _MOST_VALUES else [*shown[: _MOST_VALUES - 2], "...", shown[-1]])


def _outcome(options: Options) -> str:
    p_option = next((option for option in options if option.outcome == "P"), None)
    if p_option is None:
        if outcome_of(options.value) == "D":
            drawn = next(option for option in options if option.outcome == "D")
            return sentence("drawn", name=printable(drawn.position))
        return sentence("lost_at_once" if any(isinstance(option.grundy, Decisive) for option in options) else "lost")
    return sentence("won", name=printable(p_option.position))


def _parts(options: Options, misere: bool) -> list[str]:
    if not options:
        return [sentence("no_parts_misere" if misere else "no_parts")]
    if misere:
        names = capped((printable(part.position) for part in options), len(options))
        return [sentence("parts_misere", names=", ".join(names)), sentence("no_xor_misere")]
    rows = [(printable(part.position), part.grundy) for part in options]
    return [sentence("parts"), *sum_columns(rows, options.value)]


def _sum_in_normal_play(solution: Solution) -> list[str]:
    tokens, total = solution.tokens or (), solution.nim_sum
    values: list[Any] = [solution.grundy[token] for token in tokens]
    if isinstance(total, Decisive):
        return _sum_that_ends(solution, values)
    if len(tokens) == 1 and _count_of_moves(solution):
        return _one_in_normal_play(solution, values)
    columns = [indented(line) for line in sum_columns([*zip(map(printable, tokens), values, strict=True)], total)]
    head = [sentence("sum_of_tokens", verdict=verdict_text(solution.winner), total=total), "", *columns, ""]
    if total:
        return head + _why_first_wins(solution, values)
    if not _count_of_moves(solution):
        return [*head, sentence("no_move")]
    loony = [sentence("loony_answers")] if solution.graph.decided is not None else []
    return [*head, sentence("second_answers"), *loony, *_answers(solution, values)]


def _sum_that_ends(solution: Solution, values: list[Value]) -> list[str]:
    """Return lines on a sum in which play is over, or the first player wins by a move that ends play."""
    moves, verdict = solution.winning_moves(), verdict_text(solution.winner)
    decisive = zip(solution.tokens or (), values, strict=True)
    chosen = [token for token, value in decisive if value is solution.nim_sum]
    name = printable(next((token for token in chosen if not solution.options(token)), chosen[0]))
    if not moves:
        return [sentence("over", verdict=verdict, name=name)]
    head = sentence("at_once", verdict=verdict, name=name)
    return [head, "", *_listed("winning_moves", moves, partial(component_move_text, alone=len(values) == 1))]


def _one_in_normal_play(solution: Solution, values: list[int]) -> list[str]:
    """Return lines on why the player to move wins or loses from a single position, without a nim-sum."""
    (token,) = solution.tokens or ()
    facts = {"verdict": verdict_text(solution.winner), "name": printable(token), "total": values[0]}
    if not values[0]:
        key = "one_lost" if solution.graph.decided is None else "one_lost_or_end"
        return [sentence(key, **facts), "", *_answers(solution, values, alone=True)]
    moves = _listed("winning_moves", solution.winning_moves(), partial(component_move_text, alone=True))
    return [sentence("one_won", **facts), "", *moves]


def _why_first_wins(solution: Solution, values: list[int]) -> list[str]:
    tokens, total = solution.tokens or (), solution.nim_sum
    top = 1 << total.bit_length() - 1
    chosen = next(component for component, value in enumerate(values) if value & top)
    value, name = values[chosen], printable(tokens[chosen])

    def effect(move: Move) -> str:
        before, after = values[move.component], solution.grundy[move.end]
        name = "raising_effect" if after > before else "effect"
        return sentence(name, move=component_move_text(move), before=before, total=total, after=after)

    return [
        sentence("top_column", total=total, binary=f"{total:b}", component=chosen + 1, name=name),
        sentence("aim", value=value, total=total, aim=value ^ total),
        sentence("first_answers" if solution.graph.decided is None else "first_or_end"),
        "",
        *_listed("winning_moves", solution.winning_moves(), effect),
    ]


def _answers(solution: Solution, values: list[int], *, alone: bool = False) -> list[str]:
    """Return lines on the moves from nim-sum 0, each with its answer if any; ``alone`` leaves out component numbers."""
    moves = (
        Move(component, token, option.position)
        for component, token in enumerate(solution.tokens or ())
        for option in solution.options(token)
    )

    def line(move: Move) -> str:
        reply, text = _reply(solution, values, move), component_move_text(move, alone=alone)
        if reply is None:
            return indented(sentence("loses_at_once", move=text))
        return indented(sentence("answer", move=text, reply=component_move_text(reply, alone=alone)))

    return capped(map(line, moves), _count_of_moves(solution))


def _reply(solution: Solution, values: list[int], move: Move) -> Move | None:
    """Return a winning answer to a move from a sum of nim-sum 0; None if the move itself ends play.

    The answer makes the nim-sum 0 again, or it ends play and wins. The tokens and ``values`` are those before the move.
    """
    if isinstance(solution.grundy[move.end], Decisive):
        graph, decided = solution.graph, solution.graph.decided
        numbers = list(parts_below(graph, graph.number_of(move.end)))
        parts = [] if decided is None or decided[numbers].any() else [graph.labels[number] for number in numbers]
        ends = ((part, end) for part in parts for end in solution.options(part) if end.grundy is Decisive.SUNNY)
        return next((Move(move.component, part, end.position) for part, end in ends), None)
    tokens = [*(solution.tokens or ())]
    tokens[move.component] = move.end
    after = [*values]
    after[move.component] = solution.grundy[move.end]
    total = values[move.component] ^ after[move.component]
    component = next(c for c, value in enumerate(after) if value ^ total < value)
    start = tokens[component]
    # The value of a sum vertex is the xor of its parts. It has the highest bit of the total, so some part has this bit.
    while solution.graph.is_sum(start):
        start = next(part.position for part in solution.options(start) if part.grundy ^ total < part.grundy)
    aim = solution.grundy[start] ^ total
    end = next(option.position for option in solution.options(start) if option.grundy == aim)
    return Move(component, start, end)


def _sum_in_misere_play(solution: Solution) -> list[str]:
    tokens, count = solution.tokens or (), _count_of_moves(solution)
    verdict = verdict_text(solution.winner)
    if not count:
        return [sentence("no_move_misere", verdict=verdict)]
    names = ", ".join(capped(map(printable, tokens), len(tokens)))
    how = [sentence("move_by_move", names=names)] if len(tokens) > 1 else []
    lost = sentence("one_loses") if count == 1 else sentence("all_lose", count=f"{count:,}")
    why = (
        _listed("winning_misere", solution.winning_moves())
        or _listed("drawing_misere", solution.drawing_moves())
        or [lost]
    )
    return [verdict_text(solution.winner, misere=True), "", *how, *why]


def _count_of_moves(solution: Solution) -> int:
    graph = solution.graph
    return sum(int(graph.out_degrees[graph.number_of(token)]) for token in solution.tokens or ())
