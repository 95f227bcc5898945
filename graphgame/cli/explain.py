"""``graphgame explain``: derive a value step by step."""

from __future__ import annotations

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_game, takes_output
from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples
from graphgame.registry import registered

_EXAMPLES = examples(
    ("graphgame explain game.txt", "the nim-sum, and why the winner wins"),
    ("graphgame explain game.txt 4", "the value of position 4"),
    ("graphgame explain game.edges a --depth 0", "derive only the value of a, not those of its options"),
    ("graphgame explain game.txt 4 --misere", ""),
    ('graphgame explain "kayles(9)" --misere --genus --depth 0', ""),
    ('graphgame explain "kayles(9)" --misere --quotient kayles.json', "the file is from graphgame misere quotient -o"),
    ("graphgame explain cycle.edges a --loopy", ""),
    ('graphgame explain "nim(14,21,39)"', "the winning move of Nim, calculated"),
    ("graphgame explain game.txt 4 -o why.tex", "for a handout"),
)


@click.command("explain", epilog=_EXAMPLES)
@common.source_argument
@click.argument("position", required=False)
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy")
@common.number_option("--depth", least=0, default=2, help="Derive the values of options, too, down to this many moves.")
@click.option("--genus", is_flag=True, help="With --misere: show the genus of each position, and its canonical form.")
@click.option(
    "--quotient",
    metavar="FILE",
    type=click.Path(),
    help="With --misere: show the element of each position in the misère quotient of this file.",
)
@common.shared_options("max_forms", "product_limit", "max_positions", "engine")
@takes_output(latex="sums and lists as tables")
@takes_game
def command(
    game: Game,
    out: OutputOptions,
    position: str | None,
    depth: int,
    genus: bool,
    quotient: str | None,
    max_forms: int | None,
) -> None:
    """Derive the value of POSITION in the game in SOURCE, or say why the winner of the sum wins.

    SOURCE is a graph file (- is standard input), or a position such as "nim(3,4,5)" or "take{1,3}(7) + kayles(5)".
    Without POSITION and tokens, derive the values of positions that no move leads to (if none, of all): at most 40.
    """
    from graphgame.text.named_vertices import named_vertex
    from graphgame.text.positions import explain, explain_position

    if not game.misere and (genus or quotient is not None):
        raise UsageError("--genus and --quotient are about misère play: give --misere too")
    if genus or quotient is not None:
        explanation = registered("explanation of misère play")(game, position, depth, genus, quotient, max_forms)
    elif position is None and game.asked is not None:
        explanation = explain_position(game.asked, depth, game.quick_solution)
    else:
        solution = game.solution()
        vertex = None if position is None else named_vertex(solution.graph, position, game.position)
        explanation = explain(solution, vertex, depth=depth)
    out.put(text=lambda: f"{explanation}\n", latex=explanation.to_latex)
