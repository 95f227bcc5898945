"""``graphgame convert``: one graph format into another."""

from __future__ import annotations

import click

from graphgame.cli import common

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  graphgame convert game.txt game.graphml
  graphgame convert game.edges game.json.gz
  graphgame convert --to dot game.csv -             to standard output
  graphgame convert --from edgelist - game.dot
"""


@click.command("convert", epilog=_EXAMPLES, short_help="Change the format of a graph.")
@click.argument("source", metavar="IN", type=click.Path(allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--from", "from_", shell_complete=common.complete_format, metavar="NAME", help="Format of IN.")
@click.option("--to", shell_complete=common.complete_format, metavar="NAME", help="Format of OUT.")
def command(source: str, target: str, from_: str | None, to: str | None) -> None:
    """Read the graph in IN and write it to OUT (- is standard input or output).

    The formats follow from the names, and for IN from its first lines, unless they are given.
    """
    from graphgame.io import write_game
    from graphgame.io.formats import format_named, format_of_name

    written = format_named(to) if to else format_of_name(target)
    graph = common.load(source, from_)
    write_game(graph, target, written.name)
    common.note(f"read {source} as {graph.graph['format']}, wrote {target} as {written.name}")
