"""``graphgame solve``: report who wins a game, and by which moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_disk, takes_game, takes_output
from graphgame.cli.errors import UsageError
from graphgame.cli.language import HelpEnd, Listing
from graphgame.compiled.engine import PRODUCT_LIMIT, QUICK_PRODUCT
from graphgame.errors import Message, TokenError, abridged
from graphgame.registry import offers
from graphgame.solution.results import Loopy
from graphgame.text.languages import amount, translate
from graphgame.text.sentences import sentence
from graphgame.text.text import (
    MOST_ROWS,
    capped,
    component_move_text,
    outcome_counts,
    outcome_word,
    perhaps_more,
    printable,
    sum_columns,
    table,
    verdict_text,
)

if TYPE_CHECKING:
    from graphgame.cli.answer import Answer, Row
    from graphgame.solution.results import Move
    from graphgame.solution.solve import Solution

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame solve game.txt", ""),
        ("graphgame solve game.txt --verdict", "only win or lose"),
        ('graphgame solve game.edges --tokens "a, b"', "the sum of a and b"),
        ("graphgame solve game.txt --misere --json", ""),
        ("graphgame solve game.txt -o game.tex", "the nim-sum and the moves as tables"),
        ("graphgame solve cycle.edges --loopy", "values and draws, if play need not end"),
        ("graphgame solve game.txt --values values.csv --draw game.svg", ""),
        ("zcat game.txt.gz | graphgame solve - --format token", ""),
        ('graphgame solve "nim(3,4,5)"', "a position of the catalogue"),
        ('graphgame solve "take{1,2,3}(10) + take{odd}(7) + nim(5)"', ""),
        ("graphgame solve game.txt@4", "one token, on position 4"),
        ('graphgame solve "rules.py:MyGame(7)"', "rules of your own"),
        ("graphgame solve edges.parquet --workdir work --values values.parquet", ""),
    ),
    "Without tokens, all positions of a small graph are reported. For a large graph, or with --json or --latex, only "
    "the positions that no move leads to are reported; if there are none, all positions.",
    'In --json, "component" counts from 0: it is an index into "components".',
)

_COLUMNS = (Message("component"), Message("position"), Message("value"), Message("outcome"), Message("remoteness"))
_ALIGNED = "rlrlr"
_MOST_ENDS = 4
_LISTED = (
    Message("all positions of the graph (a move leads to each of them)"),
    Message("positions that no move leads to"),
)
_INFINITE = Message("inf(...): play can go on forever; the numbers in parentheses are the finite values of the options")
_UNPLAYED = Message(
    "the length of the game and each remoteness shown as - are unknown, because the graph of a sum with more than "
    "{most} positions is not made; --product-limit N allows more positions"
)
_UNKNOWN = Message(
    "there is a winning move, but no theorem names one: --values OUT finds it, if the graph has at most "
    "--max-positions positions"
)


@click.command("solve", epilog=_EXAMPLES)
@common.source_argument
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy")
@click.option(
    "--verdict", "verdict_", is_flag=True, help="Print only whether the first player can win: win or lose (or draw)."
)
@takes_output(json="", latex="the nim-sum, the table and the moves")
@click.option(
    "--values",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help="Write every value to a .csv, .json or .parquet file.",
)
@click.option(
    "--draw",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help="Draw to a .svg, .png, .pdf, .tex, .dot or .html file.",
)
@common.shared_options("product_limit", "max_positions", "engine")
@takes_disk
@takes_game
def command(
    game: Game,
    out: OutputOptions,
    verdict_: bool,
    values: str | None,
    draw: str | None,
    disk: Any = None,  # noqa: ANN401
) -> None:
    """Solve the game in SOURCE, and say who wins.

    SOURCE is a graph file (- is standard input), or a position such as "nim(3,4,5)": graphgame games lists the games.

    Files may have headers, weights, semicolons or row numbers, as other tools write them. A line on standard error
    tells what was guessed. For many other formats, the error message says how to convert the file.
    """
    printed = out.output == "-"
    if sum([verdict_, printed and not out.as_text, values == "-", draw == "-"]) > 1:
        raise UsageError("choose one of --verdict, --json, --latex, --values - and --draw -: all go to standard output")
    if verdict_ and not printed:
        raise UsageError("--verdict prints one word: leave out --output")
    on_disk = disk is not None and disk.check(game, values, draw)
    if verdict_ and values is draw is None and not on_disk and (verdict := _quick_verdict(game)) is not None:
        click.echo(verdict)
        return
    if on_disk:
        _solve_on_disk(game, disk, out, verdict_, values)
        return
    if values is not None:
        from graphgame.io.values import values_format, write_values

        values_format(values)
    whole = values is not None or draw is not None
    played_out = values is not None or (game.misere and game.outcome_by_theorem is None)
    most = PRODUCT_LIMIT if played_out else QUICK_PRODUCT
    texts = not verdict_ or bool(game.tokens)
    solution = game.solution(most) if whole else game.quick_solution(most, texts=texts)
    if verdict_:
        result: Any = f"{_verdict(game, solution)}\n"
    else:
        result = None if printed and "-" in (values, draw) else _result(out, _answer(game, solution))
    if solution is not None and draw is not None:
        from graphgame.cli.draw import source_options, write_picture

        write_picture(solution, draw, **source_options(game, draw))
    if solution is not None and values is not None:
        write_values(solution, values, "csv" if values == "-" else None)
        common.tell_of(values)
    if result is not None:
        out.write(result)


def _solve_on_disk(game: Game, disk: Any, out: OutputOptions, only_verdict: bool, values: str | None) -> None:  # noqa: ANN401
    with disk.solve(game) as solution:
        result = f"{_winner_text(solution)}\n" if only_verdict else _result(out, disk.answer(solution))
        if values is not None:
            solution.write_values(values)
            common.tell_of(values)
        out.write(result)
        disk.finish(solution)


def _result(out: OutputOptions, answer: Answer) -> Any:  # noqa: ANN401
    """Return the answer in the chosen form: an object for JSON, otherwise a text."""
    make = {"json": _record, "latex": _latex}.get(out.form)
    return "\n".join([*_report(answer), ""]) if make is None else make(answer)


def _answer(game: Game, solution: Solution | None) -> Answer:
    from graphgame.cli.answer import answer_of_position, answer_of_solution

    if solution is not None:
        return answer_of_solution(solution, game.asked)
    assert game.asked is not None
    return answer_of_position(game.asked)


def _quick_verdict(game: Game) -> str | None:
    """Return the first player's "win" or "lose" by the lab for token files or a theorem; None if neither gives it."""
    of_token_file = offers("job").get("verdict of a token file")
    verdict: str | None = of_token_file.load()(game) if of_token_file else None
    if verdict is None and (outcome := game.outcome_by_theorem) is not None:
        verdict = "win" if outcome == "N" else "lose"
    return verdict


