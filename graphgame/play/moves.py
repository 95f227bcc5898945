"""Moves and positions as text: ``FROM -> TO``, the move that a person's text means, boards and lists at a terminal."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import groupby, islice, zip_longest
from operator import itemgetter
from typing import Any

from graphgame.drawing.style import CELL_STYLES
from graphgame.errors import GraphGameError, Message, ParseError, abridged, shorten
from graphgame.rules.pictures import Cell, Picture, check_picture
from graphgame.rules.position import Component, Position
from graphgame.rules.rule_errors import iterated, returned, rule_errors
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum, at_most, parts_of
from graphgame.solution.results import Move
from graphgame.text.languages import amount, current_language, translate
from graphgame.text.text import LONGEST_LABEL, MOST_ROWS, capped, columns_of, printable, wrapped

MOST_LISTED = 1000
"""At most this many moves of a position are listed, and get a number."""

_NUMBERED = re.compile(r"(?P<component>[1-9][0-9]{0,8}):\s+(?P<rest>.*)", re.DOTALL)


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield the moves of a position by component, none if it is decided; ``start`` and ``end`` are components.

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
    """Return the options of a component: a range, of any length, if the rules return one; otherwise an iterator."""
    with rule_errors(component.name, Message("the options"), component.position, method=component.ruleset.options):
        options = component.ruleset.options(component.position)
    return options if isinstance(options, range) else _guarded(component, options)


def _guarded(component: Component, options: Iterable[Hashable]) -> Iterator[Hashable]:
    with rule_errors(component.name, Message("the options"), component.position, method=component.ruleset.options):
        yield from iterated(options, component.position)


def distinct_moves(position: Position) -> list[Move]:
    """Return the different moves of a position, at most :data:`MOST_LISTED`, in the order in which they are numbered.

    Of moves from equal components to the same parts, only the first counts. At most :data:`MAX_TRIED` moves are tried.
    """
    moves: dict[tuple[Hashable, Hashable], Move] = {}
    for move in islice(legal_moves(position), MAX_TRIED):
        end = move.end.position  # type: ignore[attr-defined]
        moves.setdefault((move.start, frozenset(Counter(parts_of(end)).items())), move)
        if len(moves) == MOST_LISTED:
            break
    return list(moves.values())


def move_text(position: Position, move: Move, *, number: bool = False) -> str:
    """Return a move as text, FROM -> TO; with ``number``, as in records, after the number of its component, from 1 on.

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
    """Return :meth:`Position.text` of a component on one line, shortened to ``length`` characters; 0 means no limit."""
    with rule_errors(component.name, Message("the text"), component.position):
        return printable(returned(position.text(component), str), length)


def find_move(position: Position, text: str) -> Move:
    """Return the move that a person's text means, in a position that is not decided.

    Parameters
    ----------
    position : Position
    text : str
        ``TO``, ``-> TO``, ``FROM -> TO`` or, with the number of a component from 1 on, ``2: FROM -> TO``. Leave out
        anything that is not needed to identify the move.

    Raises
    ------
    ParseError
        There is no such move, or two unequal components have such a move.
    LimitError
        The move is not among the first :data:`MAX_TRIED` options of a component that has more.

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
        if "->" not in text or any_start:
            raise ParseError("'{text}' is not a move here", printable(text))
        shown = abridged((component_text(position, component) for component in position.components), 10)
        raise ParseError("no component matches '{text}': there are {shown}", printable(text), shown or "none")
    return next(iter(moves.values()))


def _written_out(position: Position, text: str) -> Move | None:
    """Return the move whose text by :func:`move_text`, with or without number, is ``text``; otherwise None.

    The texts of positions may contain arrows and colons. Components whose options are a ``range`` are skipped.
    """
    for index, component in enumerate(position.components):
        head = f"{component_text(position, component, 0)} -> "
        ends = [text[len(start) :] for start in (f"{index + 1}: {head}", head) if text.startswith(start)]
        options = options_of(component) if ends else ()
        # A range can be too long to try each option, so ``_find_option`` tests whether the number is in it.
        for option in () if isinstance(options, range) else at_most(options, MAX_TRIED):
            end = component._replace(position=option)
            if component_text(position, end, 0) in ends:
                return Move(index, component, end)
    return None


def _readings(position: Position, text: str) -> Iterator[tuple[int, str]]:
    """Yield (index of the component, text of the end) for each way to read the text of a move.

    A number before a colon or the text before an arrow may name the component; otherwise it may be any component.
    """
    components = range(len(position.components))
    readings = [(components, text)]  # "2: 3" may be a move to 3 in component 2, or to a position "2: 3"
    if (match := _NUMBERED.fullmatch(text)) and int(match["component"]) <= len(components):
        readings.insert(0, (range(int(match["component"]) - 1, int(match["component"])), match["rest"]))
    for indices, rest in readings:
        # The text of a position may contain arrows too, so each arrow may be the one between start and end.
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
    """Return the option of a component that a text means, as a tuple of length 1; None if there is no such option.

    Prefer the option with this text, then the position that the rules read from it, then an option symmetric to that.
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
    """Yield what the rules can read from a text: first as one position, then, split at each ``+``, as a sum."""
    for pieces in ([text], text.split("+")):
        try:
            with rule_errors(component.name, f"the text {shorten(text)}"):
                positions = [component.ruleset.parse(_bare(component, piece.strip())) for piece in pieces]
        except GraphGameError:
            continue
        yield (positions[0] if len(positions) == 1 else Sum(part for end in positions for part in parts_of(end)))


