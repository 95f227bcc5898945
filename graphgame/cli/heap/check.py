"""``graphgame heap check``: whether a certificate of a period is right."""

from __future__ import annotations

import click

from graphgame.cli import common
from graphgame.cli.heap.shown import Counting, period_told
from graphgame.cli.progress import shown
from graphgame.explanation.texts import translate
from graphgame.explanation.texts.messages import translated

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  graphgame heap 0.77 --period --certificate kayles.json
  graphgame heap check kayles.json
  graphgame heap check kayles.json --heap 1000000000000000000

\b
Exit status: 0 when it is right, 2 when it is not.
"""


@click.command("check", epilog=_EXAMPLES)
@click.argument("file", type=click.Path())
@common.number_option("--heap", "heaps", least=0, multiple=True, help="Print this heap's value. Repeatable.")
@common.shared_options("engine")
def command(file: str, heaps: tuple[int, ...], engine: str) -> None:
    """Check all that a certificate of a period states, by the moves of all heaps that its proof needs.

    None of the code that found the period takes part.
    """
    from graphgame.heaps import PeriodCertificate, game

    found = PeriodCertificate.load(file)
    with shown(Counting) as progress:
        fault = game(found.game).fault(found, engine=engine, progress=progress)
    if fault is not None:
        click.echo(translate("wrong: {game}: {fault}", game=found.game, fault=translated(fault)))
        raise click.exceptions.Exit(2)
    click.echo(translate("right: {game} has {period}", game=found.game, period=period_told(found)))
    for heap in heaps:
        click.echo(translate("heap {heap}: {value}", heap=heap, value=found.value(heap)))
