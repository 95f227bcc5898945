r"""Records: text files that hold a match.

::

    # graphgame record 1
    game nim(3,4,5)
    play normal
    first person
    second computer
    move 1: 3 -> 1
    move 2: 4 -> 0
    result second resigns

The first line is always the same. Each other line has a word and a text; only ``game`` is required. Empty lines and
lines that begin with ``#`` are ignored.

==========  ===================================================================================================
``game``    a position in the notation, or the name of a graph file
``token``   the position of a token, a line for each token; for a graph file, or if ``--tokens`` was given
``play``    ``normal`` or ``misere``
``cycles``  ``loopy`` if play need not end, otherwise ``error`` or no such line
``first``   who moves first: ``person``, ``computer``, or ``computer 0.2``: 0.2 is the probability of a random move
``second``  who moves second, in the same form
``move``    the number of a component, its position before and after the move; a line for each move, in their order
``result``  ``first wins``, ``second wins``, ``first resigns``, ``second resigns``, ``draw``, or ``unfinished``
==========  ===================================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from graphgame.errors import GraphGameError, Message, ParseError, checks_parameters
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.play.match import SIDES, Match, Side
from graphgame.play.moves import find_move, move_text
from graphgame.rules.position import Position
from graphgame.solution.results import play_name
from graphgame.text.text import printable

Players: TypeAlias = dict[Side, "float | None"]

_HEAD = "# graphgame record 1"
_RESIGNED = ("first resigns", "second resigns")
_WORDS: dict[str, tuple[str, ...]] = {
    "play": ("normal", "misere"),
    "cycles": ("error", "loopy"),
    "result": ("first wins", "second wins", *_RESIGNED, "draw", "unfinished"),
}
_LISTED = ("token", "move")
_SINGLE = ("game", "first", "second", *_WORDS)
_PLAYER = re.compile(r"person|computer(?: (?:0(?:\.[0-9]{1,9})?|1))?")
_MOST_LINES = 1_000_000


@dataclass(frozen=True)
class Line:
    """A line of a record: its number in the file, from 1 on (0 if it has none), and its text after the first word."""

    number: int
    text: str


_NO_RESULT = Line(0, "unfinished")


@checks_parameters
@dataclass
class Record:
    """The contents of a record.

    Attributes
    ----------
    game : str
        A position in the notation, or the name of a graph file.
    misere : bool
    loopy : bool
    tokens : list of str
        The texts of the tokens' positions, if ``game`` is a graph file or ``--tokens`` names them.
    players : dict
        Side -> None for a person; for the computer the probability of a random move.
    moves : list of Line
    result : Line
    source : str
        The name of the file, for errors.
    lines : dict of (str, str) to int
        The word and the text of each line -> the line's number, for errors.
    """

    game: str
    misere: bool = False
    loopy: bool = False
    players: Players = field(default_factory=lambda: dict.fromkeys(SIDES))
    tokens: list[str] = field(default_factory=list)
    moves: list[Line] = field(default_factory=list)
    result: Line = _NO_RESULT
    source: str = "record"
    lines: dict[tuple[str, str], int] = field(default_factory=dict)

    def error(self, message: str, line: Line) -> ParseError:
        """Return a ParseError at a line of the record."""
        return ParseError(message, source=self.source, line=line.number or None)


def record_of(match: Match, record: Record) -> Record:
    """Return a copy of ``record`` with the moves, the result and the play convention of ``match`` instead of its own.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> match = Match(parse_position("nim(2)"))
    >>> match.move(find_move(match.position, "-> 0"))
    >>> [line.text for line in record_of(match, Record("nim(2)")).moves], match.result
    (['1: 2 -> 0'], 'first wins')
    """
    made = zip(match.positions[:-1], match.moves, strict=True)
    moves = [Line(0, move_text(position, move, number=True)) for position, move in made]
    return replace(record, misere=match.start.misere, moves=moves, result=Line(0, match.result))


def record_lines(record: Record) -> Iterator[str]:
    """Yield the lines of a record file, with newlines."""
    words: list[tuple[str, str]] = [("game", record.game), *(("token", token) for token in record.tokens)]
    words += [("play", play_name(record.misere)), *([("cycles", "loopy")] if record.loopy else [])]
    words += [(side, _player_text(who)) for side, who in record.players.items()]
    words += [*(("move", move.text) for move in record.moves), ("result", record.result.text)]
    yield f"{_HEAD}\n"
    yield from (f"{word} {printable(text, length=0)}\n" for word, text in words)


def write_record(record: Record, path: PathLike) -> None:
    """Write a record to a file; ``-`` is standard output."""
    with open_atomic(path) as stream:
        stream.writelines(record_lines(record))


def read_record(path: PathLike) -> Record:
    """Read a record from a file; :func:`replay` checks its moves.

    Raises
    ------
    ParseError
        The file is not a record, does not say which game, or has an invalid line, which the message names.
    """
    with Source(path) as source:
        return _parsed(source.lines(), source.name)


def _parsed(lines: Iterator[str], name: str) -> Record:
    if next(lines, "").strip() != _HEAD:
        raise ParseError("expected a record, whose first line is {head!r}", _HEAD, source=name, line=1)
    single: dict[str, Line] = {}
    listed: dict[str, list[Line]] = {word: [] for word in _LISTED}
    lines_of: dict[tuple[str, str], int] = {}
    for number, line in enumerate(lines, 2):
        word, _, text = line.lstrip().rstrip("\r").partition(" ")
        if not word or word.startswith("#"):
            continue
        entry = Line(number, text if word in _LISTED else text.strip())
        _check(word, entry, single, name)
        lines_of[word, entry.text] = number
        if word in _LISTED:
            listed[word].append(entry)
        else:
            single[word] = entry
    if "game" not in single:
        raise ParseError("the record does not say which game: expected a line such as 'game nim(3,4,5)'", source=name)
    players = [(side, single[side].text if side in single else "person") for side in SIDES]
    return Record(
        game=single["game"].text,
        misere="play" in single and single["play"].text == "misere",
        loopy="cycles" in single and single["cycles"].text == "loopy",
        players={side: None if who == "person" else float(who.removeprefix("computer") or 0) for side, who in players},
        tokens=[line.text for line in listed["token"]],
        moves=listed["move"],
        result=single.get("result", _NO_RESULT),
        source=name,
        lines=lines_of,
    )


def _player_text(who: float | None) -> str:
    if not who:
        return "person" if who is None else "computer"
    return f"computer {who:.9f}".rstrip("0").rstrip(".")


def _check(word: str, line: Line, single: dict[str, Line], name: str) -> None:
    wrong = None
    if word not in _LISTED + _SINGLE:
        wrong = Message("unknown word '{word}': expected one of {words}", printable(word), ", ".join(_SINGLE + _LISTED))
    elif word in single:
        wrong = Message("a second line begins with the word {word}: expected only one", word)
    elif not line.text:
        wrong = Message("expected a text after the word {word}", word)
    elif word in SIDES and not _PLAYER.fullmatch(line.text):
        wrong = Message(
            "unknown player '{player}': expected person, computer, or computer 0.2 (random moves with probability 0.2)",
            printable(line.text),
        )
    elif word in _WORDS and line.text not in _WORDS[word]:
        texts = ", ".join(_WORDS[word])
        wrong = Message("unknown {word} '{text}': expected one of {texts}", word, printable(line.text), texts)
    elif line.number > _MOST_LINES:
        wrong = Message("the record has more than {most:,} lines", _MOST_LINES)
    if wrong:
        raise ParseError(wrong, source=name, line=line.number)


def replay(record: Record, start: Position) -> Match:
    """Return the match in which the moves of a record are made from the position ``start``.

    Raises
    ------
    ParseError
        A move is illegal, or the moves do not lead to the record's result; the message names the line.
    """
    match = Match(start.under(record.misere))
    for line in record.moves:
        try:
            match.move(find_move(match.position, line.text))
        except GraphGameError as error:
            raise record.error(str(error), line) from error
    if record.result.text in _RESIGNED and match.winner is None:
        match.resign()
    if match.result != record.result.text and record.result != _NO_RESULT:
        raise record.error(
            Message("the moves lead to the result {result!r}, not {text!r}", match.result, record.result.text),
            record.result,
        )
    return match
