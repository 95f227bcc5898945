"""Parts that the commands share: the game of a command, options, and the output of results in several forms."""

from __future__ import annotations

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
from graphgame.compiled.engine import COMPILED_FROM, PRODUCT_LIMIT, QUICK_PRODUCT, Engine, has_numba
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


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the formats of graph files whose names begin with ``incomplete``, for completion in the shell."""
    from graphgame.io.formats import FORMATS

    return [CompletionItem(f.name, help=f.description) for f in FORMATS.values() if f.name.startswith(incomplete)]


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the games of the catalogue whose names begin with ``incomplete``, for completion in the shell."""
    from graphgame.rules.catalogue import CATALOGUE

    return [CompletionItem(name) for name in CATALOGUE if name.startswith(incomplete)]


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return completions of SOURCE: files, the subcommands if the command has any, and games of the catalogue."""
    subcommands = [CompletionItem(name) for name in getattr(ctx.command, "commands", ()) if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *subcommands, *complete_game(ctx, param, incomplete)]


def _bound_reading(ctx: click.Context, param: click.Parameter, size: str | None) -> None:
    """If ``--max-bytes`` is given, let the command fail when it reads a larger file."""
    if size is not None:
        from graphgame.io.source import parse_size, reading_at_most

        ctx.with_resource(reading_at_most(parse_size(size)))


class AnyInteger(click.types.IntParamType):
    """click's type of an integer, with its name in the current language."""

    name = property(lambda _: translate("integer"))


class Integer(AnyInteger, click.IntRange):
    """The type of an option that takes an integer within bounds."""


class Number(click.FloatRange):
    """The type of an option that takes a number within bounds."""

    name = property(lambda _: translate("number"))


NAMED_COLUMNS = "graphgame.columns"
"""The key of the context's ``meta`` that is set if ``--source`` or ``--target`` names a column."""


def _name_column(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """If the option is given, set the source or target column of every list of edges that the command reads."""
    if name is not None:
        from graphgame.io.source import reading_columns

        is_source = param.name == "source_column"
        ctx.with_resource(reading_columns(name if is_source else None, None if is_source else name))
        ctx.meta[NAMED_COLUMNS] = True


class _Seconds(Number):
    """The type of an option that takes a finite number of seconds above 0."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(Message("{value} is not a number of seconds.", value), param, ctx)
        return seconds


SECONDS = _Seconds(min=0, min_open=True)


def number_option(*names: str, least: int = 1, metavar: str = "N", **given: Any) -> Decorator:  # noqa: ANN401
    """Return an option that takes an integer of ``least`` or more; its help shows the default if there is one."""
    return click.option(*names, type=Integer(min=least), metavar=metavar, show_default="default" in given, **given)


def column_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--source`` and ``--target``, which choose the columns of a list of edges."""
    options = (
        click.option(
            f"--{end}",
            f"{end}_column",
            metavar="COLUMN",
            expose_value=False,
            callback=_name_column,
            help=f"In a table of moves: name or number (from 1) of the column that says where a move {verb}.",
        )
        for end, verb in (("source", "starts"), ("target", "ends"))
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
        help="The largest size of a file after decompression, such as 10GB.  "
        "[default: 32 MiB or 100 times the size of the file, whichever is more]",
    ),
    "tokens": click.option(
        "--tokens",
        multiple=True,
        metavar="POSITIONS",
        help="The positions of the tokens, one for each component of the sum, separated by commas or "
        "spaces; they replace the tokens of the file. Repeat the option for each position that "
        "contains a comma or a space.",
    ),
    "theme": click.option(
        "--theme",
        type=click.Choice(["light", "dark", "print"]),
        default="light",
        help="Colours for a light or a dark background, or black, white and grey for print (default: light).",
    ),
    "plot_title": click.option(
        "--title", metavar="TEXT", help="Title of the plot; with an empty text the plot has no title."
    ),
    "misere": click.option("--misere", is_flag=True, help="Misère play: a player who cannot move wins."),
    "loopy": click.option("--loopy", is_flag=True, help="Allow cycles: give finite and infinite values, and draws."),
    "engine": click.option(
        "--engine",
        type=click.Choice(["auto", "plain", "compiled"]),
        default="auto",
        show_default=True,
        help="Solve with plain Python or with compiled loops; auto compiles the loops for large games.",
    ),
    "product_limit": number_option(
        "--product-limit",
        help="Misère play and the length of a game need the graph of a sum: make it only if it has at most this many "
        f"positions (default: {PRODUCT_LIMIT:,}; in solve, {QUICK_PRODUCT:,} if only the length needs it).",
    ),
    "max_positions": number_option(
        "--max-positions", default=MAX_POSITIONS, help="Stop if a game given by rules has more positions than this."
    ),
    "timeout": click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Stop after this many seconds."),
    "resume": click.option(
        "--resume",
        metavar="FILE",
        type=click.Path(),
        help="Save the results in this file, also if the command is stopped, and continue from the results "
        "that it holds.",
    ),
    "max_forms": number_option(
        "--max-forms",
        help="Stop if there are more misère canonical forms and sums of forms than this (default: 500,000).",
    ),
    "product": click.option(
        "--product",
        is_flag=True,
        help="Use the graph of the whole sum, in which each vertex has a position of every component.",
    ),
}


