"""What the commands share: the game that a command is about, options, and where a result goes in which form."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from functools import cached_property, reduce, wraps
from math import isfinite
from typing import IO, TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from graphgame import errors
from graphgame.cli.errors import Failure, UsageError, advice
from graphgame.cli.progress import Exploring, Reading, shown
from graphgame.compiled.engine import COMPILED_FROM, PRODUCT_LIMIT, QUICK_PRODUCT, has_numba
from graphgame.errors import LimitError, Message, TokenError, both, install_command, joined
from graphgame.io.source import plain_suffix
from graphgame.registry import offers, registered
from graphgame.rules import MAX_POSITIONS
from graphgame.text.languages import render, translate
from graphgame.text.text import printable

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph
    from graphgame.rules.position import Position
    from graphgame.solution.results import Numbered
    from graphgame.solution.solve import Solution


Decorator = Callable[[Callable[..., None]], Callable[..., None]]

_PART = re.compile(r"(?:\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|[^,\s])+")


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a format of graph files."""
    from graphgame.io.formats import FORMATS

    return [CompletionItem(f.name, help=f.description) for f in FORMATS.values() if f.name.startswith(incomplete)]


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a game of the catalogue."""
    from graphgame.rules.catalogue import CATALOGUE

    return [CompletionItem(name) for name in CATALOGUE if name.startswith(incomplete)]


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete what SOURCE may be: a file, or the name of a game; or the command that stands in its place."""
    others = [CompletionItem(name) for name in getattr(ctx.command, "others", ()) if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *others, *complete_game(ctx, param, incomplete)]


def _bound_reading(ctx: click.Context, param: click.Parameter, size: str | None) -> None:
    """Let every file that the command reads hold so many bytes."""
    if size is not None:
        from graphgame.io.source import parse_size, reading_at_most

        ctx.with_resource(reading_at_most(parse_size(size)))


class AnyInteger(click.types.IntParamType):
    """An integer."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called in messages."""
        return translate("integer")


class Integer(AnyInteger, click.IntRange):  # type: ignore[override]
    """An integer within bounds."""


class Number(click.FloatRange):
    """A number within bounds."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called in messages."""
        return translate("number")


NAMED_COLUMNS = "graphgame.columns"
"""Under this key a context notes that columns are named."""


