"""The rules of a position's games in a sentence or two: what stands above the board."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from graphgame.errors import Message
from graphgame.explanation.text import printable
from graphgame.explanation.texts import LANGUAGES, current_language, lookup, translate
from graphgame.results import Play
from graphgame.rules.catalogue import CATALOGUE, Entry
from graphgame.rules.tokens import GraphRuleset
from graphgame.theory.compounds import Compound

if TYPE_CHECKING:
    from graphgame.rules.position import Component, Position

__all__ = ["RulesText", "catalogue_texts", "described", "rules_told", "told_rules"]

_MARKUP = re.compile(r"(:\w+:)?`{1,2}")
_HEADING = re.compile(r"^([A-Z]\w+)\n-+$", re.MULTILINE)
_LINE = re.compile(r"^(?P<name>(?:\S+ {2,})?)(?P<text>.+)$", re.MULTILINE)
_TOLD = {"", "Graphs", "Notes"}
_LONGEST = 600
_ENDINGS: dict[Play, str] = {
    "normal": Message("Whoever makes the last move wins."),
    "misere": Message("Misère play: whoever makes the last move loses."),
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
    >>> from graphgame.games.notation import parse_position
    >>> rules_told(parse_position("take{1,3}(5)"))[0].en
    ('A subtraction game: take a number from one heap that the subtraction set allows. Here: 1,3.', '')
    """
    games = {part.game: part for component in position.components for part in _with_parts(component)}
    return [told for told in map(_told, games.values()) if told is not None]


def told_rules(position: Position, play: Play) -> list[str]:
    r"""Return the rules of a position in English, with the way the game ends.

    Examples
    --------
    >>> from graphgame.games.notation import parse_position
    >>> print(*told_rules(parse_position("chocolate(2x2)"), "misere"), sep="\n")
    The chocolate bar: break any one piece along a line into two.
    Misère play: whoever makes the last move loses.
    """
    told = [getattr(text, current_language()) for text in rules_told(position)]
    endings = [ending if play == "normal" else "" for _, ending in told]
    rules = [f"{rule} {ending}".rstrip() for (rule, _), ending in zip(told, endings, strict=True)]
    if rules and all(endings):
        return rules
    decides = any(component.ruleset.decides for component in position.components)
    return [*rules, translate(_DECIDES if decides else _ENDINGS[play])]


def described(entry: Entry) -> dict[str, str]:
    """Return what the catalogue says of a game in the current language, by section; the rules have the name "".

    Examples
    --------
    >>> from graphgame.rules.catalogue import entry_of
    >>> described(entry_of("bash"))["Notes"]
    'A heap of n has the value n mod (k + 1).'
    """
    sections = _sections_of(entry)
    if current_language() == LANGUAGES[0]:
        return sections
    told = {name: "\n\n".join(_paragraphs(sections[name])) for name in _TOLD & sections.keys()}
    return sections | {
        name: _LINE.sub(lambda found: found["name"] + lookup(found["text"]), text) for name, text in told.items()
    }


def catalogue_texts() -> Iterator[str]:
    """Yield the texts that tell of the games of the catalogue, but for their sources, and of graphs."""
    yield _first(inspect.getdoc(GraphRuleset) or "")
    for sections in map(_sections_of, CATALOGUE.values()):
        for name in _TOLD & sections.keys():
            yield from (found["text"] for part in _paragraphs(sections[name]) for found in _LINE.finditer(part))


def _sections_of(entry: Entry) -> dict[str, str]:
    """Return what is said of a game by heading; what graphs one may name is said by the class of all such games."""
    docs = [inspect.getdoc(kind) or "" for kind in entry.load().__mro__]
    graphs = next((parts["Graphs"] for parts in map(_parted_by_headings, docs) if "Graphs" in parts), None)
    own = _parted_by_headings(entry.doc)
    if entry.ending:
        rule, gap, others = own[""].partition("\n\n")
        own[""] = f"{rule}\n\n{entry.ending}{gap}{others}"
    return own if graphs is None else {"Graphs": graphs, **own}


def _parted_by_headings(doc: str) -> dict[str, str]:
    first, *rest = _HEADING.split(_MARKUP.sub("", doc))
    parts = zip(["", *rest[::2]], [first, *rest[1::2]], strict=True)
    return {name: text.strip("\n") for name, text in parts}


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, each a line; a table has its rows."""
    for part in text.split("\n\n"):
        yield part if "  " in part else " ".join(part.split())


def _with_parts(component: Component) -> Iterator[Component]:
    """Yield a component, and where it is a compound those of which it is made."""
    yield component
    if isinstance(component.ruleset, Compound):
        for operand in component.ruleset.operands:
            for part in operand.parts(operand.token) or ():
                yield from _with_parts(part)


def _told(component: Component) -> RulesText | None:
    rules, name = component.ruleset, component.name
    if isinstance(rules, Compound):
        move, chinese_move = (lookup(rules.kind.rule, language) for language in LANGUAGES)
        return RulesText((f"{move[0].upper()}{move[1:]}.", ""), (f"{chinese_move}。", ""))
    if name in CATALOGUE and type(rules).__module__.startswith("graphgame."):
        here = rules.arguments
        said = _first(CATALOGUE[name].doc), CATALOGUE[name].ending
        english, chinese = ([lookup(text, language) for text in said] for language in LANGUAGES)
        return RulesText(
            _with(english, f" Here: {here}." if here else ""),
            _with(chinese, f"这里：{here}。" if here else ""),
        )
    text = _first(inspect.cleandoc(type(rules).__doc__ or ""))
    return RulesText((text, ""), (lookup(text, "zh"), "")) if text else None


def _first(doc: str) -> str:
    """Return the first paragraph of a docstring, without marks."""
    text = " ".join(_MARKUP.sub("", doc.partition("\n\n")[0]).split())
    return printable(text, _LONGEST) if text else ""


def _with(parts: Iterable[str], here: str) -> tuple[str, str]:
    rule, ending = parts
    return rule + here, ending