def _bare(component: Component, text: str) -> str:
    """Return the text of a position without the name and arguments of the component's game: 3 for nim(3)."""
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


Painter = Callable[[str, str], str]
"""A function of a role and a text that returns the text, perhaps in the colour of the role.

A role is a kind of cell, or ``number``, ``name``, ``won`` or ``lost``."""

_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
_ROLES = {
    "1": "coin cross name pin",
    "1;31": "lost poison",
    "1;32": "won",
    "1;33": "heads",
    "1;34": "piece",
    "2": "square tails taken",
    "33": "sweet",
    "36": "number",
}
_CODES = {role: code for code, roles in _ROLES.items() for role in roles.split()}
_GAP = 4


def plain(role: str, text: str) -> str:
    """Return the text as it is: the painter for pipes and terminals without colours."""
    return text


def coloured(role: str, text: str) -> str:
    r"""Return the text in its role's colour, by escape sequences; unchanged if blank, or if the role has no colour.

    Examples
    --------
    >>> coloured("number", "1"), coloured("note", "1")
    ('\x1b[36m1\x1b[0m', '1')
    """
    return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if role in _CODES and text.strip() else text


def seen_width(text: str) -> int:
    """Return the number of columns that a text takes at a terminal, without its escape sequences for colours."""
    return columns_of(_SEQUENCE.sub("", text))


def fitted(line: str, width: int | None) -> str:
    """Break a line into lines of at most ``width`` columns; longer words stay whole. None means no limit.

    Later lines are indented to the first word, or to the second if two spaces precede it; at most by half the width.

    Examples
    --------
    >>> print(fitted("  hint   the best move, and how long", 24))
      hint   the best move,
             and how long
    """
    if width is None or seen_width(line) <= width:
        return line
    head = re.match(r"\s*(?:\S+\s{2,})?", line)
    indent = " " * min(head.end() if head else 0, width // 2)
    # textwrap breaks lines only at spaces, and Chinese text has none.
    if current_language() != "en":
        lines = wrapped(line[len(indent) :], width - len(indent))
        return f"\n{indent}".join([line[: len(indent)] + lines[0], *lines[1:]])
    unbroken: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False, "replace_whitespace": False}
    return "\n".join(textwrap.wrap(line, width, subsequent_indent=indent, **unbroken))


