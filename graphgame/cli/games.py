"""``graphgame games``: list and describe the games of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from graphgame.cli.common import complete_game
from graphgame.cli.language import HelpEnd, Listing
from graphgame.errors import Message
from graphgame.text.languages import translate
from graphgame.text.sentences import word_for
from graphgame.text.text import wrapped

if TYPE_CHECKING:
    from graphgame.games import Entry

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame games", "every game, with an example of its notation"),
        ("graphgame games wythoff", "its rules, what is known, the literature, and a position"),
        ('graphgame solve "wythoff(3,5)"', "who wins from this position"),
        ('graphgame check "wythoff(3,5)"', "test its rules by playing"),
    ),
    Listing(
        "Sums and compounds:",
        ("A + B", "sum: move in one component"),
        ("A & B", "conjunctive: move in every component; play ends when one component is over"),
        ("A && B", "continued conjunctive: move in every component that has a move, until all are over"),
        ("A | B", "selective: move in one or more components, until all are over"),
        ("A || B", "shortened selective: move in one or more components; play ends when one component is over"),
        ("A : B", "ordinal sum: move in one component, which removes all later components"),
        sign="",
    ),
)

_VALUED = {
    "P": Message("value {value}, P-position"),
    "N": Message("value {value}, N-position"),
    "D": Message("value {value}, D-position"),
}


@click.command("games", epilog=_EXAMPLES)
@click.argument("name", required=False, shell_complete=complete_game)
def command(name: str | None) -> None:
    """List the games of the catalogue, or describe the game NAME: rules, theorem, source and an example."""
    from graphgame.rules.catalogue import CATALOGUE, entry_of

    lines = _list(CATALOGUE.values()) if name is None else _description(entry_of(name))
    click.echo("\n".join(lines))


def _list(entries: Iterable[Entry]) -> Iterator[str]:
    from graphgame.text.rules import described

    for entry in entries:
        yield f"{entry.name:<20}{entry.example}"
        yield f"    {described(entry).rules}"


def _description(entry: Entry) -> Iterator[str]:
    from graphgame.rules.notation import parse_position
    from graphgame.solution.results import outcome_of
    from graphgame.solution.solve import solve
    from graphgame.text.rules import described

    about = described(entry)
    yield from _paragraphs("", about.rules, about.ending, about.notation)
    if about.graphs:
        yield from [word_for("graphs"), "", *(f"{graph:<17}{meaning}" for graph, meaning in about.graphs), ""]
        yield from _paragraphs("", about.directions)
    yield from _paragraphs("theorem", about.theorem)
    yield from _paragraphs("source", about.source)
    position = parse_position(entry.example)
    yield from [translate("example"), "", entry.example]
    for component in position.components:
        yield ""
        yield component.ruleset.board(component.position)
    value = solve(position.graph(), loopy=True).nim_sum if position.loopy else position.grundy
    yield "\n" + translate(_VALUED[outcome_of(value)], value=value)


def _paragraphs(title: str, *texts: str) -> Iterator[str]:
    """Yield the lines of each text that is not empty, with the title above each, unless the title is empty."""
    for text in filter(None, texts):
        yield from [word_for(title), ""] if title else []
        yield from [*wrapped(text, 120), ""]
