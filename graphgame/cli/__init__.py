"""The command line: a thin face over the package, one module a command.

Results go to standard output, messages and progress to standard error. Exit status: 0 when the work is done, 1 when
``check`` has not seen that play ends, 2 on wrong input or usage, 129, 130, 141 and 143 when hung up, interrupted, left
by the reader of a pipe, and terminated.
With click's own mechanism, the command completes itself in a shell:
``eval "$(_GRAPHGAME_COMPLETE=bash_source graphgame)"``.
"""

from __future__ import annotations

import signal
from gettext import gettext
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

import graphgame
from graphgame.cli.errors import meant_command
from graphgame.cli.language import HelpEnd, Listing, TranslatedContext, language_first, language_option, of_environment
from graphgame.cli.process import Stopped, broken_pipe_ends, signals_raised, usage_told
from graphgame.errors import Message
from graphgame.explanation.texts import render

__all__ = ["main"]

_COMMANDS = {
    "solve": "Say who wins, why and how.",
    "explain": "Derive a value step by step.",
    "draw": "Draw a picture of a game.",
    "convert": "Change the format of a graph.",
    "play": "Play a game against the computer, or another person.",
    "serve": "Open a local site to explore and play any game.",
    "games": "List the games of the catalogue.",
    "heap": "Print the values of a one-heap game, or prove their period.",
    "misere": "Genera, canonical forms and quotients under misère play.",
    "search": "Who wins one position, or each of several, without their whole graphs.",
    "nimber": "Calculate with nimbers.",
    "reduce": "Merge equal positions into a smaller graph.",
    "values": "Print a sequence or table of values.",
    "law": "Find and prove laws of values.",
    "check": "Check that rules are in order.",
    "judge": "Answer a problem of an online judge.",
    "verify": "Check that a values file is right.",
    "certificate": "Write the few values that prove who wins.",
    "stats": "Count positions, moves, levels and values.",
    "generate": "Make a game of a given shape and size.",
    "spark": "Solve edge tables beyond one machine, on Apache Spark.",
}
"""Name -> what the command does in a line: to list them, none is imported."""

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame solve game.txt", "who wins, why and how"),
        ("graphgame solve game.txt --draw game.svg", "a picture as well"),
        ("graphgame explain game.txt", "the values, step by step"),
        ("graphgame convert game.txt game.graphml", ""),
        ('graphgame solve "nim(3,4,5)"', "a position by its name"),
        ("graphgame games", "which names there are"),
    ),
    Listing(
        "Completion in the shell (bash; zsh and fish likewise):",
        ('eval "$(_GRAPHGAME_COMPLETE=bash_source graphgame)"', ""),
    ),
)


class _Commands(click.Group):
    """A group whose commands are imported when they are used."""

    context_class = TranslatedContext

    def main(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        with of_environment():
            return super().main(*given, **named)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"graphgame.cli.{cmd_name}").command
        command.context_class = TranslatedContext
        command.short_help = _COMMANDS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(gettext("Commands")):
            formatter.write_dl(list(_COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        commands = [CompletionItem(name, help=told) for name, told in _COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with broken_pipe_ends(), usage_told():
            return super().parse_args(ctx, language_first(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not (args[0] in _COMMANDS or args[0].startswith("-") or ctx.resilient_parsing):
            ctx.fail(Message("No such command {name!r}{hint}", args[0], _similar(args[0])))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        from graphgame.cli.errors import reported

        try:
            with signals_raised(), broken_pipe_ends(), usage_told(), reported():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            stopped = error if isinstance(error, Stopped) else Stopped(signal.SIGINT)
            click.echo(render(stopped.reason), err=True)
            raise click.exceptions.Exit(stopped.status) from None


def _similar(name: str) -> str:
    meant = meant_command(name, _COMMANDS)
    return Message(": did you mean {names}?", meant) if meant else "."


@click.group(cls=_Commands, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@language_option
@click.version_option(graphgame.__version__, prog_name="graphgame", message="%(prog)s %(version)s")
def main() -> None:
    """Solve impartial games given as graphs or by rules: positions are vertices, moves are edges.

    A player who cannot move loses (with --misere: wins). Each position gets its Grundy value; a sum of positions, one
    for each token, is won by the first player exactly when the xor of the values is not 0.
    """
