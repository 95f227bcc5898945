"""``graphgame heap compare``: whether two games have the same values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.language import examples
from graphgame.errors import Message
from graphgame.text.languages import translate

if TYPE_CHECKING:
    from graphgame.labs.heaps.study import Comparison

_EXAMPLES = examples(
    ("graphgame heap compare 0.137 0.07", "Dawson's chess and Dawson's Kayles"),
    ("graphgame heap compare 0.161 0.36 -n 10000", ""),
)

_REASONS = {
    "moves": Message("proved for all heaps: the moves of each are as good as moves of the other"),
    "": Message("observed up to heap {count}, not proved"),
    "periods": Message("proved for all heaps: both have proved periods, and agree for long enough"),
}


@click.command("compare", epilog=_EXAMPLES)
@click.argument("first", metavar="A", shell_complete=common.complete_game)
@click.argument("second", metavar="B", shell_complete=common.complete_game)
@common.number_option("-n", "--heaps", "heaps", least=0, default=1000, help="The largest heap.")
@common.number_option("--shift", least=0, default=8, help="The largest shift to try.")
@takes_output(json="")
@common.shared_options("engine")
def command(first: str, second: str, out: OutputOptions, heaps: int, shift: int, engine: str) -> None:
    """Compare the values of the games A and B: where they first differ, and whether one is the other shifted."""
    from graphgame.labs.heaps.cli.heap.shown import game_of
    from graphgame.labs.heaps.study import compare

    found = compare(game_of(first), game_of(second), heaps, most_shift=min(shift, heaps // 4), engine=engine)
    out.put(text=lambda: "\n".join([*_sentences(found), ""]), json=lambda: vars(found))


def _sentences(found: Comparison) -> list[str]:
    lines, games = [], {"first": found.first, "second": found.second}
    if found.first_difference is not None:
        at = f"{found.first_difference:,}"
        lines.append(translate("{first} and {second} first differ at heap {count}", **games, count=at))
    last = f"{found.last_heap:,}"
    if found.shift is None:
        return [*lines, translate("no shift makes them agree up to heap {count}", count=last)]
    sign = "" if found.shift == 0 else f" {'+-'[found.shift < 0]} {abs(found.shift)}"
    relation = translate("heap n of {first} has the value of heap n{sign} of {second}", **games, sign=sign)
    return [*lines, relation, translate(_REASONS[found.proof or ""], count=last)]