def with_options(*options: Decorator) -> Decorator:
    """Return a decorator that adds options to a command; its help lists them in this order."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


def shared_options(*names: str) -> Decorator:
    """Return a decorator that adds options of ``_OPTIONS``, which several commands have, by their names."""
    return with_options(*(_OPTIONS[name] for name in names))


def takes(kind: type, name: str, *options: Decorator) -> Decorator:
    """Return a decorator that adds ``options`` to a command, and passes it a dataclass in the argument ``name``.

    ``kind`` is the dataclass. A field gets the value of the command's option of the same name. If there is no such
    option, it keeps its default.
    """

    def decorator(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def decorated(**values: Any) -> None:  # noqa: ANN401
            own = {field.name: values.pop(field.name) for field in fields(kind) if field.name in values}
            command(**{name: kind(**own)}, **values)

        return with_options(*options)(decorated)

    return decorator


def has_ranges(source: str) -> bool:
    """Tell whether SOURCE has a range in place of a number, such as ``0..50``; False without the lab ``tables``."""
    return "ranges in a text" in offers("job") and bool(registered("ranges in a text")(source))


def takes_disk(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--workdir`` and the other options for work on disk, if the lab for such work is installed."""
    lab = offers("options").get("work on disk")
    return command if lab is None else lab.load()(command)


def tell(message: str) -> None:
    """Print a message on standard error."""
    click.echo(f"graphgame: {printable(render(message), length=0)}", err=True)


def tell_of(path: str, content: str = "") -> None:
    """Print on standard error that a file was written, and a text about its content. Do nothing for the path -."""
    if path != "-":
        tell(Message("wrote {file}: {content}", path, content) if content else Message("wrote {file}", path))


def position_of(source: str, format: str | None = None, max_positions: int = MAX_POSITIONS) -> Position | None:
    """Return the position that a source names in the notation; None for a graph file, standard input or other text.

    Raise a UsageError for a position with a ``format`` other than None. ``max_positions`` is the limit on its graph.
    """
    from graphgame.io.files import is_there

    # Look for a file first: loading the notation and its catalogue of games takes as long as solving a small file.
    if source == "-" or (is_there(source) and not source.endswith(".py")):
        return None
    from graphgame.rules.notation import is_notation, parse_position

    if not is_notation(source):
        return None
    if format is not None:
        raise UsageError("{source} is not a graph file: leave out --format", printable(source))
    return parse_position(source, max_positions=max_positions, run_rules=True)


def refuse_rules_of_file(game: str, file: str, command: str) -> None:
    """Raise a Failure if ``game``, the text of a game in a file, has rules in Python.

    graphgame runs such rules only if the user names them on the command line. The message proposes the line ``command``
    with the game and the file in place of ``{game}`` and ``{file}``.
    """
    if ".py:" in game:
        raise Failure(
            "{file} names rules in Python, which graphgame runs only if you name them on the command line: {command}",
            file,
            command.format(game=repr(printable(game, length=0)), file=file),
        )


