"""The rules of games in one or two sentences, for matches and pages, and descriptions of graphgame's own games."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphgame.errors import Message
from graphgame.registry import offer_for
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.ruleset import About, Entry
from graphgame.text.languages import current_language, lookup, translate
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.rules.position import Component, Position

_MARKUP = re.compile(r"(:\w+:)?`{1,2}")
_LONGEST_RULE = 600
TRANSLATED = ("rules", "notation", "theorem", "ending", "directions")
"""The fields of the description of a game that are translated."""
_ENDINGS = {
    False: Message("Whoever makes the last move wins."),
    True: Message("Misère play: whoever makes the last move loses."),
}
_DECIDES = Message("A move may win or lose at once: the rules say which. Otherwise a player who cannot move loses.")


class RulesText(NamedTuple):
    """The rules of a game in English and Chinese: a text on the moves, and a text on the end, which may be empty."""

    en: tuple[str, str]
    zh: tuple[str, str]


def rules_texts(position: Position) -> list[RulesText]:
    """Return the rules of each different game in a position: texts on the moves and on the end, in both languages.

    A user's own rules have one text for both languages: ``about`` or the docstring. Games without a text are left out.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> rules_texts(parse_position("take{1,3}(5)"))[0].en
    ('A subtraction game: take from one heap a number of the subtraction set. Here: 1,3.', '')
    """
    games = {part.game: part for component in position.components for part in _with_parts(component)}
    return [text for text in map(_rules_text, games.values()) if text is not None]


def rules_lines(position: Position, misere: bool) -> list[str]:
    r"""Return the rules of the games in a position in the current language, and sentences on how play ends.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(*rules_lines(parse_position("chocolate(2x2)"), misere=True), sep="\n")
    The chocolate bar: break any one piece along a line into two.
    Misère play: whoever makes the last move loses.
    """
    texts = [getattr(text, current_language()) for text in rules_texts(position)]
    endings = [ending if not misere else "" for _, ending in texts]
    rules = [f"{rule} {ending}".rstrip() for (rule, _), ending in zip(texts, endings, strict=True)]
    if rules and all(endings):
        return rules
    return [*rules, translate(_DECIDES if position.decides else _ENDINGS[misere])]


def described(entry: Entry) -> About:
    """Return the description of a game of the catalogue as plain text in the current language.

    The field ``source``, a reference to literature, is not translated.

    Examples
    --------
    >>> from graphgame.rules.catalogue import entry_of
    >>> described(entry_of("bash")).theorem
    'A heap of n has the value n mod (k + 1).'
    """
    about = entry.about
    translated: dict[str, Any] = {name: lookup(plain(getattr(about, name))) for name in TRANSLATED}
    graphs = tuple((graph, lookup(plain(meaning))) for graph, meaning in about.graphs)
    return about._replace(source=plain(about.source), graphs=graphs, **translated)


def _with_parts(component: Component) -> Iterator[Component]:
    """Yield a component and, if it is a compound, also the components inside it, at any depth."""
    yield component
    if parts_of := offer_for("parts", component.ruleset):
        for part in parts_of(component.ruleset):
            yield from _with_parts(part)


def _rules_text(component: Component) -> RulesText | None:
    rules, name = component.ruleset, component.name
    if text_of := offer_for("rules text", rules):
        text: RulesText = text_of(rules)
        return text
    is_listed = name in CATALOGUE and type(rules).__module__.startswith("graphgame.")
    about = CATALOGUE[name].about if is_listed else About.of(type(rules))
    if about is None:  # Without ``about``, the first paragraph of the docstring describes a user's own rules.
        about = About(inspect.cleandoc(type(rules).__doc__ or "").partition("\n\n")[0])
    arguments = rules.arguments if is_listed else ""
    rule, ending = (printable(plain(text), _LONGEST_RULE) if text else "" for text in (about.rules, about.ending))
    if not rule:
        return None
    return RulesText(
        (lookup(rule, "en") + (f" Here: {arguments}." if arguments else ""), lookup(ending, "en")),
        (lookup(rule, "zh") + (f"这里：{arguments}。" if arguments else ""), lookup(ending, "zh")),
    )


def plain(text: str) -> str:
    """Return a text on one line, without backquotes and roles of reStructuredText such as ``:func:``."""
    return " ".join(_MARKUP.sub("", text).split())
