"""``graphgame certificate``: write the few values that prove who wins."""

from __future__ import annotations

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_game, takes_output
from graphgame.cli.language import examples
from graphgame.text.languages import amount, translate
from graphgame.text.text import verdict_text

_EXAMPLES = examples(
    ("graphgame certificate game.txt -o proof.csv", ""),
    ("graphgame verify game.txt proof.csv", ""),
    ("graphgame certificate game.edges --tokens a -o proof.json", ""),
    ("graphgame certificate game.txt --misere --product", ""),
    ("graphgame certificate cycle.edges --loopy -o proof.csv", ""),
)


@click.command("certificate", epilog=_EXAMPLES)
@common.source_argument
@takes_output(default="csv", csv="as by default", json="", parquet="")
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy")
@common.shared_options("product", "product_limit", "max_positions", "engine")
@takes_game
def command(game: Game, out: OutputOptions) -> None:
    """Write the positions that the winner of the game in SOURCE steers to, with their values.

    For one token these are P-positions: every move from one of them has a reply to another. For several tokens they
    have other values too. None is superfluous, and graphgame verify checks them without solving the game. With --loopy
    they prove draws as well, and stand in the order that the winner steers by.
    """
    from graphgame.labs.verification.certification import write_certificate

    solution = game.solution()
    count = write_certificate(solution, out.output, out.form)
    common.tell_of(out.output, f"{amount(count, 'value')}{translate(', ')}{verdict_text(solution.winner)}")
