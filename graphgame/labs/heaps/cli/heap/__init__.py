"""``graphgame heap``: sequences of values of one-heap games, and their periods with proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.errors import Failure, UsageError
from graphgame.cli.language import HelpEnd, Listing
from graphgame.cli.progress import shown
from graphgame.errors import Message
from graphgame.io.latex import bold
from graphgame.labs.heaps.cli.heap.shown import Counting, kept_told, latex_of, period_told, value_lines
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import padded

if TYPE_CHECKING:
    import numpy as np

    from graphgame.labs.heaps import HeapGame, ObservedPeriod, PeriodCertificate
    from graphgame.labs.heaps.packed import HeapValues

__all__ = ["command"]

_SHOWN = 200
_HEAPS = 100
_HEAPS_FOR_A_PERIOD = 1_000_000
_HEAPS_OF_MANY_PARTS = 2000
"""Where moves leave three heaps or more, the time grows with the cube or more of the largest heap."""

_LARGEST_TABLE = 10_000
_HEAPS_TO_OBSERVE = 1000
_SHOWN_COUNTS = 20
_WIDEST_PERIOD = 24

_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ("graphgame heap 0.77", "the values of Kayles"),
        ("graphgame heap 0.77 --period", "its period, with the theorem that proves it"),
        ("graphgame heap 0.16 --period -n 600000 --certificate 0.16.json", ""),
        ("graphgame heap 0.6 -n 10000 --stats", "rare values, records, how often each value comes"),
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

_SPARSE = (Message("sparse space: mask {mask}"), Message("sparse space: mask {mask} with the parity of the heap"))


@click.command(
    "heap",
    cls=common.OpenCommand,
    others=("search", "compare", "check"),
    epilog=_EXAMPLES,
)
@click.argument("code", metavar="CODE", shell_complete=common.complete_source)
@common.shared_options("heaps")
@click.option(
    "--period",
    is_flag=True,
    help="Look for a proved period, in heaps up to N (default: a million; 2,000 where moves leave three heaps), else"
    " for one that these show.",
)
@click.option(
    "--certificate",
    metavar="OUT",
    type=click.Path(),
    help="Write the proved period as a certificate that can be checked.",
)
@click.option("--stats", is_flag=True, help="Print figures: the largest value, P-heaps, records, the sparse space.")
@click.option(
    "--plot",
    metavar="OUT",
    type=click.Path(),
    help="Draw the values, and their period if it is proved: .png, .svg or .pdf.",
)
@click.option(
    "--plot-period",
    metavar="OUT",
    type=click.Path(),
    help="Draw the values of the period as a table: .png, .svg or .pdf.",
)
@common.shared_options("theme", "plot_title", "resume")
@takes_output(
    csv="a line for each heap", json="the values, the figures or the period", latex="the values or the period", npy=""
)
@common.shared_options("engine")
def command(
    code: str,
    out: OutputOptions,
    heaps: int | None,
    period: bool,
    certificate: str | None,
    stats: bool,
    plot: str | None,
    plot_period: str | None,
    theme: str,
    title: str | None,
    resume: str | None,
    engine: str,
) -> None:
    """Print the values of the heaps 0 to N (default: 100) of a game of taking and breaking.

    CODE is an octal code such as 0.77, a longer one with digits up to V, or one with the marks of CGSuite such as
    "4!.0" or "0.[3]"; a name (officers, grundy, lasker, ...) or a game of the notation such as "take{1,3,4}"; or rules
    of your own, rules.py:MyGame, whose positions are heaps: --period then says which code has their moves. OUT is a
    file, written whole or not at all.
    """
    from graphgame.io.files import refuse_unwritable
    from graphgame.labs.heaps import PeriodCertificate
    from graphgame.labs.heaps.cli.heap.shown import game_of, known_moves

    if period and (stats or out.form in ("csv", "npy")):
        raise UsageError("a period is text, --json or --latex: leave --period out for a list of values or --stats")
    if stats and out.form in ("csv", "npy", "latex"):
        raise UsageError("--stats prints figures as text or --json: leave out --csv, --npy and --latex")
    if not period and (certificate or plot_period):
        raise UsageError("--certificate and --plot-period are of a period: add --period")
    if certificate == "-" and not out.is_default:
        raise UsageError("choose one of --certificate - and another form: both go to standard output")
    for path in filter(None, (certificate, plot, plot_period)):
        refuse_unwritable(path)
    rules = game_of(code)
    if period:
        known = known_moves(rules)
        rules = known.game
        limit = _heaps_for_a_period(rules) if heaps is None else heaps
        found = _period(rules, limit, resume, engine)
        if isinstance(found, PeriodCertificate):
            _write_pictures(rules, found, heaps, plot, plot_period, engine, {"theme": theme, "title": title})
            if certificate:
                found.save(certificate)
                common.tell_of(certificate)
        else:
            for path in filter(None, (certificate, plot, plot_period)):
                common.tell(translate("{path} is not written: no period is proved", path=path))
        if certificate != "-":
            out.put(
                text=lambda: "".join([known.text, *_period_text(rules, found, limit)]),
                json=lambda: {**_period_record(rules, found, limit), **known.record},
                latex=lambda: _period_latex(rules, found),
            )
        return
    values = _values(rules, _HEAPS if heaps is None else heaps, resume, engine)
    if plot:
        _plot(rules, values, None, plot, {"theme": theme, "title": title})
    if stats:
        out.put(text=lambda: "".join(_stats_text(rules, values)), json=lambda: _stats_record(rules, values))
    elif not ((plot or resume) and out.is_default):
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


def _values(rules: HeapGame, heaps: int, resume: str | None, engine: str) -> HeapValues:
    from graphgame.labs.heaps.storage import resumed_values

    with kept_told(resume), shown(Counting) as progress:
        if resume:
            values = resumed_values(rules, heaps, resume, engine=engine, progress=progress)
            common.tell_of(resume, translate("the values of the heaps 0 to {count}", count=f"{len(values) - 1:,}"))
            return values
        return rules.packed_values(heaps, engine=engine, progress=progress)


def _period(rules: HeapGame, limit: int, resume: str | None, engine: str) -> PeriodCertificate | ObservedPeriod | None:
    """Return the proved period, else the one that the heaps up to a limit show."""
    from graphgame.labs.heaps.storage import resumed_period

    with kept_told(resume), shown(Counting) as progress:
        if resume:
            found = resumed_period(rules, limit, resume, engine=engine, progress=progress)
            common.tell_of(resume)
            return found
        return rules.any_period(limit, engine=engine, progress=progress)


def _write_pictures(
    rules: HeapGame,
    found: PeriodCertificate,
    heaps: int | None,
    plot: str | None,
    of_period: str | None,
    engine: str,
    look: dict[str, Any],
) -> None:
    """Draw the values up to the end of the proof, or fewer if so many heaps are asked for; and the period."""
    if plot:
        last = found.last_heap if heaps is None else min(found.last_heap, heaps)
        _plot(rules, _values(rules, last, None, engine), found, plot, look)
    if of_period:
        from graphgame.labs.heaps.plots import plot_period

        plot_period(found, of_period, **look)
        common.tell_of(of_period)


def _plot(
    rules: HeapGame, values: HeapValues, found: PeriodCertificate | None, path: str, look: dict[str, Any]
) -> None:
    from graphgame.labs.heaps.plots import plot_heaps
    from graphgame.labs.heaps.study import rare_heaps

    plot_heaps(rules.name, values[:], path, rares=rare_heaps(rules, values), period=found, **look)
    common.tell_of(path)


def _stats_record(rules: HeapGame, values: HeapValues) -> dict[str, object]:
    from graphgame.labs.heaps import study

    lists: dict[str, Callable[[HeapValues], np.ndarray[Any, Any]]] = {
        "histogram": study.histogram,
        "p_heaps": study.p_heaps,
        "records": study.records,
    }
    counts = study.statistics(rules, values).record()
    return {**counts, **{name: find(values).tolist() for name, find in lists.items()}}


def _stats_text(rules: HeapGame, values: HeapValues) -> Iterator[str]:
    from graphgame.labs.heaps.study import histogram, p_heaps, records, statistics

    found = statistics(rules, values)
    yield translate("{game}, heaps 0 to {count}", game=found.game, count=f"{found.last_heap:,}") + "\n\n"
    largest = translate(
        "largest value: {value}, first at heap {count}", value=found.maximum, count=f"{found.maximum_heap:,}"
    )
    yield f"{largest}{translate('; ')}{amount(found.distinct, 'different value')}\n"
    yield translate("P-heaps (value 0): {heaps}", heaps=_listed(p_heaps(values))) + "\n"
    yield translate("records: {heaps}", heaps=_listed(records(values))) + "\n"
    if found.space is not None:
        mask = translate(_SPARSE[bool(found.space.step)], mask=f"{found.space.mask:#b}")
        rares = translate("{heaps} of rare value", heaps=amount(found.rares or 0, "heap"))
        if found.last_rare is not None:
            rares = translate("{heaps}, the last at heap {count}", heaps=rares, count=f"{found.last_rare:,}")
        yield f"{mask}{translate('; ')}{rares}\n"
    counts = histogram(values)
    often = sorted(range(len(counts)), key=lambda value: (-counts[value], value))[:_SHOWN_COUNTS]
    yield f"\n{padded(translate('value'), 8, 'r')} {padded(translate('heaps'), 12, 'r')}\n"
    yield from (f"{value:>8} {counts[value]:>12,}\n" for value in often if counts[value])
    if found.distinct > _SHOWN_COUNTS:
        more = amount(found.distinct - _SHOWN_COUNTS, "more value")
        yield f"     {translate('... ({more}, less often)', more=more)}\n"


def _listed(heaps: np.ndarray[Any, Any]) -> str:
    """Return how many heaps there are, the first ones and the last."""
    first = ", ".join(map(str, islice(heaps.tolist(), _SHOWN_COUNTS)))
    more = f", ..., {heaps[-1]}" if len(heaps) > _SHOWN_COUNTS else ""
    return f"{len(heaps):,}: {first}{more}"


def _period_text(rules: HeapGame, found: PeriodCertificate | ObservedPeriod | None, limit: int) -> Iterator[str]:
    import numpy as np

    from graphgame.labs.heaps import PeriodCertificate

    if not isinstance(found, PeriodCertificate):
        none = translate("no proved period" if found else "no period")
        if rules.provable:
            reason = translate("the heaps up to {count} prove none", count=f"{limit:,}")
        elif found:
            reason = translate("no theorem here proves one")
        else:
            reason = translate("no theorem here proves one, and the heaps up to {count} show none", count=f"{limit:,}")
        yield f"{rules.name}{translate(': ')}{none}{translate('; ')}{reason}\n"
        yield f"{render(str(found))}\n" if found else ""
        return
    yield translate("{game}: {period}, proved", game=rules.name, period=period_told(found)) + "\n\n"
    count = 0
    first: list[int] = []
    for block in found.exceptional_heaps():
        count += len(block)
        first += block[: _SHOWN - len(first)].tolist()
    if count:
        listed = ", ".join(map(str, first))
        more = f", {_more(count - _SHOWN)}" if count > _SHOWN else ""
        yield translate("exceptions: {number}, the last at heap {heap}", number=count, heap=found.last_exception)
        yield f"\n  {listed}{more}\n"
    proof = translate("proof: the values of the heaps up to {heap}", heap=found.last_heap)
    yield f"{proof}\n  {render(found.theorem)}\n"
    yield translate("values of one period, from heap {heap}:", heap=found.preperiod) + "\n"
    yield from value_lines(np.array(found.values[found.preperiod :][:_SHOWN]), found.preperiod)
    if found.period > _SHOWN:
        yield f"  {_more(found.period - _SHOWN)}\n"


def _more(count: int) -> str:
    return translate("... ({count} more)", count=count)


def _period_latex(rules: HeapGame, found: PeriodCertificate | ObservedPeriod | None) -> str:
    """Return the period with its proof as a comment, and the values up to its end, the exceptions in bold."""
    from graphgame.labs.heaps import PeriodCertificate

    if not isinstance(found, PeriodCertificate):
        raise Failure("{name}: no period is proved; --latex without --period gives the values", rules.name)
    count = len(found.values)
    if count > _LARGEST_TABLE:
        raise Failure(
            "{name}: {count:,} values are too many for a table: --certificate keeps them, with the proof",
            rules.name,
            count,
        )
    values: list[object] = list(found.values)
    for heap in chain.from_iterable(block.tolist() for block in found.exceptional_heaps()):
        values[heap] = bold(values[heap])
    told = (f"{rules.name}: {period_told(found)}, proved by the heaps up to {found.last_heap}:", str(found.theorem))
    width = [found.period] if 1 < found.period <= _WIDEST_PERIOD else []
    packages, table = latex_of(values, *width).split("\n", 1)
    return "\n".join([packages, *(f"% {line}" for line in told), table])


def _period_record(rules: HeapGame, found: PeriodCertificate | ObservedPeriod | None, limit: int) -> dict[str, object]:
    from graphgame.labs.heaps import PeriodCertificate

    if isinstance(found, PeriodCertificate):
        return found.record()
    observed = {"observed": found.record()} if found else {}
    return {"game": rules.name, "period": None, "last_heap": limit, **observed}
