"""What was probably meant by a command line that cannot be read."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from gettext import ngettext
from pathlib import Path
from typing import TYPE_CHECKING

from graphgame.explanation.texts import translate

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

    from graphgame.graph import GameGraph

__all__ = ["meant_arguments", "meant_command", "meant_edges"]

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

_COUNTED = "{place} {line} is read as a move: if it counts vertices and edges, leave it out"
_NO_MOVES = "{path} has no moves: a move is two labels with a space between them, {move}"
_TOO_MANY = "Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"
"""What click says, which it takes from gettext."""


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


def meant_arguments(error: click.UsageError) -> str:
    """Return how to write what stands on the command line beside SOURCE, or nothing where nobody can tell."""
    begins = ngettext(*_TOO_MANY, 1).partition("{args}")[0]
    found = re.fullmatch(rf"{re.escape(begins[:-2])}.*?[(（](?P<extra>.+)[)）]", error.message)
    if found is None or error.ctx is None or not isinstance(source := error.ctx.params.get("source"), str):
        return ""
    extra = found["extra"]
    if given := error.ctx.params.get("tokens"):
        words: list[str] = [*map(str, given), source, *extra.split()]
        file = next(filter(os.path.isfile, words), words[-1])
        tokens = f'--tokens "{" ".join(word for word in words if word != file)}" {file}'
        return translate("; several positions are one text in quotes: {tokens}", tokens=tokens)
    if extra.replace(" ", "").isdigit() and source.isidentifier():
        position = f'"{source}({extra.replace(" ", ",")})"'
        return translate("; a position is one text in quotes, {position}", position=position)
    takes_output = any(parameter.name == "output" for parameter in error.ctx.command.params)
    if takes_output and re.search(r"\w\.[a-z]{2,7}$", extra):
        return translate("; a file to write is {option}", option=f"-o {extra}")
    if " " not in extra and os.path.isfile(source):  # noqa: PTH113
        return translate("; a position of a graph file is {position}", position=f"{source}@{extra}")
    return ""


def meant_edges(graph: GameGraph, path: str) -> str | None:
    """Return what is odd about a list of edges: a first line that counts them, or no line with two labels."""
    if not graph.number_of_edges():
        pairs = (re.fullmatch(r"(\w+)(?:->|[;:|-])(\w+)", str(label)) for label in graph)
        found = next(pairs, None)
        return found and translate(_NO_MOVES, path=path, move=f"{found[1]} {found[2]}")
    line = ""
    with suppress(OSError, UnicodeDecodeError), Path(path).open(encoding="utf-8") as stream:
        line = stream.readline(100)
    counts = re.fullmatch(r"\s*(\d{1,12})\s+(\d{1,12})\s*", line)
    if counts is None:
        return None
    vertices, edges = map(int, counts.groups())
    if not (vertices < edges == graph.number_of_edges() - 1 and len(graph) <= vertices + 2 and edges in graph):
        return None
    if [*graph.successors(edges)] or [*graph.predecessors(edges)] != [vertices]:
        return None
    return translate(_COUNTED, place=f"{path}:1:", line=line.strip())