def _name_column(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """Let lists of edges that the command reads have a column of this name."""
    if name is not None:
        from graphgame.io.source import reading_columns

        is_source = param.name == "source_column"
        ctx.with_resource(reading_columns(name if is_source else None, None if is_source else name))
        ctx.meta[NAMED_COLUMNS] = True


class _Seconds(Number):
    """A number of seconds: finite, which nan and inf are not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(Message("{value} is not a number of seconds.", value), param, ctx)
        return seconds


SECONDS = _Seconds(min=0, min_open=True)


def number_option(*names: str, least: int = 1, metavar: str = "N", **given: Any) -> Decorator:  # noqa: ANN401
    """Return an option that takes an integer, and shows its default."""
    return click.option(*names, type=Integer(min=least), metavar=metavar, show_default="default" in given, **given)


def column_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose the columns of a list of edges."""
    options = (
        click.option(
            f"--{end}",
            f"{end}_column",
            metavar="COLUMN",
            expose_value=False,
            callback=_name_column,
            help=f"In a table of moves: the column that says where a move {what}; its name, or its number from 1.",
        )
        for end, what in (("source", "starts"), ("target", "ends"))
    )
    return with_options(*options)(command)


source_argument = click.argument(
    "source", type=click.Path(allow_dash=True, readable=False), shell_complete=complete_source
)
_OPTIONS: dict[str, Decorator] = {
    "format": lambda command: with_options(
        click.option(
            "--format",
            "format_",
            shell_complete=complete_format,
            metavar="NAME",
            help="Format of SOURCE; default: from its name and content.",
        ),
        column_options,
    )(command),
    "max_bytes": click.option(
        "--max-bytes",
        metavar="SIZE",
        expose_value=False,
        callback=_bound_reading,
        help="Most bytes that a file may hold once it is decompressed, such as 10GB.  "
        "[default: 32 MiB, or 100 times its size]",
    ),
    "tokens": click.option(
        "--tokens",
        multiple=True,
        metavar="POSITIONS",
        help="Positions of the sum's components, in place of the file's, separated by commas or spaces. Repeatable: "
        "a position that holds a comma or a space has its own --tokens.",
    ),
    "theme": click.option(
        "--theme",
        type=click.Choice(["light", "dark", "print"]),
        default="light",
        help="Colours: light, dark, or print without any; light unless given.",
    ),
    "plot_title": click.option("--title", metavar="TEXT", help="Title of the plot; an empty one leaves it out."),
    "misere": click.option("--misere", is_flag=True, help="A player who cannot move wins."),
    "loopy": click.option("--loopy", is_flag=True, help="Allow cycles: give finite and infinite values, and draws."),
    "engine": click.option(
        "--engine",
        type=click.Choice(["auto", "plain", "compiled"]),
        default="auto",
        show_default=True,
        help="Plain Python or compiled loops; auto compiles what is large.",
    ),
    "product_limit": number_option(
        "--product-limit",
        help="Most positions of a sum that is played out, for misère play and for the length of a game "
        f"(default: {PRODUCT_LIMIT:,}).",
    ),
    "max_positions": number_option(
        "--max-positions", default=MAX_POSITIONS, help="Stop where a game given by rules has more positions than this."
    ),
    "timeout": click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Stop after this many seconds."),
    "resume": click.option(
        "--resume",
        metavar="FILE",
        type=click.Path(),
        help="Keep the results in this file, even when stopped; continue from what it holds.",
    ),
    "heaps": number_option("-n", "--heaps", "heaps", least=0, help="The largest heap."),
    "max_forms": number_option(
        "--max-forms", help="Stop at more misère canonical forms and sums of them than this (default: 500,000)."
    ),
    "product": click.option(
        "--product", is_flag=True, help="The sum itself: each vertex holds a position of every component."
    ),
}


def with_options(*options: Decorator) -> Decorator:
    """Add options to a command, in this order."""
    return lambda command: reduce(lambda taken, option: option(taken), reversed(options), command)


def shared_options(*names: str) -> Decorator:
    """Add options that several commands have to one, by their names."""
    return with_options(*(_OPTIONS[name] for name in names))


def takes(kind: type, name: str, *options: Decorator) -> Decorator:
    """Add options to a command, and hand it all that a dataclass holds as one argument of this name."""

    def taking(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def taken(**given: Any) -> None:  # noqa: ANN401
            own = {field.name: given.pop(field.name) for field in fields(kind) if field.name in given}
            command(**{name: kind(**own)}, **given)

        return with_options(*options)(taken)

    return taking


def has_ranges(source: str) -> bool:
    """Tell whether SOURCE has a range in place of a number, such as ``0..50``; no lab, no ranges."""
    return "ranges in a text" in offers("job") and bool(registered("ranges in a text")(source))


def takes_disk(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of work on disk, where the lab that does it is installed."""
    lab = offers("options").get("work on disk")
    return command if lab is None else lab.load()(command)


def tell(message: str) -> None:
    """Print a message on standard error."""
    click.echo(f"graphgame: {printable(render(message), length=0)}", err=True)


def tell_of(path: str, what: str = "") -> None:
    """Say that a file was written, and what is in it where that is not plain."""
    if path != "-":
        tell(Message("wrote {path}{what}", path, Message(": {what}", what) if what else ""))


def tell_of_part(done: int, asked: int) -> None:
    """Say that a result is cut off where the work was ended."""
    tell(Message("cut off: {done:,} of {asked:,} positions are done", done, asked))


def position_of(source: str, format: str | None = None, max_positions: int = MAX_POSITIONS) -> Position | None:
    """Return the position that a source names in the notation; None where it is the name of a file."""
    from graphgame.io.files import is_there

    if source == "-" or (is_there(source) and not source.endswith(".py")):
        return None  # found out without the catalogue, which takes as long to load as a small file to be solved
    from graphgame.rules.notation import is_notation, parse_position

    if not is_notation(source):
        return None
    if format is not None:
        raise UsageError("{source} is no graph file: leave out --format", printable(source))
    return parse_position(source, max_positions=max_positions, run_rules=True)


def refuse_rules_of_file(game: str, file: str, command: str) -> None:
    """Refuse rules in Python where only a file names them; the command names them as well."""
    if ".py:" in game:
        raise Failure("{file} names rules in Python, which would be run: name them yourself, {command}", file, command)


def load(
    source: str, format: str | None = None, max_positions: int = MAX_POSITIONS, *, texts: bool = True
) -> GameGraph:
    """Return the graph of a source, showing progress on a terminal when it takes long.

    A position in the notation is explored; the vertices of its graph are the texts of the positions, if these are
    wanted.
    """
    position = position_of(source, format, max_positions)
    if position is not None:
        with shown(Exploring) as exploring:
            return position.graph(exploring, texts=texts)
    with shown(Reading) as reading:
        return _reader(source)(source, format, progress=reading)


def _reader(source: str) -> Callable[..., GameGraph]:
    """Return what reads a file; one that says how a position is written is loaded only where there is no file."""
    from graphgame.io import read_game
    from graphgame.io.files import is_there

    if source == "-" or is_there(source):
        return read_game
    from graphgame.rules.sources import read_named

    return read_named


@contextmanager
def limits_named(**others: str) -> Iterator[None]:
    """Name the option that raises a limit: that of the limit's own name, unless another is given for it."""
    try:
        yield
    except LimitError as error:
        if error.limit is None:
            raise
        option = others.get(error.limit, error.limit).replace("_", "-")
        raise Failure("{error}; --{option} allows more", error, option) from error


def find_tokens(graph: Numbered, texts: Iterable[str], source: Position | None = None) -> list[Hashable]:
    """Return the positions listed in texts; each text is one position, or several between commas or spaces."""
    from graphgame.text.naming import find_vertex, named_vertex

    tokens: list[Hashable] = []
    for text in texts:
        whole = find_vertex(graph, text, source)
        if whole is None:
            tokens += [named_vertex(graph, part, source) for part in listed(text)]
        else:
            tokens.append(graph.labels[whole])
    return tokens


def listed(text: str) -> list[str]:
    """Return what stands between commas or spaces outside brackets; raise TokenError where that is nothing."""
    parts = _PART.findall(text)
    if not parts:
        raise TokenError("no position in {text!r}: expected positions separated by commas or spaces", text)
    return parts


_OF_WHOLE_GRAPHS = ("solve", "explain", "draw", "play", "values", "stats", "certificate")
"""Commands about who wins that look at the whole graph."""


@dataclass
class Game:
    """A source, with the options of the command line."""

    source: str
    format_: str | None = None
    tokens: tuple[str, ...] = ()
    misere: bool = False
    loopy: bool = False
    engine: str = "auto"
    max_positions: int = MAX_POSITIONS
    product: bool = False
    product_limit: int | None = None

    @cached_property
    def position(self) -> Position | None:
        """The position that the source names in the notation; None where it is a file."""
        position = position_of(self.source, self.format_, self.max_positions)
        return None if position is None else position.under(self.misere)

    @cached_property
    def graph(self) -> GameGraph:
        """The explicit graph; positions of rules are texts."""
        return self._loaded(texts=True)

    def solution(self, most: int = PRODUCT_LIMIT, *, texts: bool = True) -> Solution:
        """Solve the explicit graph; without ``--tokens`` the source's own are asked about.

        Parameters
        ----------
        most : int
            Most positions of a sum that is played out, where ``--product-limit`` says nothing.
        texts : bool
            Whether positions of rules are texts: in a large graph they take long.
        """
        return self._solved(self.graph if texts else self._loaded(texts=False), most)

    @property
    def asked(self) -> Position | None:
        """The position that is asked about; None where only the explicit graph can answer."""
        return None if self.loopy else self._named

    @cached_property
    def _named(self) -> Position | None:
        """The source's position, or the sum of those that ``--tokens`` names; None where a graph has them."""
        if self.position is None or not self.tokens:
            return self.position
        from graphgame.text.naming import named_component

        parts = [named_component(text, self.position) for text in self.graph.tokens or ()]
        return None if None in parts else self.position.sum_of(part for part in parts if part is not None)

    def quick_solution(self, most: int = PRODUCT_LIMIT, *, texts: bool = True) -> Solution | None:
        """Solve the explicit graph as :meth:`solution` does; None if it is large or loopy and a theorem answers."""
        position = self.asked
        if position is None or not position.needs_no_graph:
            return self.solution(most, texts=texts)
        if position.loopy:
            return None
        if self.tokens:
            return self.solution(min(most, QUICK_PRODUCT), texts=texts)
        with shown(Exploring) as exploring:

            def solved(graph: GameGraph) -> Solution:
                if exploring is not None:
                    exploring.clear()
                return self._solved(graph, min(most, QUICK_PRODUCT))

            return position.quick_solution(solved, exploring, texts=texts)

    @property
    def whole_position(self) -> Position | None:
        """The position that the source names, unless it is a file, has ranges, or only some of it is asked about."""
        with suppress(errors.GraphGameError):
            return None if self.source is None or self.tokens else self.position
        return None

    @property
    def outcome_by_theorem(self) -> str | None:
        """``P`` or ``N`` where theorems tell who wins without a graph."""
        return None if self.asked is None else self.asked.theorem.outcome

    def as_position(self) -> Position:
        """Return what the source names; on a graph, the sum of the tokens.

        Raises
        ------
        TokenError
            A graph has no tokens.
        """
        if self._named is not None:
            return self._named
        from graphgame.rules.sources import as_position

        if not self.graph.tokens:
            first = printable(next(iter(self.graph), "a"))
            raise TokenError(
                "{source} has no tokens to play with: name a position, as in {source}@{first}", self.source, first
            )
        return as_position(self.graph, self.source).under(self.misere)

    def _loaded(self, *, texts: bool) -> GameGraph:
        """Return the graph with the tokens that are asked about, multiplied out where that is asked."""
        graph = load(self.source, self.format_, self.max_positions, texts=texts)
        if self.tokens:
            from graphgame.graph.gamegraph import GameGraph

            graph = GameGraph(graph, tokens=find_tokens(graph, self.tokens, self.position))
        if not self.product:
            return graph
        from graphgame.rules.component import sum_text
        from graphgame.rules.component_graphs import with_texts
        from graphgame.solution.sums import product

        return with_texts(product(graph, limit=self.product_limit or PRODUCT_LIMIT), sum_text)

    def _solved(self, graph: GameGraph, most: int) -> Solution:
        from graphgame.solution.solve import solve

        size = len(graph) + graph.number_of_edges()
        if self.engine == "auto" and size >= COMPILED_FROM and not has_numba():
            tell(Message("this game is large: it is solved faster with compiled loops, {it}", install_command("fast")))
        limit = self.product_limit or most
        try:
            return solve(graph, misere=self.misere, engine=self.engine, product_limit=limit, loopy=self.loopy)
        except (errors.CycleError, TokenError, errors.UnknownPositionError) as error:
            raise Failure(
                "{source}: {error}", Message("standard input") if self.source == "-" else self.source, error
            ) from error


def _running() -> str | None:
    context = click.get_current_context(silent=True)
    return None if context is None else context.info_name


def takes_game(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command the options of :class:`Game` as one argument ``game``.

    Where a game is too large, say what to do instead, and name the option that raises the limit.
    """

    @wraps(command)
    def advised(*, game: Game, **others: Any) -> None:  # noqa: ANN401
        try:
            command(game=game, **others)
        except LimitError as error:
            position = None if error.play or _running() not in _OF_WHOLE_GRAPHS else game.whole_position
            if position is None:
                raise
            raise LimitError(joined([error.message, *advice(position)]), limit=error.limit) from error

    return takes(Game, "game")(limits_named()(advised))


_TEXT = "text"
_SUFFIXES = {".csv": "csv", ".json": "json", ".tex": "latex", ".npy": "npy", ".parquet": "parquet", ".txt": _TEXT}
_PICTURES = (".svg", ".png", ".pdf")
_HELP = {
    "csv": "Print CSV",
    "json": "Print one JSON object",
    "latex": "Print LaTeX, for the package booktabs",
    "npy": "Write an array of NumPy",
    "parquet": "Write Parquet",
}


@dataclass
class OutputOptions:
    """The options that say where a result goes, and in which form."""

    output: str = "-"
    as_csv: bool = False
    as_json: bool = False
    as_latex: bool = False
    as_npy: bool = False
    as_parquet: bool = False
    forms: tuple[str, ...] = ()
    default: str = _TEXT

    @cached_property
    def form(self) -> str:
        """What a flag says, or else the file's name; the default is that of the command."""
        flags = [form for form in self.forms if getattr(self, f"as_{form}")]
        if len(flags) > 1:
            raise UsageError("choose one of {flags}", both(f"--{form}" for form in flags))
        named = None if self.output == "-" else _SUFFIXES.get(plain_suffix(self.output))
        if flags and named not in (None, *flags):
            raise UsageError("--{flags} and the name {output} disagree: leave out one of them", flags[0], self.output)
        if flags or self.output == "-":
            return flags[0] if flags else self.default
        if named not in (*self.forms, self.default):
            known = ", ".join(suffix for suffix, form in _SUFFIXES.items() if form in (*self.forms, self.default))
            if self.output.endswith(_PICTURES) and _plots():
                raise UsageError(
                    "{output} is the name of a picture: expected {known}, or --plot OUT", self.output, known
                )
            raise UsageError("cannot tell the form from the name {output}: expected {known}", self.output, known)
        return named

    @property
    def as_text(self) -> bool:
        """Whether a person reads the result."""
        return self.form == _TEXT

    @property
    def is_default(self) -> bool:
        """Whether the result is to be printed as it is without options."""
        return self.form == self.default and self.output == "-"

    def check(self) -> None:
        """Refuse before long work what could not be written after it."""
        if self.form and self.output != "-":
            from graphgame.io.files import refuse_unwritable

            refuse_unwritable(self.output)

    def put(self, **makers: Callable[[], Any]) -> None:
        """Write the result by what makes it in the form that is asked for: a text, rows, a record or an array."""
        self.write(makers[self.form]())

    def write(self, made: Any) -> None:  # noqa: ANN401
        """Write a result that already has the form that is asked for."""
        if self.as_text and self.output == "-":
            click.echo(made, nl=False)
            return
        from graphgame.io.files import open_atomic

        with open_atomic(self.output, "wb" if self.form in ("npy", "parquet") else "w") as stream:
            _WRITERS[self.form](made, stream)
        tell_of(self.output)


def takes_output(default: str = _TEXT, **helps: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Hand a command ``-o`` and a flag for each form as one argument ``out``; a text is the help of its flag."""
    flags = (
        click.option(f"--{form}", f"as_{form}", is_flag=True, help=f"{_HELP[form]}{told and f': {told}'}.")
        for form, told in helps.items()
    )
    *suffixes, last = (suffix for suffix, form in _SUFFIXES.items() if form in (*helps, default))
    into = click.option(
        "-o",
        "--output",
        metavar="OUT",
        type=click.Path(allow_dash=True),
        default="-",
        help=f"Write the result to a file: {', '.join(suffixes)} or {last}.",
    )

    def taking(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def checked(out: OutputOptions, **given: Any) -> None:  # noqa: ANN401
            out.forms, out.default = tuple(helps), default
            out.check()
            command(out=out, **given)

        return takes(OutputOptions, "out", *flags, into)(checked)

    return taking


def _plots() -> bool:
    """Tell whether the command that runs has the option that draws."""
    return any(option.name == "plot" for option in click.get_current_context().command.params)


def _write_json(record: object, stream: IO[str]) -> None:
    import json

    stream.write(json.dumps(record, default=str) + "\n")


def _write_csv(rows: Any, stream: IO[str]) -> None:  # noqa: ANN401
    import csv

    csv.writer(stream, lineterminator="\n").writerows(rows)


def _write_npy(values: Any, stream: IO[bytes]) -> None:  # noqa: ANN401
    import numpy as np

    np.save(stream, values)


def _write_parquet(table: Any, stream: IO[bytes]) -> None:  # noqa: ANN401
    from pyarrow import parquet

    parquet.write_table(table, stream)


def _write_text(text: str, stream: IO[str]) -> None:
    stream.write(text)


_WRITERS: dict[str, Callable[[Any, Any], None]] = {
    _TEXT: _write_text,
    "latex": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "npy": _write_npy,
    "parquet": _write_parquet,
}
