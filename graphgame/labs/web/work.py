"""Make pages in child processes, which can be stopped at any time and free all their memory when they end.

This module also makes the start page of the site, and the bar above the pages of games.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import tempfile
import threading
from contextlib import suppress
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, cast

import click
import psutil

from graphgame.cli.common import refuse_rules_of_file
from graphgame.cli.errors import advice, reported
from graphgame.errors import LimitError, Message, ParseError, UnknownGameError, joined
from graphgame.graph.gamegraph import GameGraph
from graphgame.io import read_game
from graphgame.io.other_formats import CERTIFICATE, file_kind_at
from graphgame.io.source import reading_at_most, reading_only
from graphgame.labs.tables.boards import draw_table
from graphgame.labs.tables.plots import plot_values
from graphgame.labs.tables.tables import has_ranges
from graphgame.labs.tables.value_tables import value_table
from graphgame.labs.verification.position_certificates import read_position_certificate
from graphgame.labs.web.meaning import meant_position
from graphgame.labs.web.page import page_html
from graphgame.labs.web.page.document import MOST_MOVES, MOST_POSITIONS, site_html
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.notation import is_notation, parse_position
from graphgame.rules.position import Position
from graphgame.solution.solve import solve
from graphgame.text.languages import set_language
from graphgame.text.rules import rules_texts


def home(named: tuple[str, ...], text: str = "", error: str = "", picture: str = "") -> str:
    """Return the HTML of the start page, which lists all games.

    ``named`` are the sources named on the command line, and ``text`` fills the input field. ``error`` or ``picture``
    (in SVG) is shown below as the answer to this text.
    """
    return site_html({**_bar(text), "error": error, "picture": picture, "named": named, "cards": _cards()})


def _bar(text: str) -> dict[str, Any]:
    """Return the data of the bar above every page: the text in its input field, and an example of each game by name."""
    return {"text": text, "examples": {entry.name: entry.example for entry in CATALOGUE.values()}}


@cache
def _cards() -> list[dict[str, Any]]:
    """Return a card for each game: its name, its rules, and an example with its boards."""
    cards = []
    for entry in CATALOGUE.values():
        position = parse_position(entry.example)
        rules = rules_texts(position)[0]
        pictures = (component.ruleset.picture(component.position) for component in position.components)
        boards = [{"places": picture.places, "cells": picture.cells} for picture in pictures if picture is not None]
        words = {"en": rules.en, "zh": rules.zh}
        cards.append({"name": entry.name, "example": entry.example, "rules": words, "boards": boards})
    return cards


_MOST_MEMORY = 2 << 30
"""The maximum memory of a child process, in bytes."""

_SECONDS_BETWEEN_CHECKS = 0.2
"""The seconds between checks of the memory of a child process."""

_RUN_NAMED = True
"""The argument ``run_rules``: rules may run, since a child process can read no files except ``PageRequest.named``."""
_START_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


class PageRequest(NamedTuple):
    """A request for a page.

    Attributes
    ----------
    text : str
        A position or a text with ranges in the notation, or the name of a file.
    named : tuple of str
        The files that may be read, and the rules files that may be run.
    folder : str or None
        The folder of an uploaded file. None for other texts: paths in them start from the folder where the site was
        started.
    language : str
        The language of messages and pictures.
    seconds : float
        The maximum time to make the page, in seconds.
    max_bytes : int
        The maximum size of a file, in bytes, after it is decompressed.
    temporary : str
        The folder for temporary files. It is deleted when the site ends, even if the child process is killed.
    """

    text: str
    named: tuple[str, ...]
    folder: str | None
    language: str
    seconds: float
    max_bytes: int
    temporary: str


class Reply(NamedTuple):
    """The answer to a request: a page in HTML; or an error; or, for a text with ranges, a picture of the values in SVG.

    If the text is not in the notation but clearly means a position, ``meant`` is that position in the notation.
    """

    html: str | None
    error: str = ""
    picture: str = ""
    meant: str = ""


class Job:
    """A child process that makes the page for a request. Any thread may end it."""

    def __init__(self, wanted: PageRequest) -> None:
        self._wanted = wanted
        self._receiver, self._sender = multiprocessing.Pipe()
        context: Any = multiprocessing.get_context(_START_METHOD)
        self._process = context.Process(target=_answer, args=(wanted, self._sender), daemon=True)

    def run(self) -> Reply:
        """Start the child and return its reply; return an error if it takes too long, or ends without a reply."""
        self._process.start()
        self._sender.close()
        try:
            if self._receiver.poll(self._wanted.seconds):
                return cast("Reply", self._receiver.recv())
            seconds = f"{self._wanted.seconds:g}"
            late = Message(
                "the page was not done after {seconds} seconds: try a smaller game; --timeout allows more", seconds
            )
            return Reply(None, late)
        except EOFError:
            return Reply(
                None,
                Message(
                    "the process that makes the page ended before the page was done, perhaps for lack of memory: try a "
                    "smaller game"
                ),
            )
        finally:
            self.end()

    def end(self) -> None:
        """Kill the child and, except on Windows, all processes that it started."""
        with suppress(AttributeError, OSError, TypeError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(AttributeError, ValueError):
            self._process.kill()


def prepare() -> None:
    """Start the process from which children are forked, with the package loaded, so that children start quickly.

    Systems without fork have no such process.
    """
    if _START_METHOD == "forkserver":
        multiprocessing.set_forkserver_preload([__name__])
        forkserver.ensure_running()


def _answer(wanted: PageRequest, sender: Connection) -> None:
    _limit(wanted.seconds)
    threading.Thread(target=_watch, args=(sender,), daemon=True).start()
    set_language(wanted.language)
    tempfile.tempdir = wanted.temporary
    try:
        with reported(), reading_only(wanted.named), reading_at_most(wanted.max_bytes):
            reply = _reply(wanted)
    except click.ClickException as error:
        reply = Reply(None, error.format_message())
    sender.send(reply)


def _reply(wanted: PageRequest) -> Reply:
    if wanted.folder is None and is_notation(wanted.text) and has_ranges(wanted.text):
        return Reply(None, picture=_table(wanted.text))
    try:
        return Reply(_page(wanted))
    except (ParseError, UnknownGameError):
        if wanted.folder is not None or (meant := meant_position(wanted.text)) is None:
            raise
        return Reply(None, meant=meant)


def _limit(seconds: float) -> None:
    """Limit this process to :data:`_MOST_MEMORY` and 4 * ``seconds`` of processor time, in a process group of its own.

    A process in another group than the server gets no signals from the terminal. On Windows this does nothing.
    """
    if hasattr(os, "setsid"):
        os.setsid()
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, resource.RLIM_INFINITY))
        # The processor time of all threads adds up, and a compiled loop has at most 4 threads.
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(4 * seconds), resource.RLIM_INFINITY))


def _watch(connection: Connection) -> None:
    """Kill this process, and except on Windows its children, if the connection to the server closes.

    If this process takes more memory than ``_MOST_MEMORY``, reply with an error, and then kill the same processes.
    """
    with suppress(EOFError, OSError):
        while not connection.poll(_SECONDS_BETWEEN_CHECKS):
            # Windows lacks the limit that ``_limit`` sets, and macOS does not enforce it: check the memory here, too.
            if psutil.Process().memory_info().rss > _MOST_MEMORY:
                connection.send(Reply(None, Message("not enough memory for this game")))
                break
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _page(wanted: PageRequest) -> str:
    if wanted.folder is not None:
        os.chdir(wanted.folder)
    is_named = wanted.text in wanted.named and not wanted.text.endswith(".py")
    if (wanted.folder is not None or is_named) and file_kind_at(wanted.text) is CERTIFICATE:
        proof = read_position_certificate(wanted.text)
        refuse_rules_of_file(proof.position, wanted.text, "graphgame serve {game}")
        return page_html(proof, title=proof.position, site=_bar(wanted.text))
    if wanted.folder is not None or is_named:
        return _html(wanted, read_game(wanted.text))
    position = parse_position(wanted.text, max_positions=MOST_POSITIONS, run_rules=_RUN_NAMED)
    try:
        return _html(wanted, position.graph(texts=True), position)
    except LimitError as error:
        if error.play is not None:
            raise
        size = Message(
            "{position} is too large for a page, which holds at most {positions:,} positions and {moves:,} moves",
            wanted.text,
            MOST_POSITIONS,
            MOST_MOVES,
        )
        raise LimitError(joined([size, *advice(position, name_winner=True)])) from error


def _html(wanted: PageRequest, graph: GameGraph, position: Position | None = None) -> str:
    return page_html(solve(graph, loopy=True), title=wanted.text, position=position, site=_bar(wanted.text))


def _table(text: str) -> str:
    """Return an SVG picture of the values of all positions that a text with ranges stands for.

    It is a plot for one range, as in ``kayles(0..50)``, and a table for two, as in ``nim(0..9,0..9)``.
    """
    table = value_table(text, run_rules=_RUN_NAMED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "values.svg")
        (draw_table if len(table.ranges) == 2 else plot_values)(table, path)
        return path.read_text(encoding="utf-8")
