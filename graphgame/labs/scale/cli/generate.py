"""``graphgame generate``: write games of given shapes and sizes."""

from __future__ import annotations

import re
from typing import Any

import click

from graphgame.cli import common
from graphgame.cli.common import Integer
from graphgame.cli.language import HelpEnd, Listing
from graphgame.cli.progress import Writing, shown
from graphgame.labs.scale.generators import MAX_SIZE, MAX_STREAMED, SHAPES, Generated, edge_blocks
from graphgame.text.languages import amount, translate

_MOST_EDGES_SORTED = 1 << 27
"""A token file of at most this many edges lists them by source; a larger one, in the order of generation."""

_EXAMPLES = HelpEnd(
    Listing("Shapes:", *((shape.name, shape.description) for shape in SHAPES.values()), sign=""),
    Listing(
        "Examples:",
        ("graphgame generate random --vertices 20 --edges 40", ""),
        ("graphgame generate path --vertices 1_000_000 -o path.txt.gz", ""),
        ("graphgame generate complete --edges 1_000_000 --to csv", ""),
        ("graphgame generate layered --edges 10_000_000 --seed 5 --shuffle -o game.edges", ""),
        ("graphgame generate random --vertices 1e8 --edges 1e9 -o edges.parquet", ""),
        ("graphgame generate grid | graphgame solve -", ""),
    ),
)


class _Count(Integer):
    """The type of an option whose value is an integer; it may be written as 1e9."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        short = re.fullmatch(r"(\d{1,9})[eE](\d{1,2})", str(value))
        return int(super().convert(int(short[1]) * 10 ** int(short[2]) if short else value, param, ctx))


@click.command("generate", epilog=_EXAMPLES)
@click.argument("shape", type=click.Choice(list(SHAPES)), metavar="SHAPE")
@click.option(
    "--vertices", type=_Count(min=0), metavar="N", help="How many vertices (default: 100, or as many as suit --edges)."
)
@click.option("--edges", type=_Count(min=0), metavar="M", help="How many edges (default: as many as suit --vertices).")
@common.number_option(
    "--tokens",
    least=0,
    default=1,
    metavar="K",
    help="How many tokens. They are on the vertices 1 to K, before --shuffle renumbers these.",
)
@common.number_option(
    "--seed", least=0, default=0, help="Seed of the random choices: the same number repeats the game."
)
@click.option(
    "--shuffle", is_flag=True, help="Number the vertices at random. Otherwise all moves go to higher numbers."
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    default="-",
    help="The file to write; by default standard output.",
)
@click.option(
    "--to",
    shell_complete=common.complete_format,
    metavar="NAME",
    help="Format of OUT. By default the name of OUT says the format, and standard output is a token file.",
)
def command(
    shape: str,
    vertices: int | None,
    edges: int | None,
    tokens: int,
    seed: int,
    shuffle: bool,
    output: str,
    to: str | None,
) -> None:
    """Write a game of this SHAPE, with the positions 1 to N (0 to N - 1 in the format judge).

    --vertices and --edges may be written as 1e8. Parquet files, and token files of more than 134 million moves, are
    written in blocks, so that the game need not fit in memory.

    A grid, path, star or complete graph is the largest that has no more vertices than --vertices and no more edges than
    --edges. All other shapes have exactly these numbers.
    """
    from graphgame.cli.convert import refuse_other_name
    from graphgame.io import write_game
    from graphgame.io.formats import format_named, format_of_name

    written = format_named(to or "token") if to or output == "-" else format_of_name(output)
    refuse_other_name(output, written)
    most = MAX_STREAMED if written.name in ("parquet", "token") else MAX_SIZE
    game = edge_blocks(shape, vertices=vertices, edges=edges, tokens=tokens, seed=seed, shuffle=shuffle, most=most)
    if written.name == "parquet" or (written.name == "token" and game.edges > _MOST_EDGES_SORTED):
        _write_blocks(game, output, written.name)
    else:
        with shown(Writing) as writing:
            write_game(game.graph(), output, written.name, relabel=written.name == "judge", progress=writing)
    facts = {"vertices": amount(game.vertices, "vertex"), "edges": amount(game.edges, "edge")}
    common.tell_of(output, translate("{vertices} and {edges}, as {format}", **facts, format=written.name))


def _write_blocks(game: Generated, output: str, to: str) -> None:
    """Write a game in blocks, in the format ``to``: "token" or "parquet"."""
    from graphgame.io import tokenfile
    from graphgame.io.files import open_atomic
    from graphgame.labs.formats import tables

    if to == "token":
        with open_atomic(output) as text:
            tokenfile.write_edge_lines(game.blocks, (game.vertices, game.edges), game.tokens, text)
    else:
        with open_atomic(output, "wb") as stream:
            tables.write_blocks(game.blocks, game.vertices, game.tokens, stream)
