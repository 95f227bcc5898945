"""``graphgame misere quotient``: the misère quotient, with proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.misere.source import (
    MisereSource,
    QuotientSearch,
    period_text,
    proved_for,
    takes_search,
    takes_source,
)
from graphgame.explanation.text import printable, table

if TYPE_CHECKING:
    from graphgame.theory.misere import MisereQuotient

__all__ = ["command"]

_A_LINE = 10
_LARGEST_TABLE = 24

_EXAMPLES = """\b
Examples:
  graphgame misere quotient 0.123 --heaps 80
  graphgame misere quotient "notakto(1)" --json
  graphgame misere quotient 0.07 --heaps 40 --time 60 --save dawson.json
  graphgame misere quotient 0.07 --heaps 40 --resume dawson.json --save dawson.json
"""


@click.command("quotient", epilog=_EXAMPLES)
@takes_source
@takes_search
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: the element of each position.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, as --save writes it.")
def command(source: MisereSource, search: QuotientSearch, as_csv: bool, as_json: bool) -> None:
    """Find the misère quotient of SOURCE, a graph file, a position in the notation, or a heap game such as 0.77.

    It is the least commutative monoid that tells the outcome of every sum of positions under misère play, and printed
    only as far as it is proved. A search that a limit or Ctrl-C ends says so, and goes on from the file it saved.
    """
    from graphgame.theory.misere import quotient_record

    form = common.form_of(as_csv, as_json)
    if search.save == "-" and form is not None:
        raise click.UsageError("choose one of --save -, --csv and --json: all go to standard output")
    found = search.quotient(source)
    if form == "json":
        common.print_json(quotient_record(found))
    elif form == "csv":
        elements = zip(found.labels, found.images, strict=True)
        rows = ((label, found.names[element], "P" if found.lost[element] else "N") for label, element in elements)
        common.print_csv([("position", "element", "outcome"), *rows])
    elif search.save != "-":
        click.echo("\n".join(_lines(found, source)))


def _lines(found: MisereQuotient, source: MisereSource) -> Iterator[str]:
    size = f"order {found.order}, {len(found.p_portion)} P"
    yield f"{printable(found.game)}: misère quotient of {size}, proved {proved_for(found, source)}"
    if period := period_text(found):
        yield period
    yield ""
    yield "generators"
    yield from (f"  {letter} = {printable(label)}" for letter, label in found.letters.items())
    yield "relations"
    yield from (f"  {longer} = {shorter}" for longer, shorter in found.relations)
    yield "P-portion"
    yield f"  {', '.join(found.names[element] for element in found.p_portion)}"
    yield "pretending function"
    names = [found.names[element] for element in found.images]
    if source.game is None:
        yield from table(["position", "element"], list(zip(found.labels, names, strict=True)), "ll")
    else:
        rows = [[start, *_filled(names[start : start + _A_LINE])] for start in range(0, len(names), _A_LINE)]
        yield from table(["", *map(str, range(_A_LINE))], rows, "r" * (_A_LINE + 1))
    if found.order <= _LARGEST_TABLE:
        yield "products"
        rows = [[found.names[x], *(found.names[product] for product in row)] for x, row in enumerate(found.table)]
        yield from table(["", *found.names], rows, "r" * (found.order + 1))


def _filled(cells: list[str]) -> list[str]:
    return cells + [" "] * (_A_LINE - len(cells))
