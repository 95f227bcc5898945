"""The process around a command: its standard streams, the signals that end it, and errors of the system in words."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import click

from graphgame.errors import Message, known
from graphgame.text.languages import LANGUAGES, current_language, render, translate

_REASONS = {"SIGINT": Message("interrupted"), "SIGTERM": Message("terminated"), "SIGHUP": Message("hangup")}
_BROKEN_PIPE = 128 + 13
_SHOWN_HALF = 150
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)


class Stopped(KeyboardInterrupt):
    """A signal that asks the process to end: on its way out it removes what is half written, and ends its children."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number
        self.reason = _REASONS[signal.Signals(number).name]


def escape_missing_characters() -> None:
    """Let standard streams write a character that their encoding has not as an escape: help and messages have many."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a program that embeds the command may have put another in its place
            stream.reconfigure(errors="backslashreplace")


def run(command: click.Command) -> None:
    """Run a command as this process, and end it."""
    _open_closed_streams()
    try:
        command(prog_name="graphgame")
    except OSError as error:  # a standard stream takes no more
        with suppress(OSError):
            told = translate("error: {message}", message=render(reason(error)))
            click.echo(f"graphgame: {told}", err=True)
        drop_output()
        sys.exit(2)


@contextmanager
def broken_pipe_ends() -> Iterator[None]:
    """End quietly where the reader of a pipe went away, with the status of a process that SIGPIPE ended."""
    try:
        yield
    except BrokenPipeError:
        drop_output()
        raise click.exceptions.Exit(_BROKEN_PIPE) from None


@contextmanager
def usage_told() -> Iterator[None]:
    """Put an error of usage into the current language, and cut what it repeats of the command line where it is long."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            raise
        message = render(error.message)
        if len(message) > 2 * _SHOWN_HALF:
            message = f"{message[:_SHOWN_HALF]}...{message[-_SHOWN_HALF:]}"
        error.message = message  # type: ignore[misc]
        if current_language() == LANGUAGES[0]:
            raise
        raise click.UsageError(_shown(error), error.ctx) from error


def _shown(error: click.UsageError) -> str:
    """Return the message of click's; for a missing parameter click puts the full stop itself."""
    if isinstance(error, click.MissingParameter) and error.param is not None and not error.message:
        hint = error.param.get_error_hint(error.ctx)
        of_option = isinstance(error.param, click.Option)
        return translate("missing option {name}" if of_option else "missing argument {name}", name=hint)
    return error.format_message()


@contextmanager
def signals_raised() -> Iterator[None]:
    """Let the signals that end a process raise :class:`Stopped`; those that are ignored or handled stay so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stopped: list[Stopped] = []

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.append(Stopped(number))
        raise stopped[0]

    numbers = [getattr(signal, name) for name in _REASONS if hasattr(signal, name)]
    before = {number: handler for number in numbers if (handler := signal.getsignal(number)) in _DEFAULTS}
    try:
        for number in before:
            signal.signal(number, stop)
        yield
    except Exception as error:
        if stopped:  # an import that is interrupted may end in another error
            raise stopped[0] from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def reason(error: OSError) -> str:
    """Return in words what the system did not do."""
    closed = error.errno == errno.EBADF
    return Message("standard input or output is closed") if closed else known(error.strerror or str(error))


def drop_output() -> None:
    """Drop what a standard stream does not take (a full disk), or its flush fails once more at exit."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except OSError:
            # The stream keeps what it could not write and writes it at exit: to nowhere.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, getattr(sys, name).fileno())
            os.close(nowhere)


def _open_closed_streams() -> None:
    """Open standard streams that are closed so that their use fails; a file of ours would else get their number.

    Messages for a closed standard error are lost without a failure.
    """
    for name, flags in (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, flags), "r" if name == "stdin" else "w"))  # noqa: SIM115, PTH123
