"""Make the website's page of commands, with the help of all commands; ``docs/make_site.py`` calls it."""

from __future__ import annotations

from collections.abc import Iterator

import click
from click.testing import CliRunner

from graphgame.cli import main

WIDTH = 100

HEAD = """# Commands

The output of `--help` for each command.

With `--lang zh` anywhere on the command line, results, explanations, legends, errors and this help are in Chinese.
Without `--lang` the environment variables `LC_ALL`, `LC_MESSAGES` and `LANG` decide. Output for programs (`--json`,
`--csv`, files, the words of `--verdict`) is the same in each language.
"""


def page() -> str:
    """Return the text of the page."""
    names_of_all = list(commands(main))
    contents = [f"- [`graphgame {' '.join(names)}`](#graphgame-{'-'.join(names)})" for names in names_of_all]
    return "\n".join([HEAD, *contents, "", *(section(names) for names in names_of_all)])


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    """Yield the names of every command, a group before its commands."""
    if names:
        yield names
    for name, child in children(command):
        yield from commands(child, *names, name)


def children(command: click.Command) -> list[tuple[str, click.Command]]:
    """Return the names and commands of a group; return no commands if ``command`` is not a group."""
    if not isinstance(command, click.Group):
        return []
    context = click.Context(command)
    pairs = ((name, command.get_command(context, name)) for name in command.list_commands(context))
    return [(name, child) for name, child in pairs if child is not None]


def section(names: tuple[str, ...]) -> str:
    """Return the section of a command: its name and its help."""
    result = CliRunner().invoke(main, [*names, "--help"], prog_name="graphgame", terminal_width=WIDTH)
    if result.exit_code != 0:
        raise RuntimeError(result.output)
    return f"## graphgame {' '.join(names)}\n\n```text\n{result.output.rstrip()}\n```\n"
