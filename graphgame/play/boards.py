"""Positions at a terminal: components with their boards, and moves with their numbers, in colour and within a width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Any

from graphgame.drawing.style import CELL_LOOKS
from graphgame.errors import Message
from graphgame.play.moves import MOST_LISTED, component_text, move_text
from graphgame.rules.faults import returned, rule_errors
from graphgame.rules.pictures import Cell, Picture, check_picture
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset
from graphgame.solution.results import Move
from graphgame.text.languages import amount, current_language, translate
from graphgame.text.text import MOST_ROWS, capped, columns_of, printable, wrapped

Painter = Callable[[str, str], str]
"""A function of a role and a text that returns the text, perhaps in the colour of the role.

A role is a kind of cell, or ``number``, ``name``, ``won`` or ``lost``."""

_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
_CODES = {
    "coin": "1",
    "cross": "1",
    "heads": "1;33",
    "lost": "1;31",
    "name": "1",
    "number": "36",
    "piece": "1;34",
    "pin": "1",
    "poison": "1;31",
    "square": "2",
    "sweet": "33",
    "tails": "2",
    "taken": "2",
    "won": "1;32",
}
_GAP = 4


def plain(role: str, text: str) -> str:
    """Return the text without colour: the painter for pipes and plain terminals."""
    return text


def coloured(role: str, text: str) -> str:
    r"""Return the text with the escape sequences for the colour of its role; unchanged if the role has no colour.

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
    """Break a line into lines of at most ``width`` columns; None leaves it as it is.

    Words are not broken. Further lines are indented to the text after the first word if a wide gap follows this word.

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
    if current_language() != "en":
        lines = wrapped(line[len(indent) :], width - len(indent))
        return f"\n{indent}".join([line[: len(indent)] + lines[0], *lines[1:]])
    return "\n".join(
        textwrap.wrap(
            line,
            width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
            replace_whitespace=False,
        )
    )


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
    r"""Return lines that show the components of a sum, one below the other, with number, text and board.

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
    hidden = len(position.components) - len(shown)
    if hidden:
        lines.append(translate("... and {components} more", components=amount(hidden, "component")))
    return lines or [translate("no component")]


def _board(component: Component, name: str, paint: Painter) -> list[str]:
    """Return the lines of a component's board; an empty list if they only repeat the text ``name``.

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
    # The lines of a picture are painted only if none was cut or escaped.
    return picture_lines(picture, paint) or [] if picture is not None and shown == of_picture else shown


def picture_lines(picture: Picture, paint: Painter = plain) -> list[str] | None:
    """Return a picture as lines of text, one for each row of cells; a heap in one line, its pieces in groups of five.

    None if the cells are not in a grid, or if several cells have words, which would run together.

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
    marks = [(cell.kind, cell.text or CELL_LOOKS[cell.kind].sign) for cell in cells]
    while marks and not marks[-1][1].strip():
        marks.pop()
    groups = groupby(marks, key=itemgetter(0))
    return "".join(paint(kind, "".join(mark for _, mark in group)) for kind, group in groups).rstrip()


def move_lines(
    position: Position, moves: Sequence[Move], most: int = MOST_ROWS, width: int = _WIDTH, paint: Painter = plain
) -> list[str]:
    r"""Return lines with at most ``most`` numbered moves, in columns within ``width``, and a line for further moves.

    If the position has one component, the text of a move is only its end, such as "-> 3".

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> from graphgame.play.moves import distinct_moves
    >>> position = parse_position("nim(2,1)")
    >>> print(*move_lines(position, distinct_moves(position)), sep="\n")
    1) 2 -> 0   2) 2 -> 1   3) 1 -> 0
    """
    alone = len(position.components) == 1
    digits = len(str(min(len(moves), most)))
    cells = [f"{number:>{digits}}) {_text(position, move, alone)}" for number, move in enumerate(moves[:most], 1)]
    column = max(map(len, cells), default=0) + 3
    columns = max(1, (width + 3) // column) if width < _WIDTH else max(1, _WIDTH // column)
    shown = [f"{paint('number', cell[: digits + 1])}{cell[digits + 1 :]:{column - digits - 1}}" for cell in cells]
    rows = [shown[start : start + columns] for start in range(0, len(cells), columns)]
    lines = ["".join(row).rstrip() for row in rows]
    if len(moves) == MOST_LISTED > most:
        return [*lines, translate("... and more: moves lists them")]
    if len(moves) > most:
        return [*lines, translate("... and {count} more: moves lists them", count=f"{len(moves) - most:,}")]
    return lines


def _text(position: Position, move: Move, alone: bool) -> str:
    end: Any = move.end
    return f"-> {component_text(position, end, 0)}" if alone else move_text(position, move)
