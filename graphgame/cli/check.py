"""``graphgame check``: check the rules of games by playing."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.language import examples
from graphgame.errors import Message
from graphgame.rules import MAX_CHECKED
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import padded, printable

if TYPE_CHECKING:
    from graphgame.rules.ruleset import Ruleset

_EXAMPLES = examples(
    ("graphgame check rules.py:MyGame", "rules of your own, from their start position"),
    ('graphgame check "rules.py:MyGame(12)"', "rules of your own, from the position 12"),
    ('graphgame check "wythoff(8,8) + chomp(3x4)"', "games of the catalogue"),
    ("graphgame check game.txt", "the game in a graph file"),
)

_STATES = {True: Message("ok"), False: Message("FAILED"), None: Message("not checked")}
_STATE_WIDTH = 11


@click.command("check", epilog=_EXAMPLES)
@common.source_argument
@common.shared_options("format", "max_bytes")
@common.number_option(
    "--max-positions",
    default=MAX_CHECKED,
    help="Check at most this many positions and 20 times as many moves; compare values only if all are checked.",
)
def command(source: str, format_: str | None, max_positions: int) -> None:
    """Check the rules of SOURCE by playing: play must end, unless they are loopy, and values and theorems must agree.

    Exit status 2: a check failed (its line names the first counterexample or the error), or the input is wrong. Exit
    status 1: no cycle was found, but only positions near the start were explored, so play may be endless.
    """
    from graphgame.rules.checking import check

    reports = []
    with common.limits_named():
        games = _games(source, format_)
    for name, ruleset, starts in games:
        report = check(ruleset, *starts, max_positions=max_positions)
        positions = amount(report.positions, "position")
        if not report.complete:
            positions = translate("{positions}, those nearest to the start; there are more", positions=positions)
        click.echo(f"{printable(name)}{translate(': ')}{positions}")
        for each in report.checks:
            state, detail = translate(_STATES[each.passed]), render(each.detail)
            text = translate(": ").join(filter(None, [render(each.name), detail]))
            line = f"{padded(state, _STATE_WIDTH, 'l')}  {text}"
            click.echo(f"  {printable(line, length=0)}")
        reports.append(report)
    if not all(report.passed for report in reports):
        raise click.exceptions.Exit(2)
    if any(report.unended for report in reports):
        raise click.exceptions.Exit(1)


def _games(source: str, format: str | None) -> list[tuple[str, Ruleset, list[Hashable]]]:
    """Return (name, rules, start positions) for each game in a source.

    A graph is one game. Its starts are the positions that no move leads to or, if there are none, all positions. A
    position from which play may be endless comes first, if there is one.
    """
    position = common.position_of(source, format)
    if position is not None:
        games: dict[str, tuple[Ruleset, list[Hashable]]] = {}
        for name, ruleset, start in position.components:
            shown = f"{name}{{{ruleset.arguments}}}" if ruleset.arguments else name
            games.setdefault(shown, (ruleset, []))[1].append(start)
        return [(shown, *game) for shown, game in games.items()]
    from graphgame.graph.rows import marked
    from graphgame.rules.component_graphs import GraphRuleset
    from graphgame.solution.solve import sources
    from graphgame.solution.sprague_grundy import ending_values

    graph = common.load(source, format)
    endless = (~marked(ending_values(graph)[1], len(graph))).nonzero()[0][:1]
    return [(source, GraphRuleset(graph), [*graph.labels.take(endless), *graph.labels.take(sources(graph))])]
