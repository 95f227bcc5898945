"""Moves as a person sees and types them: ``FROM -> TO``, with the component's number where that is needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice

from graphgame.errors import GraphGameError, Message, ParseError, shorten
from graphgame.rules.faults import iterated, returned, rule_errors
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import MAX_TRIED, Sum, at_most, parts_of
from graphgame.solution.results import Move
from graphgame.text.text import LONGEST_LABEL, printable

MOST_LISTED = 1000
"""Moves that have a number."""

_NUMBERED = re.compile(r"(?P<component>[1-9][0-9]{0,8}):\s+(?P<rest>.*)", re.DOTALL)


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield every move of a sum, by component; start and end are components. There is none once play is decided.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> [str(move.end) for move in legal_moves(parse_position("nim(1,2)"))]
    ['nim(0)', 'nim(0)', 'nim(1)']
    """
    for place, component in enumerate(() if position.decided else position.components):
        for option in options_of(component):
            yield Move(place, component, component._replace(position=option))


def options_of(component: Component) -> Iterable[Hashable]:
    """Return the options of a component; a range where they are one, however long."""
    with rule_errors(component.name, Message("the options"), component.position, method=component.ruleset.options):
        options = component.ruleset.options(component.position)
    return options if isinstance(options, range) else _guarded(component, options)


def _guarded(component: Component, options: Iterable[Hashable]) -> Iterator[Hashable]:
    with rule_errors(component.name, Message("the options"), component.position, method=component.ruleset.options):
        yield from iterated(options, component.position)


def distinct_moves(position: Position) -> list[Move]:
    """Return the moves that have a number, 1 for the first: those that differ, at most :data:`MOST_LISTED`.

    Of components that are alike the first stands for all.
    """
    moves: dict[tuple[Hashable, Hashable], Move] = {}
    for move in islice(legal_moves(position), MAX_TRIED):
        end = move.end.position  # type: ignore[attr-defined]
        moves.setdefault((move.start, frozenset(Counter(parts_of(end)).items())), move)
        if len(moves) == MOST_LISTED:
            break
    return list(moves.values())


def move_text(position: Position, move: Move, *, number: bool = False) -> str:
    """Return a move as it is typed; with its component's number, from 1, as it stands in a record.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> position = parse_position("nim(3,5)")
    >>> move_text(position, position.winning_moves()[0]), move_text(position, position.winning_moves()[0], number=True)
    ('5 -> 3', '2: 5 -> 3')
    """
    start, end = (component_text(position, part, length=0) for part in (move.start, move.end))  # type: ignore[arg-type]
    return f"{move.component + 1}: {start} -> {end}" if number else f"{start} -> {end}"


def component_text(position: Position, component: Component, length: int = LONGEST_LABEL) -> str:
    """Return the text of a component on one line, cut where it is longer than a length above 0."""
    with rule_errors(component.name, Message("the text"), component.position):
        return printable(returned(position.text(component), str), length)


def find_move(position: Position, text: str) -> Move:
    """Return the move that a person writes so.

    Parameters
    ----------
    position : Position
    text : str
        ``TO``, ``-> TO``, ``FROM -> TO`` or ``COMPONENT: FROM -> TO``; what is left out must not matter.

    Raises
    ------
    ParseError
        There is no such move, or several components have it.
    LimitError
        A component has more than :data:`MAX_TRIED` options, and none of the first is the one.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> find_move(parse_position("nim(3) + kayles(7)"), "kayles(7) -> 3,3")
    Move(component=1, start=kayles(7), end=kayles(3) + kayles(3))
    """
    if (exact := _written_out(position, text)) is not None:
        return exact
    starts: set[int] = set()
    moves: dict[Component, Move] = {}
    for place, end in _readings(position, text):
        component = position.components[place]
        starts.add(place)
        option = _find_option(position, component, end)
        if option is not None:
            moves.setdefault(component, Move(place, component, component._replace(position=option[0])))
    if len(moves) > 1:
        example = move_text(position, next(iter(moves.values())))
        raise ParseError(
            "several components have the move '{text}': write FROM -> TO, such as {example}", printable(text), example
        )
    if not moves:
        raise ParseError(_no_move(position, text, starts))
    return next(iter(moves.values()))


