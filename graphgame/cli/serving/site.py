"""What the site shows beside the pages of games: the bar above them, and the page that it begins with."""

from __future__ import annotations

from functools import cache
from typing import Any

from graphgame.explanation.rules import rules_told
from graphgame.export.page.document import SiteParts, site_html, static_text
from graphgame.games.notation import parse_position
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.entry import Entry

_PACKAGE = "graphgame.cli.serving"
_SHARED = ("dom", "text", "drawings")


def bar(text: str) -> SiteParts:
    """Return what stands above the page of a game."""
    return _parts({"text": text}, "site-text", "bar", "above")


def home(named: tuple[str, ...], text: str = "", error: str = "", picture: str = "") -> str:
    """Return the page that the site begins with: a text to be typed, the games, and what came of a text."""
    cards, kinds = _catalogue()
    data = {"text": text, "error": error, "picture": picture, "named": named, "cards": cards, "cells": kinds}
    return site_html("graphgame", _parts(data, "site-text", "bar", "home"), _SHARED)


def _parts(data: dict[str, Any], *scripts: str) -> SiteParts:
    examples = {entry.name: entry.example for entry in CATALOGUE.values()}
    return SiteParts(
        static_text(_PACKAGE, "site.css"),
        tuple(static_text(_PACKAGE, f"{name}.js") for name in scripts),
        {"site": {**data, "examples": examples}},
    )


@cache
def _catalogue() -> tuple[list[dict[str, Any]], list[Any]]:
    """Return a card for each game, and the kinds of cells of their boards."""
    kinds: dict[Any, int] = {}
    return [_card(entry, kinds) for entry in CATALOGUE.values()], list(kinds)


def _card(entry: Entry, kinds: dict[Any, int]) -> dict[str, Any]:
    position = parse_position(entry.example)
    told = rules_told(position)[0]
    boards = []
    for component in position.components:
        drawing = component.ruleset.drawing(component.position)
        if drawing is not None:
            cells = [kinds.setdefault(cell, len(kinds)) for cell in drawing.cells]
            boards.append({"places": drawing.places, "cells": cells})
    return {"name": entry.name, "example": entry.example, "rules": {"en": told.en, "zh": told.zh}, "boards": boards}
