"""The dialogue of a match at a terminal or over a pipe: it shows boards, and reads moves and commands."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import islice

import click

from graphgame.errors import GraphGameError, LimitError, Message, ParameterError, ParseError, either, system_message
from graphgame.play.match import SIDES, Adviser, Computer, Match, Side
from graphgame.play.moves import (
    MOST_LISTED,
    Painter,
    beside_each_other,
    board_lines,
    coloured,
    distinct_moves,
    find_move,
    fitted,
    legal_moves,
    move_lines,
    move_text,
    plain,
    seen_width,
)
from graphgame.rules.position import Position
from graphgame.rules.ruleset import MAX_TRIED
from graphgame.solution.results import Move
from graphgame.solution.solve import solve
from graphgame.text.languages import render, translate
from graphgame.text.positions import explain, explain_position
from graphgame.text.rules import rules_lines
from graphgame.text.sentences import word_for
from graphgame.text.text import columns_of, padded, printable, verdict_text

_HINTS = {
    ("N", True): Message("{move} wins, in at most 1 move"),
    ("N", False): Message("{move} wins, in at most {count} moves"),
    ("P", True): Message("every move loses against perfect play; {move} holds out longest, for at most 1 move"),
    ("P", False): Message("every move loses against perfect play; {move} holds out longest, for at most {count} moves"),
}


def hint(adviser: Adviser, position: Position) -> str:
    """Return a line on the best move of a position and, if some moves lose at once, a second line with these moves.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> from graphgame.play import adviser
    >>> for text in ("nim(3,5)", "nim(2,2)"):
    ...     position = parse_position(text)
    ...     print(hint(adviser(position), position))
    5 -> 3 wins, in at most 7 moves
    every move loses against perfect play; 2 -> 1 holds out longest, for at most 4 moves

    Moves that lose at once are given by their numbers in the list of moves:

    >>> position = parse_position("cutting(4x2)")
    >>> print(hint(adviser(position), position))
    4x2 -> 2x2 + 2x2 wins, in at most 3 moves
    these moves lose at once: 1, 3
    """
    move = adviser.best_move(position)
    if move is None:
        return translate("there is no move")
    lines = [_advice(adviser, position, move)]
    numbered = enumerate(distinct_moves(position), 1)
    if losing := [str(number) for number, other in numbered if _loses_at_once(position, other)]:
        lines.append(translate("these moves lose at once: {numbers}", numbers=translate(", ").join(losing)))
    return "\n".join(lines)


def _loses_at_once(position: Position, move: Move) -> bool:
    """Tell whether the move, or a reply to it, reaches a position that the rules decide as the opponent's win."""
    if not position.decides:
        return False
    after = position.after(move)
    answers = islice(legal_moves(after), MAX_TRIED)
    return after.decided == "N" or any(after.after(answer).decided == "P" for answer in answers)


def _advice(adviser: Adviser, position: Position, move: Move) -> str:
    outcome, length = adviser.verdict(position)
    text = move_text(position, move)
    if outcome == "D":
        return translate("nobody can force a win; {move} keeps the draw", move=text)
    if length is None:
        return translate("{move} wins" if outcome == "N" else "every move loses against perfect play", move=text)
    return translate(_HINTS[outcome, length == 1], move=text, count=f"{length:,}")


def why(position: Position, loopy: bool = False) -> str:
    """Explain who wins by the graph, or as :func:`explain_position` does for Nim, or if the graph is too large.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> print(why(parse_position("kayles(2)")))
    position 2 has value 2; its options:
      value 0: 0
      value 1: 1
      value 2: none, so mex{0, 1} = 2
      an N-position: the move to 0 leaves a P-position
    """
    if position.theorem.heaps is not None:
        return explain_position(position)
    try:
        graph = position.bounded().graph(texts=True)
    except LimitError:
        return explain_position(position)
    (token, *others) = graph.tokens or (None, None)
    return explain(solve(graph, misere=position.misere, loopy=loopy), None if others else token, depth=0)


_LEAST_WIDTH_OF_MOVES = 20
_LONGEST_LINE = 1_000_000
_NUMBER = re.compile("[0-9]{1,9}")
_RULES = {False: Message("whoever cannot move loses"), True: Message("misère play, whoever cannot move wins")}
_REASONS: dict[Side | None, str] = {
    None: Message("no move is left"),
    "first": Message("first player resigns"),
    "second": Message("second player resigns"),
}
_DECIDED = {"P": Message("the last move ends play and wins"), "N": Message("the last move ends play and loses")}
_HELP = {
    "help": Message("this list"),
    "board": Message("the position and its moves once more"),
    "moves": Message("the moves with their numbers, at most {count}"),
    "hint": Message("the best move, how long the game lasts, and which moves lose at once"),
    "why": Message("who wins this position, and why"),
    "rules": Message("what a move is, and how the game ends"),
    "undo": Message("take back a person's last move and the computer's answer, or a resignation, even after the game"),
    "history": Message("the moves so far"),
    "save": Message("save FILE writes the game so far as a record"),
    "resign": Message("give up: the other player wins"),
    "quit": Message("leave the game"),
}
_MOVE_HELP = Message("""\
Type the number of a move in the list, or the move itself: FROM -> TO. You may leave out FROM if only one component has
such a move (-> TO), and the arrow as well if TO is not a number.""")


