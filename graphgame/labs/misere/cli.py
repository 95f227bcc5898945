"""``graphgame misere``: genera, canonical forms and quotients under misère play."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import HelpEnd, Listing, examples
from graphgame.cli.progress import Meter, shown
from graphgame.errors import GraphGameError, Message, ParameterError
from graphgame.labs.heaps.cli import OpenGroup, game_of
from graphgame.rules import MAX_POSITIONS
from graphgame.text.languages import amount, render, translate
from graphgame.text.latex import Latex, latex_parts, latex_table, latex_text
from graphgame.text.text import printable, table, verdict_text

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph
    from graphgame.labs.heaps import HeapGame
    from graphgame.labs.misere import GenusTable, MisereQuotient
    from graphgame.rules.position import Position

_HEAPS = 20
"""The default of --heaps, the largest heap."""

_POWER = re.compile(r"\^(\d+|\([\d,]+\))")
_CODE = re.compile(r"\s*(\d?|\S*[!?=*}])\.[\w!?=*{},+\[\]]+\s*")


@dataclass
class MisereSource:
    """What SOURCE and its options name: the heaps 0 to ``largest`` of a heap game, or a graph."""

    source: str
    heaps: int | None = None
    format_: str | None = None
    max_positions: int = MAX_POSITIONS

    @cached_property
    def game(self) -> HeapGame | None:
        """The heap game, or None if SOURCE names a graph: a file or a position.

        Raises GraphGameError if SOURCE is not a heap game, but --heaps is given or SOURCE is written like a code.
        Raises UsageError if SOURCE is a heap game and --format is given.
        """
        from graphgame.rules.notation import own_rules

        if self.heaps is None and os.path.exists(self.source):  # noqa: PTH110 - Path refuses a long code
            return None
        if self.heaps is None and ".py" in self.source:
            rules = own_rules(self.source, run_rules=True)
            if rules is None or rules.start is not None:
                return None  # rules with a start position are explored as a graph
        try:
            game = game_of(self.source)
        except GraphGameError:
            if self.heaps is not None or _CODE.fullmatch(self.source):
                raise
            return None
        if self.format_ is not None:
            raise UsageError("{source} is a heap game, not a graph file: leave out --format", printable(self.source))
        return game

    @cached_property
    def graph(self) -> GameGraph:
        """The graph of the heaps of the game, or the graph that SOURCE names."""
        if self.game is None:
            return common.load(self.source, self.format_, self.max_positions)
        from graphgame.labs.misere import heap_graph

        return heap_graph(self.game, self.largest, max_positions=self.max_positions)

    @cached_property
    def position(self) -> Position | None:
        """The position in the notation that SOURCE names; None for a graph file or a heap game."""
        return None if self.game is not None else common.position_of(self.source, self.format_, self.max_positions)

    @property
    def largest(self) -> int:
        """The largest heap to use if SOURCE is a heap game: the value of ``--heaps``, or 20 by default."""
        return _HEAPS if self.heaps is None else self.heaps


def takes_source(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command: it gets SOURCE and its options as one argument ``source``, a :class:`MisereSource`.

    An error about a limit names the option that sets the limit.
    """
    options = (
        common.source_argument,
        common.number_option(
            "-n",
            "--heaps",
            "heaps",
            least=0,
            help=f"If SOURCE is a heap game, use its heaps 0 to N (default: {_HEAPS}).",
        ),
        common.shared_options("format", "max_bytes", "max_positions"),
    )
    return common.takes(MisereSource, "source", *options)(common.limits_named()(command))


class _Placing(Meter):
    """The progress line of a search for a quotient."""

    def __call__(self, done: int, order: int) -> None:
        """Show the number of positions whose element is known, and the number of elements."""
        self.show(translate("{count} positions, {order} elements", count=f"{done:,}", order=f"{order:,}"))


