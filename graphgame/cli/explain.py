"""``graphgame explain``: a value step by step."""

from __future__ import annotations

import click

from graphgame.cli import common
from graphgame.cli.game import Game, takes_game

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  graphgame explain game.txt                the nim-sum, and why the winner wins
  graphgame explain game.txt 4              the value of position 4
  graphgame explain game.edges a --depth 0  that of a alone, not of its options
  graphgame explain game.txt 4 --misere
  graphgame explain cycle.edges a --loopy
  graphgame explain "nim(14,21,39)"         the rule of Nim, with the numbers
"""


@click.command("explain", epilog=_EXAMPLES, short_help="Derive a value step by step.")
@common.source_argument
@click.argument("position", required=False)
@common.format_option
@common.tokens_option
@common.misere_option
@common.loopy_option
@click.option(
    "--depth", type=click.IntRange(min=0), default=2, show_default=True, help="Moves that the derivations go down."
)
@common.product_limit_option
@common.max_positions_option
@common.engine_option
@takes_game
def command(game: Game, position: str | None, depth: int) -> None:
    """Derive the value of POSITION in the game in SOURCE, or say why the winner of the tokens' sum wins.

    SOURCE is a graph file (- is standard input), or a position such as "nim(3,4,5)" or "take{1,3}(7) + kayles(5)".
    Without POSITION and without tokens, the positions that no move leads to are derived.
    """
    from graphgame.explanation import explain

    named = game.position if position is None and not game.tokens else None
    told = None if named is None or game.loopy else named.explanation_by_theorem(game.play)
    if told is not None:
        click.echo(told)
        return
    solution = game.quick_solution() if position is None else game.solution()
    if named is not None and (solution is None or named.nim_heaps is not None):
        click.echo(named.explain(game.play))
    elif solution is not None:
        wanted = None if position is None else common.find_position(solution.graph, position)
        click.echo(explain(solution, wanted, depth=depth))
