"""A page made in a process of its own, which can be stopped at any time and takes its memory with it."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from graphgame.cli.common import refuse_rules_of_file
from graphgame.cli.errors import reported
from graphgame.cli.serving.site import bar
from graphgame.explanation.texts import set_language
from graphgame.export.page import page_html
from graphgame.export.page.data import MOST_POSITIONS
from graphgame.export.plots import plot_values
from graphgame.export.tables import draw_table
from graphgame.games.notation import is_notation, parse_position
from graphgame.games.ranges import has_ranges
from graphgame.games.value_tables import value_table
from graphgame.graph import GameGraph
from graphgame.io import read_game
from graphgame.io.kinds import CERTIFICATE, file_kind_at
from graphgame.io.source import reading_at_most, reading_only
from graphgame.proof.position_certificates import read_position_certificate
from graphgame.rules.position import Position
from graphgame.solution import solve

__all__ = ["Asked", "Job", "Reply", "prepare"]

_MEMORY = 2 << 30
_RUN_NAMED = True
"""Rules files are run, but only those of :attr:`Asked.named`, which the command line of ``serve`` names."""
_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


class Asked(NamedTuple):
    """What a client asks for.

    Attributes
    ----------
    text : str
        A position in the notation, or the name of a file.
    named : tuple of str
        The files that may be read, and the rules that may be run.
    folder : str or None
        Where the file lies; None is the folder in which the site was started.
    language : str
        That of messages and pictures.
    seconds : float
    max_bytes : int
    """

    text: str
    named: tuple[str, ...]
    folder: str | None
    language: str
    seconds: float
    max_bytes: int


class Reply(NamedTuple):
    """A page, or the message that says why there is none; of positions with ranges, the SVG picture of their values."""

    html: str | None
    error: str = ""
    picture: str = ""


class Job:
    """A page that is worked out by a child process; any thread may end it."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._receiver, self._sender = multiprocessing.Pipe()
        context: Any = multiprocessing.get_context(_METHOD)
        self._process = context.Process(target=_answer, args=(asked, self._sender), daemon=True)

    def run(self) -> Reply:
        """Return the page, or why there is none; wait for it as long as it may take."""
        self._process.start()
        self._sender.close()
        try:
            if self._receiver.poll(self._asked.seconds):
                return Reply(*self._receiver.recv())
            return Reply(
                None, f"not done after {self._asked.seconds:g} seconds: try a smaller game; --timeout allows more"
            )
        except EOFError:
            return Reply(None, "the process that made the page ended before it was done")
        finally:
            self.end()

    def end(self) -> None:
        """End the child and what it started."""
        with suppress(AttributeError, OSError, TypeError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(AttributeError, ValueError):
            self._process.kill()


def prepare() -> None:
    """Load the package in the process from which the children are forked, so that each begins at once."""
    if _METHOD == "forkserver":
        multiprocessing.set_forkserver_preload([__name__])
        forkserver.ensure_running()


def _answer(asked: Asked, sender: Connection) -> None:
    _limit(asked.seconds)
    threading.Thread(target=_end_with_server, args=(sender,), daemon=True).start()
    set_language(asked.language)
    try:
        with reported(), reading_only(asked.named), reading_at_most(asked.max_bytes):
            drawn = asked.folder is None and is_notation(asked.text) and has_ranges(asked.text)
            reply = Reply(None, picture=_table(asked.text)) if drawn else Reply(_page(asked))
    except click.ClickException as error:
        reply = Reply(None, error.format_message())
    sender.send(tuple(reply))


def _limit(seconds: float) -> None:
    """Leave the terminal's group of processes, whose signals are the parent's, and bound memory and time."""
    if hasattr(os, "setsid"):
        os.setsid()
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(4 * seconds), resource.RLIM_INFINITY))


def _end_with_server(connection: Connection) -> None:
    """Wait until the server, or its death, closes the connection; then kill this job and its children."""
    with suppress(EOFError, OSError):
        connection.recv_bytes()
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _page(asked: Asked) -> str:
    if asked.folder is not None:
        os.chdir(asked.folder)
    if _is_file(asked) and file_kind_at(asked.text) is CERTIFICATE:
        proof = read_position_certificate(asked.text)
        refuse_rules_of_file(proof.position, asked.text, "graphgame serve with them as a SOURCE")
        return page_html(proof, title=proof.position, site=bar(asked.text))
    graph, position = _game(asked)
    return page_html(solve(graph, cycles="loopy"), title=asked.text, position=position, site=bar(asked.text))


def _table(text: str) -> str:
    """Return a picture of a table of values: a board, or a plot of one range."""
    table = value_table(text, run_rules=_RUN_NAMED)
    with TemporaryDirectory() as folder:
        path = Path(folder, "values.svg")
        (draw_table if len(table.ranges) == 2 else plot_values)(table, path)
        return path.read_text(encoding="utf-8")


def _is_file(asked: Asked) -> bool:
    return asked.folder is not None or (asked.text in asked.named and not asked.text.endswith(".py"))


def _game(asked: Asked) -> tuple[GameGraph, Position | None]:
    if _is_file(asked):
        return read_game(asked.text), None
    position = parse_position(asked.text, max_positions=MOST_POSITIONS, run_rules=_RUN_NAMED)
    return position.graph(texts=True), position
