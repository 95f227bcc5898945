"""``graphgame draw``: a picture of a game."""

from __future__ import annotations

from typing import Any

import click

from graphgame.cli import common
from graphgame.cli.game import Game, takes_game
from graphgame.graph import GameGraph
from graphgame.solution import Solution

__all__ = ["command", "write_picture"]

_EXAMPLES = """\b
Examples:
  graphgame draw game.txt -o game.svg
  graphgame draw game.txt -o game.png --left-to-right --dpi 200
  graphgame draw large.txt -o part.pdf --around 17 --steps 2
  graphgame draw game.edges -o from_a.svg --reachable-from a --only P
  graphgame draw game.txt | dot -Tsvg              DOT on standard output
  graphgame draw cycle.edges --plain -o cycle.svg  without values
  graphgame draw "nim(3,4)" --product -o nim.svg   the sum itself
"""


@click.command("draw", epilog=_EXAMPLES, short_help="Draw a picture of a game.")
@common.source_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    default="-",
    help="A .svg, .png, .pdf, .dot or .gv file; by default DOT on standard output.",
)
@common.format_option
@common.tokens_option
@common.misere_option
@click.option("--plain", is_flag=True, help="Draw the graph as it stands, without solving it; it may have a cycle.")
@click.option("--reachable-from", multiple=True, metavar="POSITIONS", help="Only what play can reach from these.")
@click.option("--around", multiple=True, metavar="POSITIONS", help="Only what is near these.")
@click.option("--steps", type=int, metavar="N", help="How near --around is, in moves; 2 unless given.")
@click.option("--only", type=click.Choice(["P", "N"]), help="Only positions of this outcome.")
@click.option("--left-to-right", is_flag=True, help="Let play go from left to right, not from top to bottom.")
@click.option("--no-values", is_flag=True, help="Leave out the values.")
@click.option("--no-names", is_flag=True, help="Leave out the positions' names.")
@click.option("--no-legend", is_flag=True, help="Leave out the legend.")
@click.option("--title", metavar="TEXT", help="Title; by default it says who wins.")
@click.option("--colors", metavar="P,N", help="Colours of P and N, such as '#56b4e9,orange'.")
@click.option("--dpi", type=int, metavar="N", help="Dots an inch of a PNG.")
@click.option("--timeout", type=float, metavar="SECONDS", help="When to give up the layout of an image.")
@click.option("--force", is_flag=True, help="Lay out the picture however large it is, however long it takes.")
@common.product_option
@common.product_limit_option
@common.max_positions_option
@common.engine_option
@takes_game
def command(game: Game, output: str, plain: bool, **options: Any) -> None:  # noqa: ANN401
    """Draw the game in SOURCE, a graph file or a position such as "nim(3,4)", coloured by outcome.

    Each vertex has its value, and winning moves stand out.
    """
    if plain and (game.tokens or game.misere or options["only"]):
        raise click.UsageError("--plain draws without solving: leave out --tokens, --misere and --only")
    if options["steps"] is not None and not options["around"]:
        raise click.UsageError("--steps says how near --around is: give --around POSITIONS")
    if options["around"] and options["reachable_from"]:
        raise click.UsageError("choose one of --around and --reachable-from")
    drawn = game.graph if plain else game.solution()
    write_picture(drawn, output, **_picture_options(game.graph, options))


def write_picture(drawn: GameGraph | Solution, path: str, **options: object) -> None:
    """Draw a picture, or DOT on standard output, and say so on standard error."""
    from graphgame.export import draw, write_dot

    if path == "-":
        write_dot(drawn, path, **options)
    else:
        draw(drawn, path, **options)
        common.note(f"wrote {path}")


def _picture_options(graph: GameGraph, given: dict[str, Any]) -> dict[str, object]:
    """Return the options that were given, as the picture takes them."""
    options: dict[str, object] = {name: not given.pop(f"no_{name}") for name in ("values", "names", "legend")}
    for name in ("reachable_from", "around"):
        options[name] = common.find_tokens(graph, given.pop(name))
    if given["colors"] is not None:
        options["colors"] = [color.strip() for color in given.pop("colors").split(",")]
    return options | {name: value for name, value in given.items() if value is not None}
