"""``graphgame convert``: convert a graph from one format to another."""

from __future__ import annotations

from pathlib import Path

import click

from graphgame.cli import common
from graphgame.cli.common import Game, complete_format, takes_game
from graphgame.cli.errors import UsageError
from graphgame.cli.language import HelpEnd, Listing
from graphgame.cli.progress import Writing, shown
from graphgame.errors import Message
from graphgame.io.files import is_there
from graphgame.io.format import Format
from graphgame.io.formats import FORMATS
from graphgame.io.source import plain_suffix

_EXAMPLES = HelpEnd(
    Listing(
        "Formats:",
        *((f"{each.name:10}{', '.join(each.suffixes)}", each.description) for each in FORMATS.values()),
        sign="",
    ),
    Listing(
        "Examples:",
        ("graphgame convert game.txt game.graphml", ""),
        ("graphgame convert game.edges game.json.gz", ""),
        ("graphgame convert moves.parquet game.edges.zst", "compressed: .gz, .bz2, .xz, .zst"),
        ("graphgame convert --to dot game.csv -", "to standard output"),
        ("graphgame convert --from edgelist - game.dot", ""),
        ("graphgame convert --relabel words.csv game.txt", "positions become 1..N"),
        ('graphgame convert "take{1,2}(9)" rules.graphml', "a game given by rules"),
        ('graphgame convert "nim(3,4)" --product sum.json', "the sum itself"),
    ),
)


@click.command("convert", epilog=_EXAMPLES)
@click.argument(
    "source", metavar="IN", type=click.Path(allow_dash=True, readable=False), shell_complete=common.complete_source
)
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--from", "--format", "format_", shell_complete=complete_format, metavar="NAME", help="Format of IN.")
@common.column_options
@click.option("--to", shell_complete=complete_format, metavar="NAME", help="Format of OUT.")
@common.shared_options("max_bytes")
@click.option("--relabel", is_flag=True, help="Give the positions new numbers: 1..N, or 0..N-1 in the format judge.")
@common.shared_options("tokens", "product", "product_limit", "max_positions")
@takes_game
def command(game: Game, target: str, to: str | None, relabel: bool) -> None:
    """Read the graph in IN and write it to OUT (- is standard input or output).

    IN is a graph file, or a position such as "nim(3,4)", whose graph is written. Without --from and --to, the file
    names decide the formats; if IN is a file, its first lines help to decide its format.

    Files may have headers, weights, semicolons or row numbers, as other tools write them. A line on standard error
    tells what was guessed. For many other formats, the error message says how to convert the file.
    """
    from graphgame.io import write_game
    from graphgame.io.formats import format_named, format_of_name

    written = format_named(to) if to else format_of_name(target)
    refuse_name(game, target, written)
    graph = game.graph
    with shown(Writing) as writing:
        write_game(graph, target, written.name, relabel=relabel, progress=writing)
    source, format = game.source, game.graph.graph.get("format")
    common.tell(
        Message("read {source} as {source_format}, wrote {target} as {format}", source, format, target, written.name)
        if game.position is None
        else Message("explored {source}, wrote {target} as {format}", source, target, written.name)
    )


def refuse_name(game: Game, target: str, written: Format) -> None:
    """Raise a UsageError if OUT has another format's suffix (except .txt), or would overwrite IN in another format."""
    if target == "-":
        return
    refuse_other_name(target, written)
    in_place = is_there(game.source) and is_there(target) and Path(game.source).samefile(target)
    if in_place and game.graph.graph["format"] != written.name:
        raise UsageError(
            "this would overwrite {target} with another format, {format}: choose a new name that ends in {suffix}",
            target,
            written.name,
            written.suffixes[0],
        )


def refuse_other_name(target: str, written: Format) -> None:
    """Raise a UsageError if ``target`` has the suffix of a format other than ``written``; .txt is allowed."""
    suffix = plain_suffix(target)
    if suffix in written.suffixes:
        return
    if any(suffix in other.suffixes and other.suffix_decides for other in FORMATS.values()):
        raise UsageError("--to {name} and the name {target} disagree: leave out --to", written.name, target)
