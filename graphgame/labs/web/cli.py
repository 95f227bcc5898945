"""``graphgame serve``: a local site with a page for any game. Also the page that ``draw`` makes from a certificate."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

import click
from click.core import ParameterSource

from graphgame.cli import common
from graphgame.cli.common import Game
from graphgame.cli.draw import is_page
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import examples
from graphgame.errors import Message, needs_extra

_PORT = 8000
_REMOVE_AT_EOF = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"

_EXAMPLES = examples(
    ("graphgame serve", "opens the browser: type a position, or pick a game"),
    ('graphgame serve "chomp(3x4)"', "the site opens with this game"),
    ("graphgame serve game.txt rules.py:Mine", "lets the site read this file and run these rules"),
    ("graphgame serve cram.json", "a certificate of graphgame search: the site plays the winner's side"),
    ("graphgame serve --port 9000 --no-browser", ""),
)


@click.command("serve", epilog=_EXAMPLES)
@click.argument("sources", metavar="[SOURCE]...", nargs=-1, shell_complete=common.complete_source)
@click.option(
    "--port",
    type=common.Integer(0, 65535),
    metavar="N",
    help=f"Port of the site; 0 picks a free port.  [default: {_PORT}, or a free port if it is taken]",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--timeout",
    type=common.SECONDS,
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for making one page.",
)
@click.option(
    "--max-bytes",
    default="32MB",
    show_default=True,
    metavar="SIZE",
    help="Size limit of an opened file, in bytes after decompression.",
)
def command(sources: tuple[str, ...], port: int | None, no_browser: bool, timeout: float, max_bytes: str) -> None:
    """Open a site on this computer, to explore and play any position or graph file.

    You type or pick a position, or open a file, and get its page. The site listens only on 127.0.0.1. It reads only
    files that you name as a SOURCE or open in the browser, and runs Python rules only from a SOURCE. Ctrl-C ends it.
    """
    with needs_extra(Message("graphgame serve"), "serve"):
        from graphgame.labs.web import server
    from graphgame.io.source import parse_size
    from graphgame.labs.web.work import prepare

    limits = server.ServeLimits(timeout, parse_size(max_bytes))
    for source in sources:
        _check(source)
    prepare()
    with _listening(server.ADDRESS, port) as listening, _folder_of_files() as folder:
        address = f"http://{server.ADDRESS}:{listening.getsockname()[1]}/"
        common.tell(Message("{address} is the address of the site; Ctrl-C ends the site", address))
        if not no_browser:
            begin = f"?position={quote(sources[0])}" if len(sources) == 1 else ""
            threading.Thread(target=webbrowser.open, args=(address + begin,), daemon=True).start()
        server.serve_site(server.Site(tuple(sources), tuple(_files(sources)), folder, limits), listening)


@contextmanager
def _folder_of_files() -> Iterator[Path]:
    """Yield a temporary folder. A child process removes it afterwards, even if this process ends by ``kill -9``."""
    folder = mkdtemp(prefix="graphgame-serve-")
    command = [sys.executable, "-I", "-S", "-c", _REMOVE_AT_EOF, folder]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **streams, start_new_session=True):  # type: ignore[call-overload]
        yield Path(folder)


def _check(source: str) -> None:
    """Raise an error if a source of the command line is not a position, rules or an existing file."""
    from graphgame.io.files import is_there
    from graphgame.rules.notation import own_rules
    from graphgame.rules.sources import read_named

    if own_rules(source, run_rules=True) is None and common.position_of(source) is None and not is_there(source):
        read_named(source)


def _files(sources: Iterable[str]) -> Iterator[str]:
    """Yield the paths in sources such as ``game.txt@4`` and ``rules.py:Mine(3) + nim(2)``, exactly as written."""
    from graphgame.io.files import is_there

    for term in (term.strip() for source in sources for term in ([source] if is_there(source) else source.split("+"))):
        rules, has_rules, _ = term.partition(".py:")
        if has_rules:
            yield f"{rules}.py"
        elif file := next(filter(is_there, (term, term.rpartition("@")[0])), ""):
            yield file


def _listening(address: str, port: int | None) -> socket.socket:
    """Return a socket that listens on a port. If no port is given, try 8000, and then any free port.

    Raise a Failure if no socket can listen there.
    """
    for attempt in (_PORT, 0) if port is None else (port,):
        try:
            return socket.create_server((address, attempt), backlog=512)
        except OSError as error:
            failure = error
    reason = os.strerror(failure.errno or 0).lower()
    if port:
        raise Failure("port {port} cannot be used: {reason}; --port 0 picks a free port", port, reason)
    raise Failure("no port of {address} can be used: {reason}", address, reason)


def draw_proof(game: Game, path: str, plain: bool, options: dict[str, Any]) -> None:
    """Write a page that plays the winner's side by a certificate, the file ``game.source``.

    Raises UsageError if ``path`` is not the name of a page, and for options that do not apply to certificates, such as
    ``--plain`` (``plain``). Raises Failure if the certificate is about rules in a user's file.
    """
    from graphgame.labs.verification.position_certificates import read_position_certificate
    from graphgame.labs.web.page import write_page

    source_of = click.get_current_context().get_parameter_source
    typed = any(source_of(name) is ParameterSource.COMMANDLINE for name in options if name != "title")
    if plain or game.tokens or game.misere or game.loopy or game.product or typed or not is_page(path):
        raise UsageError(
            "a certificate can be drawn only as a page of the whole game: only the options -o FILE.html and --title "
            "apply"
        )
    proof = read_position_certificate(game.source)
    common.refuse_rules_of_file(proof.position, game.source, "graphgame play {game} --certificate {file}")
    write_page(proof, path, title=options["title"] or proof.position)
    common.tell_of(path)
