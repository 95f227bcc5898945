"""The commands' page of the website: the help of all commands; ``docs/make_site.py`` writes it."""

from __future__ import annotations

from collections.abc import Iterator

import click
from click.testing import CliRunner

from graphgame.cli import main
from graphgame.labs.heaps.cli import OpenCommand

WIDTH = 100

HEAD = """# Commands

What `--help` says of each command.

`graphgame --lang zh`, or `--lang zh` anywhere after it, has results, explanations, legends, errors and this help in
Chinese; without it the environment decides, by `LC_ALL`, `LC_MESSAGES` or `LANG`. What machines read (`--json`,
`--csv`, files, the words of `--verdict`) is the same in each language.
"""


def page() -> str:
    """Return the text of the page."""
    found = list(commands(main))
    contents = [f"- [`graphgame {' '.join(names)}`](#graphgame-{'-'.join(names)})" for names in found]
    return "\n".join([HEAD, *contents, "", *(section(names) for names in found)])


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    """Yield the names of every command, each group before its own."""
    if names:
        yield names
    for name, child in children(command):
        yield from commands(child, *names, name)


def children(command: click.Command) -> list[tuple[str, click.Command]]:
    """Return the commands of a group, or those that a command's first word may name."""
    if isinstance(command, OpenCommand):
        return [(name, click.Command(name)) for name in command.others]
    if not isinstance(command, click.Group):
        return []
    context = click.Context(command)
    found = ((name, command.get_command(context, name)) for name in command.list_commands(context))
    return [(name, child) for name, child in found if child is not None]


def section(names: tuple[str, ...]) -> str:
    """Return what a command says of itself, under its name."""
    said = CliRunner().invoke(main, [*names, "--help"], prog_name="graphgame", terminal_width=WIDTH)
    if said.exit_code != 0:
        raise RuntimeError(said.output)
    return f"## graphgame {' '.join(names)}\n\n```text\n{said.output.rstrip()}\n```\n"
