"""What goes wrong within a command, as one message."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, Any, TextIO

import click

from graphgame.cli.process import drop_output, reason
from graphgame.errors import GraphGameError, GraphGameWarning, Message
from graphgame.errors.messages import respelt
from graphgame.explanation.text import printable
from graphgame.explanation.texts import render, translate

_LONGEST_NAME = 500


class UsageError(click.UsageError):
    """A command line that cannot be carried out; the message is made as that of a :class:`GraphGameError`."""

    def __init__(self, message: str, *facts: object) -> None:
        super().__init__(message if isinstance(message, Message) else Message(message, *facts))


class Failure(click.ClickException):
    """An error for the user: one message on standard error, exit status 2."""

    exit_code = 2

    def __init__(self, message: str, *facts: object) -> None:
        super().__init__(message if isinstance(message, Message) else Message(message, *facts))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message; a caret under a place keeps its line."""
        message = render(self.message)
        visible = "\n".join(printable(line, length=0) if line else "" for line in message.split("\n"))
        click.echo(f"graphgame: {translate('error: {message}', message=visible)}", file=file, err=True)


@contextmanager
def reported() -> Iterator[None]:
    """Turn what can go wrong within a command into a message and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GraphGameWarning)
            warnings.showwarning = partial(_warn, set())
            yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (GraphGameError, Failure) as error:
        raise Failure(_advised(error)) from error
    except OSError as error:
        drop_output()
        raise Failure(_describe(error)) from error
    except MemoryError as error:
        raise Failure("not enough memory for this game") from error
    except RecursionError as error:
        raise Failure("the input is nested too deeply") from error


def _warn(
    told: set[str],
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Say a warning of one's own once, as the commands say things, and others as Python does."""
    own = issubclass(category, GraphGameWarning)
    if own and str(message) in told:
        return
    told.add(str(message))
    text = f"graphgame: {render(str(message))}" if own else warnings.formatwarning(message, category, filename, lineno)
    click.echo(text, err=True, nl=own)


def _advised(error: GraphGameError | Failure) -> str:
    """Return the message of an error with the advice of the command line in place of that of Python."""
    message = error.message if isinstance(error, Failure) else str(error)
    if isinstance(error, Failure) and error.__cause__ is None:
        return message
    from graphgame.errors.of_networkx import LOOPY_ADVICE, MERGING_ADVICE, CycleError  # which load networkx

    cycle = error if isinstance(error, CycleError) else error.__cause__
    if not isinstance(cycle, CycleError):
        return message
    advice = _advice_about_cycles()
    if cycle.advice is None:
        return Message("{error}; {advice}", message, advice)
    merging = Message("--to equal merges the equal positions of graphs with cycles too")
    return respelt(message, {LOOPY_ADVICE.template: advice, MERGING_ADVICE.template: merging})


def _advice_about_cycles() -> Message:
    """Return what to do about a cycle, in words of the command that runs."""
    context = click.get_current_context(silent=True)
    name, group = (context.invoked_subcommand or "", context.command) if context else ("", None)
    command = group.get_command(context, name) if context and isinstance(group, click.Group) else None
    if command is not None and any(option.name == "loopy" for option in command.params):
        return Message("--loopy gives such games their values")
    return Message("graphgame {name} needs play that ends", name)


def _describe(error: OSError) -> str:
    if error.filename is None:
        return reason(error)
    return Message("{file}: {reason}", printable(os.fsdecode(error.filename), length=_LONGEST_NAME), reason(error))