def load(
    source: str, format: str | None = None, max_positions: int = MAX_POSITIONS, *, texts: bool = True
) -> GameGraph:
    """Return the graph of a source, a file or a position in the notation; show progress if this takes long.

    The vertices of a position's graph are texts, or positions if not ``texts``. Raise a LimitError if they are more
    than ``max_positions``. This does not limit the graph of a file.
    """
    position = position_of(source, format, max_positions)
    if position is not None:
        with shown(Exploring) as exploring:
            return position.graph(exploring, texts=texts)
    from graphgame.io import read_game
    from graphgame.io.files import is_there

    with shown(Reading) as reading:
        if source == "-" or is_there(source):
            return read_game(source, format, progress=reading)
        from graphgame.rules.sources import read_named  # not above: it imports more modules than reading a file needs

        return read_named(source, format, progress=reading)


@contextmanager
def limits_named(**others: str) -> Iterator[None]:
    """Turn a LimitError into a Failure that names the option for this limit, if the command has such an option.

    The option for the limit ``a_b`` is ``--a-b``, or with the keyword argument ``a_b="c"`` it is ``--c``.
    """
    try:
        yield
    except LimitError as error:
        option = others.get(error.limit or "", error.limit or "").replace("_", "-")
        if not any(f"--{option}" in parameter.opts for parameter in click.get_current_context().command.params):
            raise
        raise Failure("{error}; --{option} allows more", error, option) from error


def find_tokens(graph: Numbered, texts: Iterable[str], source: Position | None = None) -> list[Hashable]:
    """Return the vertices that texts name; each text names one vertex, or several separated by commas or spaces.

    If ``graph`` is that of ``source``, the rules also read texts. Raise an UnknownPositionError for an unknown name.
    """
    from graphgame.text.named_vertices import find_vertex, named_vertex

    tokens: list[Hashable] = []
    for text in texts:
        number = find_vertex(graph, text, source)
        if number is None:
            tokens += [named_vertex(graph, part, source) for part in listed(text)]
        else:
            tokens.append(graph.labels[number])
    return tokens


def listed(text: str) -> list[str]:
    """Split a text at commas and spaces outside brackets; raise a TokenError if there are no parts."""
    from graphgame.rules.notation import split_outside

    parts = [part for part, _ in split_outside(r"[,\s]+", text, "()[]{}") if part]
    if not parts:
        raise TokenError("no position in {text!r}: expected positions separated by commas or spaces", text)
    return parts


_OF_WHOLE_GRAPHS = ("solve", "explain", "draw", "play", "values", "stats", "certificate")
"""Commands that solve a whole graph. If it is too large, :func:`takes_game` proposes a command that does not."""