def beside_each_other(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Return the lines of two blocks of text, with the second block to the right of the first.

    Examples
    --------
    >>> beside_each_other(["oo", "o"], ["1) -> 1"])
    ['oo    1) -> 1', 'o']
    """
    width = max(map(seen_width, left), default=0) + _GAP
    pairs = zip_longest(left, right, fillvalue="")
    return [f"{first}{' ' * (width - seen_width(first))}{second}".rstrip() for first, second in pairs]


_WIDTH = 100
_MOST_COMPONENTS = 200
_MOST_LINES = 60


def board_lines(position: Position, paint: Painter = plain) -> list[str]:
    r"""Return lines for the first 200 components of a position: the number (if there are several), text and board.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(*board_lines(parse_position("chomp(3,1) + kayles(3)")), sep="\n")
    1  chomp(3,1)  xoo
                   o
    2  kayles(3)   | | |
    """
    shown = position.components[:_MOST_COMPONENTS]
    names = [component_text(position, component) for component in shown]
    heads = [f"{number}  {name}" for number, name in enumerate(names, 1)] if len(names) > 1 else names
    width = max(map(len, heads), default=0) + 2
    lines: list[str] = []
    for component, head, name in zip(shown, heads, names, strict=True):
        first, *rest = _board(component, name, paint) or [""]
        lines += [f"{head:{width}}{first}".rstrip(), *(" " * width + line for line in rest)]
    if hidden := len(position.components) - len(shown):
        lines.append(translate("... and {components} more", components=amount(hidden, "component")))
    return lines or [translate("no component")]


def _board(component: Component, name: str, paint: Painter) -> list[str]:
    """Return the lines of a component's board; an empty list if they would only repeat its text ``name``.

    The lines come from the method ``board`` of the rules, if the rules define one, otherwise from the picture.
    """
    name_of_rules, ruleset, position = component
    with rule_errors(name_of_rules, Message("the board"), position):
        board = returned(ruleset.board(position), str).split("\n")
        picture = ruleset.picture(position)
    if picture is not None:
        check_picture(picture)
    of_picture = None if picture is None else picture_lines(picture)
    lines = board if of_picture is None or type(ruleset).board is not Ruleset.board else of_picture
    if lines in ([name], [ruleset.format(position)]):
        return []
    shown = capped((printable(line, length=_WIDTH) if line else "" for line in lines), len(lines), _MOST_LINES)
    # Paint a picture only if its lines are shown unchanged: ``capped`` and ``printable`` do not know escape sequences.
    return picture_lines(picture, paint) or [] if picture is not None and shown == of_picture else shown


def picture_lines(picture: Picture, paint: Painter = plain) -> list[str] | None:
    """Return a picture as a line of text for each row. Join the rows if all cells are pieces and no row has a gap.

    Return None if the cells are not in a grid, or if several cells have texts of two or more characters.

    Examples
    --------
    >>> from graphgame.rules.pictures import heap, sheet
    >>> picture_lines(heap(7)), picture_lines(sheet(3, 2, "paper"))
    (['ooooo oo'], ['###', '###'])
    """
    if picture.rows is None or sum(len(cell.text) > 1 for cell in picture.cells) > 1:
        return None
    rows = [_row(row, paint) for row in picture.rows]
    heap = {cell.kind for cell in picture.cells} == {"piece"} and len(picture.cells) == sum(map(len, picture.rows))
    return [" ".join(rows)] if heap else rows


def _row(cells: Sequence[Cell], paint: Painter) -> str:
    """Return a row of cells as text; neighbouring cells of one kind are painted together."""
    marks = [(cell.kind, cell.text or CELL_STYLES[cell.kind].sign) for cell in cells]
    while marks and not marks[-1][1].strip():
        marks.pop()
    groups = groupby(marks, key=itemgetter(0))
    return "".join(paint(kind, "".join(mark for _, mark in group)) for kind, group in groups).rstrip()


def move_lines(
    position: Position, moves: Sequence[Move], most: int = MOST_ROWS, width: int = _WIDTH, paint: Painter = plain
) -> list[str]:
    r"""Return lines with the first ``most`` of ``moves``, numbered, in as many columns as fit into ``width``.

    If there are more moves, a last line says so. If the position has one component, the text of a move is only its
    end, such as "-> 3". A ``width`` above 100 counts as 100.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> position = parse_position("nim(2,1)")
    >>> print(*move_lines(position, distinct_moves(position)), sep="\n")
    1) 2 -> 0   2) 2 -> 1   3) 1 -> 0
    """
    if len(position.components) == 1:
        texts = [f"-> {component_text(position, move.end, 0)}" for move in moves[:most]]  # type: ignore[arg-type]
    else:
        texts = [move_text(position, move) for move in moves[:most]]
    digits = len(str(len(texts)))
    cells = [f"{number:>{digits}}) {text}" for number, text in enumerate(texts, 1)]
    column = max(map(len, cells), default=0) + 3
    columns = max(1, (min(width, _WIDTH) + 3) // column)
    shown = [f"{paint('number', cell[: digits + 1])}{cell[digits + 1 :]:{column - digits - 1}}" for cell in cells]
    rows = [shown[start : start + columns] for start in range(0, len(cells), columns)]
    lines = ["".join(row).rstrip() for row in rows]
    if len(moves) == MOST_LISTED > most:
        return [*lines, translate('... and more: type "moves" for the first {count}', count=f"{MOST_LISTED:,}")]
    if len(moves) > most:
        return [*lines, translate('... and {count} more: type "moves" to list them', count=f"{len(moves) - most:,}")]
    return lines