@dataclass
class QuotientSearch:
    """The options of a search for a quotient."""

    resume: str | None = None
    timeout: float | None = None
    max_order: int | None = None
    max_outcomes: int | None = None

    def quotient(self, source: MisereSource) -> MisereQuotient:
        """Search for the quotient, and return what is proved when the search ends or reaches a limit.

        Write the quotient to the ``--resume`` file. After Ctrl-C, write what is proved, and raise KeyboardInterrupt.
        """
        from graphgame.io.files import refuse_unwritable
        from graphgame.labs.misere import heap_quotient, misere_quotient, read_quotient, write_quotient

        def keep(proved: MisereQuotient) -> None:
            if self.resume is not None:
                write_quotient(proved, self.resume)
                common.tell_of(
                    self.resume,
                    translate(
                        "proved for {positions}; the same command continues the search",
                        positions=proved_for(proved, source),
                    ),
                )

        limits = {"timeout": self.timeout, "max_order": self.max_order, "max_outcomes": self.max_outcomes}
        options: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
        earlier = None if self.resume is None or not Path(self.resume).exists() else read_quotient(self.resume)
        options |= {"resume": earlier, "interrupted": keep}
        if self.resume is not None:
            refuse_unwritable(self.resume)
        with shown(_Placing) as progress:
            if source.game is None:
                quotient = misere_quotient(source.graph, name=source.source, progress=progress, **options)
            else:
                options |= {"max_positions": source.max_positions, "progress": progress}
                quotient = heap_quotient(source.game, source.largest, **options)
        if self.resume is not None:
            write_quotient(quotient, self.resume)
            common.tell_of(self.resume)
        if not quotient.complete:
            common.tell(
                Message(
                    "{reason}: so far, the misère quotient is proved for {positions}; --timeout, --max-order and "
                    "--max-outcomes raise the limits; with --resume FILE the result is saved, and the next run "
                    "continues from it",
                    quotient.stopped,
                    proved_for(quotient, source),
                )
            )
        return quotient


takes_search = common.takes(
    QuotientSearch,
    "search",
    common.shared_options("resume", "timeout"),
    common.number_option(
        "--max-order",
        help="Most elements of the quotient (default: 1,000); intermediate quotients may have four times as many, "
        "but at most 12,000.",
    ),
    common.number_option("--max-outcomes", help="Most sums whose outcomes are stored at once (default: 20,000,000)."),
)
"""Decorate a command: it gets the options of a search as one argument ``search``, a :class:`QuotientSearch`."""


def proved_for(quotient: MisereQuotient, source: MisereSource) -> str:
    """Return a phrase such as "the heaps 0 to 20" or "9 positions": the positions for which a quotient is proved."""
    count = len(quotient.labels)
    if source.game is not None:
        return translate("the heaps 0 to {heap}" if count else "no heap", heap=count - 1)
    if quotient.complete:
        return amount(count, "position")
    return translate("{done} of {asked} positions", done=f"{count:,}", asked=f"{quotient.asked:,}")


def period_text(quotient: MisereQuotient) -> str:
    """Return a sentence about the proved period of the pretending function, or "" if there is none."""
    if quotient.period is None:
        return ""
    facts = {"period": quotient.period.period, "heap": quotient.period.preperiod}
    return translate("proved for all heaps: the elements have the period {period} from heap {heap} on", **facts)


_SHOWN_FORM, _WRITTEN_FORM = 38, 1000
"""The maximum numbers of characters of a canonical form: in text and LaTeX; in CSV and JSON."""

_WORDS = ("outcome", "kind")
"""The columns whose cells are words, which the printed table shows in the user's language."""

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame misere 0.77", "the genus of the heaps 0 to 20"),
        ("graphgame misere kayles --heaps 12 --canonical", ""),
        ('graphgame misere "take{1,3,4}" --heaps 50', ""),
        ('graphgame misere "notakto(1)" --csv', "of all positions that can come up"),
        ("graphgame misere game.txt --json", ""),
    ),
    Listing(
        "More commands, each with its own --help:",
        ("graphgame misere quotient 0.123 --heaps 80", "the misère quotient, with proof"),
        ("graphgame misere outcome 0.123 3,3,9,70", "who wins a sum of heaps"),
        ("graphgame misere check dawson.json", "whether a saved quotient is right"),
    ),
)