@dataclass
class Game:
    """The game of a command: its SOURCE, and the options of the command line that change or solve it."""

    source: str
    format_: str | None = None
    tokens: tuple[str, ...] = ()
    misere: bool = False
    loopy: bool = False
    engine: Engine = "auto"
    max_positions: int = MAX_POSITIONS
    product: bool = False
    product_limit: int | None = None

    @cached_property
    def position(self) -> Position | None:
        """The position that the source names in the notation, whatever ``--tokens`` says; None for a graph file."""
        position = position_of(self.source, self.format_, self.max_positions)
        return None if position is None else position.under(self.misere)

    @cached_property
    def graph(self) -> GameGraph:
        """The graph; with ``--product`` that of the tokens' sum. The vertices of a position's graph are texts."""
        return self._loaded(texts=True)

    def solution(self, most: int = PRODUCT_LIMIT, *, texts: bool = True) -> Solution:
        """Return the solution of the graph. A sum is played out only if it has at most ``most`` positions.

        ``--product-limit`` replaces ``most``. ``texts`` is passed to :func:`load`; for a large graph texts take long.
        """
        return self._solved(self.graph if texts else self._loaded(texts=False), most)

    @property
    def asked(self) -> Position | None:
        """The position of SOURCE and ``--tokens``; None for a graph file, ``--loopy``, or a token on a sum vertex."""
        return None if self.loopy else self._named

    @cached_property
    def _named(self) -> Position | None:
        """The position of SOURCE and ``--tokens``; None for a graph file, or if a token is on a sum vertex."""
        if self.position is None or not self.tokens:
            return self.position
        from graphgame.text.named_vertices import named_component

        parts = [named_component(text, self.position) for text in self.graph.tokens or ()]
        return None if None in parts else self.position.sum_of(part for part in parts if part is not None)

    def quick_solution(self, most: int = PRODUCT_LIMIT, *, texts: bool = True) -> Solution | None:
        """Return what :meth:`solution` returns; None if theorems or tables answer and the graph is large or loopy.

        A graph above the limits of :meth:`Position.small` is large, except with ``--tokens``. If theorems or tables
        answer, ``most`` is lowered to ``QUICK_PRODUCT``.
        """
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
    def outcome_by_theorem(self) -> str | None:
        """``P`` or ``N`` if :attr:`asked` is a position whose outcome theorems give; otherwise None."""
        return None if self.asked is None else self.asked.theorem.outcome

    def as_position(self) -> Position:
        """Return the position that the source and ``--tokens`` name; for a graph, the sum of its tokens.

        Raise a TokenError if the graph has no tokens.
        """
        if self._named is not None:
            return self._named
        from graphgame.rules.sources import as_position

        if not self.graph.tokens:
            first, is_input = printable(next(iter(self.graph), "a")), self.source == "-"
            name = Message("standard input") if is_input else self.source
            example = f"--tokens {first}" if is_input else f"{name}@{first}"
            raise TokenError("{source} has no tokens to play with: name a position, as in {example}", name, example)
        return as_position(self.graph, self.source).under(self.misere)

    def _loaded(self, *, texts: bool) -> GameGraph:
        """Return the graph with the tokens of ``--tokens`` or the source; with ``--product`` the graph of their sum."""
        from graphgame.graph.gamegraph import GameGraph

        graph = load(self.source, self.format_, self.max_positions, texts=texts)
        if self.tokens:
            graph = GameGraph(graph, tokens=find_tokens(graph, self.tokens, self.position))
        if not self.product:
            return graph
        from graphgame.rules.component_graphs import with_texts
        from graphgame.rules.ruleset import sum_text
        from graphgame.solution.sums import product

        whole = with_texts(product(graph, limit=self.product_limit or PRODUCT_LIMIT), sum_text)
        return GameGraph(whole, format=graph.graph.get("format"))

    def _solved(self, graph: GameGraph, most: int) -> Solution:
        from graphgame.solution.solve import solve

        size = len(graph) + graph.number_of_edges()
        if self.engine == "auto" and size >= COMPILED_FROM and not has_numba():
            tell(Message("this game is large; compiled loops solve it faster: {command}", install_command("fast")))
        limit = self.product_limit or most
        try:
            return solve(graph, misere=self.misere, engine=self.engine, product_limit=limit, loopy=self.loopy)
        except (errors.CycleError, TokenError, errors.UnknownPositionError) as error:
            raise Failure(
                "{source}: {error}", Message("standard input") if self.source == "-" else self.source, error
            ) from error


