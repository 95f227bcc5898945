"""``graphgame heap search``: which codes have a proved period."""

from __future__ import annotations

import re

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.language import examples
from graphgame.cli.progress import shown
from graphgame.labs.heaps.cli.heap.shown import CountingCodes, kept_told
from graphgame.text.languages import amount, translate

_HEAPS = 10_000
_HEAPS_OF_MANY_PARTS = 1000
"""Where moves leave three heaps: such values take far longer."""

_EXAMPLES = examples(
    ("graphgame heap search 0.dd -n 10000", ""),
    ("graphgame heap search 0.ddd -n 100000 --resume octal3.json -o octal3.csv", ""),
    ("graphgame heap search 4.dd -o periods.parquet", ""),
    ("graphgame heap search 0.d7d --only open", ""),
    ("graphgame heap search 0.d7d --certificates proofs && graphgame heap check proofs/*.json", ""),
)


@click.command("search", epilog=_EXAMPLES)
@click.argument("pattern")
@common.number_option(
    "-n", "--heaps", "heaps", least=0, help="The largest heap (default: 10,000; 1,000 where digits may be above 7)."
)
@common.number_option("--jobs", help="Threads side by side (default: the cores).")
@common.shared_options("resume")
@click.option(
    "--certificates",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Keep a certificate of each proved period in this folder, for heap check.",
)
@click.option("--only", type=click.Choice(["solved", "open"]), help="Write the rows with a period, or those without.")
@takes_output(default="csv", csv="as by default", json="an array of the rows", latex="", parquet="")
@common.shared_options("engine")
def command(
    pattern: str,
    heaps: int | None,
    jobs: int | None,
    resume: str | None,
    certificates: str | None,
    only: str | None,
    out: OutputOptions,
    engine: str,
) -> None:
    """Look for a proved period of every code of PATTERN, such as 0.dd.

    In PATTERN, d stands for any digit 0-7 and x for any digit 0-9 or A-F. Codes that are proved to have the same
    values, perhaps after another number of zeros, have one row. A row without a period: heaps up to the limit prove
    none.
    """
    from graphgame.labs.heaps.search import search, write_rows

    if heaps is None:
        heaps = _HEAPS_OF_MANY_PARTS if re.search(r"[89A-Vx]", pattern) else _HEAPS
    with kept_told(resume), shown(CountingCodes) as progress:
        rows = search(
            pattern, heaps, jobs=jobs, resume=resume, certificates=certificates, engine=engine, progress=progress
        )
    for path in filter(None, (resume, certificates)):
        common.tell_of(path)
    written = [row for row in rows if only is None or (row.period is None) == (only == "open")]
    write_rows(written, out.output, out.form)
    common.tell_of(out.output)
    proved = sum(row.period is not None for row in rows)
    codes = sum(1 + len(row.same_as) for row in rows)
    found = {"codes": amount(codes, "code"), "games": amount(len(rows), "different game"), "proved": f"{proved:,}"}
    click.echo(translate("{codes}, {games}, {proved} with a proved period", **found), err=True)