@click.command("misere", cls=OpenGroup, invoke_without_command=True, epilog=_EXAMPLES)
@takes_source
@click.option("--canonical", is_flag=True, help="Show the misère canonical forms and their birthdays too.")
@takes_output(csv="a line for each position", json="", latex="")
@common.shared_options("max_forms")
def command(source: MisereSource, out: OutputOptions, canonical: bool, max_forms: int | None) -> None:
    """Print the genus of every position of SOURCE except sum vertices. Misère play: whoever cannot move wins.

    SOURCE is a graph file, a position in the notation, or a heap game that graphgame heap takes, such as 0.77 or
    "take{1,3}". In a genus such as 4^146, 4 is the Grundy value of normal play. The misère value is 1 for the position
    alone, 4 if one heap of two is added, and 6 if two heaps of two are added. With more heaps of two, the last two
    values, 4 and 6, repeat in turn. The genus of a position that equals a heap of Nim is written as the size of the
    heap. The genus of another tame or restive position is written with only one misère value, as in 2^2. Tame is
    defined as in Winning Ways: a tame position may have options that are not tame, if replies to these options lead
    back to tame positions. If play from the canonical form of a position reaches only tame positions, --json calls the
    position hereditarily tame.
    """
    from graphgame.labs.misere import genus_table
    from graphgame.labs.misere.words import WORDS

    genera = genus_table(source.graph, **({} if max_forms is None else {"max_forms": max_forms}))
    header = ["position", "genus", "misere", "outcome", "kind", *(["birthday", "form"] if canonical else [])]
    columns = f"{'l' if source.game is None else 'r'}lrllrl"[: len(header)]

    def cells(longest: int) -> list[list[Any]]:
        return [list(_row(genera, position, canonical, longest).values()) for position in genera]

    def shown() -> list[list[Any]]:
        return [
            [render(WORDS[cell]) if name in _WORDS else cell for name, cell in zip(header, row, strict=True)]
            for row in cells(_SHOWN_FORM)
        ]

    out.put(
        text=lambda: "\n".join([*table([render(WORDS[name]) for name in header], shown(), columns), ""]),
        csv=lambda: [header, *cells(_WRITTEN_FORM)],
        json=lambda: _record(source, genera, canonical),
        latex=lambda: latex_table(
            header, ([position, power(genus), *rest] for position, genus, *rest in cells(_SHOWN_FORM)), columns
        ),
    )


def _row(genera: GenusTable, position: Hashable, canonical: bool, longest: int) -> dict[str, Any]:
    genus, form = genera[position], genera.form[position]
    row = {
        "position": position,
        "genus": str(genus),
        "misere": genus.misere_value,
        "outcome": genus.misere_outcome,
        "kind": genus.kind,
    }
    if canonical:
        row |= {"birthday": genera.forms.birthday[form], "form": genera.forms.text(form, longest)}
    return row


def _record(source: MisereSource, genera: GenusTable, canonical: bool) -> dict[str, Any]:
    """Return the genera as a JSON object.

    With ``canonical`` each position also has the number, text and birthday of its canonical form, and the object lists
    the options of all forms, as numbers of forms.
    """
    positions = []
    for position, genus in genera.items():
        row = _row(genera, position, canonical, _WRITTEN_FORM)
        row |= {"grundy": genus.base, "superscript": genus.superscript, "is_nim_heap": genus.is_nim_heap}
        row["hereditarily_tame"] = genus.hereditarily_tame
        row["position"] = position if isinstance(position, int) else str(position)
        positions.append(row | ({"form_number": genera.form[position]} if canonical else {}))
    forms = {"forms": [sorted(options) for options in genera.forms.options]} if canonical else {}
    return {"game": source.source, "positions": positions, **forms}


