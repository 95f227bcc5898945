"""``graphgame heap check``: whether certificates of periods are right."""

from __future__ import annotations

from collections.abc import Sequence

import click

from graphgame.cli import common
from graphgame.cli.language import HelpEnd, Listing
from graphgame.cli.progress import shown
from graphgame.labs.heaps.cli.heap.shown import Counting, period_told
from graphgame.text.languages import render, translate

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame heap 0.77 --period --certificate kayles.json", ""),
        ("graphgame heap check kayles.json", ""),
        ("graphgame heap check kayles.json --heap 1000000000000000000", ""),
        ("graphgame heap check proofs/*.json", ""),
    ),
    "Exit status: 0 when all are right, 2 when one is not.",
)


@click.command("check", epilog=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@common.number_option("--heap", "heaps", least=0, multiple=True, help="Print this heap's value. Repeatable.")
@common.shared_options("engine")
def command(files: tuple[str, ...], heaps: tuple[int, ...], engine: str) -> None:
    """Check all that certificates of periods state, by the moves of all heaps that their proofs need.

    None of the code that found the periods takes part.
    """
    check_periods(files, heaps, engine)


def check_periods(files: Sequence[str], heaps: Sequence[int] = (), engine: str = "auto") -> None:
    """Print for each certificate whether it is right; end the command with status 2 if one is wrong."""
    faults = [_is_wrong(file, heaps, engine) for file in files]
    if any(faults):
        raise click.exceptions.Exit(2)


def check_period_file(file: str, named: str | None, max_positions: int) -> None:
    """Check one certificate of a period, for ``graphgame verify``."""
    check_periods([file])


def _is_wrong(file: str, heaps: Sequence[int], engine: str) -> bool:
    """Say what is right or wrong in a file; and the values of heaps."""
    from graphgame.labs.heaps import PeriodCertificate, game

    found = PeriodCertificate.load(file)
    with shown(Counting) as progress:
        fault = game(found.game).fault(found, engine=engine, progress=progress)
    if fault is not None:
        click.echo(translate("wrong: {game}: {fault}", game=found.game, fault=render(fault)))
        return True
    click.echo(translate("right: {game} has {period}", game=found.game, period=period_told(found)))
    for heap in heaps:
        click.echo(translate("heap {heap}: {value}", heap=heap, value=found.value(heap)))
    return False
