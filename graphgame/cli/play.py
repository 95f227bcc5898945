"""``graphgame play``: play a game at the terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import Game, takes_game
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import examples
from graphgame.cli.progress import Exploring, shown
from graphgame.compiled.engine import PRODUCT_LIMIT
from graphgame.errors import Message, ParseError, TokenError, plural
from graphgame.registry import registered
from graphgame.text.sentences import word_for
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.play import Adviser, Match, Record
    from graphgame.play.dialogue import Dialogue
    from graphgame.play.record import Players
    from graphgame.rules.position import Position

_EXAMPLES = examples(
    ('graphgame play "nim(3,4,5)"', "you move first"),
    ('graphgame play "chomp(3x4)" --first computer', ""),
    ('graphgame play "kayles(9)" --misere --err 0.2', "the computer errs now and then"),
    ("graphgame play game.txt --second person", "two people"),
    ('graphgame play "nim(3,4,5)" --save nim.play', "and write a record"),
    ("graphgame play --replay nim.play", "show the game of a record"),
    ("graphgame play --resume nim.play", "continue the game of a record"),
    ("printf '3 -> 1\\n' | graphgame play \"nim(3,4,5)\"", "moves from a script"),
)

_PLAYERS = click.Choice(["person", "computer"])


@click.command("play", epilog=_EXAMPLES)
@click.argument("source", required=False, type=click.Path(readable=False), shell_complete=common.complete_source)
@click.option("--first", type=_PLAYERS, help="Who moves first.  [default: person, or as a record or certificate says]")
@click.option(
    "--second",
    type=_PLAYERS,
    help="Who moves second.  [default: computer, or person if the computer moves first; or as a record says]",
)
@click.option(
    "--err",
    type=common.Number(0, 1),
    metavar="CHANCE",
    help="Chance, 0 to 1, that the computer moves at random.  [default: 0, perfect play]",
)
@click.option(
    "--seed",
    type=common.AnyInteger(),
    metavar="N",
    help="Seed of the random moves: the same number repeats them.  [default: random, but 0 over a pipe]",
)
@click.option("--save", metavar="FILE", type=click.Path(), help="Write a record of the game when it ends.")
@click.option(
    "--replay", "shown_record", metavar="FILE", type=click.Path(), help="Show the game that this record holds."
)
@click.option("--resume", metavar="FILE", type=click.Path(), help="Continue the game that this record holds.")
@click.option(
    "--certificate",
    metavar="FILE",
    type=click.Path(),
    help="Let the computer play the winning side by this certificate, which graphgame search writes; "
    "SOURCE may also be a certificate.",
)
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy", "product_limit", "max_positions")
@takes_game
def command(
    game: Game,
    first: str | None,
    second: str | None,
    err: float | None,
    seed: int | None,
    save: str | None,
    shown_record: str | None,
    resume: str | None,
    certificate: str | None,
) -> None:
    """Play the game in SOURCE, a graph file with tokens or a position such as "nim(3,4,5)".

    You are shown the position and the moves: type a move's number, or FROM -> TO, or help for hints, reasons, undo and
    more. A perfect computer wins every won position as fast as possible, and loses as late as possible; in a game too
    large to be played out, it wins by values or theorems. A position that comes up for the third time is a draw. Moves
    and commands may also come from a pipe, one on each line; exit status 2 means that some were not carried out.
    """
    from graphgame.io.other_formats import CERTIFICATE, file_kind_at
    from graphgame.play import Match, read_record, record_of, replay, write_record

    if shown_record is not None and resume is not None:
        raise UsageError("choose one of --replay and --resume")
    name = shown_record or resume
    record = None if name is None else read_record(name)
    named = os.path.isfile(game.source or "")  # noqa: PTH113 - a Path raises where a text is too long for a name
    if certificate is None and named and file_kind_at(str(game.source)) is CERTIFICATE:
        certificate = game.source
    proof = None if certificate is None else registered("certificate of a position")(certificate)
    if proof is not None and record is None:
        game = _proved(game, proof, str(certificate))
    game, start = _start(game, record)
    if proof is not None:
        start = start.small()  # lower limits: for a large game the command "why" then explains without a graph
    match = Match(start) if record is None else replay(record, start)
    if shown_record is not None:
        _show(match)
        return
    if proof is not None and first is second is None and record is None:
        first, second = ("computer", "person") if proof.outcome == "N" else ("person", "computer")
    now = _record(game, start, _players(first, second, err, record))
    dialogue = _dialogue(game, match, now, seed, proof)
    if save is not None:  # If the file cannot be written, fail before the game is played.
        write_record(record_of(match, now), save)
    try:
        dialogue.run()
    finally:
        if save is not None:
            write_record(record_of(match, now), save)
            common.tell_of(save)
    if dialogue.mistakes and not sys.stdin.isatty():
        raise Failure("{lines} of the input could not be carried out", plural(dialogue.mistakes, "line"))


def _start(game: Game, record: Record | None) -> tuple[Game, Position]:
    """Return the game, and the position from which the match starts.

    A record decides ``misere`` and ``loopy``, and SOURCE and the tokens if these are not on the command line. Raise a
    UsageError if SOURCE is missing or is standard input, and a ParseError if the record's position or token is wrong.
    """
    from graphgame.errors import UnknownPositionError

    if record is not None:
        if game.source is None:
            common.refuse_rules_of_file(record.game, record.source, "graphgame play {game} ...")
        game = replace(
            game,
            source=game.source or record.game,
            tokens=game.tokens or tuple(record.tokens),
            misere=record.misere,
            loopy=record.loopy,
        )
    if game.source is None:
        raise UsageError("missing SOURCE, such as nim(3,4,5)")
    if game.source == "-":
        raise UsageError("SOURCE cannot be standard input, from which the moves are read: name a file or a position")
    try:
        return game, game.as_position()
    except (ParseError, TokenError, UnknownPositionError) as error:
        if record is None or game.source != record.game or getattr(error, "source", None):
            raise
        message = error.message if isinstance(error, ParseError) else str(error)
        token = str(getattr(error, "position", ""))
        line = record.lines.get(("token", token), record.lines["game", record.game])
        raise ParseError(message, source=record.source, line=line) from error


def _proved(game: Game, proof: Any, file: str) -> Game:  # noqa: ANN401
    """Return the game. If SOURCE is missing or is the certificate's ``file``, the proved position becomes SOURCE.

    Raise a UsageError for misère play, and a Failure if the proved position has rules in Python.
    """
    if game.misere:
        raise UsageError("a certificate is about normal play: leave out --misere")
    if game.source not in (None, file):
        return game
    common.refuse_rules_of_file(proof.position, file, "graphgame play {game} ...")
    return replace(game, source=proof.position)


def _players(first: str | None, second: str | None, err: float | None, record: Record | None) -> Players:
    """Return the players that ``--first`` and ``--second`` name. If neither is given, return those of a record.

    By default a person moves first, and the second player is of the other kind. ``err`` is the chance that a computer
    moves at random; None means 0, or the chances in the record if it gives the players.
    """
    from graphgame.play.match import SIDES

    if record is not None and first is None and second is None:
        if err is None:
            return record.players
        return {side: None if chance is None else err for side, chance in record.players.items()}
    first = first or "person"
    second = second or ("person" if first == "computer" else "computer")
    return {side: (err or 0.0) if who == "computer" else None for side, who in zip(SIDES, (first, second), strict=True)}


def _record(game: Game, start: Position, players: Players) -> Record:
    """Return the record of a match without any moves."""
    from graphgame.play import Record
    from graphgame.rules.rule_errors import rule_errors

    source, on_graph = str(game.source), game.position is None or bool(game.tokens)
    with rule_errors(source, Message("the text of a position")):
        name = source if on_graph else str(start)
        tokens = [printable(start.text(token), length=0) for token in start.components] if on_graph else []
    return Record(name, game.misere, game.loopy, players, tokens)


def _dialogue(game: Game, match: Match, record: Record, seed: int | None, proof: Any) -> Dialogue:  # noqa: ANN401
    from graphgame.play import Computer, adviser, record_of, write_record
    from graphgame.play.dialogue import Console, Dialogue

    @cache
    def advise() -> Adviser:
        if proof is not None:
            by_certificate: Adviser = registered("advice of a certificate")(proof, match.start)
            return by_certificate
        limit = game.product_limit or PRODUCT_LIMIT
        with shown(Exploring) as exploring:
            return adviser(match.start, loopy=game.loopy, product_limit=limit, progress=exploring)

    chosen = 0 if seed is None and not sys.stdin.isatty() else seed
    computers = {
        side: Computer(advise(), chance, chosen) for side, chance in record.players.items() if chance is not None
    }

    def save(path: str) -> None:
        write_record(record_of(match, record), path)

    return Dialogue(match, computers, Console(common.tell), advise, save, game.loopy)


def _show(match: Match) -> None:
    """Print each position of a match with the move made there, then the last position, and who won if play ended."""
    from graphgame.play.dialogue import outcome_text
    from graphgame.play.match import SIDES
    from graphgame.play.moves import board_lines, move_text

    for turn, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
        lines = [*board_lines(position), f"{word_for(SIDES[turn % 2])}: {move_text(position, move)}", ""]
        click.echo("\n".join(lines))
    click.echo("\n".join([*board_lines(match.position), outcome_text(match)]))
