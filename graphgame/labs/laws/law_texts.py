"""Texts of positions with names of one letter in place of numbers: what they stand for, number by number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphgame.errors import OptionError, ParseError
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.laws.declared_options import Cells
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.component import Component
from graphgame.rules.declared import DeclaredMoves, number_names, side_by_side
from graphgame.rules.notation import of_code, parse_position
from graphgame.rules.ruleset import Ruleset

_MOST_NAMES = 4
_NAME = re.compile(r"(?<![0-9A-Za-wyz_])[a-wyz](?![0-9A-Za-wyz_])")
_BRACES = re.compile(r"\{[^{}]*\}")
_PARAMETER = re.compile(r"(?:(?<=[{,])|(?<=\.\.))\s*([a-wyz])\s*(?=[,}]|\.\.)")
"""A name that is a number of the rules: all that stands between commas, or the end of a range."""


def cells_of(text: str, names: tuple[str, ...], given: Iterable[tuple[int, ...]]) -> Cells:
    """Return the components of the positions of some numbers, without those that are no positions."""
    loaded: dict[tuple[str, str], Ruleset] = {}
    cells: Cells = {}
    refused: ParseError | None = None
    for numbers in given:
        try:
            cells[numbers] = parse_position(with_numbers(text, names, numbers), loaded=loaded).components
        except ParseError as error:
            refused = _of_names(error, text, names, numbers)
    if not cells:
        raise refused or OptionError("{text}: no numbers", text)
    return cells


def _of_names(error: ParseError, text: str, names: tuple[str, ...], numbers: tuple[int, ...]) -> ParseError:
    """Return what is wrong with numbers in place of names, as said of the text with the names."""
    first = min(match.start() for match in _NAME.finditer(_blank(text)))
    if error.text != with_numbers(text, names, numbers) or error.column is None:
        return error
    if error.column <= first:
        return ParseError(error.message, line=1, column=error.column, text=text)
    given = ", ".join(f"{name} = {number}" for name, number in zip(names, numbers, strict=True))
    return ParseError(
        "no {names} makes this a position; with {given}: {message}",
        ", ".join(names),
        given,
        error.message,
        line=1,
        column=first + 1,
        text=text,
    )


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that stand in place of numbers.

    >>> names_in("take{1,2}(a) + nim(b)")
    ('a', 'b')
    """
    names = tuple(dict.fromkeys(match[0] for match in _NAME.finditer(_blank(text))))
    if not names:
        parse_position(text)  # which tells what else is wrong
        raise OptionError(
            "{text}: no name in place of a number: expected 1 to {most}, as in wythoff(a,b)", text, _MOST_NAMES
        )
    if len(names) > _MOST_NAMES:
        raise OptionError(
            "{text}: {count} names: expected 1 to {most}, as in wythoff(a,b)", text, len(names), _MOST_NAMES
        )
    return names


def parameters_in(text: str) -> tuple[str, ...]:
    """Return the names that stand in place of numbers of the rules.

    >>> parameters_in("bash{k}(n)"), parameters_in("take{1..k}(n)"), parameters_in("take-away{a <= 2k}(n)")
    (('k',), ('k',), ())
    """
    return tuple(dict.fromkeys(match[1] for match in _parameters(text)))


def _parameters(text: str) -> Iterator[re.Match[str]]:
    for braces in _BRACES.finditer(text):
        yield from _PARAMETER.finditer(text, *braces.span())


def with_names(text: str) -> str:
    """Return a text with names in place of numbers; of a game that is only named, its example with names.

    >>> with_names("0.77"), with_names("0.3F"), with_names("nim")
    ('octal{0.77}(n)', 'code{0.3F}(n)', 'nim(a, b, c)')
    """
    if code := of_code(text.strip()):
        return f"{code}(n)"
    if text.strip() not in CATALOGUE:
        return text
    example = CATALOGUE[text.strip()].example
    name, _, position = example.rpartition("(")
    numbers = re.findall(r"\d+", position)
    if not re.fullmatch(r"\d+(,\d+)*\)", position):
        raise OptionError("{text}: its positions are not numbers alone, as in {example}", text, example)
    return f"{name}({', '.join(number_names(len(numbers)))})"


def _blank(text: str) -> str:
    """Return a text with spaces for all but what may hold names: in parentheses, and between braces each by itself."""
    inside = _BRACES.sub(lambda match: " " * len(match[0]), text)
    kept = [" "] * len(inside)
    for match in _parameters(text):
        kept[match.start(1)] = match[1]
    for match in re.finditer(r"\([^()]*\)", inside):
        kept[match.start() : match.end()] = match[0]
    return "".join(kept)


def with_numbers(text: str, names: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    """Return a text with numbers in place of its names.

    >>> with_numbers("take{1,2}(a) + nim(b)", ("a", "b"), (3, 4))
    'take{1,2}(3) + nim(4)'
    """
    given = dict(zip(names, map(str, numbers), strict=True))
    blank, parts, last = _blank(text), [], 0
    for match in _NAME.finditer(blank):
        parts += [text[last : match.start()], given[match[0]]]
        last = match.end()
    return "".join([*parts, text[last:]])


def free_moves(text: str, components: tuple[Component, ...]) -> DeclaredMoves | None:
    """Return the declared moves of a position, where each name stands for one number that is free."""
    blank = _blank(text)
    if parameters_in(text):
        return _family_moves(text, components)
    groups = [re.findall(r"[a-wyz]", group) for group in re.findall(r"\(([^()]*)\)", blank)]
    written = [name for group in groups for name in group]
    if len({*written}) < len(written) or re.search(r"\d|x", blank):
        return None  # the numbers are not free, or are the sides of a board
    sizes = [len(group) for group in groups]
    if len(sizes) != len(components):
        sizes = [1] * len(written)
    if len(sizes) != len(components):
        return None
    rules = [component.ruleset.rules_at(component.position) for component in components]
    parts = [each.declared_moves(size) for each, size in zip(rules, sizes, strict=True)]
    known = [part for part in parts if part is not None]
    return side_by_side(known) if len(known) == len(parts) else None


def _family_moves(text: str, components: tuple[Component, ...]) -> DeclaredMoves | None:
    """Return the declared moves of rules with a name for a number, and of positions of one number."""
    found = re.fullmatch(r"[\w-]+\{([^{}]+)\}\(([a-wyz])\)", text.replace(" ", ""))
    parameters = parameters_in(text)
    if found is None or len(components) != 1 or len(parameters) != 1 or parameters[0] == found[2]:
        return None
    return components[0].ruleset.declared_family(re.sub(rf"\b{parameters[0]}\b", "k", found[1]))


def heap_game(cells: Cells) -> HeapGame | None:
    """Return the game of which the positions are heaps, one of each of the numbers; None where they are not."""
    numbers, cell = next(reversed(cells.items())) if cells else ((), ())
    games = [part.ruleset for part in cell if isinstance(part.ruleset, HeapGame)]
    heaps = len(games) == len(cell) > 0 and tuple(part.position for part in cell) == numbers
    return games[0] if heaps and len({(type(game), game.name) for game in games}) == 1 else None
