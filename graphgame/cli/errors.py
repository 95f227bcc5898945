"""Messages of commands that fail: what went wrong, what was probably meant, and what to do instead."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any, TextIO

import click

from graphgame.cli.process import drop_output, reason
from graphgame.cli.progress import tell_of_compiling
from graphgame.compiled.engine import compiling_listeners
from graphgame.errors import GraphGameError, GraphGameWarning, Message, with_replacements
from graphgame.registry import missing_lab
from graphgame.text.languages import render, translate
from graphgame.text.text import printable, printable_lines, verdict_text

if TYPE_CHECKING:
    from graphgame.rules.position import Position

_LONGEST_NAME = 500


class UsageError(click.UsageError):
    """An invalid command line. As in a :class:`GraphGameError`, ``facts`` fill the placeholders of ``message``."""

    def __init__(self, message: str, *facts: object) -> None:
        super().__init__(Message(message, *facts))


class Failure(click.ClickException):
    """An error that ends a command with one message on standard error and exit status 2."""

    exit_code = 2

    def __init__(self, message: str, *facts: object) -> None:
        super().__init__(Message(message, *facts))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message with control characters escaped; newlines stay, so that a caret stays below its column."""
        visible = printable_lines(render(self.message))
        click.echo(f"graphgame: {translate('error: {message}', message=visible)}", file=file, err=True)


@contextmanager
def reported() -> Iterator[None]:
    """Turn errors, except usage errors, broken pipes and bugs, into a :class:`Failure`; print warnings and notes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GraphGameWarning)
            warnings.showwarning = partial(_warn, set())
            compiling_listeners[:] = [tell_of_compiling]
            yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (GraphGameError, Failure) as error:
        raise Failure(with_replacements(_advised(error), _TWINS)) from error
    except ModuleNotFoundError as error:
        if error.name in _REQUIRED:
            needed = Message(
                "graphgame cannot run without {library}, which is not installed: pip install {library}", error.name
            )
            raise Failure(needed) from error
        lab_error = missing_lab("graphgame", error)
        if lab_error is None:
            raise
        raise Failure(str(lab_error)) from error
    except OSError as error:
        drop_output()
        raise Failure(_describe(error)) from error
    except MemoryError as error:
        raise Failure("not enough memory for this game") from error
    except RecursionError as error:
        raise Failure("the input is nested too deeply") from error


_TWINS = {
    "max_positions={positions} and max_moves={moves}": Message("{positions} positions and {moves} moves"),
    "max_positions={positions} and max_moves={moves}, which by default is at least ten times max_positions": Message(
        "{positions} positions and {moves} moves, or ten moves a position if that is more"
    ),
    "the explicit graph of the sum is too large: {found}; the limit is product_limit={limit}": Message(
        "the explicit graph of the sum is too large: {found}; the limit is {limit} positions"
    ),
    "a table that needs {entries} entries is larger than the limit, max_positions={max_positions}; for some games "
    "--outcomes, or p_positions(...), finds the P-positions without the values": Message(
        "a table that needs {entries} entries is larger than the limit, {max_positions} entries; for some games "
        "--outcomes finds the P-positions without the values"
    ),
    "a table of {entries:,} entries is larger than the limit, max_positions={max_positions}": Message(
        "a table of {entries:,} entries is larger than the limit, {max_positions} entries"
    ),
    "the graph of the heaps 0 to {heaps!r} has more positions than the limit, max_positions={max_positions}": Message(
        "the graph of the heaps 0 to {heaps!r} has more positions than the limit, {max_positions}"
    ),
    "{error} (the file was taken for the format {format!r}: give the format if it is another)": Message(
        "{error} (the file was taken for the format {format!r}: if it is another, name it by --format)"
    ),
    "cannot tell the picture's format from the name {path!r}: expected {expected}; write_page writes pages": Message(
        "cannot tell the picture's format from the name {path!r}: expected {expected}, or .html for a page"
    ),
    "to merge equal positions of a graph with cycles, use reduce(graph)": Message(
        "to merge equal positions of a graph with cycles, use --to equal"
    ),
}
"""Template of a message that names parameters of Python functions -> the message for the command line."""

_REQUIRED = "networkx", "numpy", "pydot", "pyparsing"
"""Required libraries. One is missing only if somebody removed it, or in a browser's Python."""


