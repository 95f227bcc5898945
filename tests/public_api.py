"""The public API as a text. ``python -m tests.public_api`` records it in ``tests/data/public-api.txt``.

A line has a name and its parameters. There are lines for the public names, the methods and properties of their classes,
the names in public modules, and the commands with their options.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from pathlib import Path

import click

import graphgame
from graphgame.cli import main

RECORD = Path(__file__).parent / "data" / "public-api.txt"


def lines() -> Iterator[str]:
    """Yield the lines of the record."""
    for name in graphgame.__all__:
        yield from _described(name, getattr(graphgame, name))
    for module in sorted(graphgame._PACKAGES):
        home = getattr(graphgame, module)
        for name in sorted(home.__all__):
            if not isinstance(getattr(home, name), types.ModuleType):
                yield from _described(f"{module}.{name}", getattr(home, name))
    yield from _commands("graphgame", main)


def _described(name: str, value: object) -> Iterator[str]:
    if not isinstance(value, type):
        yield f"{name}{_signature(value)}" if inspect.isroutine(value) else name
        return
    yield f"class {name}{'' if issubclass(value, Exception) else _signature(value)}"
    members = {key: member for home in reversed(value.__mro__) if _is_own(home) for key, member in vars(home).items()}
    for key in sorted(key for key in members if not key.startswith("_")):
        member = inspect.unwrap(getattr(members[key], "__func__", members[key]))
        yield f"{name}.{key}{_signature(member) if inspect.isroutine(member) else ''}"


def _is_own(home: type) -> bool:
    return home.__module__.partition(".")[0] == "graphgame"


def _signature(function: object) -> str:
    """Return names and kinds of parameters, and which have a default; default values and types are left out."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "(...)"
    bare = [
        each.replace(annotation=each.empty, default=each.empty if each.default is each.empty else ...)
        for each in parameters
    ]
    return str(inspect.Signature(bare)).replace("Ellipsis", "...")


def _commands(words: str, command: click.Command) -> Iterator[str]:
    with click.Context(command) as ctx:
        parts = [
            part
            for each in command.params
            for part in ([each.name or ""] if isinstance(each, click.Argument) else [*each.opts, *each.secondary_opts])
        ]
        yield " ".join([words, *sorted(parts)])
        if isinstance(command, click.Group):
            for name in sorted(command.list_commands(ctx)):
                found = command.get_command(ctx, name)
                assert found is not None
                yield from _commands(f"{words} {name}", found)


if __name__ == "__main__":
    RECORD.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
