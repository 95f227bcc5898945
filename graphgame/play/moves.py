"""Moves as text: ``FROM -> TO``, perhaps with the number of the component; and the move that a person's text means."""

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
"""The largest number of moves that get a number."""

_NUMBERED = re.compile(r"(?P<component>[1-9][0-9]{0,8}):\s+(?P<rest>.*)", re.DOTALL)


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield the moves of a position, component by component; start and end are components.

    A position that is decided has no moves.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> [str(move.end) for move in legal_moves(parse_position("nim(1,2)"))]
    ['nim(0)', 'nim(0)', 'nim(1)']
    """
    for index, component in enumerate(() if position.decided else position.components):
        for option in options_of(component):
            yield Move(index, component, component._replace(position=option))


def options_of(component: Component) -> Iterable[Hashable]:
    """Return the options of a component: a range, of any length, if the rules return one, otherwise an iterator.

    Errors of the rules are reported as errors of the package.
    """
    with rule_errors(component.name, Message("the options"), component.position, method=component.ruleset.options):
        options = component.ruleset.options(component.position)
    return options if isinstance(options, range) else _guarded(component, options)


def _guarded(component: Component, options: Iterable[Hashable]) -> Iterator[Hashable]:
    with rule_errors(component.name, Message("the options"), component.position, method=component.ruleset.options):
        yield from iterated(options, component.position)


def distinct_moves(position: Position) -> list[Move]:
    """Return the moves that are numbered for a person, from 1 on: at most :data:`MOST_LISTED`, all different.

    Of moves that lead to the same parts in equal components only the first is listed.
    """
    moves: dict[tuple[Hashable, Hashable], Move] = {}
    for move in islice(legal_moves(position), MAX_TRIED):
        end = move.end.position  # type: ignore[attr-defined]
        moves.setdefault((move.start, frozenset(Counter(parts_of(end)).items())), move)
        if len(moves) == MOST_LISTED:
            break
    return list(moves.values())


def move_text(position: Position, move: Move, *, number: bool = False) -> str:
    """Return a move as a person types it; with ``number``, as in records, also the number of its component, from 1 on.

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
    """Return the text of a component on one line, shortened to ``length`` characters; 0 means no limit."""
    with rule_errors(component.name, Message("the text"), component.position):
        return printable(returned(position.text(component), str), length)


def find_move(position: Position, text: str) -> Move:
    """Return the move that a person's text means.

    Parameters
    ----------
    position : Position
    text : str
        ``TO``, ``-> TO``, ``FROM -> TO`` or ``COMPONENT: FROM -> TO``. Leave out anything that is not needed to
        identify the move.

    Raises
    ------
    ParseError
        There is no such move, or different components have it.
    LimitError
        A component has more than :data:`MAX_TRIED` options, and the move is not among the first ones.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> find_move(parse_position("nim(3) + kayles(7)"), "kayles(7) -> 3,3")
    Move(component=1, start=kayles(7), end=kayles(3) + kayles(3))
    """
    if (exact := _written_out(position, text)) is not None:
        return exact
    any_start = False
    moves: dict[Component, Move] = {}
    for index, end in _readings(position, text):
        component = position.components[index]
        any_start = True
        option = _find_option(position, component, end)
        if option is not None:
            moves.setdefault(component, Move(index, component, component._replace(position=option[0])))
    if len(moves) > 1:
        example = move_text(position, next(iter(moves.values())))
        raise ParseError(
            "several components have the move '{text}': write FROM -> TO, such as {example}", printable(text), example
        )
    if not moves:
        raise ParseError(_no_move(position, text, any_start))
    return next(iter(moves.values()))


