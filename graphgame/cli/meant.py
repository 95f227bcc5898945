"""What was probably meant by a command line that cannot be read."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from graphgame.errors import Message
from graphgame.explanation.texts import translate

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

    from graphgame.graph import GameGraph

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
"""Command -> other words for what it does."""

_NO_MOVES = Message("{path} has no moves: a move is two labels with a space between them, {move}")


def meant_command(name: str, commands: Iterable[str]) -> str | None:
    """Return the command that was meant by a name that none has, with its SOURCE where that was all.

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


def meant_arguments(context: click.Context) -> str:
    """Return how to write what stands on the command line beside SOURCE, or nothing where nobody can tell."""
    source, extra = context.params.get("source"), context.args
    if not isinstance(source, str):
        return ""
    if given := context.params.get("tokens"):
        words: list[str] = [*map(str, given), source, *extra]
        named = [*filter(os.path.isfile, words), *(word for word in words if "(" in word), words[-1]][0]
        tokens = " ".join(word for word in words if word != named)
        written = f'"{named}"' if "(" in named or " " in named else named
        return Message("; several positions are one text in quotes: {tokens}", f'--tokens "{tokens}" {written}')
    if "".join(extra).isdigit() and source.isidentifier():
        return Message("; a position is one text in quotes, {position}", f'"{source}({",".join(extra)})"')
    takes_output = any(parameter.name == "output" for parameter in context.command.params)
    if takes_output and re.search(r"\w\.[a-z]{2,7}$", extra[-1]):
        return Message("; a file to write is {option}", f"-o {' '.join(extra)}")
    if len(extra) == 1 and os.path.isfile(source):  # noqa: PTH113
        return Message("; a position of a graph file is {position}", f"{source}@{extra[0]}")
    return ""


def meant_edges(graph: GameGraph, path: str) -> str | None:
    """Return what is odd about a list of edges in which no line has two labels."""
    if graph.number_of_edges():
        return None
    pairs = (re.fullmatch(r"(\w+)(?:->|[;:|-])(\w+)", str(label)) for label in graph)
    found = next(pairs, None)
    return found and translate(_NO_MOVES, path=path, move=f"{found[1]} {found[2]}")
