"""``graphgame heap``: sequences of values of games on one heap, and proved periods.

``heap search`` finds the codes with a proved period, ``heap compare`` compares the values of two games, and ``heap
check`` checks certificates of periods. A game is given by a code, a name, the notation, or a Python file with rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import HelpEnd, Listing, examples
from graphgame.cli.progress import Meter, shown
from graphgame.compiled.engine import Engine, work_clock
from graphgame.errors import Message
from graphgame.text.languages import amount, render, translate
from graphgame.text.latex import bold
from graphgame.text.text import padded

if TYPE_CHECKING:
    import numpy as np

    from graphgame.labs.heaps import HeapGame, ObservedPeriod, PeriodCertificate
    from graphgame.labs.heaps.storage import HeapValues
    from graphgame.labs.heaps.study import Comparison

_A_LINE = 20
"""The number of values in a line of text."""

_VALUES_AT_A_TIME = 1000 * _A_LINE
"""The number of values that are converted to text at a time."""

_MOST_WORDS = 1 << 16
"""If all values are below this, they are converted to text by a table with the text of each number."""

_RATE_SECONDS = 5.0
"""A progress line shows the rate of about the last 5 seconds."""

_MOST_LISTED = 200
"""The maximum number of exceptions, and of values of a period, that are printed."""

_HEAPS = 100
"""The default largest heap whose value is printed."""

_HEAPS_FOR_A_PERIOD = 1_000_000
_HEAPS_OF_MANY_PARTS = 2000
"""The default largest heap for a period if moves leave three heaps or more: such values take much longer."""

_LARGEST_TABLE = 10_000
"""The maximum number of values in the LaTeX table of a period. For more, --period --latex fails."""

_HEAPS_TO_OBSERVE = 1000
"""The default largest heap for an observed period, if no theorem can prove periods."""

_SHOWN_COUNTS = 20
"""The number of entries that --stats prints of a longer list; of a list of heaps it prints the last heap as well."""

_WIDEST_PERIOD = 24
"""Each row of a LaTeX table has as many values as the period, if the period is from 2 up to this; otherwise ten."""


def game_of(text: str) -> HeapGame:
    """Return the one-heap game that a text names: a code, a name, the notation or ``FILE.py:NAME``.

    Raises
    ------
    ParseError, RulesetError
        The text names no one-heap game, or a code is wrong. Or the rules in the Python file define ``decided``, so that
        a move may end play at once: such rules are not supported.
    OSError
        The Python file cannot be read.
    """
    from graphgame.labs.heaps import HeapGame, game, rule

    if ".py" not in text:
        return game(text)
    from graphgame.errors import RulesetError
    from graphgame.rules.notation import own_rules

    own = own_rules(text, run_rules=True)
    if own is None:
        return game(text)
    if isinstance(own, HeapGame):
        own.name = text
        return own
    if own.decides:
        raise RulesetError(
            "graphgame heap cannot use {name}, because a move may end play at once; print the values with: graphgame "
            'values "{name}(1..20)"',
            text,
        )
    return rule(own.options, text)


def code_of_moves(game: HeapGame) -> tuple[HeapGame, str, dict[str, object]]:
    """Return the game to search for a period, a sentence about its code, and entries for JSON with the code.

    If the rules of ``game`` are a Python function, compare its moves with codes, up to heap 200 or less. If a code has
    the same moves, return the game of the code; the sentence and the entries name the code and the last heap compared.

    In every other case, return ``game`` itself. If the user named a game of several heaps or rows, ``game`` is the code
    of one of them, and the sentence and the entries name this code; otherwise they are empty.
    """
    from graphgame.labs.heaps import game as named
    from graphgame.labs.heaps.codes import Code, recognised
    from graphgame.labs.heaps.rules import ByFunction

    if isinstance(game, Code) and game.row_of:
        text = translate(
            "{game}: a single heap or row has the moves of the code {code}", game=game.name, code=game.code
        )
        return game, f"{text}\n", {"code": game.code}
    match = recognised(game) if isinstance(game.rules, ByFunction) and not isinstance(game, Code) else None
    if match is None:
        return game, "", {}
    code, last = match.code.code, match.last_heap
    text = translate(
        "{game}: its moves are those of {code} up to heap {heap}: compared, not proved for larger heaps",
        game=game.name,
        code=code,
        heap=last,
    )
    return named(code), f"{text}\n", {"code": code, "moves_compared_to": last}


class Counting(Meter):
    """A progress line: how many heaps are done, the rate, and the time left."""

    template = Message("heap {done} of {total}")

    def __init__(self) -> None:
        super().__init__()
        self._marks: list[tuple[float, int]] = []

    def __call__(self, done: int, total: int) -> None:
        """Show the progress after ``done`` of ``total`` heaps."""
        now = work_clock()
        if not self._marks or now - self._marks[-1][0] > 0.1:
            self._marks = [mark for mark in self._marks if now - mark[0] < _RATE_SECONDS or mark is self._marks[-1]]
            self._marks.append((now, done))
        count = translate(self.template, done=f"{done:,}", total=f"{total:,}")
        self.show(f"{count}{self._pace(now, done, total)}".ljust(58))

    def _pace(self, now: float, done: int, total: int) -> str:
        """Return a text with the rate of the last seconds and the time left at this rate; "" if the rate is unknown."""
        start, before = self._marks[0]
        if now - start < 0.2 or done <= before:
            return ""
        rate = (done - before) / (now - start)
        minutes, seconds = divmod(int((total - done) / rate), 60)
        left = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        return translate(", {rate}/s, {left} left", rate=f"{rate:,.{0 if rate >= 10 else 1}f}", left=left)


class CountingGames(Counting):
    """A progress line: how many games have been searched.

    Codes count as one game if their moves prove that they have the same values, apart from zeros at the start.
    """

    template = Message("game {done} of {total}")


def value_lines(values: HeapValues, first: int = 0) -> Iterator[str]:
    """Yield lines of text: the number of a heap and a colon, then the values of up to 20 heaps, from this heap on.

    ``values[0]`` is the value of heap ``first``.
    """
    largest = int(values.max())
    width = 1 + max(len(str(largest)), len(str(_A_LINE - 1)))
    side = len(str(first + len(values) - 1))
    text: Callable[[int], str] = f"{{:{width}}}".format
    if largest < _MOST_WORDS:
        text = [text(value) for value in range(largest + 1)].__getitem__
    for start in range(0, len(values), _VALUES_AT_A_TIME):
        block = values[start : start + _VALUES_AT_A_TIME].tolist()
        for index in range(0, len(block), _A_LINE):
            cells = "".join(map(text, block[index : index + _A_LINE]))
            yield f"{first + start + index:{side}}:{cells}\n"


def latex_of(values: Sequence[object], width: int = 10) -> str:
    """Return the values of the heaps 0, 1, ... as a LaTeX table.

    A row has the number of a heap, then the values of ``width`` heaps, from this heap on.
    """
    from graphgame.text.latex import latex_table

    rows = ([start, *values[start : start + width]] for start in range(0, len(values), width))
    return latex_table(["", *range(width)], rows, r"r@{\quad}" + "r" * width)


@contextmanager
def telling_of_results(path: str | None) -> Iterator[None]:
    """Return a context for work that saves its results in the file ``path``; None means that nothing is saved.

    If Ctrl-C interrupts the work and the file exists, tell the user that the same command continues from the file.
    """
    try:
        yield
    except KeyboardInterrupt:
        if path is not None and Path(path).exists():
            common.tell(Message("the results so far are saved in {path}: the same command continues from them", path))
        raise


_SEARCH_EXAMPLES = examples(
    ("graphgame heap search 0.dd -n 10000", ""),
    ("graphgame heap search 0.ddd -n 100000 --resume octal3.json -o octal3.csv", ""),
    ("graphgame heap search 4.dd -o periods.parquet", ""),
    ("graphgame heap search 0.d7d --only open", ""),
    ("graphgame heap search 0.d7d --certificates proofs && graphgame heap check proofs/*.json", ""),
)


@click.command("search", epilog=_SEARCH_EXAMPLES)
@click.argument("pattern")
@common.number_option(
    "-n", "--heaps", "heaps", least=0, help="The largest heap (default: 10,000; 1,000 if digits may be above 7)."
)
@common.number_option("--jobs", help="The number of threads (default: one for each core).")
@common.shared_options("resume")
@click.option(
    "--certificates",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write a certificate of each proved period to this folder, for heap check.",
)
@click.option(
    "--only",
    type=click.Choice(["solved", "open"]),
    help="Write only the rows with a proved period (solved), or only those without (open).",
)
@takes_output(default="csv", csv="the default", json="an array of the rows", latex="", parquet="")
@common.shared_options("engine")
def search_command(
    pattern: str,
    heaps: int | None,
    jobs: int | None,
    resume: str | None,
    certificates: str | None,
    only: str | None,
    out: OutputOptions,
    engine: Engine,
) -> None:
    """Look for a proved period of every code of PATTERN, such as 0.dd.

    In PATTERN, d stands for any digit 0-7 and x for any digit 0-9 or A-F. Codes share one row if their values are
    proved to be equal after the zeros at the start are left out. A row has no period if the heaps up to N prove none.
    """
    from graphgame.labs.heaps.search import COLUMNS, columnar, search
    from graphgame.text.latex import latex_table

    with telling_of_results(resume), shown(CountingGames) as progress:
        rows = search(
            pattern, heaps, jobs=jobs, resume=resume, certificates=certificates, engine=engine, progress=progress
        )
    for path in filter(None, (resume, certificates)):
        common.tell_of(path)
    records = [row.record() for row in rows if only is None or (row.period is None) == (only == "open")]
    flat = [record | {"same_as": " ".join(record["same_as"])} for record in records]
    header = [name.replace("_", " ") for name in COLUMNS]
    out.put(
        csv=lambda: [COLUMNS, *map(dict.values, flat)],
        json=lambda: records,
        latex=lambda: latex_table(header, [list(record.values()) for record in flat], "llrrrrr"),
        parquet=lambda: columnar(flat),
    )
    proved = sum(row.period is not None for row in rows)
    codes = sum(1 + len(row.same_as) for row in rows)
    counts = {"codes": amount(codes, "code"), "games": amount(len(rows), "different game"), "proved": f"{proved:,}"}
    click.echo(translate("{codes}, {games}, {proved} with a proved period", **counts), err=True)


_COMPARE_EXAMPLES = examples(
    ("graphgame heap compare 0.137 0.07", "Dawson's chess and Dawson's Kayles"),
    ("graphgame heap compare 0.161 0.36 -n 10000", ""),
)

_REASONS = {
    "moves": Message("proved for all heaps: a comparison of the moves shows that the values agree"),
    "": Message("observed up to heap {count}, not proved"),
    "periods": Message("proved for all heaps: both periods are proved, and the values agree on enough heaps"),
}


@click.command("compare", epilog=_COMPARE_EXAMPLES)
@click.argument("first", metavar="A", shell_complete=common.complete_game)
@click.argument("second", metavar="B", shell_complete=common.complete_game)
@common.number_option("-n", "--heaps", "heaps", least=0, default=1000, help="The largest heap.")
@common.number_option("--shift", least=0, default=8, help="The largest shift to try; at most N/4 is tried.")
@takes_output(json="")
@common.shared_options("engine")
def compare_command(first: str, second: str, out: OutputOptions, heaps: int, shift: int, engine: Engine) -> None:
    """Compare the values of the games A and B: where they first differ, and whether one is the other shifted."""
    from graphgame.labs.heaps.study import compare

    shift = min(shift, heaps // 4)
    comparison = compare(game_of(first), game_of(second), heaps, most_shift=shift, engine=engine)
    out.put(text=lambda: "\n".join([*_sentences(comparison, shift), ""]), json=lambda: vars(comparison))


def _sentences(comparison: Comparison, most_shift: int) -> list[str]:
    lines, games = [], {"first": comparison.first, "second": comparison.second}
    if comparison.first_difference is not None:
        heap = f"{comparison.first_difference:,}"
        lines.append(translate("{first} and {second} first differ at heap {count}", **games, count=heap))
    last = f"{comparison.last_heap:,}"
    if comparison.shift is None:
        tried = {"shift": most_shift, "count": last}
        return [*lines, translate("no shift by up to {shift} makes their values equal up to heap {count}", **tried)]
    shift = "" if comparison.shift == 0 else f" {'+-'[comparison.shift < 0]} {abs(comparison.shift)}"
    relation = translate("heap n of {first} has the same value as heap n{shift} of {second}", **games, shift=shift)
    return [*lines, relation, translate(_REASONS[comparison.proof or ""], count=last)]


_CHECK_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame heap 0.77 --period --certificate kayles.json", ""),
        ("graphgame heap check kayles.json", ""),
        ("graphgame heap check kayles.json --heap 1000000000000000000", ""),
        ("graphgame heap check proofs/*.json", ""),
    ),
    "Exit status: 0 if all certificates are right, otherwise 2.",
)


@click.command("check", epilog=_CHECK_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@common.number_option("--heap", "heaps", least=0, multiple=True, help="Print the value of this heap. Repeatable.")
@common.shared_options("engine")
def check_command(files: tuple[str, ...], heaps: tuple[int, ...], engine: Engine) -> None:
    """Check everything that certificates of periods state, by trying the moves of all heaps that the proofs need.

    If moves take finitely many amounts and leave at most two heaps, and all values are below 65,536, the check does not
    use the code that found the period. Otherwise the check computes the values again, by trying every move.
    """
    check_periods(files, heaps, engine)


def check_periods(files: Sequence[str], heaps: Sequence[int] = (), engine: Engine = "auto") -> None:
    """Print whether the certificate in each file is right. Exit with 2 if a certificate is wrong.

    For each right certificate, print also the values that its period gives to ``heaps``.
    """
    from graphgame.labs.heaps import PeriodCertificate, game
    from graphgame.labs.heaps.periods import period_phrase

    status = 0
    for file in files:
        certificate = PeriodCertificate.load(file)
        with shown(Counting) as progress:
            fault = game(certificate.game).fault(certificate, engine=engine, progress=progress)
        if fault is not None:
            click.echo(translate("wrong: {game}: {fault}", game=certificate.game, fault=render(fault)))
            status = 2
            continue
        click.echo(translate("right: {game} has {period}", game=certificate.game, period=period_phrase(certificate)))
        for heap in heaps:
            click.echo(translate("heap {heap}: {value}", heap=heap, value=certificate.value(heap)))
    if status:
        raise click.exceptions.Exit(status)


def check_period_file(file: str, named: str | None, max_positions: int) -> None:
    """Print whether one certificate of a period is right; exit with 2 if it is wrong. ``graphgame verify`` calls this.

    ``named`` and ``max_positions`` are ignored: the checks of other kinds of files need them.
    """
    check_periods([file])


_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame heap 0.77", "the values of Kayles"),
        ("graphgame heap 0.77 --period", "the period of Kayles, with the theorem that proves it"),
        ("graphgame heap 0.16 --period -n 600000 --certificate 0.16.json", ""),
        ("graphgame heap 0.6 -n 10000 --stats", "rare values, records, how often each value occurs"),
        ("graphgame heap 0.6 -n 100000 --plot officers.png", ""),
        ("graphgame heap 0.77 --period --plot kayles.svg --plot-period period.png", ""),
        ("graphgame heap grundy -n 1000000 -o grundy.npy", ""),
        ("graphgame heap 0.6 -n 10000000 --resume officers.values", ""),
        ('graphgame heap "take{1,3,4}" -n 50 --csv', ""),
        ('graphgame heap "4.[3]" --period', "split, or take any number: Lasker's Nim"),
        ('graphgame heap "take{not 2,3}" --period --json', ""),
        ("graphgame heap rules.py:MyGame --period", "rules of your own: which code has their moves"),
    ),
    Listing(
        "More commands, each with its own --help:",
        ("graphgame heap search 0.dd", "which codes have a proved period"),
        ("graphgame heap compare 0.137 0.07", "whether two games have the same values"),
        ("graphgame heap check 0.16.json", "whether a certificate of a period is right"),
    ),
)

_SPARSE = (
    Message("sparse space: a value v is rare if v & {mask} has an even number of ones"),
    Message(
        "sparse space: a value v is rare if v & {mask} has an even number of ones; at every second heap, it is rare if "
        "this number is odd"
    ),
)


@dataclass(frozen=True)
class _Asked:
    """Options of ``graphgame heap``: the largest heap, the files to write besides the result, and how to compute."""

    heaps: int | None
    resume: str | None
    engine: Engine
    certificate: str | None
    plot: str | None
    plot_period: str | None
    theme: str
    title: str | None

    @property
    def paths(self) -> list[str]:
        """The paths of the certificate and the plots that the command must write."""
        return [path for path in (self.certificate, self.plot, self.plot_period) if path]

    @contextmanager
    def counting(self, rules: HeapGame) -> Iterator[dict[str, Any]]:
        """Return a context that shows a progress line while methods of HeapGame compute values of ``rules``.

        It yields a dictionary with the keyword arguments ``engine`` and ``progress`` for these methods.
        """
        with telling_of_results(self.resume if rules.rules.reuses_values else None), shown(Counting) as progress:
            yield {"engine": self.engine, "progress": progress}


class OpenGroup(click.Group):
    """A command whose first argument may be the name of a subcommand, which then gets the rest of the arguments.

    If it names no subcommand, the arguments are parsed and completed as for a command without subcommands.
    Only the text at the end of the help (the epilog) names the subcommands.
    """

    # These are as in click.Command, because click.Group takes every first argument for the name of a subcommand.
    allow_interspersed_args = True
    collect_usage_pieces = click.Command.collect_usage_pieces
    format_options = click.Command.format_options
    parse_args = click.Command.parse_args
    shell_complete = click.Command.shell_complete

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands in the order in which they were added."""
        return list(self.commands)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Return the context of the subcommand that the first argument names, or of this command if it names none."""
        if args and args[0] in self.commands:
            subcommand = self.commands[args[0]]
            subcommand.context_class = self.context_class
            return subcommand.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    "heap",
    cls=OpenGroup,
    commands=[search_command, compare_command, check_command],
    invoke_without_command=True,
    epilog=_EXAMPLES,
)
@click.argument("code", metavar="CODE", shell_complete=common.complete_source)
@common.number_option("-n", "--heaps", "heaps", least=0, help="The largest heap.")
@click.option(
    "--period",
    is_flag=True,
    help="Look for a proved period in the heaps up to N (default: a million; 2,000 if moves leave three heaps or more; "
    "1,000 if no theorem applies). Without one, report a period that the values of these heaps show.",
)
@common.takes(
    _Asked,
    "asked",
    click.option(
        "--certificate",
        metavar="OUT",
        type=click.Path(),
        help="With --period: write the proved period as a certificate that can be checked.",
    ),
    click.option(
        "--plot",
        metavar="OUT",
        type=click.Path(),
        help="Draw the values: .png, .svg or .pdf. With --period, draw them only if a period is proved, and mark it.",
    ),
    click.option(
        "--plot-period",
        metavar="OUT",
        type=click.Path(),
        help="With --period: draw the values up to the end of the first period as a table: .png, .svg or .pdf.",
    ),
    common.shared_options("theme", "plot_title"),
)
@click.option("--stats", is_flag=True, help="Print figures: the largest value, P-heaps, records, the sparse space.")
@common.shared_options("resume")
@takes_output(
    csv="a line for each heap", json="the values, the figures or the period", latex="the values or the period", npy=""
)
@common.shared_options("engine")
def command(code: str, out: OutputOptions, period: bool, stats: bool, asked: _Asked) -> None:
    """Print the values of the heaps 0 to N (default: 100) of a game of taking and breaking.

    CODE is an octal code such as 0.77, or a code with digits up to V or with marks as in CGSuite, such as "4!.0" or
    "0.[3]". It may also be a name (officers, grundy, lasker, ...), a game of the notation such as "take{1,3,4}", or
    rules of your own whose positions are heaps: rules.py:MyGame. For such rules, --period also prints a code, if it
    finds one with the same moves for all heaps up to some size. OUT is a file, written whole or not at all. With --plot
    or --resume the values are not printed, unless you choose a form such as --csv.
    """
    from graphgame.io.files import refuse_unwritable
    from graphgame.labs.heaps import PeriodCertificate

    if period and (stats or out.form in ("csv", "npy")):
        raise UsageError("--period cannot be used with --stats, --csv or --npy: leave it out for values or statistics")
    if stats and out.form in ("csv", "npy", "latex"):
        raise UsageError("--stats prints figures as text or --json: leave out --csv, --npy and --latex")
    if not period and (asked.certificate or asked.plot_period):
        raise UsageError("--certificate and --plot-period need a period: add --period")
    if asked.certificate == "-" and not out.is_default:
        raise UsageError("'--certificate -' prints only the certificate: leave out --json, --latex and -o")
    for path in asked.paths:
        refuse_unwritable(path)
    rules = game_of(code)
    if period:
        rules, code_text, code_record = code_of_moves(rules)
        limit = _heaps_for_a_period(rules) if asked.heaps is None else asked.heaps
        result = _period(rules, limit, asked)
        if isinstance(result, PeriodCertificate):
            _write_pictures(rules, result, asked)
            if asked.certificate:
                result.save(asked.certificate)
                common.tell_of(asked.certificate)
        else:
            for path in asked.paths:
                common.tell(translate("{path} is not written: no period is proved", path=path))
        if asked.certificate != "-":
            out.put(
                text=lambda: "".join([code_text, *_period_text(rules, result, limit)]),
                json=lambda: {**_period_record(rules, result, limit), **code_record},
                latex=lambda: _period_latex(rules, result),
            )
        return
    values = _values(rules, _HEAPS if asked.heaps is None else asked.heaps, asked)
    if asked.plot:
        _plot(rules, values, None, asked)
    if stats:
        out.put(text=lambda: "".join(_stats_text(rules, values)), json=lambda: _stats_record(rules, values))
    elif not ((asked.plot or asked.resume) and out.is_default):
        out.put(
            text=lambda: "".join(value_lines(values)),
            csv=lambda: chain([("heap", "grundy")], enumerate(values[:].tolist())),
            json=lambda: {"game": rules.name, "values": values[:].tolist()},
            latex=lambda: latex_of(values[:].tolist()),
            npy=lambda: values[:],
        )


def _heaps_for_a_period(rules: HeapGame) -> int:
    if not rules.provable:
        return _HEAPS_TO_OBSERVE
    return _HEAPS_OF_MANY_PARTS if rules.rules.parts > 2 else _HEAPS_FOR_A_PERIOD


def _values(rules: HeapGame, last: int, asked: _Asked) -> HeapValues:
    from graphgame.labs.heaps.storage import resumed_values

    with asked.counting(rules) as how:
        if not asked.resume:
            return rules.packed_values(last, **how)
        counts: list[int] = []
        values = resumed_values(rules, last, asked.resume, saved=counts.append, **how)
        if counts:
            common.tell_of(asked.resume, translate("the values of the heaps 0 to {count}", count=f"{counts[-1] - 1:,}"))
        else:
            common.tell(Message("{file} already has these values", asked.resume))
        return values


def _period(rules: HeapGame, limit: int, asked: _Asked) -> PeriodCertificate | ObservedPeriod | None:
    """Return a proved period from the heaps up to ``limit``, otherwise an observed one, otherwise None."""
    import numpy as np

    from graphgame.labs.heaps.periods import growing_period
    from graphgame.labs.heaps.storage import resumed_values

    with asked.counting(rules) as how:
        if not (path := asked.resume):
            return rules.any_period(limit, **how)
        counts: list[int] = []

        def known(n: int) -> np.ndarray:
            return np.asarray(resumed_values(rules, n, path, saved=counts.append, **how))

        period = growing_period(rules.name, rules.rules, limit, known)
        if counts:
            common.tell_of(path)
        return period


def _write_pictures(rules: HeapGame, period: PeriodCertificate, asked: _Asked) -> None:
    """Draw the pictures that the user asked for.

    ``asked.plot`` is the path of a plot of the values, up to the last heap that the proof needs or up to
    ``asked.heaps``, if this is smaller. ``asked.plot_period`` is the path of a table of coloured cells, one for each
    heap up to the end of the first period.
    """
    if asked.plot:
        last = period.last_heap if asked.heaps is None else min(period.last_heap, asked.heaps)
        _plot(rules, _values(rules, last, replace(asked, resume=None)), period, asked)
    if asked.plot_period:
        from graphgame.labs.heaps.study import plot_period

        plot_period(period, asked.plot_period, theme=asked.theme, title=asked.title)
        common.tell_of(asked.plot_period)


def _plot(rules: HeapGame, values: HeapValues, period: PeriodCertificate | None, asked: _Asked) -> None:
    from graphgame.labs.heaps.study import plot_heaps, rare_heaps

    assert asked.plot
    rares = rare_heaps(rules, values)
    plot_heaps(rules.name, values[:], asked.plot, rares=rares, period=period, theme=asked.theme, title=asked.title)
    common.tell_of(asked.plot)


def _stats_record(rules: HeapGame, values: HeapValues) -> dict[str, object]:
    from graphgame.labs.heaps.study import histogram, p_heaps, records, statistics

    lists = {"histogram": histogram(values), "p_heaps": p_heaps(values), "records": records(values)}
    return statistics(rules, values).record() | {name: heaps.tolist() for name, heaps in lists.items()}


def _stats_text(rules: HeapGame, values: HeapValues) -> Iterator[str]:
    from graphgame.labs.heaps.study import histogram, p_heaps, records, statistics

    figures = statistics(rules, values)
    yield translate("{game}, heaps 0 to {count}", game=figures.game, count=f"{figures.last_heap:,}") + "\n\n"
    largest = translate(
        "largest value: {value}, first at heap {count}", value=figures.maximum, count=f"{figures.maximum_heap:,}"
    )
    yield f"{largest}{translate('; ')}{amount(figures.distinct, 'distinct value')}\n"
    yield translate("P-heaps (value 0): {heaps}", heaps=_listed(p_heaps(values))) + "\n"
    yield translate("records: {heaps}", heaps=_listed(records(values))) + "\n"
    if figures.space is not None:
        mask = translate(_SPARSE[bool(figures.space.step)], mask=f"{figures.space.mask:#b}")
        rares = translate("{heaps} of rare value", heaps=amount(figures.rares or 0, "heap"))
        if figures.last_rare is not None:
            rares = translate("{heaps}, the last at heap {count}", heaps=rares, count=f"{figures.last_rare:,}")
        yield f"{mask}{translate('; ')}{rares}\n"
    counts = histogram(values)
    often = sorted(range(len(counts)), key=lambda value: (-counts[value], value))[:_SHOWN_COUNTS]
    yield f"\n{padded(translate('value'), 8, 'r')} {padded(translate('heaps'), 12, 'r')}\n"
    yield from (f"{value:>8} {counts[value]:>12,}\n" for value in often if counts[value])
    if figures.distinct > _SHOWN_COUNTS:
        more = amount(figures.distinct - _SHOWN_COUNTS, "more value")
        yield f"     {translate('... ({more}; none occurs more often than those above)', more=more)}\n"


def _listed(heaps: np.ndarray[Any, Any]) -> str:
    """Return as a text the first 20 heaps of an array, the last heap if there are more, and the number of heaps."""
    first = ", ".join(map(str, islice(heaps.tolist(), _SHOWN_COUNTS)))
    more = f", ..., {heaps[-1]}" if len(heaps) > _SHOWN_COUNTS else ""
    return translate("{heaps} ({count})", heaps=first + more, count=amount(len(heaps), "heap"))


def _period_text(rules: HeapGame, period: PeriodCertificate | ObservedPeriod | None, limit: int) -> Iterator[str]:
    import numpy as np

    from graphgame.labs.heaps import PeriodCertificate
    from graphgame.labs.heaps.periods import period_phrase

    if not isinstance(period, PeriodCertificate):
        nothing = translate("no proved period")
        if rules.provable:
            reason = translate("the heaps up to {count} prove no period", count=f"{limit:,}")
        elif period:
            reason = translate("no theorem that graphgame knows proves a period")
        else:
            reason = translate(
                "no theorem that graphgame knows proves a period, and the heaps up to {count} show none",
                count=f"{limit:,}",
            )
        yield f"{rules.name}{translate(': ')}{nothing}{translate('; ')}{reason}\n"
        yield f"{render(str(period))}\n" if period else ""
        return
    yield translate("{game}: {period}, proved", game=rules.name, period=period_phrase(period)) + "\n\n"
    count = 0
    first: list[int] = []
    for block in period.exceptional_heaps():
        count += len(block)
        first += block[: _MOST_LISTED - len(first)].tolist()
    if count:
        listed = ", ".join(map(str, first))
        more = f", {_more(count - _MOST_LISTED)}" if count > _MOST_LISTED else ""
        yield translate("exceptions: {number}, the last at heap {heap}", number=count, heap=period.last_exception)
        yield f"\n  {listed}{more}\n"
    proof = translate("proof: the values of the heaps up to {heap}", heap=period.last_heap)
    yield f"{proof}\n  {render(period.theorem)}\n"
    yield translate("values of one period, from heap {heap}:", heap=period.preperiod) + "\n"
    yield from value_lines(np.array(period.values[period.preperiod :][:_MOST_LISTED]), period.preperiod)
    if period.period > _MOST_LISTED:
        yield f"  {_more(period.period - _MOST_LISTED)}\n"


def _more(count: int) -> str:
    return translate("... ({count} more)", count=count)


def _period_latex(rules: HeapGame, period: PeriodCertificate | ObservedPeriod | None) -> str:
    """Return LaTeX: a comment with the period and its proof, and a table of the values with exceptions in bold.

    Raise a Failure if no period is proved, or if there are more than 10,000 values.
    """
    from graphgame.labs.heaps import PeriodCertificate
    from graphgame.labs.heaps.periods import period_phrase

    if not isinstance(period, PeriodCertificate):
        raise Failure("{name}: no period is proved; --latex without --period gives the values", rules.name)
    count = len(period.values)
    if count > _LARGEST_TABLE:
        raise Failure(
            "{name}: {count:,} values are too many for a table: --certificate writes them to a file, with the proof",
            rules.name,
            count,
        )
    values: list[object] = list(period.values)
    for heap in chain.from_iterable(block.tolist() for block in period.exceptional_heaps()):
        values[heap] = bold(values[heap])
    comments = (
        f"{rules.name}: {render(period_phrase(period))}, proved by the heaps up to {period.last_heap}:",
        str(period.theorem),
    )
    width = [period.period] if 1 < period.period <= _WIDEST_PERIOD else []
    packages, table = latex_of(values, *width).split("\n", 1)
    return "\n".join([packages, *(f"% {line}" for line in comments), table])


def _period_record(rules: HeapGame, period: PeriodCertificate | ObservedPeriod | None, limit: int) -> dict[str, object]:
    from graphgame.labs.heaps import PeriodCertificate

    if isinstance(period, PeriodCertificate):
        return period.record()
    observed = {"observed": period.record()} if period else {}
    return {"game": rules.name, "period": None, "last_heap": limit, **observed}
