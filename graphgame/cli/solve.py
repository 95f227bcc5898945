"""``graphgame solve``: who wins, why, and how."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from graphgame.cli import common
from graphgame.cli.draw import write_picture
from graphgame.errors import LimitError, TokenError
from graphgame.results import Move
from graphgame.solution import Solution
from graphgame.text import MOST_ROWS, binary_columns, capped, move_text, plural, printable, table

__all__ = ["command"]

_QUICK_PRODUCT = 20_000
"""Positions of a sum up to which the length of the game is worth the wait."""

_EXAMPLES = """\b
Examples:
  graphgame solve game.txt
  graphgame solve game.txt --verdict             only win or lose
  graphgame solve game.edges --tokens "a, b"     the sum of a and b
  graphgame solve game.txt --misere --json
  graphgame solve game.txt --values values.csv --draw game.svg
  zcat game.txt.gz | graphgame solve - --format token

\b
Without tokens the positions that no move leads to are reported.
In --json, "component" counts from 0: it is an index into "components".
"""


@click.command("solve", epilog=_EXAMPLES, short_help="Say who wins, why and how.")
@common.source_argument
@common.format_option
@common.tokens_option
@common.misere_option
@click.option("--verdict", is_flag=True, help="Print only whether the first player can win: win or lose.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--values", metavar="OUT", type=click.Path(allow_dash=True), help="Write every value to a .csv or .json file."
)
@click.option(
    "--draw", metavar="OUT", type=click.Path(allow_dash=True), help="Draw to a .svg, .png, .pdf or .dot file."
)
@common.product_limit_option
@common.engine_option
def command(
    source: str,
    format_: str | None,
    tokens: tuple[str, ...],
    misere: bool,
    verdict: bool,
    as_json: bool,
    values: str | None,
    draw: str | None,
    product_limit: int | None,
    engine: str,
) -> None:
    """Solve the game in SOURCE, a graph file (- is standard input), and say who wins."""
    if sum([verdict, as_json, values == "-", draw == "-"]) > 1:
        raise click.UsageError("choose one of --verdict, --json, --values - and --draw -: all go to standard output")
    if product_limit is None and not misere and values is None:
        product_limit = _QUICK_PRODUCT
    solution = common.solve_source(source, format_, tokens, misere, engine, product_limit)
    if verdict:
        text = _verdict(solution)
    elif "-" in (values, draw):
        text = None
    else:
        text = _json(solution) if as_json else "\n".join(_report(solution))
    if values is not None:
        _write_values(solution, values)
    if draw is not None:
        write_picture(solution, draw)
    if text is not None:
        click.echo(text)


def _write_values(solution: Solution, path: str) -> None:
    from graphgame.io.values import write_values

    write_values(solution, path, "csv" if path == "-" else None)
    if path != "-":
        common.note(f"wrote {path}")


def _verdict(solution: Solution) -> str:
    if solution.tokens is None:
        raise TokenError("no tokens: give --tokens, the positions of the sum to judge")
    return "win" if solution.winner == "first" else "lose"


def _json(solution: Solution) -> str:
    import json

    counts = solution.counts()
    asked = solution.tokens is not None
    moves = solution.winning_moves() if asked else []
    best, length = _course(solution) if asked else (None, None)
    result = {
        "winner": solution.winner if asked else None,
        "play": solution.play,
        "nim_sum": solution.nim_sum if asked and solution.play == "normal" else None,
        "components": [
            dict(zip(("position", "grundy", "outcome", "remoteness"), row, strict=True)) for row in _rows(solution)
        ],
        "winning_moves": [_move_object(move) for move in moves],
        "best_move": None if best is None else _move_object(best),
        "length": length,
        "positions": counts.positions,
        "moves": counts.moves,
        "format": solution.graph.graph.get("format"),
    }
    return json.dumps(result, default=str)


def _move_object(move: Move) -> dict[str, Any]:
    return {"component": move.component, "from": move.start, "to": move.end}


def _report(solution: Solution) -> list[str]:
    """Return the lines for a person."""
    counts = solution.counts()
    size = f"{plural(counts.positions, 'position')} ({counts.p_positions:,} P, {counts.n_positions:,} N)"
    largest = f", largest value {max(counts.histogram)}" if counts.histogram else ""
    summary = f"{size}, {plural(counts.moves, 'move')}{largest}"
    if solution.tokens is None:
        return [*_component_table(solution, "positions that no move leads to"), "", summary]
    return [*_sum_report(solution), "", summary]


def _sum_report(solution: Solution) -> list[str]:
    best, length = _course(solution)
    how = "under misère play " if solution.play == "misere" else ""
    lasts = "" if length is None else f"in {plural(length, 'move')}"
    lines = [f"{solution.winner} player wins {how}{lasts}".rstrip()]
    tokens = solution.tokens or ()
    if tokens and solution.play == "normal":
        values = [(printable(token), solution.grundy[token]) for token in tokens]
        lines += ["", "nim-sum", *(f"  {line}" for line in binary_columns(values, solution.nim_sum))]
    if tokens:
        lines += ["", *_component_table(solution, "")]
    return [*lines, "", *_moves(solution, best)]


def _moves(solution: Solution, best: Move | None) -> list[str]:
    moves = solution.winning_moves()
    if moves:
        moves.sort(key=lambda move: move != best)
        lines = (f"  {move_text(move)}{'  (best)' if move == best else ''}" for move in moves)
        return ["winning moves", *capped(lines, len(moves))]
    if best is not None:
        return ["no winning move; the longest resistance is", f"  {move_text(best)}"]
    return ["no winning move"]


def _component_table(solution: Solution, title: str) -> list[str]:
    rows = _rows(solution, MOST_ROWS)
    total = _count(solution)
    cells = [(place, *row[:3], "-" if row[3] is None else row[3]) for place, row in enumerate(rows, 1)]
    lines = table(("component", "position", "value", "outcome", "remoteness"), cells, "rlrlr")
    return [*([title] if title else []), lines[0], *capped(lines[1:], total)]


def _count(solution: Solution) -> int:
    return len(_components(solution))


def _components(solution: Solution) -> np.ndarray:
    """Return the vertex numbers of the tokens, or of the positions that no move leads to."""
    graph = solution.graph
    if solution.tokens is None:
        return np.flatnonzero(graph.predecessors_of.lengths() == 0)
    return np.array([graph.number_of(token) for token in solution.tokens], np.int64)


def _rows(solution: Solution, limit: int | None = None) -> list[tuple[Any, int, str, int | None]]:
    """Return position, value, outcome and remoteness of each component."""
    numbers = _components(solution)[:limit]
    try:
        remoteness: list[int | None] = solution.remoteness.array[numbers].tolist()
    except LimitError:
        remoteness = [None] * len(numbers)
    values, outcomes = solution.grundy.array[numbers].tolist(), solution.outcome.array[numbers].tolist()
    return list(zip(solution.graph.labels.take(numbers), values, outcomes, remoteness, strict=True))


def _course(solution: Solution) -> tuple[Move | None, int | None]:
    """Return the best move and the length of the game; unknown where the sum is too large to play out."""
    try:
        return solution.best_move(), solution.sum_remoteness()
    except LimitError:
        return None, None