def _written_out(position: Position, text: str) -> Move | None:
    """Return the move whose text, with or without the number, is exactly this: whatever positions are called."""
    for place, component in enumerate(position.components):
        head = f"{component_text(position, component, 0)} -> "
        ends = [text[len(start) :] for start in (f"{place + 1}: {head}", head) if text.startswith(start)]
        options = options_of(component) if ends else ()
        for option in () if isinstance(options, range) else at_most(options, MAX_TRIED):
            end = component._replace(position=option)
            if component_text(position, end, 0) in ends:
                return Move(place, component, end)
    return None


def _no_move(position: Position, text: str, starts: set[int]) -> str:
    if "->" in text and not starts:
        shown = ", ".join(component_text(position, component) for component in position.components[:10])
        return Message("no component is as '{text}' says: there are {shown}", printable(text), shown or "none")
    return Message("'{text}' is no move here", printable(text))


def _readings(position: Position, text: str) -> Iterator[tuple[int, str]]:
    """Yield the components that a move may be meant in, with the text of what it leaves."""
    everywhere = range(len(position.components))
    readings = [(everywhere, text)]
    if (match := _NUMBERED.fullmatch(text)) and int(match["component"]) <= len(everywhere):
        readings.insert(0, (range(int(match["component"]) - 1, int(match["component"])), match["rest"]))
    for places, rest in readings:
        arrows = [found.start() for found in re.finditer("->", rest)]
        for start, end in [(rest[:at].strip(), rest[at + 2 :].strip()) for at in arrows] or [("", rest.strip())]:
            yield from ((place, end) for place in places if not start or _is_named(position, place, start))


def _is_named(position: Position, place: int, text: str) -> bool:
    component = position.components[place]
    with rule_errors(component.name, Message("the text"), component.position):
        names = position.text(component), component.ruleset.format(component.position), str(component)
    return _plain(text) in map(_plain, names)


def _find_option(position: Position, component: Component, text: str) -> tuple[Hashable] | None:
    """Return the option that is written so, else the one that is meant, exactly or by symmetry."""
    options = options_of(component)
    if isinstance(options, range):
        sizes = [end for end in _parsed(component, text) if end in options]
        return (sizes[0],) if sizes else None
    for option in at_most(options, MAX_TRIED):
        if _plain(component_text(position, component._replace(position=option), 0)) == _plain(text):
            return (option,)
    wanted = [Counter(parts_of(end)) for end in _parsed(component, text)]
    images = [_image(component, end) for end in wanted]
    symmetric: tuple[Hashable] | None = None
    for option in at_most(options_of(component), MAX_TRIED) if wanted else ():
        parts = Counter(parts_of(option))
        if parts in wanted:
            return (option,)
        if symmetric is None and _image(component, parts) in images:
            symmetric = (option,)
    return symmetric


def _parsed(component: Component, text: str) -> Iterator[Hashable]:
    """Yield what a text may name: one position, or several between ``+``."""
    for pieces in ([text], text.split("+")):
        try:
            with rule_errors(component.name, f"the text {shorten(text)}"):
                positions = [component.ruleset.parse(_bare(component, piece.strip())) for piece in pieces]
        except GraphGameError:
            continue
        yield (positions[0] if len(positions) == 1 else Sum(part for end in positions for part in parts_of(end)))


def _bare(component: Component, text: str) -> str:
    """Return a text without the game's name, where it stands in the notation."""
    arguments = f"{{{component.ruleset.arguments}}}" if component.ruleset.arguments else ""
    for opening, closing in ((f"{component.name}{arguments}(", ")"), (f"{component.name}@", "")):
        if text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : len(text) - len(closing)]
    return text


def _image(component: Component, parts: Counter[Hashable]) -> Counter[Hashable]:
    with rule_errors(component.name, "symmetry"):
        return Counter(map(component.ruleset.canonical, parts.elements()))


def _plain(text: str) -> str:
    return "".join(printable(text, length=0).split())
