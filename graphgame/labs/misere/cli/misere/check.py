"""``graphgame misere check``: whether a saved quotient is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.errors import Failure
from graphgame.cli.language import examples
from graphgame.errors import OptionError
from graphgame.labs.misere.cli.misere.source import MisereSource, period_text
from graphgame.text.languages import amount, translate
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.labs.heaps import HeapGame
    from graphgame.labs.misere import MisereQuotient

_EXAMPLES = examples(
    ("graphgame misere quotient 0.07 --heaps 20 -o dawson.json", ""),
    ("graphgame misere check dawson.json", ""),
    ("graphgame misere check dawson.json 0.137", "against other rules"),
)


@click.command("check", epilog=_EXAMPLES)
@click.argument("file", type=click.Path())
@click.argument("source", required=False, shell_complete=common.complete_source)
@common.shared_options("format", "max_bytes", "max_positions")
def command(file: str, source: str | None, max_positions: int, format_: str | None) -> None:
    """Check the misère quotient in FILE against the rules, by code of its own, and prove its period.

    SOURCE is a graph file, a position, or a heap game; without it the one that FILE names.
    """
    check_quotient(file, source, max_positions, format_)


@common.limits_named()
def check_quotient(file: str, source: str | None, max_positions: int, format_: str | None = None) -> None:
    """Print that the quotient in a file holds, or raise a :class:`Failure` that says why not."""
    from graphgame.labs.misere import find_fault, read_quotient

    found = read_quotient(file)
    if source is None:
        again = f"graphgame misere check {file} {printable(found.game, length=0)!r}"
        common.refuse_rules_of_file(found.game, file, again)
        source = found.game
    given = MisereSource(source, None, format_, max_positions)
    fault = find_fault(found, given.graph) if given.game is None else _fault_of_heaps(found, given.game, max_positions)
    if fault is not None:
        raise Failure("{file}: not proved for {source}: {fault}", file, printable(source), fault)
    facts = {"order": found.order, "positions": amount(len(found.labels), "position")}
    click.echo(translate("proved for {source}: order {order}, {positions}", source=printable(source), **facts))
    if given.game is not None:
        none = translate("no period of the pretending function follows from these heaps")
        click.echo(period_text(found) or none)


def check_quotient_file(file: str, named: str | None, max_positions: int) -> None:
    """Check a quotient for the game that it names, for ``graphgame verify``."""
    check_quotient(file, None, max_positions)


def _fault_of_heaps(found: MisereQuotient, game: HeapGame, max_positions: int) -> str | None:
    """Prove the period too; return why the quotient does not hold."""
    from graphgame.labs.misere import prove_period

    try:
        prove_period(found, game, max_positions=max_positions)
    except OptionError as error:
        return str(error)
    return None
