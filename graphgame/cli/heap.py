"""``graphgame heap``: sequences of values of one-heap games, and their periods with proof."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli.progress import Meter, shown

if TYPE_CHECKING:
    import numpy as np

    from graphgame.heaps import HeapGame, PeriodCertificate

__all__ = ["command"]

_A_LINE = 20
_SHOWN = 200
_HEAPS = 100
_HEAPS_FOR_A_PERIOD = 1_000_000

_EXAMPLES = """\b
Examples:
  graphgame heap 0.77                   the values of Kayles
  graphgame heap 0.77 --period          its period, with the theorem that proves it
  graphgame heap 0.16 --period -n 600000
  graphgame heap grundy -n 1000000 --npy grundy.npy
  graphgame heap "take{1,3,4}" -n 50 --csv -
  graphgame heap "take{not 2,3}" --period --json -
"""


class _Counting(Meter):
    """How many heaps have a value."""

    def __call__(self, done: int, total: int) -> None:
        """Tell of a long sequence."""
        self.show(f"heap {done:,} of {total:,}")


@click.command("heap", epilog=_EXAMPLES, short_help="Print the values of a one-heap game, or prove their period.")
@click.argument("code", metavar="CODE")
@click.option("-n", "heaps", type=click.IntRange(min=0), metavar="N", help="The largest heap.")
@click.option("--period", is_flag=True, help="Look for a proved period, in heaps up to N (default: a million).")
@click.option("--csv", metavar="OUT", help="Write the values as CSV.")
@click.option("--json", metavar="OUT", help="Write one JSON object: the values, or the period.")
@click.option("--npy", metavar="OUT", help="Write the values as an array of numpy.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "plain", "compiled"]),
    default="auto",
    show_default=True,
    help="Plain Python or compiled loops; auto compiles long sequences.",
)
def command(
    code: str, heaps: int | None, period: bool, csv: str | None, json: str | None, npy: str | None, engine: str
) -> None:
    """Print the values of the heaps 0 to N (default: 100) of a game of taking and breaking.

    CODE is an octal code such as 0.77, a longer one with digits up to V, a name (officers, grundy, lasker, ...) or a
    game of the notation such as "take{1,3,4}". OUT is a file, written whole or not at all, or - for standard output.
    """
    from graphgame.heaps import game

    if period and (csv or npy):
        raise click.UsageError("--period finds no list of values: leave out --csv and --npy")
    rules = game(code)
    if period:
        limit = _HEAPS_FOR_A_PERIOD if heaps is None else heaps
        with shown(_Counting) as progress:
            found = rules.period(limit, engine=engine, progress=progress)
        if json:
            _write_json(json, _period_record(rules, found, limit))
        else:
            click.echo("".join(_period_text(rules, found, limit)), nl=False)
        return
    with shown(_Counting) as progress:
        values = rules.grundy_values(_HEAPS if heaps is None else heaps, engine=engine, progress=progress)
    if csv:
        _write_lines(csv, chain(["heap,grundy\n"], (f"{heap},{value}\n" for heap, value in enumerate(values))))
    if json:
        _write_json(json, {"game": rules.name, "values": values.tolist()})
    if npy:
        _write_array(npy, values)
    if not (csv or json or npy):
        for line in _table(values):
            click.echo(line, nl=False)


def _table(values: np.ndarray[Any, Any], first: int = 0) -> Iterator[str]:
    """Yield lines of values, each led by the number of its first heap."""
    width = 1 + max(len(str(values.max())), len(str(_A_LINE - 1)))
    side = len(str(first + len(values) - 1))
    for start in range(0, len(values), _A_LINE):
        cells = "".join(str(value).rjust(width) for value in values[start : start + _A_LINE].tolist())
        yield f"{first + start:>{side}}:{cells}\n"


def _period_text(rules: HeapGame, found: PeriodCertificate | None, limit: int) -> Iterator[str]:
    import numpy as np

    if found is None:
        reason = f"the heaps up to {limit:,} prove none" if rules.provable else "no theorem here proves one"
        yield f"{rules.name}: no period; {reason}\n"
        return
    added = f", {found.saltus} added each time," if found.saltus else ""
    yield f"{rules.name}: period {found.period}{added} from heap {found.preperiod} on, proved\n\n"
    if found.exceptions:
        listed = ", ".join(map(str, list(found.exceptions)[:_SHOWN]))
        more = f", ... ({len(found.exceptions) - _SHOWN} more)" if len(found.exceptions) > _SHOWN else ""
        yield f"exceptions: {len(found.exceptions)}, the last at heap {found.last_exception}\n  {listed}{more}\n"
    yield f"proof: the values of the heaps up to {found.last_heap}\n  {found.theorem}\n"
    cycle = np.array(found.values[found.preperiod :])
    yield f"values of one period, from heap {found.preperiod}:\n"
    yield from _table(cycle[:_SHOWN], found.preperiod)
    if len(cycle) > _SHOWN:
        yield f"  ... ({len(cycle) - _SHOWN} more)\n"


def _period_record(rules: HeapGame, found: PeriodCertificate | None, limit: int) -> dict[str, object]:
    if found is None:
        return {"game": rules.name, "period": None, "last_heap": limit}
    return found.record()


def _write_lines(path: str, lines: Iterator[str]) -> None:
    from graphgame.io.files import open_atomic

    with open_atomic(path) as stream:
        stream.writelines(lines)


def _write_json(path: str, record: dict[str, object]) -> None:
    import json

    _write_lines(path, iter([json.dumps(record) + "\n"]))


def _write_array(path: str, values: np.ndarray[Any, Any]) -> None:
    import numpy as np

    from graphgame.io.files import open_atomic

    with open_atomic(path, "wb") as stream:
        np.save(stream, values)
