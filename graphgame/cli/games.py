"""``graphgame games``: the catalogue."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from graphgame.cli.common import complete_game
from graphgame.explanation.rules import first_paragraph
from graphgame.texts import lookup, translate

if TYPE_CHECKING:
    from graphgame.games import Entry

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  graphgame games                   # every game, with an example of its notation
  graphgame games wythoff           # its rules, theorem and source, and a position
  graphgame solve "wythoff(3,5)"    # who wins it
  graphgame check "wythoff(3,5)"    # whether the rules are in order

\b
Between positions:
  A + B    sum: a move in one component
  A & B    conjunctive: a move in every component, until one is over
  A && B   continued conjunctive: in every one that has a move, until all are over
  A | B    selective: in any components, at least one, until all are over
  A || B   shortened selective: the same, until one is over
  A : B    ordinal sum: in one component, which takes away all later ones
"""

_VALUED = {"P": "value {value}, P-position", "N": "value {value}, N-position", "D": "value {value}, D-position"}
_SHOWN = {"": "", "Graphs": "graphs", "Notes": "theorem", "References": "source"}
_HEADING = re.compile(r"^(?P<name>[A-Z]\w+)\n-+$", re.MULTILINE)
_MARKUP = re.compile(r"(:\w+:)?`{1,2}")


@click.command("games", epilog=_EXAMPLES, short_help="List the games of the catalogue.")
@click.argument("name", required=False, shell_complete=complete_game)
def command(name: str | None) -> None:
    """List the games of the catalogue, or describe the game NAME: rules, theorem, source and an example."""
    from graphgame.rules.catalogue import CATALOGUE, entry_of

    lines = _list(CATALOGUE.values()) if name is None else _description(entry_of(name))
    click.echo("\n".join(lines))


def _list(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield f"{entry.name:<20}{entry.example}"
        yield f"    {_first(entry.doc)}"


def _first(doc: str) -> str:
    """Return the first line of a docstring; in another language the first paragraph, which is one text."""
    return _told(doc) or _sections(doc)[""].partition("\n")[0]


def _told(doc: str) -> str:
    """Return what a docstring says first in another language than English."""
    english = first_paragraph(doc)
    return told if (told := lookup(english)) != english else ""


def _description(entry: Entry) -> Iterator[str]:
    from graphgame.games.notation import parse_position
    from graphgame.results import outcome_of
    from graphgame.solution import solve

    sections = _graphs(entry) | _sections(entry.doc)
    if told := _told(entry.doc):
        sections[""] = told
    for name, title in _SHOWN.items():
        if name in sections:
            yield from [lookup(title), ""] if title else []
            yield f"{sections[name]}\n"
    position = parse_position(entry.example)
    yield from [translate("example"), "", entry.example]
    for component in position.components:
        yield ""
        yield component.ruleset.board(component.position)
    if any(component.ruleset.loopy for component in position.components):
        value = solve(position.graph(), cycles="loopy").nim_sum
    else:
        value = position.grundy
    yield "\n" + translate(_VALUED[outcome_of(value)], value=value)


def _graphs(entry: Entry) -> dict[str, str]:
    """Return the part about the graphs that one may name, from the docstring of the base class of games on graphs."""
    parts = (_sections(inspect.getdoc(kind) or "") for kind in entry.load().__mro__)
    return next(({"Graphs": part["Graphs"]} for part in parts if "Graphs" in part), {})


def _sections(text: str) -> dict[str, str]:
    """Return the parts of a docstring by heading; the first has none."""
    parts = _HEADING.split(text)
    bodies = [parts[0], *parts[2::2]]
    names = ["", *parts[1::2]]
    return {name: _MARKUP.sub("", body.strip("\n")) for name, body in zip(names, bodies, strict=True)}
