"""What the commands share: options, reading the game, finding the positions that a person names."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Hashable, Iterable

import click
from click.shell_completion import CompletionItem

from graphgame.cli.errors import Failure
from graphgame.engine import COMPILED_FROM, use_compiled
from graphgame.errors import CycleError, TokenError, UnknownPositionError, shorten
from graphgame.graph import GameGraph
from graphgame.labels import Labels, ListLabels, RangeLabels
from graphgame.solution import Solution, solve
from graphgame.sums import PRODUCT_LIMIT
from graphgame.text import printable

__all__ = [
    "complete_format",
    "engine_option",
    "find_position",
    "format_option",
    "load",
    "misere_option",
    "note",
    "product_limit_option",
    "solve_source",
    "source_argument",
    "tokens_option",
]

_LARGE = 1 << 22
_PATIENCE = 0.5
_MOST_COMPARED = 5000
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a format of graph files."""
    from graphgame.io.formats import FORMATS

    return [CompletionItem(f.name, help=f.description) for f in FORMATS.values() if f.name.startswith(incomplete)]


source_argument = click.argument("source", type=click.Path(allow_dash=True))
format_option = click.option(
    "--format",
    "format_",
    shell_complete=complete_format,
    metavar="NAME",
    help="Format of SOURCE; default: from its name and content.",
)
tokens_option = click.option(
    "--tokens",
    multiple=True,
    metavar="POSITIONS",
    help="Positions of the sum's components, in place of the file's, separated by commas or spaces. Repeatable: "
    "a position that holds a comma or a space has its own --tokens.",
)
misere_option = click.option("--misere", is_flag=True, help="A player who cannot move wins.")
engine_option = click.option(
    "--engine",
    type=click.Choice(["auto", "plain", "compiled"]),
    default="auto",
    show_default=True,
    help="Plain Python or compiled loops; auto compiles large games.",
)
product_limit_option = click.option(
    "--product-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Most positions of a sum that is played out: for misère play, and for the length of a game.",
)


def note(message: str) -> None:
    """Print a message on standard error."""
    click.echo(f"graphgame: {printable(message, length=0)}", err=True)


def load(source: str, format: str | None = None) -> GameGraph:
    """Read the graph of a source, showing progress on a terminal when it takes long."""
    from graphgame.io import read_game

    meter = _Meter() if sys.stderr.isatty() else None
    try:
        return read_game(source, format, progress=meter)
    finally:
        if meter is not None:
            meter.clear()


def solve_source(
    source: str,
    format: str | None,
    tokens: tuple[str, ...] = (),
    misere: bool = False,
    engine: str = "auto",
    product_limit: int | None = None,
) -> Solution:
    """Read a source and solve it; without ``tokens`` those of the file are asked about."""
    graph = load(source, format)
    size = len(graph) + graph.number_of_edges()
    if engine == "auto" and size >= COMPILED_FROM and not use_compiled(size):
        note('this game is large: it is solved faster with compiled loops, pip install "graphgame[fast]"')
    asked = find_tokens(graph, tokens) if tokens else None
    try:
        return solve(
            graph,
            play="misere" if misere else "normal",
            tokens=asked,
            engine=engine,
            product_limit=product_limit or PRODUCT_LIMIT,
        )
    except (CycleError, TokenError, UnknownPositionError) as error:
        raise Failure(f"{'standard input' if source == '-' else source}: {error}") from error


def find_tokens(graph: GameGraph, texts: Iterable[str]) -> list[Hashable]:
    """Return the positions listed in texts; each text is one position, or several between commas or spaces."""
    tokens: list[Hashable] = []
    for text in texts:
        whole = _number(graph.labels, text)
        parts = [part for part in re.split(r"[,\s]+", text) if part]
        if whole is None and not parts:
            raise TokenError(f"no position in {shorten(text)}: expected positions separated by commas or spaces")
        tokens += [find_position(graph, part) for part in parts] if whole is None else [graph.labels[whole]]
    return tokens


def find_position(graph: GameGraph, text: str) -> Hashable:
    """Return the position that a person writes as this text.

    Raises
    ------
    UnknownPositionError
        There is none; names similar ones.
    """
    number = _number(graph.labels, text)
    if number is None:
        raise UnknownPositionError(text, f"is not a vertex of the graph{_hint(graph.labels, text)}")
    return graph.labels[number]


def _number(labels: Labels, text: str) -> int | None:
    """Return the vertex number of the position of this text; a string comes before an integer, both before others."""
    if text in labels:
        return labels.find(text)
    if _INTEGER.fullmatch(text) and int(text) in labels:
        return labels.find(int(text))
    if not isinstance(labels, ListLabels):
        return None
    texts = (str(position) for position in labels)
    return next((number for number, name in enumerate(texts) if name == text), None)


def _hint(labels: Labels, text: str) -> str:
    """Return what the positions are called, to end a sentence."""
    if not len(labels):
        return ": it has no vertices"
    if isinstance(labels, RangeLabels):
        return f": its positions are {labels[0]} to {labels[-1]}"
    from difflib import get_close_matches

    names = [printable(position) for position in labels[:_MOST_COMPARED]]
    near = get_close_matches(text, names, n=3)
    if near:
        return f": did you mean {', '.join(map(repr, near))}?"
    return f": positions are called {', '.join(map(repr, names[:3]))}{', ...' if len(labels) > 3 else ''}"


class _Meter:
    """A line on a terminal that tells how much of a large file is read."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._visible = False

    def __call__(self, done: int, total: int | None) -> None:
        now = time.monotonic()
        if done < _LARGE or now - self._started < _PATIENCE or now - self._shown < 0.1:
            return
        self._shown, self._visible = now, True
        share = f"{done / total:4.0%} [{'#' * (20 * done // total):20}]" if total else f"{done >> 20} MB"
        click.echo(f"\rreading {share} ", nl=False, err=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._visible:
            click.echo(f"\r{' ' * 40}\r", nl=False, err=True)
