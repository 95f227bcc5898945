"""``graphgame stats``: print figures about a game."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_game, takes_output
from graphgame.cli.language import examples
from graphgame.errors import Message
from graphgame.registry import registered
from graphgame.text.languages import amount, translate
from graphgame.text.text import MOST_ROWS, capped, outcome_counts, table

if TYPE_CHECKING:
    from graphgame.solution.results import ValueCount
    from graphgame.solution.statistics import Statistics

_LONGEST_PLAY = (Message("longest play: {count} moves"), Message("longest play: 1 move"))
_WIDEST_LEVEL = (
    Message("widest level: {vertices}, from which the longest play has {count} moves"),
    Message("widest level: {vertices}, from which the longest play has 1 move"),
)
_PLAYS = {False: Message("{outcomes} under normal play"), True: Message("{outcomes} under misère play")}

_EXAMPLES = examples(
    ("graphgame stats game.txt", ""),
    ("graphgame stats game.edges.gz --json", ""),
    ('graphgame stats "nim(3,4)" --product', ""),
    ("graphgame stats game.txt --plot game.svg", ""),
)


@click.command("stats", epilog=_EXAMPLES)
@common.source_argument
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy")
@takes_output(json="with every histogram in full")
@click.option("--plot", metavar="OUT", type=click.Path(), help="Draw the histograms to a .svg, .png or .pdf file.")
@common.shared_options("theme", "plot_title", "product", "product_limit", "max_positions", "engine")
@takes_game
def command(game: Game, out: OutputOptions, plot: str | None, theme: str, title: str | None) -> None:
    """Print figures about the game in SOURCE: its size, its shape, its values, and the memory it takes.

    A level is the set of all vertices from which the longest play has the same length.
    """
    from graphgame.solution.statistics import graph_statistics

    figures = graph_statistics(game.solution())
    if plot is not None:
        registered("plot of statistics")(figures, plot, theme=theme, title=title)
        common.tell_of(plot)
    out.put(text=lambda: "\n".join([*_report(figures), ""]), json=lambda: _record(figures))


def _record(figures: Statistics) -> dict[str, Any]:
    result: dict[str, Any] = dict(vars(figures))
    for name, key in (("birthdays", "birthday"), ("out_degrees", "out_degree"), ("values", "grundy")):
        result[name] = [
            {key: number, "count": entry.count, "example": entry.example} for number, entry in result[name].items()
        ]
    result["widest_level"] = figures.widest_level and figures.widest_level._asdict()
    result["memory"] = figures.memory._asdict()
    return result


def _report(figures: Statistics) -> list[str]:
    vertices = amount(figures.vertices, "vertex")
    if figures.sums:
        vertices = translate("{vertices}, {count} of them sums", vertices=vertices, count=f"{figures.sums:,}")
    isolated, comma = translate("{count} isolated", count=f"{figures.isolated:,}"), translate(", ")
    lines = [
        comma.join([vertices, amount(figures.edges, "edge")]),
        comma.join([amount(figures.sources, "source"), amount(figures.terminals, "terminal position"), isolated]),
        translate(_PLAYS[figures.misere], outcomes=outcome_counts(figures)),
    ]
    if figures.kernel is not None:
        lines.append(translate("kernel (the P-positions): {positions}", positions=amount(figures.kernel, "position")))
    if figures.depth is None:
        lines.append(translate("play need not end from {count} of the vertices", count=f"{figures.endless:,}"))
    else:
        lines.append(translate(_LONGEST_PLAY[figures.depth == 1], count=f"{figures.depth:,}"))
    if figures.widest_level is not None:
        level = figures.widest_level
        size = amount(level.vertices, "vertex")
        lines.append(translate(_WIDEST_LEVEL[level.birthday == 1], vertices=size, count=f"{level.birthday:,}"))
    sizes = {name: _size(size) for name, size in figures.memory._asdict().items()}
    lines.append(translate("memory: the graph takes {graph}, reading it {reading}, solving it {solving}", **sizes))
    lines += _histogram(translate("longest play"), figures.birthdays)
    lines += _histogram(translate("options"), figures.out_degrees)
    return lines + _histogram(translate("value"), figures.values)


def _histogram(name: str, histogram: dict[Any, ValueCount]) -> list[str]:
    first = islice(histogram.items(), MOST_ROWS)
    lines = table(
        (name, translate("count"), translate("example")),
        [(n, f"{entry.count:,}", entry.example) for n, entry in first],
        "rrl",
    )
    return ["", lines[0], *capped(lines[1:], len(histogram))]


def _size(count: int) -> str:
    size, units = float(count), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{size:.3g} {units[0]}" if units[0] != "bytes" else translate("{size} bytes", size=count)