def _warn(
    shown: set[str],
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of graphgame as a message, unless its text is in ``shown``; print any other as Python does."""
    own = issubclass(category, GraphGameWarning)
    if own and str(message) in shown:
        return
    shown.add(str(message))
    text = f"graphgame: {render(str(message))}" if own else warnings.formatwarning(message, category, filename, lineno)
    click.echo(text, err=True, nl=own)


def _advised(error: GraphGameError | Failure) -> str:
    """Return the message of an error. Its advice on cycles names options instead of arguments of Python functions."""
    message = error.message if isinstance(error, Failure) else str(error)
    if isinstance(error, Failure) and error.__cause__ is None:
        return message
    # Imported only here, because graphgame.errors.of_networkx loads networkx.
    from graphgame.errors.of_networkx import LOOPY_ADVICE, CycleError

    cycle = error if isinstance(error, CycleError) else error.__cause__
    if not isinstance(cycle, CycleError):
        return message
    advice = _advice_about_cycles()
    if cycle.advice is None:
        return Message("{error}; {advice}", message, advice)
    return with_replacements(message, {LOOPY_ADVICE.template: advice})


def _advice_about_cycles() -> Message:
    """Return advice on a cycle: the option ``--loopy`` of the command, or that the command needs a game that ends."""
    context = click.get_current_context(silent=True)
    name, group = (context.invoked_subcommand or "", context.command) if context else ("", None)
    command = group.get_command(context, name) if context and isinstance(group, click.Group) else None
    if command is not None and any(option.name == "loopy" for option in command.params):
        return Message("--loopy solves games with cycles too")
    return Message("graphgame {command} needs a game in which play ends", name)


def _describe(error: OSError) -> str:
    if error.filename is None:
        return reason(error)
    return Message("{file}: {reason}", printable(os.fsdecode(error.filename), length=_LONGEST_NAME), reason(error))


def advice(position: Position, *, name_winner: bool = False) -> Iterator[Message]:
    """Yield advice for a position whose graph is too large: how to find the winner, and a smaller position.

    With ``name_winner``, the advice names the winner itself, not the command that finds it, if a theorem gives it.
    """
    from graphgame.rules.catalogue import CATALOGUE

    misere = " --misere" if position.misere else ""
    if position.theorem.outcome is None:
        if not position.loopy:
            yield Message("graphgame search{misere} finds who wins without the whole graph", misere)
    elif name_winner:
        yield Message("a theorem says: {verdict}", verdict_text(position.winner, position.misere))
    else:
        yield Message("graphgame solve{misere} --verdict says who wins, by a theorem", misere)
    names = {part.name for part in position.components} & CATALOGUE.keys()
    if len(names) == 1 and (example := CATALOGUE[names.pop()].example) != str(position):
        yield Message("try a smaller position (the catalogue's example is {example})", example)


_WORDS = {
    "solve": "moves move win winner who outcome nim sum",
    "explain": "why proof prove reason mex",
    "draw": "picture image svg png plot html page graph show",
    "values": "grundy sg table sequence nimbers",
    "heap": "period octal kayles",
    "games": "rules list catalogue rulesets",
    "play": "game start",
    "serve": "web site browser server",
    "misere": "genus quotient",
    "nimber": "xor nimsum nim-sum",
    "stats": "count info size",
    "check": "test validate",
}
"""Command -> other words that a user may type for it."""


def meant_command(name: str, commands: Iterable[str]) -> str | None:
    """Return the command that was probably meant by ``name``, which is no command; None if there is no guess.

    If the name is a position or a file, return ``solve`` with the name as SOURCE. Otherwise return the command with
    this word in ``_WORDS``, or a command with a similar name.

    Examples
    --------
    >>> [meant_command(name, ["solve", "heap"]) for name in ("period", "hep", "nim(3,4)", "dfgh")]
    ['heap', 'heap', 'solve "nim(3,4)"', None]
    """
    if "(" in name:
        return f'solve "{name}"'
    if os.path.isfile(name):  # noqa: PTH113 - a Path raises where a text is too long for a name
        return f"solve {name}"
    from difflib import get_close_matches

    by_word = (command for command, words in _WORDS.items() if name in words.split())
    return next(by_word, None) or next(iter(get_close_matches(name, list(commands), n=1)), None)


def meant_arguments(context: click.Context) -> Iterator[Message]:
    """Yield advice on how to write the extra arguments of a command line; nothing if there is no guess."""
    source, extra = context.params.get("source"), context.args
    if not isinstance(source, str):
        return
    takes_output = any(parameter.name == "output" for parameter in context.command.params)
    if tokens := context.params.get("tokens"):
        words: list[str] = [*map(str, tokens), source, *extra]
        meant = [*filter(os.path.isfile, words), *(word for word in words if "(" in word), words[-1]][0]
        positions = " ".join(word for word in words if word != meant)
        written = f'"{meant}"' if "(" in meant or " " in meant else meant
        yield Message("write several positions as one text in quotes: {tokens}", f'--tokens "{positions}" {written}')
    elif "".join(extra).isdigit() and source.isidentifier():
        yield Message("write a position as one text in quotes: {position}", f'"{source}({",".join(extra)})"')
    elif takes_output and re.search(r"\w\.[a-z]{2,7}$", extra[-1]):
        yield Message("name the file to write by {option}", f"-o {' '.join(extra)}")
    elif len(extra) == 1 and os.path.isfile(source) and not source.endswith(".py"):  # noqa: PTH113
        yield Message("write a position of a graph file as {position}", f"{source}@{extra[0]}")