def _verdict(game: Game, solution: Solution | None) -> str:
    """Return the result for the first player: "win", "lose" or "draw". Without tokens, raise a TokenError."""
    if solution is None or (game.asked is not None and not game.asked.is_answered_by(solution)):
        assert game.asked is not None
        return "win" if game.asked.winner == "first" else "lose"
    return _winner_text(solution)


def _winner_text(solution: Solution) -> str:
    if solution.tokens is None:
        raise TokenError("no position is named: write SOURCE@POSITION, as in game.txt@start, or give --tokens")
    return {"first": "win", "second": "lose", "draw": "draw"}[solution.winner]


def _record(answer: Answer) -> dict[str, Any]:
    from graphgame.solution.results import play_name

    counts = answer.counts
    return {
        "winner": answer.winner,
        "play": play_name(answer.misere),
        "nim_sum": answer.nim_sum,
        "misere_class": answer.misere_class,
        "components": [row._asdict() for row in answer.rows(None)],
        "winning_moves": [_move_object(move) for move in answer.moves],
        "all_winning_moves": answer.complete,
        "drawing_moves": [_move_object(move) for move in answer.drawing],
        "best_move": None if answer.best is None else _move_object(answer.best),
        "length": answer.length,
        "positions": None if counts is None else counts.positions,
        "moves": None if counts is None else counts.moves,
        "format": answer.format,
    }


def _move_object(move: Move) -> dict[str, Any]:
    return {"component": move.component, "from": move.start, "to": move.end}


