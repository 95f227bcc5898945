"""The commands ``graphgame verify`` and ``graphgame certificate``.

``verify`` checks values, certificates and other proofs. ``certificate`` writes a few values that prove who wins.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import Game, OutputOptions, takes_disk, takes_game, takes_output
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import HelpEnd, Listing, examples
from graphgame.cli.progress import Reading, shown
from graphgame.errors import Message, ParameterError, TokenError
from graphgame.io.other_formats import CERTIFICATE, LAWS, file_kind_at
from graphgame.registry import offers
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import printable, verdict_text

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph
    from graphgame.io.values import Values
    from graphgame.labs.verification.position_certificates import PositionCertificate
    from graphgame.labs.verification.verification import Verification


_EXAMPLES_OF_VERIFY = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame solve game.txt --values values.csv", ""),
        ("graphgame verify game.txt values.csv", "check every value"),
        ("graphgame verify game.txt homework.csv", "columns position,value or position,outcome"),
        ("graphgame certificate game.txt -o proof.csv", ""),
        ("graphgame verify game.txt proof.csv", "check that a few values prove who wins"),
        ("graphgame verify game.txt values.csv --misere", ""),
        ("graphgame verify cycle.edges values.csv --loopy", ""),
        ('graphgame verify "nim(3,4)" - < values.csv', ""),
        ("graphgame verify edges.parquet values.parquet --workdir work", ""),
        ('graphgame law "wythoff(a,b)" -o law.json', ""),
        ("graphgame verify law.json", "check the proof of a law"),
        ('graphgame search "cram(5x5)" --certificate cram.json', ""),
        ("graphgame verify cram.json", "check who wins, without making the graph"),
        ("graphgame heap 0.77 --period --certificate kayles.json", ""),
        ("graphgame verify kayles.json", "check the period"),
        ("graphgame verify --proved game.txt values.csv", "use a checker that is proved correct in Coq"),
    ),
    "Exit status: 0 when all is right, 2 when a value is wrong or missing, a proof does not prove its claim, or the "
    "command fails.",
)

_RIGHT = (
    Message("right: {columns} of {positions}, enough to prove who wins"),
    Message("right: {columns} of all {positions}"),
)


@click.command("verify", epilog=_EXAMPLES_OF_VERIFY)
@common.source_argument
@click.argument("values", type=click.Path(allow_dash=True), required=False)
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy", "product", "product_limit", "max_positions")
@click.option("--proved", is_flag=True, help="Check with graphgame-proved, a program that is proved correct in Coq.")
@takes_disk
@takes_game
def verify_command(game: Game, values: str | None, proved: bool, disk: Any = None) -> None:  # noqa: ANN401
    """Check the file VALUES (CSV, JSON or Parquet) against the graph of SOURCE, without solving it.

    The command lists up to 20 wrong positions, and says how many there are; in a graph with cycles it stops at the
    first. The file may have the columns position,value as solve prints them, or only position,outcome. Outcomes alone
    are compared with values that the command computes; this needs a graph without cycles.

    The check reads all edges of the graph. If VALUES lists only some positions, it is a certificate: it is right if
    each value follows from other listed values, and if the values prove who wins the sum of the tokens. Values of
    misère play need --misere.

    A certificate of graphgame search is checked by the rules of the game. The value v of a position is right if for
    each smaller value an option with this value is listed, and if no option has the value v: each option is loony, is
    listed with a value other than v, or has itself an option that is listed with the value v.

    A file with laws, a misère quotient, or a certificate of a search or of a period names its game: leave out SOURCE.
    But if laws or a certificate of a search are about rules in a file of yours, repeat the game as SOURCE:
    rules.py:Walk(7). Every claim of a proof is checked again, by other code than the search. Only the statements of a
    law, and the values of heap games whose moves may leave three heaps or more or take infinitely many numbers, may be
    checked by the code that found them.
    """
    on_disk = disk is not None and disk.check(game)
    if proved:
        _run_proved(game, disk, values)
        return
    if on_disk and values is None:
        raise UsageError("--workdir is for a file of edges and its values: expected SOURCE and VALUES")
    if (path := values or game.source) != "-" and file_kind_at(path) is CERTIFICATE:
        _verify_certificate(game, values)
        return
    if values not in (None, "-") and file_kind_at(values) is LAWS:
        _verify_alone(game, values, game.source)
        return
    if values is None:
        _verify_alone(game, game.source)
        return
    from graphgame.labs.formats.values import read_values

    if game.source == values == "-":
        raise UsageError("SOURCE and VALUES cannot both be standard input")
    with shown(Reading) as reading:
        rows = read_values(values, progress=reading)
    with disk.graph(game) if on_disk else nullcontext(game.graph) as graph:
        report = _checked(game, graph, rows, values)
    click.echo(_sentence(report))
    if not report:
        raise click.exceptions.Exit(2)


def _run_proved(game: Game, disk: Any, values: str | None) -> None:  # noqa: ANN401
    """Run graphgame-proved, the checker extracted from Coq, and exit with status 2 if it fails.

    The checker does not know the rules of games, so it gets the certificate of a search as a list of positions with
    their options. ``values`` is the argument VALUES of the command line. ``disk`` has the options for work on disk,
    such as ``--workdir``. Both may be None. Raise a UsageError for options that the checker does not have, and a
    Failure if it is not installed.
    """
    named_columns = common.NAMED_COLUMNS in click.get_current_context().meta
    if game.product or (disk is not None and disk.workdir is not None) or named_columns:
        raise UsageError("--proved works only with --format, --tokens, --misere and --loopy")
    program = os.environ.get("GRAPHGAME_PROVED") or shutil.which("graphgame-proved")
    if program is None:
        raise Failure(
            "graphgame-proved is not installed: make -C verified builds it from graphgame's sources (Debian packages "
            "coq, ocaml-nox and make); put verified/build on the PATH, or name the program in GRAPHGAME_PROVED"
        )
    if (path := values or game.source) != "-" and file_kind_at(path) is CERTIFICATE:
        certificate, game = _certificate(game, values)
        listing = certificate.listing(game.as_position()).encode()
        if subprocess.run([program, "-"], input=listing, check=False).returncode:
            raise click.exceptions.Exit(2)
        return
    options = [option for option, is_set in (("--misere", game.misere), ("--loopy", game.loopy)) if is_set]
    options += ["--format", game.format_] if game.format_ else []
    for text in chain.from_iterable(map(common.listed, game.tokens)):
        options += ["--tokens", text]
    status = subprocess.run([program, *options, *filter(None, (game.source, values))], check=False).returncode
    if status:
        raise click.exceptions.Exit(2)


def _checked(game: Game, graph: GameGraph, rows: Values, values: str) -> Verification:
    """Check ``rows``, the rows of the file ``values``, against the graph, and return the report.

    ``game`` has the play convention and the name of the graph's file. If the rows cannot be checked, raise a
    Failure, which names the graph's file if the graph has a cycle or a token is wrong, otherwise ``values``.
    """
    from graphgame.errors import CycleError, UnknownPositionError
    from graphgame.labs.verification.verification import verify

    if rows.misere not in (None, game.misere):
        raise Failure(
            "{file}: these are values of normal play: leave out --misere"
            if game.misere
            else "{file}: these are values of misère play: add --misere",
            _name(values),
        )
    try:
        return verify(graph, rows, misere=game.misere, loopy=game.loopy)
    except (UnknownPositionError, ParameterError) as error:
        raise Failure("{values}: {error}", _name(values), error) from error
    except (CycleError, TokenError) as error:
        raise Failure("{source}: {error}", _name(game.source), error) from error


def _certificate(game: Game, path: str | None) -> tuple[PositionCertificate, Game]:
    """Return the certificate of a search, and the game that it is about.

    If ``path`` is not None, it is the certificate's file, and ``game.source`` is the game. If it is None,
    ``game.source`` is the certificate's file, and the certificate names the game: then raise a Failure if the rules are
    in a file of the user. Raise a UsageError under misère play.
    """
    from graphgame.labs.verification.position_certificates import read_position_certificate

    if game.misere:
        raise UsageError("a certificate is about normal play: leave out --misere")
    certificate = read_position_certificate(path or game.source)
    if path is None:
        common.refuse_rules_of_file(certificate.position, game.source, "graphgame verify {game} {file}")
        game = replace(game, source=certificate.position)
    return certificate, game


def _verify_certificate(game: Game, path: str | None) -> None:
    certificate, game = _certificate(game, path)
    fault = certificate.fault(game.as_position())
    if fault is not None:
        click.echo(translate("wrong: {reason}", reason=printable(render(fault), length=0)))
        raise click.exceptions.Exit(2)
    facts = {
        "positions": amount(len(certificate), "position"),
        "winner": verdict_text("first" if certificate.outcome == "N" else "second"),
    }
    if certificate.value is None:
        click.echo(translate("right: the values of {positions}, enough to prove who wins; {winner}", **facts))
    else:
        facts["value"] = str(certificate.value)
        click.echo(
            translate("right: the values of {positions}, enough to prove who wins; {winner}: value {value}", **facts)
        )


def _verify_alone(game: Game, path: str, named: str | None = None) -> None:
    """Check the file ``path``, which names its game: laws, a misère quotient, or a certificate of a period.

    ``named`` is the game that the user gave as SOURCE before the file; None if the command line has only the file.
    ``game`` is used only for its limit on positions. Raise a UsageError if the file contains none of these, or if
    ``path`` is "-", standard input.
    """
    if path == "-":
        raise UsageError("a file that names its game cannot be read from standard input: give the name of the file")
    kind = file_kind_at(path)
    check = None if kind is None else offers("check").get(kind.format)
    if check is None:
        raise UsageError(
            "expected SOURCE and VALUES, or only a file that holds laws, a certificate or a misère quotient"
        )
    check.load()(path, named, game.max_positions)


def _sentence(report: Verification) -> str:
    if not report:
        faults = ((printable(position), printable(render(reason), length=0)) for position, reason in report.faults)
        lines = [translate("wrong: position {name}: {reason}", name=name, reason=reason) for name, reason in faults]
        if report.wrong > len(lines):
            lines.append("...")
        if report.wrong > 1:
            lines.append(translate("{count} positions are wrong or missing", count=report.wrong))
        return "\n".join(lines)
    right = translate(
        _RIGHT[report.complete], columns=", ".join(report.columns), positions=amount(report.rows, "position")
    )
    if report.misere:
        right = translate("{verdict} under misère play", verdict=right)
    return f"{right}{translate('; ')}{verdict_text(report.winner)}" if report.winner else right


def _name(path: str) -> str:
    return Message("standard input") if path == "-" else path


_EXAMPLES_OF_CERTIFICATE = examples(
    ("graphgame certificate game.txt -o proof.csv", ""),
    ("graphgame verify game.txt proof.csv", ""),
    ("graphgame certificate game.edges --tokens a -o proof.json", ""),
    ("graphgame certificate game.txt --misere --product", ""),
    ("graphgame certificate cycle.edges --loopy -o proof.csv", ""),
)


@click.command("certificate", epilog=_EXAMPLES_OF_CERTIFICATE)
@common.source_argument
@takes_output(default="csv", csv="the default", json="", parquet="")
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy")
@common.shared_options("product", "product_limit", "max_positions", "engine")
@takes_game
def certificate_command(game: Game, out: OutputOptions) -> None:
    """Write positions with values that prove who wins the game in SOURCE.

    For one token, in a graph without cycles and sum vertices, only P-positions are listed. Under normal play every move
    from a listed position has a reply that ends play at once or leads to a listed position. In other graphs, or with
    more tokens, positions with other values may be listed too. The proof needs every listed value. graphgame verify
    checks the values without solving the game. In a graph with cycles (--loopy) the values also prove draws, and the
    winner always moves to a position further up in the list.
    """
    from graphgame.labs.verification.certification import write_certificate

    solution = game.solution()
    count = write_certificate(solution, out.output, out.form)
    common.tell_of(out.output, f"{amount(count, 'value')}{translate(', ')}{verdict_text(solution.winner)}")