def takes_game(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command so that it gets the options of :class:`Game` as one argument ``game``.

    If the game is too large, the error names the option that raises the limit. If SOURCE is a position, the error of
    commands in ``_OF_WHOLE_GRAPHS`` also proposes a command that needs no whole graph, and a smaller position.
    """

    @wraps(command)
    def advised(*, game: Game, **others: Any) -> None:  # noqa: ANN401
        try:
            command(game=game, **others)
        except LimitError as error:
            running, position = click.get_current_context().info_name, None
            if running in _OF_WHOLE_GRAPHS and not error.play and not game.tokens and game.source is not None:
                with suppress(errors.GraphGameError):
                    position = game.position
            if position is None:
                raise
            raise LimitError(joined([error.message, *advice(position)]), limit=error.limit) from error

    return takes(Game, "game")(limits_named()(advised))


_TEXT = "text"
_SUFFIXES = {".csv": "csv", ".json": "json", ".tex": "latex", ".npy": "npy", ".parquet": "parquet", ".txt": _TEXT}
_PICTURES = (".svg", ".png", ".pdf")
_HELP = {
    "csv": "Print CSV",
    "json": "Print JSON",
    "latex": "Print LaTeX, for the package {package}",
    "npy": "Write an array of NumPy",
    "parquet": "Write Parquet",
}


@dataclass
class OutputOptions:
    """The options for the output of a result: the file of ``-o``, and a flag for each form, such as ``--json``.

    ``forms`` are the forms that have flags; ``default`` is the form without a flag, on standard output.
    """

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
        """The form that a flag or, without a flag, the file's suffix names; the default for standard output.

        Raise a UsageError for two flags, a flag that contradicts the suffix, or an unknown suffix without a flag.
        """
        flags = [form for form in self.forms if getattr(self, f"as_{form}")]
        if len(flags) > 1:
            raise UsageError("choose one of {flags}", both(f"--{form}" for form in flags))
        by_suffix = None if self.output == "-" else _SUFFIXES.get(plain_suffix(self.output))
        if flags and by_suffix not in (None, *flags):
            raise UsageError("--{form} and the name {output} disagree: leave out one of them", flags[0], self.output)
        if flags or self.output == "-":
            return flags[0] if flags else self.default
        if by_suffix not in (*self.forms, self.default):
            known = ", ".join(suffix for suffix, form in _SUFFIXES.items() if form in (*self.forms, self.default))
            has_plot = any(option.name == "plot" for option in click.get_current_context().command.params)
            if self.output.endswith(_PICTURES) and has_plot:
                raise UsageError(
                    "{output} is the name of a picture: use --plot for a picture, or a name that ends in {known}",
                    self.output,
                    known,
                )
            raise UsageError("cannot tell the format from the name {output}: expected {known}", self.output, known)
        return by_suffix

    @property
    def as_text(self) -> bool:
        """Whether the result is text for people."""
        return self.form == _TEXT

    @property
    def is_default(self) -> bool:
        """Whether the result goes to standard output in the form ``default``."""
        return self.form == self.default and self.output == "-"

    def check(self) -> None:
        """Raise an error, before long work, if the options contradict each other or the file cannot be written."""
        if self.form and self.output != "-":
            from graphgame.io.files import refuse_unwritable

            refuse_unwritable(self.output)

    def put(self, **makers: Callable[[], Any]) -> None:
        """Write the result of the function that ``makers`` has for the chosen form."""
        self.write(makers[self.form]())

    def write(self, result: Any) -> None:  # noqa: ANN401
        """Write a result in the chosen form.

        It is a text (also for LaTeX), rows for CSV, an object for JSON, an array for NumPy, or a pyarrow Table.
        """
        if self.as_text and self.output == "-":
            click.echo(result, nl=False)
            return
        from graphgame.io.files import open_atomic

        with open_atomic(self.output, "wb" if self.form in ("npy", "parquet") else "w") as stream:
            _write(result, self.form, stream)
        tell_of(self.output)


def takes_output(default: str = _TEXT, package: str = "booktabs", **helps: str) -> Decorator:
    """Return a decorator that adds ``-o`` and a flag for each form, and passes them as one argument ``out``.

    Each keyword of ``helps`` is a form that gets a flag, such as ``json``; its value, if any, ends the flag's help.
    ``default`` is the form on standard output without a flag. ``package`` is a LaTeX package that the output needs.
    """
    texts = {form: _HELP[form].format(package=package) + (detail and f": {detail}") for form, detail in helps.items()}
    flags = (click.option(f"--{form}", f"as_{form}", is_flag=True, help=f"{text}.") for form, text in texts.items())
    *suffixes, last = (suffix for suffix, form in _SUFFIXES.items() if form in (*helps, default))
    output = click.option(
        "-o",
        "--output",
        metavar="OUT",
        type=click.Path(allow_dash=True),
        default="-",
        help=f"Write the result to a file: {', '.join(suffixes)} or {last}.",
    )

    def decorator(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def checked(out: OutputOptions, **given: Any) -> None:  # noqa: ANN401
            out.forms, out.default = tuple(helps), default
            out.check()
            command(out=out, **given)

        return takes(OutputOptions, "out", *flags, output)(checked)

    return decorator


def _write(result: Any, form: str, stream: IO[Any]) -> None:  # noqa: ANN401
    """Write a result in a form: see :meth:`OutputOptions.write`."""
    if form == "json":
        import json

        stream.write(json.dumps(result, default=str) + "\n")
    elif form == "csv":
        import csv

        csv.writer(stream, lineterminator="\n").writerows(result)
    elif form == "npy":
        import numpy as np

        np.save(stream, result)
    elif form == "parquet":
        from pyarrow import parquet

        parquet.write_table(result, stream)
    else:
        stream.write(result)
