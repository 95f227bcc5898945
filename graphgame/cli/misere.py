"""``graphgame misere``: genera, canonical forms and quotients under misère play."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.errors import Failure
from graphgame.cli.progress import Meter, shown
from graphgame.errors import OptionError
from graphgame.explanation.text import plural, printable, table

if TYPE_CHECKING:
    from graphgame.graph import GameGraph
    from graphgame.heaps import HeapGame
    from graphgame.theory.misere import GenusTable, MisereQuotient

__all__ = ["command"]

_HEAPS = 20
_A_LINE = 10
_LARGEST_TABLE = 24
_SHOWN_FORM = 38
_WRITTEN_FORM = 1000
_CODE = re.compile(r"\s*(\d?|\S*[!?=*}])\.[\w!?=*{},+\[\]]+\s*")

_EXAMPLES = """\b
Examples:
  graphgame misere 0.77                         # the genus of the heaps 0 to 20
  graphgame misere kayles --heaps 12 --canonical
  graphgame misere "notakto(1)" --csv           # of all positions that can come up
  graphgame misere 0.123 --heaps 80 --quotient
  graphgame misere 0.123 --heaps 80 --outcome 3,3,9,70
  graphgame misere "notakto(1)" --quotient --json
  graphgame misere 0.07 --heaps 40 --quotient --time 60 --save dawson.json
  graphgame misere 0.07 --heaps 40 --quotient --resume dawson.json --save dawson.json
  graphgame misere 0.07 --check dawson.json
"""


class _Placing(Meter):
    """How many positions have their element."""

    def __call__(self, done: int, order: int) -> None:
        """Tell of a long search."""
        self.show(f"{done:,} positions, order {order:,}")


@click.command("misere", epilog=_EXAMPLES, short_help="Genera, canonical forms and quotients under misère play.")
@common.source_argument
@click.option("--heaps", type=click.IntRange(min=0), metavar="N", help="SOURCE is a heap game: its heaps 0 to N.")
@click.option("--canonical", is_flag=True, help="Show the misère canonical forms and their birthdays too.")
@click.option("--quotient", is_flag=True, help="Find the misère quotient in place of the genera.")
@click.option(
    "--outcome",
    multiple=True,
    metavar="POSITIONS",
    help="Say who wins a sum of positions, separated by commas or spaces, by the quotient. Repeatable, as --tokens.",
)
@click.option(
    "--check",
    metavar="FILE",
    help="Check a saved quotient against the rules, by code of its own, and prove its period.",
)
@click.option("--save", metavar="OUT", help="Write the quotient, complete or not, as JSON.")
@click.option("--resume", metavar="FILE", help="Go on from a saved quotient, which is checked first.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: a line for each position.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--time", "seconds", type=common.SECONDS, metavar="S", help="Most seconds.")
@click.option("--max-order", type=click.IntRange(min=1), metavar="N", help="Most elements (default: 500).")
@common.shared_options("max_forms")
@click.option(
    "--max-outcomes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Most outcomes of sums kept in memory (default: 2,000,000).",
)
@common.shared_options("max_positions", "format", "max_bytes")
def command(
    source: str,
    heaps: int | None,
    canonical: bool,
    quotient: bool,
    outcome: tuple[str, ...],
    check: str | None,
    save: str | None,
    resume: str | None,
    as_csv: bool,
    as_json: bool,
    seconds: float | None,
    max_order: int | None,
    max_forms: int | None,
    max_outcomes: int | None,
    max_positions: int,
    format_: str | None,
) -> None:
    """Print the genus of every position of SOURCE under misère play, where whoever cannot move wins.

    SOURCE is a graph file, a position in the notation, or a heap game: a code such as 0.77, or with --heaps any name
    that graphgame heap takes. A genus such as 4^146 is the normal value with the misère values of the position alone,
    with one heap of two, with two, ...; the last two values repeat. A heap of Nim is shown by its size alone, and tame
    and restive positions with one misère value. Tame is meant as in Winning Ways: options that are not may be there,
    if one can go back from each to tame positions; --json says which are hereditarily tame.

    The misère quotient is the least commutative monoid that tells the outcome of every sum of positions. It is printed
    only as far as it is proved. A search that a limit or Ctrl-C ends says so, and goes on from the file it saved.
    """
    if as_csv and as_json:
        raise click.UsageError("choose one of --csv and --json")
    form = "csv" if as_csv else "json" if as_json else None
    with common.limits_named():
        read = _Source(source, heaps, format_, max_positions)
        if check is not None:
            _check(read, check)
        elif quotient or outcome or save or resume:
            if canonical:
                raise click.UsageError("--canonical is about genera: leave out --quotient, --outcome, --save, --resume")
            limits = _given(seconds=seconds, max_order=max_order, max_outcomes=max_outcomes)
            _quotient(read, outcome, save, resume, form, limits)
        else:
            _genera(read, canonical, form, _given(max_forms=max_forms))


def _given(**options: Any) -> dict[str, Any]:  # noqa: ANN401
    return {name: value for name, value in options.items() if value is not None}


class _Source:
    """What SOURCE means: a heap game with so many heaps, or a graph."""

    def __init__(self, source: str, heaps: int | None, form: str | None, max_positions: int) -> None:
        from graphgame.heaps import NAMED, game

        self.name = source
        self.game: HeapGame | None = None
        self._given, self._form, self._max_positions = heaps, form, max_positions
        is_code = _CODE.fullmatch(source) is not None and not Path(source).exists()
        if heaps is not None or is_code or source in NAMED:
            if form is not None:
                raise click.UsageError(f"{printable(source)} is a heap game, no graph file: leave out --format")
            self.game = game(source)

    @property
    def heaps(self) -> int:
        """The largest heap."""
        return _HEAPS if self._given is None else self._given

    def graph(self) -> GameGraph:
        """Return the graph."""
        if self.game is None:
            return self._loaded
        from graphgame.theory.misere import heap_graph

        return heap_graph(self.game, self.heaps, max_positions=self._max_positions)

    @cached_property
    def _loaded(self) -> GameGraph:
        return common.load(self.name, self._form, self._max_positions)

    def quotient(self, **options: Any) -> MisereQuotient:  # noqa: ANN401
        """Find the quotient."""
        from graphgame.theory.misere import heap_quotient, misere_quotient

        with shown(_Placing) as progress:
            if self.game is not None:
                return heap_quotient(
                    self.game, self.heaps, max_positions=self._max_positions, progress=progress, **options
                )
            return misere_quotient(self.graph(), name=self.name, progress=progress, **options)

    def prove(self, quotient: MisereQuotient) -> None:
        """Prove a quotient, and the period of a heap game's; raise OptionError where it does not hold."""
        from graphgame.theory.misere import find_fault, prove_period

        if self.game is not None:
            prove_period(quotient, self.game, max_positions=self._max_positions)
        elif (fault := find_fault(quotient, self.graph())) is not None:
            raise OptionError(fault)


