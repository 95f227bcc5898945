"""``graphgame reduce`` and ``graphgame nimber``: a smaller graph of the same game, and nim arithmetic."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_game, takes_output
from graphgame.cli.convert import refuse_name
from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples
from graphgame.cli.progress import Writing, shown
from graphgame.text.languages import amount, translate
from graphgame.text.text import MOST_ROWS, capped, printable

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph
    from graphgame.labs.theory.reduction import Reduction


_MOST_LINES = 200
"""The maximum number of vertices of the reduced graph that are printed."""

_MOST_NAMES = 3
"""The maximum number of merged positions that a vertex of a picture names."""

_PICTURES = (".svg", ".png", ".pdf", ".tex", ".html")

_EXAMPLES_OF_REDUCE = examples(
    ("graphgame reduce game.txt", "which positions are equal"),
    ("graphgame reduce game.txt -o reduced.svg", "the picture for a slide"),
    ('graphgame reduce "kayles(7)" -o kayles.json', ""),
    ("graphgame reduce game.txt --to heaps -o heaps.svg", ""),
    ("graphgame reduce game.txt --to thin -o thin.dot", ""),
    ("graphgame reduce game.txt --isomorphic-to other.dot", ""),
)


@click.command("reduce", epilog=_EXAMPLES_OF_REDUCE)
@common.source_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(),
    help="A graph file, or a picture: .svg, .png, .pdf, .tex, or an .html page.",
)
@click.option(
    "--to",
    type=click.Choice(["equal", "heaps", "thin"]),
    default="equal",
    show_default=True,
    help="equal merges positions with the same options: they are the same game. heaps merges all positions of the "
    "same value into a heap of Nim. thin keeps the positions and their values, but not the moves that the values do "
    "not need.",
)
@click.option(
    "--isomorphic-to",
    "other",
    metavar="OTHER",
    help="Only say whether the graphs of SOURCE and OTHER, a second SOURCE, are the same except for names and tokens.",
)
@click.option(
    "--relabel",
    is_flag=True,
    help="In a graph file OUT, give the positions new numbers: 1..N, or 0..N-1 in the format judge.",
)
@common.shared_options("format", "max_bytes", "tokens", "product", "product_limit", "max_positions")
@takes_game
def reduce_command(game: Game, output: str | None, to: str, other: str | None, relabel: bool) -> None:
    """Make a smaller graph of the game in SOURCE, a graph file or a position such as "kayles(7)".

    Without OUT the command prints a line for each vertex of the small graph, but at most 200 lines. A line has the
    names of at most 20 positions that are merged in the vertex. The sizes of both graphs follow. With --to thin, which
    merges no positions, only the sizes are printed. The graph may have cycles, except with --to heaps and --to thin.
    --to heaps also refuses games in which a move ends play at once.
    """
    from graphgame.io.formats import format_of_name
    from graphgame.labs.theory.reduction import isomorphism, reduce, thin

    if other is not None:
        if output is not None or relabel or to != "equal":
            raise UsageError("--isomorphic-to makes no graph: leave out --output, --to and --relabel")
        mapping = isomorphism(game.graph, common.load(other, None, game.max_positions))
        click.echo(translate("not isomorphic" if mapping is None else "isomorphic"))
        return
    if output is not None and not output.lower().endswith(_PICTURES):
        refuse_name(game, output, format_of_name(output))
    if to == "thin":
        _report(game.graph, thin(game.graph), output, None, relabel)
    else:
        reduction = reduce(game.graph, heaps=to == "heaps")
        _report(game.graph, reduction.graph, output, reduction, relabel)


def _report(large: GameGraph, small: GameGraph, path: str | None, reduction: Reduction | None, relabel: bool) -> None:
    """Write the small graph to the file ``path``; if it is None, print the positions that each vertex merges.

    In both cases print the sizes of the two graphs. If ``reduction`` is None, no position was merged: print only sizes.
    If ``relabel`` is true, the positions get new numbers in a graph file.
    """
    size = translate("{large}; reduced to {small}", large=_size(large), small=_size(small))
    if path is not None:
        _write(small, path, reduction, relabel)
        common.tell(size)
        return
    if reduction is not None:
        rows = (" = ".join(_members(reduction, vertex, MOST_ROWS)) for vertex in small)
        click.echo("\n".join([*capped(rows, len(small), _MOST_LINES), ""]))
    click.echo(size)


def _write(graph: GameGraph, path: str, reduction: Reduction | None, relabel: bool) -> None:
    from graphgame.cli.draw import write_picture

    if not path.lower().endswith(_PICTURES):
        from graphgame.io import write_game

        with shown(Writing) as writing:
            write_game(graph, path, relabel=relabel, progress=writing)
        common.tell_of(path)
        return
    from graphgame.rules.component_graphs import with_texts
    from graphgame.solution.solve import solve

    if reduction is not None:
        graph = with_texts(graph, lambda vertex: " = ".join(_members(reduction, vertex, _MOST_NAMES)))
    write_picture(solve(graph, loopy=True), path)


def _members(reduction: Reduction, vertex: Hashable, most: int) -> list[str]:
    """Return the texts of the members of a vertex, its label first: at most ``most``, then "..." if there are more."""
    members = reduction.members(vertex)
    names = [vertex, *(member for member in members if member != vertex)]
    return [*map(printable, names[:most]), *(["..."] if len(names) > most else [])]


def _size(graph: GameGraph) -> str:
    sums, moves = 0, graph.number_of_edges()
    if graph.sums is not None:
        sums, moves = int(graph.sums.sum()), int(graph.out_degrees[~graph.sums].sum())
    positions = translate(", ").join([amount(len(graph) - sums, "position"), *([amount(sums, "sum")] if sums else [])])
    return translate("{positions} and {moves}", positions=positions, moves=amount(moves, "move"))


_LARGEST_TABLE = 256

_EXAMPLES_OF_NIMBER = examples(
    ('graphgame nimber "7*9"', ""),
    ('graphgame nimber "4*4 + 19*23"', "+ is xor; * and / bind tighter"),
    ('graphgame nimber "14 ^ 21"', "^ is also xor, as in Python; so is 14 xor 21"),
    ('graphgame nimber "4**3"', "a nim power; the exponent is an ordinary integer"),
    ('graphgame nimber "1/7"', "the inverse"),
    ('graphgame nimber "sqrt(6)**5"', ""),
    ('graphgame nimber "mex{0, 1, 2*3}"', "the least number that is missing"),
    ("graphgame nimber --table 16", "the multiplication table of 0..15"),
    ("graphgame nimber --table 16 -o products.tex", ""),
)


@click.command("nimber", epilog=_EXAMPLES_OF_NIMBER)
@click.argument("expression", required=False)
@click.option(
    "--table",
    type=common.Integer(min=1, max=_LARGEST_TABLE),
    metavar="N",
    help=f"Print the multiplication table of 0..N-1, N up to {_LARGEST_TABLE}.",
)
@takes_output(csv="", json="", latex="")
def nimber_command(expression: str | None, table: int | None, out: OutputOptions) -> None:
    """Print the number that EXPRESSION stands for in the field of nimbers, the Grundy values.

    Addition is xor, multiplication is that of Conway: the value of a coin in the product of two coin-turning games is
    the nim product of its values in both. + and ^ and xor are all xor, and ** is a power: 4^3 is 7, 4**3 is 4*4*4,
    which is 14. As in Python ** binds closest, then * and /, then + and ^. An exponent is one integer: write a power of
    a power as (4**3)**2.
    """
    from graphgame.text.latex import latex_table

    if (expression is None) == (table is None):
        raise UsageError('give an expression such as "7*9", or --table N')
    from graphgame.labs.theory import nimbers

    if expression is not None:
        value = nimbers.evaluate(expression)
        out.put(
            text=lambda: f"{value}\n",
            csv=lambda: [("expression", "value"), (expression, value)],
            json=lambda: {"expression": expression, "value": value},
            latex=lambda: f"${nimbers.latex(expression)} = {value}$\n",
        )
    elif table is not None:
        import numpy as np

        numbers = range(table)
        rows: list[list[int]] = nimbers.product(np.arange(table)[:, None], np.arange(table)).tolist()
        named = [(number, *row) for number, row in zip(numbers, rows, strict=True)]
        out.put(
            text=lambda: _text(rows),
            csv=lambda: [("", *numbers), *named],
            json=lambda: {"products": rows},
            latex=lambda: latex_table(["", *numbers], named, r"r@{\quad}" + "r" * table, whole=True),
        )


def _text(rows: list[list[int]]) -> str:
    width = len(str(max(map(max, rows))))
    return "".join(" ".join(f"{entry:>{width}}" for entry in row) + "\n" for row in rows)