_HEAPS_A_ROW = 10
_LARGEST_PRODUCTS = 12
"""The maximum number of elements of a quotient whose multiplication table is printed."""

_QUOTIENT_EXAMPLES = examples(
    ("graphgame misere quotient 0.123 --heaps 80", ""),
    ('graphgame misere quotient "notakto(1)" --json', ""),
    (
        "graphgame misere quotient 0.123 --heaps 80 -o quotient.json",
        "a file for misere check",
    ),
    ("graphgame misere quotient 0.07 --heaps 40 --timeout 60 --resume dawson.json", "again, to continue the search"),
)


@command.command("quotient", epilog=_QUOTIENT_EXAMPLES)
@takes_source
@takes_search
@takes_output(csv="the element of each position", json="as misere check reads it", latex="")
def quotient_command(source: MisereSource, search: QuotientSearch, out: OutputOptions) -> None:
    """Find the misère quotient of SOURCE, a graph file, a position in the notation, or a heap game such as 0.77.

    The quotient is the smallest commutative monoid that gives the outcome of every sum of positions under misère play.
    Only what is proved is printed. If a limit or Ctrl-C ends a search with --resume FILE, FILE saves the search, and
    the next run continues it.
    """
    from graphgame.labs.misere import quotient_record

    quotient = search.quotient(source)
    out.put(
        text=lambda: "\n".join([*_lines(quotient, source), ""]),
        csv=lambda: [("position", "element", "outcome"), *_elements(quotient)],
        json=lambda: quotient_record(quotient),
        latex=lambda: _latex(quotient, source),
    )


def _elements(quotient: MisereQuotient) -> Iterator[tuple[Hashable, str, str]]:
    for label, element in zip(quotient.labels, quotient.images, strict=True):
        yield label, quotient.names[element], "P" if quotient.is_p[element] else "N"


def power(text: str) -> Latex:
    """Return letters and digits with exponents, such as a genus or a product of elements, as LaTeX mathematics.

    Examples
    --------
    >>> print(power("a^12b"), power("2^(8,10)"))
    $a^{12}b$ $2^{(8,10)}$
    """
    return Latex("$" + _POWER.sub(r"^{\1}", text) + "$")


def _latex(quotient: MisereQuotient, source: MisereSource) -> str:
    """Return a quotient in LaTeX: generators, relations and P-portion, then a table with the element of each position.

    For a heap game, the table has ten heaps in a row. For a graph it has a row for each position, with the outcome.
    """
    letters = ", ".join(
        f"{power(letter)} = {latex_text(printable(label))}" for letter, label in quotient.letters.items()
    )
    relations = ", ".join(power(f"{longer} = {shorter}") for longer, shorter in quotient.relations)
    portion = power(f"\\{{{', '.join(quotient.names[element] for element in quotient.p_portion)}\\}}")
    period = period_text(quotient)
    game, scope = latex_text(printable(quotient.game)), latex_text(proved_for(quotient, source))
    summary = (
        f"{game}: order {quotient.order}, proved for {scope}.\n"
        f"Generators {letters}; relations {relations}; P-portion {portion}."
        + (f"\n{latex_text(period)}." if period else "")
    )
    if source.game is None:
        table = latex_table(
            ["position", "element", "outcome"], ((x, power(y), z) for x, y, z in _elements(quotient)), "lll"
        )
    else:
        names = [power(quotient.names[element]) for element in quotient.images]
        rows = ([start, *names[start : start + _HEAPS_A_ROW]] for start in range(0, len(names), _HEAPS_A_ROW))
        table = latex_table(["", *range(_HEAPS_A_ROW)], rows, r"r@{\quad}" + "l" * _HEAPS_A_ROW)
    return latex_parts([summary, table])


