"""The rules of a position's games in a sentence or two: what stands above the board."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphgame.errors import Message
from graphgame.registry import offer_for
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.entry import Entry
from graphgame.rules.ruleset import About
from graphgame.rules.tokens import GraphRuleset
from graphgame.text.languages import current_language, lookup, translate
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.rules.position import Component, Position

_MARKUP = re.compile(r"(:\w+:)?`{1,2}")
_LONGEST = 600
_TRANSLATED = ("rules", "notation", "theorem", "ending", "directions")
_ENDINGS = {
    False: Message("Whoever makes the last move wins."),
    True: Message("Misère play: whoever makes the last move loses."),
}
_DECIDES = Message(
    "A move may win or lose at once, as the rules say; where nobody can move any more, whoever is to move loses."
)


class RulesText(NamedTuple):
    """What the rules of a game say, in English and in Chinese: the moves, and how the game ends if they say so."""

    en: tuple[str, str]
    zh: tuple[str, str]


def rules_told(position: Position) -> list[RulesText]:
    """Return what the rules of a position's components say, each once.

    Those of the catalogue are told in both languages, a person's own by their docstring.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> rules_told(parse_position("take{1,3}(5)"))[0].en
    ('A subtraction game: take a number from one heap that the subtraction set allows. Here: 1,3.', '')
    """
    games = {part.game: part for component in position.components for part in _with_parts(component)}
    return [told for told in map(_told, games.values()) if told is not None]


def told_rules(position: Position, misere: bool) -> list[str]:
    r"""Return the rules of a position in English, with the way the game ends.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(*told_rules(parse_position("chocolate(2x2)"), misere=True), sep="\n")
    The chocolate bar: break any one piece along a line into two.
    Misère play: whoever makes the last move loses.
    """
    told = [getattr(text, current_language()) for text in rules_told(position)]
    endings = [ending if not misere else "" for _, ending in told]
    rules = [f"{rule} {ending}".rstrip() for (rule, _), ending in zip(told, endings, strict=True)]
    if rules and all(endings):
        return rules
    decides = any(component.ruleset.decides for component in position.components)
    return [*rules, translate(_DECIDES if decides else _ENDINGS[misere])]


def described(entry: Entry) -> About:
    """Return what a game of the catalogue tells about itself, in plain text and in the current language.

    Its source is the same in each language.

    Examples
    --------
    >>> from graphgame.rules.catalogue import entry_of
    >>> described(entry_of("bash")).theorem
    'A heap of n has the value n mod (k + 1).'
    """
    about = entry.about
    told: dict[str, Any] = {name: lookup(_plain(getattr(about, name))) for name in _TRANSLATED}
    graphs = tuple((graph, lookup(_plain(meaning))) for graph, meaning in about.graphs)
    return about._replace(source=_plain(about.source), graphs=graphs, **told)


def catalogue_texts() -> Iterator[str]:
    """Yield the texts that tell of the games of the catalogue, but for their sources, and of graphs."""
    for about in (About.of(GraphRuleset) or About(""), *(entry.about for entry in CATALOGUE.values())):
        meanings = (meaning for _, meaning in about.graphs)
        yield from filter(None, map(_plain, (*(getattr(about, name) for name in _TRANSLATED), *meanings)))


def _with_parts(component: Component) -> Iterator[Component]:
    """Yield a component, and where it is a compound those of which it is made."""
    yield component
    if parts_of := offer_for("parts", component.ruleset):
        for part in parts_of(component.ruleset):
            yield from _with_parts(part)


def _told(component: Component) -> RulesText | None:
    rules, name = component.ruleset, component.name
    if told := offer_for("rules text", rules):
        text: RulesText = told(rules)
        return text
    listed = name in CATALOGUE and type(rules).__module__.startswith("graphgame.")
    about = CATALOGUE[name].about if listed else About.of(type(rules))
    if about is None:  # of one's own rules the docstring tells, as it stands
        about = About(inspect.cleandoc(type(rules).__doc__ or "").partition("\n\n")[0])
    here = rules.arguments if listed else ""
    rule, ending = (printable(_plain(text), _LONGEST) if text else "" for text in (about.rules, about.ending))
    if not rule:
        return None
    return RulesText(
        (lookup(rule, "en") + (f" Here: {here}." if here else ""), lookup(ending, "en")),
        (lookup(rule, "zh") + (f"这里：{here}。" if here else ""), lookup(ending, "zh")),
    )


def _plain(text: str) -> str:
    """Return a text without the marks of reStructuredText, on one line."""
    return " ".join(_MARKUP.sub("", text).split())