def _genera(source: _Source, canonical: bool, form: str | None, limits: dict[str, int]) -> None:
    from graphgame.theory.misere import genus_table

    found = genus_table(source.graph(), **limits)
    if form == "json":
        _print_json(_genus_record(source, found, canonical))
        return
    longest = _SHOWN_FORM if form is None else _WRITTEN_FORM
    rows = (_genus_row(found, position, canonical, longest) for position in found)
    if form == "csv":
        _print_csv(rows)
    else:
        header = ["position", "genus", "misere", "outcome", "kind", *(["birthday", "form"] if canonical else [])]
        side = "l" if source.game is None else "r"
        _print_lines(table(header, [list(row.values()) for row in rows], f"{side}lrllrl"))


def _genus_row(found: GenusTable, position: Hashable, canonical: bool, longest: int) -> dict[str, Any]:
    genus, number = found[position], found.form[position]
    row = {
        "position": position,
        "genus": str(genus),
        "misere": genus.misere_value,
        "outcome": genus.misere_outcome,
        "kind": genus.kind,
    }
    if canonical:
        row |= {"birthday": found.forms.birthday[number], "form": found.forms.text(number, longest)}
    return row


def _genus_record(source: _Source, found: GenusTable, canonical: bool) -> dict[str, Any]:
    """Return the object of JSON; with canonical forms the options of each form, by their numbers."""
    positions = []
    for position, genus in found.items():
        row = _genus_row(found, position, canonical, _WRITTEN_FORM)
        row |= {"grundy": genus.base, "superscript": genus.superscript, "is_nim_heap": genus.is_nim_heap}
        row["hereditarily_tame"] = genus.hereditarily_tame
        row["position"] = position if isinstance(position, int) else str(position)
        positions.append(row | ({"form_number": found.form[position]} if canonical else {}))
    forms = {"forms": [sorted(options) for options in found.forms.options]} if canonical else {}
    return {"game": source.name, "positions": positions, **forms}


def _check(source: _Source, file: str) -> None:
    from graphgame.theory.misere import read_quotient

    found = read_quotient(file)
    try:
        source.prove(found)
    except OptionError as error:
        raise Failure(f"{file}: not proved: {error}") from error
    click.echo(f"proved: order {found.order}, {plural(len(found.labels), 'position')}")
    if source.game is not None:
        click.echo(_period_text(found) or "no period of the pretending function follows from these heaps")