def _lines(quotient: MisereQuotient, source: MisereSource) -> Iterator[str]:
    yield translate(
        "{game}: misère quotient of order {order}, {elements} in the P-portion, proved for {positions}",
        game=printable(quotient.game),
        order=quotient.order,
        elements=amount(len(quotient.p_portion), "element"),
        positions=proved_for(quotient, source),
    )
    if period := period_text(quotient):
        yield period
    yield ""
    yield translate("generators")
    yield from (f"  {letter} = {printable(label)}" for letter, label in quotient.letters.items())
    yield translate("relations")
    yield from (f"  {longer} = {shorter}" for longer, shorter in quotient.relations)
    yield translate("P-portion")
    yield f"  {', '.join(quotient.names[element] for element in quotient.p_portion)}"
    yield translate("pretending function")
    names = [quotient.names[element] for element in quotient.images]
    if source.game is None:
        yield from table(
            [translate("position"), translate("element")], list(zip(quotient.labels, names, strict=True)), "ll"
        )
    else:
        filled = names + [" "] * (-len(names) % _HEAPS_A_ROW)
        rows = [[start, *filled[start : start + _HEAPS_A_ROW]] for start in range(0, len(names), _HEAPS_A_ROW)]
        yield from table(["", *map(str, range(_HEAPS_A_ROW))], rows, "r" * (_HEAPS_A_ROW + 1))
    if quotient.order <= _LARGEST_PRODUCTS:
        yield translate("multiplication table")
        rows = [
            [quotient.names[x], *(quotient.names[product] for product in row)] for x, row in enumerate(quotient.table)
        ]
        yield from table(["", *quotient.names], rows, "r" * (quotient.order + 1))


_OUTCOME_EXAMPLES = examples(
    ("graphgame misere outcome 0.123 3,3,9,70 --heaps 80", ""),
    ("graphgame misere outcome game.txt 1 1 4", ""),
    ('graphgame misere outcome "notakto(1)" .../.../... X../.../...', ""),
    ("graphgame misere outcome 0.07 3,20 --heaps 40 --resume dawson.json", ""),
    ("graphgame misere outcome dawson.json 3,20", "from misere quotient -o or --resume"),
)

_MOST_DIGITS = 1000


@command.command("outcome", epilog=_OUTCOME_EXAMPLES)
@takes_source
@click.argument("positions", nargs=-1, required=True)
@takes_search
def outcome_command(source: MisereSource, search: QuotientSearch, positions: tuple[str, ...]) -> None:
    """Say who wins the sum of POSITIONS of SOURCE under misère play, by the misère quotient.

    POSITIONS are heaps if SOURCE is a heap game, otherwise positions of its graph; separate them by commas or spaces.
    If a period of the pretending function is proved, heaps may be larger than N. SOURCE may also be the file of a saved
    quotient. This command checks the file only if one of POSITIONS is a heap that the file does not list; graphgame
    misere check always checks it.
    """
    saved = _saved(source, search)
    if saved is not None:
        quotient, asked = saved, _positions_of(saved, positions)
    else:
        heaps = None if source.game is None else _heaps(positions)
        quotient = search.quotient(source)
        asked = common.find_tokens(source.graph, positions, source.position) if heaps is None else heaps
    winner = verdict_text("first" if quotient.outcome(*asked) == "N" else "second")
    element = quotient.names[quotient.element(*asked)]
    click.echo(translate("{winner} (element {element})", winner=winner, element=element))


def _saved(source: MisereSource, search: QuotientSearch) -> MisereQuotient | None:
    """Return the quotient in the file SOURCE; None if SOURCE is no file, or a file without a quotient.

    Raise UsageError if the file has a quotient, and --heaps or an option of the search is given.
    """
    from graphgame.io.other_formats import QUOTIENT, file_kind_at
    from graphgame.labs.misere import read_quotient

    if not Path(source.source).is_file() or file_kind_at(source.source) is not QUOTIENT:
        return None
    if search != QuotientSearch() or source.heaps is not None:
        raise UsageError("{source} is a saved quotient: leave out --heaps and the options of the search", source.source)
    return read_quotient(source.source)