def _written_out(position: Position, text: str) -> Move | None:
    """Return the move whose full text, with or without number, is exactly this; None if there is none.

    So every move can be written, even if the names of positions contain arrows or colons.
    """
    for index, component in enumerate(position.components):
        head = f"{component_text(position, component, 0)} -> "
        ends = [text[len(start) :] for start in (f"{index + 1}: {head}", head) if text.startswith(start)]
        options = options_of(component) if ends else ()
        for option in () if isinstance(options, range) else at_most(options, MAX_TRIED):
            end = component._replace(position=option)
            if component_text(position, end, 0) in ends:
                return Move(index, component, end)
    return None


def _no_move(position: Position, text: str, any_start: bool) -> str:
    if "->" in text and not any_start:
        shown = ", ".join(component_text(position, component) for component in position.components[:10])
        return Message("no component matches '{text}': there are {shown}", printable(text), shown or "none")
    return Message("'{text}' is no move here", printable(text))


def _readings(position: Position, text: str) -> Iterator[tuple[int, str]]:
    """Yield (index of a component, text of the end) for each way to read the text of a move.

    The component is named by its number or by the text before an arrow. Without both, all components are possible.
    """
    components = range(len(position.components))
    readings = [(components, text)]
    if (match := _NUMBERED.fullmatch(text)) and int(match["component"]) <= len(components):
        readings.insert(0, (range(int(match["component"]) - 1, int(match["component"])), match["rest"]))
    for indices, rest in readings:
        arrows = [arrow.start() for arrow in re.finditer("->", rest)]
        for start, end in [(rest[:at].strip(), rest[at + 2 :].strip()) for at in arrows] or [("", rest.strip())]:
            yield from (
                (index, end) for index in indices if not start or _is_named(position, position.components[index], start)
            )


def _is_named(position: Position, component: Component, text: str) -> bool:
    with rule_errors(component.name, Message("the text"), component.position):
        names = position.text(component), component.ruleset.format(component.position), str(component)
    return _plain(text) in map(_plain, names)


def _find_option(position: Position, component: Component, text: str) -> tuple[Hashable] | None:
    """Return, in a tuple, the option of a component that a text means; None if there is none.

    It is the option with this text; otherwise the option that the rules read from the text; otherwise an option equal
    to that by symmetry.
    """
    options = options_of(component)
    if isinstance(options, range):
        sizes = [end for end in _parsed(component, text) if end in options]
        return (sizes[0],) if sizes else None
    for option in at_most(options, MAX_TRIED):
        if _plain(component_text(position, component._replace(position=option), 0)) == _plain(text):
            return (option,)
    meant = [Counter(parts_of(end)) for end in _parsed(component, text)]
    canonical = [_canonical(component, parts) for parts in meant]
    symmetric: tuple[Hashable] | None = None
    for option in at_most(options_of(component), MAX_TRIED) if meant else ():
        parts = Counter(parts_of(option))
        if parts in meant:
            return (option,)
        if symmetric is None and _canonical(component, parts) in canonical:
            symmetric = (option,)
    return symmetric


def _parsed(component: Component, text: str) -> Iterator[Hashable]:
    """Yield what the rules read from a text: the whole text as one position, and its pieces between ``+`` as a sum."""
    for pieces in ([text], text.split("+")):
        try:
            with rule_errors(component.name, f"the text {shorten(text)}"):
                positions = [component.ruleset.parse(_bare(component, piece.strip())) for piece in pieces]
        except GraphGameError:
            continue
        yield (positions[0] if len(positions) == 1 else Sum(part for end in positions for part in parts_of(end)))


def _bare(component: Component, text: str) -> str:
    """Return the text of a position without the name and arguments of its game, such as 3 of nim(3)."""
    arguments = f"{{{component.ruleset.arguments}}}" if component.ruleset.arguments else ""
    for opening, closing in ((f"{component.name}{arguments}(", ")"), (f"{component.name}@", "")):
        if text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : len(text) - len(closing)]
    return text


def _canonical(component: Component, parts: Counter[Hashable]) -> Counter[Hashable]:
    with rule_errors(component.name, "symmetry"):
        return Counter(map(component.ruleset.canonical, parts.elements()))


def _plain(text: str) -> str:
    return "".join(printable(text, length=0).split())
