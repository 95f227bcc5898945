"""What goes wrong within a command, as one message."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, TextIO

import click

from graphgame.cli.process import drop_output, reason
from graphgame.errors import GraphGameError, GraphGameWarning
from graphgame.explanation.text import printable
from graphgame.explanation.texts import translate
from graphgame.explanation.texts.messages import translated

__all__ = ["Failure", "reported"]

_LONGEST_NAME = 500


class Failure(click.ClickException):
    """An error for the user: one message on standard error, exit status 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message; a caret under a place keeps its line."""
        message = translated(self.message)
        visible = "\n".join(printable(line, length=0) if line else "" for line in message.split("\n"))
        click.echo(f"graphgame: {translate('error: {message}', message=visible)}", file=file, err=True)


@contextmanager
def reported() -> Iterator[None]:
    """Turn what can go wrong within a command into a message and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("once", GraphGameWarning)
            warnings.showwarning = _warn
            yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except GraphGameError as error:
        from graphgame.errors import CycleError  # which is networkx's as well, and loads that

        cycle = error if isinstance(error, CycleError) else error.__cause__
        needs_takers = isinstance(cycle, CycleError) and cycle.advice is None
        raise Failure(f"{error}{_takers() if needs_takers else ''}") from error
    except OSError as error:
        drop_output()
        raise Failure(_describe(error)) from error
    except MemoryError as error:
        raise Failure("not enough memory for this game") from error
    except RecursionError as error:
        raise Failure("the input is nested too deeply") from error


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Say a warning of one's own as the commands say things, and others as Python does."""
    own = issubclass(category, GraphGameWarning)
    text = (
        f"graphgame: {translated(str(message))}" if own else warnings.formatwarning(message, category, filename, lineno)
    )
    click.echo(text, err=True, nl=own)


def _takers() -> str:
    """Name the commands that take a cycle, where the one that runs does not."""
    context = click.get_current_context(silent=True)
    if context is None:
        return ""
    name, group = context.invoked_subcommand or "", context.command
    command = group.get_command(context, name) if isinstance(group, click.Group) else None
    if command is None or any(option.name == "loopy" for option in command.params):
        return ""
    return f": {name} does not take it; solve, explain, draw, values, stats, verify, certificate and play do"


def _describe(error: OSError) -> str:
    if error.filename is None:
        return reason(error)
    return f"{printable(os.fsdecode(error.filename), length=_LONGEST_NAME)}: {reason(error)}"