def _positions_of(saved: MisereQuotient, texts: Sequence[str]) -> list[Hashable]:
    """Return the positions that ``texts`` list.

    A text that is the name of a position stands for this position. Any other text is split at commas and spaces. The
    positions are returned as texts, except in one case: if the quotient is of a heap game and lacks a listed heap, all
    are returned as integers. Then ``saved.period`` is also set if a period can be proved, so that the quotient covers
    all heaps. This is not done if the game has its rules in a Python file, because that file must not be run.
    """
    from graphgame.labs.misere import prove_period

    labels = set(map(str, saved.labels))
    asked: list[Hashable] = [part for text in texts for part in ([text] if text in labels else common.listed(text))]
    if not labels.issuperset(asked) and ".py:" not in saved.game:
        game = MisereSource(saved.game).game
        if game is not None:
            asked = _heaps(texts)
            prove_period(saved, game)
    return asked


def _heaps(texts: Sequence[str]) -> list[Hashable]:
    parts = [part for text in texts for part in common.listed(text)]
    if not all(part.isdecimal() and part.isascii() and len(part) < _MOST_DIGITS for part in parts):
        raise UsageError("expected heaps as numbers between commas, such as 3,3,9")
    return [int(part) for part in parts]


_CHECK_EXAMPLES = examples(
    ("graphgame misere quotient 0.07 --heaps 20 -o dawson.json", ""),
    ("graphgame misere check dawson.json", ""),
    ("graphgame misere check dawson.json 0.137", "against the rules of 0.137"),
)


@command.command("check", epilog=_CHECK_EXAMPLES)
@click.argument("file", type=click.Path())
@click.argument("source", required=False, shell_complete=common.complete_source)
@common.shared_options("format", "max_bytes", "max_positions")
def check_command(file: str, source: str | None, max_positions: int, format_: str | None) -> None:
    """Check the misère quotient in FILE against the rules, independently of the search, and try to prove a period.

    SOURCE is a graph file, a position, or a heap game; the default is the game that FILE names.
    """
    check_quotient_file(file, None, max_positions, source, format_)


@common.limits_named()
def check_quotient_file(
    file: str, named: str | None, max_positions: int, source: str | None = None, format_: str | None = None
) -> None:
    """Check the quotient in a file: print that it is proved, or raise a :class:`Failure` with the reason why not.

    ``source`` is the game for which it is checked: a graph file in the format ``format_``, a position, or a heap game.
    The default is the game that the file names; it is an error if the rules of that game are in a Python file.
    ``named`` is not used: ``graphgame verify`` passes it to the check of every kind of file.
    """
    from graphgame.labs.misere import find_fault, prove_period
    from graphgame.labs.misere.quotient import contradicting_member, read_with_record

    quotient, record = read_with_record(file)
    if source is None:
        common.refuse_rules_of_file(quotient.game, file, "graphgame misere check {file} {game}")
        source = quotient.game
    checked_for = MisereSource(source, None, format_, max_positions)
    fault = None
    if checked_for.game is None:
        fault = find_fault(quotient, checked_for.graph)
    else:
        try:
            prove_period(quotient, checked_for.game, max_positions=max_positions)
        except ParameterError as error:
            fault = str(error)
    if fault is None and (name := contradicting_member(record, quotient)) is not None:
        fault = Message('the member "{member}" of the file contradicts the quotient', name)
    if fault is not None:
        raise Failure("{file}: the misère quotient is not proved for {source}: {fault}", file, printable(source), fault)
    facts = {"order": quotient.order, "positions": amount(len(quotient.labels), "position")}
    click.echo(
        translate(
            "right: a misère quotient of order {order}, proved for {positions} of {source}",
            source=printable(source),
            **facts,
        )
    )
    if checked_for.game is not None:
        click.echo(period_text(quotient) or translate("no period of the elements is proved from these heaps"))