def _latex(answer: Answer) -> str:
    """Return the answer in LaTeX: who wins, the nim-sum, the table of components, and the winning moves."""
    from graphgame.text.latex import latex_parts, latex_table, latex_text, nim_sum_table

    rows = answer.rows(None)
    cells = ((number, *row) for number, row in enumerate(rows, 1))
    parts = [latex_table([translate(name) for name in _COLUMNS], cells, _ALIGNED)]
    if answer.winner is not None and answer.nim_sum is not None:
        parts.insert(
            0, nim_sum_table([(row.position, 0 if row.grundy is None else row.grundy) for row in rows], answer.nim_sum)
        )
    if answer.moves:
        moves = ((move.component + 1, move.start, move.end) for move in _best_first(answer))
        parts.append(latex_table(("component", "from", "to"), moves, "rll"))
    return latex_parts([*([] if answer.winner is None else [f"{latex_text(_verdict_line(answer))}."]), *parts])


def _report(answer: Answer) -> list[str]:
    """Return the lines of the answer as text."""
    values = answer.counts.histogram if answer.counts else ()
    legend = [translate(_INFINITE)] if any(isinstance(value, Loopy) for value in values) else []
    if answer.winner is None:
        size = _size(answer)
        if answer.misere:
            size = translate("{size}, values of misère play", size=size)
        if answer.positions:
            header = [translate(name) for name in (*_COLUMNS[1:], "winning moves")]
            rows = [(*_cells(row), abridged(map(printable, ends), _MOST_ENDS) or "-") for row, ends in answer.positions]
            return [*table(header, rows, "lrlrl"), "", size, *legend]
        return [translate(_LISTED[answer.sources]), *_component_table(answer), "", size, *legend]
    return [*_sum_report(answer), "", _size(answer), *legend]


def _size(answer: Answer) -> str:
    counts = answer.counts
    if counts is None:
        return translate("; ").join(map(translate, answer.notes))
    positions, moves = amount(counts.positions, "position"), amount(counts.moves, "move")
    size = translate(
        "{positions} ({outcomes}), {moves}", positions=positions, outcomes=outcome_counts(counts), moves=moves
    )
    finite = [value for value in counts.histogram if isinstance(value, int)]
    return translate("{size}, largest value {largest}", size=size, largest=max(finite)) if finite else size


def _sum_report(answer: Answer) -> list[str]:
    lines = [_verdict_line(answer)]
    if answer.misere_class is not None:
        meaning = sentence(f"is_{answer.misere_class}")
        lines += ["", translate("class {name}: {meaning}", name=answer.misere_class, meaning=meaning)]
    if answer.total > 1 and answer.nim_sum is not None:
        values = [(printable(row.position), 0 if row.grundy is None else row.grundy) for row in answer.rows(None)]
        lines += ["", translate("nim-sum"), *(f"  {line}" for line in sum_columns(values, answer.nim_sum))]
    if answer.total:
        lines += ["", *_component_table(answer)]
    if answer.unplayed is not None:
        lines += ["", translate(_UNPLAYED, most=f"{answer.unplayed:,}")]
    return [*lines, "", *_moves(answer)]


def _verdict_line(answer: Answer) -> str:
    verdict = verdict_text(answer.winner or "", answer.misere)
    if answer.length is None:
        return verdict
    return translate(
        "{verdict} in 1 move" if answer.length == 1 else "{verdict} in {count} moves",
        verdict=verdict,
        count=f"{answer.length:,}",
    )


def _best_first(answer: Answer) -> list[Move]:
    return sorted(answer.moves, key=lambda move: move != answer.best)


def _moves(answer: Answer) -> list[str]:
    best = answer.best
    if answer.moves:
        best_text = f"  {translate('(best)')}"
        moves = _best_first(answer)
        lines = (f"  {component_move_text(move)}{best_text if move == best else ''}" for move in moves)
        shown = capped(lines, len(moves)) if answer.complete else [*islice(lines, MOST_ROWS), perhaps_more()]
        return [translate("winning moves"), *shown]
    if answer.drawing:
        lines = (f"  {component_move_text(move)}" for move in answer.drawing)
        return [translate("no winning move; moves that keep the draw"), *capped(lines, len(answer.drawing))]
    if best is not None:
        return [translate("no winning move; the longest resistance is"), f"  {component_move_text(best)}"]
    return [translate("no winning move" if answer.complete else _UNKNOWN)]


def _cells(row: Row) -> Iterator[object]:
    return ("-" if cell is None else cell for cell in row._replace(outcome=outcome_word(row.outcome)))


def _component_table(answer: Answer) -> list[str]:
    cells = [(number, *_cells(row)) for number, row in enumerate(answer.rows(MOST_ROWS), 1)]
    header = [translate(name) for name in _COLUMNS]
    lines = table(header, cells, _ALIGNED)
    return [lines[0], *capped(lines[1:], answer.total)]
