"""``graphgame values``: sequences and tables of values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_game, takes_output
from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples
from graphgame.cli.progress import Exploring, Working, shown
from graphgame.errors import LimitError, plural
from graphgame.io.files import is_there
from graphgame.labs.search.meters import Searching, tell_of_part
from graphgame.text.languages import translate
from graphgame.text.text import outcome_word
from graphgame.text.text import table as aligned

if TYPE_CHECKING:
    from graphgame.labs.tables.tables import ValueTable
    from graphgame.labs.tables.value_tables import PPositions
    from graphgame.solution.solve import Solution

_EXAMPLES = examples(
    ('graphgame values "take{1,3,4}(0..50)"', "a sequence"),
    ('graphgame values "wythoff(0..10, 0..10)"', "a table, rows by the first range"),
    ('graphgame values "bash{1..6}(0..30)"', "a row for each game"),
    ("graphgame values game.txt", "all positions of a graph file"),
    ('graphgame values "kayles(9)"', "all positions of a game"),
    ('graphgame values "octal{0.77}(0..40)" --csv', ""),
    ('graphgame values "wythoff(0..10, 0..10)" -o wythoff.tex', "for a handout"),
    ('graphgame values "nim(0..7, 0..7)" --misere --outcomes', ""),
    ('graphgame values "cutting(2..9 x 2..9)" --json', ""),
    ('graphgame values "wythoff(0..60, 0..60)" --plot wythoff.png', ""),
    ('graphgame values "wythoff(0..20000, 0..20000)" --outcomes -o lost.csv', "15,279 P-positions"),
    ('graphgame values "wind-up{7:1,2,5}(0..6)" --loopy', ""),
)


@click.command("values", epilog=_EXAMPLES)
@common.source_argument
@common.shared_options("format", "max_bytes")
@click.option(
    "--outcomes",
    is_flag=True,
    help="Print the outcomes P, N and D (a draw) instead of values; of a very large table, print only the P-positions.",
)
@takes_output(
    csv="with two ranges only the values, or with --outcomes only the outcomes; with fewer ranges both",
    json="with values and outcomes",
    latex="P-positions are bold",
)
@click.option(
    "--plot",
    metavar="OUT",
    type=click.Path(),
    help="Draw the table to an .svg, .png or .pdf file instead of printing it.",
)
@common.shared_options("theme", "plot_title", "misere", "loopy", "max_positions")
@takes_game
def command(game: Game, out: OutputOptions, outcomes: bool, plot: str | None, theme: str, title: str | None) -> None:
    """Print the values of SOURCE, a position in the notation with one or two ranges in place of numbers.

    A value in brackets belongs to a P-position, where the player to move loses. If SOURCE is a graph file (- is
    standard input) or a position without ranges, all positions of the graph are printed, one on a line.
    """
    from graphgame.labs.tables.tables import has_ranges
    from graphgame.labs.tables.value_tables import is_large, p_positions, value_table
    from graphgame.rules.catalogue import CATALOGUE
    from graphgame.rules.notation import is_notation

    if game.source in CATALOGUE and not is_there(game.source):
        ranged = re.sub(r"(?<=[(,])\d+(?=\)$)", r"1..\g<0>", CATALOGUE[game.source].example)
        raise UsageError('{source} is a game: add the positions of the table, as in "{example}"', game.source, ranged)
    with common.limits_named(product_limit="max_positions"):
        if game.format_ is not None or not (has_ranges(game.source) and is_notation(game.source)):
            _print_graph(game, out, outcomes, plot)
            return
        if (
            outcomes
            and not game.loopy
            and is_large(game.source, game.max_positions, misere=game.misere, run_rules=True)
        ):
            with shown(Working) as working:
                progress = None if working is None else partial(working, translate("solving"))
                without_values = p_positions(
                    game.source, misere=game.misere, max_positions=game.max_positions, progress=progress, run_rules=True
                )
            _print_p_positions(without_values, game.max_positions, out, plot, theme, title)
            return

        def put(table: ValueTable, done: int = 0, asked: int = 0) -> None:
            """Print or plot the table.

            If ``done`` < ``asked``, first warn that only ``done`` of ``asked`` positions are solved.
            """
            if done < asked:
                tell_of_part(done, asked)
            _put(table, out, outcomes, plot, {"theme": theme, "title": title}, whole=done == asked)

        with shown(Exploring) as exploring, shown(Searching) as searching:
            table = value_table(
                game.source,
                misere=game.misere,
                loopy=game.loopy,
                max_positions=game.max_positions,
                progress=exploring,
                searching=searching,
                interrupted=put,
                run_rules=True,
            )
    put(table)


def _put(
    table: ValueTable, out: OutputOptions, outcomes: bool, plot: str | None, style: dict[str, Any], whole: bool
) -> None:
    if table.values is None and not outcomes and not (out.form == "json" and plot is None):
        raise UsageError("this table has outcomes but no values: add --outcomes")
    if plot is not None:
        _plot(table, plot, outcomes=outcomes, **style)
    if plot is None or not out.is_default:
        out.put(
            text=lambda: f"{table.shown(outcomes=outcomes)}\n",
            csv=lambda: _rows(table, outcomes),
            json=lambda: _record(table) | ({} if whole else {"complete": False}),
            latex=lambda: table.to_latex(outcomes=outcomes),
        )


def _print_p_positions(
    table: PPositions, most: int, out: OutputOptions, plot: str | None, theme: str, title: str | None
) -> None:
    """Plot the P-positions of a large table to the file ``plot``, if it is not None; print them as ``out`` says.

    With ``plot``, they are printed only if the user asked for an output format or an output file. Raises LimitError if
    there are more than ``most`` of them to print or write.
    """
    from graphgame.solution.results import play_name
    from graphgame.text.latex import latex_table

    if plot is not None:
        _plot(table, plot, theme=theme, title=title)
        if out.is_default:
            return
    if table.count > most:
        raise LimitError(
            "a list of {count} P-positions is larger than the limit, max_positions={most}; --plot draws them",
            table.count,
            most,
            limit="max_positions",
        )
    header = [translate("first number"), translate("second number")][: len(table.ranges)]
    record = {"position": table.text, "play": play_name(table.misere), "ranges": _ends(table)}
    out.put(
        text=lambda: "".join(f"{', '.join(map(str, pair))}\n" for pair in table.pairs()),
        csv=lambda: chain([header], table.pairs()),
        json=lambda: {**record, "lost": list(table.pairs())},
        latex=lambda: latex_table(header, map(list, table.pairs()), "r" * len(header)),
    )


def _ends(table: PPositions | ValueTable) -> list[list[int]]:
    return [[numbers.start, numbers.stop - 1] for numbers in table.ranges]


def _plot(table: PPositions | ValueTable, path: str, **options: Any) -> None:  # noqa: ANN401
    from graphgame.labs.tables.plots import plot_values

    plot_values(table, path, **options)
    common.tell_of(path)


def _print_graph(game: Game, out: OutputOptions, outcomes: bool, plot: str | None) -> None:
    """Print the values and outcomes of a graph's positions, or only the outcomes if ``outcomes`` is true.

    CSV and JSON have the format of ``solve --values``, which always has the values. Raises UsageError if ``plot`` is
    not None. For text and LaTeX, raises LimitError if there are more than ``game.max_positions`` positions.
    """
    from graphgame.text.latex import bold, latex_table

    if plot is not None:
        raise UsageError(
            "--plot needs a SOURCE with ranges; graphgame stats --plot draws a histogram of a graph's values"
        )
    if out.form in ("csv", "json"):
        from graphgame.io.values import write_values

        write_values(game.solution(game.max_positions), out.output, out.form)  # type: ignore[arg-type]
        common.tell_of(out.output)
        return
    if len(game.graph) > game.max_positions:
        raise LimitError(
            "a table of {lines} is too long to print; graphgame solve SOURCE --values OUT writes it to a file",
            plural(len(game.graph), "line"),
            limit="max_positions",
        )
    solution = game.solution(game.max_positions)
    header = [translate("position"), *([] if outcomes else [translate("value")]), translate("outcome")]
    aligned_as = "ll" if outcomes else "lrl"
    out.put(
        text=lambda: "\n".join([*aligned(header, list(_lines(solution, outcomes)), aligned_as), ""]),
        latex=lambda: latex_table(
            header,
            (
                list(map(bold, line)) if outcome == "P" else line
                for line, outcome in zip(_lines(solution, outcomes), solution.outcome.values(), strict=True)
            ),
            aligned_as,
        ),
    )


def _lines(solution: Solution, outcomes: bool) -> Iterator[tuple[object, ...]]:
    """Yield (position, value, outcome) for each position; if ``outcomes`` is true, without the value."""
    words = map(outcome_word, solution.outcome.values())
    columns = [solution.graph, *([] if outcomes else [solution.grundy.values()]), words]
    return zip(*columns, strict=True)


def _rows(table: ValueTable, outcomes: bool) -> list[Sequence[object]]:
    """Return the rows of a CSV file, with headers.

    For two ranges the cells are values, or outcomes if ``outcomes`` is true. For one range each row has a number, its
    value if the table has values, and its outcome.
    """
    first, *second = table.ranges
    if second:
        rows = zip(first, table.entries(outcomes), strict=True)
        return [("", *second[0]), *((number, *row) for number, row in rows)]
    values = table.values or [[]] * len(first)
    column = "misere" if table.misere else "grundy"
    header = ("n", column, "outcome") if table.values else ("n", "outcome")
    return [header, *((n, *value, *outcome) for n, value, outcome in zip(first, values, table.outcomes, strict=True))]


def _record(table: ValueTable) -> dict[str, object]:
    from graphgame.solution.results import play_name

    return {
        "position": table.text,
        "play": play_name(table.misere),
        "ranges": _ends(table),
        "grundy": None if table.values is None else _flat(table, table.values),
        "outcome": _flat(table, table.outcomes),
    }


def _flat(table: ValueTable, rows: Sequence[Sequence[object]]) -> Sequence[object]:
    """Return ``rows``, the entries of a table, as one list if the table has one range; unchanged if it has two."""
    return rows if len(table.ranges) == 2 else [entry for row in rows for entry in row]