class Console:
    """Standard input and output, at a terminal with line editing or in pipes; ``warn(text)`` shows an error message."""

    def __init__(self, warn: Callable[[str], object]) -> None:
        self.warn = warn
        self._asks = sys.stdin.isatty() and sys.stdout.isatty()
        no_colour = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self.paint: Painter = coloured if self._asks and not no_colour else plain
        if self._asks:
            with suppress(ImportError):
                import readline  # noqa: F401

    @property
    def width(self) -> int | None:
        """The current number of columns of the terminal; None if input or output is not a terminal."""
        return shutil.get_terminal_size().columns if self._asks else None

    def read(self, prompt: str) -> str:
        """Return the next line of input; at a terminal, show ``prompt`` first. Raise EOFError at the end of input."""
        if self._asks:
            try:
                return input(prompt)
            except EOFError:
                click.echo()
                raise
        line = sys.stdin.readline(_LONGEST_LINE)
        if not line:
            raise EOFError
        return line

    def write(self, text: str) -> None:
        """Show a text."""
        click.echo(text)


class Dialogue:
    """A match between people at a console and computers.

    ``computers`` maps each side that a computer plays to this computer. ``advise()`` returns the adviser for hints, and
    is called for each hint. ``save(path)`` writes the match so far as a record. ``mistakes`` is the number of refused
    lines of input: illegal moves, unknown words, and commands that failed. ``loopy`` says whether play need not end.
    """

    def __init__(
        self,
        match: Match,
        computers: Mapping[Side, Computer],
        console: Console,
        advise: Callable[[], Adviser],
        save: Callable[[str], None],
        loopy: bool = False,
    ) -> None:
        self.match = match
        self.mistakes = 0
        self._computers = computers
        self._console = console
        self._advise = advise
        self._save = save
        self._loopy = loopy
        self._moves: list[Move] = []

    def run(self) -> None:
        """Play until the input ends, a person quits, or the game is over and no move is taken back."""
        start = self.match.start
        rules = rules_lines(start, start.misere) if start.decides else [translate(_RULES[start.misere])]
        self._show(f"{printable(start, length=200)}{translate(': ')}{' '.join(rules)}")
        if len(self._computers) < len(SIDES):
            self._show(translate("Type the number of a move, or FROM -> TO, or help."))
        try:
            self._play()
            while len(self._computers) < len(SIDES) and self._is_continued():
                self._play()
        except EOFError:
            if self.match.winner is None:
                self._show(translate("the game is not finished"))

    def _play(self) -> None:
        while self.match.winner is None:
            computer = self._computers.get(self.match.mover)
            if computer is None:
                self._ask()
            else:
                self._answer(computer)
        self._show("", *board_lines(self.match.position, self._console.paint), self._outcome())

    def _is_continued(self) -> bool:
        """Carry out commands after the game ends. Return True after ``undo``, False if a line is no command."""
        self._moves = []
        while self.match.winner is not None:
            line = self._console.read(translate("undo, history, save FILE, or Enter to end> ")).strip()
            if line.partition(" ")[0] not in ("save", *self._commands):
                return False
            self._try(line)
        return True

    def _outcome(self) -> str:
        winner = self.match.winner
        if len(self._computers) != 1 or winner is None or winner == "draw":
            return self._console.paint("name", outcome_text(self.match))
        role = "lost" if winner in self._computers else "won"
        who = translate("the computer wins" if role == "lost" else "you win")
        return self._console.paint(role, translate("{outcome}: {who}", outcome=outcome_text(self.match), who=who))

    def _answer(self, computer: Computer) -> None:
        if len(self._computers) == len(SIDES):
            self._show("", *board_lines(self.match.position, self._console.paint))
        move = computer.choose(self.match.position)
        assert move is not None
        self._make(move)

    def _make(self, move: Move) -> None:
        name = self._name(self.match.mover)
        self._show(f"{self._console.paint('name', name)}{translate(': ')}{move_text(self.match.position, move)}")
        self.match.move(move)

    def _ask(self) -> None:
        """Carry out lines of a person's input, until a move is made or taken back, or the person resigns or quits."""
        self._moves = distinct_moves(self.match.position)
        self._board()
        turn = len(self.match.moves)
        while len(self.match.moves) == turn and self.match.resigned is None:
            self._try(self._console.read(f"{self._name(self.match.mover)}> ").strip())

    def _try(self, line: str) -> None:
        try:
            self._obey(line)
        except GraphGameError as error:
            self._refuse(render(str(error)))

    def _refuse(self, reason: str) -> None:
        self.mistakes += 1
        self._console.warn(reason)

    def _obey(self, line: str) -> None:
        word, _, argument = line.partition(" ")
        if word == "save":
            self._write(argument.strip())
        elif line in self._commands:
            self._commands[line]()
        elif line:
            self._make(self._numbered(int(line)) if _NUMBER.fullmatch(line) else self._written(line))

    @cached_property
    def _commands(self) -> dict[str, Callable[[], None]]:
        return {
            "help": self._help,
            "board": self._board,
            "moves": lambda: self._show(*move_lines(self.match.position, self._moves, MOST_LISTED)),
            "hint": lambda: self._show(hint(self._advise(), self.match.position)),
            "why": self._why,
            "rules": lambda: self._show(*rules_lines(self.match.start, self.match.start.misere)),
            "undo": self._undo,
            "history": lambda: self._show(*history_lines(self.match)),
            "resign": self.match.resign,
            "quit": self._quit,
        }

    def _write(self, path: str) -> None:
        if not path:
            raise ParameterError("save needs the name of a file: type save FILE")
        try:
            self._save(path)
        except OSError as error:
            reason = system_message(error.strerror or str(error))
            self._refuse(render(Message("{file}: {reason}", error.filename or path, reason)))
        else:
            self._show(translate("saved to {path}", path=printable(path, length=0)))

    def _numbered(self, number: int) -> Move:
        if not 1 <= number <= len(self._moves):
            raise ParseError("there is no move number {number}: expected 1 to {count}", number, len(self._moves))
        return self._moves[number - 1]

    def _written(self, line: str) -> Move:
        try:
            return find_move(self.match.position, line)
        except ParseError as error:
            if near := [word for word in _HELP if word.startswith(line.lower())]:
                raise ParseError("{error}; did you mean {names}?", error, either(near)) from error
            raise ParseError("{error}; help lists what may be typed", error) from error

    def _help(self) -> None:
        about = translate(_MOVE_HELP)
        about = about if self._console.width is None else " ".join(about.split())
        self._show(about, *(f"  {word:8} {translate(_HELP[word], count=f'{MOST_LISTED:,}')}" for word in _HELP))

    def _board(self) -> None:
        """Show the position and its moves, side by side if the terminal is wide enough."""
        paint, width = self._console.paint, self._console.width
        board = board_lines(self.match.position, paint)
        if width is None:
            self._show("", *board, *move_lines(self.match.position, self._moves))
            return
        width_of_moves = width - max(map(seen_width, board)) - 4
        moves = move_lines(self.match.position, self._moves, width=width_of_moves, paint=paint)
        if width_of_moves < _LEAST_WIDTH_OF_MOVES or max(map(seen_width, moves), default=0) > width_of_moves:
            self._show("", *board, *move_lines(self.match.position, self._moves, width=min(width, 99), paint=paint))
        else:
            self._show("", *beside_each_other(board, moves))

    def _why(self) -> None:
        reason = why(self.match.position, self._loopy)
        self._show(translate('(here "first player" means the player to move now)'), reason)

    def _undo(self) -> None:
        if self.match.resigned is not None:
            self.match.undo()
            return
        turns = [turn for turn in range(len(self.match.moves)) if SIDES[turn % 2] not in self._computers]
        if not turns:
            raise ParameterError("there is no move of yours to take back")
        while len(self.match.moves) > turns[-1]:
            self.match.undo()

    def _quit(self) -> None:
        raise EOFError

    def _name(self, side: Side) -> str:
        """Return "you" or "computer" if exactly one side is a computer; otherwise "first" or "second"."""
        if len(self._computers) == 1:
            return translate("computer" if side in self._computers else "you")
        return word_for(side)

    def _show(self, *lines: str) -> None:
        self._console.write("\n".join(fitted(part, self._console.width) for line in lines for part in line.split("\n")))


