"""The process that runs a command: its standard streams, the signals that end it, and messages of system errors."""

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

from graphgame.errors import Message, system_message
from graphgame.text.languages import LANGUAGES, current_language, render, translate

_REASONS = {"SIGINT": Message("interrupted"), "SIGTERM": Message("terminated"), "SIGHUP": Message("hangup")}
_BROKEN_PIPE = 128 + 13
_SHOWN_HALF = 150
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)


class Stopped(KeyboardInterrupt):
    """Raised when a signal asks the process to end, so that ``finally`` blocks can remove unfinished files."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number
        self.reason = _REASONS[signal.Signals(number).name]


def escape_missing_characters() -> None:
    r"""Make the standard streams write a character that their encoding lacks as an escape such as ``\xe8``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # A program that embeds the command may have replaced a stream.
            stream.reconfigure(errors="backslashreplace")


def run(command: click.Command) -> None:
    """Run a command, and end the process with its exit status."""
    # Open the null device for each standard stream that is closed, so that no other file gets its descriptor. Reading
    # from such a standard input and writing to such a standard output fail; messages to such a standard error are lost.
    for name, flags in (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, flags), "r" if name == "stdin" else "w"))  # noqa: SIM115, PTH123
    try:
        command(prog_name="graphgame")
    except OSError as error:  # A standard stream cannot be written: the disk is full, or the stream is closed.
        with suppress(OSError):
            text = translate("error: {message}", message=render(reason(error)))
            click.echo(f"graphgame: {text}", err=True)
        drop_output()
        sys.exit(2)


@contextmanager
def broken_pipe_ends() -> Iterator[None]:
    """Exit without a message if the reader of a pipe is gone, with the status of a process that SIGPIPE ended."""
    try:
        yield
    except BrokenPipeError:
        drop_output()
        raise click.exceptions.Exit(_BROKEN_PIPE) from None


@contextmanager
def usage_translated() -> Iterator[None]:
    """Raise a UsageError again, translated, and without the middle of a message of more than 300 characters."""
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
    """Return the message of click's error in the current language; for a missing parameter, a message of our own."""
    if isinstance(error, click.MissingParameter) and error.param is not None and not error.message:
        hint = error.param.get_error_hint(error.ctx)
        of_option = isinstance(error.param, click.Option)
        return translate("missing option {name}" if of_option else "missing argument {name}", name=hint)
    return error.format_message()


@contextmanager
def signals_raised() -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP raise :class:`Stopped` in the main thread, unless ignored or handled already."""
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
        if stopped:  # An import that a signal interrupts may raise another error instead of Stopped.
            raise stopped[0] from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def reason(error: OSError) -> str:
    """Return the message for an OSError: our own for a closed standard stream, otherwise that of the system."""
    closed = error.errno == errno.EBADF
    return Message("standard input or output is closed") if closed else system_message(error.strerror or str(error))


def drop_output() -> None:
    """Flush standard output and standard error; discard output that they cannot write, as on a full disk."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except OSError:
            # The stream keeps this output and would fail again at exit. So let it write to the null device.
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, getattr(sys, name).fileno())
            os.close(null)
