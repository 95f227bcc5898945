"""``graphgame misere``: genera and canonical forms under misère play."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.language import HelpEnd, Listing
from graphgame.labs.misere.cli.misere.source import MisereSource, takes_source
from graphgame.text.sentences import word_for
from graphgame.text.text import table

if TYPE_CHECKING:
    from graphgame.labs.misere import GenusTable

__all__ = ["command"]

_SHOWN_FORM = 38
_WORDS = ("outcome", "kind")
_WRITTEN_FORM = 1000

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame misere 0.77", "the genus of the heaps 0 to 20"),
        ("graphgame misere kayles --heaps 12 --canonical", ""),
        ('graphgame misere "take{1,3,4}" --heaps 50', ""),
        ('graphgame misere "notakto(1)" --csv', "of all positions that can come up"),
        ("graphgame misere game.txt --json", ""),
    ),
    Listing(
        "More commands, each with its own --help:",
        ("graphgame misere quotient 0.123 --heaps 80", "the misère quotient, with proof"),
        ("graphgame misere outcome 0.123 3,3,9,70", "who wins a sum of heaps"),
        ("graphgame misere check dawson.json", "whether a saved quotient is right"),
    ),
)


@click.command(
    "misere",
    cls=common.OpenCommand,
    others={name: f"labs.misere.cli.misere.{name}:command" for name in ("quotient", "outcome", "check")},
    epilog=_EXAMPLES,
)
@takes_source
@click.option("--canonical", is_flag=True, help="Show the misère canonical forms and their birthdays too.")
@takes_output(csv="a line for each position", json="", latex="")
@common.shared_options("max_forms")
def command(source: MisereSource, out: OutputOptions, canonical: bool, max_forms: int | None) -> None:
    """Print the genus of every position of SOURCE under misère play, where whoever cannot move wins.

    SOURCE is a graph file, a position in the notation, or a heap game that graphgame heap takes, such as 0.77 or
    "take{1,3}". A genus such as 4^146 is the normal value with the misère values of the position alone, with one heap
    of two, with two, ...; the last two values repeat. A heap of Nim is shown by its size alone, and tame and restive
    positions with one misère value. Tame is meant as in Winning Ways: options that are not may be there, if one can go
    back from each to tame positions; --json says which are hereditarily tame.
    """
    from graphgame.io.latex import latex_table
    from graphgame.labs.misere import genus_table

    found = genus_table(source.graph, **({} if max_forms is None else {"max_forms": max_forms}))
    header = ["position", "genus", "misere", "outcome", "kind", *(["birthday", "form"] if canonical else [])]
    columns = f"{'l' if source.game is None else 'r'}lrllrl"[: len(header)]

    def cells(longest: int) -> list[list[Any]]:
        return [list(_row(found, position, canonical, longest).values()) for position in found]

    def shown() -> list[list[Any]]:
        return [
            [word_for(cell) if name in _WORDS else cell for name, cell in zip(header, row, strict=True)]
            for row in cells(_SHOWN_FORM)
        ]

    out.put(
        text=lambda: "\n".join([*table(list(map(word_for, header)), shown(), columns), ""]),
        csv=lambda: [header, *cells(_WRITTEN_FORM)],
        json=lambda: _record(source, found, canonical),
        latex=lambda: latex_table(header, _typeset(cells(_SHOWN_FORM)), columns),
    )


def _typeset(rows: list[list[Any]]) -> Iterator[list[Any]]:
    """Yield rows with the genus as it is printed in books."""
    from graphgame.io.latex import power

    yield from ([position, power(genus), *rest] for position, genus, *rest in rows)


def _row(found: GenusTable, position: Hashable, canonical: bool, longest: int) -> dict[str, Any]:
    genus, number = found[position], found.form[position]
    row = {
        "position": position,
        "genus": str(genus),
        "misere": genus.misere_value,
        "outcome": genus.misere_outcome,
        "kind": genus.kind,
    }
    if canonical:
        row |= {"birthday": found.forms.birthday[number], "form": found.forms.text(number, longest)}
    return row


def _record(source: MisereSource, found: GenusTable, canonical: bool) -> dict[str, Any]:
    """Return the object of JSON; with canonical forms the options of each form, by their numbers."""
    positions = []
    for position, genus in found.items():
        row = _row(found, position, canonical, _WRITTEN_FORM)
        row |= {"grundy": genus.base, "superscript": genus.superscript, "is_nim_heap": genus.is_nim_heap}
        row["hereditarily_tame"] = genus.hereditarily_tame
        row["position"] = position if isinstance(position, int) else str(position)
        positions.append(row | ({"form_number": found.form[position]} if canonical else {}))
    forms = {"forms": [sorted(options) for options in found.forms.options]} if canonical else {}
    return {"game": source.source, "positions": positions, **forms}
