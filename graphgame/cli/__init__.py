"""The command line: a thin layer over the package, one module for each command.

Results go to standard output, messages and progress to standard error. The exit status is 0 after success; 1 if
``check`` could not show that play ends; 2 after an error, or if a check fails; and 129, 130, 141 or 143 after the
signal SIGHUP, SIGINT, SIGPIPE or SIGTERM.

click provides completion in a shell: ``eval "$(_GRAPHGAME_COMPLETE=bash_source graphgame)"``.
"""

from __future__ import annotations

import signal
from contextlib import suppress
from gettext import gettext
from typing import Any

import click
from click.shell_completion import CompletionItem

import graphgame
from graphgame.cli.errors import meant_command, reported
from graphgame.cli.language import HelpEnd, Listing, TranslatedContext, language_first, language_option, of_environment
from graphgame.cli.process import Stopped, broken_pipe_ends, escape_missing_characters, signals_raised, usage_translated
from graphgame.errors import LIBRARIES, Message, MissingLabError
from graphgame.registry import LAB_OF_COMMAND, offers, register
from graphgame.text.languages import amount, render, translate

register("command", "solve", "cli.solve:command", "Say who wins, why and how.")
register("command", "explain", "cli.explain:command", "Derive a value step by step.")
register("command", "draw", "cli.draw:command", "Draw a picture of a game.")
register("command", "convert", "cli.convert:command", "Change the format of a graph.")
register("command", "play", "cli.play:command", "Play a game against the computer, or another person.")
register("command", "games", "cli.games:command", "List the games of the catalogue.")
register("command", "check", "cli.check:command", "Check the rules of a game by playing it.")
register("command", "stats", "cli.stats:command", "Count positions, moves, levels and values.")

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame solve game.txt", "who wins, why and how"),
        ("graphgame solve game.txt --draw game.svg", "who wins, and a picture of the game"),
        ("graphgame explain game.txt", "the values, step by step"),
        ("graphgame convert game.txt game.graphml", ""),
        ('graphgame solve "nim(3,4,5)"', "a position by its name"),
        ("graphgame games", "the names of all games"),
    ),
    Listing(
        "Completion in the shell (bash; zsh and fish likewise):",
        ('eval "$(_GRAPHGAME_COMPLETE=bash_source graphgame)"', ""),
    ),
)

_GROUPS = {
    Message("Solve and explain"): ("solve", "explain", "games", "convert", "stats", "check"),
    Message("Draw and play"): ("draw", "play"),
    Message("Labs: heaps, tables and laws"): ("heap", "values", "law", "misere", "nimber", "reduce"),
    Message("Labs: large games"): ("search", "generate", "spark"),
    Message("Labs: checks, pages and judges"): ("verify", "certificate", "serve", "judge"),
}
"""Heading in the help -> the commands below it, in the order of the README: first the core, then the labs."""


class _Commands(click.Group):
    """The group of all commands. The module of a command is imported when the command is used."""

    context_class = TranslatedContext

    def main(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        escape_missing_characters()
        with of_environment():
            return super().main(*given, **named)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(offers("command"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        offer = offers("command").get(cmd_name)
        if offer is None:
            return None
        command: click.Command = offer.load()
        command.context_class = TranslatedContext
        command.short_help = offer.about
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        offered = offers("command")
        for title, names in _GROUPS.items():
            if lines := [(name, offered[name].about) for name in names if name in offered]:
                with formatter.section(gettext(title)):
                    formatter.write_dl(lines)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        commands = [
            CompletionItem(name, help=offer.about)
            for name, offer in offers("command").items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with broken_pipe_ends(), usage_translated():
            return super().parse_args(ctx, language_first(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not (args[0] in offers("command") or args[0].startswith("-") or ctx.resilient_parsing):
            if args[0] in LAB_OF_COMMAND:
                raise MissingLabError(args[0], LAB_OF_COMMAND[args[0]])
            meant = meant_command(args[0], offers("command"))
            ctx.fail(
                Message("No such command {name!r}: did you mean {names}?", args[0], meant)
                if meant
                else Message("No such command {name!r}.", args[0])
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            with signals_raised(), broken_pipe_ends(), usage_translated(), reported():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            stopped = error if isinstance(error, Stopped) else Stopped(signal.SIGINT)
            click.echo(render(stopped.reason), err=True)
            raise click.exceptions.Exit(stopped.status) from None


_VERBOSE = "graphgame.verbose"
"""The key of the context's ``meta`` for whether ``-v`` was given."""
_NEEDED = ("networkx", "pydot", "numpy", "click")


def _show_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """If ``asked``, print the version and exit; with ``-v`` also print versions of libraries, and the cache folder."""
    if not asked:
        return
    click.echo(f"graphgame {graphgame.__version__}")
    if ctx.meta.get(_VERBOSE):
        import platform
        from importlib.metadata import PackageNotFoundError, version

        click.echo(f"Python {platform.python_version()}, {platform.platform()}")
        libraries = dict.fromkeys((*_NEEDED, *(name for names in LIBRARIES.values() for name in names.split())))
        for name in libraries:
            with suppress(PackageNotFoundError):
                click.echo(f"{name} {version(name)}")
        click.echo(translate("compiled loops are cached in {folder}", folder=_cache().cache_folder()))
    ctx.exit()


def _clear_cache(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """If ``asked``, delete the cached files of compiled loops, print their number and their folder, and exit."""
    if asked:
        folder, count = _cache().cache_folder(), _cache().remove_cached()
        click.echo(translate("removed {files} from {folder}", files=amount(count, "file"), folder=folder))
        ctx.exit()


def _cache() -> Any:  # noqa: ANN401
    from graphgame.compiled import loop_cache  # not at the top: it loads modules that would slow every start

    return loop_cache


@click.group(cls=_Commands, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@language_option
@click.option(
    "-v",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, asked: ctx.meta.update({_VERBOSE: asked}),
    help="With --version: also show the versions of libraries, and the cache folder.",
)
@click.option("--version", is_flag=True, expose_value=False, callback=_show_version, help="Show the version and exit.")
@click.option(
    "--clear-cache",
    is_flag=True,
    expose_value=False,
    callback=_clear_cache,
    help="Delete the cached files of compiled loops.",
)
def main() -> None:
    """Solve impartial games given as graphs or by rules: positions are vertices, moves are edges.

    A player who cannot move loses (with --misere: wins). Each position gets its Grundy value. The tokens are a sum of
    positions: under normal play the first player wins it exactly if the xor of the values is not 0.
    """