def history_lines(match: Match) -> list[str]:
    """Return a line for each move of a match, with its number, the player and the move; ["no moves yet"] without moves.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> match = Match(parse_position("nim(1,2)"))
    >>> match.move(find_move(match.position, "2 -> 1"))
    >>> history_lines(match)
    ['1  first  2: 2 -> 1']
    """
    turns = enumerate(zip(match.positions[:-1], match.moves, strict=True))
    digits, width = len(str(len(match.moves))), max(columns_of(word_for(side)) for side in SIDES)
    sides = [padded(word_for(side), width, "l") for side in SIDES]
    lines = [
        f"{turn + 1:>{digits}}  {sides[turn % 2]} {move_text(position, move, number=True)}"
        for turn, (position, move) in turns
    ]
    return lines or [translate("no moves yet")]


def outcome_text(match: Match) -> str:
    """Return a sentence: why a match ended, who won and after how many moves; or that it is a draw or not finished.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> outcome_text(Match(parse_position("nim(0)")))
    'no move is left: second player wins after 0 moves'
    """
    winner = match.winner
    if winner is None:
        return translate("the game is not finished")
    if winner == "draw":
        return translate("the position has come up three times: a draw")
    decided = None if match.resigned else match.position.decided
    moves = len(match.moves)
    reason = _REASONS[match.resigned] if decided is None else _DECIDED[decided] if moves else Message("play is over")
    return translate(
        "{reason}: {verdict} after 1 move" if moves == 1 else "{reason}: {verdict} after {count} moves",
        reason=translate(reason),
        verdict=verdict_text(winner),
        count=f"{moves:,}",
    )
