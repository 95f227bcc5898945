"""``graphgame misere quotient``: the misère quotient, with proof."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

import click

from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.language import examples
from graphgame.io.latex import latex_parts, latex_table, latex_text, power
from graphgame.labs.misere.cli.misere.source import (
    MisereSource,
    QuotientSearch,
    period_text,
    proved_for,
    takes_search,
    takes_source,
)
from graphgame.text.languages import translate
from graphgame.text.text import printable, table

if TYPE_CHECKING:
    from graphgame.labs.misere import MisereQuotient

_A_LINE = 10
_LARGEST_TABLE = 12

_EXAMPLES = examples(
    ("graphgame misere quotient 0.123 --heaps 80", ""),
    ('graphgame misere quotient "notakto(1)" --json', ""),
    ("graphgame misere quotient 0.123 --heaps 80 -o quotient.json", "for misere check: also .csv, .tex"),
    ("graphgame misere quotient 0.07 --heaps 40 --time 60 --resume dawson.json", "again, to go on"),
)


@click.command("quotient", epilog=_EXAMPLES)
@takes_source
@takes_search
@takes_output(csv="the element of each position", json="as misere check reads it", latex="")
def command(source: MisereSource, search: QuotientSearch, out: OutputOptions) -> None:
    """Find the misère quotient of SOURCE, a graph file, a position in the notation, or a heap game such as 0.77.

    It is the least commutative monoid that tells the outcome of every sum of positions under misère play, and printed
    only as far as it is proved. A search that a limit or Ctrl-C ends says so, and goes on from the file it saved.
    """
    from graphgame.labs.misere import quotient_record

    found = search.quotient(source)
    out.put(
        text=lambda: "\n".join([*_lines(found, source), ""]),
        csv=lambda: [("position", "element", "outcome"), *_elements(found)],
        json=lambda: quotient_record(found),
        latex=lambda: _latex(found, source),
    )


def _elements(found: MisereQuotient) -> Iterator[tuple[Hashable, str, str]]:
    for label, element in zip(found.labels, found.images, strict=True):
        yield label, found.names[element], "P" if found.lost[element] else "N"


def _latex(found: MisereQuotient, source: MisereSource) -> str:
    """Return the quotient by generators and relations, and the element of each position; or heap, in rows."""
    letters = ", ".join(f"{power(letter)} = {latex_text(printable(label))}" for letter, label in found.letters.items())
    relations = ", ".join(power(f"{longer} = {shorter}") for longer, shorter in found.relations)
    portion = power(f"\\{{{', '.join(found.names[element] for element in found.p_portion)}\\}}")
    period = period_text(found)
    told = (
        f"{latex_text(printable(found.game))}: order {found.order}, proved {latex_text(proved_for(found, source))}.\n"
        f"Generators {letters}; relations {relations}; P-portion {portion}."
        + (f"\n{latex_text(period)}." if period else "")
    )
    if source.game is None:
        table = latex_table(
            ["position", "element", "outcome"], ((x, power(y), z) for x, y, z in _elements(found)), "lll"
        )
    else:
        names = [power(found.names[element]) for element in found.images]
        rows = ([start, *names[start : start + _A_LINE]] for start in range(0, len(names), _A_LINE))
        table = latex_table(["", *range(_A_LINE)], rows, r"r@{\quad}" + "l" * _A_LINE)
    return latex_parts([told, table])


def _lines(found: MisereQuotient, source: MisereSource) -> Iterator[str]:
    yield translate(
        "{game}: misère quotient of order {order}, {number} P, proved {proved}",
        game=printable(found.game),
        order=found.order,
        number=len(found.p_portion),
        proved=proved_for(found, source),
    )
    if period := period_text(found):
        yield period
    yield ""
    yield translate("generators")
    yield from (f"  {letter} = {printable(label)}" for letter, label in found.letters.items())
    yield translate("relations")
    yield from (f"  {longer} = {shorter}" for longer, shorter in found.relations)
    yield translate("P-portion")
    yield f"  {', '.join(found.names[element] for element in found.p_portion)}"
    yield translate("pretending function")
    names = [found.names[element] for element in found.images]
    if source.game is None:
        yield from table(
            [translate("position"), translate("element")], list(zip(found.labels, names, strict=True)), "ll"
        )
    else:
        rows = [[start, *_filled(names[start : start + _A_LINE])] for start in range(0, len(names), _A_LINE)]
        yield from table(["", *map(str, range(_A_LINE))], rows, "r" * (_A_LINE + 1))
    if found.order <= _LARGEST_TABLE:
        yield translate("products")
        rows = [[found.names[x], *(found.names[product] for product in row)] for x, row in enumerate(found.table)]
        yield from table(["", *found.names], rows, "r" * (found.order + 1))


def _filled(cells: list[str]) -> list[str]:
    return cells + [" "] * (_A_LINE - len(cells))