def _quotient(
    source: _Source,
    outcome: tuple[str, ...],
    save: str | None,
    resume: str | None,
    form: str | None,
    limits: dict[str, Any],
) -> None:
    from graphgame.io.files import refuse_unwritable
    from graphgame.theory.misere import quotient_record, read_quotient, write_quotient

    def keep(proved: MisereQuotient) -> None:
        if save is not None:
            write_quotient(proved, save)
            common.tell(_kept(proved, source.game is not None, save))

    earlier = None if resume is None else read_quotient(resume)
    if save is not None:
        refuse_unwritable(save)
    found = source.quotient(resume=earlier, interrupted=keep, **limits)
    if save is not None:
        write_quotient(found, save)
    if not found.complete:
        common.tell(_partial(found, source.game is not None))
    if outcome:
        _print_outcome(found, source, outcome)
    elif form == "json":
        _print_json(quotient_record(found))
    elif form == "csv":
        _print_csv(
            {"position": label, "element": found.names[element], "outcome": "P" if found.lost[element] else "N"}
            for label, element in zip(found.labels, found.images, strict=True)
        )
    elif save != "-":
        _print_lines(_quotient_text(found, source.game is not None))


def _partial(found: MisereQuotient, are_heaps: bool) -> str:
    return (
        f"{found.stopped}: the quotient is proved only {_extent(found, are_heaps)}; more is allowed by --time, "
        "--max-order, --max-outcomes, and --resume goes on from a file of --save"
    )


def _kept(found: MisereQuotient, are_heaps: bool, file: str) -> str:
    goes_on = "" if file == "-" else f": --resume {file} goes on from there"
    return f"the quotient is kept as it is proved {_extent(found, are_heaps)}{goes_on}"


def _extent(found: MisereQuotient, are_heaps: bool) -> str:
    """Return for which positions the quotient is proved."""
    done = len(found.labels)
    if are_heaps:
        return f"up to heap {done - 1}" if done else "for no heap"
    return f"for {plural(done, 'position')}" if found.complete else f"for {done:,} of {found.asked:,} positions"


def _print_outcome(found: MisereQuotient, source: _Source, texts: tuple[str, ...]) -> None:
    if source.game is None:
        positions = common.find_tokens(source.graph(), texts)
    else:
        parts = [part for text in texts for part in re.split(r"[,\s]+", text) if part]
        if not all(part.isdecimal() and part.isascii() and len(part) < 1000 for part in parts):
            raise click.UsageError("--outcome: expected heaps as numbers between commas, such as 3,3,9")
        positions = list(map(int, parts))
    winner = {"P": "second player wins", "N": "first player wins"}[found.outcome(*positions)]
    click.echo(f"{winner} (element {found.names[found.element(*positions)]})")


def _quotient_text(found: MisereQuotient, are_heaps: bool) -> Iterator[str]:
    size = f"order {found.order}, {len(found.p_portion)} P"
    yield f"{printable(found.game)}: misère quotient of {size}, proved {_extent(found, are_heaps)}"
    if period := _period_text(found):
        yield period
    yield ""
    yield "generators"
    yield from (f"  {letter} = {printable(label)}" for letter, label in found.letters.items())
    yield "relations"
    yield from (f"  {longer} = {shorter}" for longer, shorter in found.relations)
    yield "P-portion"
    yield f"  {', '.join(found.names[element] for element in found.p_portion)}"
    yield "pretending function"
    names = [found.names[element] for element in found.images]
    if are_heaps:
        yield from table(
            ["", *map(str, range(_A_LINE))],
            [[start, *_filled(names[start : start + _A_LINE])] for start in range(0, len(names), _A_LINE)],
            "r" * (_A_LINE + 1),
        )
    else:
        yield from table(["position", "element"], list(zip(found.labels, names, strict=True)), "ll")
    if found.order <= _LARGEST_TABLE:
        yield "products"
        rows = [[found.names[x], *(found.names[product] for product in row)] for x, row in enumerate(found.table)]
        yield from table(["", *found.names], rows, "r" * (found.order + 1))


def _period_text(found: MisereQuotient) -> str:
    if found.period is None:
        return ""
    return f"period {found.period.period} from heap {found.period.preperiod} on, proved: so for all heaps"


def _filled(cells: list[str]) -> list[str]:
    return cells + [" "] * (_A_LINE - len(cells))


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _print_json(record: dict[str, object]) -> None:
    import json

    click.echo(json.dumps(record))


def _print_csv(rows: Iterable[dict[str, Any]]) -> None:
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for number, row in enumerate(rows):
        if number == 0:
            writer.writerow(row)
        writer.writerow(row.values())
    click.echo(stream.getvalue(), nl=False)
